//! Instances of polymorphic functions: what type and size parameters stand for at a use.
//!
//! ```text
//! def pair [n] 'a (xs: [n]a) (y: a) : [n](a, a)
//!
//! pair [1, 2, 3] 4i32          'a is i32; n is the length of the argument
//! ```
//!
//! The type of the use is compared with the declared one, part by part (`bind_types`). Type parameters become part of the function's
//! `Rep`, so there is an instance for each list of them. Sizes are values: one that is a dimension of a parameter is found in the
//! argument (`witnesses`), any other is passed as a further argument. A size that only occurs inside a size expression, as in
//! `[n * 2]`, is found by comparing the terms (`bind_terms`).
//!
//! A size that no value has, such as that of a payload that is not there, is `UNKNOWN_SIZE`: nothing may compute with it.

use crate::index::{EnvId, FoundType};
use crate::lower::{Lower, Scope};
use crate::mono::{Mono, MonoSize};
use crate::rep::{Code, FnRep, Rep};
use crate::value::Value;
use norn_check::subst::{self, FreshVar, Subst};
use norn_check::typed::Fun;
use norn_check::types::{RetTy, Size, TParam, Ty, TyArg, TyId, TyKind, VarId};
use norn_ir::nest::{Atom, Scalar};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A size that nothing shows: that of a recursive value whose type says `[?]`. It is no size, and whoever
/// asks for it as a number gets an error.
pub const UNKNOWN_SIZE: Atom = Atom::Const(Scalar::I64(-1));

/// The type of a function, taken apart.
pub struct Scheme<'t> {
    pub tparams: &'t [TParam],
    pub params: Vec<&'t Ty>,
    pub ret: &'t Ty,
    pub env: EnvId,
}

/// What type and size parameters stand for.
#[derive(Default)]
pub struct Bindings {
    pub types: FxHashMap<TyId, Mono>,
    pub sizes: FxHashMap<VarId, MonoSize>,
}

/// Names of hidden sizes need not be new here: they are only skipped.
struct SameVar;

impl FreshVar for SameVar {
    fn fresh_like(&mut self, v: VarId) -> VarId {
        v
    }
}

impl<'a> Lower<'a> {
    /// Whether a local function still has to be given its type arguments.
    pub fn is_generic(&self, f: &FnRep, fun: &Fun) -> bool {
        fun.tparams.iter().any(|p| match p {
            TParam::Type(id, _) => !f.tys.iter().any(|(known, _)| known == id),
            TParam::Size(v) => !f.captured.iter().any(|(known, _)| known == v) && !witnesses(fun).contains(v),
        })
    }

    pub fn instantiate_fun(
        &mut self,
        s: &mut Scope,
        f: &FnRep,
        cols: Vec<Atom>,
        fun: &'a Fun,
        ty: &Ty,
    ) -> Value {
        if fun.tparams.is_empty() {
            return Value { rep: Rep::Fn(Rc::new(f.clone())), cols };
        }
        let scheme = Scheme {
            tparams: &fun.tparams,
            params: fun.params.iter().map(|p| &p.ty).collect(),
            ret: &fun.ret.ty,
            env: f.env,
        };
        let mut bound = Bindings::default();
        let mut at = ty.clone();
        for p in &scheme.params {
            let TyKind::Arrow(a) = &*at.clone() else { break };
            let m = self.mono_in(s, &a.arg);
            self.bind_types(&scheme, p, scheme.env, &m, &mut bound);
            at = a.ret.ty.clone();
        }
        let m = self.mono_in(s, &at);
        self.bind_types(&scheme, scheme.ret, scheme.env, &m, &mut bound);
        self.bind_terms(s, &scheme, &witnesses(fun), ty, &mut bound);
        self.with_arguments(f, cols, fun, bound)
    }

    /// Size parameters that occur only inside size expressions: found by comparing these.
    fn bind_terms(
        &mut self,
        s: &mut Scope,
        scheme: &Scheme,
        shown: &FxHashSet<VarId>,
        ty: &Ty,
        out: &mut Bindings,
    ) {
        let missing: Vec<VarId> = scheme
            .tparams
            .iter()
            .filter_map(TParam::as_size)
            .filter(|v| !out.sizes.contains_key(v) && !shown.contains(v))
            .collect();
        if missing.is_empty() {
            return;
        }
        let mut found: FxHashMap<VarId, Size> = FxHashMap::default();
        let mut at = ty.clone();
        for p in &scheme.params {
            let TyKind::Arrow(a) = &*at.clone() else { break };
            self.match_sizes((p, scheme.env), (&a.arg, s.env), &missing, &mut found);
            at = a.ret.ty.clone();
        }
        self.match_sizes((scheme.ret, scheme.env), (&at, s.env), &missing, &mut found);
        for v in missing {
            if let Some(size) = found.get(&v) {
                let known = self.size_in(s, size, s.env);
                out.sizes.insert(v, known);
            }
        }
    }

