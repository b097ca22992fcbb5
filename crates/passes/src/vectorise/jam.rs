//! Rows side by side: several iterations of a loop whose inner loops load the same.
//!
//! ```text
//! for i { for j { for k reduce { sum += a[i*p + k] * b[k*m + j] } } }
//! ```
//! With `j` in vectors, each vector of `b` is loaded for one row of `a` only. Four rows side by side, without vectors of
//! their own, use it four times:
//! ```text
//! for i4 { for j { for k reduce { b' = b[k*m + j]; sum0 += a[..] * b'; sum1 += a[..] * b'; .. } } }
//! ```
//! This is unroll and jam, restricted to where it is known to help: independent loops directly inside each other, around a
//! small reduction.
//!
//! All of `b` goes by for each four rows, and does not stay in the cache if it is large: see `panels`.

use super::plan::{Loop, Planner};
use super::shape::{Shape, Shapes, shapes};
use super::tree::{Body, NodeKind, VarSet, read};
use super::widen::{Sums, Widen};
use norn_ir::imp::build::CodeBuilder;
use norn_ir::imp::{BinOp, Block, Exp, LoopForm, Prim, Stmt, Type};

/// Rows that are done side by side.
pub struct JammedRows {
    pub count: u16,
    /// How many columns are done side by side with them.
    pub columns: u16,
    /// The loads that are the same for all rows, and contiguous for neighbouring columns.
    pub shared: Vec<Exp>,
}

/// How many iterations of the loop are worth doing side by side; nothing if that is one.
pub fn rows(planner: &Planner<'_>, it: Loop<'_>, depth: usize) -> Option<JammedRows> {
    let LoopForm::Independent = it.form else { return None };
    // One loop inside, over columns, and one inside that.
    let columns = only_loop(it.block)?;
    let LoopForm::Independent = columns.form else { return None };
    let sum = only_loop(columns.block)?;
    let LoopForm::Reduce(accumulators) = sum.form else { return None };
    if super::estimate::known_trips(it.from, it.to).is_some_and(|trips| trips < 4) {
        return None;
    }
    let body = read(it.block, &VarSet::new())?;
    let over_rows = shapes(planner.vars, it.var, &VarSet::new(), &body, None)?;
    if !is_straight(&over_rows, &body) {
        return None;
    }
    let vectors = planner.choose(columns, depth + 1)?;
    let hot = read(sum.block, &VarSet::new())?;
    let shared = loads_shared(&over_rows, &vectors.shapes, &hot)?;
    if shared.is_empty() || vectors.plan.copies == 1 {
        return None;
    }
    let count = match accumulators.len() {
        1 => 4,
        2 => 2,
        _ => return None,
    };
    Some(JammedRows { count, columns: vectors.plan.lanes * vectors.plan.copies, shared })
}

/// The loop over groups of rows; the rest is left. Returns where the rest begins.
pub fn jam(code: &mut CodeBuilder, planner: &Planner<'_>, it: Loop<'_>, rows: u16) -> Exp {
    let body = read(it.block, &VarSet::new()).expect("vectorise: rows were looked at before");
    let shapes = shapes(planner.vars, it.var, &VarSet::new(), &body, None);
    let shapes = shapes.expect("vectorise: rows were looked at before");
    let (from, to) = (code.atom("from", it.from.clone()), code.atom("to", it.to.clone()));
    let count = to.sub(from.clone());
    let groups = Exp::bin(BinOp::Ashr, Prim::I64, count, Exp::i64(rows.ilog2() as i64)).max(0);
    let groups = code.bind("groups", groups);
    let number = code.new_var("group", Type::I64);
    code.open();
    let first = code.bind("first", from.clone().add(Exp::Var(number).mul(rows as i64)));
    let mut widen = Widen::new(code, &shapes, 1, rows, Sums::default());
    widen.group(it.var, first, &Default::default(), None, &body);
    let block = code.close();
    code.for_(number, 0, groups, LoopForm::Plain, block);
    from.add(Exp::Var(groups).mul(rows as i64))
}

/// The only loop of a block whose other statements are assignments and stores.
pub fn only_loop(block: &Block) -> Option<Loop<'_>> {
    let mut found = None;
    for stmt in block {
        match stmt {
            Stmt::Set(..) | Stmt::Store { .. } => {}
            Stmt::For { var, from, to, form, body } if found.is_none() => {
                found = Some(Loop { var: *var, from, to, form, block: body });
            }
            _ => return None,
        }
    }
    found
}

/// Whether iterations go through the same loops equally often. There are no branches.
fn is_straight(shapes: &Shapes<'_>, body: &Body<'_>) -> bool {
    body.nodes.iter().all(|node| match &node.kind {
        NodeKind::Set(..) | NodeKind::Store { .. } => true,
        NodeKind::For { from, to, body, .. } => {
            let bounds = [shapes.exp(from), shapes.exp(to)];
            bounds == [Shape::Uniform, Shape::Uniform] && is_straight(shapes, body)
        }
        NodeKind::Copy { .. }
        | NodeKind::If { .. }
        | NodeKind::Switch { .. }
        | NodeKind::While { .. }
        | NodeKind::Fail { .. } => false,
    })
}

/// The loads of vectors of columns that are the same for all rows, in the innermost body. Nothing if that does more than to
/// assign.
fn loads_shared(rows: &Shapes<'_>, columns: &Shapes<'_>, body: &Body<'_>) -> Option<Vec<Exp>> {
    let mut shared = Vec::new();
    for node in &body.nodes {
        match &node.kind {
            NodeKind::Set(_, exp) => find_shared(rows, columns, exp, &mut shared),
            NodeKind::Store { .. }
            | NodeKind::Copy { .. }
            | NodeKind::If { .. }
            | NodeKind::Switch { .. }
            | NodeKind::For { .. }
            | NodeKind::While { .. }
            | NodeKind::Fail { .. } => return None,
        }
    }
    Some(shared)
}

fn find_shared(rows: &Shapes<'_>, columns: &Shapes<'_>, exp: &Exp, shared: &mut Vec<Exp>) {
    if let Exp::Load { ptr, index, .. } = exp
        && rows.place(ptr, index) == Some(Shape::Uniform)
        && columns.place(ptr, index) == Some(Shape::Steps(Exp::i64(1)))
        && !shared.contains(exp)
    {
        shared.push(exp.clone());
    }
    exp.for_each_child(&mut |child| find_shared(rows, columns, child, shared));
}
