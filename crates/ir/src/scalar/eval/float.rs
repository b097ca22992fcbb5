//! Operators on floats.
//!
//! `Float` gets a float out of a word, as a number to compute with: `f16` computes as `f32`. `Math` is what
//! these numbers can do, by the standard library where it has the function and by `libm` where not.

use super::{BinFn, TriFn, UnFn, Word};
use crate::scalar::{BinOp, TriOp, UnOp, f16, f16_from_f64};
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// A float type of the language.
pub(super) trait Float: Copy {
    type Wide: Math;

    fn get(word: Word) -> Self::Wide;
    fn word(wide: Self::Wide) -> Word;
    fn fma(x: Word, y: Word, z: Word) -> Word;
    fn nextafter(x: Word, y: Word) -> Word;
}

impl Float for f16 {
    type Wide = f32;

    fn get(word: Word) -> f32 {
        f16::from_bits(word as u16).to_f32()
    }
    fn word(wide: f32) -> Word {
        f16::from_f32(wide).to_bits() as Word
    }
    fn fma(x: Word, y: Word, z: Word) -> Word {
        // The product is exact in an f64.
        let (x, y, z) = (f16::get(x) as f64, f16::get(y) as f64, f16::get(z) as f64);
        f16_from_f64(x * y + z).to_bits() as Word
    }
    fn nextafter(x: Word, y: Word) -> Word {
        const SIGN: Word = 0x8000;
        let (from, to) = (f16::get(x), f16::get(y));
        if from.is_nan() {
            x
        } else if to.is_nan() || from == to {
            y
        } else if from == 0.0 {
            (y & SIGN) | 1
        } else if (from < to) == (from > 0.0) {
            // Away from zero: floats of one sign are in the order of their bits.
            x + 1
        } else {
            x - 1
        }
    }
}

impl Float for f32 {
    type Wide = f32;

    fn get(word: Word) -> f32 {
        f32::from_bits(word as u32)
    }
    fn word(wide: f32) -> Word {
        wide.to_bits() as Word
    }
    fn fma(x: Word, y: Word, z: Word) -> Word {
        <f32 as Float>::word(f32::mul_add(f32::get(x), f32::get(y), f32::get(z)))
    }
    fn nextafter(x: Word, y: Word) -> Word {
        <f32 as Float>::word(libm::nextafterf(f32::get(x), f32::get(y)))
    }
}

impl Float for f64 {
    type Wide = f64;

    fn get(word: Word) -> f64 {
        f64::from_bits(word)
    }
    fn word(wide: f64) -> Word {
        wide.to_bits()
    }
    fn fma(x: Word, y: Word, z: Word) -> Word {
        <f64 as Float>::word(f64::mul_add(f64::get(x), f64::get(y), f64::get(z)))
    }
    fn nextafter(x: Word, y: Word) -> Word {
        <f64 as Float>::word(libm::nextafter(f64::get(x), f64::get(y)))
    }
}

/// A number to compute with.
pub(super) trait Math:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + Neg<Output = Self>
{
    const ZERO: Self;
    const HALF: Self;
    const ONE: Self;
    const TWO: Self;
    const PI: Self;

    fn is_nan(self) -> bool;
    fn is_infinite(self) -> bool;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    fn cbrt(self) -> Self;
    fn exp(self) -> Self;
    fn ln(self) -> Self;
    fn log2(self) -> Self;
    fn log10(self) -> Self;
    fn ln_1p(self) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn tan(self) -> Self;
    fn asin(self) -> Self;
    fn acos(self) -> Self;
    fn atan(self) -> Self;
    fn sinh(self) -> Self;
    fn cosh(self) -> Self;
    fn tanh(self) -> Self;
    fn asinh(self) -> Self;
    fn acosh(self) -> Self;
    fn atanh(self) -> Self;
    fn gamma(self) -> Self;
    fn lgamma(self) -> Self;
    fn erf(self) -> Self;
    fn erfc(self) -> Self;
    fn ceil(self) -> Self;
    fn floor(self) -> Self;
    fn trunc(self) -> Self;
    fn round(self) -> Self;
    fn powf(self, other: Self) -> Self;
    fn atan2(self, other: Self) -> Self;
    fn hypot(self, other: Self) -> Self;
    fn copysign(self, other: Self) -> Self;
    fn ldexp(self, exponent: i32) -> Self;
}

