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
//! What stands before the inner map is done twice, which is what each thread of a group would do anyway: numbers are all that may be there.

use super::Distributor;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{Atom, Body, Exp, Lambda, Operator, Stm, Var};

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
        for mut stm in std::mem::take(&mut body.stms) {
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
}
