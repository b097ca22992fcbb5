//! The layout of declarations, except for those of modules.

use super::formatter::Formatter;
use crate::ast::{Attr, Dec, DecKind, TypeBind, ValBind, ValKeyword};

impl<'a> Formatter<'a> {
    /// Each on its own lines, with at most one empty line before it.
    pub fn decs(&mut self, decs: &[Dec]) {
        for (i, dec) in decs.iter().enumerate() {
            if i > 0 {
                self.keep_blank();
                self.hard();
            }
            self.dec(dec);
        }
    }

    pub fn dec(&mut self, dec: &Dec) {
        self.attrs(&dec.attrs);
        match &dec.kind {
            DecKind::Vals(members) => self.members(members, Self::val_bind),
            DecKind::Types(members) => self.members(members, Self::type_bind),
            DecKind::Mod(module) => self.mod_bind(module),
            DecKind::ModType(module_type) => self.mod_type_bind(module_type),
            DecKind::Open(module) => {
                self.token("open");
                self.space();
                self.mod_exp(module);
            }
            DecKind::Import(path) => {
                self.token("import");
                self.space();
                self.source(path.span);
            }
            DecKind::Local(inner) => {
                self.token("local");
                self.space();
                self.dec(inner);
            }
            DecKind::Error => self.verbatim(dec.span),
        }
    }

    /// `#[...]`, each on its own line if the user wrote it so.
    pub fn attrs(&mut self, attrs: &[Attr]) {
        for attr in attrs {
            self.attr(attr);
            if self.cursor.newline_ahead() {
                self.hard();
            } else {
                self.space();
            }
        }
    }

    /// A definition, or a group of them with `with` between.
    fn members<T>(&mut self, members: &[T], mut member: impl FnMut(&mut Self, &T)) {
        for (i, each) in members.iter().enumerate() {
            if i > 0 {
                self.keep_blank();
                self.hard();
                self.token("with");
                self.space();
            }
            member(self, each);
        }
    }

    fn val_bind(&mut self, bind: &ValBind) {
        let head = self.group(|f| {
            f.token(match bind.keyword {
                ValKeyword::Def => "def",
                ValKeyword::Let => "let",
                ValKeyword::Entry => "entry",
            });
            f.space();
            match &bind.params[..] {
                [left, right] if bind.infix => {
                    f.pat(left);
                    f.space();
                    f.infix_binder(&bind.name);
                    f.space();
                    f.pat(right);
                    f.result_type(bind.ret.as_ref());
                }
                params => {
                    f.binder(&bind.name);
                    f.signature(&bind.name, &bind.tparams, params, bind.ret.as_ref());
                }
            }
            f.space();
            f.token("=");
        });
        self.hang_below(head, |f| f.exp(&bind.body));
    }

    /// `type rec t 'a = b`
    pub fn type_bind(&mut self, bind: &TypeBind) {
        self.token("type");
        self.lifted_mark(bind.lifted);
        self.space();
        if self.cursor.next_starts_before(bind.name.span) {
            self.token("rec");
            self.space();
        }
        self.ident(&bind.name);
        self.type_params(&bind.params);
        self.space();
        self.token("=");
        self.hang(|f| f.type_exp(&bind.body));
    }
}
