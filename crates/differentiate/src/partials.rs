//! Partial derivatives of the scalar operators: by what factor an operand's change becomes one of the result.
//!
//! Both directions need the same factors: forwards `z' = f1 x' + f2 y'`, in reverse `x' += f1 z'` and `y' += f2 z'`. A factor that is 1 or -1 costs no product, and where an
//! operator picks one of its operands (`min`) the change is picked, too, so that an infinite operand does no harm.
//!
//! Of integers only the operators of a ring have factors, and those that pick or convert; these are formal derivatives.
//!
//! At a point without a derivative there is one of its neighbours' by convention: `abs` has 0 at 0, and of equal operands `min` and `max` pick the first.

use crate::writer::Writer;
use norn_ir::nest::ControlExp;
use norn_ir::nest::{Atom, BinOp, Body, Exp, LoopForm, Param, Prim, Scalar, ScalarExp, TriOp, Type, UnOp};

#[derive(Clone, Copy)]
pub enum Factor {
    One,
    MinusOne,
    Times(Atom),
    /// 1 where this holds, otherwise 0.
    Where(Atom),
    Convert(Prim, Prim),
    /// A power of two.
    Scaled(Atom),
}

/// The operands of a scalar expression that are floats, each with its factor. An operand that is not there has no part in how the result changes.
/// `wanted` are the operands that matter; `result` is the value of the expression.
pub fn factors(
    w: &mut Writer,
    exp: &ScalarExp,
    result: Atom,
    wanted: &dyn Fn(Atom) -> bool,
) -> Vec<(Atom, Factor)> {
    match *exp {
        ScalarExp::Atom(x) => vec![(x, Factor::One)],
        ScalarExp::Un(op, prim, x) if prim.is_number() && wanted(x) => {
            let at = w.atom(x);
            of_un(w, op, prim, at, result).map(|factor| (x, factor)).into_iter().collect()
        }
        ScalarExp::Bin(op, prim, x, y) if prim.is_number() => {
            let (a, b) = (w.atom(x), w.atom(y));
            let mut found = Vec::new();
            if wanted(x) {
                found.extend(of_first(w, op, prim, (a, b), result).map(|factor| (x, factor)));
            }
            if wanted(y) {
                found.extend(of_second(w, op, prim, (a, b), result).map(|factor| (y, factor)));
            }
            found
        }
        ScalarExp::Tri(op, prim, x, y, z) if prim.is_float() => {
            let at = [w.atom(x), w.atom(y), w.atom(z)];
            let mut found = Vec::new();
            for (place, operand) in [x, y, z].into_iter().enumerate() {
                if wanted(operand) {
                    found.extend(of_tri(w, op, prim, at, place).map(|factor| (operand, factor)));
                }
            }
            found
        }
        ScalarExp::Convert { from, to, value } if from.is_number() && to.is_number() && wanted(value) => {
            vec![(value, Factor::Convert(from, to))]
        }
        ScalarExp::Un(..)
        | ScalarExp::Bin(..)
        | ScalarExp::Tri(..)
        | ScalarExp::Convert { .. }
        | ScalarExp::Workers
        | ScalarExp::Tunable(_) => Vec::new(),
    }
}

impl Factor {
    /// How the result changes with this change of the operand.
    pub fn forward(self, w: &mut Writer, change: Atom) -> Atom {
        match self {
            Factor::Convert(from, to) => w.b.convert("changed", from, to, change, w.span),
            Factor::One | Factor::MinusOne | Factor::Times(_) | Factor::Where(_) | Factor::Scaled(_) => {
                self.times(w, change)
            }
        }
    }

    /// How much the operand matters if the result matters so much.
    pub fn reverse(self, w: &mut Writer, weight: Atom) -> Atom {
        match self {
            Factor::Convert(from, to) => w.b.convert("weight", to, from, weight, w.span),
            Factor::One | Factor::MinusOne | Factor::Times(_) | Factor::Where(_) | Factor::Scaled(_) => {
                self.times(w, weight)
            }
        }
    }

