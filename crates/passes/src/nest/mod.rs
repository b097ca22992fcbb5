//! Passes on nest.

pub mod dce;
pub mod effects;
