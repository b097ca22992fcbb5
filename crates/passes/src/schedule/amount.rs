//! Amounts of work: sums of products of sizes, in scalar operations.
//!
//! An amount is an estimate. It keeps a few terms of a few factors, those that matter most, so that computing with
//! amounts costs the same however deep a program nests.

use norn_ir::nest::Var;

/// More terms than these are not kept.
const MOST_TERMS: usize = 6;
/// A product of more sizes than these goes without the others.
const MOST_FACTORS: usize = 4;
/// A term does not count beside another with more factors, unless its number is so many times as large.
const OUTWEIGHS: u64 = 16;

/// The sum of its terms, which are in order and have different factors.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Amount {
    terms: Vec<Term>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Term {
    pub times: u64,
    /// In order.
    pub factors: Vec<Factor>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Factor {
    /// The value of an integer variable.
    Size(Var),
    /// How many rows there are when the rows of an irregular array are joined this many times, at least once.
    Rows(Var, u32),
}

impl Factor {
    pub fn var(self) -> Var {
        match self {
            Factor::Size(var) | Factor::Rows(var, _) => var,
        }
    }
}

impl From<u64> for Amount {
    fn from(times: u64) -> Amount {
        Amount::from(Term { times, factors: Vec::new() })
    }
}

impl From<Factor> for Amount {
    fn from(factor: Factor) -> Amount {
        Amount::from(Term { times: 1, factors: vec![factor] })
    }
}

impl From<Term> for Amount {
    fn from(term: Term) -> Amount {
        let mut amount = Amount::default();
        amount.add_term(term);
        amount.trim();
        amount
    }
}

impl Amount {
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Its value, if it depends on no size.
    pub fn constant(&self) -> Option<u64> {
        match &self.terms[..] {
            [] => Some(0),
            [Term { times, factors }] if factors.is_empty() => Some(*times),
            [..] => None,
        }
    }

    /// The terms that decide: those with a part of the factors of another are left out, if they weigh little.
    pub fn leading(&self) -> Vec<Term> {
        let mut terms = self.terms.clone();
        terms.sort_by_key(|term| std::cmp::Reverse(term.factors.len()));
        let mut leading: Vec<Term> = Vec::new();
        for term in terms {
            let above = leading.iter_mut().find(|other| {
                contains(&other.factors, &term.factors) && term.times <= other.times.saturating_mul(OUTWEIGHS)
            });
            match above {
                Some(other) => other.times = other.times.max(term.times),
                None => leading.push(term),
            }
        }
        leading
    }

    pub fn is_below(&self, limit: u64) -> bool {
        self.constant().is_some_and(|amount| amount < limit)
    }

    pub fn factors(&self) -> impl Iterator<Item = Factor> {
        self.terms.iter().flat_map(|term| term.factors.iter().copied())
    }

    pub fn plus(mut self, other: &Amount) -> Amount {
        other.terms.iter().for_each(|term| self.add_term(term.clone()));
        self.trim();
        self
    }

    pub fn times(&self, other: &Amount) -> Amount {
        let mut product = Amount::default();
        for a in &self.terms {
            for b in &other.terms {
                let mut factors = [&a.factors[..], &b.factors].concat();
                factors.sort_unstable();
                factors.truncate(MOST_FACTORS);
                product.add_term(Term { times: a.times.saturating_mul(b.times), factors });
            }
        }
        product.trim();
        product
    }

    /// At least as much as either.
    pub fn max(mut self, other: &Amount) -> Amount {
        for term in &other.terms {
            match self.find(&term.factors) {
                Ok(at) => self.terms[at].times = self.terms[at].times.max(term.times),
                Err(at) => self.terms.insert(at, term.clone()),
            }
        }
        self.trim();
        self
    }

    fn find(&self, factors: &[Factor]) -> Result<usize, usize> {
        self.terms.binary_search_by(|term| term.factors[..].cmp(factors))
    }

    fn add_term(&mut self, term: Term) {
        match self.find(&term.factors) {
            Ok(at) => self.terms[at].times = self.terms[at].times.saturating_add(term.times),
            Err(at) => self.terms.insert(at, term),
        }
    }

    /// Without what is nothing; then, if there is too much, without what has the fewest factors and the least weight.
    fn trim(&mut self) {
        self.terms.retain(|term| term.times > 0);
        while self.terms.len() > MOST_TERMS {
            let weight = |at: &usize| (self.terms[*at].factors.len(), self.terms[*at].times);
            if let Some(least) = (0..self.terms.len()).min_by_key(weight) {
                self.terms.remove(least);
            }
        }
    }
}

/// Whether all of the others are there, as often; both are in order.
fn contains(factors: &[Factor], others: &[Factor]) -> bool {
    let mut rest = factors.iter();
    others.iter().all(|other| rest.any(|factor| factor == other))
}
