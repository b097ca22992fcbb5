//! Histograms of few bins whose result depends on the order of combination, as sums of floats do: privatisation in a fixed order.
//!
//! If the bins fit into the memory of a group, they are filled there (`turns`). For more bins, the elements are dealt out to a number of
//! *decks*, private copies of the bins. No two threads write to one place, and each combines its elements in their order; in a histogram of rows, each
//! position of a row is a thread's. Afterwards the decks are combined, `MERGED` neighbours at a time, and again, until one is left. So every run gives the
//! same bits.
//!
//! ```text
//! decks 0 .. 7, bins 0 .. 99      deck d has elements [d * each, (d + 1) * each)      then 8 decks -> 8 / MERGED -> .. -> the destination
//! ```
//!
//! Refuses: so many bins that there is room for few decks only; then the elements are sorted by bin (`sort`).

use super::combine::UpdateMethod;
use super::{Cell, Hist};
use crate::imp_gen::device::kernel::tunable;
use crate::imp_gen::device::kernels::{array_inside, scalar_inside};
use crate::imp_gen::device::lookback::Combine;
use crate::imp_gen::operators::cost::Cost;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::flat::{Line, Tunable};
use norn_ir::imp::{Exp, LoopForm, Var as ImpVar};
use norn_ir::nest::Lambda;

/// So many cells all decks have at most.
const ROOM: i64 = 1 << 23;
/// More bins are sorted: then decks are so few, and their threads, that sorting is faster.
const FEW_BINS: i64 = 1 << 10;
const FEWEST_DECKS: i64 = 32;
/// How many decks are combined by one thread.
const MERGED: i64 = 32;
/// How many elements a thread deals out at a time.
const AT_ONCE: i64 = 8;

/// An element that is dealt out: whether it has a cell, where that is, and what is combined with it; what was there, and then what was made
/// of it.
struct Dealt {
    inside: ImpVar,
    at: Exp,
    values: Vec<Exp>,
    cell: Vec<Exp>,
}

