//! Whether a module is what a module type asks for.
//!
//! First the abstract types of the module type are looked up in the module; what they stand for there is a substitution.
//! Under it every other type must be the same, every value must have a type that is at least as general, every module must
//! match in turn. Functors are contravariant in their parameters. All that is missing or different is reported, not only
//! the first; what mentions a type that is missing is not reported again.

use super::Checker;
use super::mod_type::{find_type, params_match};
use super::type_decs::param_arg;
use crate::env::{AbsType, Env, FunSig, Mod, ModTy, TypeBinding, Value};
use crate::infer::meta::{Known, Metas};
use crate::print::{Shower, lifted_mark};
use crate::sizes::Sizer;
use crate::subst::{self, Subst};
use crate::typed::Substitution;
use crate::types::{self, Liftedness, RetTy, Scheme, Size, TParam, TyId, VarId};
use norn_base::{Diagnostic, Span, Symbol, codes};
use rustc_hash::FxHashMap;

/// What is being compared, and what was found so far.
struct Matching {
    span: Span,
    /// From names of the module type to what the module has.
    s: Subst,
    out: Substitution,
    /// Types of the module type that the module lacks: nothing is reported about what mentions them.
    missing: Vec<TyId>,
    ok: bool,
}

impl Checker<'_> {
    /// What the names of the module type stand for; `None` if the module does not fit, which has been
    /// reported.
    pub(super) fn match_module(&mut self, module: &Mod, sig: &ModTy, span: Span) -> Option<Substitution> {
        let mut m = Matching {
            span,
            s: Subst::default(),
            out: Substitution::default(),
            missing: Vec::new(),
            ok: true,
        };
        pair_values(module, &sig.module, &mut m.s.sizes);
        self.match_abstract(&mut m, module, &sig.abs);
        self.match_mods(&mut m, module, &sig.module, &sig.abs);
        m.ok.then_some(m.out)
    }

    fn complain(&mut self, m: &mut Matching, d: Diagnostic) {
        m.ok = false;
        self.cx.report(d);
    }

    /// Find the types that implement abstract types.
    fn match_abstract(&mut self, m: &mut Matching, module: &Mod, abs: &[AbsType]) {
        for a in abs {
            // Those of a parametric module's result are found when it is applied.
            if matches!(module, Mod::Fun(_)) {
                continue;
            }
            let name = path_text(&a.path);
            let Some(binding) = find_type(module, &a.path) else {
                // Types inside a parametric submodule are compared with it.
                if !self.inside_functor(module, &a.path) {
                    let d = Diagnostic::error(
                        codes::MISSING_FROM_MODULE,
                        m.span,
                        format!("The module lacks the type `{name}`."),
                    )
                    .secondary(self.cx.names.ty(a.id).span, "specified here");
                    self.complain(m, d);
                    m.missing.push(a.id);
                }
                continue;
            };
            let hides = !binding.ty.exts.is_empty();
            if binding.lifted > a.lifted || (a.lifted == Liftedness::Unlifted && hides) {
                let what = match a.lifted {
                    Liftedness::Unlifted => "that hides no sizes and contains no functions",
                    Liftedness::SizeLifted => "that contains no functions",
                    Liftedness::Lifted => "of any kind",
                };
                let d = Diagnostic::error(
                    codes::TYPE_SPEC_MISMATCH,
                    m.span,
                    format!("The module type asks for a type `{name}` {what}."),
                )
                .note(format!("the module has `type{} {name}`", lifted_mark(binding.lifted)))
                .secondary(self.cx.names.ty(a.id).span, "specified here");
                self.complain(m, d);
            }
            m.s.types.insert(a.id, (binding.params.clone(), binding.ty.clone()));
            m.out.types.insert(a.id, (binding.params.clone(), binding.ty.clone()));
        }
    }

    fn inside_functor(&self, module: &Mod, path: &[Symbol]) -> bool {
        match (module, path) {
            (Mod::Fun(_) | Mod::Unread | Mod::Error, _) => true,
            (Mod::Env(env), [first, rest @ ..]) => {
                env.mods.get(first).is_some_and(|(_, m)| self.inside_functor(m, rest))
            }
            (Mod::Env(_), []) => false,
        }
    }

    fn match_mods(&mut self, m: &mut Matching, module: &Mod, sig: &Mod, abs: &[AbsType]) {
        match (module, sig) {
            (Mod::Unread | Mod::Error, _) | (_, Mod::Unread | Mod::Error) => {}
            (Mod::Env(env), Mod::Env(sig)) => self.match_envs(m, env, sig, abs),
            (Mod::Fun(f), Mod::Fun(sig)) => self.match_functors(m, f, sig),
            (Mod::Fun(_), Mod::Env(_)) => {
                let d = Diagnostic::error(
                    codes::MODULE_KIND_MISMATCH,
                    m.span,
                    "The module is parametric, but the module type is that of a plain module.",
                );
                self.complain(m, d);
            }
            (Mod::Env(_), Mod::Fun(_)) => {
                let d = Diagnostic::error(
                    codes::MODULE_KIND_MISMATCH,
                    m.span,
                    "The module is not parametric, but the module type asks for a parametric module.",
                );
                self.complain(m, d);
            }
        }
    }

    /// The parameter of the module may ask for no more than that of the module type gives; its body
    /// must give what the body of the module type asks for.
    fn match_functors(&mut self, m: &mut Matching, f: &FunSig, sig: &FunSig) {
        let given = ModTy { abs: f.abs.clone(), module: f.param.clone() };
        let Some(param) = self.match_module(&sig.param, &given, m.span) else {
            m.ok = false;
            return;
        };
        // In the body, the module's own parameter types are those of the module type.
        let mut s = Subst::default();
        s.types.extend(param.types.iter().map(|(id, (ps, t))| (*id, (ps.clone(), t.clone()))));
        s.sizes.extend(param.vars.iter().map(|(v, w)| (*v, Size::Var(*w))));
        let (body, renamed) = self.replace_in_mod(s, &f.body);
        let mut inner = Matching {
            span: m.span,
            s: m.s.clone(),
            out: Substitution::default(),
            missing: m.missing.clone(),
            ok: true,
        };
        pair_values(&body, &sig.body, &mut inner.s.sizes);
        let abs: Vec<AbsType> = abs_types_of(&sig.body, &sig.created, self);
        self.match_abstract(&mut inner, &body, &abs);
        self.match_mods(&mut inner, &body, &sig.body, &abs);
        m.ok &= inner.ok;
        let back: FxHashMap<VarId, VarId> = renamed.vars.iter().map(|(old, new)| (*new, *old)).collect();
        m.out.vars.extend(inner.out.vars.iter().map(|(v, w)| (*v, back.get(w).copied().unwrap_or(*w))));
        m.out.types.extend(inner.out.types);
        // The module's code calls its parameter by names of its own.
        m.out.vars.extend(param.vars);
        m.out.types.extend(param.types);
    }

    fn match_envs(&mut self, m: &mut Matching, env: &Env, sig: &Env, abs: &[AbsType]) {
        let mut types: Vec<_> = sig.types.iter().collect();
        types.sort_by_key(|(n, _)| **n);
        for (name, spec) in types {
            match env.types.get(name) {
                Some(found) => self.match_type(m, *name, spec, found, abs),
                None if abs.iter().any(|a| a.path.last() == Some(name)) => {}
                None => {
                    let d = Diagnostic::error(
                        codes::MISSING_FROM_MODULE,
                        m.span,
                        format!("The module lacks the type `{name}`."),
                    );
                    self.complain(m, d);
                }
            }
        }
        let mut vals: Vec<_> = sig.vals.iter().collect();
        vals.sort_by_key(|(n, _)| **n);
        for (name, spec) in vals {
            match env.vals.get(name) {
                Some(found) => {
                    self.match_value(m, *name, *spec, *found);
                    m.out.vars.insert(*spec, *found);
                }
                None => {
                    let d = Diagnostic::error(
                        codes::MISSING_FROM_MODULE,
                        m.span,
                        format!("The module lacks the value `{name}`."),
                    )
                    .secondary(self.cx.names.var(*spec).span, "specified here");
                    self.complain(m, d);
                }
            }
        }
        let mut mods: Vec<_> = sig.mods.iter().collect();
        mods.sort_by_key(|(n, _)| **n);
        for (name, (spec_var, spec)) in mods {
            match env.mods.get(name) {
                Some((var, found)) => {
                    m.out.vars.insert(*spec_var, *var);
                    let inner: Vec<AbsType> = abs
                        .iter()
                        .filter(|a| a.path.len() > 1 && a.path[0] == *name)
                        .map(|a| AbsType { path: a.path[1..].to_vec(), ..a.clone() })
                        .collect();
                    self.match_mods(m, found, spec, &inner);
                }
                None => {
                    let d = Diagnostic::error(
                        codes::MISSING_FROM_MODULE,
                        m.span,
                        format!("The module lacks the module `{name}`."),
                    )
                    .secondary(self.cx.names.var(*spec_var).span, "specified here");
                    // What it would contain is lacking with it.
                    m.missing
                        .extend(abs.iter().filter(|a| a.path.len() > 1 && a.path[0] == *name).map(|a| a.id));
                    self.complain(m, d);
                }
            }
        }
    }

    fn match_type(
        &mut self,
        m: &mut Matching,
        name: Symbol,
        spec: &TypeBinding,
        found: &TypeBinding,
        abs: &[AbsType],
    ) {
        self.cx.note_link(spec.span, found.span);
        let is_abstract = abs.iter().any(|a| a.path.last() == Some(&name));
        if is_abstract {
            // A value of an abstract type with a size parameter must have an array of that size.
            let (witnessed, _) = subst::size_witnesses(&found.ty.ty);
            if let Some(v) = found.params.iter().filter_map(TParam::as_size).find(|v| !witnessed.contains(v))
            {
                let size = self.cx.names.var(v).name;
                let d = Diagnostic::error(
                    codes::TYPE_SPEC_MISMATCH,
                    m.span,
                    format!("The type `{name}` cannot be abstract: no array in it has the size `{size}`."),
                );
                self.complain(m, d);
            }
        }
        let spec_ty = subst::apply_ret(&m.s, &mut self.cx.names, &spec.ty);
        if m.lacks(&spec.ty.ty) {
            return;
        }
        let fits = params_match(&spec.params, &found.params) && {
            let args: Vec<_> = spec.params.iter().map(param_arg).collect();
            let own = subst::apply_ret(&Subst::params(&found.params, &args), &mut self.cx.names, &found.ty);
            let flexible: Vec<TParam> = own.exts.iter().map(|v| TParam::Size(*v)).collect();
            let own = Scheme { tparams: flexible, ty: own.ty };
            self.is_instance(&spec_ty.ty, &own)
        };
        if !fits {
            let mut shower = Shower::new(&self.cx.names);
            let mut declared = |params: &[TParam], body: Option<&RetTy>| {
                let params = shower.tparams(params);
                let space = if params.is_empty() { "" } else { " " };
                let body = body.map_or(String::new(), |t| format!(" = {}", shower.ret(t)));
                format!("type {name}{space}{params}{body}")
            };
            let expected = declared(&spec.params, (!is_abstract).then_some(&spec_ty));
            let got = declared(&found.params, Some(&found.ty));
            let mut d = Diagnostic::error(
                codes::TYPE_SPEC_MISMATCH,
                m.span,
                format!("The type `{name}` of the module is not what the module type asks for."),
            )
            .expected_found(expected, got);
            if let Some(a) = abs.iter().find(|a| a.path.last() == Some(&name)) {
                d = d.secondary(self.cx.names.ty(a.id).span, "specified here");
            }
            self.complain(m, d);
        }
    }

    fn match_value(&mut self, m: &mut Matching, name: Symbol, spec: VarId, found: VarId) {
        let (Some(Value::Scheme(spec_scheme)), Some(found_value)) =
            (self.cx.value(spec).cloned(), self.cx.value(found).cloned())
        else {
            return;
        };
        let Value::Scheme(found_scheme) = found_value else { return };
        if m.lacks(&spec_scheme.ty) {
            return;
        }
        let RetTy { exts, ty } = subst::apply(&m.s, &mut self.cx.names, &spec_scheme.ty);
        let (witnessed, _) = subst::size_witnesses(&ty);
        if exts.iter().any(|v| witnessed.contains(v)) {
            let d = Diagnostic::error(
                codes::VALUE_SPEC_MISMATCH,
                m.span,
                format!("The type of `{name}` would have a hidden size at its top."),
            );
            self.complain(m, d);
            return;
        }
        if !self.is_instance(&ty, &found_scheme) {
            let mut shower = Shower::new(&self.cx.names);
            let with_params = |shower: &mut Shower<'_>, ps: &[TParam], t: &types::Ty| {
                let ps = shower.tparams(ps);
                let t = shower.ty(t);
                if ps.is_empty() { t } else { format!("{ps} : {t}") }
            };
            let expected = with_params(&mut shower, &spec_scheme.tparams, &ty);
            let got = with_params(&mut shower, &found_scheme.tparams, &found_scheme.ty);
            let d = Diagnostic::error(
                codes::VALUE_SPEC_MISMATCH,
                m.span,
                format!(
                    "The value `{name}` of the module does not have the type that the module type gives it."
                ),
            )
            .expected_found(expected, got)
            .secondary(self.cx.names.var(found).span, "the module's value")
            .secondary(self.cx.names.var(spec).span, "specified here");
            self.complain(m, d);
        }
    }

    /// Whether a type is an instance of a scheme.
    fn is_instance(&mut self, expected: &types::Ty, scheme: &Scheme) -> bool {
        let mut metas = Metas::default();
        let mut s = Subst::default();
        let span = Span::new(norn_base::FileId(0), 0, 0);
        let mut params = Vec::new();
        for p in &scheme.tparams {
            if let TParam::Type(id, lifted) = p {
                let t = metas.fresh(Known::Nothing(*lifted), 1, span);
                params.push((*id, t.clone()));
                s.types.insert(*id, (Vec::new(), types::ret(t)));
            }
        }
        let unsized_ty = subst::apply(&s, &mut self.cx.names, &scheme.ty).ty;
        if metas.unify(&mut self.cx.names, expected, &unsized_ty).is_err() {
            return false;
        }
        Sizer::new(&mut self.cx, metas).fits_instance(expected, scheme, &params)
    }
}

