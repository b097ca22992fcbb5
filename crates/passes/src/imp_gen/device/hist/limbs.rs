//! Sums of floats in many bins, exactly.
//!
//! A float is a whole number, of 24 bits or 53, shifted by so many bits, in units of the smallest of all. Each cell has some words: what is added to
//! word `k` counts `2^(32 k)` units. Of a float, the words from the one where it begins get 32 bits each, by two or three operations of memory: whole
//! numbers do not show in which order they are added, so the bits are the same in every run, and no sum of fewer than 2^31 elements overflows a word.
//! At the end the words of a cell become a float, rounded once; that is closer to the sum than one element after the other is.
//!
//! Cells that many elements are for have words in the memory of groups, too (`near`).
//!
//! All `f32` that there are take nine words, and infinities and NaNs are noted in another. If that is much, and for `f64`, a kernel looks first where the bits
//! of the elements are (`span`): two to four words do for most, and a unit is that of the smallest element. If they lie too far apart, or are no numbers, elements are sorted.

use super::Hist;
use super::combine::{of_bits, to_bits};
use crate::imp_gen::device::kernels::{array_inside, scalar_inside};
use crate::imp_gen::operators::elementwise::primitive_columns;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::operators::sort::rank::bits_of;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{BinOp, Elem, Exp, GroupStmt, LoopForm, Prim, Scalar, Stmt, UnOp, Var as ImpVar};

/// How many words all `f32` take.
const ALL: i64 = 9;
/// The bits of a word that belong to the number before they are carried to the next.
const BITS: i64 = 32;
const MASK: i64 = (1 << BITS) - 1;
/// So many words at most, of all columns, or so many for each element: the one a cache holds, the other is not much more than the elements themselves.
const ROOM: i64 = 1 << 22;
const FOR_ELEMENT: i64 = 2;
/// So many words a group has.
const NEAR: i64 = 2560;
/// Where a row is sorted as a whole, one of more elements is sorted as fast as they are added.
const SHORT_ROW: i64 = 4;
/// To clear and to read the words of so many cells takes as long as to add an element.
const FOR_ONE: i64 = 4;

/// What is noted of elements that are no numbers.
const PLUS: i64 = 1;
const MINUS: i64 = 2;
const NAN: i64 = 4;

/// How floats of a type are numbers.
#[derive(Clone, Copy)]
pub(super) struct Float {
    pub prim: Prim,
    /// How many bits the fraction has.
    fraction: i64,
    /// The exponent of what is no number: all of its bits.
    special: i64,
    /// The smallest is two to the power of minus this.
    smallest: i64,
    /// How many words one has a part in.
    parts: i64,
}

impl Float {
    fn of(prim: Prim) -> Option<Float> {
        match prim {
            Prim::F32 => Some(Float { prim, fraction: 23, special: 0xff, smallest: 149, parts: 2 }),
            Prim::F64 => Some(Float { prim, fraction: 52, special: 0x7ff, smallest: 1074, parts: 3 }),
            _ => None,
        }
    }
}

/// The words of cells: the unit of the first, by how many bits it is more than the smallest of all; how many count, and how many there are.
struct Words {
    low: Exp,
    limbs: Exp,
    all: Exp,
}

impl Words {
    fn numbers(&self) -> [Exp; 3] {
        [self.low.clone(), self.limbs.clone(), self.all.clone()]
    }

    fn inside(numbers: &[Exp]) -> Words {
        Words { low: numbers[0].clone(), limbs: numbers[1].clone(), all: numbers[2].clone() }
    }
}

/// A float in parts.
pub(super) struct Parts {
    /// Whether it is no number.
    pub is_special: Exp,
    fraction: Exp,
    is_negative: Exp,
    /// The whole number, and by how many bits it is shifted.
    pub number: Exp,
    pub shift: Exp,
}

/// The three leading digits of a number of 32 bits each, which come from the lowest on: these, all bits below them, and the number of the first;
/// the two digits that came last, and all bits below these.
struct Digits {
    top: [ImpVar; 3],
    rest: ImpVar,
    at: ImpVar,
    before: [ImpVar; 2],
    below: ImpVar,
}

