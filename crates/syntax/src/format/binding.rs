//! The layout of local bindings and anonymous functions.

use super::formatter::Formatter;
use crate::ast::{Exp, ExpKind, Pat, TypeExp};

/// More characters than this, and blanks between them, do not fit into a line.
const LONG_FUNCTION: usize = 70;

impl<'a> Formatter<'a> {
    /// Bindings and assertions, one below the other, to the expression they are for.
    ///
    /// ```text
    /// let x = a
    /// let f y =
    ///   b
    /// in c
    /// ```
    pub fn bindings(&mut self, exp: &Exp) {
        let mut exp = exp;
        self.group(|f| {
            while let Some(rest) = f.binding(exp) {
                if is_let(exp) && !is_let(rest) && f.cursor.next_is("in") {
                    f.line();
                    f.token("in");
                    return f.beside(|f| f.exp(rest));
                }
                if is_let(exp) && is_let(rest) {
                    f.break_group();
                }
                if f.cursor.next_is("in") {
                    f.omit("in");
                }
                f.keep_blank();
                f.line();
                exp = rest;
            }
            f.exp(exp);
        });
    }

    /// One binding or assertion; gives the expression that it is for.
    fn binding<'e>(&mut self, exp: &'e Exp) -> Option<&'e Exp> {
        match &exp.kind {
            ExpKind::LetPat { sizes, pat, bound, body } => {
                self.token("let");
                for size in sizes {
                    self.space();
                    self.size_binder(&size.name);
                }
                self.space();
                self.aligned(|f| f.pat(pat));
                self.bound(bound);
                Some(body)
            }
            ExpKind::LetFun(fun) => {
                let head = self.group(|f| {
                    f.token("let");
                    f.space();
                    f.binder(&fun.name);
                    f.signature(&fun.name, &fun.tparams, &fun.params, fun.ret.as_ref());
                    f.space();
                    f.token("=");
                });
                self.hang_below(head, |f| f.exp(&fun.def));
                Some(&fun.body)
            }
            ExpKind::LetWith { name, steps, value, body, .. } => {
                self.token("let");
                self.space();
                self.ident(name);
                self.path_of_name(steps);
                self.bound(value);
                Some(body)
            }
            ExpKind::Assert(cond, body) => {
                self.token("assert");
                self.space();
                self.aligned(|f| f.exp(cond));
                Some(body)
            }
            _ => None,
        }
    }

    fn bound(&mut self, exp: &Exp) {
        self.space();
        self.token("=");
        if self.hangs_beside(exp) {
            self.space();
            self.exp(exp);
        } else {
            self.hang(|f| f.exp(exp));
        }
    }

    /// A function that takes several lines anyway begins beside the `=`.
    fn hangs_beside(&self, exp: &Exp) -> bool {
        let long = self.cursor.token_width(exp.span, LONG_FUNCTION + 1) > LONG_FUNCTION
            || self.cursor.text_of(exp.span).contains('\n');
        long && self.is_hanging(exp) && !self.cursor.newline_ahead()
    }

    /// `\x y : t -> e`
    pub fn lambda(&mut self, params: &[Pat], ret: Option<&TypeExp>, body: &Exp) {
        let head = self.group(|f| {
            f.token("\\");
            f.aligned(|f| {
                for (i, param) in params.iter().enumerate() {
                    if i > 0 {
                        f.line();
                    }
                    f.pat(param);
                }
            });
            f.result_type(ret);
            f.space();
            f.token("->");
        });
        self.hang_below(head, |f| f.exp(body));
    }
}

fn is_let(exp: &Exp) -> bool {
    matches!(exp.kind, ExpKind::LetPat { .. } | ExpKind::LetFun(_) | ExpKind::LetWith { .. })
}
