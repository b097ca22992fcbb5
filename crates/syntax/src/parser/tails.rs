//! `let` and `if`, whose last part reaches as far as it can.
//!
//! One often follows another in that part: `let` after `let`, `else if` after `else if`. Such a row
//! is read in a loop and assembled from its end, so its length costs no stack.

use super::{Failed, Parse, Parser};
use crate::ast::*;
use crate::lexer::TokenKind;
use norn_base::{Diagnostic, Span, codes};

/// A `let` or `if` up to its last part.
struct Head {
    start: Span,
    kind: HeadKind,
    /// Its last part is a whole expression, after `in` or `else`. The other case is a `let`
    /// directly after another, without `in`.
    before_expression: bool,
}

enum HeadKind {
    If { condition: Exp, then: Exp },
    Pat { sizes: Vec<SizeBinder>, pat: Pat, bound: Exp },
    Fun { name: Ident, tparams: Vec<TypeParam>, params: Vec<Pat>, ret: Option<TypeExp>, def: Exp },
    With { name: Ident, steps: Vec<Step>, value: Exp },
}

/// What a `let` binds, up to `=`.
enum Binder {
    Pat(Vec<SizeBinder>, Pat),
    Fun(Ident, Vec<TypeParam>, Vec<Pat>, Option<TypeExp>),
    With(Ident, Vec<Step>),
}

