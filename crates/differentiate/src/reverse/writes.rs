//! Scatters and histograms on the way back.
//!
//! ```text
//! r = scatter d is vs      vs_adj[j] = r_adj[is[j]], and 0 if that is outside;   d_adj = r_adj with 0 at all of is
//! r = hist (+) d is vs     vs_adj[j] = r_adj[is[j]];                             d_adj = r_adj
//! r = hist min d is vs     the one that won gets r_adj[is[j]]: d if it is as small, otherwise the first of vs
//! r = hist (*) d is vs     products without one, from the product of what is not 0 and the number of zeros
//! r = hist op d is vs      a loop from the last value to the first, with a tape of what each found in its bin
//! ```
//!
//! If a scatter writes one place several times, one of them gets its adjoint: that whose number a scatter of numbers leaves there.

use super::Reverse;
use super::sums::{is_sum, operator_of};
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, Exp, Lambda, LoopForm, Operator, Param, Prim, Reduction,
    Stm, Type, Var,
};

impl Reverse<'_, '_> {
    pub(super) fn scatter(&mut self, stm: &Stm, width: Atom, dests: &[Var], inputs: &[Var], lambda: &Lambda) {
        let indices = lambda.body.result.len() - dests.len();
        let mut weights = Vec::new();
        for (at, var) in stm.vars.iter().enumerate() {
            let Some(dense) = self.take(*var) else { continue };
            if let Some(array) = dense.value.var() {
                weights.push((at, array));
            }
        }
        let winners = self.winners(width, dests[0], inputs, lambda, indices);
        self.gather_back(width, inputs, lambda, indices, &weights, Some(winners));
        for (at, weight) in weights {
            if !self.is_active(dests[at]) {
                continue;
            }
            // What was overwritten had no part in the result.
            let base = self.w.array_copy(weight);
            let ty = self.w.b.ty(base).clone();
            let mut erasing = self.w.copy_lambda(lambda);
            let row = ty.with_dims(ty.dims()[indices..].to_vec());
            erasing.body.result.truncate(indices);
            let zeros = self.w.zeros(&row);
            erasing.body.result.push(zeros);
            let scatter = Operator::Scatter {
                width: self.w.atom(width),
                dests: vec![base],
                inputs: self.w.vars(inputs),
                lambda: erasing,
            };
            let rest = self.w.emit("adjoint", ty, Exp::Op(scatter));
            self.add(dests[at].into(), rest.into(), true);
        }
    }

    /// For each place the number of the write that is there, from 1 on, and 0 if there is none.
    fn winners(&mut self, width: Atom, dest: Var, inputs: &[Var], lambda: &Lambda, indices: usize) -> Var {
        let dims = self.w.ty_of(dest).dims()[..indices].to_vec();
        let ty = Type::array(Prim::I64, dims);
        let none =
            self.w.zeros(&ty).var().unwrap_or_else(|| panic!("differentiate: a scatter without places"));
        let width = self.w.atom(width);
        let mut inputs = self.w.vars(inputs);
        inputs.push(self.numbers_from_one(width));
        let mut writes = self.w.copy_lambda(lambda);
        let number = self.w.b.new_var("number", Type::i64());
        writes.params.push(number);
        writes.body.result.truncate(indices);
        writes.body.result.push(number.into());
        let scatter = Operator::Scatter { width, dests: vec![none], inputs, lambda: writes };
        self.w.emit("winners", ty, Exp::Op(scatter))
    }

    pub(super) fn numbers_from_one(&mut self, count: Atom) -> Var {
        let one = Atom::i64(1);
        let range = ArrayExp::Range { prim: Prim::I64, count, start: one, step: one };
        self.w.emit("numbers", Self::places_type(count), Exp::Array(range))
    }

    /// What is written to a destination has the adjoint that is there, if it has won.
    pub(super) fn gather_back(
        &mut self,
        width: Atom,
        inputs: &[Var],
        lambda: &Lambda,
        indices: usize,
        weights: &[(usize, Var)],
        winners: Option<Var>,
    ) {
        let count = self.w.atom(width);
        let numbers: Vec<Var> = winners.iter().map(|_| self.numbers_from_one(count)).collect();
        self.lambda_back(width, inputs, lambda, &numbers, |r, result, rows| {
            let places = r.w.atoms(&result[..indices]);
            let mut found = Vec::new();
            for (at, weight) in weights {
                if !r.is_active_atom(result[indices + at]) {
                    continue;
                }
                let mut value = r.at_or_zeros(*weight, &places);
                if let Some(winners) = winners {
                    let winner = r.at_or_zeros(winners, &places);
                    let has_won = r.w.bin(BinOp::Eq, Prim::I64, winner, rows[0]);
                    let ty = r.w.b.atom_ty(value);
                    let zeros = r.w.zeros(&ty);
                    value = r.w.choose(has_won, ty, value, zeros);
                }
                found.push((result[indices + at], value));
            }
            found
        });
    }

