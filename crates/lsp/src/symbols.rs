//! The outline of a file.

use crate::document::Lines;
use crate::server::{Answer, Server};
use crate::uri::to_path;
use gen_lsp_types as lsp;
use norn_base::{Span, Symbol};
use norn_check::{Analysis, shipped_file};
use norn_syntax::ast::{
    Dec, DecKind, ModExp, ModExpKind, ModTypeExp, ModTypeExpKind, NodeIds, Spec, SpecKind, TypeExp,
    TypeExpKind,
};

pub fn symbols(
    server: &mut Server,
    params: lsp::DocumentSymbolParams,
) -> Answer<Option<lsp::DocumentSymbolResponse>> {
    let Some(analysis) = server.analysis(&to_path(&params.text_document.uri)) else { return Ok(None) };
    let outline = Outline { analysis: &analysis, lines: server.lines(&analysis, analysis.file) };
    let list = analysis.tree(analysis.file).map_or_else(Vec::new, |tree| outline.decs(&tree.decs));
    Ok(Some(lsp::DocumentSymbolResponse::DocumentSymbolList(list)))
}

/// The declarations of all programs whose names have what is asked for, as far as anybody reads.
pub fn workspace(
    server: &mut Server,
    params: lsp::WorkspaceSymbolParams,
) -> Answer<Option<lsp::WorkspaceSymbolResponse>> {
    const MOST: usize = 300;
    let cursor = params.query.to_lowercase();
    let mut found = Vec::new();
    for path in server.all_programs() {
        let Some(text) = server.text_of(&path) else { continue };
        let tree = norn_syntax::parse(norn_base::FileId(0), &text, &mut NodeIds::default()).prog;
        let (lines, uri) = (Lines::new(&text, server.encoding), server.uri_of(&path));
        let mut add = |name: norn_syntax::ast::Ident, kind| {
            if found.len() < MOST && name.name.as_str().to_lowercase().contains(&cursor) {
                let location = lsp::Location { uri: uri.clone(), range: lines.range(name.span) };
                let base = lsp::BaseSymbolInformation {
                    name: name.name.to_string(),
                    kind,
                    tags: None,
                    container_name: None,
                };
                found.push(lsp::WorkspaceSymbol {
                    location: location.into(),
                    data: None,
                    base_symbol_information: base,
                });
            }
        };
        tree.each_dec(&mut |d| match &d.kind {
            DecKind::Vals(group) => group.iter().for_each(|vb| add(vb.name, lsp::SymbolKind::Function)),
            DecKind::Types(group) => group.iter().for_each(|tb| add(tb.name, lsp::SymbolKind::Struct)),
            DecKind::Mod(m) => add(m.name, lsp::SymbolKind::Module),
            DecKind::ModType(m) => add(m.name, lsp::SymbolKind::Interface),
            DecKind::Open(_) | DecKind::Import(_) | DecKind::Local(_) | DecKind::Error => {}
        });
    }
    Ok(Some(lsp::WorkspaceSymbolResponse::WorkspaceSymbolList(found)))
}

struct Outline<'a> {
    analysis: &'a Analysis,
    lines: Lines<'a>,
}

