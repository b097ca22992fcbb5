//! Ranges of numbers.
//!
//! A range means what it says in whole numbers, whatever the width of its type: `-128i8..127..<127` has a step of 255, which no `i8` is, and
//! `3u8..>0` falls although the step is no `u8`. So directions come from comparisons, and distances are computed where they fit: in `i64` for
//! narrower types, and as `u64` for those of 64 bits, of which the larger minus the smaller is right modulo 2^64. Elements are computed modulo the
//! width, where a step of 255 and one of -1 are the same. A range of more elements than `i64` counts is invalid.
//!
//! ```text
//! a..<b     check range; b - a elements              a..s..<b     (b - a - 1) / (s - a) + 1, rounded down
//! a...b     check range; b - a + 1 elements          a..s...b     (b - a) / (s - a) + 1
//! ```

use crate::lower::Lower;
use crate::rep::Rep;
use crate::value::Value;
use norn_base::{Prim, Span};
use norn_ir::nest::{ArrayExp, Atom, BinOp, Check, Dim, Exp, Scalar, Type, UnOp};
use norn_syntax::ast::RangeKind;

/// What a range is made of.
#[derive(Clone, Copy)]
struct Range {
    prim: Prim,
    first: Atom,
    second: Option<Atom>,
    end: Atom,
    kind: RangeKind,
    /// Whether it falls.
    falls: Atom,
}

