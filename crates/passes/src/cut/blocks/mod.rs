//! Floats that are combined across parts: in blocks, so that bits do not depend on how a task is cut.
//!
//! ```text
//! let s: f32 = grid reduce count (xs) op
//!
//! let lanes: [blocks * 32]f32 = grid map \(lane) { loop .. }     each thread has every 32nd row of a block
//! let ss: [blocks]f32 = grid map blocks \(block) { loop .. }     cuts are where blocks begin
//! ```
//!
//! How many rows a block has follows from how many the task has, and they are combined in an order that depends on their number alone: rows 32 apart by one thread, if the operator allows that, else neighbours; then what these have. The totals of all blocks are listed, whoever computed them, and combined by one kernel. Scans have short blocks (`scans`), and histograms long ones (`hists`). So parts of like devices yield the same bits, however many there are. Whole numbers need none of this. No threads wait for each other here: where a processor stands for a device, that would take long.
//!
//! An operator that has other results beside is split: a map makes what is combined.

mod hists;
mod scans;

use super::bin;
use crate::imp_gen::{any_order, has_grids};
use crate::nest::subst::Names;
use norn_base::Span;
use norn_ir::nest::task::{Join, Task};
use norn_ir::nest::{
    Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Grid, Lambda, LoopForm, Operator, Param, Prim,
    Reduction, Stm, Type, Var,
};
pub(super) use scans::before_blocks;
use std::collections::HashMap;

/// How many rows the blocks of scans have, at least and at most: a thread goes through one.
const FEWEST: i64 = 16;
const LONGEST: i64 = 64;
/// There are so many blocks of reductions at most, and of scans, where these need not be longer.
const MOST: i64 = 1024;
/// So many threads go through a block of a reduction.
const LANES: i64 = 32;

/// The blocks of a task.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    /// How many rows each has but the last.
    pub rows: Atom,
    /// How many there are.
    pub count: Atom,
}

/// Those of reductions, which begin where some of scans do, those of scans, and those of histograms, if there are any, which begin where some of reductions do.
#[derive(Clone, Copy)]
pub(super) struct AllBlocks {
    pub long: Blocks,
    pub short: Blocks,
    pub hists: Option<Blocks>,
}

/// Whether parts combine floats, so that it shows where they are cut.
pub(super) fn are_needed(names: &Names, task: &Task) -> bool {
    let partial = |join: &Join| match join {
        Join::Partial(op) => is_rounded(names, op),
        Join::Rows | Join::Kept(_) => false,
    };
    task.carries.iter().any(|carry| is_rounded(names, &carry.op))
        || task.joins.iter().any(partial)
        || hists::are_needed(names, task)
}

/// Whether it combines numbers, of which some are floats.
pub(super) fn is_rounded(names: &Names, op: &Reduction) -> bool {
    let types = || op.lambda.params.iter().map(|param| names.ty(*param));
    types().all(Type::is_scalar)
        && types().any(|ty| ty.elem().and_then(|elem| elem.prim()).is_some_and(Prim::is_float))
}

impl AllBlocks {
    /// Of a task that binds these variables.
    pub fn new(names: &mut Names, out: &mut Vec<Stm>, task: &Task, vars: &[Var], span: Span) -> AllBlocks {
        let width = task.width;
        // Few rows may take long: there are as many blocks as can be of use to somebody.
        let rows = divided_up(names, out, width, Atom::i64(MOST), span);
        let rows = bin(names, out, "rows", BinOp::Max, rows.into(), Atom::i64(FEWEST), span);
        let short_rows = bin(names, out, "rows", BinOp::Min, rows.into(), Atom::i64(LONGEST), span);
        let short = divided_up(names, out, width, short_rows.into(), span);
        let each = divided_up(names, out, short.into(), Atom::i64(MOST), span);
        let each = bin(names, out, "each", BinOp::Max, each.into(), Atom::i64(1), span);
        let long_rows = bin(names, out, "rows", BinOp::Mul, each.into(), short_rows.into(), span);
        let long = divided_up(names, out, short.into(), each.into(), span);
        let long = Blocks { rows: long_rows.into(), count: long.into() };
        let hists = hists::blocks(names, out, task, vars, long, span);
        AllBlocks { long, short: Blocks { rows: short_rows.into(), count: short.into() }, hists }
    }

