//! Expressions with sizes: from the tree of the parser and the types without sizes to the typed tree.
//!
//! By now every expression has a type, without sizes. This walk gives each type its sizes: fresh unknowns where an
//! expression makes a new array, those of the parts everywhere else, and unification where two must be one. A size that
//! no expression can name becomes existential: `filter` returns an array of *some* size, and so does a range whose bounds
//! are not sizes. Literals get their values here, since only now is it known whether they fit their types.
//!
//! Applications, loops and functions have files of their own.

use super::pattern::{BoundSizes, pattern_vars};
use super::slice::SliceSize;
use super::term::exp_size;
use super::{Constraint, InstKind, Sizer, Source};
use crate::infer::Why;
use crate::infer::meta::constrs_of;
use crate::subst;
use crate::typed::{Case, DimIndex, Exp, ExpKind, Step};
use crate::types::{self, Arrow, Diet, Prim, RetTy, Size, Ty, TyKind, VarId};
use norn_base::{Diagnostic, Span, Symbol, codes};
use norn_syntax::ast::{self, RangeKind};
use rustc_hash::FxHashMap;

impl Sizer<'_> {
    pub(super) fn exp(&mut self, e: &ast::Exp) -> Exp {
        let span = e.span;
        let make = |kind: ExpKind, ty: Ty| Exp { kind, ty, exts: Vec::new(), span };
        match &e.kind {
            ast::ExpKind::Lit(lit) => self.literal_exp(e, lit, false),
            ast::ExpKind::Var(_) => self.var_exp(e.id, span),
            ast::ExpKind::Hole => {
                let ty = self.inferred(e.id, InstKind::Open, span);
                make(ExpKind::Hole, ty)
            }
            ast::ExpKind::Parens(inner) => {
                let inner = self.exp(inner);
                let ty = inner.ty.clone();
                make(ExpKind::Parens(Box::new(inner)), ty)
            }
            ast::ExpKind::LocalOpen(_, inner) => {
                let mut inner = self.exp(inner);
                inner.span = span;
                inner
            }
            ast::ExpKind::Attr(attr, inner) => {
                let inner = self.exp(inner);
                let ty = inner.ty.clone();
                make(ExpKind::Attr(attr.clone(), Box::new(inner)), ty)
            }
            ast::ExpKind::Tuple(es) => {
                let fields =
                    es.iter().enumerate().map(|(i, e)| (Symbol::tuple_field(i), self.exp(e))).collect();
                self.record_value(fields, span)
            }
            ast::ExpKind::Record(fields) => {
                let fields = fields
                    .iter()
                    .map(|f| {
                        let value = match &f.value {
                            Some(e) => self.exp(e),
                            None => self.var_exp(f.id, f.name.span),
                        };
                        (f.name.name, value)
                    })
                    .collect();
                self.record_value(fields, span)
            }
            ast::ExpKind::Array(es) => self.array_exp(e, es),
            ast::ExpKind::Project(inner, field) => {
                let inner = self.exp(inner);
                project(inner, field.name, span)
            }
            ast::ExpKind::Index(array, slice) => {
                let slice: Vec<DimIndex> = slice.iter().map(|d| self.dim_index(d)).collect();
                let array = self.exp(array);
                let t = self.norm(&array.ty);
                let (ty, exts) = self.slice_type(&t, &slice, SliceSize::Unknown, span);
                Exp { kind: ExpKind::Index(Box::new(array), slice), ty, exts, span }
            }
            ast::ExpKind::Apply(f, args) => self.application(f, args, span),
            ast::ExpKind::BinOp(l, op, r) => self.bin_op(l, op, r, span),
            ast::ExpKind::OpSection(op) => {
                let mut op = self.var_exp(op.id, op.span);
                op.span = span;
                op
            }
            ast::ExpKind::LeftSection(l, op) => self.left_section(l, op, span),
            ast::ExpKind::RightSection(op, r) => self.right_section(op, r, span),
            ast::ExpKind::ProjSection(steps) => self.proj_section(e, steps),
            ast::ExpKind::Constr(c, es) => self.constr_exp(e, c.name, es),
            ast::ExpKind::Negate(inner) => {
                if let ast::ExpKind::Lit(lit @ (ast::Lit::Int { .. } | ast::Lit::Float { .. })) = &inner.kind
                {
                    // The sign counts when the literal is compared with the range of its type.
                    let lit = self.literal_exp(inner, lit, true);
                    return Exp { span, ..lit };
                }
                let inner = self.exp(inner);
                let ty = inner.ty.clone();
                make(ExpKind::Negate(Box::new(inner)), ty)
            }
            ast::ExpKind::Not(inner) => {
                let inner = self.exp(inner);
                let ty = inner.ty.clone();
                make(ExpKind::Not(Box::new(inner)), ty)
            }
            ast::ExpKind::Ascript(inner, te) => {
                let (declared, _) = self.flexible_type(te);
                let declared = types::plain(&declared);
                let inner = self.exp(inner);
                let found = self.norm(&inner.ty);
                self.unify(inner.span, Why::Ascribed(te.span), &declared, &found);
                let ty = inner.ty.clone();
                make(ExpKind::Ascript(Box::new(inner)), ty)
            }
            ast::ExpKind::Coerce(inner, te) => self.coercion(inner, te, span),
            ast::ExpKind::Range { start, second, kind, end } => {
                self.range(start, second.as_deref(), *kind, end, span)
            }
            ast::ExpKind::If(c, a, b) => {
                let c = self.exp(c);
                let a = self.exp(a);
                let b = self.exp(b);
                let (ty, exts) = self.unify_branches(b.span, a.span, &a.ty, &b.ty);
                Exp { kind: ExpKind::If(Box::new(c), Box::new(a), Box::new(b)), ty, exts, span }
            }
            ast::ExpKind::LetPat { sizes, pat, bound, body } => self.let_pat(sizes, pat, bound, body, span),
            ast::ExpKind::LetFun(f) => self.let_fun(f, span),
            ast::ExpKind::LetWith { name, source, steps, value, body } => {
                self.let_with(e, name, *source, steps, value, body)
            }
            ast::ExpKind::Lambda { params, ret, body } => self.lambda(e, params, ret.as_deref(), body, None),
            ast::ExpKind::Loop(l) => self.loop_exp(l, span),
            ast::ExpKind::Match(scrutinee, cases) => self.match_exp(scrutinee, cases, span),
            ast::ExpKind::Assert(c, inner) => {
                let c = self.exp(c);
                let inner = self.exp(inner);
                let ty = inner.ty.clone();
                make(ExpKind::Assert(Box::new(c), Box::new(inner)), ty)
            }
            ast::ExpKind::Update(target, steps, value) => self.update_exp(target, steps, value, span),
            ast::ExpKind::Error => make(ExpKind::Error, types::error()),
        }
    }

    fn literal_exp(&mut self, e: &ast::Exp, lit: &ast::Lit, negated: bool) -> Exp {
        if let ast::Lit::Str(bytes) = lit {
            let ty = types::array(Size::Const(bytes.len() as i64), types::prim(Prim::U8));
            return Exp { kind: ExpKind::Str(bytes.clone()), ty, exts: Vec::new(), span: e.span };
        }
        let ty = self.inferred(e.id, InstKind::Local, e.span);
        let kind = self.literal(lit, negated, &ty, e.span).map_or(ExpKind::Error, ExpKind::Lit);
        Exp { kind, ty, exts: Vec::new(), span: e.span }
    }

    /// A variable, then fields of it.
    pub(super) fn var_exp(&mut self, id: ast::NodeId, span: Span) -> Exp {
        let Some(r) = self.cx.tables.refs.get(id).cloned() else {
            return Exp { kind: ExpKind::Error, ty: types::error(), exts: Vec::new(), span };
        };
        let ty = self.var_type(r.var, id, span);
        let var = Exp { kind: ExpKind::Var(r.var), ty, exts: Vec::new(), span };
        r.fields.iter().fold(var, |e, f| project(e, f.name, span))
    }

    fn array_exp(&mut self, e: &ast::Exp, es: &[ast::Exp]) -> Exp {
        let size = Size::Const(es.len() as i64);
        let Some((first, rest)) = es.split_first() else {
            let t = self.inferred(e.id, InstKind::Local, e.span);
            let ty = match &*t {
                TyKind::Array(_, elem) => types::array(size, elem.clone()),
                _ => t.clone(),
            };
            self.unify(e.span, Why::Element(e.span), &ty, &t);
            return Exp { kind: ExpKind::Array(Vec::new()), ty, exts: Vec::new(), span: e.span };
        };
        let first = self.exp(first);
        let first_span = first.span;
        let mut elem = first.ty.clone();
        let mut all = vec![first];
        for e in rest {
            let e = self.exp(e);
            if let Err(clash) = self.try_unify(&elem, &e.ty) {
                let (a, b) = (self.norm(&elem), self.norm(&e.ty));
                match self.irregular_join(e.span, &a, &b) {
                    Some(t) => elem = t,
                    None => self.report_clash(e.span, &Why::Element(first_span), &a, &b, clash),
                }
            }
            all.push(e);
        }
        Exp { kind: ExpKind::Array(all), ty: types::array(size, elem), exts: Vec::new(), span: e.span }
    }

    pub(super) fn dim_index(&mut self, d: &ast::DimIndex) -> DimIndex {
        match d {
            ast::DimIndex::Fix(e) => DimIndex::Fix(self.exp(e)),
            ast::DimIndex::Slice { start, end, stride, .. } => DimIndex::Slice {
                start: start.as_ref().map(|e| self.exp(e)),
                end: end.as_ref().map(|e| self.exp(e)),
                stride: stride.as_ref().map(|e| self.exp(e)),
            },
        }
    }

    fn proj_section(&mut self, e: &ast::Exp, steps: &[ast::Step]) -> Exp {
        let t = self.cx.tables.types.get(e.id).map(|t| self.metas.head(t));
        let arg = match t.as_deref() {
            Some(TyKind::Arrow(a)) => self.give_sizes(&a.arg, InstKind::Local, e.span),
            _ => types::error(),
        };
        let (steps, result, exts) = self.follow(&arg, steps, SliceSize::Existential, e.span);
        let arrow =
            Arrow { param: None, diet: Diet::Observe, arg, ret: RetTy { exts: exts.clone(), ty: result } };
        // They are bound in the type of the function, not by this expression.
        for v in exts {
            self.entries.remove(&v);
        }
        Exp {
            kind: ExpKind::ProjSection(steps),
            ty: Ty::new(TyKind::Arrow(arrow)),
            exts: Vec::new(),
            span: e.span,
        }
    }

    /// Follow a path into a value of a type.
    fn follow(
        &mut self,
        t: &Ty,
        steps: &[ast::Step],
        how: SliceSize,
        span: Span,
    ) -> (Vec<Step>, Ty, Vec<VarId>) {
        let mut t = t.clone();
        let mut exts = Vec::new();
        let mut typed = Vec::new();
        for step in steps {
            match step {
                ast::Step::Field(f) => {
                    t = self.norm(&t).field(f.name).cloned().unwrap_or_else(types::error);
                    typed.push(Step::Field(f.name));
                }
                ast::Step::Index(slice, _) => {
                    let slice: Vec<DimIndex> = slice.iter().map(|d| self.dim_index(d)).collect();
                    let whole = self.norm(&t);
                    let (part, mut new) = self.slice_type(&whole, &slice, how, span);
                    t = part;
                    exts.append(&mut new);
                    typed.push(Step::Index(slice));
                }
            }
        }
        (typed, t, exts)
    }

    fn constr_exp(&mut self, e: &ast::Exp, c: Symbol, es: &[ast::Exp]) -> Exp {
        let ty = self.inferred(e.id, InstKind::Open, e.span);
        let es: Vec<Exp> = es.iter().map(|e| self.exp(e)).collect();
        let recursive = matches!(&*ty, TyKind::Con(..));
        let payload =
            constrs_of(&mut self.cx.names, &ty).and_then(|cs| cs.into_iter().find(|(d, _)| *d == c));
        if let Some((_, ts)) = payload {
            for (t, e) in ts.iter().zip(&es) {
                // Any size may be hidden in a recursive value.
                let t = if recursive {
                    self.open_with(t, &mut |this| {
                        this.flexible("k", e.span, "this part of a recursive value")
                    })
                } else {
                    t.clone()
                };
                self.unify(e.span, Why::Element(e.span), &t, &e.ty.clone());
            }
        }
        Exp { kind: ExpKind::Constr(c, es), ty, exts: Vec::new(), span: e.span }
    }

    fn coercion(&mut self, inner: &ast::Exp, te: &ast::TypeExp, span: Span) -> Exp {
        let (declared, open) = self.flexible_type(te);
        let declared = types::plain(&declared);
        let inner = self.exp(inner);
        let found = self.norm(&inner.ty);
        // Whatever sizes the value has are accepted, except where an anonymous size keeps its own.
        let accepting = subst::map_sizes(&declared, &mut |s| match s {
            Size::Var(v) if open.contains(v) => s.clone(),
            _ => self.flexible("coerced", span, "the size of what is coerced"),
        });
        self.unify(inner.span, Why::Ascribed(te.span), &accepting, &found);
        let ty = self.norm(&declared);
        Exp { kind: ExpKind::Coerce(Box::new(inner)), ty, exts: Vec::new(), span }
    }

    fn range(
        &mut self,
        start: &ast::Exp,
        second: Option<&ast::Exp>,
        kind: RangeKind,
        end: &ast::Exp,
        span: Span,
    ) -> Exp {
        let start = self.exp(start);
        let second = second.map(|e| self.exp(e));
        let end = self.exp(end);
        let elem = start.ty.clone();
        if let Some(s) = &second
            && exp_size(&start).is_some_and(|a| exp_size(s) == Some(a))
            && matches!(start.bare().kind, ExpKind::Lit(_) | ExpKind::Var(_))
        {
            self.cx.warning(Diagnostic::warning(
                codes::SUSPICIOUS_RANGE,
                span,
                "The first and second element of this range are the same, so it never advances.",
            ));
        }
        let is_i64 = matches!(&*elem, TyKind::Prim(Prim::I64));
        let constant = |e: &Exp| match exp_size(e) {
            Some(Size::Const(c)) => Some(c),
            _ => None,
        };
        let known = match (constant(&start), second.as_ref().map(constant), kind) {
            _ if !is_i64 => None,
            (Some(0), None | Some(Some(1)), RangeKind::UpTo) => self.size_or_warn(&end),
            (_, None, RangeKind::UpTo) => self.range_size(&start, &end, false),
            (Some(1), Some(Some(2)), RangeKind::To) => self.size_or_warn(&end),
            (_, None, RangeKind::To) => self.range_size(&start, &end, true),
            _ => None,
        };
        let (size, exts) = match known {
            Some(s) => (s, Vec::new()),
            None => {
                let v = self.rigid("range", span, Source::Range);
                (Size::Var(v), vec![v])
            }
        };
        let kind =
            ExpKind::Range { start: Box::new(start), second: second.map(Box::new), kind, end: Box::new(end) };
        Exp { kind, ty: types::array(size, elem), exts, span }
    }

    fn range_size(&mut self, start: &Exp, end: &Exp, inclusive: bool) -> Option<Size> {
        let to = self.size_or_warn(end)?;
        let from = self.size_or_warn(start)?;
        let difference = self.minus(to, from);
        Some(if inclusive { self.operator("+", difference, Size::Const(1)) } else { difference })
    }

    fn let_pat(
        &mut self,
        binders: &[ast::SizeBinder],
        pat: &ast::Pat,
        bound: &ast::Exp,
        body: &ast::Exp,
        span: Span,
    ) -> Exp {
        let bound = self.exp(bound);
        let t = bound.ty.clone();
        let (sizes, stand_ins) = self.stand_ins(binders);
        self.level += 1;
        let pat = self.pattern(pat, Some(&t), &stand_ins);
        self.check_size_binders(binders, &sizes, &pat);
        self.level += 1;
        let body = self.exp(body);
        self.level -= 2;
        let body_t = self.norm(&body.ty);
        let mut gone = pattern_vars(&pat);
        let (ty, exts) = match (&*t, &gone[..], exp_size(&bound)) {
            (TyKind::Prim(Prim::I64), [v], Some(size)) => {
                (subst::apply_sizes(&FxHashMap::from_iter([(*v, size)]), &body_t), Vec::new())
            }
            _ => {
                gone.extend(&sizes);
                self.unscope(span, &gone, &body_t)
            }
        };
        let kind =
            ExpKind::LetPat { sizes, pat: Box::new(pat), bound: Box::new(bound), body: Box::new(body) };
        Exp { kind, ty, exts, span }
    }

    /// Every size bound by `let [n]` must be the size of something.
    fn check_size_binders(&mut self, binders: &[ast::SizeBinder], sizes: &[VarId], pat: &crate::typed::Pat) {
        let (witnessed, _) = subst::size_witnesses(&types::plain(&pat.ty));
        for (b, v) in binders.iter().zip(sizes) {
            if !witnessed.contains(v) {
                self.fail(Diagnostic::error(
                    codes::UNUSED_SIZE_PARAMETER,
                    b.span,
                    format!("The size `{}` is not the size of anything that the pattern binds.", b.name.name),
                ));
            }
        }
    }

    fn let_with(
        &mut self,
        e: &ast::Exp,
        name: &ast::Ident,
        source: ast::NodeId,
        steps: &[ast::Step],
        value: &ast::Exp,
        body: &ast::Exp,
    ) -> Exp {
        let old = self.var_exp(source, name.span);
        let ExpKind::Var(source) = old.kind else {
            return Exp { kind: ExpKind::Error, ty: types::error(), exts: Vec::new(), span: e.span };
        };
        let old_t = self.norm(&old.ty);
        let (steps, value, new_t) = self.updated(&old_t, steps, value, e.span);
        let Some(dest) = self.cx.tables.binders.get(e.id).copied() else {
            return Exp { kind: ExpKind::Error, ty: types::error(), exts: Vec::new(), span: e.span };
        };
        self.bind_var(dest, new_t);
        let body = self.exp(body);
        let body_t = self.norm(&body.ty);
        let (ty, exts) = self.unscope(e.span, &[dest], &body_t);
        let kind = ExpKind::LetWith {
            dest,
            source,
            source_span: name.span,
            source_ty: old_t,
            steps,
            value: Box::new(value),
            body: Box::new(body),
        };
        Exp { kind, ty, exts, span: e.span }
    }

    fn update_exp(&mut self, target: &ast::Exp, steps: &[ast::Step], value: &ast::Exp, span: Span) -> Exp {
        let target = self.exp(target);
        let t = self.norm(&target.ty);
        let (steps, value, ty) = self.updated(&t, steps, value, span);
        Exp { kind: ExpKind::Update(Box::new(target), steps, Box::new(value)), ty, exts: Vec::new(), span }
    }

    /// The steps and the value of an update, and the type of the updated value. A record field may
    /// change its sizes, an array's elements may not.
    fn updated(&mut self, t: &Ty, steps: &[ast::Step], value: &ast::Exp, span: Span) -> (Vec<Step>, Exp, Ty) {
        let fields: Option<Vec<Symbol>> = steps
            .iter()
            .map(|s| match s {
                ast::Step::Field(f) => Some(f.name),
                ast::Step::Index(..) => None,
            })
            .collect();
        match fields {
            Some(fields) => {
                let value = self.exp(value);
                let new = self.replace_field(t, &fields, &value, span);
                (fields.into_iter().map(Step::Field).collect(), value, new)
            }
            None => {
                let (steps, part, _) = self.follow(t, steps, SliceSize::Flexible, span);
                let value = self.exp(value);
                self.unify(value.span, Why::Update, &part, &value.ty.clone());
                (steps, value, self.norm(t))
            }
        }
    }

    fn replace_field(&mut self, t: &Ty, path: &[Symbol], value: &Exp, span: Span) -> Ty {
        let Some((first, rest)) = path.split_first() else {
            let any = subst::map_sizes(t, &mut |_| self.flexible("any", span, "the field replaced"));
            self.unify(value.span, Why::Update, &any, &value.ty);
            return value.ty.clone();
        };
        match &**t {
            TyKind::Record(fields) => Ty::new(TyKind::Record(
                fields
                    .iter()
                    .map(|(f, t)| {
                        (*f, if f == first { self.replace_field(t, rest, value, span) } else { t.clone() })
                    })
                    .collect(),
            )),
            _ => t.clone(),
        }
    }

    fn match_exp(&mut self, scrutinee: &ast::Exp, cases: &[ast::Case], span: Span) -> Exp {
        let scrutinee = self.exp(scrutinee);
        let t = self.norm(&scrutinee.ty);
        let mut typed: Vec<Case> = Vec::new();
        let mut bodies: Vec<(Ty, Vec<VarId>, Span)> = Vec::new();
        for c in cases {
            self.level += 1;
            let pat = self.pattern(&c.pat, Some(&t), &BoundSizes::default());
            self.level += 1;
            let body = self.exp(&c.body);
            self.level -= 2;
            let body_t = self.norm(&body.ty);
            let (body_t, exts) = self.unscope(c.span, &pattern_vars(&pat), &body_t);
            bodies.push((body_t, exts, body.span));
            typed.push(Case { pat, body, span: c.span });
        }
        let (ty, exts) = match bodies.len() {
            1 => bodies.pop().map_or_else(
                || (types::error(), Vec::new()),
                |(t, mut exts, _)| {
                    let (t, made) = self.unscope_made_inside(span, &t);
                    exts.extend(made);
                    (t, exts)
                },
            ),
            _ => {
                let mut it = bodies.into_iter().rev();
                let mut joined = it.next().map_or_else(types::error, |(t, _, _)| t);
                let mut exts = Vec::new();
                let first_span = typed.first().map_or(span, |c| c.body.span);
                for (t, _, s) in it {
                    (joined, exts) = self.unify_branches(s, first_span, &t, &joined);
                }
                (joined, exts)
            }
        };
        Exp { kind: ExpKind::Match(Box::new(scrutinee), typed), ty, exts, span }
    }

    /// An unknown size for the value of an argument that cannot be written as a size.
    pub(super) fn value_size(&mut self, e: &Exp, fun: Option<Symbol>) -> VarId {
        self.new_size("n", e.span, Constraint::Unknown(Source::Argument(fun)), "")
    }
}

impl Sizer<'_> {
    /// A record or tuple as it is written.
    fn record_value(&mut self, fields: Vec<(Symbol, Exp)>, span: Span) -> Exp {
        let e = record_exp(fields, span);
        let ty = if self.cx.type_too_large(span, &e.ty) { types::error() } else { e.ty };
        Exp { ty, ..e }
    }
}

pub(super) fn record_exp(fields: Vec<(Symbol, Exp)>, span: Span) -> Exp {
    let ty = types::record(fields.iter().map(|(f, e)| (*f, e.ty.clone())).collect());
    Exp { kind: ExpKind::Record(fields), ty, exts: Vec::new(), span }
}

fn project(e: Exp, field: Symbol, span: Span) -> Exp {
    let ty = e.ty.field(field).cloned().unwrap_or_else(types::error);
    Exp { kind: ExpKind::Project(Box::new(e), field), ty, exts: Vec::new(), span }
}
