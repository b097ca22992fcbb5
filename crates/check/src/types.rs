//! Types, sizes and the identities they are made of.
//!
//! A type is immutable and shared by reference count: `type t = (s, s)` has one `s`. Written out as a tree it may be
//! exponentially larger, so each node knows what is in it (`Facts`), and walks that look for something else
//! do not enter it. Sizes are first-order terms over
//! variables: whatever can be written as a size without binding anything (`n`, `n+1`,
//! `length xs`). Two sizes are equal when the terms are: there is no arithmetic here.
//!
//! Where uniqueness matters (in the result of a function and in the type of a parameter), a type
//! marks what is unique with `Unique`; the type of an expression never contains that mark.
//!
//! `Size::Irregular` stands only inside the element of an array: `[n][?]f32`. Whoever takes an
//! element out of such an array gives the row a size of its own (see `sizes::open`).

use norn_base::{Span, Symbol};
pub use norn_syntax::ast::{Liftedness, Prim};
use std::rc::Rc;

/// A variable: of the program, or a size that inference has made up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// A type name that is not an abbreviation: a type parameter, an abstract or a recursive type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TyId(pub u32);

impl TyId {
    /// The built-in type of accumulators, the first that every program has.
    pub const ACC: TyId = TyId(0);
}

/// A type that inference has not determined yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct MetaId(pub u32);

/// How many nodes a type may have as a tree, unless it is one of scalars, which nobody has to walk through.
pub const MAX_NODES: u32 = 1 << 16;

#[derive(Clone)]
pub struct Ty(Rc<Node>);

struct Node {
    kind: TyKind,
    facts: Facts,
}

/// What is in a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Facts {
    /// How many nodes it has as a tree, or the largest number there is.
    nodes: u32,
    /// Whether it has a size: an array, or an argument of a type.
    sizes: bool,
    names: bool,
    functions: bool,
    marks: bool,
    /// Undetermined types, and those of errors.
    open: bool,
}

impl Facts {
    fn of(kind: &TyKind) -> Facts {
        let mut all =
            Facts { nodes: 1, sizes: false, names: false, functions: false, marks: false, open: false };
        match kind {
            TyKind::Prim(_) => {}
            TyKind::Con(_, args) => {
                all.names = true;
                for a in args {
                    match a {
                        TyArg::Size(_) => all.sizes = true,
                        TyArg::Type(t) => all.add(t),
                    }
                }
            }
            TyKind::Array(_, t) => {
                all.sizes = true;
                all.add(t);
            }
            TyKind::Record(fields) => fields.iter().for_each(|(_, t)| all.add(t)),
            TyKind::Sum(cs) => cs.iter().flat_map(|(_, ts)| ts).for_each(|t| all.add(t)),
            TyKind::Arrow(a) => {
                all.functions = true;
                all.add(&a.arg);
                all.add(&a.ret.ty);
            }
            TyKind::Unique(t) => {
                all.marks = true;
                all.add(t);
            }
            TyKind::Meta(_) | TyKind::Error => all.open = true,
        }
        all
    }

    fn add(&mut self, part: &Ty) {
        let part = part.0.facts;
        self.nodes = self.nodes.saturating_add(part.nodes);
        self.sizes |= part.sizes;
        self.names |= part.names;
        self.functions |= part.functions;
        self.marks |= part.marks;
        self.open |= part.open;
    }
}

impl Ty {
    pub fn new(kind: TyKind) -> Ty {
        let facts = Facts::of(&kind);
        Ty(Rc::new(Node { kind, facts }))
    }

    pub fn ptr_eq(a: &Ty, b: &Ty) -> bool {
        Rc::ptr_eq(&a.0, &b.0)
    }

    /// How many nodes it has as a tree, or very many.
    pub fn nodes(&self) -> u32 {
        self.0.facts.nodes
    }

    pub fn has_sizes(&self) -> bool {
        self.0.facts.sizes
    }

