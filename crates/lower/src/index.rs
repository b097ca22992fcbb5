//! Where names are defined: modules go away here.
//!
//! Lowering starts at the entry points and follows names. A name leads to a definition, or to
//! another name: sealing a module gives its members new names, applying a parametric module gives
//! the members of its body new names, and its body calls the members of the argument by the names
//! of the parameter.
//!
//! A definition inside a parametric module means something else in each application, so it is
//! always looked at in an environment: a chain of applications, one for each parametric module
//! around the definition. An environment knows which names of the parameter stand for which names
//! of the argument, and in which environment those are to be looked up.

use norn_check::typed::{Dec, ModExp, Program, Substitution, ValDef};
use norn_check::types::{RetTy, TParam, TyId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// An environment; 0 is that of the program's files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct EnvId(pub u32);

pub const ROOT: EnvId = EnvId(0);

/// An application of a parametric module, as it stands in the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct AppId(u32);

struct App<'a> {
    function: &'a ModExp,
    argument: &'a ModExp,
    names: &'a Substitution,
    /// How many parametric modules it stands in.
    depth: u32,
}

struct Env<'a> {
    app: Option<AppId>,
    /// The parameter as a module, and the argument: it may be parametric itself.
    param: Option<(VarId, &'a ModExp)>,
    /// Where the parametric module is defined.
    outer: EnvId,
    /// Where it was applied: the argument's names live there.
    site: EnvId,
    depth: u32,
    names: Substitution,
}

/// A definition of the program.
#[derive(Clone, Copy)]
pub struct Def<'a> {
    pub val: &'a ValDef,
    depth: u32,
    /// Whether it or its group calls itself.
    pub recursive: bool,
}

pub struct Index<'a> {
    defs: FxHashMap<VarId, Def<'a>>,
    mods: FxHashMap<VarId, (&'a ModExp, u32)>,
    apps: Vec<App<'a>>,
    /// Definitions of the prelude that have no body here, because the program does not need them.
    unreached: FxHashSet<VarId>,
    /// Names that sealing gave.
    sealed: FxHashMap<VarId, VarId>,
    sealed_types: FxHashMap<TyId, &'a (Vec<TParam>, RetTy)>,
    /// Names that applications gave.
    applied: FxHashMap<VarId, (VarId, AppId)>,
    applied_types: FxHashMap<TyId, (TyId, AppId)>,
    envs: Vec<Env<'a>>,
    env_ids: FxHashMap<(AppId, EnvId), EnvId>,
    pub entries: Vec<&'a ValDef>,
}

/// What a name of a value leads to.
pub enum Found<'a> {
    Def(VarId, Def<'a>, EnvId),
    /// Neither defined nor another name: a built-in, by its own name.
    BuiltIn(VarId),
}

/// What a name of a type leads to.
pub enum FoundType {
    /// A type over parameters, to be read in this environment.
    Abbreviation(Vec<TParam>, RetTy, EnvId),
    /// A recursive type, a type parameter, or built-in; by its original name.
    Itself(TyId, EnvId),
}

