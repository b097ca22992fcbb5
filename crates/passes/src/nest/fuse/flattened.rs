//! What goes through all elements of a matrix that maps make goes through its rows, so that it can be fused with these maps.
//!
//! ```text
//! let a: [n][m]f32 = map n (xs) \x { map m (ys) \y { .. } }          let a: [n][m]f32 = map n (xs) \x { map m (ys) \y { .. } }
//! let as: [nm]f32 = reshape a 2 (nm)                          ==>    let s: f32 = fused n (a) \row {
//! let s: f32 = reduce nm (as) op                                       let t: f32 = reduce m (row) op
//!                                                                      in t
//!                                                                    } reduce op
//! ```
//!
//! A map over all elements is a map over the rows, of which the result is reshaped, so that a reduction behind it comes to its rows, too. What is not made by a map stays: its elements are side
//! by side, and one loop goes through them. Refuses: operators over several arrays that are not all matrices of one shape; rows that are overwritten.

use crate::nest::subst::{Names, replace_statements};
use norn_ir::nest::{ArrayExp, Atom, Body, Dim, Exp, Lambda, Operator, Prog, Reduction, Stm, Type, Var};

/// In all functions; whether there was something.
pub fn by_rows(prog: &mut Prog) -> bool {
    replace_statements(prog, &mut |names, stm, out| {
        let made = match &stm.exp {
            Exp::Op(Operator::Reduce { op, inputs, .. }) => reduced(names, &stm, op, inputs, out),
            Exp::Op(Operator::Map { inputs, lambda, .. }) => mapped(names, &stm, inputs, lambda, out),
            _ => None,
        };
        let changed = made.is_some();
        out.extend(made.unwrap_or_else(|| vec![stm]));
        changed
    })
}

/// The matrices that are flattened to these inputs: how many rows they have, and how long these are.
struct Matrices {
    arrays: Vec<Var>,
    rows: Atom,
    width: Atom,
}

fn matrices(names: &Names, inputs: &[Var], before: &[Stm]) -> Option<Matrices> {
    let bound_by = |var: Var| before.iter().rev().find(|stm| stm.vars.contains(&var));
    let mut found: Option<Matrices> = None;
    for input in inputs {
        let Exp::Array(ArrayExp::Reshape { array, old, new }) = &bound_by(*input)?.exp else { return None };
        let ty = names.ty(*array);
        let is_flattened = *old == 2 && ty.rank() == 2 && new.len() == 1;
        let is_made = matches!(bound_by(*array)?.exp, Exp::Op(Operator::Map { .. }));
        if !is_flattened || !is_made || names.memory.is_taken(*array) {
            return None;
        }
        let (rows, width) = (ty.dims()[0].atom()?, ty.dims()[1].atom()?);
        match &mut found {
            None => found = Some(Matrices { arrays: vec![*array], rows, width }),
            Some(found) if (found.rows, found.width) == (rows, width) => found.arrays.push(*array),
            Some(_) => return None,
        }
    }
    found
}

fn reduced(names: &mut Names, stm: &Stm, op: &Reduction, inputs: &[Var], before: &[Stm]) -> Option<Vec<Stm>> {
    let is_scalar = |var: &Var| names.ty(*var).is_scalar();
    if !op.lambda.params.iter().all(is_scalar) {
        return None;
    }
    let Matrices { arrays, rows, width } = matrices(names, inputs, before)?;
    let params: Vec<Var> = arrays.iter().flat_map(|array| names.row_params(*array)).collect();
    let sums = names.like(&stm.vars);
    let of_row = Operator::Reduce {
        width,
        op: Reduction { lambda: names.copy_lambda(&op.lambda), ..op.clone() },
        inputs: params.clone(),
    };
    let stms = vec![Stm { vars: sums.clone(), exp: Exp::Op(of_row), ..stm.clone() }];
    let body = Body { stms, result: sums.into_iter().map(Atom::Var).collect() };
    let exp = Exp::Op(Operator::Fused {
        width: rows,
        inputs: arrays,
        lambda: Lambda::new(params, body),
        scans: Vec::new(),
        reductions: vec![op.clone()],
    });
    Some(vec![Stm { exp, ..stm.clone() }])
}

fn mapped(names: &mut Names, stm: &Stm, inputs: &[Var], lambda: &Lambda, before: &[Stm]) -> Option<Vec<Stm>> {
    let is_scalar = |var: &Var| names.ty(*var).is_scalar();
    let numbers = stm.vars.iter().all(|var| names.ty(*var).rank() == 1 && !names.memory.is_taken(*var));
    if !numbers || !lambda.params.iter().all(is_scalar) {
        return None;
    }
    let Matrices { arrays, rows, width } = matrices(names, inputs, before)?;
    let params: Vec<Var> = arrays.iter().flat_map(|array| names.row_params(*array)).collect();
    let whole = |names: &mut Names, var: Var, dims: Vec<Dim>| {
        let elem = names.ty(var).elem();
        elem.map(|elem| names.fresh(&names.name(var), Type::Value(elem, dims)))
    };
    let results: Vec<Var> =
        stm.vars.iter().map(|var| whole(names, *var, vec![Dim::Size(width)])).collect::<Option<_>>()?;
    let exp = Exp::map(width, params.clone(), lambda.clone());
    let stms = vec![Stm { vars: results.clone(), exp, ..stm.clone() }];
    let body = Body { stms, result: results.into_iter().map(Atom::Var).collect() };
    let dims = || vec![Dim::Size(rows), Dim::Size(width)];
    let made: Vec<Var> = stm.vars.iter().map(|var| whole(names, *var, dims())).collect::<Option<_>>()?;
    let mut list = vec![Stm {
        vars: made.clone(),
        exp: Exp::map(rows, arrays, Lambda::new(params, body)),
        ..stm.clone()
    }];
    for (var, made) in stm.vars.iter().zip(made) {
        let size = names.ty(*var).dims()[0].atom()?;
        list.push(Stm::new(vec![*var], Exp::reshape(made, 2, vec![size]), stm.span));
    }
    Some(list)
}
