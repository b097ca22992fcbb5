//! Values one after the other, text and binary in any mix: what a program gets on its standard input.
//!
//! The first byte that is not space or comment determines the format: no text value begins with `b`.

use crate::binary::{self, read_binary};
use crate::error::{ErrorKind, ReadError};
use crate::expected::Expected;
use crate::text::{found_at, parse_value, skip_space, too_much};
use crate::value::Value;
use std::borrow::Cow;

/// Reads exactly one value.
pub fn read_value(bytes: &[u8], expected: Option<&Expected>) -> Result<Value, ReadError> {
    let mut reader = Reader::new(bytes);
    let value = reader.require_value(expected)?;
    reader.require_end()?;
    Ok(value)
}

/// Reads all values.
pub fn read_values(bytes: &[u8]) -> Result<Vec<Value>, ReadError> {
    Reader::new(bytes).collect()
}

/// A place in bytes that hold values.
///
/// As an iterator it yields values of any type and ends after the first error.
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    text_run: TextRun,
    failed: bool,
    /// How many bytes the elements of further values may take.
    room: usize,
}

/// Where the text since the last binary value begins. The bytes of binary values are no lines.
#[derive(Clone, Copy)]
struct TextRun {
    start: usize,
    line: usize,
    column: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader::with_limit(bytes, usize::MAX)
    }

    /// A reader whose values take at most so many bytes in all. Two bytes of text can become an element of eight.
    pub fn with_limit(bytes: &'a [u8], limit: usize) -> Reader<'a> {
        let text_run = TextRun { start: 0, line: 1, column: 1 };
        Reader { bytes, at: 0, text_run, failed: false, room: limit }
    }

    /// Further values take at most so many bytes in all.
    pub fn set_limit(&mut self, limit: usize) {
        self.room = limit;
    }

    /// How many bytes further values may take.
    pub fn limit(&self) -> usize {
        self.room
    }

    /// The number of bytes read so far.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Goes past space and comments and returns the bytes that are left.
    pub fn rest(&mut self) -> &'a [u8] {
        self.at = skip_space(self.bytes, self.at);
        &self.bytes[self.at..]
    }

    /// The next value, or `None` at the end. After an error the reader stays before the bad value.
    pub fn next_value(&mut self, expected: Option<&Expected>) -> Result<Option<Value>, ReadError> {
        match self.rest().first() {
            None => Ok(None),
            Some(&binary::MARK) => self.next_binary(expected).map(Some),
            Some(_) => {
                let (value, end) = parse_value(self.bytes, self.at, expected, self.room)
                    .map_err(|error| self.locate(error))?;
                self.at = end;
                self.room -= value.byte_size().min(self.room);
                Ok(Some(value))
            }
        }
    }

    /// The next value; the end is an error.
    pub fn require_value(&mut self, expected: Option<&Expected>) -> Result<Value, ReadError> {
        if let Some(value) = self.next_value(expected)? {
            return Ok(value);
        }
        let what = expected.map_or("a value".to_string(), |expected| format!("a value of type {expected}"));
        Err(self.locate(ReadError::truncated(self.at, what)))
    }

    /// Whether a value is next that makes sense only by a type ([`binary::STRUCTURED`]).
    pub fn sees_structured(&mut self) -> bool {
        self.rest().starts_with(&binary::STRUCTURED)
    }

    /// Whether a value in binary is next.
    pub fn sees_binary(&mut self) -> bool {
        self.rest().first() == Some(&binary::MARK)
    }

    /// Reads a value in binary, of any form. `read` gets the bytes from here on, and how many bytes the value may take in memory; it returns the
    /// value with the number of bytes that it goes past. Its errors count from there, too.
    pub fn take_binary<T>(
        &mut self,
        read: impl FnOnce(&'a [u8], usize) -> Result<(T, usize), ReadError>,
    ) -> Result<T, ReadError> {
        let rest = self.rest();
        let (value, length) = read(rest, self.room).map_err(|mut error| {
            error.place.offset += self.at;
            error
        })?;
        self.room = self.room.checked_sub(length).ok_or_else(|| too_much(self.at, self.room))?;
        let (line, column) = self.line_column(self.at);
        self.at += length;
        self.text_run = TextRun { start: self.at, line, column };
        Ok(value)
    }

    /// Goes past `what`, if it is next.
    pub fn accept(&mut self, what: &str) -> bool {
        let is_next = self.rest().starts_with(what.as_bytes());
        if is_next {
            self.at += what.len();
        }
        is_next
    }

    /// The word that is next: letters, digits, `_` and `'`. It may be empty.
    pub fn take_word(&mut self) -> Cow<'a, str> {
        let rest = self.rest();
        let is_part =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\'') || !byte.is_ascii();
        let length = rest.iter().take_while(|byte| is_part(byte)).count();
        self.at += length;
        String::from_utf8_lossy(&rest[..length])
    }

    /// The text up to the bracket that closes what is open here, and is not part of it.
    pub fn take_balanced(&mut self) -> Cow<'a, str> {
        let rest = self.rest();
        let length = end_of_balanced(rest, None).unwrap_or(rest.len());
        self.at += length;
        String::from_utf8_lossy(&rest[..length])
    }

    /// Goes back to a place that was read before.
    pub fn rewind(&mut self, offset: usize) {
        self.at = offset.min(self.at);
    }

    /// What is next is not what it should be.
    pub fn expected(&mut self, what: impl Into<String>) -> ReadError {
        self.rest();
        let at = self.at;
        let kind = if at < self.bytes.len() { ErrorKind::Syntax } else { ErrorKind::Truncated };
        self.locate(ReadError::new(at, kind, what, found_at(self.bytes, at)))
    }

    /// Something is wrong with what was read at `offset`.
    pub fn error_at(
        &self,
        offset: usize,
        kind: ErrorKind,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> ReadError {
        self.locate(ReadError::new(offset, kind, expected, found))
    }

    /// Anything but the end is an error.
    pub fn require_end(&mut self) -> Result<(), ReadError> {
        if self.rest().is_empty() {
            return Ok(());
        }
        let found = found_at(self.bytes, self.at);
        Err(self.locate(ReadError::new(self.at, ErrorKind::Syntax, "end of input", found)))
    }

    fn next_binary(&mut self, expected: Option<&Expected>) -> Result<Value, ReadError> {
        let (value, length) = read_binary(&self.bytes[self.at..]).map_err(|mut error| {
            error.place.offset += self.at;
            error
        })?;
        if let Some(expected) = expected {
            expected.check(&value, self.at)?;
        }
        self.room = self.room.checked_sub(value.byte_size()).ok_or_else(|| too_much(self.at, self.room))?;
        let (line, column) = self.line_column(self.at);
        self.at += length;
        self.text_run = TextRun { start: self.at, line, column };
        Ok(value)
    }

    /// Adds line and column to an error in text.
    fn locate(&self, mut error: ReadError) -> ReadError {
        error.place.line_column = Some(self.line_column(error.place.offset));
        error
    }

    fn line_column(&self, offset: usize) -> (usize, usize) {
        let TextRun { start, line, column } = self.text_run;
        let text = &self.bytes[start..offset.clamp(start, self.bytes.len())];
        let characters = |text: &[u8]| text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        match text.iter().rposition(|&byte| byte == b'\n') {
            None => (line, column + characters(text)),
            Some(last) => {
                let lines = text[..=last].iter().filter(|&&byte| byte == b'\n').count();
                (line + lines, 1 + characters(&text[last + 1..]))
            }
        }
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Value, ReadError>;

    fn next(&mut self) -> Option<Result<Value, ReadError>> {
        if self.failed {
            return None;
        }
        let next = self.next_value(None).transpose();
        self.failed = matches!(next, Some(Err(_)));
        next
    }
}

/// Where the bracket is that closes what is open before a text, or a byte that stands in no brackets of the text, if that comes first. Strings are passed over.
pub fn end_of_balanced(text: &[u8], or: Option<u8>) -> Option<usize> {
    let (mut open, mut in_string, mut escaped) = (0usize, false, false);
    text.iter().position(|byte| {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' if open == 0 => return true,
            b')' | b']' | b'}' => open -= 1,
            byte => return open == 0 && or == Some(*byte),
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::write_binary;
    use norn_base::Prim;

    #[test]
    fn values_follow_one_another() {
        let values = read_values(b"1 [2i8] -- comment\n\"x\"true").unwrap();
        assert_eq!(
            values,
            [Value::scalar(1), Value::vector(vec![2i8]), Value::vector(b"x".to_vec()), Value::scalar(true)]
        );
        assert_eq!(read_values(b" -- nothing"), Ok(vec![]));
    }

    #[test]
    fn text_and_binary_mix() {
        let mut bytes = b"1.5 \n".to_vec();
        // The bytes 10 are no line breaks.
        write_binary(&Value::vector(vec![10u8; 5]), &mut bytes);
        bytes.extend(b"2\n");
        write_binary(&Value::scalar(true), &mut bytes);
        let end = bytes.len();
        bytes.extend(b"[1,\n x]");
        let mut reader = Reader::new(&bytes);
        assert_eq!(reader.next(), Some(Ok(Value::scalar(1.5))));
        assert_eq!(reader.next(), Some(Ok(Value::vector(vec![10u8; 5]))));
        assert_eq!(reader.next(), Some(Ok(Value::scalar(2))));
        assert_eq!(reader.next(), Some(Ok(Value::scalar(true))));
        assert_eq!(reader.offset(), end);
        let error = reader.next().unwrap().unwrap_err();
        assert_eq!((error.place.offset, error.place.line_column), (end + 5, Some((4, 2))));
        assert_eq!(reader.next(), None);
    }

    #[test]
    fn each_value_may_have_an_expected_type() {
        let mut bytes = b"1 2 ".to_vec();
        write_binary(&Value::scalar(3i32), &mut bytes);
        let mut reader = Reader::new(&bytes);
        let float = Expected::new(Prim::F32, 0);
        assert_eq!(reader.next_value(Some(&float)), Ok(Some(Value::scalar(1f32))));
        assert_eq!(reader.require_value(Some(&Expected::new(Prim::U8, 0))), Ok(Value::scalar(2u8)));
        let error = reader.next_value(Some(&float)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "byte 4: wrong type: expected a value of type f32, found a value of type i32"
        );
        assert!(reader.next_value(None).is_ok());
        assert_eq!(reader.next_value(Some(&float)), Ok(None));
        assert_eq!(
            reader.require_value(Some(&float)).unwrap_err().to_string(),
            "line 1, column 5: truncated input: expected a value of type f32, found end of input"
        );
    }

    #[test]
    fn one_value_means_one() {
        assert_eq!(
            read_value(b"1 2", None).unwrap_err().to_string(),
            "line 1, column 3: syntax error: expected end of input, found `2`"
        );
        assert_eq!(read_value(b"", None).unwrap_err().kind, ErrorKind::Truncated);
    }

    #[test]
    fn columns_count_characters() {
        let error = read_value("\"æøå\" ?".as_bytes(), None).unwrap_err();
        assert_eq!((error.place.offset, error.place.line_column), (9, Some((1, 7))));
    }

    #[test]
    fn errors_in_binary_values_count_from_the_start() {
        let error = read_values(b"1\nb\x07").unwrap_err();
        assert_eq!((error.place.offset, error.place.line_column), (3, None));
    }
}
