//! Walking and rewriting types: substitution of names, and the variables a type mentions.
//!
//! Rewriting shares what does not change.

use crate::types::{
    Arrow, RetTy, Size, SizeTerm, TParam, Ty, TyArg, TyId, TyKind, VarId, has_unique, unique,
};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What names are replaced with.
#[derive(Default, Clone, Debug)]
pub struct Subst {
    pub sizes: FxHashMap<VarId, Size>,
    /// A type name with parameters becomes a type over those parameters; existential sizes of the
    /// new type go to the nearest place that can bind them.
    pub types: FxHashMap<TyId, (Vec<TParam>, RetTy)>,
    /// Renaming of type names, arguments kept.
    pub renamed: FxHashMap<TyId, TyId>,
}

impl Subst {
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty() && self.types.is_empty() && self.renamed.is_empty()
    }

    pub fn sizes(pairs: impl IntoIterator<Item = (VarId, Size)>) -> Subst {
        Subst { sizes: pairs.into_iter().collect(), ..Subst::default() }
    }

    /// Parameters to arguments.
    pub fn params(params: &[TParam], args: &[TyArg]) -> Subst {
        let mut s = Subst::default();
        for pair in params.iter().zip(args) {
            match pair {
                (TParam::Size(v), TyArg::Size(size)) => {
                    s.sizes.insert(*v, size.clone());
                }
                (TParam::Type(id, _), TyArg::Type(t)) => {
                    s.types.insert(*id, (Vec::new(), RetTy { exts: Vec::new(), ty: t.clone() }));
                }
                // Kinds were compared when the type expression was read.
                (TParam::Size(_), TyArg::Type(_)) | (TParam::Type(..), TyArg::Size(_)) => {}
            }
        }
        s
    }
}

/// Makes new names for the existential sizes of a substituted type.
pub trait FreshVar {
    fn fresh_like(&mut self, v: VarId) -> VarId;
}

/// Apply a substitution; existential sizes that come in at the top are returned.
pub fn apply(s: &Subst, fresh: &mut dyn FreshVar, t: &Ty) -> RetTy {
    if s.is_empty() {
        return RetTy { exts: Vec::new(), ty: t.clone() };
    }
    let mut exts = Vec::new();
    let ty = Applier { s, fresh }.ty(t, &mut exts);
    RetTy { exts, ty }
}

pub fn apply_ret(s: &Subst, fresh: &mut dyn FreshVar, r: &RetTy) -> RetTy {
    let mut new = apply(s, fresh, &r.ty);
    let mut exts = r.exts.clone();
    exts.append(&mut new.exts);
    RetTy { exts, ty: new.ty }
}

/// Substitute sizes only.
pub fn apply_sizes(sizes: &FxHashMap<VarId, Size>, t: &Ty) -> Ty {
    if sizes.is_empty() {
        return t.clone();
    }
    map_sizes(t, &mut |s| subst_size(s, &|v| sizes.get(&v).cloned()))
}

pub fn subst_size(s: &Size, f: &dyn Fn(VarId) -> Option<Size>) -> Size {
    match s {
        Size::Var(v) => f(*v).unwrap_or_else(|| s.clone()),
        Size::Term(term) => {
            let args: Vec<Size> = term.args.iter().map(|a| subst_size(a, f)).collect();
            if args == term.args {
                s.clone()
            } else {
                Size::Term(Rc::new(SizeTerm { head: term.head.clone(), args }))
            }
        }
        Size::Const(_) | Size::Irregular | Size::Any => s.clone(),
    }
}

struct Applier<'a> {
    s: &'a Subst,
    fresh: &'a mut dyn FreshVar,
}

