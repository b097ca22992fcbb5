//! Rules about expressions and patterns: 2, 4, 5, 8, 9, 10, and those about types for the types
//! they have.

use super::Verifier;
use super::scope::sizes_made;
use crate::typed::{DimIndex, Exp, ExpKind, Lit, Loop, LoopForm, Pat, PatKind, Step};
use crate::types::{Prim, RetTy, Ty, TyIdKind, TyKind, VarId, prim};
use crate::walk::each_child;
use norn_base::Symbol;

impl<'a> Verifier<'a> {
    pub(super) fn bind(&mut self, v: VarId) {
        if !self.scope.bind(v) {
            let name = self.names.var(v).name;
            self.violation(4, format!("`{name}` is bound twice"));
        }
    }

    fn used(&mut self, v: VarId) {
        if !self.is_visible(v) {
            let name = self.names.var(v).name;
            self.violation(5, format!("`{name}` is not in scope"));
        }
    }

    /// An expression with a scope of its own for the sizes that come into existence in it.
    pub(super) fn body(&mut self, e: &'a Exp) {
        let mark = self.scope.mark();
        let mut sizes = Vec::new();
        sizes_made(e, &mut sizes);
        sizes.into_iter().for_each(|v| self.scope.add(v));
        self.exp(e);
        self.scope.reset(mark);
    }

    fn exp(&mut self, e: &'a Exp) {
        self.parts(e);
        self.span = Some(e.span);
        self.plain_ty(&e.ty);
        self.own_rules(e);
    }

    /// The parts of an expression, each in its scope.
    fn parts(&mut self, e: &'a Exp) {
        match &e.kind {
            ExpKind::Lambda { params, body, ret, .. } => {
                let mark = self.scope.mark();
                params.iter().for_each(|p| self.bind_pat(p));
                params.iter().for_each(|p| self.pat(p));
                self.ret(ret);
                self.body(body);
                self.scope.reset(mark);
            }
            ExpKind::LetPat { sizes, pat, bound, body } => {
                self.exp(bound);
                let mark = self.scope.mark();
                self.span = Some(pat.span);
                sizes.iter().for_each(|v| self.bind(*v));
                self.bind_pat(pat);
                self.pat(pat);
                self.exp(body);
                self.scope.reset(mark);
            }
            ExpKind::LetFun { var, fun, body } => {
                self.fun(fun);
                let mark = self.scope.mark();
                self.span = Some(e.span);
                self.bind(*var);
                self.exp(body);
                self.scope.reset(mark);
            }
            ExpKind::LetWith { dest, source, source_ty, steps, value, body, .. } => {
                self.span = Some(e.span);
                self.used(*source);
                self.plain_ty(source_ty);
                self.steps(steps);
                self.exp(value);
                let mark = self.scope.mark();
                self.bind(*dest);
                self.exp(body);
                self.scope.reset(mark);
            }
            ExpKind::If(c, a, b) => {
                self.exp(c);
                self.body(a);
                self.body(b);
            }
            ExpKind::Match(x, cases) => {
                self.exp(x);
                for case in cases {
                    let mark = self.scope.mark();
                    self.bind_pat(&case.pat);
                    self.pat(&case.pat);
                    self.body(&case.body);
                    self.scope.reset(mark);
                }
            }
            ExpKind::Loop(l) => self.loop_parts(l),
            _ => {
                let mut parts = Vec::new();
                each_child(e, &mut |x| parts.push(x));
                parts.into_iter().for_each(|x| self.exp(x));
            }
        }
    }