    fn times(self, w: &mut Writer, x: Atom) -> Atom {
        let ty = w.b.atom_ty(x);
        let Some(prim) = ty.prim() else { return x };
        match self {
            Factor::One | Factor::Convert(..) => x,
            Factor::MinusOne => w.un(UnOp::Neg, prim, x),
            Factor::Times(factor) => w.bin(BinOp::Mul, prim, factor, x),
            Factor::Where(cond) => w.choose(cond, ty, x, Atom::Const(Scalar::zero(prim))),
            Factor::Scaled(exponent) => w.bin(BinOp::Ldexp, prim, x, exponent),
        }
    }
}

fn number(prim: Prim, value: f64) -> Atom {
    match prim.is_float() {
        true => Atom::Const(Scalar::from_float(prim, value)),
        false => Atom::int(prim, value as i128),
    }
}

fn of_un(w: &mut Writer, op: UnOp, prim: Prim, x: Atom, result: Atom) -> Option<Factor> {
    use BinOp::{Add, Div, Mul, Sub};
    let num = |value: f64| number(prim, value);
    let pi = std::f64::consts::PI;
    let factor = match op {
        UnOp::Neg => return Some(Factor::MinusOne),
        UnOp::Abs => w.un(UnOp::Sgn, prim, x),
        UnOp::Sqrt => w.bin(Div, prim, num(0.5), result),
        UnOp::Rsqrt => {
            let ratio = w.bin(Div, prim, result, x);
            w.bin(Mul, prim, num(-0.5), ratio)
        }
        UnOp::Cbrt => {
            let square = w.bin(Mul, prim, result, result);
            let three = w.bin(Mul, prim, num(3.0), square);
            w.bin(Div, prim, num(1.0), three)
        }
        UnOp::Exp => result,
        UnOp::Log => w.bin(Div, prim, num(1.0), x),
        UnOp::Log2 => w.bin(Div, prim, num(std::f64::consts::LOG2_E), x),
        UnOp::Log10 => w.bin(Div, prim, num(std::f64::consts::LOG10_E), x),
        UnOp::Log1p => {
            let sum = w.bin(Add, prim, num(1.0), x);
            w.bin(Div, prim, num(1.0), sum)
        }
        UnOp::Sin => w.un(UnOp::Cos, prim, x),
        UnOp::Cos => {
            let sin = w.un(UnOp::Sin, prim, x);
            w.un(UnOp::Neg, prim, sin)
        }
        UnOp::Tan => {
            let square = w.bin(Mul, prim, result, result);
            w.bin(Add, prim, num(1.0), square)
        }
        UnOp::Asin | UnOp::Acos | UnOp::Asinpi | UnOp::Acospi => {
            // (1 - x) (1 + x) keeps the digits that 1 - x * x loses near 1.
            let (less, more) = (w.bin(Sub, prim, num(1.0), x), w.bin(Add, prim, num(1.0), x));
            let product = w.bin(Mul, prim, less, more);
            let root = w.un(UnOp::Sqrt, prim, product);
            let scale = match op {
                UnOp::Asin => 1.0,
                UnOp::Acos => -1.0,
                UnOp::Asinpi => 1.0 / pi,
                _ => -1.0 / pi,
            };
            w.bin(Div, prim, num(scale), root)
        }
        UnOp::Atan | UnOp::Atanpi => {
            let square = w.bin(Mul, prim, x, x);
            let sum = w.bin(Add, prim, num(1.0), square);
            w.bin(Div, prim, num(if op == UnOp::Atan { 1.0 } else { 1.0 / pi }), sum)
        }
        UnOp::Sinpi => {
            let cos = w.un(UnOp::Cospi, prim, x);
            w.bin(Mul, prim, num(pi), cos)
        }
        UnOp::Cospi => {
            let sin = w.un(UnOp::Sinpi, prim, x);
            w.bin(Mul, prim, num(-pi), sin)
        }
        UnOp::Tanpi => {
            let square = w.bin(Mul, prim, result, result);
            let sum = w.bin(Add, prim, num(1.0), square);
            w.bin(Mul, prim, num(pi), sum)
        }
        UnOp::Sinh => w.un(UnOp::Cosh, prim, x),
        UnOp::Cosh => w.un(UnOp::Sinh, prim, x),
        UnOp::Tanh => {
            let (less, more) = (w.bin(Sub, prim, num(1.0), result), w.bin(Add, prim, num(1.0), result));
            w.bin(Mul, prim, less, more)
        }
        UnOp::Asinh => {
            let far = w.bin(BinOp::Hypot, prim, x, num(1.0));
            w.bin(Div, prim, num(1.0), far)
        }
        UnOp::Acosh => {
            let (less, more) = (w.bin(Sub, prim, x, num(1.0)), w.bin(Add, prim, x, num(1.0)));
            let roots = [w.un(UnOp::Sqrt, prim, less), w.un(UnOp::Sqrt, prim, more)];
            let root = w.bin(Mul, prim, roots[0], roots[1]);
            w.bin(Div, prim, num(1.0), root)
        }
        UnOp::Atanh => {
            let (less, more) = (w.bin(Sub, prim, num(1.0), x), w.bin(Add, prim, num(1.0), x));
            let product = w.bin(Mul, prim, less, more);
            w.bin(Div, prim, num(1.0), product)
        }
        UnOp::Gamma => {
            let digamma = digamma(w, prim, x);
            w.bin(Mul, prim, result, digamma)
        }
        UnOp::Lgamma => digamma(w, prim, x),
        UnOp::Erf | UnOp::Erfc => {
            let square = w.bin(Mul, prim, x, x);
            let negative = w.un(UnOp::Neg, prim, square);
            let bell = w.un(UnOp::Exp, prim, negative);
            let scale = if op == UnOp::Erf { 2.0 } else { -2.0 } / pi.sqrt();
            w.bin(Mul, prim, num(scale), bell)
        }
        UnOp::Not
        | UnOp::Sgn
        | UnOp::Popc
        | UnOp::Clz
        | UnOp::Ctz
        | UnOp::Ceil
        | UnOp::Floor
        | UnOp::Trunc
        | UnOp::Round
        | UnOp::IsNan
        | UnOp::IsInf
        | UnOp::ToBits
        | UnOp::FromBits => return None,
    };
    Some(Factor::Times(factor))
}

