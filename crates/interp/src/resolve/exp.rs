//! Expressions: scalars here, each other family in the file of its name.

use super::{At, Resolver, assign};
use crate::code::Op;
use norn_ir::nest::{Atom, Exp};
use norn_ir::scalar::eval::{bin_op, conversion, tri_op, un_op};

impl Resolver<'_> {
    pub(super) fn exp(&mut self, exp: &Exp, at: &mut At) {
        let stm = at.stm;
        match exp {
            Exp::Atom(atom) => {
                let operand = self.operand(*atom, at.live);
                at.push_all(assign(operand, self.place(stm.vars[0])));
            }
            Exp::Un(op, prim, x) => {
                let f = un_op(*op, *prim).unwrap_or_else(|| no_operator(op.name(), prim.name()));
                at.push(Op::Un { f, dst: self.word(stm.vars[0]), x: self.word_of(*x) });
            }
            Exp::Bin(op, prim, x, y) => {
                let f = bin_op(*op, *prim).unwrap_or_else(|| no_operator(op.name(), prim.name()));
                let (x, y) = (self.word_of(*x), self.word_of(*y));
                at.push(Op::Bin { f, dst: self.word(stm.vars[0]), x, y });
            }
            Exp::Tri(op, prim, x, y, z) => {
                let f = tri_op(*op, *prim).unwrap_or_else(|| no_operator(op.name(), prim.name()));
                let (x, y, z) = (self.word_of(*x), self.word_of(*y), self.word_of(*z));
                at.push(Op::Tri { f, dst: self.word(stm.vars[0]), x, y, z });
            }
            Exp::Convert { from, to, value } => {
                let x = self.word_of(*value);
                at.push(Op::Un { f: conversion(*from, *to), dst: self.word(stm.vars[0]), x });
            }

            Exp::If { cond, then, els } => self.if_exp(*cond, then, els, at),
            Exp::Switch { scrutinee, cases, default } => self.switch(*scrutinee, cases, default, at),
            Exp::Loop { params, form, body } => self.loop_exp(params, form, body, at),
            Exp::Call { fun, args } => self.call(*fun, args, at),
            Exp::Const(id) => self.constant(*id, at),
            Exp::Check(check) => self.check(check, at),

            Exp::ArrayLit(rows) => self.literal(rows, at),
            Exp::Range { prim, count, start, step } => self.range(*prim, *count, *start, *step, at),
            Exp::Replicate { count, value } => self.replicate(*count, *value, at),
            Exp::Index { array, slice } => self.index(*array, slice, at),
            Exp::Update { array, slice, value } => self.update(*array, slice, *value, at),
            // The sum of the arrays' sizes is what it is.
            Exp::Concat { arrays, size: _ } => self.concat(arrays, at),
            Exp::Reshape { array, old, new } => self.reshape(*array, *old, new, at),
            Exp::Rearrange { array, perm } => self.rearrange(*array, perm, at),
            // Memory of its own is what a value gets when it is changed.
            Exp::Copy(array) => {
                let operand = self.operand((*array).into(), at.live);
                at.push_all(assign(operand, self.place(stm.vars[0])));
            }
            Exp::Coerce { array, dims } => self.coerce(*array, dims, at),
            Exp::FlatIndex { array, offset, dims } => self.flat_index(*array, *offset, dims, at),
            Exp::FlatUpdate { array, offset, strides, value } => {
                self.flat_update(*array, *offset, strides, *value, at);
            }
            Exp::Lengths(array) => self.lengths(*array, at),
            Exp::JoinRows(array) => self.join_rows(*array, at),
            Exp::Segment { lengths, array } => self.segment(*lengths, *array, at),

            Exp::Map { width, inputs, lambda } => self.map(*width, inputs, lambda, at),
            Exp::Reduce { width, op, inputs } => self.reduce(*width, op, inputs, at),
            Exp::Scan { width, op, inputs } => self.scan(*width, op, inputs, at),
            Exp::Fused { width, inputs, lambda, scans, reductions } => {
                self.fused(*width, inputs, lambda, scans, reductions, at);
            }
            Exp::Filter { width, inputs, lambda } => self.choose(*width, inputs, lambda, false, at),
            Exp::Partition { width, inputs, lambda } => self.choose(*width, inputs, lambda, true, at),
            Exp::Sort { width: _, keys, wanted } => self.sort(*keys, *wanted, at),
            Exp::Scatter { width, dests, inputs, lambda } => {
                self.scatter(*width, dests, None, inputs, lambda, at);
            }
            Exp::Hist { width, dests, op, inputs, lambda } => {
                self.scatter(*width, dests, Some(op), inputs, lambda, at);
            }
            Exp::Stream { width, form, inputs, lambda } => self.stream(*width, form, inputs, lambda, at),
            Exp::AccStream { width, dests, op, inputs, lambda } => {
                self.acc_stream(*width, dests, op.as_ref(), inputs, lambda, at);
            }
            Exp::AccWrite { acc, index, values } => self.acc_write(*acc, *index, values, at),

            Exp::Region => at.push(Op::Region { dst: self.object(stm.vars[0]) }),
            Exp::Alloc { region, data, constr, fields } => self.alloc(*region, *data, *constr, fields, at),
            Exp::Null(_) => self.null(at),
            Exp::Tag { cell } => self.tag(*cell, at),
            Exp::Load { cell, constr } => self.load(*cell, *constr, at),

            // Where it runs makes no difference to what it yields; here there is one worker.
            Exp::Workers => {
                let operand = self.operand(Atom::i64(1), at.live);
                at.push_all(assign(operand, self.place(stm.vars[0])));
            }
        }
    }
}

fn no_operator(op: &str, prim: &str) -> ! {
    panic!("the operator {op} does not exist at {prim}")
}
