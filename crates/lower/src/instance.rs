//! Instances of functions: one nest function for each use of a definition at other types or with
//! other known functions, shared by all calls that agree in these.
//!
//! A call passes the dimensions of its arguments that the callee cannot know otherwise, then the columns
//! of what the function has captured and of its arguments. It returns sizes that the caller
//! cannot know, then columns.

use crate::classes::{ClassId, Place};
use crate::index::Found;
use crate::instantiate::UNKNOWN_SIZE;
use crate::lower::{Lower, Scope};
use crate::mono::{Mono, MonoSize};
use crate::params::Setup;
use crate::rep::{Code, FnRep, Rep};
use crate::value::Value;
use norn_base::Span;
use norn_check::typed::{Exp as TExp, ExpKind, Pat};
use norn_check::types::{RetTy, Ty, VarId};
use norn_ir::nest::build::FunBuilder;
use norn_ir::nest::{Atom, Const, ConstId, ControlExp, DataId, Dim, Exp, FunId, Param, Ret, Type, Var};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// What determines an instance: a function with all its arguments, or a class of functions
/// applied to arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum InstKey {
    Fn(Rc<FnRep>),
    Apply(ClassId, Vec<Rep>, Mono),
    /// Comparison of two cells.
    Equal(DataId),
}

/// An instance, as its callers see it.
#[derive(Clone)]
pub struct Inst {
    pub fun: FunId,
    /// The parameters that are sizes: which dimension of which column they are.
    sources: Vec<(usize, usize)>,
    /// Dimensions that are the same as a parameter or a constant, as the program says.
    equal: Vec<((usize, usize), Atom)>,
    params: Vec<Var>,
    pub rep: Rep,
    /// Sizes, then columns.
    ret: Vec<Type>,
    /// Which columns are unique.
    unique: Vec<bool>,
    pub constant: Option<ConstId>,
    /// Known from the start: a recursive function.
    fixed: bool,
}

/// The code of a function: its parameters and body.
pub struct CodeParts<'a> {
    pub params: Vec<&'a Pat>,
    pub ret: &'a RetTy,
    pub body: &'a TExp,
    pub recursive: bool,
    pub label: Label,
}

/// What the function says about itself.
pub struct Label {
    pub name: String,
    pub span: Span,
    pub attrs: Vec<String>,
}

impl Label {
    fn new(name: &str, span: Span) -> Label {
        Label { name: name.to_string(), span, attrs: Vec::new() }
    }
}

/// A parameter of an entry point: that of the definition, or of the function it yields.
pub struct EntryArg<'a> {
    pub name: String,
    pub ty: Ty,
    pub pat: Option<&'a Pat>,
    pub var: Option<VarId>,
}

