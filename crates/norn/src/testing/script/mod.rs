//! FutharkScript: the small language in which tests make their inputs.
//!
//! ```text
//! exp  ::= "let" pat "=" exp ("in" exp | let-exp)
//!        | name "[" exp ("," exp)* "]"               no space before the bracket
//!        | fun atom+
//!        | atom
//! atom ::= (value | text | fun | "(" exp,* ")" | "[" exp,+ "]" | "{" (name "=" exp),* "}") ("." field)*
//! fun  ::= name | "$" name
//! pat  ::= name | "(" name,* ")"
//! ```
//!
//! Values are written as in data files. Functions are the entry points of the program; an entry
//! point of n parameters may be applied to one tuple of n. Functions with `$` are ours: `$loaddata`,
//! `$loadbytes`, `$restore` and `$store`, with files relative to the folder of the program.
//!
//! Integer constants become numbers of the type that a parameter has, where it can hold them. Tuples
//! and records become those of the program, whatever name it has for them.

mod builtin;
mod eval;
mod fit;
mod parse;
#[cfg(test)]
mod tests;

pub use eval::{Evaluator, Val};
pub(crate) use parse::parse_exp;
pub use parse::parse_script;

use norn_values::Value;
use std::ops::Range;

/// An expression and its place.
#[derive(Clone, Debug)]
pub struct Exp {
    pub at: Range<usize>,
    pub kind: ExpKind,
}

#[derive(Clone, Debug)]
pub enum ExpKind {
    /// A constant; a text is the array of its bytes.
    Value(Value),
    /// A variable, or an entry point applied to some arguments.
    Name(String, Vec<Exp>),
    Builtin(String, Vec<Exp>),
    Tuple(Vec<Exp>),
    Record(Vec<(String, Exp)>),
    /// An array that is no constant.
    Array(Vec<Exp>),
    Project(Box<Exp>, String),
    Index(Box<Exp>, Vec<Exp>),
    Let(Pat, Box<Exp>, Box<Exp>),
}

#[derive(Clone, Debug)]
pub enum Pat {
    Name(String),
    Tuple(Vec<String>),
}
