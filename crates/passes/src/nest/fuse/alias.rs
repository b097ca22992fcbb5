//! Which variables may share memory, for statements that consume: coarse, and only ever too cautious.
//!
//! Variables are in one class if memory may pass between them, whatever the order of statements. What an
//! operator makes is new. A ref shares with all that went into its cell, since arrays in cells must not
//! be overwritten while the ref is used.

use norn_ir::nest::walk::Part;
use norn_ir::nest::{Atom, Body, Elem, Exp, Fun, LoopForm, Prog, Stm, Type, Var, VarInfo};

/// What a caller has to know of each function: which parameters it consumes, and which results are new.
pub struct Signature {
    pub consumes: Vec<bool>,
    pub fresh: Vec<bool>,
}

pub fn signatures(prog: &Prog) -> Vec<Signature> {
    let of = |fun: &Fun| Signature {
        consumes: fun.params.iter().map(|param| param.unique).collect(),
        fresh: fun.ret.iter().map(|ret| ret.unique && !holds_refs(&ret.ty)).collect(),
    };
    prog.funs.iter().map(of).collect()
}

pub struct Aliases {
    parent: Vec<u32>,
}

impl Aliases {
    pub fn of_fun(fun: &Fun, signatures: &[Signature]) -> Aliases {
        let mut aliases = Aliases { parent: (0..fun.vars.len() as u32).collect() };
        aliases.body(&fun.vars, signatures, &fun.body);
        aliases
    }

    pub fn class(&self, var: Var) -> u32 {
        let mut root = var.0;
        while self.parent[root as usize] != root {
            root = self.parent[root as usize];
        }
        root
    }

    /// A new variable that shares with an old one whatever that one shares, or nothing.
    pub fn add(&mut self, like: Option<Var>) {
        let own = self.parent.len() as u32;
        self.parent.push(like.map_or(own, |var| var.0));
    }

    fn unite(&mut self, vars: &[VarInfo], a: Var, b: Var) {
        if has_memory(&vars[a.0 as usize].ty) && has_memory(&vars[b.0 as usize].ty) {
            let (a, b) = (self.class(a), self.class(b));
            let (low, high) = (a.min(b), a.max(b));
            self.parent[high as usize] = low;
        }
    }

    fn body(&mut self, vars: &[VarInfo], signatures: &[Signature], body: &Body) {
        body.stms.iter().for_each(|stm| self.stm(vars, signatures, stm));
    }

