//! Segmented reductions whose neighbouring points read neighbours: sums of the columns of a row-major matrix.
//!
//! ```text
//! grid (j < m | i < n) { let x: f32 = index xss [i, j]  in x } reduce op (x)
//! ```
//!
//! Along `i` the elements are a row apart, so threads stand along the points, which coalesces: a group has as many columns as a
//! memory transaction serves, and as many rows of them as it has threads left. Each thread goes down its column; then those of a
//! column combine in shared memory. To occupy all groups, columns are cut into chunks, and the results of chunks are a matrix with a row for
//! each chunk, which one more launch reduces in the same way. The order is fixed by sizes and the device.

use super::GROUP;
use super::kernel::{Kernel, reduction_of};
use super::kernels::{array_inside, scalar_inside};
use super::lookback::Combine;
use super::tile_results::Tiles;
use crate::imp_gen::operators::elementwise::any_order;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Elem, Exp, GroupArray, GroupExp, LoopForm, Var as ImpVar};
use norn_ir::nest::Atom;

/// So many columns a group has at most: their elements in a row are some lines of memory.
const ACROSS: i64 = 64;
/// A thread goes through so many elements at least.
const SHARE: i64 = 16;

/// As many rows as this are what one thread goes through, so that no others have to be combined with it.
const FEW_ROWS: i64 = 32;

/// What is combined: the elements of a kernel's space, or what chunks of its columns have yielded, in the order of columns or of tiles.
pub enum Source {
    Body,
    Partials(Vec<Array>),
    Tiles(Vec<Array>, Tiles),
}

/// How a matrix is cut.
pub struct Cut {
    /// How many columns there are, and how many of them a group has.
    pub columns: Exp,
    pub across: Exp,
    /// How many threads each of these has, below each other.
    pub down: Exp,
    pub tiles: Exp,
    pub rows: Exp,
    pub chunks: Exp,
}

/// Where a thread stands in it.
pub struct Stand {
    pub chunk: Exp,
    pub below: Exp,
    pub column: Exp,
    pub is_there: Exp,
}

