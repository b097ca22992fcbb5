//! Brackets, lists, and how to go on after an error.
//!
//! Whoever can go on at some token, should the text before it fail, puts that token on the stack
//! `awaited` for the while. Skipping then knows where to stop: an inner construct must not run
//! past the place where an outer one can go on.

use super::{Failed, Parse, Parser};
use crate::lexer::TokenKind;
use norn_base::{Diagnostic, Span, codes};

/// Whether commas may stand in a row.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Commas {
    Single,
    Repeated,
}

impl Parser<'_> {
    /// Parses a bracket and its contents. If these fail but the end is found, they are what
    /// `error` makes.
    pub(super) fn bracketed<T>(
        &mut self,
        contents: impl FnOnce(&mut Self) -> Parse<T>,
        error: impl FnOnce() -> T,
    ) -> Parse<T> {
        let Some(closer) = self.kind().closer() else {
            return Err(self.unexpected("a bracket"));
        };
        let opened = self.bump();
        let result = self.awaiting(&[closer], contents);
        match result {
            Ok(inner) => self.close(closer, opened).map(|()| inner),
            Err(failed) => {
                if !self.skip_to(&[closer]) {
                    return Err(failed);
                }
                self.bump();
                Ok(error())
            }
        }
    }

    /// Reads the end of the innermost bracket, which began at `opened`.
    fn close(&mut self, closer: TokenKind, opened: Span) -> Parse<()> {
        if self.eat(closer) {
            return Ok(());
        }
        let place = self.span();
        if self.at(TokenKind::Eof) || self.at_declaration_start() {
            return Err(self.report_unclosed(closer, opened, self.last_span().at_end()));
        }
        if self.at_outer_end() {
            self.report_unclosed(closer, opened, place);
            return Ok(());
        }
        if self.kind().is_closer() {
            self.report_mismatch(closer, opened);
            self.bump();
            return Ok(());
        }
        let problem = self.problem(&format!("`{}`", closer.spelling()));
        if self.skip_to(&[closer]) {
            self.bump();
            problem.into_iter().for_each(|p| self.reports.push(p));
            return Ok(());
        }
        Err(if problem.is_some() { self.report_unclosed(closer, opened, place) } else { Failed })
    }

    /// Parses what stands between commas up to `closer`, which it leaves. An item that fails is
    /// what `error` makes, and the list goes on after the next comma.
    pub(super) fn comma_list<T>(
        &mut self,
        closer: TokenKind,
        commas: Commas,
        mut item: impl FnMut(&mut Self) -> Parse<T>,
        mut error: impl FnMut(&mut Self, Span) -> T,
    ) -> Parse<Vec<T>> {
        let mut list = Vec::new();
        while !self.at(closer) {
            list.push(self.or_skip(&[TokenKind::Comma, closer], &mut item, &mut error)?);
            if self.at_list_end() {
                break;
            }
            if !self.eat(TokenKind::Comma) {
                let failed = self.unexpected(&format!("`,` or `{}`", closer.spelling()));
                if !self.skip_to(&[TokenKind::Comma, closer]) {
                    return Err(failed);
                }
                self.eat(TokenKind::Comma);
            }
            while commas == Commas::Repeated && self.eat(TokenKind::Comma) {}
        }
        Ok(list)
    }

    /// At the end of a list in brackets, the right one or not.
    fn at_list_end(&self) -> bool {
        self.kind().is_closer()
            || self.at_outer_end()
            || self.at(TokenKind::Eof)
            || self.at_declaration_start()
    }

    /// At a bracket or keyword with which a surrounding construct can go on.
    fn at_outer_end(&self) -> bool {
        let kind = self.kind();
        let ends = match kind {
            TokenKind::Let => self.tokens[self.pos].first_on_line,
            TokenKind::Case => true,
            _ => is_end(kind),
        };
        ends && self.awaited.contains(kind)
    }

    /// Parses something; if that fails, goes on to the next of `stops` and takes what `error`
    /// makes of the text up to there. Fails only where no such place is found.
    pub(super) fn or_skip<T>(
        &mut self,
        stops: &[TokenKind],
        parse: impl FnOnce(&mut Self) -> Parse<T>,
        error: impl FnOnce(&mut Self, Span) -> T,
    ) -> Parse<T> {
        let start = self.span();
        self.awaiting(stops, parse).or_else(|failed| {
            if !self.skip_to(stops) {
                return Err(failed);
            }
            let span = self.skipped_span(start);
            Ok(error(self, span))
        })
    }

    fn awaiting<T>(&mut self, stops: &[TokenKind], parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        for stop in stops {
            self.awaited.push(*stop);
        }
        let result = parse(self);
        for _ in stops {
            self.awaited.pop();
        }
        result
    }

    /// From `start` to the last token passed; empty if none was.
    pub(super) fn skipped_span(&self, start: Span) -> Span {
        if self.span().lo > start.lo { self.span_from(start) } else { start.at_start() }
    }

    /// Passes over tokens, and whole constructs, up to one of `stops`. Stops short of it, and says
    /// no, where a surrounding construct can go on or a declaration begins.
    pub(super) fn skip_to(&mut self, stops: &[TokenKind]) -> bool {
        let mut skipped = Skipped::default();
        while !self.at(TokenKind::Eof) && !self.at_declaration_start() {
            let kind = self.kind();
            if !skipped.ends_with(kind) {
                let is_stop = stops.contains(&kind) && (skipped.is_complete() || kind.is_closer());
                // Elsewhere on a line a `let` begins a new construct.
                if is_stop && (kind != TokenKind::Let || self.tokens[self.pos].first_on_line) {
                    return true;
                }
                if self.at_outer_end() && (skipped.is_complete() || kind.is_closer()) {
                    return false;
                }
                skipped.begin(kind);
            }
            self.bump();
        }
        false
    }

    /// Passes over tokens up to the next declaration, or the end of the declarations.
    pub(super) fn skip_declaration(&mut self) {
        self.skip_to(&[]);
    }

    /// At a keyword that begins a declaration or specification, the first of its line. Only there
    /// can we be sure that it does not stand there by mistake.
    pub(super) fn at_declaration_start(&self) -> bool {
        use TokenKind::*;
        let token = self.tokens[self.pos];
        token.first_on_line
            && match token.kind {
                Def | Entry | Type | Module | Open | Import | Local | Val | Include => true,
                // Further in it would begin a local binding, an attribute of an expression.
                Let | AttrBracket => self.at_margin(),
                With => matches!(self.nth(1), Def | Entry | Type),
                _ => false,
            }
    }

    /// The next token has no blanks before it on its line.
    pub(super) fn at_margin(&self) -> bool {
        let before = &self.text[..self.span().lo as usize];
        before.is_empty() || before.ends_with('\n')
    }

    fn report_unclosed(&mut self, closer: TokenKind, opened: Span, place: Span) -> Failed {
        if self.at_reported_end() {
            return Failed;
        }
        let message = format!("This {} is never closed.", self.quote(opened));
        self.reports.push(
            Diagnostic::error(codes::UNCLOSED_DELIMITER, opened, message)
                .label("opened here")
                .secondary(place, format!("expected `{}` here", closer.spelling())),
        );
        Failed
    }

    fn report_mismatch(&mut self, closer: TokenKind, opened: Span) {
        let found = self.quote(self.span());
        let message = format!("Expected `{}`, but found {found}.", closer.spelling());
        self.reports.push(
            Diagnostic::error(codes::UNCLOSED_DELIMITER, self.span(), message)
                .label("closes nothing")
                .secondary(opened, "the bracket that should be closed"),
        );
    }
}

