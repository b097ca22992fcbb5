//! Checks that the test blocks of a program hold, in each way in which it can run.
//!
//! | check | how the program runs |
//! |---|---|
//! | `check_blocks` | interpreted, as it was lowered |
//! | `check_improved` | interpreted, after all passes |
//! | `check_compiled` | on the CPU, where there is a C compiler |
//! | `check_opencl` | with kernels, through OpenCL |
//! | `check_versions` | the same with each version of all nests forced by tunables |
//! | `check_cut` | the same in parts of seven rows, one after the other |
//! | `check_shared` | on two devices that share the work, cut at random places |
//!
//! What a machine cannot do is skipped with the reason. `NORN_TEST_ALL` runs everything; otherwise programs take turns (`turns`).

use crate::corpus::RepoFile;
use crate::turns::{Task, draw, has_turn};
use crate::{Verdict, everything};
use norn::engine::{Api, Backend, Context, ContextOptions};
use norn::testing::{Event, Subject, TestOptions, Twice, Verdict as Outcome, run_subject};
use norn::tune::TuneFile;
use norn_ir::nest::Prog;
use norn_passes::pipeline::to_unplaced_tuned;
use norn_passes::tuning::{Tuner, Tuning};
use std::ops::Range;
use std::sync::{Arc, LazyLock};

/// These programs are compiled for the CPU as they are for users, in turns, and all others as fast as can be: they are what is measured, and
/// one program for each kind of loop that the compiler makes vectors of. A compiler that optimises takes ten times as long.
const THOROUGH: &[&str] = &[
    "bench/programs/",
    "tests/lang/operators_at_scale/histograms.fut",
    "tests/lang/operators_at_scale/maps.fut",
    "tests/lang/operators_at_scale/products.fut",
    "tests/lang/operators_at_scale/rows.fut",
    "tests/lang/operators_at_scale/scans.fut",
];

/// These are, too, if everything is tested.
const MORE_THOROUGH: &[&str] = &["tests/lang/operators_at_scale/", "tests/lang/flattening/", "examples/"];

/// Whether a program is compiled as it is for users, when it has its turn.
pub(crate) fn is_thorough(file: &RepoFile) -> bool {
    let more = if everything() { MORE_THOROUGH } else { &[] };
    THOROUGH.iter().chain(more).any(|start| file.name.starts_with(start))
}

/// Whether every test in the blocks of a program passes, but those that are not interpreted.
pub fn check_blocks(file: &RepoFile, subject: &Subject) -> Verdict {
    run(file, subject, TestOptions { slow: everything(), exclude: seldom(), ..TestOptions::default() })
}

/// The same for the program after all passes that improve it.
pub fn check_improved(file: &RepoFile, subject: &Subject) -> Verdict {
    // Where a failure is reported may change: calls are gone.
    let options = TestOptions {
        slow: everything(),
        exclude: seldom(),
        improve: true,
        structure: false,
        ..TestOptions::default()
    };
    run(file, subject, options)
}

/// The same for the program as compiled code on the CPU, where there is a C compiler.
pub fn check_compiled(file: &RepoFile, subject: &Subject) -> Verdict {
    let options = TestOptions { backend: Backend::Cpu, ..device_options(file) };
    run(file, subject, options.clone())?;
    same_traces(subject, options)
}

/// The same with kernels on the device that OpenCL has, which may be the processor. Two runs yield the same bits: those with one of the
/// inputs of each entry point, or all if everything is tested.
pub fn check_opencl(file: &RepoFile, subject: &Subject) -> Verdict {
    // What is left for the host has no loops that would gain from a thorough compiler.
    let options = TestOptions { backend: Backend::OpenCl, quick: true, ..device_options(file) };
    let twice = if everything() { Twice::All } else { Twice::One };
    run(file, subject, TestOptions { twice, ..options.clone() })?;
    if !subject.is_unsupported() && subject.stages()?.has_strict_version() {
        run(file, subject, TestOptions { strict_device: true, ..options.clone() })
            .map_err(|why| format!("With nothing left to the processor:\n{why}"))?;
    }
    same_traces(subject, options)
}

