//! The lexical ground of the text format: white space, words, and what an error shows of the text.

use std::borrow::Cow;

/// The offset of the first byte from `at` on that is neither white space nor in a comment.
pub(crate) fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            // Vertical tab is white space to Futhark, though not to Rust.
            Some(byte) if byte.is_ascii_whitespace() || *byte == 0x0b => at += 1,
            Some(b'-') if bytes.get(at + 1) == Some(&b'-') => {
                let rest = &bytes[at..];
                at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            }
            _ => return at,
        }
    }
}

/// Whether a number or word that ends at `at` ends there for good: `12` in `12,` but not in `12a`.
pub(super) fn ends_word(bytes: &[u8], at: usize) -> bool {
    !bytes.get(at).is_some_and(|&byte| is_word(byte))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'\'') || !byte.is_ascii()
}

/// What stands at `at`, for an error message: a word or a character between backquotes.
pub(crate) fn found_at(bytes: &[u8], at: usize) -> String {
    const MOST: usize = 32;
    let rest = &bytes[at.min(bytes.len())..];
    let Some(&first) = rest.first() else { return "end of input".into() };
    let in_word = |byte: u8| is_word(byte) || matches!(byte, b'+' | b'-');
    let length = if in_word(first) { rest.iter().take_while(|&&byte| in_word(byte)).count() } else { 1 };
    let word = match std::str::from_utf8(&rest[..length]) {
        Ok(word) => Cow::Borrowed(word),
        Err(_) => Cow::Owned(rest[..length.min(MOST)].escape_ascii().to_string()),
    };
    if word.chars().any(char::is_control) {
        return format!("`{}`", word.escape_default());
    }
    match word.char_indices().nth(MOST) {
        Some((end, _)) => format!("`{}...`", &word[..end]),
        None => format!("`{word}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_and_comments_are_skipped() {
        assert_eq!(skip_space(b" \t\r\n\x0b 1", 0), 6);
        assert_eq!(skip_space(b"-- one\n  -- two\n3", 0), 16);
        assert_eq!(skip_space(b"-- to the end", 0), 13);
        assert_eq!(skip_space(b"-1", 0), 0);
        assert_eq!(skip_space(b"", 0), 0);
    }

    #[test]
    fn errors_show_a_word_or_a_character() {
        assert_eq!(found_at(b"[abc-1, 2", 1), "`abc-1`");
        assert_eq!(found_at(b"{}", 0), "`{`");
        assert_eq!(found_at(b"", 0), "end of input");
        assert_eq!(found_at(b"\0", 0), "`\\u{0}`");
        assert_eq!(found_at(b"a\xff", 0), "`a\\xff`");
        assert_eq!(found_at("æø 1".as_bytes(), 0), "`æø`");
        assert_eq!(found_at(&[b'9'; 99], 0), format!("`{}...`", "9".repeat(32)));
    }
}
