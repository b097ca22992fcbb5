//! Reductions by an operator that needs the order of elements, of which a lambda computes much.
//!
//! ```text
//! for strip in from, from + STRIP .. to {
//!   for k in 0 .. min STRIP (to - strip) independent { buffer[k] = lambda xs[strip + k] }
//!   for k in 0 .. min STRIP (to - strip)             { acc = op(acc, buffer[k]) }
//! }
//! ```
//!
//! The place of the least distance is an example. The steps of the operator wait for each other; what the lambda does need not, so it is vector code, and the buffer stays in the cache.
//!
//! Refuses: operators that allow any order, which vectors do anyway; lambdas that compute little, which hides behind the steps; and those that call functions, keep results or make arrays.

use super::accs::Column;
use super::cost::Cost;
use super::sweep::{Pass, Sweep};
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::{Gen, Where};
use norn_ir::imp::{Exp, LoopForm};
use norn_ir::nest::{ArrayExp, Body, ControlExp, Exp as NestExp, Operator, Var};

/// How many elements: not so few that a vector loop does not pay, and a few KiB.
const STRIP: i64 = 256;

impl Gen<'_> {
    /// Does it, if that is of use.
    pub fn pass_in_strips(&mut self, sweep: &Sweep, pass: &Pass, from: &Exp, to: &Exp) -> bool {
        let Some(lambda) = sweep.lambda.filter(|_| self.serves_strips(sweep, pass)) else { return false };
        let buffers: Vec<Vec<Array>> =
            sweep.reductions.iter().map(|op| self.new_partials(&op.lambda, &Exp::i64(STRIP))).collect();
        let length = to.clone().sub(from.clone()).max(0);
        let strips = length.add(STRIP - 1).quot(STRIP);
        self.each(0, strips, LoopForm::Plain, &mut |this, strip| {
            let first = this.code.new_i64("first");
            let count = this.code.new_i64("count");
            this.code.set(first, from.clone().add(strip.mul(STRIP)));
            this.code.set(count, to.clone().sub(first).min(STRIP));
            this.each(0, count, LoopForm::Independent, &mut |this, k| {
                let rows = this.rows_at(sweep.inputs, &Exp::Var(first).add(k.clone()));
                this.apply(lambda, rows, &[], &mut |this| {
                    let columns: Vec<Repr> =
                        lambda.body.result[..sweep.combined()].iter().map(|atom| this.value(*atom)).collect();
                    let mut rest = &columns[..];
                    for buffers in &buffers {
                        let (own, after) = rest.split_at(buffers.len());
                        rest = after;
                        this.store_partial(buffers, &k, own);
                    }
                });
            });
            this.each(0, count, LoopForm::Plain, &mut |this, k| {
                for ((op, buffers), accs) in sweep.reductions.iter().zip(&buffers).zip(pass.reductions) {
                    let values = this.partial_at(buffers, &k);
                    this.combine(&op.lambda, accs, &values, &[]);
                }
            });
        });
        true
    }

    /// Whether the lambda is worth it, and all that it computes is numbers.
    fn serves_strips(&self, sweep: &Sweep, pass: &Pass) -> bool {
        let is_scalar = |column: &Column| matches!(column, Column::Scalar(_));
        self.at == Where::Cpu
            && pass.scans.is_empty()
            && pass.outs.is_none_or(<[_]>::is_empty)
            && pass.form(sweep) == LoopForm::Plain
            && pass.reductions.iter().all(|accs| accs.columns.iter().all(is_scalar))
            && sweep.lambda.is_some_and(|lambda| {
                !Cost::of(&lambda.body).is_cheap() && self.computes_numbers(&lambda.body)
            })
    }

    fn computes_numbers(&self, body: &Body) -> bool {
        body.stms.iter().all(|stm| {
            let are_numbers = stm.vars.iter().all(|var: &Var| self.ty(*var).rank() == 0);
            match &stm.exp {
                NestExp::Scalar(_)
                | NestExp::Control(ControlExp::Check(_))
                | NestExp::Array(
                    ArrayExp::Index { .. } | ArrayExp::Reshape { .. } | ArrayExp::Rearrange { .. },
                ) => true,
                NestExp::Control(ControlExp::If { then, els, .. }) => {
                    are_numbers && self.computes_numbers(then) && self.computes_numbers(els)
                }
                NestExp::Control(ControlExp::Loop { body, .. }) => are_numbers && self.computes_numbers(body),
                NestExp::Op(Operator::Reduce { .. }) => are_numbers,
                _ => false,
            }
        })
    }
}
