//! `loop`, `match`, `assert`, functions without a name, and expressions with an attribute.

use super::{Parse, Parser};
use crate::ast::*;
use crate::lexer::TokenKind;

impl Parser<'_> {
    /// `loop p = e for i < n do body`, with or without `= e`.
    pub(super) fn loop_exp(&mut self) -> Parse<Exp> {
        let start = self.bump();
        let pat = self.pat()?;
        let init = if self.at(TokenKind::For) || self.at(TokenKind::While) {
            None
        } else {
            self.expect_equals()?;
            Some(self.exp()?)
        };
        let form = self.loop_form()?;
        if !self.eat(TokenKind::Do) {
            return Err(self.unexpected_with_help("`do`", "the body of a loop begins with `do`"));
        }
        let body = self.exp()?;
        let span = start.to(body.span);
        Ok(self.new_exp(ExpKind::Loop(Box::new(Loop { pat, init, form, body })), span))
    }

    fn loop_form(&mut self) -> Parse<LoopForm> {
        if self.eat(TokenKind::While) {
            return Ok(LoopForm::While(self.condition()?));
        }
        if !self.eat(TokenKind::For) {
            return Err(self.unexpected("`for` or `while`"));
        }
        if self.at(TokenKind::Name) && self.nth(1) == TokenKind::Less {
            let name = self.name("the variable of the loop")?;
            self.bump();
            let id = self.ids.fresh();
            return Ok(LoopForm::For(name, id, self.exp()?));
        }
        let pat = self.pat()?;
        if !self.eat(TokenKind::In) {
            return Err(self.unexpected("`<` and a number, or `in` and an array,"));
        }
        Ok(LoopForm::ForIn(pat, self.exp()?))
    }

    /// `match e case p -> e ...`; the cases belong to the innermost `match`.
    pub(super) fn match_exp(&mut self) -> Parse<Exp> {
        let start = self.bump();
        let matched = self.or_skip(&[TokenKind::Case], Self::exp, Self::error_exp)?;
        let mut cases = Vec::new();
        while self.at(TokenKind::Case) {
            cases.push(self.case()?);
        }
        if cases.is_empty() {
            return Err(self.unexpected("`case`"));
        }
        Ok(self.new_exp(ExpKind::Match(Box::new(matched), cases), self.span_from(start)))
    }

    fn case(&mut self) -> Parse<Case> {
        use TokenKind::{Arrow, Case as CaseKeyword};
        let start = self.bump();
        let mut failed = false;
        let pat = self.or_skip(&[Arrow, CaseKeyword], Self::pat, |p, span| {
            failed = true;
            p.error_pat(span)
        })?;
        let body = if failed && !self.at(Arrow) {
            self.error_exp(self.last_span().at_end())
        } else {
            self.or_skip(
                &[CaseKeyword],
                |p| {
                    p.expect_arrow()?;
                    // A type after it is that of the whole `match`.
                    p.untyped_exp()
                },
                Self::error_exp,
            )?
        };
        Ok(Case { pat, body, span: self.span_from(start) })
    }

    /// `assert c e`
    pub(super) fn assert_exp(&mut self) -> Parse<Exp> {
        let start = self.bump();
        let condition = self.atom()?;
        let checked = self.exp()?;
        let span = start.to(checked.span);
        Ok(self.new_exp(ExpKind::Assert(Box::new(condition), Box::new(checked)), span))
    }

    /// `#[attr] e`
    pub(super) fn attr_exp(&mut self) -> Parse<Exp> {
        let start = self.span();
        let attr = self.attr()?;
        let marked = self.exp()?;
        let span = start.to(marked.span);
        Ok(self.new_exp(ExpKind::Attr(attr, Box::new(marked)), span))
    }

    /// `\x y : t -> e`
    pub(super) fn lambda(&mut self) -> Parse<Exp> {
        let start = self.bump();
        if !self.at_param() {
            return Err(self.unexpected("a parameter"));
        }
        let params = self.params()?;
        let ret = if self.eat(TokenKind::Colon) { Some(Box::new(self.type_term()?)) } else { None };
        self.expect_arrow()?;
        let body = self.exp()?;
        let span = start.to(body.span);
        Ok(self.new_exp(ExpKind::Lambda { params, ret, body: Box::new(body) }, span))
    }
}
