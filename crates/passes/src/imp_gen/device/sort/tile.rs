//! One tile of keys, moved by one digit.
//!
//! In the group's memory the tile is sorted by the digit in two rounds of four bits. In a round each thread counts the values of
//! keys that are neighbours, one after the other, in counters of its own: `counters[value][thread]`. Their sums in this
//! order say where keys go. So the order of equal ones is kept, whatever the device.

use super::super::GROUP;
use super::super::tile_loop::{TileElement, TileLoop};
use super::{I64, Move, keys_each, tile_length};
use crate::imp_gen::operators::sort::rank::{DIGIT_BITS, bits_of, digit, rank};
use crate::imp_gen::repr::Array;
use crate::imp_gen::state::Gen;
use norn_ir::imp::{
    BinOp, Elem, Exp, GroupArray, GroupExp, GroupStmt, LoopForm, Prim, Scalar, Stmt, Type, Var as ImpVar,
    WARP,
};
use norn_ir::scalar::order::width;

const I32: Elem = Elem::Prim(Prim::I32);
const U16: Elem = Elem::Prim(Prim::U16);
/// A round sorts by so many bits.
const ROUND_BITS: i64 = DIGIT_BITS / 2;
const ROUND_VALUES: i64 = 1 << ROUND_BITS;
/// Behind so many counters there is a gap of two, so that threads that read counters so far apart read from different banks.
const GAP_EVERY: i64 = ROUND_VALUES;

/// The part of the keys that a launch is about: its first key and its end, how many tiles it has, and the states that tiles publish.
pub(super) struct Part {
    pub first: Exp,
    pub end: Exp,
    pub tiles: Exp,
    /// Where in `starts` the values of the digit begin, and where to put that for the part that follows.
    pub row: Exp,
    pub next_row: Exp,
    pub starts: Array,
    pub tile_states: Array,
}

/// A tile in the memory of its group.
struct Staged {
    keys: ImpVar,
    /// Where in the tile each key was.
    places: Option<ImpVar>,
    counters: ImpVar,
    /// Sums over threads, twice: those of one step are made of those of the step before.
    sums: ImpVar,
}

/// What a thread keeps of its keys.
struct Own {
    keys: ImpVar,
    places: Option<ImpVar>,
    /// How many of the same value the thread has before each.
    before: ImpVar,
}

fn thread() -> Exp {
    Exp::Group(GroupExp::Thread)
}

