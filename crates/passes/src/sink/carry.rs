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
        if let [scalar] = stm.vars[..]
            && found.is_fleeting(scalar)
        {
            let array = stored_now(names, &mut stm, scalar, &mut after);
            after.push(only_element(scalar, array, stm.span));
            carries = true;
        }
        carries |= carry_in_loop(names, found, &mut stm, &mut body.stms, &mut after);
        carries |= carry_into_array(names, found, &mut stm, &mut body.stms);
        carries |= carry_into_literal(names, found, &mut stm, &mut body.stms);
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
    let mut carries = false;
    let mut first_stms = Vec::new();
    for (at, (param, first)) in params.iter_mut().enumerate() {
        if found.source(param.var) != Source::Carried || !found.stays(param.var) {
            continue;
        }
        carries = true;
        let scalar = param.var;
        let name = names.name(scalar);
        let array = names.fresh(&name, array_of(names.ty(scalar)));
        *first = as_array(names, found, *first, span, before).into();
        *param = Param { var: array, unique: false };
        first_stms.push(only_element(scalar, array, span));
        if let LoopForm::While(cond) = form {
            let own = names.like(&[scalar])[0];
            Subst::of(&[scalar], [own.into()]).body_and_types(&mut names.vars, cond);
            cond.stms.insert(0, only_element(own, array, span));
        }
        body.result[at] = match body.result[at] {
            Atom::Var(next) if next == scalar => array.into(),
            next => as_array(names, found, next, span, &mut body.stms).into(),
        };
        let last = names.fresh(&name, array_of(names.ty(scalar)));
        after.push(only_element(std::mem::replace(&mut vars[at], last), last, span));
    }
    body.stms.splice(0..0, first_stms);
    carries
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

fn carry_out_of_branch(names: &mut Names, found: &Found, stm: &mut Stm, after: &mut Vec<Stm>) -> bool {
    if !matches!(stm.exp, Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. })) {
        return false;
    }
    let carried = |var: &Var| found.source(*var) == Source::Carried && found.stays(*var);
    let positions: Vec<usize> = (0..stm.vars.len()).filter(|at| carried(&stm.vars[*at])).collect();
    let span = stm.span;
    for at in &positions {
        let scalar = stm.vars[*at];
        stm.for_each_part_mut(&mut |part| {
            if let PartMut::Body(body) = part {
                let array = as_array(names, found, body.result[*at], span, &mut body.stms);
                body.result[*at] = array.into();
            }
        });
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

/// The scalar as an array. What only threads know, a kernel stores.
fn as_array(names: &mut Names, found: &Found, scalar: Atom, span: Span, out: &mut Vec<Stm>) -> Var {
    let (ty, name) = match scalar {
        Atom::Var(var) => (names.ty(var).clone(), names.name(var)),
        Atom::Const(constant) => (Type::scalar(constant.prim()), "start".to_string()),
    };
    let array = names.fresh(&name, array_of(&ty));
    let is_computed = |var: Var| matches!(found.source(var), Source::Computed | Source::Carried);
    let exp = match scalar {
        Atom::Var(var) if is_computed(var) && found.stays(var) => kernel_of_one(names, var, span, out),
        _ => Exp::Array(ArrayExp::ArrayLit(vec![scalar])),
    };
    out.push(Stm::new(vec![array], exp, span));
    array
}

/// A kernel of one thread that stores the scalar.
fn kernel_of_one(names: &mut Names, scalar: Var, span: Span, out: &mut Vec<Stm>) -> Exp {
    let one = Atom::i64(1);
    let numbers = names.fresh("only", Type::array(Prim::I64, vec![Dim::Size(one)]));
    out.push(Stm::new(vec![numbers], Exp::iota(one), span));
    let params = names.row_params(numbers);
    let lambda = Lambda::new(params, Body { stms: Vec::new(), result: vec![scalar.into()] });
    Exp::Op(Operator::Map { width: one, inputs: vec![numbers], lambda })
}

/// An array of what the statement yields, which is bound by another name for that.
fn stored_now(names: &mut Names, stm: &mut Stm, scalar: Var, out: &mut Vec<Stm>) -> Var {
    stm.vars = names.like(&[scalar]);
    let exp = kernel_of_one(names, stm.vars[0], stm.span, out);
    let array = names.fresh(&names.name(scalar), array_of(names.ty(scalar)));
    out.push(Stm::new(vec![array], exp, stm.span));
    array
}
