//! Segmented scans whose neighbouring points read neighbours: running sums down the columns of a row-major matrix.
//!
//! ```text
//! grid (j < m | i < n) { let x: f32 = index xss [i, j]  in x } scan op (x)
//! ```
//!
//! As in `columns`, threads stand along the points: a group has some columns and a chunk of the rows, and each thread has some rows of one column, one
//! after the other. There are three kernels. In the first each thread combines its rows, and the threads of a column theirs: what a chunk yields. In the
//! second, of one group for some columns, these become what comes before each chunk. In the third each thread begins with that and with what the threads
//! before it have, and goes down its rows once more. The order of elements is kept, so that any operator will do.
//!
//! The results lie as the elements do, row by row of the matrix: to transpose them back is a view.

use super::GROUP;
use super::columns::{Cut, Stand};
use super::kernel::{CombiningOut, Kernel, Outs};
use super::kernels::{array_inside, scalar_inside};
use super::lookback::Combine;
use crate::imp_gen::operators::cost::Cost;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr, prim_of};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Elem, Exp, GroupArray, GroupExp, LoopForm, Var as ImpVar};
use norn_ir::nest::{Reduction, Var};

/// A thread goes through so many elements at least.
const SHARE: i64 = 8;
/// As many groups as run at once, divided by this: what comes before each chunk is found by few threads.
const CHUNKS: i64 = 4;

/// So many rows of a thread are read before the first is combined, if little is done with them.
const AHEAD: i64 = 8;

/// What is combined on the way: of each thread a row of columns, and of each chunk.
struct Sums {
    of_threads: Vec<Array>,
    of_chunks: Vec<Array>,
}

/// What a kernel is handed.
struct Given {
    scanned: Vec<Array>,
    kept: Vec<Array>,
    sums: Sums,
    widths: Vec<Repr>,
    cut: Cut,
}

/// A scan down columns: its kernel, the operator, and where everything goes.
pub struct ColumnScan<'a> {
    kernel: &'a Kernel,
    outs: &'a Outs<'a>,
    op: &'a Reduction,
    widths: &'a [Exp],
    length: &'a Exp,
}

