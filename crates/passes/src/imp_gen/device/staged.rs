//! Reductions over arrays that all threads read: tiles of these arrays are staged in shared memory.
//!
//! ```text
//! grid (i < n | j < m) { .. index ys [j] .. } reduce op after g
//! ```
//!
//! Each thread needs every element of `ys`, since its index does not depend on the point. A group loads `GROUP` of them into shared memory, each thread one,
//! then each thread goes through this tile. Where there are too few points for all threads of the device, and the operator allows any order, several
//! threads share a point: each takes its *part* of every tile, and the partial results are combined in order at the end.
//!
//! Serves kernels whose reduced inputs are invariant to the points; if they depend on one of two points, `tile` serves.

use super::GROUP;
use super::accesses::{Load, split_by_dependence};
use super::kernel::{Kernel, reduction_of};
use super::kernels::{array_inside, scalar_inside};
use crate::imp_gen::operators::accs::{AccHome, Accs, Column};
use crate::imp_gen::operators::elementwise::any_order;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::operators::sweep::Sweep;
use crate::imp_gen::repr::{Array, Repr, prim_of};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Elem, Exp, GroupArray, GroupExp, LoopForm, Prim, Var as ImpVar};
use norn_ir::nest::{Atom, Body, Combining, ControlExp, Exp as NestExp, Reduction, Stm, Var};
use std::slice::from_ref;

/// How many elements of a tile are done without a loop around them. A part of a tile is a multiple of it.
const AT_ONCE: i64 = 16;
/// How many threads may have one element.
const MOST_PARTS: i64 = 8;
/// A reduction over fewer elements gains nothing.
const FEWEST: i64 = 2 * GROUP;
/// So much shared memory may be used.
const ROOM: i64 = 40 << 10;

/// The body of a kernel, by what each thread does before it reduces, and for each element.
pub struct Staged {
    before: Body,
    element: Body,
    /// What of the element is in shared memory, and what has no memory.
    tiles: Vec<Load>,
    counted: Vec<Load>,
}

