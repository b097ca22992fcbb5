//! The layout of patterns.

use super::formatter::Formatter;
use crate::ast::{FieldPat, Pat, PatKind};

impl<'a> Formatter<'a> {
    pub fn pat(&mut self, pat: &Pat) {
        match &pat.kind {
            PatKind::Name(name) => self.binder(name),
            PatKind::Wildcard => self.token("_"),
            PatKind::Lit(_) => self.literal_pat(pat),
            PatKind::Parens(inner) => self.in_parens(|f| f.pat(inner)),
            PatKind::Tuple(parts) => self.list("(", ")", parts, Self::pat),
            PatKind::Record(fields) => self.list("{", "}", fields, Self::field_pat),
            PatKind::Constr(_, payload) => {
                self.constructor();
                for part in payload {
                    self.space();
                    self.pat(part);
                }
            }
            PatKind::Ascript(inner, ty) => {
                self.pat(inner);
                self.token(":");
                self.space();
                self.type_exp(ty);
            }
            PatKind::Attr(attr, inner) => {
                self.attr(attr);
                self.space();
                self.pat(inner);
            }
            PatKind::Error => self.verbatim(pat.span),
        }
    }

    /// A minus sign and its number are two tokens.
    fn literal_pat(&mut self, pat: &Pat) {
        if self.cursor.next_is("-") {
            self.token("-");
        }
        self.source(pat.span);
    }

    fn field_pat(&mut self, field: &FieldPat) {
        match &field.pat {
            Some(pat) if field.punned => self.pat(pat),
            Some(pat) => {
                self.ident(&field.name);
                self.space();
                self.token("=");
                self.hang(|f| f.pat(pat));
            }
            None => self.ident(&field.name),
        }
    }
}
