//! Which variables of a host's function may lead to the same memory, and who else knows that memory.
//!
//! Variables are in one class if one is computed from the other, wherever that is, or if a call may yield the one for the other. Two parameters of a function are in two
//! classes: what is written is nobody else's (N12).

use crate::classes::Classes;
use norn_ir::imp::walk::{Part, for_each_stmt};
use norn_ir::imp::{DeviceStmt, Exp, Fun, Stmt, Type, Var, VarInfo};

pub struct Memory<'a> {
    vars: &'a [VarInfo],
    classes: Classes,
    /// Of each class, whether others know it: callers, callees, who retains it, the processor.
    is_known: Vec<bool>,
    allocs: Vec<u32>,
    releases: Vec<u32>,
    /// How often each variable is assigned.
    pub assigned: Vec<u32>,
    /// How often each class is mentioned, in all.
    pub mentions: Vec<u32>,
}

impl<'a> Memory<'a> {
    pub fn of(fun: &'a Fun) -> Memory<'a> {
        let count = fun.vars.len();
        let mut memory = Memory {
            vars: &fun.vars,
            classes: Classes::new(count),
            is_known: vec![false; count],
            allocs: vec![0; count],
            releases: vec![0; count],
            assigned: vec![0; count],
            mentions: vec![0; count],
        };
        for_each_stmt(&fun.body, &mut |stmt| memory.join(stmt));
        for_each_stmt(&fun.body, &mut |stmt| memory.note(stmt));
        for param in &fun.params {
            memory.assigned[param.0 as usize] += 1;
            memory.is_known[memory.classes.of(param.0) as usize] = true;
        }
        for result in &fun.results {
            for class in memory.classes(result) {
                memory.mentions[class] += 1;
                memory.is_known[class] = true;
            }
        }
        memory
    }

    /// None: no memory.
    pub fn class(&self, var: Var) -> Option<usize> {
        match self.vars[var.0 as usize].ty {
            Type::Scalar(_) | Type::Vector(..) => None,
            Type::Ptr(_) | Type::Remote(_) | Type::Local(_) | Type::Block | Type::Region => {
                Some(self.classes.of(var.0) as usize)
            }
        }
    }

    /// The memory to which an expression leads.
    pub fn classes(&self, exp: &Exp) -> Vec<usize> {
        let mut classes = Vec::new();
        exp.for_each_var(&mut |var| classes.extend(self.class(var)));
        classes
    }

    /// Whether it is allocated at one place, released at one place, and nobody else knows it.
    pub fn is_own(&self, class: usize) -> bool {
        !self.is_known[class] && self.allocs[class] == 1 && self.releases[class] == 1
    }

    fn join(&mut self, stmt: &Stmt) {
        let mut all: Vec<Var> = Vec::new();
        match stmt {
            Stmt::Set(var, exp) => {
                all.push(*var);
                exp.for_each_var(&mut |var| all.push(var));
            }
            Stmt::Call { args, results, .. } => {
                all.extend(results);
                args.iter().for_each(|arg| arg.for_each_var(&mut |var| all.push(var)));
            }
            _ => return,
        }
        all.retain(|var| self.class(*var).is_some());
        if matches!(stmt, Stmt::Set(var, _) if self.class(*var).is_none()) {
            return;
        }
        all.windows(2).for_each(|pair| _ = self.classes.join(pair[0].0, pair[1].0));
    }

    fn note(&mut self, stmt: &Stmt) {
        let stays_here = matches!(
            stmt,
            Stmt::Set(..)
                | Stmt::If { .. }
                | Stmt::For { .. }
                | Stmt::While { .. }
                | Stmt::Release(_)
                | Stmt::Device(
                    DeviceStmt::Alloc { .. }
                        | DeviceStmt::Launch { .. }
                        | DeviceStmt::Read { .. }
                        | DeviceStmt::Write { .. }
                        | DeviceStmt::Copy { .. }
                        | DeviceStmt::Clear { .. },
                )
        );
        let mut mentioned = Vec::new();
        stmt.for_each_part(&mut |part| match part {
            Part::Assigned(var) => {
                self.assigned[var.0 as usize] += 1;
                mentioned.extend(self.class(var));
            }
            Part::Exp(exp) => mentioned.extend(self.classes(exp)),
            Part::Block(_) | Part::Accumulator(_) => {}
        });
        for class in mentioned {
            self.mentions[class] += 1;
            self.is_known[class] |= !stays_here;
        }
        match stmt {
            Stmt::Device(DeviceStmt::Alloc { block, .. }) => {
                self.allocs[self.classes.of(block.0) as usize] += 1
            }
            Stmt::Release(exp) => {
                for class in self.classes(exp) {
                    self.releases[class] += 1;
                }
            }
            _ => {}
        }
    }
}
