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
use crate::nest::polynomials::{Polynomial, add, polynomial};
use norn_ir::nest::{Atom, BinOp, Exp, Prim, Scalar, ScalarExp};

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
        let mut all = self.polynomial(*x, *prim);
        let sign = if *op == BinOp::Sub { -1 } else { 1 };
        add(&mut all, &self.polynomial(*y, *prim), sign);
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
        let mut rest = self.polynomial(sum, Prim::I64);
        for term in [x, y] {
            add(&mut rest, &self.polynomial(term, Prim::I64), -1);
        }
        rest.values().all(|factor| Scalar::from_int(Prim::I64, *factor) == Scalar::zero(Prim::I64))
    }

    fn polynomial(&self, atom: Atom, prim: Prim) -> Polynomial {
        polynomial(atom, prim, &|var| self.def(var.into()))
    }
}
