//! Types not determined yet, and unification without sizes.
//!
//! A meta is unbound, with what is already known of it (a set of primitive types, some fields, some
//! constructors), or linked to a type. Levels keep the type parameters of a local function from
//! escaping into types that exist outside of it.

use crate::subst::{self, Subst};
use crate::types::{self, Liftedness, MetaId, Names, Prim, Ty, TyArg, TyId, TyIdKind, TyKind, is_tuple};
use norn_base::{Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of primitive types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrimSet(u16);

impl PrimSet {
    pub fn new(prims: impl IntoIterator<Item = Prim>) -> PrimSet {
        PrimSet(prims.into_iter().fold(0, |set, p| set | 1 << p as u16))
    }

    pub fn numbers() -> PrimSet {
        PrimSet::new(Prim::ALL.into_iter().filter(|p| p.is_number()))
    }

    pub fn ints() -> PrimSet {
        PrimSet::new(Prim::ALL.into_iter().filter(|p| p.is_int()))
    }

    pub fn signed() -> PrimSet {
        PrimSet::new(Prim::ALL.into_iter().filter(|p| p.is_signed()))
    }

    pub fn floats() -> PrimSet {
        PrimSet::new(Prim::ALL.into_iter().filter(|p| p.is_float()))
    }

    pub fn contains(self, p: Prim) -> bool {
        self.0 & (1 << p as u16) != 0
    }

    pub fn iter(self) -> impl Iterator<Item = Prim> {
        Prim::ALL.into_iter().filter(move |p| self.contains(*p))
    }

    pub fn words(self) -> String {
        for (set, words) in [
            (PrimSet::numbers(), "a number type"),
            (PrimSet::ints(), "an integer type"),
            (PrimSet::signed(), "a signed integer type"),
            (PrimSet::floats(), "a floating-point type"),
        ] {
            if self == set {
                return words.into();
            }
        }
        let known = [
            (PrimSet::numbers(), "a number"),
            (PrimSet::ints(), "an integer"),
            (PrimSet::signed(), "a signed integer"),
            (PrimSet::floats(), "a float"),
        ];
        if let Some((_, words)) = known.into_iter().find(|(set, _)| *set == self) {
            return words.into();
        }
        let names: Vec<&str> = self.iter().map(Prim::name).collect();
        match &names[..] {
            [] => "no type".into(),
            [one] => (*one).into(),
            [most @ .., last] => format!("{} or {last}", most.join(", ")),
        }
    }
}

/// What is known of an undetermined type.
#[derive(Clone, Debug)]
pub enum Known {
    Nothing(Liftedness),
    OneOf(PrimSet),
    Fields(Vec<(Symbol, Ty)>),
    Constrs(Vec<(Symbol, Vec<Ty>)>),
}

impl Known {
    /// The types that occur in it.
    fn parts(&self) -> Vec<Ty> {
        match self {
            Known::Nothing(_) | Known::OneOf(_) => Vec::new(),
            Known::Fields(fs) => fs.iter().map(|(_, t)| t.clone()).collect(),
            Known::Constrs(cs) => cs.iter().flat_map(|(_, ts)| ts.clone()).collect(),
        }
    }
}

#[derive(Clone, Debug)]
pub enum Meta {
    Unbound { known: Known, level: u32, span: Span },
    Link(Ty),
}

/// Why two types are not the same.
#[derive(Debug)]
pub enum Mismatch {
    Different,
    /// Numbers of tuple parts.
    TupleLengths(usize, usize),
    /// Fields that only one of two records has.
    Fields(Vec<Symbol>),
    Constrs(Vec<Symbol>),
    Payload(Symbol, usize, usize),
    NotOneOf(PrimSet, Ty),
    NoCommonPrim(PrimSet, PrimSet),
    NeedsFields(Vec<Symbol>, Ty),
    NeedsConstrs(Vec<Symbol>, Ty),
    Infinite,
    /// A type parameter that is not in scope where the other type was made.
    Escapes(TyId),
}

#[derive(Clone, Default)]
pub struct Metas {
    metas: Vec<Meta>,
    /// Levels of type parameters that are in scope; all others are global.
    pub param_levels: FxHashMap<TyId, u32>,
}

impl Metas {
    pub fn fresh(&mut self, known: Known, level: u32, span: Span) -> Ty {
        self.metas.push(Meta::Unbound { known, level, span });
        Ty::new(TyKind::Meta(MetaId(self.metas.len() as u32 - 1)))
    }

    pub fn get(&self, id: MetaId) -> &Meta {
        &self.metas[id.0 as usize]
    }

    pub fn ids(&self) -> impl Iterator<Item = MetaId> + use<> {
        (0..self.metas.len() as u32).map(MetaId)
    }

    pub fn link(&mut self, id: MetaId, t: Ty) {
        self.metas[id.0 as usize] = Meta::Link(t);
    }

    /// Follow links at the root.
    pub fn head(&self, t: &Ty) -> Ty {
        let mut t = t.clone();
        while let TyKind::Meta(id) = &*t {
            match self.get(*id) {
                Meta::Link(next) => t = next.clone(),
                Meta::Unbound { .. } => break,
            }
        }
        match &*t {
            TyKind::Unique(inner) => self.head(inner),
            _ => t,
        }
    }

    /// Follow links everywhere.
    pub fn resolve(&self, t: &Ty) -> Ty {
        self.resolve_with(t, &mut FxHashMap::default())
    }

    /// `done`: what was found for types that were not determined, so that each is followed once.
    fn resolve_with(&self, t: &Ty, done: &mut FxHashMap<MetaId, Ty>) -> Ty {
        if !t.is_open() && !t.has_marks() {
            return t.clone();
        }
        let TyKind::Meta(id) = &**t else { return self.resolve_parts(t, done) };
        if let Some(found) = done.get(id) {
            return found.clone();
        }
        let found = self.resolve_parts(t, done);
        done.insert(*id, found.clone());
        found
    }

    fn resolve_parts(&self, t: &Ty, done: &mut FxHashMap<MetaId, Ty>) -> Ty {
        let t = self.head(t);
        match &*t {
            TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => t,
            TyKind::Con(_, args) if args.is_empty() => t,
            TyKind::Con(id, args) => types::con(
                *id,
                args.iter()
                    .map(|a| match a {
                        TyArg::Size(s) => TyArg::Size(s.clone()),
                        TyArg::Type(t) => TyArg::Type(self.resolve_with(t, done)),
                    })
                    .collect(),
            ),
            TyKind::Array(s, elem) => types::array(s.clone(), self.resolve_with(elem, done)),
            TyKind::Unique(t) => self.resolve_with(t, done),
            TyKind::Record(fields) => Ty::new(TyKind::Record(
                fields.iter().map(|(f, t)| (*f, self.resolve_with(t, done))).collect(),
            )),
            TyKind::Sum(cs) => Ty::new(TyKind::Sum(
                cs.iter()
                    .map(|(c, ts)| (*c, ts.iter().map(|t| self.resolve_with(t, done)).collect()))
                    .collect(),
            )),
            TyKind::Arrow(a) => {
                let mut a = a.clone();
                a.arg = self.resolve_with(&a.arg, done);
                a.ret.ty = types::marked_like(&a.ret.ty, &self.resolve_with(&a.ret.ty, done));
                Ty::new(TyKind::Arrow(a))
            }
        }
    }

    /// Follow links at the root; also the last undetermined type on the way, which stands for all
    /// that were made equal.
    pub fn root(&self, t: &Ty) -> (Option<MetaId>, Ty) {
        let mut t = t.clone();
        let mut last = None;
        while let TyKind::Meta(id) = &*t {
            last = Some(*id);
            match self.get(*id) {
                Meta::Link(next) => t = next.clone(),
                Meta::Unbound { .. } => break,
            }
        }
        (last, t)
    }

    pub fn unify(&mut self, names: &mut Names, a: &Ty, b: &Ty) -> Result<(), Mismatch> {
        let a = self.head(a);
        let b = self.head(b);
        if Ty::ptr_eq(&a, &b) {
            return Ok(());
        }
        match (&*a, &*b) {
            // What was complained about is not to be complained about again.
            (TyKind::Error, _) | (_, TyKind::Error) => {
                for x in self.metas_in(&a).into_iter().chain(self.metas_in(&b)) {
                    self.link(x, types::error());
                }
                Ok(())
            }
            (TyKind::Meta(x), TyKind::Meta(y)) if x == y => Ok(()),
            (TyKind::Meta(x), TyKind::Meta(y)) => self.merge(names, *x, *y),
            (TyKind::Meta(x), _) => self.bind(names, *x, &b),
            (_, TyKind::Meta(y)) => self.bind(names, *y, &a),
            (TyKind::Prim(p), TyKind::Prim(q)) if p == q => Ok(()),
            (TyKind::Con(i, xs), TyKind::Con(j, ys)) if i == j => {
                for pair in xs.iter().zip(ys) {
                    if let (TyArg::Type(x), TyArg::Type(y)) = pair {
                        self.unify(names, x, y)?;
                    }
                }
                Ok(())
            }
            (TyKind::Array(_, x), TyKind::Array(_, y)) => self.unify(names, x, y),
            (TyKind::Arrow(x), TyKind::Arrow(y)) => {
                self.unify(names, &x.arg, &y.arg)?;
                self.unify(names, &x.ret.ty, &y.ret.ty)
            }
            (TyKind::Record(xs), TyKind::Record(ys)) => {
                if xs.len() == ys.len() && xs.iter().zip(ys).all(|((f, _), (g, _))| f == g) {
                    for ((_, x), (_, y)) in xs.iter().zip(ys) {
                        self.unify(names, x, y)?;
                    }
                    Ok(())
                } else if is_tuple(xs) && is_tuple(ys) {
                    Err(Mismatch::TupleLengths(xs.len(), ys.len()))
                } else {
                    Err(Mismatch::Fields(not_shared(xs, ys)))
                }
            }
            (TyKind::Sum(xs), TyKind::Sum(ys)) => {
                if xs.len() != ys.len() || xs.iter().zip(ys).any(|((c, _), (d, _))| c != d) {
                    return Err(Mismatch::Constrs(not_shared(xs, ys)));
                }
                for ((c, ts), (_, us)) in xs.iter().zip(ys) {
                    self.unify_payloads(names, *c, ts, us)?;
                }
                Ok(())
            }
            _ => Err(Mismatch::Different),
        }
    }

    fn unify_payloads(&mut self, names: &mut Names, c: Symbol, ts: &[Ty], us: &[Ty]) -> Result<(), Mismatch> {
        if ts.len() != us.len() {
            return Err(Mismatch::Payload(c, ts.len(), us.len()));
        }
        ts.iter().zip(us).try_for_each(|(t, u)| self.unify(names, t, u))
    }

    fn unbound(&self, id: MetaId) -> (Known, u32, Span) {
        match self.get(id) {
            Meta::Unbound { known, level, span } => (known.clone(), *level, *span),
            Meta::Link(_) => unreachable!("a linked meta has no constraint"),
        }
    }

    /// Two undetermined types are the same.
    fn merge(&mut self, names: &mut Names, x: MetaId, y: MetaId) -> Result<(), Mismatch> {
        // The younger is linked to the older, so that chains of links stay short.
        let (x, y) = if x > y { (x, y) } else { (y, x) };
        let (kx, lx, _) = self.unbound(x);
        let (ky, ly, span) = self.unbound(y);
        let level = lx.min(ly);
        // What is known of one may not contain the other.
        for (known, other) in [(&kx, y), (&ky, x)] {
            let in_sum = matches!(known, Known::Constrs(_));
            for t in known.parts() {
                self.admit_in(other, level, &t, in_sum, &mut FxHashSet::default())?;
            }
        }
        self.link(x, Ty::new(TyKind::Meta(y)));
        let set = |this: &mut Metas, known: Known| {
            this.metas[y.0 as usize] = Meta::Unbound { known, level, span };
        };
        match (kx, ky) {
            (Known::Nothing(a), Known::Nothing(b)) => set(self, Known::Nothing(a.min(b))),
            (Known::Nothing(_), k) | (k, Known::Nothing(_)) => set(self, k),
            (Known::OneOf(a), Known::OneOf(b)) => {
                let both = PrimSet(a.0 & b.0);
                if both.0 == 0 {
                    return Err(Mismatch::NoCommonPrim(a, b));
                }
                set(self, Known::OneOf(both));
            }
            (Known::Fields(a), Known::Fields(b)) => {
                let mut all = b.clone();
                all.extend(a.iter().filter(|(f, _)| !b.iter().any(|(g, _)| f == g)).cloned());
                set(self, Known::Fields(all));
                for (f, t) in &a {
                    if let Some((_, u)) = b.iter().find(|(g, _)| f == g) {
                        self.unify(names, t, u)?;
                    }
                }
            }
            (Known::Constrs(a), Known::Constrs(b)) => {
                let mut all = b.clone();
                all.extend(a.iter().filter(|(c, _)| !b.iter().any(|(d, _)| c == d)).cloned());
                set(self, Known::Constrs(all));
                for (c, ts) in &a {
                    if let Some((_, us)) = b.iter().find(|(d, _)| c == d) {
                        self.unify_payloads(names, *c, ts, us)?;
                    }
                }
            }
            (Known::OneOf(_) | Known::Fields(_) | Known::Constrs(_), _) => return Err(Mismatch::Different),
        }
        Ok(())
    }

    fn bind(&mut self, names: &mut Names, x: MetaId, t: &Ty) -> Result<(), Mismatch> {
        let (known, level, _) = self.unbound(x);
        self.admit(x, level, t)?;
        // Constraints are compared before linking: on a mismatch the message shows both sides.
        match (&known, &**t) {
            (Known::Nothing(_), _) => {}
            (Known::OneOf(set), TyKind::Prim(p)) if set.contains(*p) => {}
            (Known::OneOf(set), _) => return Err(Mismatch::NotOneOf(*set, t.clone())),
            (Known::Fields(fs), TyKind::Record(gs)) => {
                let missing: Vec<Symbol> =
                    fs.iter().map(|(f, _)| *f).filter(|f| !gs.iter().any(|(g, _)| f == g)).collect();
                if !missing.is_empty() {
                    return Err(Mismatch::NeedsFields(missing, t.clone()));
                }
            }
            (Known::Fields(fs), _) => {
                return Err(Mismatch::NeedsFields(fs.iter().map(|(f, _)| *f).collect(), t.clone()));
            }
            (Known::Constrs(_), TyKind::Sum(_)) => {}
            (Known::Constrs(_), TyKind::Con(id, _))
                if matches!(names.ty(*id).kind, TyIdKind::Rec(Some(_))) => {}
            (Known::Constrs(cs), _) => {
                return Err(Mismatch::NeedsConstrs(cs.iter().map(|(c, _)| *c).collect(), t.clone()));
            }
        }
        self.link(x, t.clone());
        match known {
            Known::Nothing(l) => {
                self.lower_lift(l, t);
                Ok(())
            }
            Known::OneOf(_) => Ok(()),
            Known::Fields(fs) => {
                for (f, t1) in &fs {
                    if let Some(t2) = t.field(*f) {
                        self.unify(names, t1, t2)?;
                    }
                }
                Ok(())
            }
            Known::Constrs(cs) => {
                let have = constrs_of(names, t).unwrap_or_default();
                for (c, ts) in &cs {
                    match have.iter().find(|(d, _)| c == d) {
                        Some((_, us)) => self.unify_payloads(names, *c, ts, us)?,
                        None => return Err(Mismatch::NeedsConstrs(vec![*c], t.clone())),
                    }
                }
                Ok(())
            }
        }
    }

    /// What is not determined in a type.
    pub fn metas_in(&self, t: &Ty) -> Vec<MetaId> {
        fn go(metas: &Metas, t: &Ty, out: &mut Vec<MetaId>) {
            if !t.is_open() {
                return;
            }
            let t = metas.head(t);
            match &*t {
                TyKind::Meta(id) => {
                    if !out.contains(id) {
                        out.push(*id);
                    }
                }
                TyKind::Prim(_) | TyKind::Error => {}
                TyKind::Con(_, args) => args.iter().for_each(|a| {
                    if let types::TyArg::Type(t) = a {
                        go(metas, t, out);
                    }
                }),
                TyKind::Array(_, t) | TyKind::Unique(t) => go(metas, t, out),
                TyKind::Record(fields) => fields.iter().for_each(|(_, t)| go(metas, t, out)),
                TyKind::Sum(cs) => cs.iter().for_each(|(_, ts)| ts.iter().for_each(|t| go(metas, t, out))),
                TyKind::Arrow(a) => {
                    go(metas, &a.arg, out);
                    go(metas, &a.ret.ty, out);
                }
            }
        }
        let mut out = Vec::new();
        go(self, t, &mut out);
        out
    }

    /// An undetermined type inside a type that must be unlifted is unlifted.
    fn lower_lift(&mut self, l: Liftedness, t: &Ty) {
        if l == Liftedness::Lifted {
            return;
        }
        if t.is_scalar() {
            return;
        }
        let t = self.head(t);
        match &*t {
            TyKind::Meta(id) => {
                if let Meta::Unbound { known: Known::Nothing(have), .. } = &mut self.metas[id.0 as usize] {
                    *have = (*have).min(l);
                }
            }
            TyKind::Record(fields) => fields.iter().for_each(|(_, t)| self.lower_lift(l, t)),
            TyKind::Sum(cs) => cs.iter().for_each(|(_, ts)| ts.iter().for_each(|t| self.lower_lift(l, t))),
            TyKind::Prim(_)
            | TyKind::Con(..)
            | TyKind::Array(..)
            | TyKind::Arrow(_)
            | TyKind::Unique(_)
            | TyKind::Error => {}
        }
    }

    /// That a type may become what `x` stands for: it does not contain `x`, nor a type parameter of a
    /// deeper level.
    fn admit(&mut self, x: MetaId, level: u32, t: &Ty) -> Result<(), Mismatch> {
        self.admit_in(x, level, t, false, &mut FxHashSet::default())
    }

    /// `in_sum`: inside what is known of a sum type; there `x` may occur, since a recursive type can
    /// turn up in its place. `seen`: metas whose parts have been looked at, and whether in a sum.
    fn admit_in(
        &mut self,
        x: MetaId,
        level: u32,
        t: &Ty,
        in_sum: bool,
        seen: &mut FxHashSet<(MetaId, bool)>,
    ) -> Result<(), Mismatch> {
        if !t.is_open() && !t.has_names() {
            return Ok(());
        }
        if let TyKind::Meta(y) = &**t
            && matches!(self.get(*y), Meta::Link(_))
            && !seen.insert((*y, in_sum))
        {
            return Ok(());
        }
        let t = self.head(t);
        match &*t {
            TyKind::Prim(_) | TyKind::Error => Ok(()),
            TyKind::Meta(y) if *y == x => {
                if in_sum {
                    Ok(())
                } else {
                    Err(Mismatch::Infinite)
                }
            }
            TyKind::Meta(y) => {
                let (parts, in_sum) = match &mut self.metas[y.0 as usize] {
                    Meta::Unbound { level: l, known, .. } => {
                        *l = (*l).min(level);
                        (known.parts(), in_sum || matches!(known, Known::Constrs(_)))
                    }
                    Meta::Link(_) => (Vec::new(), in_sum),
                };
                if parts.is_empty() || !seen.insert((*y, in_sum)) {
                    return Ok(());
                }
                parts.iter().try_for_each(|t| self.admit_in(x, level, t, in_sum, seen))
            }
            TyKind::Con(id, args) => {
                if self.param_levels.get(id).is_some_and(|l| *l > level) {
                    return Err(Mismatch::Escapes(*id));
                }
                args.iter().try_for_each(|a| match a {
                    TyArg::Type(t) => self.admit_in(x, level, t, in_sum, seen),
                    TyArg::Size(_) => Ok(()),
                })
            }
            TyKind::Array(_, t) | TyKind::Unique(t) => self.admit_in(x, level, t, in_sum, seen),
            TyKind::Record(fields) => {
                fields.iter().try_for_each(|(_, t)| self.admit_in(x, level, t, in_sum, seen))
            }
            TyKind::Sum(cs) => cs
                .iter()
                .try_for_each(|(_, ts)| ts.iter().try_for_each(|t| self.admit_in(x, level, t, in_sum, seen))),
            TyKind::Arrow(a) => {
                self.admit_in(x, level, &a.arg, in_sum, seen)?;
                self.admit_in(x, level, &a.ret.ty, in_sum, seen)
            }
        }
    }
}

/// The constructors of a sum, or of a recursive type applied to its arguments.
pub fn constrs_of(names: &mut Names, t: &Ty) -> Option<Vec<(Symbol, Vec<Ty>)>> {
    match &**t {
        TyKind::Sum(cs) => Some(cs.clone()),
        TyKind::Con(id, args) => {
            let def = match &names.ty(*id).kind {
                TyIdKind::Rec(Some(def)) => def.clone(),
                TyIdKind::Rec(None) | TyIdKind::Param | TyIdKind::Abstract => return None,
            };
            let s = Subst::params(&def.params, args);
            Some(
                def.constrs
                    .iter()
                    .map(|(c, ts)| (*c, ts.iter().map(|t| subst::apply(&s, names, t).ty).collect()))
                    .collect(),
            )
        }
        _ => None,
    }
}

fn not_shared<T>(xs: &[(Symbol, T)], ys: &[(Symbol, T)]) -> Vec<Symbol> {
    let only = |a: &[(Symbol, T)], b: &[(Symbol, T)]| -> Vec<Symbol> {
        a.iter().map(|(f, _)| *f).filter(|f| !b.iter().any(|(g, _)| f == g)).collect()
    };
    let mut all = only(xs, ys);
    all.extend(only(ys, xs));
    all
}
