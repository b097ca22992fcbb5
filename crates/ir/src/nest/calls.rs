//! The call graph (`skeleton::calls`).

use super::{Body, FunId, Prog};

/// Strongly connected components; each in the order of the program, and after those that it calls.
pub fn call_groups(prog: &Prog) -> Vec<Vec<FunId>> {
    crate::skeleton::calls::call_groups(prog)
}

/// The functions that a body calls, or whose constants it uses.
pub fn callees(prog: &Prog, body: &Body) -> Vec<usize> {
    crate::skeleton::calls::callees(prog, body)
}
