//! That variables are assigned on every way to their uses: I2, and for the variables of independent loops I5.
//!
//! Forward over the statements. Where ways meet, a variable counts as assigned if it is on all of them. Code behind a
//! `Fail` is never reached, so there everything counts as assigned. In a loop the first iteration is the one that matters, since
//! later ones have more. In an independent loop what its body assigns counts as not assigned at the start of each
//! iteration, and again after the loop.

use super::{Checker, Rule};
use crate::imp::walk::{Part, assigned};
use crate::imp::{Block, Exp, GroupStmt, LoopForm, Stmt, Var};

/// How a variable stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// Not assigned, on some way.
    Unassigned,
    /// What it had belongs to an iteration of an independent loop.
    Lost,
    Assigned,
}

impl Checker<'_> {
    pub(super) fn flow(&mut self, params: &[Var], body: &Block, results: &[Exp]) {
        let mut flow = Flow { vars: vec![Standing::Unassigned; self.vars.len()], wrong: Vec::new() };
        params.iter().for_each(|param| flow.set(*param, Standing::Assigned));
        flow.block(body);
        results.iter().for_each(|exp| flow.exp(exp));
        for (var, standing) in flow.wrong {
            let name = self.show_var(var);
            match standing {
                Standing::Unassigned => {
                    self.fail(Rule::I2, format!("{name} may be used before it is assigned."))
                }
                Standing::Lost => {
                    let message =
                        format!("{name} is used with what an iteration of an independent loop left in it.");
                    self.fail(Rule::I5, message);
                }
                Standing::Assigned => {}
            }
        }
    }
}

struct Flow {
    vars: Vec<Standing>,
    /// Each variable that is not assigned where it is used, once.
    wrong: Vec<(Var, Standing)>,
}

impl Flow {
    fn set(&mut self, var: Var, standing: Standing) {
        // One that does not exist is reported elsewhere.
        if let Some(known) = self.vars.get_mut(var.0 as usize) {
            *known = standing;
        }
    }

    fn exp(&mut self, exp: &Exp) {
        exp.for_each_var(&mut |var| self.use_var(var));
    }

    fn use_var(&mut self, var: Var) {
        match self.vars.get(var.0 as usize) {
            Some(Standing::Assigned) | None => {}
            Some(standing @ (Standing::Unassigned | Standing::Lost)) => {
                self.wrong.push((var, *standing));
                self.set(var, Standing::Assigned);
            }
        }
    }

    fn block(&mut self, block: &Block) {
        block.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::If { cond, then, els } => {
                self.exp(cond);
                self.branches(&[then, els]);
            }
            Stmt::Switch { scrutinee, cases, default } => {
                self.exp(scrutinee);
                let mut blocks: Vec<&Block> = cases.iter().map(|(_, block)| block).collect();
                blocks.push(default);
                self.branches(&blocks);
            }
            Stmt::For { var, from, to, form, body } => {
                self.exp(from);
                self.exp(to);
                self.for_loop(*var, form, body);
            }
            Stmt::While { before, cond, body } => {
                self.block(before);
                self.exp(cond);
                let after = self.vars.clone();
                self.block(body);
                self.vars = after;
            }
            Stmt::Fail { site: _, operands } => {
                operands.iter().for_each(|operand| self.exp(operand));
                self.vars.fill(Standing::Assigned);
            }
            // Where a thread leaves it, what is assigned in it is anything.
            Stmt::Group(GroupStmt::Guard(block)) => self.block(block),
            Stmt::Set(..)
            | Stmt::Store { .. }
            | Stmt::StoreLanes { .. }
            | Stmt::Scatter { .. }
            | Stmt::Copy { .. }
            | Stmt::Alloc { .. }
            | Stmt::Retain(_)
            | Stmt::Release(_)
            | Stmt::RegionNew(_)
            | Stmt::RegionEnd(_)
            | Stmt::CellNew { .. }
            | Stmt::Show { .. }
            | Stmt::Call { .. }
            | Stmt::Const { .. }
            | Stmt::Launch { .. }
            | Stmt::Await { .. }
            | Stmt::Signal { .. }
            | Stmt::Group(_)
            | Stmt::Device(_) => {
                let mut set = Vec::new();
                stmt.for_each_part(&mut |part| match part {
                    Part::Exp(exp) => self.exp(exp),
                    Part::Assigned(var) => set.push(var),
                    Part::Block(_) | Part::Accumulator(_) => {}
                });
                set.into_iter().for_each(|var| self.set(var, Standing::Assigned));
            }
        }
    }

    fn branches(&mut self, blocks: &[&Block]) {
        let before = self.vars.clone();
        let mut after = vec![Standing::Assigned; before.len()];
        for block in blocks {
            self.vars.clone_from(&before);
            self.block(block);
            for (after, now) in after.iter_mut().zip(&self.vars) {
                *after = (*after).min(*now);
            }
        }
        self.vars = after;
    }

    fn for_loop(&mut self, var: Var, form: &LoopForm, body: &Block) {
        let own = match form {
            LoopForm::Plain => Vec::new(),
            LoopForm::Independent => assigned(body),
            LoopForm::Reduce(accs) => {
                accs.iter().for_each(|acc| self.use_var(acc.var));
                let mut vars = assigned(body);
                vars.retain(|var| !accs.iter().any(|acc| acc.var == *var));
                vars
            }
        };
        for var in own {
            if self.vars.get(var.0 as usize) == Some(&Standing::Assigned) {
                self.set(var, Standing::Lost);
            }
        }
        let after = self.vars.clone();
        self.set(var, Standing::Assigned);
        self.block(body);
        self.vars = after;
        // It counts on while the loop runs, and may not have been assigned at all.
        self.set(var, Standing::Unassigned);
    }
}
