//! Module expressions.

use super::Checker;
use crate::env::{Env, FunSig, Mod, ModTy};
use crate::infer::Infer;
use crate::places::Meant;
use crate::subst::Subst;
use crate::typed::{self, Dec, ModDef};
use norn_base::{Diagnostic, Span, codes};
use norn_syntax::ast::{ModBind, ModExp, ModExpKind, ModParam, ModTypeExp};
use std::rc::Rc;

/// The type of a module that was already complained about.
fn error_type() -> ModTy {
    ModTy { abs: Vec::new(), module: Mod::Error }
}

impl Checker<'_> {
    pub(super) fn mod_bind(&mut self, mb: &Rc<ModBind>) -> (Env, Dec) {
        let id = self.cx.new_var(mb.name.name, mb.name.span);
        self.cx.note(mb.name.span, mb.name.span, Meant::Module(id));
        let (module, body) = match self.defer_module(id, mb) {
            true => (Mod::Unread, typed::ModExp::Unread),
            false => self.module(mb),
        };
        let mut env = Env::default();
        env.add_mod(mb.name.name, id, module);
        (env, Dec::Mod(ModDef { name: mb.name.name, id, body, span: mb.span }))
    }

    /// The module that is bound by a declaration.
    pub(super) fn module(&mut self, mb: &ModBind) -> (Mod, typed::ModExp) {
        let (ty, body) = self.functor(&mb.params, mb.sig.as_ref(), &mb.body);
        (ty.module, body)
    }

    /// A module body under parameters, sealed if a module type is given.
    fn functor(
        &mut self,
        params: &[ModParam],
        sig: Option<&ModTypeExp>,
        body: &ModExp,
    ) -> (ModTy, typed::ModExp) {
        let Some((first, rest)) = params.split_first() else {
            self.depth += 1;
            let (ty, typed) = self.mod_exp(body);
            let result = match sig {
                Some(sig) => self.seal(ty, typed, sig, body.span),
                None => (ty, typed),
            };
            self.depth -= 1;
            return result;
        };
        let param = self.mod_type_exp(&first.sig);
        let broken = param.is_none();
        let param = param.unwrap_or_else(error_type);
        self.cx.scope.push_frame();
        let var = self.cx.new_var(first.name.name, first.name.span);
        self.cx.note(first.name.span, first.name.span, Meant::Module(var));
        let mut env = Env::default();
        env.add_mod(first.name.name, var, param.module.clone());
        self.cx.scope.declare(&env, false);
        self.cx.note_scope(first.span.at_end());
        let outer = std::mem::take(&mut self.created);
        let outer_sizes = std::mem::take(&mut self.created_sizes);
        let (body_ty, typed) = self.functor(rest, sig, body);
        let created = std::mem::replace(&mut self.created, outer);
        let created_sizes = std::mem::replace(&mut self.created_sizes, outer_sizes);
        self.cx.scope.pop_frame();
        let module = if broken {
            Mod::Error
        } else {
            Mod::Fun(Rc::new(FunSig {
                abs: param.abs,
                param: param.module,
                body: body_ty.module,
                created,
                created_sizes,
            }))
        };
        (ModTy { abs: Vec::new(), module }, typed::ModExp::Lambda(var, Box::new(typed)))
    }

    pub(super) fn mod_exp(&mut self, me: &ModExp) -> (ModTy, typed::ModExp) {
        match &me.kind {
            ModExpKind::Var(name) => {
                match self.with_modules(|this| Infer::new(&mut this.cx).resolve_module(name)) {
                    Some((var, module)) => {
                        if name.quals.is_empty()
                            && name.name.name.as_str() == "intrinsics"
                            && self.is_intrinsics(&module)
                        {
                            self.cx.error(
                                codes::NOT_A_MODULE,
                                me.span,
                                "The module `intrinsics` can be used only to qualify names.",
                            );
                        }
                        (ModTy { abs: Vec::new(), module }, typed::ModExp::Var(var))
                    }
                    None => (error_type(), typed::ModExp::Error),
                }
            }
            ModExpKind::Parens(inner) => self.mod_exp(inner),
            ModExpKind::Import(path) => match self.import(path) {
                Some((env, path)) => {
                    (ModTy { abs: Vec::new(), module: Mod::Env(env) }, typed::ModExp::Import(path))
                }
                None => (error_type(), typed::ModExp::Error),
            },
            ModExpKind::Decs(decs) => {
                self.depth += 1;
                let (env, decs) = self.block(decs);
                self.depth -= 1;
                (ModTy { abs: Vec::new(), module: Mod::Env(Rc::new(env)) }, typed::ModExp::Decs(decs))
            }
            ModExpKind::Apply(f, arg) => self.apply_functor(f, arg, me.span),
            ModExpKind::Ascript(inner, sig) => {
                let (ty, typed) = self.mod_exp(inner);
                self.seal(ty, typed, sig, me.span)
            }
            ModExpKind::Lambda(param, sig, body) => {
                self.functor(std::slice::from_ref(&**param), sig.as_deref(), body)
            }
            ModExpKind::Error => (error_type(), typed::ModExp::Error),
        }
    }

    fn is_intrinsics(&self, module: &Mod) -> bool {
        matches!(module, Mod::Env(env) if Rc::ptr_eq(env, &self.intrinsics))
    }

    fn seal(
        &mut self,
        ty: ModTy,
        typed: typed::ModExp,
        sig: &ModTypeExp,
        span: Span,
    ) -> (ModTy, typed::ModExp) {
        let Some(sig) = self.mod_type_exp(sig) else { return (error_type(), typed::ModExp::Error) };
        if matches!(ty.module, Mod::Error) || matches!(sig.module, Mod::Error) {
            return (ModTy { abs: Vec::new(), module: sig.module }, typed::ModExp::Error);
        }
        let substitution = self.match_module(&ty.module, &sig, span).unwrap_or_default();
        self.add_names(&substitution);
        self.created.extend(sig.abs.iter().map(|a| a.id));
        (ModTy { abs: Vec::new(), module: sig.module }, typed::ModExp::Ascript(Box::new(typed), substitution))
    }

    fn apply_functor(&mut self, f: &ModExp, arg: &ModExp, span: Span) -> (ModTy, typed::ModExp) {
        let (f_ty, f_typed) = self.mod_exp(f);
        let (arg_ty, arg_typed) = self.mod_exp(arg);
        let sig = match f_ty.module {
            Mod::Fun(sig) => sig,
            Mod::Unread | Mod::Error => return (error_type(), typed::ModExp::Error),
            Mod::Env(_) => {
                self.cx.report(Diagnostic::error(
                    codes::MODULE_KIND_MISMATCH,
                    f.span,
                    "This module is not parametric, so it cannot be applied.",
                ));
                return (error_type(), typed::ModExp::Error);
            }
        };
        if matches!(arg_ty.module, Mod::Error) {
            return (error_type(), typed::ModExp::Error);
        }
        let param = ModTy { abs: sig.abs.clone(), module: sig.param.clone() };
        let Some(matched) = self.match_module(&arg_ty.module, &param, span) else {
            return (error_type(), typed::ModExp::Error);
        };
        let mut s = Subst::default();
        s.types.extend(matched.types.iter().map(|(id, (ps, t))| (*id, (ps.clone(), t.clone()))));
        s.sizes.extend(matched.vars.iter().map(|(v, w)| (*v, crate::types::Size::Var(*w))));
        self.fresh_types(&sig.created, &mut s);
        self.redefine_types(&sig.created, &s);
        let new: Vec<_> = sig.created.iter().filter_map(|id| s.renamed.get(id).copied()).collect();
        self.created.extend(new);
        for v in &sig.created_sizes {
            let info = self.cx.names.var(*v).clone();
            let new = self.cx.new_var(info.name, info.span);
            s.sizes.insert(*v, crate::types::Size::Var(new));
            self.created_sizes.push(new);
        }
        let (module, renamed) = self.replace_in_mod(s, &sig.body);
        self.add_names(&matched);
        self.add_copies(&renamed);
        let typed = typed::ModExp::Apply(Box::new(f_typed), Box::new(arg_typed), matched, renamed);
        (ModTy { abs: Vec::new(), module }, typed)
    }
}
