//! Scalars, their operators, and what these compute.

mod eval;
mod ops;
mod order;
