//! The operators as data: their names, the types they exist at, and the laws they obey.
//!
//! Names are those of the intrinsics (lib/prelude/INTRINSICS.md) where these are words.

use super::{BinOp, Prim, Scalar, TriOp, UnOp};

/// An enum of operators with a name for each, and all of them in the order of their definition.
macro_rules! names {
    ($op:ident, $count:literal, $($variant:ident $name:literal),* $(,)?) => {
        impl $op {
            pub const ALL: [$op; $count] = [$($op::$variant),*];

            pub fn name(self) -> &'static str {
                match self {
                    $($op::$variant => $name),*
                }
            }

            pub fn from_name(name: &str) -> Option<$op> {
                match name {
                    $($name => Some($op::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

names! { UnOp, 45,
    Neg "neg", Not "not", Abs "abs", Sgn "sgn", Popc "popc", Clz "clz", Ctz "ctz",
    Sqrt "sqrt", Rsqrt "rsqrt", Cbrt "cbrt",
    Exp "exp", Log "log", Log2 "log2", Log10 "log10", Log1p "log1p",
    Sin "sin", Cos "cos", Tan "tan", Asin "asin", Acos "acos", Atan "atan",
    Sinpi "sinpi", Cospi "cospi", Tanpi "tanpi", Asinpi "asinpi", Acospi "acospi", Atanpi "atanpi",
    Sinh "sinh", Cosh "cosh", Tanh "tanh", Asinh "asinh", Acosh "acosh", Atanh "atanh",
    Gamma "gamma", Lgamma "lgamma", Erf "erf", Erfc "erfc",
    Ceil "ceil", Floor "floor", Trunc "trunc", Round "round",
    IsNan "isnan", IsInf "isinf", ToBits "to_bits", FromBits "from_bits",
}

names! { BinOp, 26,
    Add "add", Sub "sub", Mul "mul", Div "div", Mod "mod", Quot "quot", Rem "rem", Pow "pow",
    And "and", Or "or", Xor "xor", Shl "shl", Ashr "ashr", Lshr "lshr",
    Min "min", Max "max", MulHi "mul_hi",
    Atan2 "atan2", Atan2pi "atan2pi", Hypot "hypot", Nextafter "nextafter", Copysign "copysign",
    Ldexp "ldexp", Eq "eq", Lt "lt", Le "le",
}

names! { TriOp, 4, MadHi "mad_hi", Lerp "lerp", Mad "mad", Fma "fma" }

impl UnOp {
    /// The type of its result, if it exists at this type of operand.
    pub fn result(self, operand: Prim) -> Option<Prim> {
        use UnOp::*;
        match self {
            Neg | Abs | Sgn => operand.is_number().then_some(operand),
            Not => (operand.is_int() || operand == Prim::Bool).then_some(operand),
            Popc | Clz | Ctz => operand.is_int().then_some(Prim::I32),
            Sqrt | Rsqrt | Cbrt | Exp | Log | Log2 | Log10 | Log1p | Sin | Cos | Tan | Asin | Acos | Atan
            | Sinpi | Cospi | Tanpi | Asinpi | Acospi | Atanpi | Sinh | Cosh | Tanh | Asinh | Acosh
            | Atanh | Gamma | Lgamma | Erf | Erfc | Ceil | Floor | Trunc | Round => {
                operand.is_float().then_some(operand)
            }
            IsNan | IsInf => operand.is_float().then_some(Prim::Bool),
            ToBits => BITS.iter().find(|(float, _)| *float == operand).map(|(_, bits)| *bits),
            FromBits => BITS.iter().find(|(_, bits)| *bits == operand).map(|(float, _)| *float),
        }
    }
}

/// Each float and the integer that has its bits.
const BITS: [(Prim, Prim); 3] = [(Prim::F16, Prim::U16), (Prim::F32, Prim::U32), (Prim::F64, Prim::U64)];

impl BinOp {
    /// The type of its result, if it exists at this type of (first) operand.
    pub fn result(self, operand: Prim) -> Option<Prim> {
        use BinOp::*;
        match self {
            Add | Sub | Mul | Div | Mod | Pow | Min | Max => operand.is_number().then_some(operand),
            Quot | Rem | Shl | Ashr | Lshr | MulHi => operand.is_int().then_some(operand),
            And | Or | Xor => (operand.is_int() || operand == Prim::Bool).then_some(operand),
            Atan2 | Atan2pi | Hypot | Nextafter | Copysign | Ldexp => operand.is_float().then_some(operand),
            Eq | Lt | Le => Some(Prim::Bool),
        }
    }

    /// The type of the second operand, given that of the first.
    pub fn second(self, operand: Prim) -> Prim {
        if self == BinOp::Ldexp { Prim::I32 } else { operand }
    }

    /// `x op y` is `y op x`. Which NaN comes out, or which of two zeros is the smaller, does not count.
    pub fn is_commutative(self) -> bool {
        use BinOp::*;
        match self {
            Add | Mul | And | Or | Xor | Min | Max | MulHi | Hypot | Eq => true,
            Sub | Div | Mod | Quot | Rem | Pow | Shl | Ashr | Lshr | Atan2 | Atan2pi | Nextafter
            | Copysign | Ldexp | Lt | Le => false,
        }
    }

    /// `(x op y) op z` is `x op (y op z)` at this type. Rounding makes sums of floats not associative.
    pub fn is_associative(self, prim: Prim) -> bool {
        use BinOp::*;
        match self {
            Add | Mul => prim.is_int(),
            And | Or | Xor | Min | Max => true,
            Eq => prim == Prim::Bool,
            Sub | Div | Mod | Quot | Rem | Pow | Shl | Ashr | Lshr | MulHi | Atan2 | Atan2pi | Hypot
            | Nextafter | Copysign | Ldexp | Lt | Le => false,
        }
    }

    /// The neutral element of an operator that is associative (up to rounding) and commutative at this type.
    pub fn neutral(self, prim: Prim) -> Option<Scalar> {
        use BinOp::*;
        match self {
            Add if prim.is_number() => Some(Scalar::zero(prim)),
            Mul if prim.is_number() => Some(Scalar::from_int(prim, 1)),
            Min if prim.is_float() => Some(Scalar::from_float(prim, f64::INFINITY)),
            Max if prim.is_float() => Some(Scalar::from_float(prim, f64::NEG_INFINITY)),
            Min if prim.is_int() => Some(Scalar::from_int(prim, prim.extremes().1)),
            Max if prim.is_int() => Some(Scalar::from_int(prim, prim.extremes().0)),
            And if prim.is_int() || prim == Prim::Bool => Some(Scalar::from_int(prim, -1)),
            Or | Xor if prim.is_int() || prim == Prim::Bool => Some(Scalar::zero(prim)),
            Add | Mul | Min | Max | And | Or | Xor => None,
            Sub | Div | Mod | Quot | Rem | Pow | Shl | Ashr | Lshr | MulHi | Atan2 | Atan2pi | Hypot
            | Nextafter | Copysign | Ldexp | Eq | Lt | Le => None,
        }
    }
}

impl TriOp {
    /// The type of its result, if it exists at this type of operands.
    pub fn result(self, operand: Prim) -> Option<Prim> {
        match self {
            TriOp::MadHi => operand.is_int().then_some(operand),
            TriOp::Lerp | TriOp::Mad | TriOp::Fma => operand.is_float().then_some(operand),
        }
    }
}
