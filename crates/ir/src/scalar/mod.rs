//! Scalars: constants, operators on them, and what these operators compute.
//!
//! The meaning of each operator is that of the intrinsic of the same name
//! (lib/prelude/INTRINSICS.md). Operators are total: what the language calls a failure (a divisor 0,
//! a negative exponent) is tested by a check before it, and without that check yields some value.

pub mod ops;
pub mod order;
pub mod text;

pub mod eval;

pub use half::f16;
pub use norn_base::Prim;
pub use norn_base::prim::f16_from_f64;

/// A constant of a primitive type. Floats are equal when their bits are.
#[derive(Clone, Copy, Debug)]
pub enum Scalar {
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    F16(f16),
    F32(f32),
    F64(f64),
    Bool(bool),
}

/// Operators on one operand. Those from `Popc` to `Ctz` yield `i32`, `IsNan` and `IsInf` a `bool`,
/// `ToBits` the unsigned integer as wide as its float, `FromBits` the reverse (it is named by the
/// type of its operand); all others yield the type they are given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum UnOp {
    Neg,
    /// Bitwise complement, or logical negation of a `bool`.
    Not,
    Abs,
    Sgn,
    Popc,
    Clz,
    Ctz,
    Sqrt,
    Rsqrt,
    Cbrt,
    Exp,
    Log,
    Log2,
    Log10,
    Log1p,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinpi,
    Cospi,
    Tanpi,
    Asinpi,
    Acospi,
    Atanpi,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Gamma,
    Lgamma,
    Erf,
    Erfc,
    Ceil,
    Floor,
    Trunc,
    Round,
    IsNan,
    IsInf,
    ToBits,
    FromBits,
}

/// Operators on two operands of one type (but `Ldexp`, whose second is an `i32`). `Eq`, `Lt` and
/// `Le` yield a `bool`, all others the type they are given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    /// Integers round towards negative infinity.
    Div,
    /// Belongs to `Div` for integers; truncated for floats.
    Mod,
    /// Rounds towards zero.
    Quot,
    Rem,
    Pow,
    /// Bitwise; logical on `bool`, both operands evaluated.
    And,
    Or,
    Xor,
    Shl,
    Ashr,
    Lshr,
    Min,
    Max,
    MulHi,
    Atan2,
    Atan2pi,
    Hypot,
    Nextafter,
    Copysign,
    Ldexp,
    Eq,
    Lt,
    Le,
}

/// Operators on three operands of one type, which they yield.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum TriOp {
    MadHi,
    Lerp,
    Mad,
    Fma,
}

impl Scalar {
    pub fn prim(self) -> Prim {
        match self {
            Scalar::I8(_) => Prim::I8,
            Scalar::I16(_) => Prim::I16,
            Scalar::I32(_) => Prim::I32,
            Scalar::I64(_) => Prim::I64,
            Scalar::U8(_) => Prim::U8,
            Scalar::U16(_) => Prim::U16,
            Scalar::U32(_) => Prim::U32,
            Scalar::U64(_) => Prim::U64,
            Scalar::F16(_) => Prim::F16,
            Scalar::F32(_) => Prim::F32,
            Scalar::F64(_) => Prim::F64,
            Scalar::Bool(_) => Prim::Bool,
        }
    }

    /// Zero, or `false`.
    pub fn zero(prim: Prim) -> Scalar {
        Scalar::from_int(prim, 0)
    }

    /// An integer as a constant of any type: its low bits, the nearest float, or whether it is not 0.
    pub fn from_int(prim: Prim, value: i128) -> Scalar {
        match prim {
            Prim::I8 => Scalar::I8(value as i8),
            Prim::I16 => Scalar::I16(value as i16),
            Prim::I32 => Scalar::I32(value as i32),
            Prim::I64 => Scalar::I64(value as i64),
            Prim::U8 => Scalar::U8(value as u8),
            Prim::U16 => Scalar::U16(value as u16),
            Prim::U32 => Scalar::U32(value as u32),
            Prim::U64 => Scalar::U64(value as u64),
            Prim::F16 => Scalar::F16(f16_from_f64(value as f64)),
            Prim::F32 => Scalar::F32(value as f32),
            Prim::F64 => Scalar::F64(value as f64),
            Prim::Bool => Scalar::Bool(value != 0),
        }
    }

    /// A float as a constant of a float type.
    pub fn from_float(prim: Prim, value: f64) -> Scalar {
        match prim {
            Prim::F16 => Scalar::F16(f16_from_f64(value)),
            Prim::F32 => Scalar::F32(value as f32),
            _ => Scalar::F64(value),
        }
    }

    /// The value of a float, exactly; integers have none.
    pub fn float(self) -> Option<f64> {
        match self {
            Scalar::F16(x) => Some(x.to_f64()),
            Scalar::F32(x) => Some(x.into()),
            Scalar::F64(x) => Some(x),
            Scalar::I8(_)
            | Scalar::I16(_)
            | Scalar::I32(_)
            | Scalar::I64(_)
            | Scalar::U8(_)
            | Scalar::U16(_)
            | Scalar::U32(_)
            | Scalar::U64(_)
            | Scalar::Bool(_) => None,
        }
    }

    /// The bits, zero-extended.
    pub fn bits(self) -> u64 {
        match self {
            Scalar::I8(x) => x as u8 as u64,
            Scalar::I16(x) => x as u16 as u64,
            Scalar::I32(x) => x as u32 as u64,
            Scalar::I64(x) => x as u64,
            Scalar::U8(x) => x as u64,
            Scalar::U16(x) => x as u64,
            Scalar::U32(x) => x as u64,
            Scalar::U64(x) => x,
            Scalar::F16(x) => x.to_bits() as u64,
            Scalar::F32(x) => x.to_bits() as u64,
            Scalar::F64(x) => x.to_bits(),
            Scalar::Bool(x) => x as u64,
        }
    }
}

impl PartialEq for Scalar {
    fn eq(&self, other: &Scalar) -> bool {
        self.prim() == other.prim() && self.bits() == other.bits()
    }
}

impl Eq for Scalar {}

impl std::hash::Hash for Scalar {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.prim(), self.bits()).hash(state);
    }
}