    pub fn has_names(&self) -> bool {
        self.0.facts.names
    }

    /// Whether it has marks of uniqueness, inside function types or outside.
    pub fn has_marks(&self) -> bool {
        self.0.facts.marks
    }

    /// Whether types in it are not determined.
    pub fn is_open(&self) -> bool {
        self.0.facts.open
    }

    /// Whether it consists of primitive types, records and sums alone: nothing in it can be substituted, made unique or shared.
    pub fn is_scalar(&self) -> bool {
        let Facts { nodes: _, sizes, names, functions, marks, open } = self.0.facts;
        !(sizes || names || functions || marks || open)
    }
}

impl std::ops::Deref for Ty {
    type Target = TyKind;

    fn deref(&self) -> &TyKind {
        &self.0.kind
    }
}

impl PartialEq for Ty {
    fn eq(&self, other: &Ty) -> bool {
        Ty::ptr_eq(self, other) || (self.0.facts == other.0.facts && self.0.kind == other.0.kind)
    }
}

impl Eq for Ty {}

impl std::hash::Hash for Ty {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // Types that differ only inside share a hash, but no type is walked through.
        self.0.facts.hash(state);
    }
}

impl std::fmt::Debug for Ty {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        self.0.kind.fmt(f)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TyKind {
    Prim(Prim),
    /// A type parameter, an abstract type or a recursive type, with its arguments.
    Con(TyId, Vec<TyArg>),
    Array(Size, Ty),
    /// Sorted by field. A tuple is a record with fields `0`, `1`, ..
    Record(Vec<(Symbol, Ty)>),
    /// Sorted by constructor.
    Sum(Vec<(Symbol, Vec<Ty>)>),
    Arrow(Arrow),
    /// Only in a result or parameter type, around an array or a `Con`.
    Unique(Ty),
    /// Only while types are being inferred.
    Meta(MetaId),
    /// The type of something that was already complained about. Equal to every type.
    Error,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arrow {
    /// The name by which sizes of the result refer to the argument.
    pub param: Option<VarId>,
    pub diet: Diet,
    /// Without `Unique`.
    pub arg: Ty,
    pub ret: RetTy,
}

/// What a function does to an argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Diet {
    Observe,
    Consume,
}

/// `?[exts].ty`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RetTy {
    pub exts: Vec<VarId>,
    /// May contain `Unique`.
    pub ty: Ty,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TyArg {
    Size(Size),
    Type(Ty),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    Const(i64),
    Var(VarId),
    Term(Rc<SizeTerm>),
    /// `[?]`: varies from element to element of the array around it.
    Irregular,
    /// Not looked at: while types are inferred without sizes, and after an error.
    Any,
}

/// An operation on sizes and on other variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SizeTerm {
    pub head: SizeHead,
    pub args: Vec<Size>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SizeHead {
    /// The first argument applied to the others; an infix operator too.
    Call,
    Negate,
    Not,
    Project(Symbol),
    /// An array and its indices; slices have a `Tuple` of three, absent parts are `Tuple` of none.
    Index,
    Tuple,
    Record(Vec<Symbol>),
    Array,
    Constr(Symbol),
    If,
    /// A literal that is not an `i64`: its text and type.
    Lit(Symbol),
    /// `(x op)`, `(op x)`
    LeftSection,
    RightSection,
    ProjSection(Vec<Symbol>),
    Range(u8),
    Update(Vec<Symbol>),
    Hole,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TParam {
    Size(VarId),
    Type(TyId, Liftedness),
}

/// A type that may be instantiated.
#[derive(Clone, Debug)]
pub struct Scheme {
    pub tparams: Vec<TParam>,
    pub ty: Ty,
}

#[derive(Clone, Debug)]
pub struct VarInfo {
    pub name: Symbol,
    /// Where it is bound, or for a size of inference what gave rise to it.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct TyInfo {
    pub name: Symbol,
    pub span: Span,
    pub lifted: Liftedness,
    pub kind: TyIdKind,
}

#[derive(Clone, Debug)]
pub enum TyIdKind {
    Param,
    Abstract,
    /// A recursive type; its definition is a sum over its parameters. Absent until its group has
    /// been read.
    Rec(Option<Rc<RecDef>>),
}

#[derive(Debug)]
pub struct RecDef {
    pub params: Vec<TParam>,
    /// Constructors and payloads, sorted by constructor.
    pub constrs: Vec<(Symbol, Vec<Ty>)>,
}

/// All variables and type names of a program.
#[derive(Clone, Default, Debug)]
pub struct Names {
    vars: Vec<VarInfo>,
    types: Vec<TyInfo>,
}

impl Names {
    pub fn new_var(&mut self, name: Symbol, span: Span) -> VarId {
        self.vars.push(VarInfo { name, span });
        VarId(self.vars.len() as u32 - 1)
    }

    /// The variable that will be made next.
    pub fn next_var(&self) -> VarId {
        VarId(self.vars.len() as u32)
    }

    pub fn new_type(&mut self, info: TyInfo) -> TyId {
        self.types.push(info);
        TyId(self.types.len() as u32 - 1)
    }

    pub fn var(&self, id: VarId) -> &VarInfo {
        &self.vars[id.0 as usize]
    }

    pub fn ty(&self, id: TyId) -> &TyInfo {
        &self.types[id.0 as usize]
    }

    pub fn ty_mut(&mut self, id: TyId) -> &mut TyInfo {
        &mut self.types[id.0 as usize]
    }

    pub fn var_count(&self) -> usize {
        self.vars.len()
    }
}

impl TyKind {
    pub fn field(&self, name: Symbol) -> Option<&Ty> {
        match self {
            TyKind::Record(fields) => fields.iter().find(|(f, _)| *f == name).map(|(_, t)| t),
            _ => None,
        }
    }
}

/// Whether these are the fields `0`, `1`, .. of a tuple: none, or more than one.
pub fn is_tuple(fields: &[(Symbol, Ty)]) -> bool {
    fields.len() != 1 && fields.iter().enumerate().all(|(i, (f, _))| *f == Symbol::tuple_field(i))
}

pub fn prim(p: Prim) -> Ty {
    Ty::new(TyKind::Prim(p))
}

pub fn error() -> Ty {
    Ty::new(TyKind::Error)
}

pub fn array(size: Size, elem: Ty) -> Ty {
    Ty::new(TyKind::Array(size, elem))
}

pub fn tuple(parts: Vec<Ty>) -> Ty {
    Ty::new(TyKind::Record(parts.into_iter().enumerate().map(|(i, t)| (Symbol::tuple_field(i), t)).collect()))
}

pub fn record(mut fields: Vec<(Symbol, Ty)>) -> Ty {
    fields.sort_by_key(|(f, _)| *f);
    Ty::new(TyKind::Record(fields))
}

pub fn sum(mut constrs: Vec<(Symbol, Vec<Ty>)>) -> Ty {
    constrs.sort_by_key(|(c, _)| *c);
    Ty::new(TyKind::Sum(constrs))
}

pub fn con(id: TyId, args: Vec<TyArg>) -> Ty {
    Ty::new(TyKind::Con(id, args))
}

pub fn ret(ty: Ty) -> RetTy {
    RetTy { exts: Vec::new(), ty }
}

/// An observing function without a name for its parameter.
pub fn fun(arg: Ty, result: Ty) -> Ty {
    Ty::new(TyKind::Arrow(Arrow { param: None, diet: Diet::Observe, arg, ret: ret(result) }))
}

/// Mark as unique all of a type that can be: its arrays and named types.
pub fn unique(t: &Ty) -> Ty {
    match &**t {
        _ if t.is_scalar() => t.clone(),
        TyKind::Array(..) | TyKind::Con(..) => Ty::new(TyKind::Unique(t.clone())),
        TyKind::Record(fields) => {
            Ty::new(TyKind::Record(fields.iter().map(|(f, t)| (*f, unique(t))).collect()))
        }
        TyKind::Sum(cs) => {
            Ty::new(TyKind::Sum(cs.iter().map(|(c, ts)| (*c, ts.iter().map(unique).collect())).collect()))
        }
        TyKind::Prim(_) | TyKind::Arrow(_) | TyKind::Unique(_) | TyKind::Meta(_) | TyKind::Error => t.clone(),
    }
}

/// Without the marks of uniqueness, except those inside function types.
pub fn plain(t: &Ty) -> Ty {
    match &**t {
        _ if !t.has_marks() => t.clone(),
        TyKind::Unique(t) => t.clone(),
        TyKind::Record(fields) if fields.iter().any(|(_, t)| has_unique(t)) => {
            Ty::new(TyKind::Record(fields.iter().map(|(f, t)| (*f, plain(t))).collect()))
        }
        TyKind::Sum(cs) if cs.iter().any(|(_, ts)| ts.iter().any(has_unique)) => {
            Ty::new(TyKind::Sum(cs.iter().map(|(c, ts)| (*c, ts.iter().map(plain).collect())).collect()))
        }
        _ => t.clone(),
    }
}

/// `t` with the marks of uniqueness that `marked` has, which is the same type but for sizes.
pub fn marked_like(marked: &Ty, t: &Ty) -> Ty {
    match (&**marked, &**t) {
        (TyKind::Unique(_), _) => unique(t),
        (TyKind::Record(xs), TyKind::Record(ys)) if has_unique(marked) && xs.len() == ys.len() => Ty::new(
            TyKind::Record(xs.iter().zip(ys).map(|((_, x), (f, y))| (*f, marked_like(x, y))).collect()),
        ),
        (TyKind::Sum(xs), TyKind::Sum(ys)) if has_unique(marked) && xs.len() == ys.len() => {
            Ty::new(TyKind::Sum(
                xs.iter()
                    .zip(ys)
                    .map(|((_, ts), (c, us))| {
                        (*c, ts.iter().zip(us).map(|(t, u)| marked_like(t, u)).collect())
                    })
                    .collect(),
            ))
        }
        _ => t.clone(),
    }
}

/// Whether any part (outside function types) is marked unique.
pub fn has_unique(t: &Ty) -> bool {
    match &**t {
        _ if !t.has_marks() => false,
        TyKind::Unique(_) => true,
        TyKind::Record(fields) => fields.iter().any(|(_, t)| has_unique(t)),
        TyKind::Sum(cs) => cs.iter().any(|(_, ts)| ts.iter().any(has_unique)),
        TyKind::Prim(_)
        | TyKind::Con(..)
        | TyKind::Array(..)
        | TyKind::Arrow(_)
        | TyKind::Meta(_)
        | TyKind::Error => false,
    }
}

/// Whether all of it that can be unique is.
pub fn all_unique(t: &Ty) -> bool {
    match &**t {
        _ if t.is_scalar() => true,
        TyKind::Unique(_) | TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => true,
        TyKind::Record(fields) => fields.iter().all(|(_, t)| all_unique(t)),
        TyKind::Sum(cs) => cs.iter().all(|(_, ts)| ts.iter().all(all_unique)),
        TyKind::Con(..) | TyKind::Array(..) | TyKind::Arrow(_) => false,
    }
}

/// What a parameter of this (marked) type does to its argument: it consumes it if it consumes any
/// part.
pub fn diet(t: &Ty) -> Diet {
    if has_unique(t) { Diet::Consume } else { Diet::Observe }
}

impl Scheme {
    pub fn mono(ty: Ty) -> Scheme {
        Scheme { tparams: Vec::new(), ty }
    }
}

impl TParam {
    pub fn as_size(&self) -> Option<VarId> {
        match self {
            TParam::Size(v) => Some(*v),
            TParam::Type(..) => None,
        }
    }
}