impl Gen<'_> {
    /// Whether the elements of neighbouring points, and not those of one point, are neighbours in memory.
    pub fn is_along_points(&self, kernel: &Kernel) -> bool {
        let (Some(point), [through]) = (kernel.points.last(), &kernel.through[..]) else { return false };
        if through.size().is_none() {
            return false;
        }
        let (loads, _) = self.loads(&kernel.body.stms, &[]);
        let (mut along_points, mut along_through) = (0, 0);
        for load in &loads {
            let Some(Repr::Array(array)) = self.env.get(&load.array) else { continue };
            if array.counted.is_some() || !array.is_regular() || load.at.len() != array.lead.len() {
                continue;
            }
            let dense = array.lead.iter().rposition(|lead| lead.stride.as_i64() == Some(1));
            let Some(dense) = dense else { continue };
            // What all points read says nothing.
            if !kernel.points.iter().any(|point| load.at.contains(&Atom::Var(point.var))) {
                continue;
            }
            let mentions_through = load.at.contains(&Atom::Var(through.var));
            along_points += usize::from(load.at[dense] == Atom::Var(point.var) && mentions_through);
            along_through += usize::from(load.at[dense] == Atom::Var(through.var));
        }
        along_points > along_through
    }

    /// A matrix of so many columns and rows, in groups of columns and in chunks of rows: as many of these as keep the device busy with a part of
    /// the groups that it runs at once, where each thread goes through so many rows at least.
    pub fn cut(&mut self, columns: &Exp, rows: &Exp, share: i64, part: i64) -> Cut {
        self.cut_across(columns, rows, Exp::i64(ACROSS), share, part)
    }

    /// The same with at most so many columns in a group.
    fn cut_across(&mut self, columns: &Exp, rows: &Exp, most: Exp, share: i64, part: i64) -> Cut {
        let all = self.code.atom("all", self.of_task(columns));
        let across = self.code.atom("across", all.clone().min(most).max(1));
        let down = self.code.atom("down", Exp::i64(GROUP).quot(across.clone()));
        let tiles = columns.clone().add(across.clone()).sub(1).quot(across.clone());
        let tiles = self.code.atom("tiles", tiles);
        let enough = rows.clone().add(down.clone().mul(share)).sub(1).quot(down.clone().mul(share));
        let all_tiles = match self.own_rows.whole {
            Some(_) => all.add(across.clone()).sub(1).quot(across.clone()),
            None => tiles.clone(),
        };
        let most = Exp::DeviceGroups.quot(all_tiles.max(1).mul(part)).max(1);
        let chunks = self.code.atom("chunks", enough.min(most).max(1));
        Cut { columns: columns.clone(), across, down, tiles, rows: rows.clone(), chunks }
    }

    pub fn reduce_columns(
        &mut self,
        kernel: &Kernel,
        widths: &[Exp],
        count: &Exp,
        outs: &[Array],
        grid: &Grid,
    ) {
        let rows = self.extent(kernel.through[0].extent);
        let cut = self.cut(count, &rows, SHARE, 1);
        let chunks = cut.chunks.clone();
        let partials = self.new_chunks(kernel, &chunks, count);
        self.combine_chunks(kernel, Source::Body, &cut, &partials, widths, outs, grid);
        self.code.open();
        self.scoped(&mut |this| {
            let source = Source::Partials(partials.clone());
            this.reduce_chunks(kernel, widths, (&chunks, count), source, outs, grid);
        });
        let again = self.code.close();
        self.code.when(Exp::i64(1).lt(chunks), again);
    }

    /// Memory for what chunks yield for so many points.
    pub fn new_chunks(&mut self, kernel: &Kernel, chunks: &Exp, count: &Exp) -> Vec<Array> {
        let sizes = [chunks.clone(), count.clone()];
        let prims = self.prims_of(reduction_of(kernel).0).into_iter();
        prims.map(|prim| self.new_array_named("partials", prim, &sizes, "reduce")).collect()
    }

    /// What so many chunks have yielded for so many points, combined.
    pub fn reduce_chunks(
        &mut self,
        kernel: &Kernel,
        widths: &[Exp],
        (chunks, count): (&Exp, &Exp),
        from: Source,
        outs: &[Array],
        grid: &Grid,
    ) {
        let across = Exp::select(chunks.clone().le(FEW_ROWS), Exp::i64(GROUP), Exp::i64(ACROSS));
        let cut = self.cut_across(count, chunks, across, SHARE, 1);
        let cut = Cut { chunks: Exp::i64(1), ..cut };
        self.combine_chunks(kernel, from, &cut, &[], widths, outs, grid);
    }

    /// One launch: what each chunk yields is a row of the partial results, or if there is one chunk, what becomes of the columns.
    #[allow(clippy::too_many_arguments)]
    fn combine_chunks(
        &mut self,
        kernel: &Kernel,
        from: Source,
        cut: &Cut,
        partials: &[Array],
        widths: &[Exp],
        outs: &[Array],
        grid: &Grid,
    ) {
        let groups = self.code.atom("groups", cut.tiles.clone().mul(cut.chunks.clone()));
        let sources: &[Array] = match &from {
            Source::Body => &[],
            Source::Partials(arrays) | Source::Tiles(arrays, _) => arrays,
        };
        let arrays = outs.iter().chain(partials).chain(sources);
        let mut extra: Vec<Repr> = arrays.cloned().map(Repr::Array).collect();
        extra.extend(widths.iter().cloned().map(Repr::Scalar));
        extra.extend(cut.scalars().map(|exp| Repr::Scalar(exp.clone())));
        self.launch_groups("reduce", &grid.captured, &extra, groups, &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let mut next = || given.next().expect("imp_gen: a kernel was handed too little");
            let mut all =
                |arrays: &[Array]| -> Vec<Array> { arrays.iter().map(|_| array_inside(next())).collect() };
            let (outs, partials, sources) = (all(outs), all(partials), all(sources));
            let from = match from {
                Source::Body => Source::Body,
                Source::Partials(_) => Source::Partials(sources),
                Source::Tiles(_, tiles) => Source::Tiles(sources, tiles),
            };
            let widths: Vec<Repr> = widths.iter().map(|_| next()).collect();
            let cut = Cut::inside(&mut || scalar_inside(Some(next())));
            this.combine_columns(arrays, kernel, &from, &cut, &partials, &widths, &outs);
        });
    }

    /// In a kernel with a group for each tile of each chunk.
    pub fn stand(&mut self, cut: &Cut) -> Stand {
        let (group, thread) = (Exp::Group(GroupExp::Group), Exp::Group(GroupExp::Thread));
        let chunk: Exp = self.code.bind("chunk", group.clone().quot(cut.tiles.clone())).into();
        let tile = group.sub(chunk.clone().mul(cut.tiles.clone()));
        let below: Exp = self.code.bind("below", thread.clone().quot(cut.across.clone())).into();
        let beside = thread.sub(below.clone().mul(cut.across.clone()));
        let column: Exp = self.code.bind("column", tile.mul(cut.across.clone()).add(beside)).into();
        let is_there = below.clone().lt(cut.down.clone()).and(column.clone().lt(cut.columns.clone()));
        let is_there: Exp = self.code.bind("is_there", is_there).into();
        Stand { chunk, below, column, is_there }
    }

    #[allow(clippy::too_many_arguments)]
    fn combine_columns(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        kernel: &Kernel,
        from: &Source,
        cut: &Cut,
        partials: &[Array],
        widths: &[Repr],
        outs: &[Array],
    ) {
        let (op, _) = reduction_of(kernel);
        let thread = Exp::Group(GroupExp::Thread);
        let Stand { chunk, below, column, is_there } = self.stand(cut);
        let share = cut.rows.clone().add(cut.chunks.clone()).sub(1).quot(cut.chunks.clone());
        let share: Exp = self.code.bind("share", share).into();
        let first: Exp =
            self.code.bind("first", chunk.clone().mul(share.clone()).min(cut.rows.clone())).into();
        let end: Exp = self.code.bind("end", first.clone().add(share).min(cut.rows.clone())).into();
        let neutral = self.neutral_of(op);
        let accs: Vec<ImpVar> = neutral.into_iter().map(|value| self.code.bind("acc", value)).collect();
        let values = |vars: &[ImpVar]| -> Vec<Exp> { vars.iter().map(|var| Exp::Var(*var)).collect() };

        // Down the column.
        self.code.open();
        let point = match from {
            Source::Body => self.indices_of(column.clone(), widths),
            Source::Partials(_) | Source::Tiles(..) => Vec::new(),
        };
        let mut element = |this: &mut Self, row: Exp| {
            let add = |this: &mut Self, elements: &[Exp]| {
                let results = this.combined(Combine::Lambda(&op.lambda), &values(&accs), elements);
                accs.iter().zip(results).for_each(|(acc, result)| this.code.set(*acc, result));
            };
            this.guarded(&mut |this| match from {
                Source::Body => {
                    let at: Vec<Exp> = point.iter().cloned().chain([row.clone()]).collect();
                    this.at_element(kernel, &at, &[], &mut |this| {
                        let elements: Vec<Exp> =
                            kernel.body.result.iter().map(|atom| this.scalar(*atom)).collect();
                        add(this, &elements);
                    });
                }
                Source::Partials(arrays) | Source::Tiles(arrays, _) => {
                    let mut elements = Vec::with_capacity(arrays.len());
                    for array in arrays {
                        let at = this.element_index(array, &[row.clone(), column.clone()]);
                        let value = this.element(array, at);
                        elements.push(this.code.bind("partial", value).into());
                    }
                    add(this, &elements);
                }
            });
        };
        if any_order(op) {
            let row = first.clone().add(below.clone());
            self.each_by("row", row, cut.down.clone(), &end, &mut element);
        } else {
            let own = end.clone().sub(first.clone()).add(cut.down.clone()).sub(1).quot(cut.down.clone());
            let own: Exp = self.code.bind("own", own).into();
            let row = first.clone().add(below.clone().mul(own.clone())).min(end.clone());
            let row: Exp = self.code.bind("begin", row).into();
            let to: Exp = self.code.bind("to", row.clone().add(own).min(end.clone())).into();
            self.each(row, to, LoopForm::Plain, &mut element);
        }
        let block = self.code.close();
        self.code.when(is_there.clone(), block);

        // Across the rows of threads: 1, 2, 4, .. are how far apart those are that are combined.
        let mut columns: Vec<(ImpVar, ImpVar, Elem)> = Vec::with_capacity(accs.len());
        for (acc, prim) in accs.iter().zip(self.prims_of(op)) {
            let shared = self.shared_array(arrays, "shared", prim, GROUP);
            columns.push((*acc, shared, Elem::Prim(prim)));
        }
        for (acc, shared, elem) in &columns {
            self.code.store(*elem, *shared, thread.clone(), *acc);
        }
        self.barrier();
        let apart = self.code.bind("apart", 1);
        self.code.open();
        self.code.open();
        self.guarded(&mut |this| {
            let at: Exp =
                this.code.bind("at", thread.clone().add(Exp::Var(apart).mul(cut.across.clone()))).into();
            let mut others = Vec::with_capacity(columns.len());
            for (_, shared, elem) in &columns {
                let other = Exp::load(*elem, *shared, at.clone());
                others.push(this.code.bind("other", other).into());
            }
            let results = this.combined(Combine::Lambda(&op.lambda), &values(&accs), &others);
            for ((acc, shared, elem), result) in columns.iter().zip(results) {
                this.code.set(*acc, result);
                this.code.store(*elem, *shared, thread.clone(), *acc);
            }
        });
        let block = self.code.close();
        let two = Exp::Var(apart).mul(2);
        let is_first = below.clone().rem(two.clone()).eq(0);
        let has_other = below.clone().add(apart).lt(cut.down.clone());
        self.code.when(is_first.and(has_other).and(is_there.clone()), block);
        self.barrier();
        self.code.set(apart, two);
        let body = self.code.close();
        self.code.while_(Vec::new(), Exp::Var(apart).lt(cut.down.clone()), body);

        self.code.open();
        self.code.open();
        let (point, has_point) = match from {
            Source::Body | Source::Partials(_) => (self.indices_of(column.clone(), widths), None),
            Source::Tiles(_, tiles) => {
                let widths: Vec<Exp> =
                    widths.iter().map(|width| scalar_inside(Some(width.clone()))).collect();
                let (point, has_point) = self.point_of_slot(tiles, &column, &widths);
                (point, Some(has_point))
            }
        };
        self.code.open();
        self.guarded(&mut |this| this.finish_point(kernel, &point, &values(&accs), outs));
        let block = self.code.close();
        match has_point {
            Some(has_point) => self.code.when(has_point, block),
            None => block.into_iter().for_each(|stmt| self.code.push(stmt)),
        }
        let finished = self.code.close();
        self.code.open();
        for (partial, acc) in partials.iter().zip(&accs) {
            self.store(partial, &[chunk.clone(), column.clone()], Exp::Var(*acc));
        }
        let kept = self.code.close();
        match partials {
            [] => finished.into_iter().for_each(|stmt| self.code.push(stmt)),
            _ => self.code.if_(cut.chunks.clone().eq(1), finished, kept),
        }
        let block = self.code.close();
        self.code.when(is_there.and(below.eq(0)), block);
    }
}

impl Cut {
    pub fn scalars(&self) -> impl Iterator<Item = &Exp> {
        [&self.columns, &self.across, &self.down, &self.tiles, &self.rows, &self.chunks].into_iter()
    }

    pub fn inside(next: &mut dyn FnMut() -> Exp) -> Cut {
        let (columns, across, down) = (next(), next(), next());
        Cut { columns, across, down, tiles: next(), rows: next(), chunks: next() }
    }
}
