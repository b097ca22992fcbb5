//! One element of an operator: what its lambda takes of the inputs at an index, and the lambda applied to it.

use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::Exp;
use norn_ir::nest::{Atom, Body, Lambda, Var};

impl Gen<'_> {
    /// Elements and rows of all inputs at an index; of irregular rows length and row.
    pub fn rows_at(&mut self, inputs: &[Var], index: &Exp) -> Vec<Repr> {
        let mut rows = Vec::with_capacity(inputs.len());
        for input in inputs {
            let array = self.array(*input);
            rows.extend(self.row_at(&array, index));
        }
        rows
    }

    /// As `row`, but an element is loaded by its index, which is clearer to whoever reads the loop.
    pub fn row_at(&mut self, array: &Array, index: &Exp) -> Vec<Repr> {
        if array.rank() > 1 {
            return self.row(array, index.clone());
        }
        let at = self.element_index(array, std::slice::from_ref(index));
        let element = self.element(array, at);
        vec![Repr::Scalar(self.code.atom("element", element))]
    }

    /// The lambda of these values. Results that have a target are computed there if possible. `with` can use the
    /// results; after it, what the lambda's body owns is released.
    pub fn apply(
        &mut self,
        lambda: &Lambda,
        args: Vec<Repr>,
        targets: &[(Atom, Option<Array>)],
        with: &mut dyn FnMut(&mut Self),
    ) {
        for (param, arg) in lambda.params.iter().zip(args) {
            self.env.insert(*param, arg);
        }
        self.run_body(&lambda.body, targets, with);
    }

    /// The same for a body all of whose variables have values.
    pub fn run_body(
        &mut self,
        body: &Body,
        targets: &[(Atom, Option<Array>)],
        with: &mut dyn FnMut(&mut Self),
    ) {
        // Places of variables of the scopes around do not concern the body.
        let outer = std::mem::take(&mut self.places);
        for (atom, place) in targets {
            if let (Atom::Var(var), Some(place)) = (atom, place) {
                self.set_target(body, *var, place);
            }
        }
        self.begin_body(body, &[]);
        with(self);
        self.end_body();
        self.places = outer;
    }
}
