//! Modules with other types in them: what refinement, sealing and application of parametric modules
//! have in common. Every value of the new module is a new variable with its own type.

use super::Checker;
use crate::env::{AbsType, Env, FunSig, Mod, ModTy, NamedModTy, TypeBinding, Value};
use crate::subst::{self, Subst};
use crate::typed::Substitution;
use crate::types::{RecDef, RetTy, Scheme, Size, TyId, TyIdKind, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl Checker<'_> {
    /// A copy of a module type whose abstract types and values are new. The substitution leads from
    /// the old names to the new.
    pub(super) fn fresh_mod_ty(&mut self, mt: &ModTy) -> (ModTy, Substitution) {
        let ids: Vec<TyId> = mt.abs.iter().map(|a| a.id).collect();
        let mut s = Subst::default();
        self.fresh_types(&ids, &mut s);
        let (module, substitution) = self.replace_in_mod(s.clone(), &mt.module);
        let abs = mt
            .abs
            .iter()
            .map(|a| AbsType { id: s.renamed.get(&a.id).copied().unwrap_or(a.id), ..a.clone() })
            .collect();
        (ModTy { abs, module }, substitution)
    }

    /// New type names for these.
    pub(super) fn fresh_types(&mut self, ids: &[TyId], s: &mut Subst) {
        for id in ids {
            let info = self.cx.names.ty(*id).clone();
            let new = self.cx.names.new_type(info);
            s.renamed.insert(*id, new);
        }
    }

    /// The definitions of recursive types among new type names, over the new names.
    pub(super) fn redefine_types(&mut self, ids: &[TyId], s: &Subst) {
        for id in ids {
            let Some(new) = s.renamed.get(id).copied() else { continue };
            let TyIdKind::Rec(Some(def)) = self.cx.names.ty(*id).kind.clone() else { continue };
            let constrs = def
                .constrs
                .iter()
                .map(|(c, ts)| (*c, ts.iter().map(|t| subst::apply(s, &mut self.cx.names, t).ty).collect()))
                .collect();
            let def = RecDef { params: def.params.clone(), constrs };
            self.cx.names.ty_mut(new).kind = TyIdKind::Rec(Some(Rc::new(def)));
        }
    }

    /// Apply a substitution to everything in a module.
    pub(super) fn replace_in_mod(&mut self, mut s: Subst, m: &Mod) -> (Mod, Substitution) {
        let mut vars = FxHashMap::default();
        self.new_vars(m, &mut vars);
        // Sizes in types may mention values of the module.
        s.sizes.extend(vars.iter().map(|(old, new)| (*old, Size::Var(*new))));
        let module = self.map_mod(&s, &vars, m);
        let substitution = Substitution {
            vars: vars.into_iter().collect(),
            types: s
                .renamed
                .iter()
                .map(|(old, new)| {
                    let ty = crate::types::ret(crate::types::con(*new, Vec::new()));
                    (*old, (Vec::new(), ty))
                })
                .collect(),
        };
        (module, substitution)
    }

    fn new_vars(&mut self, m: &Mod, vars: &mut FxHashMap<VarId, VarId>) {
        match m {
            Mod::Env(env) => {
                for v in env.vals.values().chain(env.mods.values().map(|(v, _)| v)) {
                    if !vars.contains_key(v) {
                        let info = self.cx.names.var(*v).clone();
                        let new = self.cx.new_var(info.name, info.span);
                        vars.insert(*v, new);
                    }
                }
                for (_, m) in env.mods.values() {
                    self.new_vars(m, vars);
                }
            }
            Mod::Fun(sig) => {
                self.new_vars(&sig.param, vars);
                self.new_vars(&sig.body, vars);
            }
            Mod::Unread | Mod::Error => {}
        }
    }

    fn map_mod(&mut self, s: &Subst, vars: &FxHashMap<VarId, VarId>, m: &Mod) -> Mod {
        match m {
            Mod::Unread | Mod::Error => m.clone(),
            Mod::Env(env) => Mod::Env(Rc::new(self.map_env(s, vars, env))),
            Mod::Fun(sig) => {
                let param = self.map_mod(s, vars, &sig.param);
                let body = self.map_mod(s, vars, &sig.body);
                Mod::Fun(Rc::new(FunSig {
                    abs: sig.abs.clone(),
                    param,
                    body,
                    created: sig.created.clone(),
                    created_sizes: sig.created_sizes.clone(),
                }))
            }
        }
    }

    fn map_env(&mut self, s: &Subst, vars: &FxHashMap<VarId, VarId>, env: &Env) -> Env {
        let mut new = Env::default();
        for (name, v) in &env.vals {
            let to = vars.get(v).copied().unwrap_or(*v);
            if to != *v
                && let Some(value) = self.cx.value(*v).cloned()
            {
                let value = match value {
                    Value::Scheme(scheme) => Value::Scheme(Rc::new(self.map_scheme(s, &scheme))),
                    value => value,
                };
                self.cx.set_value(to, value);
            }
            new.vals.insert(*name, to);
        }
        for (name, binding) in &env.types {
            new.types.insert(*name, Rc::new(self.map_binding(s, binding)));
        }
        for (name, (v, m)) in &env.mods {
            let m = self.map_mod(s, vars, m);
            new.mods.insert(*name, (vars.get(v).copied().unwrap_or(*v), m));
        }
        for (name, mt) in &env.mod_types {
            let module = self.map_mod(s, vars, &mt.ty.module);
            let ty = ModTy { abs: mt.ty.abs.clone(), module };
            new.mod_types.insert(*name, Rc::new(NamedModTy { ty, span: mt.span }));
        }
        new
    }

    pub(super) fn map_scheme(&mut self, s: &Subst, scheme: &Scheme) -> Scheme {
        let RetTy { exts, ty } = subst::apply(s, &mut self.cx.names, &scheme.ty);
        // Hidden sizes of a substituted type that reach the top are parameters of the value.
        let mut tparams = scheme.tparams.clone();
        tparams.extend(exts.into_iter().map(crate::types::TParam::Size));
        Scheme { tparams, ty }
    }

    fn map_binding(&mut self, s: &Subst, binding: &TypeBinding) -> TypeBinding {
        let ty = subst::apply_ret(s, &mut self.cx.names, &binding.ty);
        TypeBinding { params: binding.params.clone(), ty, ..*binding }
    }
}
