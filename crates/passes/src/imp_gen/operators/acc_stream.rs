//! Streams that write to accumulators, and these writes.

use super::dests::Dest;
use super::hist::{Hist, inside, reprs};
use super::launch::{Grid, Launch};
use crate::imp_gen::repr::{Acc, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Exp, LoopForm};
use norn_ir::nest::{Atom, Var};

impl Gen<'_> {
    pub fn acc_stream(&mut self, stream: &Hist, grid: Option<Grid>) {
        let width = self.scalar(stream.width);
        let dests = self.open_dests(stream.dests, 1, stream.name);
        let regular = dests.iter().all(|dest| dest.regular().is_some());
        let grid = grid.filter(|_| regular);
        match (&grid, stream.op) {
            (None, _) => self.acc_range(stream, &dests, &Exp::i64(0), &width),
            (Some(grid), None) => {
                let chunks = self.chunks(grid, &width);
                let launch = Launch { name: stream.name, width, chunks, split: self.split(grid) };
                self.launch(grid, launch, &reprs(&dests), &mut |this, kernel, given| {
                    this.acc_range(stream, &inside(given), &kernel.from.into(), &kernel.to.into());
                });
            }
            (Some(grid), Some(op)) => {
                self.write_in_copies(stream, op, &dests, 1, grid, false, &mut |this, dests, from, to| {
                    this.acc_range(stream, dests, from, to);
                });
            }
        }
        self.bind_dests(stream.vars, dests, grid.as_ref());
    }

    fn acc_range(&mut self, stream: &Hist, dests: &[Dest], from: &Exp, to: &Exp) {
        let acc = Repr::Acc(Acc { dests: dests.to_vec(), op: stream.op.cloned() });
        self.each(from.clone(), to.clone(), LoopForm::Plain, &mut |this, i| {
            let mut args = vec![acc.clone()];
            args.extend(this.rows_at(stream.inputs, &i));
            this.apply(stream.lambda, args, &[], &mut |_| {});
        });
    }

    pub fn acc_write(&mut self, var: Var, acc: Var, index: Atom, values: &[Atom]) {
        let Repr::Acc(acc) = self.repr(acc).clone() else {
            panic!("imp_gen: {} is no accumulator", self.name(acc))
        };
        let index = self.scalar(index);
        let values: Vec<Repr> = values.iter().map(|atom| self.value(*atom)).collect();
        self.write_at(acc.op.as_ref(), &acc.dests, &[index], &values, None);
        self.bind(var, Repr::Acc(acc));
    }
}
