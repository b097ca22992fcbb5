//! Reductions of a whole array, in one kernel.
//!
//! Each thread combines its own elements in variables: elements a grid apart if the operator allows any order, so that accesses
//! coalesce, and otherwise neighbours. Then the threads of a group combine in shared memory, as a tree; the partial results of groups are combined by
//! the group that finishes last. The shape of the tree depends on sizes and the device only, so every run gives the same bits.

use super::GROUP;
use super::kernel::{CombiningOut, Kernel, outs_of, tunable};
use super::kernels::{arrays_inside, scalar_inside};
use crate::imp_gen::operators::accs::{AccHome, Accs, Column};
use crate::imp_gen::operators::cost::Cost;
use crate::imp_gen::operators::elementwise::any_order;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr, prim_of};
use crate::imp_gen::state::Gen;
use norn_ir::flat::Tunable;
use norn_ir::imp::{Elem, Exp, GroupArray, GroupExp, GroupStmt, LoopForm, Prim, Stmt, Type, Var as ImpVar};
use norn_ir::nest::{Lambda, Reduction, Var};

/// How many elements a thread reads before it combines them.
const AHEAD: i64 = 4;

/// An array for each value that is combined, with an element for each thread.
pub struct Room {
    columns: Vec<(ImpVar, Elem)>,
}

/// What groups have of reductions, inside their kernel.
pub struct Combining<'a> {
    pub reductions: &'a [CombiningOut<'a>],
    pub rooms: &'a [Room],
    pub partials: &'a [Vec<Array>],
    pub results: &'a [Vec<Array>],
}

