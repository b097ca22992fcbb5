//! Maps: which thread computes which elements.
//!
//! - Usually each thread has one element, and neighbours are neighbours (`map.thread`).
//! - Maps of numbers without branches have several elements in each thread, if there are enough: all loads of a thread are issued
//!   before the first result is computed, for memory-level parallelism (`map.several`).
//! - Where threads run loops of different lengths, a warp waits for its longest. In two dimensions its threads form
//!   a rectangle instead of a line, so that their points, and mostly their loops, are more alike (`map.blocks`).
//!
//! A map that ends in a reduction is served by a thread for each row, unless there are too few rows, or neighbours have rows of different lengths: then it is a reduction by elements
//! (`long_rows`, `columns`, `segments`). Rows that many threads read are staged in shared memory (`staged`, `tile`).

use super::GROUP;
use super::accesses::split_by_dependence;
use super::from_nest::{Inner, Reducing};
use super::kernel::{Kernel, tunable};
use super::kernels::{array_inside, scalar_inside};
use super::point_order::transposed_back;
use crate::imp_gen::operators::cost::Cost;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr, prim_of};
use crate::imp_gen::state::Gen;
use crate::nest::mentions;
use norn_ir::flat::{Line, Tunable};
use norn_ir::imp::{Block, Exp, GroupExp, Prim};
use norn_ir::nest::{ArrayExp, Atom, Body, ControlExp, Dim, DimIndex, Exp as NestExp, Stm, Var, VarInfo};

/// The elements of 32 neighbouring threads: so many across, the others below.
const ACROSS: i64 = 8;
const DOWN: i64 = 32 / ACROSS;
/// The elements of a group: a square.
pub const SIDE: i64 = 16;
/// As many threads as run at once, divided by this, are rows enough if what they read is staged.
const FEW_STAGED: i64 = 64;
/// The same if neighbours have rows of one length, whatever it is: to find out about all lengths takes several kernels, and the host waits for them.
const FEW_EVEN: i64 = 32;
/// Meanwhile a thread goes through so many elements.
const SHORT_EVEN: i64 = 2048;
/// A thread goes through so many elements while another kernel is launched; if there are loops in each of them, through fewer, unless there are rows for a part of
/// all threads that run at once.
const SHORT: i64 = 128;
const SHORT_OF_LOOPS: i64 = 8;
const FEW_OF_LOOPS: i64 = 16;
/// So many statements may be done again for every element of a row.
const AGAIN: usize = 48;
/// So many may stand in code that is there several times.
const LITTLE: usize = 12;

