//! Operations on scalars: constants, and identities that are exact.
//!
//! ```text
//! let x: i64 = mul.i64 y 1         ==>   y
//! let j: i64 = mod.i64 k n         ==>   k if k < n, else k - n        where k is an index of n elements, plus one
//! ```
//!
//! Decides by constants, by what computes an operand, and by what is known of the bounds of integers (`bounds`). Refuses whatever could yield other bits: floats keep their
//! order of operations, NaN and signed zeros, and no sum is made that might not fit into its type.

use super::{Outcome, Simplifier};
use crate::nest::bounds::Multiple;
use norn_ir::nest::{Atom, BinOp, Body, ControlExp, Exp, Prim, Scalar, ScalarExp, Stm, Type, UnOp};
use norn_ir::scalar::eval::{convert, eval_bin, eval_tri, eval_un};

impl Simplifier<'_> {
    pub(super) fn scalar(&mut self, mut stm: Stm) -> Outcome {
        let known = self.fold(&stm.exp).or_else(|| self.identity(&stm.exp));
        if let Some(atom) = known.or_else(|| self.sum(&stm.exp)) {
            return self.replace(stm.vars[0], atom);
        }
        let other =
            self.gather(&stm.exp).or_else(|| self.inverse_root(&stm.exp)).or_else(|| square(&stm.exp));
        let other = other.or_else(|| self.shorter_sum(&stm.exp));
        if let Some(exp) = other {
            stm.exp = exp;
            self.changed = true;
        }
        if let Some(exp) = self.wrapped_once(&stm) {
            if let Exp::Scalar(ScalarExp::Atom(rest)) = exp {
                return self.replace(stm.vars[0], rest);
            }
            stm.exp = exp;
            self.changed = true;
        } else if let Some(exp) = self.towards_zero(&stm.exp) {
            stm.exp = exp;
            self.changed = true;
        }
        Outcome::Keep(stm)
    }

    /// The value of an operation on constants.
    fn fold(&self, exp: &Exp) -> Option<Atom> {
        let value = match exp {
            Exp::Scalar(ScalarExp::Un(op, _, x)) => eval_un(*op, x.constant()?)?,
            Exp::Scalar(ScalarExp::Bin(op, _, x, y)) => eval_bin(*op, x.constant()?, y.constant()?)?,
            Exp::Scalar(ScalarExp::Tri(op, _, x, y, z)) => {
                eval_tri(*op, x.constant()?, y.constant()?, z.constant()?)?
            }
            Exp::Scalar(ScalarExp::Convert { from: _, to, value }) => convert(value.constant()?, *to),
            _ => return None,
        };
        Some(value.into())
    }

    /// An operand, or a constant, that the operation is equal to.
    fn identity(&self, exp: &Exp) -> Option<Atom> {
        match exp {
            Exp::Scalar(ScalarExp::Un(op @ (UnOp::Neg | UnOp::Not), _, x)) => match self.def(*x)? {
                Exp::Scalar(ScalarExp::Un(inner, _, y)) if inner == op => Some(*y),
                _ => None,
            },
            Exp::Scalar(ScalarExp::Convert { from, to, value: shortened }) => {
                if from == to {
                    return Some(*shortened);
                }
                match self.def(*shortened)? {
                    Exp::Scalar(ScalarExp::Convert { from: first, to: _, value })
                        if first == to && (keeps(*first, *from) || self.is_longer(*shortened, *value)) =>
                    {
                        Some(*value)
                    }
                    _ => None,
                }
            }
            Exp::Scalar(ScalarExp::Bin(op, prim, x, y)) => {
                if prim.is_int()
                    && let Some(known) = self.by_bounds(*op, *x, *y)
                {
                    return Some(known);
                }
                let right = y.constant().and_then(|c| right_identity(*op, *prim, *x, c));
                let left = x.constant().and_then(|c| left_identity(*op, *prim, c, *y));
                right.or(left).or_else(|| if x == y { same(*op, *prim, *x) } else { None })
            }
            _ => None,
        }
    }

    fn is_longer(&self, shortened: Atom, value: Atom) -> bool {
        self.known(shortened).is_some_and(|known| known.longer == Some(value))
    }

    /// Whether an integer is one of another type, too, by its bounds.
    pub(super) fn fits(&self, value: Atom, prim: Prim, other: Prim) -> bool {
        if !prim.is_int() || !other.is_int() {
            return false;
        }
        let (least, most) = other.extremes();
        let (own_least, own_most) = prim.extremes();
        let holds = |x: Atom, y: Atom| self.bounds.compare(BinOp::Le, x, y) == Some(true);
        (least <= own_least || holds(Atom::int(prim, least), value))
            && (own_most <= most || holds(value, Atom::int(prim, most)))
    }

    /// What follows from the bounds of integers.
    fn by_bounds(&self, op: BinOp, x: Atom, y: Atom) -> Option<Atom> {
        let is_at_most = |x, y| self.bounds.compare(BinOp::Le, x, y);
        match op {
            BinOp::Lt | BinOp::Le | BinOp::Eq => self.bounds.compare(op, x, y).map(Atom::bool),
            BinOp::Min => is_at_most(x, y).map(|holds| if holds { x } else { y }),
            BinOp::Max => is_at_most(x, y).map(|holds| if holds { y } else { x }),
            _ => None,
        }
    }

    /// `(x + 1) + 2` is `x + 3` for integers, which wrap around.
    fn gather(&self, exp: &Exp) -> Option<Exp> {
        let Exp::Scalar(ScalarExp::Bin(BinOp::Add, prim, x, y)) = exp else { return None };
        if !prim.is_int() {
            return None;
        }
        let (x, c) = constant_last(*x, *y)?;
        let Exp::Scalar(ScalarExp::Bin(BinOp::Add, _, a, b)) = self.def(x)? else { return None };
        let (a, d) = constant_last(*a, *b)?;
        Some(Exp::bin(BinOp::Add, *prim, a, eval_bin(BinOp::Add, c, d)?.into()))
    }

    /// Where nothing is negative, quotients and remainders are those that machines compute, which round towards zero. If that rests on a
    /// check that fails, nobody sees the value: whatever was left out because of its bounds rests on the check, too.
    fn towards_zero(&self, exp: &Exp) -> Option<Exp> {
        let Exp::Scalar(ScalarExp::Bin(op, prim, x, y)) = exp else { return None };
        let op = match op {
            BinOp::Div => BinOp::Quot,
            BinOp::Mod => BinOp::Rem,
            _ => return None,
        };
        if !prim.is_signed() {
            return None;
        }
        self.bounds.not_negative(*x)?;
        self.bounds.not_negative(*y)?;
        Some(Exp::bin(op, *prim, *x, *y))
    }

    /// `(i + 1) % n` where `i` is an index: what is known to be less than twice the divisor, or between two other multiples of it, is one subtraction away from the remainder. As a
    /// choice it has borders, which vectors and proofs know. If the bounds rest on a check that fails, nobody sees the value.
    fn wrapped_once(&mut self, stm: &Stm) -> Option<Exp> {
        let Exp::Scalar(ScalarExp::Bin(op @ (BinOp::Mod | BinOp::Rem), prim @ Prim::I64, x, y)) = stm.exp
        else {
            return None;
        };
        if y.constant().is_some() || (op == BinOp::Rem && self.bounds.not_negative(x).is_none()) {
            return None;
        }
        let Multiple { times, is_next_above, cancels } = self.bounds.multiple_below(x, y)?;
        let ty = Type::scalar(prim);
        // The sum with `y` is a number only where `x` is negative.
        let is_below = times < 0;
        let rest = match times {
            0 => x,
            1 => self.emit("rest", ty.clone(), Exp::bin(BinOp::Sub, prim, x, y), stm).into(),
            _ => self.emit("rest", ty.clone(), Exp::bin(BinOp::Add, prim, x, y), stm).into(),
        };
        if is_next_above {
            return Some(Exp::Scalar(ScalarExp::Atom(rest)));
        }
        let less = match is_below {
            true => x,
            false => self.emit("less", ty, Exp::bin(BinOp::Sub, prim, rest, y), stm).into(),
        };
        // `i - 1 + n < n` is `i - 1 < 0`, a border of `i`.
        let fits = match is_below || cancels {
            true => Exp::bin(BinOp::Lt, prim, less, Atom::i64(0)),
            false => Exp::bin(BinOp::Lt, prim, rest, y),
        };
        let fits = self.emit("fits", Type::scalar(Prim::Bool), fits, stm);
        let yields = |atom: Atom| Body { stms: Vec::new(), result: vec![atom] };
        Some(Exp::Control(ControlExp::If { cond: fits.into(), then: yields(rest), els: yields(less) }))
    }

    /// `1 / sqrt x`, which GPUs have an instruction for. Not of halves: these are rounded after each operation, this once.
    fn inverse_root(&self, exp: &Exp) -> Option<Exp> {
        let Exp::Scalar(ScalarExp::Bin(BinOp::Div, prim @ (Prim::F32 | Prim::F64), x, y)) = exp else {
            return None;
        };
        match self.def(*y)? {
            Exp::Scalar(ScalarExp::Un(UnOp::Sqrt, _, z)) if *x == Atom::int(*prim, 1) => {
                Some(Exp::un(UnOp::Rsqrt, *prim, *z))
            }
            _ => None,
        }
    }
}

