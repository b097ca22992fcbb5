//! A group of statements that becomes a task: which statements it takes.

use super::calls::Lifted;
use super::making::TaskBuilder;
use super::operators::{JoinKind, split};
use super::rows::TaskRows;
use super::{Remade, has_cells};
use crate::nest::mentions;
use crate::nest::subst::Names;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{ArrayExp, Body, ControlExp, Exp, Lambda, Operator, Stm, Var, VarInfo};
use std::collections::{HashMap, HashSet};

pub struct TaskGroup {
    rows: TaskRows,
    members: Vec<Stm>,
    /// What depends on a scan of the group: no total of a part can, since totals come first.
    scanned: HashSet<Var>,
    /// Whether a check in it may fail.
    may_fail: bool,
}

impl TaskGroup {
    /// One that begins with this statement, if that can be split.
    pub fn begin(names: &Names, stm: &Stm, is_needed: &dyn Fn(Var) -> bool) -> Option<TaskGroup> {
        let width = match &stm.exp {
            Exp::Op(op) => op.width(),
            Exp::Control(ControlExp::Loop { .. } | ControlExp::If { .. } | ControlExp::Switch { .. }) => {
                let first = stm.vars.iter().find_map(|var| names.ty(*var).dims().first()?.atom());
                first?
            }
            Exp::Scalar(_) | Exp::Control(_) | Exp::Array(_) | Exp::Cell(_) => return None,
        };
        let (members, scanned) = (Vec::new(), HashSet::new());
        let mut group = TaskGroup { rows: TaskRows::new(width), members, scanned, may_fail: false };
        group.takes(names, stm, is_needed).then_some(group)
    }

    /// Whether the statement belongs to the group, and is in it now.
    pub fn takes(&mut self, names: &Names, stm: &Stm, is_needed: &dyn Fn(Var) -> bool) -> bool {
        let vars = &names.vars;
        let mut found = Vec::new();
        mentions::in_stm(vars, stm, &mut found);
        if found.iter().chain(&stm.vars).any(|var| has_cells(names.ty(*var))) {
            return false;
        }
        let mut rows = self.rows.clone();
        let is_member = match &stm.exp {
            Exp::Op(op) => rows.takes(vars, stm) || self.joins(vars, stm, op, &mut rows),
            Exp::Scalar(_) | Exp::Array(_) => !rows.are_outside(&found) && rows.takes(vars, stm),
            Exp::Control(_) => {
                rows.takes(vars, stm)
                    && has_kernels(stm)
                    && stm.vars.iter().all(|var| rows.made.contains(var) || !is_needed(*var))
            }
            Exp::Cell(_) => false,
        };
        if !is_member {
            return false;
        }
        let combines = stm.exp.op().and_then(Operator::combining);
        if found.iter().any(|var| self.scanned.contains(var)) {
            self.scanned.extend(&stm.vars);
        } else if let Some(op) = combines {
            let scanned = op.scans.iter().map(|op| op.neutral.len()).sum();
            self.scanned.extend(&stm.vars[..scanned]);
        }
        self.rows = rows;
        self.may_fail |= has_checks(stm);
        self.members.push(stm.clone());
        true
    }

    /// Whether what the operator yields can be joined. What this is, the group knows then.
    fn joins(&self, vars: &[VarInfo], stm: &Stm, op: &Operator, rows: &mut TaskRows) -> bool {
        if stm.grid.is_none() || !self.rows.takes_inputs(vars, stm, op) {
            return false;
        }
        let Some(joined) = split(vars, &self.rows, stm, op) else { return false };
        let scans = op.combining().is_some_and(|op| !op.scans.is_empty());
        if scans && op.inputs().iter().any(|input| self.scanned.contains(input)) {
            return false;
        }
        for (var, joined) in stm.vars.iter().zip(joined) {
            match joined {
                JoinKind::Rows => rows.made.insert(*var),
                JoinKind::AtTheEnd => rows.joined.insert(*var),
            };
        }
        true
    }

    /// Whether the statement can come before the group, although it stands behind: it needs nothing of it, overwrites nothing, reads no element and does not fail.
    pub fn is_apart_from(&self, names: &Names, stm: &Stm) -> bool {
        let mut found = Vec::new();
        mentions::in_stm(&names.vars, stm, &mut found);
        let is_scalar = |var: &Var| names.ty(*var).is_scalar();
        let is_quick = match &stm.exp {
            Exp::Scalar(_) => true,
            Exp::Array(exp) => match exp {
                ArrayExp::Index { .. } => !stm.vars.iter().any(is_scalar),
                ArrayExp::Range { .. }
                | ArrayExp::Replicate { .. }
                | ArrayExp::Reshape { .. }
                | ArrayExp::Rearrange { .. }
                | ArrayExp::Coerce { .. }
                | ArrayExp::FlatIndex { .. } => true,
                ArrayExp::ArrayLit(_)
                | ArrayExp::Update { .. }
                | ArrayExp::Concat { .. }
                | ArrayExp::Copy(_)
                | ArrayExp::FlatUpdate { .. }
                | ArrayExp::Lengths(_)
                | ArrayExp::Ends(_)
                | ArrayExp::JoinRows(_)
                | ArrayExp::Segment { .. }
                | ArrayExp::AccWrite { .. } => false,
            },
            Exp::Control(ControlExp::Check(_)) => !self.may_fail,
            Exp::Control(_) | Exp::Cell(_) | Exp::Op(_) => false,
        };
        is_quick && self.rows.are_outside(&found)
    }

    /// The task, with what comes before and after it.
    pub fn close(
        self,
        names: &mut Names,
        remade: &HashMap<Var, Remade>,
        lifted: &Lifted,
        is_needed: &dyn Fn(Var) -> bool,
        out: &mut Vec<Stm>,
    ) {
        let mut making = TaskBuilder::new(names, remade, lifted, self.rows.width, &self.members);
        (0..self.members.len()).for_each(|at| making.member(at));
        let made = self.members.iter().flat_map(|stm| &stm.vars);
        let mut rows: Vec<Var> = made.copied().filter(|var| self.rows.made.contains(var)).collect();
        let spare = rows.last().copied();
        rows.retain(|var| is_needed(*var));
        // A task yields something, if it is only because a check in it may fail.
        if rows.is_empty() && making.is_empty() {
            rows.extend(spare);
        }
        rows.into_iter().for_each(|var| making.rows(var));
        making.finish(out);
    }
}

fn has_kernels(stm: &Stm) -> bool {
    let mut has = stm.grid.is_some();
    stm.for_each_part(&mut |part| {
        if let Part::Body(body) = part {
            has |= body.stms.iter().any(has_kernels);
        }
    });
    has
}

fn has_checks(stm: &Stm) -> bool {
    let inside = |body: &Body| body.stms.iter().any(has_checks);
    let of_lambda = |lambda: &Lambda| inside(&lambda.body);
    let mut has = matches!(stm.exp, Exp::Control(ControlExp::Check(_) | ControlExp::Call { .. }));
    stm.for_each_part(&mut |part| match part {
        Part::Body(body) => has |= inside(body),
        Part::Lambda(lambda) => has |= of_lambda(lambda),
        Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
    });
    has
}
