//! Reverse mode: the forward sweep of a function, then the return sweep.
//!
//! ```text
//! let y: f64 = mul.f64 a x         let y: f64 = mul.f64 a x            forward sweep
//! in y                             let x_adj: f64 = mul.f64 a y_adj    return sweep, statements in opposite order
//!                                  in y, x_adj
//! ```
//!
//! The return sweep of a body needs values of its forward sweep, which are still in scope. Of a body inside, that of a branch or of an operator, nothing is kept: its own
//! forward sweep runs once more, where its return sweep runs (`back` in the names of functions). So each level of nesting costs one more
//! run of what is innermost, and only loops keep a tape (`loops`). A function that is called is differentiated as a whole.
//!
//! What a sweep may still need is not consumed: the forward sweep updates copies.
//!
//! Where adjoints are while they are added up is the subject of `adjoint`; how they leave lambdas, that of `maps`.

mod adjoint;
mod arrays;
mod bins;
mod choices;
mod combine;
mod control;
mod loops;
mod maps;
mod shifts;
mod sizes;
pub mod sums;
mod updates;
mod views;
mod writes;

use crate::Work;
use crate::activity::activity;
use crate::partials::factors;
use crate::writer::Writer;
use adjoint::Adjoint;
use loops::Tape;
use norn_ir::nest::derivative::Numbers;
use norn_ir::nest::{
    ArrayExp, Atom, Body, Check, ControlExp, Dim, Exp, Fun, Lambda, Operator, Param, Ret, ScalarExp, Stm,
    Type, Var,
};
use rustc_hash::{FxHashMap, FxHashSet};
use shifts::{Choice, Line};
use sizes::Equal;
use std::collections::BTreeMap;
use updates::{Replaced, Undo};

/// The function, which also takes the adjoints of its results, and yields those of its active parameters.
pub fn reverse(work: &mut Work, of: &Fun, numbers: Numbers, active: &[usize]) -> Fun {
    let active_vars = activity(work, of, numbers, active);
    let mut w = Writer::new(of.vars.clone(), of.span);
    let head = Head::new(&mut w, of, numbers, active);
    let mut r = Reverse {
        w,
        work,
        numbers,
        active: active_vars,
        adjoints: BTreeMap::new(),
        levels: FxHashMap::default(),
        level: 0,
        tapes: FxHashMap::default(),
        iotas: FxHashSet::default(),
        indices: FxHashSet::default(),
        lines: FxHashMap::default(),
        choices: FxHashMap::default(),
        equal_sizes: Vec::new(),
        in_place: FxHashMap::default(),
        undos: FxHashMap::default(),
    };
    r.forward_sweep(&of.body);
    let mut result = r.w.atoms(&of.body.result);
    for (expected, found) in result.iter().zip(&head.sizes) {
        r.w.b.check(Check::Size { expected: *expected, found: (*found).into() }, of.span);
    }
    for (at, weight) in numbers.results(of).into_iter().zip(&head.weights) {
        r.add(of.body.result[at], (*weight).into(), false);
    }
    r.return_sweep(&of.body);
    for at in active {
        result.push(r.take_or_zeros(of.params[*at].var));
    }
    let mut written = r.w.b.finish(format!("{}_reverse", of.name), head.params, head.ret, result, of.span);
    written.attrs = of.attrs.clone();
    written
}

/// Its parameters and results alone.
pub fn signature(of: &Fun, numbers: Numbers, active: &[usize]) -> Fun {
    let mut w = Writer::new(of.vars.clone(), of.span);
    let head = Head::new(&mut w, of, numbers, active);
    w.b.finish(format!("{}_reverse", of.name), head.params, head.ret, Vec::new(), of.span)
}

struct Head {
    params: Vec<Param>,
    ret: Vec<Ret>,
    /// The sizes that the adjoints have.
    sizes: Vec<Var>,
    weights: Vec<Var>,
}

impl Head {
    fn new(w: &mut Writer, of: &Fun, numbers: Numbers, active: &[usize]) -> Head {
        let mut params: Vec<Param> = of.params.iter().map(|p| Param::plain(w.bind(p.var))).collect();
        let sizes: Vec<Var> = (0..of.returned_sizes()).map(|_| w.b.new_var("size", Type::i64())).collect();
        let mut weights = Vec::new();
        for at in numbers.results(of) {
            let mut ty = w.ty(&of.ret[at].ty);
            ty.for_each_dim(&mut |dim| {
                if let Dim::Result(at) = *dim {
                    *dim = Dim::size(sizes[at]);
                }
            });
            weights.push(w.b.new_var("weight", ty));
        }
        params.extend(sizes.iter().chain(&weights).map(|var| Param::plain(*var)));
        let mut ret: Vec<Ret> = of.ret.iter().map(|ret| Ret::plain(w.ty(&ret.ty))).collect();
        ret.extend(active.iter().map(|at| Ret::plain(w.ty_of(of.params[*at].var))));
        Head { params, ret, sizes, weights }
    }
}

