//! What a program does not reach of the prelude is not checked.
//!
//! A program needs little of the prelude, and to check all of it costs more than to check most programs. So it is with the
//! modules of the library that it imports, which are read in the same way.
//!
//! - A module of the prelude is read when a name leads to it. Names are resolved in the middle of inference,
//!   which cannot read modules: a name that leads to an unread one fails silently, and `with_modules` reads
//!   the module and has the whole inferred again.
//! - A definition of the prelude that declares its whole type is known by that type, and its body is left
//!   (`defer`). When the program has been read, `check_reached` checks the bodies that it reaches, and what
//!   they reach in turn. The others stay `Dec::Unreached`.
//!
//! Both are checked in the scope that they were written in, to which a `Place` leads back.
//!
//! A definition is reached by its own name or by one that stands for it: sealing a module and applying a
//! parametric one give their members new names. What is reached is a little more than what is needed,
//! because a name of a parametric module's parameter stands for the members of all its arguments.

use super::Checker;
use crate::env::{Env, Mod, Value};
use crate::infer::Infer;
use crate::print::show_scheme;
use crate::scope::Place;
use crate::sizes;
use crate::typed::{Dec, ModExp, Substitution, ValDef};
use crate::types::{Scheme, TyKind, VarId};
use norn_syntax::ast::{self, Attr, ModBind, ValBind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Default)]
pub(super) struct Deferred {
    pub reading_prelude: bool,
    modules: FxHashMap<VarId, (Rc<ModBind>, Place)>,
    bodies: FxHashMap<VarId, Body>,
    /// Names, each with one that it stands for.
    stand_for: Vec<(VarId, VarId)>,
    done: Done,
}

/// A definition whose body has not been checked.
#[derive(Clone)]
struct Body {
    group: Rc<[ValBind]>,
    attrs: Vec<Attr>,
    place: Place,
}

impl Deferred {
    /// All but what has been checked, for who needs no typed program.
    pub fn copy(&self) -> Deferred {
        Deferred {
            reading_prelude: self.reading_prelude,
            modules: self.modules.clone(),
            bodies: self.bodies.clone(),
            stand_for: self.stand_for.clone(),
            done: Done::default(),
        }
    }
}

/// What was read and checked after all.
#[derive(Default)]
struct Done {
    modules: FxHashMap<VarId, ModExp>,
    defs: FxHashMap<VarId, Vec<ValDef>>,
}

