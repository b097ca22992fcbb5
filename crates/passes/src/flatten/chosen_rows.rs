//! Filters and partitions whose values are rows: of the numbers of the elements, and then a map that fetches the rows of those.
//!
//! ```text
//! let k: i64, ys: [k][m]f32 =                 let numbers: [n]i64 = range.i64 n 0i64 1i64
//!   filter n (xss) \(xs: [m]f32) {            let k: i64, kept: [k]i64 = filter n (xss, numbers) \(xs: [m]f32, number: i64) {
//!     let x: f32 = index xs [0i64]              let x: f32 = index xs [0i64]
//!     let c: bool = lt.f32 0f32 x               let c: bool = lt.f32 0f32 x
//!     in c, xs                          ==>     in c, number
//!   }                                         }
//!                                             let ys: [k][m]f32 = map k (kept) \(number: i64) {
//!                                               let xs: [m]f32 = index xss [number]
//!                                               in xs
//!                                             }
//! ```
//!
//! So a tile of the filter keeps one number for each element, however long its rows are, and rows are copied by elements. What only rows need
//! is computed for the elements that were chosen; what the choice needs as well is done twice if it is next to nothing, and otherwise comes
//! from a map in front of the filter. So does what may fail: it has to fail for elements that are not chosen, too.
//!
//! Refuses rows of different lengths, and leaves alone small rows of a known size, which a thread keeps in registers.

use super::Distributor;
use crate::imp_gen::kept_by_thread;
use crate::nest::mentions;
use norn_ir::nest::{Atom, Body, ControlExp, Dim, DimIndex, Exp, Lambda, Operator, Prim, Stm, Type, Var};

/// So many statements may be done twice.
const LITTLE: usize = 16;

impl Distributor<'_, '_> {
    /// The statements that do the same; none if there is nothing to do.
    pub fn chosen_rows(&mut self, stm: &Stm) -> Option<Vec<Stm>> {
        let Exp::Op(
            Operator::Filter { width, inputs, lambda } | Operator::Partition { width, inputs, lambda },
        ) = &stm.exp
        else {
            return None;
        };
        let ty = |var: Var| self.names.ty(var);
        let values = &lambda.body.result[1..];
        let is_fetched = |atom: &Atom| atom.var().is_some_and(|var| kept_by_thread(ty(var)).is_none());
        if !values.iter().any(is_fetched) {
            return None;
        }
        let is_irregular = |var: &Var| ty(*var).dims().contains(&Dim::Irregular);
        if stm.vars.iter().any(is_irregular) || inputs.iter().any(|input| ty(*input).has_irregular_rows()) {
            return None;
        }
        let (rows, kept): (Vec<usize>, Vec<usize>) =
            (0..values.len()).partition(|at| is_fetched(&values[*at]));
        let choosing = self.choosing(lambda, &kept);
        let own: Vec<Vec<Stm>> = rows
            .iter()
            .map(|at| {
                mentions::needed(
                    &self.names.vars,
                    &lambda.body.stms,
                    &mut values[*at].var().into_iter().collect(),
                )
            })
            .collect();
        let twice = |stm: &Stm| choosing.iter().any(|other| other.vars == stm.vars) && !self.is_little(stm);
        if own.iter().flatten().any(twice) {
            return self.map_first(stm);
        }

        let place = |vars: Vec<Var>, exp: Exp| Stm { vars, exp, ..stm.clone() };
        let is_filter = matches!(stm.exp, Exp::Op(Operator::Filter { .. }));
        let count = if is_filter { Atom::Var(stm.vars[0]) } else { *width };
        let (width, inputs, lambda) = (*width, inputs.clone(), lambda.clone());
        let all = self.names.fresh("numbers", Type::array(Prim::I64, vec![Dim::Size(width)]));
        let number = self.names.fresh("number", Type::i64());
        let numbers = self.names.fresh("kept", Type::array(Prim::I64, vec![Dim::Size(count)]));

        // The choice, with the number of the element in place of the rows.
        let mut vars = vec![stm.vars[0], numbers];
        let mut result = vec![lambda.body.result[0], number.into()];
        for at in kept {
            vars.push(stm.vars[at + 1]);
            result.push(values_of(&lambda)[at]);
        }
        let params = lambda.params.iter().copied().chain([number]).collect();
        let choice = Lambda::new(params, Body { stms: choosing, result });
        let chosen_from: Vec<Var> = inputs.iter().copied().chain([all]).collect();
        let choice = match is_filter {
            true => Operator::Filter { width, inputs: chosen_from, lambda: choice },
            false => Operator::Partition { width, inputs: chosen_from, lambda: choice },
        };
        let mut list = vec![place(vec![all], Exp::iota(width)), place(vars, Exp::Op(choice))];
        for (at, own) in rows.into_iter().zip(own) {
            let exp = self.fetched(count, numbers, &inputs, &lambda, values_of(&lambda)[at], own);
            list.push(place(vec![stm.vars[at + 1]], exp));
        }
        Some(list)
    }

