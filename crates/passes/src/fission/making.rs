//! The task of a group in the making: its lambdas, how its results are joined, and what the host does before and after it.

use super::calls::Lifted;
use super::hist::Bins;
use super::part::{Part, Parts, lengths_and_elements};
use super::{Remade, operators, windows};
use crate::imp_gen::joined;
use crate::nest::mentions;
use crate::nest::subst::Names;
use norn_base::Span;
use norn_ir::nest::task::{Carry, Join, Task};
use norn_ir::nest::{Atom, Combining, Exp, Operator, Reduction, Stm, Type, Var};
use std::collections::HashMap;

pub struct TaskBuilder<'a> {
    names: &'a mut Names,
    remade: &'a HashMap<Var, Remade>,
    width: Atom,
    members: &'a [Stm],
    span: Span,
    all: Parts<'a>,
    /// The lambda of the task.
    main: Part,
    /// Of scans that share a carry the lambda of their totals, what that yields, and what combines it.
    totals: Vec<(Part, Vec<Var>, Reduction)>,
    carried: Vec<Var>,
    /// What the lambda yields, what the task binds, and how one becomes the other.
    results: Vec<Atom>,
    bound: Vec<Var>,
    joins: Vec<Join>,
    before: Vec<Stm>,
    after: Vec<Stm>,
}

