//! Reductions and scans on the way back.
//!
//! ```text
//! s = reduce (+) xs       xs_adj = replicate n s_adj
//! s = reduce min xs       xs_adj[i] = if i is the first with xs[i] = s then s_adj else 0
//! s = reduce op xs        xs_adj[i] = what vjp of \x -> (l[i] op x) op r[i] makes of s_adj, where l and r are exclusive scans from both sides
//! ys = scan (+) xs        xs_adj = a scan of ys_adj from the end
//! ys = scan op xs         r[i] = ys_adj[i] + a[i+1] * r[i+1], where a[i+1] is how ys[i+1] changes with ys[i]: a scan of affine functions, of numbers
//! ```
//!
//! Of other scans than those of numbers, a loop from the end carries the adjoint. So it does where the neutral element has one: what a loop hands from reduction to reduction, as
//! in `loop best = inf for .. do reduce min best xs`, comes in exactly once, before all elements.

use super::Reverse;
use super::sums::{is_sum, operator_of};
use crate::writer::width as width_of;
use norn_ir::nest::{Atom, BinOp, Body, Dim, Exp, Lambda, Prim, Reduction, Scalar, Stm, Type, Var};

impl Reverse<'_, '_> {
    pub(super) fn reduce(&mut self, stm: &Stm, width: Atom, op: &Reduction, inputs: &[Var]) {
        if inputs.len() != op.neutral.len() {
            self.unsupported("a reduction of rows of different lengths");
            return self.drop_adjoints(&stm.vars);
        }
        let weights: Vec<Option<Atom>> =
            stm.vars.iter().map(|var| self.take(*var).map(|dense| dense.value)).collect();
        let width = self.w.atom(width);
        if is_sum(self.work.prog, &op.lambda) {
            for ((input, ne), weight) in inputs.iter().zip(&op.neutral).zip(&weights) {
                let Some(weight) = *weight else { continue };
                if self.is_active(*input) {
                    let ty = self.w.ty_of(*input);
                    let all = self.w.emit("adjoint", ty, Exp::replicate(width, weight));
                    self.add((*input).into(), all.into(), true);
                }
                self.add(*ne, weight, false);
            }
            return;
        }
        if !self.begins_with_adjoint(op)
            && let Some((BinOp::Min | BinOp::Max, prim)) = operator_of(self.work.prog, &op.lambda)
        {
            return self.reduce_to_extreme(stm, width, prim, (inputs[0], op.neutral[0]), weights[0]);
        }
        let arrays = self.w.vars(inputs);
        let lefts = self.prefixes(width, op, &arrays);
        if self.begins_with_adjoint(op) {
            let own = vec![None; inputs.len()];
            return self.combine_by_loop(width, op, inputs, [&lefts, &arrays], &own, &weights);
        }
        let backwards: Vec<Var> = arrays.iter().map(|array| self.reversed(*array)).collect();
        let rights = self.exclusive(width, op, &backwards, true);
        let rights: Vec<Var> = rights.into_iter().map(|array| self.reversed(array)).collect();
        let columns = inputs.len();
        let all: Vec<Var> = lefts.into_iter().chain(arrays).chain(rights).collect();
        let wanted: Vec<usize> = (0..columns).filter(|at| self.is_active(inputs[*at])).collect();
        let found = self.map_back(width, &all, |r, rows| {
            let (left, rest) = rows.split_at(columns);
            let (x, right) = rest.split_at(columns);
            let both: Vec<Atom> = left.iter().chain(x).copied().collect();
            let until = r.apply(&op.lambda, &both);
            let args: Vec<Atom> = until.iter().chain(right).copied().collect();
            let middle = r.apply_back(&op.lambda, &args, &weights);
            let found = r.apply_back(&op.lambda, &both, &middle[..columns]);
            wanted.iter().map(|at| r.given_or_zeros(found[columns + at], x[*at])).collect()
        });
        for (at, adjoint) in wanted.into_iter().zip(found) {
            self.add_like(inputs[at], adjoint);
        }
    }

