//! A program divided into text, code and directives.
//!
//! | at the start of a line, outside of definitions | is |
//! |---|---|
//! | `-- > ..`, at the start of a comment or below a line `--` | a directive, with the lines of the comment below it |
//! | `-- ==` | a test block, to the end of the comment; it is not shown |
//! | `-- \| ..` | documentation; it is text, as other comments are |
//! | `--` | text |
//!
//! All the rest is code, comments inside of definitions included.

use norn_base::{SourceMap, Span};
use norn_syntax::ast::{DecKind, NodeIds, ValKeyword};
use std::collections::BTreeMap;
use std::ops::Range;

/// A part of a program's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// Markdown.
    Text(String),
    Code(String),
    /// The bytes of the text from `>` on.
    Directive(Range<usize>),
}

pub struct Divided {
    pub parts: Vec<Part>,
    /// Names that are defined once, outside of modules, and not as entry points.
    pub definitions: Vec<String>,
}

pub fn divide(text: &str) -> Divided {
    let mut sources = SourceMap::default();
    let file = sources.add("", text);
    let parsed = norn_syntax::parse(file, text, &mut NodeIds::default());
    let spans: Vec<Span> = parsed.prog.decs.iter().map(|dec| dec.span).collect();
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    let mut plain = Vec::new();
    for dec in &parsed.prog.decs {
        let DecKind::Vals(binds) = &dec.kind else { continue };
        for bind in binds.iter() {
            *times.entry(bind.name.name.as_str()).or_default() += 1;
            if bind.keyword != ValKeyword::Entry {
                plain.push(bind.name.name.as_str());
            }
        }
    }
    let definitions = plain.into_iter().filter(|name| times[name] == 1).map(String::from).collect();
    Divided { parts: Divider::default().divide(text, &spans), definitions }
}

/// What the lines that are being read belong to.
#[derive(Default)]
enum Mode {
    #[default]
    Code,
    Text,
    Directive {
        is_script: bool,
    },
    Test,
}

#[derive(Default)]
struct Divider {
    mode: Mode,
    parts: Vec<Part>,
    lines: Vec<String>,
    /// The bytes of the directive that is being read.
    directive: Range<usize>,
}

impl Divider {
    fn divide(mut self, text: &str, definitions: &[Span]) -> Vec<Part> {
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let inside =
                definitions.iter().any(|span| (span.lo as usize) < start && start < span.hi as usize);
            self.line(line.trim_end_matches(['\n', '\r']), start, inside);
            start += line.len();
        }
        self.finish();
        self.parts
    }

    fn line(&mut self, line: &str, start: usize, inside: bool) {
        let Some(comment) = line.strip_prefix("--").filter(|_| !inside) else {
            if !matches!(self.mode, Mode::Code) {
                self.finish();
            }
            self.lines.push(line.into());
            return;
        };
        let is_rule = comment.chars().all(|c| c == '-' || c.is_whitespace());
        match self.mode {
            Mode::Test => return,
            // Scripts may have empty lines.
            Mode::Directive { is_script: true } => return self.directive.end = start + line.len(),
            Mode::Directive { .. } if is_rule => self.finish(),
            Mode::Code | Mode::Text | Mode::Directive { .. } => {}
        }
        if comment.trim_end() == " ==" || comment.starts_with(" == ") {
            self.finish();
            self.mode = Mode::Test;
        } else if comment.starts_with(" >") && !self.continues_text() {
            self.finish();
            self.mode = Mode::Directive { is_script: comment.contains(":gnuplot") };
            self.directive = start + "-- ".len()..start + line.len();
        } else if let Mode::Directive { .. } = self.mode {
            self.directive.end = start + line.len();
        } else {
            if !matches!(self.mode, Mode::Text) {
                self.finish();
                self.mode = Mode::Text;
            }
            let words = comment.strip_prefix(" |").unwrap_or(comment);
            let words = words.strip_prefix(' ').unwrap_or(words);
            self.lines.push(if is_rule { String::new() } else { words.trim_end().into() });
        }
    }

    /// Whether a line of text stands above, whose paragraph goes on.
    fn continues_text(&self) -> bool {
        matches!(self.mode, Mode::Text) && self.lines.last().is_some_and(|line| !line.is_empty())
    }

    /// Ends what is being read.
    fn finish(&mut self) {
        let lines = std::mem::take(&mut self.lines);
        let joined = || {
            let text = lines.join("\n");
            let text = text.trim_end();
            // Empty lines in front go, the spaces before the first word stay.
            let first = text.find(|c: char| !c.is_whitespace()).unwrap_or(0);
            let start = text[..first].rfind('\n').map_or(0, |at| at + 1);
            text[start..].to_string()
        };
        let part = match std::mem::take(&mut self.mode) {
            Mode::Code => Part::Code(joined()),
            Mode::Text => Part::Text(joined()),
            Mode::Directive { .. } => Part::Directive(self.directive.clone()),
            Mode::Test => return,
        };
        match part {
            Part::Code(text) | Part::Text(text) if text.is_empty() => {}
            Part::Code(_) | Part::Text(_) | Part::Directive(_) => self.parts.push(part),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<String> {
        let show = |part: Part| match part {
            Part::Text(text) => format!("text {text}"),
            Part::Code(code) => format!("code {code}"),
            Part::Directive(range) => format!("directive {}", &text[range]),
        };
        divide(text).parts.into_iter().map(show).collect()
    }

    #[test]
    fn a_quote_inside_a_paragraph_is_no_directive() {
        assert_eq!(parts("-- a\n-- > b\n"), ["text a\n> b"]);
        assert_eq!(parts("-- a\n--\n-- > b\n-- c\n--\n-- d"), ["text a", "directive > b\n-- c", "text d"]);
        assert_eq!(parts("-- > a\n-- > b"), ["directive > a", "directive > b"]);
    }

    #[test]
    fn tests_are_left_out_and_what_stands_above_them_stays() {
        assert_eq!(parts("-- a\n-- ==\n-- input { 1 }\ndef f = 1\n"), ["text a", "code def f = 1"]);
    }

    #[test]
    fn comments_inside_of_definitions_are_code() {
        assert_eq!(parts("def f =\n-- why\n  1\n\n-- text\n"), ["code def f =\n-- why\n  1", "text text"]);
    }

    #[test]
    fn documentation_is_text() {
        assert_eq!(
            parts("-- | What it is.\n-- And why.\ndef f = 1"),
            ["text What it is.\nAnd why.", "code def f = 1"]
        );
    }
}
