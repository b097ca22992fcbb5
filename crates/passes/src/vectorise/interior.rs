//! The middle of a loop, where comparisons with its variable are settled.
//!
//! Many loops treat borders in their own way: `if 0 < i { xs[i - 1] } else ..`, `xs[max (i - 1) 0]`, or a check of the index. From
//! some iteration on, and up to some iteration, these comparisons have a known outcome. Groups that lie between need no
//! masks for them, and loads stay contiguous; the iterations outside go with the rest.
//!
//! Considered are comparisons of `i + c`, for a `c` that the loop does not change, with what the loop does not change. Where it is the smaller, it
//! is taken to be below an upper border, otherwise above a lower one; a number is always taken to be a lower one, near which loops begin.

use super::tree::{Body, NodeKind, VarSet};
use norn_ir::imp::{BinOp, Exp, Prim, Scalar, UnOp, Var};
use std::collections::BTreeMap;

pub struct Interior<'a> {
    var: Var,
    assigned: VarSet,
    /// Of what is assigned once, the expression.
    meanings: BTreeMap<Var, &'a Exp>,
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

/// What an operand is.
#[derive(Clone)]
enum OperandForm {
    /// So much more than the loop's variable.
    Index(Offset),
    /// The same during the whole loop.
    Fixed(Exp),
}

/// A small number, and what is not known before the loop runs.
#[derive(Clone, Default)]
struct Offset {
    number: i64,
    rest: Option<Exp>,
}

enum Border {
    Lower(Exp),
    Upper(Exp),
}

