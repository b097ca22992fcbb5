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
//! All of `b` goes by for each four rows, and does not stay in the cache if it is large. So the columns are cut into panels,
//! and each panel is done for all rows: `for panel { for i4 { for j in panel { .. } } }`.

use super::plan::{Loop, Planner};
use super::shape::{Shape, Shapes, shapes};
use super::tree::{Body, Kind, VarSet, read};
use super::widen::{Sums, Widen};
use norn_ir::imp::build::CodeBuilder;
use norn_ir::imp::{BinOp, Block, Exp, LoopForm, Prim, Stmt, Type, Var};

/// How many iterations of the loop are worth doing side by side; nothing if that is one.
pub fn rows(planner: &Planner<'_>, it: Loop<'_>, depth: usize) -> Option<u16> {
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
    if !loads_shared(&over_rows, &vectors.shapes, &hot) || vectors.plan.copies == 1 {
        return None;
    }
    match accumulators.len() {
        1 => Some(4),
        2 => Some(2),
        _ => None,
    }
}

/// The loop over groups of rows; the rest is left. Says where the rest begins.
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

/// How many bytes of what is loaded for a panel are to stay in the cache: half of what a core has for itself.
const PANEL_BYTES: i64 = 1 << 19;
/// Panels are multiples of this: enough for several vectors of any type.
const PANEL_STEP: i64 = 64;

/// The loop over panels of columns, in the making.
pub struct Panels {
    number: Var,
    count: Exp,
    /// What a row does with the columns of a panel.
    pub row: Block,
}

impl Panels {
    /// Begins the loop around the rows, if a row does nothing else than go through its columns. Sizes of panels are computed
    /// when the code runs.
    pub fn begin(code: &mut CodeBuilder, it: Loop<'_>) -> Option<Panels> {
        let assigned = norn_ir::imp::walk::assigned(it.block);
        let fixed = |exp: &Exp| {
            let mut fixed = !exp.reads_memory();
            exp.for_each_var(&mut |var| fixed &= !assigned.contains(&var) && var != it.var);
            fixed
        };
        let columns = only_loop(it.block)?;
        let sum = only_loop(columns.block)?;
        let pure = it.block.iter().all(|stmt| match stmt {
            Stmt::Set(_, exp) => !exp.reads_memory(),
            Stmt::For { .. } => true,
            _ => false,
        });
        if !pure || ![columns.from, columns.to, sum.from, sum.to].into_iter().all(fixed) {
            return None;
        }
        let bytes = sum.to.clone().sub(sum.from.clone()).max(1).mul(8);
        let width = Exp::bin(BinOp::And, Prim::I64, Exp::i64(PANEL_BYTES).quot(bytes), Exp::i64(-PANEL_STEP));
        let width = code.bind("width", width.max(PANEL_STEP));
        let (from, to) = (code.atom("from", columns.from.clone()), code.atom("to", columns.to.clone()));
        let count = to.clone().sub(from.clone()).add(Exp::Var(width).sub(1)).quot(width);
        let number = code.new_var("panel", Type::I64);
        code.open();
        let first = code.bind("first", from.add(Exp::Var(number).mul(width)));
        let last = code.bind("last", Exp::Var(first).add(width).min(to));
        let mut row = it.block.clone();
        for stmt in &mut row {
            if let Stmt::For { from, to, .. } = stmt {
                (*from, *to) = (first.into(), last.into());
            }
        }
        Some(Panels { number, count, row })
    }

    pub fn end(self, code: &mut CodeBuilder) {
        let body = code.close();
        code.for_(self.number, 0, self.count, LoopForm::Plain, body);
    }
}

/// The only loop of a block whose other statements are assignments and stores.
fn only_loop(block: &Block) -> Option<Loop<'_>> {
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
        Kind::Set(..) | Kind::Store { .. } => true,
        Kind::For { from, to, body, .. } => {
            let bounds = [shapes.exp(from), shapes.exp(to)];
            bounds == [Shape::Uniform, Shape::Uniform] && is_straight(shapes, body)
        }
        Kind::Copy { .. }
        | Kind::If { .. }
        | Kind::Switch { .. }
        | Kind::While { .. }
        | Kind::Fail { .. } => false,
    })
}

/// Whether the innermost body, of assignments only, loads vectors of columns that are the same for all rows.
fn loads_shared(rows: &Shapes<'_>, columns: &Shapes<'_>, body: &Body<'_>) -> bool {
    let mut shared = false;
    let straight = body.nodes.iter().all(|node| match &node.kind {
        Kind::Set(_, exp) => {
            shared |= load_shared(rows, columns, exp);
            true
        }
        Kind::Store { .. }
        | Kind::Copy { .. }
        | Kind::If { .. }
        | Kind::Switch { .. }
        | Kind::For { .. }
        | Kind::While { .. }
        | Kind::Fail { .. } => false,
    });
    straight && shared
}

fn load_shared(rows: &Shapes<'_>, columns: &Shapes<'_>, exp: &Exp) -> bool {
    let mut shared = match exp {
        Exp::Load { ptr, index, .. } => {
            rows.place(ptr, index) == Some(Shape::Uniform)
                && columns.place(ptr, index) == Some(Shape::Steps(Exp::i64(1)))
        }
        _ => false,
    };
    exp.for_each_child(&mut |child| shared |= load_shared(rows, columns, child));
    shared
}
