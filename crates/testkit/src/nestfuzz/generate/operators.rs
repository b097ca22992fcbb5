//! Operators of reductions: really associative, with neutral elements that are neutral.

use super::scope::prim_of;
use super::{Facts, Gen};
use norn_ir::nest::{ArrayExp, Atom, BinOp, Dim, Exp, Lambda, Prim, Reduction, Scalar, Type, Var};

/// What is done with a column.
#[derive(Clone, Copy)]
struct Op {
    op: BinOp,
    neutral: Scalar,
}

impl Gen {
    /// An operator on elements of these types; the first dimension of a row may be `?`. Floats are small integers. `None`
    /// if only an operator that does not commute fits and one that does is required.
    pub(super) fn reduction(&mut self, rows: &[Type], longest: u64, commutes: bool) -> Option<Reduction> {
        let prims: Vec<Option<Prim>> = rows.iter().map(Type::prim).collect();
        match prims[..] {
            [Some(a), Some(b)] if a == b && a.is_int() && !commutes && self.one_in(2) => Some(self.affine(a)),
            [Some(a), Some(Prim::I64)] if a.is_int() && self.one_in(2) => Some(self.largest(a)),
            _ => self.columnwise(rows, longest, commutes),
        }
    }

    fn op(&mut self, prim: Prim) -> Op {
        let least = if prim.is_signed() { -(1i128 << (prim.bits() - 1)) } else { 0 };
        let greatest = (1i128 << (prim.bits() - u32::from(prim.is_signed()))) - 1;
        let of = |op, neutral| Op { op, neutral: Scalar::from_int(prim, neutral) };
        if prim.is_float() {
            let of = |op, neutral| Op { op, neutral: Scalar::from_float(prim, neutral) };
            let all = [of(BinOp::Min, f64::INFINITY), of(BinOp::Max, f64::NEG_INFINITY), of(BinOp::Add, 0.0)];
            // Sums of many are not exact in 16 bits.
            return all[self.rng.below(if prim == Prim::F16 { 2 } else { 3 })];
        }
        if prim == Prim::Bool {
            let all = [of(BinOp::And, 1), of(BinOp::Or, 0), of(BinOp::Xor, 0), of(BinOp::Eq, 1)];
            return all[self.rng.below(4)];
        }
        let all = [
            of(BinOp::Add, 0),
            of(BinOp::Mul, 1),
            of(BinOp::And, -1),
            of(BinOp::Or, 0),
            of(BinOp::Xor, 0),
            of(BinOp::Min, greatest),
            of(BinOp::Max, least),
        ];
        all[self.rng.below(all.len())]
    }

    /// Each column by an operator of its own.
    fn columnwise(&mut self, rows: &[Type], longest: u64, commutes: bool) -> Option<Reduction> {
        if rows.iter().any(|row| row.dims().contains(&Dim::Irregular))
            && (commutes || rows.iter().any(|row| row.rank() > 1))
        {
            return None;
        }
        let mut neutral = Vec::new();
        let ops: Vec<Op> = rows.iter().map(|row| self.op(prim_of(row))).collect();
        for (row, op) in rows.iter().zip(&ops) {
            match row.dims() {
                [] => neutral.push(op.neutral.into()),
                [Dim::Irregular] => {
                    let none = Type::array(prim_of(row), vec![Dim::Size(Atom::i64(0))]);
                    neutral.push(Atom::i64(0));
                    neutral.push(self.emit("none", none, Exp::array(Vec::new())).into());
                }
                [Dim::Size(count)] => {
                    let exp = Exp::replicate(*count, op.neutral.into());
                    neutral.push(self.emit("ne", row.clone(), exp).into());
                }
                [..] => return None,
            }
        }
        let lambda = self.operator_lambda(rows, longest, |cx, xs, ys| {
            let mut results = Vec::new();
            for (i, op) in ops.iter().enumerate() {
                cx.combine_column(*op, &rows[i], xs[i], ys[i], &mut results);
            }
            results
        });
        Some(Reduction { lambda, neutral, commutative: commutes || self.commutes(rows) })
    }

    /// All operators on scalars commute; to say so is allowed, not required.
    fn commutes(&mut self, rows: &[Type]) -> bool {
        !rows.iter().any(|row| row.dims().contains(&Dim::Irregular)) && self.one_in(2)
    }