    pub(super) fn hist(
        &mut self,
        stm: &Stm,
        width: Atom,
        dests: &[Var],
        op: &Reduction,
        inputs: &[Var],
        lambda: &Lambda,
    ) {
        let indices = lambda.body.result.len() - dests.len();
        if is_sum(self.work.prog, &op.lambda) {
            let mut weights = Vec::new();
            for (at, var) in stm.vars.iter().enumerate() {
                let Some(dense) = self.take(*var) else { continue };
                if let Some(array) = dense.value.var() {
                    weights.push((at, array));
                    self.add(dests[at].into(), array.into(), false);
                }
            }
            return self.gather_back(width, inputs, lambda, indices, &weights, None);
        }
        let is_irregular = |r: &Self, var: &Var| r.w.old_ty(*var).dims().contains(&Dim::Irregular);
        if dests.iter().any(|dest| is_irregular(self, dest)) || op.neutral.len() != dests.len() {
            self.unsupported("a histogram of rows of different lengths");
            return self.drop_adjoints(&stm.vars);
        }
        let number = |r: &Self| r.w.ty_of(dests[0]).rank() == indices;
        match operator_of(self.work.prog, &op.lambda) {
            Some((BinOp::Min | BinOp::Max, _)) if number(self) => {
                self.hist_of_extremes(stm, width, dests[0], inputs, lambda);
            }
            Some((BinOp::Mul, prim)) if number(self) => {
                self.hist_of_products(stm, width, (dests[0], prim), inputs, lambda);
            }
            Some(_) | None => self.hist_by_loop(stm, width, dests, op, inputs, lambda),
        }
    }

    /// The values one after the other, from the last to the first. Those that miss are left out.
    fn hist_by_loop(
        &mut self,
        stm: &Stm,
        width: Atom,
        dests: &[Var],
        op: &Reduction,
        inputs: &[Var],
        lambda: &Lambda,
    ) {
        let columns = dests.len();
        let indices = lambda.body.result.len() - columns;
        let new_width = self.w.atom(width);
        let dest_types: Vec<Type> = dests.iter().map(|dest| self.w.ty_of(*dest)).collect();
        let rows: Vec<Type> =
            dest_types.iter().map(|ty| ty.with_dims(ty.dims()[indices..].to_vec())).collect();
        // Where each goes, what it is, and where it comes from: of those that hit.
        let mut written = self.w.copy_lambda(lambda);
        let place = self.w.b.new_var("from", Type::i64());
        written.params.push(place);
        let places = written.body.result[..indices].to_vec();
        self.w.b.begin_body();
        let inside = self.inside(&places, &dest_types[0]);
        let test = self.w.b.end_body(Vec::new());
        written.body.stms.extend(test.stms);
        written.body.result.insert(0, inside);
        written.body.result.push(place.into());
        let mut arrays = self.w.vars(inputs);
        arrays.push(self.w.iota(new_width));
        let count = self.w.b.new_var("count", Type::i64());
        let in_all = |ty: &Type| ty.array_of(Dim::size(count));
        let mut types: Vec<Type> = vec![in_all(&Type::i64()); indices];
        types.extend(rows.iter().map(in_all));
        types.push(in_all(&Type::i64()));
        let found: Vec<Var> = types.into_iter().map(|ty| self.w.b.new_var("hit", ty)).collect();
        let bound = std::iter::once(count).chain(found.iter().copied()).collect();
        let filter = Operator::Filter { width: new_width, inputs: arrays, lambda: written };
        self.w.bind_new(bound, Exp::Op(filter));
        let (at, rest) = found.split_at(indices);
        let (values, from) = rest.split_at(columns);

        let tape = self.bins_found(count.into(), dests, op, at, values, &rows);

        let active: Vec<usize> = (0..columns).filter(|column| self.is_active(stm.vars[*column])).collect();
        let mut initials: Vec<Atom> = active.iter().map(|at| self.take_owned(stm.vars[*at])).collect();
        for column in &active {
            initials.push(self.zeros_for(values[*column]).into());
        }
        let inside = self.surroundings_of(&op.lambda);
        let last = self.loop_in_reverse(count.into(), &initials, &inside, |r, i, carried| {
            let (bins, lists) = carried.split_at(active.len());
            let there: Vec<Atom> = at.iter().map(|at| r.w.index(*at, &[i])).collect();
            let args: Vec<Atom> = tape.iter().chain(values).map(|array| r.w.index(*array, &[i])).collect();
            let mut weights = vec![None; columns];
            for (column, bins) in active.iter().zip(bins) {
                let weight = bins.var().map(|bins| r.w.index(bins, &there));
                weights[*column] = weight.map(|weight| r.fresh_copy(weight));
            }
            let found = r.apply_back(&op.lambda, &args, &weights);
            let mut next = Vec::new();
            for (column, bins) in active.iter().zip(bins) {
                let value = found[*column].unwrap_or_else(|| r.w.zeros_like(args[*column]));
                next.extend(bins.var().map(|bins| Atom::Var(r.w.update(bins, &there, value))));
            }
            for (column, list) in active.iter().zip(lists) {
                let value = found[columns + column].unwrap_or_else(|| r.w.zeros_like(args[columns + column]));
                next.extend(list.var().map(|list| Atom::Var(r.w.update(list, &[i], value))));
            }
            next
        });
        let (bins, lists) = last.split_at(active.len());
        for (column, bins) in active.iter().zip(bins) {
            self.add(dests[*column].into(), (*bins).into(), true);
        }
        // Those that missed have no adjoint.
        let mut spread = Vec::new();
        for list in lists {
            spread.extend(self.spread(new_width, count.into(), from[0], *list));
        }
        self.lambda_back(width, inputs, lambda, &spread, |_, result, rows| {
            active.iter().zip(rows).map(|(at, row)| (result[indices + at], *row)).collect()
        });
    }

