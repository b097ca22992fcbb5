//! Which names are in scope.
//!
//! Declarations live in frames: one for what every file sees, one for each file, each module body and
//! each parameter of a module. Inside an expression, local names lie on top of all frames; opening a
//! module locally (`m.(e)`) lays its names on top of those.
//!
//! A frame only grows, and stays when its block has been read. So a `Place`, which is a frame and how
//! many of its names are declared there, is enough to come back later and see what was in scope:
//! definitions of the prelude are checked when they are reached (`modules/deferred`).

use crate::env::{Env, Mod, NamedModTy, TypeBinding};
use crate::types::VarId;
use norn_base::Symbol;
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Clone)]
pub enum Term {
    Val(VarId),
    Mod(VarId, Mod),
}

/// The name spaces.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Space {
    Term,
    Type,
    ModType,
}

#[derive(Clone)]
pub enum Meaning {
    Term(Term),
    Type(Rc<TypeBinding>),
    ModType(Rc<NamedModTy>),
}

/// A declared name.
#[derive(Clone)]
struct Declared {
    name: Symbol,
    space: Space,
    meaning: Meaning,
    /// What the frame had under this name before.
    shadows: Option<usize>,
}

/// A block of declarations.
#[derive(Clone, Default)]
struct Frame {
    /// Where the block stands.
    outer: Option<Place>,
    /// Everything in scope by this block, in the order of declaration.
    names: Vec<Declared>,
    latest: FxHashMap<(Space, Symbol), usize>,
    /// What users of the module see.
    exported: Env,
}

/// A point between declarations.
#[derive(Clone, Copy, Default)]
pub struct Place {
    frame: usize,
    /// How many names of the frame are declared here.
    declared: usize,
}

#[derive(Clone)]
pub struct Scope {
    frames: Vec<Frame>,
    here: Place,
    locals: Locals,
}

/// The names inside an expression.
#[derive(Clone, Default)]
struct Locals {
    terms: FxHashMap<Symbol, Vec<Term>>,
    types: FxHashMap<Symbol, Vec<Rc<TypeBinding>>>,
    undo: Vec<Undo>,
}

#[derive(Clone)]
enum Undo {
    Term(Symbol),
    Type(Symbol),
}

/// A point to return to.
#[derive(Clone, Copy)]
pub struct Mark(usize);

/// What was in scope before a visit to another place.
pub struct Left {
    here: Place,
    locals: Locals,
}

impl Default for Scope {
    /// With one frame, for what every file sees.
    fn default() -> Scope {
        Scope { frames: vec![Frame::default()], here: Place::default(), locals: Locals::default() }
    }
}

impl Scope {
    pub fn here(&self) -> Place {
        self.here
    }

    /// Make what was in scope at a place be in scope; `leave` ends it.
    pub fn visit(&mut self, place: Place) -> Left {
        Left { here: std::mem::replace(&mut self.here, place), locals: std::mem::take(&mut self.locals) }
    }

    pub fn leave(&mut self, left: Left) {
        self.here = left.here;
        self.locals = left.locals;
    }

    pub fn push_frame(&mut self) {
        self.frames.push(Frame { outer: Some(self.here), ..Frame::default() });
        self.here = Place { frame: self.frames.len() - 1, declared: 0 };
    }

    /// Close a block; what it exports.
    pub fn pop_frame(&mut self) -> Env {
        let frame = &mut self.frames[self.here.frame];
        self.here = frame.outer.unwrap_or_default();
        std::mem::take(&mut frame.exported)
    }

    /// Names for the rest of the innermost block.
    pub fn declare(&mut self, env: &Env, export: bool) {
        let frame = &mut self.frames[self.here.frame];
        for (name, v) in &env.vals {
            frame.add(Space::Term, *name, Meaning::Term(Term::Val(*v)));
        }
        for (name, (v, module)) in &env.mods {
            frame.add(Space::Term, *name, Meaning::Term(Term::Mod(*v, module.clone())));
        }
        for (name, binding) in &env.types {
            frame.add(Space::Type, *name, Meaning::Type(binding.clone()));
        }
        for (name, ty) in &env.mod_types {
            frame.add(Space::ModType, *name, Meaning::ModType(ty.clone()));
        }
        if export {
            frame.exported.extend(env);
        }
        self.here.declared = frame.names.len();
    }

    /// What a name means here, if it is declared.
    fn declared(&self, space: Space, name: Symbol) -> Option<&Meaning> {
        let mut place = Some(self.here);
        while let Some(Place { frame, declared }) = place {
            let frame = &self.frames[frame];
            let mut found = frame.latest.get(&(space, name)).copied();
            while let Some(i) = found {
                let name = &frame.names[i];
                if i < declared {
                    return Some(&name.meaning);
                }
                found = name.shadows;
            }
            place = frame.outer;
        }
        None
    }

