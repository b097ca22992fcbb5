//! Text to tokens.
//!
//! Whitespace and ordinary comments end here. Documentation comments do not become tokens either:
//! they are kept beside them, so that one in a wrong place does not disturb the parser.

pub mod escape;
pub mod number;
mod scan;
mod token;

pub use token::TokenKind;

use crate::ast::Doc;
use crate::comments::{Comment, Comments};
use norn_base::{Diagnostic, FileId, Span, codes};
use scan::{Scanned, Scanner};

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    /// Nothing but blanks stands before it on its line.
    pub first_on_line: bool,
    pub lo: u32,
    pub hi: u32,
}

/// A documentation comment, and the index of the token that follows it.
#[derive(Debug)]
pub struct DocComment {
    pub doc: Doc,
    pub before: usize,
}

#[derive(Debug)]
pub struct Lexed {
    /// At the end stands `Eof`.
    pub tokens: Vec<Token>,
    pub docs: Vec<DocComment>,
    pub comments: Comments,
    pub problems: Vec<Diagnostic>,
}

pub fn lex(file: FileId, text: &str) -> Lexed {
    let mut lexer = Lexer {
        file,
        text,
        line_is_empty: true,
        continues_doc: false,
        semicolon_reported: false,
        out: Lexed {
            tokens: Vec::with_capacity(text.len() / 4),
            docs: Vec::new(),
            comments: Comments::default(),
            problems: Vec::new(),
        },
    };
    lexer.run();
    lexer.out
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    /// No token has been seen on the current line.
    line_is_empty: bool,
    /// The last line seen was one of a documentation comment, and the current one is still empty.
    continues_doc: bool,
    /// One `;` has been reported. Who writes one writes many.
    semicolon_reported: bool,
    out: Lexed,
}

const BYTE_ORDER_MARK: char = '\u{feff}';

