//! The middle of a loop, where comparisons with its variable are settled.
//!
//! Many loops treat borders in their own way: `if 0 < i { xs[i - 1] } else ..`, `xs[max (i - 1) 0]`, or a check of the index. From
//! some iteration on, and up to some iteration, these comparisons have a known outcome. Groups that lie between need no
//! masks for them, and loads stay contiguous; the iterations outside go with the rest.
//!
//! Considered are comparisons of `i + c`, for a `c` that the loop does not change, with what the loop does not change. A number is taken to be a lower border, near which
//! loops begin. Otherwise, if the comparison guards a branch, the interior is where that branch reads more memory than the other: `if m <= i + 1 then 0 else xs[i + 1]` is as
//! good as `if i + 1 < m then xs[i + 1] else 0`. Where nothing is guarded, the comparison is taken to hold.
//!
//! `c` may also count in loops inside, as in the window `xs[max (i + d - 2) 0]` for `d < 5`: then the comparison is settled for all that is counted. The interior
//! would be next to nothing where a loop inside counts as far as the border, as in `i + d < n` for `d < n`; such comparisons are left alone.

use super::tree::{Body, Node, NodeKind, VarSet};
use norn_ir::imp::{BinOp, Exp, Prim, Scalar, UnOp, Var};
use std::cmp::Ordering;
use std::collections::BTreeMap;

pub struct Interior<'a> {
    var: Var,
    assigned: VarSet,
    /// Of what is assigned once, the expression.
    meanings: BTreeMap<Var, &'a Exp>,
    /// What loops inside count.
    counters: VarSet,
    /// What is assigned once, or counted, and can be an operand.
    sums: BTreeMap<Var, Sum>,
    /// Comparisons, and whether they hold where the branches that read more are taken.
    guards: Vec<(&'a Exp, bool)>,
    /// The first iteration of the interior is none before these.
    pub lower: Vec<Exp>,
    /// It ends at the latest before these.
    pub upper: Vec<Exp>,
}

/// The outcome of a comparison, or which operand of `min` or `max` it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    True,
    False,
    First,
    Second,
}

/// What an operand is: the sum of these. Each of the loops inside adds what it has counted so far.
#[derive(Clone, Default)]
struct Sum {
    /// Whether the loop's variable is in it.
    has_index: bool,
    /// A small number, from the first to the second.
    least: i64,
    greatest: i64,
    /// What is not known before the loop runs, but the same all the time.
    rest: Option<Exp>,
    /// How many iterations the loops have whose counters, from 0 on, are added or subtracted.
    added: Vec<Exp>,
    subtracted: Vec<Exp>,
}

enum Border {
    Lower(Exp),
    Upper(Exp),
}

/// Nothing if there is nothing to settle.
pub fn interior<'a>(var: Var, body: &Body<'a>) -> Option<Interior<'a>> {
    let mut assigned = body.assigns.clone();
    assigned.insert(var);
    let mut interior = Interior {
        var,
        assigned,
        meanings: BTreeMap::new(),
        counters: VarSet::new(),
        sums: BTreeMap::new(),
        guards: Vec::new(),
        lower: Vec::new(),
        upper: Vec::new(),
    };
    let mut again = VarSet::new();
    interior.find_meanings(body, &mut again);
    interior.find_sums(body);
    interior.find_guards(body, &mut VarSet::new());
    interior.find_borders(body);
    let found = !interior.lower.is_empty() || !interior.upper.is_empty();
    found.then_some(interior)
}

impl<'a> Interior<'a> {
    /// What a comparison of `i64` yields in the interior.
    pub fn known(&self, op: BinOp, prim: Prim, x: &Exp, y: &Exp) -> Option<Outcome> {
        self.settle(op, prim, x, y).map(|(known, _)| known)
    }

    /// Whether a condition holds in the interior.
    pub fn truth(&self, exp: &Exp) -> Option<bool> {
        match exp {
            Exp::Const(Scalar::Bool(value)) => Some(*value),
            Exp::Var(var) => self.truth(self.meanings.get(var)?),
            Exp::Un(UnOp::Not, Prim::Bool, x) => self.truth(x).map(|truth| !truth),
            Exp::Bin(BinOp::And, Prim::Bool, x, y) => match (self.truth(x), self.truth(y)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                (None, _) | (_, None) => None,
            },
            Exp::Bin(BinOp::Or, Prim::Bool, x, y) => match (self.truth(x), self.truth(y)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                (None, _) | (_, None) => None,
            },
            Exp::Bin(op, prim, x, y) => match self.known(*op, *prim, x, y)? {
                Outcome::True => Some(true),
                Outcome::False => Some(false),
                Outcome::First | Outcome::Second => None,
            },
            _ => None,
        }
    }

