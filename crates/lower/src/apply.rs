//! Application of functions: known functions are called, or inlined where an operator applies them; for values of a class there is a branch over its members (defunctionalisation).
//!
//! ```text
//! map (f y) xs        f is known: the lambda of the map is the body of f, with y captured
//! (if c then f else g) x     a class with two members: switch on the tag { call f x } { call g x }
//! ```
//!
//! Too few arguments make a partial application, whose captured arguments are columns. What a partial application has captured and the function consumes is copied for each call (`own_copies`). The bodies of lambdas are inlined a bounded number of times, since
//! deeply nested functions would grow without limit.

use crate::classes::{ClassId, Place};
use crate::instance::InstKey;
use crate::lower::{Lower, Scope};
use crate::mono::Mono;
use crate::rep::{Code, FnRep, Rep};
use crate::value::{Layout, Value};
use norn_base::{Span, Symbol};
use norn_check::typed::{ExpKind, Step};
use norn_check::types::{Ty, has_unique};
use norn_ir::nest::{Atom, ControlExp, Exp};
use std::rc::Rc;

/// How often the body of one lambda is put in place. Programs that nest functions deeply would
/// grow without a limit.
const MAX_COPIES: usize = 16;

impl<'a> Lower<'a> {
    /// Apply a function at an expression of this type.
    pub fn apply_typed(&mut self, s: &mut Scope, f: Value, args: Vec<Value>, ty: &Ty, span: Span) -> Value {
        let result = match &f.rep {
            Rep::Dyn(_) => Some(self.mono_in(s, ty)),
            Rep::Fn(known)
                if known.code == Code::Flipped || self.arity(known) < known.applied.len() + args.len() =>
            {
                Some(self.mono_without_sizes(s, ty))
            }
            _ => None,
        };
        let site = Place::Node(std::ptr::from_ref(&**ty) as usize, s.env, s.tys.clone());
        let outer = std::mem::replace(&mut self.site, site);
        let v = self.apply(f, args, result.as_ref(), span);
        self.site = outer;
        v
    }

    /// Apply a function. The type of the result must be given if the function is not known.
    pub fn apply(&mut self, f: Value, mut args: Vec<Value>, result: Option<&Mono>, span: Span) -> Value {
        match f.rep.clone() {
            Rep::Fn(known) => {
                let missing = self.arity(&known).saturating_sub(known.applied.len());
                if args.len() < missing {
                    let partial = with_more(&known, f.cols, args);
                    return self.bounded_knowledge(partial);
                }
                let rest = args.split_off(missing);
                let own = if rest.is_empty() { result } else { None };
                let v = self.saturated(&known, f.cols, args, own, span);
                if rest.is_empty() { v } else { self.apply(v, rest, result, span) }
            }
            Rep::Dyn(class) => {
                let Some(result) = result else { panic!("lower: applying a function without its type") };
                // What comes out of a class has forgotten which sizes its rows share.
                let v = self.apply_class(class, f.cols, args, result, span);
                self.regular_as(v, result, span)
            }
            other => panic!("lower: {other:?} is no function"),
        }
    }

    fn arity(&mut self, f: &FnRep) -> usize {
        match &f.code {
            Code::Def(_) | Code::Lambda(_) | Code::Local(_) => self.code_parts(f).params.len(),
            Code::BuiltIn(name, signature) => self.builtin_arity(*name, signature),
            Code::Flipped => 3,
            Code::Projection(_) => self.projection_indices(f) + 1,
        }
    }

    fn projection_indices(&self, f: &FnRep) -> usize {
        let Code::Projection(node) = &f.code else { return 0 };
        let ExpKind::ProjSection(steps) = &self.nodes[node].kind else { return 0 };
        steps
            .iter()
            .map(|s| match s {
                Step::Field(_) => 0,
                Step::Index(dims) => dims.iter().map(dim_parts).sum(),
            })
            .sum()
    }

