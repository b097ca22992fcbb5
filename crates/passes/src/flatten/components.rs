//! An operator that combines several columns, where some have nothing to do with the others, becomes several operators.
//!
//! ```text
//! let s: [m]f32, c: [k]i64 = reduce n (xss, yss) \(a, b, a.2, b.2) {      let s: [m]f32 = reduce n (xss) \(a, a.2) {
//!   let x: [m]f32 = map m (a, a.2) \(..) { .. add.f32 .. }                   let x: [m]f32 = map m (a, a.2) \(..) { .. add.f32 .. }
//!   let y: [k]i64 = map k (b, b.2) \(..) { .. add.i64 .. }       ==>         in x
//!   in x, y                                                                }
//! }                                                                        let c: [k]i64 = reduce n (yss) \(b, b.2) { .. }
//! ```
//!
//! That is how sums and counts of clusters are reduced together: the operator is no map of its rows, but each of its parts is one, and so a reduction of columns
//! (`columns`). Numbers that are combined beside each other stay together: they take one pass over the input.
//!
//! What fusion has put in front is done for each part that needs it, if what they share is cheap; work that they share is done before (`work_first`).
//! Refuses operators with checks that nothing relies on.

use super::Distributor;
use super::context::Context;
use super::work_first::is_cheap;
use super::worth::is_small;
use crate::nest::mentions::needed;
use crate::nest::subst::Names;
use norn_ir::nest::{Atom, Body, Exp, Lambda, Operator, Reduction, Stm, Var, VarInfo};
use std::collections::HashSet;

impl Distributor<'_, '_> {
    /// The statements that do the same.
    pub fn by_components(&mut self, cx: &Context, stm: &Stm) -> Option<Vec<Stm>> {
        if !self.has_components(cx, stm) {
            return None;
        }
        let names = &mut self.names;
        match &stm.exp {
            Exp::Op(Operator::Reduce { width, op, inputs }) => {
                let make = |op, inputs| Exp::reduce(*width, op, inputs);
                Some(each_part(names, stm, op, inputs, &make, &components_of(&names.vars, op)?))
            }
            Exp::Op(Operator::Scan { width, op, inputs }) => {
                let make = |op, inputs| Exp::scan(*width, op, inputs);
                Some(each_part(names, stm, op, inputs, &make, &components_of(&names.vars, op)?))
            }
            Exp::Op(Operator::Fused { width, inputs, lambda, scans, reductions }) => {
                let parts = parts_of(names, lambda, scans, reductions);
                if shares_little(&names.vars, &lambda.body, &parts) {
                    let of_part = |part: Part| {
                        let own = lambda_of(names, lambda.params.clone(), &lambda.body, &part.columns);
                        part.statement(stm, *width, inputs, own)
                    };
                    return Some(parts.into_iter().map(of_part).collect());
                }
                self.work_first(stm).or_else(|| {
                    let all = parts.into_iter().reduce(Part::and)?;
                    Some(vec![all.statement(stm, *width, inputs, lambda_with(lambda, &all.columns))])
                })
            }
            _ => None,
        }
    }

    /// Whether columns that are combined have nothing to do with others, and some are rows. A thread that has small rows keeps them in registers.
    pub fn has_components(&self, cx: &Context, stm: &Stm) -> bool {
        let vars = &self.names.vars;
        let is_row = |param: &Var| {
            let ty = &vars[param.0 as usize].ty;
            ty.is_array() && (cx.depth() == 0 || !is_small(ty))
        };
        let is_parted =
            |op: &Reduction| op.lambda.params.iter().any(is_row) && components_of(vars, op).is_some();
        match &stm.exp {
            Exp::Op(Operator::Reduce { op, .. } | Operator::Scan { op, .. }) => is_parted(op),
            Exp::Op(Operator::Fused { scans, reductions, .. }) => {
                scans.iter().chain(reductions).any(is_parted)
            }
            _ => false,
        }
    }
}

/// The columns of an operator, parted, if there is more than one part.
fn components_of(vars: &[VarInfo], op: &Reduction) -> Option<Vec<Vec<usize>>> {
    let Body { stms, result } = &op.lambda.body;
    let count = result.len();
    let mut parts: Vec<(Vec<usize>, HashSet<Var>)> = Vec::new();
    let mut all: HashSet<Var> = HashSet::new();
    for (column, atom) in result.iter().enumerate() {
        let mut live: Vec<Var> = atom.var().into_iter().collect();
        all.extend(needed(vars, stms, &mut live).iter().flat_map(|stm| &stm.vars));
        // Its own parameters belong to it, even if it does not look at them.
        live.extend([op.lambda.params[column], op.lambda.params[column + count]]);
        let live: HashSet<Var> = live.into_iter().filter(|var| op.lambda.params.contains(var)).collect();
        let (joined, others): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|(_, other)| !live.is_disjoint(other));
        parts = others;
        let mut part = (vec![column], live);
        for (columns, live) in joined {
            part.0.extend(columns);
            part.1.extend(live);
        }
        part.0.sort_unstable();
        parts.push(part);
    }
    // A check that nothing relies on.
    let is_lost = |stm: &Stm| !stm.vars.iter().any(|var| all.contains(var));
    let mut parts: Vec<Vec<usize>> = parts.into_iter().map(|(columns, _)| columns).collect();
    parts.sort();
    (parts.len() > 1 && !stms.iter().any(is_lost)).then_some(parts)
}