    /// The outcome, and the border that makes it so.
    fn settle(&self, op: BinOp, prim: Prim, x: &Exp, y: &Exp) -> Option<(Outcome, Border)> {
        if prim != Prim::I64 || !matches!(op, BinOp::Lt | BinOp::Le | BinOp::Eq | BinOp::Min | BinOp::Max) {
            return None;
        }
        let is_it =
            |exp: &Exp| matches!(exp, Exp::Bin(other, _, p, q) if *other == op && **p == *x && **q == *y);
        let holds = self.guards.iter().find(|(exp, _)| is_it(exp)).is_none_or(|(_, holds)| *holds);
        settle_sums(op, self.sum(x)?, self.sum(y)?, holds)
    }

    fn sum(&self, exp: &Exp) -> Option<Sum> {
        match exp {
            Exp::Const(Scalar::I64(_)) => Some(Sum::fixed(exp.clone())),
            Exp::Var(var) if *var == self.var => Some(Sum { has_index: true, ..Sum::default() }),
            Exp::Var(var) if !self.assigned.contains(var) => Some(Sum::fixed(exp.clone())),
            Exp::Var(var) => self.sums.get(var).cloned(),
            Exp::Bin(BinOp::Add, Prim::I64, x, y) => self.sum(x)?.plus(self.sum(y)?),
            Exp::Bin(BinOp::Sub, Prim::I64, x, y) => self.sum(x)?.minus(self.sum(y)?),
            Exp::Bin(BinOp::Mul, Prim::I64, x, y) => self.sum(x)?.times(self.sum(y)?),
            // As in `max 0 (min (n - 1) i)`.
            Exp::Bin(op @ (BinOp::Min | BinOp::Max), Prim::I64, x, y) => {
                let (x, y) = (self.sum(x)?, self.sum(y)?);
                match settle_sums(*op, x.clone(), y.clone(), true)?.0 {
                    Outcome::First => Some(x),
                    Outcome::Second => Some(y),
                    Outcome::True | Outcome::False => None,
                }
            }
            Exp::Select(cond, x, y) => self.sum(if self.truth(cond)? { x } else { y }),
            _ => None,
        }
    }

    /// What a loop inside counts, if this loop does not change from where to where.
    fn counted(&self, from: &Exp, to: &Exp) -> Option<Sum> {
        let (from, to) = (self.sum(from)?, self.sum(to)?);
        let trips = to.as_fixed()?.sub(from.as_fixed()?);
        let counter = match trips.as_i64() {
            Some(trips) => Sum { greatest: trips.max(1) - 1, ..Sum::default() },
            None => Sum { added: vec![trips], ..Sum::default() },
        };
        counter.plus(from)
    }

    // # Looking around

    fn find_meanings(&mut self, body: &Body<'a>, again: &mut VarSet) {
        for node in &body.nodes {
            let first = match &node.kind {
                NodeKind::Set(var, exp) => Some((*var, self.meanings.insert(*var, exp).is_none())),
                NodeKind::For { var, .. } => Some((*var, self.counters.insert(*var))),
                NodeKind::Store { .. }
                | NodeKind::Copy { .. }
                | NodeKind::If { .. }
                | NodeKind::Switch { .. }
                | NodeKind::While { .. }
                | NodeKind::Fail { .. } => None,
            };
            if let Some((var, is_first)) = first
                && (!is_first || again.contains(&var))
            {
                self.meanings.remove(&var);
                self.counters.remove(&var);
                again.insert(var);
            }
            node.kind.bodies().into_iter().for_each(|body| self.find_meanings(body, again));
        }
        // What counts in a loop is no meaning of its variable.
        self.meanings.retain(|var, exp| !exp.mentions(*var));
    }

    /// In the order of the text: what is read before it is assigned is no operand.
    fn find_sums(&mut self, body: &Body<'_>) {
        for node in &body.nodes {
            let sum = match &node.kind {
                NodeKind::Set(var, exp) if self.meanings.contains_key(var) => {
                    self.sum(exp).map(|sum| (*var, sum))
                }
                NodeKind::For { var, from, to, .. } if self.counters.contains(var) => {
                    self.counted(from, to).map(|sum| (*var, sum))
                }
                NodeKind::Set(..)
                | NodeKind::For { .. }
                | NodeKind::Store { .. }
                | NodeKind::Copy { .. }
                | NodeKind::If { .. }
                | NodeKind::Switch { .. }
                | NodeKind::While { .. }
                | NodeKind::Fail { .. } => None,
            };
            self.sums.extend(sum);
            node.kind.bodies().into_iter().for_each(|body| self.find_sums(body));
        }
    }

