//! The contents of character and string literals, escapes resolved.

use std::ops::Range;

/// An escape that means nothing: its bytes within the literal, and a sentence about it.
#[derive(Debug, PartialEq)]
pub struct EscapeError {
    pub place: Range<usize>,
    pub message: String,
}

/// The names that can follow a backslash. Where one begins with another, the longer is first.
const ASCII_NAMES: [(&str, u32); 34] = [
    ("NUL", 0),
    ("SOH", 1),
    ("STX", 2),
    ("ETX", 3),
    ("EOT", 4),
    ("ENQ", 5),
    ("ACK", 6),
    ("BEL", 7),
    ("BS", 8),
    ("HT", 9),
    ("LF", 10),
    ("VT", 11),
    ("FF", 12),
    ("CR", 13),
    ("SO", 14),
    ("SI", 15),
    ("DLE", 16),
    ("DC1", 17),
    ("DC2", 18),
    ("DC3", 19),
    ("DC4", 20),
    ("NAK", 21),
    ("SYN", 22),
    ("ETB", 23),
    ("CAN", 24),
    ("EM", 25),
    ("SUB", 26),
    ("ESC", 27),
    ("FS", 28),
    ("GS", 29),
    ("RS", 30),
    ("US", 31),
    ("SP", 32),
    ("DEL", 127),
];

/// The text of the literal `literal`, which has its quotes (an unterminated string lacks the
/// second). Errors are left out of the text.
pub fn unescape(literal: &str) -> (String, Vec<EscapeError>) {
    let quote = literal.chars().next().unwrap_or('"');
    let end = match literal.strip_suffix(quote) {
        Some(rest) if !rest.is_empty() => rest.len(),
        _ => literal.len(),
    };
    let mut reader = Reader { text: &literal[..end], at: quote.len_utf8() };
    let mut text = String::with_capacity(end);
    let mut errors = Vec::new();
    while let Some(c) = reader.next() {
        let start = reader.at - c.len_utf8();
        let read = match c {
            '\\' => reader.escape(),
            _ if c.is_control() => {
                Err(format!("A control character, U+{:04X}, must be written as an escape.", u32::from(c)))
            }
            _ => Ok(Some(c)),
        };
        match read {
            Ok(c) => text.extend(c),
            Err(message) => errors.push(EscapeError { place: start..reader.at, message }),
        }
    }
    (text, errors)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// What stands after a backslash. None: it stands for no character.
    fn escape(&mut self) -> Result<Option<char>, String> {
        let known = ASCII_NAMES.iter().filter(|(name, _)| self.rest().starts_with(name));
        if let Some((name, code)) = known.max_by_key(|(name, _)| name.len()) {
            self.at += name.len();
            return Ok(char::from_u32(*code));
        }
        let Some(c) = self.next() else {
            return Err("A backslash with nothing after it.".into());
        };
        let plain = match c {
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0C',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\x0B',
            '\\' | '"' | '\'' => c,
            '&' => return Ok(None),
            '^' => return self.control(),
            'x' | 'X' => return self.code(16),
            'o' | 'O' => return self.code(8),
            '0'..='9' => {
                self.at -= 1;
                return self.code(10);
            }
            ' ' | '\t' => return self.gap(),
            _ => return Err(format!("`\\{c}` is not an escape.")),
        };
        Ok(Some(plain))
    }

    fn code(&mut self, radix: u32) -> Result<Option<char>, String> {
        let digits = self.rest().chars().take_while(|c| c.is_digit(radix)).count();
        let number = self.rest()[..digits].to_string();
        self.at += digits;
        let code = u32::from_str_radix(&number, radix).ok().and_then(char::from_u32);
        match code {
            Some(c) => Ok(Some(c)),
            None if number.is_empty() => Err("This escape needs digits.".into()),
            None => Err("There is no character with this code.".into()),
        }
    }

    fn control(&mut self) -> Result<Option<char>, String> {
        match self.next() {
            Some(c @ '@'..='_') => Ok(char::from_u32(u32::from(c) - u32::from('@'))),
            _ => Err("After `\\^` stands a capital letter or one of `@[\\]^_`.".into()),
        }
    }

    /// Blanks between two backslashes.
    fn gap(&mut self) -> Result<Option<char>, String> {
        let blanks = self.rest().bytes().take_while(|b| matches!(b, b' ' | b'\t')).count();
        self.at += blanks;
        match self.next() {
            Some('\\') => Ok(None),
            _ => Err("A gap in a string ends with a backslash.".into()),
        }
    }
}
