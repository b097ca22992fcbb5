//! Histograms whose values show in which order they are combined, as floats do.
//!
//! The elements are dealt out to so many *decks*, each of which has bins of its own; in a row of values, each position is a thread's. So
//! no two threads write to one place, and each adds in the order of its elements. Afterwards the decks are added, `MERGED` neighbours
//! at a time, and again: the same bits in every run. Each point of a kernel has decks of its own, the fewer the more points there are.

use super::hist::writes_of;
use super::kernel::{Kernel, tunable};
use super::kernels::{array_inside, scalar_inside};
use crate::imp_gen::operators::dests::linear_index;
use crate::imp_gen::operators::elementwise::primitive_columns;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::flat::Tunable;
use norn_ir::imp::{BinOp, Exp, LoopForm, Prim};
use norn_ir::nest::{Exp as NestExp, Lambda, Operator, Var};

/// So many elements all bins of all decks have at most, if there are few decks.
const ROOM: i64 = 1 << 23;
const FEWEST_DECKS: i64 = 32;
/// How many decks are added by one thread.
const MERGED: i64 = 32;

/// The operator that combines one column, of scalars or of rows position by position.
pub fn single_operator(lambda: &Lambda) -> Option<(BinOp, Prim)> {
    if let Some(columns) = primitive_columns(lambda) {
        let [column] = columns[..] else { return None };
        return Some(column);
    }
    let [stm] = &lambda.body.stms[..] else { return None };
    let NestExp::Op(Operator::Map { width: _, inputs, lambda: inner }) = &stm.exp else { return None };
    let yields = lambda.body.result.iter().map(|atom| atom.var()).eq([Some(stm.vars[0])]);
    let [column] = primitive_columns(inner)?[..] else { return None };
    (yields && inputs[..] == lambda.params[..]).then_some(column)
}

