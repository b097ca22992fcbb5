//! The passes of the compiler, in their order.
//!
//! The list reads as the pipeline. `norn dev --pass P` shows what the program is after the pass `P`.

use norn_base::{Diagnostic, Diagnostics, SourceMap, codes};
use norn_check::shipped_file;
use norn_check::typed::Program;
use norn_ir::imp;
use norn_ir::nest::Prog;
use norn_ir::nest::print::{NOWHERE, Places, print_with};
use norn_ir::nest::verify::{Stage, expect_valid};
use norn_passes::cut::processor::{self, GpuOnly};
use norn_passes::pipeline::{
    CUT_PASSES, DEVICE_PASSES, FISSION_PASSES, FLAT_PASSES, IMP_PASSES, NEST_ORDER, NEST_PASSES, NestPass,
    cut_placed, improve_imp, optimise_nest, place_unplaced, run_tuned, to_flat, to_unplaced_tuned,
};
use norn_passes::place::survey::{self, Side, Surveyed, Why};
use norn_passes::tuning::Tuner;
use std::collections::HashSet;

/// A step of the pipeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pass {
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
}

/// What every program goes through.
pub const PASSES: &[Pass] = &[
    LOWER,
    DIFFERENTIATE,
    Pass { name: "regions", about: "values of recursive types have regions, and regions have lifetimes" },
];

pub const LOWER: Pass = Pass {
    name: "lower",
    about: "the typed program as nest: modules, polymorphism, records and sums are gone",
};
pub const DIFFERENTIATE: Pass =
    Pass { name: "differentiate", about: "functions that are derivatives of others have bodies" };

/// What makes compiled code of a flat program: memory first, text last, and between them what improves it.
const IMP: Pass = Pass { name: "imp", about: "arrays become memory, operators become loops and kernels" };
const C: Pass = Pass { name: "c", about: "the program as C" };
/// The same for a device with groups of threads.
const DEVICE: Pass = Pass { name: "device", about: "as `imp`, for a device and its host" };
const OPENCL: Pass = Pass { name: "opencl", about: "the kernels of a device in OpenCL C" };
const CUDA: Pass = Pass { name: "cuda", about: "the kernels of a device in CUDA C++" };

/// All passes there are: those that every program goes through, those that improve it, and those that prepare
/// it for a device. The interpreter runs the program as it is before it is improved.
pub fn passes() -> impl Iterator<Item = Pass> {
    let improving = NEST_PASSES.iter().chain(FLAT_PASSES).chain(DEVICE_PASSES);
    let improving = improving.chain(FISSION_PASSES).chain(CUT_PASSES);
    let improving = improving.map(|pass| Pass { name: pass.name, about: pass.about });
    PASSES.iter().copied().chain(improving).chain(imp_passes())
}

fn imp_passes() -> impl Iterator<Item = Pass> {
    let improving = IMP_PASSES.iter().map(|pass| Pass { name: pass.name, about: pass.about });
    std::iter::once(IMP).chain(improving).chain([C, DEVICE, OPENCL, CUDA])
}

pub fn pass(name: &str) -> Option<Pass> {
    passes().find(|pass| pass.name == name)
}

/// Takes a program without errors through the passes that it needs to be run. The diagnostics say what is
/// not supported.
pub fn compile(program: &Program) -> Result<Prog, Diagnostics> {
    compile_observed(program, &mut |_, _| {})
}

/// The same. `observe` gets the program after each pass, with the name of the pass.
pub fn compile_observed(
    program: &Program,
    observe: &mut dyn FnMut(&str, &Prog),
) -> Result<Prog, Diagnostics> {
    let (mut prog, derivatives) = norn_lower::lower(program)?;
    // A function that is to be a derivative has no body yet.
    if derivatives.asked.is_empty() {
        verify(&prog, Stage::BeforeRegions, LOWER.name);
        observe(LOWER.name, &prog);
    }
    norn_differentiate::differentiate(&mut prog, derivatives)?;
    verify(&prog, Stage::BeforeRegions, DIFFERENTIATE.name);
    observe(DIFFERENTIATE.name, &prog);
    norn_lower::infer_regions(&mut prog);
    verify(&prog, Stage::Complete, "regions");
    observe("regions", &prog);
    Ok(prog)
}