    /// A polymorphic function with its type arguments, and sizes that its parameters do not show.
    pub fn with_arguments(&mut self, f: &FnRep, cols: Vec<Atom>, fun: &Fun, bound: Bindings) -> Value {
        let mut holes = cols[..f.holes].to_vec();
        let mut tys: Vec<(TyId, Mono)> = f.tys.to_vec();
        let mut captured = f.captured.clone();
        let mut rest = cols[f.holes..].to_vec();
        let shown = witnesses(fun);
        for p in &fun.tparams {
            match p {
                TParam::Type(id, _) => {
                    let m = bound.types.get(id).cloned().unwrap_or_else(|| Mono::Record(Rc::from([])));
                    self.check_type_argument(&m);
                    tys.push((*id, m.with_holes(&mut holes)));
                }
                TParam::Size(v) if shown.contains(v) => {}
                TParam::Size(v) => {
                    let atom = match bound.sizes.get(v) {
                        Some(MonoSize::Atom(a)) => *a,
                        Some(MonoSize::Hole(_) | MonoSize::Irregular | MonoSize::Unknown) | None => {
                            UNKNOWN_SIZE
                        }
                    };
                    captured.push((*v, Rep::i64()));
                    rest.push(atom);
                }
            }
        }
        let holes_count = holes.len();
        holes.extend(rest);
        let f = FnRep {
            code: f.code.clone(),
            env: f.env,
            tys: tys.into(),
            holes: holes_count,
            captured,
            applied: f.applied.clone(),
        };
        Value { rep: Rep::Fn(Rc::new(f)), cols: holes }
    }

    pub fn bind_types(&mut self, scheme: &Scheme, t: &Ty, env: EnvId, m: &Mono, out: &mut Bindings) {
        match (&**t, m) {
            (TyKind::Unique(t), _) => self.bind_types(scheme, t, env, m, out),
            (TyKind::Con(id, args), _) => {
                let own = scheme.tparams.iter().any(|p| matches!(p, TParam::Type(v, _) if v == id));
                if own {
                    let better = out.types.get(id).is_none_or(|k| m.unknown_sizes() < k.unknown_sizes());
                    if better {
                        out.types.insert(*id, m.clone());
                    }
                    return;
                }
                self.bind_con(scheme, *id, args, env, m, out);
            }
            (TyKind::Array(size, t), Mono::Array(known, m)) => {
                if let (Size::Var(v), MonoSize::Atom(_)) = (size, known) {
                    out.sizes.entry(*v).or_insert(*known);
                }
                self.bind_types(scheme, t, env, m, out);
            }
            (TyKind::Record(ts), Mono::Record(ms)) => {
                for ((_, t), (_, m)) in ts.iter().zip(ms.iter()) {
                    self.bind_types(scheme, t, env, m, out);
                }
            }
            (TyKind::Sum(ts), Mono::Sum(ms)) => {
                for ((_, ts), (_, ms)) in ts.iter().zip(ms.iter()) {
                    for (t, m) in ts.iter().zip(ms) {
                        self.bind_types(scheme, t, env, m, out);
                    }
                }
            }
            (TyKind::Arrow(a), Mono::Fun(x, y)) => {
                self.bind_types(scheme, &a.arg, env, x, out);
                self.bind_types(scheme, &a.ret.ty, env, y, out);
            }
            _ => {}
        }
    }

    fn bind_con(
        &mut self,
        scheme: &Scheme,
        id: TyId,
        args: &[TyArg],
        env: EnvId,
        m: &Mono,
        out: &mut Bindings,
    ) {
        if let (true, Mono::Acc(inner)) = (id == TyId::ACC, m) {
            if let Some(TyArg::Type(t)) = args.first() {
                self.bind_types(scheme, t, env, inner, out);
            }
            return;
        }
        match self.index.ty(id, env) {
            FoundType::Abbreviation(params, RetTy { ty, .. }, at) => {
                let body = subst::apply(&Subst::params(&params, args), &mut SameVar, &ty).ty;
                self.bind_types(scheme, &body, at, m, out);
            }
            FoundType::Itself(..) => {
                let Mono::Data(d) = m else { return };
                let known = self.datas.type_arguments(*d);
                let types = args.iter().filter_map(|a| match a {
                    TyArg::Type(t) => Some(t),
                    TyArg::Size(_) => None,
                });
                for (t, m) in types.zip(known) {
                    self.bind_types(scheme, t, env, &m, out);
                }
            }
        }
    }

