//! Operators on values and tangents together.
//!
//! A reduction, scan or histogram works on pairs of a value and its tangent, by an operator that is the derivative of its own: it is as associative as that. Sums are
//! computed apart, since they are linear: the tangent of a sum is the sum of tangents.

use super::Forward;
use crate::reverse::sums::is_sum;
use norn_ir::nest::{Atom, Exp, Lambda, Operator, Reduction, Sorted, Stm, StreamForm, Type, Var};

impl Forward<'_, '_> {
    pub(super) fn operator(&mut self, stm: &Stm, op: &Operator) {
        match op {
            Operator::Map { width, inputs, lambda } => {
                let width = self.w.atom(*width);
                let active = self.which_are_active(&stm.vars);
                let (inputs, lambda) = self.elementwise(inputs, lambda, &active, 0);
                let vars = self.bind_with_tangents(&stm.vars);
                self.w.b.attrs(stm.attrs.clone());
                self.w.bind_new(vars, Exp::map(width, inputs, lambda));
            }
            Operator::Reduce { width, op, inputs } | Operator::Scan { width, op, inputs } => {
                let is_scan = matches!(stm.exp, Exp::Op(Operator::Scan { .. }));
                let make = |width, op, inputs| {
                    if is_scan { Exp::scan(width, op, inputs) } else { Exp::reduce(width, op, inputs) }
                };
                self.combining(stm, *width, op, inputs, &make);
            }
            Operator::Filter { width, inputs, lambda } | Operator::Partition { width, inputs, lambda } => {
                let width = self.w.atom(*width);
                let active = self.which_are_active(&stm.vars);
                let (inputs, lambda) = self.elementwise(inputs, lambda, &active, 0);
                let vars = self.bind_with_tangents(&stm.vars);
                let exp = match op {
                    Operator::Partition { .. } => Operator::Partition { width, inputs, lambda },
                    _ => Operator::Filter { width, inputs, lambda },
                };
                self.w.bind_new(vars, Exp::Op(exp));
            }
            Operator::Sort { width, keys, yields } => self.sort(stm, *width, *keys, *yields),
            Operator::Scatter { width, dests, inputs, lambda } => {
                let width = self.w.atom(*width);
                let active = self.which_are_active(&stm.vars);
                let all = self.dests(dests, &active);
                let indices = lambda.body.result.len() - dests.len();
                let written: Vec<bool> = vec![false; indices].into_iter().chain(active).collect();
                let (inputs, lambda) = self.elementwise(inputs, lambda, &written, 0);
                let vars = self.bind_with_tangents(&stm.vars);
                self.w.bind_new(vars, Exp::Op(Operator::Scatter { width, dests: all, inputs, lambda }));
            }
            Operator::Hist { width, dests, op, inputs, lambda } => {
                self.hist(stm, *width, dests, op, inputs, lambda);
            }
            Operator::Stream { width, form, inputs, lambda } => {
                self.stream(stm, *width, form, inputs, lambda)
            }
            Operator::AccStream { width, dests, op, inputs, lambda } => {
                self.acc_stream(stm, *width, dests, op.as_ref(), inputs, lambda);
            }
            Operator::Fused { .. } | Operator::Task(_) => self.no_tangents(stm, op.name()),
        }
    }

    /// Inputs with tangents behind them, and a lambda that takes the rows of these. `first` parameters come before those for inputs, and have been made.
    fn elementwise(
        &mut self,
        inputs: &[Var],
        lambda: &Lambda,
        active: &[bool],
        first: usize,
    ) -> (Vec<Var>, Lambda) {
        let mut all = self.w.vars(inputs);
        self.w.b.begin_body();
        let mut params: Vec<Var> = lambda.params[..first].iter().map(|param| self.w.var(*param)).collect();
        params.extend(lambda.params[first..].iter().map(|param| self.w.bind(*param)));
        let mut at = first;
        for input in inputs {
            let irregular = self.w.old_ty(*input).has_irregular_rows();
            let row = lambda.params[at + usize::from(irregular)];
            at += 1 + usize::from(irregular);
            if !self.is_active(*input) {
                continue;
            }
            all.push(self.tangent_array(*input));
            if irregular {
                params.push(self.w.b.new_var("length", Type::i64()));
            }
            params.push(self.new_tangent(row));
        }
        lambda.body.stms.iter().for_each(|stm| self.stm(stm));
        let result = self.results(&lambda.body.result, active);
        let lambda = Lambda::new(params, self.w.b.end_body(result));
        (all, lambda)
    }