/// A stack of tokens that shows at once whether a token is on it: an error must not cost time in
/// proportion to the nesting around it.
pub(super) struct TokenStack {
    stack: Vec<TokenKind>,
    /// By kind.
    counts: [u32; TokenKind::Eof as usize + 1],
}

impl Default for TokenStack {
    fn default() -> TokenStack {
        TokenStack { stack: Vec::new(), counts: [0; TokenKind::Eof as usize + 1] }
    }
}

impl TokenStack {
    fn push(&mut self, kind: TokenKind) {
        self.stack.push(kind);
        self.counts[kind as usize] += 1;
    }

    fn pop(&mut self) -> Option<TokenKind> {
        let kind = self.stack.pop()?;
        self.counts[kind as usize] -= 1;
        Some(kind)
    }

    fn contains(&self, kind: TokenKind) -> bool {
        self.counts[kind as usize] > 0
    }
}

/// Tokens that end a construct, or a part of one, that began with another token.
fn is_end(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, RParen | RBracket | RBrace | In | Then | Else | Do)
}

/// The constructs begun and not ended in skipped text, by the token that each waits for.
#[derive(Default)]
struct Skipped {
    waiting: TokenStack,
}

impl Skipped {
    fn is_complete(&self) -> bool {
        self.waiting.stack.is_empty()
    }

    fn begin(&mut self, kind: TokenKind) {
        match kind {
            // One `in` ends a row of them.
            TokenKind::Let if self.waiting.stack.last() == Some(&TokenKind::In) => {}
            TokenKind::Let => self.waiting.push(TokenKind::In),
            TokenKind::If => {
                self.waiting.push(TokenKind::Else);
                self.waiting.push(TokenKind::Then);
            }
            TokenKind::Loop => self.waiting.push(TokenKind::Do),
            _ => {
                if let Some(closer) = kind.closer() {
                    self.waiting.push(closer);
                }
            }
        }
    }

    /// Whether `kind` ends one of the constructs; those begun after it are given up.
    fn ends_with(&mut self, kind: TokenKind) -> bool {
        if !self.waiting.contains(kind) {
            return false;
        }
        while self.waiting.pop().is_some_and(|end| end != kind) {}
        true
    }
}
