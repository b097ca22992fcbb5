//! Random programs must mean the same before and after every step of the middle end.
//!
//! Worker processes make programs (`norn_testkit::nestfuzz`) and examine them. A worker that finds a
//! bug makes the program smaller, keeps it with what is wrong at its head, and says how to
//! run it again. A worker that dies or hangs has failed too: then the seed and the scale of the program are what there is.
//!
//! Beside the variables of `norn_testkit::fuzzing`:
//!
//! | variable | meaning |
//! |---|---|
//! | `NORN_FUZZ_KIND` | only programs of this kind: `nest`, `fut`, `rows`, which are compiled, with large inputs, `uneven`, whose rows change their lengths, `carried`, whose loops on the host carry what reductions compute, `indexed`, written with indices, `recursive`, whose maps call functions that call themselves, `trees`, whose maps make and use values of recursive types, or `closures`, whose maps make, hand on and apply functions |
//! | `NORN_FUZZ_COMPILE` | compile every program, not one in eight, for the processor and for a GPU |
//! | `NORN_FUZZ_COVERAGE` | print the nest programs, and at the end which operators they use and how they end |
//! | `NORN_FUZZ_INPUT` | run this file alone |
//! | `NORN_FUZZ_REDUCE` | with `NORN_FUZZ_INPUT`: make the program smaller for so many seconds, a source program as nest |
//! | `NORN_FUZZ_PROGRAM` | print the program with this seed, scale and kind, such as `4294967296,3,fut`, and examine it alone |

mod supervise;

use libtest_mimic::{Arguments, Trial, run};
use norn::with_large_stack;
use norn_ir::nest::Prog;
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::parse::parse;
use norn_ir::nest::print::{Places, print_with};
use norn_testkit::fuzzing::{self, goes_on, number, seed, workers};
use norn_testkit::nestfuzz::coverage::Coverage;
use norn_testkit::nestfuzz::examine::{
    Bug, Examined, examine_nest, examine_nest_again, examine_source, examine_source_again, lowered,
};
use norn_testkit::nestfuzz::generate::nest_program;
use norn_testkit::nestfuzz::inputs::Inputs;
use norn_testkit::nestfuzz::panics::{be_quiet, caught};
use norn_testkit::nestfuzz::reduce::reduced;
use norn_testkit::nestfuzz::source::{
    SourceProgram, carried_program, closures_program, indexed_program, recursive_program, rows_program,
    source_program, trees_program, uneven_program,
};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs, process};
use supervise::fuzz;

/// A single program must be done in this time, in a debug build on a busy machine, with all that compilers of C and of kernels do.
const PROGRAM_LIMIT: Duration = Duration::from_secs(180);
/// How long to spend on making a program smaller.
const REDUCE_LIMIT: Duration = Duration::from_secs(15);