/// `Math` for a float, given what the standard library lacks, or computes by formulas that lose digits.
macro_rules! math {
    ($float:ident, ldexp $ldexp:path, $($name:ident $function:path),*) => {
        impl Math for $float {
            const ZERO: $float = 0.0;
            const HALF: $float = 0.5;
            const ONE: $float = 1.0;
            const TWO: $float = 2.0;
            const PI: $float = std::$float::consts::PI;

            $(fn $name(self) -> $float {
                $function(self)
            })*
            fn ldexp(self, exponent: i32) -> $float {
                $ldexp(self, exponent)
            }

            math!(@un $float, is_nan is_infinite -> bool);
            math!(@un $float, abs sqrt cbrt exp ln log2 log10 ln_1p -> $float);
            math!(@un $float, sin cos tan asin acos atan sinh cosh tanh ceil floor trunc -> $float);
            math!(@bin $float, powf atan2 hypot copysign);
            fn round(self) -> $float {
                $float::round_ties_even(self)
            }
        }
    };
    (@un $float:ident, $($name:ident)* -> $result:ty) => {$(
        fn $name(self) -> $result {
            $float::$name(self)
        }
    )*};
    (@bin $float:ident, $($name:ident)*) => {$(
        fn $name(self, other: $float) -> $float {
            $float::$name(self, other)
        }
    )*};
}

math!(
    f32,
    ldexp libm::ldexpf,
    asinh libm::asinhf,
    acosh acosh_f32,
    atanh libm::atanhf,
    gamma libm::tgammaf,
    lgamma libm::lgammaf,
    erf libm::erff,
    erfc libm::erfcf
);
math!(
    f64,
    ldexp libm::ldexp,
    asinh libm::asinh,
    acosh acosh_f64,
    atanh libm::atanh,
    gamma libm::tgamma,
    lgamma libm::lgamma,
    erf libm::erf,
    erfc libm::erfc
);

/// Below 1 there is none, where libm gives some number.
fn acosh_f32(x: f32) -> f32 {
    if x < 1.0 { f32::NAN } else { libm::acoshf(x) }
}

fn acosh_f64(x: f64) -> f64 {
    if x < 1.0 { f64::NAN } else { libm::acosh(x) }
}

pub(super) fn un_op<F: Float>(op: UnOp) -> Option<UnFn> {
    Some(match op {
        UnOp::Neg => |x| F::word(-F::get(x)),
        UnOp::Abs => |x| F::word(F::get(x).abs()),
        UnOp::Sgn => |x| F::word(sgn(F::get(x))),
        UnOp::Sqrt => |x| F::word(F::get(x).sqrt()),
        UnOp::Rsqrt => |x| F::word(F::Wide::ONE / F::get(x).sqrt()),
        UnOp::Cbrt => |x| F::word(F::get(x).cbrt()),
        UnOp::Exp => |x| F::word(F::get(x).exp()),
        UnOp::Log => |x| F::word(F::get(x).ln()),
        UnOp::Log2 => |x| F::word(F::get(x).log2()),
        UnOp::Log10 => |x| F::word(F::get(x).log10()),
        UnOp::Log1p => |x| F::word(F::get(x).ln_1p()),
        UnOp::Sin => |x| F::word(F::get(x).sin()),
        UnOp::Cos => |x| F::word(F::get(x).cos()),
        UnOp::Tan => |x| F::word(F::get(x).tan()),
        UnOp::Asin => |x| F::word(F::get(x).asin()),
        UnOp::Acos => |x| F::word(F::get(x).acos()),
        UnOp::Atan => |x| F::word(F::get(x).atan()),
        UnOp::Sinpi => |x| F::word(sinpi(F::get(x))),
        UnOp::Cospi => |x| F::word(cospi(F::get(x))),
        UnOp::Tanpi => |x| F::word(sinpi(F::get(x)) / cospi(F::get(x))),
        UnOp::Asinpi => |x| F::word(F::get(x).asin() / F::Wide::PI),
        UnOp::Acospi => |x| F::word(F::get(x).acos() / F::Wide::PI),
        UnOp::Atanpi => |x| F::word(F::get(x).atan() / F::Wide::PI),
        UnOp::Sinh => |x| F::word(F::get(x).sinh()),
        UnOp::Cosh => |x| F::word(F::get(x).cosh()),
        UnOp::Tanh => |x| F::word(F::get(x).tanh()),
        UnOp::Asinh => |x| F::word(F::get(x).asinh()),
        UnOp::Acosh => |x| F::word(F::get(x).acosh()),
        UnOp::Atanh => |x| F::word(F::get(x).atanh()),
        UnOp::Gamma => |x| F::word(F::get(x).gamma()),
        UnOp::Lgamma => |x| F::word(F::get(x).lgamma()),
        UnOp::Erf => |x| F::word(F::get(x).erf()),
        UnOp::Erfc => |x| F::word(F::get(x).erfc()),
        UnOp::Ceil => |x| F::word(F::get(x).ceil()),
        UnOp::Floor => |x| F::word(F::get(x).floor()),
        UnOp::Trunc => |x| F::word(F::get(x).trunc()),
        UnOp::Round => |x| F::word(F::get(x).round()),
        UnOp::IsNan => |x| F::get(x).is_nan() as Word,
        UnOp::IsInf => |x| F::get(x).is_infinite() as Word,
        UnOp::ToBits => |x| x,
        UnOp::Not | UnOp::Popc | UnOp::Clz | UnOp::Ctz | UnOp::FromBits => return None,
    })
}