impl Gen<'_> {
    /// A kernel that can be done so, with these numbers of points.
    pub fn column_scan<'a>(
        &self,
        kernel: &'a Kernel,
        outs: &'a Outs<'a>,
        sizes: &'a [Exp],
    ) -> Option<ColumnScan<'a>> {
        let [CombiningOut { op, .. }] = &outs.scans[..] else { return None };
        let (length, widths) = sizes.split_last()?;
        let scalar = |var: &Var| self.ty(*var).rank() == sizes.len() && !self.places.contains_key(var);
        let can_be = outs.reductions.is_empty() && self.is_along_points(kernel);
        let all = outs.scans[0].vars.iter().chain(outs.kept_vars);
        (can_be && all.into_iter().all(scalar)).then_some(ColumnScan { kernel, outs, op, widths, length })
    }

    /// Arrays for results, whose last dimension is the outermost in memory.
    pub fn column_outs(&mut self, vars: &[Var], scan: &ColumnScan) -> Vec<Array> {
        let mut sizes = vec![scan.length.clone()];
        sizes.extend(scan.widths.iter().cloned());
        let mut outs = Vec::with_capacity(vars.len());
        for var in vars {
            let prim = prim_of(self.ty(*var).elem().expect("imp_gen: an output of no values"));
            let name = self.name(*var).to_string();
            let mut array = self.new_array_named(&name, prim, &sizes, "scan");
            array.lead.rotate_left(1);
            array.row_major_from = array.lead.len();
            outs.push(array);
        }
        outs
    }

    pub fn scan_columns(&mut self, scan: &ColumnScan, scanned: &[Array], kept: &[Array], grid: &Grid) {
        let columns = self.code.atom("columns", Exp::product(scan.widths.iter().cloned()));
        let cut = self.cut(&columns, scan.length, SHARE, CHUNKS);
        let prims = self.prims_of(scan.op);
        let threads = self.code.atom("threads", cut.chunks.clone().mul(cut.down.clone()));
        let sums = |this: &mut Self, count: &Exp| -> Vec<Array> {
            let sizes = [count.clone(), columns.clone()];
            prims.iter().map(|prim| this.new_array_named("sums", *prim, &sizes, "scan")).collect()
        };
        let sums = Sums { of_threads: sums(self, &threads), of_chunks: sums(self, &cut.chunks) };
        let tiles = cut.tiles.clone();
        let groups = self.code.atom("groups", tiles.clone().mul(cut.chunks.clone()));
        let given = Given {
            scanned: scanned.to_vec(),
            kept: kept.to_vec(),
            sums,
            widths: scan.widths.iter().cloned().map(Repr::Scalar).collect(),
            cut,
        };
        self.launch_columns(&given, groups.clone(), grid, &mut |this, arrays, given| {
            this.sum_columns(arrays, scan, given)
        });
        self.launch_columns(&given, tiles, grid, &mut |this, arrays, given| {
            this.scan_chunks(arrays, scan, given)
        });
        self.launch_columns(&given, groups, grid, &mut |this, arrays, given| {
            this.finish_columns(arrays, scan, given)
        });
    }

    fn launch_columns(
        &mut self,
        given: &Given,
        groups: Exp,
        grid: &Grid,
        make: &mut dyn FnMut(&mut Self, &mut Vec<GroupArray>, &Given),
    ) {
        let Given { scanned, kept, sums, widths, cut } = given;
        let lists = [scanned, kept, &sums.of_threads, &sums.of_chunks];
        let mut extra: Vec<Repr> =
            lists.iter().flat_map(|list| list.iter()).cloned().map(Repr::Array).collect();
        extra.extend(widths.iter().cloned());
        extra.extend(cut.scalars().map(|exp| Repr::Scalar(exp.clone())));
        self.launch_groups("scan", &grid.captured, &extra, groups, &mut |this, arrays, inside| {
            let mut inside = inside.into_iter();
            let mut next = || inside.next().expect("imp_gen: a kernel was handed too little");
            let [scanned, kept, of_threads, of_chunks] =
                lists.map(|list| list.iter().map(|_| array_inside(next())).collect::<Vec<_>>());
            let sums = Sums { of_threads, of_chunks };
            let widths = widths.iter().map(|_| next()).collect();
            let cut = Cut::inside(&mut || scalar_inside(Some(next())));
            make(this, arrays, &Given { scanned, kept, sums, widths, cut });
        });
    }

    // # In kernels

    /// The numbers from here to there of so many in all, if they are dealt out evenly.
    fn part_of_all(&mut self, all: &Exp, parts: &Exp, part: &Exp) -> (Exp, Exp) {
        let share = all.clone().add(parts.clone()).sub(1).quot(parts.clone());
        let share = self.code.atom("share", share);
        let from = self.code.atom("from", part.clone().mul(share.clone()).min(all.clone()));
        let to = self.code.atom("to", from.clone().add(share).min(all.clone()));
        (from, to)
    }

    /// The rows of a thread.
    fn own_rows(&mut self, cut: &Cut, stand: &Stand) -> (Exp, Exp) {
        let threads = cut.chunks.clone().mul(cut.down.clone());
        let threads = self.code.atom("threads", threads);
        let number =
            self.code.atom("number", stand.chunk.clone().mul(cut.down.clone()).add(stand.below.clone()));
        self.part_of_all(&cut.rows, &threads, &number)
    }

    fn neutral_vars(&mut self, op: &Reduction) -> Vec<ImpVar> {
        let neutral = self.neutral_of(op);
        neutral.into_iter().map(|value| self.code.bind("acc", value)).collect()
    }

    /// Combine values with what is there.
    fn add_to(&mut self, op: &Reduction, accs: &[ImpVar], values: &[Exp]) {
        let before: Vec<Exp> = accs.iter().map(|acc| Exp::Var(*acc)).collect();
        let results = self.combined(Combine::Lambda(&op.lambda), &before, values);
        accs.iter().zip(results).for_each(|(acc, result)| self.code.set(*acc, result));
    }

    fn loaded(&mut self, arrays: &[Array], row: &Exp, column: &Exp) -> Vec<Exp> {
        let mut values = Vec::with_capacity(arrays.len());
        for array in arrays {
            let at = self.element_index(array, &[row.clone(), column.clone()]);
            let value = self.element(array, at);
            values.push(self.code.bind("sum", value).into());
        }
        values
    }

    fn keep_sums(&mut self, arrays: &[Array], row: &Exp, column: &Exp, accs: &[ImpVar]) {
        for (array, acc) in arrays.iter().zip(accs) {
            self.store(array, &[row.clone(), column.clone()], Exp::Var(*acc));
        }
    }

    /// Shared memory in which every thread of the group has put its values.
    fn put_in_shared(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        op: &Reduction,
        accs: &[ImpVar],
    ) -> Vec<(ImpVar, Elem)> {
        let thread = Exp::Group(GroupExp::Thread);
        let mut shared = Vec::with_capacity(accs.len());
        for (acc, prim) in accs.iter().zip(self.prims_of(op)) {
            let array = self.shared_array(arrays, "shared", prim, GROUP);
            self.code.store(Elem::Prim(prim), array, thread.clone(), *acc);
            shared.push((array, Elem::Prim(prim)));
        }
        self.barrier();
        shared
    }

    /// What the threads of a column have, from the first up to one.
    fn set_shared(
        &mut self,
        op: &Reduction,
        accs: &[ImpVar],
        shared: &[(ImpVar, Elem)],
        cut: &Cut,
        upto: &Exp,
    ) {
        let neutral = self.neutral_of(op);
        accs.iter().zip(neutral).for_each(|(acc, value)| self.code.set(*acc, value));
        let beside = Exp::Group(GroupExp::Thread).rem(cut.across.clone());
        let beside = self.code.atom("beside", beside);
        self.each(0, upto.clone(), LoopForm::Plain, &mut |this, row| {
            let at = this.code.atom("at", row.mul(cut.across.clone()).add(beside.clone()));
            let mut values = Vec::with_capacity(shared.len());
            for (array, elem) in shared {
                values.push(this.code.bind("other", Exp::load(*elem, *array, at.clone())).into());
            }
            this.guarded(&mut |this| this.add_to(op, accs, &values));
        });
    }

    /// The first kernel.
    fn sum_columns(&mut self, arrays: &mut Vec<GroupArray>, scan: &ColumnScan, given: &Given) {
        let Given { sums, cut, widths, .. } = given;
        let stand = self.stand(cut);
        let accs = self.neutral_vars(scan.op);
        self.code.open();
        let point = self.indices_of(stand.column.clone(), widths);
        let (from, to) = self.own_rows(cut, &stand);
        self.each(from, to, LoopForm::Plain, &mut |this, row| {
            let at: Vec<Exp> = point.iter().cloned().chain([row]).collect();
            this.guarded(&mut |this| {
                this.at_element(scan.kernel, &at, &[], &mut |this| {
                    let values: Vec<Exp> =
                        scan.outs.scans[0].results.iter().map(|atom| this.scalar(*atom)).collect();
                    this.add_to(scan.op, &accs, &values);
                });
            });
        });
        let number = stand.chunk.clone().mul(cut.down.clone()).add(stand.below.clone());
        self.keep_sums(&sums.of_threads, &number, &stand.column, &accs);
        let block = self.code.close();
        self.code.when(stand.is_there.clone(), block);
        let shared = self.put_in_shared(arrays, scan.op, &accs);
        self.code.open();
        self.set_shared(scan.op, &accs, &shared, cut, &cut.down);
        self.keep_sums(&sums.of_chunks, &stand.chunk, &stand.column, &accs);
        let block = self.code.close();
        self.code.when(stand.is_there.and(stand.below.eq(0)), block);
    }

    /// The second kernel: what comes before each chunk.
    fn scan_chunks(&mut self, arrays: &mut Vec<GroupArray>, scan: &ColumnScan, given: &Given) {
        let Given { sums, cut, .. } = given;
        // There are as many groups as tiles, so this is in the first chunk.
        let stand = self.stand(cut);
        let accs = self.neutral_vars(scan.op);
        let (from, to) = self.part_of_all(&cut.chunks, &cut.down, &stand.below);
        self.code.open();
        self.each(from.clone(), to.clone(), LoopForm::Plain, &mut |this, chunk| {
            this.guarded(&mut |this| {
                let values = this.loaded(&sums.of_chunks, &chunk, &stand.column);
                this.add_to(scan.op, &accs, &values);
            });
        });
        let block = self.code.close();
        self.code.when(stand.is_there.clone(), block);
        let shared = self.put_in_shared(arrays, scan.op, &accs);
        self.code.open();
        self.set_shared(scan.op, &accs, &shared, cut, &stand.below);
        self.each(from, to, LoopForm::Plain, &mut |this, chunk| {
            let values = this.loaded(&sums.of_chunks, &chunk, &stand.column);
            this.keep_sums(&sums.of_chunks, &chunk, &stand.column, &accs);
            this.guarded(&mut |this| this.add_to(scan.op, &accs, &values));
        });
        let block = self.code.close();
        self.code.when(stand.is_there, block);
    }

    /// The third kernel.
    fn finish_columns(&mut self, arrays: &mut Vec<GroupArray>, scan: &ColumnScan, given: &Given) {
        let Given { scanned, kept, sums, widths, cut } = given;
        let stand = self.stand(cut);
        self.code.open();
        let accs = self.neutral_vars(scan.op);
        let before = self.loaded(&sums.of_chunks, &stand.chunk, &stand.column);
        self.guarded(&mut |this| this.add_to(scan.op, &accs, &before));
        let first = self.code.atom("first", stand.chunk.clone().mul(cut.down.clone()));
        self.each(0, stand.below.clone(), LoopForm::Plain, &mut |this, row| {
            let values = this.loaded(&sums.of_threads, &first.clone().add(row), &stand.column);
            this.guarded(&mut |this| this.add_to(scan.op, &accs, &values));
        });
        let point = self.indices_of(stand.column.clone(), widths);
        let (from, to) = self.own_rows(cut, &stand);
        let next = self.code.bind("next", from);
        let finish = |this: &mut Self, at: &[Exp], values: &[Exp]| {
            this.add_to(scan.op, &accs, values);
            for (array, acc) in scanned.iter().zip(&accs) {
                this.store(array, at, Exp::Var(*acc));
            }
        };
        let at_row = |row: Exp| -> Vec<Exp> { point.iter().cloned().chain([row]).collect() };
        let results = &scan.outs.scans[0].results;
        if kept.is_empty() && Cost::of(&scan.kernel.body).is_cheap() {
            let ahead = self.thread_arrays(arrays, scan.op);
            self.code.open();
            self.each(0, AHEAD, LoopForm::Plain, &mut |this, k| {
                this.guarded(&mut |this| {
                    let at = at_row(Exp::Var(next).add(k.clone()));
                    this.at_element(scan.kernel, &at, &[], &mut |this| {
                        for (atom, (array, elem)) in results.iter().zip(&ahead) {
                            let value = this.scalar(*atom);
                            this.code.store(*elem, *array, k.clone(), value);
                        }
                    });
                });
            });
            self.each(0, AHEAD, LoopForm::Plain, &mut |this, k| {
                let mut values: Vec<Exp> = Vec::with_capacity(ahead.len());
                for (array, elem) in &ahead {
                    values.push(this.code.bind("value", Exp::load(*elem, *array, k.clone())).into());
                }
                let at = at_row(Exp::Var(next).add(k));
                this.guarded(&mut |this| finish(this, &at, &values));
            });
            self.code.set(next, Exp::Var(next).add(AHEAD));
            let several = self.code.close();
            self.code.while_(Vec::new(), Exp::Var(next).add(AHEAD - 1).lt(to.clone()), several);
        }
        self.each_by("row", next, 1, &to, &mut |this, row| {
            let at = at_row(row);
            this.guarded(&mut |this| {
                this.at_kept_element(scan.kernel, &at, (scan.outs.kept, kept), &mut |this| {
                    let values: Vec<Exp> = results.iter().map(|atom| this.scalar(*atom)).collect();
                    finish(this, &at, &values);
                });
            });
        });
        let block = self.code.close();
        self.code.when(stand.is_there, block);
    }

    /// Arrays of a thread for a few of what an operator combines.
    fn thread_arrays(&mut self, arrays: &mut Vec<GroupArray>, op: &Reduction) -> Vec<(ImpVar, Elem)> {
        let mut own = Vec::new();
        for prim in self.prims_of(op) {
            own.push((self.thread_array(arrays, "ahead", prim, AHEAD), Elem::Prim(prim)));
        }
        own
    }
}
