//! Maps of a group whose elements reduce rows: where there are fewer rows than threads, several threads do each.
//!
//! ```text
//! let ys: [m]f32 = grid map m (xss) \(xs: [k]f32) {
//!   let s: f32 = grid reduce k (xs) ..
//!   ..
//! }
//! ```
//!
//! The threads of a row, its *lanes*, take elements in turns, or parts one after the other if order matters. Each leaves what it has in memory
//! of the group, the first combines that, and does what is left of the element. Lanes of a row are neighbours if its elements are, and
//! so are threads of neighbouring rows otherwise, so that neighbours read neighbours.

use super::operators::Level;
use crate::imp_gen::operators::elementwise::any_order;
use crate::imp_gen::operators::sweep::Sweep;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{BinOp, Elem, Exp, GroupArray, GroupExp, LoopForm, Prim, UnOp, Var as ImpVar};
use norn_ir::nest::{Body, Lambda, Reduction, Stm};

/// At most so many threads do a row: one of them combines what they have.
const MOST_LANES: i64 = 32;
/// So many neighbours are read in one access, at least.
const NEIGHBOURS: i64 = 8;

/// What an element does, with a reduction that threads do together.
pub struct Row<'a> {
    before: &'a [Stm],
    reduction: &'a Stm,
    after: &'a [Stm],
}

pub fn split_row(lambda: &Lambda) -> Option<Row<'_>> {
    let stms = &lambda.body.stms;
    let at = stms.iter().position(|stm| stm.grid.is_some())?;
    Some(Row { before: &stms[..at], reduction: &stms[at], after: &stms[at + 1..] })
}

