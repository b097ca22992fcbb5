//! The concrete syntax: text to surface tree and back.
//!
//! `parse` never fails: it returns a tree, with `Error` nodes where the text made no sense, and
//! the diagnostics that say so.

pub mod ast;
pub mod comments;
pub mod format;
pub mod lexer;
pub mod parser;

pub use comments::{Comment, Comments};
pub use format::format;
pub use parser::{Parsed, parse, parse_exp};
