//! Branches whose results differ in size.

use super::{Sizer, Source};
use crate::infer::Why;
use crate::types::{self, Arrow, RetTy, Size, Ty, TyArg, TyKind, VarId};
use norn_base::Span;

impl Sizer<'_> {
    /// The type of what is one of two branches: sizes that cannot be made equal become unknown.
    pub(super) fn unify_branches(&mut self, span: Span, first: Span, a: &Ty, b: &Ty) -> (Ty, Vec<VarId>) {
        // Neither is the expected type: of two functions, either may be the one that promises less.
        if let Err(clash) = self.unify_leniently(a, b)
            && self.unify_leniently(b, a).is_err()
        {
            self.report_clash(span, &Why::Branches(first), a, b, clash);
        }
        let (a, b) = (self.norm(a), self.norm(b));
        let mut join = Join { span, seen: Vec::new() };
        let t = self.join(&mut join, &a, &b);
        (t, join.seen.into_iter().map(|(_, _, v)| v).collect())
    }

    /// The type of the elements of an array that has elements of both types: sizes that differ vary
    /// from element to element, except in functions, where they are existential in the result. `None`
    /// if the types differ in more than that.
    pub(super) fn irregular_join(&mut self, span: Span, a: &Ty, b: &Ty) -> Option<Ty> {
        if a.is_scalar() && b.is_scalar() {
            return Some(a.clone());
        }
        match (&**a, &**b) {
            (TyKind::Array(m, x), TyKind::Array(n, y)) => {
                let size = if m == n { m.clone() } else { Size::Irregular };
                Some(types::array(size, self.irregular_join(span, x, y)?))
            }
            (TyKind::Record(xs), TyKind::Record(ys)) if xs.len() == ys.len() => {
                let mut fields = Vec::new();
                for ((f, x), (_, y)) in xs.iter().zip(ys) {
                    fields.push((*f, self.irregular_join(span, x, y)?));
                }
                Some(Ty::new(TyKind::Record(fields)))
            }
            (TyKind::Sum(xs), TyKind::Sum(ys)) if xs.len() == ys.len() => {
                let mut cs = Vec::new();
                for ((c, ts), (_, us)) in xs.iter().zip(ys) {
                    let ts: Option<_> =
                        ts.iter().zip(us).map(|(t, u)| self.irregular_join(span, t, u)).collect();
                    cs.push((*c, ts?));
                }
                Some(Ty::new(TyKind::Sum(cs)))
            }
            (TyKind::Arrow(_), TyKind::Arrow(_)) => {
                if self.unify_leniently(a, b).is_err() && self.unify_leniently(b, a).is_err() {
                    return None;
                }
                let (a, b) = (self.norm(a), self.norm(b));
                let mut join = Join { span, seen: Vec::new() };
                let t = self.join(&mut join, &a, &b);
                join.seen.is_empty().then_some(t)
            }
            _ => (a == b).then(|| a.clone()),
        }
    }

    fn join_size(&mut self, join: &mut Join, a: &Size, b: &Size) -> Size {
        if a == b {
            return a.clone();
        }
        if *a == Size::Irregular || *b == Size::Irregular {
            return Size::Irregular;
        }
        if *a == Size::Any || *b == Size::Any {
            return Size::Any;
        }
        if let Some((_, _, v)) = join.seen.iter().find(|(x, y, _)| x == a && y == b) {
            return Size::Var(*v);
        }
        let v = self.rigid("differ", join.span, Source::Branches);
        join.seen.push((a.clone(), b.clone(), v));
        Size::Var(v)
    }

    fn join(&mut self, join: &mut Join, a: &Ty, b: &Ty) -> Ty {
        if Ty::ptr_eq(a, b) || a.is_scalar() {
            return a.clone();
        }
        match (&**a, &**b) {
            (TyKind::Error, _) => b.clone(),
            (TyKind::Array(m, x), TyKind::Array(n, y)) => {
                let size = self.join_size(join, m, n);
                types::array(size, self.join(join, x, y))
            }
            (TyKind::Con(id, xs), TyKind::Con(_, ys)) => types::con(
                *id,
                xs.iter()
                    .zip(ys)
                    .map(|pair| match pair {
                        (TyArg::Size(x), TyArg::Size(y)) => TyArg::Size(self.join_size(join, x, y)),
                        (TyArg::Type(x), TyArg::Type(y)) => TyArg::Type(self.join(join, x, y)),
                        (x, _) => x.clone(),
                    })
                    .collect(),
            ),
            (TyKind::Record(xs), TyKind::Record(ys)) => Ty::new(TyKind::Record(
                xs.iter().zip(ys).map(|((f, x), (_, y))| (*f, self.join(join, x, y))).collect(),
            )),
            (TyKind::Sum(xs), TyKind::Sum(ys)) => Ty::new(TyKind::Sum(
                xs.iter()
                    .zip(ys)
                    .map(|((c, ts), (_, us))| {
                        (*c, ts.iter().zip(us).map(|(t, u)| self.join(join, t, u)).collect())
                    })
                    .collect(),
            )),
            (TyKind::Arrow(x), TyKind::Arrow(y)) => {
                let arg = self.join(join, &x.arg, &y.arg);
                let y_ret = match (x.param, y.param) {
                    (Some(p), Some(q)) if p != q => {
                        crate::subst::apply_sizes(&[(q, Size::Var(p))].into_iter().collect(), &y.ret.ty)
                    }
                    _ => y.ret.ty.clone(),
                };
                // Sizes that differ in the results of two functions are existential there.
                let mut inner = Join { span: join.span, seen: Vec::new() };
                let ty = self.join(&mut inner, &x.ret.ty, &y_ret);
                let mut exts = x.ret.exts.clone();
                for (_, _, v) in inner.seen {
                    self.entries.remove(&v);
                    exts.push(v);
                }
                let used = crate::subst::free_vars(&ty);
                exts.retain(|v| used.contains(v));
                let diet = x.diet.max(y.diet);
                Ty::new(TyKind::Arrow(Arrow { param: x.param, diet, arg, ret: RetTy { exts, ty } }))
            }
            (TyKind::Unique(x), TyKind::Unique(y)) => types::unique(&self.join(join, x, y)),
            (TyKind::Unique(x), _) => self.join(join, x, b),
            (_, TyKind::Unique(y)) => self.join(join, a, y),
            _ => a.clone(),
        }
    }
}

struct Join {
    span: Span,
    /// Pairs of sizes that differ, and the unknown size each became.
    seen: Vec<(Size, Size, VarId)>,
}