impl Gen<'_> {
    pub(super) fn group_rows(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        levels: &[Level],
        row: &Row,
        widths: &[Exp],
        count: &Exp,
        outs: &[Array],
    ) {
        let op = row.reduction.exp.op().and_then(|op| op.combining());
        let op = op.expect("imp_gen: threads do together what is no reduction");
        let sweep = Sweep::of(op, &row.reduction.vars);
        let ops: Vec<&Reduction> = sweep.reductions.iter().collect();
        let width = self.scalar(sweep.width);
        let group = self.group_size;
        self.by_threads(&mut |this| {
            let are_neighbours = this.are_rows_in_order(levels, row, &sweep, widths);
            let lanes = this.lanes(count, &width, are_neighbours);
            let rows_at_once: Exp = this.code.bind("rows", Exp::i64(group).quot(lanes.clone())).into();
            let thread = Exp::Group(GroupExp::Thread);
            // Where a thread stands among all, and how far the next of its row is from it.
            let (own_row, lane, apart) = match are_neighbours {
                true => (thread.clone().quot(lanes.clone()), thread.clone().rem(lanes.clone()), Exp::i64(1)),
                false => (
                    thread.clone().rem(rows_at_once.clone()),
                    thread.clone().quot(rows_at_once.clone()),
                    rows_at_once.clone(),
                ),
            };
            let own_row: Exp = this.code.bind("own_row", own_row).into();
            let lane: Exp = this.code.bind("lane", lane).into();
            let prims: Vec<Vec<Prim>> = ops.iter().map(|op| this.prims_of(op)).collect();
            let sums: Vec<Vec<ImpVar>> = prims
                .iter()
                .map(|prims| {
                    prims.iter().map(|prim| this.shared_array(arrays, "sums", *prim, group)).collect()
                })
                .collect();
            this.each_by("first", 0, rows_at_once.clone(), count, &mut |this, first| {
                let at = this.code.atom("row", first.add(own_row.clone()));
                let is_row = at.clone().lt(count.clone());
                let accs: Vec<Vec<ImpVar>> = ops.iter().map(|op| this.begin_row(op)).collect();
                let share = Share { width: &width, lane: &lane, lanes: &lanes };
                this.code.open();
                this.guarded(&mut |this| {
                    let indices = this.indices_of_sizes(at.clone(), widths);
                    this.in_innermost(levels, &indices, &mut |this, _| {
                        let before = Body { stms: row.before.to_vec(), result: Vec::new() };
                        this.run_body(&before, &[], &mut |this| {
                            this.share_of_row(&sweep, &ops, &accs, &share);
                        });
                    });
                });
                let own = this.code.close();
                this.code.when(is_row.clone(), own);
                for ((sums, prims), accs) in sums.iter().zip(&prims).zip(&accs) {
                    for ((sums, prim), acc) in sums.iter().zip(prims).zip(accs) {
                        this.code.store(Elem::Prim(*prim), *sums, thread.clone(), *acc);
                    }
                }
                this.barrier();
                this.code.open();
                this.guarded(&mut |this| {
                    this.each(Exp::i64(1), lanes.clone(), LoopForm::Plain, &mut |this, other| {
                        let other = this.code.atom("other", thread.clone().add(other.mul(apart.clone())));
                        let mut values = Vec::new();
                        for (sums, prims) in sums.iter().zip(&prims) {
                            for (sums, prim) in sums.iter().zip(prims) {
                                let value = Exp::load(Elem::Prim(*prim), *sums, other.clone());
                                values.push(Exp::Var(this.code.bind("value", value)));
                            }
                        }
                        this.group_combine(&ops, &accs, &values);
                    });
                    let indices = this.indices_of_sizes(at.clone(), widths);
                    this.in_innermost(levels, &indices, &mut |this, lambda| {
                        let before = Body { stms: row.before.to_vec(), result: Vec::new() };
                        this.run_body(&before, &[], &mut |this| {
                            for (var, acc) in row.reduction.vars.iter().zip(accs.iter().flatten()) {
                                this.bind_scalar(*var, Exp::Var(*acc));
                            }
                            let after = Body { stms: row.after.to_vec(), result: lambda.body.result.clone() };
                            this.yield_body(&after, &indices, outs);
                        });
                    });
                });
                let rest = this.code.close();
                this.code.when(is_row.and(lane.clone().eq(0)), rest);
                this.barrier();
            });
        });
        self.meet();
    }

    fn begin_row(&mut self, op: &Reduction) -> Vec<ImpVar> {
        let values = self.neutral_of(op);
        values.into_iter().map(|value| self.code.bind("acc", value)).collect()
    }

    /// A power of two: how many threads do a row.
    fn lanes(&mut self, rows: &Exp, width: &Exp, are_neighbours: bool) -> Exp {
        let least = if are_neighbours { NEIGHBOURS } else { 1 };
        let free = Exp::i64(self.group_size).quot(rows.clone().max(1)).max(least);
        let most = free.min(width.clone()).max(1).min(MOST_LANES);
        let most = self.code.atom("most", most);
        let zeros = Exp::un(UnOp::Clz, Prim::I64, most).convert(Prim::I32, Prim::I64);
        let lanes = Exp::bin(BinOp::Shl, Prim::I64, Exp::i64(1), Exp::i64(63).sub(zeros));
        self.code.bind("lanes", lanes).into()
    }

    /// Whether what the rows are made of lies one behind the other.
    fn are_rows_in_order(&mut self, levels: &[Level], row: &Row, sweep: &Sweep, widths: &[Exp]) -> bool {
        let mut found = true;
        self.code.open();
        let indices = vec![Exp::i64(0); widths.len()];
        self.in_innermost(levels, &indices, &mut |this, _| {
            let before = Body { stms: row.before.to_vec(), result: Vec::new() };
            this.run_body(&before, &[], &mut |this| {
                let is_in_order = |input| match this.repr(input) {
                    Repr::Array(array) => array.lead.last().is_none_or(|lead| lead.stride == Exp::i64(1)),
                    Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert => true,
                };
                found = sweep.inputs.iter().all(|input| is_in_order(*input));
            });
        });
        self.code.close();
        found
    }

    /// What a thread combines of the elements of a row.
    fn share_of_row(&mut self, sweep: &Sweep, ops: &[&Reduction], accs: &[Vec<ImpVar>], share: &Share) {
        let Share { width, lane, lanes } = *share;
        let mut take = |this: &mut Self, i: Exp| {
            this.group_values(sweep, &i, &mut |this, values| this.group_combine(ops, accs, &values));
        };
        if ops.iter().all(|op| any_order(op)) {
            return self.each_by("i", lane.clone(), lanes.clone(), width, &mut take);
        }
        let each = width.clone().add(lanes.clone()).sub(1).quot(lanes.clone());
        let each: Exp = self.code.bind("share", each).into();
        let from: Exp = self.code.bind("from", lane.clone().mul(each.clone()).min(width.clone())).into();
        let to: Exp = self.code.bind("to", from.clone().add(each).min(width.clone())).into();
        self.each(from, to, LoopForm::Plain, &mut take);
    }
}

/// Which elements of a row are a thread's.
struct Share<'a> {
    width: &'a Exp,
    lane: &'a Exp,
    lanes: &'a Exp,
}