    /// A known function with all its arguments; some of them were given before.
    fn saturated(
        &mut self,
        f: &Rc<FnRep>,
        cols: Vec<Atom>,
        args: Vec<Value>,
        result: Option<&Mono>,
        span: Span,
    ) -> Value {
        match &f.code {
            Code::Def(_) | Code::Lambda(_) | Code::Local(_) => {
                let cols = self.own_copies(f, cols, span);
                let full = with_more(f, cols, args);
                let Rep::Fn(full_rep) = &full.rep else { panic!("lower: no function") };
                self.call(full_rep.clone(), full.cols, span)
            }
            Code::BuiltIn(name, signature) => {
                let holes = cols[..f.holes].to_vec();
                let Mono::Record(parts) = signature.fill_holes(&holes) else { panic!("lower: no signature") };
                let types: Vec<Mono> = parts.iter().map(|(_, m)| m.clone()).collect();
                let mut values = self.parts(&f.applied, &cols[f.holes..]);
                values.extend(args);
                self.builtin(*name, &types, values, span)
            }
            Code::Flipped => {
                let mut values = self.parts(&f.applied, &cols);
                values.extend(args);
                let [op, y, x]: [Value; 3] =
                    values.try_into().unwrap_or_else(|_| panic!("lower: a section has one operand"));
                self.apply(op, vec![x, y], result, span)
            }
            Code::Projection(node) => {
                let ExpKind::ProjSection(steps) = &self.nodes[node].kind else {
                    panic!("lower: no projection at this address")
                };
                let mut values = self.parts(&f.applied, &cols);
                values.extend(args);
                let mut v = values.pop().unwrap_or_else(Value::unit);
                let mut indices = values.into_iter();
                for step in steps {
                    match step {
                        Step::Field(name) => v = self.field(&v, *name),
                        Step::Index(dims) => {
                            let slices: Vec<_> = dims.iter().map(|d| slice_of(d, &mut indices)).collect();
                            v = self.index(v, &slices, span);
                        }
                    }
                }
                v
            }
        }
    }

    /// What was captured by a partial application, and is consumed by the function, is copied for
    /// each call: the next call needs it too.
    fn own_copies(&mut self, f: &FnRep, cols: Vec<Atom>, span: Span) -> Vec<Atom> {
        if f.applied.is_empty() {
            return cols;
        }
        let code = self.code_parts(f);
        let start = f.holes + f.captured.iter().map(|(_, r)| self.width(r)).sum::<usize>();
        let mut out = cols[..start].to_vec();
        let applied = self.parts(&f.applied, &cols[start..]);
        for (v, p) in applied.into_iter().zip(&code.params) {
            let v = if has_unique(&p.ty) { self.copy(v, span) } else { v };
            out.extend(v.cols);
        }
        out
    }

    /// Apply a function inside the lambda of an operator: the body of a lambda is put in place.
    pub fn inline(&mut self, f: &Value, args: Vec<Value>, result: Option<&Mono>, span: Span) -> Value {
        let Rep::Fn(known) = &f.rep else { return self.apply(f.clone(), args, result, span) };
        let node = match &known.code {
            Code::Lambda(node) | Code::Local(node) => *node,
            Code::Def(_) | Code::BuiltIn(..) | Code::Flipped | Code::Projection(_) => {
                return self.apply(f.clone(), args, result, span);
            }
        };
        let copies = self.inlined.entry(node).or_default();
        *copies += 1;
        if *copies > MAX_COPIES || self.arity(known) != known.applied.len() + args.len() {
            return self.apply(f.clone(), args, result, span);
        }
        let code = self.code_parts(known);
        let mut scope = Scope::new(known.env, known.tys.clone(), f.cols[..known.holes].to_vec());
        let cols = self.own_copies(known, f.cols.clone(), span);
        let reps: Vec<Rep> = known.parts().cloned().collect();
        let mut values = self.parts(&reps, &cols[known.holes..]).into_iter();
        for (var, _) in &known.captured {
            if let Some(v) = values.next() {
                scope.vars.insert(*var, v);
            }
        }
        let values: Vec<Value> = values.chain(args).collect();
        for (p, v) in code.params.iter().zip(&values) {
            self.bind_sure_sizes(&mut scope, &p.ty, v);
            self.check_param_sizes(&mut scope, &p.ty, v, span);
            self.bind_pat(&mut scope, p, v.clone());
        }
        for (p, v) in code.params.iter().zip(&values) {
            self.bind_open_sizes(&mut scope, &p.ty, v);
        }
        self.exp(&mut scope, code.body)
    }

