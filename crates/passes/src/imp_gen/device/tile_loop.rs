//! Loops over the elements of a tile: each thread of a group has those as far apart as there are threads, so that neighbours read
//! neighbours.
//!
//! What is cheap is there twice: a whole tile has a loop without tests of whether there is an element, where all are loaded before the
//! first is used. With tests some of the loads wait for others, since there are few registers for what tests say.

use super::GROUP;
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Exp, GroupExp, LoopForm};

pub struct TileLoop {
    /// How many elements a thread has.
    pub each: i64,
    /// How many there are from the tile's first on, all tiles that follow included.
    pub left: Exp,
    /// Whether little is done with an element.
    pub is_cheap: bool,
    /// Whether the elements of a thread are written out one by one. Where each asks for its indices in a space of several dimensions, that
    /// is too much code for those who compile it: some are written out, and a loop goes through all.
    pub written_out: bool,
}

/// How many are written out at most where not all are: so many loads are under way at the same time.
const AT_ONCE: i64 = 5;

pub struct TileElement {
    /// Which of the thread's elements it is.
    pub round: Exp,
    /// Which of the tile's.
    pub in_tile: Exp,
}

impl Gen<'_> {
    /// In a kernel: what is done for each element, and for places beyond the last.
    pub fn each_of_tile(
        &mut self,
        tile: &TileLoop,
        body: &mut dyn FnMut(&mut Self, &TileElement),
        beyond: &mut dyn FnMut(&mut Self, &TileElement),
    ) {
        let TileLoop { each, left, is_cheap, written_out } = tile;
        let whole = is_cheap.then(|| {
            self.code.open();
            self.each_place(*each, *written_out, body);
            self.code.close()
        });
        self.code.open();
        self.each_place(*each, *written_out, &mut |this, place| {
            this.code.open();
            body(this, place);
            let inside = this.code.close();
            this.code.open();
            beyond(this, place);
            let outside = this.code.close();
            this.code.if_(place.in_tile.clone().lt(left.clone()), inside, outside);
        });
        let tested = self.code.close();
        match whole {
            Some(whole) => self.code.if_(Exp::i64(each * GROUP).le(left.clone()), whole, tested),
            None => tested.into_iter().for_each(|stmt| self.code.push(stmt)),
        }
    }

    fn each_place(&mut self, each: i64, written_out: bool, body: &mut dyn FnMut(&mut Self, &TileElement)) {
        let mut place = |this: &mut Self, round: Exp| {
            let in_tile = round.clone().mul(GROUP).add(Exp::Group(GroupExp::Thread));
            let in_tile = this.code.bind("place", in_tile).into();
            body(this, &TileElement { round, in_tile });
        };
        match written_out {
            true => self.each(0, each, LoopForm::Plain, &mut place),
            false => {
                let at_once = (2..=AT_ONCE).rev().find(|count| each % count == 0).unwrap_or(1);
                self.each_by("rounds", 0, at_once, &Exp::i64(each), &mut |this, first| {
                    this.each(0, at_once, LoopForm::Plain, &mut |this, k| {
                        let round = this.code.bind("round", first.clone().add(k));
                        place(this, round.into());
                    });
                });
            }
        }
    }
}