    fn combine_column(&mut self, op: Op, row: &Type, x: Var, y: Var, results: &mut Vec<Atom>) {
        let prim = prim_of(row);
        match row.dims() {
            [Dim::Irregular] => {
                let (a, b) = (super::scope::width(&self.ty(x)), super::scope::width(&self.ty(y)));
                let max = self.bound(a).saturating_add(self.bound(b));
                let facts = Facts { size: Some(max), ..Facts::default() };
                let size = self.emit_with("k", Type::i64(), facts, Exp::bin(BinOp::Add, Prim::I64, a, b));
                let ty = Type::array(prim, vec![Dim::size(size)]);
                let exp = Exp::Array(ArrayExp::Concat { arrays: vec![x, y], size: size.into() });
                results.push(size.into());
                results.push(self.emit("cat", ty, exp).into());
            }
            [Dim::Size(count)] => {
                let lambda = self.repeated(1, |cx| {
                    cx.lambda_over(&[x, y], |cx, v| {
                        vec![
                            cx.emit("z", Type::scalar(prim), Exp::bin(op.op, prim, v[0].into(), v[1].into()))
                                .into(),
                        ]
                    })
                });
                let exp = Exp::map(*count, vec![x, y], lambda);
                results.push(self.emit("zs", row.clone(), exp).into());
            }
            _ => {
                // Written in either order, where that is the same.
                let (x, y) = if op.op.is_commutative() && self.one_in(3) { (y, x) } else { (x, y) };
                results.push(
                    self.emit("z", Type::scalar(prim), Exp::bin(op.op, prim, x.into(), y.into())).into(),
                );
            }
        }
    }

    /// `x -> a*x + b`, composed: associative, does not commute.
    fn affine(&mut self, prim: Prim) -> Reduction {
        let scalar = Type::scalar(prim);
        let lambda = self.operator_lambda(&[scalar.clone(), scalar.clone()], 0, |cx, x, y| {
            let bin = |cx: &mut Gen, op, x: Var, y: Var| {
                cx.emit("p", Type::scalar(prim), Exp::bin(op, prim, x.into(), y.into()))
            };
            let a = bin(cx, BinOp::Mul, x[0], y[0]);
            let ab = bin(cx, BinOp::Mul, x[0], y[1]);
            let b = bin(cx, BinOp::Add, ab, x[1]);
            vec![a.into(), b.into()]
        });
        Reduction { lambda, neutral: vec![Atom::int(prim, 1), Atom::int(prim, 0)], commutative: false }
    }

    /// The greatest with its place, the first of several.
    fn largest(&mut self, prim: Prim) -> Reduction {
        let rows = [Type::scalar(prim), Type::i64()];
        let lambda = self.operator_lambda(&rows, 0, |cx, x, y| {
            let less = cx.emit("lt", Type::bool(), Exp::bin(BinOp::Lt, prim, x[0].into(), y[0].into()));
            let same = cx.emit("eq", Type::bool(), Exp::bin(BinOp::Eq, prim, x[0].into(), y[0].into()));
            let later = cx.emit("gt", Type::bool(), Exp::bin(BinOp::Lt, Prim::I64, y[1].into(), x[1].into()));
            let tie =
                cx.emit("tie", Type::bool(), Exp::bin(BinOp::And, Prim::Bool, same.into(), later.into()));
            let cond = cx.emit("or", Type::bool(), Exp::bin(BinOp::Or, Prim::Bool, less.into(), tie.into()));
            let then = cx.body(|_| vec![y[0].into(), y[1].into()]);
            let els = cx.body(|_| vec![x[0].into(), x[1].into()]);
            let value = cx.var("v", Type::scalar(prim), Facts::default());
            let place = cx.var("at", Type::i64(), Facts::default());
            cx.bind(&[value, place], Exp::if_(cond.into(), then, els));
            vec![value.into(), place.into()]
        });
        let least = if prim.is_signed() { -(1i128 << (prim.bits() - 1)) } else { 0 };
        let neutral = vec![Atom::int(prim, least), Atom::i64(i64::MAX)];
        Reduction { lambda, neutral, commutative: self.one_in(2) }
    }

    /// A lambda of two elements.
    pub(super) fn operator_lambda(
        &mut self,
        rows: &[Type],
        longest: u64,
        make: impl FnOnce(&mut Gen, &[Var], &[Var]) -> Vec<Atom>,
    ) -> Lambda {
        self.lambda_of(&[rows, rows].concat(), &vec![longest; 2 * rows.len()], |cx, values| {
            let (xs, ys) = values.split_at(rows.len());
            make(cx, xs, ys)
        })
    }
}
