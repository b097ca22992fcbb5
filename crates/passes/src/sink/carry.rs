//! Scalars that stay on the device while a loop hands them on, where branches join, or where they become elements of arrays: as arrays of one
//! element.

use super::plan::{Found, Source};
use crate::nest::subst::{Names, Subst};
use norn_base::Span;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, Dim, DimIndex, Exp, Lambda, LoopForm, Operator, Param, Prim, Stm, Type,
    Var,
};

/// In all loops, branches and updates of a body; whether there was one.
pub fn carry(names: &mut Names, found: &Found, body: &mut Body) -> bool {
    let mut carries = false;
    for mut stm in std::mem::take(&mut body.stms) {
        stm.for_each_part_mut(&mut |part| {
            if let PartMut::Body(body) = part {
                carries |= carry(names, found, body);
            }
        });
        let mut after = Vec::new();
        if stm.vars.iter().any(|var| found.is_fleeting(*var)) {
            store_now(names, &mut stm, &mut after);
            carries = true;
        }
        carries |= carry_in_loop(names, found, &mut stm, &mut body.stms, &mut after);
        carries |= carry_into_array(names, found, &mut stm, &mut body.stms);
        carries |= carry_into_literal(names, found, &mut stm, &mut body.stms);
        carries |= carry_into_copies(names, found, &mut stm, &mut body.stms);
        carries |= carry_out_of_branch(names, found, &mut stm, &mut after);
        body.stms.push(stm);
        body.stms.append(&mut after);
    }
    carries
}

fn carry_in_loop(
    names: &mut Names,
    found: &Found,
    stm: &mut Stm,
    before: &mut Vec<Stm>,
    after: &mut Vec<Stm>,
) -> bool {
    let (span, vars) = (stm.span, &mut stm.vars);
    let Exp::Control(ControlExp::Loop { params, form, body }) = &mut stm.exp else { return false };
    let carried =
        |(param, _): &(Param, Atom)| found.source(param.var) == Source::Carried && found.stays(param.var);
    let positions: Vec<usize> = (0..params.len()).filter(|at| carried(&params[*at])).collect();
    let firsts: Vec<Atom> = positions.iter().map(|at| params[*at].1).collect();
    let firsts = as_arrays(names, found, &firsts, span, before);
    let mut first_stms = Vec::new();
    let mut next = Vec::new();
    for (at, first_array) in positions.iter().zip(firsts) {
        let (param, first) = &mut params[*at];
        let scalar = param.var;
        let name = names.name(scalar);
        let array = names.fresh(&name, array_of(names.ty(scalar)));
        *first = first_array.into();
        *param = Param { var: array, unique: false };
        first_stms.push(only_element(scalar, array, span));
        if let LoopForm::While(cond) = form {
            let own = names.like(&[scalar])[0];
            Subst::of(&[scalar], [own.into()]).body_and_types(&mut names.vars, cond);
            cond.stms.insert(0, only_element(own, array, span));
        }
        match body.result[*at] {
            Atom::Var(same) if same == scalar => body.result[*at] = array.into(),
            scalar => next.push((*at, scalar)),
        }
        let last = names.fresh(&name, array_of(names.ty(scalar)));
        after.push(only_element(std::mem::replace(&mut vars[*at], last), last, span));
    }
    let scalars: Vec<Atom> = next.iter().map(|(_, scalar)| *scalar).collect();
    // As soon as all of them are known: the kernel before, mostly one that reduces, can store them then (`epilogue`).
    let binds_some = |stm: &Stm| stm.vars.iter().any(|var| scalars.contains(&Atom::Var(*var)));
    let known = body.stms.iter().rposition(binds_some).map_or(0, |last| last + 1);
    let behind = body.stms.split_off(known);
    let arrays = as_arrays(names, found, &scalars, span, &mut body.stms);
    body.stms.extend(behind);
    for ((at, _), array) in next.iter().zip(arrays) {
        body.result[*at] = array.into();
    }
    body.stms.splice(0..0, first_stms);
    !positions.is_empty()
}

/// The element is a part of one element.
fn carry_into_array(names: &mut Names, found: &Found, stm: &mut Stm, before: &mut Vec<Stm>) -> bool {
    let span = stm.span;
    let Exp::Array(ArrayExp::Update { array: _, slice, value }) = &mut stm.exp else { return false };
    let (Some(DimIndex::Fix(at)), Atom::Var(scalar)) = (slice.last().cloned(), *value) else { return false };
    if !found.stays(scalar) {
        return false;
    }
    *value = as_array(names, found, scalar.into(), span, before).into();
    let part = DimIndex::Slice { start: at, count: Atom::i64(1), stride: Atom::i64(1) };
    slice.splice(slice.len() - 1.., [part]);
    true
}

/// A kernel makes the array, a thread for each element.
fn carry_into_literal(names: &mut Names, found: &Found, stm: &mut Stm, before: &mut Vec<Stm>) -> bool {
    let Exp::Array(ArrayExp::ArrayLit(elements)) = &stm.exp else { return false };
    let [others @ .., last] = &elements[..] else { return false };
    let stays = |element: &Atom| element.var().is_some_and(|var| found.stays(var));
    // One sum is an array on the device anyway.
    let is_sum = |element: &Atom| element.var().is_some_and(|var| found.source(var) == Source::Reduced);
    if !elements.iter().any(stays) || others.is_empty() && is_sum(last) {
        return false;
    }
    let only = |element: &Atom| Body { stms: Vec::new(), result: vec![*element] };
    let cases = (0..).zip(others.iter().map(only)).collect();
    let count = Atom::i64(elements.len() as i64);
    let numbers = names.fresh("numbers", Type::array(Prim::I64, vec![Dim::Size(count)]));
    before.push(Stm::new(vec![numbers], Exp::iota(count), stm.span));
    let number = names.fresh("number", Type::i64());
    let element_ty = names.ty(stm.vars[0]).row().unwrap_or_else(|| panic!("sink: an array without elements"));
    let element = names.fresh("element", element_ty);
    let body = if others.is_empty() {
        only(last)
    } else {
        let choice = ControlExp::Switch { scrutinee: number.into(), cases, default: only(last) };
        let choice = Stm::new(vec![element], Exp::Control(choice), stm.span);
        Body { stms: vec![choice], result: vec![element.into()] }
    };
    let lambda = Lambda::new(vec![number], body);
    stm.exp = Exp::Op(Operator::Map { width: count, inputs: vec![numbers], lambda });
    true
}

