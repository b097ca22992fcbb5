//! Sums of `f32` in many bins, exactly.
//!
//! A float is a whole number of at most 24 bits, shifted by at most 253, in units of the smallest of all, 2^-149. Each cell has `LIMBS` words: what is
//! added to word `k` counts `2^(32 k)` units. Of a float, the word where it begins gets up to 32 bits and the next one the others, by two operations of memory: whole
//! numbers do not show in which order they are added, so the bits are the same in every run, and no sum of fewer than 2^31 elements overflows a word.
//! At the end the words of a cell become a float, rounded once; that is closer to the sum than one element after the other is. Infinities and NaNs are
//! noted in a word of their own.

use super::Hist;
use super::combine::{of_bits, to_bits};
use crate::imp_gen::operators::elementwise::primitive_columns;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::Array;
use crate::imp_gen::state::Gen;
use norn_ir::imp::{BinOp, Elem, Exp, GroupStmt, LoopForm, Prim, Scalar, Stmt, UnOp};

/// How many words a sum takes, and with the one for infinities.
const LIMBS: i64 = 9;
const WORDS: i64 = LIMBS + 1;
/// The bits of a word that belong to the number before they are carried to the next.
const BITS: i64 = 32;
const MASK: i64 = (1 << BITS) - 1;
/// So many words at most, of all columns: what a cache holds.
const ROOM: i64 = 1 << 22;
/// To clear and to read the words of so many cells takes as long as to add an element.
const FOR_ONE: i64 = 4;
/// Where words count nothing but units of the smallest float.
const SMALLEST: i64 = 149;

/// What is noted of elements that are no numbers.
const PLUS: i64 = 1;
const MINUS: i64 = 2;
const NAN: i64 = 4;

fn i64_bin(op: BinOp, x: impl Into<Exp>, y: impl Into<Exp>) -> Exp {
    Exp::bin(op, Prim::I64, x, y)
}

