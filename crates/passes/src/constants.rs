//! Functions that threads call are handed the constants that they use.
//!
//! ```text
//! fun f (x: i64) -> f32 {                         fun f (x: i64, table: [4]f32) -> f32 {
//!   let table: [4]f32 = const table                 let y: f32 = index table [x]
//!   let y: f32 = index table [x]                    in y
//!   in y                                          }
//! }                                         ==>
//! fun main (xs: [n]i64) -> [n]f32 {               fun main (xs: [n]i64) -> [n]f32 {
//!   let ys: [n]f32 = map n (xs) \(x: i64) {         let table: [4]f32 = const table
//!     let y: f32 = call f (x)                       let ys: [n]f32 = map n (xs) \(x: i64) {
//!     in y                                            let y: f32 = call f (x, table)
//!   }                                                 in y
//!   in ys                                           }
//! }                                                 in ys
//!                                                 }
//! ```
//!
//! A constant is computed once, by the host. A kernel can only be given it.
//!
//! Needs: a valid program. Gives: the same. Keeps: results. Refuses: constants that have regions, that show something, or whose sizes come into existence with them: they stay where
//! they are. Cost: linear in the program, and in the constants that each function uses.

use crate::nest::simplify::simplify;
use norn_base::Span;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::{Part, PartMut};
use norn_ir::nest::{
    Atom, Body, ConstId, ControlExp, Dim, Exp, Param, Prog, ScalarExp, Showing, Stm, Type, Var, VarInfo,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The constants that a function is handed, and how they are called in it.
type Handed = FxHashMap<ConstId, Vec<Var>>;

pub fn constants(prog: &mut Prog) {
    let used = used_by_threads(prog);
    if used.iter().all(BTreeSet::is_empty) {
        return;
    }
    let types: Vec<Vec<Type>> = prog
        .consts
        .iter()
        .map(|constant| prog.funs[constant.fun.0 as usize].ret.iter().map(|ret| ret.ty.clone()).collect())
        .collect();
    for (index, fun) in prog.funs.iter_mut().enumerate() {
        let mut handed = Handed::default();
        for id in &used[index] {
            let vars = new_vars(&mut fun.vars, &types[id.0 as usize]);
            fun.params.extend(vars.iter().map(|var| Param { var: *var, unique: false }));
            handed.insert(*id, vars);
        }
        let mut body = std::mem::take(&mut fun.body);
        if used[index].is_empty() {
            // Whoever is handed nothing asks, before all else.
            let mut wanted = BTreeSet::new();
            wanted_by_calls(&body, &used, &mut wanted);
            let asked: Vec<Stm> = wanted
                .into_iter()
                .map(|id| {
                    let vars = new_vars(&mut fun.vars, &types[id.0 as usize]);
                    handed.insert(id, vars.clone());
                    Stm::new(vars, Exp::Control(ControlExp::Const(id)), fun.span)
                })
                .collect();
            pass_on(&mut body, &used, &handed);
            body.stms.splice(0..0, asked);
        } else {
            take(&mut body, &handed);
            pass_on(&mut body, &used, &handed);
        }
        fun.body = body;
        normalise_fun(fun);
    }
    // Who was handed something calls it by that name.
    simplify(prog);
}

fn new_vars(vars: &mut Vec<VarInfo>, types: &[Type]) -> Vec<Var> {
    let first = vars.len() as u32;
    vars.extend(types.iter().map(|ty| VarInfo::new("constant", ty.clone())));
    (first..vars.len() as u32).map(Var).collect()
}

/// Of each function that threads call, the constants that it uses, by way of others or not.
fn used_by_threads(prog: &Prog) -> Vec<BTreeSet<ConstId>> {
    let mut called = vec![false; prog.funs.len()];
    let mut calls = Vec::with_capacity(prog.funs.len());
    for fun in &prog.funs {
        let mut own = Calls::default();
        own.body(&fun.body, false);
        own.by_threads.iter().for_each(|callee| called[*callee] = true);
        calls.push(own);
    }
    let mut left: Vec<usize> = (0..called.len()).filter(|index| called[*index]).collect();
    while let Some(index) = left.pop() {
        for callee in &calls[index].all {
            if !std::mem::replace(&mut called[*callee], true) {
                left.push(*callee);
            }
        }
    }
    // These are called by others than functions, too.
    for root in prog.entries.iter().map(|entry| entry.fun).chain(prog.consts.iter().map(|one| one.fun)) {
        called[root.0 as usize] = false;
    }
    let showing = Showing::of(prog);
    let can_be_handed = |id: &ConstId| {
        let fun = prog.consts[id.0 as usize].fun;
        let ret = &prog.funs[fun.0 as usize].ret;
        let is_fixed = |ty: &Type| !ty.dims().iter().any(|dim| matches!(dim, Dim::Result(_)));
        prog.funs[fun.0 as usize].params.is_empty()
            && ret.iter().all(|ret| is_fixed(&ret.ty))
            && !showing.fun(fun)
    };
    let mut used: Vec<BTreeSet<ConstId>> = (calls.iter().zip(&called))
        .map(|(own, called)| own.consts.iter().copied().filter(|id| *called && can_be_handed(id)).collect())
        .collect();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for index in (0..used.len()).filter(|index| called[*index]) {
            let more: Vec<ConstId> =
                calls[index].all.iter().flat_map(|callee| used[*callee].clone()).collect();
            let before = used[index].len();
            used[index].extend(more);
            changed |= used[index].len() > before;
        }
    }
    used
}

