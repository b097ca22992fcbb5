//! Names, types, atoms: what everything else is made of.

use super::lexer::Token;
use super::names::{Ids, Name};
use super::{Parse, Parser};
use crate::nest::names::is_reserved;
use crate::nest::{Atom, DataId, Dim, Elem, Prim, Scalar, Type, Var};
use std::collections::HashMap;

impl Parser {
    pub(super) fn name(&mut self) -> Parse<Name> {
        match self.peek() {
            Token::Name { text, quoted: _, number } => {
                let name = (text.clone(), number.unwrap_or(1));
                self.bump();
                Ok(name)
            }
            Token::Number(_) | Token::Place(_) | Token::Punct(_) | Token::Arrow | Token::End => {
                self.expected("a name")
            }
        }
    }

    pub(super) fn quoted(&mut self) -> Parse<String> {
        match self.peek() {
            Token::Name { text, quoted: true, number: None } => {
                let text = text.clone();
                self.bump();
                Ok(text)
            }
            Token::Name { .. }
            | Token::Number(_)
            | Token::Place(_)
            | Token::Punct(_)
            | Token::Arrow
            | Token::End => self.expected("a text in quotes"),
        }
    }

    /// A name from a table, or `%` and the number.
    pub(super) fn id(&mut self, table: impl Fn(&Ids) -> &HashMap<Name, u32>, what: &str) -> Parse<u32> {
        if self.is('%') {
            return self.raw_id();
        }
        let at = self.at;
        let name = self.name()?;
        match table(&self.ids).get(&name) {
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
        match self.ids.constrs.get(data.0 as usize).and_then(|constrs| constrs.get(&name)) {
            Some(constr) => Ok((data, *constr as usize)),
            None => Err(self.error_at(at, format!("`{}` is not a constructor of this data.", name.0))),
        }
    }

    pub(super) fn prim(&mut self) -> Parse<Prim> {
        match self.peek_word().and_then(Prim::from_name) {
            Some(prim) => {
                self.bump();
                Ok(prim)
            }
            None => self.expected("a primitive type"),
        }
    }

    /// The `.f32` of an operator.
    pub(super) fn dot_prim(&mut self) -> Parse<Prim> {
        self.expect('.')?;
        self.prim()
    }

    /// A number without suffix.
    pub(super) fn integer<T: std::str::FromStr>(&mut self, what: &str) -> Parse<T> {
        let number = match self.peek() {
            Token::Number(text) => text.parse().ok(),
            Token::Name { .. } | Token::Place(_) | Token::Punct(_) | Token::Arrow | Token::End => None,
        };
        match number {
            Some(number) => {
                self.bump();
                Ok(number)
            }
            None => self.expected(what),
        }
    }

    // # Types

    pub(super) fn ty(&mut self) -> Parse<Type> {
        self.nested(|parser| match parser.peek_word() {
            Some("region") => {
                parser.bump();
                Ok(Type::Region)
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
            dims.push(if self.eat('?') {
                Dim::Irregular
            } else if self.eat('#') {
                Dim::Result(self.integer("the number of a result")?)
            } else {
                Dim::Size(self.size()?)
            });
            self.expect(']')?;
        }
        Ok(dims)
    }

    /// In dimensions a number needs no suffix.
    fn size(&mut self) -> Parse<Atom> {
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

    pub(super) fn var(&mut self) -> Parse<Var> {
        if self.is('%') {
            return Ok(Var(self.raw_id()?));
        }
        if self.peek_word().is_some_and(is_reserved) {
            return self.expected("a variable");
        }
        let at = self.at;
        let name = self.name()?;
        Ok(self.scope.mention(name, at))
    }

    pub(super) fn atom(&mut self) -> Parse<Atom> {
        let negative = self.is('-');
        if let Token::Number(text) = self.peek() {
            return match parse_number(text) {
                Some(scalar) => {
                    self.bump();
                    Ok(Atom::Const(scalar))
                }
                None => self.expected("a number that its type, which is its suffix, can hold"),
            };
        }
        match self.peek_word() {
            Some("true") => {
                self.bump();
                Ok(Atom::bool(true))
            }
            Some("false") => {
                self.bump();
                Ok(Atom::bool(false))
            }
            Some(word) if Prim::from_name(word).is_some() => self.special(false),
            Some(_) | None if negative => {
                self.bump();
                self.special(true)
            }
            Some(_) | None => Ok(Atom::Var(self.var()?)),
        }
    }

    /// `f32.inf`, `f32.nan` or `f32.bits(0x..)`
    fn special(&mut self, negative: bool) -> Parse<Atom> {
        let prim = self.prim()?;
        self.expect('.')?;
        if self.eat_word("bits") && !negative {
            self.expect('(')?;
            let bits = match self.peek() {
                Token::Number(text) => text.strip_prefix("0x").and_then(|t| u64::from_str_radix(t, 16).ok()),
                Token::Name { .. } | Token::Place(_) | Token::Punct(_) | Token::Arrow | Token::End => None,
            };
            let Some(scalar) = bits.and_then(|bits| Scalar::from_bits(prim, bits)) else {
                return self.expected(&format!("the bits of a number of type {}", prim.name()));
            };
            self.bump();
            self.expect(')')?;
            return Ok(Atom::Const(scalar));
        }
        let word = self.peek_word().unwrap_or_default();
        let value = match (word, negative) {
            ("inf", true) if prim.is_float() => Some(Scalar::from_float(prim, f64::NEG_INFINITY)),
            (_, true) => None,
            (name, false) => Scalar::special(prim, name),
        };
        match value {
            Some(scalar) => {
                self.bump();
                Ok(Atom::Const(scalar))
            }
            None => self.expected("`inf`, `nan` or `bits`"),
        }
    }
}

/// Digits, and the type as suffix.
fn parse_number(text: &str) -> Option<Scalar> {
    let (prim, digits) =
        Prim::ALL.into_iter().find_map(|prim| text.strip_suffix(prim.name()).map(|digits| (prim, digits)))?;
    Scalar::from_decimal(prim, digits)
}
