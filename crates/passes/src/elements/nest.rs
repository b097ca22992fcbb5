//! Maps that consist of one operator over rows: which of them become operators over all elements, and what is one value for each
//! of their rows.

use super::Elements;
use super::rows::{Joined, i64s};
use crate::nest::cse::key::key;
use crate::nest::inputs::param_groups;
use crate::nest::mentions;
use crate::nest::subst::Subst;
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, Dim, Exp, Lambda, Operator, Prim, Scalar, Stm, Type, Var,
};
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
        let may_repeat = |stm: &Stm| computes_or_views(stm) || is_check(stm) || is_short_literal(stm);
        if before.len() > LITTLE || !before.iter().all(may_repeat) || !inner.vars.iter().all(plain) {
            return false;
        }
        let certs: Vec<Var> =
            before.iter().filter(|stm| is_check(stm)).flat_map(|stm| stm.vars.iter().copied()).collect();
        let unchecked = |stm: &Stm| {
            let mut stm = stm.clone();
            mentions::retain_certs(&mut stm, &|cert| !certs.contains(&cert));
            stm
        };
        let plain_before: Vec<Stm> = before.iter().filter(|stm| !is_check(stm)).map(unchecked).collect();
        let (inner, checked) = (&unchecked(inner), before);
        let before = &plain_before[..];
        let groups = param_groups(&self.names.vars, inputs, &lambda.params);
        let groups = inputs.iter().copied().zip(groups.into_iter().map(<[Var]>::to_vec)).collect();
        let bound = lambda.params.iter().chain(before.iter().flat_map(|stm| &stm.vars)).copied().collect();
        let nest = Nest { width: *width, groups, before, inner, bound };
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
            let checks = self.checks(stm, *width, inputs, &lambda.params, checked);
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
        let certs: Vec<Var> =
            stms.iter().filter(|stm| is_check(stm)).flat_map(|stm| stm.vars.iter().copied()).collect();
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
        let mut before: Vec<Stm> = stms.iter().filter(|stm| !is_check(stm)).cloned().collect();
        before.iter_mut().for_each(|stm| mentions::retain_certs(stm, &|cert| !certs.contains(&cert)));
        for (at, row) in rows.into_iter().zip(found) {
            let copy = self.names.like(&[row])[0];
            let inner = self.stm(vec![copy], Exp::copy(row));
            let groups = param_groups(&self.names.vars, inputs, &lambda.params);
            let groups = inputs.iter().copied().zip(groups.into_iter().map(<[Var]>::to_vec)).collect();
            let bound =
                lambda.params.iter().chain(before.iter().flat_map(|stm| &stm.vars)).copied().collect();
            let nest = Nest { width: *width, groups, before: &before, inner: &inner, bound };
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
            let is_wanted = is_deep || row.dims().iter().all(are_few);
            if !ty.dims().contains(&Dim::Irregular) || !row.dims().iter().all(is_outside) || !is_wanted {
                continue;
            }
            let even = self.names.fresh(&self.names.name(*var), row.array_of(ty.dims()[0]));
            let exp = Exp::coerce(even, ty.dims().to_vec());
            let uneven = std::mem::replace(var, even);
            after.push(Stm::new(vec![uneven], exp, stm.span));
        }
        after
    }

    /// What of a map fails, before all else that it does.
    fn checks(&mut self, stm: &Stm, width: Atom, inputs: &[Var], params: &[Var], before: &[Stm]) -> Stm {
        let holds = Atom::Const(Scalar::Bool(true));
        let body = Body { stms: before.to_vec(), result: vec![holds] };
        let lambda = self.names.copy_lambda(&Lambda::new(params.to_vec(), body));
        let checked = self.names.fresh("checked", Type::array(Prim::Bool, vec![Dim::Size(width)]));
        let map = Exp::map(width, inputs.to_vec(), lambda);
        Stm { certs: stm.certs.clone(), ..self.stm(vec![checked], map) }
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
    pub fn joined_levels(&mut self, nest: &Nest, width: Atom) -> Joined {
        let varies = width.var().filter(|var| nest.bound.contains(var));
        let Some(own) = varies else { return Joined::Even(width) };
        let is_length = |(_, params): &&(Var, Vec<Var>)| params.len() == 2 && params[0] == own;
        let lengths = match nest.groups.iter().find(is_length) {
            Some((input, _)) => self.lengths_of(*input),
            None => self.per_row(nest, "lengths", i64s(nest.width), &mut |_, subst, _| subst.atom(width)),
        };
        Joined::Uneven(self.rows(lengths))
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

pub fn is_check(stm: &Stm) -> bool {
    matches!(stm.exp, Exp::Control(ControlExp::Check(_)))
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
