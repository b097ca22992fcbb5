//! Scatter and histograms on the device: each thread writes, or adds, where its elements belong.
//!
//! Values are combined in memory, at once with what is there (`Atomic`). The order in which that happens does not matter for the
//! operators that come here: those on integers that a memory can do.

use crate::imp_gen::operators::dests::Dest;
use crate::imp_gen::operators::elementwise::primitive_columns;
use crate::imp_gen::operators::hist::Hist;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use crate::imp_gen::device::sweep::scalar_inside;
use norn_ir::imp::{Exp, GroupStmt, Stmt};

impl Gen<'_> {
    pub fn device_hist(&mut self, hist: &Hist, grid: &Grid) {
        let width = self.scalar(hist.width);
        let indexed = hist.lambda.body.result.len() - hist.dests.len();
        let dests: Vec<Array> = hist.dests.iter().map(|var| self.array(*var)).collect();
        let groups = self.groups_for(&width, 1, None);
        let mut extra: Vec<Repr> = dests.iter().cloned().map(Repr::Array).collect();
        extra.push(Repr::Scalar(width));
        self.launch_groups(hist.name, &grid.captured, &extra, groups, &mut |this, _, mut given| {
            let width = scalar_inside(given.pop());
            let dests: Vec<Dest> = given
                .into_iter()
                .map(|dest| match dest {
                    Repr::Array(array) => Dest::Regular(array),
                    Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert => {
                        panic!("imp_gen: a destination was handed to a kernel as something else")
                    }
                })
                .collect();
            this.each_apart(&width, &mut |this, i| {
                this.guarded(&mut |this| {
                    this.scoped(&mut |this| {
                        let rows = this.rows_at(hist.inputs, &i);
                        this.apply(hist.lambda, rows, &[], &mut |this| {
                            this.write_or_add(hist, &dests, indexed);
                        });
                    });
                });
            });
        });
        for (var, dest) in hist.vars.iter().zip(dests) {
            self.bind(*var, Repr::Array(dest));
        }
    }

    fn write_or_add(&mut self, hist: &Hist, dests: &[Dest], indexed: usize) {
        let (indices, values) = hist.lambda.body.result.split_at(indexed);
        let indices: Vec<Exp> = indices.iter().map(|atom| self.scalar(*atom)).collect();
        let values: Vec<Repr> = values.iter().map(|atom| self.value(*atom)).collect();
        let Some(op) = hist.op else { return self.write_at(None, dests, &indices, &values, None) };
        let operators = primitive_columns(&op.lambda).expect("imp_gen: a histogram that is no memory operation");
        for ((dest, value), (op, prim)) in dests.iter().zip(values).zip(operators) {
            let (Some(array), Repr::Scalar(value)) = (dest.regular(), value) else {
                panic!("imp_gen: a histogram of arrays on the device")
            };
            let index = self.element_index(array, &indices);
            let ptr = array.data.ptr.clone();
            let atomic = Stmt::Group(GroupStmt::Atomic { op, prim, ptr, index, value, old: None });
            self.code.when(dest.contains(&indices), vec![atomic]);
        }
    }
}