/// Makes the code of a kernel that is handed decks and some numbers.
type MakeWithDecks<'a, 'g> = dyn FnMut(&mut Gen<'g>, &Hist, &[Array], &[Exp]) + 'a;

impl<'g> Gen<'g> {
    pub(super) fn hist_decks(&mut self, hist: &Hist, grid: &Grid) {
        let bins = self.code.atom("bins", Exp::product(hist.bin_sizes()));
        let cells = self.code.atom("cells", hist.cells());
        let few = bins.le(FEW_BINS).and(cells.clone().le(ROOM / FEWEST_DECKS));
        self.code.open();
        self.scoped(&mut |this| this.hist_in_decks(hist, &cells, grid));
        let in_decks = self.code.close();
        self.code.open();
        self.scoped(&mut |this| match this.sums_of_floats(hist) {
            Some(float) => this.hist_in_limbs(hist, float, &cells, grid),
            None => this.hist_sort(hist, grid),
        });
        let many = self.code.close();
        self.code.open();
        self.code.if_(few, in_decks, many);
        let apart = self.code.close();
        let method = UpdateMethod::of(Line::HistDecks, &self.fun.vars, self.scalar_operator(hist));
        self.code.open();
        self.scoped(&mut |this| this.hist_in_groups(hist, &method, &cells, grid));
        let in_turns = self.code.close();
        self.code.if_(cells.le(method.room()), in_turns, apart);
    }

    fn hist_in_decks(&mut self, hist: &Hist, cells: &Exp, grid: &Grid) {
        let row = self.code.atom("row", Exp::product(hist.row_sizes()));
        let decks = Exp::i64(ROOM).quot(cells.clone().max(1)).min(tunable(hist.kernel, Tunable::Decks));
        let decks = self.code.atom("decks", decks.min(hist.width.clone()).max(1));
        let all = self.code.atom("all", decks.clone().mul(cells.clone()));
        let partials = self.new_decks(hist, &decks, cells);
        self.fill_decks(hist, &partials, cells, &all, grid);
        self.deal_out(hist, &partials, cells, &decks, &row, grid);
        self.merge_decks(hist, &partials, &decks, cells, grid);

        self.add_deck(hist, &partials, &Exp::i64(0), cells, grid);
    }

    /// For each column so many decks of so many cells.
    pub(super) fn new_decks(&mut self, hist: &Hist, decks: &Exp, cells: &Exp) -> Vec<Array> {
        let all = self.code.atom("all", decks.clone().mul(cells.clone()));
        let mut partials = Vec::with_capacity(hist.dests.len());
        for dest in &hist.dests {
            partials.push(self.new_array_named("decks", dest.prim, std::slice::from_ref(&all), "hist"));
        }
        partials
    }

    /// The first deck, with so many cells, is added to the destinations, from this cell on.
    pub(super) fn add_deck(&mut self, hist: &Hist, partials: &[Array], base: &Exp, cells: &Exp, grid: &Grid) {
        let numbers = [base.clone(), cells.clone()];
        self.launch_with_decks(
            hist,
            partials,
            &numbers,
            cells,
            grid,
            &mut |this, hist, partials, numbers| {
                let op = this.scalar_operator(hist);
                this.each_apart(&numbers[1], &mut |this, number| {
                    this.guarded(&mut |this| {
                        let added = this.in_deck(partials, &number);
                        let number = this.code.atom("number", numbers[0].clone().add(number.clone()));
                        let cell = this.cell_of(hist, &number);
                        this.combine_in_order(hist, op, &cell, &added);
                    });
                });
            },
        );
    }

    /// A kernel by so many threads that is handed the decks and some numbers.
    pub(super) fn launch_with_decks(
        &mut self,
        hist: &Hist,
        partials: &[Array],
        numbers: &[Exp],
        threads: &Exp,
        grid: &Grid,
        make: &mut MakeWithDecks<'_, 'g>,
    ) {
        let mut extra = hist.reprs();
        extra.extend(partials.iter().cloned().map(Repr::Array));
        extra.extend(numbers.iter().cloned().map(Repr::Scalar));
        let groups = self.groups_for(threads, 1, None);
        self.launch_looping_groups("hist", &grid.captured, &extra, groups, &mut |this, _, given| {
            let mut given = given.into_iter();
            let hist = hist.inside(&mut given);
            let mut next = || given.next().expect("imp_gen: a kernel was handed too little");
            let partials: Vec<Array> = partials.iter().map(|_| array_inside(next())).collect();
            let numbers: Vec<Exp> = numbers.iter().map(|_| scalar_inside(Some(next()))).collect();
            make(this, &hist, &partials, &numbers);
        });
    }

    /// All decks have the neutral element.
    fn fill_decks(&mut self, hist: &Hist, partials: &[Array], cells: &Exp, all: &Exp, grid: &Grid) {
        let numbers = [all.clone(), cells.clone()];
        self.launch_with_decks(hist, partials, &numbers, all, grid, &mut |this, hist, partials, numbers| {
            this.each_apart(&numbers[0], &mut |this, number| {
                let position = match hist.row_sizes().is_empty() {
                    true => Vec::new(),
                    false => {
                        let number = this.code.atom("number", number.clone().rem(numbers[1].clone()));
                        this.cell_of(hist, &number).position
                    }
                };
                let neutral = this.values_at(&hist.op.neutral, &position);
                for (partial, value) in partials.iter().zip(neutral) {
                    this.put(partial, number.clone(), value);
                }
            });
        });
    }

    /// Elements go to their decks, each position of their rows by a thread of its own.
    fn deal_out(
        &mut self,
        hist: &Hist,
        partials: &[Array],
        cells: &Exp,
        decks: &Exp,
        row: &Exp,
        grid: &Grid,
    ) {
        let threads = self.code.atom("threads", decks.clone().mul(row.clone()));
        let numbers = [decks.clone(), cells.clone(), threads.clone()];
        self.launch_with_decks(
            hist,
            partials,
            &numbers,
            &threads,
            grid,
            &mut |this, hist, partials, numbers| {
                let [decks, cells, threads] = numbers else {
                    panic!("imp_gen: a kernel was handed too little")
                };
                let op = this.scalar_operator(hist);
                let sizes: Vec<Repr> =
                    [decks].into_iter().chain(&hist.row_sizes()).cloned().map(Repr::Scalar).collect();
                this.each_apart(threads, &mut |this, number| {
                    let mut position = this.indices_of(number, &sizes);
                    let deck = position.remove(0);
                    let first = this.code.atom("first", deck.clone().mul(cells.clone()));
                    let dealt = this.deal_several(hist, op, partials, &first, (&deck, decks), &position);
                    this.each_by("element", dealt, decks.clone(), &hist.width, &mut |this, i| {
                        this.guarded(&mut |this| {
                            this.at_hist_element(hist, &i, &mut |this, indices| {
                                this.code.open();
                                let cell = this.cell_at(hist, indices, &position);
                                let values = this.values_at(hist.values, &position);
                                let at = this.code.atom("at", first.clone().add(cell.number));
                                let before = this.in_deck(partials, &at);
                                let combined = this.combined(Combine::Lambda(op), &before, &values);
                                for (partial, value) in partials.iter().zip(combined) {
                                    this.put(partial, at.clone(), value);
                                }
                                let block = this.code.close();
                                this.code.when(hist.contains(indices), block);
                            });
                        });
                    });
                });
            },
        );
    }

    /// As long as there are enough elements, a thread reads the cells of several before it combines: each would wait for memory otherwise. Where
    /// two of them have the same cell, the later one takes what the earlier has made of it. Yields the first element that is left.
    fn deal_several(
        &mut self,
        hist: &Hist,
        op: &Lambda,
        partials: &[Array],
        first: &Exp,
        (deck, decks): (&Exp, &Exp),
        position: &[Exp],
    ) -> Exp {
        if !Cost::of(&hist.kernel.body).is_cheap() || !Cost::of(&op.body).is_cheap() {
            return deck.clone();
        }
        let next = self.code.bind("next", deck.clone());
        let far = self.code.atom("far", hist.width.clone().sub(decks.clone().mul(AT_ONCE - 1)));
        self.code.open();
        self.guarded(&mut |this| {
            let mut dealt: Vec<Dealt> = Vec::new();
            for k in 0..AT_ONCE {
                let i = this.code.atom("element", Exp::Var(next).add(decks.clone().mul(k)));
                this.at_hist_element(hist, &i, &mut |this, indices| {
                    let inside = this.code.bind("inside", hist.contains(indices));
                    let cell = this.cell_at(hist, indices, position);
                    let number = Exp::select(inside, cell.number, 0);
                    let at = this.code.atom("at", first.clone().add(number));
                    let values = this.values_at(hist.values, position);
                    let values = values.into_iter().map(|value| this.code.atom("value", value)).collect();
                    dealt.push(Dealt { inside, at, values, cell: Vec::new() });
                });
            }
            for one in &mut dealt {
                one.cell = this.in_deck(partials, &one.at);
            }
            for k in 0..dealt.len() {
                let (earlier, one) = dealt.split_at(k);
                let mut cell = one[0].cell.clone();
                for before in earlier {
                    let same = before.at.clone().eq(one[0].at.clone()).and(Exp::Var(before.inside));
                    let same = this.code.bind("same", same);
                    for (own, made) in cell.iter_mut().zip(&before.cell) {
                        *own = Exp::select(same, made.clone(), own.clone());
                    }
                }
                let cell: Vec<Exp> = cell.into_iter().map(|value| this.code.atom("there", value)).collect();
                let combined = this.combined(Combine::Lambda(op), &cell, &one[0].values);
                let combined = combined.into_iter().map(|value| this.code.atom("sum", value)).collect();
                dealt[k].cell = combined;
            }
            for one in dealt {
                this.code.open();
                for (partial, value) in partials.iter().zip(one.cell) {
                    this.put(partial, one.at.clone(), value);
                }
                let block = this.code.close();
                this.code.when(Exp::Var(one.inside), block);
            }
        });
        self.code.set(next, Exp::Var(next).add(decks.clone().mul(AT_ONCE)));
        let body = self.code.close();
        self.code.while_(Vec::new(), Exp::Var(next).lt(far), body);
        next.into()
    }

    /// Combines all decks with the first, in their order. There is one at least.
    pub(super) fn merge_decks(
        &mut self,
        hist: &Hist,
        partials: &[Array],
        decks: &Exp,
        cells: &Exp,
        grid: &Grid,
    ) {
        // How far those decks are apart that have something.
        let apart = self.code.bind("apart", 1);
        self.code.open();
        let reach = self.code.bind("reach", Exp::Var(apart).mul(MERGED));
        let merged = decks.clone().add(Exp::Var(reach).sub(1)).quot(reach);
        let threads = self.code.atom("threads", merged.mul(cells.clone()));
        let numbers = [decks.clone(), cells.clone(), apart.into(), reach.into(), threads.clone()];
        self.launch_with_decks(
            hist,
            partials,
            &numbers,
            &threads,
            grid,
            &mut |this, hist, partials, numbers| {
                let [decks, cells, apart, reach, threads] = numbers else {
                    panic!("imp_gen: a kernel was handed too little")
                };
                let op = this.scalar_operator(hist);
                this.each_apart(threads, &mut |this, number| {
                    let part: Exp = this.code.bind("part", number.clone().quot(cells.clone())).into();
                    let cell = this.code.bind("cell", number.sub(part.clone().mul(cells.clone())));
                    let first: Exp = this.code.bind("first", part.mul(reach.clone())).into();
                    let left = decks.clone().sub(first.clone()).add(apart.clone().sub(1));
                    let count = this.code.bind("count", left.quot(apart.clone()).min(MERGED));
                    let at: Exp = this.code.bind("at", first.mul(cells.clone()).add(cell)).into();
                    let step = this.code.bind("step", apart.clone().mul(cells.clone()));
                    this.guarded(&mut |this| {
                        let sums: Vec<ImpVar> = this
                            .in_deck(partials, &at)
                            .into_iter()
                            .map(|value| this.code.bind("sum", value))
                            .collect();
                        this.each(1, count, LoopForm::Plain, &mut |this, k| {
                            let other = this.code.atom("other", at.clone().add(k.mul(step)));
                            let values = this.in_deck(partials, &other);
                            let before: Vec<Exp> = sums.iter().map(|sum| Exp::Var(*sum)).collect();
                            let combined = this.combined(Combine::Lambda(op), &before, &values);
                            sums.iter().zip(combined).for_each(|(sum, value)| this.code.set(*sum, value));
                        });
                        for (partial, sum) in partials.iter().zip(&sums) {
                            this.put(partial, at.clone(), Exp::Var(*sum));
                        }
                    });
                });
            },
        );
        self.code.set(apart, reach);
        let body = self.code.close();
        self.code.while_(Vec::new(), Exp::Var(apart).lt(decks.clone()), body);
    }

    /// What the decks have at an index.
    fn in_deck(&mut self, partials: &[Array], at: &Exp) -> Vec<Exp> {
        let mut values = Vec::with_capacity(partials.len());
        for partial in partials {
            let value = self.element(partial, at.clone());
            values.push(self.code.bind("value", value).into());
        }
        values
    }

    /// In a kernel, of whose threads only one has this cell: what is there, combined with these values.
    pub(super) fn combine_in_order(&mut self, hist: &Hist, op: &Lambda, cell: &Cell, values: &[Exp]) {
        let mut places = Vec::with_capacity(hist.dests.len());
        let mut there = Vec::with_capacity(hist.dests.len());
        for dest in &hist.dests {
            let at = self.index_of_cell(dest, cell);
            let value = self.element(dest, at.clone());
            there.push(self.code.bind("there", value).into());
            places.push(at);
        }
        let combined = self.combined(Combine::Lambda(op), &there, values);
        for ((dest, at), value) in hist.dests.iter().zip(places).zip(combined) {
            self.put(dest, at, value);
        }
    }
}