fn main() {
    if let Some(path) = env::var_os("NORN_FUZZ_INPUT") {
        with_large_stack("nestfuzz", || rerun(Path::new(&path)));
    } else if let Ok(program) = env::var("NORN_FUZZ_PROGRAM") {
        with_large_stack("nestfuzz", || one_program(&program));
    } else if let Ok(worker) = env::var("NORN_FUZZ_WORKER") {
        let worker = worker.parse().expect("NORN_FUZZ_WORKER is a number");
        with_large_stack("nestfuzz", || Worker::new(worker).work());
    } else {
        let trial = Trial::test("programs_keep_their_meaning", || fuzz().map_err(Into::into));
        run(&Arguments::from_args(), vec![trial]).exit();
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Nest,
    Source,
    Rows,
    Uneven,
    Carried,
    Indexed,
    Recursive,
    Trees,
    Closures,
}

const KINDS: [Kind; 9] = [
    Kind::Nest,
    Kind::Source,
    Kind::Rows,
    Kind::Uneven,
    Kind::Carried,
    Kind::Indexed,
    Kind::Recursive,
    Kind::Trees,
    Kind::Closures,
];

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Nest => "nest",
            Kind::Source => "fut",
            Kind::Rows => "rows",
            Kind::Uneven => "uneven",
            Kind::Carried => "carried",
            Kind::Indexed => "indexed",
            Kind::Recursive => "recursive",
            Kind::Trees => "trees",
            Kind::Closures => "closures",
        }
    }

    fn of(name: &str) -> Option<Kind> {
        KINDS.into_iter().find(|kind| kind.name() == name)
    }

    /// How the names of its files end, and how comments begin.
    fn language(self) -> (&'static str, &'static str) {
        match self {
            Kind::Nest => ("nest", "//"),
            Kind::Source
            | Kind::Rows
            | Kind::Uneven
            | Kind::Carried
            | Kind::Indexed
            | Kind::Recursive
            | Kind::Trees
            | Kind::Closures => ("fut", "--"),
        }
    }

    /// The program of a seed, of this kind if it is a source program.
    fn source(self, seed: u64, scale: u32) -> Option<SourceProgram> {
        match self {
            Kind::Nest => None,
            Kind::Source => Some(source_program(seed, scale)),
            Kind::Rows => Some(rows_program(seed, scale)),
            Kind::Uneven => Some(uneven_program(seed, scale)),
            Kind::Carried => Some(carried_program(seed, scale)),
            Kind::Indexed => Some(indexed_program(seed, scale)),
            Kind::Recursive => Some(recursive_program(seed, scale)),
            Kind::Trees => Some(trees_program(seed, scale)),
            Kind::Closures => Some(closures_program(seed, scale)),
        }
    }

    fn inputs(self, seed: u64) -> Inputs {
        match self {
            Kind::Nest | Kind::Source | Kind::Recursive | Kind::Trees | Kind::Closures => Inputs::small(seed),
            // Large ones only show whether compiled code is right, small ones what each pass does.
            Kind::Uneven | Kind::Carried | Kind::Indexed if !seed.is_multiple_of(2) => Inputs::small(seed),
            Kind::Rows | Kind::Uneven | Kind::Carried | Kind::Indexed => Inputs::rows(seed),
        }
    }
}

fn folder() -> PathBuf {
    fuzzing::folder("nestfuzz")
}

/// Returns which program a worker is at.
fn current(worker: u64) -> PathBuf {
    folder().join(format!("current-{worker}"))
}

/// Lists what a worker has found, if it goes on after that.
fn bugs(worker: u64) -> PathBuf {
    folder().join(format!("faults-{worker}"))
}

struct Worker {
    number: u64,
    end: Instant,
    /// How many programs of each of `KINDS` there were, and how long they took.
    done: [(u64, Duration); KINDS.len()],
    refused: u64,
    known: BTreeSet<String>,
    coverage: Option<Coverage>,
}

impl Worker {
    fn new(number_of: u64) -> Worker {
        let end = Instant::now() + Duration::from_secs(number("NORN_FUZZ_SECONDS").unwrap_or(5));
        let coverage = env::var_os("NORN_FUZZ_COVERAGE").map(|_| Coverage::default());
        Worker {
            number: number_of,
            end,
            done: [(0, Duration::ZERO); KINDS.len()],
            refused: 0,
            known: BTreeSet::new(),
            coverage,
        }
    }

    /// Every so manieth program, as much time for each kind, until the time is over.
    fn work(mut self) {
        be_quiet();
        let only = env::var("NORN_FUZZ_KIND").ok();
        let only = only.map(|name| Kind::of(&name).expect("NORN_FUZZ_KIND is a kind"));
        // A worker that takes the place of another does not do the same again.
        let first = (seed() << 32) + (number("NORN_FUZZ_LIFE").unwrap_or(0) << 24);
        while Instant::now() < self.end {
            let least = (0..KINDS.len()).min_by_key(|kind| self.done[*kind].1).unwrap_or(0);
            let at = only.map_or(least, |kind| kind as usize);
            let (kind, done) = (KINDS[at], self.done[at].0);
            let seed = first + self.number + done * workers();
            // Small programs come first, large ones later.
            let scale = (done / 4).min(5 + seed % 40) as u32;
            fs::write(current(self.number), format!("{seed},{scale},{}", kind.name()))
                .expect("faults can be kept");
            let start = Instant::now();
            self.try_kind(kind, seed, scale);
            self.done[at] = (done + 1, self.done[at].1 + start.elapsed());
        }
        let counts = KINDS.iter().zip(&self.done).filter(|(_, (count, _))| *count > 0);
        let counts = counts.map(|(kind, (count, time))| format!("{count} {} in {time:.1?}", kind.name()));
        let counts: Vec<String> = counts.collect();
        println!("worker {}: {}, {} of them refused", self.number, counts.join(", "), self.refused);
        if let Some(coverage) = &self.coverage {
            println!("{coverage}");
        }
    }

