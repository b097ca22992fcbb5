//! Which scalars the host of a device has to know.
//!
//! What kernels compute with, they can load themselves; so what a reduction yields may stay on the device (rule L6). The host needs what it
//! computes with itself, and all by which it plans a launch: widths, sizes, where views begin, neutral elements.

use crate::nest::walk::Part;
use crate::nest::{ArrayExp, Body, ControlExp, Exp, Operator, Stm, Type, Var, VarInfo};

/// Calls `f` for each mention by which the host of a function needs a variable. `is_kernel` says which statements are kernels.
pub fn host_needs(vars: &[VarInfo], body: &Body, is_kernel: &dyn Fn(&Stm) -> bool, f: &mut dyn FnMut(Var)) {
    Needs { vars, is_kernel, plans_by: Plan::Views, f }.host_body(body);
}

/// The same for a statement that is a kernel.
pub fn kernel_needs(vars: &[VarInfo], stm: &Stm, plans_by: Plan, f: &mut dyn FnMut(Var)) {
    Needs { vars, is_kernel: &|_| true, plans_by, f }.host_stm(stm);
}

/// What the host plans a launch by, of all that threads do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plan {
    /// Sizes, and where threads read.
    Views,
    /// Sizes alone: where threads read, the kernel computes.
    Sizes,
}

/// What kernels that a host runs reduce to, and what else these yield.
pub fn reduced_by(body: &Body, is_kernel: &dyn Fn(&Stm) -> bool, found: &mut Vec<Var>) {
    for stm in &body.stms {
        match &stm.exp {
            Exp::Op(Operator::Reduce { .. } | Operator::Fused { .. }) if is_kernel(stm) => {
                found.extend(&stm.vars);
            }
            // The lambdas of a task are code of the host.
            exp => exp.for_each_part(&mut |part| match part {
                Part::Body(body) => reduced_by(body, is_kernel, found),
                Part::Lambda(lambda) if matches!(exp, Exp::Op(Operator::Task(_))) => {
                    reduced_by(&lambda.body, is_kernel, found);
                }
                Part::Lambda(_) | Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
            }),
        }
    }
}

/// Whether the statement makes an array of one scalar, which the host need not know for that.
fn holds_one_scalar(vars: &[VarInfo], stm: &Stm) -> bool {
    match &stm.exp {
        Exp::Array(ArrayExp::ArrayLit(rows)) => {
            rows.len() == 1 && stm.vars.iter().all(|var| vars[var.0 as usize].ty.rank() == 1)
        }
        _ => false,
    }
}

struct Needs<'a> {
    vars: &'a [VarInfo],
    is_kernel: &'a dyn Fn(&Stm) -> bool,
    plans_by: Plan,
    f: &'a mut dyn FnMut(Var),
}

impl Needs<'_> {
    fn sizes(&mut self, var: Var) {
        let ty: &Type = &self.vars[var.0 as usize].ty;
        ty.for_each_var(&mut *self.f);
    }

    fn host_body(&mut self, body: &Body) {
        body.stms.iter().for_each(|stm| self.host_stm(stm));
        body.result.iter().filter_map(|atom| atom.var()).for_each(&mut *self.f);
    }

    fn host_stm(&mut self, stm: &Stm) {
        stm.vars.iter().for_each(|var| self.sizes(*var));
        if holds_one_scalar(self.vars, stm) {
            return;
        }
        let kernel = (self.is_kernel)(stm);
        stm.for_each_part(&mut |part| match part {
            Part::Lambda(lambda) if kernel => {
                lambda.params.iter().for_each(|param| self.sizes(*param));
                self.thread_body(&lambda.body);
            }
            part => self.all(part, &mut Self::host_body),
        });
    }

    fn all(&mut self, part: Part, in_body: &mut dyn FnMut(&mut Self, &Body)) {
        match part {
            Part::Atom(atom) => atom.var().into_iter().for_each(&mut *self.f),
            Part::Var(var) => (self.f)(*var),
            Part::Binder(var) => self.sizes(*var),
            Part::Body(body) => in_body(self, body),
            Part::Lambda(lambda) => {
                lambda.params.iter().for_each(|param| self.sizes(*param));
                in_body(self, &lambda.body);
            }
        }
    }

    /// What the threads of a kernel do: of that, the host needs only what it plans by.
    fn thread_body(&mut self, body: &Body) {
        for stm in &body.stms {
            stm.vars.iter().for_each(|var| self.sizes(*var));
            let computes = match &stm.exp {
                Exp::Scalar(_) => true,
                Exp::Control(control) => match control {
                    ControlExp::If { .. }
                    | ControlExp::Switch { .. }
                    | ControlExp::Loop { .. }
                    | ControlExp::Call { .. }
                    | ControlExp::Check(_) => true,
                    ControlExp::Const(_) => false,
                },
                Exp::Array(ArrayExp::ArrayLit(_)) => true,
                Exp::Array(ArrayExp::Index { .. } | ArrayExp::Update { .. }) => self.plans_by == Plan::Sizes,
                Exp::Array(_) | Exp::Op(_) | Exp::Cell(_) => false,
            };
            stm.for_each_part(&mut |part| match part {
                Part::Atom(_) if computes => {}
                part => self.all(part, &mut Self::thread_body),
            });
        }
    }
}