impl Parser<'_> {
    pub(super) fn let_or_if(&mut self) -> Parse<Exp> {
        self.chain(|p| {
            let mut heads = Vec::new();
            loop {
                match p.kind() {
                    TokenKind::Let => heads.push(p.let_head()?),
                    TokenKind::If => heads.push(p.if_head()?),
                    _ if p.at_elif() => heads.push(p.if_head()?),
                    _ => break,
                }
            }
            let mut exp = p.exp()?;
            p.links(heads.len())?;
            while let Some(head) = heads.pop() {
                exp = p.head_node(head, exp);
                // After a type an operator can follow, and takes all of this as its operand.
                if heads.last().is_some_and(|outer| outer.before_expression) {
                    exp = p.exp_rest(exp)?;
                }
            }
            Ok(exp)
        })
    }

    fn head_node(&mut self, head: Head, last: Exp) -> Exp {
        let span = head.start.to(last.span);
        let body = Box::new(last);
        let kind = match head.kind {
            HeadKind::If { condition, then } => ExpKind::If(Box::new(condition), Box::new(then), body),
            HeadKind::Pat { sizes, pat, bound } => {
                ExpKind::LetPat { sizes, pat: Box::new(pat), bound: Box::new(bound), body }
            }
            HeadKind::Fun { name, tparams, params, ret, def } => {
                let id = self.ids.fresh();
                ExpKind::LetFun(Box::new(LetFun { name, id, tparams, params, ret, def, body: *body }))
            }
            HeadKind::With { name, steps, value } => {
                let source = self.ids.fresh();
                ExpKind::LetWith { name, source, steps, value: Box::new(value), body }
            }
        };
        self.new_exp(kind, span)
    }

    /// `if a then b else`
    fn if_head(&mut self) -> Parse<Head> {
        let start = self.bump();
        let condition = self.or_skip(&[TokenKind::Then], Self::condition, Self::error_exp)?;
        self.expect_then()?;
        let then = self.or_skip(&[TokenKind::Else], Self::exp, Self::error_exp)?;
        if self.at_elif() {
            self.report_elif();
            return Ok(Head { start, kind: HeadKind::If { condition, then }, before_expression: true });
        }
        if !self.eat(TokenKind::Else) {
            return Err(self.unexpected_with_help("`else`", "an `if` always has both branches"));
        }
        Ok(Head { start, kind: HeadKind::If { condition, then }, before_expression: true })
    }

    fn expect_then(&mut self) -> Parse<()> {
        if self.eat(TokenKind::Then) {
            return Ok(());
        }
        let failed = self.unexpected_with_help("`then`", "the condition of an `if` ends with `then`");
        if self.skip_to(&[TokenKind::Then]) {
            self.bump();
            return Ok(());
        }
        Err(failed)
    }

    /// `let x = e in`, or without `in` before another `let`.
    fn let_head(&mut self) -> Parse<Head> {
        let start = self.bump();
        let ends = [TokenKind::In, TokenKind::Let];
        let stops = [TokenKind::Equals, TokenKind::In, TokenKind::Let];
        let mut failed = false;
        let binder = self.or_skip(&stops, Self::let_binder, |p, span| {
            failed = true;
            Binder::Pat(Vec::new(), p.error_pat(span))
        })?;
        let bound = if failed && !self.at(TokenKind::Equals) {
            self.error_exp(self.last_span().at_end())
        } else {
            self.or_skip(
                &ends,
                |p| {
                    p.expect_equals()?;
                    p.exp()
                },
                Self::error_exp,
            )?
        };
        let before_expression = self.let_end(start)?;
        let kind = match binder {
            Binder::Pat(sizes, pat) => HeadKind::Pat { sizes, pat, bound },
            Binder::Fun(name, tparams, params, ret) => {
                HeadKind::Fun { name, tparams, params, ret, def: bound }
            }
            Binder::With(name, steps) => HeadKind::With { name, steps, value: bound },
        };
        Ok(Head { start, kind, before_expression })
    }

    fn let_binder(&mut self) -> Parse<Binder> {
        use TokenKind::*;
        if self.at_bracket() {
            let mut sizes = Vec::new();
            while self.at_bracket() {
                sizes.push(self.size_binder()?);
            }
            return Ok(Binder::Pat(sizes, self.pat()?));
        }
        match (self.kind(), self.nth(1)) {
            (Name, IndexBracket | Dot) => self.let_with(),
            (Name, Equals | Colon) => Ok(Binder::Pat(Vec::new(), self.pat()?)),
            (Name, LBracket | Apostrophe | ApostropheHat | ApostropheTilde) => self.let_fun(),
            (Name, Name | Underscore | LParen | LBrace | Constructor | Number | Char | True | False) => {
                self.let_fun()
            }
            _ => Ok(Binder::Pat(Vec::new(), self.pat()?)),
        }
    }

    fn let_with(&mut self) -> Parse<Binder> {
        let name = self.name("a variable")?;
        let mut steps = Vec::new();
        while matches!(self.kind(), TokenKind::IndexBracket | TokenKind::Dot) {
            steps.push(if self.eat(TokenKind::Dot) { Step::Field(self.field()?) } else { self.step()? });
        }
        Ok(Binder::With(name, steps))
    }

    fn let_fun(&mut self) -> Parse<Binder> {
        let name = self.name("a function")?;
        let tparams = self.type_params()?;
        if !self.at_param() {
            return Err(
                self.unexpected_with_help("a parameter", "a local function has at least one parameter")
            );
        }
        let params = self.params()?;
        let ret = if self.eat(TokenKind::Colon) { Some(self.type_exp()?) } else { None };
        Ok(Binder::Fun(name, tparams, params, ret))
    }

    /// `in`, or the next `let`. Whether it was `in`.
    fn let_end(&mut self, start: Span) -> Parse<bool> {
        if self.at(TokenKind::Let) {
            return Ok(false);
        }
        if self.eat(TokenKind::In) {
            return Ok(true);
        }
        let failed = self.report_missing_in(start);
        // What follows would use names that are not known.
        if matches!(self.kind(), TokenKind::Comma | TokenKind::For | TokenKind::While) {
            return Err(failed);
        }
        if !self.skip_to(&[TokenKind::In, TokenKind::Let]) {
            return Err(failed);
        }
        Ok(self.eat(TokenKind::In))
    }

    fn report_missing_in(&mut self, start: Span) -> Failed {
        let ends = self.at(TokenKind::Eof) || self.at_declaration_start() || self.kind().is_closer();
        if !ends {
            return match self.kind() {
                TokenKind::Comma => {
                    self.unexpected_with_help("`in`", "each name is bound by a `let` of its own")
                }
                TokenKind::For | TokenKind::While => self.unexpected_with_help(
                    "`in`",
                    "a loop is an expression with a result: `in loop x = start for i < n do ..`",
                ),
                _ => self.unexpected("`in`"),
            };
        }
        if self.at_reported_end() {
            return Failed;
        }
        if let Some(result) = self.line_aligned_with(start) {
            self.reports.push(
                Diagnostic::error(codes::SYNTAX, result, "Expected `in` before the result of a `let`.")
                    .label("the result begins here")
                    .secondary(start, "of this `let`")
                    .help(format!("write `in {}`", self.text_of(result)))
                    .fix(result.at_start(), "in "),
            );
            return Failed;
        }
        if self.kind().is_closer() {
            return self.unexpected("`in`");
        }
        let found = self.describe_next();
        let message = format!("Expected `in` or another `let`, but found {found}.");
        let help = "missing `in`? A `let` inside a definition ends with `in` and the result";
        self.reports.push(
            Diagnostic::error(codes::SYNTAX, self.span(), message)
                .secondary(start, "this `let` has no result")
                .help(help),
        );
        Failed
    }

    /// The first token of the last line that begins in the column of `start`, after it and before the next token: people align
    /// the result of a `let` with it.
    fn line_aligned_with(&self, start: Span) -> Option<Span> {
        let column = |lo: u32| lo - self.text[..lo as usize].rfind('\n').map_or(0, |at| at as u32 + 1);
        let after = self.tokens[..self.pos].iter().rev().take_while(|t| t.lo > start.lo);
        let mut lines = after.filter(|t| t.first_on_line && column(t.lo) == column(start.lo));
        lines.next().filter(|t| !t.kind.is_keyword()).map(|t| self.span_of(*t))
    }
}
