//! Whether the host would wait in every iteration of a loop, if the nest around it were taken apart: because operators in the loop are wider for some elements than for others.
//!
//! ```text
//! map n (cells) \cell {
//!   loop (force = 0f64) for k < 27 {
//!     let next: i64 = index neighbours [cell, k]
//!     let count: i64 = index counts [next]
//!     let more: f64 = reduce count ..                  its width depends on the element, cell
//! ```
//!
//! Taken apart, each iteration lays out rows of different lengths: several launches, and the host waits for the number of all their elements. Where widths are the same for all
//! elements, such as half of what they were in the iteration before, it does not.
//!
//! It also waits where a loop runs as often as the element says, or while it says so: each iteration goes on with the elements that are not done (`active`).
//!
//! Method: a set of variables that depend on the parameters of a map, which grows until nothing changes. Cost: linear in the size of the nest, for each loop in another.

use super::Distributor;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{Atom, Body, ControlExp, Exp, Lambda, LoopForm, Operator, Stm, Var};
use std::collections::HashSet;

impl Distributor<'_, '_> {
    /// Whether operators in a loop inside have a width that depends on the element.
    pub(super) fn iterations_wait(&self, stm: &Stm) -> bool {
        let Exp::Op(Operator::Map { lambda, .. }) = &stm.exp else { return false };
        let mut depending = Depending { vars: lambda.params.iter().copied().collect() };
        depending.body(&lambda.body);
        self.loop_waits(&lambda.body, &depending, false)
    }

    /// Whether a loop with operators inside runs as often as the element says, or while it says so.
    pub(super) fn iterations_differ(&self, stm: &Stm) -> bool {
        let Exp::Op(Operator::Map { lambda, .. }) = &stm.exp else { return false };
        let mut depending = Depending { vars: lambda.params.iter().copied().collect() };
        depending.body(&lambda.body);
        lambda.body.stms.iter().any(|stm| self.worth.in_stm(stm) && depending.ends_loop(&stm.exp))
    }

    fn loop_waits(&self, body: &Body, depending: &Depending, in_loop: bool) -> bool {
        body.stms.iter().filter(|stm| self.worth.in_stm(stm)).any(|stm| {
            let width = stm.exp.op().and_then(|operator| operator.width().var());
            if in_loop && width.is_some_and(|width| depending.vars.contains(&width)) {
                return true;
            }
            let in_loop = in_loop || matches!(stm.exp, Exp::Control(ControlExp::Loop { .. }));
            let mut waits = false;
            stm.for_each_part(&mut |part| match part {
                Part::Body(body) => waits |= self.loop_waits(body, depending, in_loop),
                Part::Lambda(lambda) => waits |= self.loop_waits(&lambda.body, depending, in_loop),
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
            });
            waits
        })
    }
}

/// What depends on the element of a map.
struct Depending {
    vars: HashSet<Var>,
}

impl Depending {
    /// Whether one of its results does.
    fn body(&mut self, body: &Body) -> bool {
        body.stms.iter().for_each(|stm| self.stm(stm));
        body.result.iter().any(|atom| atom.var().is_some_and(|var| self.vars.contains(&var)))
    }

    /// Whether it says how often a loop runs.
    fn ends_loop(&self, exp: &Exp) -> bool {
        let Exp::Control(ControlExp::Loop { form, .. }) = exp else { return false };
        let ends = match form {
            LoopForm::For(_, count) => *count,
            LoopForm::While(cond) => cond.result[0],
        };
        ends.var().is_some_and(|var| self.vars.contains(&var))
    }

    fn stm(&mut self, stm: &Stm) {
        if let Exp::Control(ControlExp::Loop { params, form, body }) = &stm.exp {
            if let LoopForm::For(counter, count) = form
                && count.var().is_some_and(|count| self.vars.contains(&count))
            {
                self.vars.insert(*counter);
            }
            loop {
                let before = self.vars.len();
                if let LoopForm::While(cond) = form {
                    self.body(cond);
                }
                self.body(body);
                for (((param, initial), next), var) in params.iter().zip(&body.result).zip(&stm.vars) {
                    let depends = [initial, next]
                        .into_iter()
                        .any(|atom| atom.var().is_some_and(|atom| self.vars.contains(&atom)));
                    if depends {
                        self.vars.extend([param.var, *var]);
                    }
                }
                if self.vars.len() == before {
                    return;
                }
            }
        }
        let mut depends = false;
        stm.for_each_part(&mut |part| {
            if let Part::Atom(Atom::Var(var)) | Part::Var(var) = part {
                depends |= self.vars.contains(var);
            }
        });
        if depends {
            self.params(stm);
        }
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => depends |= self.body(body),
            Part::Lambda(lambda) => depends |= self.body(&lambda.body),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        if depends {
            self.vars.extend(&stm.vars);
        }
    }

    /// What lambdas take of arrays that depend on the element does, too.
    fn params(&mut self, stm: &Stm) {
        stm.for_each_part(&mut |part| {
            if let Part::Lambda(Lambda { params, .. }) = part {
                self.vars.extend(params);
            }
        });
    }
}
