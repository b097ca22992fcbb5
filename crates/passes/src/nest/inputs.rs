//! What an operator's lambda is applied to.

use norn_ir::nest::{Applied, Exp, Lambda, Var, VarInfo};

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

/// An operator that applies a lambda to single elements of its inputs.
pub fn applied(exp: &Exp) -> Option<Applied<&Vec<Var>, &Lambda>> {
    exp.op()?.applied()
}

pub fn applied_mut(exp: &mut Exp) -> Option<Applied<&mut Vec<Var>, &mut Lambda>> {
    exp.op_mut()?.applied_mut()
}
