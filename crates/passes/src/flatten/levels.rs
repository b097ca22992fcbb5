//! Maps that yield numbers beside the rows of a map inside them become two, for groups of threads: one of a level, one of two levels.
//!
//! Before and after:
//! ```text
//! let ls: [n]f32, rows: [n][m]f32 = map n (xs) \(x: f32) {
//!   let l: f32 = sqrt.f32 x
//!   let row: [m]f32 = map m (ys) \(y: f32) {..}
//!   in l, row
//! }
//! ```
//! ```text
//! let ls: [n]f32 = map n (xs) \(x: f32) {
//!   let l: f32 = sqrt.f32 x
//!   in l
//! }
//! let rows: [n][m]f32 = map n (xs) \(x.2: f32) {
//!   let l.2: f32 = sqrt.f32 x.2
//!   let row: [m]f32 = map m (ys) \(y: f32) {..}
//!   in row
//! }
//! ```
//!
//! What stands before the inner map is done twice, which is what each thread of a group would do anyway, if there are only numbers. Where there are operators, the first
//! map yields what the second needs of their results. A branch at the end that chooses between rows is a map of branches first
//! (`chosen_elements`), and an array that is concatenated from others is a map over its elements (`nest/by_elements`).
//!
//! An operator that yields rows and reduces over all of their elements becomes three: a map of two levels, a reduction of each row, and one of what these yield.
//! ```text
//! let s: f32, rows: [n][m]f32 = fused n (xss) \(xs: [m]f32) {
//!   let t: f32, row: [m]f32 = fused m (xs) \(x: f32) {..} reduce op
//!   in t, row
//! } reduce op
//! ```

use super::Distributor;
use crate::imp_gen::inner_map;
use crate::nest::by_elements::bottom;
use crate::nest::mentions::{self, bound_inside};
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{Atom, Body, Dim, Exp, Lambda, Operator, Stm, Var};

impl Distributor<'_, '_> {
    /// The statement, a map, with the maps in its lambda, in loops and branches, too, taken apart so.
    pub fn levels_apart(&mut self, stm: &Stm) -> Stm {
        let mut stm = stm.clone();
        if let Exp::Op(Operator::Map { lambda, .. }) = &mut stm.exp {
            self.levels_of_body(&mut lambda.body);
        }
        stm
    }