struct Reverse<'a, 'p> {
    w: Writer,
    work: &'a mut Work<'p>,
    numbers: Numbers,
    /// Old variables that may have adjoints.
    active: FxHashSet<Var>,
    /// Of old variables, as far as they have been added up.
    adjoints: BTreeMap<Var, Adjoint>,
    /// In how many lambdas an old variable is bound. Nothing is said about parameters of the function: 0.
    levels: FxHashMap<Var, u32>,
    level: u32,
    /// Of loops, by the first variable that they bind.
    tapes: FxHashMap<Var, Tape>,
    /// New arrays that are 0, 1, .. up to their size.
    iotas: FxHashSet<Var>,
    /// New numbers that are elements of these in a lambda.
    indices: FxHashSet<Var>,
    /// Of new numbers, what they are computed of, if that is an index or a size and a constant.
    lines: FxHashMap<Var, Line>,
    /// Of new numbers, between what a branch has chosen.
    choices: FxHashMap<Var, Choice>,
    equal_sizes: Vec<Equal>,
    /// By their results, updates that happen in place in the return sweep of a loop, and what undoes those that have happened.
    in_place: FxHashMap<Var, Replaced>,
    undos: FxHashMap<Var, Undo>,
}

impl Reverse<'_, '_> {
    fn is_active(&self, var: Var) -> bool {
        self.active.contains(&var) && self.numbers.include(self.w.old_ty(var))
    }

    fn is_active_atom(&self, atom: Atom) -> bool {
        atom.var().is_some_and(|var| self.is_active(var))
    }

    /// Whether it is bound outside of the innermost lambda.
    fn is_foreign(&self, var: Var) -> bool {
        self.levels.get(&var).copied().unwrap_or(0) < self.level
    }

    fn bind(&mut self, old: Var) -> Var {
        self.levels.insert(old, self.level);
        self.w.bind(old)
    }

    fn bind_to(&mut self, old: Var, new: Atom) {
        self.levels.insert(old, self.level);
        self.w.set(old, new);
    }

    fn unsupported(&mut self, what: &str) {
        let message = format!("The derivative of {what} in reverse is not yet supported.");
        self.work.unsupported(self.w.span, message);
    }

    // # The two sweeps

    fn forward_sweep(&mut self, body: &Body) {
        body.stms.iter().for_each(|stm| self.forward_stm(stm));
    }

    fn forward_stm(&mut self, stm: &Stm) {
        let outer = std::mem::replace(&mut self.w.span, stm.span);
        stm.vars.iter().for_each(|var| {
            self.levels.insert(*var, self.level);
        });
        match &stm.exp {
            Exp::Control(ControlExp::Loop { params, form, body })
                if stm.vars.iter().any(|var| self.is_active(*var)) =>
            {
                self.loop_with_tape(stm, params, form, body);
            }
            Exp::Array(ArrayExp::Update { .. }) if self.in_place.contains_key(&stm.vars[0]) => {
                self.update_in_place(stm);
            }
            Exp::Array(ArrayExp::Range { start, step, .. })
                if *start == Atom::i64(0) && *step == Atom::i64(1) =>
            {
                self.w.copy(stm);
                self.iotas.insert(self.w.var(stm.vars[0]));
            }
            // Another name for the same.
            Exp::Scalar(ScalarExp::Atom(x)) if stm.certs.is_empty() => {
                let same = self.w.atom(*x);
                self.w.set(stm.vars[0], same);
            }
            Exp::Scalar(exp) => {
                self.w.copy(stm);
                self.note_line(stm, exp);
            }
            Exp::Control(ControlExp::Check(check)) => {
                self.w.copy(stm);
                self.note_check(stm, check);
            }
            Exp::Control(ControlExp::If { cond, then, els }) => {
                self.w.copy_keeping(self.work.prog, stm);
                self.note_choice(stm, *cond, [then, els]);
            }
            Exp::Control(_) | Exp::Array(_) | Exp::Cell(_) | Exp::Op(_) => {
                self.w.copy_keeping(self.work.prog, stm);
            }
        }
        self.w.span = outer;
    }

