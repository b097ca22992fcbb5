//! The types of kernels and the other expressions (N4, N8), and what each kernel obeys by itself (K2, K3, K7, K9, K14).
//!
//! A kernel is an index space, a body for each index, and outs that say what becomes of the body's results. So its check goes in
//! that order: the space (`verify_space`), the body in the scope of the indices, each out against the types that the body yields
//! (`verify_out`), and last what is between the outs and the body: arrays that are overwritten may be read only at the element
//! that is written (`verify_reads`), and `how` must name a line of the table of algorithms that can do these outs
//! (`verify_how`).
//!
//! Rules about several kernels, such as uniformity and sides, are in `flat/verify`.

use super::super::{Extent, Into, Kernel, Operator, Order, Out, Part, Reduction, SpaceDim, Type, Var};
use crate::skeleton::verify::scope::Binder;
use crate::skeleton::verify::types::{SOME, packed, with_length};
use crate::skeleton::verify::{Checker, Rule};
use crate::skeleton::{ArrayExp, Atom, Body, Dim, DimIndex, Elem, Exp, Prim};

pub fn verify(op: &Operator, checker: &mut Checker, bound: &[Type]) -> Option<Vec<Type>> {
    let segments = Type::Seg { count: SOME, total: SOME };
    match op {
        Operator::Kernel(kernel) => verify_kernel(kernel, checker, bound),
        Operator::Describe { lengths } => {
            checker.operand((*lengths).into(), &Type::array(Prim::I64, vec![SOME]));
            Some(vec![Type::i64(), segments])
        }
        Operator::Rows { array, starts, descriptor } => {
            checker.operand((*starts).into(), &Type::array(Prim::I64, vec![SOME]));
            is_descriptor(*descriptor, checker);
            let ty = checker.array(*array)?;
            let dims = [SOME, Dim::Irregular].into_iter().chain(ty.dims()[1..].iter().copied());
            Some(vec![ty.with_dims(dims.collect())])
        }
        Operator::Read(scalars) => {
            let types = checker.types_of(scalars);
            if let Some(ty) = types.iter().find(|ty| !ty.is_scalar()) {
                let ty = checker.show_ty(ty);
                checker.fail(Rule::N4, format!("{ty} is read, but only scalars are."));
            }
            Some(types)
        }
        Operator::CopyTo { array, side: _ } => Some(vec![checker.ty(*array)]),
        Operator::Choose { cases, otherwise } => {
            for (cond, body) in cases {
                checker.prim(*cond, Prim::Bool);
                checker.branch(body, bound);
            }
            checker.branch(otherwise, bound);
            Some(bound.to_vec())
        }
        Operator::Fact { fact: _, descriptor } => {
            is_descriptor(*descriptor, checker);
            Some(vec![Type::i64()])
        }
        Operator::Owner { descriptor, element: at } | Operator::Offset { descriptor, row: at } => {
            is_descriptor(*descriptor, checker);
            checker.size(*at);
            Some(vec![Type::i64()])
        }
    }
}

fn is_descriptor(var: Var, checker: &mut Checker) {
    if !matches!(checker.ty(var), Type::Seg { .. }) {
        let name = checker.show(var);
        checker.fail(Rule::K3, format!("{name} is no descriptor."));
    }
}

fn verify_kernel(kernel: &Kernel, checker: &mut Checker, bound: &[Type]) -> Option<Vec<Type>> {
    verify_space(kernel, checker);
    if let Some(when) = kernel.when {
        checker.prim(when, Prim::Bool);
    }
    // Operators see the points, the body all of the space and its accumulators.
    let outside = checker.scope.enter();
    kernel.points.iter().for_each(|dim| checker.bind(dim.var, Binder::Param));
    let points = checker.scope.enter();
    kernel.through.iter().for_each(|dim| checker.bind(dim.var, Binder::Param));
    for out in &kernel.outs {
        if let Out::Acc { var, .. } = out {
            checker.bind(*var, Binder::Param);
        }
    }
    let found = checker.body(&kernel.body);
    checker.scope.leave(points);
    let results = verify_outs(kernel, &found, checker, bound);
    checker.scope.leave(outside);
    verify_how(kernel, checker);
    verify_reads(kernel, checker);
    results
}

