//! Segmented reductions by elements: as much work as there are elements, however many rows there are and however long these are.
//!
//! The elements of all rows are one long sequence, of which each thread takes a few neighbours, whatever rows they belong
//! to. If a row begins and ends in a thread's elements, the thread has its result; otherwise the carry of the
//! threads before is combined in front. Segmented scans over threads, and again over groups, give this carry: they restart where a row
//! ends.
//!
//! ```text
//! rows      [a b c][d][e f g h]     threads of 3 elements     [a b c] [d e f] [g h]
//! partial   abc .                   d ., ef carried           ef + gh .
//! ```
//!
//! In a part of a task, threads and groups have the elements that they would have without cuts (`aligned`), so that the order in which floats are combined does not depend on cuts.

use super::GROUP;
use super::aligned::Aligned;
use super::kernel::{Kernel, reduction_of, tunable};
use super::kernels::{array_inside, scalar_inside};
use super::lookback::Combine;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Part, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::flat::{Extent, Tunable};
use norn_ir::imp::{BinOp, Elem, Exp, GroupArray, GroupExp, LoopForm, Prim, Scalar, Stmt, Var as ImpVar};

const I64: Elem = Elem::Prim(Prim::I64);
const I32: Elem = Elem::Prim(Prim::I32);

/// Where rows begin and end in the sequence of all elements.
enum RowBounds {
    /// All are so long.
    Even(Exp),
    /// From one of these offsets to the next.
    Uneven(Exp),
}

/// What groups leave of rows that do not begin and end in them: a row of these for each reduction's column.
pub(super) struct Left {
    /// Whether a row ends in the group; what there is after the last end.
    pub ends: Array,
    pub tails: Vec<Array>,
    /// The first row that ends in it, and what the group has of that.
    pub row: Array,
    pub heads: Vec<Array>,
}

impl Left {
    fn arrays(&self) -> impl Iterator<Item = &Array> {
        [&self.ends, &self.row].into_iter().chain(&self.tails).chain(&self.heads)
    }

    fn inside(&self, given: &mut dyn Iterator<Item = Repr>) -> Left {
        let mut next = || array_inside(given.next().expect("imp_gen: a kernel was handed too little"));
        let (ends, row) = (next(), next());
        let tails = self.tails.iter().map(|_| next()).collect();
        let heads = self.heads.iter().map(|_| next()).collect();
        Left { ends, tails, row, heads }
    }
}

