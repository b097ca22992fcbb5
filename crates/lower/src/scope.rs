//! Names in expressions: variables, instances of polymorphic functions, and sizes.

use crate::free::{self, Mentioned};
use crate::index::{EnvId, Found, FoundType};
use crate::lower::{Lower, Scope};
use crate::mono::{Mono, MonoSize, Sizes};
use crate::rep::{Code, FnRep, Rep};
use crate::value::Value;
use norn_base::{Prim, Span, Symbol};
use norn_check::subst::{self, FreshVar, Subst};
use norn_check::typed::{Exp as TExp, ExpKind, Fun, Pat};
use norn_check::types::{RetTy, Size, SizeHead, SizeTerm, TParam, Ty, TyArg, TyId, TyKind, VarId};
use norn_ir::nest::{Atom, BinOp, Scalar, UnOp};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Variables, and of some which fields.
pub type Captures = Rc<[(VarId, Option<Vec<Symbol>>)]>;

/// The type of a function, taken apart.
struct Scheme<'t> {
    tparams: &'t [TParam],
    params: Vec<&'t Ty>,
    ret: &'t Ty,
    env: EnvId,
}

/// What type and size parameters stand for.
#[derive(Default)]
struct Bindings {
    types: FxHashMap<TyId, Mono>,
    sizes: FxHashMap<VarId, MonoSize>,
}

/// Names of hidden sizes need not be new here: they are only skipped.
struct SameVar;

impl FreshVar for SameVar {
    fn fresh_like(&mut self, v: VarId) -> VarId {
        v
    }
}

/// Sizes of which only some names matter.
struct Wanted<'w>(&'w [VarId]);

impl Sizes for Wanted<'_> {
    fn size(&mut self, _: &mut Lower, s: &Size, _: EnvId) -> MonoSize {
        match s {
            Size::Var(v) => match self.0.iter().position(|w| w == v) {
                Some(at) => MonoSize::Hole(at as u32),
                None => MonoSize::Unknown,
            },
            Size::Irregular => MonoSize::Irregular,
            Size::Const(_) | Size::Term(_) | Size::Any => MonoSize::Unknown,
        }
    }
}

impl<'a> Lower<'a> {
    /// The value of a variable that is used at this type.
    pub fn variable(&mut self, s: &mut Scope, var: VarId, ty: &Ty, span: Span) -> Value {
        if let Some(v) = s.vars.get(&var).cloned() {
            if let Rep::Fn(f) = &v.rep
                && let Code::Local(node) = f.code
                && f.applied.is_empty()
                && !self.locals[&node].tparams.is_empty()
                && self.is_generic(f, self.locals[&node])
            {
                let fun = self.locals[&node];
                let f = f.clone();
                return self.instantiate_fun(s, &f, v.cols, fun, ty, span);
            }
            return v;
        }
        match self.index.value(var, s.env) {
            Found::Def(name, def, env) => {
                let f = FnRep {
                    code: Code::Def(name),
                    env,
                    tys: Rc::from([]),
                    holes: 0,
                    captured: Vec::new(),
                    applied: Vec::new(),
                };
                let v = self.instantiate_fun(s, &f, Vec::new(), &def.val.fun, ty, span);
                self.force(v, &def.val.fun, span)
            }
            Found::BuiltIn(name) => {
                let mut parts = Vec::new();
                let mut at = ty.clone();
                while let TyKind::Arrow(a) = &*at.clone() {
                    parts.push(self.mono_in(s, &a.arg));
                    at = a.ret.ty.clone();
                }
                parts.push(self.mono_in(s, &at));
                self.builtin_value(self.program.names.var(name).name, parts)
            }
        }
    }

    /// A definition without parameters is its value.
    fn force(&mut self, v: Value, fun: &Fun, span: Span) -> Value {
        match &v.rep {
            Rep::Fn(f) if fun.params.is_empty() => self.constant(f.clone(), v.cols, span),
            _ => v,
        }
    }

