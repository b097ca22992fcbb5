//! The properties that every program has, before and after every pass.
//!
//! The interpreter runs the program as it was made, on several inputs; what comes out is what everything is compared with. Then a program has to
//! obey the rules of nest, its text has to read back as the same program, and it has to yield the same: after each pass alone, after all of them in
//! their order, after the passes for a device with and without those before, and as compiled code. Passes are tried alone because the pipeline hides
//! bugs: what one pass makes wrong another often removes. What fails is a `Bug` with the name of the first step that went wrong, which is where to look.
//!
//! Two failures are the same outcome, as any of several checks may be the one that is reported; a failure and a value are not. Compilers take longer than all else, so few
//! programs are compiled, unless the search is about a GPU. Programs with large inputs (`Sizes::Rows`) are compared only at the end of each list of
//! passes. While a program is made smaller, only the culprit is asked (`examine_nest_again`).

use super::inputs::{Inputs, Sizes, random_inputs};
use super::outcome::{Outcome, compiled_outcomes, difference, far_difference, outcomes, outcomes_cut};
use super::panics::caught;
use crate::fixed::Fixed;
use crate::fuzzing::{gpu, is_about_gpu};
use crate::program::{InMemory, check_text};
use crate::rng::Rng;
use crate::run::has_compiler;
use norn::engine::Backend;
use norn::pipeline::{PASSES, compile_until};
use norn_interp::{Cuts, Value};
use norn_ir::nest::Prog;
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::parse::parse;
use norn_ir::nest::print::print;
use norn_ir::nest::verify::{Stage, verify};
use norn_passes::pipeline::{
    AMONG_PASSES, CUT_PASSES, DEVICE_PASSES, FISSION_PASSES, FLAT_PASSES, NEST_PASSES, NestPass,
    device_passes_apart, optimise_nest,
};
use norn_passes::tuning::Tuning;
use std::time::{Duration, Instant};

/// What is wrong, and what made it wrong.
#[derive(Debug, PartialEq)]
pub struct Bug {
    /// A pass, or another part of the compiler: what to look at.
    pub culprit: String,
    pub message: String,
}

fn bug<T>(culprit: impl Into<String>, message: impl Into<String>) -> Result<T, Bug> {
    Err(Bug { culprit: culprit.into(), message: message.into() })
}

/// How often a program is run.
const RUNS: usize = 5;
const RUNS_OF_ROWS: usize = 3;
/// A program for rows that takes the interpreter longer is left out.
const LONG: Duration = Duration::from_secs(4);

/// One in so many programs is compiled for the processor, and one for a GPU where there is such; all are if one was asked for.
const COMPILED: u64 = 8;
/// Of those, for one in so many the C compiler does what it does for users, which takes many times as long.
const THOROUGH: u64 = 4;
/// All programs are compiled if this variable is set.
const COMPILE_ALL: &str = "NORN_FUZZ_COMPILE";

/// Takes a complete program through its text and through the passes. The inputs depend on the seed only.
pub fn examine_nest(prog: &Prog, drawn: Inputs) -> Result<(), Bug> {
    examine_for(prog, drawn, None)
}

/// What a program is asked while it is made smaller: only what shows whether this culprit still is one. The other passes are asked last.
pub fn examine_nest_again(prog: &Prog, drawn: Inputs, culprit: &str) -> Result<(), Bug> {
    examine_for(prog, drawn, Some(culprit))
}

