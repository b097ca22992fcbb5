//! Arrays that are made of values: literals, ranges, replicated values, copies and concatenations; and updates in place.
//!
//! Each is computed in its destination if it has one (`short_circuit`). The constants of a long literal are static data
//! (`table_of`); ranges and replicated scalars of which only elements are used are never stored (`counted`). Loops over elements
//! run in parallel where they are long enough (`for_each`).
//!
//! In a host function of a device, kernels write the elements (`device/arrays`).

use super::repr::{Repr, prim_of};
use super::state::{Gen, Where};
use super::views::At;
use norn_ir::imp::{BinOp, Elem, Exp, LoopForm, Prim, Scalar, Stmt};
use norn_ir::nest::{Atom, DimIndex, Var};

/// As many constants of a literal are data of the program; fewer are stored one by one.
const LONG: usize = 32;

/// The constants among the scalars of a literal as data, with zeros for the others; nothing if there are few of them.
pub fn table_of(prim: Prim, rows: &[Repr]) -> Option<Exp> {
    if rows.iter().filter(|row| is_constant(row)).count() < LONG {
        return None;
    }
    let constant = |row: &Repr| match row {
        Repr::Scalar(Exp::Const(value)) => *value,
        Repr::Scalar(_) | Repr::Array(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert => Scalar::zero(prim),
    };
    Some(Exp::Table(prim, rows.iter().map(constant).collect()))
}

pub fn is_constant(row: &Repr) -> bool {
    matches!(row, Repr::Scalar(Exp::Const(_)))
}

impl Gen<'_> {
    pub fn array_literal(&mut self, var: Var, atoms: &[Atom]) {
        let ty = self.ty(var);
        if let [Atom::Var(only)] = atoms
            && let Some(array) = self.away.get(only).cloned()
        {
            return self.array_of_one(var, array);
        }
        let sizes = self.sizes(ty.dims());
        let rows: Vec<Repr> = atoms.iter().map(|row| self.value(*row)).collect();
        if sizes.contains(&None) {
            let array = self.stack_irregular(var, &rows);
            return self.bind(var, Repr::Array(array));
        }
        let sizes: Vec<Exp> = sizes.into_iter().flatten().collect();
        let prim = prim_of(ty.elem().expect("imp_gen: an array literal of no values"));
        if sizes.len() > 1 {
            return self.literal_of_rows(var, prim, &sizes, atoms, &rows);
        }
        if self.at == Where::Host {
            let array = self.literal_on_device(var, prim, &rows);
            return self.bind(var, Repr::Array(array));
        }
        let array = self.new_array(var, prim, &sizes, "array");
        let table = if self.at == Where::Cpu && array.is_row_major() { table_of(prim, &rows) } else { None };
        if let Some(table) = &table {
            let elem = Elem::Prim(prim);
            let (to, count) = (array.data.ptr.clone(), Exp::i64(rows.len() as i64));
            self.code.push(Stmt::Copy { elem, to, from: table.clone(), count });
        }
        for (i, row) in rows.iter().enumerate() {
            if table.is_none() || !is_constant(row) {
                self.store_row(&array, Exp::i64(i as i64), row);
            }
        }
        self.bind(var, Repr::Array(array));
    }

    /// Rows that were not made in their places are copied there.
    fn literal_of_rows(&mut self, var: Var, prim: Prim, sizes: &[Exp], atoms: &[Atom], rows: &[Repr]) {
        atoms.iter().filter_map(|row| row.var()).for_each(|row| {
            self.places.remove(&row);
        });
        let (array, parts) = match self.reserved.remove(&var) {
            Some(reserved) => (reserved.array, reserved.parts),
            None => (self.new_array(var, prim, sizes, "array"), Default::default()),
        };
        for (i, (atom, row)) in atoms.iter().zip(rows).enumerate() {
            let Repr::Array(value) = row else { panic!("imp_gen: a row that is no array") };
            let place = atom.var().and_then(|row| parts.get(&row));
            if place.is_none_or(|place| place.data.ptr != value.data.ptr) {
                self.store_row(&array, Exp::i64(i as i64), row);
            }
        }
        self.bind(var, Repr::Array(array));
    }

    pub fn range(&mut self, var: Var, prim: Prim, count: Atom, start: Atom, step: Atom) {
        let [count, start, step] = [count, start, step].map(|atom| self.scalar(atom));
        if self.counted_vars.contains(&var) {
            let array = self.counted(prim, count, start, step);
            return self.bind(var, Repr::Array(array));
        }
        let array = self.new_array(var, prim, std::slice::from_ref(&count), "range");
        let (start, step) = (start.clone(), step.clone());
        let fill = array.clone();
        self.for_each(
            "range",
            count,
            1,
            &[Repr::Scalar(start), Repr::Scalar(step), Repr::Array(fill)],
            &mut |this, i, given| {
                let [Repr::Scalar(start), Repr::Scalar(step), Repr::Array(array)] = given else {
                    panic!("imp_gen: a range of something else")
                };
                let number = Exp::Var(i).convert(Prim::I64, prim);
                let number =
                    if is_one(step) { number } else { Exp::bin(BinOp::Mul, prim, number, step.clone()) };
                let value = Exp::bin(BinOp::Add, prim, start.clone(), number);
                this.store(array, &[Exp::Var(i)], value);
            },
        );
        self.bind(var, Repr::Array(array));
    }

    pub fn replicate(&mut self, var: Var, count: Atom, value: Atom) {
        let count = self.scalar(count);
        let value = self.value(value);
        if let Repr::Scalar(value) = &value
            && self.counted_vars.contains(&var)
        {
            let prim = prim_of(self.ty(var).elem().expect("imp_gen: an array of no values"));
            let step = Exp::Const(Scalar::zero(prim));
            let array = self.counted(prim, count, value.clone(), step);
            return self.bind(var, Repr::Array(array));
        }
        if let Repr::Array(row) = &value
            && !row.is_regular()
        {
            let array = self.replicate_irregular(var, count, row);
            return self.bind(var, Repr::Array(array));
        }
        let prim = prim_of(self.ty(var).elem().expect("imp_gen: an array of no values"));
        let mut sizes = vec![count.clone()];
        if let Repr::Array(row) = &value {
            sizes.extend(row.lead.iter().map(|lead| lead.size.clone()));
        }
        let array = self.new_array(var, prim, &sizes, "replicate");
        match (&value, self.at) {
            (Repr::Array(row), Where::Host) => {
                self.replicate_on_device(&array, row);
                return self.bind(var, Repr::Array(array));
            }
            (Repr::Array(row), Where::Group) => {
                self.group_replicate(&array, row);
                return self.bind(var, Repr::Array(array));
            }
            _ => {}
        }
        let count = self.rows_to_fill(count, &sizes[1..]);
        let cost = if sizes.len() > 1 { 64 } else { 1 };
        self.for_each(
            "replicate",
            count,
            cost,
            &[value, Repr::Array(array.clone())],
            &mut |this, i, given| {
                let [value, Repr::Array(array)] = given else {
                    panic!("imp_gen: a replicate into something else")
                };
                this.store_row(array, Exp::Var(i), value);
            },
        );
        self.bind(var, Repr::Array(array));
    }

    /// A loop over `0 .. count` whose iterations are independent; in parallel where that can be worth it.
    pub fn for_each(
        &mut self,
        name: &str,
        count: Exp,
        cost: i64,
        given: &[Repr],
        body: &mut dyn FnMut(&mut Self, norn_ir::imp::Var, &[Repr]),
    ) {
        if self.at == Where::Host {
            return self.for_each_on_device(name, count, given, body);
        }
        if self.at == Where::Group {
            return self.group_for_each(&count, given, body);
        }
        // Within a loop or a kernel the work around is what runs in parallel.
        let few = count.as_i64().is_some_and(|count| count.saturating_mul(cost) < 1 << 16);
        if self.inside_loops > 0 || few {
            let i = self.code.new_i64("i");
            self.code.open();
            body(self, i, given);
            let body = self.code.close();
            return self.code.for_(i, 0, count, LoopForm::Independent, body);
        }
        let (kernel, args) = self.make_kernel(name, &[], given, &mut |this, kernel, given| {
            let i = this.code.new_i64("i");
            this.code.open();
            body(this, i, &given);
            let body = this.code.close();
            this.code.for_(i, kernel.from, kernel.to, LoopForm::Independent, body);
        });
        let site = self.operator_site(name);
        let chunks = Exp::chunks(count.clone(), count.clone().mul(cost));
        let split = norn_ir::imp::Split::Even;
        self.code.push(norn_ir::imp::Stmt::Launch { kernel, args, width: count, chunks, split, site });
    }

    pub fn copy(&mut self, var: Var, value: Var) {
        match self.value(Atom::Var(value)) {
            Repr::Array(array) if array.is_regular() => {
                let sizes: Vec<Exp> = array.lead.iter().map(|lead| lead.size.clone()).collect();
                let copy = self.new_array(var, array.prim, &sizes, "copy");
                let in_parts = !array.is_row_major() || !copy.is_row_major();
                if sizes.len() > 1 && in_parts && matches!(self.at, Where::Cpu | Where::Thread) {
                    self.copy_rows(&copy, &array);
                } else {
                    self.copy_into(&copy, &array);
                }
                self.bind(var, Repr::Array(copy));
            }
            Repr::Array(array) => {
                let copy = self.copy_array(self.name(var), &array, "copy");
                self.bind(var, Repr::Array(copy));
            }
            scalar => self.bind(var, scalar),
        }
    }

    /// As `copy_into`, row by row, in parallel.
    fn copy_rows(&mut self, to: &super::repr::Array, from: &super::repr::Array) {
        let given = [Repr::Array(to.clone()), Repr::Array(from.clone())];
        let cost = 64;
        self.for_each("copy", to.length(), cost, &given, &mut |this, i, given| {
            let [Repr::Array(to), Repr::Array(from)] = given else { panic!("imp_gen: a copy of no array") };
            let (to, from) = (this.place_of_row(to, Exp::Var(i)), this.place_of_row(from, Exp::Var(i)));
            this.copy_into(&to, &from);
        });
    }

    pub fn concat(&mut self, var: Var, operands: &[Var], size: Atom) {
        let arrays: Vec<_> = operands.iter().map(|array| self.array(*array)).collect();
        let size = self.scalar(size);
        if arrays.iter().any(|array| !array.is_regular()) {
            let array = self.concat_irregular(var, &arrays, size);
            return self.bind(var, Repr::Array(array));
        }
        let mut sizes = vec![size];
        sizes.extend(arrays[0].lead[1..].iter().map(|lead| lead.size.clone()));
        operands.iter().for_each(|operand| {
            self.places.remove(operand);
        });
        let (result, parts) = match self.reserved.remove(&var) {
            Some(reserved) => (reserved.array, reserved.parts),
            None => (self.new_array(var, arrays[0].prim, &sizes, "concat"), Default::default()),
        };
        let mut start = Exp::i64(0);
        for (operand, array) in operands.iter().zip(&arrays) {
            let length = array.length();
            if parts.get(operand).is_some_and(|place| place.data.ptr == array.data.ptr) {
                start = self.code.atom("start", start.add(length));
                continue;
            }
            let slice = [At::Slice { start: start.clone(), count: length.clone(), stride: Exp::i64(1) }];
            let Some(Repr::Array(place)) = self.part_of(&result, &slice).pop() else {
                panic!("imp_gen: a slice that is no array")
            };
            self.copy_into(&place, array);
            start = self.code.atom("start", start.add(length));
        }
        self.bind(var, Repr::Array(result));
    }

    pub fn update(&mut self, var: Var, array: Var, slice: &[DimIndex], value: Atom) {
        let array = self.array(array);
        if let Some(place) = value.var().and_then(|value| self.updates_in_place.remove(&value)) {
            value.var().into_iter().for_each(|value| _ = self.places.remove(&value));
            if let Repr::Array(value) = self.value(value)
                && value.data.ptr != place.data.ptr
            {
                self.copy_into(&place, &value);
            }
            return self.bind(var, Repr::Array(array));
        }
        let value = self.value(value);
        let slice: Vec<At> = slice.iter().map(|dim| self.at(dim)).collect();
        if !array.is_regular() {
            let array = self.update_irregular(var, &array, &slice, &value);
            return self.bind(var, Repr::Array(array));
        }
        match value {
            Repr::Scalar(value) => {
                let indices: Vec<Exp> = slice
                    .into_iter()
                    .map(|at| match at {
                        At::Fix(index) => index,
                        At::Slice { .. } => panic!("imp_gen: a scalar for a slice"),
                    })
                    .collect();
                let at = self.element_index(&array, &indices);
                self.put(&array, at, value);
            }
            Repr::Array(value) => {
                let Some(Repr::Array(place)) = self.part_of(&array, &slice).pop() else {
                    panic!("imp_gen: an array for an element")
                };
                self.copy_into(&place, &value);
            }
            Repr::Acc(_) | Repr::Region(_) | Repr::Cert => panic!("imp_gen: an update with no value"),
        }
        self.bind(var, Repr::Array(array));
    }
}

fn is_one(exp: &Exp) -> bool {
    match exp {
        Exp::Const(scalar) => *scalar == norn_ir::scalar::Scalar::from_int(scalar.prim(), 1),
        _ => false,
    }
}
