//! Reductions on the device.
//!
//! Each thread takes the elements that are its own, and combines what is to be reduced in variables: elements so many threads
//! apart if the operator allows any order, so that neighbours read neighbours, and else neighbours. Then the threads of
//! a group combine in memory that they share, each two neighbours, and again; what groups yield is combined by another
//! kernel of one group. The order is always the same: so are the bits.

use super::GROUP;
use super::kernel::{CombiningOut, Kernel, outs_of, tunable};
use super::kernels::{arrays_inside, scalar_inside};
use crate::imp_gen::operators::accs::{Accs, Column, Home};
use crate::imp_gen::operators::elementwise::any_order;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr, prim_of};
use crate::imp_gen::state::Gen;
use norn_ir::flat::Tunable;
use norn_ir::imp::{Elem, Exp, GroupArray, GroupExp, Var as ImpVar};
use norn_ir::nest::{Lambda, Reduction, Var};

impl Gen<'_> {
    /// A kernel without points, whose outs are reductions and maps.
    pub fn reduce_elements(&mut self, vars: &[Var], kernel: &Kernel, grid: &Grid) {
        let width = self.extent(kernel.through[0].extent);
        let outs = outs_of(kernel, vars);
        let kept = self.nest_outs(outs.kept_vars, std::slice::from_ref(&width));
        let groups = self.groups_for(&width, tunable(kernel, Tunable::Each), Some(Exp::DeviceGroups)).max(1);
        let groups = self.code.atom("groups", groups);
        let partials: Vec<Vec<Array>> =
            outs.reductions.iter().map(|part| self.new_partials(&part.op.lambda, &groups)).collect();
        let mut extra: Vec<Repr> = kept.iter().cloned().map(Repr::Array).collect();
        extra.push(Repr::Scalar(width.clone()));
        extra.extend(partials.iter().flatten().cloned().map(Repr::Array));
        let any_order = outs.reductions.iter().all(|part| any_order(part.op));
        self.launch_groups("reduce", &grid.captured, &extra, groups.clone(), &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let kept = arrays_inside(std::slice::from_ref(&kept), &mut given).remove(0);
            let width = scalar_inside(given.next());
            let partials = arrays_inside(&partials, &mut given);
            let accs: Vec<Accs> =
                outs.reductions.iter().map(|part| this.neutral_accs(part.op, Home::Buffers(None))).collect();
            let mut element = |this: &mut Self, i: Exp| {
                this.guarded(&mut |this| {
                    let kept = (outs.kept, &kept[..]);
                    this.at_kept_element(kernel, std::slice::from_ref(&i), kept, &mut |this| {
                        for (part, accs) in outs.reductions.iter().zip(&accs) {
                            let values: Vec<Repr> =
                                part.results.iter().map(|atom| this.value(*atom)).collect();
                            this.combine(&part.op.lambda, accs, &values, &[]);
                        }
                    });
                });
            };
            if any_order {
                this.each_apart(&width, &mut element);
            } else {
                this.each_in_order(&width, &mut element);
            }
            let group = Exp::Group(GroupExp::Group);
            for ((part, accs), partials) in outs.reductions.iter().zip(&accs).zip(&partials) {
                this.combine_group(arrays, &part.op.lambda, accs, partials, &group);
            }
        });
        self.combine_partials_on_device(&outs.reductions, &partials, &groups, grid);
        self.bind_kept(outs.kept_vars, kept);
    }

    pub fn bind_kept(&mut self, vars: &[Var], kept: Vec<Array>) {
        for (var, array) in vars.iter().zip(kept) {
            self.bind(*var, Repr::Array(array));
        }
    }

    /// The variables of each reduction are what many have of it, combined in their order.
    pub fn combine_partials_on_device(
        &mut self,
        reductions: &[CombiningOut],
        partials: &[Vec<Array>],
        count: &Exp,
        grid: &Grid,
    ) {
        if reductions.is_empty() {
            return;
        }
        let one = Exp::i64(1);
        let results: Vec<Vec<Array>> =
            reductions.iter().map(|part| self.new_partials(&part.op.lambda, &one)).collect();
        let mut extra: Vec<Repr> = partials.iter().flatten().cloned().map(Repr::Array).collect();
        extra.extend(results.iter().flatten().cloned().map(Repr::Array));
        extra.push(Repr::Scalar(count.clone()));
        self.launch_groups("reduce", &grid.captured, &extra, one, &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let partials = arrays_inside(partials, &mut given);
            let results = arrays_inside(&results, &mut given);
            let count = scalar_inside(given.next());
            for ((part, partials), results) in reductions.iter().zip(&partials).zip(&results) {
                this.combine_all(arrays, part.op, partials, &count, results);
            }
        });
        for (part, results) in reductions.iter().zip(results) {
            for (var, result) in part.vars.iter().zip(results) {
                let value = self.element(&result, Exp::i64(0));
                self.bind(*var, Repr::Scalar(value));
            }
        }
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
        let combined = self.combined_in_group(arrays, op, accs);
        self.in_first_thread(&mut |this| {
            let values: Vec<Repr> = combined.iter().cloned().map(Repr::Scalar).collect();
            this.store_partial(into, row, &values);
        });
    }

    pub fn in_first_thread(&mut self, make: &mut dyn FnMut(&mut Self)) {
        self.code.open();
        make(self);
        let body = self.code.close();
        self.code.when(Exp::Group(GroupExp::Thread).eq(0), body);
    }

    /// What the threads of a group have, combined, as every thread can load it.
    pub fn combined_in_group(&mut self, arrays: &mut Vec<GroupArray>, op: &Lambda, accs: &Accs) -> Vec<Exp> {
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
        columns.iter().map(|(_, shared, elem)| Exp::load(*elem, *shared, 0)).collect()
    }
}
