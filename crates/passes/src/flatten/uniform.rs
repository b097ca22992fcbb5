//! Numbers that loops in maps hand on and that are the same for all elements in every iteration: they begin so, and what comes next is computed of such
//! alone. If such a number is the length of rows that the loop hands on, too, all rows have it: they stay a regular array.
//!
//! ```text
//! map n (xs) \(x) { loop (y = x, step = 1i64) while step < m { .. in f y step, step * 2 } }        step
//! ```

use super::Distributor;
use super::context::Context;
use crate::nest::mentions;
use norn_ir::nest::{Atom, Body, LoopForm, Param, Var};
use std::collections::HashSet;

/// What a loop binds, and what of it is the same for all elements.
pub(super) struct Uniform {
    bound: HashSet<Var>,
    pub params: HashSet<Var>,
}

impl Distributor<'_, '_> {
    pub(super) fn uniform_params(
        &self,
        cx: &Context,
        params: &[(Param, Atom)],
        form: &LoopForm,
        body: &Body,
    ) -> Uniform {
        let mut bound: HashSet<Var> = params.iter().map(|(param, _)| param.var).collect();
        let mut counter = None;
        if let LoopForm::For(var, count) = form {
            bound.insert(*var);
            counter = cx.is_outside(*count).then_some(*var);
        }
        let begins = params
            .iter()
            .filter(|(param, initial)| self.names.ty(param.var).is_scalar() && cx.is_outside(*initial));
        let mut uniform: HashSet<Var> = begins.map(|(param, _)| param.var).collect();
        loop {
            let known = uniform.iter().copied().chain(counter).collect();
            let varying = self.varying_in(cx, body, &bound, &known);
            let is_same = |atom: &Atom| atom.var().is_none_or(|var| !varying.contains(&var));
            let next = params.iter().zip(&body.result).filter(|(_, next)| is_same(next));
            let next: HashSet<Var> =
                next.map(|((param, _), _)| param.var).filter(|var| uniform.contains(var)).collect();
            if next.len() == uniform.len() {
                return Uniform { bound, params: uniform };
            }
            uniform = next;
        }
    }

    /// Whether a condition is the same for all elements, and nothing else is computed for it.
    pub(super) fn is_uniform_body(&self, cx: &Context, uniform: &Uniform, body: &Body) -> bool {
        let varying = self.varying_in(cx, body, &uniform.bound, &uniform.params);
        let mut used = body.stms.iter().flat_map(|stm| stm.vars.iter().copied());
        !used.any(|var| varying.contains(&var))
            && !body.result.iter().any(|atom| atom.var().is_some_and(|var| varying.contains(&var)))
    }

    /// What differs from element to element, of what the body of a loop computes and yields; the loop binds these, and of these are known to be the same.
    fn varying_in(
        &self,
        cx: &Context,
        body: &Body,
        bound: &HashSet<Var>,
        known: &HashSet<Var>,
    ) -> HashSet<Var> {
        let mut varying: HashSet<Var> = bound.difference(known).copied().collect();
        let is_outside = |varying: &HashSet<Var>, var: Var| {
            !varying.contains(&var) && (known.contains(&var) || cx.is_outside(var.into()))
        };
        for stm in &body.stms {
            let mut used = Vec::new();
            mentions::in_stm(&self.names.vars, stm, &mut used);
            used.retain(|var| !stm.vars.contains(var));
            if !self.is_safe_anywhere(stm) || used.iter().any(|var| !is_outside(&varying, *var)) {
                varying.extend(&stm.vars);
            }
        }
        let yielded = body.result.iter().filter_map(|atom| atom.var());
        let others: Vec<Var> = yielded.filter(|var| !is_outside(&varying, *var)).collect();
        varying.extend(others);
        varying
    }
}