    /// Parts begin at multiples of so many rows.
    pub fn between_cuts(&self) -> Atom {
        self.hists.unwrap_or(self.long).rows
    }
}

/// How many times so many fit into a number, rounded up.
pub(super) fn divided_up(names: &mut Names, out: &mut Vec<Stm>, number: Atom, by: Atom, span: Span) -> Var {
    let less = bin(names, out, "less", BinOp::Sub, by, Atom::i64(1), span);
    let more = bin(names, out, "more", BinOp::Add, number, less.into(), span);
    bin(names, out, "blocks", BinOp::Quot, more.into(), by, span)
}

/// A lambda of a task in the making, with blocks in place of what combines floats.
pub(super) struct Blocked<'a> {
    names: &'a mut Names,
    /// How many rows the blocks of reductions have, those of scans, and those of histograms, if there are any.
    rows: Atom,
    short: Atom,
    hists: Option<Atom>,
    from: Var,
    count: Var,
    /// Of each scan of the lambda that is rounded, what comes before each of its blocks; of others nothing.
    before: std::vec::IntoIter<Option<Vec<Var>>>,
    stms: Vec<Stm>,
    /// The totals of the blocks of what was reduced.
    totals: HashMap<Var, Var>,
    span: Span,
}

/// The lambda with totals of blocks, of which each has so many rows, in place of what it would reduce to. Which totals, and the number of the first, are found by what they stand for.
pub(super) fn in_blocks(
    names: &mut Names,
    mut lambda: Lambda,
    (rows, short, hists): (Atom, Atom, Option<Atom>),
    before: Vec<Option<Vec<Var>>>,
    span: Span,
) -> (Lambda, HashMap<Var, Var>) {
    let (from, count) = (lambda.params[0], lambda.params[1]);
    let before = before.into_iter();
    let mut blocked = Blocked {
        names,
        rows,
        short,
        hists,
        from,
        count,
        before,
        stms: Vec::new(),
        totals: HashMap::new(),
        span,
    };
    for stm in std::mem::take(&mut lambda.body.stms) {
        blocked.stm(stm);
    }
    let Blocked { stms, totals, .. } = blocked;
    lambda.body.stms = stms;
    (lambda, totals)
}

