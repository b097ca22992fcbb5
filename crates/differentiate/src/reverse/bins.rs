//! Histograms of numbers by minimum, maximum and product, on the way back: all values at the same time.
//!
//! ```text
//! r = hist min d is vs     a histogram of numbers: the first value that is as the result of its bin has won, unless d is as small
//! r = hist (*) d is vs     two histograms, of what is not 0 and of zeros; the product without v is theirs divided by v, or 0 if there is another zero
//! ```

use super::Reverse;
use norn_ir::nest::{Atom, BinOp, Exp, Lambda, Operator, Prim, Reduction, Scalar, Stm, Type, Var};

impl Reverse<'_, '_> {
    /// The winner takes all.
    pub(super) fn hist_of_extremes(
        &mut self,
        stm: &Stm,
        width: Atom,
        dest: Var,
        inputs: &[Var],
        lambda: &Lambda,
    ) {
        let Some(weight) = self.take(stm.vars[0]).and_then(|dense| dense.value.var()) else { return };
        let result = self.w.var(stm.vars[0]);
        let indices = lambda.body.result.len() - 1;
        let prim = self.w.old_ty(dest).elem().and_then(|elem| elem.prim()).unwrap_or(Prim::F64);
        let count = self.w.atom(width);
        // For each bin the number of the first value that is as the result, from 1 on: 0 if that is what was there before.
        let before = self.w.var(dest);
        let none = Atom::i64(i64::MAX);
        let first = self.map_elements("first", &[before, result], &Type::i64(), |r, rows| {
            let is_same = r.w.bin(BinOp::Eq, prim, rows[0], rows[1]);
            r.w.choose(is_same, Type::i64(), Atom::i64(0), none)
        });
        let numbers = self.numbers_from_one(count);
        let mut arrays = self.w.vars(inputs);
        arrays.push(numbers);
        let mut written = self.w.copy_lambda(lambda);
        let number = self.w.b.new_var("number", Type::i64());
        written.params.push(number);
        self.w.b.begin_body();
        let (places, value) = (written.body.result[..indices].to_vec(), written.body.result[indices]);
        let there = self.at_or_zeros(result, &places);
        let is_same = self.w.bin(BinOp::Eq, prim, there, value);
        let number = self.w.choose(is_same, Type::i64(), number.into(), none);
        let test = self.w.b.end_body(Vec::new());
        written.body.stms.extend(test.stms);
        written.body.result[indices] = number;
        let op = self.number_operator(BinOp::Min, Prim::I64, none);
        let ty = self.w.b.ty(first).clone();
        let hist = Operator::Hist { width: count, dests: vec![first], op, inputs: arrays, lambda: written };
        let winners = self.w.emit("winners", ty, Exp::Op(hist));
        if self.is_active(dest) {
            let rest = self.map_elements("adjoint", &[winners, weight], &Type::scalar(prim), |r, rows| {
                let has_won = r.w.bin(BinOp::Eq, Prim::I64, rows[0], Atom::i64(0));
                r.w.choose(has_won, Type::scalar(prim), rows[1], Atom::Const(Scalar::zero(prim)))
            });
            self.add(dest.into(), rest.into(), true);
        }
        self.gather_back(width, inputs, lambda, indices, &[(0, weight)], Some(winners));
    }

