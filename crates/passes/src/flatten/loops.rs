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
//! often for all elements. What the loop hands on is an array with the dimensions of the levels in front; numbers that are the same for all elements in every
//! iteration (`uniform`) are handed on as they are, and may say whether there is another one.

use super::Distributor;
use super::body::Rest;
use super::context::{Context, Home, Stored};
use super::kernel::{Core, Demand};
use super::worth::is_small;
use crate::nest::mentions;
use crate::nest::subst::Subst;
use norn_ir::nest::{ArrayExp, Atom, Body, ControlExp, Exp, LoopForm, Param, Stm, Type, Var};
use std::collections::HashSet;

impl Distributor<'_, '_> {
    /// Whether it found a way.
    pub fn loop_(&mut self, cx: &mut Context, at: u32, stm: &Stm, rest: &Rest, waiting: &mut Core) -> bool {
        let Exp::Control(ControlExp::Loop { params, form, body }) = &stm.exp else { return false };
        if params.iter().any(|(param, _)| !self.can_be_stored(param.var)) {
            return false;
        }
        let uniform = self.uniform_params(cx, params, form, body);
        let kept = params
            .iter()
            .zip(&body.result)
            .any(|((param, _), next)| self.is_kept_in_part(cx, param.var, *next, body));
        let is_copied =
            |param: Var| self.is_changed_in_part(param, body) && !self.is_overwritten_apart(cx, param, body);
        if kept || params.iter().any(|(param, _)| is_copied(param.var)) {
            return false;
        }
        let is_even = match form {
            LoopForm::For(_, bound) => cx.is_outside(*bound),
            LoopForm::While(cond) => self.is_uniform_body(cx, &uniform, cond),
        };
        if !is_even {
            return self.varying_loop(cx, at, stm);
        }
        let first = self.first_arrays(cx, stm, &uniform.params, rest, waiting);
        self.interchange(cx, at, stm, &uniform.params, first);
        true
    }

    /// The arrays with which a loop begins, and whether nobody else has them. What it overwrites, nobody has: it is handed over, or copied
    /// once.
    fn first_arrays(
        &mut self,
        cx: &mut Context,
        stm: &Stm,
        uniform: &HashSet<Var>,
        rest: &Rest,
        waiting: &mut Core,
    ) -> Vec<(Var, bool)> {
        let Exp::Control(ControlExp::Loop { params: all, body, .. }) = &stm.exp else { return Vec::new() };
        let params = &varying(all, uniform)[..];
        let is_written = |param: &Param| {
            let class = self.names.memory.class(param.var);
            let is_array = self.names.ty(param.var).is_array();
            param.unique && is_array && body.stms.iter().any(|stm| self.overwrites(stm, class))
        };
        let written: Vec<bool> = params.iter().map(|(param, _)| is_written(param)).collect();
        let mut later = Vec::new();
        mentions::in_stm(&self.names.vars, stm, &mut later);
        let initial = params.iter().zip(&written).filter(|(_, written)| **written);
        let initial: Vec<Var> = initial.filter_map(|((_, initial), _)| initial.var()).collect();
        later.retain(|var| !initial.contains(var));

        let mut found: Vec<Option<(Var, bool)>> = vec![None; params.len()];
        for (number, (_, initial)) in params.iter().enumerate().filter(|(number, _)| written[*number]) {
            let array = initial.var().and_then(|var| self.handed_over(cx, var, later.clone(), rest, waiting));
            found[number] = array.map(|array| (array, true));
        }
        let mut around = cx.clone();
        let types = self.stored_types(&mut around, params);
        let sizes = sizes_as(all, uniform, all.iter().map(|(_, initial)| *initial));
        let demand = |number: usize| {
            let (param, initial) = &params[number];
            Demand { value: *initial, name: self.names.name(param.var), ty: sized(&sizes, &types[number]) }
        };
        let demands: Vec<Demand> = (0..params.len()).map(demand).collect();
        let missing: Vec<usize> = (0..params.len()).filter(|number| found[*number].is_none()).collect();
        let list = missing.iter().map(|number| demands[*number].clone()).collect();
        let made = self.results(cx, Core::new(), list, u32::MAX);
        for (number, (array, fresh)) in missing.into_iter().zip(made) {
            let copied = written[number] && !fresh;
            found[number] = Some(if copied { (self.fresh_copy(array, false), true) } else { (array, fresh) });
        }
        let found = found.into_iter().flatten().zip(&demands);
        found.map(|((array, fresh), demand)| (self.in_pattern(array, demand), fresh)).collect()
    }