/// K2, K3.
fn verify_space(kernel: &Kernel, checker: &mut Checker) {
    let last = kernel.dims().count().saturating_sub(1);
    for (place, dim) in kernel.dims().enumerate() {
        match dim.extent {
            Extent::Size(size) => checker.size(size),
            Extent::Row(descriptor) => {
                is_descriptor(descriptor, checker);
                if place != last {
                    checker.fail(Rule::K2, "A dimension with `in` is not the last of its space.");
                } else if place == 0 {
                    checker.fail(Rule::K2, "Before a dimension with `in` stands none that names the row.");
                }
            }
        }
    }
}

/// K7, K14, and the results of each out.
fn verify_outs(kernel: &Kernel, found: &[Type], checker: &mut Checker, bound: &[Type]) -> Option<Vec<Type>> {
    if kernel.outs.len() > 1 && kernel.outs.iter().any(|out| matches!(out, Out::Sort { .. })) {
        checker.fail(Rule::K7, "A `sort` is not the only out of its kernel.");
    }
    let keeps = |out: &Out| out.destinations().is_empty() && out.yields(kernel.points.len()) > 0;
    if kernel.when.is_some() && kernel.outs.iter().any(keeps) {
        checker.fail(Rule::K14, "A kernel that may not happen has an out that is not `into` something.");
    }
    let (mut found, mut bound) = (found, bound);
    let mut results = Vec::new();
    for out in &kernel.outs {
        let Some((values, rest)) = found.split_at_checked(out.takes()) else {
            checker.fail(Rule::N8, "The outs of a kernel take more values than its body yields.");
            return None;
        };
        let yields = out.yields(kernel.points.len()).min(bound.len());
        results.extend(verify_out(kernel, out, values, checker, &bound[..yields])?);
        (found, bound) = (rest, &bound[yields..]);
    }
    if !found.is_empty() {
        checker.fail(Rule::N8, "The body of a kernel yields more values than its outs take.");
    }
    Some(results)
}