    /// Of each bin the product of what is not 0, and the number of zeros: so the product of all but one is known.
    pub(super) fn hist_of_products(
        &mut self,
        stm: &Stm,
        width: Atom,
        (dest, prim): (Var, Prim),
        inputs: &[Var],
        lambda: &Lambda,
    ) {
        let Some(weight) = self.take(stm.vars[0]).and_then(|dense| dense.value.var()) else { return };
        let indices = lambda.body.result.len() - 1;
        let count = self.w.atom(width);
        let (zero, one) = (Atom::Const(Scalar::zero(prim)), Atom::Const(Scalar::from_int(prim, 1)));
        let scalar = Type::scalar(prim);
        let before = self.w.var(dest);
        let factors = self.map_elements("factors", &[before], &scalar, |r, rows| {
            let none = r.w.bin(BinOp::Eq, prim, rows[0], zero);
            r.w.choose(none, Type::scalar(prim), one, rows[0])
        });
        let zeros = self.map_elements("zeros", &[before], &Type::i64(), |r, rows| {
            let none = r.w.bin(BinOp::Eq, prim, rows[0], zero);
            r.w.choose(none, Type::i64(), Atom::i64(1), Atom::i64(0))
        });
        let [factors, zeros] = [(factors, true), (zeros, false)].map(|(bins, of_factors)| {
            let mut written = self.w.copy_lambda(lambda);
            self.w.b.begin_body();
            let value = written.body.result[indices];
            let none = self.w.bin(BinOp::Eq, prim, value, zero);
            let value = match of_factors {
                true => self.w.choose(none, scalar.clone(), one, value),
                false => self.w.choose(none, Type::i64(), Atom::i64(1), Atom::i64(0)),
            };
            let test = self.w.b.end_body(Vec::new());
            written.body.stms.extend(test.stms);
            written.body.result[indices] = value;
            let op = match of_factors {
                true => self.number_operator(BinOp::Mul, prim, one),
                false => self.number_operator(BinOp::Add, Prim::I64, Atom::i64(0)),
            };
            let inputs = self.w.vars(inputs);
            let ty = self.w.b.ty(bins).clone();
            let hist = Operator::Hist { width: count, dests: vec![bins], op, inputs, lambda: written };
            self.w.emit("bins", ty, Exp::Op(hist))
        });
        if self.is_active(dest) {
            let arrays = [weight, factors, zeros, before];
            let rest = self.map_elements("adjoint", &arrays, &scalar, |r, rows| {
                let others = r.without(prim, rows[1], rows[2], rows[3]);
                r.w.bin(BinOp::Mul, prim, rows[0], others)
            });
            self.add(dest.into(), rest.into(), true);
        }
        self.lambda_back(width, inputs, lambda, &[], |r, result, _| {
            if !r.is_active_atom(result[indices]) {
                return Vec::new();
            }
            let places = r.w.atoms(&result[..indices]);
            let [weight, factors, zeros] =
                [weight, factors, zeros].map(|array| r.at_or_zeros(array, &places));
            let value = r.w.atom(result[indices]);
            let others = r.without(prim, factors, zeros, value);
            vec![(result[indices], r.w.bin(BinOp::Mul, prim, weight, others))]
        });
    }

    /// The product of numbers without one of them, given the product of those that are not 0 and how many are.
    fn without(&mut self, prim: Prim, factors: Atom, zeros: Atom, one: Atom) -> Atom {
        let zero = Atom::Const(Scalar::zero(prim));
        let scalar = Type::scalar(prim);
        let is_zero = self.w.bin(BinOp::Eq, prim, one, zero);
        let divisor = self.w.choose(is_zero, scalar.clone(), Atom::Const(Scalar::from_int(prim, 1)), one);
        let ratio = self.w.bin(BinOp::Div, prim, factors, divisor);
        let own = self.w.choose(is_zero, Type::i64(), Atom::i64(1), Atom::i64(0));
        let alone = self.w.bin(BinOp::Eq, Prim::I64, zeros, own);
        self.w.choose(alone, scalar, ratio, zero)
    }

    pub(super) fn number_operator(&mut self, op: BinOp, prim: Prim, neutral: Atom) -> Reduction {
        self.w.b.begin_body();
        let [x, y] = ["x", "y"].map(|name| self.w.b.new_var(name, Type::scalar(prim)));
        let both = self.w.bin(op, prim, x.into(), y.into());
        let lambda = Lambda::new(vec![x, y], self.w.b.end_body(vec![both]));
        Reduction { lambda, neutral: vec![neutral], commutative: true }
    }

    /// A map over all elements of arrays of one shape, of any rank.
    fn map_elements(
        &mut self,
        name: &str,
        arrays: &[Var],
        element: &Type,
        make: impl FnOnce(&mut Self, &[Atom]) -> Atom,
    ) -> Var {
        let dims = self.w.b.ty(arrays[0]).dims().to_vec();
        let ty = element.with_dims(dims.clone());
        self.w.b.begin_body();
        let mut params = Vec::new();
        for array in arrays {
            let ty = self.w.b.ty(*array).clone();
            params.push(self.w.b.new_var("row", ty.with_dims(ty.dims()[1..].to_vec())));
        }
        let value = if dims.len() == 1 {
            let rows: Vec<Atom> = params.iter().map(|param| Atom::Var(*param)).collect();
            make(self, &rows)
        } else {
            self.map_elements(name, &params.clone(), element, make).into()
        };
        let lambda = Lambda::new(params, self.w.b.end_body(vec![value]));
        let width = crate::writer::width(&ty);
        self.w.emit(name, ty, Exp::map(width, arrays.to_vec(), lambda))
    }
}
