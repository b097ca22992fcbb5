//! Arrays that a group fills and copies, each thread some elements.

use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Exp, Var as ImpVar};

impl Gen<'_> {
    /// Copy a regular array to a place of the same shape.
    pub fn group_copy(&mut self, to: &Array, from: &Array) {
        let sizes: Vec<Exp> = to.lead.iter().map(|lead| lead.size.clone()).collect();
        let count = self.code.atom("count", Exp::product(sizes.iter().cloned()));
        self.before_overwriting();
        self.by_elements(&count, &mut |this, i| {
            let indices = this.indices_of_sizes(i, &sizes);
            this.copy_element(to, &indices, from, &indices);
        });
    }

    /// Copies of a regular row fill an array.
    pub fn group_replicate(&mut self, to: &Array, row: &Array) {
        let sizes: Vec<Exp> = to.lead.iter().map(|lead| lead.size.clone()).collect();
        let count = self.code.atom("count", Exp::product(sizes.iter().cloned()));
        self.by_elements(&count, &mut |this, i| {
            let indices = this.indices_of_sizes(i, &sizes);
            this.copy_element(to, &indices, row, &indices[1..]);
        });
    }

    /// Something for each index.
    pub fn group_for_each(
        &mut self,
        count: &Exp,
        given: &[Repr],
        body: &mut dyn FnMut(&mut Self, ImpVar, &[Repr]),
    ) {
        self.by_elements(count, &mut |this, i| {
            let i = this.code.bind("i", i);
            body(this, i, given);
        });
    }

    /// One element is written.
    pub fn group_put(&mut self, array: &Array, at: &Exp, value: &Exp) {
        self.before_overwriting();
        self.by_one_thread(&mut |this| this.put(array, at.clone(), value.clone()));
        self.meet();
    }
}
