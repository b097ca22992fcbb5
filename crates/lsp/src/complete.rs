//! Completion: names in scope, members of modules, fields of records, constructors, and files that can be imported.
//!
//! The text is not a program while it is being typed. So a text with a name at the cursor is checked instead (`marked`), and the candidates are what the checker knows at this name: after a dot the members of the module or
//! the fields of the value; after `#` the constructors of the matched type, or of all sums in the file if that is not known; in an import the programs near the file; otherwise everything in scope, local names first.

use crate::document::Lines;
use crate::hover::documentation;
use crate::locals;
use crate::marked::{Marked, NAME, marked};
use crate::server::{Answer, Server};
use crate::uri::to_path;
use gen_lsp_types as lsp;
use norn_base::{Span, Symbol};
use norn_check::Analysis;
use norn_check::places::Meant;
use norn_check::types::{Ty, TyIdKind, TyKind};
use norn_syntax::ast::{Exp, ExpKind};
use norn_syntax::lexer::TokenKind;
use std::collections::{BTreeMap, HashSet};

/// More than anybody reads.
const MOST: usize = 500;

const KEYWORDS: [&str; 22] = [
    "assert", "case", "def", "do", "else", "entry", "false", "for", "if", "import", "in", "let", "local",
    "loop", "match", "module", "open", "then", "true", "type", "while", "with",
];

pub fn complete(
    server: &mut Server,
    params: lsp::CompletionParams,
) -> Answer<Option<lsp::CompletionResponse>> {
    if let Some(items) = import_paths(server, &params.text_document_position_params) {
        return Ok(Some(lsp::CompletionResponse::CompletionItemList(items)));
    }
    let Some(marked) = marked(server, &params.text_document_position_params) else { return Ok(None) };
    let mut items = candidates(&marked);
    let prefix = marked.prefix.to_lowercase();
    items.retain(|item| item.label.trim_start_matches('#').to_lowercase().starts_with(&prefix));
    let is_incomplete = items.len() > MOST;
    items.truncate(MOST);
    Ok(Some(lsp::CompletionList { is_incomplete, items, ..Default::default() }.into()))
}

/// What can be imported, if the path of an import is being written: the programs in the folder of the file, and in those below.
fn import_paths(
    server: &mut Server,
    place: &lsp::TextDocumentPositionParams,
) -> Option<Vec<lsp::CompletionItem>> {
    let path = to_path(&place.text_document.uri);
    let text = &server.documents.get(&path)?.text;
    let offset = Lines::new(text, server.encoding).offset(place.position);
    let line = text[..offset].rsplit('\n').next()?;
    let (before, written) = line.rsplit_once('"')?;
    if !before.trim_end().ends_with("import") {
        return None;
    }
    // What has been written up to the last `/` stays.
    let kept = written.rfind('/').map_or("", |i| &written[..=i]).to_string();
    let folder = path.rfind('/').map_or("", |i| &path[..=i]).to_string();
    let mut items = Vec::new();
    for program in server.programs_near(&folder) {
        let Some(name) = program.strip_prefix(&folder).and_then(|name| name.strip_suffix(".fut")) else {
            continue;
        };
        if let Some(rest) = name.strip_prefix(&kept)
            && program != path
        {
            items.push(lsp::CompletionItem {
                label: rest.to_string(),
                kind: Some(lsp::CompletionItemKind::File),
                ..Default::default()
            });
        }
    }
    Some(items)
}

fn candidates(marked: &Marked) -> Vec<lsp::CompletionItem> {
    let before = marked.tokens.partition_point(|t| (t.lo as usize) < marked.start);
    let Some(last) = before.checked_sub(1).map(|i| marked.tokens[i]) else { return names(marked) };
    let touches = last.hi as usize == marked.start;
    match last.kind {
        TokenKind::Dot if touches => after_dot(marked, before - 1),
        // `#` alone is no token, and `#n` is one.
        TokenKind::Constructor if last.lo < marked.at.lo && marked.at.lo <= last.hi => constructors(marked),
        _ if marked.analysis.sources().file(marked.at.file).text[..marked.start].ends_with('#') => {
            constructors(marked)
        }
        _ => names(marked),
    }
}

