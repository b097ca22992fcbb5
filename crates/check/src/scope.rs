//! Which names are in scope.
//!
//! Declarations live in frames: one for the prelude, one for each file and each module body that
//! is being read. Inside an expression, local names lie on top of all frames; opening a module
//! locally (`m.(e)`) lays its names on top of those.

use crate::env::{Env, Mod, ModTy, TypeBinding};
use crate::types::VarId;
use norn_base::Symbol;
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Clone)]
pub enum Term {
    Val(VarId),
    Mod(VarId, Mod),
}

/// A block of declarations being read.
#[derive(Default)]
struct Frame {
    /// Everything in scope by this block.
    all: Env,
    /// What users of the module see.
    exported: Env,
}

#[derive(Default)]
pub struct Scope {
    frames: Vec<Frame>,
    terms: FxHashMap<Symbol, Vec<Term>>,
    types: FxHashMap<Symbol, Vec<Rc<TypeBinding>>>,
    undo: Vec<Undo>,
}

enum Undo {
    Term(Symbol),
    Type(Symbol),
}

/// A point to return to.
#[derive(Clone, Copy)]
pub struct Mark(usize);

impl Scope {
    pub fn push_frame(&mut self) {
        self.frames.push(Frame::default());
    }

    /// Close a block; what it exports.
    pub fn pop_frame(&mut self) -> Env {
        self.frames.pop().map(|f| f.exported).unwrap_or_default()
    }

    /// Names for the rest of the innermost block.
    pub fn declare(&mut self, env: &Env, export: bool) {
        if let Some(frame) = self.frames.last_mut() {
            frame.all.extend(env);
            if export {
                frame.exported.extend(env);
            }
        }
    }

    pub fn mark(&self) -> Mark {
        Mark(self.undo.len())
    }

    /// Forget all local names bound since the mark.
    pub fn reset(&mut self, mark: Mark) {
        while self.undo.len() > mark.0 {
            match self.undo.pop() {
                Some(Undo::Term(name)) => {
                    if let Some(stack) = self.terms.get_mut(&name) {
                        stack.pop();
                    }
                }
                Some(Undo::Type(name)) => {
                    if let Some(stack) = self.types.get_mut(&name) {
                        stack.pop();
                    }
                }
                None => break,
            }
        }
    }

    pub fn bind_term(&mut self, name: Symbol, term: Term) {
        self.terms.entry(name).or_default().push(term);
        self.undo.push(Undo::Term(name));
    }

    pub fn bind_type(&mut self, name: Symbol, binding: Rc<TypeBinding>) {
        self.types.entry(name).or_default().push(binding);
        self.undo.push(Undo::Type(name));
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
        match self.terms.get(&name).and_then(|stack| stack.last()) {
            Some(Term::Val(v)) => Some(*v),
            _ => None,
        }
    }

    /// Only one local value has this name.
    pub fn is_outermost(&self, name: Symbol) -> bool {
        self.terms.get(&name).is_some_and(|stack| stack.len() == 1)
    }

    pub fn term(&self, name: Symbol) -> Option<Term> {
        if let Some(term) = self.terms.get(&name).and_then(|stack| stack.last()) {
            return Some(term.clone());
        }
        self.frames.iter().rev().find_map(|frame| term_in(&frame.all, name))
    }

    pub fn type_binding(&self, name: Symbol) -> Option<Rc<TypeBinding>> {
        if let Some(binding) = self.types.get(&name).and_then(|stack| stack.last()) {
            return Some(binding.clone());
        }
        self.frames.iter().rev().find_map(|frame| frame.all.types.get(&name).cloned())
    }

    pub fn mod_type(&self, name: Symbol) -> Option<Rc<ModTy>> {
        self.frames.iter().rev().find_map(|frame| frame.all.mod_types.get(&name).cloned())
    }

    /// All names that could have been meant, for suggestions.
    pub fn term_names(&self) -> Vec<Symbol> {
        let locals = self.terms.iter().filter(|(_, s)| !s.is_empty()).map(|(n, _)| *n);
        let globals = self.frames.iter().flat_map(|f| f.all.vals.keys().chain(f.all.mods.keys()).copied());
        locals.chain(globals).collect()
    }

    pub fn type_names(&self) -> Vec<Symbol> {
        let locals = self.types.iter().filter(|(_, s)| !s.is_empty()).map(|(n, _)| *n);
        locals.chain(self.frames.iter().flat_map(|f| f.all.types.keys().copied())).collect()
    }

    pub fn mod_type_names(&self) -> Vec<Symbol> {
        self.frames.iter().flat_map(|f| f.all.mod_types.keys().copied()).collect()
    }
}

pub fn term_in(env: &Env, name: Symbol) -> Option<Term> {
    match env.vals.get(&name) {
        Some(v) => Some(Term::Val(*v)),
        None => env.mods.get(&name).map(|(id, module)| Term::Mod(*id, module.clone())),
    }
}
