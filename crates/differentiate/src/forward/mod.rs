//! Forward mode: behind each statement, one that computes the tangents of its results.
//!
//! ```text
//! let y: f64 = mul.f64 a x        ==>    let y: f64 = mul.f64 a x
//!                                        let y': f64 = mul.f64 a x'
//! let s: f64 = reduce n (xs) ..   ==>    let s: f64, s': f64 = reduce n (xs, xs') ..     on pairs of a value and its tangent
//! ```
//!
//! Only what is active has a tangent. Tangents share memory, and are consumed, as their values do, so that what was valid remains valid. What merely moves floats about moves
//! tangents by the same statement; where one part of what is moved is not active, its tangents are zeros.

mod arrays;
mod control;
mod operators;

use crate::Work;
use crate::activity::activity;
use crate::partials::factors;
use crate::writer::Writer;
use norn_ir::nest::derivative::{Mode, Numbers};
use norn_ir::nest::{Atom, Body, Exp, Fun, Param, Prim, Ret, Scalar, ScalarExp, Stm, Type, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// The function with its parameters' tangents behind its parameters, and its results' behind its results.
pub fn forward(work: &mut Work, of: &Fun, numbers: Numbers, active: &[usize]) -> Fun {
    let active_vars = activity(work, of, numbers, active);
    let mut f = Forward::new(work, of, numbers, active_vars);
    let params = f.params(of, active);
    of.body.stms.iter().for_each(|stm| f.stm(stm));
    let mut result = f.w.atoms(&of.body.result);
    result.extend(
        numbers.results(of).into_iter().map(|at| f.tangent_or_zero(of.body.result[at])).collect::<Vec<_>>(),
    );
    let ret = f.ret(of);
    let Forward { w, .. } = f;
    let mut written = w.b.finish(format!("{}_forward", of.name), params, ret, result, of.span);
    written.attrs = of.attrs.clone();
    written
}

/// Its parameters and results alone.
pub fn signature(work: &mut Work, of: &Fun, numbers: Numbers, active: &[usize]) -> Fun {
    let mut f = Forward::new(work, of, numbers, active.iter().map(|at| of.params[*at].var).collect());
    let params = f.params(of, active);
    let ret = f.ret(of);
    f.w.b.finish(format!("{}_forward", of.name), params, ret, Vec::new(), of.span)
}

struct Forward<'a, 'p> {
    w: Writer,
    work: &'a mut Work<'p>,
    numbers: Numbers,
    /// Old variables that have tangents, and accumulators that take them.
    active: FxHashSet<Var>,
    /// Of old variables.
    tangents: FxHashMap<Var, Atom>,
}

impl<'a, 'p> Forward<'a, 'p> {
    fn new(work: &'a mut Work<'p>, of: &Fun, numbers: Numbers, active: FxHashSet<Var>) -> Forward<'a, 'p> {
        let w = Writer::new(of.vars.clone(), of.span);
        Forward { w, work, numbers, active, tangents: FxHashMap::default() }
    }

    /// New parameters, and behind them the tangents of the active ones. Accumulators take tangents themselves.
    fn params(&mut self, of: &Fun, active: &[usize]) -> Vec<Param> {
        let mut params = Vec::new();
        for Param { var, unique } in &of.params {
            params.push(Param { var: self.bind(*var), unique: *unique });
        }
        for at in active {
            let Param { var, unique } = of.params[*at];
            if self.is_active(var) {
                params.push(Param { var: self.new_tangent(var), unique });
            }
        }
        params
    }

    fn ret(&mut self, of: &Fun) -> Vec<Ret> {
        let has_accs = of.params.iter().any(|param| self.is_active_acc(param.var));
        let mut ret = Vec::new();
        for result in &of.ret {
            let ty = self.w.ty(&result.ty);
            let ty = if has_accs { self.with_tangents(ty) } else { ty };
            ret.push(Ret { ty, unique: result.unique });
        }
        ret.extend(self.numbers.results(of).into_iter().map(|at| ret[at].clone()).collect::<Vec<_>>());
        ret
    }
}

impl Forward<'_, '_> {
    fn is_active(&self, var: Var) -> bool {
        self.active.contains(&var) && self.numbers.include(self.w.old_ty(var))
    }

    fn is_active_acc(&self, var: Var) -> bool {
        self.active.contains(&var) && matches!(self.w.old_ty(var), Type::Acc(_))
    }

    /// A new variable for an old one.
    fn bind(&mut self, old: Var) -> Var {
        if self.is_active_acc(old) { self.acc_var(old) } else { self.w.bind(old) }
    }

    /// It has a tangent, or is an accumulator of tangents.
    fn takes_tangents(&self, atom: Atom) -> bool {
        atom.var().is_some_and(|var| self.active.contains(&var))
    }

    fn is_active_atom(&self, atom: Atom) -> bool {
        atom.var().is_some_and(|var| self.is_active(var))
    }

    /// A new variable for the tangent of an old one.
    fn new_tangent(&mut self, old: Var) -> Var {
        let ty = self.w.ty_of(old);
        let name = format!("{}'", self.w.old[old.0 as usize].name);
        let tangent = self.w.b.new_var(name, ty);
        self.tangents.insert(old, tangent.into());
        tangent
    }

    /// New variables for old ones, and behind them for the tangents of those that are active.
    fn bind_with_tangents(&mut self, vars: &[Var]) -> Vec<Var> {
        let mut new = Vec::new();
        for var in vars {
            new.push(self.bind(*var));
        }
        for var in vars {
            if self.is_active(*var) {
                new.push(self.new_tangent(*var));
            }
        }
        new
    }

    fn tangent(&self, atom: Atom) -> Option<Atom> {
        atom.var().and_then(|var| self.tangents.get(&var)).copied()
    }

    fn tangent_or_zero(&mut self, atom: Atom) -> Atom {
        self.tangent(atom).unwrap_or_else(|| {
            let value = self.w.atom(atom);
            self.w.zeros_like(value)
        })
    }

    fn tangent_array(&mut self, array: Var) -> Var {
        let tangent = self.tangent_or_zero(array.into());
        tangent.var().unwrap_or_else(|| panic!("differentiate: an array without tangents"))
    }

    /// What a body yields, and behind that the tangents of what is active outside.
    fn results(&mut self, result: &[Atom], active: &[bool]) -> Vec<Atom> {
        let mut all = self.w.atoms(result);
        for (atom, active) in result.iter().zip(active) {
            if *active {
                all.push(self.tangent_or_zero(*atom));
            }
        }
        all
    }

    fn body(&mut self, body: &Body, active: &[bool]) -> Body {
        self.w.b.begin_body();
        body.stms.iter().for_each(|stm| self.stm(stm));
        let result = self.results(&body.result, active);
        self.w.b.end_body(result)
    }

    fn which_are_active(&self, vars: &[Var]) -> Vec<bool> {
        vars.iter().map(|var| self.is_active(*var)).collect()
    }

    /// Whether a statement has anything to do with tangents: an active operand, or an accumulator that takes tangents.
    fn concerns(&self, stm: &Stm) -> bool {
        stm.vars.iter().any(|var| self.active.contains(var))
    }

    fn stm(&mut self, stm: &Stm) {
        let outer = std::mem::replace(&mut self.w.span, stm.span);
        if self.concerns(stm) {
            let certs: Vec<Var> = stm.certs.iter().map(|cert| self.w.var(*cert)).collect();
            self.w.b.begin_certs(certs);
            self.active_stm(stm);
            self.w.b.end_certs();
        } else {
            self.w.copy(stm);
        }
        self.w.span = outer;
    }

    fn active_stm(&mut self, stm: &Stm) {
        match &stm.exp {
            Exp::Scalar(exp) => self.scalar(stm, exp),
            Exp::Control(exp) => self.control(stm, exp),
            Exp::Array(exp) => self.array(stm, exp),
            Exp::Cell(_) => self.w.copy(stm),
            Exp::Op(op) => self.operator(stm, op),
        }
    }

    fn scalar(&mut self, stm: &Stm, exp: &ScalarExp) {
        self.w.copy(stm);
        let result = self.w.atom(stm.vars[0].into());
        if let ScalarExp::Atom(x) = exp {
            if let Some(tangent) = self.tangent(*x) {
                self.tangents.insert(stm.vars[0], tangent);
            }
            return;
        }
        let tangents = &self.tangents;
        let wanted = |atom: Atom| atom.var().is_some_and(|var| tangents.contains_key(&var));
        let mut change: Option<Atom> = None;
        for (operand, factor) in factors(&mut self.w, exp, result, &wanted) {
            let Some(tangent) = self.tangent(operand) else { continue };
            let part = factor.forward(&mut self.w, tangent);
            change = Some(match change {
                Some(other) => self.w.add(other, part),
                None => part,
            });
        }
        let prim = self.w.old_ty(stm.vars[0]).prim().unwrap_or(Prim::F64);
        self.tangents.insert(stm.vars[0], change.unwrap_or(Atom::Const(Scalar::zero(prim))));
    }

    /// The derivative of a callee, and what of its arguments is active.
    fn derivative_of_call(
        &mut self,
        fun: norn_ir::nest::FunId,
        args: &[Atom],
    ) -> (norn_ir::nest::FunId, Vec<usize>) {
        let active: Vec<usize> = (0..args.len()).filter(|at| self.takes_tangents(args[*at])).collect();
        (self.work.derivative(fun, Mode::Forward, self.numbers, active.clone()), active)
    }

    fn unsupported(&mut self, what: &str) {
        let message = format!("The derivative of {what} is not yet supported.");
        self.work.unsupported(self.w.span, message);
    }

    /// Zeros for all active results, after something that is not supported.
    fn no_tangents(&mut self, stm: &Stm, what: &str) {
        self.unsupported(what);
        self.w.copy(stm);
    }
}
