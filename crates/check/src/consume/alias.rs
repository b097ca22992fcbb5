//! What a value may share memory with.
//!
//! The alias information of a value has the shape of its type: one set for each array, abstract
//! value and function in it, kept apart in records and sums so that the parts of a tuple can be
//! consumed one by one.

use super::holds::marked_like;
use crate::types::{Arrow, Diet, RetTy, Ty, TyKind, VarId};
use norn_base::Symbol;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Something that memory can belong to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Root {
    Var(VarId),
    /// The result of an application or a loop, which has no name: it ties together the parts of
    /// that result.
    Result(u32),
}

/// How a value is related to the memory of a root.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Via {
    /// It may be that memory: consuming the value consumes the root.
    Own,
    /// It contains references to that memory, inside functions or recursive values. Consuming the
    /// value replaces the references and leaves alone what they refer to.
    Held,
    /// It may be memory that recursive values or stored functions share. It cannot be consumed.
    Shared,
}

/// The fields that lead from a root to the part that is aliased.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct PathId(u32);

impl PathId {
    pub const WHOLE: PathId = PathId(0);
}

/// Paths by their last field and the path before it.
#[derive(Default)]
pub(super) struct Paths {
    ids: FxHashMap<(PathId, Symbol), PathId>,
}

impl Paths {
    fn field(&mut self, path: PathId, field: Symbol) -> PathId {
        let next = PathId(self.ids.len() as u32 + 1);
        *self.ids.entry((path, field)).or_insert(next)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Alias {
    pub root: Root,
    pub path: PathId,
    pub via: Via,
}

/// A set of aliases: sorted, shared, and most often empty.
#[derive(Clone, Default, Debug)]
pub(super) struct AliasSet(Option<Rc<[Alias]>>);

impl AliasSet {
    pub fn one(alias: Alias) -> AliasSet {
        AliasSet(Some(Rc::new([alias])))
    }

    pub fn from_vec(mut aliases: Vec<Alias>) -> AliasSet {
        if aliases.is_empty() {
            return AliasSet::default();
        }
        aliases.sort_unstable();
        aliases.dedup();
        AliasSet(Some(aliases.into()))
    }

    pub fn iter(&self) -> impl Iterator<Item = &Alias> {
        self.0.iter().flat_map(|aliases| aliases.iter())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub fn union(&self, other: &AliasSet) -> AliasSet {
        match (&self.0, &other.0) {
            (_, None) => self.clone(),
            (None, _) => other.clone(),
            (Some(a), Some(b)) if Rc::ptr_eq(a, b) => self.clone(),
            (Some(a), Some(b)) => AliasSet(Some(merge(a, b).into())),
        }
    }

    pub fn filter(&self, keep: impl Fn(&Alias) -> bool) -> AliasSet {
        if self.iter().all(&keep) {
            return self.clone();
        }
        AliasSet::from_vec(self.iter().filter(|a| keep(a)).copied().collect())
    }

    /// The same roots, each related as `via` says.
    pub fn related(&self, via: impl Fn(Via) -> Via) -> AliasSet {
        if self.iter().all(|a| via(a.via) == a.via) {
            return self.clone();
        }
        AliasSet::from_vec(self.iter().map(|a| Alias { via: via(a.via), ..*a }).collect())
    }

    /// As references inside something else.
    pub fn held(&self) -> AliasSet {
        self.related(|_| Via::Held)
    }

    /// As memory that came out of something that may be shared.
    pub fn shared(&self) -> AliasSet {
        self.related(|_| Via::Shared)
    }

    /// With references followed to what they refer to.
    pub fn unheld(&self) -> AliasSet {
        self.related(|via| if via == Via::Held { Via::Shared } else { via })
    }

    /// Whether consuming a value with these aliases would harm one with those aliases.
    pub fn touches(&self, other: &AliasSet) -> bool {
        self.touched(other).is_some()
    }

    /// What makes consuming a value with these aliases harm one with those aliases.
    pub fn touched(&self, other: &AliasSet) -> Option<Root> {
        let others = other.0.as_ref()?;
        let touching = |a: &&Alias| {
            let at = others.partition_point(|b| (b.root, b.path) < (a.root, a.path));
            others.get(at).is_some_and(|b| (b.root, b.path) == (a.root, a.path))
        };
        self.iter().filter(|a| a.via != Via::Held).find(touching).map(|a| a.root)
    }
}

/// The elements of two sorted lists, in order.
fn merge(mut a: &[Alias], mut b: &[Alias]) -> Vec<Alias> {
    let mut merged = Vec::with_capacity(a.len() + b.len());
    while let ([x, rest_a @ ..], [y, rest_b @ ..]) = (a, b) {
        merged.push(*x.min(y));
        if x <= y {
            a = rest_a;
        }
        if y <= x {
            b = rest_b;
        }
    }
    merged.extend_from_slice(a);
    merged.extend_from_slice(b);
    merged
}

/// The aliases of a value, part by part.
#[derive(Clone, Debug)]
pub(super) enum Aliases {
    /// A number or a truth value: nothing to share.
    Scalar,
    /// An array, an abstract value or a recursive value.
    Whole(AliasSet),
    /// A function, with what it captures. Its type (an `Arrow`) says what it consumes and which
    /// results are fresh, the latter perhaps better than the type of the expression does.
    Fun(AliasSet, Ty),
    Record(Rc<[(Symbol, Aliases)]>),
    Sum(Rc<[(Symbol, Vec<Aliases>)]>),
}

impl Aliases {
    /// A value of type `ty` each part of which has the aliases `set`.
    pub fn of(ty: &Ty, set: &AliasSet) -> Aliases {
        match &**ty {
            _ if is_large_scalar(ty) => Aliases::Scalar,
            TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => Aliases::Scalar,
            TyKind::Con(..) | TyKind::Array(..) => Aliases::Whole(set.clone()),
            TyKind::Unique(t) => Aliases::of(t, set),
            TyKind::Arrow(_) => Aliases::Fun(set.clone(), ty.clone()),
            TyKind::Record(fields) => {
                Aliases::Record(fields.iter().map(|(f, t)| (*f, Aliases::of(t, set))).collect())
            }
            TyKind::Sum(constrs) => Aliases::Sum(
                constrs
                    .iter()
                    .map(|(c, ts)| (*c, ts.iter().map(|t| Aliases::of(t, set)).collect()))
                    .collect(),
            ),
        }
    }

    /// A value of type `ty` that shares nothing.
    pub fn fresh(ty: &Ty) -> Aliases {
        Aliases::of(ty, &AliasSet::default())
    }

    /// Call `visit` with the set of each part.
    pub fn each_set<'a>(&'a self, visit: &mut impl FnMut(&'a AliasSet)) {
        match self {
            Aliases::Scalar => {}
            Aliases::Whole(set) | Aliases::Fun(set, _) => visit(set),
            Aliases::Record(fields) => fields.iter().for_each(|(_, a)| a.each_set(visit)),
            Aliases::Sum(constrs) => constrs.iter().flat_map(|(_, ts)| ts).for_each(|a| a.each_set(visit)),
        }
    }

    /// The aliases of all parts together.
    pub fn all(&self) -> AliasSet {
        if let Aliases::Whole(set) | Aliases::Fun(set, _) = self {
            return set.clone();
        }
        let mut list = Vec::new();
        self.each_set(&mut |set| list.extend(set.iter().copied()));
        AliasSet::from_vec(list)
    }

    /// Apply `f` to the set of each part.
    pub fn map(&self, f: &mut impl FnMut(&AliasSet) -> AliasSet) -> Aliases {
        match self {
            Aliases::Scalar => Aliases::Scalar,
            Aliases::Whole(set) => Aliases::Whole(f(set)),
            Aliases::Fun(set, ty) => Aliases::Fun(f(set), ty.clone()),
            Aliases::Record(fields) => {
                Aliases::Record(fields.iter().map(|(name, a)| (*name, a.map(f))).collect())
            }
            Aliases::Sum(constrs) => Aliases::Sum(
                constrs.iter().map(|(c, ts)| (*c, ts.iter().map(|a| a.map(f)).collect())).collect(),
            ),
        }
    }

    /// `ty`, which is the type of this value, with the results of functions marked unique where
    /// the functions are known to return what is fresh.
    pub fn refine(&self, ty: &mut Ty) {
        if self.has_functions() {
            *ty = self.refined(ty);
        }
    }

    /// Whether the value is or contains a function, outside arrays.
    pub fn has_functions(&self) -> bool {
        let mut found = false;
        self.each_function(&mut |_| found = true);
        found
    }

    /// Call `visit` with the set of each function.
    pub fn each_function<'a>(&'a self, visit: &mut impl FnMut(&'a AliasSet)) {
        match self {
            Aliases::Scalar | Aliases::Whole(_) => {}
            Aliases::Fun(set, _) => visit(set),
            Aliases::Record(fields) => fields.iter().for_each(|(_, a)| a.each_function(visit)),
            Aliases::Sum(constrs) => {
                constrs.iter().flat_map(|(_, ts)| ts).for_each(|a| a.each_function(visit));
            }
        }
    }

    /// Apply `f` to the set of each function.
    pub fn map_functions(&self, f: &mut impl FnMut(&AliasSet) -> AliasSet) -> Aliases {
        match self {
            Aliases::Scalar | Aliases::Whole(_) => self.clone(),
            Aliases::Fun(set, ty) => Aliases::Fun(f(set), ty.clone()),
            Aliases::Record(fields) => {
                Aliases::Record(fields.iter().map(|(name, a)| (*name, a.map_functions(f))).collect())
            }
            Aliases::Sum(constrs) => Aliases::Sum(
                constrs.iter().map(|(c, ts)| (*c, ts.iter().map(|a| a.map_functions(f)).collect())).collect(),
            ),
        }
    }

    fn refined(&self, ty: &Ty) -> Ty {
        match (self, &**ty) {
            (Aliases::Fun(_, function), TyKind::Arrow(_)) => marked_like(function, ty),
            (Aliases::Record(parts), TyKind::Record(fields)) if parts.len() == fields.len() => {
                Ty::new(TyKind::Record(
                    fields.iter().zip(parts.iter()).map(|((f, t), (_, a))| (*f, a.refined(t))).collect(),
                ))
            }
            (Aliases::Sum(parts), TyKind::Sum(constrs)) if parts.len() == constrs.len() => {
                Ty::new(TyKind::Sum(
                    constrs
                        .iter()
                        .zip(parts.iter())
                        .map(|((c, ts), (_, xs))| {
                            (*c, ts.iter().zip(xs).map(|(t, a)| a.refined(t)).collect())
                        })
                        .collect(),
                ))
            }
            _ => ty.clone(),
        }
    }

    /// With the variable itself added to the aliases of each part: what the variable bound to this
    /// value aliases (ALIAS-VAR).
    pub fn with_self(&self, paths: &mut Paths, var: VarId, via: Via) -> Aliases {
        self.with_self_at(paths, var, via, PathId::WHOLE)
    }

    fn with_self_at(&self, paths: &mut Paths, var: VarId, via: Via, path: PathId) -> Aliases {
        let own = || AliasSet::one(Alias { root: Root::Var(var), path, via });
        match self {
            Aliases::Scalar => Aliases::Scalar,
            Aliases::Whole(set) => Aliases::Whole(set.union(&own())),
            Aliases::Fun(set, ty) => Aliases::Fun(set.union(&own()), ty.clone()),
            Aliases::Record(fields) => Aliases::Record(
                fields
                    .iter()
                    .map(|(f, a)| {
                        let path = paths.field(path, *f);
                        (*f, a.with_self_at(paths, var, via, path))
                    })
                    .collect(),
            ),
            Aliases::Sum(constrs) => Aliases::Sum(
                constrs
                    .iter()
                    .map(|(c, ts)| (*c, ts.iter().map(|a| a.with_self_at(paths, var, via, path)).collect()))
                    .collect(),
            ),
        }
    }

    /// The aliases of a value that is either this or that (ALIAS-IF).
    pub fn or(&self, other: &Aliases) -> Aliases {
        match (self, other) {
            (Aliases::Scalar, a) | (a, Aliases::Scalar) => a.clone(),
            (Aliases::Fun(a, s), Aliases::Fun(b, t)) => Aliases::Fun(a.union(b), either_function(s, t)),
            (Aliases::Record(a), Aliases::Record(b)) if a.len() == b.len() => {
                Aliases::Record(a.iter().zip(b.iter()).map(|((f, x), (_, y))| (*f, x.or(y))).collect())
            }
            (Aliases::Sum(a), Aliases::Sum(b)) if a.len() == b.len() => Aliases::Sum(
                a.iter()
                    .zip(b.iter())
                    .map(|((c, xs), (_, ys))| (*c, xs.iter().zip(ys).map(|(x, y)| x.or(y)).collect()))
                    .collect(),
            ),
            (a, b) => Aliases::Whole(a.all().union(&b.all())),
        }
    }

    /// One field. `ty` is its type, for a record whose parts are not distinguished.
    pub fn field(&self, name: Symbol, ty: &Ty) -> Aliases {
        match self {
            Aliases::Record(fields) => match fields.iter().find(|(f, _)| *f == name) {
                Some((_, a)) => a.clone(),
                None => Aliases::fresh(ty),
            },
            a => Aliases::of(ty, &a.all()),
        }
    }

    /// With another value in one field.
    pub fn with_field(&self, name: Symbol, value: Aliases) -> Aliases {
        match self {
            Aliases::Record(fields) => Aliases::Record(
                fields
                    .iter()
                    .map(|(f, a)| (*f, if *f == name { value.clone() } else { a.clone() }))
                    .collect(),
            ),
            a => Aliases::Whole(a.all().union(&value.all())),
        }
    }
}

/// Whether values of this type have so many parts that these are not distinguished. Nothing in them is shared with anything.
pub fn is_large_scalar(ty: &Ty) -> bool {
    const MANY: u32 = 1000;
    ty.is_scalar() && ty.nodes() > MANY
}

/// The type of a function that is either of two: it consumes what either consumes, and promises
/// only the freshness that both promise.
fn either_function(s: &Ty, t: &Ty) -> Ty {
    if s.is_scalar() {
        return s.clone();
    }
    match (&**s, &**t) {
        _ if Ty::ptr_eq(s, t) => s.clone(),
        (TyKind::Arrow(a), TyKind::Arrow(b)) => Ty::new(TyKind::Arrow(Arrow {
            diet: if a.diet == Diet::Consume { a.diet } else { b.diet },
            ret: RetTy { exts: a.ret.exts.clone(), ty: either_function(&a.ret.ty, &b.ret.ty) },
            ..a.clone()
        })),
        (TyKind::Record(a), TyKind::Record(b)) if a.len() == b.len() => Ty::new(TyKind::Record(
            a.iter().zip(b).map(|((f, x), (_, y))| (*f, either_function(x, y))).collect(),
        )),
        (TyKind::Sum(a), TyKind::Sum(b)) if a.len() == b.len() => Ty::new(TyKind::Sum(
            a.iter()
                .zip(b)
                .map(|((c, xs), (_, ys))| {
                    (*c, xs.iter().zip(ys).map(|(x, y)| either_function(x, y)).collect())
                })
                .collect(),
        )),
        (TyKind::Unique(_), TyKind::Unique(_)) => s.clone(),
        (TyKind::Unique(s), _) => s.clone(),
        _ => s.clone(),
    }
}