impl Outline<'_> {
    fn decs(&self, decs: &[Dec]) -> Vec<lsp::DocumentSymbol> {
        decs.iter().flat_map(|d| self.dec(d)).collect()
    }

    fn dec(&self, d: &Dec) -> Vec<lsp::DocumentSymbol> {
        use lsp::SymbolKind as Kind;
        match &d.kind {
            DecKind::Vals(group) => {
                let kind = |params: usize| if params == 0 { Kind::Constant } else { Kind::Function };
                let all = group.iter();
                all.map(|vb| self.symbol(vb.name.name, kind(vb.params.len()), vb.span, vb.name.span, vec![]))
                    .collect()
            }
            DecKind::Types(group) => {
                let all = group.iter();
                all.map(|tb| self.symbol(tb.name.name, Kind::Struct, tb.span, tb.name.span, vec![])).collect()
            }
            DecKind::Mod(m) => {
                let inner = self.module(&m.body);
                vec![self.symbol(m.name.name, Kind::Module, m.span, m.name.span, inner)]
            }
            DecKind::ModType(m) => {
                let inner = self.module_type(&m.body);
                vec![self.symbol(m.name.name, Kind::Interface, m.span, m.name.span, inner)]
            }
            DecKind::Open(m) => self.module(m),
            DecKind::Local(d) => self.dec(d),
            DecKind::Import(_) | DecKind::Error => Vec::new(),
        }
    }

    fn module(&self, m: &ModExp) -> Vec<lsp::DocumentSymbol> {
        match &m.kind {
            ModExpKind::Decs(decs) => self.decs(decs),
            ModExpKind::Parens(m) | ModExpKind::Ascript(m, _) | ModExpKind::Lambda(_, _, m) => self.module(m),
            ModExpKind::Var(_) | ModExpKind::Import(_) | ModExpKind::Apply(..) | ModExpKind::Error => {
                Vec::new()
            }
        }
    }

    fn module_type(&self, m: &ModTypeExp) -> Vec<lsp::DocumentSymbol> {
        match &m.kind {
            ModTypeExpKind::Specs(specs) => specs.iter().filter_map(|s| self.spec(s)).collect(),
            ModTypeExpKind::Parens(m) | ModTypeExpKind::With(m, _) => self.module_type(m),
            ModTypeExpKind::Var(_) | ModTypeExpKind::Arrow(..) | ModTypeExpKind::Error => Vec::new(),
        }
    }

    fn spec(&self, s: &Spec) -> Option<lsp::DocumentSymbol> {
        use lsp::SymbolKind as Kind;
        let (name, kind, inner) = match &s.kind {
            SpecKind::Val { name, .. } => (name, Kind::Function, Vec::new()),
            SpecKind::AbstractType { name, .. } => (name, Kind::Struct, Vec::new()),
            SpecKind::TypeAbbr(tb) => (&tb.name, Kind::Struct, Vec::new()),
            SpecKind::Mod { name, sig } => (name, Kind::Module, self.module_type(sig)),
            SpecKind::Include(_) | SpecKind::Error => return None,
        };
        Some(self.symbol(name.name, kind, s.span, name.span, inner))
    }

    fn symbol(
        &self,
        name: Symbol,
        kind: lsp::SymbolKind,
        whole: Span,
        at: Span,
        children: Vec<lsp::DocumentSymbol>,
    ) -> lsp::DocumentSymbol {
        let found = self.analysis.places().use_at(at).filter(|u| u.at == at);
        let detail = match found.map(|u| u.meant) {
            Some(norn_check::places::Meant::Value(var)) => self.analysis.value_type(var),
            _ => None,
        };
        #[allow(deprecated)]
        lsp::DocumentSymbol {
            name: name.to_string(),
            detail,
            kind,
            tags: None,
            deprecated: None,
            range: self.lines.range(whole.to(at)),
            selection_range: self.lines.range(at),
            children: Some(children).filter(|c| !c.is_empty()),
        }
    }
}

/// The constructors of the types that are declared in the files of a program.
pub fn declared_constructors(analysis: &Analysis) -> Vec<Symbol> {
    let mut found = Vec::new();
    for (i, file) in analysis.sources().files().iter().enumerate() {
        if shipped_file(&file.name).is_none()
            && let Some(tree) = analysis.tree(norn_base::FileId(i as u32))
        {
            tree.each_dec(&mut |d| {
                if let DecKind::Types(group) = &d.kind {
                    group.iter().for_each(|tb| in_type(&tb.body, &mut found));
                }
            });
        }
    }
    found
}

fn in_type(t: &TypeExp, found: &mut Vec<Symbol>) {
    match &t.kind {
        TypeExpKind::Sum(constrs) => found.extend(constrs.iter().map(|(c, _)| c.name)),
        TypeExpKind::Parens(t) => in_type(t, found),
        _ => {}
    }
}
