//! Radix sort on all processors: first partition by the most significant digit, then sort each bucket.
//!
//! 1. Find the highest bit in which keys differ: the first digit begins there.
//! 2. Each chunk counts its digits; after a prefix sum over chunks, it moves its keys to places of its own: behind those that earlier chunks
//!    have of the same digit. So the sort is stable.
//! 3. Each bucket, the keys with one first digit, is sorted by one thread, in its cache.
//!
//! If too many keys have the same first digit, all digits are done by moves as in step 2, from the least significant on.

use super::rank::{DIGIT_BITS, DIGIT_VALUES, digit, rank};
use super::thread::Start;
use super::{KeyKind, Records, scalar_inside};
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::build::KernelVars;
use norn_ir::imp::{Accumulator, BinOp, Elem, Exp, LoopForm, Prim, Scalar, Split, Stmt, UnOp, Var as ImpVar};

const I64: Elem = Elem::Prim(Prim::I64);

/// Fewer keys are sorted in one thread.
const MANY: i64 = 1 << 14;

/// A sort on all processors: what, of how many, in how many chunks.
struct Whole<'a> {
    kind: KeyKind,
    source: &'a Records,
    out: &'a Records,
    spare: &'a Records,
    width: &'a Exp,
    chunks: Exp,
    /// For each chunk, how many keys have each digit, or where the next of them goes.
    counts: Array,
    /// Where each digit begins, and the end of all.
    starts: Array,
}

