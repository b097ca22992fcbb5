//! Conversations with `norn test`: each `tests/commands/test/*.txt`.
//!
//! A line that begins with `$ norn` is a command, run in that folder; what follows is what it prints,
//! and its exit code unless that is 0. `BLESS=1` rewrites the answers.

mod transcript;

use std::process::Command;
use transcript::check_transcripts;

#[test]
fn tests_go_as_written() {
    check_transcripts("commands/test", |path, transcript| {
        let folder = path.parent().unwrap();
        let mut out = String::new();
        for line in transcript.lines() {
            let Some(args) = line.strip_prefix("$ norn ") else { continue };
            let output = Command::new(env!("CARGO_BIN_EXE_norn"))
                .args(args.split_whitespace())
                .current_dir(folder)
                .output()
                .unwrap();
            out += &format!("{line}\n");
            out += &String::from_utf8(output.stdout).unwrap();
            out += &String::from_utf8(output.stderr).unwrap();
            match output.status.code() {
                Some(0) => {}
                code => {
                    out += &format!("exit code {}\n", code.map_or("none".into(), |code| code.to_string()))
                }
            }
        }
        out
    });
}
