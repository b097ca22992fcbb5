//! Input that no one would write: the command reports what is wrong with it, and soon.

use crate::run::{Run, Workplace};
use std::time::Duration;

/// A debug build must be done by then.
const SOON: Duration = Duration::from_secs(5);

/// Checks a program of one file, and that it is rejected with `code`.
#[track_caller]
fn assert_rejected(content: impl AsRef<[u8]>, code: &str) {
    let place = Workplace::new();
    place.write("main.fut", &content);
    let beginning = String::from_utf8_lossy(&content.as_ref()[..content.as_ref().len().min(60)]);
    println!("checking {beginning}");
    assert_error(&place.norn(["check", "main.fut"]), code);
}

#[track_caller]
fn assert_error(run: &Run, code: &str) {
    let shown: String = run.stderr.chars().take(2000).collect();
    assert_eq!(run.code, Some(1), "{shown}");
    assert!(run.stderr.contains(&format!("error[{code}]")), "no {code}:\n{shown}");
    assert!(run.stderr.len() < 200_000, "{} bytes of diagnostics", run.stderr.len());
    assert!(run.took < SOON, "took {:?}", run.took);
}

/// `open` very often, `inner`, `close` as often.
fn nested(before: &str, open: &str, inner: &str, close: &str, after: &str) -> String {
    let depth = 150_000;
    format!("{before}{}{inner}{}{after}\n", open.repeat(depth), close.repeat(depth))
}

#[test]
fn nested_expressions() {
    for (open, inner, close) in [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("{a=", "1", "}"),
        ("(1,", "1", ")"),
        ("- ", "1", ""),
        ("! ", "true", ""),
        ("\\x -> ", "x", ""),
        ("if true then ", "1", " else 1"),
        ("if true then 1 else ", "1", ""),
        ("let x = ", "1", " in x"),
        ("let x = 1 in ", "x", ""),
        ("loop x = ", "1", " for i < 1 do x"),
        ("match 1 case x -> ", "x", ""),
        ("id (", "1", ")"),
        ("#[a] ", "1", ""),
        ("a[", "1", "]"),
        ("assert true ", "1", ""),
        ("#c (", "1", ")"),
    ] {
        assert_rejected(nested("def f (a: []i64) = ", open, inner, close, ""), "E0106");
    }
}

#[test]
fn nested_types_patterns_and_modules() {
    for program in [
        nested("type t = ", "(", "i32", ")", ""),
        nested("type t = ", "[1]", "i32", "", ""),
        nested("type t = ", "{a: ", "i32", "}", ""),
        nested("type t = ", "i32 -> ", "i32", "", ""),
        nested("type t = ", "#c (", "i32", ")", ""),
        nested("type t = ", "* ", "i32", "", ""),
        nested("def f ", "(", "x", ")", " = 1"),
        nested("def f ", "{a = ", "x", "}", " = 1"),
        nested("def f ", "(_, ", "x", ")", " = 1"),
        nested("", "module m = { ", "", " }", ""),
        nested("module m = ", "(", "n", ")", ""),
        nested("module type m = ", "(", "n", ")", ""),
        nested("module type m = ", "{ module m : ", "n", " }", ""),
        nested("", "local ", "def x = 1", "", ""),
        nested("#[", "a(", "b", ")", "] def x = 1"),
    ] {
        assert_rejected(program, "E0106");
    }
}

#[test]
fn unclosed_and_surplus_brackets() {
    for open in ["(", "[", "{a = "] {
        assert_rejected(format!("def f = {}", open.repeat(100_000)), "E0106");
    }
    let place = Workplace::new();
    place.write("main.fut", format!("def f = 1{}", ")".repeat(100_000)));
    let run = place.norn(["check", "main.fut"]);
    assert_eq!(run.code, Some(1));
    assert!(run.took < SOON && run.stderr.len() < 200_000, "{:?}, {} bytes", run.took, run.stderr.len());
}

/// Long, but not deep as it is written; a tree of it may well be deep.
#[test]
fn long_chains_are_no_crash() {
    for program in [
        format!("def f (x: i32) = x{}", " + x".repeat(50_000)),
        format!("def f (x: i32) = x{}", " |> id".repeat(50_000)),
        format!("def f (x: i32) = x{}", " x".repeat(50_000)),
        format!("def f (x: {{a: i32}}) = x{}", " with a = 1".repeat(50_000)),
        format!("def f (x: i32) = x{}", ".a".repeat(50_000)),
        format!("def f (x: i32) = x{}", "[0]".repeat(50_000)),
        format!("def f (x: i32) = x{}", " : i32".repeat(50_000)),
        format!("type t = i32{}", " i32".repeat(50_000)),
        format!("type t = {}i32", "#c | ".repeat(50_000)),
        format!("def f (x: i32) = [x{}]", ", 1".repeat(50_000)),
        format!("def f (x: []i32) = (x{})", ", x".repeat(50_000)),
        "def f = 1\n".repeat(50_000),
    ] {
        let place = Workplace::new();
        place.write("main.fut", &program);
        let run = place.norn(["check", "main.fut"]);
        let what = &program[..40];
        assert!(matches!(run.code, Some(0 | 1)), "{what}: {:?}\n{:.2000}", run.code, run.stderr);
        assert!(run.took < 2 * SOON, "{what} took {:?}", run.took);
    }
}

