//! What the language leaves open, decided at random.
//!
//! A result is fixed by the reference, but for three things:
//!
//! - floats: an operation that is not exact may round up or down, and functions such as `sin` may be off by a few units in the
//!   last place. Compilers contract, reassociate and call other libraries;
//! - the order of combination: a reduction or a scan may combine chunks first, each from the neutral element, empty ones among them, and a
//!   histogram its elements in any order;
//! - the winner where a scatter writes to one place twice.
//!
//! With [`crate::Interp::use_freedom`] the interpreter makes these choices at random instead of in the simplest way. A result that two seeds
//! agree about does not depend on them, so that compiled code has to yield it; one that they disagree about says nothing
//! about compiled code: rounding errors grow in it, its operator is not associative, its neutral element is none, or its
//! scatter writes twice. For floats this is Monte Carlo arithmetic (Parker: Monte Carlo arithmetic, 1997), but for
//! operations that are exact: a program that computes with whole numbers in floats is fixed.
//!
//! Neutral elements of histograms are tried where they are scalars. Streams still see all of their input as one chunk.

use norn_base::Prim;
use norn_ir::scalar::eval::Word;
use norn_ir::scalar::{BinOp, Scalar, TriOp, UnOp};

/// Where the next choice comes from: SplitMix64.
pub(crate) struct Freedom(u64);

/// By so many units in the last place a function of a library may be off.
const LIBRARY_ERROR: i64 = 4;

impl Freedom {
    pub(crate) fn new(seed: u64) -> Freedom {
        Freedom(seed)
    }

    /// One of so many choices.
    pub(crate) fn choose(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % count
    }

    /// The result of an operation on these operands, or a float beside it if the operation is not exact.
    pub(crate) fn round(
        &mut self,
        rounding: Rounding,
        prim: Prim,
        operands: [Word; 3],
        result: Word,
    ) -> Word {
        let float = |word: Word| Scalar::from_bits(prim, word).and_then(Scalar::float).unwrap_or(0.0);
        if rounding.is_exact(operands.map(float), float(result)) {
            return result;
        }
        let most = match rounding {
            Rounding::Library => LIBRARY_ERROR,
            Rounding::Sum | Rounding::Difference | Rounding::Product | Rounding::Quotient => 1,
            Rounding::Root | Rounding::ProductAndSum => 1,
        };
        let steps = self.choose(2 * most as u64 + 1) as i64 - most;
        beside(prim, result, steps)
    }
}

/// How an operation on floats may go wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rounding {
    Sum,
    Difference,
    Product,
    Quotient,
    Root,
    ProductAndSum,
    /// Of another function.
    Library,
}

impl Rounding {
    pub(crate) fn of_un(op: UnOp) -> Option<Rounding> {
        use UnOp::*;
        match op {
            Sqrt => Some(Rounding::Root),
            Rsqrt | Cbrt | Exp | Log | Log2 | Log10 | Log1p | Sin | Cos | Tan | Asin | Acos | Atan
            | Sinpi | Cospi | Tanpi | Asinpi | Acospi | Atanpi | Sinh | Cosh | Tanh | Asinh | Acosh
            | Atanh | Gamma | Lgamma | Erf | Erfc => Some(Rounding::Library),
            Neg | Not | Abs | Sgn | Popc | Clz | Ctz | Ceil | Floor | Trunc | Round | IsNan | IsInf
            | ToBits | FromBits => None,
        }
    }

    pub(crate) fn of_bin(op: BinOp) -> Option<Rounding> {
        use BinOp::*;
        match op {
            Add => Some(Rounding::Sum),
            Sub => Some(Rounding::Difference),
            Mul => Some(Rounding::Product),
            Div => Some(Rounding::Quotient),
            Pow | Atan2 | Atan2pi | Hypot => Some(Rounding::Library),
            Mod | Quot | Rem | And | Or | Xor | Shl | Ashr | Lshr | Min | Max | MulHi | Nextafter
            | Copysign | Ldexp | Eq | Lt | Le => None,
        }
    }

    pub(crate) fn of_tri(op: TriOp) -> Rounding {
        match op {
            TriOp::Mad | TriOp::Fma => Rounding::ProductAndSum,
            TriOp::Lerp | TriOp::MadHi => Rounding::Library,
        }
    }

    /// Whether everybody gets this result: it is no rounded one. Narrow floats are computed with as `f64`.
    fn is_exact(self, [x, y, z]: [f64; 3], result: f64) -> bool {
        if !result.is_finite() {
            return true;
        }
        match self {
            Rounding::Sum => is_sum(x, y, result),
            Rounding::Difference => is_sum(x, -y, result),
            Rounding::Product => x.mul_add(y, -result) == 0.0,
            Rounding::Quotient => result.mul_add(y, -x) == 0.0,
            Rounding::Root => result.mul_add(result, -x) == 0.0,
            Rounding::ProductAndSum => x.mul_add(y, -(x * y)) == 0.0 && is_sum(x * y, z, result),
            // As of 0 and 1, and powers of small numbers.
            Rounding::Library => result.fract() == 0.0 && result.abs() < 65536.0,
        }
    }
}

/// Whether this is the sum, and no rounded one (Knuth's 2Sum).
fn is_sum(x: f64, y: f64, result: f64) -> bool {
    let sum = x + y;
    let second = sum - x;
    let error = (x - (sum - second)) + (y - second);
    error == 0.0 && sum == result
}

/// The float so many steps further from 0, if that is one.
fn beside(prim: Prim, word: Word, steps: i64) -> Word {
    let sign = 1 << (prim.bits() - 1);
    let infinity = match prim {
        Prim::F16 => 0x7c00,
        Prim::F32 => 0x7f80_0000,
        Prim::F64 => 0x7ff0_0000_0000_0000,
        Prim::I8 | Prim::I16 | Prim::I32 | Prim::I64 | Prim::U8 | Prim::U16 | Prim::U32 | Prim::U64 => {
            return word;
        }
        Prim::Bool => return word,
    };
    let magnitude = (word & (sign - 1)).wrapping_add_signed(steps);
    if word & (sign - 1) == 0 || magnitude == 0 || magnitude >= infinity {
        return word;
    }
    word & sign | magnitude
}
