//! Renaming a definition with all its uses.
//!
//! The renamed programs are checked before the editor gets to see them: every name must still mean what it meant. So a new name that
//! hides another one, or that another one hides, is refused and not left to be found out.

use crate::define::Everywhere;
use crate::server::{Answer, Server};
use gen_lsp_types as lsp;
use norn_base::{FileId, Span};
use norn_check::{Analysis, shipped_file};
use norn_syntax::ast::{Exp, ExpKind, Pat, PatKind, Prog};
use norn_syntax::lexer::{TokenKind, lex};
use std::collections::{BTreeMap, HashMap, HashSet};

pub fn prepare(
    server: &mut Server,
    params: lsp::PrepareRenameParams,
) -> Answer<Option<lsp::PrepareRenameResult>> {
    let Some(cursor) = server.cursor(&params.text_document_position_params) else { return Ok(None) };
    let Some(found) = cursor.analysis.places().use_at(cursor.at()) else { return Ok(None) };
    if is_given(&cursor.analysis, found.of) {
        return Err("This is a name of the prelude.".into());
    }
    let range = server.lines(&cursor.analysis, found.at.file).range(found.at);
    Ok(Some(lsp::PrepareRenameResult::Range(range)))
}

pub fn rename(server: &mut Server, params: lsp::RenameParams) -> Answer<Option<lsp::WorkspaceEdit>> {
    let Some(cursor) = server.cursor(&params.text_document_position_params) else { return Ok(None) };
    let Some(found) = cursor.analysis.places().use_at(cursor.at()) else {
        return Err("There is no name here that can be renamed.".into());
    };
    let old = cursor.analysis.sources().text(found.at);
    let new = params.new_name.trim();
    if kind_of_name(new).is_none() || kind_of_name(new) != kind_of_name(old) {
        return Err(format!("`{new}` cannot stand in place of `{old}`."));
    }
    let everywhere = Everywhere::of(server, &cursor).ok_or("There is no name here.")?;
    if everywhere.definition.iter().any(|(path, ..)| shipped_file(path).is_some() || path == "intrinsics") {
        return Err("This is a name of the prelude.".into());
    }
    let mut changes = HashMap::new();
    let mut renamed = BTreeMap::new();
    for (path, analysis, uses) in &everywhere.files {
        let tree = analysis.tree(analysis.file).ok_or("The file cannot be parsed.")?;
        let puns = puns(tree);
        let mut edits: Vec<(Span, String)> = Vec::new();
        for u in uses.iter().filter(|u| analysis.sources().text(u.at) == old) {
            let replacement = if puns.contains(&u.at) { format!("{old} = {new}") } else { new.to_string() };
            edits.push((u.at, replacement));
        }
        let lines = server.lines(analysis, analysis.file);
        renamed.insert(path.clone(), edited(lines.text(), &edits));
        let edit = |(span, new_text)| lsp::TextEdit { range: lines.range(span), new_text };
        changes.insert(server.uri_of(path), edits.into_iter().map(edit).collect());
    }
    for (path, analysis, _) in &everywhere.files {
        // Where there are errors, nobody knows what names mean.
        if !analysis.diagnostics.has_errors()
            && shape(&server.check_among(path, &renamed[path], &renamed)) != shape(analysis)
        {
            return Err(format!("`{new}` means something else in `{path}`, where `{old}` is used."));
        }
    }
    Ok(Some(lsp::WorkspaceEdit { changes: Some(changes), ..Default::default() }))
}

fn is_given(analysis: &Analysis, of: Span) -> bool {
    let name = &analysis.sources().file(of.file).name;
    shipped_file(name).is_some() || name == "intrinsics"
}

/// A word, or an operator; nothing else is a name.
fn kind_of_name(text: &str) -> Option<bool> {
    let tokens = lex(FileId(0), text).tokens;
    let [only, _] = &tokens[..] else { return None };
    let whole = only.lo == 0 && only.hi as usize == text.len();
    match only.kind {
        TokenKind::Name if whole => Some(true),
        kind if whole && kind.is_operator_text() => Some(false),
        _ => None,
    }
}

fn edited(text: &str, edits: &[(Span, String)]) -> String {
    let mut out = String::new();
    let mut done = 0;
    for (span, replacement) in edits {
        out.push_str(&text[done..span.lo as usize]);
        out.push_str(replacement);
        done = span.hi as usize;
    }
    out + &text[done..]
}

/// What does not change if names change: how many errors there are, and for each name of the file which definition it means: the
/// how many-th name of this file, or one of another file.
fn shape(analysis: &Analysis) -> (usize, Vec<Result<usize, &str>>) {
    let own = analysis.places().uses().iter().filter(|u| u.at.file == analysis.file);
    let number: HashMap<Span, usize> = own.clone().enumerate().map(|(i, u)| (u.at, i)).collect();
    let means = |of: Span| match number.get(&of) {
        Some(i) => Ok(*i),
        None => Err(analysis.sources().file(of.file).name.as_str()),
    };
    (analysis.diagnostics.error_count(), own.map(|u| means(u.of)).collect())
}

/// The names that stand for a field and for a variable at once: `{x}`.
fn puns(tree: &Prog) -> HashSet<Span> {
    let mut puns = HashSet::new();
    tree.each_binding(&mut |vb| {
        vb.params.iter().for_each(|p| in_pat(p, &mut puns));
        in_exp(&vb.body, &mut puns);
    });
    puns
}

fn in_exp(e: &Exp, puns: &mut HashSet<Span>) {
    let mut left = vec![e];
    while let Some(e) = left.pop() {
        match &e.kind {
            ExpKind::Record(fields) => {
                puns.extend(fields.iter().filter(|f| f.value.is_none()).map(|f| f.name.span));
            }
            ExpKind::LetPat { pat, .. } => in_pat(pat, puns),
            ExpKind::Lambda { params, .. } => params.iter().for_each(|p| in_pat(p, puns)),
            ExpKind::LetFun(f) => f.params.iter().for_each(|p| in_pat(p, puns)),
            ExpKind::Loop(l) => {
                in_pat(&l.pat, puns);
                if let norn_syntax::ast::LoopForm::ForIn(p, _) = &l.form {
                    in_pat(p, puns);
                }
            }
            ExpKind::Match(_, cases) => cases.iter().for_each(|c| in_pat(&c.pat, puns)),
            _ => {}
        }
        left.extend(e.parts());
    }
}

fn in_pat(p: &Pat, puns: &mut HashSet<Span>) {
    match &p.kind {
        PatKind::Parens(p) | PatKind::Ascript(p, _) | PatKind::Attr(_, p) => in_pat(p, puns),
        PatKind::Tuple(ps) | PatKind::Constr(_, ps) => ps.iter().for_each(|p| in_pat(p, puns)),
        PatKind::Record(fields) => {
            for f in fields {
                if f.pat.is_none() || f.punned {
                    puns.insert(f.name.span);
                }
                f.pat.iter().for_each(|p| in_pat(p, puns));
            }
        }
        PatKind::Name(_) | PatKind::Wildcard | PatKind::Lit(_) | PatKind::Error => {}
    }
}