/// The program after a pass, as text.
pub fn show_after(program: &Program, pass: &Pass, tuner: &mut Tuner) -> Result<String, Diagnostics> {
    if !imp_passes().any(|imp| imp == *pass) {
        return compile_until_tuned(program, pass, tuner).map(|prog| print_with(&prog, Places::Hidden));
    }
    let mut prog = compile(program)?;
    optimise_nest(&mut prog);
    let is_for_device = IMP_PASSES.iter().any(|imp| imp.name == pass.name && imp.is_for_device);
    if is_for_device || [DEVICE, OPENCL, CUDA].contains(pass) {
        to_unplaced_tuned(&mut prog, tuner);
        place_unplaced(&mut prog);
        cut_placed(&mut prog, tuner);
    } else {
        to_flat(&mut prog);
    }
    let mut prog = generate_tuned(&prog, tuner)?;
    if ![IMP, DEVICE].contains(pass) {
        improve_imp(&mut prog, Some(pass.name));
    }
    Ok(match *pass {
        C => norn_emit::emit_c(&prog),
        OPENCL => norn_emit::emit_opencl(&prog).text,
        CUDA => norn_emit::emit_cuda(&prog).text,
        _ => imp::print::print_with(&prog, Places::Hidden),
    })
}

/// Marks the functions of the prelude and of the library: where these are inlined, the place of what they do is that of the call.
pub fn mark_library(prog: &mut Prog, sources: &SourceMap) {
    for fun in &mut prog.funs {
        let file = sources.files().get(fun.span.file.0 as usize);
        if file.is_some_and(|file| shipped_file(&file.name).is_some()) {
            fun.attrs.push("library".to_string());
        }
    }
}

/// Takes a lowered program the rest of the way, to where it can be executed. The diagnostics say what is not supported.
pub fn to_imp(mut prog: Prog) -> Result<imp::Prog, Diagnostics> {
    optimise_nest(&mut prog);
    to_flat(&mut prog);
    flat_to_imp(&prog)
}

/// The same for a device and its host. If it is `strict`, the diagnostics also say what is left to the processor.
pub fn to_device_imp(mut prog: Prog, strict: bool, tuner: &mut Tuner) -> Result<imp::Prog, Diagnostics> {
    optimise_nest(&mut prog);
    optimised_to_device_imp(prog, strict, tuner)
}

/// The last part of that way.
pub(crate) fn optimised_to_device_imp(
    mut prog: Prog,
    strict: bool,
    tuner: &mut Tuner,
) -> Result<imp::Prog, Diagnostics> {
    if strict {
        tuner.be_strict();
    }
    to_unplaced_tuned(&mut prog, tuner);
    if strict {
        refuse_processor(&survey::survey(&prog))?;
    }
    unplaced_to_imp(prog, tuner)
}

/// The last part of both ways.
pub(crate) fn flat_to_imp(prog: &Prog) -> Result<imp::Prog, Diagnostics> {
    flat_to_imp_tuned(prog, &mut Tuner::default())
}

fn flat_to_imp_tuned(prog: &Prog, tuner: &mut Tuner) -> Result<imp::Prog, Diagnostics> {
    let mut prog = generate_tuned(prog, tuner)?;
    improve_imp(&mut prog, None);
    Ok(prog)
}

/// The same for a program of which it is not decided yet what runs where.
pub(crate) fn unplaced_to_imp(mut prog: Prog, tuner: &mut Tuner) -> Result<imp::Prog, Diagnostics> {
    place_unplaced(&mut prog);
    cut_placed(&mut prog, tuner);
    flat_to_imp_tuned(&prog, tuner)
}

/// Makes a program for a GPU and its host, and so asks for all tunables that it has.
pub fn ask_tunables(program: &Program, sources: &SourceMap, tuner: &mut Tuner) -> Result<(), Diagnostics> {
    let mut prog = compile(program)?;
    mark_library(&mut prog, sources);
    to_device_imp(prog, false, tuner).map(drop)
}

/// Where the statements of a program run if there is a GPU. Thresholds between versions are asked of the tuner.
pub fn survey(
    program: &Program,
    sources: &SourceMap,
    tuner: &mut Tuner,
) -> Result<Vec<Surveyed>, Diagnostics> {
    Ok(survey::survey(&unplaced(program, sources, tuner)?))
}

/// The tasks of which the processor does nothing, if it shares the work of a GPU.
pub fn gpu_only(
    program: &Program,
    sources: &SourceMap,
    tuner: &mut Tuner,
) -> Result<Vec<GpuOnly>, Diagnostics> {
    let mut prog = unplaced(program, sources, tuner)?;
    place_unplaced(&mut prog);
    norn_passes::fission::fission(&mut prog);
    Ok(processor::gpu_only(&prog))
}

/// A program for a GPU of which it is not decided yet what runs there.
fn unplaced(program: &Program, sources: &SourceMap, tuner: &mut Tuner) -> Result<Prog, Diagnostics> {
    let mut prog = compile(program)?;
    mark_library(&mut prog, sources);
    optimise_nest(&mut prog);
    to_unplaced_tuned(&mut prog, tuner);
    Ok(prog)
}

