//! Statements that consume arrays: updates, scatter, histograms.

use super::scope::{is_regular, prim_of, width};
use super::{Facts, Gen};
use norn_ir::nest::{ArrayExp, Atom, BinOp, Check, Dim, DimIndex, Exp, Lambda, Operator, Prim, Type, Var};

impl Gen {
    pub(super) fn write_stm(&mut self) -> Option<()> {
        match self.rng.below(5) {
            0 | 1 => self.update(),
            2 => self.scatter(),
            3 => self.hist(),
            _ => self.flat_update(),
        }
    }

    /// A regular array that may be overwritten; a copy if there is none.
    pub(super) fn destination(&mut self) -> Option<Var> {
        let own = self.all(|ty, _| is_regular(ty));
        let own: Vec<Var> = own.into_iter().filter(|var| self.can_consume(*var)).collect();
        if let Some(var) = self.pick(&own)
            && !self.one_in(4)
        {
            return Some(var);
        }
        let array = self.some(|ty, _| is_regular(ty))?;
        Some(self.copy(array))
    }

    /// A value that shares no memory with what is about to be consumed.
    pub(super) fn apart(&mut self, value: Atom, from: Var) -> Atom {
        match value.var() {
            Some(var) if self.ty(var).is_array() && self.shares(var, from) => self.copy(var).into(),
            Some(_) | None => value,
        }
    }

    /// The consumed array under its new name.
    fn written(&mut self, array: Var, exp: Exp) -> Var {
        self.consume(array);
        self.rewritten(array, exp)
    }

    /// Of an element, a row, or a whole array by itself; where there is one.
    fn update(&mut self) -> Option<()> {
        let array = self.destination()?;
        let ty = self.ty(array);
        let n = width(&ty);
        if self.one_in(4) {
            let value = self.value(&ty);
            let value = self.apart(value, array);
            let slice = vec![DimIndex::whole(n)];
            self.rely(Check::Slice { start: Atom::i64(0), count: n, stride: Atom::i64(1), length: n });
            self.written(array, Exp::Array(ArrayExp::Update { array, slice, value }));
            return Some(());
        }
        let row = ty.row()?;
        let value = self.value(&row);
        let value = self.apart(value, array);
        let cond = self.emit("some", Type::bool(), Exp::bin(BinOp::Lt, Prim::I64, Atom::i64(0), n));
        let then = self.body(|cx| {
            let index = cx.index(n);
            cx.rely(Check::Index { index, length: n });
            let slice = vec![DimIndex::Fix(index)];
            vec![cx.emit("new", ty.clone(), Exp::Array(ArrayExp::Update { array, slice, value })).into()]
        });
        let els = self.body(|_| vec![array.into()]);
        self.written(array, Exp::if_(cond.into(), then, els));
        Some(())
    }

    fn flat_update(&mut self) -> Option<()> {
        let array = self.destination()?;
        let ty = self.ty(array);
        let n = width(&ty);
        let value = self.value(&ty);
        let value = self.apart(value, array).var()?;
        // In order, or backwards.
        let (offset, stride) = if self.one_in(2) {
            (Atom::i64(0), Atom::i64(1))
        } else {
            let last = Exp::bin(BinOp::Sub, Prim::I64, n, Atom::i64(1));
            (self.emit("last", Type::i64(), last).into(), Atom::i64(-1))
        };
        self.rely(Check::Flat { offset, dims: vec![(n, stride)], length: n });
        self.written(array, Exp::Array(ArrayExp::FlatUpdate { array, offset, strides: vec![stride], value }));
        Some(())
    }

    /// Indices that are all different, some of them outside.
    pub(super) fn distinct(&mut self, count: Atom) -> Var {
        let start = Atom::i64(self.rng.below(5) as i64 - 1);
        let step = [1, -1, 2, -2, 3][self.rng.below(5)];
        let ty = Type::array(Prim::I64, vec![Dim::Size(count)]);
        self.emit(
            "at",
            ty,
            Exp::Array(ArrayExp::Range { prim: Prim::I64, count, start, step: Atom::i64(step) }),
        )
    }

