//! Quotients that are the same for all elements of an operator need no check to have been passed, so that they can leave it (`hoist`).
//!
//! ```text
//! let rs = map h (xss) \(xs: [w]i32) {            let rs = map h (xss) \(xs: [w]i32) {
//!   let ok: cert = check nonzero.i64 k              let ok: cert = check nonzero.i64 k
//!   let m: i64 = <ok> quot.i64 w k          ==>     let none: bool = eq.i64 k 0i64
//!   let ys: [m]i32 = map m ..                       let d: i64 = if none { in 1i64 } else { in k }
//!                                                   let m: i64 = quot.i64 w d
//!                                                   let ys: [m]i32 = map m ..
//! ```
//!
//! The check stays: it fails where it failed before. But the size `m` is then seen to be one for all rows, which are not of different lengths.
//!
//! Needs: a valid program. Gives: quotients in lambdas whose operands are bound outside rely on nothing that is checked inside.

use super::mentions::bound_inside;
use norn_base::Span;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{Atom, BinOp, Body, Exp, Prim, Prog, ScalarExp, Stm, Type, Var, VarInfo};
use std::collections::HashSet;

pub fn quotients(prog: &mut Prog) {
    for fun in &mut prog.funs {
        let mut body = std::mem::take(&mut fun.body);
        in_body(&mut fun.vars, &mut body);
        fun.body = body;
        normalise_fun(fun);
    }
}

fn in_body(vars: &mut Vec<VarInfo>, body: &mut Body) {
    for stm in &mut body.stms {
        let bound = stm.exp.op().is_some().then(|| bound_inside(stm));
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Body(body) => in_body(vars, body),
            PartMut::Lambda(lambda) => {
                if let Some(bound) = &bound {
                    in_lambda(vars, &mut lambda.body, bound);
                }
                in_body(vars, &mut lambda.body);
            }
            PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
        });
    }
}

fn in_lambda(vars: &mut Vec<VarInfo>, body: &mut Body, bound: &HashSet<Var>) {
    // What is computed inside of what is outside is the same for all elements, too.
    let mut varying = bound.clone();
    let mut stms = Vec::with_capacity(body.stms.len());
    for mut stm in std::mem::take(&mut body.stms) {
        let mut is_same = true;
        stm.exp.for_each_part(&mut |part| {
            if let Part::Atom(Atom::Var(var)) = part {
                is_same &= !varying.contains(var);
            }
        });
        let Exp::Scalar(exp) = &mut stm.exp else {
            stms.push(stm);
            continue;
        };
        if is_same
            && stm.certs.iter().any(|cert| bound.contains(cert))
            && let ScalarExp::Bin(op, prim, _, y @ Atom::Var(_)) = exp
            && matches!(op, BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem)
            && prim.is_int()
        {
            *y = divisor(vars, *prim, *y, stm.span, &mut stms);
            stm.certs.retain(|cert| !bound.contains(cert));
        }
        if is_same && !stm.certs.iter().any(|cert| bound.contains(cert)) {
            stm.vars.iter().for_each(|var| _ = varying.remove(var));
        }
        stms.push(stm);
    }
    body.stms = stms;
}

/// One instead of zero.
fn divisor(vars: &mut Vec<VarInfo>, prim: Prim, y: Atom, span: Span, stms: &mut Vec<Stm>) -> Atom {
    let mut fresh = |name: &str, ty: Type| {
        vars.push(VarInfo::new(name, ty));
        Var(vars.len() as u32 - 1)
    };
    let (none, divisor) = (fresh("none", Type::bool()), fresh("divisor", Type::scalar(prim)));
    let value = |atom: Atom| Body { stms: Vec::new(), result: vec![atom] };
    let is_zero = Exp::bin(BinOp::Eq, prim, y, Atom::int(prim, 0));
    stms.push(Stm::new(vec![none], is_zero, span));
    let choice = Exp::if_(none.into(), value(Atom::int(prim, 1)), value(y));
    stms.push(Stm::new(vec![divisor], choice, span));
    divisor.into()
}