impl<'a> Index<'a> {
    pub fn new(program: &'a Program) -> Index<'a> {
        let root =
            Env { app: None, param: None, outer: ROOT, site: ROOT, depth: 0, names: Substitution::default() };
        let mut index = Index {
            defs: FxHashMap::default(),
            mods: FxHashMap::default(),
            apps: Vec::new(),
            unreached: FxHashSet::default(),
            sealed: FxHashMap::default(),
            sealed_types: FxHashMap::default(),
            applied: FxHashMap::default(),
            applied_types: FxHashMap::default(),
            envs: vec![root],
            env_ids: FxHashMap::default(),
            entries: Vec::new(),
        };
        for file in &program.files {
            index.decs(&file.decs, 0);
        }
        if let Some(main) = program.files.last() {
            for dec in &main.decs {
                index.find_entries(dec);
            }
        }
        index
    }

    fn decs(&mut self, decs: &'a [Dec], depth: u32) {
        for d in decs {
            self.dec(d, depth);
        }
    }

    fn dec(&mut self, d: &'a Dec, depth: u32) {
        match d {
            Dec::Vals(group) => {
                let names: FxHashSet<VarId> = group.iter().map(|v| v.var).collect();
                let recursive = group.iter().any(|v| crate::free::mentions(&v.fun.body, &names));
                for val in group {
                    self.defs.insert(val.var, Def { val, depth, recursive });
                }
            }
            Dec::Unreached(var, _) => {
                self.unreached.insert(*var);
            }
            Dec::Mod(m) => {
                self.mods.insert(m.id, (&m.body, depth));
                self.mod_exp(&m.body, depth);
            }
            Dec::Open(m) => self.mod_exp(m, depth),
            Dec::Local(d) => self.dec(d, depth),
            Dec::Types(_) | Dec::ModType(..) | Dec::Import(_) => {}
        }
    }

    fn mod_exp(&mut self, m: &'a ModExp, depth: u32) {
        match m {
            ModExp::Var(_) | ModExp::Import(_) | ModExp::Unread | ModExp::Error => {}
            ModExp::Decs(decs) => self.decs(decs, depth),
            ModExp::Apply(function, argument, names, renamed) => {
                self.mod_exp(function, depth);
                self.mod_exp(argument, depth);
                let id = AppId(self.apps.len() as u32);
                self.apps.push(App { function, argument, names, depth });
                self.applied.extend(renamed.vars.iter().map(|(old, new)| (*new, (*old, id))));
                for (old, (_, new)) in &renamed.types {
                    if let norn_check::types::TyKind::Con(new, _) = &*new.ty {
                        self.applied_types.insert(*new, (*old, id));
                    }
                }
            }
            ModExp::Ascript(inner, names) => {
                self.mod_exp(inner, depth);
                self.sealed.extend(names.vars.iter().map(|(v, w)| (*v, *w)));
                self.sealed_types.extend(names.types.iter().map(|(id, t)| (*id, t)));
            }
            ModExp::Lambda(_, body) => self.mod_exp(body, depth + 1),
        }
    }

    fn find_entries(&mut self, d: &'a Dec) {
        match d {
            Dec::Vals(group) => self.entries.extend(group.iter().filter(|v| v.entry.is_some())),
            Dec::Local(d) => self.find_entries(d),
            Dec::Unreached(..)
            | Dec::Types(_)
            | Dec::Mod(_)
            | Dec::ModType(..)
            | Dec::Open(_)
            | Dec::Import(_) => {}
        }
    }

    pub fn value(&mut self, mut var: VarId, mut env: EnvId) -> Found<'a> {
        loop {
            if let Some((name, at)) = self.by_parameter(var, env) {
                (var, env) = (name, at);
            } else if let Some(name) = self.sealed.get(&var) {
                var = *name;
            } else if let Some((name, app)) = self.applied.get(&var).copied() {
                (var, env) = self.enter(name, app, env);
            } else if let Some(def) = self.defs.get(&var).copied() {
                return Found::Def(var, def, self.at_depth(env, def.depth));
            } else {
                assert!(
                    !self.unreached.contains(&var),
                    "lower: the checker did not reach {var:?} of the prelude"
                );
                return Found::BuiltIn(var);
            }
        }
    }

    pub fn ty(&mut self, mut id: TyId, mut env: EnvId) -> FoundType {
        loop {
            if let Some((params, ty, at)) = self.type_by_parameter(id, env) {
                return FoundType::Abbreviation(params, ty, at);
            } else if let Some((params, ty)) = self.sealed_types.get(&id).copied() {
                return FoundType::Abbreviation(params.clone(), ty.clone(), env);
            } else if let Some((name, app)) = self.applied_types.get(&id).copied() {
                let inside = self.environment(app, env);
                let site = self.envs[inside.0 as usize].site;
                if let Some((params, ty, at)) = self.type_by_parameter(name, site) {
                    return FoundType::Abbreviation(params, ty, at);
                }
                (id, env) = (name, inside);
            } else {
                return FoundType::Itself(id, env);
            }
        }
    }

    /// The module that a parameter stands for.
    fn argument(&self, var: VarId, env: EnvId) -> Option<(&'a ModExp, EnvId)> {
        let mut at = env;
        while at != ROOT {
            let e = &self.envs[at.0 as usize];
            if let Some((param, argument)) = e.param
                && param == var
            {
                return Some((argument, e.site));
            }
            at = e.outer;
        }
        None
    }

    /// What an argument has for a parameter's name.
    fn by_parameter(&self, var: VarId, env: EnvId) -> Option<(VarId, EnvId)> {
        let mut at = env;
        while at != ROOT {
            let e = &self.envs[at.0 as usize];
            if let Some(name) = e.names.vars.get(&var) {
                return Some((*name, e.site));
            }
            at = e.outer;
        }
        None
    }

    fn type_by_parameter(&self, id: TyId, env: EnvId) -> Option<(Vec<TParam>, RetTy, EnvId)> {
        let mut at = env;
        while at != ROOT {
            let e = &self.envs[at.0 as usize];
            if let Some((params, ty)) = e.names.types.get(&id) {
                return Some((params.clone(), ty.clone(), e.site));
            }
            at = e.outer;
        }
        None
    }

