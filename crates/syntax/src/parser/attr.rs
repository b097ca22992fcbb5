//! Attributes: `#[name(arguments)]`.

use super::recover::Commas;
use super::{Parse, Parser};
use crate::ast::{Attr, AttrKind, Lit};
use crate::lexer::TokenKind;
use norn_base::Symbol;

impl Parser<'_> {
    /// `#[...]`; its span has the brackets.
    pub(super) fn attr(&mut self) -> Parse<Attr> {
        let start = self.span();
        let kind = self.bracketed(|p| p.attr_contents().map(|a| a.kind), unknown_attr)?;
        Ok(Attr { kind, span: self.span_from(start) })
    }

    fn attr_contents(&mut self) -> Parse<Attr> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Name => {
                let name = self.name("an attribute")?.name;
                if self.at(TokenKind::LParen) {
                    AttrKind::Call(name, self.nested(Self::attr_arguments)?)
                } else {
                    AttrKind::Name(name)
                }
            }
            TokenKind::Number => match self.literal() {
                Some(Lit::Int { value: Some(value), suffix: None }) => AttrKind::Int(value),
                Some(_) => {
                    return Err(self.syntax_error(start, "A number in an attribute is a plain integer."));
                }
                None => unknown_attr(),
            },
            _ => return Err(self.unexpected("an attribute")),
        };
        Ok(Attr { kind, span: self.span_from(start) })
    }

    fn attr_arguments(&mut self) -> Parse<Vec<Attr>> {
        self.bracketed(
            |p| {
                p.comma_list(TokenKind::RParen, Commas::Single, Self::attr_contents, |_, span| Attr {
                    kind: unknown_attr(),
                    span,
                })
            },
            Vec::new,
        )
    }
}

/// Stands for an attribute that could not be read; unknown attributes have no effect.
fn unknown_attr() -> AttrKind {
    AttrKind::Name(Symbol::new("?"))
}
