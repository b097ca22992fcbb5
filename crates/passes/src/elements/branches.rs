//! Maps that choose rows of different lengths by conditions: which element a row has is chosen for each of its elements.
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
//!
//! A branch may choose once more. Everything in front of rows is done again for each element, so there may be little of it.

use super::Elements;
use super::checks::{checks_in, without_checks};
use super::nest::{LITTLE, Nest, may_repeat};
use super::rows::{FlatDims, i64s};
use crate::nest::mentions;
use crate::nest::subst::Subst;
use norn_ir::nest::{Atom, Body, ControlExp, DimIndex, Exp, Lambda, Operator, Stm, Type, Var};

/// A map whose last statement is a condition, which yields all that the map yields.
struct ConditionalMap<'a> {
    width: Atom,
    inputs: &'a [Var],
    params: &'a [Var],
    before: &'a [Stm],
    inner: &'a Stm,
    cond: Atom,
    then: &'a Body,
    els: &'a Body,
    /// Of each result of the map, which of the condition's results it is.
    places: Vec<usize>,
    /// And how long the rows of both branches are, if it is a row.
    lengths: Vec<Option<[Atom; 2]>>,
}

impl Elements {
    /// Whether the map has been replaced.
    pub fn rows_of_branches(&mut self, stm: &Stm) -> bool {
        let Some(choice) = self.choice(stm) else { return false };
        let mut all = Vec::new();
        inside(choice.before, &mut all);
        inside(std::slice::from_ref(choice.inner), &mut all);
        if !are_few(&all) {
            return false;
        }
        let checks = checks_in(all);
        let outs = self.lengths_of_choice(stm, &choice);
        let before = without_checks(choice.before, &checks);
        let nest =
            Nest::of_map(&self.names, choice.width, choice.inputs, choice.params, &before, choice.inner);
        for (at, place) in choice.places.iter().enumerate().filter(|(at, _)| choice.lengths[*at].is_some()) {
            let joined = FlatDims::Uneven(self.rows(outs[at]));
            let mut element = self.begin_element(&nest, &joined, None);
            let chosen = self.element_of(choice.inner, *place, element.within, &checks);
            let value = chosen.vars[0];
            self.do_again(&mut element, &[chosen]);
            let all = self.end_element(element, &[value.into()]);
            let own = Stm { vars: vec![stm.vars[at]], ..stm.clone() };
            self.yield_rows(&own, &nest, &joined, &[0], &all);
        }
        true
    }

