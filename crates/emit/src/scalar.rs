//! Scalar operators, conversions and constants in C.
//!
//! What C has and defines as we do is an operator of C; all else is a function of rts/cpu/{int,float,half}.h, named by
//! the operator and the type. C computes with small integers as `int`: a cast brings the result back. Where signed integers
//! do not wrap around, their arithmetic is functions, too (rts/gpu/int.h).

use crate::dialect::Needs;
use norn_ir::imp::{BinOp, Prim, Scalar, TriOp, UnOp};

/// An expression in C, and how tightly its outermost operator binds.
#[derive(Clone)]
pub(crate) struct Text {
    pub text: String,
    binds: u8,
    /// It is computed from small constants alone, which are of type `int` whatever we think.
    is_int: bool,
}

const CONDITIONAL: u8 = 1;
const OR: u8 = 2;
const XOR: u8 = 3;
const AND: u8 = 4;
const EQUAL: u8 = 5;
const LESS: u8 = 6;
const SUM: u8 = 7;
const PRODUCT: u8 = 8;
const UNARY: u8 = 9;
const PRIMARY: u8 = 10;

impl Text {
    /// A name, a call, or something in brackets.
    pub fn primary(text: impl Into<String>) -> Text {
        Text { text: text.into(), binds: PRIMARY, is_int: false }
    }

    /// Whether it is the constant 0 of type `f32`.
    fn is_zero(&self) -> bool {
        self.text == "0.0f"
    }

    pub fn call(function: impl AsRef<str>, args: &[&Text]) -> Text {
        let args: Vec<&str> = args.iter().map(|arg| arg.text.as_str()).collect();
        Text::primary(format!("{}({})", function.as_ref(), args.join(", ")))
    }

    pub fn cast(ty: &str, x: &Text) -> Text {
        Text { text: format!("({ty}){}", x.at_least(UNARY)), binds: UNARY, is_int: false }
    }

    pub fn conditional(cond: &Text, x: &Text, y: &Text) -> Text {
        // Clang warns of `&` in front of `?`.
        let text = format!("{} ? {} : {}", cond.at_least(EQUAL), x.at_least(OR), y.at_least(CONDITIONAL));
        Text { text, binds: CONDITIONAL, is_int: x.is_int && y.is_int }
    }

    pub fn index(&self, index: &Text) -> Text {
        Text::primary(format!("{}[{}]", self.at_least(PRIMARY), index.text))
    }

    pub fn plus(&self, other: &Text) -> Text {
        infix(SUM, "+", self, other)
    }

    pub fn times(&self, number: i64) -> Text {
        infix(PRODUCT, "*", self, &Text::primary(number.to_string()))
    }

    pub fn is_not_zero(&self) -> Text {
        infix(EQUAL, "!=", self, &Text::primary("0"))
    }

    /// In brackets if need be, as an operand of an operator that binds so tightly.
    fn at_least(&self, binds: u8) -> String {
        if self.binds >= binds { self.text.clone() } else { format!("({})", self.text) }
    }
}

fn infix(binds: u8, operator: &str, x: &Text, y: &Text) -> Text {
    // Operators associate to the left.
    let text = format!("{} {operator} {}", x.at_least(binds), y.at_least(binds + 1));
    Text { text, binds, is_int: x.is_int && y.is_int }
}

/// Comparisons in bitwise operators are put into brackets: few know which of them binds more tightly, and clang warns of it.
fn bitwise(binds: u8, operator: &str, x: &Text, y: &Text) -> Text {
    let left = if x.binds == binds { binds } else { SUM };
    let text = format!("{} {operator} {}", x.at_least(left), y.at_least(SUM));
    Text { text, binds, is_int: x.is_int && y.is_int }
}

pub(crate) fn less(x: &Text, y: &Text) -> Text {
    infix(LESS, "<", x, y)
}

fn prefix(operator: &str, x: &Text) -> Text {
    // Two signs in a row are another operator.
    Text { text: format!("{operator}{}", x.at_least(PRIMARY)), binds: UNARY, is_int: x.is_int }
}