    /// What these names of a type's sizes stand for in another type of the same form.
    fn match_sizes(
        &mut self,
        (t, env): (&Ty, EnvId),
        (inst, at): (&Ty, EnvId),
        names: &[VarId],
        out: &mut FxHashMap<VarId, Size>,
    ) {
        match (&**t, &**inst) {
            (TyKind::Unique(t), _) => self.match_sizes((t, env), (inst, at), names, out),
            (_, TyKind::Unique(inst)) => self.match_sizes((t, env), (inst, at), names, out),
            (TyKind::Array(s, t), TyKind::Array(z, inst)) => {
                match_size(s, z, names, out);
                self.match_sizes((t, env), (inst, at), names, out);
            }
            (TyKind::Record(ts), TyKind::Record(us)) => {
                for ((_, t), (_, u)) in ts.iter().zip(us) {
                    self.match_sizes((t, env), (u, at), names, out);
                }
            }
            (TyKind::Sum(ts), TyKind::Sum(us)) => {
                for ((_, ts), (_, us)) in ts.iter().zip(us) {
                    for (t, u) in ts.iter().zip(us) {
                        self.match_sizes((t, env), (u, at), names, out);
                    }
                }
            }
            (TyKind::Arrow(a), TyKind::Arrow(b)) => {
                self.match_sizes((&a.arg, env), (&b.arg, at), names, out);
                self.match_sizes((&a.ret.ty, env), (&b.ret.ty, at), names, out);
            }
            (TyKind::Con(i, xs), TyKind::Con(j, ys)) if i == j => {
                for pair in xs.iter().zip(ys) {
                    match pair {
                        (TyArg::Size(s), TyArg::Size(z)) => match_size(s, z, names, out),
                        (TyArg::Type(t), TyArg::Type(u)) => {
                            self.match_sizes((t, env), (u, at), names, out);
                        }
                        (TyArg::Size(_), TyArg::Type(_)) | (TyArg::Type(_), TyArg::Size(_)) => {}
                    }
                }
            }
            // A name that stands for something else on one side.
            (_, TyKind::Con(id, args)) => {
                if let FoundType::Abbreviation(params, RetTy { ty, .. }, inside) = self.index.ty(*id, at) {
                    let body = subst::apply(&Subst::params(&params, args), &mut SameVar, &ty).ty;
                    self.match_sizes((t, env), (&body, inside), names, out);
                }
            }
            (TyKind::Con(id, args), _) => {
                if let FoundType::Abbreviation(params, RetTy { ty, .. }, inside) = self.index.ty(*id, env) {
                    let body = subst::apply(&Subst::params(&params, args), &mut SameVar, &ty).ty;
                    self.match_sizes((&body, inside), (inst, at), names, out);
                }
            }
            _ => {}
        }
    }
}

fn match_size(s: &Size, inst: &Size, names: &[VarId], out: &mut FxHashMap<VarId, Size>) {
    match (s, inst) {
        (Size::Var(v), _) if names.contains(v) => {
            out.entry(*v).or_insert_with(|| inst.clone());
        }
        (Size::Term(t), Size::Term(u)) if t.args.len() == u.args.len() => {
            t.args.iter().zip(&u.args).for_each(|(s, z)| match_size(s, z, names, out));
        }
        _ => {}
    }
}

pub fn plain_def(name: VarId, env: EnvId) -> FnRep {
    FnRep {
        code: Code::Def(name),
        env,
        tys: Rc::from([]),
        holes: 0,
        captured: Vec::new(),
        applied: Vec::new(),
    }
}

/// Sizes that are dimensions of parameters, and so are known from arguments. In a payload that is not
/// there a dimension is not what the type says, so those count only where nobody asks for the number.
pub fn witnesses(fun: &Fun) -> FxHashSet<VarId> {
    let (mut sure, mut payloads) = (FxHashSet::default(), FxHashSet::default());
    fun.params.iter().for_each(|p| in_type(&p.ty, &mut sure, &mut payloads));
    for v in payloads {
        if !sure.contains(&v) && !crate::free::mentions(&fun.body, &FxHashSet::from_iter([v])) {
            sure.insert(v);
        }
    }
    return sure;

    fn in_type(t: &Ty, sure: &mut FxHashSet<VarId>, payloads: &mut FxHashSet<VarId>) {
        match &**t {
            TyKind::Unique(t) => in_type(t, sure, payloads),
            TyKind::Array(s, t) => {
                if let Size::Var(v) = s {
                    sure.insert(*v);
                }
                in_type(t, sure, payloads);
            }
            TyKind::Record(fields) => fields.iter().for_each(|(_, t)| in_type(t, sure, payloads)),
            TyKind::Sum(cs) => {
                let (mut inner, mut deeper) = (FxHashSet::default(), FxHashSet::default());
                cs.iter().flat_map(|(_, ts)| ts).for_each(|t| in_type(t, &mut inner, &mut deeper));
                payloads.extend(inner.into_iter().chain(deeper));
            }
            TyKind::Prim(_) | TyKind::Con(..) | TyKind::Arrow(_) | TyKind::Meta(_) | TyKind::Error => {}
        }
    }
}
