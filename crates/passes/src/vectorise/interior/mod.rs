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

mod sum;

use super::tree::{Body, Node, NodeKind, VarSet};
use norn_ir::imp::{BinOp, Exp, Prim, Scalar, UnOp, Var};
use std::cmp::Ordering;
use std::collections::BTreeMap;
pub use sum::Outcome;
use sum::{Border, Sum, settle};

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
        settle(op, self.sum(x)?, self.sum(y)?, holds)
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
                match settle(*op, x.clone(), y.clone(), true)?.0 {
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
