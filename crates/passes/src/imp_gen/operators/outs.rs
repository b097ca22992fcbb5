//! Where the results of a lambda go: arrays with a row for each element.

use super::accs::lent;
use super::launch::Grid;
use super::rows::{RowStore, Slot};
use crate::imp_gen::repr::{Array, Repr, prim_of};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Elem, Exp};
use norn_ir::nest::{Atom, Var};

#[derive(Clone, Debug)]
pub enum Out {
    /// Scalars, or rows of one shape.
    Regular(Array),
    /// Rows whose lengths are known before they are computed.
    Shaped(Array),
    /// Rows of which nothing is known.
    Rows(RowStore),
}

impl Out {
    pub fn reprs(&self) -> Vec<Repr> {
        match self {
            Out::Regular(array) | Out::Shaped(array) => vec![Repr::Array(array.clone())],
            Out::Rows(store) => store.reprs(),
        }
    }

    pub fn inside(&self, given: &mut dyn Iterator<Item = Repr>) -> Out {
        let mut array = || match given.next() {
            Some(Repr::Array(array)) => array,
            Some(Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert) | None => {
                panic!("imp_gen: an output was handed to a kernel as something else")
            }
        };
        match self {
            Out::Regular(_) => Out::Regular(array()),
            Out::Shaped(_) => Out::Shaped(array()),
            Out::Rows(store) => Out::Rows(store.inside(given)),
        }
    }

    pub fn is_scalars(&self) -> bool {
        match self {
            Out::Regular(array) => array.lead.len() == 1,
            Out::Shaped(_) | Out::Rows(_) => false,
        }
    }

    /// Short rows share memory, one after the other.
    pub fn is_packed(&self) -> bool {
        match self {
            Out::Rows(store) => store.pack().is_some(),
            Out::Regular(_) | Out::Shaped(_) => false,
        }
    }

    /// What each row has the same amount of. Rows lie one after the other.
    pub fn slots(&self) -> Vec<Slot> {
        match self {
            Out::Regular(array) | Out::Shaped(array) => {
                let elem = Elem::Prim(array.prim);
                vec![Slot { elem, ptr: array.data.ptr.clone(), stride: array.lead[0].stride.clone() }]
            }
            Out::Rows(store) => store.slots(),
        }
    }

    /// The same with other pointers for its slots, in their order.
    pub fn set_slots(&mut self, ptrs: Vec<Exp>) {
        match self {
            Out::Regular(array) | Out::Shaped(array) => {
                ptrs.into_iter().for_each(|ptr| array.data.ptr = ptr);
            }
            Out::Rows(store) => store.set_slots(ptrs),
        }
    }
}

impl Gen<'_> {
    /// An output with so many rows of the type that the rows of the variable have. If `in_place`, it lies in the place of
    /// the variable.
    pub fn new_out(&mut self, var: Var, rows: &Exp, in_place: bool, operator: &str) -> Out {
        let ty = self.ty(var);
        let prim = prim_of(ty.elem().expect("imp_gen: an output of no values"));
        let dims = self.sizes(&ty.dims()[1..]);
        if dims.contains(&None) {
            return Out::Rows(self.new_rows(prim, &dims, rows, operator));
        }
        let mut sizes = vec![rows.clone()];
        sizes.extend(dims.into_iter().flatten());
        if in_place {
            return Out::Regular(self.new_array(var, prim, &sizes, operator));
        }
        let name = self.name(var);
        Out::Regular(self.new_array_named(name, prim, &sizes, operator))
    }

    /// Where the row at this index should be computed, if it is an array.
    pub fn out_place(&mut self, out: &Out, index: &Exp) -> Option<Array> {
        match out {
            Out::Regular(array) if array.lead.len() > 1 => Some(self.place_of_row(array, index.clone())),
            Out::Shaped(array) => match self.row(array, index.clone()).pop() {
                Some(Repr::Array(row)) => Some(lent(&row)),
                Some(Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert) | None => {
                    panic!("imp_gen: a row that is no array")
                }
            },
            Out::Regular(_) | Out::Rows(_) => None,
        }
    }

    /// A result of the open body as the row at this index, where its place was before.
    pub fn deliver_row(&mut self, out: &Out, index: &Exp, place: Option<&Array>, atom: Atom) {
        match (out, place) {
            (_, Some(place)) => self.deliver(atom, place),
            (Out::Regular(array) | Out::Shaped(array), None) => {
                let value = self.value(atom);
                self.store_row(array, index.clone(), &value);
            }
            (Out::Rows(store), None) => {
                let Repr::Array(row) = self.value(atom) else {
                    panic!("imp_gen: a row that is no array in {}", self.fun.name)
                };
                self.put_row(store, index, &row);
            }
        }
    }

    /// The variable is the output, of which so many rows are in use.
    pub fn bind_out(&mut self, var: Var, out: Out, rows: &Exp, grid: Option<&Grid>) {
        let array = match out {
            Out::Regular(mut array) | Out::Shaped(mut array) => {
                array.lead[0].size = rows.clone();
                array
            }
            Out::Rows(store) => self.assemble(self.name(var), &store, std::slice::from_ref(rows), grid),
        };
        self.bind(var, Repr::Array(array));
    }
}
