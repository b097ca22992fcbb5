//! Calls of one recursive function that are the last deed of all branches become one call behind the branches, which choose its arguments.
//!
//! ```text
//! let k: i64, r: [k]i32 = if c {                     let n: i64, a: [n]i32 = if c {
//!   let k.2: i64, r.2: [k.2]i32 = call f (m, xs)       in m, xs
//!   in k.2, r.2                                      } else {
//! } else {                                    ==>      in l, ys
//!   let k.3: i64, r.3: [k.3]i32 = call f (l, ys)     }
//!   in k.3, r.3                                      let k: i64, r: [k]i32 = call f (n, a)
//! }
//! ```
//!
//! Lifted, a function with a call in each of two branches would call itself twice at each depth: as often as there are leaves, most of the times for few elements. With one call
//! it does so as often as the recursion is deep.
//!
//! Refuses: functions that overwrite arguments. Arguments that are the same in all branches stay as they are.

use super::lift::in_regions;
use super::sibling_calls::{Joiner, returned};
use norn_ir::nest::{Atom, Body, ControlExp, Exp, FunId, Stm, Type, Var};

impl Joiner<'_> {
    pub(super) fn join_ends(&mut self, body: &mut Body) {
        let mut stms = Vec::with_capacity(body.stms.len());
        for mut stm in std::mem::take(&mut body.stms) {
            // From the inside out, so that choices among more than two are joined, too.
            branches_mut(&mut stm.exp).into_iter().for_each(|branch| self.join_ends(branch));
            match self.common_call(&stm) {
                Some(id) => self.join_at_end(id, stm, &mut stms),
                None => stms.push(stm),
            }
        }
        body.stms = stms;
    }

    /// The function that all branches call last, and whose results they yield.
    fn common_call(&self, stm: &Stm) -> Option<FunId> {
        let mut exp = stm.exp.clone();
        let called: Option<Vec<FunId>> = branches_mut(&mut exp)
            .into_iter()
            .map(|branch| {
                let call = branch.stms.last()?;
                let yields = call.vars.iter().map(|var| Atom::Var(*var)).eq(branch.result.iter().copied());
                self.callee(call).filter(|_| yields).map(|(fun, _)| fun)
            })
            .collect();
        let called = called?;
        let fun = *called.first()?;
        let is_kept = |ty: &Type| matches!(ty, Type::Value(..));
        let callee = &self.funs[fun.0 as usize];
        let fits =
            callee.params.iter().all(|param| !param.unique && is_kept(&callee.vars[param.var.0 as usize].ty));
        (fits && called.iter().all(|other| *other == fun)).then_some(fun)
    }

    fn join_at_end(&mut self, id: FunId, mut stm: Stm, out: &mut Vec<Stm>) {
        let span = stm.span;
        let mut calls = Vec::new();
        for branch in branches_mut(&mut stm.exp) {
            calls.extend(branch.stms.pop());
        }
        let lists: Vec<&[Atom]> =
            calls.iter().filter_map(|call| self.callee(call)).map(|(_, args)| args).collect();
        let funs = self.funs;
        let callee = &funs[id.0 as usize];
        let differs: Vec<bool> =
            (0..callee.params.len()).map(|at| lists.iter().any(|args| args[at] != lists[0][at])).collect();
        let mut args = lists[0].to_vec();
        let mut chosen: Vec<Var> = Vec::new();
        for (at, param) in callee.params.iter().enumerate().filter(|(at, _)| differs[*at]) {
            let info = &callee.vars[param.var.0 as usize];
            let var = self.names.fresh(&info.name, info.ty.clone());
            chosen.push(var);
            args[at] = var.into();
        }
        for (param, arg) in callee.params.iter().zip(&args) {
            if let Some(var) = arg.var().filter(|var| chosen.contains(var)) {
                let ty = &callee.vars[param.var.0 as usize].ty;
                self.names.vars[var.0 as usize].ty =
                    in_regions(callee, &args, &returned(callee, &args, ty, &[]));
            }
        }
        let lists: Vec<Vec<Atom>> = lists
            .iter()
            .map(|args| {
                args.iter().zip(&differs).filter(|(_, differs)| **differs).map(|(arg, _)| *arg).collect()
            })
            .collect();
        for ((branch, call), args) in branches_mut(&mut stm.exp).into_iter().zip(&calls).zip(lists) {
            branch.result = self.relying(call, args, &mut branch.stms);
        }
        let call = Stm {
            certs: stm.certs.clone(),
            attrs: calls[0].attrs.clone(),
            ..Stm::new(stm.vars.clone(), Exp::call(id, args), calls[0].span)
        };
        if !chosen.is_empty() {
            out.push(Stm { vars: chosen, span, ..stm });
        }
        out.push(call);
    }

    /// Arguments, which rely on what their call relies on.
    fn relying(&mut self, call: &Stm, args: Vec<Atom>, stms: &mut Vec<Stm>) -> Vec<Atom> {
        if call.certs.is_empty() {
            return args;
        }
        let own = |arg: Atom| match arg {
            Atom::Const(_) => arg,
            Atom::Var(var) => {
                let name = self.names.name(var);
                let copy = self.names.fresh(&name, self.names.ty(var).clone());
                stms.push(Stm {
                    certs: call.certs.clone(),
                    ..Stm::new(vec![copy], Exp::atom(arg), call.span)
                });
                copy.into()
            }
        };
        args.into_iter().map(own).collect()
    }
}

fn branches_mut(exp: &mut Exp) -> Vec<&mut Body> {
    match exp {
        Exp::Control(ControlExp::If { then, els, .. }) => vec![then, els],
        Exp::Control(ControlExp::Switch { cases, default, .. }) => {
            cases.iter_mut().map(|(_, body)| body).chain([default]).collect()
        }
        _ => Vec::new(),
    }
}
