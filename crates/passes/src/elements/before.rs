//! Maps that make rows of different lengths after much else: that is a map of its own, which says what the rows need.
//!
//! ```text
//! let rs: [n][?]i64 = map n (xs) \(x) {           let starts: [n]i64, counts: [n]i64 = map n (xs) \(x) {
//!   let start: i64 = loop .. x ..                   let start: i64 = loop .. x ..
//!   let count: i64 = if .. x ..                     let count: i64 = if .. x ..
//!   let r: [count]i64 = range count start 1   ==>   in start, count
//!   in r                                          }
//! }                                               let rs: [n][?]i64 = map n (starts, counts) \(start, count) {
//!                                                   let r: [count]i64 = range count start 1
//!                                                   in r
//!                                                 }
//! ```
//!
//! The elements of all rows can be made at once then, without a thread that goes through the longest of them.

use super::Elements;
use super::checks::{checks_in, is_check, without_checks};
use super::nest::{LITTLE, computes_or_views, is_short_literal};
use crate::nest::mentions;
use norn_ir::nest::{ArrayExp, Atom, Body, Dim, Exp, Lambda, Operator, Stm, Var};

impl Elements {
    /// Whether the map has been replaced by two.
    pub fn map_apart(&mut self, stm: &Stm) -> bool {
        let Exp::Op(Operator::Map { width, inputs, lambda }) = &stm.exp else { return false };
        let Some((inner, before)) = lambda.body.stms.split_last() else { return false };
        let is_made = matches!(
            inner.exp,
            Exp::Array(
                ArrayExp::Range { .. }
                    | ArrayExp::Replicate { .. }
                    | ArrayExp::Concat { .. }
                    | ArrayExp::Copy(_)
            )
        );
        let is_row = stm.vars.iter().all(|var| self.names.ty(*var).has_irregular_rows())
            && lambda.body.result.iter().all(|row| inner.vars.iter().any(|var| *row == Atom::Var(*var)));
        if !is_made || !is_row || before.iter().all(computes_or_views) && before.len() <= LITTLE {
            return false;
        }
        let Some((stored, kept)) = self.needed_by(inner, before) else { return false };
        if stored.is_empty() || kept.len() > LITTLE {
            return false;
        }
        let body = Body { stms: before.to_vec(), result: stored.iter().map(|var| (*var).into()).collect() };
        let first = self.names.copy_lambda(&Lambda::new(lambda.params.clone(), body));
        let arrays: Vec<Var> = stored
            .iter()
            .map(|var| {
                let (name, ty) = (self.names.name(*var), self.names.ty(*var).clone());
                self.names.fresh(&name, ty.array_of(Dim::Size(*width)))
            })
            .collect();
        let map = Exp::map(*width, inputs.clone(), first);
        self.statement(Stm { vars: arrays.clone(), exp: map, ..stm.clone() });

        let stms: Vec<Stm> = kept.into_iter().chain([inner.clone()]).collect();
        let stms = without_checks(&stms, &checks_in(before));
        let body = Body { stms, result: lambda.body.result.clone() };
        let params = lambda.params.iter().chain(&stored).copied().collect();
        let second = self.names.copy_lambda(&Lambda::new(params, body));
        let inputs = inputs.iter().chain(&arrays).copied().collect();
        self.statement(Stm { exp: Exp::map(*width, inputs, second), ..stm.clone() });
        true
    }

    /// The numbers that a statement needs of those before it, and the views and short arrays that it needs, which can be made again. None if it needs
    /// other arrays.
    fn needed_by(&self, inner: &Stm, before: &[Stm]) -> Option<(Vec<Var>, Vec<Stm>)> {
        let mut needed = Vec::new();
        mentions::in_stm(&self.names.vars, inner, &mut needed);
        let (mut stored, mut kept) = (Vec::new(), Vec::new());
        for stm in before.iter().rev().filter(|stm| !is_check(stm)) {
            let wanted: Vec<Var> = stm.vars.iter().copied().filter(|var| needed.contains(var)).collect();
            if wanted.iter().all(|var| self.names.ty(*var).is_scalar()) {
                stored.extend(wanted);
            } else if computes_or_views(stm) || is_short_literal(stm) {
                mentions::in_stm(&self.names.vars, stm, &mut needed);
                kept.push(stm.clone());
            } else {
                return None;
            }
        }
        kept.reverse();
        Some((stored, kept))
    }
}