/// The same with each version of all nests that have several: taken apart, with a group of threads for each element, and as they were. A
/// processor has few workers, for whom the last of these is nearly always enough.
pub fn check_versions(file: &RepoFile, subject: &Subject) -> Verdict {
    if subject.is_unsupported() {
        return Ok(());
    }
    let thresholds = thresholds(subject.stages()?.optimised());
    let options = TestOptions { backend: Backend::OpenCl, quick: true, ..device_options(file) };
    for (name, tuning, is_enabled) in [
        ("inner", Tuning::inner(), !thresholds.is_empty()),
        ("groups", Tuning::groups(), thresholds.iter().any(|name| name.ends_with(".groups"))),
        ("outer", Tuning::outer(), everything() && !thresholds.is_empty()),
    ] {
        if is_enabled {
            let tune = Some(Arc::new(TuneFile::new(name, tuning)));
            run(file, subject, TestOptions { tune, ..options.clone() })
                .map_err(|why| format!("The versions `{name}`:\n{why}"))?;
        }
    }
    Ok(())
}

/// The same with parts of seven rows, one after the other, where several devices could have a part each. With fewer rows there is one part.
pub fn check_cut(file: &RepoFile, subject: &Subject) -> Verdict {
    if subject.is_unsupported() {
        return Ok(());
    }
    let options = TestOptions { backend: Backend::OpenCl, quick: true, ..device_options(file) };
    let tune = Some(Arc::new(TuneFile::new("parts", Tuning::parts(7))));
    run(file, subject, TestOptions { tune, ..options })
}

/// Programs whose floats are rounded otherwise where they are cut otherwise: they are in rows whose lengths a kernel computes itself.
const ROUNDED: [&str; 1] = ["tests/lang/library/sparse.fut"];

/// The same with two devices that share the work, cut at random places: two halves of the device that OpenCL has, or that and the processor; both, if everything is tested.
/// Programs yield the same bits in two runs on the halves, which are cut at different places: those in `tests/lang/devices` always, others where everything is tested.
pub fn check_shared(file: &RepoFile, subject: &Subject) -> Verdict {
    if subject.is_unsupported() {
        return Ok(());
    }
    let is_on_both = everything() || file.name.starts_with("tests/lang/devices/");
    let is_rounded = ROUNDED.contains(&file.name.as_str());
    let twice = if is_on_both && !is_rounded { Twice::All } else { Twice::None };
    let tune = Some(Arc::new(TuneFile::new("runs", Tuning::runs(8))));
    let backend = Backend::OpenCl;
    let check = |context: Context, twice: Twice| {
        let tune = tune.clone();
        run(file, subject, TestOptions { backend, quick: true, context, twice, tune, ..device_options(file) })
    };
    let drawn = draw(file, 2);
    if is_on_both || drawn == 0 {
        check(two_devices(), twice)?;
    }
    if is_on_both || drawn == 1 {
        check(with_processor(), Twice::None).map_err(|why| format!("With the processor:\n{why}"))?;
    }
    Ok(())
}

fn with_processor() -> Context {
    static CONTEXT: LazyLock<Context> = LazyLock::new(|| {
        let device = |name: &str| name.parse().expect("the name of a device");
        let (gpu, others) = (Some(device("opencl:0")), vec![device("cpu")]);
        Context::new(ContextOptions { gpu, others, ..ContextOptions::default() })
    });
    CONTEXT.clone()
}

fn two_devices() -> Context {
    static CONTEXT: LazyLock<Context> = LazyLock::new(|| {
        let device = |name: &str| name.parse().expect("the name of a device");
        let (gpu, others) = (Some(device("opencl:0.0/2")), vec![device("opencl:0.1/2")]);
        Context::new(ContextOptions { gpu, others, ..ContextOptions::default() })
    });
    CONTEXT.clone()
}

/// Whether the device of OpenCL has two halves on this machine; or why not.
pub fn has_two_devices() -> Verdict {
    has_opencl()?;
    let devices = two_devices().gpu(Api::OpenCl).and_then(|_| two_devices().others(Api::OpenCl));
    devices.map(drop).map_err(|error| error.to_string())
}

