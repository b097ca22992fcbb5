//! The thresholds between versions, as a user can set them (`tuning`).
//!
//! A threshold is called by the number of its nest. Nests are counted in the function as it is before anything is taken apart, so that
//! no threshold changes the name of another.

use super::Distributor;
use super::worth::Worth;
use crate::nest::mentions::bound_inside;
use crate::tuning::THRESHOLD;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{Body, Stm, Var};
use rustc_hash::FxHashMap;

/// The numbers of all operators with parallelism inside, from 1, by the first variable that is bound in each.
pub fn numbers(worth: &Worth, body: &Body) -> FxHashMap<Var, usize> {
    let mut numbers = FxHashMap::default();
    number_body(worth, body, &mut numbers);
    numbers
}

fn number_body(worth: &Worth, body: &Body, numbers: &mut FxHashMap<Var, usize>) {
    for stm in &body.stms {
        if stm.exp.op().is_some() && worth.in_stm(stm) {
            let next = numbers.len() + 1;
            numbers.extend(first_inside(stm).map(|first| (first, next)));
        }
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => number_body(worth, body, numbers),
            Part::Lambda(lambda) => number_body(worth, &lambda.body, numbers),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
    }
}

fn first_inside(stm: &Stm) -> Option<Var> {
    bound_inside(stm).into_iter().min()
}

impl Distributor<'_, '_> {
    /// A threshold of the nest, if the user has set it.
    pub fn threshold(&mut self, stm: &Stm, what: &str, usual: &str) -> Option<i64> {
        let number = self.number_of(stm);
        self.tuner.ask(number, what, usual, THRESHOLD, stm.span)
    }

    /// The number of a threshold of the nest that can be set when the program runs.
    pub fn threshold_at_run_time(&mut self, stm: &Stm, what: &str) -> Option<u32> {
        let number = self.number_of(stm);
        self.tuner.ask_at_run_time(number, what)
    }

    /// Nests that were copied have the number 0.
    pub(super) fn number_of(&self, stm: &Stm) -> usize {
        first_inside(stm).and_then(|first| self.numbers.get(&first)).copied().unwrap_or(0)
    }
}
