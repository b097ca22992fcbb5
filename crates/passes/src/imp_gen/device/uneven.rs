//! Maps whose lambda makes a row of its own length: count, then fill.
//!
//! A first kernel computes the lengths: the backward slice of the lambda on which its sizes depend. Their prefix sum gives the
//! offsets, and a second kernel computes the rows and writes them there.

use super::kernel::Kernel;
use super::kernels::{array_inside, scalar_inside};
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr, prim_of};
use crate::imp_gen::state::Gen;
use crate::nest::mentions;
use norn_ir::imp::{Exp, Prim};
use norn_ir::nest::{Atom, Body, Var};

impl Gen<'_> {
    pub fn device_uneven_map(&mut self, vars: &[Var], map: &Kernel, grid: &Grid) {
        let width = self.extent(map.points[0].extent);
        let mut sizes: Vec<Atom> = Vec::new();
        for (var, result) in vars.iter().zip(&map.body.result) {
            if self.ty(*var).has_irregular_rows() {
                let size = self.row_size(*result);
                if !sizes.contains(&size) {
                    sizes.push(size);
                }
            }
        }
        let lengths = self.row_lengths(map, &width, &sizes, grid);
        let offsets: Vec<_> = lengths.iter().map(|lengths| self.offsets_on_device(lengths)).collect();
        let mut totals = Vec::with_capacity(sizes.len());
        for part in &offsets {
            totals.push(self.total_on_device(part, &width));
        }
        let mut outs = Vec::with_capacity(vars.len());
        for (var, result) in vars.iter().zip(&map.body.result) {
            if !self.ty(*var).has_irregular_rows() {
                outs.extend(self.nest_outs(std::slice::from_ref(var), std::slice::from_ref(&width)));
                continue;
            }
            let ty = self.ty(*var);
            let at = sizes.iter().position(|size| *size == self.row_size(*result)).unwrap_or(0);
            let prim = prim_of(ty.elem().expect("imp_gen: an output of no values"));
            let inner = self.sizes(&ty.dims()[2..]);
            let each: Vec<Exp> = inner.iter().flatten().cloned().collect();
            let site = self.operator_site("map");
            let data = self.new_elements(self.name(*var), prim, &totals[at], &each, site);
            let lead = self.row_major_lead(std::slice::from_ref(&width));
            let mut tail = vec![None];
            tail.extend(inner);
            let offsets = vec![offsets[at].clone()];
            outs.push(Array { prim, lead, row_major_from: 0, tail, offsets, data, counted: None });
        }
        self.launch_map(map, None, &[width], &outs, grid);
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
    fn row_lengths(&mut self, map: &Kernel, width: &Exp, sizes: &[Atom], grid: &Grid) -> Vec<Array> {
        let needed = Kernel { body: self.what_sizes_need(&map.body, sizes), ..map.clone() };
        let mut outs = Vec::with_capacity(sizes.len());
        for _ in sizes {
            let site = self.operator_site("map");
            let part = self.new_part("lengths", Prim::I64, std::slice::from_ref(width), site);
            outs.push(self.row_major(Prim::I64, std::slice::from_ref(width), part));
        }
        let groups = self.groups_for(width, 1, None);
        let mut extra: Vec<Repr> = outs.iter().cloned().map(Repr::Array).collect();
        extra.push(Repr::Scalar(width.clone()));
        self.launch_groups("lengths", &grid.captured, &extra, groups, &mut |this, _, mut given| {
            let width = scalar_inside(given.pop());
            let outs: Vec<Array> = given.into_iter().map(array_inside).collect();
            this.each_apart(&width, &mut |this, i| {
                this.guarded(&mut |this| {
                    this.at_element(&needed, std::slice::from_ref(&i), &[], &mut |this| {
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

    /// The body without what its sizes do not need.
    fn what_sizes_need(&self, body: &Body, sizes: &[Atom]) -> Body {
        let mut live = Vec::new();
        mentions::in_atoms(sizes, &mut live);
        let stms = mentions::needed(&self.fun.vars, &body.stms, &mut live);
        Body { stms, result: sizes.to_vec() }
    }
}
