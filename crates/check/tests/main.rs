//! The tests of this crate, as one program: it is linked once.

mod coverage;
mod library;
