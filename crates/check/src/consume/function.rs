//! Functions: parameters, captured variables, and what may be promised of the result.
//!
//! A function may be called many times, so it consumes nothing but its own parameters
//! (CONSUME-PARAM); what it observes of its surroundings (OBSERVE-NONPARAM) it captures, and
//! aliases. What it consumes is no business of the surroundings until it is called.

use super::alias::{Alias, AliasSet, Aliases, Root, Via};
use super::holds::marked_like;
use super::pattern::each_var;
use super::scope::{Barrier, Binding, Checker, Mark};
use crate::typed::{Exp, ExpKind, Fun, Pat};
use crate::types::{self, Arrow, RetTy, Ty, TyKind, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

impl Checker<'_> {
    pub fn lambda(
        &mut self,
        params: &[Pat],
        body: &mut Exp,
        ret: &mut RetTy,
        declared: bool,
        ty: &mut Ty,
    ) -> Aliases {
        let captured = self.function(params, ret, declared, body);
        *ty = marked_like(&function_type(params, ret), ty);
        Aliases::Fun(captured, ty.clone())
    }

    pub fn let_fun(&mut self, var: VarId, fun: &mut Fun, body: &mut Exp) -> Aliases {
        let captured = self.function(&fun.params, &mut fun.ret, fun.ret_declared.is_some(), &mut fun.body);
        let ty = function_type(&fun.params, &fun.ret);
        self.declare_function(var, captured, ty);
        let result = self.exp(body);
        self.leave(var);
        result
    }

    /// Check a function; what it captures. Unless its result type was declared, the type is
    /// marked unique where the result is fresh.
    pub fn function(&mut self, params: &[Pat], ret: &mut RetTy, declared: bool, body: &mut Exp) -> AliasSet {
        let start = self.mark();
        let uses = self.mark_uses();
        self.barriers.push(Barrier::Function);
        params.iter().for_each(|p| self.bind_param(p));
        let result = self.exp(body);
        self.check_unique_result(&ret.ty, &result, result_of(body));
        self.check_result_not_global(&ret.ty, &result, result_of(body));
        if !declared {
            ret.ty = self.inferred_result(params, &ret.ty, &result);
        }
        params.iter().for_each(|p| self.leave_pat(p));
        self.barriers.pop();
        self.contain(start);
        self.captured(uses)
    }

    /// What the variables used since a point alias. A call may give back what the references stored
    /// in them refer to.
    fn captured(&mut self, since: Mark) -> AliasSet {
        let mut captured = Vec::new();
        for (var, _) in self.outer_uses(since) {
            if let Some(local) = self.local(var) {
                let via = |via| if local.stores { Via::Shared } else { via };
                local.aliases.each_set(&mut |set| {
                    captured.extend(set.iter().map(|a| Alias { via: via(a.via), ..*a }));
                });
            }
        }
        AliasSet::from_vec(captured)
    }

    /// A part of the result that is declared unique must not alias another part, nor anything
    /// that the caller can still get at.
    fn check_unique_result(&mut self, ret: &Ty, result: &Aliases, e: &Exp) {
        if !types::has_unique(ret) {
            return;
        }
        let mut parts = Vec::new();
        result_parts(ret, result, &mut parts);
        let mut unique_seen = AliasSet::default();
        let mut seen = AliasSet::default();
        let mut overlap = false;
        let mut refused = FxHashSet::default();
        for (unique, set) in parts {
            overlap |= unique_seen.touches(&set) || (unique && set.touches(&seen));
            seen = seen.union(&set);
            if unique {
                let kept = |a: &&Alias| !self.may_return_as_unique(a);
                // What is still bound says more than names that have left their scope.
                let mut kept: Vec<Alias> = set.iter().filter(kept).copied().collect();
                if kept.iter().any(|a| self.is_bound(a.root)) {
                    kept.retain(|a| self.is_bound(a.root));
                } else {
                    kept.truncate(1);
                }
                for alias in kept {
                    if refused.insert(alias.root) {
                        self.report_result_not_unique(&alias, e);
                    }
                }
                unique_seen = unique_seen.union(&set);
            }
        }
        if overlap && refused.is_empty() {
            self.report_result_overlaps(e.span);
        }
    }

    fn may_return_as_unique(&self, alias: &Alias) -> bool {
        match (alias.via, alias.root) {
            (Via::Held, _) => true,
            (Via::Shared, _) => false,
            (Via::Own, Root::Result(_)) => true,
            (Via::Own, Root::Var(v)) => match self.local(v) {
                // Reported as the alias of a global that it is.
                None => true,
                Some(local) if !local.in_scope => true,
                Some(local) => match &local.binding {
                    Binding::Param(ty) => local.level == self.barriers.len() && types::all_unique(ty),
                    Binding::Let | Binding::LoopParam(_) | Binding::Element | Binding::Function(_) => false,
                },
            },
        }
    }

    /// Callers know nothing of the variables that a function refers to at the top level, so its
    /// result must not alias them. Functions and recursive values in the result may: nothing can
    /// be consumed through them.
    fn check_result_not_global(&mut self, ret: &Ty, result: &Aliases, e: &Exp) {
        let mut found = Vec::new();
        each_leaf(ret, result, &mut |ty, set| {
            if matches!(&**ty, TyKind::Arrow(_)) || self.is_recursive(&types::plain(ty)) {
                return;
            }
            for alias in set.iter() {
                if let Root::Var(v) = alias.root
                    && alias.via != Via::Held
                    && self.is_global(alias.root)
                    && !found.iter().any(|(w, _)| v == *w)
                {
                    found.push((v, alias.via));
                }
            }
        });
        for (v, via) in found {
            self.report_result_aliases_global(v, via, e);
        }
    }

    /// The result type, marked unique where the body lets it be: where a part aliases at most
    /// parameters that are consumed, and nothing that another part aliases too.
    fn inferred_result(&self, params: &[Pat], ret: &Ty, result: &Aliases) -> Ty {
        let mut consumed = FxHashSet::default();
        for param in params {
            each_var(param, &mut |v, _| {
                if self.local(v).is_some_and(|l| l.owned) {
                    consumed.insert(v);
                }
            });
        }
        let mut counts = FxHashMap::default();
        count_parts(ret, result, &mut counts);
        let fresh = |ty: &Ty, set: &AliasSet| {
            set.iter().all(|a| match a.via {
                Via::Held => matches!(&**ty, TyKind::Array(..)),
                Via::Shared => false,
                Via::Own => {
                    let bound_elsewhere = match a.root {
                        Root::Var(v) => self.is_bound(a.root) && !consumed.contains(&v),
                        Root::Result(_) => false,
                    };
                    !bound_elsewhere && counts.get(&a.root).is_none_or(|&n| n < 2)
                }
            })
        };
        mark_fresh(&types::plain(ret), result, &fresh)
    }
}

