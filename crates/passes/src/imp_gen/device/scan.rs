//! Scans on the device.
//!
//! - If the result does not depend on the order of combination, the scan is one kernel with decoupled look-back, tile by tile (`lookback`).
//! - For floats it does depend, and with look-back it would depend on timing. So there are three kernels (reduce, scan, scan): sums of tiles, a
//!   scan of these, and a scan of each tile from there. The second read of the input comes from the cache if it is small enough.
//! - With points, the scan is segmented, a segment for each row: the sum restarts where a row begins, which follows from the index of an element. Rows that
//!   fit into a tile are scanned in one kernel whatever the operator, since a tile has whole rows then.
//! - Where neighbouring points read neighbours, threads go down the columns (`scan_columns`).
//!
//! Neighbouring threads compute neighbouring elements, and exchange them in shared memory, so that each then has a few consecutive elements
//! to scan. So all accesses to memory coalesce.

use super::GROUP;
use super::kernel::{CombiningOut, Kernel, Outs, outs_of, tunable};
use super::kernels::{array_inside, arrays_inside, scalar_inside};
use super::lookback::{Combine, Tiles};
use super::reduce::Combining;
use super::tile_loop::TileLoop;
use crate::imp_gen::operators::accs::{AccHome, Accs};
use crate::imp_gen::operators::cost::Cost;
use crate::imp_gen::operators::elementwise::any_order;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr, prim_of};
use crate::imp_gen::state::Gen;
use norn_ir::flat::Tunable;
use norn_ir::imp::{Elem, Exp, GroupArray, GroupExp, LoopForm, Prim, Scalar, Stmt, Var as ImpVar};
use norn_ir::nest::{Reduction, Var};

/// What one scan has: its columns, and where they go.
struct Part<'a> {
    op: &'a Reduction,
    prims: Vec<Prim>,
    outs: Vec<Array>,
    before: Before,
    /// How long rows are, if there are several: then the states of tiles have one more column, the flag whether a row begins in the tile.
    row: Option<Exp>,
}

/// What a thread adds up beside scans.
struct Sum<'a> {
    op: &'a Reduction,
    prims: Vec<Prim>,
    accs: Accs,
    /// Where elements are kept until a thread has neighbours, if the order matters.
    kept: Vec<ImpVar>,
}

/// Where a tile learns what is before it.
#[allow(clippy::large_enum_variant)] // There are few, and they do not live long.
enum Before {
    /// There is nothing.
    Nothing,
    Tiles(Tiles),
    /// For each column the sums of tiles, which become those of everything up to their ends.
    Sums(Vec<Array>),
}

/// What a kernel does with a tile.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// All of it.
    Whole,
    /// Elements are computed and added up; where they are not cheap, they are kept in the outputs.
    Sum { stores: bool },
    /// What was added up is there.
    Scan { stored: bool },
}

