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
use crate::skeleton::calls::call_groups;
use crate::skeleton::outline::{Head, Outline};
use crate::skeleton::walk::Part;
use crate::skeleton::{
    ArrayExp, Atom, Body, CellExp, ControlExp, Exp, FunId, Operators, Prog, ScalarExp, Stm, Var,
};
use alias::{Memory, Root, has_cells, holds_arrays};
use std::collections::BTreeSet;

pub fn verify_consumption<O: Operators>(prog: &Prog<O>) -> Vec<Violation> {
    let outline = prog.outline();
    let holds = holds_arrays(&prog.datas);
    let mut summaries: Vec<Option<Summary>> = prog.funs.iter().map(|_| None).collect();
    let mut violations: Vec<Vec<Violation>> = prog.funs.iter().map(|_| Vec::new()).collect();
    for group in call_groups(prog) {
        let walked: Vec<(FunId, Summary, Vec<Violation>)> = group
            .iter()
            .map(|id| {
                let fun = &prog.funs[id.0 as usize];
                let mut walk = Walk::new(&outline, fun.head(), &holds, &summaries);
                let summary = walk.fun(&fun.body);
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
    prog: &'a Outline<'a>,
    fun: Head<'a>,
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
    fn new(
        prog: &'a Outline<'a>,
        fun: Head<'a>,
        holds: &'a [bool],
        summaries: &'a [Option<Summary>],
    ) -> Walk<'a> {
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

    fn fun<O: Operators>(&mut self, body: &Body<O>) -> Summary {
        for param in self.fun.params {
            self.bind(param.var, Memory::of_array(param.var));
            if has_cells(self.ty(param.var), self.holds) {
                self.memory[param.var.0 as usize].held.insert(Root::Cells(param.var));
            }
            self.frozen[param.var.0 as usize] = !param.unique;
        }
        let start = self.clock;
        let results = self.body(body);
        let unique: Vec<bool> = self.fun.ret.iter().map(|ret| ret.unique).collect();
        self.check_unique_results(&body.result, &results, &unique, 0, "function");
        let own = results.iter().flat_map(|memory| &memory.own);
        let mut frozen: BTreeSet<Root> = own.copied().collect();
        // A parameter is the caller's business; what is left are constants and contents of cells.
        frozen.retain(|root| self.is_frozen(*root) && self.born(*root) >= start);
        Summary { results, frozen }
    }

    /// The memory of its results.
    fn body<O: Operators>(&mut self, body: &Body<O>) -> Vec<Memory> {
        body.stms.iter().for_each(|stm| self.stm(stm));
        body.result.iter().for_each(|atom| self.use_atom(*atom));
        body.result.iter().map(|atom| self.atom_memory(*atom)).collect()
    }

    fn stm<O: Operators>(&mut self, stm: &Stm<O>) {
        let mut operands = Vec::new();
        stm.for_each_part(&mut |part| match part {
            Part::Atom(Atom::Var(var)) | Part::Var(var) => operands.push(*var),
            Part::Atom(Atom::Const(_)) | Part::Binder(_) | Part::Body(_) | Part::Lambda(_) => {}
        });
        operands.iter().for_each(|var| self.use_var(*var));
        match &stm.exp {
            Exp::Scalar(exp) => self.scalar(&stm.vars, exp, &operands),
            Exp::Control(exp) => self.control(&stm.vars, exp, &operands),
            Exp::Array(exp) => self.array(&stm.vars, exp, &operands),
            Exp::Cell(exp) => self.cell(&stm.vars, exp, &operands),
            Exp::Op(op) => self.operator(&stm.vars, op, &operands),
        }
    }

    fn scalar(&mut self, vars: &[Var], exp: &ScalarExp, operands: &[Var]) {
        match exp {
            ScalarExp::Atom(_) => self.share(vars, operands),
            ScalarExp::Un(..)
            | ScalarExp::Bin(..)
            | ScalarExp::Tri(..)
            | ScalarExp::Convert { .. }
            | ScalarExp::Workers
            | ScalarExp::Tunable(_) => self.fresh(vars, operands),
        }
    }

    fn control<O: Operators>(&mut self, vars: &[Var], exp: &ControlExp<O>, operands: &[Var]) {
        match exp {
            ControlExp::If { cond: _, then, els } => self.branches(vars, &[then, els]),
            ControlExp::Switch { scrutinee: _, cases, default } => {
                let mut bodies: Vec<&Body<O>> = cases.iter().map(|(_, body)| body).collect();
                bodies.push(default);
                self.branches(vars, &bodies);
            }
            ControlExp::Loop { params, form, body } => self.loop_(vars, params, form, body),
            ControlExp::Call { fun, args } => self.call(vars, *fun, args),
            ControlExp::Const(_) => {
                self.fresh(vars, &[]);
                vars.iter().for_each(|var| self.frozen[var.0 as usize] = true);
            }
            ControlExp::Check(_) => self.fresh(vars, operands),
        }
    }

    fn array(&mut self, vars: &[Var], exp: &ArrayExp, operands: &[Var]) {
        match exp {
            ArrayExp::Index { .. }
            | ArrayExp::Reshape { .. }
            | ArrayExp::Rearrange { .. }
            | ArrayExp::Coerce { .. }
            | ArrayExp::FlatIndex { .. }
            | ArrayExp::JoinRows(_) => self.share(vars, operands),
            ArrayExp::Segment { lengths: _, array } => self.share(vars, &[*array]),
            ArrayExp::Update { array, .. }
            | ArrayExp::FlatUpdate { array, .. }
            | ArrayExp::AccWrite { acc: array, .. } => {
                self.consume_some(&[*array], operands);
                self.fresh(vars, operands);
            }
            ArrayExp::ArrayLit(_)
            | ArrayExp::Range { .. }
            | ArrayExp::Replicate { .. }
            | ArrayExp::Concat { .. }
            | ArrayExp::Copy(_)
            | ArrayExp::Lengths(_)
            | ArrayExp::Ends(_) => self.fresh(vars, operands),
        }
    }

    fn cell(&mut self, vars: &[Var], exp: &CellExp, operands: &[Var]) {
        match exp {
            CellExp::Alloc { .. } => {
                let held = self.joined(operands).stored();
                vars.iter()
                    .for_each(|var| self.bind(*var, Memory { held: held.clone(), ..Memory::default() }));
            }
            CellExp::Load { .. } => {
                let cell = self.joined(operands).held;
                for var in vars {
                    let mut memory = Memory::of_array(*var);
                    memory.own.extend(&cell);
                    memory.held.extend(&cell);
                    self.bind(*var, memory);
                    self.frozen[var.0 as usize] = true;
                }
            }
            CellExp::Region | CellExp::Null(_) | CellExp::Tag { .. } => self.fresh(vars, operands),
        }
    }
}
