//! A group of statements that becomes a task: which statements it takes, and the task.

use super::hist::Bins;
use super::operators::{self, Joined, split};
use super::part::{Part as TaskPart, Parts, lengths_and_elements};
use super::rows::Rows;
use super::{Remade, windows};
use crate::nest::mentions;
use crate::nest::subst::Names;
use norn_ir::nest::task::{Carry, Join, Task};
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, Elem, Exp, Lambda, Operator, Reduction, Stm, Type, Var, VarInfo,
};
use std::collections::{HashMap, HashSet};

pub struct Group {
    rows: Rows,
    members: Vec<Stm>,
    /// What depends on a scan of the group: no total of a part can, since totals come first.
    scanned: HashSet<Var>,
    /// Whether a check in it may fail.
    may_fail: bool,
}

impl Group {
    /// One that begins with this statement, if that can be split.
    pub fn begin(names: &Names, stm: &Stm, is_needed: &dyn Fn(Var) -> bool) -> Option<Group> {
        let width = match &stm.exp {
            Exp::Op(op) => op.width(),
            Exp::Control(ControlExp::Loop { .. } | ControlExp::If { .. } | ControlExp::Switch { .. }) => {
                let first = stm.vars.iter().find_map(|var| names.ty(*var).dims().first()?.atom());
                first?
            }
            Exp::Scalar(_) | Exp::Control(_) | Exp::Array(_) | Exp::Cell(_) => return None,
        };
        let (members, scanned) = (Vec::new(), HashSet::new());
        let mut group = Group { rows: Rows::new(width), members, scanned, may_fail: false };
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
    fn joins(&self, vars: &[VarInfo], stm: &Stm, op: &Operator, rows: &mut Rows) -> bool {
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
                Joined::Rows => rows.made.insert(*var),
                Joined::AtTheEnd => rows.joined.insert(*var),
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
        is_needed: &dyn Fn(Var) -> bool,
        out: &mut Vec<Stm>,
    ) {
        let width = self.rows.width;
        let span = self.members[0].span;
        let windows = windows::windows(names, remade, &self.members);
        let mut all = Parts::new(remade, windows, span);
        let mut main = all.begin(names);
        let (mut totals, mut carried) = (Vec::new(), Vec::new());
        let (mut results, mut bound, mut joins) = (Vec::new(), Vec::new(), Vec::new());
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (at, stm) in self.members.iter().enumerate() {
            let copy = match &stm.exp {
                Exp::Op(op @ Operator::Hist { .. }) => {
                    let bins = Bins::new(names, stm, op);
                    main.hist(&mut all, names, stm, &bins);
                    bins.join(names, remade, &mut before, &mut after, &mut bound, &mut joins);
                    results.extend(stm.vars.iter().map(|var| main.atom(*var)));
                    continue;
                }
                _ => main.member(&mut all, names, stm),
            };
            match stm.exp.op() {
                Some(Operator::Filter { .. }) => {
                    results.extend(copy.iter().map(|var| Atom::Var(*var)));
                    bound.extend(&stm.vars);
                    joins.push(Join::Kept(stm.vars.len() - 1));
                }
                Some(Operator::Partition { .. }) => {
                    let halves = main.halves(names, &copy);
                    results.extend(halves.iter().flatten().map(|var| Atom::Var(*var)));
                    operators::both_halves(names, width, stm, &mut bound, &mut after);
                    joins.extend([Join::Kept(copy.len() - 1), Join::Kept(copy.len() - 1)]);
                }
                Some(op) if op.combining().is_some() => {
                    let op = op.combining().expect("it was asked before");
                    let mut vars = &stm.vars[..];
                    for scan in op.scans {
                        let (these, rest) = vars.split_at(scan.neutral.len());
                        totals.push((self.total(&mut all, names, at, scan), scan));
                        let before = carried_by(names, scan);
                        main.go_on(names, stm, these, scan, &before);
                        carried.extend(before);
                        vars = rest;
                    }
                    for op in op.reductions {
                        let (these, rest) = vars.split_at(op.neutral.len());
                        bound.extend(these);
                        results.extend(these.iter().map(|var| main.atom(*var)));
                        let lambda = names.copy_lambda(&op.lambda);
                        joins.push(Join::Partial(Reduction { lambda, ..op.clone() }));
                        vars = rest;
                    }
                }
                _ => {}
            }
        }
        // Rows that somebody needs, or some, so that the task yields something.
        let members = self.members.iter().flat_map(|stm| &stm.vars);
        let mut rows: Vec<Var> = members.copied().filter(|var| self.rows.made.contains(var)).collect();
        let spare = rows.last().copied();
        rows.retain(|var| is_needed(*var));
        if rows.is_empty() && bound.is_empty() {
            rows.extend(spare);
        }
        for var in rows {
            let found = main.atom(var);
            if let Some(found) = found.var().filter(|found| names.ty(*found).has_irregular_rows()) {
                results.extend(main.lengths_and_elements(names, found).map(Atom::Var));
                let [lengths, total, elements] = lengths_and_elements(names, var, width);
                bound.extend([lengths, total, elements]);
                joins.extend([Join::Rows, Join::Kept(1)]);
                after.push(Stm::new(vec![var], Exp::segment(lengths, elements), span));
                continue;
            }
            results.push(found);
            bound.push(var);
            joins.push(Join::Rows);
        }
        let lambda = all.lambda(names, main, &carried, results);
        let mut carries = Vec::new();
        for ((part, total), scan) in totals {
            let total = all.lambda(names, part, &[], total.into_iter().map(Atom::Var).collect());
            let lambda = names.copy_lambda(&scan.lambda);
            carries.push(Carry { total, op: Reduction { lambda, ..scan.clone() } });
        }
        let (inputs, windows) = all.operands();
        let task = Task { width, inputs, windows, carries, lambda, joins };
        let mut certs: Vec<Var> = self.members.iter().flat_map(|stm| stm.certs.iter().copied()).collect();
        certs.sort_unstable();
        certs.dedup();
        out.extend(before);
        out.push(Stm { certs, ..Stm::new(bound, Exp::Op(Operator::Task(Box::new(task))), span) });
        out.extend(after);
    }

    /// The total of a scan for a part. It needs those members that make the scan's inputs.
    fn total(&self, all: &mut Parts, names: &mut Names, at: usize, scan: &Reduction) -> (TaskPart, Vec<Var>) {
        let stm = &self.members[at];
        let op = stm.exp.op().and_then(Operator::combining).expect("a scan combines");
        let mut part = all.begin(names);
        let mut wanted = op.inputs.to_vec();
        let members = mentions::needed(&names.vars, &self.members[..at], &mut wanted);
        members.iter().for_each(|stm| _ = part.member(all, names, stm));
        let total = operators::total(names, stm, &op, scan);
        let copy = part.member(all, names, &total);
        (part, copy)
    }
}

/// What the parts before yield together.
fn carried_by(names: &mut Names, scan: &Reduction) -> Vec<Var> {
    let columns = &scan.lambda.params[..scan.neutral.len()];
    let types: Vec<Type> = columns.iter().map(|var| names.ty(*var).clone()).collect();
    types.into_iter().map(|ty| names.fresh("before", ty)).collect()
}

/// Cells are in one region, which is on one device.
fn has_cells(ty: &Type) -> bool {
    *ty == Type::Region || matches!(ty.elem(), Some(Elem::Ref(..)))
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
