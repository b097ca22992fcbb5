//! Names, operators where they are bound, and attributes: what fits on any line.

use super::formatter::Formatter;
use crate::ast::{Attr, AttrKind, Ident, QualName};

impl<'a> Formatter<'a> {
    pub fn ident(&mut self, ident: &Ident) {
        self.source(ident.span);
    }

    /// `#name`
    pub fn constructor(&mut self) {
        self.token("#");
        self.word();
    }

    /// A name where it is bound or specified: an operator may stand in parentheses.
    pub fn binder(&mut self, ident: &Ident) {
        if self.cursor.next_is("(") {
            self.token("(");
            self.infix_binder(ident);
            self.token(")");
        } else {
            self.ident(ident);
        }
    }

    /// An operator between its parameters, or a name in backticks.
    pub fn infix_binder(&mut self, ident: &Ident) {
        if self.cursor.next_is("`") {
            self.token("`");
            self.ident(ident);
            self.token("`");
        } else {
            self.ident(ident);
        }
    }

    pub fn qual_name(&mut self, name: &QualName) {
        for qual in &name.quals {
            self.ident(qual);
            self.token(".");
        }
        self.ident(&name.name);
    }

    /// `#[name(args)]`
    pub fn attr(&mut self, attr: &Attr) {
        self.token("#[");
        self.attr_content(attr);
        self.token("]");
    }

    fn attr_content(&mut self, attr: &Attr) {
        self.word();
        if let AttrKind::Call(_, args) = &attr.kind {
            self.list("(", ")", args, Self::attr_content);
        }
    }
}
