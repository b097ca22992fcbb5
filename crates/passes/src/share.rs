//! One function for an operator that the host of a device runs in many places in the same way.
//!
//! Before:
//! ```text
//! let ends: [n]i64, total: i64 = fused n (lengths) ..
//! let ends.2: [m]i64, total.2: i64 = fused m (lengths.2) ..      // the same but for n and lengths
//! ```
//! After:
//! ```text
//! let ends: [n]i64, total: i64 = call fused_shared (n, lengths)
//! let ends.2: [m]i64, total.2: i64 = call fused_shared (m, lengths.2)
//!
//! fun fused_shared (n: i64, lengths: [n]i64) -> [n]i64, i64 { .. }
//! ```
//!
//! Flattening describes the rows of each irregular array, and partitions the elements of each branch, always by the same scans and
//! histograms. On the host such an operator is dozens of statements: memory that its kernels need, launches, reads. So the text for a device grows by a
//! call, not by these, for each column of a sum and each branch.
//!
//! Needs: nest, distributed. Gives: the same, with more functions. Keeps: results and failures; such a function is nowhere, and a failure in
//! it has the place of the call (`exec/failure`). Refuses: what may fail by a check, which has a place of its own, what has to do with cells, and what reduces to numbers
//! that the host does not need: it would wait for what a function returns.
//! Method: each operator outside all maps as a function of what it mentions; functions that differ only in names and places are one.
//! Cost: linear, times the number of different operators.

use crate::flatten::calls::called_outside;
use crate::nest::effects::{Effects, effects};
use crate::nest::memory::{Signature, consumed, signatures};
use crate::nest::mentions;
use crate::place::able::{Able, RunsOn};
use norn_ir::nest::grids::SHARED;
use norn_ir::nest::grids::needs::host_needs;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::print::NOWHERE;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    Atom, Body, ControlExp, Dim, Elem, Exp, Fun, FunId, Operator, Param, Prog, Ret, Stm, Type, Var, VarInfo,
};
use std::collections::{HashMap, HashSet};

/// In fewer places than these, the operator stays where it is.
const MANY: usize = 4;

pub fn share(prog: &mut Prog) {
    let signatures = signatures(prog);
    let effects = effects(prog);
    let outside = called_outside(prog);
    let mut found = Found::default();
    let able = Able::new(prog);
    for (fun, _) in prog.funs.iter_mut().zip(&outside).filter(|(_, outside)| **outside) {
        let mentioned = mentions::mentioned(fun);
        let Fun { vars, body, .. } = fun;
        let is_kernel = |stm: &Stm| stm.exp.op().is_some() && able.runs_on(vars, stm) == RunsOn::Device;
        let mut needed = HashSet::new();
        host_needs(vars, body, &is_kernel, &mut |var| _ = needed.insert(var));
        each_operator(body, &mut |stm| {
            let stays = |var: &Var| {
                let at = var.0 as usize;
                vars[at].ty.is_scalar() && mentioned[at] && !needed.contains(var)
            };
            match stm.vars.iter().any(stays) {
                true => found.places.push(None),
                false => found.note(vars, stm, &effects, &signatures),
            }
        });
    }
    let mut places = std::mem::take(&mut found.places).into_iter();
    let mut ids: Vec<Option<FunId>> = Vec::new();
    let mut next = prog.funs.len() as u32;
    for count in &found.counts {
        let is_shared = *count >= MANY;
        ids.push(is_shared.then_some(FunId(next)));
        next += u32::from(is_shared);
    }
    for (fun, _) in prog.funs.iter_mut().zip(&outside).filter(|(_, outside)| **outside) {
        each_operator(&mut fun.body, &mut |stm| {
            if let Some(Some((number, args))) = places.next()
                && let Some(fun) = ids[number]
            {
                stm.exp = Exp::Control(ControlExp::Call { fun, args });
            }
        });
        // What was bound inside of an operator that is a call now is not there any more.
        normalise_fun(fun);
    }
    let shared = found.funs.into_iter().zip(ids).filter(|(_, id)| id.is_some());
    prog.funs.extend(shared.map(|(fun, _)| fun));
}

/// What runs outside all maps and takes the host many statements.
fn each_operator(body: &mut Body, f: &mut dyn FnMut(&mut Stm)) {
    for stm in &mut body.stms {
        match &mut stm.exp {
            Exp::Op(
                Operator::Reduce { .. }
                | Operator::Scan { .. }
                | Operator::Fused { .. }
                | Operator::Filter { .. }
                | Operator::Partition { .. }
                | Operator::Sort { .. }
                | Operator::Hist { .. },
            ) => f(stm),
            Exp::Control(ControlExp::If { .. } | ControlExp::Switch { .. } | ControlExp::Loop { .. }) => {
                stm.for_each_part_mut(&mut |part| match part {
                    PartMut::Body(body) => each_operator(body, f),
                    PartMut::Lambda(_) | PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
                });
            }
            Exp::Op(
                Operator::Map { .. }
                | Operator::Scatter { .. }
                | Operator::Stream { .. }
                | Operator::AccStream { .. }
                | Operator::Task(_),
            )
            | Exp::Control(ControlExp::Call { .. } | ControlExp::Const(_) | ControlExp::Check(_))
            | Exp::Scalar(_)
            | Exp::Array(_)
            | Exp::Cell(_) => {}
        }
    }
}

