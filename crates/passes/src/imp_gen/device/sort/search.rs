//! What earlier tiles have of each value of a digit: decoupled look-back (as in `lookback`), each thread for one value.
//!
//! A tile publishes how many keys with a digit it has, and, as soon as it knows, how many there are up to its end. Both are
//! a count with a mark in one word, so that no order among writes has to be kept.

use super::super::GROUP;
use super::tile::Part;
use crate::imp_gen::state::Gen;
use norn_ir::imp::{BinOp, Exp, GroupExp, GroupStmt, Prim, Scalar, Stmt, Type};

/// A count has one of these on top of it, or nothing if nobody knows it.
const OWN: i32 = 1 << 30;
const UP_TO: i32 = i32::MIN;
const COUNT: i32 = OWN - 1;
/// So many tiles are looked at together.
const LOOKS: i64 = 4;

fn word(value: i32) -> Exp {
    Exp::Const(Scalar::I32(value))
}

fn bin(op: BinOp, x: impl Into<Exp>, y: impl Into<Exp>) -> Exp {
    Exp::bin(op, Prim::I32, x, y)
}

impl Gen<'_> {
    /// Publish how many keys of the thread's digit this tile has.
    pub(super) fn publish_own(&mut self, part: &Part, tile: &Exp, count: &Exp) {
        let mark = Exp::select(tile.clone().eq(0), word(UP_TO), word(OWN));
        self.publish_word(part, tile, bin(BinOp::Or, mark, count.clone()));
    }

    fn publish_word(&mut self, part: &Part, tile: &Exp, value: Exp) {
        let index = tile.clone().mul(GROUP).add(Exp::Group(GroupExp::Thread));
        let ptr = part.tile_states.data.ptr.clone();
        self.code.push(Stmt::Group(GroupStmt::Publish { prim: Prim::I32, ptr, index, value }));
    }

    /// How many keys of the thread's value there are in earlier tiles of the segment, which is then published to later tiles.
    pub(super) fn search_before(&mut self, part: &Part, tile: &Exp, count: &Exp) -> Exp {
        let before = self.code.bind("before", word(0));
        let next = self.code.bind("next", tile.clone().sub(1));
        let searches = self.code.bind("searches", Exp::i64(0).lt(tile.clone()));
        self.code.open();
        // All loads are issued before the first result is used.
        let words: Vec<_> = (0..LOOKS)
            .map(|look| {
                let seen = self.code.new_var("seen", Type::Scalar(Prim::I32));
                let index = Exp::Var(next).sub(look).max(0).mul(GROUP).add(Exp::Group(GroupExp::Thread));
                let ptr = part.tile_states.data.ptr.clone();
                self.code.push(Stmt::Group(GroupStmt::Peek { var: seen, prim: Prim::I32, ptr, index }));
                seen
            })
            .collect();
        // The first tile publishes a prefix, so nobody looks beyond it. What lies beyond a tile that has published nothing does not count yet.
        let goes_on = self.code.bind("goes_on", Exp::bool(true));
        for seen in words {
            self.code.open();
            let silent = bin(BinOp::Eq, seen, word(0));
            self.code.open();
            self.code.set(goes_on, Exp::bool(false));
            let stop = self.code.close();
            self.code.open();
            self.code.set(before, bin(BinOp::Add, before, bin(BinOp::And, seen, word(COUNT))));
            self.code.set(next, Exp::Var(next).sub(1));
            let is_all = bin(BinOp::Lt, seen, word(0));
            let ends = vec![Stmt::Set(goes_on, Exp::bool(false)), Stmt::Set(searches, Exp::bool(false))];
            self.code.when(is_all, ends);
            let add = self.code.close();
            self.code.if_(silent, stop, add);
            let block = self.code.close();
            self.code.when(goes_on, block);
        }
        let body = self.code.close();
        self.code.while_(Vec::new(), searches, body);
        self.code.open();
        let all = bin(BinOp::Add, before, count.clone());
        self.publish_word(part, tile, bin(BinOp::Or, word(UP_TO), all));
        let block = self.code.close();
        self.code.when(Exp::i64(0).lt(tile.clone()), block);
        before.into()
    }
}