    /// The first that is as the result has won, unless the neutral element has.
    fn reduce_to_extreme(
        &mut self,
        stm: &Stm,
        width: Atom,
        prim: Prim,
        (input, neutral): (Var, Atom),
        weight: Option<Atom>,
    ) {
        let Some(weight) = weight.filter(|_| self.is_active(input)) else { return };
        let (array, result) = (self.w.var(input), self.w.atom(stm.vars[0].into()));
        let neutral = self.w.atom(neutral);
        let none = Atom::i64(i64::MAX);
        let places = self.generate("places", width, |r, at| {
            let element = r.w.index(array, &[at]);
            let is_same = r.w.bin(BinOp::Eq, prim, element, result);
            r.w.choose(is_same, Type::i64(), at, none)
        });
        let op = self.number_operator(BinOp::Min, Prim::I64, none);
        let first = self.w.emit("first", Type::i64(), Exp::reduce(width, op, vec![places]));
        let scalar = Type::scalar(prim);
        let zero = Atom::Const(Scalar::zero(prim));
        let is_neutral = self.w.bin(BinOp::Eq, prim, neutral, result);
        let weight = self.w.choose(is_neutral, scalar.clone(), zero, weight);
        let adjoint = self.generate("adjoint", width, |r, at| {
            let has_won = r.w.bin(BinOp::Eq, Prim::I64, at, first.into());
            r.w.choose(has_won, scalar, weight, zero)
        });
        self.add_like(input, adjoint);
    }

    /// Whether the neutral element is active, and so no constant.
    fn begins_with_adjoint(&self, op: &Reduction) -> bool {
        op.neutral.iter().any(|ne| self.is_active_atom(*ne))
    }

    /// The adjoint, or zeros in the form of a new value.
    fn given_or_zeros(&mut self, found: Option<Atom>, like: Atom) -> Atom {
        found.unwrap_or_else(|| self.w.zeros_like(like))
    }

    /// Added to the adjoint of an array, under its type.
    pub(super) fn add_like(&mut self, array: Var, adjoint: Var) {
        let ty = self.w.ty_of(array);
        let adjoint = if *self.w.b.ty(adjoint) == ty {
            adjoint
        } else {
            self.w.emit("adjoint", ty.clone(), Exp::coerce(adjoint, ty.dims().to_vec()))
        };
        self.add(array.into(), adjoint.into(), true);
    }

    /// What comes before each element, combined.
    fn prefixes(&mut self, width: Atom, op: &Reduction, arrays: &[Var]) -> Vec<Var> {
        self.exclusive(width, op, arrays, false)
    }

    /// An exclusive scan of new arrays; with the operands exchanged where these are in the opposite order.
    fn exclusive(&mut self, width: Atom, op: &Reduction, arrays: &[Var], flipped: bool) -> Vec<Var> {
        let mut op = self.w.copy_reduction(op);
        if flipped {
            let half = op.lambda.params.len() / 2;
            op.lambda.params.rotate_left(half);
        }
        let types: Vec<Type> = arrays.iter().map(|array| self.w.b.ty(*array).clone()).collect();
        let neutral = op.neutral.clone();
        let scanned: Vec<Var> = types.iter().map(|ty| self.w.b.new_var("scanned", ty.clone())).collect();
        self.w.bind_new(scanned.clone(), Exp::scan(width, op, arrays.to_vec()));
        scanned.iter().zip(neutral).map(|(array, ne)| self.shifted(*array, ne)).collect()
    }

    /// The array with this in front, and without its last element.
    fn shifted(&mut self, array: Var, first: Atom) -> Var {
        let ty = self.w.b.ty(array).clone();
        let row = ty.with_dims(ty.dims()[1..].to_vec());
        let shifted = self.generate("before", width_of(&ty), |r, at| {
            let is_first = r.w.bin(BinOp::Eq, Prim::I64, at, Atom::i64(0));
            r.w.b.begin_body();
            let previous = r.w.i64(BinOp::Sub, at, Atom::i64(1));
            let value = r.w.index(array, &[previous]);
            let els = r.w.b.end_body(vec![value]);
            let then = Body { stms: Vec::new(), result: vec![first] };
            r.w.emit("previous", row, Exp::if_(is_first, then, els)).into()
        });
        self.w.emit("before", ty.clone(), Exp::coerce(shifted, ty.dims().to_vec()))
    }

