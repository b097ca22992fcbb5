//! Cells that the threads of a group meet first have a place in the memory that they share, where these add to them; at the end the group adds what is there to the
//! others.
//!
//! Where hundreds of thousands of threads add to one word, each waits for all others. A cell that gets many elements is among the first that a group meets,
//! so that nobody but the group itself waits for it. Cells that get few elements lose nothing: what is added to them is added later.
//!
//! A cell has one place where it can be, by its number; the first that comes has it until the end. Neighbours have places of their own, and so, mostly,
//! have cells that are as far apart as the places are many, or a multiple of it.

use super::Hist;
use super::combine::{CellPlace, UpdateMethod};
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::state::Gen;
use norn_ir::imp::{BinOp, Elem, Exp, GroupArray, GroupStmt, Prim, Scalar, Stmt, Type, Var as ImpVar};

const TAG: Prim = Prim::I32;
/// How many places there are at most, and how many bytes they take.
const PLACES: i64 = 1024;
const BYTES: i64 = 16 << 10;
/// So many elements at least a thread should have, so that the memory of its group is worth to be cleared.
const EACH: i64 = 4;
/// So many groups there are at most, for each that the device runs at once.
const WAVES: i64 = 4;
/// Two to the power of 32 divided by the golden ratio, and by how many bits the product is shifted: what is left of it differs for neighbours.
const MIX: i64 = 0x9e37_79b1;
const MIX_SHIFT: i64 = 20;

/// Whose the places are: of all cells that can be there, the number of one, counted from 1, or 0.
pub(super) struct Near {
    tags: ImpVar,
    /// How many there are: two to the power of this.
    bits: Exp,
}

impl Near {
    fn places(&self) -> Exp {
        Exp::bin(BinOp::Shl, Prim::I64, Exp::i64(1), self.bits.clone())
    }

    /// The low bits of a number, swizzled: an exclusive or with the bits above them. To apply it again gives the original.
    fn swizzled(&self, low: Exp, high: Exp) -> Exp {
        let mixed = Exp::bin(BinOp::Lshr, Prim::I64, high.mul(MIX), Exp::i64(MIX_SHIFT));
        let swizzled = Exp::bin(BinOp::Xor, Prim::I64, low, mixed);
        Exp::bin(BinOp::And, Prim::I64, swizzled, self.places().sub(1))
    }
}

impl Gen<'_> {
    /// By operations of memory.
    pub(super) fn hist_near(&mut self, hist: &Hist, method: &UpdateMethod, total: &Exp, grid: &Grid) {
        let groups = self.groups_near(total);
        self.launch_groups("hist", &grid.captured, &hist.reprs(), groups, &mut |this, arrays, given| {
            let hist = hist.inside(&mut given.into_iter());
            let op = this.scalar_operator(&hist);
            let prims = method.homes();
            let bytes = prims.iter().map(|prim| prim.size() as i64).sum::<i64>() + TAG.size() as i64;
            let bits = (BYTES / bytes).clamp(1, PLACES).ilog2();
            let places = 1i64 << bits;
            let homes: Vec<(ImpVar, Prim)> = prims
                .into_iter()
                .map(|prim| (this.shared_array(arrays, "bins", prim, places), prim))
                .collect();
            let near = this.near_places(arrays, places, Exp::i64(bits.into()));
            this.each_in_group(&Exp::i64(places), &mut |this, place| {
                let neutral = this.values_at(&hist.op.neutral, &[]);
                for ((home, prim), value) in homes.iter().zip(method.pack(neutral)) {
                    this.code.store(Elem::Prim(*prim), *home, place.clone(), value);
                }
            });
            this.barrier();
            this.each_cell(&hist, &mut |this, cell| {
                let values = this.values_at(hist.values, &cell.position);
                let (place, is_near) = this.place_near(&near, &cell.number);
                this.code.open();
                let columns = homes.iter().map(|(home, _)| (Exp::Var(*home), place.clone())).collect();
                this.combine_at_once(op, method, &CellPlace { columns, lock: None }, &values);
                let to_near = this.code.close();
                this.code.open();
                this.combine_in_memory(&hist, method, cell, &values);
                let to_others = this.code.close();
                this.code.if_(is_near, to_near, to_others);
            });
            this.barrier();
            this.each_word_near(&near, &Exp::i64(1), &mut |this, place, cell, _| {
                let mut held = Vec::with_capacity(homes.len());
                for (home, prim) in &homes {
                    let value = Exp::load(Elem::Prim(*prim), *home, place.clone());
                    held.push(this.code.bind("value", value).into());
                }
                let cell = this.cell_of(&hist, &cell);
                this.guarded(&mut |this| {
                    this.combine_in_memory(&hist, method, &cell, &method.unpack(held.clone()));
                });
            });
        });
    }

    /// For so many elements.
    pub(super) fn groups_near(&mut self, elements: &Exp) -> Exp {
        self.groups_for(elements, EACH, Some(Exp::DeviceGroups.mul(WAVES)))
    }

    // # In kernels

    /// So many places at most: two to the power of a number. All are nobody's after the next barrier.
    pub(super) fn near_places(&mut self, arrays: &mut Vec<GroupArray>, most: i64, bits: Exp) -> Near {
        let tags = self.shared_array(arrays, "cells", TAG, most);
        let near = Near { tags, bits };
        self.each_in_group(&near.places(), &mut |this, place| {
            this.code.store(Elem::Prim(TAG), tags, place, Scalar::I32(0));
        });
        near
    }

    /// The place for a cell with a number, and whether it is its own.
    pub(super) fn place_near(&mut self, near: &Near, cell: &Exp) -> (Exp, Exp) {
        let high = Exp::bin(BinOp::Lshr, Prim::I64, cell.clone(), near.bits.clone());
        let high = self.code.atom("high", high);
        let place = self.code.atom("place", near.swizzled(cell.clone(), high.clone()));
        let tag = self.code.bind("tag", high.add(1).convert(Prim::I64, TAG));
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
        let all = self.code.atom("all", near.places().mul(words.clone()));
        self.each_in_group(&all, &mut |this, number| {
            let place = this.code.atom("place", number.clone().quot(words.clone()));
            let word = this.code.atom("word", number.clone().rem(words.clone()));
            let tag = Exp::load(Elem::Prim(TAG), near.tags, place.clone());
            let tag: Exp = this.code.bind("tag", tag).into();
            this.code.open();
            let high = this.code.atom("high", tag.clone().convert(TAG, Prim::I64).sub(1));
            let before = Exp::bin(BinOp::Shl, Prim::I64, high.clone(), near.bits.clone());
            let cell = this.code.atom("cell", before.add(near.swizzled(place, high)));
            with(this, number, cell, word);
            let block = this.code.close();
            this.code.when(Exp::bin(BinOp::Eq, TAG, tag, Scalar::I32(0)).not(), block);
        });
    }
}
