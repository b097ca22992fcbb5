//! Division by what is the same in a whole launch: a multiplication, by a factor that the host computes once.
//!
//! A kernel over several dimensions divides the number of each element by the widths of inner ones, and so do programs that count
//! their elements themselves. A device has no instruction for that: it takes some twenty for 32 bits and a hundred for 64. So a kernel gets a second
//! parameter for each parameter that it divides by, `norn_reciprocal` of it (rts/cpu/device.h); the primitives that use it are in
//! rts/gpu/int.h.

use norn_ir::imp::walk::{Part, for_each_stmt};
use norn_ir::imp::{BinOp, Exp, GroupKernel, Prim, Var};
use std::collections::BTreeSet;

/// The parameters of a kernel that it divides by, in order.
pub(crate) fn divisors(kernel: &GroupKernel) -> Vec<usize> {
    let (mut divided_by, mut assigned) = (BTreeSet::new(), BTreeSet::new());
    for_each_stmt(&kernel.body, &mut |stmt| {
        stmt.for_each_part(&mut |part| match part {
            Part::Exp(exp) => collect(exp, &mut divided_by),
            Part::Assigned(var) => {
                assigned.insert(var);
            }
            Part::Block(_) | Part::Accumulator(_) => {}
        });
    });
    let is_divisor = |var: &Var| divided_by.contains(var) && !assigned.contains(var);
    (0..kernel.params.len()).filter(|at| is_divisor(&kernel.params[*at])).collect()
}

fn collect(exp: &Exp, found: &mut BTreeSet<Var>) {
    if let Some(divisor) = divisor_of(exp) {
        found.insert(divisor);
    }
    exp.for_each_child(&mut |child| collect(child, found));
}

/// The variable that an expression divides by, if a factor helps with that.
pub(crate) fn divisor_of(exp: &Exp) -> Option<Var> {
    match exp {
        Exp::Bin(
            BinOp::Quot | BinOp::Rem | BinOp::Div | BinOp::Mod,
            Prim::I32 | Prim::I64 | Prim::U32 | Prim::U64,
            _,
            divisor,
        ) => match **divisor {
            Exp::Var(var) => Some(var),
            _ => None,
        },
        _ => None,
    }
}

/// What such a factor is called beside its divisor.
pub(crate) fn factor_of(name: &str) -> String {
    format!("norn_by_{name}")
}
