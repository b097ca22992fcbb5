//! About how many instructions of a GPU scalar code takes, for those who write it out many times: what does not fit into the memory of
//! instructions is slow, and those who compile it need minutes.

use norn_ir::imp::Prim;
use norn_ir::nest::{Atom, ControlExp, Exp, ScalarExp, Stm};
use norn_ir::scalar::{BinOp, UnOp};

pub fn effort(stms: &[Stm]) -> i64 {
    stms.iter().map(|stm| of_exp(&stm.exp)).sum()
}

fn of_exp(exp: &Exp) -> i64 {
    match exp {
        Exp::Scalar(exp) => of_scalar(exp),
        Exp::Control(ControlExp::If { then, els, .. }) => 1 + effort(&then.stms) + effort(&els.stms),
        _ => 1,
    }
}

fn of_scalar(exp: &ScalarExp) -> i64 {
    match exp {
        ScalarExp::Un(op, prim, _) => of_un(*op, *prim),
        ScalarExp::Bin(op, prim, _, by) => of_bin(*op, *prim, by),
        _ => 1,
    }
}

fn of_un(op: UnOp, prim: Prim) -> i64 {
    use UnOp::*;
    match op {
        Neg | Not | Abs | Sgn | Popc | Clz | Ctz | Ceil | Floor | Trunc | Round | IsNan | IsInf | ToBits
        | FromBits => 1,
        // The circle is left in a loop where numbers are large.
        Sin | Cos | Tan => 100,
        Gamma | Lgamma | Erf | Erfc => 100,
        _ => function(prim),
    }
}

fn of_bin(op: BinOp, prim: Prim, by: &Atom) -> i64 {
    use BinOp::*;
    match op {
        Div | Mod | Quot | Rem if prim.is_float() => function(prim),
        // By a constant it is a product.
        Div | Mod | Quot | Rem => match by {
            Atom::Const(_) => 4,
            Atom::Var(_) => 5 * prim.size() as i64,
        },
        Pow if !prim.is_float() => 40,
        Pow | Atan2 | Atan2pi | Hypot | Nextafter | Ldexp => 2 * function(prim),
        _ => 1,
    }
}

/// A quotient, a root, an exponential function.
fn function(prim: Prim) -> i64 {
    if prim.size() == 8 { 24 } else { 12 }
}
