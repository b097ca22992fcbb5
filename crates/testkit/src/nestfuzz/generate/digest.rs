//! Results that depend on all that was computed: otherwise most of a program would be dead.

use super::scope::{is_array, prim_of, width};
use super::{Facts, Gen};
use norn_ir::nest::{Atom, BinOp, Dim, Exp, Prim, Reduction, Type, Var};

impl Gen {
    /// What an expression mentions is used.
    pub(super) fn mark_used(&mut self, exp: &Exp) {
        use norn_ir::nest::walk::Part;
        let mut used = Vec::new();
        exp.for_each_part(&mut |part| match part {
            Part::Atom(Atom::Var(var)) | Part::Var(var) => used.push(*var),
            Part::Body(body) => used.extend(body.result.iter().filter_map(|atom| atom.var())),
            Part::Lambda(lambda) => used.extend(lambda.body.result.iter().filter_map(|atom| atom.var())),
            Part::Atom(Atom::Const(_)) | Part::Binder(_) => {}
        });
        for var in used {
            self.facts[var.0 as usize].used = true;
        }
    }

    /// A number made of what has come into scope since `mark` and is not used by anything.
    pub(super) fn digest(&mut self, mark: usize) -> Atom {
        let unused: Vec<Var> = self.scope[mark..]
            .iter()
            .copied()
            .filter(|var| !self.facts(*var).used && self.is_alive(*var))
            .collect();
        let mut digest = Atom::i64(0);
        for var in unused {
            if let Some(part) = self.digest_of(var) {
                // Turned a little, so that equal parts do not cancel out.
                let turned = Exp::bin(BinOp::Mul, Prim::I64, digest, Atom::i64(31));
                let turned = self.emit("d", Type::i64(), turned);
                let sum = Exp::bin(BinOp::Add, Prim::I64, turned.into(), part);
                digest = self.emit("d", Type::i64(), sum).into();
            }
        }
        digest
    }

    fn digest_of(&mut self, var: Var) -> Option<Atom> {
        let ty = self.ty(var);
        if let Some(prim) = ty.prim() {
            return Some(self.as_number(prim, var.into()));
        }
        if !is_array(&ty) || !self.affords(2 * self.volume(&ty, self.facts(var).longest)) {
            return None;
        }
        let (n, prim) = (width(&ty), prim_of(&ty));
        let max = self.bound(n);
        let rank = ty.rank();
        let lambda = self.repeated(max, |cx| {
            cx.lambda_over(&[var], |cx, values| {
                let part = if rank == 1 {
                    Some(cx.as_number(prim, values[0].into()))
                } else {
                    cx.digest_of(values[0])
                };
                vec![part.unwrap_or(Atom::i64(0))]
            })
        });
        let numbers = Type::array(Prim::I64, vec![Dim::Size(n)]);
        let numbers = self.emit("ds", numbers, Exp::map(n, vec![var], lambda));
        let lambda = self.operator_lambda(&[Type::i64()], 0, |cx, x, y| {
            vec![cx.emit("z", Type::i64(), Exp::bin(BinOp::Add, Prim::I64, x[0].into(), y[0].into())).into()]
        });
        let op = Reduction { lambda, neutral: vec![Atom::i64(0)], commutative: true };
        Some(self.emit("d", Type::i64(), Exp::reduce(n, op, vec![numbers])).into())
    }

    fn as_number(&mut self, prim: Prim, value: Atom) -> Atom {
        if prim == Prim::I64 {
            return value;
        }
        let exp = Exp::convert(prim, Prim::I64, value);
        self.emit_with("c", Type::i64(), Facts::default(), exp).into()
    }
}
