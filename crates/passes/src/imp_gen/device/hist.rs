//! Scatter and histograms on the device: each thread writes, or adds, where its elements belong.
//!
//! Values are combined in memory, at once with what is there (`Atomic`). The order in which that happens does not matter for the
//! operators that come here: those on integers that a memory can do. Where all bins have room in the memory that a group shares,
//! each group has its own, and adds them to the others at the end: so threads are less in each other's way. A kernel with points has bins
//! for each point: then a group has bins of one point at a time.

use super::GROUP;
use super::kernel::Kernel;
use super::kernels::{array_inside, scalar_inside};
use super::map::is_done_by_elements;
use crate::imp_gen::operators::dests::Dest;
use crate::imp_gen::operators::elementwise::primitive_columns;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::flat::{Into, Out};
use norn_ir::imp::{Elem, Exp, GroupArray, GroupExp, GroupStmt, Stmt, Var as ImpVar};
use norn_ir::nest::{Atom, Reduction, Var};

/// Shared memory for bins.
const SHARED_BYTES: i64 = 40 << 10;
/// So many elements at least a thread should have, if its group has bins of its own.
const SHARE: i64 = 16;
/// So many elements at least a group should have for each of its bins.
const BINS_SHARE: i64 = 4;

/// A kernel that writes where indices say.
pub struct Writes<'k> {
    pub into: &'k [Into],
    /// Without it, values are stored.
    pub op: Option<&'k Reduction>,
    pub indices: &'k [Atom],
    pub values: &'k [Atom],
}

pub fn writes_of(kernel: &Kernel) -> Writes<'_> {
    let (op, indices, into) = match &kernel.outs[..] {
        [Out::Scatter { indices, into }] => (None, *indices, into),
        [Out::Hist { op, indices, into }] => (Some(op), *indices, into),
        _ => panic!("imp_gen: an out that writes nowhere"),
    };
    let (indices, values) = kernel.body.result.split_at(indices);
    Writes { into, op, indices, values }
}

