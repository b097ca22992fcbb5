//! Types of patterns.

use super::meta::PrimSet;
use super::{Infer, LocalKind, Why};
use crate::types::{self, Prim, Ty};
use norn_base::{Diagnostic, Span, Symbol, codes};
use norn_syntax::ast::{FieldPat, Lit, NodeId, Pat, PatKind, PatLit};

impl Infer<'_> {
    /// A parameter of a function: its names are bound together with those of its neighbours.
    pub(super) fn param(&mut self, p: &Pat) -> Ty {
        self.pattern_of(p, LocalKind::Param)
    }

    /// A pattern on its own.
    pub(super) fn pattern(&mut self, p: &Pat) -> Ty {
        let outer = std::mem::take(&mut self.together);
        let t = self.pattern_of(p, LocalKind::Let);
        self.together = outer;
        t
    }

    pub(super) fn pattern_of(&mut self, p: &Pat, kind: LocalKind) -> Ty {
        let t = match &p.kind {
            PatKind::Name(ident) => {
                let t = self.fresh(p.span);
                self.bind_local(p.id, ident.name, ident.span, &t, kind);
                t
            }
            PatKind::Wildcard => self.fresh(p.span),
            PatKind::Parens(inner) | PatKind::Attr(_, inner) => self.pattern_of(inner, kind),
            PatKind::Tuple(ps) => types::tuple(ps.iter().map(|p| self.pattern_of(p, kind)).collect()),
            PatKind::Record(fields) => self.record_pattern(fields, kind),
            PatKind::Lit(lit) => self.literal_pattern(lit, p.span),
            PatKind::Constr(c, ps) => {
                let ts = ps.iter().map(|p| self.pattern_of(p, kind)).collect();
                self.fresh_sum(vec![(c.name, ts)], p.span)
            }
            PatKind::Ascript(inner, te) => {
                let declared = self.type_exp(te);
                let t = self.pattern_of(inner, kind);
                self.equate(inner.span, Why::PatternAscribed(te.span), &declared, &t);
                declared
            }
            PatKind::Error => {
                self.failed = true;
                types::error()
            }
        };
        self.set_type(p.id, &t);
        t
    }

    fn record_pattern(&mut self, fields: &[FieldPat], kind: LocalKind) -> Ty {
        let mut parts: Vec<(Symbol, Ty)> = Vec::new();
        for f in fields {
            let name = f.name.name;
            if name.as_str().starts_with('_') {
                self.fail(
                    Diagnostic::error(
                        codes::NO_SUCH_FIELD,
                        f.name.span,
                        "The name of a field cannot start with `_`.",
                    )
                    .help(format!("to ignore the field, write `{} = _`", &name.as_str()[1..]))
                    .fix(f.name.span, format!("{} = _", &name.as_str()[1..])),
                );
            }
            if fields.iter().any(|g| g.name.name == name && g.name.span < f.name.span) {
                let first = fields.iter().find(|g| g.name.name == name).map_or(f.name.span, |g| g.name.span);
                self.duplicate(name, f.name.span, first);
                continue;
            }
            let t = match &f.pat {
                Some(p) => self.pattern_of(p, kind),
                None => {
                    let t = self.fresh(f.name.span);
                    self.bind_local(f.id, name, f.name.span, &t, kind);
                    self.puns.extend(self.cx.tables.binders.get(f.id));
                    self.set_type(f.id, &t);
                    t
                }
            };
            parts.push((name, t));
        }
        types::record(parts)
    }

    fn literal_pattern(&mut self, lit: &PatLit, span: Span) -> Ty {
        match &lit.lit {
            Lit::Int { suffix: Some(p), .. } | Lit::Float { suffix: Some(p), .. } => types::prim(*p),
            Lit::Int { suffix: None, .. } | Lit::Char(_) => self.fresh_prim(PrimSet::numbers(), span),
            Lit::Float { suffix: None, .. } => self.fresh_prim(PrimSet::floats(), span),
            Lit::Bool(_) => types::prim(Prim::Bool),
            Lit::Str(_) => types::array(types::Size::Any, types::prim(Prim::U8)),
        }
    }

    pub(super) fn bind_local(&mut self, id: NodeId, name: Symbol, span: Span, t: &Ty, kind: LocalKind) {
        if let Some((_, first)) = self.together.iter().find(|(n, _)| *n == name).copied() {
            self.duplicate(name, span, first);
        }
        self.together.push((name, span));
        if kind == LocalKind::FixedParam && self.cx.warns(codes::SHADOWED_NAME) && !self.failed {
            self.warn_shadowing(name, span);
        }
        let var = self.binder(id, name, span);
        self.locals.push((var, kind));
        self.bind_mono(var, name, t.clone());
    }

    /// A parameter of a lambda that hides a local name is a likely mistake. A `let` or a function
    /// that does is common style, and so is `f (\x -> ..) x`.
    fn warn_shadowing(&mut self, name: Symbol, span: Span) {
        if name.as_str().starts_with('_') || self.passed.contains(&name) {
            return;
        }
        if let Some(outer) = self.cx.scope.local_val(name) {
            let first = self.cx.names.var(outer).span;
            // A function stands in its own scope, but is not a local name.
            let defined = self.defining.iter().any(|(defined, _)| *defined == name);
            if first != span && first.file == span.file && !(defined && self.cx.scope.is_outermost(name)) {
                self.cx.warning(
                    Diagnostic::warning(
                        codes::SHADOWED_NAME,
                        span,
                        format!("The parameter `{name}` hides another local name."),
                    )
                    .secondary(first, "the hidden name is bound here"),
                );
            }
        }
    }
}
