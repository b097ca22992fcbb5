//! The middle of a loop, where comparisons with its variable are settled.
//!
//! Many loops treat borders in their own way: `if 0 < i { xs[i - 1] } else ..`, `xs[max (i - 1) 0]`, or a check of the index. From
//! some iteration on, and up to some iteration, these comparisons have a known outcome. Groups that lie between need no
//! masks for them, and loads stay contiguous; the iterations outside go with the rest.
//!
//! Considered are comparisons of `i + c`, for a constant `c`, with what the loop does not change. Where it is the smaller, it
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
    Index(i64),
    /// The same during the whole loop.
    Fixed(Exp),
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
        let less = |by: i64| minus(border.clone(), by);
        let is_constant = border.as_i64().is_some();
        Some(match (op, index_first) {
            // i + by < border, a number: that is where the loop begins.
            (BinOp::Lt, true) if is_constant => (Outcome::False, Lower(less(by))),
            (BinOp::Le, true) if is_constant => (Outcome::False, Lower(less(by - 1))),
            // i + by < border
            (BinOp::Lt, true) => (Outcome::True, Upper(less(by))),
            (BinOp::Le, true) => (Outcome::True, Upper(less(by - 1))),
            // border < i + by
            (BinOp::Lt, false) => (Outcome::True, Lower(less(by - 1))),
            (BinOp::Le, false) => (Outcome::True, Lower(less(by))),
            (BinOp::Eq, _) if is_constant => (Outcome::False, Lower(less(by - 1))),
            (BinOp::Eq, _) => (Outcome::False, Upper(less(by))),
            (BinOp::Min, true) => (Outcome::First, Upper(less(by - 1))),
            (BinOp::Min, false) => (Outcome::Second, Upper(less(by - 1))),
            (BinOp::Max, true) => (Outcome::First, Lower(less(by))),
            (BinOp::Max, false) => (Outcome::Second, Lower(less(by))),
            _ => return None,
        })
    }

    fn place(&self, exp: &Exp) -> Option<OperandForm> {
        match exp {
            Exp::Const(Scalar::I64(_)) => Some(OperandForm::Fixed(exp.clone())),
            Exp::Var(var) if *var == self.var => Some(OperandForm::Index(0)),
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
                    | (BinOp::Add, OperandForm::Fixed(more), OperandForm::Index(by)) => {
                        moved(by, more.as_i64()?)
                    }
                    (BinOp::Sub, OperandForm::Index(by), OperandForm::Fixed(less)) => {
                        moved(by, less.as_i64()?.checked_neg()?)
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

fn moved(by: i64, more: i64) -> Option<OperandForm> {
    by.checked_add(more).filter(|by| by.unsigned_abs() < 1 << 32).map(OperandForm::Index)
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