impl Gen<'_> {
    pub fn device_map(&mut self, vars: &[Var], map: &Kernel, inner: Option<&Inner>, grid: &Grid) {
        if let Some(Inner::Scan { kernel, vars, .. }) = inner {
            return self.device_kernel(vars, kernel, grid);
        }
        let along = self.along_memory(vars, map, inner);
        let (map, inner) = along.as_ref().map_or((map, inner), |(map, inner, _)| (map, inner.as_ref()));
        let widths: Vec<Exp> = map.points.iter().map(|dim| self.extent(dim.extent)).collect();
        let outs = self.nest_outs(vars, &widths);
        match inner {
            Some(Inner::Reduce(Reducing { kernel, by_elements: true, lengths: Some(lengths) })) => {
                self.map_or_reduce_own_rows(map, (kernel, lengths), &widths, &outs, grid)
            }
            Some(Inner::Reduce(Reducing { kernel, by_elements: true, lengths: None })) => {
                self.map_or_reduce(map, kernel, &widths, &outs, grid)
            }
            Some(Inner::Reduce(Reducing { kernel, .. })) => {
                self.launch_map(map, Some(kernel), &widths, &outs, grid)
            }
            Some(Inner::Scan { .. }) | None => self.launch_map(map, None, &widths, &outs, grid),
        }
        let outs = match &along {
            Some((_, _, point)) => outs.into_iter().map(|out| transposed_back(out, *point)).collect(),
            None => outs,
        };
        self.bind_kept(vars, outs);
    }

    /// Arrays for the results.
    pub fn nest_outs(&mut self, vars: &[Var], widths: &[Exp]) -> Vec<Array> {
        let mut outs = Vec::with_capacity(vars.len());
        for var in vars {
            let ty = self.ty(*var);
            let prim = prim_of(ty.elem().expect("imp_gen: an output of no values"));
            let mut sizes = widths.to_vec();
            sizes.extend(self.sizes(&ty.dims()[widths.len()..]).into_iter().flatten());
            let transposed = self.new_transposed(*var, widths.len(), &sizes);
            outs.push(transposed.unwrap_or_else(|| self.new_array(*var, prim, &sizes, "map")));
        }
        outs
    }

    /// By rows, or, where there are not enough of these, by elements.
    fn map_or_reduce(
        &mut self,
        map: &Kernel,
        reduction: &Kernel,
        widths: &[Exp],
        outs: &[Array],
        grid: &Grid,
    ) {
        let rows = self.code.atom("rows", Exp::product(widths.iter().cloned()));
        let all = self.code.atom("all", self.of_task(&rows));
        let enough = match reduction.through[0].size() {
            Some(length) => {
                // Of what is staged, several threads have one row.
                let shared = self.staged(reduction).map(|_| self.is_long(reduction));
                let threads = Exp::DeviceGroups.mul(GROUP);
                let staged = threads.clone().quot(FEW_STAGED).le(all.clone());
                let staged = shared.map_or(Exp::bool(false), |long| long.and(staged));
                let length = self.scalar(length);
                let mut short = length.clone().le(SHORT);
                if Cost::of(&reduction.body).loops {
                    let many = threads.clone().quot(FEW_OF_LOOPS).le(all.clone());
                    short = short.and(many).or(length.le(SHORT_OF_LOOPS));
                }
                match short.as_bool() {
                    Some(true) => short,
                    _ => threads.quot(2).le(all.clone()).or(short).or(staged),
                }
            }
            // Rows may be as uneven as they like.
            None => Exp::bool(false),
        };
        let product = self.product(reduction);
        let arranged = product.as_ref().map(|(_, order)| arranged(order, widths, outs));
        let product = product.as_ref().zip(arranged.as_ref());
        let along_points = self.is_along_points(reduction);
        let worth = product.map(|((product, order), (widths, _))| {
            let widths: Vec<Exp> = widths
                .iter()
                .zip(order)
                .map(|(width, point)| if *point == 0 { self.of_task(width) } else { width.clone() })
                .collect();
            self.is_worth_tiles(product, &widths)
        });
        self.code.open();
        self.scoped(&mut |this| this.launch_map(map, Some(reduction), widths, outs, grid));
        let mut others = self.code.close();
        if enough.as_bool() != Some(true) {
            self.code.open();
            self.scoped(&mut |this| match along_points {
                true => this.reduce_columns(reduction, widths, &rows, outs, grid),
                false => this.reduce_even_rows(reduction, widths, &rows, outs, grid),
            });
            let by_elements = self.code.close();
            self.code.open();
            self.code.if_(enough, others, by_elements);
            others = self.code.close();
        }
        let (Some(((product, order), (widths, outs))), Some((worth, chunks))) = (product, worth) else {
            return self.code.append(others);
        };
        // Rows are in tiles, unless each has tiles of its own.
        if order[order.len() - 2..].contains(&0) {
            self.grain = self.grain.max(product.side());
        }
        self.code.open();
        self.scoped(&mut |this| this.launch_product(product, widths, chunks.clone(), outs, grid));
        let tiles = self.code.close();
        self.code.if_(worth, tiles, others);
    }

    /// Rows of one length, by elements.
    fn reduce_even_rows(
        &mut self,
        reduction: &Kernel,
        widths: &[Exp],
        rows: &Exp,
        outs: &[Array],
        grid: &Grid,
    ) {
        let Some(long) = self.has_long_rows(reduction) else {
            return self.reduce_segments(reduction, widths, rows, None, outs, grid);
        };
        self.code.open();
        self.scoped(&mut |this| {
            let length = this.extent(reduction.through[0].extent);
            this.reduce_long_rows(reduction, widths, rows, length, None, outs, grid);
        });
        let along = self.code.close();
        self.code.open();
        self.scoped(&mut |this| this.reduce_segments(reduction, widths, rows, None, outs, grid));
        let segments = self.code.close();
        self.code.if_(long, along, segments);
    }

    /// Rows whose lengths points compute. Where the points that differ in the last dimension alone have rows of one length, threads that are neighbours are busy
    /// for the same time: a thread has a row if there are enough of them.
    fn map_or_reduce_own_rows(
        &mut self,
        map: &Kernel,
        (reduction, lengths): (&Kernel, &Kernel),
        widths: &[Exp],
        outs: &[Array],
        grid: &Grid,
    ) {
        self.code.open();
        self.scoped(&mut |this| this.reduce_own_rows(reduction, lengths, widths, outs, grid));
        let by_elements = self.code.close();
        if !is_same_along_last(lengths) {
            return self.code.append(by_elements);
        }
        let rows = self.code.atom("rows", Exp::product(widths.iter().cloned()));
        let many = Exp::DeviceGroups.mul(GROUP).quot(FEW_EVEN).le(self.of_task(&rows));
        let short =
            self.sizes_read_by(reduction).into_iter().map(|size| size.le(SHORT_EVEN)).reduce(Exp::and);
        let enough = short.map_or(many.clone(), |short| many.or(short));
        self.code.open();
        self.scoped(&mut |this| this.launch_map(map, None, widths, outs, grid));
        let by_rows = self.code.close();
        self.code.if_(enough, by_rows, by_elements);
    }

    /// The sizes of all arrays from outside that a kernel reads. A row that it reads is at most as long as the largest of these, as a rule.
    fn sizes_read_by(&self, kernel: &Kernel) -> Vec<Exp> {
        let mut read = Vec::new();
        kernel.body.stms.iter().for_each(|stm| mentions::in_stm(&self.fun.vars, stm, &mut read));
        read.sort_unstable();
        read.dedup();
        let mut sizes: Vec<Exp> = Vec::new();
        for var in read {
            let Some(Repr::Array(array)) = self.env.get(&var) else { continue };
            for lead in array.lead.iter().filter(|_| array.counted.is_none()) {
                if !sizes.contains(&lead.size) {
                    sizes.push(lead.size.clone());
                }
            }
        }
        sizes
    }

    /// The elements of rows whose lengths are computed first.
    fn reduce_own_rows(
        &mut self,
        reduction: &Kernel,
        lengths: &Kernel,
        widths: &[Exp],
        outs: &[Array],
        grid: &Grid,
    ) {
        let count = self.code.atom("rows", Exp::product(widths.iter().cloned()));
        let each = self.new_array_named("lengths", Prim::I64, std::slice::from_ref(&count), "reduce");
        let mut array = each.clone().borrowed();
        array.lead = self.row_major_lead(widths);
        self.launch_lines(lengths, widths, &[array], grid);
        let offsets = self.offsets_on_device(&each);
        let total = self.read_i64(offsets.ptr.clone(), count.clone());
        self.code.open();
        let known = Some((offsets, total.clone()));
        self.scoped(&mut |this| this.reduce_segments(reduction, widths, &count, known.clone(), outs, grid));
        let segments = self.code.close();
        let longest = self.sizes_read_by(reduction).into_iter().reduce(Exp::max);
        let like = longest.and_then(|longest| {
            Some((self.are_long_and_alike(reduction, &count, &total, &longest)?, longest))
        });
        let Some((alike, longest)) = like else { return self.code.append(segments) };
        self.code.open();
        self.scoped(&mut |this| {
            this.reduce_long_rows(reduction, widths, &count, longest.clone(), Some(&each), outs, grid);
        });
        let along = self.code.close();
        self.code.if_(alike, along, segments);
    }

    /// One thread for each element of the space, which has these widths.
    pub fn launch_map(
        &mut self,
        map: &Kernel,
        reduction: Option<&Kernel>,
        widths: &[Exp],
        outs: &[Array],
        grid: &Grid,
    ) {
        self.in_layouts(map, widths, outs, &mut |this, outs| {
            let staged = reduction.and_then(|kernel| Some((kernel, this.staged(kernel)?)));
            let Some((kernel, staged)) = staged else { return this.launch_elements(map, widths, outs, grid) };
            let long = this.is_long(kernel);
            if long.as_bool() == Some(false) {
                return this.launch_elements(map, widths, outs, grid);
            }
            this.code.open();
            this.scoped(&mut |this| this.launch_staged(kernel, &staged, widths, outs, grid));
            let by_tiles = this.code.close();
            this.code.open();
            this.scoped(&mut |this| this.launch_elements(map, widths, outs, grid));
            let plain = this.code.close();
            this.code.if_(long, by_tiles, plain);
        });
    }

    fn launch_elements(&mut self, map: &Kernel, widths: &[Exp], outs: &[Array], grid: &Grid) {
        match map.how.as_ref().map(|how| how.line) {
            Some(Line::MapSeveral) => self.launch_batches(map, widths, outs, grid),
            Some(Line::MapBlocks) => self.launch_blocks(map, widths, outs, grid),
            _ => self.launch_lines(map, widths, outs, grid),
        }
    }

    fn launch_blocks(&mut self, map: &Kernel, widths: &[Exp], outs: &[Array], grid: &Grid) {
        let [outer @ .., columns] = widths else { panic!("imp_gen: blocks of no dimensions") };
        let rows = self.code.atom("rows", Exp::product(outer.iter().cloned()));
        let wide = Exp::i64(4 * SIDE).le(columns.clone()).and(Exp::i64(4 * SIDE).le(rows.clone()));
        self.code.open();
        self.scoped(&mut |this| this.launch_squares(map, widths, &rows, outs, grid));
        let squares = self.code.close();
        self.code.open();
        self.scoped(&mut |this| this.launch_lines(map, widths, outs, grid));
        let lines = self.code.close();
        self.code.if_(wide, squares, lines);
    }

    /// One thread for each element, or, where they have work in common, for several.
    pub fn launch_lines(&mut self, map: &Kernel, widths: &[Exp], outs: &[Array], grid: &Grid) {
        let mut shared = None;
        self.code.open();
        self.scoped(&mut |this| shared = this.launch_single(map, widths, outs, grid));
        let single = self.code.close();
        let Some(dim) = shared else { return self.code.append(single) };
        let several = self.has_points_abreast(widths, dim);
        self.code.open();
        self.scoped(&mut |this| this.launch_abreast(map, widths, dim, outs, grid));
        let abreast = self.code.close();
        self.code.if_(several, abreast, single);
    }

    /// One thread for each element. Returns in which index elements differ that have so much in common that a thread should have several of them.
    fn launch_single(&mut self, map: &Kernel, widths: &[Exp], outs: &[Array], grid: &Grid) -> Option<usize> {
        let total = self.code.atom("total", Exp::product(widths.iter().cloned()));
        let groups = self.groups_apart(&total);
        let mut extra: Vec<Repr> = outs.iter().cloned().map(Repr::Array).collect();
        extra.extend(widths.iter().cloned().map(Repr::Scalar));
        extra.push(Repr::Scalar(total));
        let mut shared = None;
        self.launch_looping_groups("map", &grid.captured, &extra, groups, &mut |this, _, mut given| {
            let total = scalar_inside(given.pop());
            let widths = given.split_off(outs.len());
            let outs: Vec<Array> = given.into_iter().map(array_inside).collect();
            this.each_apart(&total, &mut |this, i| {
                let indices = this.indices_of(i, &widths);
                let jams = this.jams;
                this.one_element(map, &outs, &indices);
                if Cost::of(&map.body).loops {
                    let is_jammed = this.jams > jams;
                    let plain = this.plain_element(map, &outs, &indices);
                    shared = this.points_abreast(&plain, &indices, is_jammed);
                }
            });
        });
        shared
    }

    /// The code for an element whose loops do one row after the other.
    pub fn plain_element(&mut self, map: &Kernel, outs: &[Array], indices: &[Exp]) -> Block {
        let may_jam = std::mem::replace(&mut self.may_jam, false);
        self.code.open();
        self.one_element(map, outs, indices);
        self.may_jam = may_jam;
        self.code.close()
    }

    fn one_element(&mut self, map: &Kernel, outs: &[Array], indices: &[Exp]) {
        let kept = (&map.body.result[..], outs);
        self.guarded(&mut |this| this.at_kept_element(map, indices, kept, &mut |_| {}));
    }

    // # Several

    fn launch_batches(&mut self, map: &Kernel, widths: &[Exp], outs: &[Array], grid: &Grid) {
        let total = widths[0].clone();
        let several = tunable(map, Tunable::Each);
        let enough = Exp::DeviceGroups.mul(GROUP * several).le(total.clone());
        let each = self.code.atom("each", Exp::select(enough, Exp::i64(several), Exp::i64(1)));
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
                let whole = Exp::i64(several).le(each.clone()).and(Exp::Var(last).eq(end));
                this.code.open();
                this.batch(map, &outs, &i);
                let batch = this.code.close();
                this.code.open();
                this.each_by("at", i, GROUP, &last.into(), &mut |this, at| {
                    this.one_element(map, &outs, &[at])
                });
                let one_by_one = this.code.close();
                this.code.if_(whole, batch, one_by_one);
            });
        });
    }

    /// The element at an index, and others as far apart as there are threads.
    fn batch(&mut self, map: &Kernel, outs: &[Array], first: &Exp) {
        let dim = map.points[0].var;
        let (loads, rest) = split_loads(&map.body, dim);
        let loads = Body { stms: loads.to_vec(), result: Vec::new() };
        let rest = Body { stms: rest.to_vec(), result: map.body.result.clone() };
        let mut elements: Vec<(Exp, Vec<(Var, Repr)>)> = Vec::new();
        for k in 0..tunable(map, Tunable::Each) {
            let i: Exp = self.code.bind("i", first.clone().add(k * GROUP)).into();
            self.env.insert(dim, Repr::Scalar(i.clone()));
            self.run_body(&loads, &[], &mut |_| {});
            let loaded = loads.stms.iter().flat_map(|stm| &stm.vars);
            elements.push((i, loaded.map(|var| (*var, self.repr(*var).clone())).collect()));
        }
        let mut results = Vec::with_capacity(elements.len());
        for (i, loaded) in elements {
            self.env.insert(dim, Repr::Scalar(i.clone()));
            self.env.extend(loaded);
            let mut values = Vec::with_capacity(outs.len());
            self.run_body(&rest, &[], &mut |this| {
                for atom in &rest.result {
                    let value = this.scalar(*atom);
                    values.push(this.code.bind("value", value));
                }
            });
            results.push((i, values));
        }
        for (i, values) in results {
            for (out, value) in outs.iter().zip(values) {
                self.store(out, std::slice::from_ref(&i), value.into());
            }
        }
    }

    // # Rectangles

    fn launch_squares(&mut self, map: &Kernel, widths: &[Exp], rows: &Exp, outs: &[Array], grid: &Grid) {
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
                this.one_element(map, &outs, &indices);
                let element = this.code.close();
                this.code.when(row.lt(rows.clone()).and(column.lt(columns.clone())), element);
            });
        });
    }
}

