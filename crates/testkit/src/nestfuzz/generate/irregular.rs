//! Irregular arrays: lengths, all rows joined, cut into rows, and to and from regular ones.

use super::scope::{is_array, is_regular, width};
use super::{Facts, Gen};
use norn_ir::nest::{ArrayExp, Atom, BinOp, Check, Dim, Exp, Prim, Type, Var};

impl Gen {
    pub(super) fn irregular_stm(&mut self) -> Option<()> {
        match self.rng.below(6) {
            0 => {
                let array = self.irregular()?;
                let n = width(&self.ty(array));
                let facts = self.alias(&[array]);
                let ty = Type::array(Prim::I64, vec![Dim::Size(n)]);
                self.emit_with("lengths", ty, facts, Exp::Array(ArrayExp::Lengths(array)));
            }
            1 => self.join()?,
            2 => self.segment()?,
            3 => {
                let array = self.some(|ty, _| is_regular(ty) && ty.rank() > 1)?;
                let ty = self.ty(array);
                let longest = ty.dims()[1].atom().map_or(0, |size| self.bound(size));
                let mut dims = ty.dims().to_vec();
                dims[1] = Dim::Irregular;
                let facts = Facts { longest, ..self.alias(&[array]) };
                self.emit_with("irr", ty.with_dims(dims.clone()), facts, Exp::coerce(array, dims));
            }
            4 => self.regular()?,
            _ => {
                let n = self.size();
                let ty = Type::array(self.prim(), vec![Dim::Size(n), Dim::Irregular]);
                let max = self.bound(n);
                if !self.affords(max * max) {
                    return None;
                }
                self.make(&ty);
            }
        }
        Some(())
    }

    fn irregular(&mut self) -> Option<Var> {
        self.some(|ty, _| is_array(ty) && ty.has_irregular_rows())
    }

    fn join(&mut self) -> Option<()> {
        let array = self.irregular()?;
        let ty = self.ty(array);
        let old = self.facts(array).clone();
        let max = self.bound(width(&ty)).saturating_mul(old.longest);
        if max > 40 {
            return None;
        }
        let total = self.size_var("total", max);
        let mut dims = ty.dims()[1..].to_vec();
        dims[0] = Dim::size(total);
        let facts = self.alias(&[array]);
        let joined = self.var("joined", ty.with_dims(dims), facts);
        self.bind(&[total, joined], Exp::Array(ArrayExp::JoinRows(array)));
        Some(())
    }

    /// Cut by lengths that fit: those of rows, or one for each element; or by some that may not fit.
    fn segment(&mut self) -> Option<()> {
        let array = self.some_array()?;
        let ty = self.ty(array);
        let n = width(&ty);
        let lengths = match self.rng.below(4) {
            0 => {
                let ty = Type::array(Prim::I64, vec![Dim::Size(n)]);
                self.emit("ones", ty, Exp::replicate(n, Atom::i64(1)))
            }
            1 => {
                let ty = Type::array(Prim::I64, vec![Dim::Size(Atom::i64(3))]);
                let zero = Atom::i64(0);
                self.emit("ends", ty, Exp::array(vec![zero, n, zero]))
            }
            2 => {
                let half = Exp::bin(BinOp::Div, Prim::I64, n, Atom::i64(2));
                let half = self.emit("half", Type::i64(), half);
                let rest = self.emit("rest", Type::i64(), Exp::bin(BinOp::Sub, Prim::I64, n, half.into()));
                let ty = Type::array(Prim::I64, vec![Dim::Size(Atom::i64(2))]);
                self.emit("halves", ty, Exp::array(vec![half.into(), rest.into()]))
            }
            _ if self.one_in(4) => self.some(|ty, _| {
                is_array(ty) && ty.rank() == 1 && ty.elem().and_then(|e| e.prim()) == Some(Prim::I64)
            })?,
            _ => return None,
        };
        self.rely(Check::Segments { lengths, total: n });
        let mut dims = vec![Dim::Size(width(&self.ty(lengths))), Dim::Irregular];
        dims.extend_from_slice(&ty.dims()[1..]);
        let longest = self.facts(array).longest.max(self.bound(n));
        let facts = Facts { longest, ..self.alias(&[lengths, array]) };
        self.emit_with("cut", ty.with_dims(dims), facts, Exp::segment(lengths, array));
        Some(())
    }

    /// Rows of one length, which may fail: so mostly of an array that was regular before.
    fn regular(&mut self) -> Option<()> {
        let array = self.some(|ty, _| is_regular(ty) && ty.rank() > 1)?;
        let ty = self.ty(array);
        let mut dims = ty.dims().to_vec();
        let longest = ty.dims()[1].atom().map_or(0, |size| self.bound(size));
        dims[1] = Dim::Irregular;
        let facts = Facts { longest, ..self.alias(&[array]) };
        let rows = self.emit_with("irr", ty.with_dims(dims.clone()), facts, Exp::coerce(array, dims));
        let dims = ty.dims().to_vec();
        self.rely(Check::Shape { array: rows, dims: dims.clone() });
        let facts = self.alias(&[rows]);
        self.emit_with("reg", ty, facts, Exp::coerce(rows, dims));
        Some(())
    }
}
