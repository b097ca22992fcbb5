//! Makes a nest program that fails smaller.
//!
//! Statements go away (the variables they bind become constants or other variables), branches take the place of
//! the statement they belong to, results and functions are left out. What the verifier refuses is not
//! tried further, so a step may try what makes no sense. Operators of reductions stay as they are, with their
//! neutral elements: a program where these are wrong means nothing.

use norn_ir::nest::verify::{Stage, verify};
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, Exp, Fun, Operator, Prog, Scalar, Stm, StreamForm, Type, Var,
};
use std::time::{Duration, Instant};

/// The smallest program found in this time that still fails.
pub fn reduced(prog: Prog, limit: Duration, mut fails: impl FnMut(&Prog) -> bool) -> Prog {
    let end = Instant::now() + limit;
    let mut best = prog;
    let mut tried = |candidate: &Prog| verify(candidate, Stage::Complete).is_empty() && fails(candidate);
    loop {
        let size = statements(&best);
        for fun in (0..best.funs.len()).rev() {
            let mut at = statements_of(&best.funs[fun].body);
            // From the end: what comes last is least needed.
            while at > 0 {
                at -= 1;
                for step in STEPS {
                    if Instant::now() > end {
                        return best;
                    }
                    let mut candidate = best.clone();
                    if step(&mut candidate.funs[fun], at) && tried(&candidate) {
                        best = candidate;
                        at = at.min(statements_of(&best.funs[fun].body));
                        break;
                    }
                }
            }
        }
        drop_results(&mut best, &mut tried);
        drop_functions(&mut best, &mut tried);
        if statements(&best) >= size {
            return best;
        }
    }
}

/// Changes a function at the statement with this number, if it applies there.
type Step = fn(&mut Fun, usize) -> bool;

const STEPS: &[Step] = &[
    |fun, at| remove(fun, at, 0),
    |fun, at| remove(fun, at, 1),
    |fun, at| splice(fun, at, 0),
    |fun, at| splice(fun, at, 1),
    drop_certs,
    |fun, at| simplify(fun, at, 0),
    |fun, at| simplify(fun, at, 1),
];

fn statements(prog: &Prog) -> usize {
    prog.funs.iter().map(|fun| statements_of(&fun.body)).sum()
}

fn statements_of(body: &Body) -> usize {
    let mut count = 0;
    let mut body = body.clone();
    for_each_reducible(&mut body, &mut |body| count += body.stms.len());
    count
}

/// The bodies that may be changed.
fn for_each_reducible(body: &mut Body, f: &mut dyn FnMut(&mut Body)) {
    f(body);
    for stm in &mut body.stms {
        let reductions = reductions(&stm.exp);
        let mut at = 0;
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Body(body) => for_each_reducible(body, f),
            PartMut::Lambda(lambda) => {
                if !reductions.contains(&at) {
                    for_each_reducible(&mut lambda.body, f);
                }
                at += 1;
            }
            PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
        });
    }
}

/// Which of an expression's lambdas are operators of reductions.
fn reductions(exp: &Exp) -> std::ops::Range<usize> {
    match exp {
        Exp::Op(Operator::Reduce { .. } | Operator::Scan { .. }) => 0..1,
        Exp::Op(Operator::Hist { .. }) => 1..2,
        Exp::Op(Operator::Fused { scans, reductions, .. }) => 1..1 + scans.len() + reductions.len(),
        Exp::Op(
            Operator::AccStream { op: Some(_), .. }
            | Operator::Stream { form: StreamForm::Reduce { .. }, .. },
        ) => 0..1,
        Exp::Op(
            Operator::AccStream { op: None, .. }
            | Operator::Stream { form: StreamForm::Map { .. } | StreamForm::Seq { .. }, .. },
        ) => 0..0,
        Exp::Scalar(_)
        | Exp::Control(_)
        | Exp::Array(_)
        | Exp::Op(
            Operator::Map { .. }
            | Operator::Filter { .. }
            | Operator::Partition { .. }
            | Operator::Sort { .. }
            | Operator::Scatter { .. }
            | Operator::Task(_),
        )
        | Exp::Cell(_) => 0..0,
    }
}

