//! Maps, reductions and scans, alone or fused: once over all elements.
//!
//! ```text
//! fused n (xs) lambda scans reductions
//!
//! accumulators = neutral elements
//! for i in 0 .. n {
//!   scanned, reduced, kept = lambda xs[i]
//!   scan accumulators     = op(scan accumulators, scanned);     scan outputs[i] = scan accumulators
//!   reduction accumulators = op(reduction accumulators, reduced)
//!   outputs[i] = kept
//! }
//! ```
//!
//! In a grid without scans each chunk does that with accumulators of its own, which are combined afterwards in the order of
//! chunks. With scans see `scan`.

use super::accs::{AccHome, Accs, Column, accumulators};
use super::cost::Cost;
use super::launch::{Grid, Launch};
use super::outs::Out;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Exp, LoopForm};
use norn_ir::nest::{Atom, Combining, Lambda, Reduction, Var};

/// `map`, `reduce`, `scan` and `fused`. Without a lambda, rows of the inputs are what is scanned or reduced.
pub struct Sweep<'a> {
    pub name: &'static str,
    pub width: Atom,
    pub inputs: &'a [Var],
    pub lambda: Option<&'a Lambda>,
    pub scans: &'a [Reduction],
    pub reductions: &'a [Reduction],
    pub vars: &'a [Var],
}

impl<'a> Sweep<'a> {
    /// Of an operator that combines, whatever it is called.
    pub fn of(op: Combining<'a>, vars: &'a [Var]) -> Sweep<'a> {
        let Combining { width, inputs, lambda, scans, reductions } = op;
        Sweep { name: "fused", width, inputs, lambda, scans, reductions, vars }
    }
}

/// Once over a range: what is done with the columns of each element.
pub struct Pass<'a> {
    pub scans: &'a [Accs],
    /// For each scan its outputs, one for each column that is no length.
    pub scanned: &'a [Vec<Option<Out>>],
    pub into_scanned: Scanned,
    pub reductions: &'a [Accs],
    /// None: what is kept is not computed this time.
    pub outs: Option<&'a [Out]>,
}

/// What goes into the outputs of scans.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scanned {
    Nothing,
    /// What the lambda yields, to be scanned later.
    Values,
    /// What has been accumulated, this element included.
    Sums,
}

impl<'a> Sweep<'a> {
    /// How many results of the lambda are scanned or reduced.
    pub fn combined(&self) -> usize {
        self.scans.iter().chain(self.reductions).map(|op| op.neutral.len()).sum()
    }

    /// Whether a scan in a grid stores what the lambda yields, and scans it from there.
    pub fn stores_scanned(&self) -> bool {
        self.has_calls() || !self.cost().is_cheap()
    }

    /// Whether the lambda or an operator calls functions.
    pub fn has_calls(&self) -> bool {
        let mut operators = self.scans.iter().chain(self.reductions);
        self.cost().calls || operators.any(|op| Cost::of(&op.lambda.body).calls)
    }

    fn cost(&self) -> Cost {
        self.lambda.map_or(Cost::default(), |lambda| Cost::of(&lambda.body))
    }

    /// The results of the lambda that are kept as they are.
    pub fn kept(&self) -> &'a [Atom] {
        self.lambda.map_or(&[], |lambda| &lambda.body.result[self.combined()..])
    }
}

/// The variables of an operator by what they are.
pub struct Vars<'a> {
    /// For each scan, one for each column that is no length.
    pub scans: Vec<Vec<Option<Var>>>,
    pub reductions: Vec<&'a [Var]>,
    pub kept: &'a [Var],
}

