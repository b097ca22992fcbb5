//! What is compared in a loop, as sums, and from which iteration on, or up to which, the outcome is known.
//!
//! ```text
//! i + d - 2 < n - 1      for d in 0 .. 5:    the sum is i and from -2 to 2, so that it holds for i < n - 3
//! ```
//!
//! Borders are computed at run time, where numbers wrap around: they are kept so near that they do not, and an interior can only become smaller by that.

use norn_ir::imp::{BinOp, Exp, Prim, Scalar};

/// No iteration has a number like this.
const FAR: i64 = 1 << 61;
/// So many loops inside may count what is added; together they count less than `FAR / 2`.
const MOST_COUNTERS: usize = 4;

/// The outcome of a comparison, or which operand of `min` or `max` it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    True,
    False,
    First,
    Second,
}

pub enum Border {
    Lower(Exp),
    Upper(Exp),
}

/// What an operand is: the sum of these. Each of the loops inside adds what it has counted so far.
#[derive(Clone, Default)]
pub struct Sum {
    /// Whether the loop's variable is in it.
    pub has_index: bool,
    /// A small number, from the first to the second.
    pub least: i64,
    pub greatest: i64,
    /// What is not known before the loop runs, but the same all the time.
    pub rest: Option<Exp>,
    /// How many iterations the loops have whose counters, from 0 on, are added or subtracted.
    pub added: Vec<Exp>,
    pub subtracted: Vec<Exp>,
}

/// The outcome, and the border that makes it so. A comparison with what is no number should hold, or not.
pub fn settle(op: BinOp, x: Sum, y: Sum, holds: bool) -> Option<(Outcome, Border)> {
    use Border::*;
    let (index_first, by, border) = match (x.has_index, y.has_index) {
        (true, false) => (true, x, y.as_fixed()?),
        (false, true) => (false, y, x.as_fixed()?),
        (true, true) | (false, false) => return None,
    };
    let goes_so_far = |trips: &Exp| difference(&border, trips).is_some();
    if by.added.iter().chain(&by.subtracted).any(goes_so_far) {
        return None;
    }
    // Where both depend on the same, only a number is left between them.
    let (border, by, far) = match &by.rest {
        Some(rest) => match difference(&border, rest) {
            Some(number) => {
                let rest = rest.clone();
                let is_near = Exp::i64(-FAR).le(rest.clone()).and(rest.le(FAR));
                (Exp::i64(number), Sum { rest: None, ..by }, Some(is_near))
            }
            None => (border, by, None),
        },
        None => (border, by, None),
    };
    let unless_far = |limit: Exp, otherwise: i64| match &far {
        Some(is_near) => Exp::select(is_near.clone(), limit, Exp::i64(otherwise)),
        None => limit,
    };
    let upper = |more: i64| {
        let border = minus_all(by.before(&border, [-FAR, FAR / 4]), &by.added);
        Upper(unless_far(minus(border, by.greatest + more), i64::MIN))
    };
    let lower = |more: i64| {
        let border = plus_all(by.before(&border, [-FAR / 4, FAR]), &by.subtracted);
        Lower(unless_far(minus(border, by.least + more), i64::MAX))
    };
    let is_constant = border.as_i64().is_some();
    Some(match (op, index_first) {
        // i + by < border, a number: that is where the loop begins.
        (BinOp::Lt, true) if is_constant => (Outcome::False, lower(0)),
        (BinOp::Le, true) if is_constant => (Outcome::False, lower(-1)),
        // i + by < border
        (BinOp::Lt, true) if holds => (Outcome::True, upper(0)),
        (BinOp::Lt, true) => (Outcome::False, lower(0)),
        (BinOp::Le, true) if holds => (Outcome::True, upper(-1)),
        (BinOp::Le, true) => (Outcome::False, lower(-1)),
        // border < i + by
        (BinOp::Lt, false) if holds || is_constant => (Outcome::True, lower(-1)),
        (BinOp::Lt, false) => (Outcome::False, upper(-1)),
        (BinOp::Le, false) if holds || is_constant => (Outcome::True, lower(0)),
        (BinOp::Le, false) => (Outcome::False, upper(0)),
        (BinOp::Eq, _) if is_constant => (Outcome::False, lower(-1)),
        (BinOp::Eq, _) => (Outcome::False, upper(0)),
        (BinOp::Min, true) => (Outcome::First, upper(-1)),
        (BinOp::Min, false) => (Outcome::Second, upper(-1)),
        (BinOp::Max, true) => (Outcome::First, lower(0)),
        (BinOp::Max, false) => (Outcome::Second, lower(0)),
        _ => return None,
    })
}

impl Sum {
    pub fn fixed(exp: Exp) -> Sum {
        match exp.as_i64() {
            Some(number) => Sum { least: number, greatest: number, ..Sum::default() },
            None => Sum { rest: Some(exp), ..Sum::default() },
        }
    }

    /// If it is the same during the whole loop.
    pub fn as_fixed(&self) -> Option<Exp> {
        let varies = self.has_index || self.has_counters() || self.least != self.greatest;
        (!varies).then(|| match &self.rest {
            Some(rest) => rest.clone().add(self.least),
            None => Exp::i64(self.least),
        })
    }

    fn has_counters(&self) -> bool {
        !self.added.is_empty() || !self.subtracted.is_empty()
    }

