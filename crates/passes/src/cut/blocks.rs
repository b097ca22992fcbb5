//! Floats that are combined across parts: in blocks, so that bits do not depend on how a task is cut.
//!
//! ```text
//! let s: f32 = grid reduce count (xs) op
//!
//! let ss: [blocks]f32 = grid map blocks (range) \(b) {        cuts are where blocks begin
//!   let size: i64 = ..                                        the last block may be shorter
//!   let x: [size]f32 = index xs [b * rows:size:1]
//!   let s: f32 = grid reduce size (x) op                      by a group of threads
//!   in s
//! }
//! ```
//!
//! How many rows a block has follows from how many the task has, and a group combines them in an order that depends on their number alone. The totals of all blocks are listed, whoever computed them, and combined by one kernel. A scan has the totals of short blocks
//! scanned in the same way, and each block goes on from there. So parts of like devices yield the same bits, however many there are. Whole numbers need none of this.
//!
//! An operator that has other results beside is split: a map makes what is combined. So is one whose elements take long, since a block may have fewer rows than a group has threads.

use super::bin;
use super::parts::with_rows;
use crate::nest::subst::{Names, Subst};
use norn_base::Span;
use norn_ir::nest::task::{Join, Task};
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, Dim, DimIndex, Exp, Grid, Lambda, Operator, Prim, Reduction, Stm, Type, Var,
};
use std::collections::HashMap;

/// How many rows the blocks of scans have, at least and at most: a group of threads has room for these.
const FEWEST: i64 = 16;
const LONGEST: i64 = 1024;
/// There are so many blocks of reductions at most, and of scans, where these need not be longer.
const MOST: i64 = 1024;
/// A lambda with no more statements is computed as fast by a few threads of a group as by others.
const CHEAP: usize = 16;

/// The blocks of a task.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    /// How many rows each has but the last.
    pub rows: Atom,
    /// How many there are.
    pub count: Atom,
}

/// Those of reductions, which begin where some of scans do, and those of scans.
#[derive(Clone, Copy)]
pub(super) struct AllBlocks {
    pub long: Blocks,
    pub short: Blocks,
}

/// Whether parts combine floats, so that it shows where they are cut.
pub(super) fn are_needed(names: &Names, task: &Task) -> bool {
    let partial = |join: &Join| match join {
        Join::Partial(op) => is_rounded(names, op),
        Join::Rows | Join::Kept(_) => false,
    };
    task.carries.iter().any(|carry| is_rounded(names, &carry.op)) || task.joins.iter().any(partial)
}

/// Whether it combines numbers, of which some are floats.
pub(super) fn is_rounded(names: &Names, op: &Reduction) -> bool {
    let types = || op.lambda.params.iter().map(|param| names.ty(*param));
    types().all(Type::is_scalar)
        && types().any(|ty| ty.elem().and_then(|elem| elem.prim()).is_some_and(Prim::is_float))
}

