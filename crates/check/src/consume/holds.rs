//! Questions about types: what values of a type hold, and whose sizes they mention.

use super::scope::Checker;
use crate::types::{self, Size, Ty, TyArg, TyIdKind, TyKind};

impl Checker<'_> {
    /// Whether this is itself a recursive type.
    pub fn is_recursive(&self, ty: &Ty) -> bool {
        matches!(&**ty, TyKind::Con(id, _) if matches!(self.names.ty(*id).kind, TyIdKind::Rec(_)))
    }

    /// Whether values of this type store references in memory: functions in arrays, or recursive
    /// values.
    pub fn has_stored(&self, ty: &Ty) -> bool {
        match &**ty {
            TyKind::Array(..) | TyKind::Con(..) => self.has_references(ty),
            TyKind::Arrow(_) => false,
            TyKind::Prim(_)
            | TyKind::Record(_)
            | TyKind::Sum(_)
            | TyKind::Unique(_)
            | TyKind::Meta(_)
            | TyKind::Error => any_part(ty, &mut |t| self.has_stored(t)),
        }
    }

    /// Whether values of this type contain references: functions or recursive values.
    pub fn has_references(&self, ty: &Ty) -> bool {
        matches!(&**ty, TyKind::Arrow(_))
            || self.is_recursive(ty)
            || any_part(ty, &mut |t| self.has_references(t))
    }

    /// Whether a size in the type depends on a variable of the definition.
    pub fn mentions_local(&self, ty: &Ty) -> bool {
        if !ty.has_sizes() {
            return false;
        }
        let mentions_arg = |arg: &TyArg| match arg {
            TyArg::Size(s) => self.size_mentions_local(s),
            TyArg::Type(t) => self.mentions_local(t),
        };
        match &**ty {
            TyKind::Array(size, t) => self.size_mentions_local(size) || self.mentions_local(t),
            TyKind::Con(_, args) => args.iter().any(mentions_arg),
            TyKind::Record(fields) => fields.iter().any(|(_, t)| self.mentions_local(t)),
            TyKind::Sum(cs) => cs.iter().flat_map(|(_, ts)| ts).any(|t| self.mentions_local(t)),
            TyKind::Arrow(a) => self.mentions_local(&a.arg) || self.mentions_local(&a.ret.ty),
            TyKind::Unique(t) => self.mentions_local(t),
            TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => false,
        }
    }

    fn size_mentions_local(&self, size: &Size) -> bool {
        match size {
            Size::Var(v) => self.in_scope(*v),
            Size::Term(term) => term.args.iter().any(|s| self.size_mentions_local(s)),
            Size::Const(_) | Size::Irregular | Size::Any => false,
        }
    }
}

/// Whether `holds` is true of a part of a value of this type.
fn any_part(ty: &Ty, holds: &mut impl FnMut(&Ty) -> bool) -> bool {
    if ty.is_scalar() {
        return false;
    }
    match &**ty {
        TyKind::Array(_, t) | TyKind::Unique(t) => holds(t),
        TyKind::Con(_, args) => args.iter().any(|arg| match arg {
            TyArg::Type(t) => holds(t),
            TyArg::Size(_) => false,
        }),
        TyKind::Record(fields) => fields.iter().any(|(_, t)| holds(t)),
        TyKind::Sum(cs) => cs.iter().flat_map(|(_, ts)| ts).any(holds),
        TyKind::Prim(_) | TyKind::Arrow(_) | TyKind::Meta(_) | TyKind::Error => false,
    }
}

/// An instance of a function type, with its results marked unique where the general type's are.
pub(super) fn marked_like(general: &Ty, instance: &Ty) -> Ty {
    if instance.is_scalar() {
        return instance.clone();
    }
    match (&**general, &**instance) {
        (TyKind::Unique(_), _) => types::unique(instance),
        (TyKind::Arrow(g), TyKind::Arrow(i)) => {
            let mut arrow = i.clone();
            arrow.ret.ty = marked_like(&g.ret.ty, &i.ret.ty);
            Ty::new(TyKind::Arrow(arrow))
        }
        (TyKind::Record(gs), TyKind::Record(is)) if gs.len() == is.len() => Ty::new(TyKind::Record(
            gs.iter().zip(is).map(|((_, g), (f, i))| (*f, marked_like(g, i))).collect(),
        )),
        (TyKind::Sum(gs), TyKind::Sum(is)) if gs.len() == is.len() => Ty::new(TyKind::Sum(
            gs.iter()
                .zip(is)
                .map(|((_, gs), (c, is))| (*c, gs.iter().zip(is).map(|(g, i)| marked_like(g, i)).collect()))
                .collect(),
        )),
        _ => instance.clone(),
    }
}
