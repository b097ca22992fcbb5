//! Histograms in parts: each part has bins of its own, which are combined bin by bin, at the end with the destination.

use super::Remade;
use super::part::kernel;
use crate::nest::subst::Names;
use norn_base::Span;
use norn_ir::nest::task::Join;
use norn_ir::nest::{Atom, Body, Exp, Lambda, Operator, Reduction, Stm, Type, Var};
use std::collections::HashMap;

/// The bins of a histogram.
pub struct Bins<'a> {
    vars: &'a [Var],
    dests: &'a [Var],
    op: &'a Reduction,
    /// The dimensions that are indexed.
    sizes: Vec<Atom>,
    span: Span,
}

impl<'a> Bins<'a> {
    pub fn new(names: &Names, stm: &'a Stm, op: &'a Operator) -> Bins<'a> {
        let Operator::Hist { dests, op, lambda, .. } = op else { panic!("fission: no histogram has bins") };
        let indices = lambda.body.result.len() - dests.len();
        let sizes = names.ty(dests[0]).dims()[..indices].iter().filter_map(|dim| dim.atom()).collect();
        Bins { vars: &stm.vars, dests, op, sizes, span: stm.span }
    }

    /// Bins in which nothing has been counted.
    pub fn neutral(&self, names: &mut Names, out: &mut Vec<Stm>) -> Vec<Var> {
        let mut all = Vec::new();
        for (dest, neutral) in self.dests.iter().zip(&self.op.neutral) {
            let ty = names.ty(*dest).clone();
            let mut value = *neutral;
            for at in (0..self.sizes.len()).rev() {
                let var = names.fresh("none", ty.with_dims(ty.dims()[at..].to_vec()));
                out.push(Stm::new(vec![var], Exp::replicate(self.sizes[at], value), self.span));
                value = var.into();
            }
            all.extend(value.var());
        }
        all
    }

    /// How bins of parts are combined, and these with the destinations.
    pub fn join(
        &self,
        names: &mut Names,
        remade: &HashMap<Var, Remade>,
        before: &mut Vec<Stm>,
        after: &mut Vec<Stm>,
        bound: &mut Vec<Var>,
        joins: &mut Vec<Join>,
    ) {
        let none = self.neutral(names, before);
        let (some, others) = (names.like(self.vars), names.like(self.vars));
        let mut stms = Vec::new();
        let combined = names.like(self.vars);
        self.combined(names, &some, &others, &combined, &mut stms);
        let result = combined.into_iter().map(Atom::Var).collect();
        let lambda = Lambda::new([some, others].concat(), Body { stms, result });
        let neutral = none.into_iter().map(Atom::Var).collect();
        joins.push(Join::Partial(Reduction { lambda, neutral, commutative: self.op.commutative }));
        let are_neutral = self.dests.iter().zip(&self.op.neutral);
        if are_neutral.into_iter().all(|(dest, neutral)| self.is_neutral(remade, *dest, *neutral)) {
            return bound.extend(self.vars);
        }
        let counted = names.like(self.vars);
        self.combined(names, self.dests, &counted, self.vars, after);
        bound.extend(counted);
    }

    /// Whether nothing has been counted in a destination.
    fn is_neutral(&self, remade: &HashMap<Var, Remade>, dest: Var, neutral: Atom) -> bool {
        let mut value = Atom::Var(dest);
        for _ in &self.sizes {
            match value.var().and_then(|var| remade.get(&var)) {
                Some(Remade::Replicate(row)) => value = *row,
                Some(Remade::Range { .. }) | None => return false,
            }
        }
        value == neutral
    }

    /// Bin by bin.
    fn combined(&self, names: &mut Names, some: &[Var], others: &[Var], to: &[Var], out: &mut Vec<Stm>) {
        let exp = self.map(names, &self.sizes, &[some, others].concat());
        out.push(Stm { grid: kernel(), ..Stm::new(to.to_vec(), exp, self.span) });
    }

    fn map(&self, names: &mut Names, sizes: &[Atom], inputs: &[Var]) -> Exp {
        let (width, inner) = sizes.split_first().expect("a histogram has an index");
        if inner.is_empty() {
            return Exp::map(*width, inputs.to_vec(), names.copy_lambda(&self.op.lambda));
        }
        let row = |names: &Names, var: &Var| names.ty(*var).row().unwrap_or(Type::bool());
        let types: Vec<Type> = inputs.iter().map(|var| row(names, var)).collect();
        let params: Vec<Var> = types.into_iter().map(|ty| names.fresh("row", ty)).collect();
        let exp = self.map(names, inner, &params);
        let results: Vec<Var> = self
            .dests
            .iter()
            .map(|dest| row(names, dest))
            .collect::<Vec<Type>>()
            .into_iter()
            .map(|ty| {
                let skipped = self.sizes.len() - inner.len() - 1;
                names.fresh("row", ty.with_dims(ty.dims()[skipped..].to_vec()))
            })
            .collect();
        let result = results.iter().map(|var| (*var).into()).collect();
        let body = Body { stms: vec![Stm::new(results, exp, self.span)], result };
        Exp::map(*width, inputs.to_vec(), Lambda::new(params, body))
    }
}
