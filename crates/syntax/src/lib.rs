//! The concrete syntax: text to surface tree and back.
//!
//! `parse` never fails: it returns a tree, with `Error` nodes for text that it cannot parse, and
//! the diagnostics for these.

#![forbid(unsafe_code)]

pub mod ast;
pub mod comments;
pub mod format;
pub mod lexer;
pub mod parser;
mod visit;

pub use comments::{Comment, Comments};
pub use format::format;
pub use parser::{Parsed, parse, parse_exp};
