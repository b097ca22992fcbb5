//! Whether all that happens to a small array can happen to its elements as well.

use super::{Scalars, few};
use crate::nest::mentions;
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, DimIndex, Exp, LoopForm, Operator, Reduction, Scalar, ScalarExp, Stm,
    Var,
};

impl Scalars<'_> {
    /// Whether a body asks for elements of the array only by numbers that are known, or yields it.
    pub fn is_friendly(&self, array: Var, body: &Body) -> bool {
        body.stms.iter().enumerate().all(|(at, stm)| {
            let mut mentioned = Vec::new();
            mentions::in_stm(&self.names.vars, stm, &mut mentioned);
            !mentioned.contains(&array) || self.is_friendly_statement(array, stm, &body.stms[at + 1..], body)
        })
    }

    fn is_friendly_statement(&self, array: Var, stm: &Stm, rest: &[Stm], body: &Body) -> bool {
        // The same array under another name, or with other elements.
        let goes_on = |var: Var| {
            let rest = Body { stms: rest.to_vec(), result: body.result.clone() };
            self.is_friendly(var, &rest)
        };
        let folds = |ops: &[Reduction]| {
            ops.iter()
                .all(|op| self.is_friendly(array, &op.lambda.body) && !op.neutral.contains(&Atom::Var(array)))
        };
        match &stm.exp {
            Exp::Array(ArrayExp::Index { array: from, slice }) => *from == array && is_known(slice),
            Exp::Array(ArrayExp::Update { array: from, slice, value }) => {
                *from == array && *value != Atom::Var(array) && is_known(slice) && goes_on(stm.vars[0])
            }
            Exp::Scalar(ScalarExp::Atom(_)) | Exp::Array(ArrayExp::Copy(_)) => goes_on(stm.vars[0]),
            Exp::Op(Operator::Map { width, inputs, lambda }) => {
                (few(*width).is_some() || !inputs.contains(&array)) && self.is_friendly(array, &lambda.body)
            }
            Exp::Op(Operator::Reduce { width, op, inputs } | Operator::Scan { width, op, inputs }) => {
                (few(*width).is_some() || !inputs.contains(&array)) && folds(std::slice::from_ref(op))
            }
            Exp::Op(Operator::Fused { width, inputs, lambda, scans, reductions }) => {
                (few(*width).is_some() || !inputs.contains(&array))
                    && self.is_friendly(array, &lambda.body)
                    && folds(scans)
                    && folds(reductions)
            }
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                self.is_friendly(array, then) && self.is_friendly(array, els) && self.result_goes_on(stm)
            }
            Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
                cases.iter().all(|(_, case)| self.is_friendly(array, case))
                    && self.is_friendly(array, default)
                    && self.result_goes_on(stm)
            }
            Exp::Control(ControlExp::Loop { params, form, body }) => {
                let own = params.iter().filter(|(_, init)| *init == Atom::Var(array));
                let friendly = |var: Var| {
                    self.is_friendly(var, body)
                        && match form {
                            LoopForm::For(..) => true,
                            LoopForm::While(cond) => self.is_friendly(var, cond),
                        }
                };
                friendly(array) && own.map(|(param, _)| param.var).all(friendly)
            }
            _ => false,
        }
    }

    /// Branches may yield the array: that they do is no harm, as whoever yields small arrays yields their elements.
    fn result_goes_on(&self, stm: &Stm) -> bool {
        stm.vars.iter().all(|var| self.names.ty(*var).is_scalar() || self.is_small(*var))
    }
}

/// Whether it is known which element, or row, is meant.
fn is_known(slice: &[DimIndex]) -> bool {
    slice.iter().all(|index| matches!(index, DimIndex::Fix(Atom::Const(Scalar::I64(_)))))
}
