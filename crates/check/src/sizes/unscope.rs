//! Sizes that go out of scope.
//!
//! A size that mentions a name becomes unknown where the name ceases to exist. The unknown size is
//! bound as far inside the type as possible: for a function type that is its result.

use super::{Constraint, Sizer, Source};
use crate::subst::{self, Place, free_vars, mentions_in_size};
use crate::types::{self, Arrow, RetTy, Size, SizeTerm, Ty, TyArg, TyKind, VarId};
use norn_base::Span;
use std::rc::Rc;

/// Returns which variable makes a size impossible, if one does.
type Killer<'k> = &'k dyn Fn(&Sizer<'_>, &Size) -> Option<VarId>;

impl Sizer<'_> {
    /// Replace the sizes that mention one of these variables. Also returns the new sizes that are
    /// to be bound outside the type.
    pub(super) fn unscope(&mut self, span: Span, vars: &[VarId], t: &Ty) -> (Ty, Vec<VarId>) {
        if vars.is_empty() || !free_vars(t).iter().any(|v| vars.contains(v)) {
            return (t.clone(), Vec::new());
        }
        self.replace_sizes(span, &|_, s| first_var(s, &|v| vars.contains(&v)), t)
    }

    /// Replace the sizes that came into existence further inside than here, as in the only case of a match.
    pub(super) fn unscope_made_inside(&mut self, span: Span, t: &Ty) -> (Ty, Vec<VarId>) {
        let level = self.level;
        let inside = |this: &Sizer<'_>, v: VarId| {
            let entry = this.entries.get(&v);
            entry.is_some_and(|e| e.level > level && matches!(e.constraint, Constraint::Unknown(_)))
        };
        if !free_vars(t).iter().any(|v| inside(self, *v)) {
            return (t.clone(), Vec::new());
        }
        self.replace_sizes(span, &|this, s| first_var(s, &|v| inside(this, v)), t)
    }

    /// Sizes computed from unknown ones that cannot be read off the type itself become unknown.
    pub(super) fn unscope_unknown(&mut self, span: Span, t: &Ty) -> Ty {
        let unknown = |this: &Sizer<'_>, v: VarId| matches!(this.constraint(v), Some(Constraint::Unknown(_)));
        if !free_vars(t).iter().any(|v| unknown(self, *v)) {
            return t.clone();
        }
        let (witnessed, _) = subst::size_witnesses(t);
        let killer = |this: &Sizer<'_>, s: &Size| match s {
            Size::Var(_) => None,
            s => first_var(s, &|v| unknown(this, v) && !witnessed.contains(&v)),
        };
        self.replace_sizes(span, &killer, t).0
    }

    pub(super) fn replace_sizes(&mut self, span: Span, killer: Killer<'_>, t: &Ty) -> (Ty, Vec<VarId>) {
        let mut walk = Replacing { span, killer, known: Vec::new(), new: Vec::new() };
        self.enter(&mut walk, t);
        let t = self.replace_in(&mut walk, t);
        (t, walk.new)
    }

    /// Decide the sizes of the value itself first, the simplest first, so that others can be
    /// computed from them.
    fn enter(&mut self, walk: &mut Replacing<'_>, t: &Ty) {
        let mut immediate: Vec<Size> = Vec::new();
        subst::each_placed_size(t, &mut |_, place, s| {
            if place == Place::Immediate && !immediate.contains(s) {
                immediate.push(s.clone());
            }
        });
        immediate.sort_by_key(term_height);
        for s in immediate {
            let new = self.replace_size(walk, &s);
            if new != s {
                walk.known.push((s, new));
            }
        }
    }

    fn replace_size(&mut self, walk: &mut Replacing<'_>, s: &Size) -> Size {
        let s = rewrite(&walk.known, s);
        match (walk.killer)(self, &s) {
            None => s,
            Some(cause) => {
                let v = self.rigid("d", walk.span, Source::OutOfScope(cause));
                walk.new.push(v);
                Size::Var(v)
            }
        }
    }

    fn replace_in(&mut self, walk: &mut Replacing<'_>, t: &Ty) -> Ty {
        if t.is_scalar() {
            return t.clone();
        }
        match &**t {
            TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => t.clone(),
            TyKind::Con(id, args) => types::con(
                *id,
                args.iter()
                    .map(|a| match a {
                        TyArg::Size(s) => TyArg::Size(self.replace_size(walk, s)),
                        TyArg::Type(t) => TyArg::Type(self.replace_in(walk, t)),
                    })
                    .collect(),
            ),
            TyKind::Array(s, elem) => {
                let s = self.replace_size(walk, s);
                types::array(s, self.replace_in(walk, elem))
            }
            TyKind::Unique(t) => {
                let t = self.replace_in(walk, t);
                types::unique(&t)
            }
            TyKind::Record(fields) => {
                Ty::new(TyKind::Record(fields.iter().map(|(f, t)| (*f, self.replace_in(walk, t))).collect()))
            }
            TyKind::Sum(cs) => Ty::new(TyKind::Sum(
                cs.iter()
                    .map(|(c, ts)| (*c, ts.iter().map(|t| self.replace_in(walk, t)).collect()))
                    .collect(),
            )),
            TyKind::Arrow(a) => {
                let arg = self.replace_in(walk, &a.arg);
                let outside = walk.new.len();
                let depth = walk.known.len();
                self.enter(walk, &a.ret.ty);
                let ty = self.replace_in(walk, &a.ret.ty);
                walk.known.truncate(depth);
                let mut exts = a.ret.exts.clone();
                exts.extend(walk.new.split_off(outside));
                let ret = RetTy { exts, ty };
                Ty::new(TyKind::Arrow(Arrow { param: a.param, diet: a.diet, arg, ret }))
            }
        }
    }
}

struct Replacing<'k> {
    span: Span,
    killer: Killer<'k>,
    /// Sizes already decided.
    known: Vec<(Size, Size)>,
    new: Vec<VarId>,
}

fn rewrite(known: &[(Size, Size)], s: &Size) -> Size {
    if let Some((_, to)) = known.iter().find(|(from, _)| from == s) {
        return to.clone();
    }
    match s {
        Size::Term(term) => {
            let args: Vec<Size> = term.args.iter().map(|a| rewrite(known, a)).collect();
            Size::Term(Rc::new(SizeTerm { head: term.head.clone(), args }))
        }
        Size::Const(_) | Size::Var(_) | Size::Irregular | Size::Any => s.clone(),
    }
}

fn term_height(s: &Size) -> usize {
    match s {
        Size::Term(term) => 1 + term.args.iter().map(term_height).max().unwrap_or(0),
        Size::Const(_) | Size::Var(_) | Size::Irregular | Size::Any => 0,
    }
}

pub(super) fn first_var(s: &Size, f: &dyn Fn(VarId) -> bool) -> Option<VarId> {
    let mut found = None;
    if mentions_in_size(s, f) {
        subst::each_var_in_size(s, &mut |v| {
            if found.is_none() && f(v) {
                found = Some(v);
            }
        });
    }
    found
}
