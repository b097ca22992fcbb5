//! Histograms of rows, of which each has bins of its own: a group has bins of one row at a time, and a part of its elements.
//!
//! Where all bins of all rows have room in shared memory, rows do not matter; where the bins of one row have none, or rows are too short for
//! them, elements are combined in memory.

use super::Hist;
use super::combine::{CellPlace, UpdateMethod};
use crate::imp_gen::device::GROUP;
use crate::imp_gen::device::kernels::scalar_inside;
use crate::imp_gen::operators::dests::Dest;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::Repr;
use crate::imp_gen::state::Gen;
use norn_ir::imp::{BinOp, Elem, Exp, GroupExp, Prim, Var as ImpVar};

/// So many elements at least a thread should have, if its group has bins of its own.
const SHARE: i64 = 16;
/// So many elements at least a group should have for each of its bins.
const BINS_SHARE: i64 = 4;

impl Gen<'_> {
    /// By operations of memory: in groups for each point, if there are points and that pays, else where the bins are.
    pub(super) fn hist_by_points(
        &mut self,
        hist: &Hist,
        method: &UpdateMethod,
        operators: &[(BinOp, Prim)],
        grid: &Grid,
    ) {
        let points = hist.kernel.points.len();
        let single = hist.indices.len() == 1 && hist.kernel.through.len() == 1;
        if points == 0 || !single || !hist.row_sizes().is_empty() {
            return self.hist_in_memory(hist, method, grid);
        }
        let bins = hist.dests[0].lead[points].size.clone();
        let length = hist.widths[points].clone();
        let fits = bins.clone().le(method.room());
        let pays = fits.and(Exp::i64(GROUP).le(length.clone())).and(bins.mul(2).le(length));
        self.code.open();
        self.scoped(&mut |this| this.hist_in_groups_of_points(hist, method, operators, grid));
        let in_groups = self.code.close();
        self.code.open();
        self.scoped(&mut |this| this.hist_in_memory(hist, method, grid));
        let in_memory = self.code.close();
        self.code.if_(pays, in_groups, in_memory);
    }

    /// A group has a part of a row, of which there are several if rows are long. Bins are few beside its elements.
    fn hist_in_groups_of_points(
        &mut self,
        hist: &Hist,
        method: &UpdateMethod,
        operators: &[(BinOp, Prim)],
        grid: &Grid,
    ) {
        let (points, room) = (hist.kernel.points.len(), method.room());
        let rows = self.code.atom("rows", Exp::product(hist.widths[..points].iter().cloned()));
        let length = hist.widths[points].clone();
        let bins = hist.dests[0].lead[points].size.clone();
        let each = self.code.atom("each", bins.mul(BINS_SHARE).max(GROUP * SHARE));
        let parts = self.code.atom("parts", length.add(each.clone().sub(1)).quot(each.clone()).max(1));
        let count = self.code.atom("count", rows.mul(parts.clone()));
        let groups = self.code.atom("groups", count.clone().min(1 << 30));
        let mut extra = hist.reprs();
        extra.extend([each, parts, count].map(Repr::Scalar));
        self.launch_groups("hist", &grid.captured, &extra, groups, &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let hist = hist.inside(&mut given);
            let [each, parts, count] = std::array::from_fn(|_| scalar_inside(given.next()));
            let bins = hist.dests[0].lead[points].size.clone();
            let length = hist.widths[points].clone();
            let sizes: Vec<Repr> = hist.widths[..points].iter().cloned().map(Repr::Scalar).collect();
            let homes: Vec<(ImpVar, Prim)> = operators
                .iter()
                .map(|(_, prim)| (this.shared_array(arrays, "bins", *prim, room), *prim))
                .collect();
            this.each_by_groups("part", Exp::i64(1), &count, &mut |this, part| {
                let row: Exp = this.code.bind("row", part.clone().quot(parts.clone())).into();
                let first = part.sub(row.clone().mul(parts.clone())).mul(each.clone());
                let first: Exp = this.code.bind("first", first).into();
                let end = first.clone().add(each.clone()).min(length.clone());
                let end: Exp = this.code.bind("end", end).into();
                let point = this.indices_of(row, &sizes);
                let neutral = this.neutral_of(hist.op);
                this.each_in_group(&bins, &mut |this, bin| {
                    for ((home, prim), value) in homes.iter().zip(&neutral) {
                        this.code.store(Elem::Prim(*prim), *home, bin.clone(), value.clone());
                    }
                });
                this.barrier();
                let first = first.add(Exp::Group(GroupExp::Thread));
                this.each_by("j", first, GROUP, &end, &mut |this, j| {
                    let element: Vec<Exp> = point.iter().cloned().chain([j]).collect();
                    this.add_to_bins(&hist, method, &homes, &bins, &element);
                });
                this.barrier();
                this.add_bins_of_point(&hist, method, &homes, &bins, &point);
                this.barrier();
            });
        });
    }

    /// The element at these indices of the space.
    fn add_to_bins(
        &mut self,
        hist: &Hist,
        method: &UpdateMethod,
        homes: &[(ImpVar, Prim)],
        bins: &Exp,
        element: &[Exp],
    ) {
        self.guarded(&mut |this| {
            this.at_element(hist.kernel, element, &[], &mut |this| {
                let index = this.scalar(hist.indices[0]);
                let index = this.code.atom("index", index);
                this.code.open();
                let values = this.values_at(hist.values, &[]);
                let columns = homes.iter().map(|(home, _)| (Exp::Var(*home), index.clone())).collect();
                let place = CellPlace { columns, lock: None };
                this.combine_at_once(&hist.op.lambda, method, &place, &values);
                let block = this.code.close();
                let inside = Exp::i64(0).le(index.clone()).and(index.lt(bins.clone()));
                this.code.when(inside, block);
            });
        });
    }

    /// The bins of a group are added to those of a point, if the destination has that.
    fn add_bins_of_point(
        &mut self,
        hist: &Hist,
        method: &UpdateMethod,
        homes: &[(ImpVar, Prim)],
        bins: &Exp,
        point: &[Exp],
    ) {
        self.code.open();
        self.each_in_group(bins, &mut |this, bin| {
            let mut values = Vec::with_capacity(homes.len());
            for (home, prim) in homes {
                let value = Exp::load(Elem::Prim(*prim), *home, bin.clone());
                values.push(this.code.bind("sum", value).into());
            }
            let indices: Vec<Exp> = point.iter().cloned().chain([bin]).collect();
            let cell = this.cell_at(hist, &indices, &[]);
            this.combine_in_memory(hist, method, &cell, &values);
        });
        let block = self.code.close();
        self.code.when(Dest::Regular(hist.dests[0].clone()).contains(point), block);
    }
}