impl Gen<'_> {
    pub(super) fn sort_in_grid(
        &mut self,
        kind: KeyKind,
        source: &Records,
        out: &Records,
        spare: &Records,
        width: &Exp,
        grid: &Grid,
    ) {
        let chunks = self.chunks(grid, width);
        let alone = chunks.clone().le(1).or(width.clone().lt(MANY));
        self.code.open();
        self.sort_in_thread(kind, source, out, spare, width);
        let thread = self.code.close();
        self.code.open();
        self.scoped(&mut |this| {
            let entries = this.code.atom("entries", chunks.clone().mul(DIGIT_VALUES));
            let counts = this.new_array_named("counts", Prim::I64, &[entries], "sort");
            let starts = this.new_array_named("starts", Prim::I64, &[Exp::i64(DIGIT_VALUES + 1)], "sort");
            let chunks = chunks.clone();
            this.sort_whole(&Whole { kind, source, out, spare, width, chunks, counts, starts });
        });
        let whole = self.code.close();
        self.code.if_(alone, thread, whole);
    }

    fn sort_whole(&mut self, whole: &Whole) {
        let differing = self.differing_bits(whole);
        let zero = Exp::Const(Scalar::zero(whole.kind.bits()));
        self.code.open();
        self.copy_records(whole.kind, whole.source, whole.out, whole.width);
        let same = self.code.close();
        self.code.open();
        self.sort_differing(whole, differing);
        let different = self.code.close();
        self.code.if_(Exp::bin(BinOp::Eq, whole.kind.bits(), differing, zero), same, different);
    }

    fn sort_differing(&mut self, whole: &Whole, differing: ImpVar) {
        let bits = whole.kind.bits();
        let zeros = Exp::un(UnOp::Clz, bits, differing).convert(Prim::I32, Prim::I64);
        let width = bits.size() as i64 * 8;
        let shift = Exp::i64(width - DIGIT_BITS).sub(zeros).max(0);
        let shift: Exp = self.code.bind("shift", shift).into();
        self.count_chunks(whole, whole.source, &shift);
        let largest = self.sum_chunks(whole);
        // The largest share must not keep the others waiting for long.
        let even = Exp::Var(largest).mul(2).mul(Exp::Workers).le(whole.width.clone().mul(3));
        self.code.open();
        self.sort_shares(whole, &shift);
        let shares = self.code.close();
        self.code.open();
        self.sort_by_all_digits(whole, differing);
        let all = self.code.close();
        self.code.if_(even, shares, all);
    }

    /// The bits in which ranks differ.
    fn differing_bits(&mut self, whole: &Whole) -> ImpVar {
        let (kind, bits) = (whole.kind, whole.kind.bits());
        let found = self.new_array_named("differing", bits, std::slice::from_ref(&whole.chunks), "sort");
        let mut extra = whole.source.reprs();
        extra.push(Repr::Array(found.clone()));
        self.launch_chunks(whole, &extra, &mut |this, kernel, given| {
            let mut given = given.into_iter();
            let source = whole.source.inside(&mut given);
            let found = array_inside(given.next());
            let first = this.code.bind("first", Exp::load(kind.key_elem(), source.keys.clone(), 0));
            let first = this.code.bind("first", rank(kind.prim, first.into()));
            let neutral = Scalar::zero(bits);
            let differing = this.code.bind("differing", neutral);
            let reduce = vec![Accumulator { var: differing, op: BinOp::Or, prim: bits, neutral }];
            this.each(kernel.from, kernel.to, LoopForm::Reduce(reduce), &mut |this, i| {
                let key = this.code.bind("key", Exp::load(kind.key_elem(), source.keys.clone(), i));
                let other = Exp::bin(BinOp::Xor, bits, rank(kind.prim, key.into()), first);
                this.code.set(differing, Exp::bin(BinOp::Or, bits, differing, other));
            });
            this.store(&found, &[kernel.chunk.into()], differing.into());
        });
        let differing = self.code.bind("differing", Scalar::zero(bits));
        self.each(0, whole.chunks.clone(), LoopForm::Plain, &mut |this, chunk| {
            let own = this.element(&found, chunk);
            this.code.set(differing, Exp::bin(BinOp::Or, bits, differing, own));
        });
        differing
    }

    /// How many keys each chunk has of each digit.
    fn count_chunks(&mut self, whole: &Whole, from: &Records, shift: &Exp) {
        let kind = whole.kind;
        let mut extra = from.reprs();
        extra.extend([Repr::Array(whole.counts.clone()), Repr::Scalar(shift.clone())]);
        self.launch_chunks(whole, &extra, &mut |this, kernel, given| {
            let mut given = given.into_iter();
            let from = from.inside(&mut given);
            let own = this.own_counts(kernel, &array_inside(given.next()));
            let shift = scalar_inside(given.next());
            this.each(0, DIGIT_VALUES, LoopForm::Independent, &mut |this, value| {
                this.code.store(I64, own, value, 0);
            });
            this.each(kernel.from, kernel.to, LoopForm::Plain, &mut |this, i| {
                let key = this.code.bind("key", Exp::load(kind.key_elem(), from.keys.clone(), i));
                let value = this.code.bind("digit", digit(kind.prim, rank(kind.prim, key.into()), &shift));
                this.code.store(I64, own, value, Exp::load(I64, own, value).add(1));
            });
        });
    }

    fn own_counts(&mut self, kernel: KernelVars, counts: &Array) -> ImpVar {
        let first = Exp::Var(kernel.chunk).mul(DIGIT_VALUES);
        self.code.bind("own", Exp::offset(I64, counts.data.ptr.clone(), first))
    }

    /// Counts become where the keys of each chunk go; how many the most frequent digit has.
    fn sum_chunks(&mut self, whole: &Whole) -> ImpVar {
        let largest = self.code.bind("largest", Exp::i64(0));
        let sum = self.code.bind("sum", Exp::i64(0));
        let counts = whole.counts.data.ptr.clone();
        self.each(0, DIGIT_VALUES, LoopForm::Plain, &mut |this, value| {
            let start = this.code.bind("start", sum);
            this.store(&whole.starts, std::slice::from_ref(&value), start.into());
            this.each(0, whole.chunks.clone(), LoopForm::Plain, &mut |this, chunk| {
                let at = this.code.bind("at", chunk.mul(DIGIT_VALUES).add(value.clone()));
                let own = this.code.bind("own", Exp::load(I64, counts.clone(), at));
                this.code.store(I64, counts.clone(), at, sum);
                this.code.set(sum, Exp::Var(sum).add(own));
            });
            this.code.set(largest, Exp::Var(largest).max(Exp::Var(sum).sub(start)));
        });
        self.store(&whole.starts, &[Exp::i64(DIGIT_VALUES)], sum.into());
        largest
    }

    /// Chunks move their keys to where the counts say.
    fn move_chunks(&mut self, whole: &Whole, from: &Records, to: &Records, shift: &Exp) {
        let kind = whole.kind;
        let mut extra = from.reprs();
        extra.extend(to.reprs());
        extra.extend([Repr::Array(whole.counts.clone()), Repr::Scalar(shift.clone())]);
        self.launch_chunks(whole, &extra, &mut |this, kernel, given| {
            let mut given = given.into_iter();
            let from = from.inside(&mut given);
            let to = to.inside(&mut given);
            let own = this.own_counts(kernel, &array_inside(given.next()));
            let shift = scalar_inside(given.next());
            let range = (kernel.from.into(), kernel.to.into());
            this.move_range(kind, &from, &to, &own.into(), range, &shift);
        });
    }

    /// The first digit in parallel, then each of its values by itself.
    fn sort_shares(&mut self, whole: &Whole, shift: &Exp) {
        let kind = whole.kind;
        // As many moves follow as there are digits below, if keys are anything.
        let moves = shift.clone().add(DIGIT_BITS - 1).quot(DIGIT_BITS);
        let in_out = self.code.atom("in_out", moves.rem(2).eq(0));
        let dealt = self.new_cursor(kind, "dealt");
        self.choose_cursor(dealt, &in_out, whole.out, whole.spare);
        let dealt = Records::from(dealt);
        self.move_chunks(whole, whole.source, &dealt, shift);
        self.code.open();
        let mut extra = [dealt.reprs(), whole.out.reprs(), whole.spare.reprs()].concat();
        extra.extend([Repr::Array(whole.starts.clone()), Repr::Scalar(in_out)]);
        let (kernel, args) = self.make_kernel("sort", &[], &extra, &mut |this, kernel, given| {
            let mut given = given.into_iter();
            let dealt = dealt.inside(&mut given);
            let (out, spare) = (whole.out.inside(&mut given), whole.spare.inside(&mut given));
            let starts = array_inside(given.next());
            let in_out = scalar_inside(given.next());
            this.each(kernel.from, kernel.to, LoopForm::Plain, &mut |this, value| {
                let start = this.element(&starts, value.clone());
                let start: Exp = this.code.bind("start", start).into();
                let end = this.element(&starts, value.add(1));
                let count: Exp = this.code.bind("count", end.sub(start.clone())).into();
                let [from, out, spare] = [&dealt, &out, &spare].map(|records| records.at(kind, &start));
                let from = this.bound(&from);
                let (out, spare) = (this.bound(&out), this.bound(&spare));
                // The last digit is in what they share.
                let digits = kind.digits() - 1;
                this.sort_range(kind, &from, Start::Inside(in_out.clone()), &out, &spare, &count, digits);
            });
        });
        let site = self.operator_site("sort");
        let split = Split::ByOffsets(whole.starts.data.ptr.clone());
        let (width, chunks) = (Exp::i64(DIGIT_VALUES), whole.chunks.clone());
        self.code.push(Stmt::Launch { kernel, args, width, chunks, split, site });
        let shares = self.code.close();
        self.code.when(Exp::i64(0).lt(shift.clone()), shares);
    }

    /// Pointers in variables.
    fn bound(&mut self, records: &Records) -> Records {
        let keys = self.code.bind("keys", records.keys.clone()).into();
        let places = records.places.clone().map(|places| self.code.bind("places", places).into());
        Records { keys, places }
    }

    /// One digit after the other, all in parallel.
    fn sort_by_all_digits(&mut self, whole: &Whole, differing: ImpVar) {
        let (kind, bits) = (whole.kind, whole.kind.bits());
        let differs = |d: Exp| {
            let shift = first_bit(d);
            digit(bits, differing.into(), &shift).ne(0)
        };
        let moves = self.code.bind("moves", Exp::i64(0));
        self.each(0, kind.digits(), LoopForm::Plain, &mut |this, d| {
            this.code.set(moves, Exp::Var(moves).add(differs(d).convert(Prim::Bool, Prim::I64)));
        });
        let odd = self.code.atom("odd", Exp::Var(moves).rem(2).eq(1));
        let to = self.new_cursor(kind, "to");
        let other = self.new_cursor(kind, "other");
        self.choose_cursor(to, &odd, whole.out, whole.spare);
        self.choose_cursor(other, &odd, whole.spare, whole.out);
        let first = self.code.bind("first", Exp::bool(true));
        self.each(0, kind.digits(), LoopForm::Plain, &mut |this, d| {
            let shift: Exp = this.code.bind("shift", first_bit(d.clone())).into();
            this.code.open();
            this.code.open();
            this.move_all(whole, whole.source, &to.into(), &shift);
            let then = this.code.close();
            this.code.open();
            // What was moved last is where the next move but one leads.
            this.move_all(whole, &other.into(), &to.into(), &shift);
            let els = this.code.close();
            this.code.if_(first, then, els);
            this.code.set(first, Exp::bool(false));
            let moved = this.new_cursor(kind, "moved");
            this.set_cursor(moved, &to.into());
            this.set_cursor(to, &other.into());
            this.set_cursor(other, &moved.into());
            let block = this.code.close();
            this.code.when(differs(d), block);
        });
    }

    fn move_all(&mut self, whole: &Whole, from: &Records, to: &Records, shift: &Exp) {
        self.count_chunks(whole, from, shift);
        self.sum_chunks(whole);
        self.move_chunks(whole, from, to, shift);
    }

    /// A kernel over all keys. The chunks are the same whenever.
    fn launch_chunks(
        &mut self,
        whole: &Whole,
        extra: &[Repr],
        make: &mut dyn FnMut(&mut Self, KernelVars, Vec<Repr>),
    ) {
        let (kernel, args) = self.make_kernel("sort", &[], extra, make);
        let site = self.operator_site("sort");
        let (width, chunks) = (whole.width.clone(), whole.chunks.clone());
        self.code.push(Stmt::Launch { kernel, args, width, chunks, split: Split::Even, site });
    }
}

/// Where a digit begins.
fn first_bit(d: Exp) -> Exp {
    d.mul(DIGIT_BITS)
}

fn array_inside(given: Option<Repr>) -> Array {
    match given {
        Some(Repr::Array(array)) => array,
        Some(Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert) | None => {
            panic!("imp_gen: an array was handed to a kernel as something else")
        }
    }
}
