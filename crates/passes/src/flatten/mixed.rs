//! A fused operator in maps that reduces, and yields arrays as well: kernels for all rows do the one or the other.
//!
//! ```text
//! fused m (xs) \(x) { let e = .. in e, e } reduce op        ==>    let es = map m (xs) \(x) { let e = .. in e }
//!                                                                  reduce m (es) op
//! ```
//!
//! What is reduced is read from the arrays if it is among them, or costs more than to read it; else it is computed again.
//! A thread, or a group, that has the whole row does it as it is.

use super::Distributor;
use super::operators::{Column, has_varying_columns};
use crate::nest::inputs::param_groups;
use crate::nest::memory::consumed;
use crate::nest::mentions;
use norn_ir::nest::{Atom, Body, Exp, Lambda, Operator, Reduction, Stm, Var};

/// What is computed again has at most so many statements.
const FEW: usize = 12;

impl Distributor<'_, '_> {
    /// Whether no kernel does this for all rows, but by a thread for each.
    pub fn reduces_and_yields(&self, stm: &Stm) -> bool {
        let Exp::Op(Operator::Fused { reductions, .. }) = &stm.exp else { return false };
        let reduced: usize = reductions.iter().map(|op| op.neutral.len()).sum();
        !reductions.is_empty() && reduced < stm.vars.len()
    }

    /// Whether kernels for all rows do this in two steps.
    pub fn is_mixed(&self, stm: &Stm) -> bool {
        let Exp::Op(Operator::Fused { scans, reductions, .. }) = &stm.exp else { return false };
        let varies = |op: &Reduction| has_varying_columns(&self.names.vars, op) || self.combines_rows(op);
        self.reduces_and_yields(stm)
            && !self.worth.inside(stm)
            && !scans.iter().chain(reductions).any(varies)
            && consumed(&self.names.vars, stm, self.signatures).is_empty()
    }

    /// What yields arrays, and what reduces.
    pub fn unmixed(&mut self, stm: &Stm) -> Option<Vec<Stm>> {
        let Exp::Op(Operator::Fused { width, inputs, lambda, scans, reductions }) = &stm.exp else {
            return None;
        };
        if !self.is_mixed(stm) {
            return None;
        }
        let scanned: usize = scans.iter().map(|op| op.neutral.len()).sum();
        let reduced: usize = reductions.iter().map(|op| op.neutral.len()).sum();
        let (of_scans, rest) = lambda.body.result.split_at(scanned);
        let (of_reductions, kept) = rest.split_at(reduced);
        let (scan_vars, rest) = stm.vars.split_at(scanned);
        let (reduction_vars, kept_vars) = rest.split_at(reduced);

        let bound = mentions::bound_inside(stm);
        let groups = param_groups(&self.names.vars, inputs, &lambda.params);
        let mut arrays: Vec<(Var, Atom)> = Vec::new();
        for (input, params) in inputs.iter().zip(groups) {
            arrays.extend(params.last().map(|param| (*input, Atom::Var(*param))));
        }
        let given = arrays.len();
        arrays.extend(kept_vars.iter().copied().zip(kept.iter().copied()));
        let is_again = lambda.body.stms.len() <= FEW
            && lambda.body.stms.iter().all(|stm| matches!(stm.exp, Exp::Scalar(_) | Exp::Array(_)));
        let mut columns: Vec<Column> = Vec::with_capacity(reduced);
        for value in of_reductions {
            let stored = arrays.iter().find(|(_, atom)| atom == value).map(|(array, _)| *array);
            match (value.var().filter(|var| bound.contains(var)), stored) {
                (None, _) => columns.push(Column::Same(*value)),
                (Some(_), Some(array)) => columns.push(Column::Rows(array)),
                (Some(_), None) if is_again => {}
                (Some(var), None) => {
                    let array = self.array_for(*width, var, &bound);
                    arrays.push((array, *value));
                    columns.push(Column::Rows(array));
                }
            }
        }
        let has_arrays = columns.iter().any(|column| matches!(column, Column::Rows(_)));
        let all_stored = columns.len() == reduced && has_arrays;

        let (vars, values): (Vec<Var>, Vec<Atom>) = arrays.split_off(given).into_iter().unzip();
        let (vars, values) = ([scan_vars, &vars].concat(), [of_scans, &values].concat());
        let body = Body { stms: lambda.body.stms.clone(), result: values };
        let first = Lambda::new(lambda.params.clone(), body);
        let first = match scans.is_empty() {
            true => Exp::map(*width, inputs.clone(), first),
            false => Exp::Op(fused(*width, inputs.clone(), first, scans.clone(), Vec::new())),
        };
        let (inputs, lambda) = match all_stored {
            true => self.rows_of(&columns),
            false => {
                let mut live = Vec::new();
                mentions::in_atoms(of_reductions, &mut live);
                let stms = mentions::needed(&self.names.vars, &lambda.body.stms, &mut live);
                let body = Body { stms, result: of_reductions.to_vec() };
                let again = Lambda::new(lambda.params.clone(), body);
                (inputs.clone(), self.names.copy_lambda(&again))
            }
        };
        let none = Lambda::new(Vec::new(), Body::default());
        let second = Exp::Op(fused(*width, Vec::new(), none, Vec::new(), reductions.clone()));
        let second = self.with_lambda(&second, inputs, lambda);
        let reduction_vars = reduction_vars.to_vec();
        let first = Stm { vars, exp: first, ..stm.clone() };
        Some(vec![first, Stm { vars: reduction_vars, exp: second, ..stm.clone() }])
    }
}

fn fused(
    width: Atom,
    inputs: Vec<Var>,
    lambda: Lambda,
    scans: Vec<Reduction>,
    reductions: Vec<Reduction>,
) -> Operator {
    Operator::Fused { width, inputs, lambda, scans, reductions }
}
