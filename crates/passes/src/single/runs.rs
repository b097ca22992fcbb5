//! Runs of statements about a few numbers: one thread does all of them, instead of a kernel for each.
//!
//! ```text
//! let a: [3][3]f32 = array (..)                        let rs: [1][3]f32 = map 1 (only) \(at: i64) {
//! let r: [3]f32 = loop (..) for i < 3 {                  let a: [3][3]f32 = array (..)
//!   let b: [3][3]f32 = map 3 (..) ..             ==>     let r: [3]f32 = loop (..) for i < 3 { .. }
//!   ..                                                   in r
//! }                                                    }
//!                                                      let r: [3]f32 = index rs [0]
//! ```
//!
//! A system of three equations whose coefficients are sums over all data is an example: each step of its solution has three elements, for which a launch takes
//! longer than a thread does for all of them. A run has statements whose sizes are all known and small, without loops that end when they like. What does not depend on the
//! run stays before it, and numbers that are computed at its end are left to those who need them.
//!
//! Refuses: runs of fewer than three launches, and of more work than these take; checks; what consumes an array from outside.

use super::Single;
use super::written_out::written_out;
use crate::nest::memory::consumed;
use crate::nest::mentions;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, Elem, Exp, LoopForm, Operator, Scalar, Stm, Type, Var,
};
use std::collections::HashSet;

/// An operator over more elements, or a loop of more steps, is no part of a run.
const FEW: i64 = 16;
/// An array of more elements is none either.
const MOST_ELEMENTS: i64 = 64;
/// So many launches are worth it.
const LEAST_LAUNCHES: i64 = 3;
/// One thread does so much, in statements, while a kernel is launched; and no run is more, since all of it is written out (`written_out`).
const WORK_OF_LAUNCH: i64 = 128;
const MOST_WORK: i64 = 1024;

/// What a statement would be as it is.
#[derive(Clone, Copy, Default)]
struct Costs {
    launches: i64,
    work: i64,
}

impl Costs {
    fn plus(self, other: Costs) -> Costs {
        let work = self.work.saturating_add(other.work);
        Costs { launches: self.launches.saturating_add(other.launches), work }
    }

    fn times(self, count: i64) -> Costs {
        Costs { launches: self.launches.saturating_mul(count), work: self.work.saturating_mul(count) }
    }
}

/// A run as far as it is known.
#[derive(Default)]
struct Run {
    stms: Vec<Stm>,
    bound: HashSet<Var>,
    costs: Costs,
}

