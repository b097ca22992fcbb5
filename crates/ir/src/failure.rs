//! How checks fail: the kinds of failures and their messages, the same on every backend.

use crate::scalar::Prim;

/// What does not hold. The operands of a failure are words: bits, zero-extended; `i64` unless said otherwise.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CheckKind {
    /// index, length
    Index,
    /// start, count, stride, length
    Slice,
    /// expected, found
    Size,
    /// Of a row of an irregular array: expected, found
    RowSize,
    /// the size
    NonNegative,
    NonZero,
    /// the exponent, of this type
    Exponent(Prim),
    /// start, second, end, of this type
    Range(Prim),
    /// A row length is negative: the length
    NegativeLength,
    /// Row lengths do not add up: their sum, the expected total
    Segments,
    /// least and greatest element of a view, length
    Flat,
    /// The text is the source of the assertion.
    Assert(String),
    Fail(String),
}
