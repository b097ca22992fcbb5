//! The passes of the compiler, in their order.
//!
//! The list reads as the pipeline. `norn dev --pass P` shows what the program is after the pass `P`.

use norn_base::Diagnostics;
use norn_check::typed::Program;
use norn_ir::nest::Prog;
use norn_ir::nest::print::{Places, print_with};
use norn_ir::nest::verify::{Stage, expect_valid};
use norn_passes::pipeline::{NEST_ORDER, NEST_PASSES};

/// A step of the pipeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pass {
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
}

/// What every program goes through.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "lower",
        about: "the typed program as nest: modules, polymorphism, records and sums are gone",
    },
    Pass { name: "regions", about: "values of recursive types have regions, and regions have lifetimes" },
];

/// All passes there are: those that every program goes through, and those that improve it. The
/// interpreter runs the program as it is before it is improved.
pub fn passes() -> impl Iterator<Item = Pass> {
    let improving = NEST_PASSES.iter().map(|pass| Pass { name: pass.name, about: pass.about });
    PASSES.iter().copied().chain(improving)
}

pub fn pass(name: &str) -> Option<Pass> {
    passes().find(|pass| pass.name == name)
}

/// Takes a program without errors through the passes that it needs to be run. The diagnostics say what is
/// not supported.
pub fn compile(program: &Program) -> Result<Prog, Diagnostics> {
    compile_until(program, &PASSES[PASSES.len() - 1])
}

/// The program after a pass, as text.
pub fn show_after(program: &Program, pass: &Pass) -> Result<String, Diagnostics> {
    compile_until(program, pass).map(|prog| print_with(&prog, Places::Hidden))
}

/// The program after a pass, and all before it. In debug builds every pass is checked, so that a
/// mistake shows where it was made.
pub fn compile_until(program: &Program, last: &Pass) -> Result<Prog, Diagnostics> {
    let mut prog = norn_lower::lower(program)?;
    verify(&prog, Stage::BeforeRegions, "lower");
    if last.name == "lower" {
        return Ok(prog);
    }
    norn_lower::infer_regions(&mut prog);
    verify(&prog, Stage::Complete, "regions");
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
    Ok(prog)
}

fn verify(prog: &Prog, stage: Stage, pass: &str) {
    if cfg!(debug_assertions) {
        expect_valid(prog, stage, pass);
    }
}
