//! Scalar operations and checks, with constants folded.

use crate::lower::Lower;
use norn_base::{Prim, Span};
use norn_ir::nest::{Atom, BinOp, Body, Check, Exp, Scalar, Type, UnOp};

impl Lower<'_> {
    pub fn check(&mut self, check: Check, span: Span) {
        if self.unchecked == 0 {
            self.b.check_next(check, span);
        }
    }

    pub fn un(&mut self, op: UnOp, p: Prim, x: Atom, span: Span) -> Atom {
        if let Atom::Const(c) = x
            && let Some(folded) = norn_ir::scalar::eval::eval_un(op, c)
        {
            return Atom::Const(folded);
        }
        self.b.un("x", op, p, x, span)
    }

    pub fn bin(&mut self, op: BinOp, p: Prim, x: Atom, y: Atom, span: Span) -> Atom {
        if let (Atom::Const(c), Atom::Const(d)) = (x, y)
            && let Some(folded) = norn_ir::scalar::eval::eval_bin(op, c, d)
        {
            return Atom::Const(folded);
        }
        if let (BinOp::Sub | BinOp::Add, Atom::Const(zero)) = (op, y)
            && p == Prim::I64
            && zero == Scalar::I64(0)
        {
            return x;
        }
        self.b.bin("x", op, p, x, y, span)
    }

    pub fn convert(&mut self, from: Prim, to: Prim, x: Atom, span: Span) -> Atom {
        if let Atom::Const(c) = x {
            return Atom::Const(norn_ir::scalar::eval::convert(c, to));
        }
        self.b.convert("x", from, to, x, span)
    }

    /// One of two scalars.
    pub fn choose(&mut self, cond: Atom, a: Atom, b: Atom, p: Prim, span: Span) -> Atom {
        match cond {
            Atom::Const(Scalar::Bool(true)) => a,
            Atom::Const(Scalar::Bool(false)) => b,
            _ if a == b => a,
            _ => {
                let body = |x: Atom| Body { stms: Vec::new(), result: vec![x] };
                let exp = Exp::if_(cond, body(a), body(b));
                self.b.emit1("x", Type::scalar(p), exp, span).into()
            }
        }
    }
}