/// What stands before the dot is a module, or a value with fields.
fn after_dot(marked: &Marked, dot: usize) -> Vec<lsp::CompletionItem> {
    let analysis = &*marked.analysis;
    let span =
        |i: usize| Span::new(marked.at.file, marked.tokens[i].lo as usize, marked.tokens[i].hi as usize);
    let mut first = dot;
    while first >= 1
        && marked.tokens[first - 1].kind == TokenKind::Name
        && marked.tokens[first - 1].hi == marked.tokens[first].lo
    {
        first -= 1;
        match first.checked_sub(1).map(|i| marked.tokens[i]) {
            Some(t) if t.kind == TokenKind::Dot && t.hi == marked.tokens[first].lo => first -= 1,
            _ => break,
        }
    }
    let path: Vec<Span> = (first..dot).step_by(2).map(span).collect();
    if let Some(start) = path.first().filter(|_| marked.tokens[first].kind == TokenKind::Name) {
        let is_module = |s: &Span| {
            analysis.places().use_at(*s).is_some_and(|u| u.at == *s && matches!(u.meant, Meant::Module(_)))
        };
        if is_module(start) && path.iter().all(is_module) {
            let names: Vec<Symbol> = path.iter().map(|s| Symbol::new(analysis.sources().text(*s))).collect();
            let members = analysis.members(marked.at, &names).unwrap_or_default();
            return members.into_iter().map(|(name, meant)| item(analysis, name, meant, '1')).collect();
        }
    }
    let dot = span(dot).lo as usize;
    match analysis.places().type_ending_at(Span::new(marked.at.file, dot, dot)).map(|t| &**t) {
        Some(TyKind::Record(parts)) => parts
            .iter()
            .filter(|(f, _)| f.as_str() != NAME)
            .map(|(f, t)| lsp::CompletionItem {
                label: f.to_string(),
                kind: Some(lsp::CompletionItemKind::Field),
                detail: Some(analysis.show_type(t)),
                ..Default::default()
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Everything that is in scope, local names first.
fn names(marked: &Marked) -> Vec<lsp::CompletionItem> {
    let analysis = &*marked.analysis;
    let mut seen = HashSet::new();
    let mut items = Vec::new();
    let is_word = |name: Symbol| name.as_str().starts_with(|c: char| c.is_alphabetic());
    if let Some(tree) = analysis.tree(analysis.file) {
        let locals = locals::at(tree, marked.at.lo);
        for module in locals.opened.iter().rev() {
            let path: Vec<Symbol> = module.quals.iter().chain([&module.name]).map(|name| name.name).collect();
            for (name, meant) in analysis.members(marked.at, &path).unwrap_or_default() {
                if is_word(name) && seen.insert(name) {
                    items.push(item(analysis, name, meant, '0'));
                }
            }
        }
        for name in locals.names.into_iter().rev() {
            if name.span.lo <= marked.at.lo && marked.at.lo <= name.span.hi {
                continue;
            }
            if seen.insert(name.name) {
                let detail = analysis.places().type_of(name.span).map(|t| analysis.show_type(t));
                items.push(lsp::CompletionItem {
                    label: name.name.to_string(),
                    kind: Some(lsp::CompletionItemKind::Variable),
                    detail,
                    sort_text: Some(format!("0{}", name.name)),
                    ..Default::default()
                });
            }
        }
    }
    for (name, meant) in analysis.declared_at(marked.at) {
        if is_word(name) && seen.insert(name) {
            items.push(item(analysis, name, meant, '1'));
        }
    }
    items.extend(KEYWORDS.iter().map(|word| lsp::CompletionItem {
        label: word.to_string(),
        kind: Some(lsp::CompletionItemKind::Keyword),
        sort_text: Some(format!("2{word}")),
        ..Default::default()
    }));
    items
}

fn item(analysis: &Analysis, name: Symbol, meant: Meant, rank: char) -> lsp::CompletionItem {
    use lsp::CompletionItemKind as Kind;
    let (kind, detail, doc) = match meant {
        Meant::Value(var) => {
            let function = analysis.plain_value_type(var).is_some_and(|t| matches!(&**t, TyKind::Arrow(_)));
            let kind = if function { Kind::Function } else { Kind::Value };
            (kind, analysis.value_type(var), documentation(analysis, analysis.names().var(var).span))
        }
        Meant::Type => (Kind::Struct, None, None),
        Meant::Module(var) => (Kind::Module, None, documentation(analysis, analysis.names().var(var).span)),
        Meant::ModuleType => (Kind::Interface, None, None),
    };
    let markdown = |value| lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value };
    lsp::CompletionItem {
        label: name.to_string(),
        kind: Some(kind),
        detail,
        documentation: doc.map(|d| markdown(d).into()),
        sort_text: Some(format!("{rank}{name}")),
        ..Default::default()
    }
}

/// The constructors of what is matched; else those of all sums that the file knows, since nobody can tell which one is meant before more is written.
fn constructors(marked: &Marked) -> Vec<lsp::CompletionItem> {
    let analysis = &*marked.analysis;
    let mut found: BTreeMap<Symbol, String> = BTreeMap::new();
    if let Some(t) = matched(marked) {
        in_type(analysis, t, &mut found);
    }
    if found.is_empty() {
        analysis.places().types().for_each(|t| in_type(analysis, t, &mut found));
        for constr in crate::symbols::declared_constructors(analysis) {
            found.entry(constr).or_default();
        }
    }
    let typed = Symbol::new(if marked.prefix.is_empty() { NAME } else { &marked.prefix });
    let label = |name: &Symbol| name.to_string();
    found
        .into_iter()
        .filter(|(name, _)| *name != typed)
        .map(|(name, payload)| lsp::CompletionItem {
            label: label(&name),
            kind: Some(lsp::CompletionItemKind::EnumMember),
            detail: Some(format!("#{name}{payload}")),
            ..Default::default()
        })
        .collect()
}

/// The type of what is matched with the pattern that is being written.
fn matched(marked: &Marked) -> Option<&Ty> {
    let mut around = None;
    marked.analysis.tree(marked.at.file)?.each_binding(&mut |vb| {
        if let Some(Exp { kind: ExpKind::Match(scrutinee, _), .. }) = vb.body.way_to(marked.at).last() {
            around = Some(scrutinee.span);
        }
    });
    marked.analysis.places().type_of(around?)
}

fn in_type(analysis: &Analysis, t: &Ty, found: &mut BTreeMap<Symbol, String>) {
    let mut add = |constrs: &[(Symbol, Vec<Ty>)]| {
        for (c, ts) in constrs {
            found
                .entry(*c)
                .or_insert_with(|| ts.iter().map(|t| format!(" {}", analysis.show_type(t))).collect());
        }
    };
    match &**t {
        TyKind::Sum(constrs) => add(constrs),
        TyKind::Con(id, _) => {
            if let TyIdKind::Rec(Some(def)) = &analysis.names().ty(*id).kind {
                add(&def.constrs);
            }
        }
        TyKind::Array(_, t) | TyKind::Unique(t) => in_type(analysis, t, found),
        TyKind::Prim(_) | TyKind::Record(_) | TyKind::Arrow(_) | TyKind::Meta(_) | TyKind::Error => {}
    }
}
