//! Application: what the arguments lose, and what the result aliases.
//!
//! A consuming parameter consumes its argument with all its aliases (SAFE-APPLY). A result that
//! the function's type marks unique is fresh (ALIAS-APPLY-UNIQUE); another may alias the function
//! and every argument that was not consumed (ALIAS-APPLY-NONUNIQUE), and its parts may alias each
//! other, which a nameless root of the application stands for.

use super::alias::{AliasSet, Aliases, Root, Via, is_large_scalar};
use super::scope::{Checker, EventId, Place, ResultOf};
use crate::typed::{Arg, Exp, ExpKind};
use crate::types::{self, Diet, Ty, TyKind, VarId};
use norn_base::Span;

/// An argument that has been evaluated.
pub(super) struct Given {
    var: Option<VarId>,
    span: Span,
    aliases: Aliases,
    ty: Ty,
    /// Whether it was consumed, and by what.
    consumed: Option<EventId>,
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
        let made = Aliases::Fun(captured, ty.clone());
        match given.consumed {
            Some(event) => self.callable_once(&made, event),
            None => made,
        }
    }

    fn argument(&mut self, e: &mut Exp, diet: Diet, others: &[Given]) -> Given {
        let param = match diet {
            Diet::Observe => e.ty.clone(),
            Diet::Consume => types::unique(&e.ty),
        };
        let (aliases, consumed) = self.passed(e, &param, others, Place::Argument);
        Given { var: Self::as_var(e), span: e.span, aliases, ty: e.ty.clone(), consumed }
    }

    /// Pass a value to a parameter of the given type, marked where it consumes; its aliases, and
    /// the consumption if there was one. `others` are the arguments of the same application that
    /// were evaluated before.
    pub fn passed(
        &mut self,
        e: &mut Exp,
        param: &Ty,
        others: &[Given],
        place: Place,
    ) -> (Aliases, Option<EventId>) {
        let mark = self.mark();
        let aliases = self.exp(e);
        for other in others.iter().filter(|other| other.consumed.is_none()) {
            self.check_kept(other.var, other.span, &other.aliases, mark);
        }
        self.check_many_calls(e, &aliases, "argument");
        let consumes = types::has_unique(param)
            && self.check_self_alias(param, &aliases, e.span)
            && self.check_apart(&consumed_part(param, &aliases), others, e.span);
        let event = if consumes { self.consume_value(e, param, &aliases, place) } else { None };
        (aliases, event)
    }

    /// Consume what a parameter of the given (marked) type consumes of a value. The parts of a
    /// record that is written out are consumed one by one, so that messages point at them.
    fn consume_value(&mut self, e: &Exp, param: &Ty, aliases: &Aliases, place: Place) -> Option<EventId> {
        if let (ExpKind::Record(fields), Aliases::Record(parts)) = (&e.bare().kind, aliases) {
            let mut event = None;
            for (f, x) in fields {
                let part = parts.iter().find(|(g, _)| f == g);
                if let (Some(t), Some((_, a))) = (param.field(*f), part) {
                    // `{xs}` may stand for `{xs = xs}`.
                    let pun = Self::as_var(x).is_some_and(|v| self.name(v) == *f);
                    let place = if pun { Place::Pun } else { Place::Operand };
                    event = self.consume_value(x, t, a, place).or(event);
                }
            }
            return event;
        }
        self.consume(&consumed_part(param, aliases), self.consumption(e, place))
    }

    /// Whether the parts of an argument that are consumed do not alias other parts, as they must not.
    fn check_self_alias(&mut self, param: &Ty, aliases: &Aliases, span: Span) -> bool {
        let mut parts = Vec::new();
        record_parts(param, aliases, &mut parts);
        let (mut all, mut consumed) = (AliasSet::default(), AliasSet::default());
        for (part, is_consumed) in parts {
            let others = if is_consumed { &all } else { &consumed };
            if let Some(root) = part.touched(others).or_else(|| others.touched(&part)) {
                self.report_self_alias(root, span);
                return false;
            }
            all = all.union(&part);
            if is_consumed {
                consumed = consumed.union(&part);
            }
        }
        true
    }

    /// Whether a consumed argument does not alias another argument of the same application.
    fn check_apart(&mut self, set: &AliasSet, others: &[Given], span: Span) -> bool {
        let owned = |root: Root| set.iter().any(|a| a.root == root && a.via != Via::Held);
        for other in others {
            let all = other.aliases.all();
            if let Some(alias) = all.iter().find(|a| self.is_bound(a.root) && owned(a.root)) {
                self.report_arguments_overlap(alias.root, span, other.span);
                return false;
            }
        }
        true
    }

    fn applied(&mut self, name: Option<VarId>, fun: &Aliases, given: &[Given]) -> Aliases {
        // What stored references refer to may come out of the call even if the store is consumed.
        let shared = given.iter().any(|g| self.has_stored(&g.ty));
        let via = if shared { Via::Shared } else { Via::Own };
        let result = self.new_result(ResultOf::Apply(name), via);
        let mut current = fun.map(&mut |set| set.union(&result));
        for g in given {
            let Aliases::Fun(captured, ty) = &current else { return current };
            let TyKind::Arrow(arrow) = &**ty else { return current };
            let arg = self.lent(&g.aliases.all(), &g.ty, arrow.diet);
            current = self.returned(&captured.unheld(), &arrow.ret.ty, &arg);
        }
        match given.iter().find_map(|g| g.consumed) {
            Some(event) => self.callable_once(&current, event),
            None => current,
        }
    }

    /// What a callee may give back of an argument: the array in a recursive value, the result of
    /// a function in an array. Of a consumed argument only what it refers to is left.
    fn lent(&self, set: &AliasSet, ty: &Ty, diet: Diet) -> AliasSet {
        let left = remaining(diet, set);
        if self.has_stored(ty) { left.shared() } else { left.unheld() }
    }

    /// A value made by consuming something. A function in it may have captured what was consumed,
    /// to consume it when it is called: `let f = scatter xs is`.
    fn callable_once(&mut self, aliases: &Aliases, event: EventId) -> Aliases {
        if !aliases.has_functions() {
            return aliases.clone();
        }
        let once = self.new_result(ResultOf::Once(event), Via::Own);
        aliases.map_functions(&mut |set| set.union(&once))
    }

    /// Complain if a function can be called only once, but gets to a place from where it may be
    /// called many times.
    pub fn check_many_calls(&mut self, e: &Exp, aliases: &Aliases, place: &str) {
        let mut found = None;
        aliases.each_function(&mut |set| {
            found = found.or(set.iter().find_map(|a| match a.root {
                Root::Result(i) => match self.results[i as usize] {
                    ResultOf::Once(event) => Some(event),
                    ResultOf::Apply(_) | ResultOf::Stored | ResultOf::Loop => None,
                },
                Root::Var(_) => None,
            }));
        });
        if let Some(event) = found
            && self.blamed.insert(event)
        {
            self.report_callable_once(e, event, place);
        }
    }

    /// The aliases of a result of type `ret` of something that captured `captured` and was given
    /// `arg`.
    pub fn returned(&self, captured: &AliasSet, ret: &Ty, arg: &AliasSet) -> Aliases {
        match &**ret {
            _ if is_large_scalar(ret) => Aliases::Scalar,
            TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => Aliases::Scalar,
            TyKind::Unique(t) if self.has_references(t) => Aliases::Whole(captured.union(arg).held()),
            TyKind::Unique(_) => Aliases::Whole(AliasSet::default()),
            TyKind::Array(..) | TyKind::Con(..) => {
                let all = captured.union(arg);
                // It may be one of these, or refer to them.
                Aliases::Whole(if self.has_references(ret) { all.union(&all.held()) } else { all })
            }
            TyKind::Arrow(_) => Aliases::Fun(captured.union(arg), ret.clone()),
            TyKind::Record(fields) => {
                Aliases::Record(fields.iter().map(|(f, t)| (*f, self.returned(captured, t, arg))).collect())
            }
            TyKind::Sum(constrs) => Aliases::Sum(
                constrs
                    .iter()
                    .map(|(c, ts)| (*c, ts.iter().map(|t| self.returned(captured, t, arg)).collect()))
                    .collect(),
            ),
        }
    }
}

/// What can still be aliased of an argument: of a consumed one only what it refers to.
pub(super) fn remaining(diet: Diet, arg: &AliasSet) -> AliasSet {
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

/// The parts of a record, and whether a parameter of this (marked) type consumes them.
fn record_parts(param: &Ty, aliases: &Aliases, parts: &mut Vec<(AliasSet, bool)>) {
    match (&**param, aliases) {
        (TyKind::Record(types), Aliases::Record(fields)) => {
            types.iter().zip(fields.iter()).for_each(|((_, t), (_, a))| record_parts(t, a, parts));
        }
        (_, Aliases::Record(fields)) => fields.iter().for_each(|(_, a)| record_parts(param, a, parts)),
        (_, Aliases::Scalar) => {}
        (_, a) => parts.push((a.all(), types::has_unique(param))),
    }
}
