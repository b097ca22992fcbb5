//! Sizes as values: size expressions of the typed tree are computed where they are needed, and the sizes of values get names.
//!
//! - `bind_sizes` names the dimensions of a value as its type does: after `xs: [n]f32` is bound, `n` is the first dimension of its column. Payloads of absent constructors have arbitrary sizes, so
//!   names that only payloads have are bound last (`bind_sure_sizes`, then `bind_open_sizes`).
//! - `size_in` computes a size expression, such as `n * m` or a call of a function, in an environment. It returns nothing if the expression mentions something that is not known there.

use crate::index::{EnvId, Found};
use crate::instantiate::{Bindings, Scheme, plain_def};
use crate::lower::{Lower, Scope};
use crate::mono::{Mono, MonoSize, Sizes};
use crate::rep::Rep;
use crate::value::Value;
use norn_base::Prim;
use norn_check::subst;
use norn_check::types::{Size, SizeHead, SizeTerm, Ty, VarId};
use norn_ir::nest::{Atom, Scalar, UnOp};
use std::rc::Rc;

/// Sizes of which only some names matter.
struct NamedSizes<'w>(&'w [VarId]);

impl Sizes for NamedSizes<'_> {
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

impl Lower<'_> {
    /// Give names to the sizes of a value, as its type has them.
    pub fn bind_sizes(&mut self, s: &mut Scope, names: &[VarId], ty: &Ty, v: &Value) {
        self.bind_sizes_of(s, names, ty, v, true);
    }

    /// As `bind_sizes`; sizes that only payloads have may have to be found elsewhere.
    fn bind_sizes_of(&mut self, s: &mut Scope, names: &[VarId], ty: &Ty, v: &Value, payloads: bool) {
        if names.is_empty() {
            return;
        }
        let args = s.args.clone();
        let m = self.mono(ty, s.env, &args, &mut NamedSizes(names));
        let mut known: Vec<(MonoSize, Atom)> =
            self.known_dims(Some(&m), &v.rep).into_iter().zip(self.dims(v)).collect();
        if payloads
            && !(0..names.len()).all(|i| known.iter().any(|(size, _)| *size == MonoSize::Hole(i as u32)))
        {
            self.payload_sizes(&m, v, &mut known);
        }
        for (size, atom) in known {
            if let MonoSize::Hole(i) = size {
                s.vars.entry(names[i as usize]).or_insert(Value::i64(atom));
            }
        }
    }

    /// The sizes of the payloads in a value: those of a payload that is not there do not matter.
    fn payload_sizes(&self, m: &Mono, v: &Value, out: &mut Vec<(MonoSize, Atom)>) {
        match (&v.rep, m) {
            (Rep::Record(_), Mono::Record(_)) => {
                for (name, v) in self.fields(v) {
                    m.field(name).into_iter().for_each(|m| self.payload_sizes(m, &v, out));
                }
            }
            (Rep::Sum(_), Mono::Sum(ms)) => {
                for ((_, vs), (_, ms)) in self.variants(v).1.iter().zip(ms.iter()) {
                    vs.iter().zip(ms).for_each(|(v, m)| self.payload_sizes(m, v, out));
                }
            }
            _ => out.extend(self.known_dims(Some(m), &v.rep).into_iter().zip(self.dims(v))),
        }
    }

    /// Names of sizes that a pattern's type brings in: those not bound yet.
    pub fn bind_open_sizes(&mut self, s: &mut Scope, ty: &Ty, v: &Value) {
        let open = self.open_sizes(s, ty);
        self.bind_sizes(s, &open, ty, v);
    }

    /// The same for one of several parameters. A payload that is not there does not have the size that its type says, so those that
    /// only payloads have are left to the other parameters, and to `bind_open_sizes` after all of them.
    pub fn bind_sure_sizes(&mut self, s: &mut Scope, ty: &Ty, v: &Value) {
        let open = self.open_sizes(s, ty);
        self.bind_sizes_of(s, &open, ty, v, false);
    }

    fn open_sizes(&mut self, s: &Scope, ty: &Ty) -> Vec<VarId> {
        let names = subst::free_vars(ty).into_iter();
        names.filter(|v| !s.vars.contains_key(v) && self.is_local(*v, s.env)).collect()
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
            Size::Term(t) => {
                // In a chain such as `a ++ b ++ c ++ ..` each size is a part of the next.
                let key = (t.clone(), env);
                if let Some(known) = s.computed.get(&key).filter(|known| self.b.is_visible(**known, 0)) {
                    return Some(Value::i64((*known).into()));
                }
                let value = self.size_term(s, t, env)?;
                if let Value { rep: Rep::Prim(Prim::I64), cols } = &value
                    && let Atom::Var(var) = cols[0]
                {
                    s.computed.insert(key, var);
                }
                Some(value)
            }
            Size::Irregular | Size::Any => None,
        }
    }

    fn size_term(&mut self, s: &mut Scope, t: &SizeTerm, env: EnvId) -> Option<Value> {
        if !self.needs_all_parts(t, env) {
            return None;
        }
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
        let span = self.at;
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

    /// Whether whoever computes this computes all of its parts. A part behind a condition must not be computed without it: in `if n == 0 then 0 else xs[n - 1]`
    /// there may be no such element.
    fn needs_all_parts(&mut self, t: &SizeTerm, env: EnvId) -> bool {
        let called = if t.head == SizeHead::Call { t.args.first() } else { None };
        let Some(Size::Var(f)) = called else { return t.head != SizeHead::If };
        match self.index.value(*f, env) {
            Found::BuiltIn(name) => !["&&", "||"].contains(&self.program.names.var(name).name.as_str()),
            Found::Def(..) => true,
        }
    }

    /// A function applied in a size: its type arguments are those of the values.
    fn size_call(&mut self, s: &mut Scope, f: VarId, args: Vec<Value>, env: EnvId) -> Option<Value> {
        let span = self.at;
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
                let v = self.with_arguments(&f, Vec::new(), &def.val.fun, bound);
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
            Rep::Sum(sum) => {
                let slots: Vec<Mono> = sum.slots.iter().map(|r| self.mono_of_rep(r, depth, dims)).collect();
                let payload = |places: &[usize]| places.iter().map(|slot| slots[*slot].clone()).collect();
                Mono::Sum(sum.constrs.iter().map(|(c, places)| (*c, payload(places))).collect())
            }
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
}

/// A literal in a size, which has its type as suffix.
fn literal(text: &str) -> Option<Value> {
    let prim = Prim::ALL.into_iter().find(|p| text.ends_with(p.name()))?;
    let digits = text.strip_suffix(prim.name())?;
    let value = digits.parse::<i128>().ok()?;
    Some(Value::scalar(prim, Atom::Const(Scalar::from_int(prim, value))))
}
