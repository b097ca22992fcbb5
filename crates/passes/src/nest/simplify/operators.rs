//! Parallel operators that are known to do little.
//!
//! ```text
//! reduce 0 xs op neutral            neutral
//! map 1 xs f                        array (f xs[0])
//! map n xs (\x -> x)               xs, or a copy if one of them is overwritten
//! map n xs (\x -> y)               replicate n y
//! map n xs transpose                rearrange xs (0, 2, 1), unless that or xs is overwritten
//! scatter d from (as ++ bs)         scatter (scatter d from as) from bs
//! filter xs f, for its length       reduce (map (i64.bool . f) xs) (+) 0
//! ```
//!
//! Besides, the facts about parameters of lambdas are recorded: that an element of `0, 1, ..` is an index below the width, and that
//! the elements of `replicate n y` are `y`, so the input can go (`elements`). What they read at the number of their element becomes an input (`own_rows`). A reduction of floats over one element is not that
//! element: `0 + -0` is `0`, and the maximum of NaN and the smallest number is that number (`is_exact`).
//!
//! Refuses operators over irregular rows, whose results carry lengths of their own.

use super::{Outcome, Simplifier};
use crate::nest::inputs::{applied_mut, param_groups};
use crate::nest::subst::Subst;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    Applied, ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Elem, Exp, Lambda, Operator, Prim,
    Reduction, ScalarExp, Stm, Type, Var,
};

/// Into so many scatters one is taken apart.
const MOST_PARTS: usize = 4;

