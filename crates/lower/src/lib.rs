//! Lowering: typed tree to nest.
//!
//! It starts at the entry points and follows everything they use. It resolves modules (`index`); monomorphises, with
//! an instance of a function for each list of type arguments (`mono`, `instance`);
//! records, tuples, sums and functions become columns (`rep`, `value`, `convert`); sizes become values
//! (`scope`); known functions are called directly, others are defunctionalised: they become sums over what they can be
//! (`classes`, `apply`); recursive types become refs (`data`), and `regions` infers their regions.
//!
//! Functions are not inlined, except lambdas into the operators that apply them.

#![forbid(unsafe_code)]

mod apply;
mod array;
mod arrays;
mod builtin;
mod classes;
mod control;
mod convert;
mod data;
mod derivative;
mod entry;
mod equality;
mod exp;
mod free;
mod index;
mod instance;
mod instantiate;
mod limits;
mod lower;
mod mono;
mod observe;
mod params;
mod pattern;
mod range;
mod regions;
mod rep;
mod scalar;
mod scope;
mod shape;
mod sizes;
mod soac;
mod streams;
mod value;

pub use lower::lower;
pub use regions::infer_regions;
