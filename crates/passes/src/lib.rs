//! The passes: programs of an intermediate language in, better programs of the same language out.
//!
//! A pass is one public function in a file or folder of its own; `pipeline` lists them in their order.
//! Passes see neither syntax nor the checker, do no I/O, and are deterministic.

pub mod nest;
pub mod pipeline;
