//! `--memory-limit` holds, whatever runs the program and wherever its values come from.

use crate::run::{Run, Workplace};
use norn_values::Value;
use norn_values::npz::{Compression, write_npz};
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = "\
entry alloc (n: i64) : i64 = let xs = map (\\i -> i ^ 5) (iota n) in xs[n / 2] + i64.sum (sort xs)
entry twod (n: i64) : i64 = let a = tabulate_2d n 1000 (\\i j -> i ^ j) in a[n/2, 3] + length (flatten a)
entry copies (n: i64) : i64 = length (replicate n (replicate 1000 0i64))
entry rows (n: i64) : i64 = length (map (\\i -> iota (i % 2 + 1)) (iota n))
type rec l = #nil | #cons i64 l
def build (n: i64) : l = loop t = (#nil : l) for i < n do #cons i t
entry tree (n: i64) : i64 = match build n case #nil -> 0 case #cons x _ -> x
entry again (n: i64) : i64 = loop s = 0 for i < n do let xs = replicate 1000000 i in s + xs[i]
entry sum (xs: []i64) : i64 = i64.sum xs
";

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("main.fut", PROGRAM);
    place
}

/// Where the limit does not hold, the system refuses memory.
fn norn(place: &Workplace, limit: &str, args: &[&str], input: &str) -> Run {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "ulimit -v 4000000; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_norn"), "run"]);
    command.args(["--memory-limit", limit, "--threads", "2"]).args(args);
    place.run(&mut command, input)
}

#[track_caller]
fn assert_refused(run: &Run, code: i32, message: &str) {
    assert_eq!(run.code, Some(code), "{}", run.stderr);
    assert!(run.stderr.contains(message), "{}", run.stderr);
    assert!(run.stdout.is_empty());
}

#[test]
fn the_interpreter_holds_the_limit() {
    let place = place();
    for (entry, large) in [
        ("alloc", "20000000"),
        ("twod", "20000"),
        ("copies", "20000"),
        ("rows", "5000000"),
        ("tree", "5000000"),
    ] {
        let args = ["--backend", "interp", "-e", entry, "main.fut"];
        assert_refused(&norn(&place, "16M", &args, large), 2, "Cannot allocate");
        let small = norn(&place, "16M", &args, "100");
        assert_eq!(small.code, Some(0), "{entry}: {}", small.stderr);
    }
    // What is not needed any more does not count.
    let run = norn(&place, "16M", &["--backend", "interp", "-e", "again", "main.fut"], "10");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

/// Cells come in chunks, each as large as all before it: the chunk is what does not fit.
#[test]
fn what_does_not_fit_and_what_is_in_use_are_more_than_the_limit() {
    let place = place();
    let args = ["--backend", "cpu", "-e", "tree", "main.fut"];
    let expected = "Cannot allocate 16.0 MiB: 16.0 MiB of at most 20.0 MiB are in use.";
    assert_refused(&norn(&place, "20M", &args, "5000000"), 2, expected);
}

#[test]
fn text_that_becomes_larger_is_refused() {
    let place = place();
    // Two bytes become eight: 1.9 million bytes of text would be 7.6 million as an array.
    let ones = |count: usize| format!("[{}1]", "1,".repeat(count - 1));
    let (large, small) = (ones(950_000), ones(100_000));
    for backend in ["interp", "cpu"] {
        let args = ["--backend", backend, "-e", "sum", "main.fut"];
        assert_refused(&norn(&place, "4M", &args, &large), 3, "too large");
        let run = norn(&place, "4M", &args, &small);
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), "100000i64\n"), "{}", run.stderr);
    }
}

#[test]
fn members_of_archives_are_refused_that_become_larger() {
    let place = place();
    let write = |name: &str, count: usize| {
        let bytes = write_npz([("xs", &Value::vector(vec![1i64; count]))], Compression::Deflated).unwrap();
        assert!(bytes.len() < 1_000_000);
        place.write(name, bytes);
    };
    write("large.npz", 3_000_000);
    write("small.npz", 300_000);
    for backend in ["interp", "cpu"] {
        let run = |file: &str| {
            assert!(Path::new(file).is_relative());
            norn(&place, "16M", &["--backend", backend, "-e", "sum", "-i", file, "main.fut"], "")
        };
        assert_refused(&run("large.npz"), 3, "too large");
        let small = run("small.npz");
        assert_eq!((small.code, small.stdout.as_str()), (Some(0), "300000i64\n"), "{}", small.stderr);
    }
}
