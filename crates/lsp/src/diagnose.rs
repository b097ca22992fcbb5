//! Diagnostics as editors show them.
//!
//! An open document shows its own. What is wrong in a file that it imports is shown with that file, unless that is open and shows it itself.

use crate::document::{Encoding, Lines};
use crate::server::Document;
use crate::uri::from_path;
use gen_lsp_types as lsp;
use norn_base::{Diagnostic, Severity, SourceMap, codes};
use norn_check::Analysis;
use std::collections::BTreeMap;

/// By path of a file.
type ByFile = BTreeMap<String, Vec<lsp::Diagnostic>>;

#[derive(Default)]
pub struct Published {
    /// What checking each document has found.
    found: BTreeMap<String, ByFile>,
    /// What has been sent to the editor.
    sent: ByFile,
}

impl Published {
    pub fn found(&mut self, path: &str, analysis: &Analysis, encoding: Encoding) {
        let sources = analysis.sources();
        let mut by_file = ByFile::new();
        by_file.insert(path.to_string(), Vec::new());
        for d in analysis.diagnostics.iter() {
            let file = sources.file(d.primary.span.file).name.clone();
            by_file.entry(file).or_default().push(translate(sources, d, encoding));
        }
        self.found.insert(path.to_string(), by_file);
    }

    /// What is to be sent now.
    pub fn changes(&mut self, documents: &BTreeMap<String, Document>) -> Vec<lsp::PublishDiagnosticsParams> {
        self.found.retain(|path, _| documents.contains_key(path));
        let mut now = ByFile::new();
        for (path, by_file) in &self.found {
            for (file, list) in by_file {
                if file == path || !documents.contains_key(file) {
                    now.entry(file.clone()).or_insert_with(|| list.clone());
                }
            }
        }
        let mut messages = Vec::new();
        for file in self.sent.keys().filter(|file| !now.contains_key(*file)) {
            messages.push(message(file, documents, Vec::new()));
        }
        for (file, list) in &now {
            if self.sent.get(file) != Some(list) {
                messages.push(message(file, documents, list.clone()));
            }
        }
        self.sent = now;
        messages
    }
}

fn message(
    file: &str,
    documents: &BTreeMap<String, Document>,
    diagnostics: Vec<lsp::Diagnostic>,
) -> lsp::PublishDiagnosticsParams {
    let document = documents.get(file);
    let uri = document.map_or_else(|| from_path(file), |d| d.uri.clone());
    lsp::PublishDiagnosticsParams { uri, version: document.map(|d| d.version), diagnostics }
}

pub fn translate(sources: &SourceMap, d: &Diagnostic, encoding: Encoding) -> lsp::Diagnostic {
    let range = |span: norn_base::Span| Lines::new(&sources.file(span.file).text, encoding).range(span);
    let related = d.secondary.iter().map(|label| lsp::DiagnosticRelatedInformation {
        location: lsp::Location {
            uri: from_path(&sources.file(label.span.file).name),
            range: range(label.span),
        },
        message: label.text.clone(),
    });
    let unused = d.code == codes::UNUSED_NAME;
    lsp::Diagnostic {
        range: range(d.primary.span),
        severity: Some(match d.severity {
            Severity::Error => lsp::DiagnosticSeverity::Error,
            Severity::Warning => lsp::DiagnosticSeverity::Warning,
        }),
        code: Some(lsp::Code::String(d.code.0.into())),
        code_description: None,
        source: Some("norn".into()),
        message: lsp::Message::String(words(d)),
        tags: unused.then(|| vec![lsp::DiagnosticTag::Unnecessary]),
        related_information: Some(related.collect::<Vec<_>>()).filter(|r| !r.is_empty()),
        data: None,
    }
}

/// A whole diagnostic, in lines.
fn words(d: &Diagnostic) -> String {
    let mut lines = vec![d.message.clone()];
    if !d.primary.text.is_empty() {
        lines.push(d.primary.text.clone());
    }
    if let Some((expected, found)) = &d.expected_found {
        lines.push(format!("expected: {expected}"));
        lines.push(format!("   found: {found}"));
    }
    lines.extend(d.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(d.help.iter().map(|help| format!("help: {help}")));
    lines.join("\n")
}
