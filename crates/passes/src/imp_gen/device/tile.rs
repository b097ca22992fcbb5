//! Matrix products and their like: tiles in shared memory, and tiles of these in registers (register blocking).
//!
//! ```text
//! grid (.., i < n, j < m | k < l) { .. index xss [.., i, k] .. index yss [.., k, j] .. } reduce op after g
//! ```
//!
//! Each element of `xss` is needed for all `m` columns of `yss`, and the reverse, whatever the order of their dimensions; points before `i`
//! are a batch. A group computes a square tile of results: it loads `DEPTH` elements of all rows and columns that these need into shared memory, combines
//! them, and goes on to the next. Each thread has a square of the results, so that what it reads from shared memory serves several times, too. A reduction of
//! several columns, such as complex numbers, has smaller squares with more to compute.
//!
//! - Split-k: where there are fewer tiles than groups that run at once, the reduced dimension is cut into chunks, and another kernel combines these.
//! - Double buffering: while some elements are combined, the next are loaded into registers, and go to the other half of shared memory.
//! - Prologue and epilogue: the body may use the indices (as for the index of the best), and `after` runs on each result.
//! - Borders: places beyond the last row or column repeat the last one, so that nothing is computed, or checked, that no result needs.

use super::GROUP;
use super::accesses::Load;
use super::columns::Source;
use super::effort::effort;
use super::kernel::{Kernel, reduction_of};
use super::kernels::{array_inside, scalar_inside};
use super::lookback::Combine;
use super::map::is_little;
use super::tile_results::{AT_ONCE, Done, SIDE, Tiles, row_of, tiles_of};
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Lead, Repr};
use crate::imp_gen::state::Gen;
use crate::nest::mentions;
use norn_ir::imp::{Elem, Exp, GroupArray, GroupExp, LoopForm, Prim, Scalar, Var as ImpVar};
use norn_ir::nest::{Atom, Body, Reduction, Var};

/// How many rows, and how many columns, a thread has: of results of one word, and of others.
const EACH: i64 = 8;
const EACH_OF_MANY: i64 = 4;
/// So many instructions for an element are much: it gains little from being loaded less often.
const MUCH_FOR_ONE: i64 = 8;
/// So many instructions at most are written out for all elements that are in shared memory.
const WRITTEN_OUT: i64 = 4096;
/// How many elements of each row are in shared memory at a time.
const DEPTH: i64 = 16;
/// How many columns fit into registers.
const MOST_COLUMNS: usize = 4;
/// A chunk of what is combined for a result has so many elements at least, if there are several; more, if there are tiles for half of the device
/// anyway.
const CHUNK: i64 = 2 * DEPTH;
const CHUNK_OF_MANY: i64 = 8 * DEPTH;
/// So much is combined in all where tiles are worth it.
const MUCH: i64 = 1 << 20;
/// For so many groups of other kernels that run at once, one with tiles does.
const RATHER_THAN_TILES: i64 = 4;
/// The part of all groups that run at once that tiles make busy, at least; and the same if there are chunks, which take less time each.
const FEW_GROUPS: i64 = 16;
const FEW_CHUNKS: i64 = 64;
/// How much of shared memory tiles may take.
const ROOM: i64 = 40 << 10;

/// By which of the last two points a load moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FactorSide {
    Outer,
    Inner,
}

/// A load that moves by one of the points, or by none, and by what is reduced over.
struct Factor {
    side: FactorSide,
    load: Load,
    prim: Prim,
}

/// A reduction that can be computed in tiles: of its last two points.
pub struct Product {
    kernel: Kernel,
    factors: Vec<Factor>,
    /// What is computed of the loads, and the indices that it needs.
    element: Body,
    indices: Vec<Var>,
    /// Of the results.
    prims: Vec<Prim>,
    /// How many rows, and how many columns, a thread has.
    each: i64,
    /// Whether what is done with all that is in shared memory is written out.
    is_written_out: bool,
    /// How many tiles of each array shared memory has: 2, if there is room.
    places: i64,
}

