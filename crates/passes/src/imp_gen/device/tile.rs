//! Products of rows with rows, as of matrices: tiles in shared memory, and tiles of these in registers.
//!
//! ```text
//! map n (xss) \xs { map m (yss) \ys { reduce k (xs, ys) op } }
//! ```
//!
//! Each element of `xss` is needed for all `m` rows of `yss`, and the reverse. A group computes `TILE` times `TILE` results: it reads
//! `DEPTH` elements of all rows that these need into shared memory, each once, combines them, and goes on to
//! the next. Each thread has `EACH` times `EACH` of the results, so that what it reads from shared memory serves several times, too.
//!
//! While some elements are combined, the next are on their way to registers, from where they go to another place in shared memory.

use super::GROUP;
use super::lookback::Combine;
use super::nest::{Nest, array_inside};
use super::sweep::scalar_inside;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::operators::sweep::Sweep;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Elem, Exp, GroupArray, GroupExp, LoopForm, Prim, Scalar, Type, Var as ImpVar};
use norn_ir::nest::{Reduction, Var};

/// Threads of a group lie in a square.
const SIDE: i64 = 16;
/// How many rows, and how many columns, a thread has.
const EACH: i64 = 8;
const TILE: i64 = SIDE * EACH;
/// How many elements of each row are in shared memory at a time.
const DEPTH: i64 = 16;
/// So many rows of a thread are neighbours, which are loaded at once from shared memory; the others are far apart.
const AT_ONCE: i64 = 4;
/// In shared memory a line is longer, so that neighbours are in different banks.
const LINE: i64 = TILE + AT_ONCE;

/// How many elements of an array each thread brings to shared memory.
const BROUGHT: i64 = TILE * DEPTH / GROUP;
/// How much of shared memory tiles may take.
const ROOM: i64 = 40 << 10;

/// Where the rows of a thread are in the tile, if its first is there.
fn row_of(first: &Exp, number: &Exp) -> Exp {
    let (near, far) = (number.clone().rem(AT_ONCE), number.clone().quot(AT_ONCE));
    first.clone().add(near).add(far.mul(SIDE * AT_ONCE))
}

/// Which level of the nest an input of the reduction is a row of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Outer,
    Inner,
}

/// An input of the reduction: the array of the level that it is a row of.
struct Input {
    side: Side,
    array: Var,
    prim: Prim,
}

/// A nest that can be computed in tiles.
pub struct Product<'a> {
    sweep: &'a Sweep<'a>,
    op: &'a Reduction,
    inputs: Vec<Input>,
    prim: Prim,
    /// How many tiles of each array shared memory has: 2, if there is room.
    places: i64,
}

/// An array on its way: to registers, to a tile in shared memory, to registers that hold what is combined next.
struct Stream {
    array: Array,
    /// The first row of the tile, and how many rows there are.
    start: Exp,
    width: Exp,
    side: Side,
    ahead: ImpVar,
    shared: ImpVar,
    held: ImpVar,
}

