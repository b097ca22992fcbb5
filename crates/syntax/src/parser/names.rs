//! Names, operators and literals: what is made of a few tokens.
//!
//! ```text
//! a.b.c      m.n.+      `f`      (+)      #name      "a\nb"      0x1f_u8
//! ```
//!
//! An operator may contain dots but not begin with one, which separates it from the path before it. A keyword in the place of a name, `==` for `=` and `=>` for `->` are
//! reported and read as what they stand for; a malformed literal is reported and has no value.

use super::{Failed, Parse, Parser};
use crate::ast::*;
use crate::lexer::{TokenKind, escape, number};
use norn_base::{Diagnostic, Span, Symbol, codes};

impl Parser<'_> {
    fn ident_at(&self, span: Span) -> Ident {
        Ident { name: Symbol::new(self.text_of(span)), span }
    }

    /// A name; `what` says of what, with its article.
    pub(super) fn name(&mut self, what: &str) -> Parse<Ident> {
        if !self.at(TokenKind::Name) && !self.take_keyword_as_name(what) {
            return Err(self.unexpected_name(what));
        }
        let span = self.bump();
        Ok(self.ident_at(span))
    }

    /// A keyword where something is defined, before `=` or `:`, is surely meant as a name: it is
    /// reported and can be read as one.
    pub(super) fn take_keyword_as_name(&mut self, what: &str) -> bool {
        let meant = self.kind().is_keyword()
            && !self.at_declaration_start()
            && matches!(self.nth(1), TokenKind::Equals | TokenKind::Colon);
        if meant {
            self.unexpected_name(what);
        }
        meant
    }

    pub(super) fn unexpected_name(&mut self, what: &str) -> Failed {
        if self.kind().is_keyword() && !self.at_declaration_start() {
            let found = self.quote(self.span());
            return self.unexpected_with_help(what, &format!("{found} is a keyword and cannot be a name"));
        }
        self.unexpected(what)
    }

    /// `#name`
    pub(super) fn constructor(&mut self) -> Ident {
        let span = self.bump();
        Ident { name: Symbol::new(&self.text_of(span)[1..]), span }
    }

    pub(super) fn at_field(&self) -> bool {
        self.at(TokenKind::Name) || self.at(TokenKind::Number) && number::is_field(self.text_of(self.span()))
    }

    /// The name of a field: a name, or a number for a part of a tuple.
    pub(super) fn field(&mut self) -> Parse<Ident> {
        if !self.at_field() {
            return Err(self.unexpected_name("the name of a field"));
        }
        let span = self.bump();
        Ok(self.ident_at(span))
    }

    /// `a.b.c`; `what` says what it names.
    pub(super) fn qual_name(&mut self, what: &str) -> Parse<QualName> {
        let mut name = self.name(what)?;
        let mut quals = Vec::new();
        while self.at(TokenKind::Dot) && self.nth(1) == TokenKind::Name {
            self.bump();
            quals.push(name);
            name = self.name(what)?;
        }
        Ok(QualName { quals, name })
    }

    /// At something that can stand between two operands, other than `-`.
    pub(super) fn at_operator(&self) -> bool {
        self.kind().is_infix()
    }

    /// The kind of the token after the operator that comes next.
    pub(super) fn after_operator(&self) -> TokenKind {
        let mut n = 0;
        if self.at(TokenKind::Backtick) {
            n += 1;
            while matches!(self.nth(n), TokenKind::Name | TokenKind::Dot) {
                n += 1;
            }
        }
        self.nth(n + 1)
    }

    /// An infix operator, or a name in backticks.
    pub(super) fn operator(&mut self) -> Parse<Op> {
        let start = self.span();
        let backtick = self.eat(TokenKind::Backtick);
        let name = if backtick {
            let name = self.qual_name("the name of a function")?;
            self.expect(TokenKind::Backtick)?;
            name
        } else {
            let span = self.bump();
            self.split_operator(span)
        };
        Ok(Op { name, backtick, id: self.ids.fresh(), span: self.span_from(start) })
    }

    /// The parts of `m.n.+`. The operator itself may contain dots but not begin with one.
    fn split_operator(&self, span: Span) -> QualName {
        let mut quals = Vec::new();
        let mut rest = span;
        while let Some((module, _)) = self.text_of(rest).split_once('.')
            && module.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        {
            let dot = rest.lo + module.len() as u32;
            quals.push(self.ident_at(Span { hi: dot, ..rest }));
            rest.lo = dot + 1;
        }
        QualName { quals, name: self.ident_at(rest) }
    }

    /// An operator where one is defined or bound: not one of a module.
    pub(super) fn binding_operator(&mut self) -> Parse<Ident> {
        if self.at(TokenKind::Bang) {
            let span = self.bump();
            return Err(
                self.syntax_error(span, "`!` is a prefix operator and cannot be defined as an infix one.")
            );
        }
        if !Self::is_binding_operator(self.kind()) {
            return Err(self.unexpected("an operator"));
        }
        let operator = self.operator()?;
        if !operator.name.quals.is_empty() {
            let span = operator.span;
            return Err(self.syntax_error(span, "A name with a module in front cannot be defined here."));
        }
        Ok(operator.name.name)
    }

    /// Whether something of this kind can stand where an operator is defined. That `!` cannot is
    /// said once it has been read as one.
    pub(super) fn is_binding_operator(kind: TokenKind) -> bool {
        kind.is_infix() || matches!(kind, TokenKind::Minus | TokenKind::Bang)
    }

    /// `(` and an operator come next, where a pattern would be the alternative.
    pub(super) fn at_operator_in_parens(&self) -> bool {
        // A pattern can begin with a sign, but with no other operator.
        let is_operator = match self.nth(1) {
            TokenKind::Minus | TokenKind::Bang => self.nth(2) == TokenKind::RParen,
            kind => kind.is_infix(),
        };
        self.at(TokenKind::LParen) && is_operator
    }

    /// `(+)` where an operator is bound.
    pub(super) fn operator_in_parens(&mut self) -> Parse<Ident> {
        self.bracketed(|p| p.binding_operator().map(Some), || None)?.ok_or(Failed)
    }

    pub(super) fn at_literal(&self) -> bool {
        use TokenKind::*;
        matches!(self.kind(), Number | Str | Char | True | False)
    }

    /// A literal; none if it is malformed.
    pub(super) fn literal(&mut self) -> Option<Lit> {
        let kind = self.kind();
        let span = self.bump();
        let text = self.text_of(span);
        match kind {
            TokenKind::True => Some(Lit::Bool(true)),
            TokenKind::False => Some(Lit::Bool(false)),
            TokenKind::Number => Some(number::value(text)),
            TokenKind::Char => {
                let text = self.unescape(span)?;
                let mut characters = text.chars();
                match (characters.next(), characters.next()) {
                    (Some(c), None) => Some(Lit::Char(c)),
                    _ => {
                        self.malformed(span, "This is not a single character.");
                        None
                    }
                }
            }
            _ => self.unescape(span).map(|text| Lit::Str(text.into_bytes())),
        }
    }

    /// The path of an import.
    pub(super) fn path(&mut self) -> Parse<StrLit> {
        if !self.at(TokenKind::Str) {
            return Err(self.unexpected("the path of a file in double quotes"));
        }
        let span = self.bump();
        let text = self.unescape(span).unwrap_or_default();
        Ok(StrLit { text, span, id: self.ids.fresh() })
    }

    fn unescape(&mut self, literal: Span) -> Option<String> {
        let (text, errors) = escape::unescape(self.text_of(literal));
        let sound = errors.is_empty();
        for error in errors {
            let lo = literal.lo as usize;
            let span = Span::new(self.file, lo + error.place.start, lo + error.place.end);
            self.malformed(span, error.message);
        }
        sound.then_some(text)
    }

    pub(super) fn malformed(&mut self, span: Span, message: impl Into<String>) {
        self.reports.push(Diagnostic::error(codes::MALFORMED_LITERAL, span, message));
    }

    /// Reads a token that has only one spelling.
    pub(super) fn expect(&mut self, kind: TokenKind) -> Parse<()> {
        if self.eat(kind) {
            return Ok(());
        }
        let expected = match kind {
            TokenKind::Backtick => "a backtick".into(),
            _ => format!("`{}`", kind.spelling()),
        };
        Err(self.unexpected(&expected))
    }

    /// Reads `=`. A double one is reported and taken for it.
    pub(super) fn expect_equals(&mut self) -> Parse<()> {
        self.expect_or_mistaken(TokenKind::Equals, "==", "`=` defines, `==` compares")
    }

    /// Reads `->`. A `=>` is reported and taken for it.
    pub(super) fn expect_arrow(&mut self) -> Parse<()> {
        self.expect_or_mistaken(TokenKind::Arrow, "=>", "the arrow is written `->`")
    }

    fn expect_or_mistaken(&mut self, kind: TokenKind, mistaken: &str, help: &str) -> Parse<()> {
        if self.eat(kind) {
            return Ok(());
        }
        let expected = format!("`{}`", kind.spelling());
        let span = self.span();
        let found = self.text_of(span);
        if found == mistaken {
            if let Some(problem) = self.problem(&expected) {
                self.reports.push(problem.help(help).fix(span, kind.spelling()));
            }
            self.bump();
            return Ok(());
        }
        if self.at(TokenKind::Operator) && found.starts_with(kind.spelling()) {
            let help =
                format!("`{found}` is read as one operator: put a space after the `{}`", kind.spelling());
            return Err(self.unexpected_with_help(&expected, &help));
        }
        Err(self.unexpected(&expected))
    }
}