impl Gen<'_> {
    /// A kernel without points, whose outs are reductions and maps.
    pub fn reduce_elements(&mut self, vars: &[Var], kernel: &Kernel, grid: &Grid) {
        let width = self.extent(kernel.through[0].extent);
        let outs = outs_of(kernel, vars);
        let kept = self.nest_outs(outs.kept_vars, std::slice::from_ref(&width));
        let any_order = outs.reductions.iter().all(|part| any_order(part.op));
        // Where threads do little but read, each reads several elements before it combines them. Then half of those that a device can hold
        // read as fast, and there is less to combine.
        let reads_ahead = any_order && outs.kept.is_empty() && Cost::of(&kernel.body).is_cheap();
        let most = if reads_ahead { Exp::DeviceGroups.quot(2).max(1) } else { Exp::DeviceGroups };
        let groups = self.groups_for(&width, tunable(kernel, Tunable::Each), Some(most)).max(1);
        let groups = self.code.atom("groups", groups);
        let partials: Vec<Vec<Array>> =
            outs.reductions.iter().map(|part| self.new_partials(&part.op.lambda, &groups)).collect();
        let results = self.new_totals(&outs.reductions);
        let mut extra: Vec<Repr> = kept.iter().cloned().map(Repr::Array).collect();
        extra.push(Repr::Scalar(width.clone()));
        extra.extend(partials.iter().chain(&results).flatten().cloned().map(Repr::Array));
        self.launch_groups("reduce", &grid.captured, &extra, groups.clone(), &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let kept = arrays_inside(std::slice::from_ref(&kept), &mut given).remove(0);
            let width = scalar_inside(given.next());
            let partials = arrays_inside(&partials, &mut given);
            let results = arrays_inside(&results, &mut given);
            let accs: Vec<Accs> = outs
                .reductions
                .iter()
                .map(|part| this.neutral_accs(part.op, AccHome::Buffers(None)))
                .collect();
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
            if reads_ahead {
                this.each_apart_ahead(&width, &mut element);
            } else if any_order {
                this.each_apart(&width, &mut element);
            } else {
                this.each_in_order(&width, &mut element);
            }
            let group = Exp::Group(GroupExp::Group);
            let mut rooms = Vec::with_capacity(outs.reductions.len());
            for ((part, accs), partials) in outs.reductions.iter().zip(&accs).zip(&partials) {
                let room = this.room_to_combine(arrays, &part.op.lambda);
                this.combine_group(&room, &part.op.lambda, accs, partials, &group);
                rooms.push(room);
            }
            let combining = Combining {
                reductions: &outs.reductions,
                rooms: &rooms,
                partials: &partials,
                results: &results,
            };
            this.combine_totals(arrays, &combining, &Exp::Group(GroupExp::Groups));
        });
        self.bind_totals(&outs.reductions, results);
        self.bind_kept(outs.kept_vars, kept);
    }

    /// As `each_apart`, several elements at a time as long as there are enough.
    fn each_apart_ahead(&mut self, count: &Exp, body: &mut dyn FnMut(&mut Self, Exp)) {
        let (number, threads) = self.thread_number();
        let next = self.code.bind("next", number);
        let far = self.code.atom("far", count.clone().sub(threads.clone().mul(AHEAD - 1)));
        self.code.open();
        self.each(0, AHEAD, LoopForm::Plain, &mut |this, k| {
            let i = this.code.bind("i", Exp::Var(next).add(threads.clone().mul(k)));
            body(this, i.into());
        });
        self.code.set(next, Exp::Var(next).add(threads.clone().mul(AHEAD)));
        let several = self.code.close();
        self.code.while_(Vec::new(), Exp::Var(next).lt(far), several);
        self.each_by("i", next, threads, count, body);
    }

    pub fn bind_kept(&mut self, vars: &[Var], kept: Vec<Array>) {
        for (var, array) in vars.iter().zip(kept) {
            self.bind(*var, Repr::Array(array));
        }
    }

    /// Memory for the results of reductions, each of one row.
    pub fn new_totals(&mut self, reductions: &[CombiningOut]) -> Vec<Vec<Array>> {
        reductions.iter().map(|part| self.new_partials(&part.op.lambda, &Exp::i64(1))).collect()
    }

    pub fn bind_totals(&mut self, reductions: &[CombiningOut], results: Vec<Vec<Array>>) {
        for (part, results) in reductions.iter().zip(results) {
            for (var, result) in part.vars.iter().zip(results) {
                self.bind_on_device(*var, result);
            }
        }
    }

    /// In a kernel each of whose groups has stored what it has of each reduction: the last group combines all of it, in the order of the groups.
    pub fn combine_totals(&mut self, arrays: &mut Vec<GroupArray>, combining: &Combining, count: &Exp) {
        if combining.reductions.is_empty() {
            return;
        }
        let shared = self.shared_array(arrays, "arrived", Prim::I32, 1);
        let var = self.code.new_var("is_last", Type::Scalar(Prim::Bool));
        let place = Exp::offset(Elem::Prim(Prim::I32), shared, 0);
        self.code.push(Stmt::Group(GroupStmt::IsLast { var, shared: place }));
        self.code.open();
        let Combining { reductions, rooms, partials, results } = combining;
        for (((part, room), partials), results) in
            reductions.iter().zip(rooms.iter()).zip(partials.iter()).zip(results.iter())
        {
            self.combine_all(room, part.op, partials, count, results);
        }
        let body = self.code.close();
        self.code.when(Exp::Var(var), body);
    }

    /// In one group: all rows of the partial results combined.
    fn combine_all(
        &mut self,
        room: &Room,
        op: &Reduction,
        partials: &[Array],
        count: &Exp,
        results: &[Array],
    ) {
        let accs = self.neutral_accs(op, AccHome::Buffers(None));
        let mut add = |this: &mut Self, i: Exp| {
            this.guarded(&mut |this| {
                let values = this.partial_at(partials, &i);
                this.scoped(&mut |this| this.combine(&op.lambda, &accs, &values, &[]));
            });
        };
        if any_order(op) {
            self.each_in_group(count, &mut add);
        } else {
            self.each_of_group_in_order(count, &mut add);
        }
        self.combine_group(room, &op.lambda, &accs, results, &Exp::i64(0));
    }

    /// What the threads of a group have, combined; its first thread stores it in this row.
    pub fn combine_group(&mut self, room: &Room, op: &Lambda, accs: &Accs, into: &[Array], row: &Exp) {
        let combined = self.combined_in_group(room, op, accs);
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

    /// Memory in which the threads of a group combine what they have.
    pub fn room_to_combine(&mut self, arrays: &mut Vec<GroupArray>, op: &Lambda) -> Room {
        let mut columns = Vec::with_capacity(op.params.len() / 2);
        for param in &op.params[..op.params.len() / 2] {
            let prim = prim_of(self.ty(*param).elem().expect("imp_gen: an accumulator of no value"));
            columns.push((self.shared_array(arrays, "shared", prim, GROUP), Elem::Prim(prim)));
        }
        Room { columns }
    }

    /// What the threads of a group have, combined, as every thread can load it.
    pub fn combined_in_group(&mut self, room: &Room, op: &Lambda, accs: &Accs) -> Vec<Exp> {
        let thread = Exp::Group(GroupExp::Thread);
        let mut columns: Vec<(ImpVar, ImpVar, Elem)> = Vec::with_capacity(accs.columns.len());
        for ((shared, elem), column) in room.columns.iter().zip(&accs.columns) {
            let Column::Scalar(var) = column else { panic!("imp_gen: a group that combines arrays") };
            columns.push((*var, *shared, *elem));
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
