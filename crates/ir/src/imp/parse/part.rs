//! Names, types, sites: what everything else is made of.

use super::{Ids, Parser};
use crate::imp::names::{is_reserved, numbers};
use crate::imp::{Elem, Prim, SiteId, Type, Var};
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

    pub(super) fn site(&mut self) -> Parse<SiteId> {
        self.expect('#')?;
        Ok(SiteId(self.integer("the number of a site")?))
    }

    // # Variables

    pub(super) fn var(&mut self) -> Parse<Var> {
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

    /// `x`, or `x: TYPE`
    pub(super) fn binder(&mut self) -> Parse<Var> {
        let at = self.at;
        let var = self.var()?;
        if self.eat(':') {
            let ty = self.ty()?;
            if !self.lang.scope.bind(var.0, ty) {
                return Err(self.error_at(at, "This variable has another type elsewhere."));
            }
        }
        Ok(var)
    }

    // # Types

    pub(super) fn ty(&mut self) -> Parse<Type> {
        if self.eat_word("ptr") {
            return Ok(Type::Ptr(self.elem()?));
        }
        if self.eat_word("remote") {
            return Ok(Type::Remote(self.elem()?));
        }
        if self.eat_word("local") {
            return Ok(Type::Local(self.elem()?));
        }
        if self.eat_word("block") {
            return Ok(Type::Block);
        }
        if self.eat_word("region") {
            return Ok(Type::Region);
        }
        self.numbers()
    }

    /// A primitive type, or vectors of one.
    pub(super) fn numbers(&mut self) -> Parse<Type> {
        match self.peek_word().and_then(numbers) {
            Some(ty) => {
                self.bump();
                Ok(ty)
            }
            None => self.expected("a type"),
        }
    }

    /// `i64x8`
    pub(super) fn vector(&mut self) -> Parse<(Prim, u16)> {
        let at = self.at;
        match self.numbers()? {
            Type::Vector(prim, lanes) => Ok((prim, lanes)),
            Type::Scalar(_)
            | Type::Ptr(_)
            | Type::Remote(_)
            | Type::Local(_)
            | Type::Block
            | Type::Region => Err(self.error_at(at, "Expected a type of vectors, as `i64x8`.")),
        }
    }

    pub(super) fn elem(&mut self) -> Parse<Elem> {
        if self.eat_word("any") {
            return Ok(Elem::Any);
        }
        if self.eat_word("block") {
            return Ok(Elem::Block);
        }
        if self.eat_word("region") {
            return Ok(Elem::Region);
        }
        Ok(Elem::Prim(self.prim()?))
    }

    pub(super) fn dot_elem(&mut self) -> Parse<Elem> {
        self.expect('.')?;
        self.elem()
    }

    /// `..`
    pub(super) fn dots(&mut self) -> Parse<()> {
        self.expect('.')?;
        self.expect('.')
    }

    pub(super) fn is_dots(&self) -> bool {
        self.is('.') && *self.second() == Token::Punct('.')
    }
}
