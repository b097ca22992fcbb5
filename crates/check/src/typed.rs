//! The typed tree: a checked program.
//!
//! It does not depend on the concrete syntax: names are resolved to `VarId` and `TyId`, every
//! expression has its type, sizes are explicit. Modules are still there (lowering removes them):
//! sealing and application of parametric modules record which name stands for which.
//!
//! Types are complete: no `Meta`, no `Any`, and no `Error` unless a diagnostic was reported. The
//! type of an expression contains no `Unique`; those of parameters' patterns and of results may.

use crate::types::{Names, Prim, RetTy, Scheme, TParam, Ty, TyId, VarId};
use norn_base::{Span, Symbol};
use norn_syntax::ast::{Attr, RangeKind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Debug, Default)]
pub struct Program {
    /// Imported files before their importers; the prelude's files first, the main file last.
    pub files: Vec<File>,
    pub names: Names,
    /// The variables below this one are built in.
    pub first: VarId,
}

#[derive(Debug)]
pub struct File {
    pub path: String,
    pub decs: Vec<Dec>,
}

#[derive(Debug)]
pub enum Dec {
    /// One definition, or a group that is mutually recursive.
    Vals(Vec<ValDef>),
    /// A definition of the prelude that the program does not reach: its name and declared type. Its body was not checked.
    Unreached(VarId, Rc<Scheme>),
    Types(Vec<TypeDef>),
    Mod(ModDef),
    /// Module types have done their work once checked; the name is kept for printing.
    ModType(Symbol, Span),
    Open(ModExp),
    /// The path of the file.
    Import(String),
    Local(Box<Dec>),
}

/// A definition at the level of declarations; without parameters it is a constant.
#[derive(Debug)]
pub struct ValDef {
    pub var: VarId,
    /// For an entry point.
    pub entry: Option<EntryNames>,
    pub fun: Fun,
    pub attrs: Vec<Attr>,
    pub span: Span,
}

/// How the types of an entry point were written, where that was a name: callers know them by it. And what is said about it.
#[derive(Debug, Default)]
pub struct EntryNames {
    pub params: Vec<Option<Symbol>>,
    pub result: Option<Symbol>,
    /// Its documentation comment, if there is one.
    pub doc: String,
}

/// What definitions and local functions have in common.
#[derive(Debug)]
pub struct Fun {
    pub tparams: Vec<TParam>,
    pub params: Vec<Pat>,
    pub ret: RetTy,
    /// Where the result type was written, if it was.
    pub ret_declared: Option<Span>,
    pub body: Exp,
}

#[derive(Debug)]
pub struct TypeDef {
    pub name: Symbol,
    pub tparams: Vec<TParam>,
    pub ty: RetTy,
    /// For a recursive type.
    pub id: Option<TyId>,
    pub span: Span,
}

#[derive(Debug)]
pub struct ModDef {
    pub name: Symbol,
    pub id: VarId,
    pub body: ModExp,
    pub span: Span,
}

/// Which name of a module type (or of a functor's parameter or body) stands for which name of
/// the module that implements it.
#[derive(Debug, Default, Clone)]
pub struct Substitution {
    pub vars: FxHashMap<VarId, VarId>,
    pub types: FxHashMap<TyId, (Vec<TParam>, RetTy)>,
}

#[derive(Debug)]
pub enum ModExp {
    Var(VarId),
    Import(String),
    Decs(Vec<Dec>),
    /// Function, argument, parameter's names to argument's names, body's names to new names.
    Apply(Box<ModExp>, Box<ModExp>, Substitution, Substitution),
    Ascript(Box<ModExp>, Substitution),
    Lambda(VarId, Box<ModExp>),
    /// A module of the prelude that the program does not mention.
    Unread,
    Error,
}

#[derive(Debug)]
pub struct Pat {
    pub kind: PatKind,
    /// In a parameter it may contain `Unique`.
    pub ty: Ty,
    pub span: Span,
}

#[derive(Debug)]
pub enum PatKind {
    Var(VarId),
    Wildcard,
    /// Fields sorted; a tuple has numbered ones.
    Record(Vec<(Symbol, Pat)>),
    Lit(Lit),
    Constr(Symbol, Vec<Pat>),
    /// Sizes that come into existence by matching: the rows of an irregular array, the arrays
    /// hidden in a recursive value.
    Opened(Vec<VarId>, Box<Pat>),
}

