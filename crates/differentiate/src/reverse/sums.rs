//! Operators that are known: sums, and single operators of numbers.
//!
//! An operator is seldom there as such: `map2 (+)` is a call of a function of the library, which zips its arguments and maps over them. So calls are followed, and copies.

use norn_ir::nest::{
    ArrayExp, Atom, BinOp, ControlExp, Exp, Lambda, Operator, Prim, Prog, ScalarExp, Stm, Var,
};

/// How many calls and maps are looked into.
const DEPTH: usize = 12;

/// Whether an operator adds numbers, column by column, element by element.
pub fn is_sum(prog: &Prog, op: &Lambda) -> bool {
    let (xs, ys) = op.params.split_at(op.params.len() / 2);
    op.body.result.len() == xs.len()
        && op.body.result.iter().zip(xs.iter().zip(ys)).all(|(result, (x, y))| {
            combined(prog, &op.body.stms, *result, (*x, *y), DEPTH)
                .is_some_and(|found| found.op == BinOp::Add)
        })
}

/// The operator, if that is all: of its two parameters, which are numbers.
pub fn operator_of(prog: &Prog, op: &Lambda) -> Option<(BinOp, Prim)> {
    let ([x, y], [result]) = (&op.params[..], &op.body.result[..]) else { return None };
    let found = combined(prog, &op.body.stms, *result, (*x, *y), DEPTH)?;
    (!found.is_mapped).then_some((found.op, found.prim))
}

struct Combined {
    op: BinOp,
    prim: Prim,
    /// It combines the elements of arrays.
    is_mapped: bool,
}

/// The operator by which a result is made of two variables, and of nothing else.
fn combined(prog: &Prog, stms: &[Stm], result: Atom, (x, y): (Var, Var), depth: usize) -> Option<Combined> {
    if depth == 0 {
        return None;
    }
    let var = root(prog, stms, result.var()?, depth);
    let stm = stms.iter().find(|stm| stm.vars.contains(&var))?;
    let at = stm.vars.iter().position(|bound| *bound == var)?;
    let of = |atom: Atom| atom.var().map(|var| root(prog, stms, var, depth));
    match &stm.exp {
        Exp::Scalar(ScalarExp::Bin(op, prim, a, b)) => {
            let operands = (of(*a)?, of(*b)?);
            let is_all = operands == (x, y) || operands == (y, x) && op.is_commutative();
            is_all.then_some(Combined { op: *op, prim: *prim, is_mapped: false })
        }
        Exp::Op(Operator::Map { width: _, inputs, lambda }) => {
            let ([a, b], [p, q]) = (&inputs[..], &lambda.params[..]) else { return None };
            let (a, b) = (root(prog, stms, *a, depth), root(prog, stms, *b, depth));
            let params = if (a, b) == (x, y) {
                (*p, *q)
            } else if (a, b) == (y, x) {
                (*q, *p)
            } else {
                return None;
            };
            let found = combined(prog, &lambda.body.stms, lambda.body.result[at], params, depth - 1)?;
            Some(Combined { is_mapped: true, ..found })
        }
        Exp::Control(ControlExp::Call { fun, args }) => {
            let callee = &prog.funs[fun.0 as usize];
            let param = |var: Var| {
                let at = args.iter().position(|arg| of(*arg) == Some(var))?;
                callee.params.get(at).map(|param| param.var)
            };
            let result = *callee.body.result.get(at)?;
            combined(prog, &callee.body.stms, result, (param(x)?, param(y)?), depth - 1)
        }
        Exp::Scalar(_) | Exp::Control(_) | Exp::Array(_) | Exp::Cell(_) | Exp::Op(_) => None,
    }
}

/// The variable that has the same value first, in these statements.
fn root(prog: &Prog, stms: &[Stm], var: Var, depth: usize) -> Var {
    let mut var = var;
    while let Some(stm) = stms.iter().find(|stm| stm.vars.contains(&var)) {
        let same = match &stm.exp {
            Exp::Scalar(ScalarExp::Atom(atom)) => atom.var(),
            Exp::Array(ArrayExp::Copy(array) | ArrayExp::Coerce { array, dims: _ }) => Some(*array),
            Exp::Control(ControlExp::Call { fun, args }) if depth > 0 => {
                let callee = &prog.funs[fun.0 as usize];
                let at = stm.vars.iter().position(|bound| *bound == var);
                let result = at.and_then(|at| callee.body.result.get(at)).and_then(|atom| atom.var());
                let param = result.map(|result| root(prog, &callee.body.stms, result, depth - 1));
                let at = callee.params.iter().position(|other| Some(other.var) == param);
                at.and_then(|at| args[at].var())
            }
            Exp::Scalar(_) | Exp::Control(_) | Exp::Array(_) | Exp::Cell(_) | Exp::Op(_) => None,
        };
        match same {
            Some(same) => var = same,
            None => return var,
        }
    }
    var
}