    fn choice<'a>(&self, stm: &'a Stm) -> Option<ConditionalMap<'a>> {
        let Exp::Op(Operator::Map { width, inputs, lambda }) = &stm.exp else { return None };
        let (inner, before) = lambda.body.stms.split_last()?;
        let Exp::Control(ControlExp::If { cond, then, els }) = &inner.exp else { return None };
        let place = |atom: &Atom| inner.vars.iter().position(|var| Atom::Var(*var) == *atom);
        let places = lambda.body.result.iter().map(place).collect::<Option<Vec<usize>>>()?;
        let mut lengths = Vec::with_capacity(places.len());
        for (var, place) in stm.vars.iter().zip(&places) {
            if self.names.ty(*var).has_irregular_rows() {
                let length = |row: Atom| {
                    let ty = self.names.ty(row.var()?);
                    (ty.rank() == 1 && ty.elem().is_some()).then(|| ty.dims()[0].atom()).flatten()
                };
                lengths.push(Some([length(then.result[*place])?, length(els.result[*place])?]));
            } else if self.names.ty(*var).rank() > 1 {
                return None;
            } else {
                lengths.push(None);
            }
        }
        let (width, cond, params) = (*width, *cond, &lambda.params);
        lengths.iter().any(Option::is_some).then_some(ConditionalMap {
            width,
            inputs,
            params,
            before,
            inner,
            cond,
            then,
            els,
            places,
            lengths,
        })
    }

    /// A map that yields how long rows are and what else there is, and in which everything fails that does. The variables of its results.
    fn lengths_of_choice(&mut self, stm: &Stm, choice: &ConditionalMap) -> Vec<Var> {
        let of_branch = |body: &Body, number: usize| Body {
            stms: body.stms.clone(),
            result: (choice.places.iter().zip(&choice.lengths))
                .map(|(place, lengths)| lengths.map_or(body.result[*place], |lengths| lengths[number]))
                .collect(),
        };
        let mut chosen = Vec::with_capacity(choice.places.len());
        let mut outs = Vec::with_capacity(choice.places.len());
        for ((var, place), lengths) in stm.vars.iter().zip(&choice.places).zip(&choice.lengths) {
            let own = choice.inner.vars[*place];
            let ty = if lengths.is_some() { Type::i64() } else { self.names.ty(own).clone() };
            chosen.push(self.names.fresh(&self.names.name(own), ty));
            outs.push(if lengths.is_some() { self.names.fresh("lengths", i64s(choice.width)) } else { *var });
        }
        let exp = Exp::if_(choice.cond, of_branch(choice.then, 0), of_branch(choice.els, 1));
        let mut stms = choice.before.to_vec();
        stms.push(Stm { vars: chosen.clone(), exp, ..choice.inner.clone() });
        let body = Body { stms, result: chosen.into_iter().map(Atom::Var).collect() };
        let lambda = self.names.copy_lambda(&Lambda::new(choice.params.to_vec(), body));
        let exp = Exp::map(choice.width, choice.inputs.to_vec(), lambda);
        self.statement(Stm { vars: outs.clone(), exp, ..stm.clone() });
        outs
    }

    /// A condition that yields an element of what this one yields at a place.
    fn element_of(&mut self, choice: &Stm, place: usize, within: Var, checks: &[Var]) -> Stm {
        let Exp::Control(ControlExp::If { cond, then, els }) = &choice.exp else {
            panic!("elements: rows that no condition chooses")
        };
        let mut of_branch = |body: &Body| {
            let row = body.result[place].var().expect("elements: a row that is a number");
            let mut stms = without_checks(&body.stms, checks);
            let is_again = |stm: &Stm| stm.vars.contains(&row) && is_choice(stm);
            let element = match body.stms.iter().position(is_again) {
                Some(at) => {
                    let place = body.stms[at].vars.iter().position(|var| *var == row).unwrap_or_default();
                    let mut used = Vec::new();
                    body.stms[at + 1..]
                        .iter()
                        .for_each(|stm| mentions::in_stm(&self.names.vars, stm, &mut used));
                    if !body.stms[at].vars.iter().any(|var| used.contains(var)) {
                        stms.retain(|stm| !stm.vars.contains(&row));
                    }
                    let again = self.names.copy_stm(&mut Subst::default(), &body.stms[at]);
                    let mut all = Vec::new();
                    inside(std::slice::from_ref(&again), &mut all);
                    let checks = [checks, &checks_in(all)].concat();
                    self.element_of(&again, place, within, &checks)
                }
                None => {
                    let element = self.element_like(row);
                    self.stm(vec![element], Exp::index(row, vec![DimIndex::Fix(within.into())]))
                }
            };
            stms.push(element);
            let result = stms.last().map(|stm| stm.vars[0].into());
            Body { stms, result: result.into_iter().collect() }
        };
        let exp = Exp::if_(*cond, of_branch(then), of_branch(els));
        let element = self.element_like(choice.vars[place]);
        self.stm(vec![element], exp)
    }

    fn element_like(&mut self, row: Var) -> Var {
        let ty = self.names.ty(row).row().unwrap_or(Type::bool());
        self.names.fresh(&self.names.name(row), ty)
    }
}

/// Whether a condition chooses among what is there, or is made by next to nothing.
pub fn is_small_choice(stm: &Stm) -> bool {
    let mut all = Vec::new();
    inside(std::slice::from_ref(stm), &mut all);
    is_choice(stm) && are_few(&all)
}

fn are_few(stms: &[&Stm]) -> bool {
    stms.len() <= LITTLE && stms.iter().all(|stm| may_repeat(stm) || is_choice(stm))
}

fn is_choice(stm: &Stm) -> bool {
    matches!(stm.exp, Exp::Control(ControlExp::If { .. }))
}

/// All statements, with those in branches of conditions.
fn inside<'a>(stms: &'a [Stm], all: &mut Vec<&'a Stm>) {
    for stm in stms {
        all.push(stm);
        if let Exp::Control(ControlExp::If { then, els, .. }) = &stm.exp {
            inside(&then.stms, all);
            inside(&els.stms, all);
        }
    }
}
