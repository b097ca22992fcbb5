//! What each word of the text is: more than a grammar for colours can know.

use crate::server::{Answer, Server};
use crate::uri::to_path;
use gen_lsp_types as lsp;
use norn_base::Span;
use norn_check::Analysis;
use norn_check::places::Meant;
use norn_check::types::TyKind;
use norn_syntax::lexer::{TokenKind, lex};

/// The kinds of words, as the protocol names them; the order is that of the numbers we send.
const KINDS: [&str; 11] = [
    "keyword",
    "comment",
    "string",
    "number",
    "operator",
    "variable",
    "function",
    "type",
    "namespace",
    "property",
    "enumMember",
];

#[derive(Clone, Copy)]
enum Kind {
    Keyword,
    Comment,
    Str,
    Number,
    Operator,
    Variable,
    Function,
    Type,
    Namespace,
    Property,
    EnumMember,
}

pub fn options() -> lsp::SemanticTokensOptions {
    lsp::SemanticTokensOptions {
        legend: lsp::SemanticTokensLegend {
            token_types: KINDS.iter().map(|k| k.to_string()).collect(),
            token_modifiers: Vec::new(),
        },
        range: None,
        full: Some(lsp::Full::Bool(true)),
        work_done_progress_options: Default::default(),
    }
}

pub fn tokens(server: &mut Server, params: lsp::SemanticTokensParams) -> Answer<Option<lsp::SemanticTokens>> {
    let Some(analysis) = server.analysis(&to_path(&params.text_document.uri)) else { return Ok(None) };
    let lines = server.lines(&analysis, analysis.file);
    let mut data = Vec::new();
    let (mut line, mut column) = (0, 0);
    for (span, kind) in words(&analysis, lines.text()) {
        let start = lines.position(span.lo as usize);
        let delta_line = start.line - line;
        let delta_start = if delta_line == 0 { start.character - column } else { start.character };
        data.push(lsp::SemanticToken {
            delta_line,
            delta_start,
            length: lines.length(&lines.text()[span.lo as usize..span.hi as usize]),
            token_type: kind as u32,
            token_modifiers_bitset: 0,
        });
        (line, column) = (start.line, start.character);
    }
    Ok(Some(lsp::SemanticTokens { result_id: None, data }))
}

/// The words of the text in their order, each on one line.
fn words(analysis: &Analysis, text: &str) -> Vec<(Span, Kind)> {
    let lexed = lex(analysis.file, text);
    let mut words: Vec<(Span, Kind)> = Vec::new();
    for comment in &lexed.comments.list {
        words.push((comment.span, Kind::Comment));
    }
    let mut after_dot = false;
    for t in &lexed.tokens {
        let span = Span::new(analysis.file, t.lo as usize, t.hi as usize);
        let kind = match t.kind {
            TokenKind::Name => Some(name(analysis, span, after_dot)),
            TokenKind::Constructor => Some(Kind::EnumMember),
            TokenKind::Number => Some(Kind::Number),
            TokenKind::Str | TokenKind::Char => Some(Kind::Str),
            TokenKind::Hole => Some(Kind::Keyword),
            kind if kind.is_keyword() => Some(Kind::Keyword),
            kind if kind.is_operator_text() || kind == TokenKind::QualOperator => Some(Kind::Operator),
            _ => None,
        };
        words.extend(kind.map(|kind| (span, kind)));
        after_dot = t.kind == TokenKind::Dot;
    }
    words.sort_by_key(|(span, _)| *span);
    words.into_iter().flat_map(|(span, kind)| on_lines(text, span).map(move |s| (s, kind))).collect()
}

fn name(analysis: &Analysis, span: Span, after_dot: bool) -> Kind {
    let found = analysis.places().use_at(span).filter(|u| u.at == span);
    match found.map(|u| (u, u.meant)) {
        Some((u, Meant::Value(var))) => {
            let t = analysis.places().type_of(u.of).or_else(|| analysis.plain_value_type(var));
            match t.map(|t| &**t) {
                Some(TyKind::Arrow(_)) => Kind::Function,
                _ => Kind::Variable,
            }
        }
        Some((_, Meant::Type)) => Kind::Type,
        Some((_, Meant::Module(_) | Meant::ModuleType)) => Kind::Namespace,
        None if after_dot => Kind::Property,
        None => Kind::Variable,
    }
}

/// Documentation and strings can go over several lines.
fn on_lines(text: &str, span: Span) -> impl Iterator<Item = Span> {
    let mut lo = span.lo as usize;
    text[lo..span.hi as usize].split_inclusive('\n').filter_map(move |line| {
        let start = lo;
        lo += line.len();
        let words = line.trim_end_matches(['\n', '\r']);
        let indent = words.len() - words.trim_start().len();
        let (from, to) = (start + indent, start + words.len());
        (from < to).then(|| Span::new(span.file, from, to))
    })
}
