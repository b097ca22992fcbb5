//! `norn build`: C libraries, compiled and used as their users do. tests/library has programs, and for each a C program that uses its library (`NAME.c`), or a Python
//! program that uses its module (`NAME.py`), and what that prints (`NAME.out`, `NAME.py.out`).
//!
//! Nearly all of the time is that of C compilers. So sanitizers look on without optimisation, where they see most; optimised, and watched by sanitizers on a GPU, is one program
//! in each run, by the number of commits; with `NORN_TEST_ALL`, all are.

use crate::nulls::calls_with_null;
use crate::run::Workplace;
use std::fs::{read_dir, read_to_string, write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the text of a program relies on (see `norn_emit`).
const FLAGS: [&str; 5] =
    ["-fwrapv", "-fno-strict-aliasing", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"];
const WARNINGS: [&str; 3] = ["-Wall", "-Wextra", "-Werror"];
/// Memory that is lost, used too late or too far, and what C leaves undefined.
const SANITIZERS: [&str; 3] = ["-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/library")
}

/// The programs in tests/library that have a file with this ending.
fn programs(ending: &str) -> Vec<String> {
    let files = read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|found| found == ending));
    let mut names: Vec<String> =
        files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_string()).collect();
    names.sort();
    assert!(!names.is_empty());
    names
}

fn text(file: &str) -> String {
    read_to_string(folder().join(file)).unwrap()
}

/// Whether that is what the file says; with `BLESS` the file says so.
fn check_output(found: &str, file: &str, context: &str) {
    if std::env::var_os("BLESS").is_some() {
        write(folder().join(file), found).unwrap();
    }
    assert_eq!(found, text(file), "{file}: {context}");
}

fn place() -> Workplace {
    place_for("shapes", "cpu")
}

/// With the library of a program for a backend.
fn place_for(program: &str, backend: &str) -> Workplace {
    let place = Workplace::new();
    let file = format!("{program}.fut");
    place.write(&file, text(&file));
    place.write("main.c", text(&format!("{program}.c")));
    let built = place.norn(["build", "--backend", backend, &file]);
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    place.write("nulls.c", calls_with_null(program, &place.read(&format!("{program}.h"))));
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

/// Whether the program with this number has its turn.
fn has_turn(number: usize, programs: usize) -> bool {
    let output = Command::new("git").args(["rev-list", "--count", "HEAD"]).output();
    let count = output.map(|out| String::from_utf8_lossy(&out.stdout).into_owned()).unwrap_or_default();
    let count: usize = count.trim().parse().unwrap_or(0);
    std::env::var_os("NORN_TEST_ALL").is_some() || count % programs == number
}

/// `norn build` with a C compiler that optimises nothing: of several options for that, the last one counts.
fn build_quickly<const N: usize>(place: &Workplace, args: [&str; N]) -> crate::run::Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    command.arg("build").args(args);
    #[cfg(unix)]
    if is_there("cc") {
        use std::os::unix::fs::PermissionsExt;
        place.write("quick-cc", "#!/bin/sh\nexec cc \"$@\" -O0\n");
        std::fs::set_permissions(place.path("quick-cc"), PermissionsExt::from_mode(0o755)).unwrap();
        // It is not to be remembered as the one that compiled last.
        command.env("CC", place.path("quick-cc")).env("NORN_CACHE", place.path("cache"));
    }
    place.run(&mut command, "")
}

/// With all that sanitizers look for, as users compile it, and by another compiler.
#[test]
fn a_library_does_what_it_should() {
    let programs = programs("c");
    for (number, program) in programs.iter().enumerate() {
        let place = place_for(program, "cpu");
        // What compilers say of a program depends on how they optimise it.
        let optimised = has_turn(number, programs.len()).then_some(("gcc", &["-O3"][..]));
        for (compiler, more) in [("gcc", &SANITIZERS[..]), ("clang", &["-O0"])].into_iter().chain(optimised) {
            if !is_there(compiler) {
                continue;
            }
            let code = format!("{program}.c");
            let mut args = vec![code.as_str(), "main.c", "nulls.c", "-o", "main", "-lm", "-lpthread"];
            args.extend(FLAGS.iter().chain(more));
            compile(&place, compiler, &args);
            let run = place.run(&mut Command::new(place.path("main")), "");
            assert_eq!(run.code, Some(0), "{program}: {}{}", run.stdout, run.stderr);
            check_output(&run.stdout, &format!("{program}.out"), compiler);
        }
    }
}

