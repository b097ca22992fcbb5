//! Scatter and histograms on the device: each thread writes, or adds, where its elements belong.
//!
//! Values are combined in memory, at once with what is there (`Atomic`). The order in which that happens does not matter for the
//! operators that come here: those on integers that a memory can do. Where all bins have room in the memory that a group shares,
//! each group has its own, and adds them to the others at the end: so threads are less in each other's way.

use super::kernel::Kernel;
use super::kernels::{array_inside, scalar_inside};
use super::map::is_done_by_elements;
use crate::imp_gen::operators::dests::Dest;
use crate::imp_gen::operators::elementwise::primitive_columns;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::flat::{Into, Out};
use norn_ir::imp::{Elem, Exp, GroupStmt, Stmt, Var as ImpVar};
use norn_ir::nest::{Atom, Reduction, Var};

/// Shared memory for bins.
const SHARED_BYTES: i64 = 40 << 10;
/// So many elements at least a thread should have, if its group has bins of its own.
const SHARE: i64 = 16;

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
        let width = self.extent(kernel.through[0].extent);
        let hist = &writes_of(kernel);
        let dests: Vec<Array> = hist.into.iter().map(|into| self.array(into.array)).collect();
        match hist.op {
            Some(op) if hist.indices.len() == 1 && dests.iter().all(|dest| dest.lead.len() == 1) => {
                let bytes: i64 = dests.iter().map(|dest| dest.prim.size() as i64).sum();
                let room = SHARED_BYTES / bytes;
                let bins = dests[0].length();
                self.code.open();
                self.scoped(&mut |this| this.hist_in_groups(kernel, op, &dests, &width, room, grid));
                let shared = self.code.close();
                self.code.open();
                self.scoped(&mut |this| this.hist_at_once(kernel, &dests, &width, grid));
                let at_once = self.code.close();
                self.code.if_(bins.le(room), shared, at_once);
            }
            Some(_) => self.hist_at_once(kernel, &dests, &width, grid),
            None => self.scatter(kernel, &dests, &width, grid),
        }
        for (var, dest) in vars.iter().zip(dests) {
            self.bind(*var, Repr::Array(dest));
        }
    }

    /// Each group in memory of its own.
    fn hist_in_groups(
        &mut self,
        kernel: &Kernel,
        op: &Reduction,
        dests: &[Array],
        width: &Exp,
        room: i64,
        grid: &Grid,
    ) {
        let groups = self.groups_for(width, SHARE, Some(Exp::DeviceGroups));
        let mut extra: Vec<Repr> = dests.iter().cloned().map(Repr::Array).collect();
        extra.push(Repr::Scalar(width.clone()));
        self.launch_groups("hist", &grid.captured, &extra, groups, &mut |this, arrays, mut given| {
            let width = scalar_inside(given.pop());
            let dests: Vec<Array> = given.into_iter().map(array_inside).collect();
            let bins = dests[0].length();
            let shared: Vec<ImpVar> =
                dests.iter().map(|dest| this.shared_array(arrays, "bins", dest.prim, room)).collect();
            let neutral = this.neutral_of(op);
            this.each_in_group(&bins, &mut |this, bin| {
                for ((shared, dest), value) in shared.iter().zip(&dests).zip(&neutral) {
                    this.code.store(Elem::Prim(dest.prim), *shared, bin.clone(), value.clone());
                }
            });
            this.barrier();
            this.each_apart(&width, &mut |this, i| {
                this.guarded(&mut |this| {
                    this.at_element(kernel, std::slice::from_ref(&i), &[], &mut |this| {
                        let (index, values) = kernel.body.result.split_at(1);
                        let index = this.scalar(index[0]);
                        let values: Vec<Exp> = values.iter().map(|atom| this.scalar(*atom)).collect();
                        this.code.open();
                        let places: Vec<(Exp, Exp)> =
                            shared.iter().map(|var| (Exp::Var(*var), index.clone())).collect();
                        this.add_at(op, &places, &values);
                        let block = this.code.close();
                        let inside = Exp::i64(0).le(index.clone()).and(index.lt(bins.clone()));
                        this.code.when(inside, block);
                    });
                });
            });
            this.barrier();
            this.each_in_group(&bins, &mut |this, bin| {
                let mut values = Vec::with_capacity(dests.len());
                for (shared, dest) in shared.iter().zip(&dests) {
                    let value = Exp::load(Elem::Prim(dest.prim), *shared, bin.clone());
                    values.push(this.code.bind("sum", value).into());
                }
                let places = dests.iter().map(|dest| {
                    let at = this.element_index(dest, std::slice::from_ref(&bin));
                    (dest.data.ptr.clone(), at)
                });
                let places: Vec<(Exp, Exp)> = places.collect();
                this.add_at(op, &places, &values);
            });
        });
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
    fn hist_at_once(&mut self, kernel: &Kernel, dests: &[Array], width: &Exp, grid: &Grid) {
        let hist = &writes_of(kernel);
        let name = if hist.op.is_some() { "hist" } else { "scatter" };
        let groups = self.groups_for(width, 1, None);
        let mut extra: Vec<Repr> = dests.iter().cloned().map(Repr::Array).collect();
        extra.push(Repr::Scalar(width.clone()));
        self.launch_groups(name, &grid.captured, &extra, groups, &mut |this, _, mut given| {
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
                    this.at_element(kernel, std::slice::from_ref(&i), &[], &mut |this| {
                        this.write_or_add(hist, &dests);
                    });
                });
            });
        });
    }

    /// Rows that are there already are written by elements: what says where an element goes is next to nothing, and every thread of the row does it.
    fn scatter(&mut self, kernel: &Kernel, dests: &[Array], width: &Exp, grid: &Grid) {
        let indexed = writes_of(kernel).indices.len();
        if !is_done_by_elements(&self.fun.vars, &kernel.body.stms)
            || dests.iter().all(|dest| dest.lead.len() == indexed)
        {
            return self.hist_at_once(kernel, dests, width, grid);
        }
        (0..dests.len())
            .for_each(|number| self.scatter_elements(kernel, number, &dests[number], width, grid));
    }

    /// One of the values, by as many threads as its rows have elements.
    fn scatter_elements(&mut self, kernel: &Kernel, number: usize, dest: &Array, width: &Exp, grid: &Grid) {
        let writes = &writes_of(kernel);
        let row = dest.lead[writes.indices.len()..].iter().map(|lead| lead.size.clone());
        let sizes: Vec<Exp> = [width.clone()].into_iter().chain(row).collect();
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
                this.guarded(&mut |this| {
                    this.at_element(kernel, &element[..1], &[], &mut |this| {
                        let value = writes.values[number];
                        this.scatter_element(writes.indices, value, &dest, &element[1..]);
                    });
                });
            });
        });
    }

    /// The element of a value at these places goes to where the indices say.
    fn scatter_element(&mut self, indices: &[Atom], value: Atom, dest: &Dest, places: &[Exp]) {
        let Some(array) = dest.regular() else { panic!("imp_gen: a scatter to rows of different lengths") };
        let indices: Vec<Exp> = indices.iter().map(|atom| self.scalar(*atom)).collect();
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
        self.code.when(dest.contains(&indices), block);
    }

    fn write_or_add(&mut self, hist: &Writes, dests: &[Dest]) {
        let indices: Vec<Exp> = hist.indices.iter().map(|atom| self.scalar(*atom)).collect();
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
