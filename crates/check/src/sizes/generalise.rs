//! Functions with names: their parameters, their results, and the sizes they are polymorphic in.
//!
//! After the body has been checked, some sizes of the function's type are still unknown and belong to nothing outside.
//! If such a size occurs in a parameter, the caller determines it: it becomes a size parameter, as if written `[n]`. If
//! it occurs in the result alone, the function determines it: it becomes existential, `?[n].[n]t`. For example
//! `def positive xs = filter (> 0i32) xs` has the type `[n]i32 -> ?[m].[m]i32`.
//!
//! Names of parameters may occur in the result's type; names that only a part of a pattern binds may not, since no caller
//! could say what they are.

use super::pattern::{BoundSizes, pattern_vars};
use super::{Constraint, Level, Sizer};
use crate::env::Value;
use crate::infer::Why;
use crate::print::Shower;
use crate::subst::{self, Place};
use crate::typed::{Exp, ExpKind, Fun, Pat, PatKind};
use crate::types::{self, Arrow, RetTy, Scheme, Size, TParam, Ty, TyKind, VarId};
use norn_base::{Diagnostic, Span, Symbol, codes};
use norn_syntax::ast::{self, TypeParamKind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The parts of a function definition, wherever it stands.
pub(super) struct FunSource<'a> {
    pub name: Symbol,
    pub var: VarId,
    pub tparams: &'a [ast::TypeParam],
    pub params: &'a [ast::Pat],
    pub ret: Option<&'a ast::TypeExp>,
    pub body: &'a ast::Exp,
    pub span: Span,
    /// In scope of its own body.
    pub recursive: bool,
}

