//! How operators are done in parts: which can be, what becomes of their results, and what is done besides.

use super::rows::{TaskRows, combines_floats};
use crate::nest::subst::{Names, Subst};
use norn_ir::nest::{
    ArrayExp, Atom, Body, Combining, ControlExp, Dim, Elem, Exp, Lambda, Operator, Reduction, Stm, Type, Var,
    VarInfo,
};

/// What a result of an operator is, seen from the others of its group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JoinKind {
    /// Rows of the group's width, which others can take.
    Rows,
    /// Known when all parts are done.
    AtTheEnd,
}

/// Of each result of an operator that is done in parts; nothing if it is not.
pub fn split(vars: &[VarInfo], rows: &TaskRows, stm: &Stm, op: &Operator) -> Option<Vec<JoinKind>> {
    let ty = |var: &Var| &vars[var.0 as usize].ty;
    if !stm.vars.iter().all(|var| is_plain(ty(var))) {
        return None;
    }
    match op {
        Operator::Filter { .. } | Operator::Partition { .. } | Operator::Hist { .. } => {
            Some(vec![JoinKind::AtTheEnd; stm.vars.len()])
        }
        Operator::Reduce { .. } | Operator::Scan { .. } | Operator::Fused { .. } => {
            let op = op.combining()?;
            let all = op.scans.iter().chain(op.reductions);
            let scalars = |op: &Reduction| op.lambda.params.iter().all(|var| ty(var).is_scalar());
            if !all.into_iter().all(scalars) || !op.scans.iter().all(|op| is_for_host(&op.lambda.body)) {
                return None;
            }
            let reduced: usize = op.reductions.iter().map(|op| op.neutral.len()).sum();
            let scanned = op.combined() - reduced;
            let joined = |at: usize| match at >= scanned && at < scanned + reduced {
                true => JoinKind::AtTheEnd,
                false => JoinKind::Rows,
            };
            let all: Vec<JoinKind> = (0..stm.vars.len()).map(joined).collect();
            let fits =
                |(var, joined): (&Var, &JoinKind)| *joined == JoinKind::AtTheEnd || rows.is_rows(ty(var));
            stm.vars.iter().zip(&all).all(fits).then_some(all)
        }
        Operator::Map { .. }
        | Operator::Sort { .. }
        | Operator::Scatter { .. }
        | Operator::Stream { .. }
        | Operator::AccStream { .. }
        | Operator::Task(_) => None,
    }
}

/// Whether parts of it can be listed or combined.
fn is_plain(ty: &Type) -> bool {
    matches!(ty.elem(), Some(Elem::Prim(_))) && !ty.dims().contains(&Dim::Irregular)
}

/// Whether a host can combine totals by it: scalars, and branches of these.
fn is_for_host(body: &Body) -> bool {
    body.stms.iter().all(|stm| match &stm.exp {
        Exp::Scalar(_) => true,
        Exp::Control(ControlExp::If { cond: _, then, els }) => is_for_host(then) && is_for_host(els),
        Exp::Control(_) | Exp::Array(_) | Exp::Cell(_) | Exp::Op(_) => false,
    })
}

/// Scans that have one carry, so that their totals take one pass: all that combine no floats. Those that do are combined in blocks, each on its own.
pub fn with_one_carry<'a>(
    vars: &[VarInfo],
    scans: Vec<(&'a Reduction, &'a [Var])>,
) -> Vec<Vec<(&'a Reduction, &'a [Var])>> {
    let (rounded, exact): (Vec<_>, Vec<_>) =
        scans.into_iter().partition(|(scan, _)| combines_floats(vars, &scan.lambda));
    let exact = (!exact.is_empty()).then_some(exact);
    exact.into_iter().chain(rounded.into_iter().map(|scan| vec![scan])).collect()
}

/// The reductions that scans end with, all in one operator.
pub fn total(names: &mut Names, stm: &Stm, op: &Combining, scans: &[&Reduction]) -> Stm {
    let is_total = |scan: &&Reduction| scans.iter().any(|other| std::ptr::eq(*other, *scan));
    let own: Vec<Reduction> = op.scans.iter().filter(is_total).cloned().collect();
    let columns = |op: &Reduction| op.lambda.params[..op.neutral.len()].to_vec();
    let columns: Vec<Var> = own.iter().flat_map(columns).collect();
    let (width, inputs) = (op.width, op.inputs.to_vec());
    let exp = match op.lambda {
        // A scan without a lambda stands alone.
        None => Operator::Reduce { width, op: scans[0].clone(), inputs },
        Some(lambda) => {
            let mut results = &lambda.body.result[..];
            let mut combined = Vec::with_capacity(columns.len());
            for scan in op.scans {
                let (these, rest) = results.split_at(scan.neutral.len());
                combined.extend(if is_total(&scan) { these } else { &[] });
                results = rest;
            }
            let body = Body { stms: lambda.body.stms.clone(), result: combined };
            let lambda = Lambda::new(lambda.params.clone(), body);
            Operator::Fused { width, inputs, lambda, scans: Vec::new(), reductions: own }
        }
    };
    let vars = columns.iter().map(|var| {
        let ty = names.ty(*var).clone();
        names.fresh("total", ty)
    });
    Stm { vars: vars.collect(), exp: Exp::Op(exp), ..stm.clone() }
}

/// What a scan of a part has yielded, behind what the parts before yield.
pub fn combined_with(names: &mut Names, scan: &Reduction, before: &[Var]) -> Lambda {
    let mut lambda = names.copy_lambda(&scan.lambda);
    let params = lambda.params.split_off(before.len());
    let subst = Subst::of(&lambda.params, before.iter().map(|var| Atom::Var(*var)));
    subst.body(&mut lambda.body);
    Lambda::new(params, lambda.body)
}

/// Of a partition both halves of the results, and these one after the other.
pub fn both_halves(names: &mut Names, width: Atom, stm: &Stm, bound: &mut Vec<Var>, after: &mut Vec<Stm>) {
    let (count, arrays) = (stm.vars[0], &stm.vars[1..]);
    let rest = names.fresh("rest", Type::i64());
    let mut half = |size: Var| -> Vec<Var> {
        let like = |var: &Var| {
            let mut dims = names.ty(*var).dims().to_vec();
            dims[0] = Dim::size(size);
            (names.name(*var), names.ty(*var).with_dims(dims))
        };
        let types: Vec<(String, Type)> = arrays.iter().map(like).collect();
        types.into_iter().map(|(name, ty)| names.fresh(&name, ty)).collect()
    };
    let (first, second) = (half(count), half(rest));
    for ((array, first), second) in arrays.iter().zip(&first).zip(&second) {
        let exp = Exp::Array(ArrayExp::Concat { arrays: vec![*first, *second], size: width });
        after.push(Stm::new(vec![*array], exp, stm.span));
    }
    bound.push(count);
    bound.extend(first);
    bound.push(rest);
    bound.extend(second);
}
