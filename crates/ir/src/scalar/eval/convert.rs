//! Conversions between primitive types.

use super::{UnFn, Word};
use crate::scalar::{Prim, f16, f16_from_f64};

/// The function that takes words of one type to words of another.
pub fn conversion(from: Prim, to: Prim) -> UnFn {
    match from {
        Prim::I8 => from_signed::<i8>(to),
        Prim::I16 => from_signed::<i16>(to),
        Prim::I32 => from_signed::<i32>(to),
        Prim::I64 => from_signed::<i64>(to),
        // `false` and `true` are the words 0 and 1.
        Prim::U8 | Prim::U16 | Prim::U32 | Prim::U64 | Prim::Bool => from_unsigned(to),
        Prim::F16 => from_float::<f16>(to),
        Prim::F32 => from_float::<f32>(to),
        Prim::F64 => from_float::<f64>(to),
    }
}

trait Signed {
    fn get(word: Word) -> i64;
}

macro_rules! signed {
    ($($int:ty)*) => {$(
        impl Signed for $int {
            fn get(word: Word) -> i64 {
                word as $int as i64
            }
        }
    )*};
}
signed! { i8 i16 i32 i64 }

/// The sign is extended only into a signed type, which is why the unsigned ones take the word as it is.
fn from_signed<T: Signed>(to: Prim) -> UnFn {
    match to {
        Prim::I8 => |x| T::get(x) as u8 as Word,
        Prim::I16 => |x| T::get(x) as u16 as Word,
        Prim::I32 => |x| T::get(x) as u32 as Word,
        Prim::I64 => |x| T::get(x) as Word,
        Prim::U8 | Prim::U16 | Prim::U32 | Prim::U64 | Prim::Bool => from_unsigned(to),
        Prim::F16 => |x| f16_from_f64(T::get(x) as f64).to_bits() as Word,
        Prim::F32 => |x| (T::get(x) as f32).to_bits() as Word,
        Prim::F64 => |x| (T::get(x) as f64).to_bits(),
    }
}

fn from_unsigned(to: Prim) -> UnFn {
    match to {
        Prim::I8 | Prim::U8 => |x| x as u8 as Word,
        Prim::I16 | Prim::U16 => |x| x as u16 as Word,
        Prim::I32 | Prim::U32 => |x| x as u32 as Word,
        Prim::I64 | Prim::U64 => |x| x,
        // An f64 holds every integer that is not an infinite f16.
        Prim::F16 => |x| f16_from_f64(x as f64).to_bits() as Word,
        Prim::F32 => |x| (x as f32).to_bits() as Word,
        Prim::F64 => |x| (x as f64).to_bits(),
        Prim::Bool => |x| (x != 0) as Word,
    }
}

trait Float {
    /// Exact.
    fn get(word: Word) -> f64;
}

impl Float for f16 {
    fn get(word: Word) -> f64 {
        f16::from_bits(word as u16).to_f64()
    }
}

impl Float for f32 {
    fn get(word: Word) -> f64 {
        f32::from_bits(word as u32) as f64
    }
}

impl Float for f64 {
    fn get(word: Word) -> f64 {
        f64::from_bits(word)
    }
}

fn from_float<F: Float>(to: Prim) -> UnFn {
    match to {
        Prim::I8 | Prim::U8 => |x| low_bits(F::get(x)) as u8 as Word,
        Prim::I16 | Prim::U16 => |x| low_bits(F::get(x)) as u16 as Word,
        Prim::I32 | Prim::U32 => |x| low_bits(F::get(x)) as u32 as Word,
        Prim::I64 | Prim::U64 => |x| low_bits(F::get(x)),
        Prim::F16 => |x| f16_from_f64(F::get(x)).to_bits() as Word,
        Prim::F32 => |x| (F::get(x) as f32).to_bits() as Word,
        Prim::F64 => |x| F::get(x).to_bits(),
        Prim::Bool => |x| (F::get(x) != 0.0) as Word,
    }
}

/// The low bits of the number without its fraction. What no 64 bits can hold becomes the nearest that
/// they can.
fn low_bits(x: f64) -> Word {
    if !x.is_finite() {
        0
    } else if x < 0.0 {
        x as i64 as Word
    } else {
        x as u64
    }
}