impl<'a> TaskBuilder<'a> {
    pub fn new(
        names: &'a mut Names,
        remade: &'a HashMap<Var, Remade>,
        lifted: &'a Lifted,
        width: Atom,
        members: &'a [Stm],
    ) -> TaskBuilder<'a> {
        let span = members[0].span;
        let windows = windows::windows(names, remade, members);
        let all = Parts::new(remade, lifted, windows, span);
        let main = all.begin(names);
        TaskBuilder {
            names,
            remade,
            width,
            members,
            span,
            all,
            main,
            totals: Vec::new(),
            carried: Vec::new(),
            results: Vec::new(),
            bound: Vec::new(),
            joins: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
        }
    }

    /// Whether nothing is joined yet.
    pub fn is_empty(&self) -> bool {
        self.joins.is_empty()
    }

    /// The next member, with what of its results no part knows.
    pub fn member(&mut self, at: usize) {
        let stm = &self.members[at];
        if let Exp::Op(op @ Operator::Hist { .. }) = &stm.exp {
            return self.hist(stm, op);
        }
        let copy = self.main.member(&mut self.all, self.names, stm);
        match stm.exp.op() {
            Some(Operator::Filter { .. }) => {
                self.results.extend(copy.into_iter().map(Atom::Var));
                self.bound.extend(&stm.vars);
                self.joins.push(Join::Kept(stm.vars.len() - 1));
            }
            Some(Operator::Partition { .. }) => {
                let halves = self.main.halves(self.names, &copy);
                self.results.extend(halves.into_iter().flatten().map(Atom::Var));
                operators::both_halves(self.names, self.width, stm, &mut self.bound, &mut self.after);
                self.joins.extend([Join::Kept(copy.len() - 1), Join::Kept(copy.len() - 1)]);
            }
            Some(op) => op.combining().into_iter().for_each(|op| self.combining(at, &op)),
            None => {}
        }
    }

    fn hist(&mut self, stm: &'a Stm, op: &'a Operator) {
        let bins = Bins::new(self.names, stm, op);
        self.main.hist(&mut self.all, self.names, stm, &bins);
        let TaskBuilder { names, remade, before, after, bound, joins, .. } = self;
        bins.join(names, remade, before, after, bound, joins);
        self.results.extend(stm.vars.iter().map(|var| self.main.atom(*var)));
    }

    /// Scans go on with a carry, and what is reduced is partial.
    fn combining(&mut self, at: usize, op: &Combining<'a>) {
        let stm = &self.members[at];
        let mut vars = &stm.vars[..];
        let mut scans = Vec::with_capacity(op.scans.len());
        for scan in op.scans {
            let (these, rest) = vars.split_at(scan.neutral.len());
            scans.push((scan, these));
            vars = rest;
        }
        for scans in operators::with_one_carry(&self.names.vars, scans) {
            let ops: Vec<&Reduction> = scans.iter().map(|(scan, _)| *scan).collect();
            let (part, total) = self.total(at, op, &ops);
            let copies = ops
                .iter()
                .map(|op| Reduction { lambda: self.names.copy_lambda(&op.lambda), ..(*op).clone() });
            let all = joined(&copies.collect::<Vec<Reduction>>());
            let before = carried_by(self.names, &all);
            let these: Vec<Var> = scans.iter().flat_map(|(_, these)| these.iter().copied()).collect();
            self.main.go_on(self.names, stm, &these, &all, &before);
            self.carried.extend(before);
            self.totals.push((part, total, all));
        }
        for op in op.reductions {
            let (these, rest) = vars.split_at(op.neutral.len());
            self.bound.extend(these);
            self.results.extend(these.iter().map(|var| self.main.atom(*var)));
            let lambda = self.names.copy_lambda(&op.lambda);
            self.joins.push(Join::Partial(Reduction { lambda, ..op.clone() }));
            vars = rest;
        }
    }

    /// The totals of scans for a part. They need those members that make the inputs of the scans.
    fn total(&mut self, at: usize, op: &Combining, scans: &[&Reduction]) -> (Part, Vec<Var>) {
        let mut part = self.all.begin(self.names);
        let mut live = op.inputs.to_vec();
        let members = mentions::needed(&self.names.vars, &self.members[..at], &mut live);
        members.iter().for_each(|stm| _ = part.member(&mut self.all, self.names, stm));
        let total = operators::total(self.names, &self.members[at], op, scans);
        let copy = part.member(&mut self.all, self.names, &total);
        (part, copy)
    }

    /// Rows that somebody needs.
    pub fn rows(&mut self, var: Var) {
        let found = self.main.atom(var);
        match found.var().filter(|found| self.names.ty(*found).has_irregular_rows()) {
            Some(found) => {
                let parts = self.main.lengths_and_elements(self.names, found);
                self.results.extend(parts.map(Atom::Var));
                let [lengths, total, elements] = lengths_and_elements(self.names, var, self.width);
                self.bound.extend([lengths, total, elements]);
                self.joins.extend([Join::Rows, Join::Kept(1)]);
                self.after.push(Stm::new(vec![var], Exp::segment(lengths, elements), self.span));
            }
            None => {
                self.results.push(found);
                self.bound.push(var);
                self.joins.push(Join::Rows);
            }
        }
    }

    pub fn finish(self, out: &mut Vec<Stm>) {
        let TaskBuilder { names, all, width, joins, .. } = self;
        let lambda = all.lambda(names, self.main, &self.carried, self.results);
        let mut carries = Vec::new();
        for (part, total, op) in self.totals {
            let total = all.lambda(names, part, &[], total.into_iter().map(Atom::Var).collect());
            carries.push(Carry { total, op });
        }
        let (inputs, windows) = all.operands();
        let task = Task { width, inputs, windows, carries, lambda, joins };
        let mut certs: Vec<Var> = self.members.iter().flat_map(|stm| stm.certs.iter().copied()).collect();
        certs.sort_unstable();
        certs.dedup();
        out.extend(self.before);
        let exp = Exp::Op(Operator::Task(Box::new(task)));
        out.push(Stm { certs, ..Stm::new(self.bound, exp, self.span) });
        out.extend(self.after);
    }
}

/// What the parts before yield together.
fn carried_by(names: &mut Names, scan: &Reduction) -> Vec<Var> {
    let columns = &scan.lambda.params[..scan.neutral.len()];
    let types: Vec<Type> = columns.iter().map(|var| names.ty(*var).clone()).collect();
    types.into_iter().map(|ty| names.fresh("before", ty)).collect()
}