fn of_first(w: &mut Writer, op: BinOp, prim: Prim, (x, y): (Atom, Atom), result: Atom) -> Option<Factor> {
    let factor = match op {
        BinOp::Add | BinOp::Sub | BinOp::Mod | BinOp::Nextafter => return Some(Factor::One),
        BinOp::Mul => y,
        BinOp::Div if prim.is_int() => return None,
        BinOp::Div => w.bin(BinOp::Div, prim, number(prim, 1.0), y),
        BinOp::Pow => {
            // y * x ** (y - 1), and 0 where y is 0, whatever x is.
            let less = w.bin(BinOp::Sub, prim, y, number(prim, 1.0));
            let power = w.bin(BinOp::Pow, prim, x, less);
            let slope = w.bin(BinOp::Mul, prim, y, power);
            match y {
                Atom::Const(scalar) if scalar != Scalar::zero(prim) => slope,
                Atom::Const(_) | Atom::Var(_) => {
                    let none = w.bin(BinOp::Eq, prim, y, number(prim, 0.0));
                    w.choose(none, Type::scalar(prim), number(prim, 0.0), slope)
                }
            }
        }
        BinOp::Min | BinOp::Max => return Some(Factor::Where(takes_first(w, op, prim, x, y))),
        BinOp::Atan2 | BinOp::Atan2pi => angle(w, op, prim, y, (x, y), 1.0),
        BinOp::Hypot => w.bin(BinOp::Div, prim, x, result),
        BinOp::Copysign => {
            // -1 if the sign changes.
            let own = w.bin(BinOp::Copysign, prim, number(prim, 1.0), x);
            let other = w.bin(BinOp::Copysign, prim, number(prim, 1.0), y);
            w.bin(BinOp::Mul, prim, own, other)
        }
        BinOp::Ldexp => return Some(Factor::Scaled(y)),
        BinOp::Quot
        | BinOp::Rem
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::Shl
        | BinOp::Ashr
        | BinOp::Lshr
        | BinOp::MulHi
        | BinOp::Eq
        | BinOp::Lt
        | BinOp::Le => return None,
    };
    Some(Factor::Times(factor))
}

