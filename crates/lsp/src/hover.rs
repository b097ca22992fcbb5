//! What stands under the cursor: its type with sizes, its declaration, and its documentation comment.

use crate::declared;
use crate::server::{Answer, Cursor, Server};
use gen_lsp_types as lsp;
use norn_base::Span;
use norn_check::Analysis;
use norn_check::places::{Meant, Use};

pub fn hover(server: &mut Server, params: lsp::HoverParams) -> Answer<Option<lsp::Hover>> {
    let Some(cursor) = server.cursor(&params.text_document_position_params) else { return Ok(None) };
    let Some((text, span)) = explained(&cursor) else { return Ok(None) };
    let range = server.lines(&cursor.analysis, span.file).range(span);
    let markup = lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value: text };
    Ok(Some(lsp::Hover { contents: markup.into(), range: Some(range) }))
}

fn explained(cursor: &Cursor) -> Option<(String, Span)> {
    let analysis = &cursor.analysis;
    if let Some(found) = analysis.places().use_at(cursor.at()) {
        return Some((of_name(analysis, found), found.at));
    }
    let (span, t) = analysis.places().type_around(cursor.at())?;
    Some((code(&analysis.show_type(t)), span))
}

/// A name: what it is, and its documentation.
pub fn of_name(analysis: &Analysis, found: Use) -> String {
    let mut text = match found.meant {
        Meant::Value(var) => {
            let name = analysis.names().var(var).name;
            let local = analysis.places().type_of(found.of).map(|t| analysis.show_type(t));
            match local.clone().or_else(|| analysis.value_type(var)) {
                Some(general) => {
                    let here =
                        analysis.places().type_of(found.at).filter(|t| local.is_none() && !t.is_open());
                    let here = here.map(|t| analysis.show_type(t)).filter(|t| !general.ends_with(t.as_str()));
                    let here = here.map_or(String::new(), |t| format!("\n-- here: {t}"));
                    code(&format!("{name} : {general}{here}"))
                }
                None => code(name.as_str()),
            }
        }
        Meant::Type | Meant::Module(_) | Meant::ModuleType => {
            let text = analysis.sources().text(found.at);
            match analysis.tree(found.of.file).and_then(|tree| declared::find(tree, found.of)) {
                Some(declared) => code(&head(analysis.sources().text(declared.span))),
                None if found.meant == Meant::Type => code(&format!("type {text}")),
                None => code(text),
            }
        }
    };
    if let Some(doc) = documentation(analysis, found.of) {
        text.push_str("\n\n");
        text.push_str(&doc);
    }
    text
}

/// The documentation of what is defined at a place: there, or where it is implemented.
pub fn documentation(analysis: &Analysis, of: Span) -> Option<String> {
    let at = |place: Span| {
        declared::find(analysis.tree(place.file)?, place)?.doc.map(|d| d.text.trim().to_string())
    };
    at(of).or_else(|| at(analysis.places().implementation(of)))
}

/// The first lines of a declaration.
fn head(text: &str) -> String {
    const MOST: usize = 12;
    let lines: Vec<&str> = text.lines().collect();
    match lines.get(..MOST) {
        Some(first) if lines.len() > MOST => format!("{}\n..", first.join("\n")),
        _ => text.to_string(),
    }
}

fn code(text: &str) -> String {
    format!("```norn\n{text}\n```")
}
