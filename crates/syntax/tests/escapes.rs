//! Escapes in strings and characters.

use norn_syntax::lexer::escape::*;

fn read(literal: &str) -> String {
    let (text, errors) = unescape(literal);
    assert_eq!(errors, []);
    text
}

#[test]
fn escapes_stand_for_characters() {
    assert_eq!(read(r#""a\n\t\\\"\'b""#), "a\n\t\\\"'b");
    assert_eq!(read(r#""\65\x42\o103""#), "ABC");
    assert_eq!(read(r#""\1234\&5""#), "\u{4d2}5");
    assert_eq!(read(r#""\SOH\SO\&H\NUL\DEL""#), "\x01\x0eH\0\x7f");
    assert_eq!(read(r#""\^A\^_""#), "\x01\x1f");
    assert_eq!(read(r#""a\   \b""#), "ab");
    assert_eq!(read(r"'\''"), "'");
    assert_eq!(read("'ø'"), "ø");
    assert_eq!(read("\"\""), "");
}

#[test]
fn errors_have_their_place() {
    let (text, errors) = unescape(r#""a\qb\9999999999c""#);
    assert_eq!(text, "abc");
    assert_eq!(errors.iter().map(|f| f.place.clone()).collect::<Vec<_>>(), [2..4, 5..16]);
    assert_eq!(unescape("\"a\tb\"").1.len(), 1);
    assert_eq!(unescape("\"a\\xd800\"").1.len(), 1);
}
