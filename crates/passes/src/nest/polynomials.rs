//! Integers as polynomials in variables, whatever the order in which sums and products were written. Integers wrap around, so all of it is
//! exact: coefficients count modulo a power of two that all types divide.

use norn_ir::nest::{Atom, BinOp, Exp, Prim, ScalarExp, UnOp, Var};
use std::collections::BTreeMap;

/// How far definitions are looked at.
const DEPTH: usize = 6;
/// More terms than these are not worth the time.
const TERMS: usize = 8;

/// For each product of variables, in order, how often it is there.
pub type Polynomial = BTreeMap<Vec<Var>, i128>;

/// An integer by what it is computed from.
pub fn polynomial<'a>(atom: Atom, prim: Prim, def: &dyn Fn(Var) -> Option<&'a Exp>) -> Polynomial {
    expanded(atom, prim, DEPTH, def)
}

fn expanded<'a>(atom: Atom, prim: Prim, depth: usize, def: &dyn Fn(Var) -> Option<&'a Exp>) -> Polynomial {
    let itself = |var: Var| Polynomial::from([(vec![var], 1)]);
    let var = match atom {
        Atom::Const(scalar) => return Polynomial::from([(Vec::new(), i128::from(scalar.bits() as i64))]),
        Atom::Var(var) => var,
    };
    if depth == 0 {
        return itself(var);
    }
    let sum = match def(var) {
        Some(Exp::Scalar(ScalarExp::Un(UnOp::Neg, own, x))) if *own == prim => {
            let mut sum = Polynomial::new();
            add(&mut sum, &expanded(*x, prim, depth - 1, def), -1);
            sum
        }
        Some(Exp::Scalar(ScalarExp::Bin(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), own, x, y)))
            if *own == prim =>
        {
            let (mut x, y) = (expanded(*x, prim, depth - 1, def), expanded(*y, prim, depth - 1, def));
            match op {
                BinOp::Add => add(&mut x, &y, 1),
                BinOp::Sub => add(&mut x, &y, -1),
                _ => x = product(&x, &y),
            }
            x
        }
        _ => itself(var),
    };
    // What is too long is taken as it is.
    if sum.len() <= TERMS { sum } else { itself(var) }
}

pub fn add(to: &mut Polynomial, other: &Polynomial, times: i128) {
    for (vars, factor) in other {
        let sum = to.entry(vars.clone()).or_insert(0);
        *sum = reduced(sum.wrapping_add(factor.wrapping_mul(times)));
    }
    to.retain(|_, factor| *factor != 0);
}

fn product(x: &Polynomial, y: &Polynomial) -> Polynomial {
    let mut all = Polynomial::new();
    for (left, a) in x {
        for (right, b) in y {
            let mut vars: Vec<Var> = left.iter().chain(right).copied().collect();
            vars.sort_unstable();
            let sum = all.entry(vars).or_insert(0);
            *sum = reduced(i128::wrapping_add(*sum, a.wrapping_mul(*b)));
        }
    }
    all.retain(|_, factor| *factor != 0);
    all
}

/// Modulo 2 to the 64, so that products of two do not overflow.
fn reduced(factor: i128) -> i128 {
    i128::from(factor as i64)
}