    fn try_kind(&mut self, kind: Kind, seed: u64, scale: u32) {
        match kind.source(seed, scale) {
            None => self.try_nest(seed, scale),
            Some(program) => self.try_source(kind, program, seed),
        }
    }

    fn try_nest(&mut self, seed: u64, scale: u32) {
        let prog = match caught(|| nest_program(seed, scale)) {
            Ok(prog) => prog,
            Err(said) => {
                let found = Bug { culprit: "generator".into(), message: said };
                return self.report(Kind::Nest, seed, &found, &[format!("// seed {seed}, scale {scale}")]);
            }
        };
        if let Some(coverage) = &mut self.coverage {
            println!("{}", print_with(&prog, Places::Hidden));
            coverage.add(&prog, seed);
        }
        let Err(found) = examine_nest(&prog, Inputs::small(seed)) else { return };
        if !self.is_new(&found) {
            return;
        }
        let mut small = reduced(prog, REDUCE_LIMIT, |prog| {
            is_same(examine_nest_again(prog, Inputs::small(seed), &found.culprit).err(), &found)
        });
        normalise(&mut small);
        let now = examine_nest(&small, Inputs::small(seed)).err().unwrap_or(found);
        self.report(Kind::Nest, seed, &now, &[print_with(&small, Places::Hidden)]);
    }

    fn try_source(&mut self, kind: Kind, program: SourceProgram, seed: u64) {
        let inputs = kind.inputs(seed);
        let found = match examine_source(&program.text(), &program.rewritten(), inputs) {
            Ok(Examined::Fine) => return,
            Ok(Examined::Refused) => {
                self.refused += 1;
                return;
            }
            Err(found) => found,
        };
        if !self.is_new(&found) {
            return;
        }
        let ways = program.rewritten().len();
        let rewritten = found.culprit.contains("rewriting");
        let texts = |program: &SourceProgram| {
            if rewritten { program.rewritten() } else { Vec::new() }
        };
        let small = program.reduced(REDUCE_LIMIT, |program| {
            let now = examine_source_again(&program.text(), &texts(program), inputs, &found.culprit);
            is_same(now.err(), &found)
        });
        let all = texts(&small);
        let now = examine_source(&small.text(), &all, inputs).err().unwrap_or(found);
        // The first of the other ways that differs is enough.
        let differs = |text: &&String| examine_source(&small.text(), &[(*text).clone()], inputs).is_err();
        let other = all.iter().take(ways).find(differs);
        let texts: Vec<String> = std::iter::once(small.text()).chain(other.cloned()).collect();
        self.report(kind, seed, &now, &texts);
    }

    fn is_new(&mut self, found: &Bug) -> bool {
        self.known.insert(summary(found))
    }

    /// Keeps the program, and ends the worker unless all bugs are to be listed.
    fn report(&mut self, kind: Kind, seed: u64, found: &Bug, texts: &[String]) {
        let (_, comment) = kind.language();
        let Bug { culprit, message } = found;
        let said = format!("inputs {seed} of {}\nculprit: {culprit}\n{message}", kind.name());
        let head: String = said.lines().take(30).map(|line| format!("{comment} {line}\n")).collect();
        let mut path = folder();
        for (i, text) in texts.iter().enumerate() {
            let other = if i > 0 { "-rewritten" } else { "" };
            path = folder().join(format!("fault-{seed}{other}.{}", kind.language().0));
            fs::write(&path, format!("{head}\n{text}")).expect("faults can be kept");
        }
        let path = path.display().to_string().replace("-rewritten", "");
        println!("\n{culprit}: {message}\n\n{}", texts.join("\n"));
        println!("run it again:\nNORN_FUZZ_INPUT={path} cargo test -p norn-testkit --test nestfuzz\n");
        if !goes_on() {
            process::exit(1);
        }
        list_bug(self.number, &format!("{path}: {}", summary(found)));
    }
}

