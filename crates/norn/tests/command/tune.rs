//! `--tune`: the numbers by which a program is made for a GPU.

use crate::run::{Run, Workplace};

/// A nest with versions, a filter and a histogram.
const PROGRAM: &str = "\
-- ==
-- entry: rows
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } output { [[3i64, 9i64, 18i64], [24i64, 54i64, 90i64]] }
entry rows [n] [m] (xss: [n][m]i64) : [n][m]i64 = map (\\xs -> map (* xs[m - 1]) (scan (+) 0 xs)) xss

entry counts [n] (xs: [n]i64) : ([]i64, []f32) =
  (filter (> 2) xs, hist (+) 0 3 (map (% 3) xs) (map f32.i64 xs))
";

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("program.fut", PROGRAM);
    place
}

fn opencl(place: &Workplace, tune: &str, args: &[&str], input: &str) -> Run {
    place.write("tune", tune);
    let all = ["run", "--backend", "opencl", "--tune", "tune", "program.fut"];
    place.norn_with_input(all.iter().chain(args), input)
}

/// Whether OpenCL has a device.
fn has_device(place: &Workplace) -> bool {
    let run = opencl(place, "", &["-e", "counts"], "[1i64]");
    run.code != Some(3) || !run.stderr.contains("there is no OpenCL device")
}

#[test]
fn tunables_are_listed_as_a_file_that_sets_them() {
    let place = place();
    let run = place.norn(["dev", "--tunables", "program.fut"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let line = "# counts.1.filter.lookback.each = 15     # 1 to 31, program.fut:7:4\n";
    assert!(run.stdout.contains(line), "{}", run.stdout);
    assert!(
        run.stdout.contains("# rows.1.outer = by the device, sizes and work # 0 to `never`, program.fut:4:")
    );
    place.write(
        "listed",
        run.stdout.replace("# counts.1.filter.lookback.each = 15", "counts.1.filter.lookback.each = 9"),
    );
    let run = place.norn(["dev", "--tunables", "--tune", "listed", "program.fut"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("\ncounts.1.filter.lookback.each = 9 "), "{}", run.stdout);
}

#[test]
fn a_threshold_takes_either_side() {
    let place = place();
    let shown = |tune: &str| {
        place.write("tune", tune);
        let run = place.norn(["dev", "--pass", "distribute", "--tune", "tune", "program.fut"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout
    };
    assert!(shown("").contains("workers"));
    assert!(shown("rows.1.outer = 1000\n").contains("le.i64 1000i64"));
    for tune in ["*.outer = 0\n", "*.outer = never\n*.groups = never\n"] {
        let text = shown(tune);
        assert!(!text.contains("workers") && !text.contains(" if "), "{text}");
    }
    assert_ne!(shown("*.outer = 0\n"), shown("*.outer = never\n*.groups = never\n"));
}

#[test]
fn whatever_is_set_results_are_the_same() {
    let place = place();
    if !has_device(&place) {
        return println!("skipped: there is no OpenCL device");
    }
    let launches = |run: &Run| run.stderr.lines().last().unwrap_or_default().to_string();
    let input = "[[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]]";
    let mut all = Vec::new();
    for tune in
        ["*.outer = 0", "*.outer = never\n*.groups = never", "*.outer = never\n*.groups = 0", "*.outer = 3"]
    {
        let run = opencl(&place, tune, &["-e", "rows", "--profile"], input);
        let expected = "[[3i64, 9i64, 18i64], [24i64, 54i64, 90i64]]\n";
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), expected), "{tune}: {}", run.stderr);
        all.push(launches(&run));
    }
    // What was compiled with other tunables is not used again: a thread for each row is one launch, and the scan another.
    assert_ne!(all[0], all[1]);
    assert_eq!(
        all[0],
        launches(&opencl(&place, "*.outer = 0 # Again.", &["-e", "rows", "--profile"], input))
    );
    for tune in ["*.each = 4\n*.decks = 1", "*.each = 13\n*.decks = 1_000"] {
        let run = opencl(&place, tune, &["-e", "counts"], "[1i64, 2i64, 3i64, 4i64, 5i64]");
        let expected = "[3i64, 4i64, 5i64]\n[3.0f32, 5.0f32, 7.0f32]\n";
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), expected), "{tune}: {}", run.stderr);
    }
}

#[test]
fn errors_in_a_file_are_reported_with_their_lines() {
    let place = place();
    let dev = |tune: &str| {
        place.write("tune", tune);
        place.norn(["dev", "--tunables", "--tune", "tune", "program.fut"])
    };
    let run = dev("# Two mistakes.\nrows.1.outer = few\n\nrows.1.outer\n");
    let expected = "error: tune:2: Expected a number or `never`, found `few`.\n\
                error: tune:4: Expected `NAME = NUMBER`, found `rows.1.outer`.\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(3), expected));
    let run = dev("rows.9.outer = 1\n*.filter.lookback.each = 100\n");
    let expected = "error: tune:1: The program has no tunable `rows.9.outer`; `norn dev --tunables` lists those that it has.\n\
                error: tune:2: `counts.1.filter.lookback.each` is from 1 to 31, and cannot be 100.\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(3), expected));
    if has_device(&place) {
        let run =
            opencl(&place, "rows.9.outer = 1\n*.filter.lookback.each = 100\n", &["-e", "rows"], "[[1i64]]");
        assert_eq!((run.code, run.stderr.as_str()), (Some(3), expected));
    }
    let run = place.norn(["dev", "--tunables", "--tune", "nothing", "program.fut"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(3), "error: `nothing` does not exist\n"));
    let run = place.norn_with_input(["run", "--backend", "cpu", "--tune", "tune", "program.fut"], "");
    assert_eq!(run.code, Some(3));
    assert!(run.stderr.contains("`--tune` is about GPUs"), "{}", run.stderr);
}

#[test]
fn programs_are_tested_and_measured_with_tunables() {
    let place = place();
    if !has_device(&place) {
        return println!("skipped: there is no OpenCL device");
    }
    place.write("tune", "*.outer = never\n");
    let run = place.norn(["test", "--backend", "opencl", "--tune", "tune", "program.fut"]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let bench =
        ["bench", "--backend", "opencl", "--runs", "3", "--warm-up", "0", "--tune", "tune", "program.fut"];
    assert_eq!(place.norn(bench).code, Some(0));
    let commands = "call rows ys xs\n";
    place.write("in", "[[1i64]]");
    let run = place.norn_with_input(
        ["server", "--backend", "opencl", "--tune", "tune", "program.fut"],
        &format!("restore in xs [][]i64\n{commands}"),
    );
    assert!(run.code == Some(0) && !run.stdout.contains("FAILURE"), "{}{}", run.stdout, run.stderr);
}