pub(super) fn bin_op<F: Float>(op: BinOp) -> Option<BinFn> {
    Some(match op {
        BinOp::Add => |x, y| F::word(F::get(x) + F::get(y)),
        BinOp::Sub => |x, y| F::word(F::get(x) - F::get(y)),
        BinOp::Mul => |x, y| F::word(F::get(x) * F::get(y)),
        BinOp::Div => |x, y| F::word(F::get(x) / F::get(y)),
        BinOp::Mod => |x, y| F::word(F::get(x) % F::get(y)),
        BinOp::Pow => |x, y| F::word(F::get(x).powf(F::get(y))),
        BinOp::Min => |x, y| F::word(min(F::get(x), F::get(y))),
        BinOp::Max => |x, y| F::word(max(F::get(x), F::get(y))),
        BinOp::Atan2 => |x, y| F::word(F::get(x).atan2(F::get(y))),
        BinOp::Atan2pi => |x, y| F::word(F::get(x).atan2(F::get(y)) / F::Wide::PI),
        BinOp::Hypot => |x, y| F::word(F::get(x).hypot(F::get(y))),
        BinOp::Nextafter => |x, y| F::nextafter(x, y),
        BinOp::Copysign => |x, y| F::word(F::get(x).copysign(F::get(y))),
        BinOp::Ldexp => |x, y| F::word(F::get(x).ldexp(y as i32)),
        BinOp::Eq => |x, y| (F::get(x) == F::get(y)) as Word,
        BinOp::Lt => |x, y| (F::get(x) < F::get(y)) as Word,
        BinOp::Le => |x, y| (F::get(x) <= F::get(y)) as Word,
        BinOp::Quot
        | BinOp::Rem
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::Shl
        | BinOp::Ashr
        | BinOp::Lshr
        | BinOp::MulHi => return None,
    })
}

pub(super) fn tri_op<F: Float>(op: TriOp) -> Option<TriFn> {
    Some(match op {
        TriOp::Lerp => |x, y, z| {
            let (from, to) = (F::get(x), F::get(y));
            let part = min(max(F::get(z), F::Wide::ZERO), F::Wide::ONE);
            F::word(from + (to - from) * part)
        },
        TriOp::Mad => |x, y, z| F::word(F::get(x) * F::get(y) + F::get(z)),
        TriOp::Fma => |x, y, z| F::fma(x, y, z),
        TriOp::MadHi => return None,
    })
}

/// A NaN yields the other operand.
fn min<M: Math>(x: M, y: M) -> M {
    if x.is_nan() || y < x { y } else { x }
}

fn max<M: Math>(x: M, y: M) -> M {
    if x.is_nan() || x < y { y } else { x }
}

fn sgn<M: Math>(x: M) -> M {
    if x > M::ZERO {
        M::ONE
    } else if x < M::ZERO {
        -M::ONE
    } else if x.is_nan() {
        x
    } else {
        M::ZERO
    }
}

/// Exact for multiples of a half: the angle is brought into a quarter turn before it is multiplied by pi.
fn sinpi<M: Math>(x: M) -> M {
    let turn = x % M::TWO;
    // In (-2, 2); the sine of half turns has period 2 and is symmetric about 1/2.
    let turn = if turn > M::ONE {
        turn - M::TWO
    } else if turn < -M::ONE {
        turn + M::TWO
    } else {
        turn
    };
    let turn = if turn > M::HALF {
        M::ONE - turn
    } else if turn < -M::HALF {
        -M::ONE - turn
    } else {
        turn
    };
    (turn * M::PI).sin()
}

fn cospi<M: Math>(x: M) -> M {
    // Even, with period 2; near its zeros a sine has more digits.
    let turn = (x % M::TWO).abs();
    let turn = if turn > M::ONE { M::TWO - turn } else { turn };
    let quarter = M::HALF * M::HALF;
    if turn < quarter { (turn * M::PI).cos() } else { sinpi(M::HALF - turn) }
}
