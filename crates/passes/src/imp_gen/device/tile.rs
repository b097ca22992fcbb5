//! Products of rows with rows, as of matrices: tiles in shared memory, and tiles of these in registers.
//!
//! ```text
//! map n (xss) \xs { map m (yss) \ys { reduce k (xs, ys) op } }
//! ```
//!
//! Each element of `xss` is needed for all `m` rows of `yss`, and the reverse. A group computes `TILE` times `TILE` results: it reads
//! `DEPTH` elements of all rows that these need into shared memory, each once, combines them, and goes on to
//! the next. Each thread has `EACH` times `EACH` of the results, so that what it reads from shared memory serves several times, too.

use super::GROUP;
use super::lookback::Combine;
use super::nest::{Nest, array_inside};
use super::sweep::scalar_inside;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::operators::sweep::Sweep;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Elem, Exp, GroupArray, GroupExp, LoopForm, Prim, Type, Var as ImpVar};
use norn_ir::nest::{Reduction, Var};

/// Threads of a group lie in a square.
const SIDE: i64 = 16;
/// How many rows, and how many columns, a thread has.
const EACH: i64 = 8;
const TILE: i64 = SIDE * EACH;
/// How many elements of each row are in shared memory at a time.
const DEPTH: i64 = 8;
/// So many rows of a thread are neighbours, which are loaded at once from shared memory; the others are far apart.
const AT_ONCE: i64 = 4;
/// In shared memory a line is longer, so that neighbours are in different banks.
const LINE: i64 = TILE + AT_ONCE;

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
        (has(Side::Outer) && has(Side::Inner) && bytes <= 40 << 10).then_some(Product {
            sweep,
            op,
            inputs,
            prim,
        })
    }

    /// When there is enough of it.
    pub fn is_large(&mut self, widths: &[Exp], product: &Product) -> Exp {
        let length = self.scalar(product.sweep.width);
        let results = Exp::product(widths.iter().cloned());
        let enough = Exp::DeviceGroups.mul(GROUP * 2).le(results);
        enough.and(Exp::i64(4 * DEPTH).le(length))
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
        let mut shared: Vec<ImpVar> = Vec::with_capacity(inputs.len());
        let mut held: Vec<ImpVar> = Vec::with_capacity(inputs.len());
        for input in inputs {
            shared.push(self.shared_array(arrays, "tile", input.prim, DEPTH * LINE));
            held.push(own(self, arrays, "held", input.prim, EACH));
        }

        let first = self.code.bind("first", Exp::i64(0));
        self.code.open();
        for ((input, array), shared) in product.inputs.iter().zip(inputs).zip(&shared) {
            let (start, width) = match input.side {
                Side::Outer => (&row, &widths[0]),
                Side::Inner => (&column, &widths[1]),
            };
            self.load_tile(array, *shared, start, width, first, length);
        }
        self.barrier();
        let depth = length.clone().sub(first).min(DEPTH);
        let depth = self.code.bind("depth", depth);
        self.code.open();
        self.guarded(&mut |this| {
            this.each(0, depth, LoopForm::Plain, &mut |this, k| {
                this.combine_tile(product, inputs, &shared, &held, accs, [&down, &right], &k);
            });
        });
        let partial = self.code.close();
        self.code.open();
        self.guarded(&mut |this| {
            this.each(0, DEPTH, LoopForm::Plain, &mut |this, k| {
                this.combine_tile(product, inputs, &shared, &held, accs, [&down, &right], &k);
            });
        });
        let whole = self.code.close();
        self.code.if_(Exp::Var(depth).eq(DEPTH), whole, partial);
        self.barrier();
        self.code.set(first, Exp::Var(first).add(DEPTH));
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

    /// Some elements of all rows of a tile: `shared[k][row]`. Neighbouring threads read what lies side by side.
    fn load_tile(
        &mut self,
        array: &Array,
        shared: ImpVar,
        start: &Exp,
        width: &Exp,
        first: ImpVar,
        length: &Exp,
    ) {
        let thread = Exp::Group(GroupExp::Thread);
        let along_row = array.lead[1].stride.as_i64() == Some(1);
        let elem = Elem::Prim(array.prim);
        self.each(0, TILE * DEPTH / GROUP, LoopForm::Plain, &mut |this, round| {
            let number = this.code.bind("number", round.mul(GROUP).add(thread.clone()));
            let number = Exp::Var(number);
            let (line, k) = if along_row {
                (number.clone().quot(DEPTH), number.rem(DEPTH))
            } else {
                (number.clone().rem(TILE), number.quot(TILE))
            };
            let (line, k) = (this.code.bind("line", line), this.code.bind("k", k));
            let row: Exp = this.code.bind("row", start.clone().add(line)).into();
            let at: Exp = this.code.bind("at", Exp::Var(first).add(k)).into();
            this.code.open();
            let index = this.element_index(array, &[row.clone(), at.clone()]);
            let value = this.element(array, index);
            this.code.store(elem, shared, Exp::Var(k).mul(LINE).add(line), value);
            let block = this.code.close();
            this.code.when(row.lt(width.clone()).and(at.lt(length.clone())), block);
        });
    }

    /// The elements at one depth of a tile, each of a thread's rows with each of its columns.
    #[allow(clippy::too_many_arguments)]
    fn combine_tile(
        &mut self,
        product: &Product,
        inputs: &[Array],
        shared: &[ImpVar],
        held: &[ImpVar],
        accs: ImpVar,
        place: [&Exp; 2],
        k: &Exp,
    ) {
        let acc_elem = Elem::Prim(product.prim);
        for (((input, array), shared), held) in product.inputs.iter().zip(inputs).zip(shared).zip(held) {
            let elem = Elem::Prim(array.prim);
            let from = match input.side {
                Side::Outer => place[0],
                Side::Inner => place[1],
            };
            let line: Exp = self.code.bind("line", k.clone().mul(LINE).add(from.clone())).into();
            self.each(0, EACH, LoopForm::Plain, &mut |this, each| {
                let value = Exp::load(elem, *shared, row_of(&line, &each));
                this.code.store(elem, *held, each, value);
            });
        }
        self.each(0, EACH, LoopForm::Plain, &mut |this, r| {
            this.each(0, EACH, LoopForm::Plain, &mut |this, c| {
                let mut elements = Vec::with_capacity(inputs.len());
                for ((input, array), held) in product.inputs.iter().zip(inputs).zip(held) {
                    let at = match input.side {
                        Side::Outer => r.clone(),
                        Side::Inner => c.clone(),
                    };
                    let value = Exp::load(Elem::Prim(array.prim), *held, at);
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
