//! Reductions and scans that all threads of a group do together.

use super::super::kernels::scalar_inside;
use super::super::lookback::Combine;
use crate::imp_gen::operators::elementwise::any_order;
use crate::imp_gen::operators::sweep::Sweep;
use crate::imp_gen::repr::Array;
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Elem, Exp, GroupArray, GroupExp, LoopForm, Stmt, Var as ImpVar};
use norn_ir::nest::{Reduction, Var};
use std::slice::from_ref;

impl Gen<'_> {
    /// The elements of a thread, if neighbours belong together.
    fn group_share(&mut self, width: &Exp) -> (Exp, Exp) {
        let thread = Exp::Group(GroupExp::Thread);
        let share: Exp =
            self.code.bind("share", width.clone().add(self.group_size - 1).quot(self.group_size)).into();
        let from: Exp = self.code.bind("from", thread.mul(share.clone()).min(width.clone())).into();
        let to: Exp = self.code.bind("to", from.clone().add(share).min(width.clone())).into();
        (from, to)
    }

    /// Each thread combines what is its own, then all of them; in scans each goes on from what those before it have.
    pub fn group_sweep(&mut self, arrays: &mut Vec<GroupArray>, sweep: &Sweep) {
        let scanned: usize = sweep.scans.iter().map(|op| op.neutral.len()).sum();
        let combined = sweep.combined();
        // Arrays are what scans yield, and what is kept.
        let are_arrays: Vec<Var> =
            sweep.vars[..scanned].iter().chain(&sweep.vars[combined..]).copied().collect();
        let outs = self.group_outs(&are_arrays);
        self.by_threads(&mut |this| this.sweep_by_threads(arrays, sweep, &outs));
        self.meet();
        self.bind_outs(&are_arrays, outs);
    }

    fn sweep_by_threads(&mut self, arrays: &mut Vec<GroupArray>, sweep: &Sweep, outs: &[Array]) {
        let width = self.scalar(sweep.width);
        let scanned: usize = sweep.scans.iter().map(|op| op.neutral.len()).sum();
        let combined = sweep.combined();
        let ops: Vec<&Reduction> = sweep.scans.iter().chain(sweep.reductions).collect();
        let mut accs: Vec<Vec<ImpVar>> = Vec::with_capacity(ops.len());
        let mut neutral: Vec<Vec<Exp>> = Vec::with_capacity(ops.len());
        for op in &ops {
            let values = self.neutral_of(op);
            accs.push(values.iter().map(|value| self.code.bind("acc", value.clone())).collect());
            neutral.push(values);
        }
        let any_order = ops.iter().all(|op| any_order(op));
        let mut first = |this: &mut Self, i: Exp| {
            this.guarded(&mut |this| {
                this.group_values(sweep, &i, &mut |this, values| {
                    this.group_combine(&ops, &accs, &values);
                    for (out, value) in outs[scanned..].iter().zip(&values[combined..]) {
                        this.store(out, from_ref(&i), value.clone());
                    }
                });
            });
        };
        let (from, to) = self.group_share(&width);
        if scanned == 0 && any_order {
            self.each_in_group(&width, &mut first);
        } else {
            self.each(from.clone(), to.clone(), LoopForm::Plain, &mut first);
        }
        let mut sums: Vec<Vec<ImpVar>> = Vec::with_capacity(ops.len());
        for (op, accs) in ops.iter().zip(&accs) {
            let (prims, own) = (self.prims_of(op), values_of(accs));
            sums.push(self.scan_group(arrays, Combine::Lambda(&op.lambda), &prims, &own));
        }
        let scans = sweep.scans.len();
        if scans > 0 {
            for ((op, accs), (sums, neutral)) in
                ops.iter().zip(&accs).zip(sums.iter().zip(&neutral)).take(scans)
            {
                self.group_go_on(op, accs, sums, neutral);
            }
            self.each(from, to, LoopForm::Plain, &mut |this, i| {
                this.guarded(&mut |this| {
                    this.group_values(sweep, &i, &mut |this, values| {
                        this.group_combine(&ops[..scans], &accs, &values);
                        for (out, acc) in outs.iter().zip(accs[..scans].iter().flatten()) {
                            this.store(out, from_ref(&i), Exp::Var(*acc));
                        }
                    });
                });
            });
        }
        let mut vars = sweep.vars[scanned..combined].iter();
        for (op, sums) in ops.iter().zip(&sums).skip(scans) {
            for (sums, prim) in sums.iter().zip(self.prims_of(op)) {
                let total = Exp::load(Elem::Prim(prim), *sums, self.group_size - 1);
                if let Some(var) = vars.next() {
                    self.bind_scalar(*var, total);
                }
            }
        }
    }

    /// What is combined and kept of an element.
    pub(super) fn group_values(&mut self, sweep: &Sweep, i: &Exp, with: &mut dyn FnMut(&mut Self, Vec<Exp>)) {
        let rows = self.rows_at(sweep.inputs, i);
        let Some(lambda) = sweep.lambda else {
            let values = rows.into_iter().map(|row| scalar_inside(Some(row))).collect();
            return with(self, values);
        };
        self.apply(lambda, rows, &[], &mut |this| {
            let values = lambda.body.result.iter().map(|atom| this.scalar(*atom)).collect();
            with(this, values);
        });
    }

    pub(super) fn group_combine(&mut self, ops: &[&Reduction], accs: &[Vec<ImpVar>], values: &[Exp]) {
        let mut values = values.iter().cloned();
        for (op, accs) in ops.iter().zip(accs) {
            let next: Vec<Exp> = values.by_ref().take(accs.len()).collect();
            let results = self.combined(Combine::Lambda(&op.lambda), &values_of(accs), &next);
            accs.iter().zip(results).for_each(|(acc, result)| self.code.set(*acc, result));
        }
    }

    /// The thread has what those before it have.
    fn group_go_on(&mut self, op: &Reduction, accs: &[ImpVar], sums: &[ImpVar], neutral: &[Exp]) {
        let thread = Exp::Group(GroupExp::Thread);
        let begin = accs.iter().zip(neutral).map(|(acc, value)| Stmt::Set(*acc, value.clone())).collect();
        let mut go_on = Vec::with_capacity(accs.len());
        for ((acc, sums), prim) in accs.iter().zip(sums).zip(self.prims_of(op)) {
            go_on.push(Stmt::Set(*acc, Exp::load(Elem::Prim(prim), *sums, thread.clone().sub(1))));
        }
        self.code.if_(Exp::i64(0).lt(thread), go_on, begin);
    }
}

fn values_of(vars: &[ImpVar]) -> Vec<Exp> {
    vars.iter().map(|var| Exp::Var(*var)).collect()
}
