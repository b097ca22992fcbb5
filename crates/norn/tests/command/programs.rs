//! `norn run` and `norn dev --pass`: values in, values out, exit codes.

use crate::run::Workplace;
use norn_values::npy::{read_npy, write_npy};
use norn_values::npz::{Compression, read_npz, write_npz};
use norn_values::{Value, binary::write_binary};

const PROGRAM: &str = "\
entry main (x: i32) (y: f64) : (i32, f64) = (x + 1, y * 2)
entry sum [n] (xs: [n]f64) : f64 = reduce (+) 0 xs
entry pairs (n: i64) : [n](i64, bool) = map (\\i -> (i, i % 2 == 0)) (iota n)
entry taken (p: (i32, i32)) : i32 = p.0
entry divide (x: i32) (y: i32) : i32 = x / y
entry four : i32 = 4
";

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("program.fut", PROGRAM);
    place.write("bad.fut", "entry main (x: i32) : i32 = y\n");
    place
}

#[test]
fn exit_codes_tell_errors_failures_and_usage_apart() {
    let place = place();
    for (args, input, code) in [
        (&["run", "program.fut"][..], "1 2", 0),
        (&["run", "program.fut"], "1i32 2.5f64", 0),
        (&["run", "bad.fut"], "1", 1),
        (&["run", "-e", "divide", "program.fut"], "1 0", 2),
        (&["run", "nowhere.fut"], "", 3),
        (&["run", "program.fut"], "", 3),
        (&["run", "program.fut"], "1", 3),
        (&["run", "program.fut"], "1 2 3", 3),
        (&["run", "program.fut"], "1i64 2", 3),
        (&["run", "program.fut"], "[1] 2", 3),
        (&["run", "-e", "nothing", "program.fut"], "", 3),
        (&["run", "-e", "taken", "program.fut"], "1 2", 3),
        (&["run", "-e", "four", "program.fut"], "", 0),
        (&["run", "-e", "four", "program.fut"], "1", 3),
        (&["run", "--backend", "interp", "program.fut"], "1 2", 0),
        (&["run", "--backend", "cuda", "program.fut"], "1 2", 3),
        (&["run", "--backend", "quantum", "program.fut"], "1 2", 3),
        (&["server", "nowhere.fut"], "", 3),
        (&["server", "bad.fut"], "", 1),
        (&["server", "program.fut"], "", 0),
        (&["dev", "--pass", "list"], "", 0),
        (&["dev", "--pass", "lower"], "", 3),
        (&["dev", "--pass", "lower", "program.fut"], "", 0),
        (&["dev", "--pass", "lower", "bad.fut"], "", 1),
        (&["dev", "--pass", "nothing", "program.fut"], "", 3),
    ] {
        let run = place.norn_with_input(args, input);
        assert_eq!(run.code, Some(code), "norn {args:?} < {input:?}\n{}{}", run.stdout, run.stderr);
    }
}

#[test]
fn the_parts_of_a_tuple_are_results_of_their_own() {
    let run = place().norn_with_input(["run", "program.fut"], "-- A comment.\n41 2.25\n");
    assert_eq!(run.stdout, "42i32\n4.5f64\n", "{}", run.stderr);
}

#[test]
fn arrays_of_tuples_are_written() {
    let run = place().norn_with_input(["run", "-e", "pairs", "program.fut"], "3");
    assert_eq!(run.stdout, "[(0i64, true), (1i64, false), (2i64, true)]\n", "{}", run.stderr);
}

#[test]
fn entry_points_are_listed_where_one_is_missing() {
    let run = place().norn(["run", "-e", "mian", "program.fut"]);
    assert!(run.stderr.contains("`main`, `sum`, `pairs`"), "{}", run.stderr);
}

#[test]
fn a_failure_shows_where_and_why() {
    let run = place().norn_with_input(["run", "-e", "divide", "program.fut"], "1 0");
    assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
    assert!(run.stderr.contains("program.fut:5:"), "{}", run.stderr);
    assert!(run.stderr.contains("x / y"), "{}", run.stderr);
    assert_eq!(run.stdout, "");
}

