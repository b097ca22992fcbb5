//! Scatters and histograms on the CPU: values go where indices point to.
//!
//! - A scatter in a grid stores from all chunks at once.
//! - A histogram in a grid is privatised: each chunk but the first has a copy of the destinations, and the copies are added in the order
//!   of chunks, in parallel over the bins. That pays as long as there is much more to write than there are bins.
//! - Otherwise, if indices are cheap to compute, all chunks compute all indices, and each writes to its own range of the bins
//!   (`by_bins`). Otherwise fewer chunks write to copies.
//!
//! So the order of combination is that of the elements, or fixed by the number of chunks.

use super::cost::Cost;
use super::dests::{Dest, linear_index};
use super::launch::{Grid, Launch};
use crate::imp_gen::repr::{Array, Part, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Elem, Exp, LoopForm, Split, Stmt};
use norn_ir::nest::{Atom, Lambda, Reduction, Var};

/// `scatter`, `hist` or, with accumulators, `acc_stream`.
pub struct Hist<'a> {
    pub name: &'static str,
    pub width: Atom,
    pub dests: &'a [Var],
    pub op: Option<&'a Reduction>,
    pub inputs: &'a [Var],
    pub lambda: &'a Lambda,
    pub vars: &'a [Var],
}

/// Code that goes over a range of elements and writes to destinations.
pub type WriteRange<'a, 'g> = dyn FnMut(&mut Gen<'g>, &[Dest], &Exp, &Exp) + 'a;

/// A copy of something is worth this many operations less of it.
const COPY_COST: i64 = 4;

/// Up to so many operations the indices of all elements are computed by every chunk.
const CHEAP_INDEX: usize = 8;

impl Hist<'_> {
    fn indexed(&self) -> usize {
        self.lambda.body.result.len() - self.dests.len()
    }
}

impl<'g> Gen<'g> {
    pub fn hist(&mut self, hist: &Hist, grid: Option<Grid>) {
        let width = self.scalar(hist.width);
        let indexed = hist.indexed();
        let dests = self.open_dests(hist.dests, indexed, hist.name);
        let regular = dests.iter().all(|dest| dest.regular().is_some());
        let grid = grid.filter(|_| regular);
        match (&grid, hist.op) {
            (None, _) => self.write_range(hist, &dests, &Exp::i64(0), &width, None),
            (Some(grid), None) => self.scatter_in_grid(hist, &dests, &width, grid),
            (Some(grid), Some(op)) => {
                let cost = Cost::of(&hist.lambda.body);
                let by_bins = cost.is_cheap() && cost.operations <= CHEAP_INDEX;
                self.write_in_copies(
                    hist,
                    op,
                    &dests,
                    indexed,
                    grid,
                    by_bins,
                    &mut |this, dests, from, to| {
                        this.write_range(hist, dests, from, to, None);
                    },
                );
            }
        }
        self.bind_dests(hist.vars, dests, grid.as_ref());
    }

    /// Write what a range of elements yields; only to rows with these numbers, if there are any.
    fn write_range(
        &mut self,
        hist: &Hist,
        dests: &[Dest],
        from: &Exp,
        to: &Exp,
        numbers: Option<(&Exp, &Exp)>,
    ) {
        let (indices, values) = hist.lambda.body.result.split_at(hist.indexed());
        let regular = dests.iter().all(|dest| dest.regular().is_some());
        // Who writes last to a place that several write to does not matter.
        let form = if hist.op.is_none() && regular { LoopForm::Independent } else { LoopForm::Plain };
        self.each(from.clone(), to.clone(), form, &mut |this, i| {
            let rows = this.rows_at(hist.inputs, &i);
            this.apply(hist.lambda, rows, &[], &mut |this| {
                let indices: Vec<Exp> = indices.iter().map(|atom| this.scalar(*atom)).collect();
                let values: Vec<Repr> = values.iter().map(|atom| this.value(*atom)).collect();
                let ours = numbers.map(|(first, end)| {
                    let sizes = dests[0].sizes(indices.len());
                    let number = this.code.atom("number", linear_index(&sizes, &indices));
                    first.clone().le(number.clone()).and(number.lt(end.clone()))
                });
                this.write_at(hist.op, dests, &indices, &values, ours);
            });
        });
    }

    fn scatter_in_grid(&mut self, hist: &Hist, dests: &[Dest], width: &Exp, grid: &Grid) {
        let chunks = self.chunks(grid, width);
        let launch = Launch { name: hist.name, width: width.clone(), chunks, split: self.split(grid) };
        self.launch(grid, launch, &reprs(dests), &mut |this, kernel, given| {
            let dests = inside(given);
            this.write_range(hist, &dests, &kernel.from.into(), &kernel.to.into(), None);
        });
    }

