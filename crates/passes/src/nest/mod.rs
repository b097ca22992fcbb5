//! Passes on nest.
//!
//! Beside them stand analyses that several passes use: `effects` (what may fail), `memory` (what may
//! share memory), `spared` (copies that nobody needs), `bounds` (what is known of integers), `polynomials` (sums in whatever order), and `subst` and `inputs`, which know how variables are replaced and lambdas are applied.

pub mod bounds;
pub(crate) mod by_elements;
pub mod counted_together;
pub mod cse;
pub mod dce;
pub mod describe;
pub mod effects;
pub mod fuse;
pub mod hoist;
pub mod inline;
pub mod inputs;
pub mod interchange;
pub mod loops;
pub mod memory;
pub mod mentions;
mod polynomials;
pub mod quotients;
pub mod scalars;
pub mod simplify;
mod spared;
pub mod streams;
pub mod subst;
pub mod tail_calls;
pub mod traces;
pub mod windows;
