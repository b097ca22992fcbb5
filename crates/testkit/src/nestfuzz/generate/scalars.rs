//! Scalar operators at all types, and constants.

use super::{Facts, Gen};
use crate::nestfuzz::inputs::random_scalar;
use norn_ir::nest::{Atom, BinOp, Check, Exp, Prim, TriOp, Type, UnOp, Var};

impl Gen {
    pub(super) fn constant(&mut self, prim: Prim) -> Atom {
        random_scalar(prim, &mut self.rng).into()
    }

    pub(super) fn scalar_stm(&mut self) -> Option<()> {
        match self.rng.below(10) {
            0 | 1 => self.unary().map(drop),
            2 => {
                let (from, to) = (self.prim(), self.prim());
                let value = self.scalar(from);
                let facts = Facts { whole: from.bits() == 8 && to.is_float(), ..Facts::default() };
                self.emit_with("c", Type::scalar(to), facts, Exp::convert(from, to, value));
                Some(())
            }
            3 => {
                let op = TriOp::ALL[self.rng.below(4)];
                let prim = self.prim();
                let result = op.result(prim)?;
                let (x, y, z) = (self.scalar(prim), self.scalar(prim), self.scalar(prim));
                self.emit("t", Type::scalar(result), Exp::tri(op, prim, x, y, z));
                Some(())
            }
            4 => self.size_stm(),
            5 => {
                let prim = self.prim();
                let x = self.scalar(prim);
                self.emit("a", Type::scalar(prim), Exp::atom(x));
                Some(())
            }
            _ => {
                let prim = self.prim();
                self.binary(prim).map(drop)
            }
        }
    }

    fn unary(&mut self) -> Option<Var> {
        let op = UnOp::ALL[self.rng.below(UnOp::ALL.len())];
        let prims: Vec<Prim> = Prim::ALL.into_iter().filter(|prim| op.result(*prim).is_some()).collect();
        let prim = self.pick(&prims)?;
        let result = op.result(prim)?;
        // Which NaN an operation yields is not defined, so no bits of floats that may be NaN.
        let x = if op == UnOp::ToBits { self.whole(prim) } else { self.scalar(prim) };
        Some(self.emit("u", Type::scalar(result), Exp::un(op, prim, x)))
    }

    /// A float that is a small integer.
    pub(super) fn whole(&mut self, prim: Prim) -> Atom {
        let ty = Type::scalar(prim);
        match self.some(|found, facts| *found == ty && facts.whole) {
            Some(var) => var.into(),
            None => Atom::int(prim, self.rng.below(9) as i128 - 4),
        }
    }

    pub(super) fn binary(&mut self, prim: Prim) -> Option<Var> {
        let ops: Vec<BinOp> = BinOp::ALL.into_iter().filter(|op| op.result(prim).is_some()).collect();
        let op = self.pick(&ops)?;
        let result = op.result(prim)?;
        let x = self.scalar(prim);
        let divides = matches!(op, BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem);
        let y = if op == BinOp::Copysign {
            self.whole(prim)
        } else if divides && prim.is_int() {
            self.divisor(prim)
        } else if op == BinOp::Pow && prim.is_int() {
            self.exponent(prim)
        } else {
            self.scalar(op.second(prim))
        };
        Some(self.emit("b", Type::scalar(result), Exp::bin(op, prim, x, y)))
    }

    /// A divisor that has been checked, and mostly is not 0.
    fn divisor(&mut self, prim: Prim) -> Atom {
        let mut y = self.scalar(prim);
        if !self.one_in(15) {
            y = self.emit("odd", Type::scalar(prim), Exp::bin(BinOp::Or, prim, y, Atom::int(prim, 1))).into();
        }
        if !self.one_in(4) {
            self.rely(Check::NonZero(prim, y));
        }
        y
    }

    fn exponent(&mut self, prim: Prim) -> Atom {
        let mut y = self.scalar(prim);
        if !self.one_in(15) {
            y = self
                .emit("few", Type::scalar(prim), Exp::bin(BinOp::And, prim, y, Atom::int(prim, 7)))
                .into();
        }
        self.rely(Check::Exponent(prim, y));
        y
    }

    /// Sizes made of sizes.
    fn size_stm(&mut self) -> Option<()> {
        let (x, y) = (self.size(), self.size());
        let (a, b) = (self.bound(x), self.bound(y));
        let (op, max) = match self.rng.below(4) {
            0 => (BinOp::Min, a.min(b)),
            1 => (BinOp::Max, a.max(b)),
            2 => (BinOp::Add, a + b),
            _ => (BinOp::Mul, a * b),
        };
        if max > 40 {
            return None;
        }
        let facts = Facts { size: Some(max), ..Facts::default() };
        self.emit_with("n", Type::i64(), facts, Exp::bin(op, Prim::I64, x, y));
        Some(())
    }
}