    pub fn plus(mut self, other: Sum) -> Option<Sum> {
        if let (Some(x), Some(y)) = (self.as_fixed(), other.as_fixed()) {
            return Some(Sum::fixed(x.add(y)));
        }
        self.added.extend(other.added);
        self.subtracted.extend(other.subtracted);
        let rest = match (self.rest, other.rest) {
            (Some(x), Some(y)) => Some(x.add(y)),
            (rest, None) | (None, rest) => rest,
        };
        let (least, greatest) =
            (self.least.checked_add(other.least)?, self.greatest.checked_add(other.greatest)?);
        let sum = Sum { has_index: self.has_index != other.has_index, least, greatest, rest, ..self };
        (!(self.has_index && other.has_index) && sum.is_small()).then_some(sum)
    }

    pub fn minus(self, other: Sum) -> Option<Sum> {
        if let (Some(x), Some(y)) = (self.as_fixed(), other.as_fixed()) {
            return Some(Sum::fixed(x.sub(y)));
        }
        let less = Sum {
            has_index: false,
            least: other.greatest.checked_neg()?,
            greatest: other.least.checked_neg()?,
            rest: other.rest.map(|rest| Exp::i64(0).sub(rest)),
            added: other.subtracted,
            subtracted: other.added,
        };
        if other.has_index { None } else { self.plus(less) }
    }

    /// What does not depend on the loop's variable may be multiplied by a number, if that moves its ends alone.
    pub fn times(self, other: Sum) -> Option<Sum> {
        let (sum, times) = match (self.as_fixed(), other.as_fixed()) {
            (Some(x), Some(y)) => return Some(Sum::fixed(x.mul(y))),
            (Some(times), None) => (other, times.as_i64()?),
            (None, Some(times)) => (self, times.as_i64()?),
            (None, None) => return None,
        };
        let ends = [sum.least.checked_mul(times)?, sum.greatest.checked_mul(times)?];
        let scaled = Sum {
            least: ends[0].min(ends[1]),
            greatest: ends[0].max(ends[1]),
            rest: sum.rest.clone().map(|rest| rest.mul(times)),
            ..Sum::default()
        };
        (!sum.has_index && !sum.has_counters() && scaled.is_small()).then_some(scaled)
    }

    fn is_small(&self) -> bool {
        let is_small = |number: i64| number.unsigned_abs() < 1 << 32;
        let loops = self.added.len() + self.subtracted.len();
        is_small(self.least) && is_small(self.greatest) && loops <= MOST_COUNTERS
    }

    /// The border without the part of the offset that is not known, with both so near that nothing wraps around. A border is kept within these limits: so the interior
    /// can only become smaller, or empty where an offset is far away.
    fn before(&self, border: &Exp, [least, greatest]: [i64; 2]) -> Exp {
        match &self.rest {
            None if !self.has_counters() => border.clone(),
            None => border.clone().max(least).min(greatest),
            Some(rest) => {
                let rest = rest.clone().max(-FAR / 2).min(FAR / 2);
                border.clone().max(least).min(greatest).sub(rest)
            }
        }
    }
}

/// A border for the last that each of these loops counts, and for the first: no loop gets as far as the limit.
fn minus_all(border: Exp, trips: &[Exp]) -> Exp {
    trips.iter().fold(border, |border, trips| border.sub(counted_last(trips)))
}

fn plus_all(border: Exp, trips: &[Exp]) -> Exp {
    trips.iter().fold(border, |border, trips| border.add(counted_last(trips)))
}

fn counted_last(trips: &Exp) -> Exp {
    trips.clone().max(1).min(FAR / 8).sub(1)
}

/// `border - by`, or the least or greatest number where that would wrap around.
fn minus(border: Exp, by: i64) -> Exp {
    match border.as_i64() {
        Some(border) => Exp::i64(border.saturating_sub(by)),
        None if by == 0 => border,
        None if by > 0 => border.max(i64::MIN + by).sub(by),
        None => border.min(i64::MAX + by).sub(by),
    }
}

/// How much more one sum is than another, if that is a number.
fn difference(x: &Exp, y: &Exp) -> Option<i64> {
    let mut terms: Vec<(&Exp, i64)> = Vec::new();
    let number = collect(x, 1, &mut terms).wrapping_sub(collect(y, 1, &mut Vec::new()));
    collect(y, -1, &mut terms);
    terms.iter().all(|(_, times)| *times == 0).then_some(number)
}

/// Adds the terms of a sum to others, and yields the number in it.
fn collect<'e>(exp: &'e Exp, times: i64, terms: &mut Vec<(&'e Exp, i64)>) -> i64 {
    match exp {
        Exp::Const(Scalar::I64(number)) => *number,
        Exp::Bin(op @ (BinOp::Add | BinOp::Sub), Prim::I64, x, y) => {
            let (less, back) = if *op == BinOp::Sub { (true, -times) } else { (false, times) };
            let x = collect(x, times, terms);
            let y = collect(y, back, terms);
            if less { x.wrapping_sub(y) } else { x.wrapping_add(y) }
        }
        _ => {
            match terms.iter_mut().find(|(term, _)| *term == exp) {
                Some((_, own)) => *own += times,
                None => terms.push((exp, times)),
            }
            0
        }
    }
}
