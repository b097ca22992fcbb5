//! Operators whose neutral element varies from row to row.
//!
//! ```text
//! map n (xss) \xs {                                let nothing: bool, s: f32 = fused n (xs) \x { in (false, x) }
//!   let first: f32 = index xs [0]                    reduce neutral (true, 0.0) \(no_a, a, no_b, b) { .. }
//!   let r: f32 = reduce n (xs)             ==>     let r: f32 = if nothing { in first } else {
//!     neutral (first) \(a, b) { .. }                 .. first .. s ..
//! ```
//!
//! A kernel for all rows at once combines parts of rows, and begins before it knows which row it is in. So whether there is anything yet is
//! a value of its own, and the neutral element of the row comes in at the end.
//!
//! The same is done outside of all maps where a loop goes on combining: `loop best = .. do reduce min best xs`. The host has to know the neutral elements of a kernel, and would
//! wait for `best` in every iteration; what is combined at the end can stay on the device.

use super::Distributor;
use super::context::Context;
use crate::nest::subst::Subst;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    Atom, BinOp, Body, Combining, Elem, Exp, Lambda, Operator, Prim, Reduction, Scalar, Stm, Type, Var,
};

impl Distributor<'_, '_> {
    /// Whether the statement combines scalars, with a neutral element that the maps around it bind.
    pub fn has_varying_neutral(&self, cx: &Context, stm: &Stm) -> bool {
        self.has_varying(stm, &|atom| cx.is_outside(atom))
    }

    fn has_varying(&self, stm: &Stm, is_outside: &dyn Fn(Atom) -> bool) -> bool {
        reductions(&stm.exp).iter().any(|op| self.varies(op, is_outside))
    }

    fn varies(&self, op: &Reduction, is_outside: &dyn Fn(Atom) -> bool) -> bool {
        let scalar = |param: &Var| matches!(self.names.ty(*param), Type::Value(Elem::Prim(_), dims) if dims.is_empty());
        op.lambda.params.iter().all(scalar) && !op.neutral.iter().all(|atom| is_outside(*atom))
    }

    /// The body with nothing but neutral elements from outside, in loops and branches, too, but not in lambdas. Whether there were others.
    pub fn body_with_nothing(&mut self, body: &mut Body, is_outside: &dyn Fn(Atom) -> bool) -> bool {
        let mut changed = false;
        let mut stms = Vec::with_capacity(body.stms.len());
        for mut stm in std::mem::take(&mut body.stms) {
            stm.for_each_part_mut(&mut |part| {
                if let PartMut::Body(body) = part {
                    changed |= self.body_with_nothing(body, is_outside);
                }
            });
            match self.with_nothing(&stm, is_outside) {
                Some(list) => {
                    changed = true;
                    stms.extend(list);
                }
                None => stms.push(stm),
            }
        }
        body.stms = stms;
        changed
    }

    /// What takes the place of a statement outside of all maps whose neutral elements a loop hands on.
    pub fn with_nothing_handed_on(&mut self, stm: &Stm) -> Option<Vec<Stm>> {
        let handed_on = std::mem::take(&mut self.handed_on);
        let list = self.with_nothing(stm, &|atom| atom.var().is_none_or(|var| !handed_on.contains(&var)));
        self.handed_on = handed_on;
        list
    }

