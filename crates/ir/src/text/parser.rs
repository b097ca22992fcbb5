//! The parser of tokens that the parsers of nest, flat and imp share: lookahead of two tokens, expected tokens, lists, names, constants, attributes, places.
//!
//! It is a recursive-descent parser without recovery: the first error ends it (`Parse<T>` is a `Result`), with a position and what was expected. Nesting is bounded (`nested`), so that
//! hostile text cannot overflow the stack.
//!
//! The type parameter is what a language needs to know besides, such as its names.

use super::lexer::{Placed, Token};
use super::scope::Name;
use super::{NOWHERE, Parse, ParseError};
use crate::scalar::{Prim, Scalar};
use norn_base::Span;

/// How deeply bodies, lambdas, expressions and types nest at most. Each level takes a few stack frames.
const MAX_NESTING: u32 = 500;

/// A parser of one language, with what that language needs to know.
pub struct Parser<L> {
    pub tokens: Vec<Placed>,
    pub at: usize,
    depth: u32,
    pub lang: L,
}

impl<L> Parser<L> {
    /// The last token is the end.
    pub fn new(tokens: Vec<Placed>, lang: L) -> Parser<L> {
        Parser { tokens, at: 0, depth: 0, lang }
    }

    pub fn peek(&self) -> &Token {
        &self.tokens[self.at].token
    }

    /// The token after the next one.
    pub fn second(&self) -> &Token {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].token
    }

    pub fn bump(&mut self) -> Token {
        let token = self.peek().clone();
        if token != Token::End {
            self.at += 1;
        }
        token
    }

    pub fn fail<T>(&self, message: impl Into<String>) -> Parse<T> {
        Err(self.error_at(self.at, message))
    }

    pub fn error_at(&self, at: usize, message: impl Into<String>) -> ParseError {
        let place = &self.tokens[at];
        ParseError { line: place.line, column: place.column, message: message.into() }
    }

    pub fn expected<T>(&self, what: &str) -> Parse<T> {
        self.fail(format!("Expected {what}, found {}.", describe(self.peek())))
    }

    pub fn nested<T>(&mut self, parse: impl FnOnce(&mut Parser<L>) -> Parse<T>) -> Parse<T> {
        if self.depth == MAX_NESTING {
            return self.fail(format!("This is nested more than {MAX_NESTING} levels deep."));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    // # Punctuation and words

    pub fn is(&self, c: char) -> bool {
        *self.peek() == Token::Punct(c)
    }

    pub fn eat(&mut self, c: char) -> bool {
        let found = self.is(c);
        if found {
            self.at += 1;
        }
        found
    }

    pub fn expect(&mut self, c: char) -> Parse<()> {
        if self.eat(c) { Ok(()) } else { self.expected(&format!("`{c}`")) }
    }

    /// The plain word that comes next, if one does.
    pub fn peek_word(&self) -> Option<&str> {
        match self.peek() {
            Token::Name { text, quoted: false, number: None } => Some(text),
            Token::Name { .. }
            | Token::Number(_)
            | Token::Place(_)
            | Token::Punct(_)
            | Token::Arrow
            | Token::End => None,
        }
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == Some(word);
        if found {
            self.at += 1;
        }
        found
    }

    pub fn expect_word(&mut self, word: &str) -> Parse<()> {
        if self.eat_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    /// `(`, parts with commas between them, `)`
    pub fn list<T>(&mut self, part: impl FnMut(&mut Parser<L>) -> Parse<T>) -> Parse<Vec<T>> {
        self.expect('(')?;
        self.until(')', part)
    }

    /// Parts with commas between them, up to and including a closing character.
    pub fn until<T>(
        &mut self,
        close: char,
        mut part: impl FnMut(&mut Parser<L>) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        let mut parts = Vec::new();
        if self.eat(close) {
            return Ok(parts);
        }
        loop {
            parts.push(part(self)?);
            if self.eat(close) {
                return Ok(parts);
            }
            if !self.eat(',') {
                return self.expected(&format!("`,` or `{close}`"));
            }
        }
    }

    // # Names, numbers, places

    pub fn name(&mut self) -> Parse<Name> {
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

    pub fn quoted(&mut self) -> Parse<String> {
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

    pub fn prim(&mut self) -> Parse<Prim> {
        match self.peek_word().and_then(Prim::from_name) {
            Some(prim) => {
                self.bump();
                Ok(prim)
            }
            None => self.expected("a primitive type"),
        }
    }

    /// The `.f32` of an operator.
    pub fn dot_prim(&mut self) -> Parse<Prim> {
        self.expect('.')?;
        self.prim()
    }

    /// A number without suffix.
    pub fn integer<T: std::str::FromStr>(&mut self, what: &str) -> Parse<T> {
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

    /// `@FILE:LO-HI`, or nothing.
    pub fn place(&mut self) -> Span {
        match *self.peek() {
            Token::Place(span) => {
                self.bump();
                span
            }
            Token::Name { .. } | Token::Number(_) | Token::Punct(_) | Token::Arrow | Token::End => NOWHERE,
        }
    }

    /// `#[a] #[b]`
    pub fn attrs(&mut self) -> Parse<Vec<String>> {
        let mut attrs = Vec::new();
        while self.eat('#') {
            self.expect('[')?;
            let (text, _) = self.name()?;
            self.expect(']')?;
            attrs.push(text);
        }
        Ok(attrs)
    }

    // # Constants

    /// A constant, or nothing if what comes next is none.
    pub fn scalar(&mut self) -> Parse<Option<Scalar>> {
        if let Token::Number(text) = self.peek() {
            return match parse_number(text) {
                Some(scalar) => {
                    self.bump();
                    Ok(Some(scalar))
                }
                None => self.expected("a number that its type, which is its suffix, can hold"),
            };
        }
        let negative = self.is('-');
        match self.peek_word() {
            Some("true") => {
                self.bump();
                Ok(Some(Scalar::Bool(true)))
            }
            Some("false") => {
                self.bump();
                Ok(Some(Scalar::Bool(false)))
            }
            Some(word) if Prim::from_name(word).is_some() => self.special(false).map(Some),
            Some(_) | None if negative => {
                self.bump();
                self.special(true).map(Some)
            }
            Some(_) | None => Ok(None),
        }
    }

    /// `f32.inf`, `f32.nan` or `f32.bits(0x..)`
    fn special(&mut self, negative: bool) -> Parse<Scalar> {
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
            return Ok(scalar);
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
                Ok(scalar)
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

fn describe(token: &Token) -> String {
    match token {
        Token::Name { text, quoted: false, number: None } => format!("`{text}`"),
        Token::Name { text, quoted: false, number: Some(number) } => format!("`{text}.{number}`"),
        Token::Name { quoted: true, .. } => "a name in quotes".to_string(),
        Token::Number(text) => format!("`{text}`"),
        Token::Place(_) => "a place".to_string(),
        Token::Punct(c) => format!("`{c}`"),
        Token::Arrow => "`->`".to_string(),
        Token::End => "the end of the text".to_string(),
    }
}
