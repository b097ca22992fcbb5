//! Maps whose elements are done by groups of threads: what is made of a row stays in the memory that the group shares.
//!
//! ```text
//! grid map n (xss) \(xs: [m]f32) {
//!   let s: f32 = grid reduce m (xs) ..              all threads of the group, and then each has the sum
//!   let ys: [m]f32 = grid map m (xs) \x { .. s .. } in shared memory
//!   let zs: [m]f32 = grid scan m (ys) ..            in the result
//!   in zs
//! }
//! ```
//!
//! Whatever is no operator every thread does for itself. Rows are at most `ROW` long, which a test has made sure of.

use super::GROUP;
use super::kernel::Kernel;
use super::kernels::{array_inside, scalar_inside};
use super::lookback::Combine;
use crate::imp_gen::operators::accs::lent;
use crate::imp_gen::operators::elementwise::any_order;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::operators::sweep::Sweep;
use crate::imp_gen::repr::{Array, Part, Repr, prim_of};
use crate::imp_gen::state::Gen;
use crate::imp_gen::views::At;
use norn_ir::imp::{Elem, Exp, GroupArray, GroupExp, LoopForm, Prim, Stmt, Var as ImpVar};
use norn_ir::nest::{Atom, Operator, Reduction, Var};
use std::slice::from_ref;

/// Rows of more elements are not held in shared memory.
pub const ROW: i64 = 1024;

