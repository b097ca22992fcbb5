//! What reductions and scans have combined so far.
//!
//! A scalar is in a variable. An array of a fixed shape is in one of two buffers, which change their roles with each step, or
//! in one if the operator can write over its operand: nothing is allocated from step to step. An array whose sizes change
//! is whatever the last step has yielded.

use super::elementwise::{is_elementwise, primitive_columns};
use crate::imp_gen::repr::{Array, Part, Repr, prim_of};
use crate::imp_gen::state::{Gen, part_elems};
use norn_ir::imp::{Accumulator, Exp, Type, Var as ImpVar};
use norn_ir::nest::{Atom, Dim, Lambda, Reduction, Var};

/// The columns that an operator combines.
pub struct Accs {
    pub columns: Vec<Column>,
}

#[allow(clippy::large_enum_variant)] // There are few, and they do not live long.
pub enum Column {
    Scalar(ImpVar),
    /// The next value is computed in the other buffer, or in the same if there is no other. Pointers and blocks are
    /// variables if there are two.
    Buffer {
        current: Array,
        next: Option<Array>,
    },
    /// The row of an output that was written last, row-major. Its pointer is a variable.
    Written(Array),
    /// Blocks that are owned here. Pointers and blocks are variables.
    Varying(Array),
}

/// Where arrays of a fixed shape are accumulated.
pub enum AccHome<'a> {
    /// In memory of their own. The last value should be computed in the places of these variables, if they have places.
    Buffers(Option<&'a [Var]>),
    /// In rows of outputs, which are handed to each step.
    Outputs,
}

impl Accs {
    /// What has been combined, borrowed. Buffers will be overwritten, so nobody can keep them.
    pub fn values(&self) -> Vec<Repr> {
        let value = |column: &Column| match column {
            Column::Scalar(var) => Repr::Scalar((*var).into()),
            Column::Buffer { current: array, next: _ } | Column::Written(array) => Repr::Array(lent(array)),
            Column::Varying(array) => Repr::Array(array.clone()),
        };
        self.columns.iter().map(value).collect()
    }
}

/// The same array, as memory of somebody else.
pub fn lent(array: &Array) -> Array {
    let mut array = array.clone();
    for part in array.parts_mut() {
        *part = Part::lent(part.ptr.clone());
    }
    array
}

