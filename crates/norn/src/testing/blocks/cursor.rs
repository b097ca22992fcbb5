//! A place in a text, and the small steps that the parsers of blocks and scripts take.

use super::BlockError;
use norn_values::{ReadError, Reader, Value};
use std::ops::Range;

#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    /// All that may be read. What stood behind it is gone, what stands before `at` is behind us.
    pub text: &'a str,
    pub at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str, at: usize) -> Cursor<'a> {
        Cursor { text, at }
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// Goes past white space.
    pub fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Goes past white space on this line.
    pub fn skip_blanks(&mut self) {
        let is_blank = |c: char| c.is_whitespace() && c != '\n';
        self.at = self.text.len() - self.rest().trim_start_matches(is_blank).len();
    }

    pub fn sees(&self, what: &str) -> bool {
        self.rest().starts_with(what)
    }

    /// Whether this word is next, and no longer one.
    pub fn sees_word(&self, word: &str) -> bool {
        let rest = self.rest().strip_prefix(word);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| is_word(c) || c == '\''))
    }

    /// Goes past `what` and the white space behind it, if it is next.
    pub fn accept(&mut self, what: &str) -> bool {
        let is_next = self.sees(what);
        if is_next {
            self.at += what.len();
            self.skip_space();
        }
        is_next
    }

    /// As `accept`, for a word.
    pub fn accept_word(&mut self, word: &str) -> bool {
        self.sees_word(word) && self.accept(word)
    }

    pub fn expect(&mut self, what: &str) -> Result<(), BlockError> {
        if self.accept(what) { Ok(()) } else { Err(self.expected(&format!("`{what}`"))) }
    }

    /// As many characters as `is_part` says, which may be none. White space behind them stays.
    pub fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> (&'a str, Range<usize>) {
        let start = self.at;
        let rest = self.rest();
        self.at += rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        (&self.text[start..self.at], start..self.at)
    }

    /// The rest of the line without the white space around it.
    pub fn take_line(&mut self) -> (&'a str, Range<usize>) {
        self.skip_blanks();
        let (line, at) = self.take_while(|c| c != '\n');
        let line = line.trim_end();
        (line, at.start..at.start + line.len())
    }

    /// The value that is next, and the white space behind it.
    pub fn take_value(&mut self) -> Result<Value, BlockError> {
        // Values in the binary format begin with this letter, and have no place in a block.
        if self.sees("b") {
            return Err(self.expected("a value"));
        }
        self.read_value().map_err(|error| self.no_value(error))
    }

    /// As `take_value`; the places of errors are counted from here.
    pub fn read_value(&mut self) -> Result<Value, ReadError> {
        let mut reader = Reader::new(self.rest().as_bytes());
        if self.sees("b") {
            return Err(reader.expected("a value"));
        }
        let value = reader.require_value(None)?;
        self.at += reader.offset();
        self.skip_space();
        Ok(value)
    }

    /// What is next is no value.
    pub fn no_value(&self, error: ReadError) -> BlockError {
        let at = self.at + error.place.offset;
        let end = at + self.text.get(at..).map_or(0, word_length);
        let message = format!("There is no value here: expected {}, found {}.", error.expected, error.found);
        BlockError::new(at..end, message)
    }

    /// `{ .. }` with whatever is between these braces, in which other brackets are closed; and the white space behind it.
    pub fn take_braces(&mut self) -> Result<&'a str, BlockError> {
        let open = self.at..self.at + 1;
        self.expect("{")?;
        let mut reader = Reader::new(self.rest().as_bytes());
        reader.take_balanced();
        let inside = &self.rest()[..reader.offset()];
        self.at += reader.offset();
        if !self.accept("}") {
            return Err(BlockError::new(open, "This brace is not closed."));
        }
        Ok(inside)
    }

    /// What is next is not what it should be.
    pub fn expected(&self, what: &str) -> BlockError {
        let rest = self.rest();
        let length = word_length(rest);
        let found = match rest.chars().next() {
            None => "the end".into(),
            Some('\n' | '\r') => "the end of the line".into(),
            Some(_) => format!("`{}`", &rest[..length]),
        };
        BlockError::new(self.at..self.at + length, format!("Expected {what}, found {found}."))
    }
}

/// The length of the word, or the other character, that a text begins with.
fn word_length(text: &str) -> usize {
    let end_of = |is_part: fn(char) -> bool| text.find(|c| !is_part(c)).unwrap_or(text.len());
    match text.chars().next() {
        None => 0,
        Some(first) if is_word(first) => end_of(is_word),
        Some(first) => first.len_utf8(),
    }
}

pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_not_parts_of_words() {
        let mut cursor = Cursor::new("input inputs", 0);
        assert!(cursor.accept_word("input"));
        assert!(!cursor.accept_word("input"));
        assert!(cursor.accept("input"));
        assert_eq!(cursor.rest(), "s");
    }

    #[test]
    fn lines_are_trimmed() {
        let mut cursor = Cursor::new("  a b \r\n c", 0);
        assert_eq!(cursor.take_line(), ("a b", 2..5));
        assert_eq!(cursor.rest(), "\n c");
    }

    #[test]
    fn values_know_their_place() {
        let mut cursor = Cursor::new("é [1, 2] b", 3);
        assert_eq!(cursor.take_value(), Ok(Value::vector(vec![1, 2])));
        assert_eq!(cursor.take_value().unwrap_err().message, "Expected a value, found `b`.");
        let error = Cursor::new("[1, xyz]", 0).take_value().unwrap_err();
        assert_eq!(error.at, 4..7);
    }
}