impl Gen<'_> {
    /// A kernel whose outs are scans, maps and, without points, reductions. It is done in one pass if tiles look back.
    pub fn scan_tiles(&mut self, vars: &[Var], kernel: &Kernel, looks_back: bool, grid: &Grid) {
        let sizes: Vec<Exp> = kernel.dims().map(|dim| self.extent(dim.extent)).collect();
        let outs = &outs_of(kernel, vars);
        let by_columns = self.column_scan(kernel, outs, &sizes);
        let arrays = |this: &mut Self, vars: &[Var]| match &by_columns {
            Some(scan) => this.column_outs(vars, scan),
            None => this.nest_outs(vars, &sizes),
        };
        let kept = arrays(self, outs.kept_vars);
        let scanned: Vec<Vec<Array>> = outs.scans.iter().map(|part| arrays(self, part.vars)).collect();
        let each = tunable(kernel, Tunable::Each);
        let width = &self.code.atom("total", Exp::product(sizes.iter().cloned()));
        let tile = &Exp::i64(each * GROUP);
        let cut = Cut { kernel, outs, kept: &kept, scanned: &scanned, sizes: &sizes, width, tile, each };
        if let Some(scan) = &by_columns {
            self.scoped(&mut |this| this.scan_columns(scan, &scanned[0], &kept, grid));
        } else if kernel.points.is_empty() {
            let before = if looks_back { What::Tiles } else { What::Sums };
            self.scan_cut(&cut, before, grid);
        } else {
            let row = &sizes[sizes.len() - 1];
            let fits = row.clone().le(tile.clone());
            let rows = tile.clone().quot(row.clone().max(1)).mul(row.clone()).max(1);
            let whole = &self.code.atom("tile", Exp::select(fits.clone(), rows, tile.clone()));
            self.code.open();
            self.scoped(&mut |this| this.scan_cut(&Cut { tile: whole, ..cut }, What::Nothing, grid));
            let by_rows = self.code.close();
            self.code.open();
            let before = if looks_back { What::Tiles } else { What::Sums };
            self.scoped(&mut |this| this.scan_cut(&cut, before, grid));
            let in_pieces = self.code.close();
            self.code.if_(fits, by_rows, in_pieces);
        }
        for (scan, arrays) in outs.scans.iter().zip(scanned) {
            self.bind_kept(scan.vars, arrays);
        }
        self.bind_kept(outs.kept_vars, kept);
    }

    fn scan_cut(&mut self, cut: &Cut, before: What, grid: &Grid) {
        let Cut { kernel, outs, kept, scanned, sizes, width, tile, each } = *cut;
        let count = width.clone().add(tile.clone()).sub(1).quot(tile.clone()).max(1);
        let count: Exp = self.code.bind("tiles", count).into();
        let row = (!kernel.points.is_empty()).then(|| sizes[sizes.len() - 1].clone());
        let mut parts = Vec::with_capacity(outs.scans.len());
        for (CombiningOut { op, .. }, arrays) in outs.scans.iter().zip(scanned) {
            let (prims, outs) = (self.prims_of(op), arrays.clone());
            let mut part = Part { op, prims, outs, before: Before::Nothing, row: row.clone() };
            let columns = part.columns();
            part.before = match before {
                What::Nothing => Before::Nothing,
                What::Tiles => Before::Tiles(self.new_tiles(part.combine(), &columns, &count, "scan")),
                What::Sums => {
                    let size = std::slice::from_ref(&count);
                    let sums = columns.iter().map(|prim| self.new_array_named("sums", *prim, size, "scan"));
                    Before::Sums(sums.collect())
                }
            };
            parts.push(part);
        }
        let partials: Vec<Vec<Array>> =
            outs.reductions.iter().map(|part| self.new_partials(&part.op.lambda, &count)).collect();
        let results = self.new_totals(&outs.reductions);
        let (parts, partials) = (&parts[..], &partials[..]);
        let scan = DeviceScan {
            kernel,
            outs,
            kept,
            parts,
            partials,
            results: &results,
            sizes,
            width,
            tile,
            count: &count,
            each,
        };
        match before {
            What::Nothing | What::Tiles => self.launch_scan(&scan, Stage::Whole, grid),
            What::Sums => {
                let cheap = Cost::of(&kernel.body).is_cheap();
                self.launch_scan(&scan, Stage::Sum { stores: !cheap }, grid);
                self.scan_sums(&scan, grid);
                self.launch_scan(&scan, Stage::Scan { stored: !cheap }, grid);
            }
        }
        self.bind_totals(&outs.reductions, results);
    }

    pub fn prims_of(&self, op: &Reduction) -> Vec<Prim> {
        let params = &op.lambda.params[..op.neutral.len()];
        let prim = |param| prim_of(self.ty(param).elem().expect("imp_gen: an accumulator of no value"));
        params.iter().map(|param| prim(*param)).collect()
    }

    fn launch_scan(&mut self, scan: &DeviceScan, stage: Stage, grid: &Grid) {
        let mut extra: Vec<Repr> = scan.kept.iter().cloned().map(Repr::Array).collect();
        extra.extend(scan.parts.iter().flat_map(Part::reprs));
        extra.extend(scan.partials.iter().chain(scan.results).flatten().cloned().map(Repr::Array));
        let scalars = scan.sizes.iter().chain([scan.width, scan.tile, scan.count]);
        extra.extend(scalars.cloned().map(Repr::Scalar));
        let groups = scan.count.clone();
        self.launch_groups("scan", &grid.captured, &extra, groups, &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let kept: Vec<Array> = given.by_ref().take(scan.kept.len()).map(array_inside).collect();
            let parts: Vec<Part> = scan.parts.iter().map(|part| part.inside(&mut given)).collect();
            let partials = arrays_inside(scan.partials, &mut given);
            let results = arrays_inside(scan.results, &mut given);
            let mut scalar = || scalar_inside(given.next());
            let sizes: Vec<Exp> = scan.sizes.iter().map(|_| scalar()).collect();
            let (width, tile, count) = (scalar(), scalar(), scalar());
            let scan = DeviceScan {
                kept: &kept,
                parts: &parts,
                partials: &partials,
                results: &results,
                sizes: &sizes,
                width: &width,
                tile: &tile,
                count: &count,
                ..*scan
            };
            this.scan_tile(arrays, &scan, stage);
        });
    }

    /// In a kernel of one group: the sums of tiles become those of everything up to their ends.
    fn scan_sums(&mut self, scan: &DeviceScan, grid: &Grid) {
        let mut extra: Vec<Repr> = scan.parts.iter().flat_map(Part::reprs).collect();
        extra.push(Repr::Scalar(scan.count.clone()));
        self.launch_groups("scan", &grid.captured, &extra, Exp::i64(1), &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let parts: Vec<Part> = scan.parts.iter().map(|part| part.inside(&mut given)).collect();
            let count = scalar_inside(given.next());
            for part in &parts {
                this.scan_sums_of(arrays, part, &count);
            }
        });
    }

    fn scan_sums_of(&mut self, arrays: &mut Vec<GroupArray>, part: &Part, count: &Exp) {
        let Before::Sums(sums) = &part.before else { panic!("imp_gen: sums of tiles that look back") };
        let op = part.combine();
        let thread = Exp::Group(GroupExp::Thread);
        let share: Exp = self.code.bind("share", count.clone().add(GROUP - 1).quot(GROUP)).into();
        let from: Exp = self.code.bind("from", thread.clone().mul(share.clone()).min(count.clone())).into();
        let to: Exp = self.code.bind("to", from.clone().add(share).min(count.clone())).into();
        let neutral = self.neutral_columns(part);
        let accs: Vec<ImpVar> = neutral.iter().map(|x| self.code.bind("acc", x.clone())).collect();
        let values = |accs: &[ImpVar]| -> Vec<Exp> { accs.iter().map(|var| Exp::Var(*var)).collect() };
        let add = |this: &mut Self, i: &Exp| {
            let next: Vec<Exp> =
                this.partial_at(sums, i).into_iter().map(|x| scalar_inside(Some(x))).collect();
            this.guarded(&mut |this| {
                let results = this.combined(op, &values(&accs), &next);
                accs.iter().zip(results).for_each(|(acc, result)| this.code.set(*acc, result));
            });
        };
        self.each(from.clone(), to.clone(), LoopForm::Plain, &mut |this, i| add(this, &i));
        let columns = part.columns();
        let shared = self.scan_group(arrays, op, &columns, &values(&accs));
        // What the threads before have is where this one begins.
        for (acc, value) in accs.iter().zip(neutral) {
            self.code.set(*acc, value);
        }
        let mut sets = Vec::new();
        for ((acc, shared), prim) in accs.iter().zip(&shared).zip(&columns) {
            sets.push(Stmt::Set(*acc, Exp::load(Elem::Prim(*prim), *shared, thread.clone().sub(1))));
        }
        self.code.when(Exp::i64(0).lt(thread), sets);
        self.each(from, to, LoopForm::Plain, &mut |this, i| {
            add(this, &i);
            let sum: Vec<Repr> = values(&accs).into_iter().map(Repr::Scalar).collect();
            this.store_partial(sums, &i, &sum);
        });
        self.barrier();
    }

    fn scan_tile(&mut self, arrays: &mut Vec<GroupArray>, scan: &DeviceScan, stage: Stage) {
        let DeviceScan { kernel, outs, kept, parts, partials, width, count, each, .. } = *scan;
        let tile = match &parts[0].before {
            Before::Tiles(tiles) => self.take_tile(arrays, tiles, count),
            Before::Nothing | Before::Sums(_) => self.code.bind("tile", Exp::Group(GroupExp::Group)).into(),
        };
        let first: Exp = self.code.bind("first", tile.clone().mul(scan.tile.clone())).into();
        let mut columns = |this: &mut Self, name: &str, prims: &[Prim]| -> Vec<ImpVar> {
            prims.iter().map(|prim| this.shared_array(arrays, name, *prim, each * GROUP)).collect()
        };
        let shared: Vec<Vec<ImpVar>> =
            parts.iter().map(|part| columns(self, "elements", &part.prims)).collect();
        let mut sums: Vec<Sum> = Vec::new();
        if matches!(stage, Stage::Whole | Stage::Sum { .. }) {
            for CombiningOut { op, .. } in &outs.reductions {
                let accs = self.neutral_accs(op, AccHome::Buffers(None));
                let prims = self.prims_of(op);
                let kept = if any_order(op) { Vec::new() } else { columns(self, "in_order", &prims) };
                sums.push(Sum { op, prims, accs, kept });
            }
        }

        // Each element, by neighbouring threads.
        let left = width.clone().sub(first.clone()).min(scan.tile.clone());
        let left = self.code.atom("left", left);
        // Indices in a space of several dimensions are quotients, of which a few are enough to read.
        let written_out = kernel.points.is_empty();
        let is_cheap = Cost::of(&kernel.body).is_cheap();
        self.each_of_tile(
            &TileLoop { each, left: left.clone(), is_cheap, written_out },
            &mut |this, place| {
                let i: Exp = this.code.bind("i", first.clone().add(place.in_tile.clone())).into();
                let place = &place.in_tile;
                this.guarded(&mut |this| {
                    this.scoped(&mut |this| match stage {
                        Stage::Scan { stored: true } => this.stored_element(scan, &shared, &i, place),
                        Stage::Whole | Stage::Sum { .. } => {
                            this.element_of_scan(scan, kept, &shared, &sums, &i, place);
                        }
                        Stage::Scan { stored: false } => {
                            this.element_of_scan(scan, &[], &shared, &sums, &i, place);
                        }
                    });
                });
            },
            &mut |this, place| {
                let scanned = parts.iter().zip(&shared).map(|(part, shared)| (part.op, &part.prims, shared));
                let summed = sums.iter().map(|sum| (sum.op, &sum.prims, &sum.kept));
                for (op, prims, shared) in scanned.chain(summed) {
                    let neutral = this.neutral_of(op);
                    for ((shared, prim), value) in shared.iter().zip(prims).zip(neutral) {
                        this.code.store(Elem::Prim(*prim), *shared, place.in_tile.clone(), value);
                    }
                }
            },
        );
        self.barrier();
        if stage == (Stage::Sum { stores: true }) {
            self.store_tile(scan, &shared, &first, &left);
        }
        for (part, shared) in parts.iter().zip(&shared) {
            self.scan_part(arrays, part, shared, [&tile, &first], each, stage);
        }
        match stage {
            Stage::Whole | Stage::Scan { .. } => {
                self.barrier();
                self.store_tile(scan, &shared, &first, &left);
            }
            Stage::Sum { .. } => {}
        }
        let mut rooms = Vec::with_capacity(sums.len());
        for (sum, partials) in sums.iter().zip(partials) {
            self.sum_in_order(sum, each);
            let room = self.room_to_combine(arrays, &sum.op.lambda);
            self.combine_group(&room, &sum.op.lambda, &sum.accs, partials, &tile);
            rooms.push(room);
        }
        if !sums.is_empty() {
            let combining =
                Combining { reductions: &outs.reductions, rooms: &rooms, partials, results: scan.results };
            self.combine_totals(arrays, &combining, count);
        }
    }

    /// What a thread has of a sum whose order matters: elements one after the other.
    fn sum_in_order(&mut self, sum: &Sum, each: i64) {
        if sum.kept.is_empty() {
            return;
        }
        let own: Exp = self.code.bind("own", Exp::Group(GroupExp::Thread).mul(each)).into();
        self.each(0, each, LoopForm::Plain, &mut |this, k| {
            let at: Exp = this.code.bind("at", own.clone().add(k)).into();
            let mut values = Vec::with_capacity(sum.kept.len());
            for (kept, prim) in sum.kept.iter().zip(&sum.prims) {
                let value = Exp::load(Elem::Prim(*prim), *kept, at.clone());
                values.push(Repr::Scalar(this.code.bind("element", value).into()));
            }
            this.guarded(&mut |this| {
                this.scoped(&mut |this| this.combine(&sum.op.lambda, &sum.accs, &values, &[]));
            });
        });
    }

    /// What is in shared memory goes to the outputs, by neighbouring threads.
    fn store_tile(&mut self, scan: &DeviceScan, shared: &[Vec<ImpVar>], first: &Exp, left: &Exp) {
        self.each_of_tile(
            &TileLoop { each: scan.each, left: left.clone(), is_cheap: true, written_out: true },
            &mut |this, place| {
                let i: Exp = this.code.bind("i", first.clone().add(place.in_tile.clone())).into();
                for (part, shared) in scan.parts.iter().zip(shared) {
                    for ((out, shared), prim) in part.outs.iter().zip(shared).zip(&part.prims) {
                        let value = Exp::load(Elem::Prim(*prim), *shared, place.in_tile.clone());
                        let at = this.place_in(out, &i, scan.sizes);
                        this.put(out, at, value);
                    }
                }
            },
            &mut |_, _| {},
        );
    }

    /// An element that was computed before.
    fn stored_element(&mut self, scan: &DeviceScan, shared: &[Vec<ImpVar>], i: &Exp, place: &Exp) {
        for (part, shared) in scan.parts.iter().zip(shared) {
            for ((out, shared), prim) in part.outs.iter().zip(shared).zip(&part.prims) {
                let at = self.place_in(out, i, scan.sizes);
                let value = self.element(out, at);
                self.code.store(Elem::Prim(*prim), *shared, place.clone(), value);
            }
        }
    }

    /// Where an array with the dimensions of the space has the element with this number.
    fn place_in(&mut self, array: &Array, number: &Exp, sizes: &[Exp]) -> Exp {
        if array.is_row_major() {
            return number.clone();
        }
        let indices = self.indices_of_sizes(number.clone(), sizes);
        self.element_index(array, &indices)
    }

    /// Of all columns of the states of tiles.
    fn neutral_columns(&mut self, part: &Part) -> Vec<Exp> {
        let flag = part.row.iter().map(|_| Exp::Const(Scalar::I32(0)));
        flag.chain(self.neutral_of(part.op)).collect()
    }

    pub fn neutral_of(&mut self, op: &Reduction) -> Vec<Exp> {
        op.neutral.iter().map(|atom| self.scalar(*atom)).collect()
    }

    /// What is to be scanned goes to shared memory, what is kept to these arrays.
    fn element_of_scan(
        &mut self,
        scan: &DeviceScan,
        kept: &[Array],
        shared: &[Vec<ImpVar>],
        sums: &[Sum],
        i: &Exp,
        place: &Exp,
    ) {
        let kept = (scan.outs.kept, kept);
        let indices = self.indices_of_sizes(i.clone(), scan.sizes);
        self.at_kept_element(scan.kernel, &indices, kept, &mut |this| {
            for ((part, shared), scanned) in scan.parts.iter().zip(shared).zip(&scan.outs.scans) {
                for ((shared, prim), atom) in shared.iter().zip(&part.prims).zip(scanned.results) {
                    let value = this.scalar(*atom);
                    this.code.store(Elem::Prim(*prim), *shared, place.clone(), value);
                }
            }
            for (sum, reduced) in sums.iter().zip(&scan.outs.reductions) {
                if sum.kept.is_empty() {
                    let values: Vec<Repr> = reduced.results.iter().map(|atom| this.value(*atom)).collect();
                    this.combine(&sum.op.lambda, &sum.accs, &values, &[]);
                    continue;
                }
                for ((kept, prim), atom) in sum.kept.iter().zip(&sum.prims).zip(reduced.results) {
                    let value = this.scalar(*atom);
                    this.code.store(Elem::Prim(*prim), *kept, place.clone(), value);
                }
            }
        });
    }

    /// What is before a tile, if sums up to the ends of all tiles are there.
    fn sum_before(&mut self, sums: &[Array], tile: &Exp, neutral: Vec<Exp>) -> Vec<Exp> {
        let carry: Vec<ImpVar> = neutral.into_iter().map(|value| self.code.bind("carry", value)).collect();
        self.code.open();
        let before = self.code.atom("before", tile.clone().sub(1));
        let values = self.partial_at(sums, &before);
        for (carry, value) in carry.iter().zip(values) {
            self.code.set(*carry, scalar_inside(Some(value)));
        }
        let block = self.code.close();
        self.code.when(Exp::i64(0).lt(tile.clone()), block);
        carry.into_iter().map(Exp::Var).collect()
    }

    /// The elements in shared memory are replaced by sums of all up to them.
    fn scan_part(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        part: &Part,
        shared: &[ImpVar],
        [tile, first]: [&Exp; 2],
        each: i64,
        stage: Stage,
    ) {
        let op = part.combine();
        let thread = Exp::Group(GroupExp::Thread);
        let own: Exp = self.code.bind("own", thread.clone().mul(each)).into();
        let columns = part.columns();
        let elems: Vec<Elem> = columns.iter().map(|prim| Elem::Prim(*prim)).collect();
        let of_values = &elems[elems.len() - shared.len()..];
        // Where in its row the next element is.
        let begin = part.row.as_ref().map(|row| {
            let sizes = [Exp::i64(0), row.clone()];
            self.indices_of_sizes(first.clone().add(own.clone()), &sizes).remove(1)
        });
        let within = begin.as_ref().map(|begin| self.code.bind("within", begin.clone()));
        let load = |this: &mut Self, at: Exp| -> Vec<Exp> {
            let mut values: Vec<Exp> = Vec::with_capacity(elems.len());
            if let (Some(within), Some(row)) = (within, &part.row) {
                let flag = |value: i32| Exp::Const(Scalar::I32(value));
                let begins = Exp::select(Exp::Var(within).eq(0), flag(1), flag(0));
                values.push(this.code.bind("begins", begins).into());
                let next = Exp::Var(within).add(1);
                let next = Exp::select(next.clone().eq(row.clone()), Exp::i64(0), next);
                this.code.set(within, next);
            }
            for (shared, elem) in shared.iter().zip(of_values) {
                values.push(this.code.bind("element", Exp::load(*elem, *shared, at.clone())).into());
            }
            values
        };
        let accs: Vec<ImpVar> =
            load(self, own.clone()).into_iter().map(|x| self.code.bind("acc", x)).collect();
        let values = |accs: &[ImpVar]| -> Vec<Exp> { accs.iter().map(|var| Exp::Var(*var)).collect() };
        let set = |this: &mut Self, accs: &[ImpVar], results: Vec<Exp>| {
            accs.iter().zip(results).for_each(|(acc, result)| this.code.set(*acc, result));
        };
        self.each(1, each, LoopForm::Plain, &mut |this, k| {
            let next = load(this, own.clone().add(k));
            this.guarded(&mut |this| {
                let results = this.combined(op, &values(&accs), &next);
                set(this, &accs, results);
            });
        });
        let sums = self.scan_group(arrays, op, &columns, &values(&accs));
        let aggregate: Vec<Exp> = sums
            .iter()
            .zip(&elems)
            .map(|(sums, elem)| self.code.bind("aggregate", Exp::load(*elem, *sums, GROUP - 1)).into())
            .collect();
        let neutral = self.neutral_columns(part);
        let carry = match (&part.before, stage) {
            (Before::Nothing, _) => neutral,
            (Before::Tiles(tiles), _) => {
                self.look_back(arrays, op, &columns, &neutral, tiles, tile, &aggregate)
            }
            (Before::Sums(into), Stage::Sum { .. } | Stage::Whole) => {
                self.code.open();
                let aggregate: Vec<Repr> = aggregate.into_iter().map(Repr::Scalar).collect();
                self.store_partial(into, tile, &aggregate);
                let block = self.code.close();
                return self.code.when(thread.eq(0), block);
            }
            (Before::Sums(sums), Stage::Scan { .. }) => self.sum_before(sums, tile, neutral),
        };
        set(self, &accs, carry.clone());
        // What the threads before have.
        self.code.open();
        let before: Vec<Exp> = sums
            .iter()
            .zip(&elems)
            .map(|(sums, elem)| {
                let value = Exp::load(*elem, *sums, thread.clone().sub(1));
                self.code.bind("before", value).into()
            })
            .collect();
        self.guarded(&mut |this| {
            let results = this.combined(op, &carry, &before);
            set(this, &accs, results);
        });
        let block = self.code.close();
        self.code.when(Exp::i64(0).lt(thread), block);
        if let (Some(within), Some(begin)) = (within, begin) {
            self.code.set(within, begin);
        }
        let of_values = &accs[accs.len() - shared.len()..];
        self.each(0, each, LoopForm::Plain, &mut |this, k| {
            let at: Exp = this.code.bind("at", own.clone().add(k)).into();
            let next = load(this, at.clone());
            this.guarded(&mut |this| {
                let results = this.combined(op, &values(&accs), &next);
                set(this, &accs, results);
            });
            for ((shared, prim), acc) in shared.iter().zip(&part.prims).zip(of_values) {
                this.code.store(Elem::Prim(*prim), *shared, at.clone(), *acc);
            }
        });
    }
}

