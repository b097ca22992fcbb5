//! Calls of one recursive function that do not need each other become one, for all their arguments at once.
//!
//! ```text
//! let a: i64, as: [a]i32 = call f (m, xs)            let rows: [2][?]i32 = array (xs, ys)
//! let b: i64, bs: [b]i32 = call f (n, ys)     ==>    let all: [2][?]i32 = map 2 (rows) \(k: i64, row: [k]i32) { call f (k, row) }
//!                                                    .. as and bs are its rows ..
//! ```
//!
//! A divide and conquer that calls itself twice would be a tree of calls, each of them kernels of its own: as many as there are leaves. The map is
//! one call of the lifted function (`lift`), so there are as many as the tree is deep.
//!
//! A later call comes up to the first one, with what it needs, unless that overwrites something. Arguments that are the same in all
//! calls stay as they are. First, calls at the ends of branches become one behind them (`branch_calls`). Arrays whose inner sizes differ from call to call have no array of rows, so these calls stay.

use super::lift::{in_regions, is_plain};
use super::worth::worth;
use crate::nest::effects::{Effects, effects};
use crate::nest::memory::{Signature, consumed, memory, signatures};
use crate::nest::mentions;
use crate::nest::subst::Names;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{Atom, Body, ControlExp, Dim, DimIndex, Exp, Fun, FunId, Lambda, Prog, Stm, Type, Var};

pub fn join_calls(prog: &mut Prog) {
    let effects = effects(prog);
    if !(0..prog.funs.len()).any(|id| effects.is_recursive(FunId(id as u32))) {
        return;
    }
    let (worth, signatures, originals) = (worth(prog), signatures(prog), prog.funs.clone());
    let can_join = |(id, fun): (usize, &Fun)| {
        let id = FunId(id as u32);
        effects.is_recursive(id) && worth.in_fun(id) && is_plain(fun)
    };
    let joinable: Vec<bool> = originals.iter().enumerate().map(can_join).collect();
    if !joinable.contains(&true) {
        return;
    }
    for fun in &mut prog.funs {
        let memory = memory(&signatures, fun);
        let names = Names { vars: std::mem::take(&mut fun.vars), memory };
        let mut joiner = Joiner {
            names,
            funs: &originals,
            joinable: &joinable,
            effects: &effects,
            signatures: &signatures,
        };
        joiner.body(&mut fun.body);
        fun.vars = joiner.names.vars;
        normalise_fun(fun);
    }
}

pub(super) struct Joiner<'a> {
    pub(super) names: Names,
    /// As they were.
    pub(super) funs: &'a [Fun],
    joinable: &'a [bool],
    effects: &'a Effects,
    signatures: &'a [Signature],
}

