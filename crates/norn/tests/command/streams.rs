//! Standard output that cannot be written to: an error, not a success, and never a crash.
#![cfg(unix)]

use crate::run::{Run, Workplace};
use std::process::Command;

fn shell(place: &Workplace, script: &str) -> Run {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]).env("norn", env!("CARGO_BIN_EXE_norn"));
    place.run(&mut command, "20")
}

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("main.fut", "entry main (n: i64) = iota (n * 10000)\nentry one (n: i64) = n\n");
    place.write("ugly.fut", "def   x=1");
    place
}

#[test]
fn a_standard_output_that_is_closed_or_full_is_an_error() {
    let place = place();
    for args in [
        "run --backend interp -e one main.fut",
        "run --backend interp main.fut",
        "check --explain E0301",
        "fmt --check ugly.fut",
        "dev --ast main.fut",
        "test main.fut",
    ] {
        for (target, message) in [
            (">&-", "error: cannot write the output: standard output is closed\n"),
            (">/dev/full", "error: cannot write the output: No space left on device (os error 28)\n"),
        ] {
            let run = shell(&place, &format!("$norn {args} {target}"));
            assert_eq!(run.code, Some(3), "norn {args} {target}: {}", run.stderr);
            assert_eq!(run.stderr, message, "norn {args} {target}");
        }
    }
    for args in ["--help", "--version", "run --help"] {
        assert_eq!(shell(&place, &format!("$norn {args} >&-")).code, Some(3), "norn {args}");
    }
}

#[test]
fn a_reader_that_has_gone_away_is_an_error_without_words() {
    let place = place();
    let run = shell(
        &place,
        "{ $norn run --backend interp main.fut; echo $? >code; } | head -c 1 >/dev/null; cat code",
    );
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("3\n", ""));
}
