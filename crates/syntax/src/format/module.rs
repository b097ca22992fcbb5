//! The layout of modules, module types and what they specify.
//!
//! Braces open at the end of a line, and close below the start of that line.

use super::formatter::{Formatter, INDENT};
use crate::ast::{
    Ident, ModBind, ModExp, ModExpKind, ModParam, ModTypeBind, ModTypeExp, ModTypeExpKind, Spec, SpecKind,
    TypeRefinement,
};

impl<'a> Formatter<'a> {
    /// `module m (p: a) : b = c`
    pub fn mod_bind(&mut self, bind: &ModBind) {
        self.token("module");
        self.space();
        self.ident(&bind.name);
        self.mod_params(&bind.params);
        self.mod_result(bind.sig.as_ref());
        self.space();
        self.token("=");
        self.mod_definition(&bind.body);
    }

    /// `module type m = a`
    pub fn mod_type_bind(&mut self, bind: &ModTypeBind) {
        self.token("module");
        self.space();
        self.token("type");
        self.space();
        self.ident(&bind.name);
        self.space();
        self.token("=");
        if ends_in_specs(&bind.body) {
            self.space();
            self.mod_type_exp(&bind.body);
        } else {
            self.hang(|f| f.mod_type_exp(&bind.body));
        }
    }

    /// A single parameter stays beside the name; of several each may have its own line.
    fn mod_params(&mut self, params: &[ModParam]) {
        if let [param] = params {
            self.space();
            return self.mod_param(&param.name, &param.sig);
        }
        self.open_group();
        self.indented(INDENT, |f| {
            for param in params {
                f.line();
                f.mod_param(&param.name, &param.sig);
            }
        });
        self.close_group();
    }

    /// `(p: a)`
    fn mod_param(&mut self, name: &Ident, sig: &ModTypeExp) {
        self.token("(");
        self.ident(name);
        self.token(":");
        self.space();
        self.mod_type_exp(sig);
        self.token(")");
    }

    /// ` : a`
    fn mod_result(&mut self, sig: Option<&ModTypeExp>) {
        let Some(sig) = sig else { return };
        let beside = ends_in_specs(sig);
        self.open_group();
        self.indent_if_broken(INDENT);
        if beside {
            self.space();
        } else {
            self.line();
        }
        self.token(":");
        self.space();
        if beside {
            self.close_group();
            self.mod_type_exp(sig);
        } else {
            self.mod_type_exp(sig);
            self.close_group();
        }
        self.dedent();
    }

    /// What follows `=` or `->`.
    fn mod_definition(&mut self, module: &ModExp) {
        if ends_in_decs(module) {
            self.space();
            self.mod_exp(module);
        } else {
            self.hang(|f| f.mod_exp(module));
        }
    }

    pub fn mod_exp(&mut self, module: &ModExp) {
        match &module.kind {
            ModExpKind::Var(name) => self.qual_name(name),
            ModExpKind::Parens(inner) if ends_in_decs(inner) => {
                self.token("(");
                self.mod_exp(inner);
                self.token(")");
            }
            ModExpKind::Parens(inner) => self.in_parens(|f| f.mod_exp(inner)),
            ModExpKind::Import(path) => {
                self.token("import");
                self.space();
                self.source(path.span);
            }
            ModExpKind::Decs(decs) => self.block(decs, Self::dec),
            ModExpKind::Apply(function, arg) => {
                self.mod_exp(function);
                self.space();
                self.mod_exp(arg);
            }
            ModExpKind::Ascript(inner, sig) => {
                self.mod_exp(inner);
                self.space();
                self.token(":");
                self.space();
                self.mod_type_exp(sig);
            }
            ModExpKind::Lambda(param, result, body) => self.mod_lambda(param, result.as_deref(), body),
            ModExpKind::Error => self.verbatim(module.span),
        }
    }

    /// `\(p: a) : b -> c`
    fn mod_lambda(&mut self, param: &ModParam, result: Option<&ModTypeExp>, body: &ModExp) {
        self.token("\\");
        self.mod_param(&param.name, &param.sig);
        self.mod_result(result);
        self.space();
        self.token("->");
        self.mod_definition(body);
    }

