//! Loops in maps that become maps in loops (rule G7).
//!
//! ```text
//! map n (xs) \(x) {                                    let rs = loop (ys = xs) for i < k {
//!   let r = loop (y = x) for i < k { .. y .. }   ==>     let zs = map n (ys) \(y) { .. y .. }
//!   in r                                                 in zs
//! }                                                    }
//! ```
//!
//! That pays where there is parallelism in the body, which then gets nests of its own, and where the loop runs equally
//! often for all elements. What the loop hands on is an array with the dimensions of the levels in front.

use super::Distributor;
use super::context::{Context, Home, Stored};
use super::kernel::{Core, Wanted};
use crate::nest::memory::consumed;
use norn_ir::nest::{Atom, Body, ControlExp, Exp, LoopForm, Param, Stm, Type, Var};

impl Distributor<'_, '_> {
    /// Whether it found a way.
    pub fn loop_(&mut self, cx: &mut Context, at: u32, stm: &Stm) -> bool {
        let Exp::Control(ControlExp::Loop { params, form, body }) = &stm.exp else { return false };
        if params.iter().any(|(param, _)| !self.can_be_stored(param.var)) {
            return false;
        }
        let kept = params
            .iter()
            .zip(&body.result)
            .any(|((param, _), next)| self.is_kept_in_part(cx, param.var, *next, body));
        if kept || params.iter().any(|(param, _)| self.is_changed_in_part(param.var, body)) {
            return false;
        }
        match form {
            LoopForm::For(counter, bound) if cx.is_outside(*bound) => {
                self.interchange(cx, at, stm, params, (*counter, *bound), body);
                true
            }
            LoopForm::For(..) | LoopForm::While(_) => self.varying_loop(cx, at, stm),
        }
    }

    /// Rule G7.
    fn interchange(
        &mut self,
        cx: &mut Context,
        at: u32,
        stm: &Stm,
        params: &[(Param, Atom)],
        (counter, bound): (Var, Atom),
        body: &Body,
    ) {
        let types: Vec<Type> = self.stored_types(cx, params);
        let initial: Vec<Wanted> = params
            .iter()
            .zip(&types)
            .map(|((param, initial), ty)| Wanted {
                value: *initial,
                name: self.names.name(param.var),
                ty: ty.clone(),
            })
            .collect();
        let initial = self.results(cx, Core::new(), initial, u32::MAX);

        let around = cx.clone();
        let mut arrays: Vec<(Param, Atom)> = Vec::new();
        for (((param, _), ty), (array, fresh)) in params.iter().zip(&types).zip(&initial) {
            let own = self.names.fresh(&self.names.name(param.var), ty.clone());
            cx.set(param.var, Home::Stored(Stored { level: cx.depth(), array: own, fresh: *fresh, at }));
            arrays.push((Param { var: own, unique: *fresh }, (*array).into()));
        }
        let outer = std::mem::take(&mut self.out);
        let waiting = self.body(cx, body);
        let wanted: Vec<Wanted> = params
            .iter()
            .zip(&types)
            .zip(&body.result)
            .map(|(((param, _), ty), value)| Wanted {
                value: *value,
                name: self.names.name(param.var),
                ty: ty.clone(),
            })
            .collect();
        let next = self.results(cx, waiting, wanted, at);
        let mut result: Vec<Atom> = Vec::new();
        for ((array, fresh), (own, _)) in next.into_iter().zip(&arrays) {
            let array = if own.unique { self.fresh_copy(array, fresh) } else { array };
            result.push(array.into());
        }
        let stms = std::mem::replace(&mut self.out, outer);
        // What is stored in the loop is not there outside.
        *cx = around;
        let vars: Vec<Var> = stm
            .vars
            .iter()
            .zip(&types)
            .map(|(var, ty)| self.names.fresh(&self.names.name(*var), ty.clone()))
            .collect();
        for ((var, array), (_, fresh)) in stm.vars.iter().zip(&vars).zip(&initial) {
            cx.set(*var, Home::Stored(Stored { level: cx.depth(), array: *array, fresh: *fresh, at }));
        }
        let exp = Exp::Control(ControlExp::Loop {
            params: arrays,
            form: LoopForm::For(counter, bound),
            body: Body { stms, result },
        });
        self.out.push(Stm { attrs: stm.attrs.clone(), ..Stm::new(vars, exp, stm.span) });
    }

    pub fn can_be_stored(&self, var: Var) -> bool {
        self.names.ty(var).elem().is_some()
    }

    /// The types of the arrays for parameters of a loop. A size that is a parameter itself varies.
    fn stored_types(&mut self, cx: &mut Context, params: &[(Param, Atom)]) -> Vec<Type> {
        params.iter().for_each(|(param, _)| cx.set(param.var, Home::Waiting));
        params.iter().map(|(param, _)| cx.all(self.names.ty(param.var))).collect()
    }

    /// Whether an iteration overwrites a part of an array, and nothing else that takes as long as copying the array: taken
    /// out of the map, each iteration would make a new one.
    fn is_changed_in_part(&self, param: Var, body: &Body) -> bool {
        if !self.names.ty(param).is_array() {
            return false;
        }
        let class = self.names.memory.class(param);
        let overwrites = |stm: &Stm| {
            let consumed = consumed(&self.names.vars, stm, self.signatures);
            consumed.into_iter().any(|var| self.names.memory.class(var) == class)
        };
        let dims = self.names.ty(param).dims();
        let as_large = |stm: &Stm| {
            self.worth.in_stm(stm) && stm.vars.iter().any(|var| self.names.ty(*var).dims() == dims)
        };
        body.stms.iter().any(overwrites) && !body.stms.iter().any(as_large)
    }

    /// Whether an iteration hands an array on as it was for some elements and not for others: taken out of the map, it
    /// is copied for all.
    fn is_kept_in_part(&self, cx: &Context, param: Var, next: Atom, body: &Body) -> bool {
        let Some(next) = next.var().filter(|_| self.names.ty(param).is_array()) else { return false };
        let Some(stm) = body.stms.iter().find(|stm| stm.vars.contains(&next)) else { return false };
        let at = stm.vars.iter().position(|var| *var == next).unwrap_or(0);
        let is_same = |cond: &Atom| {
            cx.is_outside(*cond)
                && !body.stms.iter().any(|stm| stm.vars.iter().any(|var| Atom::Var(*var) == *cond))
        };
        let branches: Vec<&Body> = match &stm.exp {
            Exp::Control(ControlExp::If { cond, then, els }) if !is_same(cond) => vec![then, els],
            Exp::Control(ControlExp::Switch { scrutinee, cases, default }) if !is_same(scrutinee) => {
                cases.iter().map(|(_, body)| body).chain([default]).collect()
            }
            _ => return false,
        };
        branches.iter().any(|branch| {
            let result = branch.result[at];
            !branch.stms.iter().any(|stm| stm.vars.iter().any(|var| Atom::Var(*var) == result))
        })
    }
}
