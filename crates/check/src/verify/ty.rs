//! Rules about types: 1, 2, 3, 6, 7, 10.

use super::Verifier;
use crate::print::show_ty;
use crate::types::{Arrow, RetTy, Size, Ty, TyArg, TyIdKind, TyKind, VarId};
use norn_base::Symbol;

/// Where a type stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In a pattern or in a result: parts may be marked unique.
    Marked,
    /// Nothing is marked.
    Plain,
}

impl Verifier<'_> {
    /// The type of an expression.
    pub(super) fn plain_ty(&mut self, t: &Ty) {
        self.ty_at(t, t, Place::Plain);
    }

    /// The type of a pattern.
    pub(super) fn marked_ty(&mut self, t: &Ty) {
        self.ty_at(t, t, Place::Marked);
    }

    /// A result.
    pub(super) fn ret(&mut self, r: &RetTy) {
        let mark = self.scope.mark();
        r.exts.iter().for_each(|v| self.scope.add(*v));
        self.marked_ty(&r.ty);
        self.scope.reset(mark);
    }

    fn bad_ty(&mut self, rule: u8, what: &str, whole: &Ty) {
        let shown = show_ty(self.names, whole);
        self.violation(rule, format!("{what} in `{shown}`"));
    }

    fn ty_at(&mut self, t: &Ty, whole: &Ty, place: Place) {
        match &**t {
            TyKind::Prim(_) => {}
            TyKind::Meta(_) => self.bad_ty(1, "a type to be inferred", whole),
            TyKind::Error => self.bad_ty(1, "an error", whole),
            TyKind::Array(size, elem) => {
                self.size(size, whole);
                self.ty_at(elem, whole, Place::Plain);
            }
            TyKind::Con(id, args) => {
                let params = match &self.names.ty(*id).kind {
                    TyIdKind::Param => {
                        if !self.scope.has_type(*id) {
                            let name = self.names.ty(*id).name;
                            self.bad_ty(7, &format!("the type parameter `{name}` is not in scope"), whole);
                        }
                        Some(0)
                    }
                    TyIdKind::Abstract => None,
                    TyIdKind::Rec(def) => def.as_ref().map(|def| def.params.len()),
                };
                if params.is_some_and(|n| n != args.len()) {
                    self.bad_ty(10, "a type with a wrong number of arguments", whole);
                }
                for arg in args {
                    match arg {
                        TyArg::Size(size) => self.size(size, whole),
                        TyArg::Type(t) => self.ty_at(t, whole, Place::Plain),
                    }
                }
            }
            TyKind::Record(fields) => {
                self.sorted(fields.iter().map(|(f, _)| *f), whole);
                fields.iter().for_each(|(_, t)| self.ty_at(t, whole, place));
            }
            TyKind::Sum(constrs) => {
                self.sorted(constrs.iter().map(|(c, _)| *c), whole);
                constrs.iter().flat_map(|(_, ts)| ts).for_each(|t| self.ty_at(t, whole, place));
            }
            TyKind::Unique(inner) => {
                let fits = matches!(&**inner, TyKind::Array(..) | TyKind::Con(..));
                if place == Place::Plain || !fits {
                    self.bad_ty(3, "a mark of uniqueness that has no place", whole);
                }
                self.ty_at(inner, whole, Place::Plain);
            }
            TyKind::Arrow(arrow) => self.arrow(arrow, whole),
        }
    }

    fn arrow(&mut self, arrow: &Arrow, whole: &Ty) {
        self.ty_at(&arrow.arg, whole, Place::Plain);
        let mark = self.scope.mark();
        arrow.param.iter().chain(&arrow.ret.exts).for_each(|v| self.scope.add(*v));
        self.ty_at(&arrow.ret.ty, whole, Place::Marked);
        self.scope.reset(mark);
    }

    fn size(&mut self, size: &Size, whole: &Ty) {
        match size {
            Size::Const(_) | Size::Irregular => {}
            Size::Any => self.bad_ty(1, "a size that was not looked at", whole),
            Size::Var(v) => {
                if !self.is_visible(*v) {
                    let name = self.names.var(*v).name;
                    self.bad_ty(6, &format!("the size `{name}` is not in scope"), whole);
                }
            }
            Size::Term(term) => term.args.iter().for_each(|s| self.size(s, whole)),
        }
    }

    /// Whether a variable is in scope, as far as the tree shows: in a parametric module the
    /// names of the parameter are, and they have no binder.
    pub(super) fn is_visible(&self, v: VarId) -> bool {
        self.scope.has(v) || self.functors > 0 && !self.scope.was_bound(v)
    }

    pub(super) fn sorted(&mut self, names: impl Iterator<Item = Symbol>, whole: &Ty) {
        if !names.is_sorted_by(|a, b| a < b) {
            self.bad_ty(2, "names out of order", whole);
        }
    }
}