    pub fn mod_type_exp(&mut self, ty: &ModTypeExp) {
        match &ty.kind {
            ModTypeExpKind::Var(name) => self.qual_name(name),
            ModTypeExpKind::Parens(inner) => self.in_parens(|f| f.mod_type_exp(inner)),
            ModTypeExpKind::Specs(specs) => self.block(specs, Self::spec),
            ModTypeExpKind::With(..) => self.refinements(ty),
            ModTypeExpKind::Arrow(..) => self.mod_arrows(ty),
            ModTypeExpKind::Error => self.verbatim(ty.span),
        }
    }

    /// `a with t = b with u = c`, broken before each `with`.
    fn refinements(&mut self, mut ty: &ModTypeExp) {
        let mut refinements = Vec::new();
        while let ModTypeExpKind::With(inner, refinement) = &ty.kind {
            refinements.push(refinement);
            ty = inner;
        }
        self.group(|f| {
            f.aligned(|f| {
                f.mod_type_exp(ty);
                for refinement in refinements.into_iter().rev() {
                    f.line();
                    f.refinement(refinement);
                }
            });
        });
    }

    fn refinement(&mut self, refinement: &TypeRefinement) {
        self.token("with");
        self.space();
        self.qual_name(&refinement.name);
        self.type_params(&refinement.params);
        self.space();
        self.token("=");
        self.hang(|f| f.type_exp(&refinement.body));
    }

    /// `a -> (p: b) -> c`, broken before the arrows.
    fn mod_arrows(&mut self, ty: &ModTypeExp) {
        let mut ty = ty;
        self.group(|f| {
            f.aligned(|f| {
                while let ModTypeExpKind::Arrow(name, param, result) = &ty.kind {
                    match name {
                        Some(name) => f.mod_param(name, param),
                        None => f.mod_type_exp(param),
                    }
                    f.sign(|f| f.token("->"));
                    ty = result;
                }
                f.mod_type_exp(ty);
            });
        });
    }

    fn spec(&mut self, spec: &Spec) {
        self.attrs(&spec.attrs);
        match &spec.kind {
            SpecKind::Val { name, tparams, ty, .. } => {
                self.token("val");
                self.space();
                self.binder(name);
                self.type_params(tparams);
                self.space();
                self.token(":");
                self.hang(|f| f.type_exp(ty));
            }
            SpecKind::AbstractType { lifted, name, params } => {
                self.token("type");
                self.lifted_mark(*lifted);
                self.space();
                self.ident(name);
                self.type_params(params);
            }
            SpecKind::TypeAbbr(bind) => self.type_bind(bind),
            SpecKind::Mod { name, sig } => {
                self.token("module");
                self.space();
                self.ident(name);
                self.mod_result(Some(sig));
            }
            SpecKind::Include(ty) => {
                self.token("include");
                self.space();
                self.mod_type_exp(ty);
            }
            SpecKind::Error => self.verbatim(spec.span),
        }
    }

    /// Declarations or specifications between braces.
    fn block<T>(&mut self, members: &[T], mut member: impl FnMut(&mut Self, &T)) {
        if members.is_empty() {
            return self.nothing_between("{", "}");
        }
        self.group(|f| {
            f.token("{");
            f.indented(INDENT, |f| {
                f.soft_line();
                f.start_block();
                for (i, each) in members.iter().enumerate() {
                    if i > 0 {
                        f.keep_blank();
                        f.line();
                    }
                    member(f, each);
                }
                f.closing_comments();
            });
            f.soft_line();
            f.token("}");
        });
    }
}

/// Whether a module expression ends with declarations in braces, so that it can begin on any line
/// and be indented like that line.
fn ends_in_decs(module: &ModExp) -> bool {
    match &module.kind {
        ModExpKind::Decs(_) => true,
        ModExpKind::Parens(last) | ModExpKind::Apply(_, last) | ModExpKind::Lambda(_, _, last) => {
            ends_in_decs(last)
        }
        ModExpKind::Ascript(inner, sig) => ends_in_decs(inner) || ends_in_specs(sig),
        ModExpKind::Var(_) | ModExpKind::Import(_) | ModExpKind::Error => false,
    }
}

fn ends_in_specs(ty: &ModTypeExp) -> bool {
    matches!(ty.kind, ModTypeExpKind::Specs(_))
}