    fn levels_of_body(&mut self, body: &mut Body) {
        let mut stms = Vec::with_capacity(body.stms.len());
        let combined = |stm: Stm, this: &mut Self| this.combined_apart(&stm).unwrap_or_else(|| vec![stm]);
        let list: Vec<Stm> =
            std::mem::take(&mut body.stms).into_iter().flat_map(|stm| combined(stm, self)).collect();
        for mut stm in list {
            self.choose_in_levels(&mut stm);
            bottom(&mut self.names.vars, &mut stm.exp);
            self.names.memory.grow(self.names.vars.len());
            if let Some(operators) = self.operators_apart(&mut stm) {
                stms.push(operators);
            }
            if let Some(numbers) = self.numbers_apart(&mut stm) {
                stms.push(numbers);
            }
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => self.levels_of_body(body),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) | PartMut::Lambda(_) => {}
            });
            stms.push(stm);
        }
        body.stms = stms;
    }

    fn choose_in_levels(&mut self, stm: &mut Stm) {
        let inside = bound_inside(stm);
        let Exp::Op(Operator::Map { lambda, .. }) = &mut stm.exp else { return };
        self.choose_by_elements(lambda, &|atom| atom.var().is_none_or(|var| !inside.contains(&var)));
        lambda.body.stms.iter_mut().for_each(|stm| self.choose_in_levels(stm));
    }

    /// What a map that ends in another does before, with operators, in a map of its own; what is left of it has the results.
    fn operators_apart(&mut self, stm: &mut Stm) -> Option<Stm> {
        let Exp::Op(Operator::Map { width, inputs, lambda }) = &mut stm.exp else { return None };
        inner_map(lambda)?;
        let (last, before) = lambda.body.stms.split_last()?;
        if !before.iter().any(|stm| stm.exp.op().is_some()) {
            return None;
        }
        let mut needed = Vec::new();
        mentions::in_stm(&self.names.vars, last, &mut needed);
        // Numbers are handed on, views of arrays are made again.
        let mut numbers = Vec::new();
        let mut second = vec![last.clone()];
        for stm in before.iter().rev() {
            let used: Vec<Var> = stm.vars.iter().copied().filter(|var| needed.contains(var)).collect();
            if used.iter().all(|var| self.names.ty(*var).is_scalar()) {
                numbers.extend(used);
            } else if stm.exp.is_scalar_or_view() {
                mentions::in_stm(&self.names.vars, stm, &mut needed);
                second.push(stm.clone());
            } else {
                return None;
            }
        }
        second.reverse();
        let result = numbers.iter().map(|var| Atom::Var(*var)).collect();
        let first = Lambda::new(lambda.params.clone(), Body { stms: before.to_vec(), result });
        let first = Exp::map(*width, inputs.clone(), self.names.copy_lambda(&first));
        let mut arrays = Vec::with_capacity(numbers.len());
        for var in &numbers {
            arrays.push(self.names.fresh("number", self.names.ty(*var).array_of(Dim::Size(*width))));
        }
        inputs.extend(&arrays);
        lambda.params.extend(numbers);
        lambda.body.stms = second;
        let (certs, attrs) = (stm.certs.clone(), stm.attrs.clone());
        Some(Stm { certs, attrs, ..Stm::new(arrays, first, stm.span) })
    }

    /// The numbers that a map yields beside rows, from a map of their own; what is left of it yields rows.
    fn numbers_apart(&mut self, stm: &mut Stm) -> Option<Stm> {
        let Exp::Op(Operator::Map { width, inputs, lambda }) = &mut stm.exp else { return None };
        let (last, before) = lambda.body.stms.split_last()?;
        let rows: Vec<Atom> = last.vars.iter().map(|var| Atom::Var(*var)).collect();
        let is_row = |at: &usize| rows.contains(&lambda.body.result[*at]);
        let (of_rows, others): (Vec<usize>, Vec<usize>) = (0..lambda.body.result.len()).partition(is_row);
        let is_number =
            |at: &usize| lambda.body.result[*at].var().is_none_or(|var| self.names.ty(var).is_scalar());
        let is_map = matches!(last.exp.op(), Some(Operator::Map { .. }));
        if !is_map || of_rows.is_empty() || others.is_empty() || !others.iter().all(is_number) {
            return None;
        }
        let pick = |at: &[usize]| -> (Vec<Var>, Vec<Atom>) {
            at.iter().map(|at| (stm.vars[*at], lambda.body.result[*at])).unzip()
        };
        let (vars, result) = pick(&others);
        let numbers = Lambda::new(lambda.params.clone(), Body { stms: before.to_vec(), result });
        let numbers = self.names.copy_lambda(&numbers);
        let exp = Exp::map(*width, inputs.clone(), numbers);
        let first =
            Stm { certs: stm.certs.clone(), attrs: stm.attrs.clone(), ..Stm::new(vars, exp, stm.span) };
        (stm.vars, lambda.body.result) = pick(&of_rows);
        Some(first)
    }

    /// What yields rows, what reduces each of them, and what reduces that.
    fn combined_apart(&mut self, stm: &Stm) -> Option<Vec<Stm>> {
        let Exp::Op(Operator::Fused { lambda, scans, .. }) = &stm.exp else { return None };
        let (last, before) = lambda.body.stms.split_last()?;
        let is_for_two =
            scans.is_empty() && self.is_mixed(last) && !before.iter().any(|stm| stm.exp.op().is_some());
        let mut list = self.map_first(stm).filter(|_| is_for_two)?;
        let Exp::Op(Operator::Map { width, inputs, lambda }) = &list[0].exp else { return None };
        let (last, before) = lambda.body.stms.split_last()?;
        let [rows, numbers] = &self.unmixed(last)?[..] else { return None };

        let bound = bound_inside(&list[0]);
        let mut needed = Vec::new();
        mentions::in_stm(&self.names.vars, numbers, &mut needed);
        let is_row = |atom: &Atom| atom.var().is_some_and(|var| rows.vars.contains(&var));
        let results = || list[0].vars.iter().copied().zip(lambda.body.result.iter().copied());
        let (mut of_rows, of_numbers): (Vec<_>, Vec<_>) = results().partition(|(_, result)| is_row(result));
        let (mut inputs_again, mut params) = (inputs.clone(), lambda.params.clone());
        for row in rows.vars.iter().copied().filter(|row| needed.contains(row)) {
            let known = of_rows.iter().find(|(_, result)| *result == row.into());
            let array = match known {
                Some((array, _)) => *array,
                None => {
                    let array = self.array_for(*width, row, &bound);
                    of_rows.push((array, row.into()));
                    array
                }
            };
            inputs_again.push(array);
            params.push(row);
        }
        let part = |stms: Vec<Stm>, of: Vec<(Var, Atom)>, params: Vec<Var>| {
            let (vars, result): (Vec<Var>, Vec<Atom>) = of.into_iter().unzip();
            (vars, Lambda::new(params, Body { stms, result }))
        };
        let (row_arrays, first) =
            part([before, std::slice::from_ref(rows)].concat(), of_rows, lambda.params.clone());
        let (number_arrays, second) =
            part([before, std::slice::from_ref(numbers)].concat(), of_numbers, params);
        let first = Exp::map(*width, inputs.clone(), first);
        let second = Exp::map(*width, inputs_again, self.names.copy_lambda(&second));
        let first = Stm { vars: row_arrays, exp: first, ..list[0].clone() };
        let second = Stm { vars: number_arrays, exp: second, ..list[0].clone() };
        list.splice(0..1, [first, second]);
        Some(list)
    }
}
