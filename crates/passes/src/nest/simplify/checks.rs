//! Checks that hold by what is known of their operands.

use super::{Outcome, Walk};
use norn_ir::nest::{Atom, BinOp, Check, Exp, Prim, Scalar, Stm};

impl Walk<'_> {
    pub(super) fn check(&mut self, stm: Stm) -> Outcome {
        let Exp::Check(check) = &stm.exp else { return Outcome::Keep(stm) };
        if !self.holds(check) {
            return Outcome::Keep(stm);
        }
        self.known_mut(stm.vars[0]).holds = true;
        self.changed = true;
        Outcome::Gone
    }

    fn holds(&self, check: &Check) -> bool {
        match check {
            Check::Index { index, length } => self.is_index(*index, *length),
            Check::Slice { start, count, stride, length } => {
                let whole = *start == Atom::i64(0) && *stride == Atom::i64(1);
                whole && count == length && self.is_not_negative(*length)
                    || constant_slice(*start, *count, *stride, *length)
            }
            Check::Size { expected, found } => expected == found,
            Check::NonNegative(size) => self.is_not_negative(*size),
            Check::NonZero(_, divisor) => divisor.constant().is_some_and(|c| c.bits() != 0),
            Check::Exponent(_, x) => x.constant().and_then(integer).is_some_and(|x| x >= 0),
            Check::Range { ok, .. } => *ok == Atom::bool(true),
            Check::Assert { cond, text: _ } => *cond == Atom::bool(true),
            Check::Shape { .. } | Check::Segments { .. } | Check::Flat { .. } | Check::Fail { .. } => false,
        }
    }

    pub(super) fn is_not_negative(&self, atom: Atom) -> bool {
        match atom {
            Atom::Const(c) => integer(c).is_some_and(|c| c >= 0),
            Atom::Var(_) => self.known(atom).is_some_and(|known| known.not_negative || known.below.is_some()),
        }
    }

    /// `0 <= index < length`
    fn is_index(&self, index: Atom, length: Atom) -> bool {
        if let (Some(index), Some(length)) = (int(index), int(length)) {
            return 0 <= index && index < length;
        }
        let below = |atom: Atom| self.known(atom).and_then(|known| known.below);
        if let Some(bound) = below(index) {
            let fits = |(bound, length): (i64, i64)| bound <= length;
            return bound == length || int(bound).zip(int(length)).is_some_and(fits);
        }
        // The index of the other end: `(n - 1) - i`, or `n - 1 - i` for constant `n`.
        if let Some(Exp::Bin(BinOp::Sub, Prim::I64, last, i)) = self.def(index) {
            let is_last = match self.def(*last) {
                Some(Exp::Bin(BinOp::Sub, Prim::I64, n, one)) => *n == length && *one == Atom::i64(1),
                Some(Exp::Bin(BinOp::Add, Prim::I64, n, one)) => *n == length && *one == Atom::i64(-1),
                _ => int(*last)
                    .zip(int(length))
                    .is_some_and(|(last, length)| last.checked_add(1) == Some(length)),
            };
            return is_last && below(*i) == Some(length);
        }
        false
    }
}

fn constant_slice(start: Atom, count: Atom, stride: Atom, length: Atom) -> bool {
    let values = [start, count, stride, length].map(int);
    let [Some(start), Some(count), Some(stride), Some(length)] = values.map(|x| x.map(i128::from)) else {
        return false;
    };
    let last = start + (count - 1) * stride;
    let inside = |index: i128| 0 <= index && index < length;
    count > 0 && inside(start) && inside(last)
}

fn int(atom: Atom) -> Option<i64> {
    match atom {
        Atom::Const(Scalar::I64(value)) => Some(value),
        Atom::Const(_) | Atom::Var(_) => None,
    }
}

fn integer(scalar: Scalar) -> Option<i128> {
    match scalar {
        Scalar::I8(x) => Some(x.into()),
        Scalar::I16(x) => Some(x.into()),
        Scalar::I32(x) => Some(x.into()),
        Scalar::I64(x) => Some(x.into()),
        Scalar::U8(x) => Some(x.into()),
        Scalar::U16(x) => Some(x.into()),
        Scalar::U32(x) => Some(x.into()),
        Scalar::U64(x) => Some(x.into()),
        Scalar::F16(_) | Scalar::F32(_) | Scalar::F64(_) | Scalar::Bool(_) => None,
    }
}
