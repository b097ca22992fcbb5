//! The backends for GPUs. What needs a device is tried with that of OpenCL, if there is one: it may be the processor
//! (PoCL).

use crate::run::Workplace;
use std::process::Command;

const PROGRAM: &str = "\
-- ==
-- entry: scale
-- input { 2.0f32 [1.0f32, 2.0f32] } output { [2.0f32, 4.0f32] }
entry scale [n] (k: f32) (xs: [n]f32) : [n]f32 = map (* k) xs

entry look (xs: []i32) (is: []i64) : []i32 = map (\\i -> xs[i]) is

entry sums [n] (xs: [n]f32) : (f32, []f32) = (f32.sum xs, map f32.sqrt (filter (> 1) xs))
";

/// Nothing for a GPU.
const PLAIN: &str = "entry main (x: i32) (y: i32) : i32 = x + y\n";

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("program.fut", PROGRAM);
    place.write("plain.fut", PLAIN);
    place
}

/// Somewhere to work, if OpenCL has a device.
fn place_with_device() -> Option<Workplace> {
    let place = place();
    let run = place.norn_with_input(["run", "--backend", "opencl", "-v", "plain.fut"], "1 2");
    if run.code == Some(3) && run.stderr.contains("there is no OpenCL device") {
        println!("skipped: {}", run.stderr);
        return None;
    }
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "3i32\n"), "{}", run.stderr);
    assert!(run.stderr.contains("nothing for it to do"), "{}", run.stderr);
    Some(place)
}

#[test]
fn kernels_are_shown() {
    let place = place();
    for (pass, word) in [("opencl", "__kernel"), ("cuda", "__global__"), ("device", "group kernel")] {
        let run = place.norn(["dev", "--pass", pass, "program.fut"]);
        assert!(run.code == Some(0) && run.stdout.contains(word), "{pass}: {}", run.stderr);
    }
}

#[test]
fn a_missing_device_is_reported() {
    let Some(place) = place_with_device() else { return };
    let args = ["run", "--backend", "opencl", "--device", "abacus", "program.fut"];
    let run = place.norn(args);
    assert_eq!((run.code, run.stdout.as_str()), (Some(3), ""));
    assert!(run.stderr.contains("no OpenCL device is called `abacus`"), "{}", run.stderr);
    assert!(run.stderr.contains("help: `norn devices` lists"), "{}", run.stderr);
    for (device, said) in [
        ("opencl:99", "OpenCL has no device 99"),
        ("opencl:0.0/9999", "cannot be cut into these parts"),
        ("opencl:x", "needs a number behind it"),
        ("cuda:0.0/2", "CUDA uses them whole"),
        ("opencl:0,cuda:0", "only GPUs of one kind, and the processor, share the work"),
        ("opencl:0,opencl:0", "is named twice"),
        ("opencl:0,cpu,cpu", "is named twice"),
    ] {
        let run = place.norn(["run", "--device", device, "program.fut"]);
        assert!(run.code == Some(3) && run.stderr.contains(said), "{device}: {}", run.stderr);
    }
    let run = place.norn(["run", "--backend", "opencl", "--device", "cpu", "program.fut"]);
    assert!(run.code == Some(3) && run.stderr.contains("does not use the device `cpu`"), "{}", run.stderr);
}

#[test]
fn devices_are_listed_and_used_by_their_numbers() {
    let Some(place) = place_with_device() else { return };
    let run = place.norn(["devices"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for word in ["cpu ", "opencl:0 ", "copies ", " to it", " from it"] {
        assert!(run.stdout.contains(word), "{word}: {}", run.stdout);
    }
    for (device, backend, more) in [
        ("opencl:0", "opencl", None),
        ("opencl:0.0/1", "opencl", None),
        ("opencl:0,opencl:0.0/1", "opencl", None),
        ("opencl:0,opencl:0.0/1", "opencl", Some("--reproducible")),
        ("opencl:0,cpu", "opencl", None),
        ("cpu,opencl:0", "opencl", None),
        ("opencl:0,cpu", "opencl", Some("--reproducible")),
        ("cpu", "cpu", None),
    ] {
        let args = ["run", "--device", device, "-e", "sums", "-v", "program.fut"];
        let run = place.norn_with_input(args.into_iter().chain(more), "[1.0f32, 4.0f32, 9.0f32]");
        assert_eq!(
            (run.code, run.stdout.as_str()),
            (Some(0), "14.0f32\n[2.0f32, 3.0f32]\n"),
            "{}",
            run.stderr
        );
        assert!(run.stderr.contains(&format!("backend: {backend}\n")), "{}", run.stderr);
    }
}

/// Each device sorts the keys that it has computed, and asks the other for its half only when runs are merged.
#[test]
fn who_sorts_a_run_gets_only_that() {
    let Some(place) = place_with_device() else { return };
    place.write(
        "sort.fut",
        "entry main (n: i64) = (sort (tabulate n (\\i -> u32.i64 (i * 7919 % 100003))))[n / 2]\n",
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    command.args(["run", "--device", "opencl:0,opencl:0.0/1", "--profile", "sort.fut"]);
    let run = place.run(command.env("NORN_POLICY", "static"), "400000");
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "50001u32\n"), "{}", run.stderr);
    assert!(run.stderr.contains(" waits, 1.5 MiB to the GPU, 1.5 MiB from it"), "{}", run.stderr);
}

#[test]
fn programs_run_on_a_device() {
    let Some(place) = place_with_device() else { return };
    let opencl = |args: &[&str], input: &str| {
        let all = ["run", "--backend", "opencl", "program.fut"].iter().chain(args);
        place.norn_with_input(all, input)
    };
    let run = opencl(&["-e", "sums", "-v", "--profile=page.html"], "[1.0f32, 4.0f32, 9.0f32]");
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "14.0f32\n[2.0f32, 3.0f32]\n"), "{}", run.stderr);
    for line in
        ["backend: opencl\n", "GPU: ", "(OpenCL), at most ", "memory of the GPU: ", "  gpu  ", " from it\n"]
    {
        assert!(run.stderr.contains(line), "{line}: {}", run.stderr);
    }
    assert!(place.read("page.html").contains("<td>gpu</td>"));

    let (look, input) = (["-e", "look"], "[1, 2, 3] [0i64, 3i64]");
    let here = place.norn_with_input(["run", "--backend", "cpu", "program.fut"].iter().chain(&look), input);
    let there = opencl(&look, input);
    assert_eq!((there.code, &there.stderr), (Some(2), &here.stderr));
    assert!(there.stderr.contains("Index 3 is out of bounds"), "{}", there.stderr);
}

