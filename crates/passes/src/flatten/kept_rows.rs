//! Rows of different lengths that operators keep are taken from their array by a map.
//!
//! ```text
//! let k: i64, kept: [k][?]f32 = filter n (xss) \(m: i64, xs: [m]f32) { .. in c, xs }
//! ```
//! becomes
//! ```text
//! let k: i64, at: [k]i64 = filter n (xss, numbers) \(m: i64, xs: [m]f32, number: i64) { .. in c, number }
//! let kept: [k][?]f32 = map k (at) \(number: i64) { let m: i64, xs: [m]f32 = index xss [number] in xs }
//! ```
//! and likewise with a partition.
//!
//! A filter on a device counts what it keeps, and moves numbers; what a map yields is moved by elements (`elements`). Rows that a fused operator
//! yields beside sums and scans are a map of their own, too. Cost: linear; what computes rows is there twice.

use crate::nest::subst::{Names, replace_statements};
use norn_ir::nest::{Atom, Body, Dim, DimIndex, Exp, Lambda, Operator, Prim, Prog, Stm, Type, Var};

/// In all functions; whether there was such an operator.
pub fn kept_rows(prog: &mut Prog) -> bool {
    replace_statements(prog, &mut |names, stm, out| {
        let keeps_rows = stm.vars.iter().any(|var| is_irregular(names, *var));
        match &stm.exp {
            Exp::Op(Operator::Filter { .. } | Operator::Partition { .. }) if keeps_rows => {
                filter(names, stm, out);
                true
            }
            Exp::Op(Operator::Fused { .. }) if keeps_rows => {
                fused(names, stm, out);
                true
            }
            _ => {
                out.push(stm);
                false
            }
        }
    })
}

fn is_irregular(names: &Names, var: Var) -> bool {
    names.ty(var).has_irregular_rows()
}

fn filter(names: &mut Names, mut stm: Stm, out: &mut Vec<Stm>) {
    let span = stm.span;
    let (width, count, inputs, lambda) = match &mut stm.exp {
        Exp::Op(Operator::Filter { width, inputs, lambda }) => {
            (*width, Atom::Var(stm.vars[0]), inputs, lambda)
        }
        // All are kept.
        Exp::Op(Operator::Partition { width, inputs, lambda }) => (*width, *width, inputs, lambda),
        _ => return out.push(stm),
    };
    let numbers_ty = |count: Atom| Type::array(Prim::I64, vec![Dim::Size(count)]);
    let old = inputs.clone();
    let original = lambda.clone();
    let mut rows = Vec::new();
    for at in (1..stm.vars.len()).rev() {
        if is_irregular(names, stm.vars[at]) {
            rows.push((stm.vars.remove(at), at));
            lambda.body.result.remove(at);
        }
    }
    let numbers = names.fresh("numbers", numbers_ty(width));
    out.push(Stm::new(vec![numbers], Exp::iota(width), span));
    let number = names.fresh("number", Type::i64());
    inputs.push(numbers);
    lambda.params.push(number);
    lambda.body.result.push(number.into());
    let kept = names.fresh("kept", numbers_ty(count));
    stm.vars.push(kept);
    let certs = stm.certs.clone();
    out.push(stm);
    for (var, at) in rows.into_iter().rev() {
        let array = match input_of(names, &original, &old, original.body.result[at]) {
            Some(array) => array,
            None => {
                let mut all = names.copy_lambda(&original);
                all.body.result = vec![all.body.result[at]];
                let ty = names.ty(var).clone();
                let dims = [&[Dim::Size(width)], &ty.dims()[1..]].concat();
                let rows = names.fresh("rows", ty.with_dims(dims));
                let map = Exp::map(width, old.clone(), all);
                out.push(Stm { certs: certs.clone(), ..Stm::new(vec![rows], map, span) });
                rows
            }
        };
        let number = names.fresh("number", Type::i64());
        // Rows of one length may be kept as such of any.
        let row = names.row_params(array);
        let result = row[row.len() - 1].into();
        let take = Stm::new(row, Exp::index(array, vec![DimIndex::Fix(number.into())]), span);
        let lambda = Lambda::new(vec![number], Body { stms: vec![take], result: vec![result] });
        out.push(Stm::new(vec![var], Exp::map(count, vec![kept], lambda), span));
    }
}

/// The input whose row this is.
fn input_of(names: &Names, lambda: &Lambda, inputs: &[Var], row: Atom) -> Option<Var> {
    let mut params = lambda.params.iter();
    for input in inputs {
        if is_irregular(names, *input) {
            params.next();
        }
        if params.next().copied() == row.var() {
            return Some(*input);
        }
    }
    None
}

fn fused(names: &mut Names, mut stm: Stm, out: &mut Vec<Stm>) {
    let Exp::Op(Operator::Fused { width, inputs, lambda, .. }) = &mut stm.exp else { return };
    let mut map = names.copy_lambda(lambda);
    let all = std::mem::take(&mut map.body.result);
    let mut rows = Vec::new();
    for at in (0..stm.vars.len()).rev() {
        if is_irregular(names, stm.vars[at]) {
            rows.insert(0, stm.vars.remove(at));
            map.body.result.insert(0, all[at]);
            lambda.body.result.remove(at);
        }
    }
    let map = Exp::map(*width, inputs.clone(), map);
    let map = Stm { certs: stm.certs.clone(), ..Stm::new(rows, map, stm.span) };
    out.extend([stm, map]);
}
