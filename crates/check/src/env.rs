//! What names mean: environments, modules and module types.

use crate::types::{Liftedness, Prim, RetTy, Scheme, TParam, TyId, VarId};
use indexmap::IndexMap;
use norn_base::{Span, Symbol};
use rustc_hash::FxBuildHasher;
use std::rc::Rc;

/// The meaning of a type name: an abbreviation. Abstract types, recursive types and type
/// parameters are abbreviations of themselves.
#[derive(Clone, Debug)]
pub struct TypeBinding {
    pub lifted: Liftedness,
    pub params: Vec<TParam>,
    pub ty: RetTy,
    /// Where it is declared.
    pub span: Span,
}

/// What a value's name stands for.
#[derive(Clone, Debug)]
pub enum Value {
    Scheme(Rc<Scheme>),
    /// A built-in that works on several primitive types: parameters and result are either the
    /// type it is used at (`None`) or a fixed one.
    Overloaded {
        prims: Vec<Prim>,
        params: Vec<Option<Prim>>,
        ret: Option<Prim>,
    },
    /// A polymorphic built-in one of whose type parameters stands for primitive types alone.
    Primitive {
        scheme: Rc<Scheme>,
        param: TyId,
        prims: Vec<Prim>,
    },
    /// `==`
    Equality,
    /// A function inside its own definition, without a declared result: its sizes are unknown.
    Recursive,
}

/// Names in the order they were bound, so that what is made from a table does not depend on hashing.
pub type Table<T> = IndexMap<Symbol, T, FxBuildHasher>;

#[derive(Clone, Debug, Default)]
pub struct Env {
    pub vals: Table<VarId>,
    pub types: Table<Rc<TypeBinding>>,
    pub mods: Table<(VarId, Mod)>,
    pub mod_types: Table<Rc<NamedModTy>>,
}

#[derive(Clone, Debug)]
pub enum Mod {
    Env(Rc<Env>),
    Fun(Rc<FunSig>),
    /// A module of the prelude that is read when a name leads to it (`modules/deferred`).
    Unread,
    /// A module that was already complained about: it has every name.
    Error,
}

/// The signature of a parametric module.
#[derive(Clone, Debug)]
pub struct FunSig {
    pub abs: Vec<AbsType>,
    pub param: Mod,
    pub body: Mod,
    /// Types that the body makes: new ones for each application.
    pub created: Vec<TyId>,
    /// Existential sizes of constants of the body, likewise.
    pub created_sizes: Vec<VarId>,
}

/// A module type, or the type of a module: its abstract types and its contents.
#[derive(Clone, Debug)]
pub struct ModTy {
    pub abs: Vec<AbsType>,
    pub module: Mod,
}

/// A module type that was declared, and where.
#[derive(Clone, Debug)]
pub struct NamedModTy {
    pub ty: ModTy,
    pub span: Span,
}

/// An abstract type of a module type, by its path inside the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbsType {
    pub path: Vec<Symbol>,
    pub id: TyId,
    pub lifted: Liftedness,
}

impl Env {
    /// Values and modules share one name space: what is bound last counts.
    pub fn add_val(&mut self, name: Symbol, id: VarId) {
        self.mods.shift_remove(&name);
        self.vals.insert(name, id);
    }

    pub fn add_mod(&mut self, name: Symbol, id: VarId, module: Mod) {
        self.vals.shift_remove(&name);
        self.mods.insert(name, (id, module));
    }

    /// Everything of `other` on top of what is here.
    pub fn extend(&mut self, other: &Env) {
        for (name, id) in &other.vals {
            self.add_val(*name, *id);
        }
        for (name, (id, module)) in &other.mods {
            self.add_mod(*name, *id, module.clone());
        }
        self.types.extend(other.types.iter().map(|(k, v)| (*k, v.clone())));
        self.mod_types.extend(other.mod_types.iter().map(|(k, v)| (*k, v.clone())));
    }
}
