//! FutharkScript: the small language in which tests make their inputs, and pages say what they show.
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
//! `$loadbytes`, `$loadimg`, `$loadaudio`, `$restore` and `$store`, with files relative to the folder of the program.
//!
//! Integer constants become numbers of the type that a parameter has, where it can hold them. Tuples
//! and records become those of the program, whatever name it has for them.

mod builtin;
mod eval;
mod fit;
mod parse;
mod show;
#[cfg(test)]
mod tests;

pub use eval::{Evaluator, Val, whole_number};
pub(crate) use parse::parse_exp;
pub use parse::parse_script;
pub use show::show_val;

use norn_values::Value;
use std::collections::BTreeSet;
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

impl Exp {
    /// Adds the names that the expression does not bind itself: entry points, if it makes sense.
    pub fn free_names(&self, found: &mut BTreeSet<String>) {
        match &self.kind {
            ExpKind::Value(_) => {}
            ExpKind::Name(name, args) => {
                found.insert(name.clone());
                args.iter().for_each(|arg| arg.free_names(found));
            }
            ExpKind::Builtin(_, parts) | ExpKind::Tuple(parts) | ExpKind::Array(parts) => {
                parts.iter().for_each(|part| part.free_names(found));
            }
            ExpKind::Record(fields) => fields.iter().for_each(|(_, field)| field.free_names(found)),
            ExpKind::Project(record, _) => record.free_names(found),
            ExpKind::Index(array, indices) => {
                array.free_names(found);
                indices.iter().for_each(|index| index.free_names(found));
            }
            ExpKind::Let(pat, bound, body) => {
                let mut inner = BTreeSet::new();
                body.free_names(&mut inner);
                match pat {
                    Pat::Name(bound) => inner.retain(|name| name != bound),
                    Pat::Tuple(bound) => inner.retain(|name| !bound.contains(name)),
                }
                bound.free_names(found);
                found.extend(inner);
            }
        }
    }
}