    fn dests(&mut self, dests: &[Var], active: &[bool]) -> Vec<Var> {
        let tangents: Vec<Var> = dests
            .iter()
            .zip(active)
            .filter(|(_, active)| **active)
            .map(|(dest, _)| self.tangent_array(*dest))
            .collect();
        self.w.vars(dests).into_iter().chain(tangents).collect()
    }

    /// An operator on pairs of values and tangents: the columns of a value, then the tangents of the active ones.
    fn pairs(&mut self, op: &Lambda, active: &[bool]) -> Lambda {
        let (xs, ys) = op.params.split_at(active.len());
        self.w.b.begin_body();
        let mut params = Vec::new();
        for half in [xs, ys] {
            params.extend(half.iter().map(|param| self.w.bind(*param)));
            for (param, active) in half.iter().zip(active) {
                if *active {
                    params.push(self.new_tangent(*param));
                }
            }
        }
        op.body.stms.iter().for_each(|stm| self.stm(stm));
        let result = self.results(&op.body.result, active);
        Lambda::new(params, self.w.b.end_body(result))
    }

    fn paired(&mut self, op: &Reduction, active: &[bool]) -> Reduction {
        let mut neutral = self.w.atoms(&op.neutral);
        for (ne, active) in op.neutral.iter().zip(active) {
            if *active {
                neutral.push(self.tangent_or_zero(*ne));
            }
        }
        Reduction { lambda: self.pairs(&op.lambda, active), neutral, commutative: op.commutative }
    }

    fn combining(
        &mut self,
        stm: &Stm,
        width: Atom,
        op: &Reduction,
        inputs: &[Var],
        make: &dyn Fn(Atom, Reduction, Vec<Var>) -> Exp,
    ) {
        if inputs.len() != op.neutral.len() {
            return self.no_tangents(stm, "an operator on rows of different lengths");
        }
        let active = self.which_are_active(&stm.vars);
        let width = self.w.atom(width);
        if is_sum(self.work.prog, &op.lambda) && active.iter().all(|active| *active) {
            let zeros: Vec<Atom> = op.neutral.iter().map(|ne| self.tangent_or_zero(*ne)).collect();
            let changes: Vec<Var> = inputs.iter().map(|input| self.tangent_array(*input)).collect();
            self.w.copy(stm);
            let op = Reduction { neutral: zeros, ..self.w.copy_reduction(op) };
            let vars = stm.vars.iter().map(|var| self.new_tangent(*var)).collect();
            return self.w.bind_new(vars, make(width, op, changes));
        }
        let all = self.dests(inputs, &active);
        let op = self.paired(op, &active);
        let vars = self.bind_with_tangents(&stm.vars);
        self.w.b.attrs(stm.attrs.clone());
        self.w.bind_new(vars, make(width, op, all));
    }

    fn hist(
        &mut self,
        stm: &Stm,
        width: Atom,
        dests: &[Var],
        op: &Reduction,
        inputs: &[Var],
        lambda: &Lambda,
    ) {
        let active = self.which_are_active(&stm.vars);
        let width = self.w.atom(width);
        let indices = lambda.body.result.len() - dests.len();
        let written: Vec<bool> = vec![false; indices].into_iter().chain(active.iter().copied()).collect();
        if is_sum(self.work.prog, &op.lambda) && active.iter().all(|active| *active) {
            let zeros: Vec<Atom> = op.neutral.iter().map(|ne| self.tangent_or_zero(*ne)).collect();
            let changes: Vec<Var> = dests.iter().map(|dest| self.tangent_array(*dest)).collect();
            self.w.copy(stm);
            let (inputs, mut lambda) = self.elementwise(inputs, lambda, &written, 0);
            // The indices, then the tangents alone.
            lambda.body.result.drain(indices..indices + dests.len());
            let op = Reduction { neutral: zeros, ..self.w.copy_reduction(op) };
            let vars = stm.vars.iter().map(|var| self.new_tangent(*var)).collect();
            return self
                .w
                .bind_new(vars, Exp::Op(Operator::Hist { width, dests: changes, op, inputs, lambda }));
        }
        let all = self.dests(dests, &active);
        let op = self.paired(op, &active);
        let (inputs, lambda) = self.elementwise(inputs, lambda, &written, 0);
        let vars = self.bind_with_tangents(&stm.vars);
        self.w.bind_new(vars, Exp::Op(Operator::Hist { width, dests: all, op, inputs, lambda }));
    }

