//! The tests of this crate, as one program: it is linked once.

mod cases;
mod driver;
#[path = "../../ir/tests/programs.rs"]
mod files;
mod gpu;
mod gpu_atomics;
mod gpu_programs;
mod gpu_scalars;
mod lanes;
mod programs;
mod scalars;
mod vmath;