/// C computes with these as `int`.
fn is_small(prim: Prim) -> bool {
    match prim {
        Prim::I8 | Prim::I16 | Prim::U8 | Prim::U16 => true,
        Prim::I32 | Prim::I64 | Prim::U32 | Prim::U64 | Prim::F16 | Prim::F32 | Prim::F64 | Prim::Bool => {
            false
        }
    }
}

fn back(prim: Prim, x: Text) -> Text {
    if is_small(prim) { Text::cast(prim.name(), &x) } else { x }
}

fn function(needs: &mut Needs, name: &str, prim: Prim, args: &[&Text]) -> Text {
    needs.operator(prim);
    Text::call(format!("norn_{name}_{prim}"), args)
}

/// Whether C's own arithmetic would leave the result undefined, as it would a product of two `u16`, which are an `int` to it.
fn is_undefined(needs: &Needs, op: BinOp, prim: Prim) -> bool {
    let overflows = match prim {
        Prim::I32 | Prim::I64 => true,
        Prim::U16 => op == BinOp::Mul,
        Prim::I8 | Prim::I16 | Prim::U8 | Prim::U32 | Prim::U64 => false,
        Prim::F16 | Prim::F32 | Prim::F64 | Prim::Bool => false,
    };
    overflows && !needs.arithmetic.wraps
}

pub(crate) fn un(needs: &mut Needs, op: UnOp, prim: Prim, x: &Text) -> Text {
    match op {
        UnOp::Neg if prim != Prim::F16 && !is_undefined(needs, BinOp::Sub, prim) => {
            back(prim, prefix("-", x))
        }
        UnOp::Not if prim == Prim::Bool => prefix("!", x),
        UnOp::Not => back(prim, prefix("~", x)),
        // Named by its result.
        UnOp::FromBits => {
            let float = op.result(prim).expect("from_bits of an integer that has the bits of a float");
            function(needs, op.name(), float, &[x])
        }
        UnOp::Neg
        | UnOp::Abs
        | UnOp::Sgn
        | UnOp::Popc
        | UnOp::Clz
        | UnOp::Ctz
        | UnOp::Sqrt
        | UnOp::Rsqrt
        | UnOp::Cbrt
        | UnOp::Exp
        | UnOp::Log
        | UnOp::Log2
        | UnOp::Log10
        | UnOp::Log1p
        | UnOp::Sin
        | UnOp::Cos
        | UnOp::Tan
        | UnOp::Asin
        | UnOp::Acos
        | UnOp::Atan
        | UnOp::Sinpi
        | UnOp::Cospi
        | UnOp::Tanpi
        | UnOp::Asinpi
        | UnOp::Acospi
        | UnOp::Atanpi
        | UnOp::Sinh
        | UnOp::Cosh
        | UnOp::Tanh
        | UnOp::Asinh
        | UnOp::Acosh
        | UnOp::Atanh
        | UnOp::Gamma
        | UnOp::Lgamma
        | UnOp::Erf
        | UnOp::Erfc
        | UnOp::Ceil
        | UnOp::Floor
        | UnOp::Trunc
        | UnOp::Round
        | UnOp::IsNan
        | UnOp::IsInf
        | UnOp::ToBits => function(needs, op.name(), prim, &[x]),
    }
}