impl Gen<'_> {
    /// A kernel that reduces, with these numbers of points, and so many in all. Rows may be from one of some offsets to the next.
    pub fn reduce_segments(
        &mut self,
        kernel: &Kernel,
        widths: &[Exp],
        count: &Exp,
        offsets: Option<(Part, Exp)>,
        outs: &[Array],
        grid: &Grid,
    ) {
        let (op, _) = reduction_of(kernel);
        let prims = self.prims_of(op);
        // How many elements of the task come before, if that is known.
        let (rows, total, before) = match (kernel.through[0].extent, offsets) {
            (_, Some((offsets, total))) => (RowBounds::Uneven(offsets.ptr), total, None),
            (Extent::Size(length), None) => {
                let length = self.scalar(length);
                let total = self.code.atom("total", count.clone().mul(length.clone()));
                let before = self.points_before(count).map(|points| points.mul(length.clone()));
                (RowBounds::Even(length), total, before)
            }
            (Extent::Row(rows), None) => {
                let array = self.array(rows);
                let array = self.in_row_major(array);
                let offsets = array.offsets[0].clone();
                let ends = self.row_major(Prim::I64, &[Exp::i64(0)], offsets.clone());
                let first = self.read_device(&ends, Exp::i64(0));
                let last = self.read_device(&ends, count.clone());
                let before = self.points_before(count).map(|_| first.clone());
                (RowBounds::Uneven(offsets.ptr), self.code.atom("total", last.sub(first)), before)
            }
        };
        // Rows without elements have nothing else.
        let mut given: Vec<Repr> = outs.iter().cloned().map(Repr::Array).collect();
        given.extend(widths.iter().cloned().map(Repr::Scalar));
        given.push(Repr::Scalar(count.clone()));
        let may_be_empty = match &rows {
            RowBounds::Even(length) => length.clone().eq(0),
            RowBounds::Uneven(_) => Exp::bool(true),
        };
        self.code.open();
        let groups = self.groups_for(count, 1, None);
        self.launch_groups("reduce", &grid.captured, &given, groups, &mut |this, _, mut given| {
            let count = scalar_inside(given.pop());
            let widths = given.split_off(outs.len());
            let outs: Vec<Array> = given.into_iter().map(array_inside).collect();
            this.each_apart(&count, &mut |this, i| {
                let indices = this.indices_of(i, &widths);
                let neutral = this.neutral_of(op);
                this.guarded(&mut |this| this.finish_point(kernel, &indices, &neutral, &outs));
            });
        });
        let fill = self.code.close();
        self.code.when(may_be_empty, fill);

        let each = tunable(kernel, Tunable::Each);
        let aligned = before.map(|before| self.align(before, each));
        let phase = aligned.as_ref().map_or(Exp::i64(0), |aligned| aligned.phase.clone());
        let groups = self.groups_for(&total.clone().add(phase.clone()), each, None);
        let left = self.new_left(&prims, &groups);
        let mut extra: Vec<Repr> = outs.iter().cloned().map(Repr::Array).collect();
        extra.extend(left.arrays().cloned().map(Repr::Array));
        extra.extend(widths.iter().cloned().map(Repr::Scalar));
        let (even, at) = match rows {
            RowBounds::Even(length) => (true, length),
            RowBounds::Uneven(offsets) => (false, offsets),
        };
        for value in [&at, &total, count] {
            extra.push(Repr::Scalar(value.clone()));
        }
        extra.extend(aligned.iter().map(|_| Repr::Scalar(phase.clone())));
        self.launch_groups("reduce", &grid.captured, &extra, groups.clone(), &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let mut next = || given.next().expect("imp_gen: a kernel was handed too little");
            let outs: Vec<Array> = outs.iter().map(|_| array_inside(next())).collect();
            let left = left.inside(&mut std::iter::from_fn(|| Some(next())));
            let widths: Vec<Repr> = widths.iter().map(|_| next()).collect();
            let at = scalar_inside(Some(next()));
            let rows = if even { RowBounds::Even(at) } else { RowBounds::Uneven(at) };
            let total = scalar_inside(Some(next()));
            let count = scalar_inside(Some(next()));
            let phase = aligned.as_ref().map(|_| scalar_inside(Some(next())));
            this.reduce_tile(arrays, kernel, &rows, &outs, &left, &widths, &total, &count, phase);
        });
        let mut extra: Vec<Repr> = outs.iter().cloned().map(Repr::Array).collect();
        extra.extend(left.arrays().cloned().map(Repr::Array));
        extra.extend(widths.iter().cloned().map(Repr::Scalar));
        extra.push(Repr::Scalar(groups));
        extra.extend(aligned.iter().map(|Aligned { slots, .. }| Repr::Scalar(slots.clone())));
        self.launch_groups("reduce", &grid.captured, &extra, Exp::i64(1), &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let mut next = || given.next().expect("imp_gen: a kernel was handed too little");
            let outs: Vec<Array> = outs.iter().map(|_| array_inside(next())).collect();
            let left = left.inside(&mut std::iter::from_fn(|| Some(next())));
            let widths: Vec<Repr> = widths.iter().map(|_| next()).collect();
            let groups = scalar_inside(Some(next()));
            match aligned.as_ref().map(|_| scalar_inside(Some(next()))) {
                Some(slots) => this.join_aligned(arrays, kernel, &outs, &left, &widths, &groups, &slots),
                None => this.join_groups(arrays, kernel, &outs, &left, &widths, &groups),
            }
        });
    }

    fn new_left(&mut self, prims: &[Prim], groups: &Exp) -> Left {
        let size = std::slice::from_ref(groups);
        let ends = self.new_array_named("ends", Prim::I32, size, "reduce");
        let row = self.new_array_named("row", Prim::I64, size, "reduce");
        let mut columns = |name: &str| -> Vec<Array> {
            prims.iter().map(|prim| self.new_array_named(name, *prim, size, "reduce")).collect()
        };
        let tails = columns("tails");
        let heads = columns("heads");
        Left { ends, tails, row, heads }
    }

    // # In kernels

    /// Where a row ends, and where it begins.
    fn row_start(&mut self, rows: &RowBounds, row: Exp) -> Exp {
        match rows {
            RowBounds::Even(length) => row.mul(length.clone()),
            RowBounds::Uneven(offsets) => {
                let first = Exp::load(I64, offsets.clone(), 0);
                Exp::load(I64, offsets.clone(), row).sub(first)
            }
        }
    }

    /// The row that an element is in, of so many.
    fn row_of(&mut self, rows: &RowBounds, element: Exp, count: &Exp) -> ImpVar {
        if let RowBounds::Even(length) = rows {
            return self.code.bind("row", element.quot(length.clone()));
        }
        // The last row that does not begin behind it.
        let low = self.code.bind("row", Exp::i64(0));
        let high = self.code.bind("high", count.clone());
        self.code.open();
        let middle = self.code.bind("middle", Exp::Var(low).add(high).quot(2));
        let start = self.row_start(rows, middle.into());
        let start = self.code.bind("start", start);
        let behind = element.lt(start);
        self.code.if_(behind, vec![Stmt::Set(high, middle.into())], vec![Stmt::Set(low, middle.into())]);
        let body = self.code.close();
        self.code.while_(Vec::new(), Exp::Var(low).add(1).lt(high), body);
        low
    }

    #[allow(clippy::too_many_arguments)]
    fn reduce_tile(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        kernel: &Kernel,
        rows: &RowBounds,
        outs: &[Array],
        left: &Left,
        widths: &[Repr],
        total: &Exp,
        count: &Exp,
        phase: Option<Exp>,
    ) {
        let (op, _) = reduction_of(kernel);
        let own_prims = self.prims_of(op);
        let each = tunable(kernel, Tunable::Each);
        let group = Exp::Group(GroupExp::Group);
        let (number, _) = self.thread_number();
        let place: Exp = self.code.bind("first", number.mul(each)).into();
        // The first threads of a part may have elements of the part before, which are not theirs.
        let (first, some, behind) = match phase {
            Some(phase) => {
                let place: Exp = self.code.bind("place", place.sub(phase)).into();
                let behind: Exp = self.code.bind("behind", place.clone().add(each).min(total.clone())).into();
                let first: Exp = self.code.bind("first", place.max(0)).into();
                (first.clone(), first.lt(behind.clone()), behind)
            }
            None => (place.clone(), place.clone().lt(total.clone()), place.add(each).min(total.clone())),
        };
        let neutral = self.neutral_of(op);
        let accs: Vec<ImpVar> = neutral.iter().map(|value| self.code.bind("acc", value.clone())).collect();
        let heads: Vec<ImpVar> = neutral.iter().map(|value| self.code.bind("head", value.clone())).collect();
        let ends = self.code.bind("ends", Exp::Const(Scalar::I32(0)));
        let head_row = self.code.bind("head_row", Exp::i64(0));
        let some = self.code.bind("some", some);
        self.code.open();
        let row = self.row_of(rows, first.clone(), count);
        let start = self.row_start(rows, row.into());
        let start = self.code.bind("start", start);
        let end = self.row_start(rows, Exp::Var(row).add(1));
        let end = self.code.bind("end", end);
        let to: Exp = self.code.bind("to", behind).into();
        let values = |vars: &[ImpVar]| -> Vec<Exp> { vars.iter().map(|var| Exp::Var(*var)).collect() };
        self.each(first.clone(), to, LoopForm::Plain, &mut |this, i| {
            let column = this.code.bind("column", i.clone().sub(start));
            let indices = this.indices_of(row.into(), widths);
            let mut at = indices.clone();
            at.push(column.into());
            this.guarded(&mut |this| {
                this.at_element(kernel, &at, &[], &mut |this| {
                    let elements: Vec<Exp> =
                        kernel.body.result.iter().map(|atom| this.scalar(*atom)).collect();
                    let results = this.combined(Combine::Lambda(&op.lambda), &values(&accs), &elements);
                    accs.iter().zip(results).for_each(|(acc, result)| this.code.set(*acc, result));
                });
            });
            // The row ends here.
            this.code.open();
            this.code.open();
            for (head, acc) in heads.iter().zip(&accs) {
                this.code.set(*head, *acc);
            }
            this.code.set(head_row, row);
            this.code.set(ends, Exp::Const(Scalar::I32(1)));
            let head = this.code.close();
            this.code.open();
            this.guarded(&mut |this| this.finish_point(kernel, &indices, &values(&accs), outs));
            let result = this.code.close();
            let is_head = Exp::bin(BinOp::Eq, Prim::I32, Exp::Var(ends), Exp::Const(Scalar::I32(0)));
            this.code.if_(is_head, head, result);
            for (acc, value) in accs.iter().zip(&neutral) {
                this.code.set(*acc, value.clone());
            }
            this.code.set(row, Exp::Var(row).add(1));
            this.code.set(start, end);
            let next = this.row_start(rows, Exp::Var(row).add(1));
            match rows {
                RowBounds::Even(_) => this.code.set(end, next),
                RowBounds::Uneven(_) => {
                    // Behind the last row there is none.
                    this.code.open();
                    this.code.set(end, next);
                    // Rows without elements are skipped.
                    this.code.open();
                    this.code.set(row, Exp::Var(row).add(1));
                    this.code.open();
                    let next = this.row_start(rows, Exp::Var(row).add(1));
                    this.code.set(end, next);
                    let block = this.code.close();
                    this.code.when(Exp::Var(row).lt(count.clone()), block);
                    let skip = this.code.close();
                    let empty = Exp::Var(row).lt(count.clone()).and(Exp::Var(end).eq(start));
                    this.code.while_(Vec::new(), empty, skip);
                    let block = this.code.close();
                    this.code.when(Exp::Var(row).lt(count.clone()), block);
                }
            }
            let block = this.code.close();
            this.code.when(i.add(1).eq(end), block);
        });
        let block = self.code.close();
        self.code.when(some, block);

        // What the threads before have of the row that is open where a thread begins.
        let mut prims = vec![Prim::I32];
        prims.extend(&own_prims);
        let mut own = vec![Exp::Var(ends)];
        own.extend(values(&accs));
        let sums = self.scan_group(arrays, Combine::Segmented(&op.lambda), &prims, &own);
        let thread = Exp::Group(GroupExp::Thread);
        let carry_ends = self.code.bind("carry_ends", Exp::Const(Scalar::I32(0)));
        let carry: Vec<ImpVar> = neutral.iter().map(|value| self.code.bind("carry", value.clone())).collect();
        let mut sets = vec![Stmt::Set(carry_ends, Exp::load(I32, sums[0], thread.clone().sub(1)))];
        for ((carry, sums), prim) in carry.iter().zip(&sums[1..]).zip(&own_prims) {
            sets.push(Stmt::Set(*carry, Exp::load(Elem::Prim(*prim), *sums, thread.clone().sub(1))));
        }
        self.code.when(Exp::i64(0).lt(thread.clone()), sets);
        let no_end = |var: ImpVar| Exp::bin(BinOp::Eq, Prim::I32, Exp::Var(var), Exp::Const(Scalar::I32(0)));
        self.code.open();
        self.guarded(&mut |this| {
            let joined = this.combined(Combine::Lambda(&op.lambda), &values(&carry), &values(&heads));
            for (head, value) in heads.iter().zip(joined) {
                this.code.set(*head, value);
            }
        });
        // The first row that ends in the group may have begun in one before.
        self.code.open();
        self.store(&left.row, std::slice::from_ref(&group), head_row.into());
        for (array, head) in left.heads.iter().zip(&heads) {
            self.store(array, std::slice::from_ref(&group), Exp::Var(*head));
        }
        let to_left = self.code.close();
        self.code.open();
        let indices = self.indices_of(head_row.into(), widths);
        self.guarded(&mut |this| this.finish_point(kernel, &indices, &values(&heads), outs));
        let to_outs = self.code.close();
        self.code.if_(no_end(carry_ends), to_left, to_outs);
        let block = self.code.close();
        self.code.when(no_end(ends).not(), block);
        self.code.open();
        let last = GROUP - 1;
        self.store(&left.ends, std::slice::from_ref(&group), Exp::load(I32, sums[0], last));
        for ((array, sums), prim) in left.tails.iter().zip(&sums[1..]).zip(&own_prims) {
            let value = Exp::load(Elem::Prim(*prim), *sums, last);
            self.store(array, std::slice::from_ref(&group), value);
        }
        let block = self.code.close();
        self.code.when(thread.eq(0), block);
    }

    /// In a kernel of one group: rows that end in one group and began in another.
    fn join_groups(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        kernel: &Kernel,
        outs: &[Array],
        left: &Left,
        widths: &[Repr],
        groups: &Exp,
    ) {
        let thread = Exp::Group(GroupExp::Thread);
        let share: Exp = self.code.bind("share", groups.clone().add(GROUP - 1).quot(GROUP)).into();
        let from: Exp = self.code.bind("from", thread.clone().mul(share.clone()).min(groups.clone())).into();
        let to: Exp = self.code.bind("to", from.clone().add(share).min(groups.clone())).into();
        let (reduction, _) = reduction_of(kernel);
        let op = Combine::Segmented(&reduction.lambda);
        let mut prims = vec![Prim::I32];
        prims.extend(self.prims_of(reduction));
        let neutral = self.neutral_of(reduction);
        let mut accs = vec![self.code.bind("ends", Exp::Const(Scalar::I32(0)))];
        accs.extend(neutral.iter().map(|value| self.code.bind("acc", value.clone())).collect::<Vec<_>>());
        let values = |vars: &[ImpVar]| -> Vec<Exp> { vars.iter().map(|var| Exp::Var(*var)).collect() };
        let add = |this: &mut Self, i: &Exp| {
            let mut next = Vec::with_capacity(prims.len());
            for array in [&left.ends].into_iter().chain(&left.tails) {
                let at = this.element_index(array, std::slice::from_ref(i));
                let value = this.element(array, at);
                next.push(this.code.bind("next", value).into());
            }
            this.guarded(&mut |this| {
                let results = this.combined(op, &values(&accs), &next);
                accs.iter().zip(results).for_each(|(acc, result)| this.code.set(*acc, result));
            });
        };
        self.each(from.clone(), to.clone(), LoopForm::Plain, &mut |this, i| add(this, &i));
        let sums = self.scan_group(arrays, op, &prims, &values(&accs));
        let mut begin = vec![Stmt::Set(accs[0], Exp::Const(Scalar::I32(0)))];
        begin.extend(accs[1..].iter().zip(&neutral).map(|(acc, value)| Stmt::Set(*acc, value.clone())));
        let mut sets = Vec::new();
        for ((acc, sums), prim) in accs.iter().zip(&sums).zip(&prims) {
            sets.push(Stmt::Set(*acc, Exp::load(Elem::Prim(*prim), *sums, thread.clone().sub(1))));
        }
        self.code.if_(Exp::i64(0).lt(thread), sets, begin);
        self.each(from, to, LoopForm::Plain, &mut |this, i| {
            let at = this.element_index(&left.ends, std::slice::from_ref(&i));
            let ends = this.element(&left.ends, at);
            let ends = this.code.bind("has_end", ends);
            this.code.open();
            let (row, heads) = this.row_and_heads(left, &i);
            let indices = this.indices_of(row, widths);
            this.guarded(&mut |this| {
                let carry = values(&accs[1..]);
                let joined = this.combined(Combine::Lambda(&reduction.lambda), &carry, &heads);
                this.finish_point(kernel, &indices, &joined, outs);
            });
            let block = this.code.close();
            let has_end = Exp::bin(BinOp::Eq, Prim::I32, Exp::Var(ends), Exp::Const(Scalar::I32(0))).not();
            this.code.when(has_end, block);
            add(this, &i);
        });
    }

    /// Of what a group has left: which row ends there, and what the group before it began with.
    pub(super) fn row_and_heads(&mut self, left: &Left, at: &Exp) -> (Exp, Vec<Exp>) {
        let row = self.element(&left.row, at.clone());
        let row = self.code.bind("row", row).into();
        let mut heads = Vec::with_capacity(left.heads.len());
        for array in &left.heads {
            let value = self.element(array, at.clone());
            heads.push(self.code.bind("head", value).into());
        }
        (row, heads)
    }
}
