//! Types without type parameters and modules.
//!
//! A `Mono` is what a type of the typed tree becomes in a scope: abbreviations and abstract types are
//! replaced by what they stand for, sizes by atoms. As the argument of a type parameter it travels
//! to another function; its sizes are then holes, and the atoms are passed beside it.

use crate::index::{EnvId, FoundType};
use crate::lower::Lower;
use norn_base::{Prim, Symbol};
use norn_check::types::{RetTy, Size, TParam, Ty, TyArg, TyId, TyIdKind, TyKind};
use norn_ir::nest::{Atom, DataId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Mono {
    Prim(Prim),
    /// Sorted by field.
    Record(Rc<[(Symbol, Mono)]>),
    /// Sorted by constructor.
    Sum(Rc<[(Symbol, Vec<Mono>)]>),
    Array(MonoSize, Rc<Mono>),
    Data(DataId),
    /// Sizes that its own parameters determine are unknown.
    Fun(Rc<Mono>, Rc<Mono>),
    Acc(Rc<Mono>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MonoSize {
    Atom(Atom),
    Hole(u32),
    /// Varies within the array around it; outside of arrays the size of the individual value.
    Irregular,
    /// Not known in this scope.
    Unknown,
}

impl Mono {
    /// With holes for sizes; the atoms that were there are added to `sizes`.
    pub fn with_holes(&self, sizes: &mut Vec<Atom>) -> Mono {
        self.map_sizes(&mut |s| match s {
            MonoSize::Atom(a) => {
                sizes.push(a);
                MonoSize::Hole(sizes.len() as u32 - 1)
            }
            MonoSize::Hole(_) | MonoSize::Irregular | MonoSize::Unknown => s,
        })
    }

    pub fn fill_holes(&self, atoms: &[Atom]) -> Mono {
        self.map_sizes(&mut |s| match s {
            MonoSize::Hole(i) => atoms.get(i as usize).map_or(MonoSize::Unknown, |a| MonoSize::Atom(*a)),
            MonoSize::Atom(_) | MonoSize::Irregular | MonoSize::Unknown => s,
        })
    }

    pub fn map_sizes(&self, f: &mut dyn FnMut(MonoSize) -> MonoSize) -> Mono {
        match self {
            Mono::Prim(_) | Mono::Data(_) => self.clone(),
            Mono::Record(fields) => Mono::Record(fields.iter().map(|(n, m)| (*n, m.map_sizes(f))).collect()),
            Mono::Sum(cs) => Mono::Sum(
                cs.iter().map(|(c, ms)| (*c, ms.iter().map(|m| m.map_sizes(f)).collect())).collect(),
            ),
            Mono::Array(s, elem) => {
                let s = f(*s);
                Mono::Array(s, Rc::new(elem.map_sizes(f)))
            }
            Mono::Fun(a, b) => {
                let a = a.map_sizes(f);
                Mono::Fun(Rc::new(a), Rc::new(b.map_sizes(f)))
            }
            Mono::Acc(elem) => Mono::Acc(Rc::new(elem.map_sizes(f))),
        }
    }

    pub fn row(&self) -> Option<&Mono> {
        match self {
            Mono::Array(_, elem) => Some(elem),
            _ => None,
        }
    }

    pub fn field(&self, name: Symbol) -> Option<&Mono> {
        match self {
            Mono::Record(fields) => fields.iter().find(|(f, _)| *f == name).map(|(_, m)| m),
            _ => None,
        }
    }

    /// Whether it has at most so many nodes; those that it has are taken off.
    pub fn fits(&self, nodes: &mut usize) -> bool {
        if *nodes == 0 {
            return false;
        }
        *nodes -= 1;
        match self {
            Mono::Prim(_) | Mono::Data(_) => true,
            Mono::Record(fields) => fields.iter().all(|(_, m)| m.fits(nodes)),
            Mono::Sum(cs) => cs.iter().all(|(_, ms)| ms.iter().all(|m| m.fits(nodes))),
            Mono::Array(_, elem) | Mono::Acc(elem) => elem.fits(nodes),
            Mono::Fun(a, b) => a.fits(nodes) && b.fits(nodes),
        }
    }

    /// How many sizes are not known.
    pub fn unknown_sizes(&self) -> usize {
        let mut count = 0;
        self.map_sizes(&mut |s| {
            count += usize::from(s == MonoSize::Unknown);
            s
        });
        count
    }
}

pub fn without_size(s: MonoSize) -> MonoSize {
    match s {
        MonoSize::Irregular => MonoSize::Irregular,
        MonoSize::Atom(_) | MonoSize::Hole(_) | MonoSize::Unknown => MonoSize::Unknown,
    }
}

/// How sizes of a type become atoms.
pub trait Sizes {
    fn size(&mut self, lower: &mut Lower, s: &Size, env: EnvId) -> MonoSize;
}

/// Sizes do not matter.
pub struct NoSizes;

impl Sizes for NoSizes {
    fn size(&mut self, _: &mut Lower, s: &Size, _: EnvId) -> MonoSize {
        match s {
            Size::Irregular => MonoSize::Irregular,
            Size::Const(n) => MonoSize::Atom(Atom::i64(*n)),
            Size::Var(_) | Size::Term(_) | Size::Any => MonoSize::Unknown,
        }
    }
}

/// Sizes in a payload, or in what is still to be computed: if it is not there, computing its size may fail.
pub struct NothingComputed<'s>(pub &'s mut dyn Sizes);

impl Sizes for NothingComputed<'_> {
    fn size(&mut self, l: &mut Lower, s: &Size, env: EnvId) -> MonoSize {
        match s {
            Size::Term(_) => MonoSize::Unknown,
            Size::Const(_) | Size::Var(_) | Size::Irregular | Size::Any => self.0.size(l, s, env),
        }
    }
}

/// Type and size parameters with what they stand for.
#[derive(Clone, Default)]
pub struct TypeArgs {
    pub types: FxHashMap<TyId, Mono>,
    sizes: FxHashMap<norn_check::types::VarId, MonoSize>,
}

impl Lower<'_> {
    /// What a type is in an environment, given its type parameters.
    pub fn mono(&mut self, t: &Ty, env: EnvId, args: &TypeArgs, sizes: &mut dyn Sizes) -> Mono {
        self.limits.begin_type();
        self.mono_part(t, env, args, sizes)
    }

    fn mono_part(&mut self, t: &Ty, env: EnvId, args: &TypeArgs, sizes: &mut dyn Sizes) -> Mono {
        self.count_type_node();
        match &**t {
            TyKind::Prim(p) => Mono::Prim(*p),
            TyKind::Unique(t) => self.mono_part(t, env, args, sizes),
            TyKind::Array(s, elem) => {
                let s = self.mono_size(s, env, args, sizes);
                Mono::Array(s, Rc::new(self.mono_part(elem, env, args, sizes)))
            }
            TyKind::Record(fields) => {
                Mono::Record(fields.iter().map(|(f, t)| (*f, self.mono_part(t, env, args, sizes))).collect())
            }
            TyKind::Sum(cs) => {
                let sizes = &mut NothingComputed(sizes);
                let payload = |l: &mut Self, ts: &[Ty], sizes: &mut NothingComputed| {
                    ts.iter().map(|t| l.mono_part(t, env, args, sizes)).collect()
                };
                Mono::Sum(cs.iter().map(|(c, ts)| (*c, payload(self, ts, sizes))).collect())
            }
            TyKind::Arrow(a) => Mono::Fun(
                Rc::new(self.mono_part(&a.arg, env, args, sizes)),
                Rc::new(self.mono_part(&a.ret.ty, env, args, sizes)),
            ),
            TyKind::Con(id, given) if *id == TyId::ACC => match given.first() {
                Some(TyArg::Type(t)) => Mono::Acc(Rc::new(self.mono_part(t, env, args, sizes))),
                Some(TyArg::Size(_)) | None => Mono::Acc(Rc::new(Mono::Prim(Prim::Bool))),
            },
            TyKind::Con(id, given) => self.mono_con(*id, given, env, args, sizes),
            // Only in programs with errors, which are not lowered.
            TyKind::Meta(_) | TyKind::Error => Mono::Record(Rc::from([])),
        }
    }

    fn mono_size(&mut self, s: &Size, env: EnvId, args: &TypeArgs, sizes: &mut dyn Sizes) -> MonoSize {
        if let Size::Var(v) = s
            && let Some(known) = args.sizes.get(v)
        {
            return *known;
        }
        sizes.size(self, s, env)
    }

    fn mono_con(
        &mut self,
        id: TyId,
        given: &[TyArg],
        env: EnvId,
        args: &TypeArgs,
        sizes: &mut dyn Sizes,
    ) -> Mono {
        if let Some(known) = args.types.get(&id) {
            return known.clone();
        }
        match self.index.ty(id, env) {
            FoundType::Abbreviation(params, RetTy { exts, ty }, at) => {
                let mut inner = self.type_args(&params, given, env, args, sizes);
                inner.sizes.extend(exts.iter().map(|v| (*v, MonoSize::Irregular)));
                // Type parameters in scope may occur in what a parameter stands for.
                for (id, m) in &args.types {
                    inner.types.entry(*id).or_insert_with(|| m.clone());
                }
                self.mono_part(&ty, at, &inner, sizes)
            }
            FoundType::Itself(id, at) => {
                if let Some(known) = args.types.get(&id) {
                    return known.clone();
                }
                let TyIdKind::Rec(Some(def)) = self.program.names.ty(id).kind.clone() else {
                    return Mono::Record(Rc::from([]));
                };
                let inner = self.type_args(&def.params, given, env, args, &mut NoSizes);
                let key: Vec<Mono> = def
                    .params
                    .iter()
                    .filter_map(|p| match p {
                        TParam::Type(id, _) => inner.types.get(id).map(|m| m.map_sizes(&mut without_size)),
                        TParam::Size(_) => None,
                    })
                    .collect();
                Mono::Data(self.data_of(id, at, key))
            }
        }
    }

    fn type_args(
        &mut self,
        params: &[TParam],
        given: &[TyArg],
        env: EnvId,
        args: &TypeArgs,
        sizes: &mut dyn Sizes,
    ) -> TypeArgs {
        let mut inner = TypeArgs::default();
        for pair in params.iter().zip(given) {
            match pair {
                (TParam::Size(v), TyArg::Size(s)) => {
                    let s = self.mono_size(s, env, args, sizes);
                    inner.sizes.insert(*v, s);
                }
                (TParam::Type(id, _), TyArg::Type(t)) => {
                    let m = self.mono_part(t, env, args, sizes);
                    inner.types.insert(*id, m);
                }
                (TParam::Size(_), TyArg::Type(_)) | (TParam::Type(..), TyArg::Size(_)) => {}
            }
        }
        inner
    }
}