fn examine_for(prog: &Prog, drawn: Inputs, only: Option<&str>) -> Result<(), Bug> {
    let wants = |culprit: &str| only.is_none_or(|only| only.contains(culprit));
    check_valid(prog, Stage::Complete, "generator")?;
    let mut prog = prog.clone();
    let whole = prog.clone();
    normalise(&mut prog);
    check_text_of(&prog, "printer or parser")?;
    let Some(inputs) = inputs(&prog, drawn) else { return Ok(()) };
    if drawn.sizes == Sizes::Rows {
        return examine_rows(&prog, &whole, &inputs, drawn.seed, &wants);
    }
    let seed = drawn.seed;
    let before = run(&prog, &inputs, "generator")?;
    for pass in NEST_PASSES.iter().filter(|pass| only.is_none_or(|only| only.ends_with(pass.name))) {
        let mut alone = prog.clone();
        apply(pass, &mut alone, Stage::Complete, pass.name)?;
        compare(&before, &alone, &inputs, pass.name)?;
    }
    let mut all = prog.clone();
    let after = "after the passes before it";
    for pass in NEST_PASSES.iter().filter(|_| wants(after)) {
        let culprit = format!("{} {after}", pass.name);
        apply(pass, &mut all, Stage::Complete, &culprit)?;
        if wants(&culprit) {
            compare(&before, &all, &inputs, &culprit)?;
        }
    }
    let mut optimised = prog.clone();
    if let Err(said) = caught(|| optimise_nest(&mut optimised)) {
        return bug("the pipeline", said);
    }
    check_valid(&optimised, Stage::Complete, "the pipeline")?;
    if wants("the pipeline") {
        compare(&before, &optimised, &inputs, "the pipeline")?;
    }
    let lists = [FLAT_PASSES.iter().collect(), DEVICE_PASSES.iter().collect(), device_passes_apart()];
    for ((flat, after), passes) in [(&prog, "alone"), (&optimised, "after the pipeline")]
        .into_iter()
        .filter(|(_, after)| wants(after))
        .flat_map(|start| lists.iter().map(move |list| (start, list)))
    {
        let mut flat = flat.clone();
        for pass in passes {
            let culprit = format!("{} {after}", pass.name);
            apply(pass, &mut flat, Stage::Scheduled, &culprit)?;
            let broken: String =
                norn_ir::nest::grids::verify::verify(&flat).iter().map(|v| format!("{v}\n")).collect();
            if !broken.is_empty() {
                return bug(culprit, format!("breaks the rules of flat:\n{broken}"));
            }
            if wants(&culprit) {
                compare(&before, &flat, &inputs, &culprit)?;
            }
        }
        if passes.last().is_some_and(|pass| pass.name == "place") && wants(&format!("fission {after}")) {
            compare_parts(&before, &whole, &flat, &inputs, seed, after)?;
        }
    }
    // Compilers of C and of kernels take longer than all else, so not every program is compiled.
    let all = std::env::var_os(COMPILE_ALL).is_some();
    if (all || seed.is_multiple_of(COMPILED)) && wants(Backend::Cpu.name()) && has_compiler() {
        compare_compiled(&before, &whole, &inputs, Backend::Cpu, seed)?;
    }
    if (all || is_about_gpu() || seed % COMPILED == 1)
        && let Some(backend) = gpu().filter(|backend| wants(backend.name()))
    {
        compare_compiled(&before, &whole, &inputs, backend, seed)?;
    }
    Ok(())
}

/// What is made for a device of the optimised program, in all and as compiled code: on large inputs the interpreter takes too
/// long to be asked after each pass.
fn examine_rows(
    prog: &Prog,
    whole: &Prog,
    inputs: &[Vec<Value>],
    seed: u64,
    wants: &dyn Fn(&str) -> bool,
) -> Result<(), Bug> {
    let start = Instant::now();
    let before = run(prog, inputs, "generator")?;
    if start.elapsed() > LONG {
        return Ok(());
    }
    let mut optimised = prog.clone();
    if let Err(said) = caught(|| optimise_nest(&mut optimised)) {
        return bug("the pipeline", said);
    }
    check_valid(&optimised, Stage::Complete, "the pipeline")?;
    if wants("the pipeline") {
        compare(&before, &optimised, inputs, "the pipeline")?;
    }
    for passes in [DEVICE_PASSES.iter().collect(), device_passes_apart()] {
        let mut flat = optimised.clone();
        for pass in &passes {
            apply(pass, &mut flat, Stage::Scheduled, pass.name)?;
        }
        let names: Vec<&str> = passes.iter().map(|pass| pass.name).collect();
        if wants(&names.join(", ")) {
            compare(&before, &flat, inputs, &names.join(", "))?;
        }
    }
    let for_cpu = wants(Backend::Cpu.name()) && (!is_about_gpu() || seed.is_multiple_of(COMPILED));
    if for_cpu && has_compiler() {
        compare_compiled(&before, whole, inputs, Backend::Cpu, seed)?;
    }
    if let Some(backend) = gpu().filter(|backend| wants(backend.name())) {
        compare_compiled(&before, whole, inputs, backend, seed)?;
    }
    Ok(())
}

