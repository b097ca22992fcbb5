//! Whole irregular arrays: an operation on one is an operation on the lengths of its rows, and one on all elements.

use super::Elements;
use super::rows::i64s;
use crate::place::able::replaces_rows;
use norn_ir::nest::{ArrayExp, Atom, BinOp, Body, Dim, DimIndex, Exp, Lambda, Prim, Stm, Type, Var};

impl Elements {
    /// Whether the statement has been replaced.
    pub fn whole_array(&mut self, stm: &Stm) -> bool {
        let [var] = stm.vars[..] else { return false };
        let ty = self.names.ty(var).clone();
        if ty.elem().is_none() {
            return false;
        }
        let irregular = ty.has_irregular_rows();
        match &stm.exp {
            Exp::Array(ArrayExp::Copy(array)) if irregular => {
                let (_, all) = self.joined(*array);
                let lengths = self.lengths_of(*array);
                let (name, ty) = (self.names.name(var), self.names.ty(all).clone());
                let copy = self.names.fresh(&name, ty);
                self.statement(self.stm(vec![copy], Exp::copy(all)));
                self.segment(var, lengths, copy);
            }
            Exp::Array(ArrayExp::Concat { arrays, size }) if irregular => {
                let lengths: Vec<Var> = arrays.iter().map(|array| self.lengths_of(*array)).collect();
                let lengths = self.emit(
                    "lengths",
                    i64s(*size),
                    Exp::Array(ArrayExp::Concat { arrays: lengths, size: *size }),
                );
                let parts: Vec<(Atom, Var)> = arrays.iter().map(|array| self.joined(*array)).collect();
                let all = self.one_after_the_other(&ty, &parts);
                self.segment(var, lengths, all);
            }
            Exp::Array(ArrayExp::ArrayLit(rows)) if irregular => {
                let rows: Option<Vec<Var>> = rows.iter().map(|row| row.var()).collect();
                let Some(rows) = rows else { return false };
                let length = |row: &Var| self.names.ty(*row).dims()[0].atom();
                let Some(lengths) = rows.iter().map(length).collect::<Option<Vec<Atom>>>() else {
                    return false;
                };
                let count = ty.dims()[0].atom().unwrap_or(Atom::i64(0));
                let parts: Vec<(Atom, Var)> = lengths.iter().copied().zip(rows).collect();
                let lengths = self.emit("lengths", i64s(count), Exp::array(lengths));
                let all = self.one_after_the_other(&ty, &parts);
                self.segment(var, lengths, all);
            }
            Exp::Array(ArrayExp::Index { array, slice }) if irregular => {
                let [DimIndex::Slice { start, count, stride }] = slice[..] else { return false };
                if stride == Atom::i64(1) {
                    return false;
                }
                return self.every_other_row(stm, *array, [start, count, stride]);
            }
            Exp::Array(ArrayExp::Update { array, slice, value: Atom::Var(value) })
                if replaces_rows(&self.names.vars, *array, slice) =>
            {
                return self.replace_rows(stm, *array, &slice[0].clone(), *value);
            }
            Exp::Array(ArrayExp::Coerce { array, dims: _ }) => return self.coerce(var, &ty, *array),
            _ => return false,
        }
        true
    }

    /// The elements of all rows of an array of this type, in these parts.
    fn one_after_the_other(&mut self, ty: &Type, parts: &[(Atom, Var)]) -> Var {
        let mut total = Atom::i64(0);
        for (number, (size, _)) in parts.iter().enumerate() {
            total = match number {
                0 => *size,
                _ => self.emit("total", Type::i64(), Exp::bin(BinOp::Add, Prim::I64, total, *size)).into(),
            };
        }
        let all = ty.with_dims([&[Dim::Size(total)], &ty.dims()[2..]].concat());
        let var = self.names.fresh("all", all);
        let exp = match parts {
            [] => Exp::array(Vec::new()),
            _ => Exp::Array(ArrayExp::Concat {
                arrays: parts.iter().map(|(_, array)| *array).collect(),
                size: total,
            }),
        };
        self.statement(self.stm(vec![var], exp));
        var
    }

    /// Rows that are not neighbours, or in another order: a map over their numbers.
    fn every_other_row(&mut self, stm: &Stm, array: Var, [start, count, stride]: [Atom; 3]) -> bool {
        let numbers = Exp::Array(ArrayExp::Range { prim: Prim::I64, count, start, step: stride });
        let numbers = self.emit("numbers", i64s(count), numbers);
        let number = self.names.fresh("number", Type::i64());
        let row = self.names.row_params(array);
        let result = row[1].into();
        let taken = Stm::new(row, Exp::index(array, vec![DimIndex::Fix(number.into())]), self.span);
        let lambda = Lambda::new(vec![number], Body { stms: vec![taken], result: vec![result] });
        let map = Stm { exp: Exp::map(count, vec![numbers], lambda), ..stm.clone() };
        self.statement(map);
        true
    }