fn for_each_body(body: &mut Body, f: &mut dyn FnMut(&mut Body)) {
    f(body);
    for stm in &mut body.stms {
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Body(body) => for_each_body(body, f),
            PartMut::Lambda(lambda) => for_each_body(&mut lambda.body, f),
            PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
        });
    }
}

/// The body that has the statement with this number, and its place there.
fn with_stm(fun: &mut Fun, at: usize, f: &mut dyn FnMut(&mut Body, usize)) {
    let mut left = Some(at);
    for_each_reducible(&mut fun.body, &mut |body| {
        left = match left {
            Some(at) if at < body.stms.len() => {
                f(body, at);
                None
            }
            Some(at) => Some(at - body.stms.len()),
            None => None,
        };
    });
}

/// Without the statement. Scalars that it binds become 0 or 1, arrays an earlier one of the same type.
fn remove(fun: &mut Fun, at: usize, constant: i128) -> bool {
    let types: Vec<Type> = fun.vars.iter().map(|info| info.ty.clone()).collect();
    let mut removed: Option<Stm> = None;
    let mut before: Vec<Var> = fun.params.iter().map(|param| param.var).collect();
    with_stm(fun, at, &mut |body, i| {
        before.extend(body.stms[..i].iter().flat_map(|stm| stm.vars.iter().copied()));
        removed = Some(body.stms.remove(i));
    });
    let Some(stm) = removed else { return false };
    if stm.vars.iter().any(|var| is_neutral(fun, *var)) {
        return false;
    }
    for var in stm.vars {
        let ty = &types[var.0 as usize];
        let replacement = match ty.prim() {
            Some(prim) => Some(Atom::Const(Scalar::from_int(prim, constant))),
            None => {
                before.iter().rev().find(|other| types[other.0 as usize] == *ty).map(|other| (*other).into())
            }
        };
        if let Some(replacement) = replacement {
            replace(fun, var, replacement);
        } else if *ty == Type::Cert {
            forget(fun, var);
        }
    }
    true
}

/// Whether a variable is a neutral element.
fn is_neutral(fun: &mut Fun, var: Var) -> bool {
    let mut found = false;
    for_each_body(&mut fun.body, &mut |body| {
        for stm in &body.stms {
            let mut atoms = Vec::new();
            if !reductions(&stm.exp).is_empty() {
                stm.for_each_part(&mut |part| match part {
                    Part::Atom(atom) => atoms.push(*atom),
                    Part::Var(_) | Part::Binder(_) | Part::Body(_) | Part::Lambda(_) => {}
                });
            }
            found |= atoms.contains(&var.into()) && fun.vars[var.0 as usize].ty.is_array();
        }
    });
    found
}

/// One of the statement's bodies in its place.
fn splice(fun: &mut Fun, at: usize, which: usize) -> bool {
    let mut done = false;
    with_stm(fun, at, &mut |body, i| {
        if !matches!(body.stms[i].exp, Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. })) {
            return;
        }
        let mut bodies = Vec::new();
        body.stms[i].for_each_part_mut(&mut |part| match part {
            PartMut::Body(inner) => bodies.push(inner.clone()),
            PartMut::Lambda(_) | PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
        });
        if which >= bodies.len() {
            return;
        }
        let inner = bodies.swap_remove(which);
        let stm = body.stms.remove(i);
        let bind = |(var, result): (Var, Atom)| Stm::new(vec![var], Exp::atom(result), stm.span);
        let mut new = inner.stms;
        new.extend(stm.vars.iter().copied().zip(inner.result).map(bind));
        body.stms.splice(i..i, new);
        done = true;
    });
    done
}

fn drop_certs(fun: &mut Fun, at: usize) -> bool {
    let mut done = false;
    with_stm(fun, at, &mut |body, i| done = !std::mem::take(&mut body.stms[i].certs).is_empty());
    done
}