    fn apply_class(
        &mut self,
        class: ClassId,
        cols: Vec<Atom>,
        args: Vec<Value>,
        result: &Mono,
        span: Span,
    ) -> Value {
        let class = self.classes.find(class);
        let place = Place::Result(class, args.len());
        let mut part = 1000;
        let mut values = Vec::new();
        for v in args {
            let rep = self.dynamic(&v.rep, &place, &mut part);
            values.push(self.coerce(v, &rep, span));
        }
        let reps = values.iter().map(|v| self.classes.canonical(&v.rep)).collect();
        let mono = result.map_sizes(&mut crate::mono::without_size);
        let inst = self.instance(InstKey::Apply(class, reps, mono));
        let all = cols.into_iter().chain(values.into_iter().flat_map(|v| v.cols)).collect();
        self.call_instance(&inst, all, span)
    }

    /// A branch for each function that a value of a class can be.
    pub fn dispatch(
        &mut self,
        f: &Value,
        class: ClassId,
        args: Vec<Value>,
        mono: &Mono,
        result: &Rep,
        span: Span,
    ) -> Value {
        let (tag, count) = match self.layout(class) {
            Layout::Inline(shape) => (f.cols[0], shape.members.len()),
            Layout::Cell(data) => (self.tag(f.cols[0], data, span), self.constructors(data).len()),
        };
        let mut bodies = Vec::new();
        for i in 0..count {
            self.b.begin_body();
            let member = self.member(f, class, i, span);
            let v = self.apply(member, args.clone(), Some(mono), span);
            let v = self.coerce(v, result, span);
            bodies.push((self.b.suspend(), v));
        }
        if bodies.is_empty() {
            return self.blank(result, None, span);
        }
        let place = Place::Result(class, 0);
        self.merge(bodies, &place, span, |mut bodies| {
            let default = bodies.pop().unwrap_or_default();
            let cases = bodies.into_iter().enumerate().map(|(i, b)| (i as i64, b)).collect();
            Exp::Control(ControlExp::Switch { scrutinee: tag, cases, default })
        })
    }

    /// A value of a class as the function that it is.
    fn member(&mut self, f: &Value, class: ClassId, at: usize, span: Span) -> Value {
        match self.layout(class) {
            Layout::Cell(data) => {
                let mut fields = self.load(f.cols[0], data, at, span);
                fields.pop().unwrap_or_else(|| panic!("lower: a cell without function"))
            }
            Layout::Inline(shape) => {
                let slots = self.parts(&shape.slots, &f.cols[1..]);
                let cols = shape.places[at].iter().flat_map(|slot| &slots[*slot].cols).copied().collect();
                Value { rep: Rep::Fn(shape.members[at].clone()).open(), cols }
            }
        }
    }

    pub fn class_span(&self, class: ClassId) -> Span {
        match self.classes.shape(class).members.first().map(|m| &**m) {
            Some(FnRep { code: Code::Lambda(node), .. }) => self.nodes.get(node).map(|e| e.span),
            _ => None,
        }
        .unwrap_or_else(|| self.no_span())
    }

    pub fn tuple_part(&self, v: &Value, i: usize) -> Value {
        self.field(v, Symbol::tuple_field(i))
    }
}

/// A function with more arguments.
fn with_more(f: &FnRep, cols: Vec<Atom>, args: Vec<Value>) -> Value {
    let mut f = f.clone();
    let mut cols = cols;
    for a in args {
        f.applied.push(a.rep);
        cols.extend(a.cols);
    }
    Value { rep: Rep::Fn(Rc::new(f)), cols }
}

fn dim_parts(d: &norn_check::typed::DimIndex) -> usize {
    use norn_check::typed::DimIndex;
    match d {
        DimIndex::Fix(_) => 1,
        DimIndex::Slice { start, end, stride } => {
            [start, end, stride].into_iter().filter(|x| x.is_some()).count()
        }
    }
}

fn slice_of(d: &norn_check::typed::DimIndex, values: &mut dyn Iterator<Item = Value>) -> crate::exp::Slice {
    use crate::exp::Slice;
    use norn_check::typed::DimIndex;
    let mut next = || values.next().unwrap_or_else(|| panic!("lower: too few indices"));
    match d {
        DimIndex::Fix(_) => Slice::Fix(next()),
        DimIndex::Slice { start, end, stride } => {
            let start = start.is_some().then(&mut next);
            let end = end.is_some().then(&mut next);
            let stride = stride.is_some().then(&mut next);
            Slice::Range { start, end, stride }
        }
    }
}
