//! Devices: what runs compiled code, and the memory it works on.
//!
//! A device gets source text to compile, entry points to call with words, and
//! memory to allocate. It does not know what the words mean; `exec` does.
//!
//! Every program runs on the processor ([`cpu`]): it is C text, compiled by the C compiler of the system, loaded into this
//! process and called. rts/cpu/abi.h defines the interface between it and the compiled code.
//!
//! A program may have a part on a GPU ([`gpu`]), by way of CUDA or OpenCL: kernels, compiled by the compiler of the driver, and
//! memory. Its C part asks for launches and transfers through functions in that same header. rts/gpu/state.h defines
//! the interface between kernels and the runtime.
//!
//! A newcomer reads rts/cpu/abi.h, then `cpu/instance.rs` and `cpu/session.rs` (how a program is called), then `cpu/device.rs` (how it
//! reaches a GPU), `gpu/program.rs` (what becomes of that) and `gpu/device.rs` (what a driver has to do). tests/cpu.rs and tests/gpu.rs
//! have small programs that use all of it.
//!
//! `schedule` decides how work is divided among several devices: who does which rows of a task.
//!
//! `cache` is the cache of compiled programs on disk, `profile` measures launches, `available` finds how much memory the machine has free.
//!
//! `cancel` ends calls from other threads, and `stock` has what several calls at the same time need one of each.
//!
//! What the command needs of the system and cannot be had without unsafe code is here, too: `process` ends what was started, `interrupt`
//! is notified of Ctrl-C, `streams` knows whether standard output was there.

mod available;
mod bytes;
mod cache;
mod cancel;
pub mod cpu;
mod error;
pub mod gpu;
mod interrupt;
pub mod process;
mod profile;
pub mod schedule;
mod stock;
mod streams;

pub use available::usual_limit;
pub use bytes::{parse_bytes, show_bytes};
pub use cache::cache_folder;
pub use cancel::{Cancelled, Canceller};
pub use error::RuntimeError;
pub use interrupt::on_interrupt;
pub use stock::Stock;
pub use streams::stdout_was_closed;
