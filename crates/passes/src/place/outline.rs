//! Outlining: a run of statements as a function of its own, with what it needs as parameters and what others need as results.

use crate::nest::memory::{Signature, consumed, memory};
use norn_base::Span;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{Atom, Body, CellExp, ControlExp, Dim, Exp, Fun, Param, Ret, Stm, Type, Var};
use std::collections::HashMap;

/// How often each variable of a function is mentioned: by expressions, by results and by types of variables.
pub struct Mentions(Vec<u32>);

impl Mentions {
    pub fn of(fun: &Fun, body: &Body) -> Mentions {
        let mut counts = vec![0; fun.vars.len()];
        mentions_in(fun, body, &mut |var| counts[var.0 as usize] += 1);
        fun.params.iter().for_each(|param| {
            fun.vars[param.var.0 as usize].ty.for_each_var(&mut |var| counts[var.0 as usize] += 1);
        });
        fun.ret.iter().for_each(|ret| ret.ty.for_each_var(&mut |var| counts[var.0 as usize] += 1));
        Mentions(counts)
    }
}

/// Each variable that a body mentions, and each that the type of one that is bound in it does.
pub fn mentions_in(fun: &Fun, body: &Body, f: &mut dyn FnMut(Var)) {
    for stm in &body.stms {
        mentions_in_stm(fun, stm, f);
    }
    body.result.iter().filter_map(|atom| atom.var()).for_each(f);
}

fn mentions_in_stm(fun: &Fun, stm: &Stm, f: &mut dyn FnMut(Var)) {
    let types = |var: Var, f: &mut dyn FnMut(Var)| fun.vars[var.0 as usize].ty.for_each_var(f);
    stm.vars.iter().for_each(|var| types(*var, f));
    stm.for_each_part(&mut |part| match part {
        Part::Atom(Atom::Var(var)) | Part::Var(var) => f(*var),
        Part::Atom(Atom::Const(_)) => {}
        Part::Binder(var) => types(*var, f),
        Part::Body(body) => mentions_in(fun, body, f),
        Part::Lambda(lambda) => {
            lambda.params.iter().for_each(|param| types(*param, f));
            mentions_in(fun, &lambda.body, f);
        }
    });
}

/// The function, what to pass to it, and what its results are called.
pub fn outline(
    fun: &mut Fun,
    mentions: &Mentions,
    run: Vec<Stm>,
    signatures: &[Signature],
) -> (Fun, Vec<Atom>, Vec<Var>, Span) {
    let span = run[0].span;
    let mut inside: HashMap<Var, u32> = HashMap::new();
    run.iter().for_each(|stm| mentions_in_stm(fun, stm, &mut |var| *inside.entry(var).or_default() += 1));
    let bound: Vec<Var> = run.iter().flat_map(|stm| stm.vars.iter().copied()).collect();
    let mut all_bound = bound.clone();
    run.iter().for_each(|stm| bound_inside(&stm.exp, &mut all_bound));

    let is_value = |var: &Var| !matches!(fun.vars[var.0 as usize].ty, Type::Cert | Type::Acc(_));
    let is_result = |var: &Var| {
        let before = mentions.0.get(var.0 as usize).copied().unwrap_or(u32::MAX);
        is_value(var) && inside.get(var).copied().unwrap_or(0) < before
    };
    let mut results: Vec<Var> = bound.iter().copied().filter(is_result).collect();
    // The sizes of results are results.
    let mut at = 0;
    while let Some(var) = results.get(at).copied() {
        fun.vars[var.0 as usize].ty.for_each_var(&mut |size| {
            if bound.contains(&size) && !results.contains(&size) {
                results.push(size);
            }
        });
        at += 1;
    }
    let results: Vec<Var> = bound.iter().copied().filter(|var| results.contains(var)).collect();
    let mut free: Vec<Var> = inside.keys().copied().filter(|var| !all_bound.contains(var)).collect();
    // What the types of parameters mention are parameters, too.
    let mut at = 0;
    while let Some(var) = free.get(at).copied() {
        fun.vars[var.0 as usize].ty.clone().for_each_var(&mut |size| {
            if !free.contains(&size) {
                free.push(size);
            }
        });
        at += 1;
    }
    free.retain(|var| is_value(var));
    // Sizes come before what they are sizes of: they were bound before.
    free.sort_unstable();
    let sizes_first = |var: &Var| fun.vars[var.0 as usize].ty.is_array();
    free.sort_by_key(sizes_first);

    let taken: Vec<Var> = run.iter().flat_map(|stm| consumed(&fun.vars, stm, signatures)).collect();
    let params: Vec<Param> = free
        .iter()
        .map(|var| Param { var: *var, unique: taken.contains(var) && fun.vars[var.0 as usize].ty.is_array() })
        .collect();
    let mut body = Body { stms: run, result: results.iter().map(|var| Atom::Var(*var)).collect() };
    let ret_ty = |var: &Var| {
        let mut ty = fun.vars[var.0 as usize].ty.clone();
        ty.for_each_dim(&mut |dim| {
            if let Dim::Size(Atom::Var(size)) = dim
                && let Some(at) = results.iter().position(|result| result == size)
            {
                *dim = Dim::Result(at);
            }
        });
        Ret { unique: ty.is_array(), ty }
    };
    let ret: Vec<Ret> = results.iter().map(ret_ty).collect();
    let name = format!("{}_cpu", fun.name);
    let mut vars = fun.vars.clone();
    let whole = Fun { name, params, ret, body: Body::default(), vars: Vec::new(), attrs: Vec::new(), span };
    let mut probe = Fun { body: body.clone(), vars: vars.clone(), ..whole.clone() };
    copy_shared_results(&mut probe, signatures);
    body = probe.body;
    vars = probe.vars;
    let args = free.iter().map(|var| Atom::Var(*var)).collect();
    let mut outlined = Fun { body, vars, ..whole };
    forget_lost_certs(&mut outlined);
    normalise_fun(&mut outlined);
    (outlined, args, results, span)
}

