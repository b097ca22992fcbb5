//! Histograms whose values show in which order they are combined, as floats do.
//!
//! The elements are dealt out to so many *decks*, each of which has bins of its own; in a row of values, each position is a thread's. So
//! no two threads write to one place, and each adds in the order of its elements. Afterwards the decks are added, in order:
//! the same bits in every run.

use super::nest::array_inside;
use super::sweep::scalar_inside;
use crate::imp_gen::operators::elementwise::primitive_columns;
use crate::imp_gen::operators::hist::Hist;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::Repr;
use crate::imp_gen::state::Gen;
use norn_ir::imp::{BinOp, Exp, LoopForm, Prim};
use norn_ir::nest::{Exp as NestExp, Lambda};

/// So many elements all bins of all decks have at most, if there are few decks.
const ROOM: i64 = 1 << 23;
const MOST_DECKS: i64 = 1 << 13;
const FEWEST_DECKS: i64 = 32;

/// The operator that combines one column, of scalars or of rows position by position.
pub fn single_operator(lambda: &Lambda) -> Option<(BinOp, Prim)> {
    if let Some(columns) = primitive_columns(lambda) {
        let [column] = columns[..] else { return None };
        return Some(column);
    }
    let [stm] = &lambda.body.stms[..] else { return None };
    let NestExp::Map { width: _, inputs, lambda: inner } = &stm.exp else { return None };
    let yields = lambda.body.result.iter().map(|atom| atom.var()).eq([Some(stm.vars[0])]);
    let [column] = primitive_columns(inner)?[..] else { return None };
    (yields && inputs[..] == lambda.params[..]).then_some(column)
}

impl Gen<'_> {
    pub fn device_ordered_hist(&mut self, hist: &Hist, grid: &Grid) {
        let op = hist.op.expect("imp_gen: a histogram without an operator");
        let (bin_op, prim) = single_operator(&op.lambda).expect("imp_gen: a histogram of other values");
        let width = self.scalar(hist.width);
        let dest = self.array(hist.dests[0]);
        let bins = dest.length();
        let row = Exp::product(dest.lead[1..].iter().map(|lead| lead.size.clone()));
        let row = self.code.atom("row", row);
        let cells = self.code.atom("cells", bins.clone().mul(row.clone()));
        let decks = Exp::i64(ROOM).quot(cells.clone().max(1)).min(MOST_DECKS).max(FEWEST_DECKS);
        let decks = self.code.atom("decks", decks.min(width.clone()).max(1));
        let sizes = [decks.clone(), bins.clone(), row.clone()];
        let partial = self.new_array_named("decks", prim, &sizes, hist.name);
        let neutral = neutral_scalar(bin_op, prim);

        let all = self.code.atom("all", decks.clone().mul(cells.clone()));
        let given = [Repr::Array(partial.clone())];
        self.for_each_on_device(hist.name, all, &given, &mut |this, i, given| {
            let partial = array_inside(given[0].clone());
            this.put(&partial, i.into(), neutral.clone());
        });

        let threads = self.code.atom("threads", decks.clone().mul(row.clone()));
        let groups = self.groups_for(&threads, 1, None);
        let mut extra = vec![Repr::Array(partial.clone())];
        for value in [&width, &decks, &row, &threads, &bins] {
            extra.push(Repr::Scalar(value.clone()));
        }
        self.launch_groups(hist.name, &grid.captured, &extra, groups, &mut |this, _, given| {
            let mut given = given.into_iter();
            let mut next = || given.next().expect("imp_gen: a kernel was handed too little");
            let partial = array_inside(next());
            let mut scalar = || scalar_inside(Some(next()));
            let (width, decks, row, threads, bins) = (scalar(), scalar(), scalar(), scalar(), scalar());
            this.each_apart(&threads, &mut |this, number| {
                let deck: Exp = this.code.bind("deck", number.clone().quot(row.clone())).into();
                let place: Exp = this.code.bind("place", number.rem(row.clone())).into();
                let i = this.code.bind("i", deck.clone());
                this.code.open();
                this.guarded(&mut |this| {
                    this.scoped(&mut |this| {
                        let rows = this.rows_at(hist.inputs, &i.into());
                        this.apply(hist.lambda, rows, &[], &mut |this| {
                            let [index, value] = hist.lambda.body.result[..] else {
                                panic!("imp_gen: a histogram of several columns")
                            };
                            let index = this.scalar(index);
                            let inside = Exp::i64(0).le(index.clone()).and(index.clone().lt(bins.clone()));
                            this.code.open();
                            let value = this.value_at(this.value(value), &place);
                            let at = this.element_index(&partial, &[deck.clone(), index, place.clone()]);
                            let at = this.code.atom("at", at);
                            let before = this.element(&partial, at.clone());
                            this.put(&partial, at, Exp::bin(bin_op, prim, before, value));
                            let block = this.code.close();
                            this.code.when(inside, block);
                        });
                    });
                });
                this.code.set(i, Exp::Var(i).add(decks.clone()));
                let body = this.code.close();
                this.code.while_(Vec::new(), Exp::Var(i).lt(width.clone()), body);
            });
        });

        let mut given = vec![Repr::Array(dest.clone()), Repr::Array(partial)];
        given.extend([Repr::Scalar(decks), Repr::Scalar(bins), Repr::Scalar(row)]);
        self.for_each_on_device(hist.name, cells, &given, &mut |this, number, given| {
            let [Repr::Array(dest), Repr::Array(partial), Repr::Scalar(decks), sizes @ ..] = given else {
                panic!("imp_gen: a histogram was handed to a kernel as something else")
            };
            let indices = this.indices_of(number.into(), sizes);
            // Rows may have several dimensions.
            let mut place = vec![indices[0].clone()];
            if dest.lead.len() > 1 {
                let inner: Vec<Repr> =
                    dest.lead[1..].iter().map(|lead| Repr::Scalar(lead.size.clone())).collect();
                place.extend(this.indices_of(indices[1].clone(), &inner));
            }
            let at = this.element_index(dest, &place);
            let at = this.code.atom("at", at);
            let first = this.element(dest, at.clone());
            let sum = this.code.bind("sum", first);
            this.each(0, decks.clone(), LoopForm::Plain, &mut |this, deck| {
                let index = this.element_index(partial, &[deck, indices[0].clone(), indices[1].clone()]);
                let value = this.element(partial, index);
                this.code.set(sum, Exp::bin(bin_op, prim, sum, value));
            });
            this.put(dest, at, sum.into());
        });
        self.bind(hist.vars[0], Repr::Array(dest));
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
