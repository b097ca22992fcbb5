//! The passes of the compiler, in their order.
//!
//! The list reads as the pipeline. `norn dev --pass P` shows what the program is after the pass `P`.

use norn_base::Diagnostics;
use norn_check::typed::Program;
use norn_ir::nest::Prog;
use norn_ir::nest::print::{Places, print_with};
use norn_ir::nest::verify::{Stage, expect_valid};

/// A step of the pipeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pass {
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
}

pub const PASSES: &[Pass] = &[
    Pass {
        name: "lower",
        about: "the typed program as nest: modules, polymorphism, records and sums are gone",
    },
    Pass { name: "regions", about: "values of recursive types have regions, and regions have lifetimes" },
];

pub fn pass(name: &str) -> Option<&'static Pass> {
    PASSES.iter().find(|pass| pass.name == name)
}

/// Takes a program without errors through all passes. The diagnostics say what is not supported.
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
    if cfg!(debug_assertions) {
        expect_valid(&prog, Stage::BeforeRegions, "lower");
    }
    if last.name != "lower" {
        norn_lower::infer_regions(&mut prog);
        if cfg!(debug_assertions) {
            expect_valid(&prog, Stage::Complete, "regions");
        }
    }
    Ok(prog)
}
