//! About how many elements a task works on: by that, and not by its rows, the scheduler tells runs of a task apart, since rows may be longer than the last time.
//!
//! It is the number of elements of the largest array that the task reads or makes, as far as the host knows sizes before the task begins.

use super::bin;
use crate::nest::mentions::bound_inside;
use crate::nest::subst::Names;
use norn_base::Span;
use norn_ir::nest::task::{Join, Task};
use norn_ir::nest::{Atom, BinOp, Dim, Exp, Operator, Side, Stm, Var};
use std::collections::HashSet;

pub(super) fn of(names: &mut Names, out: &mut Vec<Stm>, task: &Task, span: Span) -> Atom {
    let whole = Stm::new(Vec::new(), Exp::Op(Operator::Task(Box::new(task.clone()))), span);
    let inside = bound_inside(&whole);
    let mut found: Vec<Vec<Atom>> = Vec::new();
    let mut note = |sizes: Vec<Atom>| {
        if !sizes.is_empty() && sizes != [task.width] && !found.contains(&sizes) {
            found.push(sizes);
        }
    };
    let read = task.inputs.iter().chain(task.windows.iter().flat_map(|window| &window.arrays));
    for array in read {
        note(known(names, &inside, names.ty(*array).dims()));
    }
    let mut results = task.lambda.body.result.iter();
    for join in &task.joins {
        let own: Vec<&Atom> = results.by_ref().take(join.results()).collect();
        if let (Join::Rows, [Atom::Var(rows)]) = (join, &own[..]) {
            let mut sizes = known(names, &inside, names.ty(*rows).dims().get(1..).unwrap_or_default());
            sizes.insert(0, task.width);
            note(sizes);
        }
    }
    let mut most = task.width;
    for sizes in found {
        let mut product = |all, size| bin(names, out, "elements", BinOp::Mul, all, size, span).into();
        let Some(all) = sizes.into_iter().reduce(&mut product) else { continue };
        most = bin(names, out, "elements", BinOp::Max, most, all, span).into();
    }
    most
}

/// The sizes among these that the host knows before the task.
fn known(names: &Names, inside: &HashSet<Var>, dims: &[Dim]) -> Vec<Atom> {
    let is_known = |size: &Atom| match size.var() {
        Some(var) => !inside.contains(&var) && names.vars[var.0 as usize].side != Some(Side::Device),
        None => true,
    };
    dims.iter().filter_map(|dim| dim.atom()).filter(is_known).collect()
}
