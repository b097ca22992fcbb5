//! Sums and differences of integers as polynomials, whatever the order in which they were written.
//!
//! ```text
//! let a: i64 = mul.i64 i b
//! let c: i64 = add.i64 a b
//! let n: i64 = sub.i64 c a          b
//! ```
//!
//! Integers wrap around, so all of it is exact. A sum is replaced only by something that is there already: a variable or a constant.

use super::Walk;
use norn_ir::nest::{Atom, BinOp, Exp, Prim, Scalar, ScalarExp, UnOp, Var};
use std::collections::BTreeMap;

/// How far definitions are looked at.
const DEPTH: usize = 6;
/// More terms than these are not worth the time.
const TERMS: usize = 8;

/// For each product of variables, in order, how often it is there. Coefficients count modulo a power of two that all types divide.
type Polynomial = BTreeMap<Vec<Var>, i128>;

impl Walk<'_> {
    /// The variable or constant that a sum or difference of integers is equal to.
    pub(super) fn sum(&self, exp: &Exp) -> Option<Atom> {
        let Exp::Scalar(ScalarExp::Bin(op @ (BinOp::Add | BinOp::Sub), prim, x, y)) = exp else {
            return None;
        };
        let is_sum = |atom: Atom| matches!(self.def(atom), Some(Exp::Scalar(ScalarExp::Bin(..))));
        if !prim.is_int() || !(is_sum(*x) || is_sum(*y)) {
            return None;
        }
        let mut all = self.polynomial(*x, *prim, DEPTH);
        let sign = if *op == BinOp::Sub { -1 } else { 1 };
        add(&mut all, &self.polynomial(*y, *prim, DEPTH), sign);
        all.retain(|_, factor| Scalar::from_int(*prim, *factor) != Scalar::zero(*prim));
        let mut terms = all.iter();
        match (terms.next(), terms.next()) {
            (None, _) => Some(Atom::int(*prim, 0)),
            (Some((vars, factor)), None) if vars.is_empty() => {
                Some(Atom::Const(Scalar::from_int(*prim, *factor)))
            }
            (Some((vars, factor)), None)
                if Scalar::from_int(*prim, *factor) == Scalar::from_int(*prim, 1) =>
            {
                let [var] = vars[..] else { return None };
                Some(var.into())
            }
            (_, _) => None,
        }
    }

    /// Whether an `i64` is the sum of two others.
    pub(super) fn is_sum_of(&self, sum: Atom, x: Atom, y: Atom) -> bool {
        let mut rest = self.polynomial(sum, Prim::I64, DEPTH);
        for term in [x, y] {
            add(&mut rest, &self.polynomial(term, Prim::I64, DEPTH), -1);
        }
        rest.values().all(|factor| Scalar::from_int(Prim::I64, *factor) == Scalar::zero(Prim::I64))
    }

    fn polynomial(&self, atom: Atom, prim: Prim, depth: usize) -> Polynomial {
        let itself = |var: Var| Polynomial::from([(vec![var], 1)]);
        let var = match atom {
            Atom::Const(scalar) => return Polynomial::from([(Vec::new(), i128::from(scalar.bits() as i64))]),
            Atom::Var(var) => var,
        };
        if depth == 0 {
            return itself(var);
        }
        let sum = match self.def(atom) {
            Some(Exp::Scalar(ScalarExp::Un(UnOp::Neg, own, x))) if *own == prim => {
                let mut sum = Polynomial::new();
                add(&mut sum, &self.polynomial(*x, prim, depth - 1), -1);
                sum
            }
            Some(Exp::Scalar(ScalarExp::Bin(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), own, x, y)))
                if *own == prim =>
            {
                let (mut x, y) = (self.polynomial(*x, prim, depth - 1), self.polynomial(*y, prim, depth - 1));
                match op {
                    BinOp::Add => add(&mut x, &y, 1),
                    BinOp::Sub => add(&mut x, &y, -1),
                    _ => x = product(&x, &y),
                }
                x
            }
            _ => itself(var),
        };
        // What is too long is taken as it is.
        if sum.len() <= TERMS { sum } else { itself(var) }
    }
}

fn add(to: &mut Polynomial, other: &Polynomial, times: i128) {
    for (vars, factor) in other {
        let sum = to.entry(vars.clone()).or_insert(0);
        *sum = reduced(sum.wrapping_add(factor.wrapping_mul(times)));
    }
    to.retain(|_, factor| *factor != 0);
}

fn product(x: &Polynomial, y: &Polynomial) -> Polynomial {
    let mut all = Polynomial::new();
    for (left, a) in x {
        for (right, b) in y {
            let mut vars: Vec<Var> = left.iter().chain(right).copied().collect();
            vars.sort_unstable();
            let sum = all.entry(vars).or_insert(0);
            *sum = reduced(i128::wrapping_add(*sum, a.wrapping_mul(*b)));
        }
    }
    all.retain(|_, factor| *factor != 0);
    all
}

/// Modulo 2 to the 64, so that products of two do not overflow.
fn reduced(factor: i128) -> i128 {
    i128::from(factor as i64)
}