/// Nothing if there is nothing to settle.
pub fn interior<'a>(var: Var, body: &Body<'a>) -> Option<Interior<'a>> {
    let mut assigned = body.assigns.clone();
    assigned.insert(var);
    let mut interior =
        Interior { var, assigned, meanings: BTreeMap::new(), lower: Vec::new(), upper: Vec::new() };
    let mut again = VarSet::new();
    interior.find_meanings(body, &mut again);
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
        use Border::*;
        if prim != Prim::I64 || !matches!(op, BinOp::Lt | BinOp::Le | BinOp::Eq | BinOp::Min | BinOp::Max) {
            return None;
        }
        let (index_first, by, border) = match (self.place(x)?, self.place(y)?) {
            (OperandForm::Index(by), OperandForm::Fixed(border)) => (true, by, border),
            (OperandForm::Fixed(border), OperandForm::Index(by)) => (false, by, border),
            (OperandForm::Index(_), OperandForm::Index(_))
            | (OperandForm::Fixed(_), OperandForm::Fixed(_)) => return None,
        };
        // Where both depend on the same, only a number is left between them.
        let (border, by, far) = match &by.rest {
            Some(rest) => match difference(&border, rest) {
                Some(number) => {
                    let rest = rest.clone();
                    let is_near = Exp::i64(-FAR).le(rest.clone()).and(rest.le(FAR));
                    (Exp::i64(number), Offset { number: by.number, rest: None }, Some(is_near))
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
            Upper(unless_far(minus(by.before(&border, [-FAR, FAR / 4]), by.number + more), i64::MIN))
        };
        let lower = |more: i64| {
            Lower(unless_far(minus(by.before(&border, [-FAR / 4, FAR]), by.number + more), i64::MAX))
        };
        let is_constant = border.as_i64().is_some();
        Some(match (op, index_first) {
            // i + by < border, a number: that is where the loop begins.
            (BinOp::Lt, true) if is_constant => (Outcome::False, lower(0)),
            (BinOp::Le, true) if is_constant => (Outcome::False, lower(-1)),
            // i + by < border
            (BinOp::Lt, true) => (Outcome::True, upper(0)),
            (BinOp::Le, true) => (Outcome::True, upper(-1)),
            // border < i + by
            (BinOp::Lt, false) => (Outcome::True, lower(-1)),
            (BinOp::Le, false) => (Outcome::True, lower(0)),
            (BinOp::Eq, _) if is_constant => (Outcome::False, lower(-1)),
            (BinOp::Eq, _) => (Outcome::False, upper(0)),
            (BinOp::Min, true) => (Outcome::First, upper(-1)),
            (BinOp::Min, false) => (Outcome::Second, upper(-1)),
            (BinOp::Max, true) => (Outcome::First, lower(0)),
            (BinOp::Max, false) => (Outcome::Second, lower(0)),
            _ => return None,
        })
    }

    fn place(&self, exp: &Exp) -> Option<OperandForm> {
        match exp {
            Exp::Const(Scalar::I64(_)) => Some(OperandForm::Fixed(exp.clone())),
            Exp::Var(var) if *var == self.var => Some(OperandForm::Index(Offset::default())),
            Exp::Var(var) if !self.assigned.contains(var) => Some(OperandForm::Fixed(exp.clone())),
            Exp::Var(var) => self.place(self.meanings.get(var)?),
            Exp::Bin(op @ (BinOp::Add | BinOp::Sub), Prim::I64, x, y) => {
                let (x, y) = (self.place(x)?, self.place(y)?);
                match (op, x, y) {
                    (BinOp::Add, OperandForm::Fixed(x), OperandForm::Fixed(y)) => {
                        Some(OperandForm::Fixed(x.add(y)))
                    }
                    (BinOp::Sub, OperandForm::Fixed(x), OperandForm::Fixed(y)) => {
                        Some(OperandForm::Fixed(x.sub(y)))
                    }
                    (BinOp::Add, OperandForm::Index(by), OperandForm::Fixed(more))
                    | (BinOp::Add, OperandForm::Fixed(more), OperandForm::Index(by)) => moved(by, more),
                    (BinOp::Sub, OperandForm::Index(by), OperandForm::Fixed(less)) => {
                        moved(by, Exp::i64(0).sub(less))
                    }
                    _ => None,
                }
            }
            Exp::Bin(BinOp::Mul, Prim::I64, x, y) => match (self.place(x)?, self.place(y)?) {
                (OperandForm::Fixed(x), OperandForm::Fixed(y)) => Some(OperandForm::Fixed(x.mul(y))),
                (OperandForm::Index(_), _) | (_, OperandForm::Index(_)) => None,
            },
            _ => None,
        }
    }

    // # Looking around

    fn find_meanings(&mut self, body: &Body<'a>, again: &mut VarSet) {
        for node in &body.nodes {
            if let NodeKind::Set(var, exp) = &node.kind {
                let first = self.meanings.insert(*var, exp).is_none() && !again.contains(var);
                if !first {
                    self.meanings.remove(var);
                    again.insert(*var);
                }
            }
            node.kind.bodies().into_iter().for_each(|body| self.find_meanings(body, again));
        }
        // What counts in a loop is no meaning of its variable.
        self.meanings.retain(|var, exp| !exp.mentions(*var));
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

fn moved(by: Offset, more: Exp) -> Option<OperandForm> {
    let by = match (more.as_i64(), by.rest) {
        (Some(more), rest) => Offset { number: by.number.checked_add(more)?, rest },
        (None, None) => Offset { rest: Some(more), ..by },
        (None, Some(rest)) => Offset { rest: Some(rest.add(more)), ..by },
    };
    (by.number.unsigned_abs() < 1 << 32).then_some(OperandForm::Index(by))
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

impl Offset {
    /// The border without the part of the offset that is not known, with both so near that nothing wraps around. A border is kept within these limits: so the interior
    /// can only become smaller, or empty where an offset is far away.
    fn before(&self, border: &Exp, [least, greatest]: [i64; 2]) -> Exp {
        match &self.rest {
            None => border.clone(),
            Some(rest) => {
                let rest = rest.clone().max(-FAR / 2).min(FAR / 2);
                border.clone().max(least).min(greatest).sub(rest)
            }
        }
    }
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