/// The names of the thresholds between versions that a program has.
fn thresholds(prog: &Prog) -> Vec<String> {
    let mut tuner = Tuner::new(Tuning::groups());
    to_unplaced_tuned(&mut prog.clone(), &mut tuner);
    let tunables = tuner.finish().unwrap_or_default();
    tunables.into_iter().map(|tunable| tunable.name).collect()
}

/// Whether compiled code shows what the interpreter shows, in the same order, if the program shows something.
fn same_traces(subject: &Subject, options: TestOptions) -> Verdict {
    if !subject.prog().is_ok_and(Prog::observes) {
        return Ok(());
    }
    let shown = |options: TestOptions| {
        let mut values = String::new();
        run_subject(subject, &TestOptions { observe: true, ..options }, &mut |event| {
            if let Event::Shown(value) = event {
                values += &(value + "\n");
            }
        });
        values
    };
    let interp = TestOptions { slow: true, exclude: seldom(), structure: false, ..TestOptions::default() };
    let (expected, found) = (shown(interp), shown(options));
    if expected == found { Ok(()) } else { Err(format!("It should show\n{expected}but shows\n{found}")) }
}

/// The tag of inputs that take long on every backend, while a smaller one shows nearly as much: only if everything is tested.
fn seldom() -> Vec<String> {
    if everything() { Vec::new() } else { vec!["seldom".into()] }
}

fn device_options(file: &RepoFile) -> TestOptions {
    let thorough = is_thorough(file) && (everything() || has_turn(file, Task::Thorough));
    let (context, quick) = (context(), !thorough);
    TestOptions { slow: true, exclude: seldom(), structure: false, context, quick, ..TestOptions::default() }
}

/// All tests share the devices.
pub fn context() -> Context {
    static CONTEXT: LazyLock<Context> = LazyLock::new(Context::default);
    CONTEXT.clone()
}

/// Whether programs can be compiled on this machine.
pub fn has_compiler() -> bool {
    context().cpu(false).is_ok()
}

/// Whether kernels can be run by OpenCL on this machine; or why not.
pub fn has_opencl() -> Verdict {
    has_gpu(Backend::OpenCl)
}

/// The same for any backend that uses a GPU.
pub fn has_gpu(backend: Backend) -> Verdict {
    let api = backend.api().ok_or("it has no kernels")?;
    let devices = context().cpu(false).and_then(|_| context().gpu(api));
    devices.map(drop).map_err(|error| error.to_string())
}

fn run(file: &RepoFile, subject: &Subject, options: TestOptions) -> Verdict {
    let mut current = String::new();
    let mut failed = String::new();
    let mut wrong_numbers = Vec::new();
    // Whether all that is wrong with a test are numbers, which become right.
    let mut blessed = false;
    run_subject(subject, &options, &mut |event| match event {
        Event::Started(what) => (current, blessed) = (what, false),
        Event::Finished(Outcome::Failed(_)) if blessed => {}
        Event::Finished(Outcome::Failed(why)) => failed += &format!("{current}: {why}\n"),
        Event::Miscounted { at, right } => {
            wrong_numbers.push((at, right));
            blessed = std::env::var_os("BLESS").is_some();
        }
        Event::Finished(Outcome::Passed | Outcome::Skipped(_))
        | Event::Noted(_)
        | Event::Shown(_)
        | Event::Ended => {}
    });
    bless_numbers(file, wrong_numbers)?;
    if failed.is_empty() { Ok(()) } else { Err(failed) }
}

/// Replaces numbers in the test blocks of a program by the right ones, if `BLESS` is set.
fn bless_numbers(file: &RepoFile, mut wrong: Vec<(Range<usize>, usize)>) -> Verdict {
    if wrong.is_empty() || std::env::var_os("BLESS").is_none() {
        return Ok(());
    }
    // From the back, so that places stay where they are. Entry points may share a number.
    wrong.sort_by_key(|(at, _)| std::cmp::Reverse(at.start));
    wrong.dedup_by_key(|(at, _)| at.start);
    let mut text = file.read()?;
    wrong.into_iter().for_each(|(at, right)| text.replace_range(at, &right.to_string()));
    std::fs::write(&file.path, text).map_err(|error| format!("{}: {error}", file.name))
}
