//! Tokens to surface tree.
//!
//! A parser by hand, one function for each part of the grammar, in files by subject. It looks a
//! bounded number of tokens ahead and never back, so it is linear. A function that meets text it
//! cannot make sense of reports it and returns `Failed`; whoever can go on (a list at its next
//! comma, a bracket at its end, a `let` at its `in`, a file at its next declaration) puts an
//! `Error` node there instead. What has failed is thus reported once.

mod attr;
mod control;
mod dec;
mod docs;
mod exp;
mod foreign;
mod limits;
mod module;
mod names;
pub(crate) mod operators;
mod parens;
mod pat;
mod recover;
mod report;
mod tails;
mod types;

use crate::ast::*;
use crate::comments::Comments;
use crate::lexer::{DocComment, Lexed, Token, TokenKind, lex};
use norn_base::{Diagnostics, FileId, Span};
use std::iter::Peekable;
use std::vec;

/// What came of a file.
#[derive(Debug)]
pub struct Parsed {
    pub prog: Prog,
    pub comments: Comments,
    pub diagnostics: Diagnostics,
}

/// The tree of a whole file. Where the text makes no sense the tree has an `Error` node and the
/// diagnostics say why.
///
/// The tree is at most `limits::MAX_NESTING` brackets and `limits::MAX_CHAIN` links deep. Parsing
/// recurses on the former, dropping the tree on both; a stack of 256 MiB is enough.
pub fn parse(file: FileId, text: &str, ids: &mut NodeIds) -> Parsed {
    let mut parser = Parser::new(file, text, ids);
    let prog = parser.prog();
    parser.finish(prog)
}

/// The tree of a text that is a single expression.
pub fn parse_exp(file: FileId, text: &str, ids: &mut NodeIds) -> (Exp, Diagnostics) {
    let mut parser = Parser::new(file, text, ids);
    let exp = match parser.exp() {
        Ok(exp) => {
            if !parser.at(TokenKind::Eof) {
                parser.unexpected("the end of the expression");
            }
            exp
        }
        Err(Failed) => parser.new_exp(ExpKind::Error, Span::new(file, 0, text.len())),
    };
    parser.report_misplaced_docs();
    (exp, parser.reports.into_sorted())
}

/// Something could not be parsed, and a diagnostic has been given.
struct Failed;

type Parse<T> = Result<T, Failed>;

struct Parser<'a> {
    file: FileId,
    text: &'a str,
    tokens: Vec<Token>,
    /// The index of the next token; the last one, `Eof`, is never passed.
    pos: usize,
    /// Documentation comments in source order, those not yet given to a declaration.
    docs: Peekable<vec::IntoIter<DocComment>>,
    comments: Comments,
    ids: &'a mut NodeIds,
    reports: report::Reports,
    /// The tokens at which the constructs under way can go on after an error, outermost first.
    awaited: recover::TokenStack,
    depth: limits::Depth,
}

impl<'a> Parser<'a> {
    fn new(file: FileId, text: &'a str, ids: &'a mut NodeIds) -> Parser<'a> {
        let Lexed { tokens, docs, comments, problems } = lex(file, text);
        let mut reports = report::Reports::default();
        for problem in problems {
            reports.push(problem);
        }
        Parser {
            file,
            text,
            tokens,
            pos: 0,
            docs: docs.into_iter().peekable(),
            comments,
            ids,
            reports,
            awaited: recover::TokenStack::default(),
            depth: limits::Depth::default(),
        }
    }

    fn finish(mut self, prog: Prog) -> Parsed {
        self.report_misplaced_docs();
        Parsed { prog, comments: self.comments, diagnostics: self.reports.into_sorted() }
    }

    fn nth(&self, n: usize) -> TokenKind {
        self.tokens.get(self.pos + n).map_or(TokenKind::Eof, |t| t.kind)
    }

    fn kind(&self) -> TokenKind {
        self.tokens[self.pos].kind
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    fn span_of(&self, token: Token) -> Span {
        Span { file: self.file, lo: token.lo, hi: token.hi }
    }

    /// The place of the next token.
    fn span(&self) -> Span {
        self.span_of(self.tokens[self.pos])
    }

    /// The place of the token before the next.
    fn last_span(&self) -> Span {
        match self.pos.checked_sub(1) {
            Some(last) => self.span_of(self.tokens[last]),
            None => Span::new(self.file, 0, 0),
        }
    }

    /// From the start of `start` to the end of the last token read.
    fn span_from(&self, start: Span) -> Span {
        start.to(self.last_span())
    }

    fn text_of(&self, span: Span) -> &'a str {
        &self.text[span.lo as usize..span.hi as usize]
    }

    /// Reads the next token.
    fn bump(&mut self) -> Span {
        let span = self.span();
        if !self.at(TokenKind::Eof) {
            self.pos += 1;
        }
        span
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let eats = self.at(kind);
        if eats {
            self.bump();
        }
        eats
    }

    fn new_exp(&mut self, kind: ExpKind, span: Span) -> Exp {
        Exp { kind, id: self.ids.fresh(), span }
    }

    fn new_pat(&mut self, kind: PatKind, span: Span) -> Pat {
        Pat { kind, id: self.ids.fresh(), span }
    }

    fn new_type(&mut self, kind: TypeExpKind, span: Span) -> TypeExp {
        TypeExp { kind, id: self.ids.fresh(), span }
    }

    fn new_mod(&mut self, kind: ModExpKind, span: Span) -> ModExp {
        ModExp { kind, id: self.ids.fresh(), span }
    }

    fn new_mod_type(&mut self, kind: ModTypeExpKind, span: Span) -> ModTypeExp {
        ModTypeExp { kind, id: self.ids.fresh(), span }
    }
}