impl Checker<'_> {
    /// Leave a module until a name leads to it, if that can be done.
    pub(super) fn defer_module(&mut self, var: VarId, mb: &Rc<ModBind>) -> bool {
        let deferred = self.deferred.reading_prelude && self.depth == 0;
        if deferred {
            self.deferred.modules.insert(var, (mb.clone(), self.cx.scope.here()));
        }
        deferred
    }

    /// Do something that looks up names, with the modules that they lead to.
    pub(super) fn with_modules<T>(&mut self, mut look_up: impl FnMut(&mut Self) -> T) -> T {
        loop {
            let said = self.cx.diagnostics.len();
            let reported = self.cx.deferred_reports.len();
            let declaring = self.cx.declaring.clone();
            let result = look_up(self);
            let unread_modules = self.cx.unread_modules.take();
            if unread_modules.is_empty() {
                return result;
            }
            self.cx.diagnostics.truncate(said);
            self.cx.deferred_reports.truncate(reported);
            self.cx.declaring = declaring;
            unread_modules.into_iter().for_each(|v| self.read_module(v));
        }
    }

    /// What a file exports, with all modules read if it is one of the prelude.
    pub(super) fn with_all_modules(&mut self, env: Rc<Env>) -> Rc<Env> {
        if self.deferred.reading_prelude || !env.mods.values().any(|(_, m)| matches!(m, Mod::Unread)) {
            return env;
        }
        let mut env = (*env).clone();
        for (var, module) in env.mods.values_mut() {
            self.read_module(*var);
            if let Some(read) = self.cx.modules.get(var) {
                *module = read.clone();
            }
        }
        Rc::new(env)
    }

    fn read_module(&mut self, var: VarId) {
        let Some((mb, place)) = self.deferred.modules.remove(&var) else { return };
        let left = self.cx.scope.visit(place);
        let blocks = std::mem::take(&mut self.cx.blocks);
        let declaring = self.cx.declaring.take();
        let warn = std::mem::replace(&mut self.cx.warn, false);
        let created = std::mem::take(&mut self.created);
        let created_sizes = std::mem::take(&mut self.created_sizes);
        let depth = std::mem::replace(&mut self.depth, 0);
        let reading_prelude = std::mem::replace(&mut self.deferred.reading_prelude, true);

        let (module, typed) = self.module(&mb);
        self.cx.modules.insert(var, module);
        self.deferred.done.modules.insert(var, typed);

        self.deferred.reading_prelude = reading_prelude;
        self.depth = depth;
        self.created_sizes = created_sizes;
        self.created = created;
        self.cx.warn = warn;
        self.cx.declaring = declaring;
        self.cx.blocks = blocks;
        self.cx.scope.leave(left);
    }

    /// The names of a module type stand for those of a module.
    pub(super) fn add_names(&mut self, sealed: &Substitution) {
        self.add_pairs(sealed.vars.iter().map(|(name, to)| (*name, *to)).collect());
    }

    /// The new names of an applied module stand for those of its body. If it is parametric in turn, its body
    /// calls the parameter by the old names, and the argument is given to the new ones.
    pub(super) fn add_copies(&mut self, renamed: &Substitution) {
        self.add_pairs(renamed.vars.iter().flat_map(|(old, new)| [(*new, *old), (*old, *new)]).collect());
    }

    fn add_pairs(&mut self, mut pairs: Vec<(VarId, VarId)>) {
        // They come from a hash table; the order of checking must not depend on hashing.
        pairs.sort_unstable();
        for (name, to) in &pairs {
            self.cx.note_link(self.cx.names.var(*name).span, self.cx.names.var(*to).span);
        }
        for (_, to) in pairs.iter().filter(|(name, _)| self.cx.is_used(*name)).collect::<Vec<_>>() {
            self.cx.mark_used(*to);
        }
        self.deferred.stand_for.extend(pairs);
    }

    /// Bind a definition to its declared type and leave its body, if that can be done.
    pub(super) fn defer(&mut self, group: &Rc<[ValBind]>, vars: &[VarId], dec: &ast::Dec) -> Option<Dec> {
        let ([vb], [var]) = (&**group, vars) else { return None };
        if !self.deferred.reading_prelude || !sizes::fully_annotated(vb) {
            return None;
        }
        let metas = self.with_modules(|this| {
            let mut infer = Infer::new(&mut this.cx);
            infer.infer_signature(vb).then_some(infer.metas)
        })?;
        let (_, scheme) = sizes::declared_scheme(&mut self.cx, metas, vb);
        if leaves_sizes_open(vb, &scheme) {
            return None;
        }
        let scheme = Rc::new(scheme);
        self.cx.set_value(*var, Value::Scheme(scheme.clone()));
        let body = Body { group: group.clone(), attrs: dec.attrs.clone(), place: self.cx.scope.here() };
        self.deferred.bodies.insert(*var, body);
        Some(Dec::Unreached(*var, scheme))
    }

    /// Check what the program reaches of the prelude, or all of it.
    pub(super) fn check_reached(&mut self, whole_prelude: bool) {
        if whole_prelude {
            sorted(&self.deferred.modules).into_iter().for_each(|v| self.read_module(v));
            sorted(&self.deferred.bodies).into_iter().for_each(|v| self.cx.mark_used(v));
        }
        let warn = std::mem::replace(&mut self.cx.warn, false);
        let mut next = 0;
        let mut in_order = 0;
        while let Some(v) = self.cx.reached.get(next).copied() {
            next += 1;
            // Checking a body can lead to modules, which add names.
            if in_order < self.deferred.stand_for.len() {
                self.deferred.stand_for.sort_unstable();
                in_order = self.deferred.stand_for.len();
            }
            let names = &self.deferred.stand_for;
            let first = names.partition_point(|(name, _)| *name < v);
            for (_, to) in names[first..].iter().take_while(|(name, _)| *name == v) {
                self.cx.mark_used(*to);
            }
            if let Some(body) = self.deferred.bodies.remove(&v) {
                let def = self.check_body(v, &body);
                self.deferred.done.defs.insert(v, def);
            }
        }
        self.cx.warn = warn;
        for file in &mut self.program.files {
            self.deferred.done.put_into(&mut file.decs);
        }
    }

    fn check_body(&mut self, var: VarId, body: &Body) -> Vec<ValDef> {
        let left = self.cx.scope.visit(body.place);
        let declared = self.shown_type(var);
        let def = self.define(&body.group, &[var], &body.attrs, None);
        debug_assert_eq!(declared, self.shown_type(var), "check: the body of a definition changes its type");
        self.cx.scope.leave(left);
        def
    }

    fn shown_type(&self, var: VarId) -> Option<String> {
        match self.cx.value(var) {
            Some(Value::Scheme(scheme)) if cfg!(debug_assertions) => {
                let name = self.cx.names.var(var).name;
                Some(format!("{name}: {}", show_scheme(&self.cx.names, scheme)))
            }
            _ => None,
        }
    }
}

fn sorted<T>(table: &FxHashMap<VarId, T>) -> Vec<VarId> {
    let mut all: Vec<VarId> = table.keys().copied().collect();
    all.sort_unstable();
    all
}

/// Whether the declared type has sizes that only the body determines: those of the result that are hidden or
/// have no name, and those of parameters that have none. Those of a constant can come into existence with it.
fn leaves_sizes_open(vb: &ValBind, scheme: &Scheme) -> bool {
    let mut ty = &scheme.ty;
    while let TyKind::Arrow(arrow) = &**ty {
        if !arrow.ret.exts.is_empty() {
            return true;
        }
        ty = &arrow.ret.ty;
    }
    scheme.tparams.len() > vb.tparams.len() || (vb.params.is_empty() && scheme.ty.has_sizes())
}

impl Done {
    /// Put it where it stands in the program.
    fn put_into(&mut self, decs: &mut [Dec]) {
        for dec in decs {
            match dec {
                Dec::Unreached(var, _) => {
                    if let Some(def) = self.defs.remove(var) {
                        *dec = Dec::Vals(def);
                    }
                }
                Dec::Mod(m) => {
                    if let Some(body) = self.modules.remove(&m.id) {
                        m.body = body;
                    }
                    self.put_into_module(&mut m.body);
                }
                Dec::Open(m) => self.put_into_module(m),
                Dec::Local(dec) => self.put_into(std::slice::from_mut(dec)),
                Dec::Vals(_) | Dec::Types(_) | Dec::ModType(..) | Dec::Import(_) => {}
            }
        }
    }

    fn put_into_module(&mut self, m: &mut ModExp) {
        match m {
            ModExp::Decs(decs) => self.put_into(decs),
            ModExp::Apply(function, argument, ..) => {
                self.put_into_module(function);
                self.put_into_module(argument);
            }
            ModExp::Ascript(inner, _) | ModExp::Lambda(_, inner) => self.put_into_module(inner),
            ModExp::Var(_) | ModExp::Import(_) | ModExp::Unread | ModExp::Error => {}
        }
    }
}
