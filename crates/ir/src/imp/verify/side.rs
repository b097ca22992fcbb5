//! What runs where: I9, and I10 as far as guards go.
//!
//! Each statement, expression and type belongs somewhere, if not anywhere: to group kernels, to the host of a device, or to the
//! CPU. A function that a group kernel reaches by calls runs on both sides, so that it has nothing of any.

use super::{Checker, Rule, Violation, show_ty};
use crate::imp::walk::{Part, for_each_stmt};
use crate::imp::{Block, Exp, GroupStmt, Prog, Split, Stmt, Type, VarInfo};

pub(super) fn verify_sides(prog: &Prog) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut check = |name: &str, vars: &[VarInfo], code: Code, body: &Block, results: &[Exp]| {
        let mut checker = Checker::new(prog, name, vars);
        checker.side(code, body, results);
        violations.append(&mut checker.violations);
    };
    for (fun, reached) in prog.funs.iter().zip(reached(prog)) {
        let code = if reached { Code::Shared } else { Code::Host };
        check(&fun.name, &fun.vars, code, &fun.body, &fun.results);
    }
    for (kernel, is_part) in prog.kernels.iter().zip(parts_of_tasks(prog)) {
        let code = if is_part { Code::Host } else { Code::Cpu };
        check(&kernel.name, &kernel.vars, code, &kernel.body, &[]);
    }
    for kernel in &prog.group_kernels {
        check(&kernel.name, &kernel.vars, Code::Group, &kernel.body, &[]);
    }
    violations
}

/// Who runs a piece of code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Code {
    /// A function, or a kernel that is a part of a task.
    Host,
    /// A kernel of the CPU.
    Cpu,
    /// A group kernel.
    Group,
    /// A function that group kernels reach.
    Shared,
}

/// To whom something belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Anyone,
    /// Functions and kernels of the CPU.
    Cpu,
    /// Functions of a host that has a device.
    Host,
    Group,
}

impl Code {
    fn may_have(self, owner: Owner) -> bool {
        match owner {
            Owner::Anyone => true,
            Owner::Cpu => self == Code::Host || self == Code::Cpu,
            Owner::Host => self == Code::Host,
            Owner::Group => self == Code::Group,
        }
    }

    fn show(self) -> &'static str {
        match self {
            Code::Host => "a function",
            Code::Cpu => "a kernel",
            Code::Group => "a group kernel",
            Code::Shared => "a function that a group kernel calls",
        }
    }
}

/// The functions that group kernels reach by calls.
fn reached(prog: &Prog) -> Vec<bool> {
    let mut reached = vec![false; prog.funs.len()];
    let mut bodies: Vec<&Block> = prog.group_kernels.iter().map(|kernel| &kernel.body).collect();
    while let Some(body) = bodies.pop() {
        for_each_stmt(body, &mut |stmt| {
            if let Stmt::Call { fun, .. } = stmt
                && let Some(known) = reached.get_mut(fun.0 as usize)
                && !std::mem::replace(known, true)
            {
                bodies.push(&prog.funs[fun.0 as usize].body);
            }
        });
    }
    reached
}

/// The kernels that are launched in parts.
fn parts_of_tasks(prog: &Prog) -> Vec<bool> {
    let mut are_parts = vec![false; prog.kernels.len()];
    let bodies = prog.funs.iter().map(|fun| &fun.body).chain(prog.kernels.iter().map(|kernel| &kernel.body));
    for body in bodies {
        for_each_stmt(body, &mut |stmt| {
            if let Stmt::Launch { kernel, split: Split::Parts { .. }, .. } = stmt
                && let Some(is_part) = are_parts.get_mut(kernel.0 as usize)
            {
                *is_part = true;
            }
        });
    }
    are_parts
}

