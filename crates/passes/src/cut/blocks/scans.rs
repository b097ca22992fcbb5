//! Scans in blocks: the totals of short blocks, of which a thread has one, are scanned, and each block goes on from what comes before it.

use super::{Blocked, Blocks, apply, divided_up, element, in_grid};
use crate::cut::parts::with_rows;
use crate::cut::{bin, slice};
use crate::nest::subst::Names;
use norn_base::Span;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Lambda, LoopForm, Operator, Param, Prim,
    Reduction, Scalar, Stm, Type, Var,
};

impl Blocked<'_> {
    /// Blocks are scanned from what comes before them, each by a thread.
    pub(super) fn scan(&mut self, op: &Reduction, inputs: &[Var], vars: &[Var], before: &[Var]) {
        let rows = self.short;
        let (names, span) = (&mut *self.names, self.span);
        let blocks = divided_up(names, &mut self.stms, self.count.into(), rows, span);
        let number = bin(names, &mut self.stms, "number", BinOp::Quot, self.from.into(), rows, span);
        let block = names.fresh("block", Type::i64());
        let mut stms = Vec::new();
        let number = bin(names, &mut stms, "number", BinOp::Add, number.into(), block.into(), span);
        let first = bin(names, &mut stms, "first", BinOp::Mul, block.into(), rows, span);
        let columns = op.lambda.params[..op.neutral.len()].to_vec();
        let (known, own) = (names.like(&columns), names.like(&columns));
        let mut params: Vec<(Param, Atom)> = Vec::new();
        for ((known, own), before) in known.iter().zip(&own).zip(before) {
            stms.push(Stm::new(vec![*known], Exp::index(*before, vec![DimIndex::Fix(number.into())]), span));
            params.push((Param::plain(*own), (*known).into()));
        }
        let types: Vec<Type> = columns.iter().map(|var| names.ty(*var).array_of(Dim::Size(rows))).collect();
        let mut rooms = Vec::new();
        for ty in &types {
            let zero = Scalar::zero(ty.elem().and_then(|elem| elem.prim()).expect("a scan of numbers"));
            let none = names.fresh("none", ty.clone());
            stms.push(Stm::new(vec![none], Exp::replicate(rows, Atom::Const(zero)), span));
            let room = names.fresh("scanned", ty.clone());
            params.push((Param::unique(room), none.into()));
            rooms.push(room);
        }
        let at = names.fresh("at", Type::i64());
        let mut inner = Vec::new();
        let row = bin(names, &mut inner, "row", BinOp::Add, first.into(), at.into(), span);
        let is_there = names.fresh("is_there", Type::scalar(Prim::Bool));
        inner.push(Stm::new(
            vec![is_there],
            Exp::bin(BinOp::Lt, Prim::I64, row.into(), self.count.into()),
            span,
        ));
        // A block that is shorter has nothing more to add.
        let mut then = Vec::new();
        let values = element(names, &mut then, row, (inputs, None), span);
        let before_atoms = own.iter().map(|var| Atom::Var(*var));
        let result = apply(names, &mut then, &op.lambda, before_atoms.clone().chain(values).collect(), span);
        let els = Body { stms: Vec::new(), result: before_atoms.collect() };
        let next = names.like(&columns);
        let exp = Exp::if_(is_there.into(), Body { stms: then, result }, els);
        inner.push(Stm::new(next.clone(), exp, span));
        let mut result: Vec<Atom> = next.iter().map(|var| Atom::Var(*var)).collect();
        for (room, next) in rooms.iter().zip(&next) {
            let written = names.like(&[*room])[0];
            let slice = vec![DimIndex::Fix(at.into())];
            let exp = ArrayExp::Update { array: *room, slice, value: (*next).into() };
            inner.push(Stm::new(vec![written], Exp::Array(exp), span));
            result.push(written.into());
        }
        let form = LoopForm::For(at, rows);
        let exp = ControlExp::Loop { params, form, body: Body { stms: inner, result } };
        let (mut bound, scanned) = (names.like(&columns), names.like(&rooms));
        bound.extend(&scanned);
        stms.push(Stm::new(bound, Exp::Control(exp), span));
        let padded: Vec<Var> =
            types.iter().map(|ty| names.fresh("padded", ty.array_of(Dim::size(blocks)))).collect();
        let result = scanned.into_iter().map(Atom::Var).collect();
        let lambda = Lambda::new(vec![block], Body { stms, result });
        self.by_threads(blocks, lambda, padded.clone(), Vec::new());
        let names = &mut *self.names;
        let all = bin(names, &mut self.stms, "all", BinOp::Mul, blocks.into(), rows, span);
        for (var, padded) in vars.iter().zip(padded) {
            let flat = names.fresh("flat", with_rows(names, *var, all.into()));
            self.stms.push(Stm::new(vec![flat], Exp::reshape(padded, 2, vec![all.into()]), span));
            let slice = slice(Atom::i64(0), self.count.into());
            self.stms.push(Stm::new(vec![*var], Exp::index(flat, slice), span));
        }
    }
}

/// The arrays of what comes before each block, and behind all: nothing, and then what totals add up to.
pub fn before_blocks(
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