impl<'a> Lower<'a> {
    pub fn code_parts(&mut self, f: &FnRep) -> CodeParts<'a> {
        match &f.code {
            Code::Def(v) => {
                let Found::Def(_, def, _) = self.index.value(*v, f.env) else {
                    panic!("lower: {} has no definition", self.name_of(*v))
                };
                CodeParts {
                    params: def.val.fun.params.iter().collect(),
                    ret: &def.val.fun.ret,
                    body: &def.val.fun.body,
                    recursive: def.recursive,
                    label: Label {
                        name: self.name_of(*v).to_string(),
                        span: def.val.span,
                        attrs: crate::exp::attr_texts(&def.val.attrs),
                    },
                }
            }
            Code::Lambda(node) => {
                let e = self.nodes[node];
                let ExpKind::Lambda { params, body, ret, .. } = &e.kind else {
                    panic!("lower: no lambda at this address")
                };
                CodeParts {
                    params: params.iter().collect(),
                    ret,
                    body,
                    recursive: false,
                    label: Label::new("lambda", e.span),
                }
            }
            Code::Local(node) => {
                let fun = self.locals[node];
                CodeParts {
                    params: fun.params.iter().collect(),
                    ret: &fun.ret,
                    body: &fun.body,
                    recursive: false,
                    label: Label::new("local", fun.body.span),
                }
            }
            Code::BuiltIn(..) | Code::Flipped | Code::Projection(_) => {
                panic!("lower: {:?} has no code of its own", f.code)
            }
        }
    }

    /// Call the instance of a function that has all its arguments.
    pub fn call(&mut self, f: Rc<FnRep>, cols: Vec<Atom>, span: Span) -> Value {
        let (f, cols) = self.bounded(f, cols, span);
        let inst = self.instance(InstKey::Fn(f));
        self.call_instance(&inst, cols, span)
    }

    /// A recursive function whose known functions change from call to call would have no end of
    /// instances: from the second on, they are classes.
    fn bounded(&mut self, f: Rc<FnRep>, cols: Vec<Atom>, span: Span) -> (Rc<FnRep>, Vec<Atom>) {
        let Code::Def(v) = &f.code else { return (f, cols) };
        let key = InstKey::Fn(f.clone());
        let inside = self.active.iter().any(|(w, k)| w == v && *k != key);
        if !inside || self.instances.contains_key(&key) || !f.applied.iter().any(Rep::has_fn) {
            return (f, cols);
        }
        let Found::Def(_, def, _) = self.index.value(*v, f.env) else { return (f, cols) };
        if !def.recursive {
            return (f, cols);
        }
        let place = Place::Node(std::ptr::from_ref(&def.val.fun) as usize, f.env, f.tys.clone());
        let mut part = 1000;
        let mut target = (*f).clone();
        for r in &mut target.applied {
            *r = self.dynamic(&r.clone(), &place, &mut part);
        }
        let target = Rep::Fn(Rc::new(target));
        let v = self.coerce(Value { rep: Rep::Fn(f), cols }, &target, span);
        match &v.rep {
            Rep::Fn(f) => (f.clone(), v.cols),
            _ => panic!("lower: a function became another thing"),
        }
    }

    pub fn call_instance(&mut self, inst: &Inst, cols: Vec<Atom>, span: Span) -> Value {
        self.count_work(inst.params.len() + inst.ret.len());
        let mut args: Vec<Atom> = inst.sources.iter().map(|place| self.size_at(&cols, *place)).collect();
        args.extend(&cols);
        for (place, expected) in &inst.equal {
            let expected = match expected {
                Atom::Const(_) => *expected,
                Atom::Var(v) => match inst.params.iter().position(|p| p == v) {
                    Some(at) => args[at],
                    None => continue,
                },
            };
            let found = self.size_at(&cols, *place);
            self.same_size(expected, found, span);
        }
        let exp = match inst.constant {
            Some(c) => Exp::Control(ControlExp::Const(c)),
            None => Exp::call(inst.fun, args.clone()),
        };
        let mut vars: Vec<Var> = Vec::new();
        for ty in &inst.ret {
            let mut ty = ty.clone();
            ty.for_each_dim(&mut |d| match *d {
                Dim::Result(i) => *d = Dim::Size(vars[i].into()),
                Dim::Size(Atom::Var(v)) => {
                    if let Some(at) = inst.params.iter().position(|p| *p == v) {
                        *d = Dim::Size(args[at]);
                    }
                }
                Dim::Size(Atom::Const(_)) | Dim::Irregular => {}
            });
            vars.push(self.b.new_var("r", ty));
        }
        if vars.is_empty() {
            return Value { rep: inst.rep.clone(), cols: Vec::new() };
        }
        let sizes = inst.ret.len() - self.width(&inst.rep);
        let shared = vars[sizes..]
            .iter()
            .zip(&inst.unique)
            .filter(|(v, unique)| !**unique && self.b.ty(**v).is_array());
        let shared: Vec<Var> = shared.map(|(v, _)| *v).collect();
        if shared.len() > 1 {
            self.shared.extend(shared);
        }
        self.b.bind(vars.clone(), exp, span);
        Value { rep: inst.rep.clone(), cols: vars[sizes..].iter().map(|v| Atom::Var(*v)).collect() }
    }

    fn size_at(&self, cols: &[Atom], (col, dim): (usize, usize)) -> Atom {
        let ty = self.b.atom_ty(cols[col]);
        match type_dim(&ty, dim) {
            Dim::Size(a) => a,
            Dim::Irregular | Dim::Result(_) => panic!("lower: no size {dim} in {ty:?}"),
        }
    }

    pub fn instance(&mut self, key: InstKey) -> Inst {
        if let Some(at) = self.instances.get(&key) {
            return self.insts[*at].clone();
        }
        match &key {
            InstKey::Fn(f) => self.lower_function(f.clone(), key.clone()),
            InstKey::Apply(class, args, result) => {
                self.lower_apply(*class, args.clone(), result.clone(), key.clone())
            }
            InstKey::Equal(data) => self.lower_equal(*data, key.clone()),
        }
    }

    fn register(&mut self, key: InstKey, inst: Inst) -> usize {
        let at = self.insts.len();
        self.insts.push(inst);
        self.instances.insert(key, at);
        at
    }

    /// Leave the function that is being built, to build another.
    fn begin_function(&mut self) -> (FunBuilder, usize, FxHashSet<Var>) {
        (std::mem::take(&mut self.b), std::mem::take(&mut self.unchecked), std::mem::take(&mut self.shared))
    }

    fn end_function(&mut self, outer: (FunBuilder, usize, FxHashSet<Var>)) {
        (self.b, self.unchecked, self.shared) = outer;
    }

    fn lower_function(&mut self, f: Rc<FnRep>, key: InstKey) -> Inst {
        let code = self.code_parts(&f);
        self.begin_use(&code.label);
        let fun = self.new_fun();
        let outer = self.begin_function();
        let (mut scope, setup) = self.enter(&f, &code);
        let mut at = None;
        let mut known = Vec::new();
        let params: Vec<Var> =
            setup.sizes.iter().copied().chain(setup.columns.iter().map(|p| p.var)).collect();
        if code.recursive {
            // Calls inside need to know what comes back.
            let m = self.mono_without_sizes(&scope, &code.ret.ty);
            let place = scope.place(code.ret);
            let rep = self.rep_of(&m, &place, &mut 0);
            known = self.dims_of_arguments(&mut scope, &code.ret.ty, &rep, &setup);
            let ret = self.results_of(&rep, &known);
            at = Some(self.register(
                key.clone(),
                Inst {
                    fun,
                    sources: setup.sources.clone(),
                    equal: setup.equal.clone(),
                    params: params.clone(),
                    unique: self.unique_columns(&code.ret.ty, &rep),
                    rep,
                    ret,
                    constant: None,
                    fixed: true,
                },
            ));
        }
        if let Code::Def(v) = &f.code {
            self.active.push((*v, key.clone()));
        }
        let mut value = self.exp(&mut scope, code.body);
        if let Code::Def(_) = &f.code {
            self.active.pop();
        }
        if let Some(at) = at {
            let rep = self.insts[at].rep.clone();
            let m = self.mono_in(&mut scope, &code.ret.ty);
            value = self.regular_as(value, &m, code.label.span);
            value = self.coerce(value, &rep, code.label.span);
            let own = self.dims(&value);
            let dims: Vec<Atom> = known.iter().zip(&own).map(|(known, own)| known.unwrap_or(*own)).collect();
            for (known, own) in dims.iter().zip(own) {
                self.same_size(*known, own, code.label.span);
            }
            value = self.with_dims(&value, &dims, code.label.span);
        }
        let unique = self.unique_columns(&code.ret.ty, &value.rep);
        let value = self.unshared(value, &unique, code.label.span);
        let inst = self.close(fun, &setup, value, unique, code.label, at);
        self.end_function(outer);
        self.uses.pop();
        if at.is_none() {
            self.register(key, inst.clone());
        }
        inst
    }

    /// The columns of what a function returned may share memory with each other. Those that are to
    /// be unique are copied.
    fn unshared(&mut self, v: Value, unique: &[bool], span: Span) -> Value {
        let mut cols = Vec::new();
        for (col, unique) in v.cols.into_iter().zip(unique) {
            cols.push(match col {
                Atom::Var(x) if *unique && self.shared.contains(&x) => {
                    let (name, ty) = (self.b.name(x).to_string(), self.b.ty(x).clone());
                    Atom::Var(self.b.emit1(&name, ty, Exp::copy(x), span))
                }
                col => col,
            });
        }
        Value { rep: v.rep, cols }
    }

    /// Of each dimension of what a function returns, the size of an argument or number that its type says it is, if it does. With it, calls of a function that calls itself
    /// know what comes back: rows that all have the size of an argument are regular. A size that no array among the arguments has may be one of which nobody
    /// knows the value (`instantiate`).
    fn dims_of_arguments(
        &mut self,
        scope: &mut Scope,
        ty: &Ty,
        rep: &Rep,
        setup: &Setup,
    ) -> Vec<Option<Atom>> {
        let mono = self.mono_of_names(scope, ty);
        let mut sizes = setup.sizes.clone();
        for param in &setup.columns {
            self.b.ty(param.var).for_each_var(&mut |size| sizes.push(size));
        }
        let is_known = |size: &Atom| match size {
            Atom::Var(var) => sizes.contains(var),
            Atom::Const(_) => *size != UNKNOWN_SIZE,
        };
        let known = self.known_dims(Some(&mono), rep).into_iter().map(|size| match size {
            MonoSize::Atom(size) => Some(size).filter(is_known),
            MonoSize::Hole(_) | MonoSize::Irregular | MonoSize::Unknown => None,
        });
        known.collect()
    }

    /// Types of results whose sizes are known, or results themselves.
    fn results_of(&self, rep: &Rep, known: &[Option<Atom>]) -> Vec<Type> {
        let mut count = 0;
        let dims = known.iter().map(|known| match known {
            Some(size) => Dim::Size(*size),
            None => {
                count += 1;
                Dim::Result(count - 1)
            }
        });
        let dims: Vec<Dim> = dims.collect();
        let mut ret = vec![Type::i64(); count];
        ret.extend(self.types(rep, &dims));
        ret
    }

    fn close(
        &mut self,
        fun: FunId,
        setup: &Setup,
        value: Value,
        unique: Vec<bool>,
        label: Label,
        at: Option<usize>,
    ) -> Inst {
        let params: Vec<Var> =
            setup.sizes.iter().copied().chain(setup.columns.iter().map(|p| p.var)).collect();
        let dims = self.dims(&value);
        let (sizes, types) = match at {
            Some(at) => {
                let ret = &self.insts[at].ret;
                let types = ret[ret.len() - value.cols.len()..].to_vec();
                let places = self.dim_places(&value.rep);
                let is_result =
                    |(col, dim): &(usize, usize)| matches!(type_dim(&types[*col], *dim), Dim::Result(_));
                let open = places.iter().zip(dims).filter(|(place, _)| is_result(place));
                (open.map(|(_, size)| size).collect(), types)
            }
            None => {
                let mut sizes: Vec<Atom> = Vec::new();
                let dims: Vec<Dim> = dims
                    .iter()
                    .map(|a| match a {
                        Atom::Const(_) => Dim::Size(*a),
                        Atom::Var(v) if params.contains(v) => Dim::Size(*a),
                        Atom::Var(_) => {
                            let i = sizes.iter().position(|s| s == a).unwrap_or_else(|| {
                                sizes.push(*a);
                                sizes.len() - 1
                            });
                            Dim::Result(i)
                        }
                    })
                    .collect();
                let types = self.types(&value.rep, &dims);
                (sizes, types)
            }
        };
        let mut ret: Vec<Ret> = sizes.iter().map(|_| Ret::plain(Type::i64())).collect();
        ret.extend(types.into_iter().zip(&unique).map(|(ty, unique)| Ret { ty, unique: *unique }));
        let types: Vec<Type> = ret.iter().map(|r| r.ty.clone()).collect();
        let all: Vec<Param> =
            setup.sizes.iter().map(|v| Param::plain(*v)).chain(setup.columns.iter().cloned()).collect();
        let result: Vec<Atom> = sizes.into_iter().chain(value.cols).collect();
        let b = std::mem::take(&mut self.b);
        let mut done = b.finish(label.name, all, ret, result, label.span);
        done.attrs = label.attrs;
        self.funs[fun.0 as usize] = Some(done);
        Inst {
            fun,
            sources: setup.sources.clone(),
            equal: setup.equal.clone(),
            params,
            rep: value.rep,
            ret: types,
            unique,
            constant: None,
            fixed: at.is_some(),
        }
    }

    /// The size parameters of a definition that were captured with it.
    fn passed_sizes(&mut self, f: &FnRep) -> FxHashSet<VarId> {
        let tparams = match &f.code {
            Code::Def(v) => match self.index.value(*v, f.env) {
                Found::Def(_, def, _) => &def.val.fun.tparams,
                Found::BuiltIn(_) => return FxHashSet::default(),
            },
            Code::Local(node) => &self.locals[node].tparams,
            Code::Lambda(_) | Code::BuiltIn(..) | Code::Flipped | Code::Projection(_) => {
                return FxHashSet::default();
            }
        };
        let sizes = tparams.iter().filter_map(|p| p.as_size());
        sizes.filter(|v| f.captured.iter().any(|(w, _)| w == v)).collect()
    }

    /// The parameters of a function, and the scope of its body: types and captured variables.
    fn enter(&mut self, f: &FnRep, code: &CodeParts<'a>) -> (Scope, Setup) {
        let mut setup = Setup::default();
        let mut holes = Vec::new();
        for _ in 0..f.holes {
            let v = self.b.new_var("s", Type::i64());
            holes.push(Atom::Var(v));
            setup.columns.push(Param::plain(v));
        }
        let mut scope = Scope::new(f.env, f.tys.clone(), holes);
        for (var, rep) in &f.captured {
            let value = self.open_columns(rep, self.name_of(*var), &mut setup);
            scope.vars.insert(*var, value);
        }
        scope.passed = self.passed_sizes(f);
        let mut values = Vec::with_capacity(f.applied.len());
        for (pat, rep) in code.params.iter().zip(&f.applied) {
            let value = self.param_columns(&mut scope, pat, rep, &mut setup);
            self.bind_pat(&mut scope, pat, value.clone());
            values.push(value);
        }
        for (pat, value) in code.params.iter().zip(&values) {
            self.bind_open_sizes(&mut scope, &pat.ty, value);
        }
        (scope, setup)
    }

    /// The function that applies a value of a class: a branch for each member.
    fn lower_apply(&mut self, class: ClassId, args: Vec<Rep>, mono: Mono, key: InstKey) -> Inst {
        let span = self.class_span(class);
        let place = Place::Result(class, args.len());
        let result = self.rep_of(&mono, &place, &mut 0).all_irregular().open();
        let params = std::iter::once(Rep::Dyn(class)).chain(args).collect();
        self.made_function(key, "apply", params, result, span, |l, mut values, result| {
            let function = values.remove(0);
            l.dispatch(&function, class, values, &mono, result, span)
        })
    }

    fn lower_equal(&mut self, data: DataId, key: InstKey) -> Inst {
        let span = self.no_span();
        let params = vec![Rep::Data(data), Rep::Data(data)];
        self.made_function(key, "equal", params, Rep::bool(), span, |l, values, _| {
            Value::bool(l.equal_cells(data, values[0].atom(), values[1].atom(), span))
        })
    }

    /// A function that the program does not have as such. It may call itself.
    fn made_function(
        &mut self,
        key: InstKey,
        name: &str,
        params: Vec<Rep>,
        result: Rep,
        span: Span,
        body: impl FnOnce(&mut Self, Vec<Value>, &Rep) -> Value,
    ) -> Inst {
        let fun = self.new_fun();
        let outer = self.begin_function();
        let mut setup = Setup::default();
        let mut values = Vec::new();
        for rep in &params {
            values.push(self.open_columns(rep, "x", &mut setup));
        }
        let params: Vec<Var> =
            setup.sizes.iter().copied().chain(setup.columns.iter().map(|p| p.var)).collect();
        let open = vec![None; self.dim_count(&result)];
        let ret = self.results_of(&result, &open);
        let at = self.register(
            key,
            Inst {
                fun,
                sources: setup.sources.clone(),
                equal: setup.equal.clone(),
                params,
                unique: vec![false; self.width(&result)],
                rep: result.clone(),
                ret,
                constant: None,
                fixed: true,
            },
        );
        let value = body(self, values, &result);
        let unique = vec![false; value.cols.len()];
        let inst = self.close(fun, &setup, value, unique, Label::new(name, span), Some(at));
        self.end_function(outer);
        inst
    }

    /// The value of a constant definition with these type arguments, computed once.
    pub fn constant(&mut self, f: Rc<FnRep>, cols: Vec<Atom>, span: Span) -> Value {
        let key = InstKey::Fn(f.clone());
        let known = self.instances.get(&key).copied();
        let mut inst = self.instance(key.clone());
        if known.is_none() && cols.is_empty() && !inst.fixed {
            let id = ConstId(self.consts.len() as u32);
            self.consts.push(Const { fun: inst.fun });
            inst.constant = Some(id);
            let at = self.instances[&key];
            self.insts[at] = inst.clone();
        }
        self.call_instance(&inst, cols, span)
    }

    /// An entry point: a function of its own that calls what `function` makes.
    pub fn entry_function(
        &mut self,
        scope: &mut Scope,
        params: &[EntryArg],
        label: (&str, Span),
        result: &Mono,
        function: impl FnOnce(&mut Self, &mut Scope) -> Value,
    ) -> FunId {
        let (name, span) = label;
        let fun = self.new_fun();
        let mut setup = Setup::default();
        let mut args = Vec::new();
        for p in params {
            let m = self.mono_without_sizes(scope, &p.ty);
            let rep = self.rep_of(&m, &scope.place(&p.ty), &mut 0).open();
            let value = self.typed_columns(scope, &p.ty, &p.name, &rep, &mut setup);
            if let Some(pat) = p.pat {
                self.bind_pat(scope, pat, value.clone());
            } else if let Some(var) = p.var {
                scope.vars.insert(var, value.clone());
            }
            args.push(value);
        }
        for (p, arg) in params.iter().zip(&args) {
            self.check_sizes(scope, &p.ty, arg, span);
        }
        let function = function(self, scope);
        let value = if args.is_empty() { function } else { self.apply(function, args, Some(result), span) };
        let unique = vec![false; value.cols.len()];
        self.close(fun, &setup, value, unique, Label::new(name, span), None);
        fun
    }
}

/// A dimension of a column.
fn type_dim(ty: &Type, dim: usize) -> Dim {
    match ty {
        Type::Acc(arrays) => arrays[0].dims()[dim],
        Type::Value(..) | Type::Seg { .. } | Type::Region | Type::Cert => ty.dims()[dim],
    }
}
