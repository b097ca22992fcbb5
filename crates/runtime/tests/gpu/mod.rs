//! GPUs, tried with kernels and a host program that do what compiled ones do. The same tests run on every device that is there: CUDA,
//! and OpenCL, which may be a processor (PoCL). What is not there is skipped, with a note.

mod failures;
mod kernels;
mod measurements;
mod memory;
mod setup;
mod sharing;
