//! A program that is being typed, with a name where the next one is going to be.
//!
//! `let y = p.` is no program, but `let y = p.x` is. So what the checker knows of `p` is asked of a text that has a name at the cursor.

use crate::server::Server;
use crate::uri::to_path;
use gen_lsp_types as lsp;
use norn_base::Span;
use norn_check::Analysis;
use norn_syntax::lexer::{Token, TokenKind, lex};
use std::rc::Rc;

pub struct Marked {
    pub analysis: Rc<Analysis>,
    pub tokens: Vec<Token>,
    /// Where the name begins that is being typed.
    pub start: usize,
    /// What has been typed of it.
    pub prefix: String,
    pub at: Span,
}

/// The name that stands for what is being typed.
pub const NAME: &str = "norn";

/// None inside of comments, strings and numbers, and if the document is not known.
pub fn marked(server: &mut Server, place: &lsp::TextDocumentPositionParams) -> Option<Marked> {
    let cursor = server.cursor(place)?;
    let text = server.documents.get(&cursor.path)?.text.clone();
    let offset = cursor.offset;
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let start = text[..offset]
        .rfind(|c| !is_part(c))
        .map_or(0, |i| i + text[i..].chars().next().map_or(1, char::len_utf8));
    let prefix = text[start..offset].to_string();
    if prefix.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let lexed = lex(cursor.analysis.file, &text);
    let inside = |lo: u32, hi: u32| (lo as usize) < offset && offset <= hi as usize;
    let in_comment = lexed.comments.list.iter().any(|c| inside(c.span.lo, c.span.hi));
    let in_literal = |t: &Token| {
        matches!(t.kind, TokenKind::Str | TokenKind::Char)
            && (t.lo as usize) < offset
            && offset < t.hi as usize
    };
    if in_comment || lexed.tokens.iter().any(in_literal) {
        return None;
    }
    let follows = text[offset..].starts_with(is_part);
    // A case has a body.
    let in_case = text[..start].strip_suffix('#').is_some_and(|before| before.trim_end().ends_with("case"))
        && !text[offset..].trim_start().starts_with("->");
    let name = if prefix.is_empty() && !follows { NAME } else { "" };
    let body = if in_case && !follows { " -> ???" } else { "" };
    let (analysis, tokens) = if !name.is_empty() || !body.is_empty() {
        let text = format!("{}{name}{body}{}", &text[..offset], &text[offset..]);
        let path = to_path(&place.text_document.uri);
        let analysis = Rc::new(server.check(&path, &text));
        let tokens = lex(analysis.file, &text).tokens;
        (analysis, tokens)
    } else {
        (cursor.analysis, lexed.tokens)
    };
    let at = Span::new(analysis.file, offset, offset);
    Some(Marked { analysis, tokens, start, prefix, at })
}
