//! Recognises maps whose lambda is one operator over rows, and decides how each runs: flattened over all elements, or one value for each row.
//!
//! ```text
//! map n (xss) \xs { <a few cheap statements>; one operator over xs }
//! ```
//!
//! A nest is flattened if its rows differ in length or are made irregular (`is_uneven`): otherwise threads would be busy for different
//! times, or a thread would have to allocate. Even rows are left to kernels with a thread or a group for each row, and reductions of rows to
//! segmented reductions, which exist for rows of any lengths.
//!
//! Refuses: nests with expensive statements before the operator, since these would be repeated for each element (`LITTLE`, `may_repeat`).

use super::Elements;
use super::checks::{checks_in, is_check, without_checks};
use super::rows::{FlatDims, i64s};
use crate::nest::cse::key::key;
use crate::nest::inputs::param_groups;
use crate::nest::mentions;
use crate::nest::subst::{Names, Subst};
use norn_ir::nest::{ArrayExp, Atom, Body, Dim, Exp, Lambda, Operator, Stm, Type, Var};
use std::collections::HashSet;

/// So many statements may be done again for every element.
pub const LITTLE: usize = 24;

/// And so many elements be written down again.
const SHORT: usize = 4;

/// A map whose lambda is one operator, with next to nothing in front of it.
pub struct Nest<'a> {
    pub width: Atom,
    /// Inputs, and what the lambda takes of each: the row, or the row's length and the row.
    pub groups: Vec<(Var, Vec<Var>)>,
    pub before: &'a [Stm],
    pub inner: &'a Stm,
    /// What the lambda binds outside the operator.
    pub bound: HashSet<Var>,
}

impl<'a> Nest<'a> {
    /// The parts of a map: of its lambda, the parameters, and what is in front of the operator.
    pub fn of_map(
        names: &Names,
        width: Atom,
        inputs: &[Var],
        params: &[Var],
        before: &'a [Stm],
        inner: &'a Stm,
    ) -> Nest<'a> {
        let groups = param_groups(&names.vars, inputs, params).into_iter().map(<[Var]>::to_vec);
        let bound = params.iter().chain(before.iter().flat_map(|stm| &stm.vars)).copied().collect();
        Nest { width, groups: inputs.iter().copied().zip(groups).collect(), before, inner, bound }
    }
}

impl Elements {
    /// Whether the map has been replaced.
    pub fn map(&mut self, stm: &Stm) -> bool {
        let Exp::Op(Operator::Map { width, inputs, lambda }) = &stm.exp else { return false };
        let Some((inner, before)) = lambda.body.stms.split_last() else { return false };
        let place = |atom: &Atom| inner.vars.iter().position(|var| Atom::Var(*var) == *atom);
        let Some(places) = lambda.body.result.iter().map(place).collect::<Option<Vec<usize>>>() else {
            return false;
        };
        let plain = |var: &Var| self.names.ty(*var).elem().is_some();
        if before.len() > LITTLE || !before.iter().all(may_repeat) || !inner.vars.iter().all(plain) {
            return false;
        }
        let certs = checks_in(before);
        let unchecked = without_checks(&lambda.body.stms, &certs);
        let Some((inner, plain)) = unchecked.split_last() else { return false };
        let nest = Nest::of_map(&self.names, *width, inputs, &lambda.params, plain, inner);
        // How many elements such rows have in all would be a product, which may be too large to be counted.
        let is_even = |var: &Var| {
            let size = self.names.ty(*var).dims().first().and_then(|dim| dim.atom());
            size.and_then(Atom::var)
                .is_some_and(|size| !nest.bound.contains(&size) && !inner.vars.contains(&size))
        };
        if !certs.is_empty() && inner.exp.op().is_none() && inner.vars.iter().any(is_even) {
            return false;
        }
        let at = self.out.len();
        if !self.is_uneven(stm, &nest) || !self.operator(stm, &nest, &places) {
            return false;
        }
        if !certs.is_empty() {
            let checks = self.checks(stm, *width, inputs, &lambda.params, before);
            self.out.insert(at, checks);
        }
        true
    }

