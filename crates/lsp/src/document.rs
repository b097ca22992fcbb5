//! Texts, and places in them as editors count: lines from 0, and columns in units of an encoding.

use gen_lsp_types::{Position, Range, TextDocumentContentChangeEvent};
use norn_base::Span;

/// What a column counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    Utf8,
    Utf16,
}

/// A text with its lines.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    text: &'a str,
    encoding: Encoding,
    /// Where each line begins.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str, encoding: Encoding) -> Lines<'a> {
        let breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        Lines { text, encoding, starts: std::iter::once(0).chain(breaks).collect() }
    }

    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The byte at a position. One that is past the end of its line, or of the text, means that end.
    pub fn offset(&self, at: Position) -> usize {
        let Some(start) = self.starts.get(at.line as usize).copied() else { return self.text.len() };
        let line = self.line(at.line as usize);
        let mut units = 0;
        for (i, c) in line.char_indices() {
            if units >= at.character {
                return start + i;
            }
            units += self.units(c);
        }
        start + line.len()
    }

    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|s| *s <= offset) - 1;
        Position { line: line as u32, character: self.length(&self.text[self.starts[line]..offset]) }
    }

    pub fn range(&self, span: Span) -> Range {
        Range { start: self.position(span.lo as usize), end: self.position(span.hi as usize) }
    }

    /// How long a piece of a line is.
    pub fn length(&self, piece: &str) -> u32 {
        piece.chars().map(|c| self.units(c)).sum()
    }

    /// A line without its end.
    fn line(&self, line: usize) -> &'a str {
        let end = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
        let line = &self.text[self.starts[line]..end];
        line.strip_suffix('\r').unwrap_or(line)
    }

    fn units(&self, c: char) -> u32 {
        match self.encoding {
            Encoding::Utf8 => c.len_utf8() as u32,
            Encoding::Utf16 => c.len_utf16() as u32,
        }
    }
}

/// The text after changes, each of which is about the text after those before it.
pub fn apply(text: String, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) -> String {
    changes.into_iter().fold(text, |text, change| match change {
        TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => whole.text,
        TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
            let lines = Lines::new(&text, encoding);
            let start = lines.offset(part.range.start);
            let end = lines.offset(part.range.end).max(start);
            format!("{}{}{}", &text[..start], part.text, &text[end..])
        }
    })
}
