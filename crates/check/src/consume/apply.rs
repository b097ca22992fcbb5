//! Application: what the arguments lose, and what the result aliases.
//!
//! A consuming parameter consumes its argument with all its aliases (SAFE-APPLY). A result that
//! the function's type marks unique is fresh (ALIAS-APPLY-UNIQUE); another may alias the function
//! and every argument that was not consumed (ALIAS-APPLY-NONUNIQUE), and its parts may alias each
//! other, which a nameless root of the application stands for.

use super::alias::{AliasSet, Aliases, Root, Via};
use super::scope::{Checker, ResultOf};
use crate::typed::{Arg, Exp};
use crate::types::{self, Diet, Ty, TyKind, VarId};
use norn_base::Span;

/// An argument that has been evaluated.
pub(super) struct Given {
    span: Span,
    aliases: Aliases,
    ty: Ty,
}

impl Checker<'_> {
    /// Arguments are evaluated from the last to the first.
    pub fn apply(&mut self, f: &mut Exp, args: &mut [Arg]) -> Aliases {
        let fun = self.exp(f);
        let diets = diets(&fun, args.len());
        let mut given: Vec<Given> = Vec::with_capacity(args.len());
        for (arg, diet) in args.iter_mut().zip(&diets).rev() {
            let next = self.argument(&mut arg.exp, *diet, &given);
            given.push(next);
        }
        given.reverse();
        self.applied(Self::as_var(f), &fun, &given)
    }

    /// Operands are evaluated from left to right.
    pub fn bin_op(&mut self, op: &mut Exp, left: &mut Arg, right: &mut Arg) -> Aliases {
        let fun = self.exp(op);
        let diets = diets(&fun, 2);
        let mut given = vec![self.argument(&mut left.exp, diets[0], &[])];
        let second = self.argument(&mut right.exp, diets[1], &given);
        given.push(second);
        self.applied(Self::as_var(op), &fun, &given)
    }

    /// An operator with one operand, the one at `place`: a function that captures both.
    pub fn section(&mut self, op: &mut Exp, arg: &mut Arg, place: usize, ty: &Ty) -> Aliases {
        let fun = self.exp(op);
        let diet = diets(&fun, 2)[place];
        let given = self.argument(&mut arg.exp, diet, &[]);
        let mut captured = fun.all();
        if diet == Diet::Observe {
            captured = captured.union(&given.aliases.all());
        }
        Aliases::Fun(captured, ty.clone())
    }

    fn argument(&mut self, e: &mut Exp, diet: Diet, others: &[Given]) -> Given {
        let param = match diet {
            Diet::Observe => e.ty.clone(),
            Diet::Consume => types::unique(&e.ty),
        };
        let aliases = self.passed(e, &param, others);
        Given { span: e.span, aliases, ty: e.ty.clone() }
    }

    /// Pass a value to a parameter of the given type, marked where it consumes. `others` are the
    /// arguments of the same application that were evaluated before.
    pub fn passed(&mut self, e: &mut Exp, param: &Ty, others: &[Given]) -> Aliases {
        let start = self.mark();
        let aliases = self.exp(e);
        self.check_function_from_consumption(e, start, "argument");
        if types::has_unique(param) {
            self.check_self_alias(&aliases, e.span);
            let set = consumed_part(param, &aliases);
            self.check_apart(&set, others, e.span);
            self.consume(&set, Self::as_var(e), e.span);
        }
        aliases
    }

    /// The parts of a consumed argument must not alias each other.
    fn check_self_alias(&mut self, aliases: &Aliases, span: Span) {
        let mut parts = Vec::new();
        record_parts(aliases, &mut parts);
        let mut seen = AliasSet::default();
        for part in parts {
            if part.touches(&seen) || seen.touches(&part) {
                self.report_self_alias(span);
                return;
            }
            seen = seen.union(&part);
        }
    }

    /// A consumed argument must not alias another argument of the same application.
    fn check_apart(&mut self, set: &AliasSet, others: &[Given], span: Span) {
        let owned = |root: Root| set.iter().any(|a| a.root == root && a.via != Via::Held);
        for other in others {
            let all = other.aliases.all();
            if let Some(alias) = all.iter().find(|a| self.is_bound(a.root) && owned(a.root)) {
                self.report_arguments_overlap(alias.root, span, other.span);
                return;
            }
        }
    }

    fn applied(&mut self, name: Option<VarId>, fun: &Aliases, given: &[Given]) -> Aliases {
        // Memory inside a recursive value may come out of the call even if the value is consumed.
        let shared = given.iter().any(|g| self.has_recursive(&g.ty));
        let via = if shared { Via::Shared } else { Via::Own };
        let result = self.new_result(ResultOf::Apply(name), via);
        let mut current = fun.map(&mut |set| set.union(&result));
        for g in given {
            let Aliases::Fun(captured, ty) = &current else { return current };
            let TyKind::Arrow(arrow) = &**ty else { return current };
            let arg = self.lent(&g.aliases.all(), &g.ty);
            current = self.returned(&captured.unheld(), &arrow.ret.ty, arrow.diet, &arg);
        }
        current
    }

    /// What a callee may give back of an argument: the array in a recursive value, the result of
    /// a function in an array.
    fn lent(&self, set: &AliasSet, ty: &Ty) -> AliasSet {
        if self.has_recursive(ty) { set.shared() } else { set.unheld() }
    }

    /// The aliases of a result of type `ret` of something that captured `captured` and was given
    /// `arg`.
    pub fn returned(&self, captured: &AliasSet, ret: &Ty, diet: Diet, arg: &AliasSet) -> Aliases {
        match &**ret {
            TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => Aliases::Scalar,
            TyKind::Unique(t) if self.has_references(t) => {
                Aliases::Whole(captured.union(&remaining(diet, arg)).held())
            }
            TyKind::Unique(_) => Aliases::Whole(AliasSet::default()),
            TyKind::Array(..) | TyKind::Con(..) => Aliases::Whole(captured.union(&remaining(diet, arg))),
            TyKind::Arrow(_) => Aliases::Fun(captured.union(&remaining(diet, arg)), ret.clone()),
            TyKind::Record(fields) => Aliases::Record(
                fields.iter().map(|(f, t)| (*f, self.returned(captured, t, diet, arg))).collect(),
            ),
            TyKind::Sum(constrs) => Aliases::Sum(
                constrs
                    .iter()
                    .map(|(c, ts)| (*c, ts.iter().map(|t| self.returned(captured, t, diet, arg)).collect()))
                    .collect(),
            ),
        }
    }
}

