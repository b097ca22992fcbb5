//! What an operator's lambda is applied to.

use norn_ir::nest::{Atom, Exp, Lambda, Operator, Var, VarInfo};

/// Of each input, its row, or the row's length and the row.
pub fn param_groups<'p>(vars: &[VarInfo], inputs: &[Var], params: &'p [Var]) -> Vec<&'p [Var]> {
    let mut rest = params;
    let group = |input: &Var| {
        let irregular = vars[input.0 as usize].ty.has_irregular_rows();
        let (group, after) = rest.split_at(if irregular { 2 } else { 1 });
        rest = after;
        group
    };
    inputs.iter().map(group).collect()
}

/// An operator that applies a lambda to elements of its inputs, so that it can compute what these are.
pub struct Applied<Inputs, Lambda> {
    pub width: Atom,
    pub inputs: Inputs,
    pub lambda: Lambda,
    /// How many parameters come before those for the inputs.
    pub skipped: usize,
}

macro_rules! applied {
    ($exp:expr) => {
        match $exp {
            Exp::Op(
                Operator::Map { width, inputs, lambda }
                | Operator::Fused { width, inputs, lambda, .. }
                | Operator::Filter { width, inputs, lambda }
                | Operator::Partition { width, inputs, lambda }
                | Operator::Scatter { width, inputs, lambda, .. }
                | Operator::Hist { width, inputs, lambda, .. },
            ) => Some(Applied { width: *width, inputs, lambda, skipped: 0 }),
            // The accumulator comes first.
            Exp::Op(Operator::AccStream { width, inputs, lambda, .. }) => {
                Some(Applied { width: *width, inputs, lambda, skipped: 1 })
            }
            // Operators without a lambda for single elements, and all that is no operator.
            Exp::Op(
                Operator::Reduce { .. }
                | Operator::Scan { .. }
                | Operator::Stream { .. }
                | Operator::Sort { .. },
            )
            | Exp::Scalar(_)
            | Exp::Control(_)
            | Exp::Array(_)
            | Exp::Cell(_) => None,
        }
    };
}

pub fn applied(exp: &Exp) -> Option<Applied<&Vec<Var>, &Lambda>> {
    applied!(exp)
}

pub fn applied_mut(exp: &mut Exp) -> Option<Applied<&mut Vec<Var>, &mut Lambda>> {
    applied!(exp)
}