impl Applier<'_> {
    fn size(&self, size: &Size) -> Size {
        subst_size(size, &|v| self.s.sizes.get(&v).cloned())
    }

    /// A hidden size in an argument of a type is that of each value of the type.
    fn arg(&mut self, a: &TyArg) -> TyArg {
        match a {
            TyArg::Size(s) => TyArg::Size(self.size(s)),
            TyArg::Type(t) => {
                let mut inner = Vec::new();
                let t = self.ty(t, &mut inner);
                TyArg::Type(if inner.is_empty() { t } else { make_irregular(&t, &inner) })
            }
        }
    }

    fn ty(&mut self, t: &Ty, exts: &mut Vec<VarId>) -> Ty {
        if !t.has_names() && !t.has_sizes() {
            return t.clone();
        }
        match &**t {
            TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => t.clone(),
            TyKind::Con(id, args) => {
                let args: Vec<TyArg> = args.iter().map(|a| self.arg(a)).collect();
                if let Some((params, rt)) = self.s.types.get(id) {
                    let renamed: FxHashMap<VarId, Size> =
                        rt.exts.iter().map(|v| (*v, Size::Var(self.fresh.fresh_like(*v)))).collect();
                    exts.extend(rt.exts.iter().filter_map(|v| match renamed.get(v) {
                        Some(Size::Var(w)) => Some(*w),
                        _ => None,
                    }));
                    let body = apply_sizes(&renamed, &rt.ty);
                    apply(&Subst::params(params, &args), self.fresh, &body).ty
                } else {
                    let id = self.s.renamed.get(id).copied().unwrap_or(*id);
                    Ty::new(TyKind::Con(id, args))
                }
            }
            TyKind::Array(size, elem) => {
                let size = self.size(size);
                let mut inner = Vec::new();
                let elem = self.ty(elem, &mut inner);
                // A hidden size inside an element varies from element to element.
                let elem = if inner.is_empty() { elem } else { make_irregular(&elem, &inner) };
                Ty::new(TyKind::Array(size, elem))
            }
            TyKind::Unique(inner) => {
                let new = self.ty(inner, exts);
                if has_unique(&new) { new } else { unique(&new) }
            }
            TyKind::Record(fields) => {
                Ty::new(TyKind::Record(fields.iter().map(|(f, t)| (*f, self.ty(t, exts))).collect()))
            }
            TyKind::Sum(cs) => Ty::new(TyKind::Sum(
                cs.iter().map(|(c, ts)| (*c, ts.iter().map(|t| self.ty(t, exts)).collect())).collect(),
            )),
            TyKind::Arrow(a) => {
                // Hidden sizes of the argument are bound outside; those of the result at the
                // result, unless it is a function itself.
                let arg = self.ty(&a.arg, exts);
                let mut inner = Vec::new();
                let ty = self.ty(&a.ret.ty, &mut inner);
                let mut ret_exts = a.ret.exts.clone();
                if matches!(&*ty, TyKind::Arrow(_)) {
                    exts.append(&mut inner);
                } else {
                    ret_exts.append(&mut inner);
                }
                let ret = RetTy { exts: ret_exts, ty };
                Ty::new(TyKind::Arrow(Arrow { param: a.param, diet: a.diet, arg, ret }))
            }
        }
    }
}

/// The same type with these sizes irregular.
pub fn make_irregular(t: &Ty, vars: &[VarId]) -> Ty {
    map_sizes(t, &mut |s| {
        if mentions_in_size(s, &|v| vars.contains(&v)) { Size::Irregular } else { s.clone() }
    })
}

