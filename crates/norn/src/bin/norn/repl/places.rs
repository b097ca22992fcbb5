//! Places in inputs as the user typed them.
//!
//! The compiler sees an input with a few words in front that open what was defined before. They are
//! taken away again before anything is shown.

use norn_base::{Diagnostic, FileId, SourceMap, Span};
use norn_interp::{Failure, Frame};
use std::collections::BTreeMap;

/// An input as the compiler sees it.
#[derive(Clone)]
pub struct InputFile {
    /// What the user calls it.
    pub name: String,
    pub path: String,
    pub text: String,
    /// How many bytes at its start the user did not type.
    pub hidden: usize,
}

/// Builds sources in which the inputs are as they were typed.
pub struct Places<'a> {
    inputs: &'a [InputFile],
    from: &'a SourceMap,
    pub sources: SourceMap,
    /// The new file of each old one, and how many bytes it lacks.
    moved: BTreeMap<FileId, (FileId, usize)>,
}

impl<'a> Places<'a> {
    pub fn new(inputs: &'a [InputFile], from: &'a SourceMap) -> Places<'a> {
        Places { inputs, from, sources: SourceMap::default(), moved: BTreeMap::new() }
    }

    pub fn failure(&mut self, failure: Failure) -> Failure {
        let span = self.span(failure.span);
        let trace =
            failure.trace.into_iter().map(|frame| Frame { call: self.span(frame.call), ..frame }).collect();
        Failure { span, trace, ..failure }
    }

    pub fn diagnostic(&mut self, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.primary.span = self.span(diagnostic.primary.span);
        for label in &mut diagnostic.secondary {
            label.span = self.span(label.span);
        }
        for fix in &mut diagnostic.fixes {
            fix.span = self.span(fix.span);
        }
        diagnostic
    }

    pub fn span(&mut self, span: Span) -> Span {
        let (inputs, from, sources) = (self.inputs, self.from, &mut self.sources);
        let (file, hidden) = *self.moved.entry(span.file).or_insert_with(|| {
            let old = from.file(span.file);
            match inputs.iter().find(|input| input.path == old.name) {
                Some(input) => {
                    let typed = input.text.get(input.hidden..).unwrap_or_default();
                    (sources.add(input.name.as_str(), typed), input.hidden)
                }
                None => (sources.add(old.name.as_str(), old.text.clone()), 0),
            }
        });
        let moved = |at: u32| (at as usize).saturating_sub(hidden);
        Span::new(file, moved(span.lo), moved(span.hi))
    }
}
