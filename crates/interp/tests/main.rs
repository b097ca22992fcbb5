//! The tests of this crate, as one program: it is linked once.

mod api;
#[path = "../../ir/tests/programs.rs"]
mod programs;
mod run;
