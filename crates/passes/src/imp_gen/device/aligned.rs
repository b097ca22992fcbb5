//! Segmented reductions in a part of a task: threads and groups have the elements that they would have if nothing were cut.
//!
//! ```text
//! elements of the task   |0 . . . . . . .|8 . . . . . . .|16 . . . . . . |
//! a part of them                 |4 . . . . . . . . . . . . 17|
//! its groups             |- - - -4 . . . |8 . . . . . . .|16 17 - - - - -|      phase 4
//! ```
//!
//! A row is whole in one part. So each thread has the same elements of it in all parts that it could be in, and stands in the same place of its group; what a group has not is neutral. Groups are joined in rounds, of which each has as many
//! groups as a group has threads, and a round begins where it would without parts, too: so floats are combined in the same order, and the bits do not depend on cuts.

use super::GROUP;
use super::kernel::{Kernel, reduction_of};
use super::lookback::Combine;
use super::segments::Left;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{BinOp, Elem, Exp, GroupArray, GroupExp, Prim, Scalar, Stmt, Var as ImpVar};

/// Where a part begins.
pub(super) struct Aligned {
    /// How many elements its first group has not.
    pub phase: Exp,
    /// How many groups its first round has not.
    pub slots: Exp,
}

impl Gen<'_> {
    /// A part before which there are so many elements, of which each thread has so many.
    pub(super) fn align(&mut self, before: Exp, each: i64) -> Aligned {
        let before = self.code.atom("before", before);
        let tile = GROUP * each;
        let phase = self.code.atom("phase", before.clone().rem(tile));
        let slots = self.code.atom("slots", before.quot(tile).rem(GROUP));
        Aligned { phase, slots }
    }

    /// In a kernel of one group: rows that end in one group and began in another.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn join_aligned(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        kernel: &Kernel,
        outs: &[Array],
        left: &Left,
        widths: &[Repr],
        groups: &Exp,
        slots: &Exp,
    ) {
        let thread = Exp::Group(GroupExp::Thread);
        let (reduction, _) = reduction_of(kernel);
        let op = Combine::Segmented(&reduction.lambda);
        let mut prims = vec![Prim::I32];
        prims.extend(self.prims_of(reduction));
        let mut neutral = vec![Exp::Const(Scalar::I32(0))];
        neutral.extend(self.neutral_of(reduction));
        let values = |vars: &[ImpVar]| -> Vec<Exp> { vars.iter().map(|var| Exp::Var(*var)).collect() };
        let new = |this: &mut Self, name: &str| -> Vec<ImpVar> {
            neutral.iter().map(|value| this.code.bind(name, value.clone())).collect()
        };
        // What all rounds before have left, the same for all threads.
        let carry = new(self, "carry");
        let at = self.code.bind("at", thread.clone().sub(slots.clone()));
        let begun = self.code.bind("begun", Exp::i64(0).sub(slots.clone()));
        self.code.open();
        let has_group = self.code.bind("has_group", Exp::i64(0).le(at).and(Exp::Var(at).lt(groups.clone())));
        let own = new(self, "own");
        self.code.open();
        for (own, array) in own.iter().zip([&left.ends].into_iter().chain(&left.tails)) {
            let place = self.element_index(array, &[at.into()]);
            let value = self.element(array, place);
            self.code.set(*own, value);
        }
        let block = self.code.close();
        self.code.when(has_group, block);
        let has_end = self.code.bind("has_end", own[0]);
        let sums = self.scan_group(arrays, op, &prims, &values(&own));
        let before = new(self, "before");
        let load = |sums: &ImpVar, prim: &Prim, at: Exp| Exp::load(Elem::Prim(*prim), *sums, at);
        let mut sets = Vec::new();
        for ((before, sums), prim) in before.iter().zip(&sums).zip(&prims) {
            sets.push(Stmt::Set(*before, load(sums, prim, thread.clone().sub(1))));
        }
        self.code.when(Exp::i64(0).lt(thread), sets);
        let all = new(self, "all");
        for ((all, sums), prim) in all.iter().zip(&sums).zip(&prims) {
            let value = load(sums, prim, Exp::i64(GROUP - 1));
            self.code.set(*all, value);
        }
        let is_end = Exp::bin(BinOp::Eq, Prim::I32, Exp::Var(has_end), Exp::Const(Scalar::I32(0))).not();
        self.code.open();
        let (row, heads) = self.row_and_heads(left, &at.into());
        let indices = self.indices_of(row, widths);
        self.guarded(&mut |this| {
            let open = this.combined(op, &values(&carry), &values(&before));
            let joined = this.combined(Combine::Lambda(&reduction.lambda), &open[1..], &heads);
            this.finish_point(kernel, &indices, &joined, outs);
        });
        let block = self.code.close();
        self.code.when(is_end, block);
        self.guarded(&mut |this| {
            let next = this.combined(op, &values(&carry), &values(&all));
            carry.iter().zip(next).for_each(|(carry, next)| this.code.set(*carry, next));
        });
        // The next round writes to what was read.
        self.barrier();
        self.code.set(at, Exp::Var(at).add(GROUP));
        self.code.set(begun, Exp::Var(begun).add(GROUP));
        let round = self.code.close();
        self.code.while_(Vec::new(), Exp::Var(begun).lt(groups.clone()), round);
    }
}
