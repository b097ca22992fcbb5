//! What the texts of all languages share: tokens, names, constants, places, and how errors in them are reported.

pub mod lexer;
pub mod names;
mod parser;
mod scope;

use norn_base::{FileId, Span};
pub use parser::Parser;
pub use scope::{Name, Scope, define};
use std::fmt;

/// The place of what comes from nowhere.
pub const NOWHERE: Span = Span { file: FileId(0), lo: 0, hi: 0 };

/// What is wrong with a text, and where: line and column from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

pub type Parse<T> = Result<T, ParseError>;
