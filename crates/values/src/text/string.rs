//! String literals of the text format: arrays of bytes.
//!
//! Bytes between the quotes are taken as they are, valid UTF-8 or not. An escape names a code point,
//! which becomes its UTF-8 bytes.

use super::scan::found_at;
use crate::error::{ErrorKind, ReadError};

/// The bytes of the literal whose opening quote is at `start`, and where the text goes on.
pub(super) fn parse_string(bytes: &[u8], start: usize) -> Result<(Vec<u8>, usize), ReadError> {
    let mut out = Vec::new();
    let mut at = start + 1;
    loop {
        let rest = &bytes[at..];
        let plain = rest.iter().position(|byte| matches!(byte, b'"' | b'\\'));
        let Some(plain) = plain else {
            return Err(ReadError::truncated(bytes.len(), "`\"`, which ends a string"));
        };
        out.extend_from_slice(&rest[..plain]);
        at += plain;
        if bytes[at] == b'"' {
            return Ok((out, at + 1));
        }
        let (escaped, end) = parse_escape(bytes, at)?;
        if let Some(escaped) = escaped {
            out.extend_from_slice(escaped.encode_utf8(&mut [0; 4]).as_bytes());
        }
        at = end;
    }
}

/// The character of the escape whose backslash is at `at`; `\&` has none.
fn parse_escape(bytes: &[u8], at: usize) -> Result<(Option<char>, usize), ReadError> {
    let start = at + 1;
    let simple = |escaped: char| Ok((Some(escaped), start + 1));
    match bytes.get(start) {
        Some(b'n') => simple('\n'),
        Some(b't') => simple('\t'),
        Some(b'r') => simple('\r'),
        Some(b'a') => simple('\x07'),
        Some(b'b') => simple('\x08'),
        Some(b'f') => simple('\x0c'),
        Some(b'v') => simple('\x0b'),
        Some(&quoted @ (b'\\' | b'"' | b'\'')) => simple(char::from(quoted)),
        Some(b'&') => Ok((None, start + 1)),
        Some(b'0'..=b'9') => parse_code_point(bytes, at, start, 10),
        Some(b'x') => parse_code_point(bytes, at, start + 1, 16),
        None => Err(ReadError::truncated(bytes.len(), "the rest of an escape")),
        Some(_) => {
            let found = found_at(bytes, start);
            Err(ReadError::new(at, ErrorKind::Syntax, "an escape such as `\\n` or `\\x41`", found))
        }
    }
}

/// The digits from `start` on, of the escape at `at`.
fn parse_code_point(
    bytes: &[u8],
    at: usize,
    start: usize,
    radix: u32,
) -> Result<(Option<char>, usize), ReadError> {
    let mut code = 0u32;
    let mut end = start;
    while let Some(digit) = bytes.get(end).and_then(|&byte| char::from(byte).to_digit(radix)) {
        code = code.saturating_mul(radix).saturating_add(digit);
        end += 1;
    }
    match char::from_u32(code) {
        Some(escaped) if end > start => Ok((Some(escaped), end)),
        _ => {
            let found = format!("`{}`", bytes[at..end.min(at + 16)].escape_ascii());
            Err(ReadError::new(at, ErrorKind::Syntax, "the code of a Unicode character", found))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &[u8]) -> Option<Vec<u8>> {
        let (string, end) = parse_string(text, 0).ok()?;
        assert_eq!(end, text.len());
        Some(string)
    }

    #[test]
    fn bytes_are_taken_as_they_are() {
        assert_eq!(parse(b"\"\""), Some(vec![]));
        assert_eq!(parse("\"-- æ\n\"".as_bytes()), Some("-- æ\n".into()));
        assert_eq!(parse(b"\"\xff\""), Some(vec![0xff]));
    }

    #[test]
    fn escapes_name_characters() {
        assert_eq!(parse(br#""\n\t\r\a\b\f\v\\\"\'""#), Some(b"\n\t\r\x07\x08\x0c\x0b\\\"'".to_vec()));
        assert_eq!(parse(br#""\65\&1\x41\0""#), Some(b"A1A\0".to_vec()));
        assert_eq!(parse(br#""\xe6""#), Some("æ".into()));
    }

    #[test]
    fn bad_strings_are_errors() {
        for text in ["\"", "\"a", "\"\\", "\"\\q\"", "\"\\x\"", "\"\\xd800\"", "\"\\99999999999999\""] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }
}
