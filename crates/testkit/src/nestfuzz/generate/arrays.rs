//! Statements that build and rearrange arrays.

use super::scope::{is_array, is_regular, width};
use super::{Facts, Gen};
use norn_ir::nest::{ArrayExp, Atom, BinOp, Check, Dim, Exp, Prim, Type, Var};

impl Gen {
    pub(super) fn array_stm(&mut self) -> Option<()> {
        match self.rng.below(9) {
            0 => self.literal(),
            1 => {
                let rank = 1 + self.rng.below(3);
                let ty = self.array_ty(rank);
                self.affords(self.volume(&ty, 0)).then(|| self.make(&ty)).map(|_| ())
            }
            2 => self.concat(),
            3 => self.flatten(),
            4 => self.unflatten(),
            5 => self.rearrange(),
            6 => {
                let array = self.array()?;
                self.copy(array);
                Some(())
            }
            7 => self.renamed(),
            _ => self.flat_view(),
        }
    }

    fn literal(&mut self) -> Option<()> {
        let row = match self.some(|ty, _| is_regular(ty)) {
            Some(var) if self.one_in(3) => self.ty(var),
            Some(_) | None => Type::scalar(self.prim()),
        };
        let count = self.rng.below(4);
        let rows: Vec<Atom> = (0..count).map(|_| self.value(&row)).collect();
        let ty = row.array_of(Dim::Size(Atom::i64(count as i64)));
        self.emit("lit", ty, Exp::array(rows));
        Some(())
    }

    fn concat(&mut self) -> Option<()> {
        let first = self.array()?;
        let ty = self.ty(first);
        let inner = ty.dims()[1..].to_vec();
        let other = self.some(|found, _| {
            is_array(found) && found.elem() == ty.elem() && found.dims()[1..] == inner[..]
        })?;
        let (a, b) = (width(&ty), width(&self.ty(other)));
        let max = self.bound(a) + self.bound(b);
        if max > 20 {
            return None;
        }
        let facts = Facts { size: Some(max), ..Facts::default() };
        let size = self.emit_with("sum", Type::i64(), facts, Exp::bin(BinOp::Add, Prim::I64, a, b));
        let mut dims = vec![Dim::size(size)];
        dims.extend(inner);
        let longest = self.facts(first).longest.max(self.facts(other).longest);
        let facts = Facts { longest, ..Facts::default() };
        let exp = Exp::Array(ArrayExp::Concat { arrays: vec![first, other], size: size.into() });
        self.emit_with("cat", ty.with_dims(dims), facts, exp);
        Some(())
    }

    fn flatten(&mut self) -> Option<()> {
        let array = self.some(|ty, _| is_array(ty) && ty.rank() > 1 && ty.dims()[1] != Dim::Irregular)?;
        let ty = self.ty(array);
        let (Some(a), Some(b)) = (ty.dims()[0].atom(), ty.dims()[1].atom()) else { return None };
        let max = self.bound(a).saturating_mul(self.bound(b));
        if max > 40 {
            return None;
        }
        let facts = Facts { size: Some(max), ..Facts::default() };
        let size = self.emit_with("nm", Type::i64(), facts, Exp::bin(BinOp::Mul, Prim::I64, a, b));
        let mut dims = vec![Dim::size(size)];
        dims.extend_from_slice(&ty.dims()[2..]);
        let facts = self.alias(&[array]);
        self.emit_with("flat", ty.with_dims(dims), facts, Exp::reshape(array, 2, vec![size.into()]));
        Some(())
    }

    /// A dimension becomes two, one of them 1.
    fn unflatten(&mut self) -> Option<()> {
        let array = self.array()?;
        let ty = self.ty(array);
        let n = width(&ty);
        let new = if self.one_in(2) { vec![n, Atom::i64(1)] } else { vec![Atom::i64(1), n] };
        let mut dims: Vec<Dim> = new.iter().map(|size| Dim::Size(*size)).collect();
        dims.extend_from_slice(&ty.dims()[1..]);
        let facts = self.alias(&[array]);
        self.emit_with("un", ty.with_dims(dims), facts, Exp::reshape(array, 1, new));
        Some(())
    }

