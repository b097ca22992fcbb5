//! The tests of this crate, as one program: it is linked once.

mod cases;
mod driver;
mod gpu;
mod gpu_atomics;
mod gpu_programs;
mod gpu_scalars;
mod lanes;
mod programs;
mod scalars;
mod vmath;