/// A result that may share memory with a parameter, or with another result, is copied: what the processor yields is new on the device.
fn copy_shared_results(fun: &mut Fun, signatures: &[Signature]) {
    let memory = memory(signatures, fun);
    let class = |var: Var| memory.class(var);
    let is_array = |fun: &Fun, var: Var| fun.vars[var.0 as usize].ty.is_array();
    let params: Vec<u32> = fun
        .params
        .iter()
        .filter(|param| is_array(fun, param.var) && !param.unique)
        .map(|param| class(param.var))
        .collect();
    // What a cell holds is the cell's, what a function yields may be, and one result is not another.
    let arrays =
        fun.body.result.iter().filter_map(|atom| atom.var()).filter(|var| is_array(fun, *var)).count();
    let always = has_shared(fun, &fun.body, signatures) || arrays > 1;
    for at in 0..fun.body.result.len() {
        let Some(var) = fun.body.result[at].var().filter(|var| is_array(fun, *var)) else { continue };
        let class = class(var);
        if always || params.contains(&class) {
            let copy = Var(fun.vars.len() as u32);
            fun.vars.push(fun.vars[var.0 as usize].clone());
            let (exp, span) = (Exp::copy(var), fun.span);
            fun.body.stms.push(Stm::new(vec![copy], exp, span));
            fun.body.result[at] = Atom::Var(copy);
        }
    }
}

/// Whether an array comes from a cell, or from a function whose results need not be new.
fn has_shared(fun: &Fun, body: &Body, signatures: &[Signature]) -> bool {
    body.stms.iter().any(|stm| {
        let mut found = match &stm.exp {
            Exp::Cell(CellExp::Load { .. }) => true,
            Exp::Control(ControlExp::Call { fun: callee, .. }) => {
                let fresh = signatures.get(callee.0 as usize).map_or(&[][..], |known| known.fresh());
                let is_shared = |(at, var): (usize, &Var)| {
                    fun.vars[var.0 as usize].ty.is_array() && !fresh.get(at).is_some_and(|fresh| *fresh)
                };
                stm.vars.iter().enumerate().any(is_shared)
            }
            _ => false,
        };
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => found |= has_shared(fun, body, signatures),
            Part::Lambda(lambda) => found |= has_shared(fun, &lambda.body, signatures),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        found
    })
}

fn bound_inside(exp: &Exp, bound: &mut Vec<Var>) {
    exp.for_each_part(&mut |part| match part {
        Part::Binder(var) => bound.push(*var),
        Part::Body(body) => bound_in_body(body, bound),
        Part::Lambda(lambda) => {
            bound.extend(&lambda.params);
            bound_in_body(&lambda.body, bound);
        }
        Part::Atom(_) | Part::Var(_) => {}
    });
}

fn bound_in_body(body: &Body, bound: &mut Vec<Var>) {
    for stm in &body.stms {
        bound.extend(&stm.vars);
        bound_inside(&stm.exp, bound);
    }
}

/// A check that is elsewhere has been passed before.
pub fn forget_lost_certs(fun: &mut Fun) {
    let mut bound = Vec::new();
    bound_in_body(&fun.body, &mut bound);
    let bound: std::collections::HashSet<Var> = bound.into_iter().collect();
    forget_in(&mut fun.body, &bound);
}

fn forget_in(body: &mut Body, bound: &std::collections::HashSet<Var>) {
    for stm in &mut body.stms {
        stm.certs.retain(|cert| bound.contains(cert));
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Body(body) => forget_in(body, bound),
            PartMut::Lambda(lambda) => forget_in(&mut lambda.body, bound),
            PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
        });
    }
}
