//! Bins in the memory that the threads of a group share: each group has bins of its own, so that threads are less in each other's way. At
//! the end it adds them to the others, if memory can do that; else it leaves them as a deck of cards of its own, and these are merged as
//! in `decks`.
//!
//! If there are few bins, they have several copies: neighbouring threads, which run in step, use different ones. If there are more
//! than have room, there are several passes, each over all elements and for as many bins as have room.

use super::Hist;
use super::combine::{CellPlace, UpdateMethod};
use crate::imp_gen::device::GROUP;
use crate::imp_gen::device::kernels::{array_inside, scalar_inside};
use crate::imp_gen::device::lookback::Combine;
use crate::imp_gen::operators::cost::Cost;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{BinOp, Elem, Exp, GroupExp, LoopForm, Prim, Scalar, Var as ImpVar};

/// So many elements at least a thread should have, if its group has bins of its own.
pub(super) const SHARE: i64 = 16;
/// So many elements of a thread are loaded before the first is combined, if little is done with them.
const AHEAD: i64 = 4;
/// As many threads run in step.
const MOST_COPIES: i64 = 32;
/// Copies take time to fill and to add, too: so many cells have copies at most, unless threads wait for each other.
const COPIED: i64 = 2048;

/// What of the cells is in the memory of a group.
pub(super) struct Range {
    pub base: Exp,
    pub count: Exp,
    pub copies: Exp,
    /// How far a copy is behind the one before. One more than it needs: else the copies of a bin would be in one bank of the memory.
    pub apart: Exp,
}

/// An element that is loaded before it is combined: the number of its cell in the range, negative if it has none, and its values.
pub(super) struct Ahead {
    pub slot: ImpVar,
    pub values: Vec<ImpVar>,
}

