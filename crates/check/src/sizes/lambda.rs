//! Functions without names.

use super::generalise::{fun_type, param_name};
use super::pattern::BoundSizes;
use super::{Constraint, InstKind, Level, Sizer};
use crate::infer::Why;
use crate::subst;
use crate::typed::{Exp, ExpKind, Pat, PatKind};
use crate::types::{self, RetTy, Size, Ty, TyArg, TyKind, VarId};
use norn_syntax::ast;

impl Sizer<'_> {
    /// `context`: the type expected where the lambda stands, if that is known already.
    pub(super) fn lambda(
        &mut self,
        e: &ast::Exp,
        params: &[ast::Pat],
        ret: Option<&ast::TypeExp>,
        body: &ast::Exp,
        context: Option<&Ty>,
    ) -> Exp {
        let level = self.level;
        self.level += 2;
        let mut typed: Vec<Pat> = Vec::new();
        for p in params {
            typed.push(self.pattern(p, None, &BoundSizes::default()));
            self.level += 1;
        }
        self.take_sizes(&typed, context);
        let expected = self.lambda_result(e, params.len());
        let ret_declared = ret.map(|te| te.span);
        let declared = ret.map(|te| self.flexible_type(te));
        if let (Some((t, _)), Some(te)) = (&declared, ret) {
            self.unify(te.span, Why::Returned(Some(te.span)), &expected, &types::plain(t));
        }
        let (body, body_t) =
            self.fun_body(&typed, body, declared.as_ref().map(|(t, _)| t), ret.map(|t| t.span));
        self.unify(body.span, Why::Returned(ret.map(|t| t.span)), &expected, &body_t);
        for p in &mut typed {
            self.norm_pat(p);
        }
        let result = match &declared {
            Some((t, _)) => self.norm(t),
            None => self.norm(&body_t),
        };
        let inner_level = self.level;
        self.check_params(None, &typed);
        let rows = self.open_rows(&mut typed, context, level + 2);
        let mut ret = self.hide_unknown(&typed, result, inner_level);
        ret.exts.extend(&rows);
        self.level = level;
        let (ty, exts) = self.unscope(e.span, &ret.exts, &ret.ty);
        let ret = RetTy { exts, ty };
        for v in &ret.exts {
            self.entries.remove(v);
        }
        let ty = irregular_params(&fun_type(&typed, ret.clone()), &rows);
        Exp {
            kind: ExpKind::Lambda { params: typed, body: Box::new(body), ret, ret_declared },
            ty,
            exts: Vec::new(),
            span: e.span,
        }
    }

    /// Parameters have the sizes that the context gives them, as far as it knows them. A clash is reported when the lambda is compared with the context.
    fn take_sizes(&mut self, params: &[Pat], context: Option<&Ty>) {
        let mut context = context.map(|context| self.norm(context));
        for p in params {
            let Some(TyKind::Arrow(a)) = context.as_deref() else { return };
            let (arg, ret) = (a.arg.clone(), a.ret.ty.clone());
            let mut is_known = true;
            subst::each_size(&arg, &mut |size| {
                is_known &= !matches!(size, Size::Irregular | Size::Any);
                // Not what another argument of the same call is called.
                subst::each_var_in_size(size, &mut |var| is_known &= self.entries.contains_key(&var));
            });
            if is_known {
                let _ = self.try_unify(&types::plain(&p.ty), &arg);
            }
            context = Some(ret);
        }
    }

    /// Where the context gives a parameter a row of an irregular array, the size of the row is one
    /// that each call has for itself. It is bound by the parameter.
    fn open_rows(&mut self, params: &mut [Pat], context: Option<&Ty>, level: Level) -> Vec<VarId> {
        let mut rows = Vec::new();
        let Some(context) = context else { return rows };
        let mut context = self.norm(context);
        for p in params {
            let TyKind::Arrow(a) = &*context.clone() else { break };
            let mut found = Vec::new();
            row_sizes(&a.arg, &self.norm(&types::plain(&p.ty)), &mut found);
            // A size that something outside has too is not the row's own.
            found.retain(|v| {
                self.entries.get(v).is_some_and(|e| {
                    e.level >= level && matches!(e.constraint, Constraint::Flex(None) | Constraint::Inst(_))
                })
            });
            found.sort();
            found.dedup();
            if !found.is_empty() {
                for v in &found {
                    self.constrain(*v, Constraint::Param, p.span, "");
                }
                let placeholder = Pat { kind: PatKind::Wildcard, ty: p.ty.clone(), span: p.span };
                let inner = std::mem::replace(p, placeholder);
                p.kind = PatKind::Opened(found.clone(), Box::new(inner));
                rows.append(&mut found);
            }
            context = a.ret.ty.clone();
        }
        rows
    }

    /// The result type that inference found, with sizes that take whatever the context has.
    fn lambda_result(&mut self, e: &ast::Exp, params: usize) -> Ty {
        let mut t = self.cx.tables.types.get(e.id).cloned().unwrap_or_else(types::error);
        for _ in 0..params {
            let head = self.metas.head(&t);
            t = match &*head {
                TyKind::Arrow(a) => a.ret.ty.clone(),
                _ => types::error(),
            };
        }
        self.give_sizes(&t, InstKind::Open, e.span)
    }

    /// Unknown sizes that the body computes are existential in the result, except those visible
    /// outside: parameters, and sizes of parameters.
    fn hide_unknown(&mut self, params: &[Pat], result: Ty, level: Level) -> RetTy {
        let names: Vec<VarId> = params.iter().filter_map(param_name).collect();
        let mut visible = Vec::new();
        for p in params {
            outer_sizes(&types::plain(&p.ty), &mut visible);
        }
        let mut t = types::plain(&result);
        while let TyKind::Arrow(a) = &*t.clone() {
            outer_sizes(&a.arg, &mut visible);
            t = a.ret.ty.clone();
        }
        let exts = subst::free_vars(&result)
            .into_iter()
            .filter(|v| {
                let Some(e) = self.entries.get(v) else { return false };
                matches!(e.constraint, Constraint::Unknown(_))
                    && e.level >= level
                    && !names.contains(v)
                    && !visible.contains(v)
            })
            .collect();
        RetTy { exts, ty: result }
    }
}

