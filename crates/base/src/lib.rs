//! What every stage of the compiler shares: names, places in source text, and diagnostics.
//!
//! This crate depends on nothing of ours. It does no I/O: files are handed to it as text.

#![forbid(unsafe_code)]

pub mod codes;
pub mod diagnostic;
pub mod json;
pub mod prim;
pub mod render;
pub mod source;
pub mod symbol;

pub use diagnostic::{Code, Diagnostic, Diagnostics, Fix, Label, Severity, one_line};
pub use prim::Prim;
pub use source::{FileId, SourceMap, Span};
pub use symbol::Symbol;
