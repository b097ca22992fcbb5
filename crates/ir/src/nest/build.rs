//! Building functions of nest (`skeleton::build`).

use super::Operator;

pub type FunBuilder = crate::skeleton::build::FunBuilder<Operator>;
pub type OpenBody = crate::skeleton::build::OpenBody<Operator>;
