//! Filters that do not need each other stand together, so that the host of a device reads at once how many each of them keeps.
//!
//! ```text
//! let k, ys = filter n (xs) ..            let k, ys = filter n (xs) ..
//! let zs = map k (ys) ..           ==>    let l, ws = filter n (xs) ..
//! let l, ws = filter n (xs) ..            let zs = map k (ys) ..
//! ```
//!
//! Needs and gives: nest. Keeps: results and failures; of several failures another may be reported. Cost: quadratic in the filters of a body.

use super::mentions;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{Body, Exp, Operator, Prog, Stm, Var, VarInfo};

pub fn counted_together(prog: &mut Prog) {
    for fun in &mut prog.funs {
        in_body(&fun.vars, &mut fun.body);
        normalise_fun(fun);
    }
}

/// A body outside all lambdas.
fn in_body(vars: &[VarInfo], body: &mut Body) {
    for stm in &mut body.stms {
        stm.exp.for_each_part_mut(&mut |part| match part {
            PartMut::Body(body) => in_body(vars, body),
            PartMut::Lambda(_) | PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
        });
    }
    let is_filter = |stm: &Stm| matches!(stm.exp, Exp::Op(Operator::Filter { .. }));
    let mut at = 0;
    while let Some(first) = body.stms[at..].iter().position(is_filter) {
        at += first;
        let mut bound: Vec<Var> = body.stms[at].vars.clone();
        let mut end = at + 1;
        for later in at + 1..body.stms.len() {
            let stm = &body.stms[later];
            if is_filter(stm) && !needs(vars, stm, &bound) {
                let stm = body.stms.remove(later);
                bound.extend(&stm.vars);
                body.stms.insert(end, stm);
                end += 1;
            } else {
                bound.extend(&stm.vars);
            }
        }
        at = end;
    }
}

/// Whether the statement needs one of these variables.
fn needs(vars: &[VarInfo], stm: &Stm, bound: &[Var]) -> bool {
    let mut used = Vec::new();
    mentions::in_stm(vars, stm, &mut used);
    mentions::certs(stm, &mut used);
    stm.vars.iter().for_each(|var| mentions::in_type(vars, *var, &mut used));
    used.iter().any(|var| bound.contains(var) && !stm.vars.contains(var))
}
