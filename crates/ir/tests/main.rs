//! The tests of this crate, as one program: it is linked once.

mod flat;
mod grids;
mod head;
mod imp;
mod nest;
mod programs;
