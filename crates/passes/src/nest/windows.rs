//! Reductions of all elements of a window of a matrix go through its rows, on a processor.
//!
//! ```text
//! let window: [5][5]f32 = index x [i:5:1, j:5:1]        let s: f32 = fused 5 (window, k) \(row, weights) {
//! let xs: [25]f32 = reshape window 2 (25)                 let t: f32 = fused 5 (row, weights) \(x, y) { .. } reduce add
//! let ks: [25]f32 = reshape k 2 (25)              ==>     in t
//! let s: f32 = fused 25 (xs, ks) \(x, y) { .. } reduce add   } reduce add
//! ```
//!
//! A window is not side by side in memory, so its elements in a row would be a copy of it. Gives: reductions inside reductions, which `scalars` writes out where they are short.
//! Refuses: operators that also scan or yield elements, or combine rows; other inputs than flattened matrices of the same shape. What is side by side stays: one loop
//! goes through it.

use crate::nest::dce::dce;
use crate::nest::subst::{Names, replace_statements};
use norn_ir::nest::{
    ArrayExp, Atom, Body, Combining, Dim, DimIndex, Exp, Lambda, Operator, Prog, Reduction, Stm, Var,
};

pub fn windows(prog: &mut Prog) {
    let changed = replace_statements(prog, &mut |names, stm, out| {
        let made = by_rows(names, &stm, out);
        let changed = made.is_some();
        out.push(made.unwrap_or(stm));
        changed
    });
    if changed {
        dce(prog);
    }
}

fn by_rows(names: &mut Names, stm: &Stm, before: &[Stm]) -> Option<Stm> {
    let Combining { width: _, inputs, lambda, scans, reductions } = stm.exp.op()?.combining()?;
    let combined: usize = reductions.iter().map(|op| op.neutral.len()).sum();
    let combines_rows = |op: &Reduction| op.lambda.params.iter().any(|param| !names.ty(*param).is_scalar());
    if !scans.is_empty() || combined != stm.vars.len() || reductions.iter().any(combines_rows) {
        return None;
    }
    let Matrices { arrays, rows, width } = matrices(names, inputs, before)?;
    let lambda = lambda.map(|lambda| names.copy_lambda(lambda));
    let own: Vec<Reduction> = reductions
        .iter()
        .map(|op| Reduction { lambda: names.copy_lambda(&op.lambda), ..op.clone() })
        .collect();
    let params: Vec<Var> = arrays.iter().flat_map(|array| names.row_params(*array)).collect();
    let of_row = match (lambda, &own[..]) {
        (None, [op]) => Operator::Reduce { width, op: op.clone(), inputs: params.clone() },
        (None, _) => return None,
        (Some(lambda), _) => {
            Operator::Fused { width, inputs: params.clone(), lambda, scans: Vec::new(), reductions: own }
        }
    };
    let sums = names.like(&stm.vars);
    let stms = vec![Stm { vars: sums.clone(), exp: Exp::Op(of_row), ..stm.clone() }];
    let body = Body { stms, result: sums.into_iter().map(Atom::Var).collect() };
    let exp = Exp::Op(Operator::Fused {
        width: rows,
        inputs: arrays,
        lambda: Lambda::new(params, body),
        scans: Vec::new(),
        reductions: reductions.to_vec(),
    });
    Some(Stm { exp, ..stm.clone() })
}

/// The matrices that are flattened to the inputs: how many rows they have, and how long these are.
struct Matrices {
    arrays: Vec<Var>,
    rows: Atom,
    width: Atom,
}

fn matrices(names: &Names, inputs: &[Var], before: &[Stm]) -> Option<Matrices> {
    let bound_by = |var: Var| before.iter().rev().find(|stm| stm.vars.contains(&var));
    let mut found: Option<Matrices> = None;
    let mut has_window = false;
    for input in inputs {
        let Exp::Array(ArrayExp::Reshape { array, old, new }) = &bound_by(*input)?.exp else { return None };
        let ty = names.ty(*array);
        if *old != 2 || ty.rank() != 2 || new.len() != 1 || names.memory.is_taken(*array) {
            return None;
        }
        has_window |= bound_by(*array).is_some_and(|stm| is_window(names, stm));
        let (rows, width) = (ty.dims()[0].atom()?, ty.dims()[1].atom()?);
        match &mut found {
            None => found = Some(Matrices { arrays: vec![*array], rows, width }),
            Some(found) if (found.rows, found.width) == (rows, width) => found.arrays.push(*array),
            Some(_) => return None,
        }
    }
    found.filter(|_| has_window)
}

/// Whether what a statement binds is a view of which rows do not follow each other in memory.
fn is_window(names: &Names, stm: &Stm) -> bool {
    match &stm.exp {
        Exp::Array(ArrayExp::Rearrange { .. }) => true,
        Exp::Array(ArrayExp::Index { array, slice }) => {
            let dims = names.ty(*array).dims();
            let is_partial = |(part, dim): (&DimIndex, &Dim)| match part {
                DimIndex::Fix(_) => true,
                DimIndex::Slice { start, count, stride } => {
                    *start != Atom::i64(0) || *stride != Atom::i64(1) || dim.atom() != Some(*count)
                }
            };
            // Behind the first dimension that is kept.
            let kept = slice.iter().position(|part| matches!(part, DimIndex::Slice { .. }));
            kept.is_some_and(|kept| slice.iter().zip(dims).skip(kept + 1).any(is_partial))
        }
        _ => false,
    }
}
