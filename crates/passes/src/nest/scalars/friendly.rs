//! Whether all that happens to a small array can happen to its elements as well.

use super::{MOST_OF_TABLES, SMALL, Scalars, few};
use crate::nest::mentions;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, DimIndex, Exp, Lambda, LoopForm, Operator, Reduction, Scalar,
    ScalarExp, Stm, Var,
};
use std::collections::HashSet;

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
                let is_read = |body: &Body| self.is_friendly(array, body);
                (few(*width).is_some() || !inputs.contains(&array)) && is_read(&lambda.body)
                    || self.is_written_out(array, *width, inputs, lambda, body)
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

    /// Whether a map is written out because it goes through the small array, and asks for elements only by numbers that are known then.
    fn is_written_out(&self, array: Var, width: Atom, inputs: &[Var], lambda: &Lambda, body: &Body) -> bool {
        let Atom::Const(Scalar::I64(count)) = width else { return false };
        let cost = lambda.body.statements().saturating_mul(count.max(0) as usize);
        if !(1..=SMALL).contains(&count) || cost > MOST_OF_TABLES.min(self.room) {
            return false;
        }
        let is_counted = |input: &Var| {
            let is_range =
                |stm: &Stm| stm.vars[..] == [*input] && matches!(stm.exp, Exp::Array(ArrayExp::Range { .. }));
            self.ranges.contains(input) || body.stms.iter().any(is_range)
        };
        let counted = inputs.iter().zip(&lambda.params).filter(|(input, _)| is_counted(input));
        let mut numbers: HashSet<Var> = counted.map(|(_, param)| *param).collect();
        reads_by_numbers(&lambda.body, array, &mut numbers)
    }

    /// Branches may yield the array: that they do is no harm, as whoever yields small arrays yields their elements.
    fn result_goes_on(&self, stm: &Stm) -> bool {
        stm.vars.iter().all(|var| self.names.ty(*var).is_scalar() || self.is_small(*var))
    }
}

/// Whether a body takes elements of the array by these numbers, and by what is computed of them and of constants, and does nothing else with it.
fn reads_by_numbers(body: &Body, array: Var, numbers: &mut HashSet<Var>) -> bool {
    let is_number = |numbers: &HashSet<Var>, atom: &Atom| atom.var().is_none_or(|var| numbers.contains(&var));
    let reads = body.stms.iter().all(|stm| {
        let mut mentioned = false;
        match &stm.exp {
            Exp::Scalar(ScalarExp::Bin(_, _, x, y)) => {
                if is_number(numbers, x) && is_number(numbers, y) {
                    numbers.extend(&stm.vars);
                }
                true
            }
            Exp::Array(ArrayExp::Index { array: from, slice }) if *from == array => {
                slice.iter().all(|dim| matches!(dim, DimIndex::Fix(at) if is_number(numbers, at)))
            }
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                reads_by_numbers(then, array, numbers) && reads_by_numbers(els, array, numbers)
            }
            exp => {
                exp.for_each_part(&mut |part| match part {
                    Part::Atom(Atom::Var(var)) | Part::Var(var) => mentioned |= *var == array,
                    Part::Atom(Atom::Const(_)) | Part::Binder(_) => {}
                    Part::Body(_) | Part::Lambda(_) => mentioned = true,
                });
                !mentioned
            }
        }
    });
    reads && !body.result.contains(&array.into())
}

/// Whether it is known which element, or row, is meant.
fn is_known(slice: &[DimIndex]) -> bool {
    slice.iter().all(|index| matches!(index, DimIndex::Fix(Atom::Const(Scalar::I64(_)))))
}
