//! Sizes that were inferred, shown in the text where the user did not write them.
//!
//! Types without sizes are no news: most of them can be seen, and the text would be full of them.

use crate::document::Lines;
use crate::server::{Answer, Server};
use crate::uri::to_path;
use gen_lsp_types as lsp;
use norn_check::Analysis;
use norn_check::places::Meant;
use norn_check::types::Ty;
use norn_syntax::ast::{Exp, ExpKind, Pat, PatKind, ValBind};

pub fn hints(server: &mut Server, params: lsp::InlayHintParams) -> Answer<Option<Vec<lsp::InlayHint>>> {
    let Some(analysis) = server.analysis(&to_path(&params.text_document.uri)) else { return Ok(None) };
    let mut hints =
        Hints { lines: server.lines(&analysis, analysis.file), analysis: &analysis, out: Vec::new() };
    if let Some(tree) = analysis.tree(analysis.file) {
        tree.each_binding(&mut |vb| hints.definition(vb));
    }
    let mut out = hints.out;
    out.retain(|hint| params.range.start <= hint.position && hint.position <= params.range.end);
    out.sort_by_key(|hint| hint.position);
    Ok(Some(out))
}

struct Hints<'a> {
    analysis: &'a Analysis,
    lines: Lines<'a>,
    out: Vec<lsp::InlayHint>,
}

impl Hints<'_> {
    fn definition(&mut self, vb: &ValBind) {
        let found = self.analysis.places().use_at(vb.name.span).filter(|u| u.at == vb.name.span);
        if vb.ret.is_none()
            && let Some(Meant::Value(var)) = found.map(|u| u.meant)
            && let Some(result) = self.analysis.result_type(var, vb.params.len())
        {
            let after = vb.params.iter().map(|p| p.span.hi).chain(vb.tparams.iter().map(|p| p.span.hi)).max();
            self.add(after.unwrap_or(vb.name.span.hi).max(vb.name.span.hi), &result);
        }
        self.exp(&vb.body);
    }

    fn exp(&mut self, e: &Exp) {
        let mut left = vec![e];
        while let Some(e) = left.pop() {
            if let ExpKind::LetPat { pat, .. } = &e.kind {
                self.pattern(pat);
            }
            left.extend(e.parts());
        }
    }

    fn pattern(&mut self, p: &Pat) {
        match &p.kind {
            PatKind::Name(name) => {
                if let Some(t) = self.analysis.places().type_of(name.span).cloned() {
                    self.add(name.span.hi, &t);
                }
            }
            PatKind::Parens(p) | PatKind::Attr(_, p) => self.pattern(p),
            PatKind::Tuple(ps) | PatKind::Constr(_, ps) => ps.iter().for_each(|p| self.pattern(p)),
            PatKind::Record(_)
            | PatKind::Ascript(..)
            | PatKind::Wildcard
            | PatKind::Lit(_)
            | PatKind::Error => {}
        }
    }

    fn add(&mut self, at: u32, t: &Ty) {
        if !t.has_sizes() || t.is_open() {
            return;
        }
        self.out.push(lsp::InlayHint {
            position: self.lines.position(at as usize),
            label: lsp::Label::String(format!(": {}", self.analysis.show_type(t))),
            kind: Some(lsp::InlayHintKind::Type),
            text_edits: None,
            tooltip: None,
            padding_left: None,
            padding_right: None,
            data: None,
        });
    }
}
