//! Entry points and the types that go in and out of them.

use super::Parser;
use crate::skeleton::{Column, Entry, EntryParam, FunId, Iface, IfaceId, IfaceShape};
use crate::text::Parse;
use crate::text::lexer::Token;

impl Parser {
    /// `entry name = fun (x: *type) -> *type doc "text"`
    pub(super) fn entry(&mut self, attrs: Vec<String>) -> Parse<Entry> {
        self.expect_word("entry")?;
        let (name, _) = self.name()?;
        self.expect('=')?;
        let fun = FunId(self.id(|ids| &ids.funs, "a function")?);
        let params = self.list(|parser| {
            let (name, _) = parser.name()?;
            parser.expect(':')?;
            let unique = parser.eat('*');
            Ok(EntryParam { name, ty: parser.iface_id()?, unique })
        })?;
        if *self.peek() != Token::Arrow {
            return self.expected("`->`");
        }
        self.bump();
        let result_unique = self.eat('*');
        let result = self.iface_id()?;
        let doc = if self.eat_word("doc") { self.quoted()? } else { String::new() };
        Ok(Entry { name, fun, params, result, result_unique, doc, attrs })
    }

    /// `type name = SHAPE columns (..)`
    pub(super) fn iface(&mut self) -> Parse<Iface> {
        self.expect_word("type")?;
        let (name, _) = self.name()?;
        self.expect('=')?;
        let shape = self.shape()?;
        self.expect_word("columns")?;
        let columns = self.list(Parser::column)?;
        Ok(Iface { name, shape, columns })
    }

    fn iface_id(&mut self) -> Parse<IfaceId> {
        Ok(IfaceId(self.id(|ids| &ids.ifaces, "a type")?))
    }

    fn shape(&mut self) -> Parse<IfaceShape> {
        let word = self.peek_word().unwrap_or_default().to_string();
        let at = self.at;
        self.bump();
        match word.as_str() {
            "scalar" => Ok(IfaceShape::Scalar(self.prim()?)),
            "array" => {
                let rank = self.integer("a rank")?;
                Ok(IfaceShape::Array(self.prim()?, rank))
            }
            "opaque_array" => {
                let rank = self.integer("a rank")?;
                Ok(IfaceShape::OpaqueArray(self.iface_id()?, rank))
            }
            "record" => Ok(IfaceShape::Record(self.list(|parser| {
                let (name, _) = parser.name()?;
                parser.expect(':')?;
                Ok((name, parser.iface_id()?))
            })?)),
            "sum" => Ok(IfaceShape::Sum(self.constructors()?)),
            "recursive" => Ok(IfaceShape::Recursive(self.constructors()?)),
            "opaque" => Ok(IfaceShape::Opaque),
            _ => {
                let shapes =
                    "Expected `scalar`, `array`, `opaque_array`, `record`, `sum`, `recursive` or `opaque`.";
                Err(self.error_at(at, shapes))
            }
        }
    }

    /// `(name (type, ..), ..)`
    fn constructors(&mut self) -> Parse<Vec<(String, Vec<IfaceId>)>> {
        self.list(|parser| {
            let (name, _) = parser.name()?;
            Ok((name, parser.list(Parser::iface_id)?))
        })
    }

    /// `[][?]f32`
    fn column(&mut self) -> Parse<Column> {
        let mut irregular = Vec::new();
        while self.eat('[') {
            irregular.push(self.eat('?'));
            self.expect(']')?;
        }
        Ok(Column { elem: self.elem()?, irregular })
    }
}
