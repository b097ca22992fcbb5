//! N12: nothing is used after it, or what shares memory with it, was consumed.
//!
//! One walk over each function in the order of statements, callees first. It keeps the memory of each
//! variable (see `alias`) and the roots that have been consumed. A consumption is refused where the memory is not
//! the function's to overwrite: that of parameters that are not unique, of constants, of arrays in cells, and
//! within a lambda or a loop that of variables from outside. What is promised to be unique, a result of
//! a function or the next value of a loop's parameter, shares memory with nothing else.
//!
//! Branches are walked one by one from the same state; afterwards is consumed what either consumed.
//! What the results of a call share with arguments and with each other is read off the
//! callee's body (`Summary`), except within a recursive group, where anything that is not unique may be shared.

mod alias;
mod call;
mod memory;
mod scopes;
mod take;

use super::Violation;
use crate::nest::calls::call_groups;
use crate::nest::walk::Part;
use crate::nest::{Atom, Body, Exp, Fun, FunId, Lambda, Prog, Stm, StreamForm, Var};
use alias::{Memory, Root, has_cells, holds_arrays};
use std::collections::BTreeSet;

pub fn verify_consumption(prog: &Prog) -> Vec<Violation> {
    let holds = holds_arrays(&prog.datas);
    let mut summaries: Vec<Option<Summary>> = prog.funs.iter().map(|_| None).collect();
    let mut violations: Vec<Vec<Violation>> = prog.funs.iter().map(|_| Vec::new()).collect();
    for group in call_groups(prog) {
        let walked: Vec<(FunId, Summary, Vec<Violation>)> = group
            .iter()
            .map(|id| {
                let mut walk = Walk::new(prog, &prog.funs[id.0 as usize], &holds, &summaries);
                let summary = walk.fun();
                (*id, summary, walk.violations)
            })
            .collect();
        for (id, summary, found) in walked {
            summaries[id.0 as usize] = Some(summary);
            violations[id.0 as usize] = found;
        }
    }
    violations.into_iter().flatten().collect()
}

/// The memory of a function's results, in terms of its own variables.
struct Summary {
    results: Vec<Memory>,
    /// Roots among them that nobody may overwrite.
    frozen: BTreeSet<Root>,
}

struct Walk<'a> {
    prog: &'a Prog,
    fun: &'a Fun,
    holds: &'a [bool],
    summaries: &'a [Option<Summary>],
    memory: Vec<Memory>,
    /// Of roots: consumed by now.
    consumed: Vec<bool>,
    /// The consumed ones in order, so that a branch can be undone.
    trail: Vec<Var>,
    /// Of roots: never to be consumed.
    frozen: Vec<bool>,
    /// When a variable was bound, by a clock that ticks at every binding.
    bound_at: Vec<u32>,
    clock: u32,
    /// What was bound before may not be consumed.
    barrier: u32,
    violations: Vec<Violation>,
}