    /// Rule G7. The loop begins with these arrays.
    fn interchange(
        &mut self,
        cx: &mut Context,
        at: u32,
        stm: &Stm,
        uniform: &HashSet<Var>,
        initial: Vec<(Var, bool)>,
    ) {
        let Exp::Control(ControlExp::Loop { params: all, form, body }) = &stm.exp else { return };
        // Each parameter, with what the loop binds for it and what comes next.
        let is_same = |((param, _), _): &((&(Param, Atom), &Var), &Atom)| uniform.contains(&param.0.var);
        let parts = all.iter().zip(&stm.vars).zip(&body.result);
        let (same, varied): (Vec<_>, Vec<_>) = parts.partition(is_same);
        let params = &varying(all, uniform)[..];
        let types: Vec<Type> = self.stored_types(cx, params);
        let began = self.tick();
        let around = cx.clone();
        // What is the same for all comes first, since it may be a size, and has no home.
        let mut arrays: Vec<(Param, Atom)> =
            same.iter().map(|((param, _), _)| (Param::plain(param.0.var), param.1)).collect();
        let mut result: Vec<Atom> = same.iter().map(|(_, next)| **next).collect();
        let mut vars: Vec<Var> = same.iter().map(|((_, var), _)| **var).collect();
        for (((param, _), ty), (array, fresh)) in params.iter().zip(&types).zip(&initial) {
            let own = self.names.fresh(&self.names.name(param.var), ty.clone());
            let stored = Stored { level: cx.depth(), array: own, fresh: *fresh, at: began };
            cx.set(param.var, Home::Stored(stored));
            arrays.push((Param { var: own, unique: *fresh }, (*array).into()));
        }
        let outer = std::mem::take(&mut self.out);
        let waiting = self.body(cx, body);
        let sizes = sizes_as(all, uniform, body.result.iter().copied());
        let demands: Vec<Demand> = params
            .iter()
            .zip(&types)
            .zip(&varied)
            .map(|(((param, _), ty), (_, next))| Demand {
                value: **next,
                name: self.names.name(param.var),
                ty: sized(&sizes, ty),
            })
            .collect();
        let next = self.results(cx, waiting, demands, at);
        for ((array, fresh), (own, _)) in next.into_iter().zip(&arrays[same.len()..]) {
            let array = if own.unique { self.fresh_copy(array, fresh) } else { array };
            result.push(array.into());
        }
        let stms = std::mem::replace(&mut self.out, outer);
        // What is stored in the loop is not there outside.
        *cx = around;
        vars.iter().for_each(|var| cx.forget(*var));
        let sizes = sizes_as(all, uniform, stm.vars.iter().map(|var| Atom::Var(*var)));
        for ((((_, var), _), ty), (_, fresh)) in varied.iter().zip(&types).zip(&initial) {
            let array = self.names.fresh(&self.names.name(**var), sized(&sizes, ty));
            cx.set(**var, Home::Stored(Stored { level: cx.depth(), array, fresh: *fresh, at }));
            vars.push(array);
        }
        let exp = Exp::Control(ControlExp::Loop {
            params: arrays,
            form: form.clone(),
            body: Body { stms, result },
        });
        self.out.push(Stm { attrs: stm.attrs.clone(), ..Stm::new(vars, exp, stm.span) });
    }

    pub fn can_be_stored(&self, var: Var) -> bool {
        self.names.ty(var).elem().is_some()
    }

    /// The types of the arrays for parameters of a loop that are not the same for all. A size that is one of these varies.
    pub fn stored_types(&mut self, cx: &mut Context, params: &[(Param, Atom)]) -> Vec<Type> {
        params.iter().for_each(|(param, _)| cx.set(param.var, Home::Waiting));
        params.iter().map(|(param, _)| cx.all(self.names.ty(param.var))).collect()
    }

    /// Whether an iteration overwrites a part of an array, and nothing else that takes as long as copying the array: taken
    /// out of the map, each iteration would make a new one. A few elements are copied as fast as they are changed.
    fn is_changed_in_part(&self, param: Var, body: &Body) -> bool {
        if !self.names.ty(param).is_array() || is_small(self.names.ty(param)) {
            return false;
        }
        let class = self.names.memory.class(param);
        let dims = self.names.ty(param).dims();
        let as_large = |stm: &Stm| {
            self.worth.in_stm(stm) && stm.vars.iter().any(|var| self.names.ty(*var).dims() == dims)
        };
        body.stms.iter().any(|stm| self.overwrites(stm, class)) && !body.stms.iter().any(as_large)
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
        // To make it in the iteration was as much work as to copy it is.
        let makes = |stm: &Stm| {
            matches!(
                stm.exp,
                Exp::Op(_)
                    | Exp::Array(ArrayExp::Copy(_) | ArrayExp::Concat { .. } | ArrayExp::Replicate { .. })
            )
        };
        let is_bound = |stms: &[Stm], result: Atom, by: &dyn Fn(&Stm) -> bool| {
            stms.iter().any(|stm| stm.vars.iter().any(|var| Atom::Var(*var) == result) && by(stm))
        };
        branches.iter().any(|branch| {
            let result = branch.result[at];
            !is_bound(&branch.stms, result, &|_| true) && !is_bound(&body.stms, result, &makes)
        })
    }
}

/// What is the same for all elements has these values, one for each parameter.
fn sizes_as(all: &[(Param, Atom)], uniform: &HashSet<Var>, values: impl Iterator<Item = Atom>) -> Subst {
    let mut sizes = Subst::default();
    for ((param, _), value) in all.iter().zip(values).filter(|((param, _), _)| uniform.contains(&param.var)) {
        sizes.set(param.var, value);
    }
    sizes
}

fn sized(sizes: &Subst, ty: &Type) -> Type {
    let mut ty = ty.clone();
    sizes.ty(&mut ty);
    ty
}

/// The parameters whose values differ from element to element.
fn varying(params: &[(Param, Atom)], uniform: &HashSet<Var>) -> Vec<(Param, Atom)> {
    params.iter().filter(|(param, _)| !uniform.contains(&param.var)).cloned().collect()
}