/// A square is rounded once, as a product and as a power.
fn square(exp: &Exp) -> Option<Exp> {
    match exp {
        Exp::Scalar(ScalarExp::Bin(BinOp::Pow, prim, x, y)) if *y == Atom::int(*prim, 2) => {
            Some(Exp::bin(BinOp::Mul, *prim, *x, *x))
        }
        _ => None,
    }
}

fn constant_last(x: Atom, y: Atom) -> Option<(Atom, Scalar)> {
    match (x.constant(), y.constant()) {
        (None, Some(c)) => Some((x, c)),
        (Some(c), None) => Some((y, c)),
        (None, None) | (Some(_), Some(_)) => None,
    }
}

/// Converting to the wider type and back yields the same.
fn keeps(first: Prim, wider: Prim) -> bool {
    use Prim::{Bool, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    match (first, wider) {
        (Bool, I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64) => true,
        (I8 | U8, I8 | U8 | I16 | U16 | I32 | U32 | I64 | U64) => true,
        (I16 | U16, I16 | U16 | I32 | U32 | I64 | U64) => true,
        (I32 | U32, I32 | U32 | I64 | U64) => true,
        (I64 | U64, I64 | U64) => true,
        (I8 | U8, F32 | F64) | (I16 | U16, F32 | F64) | (I32 | U32, F64) => true,
        (F16, F32 | F64) | (F32, F64) => false,
        _ => false,
    }
}

/// `x op c`. Of floats, only what is exact for NaN and both zeros.
fn right_identity(op: BinOp, prim: Prim, x: Atom, c: Scalar) -> Option<Atom> {
    use BinOp::{Add, And, Ashr, Div, Eq, Lshr, Mod, Mul, Or, Pow, Quot, Rem, Shl, Sub, Xor};
    let is = |value: i128| c == Scalar::from_int(prim, value);
    if prim.is_float() {
        let negative_zero = c == Scalar::from_float(prim, -0.0);
        return match op {
            Add if negative_zero => Some(x),
            Sub if is(0) => Some(x),
            Mul | Div if is(1) => Some(x),
            _ => None,
        };
    }
    if prim == Prim::Bool {
        return match (op, c) {
            (And, Scalar::Bool(true)) | (Or | Xor, Scalar::Bool(false)) | (Eq, Scalar::Bool(true)) => Some(x),
            (And, Scalar::Bool(false)) | (Or, Scalar::Bool(true)) => Some(c.into()),
            _ => None,
        };
    }
    match op {
        Add | Sub | Or | Xor | Shl | Ashr | Lshr if is(0) => Some(x),
        Mul | Div | Quot | Pow if is(1) => Some(x),
        Mul | And if is(0) => Some(c.into()),
        Mod | Rem if is(1) => Some(Atom::int(prim, 0)),
        Pow if is(0) => Some(Atom::int(prim, 1)),
        And if is(-1) => Some(x),
        _ => None,
    }
}

/// `c op x`, for operators where it is `x op c`, or yields the constant.
fn left_identity(op: BinOp, prim: Prim, c: Scalar, x: Atom) -> Option<Atom> {
    use BinOp::{Add, And, Ashr, Eq, Lshr, Mul, Or, Shl, Xor};
    match op {
        Add | Mul | And | Or | Xor | Eq => right_identity(op, prim, x, c),
        Shl | Ashr | Lshr if prim.is_int() && c == Scalar::zero(prim) => Some(c.into()),
        _ => None,
    }
}

/// `x op x`. Not of floats, which may be NaN.
fn same(op: BinOp, prim: Prim, x: Atom) -> Option<Atom> {
    use BinOp::{And, Eq, Le, Lt, Max, Min, Or, Sub, Xor};
    if prim.is_float() {
        return None;
    }
    match op {
        Sub | Xor => Some(Scalar::zero(prim).into()),
        And | Or | Min | Max => Some(x),
        Eq | Le => Some(Atom::bool(true)),
        Lt => Some(Atom::bool(false)),
        _ => None,
    }
}