/// A placed program does the same when its tasks are done in parts: by the interpreter, which cuts them at random, and one after the other.
fn compare_parts(
    before: &[Outcome],
    whole: &Prog,
    placed: &Prog,
    inputs: &[Vec<Value>],
    seed: u64,
    after: &str,
) -> Result<(), Bug> {
    let mut split = placed.clone();
    let culprit = format!("fission {after}");
    for pass in FISSION_PASSES {
        apply(pass, &mut split, Stage::Scheduled, &culprit)?;
    }
    for pass in [None, CUT_PASSES.first(), AMONG_PASSES.first()] {
        let mut done = split.clone();
        if let Some(pass) = pass {
            apply(pass, &mut done, Stage::Scheduled, &culprit)?;
        }
        let cuts = if pass.is_some() { Cuts::Whole } else { Cuts::Random(seed) };
        let mut found = outcomes_cut(&done, 0, inputs, cuts);
        if far_difference(before, &found).is_some() {
            settle(whole, before, &mut found, inputs);
            if let Some(message) = far_difference(before, &found) {
                return bug(culprit.clone(), message);
            }
        }
    }
    Ok(())
}

/// Compiled code does the same.
fn compare_compiled(
    before: &[Outcome],
    prog: &Prog,
    inputs: &[Vec<Value>],
    backend: Backend,
    seed: u64,
) -> Result<(), Bug> {
    let name = backend.name();
    let thorough = (seed / COMPILED).is_multiple_of(THOROUGH);
    let tuning = backend.api().and_then(|_| tuning(seed / COMPILED));
    match compiled_outcomes(prog, 0, inputs, backend, thorough, tuning) {
        Err(said) if said.contains("cannot be compiled yet") => Ok(()),
        Err(said) => bug(format!("compiling for {name}"), said),
        Ok(after) if far_difference(before, &after).is_none() => Ok(()),
        Ok(mut after) => {
            settle(prog, before, &mut after, inputs);
            far_difference(before, &after)
                .map_or(Ok(()), |message| bug(format!("compiled code for {name}"), message))
        }
    }
}

/// What the language does not fix is as it was before.
fn settle(prog: &Prog, before: &[Outcome], after: &mut [Outcome], inputs: &[Vec<Value>]) {
    for ((a, b), args) in before.iter().zip(after).zip(inputs) {
        match (a, &mut *b) {
            (Outcome::Values(expected), Outcome::Values(found)) => {
                let fixed = Fixed::of(prog, 0, args, Some(expected));
                *found = fixed.settle(expected, found).unwrap_or_else(|| expected.clone());
            }
            (Outcome::Values(expected), Outcome::Failed(_)) => {
                if Fixed::of(prog, 0, args, Some(expected)) == Fixed::Nothing {
                    *b = Outcome::Values(expected.clone());
                }
            }
            (Outcome::Failed(said), Outcome::Values(_)) => {
                if Fixed::of(prog, 0, args, None) == Fixed::Nothing {
                    *b = Outcome::Failed(said.clone());
                }
            }
            (Outcome::Values(_) | Outcome::Failed(_) | Outcome::Broken(_), _) => {}
        }
    }
}

/// Tunables for a GPU: none, those that force one version of all nests, or any.
fn tuning(seed: u64) -> Option<Tuning> {
    match seed % 6 {
        0 => None,
        5 => Some(Tuning::parts(1 + (seed / 6 % 9) as i64)),
        1 => Some(Tuning::inner()),
        2 => Some(Tuning::groups()),
        3 => Some(Tuning::outer()),
        _ => {
            let mut rng = Rng::new(seed);
            let mut text = String::new();
            for (name, most) in [
                ("outer", 100),
                ("groups", 100),
                ("processor", 5000),
                ("map.several.each", 16),
                ("reduce.elements.each", 64),
                ("filter.lookback.each", 31),
                ("hist.atomic.passes", 8),
                ("hist.decks.decks", 64),
            ] {
                text += &format!("*.{name} = {}\n", 1 + rng.below(most));
            }
            // A sum of what four or more leave is less than they were.
            text += &format!("*.scan.* = 1\n*.hist.sort.each = {}\n", 4 + rng.below(60));
            Some(Tuning::parse(&text).expect("tunables in the form of a file"))
        }
    }
}

/// What became of a source program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Examined {
    /// The checker refuses it, or lowering says that it is not supported.
    Refused,
    Fine,
}

/// Checks, lowers and runs a source program and others that mean the same.
pub fn examine_source(text: &str, rewritten: &[String], drawn: Inputs) -> Result<Examined, Bug> {
    examine_source_for(text, rewritten, drawn, None)
}

/// As `examine_nest_again`.
pub fn examine_source_again(
    text: &str,
    rewritten: &[String],
    drawn: Inputs,
    culprit: &str,
) -> Result<Examined, Bug> {
    examine_source_for(text, rewritten, drawn, Some(culprit))
}