#[test]
fn programs_are_tested_and_measured_on_a_device() {
    let Some(place) = place_with_device() else { return };
    let run = place.norn(["test", "--backend", "opencl", "program.fut"]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let run = place.norn(["bench", "--backend", "opencl", "--runs", "3", "--warm-up", "0", "program.fut"]);
    assert!(run.code == Some(0) && run.stdout.starts_with("program.fut:scale (opencl)\n"), "{}", run.stdout);
}

#[test]
fn variables_of_a_server_stay_on_the_device() {
    let Some(place) = place_with_device() else { return };
    place.write("in", "[1.0f32, 2.0f32] 3.0f32");
    let commands = "restore in xs []f32 k f32\ncall scale ys k xs\ncall scale zs k ys\ntype zs\nshape zs\nindex z zs 1\n\
                    free xs\nrename zs ws\ncall sums s ws\nproject sum s 0\nstore out z sum ws\n";
    let run = place.norn_with_input(["server", "--backend", "opencl", "program.fut"], commands);
    assert!(run.code == Some(0) && !run.stdout.contains("FAILURE"), "{}{}", run.stdout, run.stderr);
    let values = norn_values::read_values(&std::fs::read(place.path("out")).unwrap()).unwrap();
    let shown: Vec<String> = values.iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["18.0f32", "27.0f32", "[9.0f32, 18.0f32]"]);
}

#[test]
fn recursion_that_exhausts_the_memory_is_reported() {
    let Some(place) = place_with_device() else { return };
    let program = "\
def down (n: i64) : i64 = if n == 0 then 0 else n % 7 + down (n - 1)
entry main (n: i64) (deep: i64) : i64 = i64.sum (map (\\i -> down (deep + i)) (iota n))
";
    place.write("deep.fut", program);
    let run = |limit: &str, input: &str| {
        let args = ["run", "--backend", "opencl", "--strict-device", "--memory-limit", limit, "deep.fut"];
        place.norn_with_input(args, input)
    };
    let fits = run("200M", "10 100000");
    assert_eq!((fits.code, fits.stdout.as_str()), (Some(0), "3000131i64\n"), "{}", fits.stderr);
    for input in ["1000 100000", "3 -1000"] {
        let run = run("200M", input);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{input}");
        let message = "The recursion of `down` is too deep for the memory of its threads. Cannot allocate";
        assert!(run.stderr.contains(message), "{input}: {}", run.stderr);
    }
}

#[test]
fn regions_and_what_was_repeated_are_profiled() {
    let Some(place) = place_with_device() else { return };
    let program = "type rec list = #nil | #cons i64 list\n\
                   def sum (l: list) : i64 = match l case #nil -> 0 case #cons x rest -> x + sum rest\n\
                   entry main (n: i64) (steps: i64) : i64 =\n  \
                   let lists = loop lists = replicate n #nil for i < steps do map2 (\\l x -> #cons (i + x) l) lists (iota n)\n  \
                   in i64.sum (map sum lists)\n";
    place.write("lists.fut", program);
    let run = |more: &[&str]| {
        let args = ["run", "--backend", "opencl", "--strict-device"].iter().chain(more).chain(&["lists.fut"]);
        place.norn_with_input(args.copied(), "1000 200")
    };
    let profiled = run(&["--profile"]);
    assert_eq!((profiled.code, profiled.stdout.as_str()), (Some(0), "119800000i64\n"), "{}", profiled.stderr);
    let lines: Vec<&str> = profiled.stderr.lines().collect();
    assert!(lines.iter().any(|line| line.starts_with("regions: 1, the largest of ")), "{}", profiled.stderr);
    assert!(lines.iter().any(|line| line.starts_with("memory was too small ")), "{}", profiled.stderr);
    let limited = run(&["--memory-limit", "2M"]);
    assert_eq!(limited.code, Some(2), "{}", limited.stderr);
    assert!(
        limited.stderr.contains("on the GPU: ") && limited.stderr.contains("lists.fut:4"),
        "{}",
        limited.stderr
    );
}