/// The same programs, with their arrays in the memory of a device. Drivers are loaded, so that libraries are made without them.
fn test_on_device(backend: &str, device: &str) {
    let programs = programs("c");
    let can_run = has_device(&Workplace::new(), device);
    for (number, program) in programs.iter().enumerate() {
        let place = place_for(program, backend);
        // Without sanitizers, clang takes a tenth of the time that gcc takes with them.
        let is_watched = can_run && has_turn(number, programs.len());
        let compiler = if !is_watched && is_there("clang") { "clang" } else { "gcc" };
        if !is_there(compiler) {
            return;
        }
        let code = format!("{program}.c");
        let files = [code.as_str(), "main.c", "nulls.c", "-o", "main", "-lm", "-lpthread", "-ldl"];
        let more = if is_watched { &SANITIZERS[..] } else { &["-O0"] };
        compile(&place, compiler, &[&files[..], &FLAGS, more].concat());
        if !can_run {
            continue;
        }
        // What a driver loses is none of our business.
        let mut command = Command::new(place.path("main"));
        let run = place.run(command.env("ASAN_OPTIONS", "detect_leaks=0:protect_shadow_gap=0"), "");
        assert_eq!(run.code, Some(0), "{program}, {backend}: {}{}", run.stdout, run.stderr);
        check_output(&run.stdout, &format!("{program}.out"), backend);
    }
}

#[test]
fn a_library_for_opencl_does_what_it_should() {
    test_on_device("opencl", "opencl:0");
}

#[test]
fn a_library_for_cuda_does_what_it_should() {
    test_on_device("cuda", "cuda:0");
}

#[test]
fn a_library_is_used_from_cpp() {
    for backend in ["cpu", "opencl", "cuda"] {
        let place = place_for("shapes", backend);
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
    let place = place_for("shapes", "opencl");
    let args = ["--backend", "opencl", "--executable", "-o", "shapes", "shapes.fut"];
    let built = build_quickly(&place, args);
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

/// Thresholds are set when a library runs, unless a file sets them when it is made. What kernels are made for, only a file can set.
#[test]
fn a_library_for_a_gpu_has_tunables() {
    let place = place_for("tuned", "opencl");
    let params = |entry: &str| {
        let manifest: serde_json::Value = serde_json::from_str(&place.read("tuned.json")).unwrap();
        let params = manifest["entry_points"][entry]["tuning_params"].as_array().unwrap().clone();
        params.into_iter().map(|name| name.as_str().unwrap().to_string()).collect::<Vec<_>>()
    };
    let (usual, code) = (params("rows"), place.read("tuned.c"));
    assert!(usual.contains(&"rows.1.outer".to_string()), "{usual:?}");
    assert_eq!((params("hash"), params("plain")), (vec!["hash.1.processor".to_string()], vec![]));
    let build = |tune: &str, backend: &str| {
        place.write("set.tune", tune);
        let args = ["build", "--backend", backend, "--tune", "set.tune", "tuned.fut"];
        let run = place.norn(args);
        (run.code, run.stderr)
    };
    assert_eq!(
        build("rows.1.outer = 1000\n*.filter.lookback.each = 3\n", "opencl"),
        (Some(0), String::new())
    );
    let set: Vec<String> = usual.iter().filter(|name| *name != "rows.1.outer").cloned().collect();
    assert_eq!(params("rows"), set);
    assert_ne!(place.read("tuned.c"), code);
    let (exit, message) = build("rows.9.outer = 1\n", "opencl");
    assert_eq!((exit, message.contains("has no tunable `rows.9.outer`")), (Some(3), true), "{message}");
    assert_eq!(build("*.outer = 0\n", "cpu").0, Some(3));
}

/// The programs in examples/embed.
#[test]
fn programs_in_c_and_cpp_use_a_library() {
    let place = Workplace::new();
    place.write("dot.fut", include_str!("../../../../examples/embed/dot.fut"));
    place.write("main.c", include_str!("../../../../examples/embed/main.c"));
    place.write("main.cpp", include_str!("../../../../examples/embed/main.cpp"));
    assert_eq!(place.norn(["build", "dot.fut"]).code, Some(0));
    for (c, other, main) in [("gcc", "gcc", "main.c"), ("gcc", "g++", "main.cpp")] {
        if !is_there(c) || !is_there(other) {
            continue;
        }
        compile(&place, c, &[&FLAGS[..], &["-c", "dot.c"]].concat());
        compile(&place, other, &[main, "dot.o", "-o", "main", "-fsanitize=address", "-lm", "-lpthread"]);
        let run = place.run(&mut Command::new(place.path("main")), "");
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), "32\n"), "{main}: {}", run.stderr);
    }
}

