//! Compiled programs yield what the interpreter yields, on random arguments.
//!
//! Each program has a process of its own (`norn_testkit::agree`), so that one that crashes or does not end is a bug and
//! not the end. Programs come in an order that depends on the seed, and again with other arguments, until the time is over.
//! A call that the interpreter does not do in its time is left out, and a program that takes too long in all.
//!
//! Beside the variables of `norn_testkit::fuzzing`:
//!
//! | variable | meaning |
//! |---|---|
//! | `NORN_FUZZ_FOLDER` | the programs below this folder instead of those of the repository, each once if the time is not set |
//! | `NORN_FUZZ_INPUT` | this program alone |

use libtest_mimic::{Arguments, Trial, run};
use norn::engine::Backend;
use norn::testing::collect_programs;
use norn::with_large_stack;
use norn_testkit::Verdict;
use norn_testkit::agree::{Step, examine};
use norn_testkit::corpus::files;
use norn_testkit::fuzzing::{self, goes_on, gpu, number, seed, workers};
use norn_testkit::nestfuzz::panics::be_quiet;
use norn_testkit::rng::Rng;
use norn_testkit::run::has_compiler;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

/// A program must be compiled and called in this time, in a debug build on a busy machine.
const PROGRAM_LIMIT: Duration = Duration::from_secs(120);
/// A call of compiled code that the interpreter has done must be done in this time.
const CALL_LIMIT: Duration = Duration::from_secs(30);
/// What a process may take, so that a large array does not cost the machine.
const KIBIBYTES: u32 = 8 << 20;

/// How a process says what it is at.
const COMPILING: &str = "compiling";
const INTERPRETING: &str = "interpreting ";
const RUNNING: &str = "running ";

fn main() {
    if let Some(path) = env::var_os("NORN_FUZZ_INPUT") {
        with_large_stack("agree", || rerun(Path::new(&path)));
    } else {
        let trial =
            Trial::test("compiled_programs_agree_with_the_interpreter", || fuzz().map_err(Into::into));
        run(&Arguments::from_args(), vec![trial]).exit();
    }
}

fn folder() -> PathBuf {
    fuzzing::folder("agree")
}

/// Examines one program, as it does in a process of its own.
fn rerun(path: &Path) {
    be_quiet();
    let current = env::var_os("NORN_FUZZ_CURRENT");
    let mut tell = |step: &Step| {
        if let Some(file) = &current {
            let text = match step {
                Step::Compiling => COMPILING.into(),
                Step::Interpreting(call) => format!("{INTERPRETING}{call}"),
                Step::Running(call) => format!("{RUNNING}{call}"),
            };
            fs::write(file, text).expect("faults can be kept");
        }
    };
    match examine(path, seed(), &mut tell) {
        Ok(calls) => println!("{} {}", calls.all, calls.failed),
        Err(bug) => {
            eprintln!("{bug}");
            process::exit(1);
        }
    }
}

/// The programs, in an order that depends on the seed.
fn programs(seed: u64) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = match env::var_os("NORN_FUZZ_FOLDER") {
        Some(folder) => collect_programs(&[PathBuf::from(folder)]).expect("NORN_FUZZ_FOLDER names a folder"),
        None => {
            let folders = ["tests/lang", "tests/regress", "examples"];
            folders.iter().flat_map(|folder| files(folder, "fut")).map(|file| file.path).collect()
        }
    };
    let mut rng = Rng::new(seed);
    for i in (1..all.len()).rev() {
        all.swap(i, rng.below(i + 1));
    }
    all
}

/// What has been found out so far.
#[derive(Default)]
struct Progress {
    next: usize,
    programs: usize,
    calls: usize,
    failed: usize,
    slow: Vec<String>,
    bugs: Vec<String>,
}

fn fuzz() -> Verdict {
    if !has_compiler() {
        return Ok(());
    }
    fs::create_dir_all(folder()).map_err(|e| e.to_string())?;
    let seed = seed();
    let seconds = number("NORN_FUZZ_SECONDS");
    let once = seconds.is_none() && env::var_os("NORN_FUZZ_FOLDER").is_some();
    let end = (!once).then(|| Instant::now() + Duration::from_secs(seconds.unwrap_or(5)));
    let programs = programs(seed);
    let progress = Mutex::new(Progress::default());
    thread::scope(|scope| {
        for worker in 0..workers() {
            let (programs, progress) = (&programs, &progress);
            scope.spawn(move || work(worker, programs, seed, end, progress));
        }
    });
    let Progress { programs, calls, failed, slow, bugs, .. } =
        progress.into_inner().unwrap_or_else(|e| e.into_inner());
    println!("NORN_FUZZ_SEED={seed}: {programs} programs, {calls} calls, {failed} of which fail");
    slow.iter().for_each(|path| println!("left out: {path}"));
    if bugs.is_empty() { Ok(()) } else { Err(bugs.join("\n")) }
}

