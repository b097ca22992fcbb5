//! Diagnostics as programs read them: one JSON object on one line.

use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::render::{Paint, render, within};
use crate::source::{SourceMap, Span};
use serde_json::{Value, json};

/// One diagnostic as a line of JSON, without the line break.
pub fn to_json(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let primary = std::iter::once((&diagnostic.primary, true));
    let secondary = diagnostic.secondary.iter().map(|label| (label, false));
    let spans: Vec<Value> = primary.chain(secondary).map(|(label, p)| labelled(sources, label, p)).collect();
    let fixes: Vec<Value> = diagnostic
        .fixes
        .iter()
        .map(|fix| json!({ "span": place(sources, fix.span), "replacement": fix.replacement }))
        .collect();
    let (expected, found) = diagnostic.expected_found.as_ref().map(|(e, f)| (e, f)).unzip();
    json!({
        "code": diagnostic.code.0,
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "message": diagnostic.message,
        "spans": spans,
        "expected": expected,
        "found": found,
        "notes": diagnostic.notes,
        "help": diagnostic.help,
        "fixes": fixes,
        "rendered": render(sources, diagnostic, Paint::Plain),
    })
    .to_string()
}

fn labelled(sources: &SourceMap, label: &Label, primary: bool) -> Value {
    let mut value = place(sources, label.span);
    value["label"] = json!(label.text);
    value["primary"] = json!(primary);
    value
}

/// Bytes count from 0, lines and columns (in characters) from 1; ends are exclusive.
fn place(sources: &SourceMap, span: Span) -> Value {
    let file = sources.file(span.file);
    let bytes = within(file, span);
    let start = file.line_col(bytes.start as u32);
    let end = file.line_col(bytes.end as u32);
    json!({
        "file": file.name,
        "byte_start": bytes.start,
        "byte_end": bytes.end,
        "line_start": start.line,
        "column_start": start.col,
        "line_end": end.line,
        "column_end": end.col,
    })
}
