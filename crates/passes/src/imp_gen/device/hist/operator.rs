//! What the operator of a histogram allows: whether the order of elements shows, and whether rows are combined position by position.

use crate::imp_gen::operators::elementwise::primitive_columns;
use norn_ir::flat::Line;
use norn_ir::imp::Prim;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{BinOp, Body, ControlExp, Exp, Lambda, Operator, ScalarExp, UnOp, Var, VarInfo};

/// The widest word that memory compares and swaps.
const WORD_BYTES: usize = 8;

/// The operator as one on scalars: its own lambda, or, if all columns are rows that are combined position by position (maps in maps over
/// the parameters), what is at the bottom of the maps. `None` if rows are combined in another way.
pub fn on_scalars<'l>(vars: &[VarInfo], lambda: &'l Lambda) -> Option<&'l Lambda> {
    if lambda.params.iter().all(|param| vars[param.0 as usize].ty.is_scalar()) {
        return Some(lambda);
    }
    let [stm] = &lambda.body.stms[..] else { return None };
    let Exp::Op(Operator::Map { width: _, inputs, lambda: inner }) = &stm.exp else { return None };
    let yields = lambda.body.result.iter().map(|atom| atom.var()).eq(stm.vars.iter().copied().map(Some));
    let positions = inputs[..] == lambda.params[..] && inner.params.len() == lambda.params.len();
    if yields && positions { on_scalars(vars, inner) } else { None }
}

/// The line that serves the operator. Lines for exact operators let threads arrive in any order; others fix it (K12).
pub fn line_of(vars: &[VarInfo], lambda: &Lambda) -> Line {
    let Some(scalars) = on_scalars(vars, lambda) else { return Line::HistSort };
    if !is_exact(&scalars.body) {
        return Line::HistDecks;
    }
    let prims = column_prims(vars, scalars);
    let by_memory = |prim: &Prim| prim.is_int() && prim.size() >= 4;
    if primitive_columns(scalars).is_some() && prims.iter().all(by_memory) {
        Line::HistAtomic
    } else if prims.iter().map(|prim| prim.size()).sum::<usize>() <= WORD_BYTES {
        Line::HistSwap
    } else {
        Line::HistLock
    }
}

pub fn column_prims(vars: &[VarInfo], lambda: &Lambda) -> Vec<Prim> {
    let prim = |param: &Var| {
        let elem = vars[param.0 as usize].ty.elem();
        crate::imp_gen::repr::prim_of(elem.expect("imp_gen: a column of no values"))
    };
    lambda.params[..lambda.params.len() / 2].iter().map(prim).collect()
}

/// Whether an operator that is associative and commutative on numbers is so on their bits, too: it computes no floats. It may compare and
/// select them. Which of two zeros `min` and `max` select depends on the order, if nobody sees to it (`choose_in_any_order`).
pub fn is_exact(body: &Body) -> bool {
    body.stms.iter().all(|stm| match &stm.exp {
        Exp::Scalar(ScalarExp::Un(op, prim, _)) => {
            !prim.is_float() && *op != UnOp::FromBits
                || matches!(op, UnOp::IsNan | UnOp::IsInf | UnOp::ToBits)
        }
        Exp::Scalar(ScalarExp::Bin(op, prim, ..)) => {
            !prim.is_float() || matches!(op, BinOp::Min | BinOp::Max | BinOp::Eq | BinOp::Lt | BinOp::Le)
        }
        Exp::Scalar(ScalarExp::Tri(_, prim, ..)) => !prim.is_float(),
        Exp::Scalar(ScalarExp::Convert { from, to, .. }) => !from.is_float() && !to.is_float(),
        // What a function does is not looked at.
        Exp::Control(ControlExp::Call { .. }) => false,
        exp => {
            let mut exact = true;
            exp.for_each_part(&mut |part| match part {
                Part::Body(body) => exact &= is_exact(body),
                Part::Lambda(lambda) => exact &= is_exact(&lambda.body),
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
            });
            exact
        }
    })
}