    /// Tangents go where their keys go.
    fn sort(&mut self, stm: &Stm, width: Atom, keys: Var, yields: Sorted) {
        let tangents = self.tangent_array(keys);
        let (width, keys) = (self.w.atom(width), self.w.var(keys));
        let sorted = self.w.bind(stm.vars[0]);
        let places = match yields {
            Sorted::Both => self.w.bind(stm.vars[1]),
            Sorted::Keys | Sorted::Places => {
                let ty = Type::array(norn_ir::nest::Prim::I64, vec![norn_ir::nest::Dim::size(width)]);
                self.w.b.new_var("places", ty)
            }
        };
        self.w.bind_new(vec![sorted, places], Exp::Op(Operator::Sort { width, keys, yields: Sorted::Both }));
        self.w.b.begin_body();
        let place = self.w.b.new_var("place", Type::i64());
        let tangent = self.w.index(tangents, &[place.into()]);
        let lambda = Lambda::new(vec![place], self.w.b.end_body(vec![tangent]));
        let vars = vec![self.new_tangent(stm.vars[0])];
        self.w.bind_new(vars, Exp::map(width, vec![places], lambda));
    }

    fn stream(&mut self, stm: &Stm, width: Atom, form: &StreamForm, inputs: &[Var], lambda: &Lambda) {
        let active = self.which_are_active(&stm.vars);
        let width = self.w.atom(width);
        let mut all = self.w.vars(inputs);
        let (accs, mut form) = match form {
            StreamForm::Map { any_order } => (0, StreamForm::Map { any_order: *any_order }),
            StreamForm::Reduce { any_order, op } => {
                let count = op.params.len() / 2;
                let op = self.pairs(op, &active[..count]);
                (count, StreamForm::Reduce { any_order: *any_order, op })
            }
            StreamForm::Seq { init } => (init.len(), StreamForm::Seq { init: self.dests_of(init, &active) }),
        };
        self.w.b.begin_body();
        let mut params = vec![self.w.bind(lambda.params[0])];
        let mut rest = &lambda.params[1..];
        if let StreamForm::Seq { .. } = &mut form {
            let (taken, chunks) = rest.split_at(accs);
            params.extend(taken.iter().map(|acc| self.w.bind(*acc)));
            for (acc, active) in taken.iter().zip(&active) {
                if *active {
                    params.push(self.new_tangent(*acc));
                }
            }
            rest = chunks;
        }
        params.extend(rest.iter().map(|chunk| self.w.bind(*chunk)));
        for (chunk, input) in rest.iter().zip(inputs) {
            if self.is_active(*input) {
                all.push(self.tangent_array(*input));
                params.push(self.new_tangent(*chunk));
            }
        }
        lambda.body.stms.iter().for_each(|stm| self.stm(stm));
        let (first, arrays) = lambda.body.result.split_at(accs);
        let mut result = self.results(first, &active[..accs]);
        result.extend(self.results(arrays, &active[accs..]));
        let lambda = Lambda::new(params, self.w.b.end_body(result));
        let mut vars = self.bind_with_tangents(&stm.vars[..accs]);
        vars.extend(self.bind_with_tangents(&stm.vars[accs..]));
        self.w.bind_new(vars, Exp::Op(Operator::Stream { width, form, inputs: all, lambda }));
    }

    /// Values, and behind them the tangents of the active ones.
    fn dests_of(&mut self, atoms: &[Atom], active: &[bool]) -> Vec<Atom> {
        let mut all = self.w.atoms(atoms);
        for (atom, active) in atoms.iter().zip(active) {
            if *active {
                all.push(self.tangent_or_zero(*atom));
            }
        }
        all
    }

    fn acc_stream(
        &mut self,
        stm: &Stm,
        width: Atom,
        dests: &[Var],
        op: Option<&Reduction>,
        inputs: &[Var],
        lambda: &Lambda,
    ) {
        let active = self.which_are_active(&stm.vars);
        let width = self.w.atom(width);
        let all = self.dests(dests, &active);
        let op = op.map(|op| self.paired(op, &active));
        self.acc_var(lambda.params[0]);
        let (inputs, lambda) = self.elementwise(inputs, lambda, &[false], 1);
        let vars = self.bind_with_tangents(&stm.vars);
        self.w.bind_new(vars, Exp::Op(Operator::AccStream { width, dests: all, op, inputs, lambda }));
    }
}
