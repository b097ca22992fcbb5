//! Indices and slices, checked; mostly in branches where they are within bounds.

use super::scope::{is_array, is_regular, width};
use super::{Facts, Gen};
use norn_ir::nest::{Atom, BinOp, Check, Dim, DimIndex, Exp, Prim, Type, Var};

impl Gen {
    pub(super) fn access_stm(&mut self) -> Option<()> {
        match self.rng.below(6) {
            0..=2 => self.guarded_element(),
            3 => self.element(),
            4 => self.slice(),
            _ => self.row_of_irregular(),
        }
    }

    /// An index into a dimension of this size, which is there if the size is not 0.
    pub(super) fn index(&mut self, size: Atom) -> Atom {
        let x = self.scalar(Prim::I64);
        if self.one_in(3) {
            return Atom::i64(0);
        }
        self.emit("i", Type::i64(), Exp::bin(BinOp::Mod, Prim::I64, x, size)).into()
    }

    /// `if 0 < n then xs[i] else x`
    fn guarded_element(&mut self) -> Option<()> {
        let array = self.some(|ty, _| is_regular(ty))?;
        let ty = self.ty(array);
        let (n, row) = (width(&ty), ty.row()?);
        let default = self.value(&row);
        let cond = self.emit("some", Type::bool(), Exp::bin(BinOp::Lt, Prim::I64, Atom::i64(0), n));
        let then = self.body(|cx| {
            let i = cx.index(n);
            let found = cx.row(array, i, n, &row);
            vec![found.into()]
        });
        let els = self.body(|_| vec![default]);
        let shared: Vec<Var> = [Some(array), default.var()].into_iter().flatten().collect();
        let mut facts = self.alias(&shared);
        if !row.is_array() {
            facts.roots.clear();
        }
        facts.whole = false;
        let frozen = row.is_array();
        let result = self.emit_with("at", row, facts, Exp::if_(cond.into(), then, els));
        if frozen {
            self.freeze(result);
        }
        Some(())
    }

    /// A row at an index, checked.
    pub(super) fn row(&mut self, array: Var, index: Atom, length: Atom, row: &Type) -> Var {
        self.rely(Check::Index { index, length });
        let facts = if row.is_array() { self.alias(&[array]) } else { Facts::default() };
        self.emit_with("row", row.clone(), facts, Exp::index(array, vec![DimIndex::Fix(index)]))
    }

    /// Without a guard: fails where the array is empty.
    fn element(&mut self) -> Option<()> {
        if !self.one_in(4) {
            return None;
        }
        let array = self.some(|ty, _| is_regular(ty))?;
        let ty = self.ty(array);
        let n = width(&ty);
        let index = self.index(n);
        self.row(array, index, n, &ty.row()?);
        Some(())
    }

    /// A part of one dimension that is always there: from somewhere to the end, or backwards.
    fn slice(&mut self) -> Option<()> {
        let array = self.some(|ty, _| is_array(ty))?;
        let ty = self.ty(array);
        let n = width(&ty);
        let size = self.size();
        let max = self.bound(n).min(self.bound(size));
        let facts = Facts { size: Some(max), ..Facts::default() };
        let count = self.emit_with("few", Type::i64(), facts, Exp::bin(BinOp::Min, Prim::I64, n, size));
        let (start, stride): (Atom, i64) = match self.rng.below(3) {
            0 => (Atom::i64(0), 1),
            1 => {
                let start = Exp::bin(BinOp::Sub, Prim::I64, n, count.into());
                (self.emit("start", Type::i64(), start).into(), 1)
            }
            _ => {
                let start = Exp::bin(BinOp::Sub, Prim::I64, count.into(), Atom::i64(1));
                (self.emit("last", Type::i64(), start).into(), -1)
            }
        };
        let (count, stride) = (Atom::from(count), Atom::i64(stride));
        self.rely(Check::Slice { start, count, stride, length: n });
        let mut dims = ty.dims().to_vec();
        dims[0] = Dim::Size(count);
        let facts = self.alias(&[array]);
        let slice = vec![DimIndex::Slice { start, count, stride }];
        self.emit_with("slice", ty.with_dims(dims), facts, Exp::index(array, slice));
        Some(())
    }

    /// `if 0 < n then the row and its length else an empty one`
    fn row_of_irregular(&mut self) -> Option<()> {
        let array = self.some(|ty, _| is_array(ty) && ty.has_irregular_rows())?;
        let ty = self.ty(array);
        let n = width(&ty);
        let longest = self.facts(array).longest;
        let row = |k: Var| {
            let mut dims = ty.dims()[1..].to_vec();
            dims[0] = Dim::size(k);
            ty.with_dims(dims)
        };
        let cond = self.emit("some", Type::bool(), Exp::bin(BinOp::Lt, Prim::I64, Atom::i64(0), n));
        let then = self.body(|cx| {
            let i = cx.index(n);
            cx.rely(Check::Index { index: i, length: n });
            let k = cx.size_var("k", longest);
            let facts = cx.alias(&[array]);
            let found = cx.var("row", row(k), facts);
            cx.bind(&[k, found], Exp::index(array, vec![DimIndex::Fix(i)]));
            vec![k.into(), found.into()]
        });
        let els = self.body(|cx| {
            let mut dims = ty.dims()[1..].to_vec();
            dims[0] = Dim::Size(Atom::i64(0));
            let none = cx.emit("none", ty.with_dims(dims), Exp::array(Vec::new()));
            vec![Atom::i64(0), none.into()]
        });
        let k = self.size_var("k", longest);
        let facts = self.alias(&[array]);
        let found = self.var("row", row(k), facts);
        self.bind(&[k, found], Exp::if_(cond.into(), then, els));
        self.freeze(found);
        Some(())
    }
}
