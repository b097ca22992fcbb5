//! Tokens, with their places.

use super::ParseError;
use super::names::{continues_word, starts_word};
use norn_base::{FileId, Span};

#[derive(Clone, PartialEq, Debug)]
pub enum Token {
    /// `x`, `x.2`, `"any text"`, `"any text".2`
    Name {
        text: String,
        quoted: bool,
        number: Option<u32>,
    },
    /// Digits with all that belongs to them: `12`, `-1i8`, `0x7f`, `1e-3f32`.
    Number(String),
    /// `@FILE:LO-HI`
    Place(Span),
    Punct(char),
    Arrow,
    End,
}

/// A token and where it starts: line and column from 1.
pub struct Placed {
    pub token: Token,
    pub line: u32,
    pub column: u32,
}

pub fn lex(text: &str) -> Result<Vec<Placed>, ParseError> {
    let mut lexer = Lexer { rest: text, line: 1, column: 1 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_space();
        let (line, column) = (lexer.line, lexer.column);
        let token = lexer.token().map_err(|message| ParseError { line, column, message })?;
        let end = token == Token::End;
        tokens.push(Placed { token, line, column });
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    rest: &'a str,
    line: u32,
    column: u32,
}

impl<'a> Lexer<'a> {
    fn token(&mut self) -> Result<Token, String> {
        let Some(c) = self.peek() else {
            return Ok(Token::End);
        };
        if starts_word(c) {
            let text = self.take_while(continues_word).to_string();
            let number = self.name_number()?;
            return Ok(Token::Name { text, quoted: false, number });
        }
        if c.is_ascii_digit() || (c == '-' && self.second().is_some_and(|c| c.is_ascii_digit())) {
            return Ok(self.number());
        }
        match c {
            '"' => {
                let text = self.quoted()?;
                let number = self.name_number()?;
                Ok(Token::Name { text, quoted: true, number })
            }
            '@' if self.second().is_none_or(|c| c.is_ascii_digit()) => self.place(),
            '-' if self.second() == Some('>') => {
                self.bump();
                self.bump();
                Ok(Token::Arrow)
            }
            '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | ',' | ':' | '=' | '*' | '.' | '\\' | '&'
            | '?' | '#' | '%' | '|' | '-' | '+' | '!' | '@' => {
                self.bump();
                Ok(Token::Punct(c))
            }
            _ => Err(format!("{c:?} means nothing here.")),
        }
    }

    /// The `.2` of a name. It follows without space.
    fn name_number(&mut self) -> Result<Option<u32>, String> {
        if self.peek() != Some('.') || !self.second().is_some_and(|c| c.is_ascii_digit()) {
            return Ok(None);
        }
        self.bump();
        self.digits().map(Some)
    }

    fn digits(&mut self) -> Result<u32, String> {
        let digits = self.take_while(|c| c.is_ascii_digit());
        digits.parse().map_err(|_| format!("`{digits}` should be a number below 2^32."))
    }

    fn number(&mut self) -> Token {
        let start = self.rest;
        self.bump();
        loop {
            let last = start[..start.len() - self.rest.len()].chars().next_back();
            match self.peek() {
                Some(c) if c.is_ascii_alphanumeric() => self.bump(),
                // A fraction, but not the constructor in `list.2.cons`.
                Some('.') if self.second().is_some_and(|c| c.is_ascii_digit()) => self.bump(),
                Some('-' | '+') if last == Some('e') => self.bump(),
                Some(_) | None => break,
            }
        }
        Token::Number(start[..start.len() - self.rest.len()].to_string())
    }

    fn place(&mut self) -> Result<Token, String> {
        self.bump();
        let file = self.digits()?;
        self.expect(':')?;
        let lo = self.digits()?;
        self.expect('-')?;
        let hi = self.digits()?;
        Ok(Token::Place(Span { file: FileId(file), lo, hi }))
    }

    fn expect(&mut self, c: char) -> Result<(), String> {
        if self.peek() != Some(c) {
            return Err("A place is written `@FILE:LO-HI`, all three numbers.".to_string());
        }
        self.bump();
        Ok(())
    }

    fn quoted(&mut self) -> Result<String, String> {
        self.bump();
        let mut text = String::new();
        loop {
            match self.peek() {
                None | Some('\n') => return Err("The quotes are not closed on this line.".to_string()),
                Some('"') => {
                    self.bump();
                    return Ok(text);
                }
                Some('\\') => {
                    self.bump();
                    text.push(self.escape()?);
                }
                Some(c) => {
                    self.bump();
                    text.push(c);
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        let wrong = || "After `\\` in quotes stands `\"`, `\\`, `n` or `u{HEX}`.".to_string();
        let c = self.peek().ok_or_else(wrong)?;
        self.bump();
        match c {
            '"' | '\\' => Ok(c),
            'n' => Ok('\n'),
            'u' => {
                if self.peek() != Some('{') {
                    return Err(wrong());
                }
                self.bump();
                let hex = self.take_while(|c| c.is_ascii_hexdigit());
                let c = u32::from_str_radix(hex, 16).ok().and_then(char::from_u32).ok_or_else(wrong)?;
                if self.peek() != Some('}') {
                    return Err(wrong());
                }
                self.bump();
                Ok(c)
            }
            _ => Err(wrong()),
        }
    }

    /// White space, and comments from `//` to the end of the line.
    fn skip_space(&mut self) {
        loop {
            self.take_while(|c| c.is_whitespace());
            if !self.rest.starts_with("//") {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    fn take_while(&mut self, holds: impl Fn(char) -> bool) -> &'a str {
        let start = self.rest;
        while self.peek().is_some_and(&holds) {
            self.bump();
        }
        &start[..start.len() - self.rest.len()]
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn second(&self) -> Option<char> {
        self.rest.chars().nth(1)
    }

    fn bump(&mut self) {
        let mut chars = self.rest.chars();
        match chars.next() {
            Some('\n') => {
                self.line += 1;
                self.column = 1;
            }
            Some(_) => self.column += 1,
            None => {}
        }
        self.rest = chars.as_str();
    }
}
