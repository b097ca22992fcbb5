//! What holds of every flat program, checked: the rules of the skeleton and of each kernel, by the skeleton's verifier; then those about
//! code and sides, and those about groups.

mod code;
mod side;
mod uniform;

use super::Prog;
use crate::skeleton::verify::{Stage, Violation};

pub fn verify(prog: &Prog) -> Vec<Violation> {
    let broken = crate::skeleton::verify::verify(prog, Stage::Kernels);
    if !broken.is_empty() {
        return broken;
    }
    let mut violations = code::verify_code(prog);
    violations.extend(uniform::verify_uniform(prog));
    violations
}