impl Lexer<'_> {
    fn run(&mut self) {
        let begin = if self.text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        let mut scanner = Scanner::new(self.text, begin);
        while let Some(Scanned { kind, lo, hi }) = scanner.next() {
            match kind {
                Some(TokenKind::Newline) => {
                    // Two line breaks in a row: an empty line ends the documentation.
                    self.continues_doc &= !self.line_is_empty;
                    self.line_is_empty = true;
                }
                Some(TokenKind::Comment) => self.comment(lo, hi),
                Some(kind) => {
                    self.check(kind, lo, hi);
                    self.token(kind, lo, hi);
                }
                None if self.text[lo..].starts_with('#') => {
                    scanner.skip_line();
                    self.hash_comment(lo, hi);
                }
                None if self.text[lo..].starts_with(';') => self.semicolon(lo, hi),
                None => self.invalid(lo, hi),
            }
        }
        self.token(TokenKind::Eof, self.text.len(), self.text.len());
    }

    fn token(&mut self, kind: TokenKind, lo: usize, hi: usize) {
        let mut token = Token { kind, first_on_line: self.line_is_empty, lo: lo as u32, hi: hi as u32 };
        if kind == TokenKind::LBracket && self.text[..lo].ends_with(indexes_what_follows) {
            token.kind = TokenKind::IndexBracket;
        } else if kind.is_operator_text() {
            self.take_in_qualifiers(&mut token);
        }
        self.out.tokens.push(token);
        self.line_is_empty = false;
        self.continues_doc = false;
    }

    /// `m.n.+`, with nothing between, is one operator.
    fn take_in_qualifiers(&mut self, operator: &mut Token) {
        while let [.., name, dot] = self.out.tokens[..]
            && name.kind == TokenKind::Name
            && dot.kind == TokenKind::Dot
            && name.hi == dot.lo
            && dot.hi == operator.lo
        {
            operator.kind = TokenKind::QualOperator;
            operator.lo = name.lo;
            operator.first_on_line = name.first_on_line;
            self.out.tokens.truncate(self.out.tokens.len() - 2);
        }
    }

    fn comment(&mut self, lo: usize, hi: usize) {
        let text = self.text[lo..hi].trim_end_matches('\r');
        let span = Span::new(self.file, lo, lo + text.len());
        if self.continues_doc
            && let (Some(comment), Some(documentation)) =
                (self.out.comments.list.last_mut(), self.out.docs.last_mut())
        {
            comment.text.push_str(&self.text[comment.span.hi as usize..span.hi as usize]);
            comment.span = comment.span.to(span);
            documentation.doc.span = comment.span;
            documentation.doc.text.push('\n');
            documentation.doc.text.push_str(doc_line(text, "-- "));
        } else {
            let is_doc = text.starts_with("-- |");
            if is_doc {
                let doc = Doc { text: doc_line(text, "-- | ").into(), span };
                self.out.docs.push(DocComment { doc, before: self.out.tokens.len() });
                self.continues_doc = true;
            }
            let own_line = self.line_is_empty;
            self.out.comments.list.push(Comment { span, text: text.into(), own_line, doc: is_doc });
        }
        self.line_is_empty = false;
    }

    fn check(&mut self, kind: TokenKind, lo: usize, hi: usize) {
        let text = &self.text[lo..hi];
        if kind == TokenKind::Str && !is_terminated(text) {
            let span = Span::new(self.file, lo, hi);
            self.out.problems.push(
                Diagnostic::error(codes::UNTERMINATED_LITERAL, span, "This string has no end.")
                    .label("a `\"` must follow on the same line"),
            );
        }
    }

    /// `# text`: a comment in other languages, and read as one.
    fn hash_comment(&mut self, lo: usize, hi: usize) {
        let span = Span::new(self.file, lo, hi);
        let message = "The character `#` cannot stand here.";
        self.out.problems.push(
            Diagnostic::error(codes::INVALID_CHARACTER, span, message)
                .help("a comment begins with `--`")
                .fix(span, "--"),
        );
    }

    /// Nothing needs a `;`, so the parser never sees one: between elements it gets the comma that is missing.
    fn semicolon(&mut self, lo: usize, hi: usize) {
        let before = self.text[..lo].rfind(['[', ']', '\n']);
        let between_elements = before.is_some_and(|at| self.text[at..].starts_with('['));
        if between_elements {
            self.token(TokenKind::Comma, lo, hi);
        }
        if std::mem::replace(&mut self.semicolon_reported, true) {
            return;
        }
        let span = Span::new(self.file, lo, hi);
        let d = Diagnostic::error(codes::INVALID_CHARACTER, span, "The character `;` cannot stand here.");
        self.out.problems.push(if between_elements {
            d.help("commas separate elements").fix(span, ",")
        } else {
            d.help("definitions and bindings need nothing between them: leave it out").fix(span, "")
        });
    }

    /// Characters that begin no token. A row of them is reported once.
    fn invalid(&mut self, lo: usize, hi: usize) {
        if let Some(last) = self.out.tokens.last_mut()
            && last.kind == TokenKind::Invalid
            && last.hi as usize == lo
        {
            last.hi = hi as u32;
            return;
        }
        let span = Span::new(self.file, lo, hi);
        let character = self.text[lo..hi].chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
        let message = match character {
            c if c.is_control() || c.is_whitespace() => {
                format!("The character U+{:04X} cannot stand here.", u32::from(c))
            }
            c => format!("The character `{c}` cannot stand here."),
        };
        let mut problem = Diagnostic::error(codes::INVALID_CHARACTER, span, message);
        if let Some(help) = help_for_character(character) {
            problem = problem.help(help);
        }
        self.out.problems.push(problem);
        self.token(TokenKind::Invalid, lo, hi);
    }
}

/// A bracket directly after this character indexes what stands before it.
fn indexes_what_follows(before: char) -> bool {
    before.is_ascii_alphanumeric() || "_')]".contains(before)
}

/// The text of a documentation line without its mark, of which the last blank may be missing.
fn doc_line<'a>(line: &'a str, mark: &str) -> &'a str {
    line.strip_prefix(mark).unwrap_or_else(|| line.get(mark.len() - 1..).unwrap_or(""))
}

/// Whether a string literal has its closing quote. Every backslash takes the character after it
/// along.
fn is_terminated(literal: &str) -> bool {
    let mut characters = literal.chars().skip(1);
    while let Some(c) = characters.next() {
        match c {
            '"' => return true,
            '\\' => {
                characters.next();
            }
            _ => {}
        }
    }
    false
}

fn help_for_character(character: char) -> Option<&'static str> {
    match character {
        '$' => Some("to apply a function to all that follows, use `<|`"),
        '“' | '”' => Some("strings stand between straight quotes, `\"`"),
        '‘' | '’' => Some("characters stand between straight quotes, `'`"),
        'λ' => Some("an anonymous function begins with `\\`"),
        '→' => Some("an arrow is written `->`"),
        _ => None,
    }
}
