//! What is known about the operator of a reduction from its text: whether it is a primitive operator on each column, and
//! whether it can write over its first operand.

use crate::imp_gen::owners::uses_of_body;
use norn_ir::imp::{BinOp, Prim};
use norn_ir::nest::{Atom, Body, Exp, Fun, Lambda, Operator, Reduction, ScalarExp, Type, Var};

/// The primitive operators that combine scalar columns one by one, if that is all that the lambda does. They are associative
/// and commutative, up to rounding.
pub fn primitive_columns(lambda: &Lambda) -> Option<Vec<(BinOp, Prim)>> {
    let (accs, values) = lambda.params.split_at(lambda.params.len() / 2);
    let body = &lambda.body;
    if body.stms.len() != accs.len() || body.result.len() != accs.len() {
        return None;
    }
    let column = |((acc, value), result): ((&Var, &Var), &Atom)| {
        let stm = body.stms.iter().find(|stm| result.var() == stm.vars.first().copied())?;
        let Exp::Scalar(ScalarExp::Bin(op, prim, Atom::Var(x), Atom::Var(y))) = &stm.exp else { return None };
        let operands = (x == acc && y == value) || (x == value && y == acc);
        (operands && op.neutral(*prim).is_some()).then_some((*op, *prim))
    };
    accs.iter().zip(values).zip(&body.result).map(column).collect()
}

/// Whether values may be combined in any order: floats are rounded differently then, but always in the same way.
pub fn any_order(op: &Reduction) -> bool {
    op.commutative || primitive_columns(&op.lambda).is_some()
}

/// Whether the result of the body, an array, can be computed in the memory of the parameter: it is a map with scalars at the
/// bottom, in which each element of the parameter is looked at only to compute the element at the same place.
pub fn is_elementwise(fun: &Fun, body: &Body, param: Var, result: Atom) -> bool {
    let Some(result) = result.var() else { return false };
    let Some(stm) = body.stms.iter().find(|stm| stm.vars.contains(&result)) else { return false };
    let Exp::Op(Operator::Map { width: _, inputs, lambda }) = &stm.exp else { return false };
    let Some(input) = inputs.iter().position(|input| *input == param) else { return false };
    let mut uses = 0;
    uses_of_body(body, &mut |var| uses += usize::from(var == param));
    if uses != 1 {
        return false;
    }
    let Some(at) = stm.vars.iter().position(|var| *var == result) else { return false };
    // Of an input with irregular rows there are two parameters.
    let before: usize =
        inputs[..input].iter().map(|input| 1 + usize::from(ty(fun, *input).has_irregular_rows())).sum();
    match (ty(fun, param).rank(), lambda.params.get(before), lambda.body.result.get(at)) {
        (1, _, _) => true,
        (_, Some(row), Some(result)) => is_elementwise(fun, &lambda.body, *row, *result),
        (_, _, _) => false,
    }
}

fn ty(fun: &Fun, var: Var) -> &Type {
    &fun.vars[var.0 as usize].ty
}

/// Several operators as one, on the columns of all.
pub fn joined(ops: &[Reduction]) -> Reduction {
    let (mut accs, mut values) = (Vec::new(), Vec::new());
    let mut joined = Reduction {
        commutative: true,
        neutral: Vec::new(),
        lambda: Lambda::new(Vec::new(), Body::default()),
    };
    for op in ops {
        let (first, second) = op.lambda.params.split_at(op.neutral.len());
        accs.extend(first);
        values.extend(second);
        joined.commutative &= any_order(op);
        joined.neutral.extend(&op.neutral);
        joined.lambda.body.stms.extend(op.lambda.body.stms.iter().cloned());
        joined.lambda.body.result.extend(&op.lambda.body.result);
    }
    joined.lambda.params = accs.into_iter().chain(values).collect();
    joined
}
