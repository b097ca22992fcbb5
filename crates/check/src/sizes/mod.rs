//! Inference and checking of sizes.
//!
//! When this pass runs, the type of every expression is known up to its sizes. Walking the surface
//! tree again, it finds the sizes by unification of terms, decides where existential sizes are
//! bound, and builds the typed tree.
//!
//! A size variable is one of these (`Constraint`):
//!
//! - `Param`: a variable of the program. Equal only to itself; may not escape its scope.
//! - `Unknown`: a size that exists only at run time: what `filter` returns, a branch that differs.
//! - `Flex`: to be found; once found it is replaced by what it stands for.
//! - `Inst`: to be found, made by instantiating a size parameter or by giving sizes to a type that
//!   was inferred without. It may turn out to stand for a size that is bound inside a function
//!   type, where no ordinary size could: then it becomes `Existential`, or, if it belongs to a type
//!   parameter that must be an ordinary type, it becomes the irregular dimension `[?]`.
//! - `Copy`: a further occurrence of an `Inst` in one instantiated type. The same size, except when
//!   that is existential: then each occurrence is a size of its own.
//! - `Existential`: an `Inst` that was found to be bound inside a function type.
//!
//! `[?]` equals only itself. A size that stands in the element of an array (`m` of `[n][m]t`) is
//! marked `regular`: it must be one number, so it can never become `[?]`.

mod apply;
mod branch;
mod causality;
mod define;
mod exp;
mod finish;
mod generalise;
mod instantiate;
mod lambda;
mod local_checks;
mod loops;
mod pattern;
mod report;
mod slice;
mod term;
mod type_exp;
mod unify;
mod unscope;

pub use define::{check_group, declared_scheme, fully_annotated, scheme_of};
pub use type_exp::Evaluated;

