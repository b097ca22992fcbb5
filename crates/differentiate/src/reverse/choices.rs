//! Filters, partitions and sorts on the way back: what they yield is elements of their inputs, at places that are found once more. And streams, whose lambda may as well be applied once.

use super::Reverse;
use norn_ir::nest::{Atom, Dim, Exp, Lambda, Operator, Sorted, Stm, StreamForm, Type, Var};

impl Reverse<'_, '_> {
    /// Of partitions, too, which keep everything.
    pub(super) fn filter(&mut self, stm: &Stm, width: Atom, inputs: &[Var], lambda: &Lambda, all: bool) {
        let mut weights = Vec::new();
        for (at, var) in stm.vars.iter().enumerate() {
            if let Some(weight) = self.take(*var)
                && let Atom::Var(array) = weight.value
            {
                weights.push((at, array));
            }
        }
        let new_width = self.w.atom(width);
        // The same choice among 0, 1, ..
        let mut arrays = self.w.vars(inputs);
        arrays.push(self.w.iota(new_width));
        let mut choice = self.w.copy_lambda(lambda);
        let place = self.w.b.new_var("place", Type::i64());
        choice.params.push(place);
        choice.body.result.truncate(1);
        choice.body.result.push(place.into());
        let count = self.w.b.new_var("count", Type::i64());
        let length = if all { new_width } else { count.into() };
        let places = self.w.b.new_var("places", Self::places_type(length));
        let op = match all {
            true => Operator::Partition { width: new_width, inputs: arrays, lambda: choice },
            false => Operator::Filter { width: new_width, inputs: arrays, lambda: choice },
        };
        self.w.bind_new(vec![count, places], Exp::Op(op));
        let mut spread = Vec::new();
        let mut columns = Vec::new();
        for (at, weight) in weights {
            let Some(array) = self.spread(new_width, length, places, weight) else { continue };
            spread.push(array);
            columns.push(at);
        }
        self.lambda_back(width, inputs, lambda, &spread, |_, result, rows| {
            columns.iter().zip(rows).map(|(at, row)| (result[*at], *row)).collect()
        });
    }

    pub(super) fn sort(&mut self, stm: &Stm, width: Atom, keys: Var) {
        let Some(weight) = self.take(stm.vars[0]).and_then(|dense| dense.value.var()) else { return };
        let (width, array) = (self.w.atom(width), self.w.var(keys));
        let sort = Operator::Sort { width, keys: array, yields: Sorted::Places };
        let places = self.w.emit("places", Self::places_type(width), Exp::Op(sort));
        if let Some(adjoint) = self.spread(width, width, places, weight) {
            self.add_like(keys, adjoint);
        }
    }

    /// The rows of an array at these different places of another, which otherwise has zeros.
    pub(super) fn spread(&mut self, width: Atom, count: Atom, places: Var, rows: Var) -> Option<Var> {
        let ty = self.w.b.ty(rows).clone();
        if ty.dims().contains(&Dim::Irregular) {
            self.unsupported("a choice among rows of different lengths");
            return None;
        }
        let row = ty.with_dims(ty.dims()[1..].to_vec());
        let whole = row.array_of(Dim::Size(width));
        let dest = self.w.zeros(&whole).var()?;
        self.w.b.begin_body();
        let params = vec![self.w.b.new_var("place", Type::i64()), self.w.b.new_var("row", row)];
        let result = params.iter().map(|param| Atom::Var(*param)).collect();
        let lambda = Lambda::new(params, self.w.b.end_body(result));
        let inputs = vec![places, rows];
        let scatter = Operator::Scatter { width: count, dests: vec![dest], inputs, lambda };
        Some(self.w.emit("spread", whole, Exp::Op(scatter)))
    }

    /// One chunk.
    pub(super) fn stream(
        &mut self,
        stm: &Stm,
        width: Atom,
        form: &StreamForm,
        inputs: &[Var],
        lambda: &Lambda,
    ) {
        let mut operands = vec![width];
        match form {
            StreamForm::Map { any_order: _ } | StreamForm::Reduce { any_order: _, op: _ } => {}
            StreamForm::Seq { init } => operands.extend(init),
        }
        operands.extend(inputs.iter().map(|input| Atom::Var(*input)));
        let args = self.w.atoms(&operands);
        let weights: Vec<Option<Atom>> =
            stm.vars.iter().map(|var| self.take(*var).map(|dense| dense.value)).collect();
        let found = self.apply_back(lambda, &args, &weights);
        for (operand, adjoint) in operands.into_iter().zip(found) {
            if let Some(adjoint) = adjoint {
                self.add(operand, adjoint, false);
            }
        }
    }
}
