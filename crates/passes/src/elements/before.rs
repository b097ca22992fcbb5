//! Maps that make rows of different lengths after much else, or several of them: what the rows need is a map of its own, and so is each of them.
//!
//! ```text
//! let rs: [n][?]i64, ss: [n][?]i64 = map n (xs) \(x) {    let starts: [n]i64, counts: [n]i64 = map n (xs) \(x) {
//!   let start: i64 = loop .. x ..                           let start: i64 = loop .. x ..
//!   let count: i64 = if .. x ..                             let count: i64 = if .. x ..
//!   let r: [count]i64 = range count start 1          ==>    in start, count
//!   let s: [start]i64 = index ys [0:start:1]              }
//!   in r, s                                               let rs: [n][?]i64 = map n (starts, counts) \(start, count) {
//! }                                                         let r: [count]i64 = range count start 1
//!                                                           in r
//!                                                         }
//!                                                         let ss: [n][?]i64 = ..
//! ```
//!
//! The elements of all rows can be made at once then, without a thread that goes through the longest of them.

use super::Elements;
use super::branches::is_small_choice;
use super::checks::{checks_in, is_check, without_checks};
use super::nest::{LITTLE, computes_or_views, is_short_literal};
use crate::nest::mentions;
use norn_ir::nest::{ArrayExp, Atom, Body, Dim, Exp, Lambda, Operator, Stm, Var};

impl Elements {
    /// Whether the map has been replaced by several.
    pub fn map_apart(&mut self, stm: &Stm) -> bool {
        let Exp::Op(Operator::Map { width, inputs, lambda }) = &stm.exp else { return false };
        let stms = &lambda.body.stms;
        let (rows, others): (Vec<usize>, Vec<usize>) =
            (0..stm.vars.len()).partition(|at| self.names.ty(stm.vars[*at]).dims().contains(&Dim::Irregular));
        // Which statement makes each of the rows, and what it needs.
        let mut makers: Vec<Maker> = Vec::with_capacity(rows.len());
        for at in rows {
            let maker = |stm: &Stm| stm.vars.iter().any(|var| lambda.body.result[at] == Atom::Var(*var));
            let Some(place) = stms.iter().position(maker) else { return false };
            if let Some(known) = makers.iter_mut().find(|maker| maker.place == place) {
                known.rows.push(at);
                continue;
            }
            let needs = self.needed_by(&stms[place], &stms[..place]).filter(|(_, kept)| kept.len() <= LITTLE);
            // No thread makes rows of rows of different lengths; those of one level may be short, as what three elements are filtered to.
            let is_deep = self
                .names
                .ty(stm.vars[at])
                .dims()
                .get(2..)
                .is_some_and(|dims| dims.contains(&Dim::Irregular));
            let makes_rows = makes_rows(&stms[place]) || is_deep && stms[place].exp.op().is_some();
            let Some((stored, kept)) = needs.filter(|_| makes_rows) else { return false };
            makers.push(Maker { place, rows: vec![at], stored, kept });
        }
        // An operator yields what it yields beside its rows, such as their lengths, in the same map.
        let mut others = others;
        others.retain(|at| {
            let binds = |maker: &&mut Maker| {
                stms[maker.place].vars.iter().any(|var| lambda.body.result[*at] == Atom::Var(*var))
            };
            let Some(maker) = makers.iter_mut().find(binds) else { return true };
            maker.rows.push(*at);
            false
        });
        let rest: Vec<Stm> = (stms.iter().enumerate())
            .filter(|(place, _)| !makers.iter().any(|maker| maker.place == *place))
            .map(|(_, stm)| stm.clone())
            .collect();
        let is_little = rest.iter().all(computes_or_views) && rest.len() <= LITTLE;
        let mut stored: Vec<Var> = makers.iter().flat_map(|maker| maker.stored.clone()).collect();
        stored.sort_unstable();
        stored.dedup();
        let is_one = match &makers[..] {
            [] => return false,
            [_] => is_little || stored.is_empty(),
            [_, ..] => false,
        };
        // What one of them binds beside its rows, others do not know.
        let mut used = Vec::new();
        rest.iter().for_each(|stm| mentions::in_stm(&self.names.vars, stm, &mut used));
        mentions::in_atoms(&others.iter().map(|at| lambda.body.result[*at]).collect::<Vec<_>>(), &mut used);
        used.extend(&stored);
        let is_used = |maker: &Maker| stms[maker.place].vars.iter().any(|var| used.contains(var));
        if is_one || makers.iter().any(is_used) {
            return false;
        }
        // What the map yields anyway is stored once.
        let mut vars: Vec<Var> = others.iter().map(|at| stm.vars[*at]).collect();
        let mut result: Vec<Atom> = others.iter().map(|at| lambda.body.result[*at]).collect();
        let mut arrays = Vec::with_capacity(stored.len());
        for var in &stored {
            if let Some(at) = result.iter().position(|atom| *atom == Atom::Var(*var)) {
                arrays.push(vars[at]);
                continue;
            }
            let (name, ty) = (self.names.name(*var), self.names.ty(*var).clone());
            arrays.push(self.names.fresh(&name, ty.array_of(Dim::Size(*width))));
            vars.extend(arrays.last());
            result.push((*var).into());
        }
        let checks = checks_in(&rest);
        let first = Lambda::new(lambda.params.clone(), Body { stms: rest, result });
        let first = self.names.copy_lambda(&first);
        self.statement(Stm { vars, exp: Exp::map(*width, inputs.clone(), first), ..stm.clone() });
        for maker in makers {
            let stms: Vec<Stm> = maker.kept.into_iter().chain([stms[maker.place].clone()]).collect();
            let result = maker.rows.iter().map(|at| lambda.body.result[*at]).collect();
            let body = Body { stms: without_checks(&stms, &checks), result };
            let number = |var: &Var| stored.iter().position(|other| other == var);
            let own = maker.stored.iter().filter_map(number).map(|number| arrays[number]);
            let inputs = inputs.iter().copied().chain(own).collect();
            let params = lambda.params.iter().chain(&maker.stored).copied().collect();
            let second = self.names.copy_lambda(&Lambda::new(params, body));
            let vars = maker.rows.iter().map(|at| stm.vars[*at]).collect();
            self.statement(Stm { vars, exp: Exp::map(*width, inputs, second), ..stm.clone() });
        }
        true
    }

