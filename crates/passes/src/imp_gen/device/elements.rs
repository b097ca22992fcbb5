//! Maps whose threads have nothing to do with each other: which thread has which elements.
//!
//! - Usually each thread has one element, neighbours are neighbours, and there are as many groups as that takes.
//! - What computes numbers of numbers without branching off has `BATCH` elements in each thread, if there are enough: all of them are loaded
//!   before the first is computed, so that their loads are under way at the same time.
//! - Where threads go through loops of different lengths, 32 neighbours wait for the longest of theirs. In two dimensions they are
//!   a rectangle instead of a line, whose points are closer to each other, and so, mostly, are their loops.

use super::GROUP;
use super::nest::{Nest, array_inside};
use super::sweep::scalar_inside;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Exp, GroupExp};
use norn_ir::nest::walk::Part;
use norn_ir::nest::{Body, ControlExp, Exp as NestExp, LoopForm, ScalarExp};

/// How many elements a thread has if it has several.
const BATCH: i64 = 4;
/// So many statements may stand in each of them.
const MOST_STATEMENTS: usize = 128;
/// The elements of 32 neighbouring threads: so many across, the others below.
const ACROSS: i64 = 8;
const DOWN: i64 = 32 / ACROSS;
/// The elements of a group: a square.
const SIDE: i64 = 16;