    pub(super) fn scan(&mut self, stm: &Stm, width: Atom, op: &Reduction, inputs: &[Var]) {
        if inputs.len() != op.neutral.len() {
            self.unsupported("a scan of rows of different lengths");
            return self.drop_adjoints(&stm.vars);
        }
        let width = self.w.atom(width);
        let begins_with_adjoint = self.begins_with_adjoint(op);
        let is_linear = !begins_with_adjoint
            && is_sum(self.work.prog, &op.lambda)
            && stm.vars.iter().all(|var| self.adjoints.contains_key(var));
        let weights: Vec<Option<Var>> =
            stm.vars.iter().map(|var| self.take(*var).and_then(|dense| dense.value.var())).collect();
        if is_linear {
            let weights: Vec<Var> = weights.into_iter().flatten().collect();
            let backwards: Vec<Var> = weights.iter().map(|weight| self.reversed(*weight)).collect();
            let mut op = self.w.copy_reduction(op);
            for (ne, weight) in op.neutral.iter_mut().zip(&weights) {
                let ty = self.w.b.ty(*weight).clone();
                *ne = self.w.zeros(&ty.with_dims(ty.dims()[1..].to_vec()));
            }
            let mut sums = Vec::new();
            for array in &backwards {
                let ty = self.w.b.ty(*array).clone();
                sums.push(self.w.b.new_var("sums", ty));
            }
            self.w.bind_new(sums.clone(), Exp::scan(width, op, backwards));
            for (input, sums) in inputs.iter().zip(sums) {
                let sums = self.reversed(sums);
                self.add_like(*input, sums);
            }
            return;
        }
        let arrays = self.w.vars(inputs);
        let results = self.w.vars(&stm.vars);
        let neutral = self.w.atoms(&op.neutral);
        let lefts: Vec<Var> =
            results.iter().zip(neutral).map(|(array, ne)| self.shifted(*array, ne)).collect();
        let prim = self.w.old_ty(stm.vars[0]).row().and_then(|row| row.prim());
        match (&weights[..], prim) {
            ([Some(weight)], Some(prim)) if !begins_with_adjoint => {
                self.scan_of_numbers(width, op, (inputs[0], prim), [lefts[0], arrays[0], *weight]);
            }
            _ => {
                let last = vec![None; inputs.len()];
                self.combine_by_loop(width, op, inputs, [&lefts, &arrays], &weights, &last);
            }
        }
    }

    /// A linear recurrence from the end, by a scan of affine functions `t -> c t + d`.
    fn scan_of_numbers(
        &mut self,
        width: Atom,
        op: &Reduction,
        (input, prim): (Var, Prim),
        [left, array, weight]: [Var; 3],
    ) {
        let (zero, one) = (Atom::Const(Scalar::zero(prim)), Atom::Const(Scalar::from_int(prim, 1)));
        // How much each result changes with the one before.
        let slopes = self.map_back(width, &[left, array], |r, rows| {
            let found = r.apply_back(&op.lambda, rows, &[Some(one)]);
            // Here nothing matters but this.
            r.adjoints.clear();
            vec![found[0].unwrap_or(zero)]
        });
        let slopes = self.reversed(slopes[0]);
        let slopes = self.shifted(slopes, zero);
        let backwards = self.reversed(weight);
        self.w.b.begin_body();
        let [c, d, e, f] = ["c", "d", "e", "f"].map(|name| self.w.b.new_var(name, Type::scalar(prim)));
        let both = self.w.bin(BinOp::Mul, prim, c.into(), e.into());
        let moved = self.w.bin(BinOp::Mul, prim, e.into(), d.into());
        let sum = self.w.bin(BinOp::Add, prim, f.into(), moved);
        let lambda = Lambda::new(vec![c, d, e, f], self.w.b.end_body(vec![both, sum]));
        let affine = Reduction { lambda, neutral: vec![one, zero], commutative: false };
        let ty = self.w.b.ty(weight).clone();
        let vars = ["products", "sums"].map(|name| self.w.b.new_var(name, ty.clone()));
        self.w.bind_new(vars.to_vec(), Exp::scan(width, affine, vec![slopes, backwards]));
        let sums = self.reversed(vars[1]);
        let found = self.map_back(width, &[left, array, sums], |r, rows| {
            let found = r.apply_back(&op.lambda, &rows[..2], &[Some(rows[2])]);
            vec![found[1].unwrap_or(zero)]
        });
        self.add_like(input, found[0]);
    }

