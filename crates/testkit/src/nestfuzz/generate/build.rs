//! Values of a given type: found or made.

use super::scope::prim_of;
use super::{Facts, Gen};
use norn_ir::nest::{ArrayExp, Atom, Dim, Exp, Lambda, Prim, Type, Var};

impl Gen {
    /// A value of exactly this type: found in scope if possible.
    pub(super) fn value(&mut self, ty: &Type) -> Atom {
        if let Some(prim) = ty.prim() {
            return self.scalar(prim);
        }
        match self.some_of(ty) {
            Some(var) if !self.one_in(6) => var.into(),
            Some(_) | None => self.make(ty).into(),
        }
    }

    /// A new array of this type.
    pub(super) fn make(&mut self, ty: &Type) -> Var {
        let Type::Value(_, dims) = ty else { panic!("generator: only values are made") };
        let row = ty.with_dims(dims[1..].to_vec());
        let Some(count) = dims[0].atom() else { panic!("generator: the outermost dimension is a size") };
        if dims.get(1) == Some(&Dim::Irregular) {
            return self.make_rows(ty, count, &row);
        }
        if dims.len() == 1 && prim_of(ty).is_int() && self.one_in(2) {
            let prim = prim_of(ty);
            let (start, step) = (self.scalar(prim), self.scalar(prim));
            return self.emit("range", ty.clone(), Exp::Array(ArrayExp::Range { prim, count, start, step }));
        }
        let value = self.value(&row);
        let longest = value.var().map_or(0, |var| self.facts(var).longest);
        let facts = Facts { longest, ..Facts::default() };
        self.emit_with("rep", ty.clone(), facts, Exp::replicate(count, value))
    }

    /// Rows that differ in length: those that are shorter than their number.
    fn make_rows(&mut self, ty: &Type, count: Atom, row: &Type) -> Var {
        let numbers = Type::array(Prim::I64, vec![Dim::Size(count)]);
        let (start, step) = (Atom::i64(0), Atom::i64(1));
        let max = self.bound(count);
        let is =
            self.emit("is", numbers, Exp::Array(ArrayExp::Range { prim: Prim::I64, count, start, step }));
        let mut inner = row.dims().to_vec();
        let lambda = self.repeated(max, |cx| {
            cx.b.begin_body();
            let mark = cx.scope.len();
            let barrier = std::mem::replace(&mut cx.barrier, cx.facts.len() as u32);
            let i = cx.size_var("i", max);
            cx.scope.push(i);
            inner[0] = Dim::size(i);
            let result = cx.make(&row.with_dims(inner));
            cx.barrier = barrier;
            cx.scope.truncate(mark);
            let body = cx.b.end_body(vec![result.into()]);
            Lambda::new(vec![i], body)
        });
        let facts = Facts { longest: max, ..Facts::default() };
        self.emit_with("rows", ty.clone(), facts, Exp::map(count, vec![is], lambda))
    }

    /// Some type of an array that can be made here.
    pub(super) fn array_ty(&mut self, rank: usize) -> Type {
        let dims = (0..rank).map(|_| Dim::Size(self.size())).collect();
        Type::array(self.prim(), dims)
    }

    /// An array, made if there is none.
    pub(super) fn array(&mut self) -> Option<Var> {
        if let Some(var) = self.some_array()
            && !self.one_in(8)
        {
            return Some(var);
        }
        let rank = 1 + self.rng.below(2);
        let ty = self.array_ty(rank);
        self.affords(self.volume(&ty, 0)).then(|| self.make(&ty))
    }
}
