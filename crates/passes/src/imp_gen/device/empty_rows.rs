//! Checks between the maps of a nest, where an inner map has no elements.
//!
//! A kernel has a thread for each element of the innermost rows, which does again what is between the maps around it. Where such rows are
//! empty there is no thread. What is checked between the maps is checked all the same, by a kernel with a thread for each element of the maps outside:
//! `map (\i -> xss[i]) is` fails for an index that is out of bounds, also if the rows have no elements.

use super::kernel::Kernel;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::state::Gen;
use norn_ir::flat::{Out, SpaceDim};
use norn_ir::imp::Exp;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{Body, ControlExp, Exp as NestExp, Stm, Var};
use rustc_hash::FxHashSet;

impl Gen<'_> {
    /// Checks what is between the maps of a kernel if one of those inside, or the rows of what is in them, have no elements.
    pub fn check_empty_rows(&mut self, kernel: &Kernel, grid: &Grid) {
        let dims: Vec<SpaceDim> = kernel.dims().cloned().collect();
        // Those that are rows of different lengths know their checks from where these lengths are computed.
        let regular = dims.iter().take_while(|dim| dim.size().is_some()).count();
        for level in 1..regular {
            let inner: FxHashSet<Var> = dims[level..].iter().map(|dim| dim.var).collect();
            let stms = independent(&kernel.body, inner);
            if !stms.iter().any(may_fail) {
                continue;
            }
            let body = Body { stms, result: Vec::new() };
            let outs = vec![Out::Map { values: 0, into: Vec::new() }];
            let points = dims[..level].to_vec();
            let widths: Vec<Exp> = dims[..=level].iter().map(|dim| self.extent(dim.extent)).collect();
            let checks = Kernel { points, through: Vec::new(), body, outs, ..kernel.clone() };
            let is_empty = widths[level].clone().eq(Exp::i64(0));
            self.code.open();
            self.scoped(&mut |this| this.launch_lines(&checks, &widths[..level], &[], grid));
            let launch = self.code.close();
            self.code.if_(is_empty, launch, Vec::new());
        }
    }
}

/// The statements that depend on none of these variables.
fn independent(body: &Body, mut inner: FxHashSet<Var>) -> Vec<Stm> {
    let mut kept = Vec::new();
    for stm in &body.stms {
        if mentions(stm, &inner) {
            inner.extend(&stm.vars);
        } else {
            kept.push(stm.clone());
        }
    }
    kept
}

fn mentions(stm: &Stm, vars: &FxHashSet<Var>) -> bool {
    let in_body = |body: &Body| {
        let is_result = |atom: &norn_ir::nest::Atom| atom.var().is_some_and(|var| vars.contains(&var));
        body.result.iter().any(is_result) || body.stms.iter().any(|stm| mentions(stm, vars))
    };
    let mut found = false;
    stm.for_each_part(&mut |part| {
        found |= match part {
            Part::Atom(atom) => atom.var().is_some_and(|var| vars.contains(&var)),
            Part::Var(var) => vars.contains(var),
            Part::Binder(_) => false,
            Part::Body(body) => in_body(body),
            Part::Lambda(lambda) => in_body(&lambda.body),
        };
    });
    found
}

fn may_fail(stm: &Stm) -> bool {
    let mut found = matches!(stm.exp, NestExp::Control(ControlExp::Check(_)));
    stm.for_each_part(&mut |part| match part {
        Part::Body(body) => found |= body.stms.iter().any(may_fail),
        Part::Lambda(lambda) => found |= lambda.body.stms.iter().any(may_fail),
        Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
    });
    found
}
