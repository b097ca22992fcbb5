//! What stands in parentheses: groups, tuples and sections of operators and paths.

use super::operators::{Level, Sections};
use super::recover::Commas;
use super::{Parse, Parser};
use crate::ast::*;
use crate::lexer::TokenKind;

impl Parser<'_> {
    pub(super) fn parens(&mut self) -> Parse<ExpKind> {
        self.bracketed(|p| p.nested(Self::parens_contents), || ExpKind::Error)
    }

    fn parens_contents(&mut self) -> Parse<ExpKind> {
        match self.kind() {
            TokenKind::RParen => Ok(ExpKind::Tuple(Vec::new())),
            TokenKind::Dot => self.path_section(),
            // Before an operand it would be a negation.
            TokenKind::Minus if self.nth(1) == TokenKind::RParen => Ok(ExpKind::OpSection(self.operator()?)),
            _ if self.at_operator() => self.right_section(),
            _ => self.group(),
        }
    }

    /// `+` or `+ x`
    fn right_section(&mut self) -> Parse<ExpKind> {
        let op = self.operator()?;
        if self.at(TokenKind::RParen) {
            return Ok(ExpKind::OpSection(op));
        }
        let operand = self.infix(Level::Range)?;
        Ok(ExpKind::RightSection(op, Box::new(operand)))
    }

    /// `e`, `e +`, or the parts of a tuple.
    fn group(&mut self) -> Parse<ExpKind> {
        let stops = [TokenKind::Comma, TokenKind::RParen];
        let mut first =
            self.or_skip(&stops, |p| p.infix_with(Level::Range, Sections::Left), Self::error_exp)?;
        if self.at_left_section() {
            let op = self.operator()?;
            return Ok(ExpKind::LeftSection(Box::new(first), op));
        }
        first = match self.kind() {
            TokenKind::Question => self.ternary(first)?,
            TokenKind::Equals => self.mistaken_comparison(&first)?,
            _ => self.chain(|p| p.ascriptions(first))?,
        };
        if !self.eat(TokenKind::Comma) {
            return Ok(ExpKind::Parens(Box::new(first)));
        }
        let mut parts = vec![first];
        self.forbid_single_part()?;
        parts.extend(self.comma_list(TokenKind::RParen, Commas::Repeated, Self::exp, Self::error_exp)?);
        Ok(ExpKind::Tuple(parts))
    }

    /// `.a[i].b`, or `.[i]`
    fn path_section(&mut self) -> Parse<ExpKind> {
        self.bump();
        let mut steps = vec![self.step()?];
        loop {
            match self.kind() {
                TokenKind::Dot => {
                    self.bump();
                    steps.push(Step::Field(self.field()?));
                }
                TokenKind::IndexBracket => steps.push(self.step()?),
                _ => return Ok(ExpKind::ProjSection(steps)),
            }
        }
    }

    /// `a` or `[i]`
    pub(super) fn step(&mut self) -> Parse<Step> {
        if !self.at_bracket() {
            return Ok(Step::Field(self.field()?));
        }
        let start = self.span();
        let indices = self.indices()?;
        Ok(Step::Index(indices, self.span_from(start)))
    }
}