impl Checker<'_> {
    fn side(&mut self, code: Code, body: &Block, results: &[Exp]) {
        for info in self.vars {
            let is_array = matches!((code, info.ty), (Code::Host | Code::Shared, Type::Local(_)));
            if !is_array && !code.may_have(owner_of_type(info.ty)) {
                let message = format!("Nothing in {} has type {}.", code.show(), show_ty(info.ty));
                self.fail(Rule::I9, message);
            }
        }
        for_each_stmt(body, &mut |stmt| {
            if !code.may_have(owner_of_stmt(stmt)) {
                let message = format!("{} stands in {}.", self.show_stmt(stmt), code.show());
                self.fail(Rule::I9, message);
            }
            if let Stmt::Group(GroupStmt::Guard(guarded)) = stmt
                && has_barrier(guarded)
            {
                self.fail(Rule::I10, "A barrier stands in a guard, which threads may have left.");
            }
            stmt.for_each_part(&mut |part| match part {
                Part::Exp(exp) => self.side_of_exp(code, exp),
                Part::Assigned(_) | Part::Block(_) | Part::Accumulator(_) => {}
            });
        });
        results.iter().for_each(|exp| self.side_of_exp(code, exp));
    }

    fn side_of_exp(&mut self, code: Code, exp: &Exp) {
        if !code.may_have(owner_of_exp(exp)) {
            let message = format!("{} stands in {}.", self.show_exp(exp), code.show());
            self.fail(Rule::I9, message);
        }
        exp.for_each_child(&mut |child| self.side_of_exp(code, child));
    }
}

fn has_barrier(block: &Block) -> bool {
    let mut found = false;
    for_each_stmt(block, &mut |stmt| found |= matches!(stmt, Stmt::Group(stmt) if stmt.meets()));
    found
}

fn owner_of_type(ty: Type) -> Owner {
    match ty {
        Type::Scalar(_) | Type::Ptr(_) | Type::Block | Type::Region => Owner::Anyone,
        Type::Vector(..) => Owner::Cpu,
        Type::Remote(_) => Owner::Host,
        Type::Local(_) => Owner::Group,
    }
}

fn owner_of_stmt(stmt: &Stmt) -> Owner {
    match stmt {
        Stmt::Set(..)
        | Stmt::Store { .. }
        | Stmt::Copy { .. }
        | Stmt::Alloc { .. }
        | Stmt::Retain(_)
        | Stmt::Release(_)
        | Stmt::RegionNew(_)
        | Stmt::RegionEnd(_)
        | Stmt::CellNew { .. }
        | Stmt::If { .. }
        | Stmt::Switch { .. }
        | Stmt::For { .. }
        | Stmt::While { .. }
        | Stmt::Call { .. }
        | Stmt::Fail { .. } => Owner::Anyone,
        Stmt::StoreLanes { .. }
        | Stmt::Scatter { .. }
        | Stmt::Show { .. }
        | Stmt::Const { .. }
        | Stmt::Launch { .. }
        | Stmt::Await { .. }
        | Stmt::Signal { .. } => Owner::Cpu,
        Stmt::Group(_) => Owner::Group,
        Stmt::Device(_) => Owner::Host,
    }
}

fn owner_of_exp(exp: &Exp) -> Owner {
    match exp {
        Exp::Const(_)
        | Exp::Var(_)
        | Exp::Un(..)
        | Exp::Bin(..)
        | Exp::Tri(..)
        | Exp::Convert { .. }
        | Exp::Select(..)
        | Exp::Load { .. }
        | Exp::Offset { .. }
        | Exp::Cast(..)
        | Exp::Data(..)
        | Exp::Cell { .. }
        | Exp::CellBlock { .. }
        | Exp::Capacity(_) => Owner::Anyone,
        Exp::Null(ty) => owner_of_type(*ty),
        Exp::Splat(..)
        | Exp::Lanes(..)
        | Exp::LoadLanes { .. }
        | Exp::Gather { .. }
        | Exp::Lane(..)
        | Exp::Combine(..)
        | Exp::Any(_)
        | Exp::Table(..)
        | Exp::Workers
        | Exp::Tunable(_)
        | Exp::Chunks { .. } => Owner::Cpu,
        Exp::Remote(..) | Exp::DeviceGroups | Exp::DevicePool => Owner::Host,
        Exp::Group(_) => Owner::Group,
    }
}