impl Joiner<'_> {
    fn body(&mut self, body: &mut Body) {
        self.join_ends(body);
        let mut at = 0;
        while at < body.stms.len() {
            self.at(&mut body.stms, at);
            at += 1;
        }
        for stm in &mut body.stms {
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => self.body(body),
                PartMut::Lambda(lambda) => self.body(&mut lambda.body),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
        }
    }

    pub(super) fn callee<'s>(&self, stm: &'s Stm) -> Option<(FunId, &'s [Atom])> {
        match &stm.exp {
            Exp::Control(ControlExp::Call { fun, args }) if self.joinable[fun.0 as usize] => {
                Some((*fun, args))
            }
            _ => None,
        }
    }

    /// The call at a place, if it is one, is joined with those further down.
    fn at(&mut self, stms: &mut Vec<Stm>, at: usize) {
        let Some((fun, _)) = self.callee(&stms[at]) else { return };
        let mut calls = vec![at];
        let mut moved: Vec<usize> = Vec::new();
        for later in at + 1..stms.len() {
            if self.effects.stm_shows(&stms[later]) {
                break;
            }
            if self.callee(&stms[later]).is_some_and(|(other, _)| other == fun)
                && let Some(needed) = self.needed_between(stms, &calls, later)
            {
                moved.extend(needed);
                calls.push(later);
            }
        }
        let lists: Vec<Vec<Atom>> = calls
            .iter()
            .filter_map(|call| self.callee(&stms[*call]).map(|(_, args)| args.to_vec()))
            .collect();
        let Some(plan) = (calls.len() > 1).then(|| self.plan(fun, &lists)).flatten() else { return };
        moved.sort_unstable();
        moved.dedup();
        let joined: Vec<Stm> = calls.iter().map(|call| stms[*call].clone()).collect();
        let mut new: Vec<Stm> = moved.iter().map(|at| stms[*at].clone()).collect();
        self.join(fun, &plan, &joined, &lists, &mut new);
        let mut left = Vec::with_capacity(stms.len() + new.len());
        for (number, stm) in std::mem::take(stms).into_iter().enumerate() {
            if number == at {
                left.append(&mut new);
            }
            if !calls.contains(&number) && !moved.contains(&number) {
                left.push(stm);
            }
        }
        *stms = left;
    }

    /// The statements between the first of the calls and a later one that the later one needs; none if they cannot come up.
    fn needed_between(&self, stms: &[Stm], calls: &[usize], later: usize) -> Option<Vec<usize>> {
        let mut live = Vec::new();
        mentions::in_stm(&self.names.vars, &stms[later], &mut live);
        mentions::certs(&stms[later], &mut live);
        let mut needed = Vec::new();
        for at in (calls[0]..later).rev() {
            let stm = &stms[at];
            if !stm.vars.iter().any(|var| live.contains(var)) {
                continue;
            }
            if calls.contains(&at) || !consumed(&self.names.vars, stm, self.signatures).is_empty() {
                return None;
            }
            mentions::in_stm(&self.names.vars, stm, &mut live);
            mentions::certs(stm, &mut live);
            needed.push(at);
        }
        Some(needed)
    }

    /// How each argument gets into the map; none if some have no array of rows.
    fn plan(&self, fun: FunId, lists: &[Vec<Atom>]) -> Option<Vec<ArgMode>> {
        let fun = &self.funs[fun.0 as usize];
        let same = |at: usize| lists.iter().all(|args| args[at] == lists[0][at]);
        let size = |dim: &Dim| match dim {
            Dim::Size(Atom::Var(var)) => fun.params.iter().position(|param| param.var == *var),
            Dim::Size(Atom::Const(_)) | Dim::Irregular | Dim::Result(_) => None,
        };
        let is_known = |dim: &Dim| size(dim).is_none_or(same);
        let mut plan = Vec::with_capacity(fun.params.len());
        for (at, param) in fun.params.iter().enumerate() {
            let ty = &fun.vars[param.var.0 as usize].ty;
            let dims = ty.dims();
            plan.push(match dims {
                // Cells of different regions are not in one array.
                _ if *ty == Type::Region && !same(at) => return None,
                _ if same(at) && dims.iter().all(is_known) => ArgMode::AsItIs,
                [] => ArgMode::Row { length: None },
                [first, others @ ..] if others.iter().all(is_known) => {
                    ArgMode::Row { length: size(first).filter(|_| !is_known(first)) }
                }
                [..] => return None,
            });
        }
        let ret_is_known = |dim: &Dim| !matches!(dim, Dim::Result(_)) && is_known(dim);
        fun.ret.iter().all(|ret| ret.ty.dims().iter().skip(1).all(ret_is_known)).then_some(plan)
    }

    fn join(&mut self, id: FunId, plan: &[ArgMode], calls: &[Stm], lists: &[Vec<Atom>], out: &mut Vec<Stm>) {
        let fun = &self.funs[id.0 as usize];
        let span = calls[0].span;
        let count = Atom::i64(calls.len() as i64);
        let mut certs: Vec<Var> = calls.iter().flat_map(|call| call.certs.iter().copied()).collect();
        certs.sort_unstable();
        certs.dedup();

        // The arguments of all calls, and in the map those of one.
        let mut args: Vec<Atom> = lists[0].clone();
        let (mut inputs, mut params, mut inner) = (Vec::new(), Vec::new(), Vec::new());
        let mut lengths: Vec<Option<Var>> = vec![None; plan.len()];
        let mut rows: Vec<(usize, Var, Option<usize>)> = Vec::new();
        let is_length = |at: usize| {
            plan.iter().any(|way| matches!(way, ArgMode::Row { length: Some(length) } if *length == at))
        };
        for (at, way) in plan.iter().enumerate() {
            let ArgMode::Row { length } = way else { continue };
            if is_length(at) {
                continue;
            }
            let values: Vec<Atom> = lists.iter().map(|args| args[at]).collect();
            let mut row = match values[0] {
                Atom::Var(var) => self.names.ty(var).clone(),
                Atom::Const(scalar) => Type::scalar(scalar.prim()),
            };
            if length.is_some() {
                row = row.with_dims([&[Dim::Irregular], &row.dims()[1..]].concat());
            }
            let name = fun.vars[fun.params[at].var.0 as usize].name.clone();
            let all = self.names.fresh(&name, row.array_of(Dim::Size(count)));
            out.push(Stm { certs: certs.clone(), ..Stm::new(vec![all], Exp::array(values), span) });
            let own = self.names.row_params(all);
            if let (Some(size), [first, _]) = (length, &own[..]) {
                lengths[*size].get_or_insert(*first);
            }
            rows.push((at, own[own.len() - 1], *length));
            inputs.push(all);
            params.extend(own);
        }
        for (at, row, length) in rows {
            args[at] = row.into();
            // All arrays of one size are as long as the first.
            if let Some(size) = length.and_then(|size| lengths[size])
                && self.names.ty(row).dims()[0] != Dim::size(size)
            {
                let dims = [&[Dim::size(size)], &self.names.ty(row).dims()[1..]].concat();
                let name = self.names.name(row);
                let fit = self.names.fresh(&name, self.names.ty(row).with_dims(dims.clone()));
                inner.push(Stm::new(vec![fit], Exp::coerce(row, dims), span));
                args[at] = fit.into();
            }
        }
        for (arg, length) in args.iter_mut().zip(&lengths) {
            if let Some(length) = length {
                *arg = (*length).into();
            }
        }

        let results: Vec<Var> =
            fun.ret.iter().map(|ret| self.names.fresh("result", ret.ty.clone())).collect();
        let mut alls = Vec::with_capacity(results.len());
        for (var, ret) in results.iter().zip(&fun.ret) {
            let ty = in_regions(fun, &args, &returned(fun, &args, &ret.ty, &results));
            let is_inside = |dim: &Dim| match dim.atom() {
                Some(Atom::Var(size)) => results.contains(&size) || params.contains(&size),
                Some(Atom::Const(_)) | None => false,
            };
            let outside = |dim: &Dim| if is_inside(dim) { Dim::Irregular } else { *dim };
            let all = ty.with_dims(ty.dims().iter().map(outside).collect()).array_of(Dim::Size(count));
            self.names.vars[var.0 as usize].ty = ty;
            alls.push(self.names.fresh("results", all));
        }
        inner.push(Stm::new(results.clone(), Exp::call(id, args), span));
        let result = results.iter().map(|var| (*var).into()).collect();
        let lambda = Lambda::new(params, Body { stms: inner, result });
        out.push(Stm { certs, ..Stm::new(alls.clone(), Exp::map(count, inputs, lambda), span) });
        for (number, call) in calls.iter().enumerate() {
            for (var, all) in call.vars.iter().zip(&alls) {
                self.take(*var, *all, number as i64, call, out);
            }
        }
    }

    /// What a call bound is one of the results of all.
    fn take(&mut self, var: Var, all: Var, number: i64, call: &Stm, out: &mut Vec<Stm>) {
        let ty = self.names.ty(var).clone();
        let index = Exp::index(all, vec![DimIndex::Fix(Atom::i64(number))]);
        if ty.is_scalar() {
            return out.push(Stm::new(vec![var], index, call.span));
        }
        let name = self.names.name(var);
        let mut row = self.names.row_params(all);
        let last = row[row.len() - 1];
        out.push(Stm::new(std::mem::take(&mut row), index, call.span));
        // Whoever overwrites it has it for himself.
        let (own, exp) = match self.names.memory.is_taken(var) {
            true => (self.names.fresh(&name, self.names.ty(last).clone()), Some(Exp::copy(last))),
            false => (last, None),
        };
        out.extend(exp.map(|exp| Stm::new(vec![own], exp, call.span)));
        out.push(Stm::new(vec![var], Exp::coerce(own, ty.dims().to_vec()), call.span));
    }
}

/// The sizes of what a function yields where it is called with these arguments. The variables of both functions have numbers of their own, so nothing
/// is replaced twice.
pub(super) fn returned(fun: &Fun, args: &[Atom], ty: &Type, results: &[Var]) -> Type {
    let dim = |dim: &Dim| match dim {
        Dim::Size(Atom::Var(size)) => {
            let at = fun.params.iter().position(|param| param.var == *size);
            at.map_or(*dim, |at| Dim::Size(args[at]))
        }
        Dim::Result(at) => Dim::size(results[*at]),
        Dim::Size(Atom::Const(_)) | Dim::Irregular => *dim,
    };
    ty.with_dims(ty.dims().iter().map(dim).collect())
}

/// How an argument gets into the map.
enum ArgMode {
    /// It is the same in all calls.
    AsItIs,
    /// As a row, of its own length if that is a parameter, too.
    Row { length: Option<usize> },
}
