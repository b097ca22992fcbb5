//! What holds of every program, checked (`skeleton::verify`).

use super::Prog;
pub use crate::skeleton::verify::{Rule, Stage, Violation};

/// All violations, in the order of the program; those of N12 after the others.
pub fn verify(prog: &Prog, stage: Stage) -> Vec<Violation> {
    crate::skeleton::verify::verify(prog, stage)
}

/// Panic with the program's text unless it obeys the rules: for the end of a pass, which is named.
pub fn expect_valid(prog: &Prog, stage: Stage, pass: &str) {
    crate::skeleton::verify::expect_valid(prog, stage, pass);
}
