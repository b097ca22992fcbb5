//! Programs from their text: the inverse of `print`.
//!
//! The text is what the printer writes, with any white space, and comments from `//` to the end of a
//! line. A recursive descent over tokens. Functions, data and types may be mentioned before they are
//! defined, so a first sweep over the tokens collects their names. Variables are numbered by
//! their first mention in a function; each must be bound somewhere in it, but whether it is visible where it
//! is used is for the verifier to say.
//!
//! The first mistake ends the parsing. No input makes it panic or overflow the stack.

mod exp;
mod iface;
mod item;
mod lexer;
mod names;
mod part;

use super::Prog;
use lexer::{Placed, Token};
use names::{FunScope, Ids};
use std::fmt;

pub fn parse(text: &str) -> Result<Prog, ParseError> {
    let tokens = lexer::lex(text)?;
    let ids = Ids::collect(&tokens)?;
    let mut parser = Parser { tokens, at: 0, depth: 0, ids, scope: FunScope::default() };
    parser.prog()
}

/// What is wrong with a text, and where: line and column from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

type Parse<T> = Result<T, ParseError>;

/// How deeply bodies, lambdas and types nest at most. Each level takes a few stack frames.
const MAX_NESTING: u32 = 500;

struct Parser {
    tokens: Vec<Placed>,
    at: usize,
    depth: u32,
    ids: Ids,
    /// The variables of the function that is being read.
    scope: FunScope,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].token
    }

    /// The token after the next one.
    fn second(&self) -> &Token {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].token
    }

    fn bump(&mut self) -> Token {
        let token = self.peek().clone();
        if token != Token::End {
            self.at += 1;
        }
        token
    }

    fn fail<T>(&self, message: impl Into<String>) -> Parse<T> {
        Err(self.error_at(self.at, message))
    }

    fn error_at(&self, at: usize, message: impl Into<String>) -> ParseError {
        let place = &self.tokens[at];
        ParseError { line: place.line, column: place.column, message: message.into() }
    }

    fn expected<T>(&self, what: &str) -> Parse<T> {
        self.fail(format!("Expected {what}, found {}.", describe(self.peek())))
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Parser) -> Parse<T>) -> Parse<T> {
        if self.depth == MAX_NESTING {
            return self.fail(format!("This is nested more than {MAX_NESTING} levels deep."));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    // # Punctuation and words

    fn is(&self, c: char) -> bool {
        *self.peek() == Token::Punct(c)
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.is(c);
        if found {
            self.at += 1;
        }
        found
    }

    fn expect(&mut self, c: char) -> Parse<()> {
        if self.eat(c) { Ok(()) } else { self.expected(&format!("`{c}`")) }
    }

    /// The plain word that comes next, if one does.
    fn peek_word(&self) -> Option<&str> {
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

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == Some(word);
        if found {
            self.at += 1;
        }
        found
    }

    fn expect_word(&mut self, word: &str) -> Parse<()> {
        if self.eat_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    /// `(`, parts with commas between them, `)`
    fn list<T>(&mut self, part: impl FnMut(&mut Parser) -> Parse<T>) -> Parse<Vec<T>> {
        self.expect('(')?;
        self.until(')', part)
    }

    /// Parts with commas between them, up to and including a closing character.
    fn until<T>(&mut self, close: char, mut part: impl FnMut(&mut Parser) -> Parse<T>) -> Parse<Vec<T>> {
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