pub(crate) fn bin(needs: &mut Needs, op: BinOp, prim: Prim, x: &Text, y: &Text) -> Text {
    // What C would compute as an `int` must not overflow as one.
    let wide;
    let x = if prim == Prim::I64 && x.is_int && y.is_int {
        wide = Text::cast(prim.name(), x);
        &wide
    } else {
        x
    };
    let by_function = prim == Prim::F16;
    match op {
        BinOp::Add | BinOp::Sub | BinOp::Mul if is_undefined(needs, op, prim) => {
            function(needs, op.name(), prim, &[x, y])
        }
        BinOp::Add if !by_function => back(prim, infix(SUM, "+", x, y)),
        BinOp::Sub if !by_function => back(prim, infix(SUM, "-", x, y)),
        BinOp::Mul if !by_function => back(prim, infix(PRODUCT, "*", x, y)),
        BinOp::Div if prim == Prim::F32 || prim == Prim::F64 => infix(PRODUCT, "/", x, y),
        BinOp::Max if prim == Prim::F32 && !needs.arithmetic.wraps && x.is_zero() => {
            Text::call("norn_positive_f32", &[y])
        }
        BinOp::Max if prim == Prim::F32 && !needs.arithmetic.wraps && y.is_zero() => {
            Text::call("norn_positive_f32", &[x])
        }
        BinOp::And => bitwise(AND, "&", x, y),
        BinOp::Or => bitwise(OR, "|", x, y),
        BinOp::Xor => bitwise(XOR, "^", x, y),
        BinOp::Eq if !by_function => infix(EQUAL, "==", x, y),
        BinOp::Lt if !by_function => infix(LESS, "<", x, y),
        BinOp::Le if !by_function => infix(LESS, "<=", x, y),
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::Div
        | BinOp::Mod
        | BinOp::Quot
        | BinOp::Rem
        | BinOp::Pow
        | BinOp::Shl
        | BinOp::Ashr
        | BinOp::Lshr
        | BinOp::Min
        | BinOp::Max
        | BinOp::MulHi
        | BinOp::Atan2
        | BinOp::Atan2pi
        | BinOp::Hypot
        | BinOp::Nextafter
        | BinOp::Copysign
        | BinOp::Ldexp
        | BinOp::Eq
        | BinOp::Lt
        | BinOp::Le => function(needs, op.name(), prim, &[x, y]),
    }
}

/// A division by a number that comes with a factor.
pub(crate) fn by_factor(needs: &mut Needs, op: BinOp, prim: Prim, args: &[&Text; 3]) -> Text {
    needs.operator(prim);
    Text::call(format!("norn_{}_by_{}", op.name(), prim.name()), args)
}

/// The negation of a comparison, where that is a comparison too: of floats, `!(x < y)` holds also of a NaN.
pub(crate) fn not_compared(op: BinOp, prim: Prim, x: &Text, y: &Text) -> Option<Text> {
    if op == BinOp::Eq && prim != Prim::F16 {
        return Some(infix(EQUAL, "!=", x, y));
    }
    if prim.is_float() {
        return None;
    }
    let opposite = [(BinOp::Lt, ">="), (BinOp::Le, ">")];
    opposite.iter().find(|(known, _)| *known == op).map(|(_, operator)| infix(LESS, operator, x, y))
}

pub(crate) fn tri(needs: &mut Needs, op: TriOp, prim: Prim, x: &Text, y: &Text, z: &Text) -> Text {
    match op {
        TriOp::MadHi | TriOp::Lerp | TriOp::Mad => function(needs, op.name(), prim, &[x, y, z]),
        TriOp::Fma => {
            // Exact products of f16 are f64.
            needs.doubles |= prim == Prim::F16;
            function(needs, op.name(), prim, &[x, y, z])
        }
    }
}

pub(crate) fn convert(needs: &mut Needs, from: Prim, to: Prim, x: &Text) -> Text {
    if from == to {
        return x.clone();
    }
    needs.number(from);
    needs.number(to);
    match (from, to) {
        (Prim::F16, _) => {
            needs.operator(Prim::F16);
            let wide = Text::call("norn_f32_of_f16", &[x]);
            convert(needs, Prim::F32, to, &wide)
        }
        (Prim::F32, Prim::F16) => {
            needs.operator(Prim::F16);
            Text::call("norn_f16_of_f32", &[x])
        }
        // Every integer that is not an infinite f16 is an f64.
        (_, Prim::F16) => {
            needs.operator(Prim::F16);
            let wide = convert(needs, from, Prim::F64, x);
            Text::call("norn_f16_of_f64", &[&wide])
        }
        (_, Prim::Bool) => x.is_not_zero(),
        (Prim::F32 | Prim::F64, _) if to.is_int() => {
            needs.operator(from);
            let function = match needs.arithmetic.has_doubles {
                true => "norn_low_bits".to_string(),
                false => format!("norn_low_bits_{from}"),
            };
            Text::cast(to.name(), &Text::call(function, &[x]))
        }
        // Some compilers for devices take a sum of 32 bits for one that does not wrap around when they extend its sign.
        (Prim::I32, Prim::I64) if !needs.arithmetic.wraps => Text::call("norn_widened", &[x]),
        // The sign is extended only into a signed type.
        _ if from.is_signed() && to.is_unsigned() && from.bits() < to.bits() => {
            Text::cast(to.name(), &Text::cast(unsigned(from).name(), x))
        }
        _ => Text::cast(to.name(), x),
    }
}