/// Where there is no GPU, that is an error of the first call that needs one, for who has not asked before.
#[test]
fn a_program_without_its_gpu_is_told_so() {
    let place = Workplace::new();
    if place.norn(["devices"]).stdout.contains("cuda:0") || !is_there("gcc") {
        return;
    }
    place.write("dot.fut", include_str!("../../../../examples/embed/dot.fut"));
    place.write("main.c", include_str!("../../../../examples/embed/main.c"));
    assert_eq!(place.norn(["build", "--backend", "cuda", "dot.fut"]).code, Some(0));
    let files = ["main.c", "dot.c", "-O0", "-o", "main", "-lm", "-lpthread", "-ldl"];
    compile(&place, "gcc", &[&files[..], &FLAGS].concat());
    let run = place.run(&mut Command::new(place.path("main")), "");
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stdout.contains("CUDA"), "{}", run.stdout);
}

#[test]
fn a_file_that_somebody_has_written_is_not_overwritten() {
    const WRITTEN: &str = "int main(void) { return 0; }\n";
    let place = Workplace::new();
    place.write("dot.fut", include_str!("../../../../examples/embed/dot.fut"));
    place.write("dot.c", WRITTEN);
    let built = place.norn(["build", "dot.fut"]);
    assert_eq!(built.code, Some(3), "{}", built.stderr);
    assert!(built.stderr.contains("`dot.c` is there already"), "{}", built.stderr);
    assert_eq!((place.read("dot.c").as_str(), place.path("dot.h").exists()), (WRITTEN, false));
    for _ in 0..2 {
        assert_eq!(place.norn(["build", "-o", "made", "dot.fut"]).code, Some(0));
    }
}

/// What futhark-ffi makes of libraries, where it is installed: it reads the declarations of headers, without what the preprocessor would make of them.
#[test]
fn bindings_that_others_made_use_a_library() {
    const BUILD: &str = "import sys; from futhark_ffi.build import build; ffi = build('dot', 'dot'); 'multicore' in open('dot.json').read() and ffi.compile()";
    const USE: &str = "import _dot, numpy; from futhark_ffi import Futhark; xs = numpy.array([1, 2, 3], numpy.float32); print(Futhark(_dot).dot(xs, xs))";
    let place = Workplace::new();
    place.write("dot.fut", include_str!("../../../../examples/embed/dot.fut"));
    let python = |text: &str| {
        let mut command = Command::new("python3");
        let run = place.run(command.args(["-c", text]).env("CFLAGS", "-O0"), "");
        (run.code, run.stdout, run.stderr)
    };
    if python("import futhark_ffi, cffi, setuptools").0 != Some(0) {
        eprintln!("note: there is no futhark-ffi here");
        return;
    }
    for backend in ["cuda", "opencl", "cpu"] {
        assert_eq!(place.norn(["build", "--backend", backend, "dot.fut"]).code, Some(0));
        let (code, _, stderr) = python(BUILD);
        assert_eq!(code, Some(0), "{backend}: {stderr}");
    }
    assert_eq!(python(USE), (Some(0), "14.0\n".to_string(), String::new()));
}

