//! The passes of the compiler, in their order.
//!
//! The list reads as the pipeline. `norn dev --pass P` shows what the program is after the pass `P`.

use norn_base::Diagnostics;
use norn_check::typed::Program;
use norn_ir::nest::Prog;
use norn_ir::nest::print::{Places, print_with};
use norn_ir::nest::verify::{Rule, Stage, Violation, verify};

/// A step of the pipeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pass {
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
}

pub const PASSES: &[Pass] =
    &[Pass { name: "lower", about: "the typed program as nest: modules, polymorphism, records and sums are gone" }];

pub fn pass(name: &str) -> Option<&'static Pass> {
    PASSES.iter().find(|pass| pass.name == name)
}

/// Takes a program without errors through all passes. The diagnostics say what is not supported.
pub fn compile(program: &Program) -> Result<Prog, Diagnostics> {
    compile_until(program, PASSES.last().map_or("", |pass| pass.name))
}

/// The program after a pass, as text.
pub fn show_after(program: &Program, pass: &Pass) -> Result<String, Diagnostics> {
    compile_until(program, pass.name).map(|prog| print_with(&prog, Places::Hidden))
}

/// The program after a pass, and all before it.
fn compile_until(program: &Program, _last: &str) -> Result<Prog, Diagnostics> {
    let prog = norn_lower::lower(program)?;
    verify_after(&prog, "lower");
    Ok(prog)
}

/// In debug builds every pass is checked, so that a mistake shows where it was made.
fn verify_after(prog: &Prog, pass: &str) {
    if !cfg!(debug_assertions) {
        return;
    }
    // TODO: with N12, once lowering marks no result of `zip` and the like as unique that is not.
    let broken: Vec<Violation> =
        verify(prog, Stage::BeforeRegions).into_iter().filter(|found| found.rule != Rule::N12).collect();
    let list: String = broken.iter().map(|found| format!("  {found}\n")).collect();
    assert!(broken.is_empty(), "{pass} made a program that breaks the rules of nest:\n{list}");
}
