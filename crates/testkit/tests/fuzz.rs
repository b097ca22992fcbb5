//! Damaged programs must get diagnostics, never a crash, a wrong place or a long wait.
//!
//! Worker processes take mutants of all programs in the repository through parser, checker,
//! renderer and formatter. A worker that dies or hangs has failed, by a panic as much as by an
//! overflow of its stack; the input that it was at is made smaller, kept in `target/fuzz`, and
//! the way to run it again printed.
//!
//! | variable | meaning |
//! |---|---|
//! | `NORN_FUZZ_SECONDS` | how long to go on; 5 if not set |
//! | `NORN_FUZZ_SEED` | where to begin; 1 if not set |
//! | `NORN_FUZZ_INPUT` | run this file alone |

use libtest_mimic::{Arguments, Trial, run};
use norn::{parse_bytes, with_large_stack};
use norn_base::{Diagnostics, SourceMap, json};
use norn_testkit::blocks::blocks;
use norn_testkit::corpus::files;
use norn_testkit::layout::check_layout_alone;
use norn_testkit::mutate::mutant;
use norn_testkit::program::{InMemory, check_text};
use norn_testkit::shrink::shrink;
use norn_testkit::{Verdict, root};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// A single input must be done in this time, in a debug build on a busy machine.
const INPUT_LIMIT: Duration = Duration::from_secs(10);
/// How long to spend on making a failing input smaller.
const SHRINK_LIMIT: Duration = Duration::from_secs(30);

fn main() {
    if let Some(path) = env::var_os("NORN_FUZZ_INPUT") {
        let bytes = fs::read(path).expect("NORN_FUZZ_INPUT names a file");
        with_large_stack("fuzz", || examine(&String::from_utf8_lossy(&bytes)));
    } else if let Ok(worker) = env::var("NORN_FUZZ_WORKER") {
        with_large_stack("fuzz", || work(worker.parse().expect("NORN_FUZZ_WORKER is a number")));
    } else {
        let trial = Trial::test("mutated_programs", || fuzz().map_err(Into::into));
        run(&Arguments::from_args(), vec![trial]).exit();
    }
}

/// Takes one input through the compiler; panics if anything is wrong.
fn examine(text: &str) {
    let parsed = parse_bytes("main.fut", text.into());
    examine_diagnostics(&parsed.sources, &parsed.diagnostics);
    check_layout_alone("main.fut", text).unwrap_or_else(|e| panic!("{e}"));
    let mut loader = InMemory::default();
    loader.0.insert("main.fut".into(), text.into());
    let report = check_text("main.fut", text, &mut loader);
    examine_diagnostics(&report.sources, &report.diagnostics);
    report.verify().unwrap_or_else(|e| panic!("{e}"));
    if parsed.diagnostics.has_errors() {
        assert!(report.diagnostics.has_errors(), "the checker does not pass on the syntax errors");
    }
}

/// Every place lies in its file, between characters, and can be shown.
fn examine_diagnostics(sources: &SourceMap, diagnostics: &Diagnostics) {
    norn::render_all(sources, diagnostics, norn::Paint::Ansi);
    for d in diagnostics.iter() {
        let labels = std::iter::once(&d.primary).chain(&d.secondary).map(|label| label.span);
        for span in labels.chain(d.fixes.iter().map(|fix| fix.span)) {
            let text = &sources.file(span.file).text;
            let text = text.get(span.lo as usize..span.hi as usize);
            assert!(text.is_some(), "{span:?} of {} ({}) is no place in the text", d.code.0, d.message);
        }
        assert!(!d.message.is_empty());
        json::to_json(sources, d);
    }
}

fn number(variable: &str, default: u64) -> u64 {
    env::var(variable).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

fn workers() -> u64 {
    thread::available_parallelism().map_or(2, |n| n.get() as u64)
}

fn folder() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from).join("fuzz")
}

