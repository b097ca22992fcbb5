//! Kernels of flat as code: the body at an index, and the line of the capability table that puts the results where they belong.
//!
//! ```text
//! grid (i < n | j < m) { .. in p } reduce op (p) how reduce.elements(each: 8)
//! ```
//!
//! `how` says which file makes it: this one decides nothing. The code of threads comes as nest (K15), since one thread goes through
//! operators as the processor does.

use super::from_nest::KernelForm;
use super::kernels::array_inside;
use crate::imp_gen::operators::accs::lent;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use crate::imp_gen::views::At;
use norn_ir::flat::{self, Extent, Line, Out, Tunable};
use norn_ir::imp::Exp;
use norn_ir::nest::{Atom, Body, Lambda, Operator, Reduction, Var};

pub type Kernel = flat::Kernel<Operator>;

/// The outs of a kernel, each with the results of the body that it takes and the variables that it binds.
pub struct Outs<'k> {
    pub scans: Vec<CombiningOut<'k>>,
    pub reductions: Vec<CombiningOut<'k>>,
    /// What is kept as it is.
    pub kept: &'k [Atom],
    pub kept_vars: &'k [Var],
}

pub struct CombiningOut<'k> {
    pub op: &'k Reduction,
    pub results: &'k [Atom],
    pub vars: &'k [Var],
}

/// The outs of a kernel that maps, scans and reduces: scans first, what is kept last.
pub fn outs_of<'k>(kernel: &'k Kernel, vars: &'k [Var]) -> Outs<'k> {
    let mut outs = Outs { scans: Vec::new(), reductions: Vec::new(), kept: &[], kept_vars: &[] };
    let (mut results, mut vars) = (&kernel.body.result[..], vars);
    for out in &kernel.outs {
        let (taken, left) = results.split_at(out.takes());
        let (bound, unbound) = vars.split_at(out.yields(kernel.points.len()));
        (results, vars) = (left, unbound);
        match out {
            Out::Scan { op, after: None } => {
                outs.scans.push(CombiningOut { op, results: taken, vars: bound })
            }
            Out::Reduce { op, after: None } => {
                outs.reductions.push(CombiningOut { op, results: taken, vars: bound })
            }
            Out::Map { values: _, into } if into.is_empty() => (outs.kept, outs.kept_vars) = (taken, bound),
            _ => panic!("imp_gen: an out that is no map, scan or reduction"),
        }
    }
    outs
}

/// The operator of a kernel that only reduces, and what becomes of its results.
pub fn reduction_of(kernel: &Kernel) -> (&Reduction, &Lambda) {
    match &kernel.outs[..] {
        [Out::Reduce { op, after: Some(after) }] => (op, after),
        _ => panic!("imp_gen: a kernel that does more than reduce"),
    }
}

/// The value of a tunable of the kernel's line.
pub fn tunable(kernel: &Kernel, which: Tunable) -> i64 {
    let given = kernel.how.iter().flat_map(|how| &how.args).find(|(tunable, _)| *tunable == which);
    given.expect("imp_gen: a line without what it needs").1
}