impl Matching {
    fn lacks(&self, t: &types::Ty) -> bool {
        let mut found = false;
        subst::each_type_name(t, &mut |id| found |= self.missing.contains(&id));
        found
    }
}

/// Which value of a module type is which of the module, by name, for sizes that mention them.
fn pair_values(module: &Mod, sig: &Mod, sizes: &mut FxHashMap<VarId, Size>) {
    if let (Mod::Env(env), Mod::Env(sig)) = (module, sig) {
        for (name, v) in &sig.vals {
            if let Some(w) = env.vals.get(name) {
                sizes.insert(*v, Size::Var(*w));
            }
        }
        for (name, (_, inner)) in &sig.mods {
            if let Some((_, m)) = env.mods.get(name) {
                pair_values(m, inner, sizes);
            }
        }
    }
}

/// The abstract types among those that the body of a functor's module type makes, by path.
fn abs_types_of(m: &Mod, created: &[TyId], checker: &Checker<'_>) -> Vec<AbsType> {
    fn go(m: &Mod, created: &[TyId], checker: &Checker<'_>, path: &mut Vec<Symbol>, out: &mut Vec<AbsType>) {
        let Mod::Env(env) = m else { return };
        for (name, b) in &env.types {
            if let types::TyKind::Con(id, _) = &*b.ty.ty
                && created.contains(id)
                && !out.iter().any(|a| a.id == *id)
                && checker.cx.names.ty(*id).name == *name
            {
                let mut path = path.clone();
                path.push(*name);
                out.push(AbsType { path, id: *id, lifted: b.lifted });
            }
        }
        for (name, (_, m)) in &env.mods {
            path.push(*name);
            go(m, created, checker, path, out);
            path.pop();
        }
    }
    let mut out = Vec::new();
    go(m, created, checker, &mut Vec::new(), &mut out);
    out.sort_by(|a, b| a.path.cmp(&b.path));
    out
}

fn path_text(path: &[Symbol]) -> String {
    path.iter().map(|s| s.as_str()).collect::<Vec<_>>().join(".")
}
