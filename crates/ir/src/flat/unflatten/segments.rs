//! Descriptors, which are arrays of lengths here.

use super::{Code, Unflatten};
use crate::flat::{Dim, Fact, Type, Var};
use crate::nest::{self, Operator};
use crate::scalar::{BinOp, Prim};
use crate::skeleton::{ArrayExp, Atom, DimIndex, ScalarExp};

impl Unflatten<'_> {
    pub(super) fn describe(&mut self, lengths: Var, vars: &[Var], code: &mut Code) {
        let [total, descriptor] = vars else { return };
        code.bind(vec![*descriptor], nest::Exp::Array(ArrayExp::Copy(lengths)));
        self.sum(*descriptor, BinOp::Add, *total, code);
    }

    /// All of an array of i64 combined; 0 if it is empty.
    pub(super) fn sum(&mut self, array: Var, op: BinOp, into: Var, code: &mut Code) {
        let width = self.width_of(array);
        let (a, b) = (self.new_var("a", Type::i64()), self.new_var("b", Type::i64()));
        let mut inner = code.inner();
        let c = self.bin(op, a.into(), b.into(), &mut inner);
        let lambda = nest::Lambda { params: vec![a, b], body: inner.end(vec![c]) };
        let op = nest::Reduction { lambda, neutral: vec![Atom::i64(0)], commutative: true };
        code.bind(vec![into], nest::Exp::Op(Operator::Reduce { width, op, inputs: vec![array] }));
    }

    /// The outermost size of an array.
    pub(super) fn width_of(&self, array: Var) -> Atom {
        self.ty(array).dims().first().and_then(|dim| dim.atom()).unwrap_or(Atom::i64(0))
    }

    /// An operator on two numbers.
    pub(super) fn bin(&mut self, op: BinOp, x: Atom, y: Atom, code: &mut Code) -> Atom {
        let result = op.result(Prim::I64).unwrap_or(Prim::I64);
        let exp = nest::Exp::Scalar(ScalarExp::Bin(op, Prim::I64, x, y));
        self.emit("x", Type::scalar(result), exp, code).into()
    }

    pub(super) fn iota(&mut self, width: Atom, code: &mut Code) -> Var {
        self.emit("is", Type::array(Prim::I64, vec![Dim::Size(width)]), nest::Exp::iota(width), code)
    }

    /// An element of an array of i64.
    pub(super) fn length(&mut self, lengths: Var, row: Atom, code: &mut Code) -> Atom {
        let exp = ArrayExp::Index { array: lengths, slice: vec![DimIndex::Fix(row)] };
        self.array_exp("l", Type::i64(), exp, code).into()
    }

    pub(super) fn rows(&mut self, array: Var, starts: Var, lengths: Var, vars: &[Var], code: &mut Code) {
        let width = self.width_of(lengths);
        let (start, length) = (self.new_var("start", Type::i64()), self.new_var("l", Type::i64()));
        let mut row = code.inner();
        let elem = self.ty(array).row().unwrap_or(Type::Cert);
        let j = self.new_var("j", Type::i64());
        let mut inner = row.inner();
        let at = self.bin(BinOp::Add, start.into(), j.into(), &mut inner);
        let value = self.element(array, &[at], elem.clone(), &mut inner);
        let lambda = nest::Lambda { params: vec![j], body: inner.end(vec![value]) };
        let is = self.iota(length.into(), &mut row);
        let map = Operator::Map { width: length.into(), inputs: vec![is], lambda };
        let ty = elem.array_of(Dim::size(length));
        let result = self.emit("row", ty, nest::Exp::Op(map), &mut row);
        let lambda = nest::Lambda { params: vec![start, length], body: row.end(vec![result.into()]) };
        let map = Operator::Map { width, inputs: vec![starts, lengths], lambda };
        code.bind(vars.to_vec(), nest::Exp::Op(map));
    }

    /// An element, or a row, of which the length comes in front if it varies.
    pub(super) fn element(&mut self, array: Var, at: &[Atom], ty: Type, code: &mut Code) -> Atom {
        let slice = at.iter().map(|index| DimIndex::Fix(*index)).collect();
        let exp = nest::Exp::Array(ArrayExp::Index { array, slice });
        if ty.dims().first() != Some(&Dim::Irregular) {
            return self.emit("x", ty, exp, code).into();
        }
        let length = self.new_var("l", Type::i64());
        let dims = std::iter::once(Dim::size(length)).chain(ty.dims()[1..].iter().copied());
        let row = self.new_var("row", ty.with_dims(dims.collect()));
        code.bind(vec![length, row], exp);
        row.into()
    }

    pub(super) fn fact(&mut self, fact: Fact, lengths: Var, vars: &[Var], code: &mut Code) {
        let [var] = vars else { return };
        match fact {
            Fact::Number => {
                let count = self.width_of(lengths);
                code.bind(vec![*var], nest::Exp::Scalar(ScalarExp::Atom(count)));
            }
            Fact::Total => self.sum(lengths, BinOp::Add, *var, code),
            Fact::Longest => self.sum(lengths, BinOp::Max, *var, code),
            Fact::Nonempty => {
                let one = |unflatten: &mut Self, length: Atom, inner: &mut Code| {
                    unflatten.bin(BinOp::Min, length, Atom::i64(1), inner)
                };
                let ones = self.map_lengths(lengths, one, code);
                self.sum(ones, BinOp::Add, *var, code);
            }
        }
    }

    /// An i64 of each length.
    fn map_lengths(
        &mut self,
        lengths: Var,
        each: impl FnOnce(&mut Self, Atom, &mut Code) -> Atom,
        code: &mut Code,
    ) -> Var {
        let width = self.width_of(lengths);
        let length = self.new_var("l", Type::i64());
        let mut inner = code.inner();
        let result = each(self, length.into(), &mut inner);
        let lambda = nest::Lambda { params: vec![length], body: inner.end(vec![result]) };
        let map = Operator::Map { width, inputs: vec![lengths], lambda };
        let ty = self.ty(lengths);
        self.emit("xs", ty, nest::Exp::Op(map), code)
    }

    /// Where each row ends.
    fn ends(&mut self, lengths: Var, code: &mut Code) -> Var {
        let (a, b) = (self.new_var("a", Type::i64()), self.new_var("b", Type::i64()));
        let mut inner = code.inner();
        let c = self.bin(BinOp::Add, a.into(), b.into(), &mut inner);
        let lambda = nest::Lambda { params: vec![a, b], body: inner.end(vec![c]) };
        let op = nest::Reduction { lambda, neutral: vec![Atom::i64(0)], commutative: true };
        let (width, ty) = (self.width_of(lengths), self.ty(lengths));
        self.emit("ends", ty, nest::Exp::Op(Operator::Scan { width, op, inputs: vec![lengths] }), code)
    }

    /// As many rows end at or before the element as there are rows before its own.
    pub(super) fn owner(&mut self, lengths: Var, element: Atom, vars: &[Var], code: &mut Code) {
        let [var] = vars else { return };
        let ends = self.ends(lengths, code);
        let passed = |unflatten: &mut Self, end: Atom, inner: &mut Code| {
            let passed = unflatten.bin(BinOp::Le, end, element, inner);
            let value =
                nest::Exp::Scalar(ScalarExp::Convert { from: Prim::Bool, to: Prim::I64, value: passed });
            unflatten.emit("x", Type::i64(), value, inner).into()
        };
        let passed = self.map_lengths(ends, passed, code);
        self.sum(passed, BinOp::Add, *var, code);
    }

    /// A row begins where it ends, less its length.
    pub(super) fn offset(&mut self, lengths: Var, row: Atom, vars: &[Var], code: &mut Code) {
        let ends = self.ends(lengths, code);
        let (end, length) = (self.length(ends, row, code), self.length(lengths, row, code));
        code.bind(vars.to_vec(), nest::Exp::Scalar(ScalarExp::Bin(BinOp::Sub, Prim::I64, end, length)));
    }
}
