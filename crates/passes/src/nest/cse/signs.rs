//! Signs of floats, which products and quotients only multiply: `-x * y` is `-(x * y)`, bit for bit, and `abs (-x)` is `abs x`.
//!
//! So what a function computes of `x` and of `-x` is computed once as far as the two differ in their signs. Sums are not
//! like this: `x - y` and `y - x` are both `+0` where the two are equal.

use norn_ir::nest::{Atom, BinOp, Exp, Scalar, ScalarExp, Stm, UnOp, Var};
use norn_ir::scalar::eval::eval_un;
use std::collections::HashMap;

/// Variables that are the negative of others.
#[derive(Default)]
pub struct Signs {
    negatives: HashMap<Var, Var>,
}

impl Signs {
    /// Remembers what the statement says about its variable.
    pub fn note(&mut self, stm: &Stm) {
        if let Exp::Scalar(ScalarExp::Un(UnOp::Neg, prim, Atom::Var(of))) = stm.exp
            && prim.is_float()
            && !self.negatives.contains_key(&of)
        {
            self.negatives.insert(stm.vars[0], of);
        }
    }

    /// The statement without the signs of its operands, and whether it is the negative of that, where this is all that they do.
    pub fn bare(&self, stm: &Stm) -> Option<(Stm, bool)> {
        let (exp, negative) = match stm.exp {
            Exp::Scalar(ScalarExp::Bin(op @ (BinOp::Mul | BinOp::Div), prim, x, y)) if prim.is_float() => {
                let ((x, left), (y, right)) = (self.unsigned(x), self.unsigned(y));
                (Exp::bin(op, prim, x, y), left != right)
            }
            Exp::Scalar(ScalarExp::Un(UnOp::Abs, prim, x)) if prim.is_float() => {
                (Exp::un(UnOp::Abs, prim, self.unsigned(x).0), false)
            }
            _ => return None,
        };
        Some((Stm { exp, ..stm.clone() }, negative))
    }

    /// The operand without its sign, and whether it had one.
    fn unsigned(&self, atom: Atom) -> (Atom, bool) {
        match atom {
            Atom::Var(var) => match self.negatives.get(&var) {
                Some(of) => (Atom::Var(*of), true),
                None => (atom, false),
            },
            Atom::Const(scalar) => match is_negative(scalar) {
                true => (eval_un(UnOp::Neg, scalar).map_or(atom, Atom::Const), true),
                false => (atom, false),
            },
        }
    }
}

/// No NaN has a sign that matters.
fn is_negative(scalar: Scalar) -> bool {
    scalar.float().is_some_and(|x| x.is_sign_negative() && !x.is_nan())
}