    /// Write in parallel, to copies of the regular destinations, and add these. `by_bins`: it is a histogram whose indices are
    /// cheap to compute, which helps when there is too much to copy.
    #[allow(clippy::too_many_arguments)]
    pub fn write_in_copies(
        &mut self,
        hist: &Hist,
        op: &Reduction,
        dests: &[Dest],
        indexed: usize,
        grid: &Grid,
        by_bins: bool,
        range: &mut WriteRange<'_, 'g>,
    ) {
        // Copies are row-major, and what is copied should look the same.
        let row_major: Vec<Dest> = dests.iter().map(|dest| self.row_major_dest(dest)).collect();
        self.write_row_major(hist, op, &row_major, indexed, grid, by_bins, range);
        for (dest, row_major) in dests.iter().zip(&row_major) {
            if let (Some(dest), Some(row_major)) = (dest.regular(), row_major.regular())
                && dest.data.ptr != row_major.data.ptr
            {
                self.copy_into(dest, row_major);
            }
        }
    }

    fn row_major_dest(&mut self, dest: &Dest) -> Dest {
        match dest {
            Dest::Regular(array) => Dest::Regular(self.in_row_major(array.clone())),
            Dest::Rows(..) => dest.clone(),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn write_row_major(
        &mut self,
        hist: &Hist,
        op: &Reduction,
        dests: &[Dest],
        indexed: usize,
        grid: &Grid,
        by_bins: bool,
        range: &mut WriteRange<'_, 'g>,
    ) {
        let width = self.scalar(hist.width);
        let sizes = dests[0].sizes(indexed);
        let bins = self.code.atom("bins", Exp::product(sizes));
        let flat: Vec<Array> = dests.iter().map(|dest| self.flat(dest, indexed, &bins)).collect();
        let cells = self.code.atom("cells", cells(&flat).max(1));
        let chunks = self.chunks(grid, &width);
        let worth = grid.work.clone().quot(cells.mul(COPY_COST));
        let copies = chunks.clone().min(Exp::Workers).min(worth).max(1);
        let copies: Exp = self.code.bind("copies", copies).into();

        self.code.open();
        self.scoped(&mut |this| this.write_chunks(hist, op, dests, &flat, &copies, grid, range));
        let in_copies = self.code.close();
        if !by_bins {
            return self.code.append(in_copies);
        }
        self.code.open();
        let parts = self.code.atom("parts", chunks.clone().min(Exp::Workers).min(bins.clone()).max(1));
        let launch = Launch { name: hist.name, width: bins, chunks: parts, split: Split::Even };
        self.launch(grid, launch, &reprs(dests), &mut |this, kernel, given| {
            let dests = inside(given);
            let width = this.scalar(hist.width);
            let numbers = (&kernel.from.into(), &kernel.to.into());
            this.write_range(hist, &dests, &Exp::i64(0), &width, Some(numbers));
        });
        let in_bins = self.code.close();
        self.code.if_(copies.eq(1).and(chunks.gt(1)), in_bins, in_copies);
    }

    #[allow(clippy::too_many_arguments)]
    fn write_chunks(
        &mut self,
        hist: &Hist,
        op: &Reduction,
        dests: &[Dest],
        flat: &[Array],
        copies: &Exp,
        grid: &Grid,
        range: &mut WriteRange<'_, 'g>,
    ) {
        let width = self.scalar(hist.width);
        let others = self.code.atom("others", copies.clone().sub(1));
        let mut privates: Vec<Repr> = Vec::with_capacity(flat.len());
        for array in flat {
            let mut sizes = vec![others.clone()];
            sizes.extend(array.lead.iter().map(|lead| lead.size.clone()));
            privates.push(Repr::Array(self.new_array_named("copies", array.prim, &sizes, hist.name)));
        }
        let mut extra = reprs(dests);
        extra.extend(flat.iter().cloned().map(Repr::Array));
        extra.extend(privates.iter().cloned());
        let count = flat.len();
        let split = self.split(grid);
        let launch = Launch { name: hist.name, width, chunks: copies.clone(), split };
        self.launch(grid, launch, &extra, &mut |this, kernel, given| {
            let given = all_arrays(given);
            let mut targets: Vec<Dest> = Vec::with_capacity(count);
            this.code.open();
            for (at, neutral) in op.neutral.iter().enumerate() {
                let (dest, flat, private) = (&given[at], &given[count + at], &given[2 * count + at]);
                let elem = Elem::Prim(dest.prim);
                let copy = Exp::Var(kernel.chunk).sub(1).mul(private.lead[0].stride.clone());
                let copy = Exp::offset(elem, private.data.ptr.clone(), copy);
                let target = this.code.new_var("target", this.code.ty(&dest.data.ptr));
                this.code.set(target, copy);
                let own = Array { data: Part::lent(target.into()), ..flat.clone() };
                let neutral = this.value(*neutral);
                this.each(0, flat.length(), LoopForm::Independent, &mut |this, i| {
                    this.store_row(&own, i, &neutral);
                });
                targets.push(Dest::Regular(Array { data: Part::lent(target.into()), ..dest.clone() }));
            }
            let to_copy = this.code.close();
            let mut to_dest = Vec::with_capacity(count);
            for (target, dest) in targets.iter().zip(&given) {
                if let Some(Array { data: Part { ptr: Exp::Var(target), .. }, .. }) = target.regular() {
                    to_dest.push(Stmt::Set(*target, dest.data.ptr.clone()));
                }
            }
            this.code.if_(Exp::Var(kernel.chunk).eq(0), to_dest, to_copy);
            range(this, &targets, &kernel.from.into(), &kernel.to.into());
        });
        self.add_copies(hist, op, flat, &privates, &others, grid);
    }

    /// Add the copies to the destinations, one after the other.
    fn add_copies(
        &mut self,
        hist: &Hist,
        op: &Reduction,
        flat: &[Array],
        privates: &[Repr],
        others: &Exp,
        grid: &Grid,
    ) {
        let mut extra: Vec<Repr> = flat.iter().cloned().map(Repr::Array).collect();
        extra.extend(privates.iter().cloned());
        extra.push(Repr::Scalar(others.clone()));
        let bins = flat[0].length();
        let work = self.code.atom("work", cells(flat).mul(others.clone()));
        let chunks = Exp::chunks(bins.clone(), work);
        let launch = Launch { name: hist.name, width: bins, chunks, split: Split::Even };
        let count = flat.len();
        self.launch(grid, launch, &extra, &mut |this, kernel, mut given| {
            let Some(Repr::Scalar(others)) = given.pop() else {
                panic!("imp_gen: a histogram was handed to a kernel as something else")
            };
            let given = all_arrays(given);
            let (flat, privates) = given.split_at(count);
            let dests: Vec<Dest> = flat.iter().cloned().map(Dest::Regular).collect();
            this.each(0, others, LoopForm::Plain, &mut |this, copy| {
                let mut copies = Vec::with_capacity(count);
                for private in privates {
                    copies.push(this.place_of_row(private, copy.clone()));
                }
                let (from, to) = (kernel.from, kernel.to);
                this.each(from, to, LoopForm::Independent, &mut |this, bin| {
                    let values: Vec<Repr> = copies.iter().flat_map(|copy| this.row_at(copy, &bin)).collect();
                    this.combine_at(&op.lambda, &dests, std::slice::from_ref(&bin), &values);
                });
            });
        });
    }

    /// A row-major destination with one dimension for all that are indexed.
    fn flat(&mut self, dest: &Dest, indexed: usize, bins: &Exp) -> Array {
        let array = dest.regular().expect("imp_gen: copies of what is not regular");
        let mut sizes = vec![bins.clone()];
        sizes.extend(array.lead[indexed..].iter().map(|lead| lead.size.clone()));
        self.row_major(array.prim, &sizes, array.data.clone())
    }
}

/// How many elements the arrays have.
fn cells(arrays: &[Array]) -> Exp {
    let sizes = |array: &Array| Exp::product(array.lead.iter().map(|lead| lead.size.clone()));
    Exp::sum(arrays.iter().map(sizes))
}

/// Regular destinations, to be handed to a kernel.
pub fn reprs(dests: &[Dest]) -> Vec<Repr> {
    dests.iter().filter_map(|dest| dest.regular().cloned().map(Repr::Array)).collect()
}

/// Regular destinations, as a kernel was handed them.
pub fn inside(given: Vec<Repr>) -> Vec<Dest> {
    all_arrays(given).into_iter().map(Dest::Regular).collect()
}

fn all_arrays(given: Vec<Repr>) -> Vec<Array> {
    let array = |repr| match repr {
        Repr::Array(array) => array,
        Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert => {
            panic!("imp_gen: an array was handed to a kernel as something else")
        }
    };
    given.into_iter().map(array).collect()
}