    fn loop_parts(&mut self, l: &'a Loop) {
        self.exp(&l.init);
        let mark = self.scope.mark();
        self.span = Some(l.pat.span);
        match &l.form {
            LoopForm::For(i, bound) => {
                self.body(bound);
                self.span = Some(l.pat.span);
                self.bind(*i);
            }
            LoopForm::ForIn(p, array) => {
                let mut sizes = Vec::new();
                sizes_made(array, &mut sizes);
                sizes.into_iter().for_each(|v| self.scope.add(v));
                self.exp(array);
                self.bind_pat(p);
                self.pat(p);
            }
            LoopForm::While(_) => {}
        }
        self.span = Some(l.pat.span);
        l.sizes.iter().for_each(|v| self.bind(*v));
        self.bind_pat(&l.pat);
        self.pat(&l.pat);
        if let LoopForm::While(condition) = &l.form {
            self.body(condition);
        }
        self.body(&l.body);
        self.scope.reset(mark);
    }

    fn steps(&mut self, steps: &'a [Step]) {
        for step in steps {
            let Step::Index(dims) = step else { continue };
            for dim in dims {
                match dim {
                    DimIndex::Fix(x) => self.exp(x),
                    DimIndex::Slice { start, end, stride } => {
                        [start, end, stride].into_iter().flatten().for_each(|x| self.exp(x));
                    }
                }
            }
        }
    }

    /// What concerns the expression itself and the types of its parts.
    fn own_rules(&mut self, e: &Exp) {
        match &e.kind {
            ExpKind::Error => self.violation(1, "an expression with an error"),
            ExpKind::Var(v) => self.used(*v),
            ExpKind::Lit(lit) => self.require(9, is_lit_of(lit, &e.ty), "a literal of another type"),
            ExpKind::Parens(x) | ExpKind::Attr(_, x) => {
                self.require(
                    9,
                    same_but_marks(&x.ty, &e.ty),
                    "parentheses or an attribute that change the type",
                );
            }
            ExpKind::If(c, ..) | ExpKind::Assert(c, _) => {
                self.require(9, c.ty == prim(Prim::Bool), "a condition that is no boolean");
            }
            ExpKind::Record(fields) => {
                let mut names: Vec<Symbol> = fields.iter().map(|(f, _)| *f).collect();
                names.sort();
                let same = match &*e.ty {
                    TyKind::Record(ts) => ts.iter().map(|(f, _)| f).eq(names.iter()),
                    _ => false,
                };
                self.require(9, same, "a record whose type has other fields");
            }
            ExpKind::Constr(c, xs) => {
                let payloads = match &*e.ty {
                    TyKind::Sum(cs) => payload_count(cs, *c),
                    TyKind::Con(id, _) => match &self.names.ty(*id).kind {
                        TyIdKind::Rec(Some(def)) => payload_count(&def.constrs, *c),
                        TyIdKind::Rec(None) | TyIdKind::Param | TyIdKind::Abstract => None,
                    },
                    _ => None,
                };
                self.require(10, payloads == Some(xs.len()), "a constructor that its type does not have");
            }
            ExpKind::Apply(f, args) => self.applied(&f.ty, args.len()),
            ExpKind::BinOp(op, ..) => self.applied(&op.ty, 2),
            ExpKind::LeftSection(op, _) | ExpKind::RightSection(op, _) => self.applied(&op.ty, 2),
            ExpKind::Lambda { params, ret, .. } => self.lambda_type(&e.ty, params, ret),
            ExpKind::Str(_)
            | ExpKind::Hole
            | ExpKind::Array(_)
            | ExpKind::Project(..)
            | ExpKind::Index(..)
            | ExpKind::ProjSection(_)
            | ExpKind::Negate(_)
            | ExpKind::Not(_)
            | ExpKind::Ascript(_)
            | ExpKind::Coerce(_)
            | ExpKind::Range { .. }
            | ExpKind::LetPat { .. }
            | ExpKind::LetFun { .. }
            | ExpKind::LetWith { .. }
            | ExpKind::Loop(_)
            | ExpKind::Match(..)
            | ExpKind::Update(..) => {}
        }
    }

