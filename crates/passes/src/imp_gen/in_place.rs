//! Which results of a body are an array from outside, updated in place.
//!
//! A loop whose parameter is changed by updates alone, or a branch that updates an array or leaves it, yields the very memory
//! it was given: no pointer has to be passed on, nothing has to be counted.

use norn_ir::nest::{ArrayExp, Atom, Body, ControlExp, Dim, Exp, ScalarExp, Stm, Var, VarInfo};
use std::collections::HashSet;

/// The variable outside the body whose memory the result is, if that is so on every way through it.
pub fn origin(vars: &[VarInfo], body: &Body, result: Atom) -> Option<Var> {
    let mut var = result.var()?;
    let dims = vars[var.0 as usize].ty.dims();
    if dims.is_empty() || dims.contains(&Dim::Irregular) {
        return None;
    }
    while let Some(stm) = body.stms.iter().find(|stm| stm.vars.contains(&var)) {
        var = before(vars, stm, var)?;
    }
    Some(var)
}

/// The variable of the same body, or outside it, whose memory this one has after its statement.
pub fn before(vars: &[VarInfo], stm: &Stm, var: Var) -> Option<Var> {
    let at = stm.vars.iter().position(|bound| *bound == var)?;
    match &stm.exp {
        Exp::Scalar(ScalarExp::Atom(Atom::Var(var))) => Some(*var),
        Exp::Array(ArrayExp::Update { array, .. } | ArrayExp::FlatUpdate { array, .. }) => Some(*array),
        Exp::Op(op) => op.dests().get(at).copied(),
        Exp::Control(ControlExp::If { cond: _, then, els }) => same_origin(vars, &[then, els], at),
        Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
            let bodies: Vec<&Body> = cases.iter().map(|(_, body)| body).chain([default]).collect();
            same_origin(vars, &bodies, at)
        }
        Exp::Control(ControlExp::Loop { params, form: _, body }) => {
            let (param, initial) = params.get(at)?;
            let in_place = origin(vars, body, body.result[at]) == Some(param.var);
            if in_place { initial.var() } else { None }
        }
        _ => None,
    }
}

/// The variable whose memory all branches yield as this result.
pub fn same_origin(vars: &[VarInfo], bodies: &[&Body], at: usize) -> Option<Var> {
    let mut origins = bodies.iter().map(|body| origin(vars, body, body.result[at]));
    let first = origins.next()??;
    origins.all(|origin| origin == Some(first)).then_some(first)
}

/// The variables of a body that have the memory of its results, which is there before them.
pub fn made_in_place(vars: &[VarInfo], body: &Body) -> HashSet<Var> {
    let mut made = HashSet::new();
    for result in &body.result {
        let mut next = result.var();
        while let Some(var) = next {
            let Some(stm) = body.stms.iter().find(|stm| stm.vars.contains(&var)) else { break };
            made.insert(var);
            next = before(vars, stm, var);
        }
    }
    made
}
