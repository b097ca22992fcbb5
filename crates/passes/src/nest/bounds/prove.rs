//! Proving that a form is never negative.
//!
//! A goal `g >= 0` follows if a known fact `f >= 0`, times something that is not negative, can be taken away from
//! it and the rest is not negative either. The variable that was bound last is got rid of first, since what is known
//! of a variable mentions older ones. A variable that is one of several values is replaced by each of them.
//! The search gives up after so many steps: what is not found is not known.

use super::form::{Form, Mono};
use super::{Bounds, range_of};
use norn_ir::nest::Var;

const STEPS: u32 = 300;
const DEPTH: u32 = 7;

/// The checks that a proof rests on.
pub type Certs = Vec<Var>;

pub fn prove(bounds: &Bounds, goal: &Form) -> Option<Certs> {
    let mut search = Prover { bounds, steps: STEPS, certs: Vec::new(), assumed: Vec::new() };
    search.holds(goal, DEPTH).then(|| {
        search.certs.sort_unstable();
        search.certs.dedup();
        search.certs
    })
}

struct Prover<'a> {
    bounds: &'a Bounds,
    steps: u32,
    certs: Vec<Var>,
    /// What holds in the case that is being looked at.
    assumed: Vec<Form>,
}

impl Prover<'_> {
    fn holds(&mut self, goal: &Form, depth: u32) -> bool {
        if self.follows_from_types(goal) {
            return true;
        }
        if depth == 0 || self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        let Some((mono, coefficient)) = goal.terms().last().copied() else { return false };
        self.by_cases(goal, mono, depth)
            || self.by_facts(goal, mono, coefficient, depth)
            || self.by_products(goal, mono, coefficient, depth)
    }

    /// By what the types of variables say alone.
    fn follows_from_types(&self, goal: &Form) -> bool {
        let least = goal.terms().iter().try_fold(goal.constant, |sum, (mono, coefficient)| {
            let (low, high) = range_of(self.bounds.prim(mono.single()?)?);
            sum.checked_add(coefficient.checked_mul(if *coefficient > 0 { low } else { high })?)
        });
        least.is_some_and(|least| least >= 0)
    }

    fn by_cases(&mut self, goal: &Form, mono: Mono, depth: u32) -> bool {
        let bounds = self.bounds;
        let Some((var, cases)) = mono.vars().find_map(|var| Some((var, bounds.cases(var)?))) else {
            return false;
        };
        let (certs, assumed) = (self.certs.len(), self.assumed.len());
        let all = cases.iter().all(|case| {
            self.assumed.truncate(assumed);
            self.assumed.extend(case.when.iter().cloned());
            self.certs.extend(&case.certs);
            goal.with(var, &case.value).is_some_and(|goal| self.holds(&goal, depth - 1))
        });
        self.assumed.truncate(assumed);
        if !all {
            self.certs.truncate(certs);
        }
        all
    }

    fn by_facts(&mut self, goal: &Form, mono: Mono, coefficient: i128, depth: u32) -> bool {
        for at in 0..self.assumed.len() {
            if let Some(rest) = without(goal, &self.assumed[at], mono, coefficient)
                && self.holds(&rest, depth - 1)
            {
                return true;
            }
        }
        let bounds = self.bounds;
        for fact in mono.single().into_iter().flat_map(|var| bounds.facts_of(var)) {
            if let Some(rest) = without(goal, &fact.form, mono, coefficient)
                && self.rests_on(&rest, &fact.certs, depth)
            {
                return true;
            }
        }
        self.by_type(goal, mono, coefficient).is_some_and(|rest| self.holds(&rest, depth - 1))
    }

    /// The goal for the extreme of a variable's type, if that leaves about as much as sizes can make up for: goals about the ranges of types are met so.
    fn by_type(&self, goal: &Form, mono: Mono, coefficient: i128) -> Option<Form> {
        let var = mono.single()?;
        let (low, high) = range_of(self.bounds.prim(var)?);
        let extreme = if coefficient > 0 { low } else { high };
        let rest = goal.with(var, &Form::constant(extreme))?;
        (rest.constant >= -super::MOST_ELEMENTS).then_some(rest)
    }

    /// A fact about one factor of a product, times the other, which is not negative.
    fn by_products(&mut self, goal: &Form, mono: Mono, coefficient: i128, depth: u32) -> bool {
        let bounds = self.bounds;
        for (known, factor) in mono.factors() {
            let certs = self.certs.len();
            if !self.holds(&Form::var(factor), 2.min(depth - 1)) {
                continue;
            }
            for fact in bounds.facts_of(known) {
                if let Some(product) = fact.form.times_var(factor)
                    && let Some(rest) = without(goal, &product, mono, coefficient)
                    && self.rests_on(&rest, &fact.certs, depth)
                {
                    return true;
                }
            }
            self.certs.truncate(certs);
        }
        // Both of a product's factors may be sizes of one array.
        let volumes = mono.vars().flat_map(|var| bounds.facts_of(var));
        for fact in volumes.filter(|_| mono.single().is_none()) {
            if let Some(rest) = without(goal, &fact.form, mono, coefficient)
                && self.rests_on(&rest, &fact.certs, depth)
            {
                return true;
            }
        }
        false
    }

    fn rests_on(&mut self, rest: &Form, certs: &[Var], depth: u32) -> bool {
        let mark = self.certs.len();
        self.certs.extend(certs);
        let holds = self.holds(rest, depth - 1);
        if !holds {
            self.certs.truncate(mark);
        }
        holds
    }
}

/// The goal, or a multiple of it, less a multiple of the fact, such that the monomial is gone. An integer `g` is
/// not negative if `k g` is more than `-k`.
fn without(goal: &Form, fact: &Form, mono: Mono, coefficient: i128) -> Option<Form> {
    let of_fact = fact.coefficient(mono);
    if of_fact == 0 || (of_fact > 0) != (coefficient > 0) {
        return None;
    }
    let common = gcd(coefficient.abs(), of_fact.abs());
    let (times, taken) = (of_fact.abs() / common, coefficient.abs() / common);
    goal.scaled(times)?.plus_constant(times - 1)?.plus_scaled(fact, -taken)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
