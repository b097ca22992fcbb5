//! Reductions of rows by any operator, in memory: neighbours are combined, half as many remain, and so on.
//!
//! ```text
//! let s: [m]f32 = reduce n (xss) neutral (none) \(a, b) { .. }
//!
//! let k: i64, left: [k][m]f32, rest: [1][m]f32 = loop (k = n, left = xss, rest = replicate 1i64 none) while k > 1 {
//!   let pairs: i64 = quot.i64 k 2i64
//!   let combined: [pairs][m]f32 = map pairs (left[0::2], left[1::2]) \(a, b) { .. }
//!   let rest.2: [1][m]f32 = if k is odd { map 1i64 (left[k-1:], rest) \(a, b) { .. } } else { in rest }
//!   in pairs, combined, rest.2
//! }
//! let s: [m]f32 = if k is 0 { copy none } else { (map 1i64 (left, rest) \(a, b) { .. })[0] }
//! ```
//!
//! The maps are nests, which are distributed like all others: what the operator does with the elements of a row is done for all pairs at
//! once. As many combinations as rows in all, and as many steps as their number has digits. What remains of odd numbers is behind all
//! others, and is combined in order. Refuses rows whose size the operator changes.

use super::Distributor;
use crate::schedule::emit::Emit;
use norn_ir::nest::{
    Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Lambda, LoopForm, Operator, Param, Reduction, Stm,
    Type, Var,
};

