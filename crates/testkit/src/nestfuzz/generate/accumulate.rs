//! Streams that write to accumulators, from branches and loops too.

use super::scope::{is_regular, prim_of, width};
use super::{Facts, Gen};
use norn_ir::nest::{ArrayExp, Atom, ControlExp, Exp, LoopForm, Operator, Param, Prim, Type, Var};

impl Gen {
    pub(super) fn accumulate_stm(&mut self) -> Option<()> {
        let dest = self.destination()?;
        let dest = if prim_of(&self.ty(dest)).is_float() {
            self.whole_floats(prim_of(&self.ty(dest)), width(&self.ty(dest)))
        } else {
            dest
        };
        let ty = self.ty(dest);
        let row = ty.row()?;
        let n = self.size();
        let max = self.bound(n);
        if !self.affords(max.saturating_mul(10 + self.volume(&row, 0))) {
            return None;
        }
        // Writes either combine, or go to different places.
        let op = if self.one_in(2) {
            self.repeated(max, |cx| cx.reduction(std::slice::from_ref(&row), 0, true))
        } else {
            None
        };
        let combines = op.is_some();
        let places = self.distinct(n);
        let mut inputs = vec![places];
        let more = self.some(|found, _| is_regular(found) && width(found) == n);
        inputs.extend(more.filter(|var| !self.shares(*var, dest)));
        if !self.is_alive(dest) {
            return None;
        }
        self.consume(dest);
        let lambda = self.repeated(max, |cx| {
            cx.b.begin_body();
            let mark = cx.scope.len();
            let acc_ty = Type::Acc(vec![ty.clone()]);
            let barrier = std::mem::replace(&mut cx.barrier, cx.facts.len() as u32);
            let acc = cx.var("acc", acc_ty, Facts::default());
            let rows: Vec<Type> = inputs.iter().filter_map(|input| cx.ty(*input).row()).collect();
            let mut params = vec![acc];
            for row in rows {
                let facts = Facts { frozen: row.is_array(), ..Facts::default() };
                params.push(cx.var("x", row, facts));
            }
            cx.scope.extend(&params[1..]);
            let count = cx.rng.below(3);
            cx.stms(count);
            let written = cx.write_acc(acc, params[1], &row, combines, 2);
            cx.barrier = barrier;
            cx.scope.truncate(mark);
            let body = cx.b.end_body(vec![written.into()]);
            norn_ir::nest::Lambda::new(params, body)
        });
        let exp = Exp::Op(Operator::AccStream { width: n, dests: vec![dest], op, inputs, lambda });
        self.emit("acc", ty, exp);
        Some(())
    }

    /// One or several writes. If they do not combine, there is one at most for each place.
    fn write_acc(&mut self, acc: Var, place: Var, row: &Type, combines: bool, depth: u32) -> Var {
        let ty = self.ty(acc);
        match self.rng.below(if depth == 0 { 1 } else { 4 }) {
            1 => {
                let cond = self.scalar(Prim::Bool);
                let then = self.body(|cx| vec![cx.write_acc(acc, place, row, combines, depth - 1).into()]);
                let els = if combines && self.one_in(2) {
                    self.body(|cx| vec![cx.write_acc(acc, place, row, combines, depth - 1).into()])
                } else {
                    self.body(|_| vec![acc.into()])
                };
                self.bind_acc(ty, Exp::if_(cond, then, els))
            }
            2 if combines => {
                let inner = self.var("acc", ty.clone(), Facts::default());
                let i = self.size_var("i", 2);
                let bound = Atom::i64(self.rng.below(3) as i64);
                let body = self.repeated(2, |cx| {
                    cx.body(|cx| {
                        cx.scope.push(i);
                        vec![cx.write_acc(inner, place, row, combines, depth - 1).into()]
                    })
                });
                let params = vec![(Param::unique(inner), acc.into())];
                self.bind_acc(
                    ty,
                    Exp::Control(ControlExp::Loop { params, form: LoopForm::For(i, bound), body }),
                )
            }
            _ => {
                let index = if combines { self.scalar(Prim::I64) } else { place.into() };
                let value = match row.prim() {
                    Some(prim) => self.reducible_scalar(prim),
                    None => self.value(row),
                };
                self.bind_acc(ty, Exp::Array(ArrayExp::AccWrite { acc, index, values: vec![value] }))
            }
        }
    }

    /// An accumulator is not for others to use.
    fn bind_acc(&mut self, ty: Type, exp: Exp) -> Var {
        let var = self.var("acc", ty, Facts::default());
        self.b.bind(vec![var], exp, super::SPAN);
        var
    }
}