impl<'a> Walk<'a> {
    fn new(prog: &'a Prog, fun: &'a Fun, holds: &'a [bool], summaries: &'a [Option<Summary>]) -> Walk<'a> {
        let vars = fun.vars.len();
        Walk {
            prog,
            fun,
            holds,
            summaries,
            memory: vec![Memory::default(); vars],
            consumed: vec![false; vars],
            trail: Vec::new(),
            frozen: vec![false; vars],
            bound_at: vec![0; vars],
            clock: 0,
            barrier: 0,
            violations: Vec::new(),
        }
    }

    fn fun(&mut self) -> Summary {
        for param in &self.fun.params {
            self.bind(param.var, Memory::of_array(param.var));
            if has_cells(self.ty(param.var), self.holds) {
                self.memory[param.var.0 as usize].held.insert(Root::Cells(param.var));
            }
            self.frozen[param.var.0 as usize] = !param.unique;
        }
        let start = self.clock;
        let results = self.body(&self.fun.body);
        let unique: Vec<bool> = self.fun.ret.iter().map(|ret| ret.unique).collect();
        self.check_unique_results(&self.fun.body.result, &results, &unique, 0, "function");
        let own = results.iter().flat_map(|memory| &memory.own);
        let mut frozen: BTreeSet<Root> = own.copied().collect();
        // A parameter is the caller's business; what is left are constants and contents of cells.
        frozen.retain(|root| self.is_frozen(*root) && self.born(*root) >= start);
        Summary { results, frozen }
    }

    /// The memory of its results.
    fn body(&mut self, body: &Body) -> Vec<Memory> {
        body.stms.iter().for_each(|stm| self.stm(stm));
        body.result.iter().for_each(|atom| self.use_atom(*atom));
        body.result.iter().map(|atom| self.atom_memory(*atom)).collect()
    }

    fn stm(&mut self, stm: &Stm) {
        let mut operands = Vec::new();
        stm.for_each_part(&mut |part| match part {
            Part::Atom(Atom::Var(var)) | Part::Var(var) => operands.push(*var),
            Part::Atom(Atom::Const(_)) | Part::Binder(_) | Part::Body(_) | Part::Lambda(_) => {}
        });
        operands.iter().for_each(|var| self.use_var(*var));
        self.exp(stm, &stm.exp, &operands);
    }

    /// What the statement, which is this expression, does to the memory of its operands.
    fn exp(&mut self, stm: &Stm, exp: &Exp, operands: &[Var]) {
        match exp {
            Exp::Atom(_)
            | Exp::Index { .. }
            | Exp::Reshape { .. }
            | Exp::Rearrange { .. }
            | Exp::Coerce { .. }
            | Exp::FlatIndex { .. }
            | Exp::JoinRows(_) => {
                let shared = self.joined(operands);
                stm.vars.iter().for_each(|var| self.bind(*var, shared.clone()));
            }
            Exp::Segment { lengths: _, array } => {
                let shared = self.joined(&[*array]);
                stm.vars.iter().for_each(|var| self.bind(*var, shared.clone()));
            }
            Exp::If { cond: _, then, els } => self.branches(&stm.vars, &[then, els]),
            Exp::Switch { scrutinee: _, cases, default } => {
                let mut bodies: Vec<&Body> = cases.iter().map(|(_, body)| body).collect();
                bodies.push(default);
                self.branches(&stm.vars, &bodies);
            }
            Exp::Loop { params, form, body } => self.loop_(&stm.vars, params, form, body),
            Exp::Call { fun, args } => self.call(&stm.vars, *fun, args),
            Exp::Const(_) => {
                self.fresh(&stm.vars, &[]);
                stm.vars.iter().for_each(|var| self.frozen[var.0 as usize] = true);
            }
            Exp::Update { array, .. } | Exp::FlatUpdate { array, .. } => {
                self.consume_some(&[*array], operands);
                self.fresh(&stm.vars, operands);
            }
            Exp::Scatter { dests, lambda, .. } => {
                self.consume_some(dests, operands);
                self.lambda(lambda, operands);
                self.fresh(&stm.vars, operands);
            }
            Exp::Hist { dests, lambda, op, .. } => {
                self.consume_some(dests, operands);
                self.lambda(lambda, operands);
                self.lambda(&op.lambda, operands);
                self.fresh(&stm.vars, operands);
            }
            Exp::AccStream { dests, op, lambda, .. } => {
                self.consume_some(dests, operands);
                if let Some(op) = op {
                    self.lambda(&op.lambda, operands);
                }
                self.lambda(lambda, operands);
                self.fresh(&stm.vars, operands);
            }
            Exp::AccWrite { acc, .. } => {
                self.consume_some(&[*acc], operands);
                self.fresh(&stm.vars, operands);
            }
            Exp::Map { lambda, .. } | Exp::Filter { lambda, .. } | Exp::Partition { lambda, .. } => {
                self.operator(&stm.vars, &[lambda], operands);
            }
            Exp::Reduce { op, .. } | Exp::Scan { op, .. } => {
                self.operator(&stm.vars, &[&op.lambda], operands);
            }
            Exp::Fused { lambda, scans, reductions, .. } => {
                let ops = scans.iter().chain(reductions).map(|op| &op.lambda);
                let lambdas: Vec<&Lambda> = std::iter::once(lambda).chain(ops).collect();
                self.operator(&stm.vars, &lambdas, operands);
            }
            Exp::Stream { form, lambda, .. } => match form {
                StreamForm::Reduce { any_order: _, op } => {
                    self.operator(&stm.vars, &[op, lambda], operands);
                }
                StreamForm::Map { any_order: _ } | StreamForm::Seq { init: _ } => {
                    self.operator(&stm.vars, &[lambda], operands);
                }
            },
            Exp::Alloc { .. } => {
                let held = self.joined(operands).stored();
                stm.vars
                    .iter()
                    .for_each(|var| self.bind(*var, Memory { held: held.clone(), ..Memory::default() }));
            }
            Exp::Load { .. } => {
                let cell = self.joined(operands).held;
                for var in &stm.vars {
                    let mut memory = Memory::of_array(*var);
                    memory.own.extend(&cell);
                    memory.held.extend(&cell);
                    self.bind(*var, memory);
                    self.frozen[var.0 as usize] = true;
                }
            }
            Exp::Un(..)
            | Exp::Bin(..)
            | Exp::Tri(..)
            | Exp::Convert { .. }
            | Exp::Check(_)
            | Exp::ArrayLit(_)
            | Exp::Range { .. }
            | Exp::Replicate { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_)
            | Exp::Lengths(_)
            | Exp::Sort { .. }
            | Exp::Region
            | Exp::Null(_)
            | Exp::Tag { .. }
            | Exp::Workers => self.fresh(&stm.vars, operands),
        }
    }
}
