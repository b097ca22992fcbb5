//! What builds and rearranges arrays, on the way back.

use super::Reverse;
use super::adjoint::{At, Entry};
use crate::writer::width;
use norn_ir::nest::{ArrayExp, Atom, BinOp, Dim, DimIndex, Exp, Lambda, Prim, Stm, Type, Var};

impl Reverse<'_, '_> {
    pub(super) fn array(&mut self, stm: &Stm, exp: &ArrayExp) {
        // Of a row whose length varies, the length comes first.
        let Some(result) = stm.vars.last().copied() else { return };
        match exp {
            ArrayExp::Index { array, slice } => self.index_back(*array, slice, result),
            ArrayExp::Rearrange { array, perm } => self.rearrange_back(*array, perm, result),
            ArrayExp::Coerce { array, dims: _ } => self.coerce_back(*array, result),
            ArrayExp::Copy(array) => {
                let adjoint = self.adjoints.remove(&result).unwrap_or_default();
                self.add_all((*array).into(), adjoint);
            }
            ArrayExp::Update { array, slice, value } => self.update_back(*array, slice, *value, result),
            ArrayExp::FlatUpdate { array, offset, strides, value } => {
                self.flat_update_back(*array, *offset, strides, *value, result);
            }
            ArrayExp::FlatIndex { array, offset, dims } => {
                self.flat_index_back(*array, *offset, dims, result)
            }
            ArrayExp::ArrayLit(_)
            | ArrayExp::Replicate { .. }
            | ArrayExp::Concat { .. }
            | ArrayExp::Reshape { .. }
            | ArrayExp::JoinRows(_)
            | ArrayExp::Segment { .. } => {
                if let Some(weight) = self.take(result) {
                    self.of_dense(exp, weight.value);
                }
            }
            ArrayExp::Range { .. } | ArrayExp::Lengths(_) | ArrayExp::Ends(_) | ArrayExp::AccWrite { .. } => {
                self.drop_adjoints(&stm.vars)
            }
        }
    }

    fn of_dense(&mut self, exp: &ArrayExp, weight: Atom) {
        let Some(weight) = weight.var() else { return };
        match exp {
            ArrayExp::ArrayLit(rows) => {
                for (at, row) in rows.iter().enumerate() {
                    if self.is_active_atom(*row) {
                        let part = self.row(weight, Atom::i64(at as i64));
                        self.add(*row, part, false);
                    }
                }
            }
            ArrayExp::Replicate { count: _, value } => {
                if self.is_active_atom(*value) {
                    let sum = self.w.sum_rows(weight);
                    self.add(*value, sum, true);
                }
            }
            ArrayExp::Concat { arrays, size: _ } => {
                let mut start = Atom::i64(0);
                for array in arrays {
                    let ty = self.w.ty_of(*array);
                    let count = width(&ty);
                    if self.is_active(*array) {
                        let slice = vec![DimIndex::Slice { start, count, stride: Atom::i64(1) }];
                        let part = self.w.emit("part", ty, Exp::index(weight, slice));
                        self.add((*array).into(), part.into(), false);
                    }
                    start = self.w.i64(BinOp::Add, start, count);
                }
            }
            ArrayExp::Reshape { array, old, new } => {
                let ty = self.w.ty_of(*array);
                let dims: Vec<Atom> = ty.dims()[..*old].iter().filter_map(|dim| dim.atom()).collect();
                let part = self.w.emit("adjoint", ty, Exp::reshape(weight, new.len(), dims));
                self.add((*array).into(), part.into(), false);
            }
            ArrayExp::JoinRows(array) => {
                let ty = self.w.ty_of(*array);
                let lengths = self.w.var(*array);
                let lengths = self.w.emit(
                    "lengths",
                    Type::array(Prim::I64, vec![ty.dims()[0]]),
                    Exp::Array(ArrayExp::Lengths(lengths)),
                );
                let part = self.w.emit("adjoint", ty, Exp::segment(lengths, weight));
                self.add((*array).into(), part.into(), false);
            }
            ArrayExp::Segment { lengths: _, array } => {
                let ty = self.w.ty_of(*array);
                let total = self.w.b.new_var("total", Type::i64());
                let mut dims = ty.dims().to_vec();
                dims[0] = Dim::size(total);
                let joined = self.w.b.new_var("adjoint", ty.with_dims(dims));
                self.w.bind_new(vec![total, joined], Exp::Array(ArrayExp::JoinRows(weight)));
                let part = self.w.emit("adjoint", ty.clone(), Exp::coerce(joined, ty.dims().to_vec()));
                self.add((*array).into(), part.into(), false);
            }
            ArrayExp::Index { .. }
            | ArrayExp::Rearrange { .. }
            | ArrayExp::Coerce { .. }
            | ArrayExp::Copy(_)
            | ArrayExp::Update { .. }
            | ArrayExp::FlatIndex { .. }
            | ArrayExp::FlatUpdate { .. }
            | ArrayExp::Range { .. }
            | ArrayExp::Lengths(_)
            | ArrayExp::Ends(_)
            | ArrayExp::AccWrite { .. } => {}
        }
    }