    /// The original of a name that an application gave, and the environment to look it up in.
    fn enter(&mut self, name: VarId, app: AppId, env: EnvId) -> (VarId, EnvId) {
        let inside = self.environment(app, env);
        let site = self.envs[inside.0 as usize].site;
        // The applied module may itself be a parameter: then the name is the parameter's.
        match self.by_parameter(name, site) {
            Some((actual, _)) => (actual, inside),
            None => (name, inside),
        }
    }

    fn at_depth(&self, mut env: EnvId, depth: u32) -> EnvId {
        while self.envs[env.0 as usize].depth > depth {
            env = self.envs[env.0 as usize].outer;
        }
        env
    }

    /// The environment inside an application that is looked at from `env`.
    fn environment(&mut self, app: AppId, env: EnvId) -> EnvId {
        // Already inside: a parametric module that the application yielded was applied in turn.
        let mut at = env;
        while at != ROOT {
            if self.envs[at.0 as usize].app == Some(app) {
                return env;
            }
            at = self.envs[at.0 as usize].outer;
        }
        let (function, argument, names, depth) = {
            let a = &self.apps[app.0 as usize];
            (a.function, a.argument, a.names, a.depth)
        };
        let site = self.at_depth(env, depth);
        if let Some(id) = self.env_ids.get(&(app, site)) {
            return *id;
        }
        let found = self.functor(function, site);
        let outer = found.map_or(site, |(_, _, env)| env);
        let param = found.map(|(param, _, _)| (param, argument));
        let mut names = names.clone();
        // Names of an actual module's parameter, by way of the names of the parameter it stands for.
        let mut at = site;
        while at != ROOT {
            let e = &self.envs[at.0 as usize];
            let vars: Vec<_> =
                e.names.vars.iter().filter_map(|(k, v)| names.vars.get(v).map(|w| (*k, *w))).collect();
            names.vars.extend(vars);
            let types: Vec<_> = e
                .names
                .types
                .iter()
                .filter_map(|(k, (_, t))| match &*t.ty {
                    norn_check::types::TyKind::Con(id, _) => names.types.get(id).map(|w| (*k, w.clone())),
                    _ => None,
                })
                .collect();
            names.types.extend(types);
            at = e.outer;
        }
        // The parameter of what an application yields has a new name there; its code has the old one.
        for (mut var, target) in names.vars.clone() {
            while let Some((old, _)) = self.applied.get(&var) {
                var = *old;
                names.vars.entry(var).or_insert(target);
            }
        }
        for (mut ty, target) in names.types.clone() {
            while let Some((old, _)) = self.applied_types.get(&ty) {
                ty = *old;
                names.types.entry(ty).or_insert_with(|| target.clone());
            }
        }
        let depth = self.envs[outer.0 as usize].depth + 1;
        let id = EnvId(self.envs.len() as u32);
        self.envs.push(Env { app: Some(app), param, outer, site, depth, names });
        self.env_ids.insert((app, site), id);
        id
    }

    /// The parameter and body of a parametric module, and the environment of its definition.
    fn functor(&mut self, m: &'a ModExp, env: EnvId) -> Option<(VarId, &'a ModExp, EnvId)> {
        match m {
            ModExp::Lambda(param, body) => Some((*param, body, env)),
            ModExp::Ascript(inner, _) => self.functor(inner, env),
            ModExp::Var(v) => {
                let (mut var, mut env) = (*v, env);
                loop {
                    if let Some((argument, at)) = self.argument(var, env) {
                        return self.functor(argument, at);
                    } else if let Some((name, at)) = self.by_parameter(var, env) {
                        (var, env) = (name, at);
                    } else if let Some(name) = self.sealed.get(&var) {
                        var = *name;
                    } else if let Some((name, app)) = self.applied.get(&var).copied() {
                        (var, env) = self.enter(name, app, env);
                    } else {
                        let (body, depth) = self.mods.get(&var).copied()?;
                        let env = self.at_depth(env, depth);
                        return self.functor(body, env);
                    }
                }
            }
            ModExp::Apply(..) => {
                let app = self.apps.iter().position(|a| match m {
                    ModExp::Apply(f, ..) => std::ptr::eq(&**f, a.function),
                    _ => false,
                })?;
                let inside = self.environment(AppId(app as u32), env);
                let ModExp::Apply(f, ..) = m else { return None };
                let (_, body, _) = self.functor(f, env)?;
                self.functor(body, inside)
            }
            ModExp::Import(_) | ModExp::Decs(_) | ModExp::Unread | ModExp::Error => None,
        }
    }
}
