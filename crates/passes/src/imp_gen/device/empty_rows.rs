//! Checks between the maps of a nest, where an inner map has no elements, and of histograms without bins.
//!
//! A kernel has a thread for each element of the innermost rows, which does again what is between the maps around it. Where such rows are
//! empty there is no thread. What is checked between the maps is checked all the same, by a kernel with a thread for each element of the maps outside:
//! `map (\i -> xss[i]) is` fails for an index that is out of bounds, also if the rows have no elements.

use super::from_nest::Inner;
use super::kernel::Kernel;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::state::Gen;
use norn_ir::flat::{Out, SpaceDim};
use norn_ir::imp::Exp;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{Body, ControlExp, Exp as NestExp, Stm};

impl Gen<'_> {
    /// Checks what is between the maps of a nest if one of those inside, or a scan in them, has no elements. `between` says where the
    /// statements of each map end.
    pub fn check_empty_rows(&mut self, map: &Kernel, between: &[usize], inner: Option<&Inner>, grid: &Grid) {
        let (kernel, between) = match inner {
            Some(Inner::Scan { kernel, between, .. }) => (kernel, &between[..]),
            Some(Inner::Reduce(_)) | None => (map, between),
        };
        let dims: Vec<SpaceDim> = kernel.dims().cloned().collect();
        // Those that are rows of different lengths know their checks from where these lengths are computed.
        let regular = dims.iter().take_while(|dim| dim.size().is_some()).count();
        for (level, end) in (1..regular).zip(between) {
            let stms = &kernel.body.stms[..*end];
            if stms.iter().any(may_fail) {
                let widths: Vec<Exp> = dims[..=level].iter().map(|dim| self.extent(dim.extent)).collect();
                let is_empty = widths[level].clone().eq(Exp::i64(0));
                self.check_at_points(kernel, stms, &dims[..level], is_empty, grid);
            }
        }
    }

    /// Checks what a histogram without bins would check: none of its elements is dealt with otherwise.
    pub fn check_without_bins(&mut self, kernel: &Kernel, is_empty: Exp, grid: &Grid) {
        let dims: Vec<SpaceDim> = kernel.dims().cloned().collect();
        if kernel.body.stms.iter().any(may_fail) {
            self.check_at_points(kernel, &kernel.body.stms, &dims, is_empty, grid);
        }
    }

    fn check_at_points(&mut self, kernel: &Kernel, stms: &[Stm], points: &[SpaceDim], if_: Exp, grid: &Grid) {
        let body = Body { stms: stms.to_vec(), result: Vec::new() };
        let outs = vec![Out::Map { values: 0, into: Vec::new() }];
        let widths: Vec<Exp> = points.iter().map(|dim| self.extent(dim.extent)).collect();
        let checks = Kernel { points: points.to_vec(), through: Vec::new(), body, outs, ..kernel.clone() };
        self.code.open();
        self.scoped(&mut |this| this.launch_lines(&checks, &widths, &[], grid));
        let launch = self.code.close();
        self.code.if_(if_, launch, Vec::new());
    }
}

/// Whether there is a check in it.
pub fn may_fail(stm: &Stm) -> bool {
    let mut found = matches!(stm.exp, NestExp::Control(ControlExp::Check(_)));
    stm.for_each_part(&mut |part| match part {
        Part::Body(body) => found |= body.stms.iter().any(may_fail),
        Part::Lambda(lambda) => found |= lambda.body.stms.iter().any(may_fail),
        Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
    });
    found
}
