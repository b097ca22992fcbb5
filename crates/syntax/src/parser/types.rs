//! Type expressions, sizes and type parameters.
//!
//! ```text
//! (x: a) -> ?[m].*[n][m](t, {l: u})     #c t | #d     [?]t     [n] 't '~u '^v
//! ```
//!
//! Arrows group to the right, and bind looser than everything else. In `t [n] u`, `[n]` is an argument of `t`; before a constructor it is the size of an array, since no
//! constructor can be an argument. Which sizes are bound, and whether a type is well formed, is for the checker.

use super::recover::Commas;
use super::{Failed, Parse, Parser};
use crate::ast::*;
use crate::lexer::TokenKind;
use norn_base::Span;

impl Parser<'_> {
    /// A type, with arrows and existential sizes.
    pub(super) fn type_exp(&mut self) -> Parse<TypeExp> {
        self.nested(|p| p.chain(Self::arrows))
    }

    /// `a -> (b: t) -> c`, which groups to the right.
    fn arrows(&mut self) -> Parse<TypeExp> {
        let mut params = Vec::new();
        let mut result = loop {
            let start = self.span();
            if self.at(TokenKind::Question) {
                break self.existential()?;
            }
            let (name, param) = if self.at_named_param() {
                let (name, param) = self.named_param()?;
                (Some(name), param)
            } else {
                (None, self.type_term()?)
            };
            if name.is_some() {
                self.expect_arrow()?;
            } else if !self.eat(TokenKind::Arrow) {
                break param;
            }
            params.push((start, name, param));
        };
        self.links(params.len())?;
        while let Some((start, name, param)) = params.pop() {
            let kind = TypeExpKind::Arrow(name, Box::new(param), Box::new(result));
            result = self.new_type(kind, self.span_from(start));
        }
        Ok(result)
    }

    /// `(name: ` comes next, in types always the parameter of a function.
    fn at_named_param(&self) -> bool {
        self.at(TokenKind::LParen) && self.nth(1) == TokenKind::Name && self.nth(2) == TokenKind::Colon
    }

    fn named_param(&mut self) -> Parse<(Ident, TypeExp)> {
        let start = self.span();
        let mut name = None;
        let param = self.bracketed(
            |p| {
                name = Some(p.name("a parameter")?);
                p.expect(TokenKind::Colon)?;
                p.type_exp().map(Some)
            },
            || None,
        )?;
        let span = self.span_from(start);
        let param = param.unwrap_or_else(|| self.error_type(span));
        match name {
            Some(name) => Ok((name, param)),
            None => Err(self.unexpected("a parameter")),
        }
    }

    /// `?[n][m].t`
    fn existential(&mut self) -> Parse<TypeExp> {
        let start = self.bump();
        let mut sizes = vec![self.size_binder()?];
        while self.at_bracket() {
            sizes.push(self.size_binder()?);
        }
        self.expect(TokenKind::Dot)?;
        let body = self.type_exp()?;
        Ok(self.new_type(TypeExpKind::Exists(sizes, Box::new(body)), self.span_from(start)))
    }

    /// A type that needs no parentheses before an arrow.
    pub(super) fn type_term(&mut self) -> Parse<TypeExp> {
        self.nested(|p| match p.kind() {
            TokenKind::Star => {
                let start = p.bump();
                let inner = p.type_term()?;
                Ok(p.new_type(TypeExpKind::Unique(Box::new(inner)), p.span_from(start)))
            }
            TokenKind::Constructor => p.sum_type(),
            _ => p.chain(Self::type_application),
        })
    }

    fn sum_type(&mut self) -> Parse<TypeExp> {
        let start = self.span();
        let mut clauses = Vec::new();
        loop {
            if !self.at(TokenKind::Constructor) {
                return Err(self.unexpected("a constructor, such as `#name`,"));
            }
            let constructor = self.constructor();
            let mut payload = Vec::new();
            while self.at_type_atom() {
                payload.push(self.type_atom()?);
            }
            clauses.push((constructor, payload));
            if !self.eat(TokenKind::Pipe) {
                return Ok(self.new_type(TypeExpKind::Sum(clauses), self.span_from(start)));
            }
        }
    }

    fn type_application(&mut self) -> Parse<TypeExp> {
        let start = self.span();
        let mut applied = self.type_atom()?;
        while self.at_type_atom() && !self.at_braces() {
            let arg = self.type_arg()?;
            self.links(1)?;
            let kind = TypeExpKind::Apply(Box::new(applied), arg);
            applied = self.new_type(kind, self.span_from(start));
        }
        Ok(applied)
    }

    /// In `t [n] u` the size and the type are two arguments. Only a constructor cannot be an
    /// argument, so before one the size is that of an array.
    fn type_arg(&mut self) -> Parse<TypeArg> {
        if !self.at_bracket() {
            return Ok(TypeArg::Type(Box::new(self.type_atom()?)));
        }
        let size = self.size()?;
        if !self.at(TokenKind::Constructor) {
            return Ok(TypeArg::Size(size));
        }
        Ok(TypeArg::Type(Box::new(self.array_of(size)?)))
    }

    fn array_of(&mut self, size: SizeExp) -> Parse<TypeExp> {
        let start = size.span;
        let element = self.type_term()?;
        Ok(self.new_type(TypeExpKind::Array(size, Box::new(element)), self.span_from(start)))
    }

    pub(super) fn at_bracket(&self) -> bool {
        matches!(self.kind(), TokenKind::LBracket | TokenKind::IndexBracket)
    }

    fn at_type_atom(&self) -> bool {
        self.at_bracket() || matches!(self.kind(), TokenKind::Name | TokenKind::LParen | TokenKind::LBrace)
    }

    fn type_atom(&mut self) -> Parse<TypeExp> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Name => TypeExpKind::Var(self.qual_name("a type")?),
            TokenKind::LParen => self.bracketed(Self::type_parens, || TypeExpKind::Error)?,
            TokenKind::LBrace => self.bracketed(Self::record_type, || TypeExpKind::Error)?,
            TokenKind::LBracket | TokenKind::IndexBracket => {
                let size = self.size()?;
                return self.array_of(size);
            }
            _ => return Err(self.unexpected("a type")),
        };
        Ok(self.new_type(kind, self.span_from(start)))
    }

    fn type_parens(&mut self) -> Parse<TypeExpKind> {
        if self.at(TokenKind::RParen) {
            return Ok(TypeExpKind::Tuple(Vec::new()));
        }
        let first = self.type_exp()?;
        if !self.eat(TokenKind::Comma) {
            return Ok(TypeExpKind::Parens(Box::new(first)));
        }
        let mut parts = vec![first];
        self.forbid_single_part()?;
        parts.extend(self.comma_list(TokenKind::RParen, Commas::Single, Self::type_exp, Self::error_type)?);
        Ok(TypeExpKind::Tuple(parts))
    }

    pub(super) fn error_type(&mut self, span: Span) -> TypeExp {
        self.new_type(TypeExpKind::Error, span)
    }

    /// After the first comma of a tuple something must follow.
    pub(super) fn forbid_single_part(&mut self) -> Parse<()> {
        if self.at(TokenKind::RParen) {
            return Err(self.unexpected_with_help("a second part", "a tuple has at least two parts, or none"));
        }
        Ok(())
    }

    fn record_type(&mut self) -> Parse<TypeExpKind> {
        let field = |p: &mut Self| {
            let name = p.field()?;
            p.expect(TokenKind::Colon)?;
            Ok(Some((name, p.type_exp()?)))
        };
        let fields = self.comma_list(TokenKind::RBrace, Commas::Single, field, |_, _| None)?;
        let count = fields.len();
        let fields: Vec<_> = fields.into_iter().flatten().collect();
        // A record without the field that failed would be another type.
        Ok(if fields.len() == count { TypeExpKind::Record(fields) } else { TypeExpKind::Error })
    }

    /// `[e]`, `[]` or `[?]`
    pub(super) fn size(&mut self) -> Parse<SizeExp> {
        let start = self.span();
        let kind = self.bracketed(
            |p| match p.kind() {
                TokenKind::RBracket => Ok(SizeExpKind::Anonymous),
                TokenKind::Question => {
                    p.bump();
                    Ok(SizeExpKind::Irregular)
                }
                _ => Ok(SizeExpKind::Exp(Box::new(p.exp()?))),
            },
            || SizeExpKind::Anonymous,
        )?;
        Ok(SizeExp { kind, span: self.span_from(start), id: self.ids.fresh() })
    }

    /// `[n]` where `n` is bound.
    pub(super) fn size_binder(&mut self) -> Parse<SizeBinder> {
        if !self.at_bracket() {
            return Err(self.unexpected("a size in brackets, such as `[n]`,"));
        }
        let start = self.span();
        let name = self.bracketed(|p| p.name("the name of a size").map(Some), || None)?;
        let span = self.span_from(start);
        let Some(name) = name else { return Err(Failed) };
        Ok(SizeBinder { name, span, id: self.ids.fresh() })
    }

    pub(super) fn at_type_param(&self) -> bool {
        use TokenKind::*;
        matches!(self.kind(), LBracket | IndexBracket | Apostrophe | ApostropheHat | ApostropheTilde)
    }

    /// Any number of `[n]`, `'t`, `'~t`, `'^t`.
    pub(super) fn type_params(&mut self) -> Parse<Vec<TypeParam>> {
        let mut params = Vec::new();
        while self.at_type_param() {
            params.push(self.type_param()?);
        }
        Ok(params)
    }

    fn type_param(&mut self) -> Parse<TypeParam> {
        let start = self.span();
        let lifted = match self.kind() {
            TokenKind::ApostropheHat => Liftedness::Lifted,
            TokenKind::ApostropheTilde => Liftedness::SizeLifted,
            TokenKind::Apostrophe => Liftedness::Unlifted,
            _ => {
                let SizeBinder { name, span, id } = self.size_binder()?;
                return Ok(TypeParam { kind: TypeParamKind::Size, name, span, id });
            }
        };
        self.bump();
        let name = self.name("the name of a type parameter")?;
        let span = self.span_from(start);
        Ok(TypeParam { kind: TypeParamKind::Type(lifted), name, span, id: self.ids.fresh() })
    }
}