impl Distributor<'_, '_> {
    /// Statements outside of all maps that do the same.
    pub fn by_pairs(&mut self, stm: &Stm) -> Option<Vec<Stm>> {
        let Exp::Op(Operator::Reduce { width, op, inputs }) = &stm.exp else { return None };
        if !self.combines_rows(op) || inputs.iter().any(|input| self.names.ty(*input).has_irregular_rows()) {
            return None;
        }
        let (width, op, inputs) = (*width, op.clone(), inputs.clone());
        let rows: Vec<Type> = stm.vars.iter().map(|var| self.names.ty(*var).clone()).collect();
        let mut list = Vec::new();
        let one = Atom::i64(1);
        let place = |vars: Vec<Var>, exp: Exp| Stm { vars, exp, ..stm.clone() };
        let arrays = |this: &mut Self, name: &str, count: Atom| -> Vec<Var> {
            rows.iter().map(|row| this.names.fresh(name, row.clone().array_of(Dim::Size(count)))).collect()
        };
        let nothing = arrays(self, "rest", one);
        for (var, neutral) in nothing.iter().zip(&op.neutral) {
            list.push(place(vec![*var], Exp::replicate(one, *neutral)));
        }

        // The loop.
        let k = self.names.fresh("k", Type::i64());
        let left = arrays(self, "left", k.into());
        let rest = arrays(self, "rest", one);
        let inits = [width].into_iter().chain(inputs.iter().chain(&nothing).map(|var| Atom::Var(*var)));
        let params =
            [k].into_iter().chain(left.iter().chain(&rest).copied()).map(Param::plain).zip(inits).collect();
        let mut cond = Body::default();
        let goes_on = self.scalars(&mut cond.stms, |emit| emit.at_most("goes_on", Atom::i64(2), k.into()));
        cond.result.push(goes_on);
        let mut body = Body::default();
        let (pairs, odd, last) = self.scalars(&mut body.stms, |emit| {
            let pairs = emit.bin(BinOp::Quot, "pairs", k.into(), Atom::i64(2));
            let even = emit.bin(BinOp::Mul, "even", pairs, Atom::i64(2));
            let last = emit.bin(BinOp::Sub, "last", k.into(), one);
            (pairs, emit.at_most("odd", even, last), last)
        });
        let combined = arrays(self, "combined", pairs);
        let slice = |start: Atom, count: Atom, stride: i64| DimIndex::Slice {
            start,
            count,
            stride: Atom::i64(stride),
        };
        let parts = |this: &mut Self, stms: &mut Vec<Stm>, count: Atom, slice: DimIndex| -> Vec<Var> {
            let vars = arrays(this, "part", count);
            for (var, array) in vars.iter().zip(&left) {
                stms.push(place(vec![*var], Exp::index(*array, vec![slice.clone()])));
            }
            vars
        };
        let evens = parts(self, &mut body.stms, pairs, slice(Atom::i64(0), pairs, 2));
        let odds = parts(self, &mut body.stms, pairs, slice(one, pairs, 2));
        body.stms.push(self.combined_pairs(stm, &op, pairs, &[evens, odds].concat(), combined.clone()));
        let mut then = Body::default();
        let lasts = parts(self, &mut then.stms, one, slice(last, one, 1));
        let joined: Vec<Var> = self.names.like(&rest);
        then.stms.push(self.combined_pairs(stm, &op, one, &[lasts, rest.clone()].concat(), joined.clone()));
        then.result = joined.iter().map(|var| Atom::Var(*var)).collect();
        let els = Body { stms: Vec::new(), result: rest.iter().map(|var| Atom::Var(*var)).collect() };
        let rests: Vec<Var> = self.names.like(&rest);
        body.stms.push(place(rests.clone(), Exp::if_(odd, then, els)));
        body.result =
            [pairs].into_iter().chain(combined.iter().chain(&rests).map(|var| Atom::Var(*var))).collect();
        let exp = Exp::Control(ControlExp::Loop { params, form: LoopForm::While(cond), body });

        // What is left is one, or none.
        let count = self.names.fresh("k", Type::i64());
        let lefts: Vec<Var> =
            rows.iter().map(|row| self.names.fresh("left", row.clone().array_of(Dim::size(count)))).collect();
        let rests: Vec<Var> = self.names.like(&rest);
        list.push(place([count].into_iter().chain(lefts.iter().chain(&rests).copied()).collect(), exp));
        let none = self.scalars(&mut list, |emit| emit.at_most("none", count.into(), Atom::i64(0)));
        let mut then = Body::default();
        let mut els = Body::default();
        let alone: Vec<Var> = self.names.like(&rest);
        let mut ones = Vec::with_capacity(lefts.len());
        for (left, like) in lefts.iter().zip(&rest) {
            let var = self.names.like(&[*like])[0];
            els.stms.push(place(vec![var], Exp::index(*left, vec![slice(Atom::i64(0), one, 1)])));
            ones.push(var);
        }
        els.stms.push(self.combined_pairs(stm, &op, one, &[ones, rests].concat(), alone.clone()));
        for ((row, alone), neutral) in rows.iter().zip(alone).zip(&op.neutral) {
            let yielded = |this: &mut Self, body: &mut Body, exp: Exp, copies: bool| {
                let var = this.names.fresh("row", row.clone());
                body.stms.push(place(vec![var], exp));
                let mut value = var;
                if copies {
                    value = this.names.fresh("row", row.clone());
                    body.stms.push(place(vec![value], Exp::copy(var)));
                }
                body.result.push(value.into());
            };
            match neutral {
                Atom::Var(neutral) if row.is_array() => yielded(self, &mut then, Exp::copy(*neutral), false),
                neutral => then.result.push(*neutral),
            }
            let first = Exp::index(alone, vec![DimIndex::Fix(Atom::i64(0))]);
            yielded(self, &mut els, first, row.is_array());
        }
        list.push(place(stm.vars.clone(), Exp::if_(none, then, els)));
        Some(list)
    }

    /// Whether it combines arrays, all of a size that is known outside.
    pub fn combines_rows(&self, op: &Reduction) -> bool {
        let mut known = true;
        let mut rows = false;
        for param in &op.lambda.params {
            let ty = self.names.ty(*param);
            rows |= ty.is_array();
            known &= !ty.dims().contains(&Dim::Irregular);
            ty.for_each_var(&mut |size| known &= !op.lambda.params.contains(&size));
        }
        rows && known
    }

    /// The operator, for as many pairs.
    fn combined_pairs(
        &mut self,
        stm: &Stm,
        op: &Reduction,
        count: Atom,
        inputs: &[Var],
        vars: Vec<Var>,
    ) -> Stm {
        let lambda: Lambda = self.names.copy_lambda(&op.lambda);
        Stm { vars, exp: Exp::map(count, inputs.to_vec(), lambda), ..stm.clone() }
    }

    pub fn scalars<T>(&mut self, stms: &mut Vec<Stm>, make: impl FnOnce(&mut Emit) -> T) -> T {
        let mut emit = Emit::new(&mut self.names.vars, stms, self.span);
        let made = make(&mut emit);
        self.names.memory.grow(self.names.vars.len());
        made
    }
}
