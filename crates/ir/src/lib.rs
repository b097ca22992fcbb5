//! The intermediate languages: `scalar`, what they share, and `nest`, what lowering makes.
//!
//! Each language is a folder with the same five files: the definition (`mod.rs`), `build`, `print`,
//! `parse` and `verify`.

pub mod nest;
pub mod scalar;
