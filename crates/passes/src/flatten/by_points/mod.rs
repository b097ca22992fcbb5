//! Reductions of arrays that maps make are reductions of their elements, point by point.
//!
//! ```text
//! fused n (xss, ws) \(xs, w) {                        let ts: [n]f32 = map n (ws) \(w) { let t = exp.f32 w  in t }
//!   let t: f32 = exp.f32 w                            map m () \(i) {
//!   let row: [m]f32 = map m (xs) \(x) { mul x t }       fused n (xss, ts) \(xs, t) {
//!   in row                                       ==>      let x: f32 = index xs [i]
//! } reduce neutral (zeros)                                in mul x t
//!   \(a: [m]f32, b: [m]f32) { map m (a, b) add }        } reduce neutral (0) \(a: f32, b: f32) { add a b }
//!                                                     }
//! ```
//!
//! The arrays of all elements, with one more dimension than the result, are never in memory; and where they are outer products, what remains is a product of matrices, which kernels compute in tiles
//! (`imp_gen/device/tile`). Adjoints of what a map takes from around it are such sums: of weights, centres and coefficients, over all samples.
//!
//! Method: the element of a result at a point is *opened*: the lambdas of maps are applied to elements, and views are followed to what they look at. What takes work, or is no map, is computed by an
//! operator in front (the `fused` one again, with what else it yields), which keeps it for all rows; so is what takes work in the lambda of a map and is needed at several points. Numbers that are cheap
//! are computed again at each point.
//!
//! Needs: nest, optimised. Gives: the same. Keeps: results, up to the order of combination, and failures; the work, but for what is cheap, and for elements that somebody else needs as well. Refuses:
//! operators that do more than combine elements with elements, neutral elements that differ from point to point, arrays of few elements, which threads keep in registers, and what would have to be kept
//! with sizes that only the lambda knows. Cost: linear, times the depth of maps.

mod keeping;
mod opening;

use super::worth::is_small;
use crate::nest::memory::signatures;
use crate::nest::subst::Names;
use keeping::Keeping;
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::{
    ArrayExp, Atom, Body, Dim, Exp, Lambda, Operator, Prim, Prog, Reduction, Stm, Type, Var,
};
use opening::{Opened, open};
use rustc_hash::FxHashMap;

/// In all functions; whether there was such a reduction.
pub fn by_points(prog: &mut Prog) -> bool {
    let signatures = signatures(prog);
    let mut changed = false;
    for fun in &mut prog.funs {
        let mut names = Names::of(&signatures, fun);
        let mut replicated: FxHashMap<Var, Atom> = FxHashMap::default();
        changed |= names.replace_in(&mut fun.body, &mut |names, stm, out| {
            if let Exp::Array(ArrayExp::Replicate { value, .. }) = &stm.exp {
                replicated.insert(stm.vars[0], *value);
            }
            match points_of(names, &replicated, &stm) {
                Some(list) => {
                    out.extend(list);
                    true
                }
                None => {
                    out.push(stm);
                    false
                }
            }
        });
        fun.vars = names.vars;
    }
    if changed {
        normalise(prog);
    }
    changed
}

/// A reduction that combines arrays element by element.
struct Pointwise {
    /// The lambda's result that it combines, and the variable that is bound to the sum.
    result: Atom,
    var: Var,
    sizes: Vec<Atom>,
    op: Reduction,
}

/// What takes the place of a statement, if it has such a reduction.
fn points_of(names: &mut Names, replicated: &FxHashMap<Var, Atom>, stm: &Stm) -> Option<Vec<Stm>> {
    let Exp::Op(Operator::Fused { width, inputs, lambda, scans, reductions }) = &stm.exp else { return None };
    if lambda.params.len() != inputs.len() || stm.grid.is_some() {
        return None;
    }
    let mut column: usize = scans.iter().map(|op| op.neutral.len()).sum();
    let mut left: Vec<Reduction> = Vec::new();
    let mut opened: Vec<(Pointwise, Opened)> = Vec::new();
    let mut gone: Vec<usize> = Vec::new();
    let combined = combined_columns(&stm.exp);
    let mut keeping =
        Keeping { width: *width, inputs, lambda, combined, kept: Vec::new(), added: Vec::new() };
    for op in reductions {
        let result = lambda.body.result[column];
        let found = pointwise(names, replicated, op, result, stm.vars[column])
            .and_then(|pointwise| Some((open(names, stm, &mut keeping, &pointwise)?, pointwise)));
        match found {
            Some((lambda, pointwise)) => {
                gone.push(column);
                opened.push((pointwise, lambda));
            }
            None => left.push(op.clone()),
        }
        column += op.neutral.len();
    }
    if opened.is_empty() {
        return None;
    }
    let Keeping { kept, added, .. } = keeping;
    let mut list = Vec::new();
    let stays = |at: &usize| !gone.contains(at);
    let places: Vec<usize> = (0..stm.vars.len()).filter(stays).collect();
    let mut vars: Vec<Var> = places.iter().map(|at| stm.vars[*at]).collect();
    let mut result: Vec<Atom> = places.iter().map(|at| lambda.body.result[*at]).collect();
    for (var, all) in &kept {
        vars.push(*all);
        result.push((*var).into());
    }
    if !vars.is_empty() {
        let mut stms = lambda.body.stms.clone();
        added.iter().for_each(|added| added.yield_from(&mut stms));
        let body = Body { stms, result };
        let lambda = Lambda::new(lambda.params.clone(), body);
        let exp = if left.is_empty() && scans.is_empty() {
            Exp::map(*width, inputs.clone(), lambda)
        } else {
            Exp::Op(Operator::Fused {
                width: *width,
                inputs: inputs.clone(),
                lambda,
                scans: scans.clone(),
                reductions: left,
            })
        };
        list.push(Stm { vars, exp, ..stm.clone() });
    }
    list.extend(
        opened.into_iter().flat_map(|(pointwise, lambda)| nest_of(names, stm, *width, pointwise, lambda)),
    );
    Some(list)
}

