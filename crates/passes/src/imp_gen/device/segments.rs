//! Segmented reductions: each row of an array is combined, however many there are and however long they are.
//!
//! The elements of all rows are one long sequence, of which each thread has some one after the other, whatever rows they belong
//! to. What a thread has of a row that ends in it is a result if the row began in it, too; else what the
//! threads before have of it comes in front. Sums over threads, and again over groups, say what that is: they begin anew where a row
//! ends. So rows of all lengths are as much work as their elements are.

use super::GROUP;
use super::lookback::Combine;
use super::nest::{Level, Nest, array_inside, yielded};
use super::sweep::scalar_inside;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::operators::sweep::Sweep;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{BinOp, Elem, Exp, GroupArray, GroupExp, LoopForm, Prim, Scalar, Stmt, Var as ImpVar};
use norn_ir::nest::{Atom, Body, Reduction, Var};

const I64: Elem = Elem::Prim(Prim::I64);
const I32: Elem = Elem::Prim(Prim::I32);
/// How many elements a thread has.
const EACH: i64 = 8;

/// Where rows begin and end in the sequence of all elements.
enum Rows {
    /// All are so long.
    Even(Exp),
    /// From one of these offsets to the next.
    Uneven(Exp),
}

/// What groups leave of rows that do not begin and end in them: a row of these for each reduction's column.
struct Left {
    /// Whether a row ends in the group; what there is after the last end.
    ends: Array,
    tails: Vec<Array>,
    /// The first row that ends in it, and what the group has of that.
    row: Array,
    heads: Vec<Array>,
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

/// A row's reduction, as its kernels see it. There is one operator, which may have several columns.
struct Segments<'a> {
    levels: &'a [Level<'a>],
    params: &'a [Var],
    sweep: &'a Sweep<'a>,
    before: &'a Body,
    op: &'a Reduction,
    prims: Vec<Prim>,
}