impl Product {
    /// How many rows, and how many columns, a group has.
    pub fn side(&self) -> i64 {
        SIDE * self.each
    }

    /// In shared memory a line is longer, so that neighbours are in different banks.
    fn line(&self) -> i64 {
        line(self.each)
    }

    /// How many elements of an array each thread brings to shared memory.
    fn brought(&self) -> i64 {
        self.side() * DEPTH / GROUP
    }
}

fn line(each: i64) -> i64 {
    SIDE * each + AT_ONCE
}

/// An array on its way: to registers, to a tile in shared memory, to registers that hold what is combined next.
struct Stream {
    array: Array,
    /// The first row of the tile, and how many rows there are.
    start: Exp,
    width: Exp,
    side: FactorSide,
    ahead: ImpVar,
    shared: ImpVar,
    held: ImpVar,
}

/// The rows of a thread, or its columns: those of the tile begin at one of the matrix, and its own at one of the tile.
struct Line {
    point: Var,
    tile: Exp,
    own: Exp,
    last: Exp,
}

impl Line {
    /// The index of one of them in the matrix.
    fn at(&self, number: &Exp) -> Exp {
        self.tile.clone().add(row_of(&self.own, number)).min(self.last.clone())
    }
}

/// Which tile a group has, of a matrix with these dimensions and so many tiles across; from where and up to where it combines.
struct TilePlace {
    tile: Exp,
    widths: Vec<Exp>,
    from: Exp,
    to: Exp,
    across: Exp,
}

