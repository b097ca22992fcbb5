//! What a loop does that is the same for all elements.
//!
//! Threads do it again, each for itself. Beside them it is done once, if somebody needs what it yields; and if there are no elements, so that what fails still fails.

use super::super::mentions;
use super::super::subst::Subst;
use super::Interchange;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{ArrayExp, Atom, BinOp, Body, ControlExp, Exp, LoopForm, Prim, Stm, Type, Var};
use rustc_hash::FxHashSet;

/// Whether each thread may do it: a few operations on scalars, checks, reads of elements, and views.
pub(super) fn is_cheap(stm: &Stm) -> bool {
    let is_cheap = |body: &Body| body.stms.iter().all(is_cheap);
    match &stm.exp {
        Exp::Scalar(_) | Exp::Control(ControlExp::Check(_)) => true,
        Exp::Array(
            ArrayExp::Index { .. }
            | ArrayExp::FlatIndex { .. }
            | ArrayExp::Rearrange { .. }
            | ArrayExp::Coerce { .. },
        ) => true,
        Exp::Control(ControlExp::If { then, els, .. }) => is_cheap(then) && is_cheap(els),
        Exp::Control(ControlExp::Switch { cases, default, .. }) => {
            cases.iter().all(|(_, body)| is_cheap(body)) && is_cheap(default)
        }
        _ => false,
    }
}

impl Interchange<'_> {
    /// The loop without what it computes by elements, before the map; nothing, if nobody needs it. `None` if that costs too much.
    pub(super) fn uniform_part(
        &mut self,
        stm: &Stm,
        width: Atom,
        elementwise: &FxHashSet<Var>,
    ) -> Option<Vec<Stm>> {
        let scalars: Vec<Var> =
            stm.vars.iter().filter(|var| !self.names.ty(**var).is_array()).copied().collect();
        let is_used = |var: &Var| self.mentioned.get(var.0 as usize).is_some_and(|mentioned| *mentioned);
        let (is_used, may_fail) = (scalars.iter().any(is_used), holds_checks(stm));
        if !is_used && !may_fail {
            return Some(Vec::new());
        }
        let uniform = self.without_elements(stm, elementwise)?;
        let uniform = self.names.copy_stm(&mut Subst::default(), &uniform);
        if is_used {
            // Arrays are in the memory of the device.
            return (!reads_arrays(&uniform)).then(|| vec![Stm { vars: scalars, ..uniform }]);
        }
        let is_empty = self.names.fresh("empty", Type::bool());
        let compared = Exp::bin(BinOp::Eq, Prim::I64, width, Atom::i64(0));
        let done = self.names.fresh("done", Type::bool());
        let yields = |stms: Vec<Stm>| Body { stms, result: vec![Atom::bool(true)] };
        let guarded = Exp::if_(is_empty.into(), yields(vec![uniform]), yields(Vec::new()));
        Some(vec![Stm::new(vec![is_empty], compared, stm.span), Stm::new(vec![done], guarded, stm.span)])
    }

    /// What of a statement is uniform.
    fn without_elements(&self, stm: &Stm, elementwise: &FxHashSet<Var>) -> Option<Stm> {
        let is_scalar = |var: &Var| !self.names.ty(*var).is_array();
        let exp = match &stm.exp {
            Exp::Control(ControlExp::If { cond, then, els }) => {
                let keeps: Vec<bool> = stm.vars.iter().map(is_scalar).collect();
                let [then, els] = [then, els].map(|body| self.uniform_body(body, &keeps, elementwise));
                Exp::if_(*cond, then, els)
            }
            Exp::Control(ControlExp::Loop { params, form, body }) => {
                let keeps: Vec<bool> = params.iter().map(|(param, _)| is_scalar(&param.var)).collect();
                let form = match form {
                    LoopForm::For(index, bound) => LoopForm::For(*index, *bound),
                    LoopForm::While(cond) => LoopForm::While(self.uniform_body(cond, &[true], elementwise)),
                };
                let body = self.uniform_body(body, &keeps, elementwise);
                let params = kept(params, &keeps);
                Exp::Control(ControlExp::Loop { params, form, body })
            }
            _ => return stm.vars.iter().all(|var| !elementwise.contains(var)).then(|| stm.clone()),
        };
        let vars: Vec<Var> = stm.vars.iter().filter(|var| is_scalar(var)).copied().collect();
        let stm = Stm { vars, exp, ..stm.clone() };
        (!stm.vars.is_empty() || holds_checks(&stm)).then_some(stm)
    }

    fn uniform_body(&self, body: &Body, keeps: &[bool], elementwise: &FxHashSet<Var>) -> Body {
        let result = kept(&body.result, keeps);
        let mut needed = Vec::new();
        mentions::in_atoms(&result, &mut needed);
        let mut stms = Vec::new();
        for stm in body.stms.iter().rev() {
            let Some(stm) = self.without_elements(stm, elementwise) else { continue };
            if holds_checks(&stm) || stm.vars.iter().any(|var| needed.contains(var)) {
                mentions::in_stm(&self.names.vars, &stm, &mut needed);
                mentions::certs(&stm, &mut needed);
                stms.push(stm);
            }
        }
        stms.reverse();
        Body { stms, result }
    }
}

fn kept<T: Clone>(all: &[T], keeps: &[bool]) -> Vec<T> {
    all.iter().zip(keeps).filter(|(_, keeps)| **keeps).map(|(one, _)| one.clone()).collect()
}

/// Whether something outside of lambdas may fail.
fn holds_checks(stm: &Stm) -> bool {
    let mut found = matches!(stm.exp, Exp::Control(ControlExp::Check(_)));
    stm.for_each_part(&mut |part| match part {
        Part::Body(body) => found = found || body.stms.iter().any(holds_checks),
        Part::Lambda(_) | Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
    });
    found
}

fn reads_arrays(stm: &Stm) -> bool {
    let mut found = matches!(stm.exp, Exp::Array(_));
    stm.for_each_part(&mut |part| match part {
        Part::Body(body) => found = found || body.stms.iter().any(reads_arrays),
        Part::Lambda(_) | Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
    });
    found
}
