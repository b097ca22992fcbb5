//! What all elements of a map check alike, of numbers that the host knows, the host checks: a kernel would do nothing else.
//!
//! ```text
//! let = grid 0i64 map n () \() {                       let some: bool = lt.i64 0i64 n
//!   let ok: cert = check slice 1i64 k 1i64 m     ==>   let = if some { let ok: cert = check slice 1i64 k 1i64 m .. }
//!   in
//! }
//! ```
//!
//! Checks of what kernels have reduced, or of elements, stay: the host would wait for these.

use super::new_var;
use crate::nest::mentions;
use norn_ir::nest::{
    Atom, BinOp, Body, ControlExp, Exp, Fun, LoopForm, Operator, Prim, ScalarExp, Stm, Type, Var,
};
use std::collections::HashSet;

/// In a function of the host whose grids are known.
pub fn check_on_host(fun: &mut Fun) {
    let mut body = std::mem::take(&mut fun.body);
    let mut unknown = HashSet::new();
    let mut before = usize::MAX;
    while unknown.len() != before {
        before = unknown.len();
        note_unknown(&body, &mut unknown);
    }
    in_body(fun, &unknown, &mut body);
    fun.body = body;
}

/// What the host may have to wait for, of what a body binds; loops around it have been looked at already.
fn note_unknown(body: &Body, unknown: &mut HashSet<Var>) {
    for stm in &body.stms {
        let is_unknown =
            |unknown: &HashSet<Var>, atom: &Atom| atom.var().is_some_and(|var| unknown.contains(&var));
        match &stm.exp {
            Exp::Scalar(_) => {
                let mut used = Vec::new();
                mentions::in_stm(&[], stm, &mut used);
                if used.iter().any(|var| unknown.contains(var)) {
                    unknown.extend(&stm.vars);
                }
            }
            Exp::Control(ControlExp::If { cond, then, els }) => {
                note_branches(stm, *cond, &[then, els], unknown);
            }
            Exp::Control(ControlExp::Switch { scrutinee, cases, default }) => {
                let bodies: Vec<&Body> = cases.iter().map(|(_, body)| body).chain([default]).collect();
                note_branches(stm, *scrutinee, &bodies, unknown);
            }
            Exp::Control(ControlExp::Loop { params, form, body }) => {
                let begins = params.iter().filter(|(_, initial)| is_unknown(unknown, initial));
                let begins: Vec<Var> = begins.map(|(param, _)| param.var).collect();
                unknown.extend(begins);
                match form {
                    LoopForm::For(counter, bound) if is_unknown(unknown, bound) => {
                        _ = unknown.insert(*counter)
                    }
                    LoopForm::For(..) => {}
                    LoopForm::While(cond) => note_unknown(cond, unknown),
                }
                note_unknown(body, unknown);
                for (((param, _), next), var) in params.iter().zip(&body.result).zip(&stm.vars) {
                    if is_unknown(unknown, next) || unknown.contains(&param.var) {
                        unknown.extend([param.var, *var]);
                    }
                }
            }
            Exp::Control(ControlExp::Check(_)) => {}
            Exp::Control(ControlExp::Call { .. } | ControlExp::Const(_))
            | Exp::Array(_)
            | Exp::Op(_)
            | Exp::Cell(_) => unknown.extend(&stm.vars),
        }
    }
}

fn note_branches(stm: &Stm, by: Atom, bodies: &[&Body], unknown: &mut HashSet<Var>) {
    bodies.iter().for_each(|body| note_unknown(body, unknown));
    for (at, var) in stm.vars.iter().enumerate() {
        let mut deciding = bodies.iter().map(|body| body.result[at]).chain([by]);
        if deciding.any(|atom| atom.var().is_some_and(|var| unknown.contains(&var))) {
            unknown.insert(*var);
        }
    }
}

fn in_body(fun: &mut Fun, unknown: &HashSet<Var>, body: &mut Body) {
    let mut stms = Vec::with_capacity(body.stms.len());
    for mut stm in std::mem::take(&mut body.stms) {
        if stm.grid.is_some() && only_checks(fun, unknown, &stm) {
            on_host(fun, stm, &mut stms);
            continue;
        }
        match &mut stm.exp {
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                in_body(fun, unknown, then);
                in_body(fun, unknown, els);
            }
            Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
                cases.iter_mut().for_each(|(_, body)| in_body(fun, unknown, body));
                in_body(fun, unknown, default);
            }
            Exp::Control(ControlExp::Loop { params: _, form, body }) => {
                match form {
                    LoopForm::For(..) => {}
                    LoopForm::While(cond) => in_body(fun, unknown, cond),
                }
                in_body(fun, unknown, body);
            }
            Exp::Control(ControlExp::Call { .. } | ControlExp::Check(_) | ControlExp::Const(_))
            | Exp::Scalar(_)
            | Exp::Array(_)
            | Exp::Op(_)
            | Exp::Cell(_) => {}
        }
        stms.push(stm);
    }
    body.stms = stms;
}

/// Whether it is a map without inputs and results, or such maps inside each other, of which the host knows all that they mention.
fn only_checks(fun: &Fun, unknown: &HashSet<Var>, stm: &Stm) -> bool {
    let Exp::Op(Operator::Map { width, inputs, lambda }) = &stm.exp else { return false };
    let is_known = |var: &Var| {
        let is_number =
            matches!(fun.vars[var.0 as usize].ty, Type::Cert) || fun.vars[var.0 as usize].ty.is_scalar();
        is_number && !unknown.contains(var)
    };
    let is_plain = |stm: &Stm| {
        let mut used = Vec::new();
        mentions::in_stm(&fun.vars, stm, &mut used);
        let is_number = match &stm.exp {
            Exp::Scalar(exp) => !matches!(exp, ScalarExp::Workers | ScalarExp::Tunable(_)),
            Exp::Control(ControlExp::Check(_)) => true,
            _ => false,
        };
        is_number && used.iter().all(is_known)
    };
    inputs.is_empty()
        && stm.vars.is_empty()
        && width.var().is_none_or(|width| is_known(&width))
        && lambda.body.stms.iter().all(|stm| is_plain(stm) || only_checks(fun, unknown, stm))
}

/// The map as a branch that is taken if there are elements.
fn on_host(fun: &mut Fun, stm: Stm, out: &mut Vec<Stm>) {
    let Exp::Op(Operator::Map { width, lambda, .. }) = stm.exp else {
        panic!("place: checks that are no map")
    };
    let mut then = Body::default();
    for inner in lambda.body.stms {
        match &inner.exp {
            Exp::Op(_) => on_host(fun, inner, &mut then.stms),
            Exp::Scalar(_) | Exp::Control(_) | Exp::Array(_) | Exp::Cell(_) => then.stms.push(inner),
        }
    }
    let some = new_var(fun, "some", Type::bool());
    out.push(Stm::new(vec![some], Exp::bin(BinOp::Lt, Prim::I64, Atom::i64(0), width), stm.span));
    let exp = Exp::if_(some.into(), then, Body::default());
    out.push(Stm { certs: stm.certs, ..Stm::new(Vec::new(), exp, stm.span) });
}
