//! The layout of `if`, `match` and `loop`.

use super::formatter::Formatter;
use crate::ast::{Case, Exp, ExpKind, Loop, LoopForm};

impl<'a> Formatter<'a> {
    /// ```text
    /// if a
    /// then b
    /// else if c
    /// then d
    /// else e
    /// ```
    pub fn if_chain(&mut self, exp: &Exp) {
        let mut exp = exp;
        self.group(|f| {
            while let ExpKind::If(cond, yes, no) = &exp.kind {
                f.token("if");
                f.space();
                f.aligned(|f| f.exp(cond));
                f.line();
                f.token("then");
                f.beside(|f| f.exp(yes));
                f.line();
                f.token("else");
                if !matches!(no.kind, ExpKind::If(..)) || f.cursor.newline_ahead() {
                    return f.beside(|f| f.exp(no));
                }
                f.space();
                exp = no;
            }
        });
    }

    /// ```text
    /// match x
    /// case #a -> b
    /// case #c ->
    ///   d
    /// ```
    pub fn match_cases(&mut self, scrutinee: &Exp, cases: &[Case]) {
        self.group(|f| {
            f.token("match");
            f.space();
            f.aligned(|f| f.exp(scrutinee));
            for case in cases {
                f.keep_blank();
                f.line();
                f.token("case");
                f.space();
                f.aligned(|f| f.pat(&case.pat));
                f.space();
                f.token("->");
                f.hang(|f| f.exp(&case.body));
            }
        });
    }

    /// ```text
    /// loop x = a        loop x = a for i < n do
    /// for i < n do        f x
    ///   f x
    /// ```
    pub fn loop_exp(&mut self, it: &Loop) {
        let head = self.group(|f| {
            f.token("loop");
            f.space();
            f.aligned(|f| {
                f.pat(&it.pat);
                if let Some(init) = &it.init {
                    f.space();
                    f.token("=");
                    f.hang(|f| f.exp(init));
                }
            });
            f.line();
            match &it.form {
                LoopForm::For(name, _, bound) => {
                    f.token("for");
                    f.space();
                    f.ident(name);
                    f.space();
                    f.token("<");
                    f.space();
                    f.aligned(|f| f.exp(bound));
                }
                LoopForm::ForIn(pat, array) => {
                    f.token("for");
                    f.space();
                    f.aligned(|f| f.pat(pat));
                    f.space();
                    f.token("in");
                    f.space();
                    f.aligned(|f| f.exp(array));
                }
                LoopForm::While(cond) => {
                    f.token("while");
                    f.space();
                    f.aligned(|f| f.exp(cond));
                }
            }
            f.space();
            f.token("do");
        });
        self.hang_below(head, |f| f.exp(&it.body));
    }
}