impl Single<'_> {
    /// In a body that the host runs, each run is a map of one element.
    pub fn runs(&mut self, body: &mut Body) {
        let mut run = Run::default();
        let mut out = Vec::with_capacity(body.stms.len());
        let stms = std::mem::take(&mut body.stms);
        for (number, stm) in stms.iter().enumerate() {
            let mut used = Vec::new();
            mentions::in_stm(&self.names.vars, stm, &mut used);
            let depends = used.iter().any(|var| run.bound.contains(var));
            let from_device = used.iter().any(|var| self.from_device.contains(var));
            if stm.exp.op().is_some() || from_device && matches!(stm.exp, Exp::Scalar(_)) || reads(stm) {
                self.from_device.extend(&stm.vars);
            }
            let is_literal = matches!(stm.exp, Exp::Array(ArrayExp::ArrayLit(_)));
            match self.few(stm) {
                // The host may need it, or knows it.
                Some(Costs { launches: 0, .. }) if !depends => out.push(stm.clone()),
                Some(_) if is_literal && !depends && !from_device => out.push(stm.clone()),
                Some(costs) if self.consumes_own(stm, &run.bound) => {
                    run.bound.extend(&stm.vars);
                    run.costs = run.costs.plus(costs);
                    run.stms.push(stm.clone());
                }
                _ => {
                    self.end_run(std::mem::take(&mut run), &stms[number..], &body.result, &mut out);
                    out.push(stm.clone());
                }
            }
        }
        self.end_run(run, &[], &body.result, &mut out);
        body.stms = out;
    }

    /// What comes after the run says what it has to yield.
    fn end_run(&mut self, mut run: Run, after: &[Stm], result: &[Atom], out: &mut Vec<Stm>) {
        let is_number = |stm: &Stm| self.few(stm).is_some_and(|costs| costs.launches == 0);
        let last = run.stms.iter().rposition(|stm| !is_number(stm)).map_or(0, |last| last + 1);
        let numbers = run.stms.split_off(last);
        let Costs { launches, work } = run.costs;
        if launches < LEAST_LAUNCHES || work > launches.saturating_mul(WORK_OF_LAUNCH).min(MOST_WORK) {
            out.append(&mut run.stms);
            return out.extend(numbers);
        }
        let mut used = Vec::new();
        numbers.iter().chain(after).for_each(|stm| mentions::in_stm(&self.names.vars, stm, &mut used));
        mentions::in_atoms(result, &mut used);
        let bound = run.stms.iter().flat_map(|stm| stm.vars.iter().copied());
        let yielded: Vec<Var> = bound.filter(|var| used.contains(var)).collect();
        if !yielded.is_empty() {
            let span = run.stms[0].span;
            let body = Body { stms: run.stms, result: yielded.iter().map(|var| (*var).into()).collect() };
            match written_out(&mut self.names, &body, span) {
                Some(written) => {
                    self.loops += 1;
                    self.map_of_body(written, &yielded, (Vec::new(), span), out);
                }
                None => out.extend(body.stms),
            }
        }
        out.extend(numbers);
    }

    /// Whether it overwrites nothing from outside of the run.
    fn consumes_own(&self, stm: &Stm, bound: &HashSet<Var>) -> bool {
        consumed(&self.names.vars, stm, self.signatures).iter().all(|var| bound.contains(var))
    }

    /// What a statement about few numbers costs.
    fn few(&self, stm: &Stm) -> Option<Costs> {
        let is_few = stm.vars.iter().all(|var| is_few(self.names.ty(*var)));
        if !is_few || !stm.attrs.is_empty() || stm.vars.is_empty() {
            return None;
        }
        let kernel = Costs { launches: 1, work: 1 };
        match &stm.exp {
            Exp::Scalar(_) => Some(Costs { launches: 0, work: 1 }),
            Exp::Array(
                ArrayExp::Index { .. }
                | ArrayExp::Range { .. }
                | ArrayExp::Reshape { .. }
                | ArrayExp::Rearrange { .. },
            ) => Some(Costs { launches: 0, work: 1 }),
            Exp::Array(
                ArrayExp::ArrayLit(_)
                | ArrayExp::Replicate { .. }
                | ArrayExp::Copy(_)
                | ArrayExp::Concat { .. }
                | ArrayExp::Update { .. },
            ) => Some(kernel),
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                let (then, els) = (self.few_of(then)?, self.few_of(els)?);
                Some(Costs { launches: then.launches.max(els.launches), work: then.work.max(els.work) })
            }
            Exp::Control(ControlExp::Loop { params: _, form: LoopForm::For(_, bound), body }) => {
                Some(self.few_of(body)?.times(few_times(*bound)?))
            }
            Exp::Op(
                Operator::Map { .. }
                | Operator::Reduce { .. }
                | Operator::Scan { .. }
                | Operator::Fused { .. },
            ) => {
                let times = few_times(stm.exp.op()?.width())?;
                let mut work = Some(Costs::default());
                stm.exp.for_each_part(&mut |part| {
                    if let Part::Lambda(lambda) = part {
                        work = work.zip(self.few_of(&lambda.body)).map(|(all, one)| all.plus(one));
                    }
                });
                Some(Costs { launches: 1, work: work?.times(times).work })
            }
            _ => None,
        }
    }

    fn few_of(&self, body: &Body) -> Option<Costs> {
        body.stms.iter().try_fold(Costs::default(), |costs, stm| Some(costs.plus(self.few(stm)?)))
    }
}

fn reads(stm: &Stm) -> bool {
    matches!(stm.exp, Exp::Array(ArrayExp::Index { .. }))
}

fn few_times(count: Atom) -> Option<i64> {
    match count {
        Atom::Const(Scalar::I64(count)) if count <= FEW => Some(count),
        Atom::Const(_) | Atom::Var(_) => None,
    }
}

/// Numbers, and arrays of a few, whose sizes are known.
fn is_few(ty: &Type) -> bool {
    let Type::Value(Elem::Prim(_), dims) = ty else { return false };
    let sizes = dims.iter().map(|dim| match dim.atom() {
        Some(Atom::Const(Scalar::I64(size))) => Some(size),
        Some(Atom::Const(_) | Atom::Var(_)) | None => None,
    });
    let count = sizes.into_iter().try_fold(1i64, |count, size| Some(count.saturating_mul(size?)));
    count.is_some_and(|count| count <= MOST_ELEMENTS)
}