/// Operators as functions.
#[derive(Default)]
struct Found {
    /// No two are the same.
    funs: Vec<Fun>,
    /// How many operators are each of these.
    counts: Vec<usize>,
    /// Of each operator on the walk, which function it is and of what, unless it stays.
    places: Vec<Option<(usize, Vec<Atom>)>>,
}

impl Found {
    fn note(&mut self, vars: &[VarInfo], stm: &Stm, effects: &Effects, signatures: &[Signature]) {
        if effects.stm_fails(stm) {
            self.places.push(None);
            return;
        }
        let Some((fun, args)) = as_function(vars, stm, signatures) else {
            self.places.push(None);
            return;
        };
        let number = self.funs.iter().position(|other| is_same(other, &fun)).unwrap_or_else(|| {
            self.funs.push(fun);
            self.counts.push(0);
            self.funs.len() - 1
        });
        self.counts[number] += 1;
        self.places.push(Some((number, args)));
    }
}

fn is_same(a: &Fun, b: &Fun) -> bool {
    let same_types = |(a, b): (&VarInfo, &VarInfo)| a.ty == b.ty;
    a.vars.len() == b.vars.len()
        && a.params == b.params
        && a.ret == b.ret
        && a.vars.iter().zip(&b.vars).all(same_types)
        && a.body == b.body
}

/// An operator as a function of the variables that it mentions, and these. None if there are other values in it than arrays and scalars.
fn as_function(vars: &[VarInfo], stm: &Stm, signatures: &[Signature]) -> Option<(Fun, Vec<Atom>)> {
    let operator = stm.exp.op()?;
    let ty = |var: &Var| &vars[var.0 as usize].ty;
    let mut mentioned = Vec::new();
    mentions::in_stm(vars, stm, &mut mentioned);
    let mut at = 0;
    while let Some(var) = mentioned.get(at).copied() {
        mentions::in_type(vars, var, &mut mentioned);
        at += 1;
    }
    let mut free: Vec<Var> = Vec::new();
    mentioned.into_iter().for_each(|var| {
        if !free.contains(&var) {
            free.push(var);
        }
    });
    // Sizes come before what they are sizes of.
    free.sort_by_key(|var| ty(var).is_array());

    let taken = consumed(vars, stm, signatures);
    let results: Vec<Var> = stm.vars.clone();
    let returned = |var: &Var| {
        let mut ty = ty(var).clone();
        ty.for_each_dim(&mut |dim| {
            if let Dim::Size(Atom::Var(size)) = dim
                && let Some(at) = results.iter().position(|result| result == size)
            {
                *dim = Dim::Result(at);
            }
        });
        Ret { unique: ty.is_array(), ty }
    };
    let mut fun = Fun {
        name: format!("{}{SHARED}", operator.name()),
        params: free.iter().map(|var| Param { var: *var, unique: taken.contains(var) }).collect(),
        ret: stm.vars.iter().map(returned).collect(),
        body: Body {
            result: stm.vars.iter().map(|var| Atom::Var(*var)).collect(),
            stms: vec![Stm { certs: Vec::new(), ..stm.clone() }],
        },
        vars: Vec::new(),
        attrs: Vec::new(),
        span: NOWHERE,
    };
    let mut table = Table { vars, number: HashMap::new(), infos: Vec::new() };
    fun.params.iter_mut().for_each(|param| table.var(&mut param.var));
    fun.ret.iter_mut().for_each(|ret| ret.ty.for_each_var_mut(&mut |var| table.var(var)));
    table.body(&mut fun.body);
    fun.vars = table.finish();
    let plain = |info: &VarInfo| matches!(info.ty, Type::Value(Elem::Prim(_), _));
    if !fun.vars.iter().all(plain) {
        return None;
    }
    normalise_fun(&mut fun);
    Some((fun, free.into_iter().map(Atom::Var).collect()))
}

/// A table of the variables that a statement mentions, and of no others: that of the function around it may be large.
struct Table<'a> {
    vars: &'a [VarInfo],
    number: HashMap<Var, Var>,
    infos: Vec<VarInfo>,
}

impl Table<'_> {
    fn var(&mut self, var: &mut Var) {
        let old = *var;
        *var = *self.number.entry(old).or_insert_with(|| {
            self.infos.push(self.vars[old.0 as usize].clone());
            Var(self.infos.len() as u32 - 1)
        });
    }

    fn atom(&mut self, atom: &mut Atom) {
        if let Atom::Var(var) = atom {
            self.var(var);
        }
    }

    fn body(&mut self, body: &mut Body) {
        for stm in &mut body.stms {
            stm.span = NOWHERE;
            stm.vars.iter_mut().for_each(|var| self.var(var));
            stm.certs.iter_mut().for_each(|var| self.var(var));
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Atom(atom) => self.atom(atom),
                PartMut::Var(var) | PartMut::Binder(var) => self.var(var),
                PartMut::Body(body) => self.body(body),
                PartMut::Lambda(lambda) => {
                    lambda.params.iter_mut().for_each(|var| self.var(var));
                    self.body(&mut lambda.body);
                }
            });
        }
        body.result.iter_mut().for_each(|atom| self.atom(atom));
    }

    fn finish(mut self) -> Vec<VarInfo> {
        let mut at = 0;
        while at < self.infos.len() {
            let mut ty = self.infos[at].ty.clone();
            ty.for_each_var_mut(&mut |var| self.var(var));
            self.infos[at].ty = ty;
            at += 1;
        }
        self.infos
    }
}
