//! What is wrong with bytes that should have been a value: where, what was expected, what was found.

use std::fmt;

/// What is expected of the elements of an array without any.
pub(crate) const ELEMENT_TYPE: &str = "a primitive type";

/// What is found where a value is one that makes sense only by its type.
pub(crate) const STRUCTURED_VALUE: &str = "a structured value";

/// Why bytes could not be read as a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    pub place: Place,
    pub kind: ErrorKind,
    /// A noun phrase, such as "a value of type i32".
    pub expected: String,
    /// A noun phrase, or a piece of the text between backquotes.
    pub found: String,
}

/// A place in the bytes that were read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// In bytes, from zero.
    pub offset: usize,
    /// Line and column, from one, the column in characters. Only text has them.
    pub line_column: Option<(usize, usize)>,
}

/// The kinds of errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The bytes do not follow the format.
    Syntax,
    /// A value or element of another type than was asked for.
    Type,
    /// The rows of an array differ in length or rank.
    Irregular,
    /// An integer that its type does not have.
    OutOfRange,
    /// More dimensions or elements than a value can have.
    TooLarge,
    /// The bytes end before the value does.
    Truncated,
    /// A checksum or size contradicts the data.
    Corrupt,
    /// A correct file that holds what a value cannot be, or a version of a format we do not know.
    Unsupported,
}

impl ReadError {
    /// An error at an offset in bytes that are no text.
    pub fn new(
        offset: usize,
        kind: ErrorKind,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> ReadError {
        let place = Place { offset, line_column: None };
        ReadError { place, kind, expected: expected.into(), found: found.into() }
    }

    /// Whether what was found may be a value, but one that only makes sense by its type: a record, a tuple, a constructor, rows
    /// of different lengths, or an array of such things without elements.
    pub fn needs_type(&self) -> bool {
        if self.found == STRUCTURED_VALUE {
            return true;
        }
        let begins = ["`(`", "`{`", "`#`", "`[]`", "`?`"].contains(&self.found.as_str());
        match self.kind {
            ErrorKind::Irregular => true,
            ErrorKind::Syntax | ErrorKind::Type => begins || self.expected == ELEMENT_TYPE,
            ErrorKind::OutOfRange
            | ErrorKind::TooLarge
            | ErrorKind::Truncated
            | ErrorKind::Corrupt
            | ErrorKind::Unsupported => false,
        }
    }

    /// The bytes end at `end`, before `expected` is complete.
    pub fn truncated(end: usize, expected: impl Into<String>) -> ReadError {
        ReadError::new(end, ErrorKind::Truncated, expected, "end of input")
    }
}

impl ErrorKind {
    fn headline(self) -> &'static str {
        match self {
            ErrorKind::Syntax => "syntax error",
            ErrorKind::Type => "wrong type",
            ErrorKind::Irregular => "irregular array",
            ErrorKind::OutOfRange => "out of range",
            ErrorKind::TooLarge => "too large",
            ErrorKind::Truncated => "truncated input",
            ErrorKind::Corrupt => "corrupt file",
            ErrorKind::Unsupported => "not supported",
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line_column {
            Some((line, column)) => write!(f, "line {line}, column {column}"),
            None => write!(f, "byte {}", self.offset),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReadError { place, kind, expected, found } = self;
        write!(f, "{place}: {}: expected {expected}, found {found}", kind.headline())
    }
}

impl std::error::Error for ReadError {}