/// Rewrite every size of a type, those inside function types included.
pub fn map_sizes(t: &Ty, f: &mut dyn FnMut(&Size) -> Size) -> Ty {
    if !t.has_sizes() {
        return t.clone();
    }
    match &**t {
        TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => t.clone(),
        TyKind::Con(_, args) if args.is_empty() => t.clone(),
        TyKind::Con(id, args) => Ty::new(TyKind::Con(
            *id,
            args.iter()
                .map(|a| match a {
                    TyArg::Size(s) => TyArg::Size(f(s)),
                    TyArg::Type(t) => TyArg::Type(map_sizes(t, f)),
                })
                .collect(),
        )),
        TyKind::Array(size, elem) => {
            let new_size = f(size);
            let new_elem = map_sizes(elem, f);
            if new_size == *size && Ty::ptr_eq(&new_elem, elem) {
                t.clone()
            } else {
                Ty::new(TyKind::Array(new_size, new_elem))
            }
        }
        TyKind::Unique(inner) => {
            let new = map_sizes(inner, f);
            if Ty::ptr_eq(&new, inner) { t.clone() } else { Ty::new(TyKind::Unique(new)) }
        }
        TyKind::Record(fields) => {
            let new: Vec<_> = fields.iter().map(|(k, t)| (*k, map_sizes(t, f))).collect();
            if new.iter().zip(fields).all(|((_, a), (_, b))| Ty::ptr_eq(a, b)) {
                t.clone()
            } else {
                Ty::new(TyKind::Record(new))
            }
        }
        TyKind::Sum(cs) => {
            let new: Vec<(_, Vec<Ty>)> =
                cs.iter().map(|(c, ts)| (*c, ts.iter().map(|t| map_sizes(t, f)).collect())).collect();
            Ty::new(TyKind::Sum(new))
        }
        TyKind::Arrow(a) => {
            let arg = map_sizes(&a.arg, f);
            let ty = map_sizes(&a.ret.ty, f);
            if Ty::ptr_eq(&arg, &a.arg) && Ty::ptr_eq(&ty, &a.ret.ty) {
                t.clone()
            } else {
                let ret = RetTy { exts: a.ret.exts.clone(), ty };
                Ty::new(TyKind::Arrow(Arrow { param: a.param, diet: a.diet, arg, ret }))
            }
        }
    }
}

/// Visit every size of a type.
pub fn each_size(t: &Ty, f: &mut dyn FnMut(&Size)) {
    if !t.has_sizes() {
        return;
    }
    match &**t {
        TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => {}
        TyKind::Con(_, args) => {
            for a in args {
                match a {
                    TyArg::Size(s) => f(s),
                    TyArg::Type(t) => each_size(t, f),
                }
            }
        }
        TyKind::Array(s, t) => {
            f(s);
            each_size(t, f);
        }
        TyKind::Unique(t) => each_size(t, f),
        TyKind::Record(fields) => fields.iter().for_each(|(_, t)| each_size(t, f)),
        TyKind::Sum(cs) => cs.iter().for_each(|(_, ts)| ts.iter().for_each(|t| each_size(t, f))),
        TyKind::Arrow(a) => {
            each_size(&a.arg, f);
            each_size(&a.ret.ty, f);
        }
    }
}

/// Visit every variable in a size.
pub fn each_var_in_size(s: &Size, f: &mut dyn FnMut(VarId)) {
    match s {
        Size::Var(v) => f(*v),
        Size::Term(term) => term.args.iter().for_each(|a| each_var_in_size(a, f)),
        Size::Const(_) | Size::Irregular | Size::Any => {}
    }
}

pub fn mentions_in_size(s: &Size, f: &dyn Fn(VarId) -> bool) -> bool {
    match s {
        Size::Var(v) => f(*v),
        Size::Term(term) => term.args.iter().any(|a| mentions_in_size(a, f)),
        Size::Const(_) | Size::Irregular | Size::Any => false,
    }
}

/// The variables free in the sizes of a type, each once, in order. Names bound inside the type
/// (parameters and existential sizes of functions) are not free.
pub fn free_vars(t: &Ty) -> Vec<VarId> {
    let mut free = Vec::new();
    collect_free(t, &mut Vec::new(), &mut free);
    free
}

fn collect_free(t: &Ty, bound: &mut Vec<VarId>, free: &mut Vec<VarId>) {
    if !t.has_sizes() {
        return;
    }
    let mut on_size = |s: &Size, bound: &[VarId]| {
        each_var_in_size(s, &mut |v| {
            if !bound.contains(&v) && !free.contains(&v) {
                free.push(v);
            }
        })
    };
    match &**t {
        TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => {}
        TyKind::Array(s, elem) => {
            on_size(s, bound);
            collect_free(elem, bound, free);
        }
        TyKind::Con(_, args) => {
            for a in args {
                match a {
                    TyArg::Size(s) => each_var_in_size(s, &mut |v| {
                        if !bound.contains(&v) && !free.contains(&v) {
                            free.push(v);
                        }
                    }),
                    TyArg::Type(t) => collect_free(t, bound, free),
                }
            }
        }
        TyKind::Unique(t) => collect_free(t, bound, free),
        TyKind::Record(fields) => fields.iter().for_each(|(_, t)| collect_free(t, bound, free)),
        TyKind::Sum(cs) => cs.iter().for_each(|(_, ts)| ts.iter().for_each(|t| collect_free(t, bound, free))),
        TyKind::Arrow(a) => {
            collect_free(&a.arg, bound, free);
            let depth = bound.len();
            bound.extend(a.param);
            bound.extend(&a.ret.exts);
            collect_free(&a.ret.ty, bound, free);
            bound.truncate(depth);
        }
    }
}

