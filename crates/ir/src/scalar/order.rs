//! The order that sorting follows: total, on every primitive type.
//!
//! Numbers are ordered by their values, `false` comes before `true` and `-0.0` before `0.0`. No NaN is less than
//! another value or another NaN: they come last, and stay as they are, bit for bit.

use super::Prim;
use super::eval::Word;

/// Where a scalar stands among those of its type: one is sorted before another if this number is less. It is as wide as
/// the type.
pub fn rank(prim: Prim, word: Word) -> Word {
    let bits = width(prim);
    let (sign, all) = (1 << (bits - 1), Word::MAX >> (Word::BITS - bits));
    match exponent_mask(prim) {
        Some(infinity) if word & !sign > infinity => all,
        Some(_) if word & sign != 0 => !word & all,
        Some(_) => word | sign,
        None if prim.is_signed() => word ^ sign,
        None => word,
    }
}

/// How many bits a rank has.
pub fn width(prim: Prim) -> u32 {
    prim.size() as u32 * 8
}

/// The bits of infinity, for a type of floats: those of larger magnitude are NaNs.
pub fn exponent_mask(prim: Prim) -> Option<Word> {
    match prim {
        Prim::F16 => Some(0x7c00),
        Prim::F32 => Some(0x7f80_0000),
        Prim::F64 => Some(0x7ff0_0000_0000_0000),
        Prim::I8
        | Prim::I16
        | Prim::I32
        | Prim::I64
        | Prim::U8
        | Prim::U16
        | Prim::U32
        | Prim::U64
        | Prim::Bool => None,
    }
}
