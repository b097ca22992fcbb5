//! Unification of sizes.
//!
//! Two types that agree but for sizes are walked together, and sizes in the same place are made one. A size that is still
//! to be found is linked to the other one; two that are known must be the same term. What can be linked is limited by
//! scope: a size may only become something that is visible where it was made (its `Level`), and a size bound inside a
//! function type cannot leave it. A size that was instantiated for a call may also turn out to be existential (`absorb`).
//!
//! Nothing is undone when unification fails in the middle: the caller reports the clash, and the links that were made can
//! only suppress further errors.

use super::{Constraint, InstKind, Level, Sizer, Source};
use crate::infer::Why;
use crate::subst::{self, each_var_in_size, mentions_in_size};
use crate::types::{self, Arrow, Diet, Size, SizeTerm, Ty, TyArg, TyKind, VarId};
use norn_base::{Span, Symbol};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Why unification failed.
#[derive(Debug)]
pub(super) enum Clash {
    Sizes(Size, Size),
    /// A size would be linked to a variable that is not in scope where it was made.
    OutOfScope {
        to: Size,
        var: VarId,
    },
    Infinite(VarId, Size),
    /// `[?]` where one size is needed.
    Irregular,
    Diet(Arrow),
    Uniqueness(Ty, Ty),
    Types(Ty, Ty),
}

/// What to do with two sizes that are not the same.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// It is an error.
    Strict,
    /// Leave them.
    Lenient,
}

/// Where unification is in the two types.
#[derive(Clone, Copy)]
struct Walk {
    mode: Mode,
    /// Inside a parameter: expected and found have changed places.
    flipped: bool,
    /// At a value as a whole, not inside the elements of an array.
    whole: bool,
}

impl Walk {
    fn start(mode: Mode) -> Walk {
        Walk { mode, flipped: false, whole: true }
    }

    fn inside(self) -> Walk {
        Walk { whole: false, ..self }
    }
}

