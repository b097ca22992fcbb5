//! What the command starts ends with it, and it ends when it is asked to.
#![cfg(unix)]

use crate::run::Workplace;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// On a machine that has other things to do, too.
const PATIENCE: Duration = Duration::from_secs(30);

/// A C compiler that starts another process, writes down who it is, and does not end. What it is asked first it can do.
const ENDLESS_CC: &str = r#"#!/bin/sh
case "$*" in
  *program.c*) sleep 600 & echo $! > "$PLACE/sleeper.tmp"; mv "$PLACE/sleeper.tmp" "$PLACE/sleeper"; wait ;;
  *) exec cc "$@" ;;
esac
"#;

fn has_cc() -> bool {
    Command::new("cc").arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// A folder with that compiler, a program, and a folder for the cache.
fn place() -> Workplace {
    let place = Workplace::new();
    place.write("endless-cc", ENDLESS_CC);
    fs::set_permissions(place.path("endless-cc"), fs::Permissions::from_mode(0o755)).unwrap();
    place.write("main.fut", "-- ==\n-- input { 1 } output { 2 }\nentry main (x: i32) = x + 1\n");
    place
}

fn norn(place: &Workplace, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    command
        .args(args)
        .current_dir(place.path("."))
        .env("PLACE", place.path("."))
        .env("NORN_CACHE", place.path("cache"))
        .env("TMPDIR", place.path("."))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Asks a process to end, as `kill` does: a shell may have us ignore Ctrl-C.
fn ask_to_end(child: &Child) {
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
}

fn exists(process: &str) -> bool {
    // One that has ended, but that nobody has waited for, has no command any more.
    fs::read(format!("/proc/{}/cmdline", process.trim())).is_ok_and(|command| !command.is_empty())
}

/// Waits until something holds.
#[track_caller]
fn await_that(what: &str, holds: impl Fn() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < PATIENCE, "{what}: it never was so");
        sleep(Duration::from_millis(5));
    }
}

#[track_caller]
fn assert_nothing_is_left(place: &Workplace) {
    let sleeper = place.read("sleeper");
    await_that("the C compiler's child has ended", || !exists(&sleeper));
    for folder in [".", "cache"] {
        let left: Vec<String> = fs::read_dir(place.path(folder))
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|name| name.starts_with("making-"))
            .collect();
        assert_eq!(left, Vec::<String>::new(), "in {folder}");
    }
}

#[test]
fn an_interrupt_ends_the_c_compiler() {
    if !has_cc() {
        return;
    }
    let place = place();
    let mut child = norn(&place, &["run", "--backend", "cpu", "main.fut"])
        .env("CC", place.path("endless-cc"))
        .spawn()
        .unwrap();
    await_that("the C compiler runs", || place.path("sleeper").exists());
    ask_to_end(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_nothing_is_left(&place);
}

#[test]
fn a_test_whose_time_is_over_ends_with_what_it_started() {
    if !has_cc() {
        return;
    }
    let place = place();
    let mut child = norn(&place, &["test", "--backend", "cpu", "--timeout", "5", "main.fut"])
        .env("CC", place.path("endless-cc"))
        .spawn()
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_nothing_is_left(&place);
}

#[test]
fn an_interrupt_ends_tests_with_what_they_started() {
    if !has_cc() {
        return;
    }
    let place = place();
    let mut child = norn(&place, &["test", "--backend", "cpu", "main.fut"])
        .env("CC", place.path("endless-cc"))
        .spawn()
        .unwrap();
    await_that("the C compiler runs", || place.path("sleeper").exists());
    ask_to_end(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_nothing_is_left(&place);
}

/// Loops that only count, one for each way to run them: alone, in another loop, and in all threads.
#[test]
fn an_interrupt_ends_counted_loops() {
    if !has_cc() {
        return;
    }
    let place = Workplace::new();
    let step = "(s * 3 + i) % 1000003 ^ (s >> 2)";
    place.write(
        "main.fut",
        format!(
            "entry one (n: i64) : i64 = loop s = 0 for i < n do {step}\n\
             entry two (n: i64) : i64 = loop s = 0 for j < n do loop s = s + j for i < n do {step}\n\
             entry all (n: i64) : i64 = i64.sum (map (\\k -> loop s = k for i < n do {step}) (iota 1000))\n\
             entry sum (n: i64) : i64 = i64.sum (map (\\i -> i * i % 1000003 ^ (i >> 2)) (iota n))\n"
        ),
    );
    place.write("input", "1000000000000\n");
    place.write("small", "1\n");
    for entry in ["one", "two", "all", "sum"] {
        let run = |input: &str| {
            norn(&place, &["run", "--backend", "cpu", "-e", entry, "main.fut"])
                .stdin(fs::File::open(place.path(input)).unwrap())
                .spawn()
                .unwrap()
        };
        // It is compiled first, so that it runs soon.
        assert!(run("small").wait().unwrap().success());
        let mut child = run("input");
        sleep(Duration::from_millis(700));
        let begin = Instant::now();
        ask_to_end(&child);
        assert_eq!(child.wait().unwrap().code(), Some(130), "{entry}");
        assert!(begin.elapsed() < Duration::from_secs(5), "{entry} went on for {:?}", begin.elapsed());
    }
}

/// Nobody can stop a kernel, so the command ends without it.
#[test]
fn an_interrupt_ends_the_command_while_a_kernel_goes_on() {
    let place = Workplace::new();
    place.write("main.fut", "entry main (xs: []i64) : []i64 = map (\\x -> loop x while x > 0 do x) xs\n");
    let run = |input: &str| {
        place.write("input", input);
        norn(&place, &["run", "--backend", "opencl", "main.fut"])
            .stdin(fs::File::open(place.path("input")).unwrap())
            .spawn()
            .unwrap()
    };
    // It is compiled first, so that it runs soon. Without a device there is nothing to try.
    if !run("[-1]").wait().unwrap().success() {
        return;
    }
    let mut child = run("[1]");
    sleep(Duration::from_millis(1500));
    let begin = Instant::now();
    ask_to_end(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(begin.elapsed() < Duration::from_secs(10), "it went on for {:?}", begin.elapsed());
}
