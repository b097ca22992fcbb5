//! Types of expressions, without sizes.
//!
//! Inference after Hindley and Milner: unknown types are variables, uses of polymorphic names are instances, and two types
//! that must agree are unified (`equate`, with the reason that an error would name). Types of records and numbers may be
//! known in part: "has a field `x`", "is one of these primitive types". An expression that is wrong has the type `error`,
//! which agrees with everything, so that one mistake is reported once.
//!
//! Sizes come later, in a walk of their own (`sizes`), when all types are known.

use super::meta::PrimSet;
use super::report::Noticed;
use super::{Infer, LocalKind, Why};
use crate::env::{Mod, Value};
use crate::types::{self, Prim, Scheme, Size, TParam, Ty, TyKind};
use norn_base::{Diagnostic, Span, Symbol, codes};
use norn_syntax::ast::{
    Case, DimIndex, Exp, ExpKind, Field, Ident, LetFun, Lit, Pat, QualName, Step, TypeExp, TypeParamKind,
};
use std::rc::Rc;

impl Infer<'_> {
    pub(super) fn exp(&mut self, e: &Exp) -> Ty {
        let t = self.exp_kind(e);
        // For a dotted name the entry is that of its variable, made when it was resolved.
        if !matches!(e.kind, ExpKind::Var(_)) {
            self.set_type(e.id, &t);
        }
        t
    }

    fn exp_kind(&mut self, e: &Exp) -> Ty {
        match &e.kind {
            ExpKind::Lit(lit) => self.literal(lit, e.span),
            ExpKind::Var(name) => self.qual_name(name, e.id),
            ExpKind::Hole => self.fresh(e.span),
            ExpKind::Parens(inner) => self.exp(inner),
            ExpKind::LocalOpen(name, inner) => self.local_open(name, inner),
            ExpKind::Tuple(es) => types::tuple(es.iter().map(|e| self.exp(e)).collect()),
            ExpKind::Record(fields) => self.record(fields),
            ExpKind::Array(es) => self.array(es, e.span),
            ExpKind::Project(inner, field) => {
                let t = self.exp(inner);
                self.project(&t, field)
            }
            ExpKind::Index(array, slice) => {
                let t = self.exp(array);
                self.index(&t, array.span, slice)
            }
            ExpKind::Apply(fun, args) => self.application(fun, args),
            ExpKind::Constr(c, es) => {
                let ts = es.iter().map(|e| self.exp(e)).collect();
                self.fresh_sum(vec![(c.name, ts)], e.span)
            }
            ExpKind::Negate(inner) => self.prefix(inner, "-", PrimSet::numbers()),
            ExpKind::Not(inner) => {
                let set = PrimSet::new(Prim::ALL.into_iter().filter(|p| p.is_int() || *p == Prim::Bool));
                self.prefix(inner, "!", set)
            }
            ExpKind::BinOp(l, op, r) => {
                let f = self.qual_name(&op.name, op.id);
                let lt = self.exp(l);
                let rt = self.exp(r);
                self.operands(op, f, [(Some(l.span), lt), (Some(r.span), rt)])
            }
            ExpKind::OpSection(op) => self.qual_name(&op.name, op.id),
            ExpKind::LeftSection(l, op) => {
                let f = self.qual_name(&op.name, op.id);
                let lt = self.exp(l);
                let rt = self.fresh(op.span);
                let result = self.operands(op, f, [(Some(l.span), lt), (None, rt.clone())]);
                types::fun(rt, result)
            }
            ExpKind::RightSection(op, r) => {
                let f = self.qual_name(&op.name, op.id);
                let rt = self.exp(r);
                let lt = self.fresh(op.span);
                let result = self.operands(op, f, [(None, lt.clone()), (Some(r.span), rt)]);
                types::fun(lt, result)
            }
            ExpKind::ProjSection(steps) => {
                let from = self.fresh(e.span);
                let to = self.follow(&from, steps, e.span);
                types::fun(from, to)
            }
            ExpKind::Ascript(inner, te) => self.ascription(inner, te),
            ExpKind::Coerce(inner, te) => {
                let t = self.exp(inner);
                let declared = self.type_exp(te);
                self.equate(inner.span, Why::Ascribed(te.span), &declared, &t);
                declared
            }
            ExpKind::Range { start, second, end, .. } => {
                let t = self.exp(start);
                self.require(start.span, "a range", &t, PrimSet::ints());
                for part in second.iter().chain([end]) {
                    let u = self.exp(part);
                    self.equate(part.span, Why::Range, &t, &u);
                }
                types::array(Size::Any, t)
            }
            ExpKind::If(c, a, b) => {
                self.condition(c);
                let at = self.exp(a);
                let bt = self.exp(b);
                self.equate(b.span, Why::Branches(a.span), &at, &bt);
                at
            }
            ExpKind::LetPat { sizes, pat, bound, body } => {
                let t = self.exp(bound);
                let mark = self.cx.scope.mark();
                let outer = std::mem::take(&mut self.together);
                for s in sizes {
                    self.bind_local(
                        s.id,
                        s.name.name,
                        s.name.span,
                        &types::prim(Prim::I64),
                        LocalKind::Counter,
                    );
                }
                let pt = self.pattern_of(pat, LocalKind::Let);
                self.together = outer;
                self.equate(pat.span, Why::Pattern(bound.span), &pt, &t);
                let result = self.exp(body);
                self.cx.scope.reset(mark);
                result
            }
            ExpKind::LetFun(f) => self.let_fun(f),
            ExpKind::LetWith { name, source, steps, value, body } => {
                let source_name = QualName { quals: Vec::new(), name: *name };
                let t = self.qual_name(&source_name, *source);
                self.share_with_source(*source, name.span);
                self.update(&t, steps, value, name.span);
                let mark = self.cx.scope.mark();
                let outer = std::mem::take(&mut self.together);
                self.bind_local(e.id, name.name, name.span, &t, LocalKind::Let);
                self.together = outer;
                let result = self.exp(body);
                self.cx.scope.reset(mark);
                result
            }
            ExpKind::Lambda { params, ret, body } => {
                let mark = self.cx.scope.mark();
                let outer = std::mem::take(&mut self.together);
                let ps: Vec<Ty> = params.iter().map(|p| self.pattern_of(p, LocalKind::FixedParam)).collect();
                self.together = outer;
                let result = self.body(body, ret.as_deref());
                self.cx.scope.reset(mark);
                ps.into_iter().rev().fold(result, |r, p| types::fun(p, r))
            }
            ExpKind::Loop(l) => self.loop_exp(l),
            ExpKind::Match(scrutinee, cases) => self.match_exp(scrutinee, cases),
            ExpKind::Assert(c, inner) => {
                self.condition(c);
                self.exp(inner)
            }
            ExpKind::Update(target, steps, value) => {
                let t = self.exp(target);
                self.update(&t, steps, value, target.span);
                t
            }
            ExpKind::Attr(_, inner) => self.exp(inner),
            ExpKind::Error => {
                self.failed = true;
                types::error()
            }
        }
    }

    fn literal(&mut self, lit: &Lit, span: Span) -> Ty {
        match lit {
            Lit::Int { suffix: Some(p), .. } | Lit::Float { suffix: Some(p), .. } => types::prim(*p),
            Lit::Int { suffix: None, .. } | Lit::Char(_) => self.fresh_prim(PrimSet::numbers(), span),
            Lit::Float { suffix: None, .. } => self.fresh_prim(PrimSet::floats(), span),
            Lit::Bool(_) => types::prim(Prim::Bool),
            Lit::Str(_) => types::array(Size::Any, types::prim(Prim::U8)),
        }
    }

    fn local_open(&mut self, name: &QualName, inner: &Exp) -> Ty {
        match self.resolve_module(name) {
            Some((_, Mod::Env(env))) => {
                let mark = self.cx.scope.mark();
                self.cx.scope.open_locally(&env);
                let t = self.exp(inner);
                self.cx.scope.reset(mark);
                t
            }
            Some((_, Mod::Fun(_))) => {
                self.fail(Diagnostic::error(
                    codes::NOT_A_MODULE,
                    name.span(),
                    format!("`{}` is a parametric module and cannot be opened.", name.name.name),
                ));
                types::error()
            }
            Some((_, Mod::Unread | Mod::Error)) | None => {
                self.failed = true;
                types::error()
            }
        }
    }

    fn record(&mut self, fields: &[Field]) -> Ty {
        let mut parts: Vec<(Symbol, Ty)> = Vec::new();
        for f in fields {
            let t = match &f.value {
                Some(e) => self.exp(e),
                None => self.qual_name(&QualName { quals: Vec::new(), name: f.name }, f.id),
            };
            if parts.iter().any(|(g, _)| *g == f.name.name) {
                let first =
                    fields.iter().find(|g| g.name.name == f.name.name).map_or(f.name.span, |g| g.name.span);
                self.duplicate(f.name.name, f.name.span, first);
            } else {
                parts.push((f.name.name, t));
            }
        }
        types::record(parts)
    }

    fn array(&mut self, es: &[Exp], span: Span) -> Ty {
        let elem = self.fresh_elem(span);
        let mut first = None;
        for e in es {
            let t = self.exp(e);
            let first = *first.get_or_insert(e.span);
            self.equate(e.span, Why::Element(first), &elem, &t);
        }
        types::array(Size::Any, elem)
    }

    pub(super) fn project(&mut self, t: &Ty, field: &Ident) -> Ty {
        let t = self.metas.head(t);
        match &*t {
            TyKind::Error => types::error(),
            TyKind::Meta(_) => {
                let part = self.fresh(field.span);
                let record = self.fresh_record(vec![(field.name, part.clone())], field.span);
                self.equate(field.span, Why::Field(field.name), &record, &t);
                part
            }
            _ => match t.field(field.name) {
                Some(part) => part.clone(),
                None => {
                    let shown = self.show(&t);
                    let mut d = Diagnostic::error(
                        codes::NO_SUCH_FIELD,
                        field.span,
                        format!("There is no field `{}` in a value of this type.", field.name),
                    )
                    .note(format!("the type is `{shown}`"));
                    if let TyKind::Record(fields) = &*t
                        && let Some(better) = crate::cx::suggest(field.name, fields.iter().map(|(f, _)| *f))
                    {
                        d = d.help(format!("did you mean `{better}`?")).fix(field.span, better.as_str());
                    }
                    self.notice(Noticed::NoSuchField(d, t.clone()));
                    types::error()
                }
            },
        }
    }

    /// The type of an array with some of its dimensions indexed and others sliced.
    fn index(&mut self, t: &Ty, span: Span, slice: &[DimIndex]) -> Ty {
        let elem = self.fresh_elem(span);
        let mut whole = elem.clone();
        let mut part = elem;
        let mut slices = 0;
        for d in slice {
            whole = types::array(Size::Any, whole);
            if matches!(d, DimIndex::Slice { .. }) {
                slices += 1;
            }
            self.dim_index(d);
        }
        for _ in 0..slices {
            part = types::array(Size::Any, part);
        }
        self.equate(span, Why::Indexed(slice.len()), &whole, t);
        part
    }

    fn dim_index(&mut self, d: &DimIndex) {
        match d {
            DimIndex::Fix(e) => {
                let t = self.exp(e);
                self.require(e.span, "an index", &t, PrimSet::signed());
            }
            DimIndex::Slice { start, end, stride, .. } => {
                for e in [start, end, stride].into_iter().flatten() {
                    let t = self.exp(e);
                    self.equate(e.span, Why::Slice, &types::prim(Prim::I64), &t);
                }
            }
        }
    }

    /// The type that a path leads to.
    fn follow(&mut self, from: &Ty, steps: &[Step], span: Span) -> Ty {
        steps.iter().fold(from.clone(), |t, step| match step {
            Step::Field(f) => self.project(&t, f),
            Step::Index(slice, _) => self.index(&t, span, slice),
        })
    }

    fn update(&mut self, t: &Ty, steps: &[Step], value: &Exp, span: Span) {
        let vt = self.exp(value);
        let part = self.follow(t, steps, span);
        self.equate(value.span, Why::Update, &part, &vt);
    }

    /// A type must be one of these primitive types.
    pub(super) fn require(&mut self, span: Span, what: &'static str, t: &Ty, set: PrimSet) {
        let expected = self.fresh_prim(set, span);
        self.equate(span, Why::Needed(what), &expected, t);
    }

    fn prefix(&mut self, inner: &Exp, op: &'static str, set: PrimSet) -> Ty {
        let t = self.exp(inner);
        let expected = self.fresh_prim(set, inner.span);
        self.equate(inner.span, Why::Operand(Symbol::new(op)), &expected, &t);
        t
    }

    pub(super) fn condition(&mut self, c: &Exp) {
        let t = self.exp(c);
        self.equate(c.span, Why::Condition, &types::prim(Prim::Bool), &t);
    }

    fn ascription(&mut self, inner: &Exp, te: &TypeExp) -> Ty {
        let t = self.exp(inner);
        let declared = self.type_exp(te);
        self.equate(inner.span, Why::Ascribed(te.span), &declared, &t);
        declared
    }

    pub(super) fn bind_pattern(&mut self, pat: &Pat, t: &Ty, bound: Span) {
        let pt = self.pattern(pat);
        self.equate(pat.span, Why::Pattern(bound), &pt, t);
    }

    /// The body of a function, with its declared result if there is one.
    fn body(&mut self, body: &Exp, ret: Option<&TypeExp>) -> Ty {
        let t = self.exp(body);
        match ret {
            Some(te) => {
                let declared = self.type_exp(te);
                self.equate(body.span, Why::Returned(Some(te.span)), &declared, &t);
                declared
            }
            None => t,
        }
    }

    fn let_fun(&mut self, f: &LetFun) -> Ty {
        let mark = self.cx.scope.mark();
        let outer = std::mem::take(&mut self.together);
        self.level += 1;
        self.bind_tparams(&f.tparams);
        let tparams: Vec<TParam> = f
            .tparams
            .iter()
            .filter_map(|p| match p.kind {
                TypeParamKind::Size => self.cx.tables.binders.get(p.id).map(|v| TParam::Size(*v)),
                TypeParamKind::Type(l) => {
                    let binding = self.cx.tables.type_refs.get(p.id)?;
                    match &*binding.ty.ty {
                        TyKind::Con(id, _) => Some(TParam::Type(*id, l)),
                        _ => None,
                    }
                }
            })
            .collect();
        let params: Vec<Ty> = f.params.iter().map(|p| self.param(p)).collect();
        let result = self.body(&f.def, f.ret.as_ref());
        self.level -= 1;
        self.together = outer;
        self.cx.scope.reset(mark);

        let ty = params.into_iter().rev().fold(result, |r, p| types::fun(p, r));
        // Instantiation must see the type parameters.
        let ty = self.metas.resolve(&ty);
        let var = self.binder(f.id, f.name.name, f.name.span);
        self.locals.push((var, LocalKind::Function));
        self.cx.set_value(var, Value::Scheme(Rc::new(Scheme { tparams, ty })));
        self.cx.scope.bind_term(f.name.name, crate::scope::Term::Val(var));
        let t = self.exp(&f.body);
        self.cx.scope.reset(mark);
        t
    }

    fn match_exp(&mut self, scrutinee: &Exp, cases: &[Case]) -> Ty {
        let t = self.exp(scrutinee);
        let mut result: Option<(Ty, Span)> = None;
        for c in cases {
            let mark = self.cx.scope.mark();
            self.bind_pattern(&c.pat, &t, scrutinee.span);
            let body = self.exp(&c.body);
            self.cx.scope.reset(mark);
            match &result {
                Some((first, span)) => {
                    self.equate(c.body.span, Why::Branches(*span), &first.clone(), &body);
                }
                None => result = Some((body, c.body.span)),
            }
        }
        result.map_or_else(types::error, |(t, _)| t)
    }
}
