//! What the editor can do to the text for the user: corrections that come with diagnostics, and the layout.

use crate::diagnose::translate;
use crate::document::Lines;
use crate::server::{Answer, Server};
use crate::uri::to_path;
use gen_lsp_types as lsp;
use norn_base::FileId;
use norn_syntax::ast::NodeIds;
use std::collections::HashMap;

/// The corrections that are sure to be right, of the diagnostics at a place.
pub fn actions(
    server: &mut Server,
    params: lsp::CodeActionParams,
) -> Answer<Option<Vec<lsp::CodeActionResponse>>> {
    let uri = params.text_document.uri;
    let Some(analysis) = server.analysis(&to_path(&uri)) else { return Ok(None) };
    let lines = server.lines(&analysis, analysis.file);
    let mut actions = Vec::new();
    for d in analysis.diagnostics.iter().filter(|d| d.primary.span.file == analysis.file) {
        let range = lines.range(d.primary.span);
        if range.end < params.range.start || params.range.end < range.start || d.fixes.is_empty() {
            continue;
        }
        // Several replacements are several ways only if each has a line of help.
        let ways: Vec<&[norn_base::Fix]> = match d.help.len() == d.fixes.len() {
            true => d.fixes.chunks(1).collect(),
            false => vec![&d.fixes],
        };
        for (i, fixes) in ways.into_iter().enumerate() {
            let edits = fixes
                .iter()
                .map(|fix| lsp::TextEdit { range: lines.range(fix.span), new_text: fix.replacement.clone() });
            let title = d.help.get(i).cloned().unwrap_or_else(|| format!("write `{}`", fixes[0].replacement));
            let changes = HashMap::from([(uri.clone(), edits.collect())]);
            actions.push(
                lsp::CodeAction {
                    title,
                    kind: Some(lsp::CodeActionKind::QuickFix),
                    diagnostics: Some(vec![translate(analysis.sources(), d, server.encoding)]),
                    is_preferred: Some(i == 0),
                    edit: Some(lsp::WorkspaceEdit { changes: Some(changes), ..Default::default() }),
                    ..Default::default()
                }
                .into(),
            );
        }
    }
    Ok(Some(actions))
}

/// The whole text in its canonical layout, as `norn fmt` has it. A program with syntax errors stays as it is.
pub fn format(
    server: &mut Server,
    params: lsp::DocumentFormattingParams,
) -> Answer<Option<Vec<lsp::TextEdit>>> {
    let Some(document) = server.documents.get(&to_path(&params.text_document.uri)) else { return Ok(None) };
    let text = &document.text;
    let parsed = norn_syntax::parse(FileId(0), text, &mut NodeIds::default());
    if parsed.diagnostics.has_errors() {
        return Err("The program has syntax errors, so its layout is left as it is.".into());
    }
    let formatted = norn_syntax::format(text, &parsed.prog, &parsed.comments);
    Ok(Some(difference(&Lines::new(text, server.encoding), &formatted).into_iter().collect()))
}

/// One replacement that makes one text of another, without the lines that they begin and end with.
fn difference(old: &Lines, new: &str) -> Option<lsp::TextEdit> {
    let text = old.text();
    if text == new {
        return None;
    }
    let whole_lines = |(a, b): &(&str, &str)| a == b;
    let same_start: usize = text
        .split_inclusive('\n')
        .zip(new.split_inclusive('\n'))
        .take_while(whole_lines)
        .map(|(line, _)| line.len())
        .sum();
    let (rest, new_rest) = (&text[same_start..], &new[same_start..]);
    let same_end: usize = rest
        .split_inclusive('\n')
        .rev()
        .zip(new_rest.split_inclusive('\n').rev())
        .take_while(whole_lines)
        .map(|(line, _)| line.len())
        .sum();
    let range = lsp::Range { start: old.position(same_start), end: old.position(text.len() - same_end) };
    Some(lsp::TextEdit { range, new_text: new_rest[..new_rest.len() - same_end].to_string() })
}
