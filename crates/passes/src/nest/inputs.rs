//! What an operator's lambda is applied to.

use norn_ir::nest::{Atom, Exp, Lambda, Var, VarInfo};

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
            Exp::Map { width, inputs, lambda }
            | Exp::Fused { width, inputs, lambda, .. }
            | Exp::Filter { width, inputs, lambda }
            | Exp::Partition { width, inputs, lambda }
            | Exp::Scatter { width, inputs, lambda, .. }
            | Exp::Hist { width, inputs, lambda, .. } => {
                Some(Applied { width: *width, inputs, lambda, skipped: 0 })
            }
            // The accumulator comes first.
            Exp::AccStream { width, inputs, lambda, .. } => {
                Some(Applied { width: *width, inputs, lambda, skipped: 1 })
            }
            // Operators without a lambda for single elements, and all that is no operator.
            Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Stream { .. }
            | Exp::Sort { .. }
            | Exp::Atom(_)
            | Exp::Un(..)
            | Exp::Bin(..)
            | Exp::Tri(..)
            | Exp::Convert { .. }
            | Exp::If { .. }
            | Exp::Switch { .. }
            | Exp::Loop { .. }
            | Exp::Call { .. }
            | Exp::Const(_)
            | Exp::Check(_)
            | Exp::ArrayLit(_)
            | Exp::Range { .. }
            | Exp::Replicate { .. }
            | Exp::Index { .. }
            | Exp::Update { .. }
            | Exp::Concat { .. }
            | Exp::Reshape { .. }
            | Exp::Rearrange { .. }
            | Exp::Copy(_)
            | Exp::Coerce { .. }
            | Exp::FlatIndex { .. }
            | Exp::FlatUpdate { .. }
            | Exp::Lengths(_)
            | Exp::JoinRows(_)
            | Exp::Segment { .. }
            | Exp::AccWrite { .. }
            | Exp::Region
            | Exp::Alloc { .. }
            | Exp::Null(_)
            | Exp::Tag { .. }
            | Exp::Load { .. }
            | Exp::Workers => None,
        }
    };
}

pub fn applied(exp: &Exp) -> Option<Applied<&Vec<Var>, &Lambda>> {
    applied!(exp)
}

pub fn applied_mut(exp: &mut Exp) -> Option<Applied<&mut Vec<Var>, &mut Lambda>> {
    applied!(exp)
}