    /// Different places, or the same value everywhere.
    fn scatter(&mut self) -> Option<()> {
        let dest = self.destination()?;
        let ty = self.ty(dest);
        let n = self.size();
        let deep = ty.rank() > 1 && self.one_in(3);
        let written = ty.with_dims(ty.dims()[if deep { 2 } else { 1 }..].to_vec());
        let values = written.array_of(Dim::Size(n));
        if !self.affords(self.volume(&values, 0)) {
            return None;
        }
        let distinct = self.one_in(2);
        let (first, values) = if distinct {
            (self.distinct(n), self.value(&values))
        } else {
            let value = self.value(&written);
            let is = self.value(&Type::array(Prim::I64, vec![Dim::Size(n)])).var()?;
            (is, self.emit("same", values, Exp::replicate(n, value)).into())
        };
        let mut inputs = vec![first];
        if deep {
            // Different in one dimension is different.
            inputs.push(self.value(&Type::array(Prim::I64, vec![Dim::Size(n)])).var()?);
        }
        inputs.push(values.var()?);
        for input in &mut inputs {
            *input = self.apart((*input).into(), dest).var()?;
        }
        let lambda = self.written_by(dest, n, &inputs, |cx, rows| {
            let computed = distinct && cx.one_in(2);
            let value = if computed { cx.value(&written) } else { rows[rows.len() - 1].into() };
            let indices = rows[..rows.len() - 1].iter().map(|index| Atom::Var(*index));
            indices.chain([value]).collect()
        })?;
        self.rewritten(dest, Exp::Op(Operator::Scatter { width: n, dests: vec![dest], inputs, lambda }));
        Some(())
    }

    /// The lambda of a scatter or histogram, which does not see the destination any more.
    fn written_by(
        &mut self,
        dest: Var,
        n: Atom,
        inputs: &[Var],
        make: impl FnOnce(&mut Gen, &[Var]) -> Vec<Atom>,
    ) -> Option<Lambda> {
        if !self.is_alive(dest) {
            return None;
        }
        self.consume(dest);
        let max = self.bound(n);
        let lambda = self.repeated(max, |cx| {
            cx.lambda_over(inputs, |cx, rows| {
                let count = cx.rng.below(3);
                cx.stms(count);
                make(cx, rows)
            })
        });
        Some(lambda)
    }

    /// What was consumed already under its new name.
    fn rewritten(&mut self, array: Var, exp: Exp) -> Var {
        let facts = Facts { longest: self.facts(array).longest, ..Facts::default() };
        self.emit_with("new", self.ty(array), facts, exp)
    }

    fn hist(&mut self) -> Option<()> {
        let dest = self.destination()?;
        let ty = self.ty(dest);
        let row = ty.row()?;
        let n = self.size();
        let dest = if prim_of(&ty).is_float() {
            if ty.rank() > 1 {
                return None;
            }
            self.whole_floats(prim_of(&ty), width(&ty))
        } else {
            dest
        };
        let values = row.array_of(Dim::Size(n));
        let max = self.bound(n);
        if !self.affords(self.volume(&values, 0).saturating_mul(2)) {
            return None;
        }
        let values = if prim_of(&ty).is_float() {
            self.whole_floats(prim_of(&ty), n).into()
        } else {
            self.value(&values)
        };
        let indices = self.value(&Type::array(Prim::I64, vec![Dim::Size(n)])).var()?;
        let (values, indices) = (self.apart(values, dest).var()?, self.apart(indices.into(), dest).var()?);
        let op = self.repeated(max, |cx| cx.reduction(&[row], 0, true))?;
        if op.neutral.iter().filter_map(|atom| atom.var()).any(|var| self.shares(var, dest))
            || !self.is_alive(dest)
        {
            return None;
        }
        let inputs = vec![indices, values];
        let lambda = self.written_by(dest, n, &inputs, |cx, rows| {
            let computed = cx.one_in(2);
            let index = if computed { cx.scalar(Prim::I64) } else { rows[0].into() };
            vec![index, rows[1].into()]
        })?;
        self.rewritten(dest, Exp::Op(Operator::Hist { width: n, dests: vec![dest], op, inputs, lambda }));
        Some(())
    }
}
