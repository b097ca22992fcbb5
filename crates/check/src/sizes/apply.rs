//! Sizes of applications: the sizes of arguments determine those of results.
//!
//! ```text
//! zip: (xs: [n]a) -> (ys: [n]b) -> [n](a, b)      zip as bs      unifies the sizes of as and bs; the result has this size
//! filter: .. -> (as: [n]a) -> ?[k].[k]a           filter p xs    a new unknown size k comes into existence here
//! ```
//!
//! The arguments are checked in an order that knows sizes early: irregular arrays first, then other arrays, then lambdas, which so know the sizes of their parameters. A size that is only known inside of
//! another argument must not be needed (`check_producible`). Existential sizes are bound as far inside as possible.

use super::generalise::placed_vars;
use super::term::exp_size;
use super::unscope::first_var;
use super::{Constraint, Sizer, Source};
use crate::infer::Why;
use crate::print::Shower;
use crate::subst;
use crate::typed::{Arg, Exp, ExpKind};
use crate::types::{self, Arrow, RetTy, Size, Ty, TyKind, VarId};
use norn_base::{Diagnostic, Span, Symbol, codes};
use norn_syntax::ast;
use rustc_hash::FxHashMap;

/// The result of applying a function to one argument.
struct Applied {
    ty: Ty,
    /// The name of the argument's value as a size, if it needed one.
    arg_ext: Option<VarId>,
    exts: Vec<VarId>,
}