impl Blocked<'_> {
    fn stm(&mut self, stm: Stm) {
        let Exp::Op(op) = &stm.exp else { return self.stms.push(stm) };
        if let Some(rows) = self.hists.filter(|_| hists::is_rounded(self.names, op)) {
            return self.hist(stm, rows);
        }
        let Some(op) = op.combining() else { return self.stms.push(stm) };
        let before: Vec<Option<Vec<Var>>> = op.scans.iter().map(|_| self.before.next().flatten()).collect();
        if !op.scans.iter().chain(op.reductions).any(|op| is_rounded(self.names, op)) {
            return self.stms.push(stm);
        }
        let (scans, reductions) = (op.scans.to_vec(), op.reductions.to_vec());
        let combined: usize = scans.iter().chain(&reductions).map(|op| op.neutral.len()).sum();
        // What is combined, and the other results.
        let (vars, kept) = stm.vars.split_at(combined);
        let (mut inputs, lambda) = (op.inputs.to_vec(), op.lambda.cloned());
        let is_alone = scans.is_empty() && reductions.len() == 1 && kept.is_empty();
        let are_regular = inputs.iter().all(|input| !self.names.ty(*input).has_irregular_rows());
        let is_for_threads = lambda.as_ref().is_none_or(|lambda| !has_grids(&lambda.body));
        if is_alone && are_regular && is_for_threads {
            let totals = self.totals_of(&reductions[0], &inputs, lambda.as_ref(), stm.certs);
            return self.totals.extend(vars.iter().copied().zip(totals));
        }
        if let Some(lambda) = lambda {
            let made: Vec<Var> = lambda.body.result[..combined]
                .iter()
                .map(|atom| {
                    let row = match atom {
                        Atom::Var(var) => self.names.ty(*var).clone(),
                        Atom::Const(scalar) => Type::scalar(scalar.prim()),
                    };
                    self.names.fresh("combined", row.array_of(Dim::size(self.count)))
                })
                .collect();
            let exp = Exp::map(self.count.into(), inputs, lambda);
            let all = made.iter().chain(kept).copied().collect();
            self.stms.push(Stm { certs: stm.certs.clone(), grid: stm.grid, ..Stm::new(all, exp, stm.span) });
            inputs = made;
        }
        let (mut vars, mut inputs) = (vars, &inputs[..]);
        for (scan, before) in scans.iter().zip(before) {
            let (these, rest) = vars.split_at(scan.neutral.len());
            let (own, others) = inputs.split_at(scan.neutral.len());
            match before {
                Some(before) => self.scan(scan, own, these, &before),
                None => {
                    let exp =
                        Operator::Scan { width: self.count.into(), op: scan.clone(), inputs: own.to_vec() };
                    self.push_grid(these.to_vec(), Exp::Op(exp));
                }
            }
            (vars, inputs) = (rest, others);
        }
        for op in &reductions {
            let (these, rest) = vars.split_at(op.neutral.len());
            let (own, others) = inputs.split_at(op.neutral.len());
            match is_rounded(self.names, op) {
                true => {
                    let totals = self.totals_of(op, own, None, Vec::new());
                    self.totals.extend(these.iter().copied().zip(totals));
                }
                false => {
                    self.push_grid(these.to_vec(), Exp::reduce(self.count.into(), op.clone(), own.to_vec()))
                }
            }
            (vars, inputs) = (rest, others);
        }
    }

    fn push_grid(&mut self, vars: Vec<Var>, exp: Exp) {
        self.stms.push(in_grid(vars, exp, self.span));
    }

    /// The totals of the blocks of this part.
    fn totals_of(
        &mut self,
        op: &Reduction,
        inputs: &[Var],
        lambda: Option<&Lambda>,
        certs: Vec<Var>,
    ) -> Vec<Var> {
        let (count, rows, span) = (self.count, self.rows, self.span);
        let blocks = divided_up(self.names, &mut self.stms, count.into(), rows, span);
        // Where a block begins, and where it ends.
        let range = |names: &mut Names, stms: &mut Vec<Stm>, block: Var| {
            let first = bin(names, stms, "first", BinOp::Mul, block.into(), rows, span);
            let end = bin(names, stms, "end", BinOp::Add, first.into(), rows, span);
            (first, bin(names, stms, "end", BinOp::Min, end.into(), count.into(), span))
        };
        if rows == self.short {
            return self.folds(op, (inputs, lambda), blocks, certs, 1, range);
        }
        let lanes =
            bin(self.names, &mut self.stms, "lanes", BinOp::Mul, blocks.into(), Atom::i64(LANES), span);
        let each = divided_up(self.names, &mut self.stms, rows, Atom::i64(LANES), span);
        let step = if any_order(op) { LANES } else { 1 };
        let lanes = self.folds(op, (inputs, lambda), lanes, certs, step, |names, stms, thread| {
            let block = bin(names, stms, "block", BinOp::Quot, thread.into(), Atom::i64(LANES), span);
            let before = bin(names, stms, "before", BinOp::Mul, block.into(), Atom::i64(LANES), span);
            let lane = bin(names, stms, "lane", BinOp::Sub, thread.into(), before.into(), span);
            let (first, end) = range(names, stms, block);
            if step == LANES {
                return (bin(names, stms, "first", BinOp::Add, first.into(), lane.into(), span), end);
            }
            let place = bin(names, stms, "place", BinOp::Mul, lane.into(), each.into(), span);
            let first = bin(names, stms, "first", BinOp::Add, first.into(), place.into(), span);
            let last = bin(names, stms, "end", BinOp::Add, first.into(), each.into(), span);
            (first, bin(names, stms, "end", BinOp::Min, last.into(), end.into(), span))
        });
        self.folds(op, (&lanes, None), blocks, Vec::new(), 1, |names, stms, block| {
            let first = bin(names, stms, "first", BinOp::Mul, block.into(), Atom::i64(LANES), span);
            (first, bin(names, stms, "end", BinOp::Add, first.into(), Atom::i64(LANES), span))
        })
    }

    /// So many threads, each of which combines some elements: from the first of a range to its end, so many apart.
    fn folds(
        &mut self,
        op: &Reduction,
        elements: (&[Var], Option<&Lambda>),
        threads: Var,
        certs: Vec<Var>,
        step: i64,
        range: impl Fn(&mut Names, &mut Vec<Stm>, Var) -> (Var, Var),
    ) -> Vec<Var> {
        let (names, span) = (&mut *self.names, self.span);
        let thread = names.fresh("thread", Type::i64());
        let mut stms = Vec::new();
        let (first, end) = range(names, &mut stms, thread);
        let size = bin(names, &mut stms, "size", BinOp::Sub, end.into(), first.into(), span);
        let size = bin(names, &mut stms, "size", BinOp::Max, size.into(), Atom::i64(0), span);
        let steps = divided_up(names, &mut stms, size.into(), Atom::i64(step), span);
        let columns = op.lambda.params[..op.neutral.len()].to_vec();
        let (before, found) = (names.like(&columns), names.like(&columns));
        let at = names.fresh("at", Type::i64());
        let mut inner = Vec::new();
        let far = bin(names, &mut inner, "far", BinOp::Mul, at.into(), Atom::i64(step), span);
        let row = bin(names, &mut inner, "row", BinOp::Add, first.into(), far.into(), span);
        let values = element(names, &mut inner, row, elements, span);
        let before_atoms = before.iter().map(|var| Atom::Var(*var));
        let result = apply(names, &mut inner, &op.lambda, before_atoms.chain(values).collect(), span);
        let params = before.iter().zip(&op.neutral).map(|(var, neutral)| (Param::plain(*var), *neutral));
        let (params, form) = (params.collect(), LoopForm::For(at, steps.into()));
        let exp = ControlExp::Loop { params, form, body: Body { stms: inner, result } };
        stms.push(Stm::new(found.clone(), Exp::Control(exp), span));
        let types: Vec<Type> =
            columns.iter().map(|var| names.ty(*var).array_of(Dim::size(threads))).collect();
        let totals: Vec<Var> = types.into_iter().map(|ty| names.fresh("totals", ty)).collect();
        let result = found.into_iter().map(Atom::Var).collect();
        self.by_threads(threads, Lambda::new(vec![thread], Body { stms, result }), totals.clone(), certs);
        totals
    }

    fn by_threads(&mut self, threads: Var, lambda: Lambda, vars: Vec<Var>, certs: Vec<Var>) {
        let numbers = self.names.fresh("threads", Type::i64().array_of(Dim::size(threads)));
        self.stms.push(Stm::new(vec![numbers], Exp::iota(threads), self.span));
        let stm = in_grid(vars, Exp::map(threads.into(), vec![numbers], lambda), self.span);
        self.stms.push(Stm { certs, ..stm });
    }
}