pub fn mentions_var(t: &Ty, v: VarId) -> bool {
    let mut found = false;
    each_size(t, &mut |s| found |= mentions_in_size(s, &|w| w == v));
    found
}

/// The type names (parameters, abstract and recursive types) that occur in a type.
pub fn each_type_name(t: &Ty, f: &mut dyn FnMut(TyId)) {
    if !t.has_names() {
        return;
    }
    match &**t {
        TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => {}
        TyKind::Con(id, args) => {
            f(*id);
            for a in args {
                if let TyArg::Type(t) = a {
                    each_type_name(t, f);
                }
            }
        }
        TyKind::Array(_, t) | TyKind::Unique(t) => each_type_name(t, f),
        TyKind::Record(fields) => fields.iter().for_each(|(_, t)| each_type_name(t, f)),
        TyKind::Sum(cs) => cs.iter().for_each(|(_, ts)| ts.iter().for_each(|t| each_type_name(t, f))),
        TyKind::Arrow(a) => {
            each_type_name(&a.arg, f);
            each_type_name(&a.ret.ty, f);
        }
    }
}

/// Where a size stands in a type, seen from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A size of the value itself.
    Immediate,
    /// A size of a parameter of a function.
    Param,
    /// A size of a result of a function.
    Return,
}

/// Visit every size with its place and the names bound by the function types around it.
pub fn each_placed_size(t: &Ty, f: &mut dyn FnMut(&[VarId], Place, &Size)) {
    placed(t, Place::Immediate, &mut Vec::new(), f);
}

fn placed(t: &Ty, place: Place, bound: &mut Vec<VarId>, f: &mut dyn FnMut(&[VarId], Place, &Size)) {
    if !t.has_sizes() {
        return;
    }
    match &**t {
        TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => {}
        TyKind::Con(id, args) => {
            // What an abstract type does with its arguments is not known; an accumulator holds
            // its array.
            let inner = if *id == TyId::ACC { place } else { Place::Param };
            for a in args {
                match a {
                    TyArg::Size(s) => f(bound, place, s),
                    TyArg::Type(t) => placed(t, inner, bound, f),
                }
            }
        }
        TyKind::Array(s, t) => {
            f(bound, place, s);
            placed(t, place, bound, f);
        }
        TyKind::Unique(t) => placed(t, place, bound, f),
        TyKind::Record(fields) => fields.iter().for_each(|(_, t)| placed(t, place, bound, f)),
        TyKind::Sum(cs) => cs.iter().for_each(|(_, ts)| ts.iter().for_each(|t| placed(t, place, bound, f))),
        TyKind::Arrow(a) => {
            let depth = bound.len();
            bound.extend(a.param);
            bound.extend(&a.ret.exts);
            placed(&a.arg, Place::Param, bound, f);
            placed(&a.ret.ty, Place::Return, bound, f);
            bound.truncate(depth);
        }
    }
}

/// The variables that are the size of some array in the value itself, so that they can be read off
/// it, and those that are only mentioned otherwise: (witnessed, mentioned).
pub fn size_witnesses(t: &Ty) -> (Vec<VarId>, Vec<VarId>) {
    let mut witnessed = Vec::new();
    let mut mentioned = Vec::new();
    each_placed_size(t, &mut |bound, place, s| match s {
        Size::Var(v) if place == Place::Immediate || bound.contains(v) => {
            if !witnessed.contains(v) {
                witnessed.push(*v);
            }
        }
        s => each_var_in_size(s, &mut |v| {
            if !mentioned.contains(&v) {
                mentioned.push(v);
            }
        }),
    });
    mentioned.retain(|v| !witnessed.contains(v));
    (witnessed, mentioned)
}