impl Sizer<'_> {
    pub(super) fn fun(&mut self, f: &FunSource<'_>, inferred_tparams: Vec<TParam>) -> Fun {
        let level = self.level;
        self.level += 1;
        let mut tparams = inferred_tparams;
        tparams.extend(self.declared_tparams(f.tparams));
        self.level += 1;
        let mut params = Vec::new();
        for p in f.params {
            params.push(self.pattern(p, None, &BoundSizes::default()));
            self.level += 1;
        }
        let declared = f.ret.map(|te| self.flexible_type(te));
        // Sizes that are assumed to be parameters while the body is read.
        let mut assumed_open = Vec::new();
        if f.recursive {
            let value = match &declared {
                Some((t, exts)) => {
                    let t = fun_type(&params, RetTy { exts: exts.clone(), ty: t.clone() });
                    let mut assumed = tparams.clone();
                    if self.open_recursion {
                        assumed_open = self.open_sizes(&t, exts);
                        assumed.extend(assumed_open.iter().map(|v| TParam::Size(*v)));
                    }
                    Value::Scheme(Rc::new(Scheme { tparams: assumed, ty: self.rename_binders(&t) }))
                }
                None => Value::Recursive,
            };
            self.cx.set_value(f.var, value);
        }
        let (body, body_t) =
            self.fun_body(&params, f.body, declared.as_ref().map(|(t, _)| t), f.ret.map(|t| t.span));

        for p in &mut params {
            self.norm_pat(p);
        }
        let result = match &declared {
            Some((t, _)) => self.norm(t),
            None => body_t,
        };
        self.check_params(Some(f.name), &params);
        let result = self.unscope_unknown(f.span, &result);
        let fun = self.generalise(f, tparams, params, result, body);
        self.too_open |= assumed_open.iter().any(|v| !fun.tparams.iter().any(|p| p.as_size() == Some(*v)));
        self.level = level;
        fun
    }

    /// Sizes in a type that are still to be found and belong to nothing else.
    pub(super) fn open_sizes(&self, t: &Ty, bound: &[VarId]) -> Vec<VarId> {
        subst::free_vars(t)
            .into_iter()
            .filter(|v| !bound.contains(v) && matches!(self.constraint(*v), Some(Constraint::Flex(None))))
            .collect()
    }

    /// Size parameters come into scope as variables.
    pub fn declared_tparams(&mut self, declared: &[ast::TypeParam]) -> Vec<TParam> {
        let mut tparams = Vec::new();
        for p in declared {
            match p.kind {
                TypeParamKind::Size => {
                    if let Some(v) = self.cx.tables.binders.get(p.id).copied() {
                        self.bind_var(v, self.i64());
                        tparams.push(TParam::Size(v));
                    }
                }
                TypeParamKind::Type(l) => {
                    if let Some(binding) = self.cx.tables.type_refs.get(p.id)
                        && let TyKind::Con(id, _) = &*binding.ty.ty
                    {
                        tparams.push(TParam::Type(*id, l));
                    }
                }
            }
        }
        tparams
    }

    /// The body of a function, and its type as seen from outside: names that a parameter's pattern
    /// binds without being the parameter's own cannot occur in it.
    pub(super) fn fun_body(
        &mut self,
        params: &[Pat],
        body: &ast::Exp,
        declared: Option<&Ty>,
        declared_span: Option<Span>,
    ) -> (Exp, Ty) {
        let body = self.exp(body);
        let hidden = hidden_names(params);
        let t = self.norm(&body.ty);
        let (t, _) = self.unscope(body.span, &hidden, &t);
        if let Some(declared) = declared {
            if let Some(v) = subst::free_vars(declared).into_iter().find(|v| hidden.contains(v)) {
                let name = self.cx.names.var(v).name;
                self.fail(Diagnostic::error(
                    codes::INACCESSIBLE_SIZE,
                    declared_span.unwrap_or(body.span),
                    format!("The result type refers to `{name}`, which is only a part of a parameter."),
                ));
            } else {
                let declared = types::plain(declared);
                self.unify(body.span, Why::Returned(declared_span), &declared, &t);
            }
        }
        (body, t)
    }

    /// That a parameter's type refers to no name the caller cannot see.
    pub(super) fn check_params(&mut self, name: Option<Symbol>, params: &[Pat]) {
        let mut forbidden: Vec<VarId> = params.iter().flat_map(pattern_vars).collect();
        for p in params {
            if let Some(v) = subst::free_vars(&p.ty).into_iter().find(|v| forbidden.contains(v)) {
                let size = self.cx.names.var(v).name;
                let of = name.map_or(String::new(), |n| format!(" of `{n}`"));
                self.fail(
                    Diagnostic::error(
                        codes::INACCESSIBLE_SIZE,
                        p.span,
                        format!("This parameter{of} has the size `{size}`, which the caller cannot know."),
                    )
                    .secondary(self.cx.names.var(v).span, "bound here, inside another pattern or later"),
                );
            }
            if let Some(own) = param_name(p) {
                forbidden.retain(|v| *v != own);
            }
        }
    }

    /// Bind the names that function types rebind.
    pub(super) fn rename_binders(&mut self, t: &Ty) -> Ty {
        if t.is_scalar() {
            return t.clone();
        }
        match &**t {
            TyKind::Arrow(a) => {
                let arg = self.rename_binders(&a.arg);
                let mut sizes = FxHashMap::default();
                let mut fresh = |this: &mut Self, v: VarId| {
                    let info = this.cx.names.var(v).clone();
                    let w = this.cx.new_var(info.name, info.span);
                    sizes.insert(v, Size::Var(w));
                    w
                };
                let param = a.param.map(|p| fresh(self, p));
                let exts = a.ret.exts.iter().map(|v| fresh(self, *v)).collect();
                let ty = self.rename_binders(&subst::apply_sizes(&sizes, &a.ret.ty));
                Ty::new(TyKind::Arrow(Arrow { param, diet: a.diet, arg, ret: RetTy { exts, ty } }))
            }
            TyKind::Record(fields) => {
                Ty::new(TyKind::Record(fields.iter().map(|(f, t)| (*f, self.rename_binders(t))).collect()))
            }
            TyKind::Sum(cs) => Ty::new(TyKind::Sum(
                cs.iter().map(|(c, ts)| (*c, ts.iter().map(|t| self.rename_binders(t)).collect())).collect(),
            )),
            _ => t.clone(),
        }
    }

    /// From here on an instantiated size that is not existential is an ordinary size to be found.
    pub(super) fn settle_instances(&mut self, from: Level) {
        let open: Vec<(VarId, Constraint)> = self
            .entries
            .iter()
            .filter(|(_, e)| {
                e.level >= from && matches!(e.constraint, Constraint::Inst(_) | Constraint::Copy { .. })
            })
            .map(|(v, e)| (*v, e.constraint.clone()))
            .collect();
        for (v, c) in open {
            let new = match c {
                Constraint::Copy { of, .. } => {
                    if matches!(self.constraint(of), Some(Constraint::Existential { .. })) {
                        continue;
                    }
                    Constraint::Flex(Some(Size::Var(of)))
                }
                _ => Constraint::Flex(None),
            };
            if let Some(e) = self.entries.get_mut(&v) {
                e.constraint = new;
            }
        }
    }

    fn generalise(
        &mut self,
        f: &FunSource<'_>,
        mut tparams: Vec<TParam>,
        mut params: Vec<Pat>,
        result: Ty,
        body: Exp,
    ) -> Fun {
        let from = self.level - params.len() as Level;
        self.settle_instances(from);
        for p in &mut params {
            self.norm_pat(p);
        }
        let result = self.norm(&result);
        let whole = fun_type(&params, types::ret(result.clone()));
        let (produced, in_params) = placed_vars(&whole);
        let mut exts = Vec::new();
        for v in subst::free_vars(&whole) {
            let Some(entry) = self.entries.get(&v).filter(|e| e.level >= from) else { continue };
            if tparams.iter().any(|p| p.as_size() == Some(v)) {
                continue;
            }
            match &entry.constraint {
                Constraint::Flex(None) => tparams.push(TParam::Size(v)),
                Constraint::Unknown(_) if produced.contains(&v) => exts.push(v),
                Constraint::Unknown(_) if in_params.contains(&v) => {
                    let size = self.cx.names.var(v).name;
                    let shown = Shower::new(&self.cx.names).ty(&whole);
                    let d = Diagnostic::error(
                        codes::CAUSALITY,
                        f.span,
                        format!("The size `{size}` of a parameter of `{}` is computed inside of it.", f.name),
                    )
                    .note(format!("its type is `{shown}`"));
                    let d = self.explain_size(d, &Size::Var(v));
                    self.fail(d);
                }
                _ => {}
            }
        }
        for v in subst::free_vars(&result) {
            if matches!(self.constraint(v), Some(Constraint::Unknown(_))) && !exts.contains(&v) {
                exts.push(v);
            }
        }
        let ret = inject_exts(&exts, &result);
        let used = {
            let mut used = subst::free_vars(&result);
            params.iter().for_each(|p| used.extend(subst::free_vars(&p.ty)));
            used
        };
        let mistaken = params.iter().any(|p| p.ty.is_open());
        for p in &tparams {
            if let TParam::Size(v) = p
                && !used.contains(v)
                && !mistaken
            {
                let info = self.cx.names.var(*v).clone();
                self.fail(
                    Diagnostic::error(
                        codes::UNUSED_SIZE_PARAMETER,
                        info.span,
                        format!("The size parameter `{}` is not the size of any parameter.", info.name),
                    )
                    .label("nothing determines it"),
                );
            }
        }
        for p in &tparams {
            if let TParam::Size(v) = p {
                self.entries.remove(v);
            }
        }
        if params.is_empty() && !ret.exts.is_empty() && tparams.iter().any(|p| p.as_size().is_some()) {
            let shown = Shower::new(&self.cx.names).ret(&ret);
            self.fail(
                Diagnostic::error(
                    codes::SIZE_POLYMORPHIC_VALUE,
                    f.span,
                    format!("The value `{}` has both a size parameter and a size of its own.", f.name),
                )
                .note(format!("its type is `{shown}`")),
            );
        }
        Fun { tparams, params, ret, ret_declared: f.ret.map(|t| t.span), body }
    }

    pub(super) fn let_fun(&mut self, f: &ast::LetFun, span: Span) -> Exp {
        let Some(var) = self.cx.tables.binders.get(f.id).copied() else {
            return Exp { kind: ExpKind::Error, ty: types::error(), exts: Vec::new(), span };
        };
        let source = FunSource {
            name: f.name.name,
            var,
            tparams: &f.tparams,
            params: &f.params,
            ret: f.ret.as_ref(),
            body: &f.def,
            span: f.name.span,
            recursive: false,
        };
        let fun = self.fun(&source, Vec::new());
        let t = fun_type(&fun.params, fun.ret.clone());
        self.cx.set_value(var, Value::Scheme(Rc::new(Scheme { tparams: fun.tparams.clone(), ty: t })));
        let body = self.exp(&f.body);
        let body_t = self.norm(&body.ty);
        let (ty, exts) = self.unscope(span, &[var], &body_t);
        Exp { kind: ExpKind::LetFun { var, fun: Box::new(fun), body: Box::new(body) }, ty, exts, span }
    }
}