impl Gen<'_> {
    /// If the threads of a kernel reduce arrays that do not depend on the point.
    pub fn staged(&self, kernel: &Kernel) -> Option<Staged> {
        let (op, _) = reduction_of(kernel);
        let j = kernel.through[0].var;
        kernel.through[0].size()?;
        let (before, element) = split_by_dependence(&kernel.body.stms, j);
        // Nobody may leave before others have met.
        let is_check = |stm: &Stm| matches!(stm.exp, NestExp::Control(ControlExp::Check(_)));
        if before.iter().any(is_check) {
            return None;
        }
        let (loads, _) = self.loads(&element, &[]);
        let (mut tiles, mut counted) = (Vec::new(), Vec::new());
        // What depends on the point is loaded by the thread.
        for load in loads.into_iter().filter(|load| load.at == [Atom::Var(j)]) {
            match self.env.get(&load.array) {
                Some(Repr::Array(array)) if array.is_regular() => {
                    if array.counted.is_none() {
                        tiles.push(load)
                    } else {
                        counted.push(load)
                    }
                }
                _ => {}
            }
        }
        let sizes = tiles.iter().map(|load| self.element_size(load.var));
        let sums = op.lambda.params[..op.neutral.len()].iter().map(|param| self.element_size(*param));
        let bytes = sizes.chain(sums).sum::<i64>() * GROUP;
        if tiles.is_empty() || bytes > ROOM {
            return None;
        }
        let of_loads: Vec<Var> = tiles.iter().chain(&counted).map(|load| load.var).collect();
        let stms = element.into_iter().filter(|stm| !stm.vars.iter().any(|var| of_loads.contains(var)));
        let element = Body { stms: stms.collect(), result: kernel.body.result.clone() };
        Some(Staged { before: Body { stms: before, result: Vec::new() }, element, tiles, counted })
    }

    fn element_size(&self, var: Var) -> i64 {
        self.ty(var).elem().map_or(0, |elem| prim_of(elem).size() as i64)
    }

    /// Whether there is enough to reduce.
    pub fn is_long(&self, kernel: &Kernel) -> Exp {
        Exp::i64(FEWEST).le(self.extent(kernel.through[0].extent))
    }

    pub fn launch_staged(
        &mut self,
        kernel: &Kernel,
        staged: &Staged,
        widths: &[Exp],
        outs: &[Array],
        grid: &Grid,
    ) {
        let (op, _) = reduction_of(kernel);
        let total = self.code.atom("total", Exp::product(widths.iter().cloned()));
        let parts = self.parts(op, &self.of_task(&total));
        let lanes = self.code.atom("lanes", Exp::i64(GROUP).quot(parts.clone()));
        let groups = total.clone().add(lanes.clone()).sub(1).quot(lanes.clone()).min(1 << 30);
        let groups = self.code.atom("groups", groups);
        let mut extra: Vec<Repr> = outs.iter().cloned().map(Repr::Array).collect();
        extra.extend(widths.iter().cloned().map(Repr::Scalar));
        extra.extend([total, parts, lanes].map(Repr::Scalar));
        self.launch_groups("map", &grid.captured, &extra, groups, &mut |this, arrays, mut given| {
            let mut last = || scalar_inside(given.pop());
            let (lanes, parts, total) = (last(), last(), last());
            let widths = given.split_off(outs.len());
            let outs: Vec<Array> = given.into_iter().map(array_inside).collect();
            let thread = Exp::Group(GroupExp::Thread);
            let part: Exp = this.code.bind("part", thread.clone().quot(lanes.clone())).into();
            let lane: Exp = this.code.bind("lane", thread.rem(lanes.clone())).into();
            let split = Split { parts, lanes, part, lane };
            let shared = this.staged_arrays(arrays, op, staged);
            this.each_by_groups("first", split.lanes.clone(), &total, &mut |this, first| {
                let i: Exp = this.code.bind("i", first.add(split.lane.clone())).into();
                // Who has no element does the last one's work, and keeps it for itself.
                let last = this.code.bind("last", i.clone().min(total.clone().sub(1)));
                let own = i.lt(total.clone()).and(split.part.clone().eq(0));
                let indices = this.indices_of(last.into(), &widths);
                for (dim, index) in kernel.points.iter().zip(&indices) {
                    this.env.insert(dim.var, Repr::Scalar(index.clone()));
                }
                this.begin_body(&staged.before, &[]);
                let accs = this.reduce_staged(kernel, staged, &shared, &split);
                let sums: Vec<Exp> = accs.values().into_iter().map(|sum| scalar_inside(Some(sum))).collect();
                this.code.open();
                this.guarded(&mut |this| this.finish_point(kernel, &indices, &sums, &outs));
                let block = this.code.close();
                this.code.when(own.clone(), block);
                this.end_body();
            });
        });
    }

    /// How many threads have one element: a power of two.
    fn parts(&mut self, op: &Reduction, total: &Exp) -> Exp {
        if !any_order(op) {
            return Exp::i64(1);
        }
        let total = self.code.atom("all", total.clone());
        let threads_needed = self.code.atom("threads_needed", Exp::DeviceGroups.mul(2 * GROUP));
        let mut parts = Exp::i64(MOST_PARTS);
        let mut fewer = MOST_PARTS / 2;
        while fewer > 0 {
            let enough = threads_needed.clone().le(total.clone().mul(fewer));
            parts = self.code.bind("parts", Exp::select(enough, Exp::i64(fewer), parts)).into();
            fewer /= 2;
        }
        parts
    }

    fn staged_arrays(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        op: &Reduction,
        staged: &Staged,
    ) -> SharedArrays {
        let mut tiles = Vec::with_capacity(staged.tiles.len());
        for load in &staged.tiles {
            let prim = self.array(load.array).prim;
            tiles.push(self.shared_array(arrays, "tile", prim, GROUP));
        }
        let prims = self.prims_of(op);
        let sums = prims.iter().map(|prim| self.shared_array(arrays, "sums", *prim, GROUP)).collect();
        SharedArrays { tiles, sums }
    }

    /// The reduction, by all threads of a group. There are barriers in this.
    fn reduce_staged(
        &mut self,
        kernel: &Kernel,
        staged: &Staged,
        shared: &SharedArrays,
        split: &Split,
    ) -> Accs {
        let (op, _) = reduction_of(kernel);
        let thread = Exp::Group(GroupExp::Thread);
        let width = self.extent(kernel.through[0].extent);
        let accs = self.neutral_accs(op, AccHome::Buffers(None));
        let start: Exp = self.code.bind("start", split.part.clone().mul(split.lanes.clone())).into();
        let first = self.code.bind("first", 0);
        self.code.open();
        // Others may still be reading.
        self.barrier();
        let own: Exp = self.code.bind("own", Exp::Var(first).add(thread.clone())).into();
        self.code.open();
        for (load, tile) in staged.tiles.iter().zip(&shared.tiles) {
            let array = self.array(load.array);
            let at = self.element_index(&array, from_ref(&own));
            let value = self.element(&array, at);
            self.code.store(Elem::Prim(array.prim), *tile, thread.clone(), value);
        }
        let block = self.code.close();
        self.code.when(own.lt(width.clone()), block);
        self.barrier();
        let left: Exp = self.code.bind("left", width.clone().sub(first)).into();
        self.code.open();
        self.guarded(&mut |this| {
            this.each(0, split.lanes.clone().quot(AT_ONCE), LoopForm::Plain, &mut |this, round| {
                let from: Exp = this.code.bind("from", start.clone().add(round.mul(AT_ONCE))).into();
                this.each(0, AT_ONCE, LoopForm::Plain, &mut |this, k| {
                    let at = this.code.bind("at", from.clone().add(k));
                    this.staged_element(kernel, staged, shared, &accs, first, &at.into());
                });
            });
        });
        let whole = self.code.close();
        self.code.open();
        self.guarded(&mut |this| {
            let to = start.clone().add(split.lanes.clone()).min(left.clone());
            this.each(start.clone(), to, LoopForm::Plain, &mut |this, at| {
                this.staged_element(kernel, staged, shared, &accs, first, &at);
            });
        });
        let partly = self.code.close();
        self.code.if_(Exp::i64(GROUP).le(left), whole, partly);
        self.code.set(first, Exp::Var(first).add(GROUP));
        let body = self.code.close();
        self.code.while_(Vec::new(), Exp::Var(first).lt(width), body);

        self.code.open();
        self.combine_parts(op, shared, &accs, split);
        let block = self.code.close();
        self.code.when(Exp::i64(1).lt(split.parts.clone()), block);
        accs
    }

    /// The element at a place of the tile whose first element is this.
    fn staged_element(
        &mut self,
        kernel: &Kernel,
        staged: &Staged,
        shared: &SharedArrays,
        accs: &Accs,
        first: ImpVar,
        at: &Exp,
    ) {
        let (op, _) = reduction_of(kernel);
        let j: Exp = Exp::Var(first).add(at.clone());
        let j = self.code.atom("j", j);
        self.env.insert(kernel.through[0].var, Repr::Scalar(j.clone()));
        for (load, tile) in staged.tiles.iter().zip(&shared.tiles) {
            let prim = self.array(load.array).prim;
            let value = self.code.bind("element", Exp::load(Elem::Prim(prim), *tile, at.clone()));
            self.env.insert(load.var, Repr::Scalar(value.into()));
        }
        for load in &staged.counted {
            let array = self.array(load.array);
            let index = self.element_index(&array, from_ref(&j));
            let value = self.element(&array, index);
            let value = self.code.atom("element", value);
            self.env.insert(load.var, Repr::Scalar(value));
        }
        self.run_body(&staged.element, &[], &mut |this| {
            let values: Vec<Repr> = staged.element.result.iter().map(|atom| this.value(*atom)).collect();
            this.combine(&op.lambda, accs, &values, &[]);
        });
    }

    /// What the parts of an element have, combined in their order; who has the first part knows it then.
    fn combine_parts(&mut self, op: &Reduction, shared: &SharedArrays, accs: &Accs, split: &Split) {
        let thread = Exp::Group(GroupExp::Thread);
        for (column, sums) in accs.columns.iter().zip(&shared.sums) {
            let Column::Scalar(var) = column else { panic!("imp_gen: a group that combines arrays") };
            let elem = Elem::Prim(self.local_prim(*sums));
            self.code.store(elem, *sums, thread.clone(), *var);
        }
        self.barrier();
        self.code.open();
        self.guarded(&mut |this| {
            this.each(1, split.parts.clone(), LoopForm::Plain, &mut |this, part| {
                let at = part.mul(split.lanes.clone()).add(split.lane.clone());
                let at = this.code.bind("at", at);
                let mut values = Vec::with_capacity(shared.sums.len());
                for sums in &shared.sums {
                    let elem = Elem::Prim(this.local_prim(*sums));
                    let value = this.code.bind("other", Exp::load(elem, *sums, at));
                    values.push(Repr::Scalar(value.into()));
                }
                this.scoped(&mut |this| this.combine(&op.lambda, accs, &values, &[]));
            });
        });
        let block = self.code.close();
        self.code.when(split.part.clone().eq(0), block);
    }

    fn local_prim(&self, var: ImpVar) -> Prim {
        match self.code.var_ty(var) {
            norn_ir::imp::Type::Local(Elem::Prim(prim)) => prim,
            ty => panic!("imp_gen: a shared array of type {ty:?}"),
        }
    }
}

/// What the threads of a group share: a tile of each input that is in memory, and what each has of each column.
struct SharedArrays {
    tiles: Vec<ImpVar>,
    sums: Vec<ImpVar>,
}

/// How the threads of a group divide its elements: `parts` times `lanes` are all threads.
struct Split {
    parts: Exp,
    lanes: Exp,
    part: Exp,
    lane: Exp,
}

/// The reduction that a statement is, if it yields nothing else.
pub fn reduction(stm: &Stm) -> Option<Sweep<'_>> {
    let op = stm.exp.op()?;
    let Combining { width, inputs, lambda, scans, reductions } = op.combining()?;
    let sweep = Sweep { name: op.name(), width, inputs, lambda, scans, reductions, vars: &stm.vars };
    (scans.is_empty() && sweep.kept().is_empty() && sweep.combined() == stm.vars.len()).then_some(sweep)
}