fn of_second(w: &mut Writer, op: BinOp, prim: Prim, (x, y): (Atom, Atom), result: Atom) -> Option<Factor> {
    let factor = match op {
        BinOp::Add => return Some(Factor::One),
        BinOp::Sub => return Some(Factor::MinusOne),
        BinOp::Mul => x,
        BinOp::Div | BinOp::Mod | BinOp::Pow if prim.is_int() => return None,
        BinOp::Div => {
            let ratio = w.bin(BinOp::Div, prim, result, y);
            w.un(UnOp::Neg, prim, ratio)
        }
        BinOp::Mod => {
            let ratio = w.bin(BinOp::Div, prim, x, y);
            let whole = w.un(UnOp::Trunc, prim, ratio);
            w.un(UnOp::Neg, prim, whole)
        }
        BinOp::Pow => {
            // Powers of 0 are 0 for every exponent near a positive one.
            let log = w.un(UnOp::Log, prim, x);
            let slope = w.bin(BinOp::Mul, prim, result, log);
            let none = w.bin(BinOp::Eq, prim, x, number(prim, 0.0));
            w.choose(none, Type::scalar(prim), number(prim, 0.0), slope)
        }
        BinOp::Min | BinOp::Max => {
            let first = takes_first(w, op, prim, x, y);
            return Some(Factor::Where(w.un(UnOp::Not, Prim::Bool, first)));
        }
        BinOp::Atan2 | BinOp::Atan2pi => angle(w, op, prim, x, (x, y), -1.0),
        BinOp::Hypot => w.bin(BinOp::Div, prim, y, result),
        BinOp::Nextafter
        | BinOp::Copysign
        | BinOp::Ldexp
        | BinOp::Quot
        | BinOp::Rem
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::Shl
        | BinOp::Ashr
        | BinOp::Lshr
        | BinOp::MulHi
        | BinOp::Eq
        | BinOp::Lt
        | BinOp::Le => return None,
    };
    Some(Factor::Times(factor))
}

/// Whether `min` or `max` yields its first operand: it does of equal ones, and if the other is no number.
fn takes_first(w: &mut Writer, op: BinOp, prim: Prim, x: Atom, y: Atom) -> Atom {
    let (small, large) = if op == BinOp::Min { (x, y) } else { (y, x) };
    let fits = w.bin(BinOp::Le, prim, small, large);
    if prim.is_int() {
        return fits;
    }
    let none = w.un(UnOp::IsNan, prim, y);
    w.bin(BinOp::Or, Prim::Bool, fits, none)
}

fn angle(w: &mut Writer, op: BinOp, prim: Prim, other: Atom, (y, x): (Atom, Atom), sign: f64) -> Atom {
    let squares = [w.bin(BinOp::Mul, prim, x, x), w.bin(BinOp::Mul, prim, y, y)];
    let distance = w.bin(BinOp::Add, prim, squares[0], squares[1]);
    let ratio = w.bin(BinOp::Div, prim, other, distance);
    let scale = if op == BinOp::Atan2 { sign } else { sign / std::f64::consts::PI };
    if scale == 1.0 { ratio } else { w.bin(BinOp::Mul, prim, number(prim, scale), ratio) }
}