#[test]
fn text_and_binary_mix() {
    let place = place();
    let mut input = b"1 ".to_vec();
    write_binary(&Value::scalar(2.5f64), &mut input);
    place.write("input", &input);
    let run = place.norn(["run", "--input", "input", "program.fut", "-b", "-o", "out"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let mut expected = Vec::new();
    write_binary(&Value::scalar(2i32), &mut expected);
    write_binary(&Value::scalar(5f64), &mut expected);
    assert_eq!(std::fs::read(place.path("out")).unwrap(), expected);
}

#[test]
fn numpy_files_go_in_and_out() {
    let place = place();
    let mut array = Vec::new();
    write_npy(&Value::vector(vec![1.5f64, 2.0]), &mut array);
    place.write("xs.npy", &array);
    let run = place.norn(["run", "-e", "sum", "program.fut", "-i", "xs.npy", "-o", "sum.npy"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let sum = read_npy(&std::fs::read(place.path("sum.npy")).unwrap()).unwrap();
    assert!(sum.is_identical(&Value::scalar(3.5f64)));

    let (x, y) = (Value::scalar(1i32), Value::scalar(2f64));
    place.write("args.npz", write_npz([("x", &x), ("y", &y)], Compression::Deflated).unwrap());
    let run = place.norn(["run", "program.fut", "-i", "args.npz", "-o", "both.npz"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let both = read_npz(&std::fs::read(place.path("both.npz")).unwrap(), usize::MAX).unwrap();
    let names: Vec<&str> = both.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["arr_0", "arr_1"]);

    for args in [
        &["run", "program.fut", "-i", "args.npz", "-o", "both.npy"][..],
        &["run", "program.fut", "-i", "xs.npy"],
        &["run", "-e", "sum", "program.fut", "-i", "xs.npy", "-i", "xs.npy"],
        &["run", "-e", "sum", "program.fut", "-i", "nowhere.npy"],
        &["run", "-e", "sum", "program.fut", "-i", "program.fut"],
        &["run", "-e", "pairs", "program.fut", "-i", "three", "-o", "pairs.npz"],
    ] {
        place.write("three", "3");
        let run = place.norn(args);
        assert_eq!(run.code, Some(3), "norn {args:?}\n{}{}", run.stdout, run.stderr);
    }
}

#[test]
fn deep_recursion_is_no_crash_of_the_command() {
    let place = Workplace::new();
    place.write("deep.fut", "entry main (n: i64) : i64 = loop x = 0 for i < n do x + i\n");
    let run = place.norn_with_input(["run", "deep.fut"], "100000");
    assert_eq!(run.stdout, "4999950000i64\n", "{}", run.stderr);
}

#[test]
fn values_on_their_way_count_as_memory() {
    let place = Workplace::new();
    place.write(
        "program.fut",
        "entry main (n: i64) : [n]i64 = map (* 2) (iota n)\nentry sum (xs: []i64) : i64 = i64.sum xs\n",
    );
    let run = |entry: &str, limit: &str, input: &str| {
        let args = ["run", "--backend", "cpu", "--memory-limit", limit, "-e", entry, "program.fut"];
        place.norn_with_input(args, input)
    };
    if run("main", "1G", "1i64").stderr.contains("compiler") {
        return;
    }
    // The result is there twice for a moment.
    let count = "100_000i64".replace('_', "");
    let refused = run("main", "1M", &count);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("Cannot allocate"), "{}", refused.stderr);
    assert_eq!(run("main", "2M", &count).code, Some(0));
    let numbers = format!("[{}]", vec!["1i64"; 100_000].join(", "));
    let refused = run("sum", "500K", &numbers);
    assert_eq!(refused.code, Some(3), "{}", refused.stderr);
    assert!(refused.stderr.contains("too much for"), "{}", refused.stderr);
    assert_eq!(run("sum", "2M", &numbers).code, Some(0));
    // As text they are fewer than in memory.
    let zeros = format!("[{}]", vec!["0"; 200_000].join(","));
    let refused = run("sum", "1M", &zeros);
    assert_eq!(refused.code, Some(3), "{}", refused.stderr);
    assert!(refused.stderr.contains("too large"), "{}", refused.stderr);
}