/// The expression that gives a body its value, for a message about it.
pub(super) fn result_of(body: &Exp) -> &Exp {
    match &body.kind {
        ExpKind::LetPat { body, .. } | ExpKind::LetFun { body, .. } | ExpKind::LetWith { body, .. } => {
            result_of(body)
        }
        _ => body,
    }
}

/// The parts of a result, and whether each is declared unique.
fn result_parts(ret: &Ty, result: &Aliases, parts: &mut Vec<(bool, AliasSet)>) {
    match (&**ret, result) {
        (TyKind::Record(ts), Aliases::Record(fields)) => {
            ts.iter().zip(fields.iter()).for_each(|((_, t), (_, a))| result_parts(t, a, parts));
        }
        _ => parts.push((types::has_unique(ret), result.all())),
    }
}

/// Call `visit` with the type and the aliases of each array, named type and function.
fn each_leaf(ty: &Ty, aliases: &Aliases, visit: &mut impl FnMut(&Ty, &AliasSet)) {
    match (&**ty, aliases) {
        (TyKind::Record(ts), Aliases::Record(parts)) => {
            ts.iter().zip(parts.iter()).for_each(|((_, t), (_, a))| each_leaf(t, a, visit));
        }
        (TyKind::Sum(cs), Aliases::Sum(parts)) => {
            for ((_, ts), (_, xs)) in cs.iter().zip(parts.iter()) {
                ts.iter().zip(xs).for_each(|(t, a)| each_leaf(t, a, visit));
            }
        }
        (_, Aliases::Scalar) => {}
        _ => visit(ty, &aliases.all()),
    }
}

/// How many parts alias each root. Nothing is known of the insides of a named type: what it
/// aliases counts as aliased twice.
fn count_parts(ty: &Ty, aliases: &Aliases, counts: &mut FxHashMap<Root, u32>) {
    match (&**ty, aliases) {
        (TyKind::Record(ts), Aliases::Record(parts)) => {
            ts.iter().zip(parts.iter()).for_each(|((_, t), (_, a))| count_parts(t, a, counts));
        }
        (TyKind::Unique(t), _) => count_parts(t, aliases, counts),
        _ => {
            let weight = if matches!(&**ty, TyKind::Con(..)) { 2 } else { 1 };
            let mut roots: Vec<Root> = aliases.all().iter().map(|a| a.root).collect();
            roots.dedup();
            roots.into_iter().for_each(|root| *counts.entry(root).or_default() += weight);
        }
    }
}

fn mark_fresh(ty: &Ty, aliases: &Aliases, fresh: &impl Fn(&Ty, &AliasSet) -> bool) -> Ty {
    match (&**ty, aliases) {
        (TyKind::Record(ts), Aliases::Record(parts)) => Ty::new(TyKind::Record(
            ts.iter().zip(parts.iter()).map(|((f, t), (_, a))| (*f, mark_fresh(t, a, fresh))).collect(),
        )),
        (TyKind::Sum(cs), Aliases::Sum(parts)) => Ty::new(TyKind::Sum(
            cs.iter()
                .zip(parts.iter())
                .map(|((c, ts), (_, xs))| {
                    (*c, ts.iter().zip(xs).map(|(t, a)| mark_fresh(t, a, fresh)).collect())
                })
                .collect(),
        )),
        _ if fresh(ty, &aliases.all()) => types::unique(ty),
        _ => ty.clone(),
    }
}

fn function_type(params: &[Pat], ret: &RetTy) -> Ty {
    let ret = params.iter().rev().fold(ret.clone(), |ret, p| {
        let arrow = Arrow { param: None, diet: types::diet(&p.ty), arg: types::plain(&p.ty), ret };
        types::ret(Ty::new(TyKind::Arrow(arrow)))
    });
    ret.ty
}