/// The loads of a body at the index itself, with which it begins, and the rest.
pub fn split_loads(body: &Body, dim: Var) -> (&[Stm], &[Stm]) {
    let is_load = |stm: &Stm| match &stm.exp {
        NestExp::Array(ArrayExp::Index { slice, .. }) => slice[..] == [DimIndex::Fix(Atom::Var(dim))],
        _ => false,
    };
    body.stms.split_at(body.stms.iter().take_while(|stm| is_load(stm)).count())
}

/// Scalars and views, and not many.
pub fn is_little(stms: &[Stm]) -> bool {
    stms.len() <= LITTLE && stms.iter().all(|stm| computes_or_chooses(&stm.exp))
}

/// Whether every element of a row may do this again, scalars and views: `distribute` puts there what is cheap. The choices among it are between scalars, since rows are not chosen for each element.
pub fn is_done_by_elements(vars: &[VarInfo], stms: &[Stm]) -> bool {
    let is_scalar = |var: &Var| vars[var.0 as usize].ty.is_scalar();
    let chooses_rows = |stm: &Stm| {
        matches!(stm.exp, NestExp::Control(ControlExp::If { .. })) && !stm.vars.iter().all(is_scalar)
    };
    let is_again = |stm: &Stm| computes_or_chooses(&stm.exp) || is_view_of_row(vars, stms, stm);
    stms.len() <= AGAIN && stms.iter().all(is_again) && !stms.iter().any(chooses_rows)
}