/// The unsigned integer that is as wide.
pub(crate) fn unsigned(prim: Prim) -> Prim {
    match prim {
        Prim::I8 | Prim::U8 | Prim::Bool => Prim::U8,
        Prim::I16 | Prim::U16 | Prim::F16 => Prim::U16,
        Prim::I32 | Prim::U32 | Prim::F32 => Prim::U32,
        Prim::I64 | Prim::U64 | Prim::F64 => Prim::U64,
    }
}

pub(crate) fn constant(needs: &mut Needs, scalar: Scalar) -> Text {
    needs.number(scalar.prim());
    let long = needs.arithmetic.long;
    let number = |text: String| {
        let binds = if text.starts_with('-') { UNARY } else { PRIMARY };
        Text { text, binds, is_int: false }
    };
    match scalar {
        Scalar::I8(x) => number(x.to_string()),
        Scalar::I16(x) => number(x.to_string()),
        // C has no negative constants, so that the least of them has no name.
        Scalar::I32(i32::MIN) => Text::primary("INT32_MIN"),
        Scalar::I64(i64::MIN) => Text::primary("INT64_MIN"),
        Scalar::I32(x) => number(x.to_string()),
        Scalar::I64(x) if (-i32::MAX as i64..=i32::MAX as i64).contains(&x) => {
            Text { is_int: true, ..number(x.to_string()) }
        }
        Scalar::I64(x) => number(format!("{x}{long}")),
        Scalar::U8(x) => number(x.to_string()),
        Scalar::U16(x) => number(x.to_string()),
        Scalar::U32(x) => number(format!("{x}u")),
        Scalar::U64(x) => number(format!("{x}u{long}")),
        Scalar::F32(x) if x.is_finite() => number(format!("{x:?}f")),
        Scalar::F64(x) if x.is_finite() => number(format!("{x:?}")),
        Scalar::F16(_) | Scalar::F32(_) | Scalar::F64(_) => {
            let bits = number(format!(
                "0x{:x}u{}",
                scalar.bits(),
                if scalar.prim() == Prim::F64 { long } else { "" }
            ));
            function(needs, "from_bits", scalar.prim(), &[&bits])
        }
        Scalar::Bool(x) => Text::primary(x.to_string()),
    }
}

/// The bits of a scalar, zero-extended.
pub(crate) fn to_word(needs: &mut Needs, prim: Prim, x: &Text) -> Text {
    match prim {
        Prim::F16 | Prim::F32 | Prim::F64 => {
            let bits = un(needs, UnOp::ToBits, prim, x);
            Text::cast("u64", &bits)
        }
        Prim::I8 | Prim::I16 | Prim::I32 | Prim::I64 | Prim::U8 | Prim::U16 | Prim::U32 | Prim::U64 => {
            convert(needs, prim, Prim::U64, x)
        }
        Prim::Bool => Text::cast("u64", x),
    }
}

/// The reverse.
pub(crate) fn of_word(needs: &mut Needs, prim: Prim, word: &Text) -> Text {
    match prim {
        Prim::F16 | Prim::F32 | Prim::F64 => {
            let bits = Text::cast(unsigned(prim).name(), word);
            function(needs, "from_bits", prim, &[&bits])
        }
        Prim::I8 | Prim::I16 | Prim::I32 | Prim::I64 | Prim::U8 | Prim::U16 | Prim::U32 | Prim::U64 => {
            Text::cast(prim.name(), word)
        }
        Prim::Bool => word.is_not_zero(),
    }
}
