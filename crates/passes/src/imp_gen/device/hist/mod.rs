//! Histograms on the device: elements are combined with what is in their bins.
//!
//! Which line serves an operator says `operator`:
//!
//! | the operator | line | its bins |
//! |---|---|---|
//! | is exact, one that memory has | `hist.atomic` | in shared memory where there is room, else combined where they are |
//! | is exact, and its columns fit into one word | `hist.swap`: compare and swap | in shared memory where there is room, else where they are; rows are sorted |
//! | is exact | `hist.lock`: a lock for each bin | in shared memory where there is room, else sorted |
//! | computes floats | `hist.decks`: copies of the bins | in shared memory where there is room, else copies for each thread if there are few, else, if it adds, exact sums (`limbs`), else sorted |
//! | combines rows as a whole | `hist.sort`: elements sorted by bin, and reduced | |
//!
//! Exact operators may be applied in any order; the others have an order that sizes fix, so that the bits are the same in every run. Rows
//! that are combined position by position are so many single values, each of which has a *cell* of its own in the bin. A line tests at run
//! time what depends on sizes.

mod combine;
mod decks;
mod limbs;
mod near;
pub mod operator;
mod points;
mod shared;
mod sort;
mod span;
mod turns;
mod words;

use super::from_nest::Hists;
use super::kernel::{Kernel, tunable};
use super::kernels::{array_inside, scalar_inside};
use crate::imp_gen::operators::dests::{Dest, linear_index};
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use combine::UpdateMethod;
use norn_ir::flat::{Line, Out, Tunable};
use norn_ir::imp::Exp;
use norn_ir::nest::{Atom, Lambda, Reduction, Var};

/// A histogram, seen from the host or from a kernel.
#[derive(Clone)]
struct Hist<'k> {
    kernel: &'k Kernel,
    op: &'k Reduction,
    indices: &'k [Atom],
    values: &'k [Atom],
    dests: Vec<Array>,
    /// The dimensions of the space, those of points first: each point has bins of its own, the first indices of the destinations.
    widths: Vec<Exp>,
    /// How many elements that are.
    width: Exp,
}

/// Where an element belongs: the bin, and the position in its row, if it has rows.
struct Cell {
    indices: Vec<Exp>,
    position: Vec<Exp>,
    /// The number among all cells.
    number: Exp,
}

impl<'k> Hist<'k> {
    /// What a kernel is handed of it.
    fn reprs(&self) -> Vec<Repr> {
        let dests = self.dests.iter().cloned().map(Repr::Array);
        dests.chain(self.widths.iter().chain([&self.width]).cloned().map(Repr::Scalar)).collect()
    }

    fn inside(&self, given: &mut dyn Iterator<Item = Repr>) -> Hist<'k> {
        let mut next = || given.next().expect("imp_gen: a kernel was handed too little");
        let dests = self.dests.iter().map(|_| array_inside(next())).collect();
        let widths = self.widths.iter().map(|_| scalar_inside(Some(next()))).collect();
        Hist { dests, widths, width: scalar_inside(Some(next())), ..self.clone() }
    }

    /// How many dimensions of the destinations are indexed.
    fn indexed(&self) -> usize {
        self.kernel.points.len() + self.indices.len()
    }

    fn bin_sizes(&self) -> Vec<Exp> {
        self.dests[0].lead[..self.indexed()].iter().map(|lead| lead.size.clone()).collect()
    }

    /// The dimensions of rows; none if values are scalars.
    fn row_sizes(&self) -> Vec<Exp> {
        self.dests[0].lead[self.indexed()..].iter().map(|lead| lead.size.clone()).collect()
    }

    fn cell_sizes(&self) -> Vec<Exp> {
        self.dests[0].lead.iter().map(|lead| lead.size.clone()).collect()
    }

    fn cells(&self) -> Exp {
        Exp::product(self.cell_sizes())
    }

    fn contains(&self, indices: &[Exp]) -> Exp {
        Dest::Regular(self.dests[0].clone()).contains(indices)
    }
}