    /// A built-in function used at a type: its parameters and its result.
    pub fn builtin_value(&mut self, name: Symbol, parts: Vec<Mono>) -> Value {
        let mut holes = Vec::new();
        let signature = Mono::Record(
            parts.iter().enumerate().map(|(i, m)| (Symbol::tuple_field(i), m.with_holes(&mut holes))).collect(),
        );
        let f = FnRep {
            code: Code::BuiltIn(name, Rc::new(signature)),
            env: crate::index::ROOT,
            tys: Rc::from([]),
            holes: holes.len(),
            captured: Vec::new(),
            applied: Vec::new(),
        };
        Value { rep: Rep::Fn(Rc::new(f)), cols: holes }
    }

    /// Whether a local function still has to be given its type arguments.
    fn is_generic(&self, f: &FnRep, fun: &Fun) -> bool {
        fun.tparams.iter().any(|p| match p {
            TParam::Type(id, _) => !f.tys.iter().any(|(known, _)| known == id),
            TParam::Size(v) => {
                !f.captured.iter().any(|(known, _)| known == v) && !witnesses(&fun.params).contains(v)
            }
        })
    }

    fn instantiate_fun(
        &mut self,
        s: &mut Scope,
        f: &FnRep,
        cols: Vec<Atom>,
        fun: &'a Fun,
        ty: &Ty,
        span: Span,
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
        self.bind_terms(s, &scheme, ty, &mut bound);
        self.with_arguments(f, cols, fun, bound, span)
    }