/// The operator as one of elements, if it combines nothing but elements of arrays with each other.
fn pointwise(
    names: &Names,
    replicated: &FxHashMap<Var, Atom>,
    op: &Reduction,
    result: Atom,
    var: Var,
) -> Option<Pointwise> {
    let ([neutral], [x, y]) = (&op.neutral[..], &op.lambda.params[..]) else { return None };
    let ty = names.ty(var);
    if !ty.is_array() || is_small(ty) {
        return None;
    }
    let sizes: Vec<Atom> = ty.dims().iter().map(|dim| dim.atom()).collect::<Option<_>>()?;
    let (mut neutral, mut lambda, mut pair) = (*neutral, &op.lambda, (*x, *y));
    for _ in &sizes {
        neutral = *replicated.get(&neutral.var()?)?;
        let [Stm { vars, exp: Exp::Op(Operator::Map { inputs, lambda: inner, .. }), .. }] =
            &lambda.body.stms[..]
        else {
            return None;
        };
        let is_result = lambda.body.result[..] == [Atom::Var(vars[0])];
        let ([p, q], true) = (&inner.params[..], is_result) else { return None };
        pair = match inputs[..] {
            [a, b] if (a, b) == pair => (*p, *q),
            [a, b] if (b, a) == pair => (*q, *p),
            _ => return None,
        };
        lambda = inner;
    }
    let body = &lambda.body;
    let is_scalar = |stm: &Stm| matches!(stm.exp, Exp::Scalar(_)) && stm.certs.is_empty();
    let lambda = Lambda::new(vec![pair.0, pair.1], body.clone());
    let op = Reduction { lambda, neutral: vec![neutral], commutative: op.commutative };
    body.stms.iter().all(is_scalar).then_some(Pointwise { result, var, sizes, op })
}

/// The maps over points around the reduction.
fn nest_of(names: &mut Names, stm: &Stm, width: Atom, pointwise: Pointwise, opened: Opened) -> Vec<Stm> {
    let Pointwise { var, sizes, op, .. } = pointwise;
    let op = Reduction { lambda: names.copy_lambda(&op.lambda), ..op };
    let ty = names.ty(var).clone();
    let sum = names.fresh(&names.name(var), ty.with_dims(Vec::new()));
    let exp = Exp::Op(Operator::Fused {
        width,
        inputs: opened.inputs,
        lambda: opened.lambda,
        scans: Vec::new(),
        reductions: vec![op],
    });
    let mut stms = vec![Stm { vars: vec![sum], exp, ..stm.clone() }];
    let mut made = sum;
    for (at, size) in sizes.iter().enumerate().rev() {
        let all = names.fresh("points", Type::array(Prim::I64, vec![Dim::Size(*size)]));
        let body = Body { stms, result: vec![made.into()] };
        let exp = Exp::map(*size, vec![all], Lambda::new(vec![opened.point[at]], body));
        made =
            if at == 0 { var } else { names.fresh(&names.name(var), ty.with_dims(ty.dims()[at..].to_vec())) };
        let points = Stm { vars: vec![all], exp: Exp::iota(*size), ..stm.clone() };
        stms = vec![points, Stm { vars: vec![made], exp, ..stm.clone() }];
    }
    stms
}

/// How many results of a fused operator are combined.
fn combined_columns(exp: &Exp) -> usize {
    exp.op().and_then(Operator::combining).map_or(0, |combining| combining.combined())
}