/// The input that a worker is at.
fn current_input(worker: u64) -> PathBuf {
    folder().join(format!("current-{worker}.fut"))
}

/// All programs of the repository.
fn programs() -> Vec<String> {
    let mut all = Vec::new();
    for folder in ["tests", "lib", "examples"] {
        all.extend(files(folder, "fut").iter().filter_map(|file| file.read().ok()));
    }
    for document in files("docs", "md") {
        let text = document.read().unwrap_or_default();
        all.extend(blocks(&text).into_iter().filter(|b| b.info.starts_with("norn")).map(|b| b.text));
    }
    all
}

/// What a worker process does: every so manieth mutant, until the time is over.
fn work(worker: u64) {
    let end = Instant::now() + Duration::from_secs(number("NORN_FUZZ_SECONDS", 5));
    let first = number("NORN_FUZZ_SEED", 1) << 32;
    let programs = programs();
    let path = current_input(worker);
    let mut count = 0;
    for seed in (first + worker..).step_by(workers() as usize) {
        if Instant::now() > end {
            break;
        }
        let text = mutant(&programs, seed);
        fs::write(&path, &text).expect("target/fuzz can be written");
        examine(&text);
        count += 1;
    }
    println!("worker {worker}: {count} inputs");
}

/// Starts the workers and watches over them.
fn fuzz() -> Verdict {
    fs::create_dir_all(folder()).map_err(|e| e.to_string())?;
    let seconds = number("NORN_FUZZ_SECONDS", 5);
    let mut running: Vec<(u64, Child)> = Vec::new();
    for worker in 0..workers() {
        // One from an earlier run would look like an input that takes very long.
        let _ = fs::remove_file(current_input(worker));
        let child = this_program().env("NORN_FUZZ_WORKER", worker.to_string()).spawn();
        running.push((worker, child.map_err(|e| e.to_string())?));
    }
    let outcome = watch(&mut running, Duration::from_secs(seconds));
    for (_, child) in &mut running {
        // One that has ended by itself cannot be stopped any more.
        let _ = child.kill();
        let _ = child.wait();
    }
    let failed = match outcome {
        Ok(()) => return Ok(()),
        Err(worker) => current_input(worker),
    };
    let input = fs::read_to_string(failed).map_err(|e| e.to_string())?;
    let minimal = folder().join("minimal.fut");
    fs::write(&minimal, &input).map_err(|e| e.to_string())?;
    let smallest = shrink(input, SHRINK_LIMIT, |text| fs::write(&minimal, text).is_ok() && fails(&minimal));
    fs::write(&minimal, smallest).map_err(|e| e.to_string())?;
    let name = minimal.display();
    Err(format!("run it again:\nNORN_FUZZ_INPUT={name} cargo test -p norn-testkit --test fuzz"))
}

/// Waits for all workers to end. The error is one that died, or has been at one input for too long.
fn watch(running: &mut Vec<(u64, Child)>, planned: Duration) -> Result<(), u64> {
    let deadline = Instant::now() + planned + INPUT_LIMIT;
    while !running.is_empty() {
        let mut i = 0;
        while let Some((worker, child)) = running.get_mut(i) {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => drop(running.swap_remove(i)),
                Ok(None) if Instant::now() < deadline && !is_stuck(*worker) => i += 1,
                _ => return Err(*worker),
            }
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

fn is_stuck(worker: u64) -> bool {
    let changed = fs::metadata(current_input(worker)).and_then(|m| m.modified());
    changed.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > INPUT_LIMIT))
}

fn this_program() -> Command {
    Command::new(env::current_exe().expect("this program has a path"))
}

fn fails(path: &Path) -> bool {
    let quiet = || Stdio::null();
    let child = this_program().env("NORN_FUZZ_INPUT", path).stdout(quiet()).stderr(quiet()).spawn();
    let Ok(mut child) = child else { return false };
    let deadline = Instant::now() + INPUT_LIMIT;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return !status.success(),
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return true;
            }
        }
    }
}
