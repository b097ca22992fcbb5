//! Functions without names.

use super::generalise::{fun_type, param_name};
use super::pattern::BoundSizes;
use super::{Constraint, InstKind, Level, Sizer};
use crate::infer::Why;
use crate::subst;
use crate::typed::{Exp, ExpKind, Pat};
use crate::types::{self, RetTy, Ty, TyKind, VarId};
use norn_syntax::ast;

impl Sizer<'_> {
    pub(super) fn lambda(
        &mut self,
        e: &ast::Exp,
        params: &[ast::Pat],
        ret: Option<&ast::TypeExp>,
        body: &ast::Exp,
    ) -> Exp {
        let level = self.level;
        self.level += 2;
        let mut typed: Vec<Pat> = Vec::new();
        for p in params {
            typed.push(self.pattern(p, None, &BoundSizes::default()));
            self.level += 1;
        }
        let wanted = self.lambda_result(e, params.len());
        let declared = ret.map(|te| self.flexible_type(te));
        if let (Some((t, _)), Some(te)) = (&declared, ret) {
            self.unify(te.span, Why::Returned(Some(te.span)), &wanted, &types::plain(t));
        }
        let (body, body_t) =
            self.fun_body(&typed, body, declared.as_ref().map(|(t, _)| t), ret.map(|t| t.span));
        self.unify(body.span, Why::Returned(ret.map(|t| t.span)), &wanted, &body_t);
        for p in &mut typed {
            self.norm_pat(p);
        }
        let result = match &declared {
            Some((t, _)) => self.norm(t),
            None => self.norm(&body_t),
        };
        let inner_level = self.level;
        let ret = self.hide_unknown(&typed, result, inner_level);
        self.level = level;
        self.check_params(None, &typed);
        let (ty, exts) = self.unscope(e.span, &ret.exts, &ret.ty);
        let ret = RetTy { exts, ty };
        for v in &ret.exts {
            self.entries.remove(v);
        }
        let ty = fun_type(&typed, ret.clone());
        Exp { kind: ExpKind::Lambda { params: typed, body: Box::new(body), ret }, ty, exts: Vec::new(), span: e.span }
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
    match &**t {
        TyKind::Arrow(_) => {}
        TyKind::Record(fields) => fields.iter().for_each(|(_, t)| outer_sizes(t, out)),
        _ => out.extend(subst::free_vars(t)),
    }
}