impl Gen<'_> {
    pub fn device_groups(&mut self, vars: &[Var], kernel: &Kernel, grid: &Grid) {
        let width = self.extent(kernel.points[0].extent);
        let outs = self.nest_outs(vars, from_ref(&width));
        let mut extra: Vec<Repr> = outs.iter().cloned().map(Repr::Array).collect();
        extra.push(Repr::Scalar(width.clone()));
        let groups = self.code.atom("groups", width.min(1 << 30));
        self.launch_groups("rows", &grid.captured, &extra, groups, &mut |this, arrays, mut given| {
            let width = scalar_inside(given.pop());
            let outs: Vec<Array> = given.into_iter().map(array_inside).collect();
            this.each_by_groups("row", Exp::i64(1), &width, &mut |this, row| {
                this.group_row(arrays, kernel, &outs, row);
                // The next row is made in the same memory.
                this.barrier();
            });
        });
        for (var, out) in vars.iter().zip(outs) {
            self.bind(*var, Repr::Array(out));
        }
    }

    fn group_row(&mut self, arrays: &mut Vec<GroupArray>, kernel: &Kernel, outs: &[Array], row: Exp) {
        let body = &kernel.body;
        let results = &body.result;
        let mut places: Vec<Option<Array>> = Vec::with_capacity(outs.len());
        for out in outs {
            let row = (out.rank() > 1).then(|| self.part_of(out, &[At::Fix(row.clone())]).pop());
            places.push(row.flatten().map(|row| lent(&array_inside(row))));
        }
        self.env.insert(kernel.points[0].var, Repr::Scalar(row.clone()));
        self.owners.enter(body);
        // Results that are where they belong already.
        let mut placed: Vec<usize> = Vec::new();
        for (at, stm) in body.stms.iter().enumerate() {
            self.owners.begin_statement(at);
            let (Some(op), Some(_)) = (stm.exp.op(), stm.grid) else {
                self.exp(&stm.vars, &stm.exp, None);
                continue;
            };
            let mut own: Vec<Option<Array>> = Vec::with_capacity(stm.vars.len());
            for var in &stm.vars {
                let at = results.iter().position(|result| *result == Atom::Var(*var));
                placed.extend(at);
                own.push(at.and_then(|at| places[at].clone()));
            }
            self.group_operator(arrays, &stm.vars, op, &own);
        }
        for (at, (out, result)) in outs.iter().zip(results).enumerate() {
            match (&places[at], self.value(*result)) {
                (Some(place), Repr::Array(array)) if !placed.contains(&at) => self.group_copy(place, &array),
                (Some(_), _) => {}
                (None, value) => {
                    self.code.open();
                    self.store(out, from_ref(&row), scalar_inside(Some(value)));
                    let block = self.code.close();
                    self.code.when(Exp::Group(GroupExp::Thread).eq(0), block);
                }
            }
        }
        self.end_body();
    }

    /// An operator by all threads of the group. Arrays that it yields are made at these places, or else in shared memory.
    fn group_operator(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        vars: &[Var],
        op: &Operator,
        places: &[Option<Array>],
    ) {
        match op {
            Operator::Map { width, inputs, lambda } => {
                let width = self.scalar(*width);
                let outs = self.group_outs(arrays, vars, &width, places);
                self.each_in_group(&width, &mut |this, i| {
                    this.guarded(&mut |this| {
                        let rows = this.rows_at(inputs, &i);
                        this.apply(lambda, rows, &[], &mut |this| {
                            for (out, result) in outs.iter().zip(&lambda.body.result) {
                                let value = this.scalar(*result);
                                this.store(out, from_ref(&i), value);
                            }
                        });
                    });
                });
                self.bind_outs(vars, outs);
            }
            Operator::Reduce { width, op, inputs } => {
                let (scans, reductions) = (&[][..], from_ref(op));
                let sweep =
                    Sweep { name: "reduce", width: *width, inputs, lambda: None, scans, reductions, vars };
                self.group_sweep(arrays, &sweep, places);
            }
            Operator::Scan { width, op, inputs } => {
                let (scans, reductions) = (from_ref(op), &[][..]);
                let sweep =
                    Sweep { name: "scan", width: *width, inputs, lambda: None, scans, reductions, vars };
                self.group_sweep(arrays, &sweep, places);
            }
            Operator::Fused { width, inputs, lambda, scans, reductions } => {
                let lambda = Some(lambda);
                let sweep = Sweep { name: "fused", width: *width, inputs, lambda, scans, reductions, vars };
                self.group_sweep(arrays, &sweep, places);
            }
            _ => panic!("imp_gen: a group of threads cannot do this operator in {}", self.fun.name),
        }
        self.barrier();
    }

    fn group_outs(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        vars: &[Var],
        width: &Exp,
        places: &[Option<Array>],
    ) -> Vec<Array> {
        let mut outs = Vec::with_capacity(vars.len());
        for (var, place) in vars.iter().zip(places) {
            outs.push(match place {
                Some(place) => place.clone(),
                None => {
                    let prim = prim_of(self.ty(*var).elem().expect("imp_gen: an output of no values"));
                    self.in_shared_memory(arrays, self.name(*var), prim, ROW, width)
                }
            });
        }
        outs
    }

    /// An array of so many elements, for which there is this room.
    fn in_shared_memory(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        name: &str,
        prim: Prim,
        room: i64,
        size: &Exp,
    ) -> Array {
        let shared = self.shared_array(arrays, name, prim, room);
        self.row_major(prim, from_ref(size), Part::lent(shared.into()))
    }

    fn bind_outs(&mut self, vars: &[Var], outs: Vec<Array>) {
        for (var, out) in vars.iter().zip(outs) {
            self.bind(*var, Repr::Array(out));
        }
    }

    /// The elements of a thread, if neighbours belong together.
    fn group_share(&mut self, width: &Exp) -> (Exp, Exp) {
        let thread = Exp::Group(GroupExp::Thread);
        let share: Exp = self.code.bind("share", width.clone().add(GROUP - 1).quot(GROUP)).into();
        let from: Exp = self.code.bind("from", thread.mul(share.clone()).min(width.clone())).into();
        let to: Exp = self.code.bind("to", from.clone().add(share).min(width.clone())).into();
        (from, to)
    }

    /// Each thread combines what is its own, then all of them; in scans each goes on from what those before it have.
    fn group_sweep(&mut self, arrays: &mut Vec<GroupArray>, sweep: &Sweep, places: &[Option<Array>]) {
        let width = self.scalar(sweep.width);
        let scanned: usize = sweep.scans.iter().map(|op| op.neutral.len()).sum();
        let combined = sweep.combined();
        // Arrays are what scans yield, and what is kept.
        let mut outs = self.group_outs(arrays, &sweep.vars[..scanned], &width, &places[..scanned]);
        outs.extend(self.group_outs(arrays, &sweep.vars[combined..], &width, &places[combined..]));
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
                let total = Exp::load(Elem::Prim(prim), *sums, GROUP - 1);
                if let Some(var) = vars.next() {
                    self.bind_scalar(*var, total);
                }
            }
        }
        let arrays = sweep.vars[..scanned].iter().chain(&sweep.vars[combined..]);
        for (var, out) in arrays.zip(outs) {
            self.bind(*var, Repr::Array(out));
        }
    }

    /// What is combined and kept of an element.
    fn group_values(&mut self, sweep: &Sweep, i: &Exp, with: &mut dyn FnMut(&mut Self, Vec<Exp>)) {
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

    fn group_combine(&mut self, ops: &[&Reduction], accs: &[Vec<ImpVar>], values: &[Exp]) {
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

    fn group_copy(&mut self, to: &Array, from: &Array) {
        self.each_in_group(&to.length(), &mut |this, i| {
            let at = this.element_index(from, from_ref(&i));
            let value = this.element(from, at);
            this.store(to, from_ref(&i), value);
        });
    }
}

fn values_of(vars: &[ImpVar]) -> Vec<Exp> {
    vars.iter().map(|var| Exp::Var(*var)).collect()
}
