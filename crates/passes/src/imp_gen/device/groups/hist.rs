//! Scatters and histograms that all threads of a group do together.
//!
//! Memory combines whole numbers by itself, in any order. For anything else each bin has a thread of its own: the group takes as many elements as it has threads, leaves bins and values
//! in its memory, and then each thread goes over them for what is its own. So the order of elements is kept, and floats have the same bits
//! in each run.

use super::super::hist::operator::{column_prims, line_of};
use crate::imp_gen::operators::Dest;
use crate::imp_gen::operators::dests::linear_index;
use crate::imp_gen::operators::elementwise::primitive_columns;
use crate::imp_gen::operators::hist::Hist;
use crate::imp_gen::repr::Repr;
use crate::imp_gen::state::Gen;
use norn_ir::flat::Line;
use norn_ir::imp::{BinOp, Elem, Exp, GroupArray, GroupExp, GroupStmt, LoopForm, Prim, Scalar, Stmt, Type};
use norn_ir::nest::{Lambda, Reduction, VarInfo};

const I32: Elem = Elem::Prim(Prim::I32);

/// By which operators memory combines the columns, if it does.
fn by_memory(vars: &[VarInfo], op: &Lambda) -> Option<Vec<(BinOp, Prim)>> {
    (line_of(vars, op) == Line::HistAtomic).then(|| primitive_columns(op)).flatten()
}

/// The types of what the threads of a group share while they do a histogram, an element for each of them.
pub fn shared_by_hist(vars: &[VarInfo], op: &Lambda) -> Vec<Prim> {
    match by_memory(vars, op) {
        Some(_) => Vec::new(),
        None => [Prim::I32].into_iter().chain(column_prims(vars, op)).collect(),
    }
}

/// What is done with the indices and values of an element.
type WithElement<'a, 'g> = dyn FnMut(&mut Gen<'g>, &[Exp], &[Repr]) + 'a;

impl<'g> Gen<'g> {
    pub(super) fn group_hist(&mut self, arrays: &mut Vec<GroupArray>, hist: &Hist) {
        self.before_overwriting();
        let width = self.scalar(hist.width);
        let indexed = hist.lambda.body.result.len() - hist.dests.len();
        let dests = self.open_dests(hist.dests, indexed, hist.name);
        let operators = hist.op.map(|op| (op, by_memory(&self.fun.vars, &op.lambda)));
        match operators {
            None => self.by_elements(&width, &mut |this, i| {
                this.element_of(hist, indexed, &i, &mut |this, indices, values| {
                    this.write_at(None, &dests, indices, values, None);
                });
            }),
            Some((_, Some(operators))) => self.by_elements(&width, &mut |this, i| {
                this.element_of(hist, indexed, &i, &mut |this, indices, values| {
                    this.combine_in_pool(&operators, &dests, indices, values);
                });
            }),
            Some((op, None)) => self.hist_by_bins(arrays, hist, op, &dests, &width),
        }
        self.bind_dests(hist.vars, dests, None);
    }

    fn element_of(&mut self, hist: &Hist, indexed: usize, i: &Exp, with: &mut WithElement<'_, 'g>) {
        let (indices, values) = hist.lambda.body.result.split_at(indexed);
        let rows = self.rows_at(hist.inputs, i);
        self.apply(hist.lambda, rows, &[], &mut |this| {
            let indices: Vec<Exp> = indices.iter().map(|atom| this.scalar(*atom)).collect();
            let values: Vec<Repr> = values.iter().map(|atom| this.value(*atom)).collect();
            with(this, &indices, &values);
        });
    }

    fn combine_in_pool(
        &mut self,
        operators: &[(BinOp, Prim)],
        dests: &[Dest],
        indices: &[Exp],
        values: &[Repr],
    ) {
        self.code.open();
        for ((dest, value), (op, prim)) in dests.iter().zip(values).zip(operators) {
            let (Dest::Regular(array), Repr::Scalar(value)) = (dest, value) else {
                panic!("imp_gen: memory combines what is no number in {}", self.fun.name)
            };
            let (op, prim, ptr, value) = (*op, *prim, array.data.ptr.clone(), value.clone());
            let index = self.element_index(array, indices);
            self.code.push(Stmt::Group(GroupStmt::Atomic { op, prim, ptr, index, value, old: None }));
        }
        let block = self.code.close();
        self.code.when(dests[0].contains(indices), block);
    }

    fn hist_by_bins(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        hist: &Hist,
        op: &Reduction,
        dests: &[Dest],
        width: &Exp,
    ) {
        let indexed = hist.lambda.body.result.len() - dests.len();
        let prims = self.prims_of(op);
        let sizes = dests[0].sizes(indexed);
        let thread = Exp::Group(GroupExp::Thread);
        let group = self.group_size;
        self.by_threads(&mut |this| {
            let bins = this.shared_array(arrays, "bins", Prim::I32, group);
            let mut kept = Vec::with_capacity(prims.len());
            for prim in &prims {
                kept.push((this.shared_array(arrays, "values", *prim, group), *prim));
            }
            this.each_by("first", 0, group, width, &mut |this, first| {
                let bin = this.code.new_var("bin", Type::Scalar(Prim::I32));
                this.code.set(bin, Exp::Const(Scalar::I32(-1)));
                let i = this.code.atom("i", first.clone().add(thread.clone()));
                this.code.open();
                this.guarded(&mut |this| {
                    this.element_of(hist, indexed, &i, &mut |this, indices, values| {
                        for ((places, prim), value) in kept.iter().zip(values) {
                            let Repr::Scalar(value) = value else {
                                panic!("imp_gen: a value that is no number in {}", this.fun.name)
                            };
                            this.code.store(Elem::Prim(*prim), *places, thread.clone(), value.clone());
                        }
                        let number = linear_index(&sizes, indices).convert(Prim::I64, Prim::I32);
                        let none = Exp::Const(Scalar::I32(-1));
                        this.code.set(bin, Exp::select(dests[0].contains(indices), number, none));
                    });
                });
                let own = this.code.close();
                this.code.when(i.lt(width.clone()), own);
                this.code.store(I32, bins, thread.clone(), bin);
                this.barrier();
                let end: Exp = this.code.bind("end", width.clone().sub(first).min(group)).into();
                this.each(Exp::i64(0), end, LoopForm::Plain, &mut |this, other| {
                    let bin: Exp = this.code.bind("bin", Exp::load(I32, bins, other.clone())).into();
                    let bin = this.code.atom("bin", bin.convert(Prim::I32, Prim::I64));
                    this.code.open();
                    this.guarded(&mut |this| {
                        let indices = this.indices_of_sizes(bin.clone(), &sizes);
                        let mut values = Vec::with_capacity(kept.len());
                        for (places, prim) in &kept {
                            let value = Exp::load(Elem::Prim(*prim), *places, other.clone());
                            values.push(Repr::Scalar(this.code.atom("value", value)));
                        }
                        this.combine_at(&op.lambda, dests, &indices, &values);
                    });
                    let own = this.code.close();
                    let is_own = Exp::bin(BinOp::And, Prim::I64, bin.clone(), Exp::i64(group - 1));
                    this.code.when(Exp::i64(0).le(bin).and(is_own.eq(thread.clone())), own);
                });
                this.barrier();
            });
        });
        self.meet();
    }
}