use crate::cx::Cx;
use crate::env::Value;
use crate::infer::meta::Metas;
use crate::subst;
use crate::types::{self, RetTy, Scheme, Size, Ty, VarId};
use norn_base::{Diagnostic, Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

pub type Level = u32;

#[derive(Clone, Debug)]
pub enum Constraint {
    Param,
    Unknown(Source),
    Flex(Option<Size>),
    Inst(InstKind),
    Copy {
        of: VarId,
        occurrence: u32,
    },
    Existential {
        /// The size it was unified with.
        key: Option<VarId>,
        /// Where that size is computed, if it is one that is computed somewhere.
        computed: Option<Span>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InstKind {
    /// Of a size parameter, or of a place that takes whatever size its context has.
    Open,
    /// Of a type parameter that must be an ordinary type.
    Element,
    /// Of a pattern or another local type.
    Local,
}

/// Where an unknown size comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// An argument that cannot be written as a size.
    Argument(Option<Symbol>),
    Result(Option<Symbol>),
    Loop,
    Slice,
    Range,
    Branches,
    OutOfScope(VarId),
    /// A row of an irregular array, or an array inside a recursive value.
    Row,
    Unify,
}

#[derive(Clone, Debug)]
struct Entry {
    level: Level,
    constraint: Constraint,
    /// Cannot be irregular.
    regular: bool,
    span: Span,
    /// What an undetermined size comes from, in words.
    origin: &'static str,
}

pub struct Sizer<'c> {
    pub cx: &'c mut Cx,
    metas: Metas,
    entries: FxHashMap<VarId, Entry>,
    /// Names of parameters inside function types that were given sizes.
    binders: FxHashSet<VarId>,
    level: Level,
    occurrences: u32,
    /// Whether any `Existential` was made; until then nothing has to look for them.
    existentials: bool,
    /// Variables that were reported as sizes they cannot be.
    blamed: Vec<VarId>,
    /// Inside its own body a function is polymorphic in its anonymous sizes; `too_open` says that the
    /// body has determined one of them after all.
    open_recursion: bool,
    too_open: bool,
    failed: bool,
}

impl<'c> Sizer<'c> {
    /// `metas`: the solution that type inference found for the same definition.
    pub fn new(cx: &'c mut Cx, metas: Metas) -> Sizer<'c> {
        Sizer {
            cx,
            metas,
            entries: FxHashMap::default(),
            binders: FxHashSet::default(),
            level: 0,
            occurrences: 0,
            existentials: false,
            blamed: Vec::new(),
            open_recursion: true,
            too_open: false,
            failed: false,
        }
    }

    pub fn failed(&self) -> bool {
        self.failed
    }

    fn fail(&mut self, d: Diagnostic) {
        self.failed = true;
        self.cx.report(d);
    }

    fn new_size(&mut self, name: &str, span: Span, constraint: Constraint, origin: &'static str) -> VarId {
        let var = self.cx.new_var(Symbol::new(name), span);
        self.constrain(var, constraint, span, origin);
        var
    }

    fn constrain(&mut self, var: VarId, constraint: Constraint, span: Span, origin: &'static str) {
        let entry = Entry { level: self.level, constraint, regular: false, span, origin };
        self.entries.insert(var, entry);
    }

    fn rigid(&mut self, name: &str, span: Span, source: Source) -> VarId {
        self.new_size(name, span, Constraint::Unknown(source), "")
    }

    fn flexible(&mut self, name: &str, span: Span, origin: &'static str) -> Size {
        Size::Var(self.new_size(name, span, Constraint::Flex(None), origin))
    }

    /// Say of a size that it can never be irregular.
    fn mark_regular(&mut self, v: VarId, regular: bool) {
        if let Some(e) = self.entries.get_mut(&v) {
            e.regular |= regular;
        }
    }

    fn constraint(&self, v: VarId) -> Option<&Constraint> {
        self.entries.get(&v).map(|e| &e.constraint)
    }

    /// A variable of the program comes into scope with its type.
    fn bind_var(&mut self, var: VarId, t: Ty) {
        let span = self.cx.names.var(var).span;
        self.constrain(var, Constraint::Param, span, "");
        self.cx.set_value(var, Value::Scheme(Rc::new(Scheme::mono(t))));
    }

    /// What a size stands for, as far as is known.
    fn norm_size(&self, s: &Size) -> Size {
        match s {
            Size::Const(_) | Size::Irregular | Size::Any => s.clone(),
            Size::Var(v) => match self.constraint(*v) {
                Some(Constraint::Flex(Some(to))) => self.norm_size(to),
                Some(Constraint::Copy { of, .. }) => match self.constraint(*of) {
                    Some(Constraint::Flex(Some(to))) => self.norm_size(to),
                    _ => s.clone(),
                },
                _ => s.clone(),
            },
            Size::Term(term) => {
                let args: Vec<Size> = term.args.iter().map(|a| self.norm_size(a)).collect();
                if args.contains(&Size::Irregular) {
                    // What is computed from a size that varies does so too.
                    Size::Irregular
                } else if args == term.args {
                    s.clone()
                } else {
                    Size::Term(Rc::new(types::SizeTerm { head: term.head.clone(), args }))
                }
            }
        }
    }

    fn norm(&self, t: &Ty) -> Ty {
        subst::map_sizes(t, &mut |s| self.norm_size(s))
    }

    fn norm_ret(&self, r: &RetTy) -> RetTy {
        RetTy { exts: r.exts.clone(), ty: self.norm(&r.ty) }
    }

    /// Sizes of its own for each irregular dimension of a value that was taken out of an array or
    /// of a recursive value: what varied from element to element is one size for one element.
    fn open(&mut self, t: &Ty, span: Span) -> (Ty, Vec<VarId>) {
        if !has_open_irregular(t) {
            return (t.clone(), Vec::new());
        }
        let mut exts = Vec::new();
        let t = self.open_with(t, &mut |this| {
            let v = this.rigid("k", span, Source::Row);
            exts.push(v);
            Size::Var(v)
        });
        (t, exts)
    }

    fn open_with(&mut self, t: &Ty, fresh: &mut dyn FnMut(&mut Self) -> Size) -> Ty {
        use types::TyKind;
        if t.is_scalar() {
            return t.clone();
        }
        match &**t {
            TyKind::Array(Size::Irregular, elem) => types::array(fresh(self), elem.clone()),
            TyKind::Record(fields) => {
                Ty::new(TyKind::Record(fields.iter().map(|(f, t)| (*f, self.open_with(t, fresh))).collect()))
            }
            TyKind::Sum(cs) => Ty::new(TyKind::Sum(
                cs.iter()
                    .map(|(c, ts)| (*c, ts.iter().map(|t| self.open_with(t, fresh)).collect()))
                    .collect(),
            )),
            TyKind::Unique(t) => types::unique(&self.open_with(t, fresh)),
            TyKind::Con(id, args) if args.contains(&types::TyArg::Size(Size::Irregular)) => {
                let args = args.iter().map(|a| match a {
                    types::TyArg::Size(Size::Irregular) => types::TyArg::Size(fresh(self)),
                    a => a.clone(),
                });
                types::con(*id, args.collect())
            }
            TyKind::Array(..)
            | TyKind::Prim(_)
            | TyKind::Con(..)
            | TyKind::Arrow(_)
            | TyKind::Meta(_)
            | TyKind::Error => t.clone(),
        }
    }
}

/// Whether a type has an irregular dimension that is not inside an array.
pub fn has_open_irregular(t: &Ty) -> bool {
    use types::TyKind;
    if !t.has_sizes() {
        return false;
    }
    match &**t {
        TyKind::Array(Size::Irregular, _) => true,
        TyKind::Record(fields) => fields.iter().any(|(_, t)| has_open_irregular(t)),
        TyKind::Sum(cs) => cs.iter().any(|(_, ts)| ts.iter().any(has_open_irregular)),
        TyKind::Unique(t) => has_open_irregular(t),
        TyKind::Con(_, args) => args.contains(&types::TyArg::Size(Size::Irregular)),
        TyKind::Array(..) | TyKind::Prim(_) | TyKind::Arrow(_) | TyKind::Meta(_) | TyKind::Error => false,
    }
}
