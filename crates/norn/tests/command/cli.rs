//! The command line: exit codes, streams, formats.

use crate::run::Workplace;
use std::process::{Command, Stdio};

const GOOD: &str = "def double (x: i32) : i32 = x * 2\n";
const BAD: &str = "def double (x: i32) : i32 = y * 2\n";
const NO_SYNTAX: &str = "def double (x: i32 = \n";

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("good.fut", GOOD);
    place.write("bad.fut", BAD);
    place.write("no_syntax.fut", NO_SYNTAX);
    place
}

#[test]
fn exit_codes() {
    let place = place();
    for (args, code) in [
        (&["check", "good.fut"][..], 0),
        (&["check", "bad.fut"], 1),
        (&["check", "good.fut", "bad.fut"], 1),
        (&["check", "nowhere.fut"], 3),
        (&["check", "."], 3),
        (&["check", "bad.fut", "nowhere.fut"], 3),
        (&["check"], 3),
        (&[], 3),
        (&["chek", "good.fut"], 3),
        (&["check", "--color", "green", "good.fut"], 3),
        (&["check", "--explain", "E0301"], 0),
        (&["check", "--explain", "e0301"], 0),
        (&["check", "--explain", "E9999"], 3),
        (&["--version"], 0),
        (&["--help"], 0),
        (&["fmt", "nowhere.fut"], 3),
        (&["fmt", "--check", "good.fut"], 0),
        (&["fmt", "--check", "no_syntax.fut"], 1),
        (&["dev", "--ast", "good.fut"], 0),
        (&["dev", "--ast", "no_syntax.fut"], 1),
        (&["dev", "good.fut"], 3),
    ] {
        let run = place.norn(args);
        assert_eq!(run.code, Some(code), "norn {args:?}\n{}{}", run.stdout, run.stderr);
    }
}

#[test]
fn diagnostics_go_to_standard_error() {
    let run = place().norn(["check", "bad.fut"]);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.starts_with("error[E0201]"), "{}", run.stderr);
    assert!(run.stderr.contains("--> bad.fut:1:29"), "{}", run.stderr);
    assert!(run.stderr.ends_with("1 error\n"), "{}", run.stderr);
    assert_eq!(place().norn(["check", "good.fut"]).stderr, "");
}

#[test]
fn colours() {
    let place = place();
    assert!(!place.norn(["check", "bad.fut"]).stderr.contains('\x1b'));
    assert!(!place.norn(["check", "--color", "never", "bad.fut"]).stderr.contains('\x1b'));
    assert!(place.norn(["--color", "always", "check", "bad.fut"]).stderr.contains('\x1b'));
}

#[test]
fn json_is_one_object_a_line() {
    let run = place().norn(["check", "--message-format", "json", "bad.fut", "no_syntax.fut"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stderr, "");
    let objects: Vec<serde_json::Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects[0]["code"], "E0201");
    assert_eq!(objects[0]["spans"][0]["file"], "bad.fut");
    assert!(objects.iter().any(|o| o["spans"][0]["file"] == "no_syntax.fut"));
}

#[test]
fn warnings_can_be_denied() {
    let place = Workplace::new();
    place.write("warned.fut", "def f (x: i32) : i32 = match x case y -> y case _ -> 1\n");
    let run = place.norn(["check", "warned.fut"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("warning[W0601]"), "{}", run.stderr);
    assert_eq!(place.norn(["check", "-D", "warned.fut"]).code, Some(1));
}

#[test]
fn shadowing_is_reported_if_asked_for() {
    let place = Workplace::new();
    place.write("hides.fut", "def f (x: i32) = (x, map (\\x -> x + 1i32) [1])\n");
    let run = place.norn(["check", "hides.fut"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let run = place.norn(["check", "-W", "shadowing", "hides.fut"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("warning[W0202]"), "{}", run.stderr);
    assert_eq!(place.norn(["check", "-W", "shadowing", "-D", "hides.fut"]).code, Some(1));
}

#[test]
fn explain_prints_the_page() {
    let run = place().norn(["check", "--explain", "E0301"]);
    assert!(run.stdout.starts_with("# E0301"), "{}", run.stdout);
}

#[test]
fn fmt_changes_files_in_place() {
    let place = place();
    place.write("ugly.fut", "def   f  (x:i32)   =x+1");
    let run = place.norn(["fmt", "--check", "ugly.fut"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.starts_with("ugly.fut is not formatted:\n"), "{}", run.stdout);
    assert!(run.stdout.contains("\n+def f (x: i32) = x + 1\n"), "{}", run.stdout);
    assert_eq!(place.read("ugly.fut"), "def   f  (x:i32)   =x+1");

    assert_eq!(place.norn(["fmt", "ugly.fut"]).code, Some(0));
    assert_eq!(place.read("ugly.fut"), "def f (x: i32) = x + 1\n");
    assert_eq!(place.norn(["fmt", "--check", "ugly.fut"]).code, Some(0));
    assert_eq!(std::fs::read_dir(place.path(".")).unwrap().count(), 4, "something was left behind");
}

#[test]
fn fmt_takes_folders() {
    let place = Workplace::new();
    std::fs::create_dir_all(place.path("lib/deep")).unwrap();
    for file in ["lib/a.fut", "lib/deep/b.fut", "lib/note.txt"] {
        place.write(file, "def   x=1");
    }
    let run = place.norn(["fmt", "--check", "lib"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("lib/a.fut") && run.stdout.contains("lib/deep/b.fut"), "{}", run.stdout);
    assert_eq!(place.norn(["fmt", "lib"]).code, Some(0));
    assert_eq!(place.read("lib/a.fut"), "def x = 1\n");
    assert_eq!(place.read("lib/deep/b.fut"), "def x = 1\n");
    assert_eq!(place.read("lib/note.txt"), "def   x=1");
}

#[test]
fn fmt_leaves_files_with_errors_alone() {
    let place = place();
    let run = place.norn(["fmt", "no_syntax.fut", "good.fut"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("error[E01"), "{}", run.stderr);
    assert_eq!(place.read("no_syntax.fut"), NO_SYNTAX);
}

#[test]
fn fmt_reads_standard_input() {
    let run = place().norn_with_input(["fmt", "-"], "def   x=1");
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "def x = 1\n"), "{}", run.stderr);
}

#[test]
fn a_closed_pipe_is_no_crash() {
    // Nobody reads, from the beginning: a child that is quick would have written all before.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = Command::new(env!("CARGO_BIN_EXE_norn"))
        .args(["check", "--explain", "E0301"])
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
}
