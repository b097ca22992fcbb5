//! Operators that the threads of a group do together: of scalars, with elements that a thread can do, which may reduce rows again.

use super::plan::Plan;
use super::{MOST_DIMS, TOGETHER};
use crate::flatten::worth::is_narrow;
use crate::imp_gen::{GROUP, inner_map, scan_room, shared_by_hist};
use norn_ir::nest::{ArrayExp, Atom, Body, Exp, Lambda, Operator, Prim, Reduction, Stm, Var};
use std::collections::{BTreeMap, HashSet};

impl Plan<'_, '_, '_> {
    pub(super) fn operator(&mut self, op: &Operator, inside: &HashSet<Var>) -> Option<Operator> {
        match op {
            Operator::Map { inputs, .. } => {
                let mut count = Vec::new();
                self.levels(op, &mut count)?;
                let mut of_group = op.clone();
                let lambda = innermost(&mut of_group)?;
                self.is_for_a_thread(lambda, true)?;
                self.note_products(lambda, inputs)?;
                let mut inner = lambda.body.stms.iter().filter_map(|stm| stm.exp.op());
                let reduces = inner.any(|op| !is_narrow(op.width()));
                let rows = self.rows_together(lambda, inside);
                if reduces && rows.is_none() {
                    self.unknown_count(op)?;
                }
                count.extend(rows);
                self.count(count)?;
                Some(of_group)
            }
            Operator::Reduce { .. } | Operator::Scan { .. } | Operator::Fused { .. } => {
                let combining = op.combining()?;
                self.varying_count(combining.width, op)?;
                if let Some(lambda) = combining.lambda {
                    self.is_for_a_thread(lambda, false)?;
                    self.note_products(lambda, combining.inputs)?;
                }
                self.share(combining.scans.iter().chain(combining.reductions))?;
                Some(op.clone())
            }
            Operator::Scatter { width, dests, lambda, .. } => {
                self.varying_count(*width, op)?;
                dests.iter().all(|dest| self.around.is_for_groups(*dest)).then_some(())?;
                self.is_for_a_thread(lambda, false)?;
                Some(op.clone())
            }
            Operator::Hist { width, dests, op: combines, lambda, .. } => {
                self.is_deep = true;
                self.varying_count(*width, op)?;
                dests.iter().all(|dest| self.around.is_for_groups(*dest)).then_some(())?;
                self.is_for_a_thread(lambda, false)?;
                let scalar = |var: &Var| self.around.names.ty(*var).prim().is_some();
                combines.lambda.params.iter().all(scalar).then_some(())?;
                self.around.is_alone_in_body(&combines.lambda.body, false).then_some(())?;
                let mut shared: BTreeMap<Prim, i64> = BTreeMap::new();
                for prim in shared_by_hist(&self.around.names.vars, &combines.lambda) {
                    *shared.entry(prim).or_default() += GROUP * prim.size() as i64;
                }
                self.at_least(shared);
                Some(op.clone())
            }
            _ => None,
        }
    }

    /// The only reduction in an element of maps is done by several threads, if there are more threads than elements: it is a grid of its own. How wide it is, if that is known
    /// outside.
    fn rows_together(&mut self, lambda: &mut Lambda, inside: &HashSet<Var>) -> Option<Atom> {
        let mut operators = lambda.body.stms.iter_mut().filter(|stm| stm.exp.op().is_some());
        let (Some(only), None) = (operators.next(), operators.next()) else { return None };
        let combining = only.exp.op()?.combining()?;
        let width = combining.width;
        if width.var().is_some_and(|width| inside.contains(&width)) {
            return None;
        }
        self.share(combining.reductions.iter())?;
        only.grid = Some(TOGETHER);
        self.estimated(width)
    }

    /// Elements that reduce rows of a matrix that is the same for all groups are a product, which is done faster for all of them at once if that is large,
    /// unless it takes launches in each iteration of a loop.
    fn note_products(&mut self, lambda: &Lambda, inputs: &[Var]) -> Option<()> {
        let reduces = lambda.body.stms.iter().any(|stm| stm.exp.op().is_some());
        for input in inputs.iter().filter(|_| reduces && self.in_loops == 0) {
            let ty = self.around.names.ty(*input);
            if self.known((*input).into()).is_some() && ty.rank() > 1 {
                let sizes: Option<Vec<Atom>> = ty.dims().iter().map(|dim| dim.atom()).collect();
                self.matrices.push(sizes.filter(|sizes| sizes.len() <= MOST_DIMS)?);
            }
        }
        Some(())
    }

    /// What is combined has places that all threads see.
    fn share<'r>(&mut self, ops: impl Iterator<Item = &'r Reduction>) -> Option<()> {
        let mut shared: BTreeMap<Prim, i64> = BTreeMap::new();
        for op in ops {
            self.combines(op, &mut shared)?;
        }
        self.at_least(shared);
        Some(())
    }

    fn at_least(&mut self, shared: BTreeMap<Prim, i64>) {
        for (prim, bytes) in shared {
            let most = self.shared.entry(prim).or_default();
            *most = bytes.max(*most);
        }
    }

    /// The widths of maps right inside each other, with nothing but scalars between them.
    fn levels(&self, op: &Operator, count: &mut Vec<Atom>) -> Option<()> {
        let Operator::Map { width, lambda, .. } = op else { return Some(()) };
        count.push(self.known(*width)?);
        let Some(inner) = inner_map(lambda) else { return Some(()) };
        let (_, before) = lambda.body.stms.split_last()?;
        before.iter().all(|stm| self.around.is_plain(stm)).then_some(())?;
        self.levels(inner.exp.op()?, count)
    }

    /// Whether one thread can do an element, and yields scalars, or if `rows` also arrays of scalars that it stores where they belong.
    fn is_for_a_thread(&mut self, lambda: &Lambda, rows: bool) -> Option<()> {
        let is_row = |stm: &Stm| {
            rows && matches!(&stm.exp, Exp::Array(ArrayExp::ArrayLit(_)))
                && self.around.names.ty(stm.vars[0]).rank() == 1
        };
        let Body { stms, result } = &lambda.body;
        let yields = |atom: &Atom| {
            let Some(var) = atom.var() else { return true };
            self.around.names.ty(var).is_scalar()
                || stms.iter().any(|stm| is_row(stm) && stm.vars.contains(&var))
        };
        let is_single_row = |stm: &Stm| {
            let places = result.iter().filter(|atom| **atom == Atom::Var(stm.vars[0]));
            is_row(stm) && places.count() == 1
        };
        let alone = stms.iter().all(|stm| is_single_row(stm) || self.around.is_alone(stm, true));
        let is_deep = !stms.iter().all(|stm| is_single_row(stm) || self.around.is_plain(stm));
        let fits = alone && result.iter().all(yields);
        self.is_deep |= is_deep;
        fits.then_some(())
    }

    /// Each thread of a group begins with the neutral element. One that differs from element to element may be no neutral element at all
    /// (`neutral`), and is combined once only.
    fn combines(&self, op: &Reduction, shared: &mut BTreeMap<Prim, i64>) -> Option<()> {
        op.neutral.iter().all(|atom| self.known(*atom).is_some()).then_some(())?;
        let params = &op.lambda.params;
        let prims: Option<Vec<Prim>> = params.iter().map(|var| self.around.names.ty(*var).prim()).collect();
        let prims = &prims?[..params.len() / 2];
        let bytes: i64 = prims.iter().map(|prim| prim.size() as i64).sum();
        for prim in prims {
            *shared.entry(*prim).or_default() += scan_room(bytes) / bytes * prim.size() as i64;
        }
        self.around.is_alone_in_body(&op.lambda.body, false).then_some(())
    }
}

/// The lambda of the last of maps right inside each other.
fn innermost(op: &mut Operator) -> Option<&mut Lambda> {
    let Operator::Map { lambda, .. } = op else { return None };
    match inner_map(lambda).is_some() {
        true => innermost(lambda.body.stms.last_mut()?.exp.op_mut()?),
        false => Some(lambda),
    }
}
