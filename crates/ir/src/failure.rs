//! How checks fail: the kinds of failures and their messages, the same on every backend.

use crate::scalar::{Prim, Scalar};
use crate::text::names::quoted;
use norn_base::Span;
use std::fmt;

/// Why a program stopped.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// A sentence, with the operands.
    pub message: String,
    pub span: Span,
    /// The calls that were active, innermost first. Of very many, those in the middle are left out.
    pub trace: Vec<Frame>,
    /// How many calls the trace leaves out, after its first half.
    pub omitted: usize,
}

/// An active call.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    /// The function that was called.
    pub function: String,
    pub call: Span,
}

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
    /// A row length is negative: the number of the row, the length
    NegativeLength,
    /// Row lengths do not add up: their sum, the expected total
    Segments,
    /// least and greatest element of a view, length
    Flat,
    /// The text is the source of the assertion.
    Assert(String),
    Fail(String),
}

/// The message: a sentence about what happened. Operands that are missing count as 0.
pub fn message(kind: &CheckKind, operands: &[u64]) -> String {
    let word = |i: usize| operands.get(i).copied().unwrap_or(0);
    let int = |i: usize| word(i) as i64;
    match kind {
        CheckKind::Index => {
            format!("Index {} is out of bounds for a dimension of length {}.", int(0), int(1))
        }
        CheckKind::Slice => slice(int(0), int(1), int(2), int(3)),
        CheckKind::Size => format!("The size is {}, but {} was expected.", int(1), int(0)),
        CheckKind::RowSize => format!("A row has the size {}, but {} was expected.", int(1), int(0)),
        CheckKind::NonNegative => format!("The size {} is negative.", int(0)),
        CheckKind::NonZero => "Division by zero.".to_string(),
        CheckKind::Exponent(prim) => {
            format!("The exponent {} of an integer power is negative.", number(*prim, word(0)))
        }
        CheckKind::Range(prim) => {
            let [first, next, last] = [0, 1, 2].map(|i| number(*prim, word(i)));
            let steps = |first: &str, next: &str, last: &str| -> Option<i128> {
                let [first, next, last] = [first, next, last].map(|text| text.parse::<i128>().ok());
                (last? - first?).checked_div(next? - first?)
            };
            let why = match steps(&first, &next, &last) {
                None => "its step is 0",
                Some(steps) if steps >= i64::MAX.into() => "it has more elements than an array can have",
                _ => "its step leads away from its end",
            };
            format!("The range {first}..{next}..{last} is invalid: {why}.")
        }
        CheckKind::NegativeLength => {
            format!("The length of row {} is {}, which is negative.", int(0), int(1))
        }
        CheckKind::Segments => {
            format!("The rows have {} elements in all, but the array has {}.", int(0), int(1))
        }
        CheckKind::Flat => format!(
            "A view of the elements {} to {} is out of bounds for an array of length {}.",
            int(0),
            int(1),
            int(2)
        ),
        CheckKind::Assert(text) if text.is_empty() => "An assertion does not hold.".to_string(),
        CheckKind::Assert(text) => format!("The assertion {text} does not hold."),
        CheckKind::Fail(text) => text.clone(),
    }
}

/// The message when so many calls are active that there is no room for another.
pub fn too_deep(calls: usize) -> String {
    format!("The recursion is too deep: more than {calls} calls are active.")
}

fn slice(start: i64, count: i64, stride: i64, length: i64) -> String {
    let end = start as i128 + count as i128 * stride as i128;
    let of = format!("a dimension of length {length}");
    match (stride, count < 0) {
        (1, true) => format!("The slice {start}:{end} of {of} has the length {count}, which is negative."),
        (1, false) => format!("The slice {start}:{end} is out of bounds for {of}."),
        (_, true) => format!(
            "The slice from {start} with stride {stride} of {of} has the length {count}, which is negative."
        ),
        (_, false) => format!(
            "The slice of {count} elements from {start} with stride {stride} is out of bounds for {of}."
        ),
    }
}

/// A number as people write it.
fn number(prim: Prim, word: u64) -> String {
    let scalar = Scalar::from_bits(prim, word);
    let text = scalar.map_or_else(String::new, |scalar| scalar.to_string());
    text.strip_suffix(prim.name()).map_or(text.clone(), str::to_string)
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl CheckKind {
    pub fn name(&self) -> &'static str {
        match self {
            CheckKind::Index => "index",
            CheckKind::Slice => "slice",
            CheckKind::Size => "size",
            CheckKind::RowSize => "row_size",
            CheckKind::NonNegative => "nonnegative",
            CheckKind::NonZero => "nonzero",
            CheckKind::Exponent(_) => "exponent",
            CheckKind::Range(_) => "range",
            CheckKind::NegativeLength => "negative_length",
            CheckKind::Segments => "segments",
            CheckKind::Flat => "flat",
            CheckKind::Assert(_) => "assert",
            CheckKind::Fail(_) => "fail",
        }
    }

    /// The kind of this name, with the type and the text that belong to it and no others.
    pub fn from_parts(name: &str, prim: Option<Prim>, text: Option<String>) -> Option<CheckKind> {
        let kind = match (name, prim, text) {
            ("index", None, None) => CheckKind::Index,
            ("slice", None, None) => CheckKind::Slice,
            ("size", None, None) => CheckKind::Size,
            ("row_size", None, None) => CheckKind::RowSize,
            ("nonnegative", None, None) => CheckKind::NonNegative,
            ("nonzero", None, None) => CheckKind::NonZero,
            ("exponent", Some(prim), None) => CheckKind::Exponent(prim),
            ("range", Some(prim), None) => CheckKind::Range(prim),
            ("negative_length", None, None) => CheckKind::NegativeLength,
            ("segments", None, None) => CheckKind::Segments,
            ("flat", None, None) => CheckKind::Flat,
            ("assert", None, Some(text)) => CheckKind::Assert(text),
            ("fail", None, Some(text)) => CheckKind::Fail(text),
            _ => return None,
        };
        Some(kind)
    }

    /// The types of the operands.
    pub fn operands(&self) -> Vec<Prim> {
        match self {
            CheckKind::NonZero | CheckKind::Assert(_) | CheckKind::Fail(_) => Vec::new(),
            CheckKind::NonNegative => vec![Prim::I64],
            CheckKind::Index
            | CheckKind::Size
            | CheckKind::RowSize
            | CheckKind::NegativeLength
            | CheckKind::Segments => vec![Prim::I64; 2],
            CheckKind::Flat => vec![Prim::I64; 3],
            CheckKind::Slice => vec![Prim::I64; 4],
            CheckKind::Exponent(prim) => vec![*prim],
            CheckKind::Range(prim) => vec![*prim; 3],
        }
    }
}

/// `index`, `exponent.i32`, `assert "x > 0"`
impl fmt::Display for CheckKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            CheckKind::Exponent(prim) | CheckKind::Range(prim) => write!(f, ".{}", prim.name()),
            CheckKind::Assert(text) | CheckKind::Fail(text) => write!(f, " {}", quoted(text)),
            CheckKind::Index
            | CheckKind::Slice
            | CheckKind::Size
            | CheckKind::RowSize
            | CheckKind::NonNegative
            | CheckKind::NonZero
            | CheckKind::NegativeLength
            | CheckKind::Segments
            | CheckKind::Flat => Ok(()),
        }
    }
}
