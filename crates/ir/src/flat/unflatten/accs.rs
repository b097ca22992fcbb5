//! Accumulators: one pass over the space for each, in which the body writes to that one alone.
//!
//! nest has one accumulator at a time, and nothing else comes out of what writes to it. So the other outs are computed from a body without
//! any writes, and each accumulator from one without those to the others.

use super::{Code, Unflatten};
use crate::flat::{Body, Kernel, Operator as FlatOperator, Out, SpaceDim, Type, Var};
use crate::nest::{self, Operator};
use crate::skeleton::{ArrayExp, Atom, ControlExp, Exp, LoopForm, Param, ScalarExp, Stm};
use std::collections::BTreeSet;

impl Unflatten<'_> {
    /// The kernel with this accumulator as its only out, or with all other outs and no accumulator.
    pub(super) fn without_accs(&self, kernel: &Kernel, kept: Option<usize>) -> Kernel {
        let mut kernel = kernel.clone();
        let mut gone = BTreeSet::new();
        let mut results = Vec::new();
        let mut rest = &kernel.body.result[..];
        for (at, out) in kernel.outs.iter().enumerate() {
            let (taken, after) = rest.split_at(out.takes());
            rest = after;
            match (out, kept) {
                (Out::Acc { var, .. }, _) if kept != Some(at) => {
                    gone.insert(*var);
                }
                (_, Some(kept)) if kept != at => {}
                _ => results.extend_from_slice(taken),
            }
        }
        kernel.body.result = results;
        erase(&mut kernel.body, &mut gone);
        let mut at = 0;
        kernel.outs.retain(|out| {
            at += 1;
            kept.map_or(!matches!(out, Out::Acc { .. }), |kept| kept == at - 1)
        });
        kernel
    }

    /// A kernel whose only out is an accumulator.
    pub(super) fn accumulate(&mut self, kernel: &Kernel, vars: &[Var], code: &mut Code) {
        let [Out::Acc { var, op, into }] = &kernel.outs[..] else { return };
        let op = op.as_ref().map(|op| self.reduction(op));
        let once = self.iota(Atom::i64(1), code);
        let mut inner = code.inner();
        let dims: Vec<SpaceDim> = kernel.dims().copied().collect();
        let ty = self.ty(*var);
        let acc = if dims.is_empty() { *var } else { self.new_var("acc", ty) };
        let result = self.write_through(kernel, &dims, None, acc, &mut inner);
        let step = self.new_var("z", Type::i64());
        let lambda = nest::Lambda { params: vec![acc, step], body: inner.end(vec![result]) };
        let dests = into.clone();
        let stream = Operator::AccStream { width: Atom::i64(1), dests, op, inputs: vec![once], lambda };
        code.bind(vars.to_vec(), nest::Exp::Op(stream));
    }

    /// The accumulator after all writes: loops over these dimensions.
    fn write_through(
        &mut self,
        kernel: &Kernel,
        dims: &[SpaceDim],
        before: Option<Var>,
        acc: Var,
        code: &mut Code,
    ) -> Atom {
        let Some((dim, rest)) = dims.split_first() else {
            let body = self.body(&kernel.body);
            code.stms.extend(body.stms);
            return body.result[0];
        };
        let width = self.width(dim, before, code);
        let ty = self.ty(acc);
        let param = match &kernel.outs[..] {
            // The body writes to the accumulator of the innermost loop.
            [Out::Acc { var, .. }] if rest.is_empty() => *var,
            _ => self.new_var("acc", ty.clone()),
        };
        let mut inner = code.inner();
        let result = self.write_through(kernel, rest, Some(dim.var), param, &mut inner);
        let form = LoopForm::For(dim.var, width);
        let params = vec![(Param::plain(param), acc.into())];
        let exp = ControlExp::Loop { params, form, body: inner.end(vec![result]) };
        self.emit("acc", ty, nest::Exp::Control(exp), code).into()
    }
}

/// Take accumulators, and all that becomes of them, out of a body.
fn erase(body: &mut Body, gone: &mut BTreeSet<Var>) {
    body.stms.retain_mut(|stm| erase_stm(stm, gone));
    body.result.retain(|atom| !is_gone(*atom, gone));
}

fn is_gone(atom: Atom, gone: &BTreeSet<Var>) -> bool {
    atom.var().is_some_and(|var| gone.contains(&var))
}

/// Whether anything of the statement is left.
fn erase_stm(stm: &mut Stm<FlatOperator>, gone: &mut BTreeSet<Var>) -> bool {
    match &mut stm.exp {
        Exp::Array(ArrayExp::AccWrite { acc, .. }) if gone.contains(acc) => {
            gone.extend(&stm.vars);
            false
        }
        Exp::Scalar(ScalarExp::Atom(atom)) if is_gone(*atom, gone) => {
            gone.extend(&stm.vars);
            false
        }
        Exp::Control(ControlExp::If { cond: _, then, els }) => {
            erase_branches(&mut stm.vars, vec![then, els], gone);
            true
        }
        Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
            let bodies = cases.iter_mut().map(|(_, body)| body).chain([default]).collect();
            erase_branches(&mut stm.vars, bodies, gone);
            true
        }
        Exp::Control(ControlExp::Loop { params, form, body }) => {
            let kept: Vec<bool> = params.iter().map(|(_, initial)| !is_gone(*initial, gone)).collect();
            for (i, (param, _)) in params.iter().enumerate() {
                if !kept[i] {
                    gone.insert(param.var);
                    gone.insert(stm.vars[i]);
                }
            }
            if let LoopForm::While(cond) = form {
                erase(cond, gone);
            }
            erase(body, gone);
            let mut at = 0..;
            params.retain(|_| at.next().is_some_and(|at| kept[at]));
            stm.vars.retain(|var| !gone.contains(var));
            true
        }
        Exp::Scalar(_) | Exp::Array(_) | Exp::Cell(_) | Exp::Control(_) | Exp::Op(_) => true,
    }
}

fn erase_branches(vars: &mut Vec<Var>, bodies: Vec<&mut Body>, gone: &mut BTreeSet<Var>) {
    let mut lost = BTreeSet::new();
    for body in bodies {
        let results = body.result.clone();
        erase(body, gone);
        lost.extend((0..results.len()).filter(|at| is_gone(results[*at], gone)));
    }
    let mut at = 0;
    vars.retain(|var| {
        at += 1;
        let kept = !lost.contains(&(at - 1));
        if !kept {
            gone.insert(*var);
        }
        kept
    });
}