/// A scan, and how it is cut into tiles.
#[derive(Clone, Copy)]
struct Cut<'a> {
    kernel: &'a Kernel,
    outs: &'a Outs<'a>,
    kept: &'a [Array],
    scanned: &'a [Vec<Array>],
    /// Of the space.
    sizes: &'a [Exp],
    /// How many elements there are in all, and how many in a tile.
    width: &'a Exp,
    tile: &'a Exp,
    each: i64,
}

/// How a tile learns what is before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Nothing,
    Tiles,
    Sums,
}

/// A scan as its kernels see it.
#[derive(Clone, Copy)]
struct DeviceScan<'a> {
    kernel: &'a Kernel,
    outs: &'a Outs<'a>,
    kept: &'a [Array],
    parts: &'a [Part<'a>],
    partials: &'a [Vec<Array>],
    results: &'a [Vec<Array>],
    sizes: &'a [Exp],
    width: &'a Exp,
    tile: &'a Exp,
    count: &'a Exp,
    each: i64,
}

impl<'a> Part<'a> {
    fn reprs(&self) -> Vec<Repr> {
        let mut reprs: Vec<Repr> = self.outs.iter().cloned().map(Repr::Array).collect();
        match &self.before {
            Before::Nothing => {}
            Before::Tiles(tiles) => reprs.extend(tiles.reprs()),
            Before::Sums(sums) => reprs.extend(sums.iter().cloned().map(Repr::Array)),
        }
        reprs.extend(self.row.clone().map(Repr::Scalar));
        reprs
    }

    fn inside(&self, given: &mut dyn Iterator<Item = Repr>) -> Part<'a> {
        let outs = arrays_inside(std::slice::from_ref(&self.outs), given).remove(0);
        let before = match &self.before {
            Before::Nothing => Before::Nothing,
            Before::Tiles(tiles) => Before::Tiles(tiles.inside(given)),
            Before::Sums(sums) => Before::Sums(arrays_inside(std::slice::from_ref(sums), given).remove(0)),
        };
        let row = self.row.as_ref().map(|_| scalar_inside(given.next()));
        Part { op: self.op, prims: self.prims.clone(), outs, before, row }
    }

    /// The states of tiles.
    fn columns(&self) -> Vec<Prim> {
        self.row.iter().map(|_| Prim::I32).chain(self.prims.iter().copied()).collect()
    }

    fn combine(&self) -> Combine<'a> {
        if self.row.is_some() {
            Combine::Segmented(&self.op.lambda)
        } else {
            Combine::Lambda(&self.op.lambda)
        }
    }
}
