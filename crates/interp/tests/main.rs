//! The tests of this crate, as one program: it is linked once.

mod api;
mod dims;
mod freedom;
mod parts;
#[path = "../../ir/tests/programs.rs"]
mod programs;
mod run;