fn verify_out(
    kernel: &Kernel,
    out: &Out,
    values: &[Type],
    checker: &mut Checker,
    bound: &[Type],
) -> Option<Vec<Type>> {
    let space: Vec<Dim> = kernel.dims().map(pattern).collect();
    let points: Vec<Dim> = kernel.points.iter().map(pattern).collect();
    match out {
        Out::Map { values: _, into } if into.is_empty() => {
            let mut results = Vec::new();
            for (i, value) in values.iter().enumerate() {
                match value {
                    // That all checks have passed.
                    Type::Cert => results.push(Type::Cert),
                    Type::Value(..) | Type::Acc(_) | Type::Seg { .. } | Type::Region => {
                        let bound = bound.get(i..=i).unwrap_or_default();
                        results.extend(arrays(&space, std::slice::from_ref(value), checker, bound));
                    }
                }
            }
            Some(results)
        }
        Out::Map { values: _, into } => {
            if into.len() != values.len() {
                checker.fail(Rule::N8, "A `map` has values without a destination.");
                return None;
            }
            for (into, value) in into.iter().zip(values) {
                let part = checker.sliced(into.array, &into.part)?;
                let value = packed(&in_dims(&space, value), Some(&part));
                checker.yields(&[value], &[part], "The body of a kernel");
            }
            Some(into.iter().map(|into| checker.ty(into.array)).collect())
        }
        Out::Reduce { op, after } => {
            checker.reduction(op, values);
            let found = match after {
                Some(after) => checker.lambda(after, values, "what comes after `reduce`"),
                None => values.to_vec(),
            };
            Some(arrays(&points, &found, checker, bound))
        }
        Out::Scan { op, after } => {
            let scanned = &values[..op.neutral.len()];
            checker.reduction(op, scanned);
            let found = match after {
                Some(after) => checker.lambda(&after.lambda, values, "what comes after `scan`"),
                None => scanned.to_vec(),
            };
            Some(arrays(&space, &found, checker, bound))
        }
        Out::Filter { values: _ } => {
            checker.yields(&values[..1], &[Type::bool()], "What a `filter` asks");
            if kernel.points.len() > 1 {
                checker
                    .fail(Rule::K2, "A `filter` has several dimensions of points, which are not collapsed.");
            }
            let mut results = vec![Type::i64()];
            if !points.is_empty() {
                results.push(Type::Seg { count: SOME, total: SOME });
            }
            let dims = if points.is_empty() { vec![SOME] } else { vec![SOME, Dim::Irregular] };
            let bound = bound.get(results.len()..).unwrap_or_default();
            results.extend(arrays(&dims, &values[1..], checker, bound));
            Some(results)
        }
        Out::Partition { values: _ } => {
            checker.yields(&values[..1], &[Type::bool()], "What a `partition` asks");
            through_one(kernel, checker);
            let mut results = arrays(&points, &[Type::i64()], checker, &[]);
            results.extend(arrays(&space, &values[1..], checker, bound.get(1..).unwrap_or_default()));
            Some(results)
        }
        Out::Sort { order, values: _ } => {
            through_one(kernel, checker);
            match order {
                Order::Key => {
                    if !matches!(values.first(), Some(Type::Value(Elem::Prim(_), dims)) if dims.is_empty()) {
                        checker.fail(Rule::N4, "The first value of a `sort` is no primitive key.");
                    }
                }
                Order::By(lambda) => {
                    let found = checker.lambda(lambda, &[values, values].concat(), "the order of `sort`");
                    checker.yields(&found, &[Type::bool()], "The order of `sort`");
                }
            }
            Some(arrays(&space, values, checker, bound))
        }
        Out::Scatter { indices, into } => verify_writes(&points, *indices, into, None, values, checker),
        Out::Hist { op, indices, into } => verify_writes(&points, *indices, into, Some(op), values, checker),
        Out::Acc { var, op, into } => {
            let types = checker.arrays(into)?;
            let acc = Type::Acc(types.clone());
            checker.operand((*var).into(), &acc);
            checker.yields(values, &[acc], "The body of a kernel");
            if let Some(op) = op {
                let rows = checker.rows(into)?;
                checker.reduction(op, &rows);
            }
            Some(types)
        }
    }
}

/// Each point writes to a part of its own of each destination.
fn verify_writes(
    points: &[Dim],
    indices: usize,
    into: &[Into],
    op: Option<&Reduction>,
    values: &[Type],
    checker: &mut Checker,
) -> Option<Vec<Type>> {
    let mut expected = vec![Type::i64(); indices];
    let mut columns = Vec::new();
    for into in into {
        let part = checker.sliced(into.array, &into.part)?;
        let dims = part.dims();
        let own = dims.len().checked_sub(points.len() + indices).filter(|_| indices > 0);
        if own.is_none() || !Dim::same_pattern(&dims[..points.len()], points) {
            let part = checker.show_ty(&part);
            checker.fail(Rule::N4, format!("{part} has no part for each point with {indices} indices."));
            return None;
        }
        let value = with_length(part.with_dims(dims[points.len() + indices..].to_vec()));
        expected.extend(value.last().cloned());
        columns.extend(value);
    }
    let values: Vec<Type> =
        values.iter().zip(&expected).map(|(ty, expected)| packed(ty, Some(expected))).collect();
    checker.yields(&values, &expected, "The body of a kernel");
    if let Some(op) = op {
        checker.reduction(op, &columns);
    }
    Some(into.iter().map(|into| checker.ty(into.array)).collect())
}

fn through_one(kernel: &Kernel, checker: &mut Checker) {
    if kernel.through.len() != 1 {
        checker.fail(Rule::K2, "A `partition` or `sort` goes through other than one dimension.");
    }
}

