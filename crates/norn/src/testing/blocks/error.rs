//! What is wrong with a test block, and where.

use norn_base::{Code, Diagnostic, SourceMap, Span, render};
use std::ops::Range;

/// An error in a test block or of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockError {
    /// Bytes of the text.
    pub at: Range<usize>,
    /// A sentence.
    pub message: String,
    /// Given only where we are sure.
    pub help: Option<String>,
}

impl BlockError {
    pub fn new(at: Range<usize>, message: impl Into<String>) -> BlockError {
        BlockError { at, message: message.into(), help: None }
    }

    pub fn with_help(mut self, help: impl Into<String>) -> BlockError {
        self.help = Some(help.into());
        self
    }

    /// The message and an excerpt of `text`, which is the file `name`. Ends in a line break.
    pub fn render(&self, name: &str, text: &str) -> String {
        let mut sources = SourceMap::default();
        let file = sources.add(name, text);
        // An error in a test is none of the program: there is no code, and no page about it.
        let span = Span::new(file, self.at.start, self.at.end);
        let mut diagnostic = Diagnostic::error(Code(""), span, self.message.as_str());
        diagnostic.help.extend(self.help.clone());
        render::render(&sources, &diagnostic, render::Paint::Plain).replacen("error[]", "error", 1)
    }
}
