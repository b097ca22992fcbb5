//! Histograms whose elements are sorted by bin, and then reduced in their order, bin by bin: the line for everything.
//!
//! 1. A kernel computes the bin of each element, and the numbers of the elements are sorted by it. Equal bins keep their order.
//! 2. Each thread combines so many neighbours of the sorted elements, in their order. Bins that begin and end among them are done. Of the
//!    first and the last, which may go on elsewhere, it keeps what it has: these are the elements of the next level, of which there are
//!    fewer, sorted by bin, too. The last level has one thread for each position.
//!
//! ```text
//! bins      0 0 0 2 2 | 2 2 2 2 2 | 2 3 5 5 5
//! keeps     0       2   2       2   2       5      3 is done
//! ```
//!
//! However uneven bins are, a thread has no more to do than another. The order depends on nothing but the number of elements. Rows that are
//! combined position by position have a thread for each position; other rows are combined by one thread, in its own memory.
//!
//! Bins are numbered by 32 bits while they are sorted. If there are more, there are passes, each for so many bins.

use super::{Cell, Hist};
use crate::imp_gen::device::kernel::tunable;
use crate::imp_gen::device::kernels::{array_inside, scalar_inside};
use crate::imp_gen::operators::accs::{AccHome, Accs, Column, lent};
use crate::imp_gen::operators::dests::{Dest, linear_index};
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::operators::sort::rank::DIGIT_BITS;
use crate::imp_gen::repr::{Array, Part, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::flat::Tunable;
use norn_ir::imp::{BinOp, Exp, LoopForm, Prim, Var as ImpVar};
use norn_ir::nest::Lambda;

/// How many bins a pass has.
const PASS: i64 = 1 << 31;

/// How elements are combined: by one thread for each position of rows, or for whole elements.
enum By<'k> {
    Positions(&'k Lambda),
    Elements,
}

impl<'k> By<'k> {
    fn operator(&self, hist: &Hist<'k>) -> &'k Lambda {
        match self {
            By::Positions(scalars) => scalars,
            By::Elements => &hist.op.lambda,
        }
    }
}

/// Elements of a level, sorted by bin: their bins, and, but for the first level, their values.
struct Level {
    bins: Array,
    values: Vec<Array>,
}

impl Level {
    fn arrays(&self) -> impl Iterator<Item = Repr> {
        [&self.bins].into_iter().chain(&self.values).cloned().map(Repr::Array)
    }

    fn inside(&self, given: &mut dyn Iterator<Item = Repr>) -> Level {
        let mut next = || array_inside(given.next().expect("imp_gen: a kernel was handed too little"));
        Level { bins: next(), values: self.values.iter().map(|_| next()).collect() }
    }
}

/// What all levels of a pass share: the first bin and how many there are. What belongs to no bin has the number behind the last.
struct Pass {
    base: Exp,
    bins: Exp,
}

/// What a thread of a level has: where it is, and what it has combined so far.
struct Chunk<'a> {
    number: Exp,
    /// Its first element.
    first: Exp,
    position: Vec<Exp>,
    pass: &'a Pass,
    /// The bin of what is combined now, and whether it is the first.
    bin: ImpVar,
    is_first: ImpVar,
    accs: Accs,
    /// Whether there is no further level.
    is_last: Exp,
}

impl Gen<'_> {
    pub(super) fn hist_sort(&mut self, hist: &Hist, grid: &Grid) {
        let bins = self.code.atom("bins", Exp::product(hist.bin_sizes()));
        let passes = self.code.atom("passes", bins.clone().add(PASS - 1).quot(PASS));
        let passes = Exp::select(hist.width.clone().eq(0), Exp::i64(0), passes);
        let passes = self.code.atom("passes", passes);
        self.each(0, passes, LoopForm::Plain, &mut |this, pass| {
            this.scoped(&mut |this| {
                let base = this.code.atom("base", pass.clone().mul(PASS));
                let count = this.code.atom("count", bins.clone().sub(base.clone()).min(PASS));
                this.hist_pass(hist, &Pass { base, bins: count }, grid);
            });
        });
    }

    fn hist_pass(&mut self, hist: &Hist, pass: &Pass, grid: &Grid) {
        let bins = self.bins_of_elements(hist, pass, grid);
        let digits = self.digits_of(&pass.bins);
        let (bins, places) = self.sort_low_digits(&bins, &hist.width, digits);
        let by = match super::operator::on_scalars(&self.fun.vars, &hist.op.lambda) {
            Some(scalars) => By::Positions(scalars),
            None => By::Elements,
        };
        let each = tunable(hist.kernel, Tunable::Each);
        let chunks = |count: Exp| count.add(each - 1).quot(each);
        let first = self.code.atom("chunks", chunks(hist.width.clone()));
        let second = self.code.atom("chunks", chunks(first.clone().mul(2)));
        let one = self.new_level(hist, &first);
        let other = self.new_level(hist, &second);

        let sorted = Level { bins, values: Vec::new() };
        self.launch_level(hist, pass, &by, (&sorted, Some(&places)), &hist.width, &first, &one, grid);
        // Levels change places.
        let from = self.level_variables(&one, "from");
        let to = self.level_variables(&other, "to");
        self.set_level(&from, &one);
        self.set_level(&to, &other);
        let left = self.code.bind("left", first);
        self.code.open();
        let count = self.code.atom("count", Exp::Var(left).mul(2));
        let next = self.code.atom("chunks", chunks(count.clone()));
        self.launch_level(hist, pass, &by, (&from, None), &count, &next, &to, grid);
        self.code.set(left, next);
        let swap = self.level_variables(&one, "swap");
        self.set_level(&swap, &from);
        self.set_level(&from, &to);
        self.set_level(&to, &swap);
        let body = self.code.close();
        self.code.while_(Vec::new(), Exp::i64(1).lt(left), body);
    }

    /// The number of each element's bin in the pass.
    fn bins_of_elements(&mut self, hist: &Hist, pass: &Pass, grid: &Grid) -> Array {
        let bins = self.new_array_named("bins", Prim::U32, std::slice::from_ref(&hist.width), "hist");
        let mut extra = hist.reprs();
        extra.push(Repr::Array(bins.clone()));
        extra.extend([&pass.base, &pass.bins].map(|exp| Repr::Scalar(exp.clone())));
        let groups = self.groups_for(&hist.width, 1, None);
        self.launch_looping_groups("hist", &grid.captured, &extra, groups, &mut |this, _, given| {
            let mut given = given.into_iter();
            let hist = hist.inside(&mut given);
            let bins = array_inside(given.next().expect("imp_gen: a kernel was handed too little"));
            let (base, count) = (scalar_inside(given.next()), scalar_inside(given.next()));
            this.each_apart(&hist.width, &mut |this, i| {
                this.guarded(&mut |this| {
                    this.at_hist_element(&hist, &i, &mut |this, indices| {
                        let number = linear_index(&hist.bin_sizes(), indices).sub(base.clone());
                        let number = this.code.atom("number", number);
                        let here = Exp::i64(0).le(number.clone()).and(number.clone().lt(count.clone()));
                        let bin = Exp::select(hist.contains(indices).and(here), number, count.clone());
                        this.store(&bins, std::slice::from_ref(&i), bin.convert(Prim::I64, Prim::U32));
                    });
                });
            });
        });
        bins
    }

    /// In how many digits numbers up to this one differ.
    fn digits_of(&mut self, most: &Exp) -> Exp {
        let digits = self.code.bind("digits", Exp::i64(1));
        self.code.open();
        self.code.set(digits, Exp::Var(digits).add(1));
        let body = self.code.close();
        let shift = Exp::Var(digits).mul(DIGIT_BITS);
        let above = Exp::bin(BinOp::Lshr, Prim::I64, most.clone(), shift);
        self.code.while_(Vec::new(), Exp::i64(0).lt(above), body);
        digits.into()
    }

    /// Two elements for each chunk.
    fn new_level(&mut self, hist: &Hist, chunks: &Exp) -> Level {
        let count = self.code.atom("count", chunks.clone().mul(2));
        let bins = self.new_array_named("bins", Prim::U32, std::slice::from_ref(&count), "hist");
        let mut values = Vec::with_capacity(hist.dests.len());
        for dest in &hist.dests {
            let mut sizes = vec![count.clone()];
            sizes.extend(dest.lead[hist.indexed()..].iter().map(|lead| lead.size.clone()));
            values.push(self.new_array_named("partial", dest.prim, &sizes, "hist"));
        }
        Level { bins, values }
    }

    /// Variables for the pointers of such a level.
    fn level_variables(&mut self, like: &Level, name: &str) -> Level {
        let mut variable = |array: &Array| {
            let ty = self.code.ty(&array.data.ptr);
            let ptr = self.code.new_var(name, ty);
            Array { data: Part::lent(ptr.into()), ..lent(array) }
        };
        Level { bins: variable(&like.bins), values: like.values.iter().map(variable).collect() }
    }

    fn set_level(&mut self, variables: &Level, level: &Level) {
        let arrays = |level: &Level| -> Vec<Exp> {
            [&level.bins].into_iter().chain(&level.values).map(|array| array.data.ptr.clone()).collect()
        };
        for (variable, value) in arrays(variables).into_iter().zip(arrays(level)) {
            if let Exp::Var(var) = variable {
                self.code.set(var, value);
            }
        }
    }

    /// One level: so many elements, in chunks. The elements of the first are those of the histogram, at these places.
    #[allow(clippy::too_many_arguments)]
    fn launch_level(
        &mut self,
        hist: &Hist,
        pass: &Pass,
        by: &By,
        (from, places): (&Level, Option<&Array>),
        count: &Exp,
        chunks: &Exp,
        to: &Level,
        grid: &Grid,
    ) {
        let row = match by {
            By::Positions(_) => Exp::product(hist.row_sizes()),
            By::Elements => Exp::i64(1),
        };
        let threads = self.code.atom("threads", chunks.clone().mul(row));
        let mut extra = hist.reprs();
        extra.extend(from.arrays());
        extra.extend(to.arrays());
        extra.extend([&pass.base, &pass.bins, count, chunks, &threads].map(|exp| Repr::Scalar(exp.clone())));
        extra.extend(places.cloned().map(Repr::Array));
        let groups = self.groups_for(&threads, 1, None);
        self.launch_looping_groups("hist", &grid.captured, &extra, groups, &mut |this, _, given| {
            let mut given = given.into_iter();
            let hist = hist.inside(&mut given);
            let (from, to) = (from.inside(&mut given), to.inside(&mut given));
            let [base, bins, count, chunks, threads] = std::array::from_fn(|_| scalar_inside(given.next()));
            let places = places.map(|_| array_inside(given.next().expect("imp_gen: a kernel lacks places")));
            let pass = Pass { base, bins };
            let sizes: Vec<Repr> = match by {
                By::Positions(_) => {
                    [chunks.clone()].into_iter().chain(hist.row_sizes()).map(Repr::Scalar).collect()
                }
                By::Elements => vec![Repr::Scalar(chunks.clone())],
            };
            this.each_apart(&threads, &mut |this, number| {
                let mut position = this.indices_of(number, &sizes);
                let number = this.code.atom("chunk", position.remove(0));
                this.scoped(&mut |this| {
                    let (number, position) = (number.clone(), position.clone());
                    let chunk = this.new_chunk(&hist, by, &pass, number, position, &chunks, &from);
                    this.reduce_chunk(&hist, by, &chunk, (&from, places.as_ref()), &count, &to);
                });
            });
        });
    }

    // # In kernels

    #[allow(clippy::too_many_arguments)]
    fn new_chunk<'p>(
        &mut self,
        hist: &Hist,
        by: &By,
        pass: &'p Pass,
        number: Exp,
        position: Vec<Exp>,
        chunks: &Exp,
        from: &Level,
    ) -> Chunk<'p> {
        let first = number.clone().mul(tunable(hist.kernel, Tunable::Each));
        let first = self.code.atom("first", first);
        let bin = self.element(&from.bins, first.clone());
        let bin = self.code.bind("bin", bin);
        let is_first = self.code.bind("is_first", Exp::bool(true));
        let accs = self.new_accs(by.operator(hist), AccHome::Buffers(None));
        let is_last = chunks.clone().le(1);
        Chunk { number, first, position, pass, bin, is_first, accs, is_last }
    }

    /// The elements of a chunk, in their order.
    fn reduce_chunk(
        &mut self,
        hist: &Hist,
        by: &By,
        chunk: &Chunk,
        (from, places): (&Level, Option<&Array>),
        count: &Exp,
        to: &Level,
    ) {
        let end = chunk.first.clone().add(tunable(hist.kernel, Tunable::Each)).min(count.clone());
        let end = self.code.atom("end", end);
        self.begin_bin(hist, by, chunk);
        self.each(chunk.first.clone(), end, LoopForm::Plain, &mut |this, i| {
            let next = this.element(&from.bins, i.clone());
            let next = this.code.bind("next", next);
            this.code.open();
            this.end_bin(hist, by, chunk, to);
            this.code.set(chunk.is_first, Exp::bool(false));
            this.code.set(chunk.bin, next);
            this.begin_bin(hist, by, chunk);
            let block = this.code.close();
            this.code.when(Exp::bin(BinOp::Eq, Prim::U32, next, chunk.bin).not(), block);
            this.code.open();
            this.guarded(&mut |this| match places {
                Some(places) => {
                    let place = this.element(places, i.clone());
                    let place = this.code.bind("place", place).into();
                    this.at_hist_element(hist, &place, &mut |this, _| this.add_element(hist, by, chunk));
                }
                None => this.add_partial(hist, by, chunk, from, &i),
            });
            let block = this.code.close();
            this.code.when(this.is_a_bin(chunk), block);
        });
        self.end_chunk(hist, by, chunk, to);
    }

    fn is_a_bin(&self, chunk: &Chunk) -> Exp {
        Exp::Var(chunk.bin).convert(Prim::U32, Prim::I64).lt(chunk.pass.bins.clone())
    }

    /// Nothing is combined yet.
    fn begin_bin(&mut self, hist: &Hist, by: &By, chunk: &Chunk) {
        let neutral = self.neutral_values(hist, by, chunk);
        self.set_accs(&chunk.accs, &neutral);
    }

    fn neutral_values(&mut self, hist: &Hist, by: &By, chunk: &Chunk) -> Vec<Repr> {
        match by {
            By::Positions(_) => {
                self.values_at(&hist.op.neutral, &chunk.position).into_iter().map(Repr::Scalar).collect()
            }
            By::Elements => hist.op.neutral.iter().map(|atom| self.value(*atom)).collect(),
        }
    }

    /// What the body yields is combined.
    fn add_element(&mut self, hist: &Hist, by: &By, chunk: &Chunk) {
        let values: Vec<Repr> = match by {
            By::Positions(_) => {
                self.values_at(hist.values, &chunk.position).into_iter().map(Repr::Scalar).collect()
            }
            By::Elements => hist.values.iter().map(|atom| self.value(*atom)).collect(),
        };
        self.scoped(&mut |this| this.combine(by.operator(hist), &chunk.accs, &values, &[]));
    }

    /// What a chunk of the level before has left is combined.
    fn add_partial(&mut self, hist: &Hist, by: &By, chunk: &Chunk, from: &Level, i: &Exp) {
        let mut values = Vec::with_capacity(from.values.len());
        for array in &from.values {
            match by {
                By::Positions(_) => {
                    let place: Vec<Exp> = [i].into_iter().chain(&chunk.position).cloned().collect();
                    let at = self.element_index(array, &place);
                    let value = self.element(array, at);
                    values.push(Repr::Scalar(self.code.bind("value", value).into()));
                }
                By::Elements => values.extend(self.row_at(array, i)),
            }
        }
        self.scoped(&mut |this| this.combine(by.operator(hist), &chunk.accs, &values, &[]));
    }

    /// Another bin follows: the first may have begun before the chunk, all others are done.
    fn end_bin(&mut self, hist: &Hist, by: &By, chunk: &Chunk, to: &Level) {
        self.code.open();
        self.leave(by, chunk, to, 0, None);
        let keep = self.code.close();
        self.code.open();
        self.finish_bin(hist, by, chunk);
        let finish = self.code.close();
        let goes_on = Exp::Var(chunk.is_first).and(chunk.is_last.clone().not());
        self.code.if_(goes_on, keep, finish);
    }

    /// The last bin may go on behind the chunk. If it is the only one, there is nothing behind it.
    fn end_chunk(&mut self, hist: &Hist, by: &By, chunk: &Chunk, to: &Level) {
        self.code.open();
        self.finish_bin(hist, by, chunk);
        let finish = self.code.close();
        self.code.open();
        self.leave(by, chunk, to, 0, None);
        let neutral = self.neutral_values(hist, by, chunk);
        self.leave(by, chunk, to, 1, Some(neutral));
        let only = self.code.close();
        self.code.open();
        self.leave(by, chunk, to, 1, None);
        let last = self.code.close();
        self.code.open();
        self.code.if_(chunk.is_first, only, last);
        let keep = self.code.close();
        self.code.if_(chunk.is_last.clone(), finish, keep);
    }

    /// What is combined, or other values, are elements of the next level: the first or the second of this chunk.
    fn leave(&mut self, by: &By, chunk: &Chunk, to: &Level, which: i64, values: Option<Vec<Repr>>) {
        let at = self.code.atom("at", chunk.number.clone().mul(2).add(which));
        self.store(&to.bins, std::slice::from_ref(&at), chunk.bin.into());
        let values = values.unwrap_or_else(|| chunk.accs.values());
        for (array, value) in to.values.iter().zip(values) {
            match (by, value) {
                (By::Positions(_), Repr::Scalar(value)) => {
                    let place: Vec<Exp> = [&at].into_iter().chain(&chunk.position).cloned().collect();
                    self.store(array, &place, value);
                }
                (By::Positions(_) | By::Elements, value) => self.store_row(array, at.clone(), &value),
            }
        }
    }

    /// What is combined is all that the bin gets.
    fn finish_bin(&mut self, hist: &Hist, by: &By, chunk: &Chunk) {
        self.code.open();
        let number = Exp::Var(chunk.bin).convert(Prim::U32, Prim::I64).add(chunk.pass.base.clone());
        let number = self.code.atom("number", number);
        let sizes: Vec<Repr> = hist.bin_sizes().into_iter().map(Repr::Scalar).collect();
        let indices = self.indices_of(number.clone(), &sizes);
        self.guarded(&mut |this| match by {
            By::Positions(scalars) => {
                let cell = Cell {
                    indices: indices.clone(),
                    position: chunk.position.clone(),
                    number: number.clone(),
                };
                this.combine_in_order(hist, scalars, &cell, &scalars_of(&chunk.accs));
            }
            By::Elements => {
                let dests: Vec<Dest> = hist.dests.iter().cloned().map(Dest::Regular).collect();
                let values = chunk.accs.values();
                this.scoped(&mut |this| this.combine_at(&hist.op.lambda, &dests, &indices, &values));
            }
        });
        let block = self.code.close();
        self.code.when(self.is_a_bin(chunk), block);
    }
}

fn scalars_of(accs: &Accs) -> Vec<Exp> {
    let scalar = |column: &Column| match column {
        Column::Scalar(var) => Exp::Var(*var),
        Column::Buffer { .. } | Column::Written(_) | Column::Varying(_) => {
            panic!("imp_gen: a position that is no scalar")
        }
    };
    accs.columns.iter().map(scalar).collect()
}