    /// What takes the place of a statement with other ones.
    pub fn with_nothing(&mut self, stm: &Stm, is_outside: &dyn Fn(Atom) -> bool) -> Option<Vec<Stm>> {
        if !self.has_varying(stm, is_outside) {
            return None;
        }
        let Combining { width, inputs, lambda, scans, reductions } = stm.exp.op()?.combining()?;
        let mut lambda = self.names.lambda_or_rows(lambda, inputs);
        let mut columns = std::mem::take(&mut lambda.body.result).into_iter();
        let (mut vars, mut yielded) = (Vec::new(), stm.vars.iter().copied());
        let mut finish = Vec::new();
        let mut ops: Vec<Reduction> = Vec::new();
        for (number, op) in scans.iter().chain(reductions).enumerate() {
            let count = op.neutral.len();
            let results: Vec<Var> = yielded.by_ref().take(count).collect();
            let is_scan = number < scans.len();
            if self.varies(op, is_outside) {
                lambda.body.result.push(Atom::bool(false));
                let flags = Type::array(Prim::Bool, self.names.ty(results[0]).dims().to_vec());
                let nothing = self.names.fresh("nothing", flags);
                vars.push(nothing);
                match is_scan {
                    // There is always something.
                    true => vars.extend(&results),
                    false => {
                        let found = self.names.like(&results);
                        vars.extend(&found);
                        let exp = self.with_neutral(op, nothing, &found);
                        finish.push(Stm { vars: results, exp, ..stm.clone() });
                    }
                }
                ops.push(self.of_something(op, stm));
            } else {
                vars.extend(&results);
                ops.push(op.clone());
            }
            lambda.body.result.extend(columns.by_ref().take(count));
        }
        lambda.body.result.extend(columns);
        vars.extend(yielded);
        let reductions = ops.split_off(scans.len());
        let exp = Exp::Op(Operator::Fused { width, inputs: inputs.to_vec(), lambda, scans: ops, reductions });
        let mut list = vec![Stm { vars, exp, ..stm.clone() }];
        list.extend(finish);
        Some(list)
    }

    /// What has been combined, if anything, behind the neutral element.
    fn with_neutral(&mut self, op: &Reduction, nothing: Var, found: &[Var]) -> Exp {
        let Lambda { params, mut body } = self.names.copy_lambda(&op.lambda);
        let values = op.neutral.iter().copied().chain(found.iter().map(|var| (*var).into()));
        Subst::of(&params, values).body_and_types(&mut self.names.vars, &mut body);
        let then = Body { stms: Vec::new(), result: op.neutral.clone() };
        Exp::if_(nothing.into(), then, body)
    }

    /// The operator on values of which each may be nothing.
    fn of_something(&mut self, op: &Reduction, stm: &Stm) -> Reduction {
        let Lambda { params, body } = self.names.copy_lambda(&op.lambda);
        let (left, right) = params.split_at(params.len() / 2);
        let [no_left, no_right, nothing] =
            ["no_left", "no_right", "nothing"].map(|name| self.names.fresh(name, Type::bool()));
        let place = |vars: Vec<Var>, exp: Exp| Stm::new(vars, exp, stm.span);
        let only = |side: &[Var]| Body {
            stms: Vec::new(),
            result: side.iter().map(|var| Atom::Var(*var)).collect(),
        };
        let inner = self.names.like(left);
        let both = place(inner.clone(), Exp::if_(no_right.into(), only(left), body));
        let els = Body { stms: vec![both], ..only(&inner) };
        let outer = self.names.like(left);
        let either = place(outer.clone(), Exp::if_(no_left.into(), only(right), els));
        let neither = Exp::bin(BinOp::And, Prim::Bool, no_left.into(), no_right.into());
        let stms = vec![place(vec![nothing], neither), either];
        let result = [nothing].iter().chain(&outer).map(|var| Atom::Var(*var)).collect();
        let params = [&[no_left], left, &[no_right], right].concat();
        let blank = |param: &Var| match self.names.ty(*param).elem() {
            Some(Elem::Prim(prim)) => Atom::Const(Scalar::zero(prim)),
            Some(Elem::Ref(..)) | None => Atom::bool(false),
        };
        let neutral = [Atom::bool(true)].into_iter().chain(left.iter().map(blank)).collect();
        let lambda = Lambda::new(params, Body { stms, result });
        Reduction { lambda, neutral, commutative: op.commutative }
    }
}

fn reductions(exp: &Exp) -> Vec<&Reduction> {
    match exp {
        Exp::Op(Operator::Reduce { op, .. } | Operator::Scan { op, .. }) => vec![op],
        Exp::Op(Operator::Fused { scans, reductions, .. }) => scans.iter().chain(reductions).collect(),
        _ => Vec::new(),
    }
}
