//! Building, indexing and rearranging arrays.

use super::{At, Resolver, assign};
use crate::code::{ArrayOp, Fit, Op, Operand, SelectAt, UpdateWords, Use};
use norn_ir::nest::{Atom, Dim, DimIndex, Prim, Sorted, Type, Var};

impl Resolver<'_> {
    pub(super) fn literal(&mut self, rows: &[Atom], at: &mut At) {
        let var = at.stm.vars[0];
        let expected = self.ty(var).row().unwrap_or_else(|| panic!("{} is no array", self.name(var)));
        let mut operands = self.operands(rows, at.live);
        for (operand, row) in operands.iter_mut().zip(rows) {
            let (op, packed) = self.packed(*operand, *row, &expected);
            at.push_all(op);
            *operand = packed;
        }
        at.push_array(ArrayOp::Literal { rows: operands.into(), out: self.out(var) });
    }

    pub(super) fn range(&mut self, prim: Prim, count: Atom, start: Atom, step: Atom, at: &mut At) {
        let dst = self.object(at.stm.vars[0]);
        let (count, start, step) = (self.word_of(count), self.word_of(start), self.word_of(step));
        at.push_array(ArrayOp::Range { dst, prim, count, start, step });
    }

    pub(super) fn replicate(&mut self, count: Atom, value: Atom, at: &mut At) {
        let out = self.out(at.stm.vars[0]);
        let value = self.operand(value, at.live);
        at.push_array(ArrayOp::Replicate { count: self.word_of(count), value, out });
    }

    pub(super) fn index(&mut self, array: Var, slice: &[DimIndex], at: &mut At) {
        let (length, var) = match at.stm.vars[..] {
            [var] => (None, var),
            [length, var] => (Some(self.word(length)), var),
            _ => panic!("an index binds a part, or a length and a row"),
        };
        if let (Some(indices), Type::Value(_, dims)) = (self.fixed(slice), self.ty(array))
            && dims.len() == indices.len()
            && !dims.contains(&Dim::Irregular)
        {
            let (dst, array) = (self.word(var), self.look_at(array, at));
            match indices[..] {
                [index] => at.push(Op::IndexWord { dst, array, index }),
                _ => at.push(Op::IndexWords { dst, array, indices: indices.into() }),
            }
            return;
        }
        let fit = self.needs_fit(array, slice, var).then(|| self.fit(var));
        let selects = self.selects(slice);
        let array = self.use_of(array, at.live);
        at.push_array(ArrayOp::Index { dst: self.place(var), length, array, selects, fit });
    }

    pub(super) fn sort(&mut self, keys: Var, expected: Sorted, at: &mut At) {
        let mut dsts = at.stm.vars.iter().map(|var| self.object(*var));
        let sorted = expected.has_keys().then(|| dsts.next()).flatten();
        let places = expected.has_places().then(|| dsts.next()).flatten();
        let array = self.use_of(keys, at.live);
        at.push_array(ArrayOp::Sort { array, keys: sorted, places });
    }

    pub(super) fn update(&mut self, array: Var, slice: &[DimIndex], value: Atom, at: &mut At) {
        let dst = self.object(at.stm.vars[0]);
        let value = self.operand(value, at.live);
        let dims = self.ty(array).dims();
        if let (Some(indices), Operand::Word(value)) = (self.fixed(slice), value)
            && !dims.contains(&Dim::Irregular)
        {
            let array = self.use_of(array, at.live);
            match indices[..] {
                [index] => at.push(Op::UpdateWord { dst, array, index, value }),
                _ => {
                    let indices = indices.into();
                    at.push(Op::UpdateWords(Box::new(UpdateWords { dst, array, indices, value })));
                }
            }
            return;
        }
        let selects = self.selects(slice);
        let array = self.use_of(array, at.live);
        at.push_array(ArrayOp::Update { dst, array, selects, value });
    }

    /// The indices, if nothing is a slice.
    fn fixed(&mut self, slice: &[DimIndex]) -> Option<Vec<u32>> {
        let index = |dim: &DimIndex| match dim {
            DimIndex::Fix(index) => Some(self.word_of(*index)),
            DimIndex::Slice { .. } => None,
        };
        slice.iter().map(index).collect()
    }

    fn selects(&mut self, slice: &[DimIndex]) -> Box<[SelectAt]> {
        let select = |dim: &DimIndex| match dim {
            DimIndex::Fix(index) => SelectAt::Fix(self.word_of(*index)),
            DimIndex::Slice { start, count, stride } => SelectAt::Slice {
                start: self.word_of(*start),
                count: self.word_of(*count),
                stride: self.word_of(*stride),
            },
        };
        slice.iter().map(select).collect()
    }

    /// Whether what is selected may come in another representation than that of the variable: where a
    /// slice makes `?` a size, and where rows of an irregular array are indexed, of which there may be none.
    fn needs_fit(&self, array: Var, slice: &[DimIndex], var: Var) -> bool {
        let dims = self.ty(array).dims();
        let is_slice = |dim: &DimIndex| matches!(dim, DimIndex::Slice { .. });
        let kept = dims.iter().enumerate().filter(|(i, _)| slice.get(*i).is_none_or(is_slice));
        let kept: Vec<Dim> = kept.map(|(_, dim)| *dim).collect();
        let prefix = dims.iter().position(|dim| *dim == Dim::Irregular).unwrap_or(dims.len());
        let rows_indexed = slice.len() > prefix && slice[..prefix].iter().any(is_slice);
        rows_indexed || !self.same_rows(&kept, self.ty(var).dims())
    }

    /// Whether `?` stands in the same places below the first dimension.
    pub(super) fn same_rows(&self, left: &[Dim], right: &[Dim]) -> bool {
        let irregular =
            |dims: &[Dim]| -> Vec<bool> { dims.iter().skip(1).map(|dim| *dim == Dim::Irregular).collect() };
        irregular(left) == irregular(right)
    }

    pub(super) fn concat(&mut self, arrays: &[Var], at: &mut At) {
        let out = self.out(at.stm.vars[0]);
        let arrays = self.uses(arrays, at.live);
        at.push_array(ArrayOp::Concat { arrays, out });
    }

    pub(super) fn reshape(&mut self, array: Var, old: usize, new: &[Atom], at: &mut At) {
        let dst = self.object(at.stm.vars[0]);
        let new = new.iter().map(|dim| self.word_of(*dim)).collect();
        let array = self.use_of(array, at.live);
        at.push_array(ArrayOp::Reshape { dst, array, old, new });
    }

    pub(super) fn rearrange(&mut self, array: Var, perm: &[usize], at: &mut At) {
        let dst = self.object(at.stm.vars[0]);
        let array = self.use_of(array, at.live);
        at.push_array(ArrayOp::Rearrange { dst, array, perm: perm.into() });
    }

    pub(super) fn coerce(&mut self, array: Var, dims: &[Dim], at: &mut At) {
        let var = at.stm.vars[0];
        let Type::Value(elem, found) = self.ty(array) else { panic!("{} is no array", self.name(array)) };
        let operand = self.use_of(array, at.live);
        if self.same_rows(found, dims) {
            at.push_all(assign(Operand::Object(operand), self.place(var)));
        } else {
            let fit = Fit { dims: self.dims(dims), elem: self.kind(*elem) };
            at.push_array(ArrayOp::Fit { dst: self.object(var), array: operand, fit });
        }
    }

    pub(super) fn flat_index(&mut self, array: Var, offset: Atom, dims: &[(Atom, Atom)], at: &mut At) {
        let dst = self.object(at.stm.vars[0]);
        let (offset, dims) = (self.word_of(offset), self.pairs(dims));
        let array = self.use_of(array, at.live);
        at.push_array(ArrayOp::FlatIndex { dst, array, offset, dims });
    }

    pub(super) fn flat_update(
        &mut self,
        array: Var,
        offset: Atom,
        strides: &[Atom],
        value: Var,
        at: &mut At,
    ) {
        let dst = self.object(at.stm.vars[0]);
        let offset = self.word_of(offset);
        let strides = strides.iter().map(|stride| self.word_of(*stride)).collect();
        let value = self.use_of(value, at.live);
        let array = self.use_of(array, at.live);
        at.push_array(ArrayOp::FlatUpdate { dst, array, offset, strides, value });
    }

    pub(super) fn lengths(&mut self, array: Var, at: &mut At) {
        let dst = self.object(at.stm.vars[0]);
        let array = self.use_of(array, at.live);
        at.push_array(ArrayOp::Lengths { dst, array });
    }

    pub(super) fn ends(&mut self, lengths: Var, at: &mut At) {
        let dst = self.object(at.stm.vars[0]);
        let lengths = self.use_of(lengths, at.live);
        at.push_array(ArrayOp::Ends { dst, lengths });
    }

    pub(super) fn join_rows(&mut self, array: Var, at: &mut At) {
        let (total, out) = (self.word(at.stm.vars[0]), self.out(at.stm.vars[1]));
        let array = self.use_of(array, at.live);
        at.push_array(ArrayOp::JoinRows { total, array, out });
    }

    pub(super) fn segment(&mut self, lengths: Var, array: Var, at: &mut At) {
        let dst = self.object(at.stm.vars[0]);
        let array = self.use_of(array, at.live);
        let lengths = self.use_of(lengths, at.live);
        at.push_array(ArrayOp::Segment { dst, lengths, array });
    }

    /// What makes a value one of the expected type, if that has `?` in place of a size, and the
    /// operand that it is then.
    pub(super) fn packed(&mut self, operand: Operand, atom: Atom, expected: &Type) -> (Option<Op>, Operand) {
        let (Operand::Object(array), Type::Value(elem, dims)) = (operand, expected) else {
            return (None, operand);
        };
        let found = atom.var().map_or(&[][..], |var| self.ty(var).dims());
        if self.same_rows(found, dims) {
            return (None, operand);
        }
        let dst = self.another_object();
        let fit = Fit { dims: self.dims(dims), elem: self.kind(*elem) };
        let op = Op::Array(Box::new(ArrayOp::Fit { dst, array, fit }));
        (Some(op), Operand::Object(Use { place: dst, last: true }))
    }
}

impl At<'_> {
    fn push_array(&mut self, op: ArrayOp) {
        self.push(Op::Array(Box::new(op)));
    }
}