    /// All names that are declared here.
    fn all_declared(&self, space: Space) -> impl Iterator<Item = Symbol> {
        std::iter::successors(Some(self.here), |place| self.frames[place.frame].outer)
            .flat_map(|place| &self.frames[place.frame].names[..place.declared])
            .filter(move |declared| declared.space == space)
            .map(|declared| declared.name)
    }

    /// What is declared at a place; of several meanings of a name, the one that counts comes first.
    pub fn declared_at(&self, place: Place) -> impl Iterator<Item = (Symbol, &Meaning)> {
        std::iter::successors(Some(place), |place| self.frames[place.frame].outer)
            .flat_map(|place| self.frames[place.frame].names[..place.declared].iter().rev())
            .map(|declared| (declared.name, &declared.meaning))
    }

    pub fn mark(&self) -> Mark {
        Mark(self.locals.undo.len())
    }

    /// Forget all local names bound since the mark.
    pub fn reset(&mut self, mark: Mark) {
        let Locals { terms, types, undo } = &mut self.locals;
        for name in undo.drain(mark.0..).rev() {
            match name {
                Undo::Term(name) => {
                    if let Some(stack) = terms.get_mut(&name) {
                        stack.pop();
                    }
                }
                Undo::Type(name) => {
                    if let Some(stack) = types.get_mut(&name) {
                        stack.pop();
                    }
                }
            }
        }
    }

    pub fn bind_term(&mut self, name: Symbol, term: Term) {
        self.locals.terms.entry(name).or_default().push(term);
        self.locals.undo.push(Undo::Term(name));
    }

    pub fn bind_type(&mut self, name: Symbol, binding: Rc<TypeBinding>) {
        self.locals.types.entry(name).or_default().push(binding);
        self.locals.undo.push(Undo::Type(name));
    }

    /// Lay all names of a module on top.
    pub fn open_locally(&mut self, env: &Env) {
        for (name, id) in &env.vals {
            self.bind_term(*name, Term::Val(*id));
        }
        for (name, (id, module)) in &env.mods {
            self.bind_term(*name, Term::Mod(*id, module.clone()));
        }
        for (name, binding) in &env.types {
            self.bind_type(*name, binding.clone());
        }
    }

    /// A local value of this name, if there is one on top.
    pub fn local_val(&self, name: Symbol) -> Option<VarId> {
        match self.locals.terms.get(&name).and_then(|stack| stack.last()) {
            Some(Term::Val(v)) => Some(*v),
            _ => None,
        }
    }

    /// Only one local value has this name.
    pub fn is_outermost(&self, name: Symbol) -> bool {
        self.locals.terms.get(&name).is_some_and(|stack| stack.len() == 1)
    }

    pub fn term(&self, name: Symbol) -> Option<Term> {
        if let Some(term) = self.locals.terms.get(&name).and_then(|stack| stack.last()) {
            return Some(term.clone());
        }
        match self.declared(Space::Term, name)? {
            Meaning::Term(term) => Some(term.clone()),
            Meaning::Type(_) | Meaning::ModType(_) => None,
        }
    }

    pub fn type_binding(&self, name: Symbol) -> Option<Rc<TypeBinding>> {
        if let Some(binding) = self.locals.types.get(&name).and_then(|stack| stack.last()) {
            return Some(binding.clone());
        }
        match self.declared(Space::Type, name)? {
            Meaning::Type(binding) => Some(binding.clone()),
            Meaning::Term(_) | Meaning::ModType(_) => None,
        }
    }

    pub fn mod_type(&self, name: Symbol) -> Option<Rc<NamedModTy>> {
        match self.declared(Space::ModType, name)? {
            Meaning::ModType(ty) => Some(ty.clone()),
            Meaning::Term(_) | Meaning::Type(_) => None,
        }
    }

    /// All names that could have been meant, for suggestions.
    pub fn term_names(&self) -> Vec<Symbol> {
        let locals = self.locals.terms.iter().filter(|(_, s)| !s.is_empty()).map(|(n, _)| *n);
        locals.chain(self.all_declared(Space::Term)).collect()
    }

    pub fn type_names(&self) -> Vec<Symbol> {
        let locals = self.locals.types.iter().filter(|(_, s)| !s.is_empty()).map(|(n, _)| *n);
        locals.chain(self.all_declared(Space::Type)).collect()
    }

    pub fn mod_type_names(&self) -> Vec<Symbol> {
        self.all_declared(Space::ModType).collect()
    }
}

impl Frame {
    fn add(&mut self, space: Space, name: Symbol, meaning: Meaning) {
        let shadows = self.latest.insert((space, name), self.names.len());
        self.names.push(Declared { name, space, meaning, shadows });
    }
}

pub fn term_in(env: &Env, name: Symbol) -> Option<Term> {
    match env.vals.get(&name) {
        Some(v) => Some(Term::Val(*v)),
        None => env.mods.get(&name).map(|(id, module)| Term::Mod(*id, module.clone())),
    }
}
