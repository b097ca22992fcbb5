//! Names, types, atoms: what everything else is made of.

use super::Parser;
use super::names::Ids;
use crate::skeleton::names::is_reserved;
use crate::skeleton::{Atom, DataId, Dim, Elem, Type, Var};
use crate::text::lexer::Token;
use crate::text::{Name, Parse};
use std::collections::HashMap;

impl Parser {
    /// A name from a table, or `%` and the number.
    pub(super) fn id(&mut self, table: impl Fn(&Ids) -> &HashMap<Name, u32>, what: &str) -> Parse<u32> {
        if self.is('%') {
            return self.raw_id();
        }
        let at = self.at;
        let name = self.name()?;
        match table(&self.lang.ids).get(&name) {
            Some(id) => Ok(*id),
            None => Err(self.error_at(at, format!("`{}` is not {what} of this program.", name.0))),
        }
    }

    fn raw_id(&mut self) -> Parse<u32> {
        self.expect('%')?;
        self.integer("the number of an id")
    }

    pub(super) fn data_id(&mut self) -> Parse<DataId> {
        Ok(DataId(self.id(|ids| &ids.datas, "a data")?))
    }

    /// `data.constr`, or `_.%1`.
    pub(super) fn constr(&mut self) -> Parse<(DataId, usize)> {
        let data = if self.eat_word("_") { DataId(u32::MAX) } else { self.data_id()? };
        self.expect('.')?;
        if self.is('%') {
            return Ok((data, self.raw_id()? as usize));
        }
        let at = self.at;
        let name = self.name()?;
        match self.lang.ids.constrs.get(data.0 as usize).and_then(|constrs| constrs.get(&name)) {
            Some(constr) => Ok((data, *constr as usize)),
            None => Err(self.error_at(at, format!("`{}` is not a constructor of this data.", name.0))),
        }
    }

    // # Types

    pub(super) fn ty(&mut self) -> Parse<Type> {
        self.nested(|parser| match parser.peek_word() {
            Some("region") => {
                parser.bump();
                Ok(Type::Region)
            }
            // In front of a type there is no name, so that this one is no size.
            Some("seg") => {
                parser.bump();
                let (count, total) = (parser.dim()?, parser.dim()?);
                Ok(Type::Seg { count, total })
            }
            Some("cert") => {
                parser.bump();
                Ok(Type::Cert)
            }
            Some("acc") => {
                parser.bump();
                Ok(Type::Acc(parser.list(Parser::ty)?))
            }
            Some(_) | None => {
                let dims = parser.dims()?;
                Ok(Type::Value(parser.elem()?, dims))
            }
        })
    }

    /// `f32`, `&list` or `&region list`
    pub(super) fn elem(&mut self) -> Parse<Elem> {
        if !self.eat('&') {
            return Ok(Elem::Prim(self.prim()?));
        }
        // A region stands before the data, so it is one if another name follows.
        let region = match (self.peek(), self.second()) {
            (Token::Name { .. }, Token::Name { .. } | Token::Punct('%')) => Some(self.var()?),
            (Token::Punct('%'), _) if self.raw_region() => Some(Var(self.raw_id()?)),
            _ => None,
        };
        Ok(Elem::Ref(self.data_id()?, region))
    }

    /// Whether a raw id is followed by the data that it is the region of.
    fn raw_region(&self) -> bool {
        let third = self.tokens.get(self.at + 2).map(|placed| &placed.token);
        matches!(third, Some(Token::Name { .. } | Token::Punct('%')))
    }

    /// `[n][?][#0]`
    pub(super) fn dims(&mut self) -> Parse<Vec<Dim>> {
        let mut dims = Vec::new();
        while self.eat('[') {
            dims.push(self.dim()?);
            self.expect(']')?;
        }
        Ok(dims)
    }

    fn dim(&mut self) -> Parse<Dim> {
        if self.eat('?') {
            Ok(Dim::Irregular)
        } else if self.eat('#') {
            Ok(Dim::Result(self.integer("the number of a result")?))
        } else {
            Ok(Dim::Size(self.size()?))
        }
    }

    /// In dimensions a number needs no suffix.
    pub(crate) fn size(&mut self) -> Parse<Atom> {
        let plain = match self.peek() {
            Token::Number(text) => text.parse().ok(),
            Token::Name { .. } | Token::Place(_) | Token::Punct(_) | Token::Arrow | Token::End => None,
        };
        match plain {
            Some(size) => {
                self.bump();
                Ok(Atom::i64(size))
            }
            None => self.atom(),
        }
    }

    // # Atoms

    /// Whether a variable comes next.
    pub(crate) fn is_variable(&self) -> bool {
        match self.peek() {
            Token::Name { text, quoted, number } => *quoted || number.is_some() || !is_reserved(text),
            Token::Punct(c) => *c == '%',
            Token::Number(_) | Token::Place(_) | Token::Arrow | Token::End => false,
        }
    }

    pub(crate) fn var(&mut self) -> Parse<Var> {
        if self.is('%') {
            return Ok(Var(self.raw_id()?));
        }
        if self.peek_word().is_some_and(is_reserved) {
            return self.expected("a variable");
        }
        let at = self.at;
        let name = self.name()?;
        Ok(Var(self.lang.scope.mention(name, at)))
    }

    pub(crate) fn atom(&mut self) -> Parse<Atom> {
        match self.scalar()? {
            Some(scalar) => Ok(Atom::Const(scalar)),
            None => Ok(Atom::Var(self.var()?)),
        }
    }
}