/// Whether it reshapes a row of an irregular array, whose elements lie one after the other.
fn is_view_of_row(vars: &[VarInfo], stms: &[Stm], stm: &Stm) -> bool {
    let NestExp::Array(ArrayExp::Reshape { array, .. }) = &stm.exp else { return false };
    let mut array = *array;
    while let Some(NestExp::Array(
        ArrayExp::Coerce { array: from, .. } | ArrayExp::Reshape { array: from, .. },
    )) = stms.iter().find(|stm| stm.vars == [array]).map(|stm| &stm.exp)
    {
        array = *from;
    }
    vars[array.0 as usize].ty.dims().contains(&Dim::Irregular)
}

/// The widths of points in this order, and arrays whose dimensions are theirs.
fn arranged(order: &[usize], widths: &[Exp], outs: &[Array]) -> (Vec<Exp>, Vec<Array>) {
    let is_same = order.is_sorted();
    let out = |out: &Array| {
        let lead = order.iter().map(|at| out.lead[*at].clone()).collect();
        let row_major_from = if is_same { out.row_major_from } else { order.len() };
        Array { lead, row_major_from, ..out.clone() }
    };
    (order.iter().map(|at| widths[*at].clone()).collect(), outs.iter().map(out).collect())
}

/// Whether what a map yields does not depend on the last of its points.
fn is_same_along_last(map: &Kernel) -> bool {
    let [_, .., last] = &map.points[..] else { return false };
    let (_, depends) = split_by_dependence(&map.body.stms, last.var);
    let bound: Vec<Var> = depends.iter().flat_map(|stm| stm.vars.iter().copied()).chain([last.var]).collect();
    !map.body.result.iter().any(|atom| atom.var().is_some_and(|var| bound.contains(&var)))
}

/// Scalars and views, choices among these, and what says that they are there.
pub fn computes_or_chooses(exp: &NestExp) -> bool {
    let little = |body: &Body| body.stms.iter().all(|stm| stm.exp.is_scalar_or_view());
    match exp {
        NestExp::Control(ControlExp::Check(_)) => true,
        NestExp::Control(ControlExp::If { cond: _, then, els }) => little(then) && little(els),
        exp => exp.is_scalar_or_view(),
    }
}