fn of_tri(w: &mut Writer, op: TriOp, prim: Prim, [x, y, z]: [Atom; 3], place: usize) -> Option<Factor> {
    match op {
        TriOp::MadHi => None,
        TriOp::Mad | TriOp::Fma => Some(match place {
            0 => Factor::Times(y),
            1 => Factor::Times(x),
            _ => Factor::One,
        }),
        TriOp::Lerp => {
            // from + (to - from) * part, where part is z within 0 and 1.
            let positive = w.bin(BinOp::Max, prim, z, number(prim, 0.0));
            let part = w.bin(BinOp::Min, prim, positive, number(prim, 1.0));
            Some(match place {
                0 => Factor::Times(w.bin(BinOp::Sub, prim, number(prim, 1.0), part)),
                1 => Factor::Times(part),
                _ => {
                    let inside = w.bin(BinOp::Eq, prim, part, z);
                    let distance = w.bin(BinOp::Sub, prim, y, x);
                    Factor::Times(w.choose(inside, Type::scalar(prim), distance, number(prim, 0.0)))
                }
            })
        }
    }
}

/// The derivative of `lgamma`: reflected to positive numbers, moved up by the recurrence `digamma x = digamma (x + 1) - 1 / x`, and there the asymptotic series
/// (Abramowitz and Stegun, 6.3.5, 6.3.7 and 6.3.18). It has a loop, but no array.
fn digamma(w: &mut Writer, prim: Prim, x: Atom) -> Atom {
    use BinOp::{Add, Div, Lt, Mul, Sub};
    let num = |value: f64| number(prim, value);
    let ty = Type::scalar(prim);
    let reflected = w.bin(Lt, prim, x, num(0.5));
    let other = w.bin(Sub, prim, num(1.0), x);
    let start = w.choose(reflected, ty.clone(), other, x);

    // As long as it is small: at + 1, and sum - 1 / at.
    w.b.begin_body();
    let [at, sum] = ["at", "sum"].map(|name| w.b.new_var(name, ty.clone()));
    w.b.begin_body();
    let small = w.bin(Lt, prim, at.into(), num(10.0));
    let cond = w.b.end_body(vec![small]);
    let inverse = w.bin(Div, prim, num(1.0), at.into());
    let next = [w.bin(Add, prim, at.into(), num(1.0)), w.bin(Sub, prim, sum.into(), inverse)];
    let body: Body = w.b.end_body(next.to_vec());
    let params = vec![(Param::plain(at), start), (Param::plain(sum), num(0.0))];
    let form = LoopForm::While(cond);
    let moved = ["at", "sum"].map(|name| w.b.new_var(name, ty.clone()));
    w.bind_new(moved.to_vec(), Exp::Control(ControlExp::Loop { params, form, body }));
    let [at, sum] = moved.map(Atom::Var);

    let inverse = w.bin(Div, prim, num(1.0), at);
    let square = w.bin(Mul, prim, inverse, inverse);
    // Bernoulli numbers B(2k) / 2k, those of the highest powers first.
    let mut series = num(-691.0 / 32760.0);
    for coefficient in [1.0 / 132.0, -1.0 / 240.0, 1.0 / 252.0, -1.0 / 120.0, 1.0 / 12.0] {
        series = w.bin(Mul, prim, series, square);
        series = w.bin(Add, prim, series, num(coefficient));
    }
    let tail = w.bin(Mul, prim, series, square);
    let log = w.un(UnOp::Log, prim, at);
    let half = w.bin(Mul, prim, num(0.5), inverse);
    let value = w.bin(Sub, prim, log, half);
    let value = w.bin(Sub, prim, value, tail);
    let value = w.bin(Add, prim, value, sum);

    let tan = w.un(UnOp::Tanpi, prim, x);
    let step = w.bin(Div, prim, num(std::f64::consts::PI), tan);
    let mirrored = w.bin(Sub, prim, value, step);
    w.choose(reflected, ty, mirrored, value)
}
