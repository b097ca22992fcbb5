//! The intermediate languages: `scalar`, what they share; `nest`, what lowering makes; `flat`, nest with places to run;
//! `imp`, steps over memory. `failure`: how programs end that cannot go on;
//! `text`: what their texts share.
//!
//! Each language is a folder with the same five files: the definition (`mod.rs`), `build`, `print`,
//! `parse` and `verify`.

pub mod failure;
pub mod flat;
pub mod imp;
pub mod nest;
pub mod scalar;
mod text;