/// A static library is one file, and needs neither a C compiler nor its flags any more.
#[test]
fn a_static_library_is_linked_into_programs() {
    let place = Workplace::new();
    place.write("dot.fut", include_str!("../../../../examples/embed/dot.fut"));
    place.write("main.c", include_str!("../../../../examples/embed/main.c"));
    for backend in ["cpu", "opencl", "cuda"] {
        let built = build_quickly(&place, ["--backend", backend, "--static", "dot.fut"]);
        if built.stderr.contains("no C compiler") || !is_there("gcc") || !is_there("ar") {
            return;
        }
        assert_eq!(built.code, Some(0), "{}", built.stderr);
        assert!(place.path("dot.h").exists() && place.path("dot.json").exists());
        assert!(!place.path("dot.c").exists());
        compile(&place, "gcc", &["main.c", "libdot.a", "-o", "main", "-lm", "-lpthread", "-ldl"]);
        // It can be part of a shared library, too.
        let whole =
            ["-shared", "-o", "libboth.so", "-Wl,--whole-archive", "libdot.a", "-Wl,--no-whole-archive"];
        compile(&place, "gcc", &whole);
        if backend != "cpu" && !has_device(&place, &format!("{backend}:0")) {
            continue;
        }
        let run = place.run(&mut Command::new(place.path("main")), "");
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), "32\n"), "{backend}");
    }
    let run = place.norn(["build", "--static", "--shared", "dot.fut"]);
    assert_eq!(run.code, Some(3), "{}", run.stderr);
}

/// An executable reads and writes values as `norn run` does.
#[test]
fn an_executable_needs_nothing_of_norn() {
    let place = place();
    let built = build_quickly(&place, ["--executable", "-o", "shapes", "shapes.fut"]);
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
    place
        .write("deep.fut", "entry first (xs: [][][][][][][][][]i32) : i32 = xs[0][0][0][0][0][0][0][0][0]\n");
    place.write("faulty.fut", "entry main = 1 + true\n");
    place.write("functions.fut", "entry apply (f: i32 -> i32) (x: i32) : i32 = f x\n");
    let built = place.norn(["build", "deep.fut"]);
    assert_eq!(built.code, Some(1));
    let message = "error: The entry point `first` cannot be part of a library: \
                   values of the type [][][][][][][][][]i32 have arrays of 9 dimensions.\n";
    assert_eq!(built.stderr, message);
    assert_eq!(place.norn(["build", "faulty.fut"]).code, Some(1));
    assert_eq!(place.norn(["build", "missing.fut"]).code, Some(3));
    assert!(!place.path("deep.c").exists());
    let built = place.norn(["build", "functions.fut"]);
    assert_eq!(built.code, Some(1));
    assert!(
        built.stderr.contains("The entry point `apply` takes or returns a function."),
        "{}",
        built.stderr
    );
    assert!(built.stderr.contains("functions.fut:1:7"), "{}", built.stderr);
}

/// A Python module needs NumPy, and nothing of Norn.
#[test]
fn a_python_module_does_what_it_should() {
    for program in programs("py") {
        let place = Workplace::new();
        let file = format!("{program}.fut");
        place.write(&file, text(&file));
        place.write("main.py", text(&format!("{program}.py")));
        let numpy = place.run(Command::new("python3").args(["-c", "import numpy"]), "");
        if numpy.code != Some(0) {
            println!("skipped: there is no NumPy");
            return;
        }
        let built = build_quickly(&place, ["--python", &file]);
        if built.stderr.contains("no C compiler") {
            return;
        }
        assert_eq!(built.code, Some(0), "{}", built.stderr);
        let run = place.run(Command::new("python3").arg("main.py"), "");
        assert_eq!(run.code, Some(0), "{program}: {}{}", run.stdout, run.stderr);
        check_output(&run.stdout, &format!("{program}.py.out"), "");
    }
}
