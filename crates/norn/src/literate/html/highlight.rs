//! Code with its words coloured, as the lexer of the language sees them.

use super::markdown::escape;
use norn_base::{Prim, SourceMap};
use norn_syntax::lexer::{TokenKind, lex};

/// A program or a part of one as HTML.
pub fn highlight(code: &str) -> String {
    let mut sources = SourceMap::default();
    let lexed = lex(sources.add("", code), code);
    let mut marks: Vec<(usize, usize, &str)> = Vec::new();
    for token in &lexed.tokens {
        let (lo, hi) = (token.lo as usize, token.hi as usize);
        marks.extend(class(token.kind, &code[lo..hi]).map(|class| (lo, hi, class)));
    }
    marks.extend(lexed.comments.list.iter().map(|c| (c.span.lo as usize, c.span.hi as usize, "comment")));
    marks.sort_unstable();
    let (mut out, mut at) = (String::new(), 0);
    for (lo, hi, class) in marks {
        out += &escape(&code[at..lo]);
        out += &format!("<span class=\"{class}\">{}</span>", escape(&code[lo..hi]));
        at = hi;
    }
    out + &escape(&code[at..])
}

fn class(kind: TokenKind, text: &str) -> Option<&'static str> {
    match kind {
        TokenKind::True | TokenKind::False | TokenKind::Number => Some("number"),
        TokenKind::Str | TokenKind::Char => Some("text"),
        TokenKind::Constructor => Some("constructor"),
        TokenKind::Name => Prim::from_name(text).map(|_| "type"),
        kind if kind.is_keyword() => Some("keyword"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_classes() {
        assert_eq!(
            highlight("def f (x: i32) = x < 1 -- why"),
            "<span class=\"keyword\">def</span> f (x: <span class=\"type\">i32</span>) = x &lt; \
             <span class=\"number\">1</span> <span class=\"comment\">-- why</span>"
        );
    }
}
