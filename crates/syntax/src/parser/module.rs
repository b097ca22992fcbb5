//! Modules, module types and specifications.
//!
//! ```text
//! module m (p: t) : s = { def x = .. }      module type s = { type t  val f [n] : [n]t -> t } with t = i32      \(p: t) -> m p
//! ```
//!
//! Arrows of module types group to the right. A bracket that was never closed ends at the first declaration at the margin that can be no specification, so that one missing
//! bracket does not swallow the rest of the file.

use super::{Failed, Parse, Parser};
use crate::ast::*;
use crate::lexer::TokenKind;
use norn_base::Span;

impl Parser<'_> {
    /// `module m (p: t) : s = e`
    pub(super) fn mod_bind(&mut self) -> Parse<ModBind> {
        let start = self.bump();
        let name = self.name("the name of a module")?;
        let mut params = Vec::new();
        while self.at(TokenKind::LParen) {
            params.push(self.mod_param()?);
        }
        let sig = if self.eat(TokenKind::Colon) { Some(self.mod_type_exp()?) } else { None };
        self.expect_equals()?;
        let body = self.right_side(Self::mod_exp, |p, span| p.new_mod(ModExpKind::Error, span));
        let id = self.ids.fresh();
        Ok(ModBind { name, params, sig, body, id, span: self.span_from(start) })
    }

    /// `module type s = t`
    pub(super) fn mod_type_bind(&mut self) -> Parse<ModTypeBind> {
        let start = self.bump();
        self.bump();
        let name = self.name("the name of a module type")?;
        self.expect_equals()?;
        let body = self.right_side(Self::mod_type_exp, |p, span| p.new_mod_type(ModTypeExpKind::Error, span));
        let id = self.ids.fresh();
        Ok(ModTypeBind { name, body, id, span: self.span_from(start) })
    }

    /// `(m: t)`
    fn mod_param(&mut self) -> Parse<ModParam> {
        let start = self.span();
        let parts = self.bracketed(|p| p.named_mod_type().map(Some), || None)?;
        let Some((name, sig)) = parts else { return Err(Failed) };
        Ok(ModParam { name, sig, id: self.ids.fresh(), span: self.span_from(start) })
    }

    fn named_mod_type(&mut self) -> Parse<(Ident, ModTypeExp)> {
        let name = self.name("the name of a module")?;
        self.expect(TokenKind::Colon)?;
        Ok((name, self.mod_type_exp()?))
    }

    /// A module, with its module type.
    pub(super) fn mod_exp(&mut self) -> Parse<ModExp> {
        self.nested(|p| {
            p.chain(|p| {
                let mut module = p.mod_operand()?;
                while p.eat(TokenKind::Colon) {
                    let sig = p.mod_type_exp()?;
                    p.links(1)?;
                    let span = module.span.to(sig.span);
                    module = p.new_mod(ModExpKind::Ascript(Box::new(module), sig), span);
                }
                Ok(module)
            })
        })
    }

    /// A module without a module type of its own.
    fn mod_operand(&mut self) -> Parse<ModExp> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Import => {
                self.bump();
                ModExpKind::Import(self.path()?)
            }
            TokenKind::Backslash => {
                self.bump();
                let param = Box::new(self.mod_param()?);
                let sig =
                    if self.eat(TokenKind::Colon) { Some(Box::new(self.mod_type_atom()?)) } else { None };
                self.expect_arrow()?;
                // A module type after the body is that of the whole.
                let body = Box::new(self.nested(Self::mod_operand)?);
                ModExpKind::Lambda(param, sig, body)
            }
            _ => return self.mod_application(),
        };
        Ok(self.new_mod(kind, self.span_from(start)))
    }

    fn mod_application(&mut self) -> Parse<ModExp> {
        let mut applied = self.mod_atom()?;
        while matches!(self.kind(), TokenKind::LParen | TokenKind::LBrace | TokenKind::Name) {
            let arg = self.mod_atom()?;
            self.links(1)?;
            let span = applied.span.to(arg.span);
            applied = self.new_mod(ModExpKind::Apply(Box::new(applied), Box::new(arg)), span);
        }
        Ok(applied)
    }

    fn mod_atom(&mut self) -> Parse<ModExp> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Name => ModExpKind::Var(self.qual_name("a module")?),
            TokenKind::LParen => self.bracketed(
                |p| p.mod_exp().map(|inner| ModExpKind::Parens(Box::new(inner))),
                || ModExpKind::Error,
            )?,
            TokenKind::LBrace => self.bracketed(|p| Ok(ModExpKind::Decs(p.decs())), || ModExpKind::Error)?,
            _ => return Err(self.unexpected("a module")),
        };
        Ok(self.new_mod(kind, self.span_from(start)))
    }

    /// A module type, with refinements and arrows.
    pub(super) fn mod_type_exp(&mut self) -> Parse<ModTypeExp> {
        self.nested(|p| p.chain(Self::mod_type_arrows))
    }

    /// `a -> (m: b) -> c`, which groups to the right.
    fn mod_type_arrows(&mut self) -> Parse<ModTypeExp> {
        let mut params = Vec::new();
        let mut result = loop {
            let start = self.span();
            let is_named = self.at(TokenKind::LParen)
                && self.nth(1) == TokenKind::Name
                && self.nth(2) == TokenKind::Colon;
            if is_named {
                let param = self.mod_param()?;
                self.expect_arrow()?;
                params.push((start, Some(param.name), param.sig));
                continue;
            }
            let sig = self.refined_mod_type()?;
            if !self.eat(TokenKind::Arrow) {
                break sig;
            }
            params.push((start, None, sig));
        };
        self.links(params.len())?;
        while let Some((start, name, param)) = params.pop() {
            let kind = ModTypeExpKind::Arrow(name, Box::new(param), Box::new(result));
            result = self.new_mod_type(kind, self.span_from(start));
        }
        Ok(result)
    }

    /// `s with t 'a = type`
    fn refined_mod_type(&mut self) -> Parse<ModTypeExp> {
        let start = self.span();
        let mut refined = self.mod_type_atom()?;
        while self.at(TokenKind::With) && !self.at_declaration_start() {
            self.bump();
            let name_start = self.span();
            let name = self.qual_name("the name of a type")?;
            let params = self.type_params()?;
            self.expect_equals()?;
            let body = self.type_exp()?;
            self.links(1)?;
            let refinement = TypeRefinement { name, params, body, span: self.span_from(name_start) };
            let kind = ModTypeExpKind::With(Box::new(refined), Box::new(refinement));
            refined = self.new_mod_type(kind, self.span_from(start));
        }
        Ok(refined)
    }

    fn mod_type_atom(&mut self) -> Parse<ModTypeExp> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Name => ModTypeExpKind::Var(self.qual_name("a module type")?),
            TokenKind::LParen => self.bracketed(
                |p| p.mod_type_exp().map(|inner| ModTypeExpKind::Parens(Box::new(inner))),
                || ModTypeExpKind::Error,
            )?,
            TokenKind::LBrace => {
                self.bracketed(|p| Ok(ModTypeExpKind::Specs(p.specs())), || ModTypeExpKind::Error)?
            }
            _ => return Err(self.unexpected("a module type")),
        };
        Ok(self.new_mod_type(kind, self.span_from(start)))
    }

    /// Specifications up to a closing bracket.
    fn specs(&mut self) -> Vec<Spec> {
        let mut specs = Vec::new();
        while !self.at_specs_end() {
            let start = self.pos;
            let span = self.span();
            if let Ok(spec) = self.spec() {
                specs.push(spec);
                continue;
            }
            if self.pos == start {
                self.bump();
            }
            self.skip_declaration();
            let (span, id) = (self.span_from(span), self.ids.fresh());
            specs.push(Spec { kind: SpecKind::Error, doc: None, attrs: Vec::new(), span, id });
        }
        specs
    }

    /// A declaration at the margin that can be no specification shows that the bracket was not
    /// closed.
    fn at_specs_end(&self) -> bool {
        use TokenKind::*;
        let is_declaration = matches!(self.kind(), Def | Let | Entry | Open | Import | Local);
        self.at(Eof) || self.kind().is_closer() || is_declaration && self.at_margin()
    }

    fn spec(&mut self) -> Parse<Spec> {
        let mut doc = None;
        let mut attrs = Vec::new();
        loop {
            // Of several the first counts, and the others do no harm.
            while let Some(more) = self.take_first_doc() {
                doc = doc.or(Some(more));
            }
            if !self.at(TokenKind::AttrBracket) {
                break;
            }
            attrs.push(self.attr()?);
        }
        let start = self.span();
        let kind = self.spec_kind(start)?;
        Ok(Spec { kind, doc, attrs, span: self.span_from(start), id: self.ids.fresh() })
    }

    fn spec_kind(&mut self, start: Span) -> Parse<SpecKind> {
        match self.kind() {
            TokenKind::Val => {
                self.bump();
                let (name, parens) = match self.kind() {
                    TokenKind::LParen => (self.operator_in_parens()?, true),
                    kind if Self::is_binding_operator(kind) => (self.binding_operator()?, false),
                    _ => (self.name("the name of a value")?, false),
                };
                let tparams = self.type_params()?;
                self.expect(TokenKind::Colon)?;
                Ok(SpecKind::Val { name, parens, tparams, ty: self.type_exp()? })
            }
            TokenKind::Type => {
                let head = self.type_head()?;
                if head.recursive || self.at(TokenKind::Equals) {
                    self.expect_equals()?;
                    return Ok(SpecKind::TypeAbbr(self.type_bind_rest(start, head)));
                }
                Ok(SpecKind::AbstractType { lifted: head.lifted, name: head.name, params: head.params })
            }
            TokenKind::Module => {
                self.bump();
                let (name, sig) = self.named_mod_type()?;
                Ok(SpecKind::Mod { name, sig })
            }
            TokenKind::Include => {
                self.bump();
                Ok(SpecKind::Include(self.mod_type_exp()?))
            }
            _ => {
                let help = "a specification begins with `val`, `type`, `module` or `include`";
                Err(self.unexpected_among("specification", Some(help)))
            }
        }
    }
}