impl Gen<'_> {
    pub fn device_form(&mut self, vars: &[Var], form: &KernelForm, grid: &Grid) {
        match form {
            KernelForm::Kernel(kernel) => self.device_kernel(vars, kernel, grid),
            KernelForm::Map { map, between, inner } => {
                self.check_empty_rows(map, between, inner.as_deref(), grid);
                self.device_map(vars, map, inner.as_deref(), grid);
            }
            KernelForm::Lengths(map, lengths) => self.map_with_offsets(vars, map, lengths, grid),
            KernelForm::Uneven(map) => self.device_uneven_map(vars, map, grid),
            KernelForm::Groups(map) => self.device_groups(vars, map, grid),
            KernelForm::Hists(hists) => self.device_hists(vars, hists, grid),
        }
    }

    pub fn device_kernel(&mut self, vars: &[Var], kernel: &Kernel, grid: &Grid) {
        let how = kernel.how.as_ref().expect("imp_gen: a kernel of which nobody has said how");
        match how.line {
            Line::ReduceElements => self.reduce_elements(vars, kernel, grid),
            Line::ScanLookback => self.scan_tiles(vars, kernel, true, grid),
            Line::ScanThree => self.scan_tiles(vars, kernel, false, grid),
            Line::FilterLookback => self.filter_lookback(vars, kernel, grid),
            Line::ScatterElements => self.scatter_elements(vars, kernel, grid),
            Line::HistAtomic | Line::HistSwap | Line::HistLock | Line::HistDecks | Line::HistSort => {
                self.device_hist(vars, kernel, how.line, grid)
            }
            line => panic!("imp_gen: no code for {} in {}", line.name(), self.fun.name),
        }
    }

    /// How many indices a dimension has, if all its rows have as many.
    pub fn extent(&self, extent: Extent) -> Exp {
        match extent {
            Extent::Size(size) => self.scalar(size),
            Extent::Row(_) => panic!("imp_gen: the length of rows in {}", self.fun.name),
        }
    }

    /// The body at these indices, one for each dimension. Results that have a target are computed there if possible. `with` can
    /// use the results.
    pub fn at_element(
        &mut self,
        kernel: &Kernel,
        indices: &[Exp],
        targets: &[(Atom, Option<Array>)],
        with: &mut dyn FnMut(&mut Self),
    ) {
        for (dim, index) in kernel.dims().zip(indices) {
            self.env.insert(dim.var, Repr::Scalar(index.clone()));
        }
        self.run_body(&kernel.body, targets, with);
    }

    /// What becomes of the results of a reduction at a point goes to these arrays, which have the dimensions of the points.
    pub fn finish_point(&mut self, kernel: &Kernel, point: &[Exp], sums: &[Exp], arrays: &[Array]) {
        let (_, after) = reduction_of(kernel);
        for (dim, index) in kernel.points.iter().zip(point) {
            self.env.insert(dim.var, Repr::Scalar(index.clone()));
        }
        for (param, sum) in after.params.iter().zip(sums) {
            self.env.insert(*param, Repr::Scalar(sum.clone()));
        }
        self.body_to(&after.body, point, (&after.body.result, arrays), &mut |_| {});
    }

    /// As `at_element`; what is kept goes to these arrays, which have the dimensions of the space.
    pub fn at_kept_element(
        &mut self,
        kernel: &Kernel,
        indices: &[Exp],
        (kept, arrays): (&[Atom], &[Array]),
        with: &mut dyn FnMut(&mut Self),
    ) {
        for (dim, index) in kernel.dims().zip(indices) {
            self.env.insert(dim.var, Repr::Scalar(index.clone()));
        }
        self.body_to(&kernel.body, indices, (kept, arrays), with);
    }

    /// A body, of whose results those that are kept go to these places of arrays.
    fn body_to(
        &mut self,
        body: &Body,
        indices: &[Exp],
        (kept, arrays): (&[Atom], &[Array]),
        with: &mut dyn FnMut(&mut Self),
    ) {
        let slice: Vec<At> = indices.iter().cloned().map(At::Fix).collect();
        let mut targets: Vec<(Atom, Option<Array>)> = Vec::with_capacity(arrays.len());
        for (atom, array) in kept.iter().zip(arrays) {
            let row = (array.rank() > indices.len()).then(|| self.part_of(array, &slice).pop()).flatten();
            targets.push((*atom, row.map(array_inside).map(|row| lent(&row))));
        }
        self.run_body(body, &targets, &mut |this| {
            with(this);
            for ((atom, place), array) in targets.iter().zip(arrays) {
                match place {
                    Some(place) => this.deliver(*atom, place),
                    None => {
                        let value = this.scalar(*atom);
                        this.store(array, indices, value);
                    }
                }
            }
        });
    }
}