/// A scalar operation becomes a constant; operands become constants.
fn simplify(fun: &mut Fun, at: usize, constant: i128) -> bool {
    let types: Vec<Type> = fun.vars.iter().map(|info| info.ty.clone()).collect();
    let mut done = false;
    with_stm(fun, at, &mut |body, i| {
        // Neutral elements, and the places of writes, which are all different.
        if !reductions(&body.stms[i].exp).is_empty()
            || matches!(body.stms[i].exp, Exp::Array(ArrayExp::Range { .. }))
        {
            return;
        }
        body.stms[i].for_each_part_mut(&mut |part| match part {
            PartMut::Atom(atom) => {
                if !done
                    && let Atom::Var(var) = *atom
                    && let Some(prim) = types[var.0 as usize].prim()
                {
                    *atom = Atom::Const(Scalar::from_int(prim, constant));
                    done = true;
                }
            }
            PartMut::Body(_) | PartMut::Lambda(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
        });
    });
    done
}

/// Every mention of a variable, in types too.
fn replace(fun: &mut Fun, var: Var, with: Atom) {
    let other = with.var();
    for info in &mut fun.vars {
        info.ty.for_each_dim(&mut |dim| {
            if dim.atom() == Some(var.into()) {
                *dim = norn_ir::nest::Dim::Size(with);
            }
        });
    }
    for_each_body(&mut fun.body, &mut |body| {
        for stm in &mut body.stms {
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Atom(atom) => {
                    if *atom == Atom::Var(var) {
                        *atom = with;
                    }
                }
                PartMut::Var(found) => {
                    if *found == var
                        && let Some(other) = other
                    {
                        *found = other;
                    }
                }
                PartMut::Binder(_) | PartMut::Body(_) | PartMut::Lambda(_) => {}
            });
        }
        for atom in &mut body.result {
            if *atom == Atom::Var(var) {
                *atom = with;
            }
        }
    });
}

/// No statement relies on a check that is gone.
fn forget(fun: &mut Fun, cert: Var) {
    for_each_body(&mut fun.body, &mut |body| {
        body.stms.iter_mut().for_each(|stm| stm.certs.retain(|found| *found != cert));
    });
}

/// Results of the entry point, one by one.
fn drop_results(best: &mut Prog, fails: &mut dyn FnMut(&Prog) -> bool) {
    let mut at = 0;
    loop {
        let mut candidate = best.clone();
        let Some(entry) = candidate.entries.first() else { return };
        let (fun, result) = (entry.fun.0 as usize, entry.result.0 as usize);
        let columns = candidate.ifaces[result].columns.len();
        if at >= columns || columns == 1 {
            return;
        }
        let fun = &mut candidate.funs[fun];
        let position = fun.ret.len() - columns + at;
        fun.ret.remove(position);
        fun.body.result.remove(position);
        let iface = &mut candidate.ifaces[result];
        iface.columns.remove(at);
        if let norn_ir::nest::IfaceShape::Record(fields) = &mut iface.shape {
            fields.remove(at);
        }
        if fails(&candidate) {
            *best = candidate;
        } else {
            at += 1;
        }
    }
}

/// Functions that nothing calls: those after them move up.
fn drop_functions(best: &mut Prog, fails: &mut dyn FnMut(&Prog) -> bool) {
    for at in (0..best.funs.len()).rev() {
        let used = |fun: &Fun| norn_ir::nest::calls::callees(best, &fun.body).contains(&at);
        let others = best.funs.iter().enumerate().filter(|(i, _)| *i != at);
        if others.clone().any(|(_, fun)| used(fun))
            || best.entries.iter().any(|entry| entry.fun.0 as usize == at)
        {
            continue;
        }
        let mut candidate = best.clone();
        candidate.funs.remove(at);
        candidate.consts.retain(|constant| constant.fun.0 as usize != at);
        let moved = |id: &mut norn_ir::nest::FunId| id.0 -= u32::from(id.0 as usize > at);
        if candidate.consts.len() != best.consts.len() {
            continue;
        }
        candidate.consts.iter_mut().for_each(|constant| moved(&mut constant.fun));
        candidate.entries.iter_mut().for_each(|entry| moved(&mut entry.fun));
        for fun in &mut candidate.funs {
            for_each_body(&mut fun.body, &mut |body| {
                for stm in &mut body.stms {
                    if let Exp::Control(ControlExp::Call { fun, .. }) = &mut stm.exp {
                        moved(fun);
                    }
                }
            });
        }
        if fails(&candidate) {
            *best = candidate;
        }
    }
}
