//! Integers as polynomials: sums of products of at most two variables, with exact coefficients.
//!
//! A form stands for an integer, not for a word: nothing wraps around in it. Operations give up (`None`) when a
//! coefficient or the number of terms gets too large, or a product too deep.

use norn_ir::nest::Var;

/// More terms than this are not worth reasoning about.
const MOST_TERMS: usize = 12;

/// A variable, or a product of two, the smaller one first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Mono {
    /// The variable that was bound last comes first in the order of monomials.
    last: Var,
    other: Option<Var>,
}

impl Mono {
    fn product(a: Var, b: Var) -> Mono {
        Mono { last: a.max(b), other: Some(a.min(b)) }
    }

    pub fn vars(self) -> impl Iterator<Item = Var> {
        [Some(self.last), self.other].into_iter().flatten()
    }

    /// The variable, if it is only one.
    pub fn single(self) -> Option<Var> {
        if self.other.is_none() { Some(self.last) } else { None }
    }

    /// Both ways to see a product as something times a variable.
    pub fn factors(self) -> Vec<(Var, Var)> {
        self.other.map_or(Vec::new(), |other| vec![(self.last, other), (other, self.last)])
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Form {
    pub constant: i128,
    /// Sorted, without zeros.
    terms: Vec<(Mono, i128)>,
}

impl Form {
    pub fn constant(constant: i128) -> Form {
        Form { constant, terms: Vec::new() }
    }

    pub fn var(var: Var) -> Form {
        Form { constant: 0, terms: vec![(Mono { last: var, other: None }, 1)] }
    }

    pub fn terms(&self) -> &[(Mono, i128)] {
        &self.terms
    }

    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    pub fn vars(&self) -> impl Iterator<Item = Var> {
        self.terms.iter().flat_map(|(mono, _)| mono.vars())
    }

    pub fn coefficient(&self, mono: Mono) -> i128 {
        self.terms.binary_search_by_key(&mono, |(mono, _)| *mono).map_or(0, |at| self.terms[at].1)
    }

    pub fn plus(&self, other: &Form) -> Option<Form> {
        self.plus_scaled(other, 1)
    }

    pub fn minus(&self, other: &Form) -> Option<Form> {
        self.plus_scaled(other, -1)
    }

    pub fn plus_constant(&self, constant: i128) -> Option<Form> {
        Some(Form { constant: self.constant.checked_add(constant)?, terms: self.terms.clone() })
    }

    pub fn negated(&self) -> Option<Form> {
        self.scaled(-1)
    }

    pub fn scaled(&self, factor: i128) -> Option<Form> {
        Form::default().plus_scaled(self, factor)
    }

    pub fn plus_scaled(&self, other: &Form, factor: i128) -> Option<Form> {
        let constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (&self.terms[..], &other.terms[..]);
        loop {
            let (mono, coefficient) = match (left, right) {
                ([], []) => break,
                ([(a, x), rest @ ..], [(b, _), ..]) if a < b => {
                    left = rest;
                    (*a, *x)
                }
                ([(a, x), rest @ ..], []) => {
                    left = rest;
                    (*a, *x)
                }
                ([(a, x), more @ ..], [(b, y), rest @ ..]) if a == b => {
                    (left, right) = (more, rest);
                    (*a, x.checked_add(y.checked_mul(factor)?)?)
                }
                (_, [(b, y), rest @ ..]) => {
                    right = rest;
                    (*b, y.checked_mul(factor)?)
                }
            };
            if coefficient != 0 {
                terms.push((mono, coefficient));
            }
        }
        (terms.len() <= MOST_TERMS).then_some(Form { constant, terms })
    }

    pub fn times(&self, other: &Form) -> Option<Form> {
        let mut product = other.scaled(self.constant)?;
        for (mono, coefficient) in &self.terms {
            let part = other.times_mono(*mono)?.scaled(*coefficient)?;
            product = product.plus(&part)?;
        }
        Some(product)
    }

    pub fn times_var(&self, var: Var) -> Option<Form> {
        self.times_mono(Mono { last: var, other: None })
    }

    fn times_mono(&self, factor: Mono) -> Option<Form> {
        let mut product = Form { constant: 0, terms: Vec::new() };
        if self.constant != 0 {
            product.terms.push((factor, self.constant));
        }
        for (mono, coefficient) in &self.terms {
            let term = Mono::product(mono.single()?, factor.single()?);
            let term = Form { constant: 0, terms: vec![(term, *coefficient)] };
            product = product.plus(&term)?;
        }
        Some(product)
    }

    /// With a form in place of a variable.
    pub fn with(&self, var: Var, value: &Form) -> Option<Form> {
        let mut replaced = Form::constant(self.constant);
        for (mono, coefficient) in &self.terms {
            let mut part = Form::constant(*coefficient);
            for factor in mono.vars() {
                part = if factor == var { part.times(value)? } else { part.times_var(factor)? };
            }
            replaced = replaced.plus(&part)?;
        }
        Some(replaced)
    }
}
