//! Sorting in one thread. All digits are counted in one go; a digit that all keys share moves nothing.
//!
//! ```text
//! counts[d][digit d of x] += 1                          for all x, all d
//! for d whose counts are not all in one value:
//!   counts[d] = sums before each value
//!   to[counts[d][digit d of x]++] = x                   for all x in `from`, then `to` and `from` change places
//! ```

use super::rank::{DIGIT_BITS, DIGIT_VALUES, digit, rank};
use super::{Cursor, KeyKind, PLACE, Records};
use crate::imp_gen::repr::Array;
use crate::imp_gen::state::Gen;
use norn_ir::imp::{BinOp, Elem, Exp, LoopForm, Prim, Var as ImpVar};

/// Up to so many keys are inserted one by one.
const FEW: i64 = 48;

const I64: Elem = Elem::Prim(Prim::I64);

/// Where keys are before they are sorted.
#[derive(Clone)]
pub(super) enum Start {
    /// Somewhere else, and stay there.
    Apart,
    /// In the memory for the results, if this holds, or in the spare.
    Inside(Exp),
}

impl Gen<'_> {
    pub(super) fn sort_in_thread(
        &mut self,
        kind: KeyKind,
        source: &Records,
        out: &Records,
        spare: &Records,
        count: &Exp,
    ) {
        self.sort_range(kind, source, Start::Apart, out, spare, count, kind.digits());
    }

    /// Sort by the first so many digits; the others are the same everywhere.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn sort_range(
        &mut self,
        kind: KeyKind,
        source: &Records,
        start: Start,
        out: &Records,
        spare: &Records,
        count: &Exp,
        digits: i64,
    ) {
        self.code.open();
        self.insert_each(kind, source, out, count);
        let few = self.code.close();
        self.code.open();
        self.scoped(&mut |this| this.sort_by_digits(kind, source, &start, out, spare, count, digits));
        let many = self.code.close();
        self.code.if_(count.clone().le(FEW), few, many);
    }

    /// Each goes behind those that are not greater.
    fn insert_each(&mut self, kind: KeyKind, source: &Records, out: &Records, count: &Exp) {
        let elem = kind.key_elem();
        self.each(0, count.clone(), LoopForm::Plain, &mut |this, i| {
            let key = this.code.bind("key", Exp::load(elem, source.keys.clone(), i.clone()));
            let own = this.code.bind("own", rank(kind.prim, key.into()));
            let place = kind.places.then(|| {
                let place = match &source.places {
                    Some(places) => Exp::load(PLACE, places.clone(), i.clone()),
                    None => i.clone(),
                };
                this.code.bind("place", place)
            });
            let at = this.code.bind("at", i);
            let goes_on = this.code.new_var("goes_on", norn_ir::imp::Type::Scalar(Prim::Bool));
            // Before each step: is there one in front, and is it greater?
            this.code.open();
            this.code.set(goes_on, Exp::bool(false));
            this.code.open();
            let front = Exp::load(elem, out.keys.clone(), Exp::Var(at).sub(1));
            let front = this.code.bind("front", front);
            this.code.set(goes_on, Exp::bin(BinOp::Lt, kind.bits(), own, rank(kind.prim, front.into())));
            let look = this.code.close();
            this.code.when(Exp::i64(0).lt(at), look);
            let before = this.code.close();
            this.code.open();
            let front = || Exp::Var(at).sub(1);
            this.code.store(elem, out.keys.clone(), at, Exp::load(elem, out.keys.clone(), front()));
            if let Some(places) = &out.places {
                this.code.store(PLACE, places.clone(), at, Exp::load(PLACE, places.clone(), front()));
            }
            this.code.set(at, front());
            let step = this.code.close();
            this.code.while_(before, goes_on, step);
            this.code.store(elem, out.keys.clone(), at, key);
            if let (Some(places), Some(place)) = (&out.places, place) {
                this.code.store(PLACE, places.clone(), at, place);
            }
        });
    }

    #[allow(clippy::too_many_arguments)]
    fn sort_by_digits(
        &mut self,
        kind: KeyKind,
        source: &Records,
        start: &Start,
        out: &Records,
        spare: &Records,
        count: &Exp,
        digits: i64,
    ) {
        let counts = self.count_digits(kind, source, count, digits);
        let (varying, moves) = self.varying_digits(kind, source, &counts, count, digits);
        let from = self.new_cursor(kind, "from");
        let to = self.new_cursor(kind, "to");
        let other = self.new_cursor(kind, "other");
        self.set_cursor(from, source);
        // The last move leads to the results.
        let (starts_in_out, to_out) = match start {
            Start::Apart => {
                let odd = Exp::Var(moves).rem(2).eq(1);
                (Exp::bool(false), self.code.atom("odd", odd))
            }
            Start::Inside(in_out) => (in_out.clone(), in_out.clone().not()),
        };
        self.choose_cursor(to, &to_out, out, spare);
        self.choose_cursor(other, &to_out, spare, out);
        if source.places.is_none() {
            // Not read before the first move.
            self.set_places(from, out);
        }
        let in_out = self.code.bind("in_out", starts_in_out);
        let to_out = self.code.bind("to_out", to_out);
        let known = self.code.bind("known", Exp::bool(source.places.is_some()));
        for (d, varies) in varying.iter().enumerate() {
            self.code.open();
            let first = d as i64 * DIGIT_VALUES;
            self.begin_digits(&counts, first);
            let shift = Exp::i64(d as i64 * DIGIT_BITS);
            let moved = |this: &mut Self, known: bool| {
                let places = from.places.filter(|_| known).map(Exp::Var);
                let records = Records { keys: from.keys.into(), places };
                let range = (Exp::i64(0), count.clone());
                let ends = Exp::offset(I64, counts.data.ptr.clone(), first);
                this.move_range(kind, &records, &to.into(), &ends, range, &shift);
            };
            if kind.places && source.places.is_none() {
                self.code.open();
                moved(self, true);
                let then = self.code.close();
                self.code.open();
                moved(self, false);
                let els = self.code.close();
                self.code.if_(known, then, els);
                self.code.set(known, Exp::bool(true));
            } else {
                moved(self, true);
            }
            self.set_cursor(from, &to.into());
            self.set_cursor(to, &other.into());
            self.set_cursor(other, &from.into());
            self.code.set(in_out, to_out);
            self.code.set(to_out, Exp::Var(to_out).not());
            let block = self.code.close();
            self.code.when(*varies, block);
        }
        self.code.open();
        // Without a place that is known nothing was moved.
        let records =
            |places: Option<ImpVar>| Records { keys: from.keys.into(), places: places.map(Exp::Var) };
        self.code.open();
        self.copy_records(kind, &records(from.places), out, count);
        let moved = self.code.close();
        self.code.open();
        self.copy_records(kind, &records(None), out, count);
        let unmoved = self.code.close();
        if kind.places {
            self.code.if_(known, moved, unmoved);
        } else {
            self.code.append(unmoved);
        }
        let block = self.code.close();
        self.code.when(Exp::Var(in_out).not(), block);
    }

    fn set_places(&mut self, cursor: Cursor, records: &Records) {
        if let (Some(var), Some(places)) = (cursor.places, &records.places) {
            self.code.set(var, places.clone());
        }
    }

    /// How often each value of each digit occurs.
    fn count_digits(&mut self, kind: KeyKind, source: &Records, count: &Exp, digits: i64) -> Array {
        let counts = self.zeros("counts", Exp::i64(digits * DIGIT_VALUES));
        let ptr = counts.data.ptr.clone();
        self.each(0, count.clone(), LoopForm::Plain, &mut |this, i| {
            let key = this.code.bind("key", Exp::load(kind.key_elem(), source.keys.clone(), i));
            let own = this.code.bind("own", rank(kind.prim, key.into()));
            for d in 0..digits {
                let value = digit(kind.prim, own.into(), &Exp::i64(d * DIGIT_BITS));
                let at = this.code.bind("at", value.add(d * DIGIT_VALUES));
                this.code.store(I64, ptr.clone(), at, Exp::load(I64, ptr.clone(), at).add(1));
            }
        });
        counts
    }

    /// Of each digit whether keys differ in it, and how many there are of which this holds.
    fn varying_digits(
        &mut self,
        kind: KeyKind,
        source: &Records,
        counts: &Array,
        count: &Exp,
        digits: i64,
    ) -> (Vec<ImpVar>, ImpVar) {
        let moves = self.code.bind("moves", Exp::i64(0));
        let first = self.code.bind("first", Exp::load(kind.key_elem(), source.keys.clone(), 0));
        let first = self.code.bind("first", rank(kind.prim, first.into()));
        let mut varying = Vec::new();
        for d in 0..digits {
            let value = digit(kind.prim, first.into(), &Exp::i64(d * DIGIT_BITS));
            let same = Exp::load(I64, counts.data.ptr.clone(), value.add(d * DIGIT_VALUES));
            let varies = self.code.bind("varies", same.ne(count.clone()));
            self.code.set(moves, Exp::Var(moves).add(Exp::Var(varies).convert(Prim::Bool, Prim::I64)));
            varying.push(varies);
        }
        (varying, moves)
    }

    /// The counts of a digit become where its values begin.
    fn begin_digits(&mut self, counts: &Array, first: i64) {
        let ptr = counts.data.ptr.clone();
        let sum = self.code.bind("sum", Exp::i64(0));
        self.each(first, first + DIGIT_VALUES, LoopForm::Plain, &mut |this, at| {
            let own = this.code.bind("own", Exp::load(I64, ptr.clone(), at.clone()));
            this.code.store(I64, ptr.clone(), at, sum);
            this.code.set(sum, Exp::Var(sum).add(own));
        });
    }

    /// Keys of a range go to where those of their digit end; `ends` says where that is, and moves on.
    pub(super) fn move_range(
        &mut self,
        kind: KeyKind,
        from: &Records,
        to: &Records,
        ends: &Exp,
        range: (Exp, Exp),
        shift: &Exp,
    ) {
        let ends = self.code.atom("ends", ends.clone());
        self.each(range.0, range.1, LoopForm::Plain, &mut |this, i| {
            let key = this.code.bind("key", Exp::load(kind.key_elem(), from.keys.clone(), i.clone()));
            let value = digit(kind.prim, rank(kind.prim, key.into()), shift);
            let value = this.code.bind("digit", value);
            let at = this.code.bind("at", Exp::load(I64, ends.clone(), value));
            this.code.store(I64, ends.clone(), value, Exp::Var(at).add(1));
            this.code.store(kind.key_elem(), to.keys.clone(), at, key);
            if let Some(places) = &to.places {
                let place = match &from.places {
                    Some(from) => Exp::load(PLACE, from.clone(), i),
                    None => i,
                };
                this.code.store(PLACE, places.clone(), at, place);
            }
        });
    }
}