/// How a dimension of the space looks in a type.
fn pattern(dim: &SpaceDim) -> Dim {
    match dim.extent {
        Extent::Size(_) => SOME,
        Extent::Row(_) => Dim::Irregular,
    }
}

fn in_dims(dims: &[Dim], ty: &Type) -> Type {
    dims.iter().rev().fold(ty.clone(), |ty, dim| ty.array_of(*dim))
}

/// Arrays with these dimensions of elements that have one shape (K8).
fn arrays(dims: &[Dim], values: &[Type], checker: &mut Checker, bound: &[Type]) -> Vec<Type> {
    let mut arrays = Vec::with_capacity(values.len());
    for (i, value) in values.iter().enumerate() {
        if value.elem().is_none() {
            let value = checker.show_ty(value);
            checker.fail(
                Rule::N8,
                format!("The body of a kernel yields {value}, of which there are no arrays."),
            );
        }
        let elem = bound.get(i).and_then(|ty| ty.dims().get(dims.len()..)).unwrap_or(value.dims());
        if elem.contains(&Dim::Irregular) || value.dims().contains(&Dim::Irregular) {
            checker.fail(
                Rule::K8,
                "An element of a kernel is an array that has not one shape all over its space.",
            );
        }
        arrays.push(packed(&in_dims(dims, value), bound.get(i)));
    }
    arrays
}

/// K7: what `how` names.
fn verify_how(kernel: &Kernel, checker: &mut Checker) {
    let Some(how) = &kernel.how else { return };
    if !kernel.outs.iter().any(|out| how.line.serves(out)) {
        checker.fail(Rule::K7, format!("`{}` serves no out of its kernel.", how.line.name()));
    }
    for (i, (tunable, _)) in how.args.iter().enumerate() {
        let twice = how.args[..i].iter().any(|(other, _)| other == tunable);
        if twice || !how.line.tunables().contains(tunable) {
            checker.fail(Rule::K7, format!("`{}` is not given `{}` once.", how.line.name(), tunable.name()));
        }
    }
}

/// K9: what is overwritten is read, if at all, by a map at its own element.
fn verify_reads(kernel: &Kernel, checker: &mut Checker) {
    let own: Vec<Atom> = kernel.dims().map(|dim| dim.var.into()).collect();
    for out in &kernel.outs {
        for into in out.destinations() {
            let own = match out {
                Out::Map { into: all, .. } if all.iter().any(|i| i.array == into && i.part.is_empty()) => {
                    Some(&own[..])
                }
                Out::Map { .. }
                | Out::Reduce { .. }
                | Out::Scan { .. }
                | Out::Filter { .. }
                | Out::Partition { .. }
                | Out::Sort { .. }
                | Out::Scatter { .. }
                | Out::Hist { .. }
                | Out::Acc { .. } => None,
            };
            if reads(&kernel.body, into, own) {
                let name = checker.show(into);
                checker.fail(Rule::K9, format!("The body reads {name}, which its kernel overwrites."));
            }
        }
    }
}

/// Whether a body mentions the array, other than to read the element that it is about.
fn reads(body: &Body<Operator>, array: Var, own: Option<&[Atom]>) -> bool {
    let in_stms = body.stms.iter().any(|stm| {
        if let (Exp::Array(ArrayExp::Index { array: read, slice }), Some(own)) = (&stm.exp, own)
            && *read == array
            && slice.iter().eq(own.iter().map(|index| DimIndex::Fix(*index)).collect::<Vec<_>>().iter())
        {
            return false;
        }
        let mut found = false;
        stm.for_each_part(&mut |part| match part {
            Part::Atom(Atom::Var(var)) | Part::Var(var) => found |= *var == array,
            Part::Atom(Atom::Const(_)) | Part::Binder(_) => {}
            Part::Body(body) => found |= reads(body, array, own),
            Part::Lambda(lambda) => found |= reads(&lambda.body, array, own),
        });
        found
    });
    in_stms || body.result.contains(&Atom::Var(array))
}
