//! Loops.
//!
//! A loop is a function that is called again and again: each size of its parameter either stays the
//! same in every iteration or changes, and then it is unknown outside. To find out, the sizes of the
//! initial value are replaced by new ones, the body is checked, and what it returns is compared:
//! where it returns the initial size, or the current size of another part that started out equal
//! and does not change itself, the size is constant; the others vary.

use super::pattern::{BoundSizes, pattern_vars};
use super::{Constraint, Level, Sizer, Source};
use crate::infer::Why;
use crate::subst;
use crate::typed::{Exp, ExpKind, Loop, LoopForm, Pat};
use crate::types::{self, Size, Ty, TyKind, VarId};
use norn_base::{Diagnostic, Span, Symbol, codes};
use norn_syntax::ast;

/// How the body produces a size of the loop's parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Produced {
    New,
    Initial,
    /// The current size of another part that had the same initial size.
    Of(VarId),
}

/// What is known before the body of a loop is read.
struct Start {
    /// The sizes of the loop's parameter, and what each is at first.
    initial: Vec<(VarId, Size)>,
    /// Variables from this one on are made inside the loop.
    known: VarId,
    level: Level,
    span: Span,
    pat_span: Span,
}

impl Sizer<'_> {
    pub(super) fn loop_exp(&mut self, l: &ast::Loop, span: Span) -> Exp {
        let init = match &l.init {
            Some(e) => self.exp(e),
            None => self.implicit_init(&l.pat),
        };
        let init_t = self.norm(&init.ty);
        // Sizes made from here on come from inside the loop.
        let known = VarId(self.cx.names.var_count() as u32);
        let mut initial: Vec<(VarId, Size)> = Vec::new();
        let loop_t = subst::map_sizes(&init_t, &mut |s| match s {
            Size::Irregular | Size::Any => s.clone(),
            s => {
                let v = self.new_size("loop", span, Constraint::Flex(None), "the size of a loop parameter");
                initial.push((v, s.clone()));
                Size::Var(v)
            }
        });
        let start = Start { initial, known, level: self.level, span, pat_span: l.pat.span };

        let level = self.level;
        let none = BoundSizes::default();
        let (form, pat) = match &l.form {
            ast::LoopForm::For(_, id, bound) => {
                let bound = self.exp(bound);
                let pat = self.pattern(&l.pat, Some(&loop_t), &none);
                let i = self.cx.tables.binders.get(*id).copied();
                if let Some(i) = i {
                    self.bind_var(i, bound.ty.clone());
                }
                (LoopForm::For(i.unwrap_or(VarId(0)), bound), pat)
            }
            ast::LoopForm::ForIn(p, array) => {
                let array = self.exp(array);
                let elem = match &*self.norm(&array.ty) {
                    TyKind::Array(_, elem) => elem.clone(),
                    _ => types::error(),
                };
                let (elem, opened) = self.open(&elem, array.span);
                let mut p = self.pattern(p, Some(&elem), &none);
                if !opened.is_empty() {
                    let ty = p.ty.clone();
                    let s = p.span;
                    p = Pat { kind: crate::typed::PatKind::Opened(opened, Box::new(p)), ty, span: s };
                }
                let pat = self.pattern(&l.pat, Some(&loop_t), &none);
                (LoopForm::ForIn(p, array), pat)
            }
            ast::LoopForm::While(c) => {
                let pat = self.pattern(&l.pat, Some(&loop_t), &none);
                self.level += 1;
                let c = self.exp(c);
                self.level -= 1;
                (LoopForm::While(c), pat)
            }
        };
        self.level += 1;
        let body = self.exp(&l.body);
        let mut pat = pat;
        let sizes = self.loop_sizes(&mut pat, &body, &loop_t, &start);
        self.level = level;

        self.fits(&sizes, &pat, &init, Why::Pattern(init.span));
        let pat_t = types::plain(&pat.ty);
        let (ty, exts) = self.fresh_sizes(&pat_t, &sizes, &mut |this| this.rigid("loop", span, Source::Loop));
        let mut gone = pattern_vars(&pat);
        match &form {
            LoopForm::For(i, _) => gone.push(*i),
            LoopForm::ForIn(p, _) => gone.extend(pattern_vars(p)),
            LoopForm::While(_) => {}
        }
        let (ty, mut more) = self.unscope(span, &gone, &ty);
        let mut exts = exts;
        exts.append(&mut more);
        let mut declared = Vec::new();
        self.declared_vars(&l.pat, false, &mut declared);
        Exp { kind: ExpKind::Loop(Box::new(Loop { sizes, pat, declared, init, form, body })), ty, exts, span }
    }

    /// Compare the body's result with the parameter; which sizes vary.
    fn loop_sizes(&mut self, pat: &mut Pat, body: &Exp, loop_t: &Ty, start: &Start) -> Vec<VarId> {
        let Start { initial, known, level, span, pat_span } = start;
        let (known, span, pat_span) = (*known, *span, *pat_span);
        let body_t = self.norm(&body.ty);
        self.norm_pat(pat);
        let pat_t = types::plain(&pat.ty);
        let new: Vec<VarId> = initial.iter().map(|(v, _)| *v).collect();
        for v in subst::free_vars(&pat_t) {
            if v >= known && !new.contains(&v) && matches!(self.constraint(v), Some(Constraint::Unknown(_))) {
                let name = self.cx.names.var(v).name;
                let d = Diagnostic::error(
                    codes::CAUSALITY,
                    pat_span,
                    format!("The size `{name}` of the loop parameter is computed inside the loop."),
                );
                let d = self.explain_size(d, &Size::Var(v));
                self.blamed.push(v);
                self.fail(d);
            }
        }
        let same =
            |this: &Self, a: VarId, b: VarId| this.norm_size(&Size::Var(a)) == this.norm_size(&Size::Var(b));
        let (any, _) = {
            let roots: Vec<VarId> = subst::free_vars(&pat_t)
                .into_iter()
                .filter(|v| new.iter().any(|n| same(self, *v, *n)))
                .collect();
            self.fresh_sizes(&pat_t, &roots, &mut |this| {
                this.new_size("loop", span, Constraint::Flex(None), "the size of a loop parameter")
            })
        };
        self.unify(body.span, Why::LoopBody(pat_span), &any, &body_t);

        let initial_of = |this: &Self, v: VarId| {
            initial.iter().find(|(n, _)| same(this, v, *n)).map(|(_, s)| this.norm_size(s))
        };
        let loop_sizes = sizes_in_order(&self.norm(loop_t));
        let body_sizes = sizes_in_order(&self.norm(&body_t));
        let mut produced: Vec<(VarId, Produced)> = Vec::new();
        for (e, d) in loop_sizes.iter().zip(&body_sizes) {
            if e == d {
                continue;
            }
            subst::each_var_in_size(e, &mut |v| {
                let Some(start) = initial_of(self, v) else { return };
                let how = if start == *d {
                    Produced::Initial
                } else if let Size::Var(u) = d
                    && new.contains(&v)
                    && initial_of(self, *u) == Some(start)
                {
                    Produced::Of(*u)
                } else if v >= known {
                    Produced::New
                } else {
                    return;
                };
                produced.retain(|(w, _)| *w != v);
                produced.push((v, how));
            });
        }
        let mut varying: Vec<VarId> =
            produced.iter().filter(|(_, how)| *how == Produced::New).map(|(v, _)| *v).collect();
        loop {
            let more: Vec<VarId> = produced
                .iter()
                .filter(|(v, how)| {
                    matches!(how, Produced::Of(u) if varying.contains(u)) && !varying.contains(v)
                })
                .map(|(v, _)| *v)
                .collect();
            if more.is_empty() {
                break;
            }
            varying.extend(more);
        }
        for v in &varying {
            if self.entries.get(v).is_some_and(|e| e.level < *level) {
                self.fail(
                    Diagnostic::error(
                        codes::SIZE_OUT_OF_SCOPE,
                        span,
                        "A size that changes in the loop is also that of a value outside of it.",
                    )
                    .help("annotate the loop parameter with its sizes"),
                );
            }
        }
        for (v, how) in &produced {
            if *how != Produced::New
                && !varying.contains(v)
                && let Some(start) = initial_of(self, *v)
                && start != Size::Var(*v)
                && let Some(e) = self.entries.get_mut(v)
            {
                e.constraint = Constraint::Flex(Some(start));
            }
        }
        self.norm_pat(pat);
        for v in &varying {
            self.entries.remove(v);
        }
        self.fits(&varying, pat, body, Why::LoopBody(pat_span));
        varying
    }

    /// That a value can be the loop parameter, whose varying sizes can be anything.
    fn fits(&mut self, varying: &[VarId], pat: &Pat, value: &Exp, why: Why) {
        let pat_t = types::plain(&pat.ty);
        let (t, _) = self.fresh_sizes(&pat_t, varying, &mut |this| {
            this.new_size("loop", pat.span, Constraint::Flex(None), "the size of a loop parameter")
        });
        let found = self.norm(&value.ty);
        self.unify(value.span, why, &t, &found);
    }

    /// Replace these sizes with new ones, each everywhere with the same.
    fn fresh_sizes(
        &mut self,
        t: &Ty,
        vars: &[VarId],
        fresh: &mut dyn FnMut(&mut Self) -> VarId,
    ) -> (Ty, Vec<VarId>) {
        let mut made: Vec<(VarId, VarId)> = Vec::new();
        let t = subst::map_sizes(t, &mut |s| match s {
            Size::Var(v) if vars.contains(v) => {
                if let Some((_, w)) = made.iter().find(|(u, _)| u == v) {
                    return Size::Var(*w);
                }
                let w = fresh(self);
                made.push((*v, w));
                Size::Var(w)
            }
            s => s.clone(),
        });
        for v in super::instantiate::element_sizes(&t) {
            let made = made.iter().any(|(_, w)| *w == v);
            self.mark_regular(v, made);
        }
        (t, made.into_iter().map(|(_, w)| w).collect())
    }

    /// The variables of a pattern that have a written type.
    fn declared_vars(&self, p: &ast::Pat, declared: bool, out: &mut Vec<VarId>) {
        let mut add = |id: ast::NodeId| {
            if declared {
                out.extend(self.cx.tables.binders.get(id));
            }
        };
        match &p.kind {
            ast::PatKind::Name(_) => add(p.id),
            ast::PatKind::Ascript(inner, _) => self.declared_vars(inner, true, out),
            ast::PatKind::Parens(inner) | ast::PatKind::Attr(_, inner) => {
                self.declared_vars(inner, declared, out)
            }
            ast::PatKind::Tuple(ps) | ast::PatKind::Constr(_, ps) => {
                ps.iter().for_each(|p| self.declared_vars(p, declared, out));
            }
            ast::PatKind::Record(fields) => {
                for f in fields {
                    match &f.pat {
                        Some(p) => self.declared_vars(p, declared, out),
                        None if declared => out.extend(self.cx.tables.binders.get(f.id)),
                        None => {}
                    }
                }
            }
            ast::PatKind::Wildcard | ast::PatKind::Lit(_) | ast::PatKind::Error => {}
        }
    }

    /// The variables that a loop without an initial value starts with.
    fn implicit_init(&mut self, p: &ast::Pat) -> Exp {
        match &p.kind {
            ast::PatKind::Name(_) => self.init_var(p.id, p.span),
            ast::PatKind::Parens(inner) | ast::PatKind::Attr(_, inner) | ast::PatKind::Ascript(inner, _) => {
                self.implicit_init(inner)
            }
            ast::PatKind::Tuple(ps) => {
                let fields = ps
                    .iter()
                    .enumerate()
                    .map(|(i, p)| (Symbol::tuple_field(i), self.implicit_init(p)))
                    .collect();
                super::exp::record_exp(fields, p.span)
            }
            ast::PatKind::Record(fields) => {
                let fields = fields
                    .iter()
                    .map(|f| {
                        let e = match &f.pat {
                            Some(p) => self.implicit_init(p),
                            None => self.init_var(f.id, f.name.span),
                        };
                        (f.name.name, e)
                    })
                    .collect();
                super::exp::record_exp(fields, p.span)
            }
            ast::PatKind::Wildcard
            | ast::PatKind::Lit(_)
            | ast::PatKind::Constr(..)
            | ast::PatKind::Error => {
                Exp { kind: ExpKind::Error, ty: types::error(), exts: Vec::new(), span: p.span }
            }
        }
    }

    /// The node has two types: that of the variable outside and that of the loop's own.
    fn init_var(&mut self, id: ast::NodeId, span: Span) -> Exp {
        let own = self.cx.tables.types.get(id).cloned();
        if let Some(outer) = self.cx.tables.init_types.get(id).cloned() {
            self.cx.tables.types.set(id, outer);
        }
        let e = self.var_exp(id, span);
        if let Some(own) = own {
            self.cx.tables.types.set(id, own);
        }
        e
    }
}

/// The sizes of a type, in an order that depends on its structure only.
fn sizes_in_order(t: &Ty) -> Vec<Size> {
    let mut out = Vec::new();
    subst::each_size(t, &mut |s| out.push(s.clone()));
    out
}