impl Gen<'_> {
    /// If a nest is a product of rows with rows.
    pub fn product<'a>(&self, nest: &'a Nest) -> Option<Product<'a>> {
        let (sweep, before) = nest.reduction.as_ref()?;
        let ([outer, inner], [op]) = (&nest.levels[..], sweep.reductions) else { return None };
        let plain = before.stms.is_empty() && outer.before.stms.is_empty() && inner.before.stms.is_empty();
        let [prim] = self.prims_of(op)[..] else { return None };
        let scalars = |params: &[Var]| params.iter().all(|param| self.ty(*param).is_scalar());
        if !plain || !sweep.lambda.is_none_or(|lambda| scalars(&lambda.params)) {
            return None;
        }
        let mut inputs = Vec::with_capacity(sweep.inputs.len());
        for input in sweep.inputs {
            let (side, level) = match outer.params.iter().position(|param| param == input) {
                Some(at) => (Side::Outer, outer.inputs.get(at)),
                None => (Side::Inner, inner.inputs.get(inner.params.iter().position(|p| p == input)?)),
            };
            let array = *level?;
            let Some(Repr::Array(repr)) = self.env.get(&array) else { return None };
            if !repr.is_regular() || repr.lead.len() != 2 || repr.counted.is_some() {
                return None;
            }
            inputs.push(Input { side, array, prim: repr.prim });
        }
        let has = |side: Side| inputs.iter().any(|input| input.side == side);
        // What has no input of its own gains nothing, and all of it must fit.
        let bytes: i64 = inputs.iter().map(|input| input.prim.size() as i64 * LINE * DEPTH).sum();
        let places = if 2 * bytes <= ROOM { 2 } else { 1 };
        (has(Side::Outer) && has(Side::Inner) && bytes <= ROOM).then_some(Product {
            sweep,
            op,
            inputs,
            prim,
            places,
        })
    }

    /// When there is enough of it.
    pub fn is_large(&mut self, widths: &[Exp], product: &Product) -> Exp {
        let length = self.scalar(product.sweep.width);
        let results = Exp::product(widths.iter().cloned());
        let enough = Exp::DeviceGroups.mul(GROUP * 2).le(results);
        enough.and(Exp::i64(2 * DEPTH).le(length))
    }

    pub fn launch_product(&mut self, product: &Product, widths: &[Exp], out: &Array, grid: &Grid) {
        let tiles = |width: &Exp| width.clone().add(TILE - 1).quot(TILE);
        let across = self.code.atom("across", tiles(&widths[1]));
        let groups = self.code.atom("groups", tiles(&widths[0]).mul(across.clone()));
        let mut extra = vec![Repr::Array(out.clone())];
        for input in &product.inputs {
            extra.push(Repr::Array(self.array(input.array)));
        }
        let length = self.scalar(product.sweep.width);
        for value in [&widths[0], &widths[1], &length, &across] {
            extra.push(Repr::Scalar(value.clone()));
        }
        self.launch_groups("product", &grid.captured, &extra, groups, &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let mut next = || given.next().expect("imp_gen: a kernel was handed too little");
            let out = array_inside(next());
            let inputs: Vec<Array> = product.inputs.iter().map(|_| array_inside(next())).collect();
            let mut scalar = || scalar_inside(Some(next()));
            let (rows, columns, length, across) = (scalar(), scalar(), scalar(), scalar());
            this.tile(arrays, product, &inputs, &out, &[rows, columns], &length, &across);
        });
    }

    #[allow(clippy::too_many_arguments)]
    fn tile(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        product: &Product,
        inputs: &[Array],
        out: &Array,
        widths: &[Exp; 2],
        length: &Exp,
        across: &Exp,
    ) {
        let (group, thread) = (Exp::Group(GroupExp::Group), Exp::Group(GroupExp::Thread));
        let row: Exp = self.code.bind("tile_row", group.clone().quot(across.clone()).mul(TILE)).into();
        let column: Exp = self.code.bind("tile_column", group.rem(across.clone()).mul(TILE)).into();
        let down: Exp = self.code.bind("down", thread.clone().quot(SIDE).mul(AT_ONCE)).into();
        let right: Exp = self.code.bind("right", thread.clone().rem(SIDE).mul(AT_ONCE)).into();
        let own = |this: &mut Self, arrays: &mut Vec<GroupArray>, name: &str, prim: Prim, count: i64| {
            let var = this.code.new_var(name, Type::Local(Elem::Prim(prim)));
            arrays.push(GroupArray { var, count: count as u32, shared: false });
            var
        };
        let accs = own(self, arrays, "accs", product.prim, EACH * EACH);
        let acc_elem = Elem::Prim(product.prim);
        let neutral = self.neutral_of(product.op)[0].clone();
        self.each(0, EACH * EACH, LoopForm::Plain, &mut |this, k| {
            this.code.store(acc_elem, accs, k, neutral.clone());
        });
        let mut streams = Vec::with_capacity(inputs.len());
        for (input, array) in product.inputs.iter().zip(inputs) {
            let (start, width) = match input.side {
                Side::Outer => (&row, &widths[0]),
                Side::Inner => (&column, &widths[1]),
            };
            streams.push(Stream {
                array: array.clone(),
                start: start.clone(),
                width: width.clone(),
                side: input.side,
                ahead: own(self, arrays, "ahead", array.prim, BROUGHT),
                shared: self.shared_array(arrays, "tile", array.prim, product.places * DEPTH * LINE),
                held: own(self, arrays, "held", array.prim, EACH),
            });
        }

        let place = self.code.bind("place", Exp::i64(0));
        let first = self.code.bind("first", Exp::i64(0));
        for stream in &streams {
            // What is not there is never loaded, but goes to shared memory, too.
            let zero = Scalar::zero(stream.array.prim);
            self.each(0, BROUGHT, LoopForm::Plain, &mut |this, round| {
                this.code.store(Elem::Prim(zero.prim()), stream.ahead, round, zero);
            });
            self.load_ahead(stream, &first.into(), length);
            self.store_tile_of(stream, &place.into());
        }
        self.barrier();
        self.code.open();
        let next: Exp = self.code.bind("next", Exp::Var(first).add(DEPTH)).into();
        for stream in &streams {
            self.load_ahead(stream, &next, length);
        }
        let depth = length.clone().sub(first).min(DEPTH);
        let depth = self.code.bind("depth", depth);
        let combine = |this: &mut Self, depth: Exp| {
            this.code.open();
            this.guarded(&mut |this| {
                this.each(0, depth.clone(), LoopForm::Plain, &mut |this, k| {
                    let line = Exp::Var(place).add(k.mul(LINE));
                    this.combine_tile(product, &streams, accs, [&down, &right], &line);
                });
            });
            this.code.close()
        };
        let (partial, whole) = (combine(self, depth.into()), combine(self, Exp::i64(DEPTH)));
        self.code.if_(Exp::Var(depth).eq(DEPTH), whole, partial);
        match product.places {
            1 => self.barrier(),
            _ => self.code.set(place, Exp::i64(DEPTH * LINE).sub(place)),
        }
        for stream in &streams {
            self.store_tile_of(stream, &place.into());
        }
        self.barrier();
        self.code.set(first, next);
        let body = self.code.close();
        self.code.while_(Vec::new(), Exp::Var(first).lt(length.clone()), body);

        self.each(0, EACH, LoopForm::Plain, &mut |this, r| {
            let i: Exp = this.code.bind("i", row.clone().add(row_of(&down, &r))).into();
            this.each(0, EACH, LoopForm::Plain, &mut |this, c| {
                let j: Exp = this.code.bind("j", column.clone().add(row_of(&right, &c))).into();
                this.code.open();
                let value = Exp::load(acc_elem, accs, r.clone().mul(EACH).add(c));
                this.store(out, &[i.clone(), j.clone()], value);
                let block = this.code.close();
                this.code.when(i.clone().lt(widths[0].clone()).and(j.lt(widths[1].clone())), block);
            });
        });
    }

    /// Some elements of all rows of a tile, from one on, to registers.
    fn load_ahead(&mut self, stream: &Stream, first: &Exp, length: &Exp) {
        let array = &stream.array;
        let load = |this: &mut Self, round: Exp, row: &Exp, at: &Exp| {
            let index = this.element_index(array, &[row.clone(), at.clone()]);
            let value = this.element(array, index);
            this.code.store(Elem::Prim(array.prim), stream.ahead, round, value);
        };
        let each = |this: &mut Self, tests: bool| {
            this.code.open();
            this.each_brought(array, &mut |this, round, line, k| {
                let row: Exp = this.code.bind("row", stream.start.clone().add(line)).into();
                let at: Exp = this.code.bind("at", first.clone().add(k)).into();
                if !tests {
                    return load(this, round, &row, &at);
                }
                this.code.open();
                load(this, round, &row, &at);
                let block = this.code.close();
                this.code.when(row.lt(stream.width.clone()).and(at.lt(length.clone())), block);
            });
            this.code.close()
        };
        let (whole, tested) = (each(self, false), each(self, true));
        let fits = |begin: &Exp, size: i64, end: &Exp| begin.clone().add(size).le(end.clone());
        let is_whole = fits(first, DEPTH, length).and(fits(&stream.start, TILE, &stream.width));
        self.code.if_(is_whole, whole, tested);
    }

    /// And from there to shared memory: `shared[k][row]`.
    fn store_tile_of(&mut self, stream: &Stream, place: &Exp) {
        let elem = Elem::Prim(stream.array.prim);
        self.each_brought(&stream.array, &mut |this, round, line, k| {
            let at = place.clone().add(k.mul(LINE)).add(line);
            this.code.store(elem, stream.shared, at, Exp::load(elem, stream.ahead, round));
        });
    }

    /// What a thread brings: the number, the line of the tile, and which of its elements. Neighbouring threads read what lies side by side.
    fn each_brought(&mut self, array: &Array, body: &mut dyn FnMut(&mut Self, Exp, Exp, Exp)) {
        let thread = Exp::Group(GroupExp::Thread);
        let along_row = array.lead[1].stride.as_i64() == Some(1);
        let across = if along_row { DEPTH } else { TILE };
        let near: Exp = self.code.bind("near", thread.clone().rem(across)).into();
        let far: Exp = self.code.bind("far", thread.quot(across)).into();
        self.each(0, BROUGHT, LoopForm::Plain, &mut |this, round| {
            let far = far.clone().add(round.clone().mul(GROUP / across));
            let (line, k) = if along_row { (far, near.clone()) } else { (near.clone(), far) };
            body(this, round, line, k);
        });
    }

    /// The elements of a line of all tiles, each of a thread's rows with each of its columns.
    fn combine_tile(
        &mut self,
        product: &Product,
        streams: &[Stream],
        accs: ImpVar,
        place: [&Exp; 2],
        line: &Exp,
    ) {
        let acc_elem = Elem::Prim(product.prim);
        for stream in streams {
            let elem = Elem::Prim(stream.array.prim);
            let from = match stream.side {
                Side::Outer => place[0],
                Side::Inner => place[1],
            };
            let line: Exp = self.code.bind("line", line.clone().add(from.clone())).into();
            self.each(0, EACH, LoopForm::Plain, &mut |this, each| {
                let value = Exp::load(elem, stream.shared, row_of(&line, &each));
                this.code.store(elem, stream.held, each, value);
            });
        }
        self.each(0, EACH, LoopForm::Plain, &mut |this, r| {
            this.each(0, EACH, LoopForm::Plain, &mut |this, c| {
                let mut elements = Vec::with_capacity(streams.len());
                for stream in streams {
                    let at = match stream.side {
                        Side::Outer => r.clone(),
                        Side::Inner => c.clone(),
                    };
                    let value = Exp::load(Elem::Prim(stream.array.prim), stream.held, at);
                    elements.push(Exp::from(this.code.bind("element", value)));
                }
                let at = this.code.bind("at", r.clone().mul(EACH).add(c));
                let acc = [this.code.bind("acc", Exp::load(acc_elem, accs, at)).into()];
                let op = Combine::Lambda(&product.op.lambda);
                let mut sum = Vec::new();
                match product.sweep.lambda {
                    None => sum = this.combined(op, &acc, &elements),
                    Some(lambda) => {
                        let args = elements.into_iter().map(Repr::Scalar).collect();
                        this.apply(lambda, args, &[], &mut |this| {
                            let values: Vec<Exp> =
                                lambda.body.result.iter().map(|atom| this.scalar(*atom)).collect();
                            sum = this.combined(op, &acc, &values);
                        });
                    }
                }
                this.code.store(acc_elem, accs, at, sum.remove(0));
            });
        });
    }
}
