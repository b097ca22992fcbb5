//! Rows that a lambda reshapes are reshaped all at once, outside.
//!
//! ```text
//! let a: [c][n][m]f32 = rearrange xsss (1, 0)                let a: [c][n][m]f32 = rearrange xsss (1, 0)
//! let sums: [c]f32 = map c (a) \(row: [n][m]f32) {           let rows: [c][nm]f32 = reshape a 3 (c, nm)
//!   let xs: [nm]f32 = reshape row 2 (nm)               ==>   let sums: [c]f32 = map c (rows) \(xs: [nm]f32) {
//!   let s: f32 = reduce nm (xs) ..                             let s: f32 = reduce nm (xs) ..
//!   in s                                                       in s
//! }                                                          }
//! ```
//!
//! Views of the row that come before (transposed, a part of it) go along, and what a map makes and yields in another shape is reshaped behind it.
//!
//! A row whose elements do not follow each other in memory has to be copied to be reshaped. In a lambda one thread would copy all of the row, into memory of
//! its own; outside, a kernel copies all rows, with a thread for each element. Where the elements do follow each other, both are views.
//!
//! Needs: nest. Gives: the same. Refuses: rows that the lambda overwrites, sizes that it computes, and rows of different lengths. Cost: linear.

use crate::nest::subst::{Names, replace_statements};
use norn_ir::nest::{Applied, ArrayExp, Atom, Dim, DimIndex, Exp, Lambda, Operator, Prog, Stm, Type, Var};

/// In all functions; whether there was such a row.
pub fn reshaped_rows(prog: &mut Prog) -> bool {
    replace_statements(prog, &mut |names, mut stm, out| {
        let mut changed = yield_views(names, &mut stm, out);
        let mut after = Vec::new();
        changed |= reshape_outside(names, &mut stm, &mut after);
        if let Exp::Op(op) = &mut stm.exp
            && let Some(Applied { width, inputs, lambda, skipped: 0 }) = op.applied_mut()
        {
            while let Some((at, array)) = views(names, inputs, lambda).first().copied() {
                let row = lambda.body.stms.remove(at);
                let rows = all_rows(names, width, array, &row);
                inputs.push(rows.vars[0]);
                lambda.params.push(row.vars[0]);
                out.push(rows);
                changed = true;
            }
        }
        out.push(stm);
        out.append(&mut after);
        changed
    })
}

/// What a map yields that are its rows in another shape is a view of all rows.
fn yield_views(names: &mut Names, stm: &mut Stm, out: &mut Vec<Stm>) -> bool {
    let (vars, certs) = (&mut stm.vars, &stm.certs);
    let Exp::Op(Operator::Map { width, inputs, lambda }) = &mut stm.exp else { return false };
    let count = vars.len();
    for at in (0..count).rev() {
        let Some(of) = lambda.body.result[at].var() else { continue };
        let binds = |(place, _): &(usize, Var)| lambda.body.stms[*place].vars[..] == [of];
        let Some((place, input)) = views(names, inputs, lambda).into_iter().find(binds) else { continue };
        let row = &lambda.body.stms[place];
        if matches!(row.exp, Exp::Array(ArrayExp::Reshape { .. })) && names.memory.share(vars[at], input) {
            let mut all = all_rows(names, *width, input, &row.clone());
            all.vars = vec![vars.remove(at)];
            all.certs.extend(certs);
            out.push(all);
            lambda.body.result.remove(at);
        }
    }
    vars.len() < count
}

/// What a map makes, and yields in another shape, is reshaped behind it.
fn reshape_outside(names: &mut Names, stm: &mut Stm, after: &mut Vec<Stm>) -> bool {
    let span = stm.span;
    let Exp::Op(Operator::Map { width, inputs: _, lambda }) = &mut stm.exp else { return false };
    for (at, var) in stm.vars.iter_mut().enumerate() {
        let Some(of) = lambda.body.result[at].var() else { continue };
        let Some(row) = lambda.body.stms.iter().find(|stm| stm.vars[..] == [of]) else { continue };
        let Exp::Array(ArrayExp::Reshape { array, old, new }) = &row.exp else { continue };
        let Type::Value(elem, dims) = names.ty(*array) else { continue };
        let is_outside = |atom: Atom| atom.var().is_none_or(|var| !is_bound_in(lambda, var));
        let is_known = dims.iter().all(|dim| dim.atom().is_some_and(is_outside))
            && new.iter().all(|size| is_outside(*size))
            && row.certs.iter().all(|cert| !is_bound_in(lambda, *cert));
        // What comes from outside is a view already, or has to be copied anyway.
        let is_made = lambda.body.stms.iter().any(|stm| stm.vars.contains(array));
        if !is_known || !is_made || names.memory.is_taken(*array) || names.memory.is_taken(of) {
            continue;
        }
        let dims = std::iter::once(Dim::Size(*width)).chain(dims.iter().cloned()).collect();
        let ty = Type::Value(*elem, dims);
        let (array, old) = (*array, *old);
        let sizes = std::iter::once(*width).chain(new.iter().copied()).collect();
        let certs = row.certs.clone();
        let made = names.fresh(&names.name(array), ty);
        if !names.memory.share(*var, made) {
            continue;
        }
        let mut reshape = Stm::new(vec![*var], Exp::reshape(made, old + 1, sizes), span);
        reshape.certs = certs;
        after.push(reshape);
        *var = made;
        lambda.body.result[at] = array.into();
    }
    !after.is_empty()
}