    /// The numbers that a statement needs of those before it, and the views and short arrays that it needs, which can be made again. None if it needs
    /// other arrays.
    fn needed_by(&self, inner: &Stm, before: &[Stm]) -> Option<(Vec<Var>, Vec<Stm>)> {
        let mut needed = Vec::new();
        mentions::in_stm(&self.names.vars, inner, &mut needed);
        let (mut stored, mut kept) = (Vec::new(), Vec::new());
        for stm in before.iter().rev().filter(|stm| !is_check(stm)) {
            let scalars: Vec<Var> = stm.vars.iter().copied().filter(|var| needed.contains(var)).collect();
            if scalars.iter().all(|var| self.names.ty(*var).is_scalar()) {
                stored.extend(scalars);
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

/// A statement that makes rows, and what it needs of those before it.
struct Maker {
    place: usize,
    /// Which of the map's results they are.
    rows: Vec<usize>,
    stored: Vec<Var>,
    kept: Vec<Stm>,
}

/// Whether all elements of all such rows can be made at once.
fn makes_rows(stm: &Stm) -> bool {
    let is_made = matches!(
        stm.exp,
        Exp::Array(
            ArrayExp::Range { .. } | ArrayExp::Replicate { .. } | ArrayExp::Concat { .. } | ArrayExp::Copy(_)
        )
    );
    is_made || computes_or_views(stm) || is_small_choice(stm)
}
