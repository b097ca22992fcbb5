//! Who calls whom: which functions run on a device. Passes must not give those what only a processor has, and emitters
//! write them in the language of kernels.

use super::walk::for_each_stmt;
use super::{Block, FunId, Prog, Stmt};

/// The functions that group kernels reach.
pub fn on_device(prog: &Prog) -> Vec<bool> {
    reached(prog, prog.group_kernels.iter().flat_map(|kernel| calls(&kernel.body)).collect())
}

/// The functions that are in `roots`, or are called by one that is reached.
pub fn reached(prog: &Prog, roots: Vec<FunId>) -> Vec<bool> {
    let mut reached = vec![false; prog.funs.len()];
    let mut next = roots;
    while let Some(fun) = next.pop() {
        if !std::mem::replace(&mut reached[fun.0 as usize], true) {
            next.extend(calls(&prog.funs[fun.0 as usize].body));
        }
    }
    reached
}

/// The functions that are called here.
pub fn calls(body: &Block) -> Vec<FunId> {
    let mut funs = Vec::new();
    for_each_stmt(body, &mut |stmt| {
        if let Stmt::Call { fun, .. } = stmt {
            funs.push(*fun);
        }
    });
    funs
}
