//! Sums and differences of integers as polynomials, whatever the order in which they were written.
//!
//! ```text
//! let a: i64 = mul.i64 i b
//! let c: i64 = add.i64 a b
//! let n: i64 = sub.i64 c a          b
//! ```
//!
//! Integers wrap around, so all of it is exact. A sum is replaced by something that is there already, a variable or a constant, or by a sum of two such if some of it
//! goes away: sizes that are the same for all rows are seen to be so, however they were computed.

use super::Simplifier;
use crate::nest::polynomials::{Polynomial, add, polynomial};
use norn_ir::nest::{Atom, BinOp, Exp, Prim, Scalar, ScalarExp, Var};

impl Simplifier<'_> {
    /// The variable or constant that a sum or difference of integers is equal to.
    pub(super) fn sum(&self, exp: &Exp) -> Option<Atom> {
        let (prim, [x, y], all) = self.terms(exp)?;
        let mut terms = all.iter();
        let single = match (terms.next(), terms.next()) {
            (None, _) => Some(Atom::int(prim, 0)),
            (Some((vars, factor)), None) if vars.is_empty() => {
                Some(Atom::Const(Scalar::from_int(prim, *factor)))
            }
            (Some((vars, factor)), None) if Scalar::from_int(prim, *factor) == Scalar::from_int(prim, 1) => {
                let [var] = vars[..] else { return None };
                Some(var.into())
            }
            (_, _) => None,
        };
        single.or_else(|| {
            let parts = [x, y].into_iter().flat_map(|atom| self.summands(atom, prim));
            parts.into_iter().find(|part| self.polynomial(*part, prim) == all)
        })
    }

    /// The sum or difference of two variables, or a variable and a constant, that one is equal to of which something goes away.
    pub(super) fn shorter_sum(&self, exp: &Exp) -> Option<Exp> {
        let (prim, [x, y], all) = self.terms(exp)?;
        let goes_away = |atom: Atom| self.polynomial(atom, prim).keys().any(|vars| !all.contains_key(vars));
        if all.len() != 2 || !(goes_away(x) && goes_away(y)) {
            return None;
        }
        let one = Scalar::from_int(prim, 1);
        let is_one = |factor: i128| Scalar::from_int(prim, factor) == one;
        let single = |(vars, factor): (&Vec<Var>, &i128)| match vars[..] {
            [] => Some((Atom::Const(Scalar::from_int(prim, *factor)), false)),
            [var] if is_one(*factor) => Some((var.into(), false)),
            [var] if is_one(-*factor) => Some((var.into(), true)),
            [..] => None,
        };
        let terms: Option<Vec<(Atom, bool)>> = all.iter().map(single).collect();
        match terms?[..] {
            [(x, false), (y, false)] => Some(Exp::bin(BinOp::Add, prim, y, x)),
            [(x, false), (y, true)] | [(y, true), (x, false)] => Some(Exp::bin(BinOp::Sub, prim, x, y)),
            _ => None,
        }
    }

    /// The operands of a sum or difference of integers one of which is a sum, and the polynomial.
    fn terms(&self, exp: &Exp) -> Option<(Prim, [Atom; 2], Polynomial)> {
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
        Some((*prim, [*x, *y], all))
    }

    /// The variables that a variable is the sum or difference of.
    fn summands(&self, atom: Atom, prim: Prim) -> Vec<Atom> {
        match self.def(atom) {
            Some(Exp::Scalar(ScalarExp::Bin(BinOp::Add | BinOp::Sub, own, x, y))) if *own == prim => {
                [*x, *y].into_iter().filter(|part| part.var().is_some()).collect()
            }
            _ => Vec::new(),
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
