//! Expressions: operands, application, atoms and indexing.
//!
//! ```text
//! f xs[i].x (- y) :> [n]t     application binds tighter than every operator, indexing and `.` bind tighter than application, a type stands at the very end
//! ```
//!
//! Adjacent tokens decide what white space means: `a[i]` indexes, `a [i]` applies `a` to a literal, and `12abc` is a malformed number, not an application. What no
//! program can mean is reported here and read as what was probably meant, so that the rest is parsed as usual. Which operator binds tighter is
//! decided in `operators`.

use super::operators::{Level, Sections};
use super::recover::Commas;
use super::{Failed, Parse, Parser};
use crate::ast::*;
use crate::lexer::TokenKind;
use norn_base::{Diagnostic, Span, codes};

impl Parser<'_> {
    /// Any expression.
    pub(super) fn exp(&mut self) -> Parse<Exp> {
        self.nested(|p| {
            p.chain(|p| {
                let exp = p.infix(Level::Range)?;
                if p.at(TokenKind::Question) {
                    return p.ternary(exp);
                }
                p.ascriptions(exp)
            })
        })
    }

    /// An expression without a type at its end.
    pub(super) fn untyped_exp(&mut self) -> Parse<Exp> {
        self.nested(|p| p.infix(Level::Range))
    }

    /// The rest of an expression that begins with the operand `first`.
    pub(super) fn exp_rest(&mut self, first: Exp) -> Parse<Exp> {
        let exp = self.infix_rest(first, Level::Range, Sections::None)?;
        self.ascriptions(exp)
    }

    /// `e : t`, `e :> t`
    pub(super) fn ascriptions(&mut self, mut exp: Exp) -> Parse<Exp> {
        while matches!(self.kind(), TokenKind::Colon | TokenKind::ColonGreater) {
            let make = if self.at(TokenKind::Colon) { ExpKind::Ascript } else { ExpKind::Coerce };
            self.bump();
            let ty = self.type_exp()?;
            self.links(1)?;
            let span = exp.span.to(ty.span);
            exp = self.new_exp(make(Box::new(exp), Box::new(ty)), span);
        }
        Ok(exp)
    }

    pub(super) fn error_exp(&mut self, span: Span) -> Exp {
        self.new_exp(ExpKind::Error, span)
    }

    /// What can stand on either side of an operator.
    pub(super) fn operand(&mut self) -> Parse<Exp> {
        match self.kind() {
            TokenKind::Let | TokenKind::If => self.let_or_if(),
            TokenKind::Loop => self.loop_exp(),
            TokenKind::Match => self.match_exp(),
            TokenKind::Assert => self.assert_exp(),
            TokenKind::AttrBracket => self.attr_exp(),
            TokenKind::Minus => self.prefixed(ExpKind::Negate),
            TokenKind::Bang => self.prefixed(ExpKind::Not),
            TokenKind::Backslash => self.lambda(),
            _ if self.at_foreign_lambda() => self.foreign_lambda(),
            _ => self.application(),
        }
    }

    fn prefixed(&mut self, make: fn(Box<Exp>) -> ExpKind) -> Parse<Exp> {
        if self.at(TokenKind::Bang) && self.nth(1) == TokenKind::RParen {
            self.bump();
            return Err(self.unexpected_with_help("an operand", "as a function: `\\x -> !x`"));
        }
        let start = self.bump();
        let operand = self.nested(Self::operand)?;
        let span = start.to(operand.span);
        Ok(self.new_exp(make(Box::new(operand)), span))
    }

    /// `f x y`, where the last argument may be a function without parentheses.
    fn application(&mut self) -> Parse<Exp> {
        let function = self.atom()?;
        let mut args = Vec::new();
        while self.at_atom() && !self.at_where() && !self.at_elif() {
            args.push(self.atom()?);
        }
        if self.at(TokenKind::Backslash) {
            args.push(self.lambda()?);
        }
        let Some(last) = args.last() else { return Ok(function) };
        let span = function.span.to(last.span);
        self.check_indexing(&function, &args[0]);
        let kind = match function.kind {
            _ if self.is_malformed_number(&function, &args[0]) => ExpKind::Error,
            ExpKind::Constr(constructor, payload) if payload.is_empty() => ExpKind::Constr(constructor, args),
            _ => ExpKind::Apply(Box::new(function), args),
        };
        Ok(self.new_exp(kind, span))
    }

    /// `a[i] [j]` is no way to index twice.
    fn check_indexing(&mut self, function: &Exp, arg: &Exp) {
        if let (ExpKind::Index(..), ExpKind::Array(_)) = (&function.kind, &arg.kind) {
            let gap = Span { lo: function.span.hi, ..arg.span.at_start() };
            self.reports.push(
                Diagnostic::error(codes::SYNTAX, arg.span, "This array is an argument, not a second index.")
                    .secondary(function.span, "this would be the function")
                    .help("to index several dimensions, write `a[i, j]` or `a[i][j]`")
                    .fix(gap, ""),
            );
        }
    }

    /// Two tokens with nothing between, the first a number: `12abc`. As arguments they may well be
    /// two things, but a number takes no argument.
    fn is_malformed_number(&mut self, function: &Exp, arg: &Exp) -> bool {
        let is_number = matches!(function.kind, ExpKind::Lit(Lit::Int { .. } | Lit::Float { .. }));
        let malformed = is_number
            && function.span.hi == arg.span.lo
            && matches!(arg.kind, ExpKind::Var(_) | ExpKind::Lit(Lit::Int { .. } | Lit::Float { .. }));
        if malformed {
            let span = function.span.to(arg.span);
            self.malformed(span, format!("{} is not a number.", self.quote(span)));
        }
        malformed
    }

    pub(super) fn at_atom(&self) -> bool {
        use TokenKind::*;
        matches!(self.kind(), Name | Constructor | Hole | LParen | LBracket | LBrace) || self.at_literal()
    }

    /// An expression that can be an argument without parentheses.
    pub(super) fn atom(&mut self) -> Parse<Exp> {
        self.chain(|p| {
            let mut atom = p.primary()?;
            loop {
                atom = match p.kind() {
                    TokenKind::Dot => p.dot(atom)?,
                    TokenKind::IndexBracket => {
                        let indices = p.indices()?;
                        let span = p.span_from(atom.span);
                        p.new_exp(ExpKind::Index(Box::new(atom), indices), span)
                    }
                    _ => return Ok(atom),
                };
                p.links(1)?;
            }
        })
    }

    fn primary(&mut self) -> Parse<Exp> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Name => ExpKind::Var(self.qual_name("a variable")?),
            TokenKind::Constructor => ExpKind::Constr(self.constructor(), Vec::new()),
            TokenKind::Hole => {
                self.bump();
                ExpKind::Hole
            }
            TokenKind::LParen => self.parens()?,
            TokenKind::LBracket => self.bracketed(Self::array, || ExpKind::Error)?,
            TokenKind::LBrace => self.bracketed(Self::record, || ExpKind::Error)?,
            TokenKind::Apostrophe => self.broken_character(),
            _ if self.at_literal() => self.literal().map_or(ExpKind::Error, ExpKind::Lit),
            _ if self.at_foreign_comment() => {
                self.foreign_comment();
                return self.nested(Self::operand);
            }
            _ => return Err(self.unexpected_expression()),
        };
        Ok(self.new_exp(kind, self.span_from(start)))
    }

    fn unexpected_expression(&mut self) -> Failed {
        let help = match self.kind() {
            TokenKind::IndexBracket => "put a space before `[`: directly after a word it indexes",
            TokenKind::Underscore => "`_` is a pattern; to leave an expression open, write `???`",
            TokenKind::Def if !self.at_declaration_start() => {
                "`def` begins a definition; a local one is written `let`"
            }
            TokenKind::For | TokenKind::While => {
                "a loop carries a value: `loop x = start for i < n do ..`, or `while` and a condition"
            }
            TokenKind::Case => "cases belong to a `match`: `match x case p -> ..`",
            _ => return self.unexpected("an expression"),
        };
        self.unexpected_with_help("an expression", help)
    }

    /// A quote that begins no character literal.
    fn broken_character(&mut self) -> ExpKind {
        let start = self.bump();
        while self.at(TokenKind::Name) && self.span().lo == self.last_span().hi {
            self.bump();
        }
        let (message, help) =
            ("This character literal has no end.", "text of several characters is a string: `\"..\"`");
        let span = self.span_from(start);
        self.reports.push(Diagnostic::error(codes::UNTERMINATED_LITERAL, span, message).help(help));
        ExpKind::Error
    }

    /// `e.f`, `e.0` or `m.(e)`. A dot between names has been read with the first name.
    fn dot(&mut self, atom: Exp) -> Parse<Exp> {
        let start = atom.span;
        self.bump();
        if !self.at(TokenKind::LParen) {
            let field = self.field()?;
            return Ok(self.new_exp(ExpKind::Project(Box::new(atom), field), self.span_from(start)));
        }
        let ExpKind::Var(module) = atom.kind else {
            let span = self.span();
            return Err(self.syntax_error(span, "Only a module can be opened with `.(`, by its name."));
        };
        let inner = self.bracketed(|p| p.exp().map(Some), || None)?;
        let inner = inner.unwrap_or_else(|| self.error_exp(start.at_end()));
        let kind = ExpKind::LocalOpen(module, Box::new(inner));
        Ok(self.new_exp(kind, self.span_from(start)))
    }

    fn array(&mut self) -> Parse<ExpKind> {
        let item = |p: &mut Self| {
            let exp = p.exp()?;
            if p.at(TokenKind::For) { p.comprehension(&exp) } else { Ok(exp) }
        };
        self.comma_list(TokenKind::RBracket, Commas::Repeated, item, Self::error_exp).map(ExpKind::Array)
    }

    fn record(&mut self) -> Parse<ExpKind> {
        let fields = self.comma_list(
            TokenKind::RBrace,
            Commas::Single,
            |p| p.record_field().map(Some),
            // Which fields the record has is not known.
            |_, _| None,
        )?;
        let count = fields.len();
        let fields: Vec<_> = fields.into_iter().flatten().collect();
        Ok(if fields.len() == count { ExpKind::Record(fields) } else { ExpKind::Error })
    }

    /// `a = e`, or `a` alone for a variable.
    fn record_field(&mut self) -> Parse<Field> {
        let is_name = self.at(TokenKind::Name);
        let name = self.field()?;
        let value = match self.kind() {
            TokenKind::Comma | TokenKind::RBrace if is_name => None,
            _ => {
                self.expect_equals()?;
                let stops = [TokenKind::Comma, TokenKind::RBrace];
                Some(self.or_skip(&stops, Self::exp, Self::error_exp)?)
            }
        };
        Ok(Field { name, value, id: self.ids.fresh() })
    }

    /// `[i, j:k]` after what it indexes.
    pub(super) fn indices(&mut self) -> Parse<Vec<DimIndex>> {
        self.bracketed(
            |p| {
                p.comma_list(TokenKind::RBracket, Commas::Single, Self::index, |p, span| {
                    DimIndex::Fix(p.error_exp(span))
                })
            },
            Vec::new,
        )
    }

    /// `e`, or a slice: `i:j`, `i:j:s` with any of them missing, but after a second colon not `s`.
    fn index(&mut self) -> Parse<DimIndex> {
        let start_span = self.span();
        let start = self.slice_bound()?;
        if let Some(start) = &start
            && self.at_range()
        {
            return self.range_as_slice(start);
        }
        if !self.eat(TokenKind::Colon) {
            return match start {
                Some(index) => Ok(DimIndex::Fix(index)),
                None => Err(self.unexpected("an index")),
            };
        }
        let end = self.slice_bound()?;
        let (mut stride, mut colons) = (None, 1);
        if self.eat(TokenKind::Colon) {
            stride = Some(self.untyped_exp()?);
            colons = 2;
        }
        Ok(DimIndex::Slice { start, end, stride, colons, span: self.span_from(start_span) })
    }

    fn slice_bound(&mut self) -> Parse<Option<Exp>> {
        match self.kind() {
            TokenKind::Colon | TokenKind::Comma | TokenKind::RBracket => Ok(None),
            _ => self.nested(|p| p.infix(Level::Range.tighter())).map(Some),
        }
    }
}