    /// Size parameters that occur only inside size expressions: found by comparing these.
    fn bind_terms(&mut self, s: &mut Scope, scheme: &Scheme, ty: &Ty, out: &mut Bindings) {
        let missing: Vec<VarId> = scheme
            .tparams
            .iter()
            .filter_map(TParam::as_size)
            .filter(|v| !out.sizes.contains_key(v))
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
    fn with_arguments(&mut self, f: &FnRep, cols: Vec<Atom>, fun: &Fun, bound: Bindings, span: Span) -> Value {
        let mut holes = cols[..f.holes].to_vec();
        let mut tys: Vec<(TyId, Mono)> = f.tys.to_vec();
        let mut captured = f.captured.clone();
        let mut rest = cols[f.holes..].to_vec();
        let shown = witnesses(&fun.params);
        for p in &fun.tparams {
            match p {
                TParam::Type(id, _) => {
                    let m = bound.types.get(id).cloned().unwrap_or_else(|| Mono::Record(Rc::from([])));
                    tys.push((*id, m.with_holes(&mut holes)));
                }
                TParam::Size(v) if shown.contains(v) => {}
                TParam::Size(v) => {
                    let atom = match bound.sizes.get(v) {
                        Some(MonoSize::Atom(a)) => *a,
                        Some(MonoSize::Hole(_) | MonoSize::Irregular | MonoSize::Unknown) | None => {
                            self.lost_size(*v, span)
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

    /// A size that nothing at the place of use determines: it is never looked at, or the program is
    /// one that this cannot be said of, which stops at run time and not with a wrong answer.
    fn lost_size(&mut self, _: VarId, _: Span) -> Atom {
        Atom::i64(-1)
    }

    fn bind_types(&mut self, scheme: &Scheme, t: &Ty, env: EnvId, m: &Mono, out: &mut Bindings) {
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

    fn bind_con(&mut self, scheme: &Scheme, id: TyId, args: &[TyArg], env: EnvId, m: &Mono, out: &mut Bindings) {
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

    /// What the wanted names of a type's sizes stand for in another type of the same form.
    fn match_sizes(
        &mut self,
        (t, env): (&Ty, EnvId),
        (inst, at): (&Ty, EnvId),
        wanted: &[VarId],
        out: &mut FxHashMap<VarId, Size>,
    ) {
        match (&**t, &**inst) {
            (TyKind::Unique(t), _) => self.match_sizes((t, env), (inst, at), wanted, out),
            (_, TyKind::Unique(inst)) => self.match_sizes((t, env), (inst, at), wanted, out),
            (TyKind::Array(s, t), TyKind::Array(z, inst)) => {
                match_size(s, z, wanted, out);
                self.match_sizes((t, env), (inst, at), wanted, out);
            }
            (TyKind::Record(ts), TyKind::Record(us)) => {
                for ((_, t), (_, u)) in ts.iter().zip(us) {
                    self.match_sizes((t, env), (u, at), wanted, out);
                }
            }
            (TyKind::Sum(ts), TyKind::Sum(us)) => {
                for ((_, ts), (_, us)) in ts.iter().zip(us) {
                    for (t, u) in ts.iter().zip(us) {
                        self.match_sizes((t, env), (u, at), wanted, out);
                    }
                }
            }
            (TyKind::Arrow(a), TyKind::Arrow(b)) => {
                self.match_sizes((&a.arg, env), (&b.arg, at), wanted, out);
                self.match_sizes((&a.ret.ty, env), (&b.ret.ty, at), wanted, out);
            }
            (TyKind::Con(i, xs), TyKind::Con(j, ys)) if i == j => {
                for pair in xs.iter().zip(ys) {
                    match pair {
                        (TyArg::Size(s), TyArg::Size(z)) => match_size(s, z, wanted, out),
                        (TyArg::Type(t), TyArg::Type(u)) => {
                            self.match_sizes((t, env), (u, at), wanted, out);
                        }
                        (TyArg::Size(_), TyArg::Type(_)) | (TyArg::Type(_), TyArg::Size(_)) => {}
                    }
                }
            }
            // A name that stands for something else on one side.
            (_, TyKind::Con(id, args)) => {
                if let FoundType::Abbreviation(params, RetTy { ty, .. }, inside) = self.index.ty(*id, at) {
                    let body = subst::apply(&Subst::params(&params, args), &mut SameVar, &ty).ty;
                    self.match_sizes((t, env), (&body, inside), wanted, out);
                }
            }
            (TyKind::Con(id, args), _) => {
                if let FoundType::Abbreviation(params, RetTy { ty, .. }, inside) = self.index.ty(*id, env) {
                    let body = subst::apply(&Subst::params(&params, args), &mut SameVar, &ty).ty;
                    self.match_sizes((&body, inside), (inst, at), wanted, out);
                }
            }
            _ => {}
        }
    }

    /// Give names to the sizes of a value, as its type has them.
    pub fn bind_sizes(&mut self, s: &mut Scope, wanted: &[VarId], ty: &Ty, v: &Value) {
        if wanted.is_empty() {
            return;
        }
        let args = s.args.clone();
        let m = self.mono(ty, s.env, &args, &mut Wanted(wanted));
        let mut known = self.sure_dims(Some(&m), &v.rep);
        if !wanted.iter().enumerate().all(|(i, _)| known.contains(&MonoSize::Hole(i as u32))) {
            known = self.known_dims(Some(&m), &v.rep);
        }
        for (size, atom) in known.into_iter().zip(self.dims(v)) {
            if let MonoSize::Hole(i) = size {
                s.vars.entry(wanted[i as usize]).or_insert(Value::i64(atom));
            }
        }
    }

    /// Names of sizes that a pattern's type brings in: those not bound yet.
    pub fn bind_open_sizes(&mut self, s: &mut Scope, ty: &Ty, v: &Value) {
        let open: Vec<VarId> = subst::free_vars(ty)
            .into_iter()
            .filter(|v| !s.vars.contains_key(v) && self.is_local(*v, s.env))
            .collect();
        self.bind_sizes(s, &open, ty, v);
    }

    /// Whether a name belongs to no definition.
    pub fn is_local(&mut self, v: VarId, env: EnvId) -> bool {
        matches!(self.index.value(v, env), Found::BuiltIn(_))
    }

    pub fn size_in(&mut self, s: &mut Scope, size: &Size, env: EnvId) -> MonoSize {
        match size {
            Size::Const(n) => MonoSize::Atom(Atom::i64(*n)),
            Size::Irregular => MonoSize::Irregular,
            Size::Any => MonoSize::Unknown,
            Size::Var(_) | Size::Term(_) => match self.size_value(s, size, env) {
                Some(Value { rep: Rep::Prim(Prim::I64), cols }) => MonoSize::Atom(cols[0]),
                Some(_) | None => MonoSize::Unknown,
            },
        }
    }

    /// A size expression, computed. None if it mentions what is not known here.
    fn size_value(&mut self, s: &mut Scope, size: &Size, env: EnvId) -> Option<Value> {
        match size {
            Size::Const(n) => Some(Value::i64(Atom::i64(*n))),
            Size::Var(v) => {
                if let Some(v) = s.vars.get(v) {
                    return Some(v.clone());
                }
                match self.index.value(*v, env) {
                    Found::Def(name, def, env) if def.val.fun.params.is_empty() => {
                        let f = plain_def(name, env);
                        Some(self.constant(Rc::new(f), Vec::new(), def.val.span))
                    }
                    Found::Def(..) | Found::BuiltIn(_) => None,
                }
            }
            Size::Term(t) => self.size_term(s, t, env),
            Size::Irregular | Size::Any => None,
        }
    }

    fn size_term(&mut self, s: &mut Scope, t: &SizeTerm, env: EnvId) -> Option<Value> {
        if let (SizeHead::Call, Some(Size::Var(f))) = (&t.head, t.args.first()) {
            let mut args = Vec::new();
            for a in &t.args[1..] {
                args.push(self.size_value(s, a, env)?);
            }
            return self.size_call(s, *f, args, env);
        }
        let mut args = Vec::new();
        for a in &t.args {
            args.push(self.size_value(s, a, env)?);
        }
        let span = self.no_span();
        match &t.head {
            SizeHead::Negate => {
                let x = args.pop()?;
                let p = x.rep.prim()?;
                Some(Value::scalar(p, self.b.un("s", UnOp::Neg, p, x.atom(), span)))
            }
            SizeHead::Not => {
                let x = args.pop()?;
                let p = x.rep.prim()?;
                Some(Value::scalar(p, self.b.un("s", UnOp::Not, p, x.atom(), span)))
            }
            SizeHead::Project(field) => {
                let x = args.pop()?;
                matches!(x.rep, Rep::Record(_)).then(|| self.field(&x, *field))
            }
            SizeHead::Tuple => Some(Value::tuple(args)),
            SizeHead::Record(names) => Some(Value::record(names.iter().copied().zip(args).collect())),
            SizeHead::Index => {
                let array = args.remove(0);
                let indices: Option<Vec<Atom>> = args
                    .iter()
                    .map(|a| match a.rep {
                        Rep::Prim(Prim::I64) => Some(a.atom()),
                        _ => None,
                    })
                    .collect();
                Some(self.element_at(array, &indices?, span))
            }
            SizeHead::Lit(text) => literal(text.as_str()),
            SizeHead::Call
            | SizeHead::Array
            | SizeHead::Constr(_)
            | SizeHead::If
            | SizeHead::LeftSection
            | SizeHead::RightSection
            | SizeHead::ProjSection(_)
            | SizeHead::Range(_)
            | SizeHead::Update(_)
            | SizeHead::Hole => None,
        }
    }

    /// A function applied in a size: its type arguments are those of the values.
    fn size_call(&mut self, s: &mut Scope, f: VarId, args: Vec<Value>, env: EnvId) -> Option<Value> {
        let span = self.no_span();
        if let Some(v) = s.vars.get(&f).cloned() {
            return Some(self.apply(v, args, Some(&Mono::Prim(Prim::I64)), span));
        }
        match self.index.value(f, env) {
            Found::Def(name, def, env) => {
                let f = plain_def(name, env);
                let scheme = Scheme {
                    tparams: &def.val.fun.tparams,
                    params: def.val.fun.params.iter().map(|p| &p.ty).collect(),
                    ret: &def.val.fun.ret.ty,
                    env,
                };
                let mut bound = Bindings::default();
                for (p, v) in scheme.params.iter().zip(&args) {
                    let m = self.mono_of_value(v);
                    self.bind_types(&scheme, p, env, &m, &mut bound);
                }
                let v = self.with_arguments(&f, Vec::new(), &def.val.fun, bound, span);
                Some(self.apply(v, args, Some(&Mono::Prim(Prim::I64)), span))
            }
            Found::BuiltIn(name) => {
                let name = self.program.names.var(name).name;
                let p = args.first()?.rep.prim()?;
                let mut parts: Vec<Mono> = args.iter().map(|v| self.mono_of_value(v)).collect();
                parts.push(Mono::Prim(p));
                let f = self.builtin_value(name, parts);
                Some(self.apply(f, args, None, span))
            }
        }
    }

    /// The type of a value, as far as its representation shows it.
    pub fn mono_of_value(&self, v: &Value) -> Mono {
        let dims = self.dims(v);
        let mut dims = dims.into_iter();
        self.mono_of_rep(&v.rep, 0, &mut dims)
    }

    fn mono_of_rep(&self, r: &Rep, depth: usize, dims: &mut dyn Iterator<Item = Atom>) -> Mono {
        match r {
            Rep::Prim(p) => Mono::Prim(*p),
            Rep::Data(d) => Mono::Data(*d),
            Rep::Record(fields) => {
                Mono::Record(fields.iter().map(|(f, r)| (*f, self.mono_of_rep(r, depth, dims))).collect())
            }
            Rep::Sum(cs) => Mono::Sum(
                cs.iter()
                    .map(|(c, rs)| (*c, rs.iter().map(|r| self.mono_of_rep(r, depth, dims)).collect()))
                    .collect(),
            ),
            Rep::Array(irregular, elem) => {
                let size = if depth == 0 || !irregular {
                    dims.next().map_or(MonoSize::Unknown, MonoSize::Atom)
                } else {
                    MonoSize::Irregular
                };
                Mono::Array(size, Rc::new(self.mono_of_rep(elem, depth + 1, dims)))
            }
            Rep::Acc(elem) => Mono::Acc(Rc::new(self.mono_of_rep(elem, depth, dims))),
            // Only sizes are asked for by those who have no types.
            Rep::Fn(_) | Rep::Dyn(_) => Mono::Record(Rc::from([])),
        }
    }

    /// A function value made here: what it mentions of the scope is captured.
    pub fn closure(&mut self, s: &Scope, code: Code, mentioned: &[(VarId, Option<Vec<Symbol>>)]) -> Value {
        let mut cols = s.holes.clone();
        let mut captured = Vec::new();
        for (v, fields) in mentioned {
            let Some(value) = s.vars.get(v) else { continue };
            let value = match (fields, &value.rep) {
                (Some(fields), Rep::Record(_)) => {
                    let all = self.fields(value);
                    Value::record(all.into_iter().filter(|(f, _)| fields.contains(f)).collect())
                }
                _ => value.clone(),
            };
            captured.push((*v, value.rep));
            cols.extend(value.cols);
        }
        let f = FnRep {
            code,
            env: s.env,
            tys: s.tys.clone(),
            holes: s.holes.len(),
            captured,
            applied: Vec::new(),
        };
        Value { rep: Rep::Fn(Rc::new(f)), cols }
    }

    /// The variables that a lambda mentions. Of a record that it only takes fields of, those fields:
    /// functions in records that capture such records would grow with each level otherwise.
    pub fn mentioned_in_lambda(&mut self, e: &'a TExp) -> Captures {
        let key = std::ptr::from_ref(e) as usize;
        if let Some(found) = self.mentioned.get(&key) {
            return found.clone();
        }
        let mut all = Mentioned::default();
        if let ExpKind::Lambda { params, body, .. } = &e.kind {
            params.iter().for_each(|p| free::all_in_pat(p, &mut all));
            free::all_in_exp(body, &mut all);
        }
        self.remember_mentioned(key, all)
    }

    pub fn mentioned_in_fun(&mut self, fun: &'a Fun) -> Captures {
        let key = std::ptr::from_ref(fun) as usize;
        if let Some(found) = self.mentioned.get(&key) {
            return found.clone();
        }
        let mut all = Mentioned::default();
        free::all_in_signature(fun, &mut all);
        free::all_in_exp(&fun.body, &mut all);
        self.remember_mentioned(key, all)
    }

    fn remember_mentioned(&mut self, key: usize, all: Mentioned) -> Captures {
        let whole = all.whole.iter().map(|v| (*v, None));
        let parts = all.fields.iter().filter(|(v, _)| !all.whole.contains(v));
        let parts = parts.map(|(v, fields)| (*v, Some(fields.iter().copied().collect())));
        let mut all: Vec<(VarId, Option<Vec<Symbol>>)> = whole.chain(parts).collect();
        all.sort_by_key(|(v, _)| *v);
        let all: Captures = all.into();
        self.mentioned.insert(key, all.clone());
        all
    }

    /// For code that comes from no place in the source.
    pub fn no_span(&self) -> Span {
        Span { file: norn_base::FileId(0), lo: 0, hi: 0 }
    }

    pub fn bin_i64(&mut self, op: BinOp, x: Atom, y: Atom, span: Span) -> Atom {
        self.bin(op, Prim::I64, x, y, span)
    }
}

fn match_size(s: &Size, inst: &Size, wanted: &[VarId], out: &mut FxHashMap<VarId, Size>) {
    match (s, inst) {
        (Size::Var(v), _) if wanted.contains(v) => {
            out.entry(*v).or_insert_with(|| inst.clone());
        }
        (Size::Term(t), Size::Term(u)) if t.args.len() == u.args.len() => {
            t.args.iter().zip(&u.args).for_each(|(s, z)| match_size(s, z, wanted, out));
        }
        _ => {}
    }
}

fn plain_def(name: VarId, env: EnvId) -> FnRep {
    FnRep {
        code: Code::Def(name),
        env,
        tys: Rc::from([]),
        holes: 0,
        captured: Vec::new(),
        applied: Vec::new(),
    }
}

/// Sizes that are dimensions of parameters, and so are known from arguments.
pub fn witnesses(params: &[Pat]) -> FxHashSet<VarId> {
    let mut out = FxHashSet::default();
    params.iter().for_each(|p| in_type(&p.ty, &mut out));
    return out;

    fn in_type(t: &Ty, out: &mut FxHashSet<VarId>) {
        match &**t {
            TyKind::Unique(t) => in_type(t, out),
            TyKind::Array(s, t) => {
                if let Size::Var(v) = s {
                    out.insert(*v);
                }
                in_type(t, out);
            }
            TyKind::Record(fields) => fields.iter().for_each(|(_, t)| in_type(t, out)),
            TyKind::Prim(_)
            | TyKind::Con(..)
            | TyKind::Sum(_)
            | TyKind::Arrow(_)
            | TyKind::Meta(_)
            | TyKind::Error => {}
        }
    }
}

/// A literal in a size, which has its type as suffix.
fn literal(text: &str) -> Option<Value> {
    let prim = Prim::ALL.into_iter().find(|p| text.ends_with(p.name()))?;
    let digits = text.strip_suffix(prim.name())?;
    let value = digits.parse::<i128>().ok()?;
    Some(Value::scalar(prim, Atom::Const(Scalar::from_int(prim, value))))
}
