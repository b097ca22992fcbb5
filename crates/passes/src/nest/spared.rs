//! Copy elimination: copies that are only read, and only before the original changes. The original serves as well.
//!
//! ```text
//! let as: [n]f64 = copy row             // row is a part of xs
//! let mapped: [n]f64 = map n (as) ..    // the last that mentions `as`
//! let r: [m]f64 = update xs [..] ..     // takes the memory of `row`
//! ```
//! Looks at the statements of one body, with all that is inside them: a loop changes what it changes in its first iteration, and reads what
//! it reads in its last.

use super::memory::{Memory, Signature, consumed};
use super::mentions;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{ArrayExp, Atom, Body, Exp, Fun, Stm, Var, VarInfo};
use rustc_hash::FxHashSet;

pub fn spared(signatures: &[Signature], fun: &Fun, memory: &Memory) -> FxHashSet<Var> {
    let mut search = Search { signatures, vars: &fun.vars, memory, found: FxHashSet::default() };
    search.body(&fun.body);
    search.found
}

struct Search<'a> {
    signatures: &'a [Signature],
    vars: &'a [VarInfo],
    memory: &'a Memory,
    found: FxHashSet<Var>,
}

impl Search<'_> {
    fn body(&mut self, body: &Body) {
        for (at, stm) in body.stms.iter().enumerate() {
            match &stm.exp {
                Exp::Array(ArrayExp::Copy(array)) => {
                    let copy = stm.vars[0];
                    if self.memory.is_taken(*array)
                        && !self.memory.is_taken(copy)
                        && self.is_read_before_changes(copy, *array, &body.stms[at + 1..], &body.result)
                    {
                        self.found.insert(copy);
                    }
                }
                exp => exp.for_each_part(&mut |part| match part {
                    Part::Body(body) => self.body(body),
                    Part::Lambda(lambda) => self.body(&lambda.body),
                    Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
                }),
            }
        }
    }

    fn is_read_before_changes(&self, copy: Var, array: Var, behind: &[Stm], result: &[Atom]) -> bool {
        let shares = |var: Var, with: Var| self.memory.class(var) == self.memory.class(with);
        if result.iter().any(|atom| atom.var().is_some_and(|var| shares(var, copy))) {
            return false;
        }
        let mut changes = false;
        for stm in behind {
            changes |= consumed(self.vars, stm, self.signatures).iter().any(|var| shares(*var, array));
            let mut mentioned = Vec::new();
            mentions::in_stm(self.vars, stm, &mut mentioned);
            if changes && mentioned.iter().any(|var| shares(*var, copy)) {
                return false;
            }
            if stm.vars.first().is_some_and(|var| self.memory.ends_before(copy, *var)) {
                return true;
            }
        }
        true
    }
}