impl Simplifier<'_> {
    pub(super) fn operator(&mut self, mut stm: Stm) -> Outcome {
        if let Exp::Op(Operator::Reduce { width, op, inputs: _ }) = &stm.exp
            && *width == Atom::i64(0)
        {
            let neutral = op.neutral.clone();
            let known = stm.vars.iter().zip(&neutral).all(|(var, atom)| match atom {
                Atom::Const(_) => true,
                Atom::Var(atom) => self.ty(*var).is_scalar() || self.memory.share(*var, *atom),
            });
            if known {
                for (var, atom) in stm.vars.iter().zip(neutral) {
                    self.replace(*var, atom);
                }
                return Outcome::Gone;
            }
        }
        if self.is_applied_once(&stm) {
            return self.apply_once(stm);
        }
        if let Some(parts) = self.parts_scattered(&stm) {
            return self.scatter_parts(stm, parts);
        }
        self.count_kept(&mut stm);
        self.elements(&mut stm);
        self.own_rows(&mut stm);
        let clock = self.clock;
        self.lambdas(&mut stm);
        match &mut stm.exp {
            Exp::Op(Operator::Filter { lambda, .. }) => self.kept_columns(lambda),
            Exp::Op(Operator::Reduce { op, .. } | Operator::Scan { op, .. }) => self.commutes(op),
            Exp::Op(Operator::Fused { scans, reductions, .. }) => {
                scans.iter_mut().chain(reductions).for_each(|op| self.commutes(op));
            }
            _ => {}
        }
        let Exp::Op(Operator::Map { width, inputs, lambda }) = &mut stm.exp else {
            return Outcome::Keep(stm);
        };
        let (width, inputs) = (*width, inputs.clone());
        let groups: Vec<Vec<Var>> =
            param_groups(&self.vars, &inputs, &lambda.params).iter().map(|group| group.to_vec()).collect();
        let results = lambda.body.result.clone();
        let rearranged: Vec<Option<(Var, Vec<usize>)>> =
            results.iter().map(|result| rearranged_input(lambda, *result, &inputs, &groups)).collect();
        let mut left = Vec::new();
        for (i, (var, result)) in stm.vars.clone().into_iter().zip(results).enumerate() {
            let input = inputs.iter().zip(&groups).find(|(_, group)| group.last().copied() == result.var());
            if let Some((input, _)) = input
                && self.agree(var, *input)
            {
                if !self.replace_shared(var, *input) {
                    self.instead(var, Exp::copy(*input), &stm);
                }
            } else if self.is_older(result, clock) && self.is_row(var, result) {
                self.instead(var, Exp::replicate(width, result), &stm);
            } else if let Some((input, perm)) = rearranged[i].clone()
                && self.memory.share(var, input)
            {
                self.instead(var, Exp::rearrange(input, perm), &stm);
            } else {
                left.push(i);
            }
        }
        if left.len() < stm.vars.len() {
            self.changed = true;
            stm.vars = left.iter().map(|i| stm.vars[*i]).collect();
            if let Exp::Op(Operator::Map { lambda, .. }) = &mut stm.exp {
                lambda.body.result = left.iter().map(|i| lambda.body.result[*i]).collect();
                if left.is_empty() && lambda.body.stms.is_empty() {
                    return Outcome::Gone;
                }
            }
        }
        Outcome::Keep(stm)
    }

    /// Of a scatter of concatenations that are cut at the same places, what each part has: how much, and the inputs.
    fn parts_scattered(&self, stm: &Stm) -> Option<Vec<(Atom, Vec<Var>)>> {
        let Exp::Op(Operator::Scatter { inputs, lambda, .. }) = &stm.exp else { return None };
        let arrays = |input: &Var| match self.def((*input).into())? {
            Exp::Array(ArrayExp::Concat { arrays, size: _ }) => Some(arrays),
            _ => None,
        };
        let columns: Vec<&Vec<Var>> = inputs.iter().map(arrays).collect::<Option<_>>()?;
        let count = columns.first()?.len();
        let is_plain = lambda.body.stms.is_empty() && lambda.params.len() == inputs.len();
        if !is_plain || count > MOST_PARTS || columns.iter().any(|column| column.len() != count) {
            return None;
        }
        let mut parts = Vec::with_capacity(count);
        for part in 0..count {
            let inputs: Vec<Var> = columns.iter().map(|column| column[part]).collect();
            let size = |array: &Var| self.ty(*array).dims()[0].atom().map(|size| self.subst.atom(size));
            let width = size(&inputs[0])?;
            if inputs.iter().any(|input| size(input) != Some(width) || self.memory.is_taken(*input)) {
                return None;
            }
            parts.push((width, inputs));
        }
        Some(parts)
    }

    fn scatter_parts(&mut self, stm: Stm, mut parts: Vec<(Atom, Vec<Var>)>) -> Outcome {
        let Exp::Op(Operator::Scatter { dests, inputs, lambda, .. }) = &stm.exp else {
            return Outcome::Keep(stm);
        };
        let (mut dests, lambda) = (dests.clone(), lambda.clone());
        let mut certs = stm.certs.clone();
        certs.extend(inputs.iter().flat_map(|input| self.relied(*input)));
        let last = parts.pop();
        for (width, inputs) in parts {
            let params: Vec<Var> = lambda
                .params
                .iter()
                .map(|param| self.new_var(&self.vars[param.0 as usize].name.clone(), self.ty(*param).clone()))
                .collect();
            let values = params.iter().map(|param| Atom::Var(*param));
            let mut body = lambda.body.clone();
            Subst::of(&lambda.params, values).body(&mut body);
            let mut vars = Vec::with_capacity(dests.len());
            for (var, dest) in stm.vars.iter().zip(&dests) {
                let next = self.new_var(&self.vars[var.0 as usize].name.clone(), self.ty(*var).clone());
                self.memory.join(next, *dest);
                vars.push(next);
            }
            let lambda = Lambda::new(params, body);
            let exp = Exp::Op(Operator::Scatter { width, dests, inputs, lambda });
            self.push(Stm { vars: vars.clone(), exp, certs: certs.clone(), ..stm.clone() });
            dests = vars;
        }
        self.changed = true;
        let Some((width, inputs)) = last else { return Outcome::Keep(stm) };
        Outcome::Keep(Stm { exp: Exp::Op(Operator::Scatter { width, dests, inputs, lambda }), certs, ..stm })
    }

    /// Whether the neutral element combined with any value is that value. Of floats it may not be: the sum of `0` and `-0` is `0`, and the
    /// maximum of NaN and any number is the number.
    fn is_exact(&self, op: &Lambda) -> bool {
        let is_float = |elem: Elem| matches!(elem, Elem::Prim(prim) if prim.is_float());
        !op.params.iter().any(|var| self.ty(*var).elem().is_some_and(is_float))
    }

    /// Whether an element can be combined with the neutral one here.
    fn combines_one(&self, stm: &Stm) -> bool {
        let scalars = |op: &Lambda| op.params.iter().all(|var| self.ty(*var).is_scalar());
        stm.exp.op().is_some_and(|op| op.reductions().iter().all(|op| self.is_exact(op) || scalars(op)))
    }

    /// The neutral element combined with these values.
    fn combined_once(&mut self, op: Reduction, values: &[Atom], like: &Stm) -> Vec<Atom> {
        if self.is_exact(&op.lambda) {
            return values.to_vec();
        }
        for (param, value) in op.lambda.params.iter().zip(op.neutral.iter().chain(values)) {
            self.emit_simplified(Stm { vars: vec![*param], exp: Exp::atom(*value), ..like.clone() });
        }
        let results = op.lambda.body.result.clone();
        self.splice(&[], &like.certs, op.lambda.body);
        results.into_iter().map(|result| self.subst.atom(result)).collect()
    }

    fn is_applied_once(&self, stm: &Stm) -> bool {
        let irregular = |var: &Var| self.ty(*var).has_irregular_rows();
        match &stm.exp {
            Exp::Op(
                Operator::Map { width, inputs, .. }
                | Operator::Fused { width, inputs, .. }
                | Operator::Reduce { width, inputs, .. }
                | Operator::Scan { width, inputs, .. },
            ) => {
                *width == Atom::i64(1)
                    && self.combines_one(stm)
                    && !inputs.iter().chain(&stm.vars).any(irregular)
            }
            _ => false,
        }
    }

    /// The statements of a lambda that is applied once, in place of its operator. What an operator yields is new, so arrays are copied.
    fn apply_once(&mut self, stm: Stm) -> Outcome {
        self.changed = true;
        if let Exp::Op(Operator::Scan { op, inputs, .. }) = &stm.exp
            && self.is_exact(&op.lambda)
        {
            for (var, input) in stm.vars.iter().zip(inputs) {
                self.instead(*var, Exp::copy(*input), &stm);
            }
            return Outcome::Gone;
        }
        let Stm { vars, certs, grid, exp, attrs, span } = stm;
        let (inputs, lambda, scans, reductions) = match exp {
            Exp::Op(Operator::Map { inputs, lambda, .. }) => (inputs, Some(lambda), Vec::new(), Vec::new()),
            Exp::Op(Operator::Fused { inputs, lambda, scans, reductions, .. }) => {
                (inputs, Some(lambda), scans, reductions)
            }
            Exp::Op(Operator::Reduce { inputs, op, .. }) => (inputs, None, Vec::new(), vec![op]),
            Exp::Op(Operator::Scan { inputs, op, .. }) => (inputs, None, vec![op], Vec::new()),
            exp => return Outcome::Keep(Stm { vars, certs, grid, exp, attrs, span }),
        };
        let like =
            |exp| Stm { certs: certs.clone(), attrs: attrs.clone(), ..Stm::new(Vec::new(), exp, span) };
        let first = |input: &Var| Exp::index(*input, vec![DimIndex::Fix(Atom::i64(0))]);
        let mut values: Vec<Atom> = Vec::new();
        match lambda {
            Some(lambda) => {
                for (input, param) in inputs.iter().zip(&lambda.params) {
                    self.emit_simplified(Stm { vars: vec![*param], ..like(first(input)) });
                }
                values.extend(&lambda.body.result);
                self.splice(&[], &certs, lambda.body);
            }
            None => {
                for input in &inputs {
                    let ty = self.ty(*input).row().expect("simplify: an input of no rows");
                    values.push(self.emit("first", ty, first(input), &like(first(input))).into());
                }
            }
        }
        let mut values: Vec<Atom> = values.into_iter().map(|value| self.subst.atom(value)).collect();
        let columns = |ops: &[Reduction]| ops.iter().map(|op| op.neutral.len()).sum::<usize>();
        let reduced = columns(&scans)..columns(&scans) + columns(&reductions);
        let mut at = 0;
        for op in scans.into_iter().chain(reductions) {
            let end = at + op.neutral.len();
            let combined = self.combined_once(op, &values[at..end], &like(Exp::atom(Atom::i64(0))));
            values.splice(at..end, combined);
            at = end;
        }
        for (i, (var, value)) in vars.iter().zip(values).enumerate() {
            match value {
                _ if !reduced.contains(&i) => {
                    self.emit_simplified(Stm { vars: vec![*var], ..like(Exp::array(vec![value])) });
                }
                // What is known of memory is about the operator: whether the copy can go is decided in the next round.
                Atom::Var(row) if !self.ty(row).is_scalar() => {
                    self.push(Stm { vars: vec![*var], ..like(Exp::copy(row)) });
                }
                Atom::Var(_) | Atom::Const(_) => {
                    self.emit_simplified(Stm { vars: vec![*var], ..like(Exp::atom(value)) });
                }
            }
        }
        Outcome::Gone
    }

    /// How many rows a filter keeps is a sum, if nobody needs the rows.
    fn count_kept(&mut self, stm: &mut Stm) {
        let span = stm.span;
        let Exp::Op(Operator::Filter { width, inputs, lambda }) = &mut stm.exp else { return };
        let ([_], [kept]) = (&stm.vars[..], &lambda.body.result[..]) else { return };
        let (width, inputs) = (*width, std::mem::take(inputs));
        let one = self.new_var("one", Type::i64());
        let exp = Exp::convert(Prim::Bool, Prim::I64, *kept);
        lambda.body.stms.push(Stm::new(vec![one], exp, span));
        lambda.body.result = vec![one.into()];
        let lambda = std::mem::replace(lambda, Lambda::new(Vec::new(), Body::default()));
        let [a, b, sum] = ["a", "b", "sum"].map(|name| self.new_var(name, Type::i64()));
        let exp = Exp::bin(BinOp::Add, Prim::I64, a.into(), b.into());
        let body = Body { stms: vec![Stm::new(vec![sum], exp, span)], result: vec![sum.into()] };
        let op = Reduction {
            lambda: Lambda::new(vec![a, b], body),
            neutral: vec![Atom::i64(0)],
            commutative: true,
        };
        stm.exp = Exp::Op(Operator::Fused { width, inputs, lambda, scans: Vec::new(), reductions: vec![op] });
        self.changed = true;
    }

    /// What a column is where the row is not kept does not matter.
    fn kept_columns(&mut self, lambda: &mut Lambda) {
        let (kept, columns) = match &mut lambda.body.result[..] {
            [kept, columns @ ..] => (*kept, columns),
            [] => return,
        };
        for column in columns {
            let found = lambda.body.stms.iter().find_map(|stm| {
                let at = stm.vars.iter().position(|var| Atom::Var(*var) == *column)?;
                match &stm.exp {
                    Exp::Control(ControlExp::If { cond, then, .. })
                        if *cond == kept && then.stms.is_empty() =>
                    {
                        Some(then.result[at])
                    }
                    _ => None,
                }
            });
            if let Some(found) = found {
                *column = found;
                self.changed = true;
            }
        }
    }

    /// An operator that is one operation on each column commutes if that does.
    fn commutes(&mut self, op: &mut Reduction) {
        let Lambda { params, body } = &op.lambda;
        let half = params.len() / 2;
        let is_plain = |i: usize| {
            let (x, y): (Atom, Atom) = (params[i].into(), params[half + i].into());
            body.stms.iter().any(|stm| match stm.exp {
                Exp::Scalar(ScalarExp::Bin(op, _, a, b)) => {
                    op.is_commutative()
                        && ((a, b) == (x, y) || (a, b) == (y, x))
                        && body.result[i] == stm.vars[0].into()
                }
                _ => false,
            })
        };
        if !op.commutative && (0..half).all(is_plain) {
            op.commutative = true;
            self.changed = true;
        }
    }

    /// What is known of the elements of inputs, and of the width where the lambda runs.
    fn lambdas(&mut self, stm: &mut Stm) {
        let Some(Applied { width, inputs, lambda, skipped }) = applied_mut(&mut stm.exp) else {
            return stm.for_each_part_mut(&mut |part| match part {
                PartMut::Lambda(lambda) => self.lambda(lambda),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) | PartMut::Body(_) => {}
            });
        };
        self.in_owner(|walk| {
            walk.bind_all(&lambda.params, &[]);
            walk.bounds.at_least(width, 1, &[]);
            let counted: Vec<(Var, Atom)> = param_groups(&walk.vars, inputs, &lambda.params[skipped..])
                .iter()
                .zip(&*inputs)
                .filter_map(|(group, input)| Some((*group.last()?, walk.iota(*input)?)))
                .collect();
            for (param, count) in counted {
                walk.bounds.count(param, count);
            }
            walk.block(&mut lambda.body);
        });
        match &mut stm.exp {
            Exp::Op(Operator::Fused { scans, reductions, .. }) => {
                scans.iter_mut().chain(reductions).for_each(|op| self.lambda(&mut op.lambda));
            }
            Exp::Op(Operator::Hist { op, .. }) => self.lambda(&mut op.lambda),
            Exp::Op(Operator::AccStream { op, .. }) => {
                op.iter_mut().for_each(|op| self.lambda(&mut op.lambda))
            }
            _ => {}
        }
    }

    /// Of the array `0, 1, ..` its length.
    pub(super) fn iota(&self, array: Var) -> Option<Atom> {
        match self.def(array.into())? {
            Exp::Array(ArrayExp::Range { prim: Prim::I64, count, start, step })
                if *start == Atom::i64(0) && *step == Atom::i64(1) =>
            {
                Some(*count)
            }
            _ => None,
        }
    }

    /// Elements of arrays that are all the same are that; those of ranges are computed from `0, 1, ..`.
    fn elements(&mut self, stm: &mut Stm) {
        let (certs, span) = (stm.certs.clone(), stm.span);
        let Some(Applied { inputs, lambda, skipped, .. }) = applied_mut(&mut stm.exp) else { return };
        let groups: Vec<Vec<Var>> = param_groups(&self.vars, inputs, &lambda.params[skipped..])
            .iter()
            .map(|group| group.to_vec())
            .collect();
        for (input, group) in inputs.iter_mut().zip(groups) {
            let [param] = group[..] else { continue };
            match self.def((*input).into()) {
                Some(Exp::Array(ArrayExp::Replicate { count: _, value })) => {
                    let value = *value;
                    match value {
                        Atom::Var(row) if !self.ty(param).is_scalar() => {
                            if self.agree(param, row) {
                                self.replace_shared(param, row);
                            }
                        }
                        Atom::Const(_) | Atom::Var(_) => {
                            self.replace(param, value);
                        }
                    }
                }
                Some(Exp::Array(ArrayExp::Range { prim, count, start, step }))
                    if self.iota(*input).is_none() =>
                {
                    let (prim, count, start, step) = (*prim, *count, *start, *step);
                    let certs = [self.relied(*input), certs.clone()].concat();
                    let like = Stm { certs, ..Stm::new(Vec::new(), Exp::Scalar(ScalarExp::Workers), span) };
                    let exp = Exp::iota(count);
                    *input = self.emit("i", Type::array(Prim::I64, vec![Dim::Size(count)]), exp, &like);
                    let index = self.new_var("i", Type::i64());
                    lambda.params.iter_mut().filter(|old| **old == param).for_each(|old| *old = index);
                    let mut computed = Vec::new();
                    let mut bind = |var: Var, exp: Exp| {
                        computed.push(Stm::new(vec![var], exp, span));
                        Atom::Var(var)
                    };
                    let [number, offset] = ["x", "x"].map(|name| self.new_var(name, Type::scalar(prim)));
                    let number = bind(number, Exp::convert(Prim::I64, prim, index.into()));
                    let offset = bind(offset, Exp::bin(BinOp::Mul, prim, number, step));
                    bind(param, Exp::bin(BinOp::Add, prim, start, offset));
                    lambda.body.stms.splice(0..0, computed);
                    self.changed = true;
                }
                _ => {}
            }
        }
    }

    /// Another statement binds a result.
    fn instead(&mut self, var: Var, exp: Exp, stm: &Stm) {
        let stm = Stm { certs: stm.certs.clone(), ..Stm::new(vec![var], exp, stm.span) };
        self.push(stm);
    }

    /// Whether replicating the value yields an array of the variable's type.
    fn is_row(&self, var: Var, value: Atom) -> bool {
        let Some(row) = self.ty(var).row() else { return false };
        match value {
            Atom::Const(scalar) => row.prim() == Some(scalar.prim()),
            Atom::Var(value) => row.same_pattern(self.ty(value)),
        }
    }
}

/// The input whose rows a map only rearranges for this result, and how.
fn rearranged_input(
    lambda: &Lambda,
    result: Atom,
    inputs: &[Var],
    groups: &[Vec<Var>],
) -> Option<(Var, Vec<usize>)> {
    let result = result.var()?;
    let stm = lambda.body.stms.iter().find(|stm| stm.vars[..] == [result])?;
    let Exp::Array(ArrayExp::Rearrange { array, perm }) = &stm.exp else { return None };
    let (input, _) = inputs.iter().zip(groups).find(|(_, group)| group[..] == [*array])?;
    Some((*input, [0].into_iter().chain(perm.iter().map(|dim| dim + 1)).collect()))
}