impl Gen<'_> {
    pub(super) fn move_tile(&mut self, arrays: &mut Vec<GroupArray>, step: &Move, part: &Part) {
        let kind = step.kind;
        let (each, length) = (keys_each(kind), tile_length(kind));
        let ticket = self.code.atom("ticket", part.tiles.clone().mul(GROUP));
        let tile = self.take_ticket(arrays, part.tile_states.data.ptr.clone(), &ticket);
        let first: Exp = self.code.bind("first", part.first.clone().add(tile.clone().mul(length))).into();
        let valid: Exp = self.code.bind("valid", part.end.clone().sub(first.clone()).min(length)).into();
        let counts = self.shared_array(arrays, "counts", Prim::I32, GROUP);
        let gaps = 2 * (ROUND_VALUES * GROUP / GAP_EVERY);
        let staged = Staged {
            keys: self.shared_array(arrays, "staged", kind.bits(), length),
            places: kind.places.then(|| self.shared_array(arrays, "staged_at", Prim::U16, length)),
            counters: self.shared_array(arrays, "counters", Prim::U16, ROUND_VALUES * GROUP + gaps),
            sums: self.shared_array(arrays, "sums", Prim::I32, GROUP + GROUP / WARP),
        };
        let mut own_array =
            |this: &mut Self, name: &str, prim: Prim| this.thread_array(arrays, name, prim, each);
        let own = Own {
            keys: own_array(self, "own", kind.bits()),
            places: kind.places.then(|| own_array(self, "own_at", Prim::U16)),
            before: own_array(self, "before", Prim::U16),
        };
        let shift = self.code.atom("shift", Self::first_bit(&step.digit));
        self.code.store(I32, counts, thread(), Scalar::I32(0));
        self.barrier();
        self.stage_tile(step, &staged, own.keys, counts, &first, &valid, &shift);
        self.barrier();
        let count: Exp = self.code.bind("count", Exp::load(I32, counts, thread())).into();
        self.publish_own(part, &tile, &count);
        // No loop that counts, of which there would be copies.
        let round_shift = self.code.bind("round_shift", shift.clone());
        self.code.open();
        self.sort_round(step, &staged, &own, &round_shift.into());
        self.code.set(round_shift, Exp::Var(round_shift).add(ROUND_BITS));
        let body = self.code.close();
        self.code.while_(Vec::new(), Exp::Var(round_shift).lt(shift.clone().add(DIGIT_BITS)), body);
        // Where values begin in the tile, then where that is among all keys.
        let up_to = self.sum_threads(&staged, &count);
        let begin = self.code.bind("begin", Exp::bin(BinOp::Sub, Prim::I32, up_to, count.clone()));
        let before = self.search_before(part, &tile, &count);
        let i64_of = |exp: Exp| exp.convert(Prim::I32, Prim::I64);
        let start = Exp::load(I64, part.starts.data.ptr.clone(), part.row.clone().add(thread()));
        let start = start.add(i64_of(before));
        let start: Exp = self.code.bind("start", start).into();
        let offsets = self.shared_array(arrays, "offsets", Prim::I64, GROUP);
        self.code.store(I64, offsets, thread(), start.clone().sub(i64_of(begin.into())));
        self.code.open();
        let next = start.add(i64_of(count));
        self.code.store(I64, part.starts.data.ptr.clone(), part.next_row.clone().add(thread()), next);
        let block = self.code.close();
        self.code.when(tile.add(1).eq(part.tiles.clone()), block);
        self.barrier();
        self.spread_tile(step, &staged, offsets, &first, &valid, &shift);
    }

    /// Neighbours read neighbours. What there is beyond the end is greater than everything.
    #[allow(clippy::too_many_arguments)]
    fn stage_tile(
        &mut self,
        step: &Move,
        staged: &Staged,
        own_keys: ImpVar,
        counts: ImpVar,
        first: &Exp,
        valid: &Exp,
        shift: &Exp,
    ) {
        let kind = step.kind;
        let elem = kind.key_elem();
        let keys = TileLoop { each: keys_each(kind), left: valid.clone(), is_cheap: true, written_out: true };
        let stage = |this: &mut Self, place: &TileElement, key: Exp| {
            this.code.store(elem, staged.keys, place.in_tile.clone(), key);
            if let Some(places) = staged.places {
                let slot = place.in_tile.clone().convert(Prim::I64, Prim::U16);
                this.code.store(U16, places, place.in_tile.clone(), slot);
            }
        };
        self.each_of_tile(
            &keys,
            &mut |this, place| {
                let at = first.clone().add(place.in_tile.clone());
                let key = this.code.bind("key", Exp::load(elem, step.from.keys.clone(), at));
                this.code.store(elem, own_keys, place.round.clone(), key);
                stage(this, place, key.into());
            },
            &mut |this, place| stage(this, place, Exp::Const(greatest(kind.prim))),
        );
        // Loads would wait for what is counted between them.
        self.each_of_tile(
            &keys,
            &mut |this, place| {
                let key = Exp::load(elem, own_keys, place.round.clone());
                let value = this.code.bind("digit", digit(kind.prim, rank(kind.prim, key), shift));
                this.add_word(counts.into(), value.into(), Scalar::I32(1).into());
            },
            &mut |_, _| {},
        );
    }

    /// Sort the tile by half a digit.
    fn sort_round(&mut self, step: &Move, staged: &Staged, own: &Own, shift: &Exp) {
        let kind = step.kind;
        let elem = kind.key_elem();
        let each = keys_each(kind);
        let first: Exp = self.code.bind("first_own", thread().mul(each)).into();
        self.each(0, ROUND_VALUES, LoopForm::Plain, &mut |this, value| {
            let at = counter_at(value);
            this.code.store(U16, staged.counters, at, Scalar::U16(0));
        });
        self.each(0, each, LoopForm::Plain, &mut |this, k| {
            let slot: Exp = this.code.bind("slot", first.clone().add(k.clone())).into();
            let key = this.code.bind("key", Exp::load(elem, staged.keys, slot.clone()));
            this.code.store(elem, own.keys, k.clone(), key);
            if let (Some(own), Some(staged)) = (own.places, staged.places) {
                this.code.store(U16, own, k.clone(), Exp::load(U16, staged, slot));
            }
            let at = this.code.bind("at", counter_at(round_value(step, key.into(), shift)));
            let before = this.code.bind("so_far", Exp::load(U16, staged.counters, at));
            this.code.store(U16, own.before, k, before);
            let more = Exp::bin(BinOp::Add, Prim::U16, before, Scalar::U16(1));
            this.code.store(U16, staged.counters, at, more);
        });
        self.barrier();
        self.sum_counters(staged);
        self.barrier();
        self.each(0, each, LoopForm::Plain, &mut |this, k| {
            let key = this.code.bind("key", Exp::load(elem, own.keys, k.clone()));
            let at = counter_at(round_value(step, key.into(), shift));
            let index = |exp: Exp| exp.convert(Prim::U16, Prim::I64);
            let slot =
                index(Exp::load(U16, staged.counters, at)).add(index(Exp::load(U16, own.before, k.clone())));
            let slot: Exp = this.code.bind("slot", slot).into();
            this.code.store(elem, staged.keys, slot.clone(), key);
            if let (Some(own), Some(staged)) = (own.places, staged.places) {
                this.code.store(U16, staged, slot, Exp::load(U16, own, k));
            }
        });
        self.barrier();
    }

    /// Each counter becomes the sum of those before it.
    fn sum_counters(&mut self, staged: &Staged) {
        // Each thread has as many as there are values, one after the other.
        let first = thread().mul(GAP_EVERY + 2);
        let first: Exp = self.code.bind("first_counter", first).into();
        let own = self.code.bind("own_sum", Scalar::I32(0));
        let load = |at: Exp| Exp::load(U16, staged.counters, at).convert(Prim::U16, Prim::I32);
        self.each(0, GAP_EVERY, LoopForm::Plain, &mut |this, k| {
            let more = load(first.clone().add(k));
            this.code.set(own, Exp::bin(BinOp::Add, Prim::I32, own, more));
        });
        let up_to = self.sum_threads(staged, &own.into());
        let sum = self.code.bind("sum", Exp::bin(BinOp::Sub, Prim::I32, up_to, own));
        self.each(0, GAP_EVERY, LoopForm::Plain, &mut |this, k| {
            let at: Exp = this.code.bind("at", first.clone().add(k)).into();
            let more = this.code.bind("more", load(at.clone()));
            this.code.store(U16, staged.counters, at, Exp::Var(sum).convert(Prim::I32, Prim::U16));
            this.code.set(sum, Exp::bin(BinOp::Add, Prim::I32, sum, more));
        });
    }

    /// What threads up to this one have, this one included. There are barriers in this.
    fn sum_threads(&mut self, staged: &Staged, own: &Exp) -> ImpVar {
        let var = self.code.new_var("up_to", Type::Scalar(Prim::I32));
        let (op, prim, shared) = (BinOp::Add, Prim::I32, staged.sums.into());
        self.code.push(Stmt::Group(GroupStmt::Scan { var, op, prim, own: own.clone(), shared }));
        var
    }

    fn spread_tile(
        &mut self,
        step: &Move,
        staged: &Staged,
        offsets: ImpVar,
        first: &Exp,
        valid: &Exp,
        shift: &Exp,
    ) {
        let kind = step.kind;
        let elem = kind.key_elem();
        self.each_of_tile(
            &TileLoop { each: keys_each(kind), left: valid.clone(), is_cheap: true, written_out: true },
            &mut |this, place| {
                let slot = &place.in_tile;
                let key = this.code.bind("key", Exp::load(elem, staged.keys, slot.clone()));
                let value = this.code.bind("digit", digit(kind.prim, rank(kind.prim, key.into()), shift));
                let to = this.code.bind("to", Exp::load(I64, offsets, value).add(slot.clone()));
                this.code.open();
                this.code.store(elem, step.to.keys.clone(), to, key);
                let keep = this.code.close();
                this.code.when(step.keeps_keys.clone(), keep);
                if let (Some(staged), Some(places)) = (staged.places, &step.to.places) {
                    let at = Exp::load(U16, staged, slot.clone()).convert(Prim::U16, Prim::I64);
                    let place = this.code.bind("place", first.clone().add(at));
                    if let Some(from) = &step.from.places {
                        this.code.open();
                        this.code.set(place, Exp::load(I64, from.clone(), place));
                        let known = this.code.close();
                        this.code.when(step.is_first.clone().not(), known);
                    }
                    this.code.store(I64, places.clone(), to, place);
                }
            },
            &mut |_, _| {},
        );
    }
}

/// Half of a digit of a key.
fn round_value(step: &Move, key: Exp, shift: &Exp) -> Exp {
    let prim = step.kind.prim;
    let value = digit(prim, rank(prim, key), shift);
    Exp::bin(BinOp::And, Prim::I64, value, Exp::i64(ROUND_VALUES - 1))
}

/// Where the thread's counter of a value is, with the gaps.
fn counter_at(value: Exp) -> Exp {
    let gaps = Exp::i64(2 * (GROUP / GAP_EVERY));
    value.mul(Exp::i64(GROUP).add(gaps)).add(thread()).add(thread().quot(GAP_EVERY).mul(2))
}

/// The bits of a key after which no other comes.
fn greatest(prim: Prim) -> Scalar {
    let all = u64::MAX >> (64 - width(prim));
    let sign = 1 << (width(prim) - 1);
    let is_signed = prim.is_signed() || prim.is_float();
    Scalar::from_int(bits_of(prim), (if is_signed { all ^ sign } else { all }).into())
}
