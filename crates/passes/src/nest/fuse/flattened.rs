//! What goes through all elements of an array that maps in maps make goes through its rows, so that it can be fused with these maps.
//!
//! ```text
//! let a: [n][m]f32 = map n (xs) \x { map m (ys) \y { .. } }          let a: [n][m]f32 = map n (xs) \x { map m (ys) \y { .. } }
//! let as: [nm]f32 = reshape a 2 (nm)                          ==>    let s: f32 = fused n (a) \row {
//! let s: f32 = reduce nm (as) op                                       let t: f32 = reduce m (row) op
//!                                                                      in t
//!                                                                    } reduce op
//! ```
//!
//! The same for more dimensions, one after the other. A map over all elements is a map over the rows, of which the result is reshaped, so that a reduction behind it comes to its rows, too. Other inputs have
//! rows of the same shape: they are flattened as well, or become rows. What no map makes stays: its elements are side by side, and one loop goes through them. Refuses: rows that are overwritten; inputs
//! beside them whose elements may not lie side by side.

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

/// The arrays of one shape that are flattened to these inputs, and statements that make those of them that were not there.
struct Shaped {
    dims: Vec<Atom>,
    arrays: Vec<Var>,
    made: Vec<Stm>,
}

fn shaped(names: &mut Names, inputs: &[Var], before: &[Stm]) -> Option<Shaped> {
    let bound_by = |var: Var| before.iter().rev().find(|stm| stm.vars.contains(&var));
    let flattened = |var: Var| match &bound_by(var)?.exp {
        Exp::Array(ArrayExp::Reshape { array, old, new }) => {
            (new.len() == 1 && *old > 1 && names.ty(*array).rank() == *old).then_some(*array)
        }
        _ => None,
    };
    let is_made =
        |array: &Var| bound_by(*array).is_some_and(|stm| matches!(stm.exp, Exp::Op(Operator::Map { .. })));
    let dims_of =
        |array: Var| names.ty(array).dims().iter().map(|dim| dim.atom()).collect::<Option<Vec<Atom>>>();
    let first = inputs.iter().filter_map(|input| flattened(*input)).find(is_made)?;
    let dims = dims_of(first)?;
    let mut arrays = Vec::with_capacity(inputs.len());
    for input in inputs {
        arrays.push(match flattened(*input) {
            Some(array) if dims_of(array)? != dims || names.memory.is_taken(array) => return None,
            Some(array) => Ok(array),
            None if names.memory.is_taken(*input) || !is_side_by_side(bound_by(*input)) => return None,
            None => Err(*input),
        });
    }
    let mut made = Vec::new();
    let mut rows = |input: Var| {
        let elem = names.ty(input).elem()?;
        let shape = dims.iter().copied().map(Dim::Size).collect();
        let array = names.fresh(&names.name(input), Type::Value(elem, shape));
        made.push(Stm::new(vec![array], Exp::reshape(input, 1, dims.clone()), before.last()?.span));
        Some(array)
    };
    let arrays =
        arrays.into_iter().map(|array| array.ok().or_else(|| rows(array.err()?))).collect::<Option<_>>()?;
    Some(Shaped { dims, arrays, made })
}

/// Whether elements of what a statement binds, or of what is bound elsewhere, lie one after the other.
fn is_side_by_side(stm: Option<&Stm>) -> bool {
    stm.is_none_or(|stm| !matches!(stm.exp, Exp::Array(ArrayExp::Index { .. } | ArrayExp::Rearrange { .. })))
}

fn reduced(names: &mut Names, stm: &Stm, op: &Reduction, inputs: &[Var], before: &[Stm]) -> Option<Vec<Stm>> {
    let is_scalar = |var: &Var| names.ty(*var).is_scalar();
    if !op.lambda.params.iter().all(is_scalar) {
        return None;
    }
    let Shaped { dims, arrays, mut made } = shaped(names, inputs, before)?;
    made.push(sums(names, stm, stm.vars.clone(), op, arrays, &dims));
    Some(made)
}

/// Binds variables to arrays of this shape, reduced.
fn sums(
    names: &mut Names,
    stm: &Stm,
    vars: Vec<Var>,
    op: &Reduction,
    arrays: Vec<Var>,
    dims: &[Atom],
) -> Stm {
    let op = Reduction { lambda: names.copy_lambda(&op.lambda), ..op.clone() };
    let exp = match dims {
        [width] => Operator::Reduce { width: *width, op, inputs: arrays },
        [rows, inside @ ..] => {
            let params: Vec<Var> = arrays.iter().flat_map(|array| names.row_params(*array)).collect();
            let of_row = names.like(&vars);
            let stms = vec![sums(names, stm, of_row.clone(), &op, params.clone(), inside)];
            let body = Body { stms, result: of_row.into_iter().map(Atom::Var).collect() };
            let (lambda, scans, reductions) = (Lambda::new(params, body), Vec::new(), vec![op]);
            Operator::Fused { width: *rows, inputs: arrays, lambda, scans, reductions }
        }
        [] => panic!("fuse: a reduction of an array without dimensions"),
    };
    Stm { vars, exp: Exp::Op(exp), ..stm.clone() }
}

fn mapped(names: &mut Names, stm: &Stm, inputs: &[Var], lambda: &Lambda, before: &[Stm]) -> Option<Vec<Stm>> {
    let is_scalar = |var: &Var| names.ty(*var).is_scalar();
    let numbers = stm.vars.iter().all(|var| names.ty(*var).rank() == 1 && !names.memory.is_taken(*var));
    if !numbers || !lambda.params.iter().all(is_scalar) {
        return None;
    }
    let Shaped { dims, arrays, made: mut list } = shaped(names, inputs, before)?;
    let results = like_arrays(names, &stm.vars, &dims)?;
    list.push(maps(names, stm, results.clone(), lambda, arrays, &dims)?);
    for (var, result) in stm.vars.iter().zip(results) {
        let size = names.ty(*var).dims()[0].atom()?;
        list.push(Stm::new(vec![*var], Exp::reshape(result, dims.len(), vec![size]), stm.span));
    }
    Some(list)
}

/// Binds variables to what a map of the elements of arrays of this shape yields.
fn maps(
    names: &mut Names,
    stm: &Stm,
    vars: Vec<Var>,
    lambda: &Lambda,
    arrays: Vec<Var>,
    dims: &[Atom],
) -> Option<Stm> {
    let exp = match dims {
        [width] => Exp::map(*width, arrays, lambda.clone()),
        [rows, inside @ ..] => {
            let params: Vec<Var> = arrays.iter().flat_map(|array| names.row_params(*array)).collect();
            let of_row = like_arrays(names, &vars, inside)?;
            let stms = vec![maps(names, stm, of_row.clone(), lambda, params.clone(), inside)?];
            let body = Body { stms, result: of_row.into_iter().map(Atom::Var).collect() };
            Exp::map(*rows, arrays, Lambda::new(params, body))
        }
        [] => panic!("fuse: a map of an array without dimensions"),
    };
    Some(Stm { vars, exp, ..stm.clone() })
}

/// New variables for arrays of such elements, of this shape.
fn like_arrays(names: &mut Names, vars: &[Var], dims: &[Atom]) -> Option<Vec<Var>> {
    let mut like = |var: &Var| {
        let elem = names.ty(*var).elem()?;
        let shape = dims.iter().copied().map(Dim::Size).collect();
        Some(names.fresh(&names.name(*var), Type::Value(elem, shape)))
    };
    vars.iter().map(&mut like).collect()
}
