//! Histograms of bytes, halves of words and booleans as histograms of words, which memory combines by itself.
//!
//! ```text
//! let ys: [k]i8 = hist n (bins) from (is, xs)          let words: [k]i32 = map k (bins) \(b) { convert.i8.i32 b }
//!   \(i: i64, x: i8) { in i, x }                       let sums: [k]i32 = hist n (words) from (is, xs)
//!   reduce (0i8) \(a: i8, b: i8) { .. add.i8 a b }  ==>  \(i: i64, x: i8) { let w: i32 = convert.i8.i32 x  in i, w }
//!                                                        reduce (0i32) \(a: i32, b: i32) { .. add.i32 a b }
//!                                                      let ys: [k]i8 = map k (sums) \(s) { convert.i32.i8 s }
//! ```
//!
//! The last bits of a sum are the sum of the last bits, and what is the least of numbers is so in more bits, too. Products are left as they are: memory has no operation
//! for them.

use super::Distributor;
use crate::imp_gen::elementwise::primitive_columns;
use norn_ir::nest::{Atom, BinOp, Body, Dim, Elem, Exp, Lambda, Operator, Prim, Reduction, Stm, Type, Var};

impl Distributor<'_, '_> {
    pub fn as_words(&mut self, stm: &Stm) -> Option<Vec<Stm>> {
        let Exp::Op(Operator::Hist { width, dests, op, inputs, lambda }) = &stm.exp else { return None };
        let columns = primitive_columns(&op.lambda)?;
        let words: Vec<Option<Prim>> = columns.iter().map(|(op, prim)| word_for(*op, *prim)).collect();
        let is_regular = |var: &Var| self.names.ty(*var).dims().iter().all(|dim| *dim != Dim::Irregular);
        if words.iter().all(Option::is_none) || !dests.iter().all(is_regular) {
            return None;
        }
        let mut before = Vec::new();
        let mut after = Vec::new();
        let (mut bins, mut vars) = (Vec::new(), Vec::new());
        let mut lambda = lambda.clone();
        let indices = lambda.body.result.len() - dests.len();
        let (mut accs, mut values, mut combined) = (Vec::new(), Vec::new(), Body::default());
        let mut neutrals = Vec::new();
        for (number, (word, (bin_op, prim))) in words.iter().zip(columns).enumerate() {
            let (dest, result) = (dests[number], stm.vars[number]);
            let prim_now = word.unwrap_or(prim);
            let [acc, value, sum] =
                ["x", "y", "z"].map(|name| self.names.fresh(name, Type::scalar(prim_now)));
            accs.push(acc);
            values.push(value);
            combined.stms.push(Stm::new(
                vec![sum],
                Exp::bin(bin_op, prim_now, acc.into(), value.into()),
                stm.span,
            ));
            combined.result.push(sum.into());
            let Some(word) = *word else {
                neutrals.push(op.neutral[number]);
                bins.push(dest);
                vars.push(result);
                continue;
            };
            neutrals.push(Atom::Const(bin_op.neutral(word)?));
            let of_words = Type::array(word, self.names.ty(dest).dims().to_vec());
            let (bin, found) =
                (self.names.fresh("words", of_words.clone()), self.names.fresh("words", of_words));
            before.push(self.converted(bin, dest, prim, word, stm));
            after.push(self.converted(result, found, word, prim, stm));
            bins.push(bin);
            vars.push(found);
            let wide = self.names.fresh("word", Type::scalar(word));
            let exp = Exp::convert(prim, word, lambda.body.result[indices + number]);
            lambda.body.stms.push(Stm::new(vec![wide], exp, stm.span));
            lambda.body.result[indices + number] = wide.into();
        }
        accs.extend(values);
        let op = Reduction { lambda: Lambda::new(accs, combined), neutral: neutrals, ..op.clone() };
        let exp = Exp::Op(Operator::Hist { width: *width, dests: bins, op, inputs: inputs.clone(), lambda });
        before.push(Stm { vars, exp, ..stm.clone() });
        before.extend(after);
        Some(before)
    }

    /// All elements of an array converted: maps in maps.
    fn converted(&mut self, result: Var, array: Var, from: Prim, to: Prim, like: &Stm) -> Stm {
        let ty = self.names.ty(array).clone();
        let Some(row) = ty.row() else {
            return Stm::new(vec![result], Exp::convert(from, to, array.into()), like.span);
        };
        let param = self.names.fresh("row", row.clone());
        let inner = self.names.fresh("row", Type::Value(Elem::Prim(to), row.dims().to_vec()));
        let stm = self.converted(inner, param, from, to, like);
        let lambda = Lambda::new(vec![param], Body { stms: vec![stm], result: vec![inner.into()] });
        let width = ty.dims()[0].atom().unwrap_or(Atom::i64(0));
        Stm::new(vec![result], Exp::map(width, vec![array], lambda), like.span)
    }
}

/// The word whose operation in memory yields the last bits, if the values are smaller.
fn word_for(op: BinOp, prim: Prim) -> Option<Prim> {
    if !matches!(op, BinOp::Add | BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Min | BinOp::Max) {
        return None;
    }
    match prim {
        Prim::I8 | Prim::I16 => Some(Prim::I32),
        Prim::U8 | Prim::U16 | Prim::Bool => Some(Prim::U32),
        _ => None,
    }
}