    /// What says which elements are chosen, and what a thread keeps of them; and all that may fail.
    fn choosing(&self, lambda: &Lambda, kept: &[usize]) -> Vec<Stm> {
        let mut live: Vec<Var> = lambda.body.result[0].var().into_iter().collect();
        live.extend(kept.iter().filter_map(|at| values_of(lambda)[*at].var()));
        let mut stms: Vec<Stm> = Vec::new();
        for stm in lambda.body.stms.iter().rev() {
            if stm.vars.iter().any(|var| live.contains(var)) || self.effects.stm_fails(stm) {
                mentions::in_stm(&self.names.vars, stm, &mut live);
                mentions::certs(stm, &mut live);
                stms.push(stm.clone());
            }
        }
        stms.reverse();
        stms
    }

    /// Scalars and views, and what says that they are there.
    fn is_little(&self, stm: &Stm) -> bool {
        match &stm.exp {
            Exp::Control(ControlExp::Check(_)) => true,
            Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. }) => {
                let mut few = stm.vars.iter().all(|var| self.names.ty(*var).is_scalar());
                stm.for_each_part(&mut |part| {
                    if let norn_ir::nest::walk::Part::Body(body) = part {
                        few &= body.statements() <= LITTLE && body.stms.iter().all(|stm| self.is_little(stm));
                    }
                });
                few
            }
            exp => exp.is_scalar_or_view(),
        }
    }

    /// The rows of the elements with these numbers, of which each is computed by these statements.
    fn fetched(
        &mut self,
        count: Atom,
        numbers: Var,
        inputs: &[Var],
        lambda: &Lambda,
        row: Atom,
        own: Vec<Stm>,
    ) -> Exp {
        let is_bound =
            |var: Var| lambda.params.contains(&var) || own.iter().any(|stm| stm.vars.contains(&var));
        if !row.var().is_some_and(is_bound) {
            return Exp::replicate(count, row);
        }
        let number = self.names.fresh("number", Type::i64());
        let mut used = Vec::new();
        mentions::in_atoms(&[row], &mut used);
        own.iter().for_each(|stm| mentions::in_stm(&self.names.vars, stm, &mut used));
        let mut stms = Vec::with_capacity(own.len() + inputs.len());
        for (input, param) in inputs.iter().zip(&lambda.params).filter(|(_, param)| used.contains(param)) {
            let exp = Exp::index(*input, vec![DimIndex::Fix(number.into())]);
            stms.push(Stm::new(vec![*param], exp, self.span));
        }
        // The choice has made all checks.
        let is_check = |stm: &Stm| matches!(stm.exp, Exp::Control(ControlExp::Check(_)));
        let checked: Vec<Var> =
            own.iter().filter(|stm| is_check(stm)).flat_map(|stm| stm.vars.clone()).collect();
        stms.extend(own.into_iter().filter(|stm| !is_check(stm)));
        stms.iter_mut().for_each(|stm| mentions::retain_certs(stm, &|cert| !checked.contains(&cert)));
        let fetch = Lambda::new(vec![number], Body { stms, result: vec![row] });
        Exp::map(count, vec![numbers], self.names.copy_lambda(&fetch))
    }
}

fn values_of(lambda: &Lambda) -> &[Atom] {
    &lambda.body.result[1..]
}