impl Sizer<'_> {
    pub(super) fn application(&mut self, f: &ast::Exp, args: &[ast::Exp], span: Span) -> Exp {
        let name = match &f.kind {
            ast::ExpKind::Var(name) => Some(name.name.name),
            _ => None,
        };
        let f = self.exp(f);
        let mut t = f.ty.clone();
        let args = self.arguments(&t, args);
        let mut exts = Vec::new();
        let mut typed = Vec::new();
        for (i, arg) in args.into_iter().enumerate() {
            let why = Why::Argument { fun: name, index: i, fun_span: f.span };
            let mut applied = self.apply_one(&t, &arg, why, name, span);
            t = applied.ty;
            exts.append(&mut applied.exts);
            typed.push(Arg { exp: arg, ext: applied.arg_ext });
        }
        Exp { kind: ExpKind::Apply(Box::new(f), typed), ty: t, exts, span }
    }

    /// Where an argument is an irregular array, its type is compared before those of functions, so
    /// that they are seen as functions on rows; a lambda is even looked at only then. If there is none, those of other arrays are compared before, so that a lambda knows
    /// the sizes of its parameters.
    fn arguments(&mut self, f: &Ty, args: &[ast::Exp]) -> Vec<Exp> {
        let mut expected = Vec::new();
        let mut t = f.clone();
        while let TyKind::Arrow(a) = &*t.clone() {
            expected.push(a.arg.clone());
            t = a.ret.ty.clone();
        }
        let mut typed: Vec<Option<Exp>> = Vec::new();
        for arg in args {
            typed.push((!is_lambda(arg)).then(|| self.exp(arg)));
        }
        let types: Vec<Option<Ty>> =
            typed.iter().map(|arg| arg.as_ref().map(|arg| self.norm(&arg.ty))).collect();
        let some_irregular = types.iter().flatten().any(holds_irregular);
        let has_lambda = types.iter().any(Option::is_none);
        for (arg, expected) in types.iter().zip(&expected) {
            let Some(arg) = arg else { continue };
            let comes_first = if some_irregular { holds_irregular(arg) } else { has_lambda && is_data(arg) };
            if comes_first {
                // A clash is reported when the argument's turn comes.
                let _ = self.try_unify(expected, arg);
            }
        }
        let typed = typed.into_iter().enumerate().map(|(i, arg)| match arg {
            Some(arg) => arg,
            None => self.exp_expecting(&args[i], expected.get(i)),
        });
        typed.collect()
    }

    /// An expression in a place that wants a type, which matters if it is a lambda.
    fn exp_expecting(&mut self, e: &ast::Exp, expected: Option<&Ty>) -> Exp {
        match &e.kind {
            ast::ExpKind::Parens(inner) => {
                let inner = self.exp_expecting(inner, expected);
                let ty = inner.ty.clone();
                Exp { kind: ExpKind::Parens(Box::new(inner)), ty, exts: Vec::new(), span: e.span }
            }
            ast::ExpKind::Lambda { params, ret, body } => {
                self.lambda(e, params, ret.as_deref(), body, expected)
            }
            _ => self.exp(e),
        }
    }

    fn apply_one(&mut self, f: &Ty, arg: &Exp, why: Why, name: Option<Symbol>, span: Span) -> Applied {
        let TyKind::Arrow(arrow) = &**f else {
            return Applied { ty: types::error(), arg_ext: None, exts: Vec::new() };
        };
        // A parameter whose size varies takes an array of any size.
        let expected = self.norm(&arrow.arg);
        let expected =
            self.open_with(&expected, &mut |this| this.flexible("k", arg.span, "the size of this argument"));
        let ok = self.unify(arg.span, why, &expected, &arg.ty.clone());
        let ret = self.norm_ret(&arrow.ret);
        let (mut t, mut exts) = self.new_exts(&ret, name, span);
        let arg_t = self.norm(&arg.ty);
        exts.extend(self.bind_existentials(&mut t, span));
        if ok {
            self.check_producible(&t, &exts, &arg_t, span);
        }
        let (t, arg_ext) = self.name_argument(arrow.param, t, arg, name);
        let t = self.norm(&types::plain(&t));
        let (t, opened) = self.open(&t, span);
        exts.extend(opened);
        Applied { ty: t, arg_ext, exts }
    }

    /// New unknown sizes for the existential ones of a result.
    fn new_exts(&mut self, ret: &RetTy, name: Option<Symbol>, span: Span) -> (Ty, Vec<VarId>) {
        if ret.exts.is_empty() {
            return (ret.ty.clone(), Vec::new());
        }
        let mut sizes = FxHashMap::default();
        let mut new = Vec::new();
        for v in &ret.exts {
            let old = self.cx.names.var(*v).name;
            let w = self.rigid(old.as_str(), span, Source::Result(name));
            sizes.insert(*v, Size::Var(w));
            new.push(w);
        }
        (subst::apply_sizes(&sizes, &ret.ty), new)
    }

    /// Sizes of the result that turned out to be existential are bound as far inside as can be;
    /// the others come into existence here.
    fn bind_existentials(&mut self, t: &mut Ty, span: Span) -> Vec<VarId> {
        if !self.existentials {
            return Vec::new();
        }
        *t = self.merge_copies(t);
        if !subst::free_vars(t).iter().any(|v| self.is_existential(*v)) {
            return Vec::new();
        }
        let (new, exts) = self.replace_sizes(span, &|this, s| first_var(s, &|v| this.is_existential(v)), t);
        *t = new;
        exts
    }

    pub(super) fn is_existential(&self, v: VarId) -> bool {
        match self.constraint(v) {
            Some(Constraint::Existential { .. }) => true,
            Some(Constraint::Copy { of, .. }) => {
                matches!(self.constraint(*of), Some(Constraint::Existential { .. }))
            }
            _ => false,
        }
    }

    /// Existential copies of one occurrence that stand for the same size get one name.
    pub(super) fn merge_copies(&self, t: &Ty) -> Ty {
        let mut groups: Vec<((u32, VarId), VarId)> = Vec::new();
        let mut same: FxHashMap<VarId, Size> = FxHashMap::default();
        for v in subst::free_vars(t) {
            let Some(Constraint::Copy { of, occurrence }) = self.constraint(v) else { continue };
            let Some(Constraint::Existential { key: Some(key), .. }) = self.constraint(*of) else { continue };
            match groups.iter().find(|(k, _)| *k == (*occurrence, *key)) {
                Some((_, first)) => {
                    same.insert(v, Size::Var(*first));
                }
                None => groups.push(((*occurrence, *key), v)),
            }
        }
        subst::apply_sizes(&same, t)
    }

    /// The result may not have a parameter whose size is only known inside another argument.
    fn check_producible(&mut self, t: &Ty, exts: &[VarId], arg: &Ty, span: Span) {
        let (produced, params) = placed_vars(t);
        let hidden = |v: &VarId| exts.contains(v) || bound_inside(arg, *v);
        if let Some(v) = params.iter().find(|v| !produced.contains(v) && hidden(v)) {
            let mut shower = Shower::new(&self.cx.names);
            let shown = shower.ret(&RetTy { exts: exts.to_vec(), ty: t.clone() });
            let name = shower.var(*v);
            self.fail(
                Diagnostic::error(
                    codes::EXISTENTIAL_IN_PARAMETER,
                    span,
                    "The result is a function whose parameter has a size that exists only inside an argument.",
                )
                .note(format!("the type of the result would be `{shown}`, where nothing determines `{name}`"))
                .help("write a function with its parameters: `\\x -> ..`"),
            );
        }
    }

    /// The result refers to the argument by the parameter's name: put the argument in its place.
    fn name_argument(
        &mut self,
        param: Option<VarId>,
        t: Ty,
        arg: &Exp,
        name: Option<Symbol>,
    ) -> (Ty, Option<VarId>) {
        let Some(p) = param.filter(|p| subst::free_vars(&t).contains(p)) else { return (t, None) };
        let (size, ext) = match exp_size(arg) {
            Some(size) => (size, None),
            None => {
                self.warn_binding(arg.span);
                let v = self.value_size(arg, name);
                (Size::Var(v), Some(v))
            }
        };
        (subst::apply_sizes(&FxHashMap::from_iter([(p, size)]), &t), ext)
    }

    pub(super) fn bin_op(&mut self, l: &ast::Exp, op: &ast::Op, r: &ast::Exp, span: Span) -> Exp {
        let f = self.var_exp(op.id, op.span);
        let l = self.exp(l);
        let r = self.exp(r);
        let name = op.name.name.name;
        let why = |right| Why::OperandOf { op: name, op_span: op.span, right };
        let first = self.apply_one(&f.ty.clone(), &l, why(false), Some(name), span);
        let second = self.apply_one(&first.ty, &r, why(true), Some(name), span);
        let kind = ExpKind::BinOp(
            Box::new(f),
            Box::new(Arg { exp: l, ext: first.arg_ext }),
            Box::new(Arg { exp: r, ext: second.arg_ext }),
        );
        Exp { kind, ty: second.ty, exts: second.exts, span }
    }

    pub(super) fn left_section(&mut self, l: &ast::Exp, op: &ast::Op, span: Span) -> Exp {
        let f = self.var_exp(op.id, op.span);
        let l = self.exp(l);
        let name = op.name.name.name;
        let why = Why::OperandOf { op: name, op_span: op.span, right: false };
        let applied = self.apply_one(&f.ty.clone(), &l, why, Some(name), span);
        let arg = Box::new(Arg { exp: l, ext: applied.arg_ext });
        Exp { kind: ExpKind::LeftSection(Box::new(f), arg), ty: applied.ty, exts: applied.exts, span }
    }

    /// `(op x)`: the operator with its parameters exchanged, applied to one.
    pub(super) fn right_section(&mut self, op: &ast::Op, r: &ast::Exp, span: Span) -> Exp {
        let f = self.var_exp(op.id, op.span);
        let r = self.exp(r);
        let name = op.name.name.name;
        let flipped = match &*f.ty {
            TyKind::Arrow(x) => match &*types::plain(&x.ret.ty) {
                TyKind::Arrow(y) => {
                    let inner =
                        Arrow { param: x.param, diet: x.diet, arg: x.arg.clone(), ret: y.ret.clone() };
                    let outer = Arrow {
                        param: y.param,
                        diet: y.diet,
                        arg: y.arg.clone(),
                        ret: types::ret(Ty::new(TyKind::Arrow(inner))),
                    };
                    Ty::new(TyKind::Arrow(outer))
                }
                _ => types::error(),
            },
            _ => types::error(),
        };
        let why = Why::OperandOf { op: name, op_span: op.span, right: true };
        let applied = self.apply_one(&flipped, &r, why, Some(name), span);
        let arg = Box::new(Arg { exp: r, ext: applied.arg_ext });
        Exp { kind: ExpKind::RightSection(Box::new(f), arg), ty: applied.ty, exts: applied.exts, span }
    }
}

