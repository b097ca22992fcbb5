//! Checks: those that statements rely on, and some for their own sake.

use super::{Gen, SPAN};
use norn_ir::nest::{Atom, BinOp, Check, Exp, Prim, Type};

impl Gen {
    /// A check on which the next statement relies.
    pub(super) fn rely(&mut self, check: Check) {
        let cert = self.var("ok", Type::Cert, super::Facts::default());
        self.b.bind(vec![cert], Exp::check(check), SPAN);
        self.b.rely(cert);
    }

    fn check(&mut self, check: Check) {
        let cert = self.var("ok", Type::Cert, super::Facts::default());
        self.b.bind(vec![cert], Exp::check(check), SPAN);
    }

    /// Mostly checks that hold.
    pub(super) fn check_stm(&mut self) -> Option<()> {
        match self.rng.below(8) {
            0 => {
                let x = self.size();
                self.check(Check::NonNegative(x));
            }
            1 => {
                let x = self.size();
                let found = if self.one_in(6) { self.size() } else { x };
                self.check(Check::Size { expected: x, found });
            }
            2 => {
                let prim = self.int();
                let [start, second, end] = [self.scalar(prim), self.scalar(prim), self.scalar(prim)];
                let ok = if self.one_in(10) { self.scalar(Prim::Bool) } else { Atom::bool(true) };
                self.check(Check::Range { prim, start, second, end, ok });
            }
            3 => {
                let (x, y) = (self.size(), self.size());
                let holds = self.emit("le", Type::bool(), Exp::bin(BinOp::Le, Prim::I64, Atom::i64(0), x));
                let sure = self.emit("or", Type::bool(), Exp::bin(BinOp::Le, Prim::I64, Atom::i64(-1), y));
                let cond = if self.one_in(2) { holds } else { sure };
                self.check(Check::Assert { cond: cond.into(), text: "\"quoted\" 0 <= x".into() });
            }
            4 => {
                let cond = self.scalar(Prim::Bool);
                if !self.one_in(8) {
                    return None;
                }
                self.check(Check::Assert { cond, text: String::new() });
            }
            5 => {
                let count = self.size();
                let length = self.bound(count) as i64;
                let dims = vec![(count, Atom::i64(1))];
                self.check(Check::Flat { offset: Atom::i64(0), dims, length: Atom::i64(length) });
            }
            6 => {
                let length = self.size();
                let (start, stride) = (Atom::i64(0), Atom::i64(1));
                self.check(Check::Slice { start, count: length, stride, length });
            }
            _ => {
                // In a branch that may not be taken.
                let cond = self.scalar(Prim::Bool);
                if !self.one_in(4) {
                    return None;
                }
                let x = self.scalar(Prim::I32);
                let then = self.body(|cx| {
                    cx.check(Check::Fail { text: "never".into() });
                    vec![x]
                });
                let els = self.body(|_| vec![x]);
                self.emit("f", Type::scalar(Prim::I32), Exp::if_(cond, then, els));
            }
        }
        Some(())
    }
}