impl Gen<'_> {
    /// A nest with a reduction at its bottom: by rows, or, where there are not enough of these, by elements.
    pub fn device_rows(&mut self, vars: &[Var], nest: &Nest, grid: &Grid) -> bool {
        let Some((sweep, before)) = &nest.reduction else { return false };
        let [op] = sweep.reductions else { return false };
        let Some(places) = yielded(nest.bottom, sweep.vars) else { return false };
        let input = sweep.inputs[0];
        let even = match sweep.width {
            Atom::Const(_) => true,
            Atom::Var(width) => matches!(self.env.get(&width), Some(Repr::Scalar(_))),
        };
        // Rows of different lengths are those of the only map's input.
        let uneven = match (&nest.levels[..], sweep.width) {
            ([level], Atom::Var(width)) if !even => self.irregular_input(level, width, input),
            _ => None,
        };
        if !even && uneven.is_none() {
            return false;
        }
        let widths: Vec<Exp> = nest.levels.iter().map(|level| self.scalar(level.width)).collect();
        let outs = self.nest_outs(vars, &widths);
        let prims = self.prims_of(op);
        let params = &nest.bottom.params[..];
        let segments = Segments { levels: &nest.levels, params, sweep, before, op, prims };
        let count = self.code.atom("rows", Exp::product(widths.iter().cloned()));

        let all_threads = Exp::DeviceGroups.mul(GROUP);
        let enough = match even {
            true => all_threads.quot(2).le(count.clone()),
            // Rows may be as uneven as they like.
            false => Exp::bool(false),
        };
        let product = self.product(nest);
        let large = product.as_ref().map(|product| self.is_large(&widths, product));
        self.code.open();
        self.scoped(&mut |this| {
            if let (Some(product), Some(large)) = (&product, large.clone()) {
                this.code.open();
                this.scoped(&mut |this| this.launch_product(product, &widths, &outs[0], grid));
                let tiles = this.code.close();
                this.code.open();
                this.scoped(&mut |this| this.launch_nest(nest, &widths, &outs, grid));
                let plain = this.code.close();
                return this.code.if_(large, tiles, plain);
            }
            this.launch_nest(nest, &widths, &outs, grid);
        });
        let by_rows = self.code.close();
        self.code.open();
        self.scoped(&mut |this| {
            // There are columns that nobody wants.
            let mut columns = Vec::with_capacity(segments.prims.len());
            for (column, prim) in segments.prims.iter().enumerate() {
                columns.push(match places.iter().position(|place| *place == column) {
                    Some(at) => outs[at].clone(),
                    None => this.new_array_named("unwanted", *prim, &widths, "reduce"),
                });
            }
            this.reduce_segments(&segments, &widths, &count, uneven, &columns, grid);
        });
        let by_elements = self.code.close();
        self.code.if_(enough, by_rows, by_elements);
        for (var, out) in vars.iter().zip(outs) {
            self.bind(*var, Repr::Array(out));
        }
        true
    }

    /// The input of the map whose rows are the input of the reduction, with a length that is its parameter.
    fn irregular_input(&self, level: &Level, width: Var, input: Var) -> Option<Var> {
        let mut params = level.params.iter();
        for outer in level.inputs {
            let first = *params.next()?;
            if !self.ty(*outer).has_irregular_rows() {
                continue;
            }
            let row = *params.next()?;
            if first == width && row == input {
                return Some(*outer);
            }
        }
        None
    }

    fn reduce_segments(
        &mut self,
        segments: &Segments,
        widths: &[Exp],
        count: &Exp,
        uneven: Option<Var>,
        outs: &[Array],
        grid: &Grid,
    ) {
        let (rows, total) = match uneven {
            None => {
                let length = self.scalar(segments.sweep.width);
                let total = self.code.atom("total", count.clone().mul(length.clone()));
                (Rows::Even(length), total)
            }
            Some(input) => {
                let array = self.array(input);
                let array = self.in_row_major(array);
                let offsets = array.offsets[0].clone();
                let ends = self.row_major(Prim::I64, &[Exp::i64(0)], offsets.clone());
                let first = self.read_device(&ends, Exp::i64(0));
                let last = self.read_device(&ends, count.clone());
                (Rows::Uneven(offsets.ptr), self.code.atom("total", last.sub(first)))
            }
        };
        // Rows without elements have nothing else.
        let mut given: Vec<Repr> = outs.iter().cloned().map(Repr::Array).collect();
        given.extend(widths.iter().cloned().map(Repr::Scalar));
        let levels = widths.len();
        let neutral = self.neutral_of(segments.op);
        given.extend(neutral.iter().cloned().map(Repr::Scalar));
        let may_be_empty = match &rows {
            Rows::Even(length) => length.clone().eq(0),
            Rows::Uneven(_) => Exp::bool(true),
        };
        self.code.open();
        self.for_each_on_device("reduce", count.clone(), &given, &mut |this, i, given| {
            let (outs, rest) = given.split_at(outs.len());
            let (widths, neutral) = rest.split_at(levels);
            let indices = this.indices_of(i.into(), widths);
            for (out, value) in outs.iter().zip(neutral) {
                let out = array_inside(out.clone());
                this.store(&out, &indices, scalar_inside(Some(value.clone())));
            }
        });
        let fill = self.code.close();
        self.code.when(may_be_empty, fill);

        let groups = self.groups_for(&total, EACH, None);
        let left = self.new_left(&segments.prims, &groups);
        let mut extra: Vec<Repr> = outs.iter().cloned().map(Repr::Array).collect();
        extra.extend(left.arrays().cloned().map(Repr::Array));
        extra.extend(widths.iter().cloned().map(Repr::Scalar));
        let (even, at) = match rows {
            Rows::Even(length) => (true, length),
            Rows::Uneven(offsets) => (false, offsets),
        };
        for value in [&at, &total, count] {
            extra.push(Repr::Scalar(value.clone()));
        }
        self.launch_groups("reduce", &grid.captured, &extra, groups.clone(), &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let mut next = || given.next().expect("imp_gen: a kernel was handed too little");
            let outs: Vec<Array> = outs.iter().map(|_| array_inside(next())).collect();
            let left = left.inside(&mut std::iter::from_fn(|| Some(next())));
            let widths: Vec<Repr> = widths.iter().map(|_| next()).collect();
            let at = scalar_inside(Some(next()));
            let rows = if even { Rows::Even(at) } else { Rows::Uneven(at) };
            let total = scalar_inside(Some(next()));
            let count = scalar_inside(Some(next()));
            this.reduce_tile(arrays, segments, &rows, &outs, &left, &widths, &total, &count);
        });
        let mut extra: Vec<Repr> = outs.iter().cloned().map(Repr::Array).collect();
        extra.extend(left.arrays().cloned().map(Repr::Array));
        extra.extend(widths.iter().cloned().map(Repr::Scalar));
        extra.push(Repr::Scalar(groups));
        self.launch_groups("reduce", &grid.captured, &extra, Exp::i64(1), &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let mut next = || given.next().expect("imp_gen: a kernel was handed too little");
            let outs: Vec<Array> = outs.iter().map(|_| array_inside(next())).collect();
            let left = left.inside(&mut std::iter::from_fn(|| Some(next())));
            let widths: Vec<Repr> = widths.iter().map(|_| next()).collect();
            let groups = scalar_inside(Some(next()));
            this.join_groups(arrays, segments, &outs, &left, &widths, &groups);
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
    fn row_start(&mut self, rows: &Rows, row: Exp) -> Exp {
        match rows {
            Rows::Even(length) => row.mul(length.clone()),
            Rows::Uneven(offsets) => {
                let first = Exp::load(I64, offsets.clone(), 0);
                Exp::load(I64, offsets.clone(), row).sub(first)
            }
        }
    }

    /// The row that an element is in, of so many.
    fn row_of(&mut self, rows: &Rows, element: Exp, count: &Exp) -> ImpVar {
        if let Rows::Even(length) = rows {
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
        segments: &Segments,
        rows: &Rows,
        outs: &[Array],
        left: &Left,
        widths: &[Repr],
        total: &Exp,
        count: &Exp,
    ) {
        let group = Exp::Group(GroupExp::Group);
        let (number, _) = self.thread_number();
        let first: Exp = self.code.bind("first", number.mul(EACH)).into();
        let neutral = self.neutral_of(segments.op);
        let accs: Vec<ImpVar> = neutral.iter().map(|value| self.code.bind("acc", value.clone())).collect();
        let heads: Vec<ImpVar> = neutral.iter().map(|value| self.code.bind("head", value.clone())).collect();
        let ends = self.code.bind("ends", Exp::Const(Scalar::I32(0)));
        let head_row = self.code.bind("head_row", Exp::i64(0));
        let some = self.code.bind("some", first.clone().lt(total.clone()));
        self.code.open();
        let row = self.row_of(rows, first.clone(), count);
        let start = self.row_start(rows, row.into());
        let start = self.code.bind("start", start);
        let end = self.row_start(rows, Exp::Var(row).add(1));
        let end = self.code.bind("end", end);
        let to: Exp = self.code.bind("to", first.clone().add(EACH).min(total.clone())).into();
        let values = |vars: &[ImpVar]| -> Vec<Exp> { vars.iter().map(|var| Exp::Var(*var)).collect() };
        self.each(first.clone(), to, LoopForm::Plain, &mut |this, i| {
            let column = this.code.bind("column", i.clone().sub(start));
            let indices = this.indices_of(row.into(), widths);
            this.guarded(&mut |this| {
                this.in_levels(segments.levels, &indices, &mut |this, rows| {
                    this.row_element(segments, rows, &column.into(), &accs);
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
            for (out, acc) in outs.iter().zip(&accs) {
                this.store(out, &indices, Exp::Var(*acc));
            }
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
                Rows::Even(_) => this.code.set(end, next),
                Rows::Uneven(_) => {
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
        prims.extend(&segments.prims);
        let mut own = vec![Exp::Var(ends)];
        own.extend(values(&accs));
        let op = Combine::Anew(&segments.op.lambda);
        let sums = self.scan_group(arrays, op, &prims, &own);
        let thread = Exp::Group(GroupExp::Thread);
        let carry_ends = self.code.bind("carry_ends", Exp::Const(Scalar::I32(0)));
        let carry: Vec<ImpVar> = neutral.iter().map(|value| self.code.bind("carry", value.clone())).collect();
        let mut sets = vec![Stmt::Set(carry_ends, Exp::load(I32, sums[0], thread.clone().sub(1)))];
        for ((carry, sums), prim) in carry.iter().zip(&sums[1..]).zip(&segments.prims) {
            sets.push(Stmt::Set(*carry, Exp::load(Elem::Prim(*prim), *sums, thread.clone().sub(1))));
        }
        self.code.when(Exp::i64(0).lt(thread.clone()), sets);
        let no_end = |var: ImpVar| Exp::bin(BinOp::Eq, Prim::I32, Exp::Var(var), Exp::Const(Scalar::I32(0)));
        self.code.open();
        self.guarded(&mut |this| {
            let joined =
                this.combined(Combine::Lambda(&segments.op.lambda), &values(&carry), &values(&heads));
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
        for (out, head) in outs.iter().zip(&heads) {
            self.store(out, &indices, Exp::Var(*head));
        }
        let to_outs = self.code.close();
        self.code.if_(no_end(carry_ends), to_left, to_outs);
        let block = self.code.close();
        self.code.when(no_end(ends).not(), block);
        self.code.open();
        let last = GROUP - 1;
        self.store(&left.ends, std::slice::from_ref(&group), Exp::load(I32, sums[0], last));
        for ((array, sums), prim) in left.tails.iter().zip(&sums[1..]).zip(&segments.prims) {
            let value = Exp::load(Elem::Prim(*prim), *sums, last);
            self.store(array, std::slice::from_ref(&group), value);
        }
        let block = self.code.close();
        self.code.when(thread.eq(0), block);
    }

    /// One element of a row, in which the nest's levels are open, is combined with what there is.
    fn row_element(&mut self, segments: &Segments, rows: Vec<Repr>, column: &Exp, accs: &[ImpVar]) {
        for (param, row) in segments.params.iter().zip(rows) {
            self.env.insert(*param, row);
        }
        self.begin_body(segments.before, &[]);
        let row = self.rows_at(segments.sweep.inputs, column);
        let op = Combine::Lambda(&segments.op.lambda);
        let add = |this: &mut Self, values: Vec<Exp>| {
            let before: Vec<Exp> = accs.iter().map(|var| Exp::Var(*var)).collect();
            let results = this.combined(op, &before, &values);
            accs.iter().zip(results).for_each(|(acc, result)| this.code.set(*acc, result));
        };
        match segments.sweep.lambda {
            None => {
                let values = row.into_iter().map(|value| scalar_inside(Some(value))).collect();
                add(self, values);
            }
            Some(lambda) => self.apply(lambda, row, &[], &mut |this| {
                let values = lambda.body.result.iter().map(|atom| this.scalar(*atom)).collect();
                add(this, values);
            }),
        }
        self.end_body();
    }

    /// In a kernel of one group: rows that end in one group and began in another.
    fn join_groups(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        segments: &Segments,
        outs: &[Array],
        left: &Left,
        widths: &[Repr],
        groups: &Exp,
    ) {
        let thread = Exp::Group(GroupExp::Thread);
        let share: Exp = self.code.bind("share", groups.clone().add(GROUP - 1).quot(GROUP)).into();
        let from: Exp = self.code.bind("from", thread.clone().mul(share.clone()).min(groups.clone())).into();
        let to: Exp = self.code.bind("to", from.clone().add(share).min(groups.clone())).into();
        let op = Combine::Anew(&segments.op.lambda);
        let mut prims = vec![Prim::I32];
        prims.extend(&segments.prims);
        let neutral = self.neutral_of(segments.op);
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
            let row = this.element(&left.row, i.clone());
            let row = this.code.bind("row", row);
            let mut heads = Vec::with_capacity(left.heads.len());
            for array in &left.heads {
                let value = this.element(array, i.clone());
                heads.push(this.code.bind("head", value).into());
            }
            let indices = this.indices_of(row.into(), widths);
            this.guarded(&mut |this| {
                let carry = values(&accs[1..]);
                let joined = this.combined(Combine::Lambda(&segments.op.lambda), &carry, &heads);
                for (out, value) in outs.iter().zip(joined) {
                    this.store(out, &indices, value);
                }
            });
            let block = this.code.close();
            let has_end = Exp::bin(BinOp::Eq, Prim::I32, Exp::Var(ends), Exp::Const(Scalar::I32(0))).not();
            this.code.when(has_end, block);
            add(this, &i);
        });
    }
}
