//! Which parameters of an operator's lambda belong to which input.

use norn_ir::nest::{Var, VarInfo};

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