impl Gen<'_> {
    pub fn launch_elements(&mut self, nest: &Nest, widths: &[Exp], outs: &[Array], grid: &Grid) {
        if self.is_numeric(nest, outs) {
            return self.launch_batches(nest, widths, outs, grid);
        }
        if widths.len() == 1 || !has_while(&nest.bottom.body) {
            return self.launch_lines(nest, widths, outs, grid);
        }
        let [outer @ .., columns] = widths else { panic!("imp_gen: a nest without levels") };
        let rows = self.code.atom("rows", Exp::product(outer.iter().cloned()));
        let wide = Exp::i64(4 * SIDE).le(columns.clone()).and(Exp::i64(4 * SIDE).le(rows.clone()));
        self.code.open();
        self.scoped(&mut |this| this.launch_squares(nest, widths, &rows, outs, grid));
        let squares = self.code.close();
        self.code.open();
        self.scoped(&mut |this| this.launch_lines(nest, widths, outs, grid));
        let lines = self.code.close();
        self.code.if_(wide, squares, lines);
    }

    /// One thread for each element.
    fn launch_lines(&mut self, nest: &Nest, widths: &[Exp], outs: &[Array], grid: &Grid) {
        let total = self.code.atom("total", Exp::product(widths.iter().cloned()));
        let groups = self.groups_for(&total, 1, None);
        let mut extra: Vec<Repr> = outs.iter().cloned().map(Repr::Array).collect();
        extra.extend(widths.iter().cloned().map(Repr::Scalar));
        extra.push(Repr::Scalar(total));
        self.launch_looping_groups("map", &grid.captured, &extra, groups, &mut |this, _, mut given| {
            let total = scalar_inside(given.pop());
            let widths = given.split_off(outs.len());
            let outs: Vec<Array> = given.into_iter().map(array_inside).collect();
            this.each_apart(&total, &mut |this, i| {
                let indices = this.indices_of(i, &widths);
                this.one_element(nest, &outs, &indices);
            });
        });
    }

    fn one_element(&mut self, nest: &Nest, outs: &[Array], indices: &[Exp]) {
        self.guarded(&mut |this| {
            this.in_levels(&nest.levels, indices, &mut |this, rows| {
                this.bottom_element(nest.bottom, rows, outs, indices);
            });
        });
    }

    // # Batches

    /// Whether scalars are computed of scalars, and nothing can go wrong.
    fn is_numeric(&self, nest: &Nest, outs: &[Array]) -> bool {
        let [level] = &nest.levels[..] else { return false };
        let body = &nest.bottom.body;
        !level.inputs.is_empty()
            && level.params.iter().all(|param| self.ty(*param).is_scalar())
            && outs.iter().all(|out| out.rank() == 1)
            && numeric_statements(body).is_some_and(|count| count <= MOST_STATEMENTS)
    }

    fn launch_batches(&mut self, nest: &Nest, widths: &[Exp], outs: &[Array], grid: &Grid) {
        let total = widths[0].clone();
        let enough = Exp::DeviceGroups.mul(GROUP * BATCH).le(total.clone());
        let each = self.code.atom("each", Exp::select(enough, Exp::i64(BATCH), Exp::i64(1)));
        let tile = self.code.atom("tile", each.clone().mul(GROUP));
        let groups = total.clone().add(tile.clone()).sub(1).quot(tile.clone()).min(1 << 30);
        let groups = self.code.atom("groups", groups);
        let mut extra: Vec<Repr> = outs.iter().cloned().map(Repr::Array).collect();
        extra.extend([each, tile, total].map(Repr::Scalar));
        self.launch_groups("map", &grid.captured, &extra, groups, &mut |this, _, mut given| {
            let mut last = || scalar_inside(given.pop());
            let (total, tile, each) = (last(), last(), last());
            let outs: Vec<Array> = given.into_iter().map(array_inside).collect();
            this.each_by_groups("first", tile.clone(), &total, &mut |this, first| {
                let i = first.clone().add(Exp::Group(GroupExp::Thread));
                let i: Exp = this.code.bind("i", i).into();
                let end = first.clone().add(tile.clone());
                let last = this.code.bind("end", end.clone().min(total.clone()));
                let whole = Exp::i64(BATCH).le(each.clone()).and(Exp::Var(last).eq(end));
                this.code.open();
                this.batch(nest, &outs, &i);
                let batch = this.code.close();
                this.code.open();
                this.each_by("at", i, GROUP, &last.into(), &mut |this, at| {
                    this.one_element(nest, &outs, &[at])
                });
                let one_by_one = this.code.close();
                this.code.if_(whole, batch, one_by_one);
            });
        });
    }

    /// The element at an index, and others as far apart as there are threads.
    fn batch(&mut self, nest: &Nest, outs: &[Array], first: &Exp) {
        let inputs = nest.levels[0].inputs;
        let indices: Vec<Exp> =
            (0..BATCH).map(|k| self.code.bind("i", first.clone().add(k * GROUP)).into()).collect();
        let rows: Vec<Vec<Repr>> = indices.iter().map(|i| self.rows_at(inputs, i)).collect();
        let mut results = Vec::with_capacity(indices.len());
        for rows in rows {
            let mut values = Vec::with_capacity(outs.len());
            self.apply(nest.bottom, rows, &[], &mut |this| {
                for atom in &nest.bottom.body.result {
                    let value = this.scalar(*atom);
                    values.push(this.code.bind("value", value));
                }
            });
            results.push(values);
        }
        for (i, values) in indices.iter().zip(results) {
            for (out, value) in outs.iter().zip(values) {
                self.store(out, std::slice::from_ref(i), value.into());
            }
        }
    }

    // # Rectangles

    fn launch_squares(&mut self, nest: &Nest, widths: &[Exp], rows: &Exp, outs: &[Array], grid: &Grid) {
        let squares = |size: &Exp| size.clone().add(SIDE - 1).quot(SIDE);
        let across = self.code.atom("across", squares(&widths[widths.len() - 1]));
        let count = self.code.atom("count", squares(rows).mul(across.clone()));
        let groups = self.code.atom("groups", count.clone().min(1 << 30));
        let mut extra: Vec<Repr> = outs.iter().cloned().map(Repr::Array).collect();
        extra.extend(widths.iter().cloned().map(Repr::Scalar));
        extra.extend([rows.clone(), across, count].map(Repr::Scalar));
        self.launch_looping_groups("map", &grid.captured, &extra, groups, &mut |this, _, mut given| {
            let mut last = || scalar_inside(given.pop());
            let (count, across, rows) = (last(), last(), last());
            let mut widths = given.split_off(outs.len());
            let columns = scalar_inside(widths.pop());
            let outs: Vec<Array> = given.into_iter().map(array_inside).collect();
            let thread = Exp::Group(GroupExp::Thread);
            let (warp, lane) = (thread.clone().quot(32), thread.rem(32));
            let (warp, lane) = (this.code.atom("warp", warp), this.code.atom("lane", lane));
            const WARPS_ACROSS: i64 = SIDE / ACROSS;
            let down = warp.clone().quot(WARPS_ACROSS).mul(DOWN).add(lane.clone().quot(ACROSS));
            let right = warp.rem(WARPS_ACROSS).mul(ACROSS).add(lane.rem(ACROSS));
            let (down, right) = (this.code.atom("down", down), this.code.atom("right", right));
            this.each_by_groups("square", Exp::i64(1), &count, &mut |this, square| {
                let above: Exp = this.code.bind("above", square.clone().quot(across.clone())).into();
                let before = square.sub(above.clone().mul(across.clone()));
                let row: Exp = this.code.bind("row", above.mul(SIDE).add(down.clone())).into();
                let column: Exp = this.code.bind("column", before.mul(SIDE).add(right.clone())).into();
                this.code.open();
                let mut indices = this.indices_of(row.clone(), &widths);
                indices.push(column.clone());
                this.one_element(nest, &outs, &indices);
                let element = this.code.close();
                this.code.when(row.lt(rows.clone()).and(column.lt(columns.clone())), element);
            });
        });
    }
}

/// How many statements there are, if all of them compute scalars without a loop and nothing can go wrong.
fn numeric_statements(body: &Body) -> Option<usize> {
    let mut count = 0;
    for stm in &body.stms {
        count += match &stm.exp {
            NestExp::Scalar(
                ScalarExp::Atom(_)
                | ScalarExp::Un(..)
                | ScalarExp::Bin(..)
                | ScalarExp::Tri(..)
                | ScalarExp::Convert { .. },
            ) => 1,
            NestExp::Control(ControlExp::If { .. }) => {
                let mut inside = Some(1);
                stm.for_each_part(&mut |part| match part {
                    Part::Body(body) => {
                        inside = inside.zip(numeric_statements(body)).map(|(one, other)| one + other);
                    }
                    Part::Atom(_) | Part::Var(_) | Part::Binder(_) | Part::Lambda(_) => {}
                });
                inside?
            }
            _ => return None,
        };
    }
    Some(count)
}

/// Whether a loop stands in it that ends when it wants.
fn has_while(body: &Body) -> bool {
    body.stms
        .iter()
        .any(|stm| matches!(&stm.exp, NestExp::Control(ControlExp::Loop { form: LoopForm::While(_), .. })))
}
