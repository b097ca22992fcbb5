//! Bins in the memory of a group whose values show in which order they are combined: the threads that want one bin take turns.
//!
//! A group has elements that follow each other, of which each thread takes one at a time. In a round, every thread that waits puts its number
//! beside its cell, unless a smaller one is there: whoever finds its own combines, and all others wait for the next round. So elements are combined
//! in their order, whatever thread comes first, and there are as many rounds as threads that share one cell. Numbers become smaller from round to round,
//! so that nobody has to take them away again. If there is room, bins have several copies, and neighbouring threads use different
//! ones: then it takes the fewer rounds.

use super::Hist;
use super::shared::{Ahead, Range, SHARE};
use crate::imp_gen::device::GROUP;
use crate::imp_gen::device::lookback::Combine;
use crate::imp_gen::state::Gen;
use norn_ir::imp::{
    BinOp, Elem, Exp, GroupArray, GroupExp, GroupStmt, Prim, Scalar, Stmt, Type, Var as ImpVar,
};

/// So many groups are enough for any device, and their bins are merged in little time. The number does not depend on the device: the order does on it.
const MOST_GROUPS: i64 = 512;
/// More elements than these one group does not get: there is a number for each round.
const MOST_EACH: i64 = 1 << 22;
/// So many elements of a thread are loaded before the first is combined.
const AHEAD: i64 = 4;
/// In a round it is noted that somebody waits, while others still read what was noted in the last one, and the next begins with nothing.
const NOTES: i64 = 3;

const WORD: Elem = Elem::Prim(Prim::I32);

impl Gen<'_> {
    pub(super) fn groups_in_turns(&mut self, total: &Exp) -> Exp {
        let needed = total.clone().quot(MOST_EACH).add(1);
        self.groups_for(total, SHARE, Some(needed.max(MOST_GROUPS)))
    }

    /// In a kernel: the elements of the group are combined with its bins.
    pub(super) fn fill_in_turns(
        &mut self,
        hist: &Hist,
        homes: &[(ImpVar, Prim)],
        numbers: ImpVar,
        arrays: &mut Vec<GroupArray>,
        range: &Range,
    ) {
        let notes = self.shared_array(arrays, "notes", Prim::I32, NOTES);
        self.each_in_group(&Exp::i64(NOTES), &mut |this, note| {
            this.code.store(WORD, notes, note, Scalar::I32(0));
        });
        self.barrier();
        let round = self.code.bind("round", 0);
        let copy = Exp::Group(GroupExp::Thread).rem(range.copies.clone());
        let first = self.code.atom("first", copy.mul(range.apart.clone()));
        let total = self.elements_of(hist);
        let tiles = total.clone().add(GROUP - 1).quot(GROUP);
        let groups = Exp::Group(GroupExp::Groups);
        let share = self.code.atom("share", tiles.add(groups.clone().sub(1)).quot(groups).mul(GROUP));
        let from = self.code.atom("from", Exp::Group(GroupExp::Group).mul(share.clone()));
        let to = self.code.atom("to", from.clone().add(share).min(total));
        self.each_by("tile", from, AHEAD * GROUP, &to, &mut |this, tile| {
            let mut ahead = Vec::new();
            for k in 0..AHEAD {
                let number = tile.clone().add(k * GROUP).add(Exp::Group(GroupExp::Thread));
                let number = this.code.atom("number", number);
                ahead.push(this.element_ahead(hist, number, Some(&to), range));
            }
            for waiting in &ahead {
                this.take_turns(hist, homes, numbers, notes, round, &first, waiting);
            }
        });
    }

    /// Rounds, until nobody waits. Who has had a turn has no slot any more.
    #[allow(clippy::too_many_arguments)]
    fn take_turns(
        &mut self,
        hist: &Hist,
        homes: &[(ImpVar, Prim)],
        numbers: ImpVar,
        notes: ImpVar,
        round: ImpVar,
        first: &Exp,
        waiting: &Ahead,
    ) {
        let op = self.scalar_operator(hist);
        let at: Exp = self.code.bind("at", first.clone().add(Exp::Var(waiting.slot))).into();
        let waits = || Exp::i64(0).le(Exp::Var(waiting.slot));
        let thread = Exp::Group(GroupExp::Thread);
        let again = self.code.bind("again", Exp::bool(true));
        self.code.open();
        let number = thread.clone().sub(Exp::Var(round).mul(GROUP)).convert(Prim::I64, Prim::I32);
        let number = self.code.bind("number", number);
        self.change_word(BinOp::Min, numbers, at.clone(), number.into(), waits());
        self.barrier();
        let note = self.code.bind("note", Exp::Var(round).rem(NOTES));
        self.code.open();
        let least = self.code.new_var("least", Type::Scalar(Prim::I32));
        self.code.set(least, Exp::load(WORD, numbers, at.clone()));
        let is_own = Exp::bin(BinOp::Eq, Prim::I32, least, number);
        self.code.open();
        self.guarded(&mut |this| {
            let mut there = Vec::with_capacity(homes.len());
            for (home, prim) in homes {
                let value = Exp::load(Elem::Prim(*prim), *home, at.clone());
                there.push(this.code.bind("there", value).into());
            }
            let values: Vec<Exp> = waiting.values.iter().map(|value| Exp::Var(*value)).collect();
            let combined = this.combined(Combine::Lambda(op), &there, &values);
            for ((home, prim), value) in homes.iter().zip(combined) {
                this.code.store(Elem::Prim(*prim), *home, at.clone(), value);
            }
        });
        self.code.set(waiting.slot, -1);
        let combine = self.code.close();
        self.code.when(is_own, combine);
        self.change_word(BinOp::Max, notes, note.into(), Scalar::I32(1).into(), waits());
        let turn = self.code.close();
        self.code.when(waits(), turn);
        // Everybody has read the one before this round, and nobody writes to it in this one or the next.
        let before = Exp::Var(round).add(NOTES - 1).rem(NOTES);
        self.code.open();
        self.code.store(WORD, notes, before, Scalar::I32(0));
        let clear = self.code.close();
        self.code.when(thread.eq(0), clear);
        self.barrier();
        self.code.set(again, Exp::bin(BinOp::Eq, Prim::I32, Exp::load(WORD, notes, note), Scalar::I32(1)));
        self.code.set(round, Exp::Var(round).add(1));
        let body = self.code.close();
        self.code.while_(Vec::new(), again, body);
    }

    /// A shared word is changed at once, on a condition.
    fn change_word(&mut self, op: BinOp, words: ImpVar, index: Exp, value: Exp, when: Exp) {
        self.code.open();
        let ptr = Exp::Var(words);
        self.code.push(Stmt::Group(GroupStmt::Atomic { op, prim: Prim::I32, ptr, index, value, old: None }));
        let block = self.code.close();
        self.code.when(when, block);
    }
}