    /// Rows of one length become such as may have several, or the reverse.
    fn coerce(&mut self, var: Var, ty: &Type, array: Var) -> bool {
        let old = self.names.ty(array).clone();
        let (from, to) = (old.dims(), ty.dims());
        // Level by level, the inner ones first.
        if let ([rows, length, more @ ..], [_, Dim::Irregular, inner @ ..]) = (from, to)
            && let (Some(rows), Some(length)) = (rows.atom(), length.atom())
            && !more.is_empty()
            && !more.contains(&Dim::Irregular)
            && inner.contains(&Dim::Irregular)
        {
            let total = Exp::bin(BinOp::Mul, Prim::I64, rows, length);
            let total = self.emit("total", Type::i64(), total);
            let joined = ty.with_dims([&[Dim::size(total)], more].concat());
            let joined = self.emit("rows", joined, Exp::reshape(array, 2, vec![total.into()]));
            let inner = [&[Dim::size(total)], inner].concat();
            let all = self.names.fresh("rows", ty.with_dims(inner.clone()));
            self.statement(self.stm(vec![all], Exp::coerce(joined, inner)));
            let lengths = self.emit("lengths", i64s(rows), Exp::replicate(rows, length));
            self.segment(var, lengths, all);
            return true;
        }
        if from.len() < 2 || Dim::same_pattern(from, to) {
            return false;
        }
        // Dimensions in front of the one that changes count rows, as a single one does.
        let outer = from.iter().zip(to).take_while(|(from, to)| from.atom().is_some() && to.atom().is_some());
        let outer = outer.count();
        if outer > 1 {
            let Some(counts) = to[..outer].iter().map(|dim| dim.atom()).collect::<Option<Vec<Atom>>>() else {
                return false;
            };
            let count = counts[1..].iter().fold(counts[0], |count, more| {
                self.emit("count", Type::i64(), Exp::bin(BinOp::Mul, Prim::I64, count, *more)).into()
            });
            let rows = old.with_dims([&[Dim::Size(count)], &from[outer..]].concat());
            let rows = self.emit("rows", rows, Exp::reshape(array, outer, vec![count]));
            let dims = [&[Dim::Size(count)], &to[outer..]].concat();
            let changed = self.names.fresh("rows", ty.with_dims(dims.clone()));
            self.statement(self.stm(vec![changed], Exp::coerce(rows, dims)));
            self.bind(vec![var], Exp::reshape(changed, 1, counts));
            return true;
        }
        let name = self.names.name(var);
        let rest = &to[2..];
        let same_rest = Dim::same_pattern(&from[2..], rest);
        let sizes = |dims: &[Dim]| -> Option<(Atom, Atom)> { Some((dims[0].atom()?, dims[1].atom()?)) };
        match (sizes(from), sizes(to)) {
            (Some((rows, length)), None) if same_rest => {
                let exp = Exp::replicate(rows, length);
                let lengths = self.emit("lengths", i64s(rows), exp);
                let exp = Exp::bin(BinOp::Mul, Prim::I64, rows, length);
                let total: Atom = self.emit("total", Type::i64(), exp).into();
                let all = ty.with_dims([&[Dim::Size(total)], rest].concat());
                let all = self.emit(&name, all, Exp::reshape(array, 2, vec![total]));
                self.segment(var, lengths, all);
            }
            (None, Some((rows, length))) => {
                let all = self.inner_coerced(&name, ty, array, rest);
                self.bind(vec![var], Exp::reshape(all, 1, vec![rows, length]));
            }
            (None, None) if !same_rest => {
                let lengths = self.lengths_of(array);
                let all = self.inner_coerced(&name, ty, array, rest);
                self.segment(var, lengths, all);
            }
            (Some(_), Some(_) | None) | (None, None) => return false,
        }
        true
    }

    /// The rows of an array, one after the other, with inner dimensions of these sizes.
    fn inner_coerced(&mut self, name: &str, ty: &Type, array: Var, rest: &[Dim]) -> Var {
        let (total, all) = self.joined(array);
        let dims = [&[Dim::Size(total)], rest].concat();
        let coerced = self.names.fresh(name, ty.with_dims(dims.clone()));
        self.statement(self.stm(vec![coerced], Exp::coerce(all, dims)));
        coerced
    }
}