/// Adds a line to what a worker, or the one whose place it took, has found.
fn list_bug(worker: u64, line: &str) {
    let file = fs::OpenOptions::new().create(true).append(true).open(bugs(worker));
    file.and_then(|mut file| writeln!(file, "{line}")).expect("faults can be kept");
}

/// What distinguishes bugs: the culprit, and what is said before anything particular to the program.
fn summary(found: &Bug) -> String {
    let message: String = found.message.chars().filter(|c| !c.is_ascii_digit()).take(60).collect();
    format!("{}: {}", found.culprit, message.split('`').next().unwrap_or_default())
}

fn is_same(now: Option<Bug>, found: &Bug) -> bool {
    now.is_some_and(|now| {
        summary(&now) == summary(found)
            || now.culprit == found.culprit && is_difference(&now) && is_difference(found)
    })
}

fn is_difference(bug: &Bug) -> bool {
    bug.message.starts_with("before: ")
}

/// Prints and examines the program that a worker failed at.
fn one_program(program: &str) {
    let parts: Vec<&str> = program.split(',').collect();
    let [seed, scale, kind] = parts[..] else { panic!("NORN_FUZZ_PROGRAM is a seed, a scale and a kind") };
    let seed = seed.parse().expect("a seed is a number");
    let scale = scale.parse().expect("a scale is a number");
    be_quiet();
    let mut worker = Worker::new(0);
    let kind = Kind::of(kind).expect("this is a kind");
    match kind.source(seed, scale) {
        None => println!("{}", print_with(&nest_program(seed, scale), Places::Hidden)),
        Some(program) => println!("{}", program.text()),
    }
    worker.try_kind(kind, seed, scale);
}

/// Examines a program that was kept.
fn rerun(path: &Path) {
    let text = fs::read_to_string(path).expect("NORN_FUZZ_INPUT names a file");
    let first = text.lines().find_map(|line| line.split_once("inputs "));
    let mut words = first.map_or("", |(_, words)| words).split_whitespace();
    let seed = words.next().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let inputs = words.last().and_then(Kind::of).unwrap_or(Kind::Source).inputs(seed);
    be_quiet();
    let (outcome, prog) = if path.extension().is_some_and(|extension| extension == "fut") {
        let other = path.to_string_lossy().replace(".fut", "-rewritten.fut");
        let other: Vec<String> = fs::read_to_string(other).into_iter().collect();
        (
            examine_source(&text, &other, inputs).map(|examined| format!("{examined:?}")),
            lowered(&text).ok().flatten(),
        )
    } else {
        let mut prog = parse(&text).unwrap_or_else(|error| panic!("{error}"));
        normalise(&mut prog);
        (examine_nest(&prog, inputs).map(|()| "Fine".into()), Some(prog))
    };
    match outcome {
        Ok(said) => println!("{said}"),
        Err(Bug { culprit, message }) => {
            println!("{culprit}: {message}");
            if let Some(prog) = prog {
                reduce_again(prog, inputs);
            }
            process::exit(1);
        }
    }
}

/// Makes a program that was kept smaller, if that is asked for.
fn reduce_again(prog: Prog, inputs: Inputs) {
    let seconds = number("NORN_FUZZ_REDUCE").unwrap_or(0);
    let Some(found) = (seconds > 0).then(|| examine_nest(&prog, inputs).err()).flatten() else { return };
    let limit = Duration::from_secs(seconds);
    let mut small =
        reduced(prog, limit, |prog| is_same(examine_nest_again(prog, inputs, &found.culprit).err(), &found));
    normalise(&mut small);
    println!("{}", print_with(&small, Places::Hidden));
    if let Some(Bug { culprit, message }) = examine_nest(&small, inputs).err() {
        println!("{culprit}: {message}");
    }
}
