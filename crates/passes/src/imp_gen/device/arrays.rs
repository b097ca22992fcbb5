//! What a host does with arrays on the device: single elements, and copies of whole ones.

use super::kernels::scalar_inside;
use super::transpose::transpose;
use crate::imp_gen::arrays::{is_constant, table_of};
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{DeviceStmt, Elem, Exp, Prim, Stmt, Var as ImpVar};
use norn_ir::nest::Var;

impl Gen<'_> {
    pub fn read_device(&mut self, array: &Array, index: Exp) -> Exp {
        let elem = Elem::Prim(array.prim);
        let var = self.code.new_var("element", elem.ty());
        let ptr = array.data.ptr.clone();
        self.code.push(Stmt::Device(DeviceStmt::Read { vars: vec![var], elem, ptr, index }));
        var.into()
    }

    pub fn write_device(&mut self, array: &Array, index: Exp, value: Exp) {
        let elem = Elem::Prim(array.prim);
        let ptr = array.data.ptr.clone();
        self.code.push(Stmt::Device(DeviceStmt::Write { elem, ptr, index, value }));
    }

    /// Something for each index, by as many threads.
    pub fn for_each_on_device(
        &mut self,
        name: &str,
        count: Exp,
        given: &[Repr],
        body: &mut dyn FnMut(&mut Self, ImpVar, &[Repr]),
    ) {
        let groups = self.groups_apart(&count);
        let mut extra = given.to_vec();
        extra.push(Repr::Scalar(count));
        self.launch_groups(name, &[], &extra, groups, &mut |this, _, mut given| {
            let Some(Repr::Scalar(count)) = given.pop() else { panic!("imp_gen: a kernel without a count") };
            this.each_apart(&count, &mut |this, i| {
                let i = this.code.bind("i", i);
                body(this, i, &given);
            });
        });
    }

    /// Copy a regular array to a place of the same shape. The two do not overlap, or are the same.
    pub fn copy_on_device(&mut self, to: &Array, from: &Array) {
        let sizes: Vec<Exp> = to.lead.iter().map(|lead| lead.size.clone()).collect();
        let count = self.code.atom("count", Exp::product(sizes.iter().cloned()));
        if to.is_row_major() && from.is_row_major() && from.counted.is_none() {
            let elem = Elem::Prim(to.prim);
            let (to, from) = (to.data.ptr.clone(), from.data.ptr.clone());
            return self.code.push(Stmt::Device(DeviceStmt::Copy { elem, to, from, count }));
        }
        if let Some(transpose) = transpose(to, from) {
            return self.launch_transpose(to, from, transpose, &Exp::bool(true));
        }
        let mut given = vec![Repr::Array(to.clone()), Repr::Array(from.clone())];
        given.extend(sizes.into_iter().map(Repr::Scalar));
        self.for_each_on_device("copy", count, &given, &mut |this, i, given| {
            let [Repr::Array(to), Repr::Array(from), sizes @ ..] = given else {
                panic!("imp_gen: a copy of no array")
            };
            let indices = this.indices_of(i.into(), sizes);
            this.copy_element(to, &indices, from, &indices);
        });
    }

    /// Copies of a regular row fill an array: each thread has an element of one of them.
    pub fn replicate_on_device(&mut self, to: &Array, row: &Array) {
        let sizes: Vec<Exp> = to.lead.iter().map(|lead| lead.size.clone()).collect();
        let count = self.code.atom("count", Exp::product(sizes.iter().cloned()));
        let mut given = vec![Repr::Array(to.clone()), Repr::Array(row.clone())];
        given.extend(sizes.into_iter().map(Repr::Scalar));
        self.for_each_on_device("replicate", count, &given, &mut |this, i, given| {
            let [Repr::Array(to), Repr::Array(row), sizes @ ..] = given else {
                panic!("imp_gen: a replicate of no array")
            };
            let indices = this.indices_of(i.into(), sizes);
            this.copy_element(to, &indices, row, &indices[1..]);
        });
    }

    /// The indices of an element whose number in row-major order is known.
    pub fn indices_of(&mut self, number: Exp, sizes: &[Repr]) -> Vec<Exp> {
        let sizes: Vec<Exp> = sizes.iter().map(|size| scalar_inside(Some(size.clone()))).collect();
        self.indices_of_sizes(number, &sizes)
    }

    pub fn indices_of_sizes(&mut self, number: Exp, sizes: &[Exp]) -> Vec<Exp> {
        let mut indices = Vec::with_capacity(sizes.len());
        let mut left = number;
        for size in sizes.iter().skip(1).rev() {
            let above: Exp = self.code.bind("left", left.clone().quot(size.clone())).into();
            let before = above.clone().mul(size.clone());
            indices.push(self.code.atom("index", left.sub(before)));
            left = above;
        }
        indices.push(left);
        indices.reverse();
        indices
    }

    /// An array of a scalar that stays on the device: the memory that the scalar has, if it is not needed after this.
    pub fn array_of_one(&mut self, var: Var, array: Array) {
        let is_last = array.data.owner.is_some_and(|owner| self.owners.is_last_use(owner));
        let array = if is_last { array } else { self.copy_array("array", &array, "array") };
        self.bind(var, Repr::Array(array));
    }

    /// An array of these scalars: made on the host, and moved as a whole.
    pub fn literal_on_device(&mut self, var: Var, prim: Prim, rows: &[Repr]) -> Array {
        let count = Exp::i64(rows.len() as i64);
        let array = self.new_array(var, prim, std::slice::from_ref(&count), "array");
        let values: Vec<Exp> = rows
            .iter()
            .map(|row| match row {
                Repr::Scalar(value) => value.clone(),
                Repr::Array(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert => {
                    panic!("imp_gen: a host makes arrays of scalars alone")
                }
            })
            .collect();
        let table = if array.is_row_major() { table_of(prim, rows) } else { None };
        if let Some(table) = &table
            && rows.iter().all(is_constant)
        {
            let (elem, to) = (Elem::Prim(prim), array.data.ptr.clone());
            self.code.push(Stmt::Device(DeviceStmt::Upload { elem, to, from: table.clone(), count }));
            return array;
        }
        // With few elements, as with a layout that is not row-major, they go one by one.
        if values.len() <= 2 || !array.is_row_major() {
            for (i, value) in values.into_iter().enumerate() {
                self.store(&array, &[Exp::i64(i as i64)], value);
            }
            return array;
        }
        let site = self.operator_site("array");
        let elem = Elem::Prim(prim);
        let block = self.code.alloc("literal", elem, count.clone(), site);
        let from = self.code.bind("literal", Exp::data(elem, block));
        if let Some(table) = &table {
            self.code.push(Stmt::Copy { elem, to: from.into(), from: table.clone(), count: count.clone() });
        }
        for (i, value) in values.into_iter().enumerate() {
            if table.is_none() || !is_constant(&rows[i]) {
                self.code.store(elem, from, i as i64, value);
            }
        }
        let to = array.data.ptr.clone();
        self.code.push(Stmt::Device(DeviceStmt::Upload { elem, to, from: from.into(), count }));
        self.code.release(block);
        array
    }
}