fn examine_source_for(
    text: &str,
    rewritten: &[String],
    drawn: Inputs,
    only: Option<&str>,
) -> Result<Examined, Bug> {
    let Some(prog) = lowered(text)? else { return Ok(Examined::Refused) };
    if drawn.sizes == Sizes::Rows {
        return examine_for(&prog, drawn, only).map(|()| Examined::Fine);
    }
    let Some(inputs) = inputs(&prog, drawn) else { return Ok(Examined::Refused) };
    let before = run(&prog, &inputs, "lowering")?;
    for other in rewritten {
        if let Some(other) = lowered(other)? {
            compare(&before, &other, &inputs, "lowering of a rewriting")?;
        }
    }
    examine_for(&prog, drawn, only)?;
    Ok(Examined::Fine)
}

/// The program in nest, with regions. None if it is refused.
pub fn lowered(text: &str) -> Result<Option<Prog>, Bug> {
    let checked = caught(|| check_text("main.fut", text, &mut InMemory::default()));
    let report = match checked {
        Ok(report) => report,
        Err(said) => return bug("checker", said),
    };
    if report.diagnostics.has_errors() {
        return Ok(None);
    }
    let mut last = None;
    for pass in PASSES {
        let prog = match caught(|| compile_until(&report.program, pass)) {
            Err(said) => return bug(pass.name, said),
            Ok(Err(said)) if said.iter().all(|d| d.code == norn_base::codes::NOT_SUPPORTED) => {
                return Ok(None);
            }
            Ok(Err(said)) => {
                return bug(pass.name, norn::render_all(&report.sources, &said, norn::Paint::Plain));
            }
            Ok(Ok(prog)) => prog,
        };
        let stage = if ["lower", "differentiate"].contains(&pass.name) {
            Stage::BeforeRegions
        } else {
            Stage::Complete
        };
        check_valid(&prog, stage, pass.name)?;
        check_text_of(&prog, &format!("printer or parser after {}", pass.name))?;
        last = Some(prog);
    }
    Ok(last)
}

/// Several arguments for the first entry point.
pub fn inputs(prog: &Prog, drawn: Inputs) -> Option<Vec<Vec<Value>>> {
    let mut rng = Rng::new(drawn.seed);
    let runs = match drawn.sizes {
        Sizes::Small => RUNS,
        Sizes::Rows => RUNS_OF_ROWS,
    };
    (0..runs).map(|_| random_inputs(prog, 0, drawn.sizes, &mut rng)).collect()
}

fn check_valid(prog: &Prog, stage: Stage, culprit: &str) -> Result<(), Bug> {
    let violations = match caught(|| verify(prog, stage)) {
        Ok(violations) => violations,
        Err(said) => return bug("verifier", said),
    };
    let broken: String = violations.iter().map(|violation| format!("{violation}\n")).collect();
    if broken.is_empty() { Ok(()) } else { bug(culprit, format!("breaks the rules of nest:\n{broken}")) }
}

fn check_text_of(prog: &Prog, culprit: &str) -> Result<(), Bug> {
    let read = caught(|| {
        let text = print(prog);
        parse(&text)
    });
    match read {
        Err(said) => bug(culprit, said),
        Ok(Err(error)) => bug(culprit, format!("the text does not parse: {error}")),
        Ok(Ok(back)) if back != *prog => bug(culprit, "the text reads back as another program"),
        Ok(Ok(_)) => Ok(()),
    }
}

/// The outcomes of a program that nothing is wrong with.
fn run(prog: &Prog, inputs: &[Vec<Value>], culprit: &str) -> Result<Vec<Outcome>, Bug> {
    let all = outcomes(prog, 0, inputs);
    let broken = all.iter().find_map(|outcome| match outcome {
        Outcome::Broken(said) => Some(said.clone()),
        Outcome::Values(_) | Outcome::Failed(_) => None,
    });
    broken.map_or(Ok(all), |said| bug(culprit, said))
}

fn apply(pass: &NestPass, prog: &mut Prog, stage: Stage, culprit: &str) -> Result<(), Bug> {
    if let Err(said) = caught(|| (pass.run)(prog)) {
        return bug(culprit, said);
    }
    check_valid(prog, stage, culprit)?;
    let mut numbered = prog.clone();
    normalise(&mut numbered);
    check_text_of(&numbered, &format!("printer or parser after {culprit}"))
}

fn compare(before: &[Outcome], prog: &Prog, inputs: &[Vec<Value>], culprit: &str) -> Result<(), Bug> {
    let after = outcomes(prog, 0, inputs);
    difference(before, &after).map_or(Ok(()), |message| bug(culprit, message))
}