#[test]
fn a_line_of_a_megabyte() {
    let numbers = "1i32, ".repeat(100_000);
    assert_rejected(format!("def x = [{numbers}true, {numbers}1i32]"), "E0301");
    assert_rejected(format!("def x = \"{}", "a".repeat(1_000_000)), "E0102");
    assert_rejected(format!("def x = {}", "a".repeat(1_000_000)), "E0201");
    assert_rejected(format!("def x = {}", "9".repeat(1_000_000)), "E0308");
    assert_rejected(format!("def x = y -- {}", "a".repeat(1_000_000)), "E0201");
}

/// What C compilers optimise in a time that grows with its square.
#[test]
fn a_literal_of_thousands_of_computed_elements() {
    let place = Workplace::new();
    let elements: Vec<String> = (0..5000).map(|i| format!("{i} + k")).collect();
    place.write("main.fut", format!("entry main (k: i64) : []i64 = [{}]", elements.join(", ")));
    let run = place.norn_with_input(["run", "--backend", "cpu", "main.fut"], "7");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(
        run.stdout.starts_with("[7i64, 8i64, ") && run.stdout.ends_with(", 5006i64]\n"),
        "{:.100}",
        run.stdout
    );
    assert!(run.took < 6 * SOON, "took {:?}", run.took);

    // The same beside loops, which are worth optimising.
    let program =
        format!("entry main (k: i64) : i64 = i64.sum (map (\\x -> x * x % 7) [{}])", elements.join(", "));
    place.write("sum.fut", program);
    let run = place.norn_with_input(["run", "--backend", "cpu", "sum.fut"], "7");
    let sum: i64 = (7..5007).map(|x: i64| x * x % 7).sum();
    assert_eq!((run.code, run.stdout), (Some(0), format!("{sum}i64\n")), "{}", run.stderr);
    assert!(run.took < 6 * SOON, "took {:?}", run.took);
}

#[test]
fn bytes_that_are_no_text() {
    assert_rejected(b"def x = \xff\xfe 1\n", "E0101");
    assert_rejected(b"def x = 1\n\xc3", "E0101");
    assert_rejected(b"def x\0 = 1\n", "E0101");
    assert_rejected("def x\u{202e} = 1\n", "E0101");
    assert_rejected([0u8; 100_000], "E0101");
}

#[test]
fn literals() {
    assert_rejected("def x = \"abc\n", "E0102");
    assert_rejected("def x = \"abc", "E0102");
    assert_rejected("def x = '", "E0102");
    assert_rejected("def x = 'a", "E0102");
    assert_rejected("def x: i8 = 128\n", "E0308");
    assert_rejected(format!("def x: i64 = 1{}\n", "0".repeat(100)), "E0308");
}

#[test]
fn imports() {
    let place = Workplace::new();
    std::fs::create_dir(place.path("folder.fut")).unwrap();
    place.write("latin1.fut", b"def x = 1 -- \xe9\n");
    place.write("a.fut", "import \"b\"\n");
    place.write("b.fut", "import \"a\"\n");
    for (imported, code) in [("vanished", "E0207"), ("folder", "E0207"), ("a", "E0208"), ("main", "E0208")] {
        place.write("main.fut", format!("import \"{imported}\"\n"));
        assert_error(&place.norn(["check", "main.fut"]), code);
    }
    place.write("main.fut", "import \"latin1\"\n");
    let run = place.norn(["check", "main.fut"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
}

/// What need not have an end is not read.
#[cfg(unix)]
#[test]
fn imports_of_pipes_and_devices() {
    let place = Workplace::new();
    assert!(std::process::Command::new("mkfifo").arg(place.path("pipe.fut")).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", place.path("device.fut")).unwrap();
    for imported in ["pipe", "device"] {
        place.write("main.fut", format!("import \"{imported}\"\n"));
        let run = place.norn(["check", "main.fut"]);
        assert_error(&run, "E0207");
        assert!(run.stderr.contains("is a pipe or a device, not a file"), "{}", run.stderr);
    }
    let run = place.norn(["check", "device.fut"]);
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert!(run.stderr.contains("has more than 67108864 bytes"), "{}", run.stderr);
}

#[test]
fn more_threads_than_any_machine_has() {
    let place = Workplace::new();
    place.write("main.fut", "entry main (n: i64) = i64.sum (iota n)\n");
    for threads in ["0", "100000", "99999999999999999999999"] {
        let run = place.norn_with_input(["run", "--threads", threads, "main.fut"], "10");
        assert_eq!(run.code, Some(3), "{}", run.stderr);
        assert!(run.stderr.contains("for '--threads <N>'"), "{}", run.stderr);
    }
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_norn"));
    let run = place.run(command.args(["run", "main.fut"]).env("NORN_THREADS", "100000"), "10");
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "45i64\n"), "{}", run.stderr);
}

#[test]
fn nothing_at_all() {
    for content in ["", "\n", "-- Only a comment.\n", "\u{feff}"] {
        let place = Workplace::new();
        place.write("main.fut", content);
        let run = place.norn(["check", "main.fut"]);
        assert!(matches!(run.code, Some(0 | 1)), "{:?} {}", run.code, run.stderr);
        assert!(run.took < SOON);
    }
}
