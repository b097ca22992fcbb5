//! The passes: from a program of an intermediate language to a better one of the same language, or to one of the next language.
//!
//! A pass is one public function in a file or folder of its own; `pipeline` lists them in their order.
//! Passes see neither syntax nor the checker, do no I/O, and are deterministic.

#![forbid(unsafe_code)]

pub mod checks;
mod classes;
pub mod cut;
pub mod elements;
pub mod epilogue;
pub mod fission;
pub mod flatten;
pub mod frames;
pub mod imp_gen;
pub mod invariants;
pub mod layout;
pub mod loop_order;
mod motion;
pub mod nest;
mod numbering;
pub mod outline;
pub mod pipeline;
pub mod place;
pub mod reads;
pub mod remainders;
pub mod schedule;
pub mod share;
pub mod single;
pub mod sink;
pub mod tuning;
pub mod vectorise;
