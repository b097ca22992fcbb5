//! The tests of this crate, as one program: it is linked once.

mod flat;
mod imp;
mod nest;
