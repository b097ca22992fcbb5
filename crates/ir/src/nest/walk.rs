//! The parts of expressions (`skeleton::walk`).

use super::Operator;

pub type Part<'a> = crate::skeleton::walk::Part<'a, Operator>;
pub type PartMut<'a> = crate::skeleton::walk::PartMut<'a, Operator>;