    fn rearrange(&mut self) -> Option<()> {
        let array = self.some(|ty, _| is_regular(ty) && ty.rank() > 1)?;
        let ty = self.ty(array);
        let mut perm: Vec<usize> = (0..ty.rank()).collect();
        let (i, j) = (self.rng.below(perm.len()), self.rng.below(perm.len()));
        perm.swap(i, j);
        let dims = perm.iter().map(|i| ty.dims()[*i]).collect();
        let facts = self.alias(&[array]);
        self.emit_with("turned", ty.with_dims(dims), facts, Exp::rearrange(array, perm));
        Some(())
    }

    /// The same array under another name of its size.
    fn renamed(&mut self) -> Option<()> {
        let array = self.array()?;
        let ty = self.ty(array);
        let n = width(&ty);
        let m: Atom = match self.rng.below(3) {
            0 => {
                let facts = Facts { size: Some(self.bound(n)), ..Facts::default() };
                self.emit_with("m", Type::i64(), facts, Exp::bin(BinOp::Add, Prim::I64, n, Atom::i64(0)))
                    .into()
            }
            1 => {
                let facts = Facts { size: Some(self.bound(n)), ..Facts::default() };
                self.emit_with("m", Type::i64(), facts, Exp::atom(n)).into()
            }
            // Which may fail.
            _ => {
                let m = self.size();
                self.rely(Check::Size { expected: m, found: n });
                m
            }
        };
        let mut dims = ty.dims().to_vec();
        dims[0] = Dim::Size(m);
        let facts = self.alias(&[array]);
        self.emit_with("same", ty.with_dims(dims.clone()), facts, Exp::coerce(array, dims));
        Some(())
    }

    /// Elements of an array in another order, by offsets.
    fn flat_view(&mut self) -> Option<()> {
        let array = self.some(|ty, _| is_regular(ty))?;
        let ty = self.ty(array);
        let n = width(&ty);
        let (count, dims): (Vec<Atom>, Vec<(Atom, Atom)>) = match self.rng.below(3) {
            // All of it; every element several times; a window that may not fit.
            0 => (vec![n], vec![(n, Atom::i64(1))]),
            1 => {
                let times = self.size();
                (vec![times, n], vec![(times, Atom::i64(0)), (n, Atom::i64(1))])
            }
            _ => {
                let few = Atom::i64(self.rng.below(3) as i64);
                (vec![few], vec![(few, Atom::i64(2))])
            }
        };
        let mut shape: Vec<Dim> = count.iter().map(|size| Dim::Size(*size)).collect();
        shape.extend_from_slice(&ty.dims()[1..]);
        let result = ty.with_dims(shape);
        if !self.affords(self.volume(&result, 0)) {
            return None;
        }
        let offset = Atom::i64(0);
        self.rely(Check::Flat { offset, dims: dims.clone(), length: n });
        let facts = self.alias(&[array]);
        self.emit_with("view", result, facts, Exp::Array(ArrayExp::FlatIndex { array, offset, dims }));
        Some(())
    }

    /// An array of small integers of this float type, as long as another array.
    pub(super) fn whole_floats(&mut self, prim: Prim, count: Atom) -> Var {
        let bytes = Type::array(Prim::I8, vec![Dim::Size(count)]);
        let bytes = match self.value(&bytes) {
            Atom::Var(var) => var,
            Atom::Const(_) => panic!("generator: an array is no constant"),
        };
        let max = self.bound(count);
        let lambda = self.repeated(max, |cx| {
            cx.lambda_over(&[bytes], |cx, values| {
                let exp = Exp::convert(Prim::I8, prim, values[0].into());
                vec![cx.emit("w", Type::scalar(prim), exp).into()]
            })
        });
        let facts = Facts { whole: true, ..Facts::default() };
        let ty = Type::array(prim, vec![Dim::Size(count)]);
        self.emit_with("whole", ty, facts, Exp::map(count, vec![bytes], lambda))
    }
}