impl Gen<'_> {
    pub fn device_hists(&mut self, vars: &[Var], hists: &Hists, grid: &Grid) {
        let mut captured = grid.captured.clone();
        if let Some((map, stored)) = &hists.stored {
            self.device_map(stored, map, None, grid);
            captured.extend(stored);
        }
        let grid = Grid { work: grid.work.clone(), balance: None, captured };
        for (kernel, columns) in &hists.kernels {
            let vars: Vec<Var> = columns.iter().map(|column| vars[*column]).collect();
            self.device_kernel(&vars, kernel, &grid);
        }
    }

    pub fn device_hist(&mut self, vars: &[Var], kernel: &Kernel, line: Line, grid: &Grid) {
        let [Out::Hist { op, indices, into }] = &kernel.outs[..] else {
            panic!("imp_gen: a histogram that does more")
        };
        let (indices, values) = kernel.body.result.split_at(*indices);
        let dests = into.iter().map(|into| self.array(into.array)).collect();
        let widths: Vec<Exp> = kernel.dims().map(|dim| self.extent(dim.extent)).collect();
        let width = self.code.atom("width", Exp::product(widths.iter().cloned()));
        let hist = Hist { kernel, op, indices, values, dests, widths, width };
        let cells = self.code.atom("cells", hist.cells());
        self.check_without_bins(kernel, cells.eq(Exp::i64(0)), grid);
        match line {
            Line::HistDecks => self.hist_decks(&hist, grid),
            Line::HistSort => self.hist_sort(&hist, grid),
            line => self.hist_exact(&hist, line, grid),
        }
        self.bind_kept(vars, hist.dests);
    }

    /// What combines two scalars of a cell.
    fn scalar_operator<'k>(&self, hist: &Hist<'k>) -> &'k Lambda {
        operator::on_scalars(&self.fun.vars, &hist.op.lambda)
            .expect("imp_gen: rows that are combined as a whole")
    }

    /// In any order: by groups in the memory that each shares, if the bins have room there, in several passes perhaps; else where they are, if memory
    /// has operations for that; else sorted.
    fn hist_exact(&mut self, hist: &Hist, line: Line, grid: &Grid) {
        let method = UpdateMethod::of(line, &self.fun.vars, self.scalar_operator(hist));
        let cells = self.code.atom("cells", hist.cells());
        let most = method.room() * tunable(hist.kernel, Tunable::Passes);
        self.code.open();
        self.scoped(&mut |this| this.hist_in_groups(hist, &method, &cells, grid));
        let shared = self.code.close();
        self.code.open();
        self.scoped(&mut |this| match &method {
            UpdateMethod::Atomic(operators) => this.hist_by_points(hist, &method, operators, grid),
            UpdateMethod::Swap { word, columns } if hist.row_sizes().is_empty() => {
                this.hist_in_words(hist, &method, (*word, columns), &cells, grid)
            }
            UpdateMethod::Swap { .. } | UpdateMethod::Lock(_) | UpdateMethod::Turns(_) => {
                this.hist_sort(hist, grid)
            }
        });
        let others = self.code.close();
        self.code.if_(cells.le(most), shared, others);
    }

    // # In kernels

    /// Each thread does this for every element that is its own, and, if the bins have rows, each position of these.
    fn each_cell(&mut self, hist: &Hist, with: &mut dyn FnMut(&mut Self, &Cell)) {
        let total = self.elements_of(hist);
        self.each_apart(&total, &mut |this, number| this.at_cell(hist, number, with));
    }

    /// How many values are combined.
    fn elements_of(&mut self, hist: &Hist) -> Exp {
        self.code.atom("total", hist.width.clone().mul(Exp::product(hist.row_sizes())))
    }

    /// The cell that the element with a number is for, and the position in its row, if there is one.
    fn at_cell(&mut self, hist: &Hist, number: Exp, with: &mut dyn FnMut(&mut Self, &Cell)) {
        let row_sizes = hist.row_sizes();
        let sizes: Vec<Repr> =
            [&hist.width].into_iter().chain(&row_sizes).cloned().map(Repr::Scalar).collect();
        let mut position = self.indices_of(number, &sizes);
        let i = position.remove(0);
        self.guarded(&mut |this| {
            this.at_hist_element(hist, &i, &mut |this, indices| {
                this.code.open();
                let cell = this.cell_at(hist, indices, &position);
                with(this, &cell);
                let block = this.code.close();
                this.code.when(hist.contains(indices), block);
            });
        });
    }

    /// The body for the element with a number, which yields these indices of the destinations.
    fn at_hist_element(&mut self, hist: &Hist, number: &Exp, with: &mut dyn FnMut(&mut Self, &[Exp])) {
        let sizes: Vec<Repr> = hist.widths.iter().cloned().map(Repr::Scalar).collect();
        let element = self.indices_of(number.clone(), &sizes);
        self.at_element(hist.kernel, &element, &[], &mut |this| {
            let mut indices = element[..hist.kernel.points.len()].to_vec();
            for atom in hist.indices {
                let index = this.scalar(*atom);
                indices.push(this.code.atom("index", index));
            }
            with(this, &indices);
        });
    }

    fn cell_at(&mut self, hist: &Hist, indices: &[Exp], position: &[Exp]) -> Cell {
        let place: Vec<Exp> = indices.iter().chain(position).cloned().collect();
        let number = linear_index(&hist.cell_sizes(), &place);
        let number = self.code.atom("cell", number);
        Cell { indices: indices.to_vec(), position: position.to_vec(), number }
    }

    /// The cell with a number.
    fn cell_of(&mut self, hist: &Hist, number: &Exp) -> Cell {
        let sizes: Vec<Repr> = hist.cell_sizes().into_iter().map(Repr::Scalar).collect();
        let mut indices = self.indices_of(number.clone(), &sizes);
        let position = indices.split_off(hist.indexed());
        Cell { indices, position, number: number.clone() }
    }

    /// What the body yields for a position of its rows.
    fn values_at(&mut self, values: &[Atom], position: &[Exp]) -> Vec<Exp> {
        let mut at = Vec::with_capacity(values.len());
        for atom in values {
            at.push(match self.value(*atom) {
                Repr::Scalar(value) => value,
                Repr::Array(row) => {
                    let index = self.element_index(&row, position);
                    let value = self.element(&row, index);
                    self.code.atom("value", value)
                }
                Repr::Acc(_) | Repr::Region(_) | Repr::Cert => panic!("imp_gen: a histogram of no values"),
            });
        }
        at
    }

    /// The index of a cell in the memory of a destination.
    fn index_of_cell(&mut self, dest: &Array, cell: &Cell) -> Exp {
        let place: Vec<Exp> = cell.indices.iter().chain(&cell.position).cloned().collect();
        let at = self.element_index(dest, &place);
        self.code.atom("at", at)
    }
}