/// What can still be aliased of an argument: of a consumed one only what it refers to.
fn remaining(diet: Diet, arg: &AliasSet) -> AliasSet {
    match diet {
        Diet::Observe => arg.clone(),
        Diet::Consume => arg.filter(|a| a.via != Via::Own),
    }
}

/// What a function does to its first `count` arguments.
fn diets(fun: &Aliases, count: usize) -> Vec<Diet> {
    let mut diets = Vec::with_capacity(count);
    let Aliases::Fun(_, ty) = fun else { return vec![Diet::Observe; count] };
    let mut ty = ty;
    while let TyKind::Arrow(arrow) = &**ty {
        diets.push(arrow.diet);
        ty = &arrow.ret.ty;
    }
    diets.resize(count, Diet::Observe);
    diets
}

/// The aliases of the parts that a parameter of this (marked) type consumes.
fn consumed_part(param: &Ty, aliases: &Aliases) -> AliasSet {
    match (&**param, aliases) {
        (TyKind::Record(ts), Aliases::Record(parts)) => ts
            .iter()
            .zip(parts.iter())
            .fold(AliasSet::default(), |set, ((_, t), (_, a))| set.union(&consumed_part(t, a))),
        _ if types::has_unique(param) => aliases.all(),
        _ => AliasSet::default(),
    }
}

fn record_parts(aliases: &Aliases, parts: &mut Vec<AliasSet>) {
    match aliases {
        Aliases::Record(fields) => fields.iter().for_each(|(_, a)| record_parts(a, parts)),
        Aliases::Scalar => {}
        a => parts.push(a.all()),
    }
}
