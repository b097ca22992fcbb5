//! What takes work in the lambda of an operator is done by a map in front of it, and what is cheap stays: rows that take next to nothing to compute are not stored.
//!
//! ```text
//! fused n (xs) \(x) {                                       let ks: [n]i64 = map n (xs) \(x) {
//!   let k: i64 = reduce .. x ..                               let k: i64 = reduce .. x ..
//!   let row: [m]f32 = map m () \(j) { .. eq.i64 j k .. }      in k
//!   in row                                        ==>       }
//! } reduce \(a: [m]f32, b: [m]f32) { .. }                   fused n (xs, ks) \(x, k) {
//!                                                             let row: [m]f32 = map m () \(j) { .. eq.i64 j k .. }
//!                                                             in row
//!                                                           } reduce \(a: [m]f32, b: [m]f32) { .. }
//! ```
//!
//! Behind it, the elements of a row can be computed where they are combined (`columns`). Refuses work that yields the rows itself, or arrays whose sizes
//! only the lambda knows.

use super::Distributor;
use crate::nest::mentions::{self, needed};
use norn_ir::nest::{Atom, Body, ControlExp, Dim, Exp, Lambda, Operator, Stm, Type, Var};
use std::collections::HashSet;

impl Distributor<'_, '_> {
    /// The map, and the operator of what it yields.
    pub fn work_first(&mut self, stm: &Stm) -> Option<Vec<Stm>> {
        let Exp::Op(Operator::Fused { width, inputs, lambda, scans, reductions }) = &stm.exp else {
            return None;
        };
        let Body { stms, result } = &lambda.body;
        let work: HashSet<Var> =
            stms.iter().filter(|stm| !is_cheap(stm)).flat_map(|stm| stm.vars.clone()).collect();
        let is_work = |atom: &Atom| atom.var().is_some_and(|var| work.contains(&var));
        let is_array = |atom: &Atom| atom.var().is_some_and(|var| self.names.ty(var).is_array());
        if work.is_empty() || result.iter().any(|atom| is_array(atom) && is_work(atom)) {
            return None;
        }
        // Behind the work, and what that uses of it.
        let mut live: Vec<Var> = result.iter().filter_map(|atom| atom.var()).collect();
        let mut rest: Vec<Stm> = Vec::new();
        for stm in stms.iter().rev().filter(|stm| !stm.vars.iter().any(|var| work.contains(var))) {
            if stm.vars.iter().any(|var| live.contains(var)) {
                mentions::in_stm(&self.names.vars, stm, &mut live);
                rest.push(stm.clone());
            }
        }
        rest.reverse();
        rest.iter_mut().for_each(|stm| mentions::retain_certs(stm, &|cert| !work.contains(&cert)));
        let mut yielded: Vec<Var> = live.into_iter().filter(|var| work.contains(var)).collect();
        yielded.sort_unstable();
        yielded.dedup();
        let bound: HashSet<Var> =
            stms.iter().flat_map(|stm| stm.vars.clone()).chain(lambda.params.iter().copied()).collect();
        let is_regular = |var: &Var| {
            let ty = self.names.ty(*var);
            let is_outside = |dim: &Dim| match dim {
                Dim::Size(size) => size.var().is_none_or(|size| !bound.contains(&size)),
                Dim::Irregular | Dim::Result(_) => false,
            };
            matches!(ty, Type::Value(..)) && ty.dims().iter().all(is_outside)
        };
        if !yielded.iter().all(is_regular) {
            return None;
        }

        let mut before: Vec<Var> = work.iter().copied().collect();
        let before = needed(&self.names.vars, stms, &mut before);
        let all: Vec<Var> = yielded
            .iter()
            .map(|var| {
                let ty = self.names.ty(*var).clone().array_of(Dim::Size(*width));
                self.names.fresh(&self.names.name(*var), ty)
            })
            .collect();
        let results = yielded.iter().map(|var| Atom::Var(*var)).collect();
        let map = Lambda::new(lambda.params.clone(), Body { stms: before, result: results });
        let map = self.names.copy_lambda(&map);
        let params = lambda.params.iter().chain(&yielded).copied().collect();
        let behind = Lambda::new(params, Body { stms: rest, result: result.clone() });
        let behind = self.names.copy_lambda(&behind);
        let exp = Exp::Op(Operator::Fused {
            width: *width,
            inputs: inputs.iter().chain(&all).copied().collect(),
            lambda: behind,
            scans: scans.clone(),
            reductions: reductions.clone(),
        });
        let map = Exp::map(*width, inputs.clone(), map);
        Some(vec![Stm { vars: all, exp: map, ..stm.clone() }, Stm { exp, ..stm.clone() }])
    }
}

/// Scalars, views, and maps and branches with nothing else inside.
pub(super) fn is_cheap(stm: &Stm) -> bool {
    let of_body = |body: &Body| body.stms.iter().all(is_cheap);
    match &stm.exp {
        Exp::Op(Operator::Map { lambda, .. }) => of_body(&lambda.body),
        Exp::Control(ControlExp::If { cond: _, then, els }) => of_body(then) && of_body(els),
        exp => exp.is_scalar_or_view(),
    }
}
