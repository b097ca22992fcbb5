//! The tests of this crate, as one program: it is linked once.

mod escapes;
mod format;
mod numbers;
mod parse_errors;
mod parse_hostile;
mod parse_tree;
mod sexp;
