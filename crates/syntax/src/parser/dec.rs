//! Declarations: files, definitions, types.
//!
//! ```text
//! entry main [n] (xs: [n]i32) : i32 = ..      def x +. y = ..      type rec t = .. with type u = ..
//! ```
//!
//! A declaration that cannot be parsed ends where the next one begins, at a keyword, so that each mistake is reported once. If only the body fails, what is declared is
//! kept with its type, and its uses cause no further errors. A pattern at the top level, and `==` for `=`, are reported with the correct form.

use super::{Failed, Parse, Parser};
use crate::ast::*;
use crate::lexer::TokenKind;
use norn_base::{Diagnostic, Span, codes};

impl Parser<'_> {
    /// A whole file.
    pub(super) fn prog(&mut self) -> Prog {
        let doc = if self.at(TokenKind::Eof) { None } else { self.take_first_doc() };
        let mut decs = Vec::new();
        // The first comment of a file is about the file, and about what stands right below it.
        let here = self.span().lo;
        if let Some(doc) = doc.as_ref().filter(|doc| doc.span.hi + 1 == here && !self.kind().is_closer()) {
            let doc = doc.clone();
            decs.push(self.documented_dec(Some(doc)));
        }
        loop {
            self.decs_into(&mut decs);
            if self.at(TokenKind::Eof) {
                return Prog { doc, decs };
            }
            self.report_stray_closer();
        }
    }

    /// Declarations up to the end of the file or a closing bracket.
    pub(super) fn decs(&mut self) -> Vec<Dec> {
        let mut decs = Vec::new();
        self.decs_into(&mut decs);
        decs
    }

    fn decs_into(&mut self, decs: &mut Vec<Dec>) {
        while !self.at(TokenKind::Eof) && !self.kind().is_closer() {
            let doc = self.take_doc();
            decs.push(self.documented_dec(doc));
        }
    }

    fn report_stray_closer(&mut self) {
        let span = self.bump();
        let message = format!("This {} closes nothing.", self.quote(span));
        self.reports.push(Diagnostic::error(codes::UNCLOSED_DELIMITER, span, message));
        if !self.at_declaration_start() && !self.kind().is_closer() {
            self.skip_declaration();
        }
    }

    /// A declaration whose documentation has been read.
    fn documented_dec(&mut self, doc: Option<Doc>) -> Dec {
        self.forgive_depth();
        let (first, start) = (self.pos, self.span());
        self.dec(doc).unwrap_or_else(|Failed| {
            // An error at its very beginning must not hold up the parser.
            if self.pos == first {
                self.bump();
            }
            self.skip_declaration();
            Dec { kind: DecKind::Error, doc: None, attrs: Vec::new(), span: self.span_from(start) }
        })
    }

    fn dec(&mut self, doc: Option<Doc>) -> Parse<Dec> {
        let mut attrs = Vec::new();
        while self.at(TokenKind::AttrBracket) {
            attrs.push(self.attr()?);
        }
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Def | TokenKind::Let | TokenKind::Entry => self.val_group()?,
            TokenKind::Type => self.type_group()?,
            TokenKind::Module if self.nth(1) == TokenKind::Type => DecKind::ModType(self.mod_type_bind()?),
            TokenKind::Module => DecKind::Mod(self.mod_bind()?.into()),
            TokenKind::Open => {
                self.bump();
                DecKind::Open(self.mod_exp()?)
            }
            TokenKind::Import => {
                self.bump();
                DecKind::Import(self.path()?)
            }
            TokenKind::Local => {
                self.bump();
                let doc = self.take_doc();
                DecKind::Local(Box::new(self.nested(|p| p.dec(doc))?))
            }
            _ => return Err(self.unexpected_dec()),
        };
        Ok(Dec { kind, doc, attrs, span: self.span_from(start) })
    }

    fn unexpected_dec(&mut self) -> Failed {
        let help = match self.kind() {
            TokenKind::Equals => Some("a definition begins with `def`; to compare, use `==`"),
            TokenKind::In => Some("is there a `let` for this `in`?"),
            TokenKind::Val | TokenKind::Include => Some("a specification belongs in a module type"),
            TokenKind::With => Some("a group goes on with `with def`, or after `type rec` with `with type`"),
            TokenKind::Bang => Some("`!` is a prefix operator; to compare, use `!=`"),
            TokenKind::Constructor if self.at_margin() => Some("a comment begins with `--`"),
            TokenKind::LBrace if self.nth(1) == TokenKind::Minus => Some("a comment begins with `--`"),
            _ if self.at_foreign_comment() => Some("a comment begins with `--` and ends with its line"),
            TokenKind::Name if self.at_margin() => Some(self.help_for_first_word()),
            _ if self.tokens[self.pos].first_on_line => Some(
                "a declaration begins with `def`, `entry`, `type`, `module`, `open`, `import` or `local`",
            ),
            _ => None,
        };
        self.unexpected_among("declaration", help)
    }

    /// The next token is a name where a declaration should begin.
    fn help_for_first_word(&self) -> &'static str {
        match self.text_of(self.span()) {
            "data" | "newtype" | "struct" | "enum" | "typedef" | "class" => "a type is declared with `type`",
            "from" | "using" | "use" | "require" => "a file is imported with `import \"path\"`",
            _ => "a definition begins with `def`, or with `entry` if it is to be called from outside",
        }
    }

    /// `def f .. with def g ..`
    fn val_group(&mut self) -> Parse<DecKind> {
        let mut members = vec![self.val_bind()?];
        while self.at(TokenKind::With) && matches!(self.nth(1), TokenKind::Def | TokenKind::Entry) {
            self.bump();
            members.push(self.val_bind()?);
        }
        Ok(DecKind::Vals(members.into()))
    }

    fn val_bind(&mut self) -> Parse<ValBind> {
        let keyword = match self.kind() {
            TokenKind::Entry => ValKeyword::Entry,
            TokenKind::Let => ValKeyword::Let,
            _ => ValKeyword::Def,
        };
        let start = self.bump();
        let (name, infix, tparams, params) = if self.at_infix_definition(keyword) {
            let left = self.param()?;
            if !Self::is_binding_operator(self.kind()) {
                return Err(self.report_pattern_definition(left.span));
            }
            let name = self.binding_operator()?;
            if !self.at_param() {
                return Err(self.unexpected("a parameter"));
            }
            (name, true, Vec::new(), vec![left, self.param()?])
        } else {
            let name = match self.kind() {
                TokenKind::LParen => self.operator_in_parens()?,
                _ => self.name("the name of a definition")?,
            };
            (name, false, self.type_params()?, self.params()?)
        };
        if self.at_type_param() {
            let help = "type and size parameters come before all other parameters";
            return Err(self.unexpected_with_help("`:` or `=`", help));
        }
        let on_next_line = self.at(TokenKind::Colon) && self.tokens[self.pos + 1].first_on_line;
        let ret = if self.eat(TokenKind::Colon) {
            Some(self.or_skip(&[TokenKind::Equals], Self::type_exp, Self::error_type)?)
        } else {
            None
        };
        let body = if self.at_braces() {
            self.body_in_braces()
        } else if on_next_line && !self.at(TokenKind::Equals) {
            let help = "`:` stands before the type of the result; the result itself follows `=`";
            return Err(self.unexpected_with_help("`=`", help));
        } else {
            self.expect_equals()?;
            let body = self.right_side(Self::exp, Self::error_exp);
            self.after_body(body)
        };
        let id = self.ids.fresh();
        Ok(ValBind { keyword, name, infix, tparams, params, ret, body, id, span: self.span_from(start) })
    }

    /// What follows `=` in a declaration. If it fails, what is declared is still known.
    pub(super) fn right_side<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Parse<T>,
        error: impl FnOnce(&mut Self, Span) -> T,
    ) -> T {
        let start = self.span();
        parse(self).unwrap_or_else(|Failed| {
            self.skip_declaration();
            error(self, self.skipped_span(start))
        })
    }

    /// `def x + y`, where the first thing after the keyword is a parameter.
    fn at_infix_definition(&self, keyword: ValKeyword) -> bool {
        match self.kind() {
            _ if keyword == ValKeyword::Entry => false,
            TokenKind::Name => Self::is_binding_operator(self.nth(1)) && !self.at_mistaken_equals(),
            // One parenthesised operator may be the parameter of another.
            TokenKind::LParen if self.at_operator_in_parens() => {
                let closer = if self.nth(1) == TokenKind::Backtick { 4 } else { 2 };
                Self::is_binding_operator(self.nth(closer + 1))
            }
            _ => self.at_param(),
        }
    }

    /// `def f == 1` or `def f =-1`: after the name stands an operator that begins with `=`, and no
    /// other `=` to make it a definition of that operator.
    fn at_mistaken_equals(&self) -> bool {
        use TokenKind::*;
        let text = self.text_of(self.span_of(self.tokens[self.pos + 1]));
        self.nth(1) == Operator
            && text.starts_with('=')
            && matches!(self.nth(2), Name | Number)
            && !matches!(self.nth(3), Equals | Colon)
    }

    fn report_pattern_definition(&mut self, pattern: Span) -> Failed {
        self.reports.push(
            Diagnostic::error(codes::SYNTAX, pattern, "A pattern cannot be bound at top level.")
                .help("bind a single name, and take it apart where it is used"),
        );
        Failed
    }

    /// `type t = ..`, or `type rec t = .. with type u = ..`
    fn type_group(&mut self) -> Parse<DecKind> {
        let first = self.type_bind(false)?;
        let recursive = first.recursive;
        let mut members = vec![first];
        while recursive && self.at(TokenKind::With) && self.nth(1) == TokenKind::Type {
            self.bump();
            members.push(self.type_bind(true)?);
        }
        Ok(DecKind::Types(members))
    }

    fn type_bind(&mut self, in_group: bool) -> Parse<TypeBind> {
        let start = self.span();
        let head = self.type_head()?;
        self.expect_equals()?;
        Ok(self.type_bind_rest(start, TypeHead { recursive: head.recursive || in_group, ..head }))
    }

    pub(super) fn type_bind_rest(&mut self, start: Span, head: TypeHead) -> TypeBind {
        let TypeHead { lifted, recursive, name, params } = head;
        let body = self.right_side(Self::type_exp, Self::error_type);
        let id = self.ids.fresh();
        TypeBind { lifted, recursive, name, params, body, id, span: self.span_from(start) }
    }

    /// `type rec t 'a`
    pub(super) fn type_head(&mut self) -> Parse<TypeHead> {
        self.bump();
        let lifted = match self.kind() {
            TokenKind::Tilde => Liftedness::SizeLifted,
            TokenKind::Hat => Liftedness::Lifted,
            _ => Liftedness::Unlifted,
        };
        if lifted != Liftedness::Unlifted {
            self.bump();
        }
        let recursive =
            self.at(TokenKind::Name) && self.text_of(self.span()) == "rec" && self.nth(1) == TokenKind::Name;
        if recursive {
            self.bump();
        }
        let name = self.name("the name of a type")?;
        Ok(TypeHead { lifted, recursive, name, params: self.type_params()? })
    }
}

/// A type declaration up to `=`.
pub(super) struct TypeHead {
    pub lifted: Liftedness,
    pub recursive: bool,
    pub name: Ident,
    pub params: Vec<TypeParam>,
}
