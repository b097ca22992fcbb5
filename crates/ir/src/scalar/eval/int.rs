//! Operators on integers.

use super::{BinFn, TriFn, UnFn, Word};
use crate::scalar::{BinOp, TriOp, UnOp};

/// An integer type, as far as its operators need it. Arithmetic wraps around.
pub(super) trait Int: Copy + Ord {
    const ZERO: Self;
    const ONE: Self;
    const BITS: u32;

    fn get(word: Word) -> Self;
    fn word(self) -> Word;

    fn neg(self) -> Self;
    fn abs(self) -> Self;
    fn sgn(self) -> Self;

    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// Towards zero. The divisor is not 0.
    fn quot(self, other: Self) -> Self;
    fn rem(self, other: Self) -> Self;
    fn mul_hi(self, other: Self) -> Self;

    /// Shifts by less than the width.
    fn ashr(self, amount: u32) -> Self;
}

macro_rules! int {
    ($int:ty, $unsigned:ty, $signed:ty, $double:ty, $abs:expr, $sgn:expr) => {
        impl Int for $int {
            const ZERO: $int = 0;
            const ONE: $int = 1;
            const BITS: u32 = <$int>::BITS;

            fn get(word: Word) -> $int {
                word as $int
            }
            fn word(self) -> Word {
                self as $unsigned as Word
            }

            fn neg(self) -> $int {
                self.wrapping_neg()
            }
            fn abs(self) -> $int {
                let abs: fn($int) -> $int = $abs;
                abs(self)
            }
            fn sgn(self) -> $int {
                let sgn: fn($int) -> $int = $sgn;
                sgn(self)
            }

            fn add(self, other: $int) -> $int {
                self.wrapping_add(other)
            }
            fn sub(self, other: $int) -> $int {
                self.wrapping_sub(other)
            }
            fn mul(self, other: $int) -> $int {
                self.wrapping_mul(other)
            }
            fn quot(self, other: $int) -> $int {
                self.wrapping_div(other)
            }
            fn rem(self, other: $int) -> $int {
                self.wrapping_rem(other)
            }
            fn mul_hi(self, other: $int) -> $int {
                ((self as $double).wrapping_mul(other as $double) >> Self::BITS) as $int
            }
            fn ashr(self, amount: u32) -> $int {
                (self as $signed >> amount) as $int
            }
        }
    };
}

int!(i8, u8, i8, i16, i8::wrapping_abs, i8::signum);
int!(i16, u16, i16, i32, i16::wrapping_abs, i16::signum);
int!(i32, u32, i32, i64, i32::wrapping_abs, i32::signum);
int!(i64, u64, i64, i128, i64::wrapping_abs, i64::signum);
int!(u8, u8, i8, u16, |x| x, |x| x.min(1));
int!(u16, u16, i16, u32, |x| x, |x| x.min(1));
int!(u32, u32, i32, u64, |x| x, |x| x.min(1));
int!(u64, u64, i64, u128, |x| x, |x| x.min(1));

pub(super) fn un_op<T: Int>(op: UnOp) -> Option<UnFn> {
    Some(match op {
        UnOp::Neg => |x| T::get(x).neg().word(),
        UnOp::Not => |x| T::get(!x).word(),
        UnOp::Abs => |x| T::get(x).abs().word(),
        UnOp::Sgn => |x| T::get(x).sgn().word(),
        UnOp::Popc => |x| x.count_ones() as Word,
        UnOp::Clz => |x| (x.leading_zeros() - (Word::BITS - T::BITS)) as Word,
        UnOp::Ctz => |x| x.trailing_zeros().min(T::BITS) as Word,
        UnOp::Sqrt
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
        | UnOp::ToBits
        | UnOp::FromBits => return None,
    })
}

pub(super) fn bin_op<T: Int>(op: BinOp) -> Option<BinFn> {
    Some(match op {
        BinOp::Add => |x, y| T::get(x).add(T::get(y)).word(),
        BinOp::Sub => |x, y| T::get(x).sub(T::get(y)).word(),
        BinOp::Mul => |x, y| T::get(x).mul(T::get(y)).word(),
        BinOp::Div => |x, y| div_mod(T::get(x), T::get(y)).0.word(),
        BinOp::Mod => |x, y| div_mod(T::get(x), T::get(y)).1.word(),
        BinOp::Quot => |x, y| quot_rem(T::get(x), T::get(y)).0.word(),
        BinOp::Rem => |x, y| quot_rem(T::get(x), T::get(y)).1.word(),
        BinOp::Pow => |x, y| pow(T::get(x), T::get(y)).word(),
        BinOp::And => |x, y| x & y,
        BinOp::Or => |x, y| x | y,
        BinOp::Xor => |x, y| x ^ y,
        BinOp::Shl => |x, y| if y < T::BITS as Word { T::get(x << y).word() } else { 0 },
        BinOp::Ashr => |x, y| T::get(x).ashr(y.min(T::BITS as Word - 1) as u32).word(),
        BinOp::Lshr => |x, y| if y < T::BITS as Word { x >> y } else { 0 },
        BinOp::Min => |x, y| T::get(x).min(T::get(y)).word(),
        BinOp::Max => |x, y| T::get(x).max(T::get(y)).word(),
        BinOp::MulHi => |x, y| T::get(x).mul_hi(T::get(y)).word(),
        BinOp::Eq => |x, y| (x == y) as Word,
        BinOp::Lt => |x, y| (T::get(x) < T::get(y)) as Word,
        BinOp::Le => |x, y| (T::get(x) <= T::get(y)) as Word,
        BinOp::Atan2 | BinOp::Atan2pi | BinOp::Hypot | BinOp::Nextafter | BinOp::Copysign | BinOp::Ldexp => {
            return None;
        }
    })
}

pub(super) fn tri_op<T: Int>(op: TriOp) -> Option<TriFn> {
    match op {
        TriOp::MadHi => Some(|x, y, z| T::get(x).mul_hi(T::get(y)).add(T::get(z)).word()),
        TriOp::Lerp | TriOp::Mad | TriOp::Fma => None,
    }
}

fn quot_rem<T: Int>(x: T, y: T) -> (T, T) {
    if y == T::ZERO { (T::ZERO, x) } else { (x.quot(y), x.rem(y)) }
}

/// Rounds towards negative infinity; the remainder has the sign of the divisor.
fn div_mod<T: Int>(x: T, y: T) -> (T, T) {
    let (quot, rem) = quot_rem(x, y);
    let inexact = y != T::ZERO && rem != T::ZERO;
    if inexact && (rem < T::ZERO) != (y < T::ZERO) { (quot.sub(T::ONE), rem.add(y)) } else { (quot, rem) }
}

/// By squaring.
fn pow<T: Int>(base: T, exponent: T) -> T {
    if exponent < T::ZERO {
        return T::ZERO;
    }
    let (mut power, mut square, mut rest) = (T::ONE, base, exponent.word());
    while rest != 0 {
        if rest & 1 == 1 {
            power = power.mul(square);
        }
        square = square.mul(square);
        rest >>= 1;
    }
    power
}
