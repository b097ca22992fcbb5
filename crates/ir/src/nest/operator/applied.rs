//! What an operator's lambda is applied to.

use crate::nest::{Atom, Lambda, Operator, Var};

/// An operator that applies a lambda to elements of its inputs, so that it can compute what these are.
pub struct Applied<Inputs, Lambda> {
    pub width: Atom,
    pub inputs: Inputs,
    pub lambda: Lambda,
    /// How many parameters come before those for the inputs.
    pub skipped: usize,
}

macro_rules! applied {
    ($op:expr) => {
        match $op {
            Operator::Map { width, inputs, lambda }
            | Operator::Fused { width, inputs, lambda, .. }
            | Operator::Filter { width, inputs, lambda }
            | Operator::Partition { width, inputs, lambda }
            | Operator::Scatter { width, inputs, lambda, .. }
            | Operator::Hist { width, inputs, lambda, .. } => {
                Some(Applied { width: *width, inputs, lambda, skipped: 0 })
            }
            // The accumulator comes first.
            Operator::AccStream { width, inputs, lambda, .. } => {
                Some(Applied { width: *width, inputs, lambda, skipped: 1 })
            }
            Operator::Reduce { .. }
            | Operator::Scan { .. }
            | Operator::Stream { .. }
            | Operator::Sort { .. }
            | Operator::Task(_) => None,
        }
    };
}

impl Operator {
    /// Nothing if it has no lambda for single elements.
    pub fn applied(&self) -> Option<Applied<&Vec<Var>, &Lambda>> {
        applied!(self)
    }

    pub fn applied_mut(&mut self) -> Option<Applied<&mut Vec<Var>, &mut Lambda>> {
        applied!(self)
    }
}
