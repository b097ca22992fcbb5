//! Rows of rows that a map joins are joined outside of it: then they are one more input, and nothing is copied.
//!
//! ```text
//! map n (xsss) \(xss: [2][?]f32) {                   let joined: [n][?]f32 = ..
//!   let k: i64, xs: [k]f32 = join_rows xss     ==>   map n (xsss, joined) \(xss: [2][?]f32, k: i64, xs: [k]f32) {
//!   ..                                                 ..
//! ```

use super::Elements;
use super::rows::i64s;
use crate::nest::inputs::param_groups;
use norn_ir::nest::{ArrayExp, Atom, BinOp, Body, Dim, Exp, Lambda, Operator, Prim, Stm, Type, Var};

impl Elements {
    pub fn join_outside(&mut self, stm: &mut Stm) {
        let Exp::Op(Operator::Map { width: _, inputs, lambda }) = &mut stm.exp else { return };
        let groups = param_groups(&self.names.vars, inputs, &lambda.params);
        let rows: Vec<(Var, Var)> =
            inputs.iter().copied().zip(groups.iter().map(|group| group[group.len() - 1])).collect();
        for at in 0..lambda.body.stms.len() {
            let stm = &lambda.body.stms[at];
            let (Exp::Array(ArrayExp::JoinRows(joined)), [length, all]) = (&stm.exp, &stm.vars[..]) else {
                continue;
            };
            let Some((input, _)) = rows.iter().find(|(_, row)| row == joined) else { continue };
            let (length, all, input) = (*length, *all, *input);
            if self.names.ty(input).dims().get(2) != Some(&Dim::Irregular) {
                continue;
            }
            inputs.push(self.rows_joined(input));
            // The size may be known by another name.
            let ty = self.names.ty(all).clone();
            let name = self.names.name(all);
            let dims = [&[Dim::size(length)], &ty.dims()[1..]].concat();
            let param = self.names.fresh(&name, ty.with_dims(dims));
            lambda.params.extend([length, param]);
            let exp = Exp::coerce(param, ty.dims().to_vec());
            lambda.body.stms[at] = self.stm(vec![all], exp);
        }
    }

    /// An array whose rows consist of rows, with these joined.
    fn rows_joined(&mut self, array: Var) -> Var {
        let ty = self.names.ty(array).clone();
        let (dims, name) = (ty.dims(), self.names.name(array));
        let width = dims[0].atom().unwrap_or(Atom::i64(0));
        let (flat, inner) = match dims[1].atom() {
            Some(size) => {
                let exp = Exp::bin(BinOp::Mul, Prim::I64, width, size);
                let count = self.emit("count", Type::i64(), exp);
                let all = ty.with_dims([&[Dim::size(count)], &dims[2..]].concat());
                let exp = Exp::reshape(array, 2, vec![count.into()]);
                let flat = self.emit(&name, all, exp);
                let lengths = self.lengths_of(flat);
                let ty = Type::array(Prim::I64, dims[..2].to_vec());
                let exp = Exp::reshape(lengths, 1, vec![width, size]);
                (flat, self.emit("lengths", ty, exp))
            }
            None => {
                let (_, flat) = self.joined(array);
                let (outer, lengths) = (self.lengths_of(array), self.lengths_of(flat));
                let inner = self.names.fresh("lengths", Type::array(Prim::I64, dims[..2].to_vec()));
                self.segment(inner, outer, lengths);
                (flat, inner)
            }
        };
        let lengths = self.sums(width, inner);
        let (_, all) = self.joined(flat);
        let rest = self.names.ty(all).dims()[1..].to_vec();
        let joined = self.names.fresh(&name, ty.with_dims([&[dims[0], Dim::Irregular], &rest[..]].concat()));
        self.segment(joined, lengths, all);
        joined
    }

    /// The sum of each row.
    fn sums(&mut self, width: Atom, rows: Var) -> Var {
        let params = self.names.row_params(rows);
        let row = params[params.len() - 1];
        let length = self.names.ty(row).dims()[0].atom().unwrap_or(Atom::i64(0));
        let sum = self.names.fresh("sum", Type::i64());
        let reduce = Exp::reduce(length, self.names.sum(self.span), vec![row]);
        let body = Body { stms: vec![self.stm(vec![sum], reduce)], result: vec![sum.into()] };
        let exp = Exp::map(width, vec![rows], Lambda::new(params, body));
        self.emit("sums", i64s(width), exp)
    }
}
