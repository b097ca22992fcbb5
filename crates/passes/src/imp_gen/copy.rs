//! Copying arrays from one layout to another.

use super::repr::{Array, Lead, Part, Repr};
use super::state::{Gen, Where};
use norn_ir::imp::{Elem, Exp, LoopForm};

impl Gen<'_> {
    /// The array row-major in memory of its own, which the open body owns.
    pub fn copy_array(&mut self, name: &str, array: &Array, operator: &str) -> Array {
        if !array.is_regular() {
            return self.copy_irregular(name, array, operator);
        }
        let sizes: Vec<Exp> = array.lead.iter().map(|lead| lead.size.clone()).collect();
        let copy = self.new_array_named(name, array.prim, &sizes, operator);
        self.copy_into(&copy, array);
        copy
    }

    /// The array itself if it is row-major, otherwise a copy that is.
    pub fn in_row_major(&mut self, array: Array) -> Array {
        if array.is_row_major() { array } else { self.copy_array("row_major", &array, "copy") }
    }

    /// Copy a regular array to a place of the same shape. The two do not overlap, or are the same.
    pub fn copy_into(&mut self, to: &Array, from: &Array) {
        if to.data.ptr == from.data.ptr && to.is_row_major() && from.is_row_major() {
            return;
        }
        if self.at == Where::Host {
            return self.copy_on_device(to, from);
        }
        if self.at == Where::Group {
            return self.group_copy(to, from);
        }
        let whole = to.row_major_from.max(from.row_major_from);
        let elem = Elem::Prim(to.prim);
        let mut to_index = Exp::i64(0);
        let mut from_index = Exp::i64(0);
        let mut loops = Vec::new();
        for (depth, (to_lead, from)) in to.lead.iter().zip(&from.lead).take(whole).enumerate() {
            let size = match depth {
                // Within loops, it is these that are too many.
                0 if self.inside_loops == 0 => {
                    let row: Vec<Exp> = to.lead[1..].iter().map(|lead| lead.size.clone()).collect();
                    self.rows_to_fill(to_lead.size.clone(), &row)
                }
                _ => to_lead.size.clone(),
            };
            let to = to_lead;
            let i = self.code.new_i64("i");
            self.code.open();
            to_index = self.code.atom("to_index", to_index.add(Exp::Var(i).mul(to.stride.clone())));
            from_index = self.code.atom("from_index", from_index.add(Exp::Var(i).mul(from.stride.clone())));
            loops.push((i, size));
        }
        if whole < to.lead.len() {
            let count = Exp::product(to.lead[whole..].iter().map(|lead| lead.size.clone()));
            let target = Exp::offset(elem, to.data.ptr.clone(), to_index);
            let source = Exp::offset(elem, from.data.ptr.clone(), from_index);
            self.code.copy(elem, target, source, count);
        } else {
            let value = self.element(from, from_index);
            self.code.store(elem, to.data.ptr.clone(), to_index, value);
        }
        let innermost = whole == to.lead.len();
        for (at, (i, size)) in loops.into_iter().enumerate().rev() {
            let body = self.code.close();
            let form = if innermost && at + 1 == whole { LoopForm::Independent } else { LoopForm::Plain };
            self.code.for_(i, 0, size, form, body);
        }
    }

    /// How many rows of these sizes have to be written: none if they have no elements, however many there are.
    pub fn rows_to_fill(&mut self, count: Exp, row: &[Exp]) -> Exp {
        let are_there = row.iter().all(|size| size.as_i64().is_some_and(|size| size > 0));
        if are_there || count.as_i64().is_some() {
            return count;
        }
        let elements = Exp::product(row.iter().cloned());
        self.code.atom("rows", Exp::select(elements.eq(0), 0, count))
    }

    /// Where the element at these indices of a regular array is, counted from its pointer.
    pub fn element_index(&self, array: &Array, indices: &[Exp]) -> Exp {
        let terms = array.lead.iter().zip(indices);
        Exp::sum(terms.map(|(Lead { size: _, stride }, index)| index.clone().mul(stride.clone())))
    }

    /// The element at these indices of one regular array becomes that at these of another.
    pub fn copy_element(&mut self, to: &Array, at: &[Exp], from: &Array, from_at: &[Exp]) {
        let index = self.element_index(from, from_at);
        let value = self.element(from, index);
        self.store(to, at, value);
    }

    /// Store a scalar at these indices, one for each dimension.
    pub fn store(&mut self, array: &Array, indices: &[Exp], value: Exp) {
        let at = self.element_index(array, indices);
        self.put(array, at, value);
    }

    /// Store a scalar so many elements behind the first of a regular array.
    pub fn put(&mut self, array: &Array, at: Exp, value: Exp) {
        if self.at == Where::Host {
            return self.write_device(array, at, value);
        }
        if self.at == Where::Group {
            return self.group_put(array, &at, &value);
        }
        self.code.store(Elem::Prim(array.prim), array.data.ptr.clone(), at, value);
    }

    /// Store a row (or an element, for an array of one dimension) at this index of a regular array.
    pub fn store_row(&mut self, array: &Array, index: Exp, value: &Repr) {
        match value {
            Repr::Scalar(value) => self.store(array, &[index], value.clone()),
            Repr::Array(row) => {
                let place = self.place_of_row(array, index);
                self.copy_into(&place, row);
            }
            Repr::Acc(_) | Repr::Region(_) | Repr::Cert => panic!("imp_gen: a row that is no value"),
        }
    }

    /// A row of a regular array of at least two dimensions, as memory to write to. It cannot be kept.
    pub fn place_of_row(&mut self, array: &Array, index: Exp) -> Array {
        let at = index.mul(array.lead[0].stride.clone());
        let ptr = Exp::offset(Elem::Prim(array.prim), array.data.ptr.clone(), at);
        let ptr = self.code.atom("row", ptr);
        Array {
            prim: array.prim,
            lead: array.lead[1..].to_vec(),
            row_major_from: array.row_major_from.saturating_sub(1),
            tail: Vec::new(),
            offsets: Vec::new(),
            data: Part::lent(ptr),
            counted: None,
        }
    }
}
