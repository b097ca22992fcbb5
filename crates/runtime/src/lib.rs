//! Devices: what runs compiled code, and the memory it works on.
//!
//! A device knows nothing of programs but what it is told: text to compile, entry points to call with words, and
//! memory to hold. What the words mean is known to `exec`.
//!
//! There is one device so far, the processor itself ([`cpu`]), for which a program is C text, compiled by
//! the C compiler of the system, loaded into this process and called. What it and the compiled code agree on is
//! written down in rts/cpu/abi.h.

mod bytes;
pub mod cpu;
mod error;

pub use bytes::{parse_bytes, show_bytes};
pub use error::RuntimeError;
