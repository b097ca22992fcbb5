//! What an input is, and whether it is complete.

use super::command::{self, Command};
use norn_base::{Diagnostics, FileId, codes};
use norn_syntax::ast::NodeIds;
use norn_syntax::lexer::{TokenKind, lex};
use norn_syntax::{parse, parse_exp};

pub enum Input<'a> {
    Nothing,
    Command(Command<'a>),
    Expression,
    Declarations,
}

/// Spans are not looked at here.
const NO_FILE: FileId = FileId(0);

pub fn read(text: &str) -> Input<'_> {
    if text.trim_start().starts_with(':') {
        return Input::Command(command::read(text));
    }
    match first_token(text) {
        TokenKind::Eof => Input::Nothing,
        first if begins_declaration(first) => Input::Declarations,
        // The older spelling of `def`, unless an `in` follows.
        TokenKind::Let if has_errors_as_exp(text) && !parse_declarations(text).has_errors() => {
            Input::Declarations
        }
        _ => Input::Expression,
    }
}

/// Whether a text needs no more lines. An empty line completes everything.
pub fn is_complete(text: &str) -> bool {
    let last_line = text.rsplit('\n').next().unwrap_or_default();
    if text.trim_start().starts_with(':') || last_line.trim().is_empty() {
        return true;
    }
    let problems = match first_token(text) {
        TokenKind::Eof => return true,
        first if begins_declaration(first) => parse_declarations(text),
        _ => parse_exp(NO_FILE, text, &mut NodeIds::default()).1,
    };
    !lacks_end(text, &problems)
}

fn first_token(text: &str) -> TokenKind {
    lex(NO_FILE, text).tokens.first().map_or(TokenKind::Eof, |token| token.kind)
}

fn begins_declaration(first: TokenKind) -> bool {
    matches!(
        first,
        TokenKind::Def
            | TokenKind::Entry
            | TokenKind::Type
            | TokenKind::Module
            | TokenKind::Open
            | TokenKind::Import
            | TokenKind::Local
    )
}

fn has_errors_as_exp(text: &str) -> bool {
    parse_exp(NO_FILE, text, &mut NodeIds::default()).1.has_errors()
}

fn parse_declarations(text: &str) -> Diagnostics {
    parse(NO_FILE, text, &mut NodeIds::default()).diagnostics
}

/// Whether the first thing wrong with the text is that it ends.
fn lacks_end(text: &str, problems: &Diagnostics) -> bool {
    problems.iter().next().is_some_and(|first| {
        first.message.ends_with("but found the end of the file.")
            || first.code == codes::UNCLOSED_DELIMITER && has_open_bracket(text)
    })
}

/// Whether brackets are open at the end, and none of the others is in a wrong place.
fn has_open_bracket(text: &str) -> bool {
    let mut awaited = Vec::new();
    for token in lex(NO_FILE, text).tokens {
        if let Some(closer) = token.kind.closer() {
            awaited.push(closer);
        } else if token.kind.is_closer() && awaited.pop() != Some(token.kind) {
            return false;
        }
    }
    !awaited.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_go_on_is_not_complete() {
        for text in [
            "(1 + 2",
            "1 +",
            "let x = 1",
            "let x = 1 in",
            "if true then 1",
            "[1, (2",
            "def f x =",
            "module m = {",
            "module m = { def x = 1",
            "match 1",
            "\\x ->",
            "type t = {",
        ] {
            assert!(!is_complete(text), "{text}");
            assert!(is_complete(&format!("{text}\n")), "{text}");
        }
    }

    #[test]
    fn what_is_whole_or_beyond_help_is_complete() {
        for text in
            ["1 + 2", "def f x = x", "1 )", "[1, (2]", "\"abc", "1 + + )", ":load", "-- nothing", "x y z"]
        {
            assert!(is_complete(text), "{text}");
        }
    }

    #[test]
    fn an_input_is_an_expression_or_declarations() {
        assert!(matches!(read("let x = 1 in x"), Input::Expression));
        assert!(matches!(read("let x = 1"), Input::Declarations));
        assert!(matches!(read("def x = 1 def y = 2"), Input::Declarations));
        assert!(matches!(read("\n-- nothing\n"), Input::Nothing));
        assert!(matches!(read(" :q"), Input::Command(Command::Quit)));
        assert!(matches!(read(":foo"), Input::Command(Command::Unknown(":foo"))));
    }
}