impl Gen<'_> {
    pub fn hist_shared(&mut self, vars: &[Var], kernel: &Kernel, grid: &Grid) {
        let hist = &writes_of(kernel);
        let dests: Vec<Array> = hist.into.iter().map(|into| self.array(into.array)).collect();
        let points = kernel.points.len();
        let single = hist.indices.len() == 1 && kernel.through.len() == 1;
        match hist.op {
            Some(op) if single && dests.iter().all(|dest| dest.lead.len() == points + 1) => {
                let bytes: i64 = dests.iter().map(|dest| dest.prim.size() as i64).sum();
                let room = SHARED_BYTES / bytes;
                let bins = dests[0].lead[points].size.clone();
                let mut pays = bins.clone().le(room);
                if points > 0 {
                    let length = self.extent(kernel.through[0].extent);
                    pays = pays.and(Exp::i64(GROUP).le(length.clone())).and(bins.mul(2).le(length));
                }
                self.code.open();
                self.scoped(&mut |this| this.hist_in_groups(kernel, op, &dests, room, grid));
                let shared = self.code.close();
                self.code.open();
                self.scoped(&mut |this| this.hist_at_once(kernel, &dests, grid));
                let at_once = self.code.close();
                self.code.if_(pays, shared, at_once);
            }
            Some(_) => self.hist_at_once(kernel, &dests, grid),
            None => self.scatter(kernel, &dests, grid),
        }
        for (var, dest) in vars.iter().zip(dests) {
            self.bind(*var, Repr::Array(dest));
        }
    }

    /// Each group in memory of its own.
    fn hist_in_groups(&mut self, kernel: &Kernel, op: &Reduction, dests: &[Array], room: i64, grid: &Grid) {
        let width = self.extent(kernel.through[0].extent);
        if kernel.points.is_empty() {
            let groups = self.groups_for(&width, SHARE, Some(Exp::DeviceGroups));
            let mut extra: Vec<Repr> = dests.iter().cloned().map(Repr::Array).collect();
            extra.push(Repr::Scalar(width));
            self.launch_groups("hist", &grid.captured, &extra, groups, &mut |this, arrays, mut given| {
                let width = scalar_inside(given.pop());
                let bins = this.shared_bins(op, given, 0, room, arrays);
                this.begin_bins(&bins);
                this.each_apart(&width, &mut |this, i| this.add_to_bins(kernel, &bins, &[i]));
                this.end_bins(&bins, &[]);
            });
            return;
        }
        // A group has a part of a row, of which there are several if rows are long. Bins are few beside its elements.
        let widths: Vec<Exp> = kernel.points.iter().map(|dim| self.extent(dim.extent)).collect();
        let rows = self.code.atom("rows", Exp::product(widths.iter().cloned()));
        let bins = dests[0].lead[kernel.points.len()].size.clone();
        let each = self.code.atom("each", bins.mul(BINS_SHARE).max(GROUP * SHARE));
        let parts = self.code.atom("parts", width.clone().add(each.clone().sub(1)).quot(each.clone()).max(1));
        let count = self.code.atom("count", rows.mul(parts.clone()));
        let groups = self.code.atom("groups", count.clone().min(1 << 30));
        let mut extra: Vec<Repr> = dests.iter().cloned().map(Repr::Array).collect();
        extra.extend(widths.into_iter().chain([width, each, parts, count]).map(Repr::Scalar));
        self.launch_groups("hist", &grid.captured, &extra, groups, &mut |this, arrays, mut given| {
            let mut last = || scalar_inside(given.pop());
            let (count, parts, each, width) = (last(), last(), last(), last());
            let widths = given.split_off(dests.len());
            let bins = this.shared_bins(op, given, widths.len(), room, arrays);
            this.each_by_groups("part", Exp::i64(1), &count, &mut |this, part| {
                let row: Exp = this.code.bind("row", part.clone().quot(parts.clone())).into();
                let first = part.sub(row.clone().mul(parts.clone())).mul(each.clone());
                let first: Exp = this.code.bind("first", first).into();
                let end: Exp =
                    this.code.bind("end", first.clone().add(each.clone()).min(width.clone())).into();
                let point = this.indices_of(row, &widths);
                this.begin_bins(&bins);
                let first = first.add(Exp::Group(GroupExp::Thread));
                this.each_by("j", first, GROUP, &end, &mut |this, j| {
                    let indices: Vec<Exp> = point.iter().cloned().chain([j]).collect();
                    this.add_to_bins(kernel, &bins, &indices);
                });
                this.end_bins(&bins, &point);
                this.barrier();
            });
        });
    }

    fn shared_bins<'k>(
        &mut self,
        op: &'k Reduction,
        dests: Vec<Repr>,
        points: usize,
        room: i64,
        arrays: &mut Vec<GroupArray>,
    ) -> Bins<'k> {
        let dests: Vec<Array> = dests.into_iter().map(array_inside).collect();
        let count = dests[0].lead[points].size.clone();
        let shared = dests.iter().map(|dest| self.shared_array(arrays, "bins", dest.prim, room)).collect();
        Bins { op, dests, count, shared }
    }

    fn begin_bins(&mut self, bins: &Bins) {
        let neutral = self.neutral_of(bins.op);
        self.each_in_group(&bins.count, &mut |this, bin| {
            for ((shared, dest), value) in bins.shared.iter().zip(&bins.dests).zip(&neutral) {
                this.code.store(Elem::Prim(dest.prim), *shared, bin.clone(), value.clone());
            }
        });
        self.barrier();
    }

    /// The element at these indices of the space.
    fn add_to_bins(&mut self, kernel: &Kernel, bins: &Bins, indices: &[Exp]) {
        self.guarded(&mut |this| {
            this.at_element(kernel, indices, &[], &mut |this| {
                let (index, values) = kernel.body.result.split_at(1);
                let index = this.scalar(index[0]);
                let values: Vec<Exp> = values.iter().map(|atom| this.scalar(*atom)).collect();
                this.code.open();
                let places: Vec<(Exp, Exp)> =
                    bins.shared.iter().map(|var| (Exp::Var(*var), index.clone())).collect();
                this.add_at(bins.op, &places, &values);
                let block = this.code.close();
                let inside = Exp::i64(0).le(index.clone()).and(index.lt(bins.count.clone()));
                this.code.when(inside, block);
            });
        });
    }

    /// The bins of a group are added to those of a point, if the destination has that.
    fn end_bins(&mut self, bins: &Bins, point: &[Exp]) {
        self.barrier();
        self.code.open();
        self.each_in_group(&bins.count, &mut |this, bin| {
            let mut values = Vec::with_capacity(bins.dests.len());
            for (shared, dest) in bins.shared.iter().zip(&bins.dests) {
                let value = Exp::load(Elem::Prim(dest.prim), *shared, bin.clone());
                values.push(this.code.bind("sum", value).into());
            }
            let indices: Vec<Exp> = point.iter().cloned().chain([bin]).collect();
            let places = bins.dests.iter().map(|dest| {
                let at = this.element_index(dest, &indices);
                (dest.data.ptr.clone(), at)
            });
            let places: Vec<(Exp, Exp)> = places.collect();
            this.add_at(bins.op, &places, &values);
        });
        let block = self.code.close();
        match point {
            [] => self.code.append(block),
            [..] => self.code.when(Dest::Regular(bins.dests[0].clone()).contains(point), block),
        }
    }

    /// Values are combined with what is at these pointers and indices.
    fn add_at(&mut self, op: &Reduction, places: &[(Exp, Exp)], values: &[Exp]) {
        let operators =
            primitive_columns(&op.lambda).expect("imp_gen: a histogram that is no memory operation");
        for (((ptr, index), value), (op, prim)) in places.iter().zip(values).zip(operators) {
            let (ptr, index, value) = (ptr.clone(), index.clone(), value.clone());
            self.code.push(Stmt::Group(GroupStmt::Atomic { op, prim, ptr, index, value, old: None }));
        }
    }

    /// Each thread where its element belongs.
    fn hist_at_once(&mut self, kernel: &Kernel, dests: &[Array], grid: &Grid) {
        let hist = &writes_of(kernel);
        let name = if hist.op.is_some() { "hist" } else { "scatter" };
        let widths: Vec<Exp> = kernel.dims().map(|dim| self.extent(dim.extent)).collect();
        let total = self.code.atom("total", Exp::product(widths.iter().cloned()));
        let groups = self.groups_for(&total, 1, None);
        let mut extra: Vec<Repr> = dests.iter().cloned().map(Repr::Array).collect();
        extra.extend(widths.into_iter().chain([total]).map(Repr::Scalar));
        self.launch_groups(name, &grid.captured, &extra, groups, &mut |this, _, mut given| {
            let total = scalar_inside(given.pop());
            let widths = given.split_off(dests.len());
            let dests: Vec<Dest> = given.into_iter().map(array_inside).map(Dest::Regular).collect();
            this.each_apart(&total, &mut |this, i| {
                this.guarded(&mut |this| {
                    let indices = this.indices_of(i.clone(), &widths);
                    this.at_element(kernel, &indices, &[], &mut |this| {
                        this.write_or_add(hist, &dests, &indices[..kernel.points.len()]);
                    });
                });
            });
        });
    }

    /// Rows that are there already are written by elements: what says where an element goes is next to nothing, and every thread of the row does it.
    fn scatter(&mut self, kernel: &Kernel, dests: &[Array], grid: &Grid) {
        let indexed = kernel.points.len() + writes_of(kernel).indices.len();
        if !is_done_by_elements(&self.fun.vars, &kernel.body.stms)
            || dests.iter().all(|dest| dest.lead.len() == indexed)
        {
            return self.hist_at_once(kernel, dests, grid);
        }
        (0..dests.len()).for_each(|number| self.scatter_elements(kernel, number, &dests[number], grid));
    }

    /// One of the values, by as many threads as its rows have elements.
    fn scatter_elements(&mut self, kernel: &Kernel, number: usize, dest: &Array, grid: &Grid) {
        let writes = &writes_of(kernel);
        let points = kernel.points.len();
        let space: Vec<Exp> = kernel.dims().map(|dim| self.extent(dim.extent)).collect();
        let dims = space.len();
        let row = dest.lead[points + writes.indices.len()..].iter().map(|lead| lead.size.clone());
        let sizes: Vec<Exp> = space.into_iter().chain(row).collect();
        let total = self.code.atom("total", Exp::product(sizes.iter().cloned()));
        let groups = self.groups_for(&total, 1, None);
        let mut extra = vec![Repr::Array(dest.clone()), Repr::Scalar(total)];
        extra.extend(sizes.into_iter().map(Repr::Scalar));
        self.launch_groups("scatter", &grid.captured, &extra, groups, &mut |this, _, mut given| {
            let sizes = given.split_off(2);
            let total = scalar_inside(given.pop());
            let dest = Dest::Regular(given.pop().map(array_inside).expect("imp_gen: a scatter to nothing"));
            this.each_apart(&total, &mut |this, i| {
                let element = this.indices_of(i, &sizes);
                let (element, places) = element.split_at(dims);
                this.guarded(&mut |this| {
                    this.at_element(kernel, element, &[], &mut |this| {
                        let own = writes.indices.iter().map(|atom| this.scalar(*atom));
                        let indices: Vec<Exp> = element[..points].iter().cloned().chain(own).collect();
                        this.scatter_element(&indices, writes.values[number], &dest, places);
                    });
                });
            });
        });
    }

    /// The element of a value at these places goes to where the indices say.
    fn scatter_element(&mut self, indices: &[Exp], value: Atom, dest: &Dest, places: &[Exp]) {
        let Some(array) = dest.regular() else { panic!("imp_gen: a scatter to rows of different lengths") };
        self.code.open();
        let value = match self.value(value) {
            Repr::Array(row) => {
                let at = self.element_index(&row, places);
                self.element(&row, at)
            }
            _ => self.scalar(value),
        };
        let to: Vec<Exp> = indices.iter().chain(places).cloned().collect();
        self.store(array, &to, value);
        let block = self.code.close();
        self.code.when(dest.contains(indices), block);
    }

    fn write_or_add(&mut self, hist: &Writes, dests: &[Dest], point: &[Exp]) {
        let own = hist.indices.iter().map(|atom| self.scalar(*atom));
        let indices: Vec<Exp> = point.iter().cloned().chain(own).collect();
        let values: Vec<Repr> = hist.values.iter().map(|atom| self.value(*atom)).collect();
        let Some(op) = hist.op else { return self.write_at(None, dests, &indices, &values, None) };
        let operators =
            primitive_columns(&op.lambda).expect("imp_gen: a histogram that is no memory operation");
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

/// Bins that the threads of a group share, and the destinations that they are added to.
struct Bins<'k> {
    op: &'k Reduction,
    dests: Vec<Array>,
    count: Exp,
    shared: Vec<ImpVar>,
}
