//! A task that the first device does alone, as if it had never been cut.
//!
//! ```text
//! let alone: i64 = .. #[alone]
//! let is_alone: bool = eq.i64 alone 1i64
//! let (k: i64, ys: [k]f32) = if is_alone { .. the lambda for all rows .. } else { .. parts .. }
//! ```
//!
//! Where the processor helps a GPU, most tasks are best done by the GPU alone, and must not take longer then: what parts keep would be copied twice, and bins combined. What parts only write or reduce costs nothing more
//! as one part. A number that is reduced stays on the device, which it would not behind a branch.

use super::parts::Parts;
use super::{TaskResults, directive};
use crate::nest::subst::Names;
use norn_ir::nest::grids::{ALONE, SELECT};
use norn_ir::nest::task::{Join, Task};
use norn_ir::nest::{ArrayExp, Atom, BinOp, Body, Exp, Prim, Stm, Type, Var};

/// Whether it takes longer in one part than without parts.
pub(super) fn is_worth_it(names: &Names, task: &Task, vars: &[Var]) -> bool {
    let mut vars = vars;
    let (mut is_kept, mut has_bins, mut has_numbers) = (false, false, false);
    for join in &task.joins {
        let (own, rest) = vars.split_at(join.results());
        match join {
            Join::Rows => {}
            Join::Kept(_) => is_kept = true,
            Join::Partial(_) if own.iter().all(|var| names.ty(*var).is_scalar()) => has_numbers = true,
            Join::Partial(_) => has_bins = true,
        }
        vars = rest;
    }
    is_kept || has_bins && !has_numbers
}

/// The task alone, or else what these statements do.
pub(super) fn or(names: &mut Names, out: &mut Vec<Stm>, task: &Task, els: Body, made: TaskResults) {
    let TaskResults { vars, certs, span } = made;
    let alone = names.fresh("alone", Type::i64());
    let stm = Stm::new(vec![alone], Exp::atom(Atom::i64(0)), span);
    out.push(Stm { attrs: vec![ALONE.to_string()], ..stm });
    let is_alone = names.fresh("is_alone", Type::scalar(Prim::Bool));
    let exp = Exp::bin(BinOp::Eq, Prim::I64, alone.into(), Atom::i64(1));
    out.push(Stm::new(vec![is_alone], exp, span));

    let [from, count] = ["from", "count"].map(|name| names.fresh(name, Type::i64()));
    let mut stms = vec![directive(names, SELECT, Atom::i64(0), span)];
    stms.push(Stm::new(vec![from], Exp::atom(Atom::i64(0)), span));
    stms.push(Stm::new(vec![count], Exp::atom(task.width), span));
    let mut all = Parts::begin(from, (from, count), stms, span);
    let lambda = names.copy_lambda(&task.lambda);
    let mut known = &lambda.params[2..];
    for carry in &task.carries {
        let (before, rest) = known.split_at(carry.op.neutral.len());
        for (before, neutral) in before.iter().zip(&carry.op.neutral) {
            all.bind(*before, Exp::atom(*neutral));
        }
        known = rest;
    }
    let carried = lambda.params.len() - 2 - known.len();
    let found = all.portion(names, task, lambda, carried);
    let (mut results, mut vars_left, mut found) = (Vec::new(), vars, &found[..]);
    for join in &task.joins {
        let (bound, rest) = vars_left.split_at(join.results());
        let (own, others) = found.split_at(join.results());
        match (join, own[0]) {
            (Join::Rows, Atom::Var(rows)) => {
                let whole = names.like(&bound[..1])[0];
                let dims = names.ty(whole).dims().to_vec();
                all.bind(whole, Exp::Array(ArrayExp::Coerce { array: rows, dims }));
                results.push(whole.into());
            }
            (Join::Rows | Join::Kept(_) | Join::Partial(_), _) => results.extend(own),
        }
        (vars_left, found) = (rest, others);
    }
    let then = Body { stms: all.stms, result: results };
    let exp = Exp::if_(is_alone.into(), then, els);
    out.push(Stm { certs, ..Stm::new(vars.to_vec(), exp, span) });
}