/// The type of a function with these parameters.
pub fn fun_type(params: &[Pat], ret: RetTy) -> Ty {
    let mut ret = ret;
    for p in params.iter().rev() {
        let arrow = Arrow { param: param_name(p), diet: types::diet(&p.ty), arg: types::plain(&p.ty), ret };
        ret = types::ret(Ty::new(TyKind::Arrow(arrow)));
    }
    ret.ty
}

/// The name of a parameter as a whole.
pub(super) fn param_name(p: &Pat) -> Option<VarId> {
    match &p.kind {
        PatKind::Var(v) => Some(*v),
        PatKind::Opened(_, p) => param_name(p),
        PatKind::Wildcard | PatKind::Record(_) | PatKind::Lit(_) | PatKind::Constr(..) => None,
    }
}

/// Names that parameters' patterns bind but that are not the name of a parameter.
pub(super) fn hidden_names(params: &[Pat]) -> Vec<VarId> {
    params.iter().filter(|p| param_name(p).is_none()).flat_map(pattern_vars).collect()
}

/// The variables among the sizes of the value itself and among those of parameters.
pub(super) fn placed_vars(t: &Ty) -> (Vec<VarId>, Vec<VarId>) {
    let mut produced = Vec::new();
    let mut params = Vec::new();
    subst::each_placed_size(t, &mut |bound, place, s| {
        let list = match place {
            Place::Immediate => &mut produced,
            Place::Param => &mut params,
            Place::Return => return,
        };
        subst::each_var_in_size(s, &mut |v| {
            if !bound.contains(&v) {
                list.push(v);
            }
        });
    });
    (produced, params)
}

