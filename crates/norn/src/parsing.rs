//! Files as surface trees, for tools that need no types.

use crate::files::{FileError, add_source, load_source};
use norn_base::{Diagnostic, Diagnostics, FileId, SourceMap};
use norn_syntax::ast::{NodeIds, Prog};
use norn_syntax::comments::Comments;
use std::path::Path;

/// What came of a file.
pub struct ParsedFile {
    pub sources: SourceMap,
    pub root: FileId,
    /// In the order of their places.
    pub diagnostics: Diagnostics,
    /// None if the file is no text.
    pub syntax: Option<Syntax>,
}

/// A surface tree and what stands beside it.
pub struct Syntax {
    pub prog: Prog,
    pub comments: Comments,
}

impl Syntax {
    /// The program in its canonical layout; `text` is what it was parsed from. Only for a program
    /// without syntax errors.
    pub fn format(&self, text: &str) -> String {
        norn_syntax::format(text, &self.prog, &self.comments)
    }
}

/// Parse the file at `path`, and nothing that it imports.
pub fn parse_file(path: impl AsRef<Path>) -> Result<ParsedFile, FileError> {
    let mut sources = SourceMap::default();
    let (root, text) = load_source(&mut sources, path.as_ref())?;
    Ok(parse_source(sources, root, text))
}

/// Parse `bytes`, calling them `name` in diagnostics.
pub fn parse_bytes(name: &str, bytes: Vec<u8>) -> ParsedFile {
    let mut sources = SourceMap::default();
    let (root, text) = add_source(&mut sources, name.into(), bytes);
    parse_source(sources, root, text)
}

fn parse_source(sources: SourceMap, root: FileId, text: Result<(), Diagnostic>) -> ParsedFile {
    let mut file = ParsedFile { sources, root, diagnostics: Diagnostics::default(), syntax: None };
    match text {
        Err(not_utf8) => file.diagnostics.push(not_utf8),
        Ok(()) => {
            let text = file.sources.file(root).text.clone();
            let parsed = norn_syntax::parse(root, &text, &mut NodeIds::default());
            file.diagnostics = parsed.diagnostics;
            file.syntax = Some(Syntax { prog: parsed.prog, comments: parsed.comments });
        }
    }
    file.diagnostics.sort();
    file
}