    fn find_guards(&mut self, body: &Body<'a>, seen: &mut VarSet) {
        for node in &body.nodes {
            if let NodeKind::If { cond, then, els } = &node.kind {
                match reads(then).cmp(&reads(els)) {
                    Ordering::Greater => self.guard(cond, true, seen),
                    Ordering::Less => self.guard(cond, false, seen),
                    Ordering::Equal => {}
                }
            }
            node.kind.bodies().into_iter().for_each(|body| self.find_guards(body, seen));
        }
    }

    fn guard(&mut self, cond: &'a Exp, holds: bool, seen: &mut VarSet) {
        match cond {
            Exp::Var(var) if seen.insert(*var) => {
                if let Some(meaning) = self.meanings.get(var).copied() {
                    self.guard(meaning, holds, seen);
                }
            }
            Exp::Un(UnOp::Not, Prim::Bool, x) => self.guard(x, !holds, seen),
            Exp::Bin(op @ (BinOp::And | BinOp::Or), Prim::Bool, x, y) if (*op == BinOp::And) == holds => {
                self.guard(x, holds, seen);
                self.guard(y, holds, seen);
            }
            Exp::Bin(BinOp::Lt | BinOp::Le, Prim::I64, ..) => self.guards.push((cond, holds)),
            _ => {}
        }
    }

    fn find_borders(&mut self, body: &Body<'_>) {
        for node in &body.nodes {
            match &node.kind {
                NodeKind::Set(_, exp) => self.find_in(exp),
                NodeKind::Store { ptr, index, value, .. } => {
                    [ptr, index, value].into_iter().for_each(|exp| self.find_in(exp));
                }
                NodeKind::Copy { to, from, count, .. } => {
                    [to, from, count].into_iter().for_each(|exp| self.find_in(exp));
                }
                NodeKind::If { cond, .. } | NodeKind::While { cond, .. } => self.find_in(cond),
                NodeKind::Switch { scrutinee, .. } => self.find_in(scrutinee),
                NodeKind::For { from, to, .. } => {
                    self.find_in(from);
                    self.find_in(to);
                }
                NodeKind::Fail { operands, .. } => operands.iter().for_each(|exp| self.find_in(exp)),
            }
            node.kind.bodies().into_iter().for_each(|body| self.find_borders(body));
        }
    }

    fn find_in(&mut self, exp: &Exp) {
        if let Exp::Bin(op, prim, x, y) = exp
            && let Some((_, border)) = self.settle(*op, *prim, x, y)
        {
            let (borders, border) = match border {
                Border::Lower(border) => (&mut self.lower, border),
                Border::Upper(border) => (&mut self.upper, border),
            };
            if !borders.contains(&border) {
                borders.push(border);
            }
        }
        exp.for_each_child(&mut |child| self.find_in(child));
    }
}

/// How often a body reads memory; one that fails, never.
fn reads(body: &Body) -> usize {
    let own = |node: &Node| match &node.kind {
        NodeKind::Set(_, exp) => usize::from(exp.reads_memory()),
        NodeKind::Store { value, .. } => 1 + usize::from(value.reads_memory()),
        NodeKind::Copy { .. } => 1,
        NodeKind::If { .. }
        | NodeKind::Switch { .. }
        | NodeKind::For { .. }
        | NodeKind::While { .. }
        | NodeKind::Fail { .. } => 0,
    };
    let inside = |node: &Node| -> usize { node.kind.bodies().into_iter().map(reads).sum() };
    if body.ends { 0 } else { body.nodes.iter().map(|node| own(node) + inside(node)).sum() }
}

/// The outcome, and the border that makes it so. A comparison with what is no number should hold, or not.
fn settle_sums(op: BinOp, x: Sum, y: Sum, holds: bool) -> Option<(Outcome, Border)> {
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

/// No iteration has a number like this.
const FAR: i64 = 1 << 61;
/// So many loops inside may count what is added; together they count less than `FAR / 2`.
const MOST_COUNTERS: usize = 4;

impl Sum {
    fn fixed(exp: Exp) -> Sum {
        match exp.as_i64() {
            Some(number) => Sum { least: number, greatest: number, ..Sum::default() },
            None => Sum { rest: Some(exp), ..Sum::default() },
        }
    }

    /// If it is the same during the whole loop.
    fn as_fixed(&self) -> Option<Exp> {
        let varies = self.has_index || self.has_counters() || self.least != self.greatest;
        (!varies).then(|| match &self.rest {
            Some(rest) => rest.clone().add(self.least),
            None => Exp::i64(self.least),
        })
    }

    fn has_counters(&self) -> bool {
        !self.added.is_empty() || !self.subtracted.is_empty()
    }

    fn plus(mut self, other: Sum) -> Option<Sum> {
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

    fn minus(self, other: Sum) -> Option<Sum> {
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
    fn times(self, other: Sum) -> Option<Sum> {
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