impl Gen<'_> {
    pub fn hist_decks(&mut self, vars: &[Var], kernel: &Kernel, grid: &Grid) {
        let hist = &writes_of(kernel);
        let op = hist.op.expect("imp_gen: a histogram without an operator");
        let (bin_op, prim) = single_operator(&op.lambda).expect("imp_gen: a histogram of other values");
        let width = self.extent(kernel.through[0].extent);
        let dest = self.array(hist.into[0].array);
        let sizes: Vec<Exp> = dest.lead.iter().map(|lead| lead.size.clone()).collect();
        let (points, inner) = sizes.split_at(kernel.points.len());
        let (indexed, row) = inner.split_at(hist.indices.len());
        let rows = self.code.atom("rows", Exp::product(points.iter().cloned()));
        let bins = self.code.atom("bins", Exp::product(indexed.iter().cloned()));
        let row = self.code.atom("row", Exp::product(row.iter().cloned()));
        let cells = self.code.atom("cells", rows.clone().mul(bins.clone()).mul(row.clone()));
        // Points are threads apart already.
        let shared = |decks: i64| Exp::i64(decks).quot(rows.clone().max(1)).max(1);
        let most = shared(tunable(kernel, Tunable::Decks));
        let decks = Exp::i64(ROOM).quot(cells.clone().max(1)).min(most).max(shared(FEWEST_DECKS));
        let decks = self.code.atom("decks", decks.min(width.clone()).max(1));
        let all_bins = self.code.atom("all_bins", rows.clone().mul(bins.clone()));
        let partial = self.new_array_named("decks", prim, &[decks.clone(), all_bins, row.clone()], "hist");
        let neutral = neutral_scalar(bin_op, prim);

        let all = self.code.atom("all", decks.clone().mul(cells.clone()));
        let given = [Repr::Array(partial.clone())];
        self.for_each_on_device("hist", all, &given, &mut |this, i, given| {
            let partial = array_inside(given[0].clone());
            this.put(&partial, i.into(), neutral.clone());
        });

        let threads = self.code.atom("threads", rows.mul(decks.clone()).mul(row.clone()));
        let groups = self.groups_for(&threads, 1, None);
        let mut extra = vec![Repr::Array(partial.clone())];
        extra.extend([&width, &decks, &row, &threads, &bins].map(|value| Repr::Scalar(value.clone())));
        extra.extend(points.iter().chain(indexed).cloned().map(Repr::Scalar));
        let points = points.len();
        self.launch_groups("hist", &grid.captured, &extra, groups, &mut |this, _, given| {
            let mut given = given.into_iter();
            let mut next = || given.next().expect("imp_gen: a kernel was handed too little");
            let partial = array_inside(next());
            let mut scalar = || scalar_inside(Some(next()));
            let (width, decks, row, threads, bins) = (scalar(), scalar(), scalar(), scalar(), scalar());
            let mut point_sizes: Vec<Repr> = given.collect();
            let sizes: Vec<Exp> =
                point_sizes.split_off(points).into_iter().map(|size| scalar_inside(Some(size))).collect();
            this.each_apart(&threads, &mut |this, number| {
                let part: Exp = this.code.bind("part", number.clone().quot(row.clone())).into();
                let place: Exp = this.code.bind("place", number.rem(row.clone())).into();
                let point: Exp = this.code.bind("point", part.clone().quot(decks.clone())).into();
                let deck: Exp = this.code.bind("deck", part.rem(decks.clone())).into();
                let mut indices = match points {
                    0 => Vec::new(),
                    _ => this.indices_of(point.clone(), &point_sizes),
                };
                let i = this.code.bind("i", deck.clone());
                indices.push(i.into());
                this.code.open();
                this.guarded(&mut |this| {
                    this.at_element(kernel, &indices, &[], &mut |this| {
                        let (indices, values) = kernel.body.result.split_at(sizes.len());
                        let [value] = values[..] else { panic!("imp_gen: a histogram of several columns") };
                        let indices: Vec<Exp> = indices.iter().map(|atom| this.scalar(*atom)).collect();
                        let within = |(index, size): (&Exp, &Exp)| {
                            Exp::i64(0).le(index.clone()).and(index.clone().lt(size.clone()))
                        };
                        let inside = indices.iter().zip(&sizes).map(within).fold(Exp::bool(true), Exp::and);
                        this.code.open();
                        let value = this.value_at(this.value(value), &place);
                        let bin = point.clone().mul(bins.clone()).add(linear_index(&sizes, &indices));
                        let at = this.element_index(&partial, &[deck.clone(), bin, place.clone()]);
                        let at = this.code.atom("at", at);
                        let before = this.element(&partial, at.clone());
                        this.put(&partial, at, Exp::bin(bin_op, prim, before, value));
                        let block = this.code.close();
                        this.code.when(inside, block);
                    });
                });
                this.code.set(i, Exp::Var(i).add(decks.clone()));
                let body = this.code.close();
                this.code.while_(Vec::new(), Exp::Var(i).lt(width.clone()), body);
            });
        });

        self.merge_decks("hist", &partial, &decks, &cells, (bin_op, prim));
        let mut given = vec![Repr::Array(dest.clone()), Repr::Array(partial)];
        given.extend(sizes.into_iter().map(Repr::Scalar));
        self.for_each_on_device("hist", cells, &given, &mut |this, number, given| {
            let [Repr::Array(dest), Repr::Array(partial), sizes @ ..] = given else {
                panic!("imp_gen: a histogram was handed to a kernel as something else")
            };
            let place = this.indices_of(number.into(), sizes);
            let at = this.element_index(dest, &place);
            let at = this.code.atom("at", at);
            let first = this.element(dest, at.clone());
            let added = this.element(partial, number.into());
            this.put(dest, at, Exp::bin(bin_op, prim, first, added));
        });
        self.bind(vars[0], Repr::Array(dest));
    }

    /// Adds all decks of so many cells to the first, in their order. There is one at least.
    fn merge_decks(
        &mut self,
        name: &str,
        partial: &Array,
        decks: &Exp,
        cells: &Exp,
        (op, prim): (BinOp, Prim),
    ) {
        // How far those decks are apart that have something.
        let apart = self.code.bind("apart", 1);
        self.code.open();
        let reach = self.code.bind("reach", Exp::Var(apart).mul(MERGED));
        let merged = decks.clone().add(Exp::Var(reach).sub(1)).quot(reach);
        let threads = self.code.atom("threads", merged.mul(cells.clone()));
        let mut given = vec![Repr::Array(partial.clone())];
        given.extend([decks.clone(), cells.clone(), apart.into(), reach.into()].map(Repr::Scalar));
        self.for_each_on_device(name, threads, &given, &mut |this, number, given| {
            let [Repr::Array(partial), sizes @ ..] = given else {
                panic!("imp_gen: a histogram was handed to a kernel as something else")
            };
            let mut sizes = sizes.iter().cloned().map(Some).map(scalar_inside);
            let mut size = || sizes.next().expect("imp_gen: a kernel was handed too little");
            let (decks, cells, apart, reach) = (size(), size(), size(), size());
            let part: Exp = this.code.bind("part", Exp::Var(number).quot(cells.clone())).into();
            let cell = this.code.bind("cell", Exp::Var(number).sub(part.clone().mul(cells.clone())));
            let first: Exp = this.code.bind("first", part.mul(reach)).into();
            let count = decks.sub(first.clone()).add(apart.clone().sub(1)).quot(apart.clone()).min(MERGED);
            let count = this.code.bind("count", count);
            let at: Exp = this.code.bind("at", first.mul(cells.clone()).add(cell)).into();
            let step = this.code.bind("step", apart.mul(cells));
            let sum = this.element(partial, at.clone());
            let sum = this.code.bind("sum", sum);
            this.each(1, count, LoopForm::Plain, &mut |this, k| {
                let value = this.element(partial, at.clone().add(k.mul(step)));
                this.code.set(sum, Exp::bin(op, prim, sum, value));
            });
            this.put(partial, at, sum.into());
        });
        self.code.set(apart, reach);
        let body = self.code.close();
        self.code.while_(Vec::new(), Exp::Var(apart).lt(decks.clone()), body);
    }

    /// The scalar, or what a row has at a position, counted through all its dimensions.
    fn value_at(&mut self, value: Repr, place: &Exp) -> Exp {
        match value {
            Repr::Scalar(value) => value,
            Repr::Array(row) => {
                let sizes: Vec<Repr> = row.lead.iter().map(|lead| Repr::Scalar(lead.size.clone())).collect();
                let indices = self.indices_of(place.clone(), &sizes);
                let at = self.element_index(&row, &indices);
                self.element(&row, at)
            }
            Repr::Acc(_) | Repr::Region(_) | Repr::Cert => panic!("imp_gen: a histogram of no values"),
        }
    }
}

fn neutral_scalar(op: BinOp, prim: Prim) -> Exp {
    let neutral = crate::imp_gen::operators::elementwise::neutral(op, prim);
    Exp::Const(neutral.expect("imp_gen: an operator without a neutral element"))
}
