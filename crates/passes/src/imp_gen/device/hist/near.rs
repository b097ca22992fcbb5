//! Cells that the threads of a group meet first have a place in the memory that they share, where these add to them; at the end the group adds what is there to the
//! others.
//!
//! Where hundreds of thousands of threads add to one word, each waits for all others. A cell that gets many elements is among the first that a group meets,
//! so that nobody but the group itself waits for it. Cells that get few elements lose nothing: what is added to them is added later.
//!
//! A cell has one place for which it can be, by its number; the first that comes has it until the end.

use crate::imp_gen::state::Gen;
use norn_ir::imp::{BinOp, Elem, Exp, GroupArray, GroupStmt, Prim, Scalar, Stmt, Type, Var as ImpVar};

const TAG: Prim = Prim::I32;

/// Whose the places are: the number of a cell, counted from 1, or 0.
pub(super) struct Near {
    tags: ImpVar,
    /// How many are used.
    places: Exp,
}

impl Gen<'_> {
    /// Of so many places at most, of which so many are used. All are nobody's after the next barrier.
    pub(super) fn near_places(&mut self, arrays: &mut Vec<GroupArray>, most: i64, places: Exp) -> Near {
        let tags = self.shared_array(arrays, "cells", TAG, most);
        self.each_in_group(&places, &mut |this, place| {
            this.code.store(Elem::Prim(TAG), tags, place, Scalar::I32(0));
        });
        Near { tags, places }
    }

    /// The place for a cell with a number, and whether it is its own.
    pub(super) fn place_near(&mut self, near: &Near, cell: &Exp) -> (Exp, Exp) {
        let place = self.code.atom("place", cell.clone().rem(near.places.clone()));
        let tag = self.code.bind("tag", cell.clone().add(1).convert(Prim::I64, TAG));
        let (prim, ptr, index) = (TAG, Exp::Var(near.tags), place.clone());
        let seen = self.code.new_var("seen", Type::Scalar(TAG));
        let (at, to) = (index.clone(), ptr.clone());
        self.code.push(Stmt::Group(GroupStmt::Peek { var: seen, prim, ptr: to, index: at }));
        let nobody = Exp::Const(Scalar::I32(0));
        let is_nobodys = |seen: ImpVar| Exp::bin(BinOp::Eq, TAG, seen, nobody.clone());
        self.code.open();
        let old = self.code.new_var("old", Type::Scalar(TAG));
        let (expected, value) = (nobody.clone(), Exp::Var(tag));
        self.code.push(Stmt::Group(GroupStmt::CompareAndSwap { prim, ptr, index, expected, value, old }));
        self.code.set(seen, Exp::select(is_nobodys(old), Exp::Var(tag), Exp::Var(old)));
        let take = self.code.close();
        self.code.when(is_nobodys(seen), take);
        (place, Exp::bin(BinOp::Eq, TAG, seen, tag))
    }

    /// Each thread does this with some of the places that are somebody's, and the numbers of their cells, for each of so many words.
    pub(super) fn each_word_near(
        &mut self,
        near: &Near,
        words: &Exp,
        with: &mut dyn FnMut(&mut Self, Exp, Exp, Exp),
    ) {
        let all = self.code.atom("all", near.places.clone().mul(words.clone()));
        self.each_in_group(&all, &mut |this, number| {
            let place = this.code.atom("place", number.clone().quot(words.clone()));
            let word = this.code.atom("word", number.clone().rem(words.clone()));
            let tag = Exp::load(Elem::Prim(TAG), near.tags, place);
            let tag: Exp = this.code.bind("tag", tag).into();
            this.code.open();
            let cell = this.code.atom("cell", tag.clone().convert(TAG, Prim::I64).sub(1));
            with(this, number, cell, word);
            let block = this.code.close();
            this.code.when(Exp::bin(BinOp::Eq, TAG, tag, Scalar::I32(0)).not(), block);
        });
    }
}
