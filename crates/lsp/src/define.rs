//! Where a name is defined, and where it is used, in this file and in others.

use crate::server::{Answer, Cursor, Server};
use gen_lsp_types as lsp;
use norn_base::Span;
use norn_check::places::Use;
use norn_check::{Analysis, import_path};
use std::collections::BTreeSet;
use std::rc::Rc;

pub fn definition(
    server: &mut Server,
    params: lsp::DefinitionParams,
) -> Answer<Option<lsp::DefinitionResponse>> {
    let Some(cursor) = server.cursor(&params.text_document_position_params) else { return Ok(None) };
    if let Some(location) = imported_file(server, &cursor) {
        return Ok(Some(lsp::Definition::Location(location).into()));
    }
    let Some(found) = cursor.analysis.places().use_at(cursor.at()) else { return Ok(None) };
    let at = cursor.analysis.places().implementation(found.of);
    Ok(server.location(&cursor.analysis, at).map(|l| lsp::Definition::Location(l).into()))
}

pub fn declaration(
    server: &mut Server,
    params: lsp::DeclarationParams,
) -> Answer<Option<lsp::DeclarationResponse>> {
    let Some(cursor) = server.cursor(&params.text_document_position_params) else { return Ok(None) };
    let Some(found) = cursor.analysis.places().use_at(cursor.at()) else { return Ok(None) };
    Ok(server.location(&cursor.analysis, found.of).map(|l| lsp::Declaration::Location(l).into()))
}

pub fn references(server: &mut Server, params: lsp::ReferenceParams) -> Answer<Option<Vec<lsp::Location>>> {
    let Some(cursor) = server.cursor(&params.text_document_position_params) else { return Ok(None) };
    let Some(everywhere) = Everywhere::of(server, &cursor) else { return Ok(None) };
    let mut locations = Vec::new();
    for (_, analysis, uses) in &everywhere.files {
        for found in uses {
            if params.context.include_declaration || found.at != found.of {
                locations.extend(server.location(analysis, found.at));
            }
        }
    }
    Ok(Some(locations))
}

pub fn highlights(
    server: &mut Server,
    params: lsp::DocumentHighlightParams,
) -> Answer<Option<Vec<lsp::DocumentHighlight>>> {
    let Some(cursor) = server.cursor(&params.text_document_position_params) else { return Ok(None) };
    let places = cursor.analysis.places();
    let Some(found) = places.use_at(cursor.at()) else { return Ok(None) };
    let lines = server.lines(&cursor.analysis, cursor.analysis.file);
    let same = places.same_definition(found.of);
    let own = places.uses().iter().filter(|u| u.at.file == cursor.analysis.file && same.contains(&u.of));
    let highlight = |u: &Use| lsp::DocumentHighlight { range: lines.range(u.at), kind: None };
    Ok(Some(own.map(highlight).collect()))
}

/// A definition: a file, and the place of a name in it. The numbers of files differ from one analysis to the next.
type Key = (String, u32, u32);

fn key(analysis: &Analysis, span: Span) -> Key {
    (analysis.sources().file(span.file).name.clone(), span.lo, span.hi)
}

/// All uses of a definition in all programs that can see it.
pub struct Everywhere {
    /// The places of the definition; several if a module type and modules specify it together.
    pub definition: BTreeSet<Key>,
    pub files: Vec<(String, Rc<Analysis>, Vec<Use>)>,
}

impl Everywhere {
    pub fn of(server: &mut Server, cursor: &Cursor) -> Option<Everywhere> {
        let found = cursor.analysis.places().use_at(cursor.at())?;
        let name = cursor.analysis.sources().text(found.at).to_string();
        let home = cursor.analysis.sources().file(found.of.file).name.clone();
        // What is bound inside of a definition has its type noted at that place, and is not seen by other files.
        let is_local = home == cursor.path && cursor.analysis.places().type_of(found.of).is_some();
        let mut files = vec![(cursor.path.clone(), cursor.analysis.clone())];
        let mut others = BTreeSet::new();
        if !is_local {
            // Where it is defined may be outside of the folders that the editor works in.
            others.extend(server.all_programs().into_iter().chain([home.clone()]));
        }
        others.remove(&cursor.path);
        for path in others {
            let can_see = |text: &str| text.contains(&name) && (path == home || text.contains("import"));
            if server.text_of(&path).is_some_and(|text| can_see(&text)) {
                files.extend(server.analysis_of_file(&path).map(|analysis| (path, analysis)));
            }
        }
        let mut definition = BTreeSet::from([key(&cursor.analysis, found.of)]);
        // One file may link what another one links further.
        loop {
            let before = definition.len();
            for (_, analysis) in &files {
                let known: Vec<Span> = definition.iter().filter_map(|k| span(analysis, k)).collect();
                for of in known {
                    definition
                        .extend(analysis.places().same_definition(of).iter().map(|s| key(analysis, *s)));
                }
            }
            if definition.len() == before {
                break;
            }
        }
        let uses_in = |analysis: &Rc<Analysis>| -> Vec<Use> {
            let own = analysis.places().uses().iter().filter(|u| u.at.file == analysis.file);
            own.filter(|u| definition.contains(&key(analysis, u.of))).copied().collect()
        };
        let files =
            files.into_iter().map(|(path, a)| (path, a.clone(), uses_in(&a))).filter(|(.., u)| !u.is_empty());
        let files = files.collect();
        Some(Everywhere { definition, files })
    }
}

fn span(analysis: &Analysis, (path, lo, hi): &Key) -> Option<Span> {
    let file = analysis.sources().files().iter().position(|f| f.name == *path)?;
    Some(Span::new(norn_base::FileId(file as u32), *lo as usize, *hi as usize))
}

/// The file that the import under the cursor names.
fn imported_file(server: &Server, cursor: &Cursor) -> Option<lsp::Location> {
    let tree = cursor.analysis.tree(cursor.analysis.file)?;
    let mut found = None;
    tree.each_import(&mut |lit| {
        if lit.span.lo <= cursor.at().lo && cursor.at().lo <= lit.span.hi {
            found = Some(lit);
        }
    });
    let lit = found?;
    let path = import_path(&cursor.path, &lit.text);
    cursor
        .analysis
        .imports
        .contains(&path)
        .then(|| lsp::Location { uri: server.uri_of(&path), range: Default::default() })
}
