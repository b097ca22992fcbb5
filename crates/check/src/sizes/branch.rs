//! Branches whose results differ in size.

use super::{Sizer, Source};
use crate::infer::Why;
use crate::types::{self, Arrow, RetTy, Size, Ty, TyArg, TyKind, VarId};
use norn_base::Span;
use std::rc::Rc;

impl Sizer<'_> {
    /// The type of what is one of two branches: sizes that cannot be made equal become unknown.
    pub(super) fn unify_branches(&mut self, span: Span, first: Span, a: &Ty, b: &Ty) -> (Ty, Vec<VarId>) {
        if let Err(clash) = self.unify_leniently(a, b) {
            self.report_clash(span, &Why::Branches(first), a, b, clash);
        }
        let (a, b) = (self.norm(a), self.norm(b));
        let mut join = Join { span, seen: Vec::new() };
        let t = self.join(&mut join, &a, &b);
        (t, join.seen.into_iter().map(|(_, _, v)| v).collect())
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
            (TyKind::Record(xs), TyKind::Record(ys)) => Rc::new(TyKind::Record(
                xs.iter().zip(ys).map(|((f, x), (_, y))| (*f, self.join(join, x, y))).collect(),
            )),
            (TyKind::Sum(xs), TyKind::Sum(ys)) => Rc::new(TyKind::Sum(
                xs.iter()
                    .zip(ys)
                    .map(|((c, ts), (_, us))| (*c, ts.iter().zip(us).map(|(t, u)| self.join(join, t, u)).collect()))
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
                let diet = x.diet.max(y.diet);
                Rc::new(TyKind::Arrow(Arrow { param: x.param, diet, arg, ret: RetTy { exts, ty } }))
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