/// A kernel makes the array of equal elements.
fn carry_into_copies(names: &mut Names, found: &Found, stm: &mut Stm, before: &mut Vec<Stm>) -> bool {
    let Exp::Array(ArrayExp::Replicate { count, value: Atom::Var(value) }) = stm.exp else { return false };
    if !found.stays(value) {
        return false;
    }
    stm.exp = kernel_of(names, count, vec![value.into()], stm.span, before);
    true
}

fn carry_out_of_branch(names: &mut Names, found: &Found, stm: &mut Stm, after: &mut Vec<Stm>) -> bool {
    if !matches!(stm.exp, Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. })) {
        return false;
    }
    let carried = |var: &Var| found.source(*var) == Source::Carried && found.stays(*var);
    let positions: Vec<usize> = (0..stm.vars.len()).filter(|at| carried(&stm.vars[*at])).collect();
    let span = stm.span;
    stm.for_each_part_mut(&mut |part| {
        if let PartMut::Body(body) = part {
            let scalars: Vec<Atom> = positions.iter().map(|at| body.result[*at]).collect();
            let arrays = as_arrays(names, found, &scalars, span, &mut body.stms);
            for (at, array) in positions.iter().zip(arrays) {
                body.result[*at] = array.into();
            }
        }
    });
    for at in &positions {
        let scalar = stm.vars[*at];
        stm.vars[*at] = names.fresh(&names.name(scalar), array_of(names.ty(scalar)));
        after.push(only_element(scalar, stm.vars[*at], span));
    }
    !positions.is_empty()
}

fn array_of(scalar: &Type) -> Type {
    let prim = scalar.prim().unwrap_or_else(|| panic!("sink: a loop that hands on no number"));
    Type::array(prim, vec![Dim::Size(Atom::i64(1))])
}

fn only_element(scalar: Var, array: Var, span: Span) -> Stm {
    Stm::new(vec![scalar], Exp::index(array, vec![DimIndex::Fix(Atom::i64(0))]), span)
}

/// The scalars as arrays. What only threads know, a kernel stores, all of it at once.
fn as_arrays(names: &mut Names, found: &Found, scalars: &[Atom], span: Span, out: &mut Vec<Stm>) -> Vec<Var> {
    let is_computed = |scalar: &Atom| {
        let is_computed = |var| matches!(found.source(var), Source::Computed | Source::Carried);
        scalar.var().is_some_and(|var| is_computed(var) && found.stays(var))
    };
    let mut arrays = Vec::with_capacity(scalars.len());
    let (mut stored, mut results) = (Vec::new(), Vec::new());
    for scalar in scalars {
        let (ty, name) = match scalar {
            Atom::Var(var) => (names.ty(*var).clone(), names.name(*var)),
            Atom::Const(constant) => (Type::scalar(constant.prim()), "start".to_string()),
        };
        let array = names.fresh(&name, array_of(&ty));
        arrays.push(array);
        if is_computed(scalar) {
            stored.push(array);
            results.push(*scalar);
        } else {
            out.push(Stm::new(vec![array], Exp::Array(ArrayExp::ArrayLit(vec![*scalar])), span));
        }
    }
    if !stored.is_empty() {
        let exp = kernel_of(names, Atom::i64(1), results, span, out);
        out.push(Stm::new(stored, exp, span));
    }
    arrays
}

fn as_array(names: &mut Names, found: &Found, scalar: Atom, span: Span, out: &mut Vec<Stm>) -> Var {
    as_arrays(names, found, &[scalar], span, out)[0]
}

/// A kernel of so many threads, each of which stores the scalars.
fn kernel_of(names: &mut Names, width: Atom, scalars: Vec<Atom>, span: Span, out: &mut Vec<Stm>) -> Exp {
    let numbers = names.fresh("only", Type::array(Prim::I64, vec![Dim::Size(width)]));
    out.push(Stm::new(vec![numbers], Exp::iota(width), span));
    let params = names.row_params(numbers);
    let lambda = Lambda::new(params, Body { stms: Vec::new(), result: scalars });
    Exp::Op(Operator::Map { width, inputs: vec![numbers], lambda })
}

/// Behind the statement, arrays of what it yields, which it binds by other names for that, and these as elements of the arrays.
fn store_now(names: &mut Names, stm: &mut Stm, out: &mut Vec<Stm>) {
    let scalars = std::mem::take(&mut stm.vars);
    stm.vars = names.like(&scalars);
    let results = stm.vars.iter().map(|var| Atom::Var(*var)).collect();
    let exp = kernel_of(names, Atom::i64(1), results, stm.span, out);
    let arrays: Vec<Var> =
        scalars.iter().map(|var| names.fresh(&names.name(*var), array_of(names.ty(*var)))).collect();
    out.push(Stm::new(arrays.clone(), exp, stm.span));
    out.extend(scalars.into_iter().zip(arrays).map(|(scalar, array)| only_element(scalar, array, stm.span)));
}
