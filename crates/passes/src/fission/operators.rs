//! How operators are done in parts: which can be, what becomes of their results, and what is done besides.

use super::rows::TaskRows;
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

/// The reduction that a scan ends with.
pub fn total(names: &mut Names, stm: &Stm, op: &Combining, scan: &Reduction) -> Stm {
    let inputs = op.inputs.to_vec();
    let exp = match op.lambda {
        None => Operator::Reduce { width: op.width, op: scan.clone(), inputs },
        Some(lambda) => {
            let before = op.scans.iter().take_while(|other| !std::ptr::eq(*other, scan));
            let from: usize = before.map(|op| op.neutral.len()).sum();
            let result = lambda.body.result[from..from + scan.neutral.len()].to_vec();
            let body = Body { stms: lambda.body.stms.clone(), result };
            let lambda = Lambda::new(lambda.params.clone(), body);
            let (width, scans, reductions) = (op.width, Vec::new(), vec![scan.clone()]);
            Operator::Fused { width, inputs, lambda, scans, reductions }
        }
    };
    let columns = scan.lambda.params[..scan.neutral.len()].to_vec();
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
