//! Loops.
//!
//! A loop is like a function from its parameters to their next values, except that nobody writes
//! what it consumes: that is inferred. The body is checked as if it were allowed to consume every
//! parameter whose type was not written. A parameter is consuming if the body consumes it or if
//! its next value shares memory with that of a consuming one, which is a fixed point. Then:
//!
//! - The next value of a consuming parameter aliases neither variables from outside the loop nor
//!   the next value of another parameter: in the next iteration it will be consumed again.
//! - The initial value of a consuming parameter is consumed, and the loop uses neither it nor its
//!   aliases by another name.
//! - The result of a consuming parameter is fresh (ALIAS-DOLOOP), apart from what the body gives
//!   it; that of another may alias its initial value too.

use super::alias::{Alias, AliasSet, Aliases, Root, Via};
use super::apply::remaining;
use super::pattern::each_var;
use super::scope::{Barrier, Binding, Checker, Mark, Place, ResultOf};
use crate::typed::{Exp, Loop, LoopForm, Pat, PatKind};
use crate::types::{self, Ty, TyKind, VarId};
use norn_base::Span;
use rustc_hash::FxHashSet;

/// The value that an iteration leaves in a loop parameter.
struct Next {
    param: VarId,
    consuming: bool,
    aliases: AliasSet,
}

impl Checker<'_> {
    pub fn do_loop(&mut self, l: &mut Loop) -> Aliases {
        // The bound of a counter is evaluated once; an array is read in every iteration.
        if let LoopForm::For(_, bound) = &mut l.form {
            self.exp(bound);
        }
        let uses = self.mark_uses();
        let array = match &mut l.form {
            LoopForm::ForIn(_, array) => self.exp(array).all(),
            LoopForm::For(..) | LoopForm::While(_) => AliasSet::default(),
        };
        self.barriers.push(Barrier::Loop);
        self.bind_loop_params(&l.pat, |v, ty| !l.declared.contains(&v) || types::has_unique(ty));
        let (consumed, next) = self.iteration(l, &array);
        let consuming = self.consuming_params(l, consumed, &next);
        mark_consuming(&mut l.pat, &consuming);
        self.check_next_values(&l.pat, &next, &l.body);
        self.leave_pat(&l.pat);
        self.barriers.pop();
        let used = self.outer_uses(uses);

        let start = self.mark();
        // `loop xs for ..` starts with the `xs` outside.
        let pun = l.pat.span.lo <= l.init.span.lo && l.init.span.hi <= l.pat.span.hi;
        let place = if pun { Place::Pun } else { Place::Operand };
        let (init, _) = self.passed(&mut l.init, &l.pat.ty, &[], place);
        self.check_not_used_by_loop(&used, start);

        let tie = self.new_result(ResultOf::Loop, Via::Own);
        self.loop_result(&tie, &l.pat.ty, &init).or(&next)
    }

    /// Check the condition and the body; the parameters that they consume, and the next values.
    fn iteration(&mut self, l: &mut Loop, array: &AliasSet) -> (FxHashSet<VarId>, Aliases) {
        let start = self.mark();
        match &mut l.form {
            LoopForm::For(v, e) => {
                self.declare(*v, &e.ty, &Aliases::Scalar, Via::Own, false, Binding::Element);
            }
            LoopForm::ForIn(pat, _) => {
                let element = self.taken_out(&pat.ty, array);
                self.bind_element(pat, &element);
            }
            LoopForm::While(cond) => {
                self.barriers.push(Barrier::Loop);
                self.exp(cond);
                self.barriers.pop();
            }
        }
        let next = self.exp(&mut l.body);
        self.check_many_calls(super::function::result_of(&l.body), &next, "value for the next iteration");
        match &l.form {
            LoopForm::For(v, _) => self.leave(*v),
            LoopForm::ForIn(pat, _) => self.leave_pat(pat),
            LoopForm::While(_) => {}
        }
        let params = vars(&l.pat);
        let consumed = self.consumed_since(start).iter().filter_map(|root| match root {
            Root::Var(v) if params.contains(v) => Some(*v),
            _ => None,
        });
        let consumed = consumed.collect();
        self.contain(start);
        (consumed, next)
    }

    /// The parameters that are consumed, given those that the body consumes.
    fn consuming_params(
        &self,
        l: &Loop,
        mut consuming: FxHashSet<VarId>,
        next: &Aliases,
    ) -> FxHashSet<VarId> {
        let params = vars(&l.pat);
        consuming.extend(marked(&l.pat));
        loop {
            let mut values = Vec::new();
            next_values(&l.pat, next, &consuming, &mut values);
            let before = consuming.len();
            for value in values.iter().filter(|value| value.consuming) {
                for alias in value.aliases.iter().filter(|a| a.via != Via::Held) {
                    if let Root::Var(v) = alias.root
                        && params.contains(&v)
                        && !l.declared.contains(&v)
                    {
                        consuming.insert(v);
                    }
                }
            }
            if consuming.len() == before {
                return consuming;
            }
        }
    }

    fn check_next_values(&mut self, pat: &Pat, next: &Aliases, body: &Exp) {
        let params = vars(pat);
        let mut values = Vec::new();
        next_values(pat, next, &marked(pat), &mut values);
        let mut consumed_seen = AliasSet::default();
        let mut seen = AliasSet::default();
        let span = super::function::result_of(body).span;
        for value in &values {
            if value.consuming {
                let outside = |a: &&Alias| {
                    a.via != Via::Held
                        && (a.via == Via::Shared || self.is_bound(a.root))
                        && !matches!(a.root, Root::Var(v) if params.contains(&v))
                };
                if let Some(alias) = value.aliases.iter().find(outside).copied() {
                    self.report_next_value_aliases(value.param, alias.root, span);
                }
            }
            if consumed_seen.touches(&value.aliases) || (value.consuming && value.aliases.touches(&seen)) {
                self.report_next_values_overlap(value.param, span);
            }
            seen = seen.union(&value.aliases);
            if value.consuming {
                consumed_seen = consumed_seen.union(&value.aliases);
            }
        }
    }

    /// What the initial value consumed must not be used inside the loop.
    fn check_not_used_by_loop(&mut self, used: &[(VarId, Span)], start: Mark) {
        let consumed: FxHashSet<Root> = self.consumed_since(start).iter().copied().collect();
        if consumed.is_empty() {
            return;
        }
        for (var, span) in used {
            let Some(local) = self.local(*var) else { continue };
            let mut found = None;
            local.aliases.each_set(&mut |set| {
                found =
                    found.or(set.iter().map(|a| a.root).find(|r| consumed.contains(r) && self.is_bound(*r)));
            });
            if let Some(root) = found {
                self.report_used_by_loop(*var, root, *span);
            }
        }
    }

    /// The result, as far as the initial value goes.
    fn loop_result(&self, tie: &AliasSet, param: &Ty, init: &Aliases) -> Aliases {
        match (&**param, init) {
            (TyKind::Record(ts), Aliases::Record(parts)) => Aliases::Record(
                ts.iter()
                    .zip(parts.iter())
                    .map(|((f, t), (_, a))| (*f, self.loop_result(tie, t, a)))
                    .collect(),
            ),
            _ => self.returned(tie, param, &remaining(types::diet(param), &init.all())),
        }
    }
}