impl Gen<'_> {
    pub fn sweep(&mut self, sweep: &Sweep, grid: Option<Grid>) {
        let width = self.scalar(sweep.width);
        let vars = self.sweep_vars(sweep);
        // Accumulators that change their sizes are not passed from chunk to chunk.
        let varying = sweep.scans.iter().chain(sweep.reductions).any(|op| self.has_varying(&op.lambda));
        let grid = grid.filter(|_| !varying);
        let scanned = self.scan_outs(sweep, &vars, &width, grid.is_some());
        let outs = self.kept_outs(sweep, &vars, &width);
        let reductions = match &grid {
            None => self.sweep_in_thread(sweep, &vars, &scanned, &outs, &width),
            Some(grid) if sweep.scans.is_empty() => self.sweep_in_grid(sweep, &vars, &outs, &width, grid),
            Some(grid) => self.scan_in_grid(sweep, &vars, &scanned, &outs, &width, grid),
        };
        for (vars, outs) in vars.scans.iter().zip(scanned) {
            for (var, out) in vars.iter().zip(outs) {
                if let (Some(var), Some(out)) = (var, out) {
                    self.bind_out(*var, out, &width, grid.as_ref());
                }
            }
        }
        for (vars, accs) in vars.reductions.iter().zip(reductions) {
            self.bind_accs(vars, accs);
        }
        for (var, out) in vars.kept.iter().zip(outs) {
            self.bind_out(*var, out, &width, grid.as_ref());
        }
    }

    pub fn sweep_vars<'v>(&self, sweep: &Sweep<'v>) -> Vars<'v> {
        let mut rest = sweep.vars;
        let mut take = |count: usize| {
            let (first, after) = rest.split_at(count);
            rest = after;
            first
        };
        let mut scans = Vec::new();
        for op in sweep.scans {
            let params = &op.lambda.params[..op.neutral.len()];
            let column = |at| if self.is_length(params, at) { None } else { Some(take(1)[0]) };
            scans.push((0..params.len()).map(column).collect());
        }
        let reductions = sweep.reductions.iter().map(|op| take(op.neutral.len())).collect();
        Vars { scans, reductions, kept: rest }
    }

    /// Where scans go. Scalars that nothing reads are accumulated, since the others depend on them, but not stored; unless they are stored
    /// to be scanned later.
    pub fn scan_outs(
        &mut self,
        sweep: &Sweep,
        vars: &Vars,
        width: &Exp,
        in_grid: bool,
    ) -> Vec<Vec<Option<Out>>> {
        let all = in_grid && sweep.stores_scanned();
        let mut outs = Vec::with_capacity(vars.scans.len());
        for vars in &vars.scans {
            let mut columns = Vec::with_capacity(vars.len());
            for var in vars {
                // A scan looks at the row it wrote last, which is row-major: a place may not be.
                let in_place = var.is_some_and(|var| {
                    self.ty(var).rank() == 1 || self.places.get(&var).is_none_or(Array::is_row_major)
                });
                let read = |var: &Var| all || self.used_vars.contains(var) || self.ty(*var).rank() != 1;
                let var = var.filter(read);
                columns.push(var.map(|var| self.new_out(var, width, in_place, sweep.name)));
            }
            outs.push(columns);
        }
        outs
    }

    pub fn kept_outs(&mut self, sweep: &Sweep, vars: &Vars, width: &Exp) -> Vec<Out> {
        let Some(lambda) = sweep.lambda else { return Vec::new() };
        let mut outs = Vec::with_capacity(vars.kept.len());
        for (var, result) in vars.kept.iter().zip(sweep.kept()) {
            let shaped = self.shaped_out(*var, *result, sweep.inputs, lambda, width, sweep.name);
            outs.push(shaped.unwrap_or_else(|| self.new_out(*var, width, true, sweep.name)));
        }
        outs
    }

    fn sweep_in_thread(
        &mut self,
        sweep: &Sweep,
        vars: &Vars,
        scanned: &[Vec<Option<Out>>],
        outs: &[Out],
        width: &Exp,
    ) -> Vec<Accs> {
        let scans: Vec<Accs> = sweep.scans.iter().map(|op| self.neutral_accs(op, AccHome::Outputs)).collect();
        let reductions: Vec<Accs> = sweep
            .reductions
            .iter()
            .zip(&vars.reductions)
            .map(|(op, vars)| self.neutral_accs(op, AccHome::Buffers(Some(vars))))
            .collect();
        let outs = self.open_packs(outs, sweep.name);
        let pass = Pass {
            scans: &scans,
            scanned,
            into_scanned: Scanned::Sums,
            reductions: &reductions,
            outs: Some(&outs),
        };
        self.pass(sweep, &pass, Exp::i64(0), width.clone());
        self.close_packs(&outs);
        scans.iter().for_each(|accs| self.drop_accs(accs));
        reductions
    }

    fn sweep_in_grid(
        &mut self,
        sweep: &Sweep,
        vars: &Vars,
        outs: &[Out],
        width: &Exp,
        grid: &Grid,
    ) -> Vec<Accs> {
        let chunks = self.chunks(grid, width);
        let partials: Vec<Vec<Array>> =
            sweep.reductions.iter().map(|op| self.new_partials(&op.lambda, &chunks)).collect();
        let mut extra: Vec<Repr> = outs.iter().flat_map(Out::reprs).collect();
        extra.extend(partials.iter().flatten().cloned().map(Repr::Array));
        let split = self.split(grid);
        let launch = Launch { name: sweep.name, width: width.clone(), chunks: chunks.clone(), split };
        self.launch(grid, launch, &extra, &mut |this, kernel, given| {
            let mut given = given.into_iter();
            let outs: Vec<Out> = outs.iter().map(|out| out.inside(&mut given)).collect();
            let outs = this.open_packs(&outs, sweep.name);
            let partials = arrays_inside(&partials, &mut given);
            let reductions: Vec<Accs> =
                sweep.reductions.iter().map(|op| this.neutral_accs(op, AccHome::Buffers(None))).collect();
            let pass = Pass {
                scans: &[],
                scanned: &[],
                into_scanned: Scanned::Nothing,
                reductions: &reductions,
                outs: Some(&outs),
            };
            let (from, to) = (kernel.from.into(), kernel.to.into());
            if !this.pass_in_strips(sweep, &pass, &from, &to) {
                this.pass(sweep, &pass, from, to);
            }
            this.close_packs(&outs);
            for (partials, accs) in partials.iter().zip(&reductions) {
                this.store_partial(partials, &kernel.chunk.into(), &accs.values());
            }
        });
        self.combine_partials(sweep, vars, &partials, &chunks)
    }

    /// The accumulators of all chunks combined, in their order: one loop for all reductions.
    pub fn combine_partials(
        &mut self,
        sweep: &Sweep,
        vars: &Vars,
        partials: &[Vec<Array>],
        chunks: &Exp,
    ) -> Vec<Accs> {
        let mut reductions = Vec::with_capacity(sweep.reductions.len());
        for ((op, partials), vars) in sweep.reductions.iter().zip(partials).zip(&vars.reductions) {
            let accs = self.new_accs(&op.lambda, AccHome::Buffers(Some(vars)));
            let first = self.partial_at(partials, &Exp::i64(0));
            self.set_accs(&accs, &first);
            reductions.push(accs);
        }
        if !reductions.is_empty() {
            self.each(1, chunks.clone(), LoopForm::Plain, &mut |this, chunk| {
                for ((op, partials), accs) in sweep.reductions.iter().zip(partials).zip(&reductions) {
                    let values = this.partial_at(partials, &chunk);
                    this.combine(&op.lambda, accs, &values, &[]);
                }
            });
        }
        reductions
    }

    /// Once over the elements of a range.
    pub fn pass(&mut self, sweep: &Sweep, pass: &Pass, from: Exp, to: Exp) {
        if self.jam(sweep, pass, &from, &to) {
            return;
        }
        let form = pass.form(sweep);
        self.each(from, to, form, &mut |this, i| this.pass_at(sweep, pass, &i));
    }

    /// One element.
    pub fn pass_at(&mut self, sweep: &Sweep, pass: &Pass, i: &Exp) {
        let rows = self.rows_at(sweep.inputs, i);
        self.pass_row(sweep, pass, i, rows);
    }

    /// The element with this index, whose rows are these.
    pub fn pass_row(&mut self, sweep: &Sweep, pass: &Pass, i: &Exp, rows: Vec<Repr>) {
        let Some(lambda) = sweep.lambda else {
            return self.columns(sweep, pass, i, &rows, &[]);
        };
        let places: Vec<Option<Array>> =
            pass.outs.unwrap_or(&[]).iter().map(|out| self.out_place(out, i)).collect();
        let kept = if pass.outs.is_some() { sweep.kept() } else { &[] };
        let targets: Vec<(Atom, Option<Array>)> = kept.iter().copied().zip(places.iter().cloned()).collect();
        self.apply(lambda, rows, &targets, &mut |this| {
            let combined = &lambda.body.result[..sweep.combined()];
            let columns: Vec<Repr> = combined.iter().map(|atom| this.value(*atom)).collect();
            this.columns(sweep, pass, i, &columns, &places);
        });
    }

    /// What happens to the columns of an element.
    pub fn columns(
        &mut self,
        sweep: &Sweep,
        pass: &Pass,
        index: &Exp,
        columns: &[Repr],
        places: &[Option<Array>],
    ) {
        let mut rest = columns;
        let mut take = |count: usize| {
            let (first, after) = rest.split_at(count);
            rest = after;
            first
        };
        for (at, op) in sweep.scans.iter().enumerate() {
            let values = take(op.neutral.len());
            if let Some(accs) = pass.scans.get(at) {
                let outs = pass.scanned.get(at).map_or(&[][..], Vec::as_slice);
                self.scan_step(op, accs, outs, pass.into_scanned, index, values);
            }
        }
        for (at, op) in sweep.reductions.iter().enumerate() {
            let values = take(op.neutral.len());
            if let Some(accs) = pass.reductions.get(at) {
                self.combine(&op.lambda, accs, values, &[]);
            }
        }
        for ((out, atom), place) in pass.outs.unwrap_or(&[]).iter().zip(sweep.kept()).zip(places) {
            self.deliver_row(out, index, place.as_ref(), *atom);
        }
    }

    /// A step of a scan, and what goes into its outputs.
    pub fn scan_step(
        &mut self,
        op: &Reduction,
        accs: &Accs,
        outs: &[Option<Out>],
        into_scanned: Scanned,
        index: &Exp,
        values: &[Repr],
    ) {
        if into_scanned == Scanned::Values {
            self.store_columns(outs, index, values);
        }
        let mut rows = Vec::new();
        if into_scanned == Scanned::Sums {
            for (out, column) in outs.iter().zip(&accs.columns) {
                rows.push(match (out, column) {
                    (Some(out), Column::Written(_)) => self.out_place(out, index),
                    (
                        _,
                        Column::Scalar(_) | Column::Buffer { .. } | Column::Varying(_) | Column::Written(_),
                    ) => None,
                });
            }
        }
        self.combine(&op.lambda, accs, values, &rows);
        if into_scanned == Scanned::Sums {
            // Rows that were written are there already.
            let outs: Vec<Option<Out>> = outs
                .iter()
                .zip(&accs.columns)
                .map(|(out, column)| out.clone().filter(|_| !matches!(column, Column::Written(_))))
                .collect();
            self.store_columns(&outs, index, &accs.values());
        }
    }

    fn store_columns(&mut self, outs: &[Option<Out>], index: &Exp, values: &[Repr]) {
        for (out, value) in outs.iter().zip(values) {
            match (out, value) {
                (Some(Out::Regular(array) | Out::Shaped(array)), value) => {
                    self.store_row(array, index.clone(), value);
                }
                (Some(Out::Rows(store)), Repr::Array(row)) => {
                    self.scoped(&mut |this| this.put_row(store, index, row));
                }
                (Some(Out::Rows(_)), Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert) => {
                    panic!("imp_gen: a row that is no array in {}", self.fun.name)
                }
                (None, _) => {}
            }
        }
    }
}