/// A literal of the primitive type that its expression or pattern has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lit {
    Bool(bool),
    /// The value, in the range of its type; unsigned types too.
    Int(Prim, i128),
    Float(Prim, f64),
}

#[derive(Debug)]
pub struct Exp {
    pub kind: ExpKind,
    pub ty: Ty,
    /// Sizes that come into existence with the value of this expression.
    pub exts: Vec<VarId>,
    pub span: Span,
}

#[derive(Debug)]
pub enum ExpKind {
    Lit(Lit),
    Str(Vec<u8>),
    Var(VarId),
    Hole,
    Parens(Box<Exp>),
    /// In the order of evaluation, which is that of the text. Tuples have numbered fields.
    Record(Vec<(Symbol, Exp)>),
    Array(Vec<Exp>),
    Project(Box<Exp>, Symbol),
    Index(Box<Exp>, Vec<DimIndex>),
    Apply(Box<Exp>, Vec<Arg>),
    /// The operator is a `Var`.
    BinOp(Box<Exp>, Box<Arg>, Box<Arg>),
    /// `(x op)`
    LeftSection(Box<Exp>, Box<Arg>),
    /// `(op x)`
    RightSection(Box<Exp>, Box<Arg>),
    ProjSection(Vec<Step>),
    Constr(Symbol, Vec<Exp>),
    Negate(Box<Exp>),
    Not(Box<Exp>),
    Ascript(Box<Exp>),
    /// The sizes of the type are checked at run time.
    Coerce(Box<Exp>),
    Range {
        start: Box<Exp>,
        second: Option<Box<Exp>>,
        kind: RangeKind,
        end: Box<Exp>,
    },
    If(Box<Exp>, Box<Exp>, Box<Exp>),
    LetPat {
        sizes: Vec<VarId>,
        pat: Box<Pat>,
        bound: Box<Exp>,
        body: Box<Exp>,
    },
    LetFun {
        var: VarId,
        fun: Box<Fun>,
        body: Box<Exp>,
    },
    /// `let dest = source with steps = value in body`
    LetWith {
        dest: VarId,
        source: VarId,
        source_span: Span,
        source_ty: Ty,
        steps: Vec<Step>,
        value: Box<Exp>,
        body: Box<Exp>,
    },
    Lambda {
        params: Vec<Pat>,
        body: Box<Exp>,
        ret: RetTy,
        /// Where the result type was written, if it was.
        ret_declared: Option<Span>,
    },
    Loop(Box<Loop>),
    Match(Box<Exp>, Vec<Case>),
    Assert(Box<Exp>, Box<Exp>),
    Update(Box<Exp>, Vec<Step>, Box<Exp>),
    Attr(Attr, Box<Exp>),
    /// Something that was complained about.
    Error,
}

/// An argument.
#[derive(Debug)]
pub struct Arg {
    pub exp: Exp,
    /// The name of its value as a size, when the argument itself cannot be written as one.
    pub ext: Option<VarId>,
}

#[derive(Debug)]
pub struct Loop {
    /// Sizes that change from iteration to iteration.
    pub sizes: Vec<VarId>,
    /// Like a parameter: may be marked unique.
    pub pat: Pat,
    /// The variables whose types were written, and with them whether they are consumed.
    pub declared: Vec<VarId>,
    pub init: Exp,
    pub form: LoopForm,
    pub body: Exp,
}

#[derive(Debug)]
pub enum LoopForm {
    For(VarId, Exp),
    ForIn(Pat, Exp),
    While(Exp),
}

#[derive(Debug)]
pub struct Case {
    pub pat: Pat,
    pub body: Exp,
    pub span: Span,
}

// An index has few of these; boxing the parts of a slice would cost more than it saves.
#[allow(clippy::large_enum_variant)]
#[derive(Debug)]
pub enum DimIndex {
    Fix(Exp),
    Slice { start: Option<Exp>, end: Option<Exp>, stride: Option<Exp> },
}

#[derive(Debug)]
pub enum Step {
    Field(Symbol),
    Index(Vec<DimIndex>),
}

impl Exp {
    /// Without the parentheses, attributes and ascriptions around it.
    pub fn bare(&self) -> &Exp {
        match &self.kind {
            ExpKind::Parens(e) | ExpKind::Attr(_, e) | ExpKind::Ascript(e) => e.bare(),
            _ => self,
        }
    }
}