impl Gen<'_> {
    pub(super) fn hist_in_groups(&mut self, hist: &Hist, method: &UpdateMethod, cells: &Exp, grid: &Grid) {
        let room = method.room();
        let total = self.code.atom("total", hist.width.clone().mul(Exp::product(hist.row_sizes())));
        let groups = match method {
            UpdateMethod::Turns(_) => self.groups_in_turns(&total),
            UpdateMethod::Atomic(_) | UpdateMethod::Swap { .. } | UpdateMethod::Lock(_) => {
                self.groups_for(&total, SHARE, Some(Exp::DeviceGroups))
            }
        };
        let passes = self.code.atom("passes", cells.clone().add(room - 1).quot(room));
        // Without elements, nobody writes to a deck.
        let passes = Exp::select(total.eq(0), Exp::i64(0), passes);
        let passes = self.code.atom("passes", passes);
        self.each(0, passes, LoopForm::Plain, &mut |this, pass| {
            let base = this.code.atom("base", pass.mul(room));
            let count = this.code.atom("count", cells.clone().sub(base.clone()).min(room));
            this.scoped(&mut |this| match method {
                UpdateMethod::Atomic(_) => {
                    this.launch_bins(hist, method, &[], (&base, &count), &groups, grid)
                }
                UpdateMethod::Swap { .. } | UpdateMethod::Lock(_) | UpdateMethod::Turns(_) => {
                    let decks = this.new_decks(hist, &groups, &count);
                    this.launch_bins(hist, method, &decks, (&base, &count), &groups, grid);
                    this.merge_decks(hist, &decks, &groups, &count, grid);
                    this.add_deck(hist, &decks, &base, &count, grid);
                }
            });
        });
    }

    fn launch_bins(
        &mut self,
        hist: &Hist,
        method: &UpdateMethod,
        decks: &[Array],
        (base, count): (&Exp, &Exp),
        groups: &Exp,
        grid: &Grid,
    ) {
        let room = method.room();
        let mut extra = hist.reprs();
        extra.extend([base, count].map(|exp| Repr::Scalar(exp.clone())));
        extra.extend(decks.iter().cloned().map(Repr::Array));
        self.launch_groups("hist", &grid.captured, &extra, groups.clone(), &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let hist = hist.inside(&mut given);
            let (base, count) = (scalar_inside(given.next()), scalar_inside(given.next()));
            let decks: Vec<Array> = given.map(array_inside).collect();
            let homes: Vec<(ImpVar, Prim)> = method
                .homes()
                .into_iter()
                .map(|prim| (this.shared_array(arrays, "bins", prim, room), prim))
                .collect();
            let locks = method.lock().map(|_| this.shared_array(arrays, "locks", Prim::I32, room));
            let apart = this.code.atom("apart", count.clone().add(1));
            let (copied, most) = match method {
                UpdateMethod::Turns(_) => (room, GROUP),
                UpdateMethod::Atomic(_) | UpdateMethod::Swap { .. } | UpdateMethod::Lock(_) => {
                    (COPIED.min(room), MOST_COPIES)
                }
            };
            let copies = Exp::i64(copied).quot(apart.clone()).min(most).max(1);
            let range = Range { base, count, copies: this.code.atom("copies", copies), apart };
            this.clear_bins(&hist, method, &homes, locks, &range);
            this.barrier();
            match (method, locks) {
                (UpdateMethod::Turns(_), Some(locks)) => {
                    this.fill_in_turns(&hist, &homes, locks, arrays, &range)
                }
                _ => this.fill_bins(&hist, method, &homes, locks, &range),
            }
            this.barrier();
            this.add_bins(&hist, method, &homes, &decks, &range);
        });
    }

    /// The neutral element at the position that a slot of any copy is for.
    fn neutral_of_slot(&mut self, hist: &Hist, range: &Range, slot: &Exp) -> Vec<Exp> {
        if hist.row_sizes().is_empty() {
            return self.values_at(&hist.op.neutral, &[]);
        }
        let in_copy = slot.clone().rem(range.apart.clone());
        let number = self.code.atom("number", range.base.clone().add(in_copy));
        let cell = self.cell_of(hist, &number);
        self.values_at(&hist.op.neutral, &cell.position)
    }

    /// Neutral elements, and open locks.
    fn clear_bins(
        &mut self,
        hist: &Hist,
        method: &UpdateMethod,
        homes: &[(ImpVar, Prim)],
        locks: Option<ImpVar>,
        range: &Range,
    ) {
        let last = range.copies.clone().sub(1).mul(range.apart.clone());
        let slots = self.code.atom("slots", last.add(range.count.clone()));
        self.each_in_group(&slots, &mut |this, slot| {
            let neutral = this.neutral_of_slot(hist, range, &slot);
            for ((home, prim), value) in homes.iter().zip(method.pack(neutral)) {
                this.code.store(Elem::Prim(*prim), *home, slot.clone(), value);
            }
            if let (Some(locks), Some(open)) = (locks, method.lock()) {
                this.code.store(Elem::Prim(Prim::I32), locks, slot, Scalar::I32(open));
            }
        });
    }

    fn fill_bins(
        &mut self,
        hist: &Hist,
        method: &UpdateMethod,
        homes: &[(ImpVar, Prim)],
        locks: Option<ImpVar>,
        range: &Range,
    ) {
        let op = self.scalar_operator(hist);
        let copy = Exp::Group(GroupExp::Thread).rem(range.copies.clone());
        let first = self.code.atom("first", copy.mul(range.apart.clone()));
        let fill = |this: &mut Self, slot: Exp, values: &[Exp]| {
            let at = this.code.atom("at", first.clone().add(slot));
            let columns = homes.iter().map(|(home, _)| (Exp::Var(*home), at.clone())).collect();
            let lock = locks.map(|locks| (Exp::Var(locks), at.clone()));
            this.combine_at_once(op, method, &CellPlace { columns, lock }, values);
        };
        let is_in = |slot: Exp| Exp::i64(0).le(slot.clone()).and(slot.lt(range.count.clone()));
        let total = self.elements_of(hist);
        let (next, threads) = self.thread_number();
        let next = self.code.bind("next", next);
        // Who has to try again is in the way of others the more, the more there are.
        if matches!(method, UpdateMethod::Atomic(_)) && Cost::of(&hist.kernel.body).is_cheap() {
            let far = self.code.atom("far", total.clone().sub(threads.clone().mul(AHEAD - 1)));
            self.code.open();
            let mut ahead = Vec::new();
            for k in 0..AHEAD {
                let number = self.code.bind("number", Exp::Var(next).add(threads.clone().mul(k)));
                ahead.push(self.element_ahead(hist, number.into(), None, range));
            }
            for Ahead { slot, values } in ahead {
                let values: Vec<Exp> = values.into_iter().map(Exp::Var).collect();
                self.code.open();
                self.guarded(&mut |this| fill(this, slot.into(), &values));
                let block = self.code.close();
                self.code.when(is_in(slot.into()), block);
            }
            self.code.set(next, Exp::Var(next).add(threads.clone().mul(AHEAD)));
            let several = self.code.close();
            self.code.while_(Vec::new(), Exp::Var(next).lt(far), several);
        }
        self.each_by("i", next, threads, &total, &mut |this, number| {
            this.at_cell(hist, number, &mut |this, cell| {
                let slot = this.code.atom("slot", cell.number.clone().sub(range.base.clone()));
                this.code.open();
                let values = this.values_at(hist.values, &cell.position);
                fill(this, slot.clone(), &values);
                let block = this.code.close();
                this.code.when(is_in(slot), block);
            });
        });
    }

    /// The element with a number, if that is below `end` and it has a cell.
    pub(super) fn element_ahead(
        &mut self,
        hist: &Hist,
        number: Exp,
        end: Option<&Exp>,
        range: &Range,
    ) -> Ahead {
        let slot = self.code.bind("slot", Exp::i64(-1));
        let prims = hist.dests.iter().map(|dest| dest.prim);
        let values: Vec<ImpVar> = prims.map(|prim| self.code.bind("value", Scalar::zero(prim))).collect();
        self.code.open();
        self.at_cell(hist, number.clone(), &mut |this, cell| {
            this.code.set(slot, cell.number.clone().sub(range.base.clone()));
            let found = this.values_at(hist.values, &cell.position);
            values.iter().zip(found).for_each(|(value, found)| this.code.set(*value, found));
        });
        let block = self.code.close();
        match end {
            Some(end) => self.code.when(number.lt(end.clone()), block),
            None => self.code.append(block),
        }
        Ahead { slot, values }
    }

    /// All copies of a bin become one, which goes to the group's deck, or to memory, unless nothing came to it.
    fn add_bins(
        &mut self,
        hist: &Hist,
        method: &UpdateMethod,
        homes: &[(ImpVar, Prim)],
        decks: &[Array],
        range: &Range,
    ) {
        let op = self.scalar_operator(hist);
        let load = |this: &mut Self, at: &Exp| -> Vec<ImpVar> {
            let mut held = Vec::with_capacity(homes.len());
            for (home, prim) in homes {
                held.push(this.code.bind("held", Exp::load(Elem::Prim(*prim), *home, at.clone())).into());
            }
            method.unpack(held).into_iter().map(|value| this.code.bind("sum", value)).collect()
        };
        let values = |vars: &[ImpVar]| -> Vec<Exp> { vars.iter().map(|var| Exp::Var(*var)).collect() };
        self.each_in_group(&range.count, &mut |this, slot| {
            this.guarded(&mut |this| {
                let sums = load(this, &slot);
                this.each(1, range.copies.clone(), LoopForm::Plain, &mut |this, copy| {
                    let at = this.code.atom("at", copy.mul(range.apart.clone()).add(slot.clone()));
                    let more = load(this, &at);
                    let combined = this.combined(Combine::Lambda(op), &values(&sums), &values(&more));
                    sums.iter().zip(combined).for_each(|(sum, value)| this.code.set(*sum, value));
                });
                let UpdateMethod::Atomic(columns) = method else {
                    let first = Exp::Group(GroupExp::Group).mul(range.count.clone());
                    let at = this.code.atom("at", first.add(slot.clone()));
                    for (deck, sum) in decks.iter().zip(&sums) {
                        this.put(deck, at.clone(), Exp::Var(*sum));
                    }
                    return;
                };
                let number = this.code.atom("number", range.base.clone().add(slot.clone()));
                let cell = this.cell_of(hist, &number);
                let neutral = this.values_at(&hist.op.neutral, &cell.position);
                let same = columns.iter().zip(&sums).zip(neutral);
                let same = same.map(|(((_, prim), sum), neutral)| Exp::bin(BinOp::Eq, *prim, *sum, neutral));
                let untouched = same.fold(Exp::bool(true), Exp::and);
                this.code.open();
                this.combine_in_memory(hist, method, &cell, &values(&sums));
                let block = this.code.close();
                this.code.when(untouched.not(), block);
            });
        });
    }
}