    /// Whether the map yields rows of different lengths that it only looks up, and has been replaced: by copies of their elements.
    pub fn looked_up_rows(&mut self, stm: &Stm) -> bool {
        let Exp::Op(Operator::Map { width, inputs, lambda }) = &stm.exp else { return false };
        let stms = &lambda.body.stms;
        if stms.len() > LITTLE || !stms.iter().all(|stm| computes_or_views(stm) || is_check(stm)) {
            return false;
        }
        let (rows, others): (Vec<usize>, Vec<usize>) =
            (0..stm.vars.len()).partition(|at| self.names.ty(stm.vars[*at]).has_irregular_rows());
        let row = |at: &usize| {
            let row = lambda.body.result[*at].var()?;
            let ty = self.names.ty(row);
            ty.is_array().then_some(row)
        };
        let Some(found) = rows.iter().map(row).collect::<Option<Vec<Var>>>() else { return false };
        if found.is_empty() {
            return false;
        }
        let certs = checks_in(stms);
        if !others.is_empty() {
            let of = |at: &usize| (stm.vars[*at], lambda.body.result[*at]);
            let (vars, result) = others.iter().map(of).unzip();
            let body = Body { stms: stms.clone(), result };
            let lambda = self.names.copy_lambda(&Lambda::new(lambda.params.clone(), body));
            let map = Exp::map(*width, inputs.clone(), lambda);
            self.statement(Stm { vars, exp: map, ..stm.clone() });
        } else if !certs.is_empty() {
            let checks = self.checks(stm, *width, inputs, &lambda.params, stms);
            self.out.push(checks);
        }
        let before = without_checks(stms, &certs);
        for (at, row) in rows.into_iter().zip(found) {
            let copy = self.names.like(&[row])[0];
            let inner = self.stm(vec![copy], Exp::copy(row));
            let nest = Nest::of_map(&self.names, *width, inputs, &lambda.params, &before, &inner);
            let own = Stm { vars: vec![stm.vars[at]], ..stm.clone() };
            let done = self.operator(&own, &nest, &[0]);
            debug_assert!(done, "elements: rows that are looked up are lost");
        }
        true
    }

    /// Rows of a map that are of different lengths by its type, but not by its lambda, are even first.
    pub fn make_even(&mut self, stm: &mut Stm) -> Vec<Stm> {
        let bound = mentions::bound_inside(stm);
        let Exp::Op(Operator::Map { lambda, .. }) = &stm.exp else { return Vec::new() };
        let results = lambda.body.result.clone();
        let mut after = Vec::new();
        for (var, result) in stm.vars.iter_mut().zip(results) {
            let ty = self.names.ty(*var).clone();
            let Some(row) = result.var() else { continue };
            let row = self.names.ty(row).clone();
            let is_outside = |dim: &Dim| match dim {
                Dim::Size(Atom::Var(size)) => !bound.contains(size),
                Dim::Size(Atom::Const(_)) => true,
                Dim::Irregular | Dim::Result(_) => false,
            };
            // Rows of one dimension are described by their lengths, whose sum is counted.
            let are_few = |dim: &Dim| matches!(dim, Dim::Size(Atom::Const(_)));
            let is_deep = ty.dims().iter().filter(|dim| **dim == Dim::Irregular).count() > 1;
            let is_worth_it = is_deep || row.dims().iter().all(are_few);
            if !ty.dims().contains(&Dim::Irregular) || !row.dims().iter().all(is_outside) || !is_worth_it {
                continue;
            }
            let even = self.names.fresh(&self.names.name(*var), row.array_of(ty.dims()[0]));
            let exp = Exp::coerce(even, ty.dims().to_vec());
            let uneven = std::mem::replace(var, even);
            after.push(Stm::new(vec![uneven], exp, stm.span));
        }
        after
    }

    /// Whether threads for the rows would be busy for different times, or rows are made of different lengths.
    fn is_uneven(&self, stm: &Stm, nest: &Nest) -> bool {
        if stm.vars.iter().any(|var| self.names.ty(*var).dims().contains(&Dim::Irregular)) {
            return true;
        }
        let mut bound = nest.bound.clone();
        let mut last = nest.inner;
        loop {
            if self.is_reduction_of_rows(last, &bound) {
                return false;
            }
            let Some(operator) = last.exp.op() else { return false };
            // Threads cannot sort, and what they part is far apart in memory.
            let together = matches!(last.exp, Exp::Op(Operator::Sort { .. } | Operator::Partition { .. }));
            if together || operator.width().var().is_some_and(|width| bound.contains(&width)) {
                return true;
            }
            let Exp::Op(Operator::Map { lambda, .. }) = &last.exp else { return false };
            let Some((inner, before)) = lambda.body.stms.split_last() else { return false };
            let yields = |atom: &Atom| inner.vars.iter().any(|var| Atom::Var(*var) == *atom);
            if !before.iter().all(computes_or_views) || !lambda.body.result.iter().all(yields) {
                return false;
            }
            bound.extend(lambda.params.iter().chain(before.iter().flat_map(|stm| &stm.vars)));
            last = inner;
        }
    }

