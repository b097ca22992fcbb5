//! Operators that are known: sums, and single operators of numbers.

use norn_ir::nest::{Atom, BinOp, Exp, Lambda, Operator, Prim, ScalarExp, Var};

/// Whether an operator adds numbers, column by column, element by element.
pub fn is_sum(op: &Lambda) -> bool {
    let (xs, ys) = op.params.split_at(op.params.len() / 2);
    op.body.result.len() == xs.len()
        && op.body.result.iter().zip(xs.iter().zip(ys)).all(|(result, (x, y))| adds(op, *result, *x, *y))
}

fn adds(op: &Lambda, result: Atom, x: Var, y: Var) -> bool {
    let Some(mut var) = result.var() else { return false };
    loop {
        let Some(stm) = op.body.stms.iter().find(|stm| stm.vars.contains(&var)) else { return false };
        match &stm.exp {
            Exp::Scalar(ScalarExp::Atom(Atom::Var(other))) => var = *other,
            Exp::Scalar(ScalarExp::Bin(BinOp::Add, prim, a, b)) => {
                return prim.is_number()
                    && [(x, y), (y, x)].contains(&match (a.var(), b.var()) {
                        (Some(a), Some(b)) => (a, b),
                        _ => return false,
                    });
            }
            Exp::Op(Operator::Map { width: _, inputs, lambda }) => {
                let plain = inputs.len() == 2 && lambda.params.len() == 2 && stm.vars.len() == 1;
                return plain && (inputs[..] == [x, y] || inputs[..] == [y, x]) && is_sum(lambda);
            }
            Exp::Scalar(_) | Exp::Control(_) | Exp::Array(_) | Exp::Cell(_) | Exp::Op(_) => return false,
        }
    }
}

/// The operator, if that is all: of its two parameters, which are numbers.
pub fn operator_of(op: &Lambda) -> Option<(BinOp, Prim)> {
    let ([x, y], [result]) = (&op.params[..], &op.body.result[..]) else { return None };
    let mut var = result.var()?;
    loop {
        let stm = op.body.stms.iter().find(|stm| stm.vars.contains(&var))?;
        match &stm.exp {
            Exp::Scalar(ScalarExp::Atom(Atom::Var(other))) => var = *other,
            Exp::Scalar(ScalarExp::Bin(op, prim, a, b)) => {
                let operands = (a.var()?, b.var()?);
                let is_all = operands == (*x, *y) || operands == (*y, *x) && op.is_commutative();
                return is_all.then_some((*op, *prim));
            }
            Exp::Scalar(_) | Exp::Control(_) | Exp::Array(_) | Exp::Cell(_) | Exp::Op(_) => return None,
        }
    }
}
