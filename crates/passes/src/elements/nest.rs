//! Maps that consist of one operator over rows: which of them become operators over all elements, and what is one value for each
//! of their rows.

use super::Elements;
use super::rows::{Joined, i64s};
use crate::nest::cse::key::key;
use crate::nest::inputs::param_groups;
use crate::nest::mentions;
use crate::nest::subst::Subst;
use norn_ir::nest::{ArrayExp, Atom, Body, Dim, Elem, Exp, Lambda, Operator, Stm, Type, Var};
use std::collections::HashSet;

/// So many statements may be done again for every element.
const LITTLE: usize = 24;

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
        let plain = |var: &Var| matches!(self.names.ty(*var).elem(), Some(Elem::Prim(_)));
        if before.len() > LITTLE || !before.iter().all(is_cheap) || !inner.vars.iter().all(plain) {
            return false;
        }
        let groups = param_groups(&self.names.vars, inputs, &lambda.params);
        let groups = inputs.iter().copied().zip(groups.into_iter().map(<[Var]>::to_vec)).collect();
        let bound = lambda.params.iter().chain(before.iter().flat_map(|stm| &stm.vars)).copied().collect();
        let nest = Nest { width: *width, groups, before, inner, bound };
        self.is_uneven(stm, &nest) && self.operator(stm, &nest, &places)
    }

    /// Whether threads for the rows would be busy for different times, or rows are made of different lengths.
    fn is_uneven(&self, stm: &Stm, nest: &Nest) -> bool {
        if stm.vars.iter().any(|var| self.names.ty(*var).dims().contains(&Dim::Irregular)) {
            return true;
        }
        if self.is_reduction_of_rows(nest) {
            return false;
        }
        let mut bound = nest.bound.clone();
        let mut last = nest.inner;
        loop {
            let Some(operator) = last.exp.op() else { return false };
            // Threads cannot sort, and what they part is far apart in memory.
            let together = matches!(last.exp, Exp::Op(Operator::Sort { .. } | Operator::Partition { .. }));
            if together || operator.width().var().is_some_and(|width| bound.contains(&width)) {
                return true;
            }
            let Exp::Op(Operator::Map { lambda, .. }) = &last.exp else { return false };
            let Some((inner, before)) = lambda.body.stms.split_last() else { return false };
            let yields = |atom: &Atom| inner.vars.iter().any(|var| Atom::Var(*var) == *atom);
            if !before.iter().all(is_cheap) || !lambda.body.result.iter().all(yields) {
                return false;
            }
            bound.extend(lambda.params.iter().chain(before.iter().flat_map(|stm| &stm.vars)));
            last = inner;
        }
    }

    /// Segmented reductions are there already: of rows of any lengths, if all are combined in one way.
    fn is_reduction_of_rows(&self, nest: &Nest) -> bool {
        let reductions = match &nest.inner.exp {
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
        reductions.iter().all(|op| op.lambda.params.iter().all(is_scalar) && !self.depends(nest, op))
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

/// Scalars, elements and views, and nothing that fails.
fn is_cheap(stm: &Stm) -> bool {
    stm.exp.is_scalar_or_view()
        || matches!(stm.exp, Exp::Array(ArrayExp::Reshape { .. } | ArrayExp::FlatIndex { .. }))
}
