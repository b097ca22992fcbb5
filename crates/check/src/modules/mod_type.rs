//! Module types.
//!
//! A module type becomes a `ModTy`: the environment that a module of it has, and the abstract types in it, each with the path by which it is found. Types
//! are what makes this more than a list of names: `type t` in a module type is a new type, and every use of the module type by its name gets new ones
//! (`fresh_mod_ty`), so that two modules of one module type do not share their types by accident. `with t = ..` replaces one in the environment and takes it
//! off the list (`refine`). A module type of functions keeps the abstract types of its result apart, as each application creates new ones.
//!
//! What is refused here would be wrong for every module: names that are specified twice, recursive types (only the module can define
//! one), values whose sizes have no names, since nobody could say whether a module has such a value. Whether a module matches is decided elsewhere (`matching`).
//! With errors there is no module type (`None`), and whoever uses it reports nothing more.

use super::Checker;
use super::type_decs::param_arg;
use crate::cx::suggest;
use crate::env::{AbsType, Env, FunSig, Mod, ModTy, NamedModTy, TypeBinding, Value};
use crate::infer::{Infer, TypePlace};
use crate::places::Meant;
use crate::print::Shower;
use crate::scope::Term;
use crate::subst::Subst;
use crate::types::{self, RetTy, Scheme, TParam, TyIdKind, TyInfo, TyKind};
use norn_base::{Diagnostic, Span, Symbol, codes};
use norn_syntax::ast::{
    Ident, ModTypeExp, ModTypeExpKind, QualName, Spec, SpecKind, TypeParam, TypeParamKind, TypeRefinement,
};
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl Checker<'_> {
    /// `None` if there were errors; they have been reported.
    pub(super) fn mod_type_exp(&mut self, mt: &ModTypeExp) -> Option<ModTy> {
        match &mt.kind {
            ModTypeExpKind::Var(name) => {
                let found = self.resolve_mod_type(name)?;
                Some(self.fresh_mod_ty(&found.ty).0)
            }
            ModTypeExpKind::Parens(inner) => self.mod_type_exp(inner),
            ModTypeExpKind::Specs(specs) => self.specs(specs),
            ModTypeExpKind::With(inner, refinement) => {
                let inner = self.mod_type_exp(inner);
                self.refine(inner?, refinement)
            }
            ModTypeExpKind::Arrow(name, param, body) => {
                let param_ty = self.mod_type_exp(param)?;
                let mark = self.cx.scope.mark();
                if let Some(name) = name {
                    let var = self.cx.new_var(name.name, name.span);
                    self.cx.scope.bind_term(name.name, Term::Mod(var, param_ty.module.clone()));
                }
                let body = self.mod_type_exp(body);
                self.cx.scope.reset(mark);
                let body = body?;
                let created = body.abs.iter().map(|a| a.id).collect();
                let sig = FunSig {
                    abs: param_ty.abs,
                    param: param_ty.module,
                    body: body.module,
                    created,
                    created_sizes: Vec::new(),
                };
                // The abstract types of the body belong to the function's result.
                Some(ModTy { abs: body.abs, module: Mod::Fun(Rc::new(sig)) })
            }
            ModTypeExpKind::Error => None,
        }
    }

    fn resolve_mod_type(&mut self, name: &QualName) -> Option<Rc<NamedModTy>> {
        let (found, candidates) = match name.quals.split_last() {
            None => (self.cx.scope.mod_type(name.name.name), self.cx.scope.mod_type_names()),
            Some((last, front)) => {
                let path = QualName { quals: front.to_vec(), name: *last };
                match self.resolve_module(&path)? {
                    Mod::Env(env) => {
                        (env.mod_types.get(&name.name.name).cloned(), env.mod_types.keys().copied().collect())
                    }
                    Mod::Fun(_) | Mod::Unread | Mod::Error => (None, Vec::new()),
                }
            }
        };
        if let Some(found) = &found {
            self.cx.note(name.name.span, found.span, Meant::ModuleType);
        } else {
            let mut d = Diagnostic::error(
                codes::UNKNOWN_MODULE_TYPE,
                name.name.span,
                format!("The module type `{}` is not in scope.", name.name.name),
            );
            if let Some(better) = suggest(name.name.name, candidates) {
                d = d.help(format!("did you mean `{better}`?")).fix(name.name.span, better.as_str());
            }
            self.cx.report(d);
        }
        found
    }

    pub(super) fn resolve_module(&mut self, name: &QualName) -> Option<Mod> {
        self.with_modules(|this| Infer::new(&mut this.cx).resolve_module(name)).map(|(_, m)| m)
    }

    fn specs(&mut self, specs: &[Spec]) -> Option<ModTy> {
        self.no_duplicate_specs(specs);
        self.cx.scope.push_frame();
        let mut abs: Vec<AbsType> = Vec::new();
        let mut ok = true;
        for spec in specs {
            self.cx.note_scope(spec.span.at_start());
            ok &= self.spec(spec, &mut abs);
            self.cx.note_scope(spec.span.at_end());
        }
        let env = self.cx.scope.pop_frame();
        ok.then(|| ModTy { abs, module: Mod::Env(Rc::new(env)) })
    }

    fn spec(&mut self, spec: &Spec, abs: &mut Vec<AbsType>) -> bool {
        let mut env = Env::default();
        let ok = match &spec.kind {
            SpecKind::Val { name, tparams, ty, .. } => {
                self.name_allowed(name.name, name.span);
                let var = self.cx.new_var(name.name, name.span);
                self.cx.note(name.span, name.span, Meant::Value(var));
                env.add_val(name.name, var);
                match self.declared_type(tparams, ty, TypePlace::Plain) {
                    Some((tparams, ev)) => {
                        let open: Vec<_> = ev.params.iter().copied().chain(ev.dims()).collect();
                        if !open.is_empty() {
                            self.anonymous_in_spec(name, ty.span);
                        }
                        self.cx.set_value(
                            var,
                            Value::Scheme(Rc::new(Scheme { tparams, ty: types::plain(&ev.ty) })),
                        );
                        open.is_empty()
                    }
                    None => {
                        self.cx.set_value(var, Value::Scheme(Rc::new(Scheme::mono(types::error()))));
                        false
                    }
                }
            }
            SpecKind::AbstractType { lifted, name, params } => {
                let params = self.spec_params(params);
                let id = self.cx.names.new_type(TyInfo {
                    name: name.name,
                    span: name.span,
                    lifted: *lifted,
                    kind: TyIdKind::Abstract,
                });
                let ty = types::ret(types::con(id, params.iter().map(param_arg).collect()));
                self.cx.note(name.span, name.span, Meant::Type);
                let binding = TypeBinding { lifted: *lifted, params, ty, span: name.span };
                env.types.insert(name.name, Rc::new(binding));
                abs.push(AbsType { path: vec![name.name], id, lifted: *lifted });
                true
            }
            SpecKind::TypeAbbr(tb) if tb.recursive => {
                let name = tb.name.name;
                let params = self.tparams_only(&tb.params);
                let shown = Shower::new(&self.cx.names).tparams(&params);
                let space = if shown.is_empty() { "" } else { " " };
                self.cx.report(
                    Diagnostic::error(
                        codes::BAD_SPEC,
                        tb.span,
                        "A module type cannot define a recursive type.",
                    )
                    .help(format!("specify it as abstract: `type {name}{space}{shown}`")),
                );
                let ty = types::ret(types::error());
                let span = tb.name.span;
                env.types.insert(name, Rc::new(TypeBinding { lifted: tb.lifted, params, ty, span }));
                false
            }
            SpecKind::TypeAbbr(tb) => {
                let before = self.cx.diagnostics.error_count();
                self.type_abbreviation(tb, &mut env);
                self.cx.diagnostics.error_count() == before
            }
            SpecKind::Mod { name, sig } => match self.mod_type_exp(sig) {
                Some(mt) => {
                    let var = self.cx.new_var(name.name, name.span);
                    self.cx.note(name.span, name.span, Meant::Module(var));
                    abs.extend(mt.abs.iter().map(|a| {
                        let path = std::iter::once(name.name).chain(a.path.iter().copied()).collect();
                        AbsType { path, ..a.clone() }
                    }));
                    env.add_mod(name.name, var, mt.module);
                    true
                }
                None => {
                    let var = self.cx.new_var(name.name, name.span);
                    env.add_mod(name.name, var, Mod::Error);
                    false
                }
            },
            SpecKind::Include(mt) => match self.mod_type_exp(mt) {
                Some(ModTy { abs: more, module: Mod::Env(inner) }) => {
                    abs.extend(more);
                    env = (*inner).clone();
                    true
                }
                Some(ModTy { module: Mod::Fun(_), .. }) => {
                    self.cx.error(
                        codes::MODULE_KIND_MISMATCH,
                        mt.span,
                        "The module type of a parametric module cannot be included.",
                    );
                    false
                }
                Some(ModTy { module: Mod::Unread | Mod::Error, .. }) | None => false,
            },
            SpecKind::Error => false,
        };
        self.cx.scope.declare(&env, true);
        ok
    }

    fn anonymous_in_spec(&mut self, name: &Ident, span: Span) {
        self.cx.report(
            Diagnostic::error(
                codes::ANONYMOUS_SIZE,
                span,
                format!("The parameters of `{}` must have sizes with names.", name.name),
            )
            .help(format!("add size parameters: `val {} [n] : [n]t -> ..`", name.name)),
        );
    }

    fn spec_params(&mut self, params: &[TypeParam]) -> Vec<TParam> {
        for (i, p) in params.iter().enumerate() {
            let same = |q: &&TypeParam| {
                q.name.name == p.name.name
                    && (q.kind == TypeParamKind::Size) == (p.kind == TypeParamKind::Size)
            };
            if let Some(first) = params[..i].iter().find(same) {
                self.cx.report(
                    Diagnostic::error(
                        codes::DUPLICATE_NAME,
                        p.span,
                        format!("The parameter `{}` occurs twice.", p.name.name),
                    )
                    .secondary(first.span, "first here"),
                );
            }
        }
        self.tparams_only(params)
    }

    fn no_duplicate_specs(&mut self, specs: &[Spec]) {
        let mut seen: FxHashMap<(bool, Symbol), Span> = FxHashMap::default();
        for s in specs {
            let (is_type, name) = match &s.kind {
                SpecKind::Val { name, .. } | SpecKind::Mod { name, .. } => (false, name),
                SpecKind::AbstractType { name, .. } => (true, name),
                SpecKind::TypeAbbr(tb) => (true, &tb.name),
                SpecKind::Include(_) | SpecKind::Error => continue,
            };
            if let Some(first) = seen.insert((is_type, name.name), name.span) {
                self.cx.report(
                    Diagnostic::error(
                        codes::DUPLICATE_NAME,
                        name.span,
                        format!("`{}` is specified twice here.", name.name),
                    )
                    .secondary(first, "first specified here"),
                );
            }
        }
    }

    /// `mt with t = type`
    fn refine(&mut self, mt: ModTy, r: &TypeRefinement) -> Option<ModTy> {
        let (tparams, ev) = self.declared_type(&r.params, &r.body, TypePlace::Plain)?;
        let path: Vec<Symbol> = r.name.quals.iter().map(|q| q.name).chain([r.name.name.name]).collect();
        let binding = find_type(&mt.module, &path);
        self.note_path(&mt.module, &r.name);
        let abstract_id = binding.as_ref().and_then(|b| match &*b.ty.ty {
            TyKind::Con(id, _) => mt.abs.iter().position(|a| a.id == *id && a.path == path).map(|i| (*id, i)),
            _ => None,
        });
        let (Some(binding), Some((id, i))) = (binding, abstract_id) else {
            self.cx.error(
                codes::BAD_REFINEMENT,
                r.name.span(),
                format!("`{}` is not an abstract type of the module type.", r.name.name.name),
            );
            return None;
        };
        let narrowed = binding
            .params
            .iter()
            .zip(&tparams)
            .any(|pair| matches!(pair, (TParam::Type(_, have), TParam::Type(_, new)) if have > new));
        if narrowed || !params_match(&binding.params, &tparams) {
            self.cx.error(
                codes::BAD_REFINEMENT,
                r.span,
                format!(
                    "The type `{}` has other parameters than the one it is refined with.",
                    r.name.name.name
                ),
            );
            return None;
        }
        let mut exts = ev.params.clone();
        exts.extend(ev.dims());
        let mut s = Subst::default();
        s.types.insert(id, (tparams, RetTy { exts, ty: types::plain(&ev.ty) }));
        let (module, _) = self.replace_in_mod(s, &mt.module);
        let mut abs = mt.abs;
        abs.remove(i);
        Some(ModTy { abs, module })
    }
}

impl Checker<'_> {
    /// What the names of a path mean that leads to a type of a module.
    fn note_path(&mut self, module: &Mod, path: &QualName) {
        let mut module = module.clone();
        for name in &path.quals {
            let Mod::Env(env) = module else { return };
            let Some((var, inner)) = env.mods.get(&name.name).cloned() else { return };
            self.cx.note(name.span, self.cx.names.var(var).span, Meant::Module(var));
            module = inner;
        }
        if let Mod::Env(env) = module
            && let Some(binding) = env.types.get(&path.name.name)
        {
            self.cx.note(path.name.span, binding.span, Meant::Type);
        }
    }
}

/// A type of a module by its path.
pub(super) fn find_type(m: &Mod, path: &[Symbol]) -> Option<Rc<TypeBinding>> {
    let Mod::Env(env) = m else { return None };
    match path {
        [] => None,
        [name] => env.types.get(name).cloned(),
        [first, rest @ ..] => env.mods.get(first).and_then(|(_, m)| find_type(m, rest)),
    }
}

pub(super) fn params_match(a: &[TParam], b: &[TParam]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|pair| {
            matches!(pair, (TParam::Size(_), TParam::Size(_)) | (TParam::Type(..), TParam::Type(..)))
        })
}
