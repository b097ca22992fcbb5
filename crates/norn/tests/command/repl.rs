//! `norn repl` and signals.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Ctrl-C while an expression is evaluated: the session goes on.
#[test]
fn an_interrupt_ends_the_evaluation_and_not_the_session() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_norn"))
        .arg("repl")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut typed = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    typed.write_all(b"loop x = 1i32 while x > 0 do x\n").unwrap();
    let mut out = String::new();
    answers.read_line(&mut out).unwrap();
    // The line is echoed just before it is evaluated.
    std::thread::sleep(Duration::from_secs(1));
    // As Ctrl-C does, which what a script starts in the background ignores.
    let sent = Command::new("kill").arg(child.id().to_string()).status().unwrap();
    assert!(sent.success());
    typed.write_all(b"1i32 + 1\n").unwrap();
    drop(typed);
    answers.read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{out}");
    assert!(out.contains("error: The program was stopped.\n"), "{out}");
    assert!(out.ends_with("2 : i32\n"), "{out}");
}
