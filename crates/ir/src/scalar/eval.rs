//! What scalar operators compute: the one definition, for the interpreter and for constant folding.
//!
//! Operators work on *words*: the bits of a scalar, zero-extended to 64 (`Scalar::bits`). Given an
//! operator and a type, [`un_op`], [`bin_op`], [`tri_op`] and [`conversion`] look up a function on
//! words. Who computes much (the interpreter) looks up once and calls often; `eval_un` and its
//! companions do both for a single scalar. An operator that does not exist at a type is `None`.
//!
//! What lib/prelude/INTRINSICS.md leaves open is settled here, so that folding and running agree:
//! - a shift amount is taken as unsigned; if it is not less than the width, `shl` and `lshr` give 0 and
//!   `ashr` gives copies of the top bit;
//! - a quotient by 0 is 0, the remainder is the dividend; the least number divided by -1 is itself;
//! - a negative integer exponent gives 0;
//! - `f16` is computed in `f32` and rounded.

mod convert;
mod float;
mod int;

use super::{BinOp, Prim, Scalar, TriOp, UnOp, f16};

/// The bits of a scalar, zero-extended.
pub type Word = u64;

pub type UnFn = fn(Word) -> Word;
pub type BinFn = fn(Word, Word) -> Word;
pub type TriFn = fn(Word, Word, Word) -> Word;

pub use convert::conversion;

pub fn eval_un(op: UnOp, x: Scalar) -> Option<Scalar> {
    let f = un_op(op, x.prim())?;
    Scalar::from_bits(op.result(x.prim())?, f(x.bits()))
}

pub fn eval_bin(op: BinOp, x: Scalar, y: Scalar) -> Option<Scalar> {
    if op.second(x.prim()) != y.prim() {
        return None;
    }
    let f = bin_op(op, x.prim())?;
    Scalar::from_bits(op.result(x.prim())?, f(x.bits(), y.bits()))
}

pub fn eval_tri(op: TriOp, x: Scalar, y: Scalar, z: Scalar) -> Option<Scalar> {
    if x.prim() != y.prim() || x.prim() != z.prim() {
        return None;
    }
    let f = tri_op(op, x.prim())?;
    Scalar::from_bits(op.result(x.prim())?, f(x.bits(), y.bits(), z.bits()))
}

pub fn convert(value: Scalar, to: Prim) -> Scalar {
    let word = conversion(value.prim(), to)(value.bits());
    Scalar::from_bits(to, word).expect("a conversion yields a word of its type")
}

pub fn un_op(op: UnOp, prim: Prim) -> Option<UnFn> {
    // Named by the type of its operand, which is an integer.
    if op == UnOp::FromBits {
        return op.result(prim).map(|_| (|x| x) as UnFn);
    }
    match prim {
        Prim::I8 => int::un_op::<i8>(op),
        Prim::I16 => int::un_op::<i16>(op),
        Prim::I32 => int::un_op::<i32>(op),
        Prim::I64 => int::un_op::<i64>(op),
        Prim::U8 => int::un_op::<u8>(op),
        Prim::U16 => int::un_op::<u16>(op),
        Prim::U32 => int::un_op::<u32>(op),
        Prim::U64 => int::un_op::<u64>(op),
        Prim::F16 => float::un_op::<f16>(op),
        Prim::F32 => float::un_op::<f32>(op),
        Prim::F64 => float::un_op::<f64>(op),
        Prim::Bool => (op == UnOp::Not).then_some(|x| x ^ 1),
    }
}

pub fn bin_op(op: BinOp, prim: Prim) -> Option<BinFn> {
    match prim {
        Prim::I8 => int::bin_op::<i8>(op),
        Prim::I16 => int::bin_op::<i16>(op),
        Prim::I32 => int::bin_op::<i32>(op),
        Prim::I64 => int::bin_op::<i64>(op),
        Prim::U8 => int::bin_op::<u8>(op),
        Prim::U16 => int::bin_op::<u16>(op),
        Prim::U32 => int::bin_op::<u32>(op),
        Prim::U64 => int::bin_op::<u64>(op),
        Prim::F16 => float::bin_op::<f16>(op),
        Prim::F32 => float::bin_op::<f32>(op),
        Prim::F64 => float::bin_op::<f64>(op),
        Prim::Bool => bool_op(op),
    }
}

fn bool_op(op: BinOp) -> Option<BinFn> {
    // The words of `false` and `true` are 0 and 1.
    match op {
        BinOp::And => Some(|x, y| x & y),
        BinOp::Or => Some(|x, y| x | y),
        BinOp::Xor => Some(|x, y| x ^ y),
        BinOp::Eq => Some(|x, y| (x == y) as Word),
        BinOp::Lt => Some(|x, y| (x < y) as Word),
        BinOp::Le => Some(|x, y| (x <= y) as Word),
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
        | BinOp::Ldexp => None,
    }
}

pub fn tri_op(op: TriOp, prim: Prim) -> Option<TriFn> {
    match prim {
        Prim::I8 => int::tri_op::<i8>(op),
        Prim::I16 => int::tri_op::<i16>(op),
        Prim::I32 => int::tri_op::<i32>(op),
        Prim::I64 => int::tri_op::<i64>(op),
        Prim::U8 => int::tri_op::<u8>(op),
        Prim::U16 => int::tri_op::<u16>(op),
        Prim::U32 => int::tri_op::<u32>(op),
        Prim::U64 => int::tri_op::<u64>(op),
        Prim::F16 => float::tri_op::<f16>(op),
        Prim::F32 => float::tri_op::<f32>(op),
        Prim::F64 => float::tri_op::<f64>(op),
        Prim::Bool => None,
    }
}