    /// Segmented reductions are there already: of rows of any lengths, if all are combined in one way.
    fn is_reduction_of_rows(&self, stm: &Stm, bound: &HashSet<Var>) -> bool {
        let reductions = match &stm.exp {
            Exp::Op(Operator::Reduce { op, .. }) => std::slice::from_ref(op),
            Exp::Op(Operator::Fused { lambda, scans, reductions, .. })
                if scans.is_empty()
                    && reductions.iter().map(|op| op.neutral.len()).sum::<usize>()
                        == lambda.body.result.len() =>
            {
                &reductions[..]
            }
            _ => return false,
        };
        let is_scalar = |param: &Var| self.names.ty(*param).is_scalar();
        reductions.iter().all(|op| op.lambda.params.iter().all(is_scalar) && !self.depends(bound, op))
    }

    /// How the nest and an operator of this width inside it are one. `None`: that is not known in advance.
    pub fn joined_levels(&mut self, nest: &Nest, width: Atom) -> FlatDims {
        let varies = width.var().filter(|var| nest.bound.contains(var));
        let Some(own) = varies else { return FlatDims::Even(width) };
        let is_length = |(_, params): &&(Var, Vec<Var>)| params.len() == 2 && params[0] == own;
        let lengths = match nest.groups.iter().find(is_length) {
            Some((input, _)) => self.lengths_of(*input),
            None => self.per_row(nest, "lengths", i64s(nest.width), &mut |_, subst, _| subst.atom(width)),
        };
        FlatDims::Uneven(self.rows(lengths))
    }

    /// A map over the rows that yields one value of each.
    pub fn per_row(
        &mut self,
        nest: &Nest,
        name: &str,
        ty: Type,
        value: &mut dyn FnMut(&mut Self, &Subst, &mut Vec<Stm>) -> Atom,
    ) -> Var {
        let mut subst = Subst::default();
        let mut groups: Vec<(Var, Vec<Var>)> = Vec::new();
        for (input, params) in &nest.groups {
            let own = self.names.copy_lambda(&Lambda::new(params.clone(), Body::default())).params;
            params.iter().zip(&own).for_each(|(old, new)| subst.set(*old, *new));
            subst.types_of(&mut self.names.vars, &own);
            groups.push((*input, own));
        }
        let mut stms: Vec<Stm> = Vec::new();
        for stm in nest.before {
            stms.push(self.names.copy_stm(&mut subst, stm));
        }
        let result = value(self, &subst, &mut stms);
        let mut body = Body { stms, result: vec![result] };
        self.forget_unused(&mut body, &mut groups);
        let (inputs, params): (Vec<Var>, Vec<Vec<Var>>) = groups.into_iter().unzip();
        let lambda = Lambda::new(params.concat(), body);
        self.emit_once(name, ty, Exp::map(nest.width, inputs, lambda))
    }

    /// Only what the result needs is left, so that what is the same looks the same.
    fn forget_unused(&self, body: &mut Body, groups: &mut Vec<(Var, Vec<Var>)>) {
        let mut needed = Vec::new();
        mentions::in_atoms(&body.result, &mut needed);
        body.stms = mentions::needed(&self.names.vars, &body.stms, &mut needed);
        groups.retain(|(_, params)| params.iter().any(|param| needed.contains(param)));
    }

    /// The value of an expression, which may be there already.
    fn emit_once(&mut self, name: &str, ty: Type, exp: Exp) -> Var {
        let var = self.names.fresh(name, ty);
        let stm = self.stm(vec![var], exp);
        let key = key(&self.names.vars, &stm);
        if let Some(known) = key.as_ref().and_then(|key| self.known.values.get(key)) {
            return *known;
        }
        self.out.push(stm);
        self.known.values.extend(key.map(|key| (key, var)));
        var
    }
}

/// What may be done again for every element: next to nothing, and checks, which are made before.
pub fn may_repeat(stm: &Stm) -> bool {
    computes_or_views(stm) || is_check(stm) || is_short_literal(stm)
}

/// Scalars, elements and views, and nothing that fails.
pub fn computes_or_views(stm: &Stm) -> bool {
    stm.exp.is_scalar_or_view()
        || matches!(stm.exp, Exp::Array(ArrayExp::Reshape { .. } | ArrayExp::FlatIndex { .. }))
}

/// A few elements that are written down.
pub fn is_short_literal(stm: &Stm) -> bool {
    matches!(&stm.exp, Exp::Array(ArrayExp::ArrayLit(elements)) if elements.len() <= SHORT)
}