    fn return_sweep(&mut self, body: &Body) {
        for stm in body.stms.iter().rev() {
            if stm.vars.iter().any(|var| self.adjoints.contains_key(var) || self.is_undone(*var)) {
                let outer = std::mem::replace(&mut self.w.span, stm.span);
                let certs = stm.certs.iter().map(|cert| self.w.var(*cert)).collect();
                self.w.b.begin_certs(certs);
                if stm.vars.iter().any(|var| self.adjoints.contains_key(var)) {
                    self.return_stm(stm);
                }
                stm.vars.iter().for_each(|var| self.undo(*var));
                self.w.b.end_certs();
                self.w.span = outer;
            }
        }
    }

    fn return_stm(&mut self, stm: &Stm) {
        match &stm.exp {
            Exp::Scalar(exp) => self.scalar(stm, exp),
            Exp::Control(exp) => self.control(stm, exp),
            Exp::Array(exp) => self.array(stm, exp),
            // What comes out of a cell is a constant.
            Exp::Cell(_) => self.drop_adjoints(&stm.vars),
            Exp::Op(op) => self.operator(stm, op),
        }
    }

    fn drop_adjoints(&mut self, vars: &[Var]) {
        vars.iter().for_each(|var| {
            self.adjoints.remove(var);
        });
    }

    fn scalar(&mut self, stm: &Stm, exp: &ScalarExp) {
        if let ScalarExp::Atom(x) = exp {
            let adjoint = self.adjoints.remove(&stm.vars[0]).unwrap_or_default();
            return self.add_all(*x, adjoint);
        }
        let Some(weight) = self.take(stm.vars[0]) else { return };
        let result = self.w.atom(stm.vars[0].into());
        let active = &self.active;
        let wanted = |atom: Atom| atom.var().is_some_and(|var| active.contains(&var));
        for (operand, factor) in factors(&mut self.w, exp, result, &wanted) {
            if self.is_active_atom(operand) {
                let part = factor.reverse(&mut self.w, weight.value);
                self.add(operand, part, false);
            }
        }
    }

    fn operator(&mut self, stm: &Stm, op: &Operator) {
        match op {
            Operator::Map { width, inputs, lambda } => self.map(stm, *width, inputs, lambda),
            Operator::Reduce { width, op, inputs } => self.reduce(stm, *width, op, inputs),
            Operator::Scan { width, op, inputs } => self.scan(stm, *width, op, inputs),
            Operator::Filter { width, inputs, lambda } => self.filter(stm, *width, inputs, lambda, false),
            Operator::Partition { width, inputs, lambda } => self.filter(stm, *width, inputs, lambda, true),
            Operator::Sort { width, keys, yields: _ } => self.sort(stm, *width, *keys),
            Operator::Scatter { width, dests, inputs, lambda } => {
                self.scatter(stm, *width, dests, inputs, lambda);
            }
            Operator::Hist { width, dests, op, inputs, lambda } => {
                self.hist(stm, *width, dests, op, inputs, lambda);
            }
            Operator::Stream { width, form, inputs, lambda } => {
                self.stream(stm, *width, form, inputs, lambda)
            }
            Operator::AccStream { .. } | Operator::Fused { .. } | Operator::Task(_) => {
                self.unsupported(&format!("`{}`", op.name()));
                self.drop_adjoints(&stm.vars);
            }
        }
    }

    // # Lambdas in place

    /// What a lambda yields for these arguments.
    fn apply(&mut self, lambda: &Lambda, args: &[Atom]) -> Vec<Atom> {
        for (param, arg) in lambda.params.iter().zip(args) {
            self.bind_to(*param, *arg);
        }
        self.forward_sweep(&lambda.body);
        self.w.atoms(&lambda.body.result)
    }

    /// The adjoints of the arguments of a lambda, given those of what it yields.
    fn apply_back(&mut self, lambda: &Lambda, args: &[Atom], weights: &[Option<Atom>]) -> Vec<Option<Atom>> {
        self.apply(lambda, args);
        for (result, weight) in lambda.body.result.iter().zip(weights) {
            if let Some(weight) = weight {
                self.add(*result, *weight, false);
            }
        }
        self.return_sweep(&lambda.body);
        lambda.params.iter().map(|param| self.take(*param).map(|dense| dense.value)).collect()
    }
}
