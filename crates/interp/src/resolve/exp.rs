//! Expressions: scalars here, each other family in the file of its name.

use super::{At, Resolver, assign};
use crate::code::{Op, Round};
use crate::freedom::Rounding;
use norn_ir::nest::{ArrayExp, Atom, CellExp, ControlExp, Exp, Operator, Prim, ScalarExp};
use norn_ir::scalar::eval::{bin_op, conversion, tri_op, un_op};

impl Resolver<'_> {
    pub(super) fn exp(&mut self, exp: &Exp, at: &mut At) {
        let stm = at.stm;
        match exp {
            Exp::Scalar(ScalarExp::Atom(atom)) => {
                let operand = self.operand(*atom, at.live);
                at.push_all(assign(operand, self.place(stm.vars[0])));
            }
            Exp::Scalar(ScalarExp::Un(op, prim, x)) => {
                let f = un_op(*op, *prim).unwrap_or_else(|| no_operator(op.name(), prim.name()));
                let x = self.word_of(*x);
                at.push(Op::Un { f, dst: self.word(stm.vars[0]), x });
                self.round(Rounding::of_un(*op), *prim, [x; 3], at);
            }
            Exp::Scalar(ScalarExp::Bin(op, prim, x, y)) => {
                let f = bin_op(*op, *prim).unwrap_or_else(|| no_operator(op.name(), prim.name()));
                let (x, y) = (self.word_of(*x), self.word_of(*y));
                at.push(Op::Bin { f, dst: self.word(stm.vars[0]), x, y });
                self.round(Rounding::of_bin(*op), *prim, [x, y, y], at);
            }
            Exp::Scalar(ScalarExp::Tri(op, prim, x, y, z)) => {
                let f = tri_op(*op, *prim).unwrap_or_else(|| no_operator(op.name(), prim.name()));
                let (x, y, z) = (self.word_of(*x), self.word_of(*y), self.word_of(*z));
                at.push(Op::Tri { f, dst: self.word(stm.vars[0]), x, y, z });
                self.round(Some(Rounding::of_tri(*op)), *prim, [x, y, z], at);
            }
            Exp::Scalar(ScalarExp::Convert { from, to, value }) => {
                let x = self.word_of(*value);
                at.push(Op::Un { f: conversion(*from, *to), dst: self.word(stm.vars[0]), x });
            }

            Exp::Control(ControlExp::If { cond, then, els }) => self.if_exp(*cond, then, els, at),
            Exp::Control(ControlExp::Switch { scrutinee, cases, default }) => {
                self.switch(*scrutinee, cases, default, at)
            }
            Exp::Control(ControlExp::Loop { params, form, body }) => self.loop_exp(params, form, body, at),
            Exp::Control(ControlExp::Call { fun, args }) => self.call(*fun, args, at),
            Exp::Control(ControlExp::Const(id)) => self.constant(*id, at),
            Exp::Control(ControlExp::Check(check)) => self.check(check, at),

            Exp::Array(ArrayExp::ArrayLit(rows)) => self.literal(rows, at),
            Exp::Array(ArrayExp::Range { prim, count, start, step }) => {
                self.range(*prim, *count, *start, *step, at)
            }
            Exp::Array(ArrayExp::Replicate { count, value }) => self.replicate(*count, *value, at),
            Exp::Array(ArrayExp::Index { array, slice }) => self.index(*array, slice, at),
            Exp::Array(ArrayExp::Update { array, slice, value }) => self.update(*array, slice, *value, at),
            // The sum of the arrays' sizes is what it is.
            Exp::Array(ArrayExp::Concat { arrays, size: _ }) => self.concat(arrays, at),
            Exp::Array(ArrayExp::Reshape { array, old, new }) => self.reshape(*array, *old, new, at),
            Exp::Array(ArrayExp::Rearrange { array, perm }) => self.rearrange(*array, perm, at),
            // Memory of its own is what a value gets when it is changed.
            Exp::Array(ArrayExp::Copy(array)) => {
                let operand = self.operand((*array).into(), at.live);
                at.push_all(assign(operand, self.place(stm.vars[0])));
            }
            Exp::Array(ArrayExp::Coerce { array, dims }) => self.coerce(*array, dims, at),
            Exp::Array(ArrayExp::FlatIndex { array, offset, dims }) => {
                self.flat_index(*array, *offset, dims, at)
            }
            Exp::Array(ArrayExp::FlatUpdate { array, offset, strides, value }) => {
                self.flat_update(*array, *offset, strides, *value, at);
            }
            Exp::Array(ArrayExp::Lengths(array)) => self.lengths(*array, at),
            Exp::Array(ArrayExp::Ends(lengths)) => self.ends(*lengths, at),
            Exp::Array(ArrayExp::JoinRows(array)) => self.join_rows(*array, at),
            Exp::Array(ArrayExp::Segment { lengths, array }) => self.segment(*lengths, *array, at),

            Exp::Op(Operator::Map { width, inputs, lambda }) => self.map(*width, inputs, lambda, at),
            Exp::Op(Operator::Reduce { width, op, inputs }) => self.reduce(*width, op, inputs, at),
            Exp::Op(Operator::Scan { width, op, inputs }) => self.scan(*width, op, inputs, at),
            Exp::Op(Operator::Fused { width, inputs, lambda, scans, reductions }) => {
                self.fused(*width, inputs, lambda, scans, reductions, at);
            }
            Exp::Op(Operator::Filter { width, inputs, lambda }) => {
                self.choose(*width, inputs, lambda, false, at)
            }
            Exp::Op(Operator::Partition { width, inputs, lambda }) => {
                self.choose(*width, inputs, lambda, true, at)
            }
            Exp::Op(Operator::Sort { width: _, keys, yields }) => self.sort(*keys, *yields, at),
            Exp::Op(Operator::Scatter { width, dests, inputs, lambda }) => {
                self.scatter(*width, dests, None, inputs, lambda, at);
            }
            Exp::Op(Operator::Hist { width, dests, op, inputs, lambda }) => {
                self.scatter(*width, dests, Some(op), inputs, lambda, at);
            }
            Exp::Op(Operator::Stream { width, form, inputs, lambda }) => {
                self.stream(*width, form, inputs, lambda, at)
            }
            Exp::Op(Operator::AccStream { width, dests, op, inputs, lambda }) => {
                self.acc_stream(*width, dests, op.as_ref(), inputs, lambda, at);
            }
            Exp::Op(Operator::Task(task)) => self.task(task, at),
            Exp::Array(ArrayExp::AccWrite { acc, index, values }) => self.acc_write(*acc, *index, values, at),

            Exp::Cell(CellExp::Region) => at.push(Op::Region { dst: self.object(stm.vars[0]) }),
            Exp::Cell(CellExp::Alloc { region, data, constr, fields }) => {
                self.alloc(*region, *data, *constr, fields, at)
            }
            Exp::Cell(CellExp::Null(_)) => self.null(at),
            Exp::Cell(CellExp::Tag { cell }) => self.tag(*cell, at),
            Exp::Cell(CellExp::Load { cell, constr }) => self.load(*cell, *constr, at),

            // Where it runs makes no difference to what it yields; here there is one worker.
            Exp::Scalar(ScalarExp::Workers) => {
                let operand = self.operand(Atom::i64(1), at.live);
                at.push_all(assign(operand, self.place(stm.vars[0])));
            }
            Exp::Scalar(ScalarExp::Tunable(_)) => {
                let operand = self.operand(Atom::i64(-1), at.live);
                at.push_all(assign(operand, self.place(stm.vars[0])));
            }
        }
    }

    /// What an operation on floats yields may be rounded in another way.
    fn round(&mut self, rounding: Option<Rounding>, prim: Prim, operands: [u32; 3], at: &mut At) {
        if let Some(rounding) = rounding.filter(|_| self.is_free && prim.is_float()) {
            let dst = self.word(at.stm.vars[0]);
            at.push(Op::Round(Box::new(Round { rounding, prim, dst, operands })));
        }
    }
}

fn no_operator(op: &str, prim: &str) -> ! {
    panic!("the operator {op} does not exist at {prim}")
}