    fn stm(&mut self, vars: &[VarInfo], signatures: &[Signature], stm: &Stm) {
        stm.exp.for_each_part(&mut |part| match part {
            Part::Body(body) => self.body(vars, signatures, body),
            Part::Lambda(lambda) => self.body(vars, signatures, &lambda.body),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        match &stm.exp {
            Exp::Atom(_)
            | Exp::Index { .. }
            | Exp::Reshape { .. }
            | Exp::Rearrange { .. }
            | Exp::Coerce { .. }
            | Exp::FlatIndex { .. }
            | Exp::Lengths(_)
            | Exp::JoinRows(_)
            | Exp::Segment { .. }
            | Exp::Alloc { .. }
            | Exp::Load { .. } => self.all(vars, stm, |_| true),
            Exp::If { cond: _, then, els } => {
                self.results(vars, stm, then);
                self.results(vars, stm, els);
            }
            Exp::Switch { scrutinee: _, cases, default } => {
                cases.iter().for_each(|(_, body)| self.results(vars, stm, body));
                self.results(vars, stm, default);
            }
            Exp::Loop { params, form: LoopForm::For(..) | LoopForm::While(_), body } => {
                for (var, (param, initial)) in stm.vars.iter().zip(params) {
                    self.unite(vars, *var, param.var);
                    self.atom(vars, *var, *initial);
                }
                self.results(vars, stm, body);
            }
            Exp::Call { fun, args } => {
                let fresh = &signatures[fun.0 as usize].fresh;
                let shared: Vec<Var> =
                    stm.vars.iter().zip(fresh).filter(|(_, fresh)| !**fresh).map(|(var, _)| *var).collect();
                for var in &shared {
                    self.unite(vars, shared[0], *var);
                    args.iter().for_each(|arg| self.atom(vars, *var, *arg));
                }
            }
            // New arrays, whose refs lead where those in the operands do.
            Exp::Un(..)
            | Exp::Bin(..)
            | Exp::Tri(..)
            | Exp::Convert { .. }
            | Exp::Const(_)
            | Exp::Check(_)
            | Exp::ArrayLit(_)
            | Exp::Range { .. }
            | Exp::Replicate { .. }
            | Exp::Update { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_)
            | Exp::FlatUpdate { .. }
            | Exp::Map { .. }
            | Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Fused { .. }
            | Exp::Filter { .. }
            | Exp::Partition { .. }
            | Exp::Scatter { .. }
            | Exp::Hist { .. }
            | Exp::Stream { .. }
            | Exp::AccStream { .. }
            | Exp::AccWrite { .. }
            | Exp::Region
            | Exp::Null(_)
            | Exp::Tag { .. }
            | Exp::Grid { .. }
            | Exp::Workers => self.all(vars, stm, holds_refs),
        }
    }

    /// The variables that are bound, if they satisfy the predicate, share with all operands.
    fn all(&mut self, vars: &[VarInfo], stm: &Stm, sharing: impl Fn(&Type) -> bool) {
        let bound: Vec<Var> =
            stm.vars.iter().copied().filter(|var| sharing(&vars[var.0 as usize].ty)).collect();
        if bound.is_empty() {
            return;
        }
        let mut operands = Vec::new();
        super::uses::in_exp(vars, &stm.exp, &mut operands);
        for var in bound {
            operands.iter().for_each(|operand| self.unite(vars, var, *operand));
        }
    }

    fn results(&mut self, vars: &[VarInfo], stm: &Stm, body: &Body) {
        for (var, result) in stm.vars.iter().zip(&body.result) {
            self.atom(vars, *var, *result);
        }
    }

    fn atom(&mut self, vars: &[VarInfo], var: Var, atom: Atom) {
        if let Atom::Var(other) = atom {
            self.unite(vars, var, other);
        }
    }
}

/// What a statement overwrites, at any depth.
pub fn consumed(vars: &[VarInfo], stm: &Stm, signatures: &[Signature]) -> Vec<Var> {
    let mut found = Vec::new();
    collect_consumed(vars, stm, signatures, &mut found);
    found.retain(|var| has_memory(&vars[var.0 as usize].ty));
    found
}

fn collect_consumed(vars: &[VarInfo], stm: &Stm, signatures: &[Signature], found: &mut Vec<Var>) {
    stm.exp.for_each_part(&mut |part| match part {
        Part::Body(body) => body.stms.iter().for_each(|stm| collect_consumed(vars, stm, signatures, found)),
        Part::Lambda(lambda) => {
            lambda.body.stms.iter().for_each(|stm| collect_consumed(vars, stm, signatures, found));
        }
        Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
    });
    consumed_by(vars, &stm.exp, signatures, found);
}

/// What an expression itself overwrites, its bodies aside.
fn consumed_by(vars: &[VarInfo], exp: &Exp, signatures: &[Signature], found: &mut Vec<Var>) {
    match exp {
        Exp::Grid { op, .. } => consumed_by(vars, op, signatures, found),
        Exp::Update { array, .. } | Exp::FlatUpdate { array, .. } => found.push(*array),
        Exp::Scatter { dests, .. } | Exp::Hist { dests, .. } | Exp::AccStream { dests, .. } => {
            found.extend(dests);
        }
        Exp::AccWrite { acc, .. } => found.push(*acc),
        Exp::Call { fun, args } => {
            let consumes = &signatures[fun.0 as usize].consumes;
            let taken = args.iter().zip(consumes).filter(|(_, consumed)| **consumed);
            found.extend(taken.filter_map(|(arg, _)| arg.var()));
        }
        // An accumulator is handed on whether the loop says so or not.
        Exp::Loop { params, .. } => {
            let is_acc = |var: Var| matches!(vars[var.0 as usize].ty, Type::Acc(_));
            let taken = params.iter().filter(|(param, _)| param.unique || is_acc(param.var));
            found.extend(taken.filter_map(|(_, initial)| initial.var()));
        }
        Exp::Atom(_)
        | Exp::Un(..)
        | Exp::Bin(..)
        | Exp::Tri(..)
        | Exp::Convert { .. }
        | Exp::If { .. }
        | Exp::Switch { .. }
        | Exp::Const(_)
        | Exp::Check(_)
        | Exp::ArrayLit(_)
        | Exp::Range { .. }
        | Exp::Replicate { .. }
        | Exp::Index { .. }
        | Exp::Concat { .. }
        | Exp::Reshape { .. }
        | Exp::Rearrange { .. }
        | Exp::Copy(_)
        | Exp::Coerce { .. }
        | Exp::FlatIndex { .. }
        | Exp::Lengths(_)
        | Exp::JoinRows(_)
        | Exp::Segment { .. }
        | Exp::Map { .. }
        | Exp::Reduce { .. }
        | Exp::Scan { .. }
        | Exp::Fused { .. }
        | Exp::Filter { .. }
        | Exp::Partition { .. }
        | Exp::Stream { .. }
        | Exp::Region
        | Exp::Alloc { .. }
        | Exp::Null(_)
        | Exp::Tag { .. }
        | Exp::Load { .. }
        | Exp::Workers => {}
    }
}

fn has_memory(ty: &Type) -> bool {
    ty.is_array() || matches!(ty, Type::Acc(_)) || holds_refs(ty)
}

fn holds_refs(ty: &Type) -> bool {
    matches!(ty.elem(), Some(Elem::Ref(..)))
}
