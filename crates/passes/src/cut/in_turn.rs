//! Parts one after the other: each goes on with what the parts before have yielded.
//!
//! Rows of a part are copied into the rows of one array, what is kept is copied behind what was, carries are chained, numbers that are partial are collected in an array and reduced by one
//! more kernel, and arrays that are partial are combined from part to part. So the device of a part waits for those of the parts before, if it needs something of them.

use super::parts::Parts;
use super::{Division, TaskResults};
use crate::nest::subst::Names;
use norn_ir::nest::task::{Join, Task};
use norn_ir::nest::{Atom, Exp, Param, Reduction, Stm, Type, Var};

/// What follows when all parts are done.
pub(super) fn task(
    names: &mut Names,
    out: &mut Vec<Stm>,
    task: &Task,
    division: &Division,
    made: TaskResults,
) -> Vec<Stm> {
    let TaskResults { mut vars, certs, span } = made;
    let part = names.fresh("part", Type::i64());
    let mut stms = Vec::new();
    let rows = division.part(names, &mut stms, part, span);
    let mut these = Parts::begin(part, rows, stms, span);
    these.carries(names, task);
    let carried = task.carries.iter().map(|carry| carry.op.neutral.len()).sum();
    let results = these.portion(names, task, task.lambda.clone(), carried);
    let mut results = &results[..];
    for join in &task.joins {
        let (bound, rest) = vars.split_at(join.results());
        let (found, others) = results.split_at(join.results());
        match join {
            Join::Rows => these.rows(names, out, bound[0], found[0]),
            Join::Kept(_) => these.kept_behind(names, out, bound, found, &[]),
            Join::Partial(op) => match bound.iter().all(|var| names.ty(*var).is_scalar()) {
                true => these.reduced(names, out, division.parts, op, bound, found),
                false => these.combined(names, op, bound, found),
            },
        }
        (vars, results) = (rest, others);
    }
    let (stm, after) = these.finish(division.parts.into(), certs, &[]);
    out.push(stm);
    after
}

impl Parts {
    /// Carries are chained: each part computes the next one from its own. The task's lambda gets what the parts before yield.
    fn carries(&mut self, names: &mut Names, task: &Task) {
        let mut known = task.lambda.params[2..].iter();
        for carry in &task.carries {
            let width = carry.op.neutral.len();
            let before: Vec<Var> = names.like(&carry.op.lambda.params[..width]);
            for (var, neutral) in before.iter().zip(&carry.op.neutral) {
                self.params.push((Param::plain(*var), *neutral));
            }
            let total = self.portion(names, task, carry.total.clone(), 0);
            let before: Vec<Atom> = before.into_iter().map(Atom::Var).collect();
            let next = self.apply(&carry.op.lambda, &[&before[..], &total].concat());
            self.next.extend(next);
            let unused = names.like(&carry.op.lambda.params[..width]);
            self.bound.extend(unused);
            before
                .into_iter()
                .zip(&mut known)
                .for_each(|(before, known)| self.bind(*known, Exp::atom(before)));
        }
    }

    /// Arrays of parts are combined with those before.
    fn combined(&mut self, names: &mut Names, op: &Reduction, vars: &[Var], part: &[Atom]) {
        let before = names.like(vars);
        for (var, neutral) in before.iter().zip(&op.neutral) {
            self.params.push((Param::plain(*var), *neutral));
        }
        let before: Vec<Atom> = before.into_iter().map(Atom::Var).collect();
        let next = self.apply(&op.lambda, &[&before[..], part].concat());
        self.next.extend(next);
        self.bound.extend(vars);
    }
}
