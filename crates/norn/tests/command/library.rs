//! `norn build`: C libraries, compiled and used as their users do. tests/library has a program, a C program that uses all kinds of functions of
//! its library, and what that prints.

use crate::run::Workplace;
use std::process::Command;

/// What the text of a program relies on (see `norn_emit`).
const FLAGS: [&str; 5] =
    ["-fwrapv", "-fno-strict-aliasing", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"];
const WARNINGS: [&str; 3] = ["-Wall", "-Wextra", "-Werror"];

fn place() -> Workplace {
    place_for("cpu")
}

/// With the library for a backend.
fn place_for(backend: &str) -> Workplace {
    let place = Workplace::new();
    place.write("shapes.fut", include_str!("../../../../tests/library/shapes.fut"));
    place.write("main.c", include_str!("../../../../tests/library/shapes.c"));
    let built = place.norn(["build", "--backend", backend, "shapes.fut"]);
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    place
}

fn has_device(place: &Workplace, name: &str) -> bool {
    let has = place.norn(["devices"]).stdout.contains(name);
    if !has {
        println!("skipped: there is no device {name}");
    }
    has
}

/// Whether there is such a program.
fn is_there(program: &str) -> bool {
    let is = Command::new(program).arg("--version").output().is_ok_and(|out| out.status.success());
    if !is {
        println!("skipped: there is no {program}");
    }
    is
}

fn compile(place: &Workplace, compiler: &str, args: &[&str]) {
    let run = place.run(Command::new(compiler).args(WARNINGS).args(args), "");
    assert_eq!(run.code, Some(0), "{compiler} {args:?}\n{}{}", run.stdout, run.stderr);
}

/// With all that sanitizers look for: memory that is lost, used too late or too far, and what C leaves undefined.
#[test]
fn a_library_does_what_it_should() {
    let place = place();
    for (compiler, more) in [
        ("gcc", &["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"][..]),
        ("clang", &["-O0"]),
    ] {
        if !is_there(compiler) {
            continue;
        }
        let mut args = vec!["shapes.c", "main.c", "-o", "main", "-lm", "-lpthread"];
        args.extend(FLAGS.iter().chain(more));
        compile(&place, compiler, &args);
        let run = place.run(&mut Command::new(place.path("main")), "");
        assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
        assert_eq!(run.stdout, include_str!("../../../../tests/library/shapes.out"));
    }
}

/// The same program, with its arrays in the memory of a device. Drivers are loaded, so that libraries are made without them.
#[test]
fn a_library_for_a_gpu_does_what_it_should() {
    for (backend, device) in [("opencl", "opencl:0"), ("cuda", "cuda:0")] {
        let place = place_for(backend);
        if !is_there("gcc") {
            return;
        }
        // What a driver loses is none of our business.
        let sanitize = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
        let files = ["shapes.c", "main.c", "-o", "main", "-lm", "-lpthread", "-ldl"];
        compile(&place, "gcc", &[&files[..], &FLAGS, &sanitize].concat());
        if !has_device(&place, device) {
            continue;
        }
        let mut command = Command::new(place.path("main"));
        let run = place.run(command.env("ASAN_OPTIONS", "detect_leaks=0:protect_shadow_gap=0"), "");
        assert_eq!(run.code, Some(0), "{backend}: {}{}", run.stdout, run.stderr);
        assert_eq!(run.stdout, include_str!("../../../../tests/library/shapes.out"), "{backend}");
    }
}

#[test]
fn a_library_is_used_from_cpp() {
    for backend in ["cpu", "opencl", "cuda"] {
        let place = place_for(backend);
        let text = "#include \"shapes.h\"\nint main() { return futhark_get_tuning_param_count(); }\n";
        place.write("main.cpp", text);
        for compiler in ["g++", "clang++"].into_iter().filter(|compiler| is_there(compiler)) {
            compile(&place, compiler, &["-fsyntax-only", "main.cpp"]);
        }
    }
}

/// An executable for a GPU that is not there reports that.
#[test]
fn an_executable_for_a_gpu_chooses_its_device() {
    let place = place_for("opencl");
    let built = place.norn(["build", "--backend", "opencl", "--executable", "-o", "shapes", "shapes.fut"]);
    if built.stderr.contains("no C compiler") || !has_device(&place, "opencl:0") {
        return;
    }
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    let run = |args: &[&str]| {
        let mut command = Command::new(place.path("shapes"));
        let run = place.run(command.args(["-e", "dot"]).args(args), "[1f32, 2, 3.5] [1, 2, 3]");
        (run.code, run.stdout, run.stderr)
    };
    assert_eq!(run(&["-d", "#0"]), (Some(0), "15.5f32\n".into(), String::new()));
    let missing = "error: OpenCL has no device that is called so.\n";
    assert_eq!(run(&["-d", "abacus"]), (Some(3), String::new(), missing.into()));
}

#[test]
fn the_manifest_describes_the_interface() {
    let place = place();
    let manifest: serde_json::Value = serde_json::from_str(&place.read("shapes.json")).unwrap();
    let header = place.read("shapes.h");
    let dot = &manifest["entry_points"]["dot"];
    assert_eq!((&dot["cfun"], &dot["output"]["type"]), (&"futhark_entry_dot".into(), &"f32".into()));
    assert_eq!(dot["doc"], "The inner product.");
    assert_eq!(manifest["entry_points"]["clear"]["inputs"][0]["unique"], true);
    assert_eq!(manifest["types"]["[]point"]["record_array"]["zip"], "futhark_zip_opaque_arr1d_point");
    // Whatever it names is there.
    fn names(value: &serde_json::Value, out: &mut Vec<String>) {
        match value {
            serde_json::Value::String(text) if text.starts_with("futhark_") => out.push(text.clone()),
            serde_json::Value::Array(values) => values.iter().for_each(|value| names(value, out)),
            serde_json::Value::Object(fields) => fields.values().for_each(|value| names(value, out)),
            _ => {}
        }
    }
    let mut named = Vec::new();
    names(&manifest, &mut named);
    assert!(named.len() > 40);
    for name in named {
        assert!(header.contains(&format!("{name}(")), "{name} is not in the header");
    }
}

/// The programs in examples/embed.
#[test]
fn programs_in_c_and_cpp_use_a_library() {
    let place = Workplace::new();
    place.write("dot.fut", include_str!("../../../../examples/embed/dot.fut"));
    place.write("main.c", include_str!("../../../../examples/embed/dot.c"));
    place.write("main.cpp", include_str!("../../../../examples/embed/dot.cpp"));
    assert_eq!(place.norn(["build", "dot.fut"]).code, Some(0));
    for (c, other, main) in [("gcc", "gcc", "main.c"), ("gcc", "g++", "main.cpp")] {
        if !is_there(c) || !is_there(other) {
            continue;
        }
        compile(&place, c, &[&FLAGS[..], &["-c", "dot.c"]].concat());
        compile(&place, other, &[main, "dot.o", "-o", "main", "-lm", "-lpthread"]);
        let run = place.run(&mut Command::new(place.path("main")), "");
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), "32\n"), "{main}");
    }
}

