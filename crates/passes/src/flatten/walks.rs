//! Functions that walk through trees: an analysis that returns a table.
//!
//! A function walks if it calls itself, or others of its component, with no arrays but as it got them, and what it does in parallel is as wide as the arrays in
//! cells are, or of a constant width: one that goes down a tree, to some children of each node, and looks at the few elements in the leaves. A thread for each element takes its own way. Lifted, each
//! depth of the tree would be a call with an element for each node that some element comes to, which takes a dozen kernels, and memory for all of them; and where calls are in different branches, the
//! elements that come to each are a call of their own.
//!
//! A function that divides an array and calls itself for the parts does not walk: its calls get shorter arrays, of which there are more and more. Nor does one whose operators are as wide as an array
//! that it got.

use super::worth::Worth;
use norn_ir::nest::calls::call_groups;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{Atom, Body, CellExp, ControlExp, Exp, Fun, FunId, Prog, Var};
use std::collections::HashSet;

/// Of each function, whether it walks.
pub fn walks(prog: &Prog, worth: &Worth) -> Vec<bool> {
    let mut found = vec![false; prog.funs.len()];
    for group in call_groups(prog) {
        let mut calls = 0;
        let in_fun = |id: &FunId| {
            let fun = &prog.funs[id.0 as usize];
            let mut walk = WalkFinder { fun, group: &group, worth, loaded: HashSet::new(), calls: 0 };
            let walks = walk.body(&fun.body);
            calls += walk.calls;
            walks
        };
        let walks = group.iter().all(in_fun);
        group.iter().for_each(|id| found[id.0 as usize] = walks && calls > 0);
    }
    found
}

struct WalkFinder<'a> {
    fun: &'a Fun,
    group: &'a [FunId],
    worth: &'a Worth,
    /// What was taken out of cells.
    loaded: HashSet<Var>,
    /// How many calls of the component there are.
    calls: usize,
}

impl WalkFinder<'_> {
    fn body(&mut self, body: &Body) -> bool {
        body.stms.iter().all(|stm| {
            if let Exp::Cell(CellExp::Load { .. }) = &stm.exp {
                self.loaded.extend(&stm.vars);
            }
            let itself = match &stm.exp {
                Exp::Control(ControlExp::Call { fun, args }) if self.group.contains(fun) => {
                    self.calls += 1;
                    args.iter().all(|arg| self.is_as_it_came(*arg))
                }
                Exp::Control(ControlExp::Call { fun, args: _ }) => !self.worth.in_fun(*fun),
                exp => exp.op().is_none_or(|operator| match operator.width() {
                    Atom::Const(_) => true,
                    Atom::Var(width) => self.loaded.contains(&width),
                }),
            };
            let mut inside = true;
            stm.for_each_part(&mut |part| match part {
                Part::Body(body) => inside = inside && self.body(body),
                Part::Lambda(lambda) => inside = inside && self.body(&lambda.body),
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
            });
            itself && inside
        })
    }

    /// Whether an argument is no array, or one that the function got.
    fn is_as_it_came(&self, arg: Atom) -> bool {
        let Atom::Var(var) = arg else { return true };
        !self.fun.vars[var.0 as usize].ty.is_array() || self.fun.params.iter().any(|param| param.var == var)
    }
}