impl Lower<'_> {
    pub fn range(
        &mut self,
        start: Value,
        second: Option<Value>,
        kind: RangeKind,
        end: Value,
        span: Span,
    ) -> Value {
        let Some(prim) = start.rep.prim() else { panic!("lower: a range of {:?}", start.rep) };
        let (first, end) = (start.atom(), end.atom());
        let int = |i: i128| Atom::Const(Scalar::from_int(prim, i));
        let second = second.map(|value| value.atom());
        let step = match (second, kind) {
            (Some(second), _) => self.bin(BinOp::Sub, prim, second, first, span),
            (None, RangeKind::DownTo) => int(-1),
            (None, RangeKind::To | RangeKind::UpTo) => int(1),
        };
        let count = if kind == RangeKind::UpTo && prim == Prim::I64 && first == int(0) && step == int(1) {
            self.check(Check::NonNegative(end), span);
            end
        } else {
            let falls = match second {
                Some(second) => self.bin(BinOp::Lt, prim, second, first, span),
                None => Atom::bool(kind == RangeKind::DownTo),
            };
            self.range_count(&Range { prim, first, second, end, kind, falls }, step, span)
        };
        let ty = Type::array(prim, vec![Dim::Size(count)]);
        let exp = Exp::Array(ArrayExp::Range { prim, count, start: first, step });
        let var = self.b.emit1("range", ty, exp, span);
        Value { rep: Rep::array(Rep::Prim(prim)), cols: vec![var.into()] }
    }

    /// How many elements a range has, after the check that it has some number of them.
    fn range_count(&mut self, range: &Range, step: Atom, span: Span) -> Atom {
        let Range { prim, first, second, end, kind, falls } = *range;
        let start_below = self.bin(BinOp::Lt, prim, first, end, span);
        let end_below = self.bin(BinOp::Lt, prim, end, first, span);
        let mut bad = self.choose(falls, start_below, end_below, Prim::Bool, span);
        if let Some(second) = second {
            let wrong = match kind {
                RangeKind::UpTo => self.bin(BinOp::Le, prim, second, first, span),
                RangeKind::DownTo => self.bin(BinOp::Le, prim, first, second, span),
                RangeKind::To => self.bin(BinOp::Eq, prim, first, second, span),
            };
            bad = self.either(wrong, bad, span);
        }
        let (count, too_many) = match prim.size() {
            8 => self.count_of_words(range, span),
            _ => (self.count_of_narrow(range, span), Atom::bool(false)),
        };
        bad = self.either(bad, too_many, span);
        let ok = self.un(UnOp::Not, Prim::Bool, bad, span);
        let shown = match second {
            Some(second) => second,
            None => self.bin(BinOp::Add, prim, first, step, span),
        };
        self.check(Check::Range { prim, start: first, second: shown, end, ok }, span);
        count
    }

    /// Of a type whose differences are all `i64`s.
    fn count_of_narrow(&mut self, range: &Range, span: Span) -> Atom {
        let wide = |this: &mut Self, atom: Atom| this.convert(range.prim, Prim::I64, atom, span);
        let first = wide(self, range.first);
        let (second, end) = (range.second.map(|second| wide(self, second)), wide(self, range.end));
        let distance = self.distance(Prim::I64, range.falls, first, end, span);
        let step = second.map(|second| self.distance(Prim::I64, range.falls, first, second, span));
        self.count_by_steps(range.kind, distance, step, span)
    }

    /// Of a type of 64 bits; and whether it is more than `i64` counts.
    fn count_of_words(&mut self, range: &Range, span: Span) -> (Atom, Atom) {
        let Range { prim, first, second, end, kind, falls } = *range;
        let distance = self.distance(prim, falls, first, end, span);
        let distance = self.word_as(prim, Prim::I64, distance, span);
        let highest = Atom::i64(i64::MAX);
        if is_short(range) {
            let step = second.map(|second| self.distance(prim, falls, first, second, span));
            return (self.count_by_steps(kind, distance, step, span), Atom::bool(false));
        }
        let Some(second) = second else {
            let count = self.count_by_steps(kind, distance, None, span);
            let too_many = match kind {
                RangeKind::UpTo | RangeKind::DownTo => self.bin_i64(BinOp::Lt, distance, Atom::i64(0), span),
                RangeKind::To => {
                    let [distance, highest] =
                        [distance, highest].map(|atom| self.word_as(Prim::I64, Prim::U64, atom, span));
                    self.bin(BinOp::Le, Prim::U64, highest, distance, span)
                }
            };
            return (count, too_many);
        };
        let step = self.distance(prim, falls, first, second, span);
        let step = self.word_as(prim, Prim::U64, step, span);
        let distance = self.word_as(Prim::I64, Prim::U64, distance, span);
        let whole = self.bin(BinOp::Quot, Prim::U64, distance, step, span);
        let steps = self.word_as(Prim::U64, Prim::I64, whole, span);
        let count = match kind {
            RangeKind::To => self.bin_i64(BinOp::Add, steps, Atom::i64(1), span),
            RangeKind::UpTo | RangeKind::DownTo => {
                let full = self.bin(BinOp::Mul, Prim::U64, whole, step, span);
                let is_full = self.bin(BinOp::Eq, Prim::U64, full, distance, span);
                let more = self.choose(is_full, Atom::i64(0), Atom::i64(1), Prim::I64, span);
                self.bin_i64(BinOp::Add, steps, more, span)
            }
        };
        let [many, more] = [steps, count].map(|number| self.bin_i64(BinOp::Lt, number, Atom::i64(0), span));
        let too_many = self.either(many, more, span);
        (count, too_many)
    }

    /// How many elements there are on a distance that is not negative, with these steps or steps of 1.
    fn count_by_steps(&mut self, kind: RangeKind, distance: Atom, step: Option<Atom>, span: Span) -> Atom {
        let one = Atom::i64(1);
        match (kind, step) {
            (RangeKind::UpTo | RangeKind::DownTo, None) => distance,
            (RangeKind::To, None) => self.bin_i64(BinOp::Add, distance, one, span),
            (RangeKind::UpTo | RangeKind::DownTo, Some(step)) => {
                let before = self.bin_i64(BinOp::Sub, distance, one, span);
                let steps = self.bin_i64(BinOp::Div, before, step, span);
                self.bin_i64(BinOp::Add, steps, one, span)
            }
            (RangeKind::To, Some(step)) => {
                let steps = self.bin_i64(BinOp::Div, distance, step, span);
                self.bin_i64(BinOp::Add, steps, one, span)
            }
        }
    }

    /// From one number to another that is above it, or below it if the range falls.
    fn distance(&mut self, prim: Prim, falls: Atom, from: Atom, to: Atom, span: Span) -> Atom {
        match falls {
            Atom::Const(Scalar::Bool(true)) => self.bin(BinOp::Sub, prim, from, to, span),
            Atom::Const(Scalar::Bool(false)) => self.bin(BinOp::Sub, prim, to, from, span),
            _ => {
                let falling = self.bin(BinOp::Sub, prim, from, to, span);
                let rising = self.bin(BinOp::Sub, prim, to, from, span);
                self.choose(falls, falling, rising, prim, span)
            }
        }
    }

    /// The same bits as another type of 64 bits.
    fn word_as(&mut self, from: Prim, to: Prim, atom: Atom, span: Span) -> Atom {
        if from == to { atom } else { self.convert(from, to, atom, span) }
    }

    fn either(&mut self, x: Atom, y: Atom, span: Span) -> Atom {
        match (x, y) {
            (Atom::Const(Scalar::Bool(false)), other) | (other, Atom::Const(Scalar::Bool(false))) => other,
            (x, y) => self.bin(BinOp::Or, Prim::Bool, x, y, span),
        }
    }
}

/// Whether `i64` certainly counts the elements of a range of signed numbers: the lower bound is not negative.
fn is_short(range: &Range) -> bool {
    let lower = match range.falls {
        Atom::Const(Scalar::Bool(true)) => range.end,
        Atom::Const(Scalar::Bool(false)) => range.first,
        _ => return false,
    };
    // From 0 to the highest there is one too many.
    let least = i64::from(range.kind == RangeKind::To);
    let is_above = matches!(lower, Atom::Const(Scalar::I64(bound)) if bound >= least);
    range.prim == Prim::I64 && is_above
}
