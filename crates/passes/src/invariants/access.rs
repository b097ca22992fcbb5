//! Which of its pointers a kernel may write by.
//!
//! A pointer that a kernel only loads from is not written. Any other mention of it, or of a pointer that was computed from it, counts as a write: in stores,
//! atomic operations, calls. So a new statement of kernels is safe here before anybody thinks of it.

use crate::classes::Classes;
use norn_ir::imp::walk::{Part, for_each_stmt};
use norn_ir::imp::{Exp, GroupKernel, Stmt, Type, Var};

/// What a launch of a kernel may change.
pub struct Access {
    /// Of each parameter, whether memory is written by it.
    pub written: Vec<bool>,
    /// All that it reads and writes is memory that its parameters point to.
    pub is_plain: bool,
}

impl Access {
    pub fn of(kernel: &GroupKernel) -> Access {
        let is_pointer = |var: Var| matches!(kernel.vars[var.0 as usize].ty, Type::Ptr(_) | Type::Remote(_));
        let mut classes = Classes::new(kernel.vars.len());
        let mut is_plain = kernel.params.iter().all(|param| {
            !matches!(kernel.vars[param.0 as usize].ty, Type::Block | Type::Region | Type::Local(_))
        });
        for_each_stmt(&kernel.body, &mut |stmt| match stmt {
            Stmt::Set(var, exp) if is_pointer(*var) => {
                exp.for_each_var(&mut |from| {
                    if is_pointer(from) {
                        classes.join(var.0, from.0);
                    }
                });
            }
            Stmt::Show { .. } | Stmt::CellNew { .. } | Stmt::RegionNew(_) => is_plain = false,
            _ => {}
        });
        let mut written = vec![false; kernel.vars.len()];
        let mut note =
            |exp: &Exp| pointers(exp, &mut |var| written[classes.of(var.0) as usize] |= is_pointer(var));
        for_each_stmt(&kernel.body, &mut |stmt| match stmt {
            Stmt::Set(var, _) if is_pointer(*var) => {}
            Stmt::Copy { elem: _, to, from: _, count } => [to, count].into_iter().for_each(&mut note),
            stmt => stmt.for_each_part(&mut |part| match part {
                Part::Exp(exp) => note(exp),
                Part::Assigned(_) | Part::Block(_) | Part::Accumulator(_) => {}
            }),
        });
        let written = kernel.params.iter().map(|param| written[classes.of(param.0) as usize]).collect();
        Access { written, is_plain }
    }
}

/// The variables in an expression by which nothing is loaded.
fn pointers(exp: &Exp, f: &mut impl FnMut(Var)) {
    match exp {
        Exp::Var(var) => f(*var),
        Exp::Load { elem: _, ptr: _, index } => pointers(index, f),
        exp => exp.for_each_child(&mut |child| pointers(child, f)),
    }
}
