//! One program, measured on the inputs of its test blocks.

use super::event::Event;
use super::results::{DataSet, Measured};
use super::{BenchOptions, memory};
use crate::engine::{Argument, CallError, CallOptions, Engine, Kept, Options};
use crate::profile::profile;
use crate::testing::blocks::{Case, Expect, Literals, Spec, parse_blocks};
use crate::testing::case::compare_result;
use crate::testing::data::read_data;
use crate::testing::input::CaseSource;
use crate::{Paint, load_source};
use norn_base::SourceMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// How often progress is reported at most.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// Measures the program whose main file is at `path`, and reports what happens. Deeply nested programs need
/// much stack: see [`with_large_stack`](crate::with_large_stack).
pub fn bench_program(path: &Path, options: &BenchOptions, report: &mut dyn FnMut(Event)) {
    if let Err(why) = bench(path, options, report) {
        report(Event::Unfit(why));
    }
    report(Event::Ended);
}

/// The error is what the user should see.
fn bench(path: &Path, options: &BenchOptions, report: &mut dyn FnMut(Event)) -> Result<(), String> {
    let mut sources = SourceMap::default();
    let (file, _) = load_source(&mut sources, path).map_err(|e| format!("error: {e}\n"))?;
    let text = sources.file(file).text.to_string();
    let spec = parse_blocks(&text)
        .map_err(|e| format!("A test block is faulty.\n{}", e.render(&path.to_string_lossy(), &text)))?;
    let cases = chosen_cases(&spec, options);
    if cases.is_empty() {
        return Ok(());
    }
    let BenchOptions { context, strict_device, tune, .. } = options.clone();
    let compiled =
        Engine::load(path, Options { context, strict_device, tune, ..Options::from(options.backend) });
    let (engine, _) = compiled.map_err(|error| error.render(Paint::Plain))?;
    if engine.prog().observes() {
        report(Event::Noted("the program is measured without its traces".into()));
    }
    let place = CaseSource { path, text: &text };
    for (entry, case) in cases {
        report(Event::Started { entry: entry.into(), data_set: case.name.clone() });
        match bench_case(place, &engine, entry, case, options, report) {
            Ok((measured, profile)) => {
                report(Event::Finished(DataSet::Measured(measured)));
                profile.into_iter().for_each(|table| report(Event::Profiled(table)));
            }
            Err(why) => report(Event::Finished(DataSet::Failed(why))),
        }
    }
    Ok(())
}

/// The inputs that are measured, each with its entry point. How fast a program fails is nobody's question.
fn chosen_cases<'a>(spec: &'a Spec, options: &BenchOptions) -> Vec<(&'a str, &'a Case)> {
    if spec.rejection.is_some() || options.excludes(&spec.tags) {
        return Vec::new();
    }
    let mut chosen = Vec::new();
    for group in &spec.groups {
        for entry in &group.entries {
            if options.entry.as_ref().is_some_and(|only| *only != entry.text) {
                continue;
            }
            let fit =
                |case: &&Case| !options.excludes(&case.tags) && !matches!(case.expect, Expect::Failure(_));
            chosen.extend(group.cases.iter().filter(fit).map(|case| (entry.text.as_str(), case)));
        }
    }
    chosen
}

fn bench_case(
    place: CaseSource,
    engine: &Engine,
    entry: &str,
    case: &Case,
    options: &BenchOptions,
    report: &mut dyn FnMut(Event),
) -> Result<(Measured, Option<String>), String> {
    let arguments = place.case_input(engine, entry, case)?;
    let mut expected = expected_values(place, case, engine.memory_limit())?;
    let verified = expected.is_some();
    // What a GPU works on stays there from run to run.
    let on_gpu = engine.is_on_gpu(entry) && !options.with_copies;
    let kept: Vec<Option<Kept>> =
        arguments.iter().map(|item| if on_gpu { engine.keep(item) } else { None }).collect();
    // Inputs that stay count; those of the case before are gone now.
    reset_peak(engine);
    let held: Vec<Argument> = arguments
        .iter()
        .zip(&kept)
        .map(|(item, kept)| kept.as_ref().map_or(Argument::Item(item), Argument::Kept))
        .collect();
    let mut reported = Instant::now();
    let run = || -> Result<Duration, String> {
        let expected = expected.take();
        if expected.is_none() && !options.with_copies {
            return engine.time_call(entry, &held).map_err(|error| error.rendered);
        }
        let arguments: Vec<Argument> = arguments.iter().map(Argument::Item).collect();
        let begin = Instant::now();
        let called = engine.invoke_item(entry, &arguments, &CallOptions::default());
        let time = begin.elapsed();
        let called = called.map_err(|error| engine.run_error(error).rendered)?;
        if let Some(expected) = expected {
            compare_result(engine, &expected, called.value, options.tolerance)?;
        }
        Ok(if options.with_copies { time } else { called.time })
    };
    let runtimes = options.plan.measure(run, |share| {
        if reported.elapsed() >= PROGRESS_INTERVAL {
            reported = Instant::now();
            report(Event::Progress(share));
        }
    })?;
    let measured = Measured { runtimes, peak_bytes: peak_bytes(engine), verified };
    let profile = match options.profile {
        true => profiled(engine, entry, &held).map_err(|error| engine.run_error(error).rendered)?,
        false => None,
    };
    Ok((measured, profile))
}

/// Where the time goes, if there are kernels.
fn profiled(engine: &Engine, entry: &str, held: &[Argument]) -> Result<Option<String>, CallError> {
    let Some(exec) = engine.exec() else { return Ok(None) };
    exec.set_profiling(true);
    let called = engine.invoke(entry, held, &CallOptions::default());
    exec.set_profiling(false);
    let called = called?;
    Ok(profile(engine, called.time, called.traffic).map(|profile| profile.table()))
}

/// What the result is compared with, where something is there: a file that is made by another tool may be
/// missing, and a program can be measured all the same.
fn expected_values(place: CaseSource, case: &Case, limit: usize) -> Result<Option<Literals>, String> {
    match &case.expect {
        Expect::Values(values) => Ok(Some(values.clone())),
        Expect::File(name) if place.folder().join(name).exists() => {
            read_data(place.folder(), name, limit).map(Some).map_err(|why| why + "\n")
        }
        Expect::File(_) | Expect::Auto | Expect::Success | Expect::Failure(_) => Ok(None),
    }
}

/// A device counts what the program uses, a GPU with its inputs; otherwise it is the process that is looked at.
fn reset_peak(engine: &Engine) {
    match engine.exec().map(|exec| (exec.gpu(), exec.cpu())) {
        Some((Some(gpu), _)) => gpu.reset_memory_peak(),
        Some((None, cpu)) => cpu.memory().reset_peak(),
        None => memory::reset_peak(),
    }
}

fn peak_bytes(engine: &Engine) -> Option<u64> {
    match engine.exec().map(|exec| (exec.gpu(), exec.cpu())) {
        Some((Some(gpu), _)) => Some(gpu.memory_peak()),
        Some((None, cpu)) => Some(cpu.memory().peak()),
        None => memory::peak_bytes(),
    }
}
