//! Streams whose results do not depend on how they are cut into chunks.

use super::scope::{is_array, prim_of, width};
use super::{Facts, Gen};
use norn_ir::nest::{Atom, Dim, Exp, Lambda, Operator, Prim, Reduction, ScalarExp, StreamForm, Type, Var};

impl Gen {
    pub(super) fn stream_stm(&mut self) -> Option<()> {
        let input = self.some(|ty, _| is_array(ty) && ty.rank() == 1)?;
        let ty = self.ty(input);
        let n = width(&ty);
        let max = self.bound(n);
        let mut prim = prim_of(&ty);
        let input = if prim.is_float() { self.whole_floats(prim, n) } else { input };
        if !self.affords(max * 6) {
            return None;
        }
        let out = if self.one_in(2) { Prim::I64 } else { self.prim() };
        let any_order = self.one_in(2);
        prim = prim_of(&self.ty(input));
        let scalar = Type::scalar(prim);
        let sort = self.rng.below(3);
        // One operator for the chunk, one for the chunks: the same text twice.
        let rows = [scalar.clone()];
        let op = self.repeated(max, |cx| cx.reduction(&rows, 0, true))?;
        let initial = op.neutral[0];
        let lambda = self.repeated(1, |cx| cx.chunk(input, max, sort, &op, out));
        let form = match sort {
            0 => StreamForm::Map { any_order },
            1 => {
                let op = self.again(&op, &rows)?;
                StreamForm::Reduce { any_order, op }
            }
            _ => StreamForm::Seq { init: vec![initial] },
        };
        let mut vars = Vec::new();
        if sort > 0 {
            vars.push(self.var("acc", scalar, Facts::default()));
        }
        vars.push(self.var("out", Type::array(out, vec![Dim::Size(n)]), Facts::default()));
        self.bind(&vars, Exp::Op(Operator::Stream { width: n, form, inputs: vec![input], lambda }));
        Some(())
    }

    /// What is done with a chunk: a reduction if there are accumulators, and a map.
    fn chunk(&mut self, input: Var, max: u64, sort: usize, op: &Reduction, out: Prim) -> Lambda {
        self.b.begin_body();
        let mark = self.scope.len();
        let barrier = std::mem::replace(&mut self.barrier, self.facts.len() as u32);
        let prim = prim_of(&self.ty(input));
        let scalar = Type::scalar(prim);
        let k = self.size_var("k", max);
        let mut params = vec![k];
        let acc = (sort == 2).then(|| self.var("acc", scalar.clone(), Facts::default()));
        params.extend(acc);
        let facts = Facts { frozen: true, ..Facts::default() };
        let xs = self.var("xs", Type::array(prim, vec![Dim::size(k)]), facts);
        params.push(xs);
        let mut results: Vec<Atom> = Vec::new();
        if sort > 0 {
            let rows = [scalar.clone()];
            let again = self.again(op, &rows).map(|lambda| Reduction { lambda, ..op.clone() });
            let inner = again.unwrap_or_else(|| op.clone());
            let reduced = self.emit("r", scalar.clone(), Exp::reduce(k.into(), inner, vec![xs]));
            let combined = match (acc, binary(op)) {
                (Some(acc), Some(bin)) => {
                    self.emit("s", scalar.clone(), Exp::bin(bin, prim, acc.into(), reduced.into()))
                }
                (Some(_) | None, _) => reduced,
            };
            results.push(combined.into());
        }
        let lambda = self.repeated(max, |cx| {
            cx.lambda_over(&[xs], |cx, _| {
                let mark = cx.scope.len();
                let count = 1 + cx.rng.below(3);
                cx.stms(count);
                vec![if out == Prim::I64 { cx.digest(mark) } else { cx.scalar(out) }]
            })
        });
        let ty = Type::array(out, vec![Dim::size(k)]);
        let exp = Exp::map(k.into(), vec![xs], lambda);
        results.push(self.emit("ys", ty, exp).into());
        self.barrier = barrier;
        self.scope.truncate(mark);
        let body = self.b.end_body(results);
        Lambda::new(params, body)
    }

    /// The same operator on one scalar once more, with variables of its own.
    fn again(&mut self, op: &Reduction, rows: &[Type]) -> Option<Lambda> {
        let bin = binary(op)?;
        let prim = rows[0].prim()?;
        Some(self.operator_lambda(rows, 0, |cx, x, y| {
            vec![cx.emit("z", Type::scalar(prim), Exp::bin(bin, prim, x[0].into(), y[0].into())).into()]
        }))
    }
}

/// The operator of a lambda that is one binary operation.
fn binary(op: &Reduction) -> Option<norn_ir::nest::BinOp> {
    match op.lambda.body.stms.first().map(|stm| &stm.exp) {
        Some(Exp::Scalar(ScalarExp::Bin(bin, ..))) => Some(*bin),
        Some(_) | None => None,
    }
}