/// An executable reads and writes values as `norn run` does.
#[test]
fn an_executable_needs_nothing_of_norn() {
    let place = place();
    let built = place.norn(["build", "--executable", "-o", "shapes", "shapes.fut"]);
    if built.stderr.contains("no C compiler") {
        return;
    }
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    let run = |args: &[&str], input: &str| {
        let mut command = Command::new(place.path("shapes"));
        let run = place.run(command.args(args).env_clear(), input);
        (run.code, run.stdout, run.stderr)
    };
    for (entry, input, output) in [
        ("dot", "[1f32, 2, 3.5] [1, 2, 3] -- a comment", "15.5f32\n"),
        ("matmul", "[[1, 2], [3, 4.5e0]] [[1f64, 0], [0, 1]]", "[[1.0f64, 2.0f64], [3.0f64, 4.5f64]]\n"),
        ("stats", "[1f32, -f32.inf, f32.nan]", "f32.nan\n[1.0f32, -f32.inf, f32.nan]\n"),
        ("evens", "empty([0]i64)", "empty([0]i64)\n"),
        ("flip", "true 0xff -1.5f16", "false\n0u8\n-3.0f16\n"),
        ("depth", "100_000", "100000i64\n"),
    ] {
        assert_eq!(run(&["-e", entry], input), (Some(0), output.into(), String::new()), "{entry}");
    }
    let failed = "error: Index 7 is out of bounds for a dimension of length 3.\n --> shapes.fut:9:46\n";
    assert_eq!(run(&["-e", "pick"], "[1, 2, 3] 7"), (Some(2), String::new(), failed.into()));
    for (args, input) in
        [(&["-e", "nothing"][..], ""), (&["-e", "dot"], "[1] 2"), (&["-e", "dot"], "[1]"), (&["-x"], "")]
    {
        assert_eq!(run(args, input).0, Some(3), "{args:?} {input}");
    }
}

#[test]
fn what_has_no_place_in_a_library_is_refused() {
    let place = Workplace::new();
    let text = "type rec list = #nil | #cons i32 list\nentry first (l: list) : i32 = match l case #nil -> 0 case #cons x _ -> x\n";
    place.write("lists.fut", text);
    place.write("faulty.fut", "entry main = 1 + true\n");
    let built = place.norn(["build", "lists.fut"]);
    assert_eq!(built.code, Some(1));
    let message = "error: The entry point `first` cannot be part of a library: \
                   values of the type list hold values of a recursive type.\n";
    assert_eq!(built.stderr, message);
    assert_eq!(place.norn(["build", "faulty.fut"]).code, Some(1));
    assert_eq!(place.norn(["build", "missing.fut"]).code, Some(3));
    assert!(!place.path("lists.c").exists());
}

/// A Python module needs NumPy, and nothing of Norn.
#[test]
fn a_python_module_does_what_it_should() {
    let place = place();
    place.write("main.py", include_str!("../../../../tests/library/shapes.py"));
    let numpy = place.run(Command::new("python3").args(["-c", "import numpy"]), "");
    if numpy.code != Some(0) {
        println!("skipped: there is no NumPy");
        return;
    }
    let built = place.norn(["build", "--python", "shapes.fut"]);
    if built.stderr.contains("no C compiler") {
        return;
    }
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    let run = place.run(Command::new("python3").arg("main.py"), "");
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let expected = include_str!("../../../../tests/library/shapes.py.out");
    assert_eq!(run.stdout, expected);
}