/// Bind existential sizes where the value that has them comes to be: for a function type, at its
/// result.
pub(super) fn inject_exts(exts: &[VarId], t: &Ty) -> RetTy {
    if exts.is_empty() {
        return types::ret(t.clone());
    }
    let (immediate, _) = placed_vars(t);
    let (here, there): (Vec<VarId>, Vec<VarId>) = exts.iter().partition(|v| immediate.contains(v));
    RetTy { exts: here, ty: deeper(&there, t) }
}

fn deeper(exts: &[VarId], t: &Ty) -> Ty {
    if t.is_scalar() {
        return t.clone();
    }
    if exts.is_empty() {
        return t.clone();
    }
    match &**t {
        TyKind::Record(fields) => {
            Ty::new(TyKind::Record(fields.iter().map(|(f, t)| (*f, deeper(exts, t))).collect()))
        }
        TyKind::Sum(cs) => Ty::new(TyKind::Sum(
            cs.iter().map(|(c, ts)| (*c, ts.iter().map(|t| deeper(exts, t)).collect())).collect(),
        )),
        TyKind::Arrow(a) => {
            let mut all = exts.to_vec();
            all.extend(a.ret.exts.iter().filter(|v| !exts.contains(v)));
            let ret = inject_exts(&all, &a.ret.ty);
            Ty::new(TyKind::Arrow(Arrow { param: a.param, diet: a.diet, arg: a.arg.clone(), ret }))
        }
        TyKind::Prim(_)
        | TyKind::Con(..)
        | TyKind::Array(..)
        | TyKind::Unique(_)
        | TyKind::Meta(_)
        | TyKind::Error => t.clone(),
    }
}
