//! Operators that combine elements: `reduce`, `scan` and `fused` as one.

use crate::nest::{Atom, Lambda, Operator, Reduction, Var};
use std::slice::from_ref;

/// Without a lambda, rows of the inputs are what is scanned or reduced.
#[derive(Clone, Copy)]
pub struct Combining<'a> {
    pub width: Atom,
    pub inputs: &'a [Var],
    pub lambda: Option<&'a Lambda>,
    pub scans: &'a [Reduction],
    pub reductions: &'a [Reduction],
}

impl Operator {
    /// Nothing if it combines no elements.
    pub fn combining(&self) -> Option<Combining<'_>> {
        match self {
            Operator::Reduce { width, op, inputs } => {
                let (scans, reductions) = (&[][..], from_ref(op));
                Some(Combining { width: *width, inputs, lambda: None, scans, reductions })
            }
            Operator::Scan { width, op, inputs } => {
                let (scans, reductions) = (from_ref(op), &[][..]);
                Some(Combining { width: *width, inputs, lambda: None, scans, reductions })
            }
            Operator::Fused { width, inputs, lambda, scans, reductions } => {
                Some(Combining { width: *width, inputs, lambda: Some(lambda), scans, reductions })
            }
            Operator::Map { .. }
            | Operator::Filter { .. }
            | Operator::Partition { .. }
            | Operator::Scatter { .. }
            | Operator::Hist { .. }
            | Operator::Sort { .. }
            | Operator::Stream { .. }
            | Operator::AccStream { .. }
            | Operator::Task(_) => None,
        }
    }
}

impl Combining<'_> {
    /// How many results of the lambda are scanned or reduced.
    pub fn combined(&self) -> usize {
        self.scans.iter().chain(self.reductions).map(|op| op.neutral.len()).sum()
    }
}
