//! Definitions of the prelude are checked when they are reached.
//!
//! A program needs little of the prelude, and to check all of it costs more than to check most programs. So
//! a definition of the prelude that declares its whole type is known by that type, and its body is left
//! (`defer`). When the program has been read, `check_reached` checks the bodies that it reaches, each in
//! the scope that it was written in, and what they reach in turn. The others stay `Dec::Unreached`.
//!
//! A definition is reached by its own name or by one that stands for it: sealing a module and applying a
//! parametric one give their members new names. What is reached is a little more than what is needed,
//! because a name of a parametric module's parameter stands for the members of all its arguments.

use super::Checker;
use crate::env::Value;
use crate::infer::Infer;
use crate::scope::Place;
use crate::sizes;
use crate::typed::{Dec, ModExp, Substitution, ValDef};
use crate::types::VarId;
use norn_syntax::ast::{self, Attr, ValBind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Default)]
pub(super) struct Deferred {
    pub reading_prelude: bool,
    bodies: FxHashMap<VarId, Body>,
    /// Names, each with one that it stands for.
    stand_for: Vec<(VarId, VarId)>,
}

/// A definition whose body has not been checked.
struct Body {
    group: Rc<[ValBind]>,
    attrs: Vec<Attr>,
    place: Place,
}

impl Deferred {
    /// The names of a module type stand for those of a module.
    pub fn add_names(&mut self, sealed: &Substitution) {
        self.stand_for.extend(sealed.vars.iter().map(|(name, to)| (*name, *to)));
    }

    /// The new names of an applied module stand for those of its body.
    pub fn add_copies(&mut self, renamed: &Substitution) {
        self.stand_for.extend(renamed.vars.iter().map(|(old, new)| (*new, *old)));
    }
}

impl Checker<'_> {
    /// Bind a definition to its declared type and leave its body, if that can be done.
    pub(super) fn defer(&mut self, group: &Rc<[ValBind]>, vars: &[VarId], dec: &ast::Dec) -> Option<Dec> {
        let ([vb], [var]) = (&**group, vars) else { return None };
        if !self.deferred.reading_prelude || !sizes::fully_annotated(vb) {
            return None;
        }
        let mut infer = Infer::new(&mut self.cx);
        if !infer.infer_signature(vb) {
            return None;
        }
        let (_, scheme) = sizes::declared_scheme(infer.cx, infer.metas, vb);
        // The sizes of a constant can come into existence with it.
        if vb.params.is_empty() && scheme.ty.has_sizes() {
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
        let Deferred { mut bodies, mut stand_for, .. } = std::mem::take(&mut self.deferred);
        // They come from hash tables; the order of checking must not depend on hashing.
        stand_for.sort_unstable();
        if whole_prelude {
            let mut all: Vec<VarId> = bodies.keys().copied().collect();
            all.sort_unstable();
            all.into_iter().for_each(|v| self.cx.mark_used(v));
        }
        let warn = std::mem::replace(&mut self.cx.warn, false);
        let mut defs: FxHashMap<VarId, Vec<ValDef>> = FxHashMap::default();
        let mut next = 0;
        while let Some(v) = self.cx.reached.get(next).copied() {
            next += 1;
            let first = stand_for.partition_point(|(name, _)| *name < v);
            for (_, to) in stand_for[first..].iter().take_while(|(name, _)| *name == v) {
                self.cx.mark_used(*to);
            }
            if let Some(Body { group, attrs, place }) = bodies.remove(&v) {
                let left = self.cx.scope.visit(place);
                defs.insert(v, self.define(&group, &[v], &attrs));
                self.cx.scope.leave(left);
            }
        }
        self.cx.warn = warn;
        for file in &mut self.program.files {
            put_into(&mut file.decs, &mut defs);
        }
    }
}

/// Put definitions that were reached where they stand.
fn put_into(decs: &mut [Dec], defs: &mut FxHashMap<VarId, Vec<ValDef>>) {
    for dec in decs {
        match dec {
            Dec::Unreached(var, _) => {
                if let Some(def) = defs.remove(var) {
                    *dec = Dec::Vals(def);
                }
            }
            Dec::Mod(m) => put_into_module(&mut m.body, defs),
            Dec::Open(m) => put_into_module(m, defs),
            Dec::Local(dec) => put_into(std::slice::from_mut(dec), defs),
            Dec::Vals(_) | Dec::Types(_) | Dec::ModType(..) | Dec::Import(_) => {}
        }
    }
}

fn put_into_module(m: &mut ModExp, defs: &mut FxHashMap<VarId, Vec<ValDef>>) {
    match m {
        ModExp::Decs(decs) => put_into(decs, defs),
        ModExp::Apply(function, argument, ..) => {
            put_into_module(function, defs);
            put_into_module(argument, defs);
        }
        ModExp::Ascript(inner, _) | ModExp::Lambda(_, inner) => put_into_module(inner, defs),
        ModExp::Var(_) | ModExp::Import(_) | ModExp::Error => {}
    }
}
