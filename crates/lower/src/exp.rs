//! Expressions: from the typed tree to statements of nest and a `Value`.
//!
//! A `Value` is a representation and its columns: nothing is emitted for a record, a tuple, a projection, or a function,
//! since these are only groups of columns. What remains emits statements into the innermost open body. A branch or a
//! match lowers each arm into a body of its own; arms that yield different functions, or arrays of different form, are
//! brought to one representation first (`classes`).
//!
//! Sizes that types mention are variables of the scope; where a type claims a size that is only known at run time, a check
//! compares the two (`check_known_sizes`).

use crate::index::Found;
use crate::lower::{Lower, Scope};
use crate::mono::{Mono, MonoSize};
use crate::rep::{Code, FnRep, Rep};
use crate::value::{Value, tag_of};
use norn_base::{Prim, Span, Symbol};
use norn_check::typed::{Arg, DimIndex as TDim, Exp as TExp, ExpKind, Lit, Step};
use norn_check::types::Ty;
use norn_ir::nest::grids::OWN_ATTRIBUTES;
use norn_ir::nest::{Atom, Check, Dim, Exp, ObserveKind, Scalar, Type, UnOp};
use norn_syntax::ast::{Attr, AttrKind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl<'a> Lower<'a> {
    pub fn exp(&mut self, s: &mut Scope, e: &'a TExp) -> Value {
        let outer = std::mem::replace(&mut self.at, e.span);
        let v = self.exp_kind(s, e);
        self.at = outer;
        self.bind_sizes(s, &e.exts, &e.ty, &v);
        v
    }

    fn exp_kind(&mut self, s: &mut Scope, e: &'a TExp) -> Value {
        let span = e.span;
        match &e.kind {
            ExpKind::Lit(lit) => literal(*lit),
            ExpKind::Str(bytes) => {
                let atoms: Vec<Atom> = bytes.iter().map(|b| Atom::Const(Scalar::U8(*b))).collect();
                let ty = Type::array(Prim::U8, vec![Dim::Size(Atom::i64(bytes.len() as i64))]);
                let v = self.b.emit1("text", ty, Exp::array(atoms), span);
                Value { rep: Rep::array(Rep::Prim(Prim::U8)), cols: vec![v.into()] }
            }
            ExpKind::Var(v) => {
                let value = self.variable(s, *v, &e.ty, span);
                if s.passed.contains(v) {
                    self.check(Check::NonNegative(value.atom()), span);
                }
                value
            }
            ExpKind::Hole => {
                self.b.check(Check::Fail { text: "A hole was reached.".into() }, span);
                self.blank_of_type(s, e, &e.ty)
            }
            ExpKind::Parens(x) | ExpKind::Ascript(x) => self.exp(s, x),
            ExpKind::Attr(attr, x) => self.with_attribute(s, attr, x),
            ExpKind::Record(fields) => {
                let mut parts = Vec::new();
                for (f, x) in fields {
                    parts.push((*f, self.exp(s, x)));
                }
                self.check_columns(parts.iter().map(|(_, v)| v.cols.len()).sum());
                Value::record(parts)
            }
            ExpKind::Array(xs) => self.array_literal(s, e, xs),
            ExpKind::Project(x, field) => {
                let v = self.exp(s, x);
                self.field(&v, *field)
            }
            ExpKind::Index(x, dims) => {
                let v = self.exp(s, x);
                let dims = self.dim_values(s, dims);
                self.index(v, &dims, span)
            }
            ExpKind::Apply(f, args) => {
                let mut values = Vec::new();
                for a in args.iter().rev() {
                    values.insert(0, self.argument(s, a));
                }
                let f = self.exp(s, f);
                self.apply_typed(s, f, values, &e.ty, span)
            }
            ExpKind::BinOp(op, l, r) => self.operator(s, op, l, r, e),
            ExpKind::LeftSection(op, x) => {
                let x = self.argument(s, x);
                let op = self.exp(s, op);
                self.apply_typed(s, op, vec![x], &e.ty, span)
            }
            ExpKind::RightSection(op, x) => {
                let x = self.argument(s, x);
                let op = self.exp(s, op);
                let f = self.made_code(Code::Flipped, vec![op.rep, x.rep]);
                Value { rep: f, cols: op.cols.into_iter().chain(x.cols).collect() }
            }
            ExpKind::ProjSection(steps) => {
                self.nodes.insert(std::ptr::from_ref(e) as usize, e);
                let mut values = Vec::new();
                for step in steps {
                    match step {
                        Step::Field(_) => {}
                        Step::Index(dims) => {
                            for d in self.dim_values(s, dims) {
                                values.extend(d.parts());
                            }
                        }
                    }
                }
                let reps = values.iter().map(|v| v.rep.clone()).collect();
                let f = self.made_code(Code::Projection(std::ptr::from_ref(e) as usize), reps);
                Value { rep: f, cols: values.into_iter().flat_map(|v| v.cols).collect() }
            }
            ExpKind::Constr(name, args) => {
                let mut values = Vec::new();
                for x in args {
                    values.push(self.exp(s, x));
                }
                let m = self.mono_without_sizes(s, &e.ty);
                let place = s.place(e);
                self.construct(&m, *name, values, &place, span)
            }
            ExpKind::Negate(x) => self.prefix(s, UnOp::Neg, x, span),
            ExpKind::Not(x) => self.prefix(s, UnOp::Not, x, span),
            ExpKind::Coerce(x) => {
                let v = self.exp(s, x);
                self.size_coercion(s, v, &e.ty, span)
            }
            ExpKind::Range { start, second, kind, end } => {
                let start = self.exp(s, start);
                let second = second.as_ref().map(|x| self.exp(s, x));
                let end = self.exp(s, end);
                self.range(start, second, *kind, end, span)
            }
            ExpKind::If(c, a, b) => {
                let c = self.exp(s, c).atom();
                let place = s.place(e);
                let (mut s1, mut s2) = (s.clone(), s.clone());
                self.branch(c, &place, span, |l| l.exp(&mut s1, a), |l| l.exp(&mut s2, b))
            }
            ExpKind::LetPat { sizes, pat, bound, body } => {
                let v = self.exp(s, bound);
                self.bind_sizes(s, sizes, &pat.ty, &v);
                self.bind_pat(s, pat, v);
                self.exp(s, body)
            }
            ExpKind::LetFun { var, fun, body } => {
                let node = std::ptr::from_ref(&**fun) as usize;
                self.locals.insert(node, fun);
                let mentioned = self.mentioned_in_fun(fun);
                let f = self.closure(s, Code::Local(node), &mentioned);
                let f =
                    if fun.params.is_empty() && fun.tparams.is_empty() { self.exp(s, &fun.body) } else { f };
                s.vars.insert(*var, f);
                self.exp(s, body)
            }
            ExpKind::LetWith { dest, source, source_span, source_ty, steps, value, body } => {
                let place = s.place(e);
                let steps = self.step_values(s, steps);
                let new = self.exp(s, value);
                let v = self.variable(s, *source, source_ty, *source_span);
                let v = self.update(v, &steps, new, &place, span);
                s.vars.insert(*dest, v);
                self.exp(s, body)
            }
            ExpKind::Lambda { .. } => {
                let node = std::ptr::from_ref(e) as usize;
                self.nodes.insert(node, e);
                let mentioned = self.mentioned_in_lambda(e);
                self.closure(s, Code::Lambda(node), &mentioned)
            }
            ExpKind::Loop(l) => self.lower_loop(s, l, e),
            ExpKind::Match(x, cases) => {
                let v = self.exp(s, x);
                let place = s.place(e);
                self.cases(s, &v, cases, &place, e)
            }
            ExpKind::Assert(c, x) => {
                let cond = self.exp(s, c).atom();
                self.check(Check::Assert { cond, text: String::new() }, c.span);
                self.exp(s, x)
            }
            ExpKind::Update(x, steps, value) => {
                let place = s.place(e);
                let steps = self.step_values(s, steps);
                let new = self.exp(s, value);
                let v = self.exp(s, x);
                self.update(v, &steps, new, &place, span)
            }
            ExpKind::Error => self.blank_of_type(s, e, &e.ty),
        }
    }

    pub fn made_code(&self, code: Code, applied: Vec<Rep>) -> Rep {
        Rep::Fn(Rc::new(FnRep {
            code,
            env: crate::index::ROOT,
            tys: Rc::from([]),
            holes: 0,
            captured: Vec::new(),
            applied,
        }))
    }

    /// An argument; its value may be known as a size.
    fn argument(&mut self, s: &mut Scope, a: &'a Arg) -> Value {
        let v = self.exp(s, &a.exp);
        if let Some(name) = a.ext {
            s.vars.insert(name, v.clone());
        }
        v
    }

    pub fn blank_of_type(&mut self, s: &mut Scope, e: &TExp, ty: &Ty) -> Value {
        let m = self.mono_in(s, ty);
        let place = s.place(e);
        let rep = self.rep_of(&m, &place, &mut 0).open();
        self.blank(&rep, Some(&m), e.span)
    }

    fn with_attribute(&mut self, s: &mut Scope, attr: &Attr, x: &'a TExp) -> Value {
        let text = attr_text(attr);
        if text == "unsafe" {
            self.unchecked += 1;
            let v = self.exp(s, x);
            self.unchecked -= 1;
            return v;
        }
        let v = self.exp(s, x);
        if text == "opaque" {
            return self.opaque(v, x.span);
        }
        if let Some((kind, tag)) = observed(attr) {
            self.observe(s, kind, tag, &v, x);
            return v;
        }
        if !OWN_ATTRIBUTES.contains(&text.as_str()) {
            self.b.mark_last(text);
        }
        v
    }

    /// The same value under names that nothing is known of.
    fn opaque(&mut self, v: Value, span: Span) -> Value {
        let mut cols = Vec::with_capacity(v.cols.len());
        for col in v.cols {
            let array = col.var().filter(|var| self.b.ty(*var).is_array());
            let Some(var) = array else {
                cols.push(col);
                continue;
            };
            let (name, ty) = (self.b.name(var).to_string(), self.b.ty(var).clone());
            cols.push(self.b.emit1(&name, ty, Exp::atom(col), span).into());
            self.b.mark_last("opaque".to_string());
        }
        Value { cols, ..v }
    }

    fn operator(&mut self, s: &mut Scope, op: &'a TExp, l: &'a Arg, r: &'a Arg, e: &'a TExp) -> Value {
        if let ExpKind::Var(v) = &op.kind
            && !s.vars.contains_key(v)
            && let Found::BuiltIn(name) = self.index.value(*v, s.env)
        {
            let name = self.program.names.var(name).name;
            let (and, or) = (name.as_str() == "&&", name.as_str() == "||");
            if and || or {
                let x = self.argument(s, l).atom();
                let place = s.place(e);
                let mut inner = s.clone();
                let right = |l: &mut Self| l.argument(&mut inner, r);
                let left = |_: &mut Self| Value::bool(Atom::bool(or));
                return if and {
                    self.branch(x, &place, e.span, right, left)
                } else {
                    self.branch(x, &place, e.span, left, right)
                };
            }
        }
        let x = self.argument(s, l);
        let y = self.argument(s, r);
        let f = self.exp(s, op);
        self.apply_typed(s, f, vec![x, y], &e.ty, e.span)
    }

    fn prefix(&mut self, s: &mut Scope, op: UnOp, x: &'a TExp, span: Span) -> Value {
        let v = self.exp(s, x);
        let Some(p) = v.rep.prim() else { return v };
        Value::scalar(p, self.un(op, p, v.atom(), span))
    }

    /// A value of a sum or of a recursive type.
    fn construct(
        &mut self,
        m: &Mono,
        name: Symbol,
        values: Vec<Value>,
        place: &crate::classes::Place,
        span: Span,
    ) -> Value {
        match m {
            Mono::Data(data) => {
                let at = self.constructors(*data).iter().position(|(c, _)| *c == name);
                let at = at.unwrap_or_else(|| panic!("lower: no constructor {name}"));
                let cell = self.alloc(*data, at, values, span);
                Value { rep: Rep::Data(*data), cols: vec![cell] }
            }
            Mono::Sum(cs) => {
                let at = cs.iter().position(|(c, _)| *c == name);
                let at = at.unwrap_or_else(|| panic!("lower: no constructor {name}"));
                let Rep::Sum(sum) = self.rep_of(m, place, &mut 0).open() else {
                    panic!("lower: {name} constructs no sum")
                };
                let places = sum.constrs[at].1.iter();
                let mut own: FxHashMap<usize, (Value, &Mono)> =
                    places.copied().zip(values.into_iter().zip(&cs[at].1)).collect();
                let mut cols = vec![tag_of(at, cs.len())];
                let mut slots = Vec::new();
                for (i, slot) in sum.slots.iter().enumerate() {
                    let v = match own.remove(&i) {
                        // What else may be there is not known: payloads of other values of the type.
                        Some((v, m)) => {
                            let rep = self.irregular_as(&v.rep, m).irregular_like(slot);
                            self.coerce(v, &rep, span)
                        }
                        // Its sizes are not looked at: they may be those of a branch not taken.
                        None => self.blank(slot, None, span),
                    };
                    slots.push(v.rep);
                    cols.extend(v.cols);
                    self.check_columns(cols.len());
                }
                Value { rep: sum.with_slots(slots), cols }
            }
            Mono::Prim(_) | Mono::Record(_) | Mono::Array(..) | Mono::Fun(..) | Mono::Acc(_) => {
                panic!("lower: {name} constructs a {m:?}")
            }
        }
    }

    /// `:>`: the sizes of a type are compared with those of the value.
    fn size_coercion(&mut self, s: &mut Scope, v: Value, ty: &Ty, span: Span) -> Value {
        let m = self.mono_in(s, ty);
        // A row that varied may be asked to have one size, or the reverse.
        let v = self.regular_as(v, &m, span);
        let rep = self.irregular_as(&v.rep, &m);
        let v = self.coerce(v, &rep, span);
        self.check_known_sizes(&m, &v, span)
    }

    /// Sizes that a type says must be those of the value; the value under a type with these sizes.
    fn check_known_sizes(&mut self, m: &Mono, v: &Value, span: Span) -> Value {
        let known = self.known_dims(Some(m), &v.rep);
        let dims = self.dims(v);
        let mut new = Vec::new();
        for (k, found) in known.into_iter().zip(&dims) {
            match k {
                MonoSize::Atom(expected) if expected != *found => {
                    self.check(Check::Size { expected, found: *found }, span);
                    new.push(expected);
                }
                MonoSize::Atom(_) | MonoSize::Hole(_) | MonoSize::Irregular | MonoSize::Unknown => {
                    new.push(*found);
                }
            }
        }
        self.with_dims(v, &new, span)
    }

    /// For entry points: sizes that are computed from others.
    pub fn check_sizes(&mut self, s: &mut Scope, ty: &Ty, v: &Value, span: Span) {
        let m = self.mono_in(s, ty);
        self.check_known_sizes(&m, v, span);
    }
}

/// The indices of one dimension, computed.
pub enum Slice {
    Fix(Value),
    Range { start: Option<Value>, end: Option<Value>, stride: Option<Value> },
}

/// A step to a part of a value.
pub enum StepValue {
    Field(Symbol),
    Index(Vec<Slice>),
}

impl Slice {
    fn parts(self) -> Vec<Value> {
        match self {
            Slice::Fix(v) => vec![v],
            Slice::Range { start, end, stride } => [start, end, stride].into_iter().flatten().collect(),
        }
    }
}

impl<'a> Lower<'a> {
    /// The indices of the steps to a part, computed. Elements of elements are elements.
    fn step_values(&mut self, s: &mut Scope, steps: &'a [Step]) -> Vec<StepValue> {
        let mut out: Vec<StepValue> = Vec::new();
        for step in steps {
            match step {
                Step::Field(f) => out.push(StepValue::Field(*f)),
                Step::Index(dims) => {
                    let dims = self.dim_values(s, dims);
                    match out.last_mut() {
                        Some(StepValue::Index(before))
                            if before.iter().all(|d| matches!(d, Slice::Fix(_))) =>
                        {
                            before.extend(dims);
                        }
                        _ => out.push(StepValue::Index(dims)),
                    }
                }
            }
        }
        out
    }

    pub fn dim_values(&mut self, s: &mut Scope, dims: &'a [TDim]) -> Vec<Slice> {
        let mut out = Vec::new();
        for d in dims {
            out.push(match d {
                TDim::Fix(x) => Slice::Fix(self.exp(s, x)),
                TDim::Slice { start, end, stride } => {
                    let start = start.as_ref().map(|x| self.exp(s, x));
                    let end = end.as_ref().map(|x| self.exp(s, x));
                    let stride = stride.as_ref().map(|x| self.exp(s, x));
                    Slice::Range { start, end, stride }
                }
            });
        }
        out
    }
}

fn literal(lit: Lit) -> Value {
    let scalar = match lit {
        Lit::Bool(b) => Scalar::Bool(b),
        Lit::Int(p, i) => Scalar::from_int(p, i),
        Lit::Float(p, x) => Scalar::from_float(p, x),
    };
    Value::scalar(scalar.prim(), Atom::Const(scalar))
}

/// Whether an attribute asks for the value to be shown, and under which tag.
fn observed(attr: &Attr) -> Option<(ObserveKind, String)> {
    let kind = |name: &Symbol| {
        [ObserveKind::Trace, ObserveKind::Break].into_iter().find(|kind| kind.word() == name.as_str())
    };
    match &attr.kind {
        AttrKind::Name(name) => kind(name).map(|kind| (kind, kind.word().to_string())),
        AttrKind::Call(name, args) => {
            let tags: Vec<String> = args.iter().map(attr_text).collect();
            kind(name).map(|kind| (kind, tags.join(", ")))
        }
        AttrKind::Int(_) => None,
    }
}

/// The attributes of a definition, but for names that mean something to the compiler alone.
pub fn attr_texts(attrs: &[Attr]) -> Vec<String> {
    attrs.iter().map(attr_text).filter(|text| !OWN_ATTRIBUTES.contains(&text.as_str())).collect()
}

pub fn attr_text(a: &Attr) -> String {
    match &a.kind {
        AttrKind::Name(n) => n.as_str().to_string(),
        AttrKind::Int(i) => i.to_string(),
        AttrKind::Call(n, args) => {
            let args: Vec<String> = args.iter().map(attr_text).collect();
            format!("{n}({})", args.join(", "))
        }
    }
}
