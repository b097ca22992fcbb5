//! Functions that kernels call stay as they were: a thread gains nothing by what is taken apart.
//!
//! A function that is called both outside all maps and inside has two versions then.

use super::calls::for_each_call_mut;
use norn_ir::nest::calls::callees;
use norn_ir::nest::{Fun, FunId, Prog};

/// Calls inside maps lead to functions as they were; `originals` are the first functions of the program, before they were
/// distributed.
pub fn keep_for_threads(prog: &mut Prog, originals: &[Fun]) {
    let changed = changed(prog, originals);
    let mut copies = Copies { of: vec![None; originals.len()], requested: Vec::new(), next: prog.funs.len() };
    for fun in &mut prog.funs {
        for_each_call_mut(&mut fun.body, false, &mut |callee, in_map| {
            if in_map && changed.get(callee.0 as usize) == Some(&true) {
                *callee = copies.of(*callee);
            }
        });
    }
    let mut made = 0;
    while let Some(original) = copies.requested.get(made).copied() {
        made += 1;
        let mut fun = originals[original.0 as usize].clone();
        fun.name.push_str("_thread");
        for_each_call_mut(&mut fun.body, true, &mut |callee, _| {
            if changed.get(callee.0 as usize) == Some(&true) {
                *callee = copies.of(*callee);
            }
        });
        prog.funs.push(fun);
    }
}

struct Copies {
    of: Vec<Option<FunId>>,
    requested: Vec<FunId>,
    next: usize,
}

impl Copies {
    fn of(&mut self, fun: FunId) -> FunId {
        let copy = FunId((self.next + self.requested.len()) as u32);
        *self.of[fun.0 as usize].get_or_insert_with(|| {
            self.requested.push(fun);
            copy
        })
    }
}

/// Which functions have been distributed, or call one that has been.
fn changed(prog: &Prog, originals: &[Fun]) -> Vec<bool> {
    let mut changed: Vec<bool> = originals.iter().zip(&prog.funs).map(|(old, new)| old != new).collect();
    let callees: Vec<Vec<usize>> = originals.iter().map(|fun| callees(prog, &fun.body)).collect();
    loop {
        let before = changed.clone();
        for (fun, callees) in callees.iter().enumerate() {
            changed[fun] |= callees.iter().any(|callee| before.get(*callee) == Some(&true));
        }
        if changed == before {
            return changed;
        }
    }
}