fn vars(pat: &Pat) -> FxHashSet<VarId> {
    let mut vars = FxHashSet::default();
    each_var(pat, &mut |v, _| {
        vars.insert(v);
    });
    vars
}

/// The variables whose types are marked as consumed.
fn marked(pat: &Pat) -> FxHashSet<VarId> {
    let mut vars = FxHashSet::default();
    each_var(pat, &mut |v, ty| {
        if types::has_unique(ty) {
            vars.insert(v);
        }
    });
    vars
}

fn next_values(pat: &Pat, next: &Aliases, consuming: &FxHashSet<VarId>, values: &mut Vec<Next>) {
    match &pat.kind {
        PatKind::Var(v) => {
            let can = types::has_unique(&types::unique(&pat.ty));
            values.push(Next { param: *v, consuming: can && consuming.contains(v), aliases: next.all() });
        }
        PatKind::Record(fields) => {
            for (f, p) in fields {
                next_values(p, &next.field(*f, &p.ty), consuming, values);
            }
        }
        PatKind::Opened(_, p) => next_values(p, next, consuming, values),
        PatKind::Wildcard | PatKind::Lit(_) | PatKind::Constr(..) => {}
    }
}

/// Mark the types of the parameters that are consumed, and unmark the others.
fn mark_consuming(pat: &mut Pat, consuming: &FxHashSet<VarId>) {
    match &mut pat.kind {
        PatKind::Var(v) => {
            let plain = types::plain(&pat.ty);
            pat.ty = if consuming.contains(v) { types::unique(&plain) } else { plain };
        }
        PatKind::Wildcard | PatKind::Lit(_) => pat.ty = types::plain(&pat.ty),
        PatKind::Record(fields) => {
            fields.iter_mut().for_each(|(_, p)| mark_consuming(p, consuming));
            pat.ty = Ty::new(TyKind::Record(fields.iter().map(|(f, p)| (*f, p.ty.clone())).collect()));
        }
        PatKind::Constr(_, pats) => pats.iter_mut().for_each(|p| mark_consuming(p, consuming)),
        PatKind::Opened(_, p) => {
            mark_consuming(p, consuming);
            pat.ty = p.ty.clone();
        }
    }
}
