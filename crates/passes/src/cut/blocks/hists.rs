//! Histograms of floats: each block has bins of its own, and the bins of all blocks are combined in their order.
//!
//! ```text
//! let bins: [m]f32 = grid hist count (none) from (is, xs) op
//!
//! let all: [blocks][m]f32 = loop (all: *[blocks][m]f32 = ..) for block: i64 < blocks {
//!   let is.2: [size]i64 = index is [first:size:1i64]
//!   ..
//!   let bins: [m]f32 = grid hist size (none.2) from (is.2, xs.2) op
//!   let all.2: [blocks][m]f32 = update all [block] bins
//!   in all.2
//! }
//! ```
//!
//! In what order a device combines the elements of a histogram follows from how many elements and bins there are. Blocks have a launch each, and bins that have to be combined, so there are few of them: as many as make all
//! their bins a quarter of the elements at most. Where that is one, one device does the task.

use super::{Blocked, Blocks, divided_up};
use crate::cut::{bin, slice, zeroes};
use crate::nest::subst::Names;
use norn_base::Span;
use norn_ir::nest::task::{Join, Task};
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, LoopForm, Operator, Param, Prim, Stm, Var,
};

/// There are so many blocks at most, and so many rows in each at least.
const MOST: i64 = 32;
const FEWEST: i64 = 1 << 14;
/// So many times as many elements as there are bins in all blocks, at least.
const PER_BIN: i64 = 4;

/// Whether an operator is a histogram of floats.
pub(super) fn is_rounded(names: &Names, op: &Operator) -> bool {
    let Operator::Hist { op, .. } = op else { return false };
    let elem = |var: &Var| names.ty(*var).elem().and_then(|elem| elem.prim());
    op.lambda.params.iter().filter_map(elem).any(Prim::is_float)
}

/// Whether a task has histograms of floats.
pub(super) fn are_needed(names: &Names, task: &Task) -> bool {
    task.lambda.body.stms.iter().filter_map(|stm| stm.exp.op()).any(|op| is_rounded(names, op))
}

/// Their blocks, each of which is some blocks of reductions; nothing if there are none. The task binds these variables.
pub(super) fn blocks(
    names: &mut Names,
    out: &mut Vec<Stm>,
    task: &Task,
    mut vars: &[Var],
    long: Blocks,
    span: Span,
) -> Option<Blocks> {
    if !are_needed(names, task) {
        return None;
    }
    let mut most = bin(names, out, "most", BinOp::Quot, task.width, Atom::i64(FEWEST), span);
    for join in &task.joins {
        let (own, rest) = vars.split_at(join.results());
        let bins = own.iter().map(|var| names.ty(*var).dims().to_vec()).max_by_key(Vec::len);
        if let (Join::Partial(_), Some(dims)) = (join, bins.filter(|dims| !dims.is_empty())) {
            let mut weight = Atom::i64(PER_BIN);
            for size in dims.iter().filter_map(|dim| dim.atom()) {
                let size = bin(names, out, "size", BinOp::Max, size, Atom::i64(1), span);
                weight = bin(names, out, "weight", BinOp::Mul, weight, size.into(), span).into();
            }
            let enough = bin(names, out, "enough", BinOp::Quot, task.width, weight, span);
            most = bin(names, out, "most", BinOp::Min, most.into(), enough.into(), span);
        }
        vars = rest;
    }
    let most = bin(names, out, "most", BinOp::Min, most.into(), Atom::i64(MOST), span);
    let most = bin(names, out, "most", BinOp::Max, most.into(), Atom::i64(1), span);
    let each = divided_up(names, out, long.count, most.into(), span);
    let each = bin(names, out, "each", BinOp::Max, each.into(), Atom::i64(1), span);
    let rows = bin(names, out, "rows", BinOp::Mul, each.into(), long.rows, span);
    let count = divided_up(names, out, long.count, each.into(), span);
    Some(Blocks { rows: rows.into(), count: count.into() })
}

impl Blocked<'_> {
    /// The bins of the blocks of this part, each of which has so many rows.
    pub(super) fn hist(&mut self, stm: Stm, rows: Atom) {
        let Exp::Op(Operator::Hist { width: _, dests, op, inputs, lambda }) = &stm.exp else {
            panic!("cut: no histogram is in blocks")
        };
        let (names, span) = (&mut *self.names, self.span);
        let blocks = divided_up(names, &mut self.stms, self.count.into(), rows, span);
        let block = names.fresh("block", norn_ir::nest::Type::i64());
        let mut stms = Vec::new();
        let first = bin(names, &mut stms, "first", BinOp::Mul, block.into(), rows, span);
        let rest = bin(names, &mut stms, "rest", BinOp::Sub, self.count.into(), first.into(), span);
        let size = bin(names, &mut stms, "size", BinOp::Min, rest.into(), rows, span);
        let mut own = Vec::new();
        for input in inputs {
            let var =
                names.fresh(&names.name(*input), super::super::parts::with_rows(names, *input, size.into()));
            stms.push(Stm::new(vec![var], Exp::index(*input, slice(first.into(), size.into())), span));
            own.push(var);
        }
        let none = names.like(dests);
        for (none, dest) in none.iter().zip(dests) {
            stms.push(Stm::new(vec![*none], Exp::copy(*dest), span));
        }
        let op = Operator::Hist {
            width: size.into(),
            dests: none,
            op: op.clone(),
            inputs: own,
            lambda: lambda.clone(),
        };
        let bins = names.like(&stm.vars);
        stms.push(Stm { vars: bins.clone(), exp: Exp::Op(op), ..stm.clone() });
        let (mut params, mut result, mut found) = (Vec::new(), Vec::new(), Vec::new());
        for (var, bins) in stm.vars.iter().zip(bins) {
            let ty = names.ty(*var).array_of(Dim::size(blocks));
            let none = zeroes(names, &mut self.stms, &ty, span);
            let [all, next, last] = ["all", "all", "all"].map(|name| names.fresh(name, ty.clone()));
            params.push((Param::unique(all), none));
            let slice = vec![DimIndex::Fix(block.into())];
            let exp = ArrayExp::Update { array: all, slice, value: bins.into() };
            stms.push(Stm::new(vec![next], Exp::Array(exp), span));
            result.push(next.into());
            found.push(last);
            self.totals.insert(*var, last);
        }
        let form = LoopForm::For(block, blocks.into());
        let exp = ControlExp::Loop { params, form, body: Body { stms, result } };
        self.stms.push(Stm::new(found, Exp::Control(exp), span));
    }
}
