//! Conversations with `norn run`, `norn test`, `norn bench` and `norn dev`: each `tests/commands/*/*.txt`.
//!
//! A line that begins with `$ norn` is a command, run in that folder; what follows is what it prints,
//! and its exit code unless that is 0. `BLESS=1` rewrites the answers. What a measurement prints differs
//! from run to run, so times and amounts of memory are `TIME` and `MEMORY` there.

use crate::transcript;
use libtest_mimic::Trial;
use regex_lite::Regex;
use std::path::Path;
use std::process::{Command, Stdio};

pub fn conversations() -> Vec<Trial> {
    [
        transcript::conversations("commands/run", answers),
        transcript::conversations("commands/test", answers),
        transcript::conversations("commands/bench", measured_answers),
        transcript::conversations("commands/dev", answers),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The conversation as it goes, without the numbers that were measured.
fn measured_answers(path: &Path, transcript: &str) -> String {
    let number = |units: &str| Regex::new(&format!(r"\b\d[\d.]* ({units})\b")).unwrap();
    let (time, memory) = (number("ns|us|ms|s"), number("B|KiB|MiB|GiB"));
    let mut out = String::new();
    for line in answers(path, transcript).lines() {
        // A comparison is made of numbers in files, which are always the same.
        let is_measured = line.contains(" run");
        let tidy = if is_measured {
            memory.replace_all(&time.replace_all(line, "TIME"), "MEMORY").into_owned()
        } else {
            line.into()
        };
        out += &(tidy + "\n");
    }
    out
}

/// The conversation as it goes.
fn answers(path: &Path, transcript: &str) -> String {
    let folder = path.parent().unwrap();
    let mut out = String::new();
    for line in transcript.lines() {
        let Some(args) = line.strip_prefix("$ norn ") else { continue };
        let output = Command::new(env!("CARGO_BIN_EXE_norn"))
            .args(args.split_whitespace())
            .current_dir(folder)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        out += &format!("{line}\n");
        out += &String::from_utf8(output.stdout).unwrap();
        out += &String::from_utf8(output.stderr).unwrap();
        match output.status.code() {
            Some(0) => {}
            code => out += &format!("exit code {}\n", code.map_or("none".into(), |code| code.to_string())),
        }
    }
    out
}