impl Gen<'_> {
    /// Whether it is sums of `f32` that a histogram makes, in each of its columns; and when their words have room.
    pub(super) fn limbs_are_worth(&mut self, hist: &Hist, cells: &Exp) -> Option<Exp> {
        let operators = primitive_columns(self.scalar_operator(hist))?;
        if operators.iter().any(|operator| *operator != (BinOp::Add, Prim::F32)) {
            return None;
        }
        let most = ROOM / (WORDS * operators.len() as i64);
        let elements = self.elements_of(hist);
        let few = cells.clone().le(elements.clone().mul(FOR_ONE));
        Some(cells.clone().le(most).and(few).and(elements.lt(1i64 << 31)))
    }

    pub(super) fn hist_in_limbs(&mut self, hist: &Hist, cells: &Exp, grid: &Grid) {
        let all = self.code.atom("all", cells.clone().mul(WORDS));
        let mut limbs = Vec::with_capacity(hist.dests.len());
        for _ in &hist.dests {
            limbs.push(self.new_array_named("limbs", Prim::I64, std::slice::from_ref(&all), "hist"));
        }
        let numbers = [all.clone()];
        self.launch_with_decks(hist, &limbs, &numbers, &all, grid, &mut |this, _, limbs, numbers| {
            this.each_apart(&numbers[0], &mut |this, number| {
                limbs.iter().for_each(|limbs| this.store(limbs, std::slice::from_ref(&number), Exp::i64(0)));
            });
        });
        let elements = self.elements_of(hist);
        self.launch_with_decks(hist, &limbs, &[], &elements, grid, &mut |this, hist, limbs, _| {
            this.each_cell(hist, &mut |this, cell| {
                let values = this.values_at(hist.values, &cell.position);
                let first = this.code.atom("first", cell.number.clone().mul(WORDS));
                for (limbs, value) in limbs.iter().zip(values) {
                    this.add_to_limbs(limbs, &first, value);
                }
            });
        });
        let numbers = [cells.clone()];
        self.launch_with_decks(hist, &limbs, &numbers, cells, grid, &mut |this, hist, limbs, numbers| {
            let op = this.scalar_operator(hist);
            this.each_apart(&numbers[0], &mut |this, number| {
                this.guarded(&mut |this| {
                    let first = this.code.atom("first", number.clone().mul(WORDS));
                    let sums: Vec<Exp> = limbs.iter().map(|limbs| this.sum_of_limbs(limbs, &first)).collect();
                    let cell = this.cell_of(hist, &number);
                    this.combine_in_order(hist, op, &cell, &sums);
                });
            });
        });
    }

    fn add_to_word(&mut self, op: BinOp, limbs: &Array, index: Exp, value: Exp) {
        let (prim, ptr) = (Prim::I64, limbs.data.ptr.clone());
        self.code.push(Stmt::Group(GroupStmt::Atomic { op, prim, ptr, index, value, old: None }));
    }

    /// In a kernel: a float is added to the words from this one on.
    fn add_to_limbs(&mut self, limbs: &Array, first: &Exp, value: Exp) {
        let bits = to_bits(Prim::F32, value).convert(Prim::U32, Prim::I64);
        let bits: Exp = self.code.bind("bits", bits).into();
        let exponent = i64_bin(BinOp::And, i64_bin(BinOp::Lshr, bits.clone(), 23), 0xff);
        let exponent: Exp = self.code.bind("exponent", exponent).into();
        let fraction: Exp = self.code.bind("fraction", i64_bin(BinOp::And, bits.clone(), 0x7f_ffff)).into();
        let is_negative: Exp = self.code.bind("is_negative", Exp::i64(0x7fff_ffff).lt(bits)).into();

        self.code.open();
        let infinity = Exp::select(is_negative.clone(), Exp::i64(MINUS), Exp::i64(PLUS));
        let note = Exp::select(fraction.clone().eq(0), infinity, Exp::i64(NAN));
        self.add_to_word(BinOp::Or, limbs, first.clone().add(LIMBS), note);
        let noted = self.code.close();

        self.code.open();
        // The smallest floats have no leading bit of their own.
        let lead = Exp::select(exponent.clone().eq(0), Exp::i64(0), Exp::i64(1 << 23));
        let shift: Exp = self.code.bind("shift", exponent.clone().max(1).sub(1)).into();
        let number = fraction.add(lead);
        let number = i64_bin(BinOp::Shl, number, i64_bin(BinOp::And, shift.clone(), BITS - 1));
        let number: Exp = self.code.bind("number", number).into();
        let signed = |part: Exp| Exp::select(is_negative.clone(), Exp::i64(0).sub(part.clone()), part);
        let low: Exp = self.code.bind("low", i64_bin(BinOp::And, number.clone(), MASK)).into();
        let high: Exp = self.code.bind("high", i64_bin(BinOp::Lshr, number, BITS)).into();
        let at: Exp = self.code.bind("at", first.clone().add(i64_bin(BinOp::Lshr, shift, 5))).into();
        for (part, at) in [(low, at.clone()), (high, at.add(1))] {
            self.code.open();
            self.add_to_word(BinOp::Add, limbs, at, signed(part.clone()));
            let add = self.code.close();
            self.code.when(part.eq(0).not(), add);
        }
        let added = self.code.close();
        self.code.if_(exponent.eq(0xff), noted, added);
    }

    /// In a kernel: what the words from this one on are together.
    fn sum_of_limbs(&mut self, limbs: &Array, first: &Exp) -> Exp {
        let word = |this: &mut Self, at: Exp| {
            let word = Exp::load(Elem::Prim(Prim::I64), limbs.data.ptr.clone(), first.clone().add(at));
            Exp::from(this.code.bind("word", word))
        };
        // What is carried out of the last word has the sign.
        let carry = self.code.bind("carry", 0);
        self.each(0, LIMBS, LoopForm::Plain, &mut |this, k| {
            let word = word(this, k).add(carry);
            this.code.set(carry, i64_bin(BinOp::Ashr, word, BITS));
        });
        let is_negative: Exp = self.code.bind("is_negative", Exp::Var(carry).lt(0)).into();
        // The two highest digits of its amount that are not 0, whether there are others below them, and where they are.
        self.code.set(carry, Exp::i64(0));
        let (high, low, at) = (self.code.bind("high", 0), self.code.bind("low", 0), self.code.bind("at", 0));
        let (below, rest) = (self.code.bind("below", 0), self.code.bind("rest", 0));
        let before = self.code.bind("before", 0);
        self.each(0, LIMBS, LoopForm::Plain, &mut |this, k| {
            let word = word(this, k.clone());
            let word = Exp::select(is_negative.clone(), Exp::i64(0).sub(word.clone()), word).add(carry);
            let word: Exp = this.code.bind("sum", word).into();
            this.code.set(carry, i64_bin(BinOp::Ashr, word.clone(), BITS));
            let digit: Exp = this.code.bind("digit", i64_bin(BinOp::And, word, MASK)).into();
            this.code.open();
            this.code.set(high, digit.clone());
            this.code.set(low, before);
            this.code.set(rest, below);
            this.code.set(at, k);
            let found = this.code.close();
            this.code.when(digit.clone().eq(0).not(), found);
            this.code.set(below, i64_bin(BinOp::Or, below, before));
            this.code.set(before, digit);
        });
        let sticky = Exp::select(Exp::Var(rest).eq(0), Exp::i64(0), Exp::i64(1));
        let digits = i64_bin(BinOp::Or, i64_bin(BinOp::Shl, high, BITS), i64_bin(BinOp::Or, low, sticky));
        let digits = digits.convert(Prim::I64, Prim::U64).convert(Prim::U64, Prim::F32);
        let digits: Exp = self.code.bind("digits", digits).into();
        // By a power of two that is no smallest float, and by the rest.
        let power = Exp::Var(at).sub(1).mul(BITS).sub(SMALLEST);
        let power: Exp = self.code.bind("power", power).into();
        let most: Exp = self.code.bind("most", power.clone().max(-126)).into();
        let two_to = |power: Exp| {
            let bits = i64_bin(BinOp::Shl, power.add(127), 23).convert(Prim::I64, Prim::U32);
            of_bits(Prim::F32, bits)
        };
        let times = |x: Exp, y: Exp| Exp::bin(BinOp::Mul, Prim::F32, x, y);
        let amount = times(times(digits, two_to(most.clone())), two_to(power.sub(most)));
        let is_more = Exp::Var(carry).eq(0).not();
        let float = |value: f32| Exp::Const(Scalar::F32(value));
        let amount = Exp::select(is_more, float(f32::INFINITY), amount);
        let amount: Exp = self.code.bind("amount", amount).into();
        let negative = Exp::un(UnOp::Neg, Prim::F32, amount.clone());
        let sum = self.code.bind("sum", Exp::select(is_negative, negative, amount));
        let noted = word(self, Exp::i64(LIMBS));
        self.code.open();
        let infinity = Exp::select(noted.clone().eq(MINUS), float(f32::NEG_INFINITY), float(f32::NAN));
        self.code.set(sum, Exp::select(noted.clone().eq(PLUS), float(f32::INFINITY), infinity));
        let set = self.code.close();
        self.code.when(noted.eq(0).not(), set);
        sum.into()
    }
}
