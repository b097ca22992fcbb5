//! Source files and places in them.

use std::sync::{Arc, OnceLock};

/// A file known to a `SourceMap`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A stretch of bytes of one file: from `lo` up to, not including, `hi`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Span {
    pub file: FileId,
    pub lo: u32,
    pub hi: u32,
}

impl Span {
    pub fn new(file: FileId, lo: usize, hi: usize) -> Span {
        Span { file, lo: lo as u32, hi: hi as u32 }
    }

    /// The smallest span that covers both. They must be of one file.
    pub fn to(self, end: Span) -> Span {
        Span { file: self.file, lo: self.lo.min(end.lo), hi: self.hi.max(end.hi) }
    }

    /// The empty span at the start of this one.
    pub fn at_start(self) -> Span {
        Span { hi: self.lo, ..self }
    }

    /// The empty span at the end of this one.
    pub fn at_end(self) -> Span {
        Span { lo: self.hi, ..self }
    }
}

/// The text of one file, by the name that the user knows it under.
#[derive(Clone)]
pub struct SourceFile {
    pub name: String,
    pub text: Arc<str>,
    /// Byte offset of the start of each line; found when the first place in the file is shown.
    line_starts: OnceLock<Vec<u32>>,
}

/// A place as people count it: lines and columns (in characters) from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineCol {
    pub line: usize,
    pub col: usize,
}

/// All source files of a compilation.
#[derive(Clone, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let file = SourceFile { name: name.into(), text: text.into(), line_starts: OnceLock::new() };
        self.files.push(file);
        FileId(self.files.len() as u32 - 1)
    }

    /// All files, in the order of their ids.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// The text that a span covers.
    pub fn text(&self, span: Span) -> &str {
        &self.file(span.file).text[span.lo as usize..span.hi as usize]
    }

    pub fn line_col(&self, file: FileId, offset: u32) -> LineCol {
        self.file(file).line_col(offset)
    }

    /// `name:line:column` of the start of a span.
    pub fn place(&self, span: Span) -> String {
        let at = self.line_col(span.file, span.lo);
        format!("{}:{}:{}", self.file(span.file).name, at.line, at.col)
    }
}

impl SourceFile {
    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let breaks = self.text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
            std::iter::once(0).chain(breaks.map(|(i, _)| i as u32 + 1)).collect()
        })
    }

    pub fn line_col(&self, offset: u32) -> LineCol {
        let line = self.line_starts().partition_point(|&s| s <= offset) - 1;
        let start = self.line_starts()[line] as usize;
        let col = self.text[start..offset as usize].chars().count() + 1;
        LineCol { line: line + 1, col }
    }

    /// Byte range of line `line` (from 1), without its line break.
    pub fn line_range(&self, line: usize) -> std::ops::Range<usize> {
        let start = self.line_starts()[line - 1] as usize;
        let end = self.line_starts().get(line).map_or(self.text.len(), |&e| e as usize - 1);
        start..end.max(start)
    }
}
