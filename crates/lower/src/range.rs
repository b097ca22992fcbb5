//! Ranges of numbers.

use crate::lower::Lower;
use crate::rep::Rep;
use crate::value::Value;
use norn_base::{Prim, Span};
use norn_ir::nest::{ArrayExp, Atom, BinOp, Check, Dim, Exp, Scalar, Type, UnOp};
use norn_syntax::ast::RangeKind;

impl Lower<'_> {
    pub fn range(
        &mut self,
        start: Value,
        second: Option<Value>,
        kind: RangeKind,
        end: Value,
        span: Span,
    ) -> Value {
        let Some(p) = start.rep.prim() else { panic!("lower: a range of {:?}", start.rep) };
        let (a, z) = (start.atom(), end.atom());
        let int = |i: i128| Atom::Const(Scalar::from_int(p, i));
        let second = second.map(|v| v.atom());
        let step = match (second, kind) {
            (Some(b), _) => self.bin(BinOp::Sub, p, b, a, span),
            (None, RangeKind::DownTo) => int(-1),
            (None, RangeKind::To | RangeKind::UpTo) => int(1),
        };
        let result = |l: &mut Self, count: Atom| {
            let ty = Type::array(p, vec![Dim::Size(count)]);
            let v =
                l.b.emit1("range", ty, Exp::Array(ArrayExp::Range { prim: p, count, start: a, step }), span);
            Value { rep: Rep::array(Rep::Prim(p)), cols: vec![v.into()] }
        };
        if kind == RangeKind::UpTo && p == Prim::I64 && a == Atom::i64(0) && step == Atom::i64(1) {
            self.check(Check::NonNegative(z), span);
            return result(self, z);
        }
        let sign = self.un(UnOp::Sgn, p, step, span);
        let zero = self.bin(BinOp::Eq, p, sign, int(0), span);
        let down =
            if p.is_signed() { self.bin(BinOp::Eq, p, sign, int(-1), span) } else { Atom::bool(false) };
        let up = self.bin(BinOp::Eq, p, sign, int(1), span);
        let start_below = self.bin(BinOp::Lt, p, a, z, span);
        let end_below = self.bin(BinOp::Lt, p, z, a, span);
        let (wrong, invalid, distance) = match kind {
            RangeKind::DownTo => {
                let d = self.bin(BinOp::Sub, p, a, z, span);
                let d = self.convert(p, Prim::I64, d, span);
                (up, start_below, d)
            }
            RangeKind::UpTo => {
                let d = self.bin(BinOp::Sub, p, z, a, span);
                let d = self.convert(p, Prim::I64, d, span);
                (down, end_below, d)
            }
            RangeKind::To => {
                let invalid = self.choose(down, start_below, end_below, Prim::Bool, span);
                let falling = self.bin(BinOp::Sub, p, a, z, span);
                let rising = self.bin(BinOp::Sub, p, z, a, span);
                let d = self.choose(down, falling, rising, p, span);
                let d = self.convert(p, Prim::I64, d, span);
                let d = self.bin_i64(BinOp::Add, d, Atom::i64(1), span);
                (Atom::bool(false), invalid, d)
            }
        };
        let bad = self.bin(BinOp::Or, Prim::Bool, wrong, zero, span);
        let bad = self.bin(BinOp::Or, Prim::Bool, bad, invalid, span);
        let ok = self.un(UnOp::Not, Prim::Bool, bad, span);
        let shown = match second {
            Some(b) => b,
            None => self.bin(BinOp::Add, p, a, step, span),
        };
        self.check(Check::Range { prim: p, start: a, second: shown, end: z, ok }, span);
        let size = self.un(UnOp::Abs, p, step, span);
        let size = self.convert(p, Prim::I64, size, span);
        let last = self.bin_i64(BinOp::Sub, size, Atom::i64(1), span);
        let padded = self.bin_i64(BinOp::Add, distance, last, span);
        let count = self.bin_i64(BinOp::Div, padded, size, span);
        result(self, count)
    }
}