impl Gen<'_> {
    /// If a kernel is a product of rows with rows, of some two of its points, and the order of points in which these are the last.
    pub fn product(&self, kernel: &Kernel) -> Option<(Product, Vec<usize>)> {
        let count = kernel.points.len();
        let numbers = || (0..count).rev();
        let pairs = numbers().flat_map(|inner| numbers().map(move |outer| (outer, inner)));
        pairs.filter(|(outer, inner)| outer != inner).find_map(|(outer, inner)| {
            let batch = (0..count).filter(|number| ![outer, inner].contains(number));
            let order: Vec<usize> = batch.chain([outer, inner]).collect();
            let points = order.iter().map(|number| kernel.points[*number]).collect();
            let product = self.product_of_last(Kernel { points, ..kernel.clone() })?;
            Some((product, order))
        })
    }

    fn product_of_last(&self, kernel: Kernel) -> Option<Product> {
        let (op, _) = reduction_of(&kernel);
        let [_, .., _] = kernel.points[..] else { return None };
        let prims = self.prims_of(op);
        if prims.len() > MOST_COLUMNS {
            return None;
        }
        kernel.through[0].size()?;
        let (loads, rest) = self.loads(&kernel.body.stms, &kernel.body.result);
        let dims: Vec<Var> = kernel.dims().map(|dim| dim.var).collect();
        if !is_little(&rest) {
            return None;
        }
        let effort = effort(&rest) + effort(&op.lambda.body.stms);
        let mut indices = Vec::new();
        rest.iter().for_each(|stm| mentions::in_stm(&self.fun.vars, stm, &mut indices));
        mentions::in_atoms(&kernel.body.result, &mut indices);
        indices.retain(|var| dims.contains(var));
        let factors: Vec<Factor> =
            loads.into_iter().map(|load| self.factor(&dims, load)).collect::<Option<_>>()?;
        let points = &dims[dims.len() - 3..dims.len() - 1];
        let moves =
            |by: Var| factors.iter().any(|factor| factor.load.at.iter().any(|index| index.var() == Some(by)));
        // What has no input of its own gains nothing, and all of it must fit.
        let of_row: i64 = factors.iter().map(|factor| factor.prim.size() as i64).sum();
        let bytes = |each: i64| of_row * line(each) * DEPTH;
        let is_light = prims.len() == 1 && effort <= MUCH_FOR_ONE;
        let each = if is_light && bytes(EACH) <= ROOM { EACH } else { EACH_OF_MANY };
        let is_written_out = effort * each * each * DEPTH <= WRITTEN_OUT;
        let bytes = bytes(each);
        let places = if 2 * bytes <= ROOM { 2 } else { 1 };
        let element = Body { stms: rest, result: kernel.body.result.clone() };
        (points.iter().all(|point| moves(*point)) && bytes <= ROOM).then_some(Product {
            kernel,
            factors,
            element,
            indices,
            prims,
            each,
            is_written_out,
            places,
        })
    }

    fn factor(&self, dims: &[Var], load: Load) -> Option<Factor> {
        let [batch @ .., outer, inner, through] = dims else { return None };
        let Some(Repr::Array(array)) = self.env.get(&load.array) else { return None };
        if !array.is_regular() || array.lead.len() != load.at.len() || array.counted.is_some() {
            return None;
        }
        let times = |dim: &Var| load.at.iter().filter(|index| index.var() == Some(*dim)).count();
        let side = match [times(outer), times(inner), times(through)] {
            [1, 0, 1] => FactorSide::Outer,
            [0, 1, 1] => FactorSide::Inner,
            // What is combined has a weight: one row, for all.
            [0, 0, 1] => FactorSide::Outer,
            _ => return None,
        };
        let known = |index: &Atom| match index.var() {
            None => true,
            Some(var) => {
                dims.contains(&var)
                    || batch.contains(&var)
                    || matches!(self.env.get(&var), Some(Repr::Scalar(_)))
            }
        };
        let prim = array.prim;
        load.at.iter().all(known).then_some(Factor { side, load, prim })
    }

    /// When tiles are worth it, and into how many chunks what is combined for a result is cut then: where there are fewer tiles than groups
    /// that run at once.
    pub fn is_worth_tiles(&mut self, product: &Product, widths: &[Exp]) -> (Exp, Exp) {
        let length = self.extent(product.kernel.through[0].extent);
        let [batch @ .., outer, inner] = widths else { panic!("imp_gen: a product of one dimension") };
        let results = Exp::product(widths.iter().cloned());
        let results = self.code.atom("results", results);
        let tiles = |width: &Exp| tiles_of(width, product.side());
        let tiles = Exp::product(batch.iter().cloned()).mul(tiles(outer)).mul(tiles(inner));
        let tiles = self.code.atom("tiles", tiles.max(1));
        let at_once = Exp::DeviceGroups.quot(RATHER_THAN_TILES).max(1);
        let many = Exp::DeviceGroups.quot(FEW_GROUPS).le(tiles.clone());
        let least = Exp::select(many.clone(), Exp::i64(CHUNK_OF_MANY), Exp::i64(CHUNK));
        let chunks = at_once.quot(tiles.clone()).min(length.clone().quot(least)).max(1);
        let chunks = self.code.atom("chunks", chunks);
        // They should not be empty for the most part, and busy a part of the device at least.
        let half = |width: &Exp| Exp::i64(product.side() / 2).le(width.clone());
        let in_chunks = Exp::DeviceGroups.quot(FEW_CHUNKS).le(tiles.mul(chunks.clone()));
        let busy = many.or(Exp::i64(2 * CHUNK).le(length.clone()).and(in_chunks));
        let much = Exp::i64(MUCH).le(results.clone().mul(length.clone()));
        let mut are_worth = half(outer).and(half(inner)).and(much).and(busy);
        if batch.is_empty() {
            are_worth = are_worth.or(Exp::DeviceGroups.mul(GROUP * 2).le(results.clone()));
        }
        let are_worth = Exp::i64(2 * DEPTH).le(length).and(results.lt(1i64 << 40)).and(are_worth);
        (are_worth, chunks)
    }

    /// What is combined for a result may be cut into so many chunks, which are combined at the end.
    pub fn launch_product(
        &mut self,
        product: &Product,
        widths: &[Exp],
        chunks: Exp,
        outs: &[Array],
        grid: &Grid,
    ) {
        let square = Tiles { each: product.each };
        let kernel = &product.kernel;
        let [batch @ .., outer, inner] = widths else { panic!("imp_gen: a product of one dimension") };
        let tiles = |width: &Exp| tiles_of(width, product.side());
        let across = self.code.atom("across", tiles(inner));
        let each = self.code.atom("tiles", tiles(outer).mul(across.clone()));
        let all = self.code.atom("all", Exp::product(batch.iter().cloned()).mul(each.clone()));
        let length = self.extent(kernel.through[0].extent);
        let chunk = length.clone().quot(chunks).add(DEPTH).quot(DEPTH).mul(DEPTH);
        let chunk: Exp = self.code.bind("chunk", chunk).into();
        let chunks = length.clone().add(chunk.clone()).sub(1).quot(chunk.clone()).max(1);
        let chunks: Exp = self.code.bind("chunks", chunks).into();
        let slots = self.code.atom("slots", all.clone().mul(product.side() * product.side()));
        let several = Exp::i64(1).lt(chunks.clone());
        let kept = self.code.atom("kept", Exp::select(several.clone(), chunks.clone(), Exp::i64(0)));
        let partials = self.new_chunks(kernel, &kept, &slots);
        let groups = self.code.atom("groups", all.clone().mul(chunks.clone()));
        let mut extra: Vec<Repr> = outs.iter().chain(&partials).cloned().map(Repr::Array).collect();
        let sizes = [&length, &across, &each, &all, &chunk, &chunks];
        extra.extend(widths.iter().chain(sizes).cloned().map(Repr::Scalar));
        self.launch_groups("product", &grid.captured, &extra, groups, &mut |this, arrays, mut given| {
            let mut last = || scalar_inside(given.pop());
            let (chunks, chunk, all) = (last(), last(), last());
            let (each, across, length) = (last(), last(), last());
            let mut widths = given.split_off(outs.len());
            let sizes = widths.split_off(partials.len());
            let partials: Vec<Array> = widths.into_iter().map(array_inside).collect();
            let widths = sizes;
            let outs: Vec<Array> = given.into_iter().map(array_inside).collect();
            let group = Exp::Group(GroupExp::Group);
            let own: Exp = this.code.bind("own", group.clone().quot(all.clone())).into();
            let group = this.code.atom("rest", group.sub(own.clone().mul(all)));
            let from = this.code.atom("from", own.clone().mul(chunk.clone()));
            let to = this.code.atom("to", from.clone().add(chunk).min(length));
            let (number, tile) = match widths.len() {
                2 => (Exp::i64(0), group.clone()),
                _ => {
                    let number = this.code.atom("batch", group.clone().quot(each.clone()));
                    let tile = group.clone().sub(number.clone().mul(each));
                    (number, this.code.atom("tile", tile))
                }
            };
            let mut batch = Vec::new();
            if widths.len() > 2 {
                batch = this.indices_of(number.clone(), &widths[..widths.len() - 2]);
            }
            for (dim, index) in kernel.points.iter().zip(&batch) {
                this.env.insert(dim.var, Repr::Scalar(index.clone()));
            }
            let of = widths[widths.len() - 2..].iter().map(|width| scalar_inside(Some(width.clone())));
            let widths: Vec<Exp> = of.collect();
            let place = TilePlace { tile, widths: widths.clone(), from, to, across };
            let done = this.tile(arrays, kernel, product, &place);
            this.code.open();
            this.keep_tile(square, &done, &group, &own, &partials);
            let kept = this.code.close();
            this.code.open();
            this.finish_tile(square, &done, &widths, &mut |this, [i, j], sums| {
                let point: Vec<Exp> = batch.iter().cloned().chain([i.clone(), j.clone()]).collect();
                this.guarded(&mut |this| this.finish_point(kernel, &point, sums, &outs));
            });
            let finished = this.code.close();
            this.code.if_(Exp::i64(1).lt(chunks.clone()), kept, finished);
        });
        self.code.open();
        self.scoped(&mut |this| {
            let source = Source::Tiles(partials.clone(), square);
            this.reduce_chunks(kernel, widths, (&chunks, &slots), source, outs, grid);
        });
        let combine = self.code.close();
        self.code.when(several, combine);
    }

    /// The array of a factor as a matrix: by its point, and by what is reduced over.
    fn matrix_of(&mut self, kernel: &Kernel, factor: &Factor) -> Array {
        let array = self.array(factor.load.array);
        let through = kernel.through[0].var;
        let points = &kernel.points[kernel.points.len() - 2..];
        let side = match factor.side {
            FactorSide::Outer => points[0].var,
            FactorSide::Inner => points[1].var,
        };
        let mut offset = Exp::i64(0);
        let (mut down, mut along) = (None, None);
        for (index, lead) in factor.load.at.iter().zip(&array.lead) {
            match index.var() {
                Some(var) if var == through => along = Some(lead.clone()),
                Some(var) if var == side => down = Some(lead.clone()),
                _ => offset = offset.add(self.scalar(*index).mul(lead.stride.clone())),
            }
        }
        let down = down.unwrap_or(Lead { size: Exp::i64(1), stride: Exp::i64(0) });
        let Some(along) = along else { panic!("imp_gen: a factor that does not move") };
        let offset = self.code.atom("offset", offset);
        let mut matrix = array.borrowed();
        if offset.as_i64() != Some(0) {
            let ptr = Exp::offset(Elem::Prim(factor.prim), matrix.data.ptr.clone(), offset);
            matrix.data.ptr = self.code.bind("matrix", ptr).into();
        }
        matrix.lead = vec![down, along];
        matrix.row_major_from = 2;
        matrix
    }

    fn tile(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        kernel: &Kernel,
        product: &Product,
        place: &TilePlace,
    ) -> Done {
        let TilePlace { tile, widths, from, to: length, across } = place;
        let (op, _) = reduction_of(kernel);
        let thread = Exp::Group(GroupExp::Thread);
        let row: Exp =
            self.code.bind("tile_row", tile.clone().quot(across.clone()).mul(product.side())).into();
        let column = tile.clone().rem(across.clone()).mul(product.side());
        let column: Exp = self.code.bind("tile_column", column).into();
        let down: Exp = self.code.bind("down", thread.clone().quot(SIDE).mul(AT_ONCE)).into();
        let right: Exp = self.code.bind("right", thread.clone().rem(SIDE).mul(AT_ONCE)).into();
        let each = product.each;
        let mut accs = Vec::with_capacity(product.prims.len());
        for (prim, neutral) in product.prims.iter().zip(self.neutral_of(op)) {
            let acc = self.thread_array(arrays, "accs", *prim, each * each);
            self.each(0, each * each, LoopForm::Plain, &mut |this, k| {
                this.code.store(Elem::Prim(*prim), acc, k, neutral.clone());
            });
            accs.push((Elem::Prim(*prim), acc));
        }
        let mut streams = Vec::with_capacity(product.factors.len());
        for factor in &product.factors {
            let array = self.matrix_of(kernel, factor);
            let (start, width) = match factor.side {
                FactorSide::Outer => (&row, &widths[0]),
                FactorSide::Inner => (&column, &widths[1]),
            };
            streams.push(Stream {
                start: start.clone(),
                width: width.clone(),
                side: factor.side,
                ahead: self.thread_array(arrays, "ahead", array.prim, product.brought()),
                shared: self.shared_array(
                    arrays,
                    "tile",
                    array.prim,
                    product.places * DEPTH * product.line(),
                ),
                held: self.thread_array(arrays, "held", array.prim, each),
                array,
            });
        }

        let place = self.code.bind("place", Exp::i64(0));
        let first = self.code.bind("first", from.clone());
        for stream in &streams {
            // What is not there is never loaded, but goes to shared memory, too.
            let zero = Scalar::zero(stream.array.prim);
            self.each(0, product.brought(), LoopForm::Plain, &mut |this, round| {
                this.code.store(Elem::Prim(zero.prim()), stream.ahead, round, zero);
            });
            self.load_ahead(product, stream, &first.into(), length);
            self.store_tile_of(product, stream, &place.into());
        }
        self.barrier();
        self.code.open();
        let next: Exp = self.code.bind("next", Exp::Var(first).add(DEPTH)).into();
        for stream in &streams {
            self.load_ahead(product, stream, &next, length);
        }
        let through = kernel.through[0].var;
        let points = &kernel.points[kernel.points.len() - 2..];
        let of = |dim: usize, tile: &Exp, own: &Exp| Line {
            point: points[dim].var,
            tile: tile.clone(),
            own: own.clone(),
            last: widths[dim].clone().sub(1),
        };
        let threads = [of(0, &row, &down), of(1, &column, &right)];
        let depth = length.clone().sub(first).min(DEPTH);
        let depth = self.code.bind("depth", depth);
        let combine = |this: &mut Self, depth: Exp| {
            this.code.open();
            this.guarded(&mut |this| {
                this.each(0, depth.clone(), LoopForm::Plain, &mut |this, k| {
                    let line = Exp::Var(place).add(k.clone().mul(product.line()));
                    this.bind_index(product, through, Exp::Var(first).add(k));
                    this.combine_tile(op, product, &streams, &accs, &threads, &line);
                });
            });
            this.code.close()
        };
        let partial = combine(self, depth.into());
        match product.is_written_out {
            true => {
                let whole = combine(self, Exp::i64(DEPTH));
                self.code.if_(Exp::Var(depth).eq(DEPTH), whole, partial);
            }
            false => partial.into_iter().for_each(|stmt| self.code.push(stmt)),
        }
        match product.places {
            1 => self.barrier(),
            _ => self.code.set(place, Exp::i64(DEPTH * product.line()).sub(place)),
        }
        for stream in &streams {
            self.store_tile_of(product, stream, &place.into());
        }
        self.barrier();
        self.code.set(first, next);
        let body = self.code.close();
        self.code.while_(Vec::new(), Exp::Var(first).lt(length.clone()), body);

        Done { row, column, down, right, accs }
    }

    /// Some elements of all rows of a tile, from one on, to registers.
    fn load_ahead(&mut self, product: &Product, stream: &Stream, first: &Exp, length: &Exp) {
        let array = &stream.array;
        let load = |this: &mut Self, round: Exp, row: &Exp, at: &Exp| {
            let index = this.element_index(array, &[row.clone(), at.clone()]);
            let value = this.element(array, index);
            this.code.store(Elem::Prim(array.prim), stream.ahead, round, value);
        };
        let each = |this: &mut Self, tests: bool| {
            this.code.open();
            this.each_brought(product, array, &mut |this, round, line, k| {
                let row = stream.start.clone().add(line);
                let row = if tests { row.min(stream.width.clone().sub(1)) } else { row };
                let row: Exp = this.code.bind("row", row).into();
                let at: Exp = this.code.bind("at", first.clone().add(k)).into();
                if !tests {
                    return load(this, round, &row, &at);
                }
                this.code.open();
                load(this, round, &row, &at);
                let block = this.code.close();
                this.code.when(at.lt(length.clone()), block);
            });
            this.code.close()
        };
        let (whole, tested) = (each(self, false), each(self, true));
        let fits = |begin: &Exp, size: i64, end: &Exp| begin.clone().add(size).le(end.clone());
        let is_whole = fits(first, DEPTH, length).and(fits(&stream.start, product.side(), &stream.width));
        self.code.if_(is_whole, whole, tested);
    }

    /// And from there to shared memory: `shared[k][row]`.
    fn store_tile_of(&mut self, product: &Product, stream: &Stream, place: &Exp) {
        let elem = Elem::Prim(stream.array.prim);
        self.each_brought(product, &stream.array, &mut |this, round, line, k| {
            let at = place.clone().add(k.mul(product.line())).add(line);
            this.code.store(elem, stream.shared, at, Exp::load(elem, stream.ahead, round));
        });
    }

    /// What a thread brings: the number, the line of the tile, and which of its elements. Neighbouring threads read what lies side by side.
    fn each_brought(
        &mut self,
        product: &Product,
        array: &Array,
        body: &mut dyn FnMut(&mut Self, Exp, Exp, Exp),
    ) {
        let thread = Exp::Group(GroupExp::Thread);
        let along_row = array.lead[1].stride.as_i64() == Some(1);
        let across = if along_row { DEPTH } else { product.side() };
        let near: Exp = self.code.bind("near", thread.clone().rem(across)).into();
        let far: Exp = self.code.bind("far", thread.quot(across)).into();
        self.each(0, product.brought(), LoopForm::Plain, &mut |this, round| {
            let far = far.clone().add(round.clone().mul(GROUP / across));
            let (line, k) = if along_row { (far, near.clone()) } else { (near.clone(), far) };
            body(this, round, line, k);
        });
    }

    /// The elements of a line of all tiles, each of a thread's rows with each of its columns.
    fn combine_tile(
        &mut self,
        op: &Reduction,
        product: &Product,
        streams: &[Stream],
        accs: &[(Elem, ImpVar)],
        threads: &[Line; 2],
        line: &Exp,
    ) {
        let [down, right] = threads;
        for stream in streams {
            let elem = Elem::Prim(stream.array.prim);
            let from = match stream.side {
                FactorSide::Outer => down,
                FactorSide::Inner => right,
            };
            let line: Exp = self.code.bind("line", line.clone().add(from.own.clone())).into();
            self.each(0, product.each, LoopForm::Plain, &mut |this, each| {
                let value = Exp::load(elem, stream.shared, row_of(&line, &each));
                this.code.store(elem, stream.held, each, value);
            });
        }
        self.each(0, product.each, LoopForm::Plain, &mut |this, r| {
            this.bind_index(product, down.point, down.at(&r));
            this.each(0, product.each, LoopForm::Plain, &mut |this, c| {
                this.bind_index(product, right.point, right.at(&c));
                for (stream, factor) in streams.iter().zip(&product.factors) {
                    let at = match stream.side {
                        FactorSide::Outer => r.clone(),
                        FactorSide::Inner => c.clone(),
                    };
                    let value = Exp::load(Elem::Prim(stream.array.prim), stream.held, at);
                    let value = this.code.bind("element", value);
                    this.env.insert(factor.load.var, Repr::Scalar(value.into()));
                }
                let at = this.code.bind("at", r.clone().mul(product.each).add(c));
                let before = accs.iter().map(|(elem, acc)| Exp::load(*elem, *acc, at));
                let before: Vec<Exp> = before.map(|acc| this.code.bind("acc", acc).into()).collect();
                let mut sums = Vec::new();
                this.run_body(&product.element, &[], &mut |this| {
                    let values: Vec<Exp> =
                        product.element.result.iter().map(|atom| this.scalar(*atom)).collect();
                    sums = this.combined(Combine::Lambda(&op.lambda), &before, &values);
                });
                for ((elem, acc), sum) in accs.iter().zip(sums) {
                    this.code.store(*elem, *acc, at, sum);
                }
            });
        });
    }

    /// An index, where what is computed needs it.
    fn bind_index(&mut self, product: &Product, dim: Var, index: Exp) {
        if product.indices.contains(&dim) {
            let index = self.code.bind("index", index);
            self.env.insert(dim, Repr::Scalar(index.into()));
        }
    }
}
