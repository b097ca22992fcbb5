//! N4 for what builds and rearranges arrays.

use super::scope::Whose;
use super::types::{SOME, agree, packed, with_length};
use super::{Checker, Rule};
use crate::skeleton::{Atom, Dim, DimIndex, Prim, Type, Var};

impl Checker<'_> {
    pub(super) fn array_literal(&mut self, rows: &[Atom], bound: &[Type]) -> Option<Vec<Type>> {
        let Some(first) = rows.first() else {
            // An empty literal can have any type of array.
            return Some(bound.iter().take(1).filter(|ty| ty.is_array()).cloned().collect());
        };
        let ty = packed(&self.atom_ty(*first).array_of(SOME), bound.first());
        for row in rows {
            let found = packed(&self.atom_ty(*row).array_of(SOME), Some(&ty));
            if !found.is_array() || !agree(&found, &ty) {
                let (row, ty) = (self.show(*row), self.show_ty(&ty));
                self.fail(Rule::N4, format!("{row} cannot be a row of an array of type {ty}."));
            }
        }
        Some(vec![ty])
    }

    pub(super) fn range(&mut self, prim: Prim, count: Atom, start: Atom, step: Atom) -> Option<Vec<Type>> {
        if !prim.is_int() {
            self.fail(Rule::N4, format!("There are no ranges of {}.", prim.name()));
        }
        self.size(count);
        self.prim(start, prim);
        self.prim(step, prim);
        Some(vec![Type::array(prim, vec![SOME])])
    }

    pub(super) fn replicate(&mut self, count: Atom, value: Atom) -> Option<Vec<Type>> {
        self.size(count);
        let ty = self.atom_ty(value);
        if ty.elem().is_none() {
            let ty = self.show_ty(&ty);
            self.fail(Rule::N4, format!("There are no arrays of {ty}."));
            return None;
        }
        Some(vec![ty.array_of(SOME)])
    }

    pub(super) fn update(&mut self, array: Var, slice: &[DimIndex], value: Atom) -> Option<Vec<Type>> {
        let part = self.sliced(array, slice)?;
        if let Some(part) = with_length(part).pop() {
            self.operand(value, &part);
        }
        Some(vec![self.ty(array)])
    }

    pub(super) fn concat(&mut self, size: Atom, arrays: &[Var]) -> Option<Vec<Type>> {
        self.size(size);
        let types = self.arrays(arrays)?;
        let Some(first) = types.first() else {
            self.fail(Rule::N4, "`concat` has no operands.");
            return None;
        };
        arrays.iter().for_each(|array| self.operand((*array).into(), first));
        Some(vec![first.clone()])
    }

    pub(super) fn reshape(&mut self, array: Var, old: usize, new: &[Atom]) -> Option<Vec<Type>> {
        self.sizes(new);
        let ty = self.array(array)?;
        let dims = ty.dims();
        if old > dims.len() || dims[..old].contains(&Dim::Irregular) {
            let found = self.show_ty(&ty);
            self.fail(Rule::N4, format!("{old} dimensions of {found} cannot be reshaped."));
            return None;
        }
        let new = new.iter().map(|size| Dim::Size(*size)).chain(dims[old..].iter().copied());
        Some(vec![ty.with_dims(new.collect())])
    }

    pub(super) fn copy(&mut self, array: Var) -> Option<Vec<Type>> {
        let ty = self.ty(array);
        if ty.elem().is_none() {
            let ty = self.show_ty(&ty);
            self.fail(Rule::N4, format!("{ty} cannot be copied."));
        }
        Some(vec![ty])
    }

    pub(super) fn coerce(&mut self, array: Var, dims: &[Dim]) -> Option<Vec<Type>> {
        let ty = self.array(array)?;
        if dims.len() != ty.rank() {
            let ty = self.show_ty(&ty);
            self.fail(Rule::N4, format!("{ty} cannot be coerced to {} dimensions.", dims.len()));
        }
        self.mentioned_dims(dims);
        Some(vec![self.table.irregular(&ty.with_dims(dims.to_vec()))])
    }

    pub(super) fn flat_index(
        &mut self,
        array: Var,
        offset: Atom,
        dims: &[(Atom, Atom)],
    ) -> Option<Vec<Type>> {
        self.size(offset);
        dims.iter().for_each(|(count, stride)| self.sizes(&[*count, *stride]));
        let ty = self.array(array)?;
        Some(vec![flat_view(&ty, dims.len())])
    }

    pub(super) fn flat_update(
        &mut self,
        array: Var,
        offset: Atom,
        strides: &[Atom],
        value: Var,
    ) -> Option<Vec<Type>> {
        self.size(offset);
        self.sizes(strides);
        let ty = self.array(array)?;
        self.operand(value.into(), &flat_view(&ty, strides.len()));
        Some(vec![ty])
    }

    pub(super) fn ends(&mut self, lengths: Var) -> Option<Vec<Type>> {
        let sums = Type::array(Prim::I64, vec![SOME]);
        self.operand(lengths.into(), &sums);
        Some(vec![sums])
    }

    pub(super) fn segment(&mut self, lengths: Var, array: Var) -> Option<Vec<Type>> {
        if !matches!(self.ty(lengths), Type::Seg { .. }) {
            self.operand(lengths.into(), &Type::array(Prim::I64, vec![SOME]));
        }
        let ty = self.array(array)?;
        let mut dims = vec![SOME, Dim::Irregular];
        dims.extend_from_slice(&ty.dims()[1..]);
        Some(vec![ty.with_dims(dims)])
    }

    pub(super) fn acc_write(&mut self, acc: Var, index: Atom, values: &[Atom]) -> Option<Vec<Type>> {
        self.size(index);
        let ty = self.ty(acc);
        let Type::Acc(types) = &ty else {
            let name = self.show(acc);
            self.fail(Rule::N4, format!("{name} is no accumulator."));
            return None;
        };
        let rows: Vec<Type> =
            types.iter().filter_map(|ty| ty.row().and_then(|row| with_length(row).pop())).collect();
        self.operands(values, &rows, "The values of `acc_write`");
        Some(vec![ty])
    }

    /// The type of a part of an array. Its first dimension may be `?`.
    pub(crate) fn sliced(&mut self, array: Var, slice: &[DimIndex]) -> Option<Type> {
        for dim in slice {
            match dim {
                DimIndex::Fix(index) => self.size(*index),
                DimIndex::Slice { start, count, stride } => self.sizes(&[*start, *count, *stride]),
            }
        }
        let ty = self.array(array)?;
        let dims = ty.dims();
        if slice.len() > dims.len() {
            let found = self.show_ty(&ty);
            self.fail(Rule::N4, format!("{found} is indexed in {} dimensions.", slice.len()));
            return None;
        }
        let kept = slice.iter().filter(|dim| matches!(dim, DimIndex::Slice { .. })).map(|_| SOME);
        Some(ty.with_dims(kept.chain(dims[slice.len()..].iter().copied()).collect()))
    }

    pub(super) fn rearrange(&mut self, array: Var, perm: &[usize]) -> Option<Vec<Type>> {
        let ty = self.array(array)?;
        let dims = ty.dims();
        let mut sorted = perm.to_vec();
        sorted.sort_unstable();
        if perm.len() > dims.len() || !sorted.iter().copied().eq(0..perm.len()) {
            let found = self.show_ty(&ty);
            self.fail(Rule::N4, format!("{perm:?} is no permutation of dimensions of {found}."));
            return None;
        }
        // What lies between dimensions that change places depends on them.
        let moved: Vec<usize> = (0..perm.len()).filter(|i| perm[*i] != *i).collect();
        if let (Some(first), Some(last)) = (moved.first(), moved.last())
            && dims[*first..=*last].contains(&Dim::Irregular)
        {
            let found = self.show_ty(&ty);
            self.fail(Rule::N4, format!("{perm:?} moves a `?` of {found}."));
            return None;
        }
        let new = perm.iter().map(|i| dims[*i]).chain(dims[perm.len()..].iter().copied());
        Some(vec![ty.with_dims(new.collect())])
    }

    /// The type of an array whose rows differ in length.
    pub(super) fn irregular(&mut self, array: Var) -> Option<Type> {
        let ty = self.array(array)?;
        if !ty.has_irregular_rows() {
            let (name, ty) = (self.show(array), self.show_ty(&ty));
            self.fail(Rule::N4, format!("{name} has type {ty}, but irregular rows are expected."));
            return None;
        }
        Some(ty)
    }

    pub(super) fn mentioned_dims(&mut self, dims: &[Dim]) {
        if dims.first() == Some(&Dim::Irregular) {
            self.fail(Rule::N6, "The outermost of the dimensions that an expression mentions is `?`.");
        }
        dims.iter().enumerate().for_each(|(place, dim)| self.dim_at(place, *dim, Whose::Expression));
    }
}

/// A view with this many dimensions in place of the first one.
fn flat_view(ty: &Type, rank: usize) -> Type {
    let rest = ty.dims().iter().skip(1).copied();
    ty.with_dims(std::iter::repeat_n(SOME, rank).chain(rest).collect())
}
