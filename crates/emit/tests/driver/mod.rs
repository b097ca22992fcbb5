//! Compiling and running what was emitted, with the system's C compiler.

pub mod values;

use norn_ir::imp::{Prim, Prog};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// A small device, to stand behind a program.
pub const HOST: &str = include_str!("host.c");

/// The flags that the text is made for.
const FLAGS: &[&str] = &[
    "-std=gnu11",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-ffp-contract=off",
    "-w",
];

/// Kinds of machines whose code this machine runs too, as the compiler calls them.
#[cfg(target_arch = "x86_64")]
pub const MACHINES: &[&str] = &["native", "haswell", "x86-64"];
#[cfg(not(target_arch = "x86_64"))]
pub const MACHINES: &[&str] = &["native"];

/// Whether there is a C compiler; if not, it prints that the test is skipped.
pub fn has_compiler() -> bool {
    let found = Command::new("cc").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        eprintln!("There is no C compiler `cc` here: this test shows nothing.");
    }
    found
}

/// The one that is done first if it need not optimise: clang, where there is one, takes half of the time that GCC takes. If
/// everything is tested (`NORN_TEST_ALL`), it is `cc` here, too.
fn quickest_compiler() -> &'static str {
    static FOUND: OnceLock<&str> = OnceLock::new();
    let works = |name: &&str| {
        let tried = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        tried.is_ok_and(|status| status.success())
    };
    FOUND.get_or_init(|| ["clang", "clang-15", "clang-14"].into_iter().find(works).unwrap_or("cc"))
}

/// Whether programs compiled for a kind of machine run here.
pub fn runs(machine: &str) -> bool {
    #[cfg(target_arch = "x86_64")]
    if machine == "haswell" {
        return std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma");
    }
    machine == "native" || cfg!(target_arch = "x86_64")
}

/// The program, compiled for a machine and run on some input; what it writes.
pub fn run(folder: &Path, text: &str, machine: &str, optimise: &str, input: &[u8]) -> Vec<u8> {
    let (source, program) = (folder.join("program.c"), folder.join("program"));
    std::fs::write(&source, text).expect("writing the program");
    std::fs::write(folder.join("input"), input).expect("writing the input");
    let is_everything = std::env::var_os("NORN_TEST_ALL").is_some();
    let compiled = Command::new(if optimise == "-O0" && !is_everything { quickest_compiler() } else { "cc" })
        .args(FLAGS)
        .args([optimise, &format!("-march={machine}")])
        .arg("-o")
        .args([&program, &source])
        .args(["-lm", "-lpthread"])
        .output()
        .expect("running cc");
    succeed("cc", text, &compiled);
    let input = std::fs::File::open(folder.join("input")).expect("the input");
    let ran = Command::new(&program).stdin(input).output().expect("running the program");
    succeed("the program", text, &ran);
    ran.stdout
}

/// What to call a function with: three arrays that it reads, one of zeros that it writes, and a number.
pub struct Job {
    pub columns: [Vec<u8>; 3],
    /// How many bytes it writes.
    pub out: usize,
    pub count: usize,
}

/// Calls function `i` of a program for job `i`; what it writes. The functions have four parameters that are pointers to `u8` and one that is an
/// `i64`, and no results.
pub fn run_functions(prog: &Prog, jobs: &[Job], machine: &str, optimise: &str) -> Vec<Vec<u8>> {
    let violations: Vec<String> = norn_ir::imp::verify::verify(prog).iter().map(|v| v.to_string()).collect();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
    let mut input = Vec::new();
    for (i, job) in jobs.iter().enumerate() {
        let sizes = job.columns.iter().map(Vec::len).chain([job.out]);
        for number in [i, job.count].into_iter().chain(sizes) {
            input.extend((number as i64).to_le_bytes());
        }
        job.columns.iter().for_each(|column| input.extend(column));
    }
    let mut text = norn_emit::emit_c(prog) + HOST + FUNCTIONS;
    text += "static test_function test_functions[] = {";
    prog.funs.iter().for_each(|fun| text += &format!("f_{}, ", fun.name));
    text += "};\n";
    let folder = tempfile::tempdir().expect("a folder");
    let output = run(folder.path(), &text, machine, optimise, &input);
    let mut rest = &output[..];
    let outputs = jobs.iter().map(|job| {
        let (found, others) = rest.split_at(job.out);
        rest = others;
        found.to_vec()
    });
    outputs.collect()
}

const FUNCTIONS: &str = include_str!("functions.c");

/// Numbers of a type as they lie in memory.
pub fn bytes(words: impl Iterator<Item = u64>, prim: Prim) -> Vec<u8> {
    words.flat_map(|word| word.to_le_bytes()[..prim.size()].to_vec()).collect()
}

fn succeed(what: &str, text: &str, output: &Output) {
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        panic!("{what} ended with {}:\n{}\n{errors}", output.status, numbered(text));
    }
}

fn numbered(text: &str) -> String {
    let headers = text.find("static int ").or(text.find("NORN_KERNEL int")).unwrap_or(0);
    let first = text[..headers].lines().count();
    text.lines().enumerate().skip(first).map(|(i, line)| format!("{:4} {line}\n", i + 1)).collect()
}