impl Gen<'_> {
    /// Accumulators for an operator, without values yet.
    pub fn new_accs(&mut self, op: &Lambda, home: AccHome) -> Accs {
        let params = &op.params[..op.params.len() / 2];
        let mut columns = Vec::with_capacity(params.len());
        for (at, param) in params.iter().enumerate() {
            let (ty, name) = (self.ty(*param), self.name(*param));
            let prim = prim_of(ty.elem().expect("imp_gen: an accumulator of no value"));
            let column = if ty.is_scalar() {
                let var = self.code.new_var(name, Type::Scalar(prim));
                // It may be the size of the row behind it.
                self.env.insert(*param, Repr::Scalar(var.into()));
                Column::Scalar(var)
            } else if self.is_varying(params, at) {
                let sizes = self.sizes(ty.dims());
                let elems = part_elems(ty).into_iter();
                let parts = elems.map(|elem| {
                    let ptr = self.code.new_var(name, Type::Ptr(elem));
                    Part::borrowed(ptr.into(), self.code.new_var(name, Type::Block).into())
                });
                let parts = parts.collect();
                Column::Varying(self.array_of_parts(ty, &sizes, parts))
            } else {
                let sizes: Vec<Exp> = self.sizes(ty.dims()).into_iter().flatten().collect();
                let in_place = is_elementwise(self.fun, &op.body, *param, op.body.result[at]);
                match home {
                    AccHome::Outputs => {
                        let ptr = self.code.new_var(name, Type::ptr(prim));
                        Column::Written(self.row_major(prim, &sizes, Part::lent(ptr.into())))
                    }
                    AccHome::Buffers(Some(vars)) if in_place => {
                        let current = self.new_array(vars[at], prim, &sizes, "reduce");
                        Column::Buffer { current, next: None }
                    }
                    AccHome::Buffers(_) => {
                        let current = self.new_array_named(name, prim, &sizes, "reduce");
                        let next = (!in_place).then(|| self.new_array_named(name, prim, &sizes, "reduce"));
                        Column::Buffer { current, next }
                    }
                }
            };
            columns.push(column);
        }
        Accs { columns }
    }

    /// Accumulators that have the neutral element.
    pub fn neutral_accs(&mut self, op: &Reduction, home: AccHome) -> Accs {
        let accs = self.new_accs(&op.lambda, home);
        let neutral: Vec<Repr> = op.neutral.iter().map(|atom| self.value(*atom)).collect();
        self.set_accs(&accs, &neutral);
        accs
    }

    /// Give accumulators, which had no value before, this one.
    pub fn set_accs(&mut self, accs: &Accs, values: &[Repr]) {
        for (column, value) in accs.columns.iter().zip(values) {
            match (column, value) {
                (Column::Scalar(var), Repr::Scalar(exp)) => self.code.set(*var, exp.clone()),
                (Column::Buffer { current, next: _ }, Repr::Array(array)) => self.copy_into(current, array),
                (Column::Written(current), Repr::Array(array)) => {
                    let row = self.in_row_major(array.clone());
                    self.code.set(var_of(&current.data.ptr), row.data.ptr);
                }
                (Column::Varying(current), Repr::Array(array)) => {
                    let kept = array.is_row_major() && array.parts().all(Part::can_be_kept);
                    let array =
                        if kept { array.clone() } else { self.copy_array("neutral", array, "reduce") };
                    for (to, from) in current.parts().zip(array.parts()) {
                        self.code.retain(from.block.clone());
                        self.code.set(var_of(&to.ptr), from.ptr.clone());
                        self.code.set(var_of(&to.block), from.block.clone());
                    }
                }
                (Column::Scalar(_) | Column::Buffer { .. } | Column::Written(_) | Column::Varying(_), _) => {
                    panic!("imp_gen: an accumulator of another kind in {}", self.fun.name)
                }
            }
        }
    }

    /// One step: what there is, combined with these values. `rows` has the places of the next values that are written to
    /// outputs.
    pub fn combine(&mut self, op: &Lambda, accs: &Accs, values: &[Repr], rows: &[Option<Array>]) {
        if let Some(operators) = primitive_columns(op) {
            for ((column, value), (op, prim)) in accs.columns.iter().zip(values).zip(operators) {
                let (Column::Scalar(acc), Repr::Scalar(value)) = (column, value) else {
                    panic!("imp_gen: a primitive operator on arrays in {}", self.fun.name)
                };
                self.code.set(*acc, Exp::bin(op, prim, *acc, value.clone()));
            }
            return;
        }
        let mut args = accs.values();
        args.extend_from_slice(values);
        let places: Vec<Option<Array>> =
            accs.columns.iter().enumerate().map(|(at, column)| column.place(rows.get(at))).collect();
        let targets: Vec<(Atom, Option<Array>)> =
            op.body.result.iter().copied().zip(places.iter().cloned()).collect();
        let mut sets: Vec<(ImpVar, Exp)> = Vec::new();
        let mut released: Vec<Exp> = Vec::new();
        self.apply(op, args, &targets, &mut |this| {
            for ((column, atom), place) in accs.columns.iter().zip(&op.body.result).zip(&places) {
                if let Some(place) = place {
                    this.deliver(*atom, place);
                }
                match column {
                    Column::Scalar(var) => sets.push((*var, this.scalar(*atom))),
                    Column::Buffer { current: _, next: None } => {}
                    Column::Buffer { current, next: Some(next) } => {
                        for (to, from) in [(current, next), (next, current)] {
                            sets.push((var_of(&to.data.ptr), from.data.ptr.clone()));
                            sets.push((var_of(&to.data.block), from.data.block.clone()));
                        }
                    }
                    Column::Written(current) => {
                        let place = place.as_ref().expect("imp_gen: a scan without a place for its row");
                        sets.push((var_of(&current.data.ptr), place.data.ptr.clone()));
                    }
                    Column::Varying(current) => {
                        let Repr::Array(kept) = this.keep(*atom) else {
                            panic!("imp_gen: an accumulator of another kind in {}", this.fun.name)
                        };
                        for (to, from) in current.parts().zip(kept.parts()) {
                            released.push(to.block.clone());
                            sets.push((var_of(&to.ptr), from.ptr.clone()));
                            sets.push((var_of(&to.block), from.block.clone()));
                        }
                    }
                }
            }
        });
        released.into_iter().for_each(|block| self.code.release(block));
        self.assign(sets);
    }

    /// The variables are what was combined.
    pub fn bind_accs(&mut self, vars: &[Var], accs: Accs) {
        for (var, column) in vars.iter().zip(accs.columns) {
            let value = match column {
                Column::Scalar(var) => Repr::Scalar(var.into()),
                Column::Buffer { current, next: _ } => Repr::Array(current),
                Column::Written(array) => {
                    let array = self.copy_array(self.name(*var), &array, "reduce");
                    Repr::Array(array)
                }
                Column::Varying(array) => Repr::Array(self.own_array(array)),
            };
            self.bind(*var, value);
        }
    }

    /// What has to be released is, of accumulators that are not bound.
    pub fn drop_accs(&mut self, accs: &Accs) {
        for column in &accs.columns {
            match column {
                Column::Varying(array) => {
                    array.parts().for_each(|part| self.code.release(part.block.clone()));
                }
                Column::Scalar(_) | Column::Buffer { .. } | Column::Written(_) => {}
            }
        }
    }

    // # Accumulators in memory, one for each chunk

    pub fn new_partials(&mut self, op: &Lambda, chunks: &Exp) -> Vec<Array> {
        let mut partials = Vec::new();
        for param in &op.params[..op.params.len() / 2] {
            let ty = self.ty(*param);
            let mut sizes = vec![chunks.clone()];
            sizes.extend(self.sizes(ty.dims()).into_iter().flatten());
            let prim = prim_of(ty.elem().expect("imp_gen: an accumulator of no value"));
            partials.push(self.new_array_named("partial", prim, &sizes, "reduce"));
        }
        partials
    }

    pub fn store_partial(&mut self, partials: &[Array], chunk: &Exp, values: &[Repr]) {
        for (partial, value) in partials.iter().zip(values) {
            self.store_row(partial, chunk.clone(), value);
        }
    }

    pub fn partial_at(&mut self, partials: &[Array], chunk: &Exp) -> Vec<Repr> {
        partials.iter().flat_map(|partial| self.row_at(partial, chunk)).collect()
    }

    // # What is known about operators

    /// Whether the sizes of an array among these columns change from step to step.
    fn is_varying(&self, params: &[Var], at: usize) -> bool {
        let dims = self.ty(params[at]).dims();
        dims.contains(&Dim::Irregular) || (at > 0 && self.is_length(params, at - 1))
    }

    /// Whether a column is the length of the row behind it.
    pub fn is_length(&self, params: &[Var], at: usize) -> bool {
        let Some(row) = params.get(at + 1) else { return false };
        self.ty(*row).dims().first().and_then(|dim| dim.atom()) == Some(params[at].into())
    }

    pub fn has_varying(&self, op: &Lambda) -> bool {
        let params = &op.params[..op.params.len() / 2];
        (0..params.len()).any(|at| self.is_varying(params, at))
    }
}

/// As a loop has to know them, if the operator allows any order.
pub fn accumulators(op: &Lambda, accs: &Accs) -> Option<Vec<Accumulator>> {
    let operators = primitive_columns(op)?;
    let accumulator = |(column, (op, prim)): (&Column, _)| match column {
        Column::Scalar(var) => Some(Accumulator { var: *var, op, prim, neutral: op.neutral(prim)? }),
        Column::Buffer { .. } | Column::Written(_) | Column::Varying(_) => None,
    };
    accs.columns.iter().zip(operators).map(accumulator).collect()
}

impl Column {
    /// Where the next value should be computed.
    fn place(&self, row: Option<&Option<Array>>) -> Option<Array> {
        match self {
            Column::Scalar(_) | Column::Varying(_) => None,
            Column::Buffer { current, next } => Some(lent(next.as_ref().unwrap_or(current))),
            Column::Written(_) => row.cloned().flatten(),
        }
    }
}

fn var_of(exp: &Exp) -> ImpVar {
    match exp {
        Exp::Var(var) => *var,
        _ => panic!("imp_gen: an accumulator that is no variable"),
    }
}
