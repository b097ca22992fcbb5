//! Arrays that maps make of others without computing anything: copied by as many threads as there are elements.
//!
//! A map of copies is one copy, for which the device has kernels that know layouts:
//! ```text
//! map n (xsss) \xss {                                  let transposed: [n][k][m]f32 = rearrange xsss (0, 2, 1)
//!   let transposed: [k][m]f32 = rearrange xss (1, 0)   let copies: [n][k][m]f32 = copy transposed
//!   let copy: [k][m]f32 = copy transposed           ==>
//!   in copy
//! }
//! ```
//! A map that only looks rows up yields copies of them, one array at a time:
//! ```text
//! map n (is) \i {                                  map n (is) \i {
//!   let row: [m]f32 = index xss [i]                  let row: [m]f32 = index xss [i]
//!   in row                                  ==>      let copy: [m]f32 = map m (row) \x { in x }
//! }                                                  in copy
//!                                                  }
//! ```
//! What else stands at the bottom of a nest of maps becomes maps itself, whose elements have a thread each (`nest/by_elements`).

use super::new_var;
use crate::imp_gen::is_done_by_elements;
use crate::nest::by_elements::{Maps, are_rows, bottom};
use crate::nest::mentions;
use crate::nest::subst::Subst;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{ArrayExp, Atom, Body, ControlExp, Exp, Fun, Lambda, Operator, Stm, Var, VarInfo};

/// The statements that do the same, or the statement as it was.
pub fn spread(fun: &mut Fun, mut stm: Stm) -> Vec<Stm> {
    if let Some(stms) = one_copy(fun, &stm) {
        return stms;
    }
    if let Some(stms) = looked_up(fun, &stm) {
        return stms;
    }
    bottom(&mut fun.vars, &mut stm.exp);
    vec![stm]
}

/// A map of scalars, views, and rows that are assembled from these, as a map for each array among its results, whose elements have a thread each, and
/// one for the scalars.
fn looked_up(fun: &mut Fun, stm: &Stm) -> Option<Vec<Stm>> {
    let Exp::Op(Operator::Map { width, inputs, lambda }) = &stm.exp else { return None };
    let (made, others): (Vec<&Stm>, Vec<&Stm>) = lambda
        .body
        .stms
        .iter()
        .partition(|stm| assembles(fun, stm) && is_only_yielded(fun, stm, &lambda.body));
    let others: Vec<Stm> = others.into_iter().cloned().collect();
    if !is_done_by_elements(&fun.vars, &others) || lambda.params.len() != inputs.len() {
        return None;
    }
    let made: Vec<Var> = made.into_iter().map(|stm| stm.vars[0]).collect();
    let is_made = |row: Atom| row.var().is_some_and(|row| made.contains(&row));
    if stm.vars.len() == 1 && is_made(lambda.body.result[0]) {
        return None;
    }
    let is_array = |at: usize| fun.vars[stm.vars[at].0 as usize].ty.rank() > 1;
    let (arrays, scalars): (Vec<usize>, Vec<usize>) = (0..stm.vars.len()).partition(|at| is_array(*at));
    let sizes_of = |at: usize| -> Option<Vec<Atom>> {
        fun.vars[stm.vars[at].0 as usize].ty.dims()[1..].iter().map(|dim| dim.atom()).collect()
    };
    let sizes: Vec<Vec<Atom>> = arrays.iter().map(|at| sizes_of(*at)).collect::<Option<_>>()?;
    if arrays.is_empty() {
        return None;
    }
    let mut stms = Vec::with_capacity(arrays.len() + 1);
    // Each of them does what it needs, and all checks.
    let checks = lambda.body.stms.iter().filter(|stm| matches!(stm.exp, Exp::Control(ControlExp::Check(_))));
    let checked: Vec<Var> = checks.flat_map(|stm| stm.vars.clone()).collect();
    let part = |fun: &mut Fun, vars: Vec<Var>, result: Vec<Atom>| {
        let mut live = checked.clone();
        mentions::in_atoms(&result, &mut live);
        let mut body = Body { stms: mentions::needed(&fun.vars, &lambda.body.stms, &mut live), result };
        body.stms.sort_by_key(|stm| made.contains(&stm.vars[0]));
        let mut lambda = Lambda::new(lambda.params.clone(), body);
        rebind(fun, &mut lambda);
        Stm { vars, exp: Exp::map(*width, inputs.clone(), lambda), ..stm.clone() }
    };
    if !scalars.is_empty() {
        let vars = scalars.iter().map(|at| stm.vars[*at]).collect();
        stms.push(part(fun, vars, scalars.iter().map(|at| lambda.body.result[*at]).collect()));
    }
    for (at, sizes) in arrays.into_iter().zip(sizes) {
        let row = lambda.body.result[at];
        let mut map = part(fun, vec![stm.vars[at]], vec![row]);
        if is_made(row) {
            bottom(&mut fun.vars, &mut map.exp);
        } else if let Exp::Op(Operator::Map { lambda, .. }) = &mut map.exp
            && let [Atom::Var(row)] = lambda.body.result[..]
        {
            let ty = fun.vars[row.0 as usize].ty.clone();
            let mut maps = Maps { vars: &mut fun.vars, span: stm.span };
            let exp = maps.copy(&sizes, row);
            lambda.body.result = vec![maps.push(&mut lambda.body.stms, "copy", ty, exp).into()];
        }
        stms.push(map);
    }
    Some(stms)
}

