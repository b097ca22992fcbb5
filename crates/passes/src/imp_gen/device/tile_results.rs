//! What becomes of the sums of tiles: each thread of a group has a square of them (`tile`).
//!
//! Where all of a sum is in one group, that does with it what is to be done. Where it is in several, each keeps its part in memory, and
//! another kernel combines them (`columns`): in an order in which neighbouring threads store neighbours, whatever that means for the matrix.

use super::GROUP;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Elem, Exp, GroupExp, LoopForm, Var as ImpVar};

/// Threads of a group lie in a square.
pub const SIDE: i64 = 16;
/// So many rows of a thread are neighbours, which are loaded at once from shared memory; the others are far apart.
pub const AT_ONCE: i64 = 4;

/// Where the rows of a thread are in the tile, if its first is there.
pub fn row_of(first: &Exp, number: &Exp) -> Exp {
    let (near, far) = (number.clone().rem(AT_ONCE), number.clone().quot(AT_ONCE));
    first.clone().add(near).add(far.mul(SIDE * AT_ONCE))
}

/// The sums that a thread has of a tile: where the tile begins, where in it the thread's square does, and the square.
pub struct Done {
    pub row: Exp,
    pub column: Exp,
    pub down: Exp,
    pub right: Exp,
    pub accs: Vec<(Elem, ImpVar)>,
}

/// How the results of tiles are kept: a thread has a square of so many rows.
#[derive(Clone, Copy)]
pub struct Tiles {
    pub each: i64,
}

/// How many tiles cover so many rows.
pub fn tiles_of(width: &Exp, side: i64) -> Exp {
    width.clone().add(side - 1).quot(side)
}

/// What becomes of the sums at a row and a column.
type Finish<'a, G> = dyn FnMut(&mut G, [&Exp; 2], &[Exp]) + 'a;

impl Gen<'_> {
    /// What becomes of the sums of a tile.
    pub fn finish_tile(&mut self, tiles: Tiles, done: &Done, widths: &[Exp], finish: &mut Finish<'_, Self>) {
        let Done { row, column, down, right, accs } = done;
        let each = tiles.each;
        self.each(0, each, LoopForm::Plain, &mut |this, r| {
            let i: Exp = this.code.bind("i", row.clone().add(row_of(down, &r))).into();
            this.each(0, each, LoopForm::Plain, &mut |this, c| {
                let j: Exp = this.code.bind("j", column.clone().add(row_of(right, &c))).into();
                this.code.open();
                let at = r.clone().mul(each).add(c);
                let sums = accs.iter().map(|(elem, acc)| Exp::load(*elem, *acc, at.clone()));
                let sums: Vec<Exp> = sums.map(|sum| this.code.bind("sum", sum).into()).collect();
                finish(this, [&i, &j], &sums);
                let block = this.code.close();
                this.code.when(i.clone().lt(widths[0].clone()).and(j.lt(widths[1].clone())), block);
            });
        });
    }

    /// The sums of a tile that has others to be combined with, in an order in which neighbouring threads store neighbours: by the number of the tile, then
    /// that of the result in a thread's square, then the thread.
    pub fn keep_tile(&mut self, tiles: Tiles, done: &Done, tile: &Exp, chunk: &Exp, partials: &[Array]) {
        let square = tiles.each * tiles.each;
        let first = tile.clone().mul(square * GROUP).add(Exp::Group(GroupExp::Thread));
        let first: Exp = self.code.bind("slot", first).into();
        self.each(0, square, LoopForm::Plain, &mut |this, number| {
            let slot = this.code.bind("at", first.clone().add(number.clone().mul(GROUP)));
            for (partial, (elem, acc)) in partials.iter().zip(&done.accs) {
                let sum = Exp::load(*elem, *acc, number.clone());
                this.store(partial, &[chunk.clone(), slot.into()], sum);
            }
        });
    }

    /// The point of a result by where `keep_tile` puts it, and whether there is one.
    pub fn point_of_slot(&mut self, tiles: &Tiles, slot: &Exp, widths: &[Exp]) -> (Vec<Exp>, Exp) {
        let [batch @ .., outer, inner] = widths else { panic!("imp_gen: a product of one dimension") };
        let (side, square) = (SIDE * tiles.each, tiles.each * tiles.each);
        let across: Exp = self.code.bind("across", tiles_of(inner, side)).into();
        let each: Exp = self.code.bind("tiles", tiles_of(outer, side).mul(across.clone())).into();
        let thread: Exp = self.code.bind("thread", slot.clone().rem(GROUP)).into();
        let number: Exp = self.code.bind("number", slot.clone().quot(GROUP).rem(square)).into();
        let tile: Exp = self.code.bind("tile", slot.clone().quot(GROUP * square)).into();
        let of: Exp = self.code.bind("batch", tile.clone().quot(each.clone())).into();
        let tile: Exp = self.code.bind("rest", tile.sub(of.clone().mul(each))).into();
        let [row, column] = [tile.clone().quot(across.clone()), tile.rem(across)].map(|at| at.mul(side));
        let down = row_of(&thread.clone().quot(SIDE).mul(AT_ONCE), &number.clone().quot(tiles.each));
        let right = row_of(&thread.rem(SIDE).mul(AT_ONCE), &number.rem(tiles.each));
        let i: Exp = self.code.bind("i", row.add(down)).into();
        let j: Exp = self.code.bind("j", column.add(right)).into();
        let is_there = i.clone().lt(outer.clone()).and(j.clone().lt(inner.clone()));
        let sizes: Vec<Repr> = batch.iter().cloned().map(Repr::Scalar).collect();
        let mut point = if sizes.is_empty() { Vec::new() } else { self.indices_of(of, &sizes) };
        point.extend([i, j]);
        (point, is_there)
    }
}