/// The statements of the lambda that reshape a row, or turn it before, and the inputs that these are rows of.
fn views(names: &Names, inputs: &[Var], lambda: &Lambda) -> Vec<(usize, Var)> {
    let rows = rows_of(names, inputs, lambda);
    let bound = |atom: &Atom| atom.var().is_some_and(|var| is_bound_in(lambda, var));
    let view = |(at, stm): (usize, &Stm)| {
        let [var] = stm.vars[..] else { return None };
        let (array, dims, sizes) = match &stm.exp {
            Exp::Array(ArrayExp::Reshape { array, old, new }) => (*array, *old, new.clone()),
            _ if !is_reshaped(lambda, var) => return None,
            Exp::Array(ArrayExp::Rearrange { array, perm }) => (*array, perm.len(), Vec::new()),
            Exp::Array(ArrayExp::Coerce { array, dims }) => {
                (*array, dims.len(), dims.iter().map(|dim| dim.atom()).collect::<Option<_>>()?)
            }
            Exp::Array(ArrayExp::Index { array, slice }) => (*array, slice.len(), atoms_of(slice)),
            _ => return None,
        };
        let (_, input) = rows.iter().find(|(row, _)| *row == array)?;
        let dims = &names.ty(*input).dims()[..=dims];
        let is_free = !names.memory.is_taken(array) && !names.memory.is_taken(var);
        let is_known = dims.iter().all(|dim| dim.atom().is_some_and(|size| !bound(&size)))
            && !sizes.iter().any(bound)
            && stm.certs.iter().all(|cert| !is_bound_in(lambda, *cert));
        (is_free && is_known && stm.attrs.is_empty()).then_some((at, *input))
    };
    lambda.body.stms.iter().enumerate().filter_map(view).collect()
}

/// Whether the array, or a view of it, is reshaped.
fn is_reshaped(lambda: &Lambda, var: Var) -> bool {
    lambda.body.stms.iter().any(|stm| match &stm.exp {
        Exp::Array(ArrayExp::Reshape { array, .. }) => *array == var,
        Exp::Array(
            ArrayExp::Rearrange { array, .. }
            | ArrayExp::Coerce { array, .. }
            | ArrayExp::Index { array, .. },
        ) => *array == var && is_reshaped(lambda, stm.vars[0]),
        _ => false,
    })
}

fn atoms_of(slice: &[DimIndex]) -> Vec<Atom> {
    let atoms = |at: &DimIndex| match at {
        DimIndex::Fix(at) => vec![*at],
        DimIndex::Slice { start, count, stride } => vec![*start, *count, *stride],
    };
    slice.iter().flat_map(atoms).collect()
}

/// The parameters that are rows, and what they are rows of.
fn rows_of(names: &Names, inputs: &[Var], lambda: &Lambda) -> Vec<(Var, Var)> {
    let mut params = lambda.params.iter().copied();
    let mut rows = Vec::new();
    for input in inputs {
        let irregular = names.ty(*input).has_irregular_rows();
        // The length comes first.
        let param = if irregular { params.nth(1) } else { params.next() };
        rows.extend(param.filter(|_| !irregular).map(|param| (param, *input)));
    }
    rows
}

fn is_bound_in(lambda: &Lambda, var: Var) -> bool {
    lambda.params.contains(&var) || lambda.body.stms.iter().any(|stm| stm.vars.contains(&var))
}

/// The statement with all rows in place of one.
fn all_rows(names: &mut Names, width: Atom, input: Var, stm: &Stm) -> Stm {
    let exp = match &stm.exp {
        Exp::Array(ArrayExp::Reshape { array: _, old, new }) => {
            Exp::reshape(input, old + 1, std::iter::once(width).chain(new.iter().copied()).collect())
        }
        Exp::Array(ArrayExp::Rearrange { array: _, perm }) => {
            Exp::rearrange(input, std::iter::once(0).chain(perm.iter().map(|from| from + 1)).collect())
        }
        Exp::Array(ArrayExp::Coerce { array: _, dims }) => {
            let dims = std::iter::once(Dim::Size(width)).chain(dims.iter().cloned()).collect();
            Exp::Array(ArrayExp::Coerce { array: input, dims })
        }
        Exp::Array(ArrayExp::Index { array: _, slice }) => {
            let all = DimIndex::Slice { start: Atom::i64(0), count: width, stride: Atom::i64(1) };
            Exp::index(input, std::iter::once(all).chain(slice.iter().cloned()).collect())
        }
        _ => unreachable!("reshaped_rows: another statement"),
    };
    let Type::Value(elem, dims) = names.ty(stm.vars[0]) else { unreachable!("reshaped_rows: no array") };
    let dims = std::iter::once(Dim::Size(width)).chain(dims.iter().cloned()).collect();
    let ty = Type::Value(*elem, dims);
    let all = names.fresh(&names.name(stm.vars[0]), ty);
    let mut all = Stm::new(vec![all], exp, stm.span);
    all.certs = stm.certs.clone();
    all
}
