//! Streams that write to accumulators become maps, and scatters or histograms of what these yield.
//!
//! ```text
//! let r: [k]f32 = acc_stream n (dest) from (xs) op do     let is: [n]i64, vs: [n]f32 = map n (xs) \(x: f32) { .. in i, v }
//!   \(acc: acc([k]f32), x: f32) {                   ==>   let r: [k]f32 = hist n (dest) op from (is, vs) ..
//!     .. let next = acc_write acc i (v) in next
//!   }
//! ```
//! Each write of the lambda is an operator of its own. Refuses: writes in branches and loops, of which there is no fixed number.

use super::worth::has_cells;
use crate::nest::subst::{Names, replace_statements};
use norn_ir::nest::{ArrayExp, Atom, Body, Dim, Exp, Lambda, Operator, Prog, Reduction, Stm, Type, Var};

/// In all functions; whether there was one.
pub fn acc_streams(prog: &mut Prog) -> bool {
    replace_statements(prog, &mut |names, stm, out| {
        let writes = match &stm.exp {
            Exp::Op(Operator::AccStream { lambda, .. }) => writes(names, lambda),
            _ => None,
        };
        let changed = writes.is_some();
        match writes {
            Some(writes) => apart(names, stm, writes, out),
            None => out.push(stm),
        }
        changed
    })
}

/// Where, and what for each array.
type Write = (Atom, Vec<Atom>);

/// All writes, if these are one after the other.
fn writes(names: &Names, lambda: &Lambda) -> Option<Vec<Write>> {
    let mut last = lambda.params[0];
    let mut writes = Vec::new();
    for stm in &lambda.body.stms {
        if let Exp::Array(ArrayExp::AccWrite { acc, index, values }) = &stm.exp {
            if *acc != last {
                return None;
            }
            writes.push((*index, values.clone()));
            last = stm.vars[0];
        } else if stm.vars.iter().any(|var| matches!(names.ty(*var), Type::Acc(_))) {
            return None;
        }
    }
    let plain = Body { stms: lambda.body.stms.clone(), result: Vec::new() };
    let yields_last = lambda.body.result == [Atom::Var(last)];
    let is_acc = |stm: &&Stm| matches!(stm.exp, Exp::Array(ArrayExp::AccWrite { .. }));
    let others = Body { stms: plain.stms.iter().filter(|stm| !is_acc(stm)).cloned().collect(), ..plain };
    (yields_last && !has_cells(&names.vars, &others)).then_some(writes)
}

fn apart(names: &mut Names, stm: Stm, writes: Vec<Write>, out: &mut Vec<Stm>) {
    let Stm { vars, certs, span, exp, .. } = stm;
    let Exp::Op(Operator::AccStream { width, mut dests, op, inputs, lambda }) = exp else { return };
    let mut body = lambda.body;
    body.stms.retain(|stm| !matches!(stm.exp, Exp::Array(ArrayExp::AccWrite { .. })));
    body.result =
        writes.iter().flat_map(|(index, values)| std::iter::once(index).chain(values)).copied().collect();
    let column = |names: &mut Names, atom: &Atom| {
        let (name, ty) = match atom {
            Atom::Var(var) => (names.name(*var), names.ty(*var).clone()),
            Atom::Const(scalar) => ("value".into(), Type::scalar(scalar.prim())),
        };
        names.fresh(&name, ty.array_of(Dim::Size(width)))
    };
    let columns: Vec<Var> = body.result.iter().map(|atom| column(names, atom)).collect();
    let map = Exp::map(width, inputs, Lambda::new(lambda.params[1..].to_vec(), body));
    out.push(Stm { certs: certs.clone(), ..Stm::new(columns.clone(), map, span) });
    let mut columns = columns.into_iter();
    for (number, (_, values)) in writes.iter().enumerate() {
        let own: Vec<Var> = columns.by_ref().take(1 + values.len()).collect();
        let lambda = names.lambda_or_rows(None, &own);
        let written = if number + 1 == writes.len() { vars.clone() } else { names.like(&vars) };
        let exp = Exp::Op(match &op {
            None => Operator::Scatter { width, dests, inputs: own, lambda },
            Some(op) => {
                let again = names.copy_lambda(&op.lambda);
                let op = Reduction { lambda: again, ..op.clone() };
                Operator::Hist { width, dests, op, inputs: own, lambda }
            }
        });
        dests = written.clone();
        out.push(Stm { certs: certs.clone(), ..Stm::new(written, exp, span) });
    }
    // Nothing is written.
    if writes.is_empty() {
        for (var, dest) in vars.into_iter().zip(dests) {
            out.push(Stm::new(vec![var], Exp::atom(dest.into()), span));
        }
    }
}
