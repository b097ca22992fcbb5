//! Where tokens begin and end: of all tokens that could begin at a place, the longest is there.
//!
//! The rules are those that need no look at what stands before a token. The two that do need one
//! (a bracket right after a name indexes it, a dot before an operator qualifies it) are applied
//! afterwards, in `lexer`.

use super::number;
use super::token::TokenKind;

/// The rest of a text, token by token.
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// Where the next token is looked for.
    at: usize,
}

/// A token and its place. Text that begins none has no kind.
pub(super) struct Scanned {
    pub kind: Option<TokenKind>,
    pub lo: usize,
    pub hi: usize,
}

impl Scanner<'_> {
    pub fn new(text: &str, at: usize) -> Scanner<'_> {
        Scanner { text, at }
    }

    /// Goes on to the end of the line, or of the text.
    pub fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.find('\n').unwrap_or(rest.len());
    }
}

impl Iterator for Scanner<'_> {
    type Item = Scanned;

    fn next(&mut self) -> Option<Scanned> {
        let blank = |byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\x0B' | b'\x0C');
        let lo = self.at + prefix(&self.text.as_bytes()[self.at..], blank);
        let first = self.text[lo..].chars().next()?;
        let (kind, length) = match token(self.text, lo) {
            Some((kind, length)) => (Some(kind), length),
            None => (None, first.len_utf8()),
        };
        self.at = lo + length;
        Some(Scanned { kind, lo, hi: self.at })
    }
}

/// The token at this place, where there is some text, and its length.
fn token(text: &str, lo: usize) -> Option<(TokenKind, usize)> {
    use TokenKind::*;
    let rest = &text.as_bytes()[lo..];
    // Behind the end stands what is no part of any token.
    let byte = |i: usize| rest.get(i).copied().unwrap_or(b'\n');
    let found = match rest[0] {
        b'\n' => (Newline, 1),
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => match name(rest) {
            0 => (Underscore, 1),
            length => (keyword(&rest[..length]).unwrap_or(Name), length),
        },
        b'0'..=b'9' => (Number, number::scan(text, lo)),
        b'"' => (Str, 1 + string(&rest[1..])),
        b'\'' => match (character(&text[lo..]), byte(1)) {
            (Some(length), _) => (Char, length),
            (None, b'^') => (ApostropheHat, 2),
            (None, b'~') => (ApostropheTilde, 2),
            (None, _) => (Apostrophe, 1),
        },
        b'#' => match (byte(1), name(&rest[1..])) {
            (b'[', _) => (AttrBracket, 2),
            (_, 0) => return None,
            (_, length) => (Constructor, 1 + length),
        },
        b'?' if byte(1) == b'?' && byte(2) == b'?' => (Hole, 3),
        b'.' => match (byte(1), byte(2)) {
            (b'.', b'.') => (DotDotDot, 3),
            (b'.', b'<') => (DotDotLess, 3),
            (b'.', b'>') => (DotDotGreater, 3),
            (b'.', _) => (DotDot, 2),
            (_, _) => (Dot, 1),
        },
        b':' if byte(1) == b'>' => (ColonGreater, 2),
        b'(' => (LParen, 1),
        b')' => (RParen, 1),
        b'[' => (LBracket, 1),
        b']' => (RBracket, 1),
        b'{' => (LBrace, 1),
        b'}' => (RBrace, 1),
        b',' => (Comma, 1),
        b'?' => (Question, 1),
        b':' => (Colon, 1),
        b'\\' => (Backslash, 1),
        b'~' => (Tilde, 1),
        b'`' => (Backtick, 1),
        b'-' if byte(1) == b'-' => (Comment, prefix(rest, |byte| byte != b'\n')),
        first if is_operator(first) => {
            let length = prefix(rest, |byte| is_operator(byte) || byte == b'.');
            (operator(&rest[..length]), length)
        }
        _ => return None,
    };
    Some(found)
}

/// How many bytes at the beginning are such.
fn prefix(bytes: &[u8], is_such: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| !is_such(*byte)).unwrap_or(bytes.len())
}

/// The length of the name at the beginning, 0 if there is none.
fn name(bytes: &[u8]) -> usize {
    match bytes {
        [b'_', second, ..] if second.is_ascii_alphanumeric() => {}
        [first, ..] if first.is_ascii_alphabetic() => {}
        _ => return 0,
    }
    prefix(bytes, |byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'\'')
}

/// How far a string goes after its first quote: with the closing one, or to the end of the line where there is none.
fn string(bytes: &[u8]) -> usize {
    let mut i = 0;
    while i < bytes.len() && bytes[i] != b'\n' {
        match bytes[i] {
            b'"' => return i + 1,
            b'\\' if i + 1 < bytes.len() && bytes[i + 1] != b'\n' => i += 2,
            _ => i += 1,
        }
    }
    i
}

/// The length of the character between apostrophes at the beginning: one as it is, or one after a backslash with letters and digits.
fn character(text: &str) -> Option<usize> {
    let mut chars = text[1..].chars();
    let length = match chars.next()? {
        '\'' | '\n' => return None,
        '\\' => {
            let escaped = chars.next().filter(|escaped| *escaped != '\n')?;
            2 + escaped.len_utf8() + prefix(chars.as_str().as_bytes(), |byte| byte.is_ascii_alphanumeric())
        }
        plain => 1 + plain.len_utf8(),
    };
    text[length..].starts_with('\'').then_some(length + 1)
}

fn is_operator(byte: u8) -> bool {
    matches!(byte, b'+' | b'-' | b'*' | b'/' | b'%' | b'=' | b'!' | b'<' | b'>' | b'|' | b'&' | b'^')
}

fn operator(text: &[u8]) -> TokenKind {
    match text {
        b"->" => TokenKind::Arrow,
        b"=" => TokenKind::Equals,
        b"*" => TokenKind::Star,
        b"-" => TokenKind::Minus,
        b"<" => TokenKind::Less,
        b"^" => TokenKind::Hat,
        b"|" => TokenKind::Pipe,
        b"!" => TokenKind::Bang,
        _ => TokenKind::Operator,
    }
}

fn keyword(text: &[u8]) -> Option<TokenKind> {
    Some(match text {
        b"assert" => TokenKind::Assert,
        b"case" => TokenKind::Case,
        b"def" => TokenKind::Def,
        b"do" => TokenKind::Do,
        b"else" => TokenKind::Else,
        b"entry" => TokenKind::Entry,
        b"false" => TokenKind::False,
        b"for" => TokenKind::For,
        b"if" => TokenKind::If,
        b"import" => TokenKind::Import,
        b"in" => TokenKind::In,
        b"include" => TokenKind::Include,
        b"let" => TokenKind::Let,
        b"local" => TokenKind::Local,
        b"loop" => TokenKind::Loop,
        b"match" => TokenKind::Match,
        b"module" => TokenKind::Module,
        b"open" => TokenKind::Open,
        b"then" => TokenKind::Then,
        b"true" => TokenKind::True,
        b"type" => TokenKind::Type,
        b"val" => TokenKind::Val,
        b"while" => TokenKind::While,
        b"with" => TokenKind::With,
        _ => return None,
    })
}
