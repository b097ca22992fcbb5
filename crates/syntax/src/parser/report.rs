//! Syntax errors in words.

use super::{Failed, Parser};
use crate::lexer::TokenKind;
use norn_base::{Diagnostic, Diagnostics, Span, codes};

/// Beyond this many errors in a file nothing more is learnt from them.
const MAX_ERRORS: usize = 200;

/// The diagnostics of one file.
#[derive(Default)]
pub(super) struct Reports {
    list: Vec<Diagnostic>,
    /// Something was missed at the end of the file. More of that kind follows from it.
    pub(super) end_reported: bool,
}

impl Reports {
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        if self.list.len() < MAX_ERRORS {
            self.list.push(diagnostic);
        } else if let Some(last) = self.list.last_mut()
            && last.notes.is_empty()
        {
            last.notes.push("the errors after this one are not shown".into());
        }
    }

    pub(super) fn into_sorted(self) -> Diagnostics {
        let mut diagnostics = Diagnostics::default();
        for diagnostic in self.list {
            diagnostics.push(diagnostic);
        }
        diagnostics.sort();
        diagnostics
    }
}

impl Parser<'_> {
    /// The next token is not what should stand here; `expected` says what, with its article.
    pub(super) fn unexpected(&mut self, expected: &str) -> Failed {
        if let Some(problem) = self.problem(expected) {
            self.reports.push(problem);
        }
        Failed
    }

    /// As `unexpected`, with advice.
    pub(super) fn unexpected_with_help(&mut self, expected: &str, help: &str) -> Failed {
        if let Some(problem) = self.problem(expected) {
            self.reports.push(problem.help(help));
        }
        Failed
    }

    /// The next token cannot begin any of the `expected` that stand in a row here.
    pub(super) fn unexpected_among(&mut self, expected: &str, help: Option<&str>) -> Failed {
        if self.at(TokenKind::Invalid) {
            return Failed;
        }
        let continues = self.pos > 0 && !self.tokens[self.pos].first_on_line;
        let expected = if continues { format!("the end of the {expected}") } else { format!("a {expected}") };
        let message = format!("Expected {expected}, but found {}.", self.describe_next());
        let mut problem = Diagnostic::error(codes::SYNTAX, self.span(), message).label("not expected here");
        problem.help.extend(help.map(String::from));
        self.reports.push(problem);
        Failed
    }

    /// The diagnostic that `expected` should stand in the place of the next token; none if the error
    /// there has been reported.
    pub(super) fn problem(&mut self, expected: &str) -> Option<Diagnostic> {
        if self.at(TokenKind::Invalid) || self.at_reported_end() {
            return None;
        }
        let found = self.describe_next();
        let message = match self.describe_last() {
            Some(last) => format!("Expected {expected} after {last}, but found {found}."),
            None => format!("Expected {expected}, but found {found}."),
        };
        // What is missing before a keyword on a new line is missing where the last line ends.
        let begins_line = self.kind().is_keyword() && self.tokens[self.pos].first_on_line;
        let problem = if self.pos > 0 && (self.at(TokenKind::Eof) || begins_line) {
            Diagnostic::error(codes::SYNTAX, self.last_span(), message)
                .label("something is missing after this")
        } else {
            Diagnostic::error(codes::SYNTAX, self.span(), message).label("not expected here")
        };
        Some(problem)
    }

    /// At the end of the file, and not for the first time in vain.
    pub(super) fn at_reported_end(&mut self) -> bool {
        self.at(TokenKind::Eof) && std::mem::replace(&mut self.reports.end_reported, true)
    }

    pub(super) fn syntax_error(&mut self, span: Span, message: impl Into<String>) -> Failed {
        self.reports.push(Diagnostic::error(codes::SYNTAX, span, message));
        Failed
    }

    pub(super) fn describe_next(&self) -> String {
        match self.kind() {
            TokenKind::Eof => "the end of the file".into(),
            kind if kind.is_keyword() => format!("the keyword `{}`", self.text_of(self.span())),
            _ => self.quote(self.span()),
        }
    }

    fn describe_last(&self) -> Option<String> {
        (self.pos > 0).then(|| self.quote(self.last_span()))
    }

    /// The text at a place, shortened if it is long.
    pub(super) fn quote(&self, span: Span) -> String {
        const LONGEST: usize = 30;
        let text = self.text_of(span);
        match text.char_indices().nth(LONGEST) {
            _ if text == "`" => "a backtick".into(),
            Some((end, _)) => format!("`{}...`", &text[..end]),
            None => format!("`{text}`"),
        }
    }
}
