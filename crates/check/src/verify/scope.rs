//! What is in scope while a program is verified.

use crate::typed::{Arg, Exp, ExpKind, Program};
use crate::types::{TyId, VarId};
use crate::walk::each_child;
use rustc_hash::FxHashSet;

pub(super) struct Scope {
    vars: FxHashSet<VarId>,
    types: FxHashSet<TyId>,
    /// In the order in which they came into scope.
    trail: Vec<Name>,
    /// Every variable that was ever bound.
    bound: FxHashSet<VarId>,
    /// The variables below this one are built in.
    first: VarId,
}

enum Name {
    Var(VarId),
    Type(TyId),
}

impl Scope {
    pub fn of(program: &Program) -> Scope {
        Scope {
            vars: FxHashSet::default(),
            types: FxHashSet::default(),
            trail: Vec::new(),
            bound: FxHashSet::default(),
            first: program.first,
        }
    }

    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Everything that came into scope since is out of it again.
    pub fn reset(&mut self, mark: usize) {
        for name in self.trail.drain(mark..) {
            match name {
                Name::Var(v) => self.vars.remove(&v),
                Name::Type(id) => self.types.remove(&id),
            };
        }
    }

    pub fn add(&mut self, v: VarId) {
        if self.vars.insert(v) {
            self.trail.push(Name::Var(v));
        }
    }

    pub fn add_type(&mut self, id: TyId) {
        if self.types.insert(id) {
            self.trail.push(Name::Type(id));
        }
    }

    /// Whether this is the first binding of a variable, which comes into scope.
    pub fn bind(&mut self, v: VarId) -> bool {
        self.add(v);
        self.bound.insert(v)
    }

    pub fn has(&self, v: VarId) -> bool {
        v < self.first || self.vars.contains(&v)
    }

    pub fn has_type(&self, id: TyId) -> bool {
        self.types.contains(&id)
    }

    pub fn was_bound(&self, v: VarId) -> bool {
        self.bound.contains(&v)
    }
}

/// The sizes that come into existence while an expression is evaluated, as far as they can be seen
/// outside of it.
pub(super) fn sizes_made(e: &Exp, found: &mut Vec<VarId>) {
    found.extend(&e.exts);
    let mut arg = |a: &Arg| found.extend(a.ext);
    match &e.kind {
        ExpKind::Apply(_, args) => args.iter().for_each(arg),
        ExpKind::BinOp(_, l, r) => [l, r].into_iter().for_each(|a| arg(a)),
        ExpKind::LeftSection(_, x) | ExpKind::RightSection(_, x) => arg(x),
        _ => {}
    }
    match &e.kind {
        ExpKind::Lambda { .. } => {}
        ExpKind::LetFun { body: x, .. } | ExpKind::If(x, ..) | ExpKind::Match(x, _) => sizes_made(x, found),
        ExpKind::Loop(l) => sizes_made(&l.init, found),
        _ => each_child(e, &mut |x| sizes_made(x, found)),
    }
}