/// An error for each statement that the device leaves to the processor, and for each loop whose steps wait for it more than once.
pub(crate) fn refuse_processor(surveyed: &[Surveyed]) -> Result<(), Diagnostics> {
    let mut diagnostics = Diagnostics::default();
    let mut said = HashSet::new();
    for fun in surveyed {
        for placed in &fun.stms {
            let (message, why) = match placed.side {
                Side::Device | Side::Wait | Side::Processor(Why::Scalars) => continue,
                Side::WaitAgain => (
                    "The processor waits here for the GPU, a second time in one step of a loop.".into(),
                    None,
                ),
                Side::Processor(why) if placed.is_whole() => {
                    (format!("The processor does all of `{}`.", fun.name), Some(why))
                }
                Side::Processor(why) => (format!("The processor does this {}.", placed.what), Some(why)),
            };
            let span = if placed.span == NOWHERE { fun.span } else { placed.span };
            // What is in the library is reached in many ways.
            if !said.insert((span, placed.side)) {
                continue;
            }
            let diagnostic = Diagnostic::error(codes::NOT_ON_DEVICE, span, message);
            diagnostics.push(match why {
                Some(why) => diagnostic.note(sentence(why.text())),
                None => diagnostic,
            });
        }
    }
    if diagnostics.has_errors() { Err(diagnostics) } else { Ok(()) }
}

/// With a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

pub(crate) fn generate(prog: &Prog) -> Result<imp::Prog, Diagnostics> {
    generate_tuned(prog, &mut Tuner::default())
}

fn generate_tuned(prog: &Prog, tuner: &mut Tuner) -> Result<imp::Prog, Diagnostics> {
    let generated = norn_passes::imp_gen::imp_gen_tuned(prog, tuner).map_err(|unsupported| {
        let mut diagnostics = Diagnostics::default();
        for each in unsupported {
            let message = format!("{} cannot be compiled yet.", each.what);
            diagnostics.push(
                Diagnostic::error(codes::NOT_SUPPORTED, each.span, message)
                    .help("`--backend interp` runs the program without compiling it."),
            );
        }
        diagnostics
    })?;
    if cfg!(debug_assertions) {
        imp::verify::expect_valid(&generated, "imp");
    }
    Ok(generated)
}

/// The program after a pass, and all before it. In debug builds every pass is checked, so that a
/// mistake shows where it was made.
pub fn compile_until(program: &Program, last: &Pass) -> Result<Prog, Diagnostics> {
    compile_until_tuned(program, last, &mut Tuner::default())
}

fn compile_until_tuned(program: &Program, last: &Pass, tuner: &mut Tuner) -> Result<Prog, Diagnostics> {
    if last.name == LOWER.name {
        return Ok(norn_lower::lower(program)?.0);
    }
    if last.name == DIFFERENTIATE.name {
        let (mut prog, derivatives) = norn_lower::lower(program)?;
        norn_differentiate::differentiate(&mut prog, derivatives)?;
        verify(&prog, Stage::BeforeRegions, last.name);
        return Ok(prog);
    }
    let mut prog = compile(program)?;
    if last.name == "regions" {
        return Ok(prog);
    }
    // A pass that has no place in the order yet comes last.
    let until = NEST_ORDER.iter().position(|name| *name == last.name);
    let before = until.map_or(NEST_ORDER, |at| &NEST_ORDER[..at]);
    for name in before.iter().chain([&last.name]) {
        for pass in NEST_PASSES.iter().filter(|pass| pass.name == *name) {
            (pass.run)(&mut prog);
            verify(&prog, Stage::Complete, name);
        }
    }
    let device: Vec<&NestPass> = DEVICE_PASSES.iter().chain(FISSION_PASSES).chain(CUT_PASSES).collect();
    for passes in [FLAT_PASSES.iter().collect(), device] {
        if let Some(at) = passes.iter().position(|pass| pass.name == last.name) {
            for pass in &passes[..=at] {
                run_tuned(&mut prog, pass, tuner);
                verify(&prog, Stage::Scheduled, pass.name);
            }
        }
    }
    Ok(prog)
}

fn verify(prog: &Prog, stage: Stage, pass: &str) {
    if cfg!(debug_assertions) {
        match stage {
            Stage::BeforeRegions | Stage::Complete | Stage::Kernels => expect_valid(prog, stage, pass),
            Stage::Scheduled => norn_ir::nest::grids::verify::expect_valid(prog, pass),
        }
    }
}