/// Sizes of a parameter's own arrays, not those inside functions.
fn outer_sizes(t: &Ty, out: &mut Vec<VarId>) {
    if !t.has_sizes() {
        return;
    }
    match &**t {
        TyKind::Arrow(_) => {}
        TyKind::Record(fields) => fields.iter().for_each(|(_, t)| outer_sizes(t, out)),
        _ => out.extend(subst::free_vars(t)),
    }
}

/// The sizes of `t` that are irregular in `context`, the same type, and not inside an array.
fn row_sizes(context: &Ty, t: &Ty, out: &mut Vec<VarId>) {
    match (&**context, &**t) {
        (TyKind::Array(Size::Irregular, _), TyKind::Array(Size::Var(v), _)) => out.push(*v),
        (TyKind::Record(xs), TyKind::Record(ys)) => {
            xs.iter().zip(ys).for_each(|((_, x), (_, y))| row_sizes(x, y, out));
        }
        (TyKind::Sum(xs), TyKind::Sum(ys)) => {
            for ((_, ts), (_, us)) in xs.iter().zip(ys) {
                ts.iter().zip(us).for_each(|(t, u)| row_sizes(t, u, out));
            }
        }
        (TyKind::Con(_, xs), TyKind::Con(_, ys)) => {
            for pair in xs.iter().zip(ys) {
                if let (TyArg::Size(Size::Irregular), TyArg::Size(Size::Var(v))) = pair {
                    out.push(*v);
                }
            }
        }
        _ => {}
    }
}

/// The type of a function to whose users these sizes of parameters vary.
fn irregular_params(t: &Ty, rows: &[VarId]) -> Ty {
    if t.is_scalar() {
        return t.clone();
    }
    match &**t {
        TyKind::Arrow(a) if !rows.is_empty() => {
            let arg = subst::make_irregular(&a.arg, rows);
            let ret = RetTy { exts: a.ret.exts.clone(), ty: irregular_params(&a.ret.ty, rows) };
            Ty::new(TyKind::Arrow(types::Arrow { param: a.param, diet: a.diet, arg, ret }))
        }
        _ => t.clone(),
    }
}