fn i64_bin(op: BinOp, x: impl Into<Exp>, y: impl Into<Exp>) -> Exp {
    Exp::bin(op, Prim::I64, x, y)
}

impl Gen<'_> {
    /// Whether it is sums of floats that a histogram makes, in each of its columns.
    pub(super) fn sums_of_floats(&self, hist: &Hist) -> Option<Float> {
        let operators = primitive_columns(self.scalar_operator(hist))?;
        let (_, prim) = *operators.first()?;
        let is_sum = operators.iter().all(|operator| *operator == (BinOp::Add, prim));
        Float::of(prim).filter(|_| is_sum)
    }

    /// Sums in words, if these have room; else sorted.
    pub(super) fn hist_in_limbs(&mut self, hist: &Hist, float: Float, cells: &Exp, grid: &Grid) {
        let elements = self.elements_of(hist);
        let columns = hist.dests.len() as i64;
        let room = elements.clone().mul(FOR_ELEMENT).max(ROOM).quot(columns);
        let room = self.code.atom("room", room.quot(cells.clone().max(1)).min(NEAR / columns));
        let few = cells.clone().le(elements.clone().mul(FOR_ONE)).and(elements.clone().lt(1i64 << 31));
        let short = elements.le(hist.width.clone().mul(SHORT_ROW));
        let possible = few.and(short).and(Exp::i64(float.parts).le(room.clone()));
        let (low, limbs) = (self.code.bind("low", 0), self.code.bind("limbs", 0));
        let all = self.code.bind("words", 0);
        self.code.open();
        self.scoped(&mut |this| {
            let (lowest, highest) = this.span_of_elements(hist, float, grid);
            this.code.set(low, lowest);
            this.code.set(limbs, highest.sub(low).quot(BITS).add(float.parts));
            this.code.set(all, limbs);
        });
        let mut decide = self.code.close();
        if float.prim == Prim::F32 {
            self.code.open();
            self.code.set(limbs, Exp::i64(ALL));
            self.code.set(all, Exp::i64(ALL + 1));
            let as_it_is = self.code.close();
            self.code.open();
            self.code.if_(cells.clone().mul((ALL + 1) * columns).le(ROOM), as_it_is, decide);
            decide = self.code.close();
        }
        self.code.when(possible, decide);
        let words = Words { low: low.into(), limbs: limbs.into(), all: all.into() };
        let has_room = Exp::Var(all).le(room);
        self.code.open();
        self.scoped(&mut |this| this.add_in_words(hist, float, &words, cells, grid));
        let in_words = self.code.close();
        self.code.open();
        self.scoped(&mut |this| this.hist_sort(hist, grid));
        let sorted = self.code.close();
        // What is no number lies below all.
        self.code.if_(Exp::i64(0).lt(all).and(Exp::i64(0).le(low)).and(has_room), in_words, sorted);
    }

    fn add_in_words(&mut self, hist: &Hist, float: Float, words: &Words, cells: &Exp, grid: &Grid) {
        let all = self.code.atom("all", cells.clone().mul(words.all.clone()));
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
        self.add_elements(hist, float, words, &limbs, grid);
        let numbers: Vec<Exp> = words.numbers().into_iter().chain([cells.clone()]).collect();
        self.launch_with_decks(hist, &limbs, &numbers, cells, grid, &mut |this, hist, limbs, numbers| {
            let op = this.scalar_operator(hist);
            let words = Words::inside(numbers);
            this.each_apart(&numbers[3], &mut |this, number| {
                this.guarded(&mut |this| {
                    let first = this.code.atom("first", number.clone().mul(words.all.clone()));
                    let sum = |this: &mut Self, limbs| this.sum_of_limbs(float, &words, limbs, &first);
                    let sums: Vec<Exp> = limbs.iter().map(|limbs| sum(this, limbs)).collect();
                    let cell = this.cell_of(hist, &number);
                    this.combine_in_order(hist, op, &cell, &sums);
                });
            });
        });
    }

    fn add_elements(&mut self, hist: &Hist, float: Float, words: &Words, limbs: &[Array], grid: &Grid) {
        let elements = self.elements_of(hist);
        let groups = self.groups_near(&elements);
        let mut extra = hist.reprs();
        extra.extend(limbs.iter().cloned().map(Repr::Array));
        extra.extend(words.numbers().map(Repr::Scalar));
        self.launch_groups("hist", &grid.captured, &extra, groups, &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let hist = hist.inside(&mut given);
            let mut next = || given.next().expect("imp_gen: a kernel was handed too little");
            let limbs: Vec<Exp> = limbs.iter().map(|_| array_inside(next()).data.ptr).collect();
            let numbers: [Exp; 3] = std::array::from_fn(|_| scalar_inside(Some(next())));
            let words = Words::inside(&numbers);
            let columns = limbs.len() as i64;
            let room = (NEAR / columns).max(1);
            let homes: Vec<Exp> =
                limbs.iter().map(|_| this.shared_array(arrays, "words", Prim::I64, room).into()).collect();
            let places = Exp::i64(room).quot(words.all.clone());
            let bits = Exp::un(UnOp::Clz, Prim::I64, places).convert(Prim::I32, Prim::I64);
            let bits = this.code.atom("bits", Exp::i64(63).sub(bits));
            let near = this.near_places(arrays, (room / 2).max(1), bits);
            this.each_in_group(&Exp::i64(room), &mut |this, number| {
                for home in &homes {
                    this.code.store(Elem::Prim(Prim::I64), home.clone(), number.clone(), Exp::i64(0));
                }
            });
            this.barrier();
            this.each_cell(&hist, &mut |this, cell| {
                let values = this.values_at(hist.values, &cell.position);
                let (place, is_near) = this.place_near(&near, &cell.number);
                let add = |this: &mut Self, to: &[Exp], number: &Exp| {
                    this.code.open();
                    let first = this.code.atom("first", number.clone().mul(words.all.clone()));
                    for (to, value) in to.iter().zip(&values) {
                        this.add_to_limbs(float, &words, to, &first, value.clone());
                    }
                    this.code.close()
                };
                let (to_near, to_others) = (add(this, &homes, &place), add(this, &limbs, &cell.number));
                this.code.if_(is_near, to_near, to_others);
            });
            this.barrier();
            this.each_word_near(&near, &words.all, &mut |this, number, cell, word| {
                for (home, limbs) in homes.iter().zip(&limbs) {
                    let value = Exp::load(Elem::Prim(Prim::I64), home.clone(), number.clone());
                    let value: Exp = this.code.bind("value", value).into();
                    let at = this.code.atom("at", cell.clone().mul(words.all.clone()).add(word.clone()));
                    let [add, note] = [BinOp::Add, BinOp::Or].map(|op| {
                        this.code.open();
                        this.add_to_word(op, limbs, at.clone(), value.clone());
                        this.code.close()
                    });
                    this.code.open();
                    this.code.if_(word.clone().lt(words.limbs.clone()), add, note);
                    let some = this.code.close();
                    this.code.when(value.eq(0).not(), some);
                }
            });
        });
    }

    // # In kernels

    pub(super) fn parts_of_float(&mut self, float: Float, value: Exp) -> Parts {
        let prim = float.prim;
        let bits = to_bits(prim, value).convert(bits_of(prim), Prim::I64);
        let bits: Exp = self.code.bind("bits", bits).into();
        let exponent = i64_bin(BinOp::And, i64_bin(BinOp::Lshr, bits.clone(), float.fraction), float.special);
        let exponent: Exp = self.code.bind("exponent", exponent).into();
        let fraction = i64_bin(BinOp::And, bits.clone(), (1 << float.fraction) - 1);
        let fraction: Exp = self.code.bind("fraction", fraction).into();
        let sign = i64_bin(BinOp::Lshr, bits, 8 * prim.size() as i64 - 1);
        let is_negative = self.code.bind("is_negative", sign.eq(0).not()).into();
        // The smallest floats have no leading bit of their own.
        let lead = Exp::select(exponent.clone().eq(0), Exp::i64(0), Exp::i64(1 << float.fraction));
        let shift = self.code.bind("shift", exponent.clone().max(1).sub(1)).into();
        let number = self.code.bind("number", fraction.clone().add(lead)).into();
        Parts { is_special: exponent.eq(float.special), fraction, is_negative, number, shift }
    }

    fn add_to_word(&mut self, op: BinOp, limbs: &Exp, index: Exp, value: Exp) {
        let (prim, ptr) = (Prim::I64, limbs.clone());
        self.code.push(Stmt::Group(GroupStmt::Atomic { op, prim, ptr, index, value, old: None }));
    }

    /// A float is added to the words from this one on. Where a kernel failed before, they may be too few.
    fn add_to_limbs(&mut self, float: Float, words: &Words, limbs: &Exp, first: &Exp, value: Exp) {
        let Parts { is_special, fraction, is_negative, number, shift } = self.parts_of_float(float, value);
        self.code.open();
        let infinity = Exp::select(is_negative.clone(), Exp::i64(MINUS), Exp::i64(PLUS));
        let note = Exp::select(fraction.eq(0), infinity, Exp::i64(NAN));
        self.add_to_word(BinOp::Or, limbs, first.clone().add(words.limbs.clone()), note);
        let note = self.code.close();
        self.code.open();
        self.code.when(words.limbs.clone().lt(words.all.clone()), note);
        let noted = self.code.close();

        self.code.open();
        let shift: Exp = self.code.bind("shift", shift.sub(words.low.clone())).into();
        let by: Exp = self.code.bind("by", i64_bin(BinOp::And, shift.clone(), BITS - 1)).into();
        let word: Exp = self.code.bind("word", i64_bin(BinOp::Ashr, shift, BITS.ilog2() as i64)).into();
        let lowest = i64_bin(BinOp::And, i64_bin(BinOp::Shl, number.clone(), by.clone()), MASK);
        let above = i64_bin(BinOp::Lshr, number, Exp::i64(BITS).sub(by));
        let mut above: Exp = self.code.bind("above", above).into();
        let mut parts = vec![lowest];
        for _ in 2..float.parts {
            parts.push(i64_bin(BinOp::And, above.clone(), MASK));
            above = i64_bin(BinOp::Lshr, above, BITS);
        }
        parts.push(above);
        self.code.open();
        let at: Exp = self.code.bind("at", first.clone().add(word.clone())).into();
        for (k, part) in parts.into_iter().enumerate() {
            let part: Exp = self.code.bind("part", part).into();
            self.code.open();
            let signed = Exp::select(is_negative.clone(), Exp::i64(0).sub(part.clone()), part.clone());
            self.add_to_word(BinOp::Add, limbs, at.clone().add(k as i64), signed);
            let add = self.code.close();
            self.code.when(part.eq(0).not(), add);
        }
        let add = self.code.close();
        let is_there = Exp::i64(0).le(word.clone()).and(word.add(float.parts).le(words.limbs.clone()));
        self.code.when(is_there, add);
        let added = self.code.close();
        self.code.if_(is_special, noted, added);
    }

    /// What the words from this one on are together.
    fn sum_of_limbs(&mut self, float: Float, words: &Words, limbs: &Array, first: &Exp) -> Exp {
        let word = |this: &mut Self, at: Exp| {
            let word = Exp::load(Elem::Prim(Prim::I64), limbs.data.ptr.clone(), first.clone().add(at));
            Exp::from(this.code.bind("word", word))
        };
        // What is carried out of the last word has the sign.
        let carry = self.code.bind("carry", 0);
        self.each(0, words.limbs.clone(), LoopForm::Plain, &mut |this, k| {
            let word = word(this, k).add(carry);
            this.code.set(carry, i64_bin(BinOp::Ashr, word, BITS));
        });
        let is_negative: Exp = self.code.bind("is_negative", Exp::Var(carry).lt(0)).into();
        self.code.set(carry, Exp::i64(0));
        let digits = self.no_digits();
        self.each(0, words.limbs.clone(), LoopForm::Plain, &mut |this, k| {
            let word = word(this, k.clone());
            let word = Exp::select(is_negative.clone(), Exp::i64(0).sub(word.clone()), word).add(carry);
            let word: Exp = this.code.bind("sum", word).into();
            this.code.set(carry, i64_bin(BinOp::Ashr, word.clone(), BITS));
            this.next_digit(&digits, i64_bin(BinOp::And, word, MASK), k);
        });
        self.next_digit(&digits, carry.into(), words.limbs.clone());
        let amount = self.float_of_digits(float, &digits, &words.low);
        let negative = Exp::un(UnOp::Neg, float.prim, amount.clone());
        let sum = self.code.bind("sum", Exp::select(is_negative, negative, amount));
        let constant = |value: f64| match float.prim {
            Prim::F32 => Exp::Const(Scalar::F32(value as f32)),
            _ => Exp::Const(Scalar::F64(value)),
        };
        self.code.open();
        let noted = word(self, words.limbs.clone());
        self.code.open();
        let infinity = Exp::select(noted.clone().eq(MINUS), constant(f64::NEG_INFINITY), constant(f64::NAN));
        self.code.set(sum, Exp::select(noted.clone().eq(PLUS), constant(f64::INFINITY), infinity));
        let set = self.code.close();
        self.code.when(noted.eq(0).not(), set);
        let look = self.code.close();
        self.code.when(words.limbs.clone().lt(words.all.clone()), look);
        sum.into()
    }

    fn no_digits(&mut self) -> Digits {
        let mut zero = |name: &str| self.code.bind(name, 0);
        Digits {
            top: [zero("high"), zero("middle"), zero("low")],
            rest: zero("rest"),
            at: zero("at"),
            before: [zero("before"), zero("before")],
            below: zero("below"),
        }
    }

    fn next_digit(&mut self, digits: &Digits, digit: Exp, k: Exp) {
        let Digits { top: [high, middle, low], rest, at, before: [one, two], below } = *digits;
        let digit: Exp = self.code.bind("digit", digit).into();
        self.code.open();
        self.code.set(high, digit.clone());
        self.code.set(middle, one);
        self.code.set(low, two);
        self.code.set(rest, below);
        self.code.set(at, k);
        let found = self.code.close();
        self.code.when(digit.clone().eq(0).not(), found);
        self.code.set(below, i64_bin(BinOp::Or, below, two));
        self.code.set(two, one);
        self.code.set(one, digit);
    }

    /// The float that is nearest to these digits.
    fn float_of_digits(&mut self, float: Float, digits: &Digits, unit: &Exp) -> Exp {
        let Digits { top: [high, middle, low], rest, at, .. } = *digits;
        let prim = float.prim;
        // The leading 64 bits; the last says whether there are others, so that it is rounded right.
        let zeros = Exp::un(UnOp::Clz, Prim::I64, high).convert(Prim::I32, Prim::I64).sub(64 - BITS);
        let zeros: Exp = self.code.bind("zeros", zeros).into();
        let upper = i64_bin(BinOp::Or, i64_bin(BinOp::Shl, high, BITS), middle);
        let lower: Exp = self.code.bind("lower", i64_bin(BinOp::Shl, low, zeros.clone())).into();
        let left = i64_bin(BinOp::Or, i64_bin(BinOp::And, lower.clone(), MASK), rest);
        let sticky = Exp::select(left.eq(0), Exp::i64(0), Exp::i64(1));
        let leading = i64_bin(BinOp::Or, i64_bin(BinOp::Shl, upper, zeros.clone()), sticky);
        let leading = i64_bin(BinOp::Or, leading, i64_bin(BinOp::Lshr, lower, BITS));
        let leading = leading.convert(Prim::I64, Prim::U64).convert(Prim::U64, prim);
        let leading: Exp = self.code.bind("leading", leading).into();
        // By a power of two that is no smallest float, and by the rest.
        let power = Exp::Var(at).sub(1).mul(BITS).sub(zeros).add(unit.clone()).sub(float.smallest);
        let power: Exp = self.code.bind("power", power).into();
        let bias = float.special / 2;
        let most: Exp = self.code.bind("most", power.clone().max(1 - bias)).into();
        let two_to = |power: Exp| {
            let bits = i64_bin(BinOp::Shl, power.add(bias), float.fraction);
            of_bits(prim, bits.convert(Prim::I64, bits_of(prim)))
        };
        let times = |x: Exp, y: Exp| Exp::bin(BinOp::Mul, prim, x, y);
        let amount = times(times(leading, two_to(most.clone())), two_to(power.sub(most)));
        self.code.bind("amount", amount).into()
    }
}