/// What is combined of a row: its elements, or what a lambda makes of them.
fn element(
    names: &mut Names,
    stms: &mut Vec<Stm>,
    row: Var,
    (inputs, lambda): (&[Var], Option<&Lambda>),
    span: Span,
) -> Vec<Atom> {
    let mut elements = Vec::new();
    for input in inputs {
        let ty = names.ty(*input).row().expect("what is combined has rows");
        let var = names.fresh("element", ty);
        stms.push(Stm::new(vec![var], Exp::index(*input, vec![DimIndex::Fix(row.into())]), span));
        elements.push(var.into());
    }
    match lambda {
        Some(lambda) => apply(names, stms, lambda, elements, span),
        None => elements,
    }
}

/// What a lambda yields that is used several times.
fn apply(names: &mut Names, stms: &mut Vec<Stm>, lambda: &Lambda, args: Vec<Atom>, span: Span) -> Vec<Atom> {
    let lambda = names.copy_lambda(lambda);
    for (param, arg) in lambda.params.iter().zip(args) {
        stms.push(Stm::new(vec![*param], Exp::atom(arg), span));
    }
    stms.extend(lambda.body.stms);
    lambda.body.result
}

fn in_grid(vars: Vec<Var>, exp: Exp, span: Span) -> Stm {
    Stm { grid: Some(Grid { work: Atom::i64(0), balance: None }), ..Stm::new(vars, exp, span) }
}
