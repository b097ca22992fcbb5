//! Diagnostics: what the user did wrong, where, and what would be right.
//!
//! A stage collects diagnostics and goes on; nothing stops at the first. A message is a sentence.
//! Two types, sizes or names that clash stand on lines of their own (`expected`/`found`), never
//! inside the sentence.

use crate::source::Span;
use std::collections::HashSet;

/// The code of a kind of diagnostic, such as `E0301`. Each has a page in docs/src/errors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Code(pub &'static str);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
}

/// A span with a few words about it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// A replacement of source text that is sure to be right.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fix {
    pub span: Span,
    pub replacement: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    pub message: String,
    /// Where; its text may be empty.
    pub primary: Label,
    pub secondary: Vec<Label>,
    /// What was expected and what was found, to be shown below each other.
    pub expected_found: Option<(String, String)>,
    pub notes: Vec<String>,
    /// Given only where we are sure.
    pub help: Vec<String>,
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, span, message)
    }

    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, span, message)
    }

    fn new(severity: Severity, code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity,
            message: message.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            expected_found: None,
            notes: Vec::new(),
            help: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// The words that stand under the primary span.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    pub fn secondary(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    pub fn expected_found(mut self, expected: impl Into<String>, found: impl Into<String>) -> Self {
        self.expected_found = Some((expected.into(), found.into()));
        self
    }

    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    pub fn fix(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.fixes.push(Fix { span, replacement: replacement.into() });
        self
    }
}

/// The diagnostics collected so far, none of them twice.
#[derive(Clone, Default, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    seen: HashSet<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.seen.insert(diagnostic.clone()) {
            self.errors += usize::from(diagnostic.severity == Severity::Error);
            self.list.push(diagnostic);
        }
    }

    pub fn extend(&mut self, other: Diagnostics) {
        for d in other.list {
            self.push(d);
        }
    }

    /// Forget all but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        for d in self.list.drain(len.min(self.list.len())..) {
            self.errors -= usize::from(d.severity == Severity::Error);
            self.seen.remove(&d);
        }
    }

    pub fn has_errors(&self) -> bool {
        self.error_count() > 0
    }

    pub fn error_count(&self) -> usize {
        self.errors
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// By file and place, errors before warnings at one place.
    pub fn sort(&mut self) {
        self.list.sort_by_key(|d| (d.primary.span, d.severity));
    }
}

/// Code as advice shows it: on one line. None if it is too long for that, or has a comment.
pub fn one_line(code: &str) -> Option<String> {
    const LONGEST: usize = 80;
    // Blanks on one line may be those of a string.
    let lines: Vec<&str> = code.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let line = lines.join(" ");
    (!code.contains("--") && line.chars().count() <= LONGEST).then_some(line)
}