/// What a function calls.
#[derive(Default)]
struct Calls {
    all: BTreeSet<usize>,
    by_threads: BTreeSet<usize>,
    consts: BTreeSet<ConstId>,
}

impl Calls {
    fn body(&mut self, body: &Body, in_lambda: bool) {
        for stm in &body.stms {
            match &stm.exp {
                Exp::Control(ControlExp::Call { fun, .. }) => {
                    self.all.insert(fun.0 as usize);
                    if in_lambda {
                        self.by_threads.insert(fun.0 as usize);
                    }
                }
                Exp::Control(ControlExp::Const(id)) => {
                    self.consts.insert(*id);
                }
                _ => {}
            }
            stm.for_each_part(&mut |part| match part {
                Part::Body(body) => self.body(body, in_lambda),
                Part::Lambda(lambda) => self.body(&lambda.body, true),
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
            });
        }
    }
}

fn wanted_by_calls(body: &Body, used: &[BTreeSet<ConstId>], wanted: &mut BTreeSet<ConstId>) {
    for stm in &body.stms {
        if let Exp::Control(ControlExp::Call { fun, .. }) = &stm.exp {
            wanted.extend(&used[fun.0 as usize]);
        }
        stm.for_each_part(&mut |part| match part {
            Part::Body(body) => wanted_by_calls(body, used, wanted),
            Part::Lambda(lambda) => wanted_by_calls(&lambda.body, used, wanted),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
    }
}

/// Constants are what was handed.
fn take(body: &mut Body, handed: &Handed) {
    let stms = std::mem::take(&mut body.stms);
    for mut stm in stms {
        if let Exp::Control(ControlExp::Const(id)) = &stm.exp
            && let Some(given) = handed.get(id)
        {
            let same = |(var, given): (&Var, &Var)| same_as(*var, *given, stm.span);
            body.stms.extend(stm.vars.iter().zip(given).map(same));
            continue;
        }
        in_bodies(&mut stm, &mut |body| take(body, handed));
        body.stms.push(stm);
    }
}

fn same_as(var: Var, other: Var, span: Span) -> Stm {
    Stm::new(vec![var], Exp::Scalar(ScalarExp::Atom(Atom::Var(other))), span)
}

/// Calls hand on what the function called uses.
fn pass_on(body: &mut Body, used: &[BTreeSet<ConstId>], handed: &Handed) {
    for stm in &mut body.stms {
        if let Exp::Control(ControlExp::Call { fun, args }) = &mut stm.exp {
            let given = used[fun.0 as usize].iter().flat_map(|id| &handed[id]);
            args.extend(given.map(|var| Atom::Var(*var)));
        }
        in_bodies(stm, &mut |body| pass_on(body, used, handed));
    }
}

fn in_bodies(stm: &mut Stm, change: &mut dyn FnMut(&mut Body)) {
    stm.for_each_part_mut(&mut |part| match part {
        PartMut::Body(body) => change(body),
        PartMut::Lambda(lambda) => change(&mut lambda.body),
        PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
    });
}