/// Whether a statement makes an array of others, or of one value.
fn assembles(fun: &Fun, stm: &Stm) -> bool {
    match &stm.exp {
        Exp::Array(ArrayExp::Copy(_) | ArrayExp::Replicate { .. } | ArrayExp::Concat { .. }) => true,
        Exp::Array(ArrayExp::ArrayLit(rows)) => are_rows(&fun.vars, rows),
        _ => false,
    }
}

/// Whether what a statement binds is one of the results, once, and nothing else is made of it.
fn is_only_yielded(fun: &Fun, stm: &Stm, body: &Body) -> bool {
    let own = stm.vars[0];
    let mut used = Vec::new();
    body.stms.iter().for_each(|other| mentions::in_stm(&fun.vars, other, &mut used));
    let yields = body.result.iter().filter(|atom| **atom == Atom::Var(own)).count();
    yields == 1 && !used.contains(&own)
}

/// The lambda with new variables for all that it binds.
fn rebind(fun: &mut Fun, lambda: &mut Lambda) {
    let mut bound = lambda.params.clone();
    for stm in &lambda.body.stms {
        bound.extend(&stm.vars);
        bound.extend(mentions::bound_inside(stm));
    }
    bound.sort_unstable();
    let like = |fun: &mut Fun, var: &Var| {
        let VarInfo { name, ty, .. } = fun.vars[var.0 as usize].clone();
        new_var(fun, &name, ty).into()
    };
    let new: Vec<Atom> = bound.iter().map(|var| like(fun, var)).collect();
    let subst = Subst::of(&bound, new);
    binders(&subst, &mut lambda.body);
    lambda.params.iter_mut().for_each(|param| *param = subst.var(*param));
    subst.types_of(&mut fun.vars, &lambda.params);
    subst.body_and_types(&mut fun.vars, &mut lambda.body);
}

fn binders(subst: &Subst, body: &mut Body) {
    for stm in &mut body.stms {
        stm.vars.iter_mut().for_each(|var| *var = subst.var(*var));
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Binder(var) => *var = subst.var(*var),
            PartMut::Body(body) => binders(subst, body),
            PartMut::Lambda(lambda) => {
                lambda.params.iter_mut().for_each(|param| *param = subst.var(*param));
                binders(subst, &mut lambda.body);
            }
            PartMut::Atom(_) | PartMut::Var(_) => {}
        });
    }
}

/// A map of copies as a copy.
fn one_copy(fun: &mut Fun, stm: &Stm) -> Option<Vec<Stm>> {
    let (whole, perms) = copied(fun, &stm.exp)?;
    let mut stms = Vec::with_capacity(perms.len() + 1);
    let mut array = whole;
    for perm in perms {
        let ty = &fun.vars[array.0 as usize].ty;
        // Dimensions that are not mentioned stay.
        let moved = perm.iter().map(|from| ty.dims()[*from]);
        let dims = moved.chain(ty.dims()[perm.len()..].iter().copied()).collect();
        let transposed = new_var(fun, "transposed", ty.with_dims(dims));
        stms.push(Stm { vars: vec![transposed], exp: Exp::rearrange(array, perm), ..stm.clone() });
        array = transposed;
    }
    stms.push(Stm { exp: Exp::copy(array), ..stm.clone() });
    Some(stms)
}

/// The array that a nest of maps copies, and how its dimensions are changed first.
fn copied(fun: &Fun, exp: &Exp) -> Option<(Var, Vec<Vec<usize>>)> {
    let Exp::Op(Operator::Map { width: _, inputs, lambda }) = exp else { return None };
    let ([input], [param]) = (&inputs[..], &lambda.params[..]) else { return None };
    if lambda.body.stms.is_empty() || fun.vars[input.0 as usize].ty.has_irregular_rows() {
        return None;
    }
    let mut perms = Vec::new();
    let mut array = *param;
    for stm in &lambda.body.stms {
        match &stm.exp {
            Exp::Array(ArrayExp::Rearrange { array: from, perm }) if *from == array => {
                perms.push(perm.clone())
            }
            Exp::Array(ArrayExp::Copy(from)) if *from == array => {}
            exp @ Exp::Op(Operator::Map { .. }) => match copied(fun, exp)? {
                (from, inner) if from == array => perms.extend(inner),
                _ => return None,
            },
            _ => return None,
        }
        array = stm.vars[0];
    }
    if lambda.body.result != [Atom::Var(array)] {
        return None;
    }
    let inside = |perm: &Vec<usize>| [0].into_iter().chain(perm.iter().map(|dim| dim + 1)).collect();
    Some((*input, perms.iter().map(inside).collect()))
}
