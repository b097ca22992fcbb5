//! Small tools: `new`, `hash`, `watch`, `completions`.

use crate::run::Workplace;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

#[test]
fn a_new_program_works() {
    let place = Workplace::new();
    assert_eq!(place.norn(["new", "my-first"]).code, Some(0));
    let run = place.norn(["test", "--backend", "interp", "my-first/my_first.fut"]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    assert_eq!(place.norn(["fmt", "--check", "my-first"]).code, Some(0));
    assert_eq!(place.norn(["new", "my-first"]).code, Some(3));
    assert_eq!(place.norn(["new", "1st"]).code, Some(3));
}

#[test]
fn hashes_are_those_of_tokens() {
    let place = Workplace::new();
    place.write("a.fut", "import \"b\"\n-- a comment\ndef f = g + 1\n");
    place.write("b.fut", "def g = 1i32\n");
    let first = place.norn(["hash", "a.fut"]).stdout;
    assert_eq!(first.len(), 65);
    place.write("a.fut", "import \"b\"\ndef f =\n  g+1\n");
    assert_eq!(place.norn(["hash", "a.fut"]).stdout, first);
    place.write("b.fut", "def g = 2i32\n");
    assert_ne!(place.norn(["hash", "a.fut"]).stdout, first);
    assert_eq!(place.norn(["hash", "nowhere.fut"]).code, Some(3));
    place.write("b.fut", "def g = x\n");
    assert_eq!(place.norn(["hash", "a.fut"]).code, Some(1));
}

#[test]
fn watching_repeats_when_an_import_changes() {
    let place = Workplace::new();
    place.write("a.fut", "import \"b\"\ndef f = g\n");
    place.write("b.fut", "def g = 1i32\n");
    let mut watching = Command::new(env!("CARGO_BIN_EXE_norn"))
        .args(["watch", "--rounds", "2", "check", "a.fut"])
        .current_dir(place.path("."))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(watching.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.next().unwrap(), "-- check done; waiting for a change");
    place.write("b.fut", "def other = 1i32\n");
    let rest: Vec<String> = lines.collect();
    assert!(rest.join("\n").contains("The name `g` is not in scope."), "{rest:?}");
    assert_eq!(watching.wait().unwrap().code(), Some(1));
    assert_eq!(place.norn(["watch", "check", "nothing"]).code, Some(3));
}

#[test]
fn shells_get_completions() {
    let place = Workplace::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = place.norn(["completions", shell]);
        assert!(run.code == Some(0) && run.stdout.contains("literate"), "{shell}: {}", run.stderr);
    }
}
