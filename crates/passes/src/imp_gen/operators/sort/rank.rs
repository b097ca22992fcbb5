//! Keys as numbers that are sorted by their digits: what `ir::scalar::order` says, as expressions.

use norn_ir::imp::{BinOp, Exp, Prim, Scalar, UnOp};
use norn_ir::scalar::order::{exponent_mask, width};

/// A digit has so many bits.
pub const DIGIT_BITS: i64 = 8;
/// So many values.
pub const DIGIT_VALUES: i64 = 1 << DIGIT_BITS;

/// The unsigned integer as wide as a type.
pub fn bits_of(prim: Prim) -> Prim {
    match prim.size() {
        1 => Prim::U8,
        2 => Prim::U16,
        4 => Prim::U32,
        _ => Prim::U64,
    }
}

/// The rank of a key, whose bits are a variable.
pub fn rank(prim: Prim, word: Exp) -> Exp {
    let bits = bits_of(prim);
    let constant = |value: u64| Exp::Const(Scalar::from_int(bits, value.into()));
    let (sign, all) = (1 << (width(prim) - 1), u64::MAX >> (64 - width(prim)));
    let Some(infinity) = exponent_mask(prim) else {
        let flip = || Exp::bin(BinOp::Xor, bits, word.clone(), constant(sign));
        return if prim.is_signed() { flip() } else { word };
    };
    let magnitude = Exp::bin(BinOp::And, bits, word.clone(), constant(all ^ sign));
    let is_nan = Exp::bin(BinOp::Lt, bits, constant(infinity), magnitude);
    let is_negative = Exp::bin(BinOp::Le, bits, constant(sign), word.clone());
    let negative = Exp::un(UnOp::Not, bits, word.clone());
    let positive = Exp::bin(BinOp::Or, bits, word, constant(sign));
    Exp::select(is_nan, constant(all), Exp::select(is_negative, negative, positive))
}

/// The digit of a rank that begins at this bit, as an index.
pub fn digit(prim: Prim, rank: Exp, shift: &Exp) -> Exp {
    let bits = bits_of(prim);
    let shifted = match shift.as_i64() {
        Some(0) => rank,
        Some(shift) => Exp::bin(BinOp::Lshr, bits, rank, Exp::Const(Scalar::from_int(bits, shift.into()))),
        None => Exp::bin(BinOp::Lshr, bits, rank, shift.clone().convert(Prim::I64, bits)),
    };
    let low = Scalar::from_int(bits, (DIGIT_VALUES - 1).into());
    Exp::bin(BinOp::And, bits, shifted, Exp::Const(low)).convert(bits, Prim::I64)
}
