//! Spellings of other languages: `lambda x: e`, `elif`, `where`, `c ? a : b`, `[e for x in xs]`.
//!
//! None of them can be part of a program, so they are recognised for sure. Each is reported once, with what is
//! written here instead, and read as what was meant where that is possible, so that nothing else
//! is reported because of it. Spellings that could be a program if other names were in scope are the checker's.

use super::operators::Level;
use super::{Parse, Parser};
use crate::ast::*;
use crate::lexer::TokenKind;
use norn_base::{Diagnostic, Span, codes, one_line};

/// How far ahead a spelling is looked for.
const LOOK_AHEAD: usize = 64;

impl Parser<'_> {
    fn at_word(&self, words: &[&str]) -> bool {
        self.at(TokenKind::Name) && words.contains(&self.text_of(self.span()))
    }

    fn on_one_line(&self, span: Span) -> Option<String> {
        one_line(self.text_of(span))
    }

    /// As `on_one_line`, in parentheses where an argument needs them.
    fn as_argument(&self, e: &Exp) -> Option<String> {
        let text = self.on_one_line(e.span)?;
        Some(if e.is_atom() { text } else { format!("({text})") })
    }

    fn report_foreign(&mut self, span: Span, message: &str, help: &str, mended: Option<String>) {
        let help = match mended {
            Some(mended) => format!("{help}: `{mended}`"),
            None => help.into(),
        };
        self.reports.push(Diagnostic::error(codes::SYNTAX, span, message).help(help));
    }

    /// `lambda x, y: e`, `fun x y -> e`, `fn x => e`
    pub(super) fn at_foreign_lambda(&self) -> bool {
        use TokenKind::*;
        if !self.at_word(&["lambda", "fun", "fn", "function"]) {
            return false;
        }
        let mut n = 1;
        while n < LOOK_AHEAD && matches!(self.nth(n), Name | Underscore | Comma) {
            n += 1;
        }
        match self.nth(n) {
            _ if n == 1 => false,
            Arrow => true,
            Operator => self.text_of(self.span_of(self.tokens[self.pos + n])) == "=>",
            // Else it may be an application with its type.
            Colon => self.at_word(&["lambda"]) && !self.can_be_type(n + 1),
            _ => false,
        }
    }

    /// Whether the tokens from the `n`th to the end of a bracket or line can be a type.
    fn can_be_type(&self, from: usize) -> bool {
        use TokenKind::*;
        let mut depth = 0;
        for n in from..from + LOOK_AHEAD {
            match self.nth(n) {
                LParen | LBracket | LBrace | IndexBracket => depth += 1,
                RParen | RBracket | RBrace if depth == 0 => return true,
                RParen | RBracket | RBrace => depth -= 1,
                Operator | QualOperator | Minus | Less | Hat | Backtick | If | Let | Match | Loop => {
                    return false;
                }
                Number | Str | Char | True | False if depth == 0 => return false,
                Eof => return true,
                _ => {}
            }
        }
        true
    }

    pub(super) fn foreign_lambda(&mut self) -> Parse<Exp> {
        let word = self.bump();
        let mut params = Vec::new();
        while self.at_param() || self.at(TokenKind::Comma) {
            if !self.eat(TokenKind::Comma) {
                params.push(self.param()?);
            }
        }
        self.bump();
        let body = self.exp();
        let mended = body.as_ref().ok().and_then(|body| {
            let names: Vec<&str> = params.iter().map(|p| self.text_of(p.span)).collect();
            Some(format!("\\{} -> {}", names.join(" "), self.on_one_line(body.span)?))
        });
        let message = format!("{} does not begin a function.", self.quote(word));
        self.report_foreign(word, &message, "an anonymous function begins with `\\`", mended);
        let body = Box::new(body?);
        let span = word.to(body.span);
        Ok(self.new_exp(ExpKind::Lambda { params, ret: None, body }, span))
    }

    /// `elif` and a condition, in the first branch of an `if`.
    pub(super) fn at_elif(&self) -> bool {
        if !self.at_word(&["elif", "elsif", "elseif"]) {
            return false;
        }
        // As the name of a value it would not be followed by a condition.
        let mut ahead = (1..LOOK_AHEAD).map(|n| self.nth(n));
        let end =
            ahead.find(|k| matches!(k, TokenKind::Then | TokenKind::Else | TokenKind::If | TokenKind::Eof));
        end == Some(TokenKind::Then)
    }

    /// Leaves the word: it begins the next `if`.
    pub(super) fn report_elif(&mut self) {
        let span = self.span();
        let message = format!("There is no {}.", self.quote(span));
        self.reports.push(
            Diagnostic::error(codes::SYNTAX, span, message).help("write `else if`").fix(span, "else if"),
        );
    }

    /// A condition, in which `=` is surely meant as `==`.
    pub(super) fn condition(&mut self) -> Parse<Exp> {
        let condition = self.exp()?;
        if self.at(TokenKind::Equals) { self.mistaken_comparison(&condition) } else { Ok(condition) }
    }

    /// `left = right` where an expression stands.
    pub(super) fn mistaken_comparison(&mut self, left: &Exp) -> Parse<Exp> {
        let first = self.span();
        let mut mended = self.on_one_line(left.span);
        let mut end = Ok(left.span);
        // Where one is mistaken, the others are, too.
        while self.at(TokenKind::Equals) && end.is_ok() {
            self.bump();
            let right = self.exp();
            mended = match (mended, &right) {
                (Some(left), Ok(e)) => self.on_one_line(e.span).map(|right| format!("{left} == {right}")),
                (_, _) => None,
            };
            end = right.map(|e| e.span);
        }
        let message = "`=` defines a name and cannot stand in an expression.";
        let help = match mended {
            Some(mended) => format!("`==` compares: `{mended}`"),
            None => "`==` compares".into(),
        };
        self.reports.push(Diagnostic::error(codes::SYNTAX, first, message).help(help).fix(first, "=="));
        let span = left.span.to(end?);
        Ok(self.error_exp(span))
    }

    /// `c ? a : b`, of which the condition has been read.
    pub(super) fn ternary(&mut self, condition: Exp) -> Parse<Exp> {
        let question = self.bump();
        let then = self.untyped_exp()?;
        self.expect(TokenKind::Colon)?;
        let otherwise = self.exp()?;
        let mended = [&condition, &then, &otherwise].map(|e| self.on_one_line(e.span));
        let mended = match mended {
            [Some(c), Some(a), Some(b)] => Some(format!("if {c} then {a} else {b}")),
            _ => None,
        };
        self.report_foreign(question, "There is no operator `?`.", "choose with `if`", mended);
        let span = condition.span.to(otherwise.span);
        let kind = ExpKind::If(Box::new(condition), Box::new(then), Box::new(otherwise));
        Ok(self.new_exp(kind, span))
    }

    /// `e for x in xs if c`, of which the first part has been read.
    pub(super) fn comprehension(&mut self, element: &Exp) -> Parse<Exp> {
        let keyword = self.bump();
        let pat = self.pat()?;
        if !self.eat(TokenKind::In) {
            return Err(self.unexpected("`in`"));
        }
        let array = self.infix(Level::Range)?;
        let condition = if self.eat(TokenKind::If) { Some(self.exp()?) } else { None };
        let mended = self.comprehension_mended(element, &pat, &array, condition.as_ref());
        let message = "An array is not made by a `for` inside brackets.";
        self.report_foreign(keyword, message, "apply a function to every element", mended);
        let span = self.span_from(element.span);
        Ok(self.error_exp(span))
    }

    fn comprehension_mended(
        &self,
        e: &Exp,
        pat: &Pat,
        array: &Exp,
        condition: Option<&Exp>,
    ) -> Option<String> {
        let (pat_text, e_text) = (self.on_one_line(pat.span)?, self.on_one_line(e.span)?);
        let array = match condition {
            None => self.as_argument(array)?,
            Some(c) => {
                format!(
                    "(filter (\\{pat_text} -> {}) {})",
                    self.on_one_line(c.span)?,
                    self.as_argument(array)?
                )
            }
        };
        Some(format!("map (\\{pat_text} -> {e_text}) {array}"))
    }

    /// `xs[i..j]`, of which the first bound has been read.
    pub(super) fn range_as_slice(&mut self, start: &Exp) -> Parse<DimIndex> {
        let dots = self.bump();
        let inclusive = self.text_of(dots) == "...";
        let end = self.infix(Level::Range.tighter())?;
        let mended = [start, &end].map(|e| self.on_one_line(e.span));
        let help = match mended {
            [Some(a), Some(b)] if inclusive => format!("the end is not part of a slice: `[{a}:{b} + 1]`"),
            [Some(a), Some(b)] => format!("write `[{a}:{b}]`"),
            _ => "write `[start:end]`".into(),
        };
        self.reports.push(
            Diagnostic::error(codes::SYNTAX, dots, "The bounds of a slice stand on either side of a `:`.")
                .help(help),
        );
        let span = start.span.to(end.span);
        Ok(DimIndex::Fix(self.error_exp(span)))
    }

    /// `{ .. }` for the body of a definition: no record type.
    pub(super) fn at_braces(&self) -> bool {
        use TokenKind::*;
        self.at(LBrace) && self.nth(1) != RBrace && self.nth(2) != Colon
    }

    /// The same after parameters, where it could be the pattern of a record.
    pub(super) fn at_braces_after_params(&self) -> bool {
        use TokenKind::*;
        self.at_braces()
            && match self.nth(2) {
                Equals | Comma => false,
                RBrace => {
                    matches!(self.nth(3), Def | Entry | Let | Type | Module | Open | Import | Local | Eof)
                }
                _ => true,
            }
    }

    pub(super) fn body_in_braces(&mut self) -> Exp {
        let brace = self.span();
        let message = "The body of a definition does not stand in braces.";
        let help = "write `=` and the result, which is an expression";
        self.reports.push(Diagnostic::error(codes::SYNTAX, brace, message).help(help));
        self.bump();
        // The matching brace ends the declaration, too.
        if self.skip_to(&[TokenKind::RBrace]) {
            self.bump();
        }
        self.error_exp(brace)
    }

    /// `i++`
    pub(super) fn at_increment(&self, op: &Op) -> bool {
        use TokenKind::*;
        let operand = self.at_atom()
            || matches!(
                self.kind(),
                Let | If | Loop | Match | Assert | AttrBracket | Minus | Bang | Backslash
            )
            || matches!(self.kind(), Apostrophe | Underscore | IndexBracket | Invalid);
        op.name.name.name.as_str() == "++" && !op.backtick && !operand
    }

    pub(super) fn increment(&mut self, left: &Exp, op: &Op) -> Exp {
        let mended = self.on_one_line(left.span).map(|left| format!("{left} + 1"));
        let message = "`++` joins two arrays, and the second is missing.";
        self.report_foreign(op.span, message, "to add one", mended);
        let span = left.span.to(op.span);
        self.error_exp(span)
    }

    /// `// text` or `/* text` where no operator can stand.
    pub(super) fn at_foreign_comment(&self) -> bool {
        let text = self.text_of(self.span());
        self.at(TokenKind::Operator) && (text.starts_with("//") || text.starts_with("/*"))
    }

    /// Passes over the rest of the line.
    pub(super) fn foreign_comment(&mut self) {
        let span = self.span();
        let message = format!("An expression cannot begin with {}.", self.quote(span));
        self.reports.push(
            Diagnostic::error(codes::SYNTAX, span, message)
                .help("a comment begins with `--` and ends with its line")
                .fix(span, "--"),
        );
        self.bump();
        while !self.tokens[self.pos].first_on_line && !self.at(TokenKind::Eof) {
            self.bump();
        }
    }

    /// `where x = e` after an expression.
    pub(super) fn at_where(&self) -> bool {
        if !self.at_word(&["where"]) || self.nth(1) != TokenKind::Name {
            return false;
        }
        let mut ahead = (2..LOOK_AHEAD).map(|n| self.nth(n));
        ahead.find(|k| !matches!(k, TokenKind::Name | TokenKind::Underscore)) == Some(TokenKind::Equals)
    }

    /// The body of a definition, after which something may stand that belongs into it.
    pub(super) fn after_body(&mut self, body: Exp) -> Exp {
        if self.at_where() {
            return self.where_clause(&body);
        }
        if self.at(TokenKind::Equals)
            && let Some(line) = self.tokens[..self.pos].iter().rposition(|t| t.first_on_line)
            && self.tokens[line].lo > body.span.lo.saturating_sub(1)
            && self.tokens[line].kind == TokenKind::Name
        {
            return self.binding_without_let(&body, line);
        }
        body
    }

    fn where_clause(&mut self, body: &Exp) -> Exp {
        let word = self.bump();
        let first = self.span();
        let from = self.pos;
        self.skip_declaration();
        let bindings = self.tokens[from..self.pos].iter().filter(|t| t.kind == TokenKind::Equals).count();
        let mended = (bindings == 1).then(|| self.span_from(first)).and_then(|binding| {
            Some(format!("let {} in {}", self.on_one_line(binding)?, self.on_one_line(body.span)?))
        });
        let help = "names are bound before they are used, with `let`";
        self.report_foreign(word, "There is no `where`.", help, mended);
        self.error_exp(body.span)
    }

    /// `x = e` on a line of its own, which begins with the token `line`.
    fn binding_without_let(&mut self, body: &Exp, line: usize) -> Exp {
        let first = self.span_of(self.tokens[line]);
        let margin = first.lo == 0 || self.text[..first.lo as usize].ends_with('\n');
        let equals = self.span();
        let left = first.to(self.last_span());
        self.skip_declaration();
        let left = self.on_one_line(left).unwrap_or_else(|| "f".into());
        let (message, help) = if margin {
            ("A definition begins with a keyword.", format!("write `def {left} = ..`"))
        } else {
            ("A name inside a definition is bound by `let`.", format!("write `let {left} = .. in ..`"))
        };
        let keyword = if margin { "def " } else { "let " };
        self.reports.push(
            Diagnostic::error(codes::SYNTAX, first, message)
                .secondary(equals, "this `=` makes it a binding")
                .help(help)
                .fix(first.at_start(), keyword),
        );
        self.error_exp(body.span)
    }
}