fn each_part(
    names: &mut Names,
    stm: &Stm,
    op: &Reduction,
    inputs: &[Var],
    make: &dyn Fn(Reduction, Vec<Var>) -> Exp,
    parts: &[Vec<usize>],
) -> Vec<Stm> {
    let of = |part: &Vec<usize>, all: &[Var]| part.iter().map(|column| all[*column]).collect::<Vec<Var>>();
    let of_part = |part: &Vec<usize>| {
        let exp = make(operator_of(names, op, part), of(part, inputs));
        Stm { vars: of(part, &stm.vars), exp, ..stm.clone() }
    };
    parts.iter().map(of_part).collect()
}

fn operator_of(names: &mut Names, op: &Reduction, part: &[usize]) -> Reduction {
    let count = op.neutral.len();
    let params = part.iter().copied().chain(part.iter().map(|column| column + count));
    let params = params.map(|at| op.lambda.params[at]).collect();
    let lambda = lambda_of(names, params, &op.lambda.body, part);
    let neutral = part.iter().map(|column| op.neutral[*column]).collect();
    Reduction { lambda, neutral, commutative: op.commutative }
}

/// What yields these results of a body.
fn lambda_of(names: &mut Names, params: Vec<Var>, body: &Body, results: &[usize]) -> Lambda {
    let result: Vec<Atom> = results.iter().map(|at| body.result[*at]).collect();
    let mut live = result.iter().filter_map(|atom| atom.var()).collect();
    let mut stms = needed(&names.vars, &body.stms, &mut live);
    stms.iter_mut().for_each(|stm| keep_results(&names.vars, stm, &live));
    names.copy_lambda(&Lambda::new(params, Body { stms, result }))
}

/// A map yields these results only, and does what they need, if nothing else in it can fail.
fn keep_results(vars: &[VarInfo], stm: &mut Stm, live: &[Var]) {
    if !is_cheap(stm) {
        return;
    }
    let Exp::Op(Operator::Map { lambda, .. }) = &mut stm.exp else { return };
    let kept: Vec<bool> = stm.vars.iter().map(|var| live.contains(var)).collect();
    if kept.iter().all(|kept| *kept) {
        return;
    }
    let of_kept = |at: &mut usize| std::mem::replace(at, *at + 1);
    let mut at = 0;
    stm.vars.retain(|_| kept[of_kept(&mut at)]);
    let mut at = 0;
    lambda.body.result.retain(|_| kept[of_kept(&mut at)]);
    let mut live = lambda.body.result.iter().filter_map(|atom| atom.var()).collect();
    lambda.body.stms = needed(vars, &lambda.body.stms, &mut live);
}

/// What becomes of the results of a lambda, part by part.
fn parts_of(names: &mut Names, lambda: &Lambda, scans: &[Reduction], reductions: &[Reduction]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut first = 0;
    for (number, op) in scans.iter().chain(reductions).enumerate() {
        let all = || vec![(0..op.neutral.len()).collect()];
        for part in components_of(&names.vars, op).unwrap_or_else(all) {
            let own = operator_of(names, op, &part);
            let columns = part.iter().map(|column| first + column).collect();
            parts.push(match number < scans.len() {
                true => Part { columns, scans: vec![own], reductions: Vec::new() },
                false => Part { columns, scans: Vec::new(), reductions: vec![own] },
            });
        }
        first += op.neutral.len();
    }
    let kept: Vec<usize> = (first..lambda.body.result.len()).collect();
    if !kept.is_empty() {
        parts.push(Part { columns: kept, scans: Vec::new(), reductions: Vec::new() });
    }
    parts
}

/// Of the results of a lambda, some, and what becomes of them; those of no operator are kept.
struct Part {
    columns: Vec<usize>,
    scans: Vec<Reduction>,
    reductions: Vec<Reduction>,
}

impl Part {
    fn and(mut self, other: Part) -> Part {
        self.columns.extend(other.columns);
        self.scans.extend(other.scans);
        self.reductions.extend(other.reductions);
        self
    }

    fn statement(&self, stm: &Stm, width: Atom, inputs: &[Var], lambda: Lambda) -> Stm {
        let vars = self.columns.iter().map(|at| stm.vars[*at]).collect();
        let (scans, reductions) = (self.scans.clone(), self.reductions.clone());
        let exp = match scans.is_empty() && reductions.is_empty() {
            true => Exp::map(width, inputs.to_vec(), lambda),
            false => Exp::Op(Operator::Fused { width, inputs: inputs.to_vec(), lambda, scans, reductions }),
        };
        Stm { vars, exp, ..stm.clone() }
    }
}

/// The lambda with its results in this order.
fn lambda_with(lambda: &Lambda, results: &[usize]) -> Lambda {
    let result = results.iter().map(|at| lambda.body.result[*at]).collect();
    Lambda::new(lambda.params.clone(), Body { stms: lambda.body.stms.clone(), result })
}

/// Whether each statement is for some part, and those for several of them are cheap.
fn shares_little(vars: &[VarInfo], body: &Body, parts: &[Part]) -> bool {
    let of_parts: Vec<HashSet<Var>> = parts
        .iter()
        .map(|part| {
            let mut live = part.columns.iter().filter_map(|at| body.result[*at].var()).collect();
            needed(vars, &body.stms, &mut live).iter().flat_map(|stm| stm.vars.clone()).collect()
        })
        .collect();
    body.stms.iter().all(|stm| {
        let uses = of_parts.iter().filter(|own| stm.vars.iter().any(|var| own.contains(var))).count();
        uses == 1 || uses > 1 && is_cheap(stm)
    })
}