impl Sizer<'_> {
    /// Two types must have the same sizes; if not, say so.
    pub(super) fn unify(&mut self, span: Span, why: Why, expected: &Ty, found: &Ty) -> bool {
        match self.try_unify(expected, found) {
            Ok(()) => true,
            Err(clash) => {
                self.report_clash(span, &why, expected, found, clash);
                false
            }
        }
    }

    pub(super) fn try_unify(&mut self, a: &Ty, b: &Ty) -> Result<(), Clash> {
        self.walk(Walk::start(Mode::Strict), &mut Vec::new(), a, b)
    }

    /// Make as many sizes equal as can be, and leave the others.
    pub(super) fn unify_leniently(&mut self, a: &Ty, b: &Ty) -> Result<(), Clash> {
        self.walk(Walk::start(Mode::Lenient), &mut Vec::new(), a, b)
    }

    fn walk(&mut self, at: Walk, bound: &mut Vec<VarId>, a: &Ty, b: &Ty) -> Result<(), Clash> {
        // That types of scalars are the same was found when types were inferred.
        if Ty::ptr_eq(a, b) || (a.is_scalar() && b.is_scalar()) {
            return Ok(());
        }
        match (&**a, &**b) {
            (TyKind::Error | TyKind::Meta(_), _) | (_, TyKind::Error | TyKind::Meta(_)) => Ok(()),
            (TyKind::Unique(a), _) => self.walk(at, bound, a, b),
            (_, TyKind::Unique(b)) => self.walk(at, bound, a, b),
            (TyKind::Prim(p), TyKind::Prim(q)) if p == q => Ok(()),
            (TyKind::Record(xs), TyKind::Record(ys)) if xs.len() == ys.len() => {
                xs.iter().zip(ys).try_for_each(|((_, x), (_, y))| self.walk(at, bound, x, y))
            }
            (TyKind::Sum(xs), TyKind::Sum(ys)) if xs.len() == ys.len() => {
                for ((_, ts), (_, us)) in xs.iter().zip(ys) {
                    ts.iter().zip(us).try_for_each(|(t, u)| self.walk(at, bound, t, u))?;
                }
                Ok(())
            }
            (TyKind::Con(i, xs), TyKind::Con(j, ys)) if i == j => {
                xs.iter().zip(ys).try_for_each(|pair| match pair {
                    (TyArg::Size(x), TyArg::Size(y)) => self.sizes(at.inside(), bound, x, y),
                    (TyArg::Type(x), TyArg::Type(y)) => self.walk(at.inside(), bound, x, y),
                    (TyArg::Size(_), TyArg::Type(_)) | (TyArg::Type(_), TyArg::Size(_)) => {
                        Err(Clash::Types(a.clone(), b.clone()))
                    }
                })
            }
            (TyKind::Array(m, x), TyKind::Array(n, y)) => {
                self.sizes(at, bound, m, n)?;
                self.walk(at.inside(), bound, x, y)
            }
            (TyKind::Arrow(x), TyKind::Arrow(y)) => self.arrows(at, bound, x, y),
            _ => Err(Clash::Types(a.clone(), b.clone())),
        }
    }

    fn arrows(&mut self, at: Walk, bound: &mut Vec<VarId>, x: &Arrow, y: &Arrow) -> Result<(), Clash> {
        let flipped = at.flipped;
        let at = Walk { whole: true, ..at };
        // `x` is what is expected, `y` what there is; the other way round inside a parameter.
        let (expected, given) = if flipped { (y, x) } else { (x, y) };
        if expected.diet == Diet::Observe && given.diet == Diet::Consume {
            return Err(Clash::Diet(expected.clone()));
        }
        if types::has_unique(&expected.ret.ty)
            && !types::has_unique(&given.ret.ty)
            && !is_scalar(&given.ret.ty)
        {
            return Err(Clash::Uniqueness(expected.ret.ty.clone(), given.ret.ty.clone()));
        }

        let before: FxHashMap<VarId, Option<Constraint>> =
            x.ret.exts.iter().chain(&y.ret.exts).map(|v| (*v, self.constraint(*v).cloned())).collect();
        // Existential sizes of the expected type can be anything, those of the found type are unknown.
        let span = self.cx.names.var(*x.ret.exts.first().or(y.ret.exts.first()).unwrap_or(&VarId(0))).span;
        for (exts, free) in [(&x.ret.exts, !flipped), (&y.ret.exts, flipped)] {
            for v in exts {
                let c = if free { Constraint::Flex(None) } else { Constraint::Unknown(Source::Unify) };
                self.constrain(*v, c, span, "");
            }
        }
        let depth = bound.len();
        let mut result = self.walk(Walk { flipped: !flipped, ..at }, bound, &x.arg, &y.arg);
        if result.is_ok() {
            bound.extend(x.param);
            bound.extend(y.param);
            bound.extend(&x.ret.exts);
            bound.extend(&y.ret.exts);
            let y_ret = match (x.param, y.param) {
                (Some(p), Some(q)) if p != q => {
                    subst::apply_sizes(&FxHashMap::from_iter([(q, Size::Var(p))]), &y.ret.ty)
                }
                _ => y.ret.ty.clone(),
            };
            result = self.walk(at, bound, &x.ret.ty, &y_ret);
            bound.truncate(depth);
        }
        // A size that the parameter has as well is known from the argument.
        let mut of_param = subst::free_vars(&self.norm(&x.arg));
        of_param.extend(subst::free_vars(&self.norm(&y.arg)));
        self.absorb_exts(&before, &of_param, x.ret.exts.iter().chain(&y.ret.exts));
        for v in x.ret.exts.iter().chain(&y.ret.exts) {
            self.entries.remove(v);
        }
        result
    }

    /// An existential size of a function type that was found to be the size of some instantiation:
    /// then that size is existential.
    fn absorb_exts<'a>(
        &mut self,
        before: &FxHashMap<VarId, Option<Constraint>>,
        of_param: &[VarId],
        exts: impl Iterator<Item = &'a VarId>,
    ) {
        for v in exts {
            let Some(Constraint::Flex(Some(to))) = self.constraint(*v) else { continue };
            let Size::Var(to) = self.norm_size(&to.clone()) else { continue };
            let target = match self.constraint(to) {
                Some(Constraint::Inst(_)) => to,
                Some(Constraint::Copy { of, .. }) => *of,
                _ => continue,
            };
            if of_param.contains(&to) || of_param.contains(&target) {
                continue;
            }
            if let Some(Constraint::Inst(kind @ InstKind::Open)) = self.constraint(target).cloned() {
                let computed = match before.get(v) {
                    Some(Some(Constraint::Unknown(_))) => Some(self.cx.names.var(*v).span),
                    _ => None,
                };
                self.absorb(target, kind, Some(*v), computed);
            }
        }
    }

    /// An instantiated size meets one that is bound inside a function type.
    fn absorb(&mut self, v: VarId, kind: InstKind, key: Option<VarId>, computed: Option<Span>) -> bool {
        let Some(entry) = self.entries.get_mut(&v) else { return false };
        match kind {
            InstKind::Local => false,
            InstKind::Element if entry.regular => false,
            InstKind::Element => {
                entry.constraint = Constraint::Flex(Some(Size::Irregular));
                true
            }
            InstKind::Open => {
                entry.constraint = Constraint::Existential { key, computed };
                self.existentials = true;
                true
            }
        }
    }

    /// The level of a size that is still to be found.
    fn flexible_level(&self, v: VarId) -> Option<Level> {
        let entry = self.entries.get(&v)?;
        let open =
            |c: &Constraint| matches!(c, Constraint::Flex(_) | Constraint::Inst(_) | Constraint::Copy { .. });
        let ok = match &entry.constraint {
            Constraint::Copy { of, .. } => self.constraint(*of).is_some_and(open),
            c => open(c),
        };
        ok.then_some(entry.level)
    }

    fn sizes(&mut self, at: Walk, bound: &[VarId], a: &Size, b: &Size) -> Result<(), Clash> {
        let a = self.norm_size(a);
        let b = self.norm_size(b);
        match (&a, &b) {
            (Size::Any, _) | (_, Size::Any) => return Ok(()),
            (Size::Const(x), Size::Const(y)) if x == y => return Ok(()),
            (Size::Var(x), Size::Var(y)) if x == y => return Ok(()),
            (Size::Irregular, Size::Irregular) => return Ok(()),
            (Size::Term(x), Size::Term(y)) if x.head == y.head && x.args.len() == y.args.len() => {
                if at.mode == Mode::Lenient {
                    self.terms_or_neither(bound, &a, &b);
                    return Ok(());
                }
                let mut parts = x.args.iter().zip(&y.args);
                let result = parts.try_for_each(|(x, y)| self.sizes(at.inside(), bound, x, y));
                // The user sees the whole size.
                return match result {
                    Err(Clash::Sizes(..)) if at.flipped => Err(Clash::Sizes(b, a)),
                    Err(Clash::Sizes(..)) => Err(Clash::Sizes(a, b)),
                    other => other,
                };
            }
            _ => {}
        }
        // The expected type comes first.
        let (a, b) = if at.flipped { (b, a) } else { (a, b) };
        if at.whole && a == Size::Irregular {
            // Any size will do for a row; one that is still to be found is that of a row.
            if let Size::Var(v) = &b
                && let Some(level) = self.flexible_level(*v)
                && self.can_link(*v, level, &a, bound)
            {
                return self.link(*v, level, &a);
            }
            return Ok(());
        }
        for (v, other) in [(&a, &b), (&b, &a)] {
            let Size::Var(v) = v else { continue };
            let Some(level) = self.flexible_level(*v) else { continue };
            let mentions_bound = mentions_in_size(other, &|w| bound.contains(&w));
            if mentions_bound && bound.contains(v) && !mentions_in_size(other, &|w| w == *v) {
                // An existential size of one function type is a size that the other one names itself.
                if let Some(e) = self.entries.get_mut(v) {
                    e.constraint = Constraint::Flex(Some(other.clone()));
                }
                return Ok(());
            }
            if !mentions_bound {
                if at.mode == Mode::Lenient && !self.can_link(*v, level, other, bound) {
                    continue;
                }
                return self.link(*v, level, other);
            }
        }
        if at.mode == Mode::Lenient {
            return Ok(());
        }
        for (v, other) in [(&a, &b), (&b, &a)] {
            if self.link_to_binder(v, other, bound) {
                return Ok(());
            }
        }
        for (v, other) in [(&a, &b), (&b, &a)] {
            if self.meets_bound(v, other, bound) {
                return Ok(());
            }
        }
        // A function whose result has a size of its own gives rows that vary.
        if a == Size::Irregular && mentions_in_size(&b, &|w| bound.contains(&w)) {
            return Ok(());
        }
        Err(if a == Size::Irregular || b == Size::Irregular { Clash::Irregular } else { Clash::Sizes(a, b) })
    }

    /// Two terms that need not be equal are made equal as a whole, or left: `max 0 k` and `v + k` do not make `v` 0.
    fn terms_or_neither(&mut self, bound: &[VarId], a: &Size, b: &Size) {
        if [a, b].iter().any(|size| mentions_in_size(size, &|w| bound.contains(&w))) {
            return;
        }
        let mut before = FxHashMap::default();
        for size in [a, b] {
            each_var_in_size(size, &mut |v| {
                let of = match self.constraint(v) {
                    Some(Constraint::Copy { of, .. }) => Some(*of),
                    _ => None,
                };
                for v in [Some(v), of].into_iter().flatten() {
                    before.insert(v, self.entries.get(&v).cloned());
                }
            });
        }
        let existentials = self.existentials;
        let (Size::Term(x), Size::Term(y)) = (a, b) else { return };
        let strict = Walk::start(Mode::Strict).inside();
        if x.args.iter().zip(&y.args).any(|(x, y)| self.sizes(strict, bound, x, y).is_err()) {
            self.existentials = existentials;
            for (v, entry) in before {
                match entry {
                    Some(entry) => self.entries.insert(v, entry),
                    None => self.entries.remove(&v),
                };
            }
        }
    }

    /// Whether linking would be in scope and not circular.
    fn can_link(&self, v: VarId, level: Level, to: &Size, bound: &[VarId]) -> bool {
        if *to == Size::Irregular {
            return self.entries.get(&v).is_some_and(|e| !e.regular);
        }
        !mentions_in_size(to, &|w| {
            w == v
                || bound.contains(&w)
                || self.entries.get(&w).is_some_and(|e| {
                    e.level > level || (e.level == level && matches!(e.constraint, Constraint::Param))
                })
        })
    }

    pub(super) fn link(&mut self, v: VarId, level: Level, to: &Size) -> Result<(), Clash> {
        // A copy is its original for as long as that is not existential.
        let canonical = |this: &Self, w: VarId| match this.constraint(w) {
            Some(Constraint::Copy { of, .. }) => Some(*of),
            _ => None,
        };
        let to = subst::subst_size(to, &|w| canonical(self, w).map(Size::Var));
        if let Some(of) = canonical(self, v) {
            let level = self.entries.get(&of).map_or(level, |e| e.level);
            return self.link(of, level, &to);
        }
        if to == Size::Var(v) {
            return Ok(());
        }
        let regular = self.entries.get(&v).is_some_and(|e| e.regular);
        if to == Size::Irregular && regular {
            return Err(Clash::Irregular);
        }
        let mut vars = Vec::new();
        each_var_in_size(&to, &mut |w| vars.push(w));
        for w in vars {
            if w == v {
                return Err(Clash::Infinite(v, to));
            }
            if let Some(e) = self.entries.get_mut(&w) {
                if e.level >= level {
                    if matches!(e.constraint, Constraint::Param) {
                        return Err(Clash::OutOfScope { to, var: w });
                    }
                    e.level = level;
                }
                if regular && matches!(to, Size::Var(_)) {
                    e.regular = true;
                }
            }
        }
        if let Some(e) = self.entries.get_mut(&v) {
            e.constraint = Constraint::Flex(Some(to));
            e.level = level;
        }
        Ok(())
    }

    /// A size made for a type that was inferred may be linked to a parameter name of that type
    /// itself.
    fn link_to_binder(&mut self, v: &Size, other: &Size, bound: &[VarId]) -> bool {
        let Size::Var(v) = v else { return false };
        if bound.contains(v)
            || !matches!(self.constraint(*v), Some(Constraint::Inst(_) | Constraint::Copy { .. }))
        {
            return false;
        }
        if let Some(Constraint::Copy { of, .. }) = self.constraint(*v)
            && matches!(self.constraint(*of), Some(Constraint::Existential { .. }))
        {
            return false;
        }
        let own = |w: VarId| !bound.contains(&w) || self.binders.contains(&w);
        if !mentions_in_size(other, &|w| bound.contains(&w)) || mentions_in_size(other, &|w| !own(w)) {
            return false;
        }
        let other = other.clone();
        if let Some(e) = self.entries.get_mut(v) {
            e.constraint = Constraint::Flex(Some(other));
        }
        true
    }

    fn meets_bound(&mut self, v: &Size, other: &Size, bound: &[VarId]) -> bool {
        let Size::Var(v) = v else { return false };
        if bound.contains(v) || !mentions_in_size(other, &|w| bound.contains(&w)) {
            return false;
        }
        let target = match self.constraint(*v) {
            Some(Constraint::Copy { of, .. }) => *of,
            _ => *v,
        };
        match self.constraint(target).cloned() {
            Some(Constraint::Existential { .. }) => true,
            Some(Constraint::Inst(kind)) => {
                let key = match other {
                    Size::Var(w) => Some(*w),
                    _ => None,
                };
                let mut computed = None;
                each_var_in_size(other, &mut |w| {
                    if let Some(Constraint::Unknown(_)) = self.constraint(w) {
                        computed.get_or_insert(self.cx.names.var(w).span);
                    }
                });
                self.absorb(target, kind, key, computed)
            }
            _ => false,
        }
    }

    /// The difference of two sizes as a term.
    pub(super) fn minus(&self, a: Size, b: Size) -> Size {
        self.operator("-", a, b)
    }

    pub(super) fn operator(&self, op: &str, a: Size, b: Size) -> Size {
        match self.cx.operator_var(Symbol::new(op)) {
            Some(op) => {
                Size::Term(Rc::new(SizeTerm { head: types::SizeHead::Call, args: vec![Size::Var(op), a, b] }))
            }
            None => Size::Any,
        }
    }
}

/// Nothing in it can be unique or not.
fn is_scalar(t: &Ty) -> bool {
    if t.is_scalar() {
        return true;
    }
    match &**t {
        TyKind::Prim(_) | TyKind::Error | TyKind::Meta(_) => true,
        TyKind::Record(fields) => fields.iter().all(|(_, t)| is_scalar(t)),
        TyKind::Sum(cs) => cs.iter().all(|(_, ts)| ts.iter().all(is_scalar)),
        TyKind::Con(..) | TyKind::Array(..) | TyKind::Arrow(_) | TyKind::Unique(_) => false,
    }
}
