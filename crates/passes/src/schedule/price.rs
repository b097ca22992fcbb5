//! What one operation on scalars costs, in additions.

use norn_ir::nest::{BinOp, UnOp};

/// A square root or a division.
const SLOW: u64 = 6;
/// A function that is computed by a series.
const SERIES: u64 = 20;

pub fn un_price(op: UnOp) -> u64 {
    match op {
        UnOp::Neg
        | UnOp::Not
        | UnOp::Abs
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
        | UnOp::FromBits => 1,
        UnOp::Sqrt | UnOp::Rsqrt => SLOW,
        UnOp::Cbrt
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
        | UnOp::Erfc => SERIES,
    }
}

pub fn bin_price(op: BinOp) -> u64 {
    match op {
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::Shl
        | BinOp::Ashr
        | BinOp::Lshr
        | BinOp::Min
        | BinOp::Max
        | BinOp::MulHi
        | BinOp::Copysign
        | BinOp::Eq
        | BinOp::Lt
        | BinOp::Le => 1,
        BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem => SLOW,
        BinOp::Pow | BinOp::Atan2 | BinOp::Atan2pi | BinOp::Hypot | BinOp::Nextafter | BinOp::Ldexp => SERIES,
    }
}