impl AllBlocks {
    pub fn new(names: &mut Names, out: &mut Vec<Stm>, width: Atom, span: Span) -> AllBlocks {
        // Few rows may take long: there are as many blocks as can be of use to somebody.
        let rows = divided_up(names, out, width, Atom::i64(MOST), span);
        let rows = bin(names, out, "rows", BinOp::Max, rows.into(), Atom::i64(FEWEST), span);
        let short_rows = bin(names, out, "rows", BinOp::Min, rows.into(), Atom::i64(LONGEST), span);
        let short = divided_up(names, out, width, short_rows.into(), span);
        let each = divided_up(names, out, short.into(), Atom::i64(MOST), span);
        let each = bin(names, out, "each", BinOp::Max, each.into(), Atom::i64(1), span);
        let long_rows = bin(names, out, "rows", BinOp::Mul, each.into(), short_rows.into(), span);
        let long = divided_up(names, out, short.into(), each.into(), span);
        AllBlocks {
            long: Blocks { rows: long_rows.into(), count: long.into() },
            short: Blocks { rows: short_rows.into(), count: short.into() },
        }
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
    /// How many rows the blocks of reductions have, and those of scans.
    rows: Atom,
    short: Atom,
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
    (rows, short): (Atom, Atom),
    before: Vec<Option<Vec<Var>>>,
    span: Span,
) -> (Lambda, HashMap<Var, Var>) {
    let (from, count) = (lambda.params[0], lambda.params[1]);
    let before = before.into_iter();
    let mut blocked =
        Blocked { names, rows, short, from, count, before, stms: Vec::new(), totals: HashMap::new(), span };
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
        if is_alone && lambda.as_ref().is_none_or(is_cheap) {
            let totals = self.totals_of(&reductions[0], &inputs, lambda.as_ref());
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
                    let totals = self.totals_of(op, own, None);
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
    fn totals_of(&mut self, op: &Reduction, inputs: &[Var], lambda: Option<&Lambda>) -> Vec<Var> {
        let (names, span) = (&mut *self.names, self.span);
        let blocks = divided_up(names, &mut self.stms, self.count.into(), self.rows, span);
        let block = names.fresh("block", Type::i64());
        let mut stms = Vec::new();
        let at = bin(names, &mut stms, "at", BinOp::Mul, block.into(), self.rows, span);
        let rest = bin(names, &mut stms, "rest", BinOp::Sub, self.count.into(), at.into(), span);
        let size = bin(names, &mut stms, "size", BinOp::Min, rest.into(), self.rows, span);
        let mut views = Vec::new();
        for input in inputs {
            let view = names.fresh("rows", with_rows(names, *input, size.into()));
            let slice = DimIndex::Slice { start: at.into(), count: size.into(), stride: Atom::i64(1) };
            stms.push(Stm::new(vec![view], Exp::index(*input, vec![slice]), span));
            views.push(view);
        }
        let op = Reduction { lambda: names.copy_lambda(&op.lambda), ..op.clone() };
        let columns = op.lambda.params[..op.neutral.len()].to_vec();
        let found = names.like(&columns);
        let exp = match lambda {
            None => Exp::reduce(size.into(), op, views),
            Some(lambda) => Exp::Op(Operator::Fused {
                width: size.into(),
                inputs: views,
                lambda: names.copy_lambda(lambda),
                scans: Vec::new(),
                reductions: vec![op],
            }),
        };
        stms.push(in_grid(found.clone(), exp, span));
        let totals = columns.iter().map(|var| names.ty(*var).array_of(Dim::size(blocks)));
        let totals: Vec<Type> = totals.collect();
        let totals: Vec<Var> = totals.into_iter().map(|ty| names.fresh("totals", ty)).collect();
        let result = found.into_iter().map(Atom::Var).collect();
        self.by_groups(blocks, Lambda::new(vec![block], Body { stms, result }), totals.clone());
        totals
    }

    /// A map over the blocks of this part, each of which is done by a group of threads.
    fn by_groups(&mut self, blocks: Var, lambda: Lambda, vars: Vec<Var>) {
        let numbers = self.names.fresh("blocks", Type::i64().array_of(Dim::size(blocks)));
        self.stms.push(Stm::new(vec![numbers], Exp::iota(blocks), self.span));
        self.push_grid(vars, Exp::map(blocks.into(), vec![numbers], lambda));
    }

    /// Blocks are scanned from what comes before them.
    fn scan(&mut self, op: &Reduction, inputs: &[Var], vars: &[Var], before: &[Var]) {
        let rows = self.short;
        let (names, span) = (&mut *self.names, self.span);
        let blocks = divided_up(names, &mut self.stms, self.count.into(), rows, span);
        let first = bin(names, &mut self.stms, "first", BinOp::Quot, self.from.into(), rows, span);
        let block = names.fresh("block", Type::i64());
        let mut stms = Vec::new();
        let number = bin(names, &mut stms, "number", BinOp::Add, first.into(), block.into(), span);
        let at = bin(names, &mut stms, "at", BinOp::Mul, block.into(), rows, span);
        let params = &op.lambda.params[..op.neutral.len()];
        let own = names.like(params);
        for (own, before) in own.iter().zip(before) {
            stms.push(Stm::new(vec![*own], Exp::index(*before, vec![DimIndex::Fix(number.into())]), span));
        }
        // A block that is shorter has nothing more to add.
        let place = names.fresh("place", Type::i64());
        let mut inner = Vec::new();
        let row = bin(names, &mut inner, "row", BinOp::Add, at.into(), place.into(), span);
        let is_there = names.fresh("is_there", Type::scalar(Prim::Bool));
        inner.push(Stm::new(
            vec![is_there],
            Exp::bin(BinOp::Lt, Prim::I64, row.into(), self.count.into()),
            span,
        ));
        let (there, found) = (names.like(params), names.like(params));
        let read = |(there, input): (&Var, &Var)| {
            Stm::new(vec![*there], Exp::index(*input, vec![DimIndex::Fix(row.into())]), span)
        };
        let then = Body {
            stms: there.iter().zip(inputs).map(read).collect(),
            result: there.iter().map(|var| (*var).into()).collect(),
        };
        let els = Body { stms: Vec::new(), result: op.neutral.clone() };
        inner.push(Stm::new(found.clone(), Exp::if_(is_there.into(), then, els), span));
        let result = found.into_iter().map(Atom::Var).collect();
        let element = Lambda::new(vec![place], Body { stms: inner, result });
        let types: Vec<Type> = params.iter().map(|var| names.ty(*var).array_of(Dim::Size(rows))).collect();
        let mut column =
            |name: &str| types.iter().map(|ty| names.fresh(name, ty.clone())).collect::<Vec<Var>>();
        let (scanned, ends) = (column("scanned"), column("scanned"));
        let places = names.fresh("places", Type::i64().array_of(Dim::Size(rows)));
        stms.push(Stm::new(vec![places], Exp::iota(rows), span));
        let scan = Reduction { lambda: names.copy_lambda(&op.lambda), ..op.clone() };
        let exp = Operator::Fused {
            width: rows,
            inputs: vec![places],
            lambda: element,
            scans: vec![scan],
            reductions: Vec::new(),
        };
        stms.push(in_grid(scanned.clone(), Exp::Op(exp), span));
        let mut combine = names.copy_lambda(&op.lambda);
        let others = combine.params.split_off(own.len());
        Subst::of(&combine.params, own.iter().map(|var| Atom::Var(*var))).body(&mut combine.body);
        let combine = Lambda::new(others, combine.body);
        stms.push(in_grid(ends.clone(), Exp::map(rows, scanned, combine), span));
        let padded: Vec<Var> =
            types.iter().map(|ty| names.fresh("padded", ty.array_of(Dim::size(blocks)))).collect();
        let result = ends.into_iter().map(Atom::Var).collect();
        self.by_groups(blocks, Lambda::new(vec![block], Body { stms, result }), padded.clone());
        let names = &mut *self.names;
        let all = bin(names, &mut self.stms, "all", BinOp::Mul, blocks.into(), rows, span);
        for (var, padded) in vars.iter().zip(padded) {
            let flat = names.fresh("flat", with_rows(names, *var, all.into()));
            self.stms.push(Stm::new(vec![flat], Exp::reshape(padded, 2, vec![all.into()]), span));
            let slice =
                DimIndex::Slice { start: Atom::i64(0), count: self.count.into(), stride: Atom::i64(1) };
            self.stms.push(Stm::new(vec![*var], Exp::index(flat, vec![slice]), span));
        }
    }
}

/// The arrays of what comes before each block, and behind all: nothing, and then what totals add up to.
pub(super) fn before_blocks(
    names: &mut Names,
    out: &mut Vec<Stm>,
    op: &Reduction,
    totals: &[Var],
    blocks: Blocks,
    span: Span,
) -> Vec<Var> {
    let op = Reduction { lambda: names.copy_lambda(&op.lambda), ..op.clone() };
    let neutral = op.neutral.clone();
    let sums = names.like(totals);
    let exp = Operator::Scan { width: blocks.count, op, inputs: totals.to_vec() };
    out.push(in_grid(sums.clone(), Exp::Op(exp), span));
    let size = bin(names, out, "behind", BinOp::Add, blocks.count, Atom::i64(1), span);
    let mut before = Vec::new();
    for (sums, neutral) in sums.into_iter().zip(neutral) {
        let one = names.fresh("none", with_rows(names, sums, Atom::i64(1)));
        out.push(Stm::new(vec![one], Exp::array(vec![neutral]), span));
        let all = names.fresh("before", with_rows(names, sums, size.into()));
        let exp = ArrayExp::Concat { arrays: vec![one, sums], size: size.into() };
        out.push(Stm::new(vec![all], Exp::Array(exp), span));
        before.push(all);
    }
    before
}

/// Whether an element is a few numbers.
fn is_cheap(lambda: &Lambda) -> bool {
    lambda.body.stms.len() <= CHEAP && lambda.body.stms.iter().all(|stm| stm.exp.is_scalar_or_view())
}

fn in_grid(vars: Vec<Var>, exp: Exp, span: Span) -> Stm {
    Stm { grid: Some(Grid { work: Atom::i64(0), balance: None }), ..Stm::new(vars, exp, span) }
}