    /// What each value found in its bin.
    fn bins_found(
        &mut self,
        count: Atom,
        dests: &[Var],
        op: &Reduction,
        at: &[Var],
        values: &[Var],
        rows: &[Type],
    ) -> Vec<Var> {
        let mut initials = Vec::new();
        for dest in dests {
            let dest = self.w.var(*dest);
            initials.push(Atom::Var(self.w.array_copy(dest)));
        }
        for row in rows {
            initials.push(self.w.zeros(&row.array_of(Dim::Size(count))));
        }
        self.w.b.begin_body();
        let mut params = Vec::new();
        for initial in &initials {
            let ty = self.w.b.atom_ty(*initial);
            params.push(Param::unique(self.w.b.new_var("bins", ty)));
        }
        let i = self.w.b.new_var("i", Type::i64());
        let there: Vec<Atom> = at.iter().map(|at| self.w.index(*at, &[i.into()])).collect();
        let (bins, tapes) = params.split_at(dests.len());
        let mut found = Vec::new();
        let mut saved = Vec::new();
        for (bins, tape) in bins.iter().zip(tapes) {
            let value = self.w.index(bins.var, &there);
            let value = self.fresh_copy(value);
            saved.push(Atom::Var(self.w.update(tape.var, &[i.into()], value)));
            found.push(value);
        }
        found.extend(values.iter().map(|values| self.w.index(*values, &[i.into()])).collect::<Vec<_>>());
        for (param, arg) in op.lambda.params.iter().zip(&found) {
            self.w.set(*param, *arg);
        }
        op.lambda.body.stms.iter().for_each(|stm| self.w.copy(stm));
        let combined = self.w.atoms(&op.lambda.body.result);
        let mut result = Vec::new();
        for (bins, value) in bins.iter().zip(combined) {
            result.push(Atom::Var(self.w.update(bins.var, &there, value)));
        }
        result.extend(saved);
        let body: Body = self.w.b.end_body(result);
        let vars: Vec<Var> = params
            .iter()
            .map(|param| {
                let ty = self.w.b.ty(param.var).clone();
                self.w.b.new_var("found", ty)
            })
            .collect();
        let params = params.into_iter().zip(initials).collect();
        let form = LoopForm::For(i, count);
        self.w.bind_new(vars.clone(), Exp::Control(ControlExp::Loop { params, form, body }));
        vars[dests.len()..].to_vec()
    }
}
