//! Maps whose lambda makes a row of its own length.
//!
//! A first kernel finds out how long the rows are: it does of the lambda what their sizes need. Sums of these say where each row
//! begins, and a second kernel writes the rows there.

use super::nest::{Level, Nest, array_inside};
use super::sweep::scalar_inside;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr, prim_of};
use crate::imp_gen::state::Gen;
use crate::nest::mentions;
use norn_ir::imp::{Exp, Prim};
use norn_ir::nest::{Atom, Body, Lambda, Var};

impl Gen<'_> {
    pub fn device_uneven_map(
        &mut self,
        vars: &[Var],
        width: Atom,
        inputs: &[Var],
        lambda: &Lambda,
        grid: &Grid,
    ) {
        let level = Level { width, inputs, params: &lambda.params, before: Body::default() };
        let nest = Nest { levels: vec![level], bottom: lambda, reduction: None };
        let width = self.scalar(width);
        let mut sizes: Vec<Atom> = Vec::new();
        for (var, result) in vars.iter().zip(&lambda.body.result) {
            if self.ty(*var).has_irregular_rows() {
                let size = self.row_size(*result);
                if !sizes.contains(&size) {
                    sizes.push(size);
                }
            }
        }
        let lengths = self.row_lengths(&nest, &width, &sizes, grid);
        let offsets: Vec<_> = lengths.iter().map(|lengths| self.offsets_on_device(lengths)).collect();
        let mut totals = Vec::with_capacity(sizes.len());
        for part in &offsets {
            totals.push(self.read_i64(part.ptr.clone(), width.clone()));
        }
        let mut outs = Vec::with_capacity(vars.len());
        for (var, result) in vars.iter().zip(&lambda.body.result) {
            if !self.ty(*var).has_irregular_rows() {
                outs.extend(self.nest_outs(std::slice::from_ref(var), std::slice::from_ref(&width)));
                continue;
            }
            let ty = self.ty(*var);
            let at = sizes.iter().position(|size| *size == self.row_size(*result)).unwrap_or(0);
            let prim = prim_of(ty.elem().expect("imp_gen: an output of no values"));
            let inner = self.sizes(&ty.dims()[2..]);
            let mut all = vec![totals[at].clone()];
            all.extend(inner.iter().flatten().cloned());
            let site = self.operator_site("map");
            let data = self.new_part(self.name(*var), prim, &all, site);
            let lead = self.row_major_lead(std::slice::from_ref(&width));
            let mut tail = vec![None];
            tail.extend(inner);
            let offsets = vec![offsets[at].clone()];
            outs.push(Array { prim, lead, row_major_from: 0, tail, offsets, data, counted: None });
        }
        self.launch_nest(&nest, &[width], &outs, grid);
        for (var, out) in vars.iter().zip(outs) {
            self.bind(*var, Repr::Array(out));
        }
    }

    /// The size of a row that a lambda yields.
    fn row_size(&self, row: Atom) -> Atom {
        let size = row.var().and_then(|row| self.ty(row).dims()[0].atom());
        size.expect("imp_gen: a row without a size")
    }

    /// How long the rows are: of each element, these sizes.
    fn row_lengths(&mut self, nest: &Nest, width: &Exp, sizes: &[Atom], grid: &Grid) -> Vec<Array> {
        let lambda = self.what_sizes_need(nest.bottom, sizes);
        let mut outs = Vec::with_capacity(sizes.len());
        for _ in sizes {
            let site = self.operator_site("map");
            let part = self.new_part("lengths", Prim::I64, std::slice::from_ref(width), site);
            outs.push(self.row_major(Prim::I64, std::slice::from_ref(width), part));
        }
        let groups = self.groups_for(width, 1, None);
        let mut extra: Vec<Repr> = outs.iter().cloned().map(Repr::Array).collect();
        extra.push(Repr::Scalar(width.clone()));
        let inputs = nest.levels[0].inputs;
        self.launch_groups("lengths", &grid.captured, &extra, groups, &mut |this, _, mut given| {
            let width = scalar_inside(given.pop());
            let outs: Vec<Array> = given.into_iter().map(array_inside).collect();
            this.each_apart(&width, &mut |this, i| {
                this.guarded(&mut |this| {
                    let rows = this.rows_at(inputs, &i);
                    this.apply(&lambda, rows, &[], &mut |this| {
                        for (out, size) in outs.iter().zip(sizes) {
                            let size = this.scalar(*size);
                            this.store(out, std::slice::from_ref(&i), size);
                        }
                    });
                });
            });
        });
        outs
    }

    /// The lambda without what its sizes do not need.
    fn what_sizes_need(&self, lambda: &Lambda, sizes: &[Atom]) -> Lambda {
        let mut wanted = Vec::new();
        mentions::in_atoms(sizes, &mut wanted);
        let stms = mentions::needed(&self.fun.vars, &lambda.body.stms, &mut wanted);
        Lambda::new(lambda.params.clone(), Body { stms, result: sizes.to_vec() })
    }
}
