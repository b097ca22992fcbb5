//! Conversations with `norn repl`: each `tests/repl/*.txt`.
//!
//! A line that begins with a prompt (`[1]> `, or `[1]| ` for more of an input) is typed; all others
//! are answers. `BLESS=1` rewrites the answers. The session runs in `tests/repl`, so that a
//! conversation can load programs from there.

use crate::transcript;
use crate::typed::typed;
use libtest_mimic::Trial;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

pub fn conversations() -> Vec<Trial> {
    transcript::conversations("repl", session)
}

fn session(path: &Path, transcript: &str) -> String {
    let typed: String = transcript.lines().filter_map(typed).map(|line| format!("{line}\n")).collect();
    let mut child = Command::new(env!("CARGO_BIN_EXE_norn"))
        .arg("repl")
        .current_dir(path.parent().unwrap())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", path.display());
    String::from_utf8(output.stdout).unwrap()
}
