//! What `norn run` shows someone at a terminal. `script` (util-linux) makes one; without it there is nothing to try.
#![cfg(target_os = "linux")]

use crate::run::{Run, Workplace};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

/// A C compiler that takes its time for programs.
const SLOW_CC: &str = r#"#!/bin/sh
case "$*" in *program.c*) sleep 2 ;; esac
exec cc "$@"
"#;

/// What is seen at a terminal where somebody types this.
fn at_terminal(place: &Workplace, command: &str, typed: &str) -> Option<Run> {
    let quiet = Command::new("script").arg("--version").stdout(Stdio::null()).status();
    if !quiet.is_ok_and(|status| status.success()) {
        println!("skipped: there is no `script`");
        return None;
    }
    let norn = env!("CARGO_BIN_EXE_norn");
    let mut script = Command::new("script");
    script.args(["-qec", &format!("{norn} {command}"), "/dev/null"]);
    script.env("NORN_CACHE", place.path("cache")).env("CC", place.path("slow-cc"));
    Some(place.run(&mut script, typed))
}

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("slow-cc", SLOW_CC);
    fs::set_permissions(place.path("slow-cc"), fs::Permissions::from_mode(0o755)).unwrap();
    place.write("main.fut", "entry main (x: i32) (ys: []f64) = f64.i32 x + f64.sum ys\n");
    place
}

#[test]
fn what_the_program_waits_for_is_said() {
    let place = place();
    let Some(run) = at_terminal(&place, "run --backend interp main.fut", "1\n[2.0]\n\x04") else { return };
    assert!(run.stdout.contains("reads its arguments from standard input"), "{}", run.stdout);
    assert!(run.stdout.contains("x: i32") && run.stdout.contains("ys: []f64"), "{}", run.stdout);
    assert!(run.stdout.contains("3.0f64"), "{}", run.stdout);
    // Not where nobody waits.
    let run = place.norn_with_input(["run", "--backend", "interp", "main.fut"], "1 [2.0]");
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("3.0f64\n", ""));
}

#[test]
fn that_compiling_takes_long_is_said() {
    if !Command::new("cc").arg("--version").stdout(Stdio::null()).status().is_ok_and(|cc| cc.success()) {
        return;
    }
    let place = place();
    let Some(run) = at_terminal(&place, "run --backend cpu main.fut", "1\n[2.0]\n\x04") else { return };
    assert!(run.stdout.contains("compiling main.fut .."), "{}", run.stdout);
    assert!(run.stdout.contains("3.0f64"), "{}", run.stdout);
    // The second time it is there already.
    let Some(run) = at_terminal(&place, "run --backend cpu main.fut", "1\n[2.0]\n\x04") else { return };
    assert!(!run.stdout.contains("compiling main.fut .."), "{}", run.stdout);
}
