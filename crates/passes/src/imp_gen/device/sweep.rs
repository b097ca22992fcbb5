//! Reductions on the device.
//!
//! Each thread takes the elements that are its own, and combines what is to be reduced in variables: elements so many threads
//! apart if the operator allows any order, so that neighbours read neighbours, and else neighbours. Then the threads of
//! a group combine in memory that they share, each two neighbours, and again; what groups yield is combined by another
//! kernel of one group. The order is always the same: so are the bits.

use super::GROUP;
use crate::imp_gen::operators::accs::{Accs, Column, Home};
use crate::imp_gen::operators::elementwise::any_order;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::operators::outs::Out;
use crate::imp_gen::operators::sweep::{Pass, Scanned, Sweep};
use crate::imp_gen::repr::{Array, Repr, prim_of};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Elem, Exp, GroupArray, GroupExp, Var as ImpVar};
use norn_ir::nest::{Lambda, Reduction};

/// So many elements at least a thread of a reduction should have.
const SHARE: i64 = 8;

impl Gen<'_> {
    pub fn device_sweep(&mut self, sweep: &Sweep, grid: &Grid) {
        let width = self.scalar(sweep.width);
        let vars = self.sweep_vars(sweep);
        let outs = self.kept_outs(sweep, &vars, &width);
        let results = if !sweep.scans.is_empty() {
            self.device_scan(sweep, &vars, &outs, &width, grid)
        } else {
            self.device_reduce(sweep, &outs, &width, grid)
        };
        for (vars, results) in vars.reductions.iter().zip(results) {
            for (var, result) in vars.iter().zip(results) {
                let value = self.element(&result, Exp::i64(0));
                self.bind(*var, Repr::Scalar(value));
            }
        }
        for (var, out) in vars.kept.iter().zip(outs) {
            self.bind_out(*var, out, &width, None);
        }
    }

    /// For each reduction, its columns as arrays of one element.
    fn device_reduce(&mut self, sweep: &Sweep, outs: &[Out], width: &Exp, grid: &Grid) -> Vec<Vec<Array>> {
        let groups = self.groups_for(width, SHARE, Some(Exp::DeviceGroups)).max(1);
        let groups = self.code.atom("groups", groups);
        let partials: Vec<Vec<Array>> =
            sweep.reductions.iter().map(|op| self.new_partials(&op.lambda, &groups)).collect();
        let mut extra: Vec<Repr> = outs.iter().flat_map(Out::reprs).collect();
        extra.push(Repr::Scalar(width.clone()));
        extra.extend(partials.iter().flatten().cloned().map(Repr::Array));
        let any_order = sweep.reductions.iter().all(any_order);
        self.launch_groups(sweep.name, &grid.captured, &extra, groups.clone(), &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let outs: Vec<Out> = outs.iter().map(|out| out.inside(&mut given)).collect();
            let width = scalar_inside(given.next());
            let partials = arrays_inside(&partials, &mut given);
            let accs: Vec<Accs> =
                sweep.reductions.iter().map(|op| this.neutral_accs(op, Home::Buffers(None))).collect();
            let pass = plain_pass(&accs, &outs);
            let mut element = |this: &mut Self, i: Exp| {
                this.guarded(&mut |this| this.scoped(&mut |this| this.pass_at(sweep, &pass, &i)));
            };
            if any_order {
                this.each_apart(&width, &mut element);
            } else {
                this.each_in_order(&width, &mut element);
            }
            let group = Exp::Group(GroupExp::Group);
            for ((op, accs), partials) in sweep.reductions.iter().zip(&accs).zip(&partials) {
                this.combine_group(arrays, &op.lambda, accs, partials, &group);
            }
        });
        self.combine_partials_on_device(sweep, &partials, &groups, grid)
    }

    /// For each reduction what many have, combined in their order, as arrays of one element.
    pub fn combine_partials_on_device(
        &mut self,
        sweep: &Sweep,
        partials: &[Vec<Array>],
        count: &Exp,
        grid: &Grid,
    ) -> Vec<Vec<Array>> {
        let one = Exp::i64(1);
        let results: Vec<Vec<Array>> =
            sweep.reductions.iter().map(|op| self.new_partials(&op.lambda, &one)).collect();
        let mut extra: Vec<Repr> = partials.iter().flatten().cloned().map(Repr::Array).collect();
        extra.extend(results.iter().flatten().cloned().map(Repr::Array));
        extra.push(Repr::Scalar(count.clone()));
        self.launch_groups(sweep.name, &grid.captured, &extra, one, &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let partials = arrays_inside(partials, &mut given);
            let results = arrays_inside(&results, &mut given);
            let count = scalar_inside(given.next());
            for ((op, partials), results) in sweep.reductions.iter().zip(&partials).zip(&results) {
                this.combine_all(arrays, op, partials, &count, results);
            }
        });
        results
    }

    /// In a kernel of one group: all rows of the partial results combined.
    fn combine_all(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        op: &Reduction,
        partials: &[Array],
        count: &Exp,
        results: &[Array],
    ) {
        let accs = self.neutral_accs(op, Home::Buffers(None));
        self.each_in_order(count, &mut |this, i| {
            this.guarded(&mut |this| {
                let values = this.partial_at(partials, &i);
                this.scoped(&mut |this| this.combine(&op.lambda, &accs, &values, &[]));
            });
        });
        self.combine_group(arrays, &op.lambda, &accs, results, &Exp::i64(0));
    }

    /// What the threads of a group have, combined; its first thread stores it in this row.
    pub fn combine_group(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        op: &Lambda,
        accs: &Accs,
        into: &[Array],
        row: &Exp,
    ) {
        let thread = Exp::Group(GroupExp::Thread);
        let mut columns: Vec<(ImpVar, ImpVar, Elem)> = Vec::with_capacity(accs.columns.len());
        for (param, column) in op.params.iter().zip(&accs.columns) {
            let Column::Scalar(var) = column else { panic!("imp_gen: a group that combines arrays") };
            let prim = prim_of(self.ty(*param).elem().expect("imp_gen: an accumulator of no value"));
            let shared = self.shared_array(arrays, "shared", prim, GROUP);
            columns.push((*var, shared, Elem::Prim(prim)));
        }
        for (var, shared, elem) in &columns {
            self.code.store(*elem, *shared, thread.clone(), *var);
        }
        self.barrier();
        // 1, 2, 4, .. are how far apart those are that are combined.
        let apart = self.code.bind("apart", 1);
        self.code.open();
        let at = self.code.bind("at", thread.clone().mul(2).mul(apart));
        self.code.open();
        self.guarded(&mut |this| {
            let mut values = Vec::with_capacity(columns.len());
            for (var, shared, elem) in &columns {
                this.code.set(*var, Exp::load(*elem, *shared, at));
                let other = Exp::load(*elem, *shared, Exp::Var(at).add(apart));
                values.push(Repr::Scalar(this.code.bind("other", other).into()));
            }
            this.scoped(&mut |this| this.combine(op, accs, &values, &[]));
            for (var, shared, elem) in &columns {
                this.code.store(*elem, *shared, at, *var);
            }
        });
        let body = self.code.close();
        self.code.when(Exp::Var(at).add(apart).lt(GROUP), body);
        self.barrier();
        self.code.set(apart, Exp::Var(apart).mul(2));
        let body = self.code.close();
        self.code.while_(Vec::new(), Exp::Var(apart).lt(GROUP), body);
        self.code.open();
        let values: Vec<Repr> = columns
            .iter()
            .map(|(_, shared, elem)| {
                Repr::Scalar(self.code.bind("combined", Exp::load(*elem, *shared, 0)).into())
            })
            .collect();
        self.store_partial(into, row, &values);
        let body = self.code.close();
        self.code.when(thread.eq(0), body);
    }
}

fn plain_pass<'a>(accs: &'a [Accs], outs: &'a [Out]) -> Pass<'a> {
    Pass { scans: &[], scanned: &[], into_scanned: Scanned::Nothing, reductions: accs, outs: Some(outs) }
}

pub fn scalar_inside(given: Option<Repr>) -> Exp {
    match given {
        Some(Repr::Scalar(exp)) => exp,
        Some(Repr::Array(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert) | None => {
            panic!("imp_gen: a scalar was handed to a kernel as something else")
        }
    }
}

pub fn arrays_inside(outside: &[Vec<Array>], given: &mut dyn Iterator<Item = Repr>) -> Vec<Vec<Array>> {
    let mut array = || match given.next() {
        Some(Repr::Array(array)) => array,
        Some(Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert) | None => {
            panic!("imp_gen: an array was handed to a kernel as something else")
        }
    };
    outside.iter().map(|arrays| arrays.iter().map(|_| array()).collect()).collect()
}
