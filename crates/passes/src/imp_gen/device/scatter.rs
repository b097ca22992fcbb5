//! Scatter on the device: each thread writes its element where it belongs. A kernel with points writes for each into a part of its own.

use super::kernel::Kernel;
use super::kernels::{array_inside, scalar_inside};
use super::map::is_done_by_elements;
use crate::imp_gen::operators::dests::Dest;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::flat::{Into, Out};
use norn_ir::imp::Exp;
use norn_ir::nest::{Atom, Var};

/// A kernel that writes where indices say.
struct Writes<'k> {
    into: &'k [Into],
    indices: &'k [Atom],
    values: &'k [Atom],
}

fn writes_of(kernel: &Kernel) -> Writes<'_> {
    let [Out::Scatter { indices, into }] = &kernel.outs[..] else {
        panic!("imp_gen: a scatter that does more")
    };
    let (indices, values) = kernel.body.result.split_at(*indices);
    Writes { into, indices, values }
}

impl Gen<'_> {
    pub fn scatter_elements(&mut self, vars: &[Var], kernel: &Kernel, grid: &Grid) {
        let dests: Vec<Array> = writes_of(kernel).into.iter().map(|into| self.array(into.array)).collect();
        self.scatter_rows(kernel, &dests, grid);
        self.bind_kept(vars, dests);
    }

    /// Rows that are there already are written by elements: what says where an element goes is next to nothing, and every thread of the row does it.
    fn scatter_rows(&mut self, kernel: &Kernel, dests: &[Array], grid: &Grid) {
        let indexed = kernel.points.len() + writes_of(kernel).indices.len();
        if !is_done_by_elements(&self.fun.vars, &kernel.body.stms)
            || dests.iter().all(|dest| dest.lead.len() == indexed)
        {
            return self.scatter_whole(kernel, dests, grid);
        }
        (0..dests.len()).for_each(|number| self.scatter_column(kernel, number, &dests[number], grid));
    }

    /// One of the values, by as many threads as its rows have elements.
    fn scatter_column(&mut self, kernel: &Kernel, number: usize, dest: &Array, grid: &Grid) {
        let writes = &writes_of(kernel);
        let points = kernel.points.len();
        let space: Vec<Exp> = kernel.dims().map(|dim| self.extent(dim.extent)).collect();
        let dims = space.len();
        let row = dest.lead[points + writes.indices.len()..].iter().map(|lead| lead.size.clone());
        let sizes: Vec<Exp> = space.into_iter().chain(row).collect();
        let total = self.code.atom("total", Exp::product(sizes.iter().cloned()));
        let groups = self.groups_apart(&total);
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

    /// Each thread where its element belongs.
    fn scatter_whole(&mut self, kernel: &Kernel, dests: &[Array], grid: &Grid) {
        let writes = &writes_of(kernel);
        let widths: Vec<Exp> = kernel.dims().map(|dim| self.extent(dim.extent)).collect();
        let total = self.code.atom("total", Exp::product(widths.iter().cloned()));
        let groups = self.groups_apart(&total);
        let mut extra: Vec<Repr> = dests.iter().cloned().map(Repr::Array).collect();
        extra.extend(widths.into_iter().chain([total]).map(Repr::Scalar));
        self.launch_groups("scatter", &grid.captured, &extra, groups, &mut |this, _, mut given| {
            let total = scalar_inside(given.pop());
            let widths = given.split_off(dests.len());
            let dests: Vec<Dest> = given.into_iter().map(array_inside).map(Dest::Regular).collect();
            this.each_apart(&total, &mut |this, i| {
                this.guarded(&mut |this| {
                    let element = this.indices_of(i.clone(), &widths);
                    this.at_element(kernel, &element, &[], &mut |this| {
                        let own = writes.indices.iter().map(|atom| this.scalar(*atom));
                        let point = element[..kernel.points.len()].iter().cloned();
                        let indices: Vec<Exp> = point.chain(own).collect();
                        let values: Vec<Repr> = writes.values.iter().map(|atom| this.value(*atom)).collect();
                        this.write_at(None, &dests, &indices, &values, None);
                    });
                });
            });
        });
    }
}