    fn applied(&mut self, f: &Ty, args: usize) {
        let mut t = f;
        for _ in 0..args {
            match &**t {
                TyKind::Arrow(a) => t = &a.ret.ty,
                _ => return self.violation(8, "a function applied to too many arguments"),
            }
        }
    }

    fn lambda_type(&mut self, t: &Ty, params: &[Pat], ret: &RetTy) {
        let mut t = t;
        let mut result = None;
        for _ in params {
            let TyKind::Arrow(a) = &**t else {
                return self.violation(8, "a lambda with more parameters than its type");
            };
            t = &a.ret.ty;
            result = Some(t);
        }
        let same = result.is_some_and(|t| same_but_marks(t, &ret.ty));
        self.require(8, same, "a lambda whose type has another result");
    }

    /// The variables of a pattern come into scope, and the sizes that matching gives.
    pub(super) fn bind_pat(&mut self, p: &Pat) {
        self.span = Some(p.span);
        match &p.kind {
            PatKind::Var(v) => self.bind(*v),
            PatKind::Wildcard | PatKind::Lit(_) => {}
            PatKind::Record(parts) => parts.iter().for_each(|(_, p)| self.bind_pat(p)),
            PatKind::Constr(_, parts) => parts.iter().for_each(|p| self.bind_pat(p)),
            PatKind::Opened(sizes, p) => {
                sizes.iter().for_each(|v| self.bind(*v));
                self.bind_pat(p);
            }
        }
    }

    /// The types in a pattern.
    pub(super) fn pat(&mut self, p: &Pat) {
        self.span = Some(p.span);
        self.marked_ty(&p.ty);
        match &p.kind {
            PatKind::Var(_) | PatKind::Wildcard => {}
            PatKind::Lit(lit) => self.require(9, is_lit_of(lit, &p.ty), "a literal of another type"),
            PatKind::Record(parts) => {
                self.sorted(parts.iter().map(|(f, _)| *f), &p.ty);
                parts.iter().for_each(|(_, p)| self.pat(p));
            }
            PatKind::Constr(_, parts) => parts.iter().for_each(|p| self.pat(p)),
            PatKind::Opened(_, inner) => self.pat(inner),
        }
    }
}

/// Whether two types differ at most in what is unique or consumed: that is found out last, for
/// lambdas themselves and not for what is around them.
fn same_but_marks(a: &Ty, b: &Ty) -> bool {
    match (&**a, &**b) {
        (TyKind::Unique(a), _) => same_but_marks(a, b),
        (_, TyKind::Unique(b)) => same_but_marks(a, b),
        (TyKind::Record(xs), TyKind::Record(ys)) => {
            xs.len() == ys.len() && xs.iter().zip(ys).all(|((f, x), (g, y))| f == g && same_but_marks(x, y))
        }
        (TyKind::Sum(xs), TyKind::Sum(ys)) => {
            let same = |xs: &[Ty], ys: &[Ty]| {
                xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| same_but_marks(x, y))
            };
            xs.len() == ys.len() && xs.iter().zip(ys).all(|((c, xs), (d, ys))| c == d && same(xs, ys))
        }
        (TyKind::Array(m, x), TyKind::Array(n, y)) => m == n && same_but_marks(x, y),
        (TyKind::Arrow(x), TyKind::Arrow(y)) => {
            same_but_marks(&x.arg, &y.arg)
                && x.ret.exts.len() == y.ret.exts.len()
                && same_but_marks(&x.ret.ty, &y.ret.ty)
        }
        _ => a == b,
    }
}

fn payload_count(constrs: &[(Symbol, Vec<Ty>)], c: Symbol) -> Option<usize> {
    constrs.iter().find(|(d, _)| *d == c).map(|(_, ts)| ts.len())
}

fn is_lit_of(lit: &Lit, t: &Ty) -> bool {
    match lit {
        Lit::Bool(_) => *t == prim(Prim::Bool),
        Lit::Int(p, _) | Lit::Float(p, _) => *t == prim(*p),
    }
}