    /// From the end, with the adjoints of what all elements yield together (`last`), and of what each yields with those before it.
    fn combine_by_loop(
        &mut self,
        width: Atom,
        op: &Reduction,
        inputs: &[Var],
        [lefts, arrays]: [&[Var]; 2],
        weights: &[Option<Var>],
        last: &[Option<Atom>],
    ) {
        let columns = inputs.len();
        let wanted: Vec<usize> = (0..columns).filter(|at| self.is_active(op.lambda.params[*at])).collect();
        if wanted.iter().any(|at| self.w.b.ty(arrays[*at]).dims().contains(&Dim::Irregular)) {
            return self.unsupported("a reduction or scan of rows of different lengths");
        }
        let mut initials = Vec::new();
        for at in &wanted {
            let ty = self.w.b.ty(arrays[*at]).clone();
            initials.push(match last[*at] {
                Some(last) => self.fresh_copy(last),
                None => self.w.zeros(&ty.with_dims(ty.dims()[1..].to_vec())),
            });
        }
        for at in &wanted {
            initials.push(self.zeros_for(arrays[*at]).into());
        }
        let inside = self.surroundings_of(&op.lambda);
        let found = self.loop_in_reverse(width, &initials, &inside, |r, at, carried| {
            let (later, lists) = carried.split_at(wanted.len());
            let mut total: Vec<Option<Atom>> = vec![None; columns];
            for (column, later) in wanted.iter().zip(later) {
                let own = weights[*column].map(|weight| r.w.index(weight, &[at]));
                total[*column] = Some(match own {
                    Some(own) => r.w.add(own, *later),
                    None => *later,
                });
            }
            let args: Vec<Atom> = lefts.iter().chain(arrays).map(|array| r.w.index(*array, &[at])).collect();
            let found = r.apply_back(&op.lambda, &args, &total);
            let mut next = Vec::new();
            for column in &wanted {
                let value = r.given_or_zeros(found[*column], args[*column]);
                next.push(r.fresh_copy(value));
            }
            for (column, list) in wanted.iter().zip(lists) {
                let value = r.given_or_zeros(found[columns + column], args[columns + column]);
                let Some(list) = list.var() else { continue };
                next.push(r.w.update(list, &[at], value).into());
            }
            next
        });
        let (first, elements) = found.split_at(wanted.len());
        for ((column, first), adjoint) in wanted.iter().zip(first).zip(elements) {
            self.add(op.neutral[*column], (*first).into(), true);
            self.add_like(inputs[*column], *adjoint);
        }
    }

    /// In memory of its own.
    pub(super) fn fresh_copy(&mut self, value: Atom) -> Atom {
        match value {
            Atom::Var(array) if self.w.b.ty(array).is_array() => self.w.array_copy(array).into(),
            value => value,
        }
    }

    /// What a lambda takes from outside, as `surroundings`.
    pub(super) fn surroundings_of(&self, lambda: &Lambda) -> Vec<Var> {
        let own = &lambda.params;
        self.surroundings(&[&lambda.body]).into_iter().filter(|var| !own.contains(var)).collect()
    }
}
