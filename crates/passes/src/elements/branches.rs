//! Maps that choose rows of different lengths by a condition: which element a row has is chosen for each of its elements.
//!
//! ```text
//! let rs: [n][?]i32 = map n (xss) \(k, xs: [k]i32) {      let lengths: [n]i64 = map n (xss) \(k, xs: [k]i32) {
//!   let c: bool = ..                                        let c: bool = ..
//!   let l: i64, r: [l]i32 = if c {                          let l: i64 = if c { in h } else { in k }
//!     let half: [h]i32 = index xs [0:h:1]                   in l
//!     in h, half                                   ==>    }
//!   } else {                                              let all = map total (places, ..) \(place, row, ..) {
//!     in k, xs                                              .. let x: i32 = if c { .. half[within] } else { xs[within] }
//!   }                                                       in x
//!   in r                                                  }
//! }                                                       let rs: [n][?]i32 = segment lengths all
//! ```

use super::Elements;
use super::nest::{LITTLE, Nest, computes_or_views, is_check, is_short_literal};
use super::rows::{Joined, i64s};
use crate::nest::inputs::param_groups;
use crate::nest::mentions;
use norn_ir::nest::{Atom, Body, ControlExp, DimIndex, Exp, Lambda, Operator, Stm, Type, Var};

impl Elements {
    /// Whether the map has been replaced.
    pub fn rows_of_branches(&mut self, stm: &Stm) -> bool {
        let Exp::Op(Operator::Map { width, inputs, lambda }) = &stm.exp else { return false };
        let Some((inner, before)) = lambda.body.stms.split_last() else { return false };
        let Exp::Control(ControlExp::If { cond, then, els }) = &inner.exp else { return false };
        let place = |atom: &Atom| inner.vars.iter().position(|var| Atom::Var(*var) == *atom);
        let Some(places) = lambda.body.result.iter().map(place).collect::<Option<Vec<usize>>>() else {
            return false;
        };
        let all: Vec<&Stm> = before.iter().chain(&then.stms).chain(&els.stms).collect();
        let may_repeat = |stm: &&Stm| computes_or_views(stm) || is_check(stm) || is_short_literal(stm);
        if all.len() > LITTLE || !all.iter().all(may_repeat) {
            return false;
        }
        // Of each result: how long the rows of both branches are, if it is a row.
        let mut lengths: Vec<Option<[Atom; 2]>> = Vec::with_capacity(places.len());
        for (var, place) in stm.vars.iter().zip(&places) {
            if !self.names.ty(*var).has_irregular_rows() {
                if self.names.ty(*var).rank() > 1 {
                    return false;
                }
                lengths.push(None);
                continue;
            }
            let length = |row: Atom| {
                let ty = self.names.ty(row.var()?);
                (ty.rank() == 1 && ty.elem().is_some()).then(|| ty.dims()[0].atom()).flatten()
            };
            let both = length(then.result[*place]).zip(length(els.result[*place]));
            let Some((first, second)) = both else { return false };
            lengths.push(Some([first, second]));
        }
        if lengths.iter().all(Option::is_none) {
            return false;
        }
        let certs: Vec<Var> =
            all.iter().filter(|stm| is_check(stm)).flat_map(|stm| stm.vars.iter().copied()).collect();

        // How long rows are, what else there is, and what fails.
        let of_branch = |body: &Body, number: usize| Body {
            stms: body.stms.clone(),
            result: (places.iter().zip(&lengths))
                .map(|(place, lengths)| lengths.map_or(body.result[*place], |lengths| lengths[number]))
                .collect(),
        };
        let mut chosen = Vec::with_capacity(places.len());
        let mut outs = Vec::with_capacity(places.len());
        for ((var, place), lengths) in stm.vars.iter().zip(&places).zip(&lengths) {
            let own = inner.vars[*place];
            let ty = if lengths.is_some() { Type::i64() } else { self.names.ty(own).clone() };
            chosen.push(self.names.fresh(&self.names.name(own), ty));
            outs.push(if lengths.is_some() { self.names.fresh("lengths", i64s(*width)) } else { *var });
        }
        let choice = Exp::if_(*cond, of_branch(then, 0), of_branch(els, 1));
        let mut stms = before.to_vec();
        stms.push(Stm { vars: chosen.clone(), exp: choice, ..inner.clone() });
        let body = Body { stms, result: chosen.into_iter().map(Atom::Var).collect() };
        let first = self.names.copy_lambda(&Lambda::new(lambda.params.clone(), body));
        self.statement(Stm {
            vars: outs.clone(),
            exp: Exp::map(*width, inputs.clone(), first),
            ..stm.clone()
        });

        let unchecked = |stms: &[Stm]| -> Vec<Stm> {
            let mut stms: Vec<Stm> = stms.iter().filter(|stm| !is_check(stm)).cloned().collect();
            stms.iter_mut().for_each(|stm| mentions::retain_certs(stm, &|cert| !certs.contains(&cert)));
            stms
        };
        let before = unchecked(before);
        let groups: Vec<Vec<Var>> = (param_groups(&self.names.vars, inputs, &lambda.params).into_iter())
            .map(<[Var]>::to_vec)
            .collect();
        for (at, place) in places.iter().enumerate().filter(|(at, _)| lengths[*at].is_some()) {
            let groups = inputs.iter().copied().zip(groups.iter().cloned()).collect();
            let bound =
                lambda.params.iter().chain(before.iter().flat_map(|stm| &stm.vars)).copied().collect();
            let nest = Nest { width: *width, groups, before: &before, inner, bound };
            let joined = Joined::Uneven(self.rows(outs[at]));
            let mut element = self.begin_element(&nest, &joined, None);
            let within = element.within;
            let mut of_branch = |body: &Body| {
                let row = body.result[*place].var().expect("elements: a row that is a number");
                let ty = self.names.ty(row).row().unwrap_or(Type::bool());
                let own = self.names.fresh(&self.names.name(row), ty);
                let mut stms = unchecked(&body.stms);
                stms.push(self.stm(vec![own], Exp::index(row, vec![DimIndex::Fix(within.into())])));
                Body { stms, result: vec![own.into()] }
            };
            let choice = Exp::if_(*cond, of_branch(then), of_branch(els));
            let row = inner.vars[*place];
            let ty = self.names.ty(row).row().unwrap_or(Type::bool());
            let value = self.names.fresh(&self.names.name(row), ty);
            let choice = self.stm(vec![value], choice);
            self.do_again(&mut element, &[choice]);
            let all = self.end_element(element, &[value.into()]);
            let own = Stm { vars: vec![stm.vars[at]], ..stm.clone() };
            self.yield_rows(&own, &nest, &joined, &[0], &all);
        }
        true
    }
}
