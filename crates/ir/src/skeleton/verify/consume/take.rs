//! Consuming and using variables: where violations are found.

use super::Walk;
use super::alias::Root;
use crate::skeleton::{Atom, Var};

impl Walk<'_> {
    /// Consume some of the operands of a statement. None of the others may share memory with them.
    pub(super) fn consume_some(&mut self, consumed: &[Var], operands: &[Var]) {
        for (i, var) in consumed.iter().enumerate() {
            let memory = self.memory[var.0 as usize].clone();
            let twice = consumed[..i].contains(var);
            let clash =
                |other: &&Var| **other != *var && memory.clash(&self.memory[other.0 as usize]).is_some();
            if let Some(other) = operands.iter().find(clash) {
                let (name, other) = (self.show(*var), self.show(*other));
                self.fail(format!(
                    "{name} is consumed by a statement that also uses {other}, which shares its memory."
                ));
            } else if (twice || operands.iter().filter(|other| *other == var).count() > 1)
                && !memory.own.is_empty()
            {
                let name = self.show(*var);
                self.fail(format!("{name} is consumed by a statement that uses it a second time."));
            }
        }
        consumed.iter().for_each(|var| self.consume(*var));
    }

    fn consume(&mut self, var: Var) {
        for root in self.memory[var.0 as usize].own.clone() {
            if self.is_frozen(root) {
                let (name, root) = (self.show(var), self.show_root(root));
                self.fail(format!(
                    "{name} is consumed, but {root}, whose memory it shares, may not be overwritten."
                ));
            } else if self.born(root) < self.barrier {
                let (name, root) = (self.show(var), self.show_root(root));
                self.fail(format!("{name} is consumed in a lambda or loop that {root}, whose memory it shares, is bound outside of."));
            } else if let Root::Array(root) = root {
                self.mark_consumed(root);
            }
        }
    }

    pub(super) fn mark_consumed(&mut self, root: Var) {
        if !std::mem::replace(&mut self.consumed[root.0 as usize], true) {
            self.trail.push(root);
        }
    }

    pub(super) fn use_atom(&mut self, atom: Atom) {
        if let Atom::Var(var) = atom {
            self.use_var(var);
        }
    }

    pub(super) fn use_var(&mut self, var: Var) {
        let memory = &self.memory[var.0 as usize];
        let gone = memory.own.iter().chain(&memory.held).find_map(|root| match root {
            Root::Array(root) if self.consumed[root.0 as usize] => Some(*root),
            Root::Array(_) | Root::Cells(_) => None,
        });
        if let Some(root) = gone {
            let (name, root) = (self.show(var), self.show(root));
            self.fail(format!("{name} is used after the memory of {root}, which it shares, was consumed."));
        }
    }
}