    /// A row, with its length in front if that varies.
    pub(super) fn row(&mut self, array: Var, at: Atom) -> Atom {
        let ty = self.w.b.ty(array).clone();
        let (vars, row) = self.w.row_params(&ty, "row");
        self.w.bind_new(vars, Exp::index(array, vec![DimIndex::Fix(at)]));
        row.into()
    }

    /// What was replaced had no part in the result.
    fn update_back(&mut self, array: Var, slice: &[DimIndex], value: Atom, result: Var) {
        let Some(weight) = self.take(result) else { return };
        let weight_is_owned = weight.owned;
        let Some(weight) = weight.value.var() else { return };
        let slice = self.w.slice(slice);
        let ty = self.w.b.ty(weight).clone();
        if ty.dims().contains(&Dim::Irregular) {
            return self.unsupported("an update of an array whose rows have different lengths");
        }
        let kept = slice.iter().filter_map(|dim| match dim {
            DimIndex::Fix(_) => None,
            DimIndex::Slice { count, .. } => Some(Dim::Size(*count)),
        });
        let part = ty.with_dims(kept.chain(ty.dims()[slice.len()..].iter().copied()).collect());
        let replaced = self.w.emit("part", part.clone(), Exp::index(weight, slice.clone()));
        if self.is_active_atom(value) {
            let replaced = if part.is_array() { self.w.array_copy(replaced) } else { replaced };
            self.add(value, replaced.into(), true);
        }
        if self.is_active(array) {
            let base = if weight_is_owned { weight } else { self.w.array_copy(weight) };
            let value = self.w.zeros(&part);
            let rest = self.w.emit("adjoint", ty, Exp::Array(ArrayExp::Update { array: base, slice, value }));
            self.add(array.into(), rest.into(), true);
        }
    }

    fn flat_update_back(&mut self, array: Var, offset: Atom, strides: &[Atom], value: Var, result: Var) {
        let Some(weight) = self.take(result) else { return };
        let base = self.owned(weight);
        let Some(base) = base.var() else { return };
        let (offset, strides) = (self.w.atom(offset), self.w.atoms(strides));
        let ty = self.w.ty_of(value);
        let counts = ty.dims()[..strides.len()].iter().filter_map(|dim| dim.atom());
        let dims = counts.zip(strides.iter().copied()).collect();
        let part =
            self.w.emit("part", ty.clone(), Exp::Array(ArrayExp::FlatIndex { array: base, offset, dims }));
        let part = self.w.array_copy(part);
        self.add(value.into(), part.into(), true);
        if self.is_active(array)
            && let Some(value) = self.w.zeros(&ty).var()
        {
            let whole = self.w.b.ty(base).clone();
            let update = ArrayExp::FlatUpdate { array: base, offset, strides, value };
            let rest = self.w.emit("adjoint", whole, Exp::Array(update));
            self.add(array.into(), rest.into(), true);
        }
    }

    /// Many entries: `offset + i1 * s1 + i2 * s2 ..`, in the order of the result's elements.
    fn flat_index_back(&mut self, array: Var, offset: Atom, dims: &[(Atom, Atom)], result: Var) {
        let Some(weight) = self.take(result) else { return };
        let Some(weight) = weight.value.var() else { return };
        let offset = self.w.atom(offset);
        let dims: Vec<(Atom, Atom)> = dims.iter().map(|(n, s)| (self.w.atom(*n), self.w.atom(*s))).collect();
        let mut count = Atom::i64(1);
        for (n, _) in &dims {
            count = self.w.i64(BinOp::Mul, count, *n);
        }
        let ty = self.w.b.ty(weight).clone();
        let flat = std::iter::once(Dim::Size(count)).chain(ty.dims()[dims.len()..].iter().copied());
        let flat = ty.with_dims(flat.collect());
        let value = self.w.emit("flat", flat, Exp::reshape(weight, dims.len(), vec![count]));
        let all = self.w.iota(count);
        self.w.b.begin_body();
        let place = self.w.b.new_var("place", Type::i64());
        let mut rest = Atom::Var(place);
        let mut there = offset;
        for (n, stride) in dims.iter().rev() {
            let digit = self.w.bin(BinOp::Rem, Prim::I64, rest, *n);
            let step = self.w.i64(BinOp::Mul, digit, *stride);
            there = self.w.i64(BinOp::Add, there, step);
            rest = self.w.bin(BinOp::Quot, Prim::I64, rest, *n);
        }
        let lambda = Lambda::new(vec![place], self.w.b.end_body(vec![there]));
        let ty = Type::array(Prim::I64, vec![Dim::size(count)]);
        let places = self.w.emit("places", ty, Exp::map(count, vec![all], lambda));
        let at = vec![At::Place(places.into())];
        self.add_entry(array, Entry { at, value: value.into(), count: Some(count), may_miss: false });
    }
}