impl Pass<'_> {
    /// Iterations depend on each other only by accumulators, if these can be combined in any order.
    pub fn form(&self, sweep: &Sweep) -> LoopForm {
        if self.into_scanned == Scanned::Sums && !self.scans.is_empty() {
            return LoopForm::Plain;
        }
        // A row goes where the one before it ended.
        if self.outs.unwrap_or(&[]).iter().any(Out::is_packed) {
            return LoopForm::Plain;
        }
        let scans = sweep.scans.iter().zip(self.scans);
        let mut all = Vec::new();
        for (op, accs) in scans.chain(sweep.reductions.iter().zip(self.reductions)) {
            match accumulators(&op.lambda, accs) {
                Some(accumulators) => all.extend(accumulators),
                None => return LoopForm::Plain,
            }
        }
        if all.is_empty() { LoopForm::Independent } else { LoopForm::Reduce(all) }
    }
}

/// The same arrays, as a kernel was handed them.
pub fn arrays_inside(arrays: &[Vec<Array>], given: &mut dyn Iterator<Item = Repr>) -> Vec<Vec<Array>> {
    let mut inside = |_: &Array| match given.next() {
        Some(Repr::Array(array)) => array,
        Some(Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert) | None => {
            panic!("imp_gen: an array was handed to a kernel as something else")
        }
    };
    arrays.iter().map(|arrays| arrays.iter().map(&mut inside).collect()).collect()
}
