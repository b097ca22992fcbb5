//! That every size is known before it is needed.
//!
//! A function that is polymorphic in a size gets it from its arguments. Where an argument is itself
//! a function, or an empty array, or a constructor with other payloads, the size must have been
//! computed before. Evaluation order: a `let` before its body, arguments before the function and
//! the last before the first, the left operand before the right.

use super::{Constraint, Sizer};
use crate::print::show_ty;
use crate::subst;
use crate::typed::{Arg, Exp, ExpKind, Fun, LoopForm, Pat, PatKind};
use crate::types::{Size, Ty, TyKind, VarId};
use crate::walk::each_child;
use norn_base::{Diagnostic, Span, codes};
use rustc_hash::FxHashSet;

type Known = FxHashSet<VarId>;

impl Sizer<'_> {
    pub(super) fn check_causality(&mut self, fun: &Fun) {
        let mut problems = Vec::new();
        let mut known = Vec::new();
        let mut causality =
            Causality { sizer: self, problems: &mut problems, known: &mut known, set: Known::default() };
        fun.params.iter().for_each(|p| causality.opened(p));
        causality.exp(&fun.body);
        let mut reported: Vec<VarId> = Vec::new();
        for d in problems {
            if !reported.contains(&d.size) {
                reported.push(d.size);
                self.report_early(d);
            }
        }
    }

    fn report_early(&mut self, p: Early) {
        let name = self.cx.names.var(p.size).name;
        let shown = show_ty(&self.cx.names, &p.ty);
        let d = Diagnostic::error(
            codes::CAUSALITY,
            p.span,
            format!("The size `{name}` is needed for {} before it is computed.", p.what),
        )
        .note(format!("the type is `{shown}`"));
        let d = self.explain_size(d, &Size::Var(p.size));
        self.fail(d.help(format!("bind the expression that computes `{name}` with `let` beforehand")));
    }
}

/// A size that is needed too early.
struct Early {
    size: VarId,
    what: String,
    ty: Ty,
    span: Span,
}

/// `known` is a stack of the sizes computed so far, `set` the same as a set.
struct Causality<'s, 'c, 'p> {
    sizer: &'s Sizer<'c>,
    problems: &'p mut Vec<Early>,
    known: &'p mut Vec<VarId>,
    set: Known,
}

impl Causality<'_, '_, '_> {
    fn needs(&mut self, t: &Ty, span: Span, what: impl FnOnce(&Self) -> String) {
        // Most types have no unknown size.
        if matches!(&**t, TyKind::Prim(_)) {
            return;
        }
        let early = subst::free_vars(t).into_iter().find(|v| {
            !self.set.contains(v) && matches!(self.sizer.constraint(*v), Some(Constraint::Unknown(_)))
        });
        if let Some(size) = early {
            let what = what(self);
            self.problems.push(Early { size, what, ty: t.clone(), span });
        }
    }

    fn learn(&mut self, sizes: &[VarId]) {
        for v in sizes {
            if self.set.insert(*v) {
                self.known.push(*v);
            }
        }
    }

    /// What is learned inside is forgotten.
    fn inside(&mut self, f: impl FnOnce(&mut Self)) {
        let depth = self.known.len();
        f(self);
        for v in self.known.split_off(depth) {
            self.set.remove(&v);
        }
    }

    /// What is learned inside is known only later: returned and forgotten for now.
    fn collect(&mut self, f: impl FnOnce(&mut Self)) -> Vec<VarId> {
        let depth = self.known.len();
        f(self);
        let learned = self.known.split_off(depth);
        for v in &learned {
            self.set.remove(v);
        }
        learned
    }

    fn exp(&mut self, e: &Exp) {
        match &e.kind {
            ExpKind::Var(v) => {
                let v = *v;
                self.needs(&e.ty, e.span, |this| format!("`{}`", this.sizer.cx.names.var(v).name));
            }
            ExpKind::ProjSection(_) => self.needs(&e.ty, e.span, |_| "this section".into()),
            ExpKind::LeftSection(op, x) | ExpKind::RightSection(op, x) => {
                self.needs(&op.ty, e.span, |_| "this section".into());
                self.exp(&x.exp);
            }
            ExpKind::Array(es) if es.is_empty() => self.needs(&e.ty, e.span, |_| "this empty array".into()),
            ExpKind::Hole => self.needs(&e.ty, e.span, |_| "this hole".into()),
            ExpKind::Lambda { params, body, .. } => {
                params.iter().for_each(|p| self.param(p));
                self.inside(|this| {
                    params.iter().for_each(|p| this.opened(p));
                    this.exp(body);
                });
            }
            ExpKind::LetFun { fun, body, .. } => {
                self.inside(|this| {
                    fun.params.iter().for_each(|p| this.opened(p));
                    this.exp(&fun.body);
                });
                self.exp(body);
            }
            ExpKind::LetPat { pat, bound, body, .. } => {
                self.exp(bound);
                self.opened(pat);
                self.exp(body);
            }
            ExpKind::Match(scrutinee, cases) => {
                self.exp(scrutinee);
                for c in cases {
                    self.inside(|this| {
                        this.opened(&c.pat);
                        this.exp(&c.body);
                    });
                }
            }
            ExpKind::Apply(f, args) => {
                for a in args.iter().rev() {
                    self.exp(&a.exp);
                    self.arg_size(a);
                }
                self.exp(f);
            }
            ExpKind::BinOp(op, l, r) => {
                self.exp(&l.exp);
                self.exp(&r.exp);
                self.arg_size(l);
                self.arg_size(r);
                self.exp(op);
            }
            ExpKind::Constr(c, es) => {
                es.iter().for_each(|e| self.exp(e));
                self.needs(&e.ty, e.span, |_| format!("`#{c}`"));
            }
            ExpKind::Loop(l) => {
                self.exp(&l.init);
                self.inside(|this| {
                    match &l.form {
                        LoopForm::For(_, e) | LoopForm::While(e) => this.exp(e),
                        LoopForm::ForIn(p, e) => {
                            this.exp(e);
                            this.opened(p);
                        }
                    }
                    this.exp(&l.body);
                });
            }
            // The parts of other expressions have no order among them.
            _ => {
                let mut learned = Vec::new();
                let mut parts = Vec::new();
                each_child(e, &mut |child| parts.push(child));
                for part in parts {
                    learned.extend(self.collect(|this| this.exp(part)));
                }
                self.learn(&learned);
            }
        }
        self.learn(&e.exts);
    }

    /// Sizes that come to be known by matching.
    fn opened(&mut self, p: &Pat) {
        match &p.kind {
            PatKind::Var(_) | PatKind::Wildcard | PatKind::Lit(_) => {}
            PatKind::Record(parts) => parts.iter().for_each(|(_, p)| self.opened(p)),
            PatKind::Constr(_, ps) => ps.iter().for_each(|p| self.opened(p)),
            PatKind::Opened(sizes, p) => {
                self.learn(sizes);
                self.opened(p);
            }
        }
    }

    fn arg_size(&mut self, a: &Arg) {
        if let Some(v) = a.ext {
            self.learn(&[v]);
        }
    }

    fn param(&mut self, p: &Pat) {
        self.needs(&p.ty, p.span, |_| "this parameter".into());
    }
}
