//! Types of loops.

use super::meta::PrimSet;
use super::{Infer, LocalKind, Why};
use crate::types::{self, Size, Ty};
use norn_base::{Diagnostic, Symbol, codes};
use norn_syntax::ast::{Loop, LoopForm, Pat, PatKind, QualName};

impl Infer<'_> {
    pub(super) fn loop_exp(&mut self, l: &Loop) -> Ty {
        let init = match &l.init {
            Some(e) => self.exp(e),
            None => self.implicit_init(&l.pat),
        };
        let mark = self.cx.scope.mark();
        match &l.form {
            LoopForm::For(ident, id, bound) => {
                let t = self.exp(bound);
                self.require(bound.span, "the bound of a loop", &t, PrimSet::ints());
                self.bind_pattern(&l.pat, &init, l.init.as_ref().map_or(l.pat.span, |e| e.span));
                let outer = std::mem::take(&mut self.together);
                self.bind_local(*id, ident.name, ident.span, &t, LocalKind::Counter);
                self.together = outer;
            }
            LoopForm::ForIn(pat, array) => {
                let t = self.exp(array);
                let elem = self.fresh_elem(array.span);
                self.equate(array.span, Why::Iterated, &types::array(Size::Any, elem.clone()), &t);
                self.bind_pattern(&l.pat, &init, l.init.as_ref().map_or(l.pat.span, |e| e.span));
                self.bind_pattern(pat, &elem, array.span);
            }
            LoopForm::While(c) => {
                self.bind_pattern(&l.pat, &init, l.init.as_ref().map_or(l.pat.span, |e| e.span));
                self.condition(c);
            }
        }
        let body = self.exp(&l.body);
        self.equate(l.body.span, Why::LoopBody(l.pat.span), &init, &body);
        self.cx.scope.reset(mark);
        init
    }

    /// `loop (x, y) for ..` starts with the variables `x` and `y`.
    fn implicit_init(&mut self, p: &Pat) -> Ty {
        match &p.kind {
            PatKind::Name(ident) => {
                let name = QualName { quals: Vec::new(), name: *ident };
                let t = self.qual_name(&name, p.id);
                self.share_with_source(p.id, ident.span);
                self.cx.tables.init_types.set(p.id, t.clone());
                t
            }
            PatKind::Parens(inner) | PatKind::Attr(_, inner) | PatKind::Ascript(inner, _) => {
                self.implicit_init(inner)
            }
            PatKind::Tuple(ps) => types::tuple(ps.iter().map(|p| self.implicit_init(p)).collect()),
            PatKind::Record(fields) => {
                let mut parts: Vec<(Symbol, Ty)> = Vec::new();
                for f in fields {
                    let t = match &f.pat {
                        Some(p) => self.implicit_init(p),
                        None => {
                            let name = QualName { quals: Vec::new(), name: f.name };
                            let t = self.qual_name(&name, f.id);
                            self.share_with_source(f.id, f.name.span);
                            self.cx.tables.init_types.set(f.id, t.clone());
                            t
                        }
                    };
                    parts.push((f.name.name, t));
                }
                types::record(parts)
            }
            PatKind::Error => types::error(),
            PatKind::Wildcard | PatKind::Lit(_) | PatKind::Constr(..) => {
                self.fail(
                    Diagnostic::error(
                        codes::SYNTAX,
                        p.span,
                        "This part of the loop pattern is no variable, so the loop needs an initial value.",
                    )
                    .help("write `loop pattern = initial value ..`"),
                );
                types::error()
            }
        }
    }
}
