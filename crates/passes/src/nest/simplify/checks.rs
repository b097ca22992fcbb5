//! Checks that hold by what is known of their operands.

use super::{Outcome, Simplifier};
use crate::nest::bounds::Certs;
use norn_ir::nest::{ArrayExp, Atom, Check, ControlExp, Dim, Exp, Stm, Var};

impl Simplifier<'_> {
    pub(super) fn check(&mut self, stm: Stm) -> Outcome {
        let Exp::Control(ControlExp::Check(check)) = &stm.exp else { return Outcome::Keep(stm) };
        let Some(others) = self.holds(check) else { return Outcome::Keep(stm) };
        self.known_mut(stm.vars[0]).rests_on = Some(others);
        self.changed = true;
        Outcome::Gone
    }

    /// The checks that this one follows from, if it does.
    fn holds(&self, check: &Check) -> Option<Certs> {
        let always = |holds: bool| holds.then(Vec::new);
        match check {
            Check::Index { index, length } => self.bounds.is_index(*index, *length),
            Check::Slice { start, count, stride, length } => {
                self.bounds.is_slice(*start, *count, *stride, *length)
            }
            Check::Size { expected, found } => self.bounds.are_equal(*expected, *found),
            Check::NonNegative(size) => self.bounds.not_negative(*size),
            Check::NonZero(prim, divisor) if prim.is_int() => self.bounds.not_zero(*divisor),
            Check::NonZero(..) => None,
            Check::Exponent(_, x) => self.bounds.not_negative(*x),
            Check::Range { ok, .. } => always(*ok == Atom::bool(true)),
            Check::Assert { cond, text: _ } => always(*cond == Atom::bool(true)),
            Check::Shape { array, dims } => self.has_shape(*array, dims),
            Check::Segments { lengths, total } => self.are_segments(*lengths, *total),
            Check::Flat { offset, dims, length } => self.is_within(*offset, dims, *length),
            Check::Fail { .. } => None,
        }
    }

    /// The rows of an array were of one shape before that was forgotten.
    fn has_shape(&self, array: Var, dims: &[Dim]) -> Option<Certs> {
        let (Exp::Array(ArrayExp::Coerce { array: before, dims: _ }), certs) =
            self.known[array.0 as usize].def.as_ref()?
        else {
            return None;
        };
        let mut certs = certs.clone();
        if self.ty(*before).rank() != dims.len() {
            return None;
        }
        for (found, expected) in self.ty(*before).dims().iter().zip(dims) {
            if found != expected {
                certs.extend(self.bounds.are_equal(self.subst.atom(found.atom()?), expected.atom()?)?);
            }
        }
        Some(certs)
    }

    /// The lengths of the rows of an array add up to what these rows are together.
    fn are_segments(&self, lengths: Var, total: Atom) -> Option<Certs> {
        match (self.def(lengths.into())?, self.def(total)?) {
            (Exp::Array(ArrayExp::Lengths(rows)), Exp::Array(ArrayExp::JoinRows(joined)))
                if rows == joined =>
            {
                Some(Vec::new())
            }
            _ => None,
        }
    }

    /// A view with constant strides.
    fn is_within(&self, offset: Atom, dims: &[(Atom, Atom)], length: Atom) -> Option<Certs> {
        match dims {
            [(count, stride)] => self.bounds.is_slice(offset, *count, *stride, length),
            _ => None,
        }
    }
}
