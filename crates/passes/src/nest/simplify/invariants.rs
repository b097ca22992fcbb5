//! What holds of the parameters of a loop in every iteration.
//!
//! Of each integer parameter three things are tried: that it is not negative, that it never gets smaller than it was at
//! the start, and that it never gets larger. All are assumed; what does not follow for the next iteration is
//! dropped, until the rest follows from itself (Houdini: Flanagan and Leino, 2001). So the index that an insertion
//! moves down needs no checks.

use super::Simplifier;
use norn_ir::nest::{Atom, Body, ControlExp, Exp, LoopForm, Param, Var};

/// Tries are cut short: bodies are looked at once for each.
const TRIES: usize = 4;

/// Larger bodies are not looked at.
const LARGE: usize = 200;

/// `less <= more` of a parameter and something outside; which parameter, and which side it is on.
#[derive(Clone, Copy)]
pub(super) struct Invariant {
    param: usize,
    outside: Atom,
    at_least: bool,
}

impl Simplifier<'_> {
    /// What may be assumed where the body begins.
    pub(super) fn invariants(
        &mut self,
        params: &[(Param, Atom)],
        form: &LoopForm,
        body: &Body,
    ) -> Vec<Invariant> {
        let mut left = Vec::new();
        for (i, (param, initial)) in params.iter().enumerate() {
            let Some(prim) = self.ty(param.var).prim().filter(|prim| prim.is_int()) else { continue };
            let initial = self.subst.atom(*initial);
            let zero = Atom::int(prim, 0);
            let mut try_ =
                |outside: Atom, at_least: bool| left.push(Invariant { param: i, outside, at_least });
            try_(initial, true);
            try_(initial, false);
            if initial != zero && self.bounds.is_ordered(zero, initial) {
                try_(zero, true);
            }
        }
        // Parameters that are what they were at the start by now have been replaced.
        let is_used = |invariant: &Invariant| body.result[invariant.param] != invariant.outside;
        left.retain(is_used);
        if body.stms.len() > LARGE {
            return Vec::new();
        }
        for _ in 0..TRIES {
            if left.is_empty() {
                break;
            }
            let mark = self.bounds.mark();
            self.assume(params, &left);
            self.begin(form);
            self.foresee(body);
            let follows = |walk: &Simplifier, invariant: &Invariant| {
                let next = walk.subst.atom(body.result[invariant.param]);
                let (less, more) =
                    if invariant.at_least { (invariant.outside, next) } else { (next, invariant.outside) };
                walk.bounds.is_ordered(less, more)
            };
            let kept: Vec<Invariant> = left.iter().copied().filter(|each| follows(self, each)).collect();
            self.bounds.forget(mark);
            let done = kept.len() == left.len();
            left = kept;
            if done {
                return left;
            }
        }
        Vec::new()
    }

    pub(super) fn assume(&mut self, params: &[(Param, Atom)], invariants: &[Invariant]) {
        for invariant in invariants {
            let param: Atom = params[invariant.param].0.var.into();
            match invariant.at_least {
                true => self.bounds.order(invariant.outside, param),
                false => self.bounds.order(param, invariant.outside),
            }
        }
    }

    /// The facts that the form of a loop gives at the start of its body.
    fn begin(&mut self, form: &LoopForm) {
        match form {
            LoopForm::For(var, bound) => self.bounds.count(*var, self.subst.atom(*bound)),
            LoopForm::While(cond) => {
                self.foresee(cond);
                self.bounds.assume_unchecked(self.subst.atom(cond.result[0]), true);
            }
        }
    }

    /// What the statements of a body say about integers, as it is now: nothing is changed.
    fn foresee(&mut self, body: &Body) {
        for stm in &body.stms {
            let vars: &[Var] = &stm.vars;
            match &stm.exp {
                Exp::Control(ControlExp::If { cond, then, els }) => {
                    let cond = self.subst.atom(*cond);
                    for (branch, holds) in [(then, true), (els, false)] {
                        let mark = self.bounds.mark();
                        self.bounds.assume(cond, holds);
                        self.foresee(branch);
                        self.bounds.forget(mark);
                    }
                    for (i, var) in vars.iter().enumerate() {
                        let [then, els] = [then, els].map(|branch| self.subst.atom(branch.result[i]));
                        self.bounds.choose(*var, cond, then, els);
                    }
                }
                Exp::Control(ControlExp::Check(check)) => {
                    let mut exp = Exp::check(check.clone());
                    self.subst.operands(&mut exp);
                    if let Exp::Control(ControlExp::Check(check)) = &exp {
                        self.bounds.learn(check, vars[0]);
                    }
                }
                exp => {
                    if let ([var], true) = (vars, super::yields_facts(exp)) {
                        let mut exp = exp.clone();
                        self.subst.operands(&mut exp);
                        self.bounds.define(*var, &exp);
                    }
                }
            }
        }
    }
}
