//! The memory of variables, and what is known about roots.

use super::Walk;
use super::alias::{Memory, Root, has_cells, is_memory};
use crate::skeleton::print::Printer;
use crate::skeleton::verify::{Rule, Violation};
use crate::skeleton::{Atom, Type, Var};
use std::collections::BTreeSet;

impl<'a> Walk<'a> {
    /// Give a variable the part of this memory that its type can have.
    pub(super) fn bind(&mut self, var: Var, memory: Memory) {
        let ty = self.ty(var);
        let own = if is_memory(ty) { memory.own } else { BTreeSet::new() };
        let held = if has_cells(ty, self.holds) { memory.held } else { BTreeSet::new() };
        self.memory[var.0 as usize] = Memory { own, held };
        self.bound_at[var.0 as usize] = self.clock;
        self.clock += 1;
    }

    pub(super) fn fresh(&mut self, vars: &[Var], operands: &[Var]) {
        let held = self.joined(operands).held;
        vars.iter().for_each(|var| self.bind(*var, Memory { held: held.clone(), ..Memory::of_array(*var) }));
    }

    /// All of these variables are views of the operands.
    pub(super) fn share(&mut self, vars: &[Var], operands: &[Var]) {
        let shared = self.joined(operands);
        vars.iter().for_each(|var| self.bind(*var, shared.clone()));
    }

    pub(super) fn joined(&self, vars: &[Var]) -> Memory {
        let mut joined = Memory::default();
        vars.iter().for_each(|var| joined.join(&self.memory[var.0 as usize]));
        joined
    }

    pub(super) fn atom_memory(&self, atom: Atom) -> Memory {
        atom.var().map_or(Memory::default(), |var| self.memory[var.0 as usize].clone())
    }

    pub(super) fn ty(&self, var: Var) -> &'a Type {
        &self.fun.vars[var.0 as usize].ty
    }

    /// When the memory came into being. What refs in parameters lead to is older than the function.
    pub(super) fn born(&self, root: Root) -> u32 {
        match root {
            Root::Array(var) => self.bound_at[var.0 as usize],
            Root::Cells(_) => 0,
        }
    }

    pub(super) fn is_frozen(&self, root: Root) -> bool {
        match root {
            Root::Array(var) => self.frozen[var.0 as usize],
            Root::Cells(_) => true,
        }
    }

    // # Messages

    pub(super) fn fail(&mut self, message: String) {
        self.violations.push(Violation { rule: Rule::N12, fun: Some(self.fun.name.to_string()), message });
    }

    pub(super) fn show(&self, var: Var) -> String {
        format!("`{}`", Printer::of_fun(self.prog, self.fun).var(var))
    }

    pub(super) fn show_root(&self, root: Root) -> String {
        let (Root::Array(var) | Root::Cells(var)) = root;
        self.show(var)
    }
}
