//! Chains of infix operators, broken before the operators.
//!
//! ```text
//! xs
//! |> map f
//! |> filter g
//! ```
//!
//! Operators of one precedence make one chain, however long; those that bind tighter are chains of
//! their own inside it.

use super::formatter::Formatter;
use crate::ast::{Exp, ExpKind, Op};
use crate::parser::operators::Level;

impl<'a> Formatter<'a> {
    pub fn infix(&mut self, exp: &Exp) {
        let (first, rest) = chain(exp);
        self.group(|f| {
            f.aligned(|f| {
                f.exp(first);
                for (op, operand) in rest {
                    f.sign(|f| f.operator(op));
                    f.aligned(|f| {
                        f.break_after_comment();
                        f.exp(operand);
                    });
                }
            });
        });
    }

    pub fn operator(&mut self, op: &Op) {
        if op.backtick {
            self.token("`");
            self.qual_name(&op.name);
            self.token("`");
        } else {
            self.qual_name(&op.name);
        }
    }
}

/// The operands of a chain, and the operator before each but the first.
fn chain(exp: &Exp) -> (&Exp, Vec<(&Op, &Exp)>) {
    let mut rest = Vec::new();
    let mut first = exp;
    let ExpKind::BinOp(_, top, _) = &exp.kind else { return (exp, rest) };
    let level = level_of(top);
    if level == Level::PipeLeft {
        // `a <| (b <| c)`: the chain goes down on the right.
        let mut last = exp;
        let mut before = None;
        while let ExpKind::BinOp(left, op, right) = &last.kind
            && level_of(op) == level
        {
            match before.replace(op) {
                Some(before) => rest.push((before, &**left)),
                None => first = left,
            }
            last = right;
        }
        rest.extend(before.map(|op| (op, last)));
    } else {
        while let ExpKind::BinOp(left, op, right) = &first.kind
            && level_of(op) == level
        {
            rest.push((op, &**right));
            first = left;
        }
        rest.reverse();
    }
    (first, rest)
}

fn level_of(op: &Op) -> Level {
    if op.backtick { Level::Backtick } else { Level::of(op.name.name.name.as_str()) }
}
