//! Patterns.

use super::recover::Commas;
use super::{Parse, Parser};
use crate::ast::*;
use crate::lexer::TokenKind;
use norn_base::Span;

/// Where a pattern stands decides whether it may begin with a minus sign: among parameters that
/// would be an operator.
#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Allowed,
    Forbidden,
}

impl Parser<'_> {
    /// A pattern, with attributes, a type, or a constructor with its payload.
    pub(super) fn pat(&mut self) -> Parse<Pat> {
        self.nested(|p| {
            let start = p.span();
            if p.at(TokenKind::AttrBracket) {
                let attr = p.attr()?;
                let inner = p.pat()?;
                return Ok(p.new_pat(PatKind::Attr(attr, Box::new(inner)), p.span_from(start)));
            }
            let pat = if p.at(TokenKind::Constructor) { p.constr_pat()? } else { p.pat_atom(Sign::Allowed)? };
            if matches!(&pat.kind, PatKind::Constr(_, payload) if !payload.is_empty()) {
                return p.forbid_pat_type(pat);
            }
            p.pat_type(pat)
        })
    }

    /// `#c p q`
    fn constr_pat(&mut self) -> Parse<Pat> {
        let constructor = self.constructor();
        let mut payload = Vec::new();
        while self.at_pat_atom(Sign::Allowed) {
            payload.push(self.pat_atom(Sign::Allowed)?);
        }
        let span = self.span_from(constructor.span);
        Ok(self.new_pat(PatKind::Constr(constructor, payload), span))
    }

    /// After a payload the type would seem to be that of its last part.
    fn forbid_pat_type(&mut self, pat: Pat) -> Parse<Pat> {
        if self.at(TokenKind::Colon) {
            let help = "to give the whole a type, put it in parentheses: `(#c x): t`";
            return Err(self.unexpected_with_help("the end of the pattern", help));
        }
        Ok(pat)
    }

    /// The type that may follow a pattern.
    fn pat_type(&mut self, pat: Pat) -> Parse<Pat> {
        if !self.eat(TokenKind::Colon) {
            return Ok(pat);
        }
        let start = pat.span;
        let ty = self.type_exp()?;
        Ok(self.new_pat(PatKind::Ascript(Box::new(pat), Box::new(ty)), self.span_from(start)))
    }

    pub(super) fn at_param(&self) -> bool {
        self.at_pat_atom(Sign::Forbidden)
    }

    /// A pattern that is a parameter of a function.
    pub(super) fn param(&mut self) -> Parse<Pat> {
        self.nested(|p| p.pat_atom(Sign::Forbidden))
    }

    pub(super) fn params(&mut self) -> Parse<Vec<Pat>> {
        let mut params = Vec::new();
        while self.at_param() && !self.at_braces_after_params() {
            params.push(self.param()?);
        }
        Ok(params)
    }

    fn at_pat_atom(&self, sign: Sign) -> bool {
        use TokenKind::*;
        match self.kind() {
            Name | Underscore | LParen | LBrace | Number | Char | True | False | Constructor => true,
            Minus => sign == Sign::Allowed,
            _ => false,
        }
    }

    fn pat_atom(&mut self, sign: Sign) -> Parse<Pat> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Name => PatKind::Name(self.name("a name")?),
            TokenKind::Underscore => {
                self.bump();
                PatKind::Wildcard
            }
            TokenKind::LParen if self.at_operator_in_parens() => PatKind::Name(self.operator_in_parens()?),
            TokenKind::LParen => self.bracketed(Self::pat_parens, || PatKind::Error)?,
            TokenKind::LBrace => self.bracketed(Self::record_pat, || PatKind::Error)?,
            TokenKind::Constructor => PatKind::Constr(self.constructor(), Vec::new()),
            TokenKind::Number | TokenKind::Char | TokenKind::True | TokenKind::False => {
                self.pat_literal(false)
            }
            TokenKind::Minus if sign == Sign::Allowed => {
                self.bump();
                if !self.at(TokenKind::Number) {
                    return Err(self.unexpected("a number"));
                }
                self.pat_literal(true)
            }
            _ if self.take_keyword_as_name("a pattern") => {
                self.bump();
                PatKind::Error
            }
            TokenKind::Str => {
                return Err(self.unexpected_with_help("a pattern", "a string cannot be a pattern"));
            }
            _ => return Err(self.unexpected_name("a pattern")),
        };
        Ok(self.new_pat(kind, self.span_from(start)))
    }

    fn pat_literal(&mut self, negated: bool) -> PatKind {
        match self.literal() {
            Some(lit) => PatKind::Lit(PatLit { negated, lit }),
            None => PatKind::Error,
        }
    }

    fn pat_parens(&mut self) -> Parse<PatKind> {
        if self.at(TokenKind::RParen) {
            return Ok(PatKind::Tuple(Vec::new()));
        }
        let first = self.pat_in_parens()?;
        if !self.eat(TokenKind::Comma) {
            return Ok(PatKind::Parens(Box::new(first)));
        }
        let mut parts = vec![first];
        self.forbid_single_part()?;
        parts.extend(self.comma_list(TokenKind::RParen, Commas::Single, Self::pat, Self::error_pat)?);
        Ok(PatKind::Tuple(parts))
    }

    fn pat_in_parens(&mut self) -> Parse<Pat> {
        self.or_skip(&[TokenKind::Comma, TokenKind::RParen], Self::pat, Self::error_pat)
    }

    pub(super) fn error_pat(&mut self, span: Span) -> Pat {
        self.new_pat(PatKind::Error, span)
    }

    fn record_pat(&mut self) -> Parse<PatKind> {
        let fields = self.comma_list(
            TokenKind::RBrace,
            Commas::Single,
            |p| p.field_pat().map(Some),
            // What the record binds is not known.
            |_, _| None,
        )?;
        let count = fields.len();
        let fields: Vec<_> = fields.into_iter().flatten().collect();
        Ok(if fields.len() == count { PatKind::Record(fields) } else { PatKind::Error })
    }

    /// `a = pat`, `a: t` or `a`
    fn field_pat(&mut self) -> Parse<FieldPat> {
        let name = self.field()?;
        let punned = !self.eat(TokenKind::Equals);
        let pat = if !punned {
            Some(self.pat()?)
        } else if self.at(TokenKind::Colon) {
            let variable = self.new_pat(PatKind::Name(name), name.span);
            Some(self.pat_type(variable)?)
        } else {
            None
        };
        Ok(FieldPat { name, pat, punned, id: self.ids.fresh() })
    }
}