fn is_lambda(e: &ast::Exp) -> bool {
    match &e.kind {
        ast::ExpKind::Parens(inner) => is_lambda(inner),
        ast::ExpKind::Lambda { .. } => true,
        _ => false,
    }
}

/// Whether a type is that of an array, of anything but functions.
fn is_data(t: &Ty) -> bool {
    matches!(&**t, TyKind::Array(_, elem) if !matches!(&**elem, TyKind::Arrow(_)))
}

/// Whether a type has an irregular dimension outside of function types.
fn holds_irregular(t: &Ty) -> bool {
    if !t.has_sizes() {
        return false;
    }
    match &**t {
        TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error | TyKind::Arrow(_) => false,
        TyKind::Con(_, args) => args.iter().any(|a| match a {
            types::TyArg::Type(t) => holds_irregular(t),
            types::TyArg::Size(s) => *s == Size::Irregular,
        }),
        TyKind::Array(s, t) => *s == Size::Irregular || holds_irregular(t),
        TyKind::Unique(t) => holds_irregular(t),
        TyKind::Record(fields) => fields.iter().any(|(_, t)| holds_irregular(t)),
        TyKind::Sum(cs) => cs.iter().any(|(_, ts)| ts.iter().any(holds_irregular)),
    }
}

/// Whether a function type inside `t` binds this name.
fn bound_inside(t: &Ty, v: VarId) -> bool {
    if t.is_scalar() {
        return false;
    }
    match &**t {
        TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => false,
        TyKind::Con(_, args) => args.iter().any(|a| match a {
            types::TyArg::Type(t) => bound_inside(t, v),
            types::TyArg::Size(_) => false,
        }),
        TyKind::Array(_, t) | TyKind::Unique(t) => bound_inside(t, v),
        TyKind::Record(fields) => fields.iter().any(|(_, t)| bound_inside(t, v)),
        TyKind::Sum(cs) => cs.iter().any(|(_, ts)| ts.iter().any(|t| bound_inside(t, v))),
        TyKind::Arrow(a) => {
            a.param == Some(v)
                || a.ret.exts.contains(&v)
                || bound_inside(&a.arg, v)
                || bound_inside(&a.ret.ty, v)
        }
    }
}