/// What a thread does: the next program, until there is none or the time is over.
fn work(worker: u64, programs: &[PathBuf], seed: u64, end: Option<Instant>, progress: &Mutex<Progress>) {
    let lock = || progress.lock().unwrap_or_else(|e| e.into_inner());
    loop {
        let number = {
            let mut progress = lock();
            let stops = !progress.bugs.is_empty() && !goes_on();
            let is_over = match end {
                Some(end) => Instant::now() > end,
                None => progress.next >= programs.len(),
            };
            if stops || is_over || programs.is_empty() {
                return;
            }
            progress.next += 1;
            progress.next - 1
        };
        let path = &programs[number % programs.len()];
        let seed = seed + (number / programs.len()) as u64;
        let ended = examine_apart(worker, path, seed, end);
        let mut progress = lock();
        match ended {
            Ended::Fine { calls, failed } => {
                progress.programs += 1;
                progress.calls += calls;
                progress.failed += failed;
            }
            Ended::Slow => progress.slow.push(path.display().to_string()),
            Ended::OutOfTime => {}
            Ended::Bug(why) => {
                let path = path.display();
                let again = format!("NORN_FUZZ_INPUT={path} NORN_FUZZ_SEED={seed}");
                let bug = format!(
                    "{path}\n{why}\nrun it again:\n{again} cargo test -p norn-testkit --test agree\n"
                );
                println!("{bug}");
                progress.bugs.push(bug);
            }
        }
    }
}

enum Ended {
    Fine {
        calls: usize,
        failed: usize,
    },
    /// The interpreter is still at it, or has no more memory.
    Slow,
    /// The time for all programs is over.
    OutOfTime,
    Bug(String),
}

/// Examines a program in a process of its own.
fn examine_apart(worker: u64, path: &Path, seed: u64, end: Option<Instant>) -> Ended {
    let [current, said, complaint] =
        ["current", "said", "complaint"].map(|name| folder().join(format!("{name}-{worker}")));
    // Not pipes, which a process can fill and then wait at.
    let stream = |path: &Path| fs::File::create(path).map_or_else(|_| Stdio::null(), Stdio::from);
    let this = env::current_exe().expect("this program has a path");
    // CUDA reserves addresses for all memory that there is.
    let limit = if gpu() == Some(Backend::Cuda) { String::new() } else { format!("ulimit -v {KIBIBYTES}; ") };
    let child = Command::new("/bin/sh")
        .args(["-c", &format!("{limit}exec \"$0\"")])
        .arg(this)
        .env("NORN_FUZZ_INPUT", path)
        .env("NORN_FUZZ_SEED", seed.to_string())
        .env("NORN_FUZZ_CURRENT", &current)
        .stdout(stream(&said))
        .stderr(stream(&complaint))
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(e) => return Ended::Bug(e.to_string()),
    };
    let read = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
    let deadline = Instant::now() + PROGRAM_LIMIT;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if end.is_some_and(|end| Instant::now() > end) => {
                stop(child);
                return Ended::OutOfTime;
            }
            Ok(None) if Instant::now() < deadline => {}
            Ok(None) if !read(&current).starts_with(RUNNING) => {
                stop(child);
                return Ended::Slow;
            }
            Ok(None) if !is_older(&current, CALL_LIMIT) => {}
            Ok(None) | Err(_) => {
                stop(child);
                return Ended::Bug(format!(
                    "does not end, although the interpreter does: {}",
                    read(&current)
                ));
            }
        }
        thread::sleep(Duration::from_millis(5));
    };
    let at = read(&current);
    let (said, complaint) = (read(&said), read(&complaint));
    let mut counts = said.split_whitespace().map_while(|word| word.parse().ok());
    match (status.success(), counts.next(), counts.next()) {
        (true, Some(calls), Some(failed)) => Ended::Fine { calls, failed },
        _ if complaint.contains("memory allocation of") && !at.starts_with(RUNNING) => Ended::Slow,
        _ if status.code() == Some(1) => Ended::Bug(complaint),
        _ => Ended::Bug(format!("{complaint}{status}, {at}")),
    }
}

fn is_older(path: &Path, age: Duration) -> bool {
    let changed = fs::metadata(path).and_then(|m| m.modified());
    changed.is_ok_and(|at| at.elapsed().is_ok_and(|found| found > age))
}

fn stop(mut child: Child) {
    // One that has ended by itself cannot be stopped any more.
    let _ = child.kill();
    let _ = child.wait();
}
