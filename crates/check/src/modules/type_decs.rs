//! Checks declarations of types: abbreviations, and groups of recursive types.
//!
//! - An abbreviation is expanded at its uses. Its declared liftedness must allow its body, and it must use its size parameters.
//! - Recursive types are nominal sums (decision 3). Each constructor may mention all types of the group; a type all of whose constructors need a value of the type itself has no values, and is refused.
//!
//! On errors the name is bound to the type that fits everywhere, so that uses cause no further errors.

use super::Checker;
use crate::cx::Declaring;
use crate::env::{Env, TypeBinding};
use crate::infer::TypePlace;
use crate::places::Meant;
use crate::print::lifted_mark;
use crate::subst;
use crate::typed::{Dec, TypeDef};
use crate::types::{
    self, Liftedness, RecDef, RetTy, Size, TParam, Ty, TyArg, TyId, TyIdKind, TyInfo, TyKind,
};
use norn_base::{Diagnostic, Span, codes};
use norn_syntax::ast::{TypeBind, TypeExp, TypeExpKind, TypeParam, TypeParamKind};
use std::rc::Rc;

impl Checker<'_> {
    pub(super) fn type_group(&mut self, group: &[TypeBind]) -> (Env, Dec) {
        let mut env = Env::default();
        let defs = if group.iter().any(|tb| tb.recursive) {
            self.recursive_types(group, &mut env)
        } else {
            group.iter().map(|tb| self.type_abbreviation(tb, &mut env)).collect()
        };
        (env, Dec::Types(defs))
    }

    /// `type t = ..`; on errors the name is bound to the type that fits everywhere.
    pub(super) fn type_abbreviation(&mut self, tb: &TypeBind, env: &mut Env) -> TypeDef {
        let name = tb.name.name;
        self.cx.declaring = Some(Declaring { name: tb.name, is_sum: is_sum(&tb.body), is_reported: false });
        let declared = self.declared_type(&tb.params, &tb.body, TypePlace::Plain);
        self.cx.declaring = None;
        let (tparams, ty) = match declared {
            Some((tparams, ev)) => {
                let (witnessed, _) = subst::size_witnesses(&types::plain(&ev.ty));
                if let Some(v) = ev.params.iter().find(|v| !witnessed.contains(v)) {
                    let span = self.cx.names.var(*v).span;
                    self.cx.error(
                        codes::ANONYMOUS_SIZE,
                        span,
                        "An anonymous size in a type must be the size of an array in values of that type.",
                    );
                }
                self.unused_size_params(&tparams, &ev.ty);
                let mut exts = ev.params.clone();
                exts.extend(ev.dims());
                self.liftedness_declared(tb, ev.lifted, !exts.is_empty());
                (tparams, RetTy { exts, ty: types::plain(&ev.ty) })
            }
            None => (self.tparams_only(&tb.params), types::ret(types::error())),
        };
        let too_large = self.cx.type_too_large(tb.name.span, &ty.ty);
        let ty = if too_large { types::ret(types::error()) } else { ty };
        let span = tb.name.span;
        self.cx.note(span, span, Meant::Type);
        let binding = TypeBinding { lifted: tb.lifted, params: tparams.clone(), ty: ty.clone(), span };
        env.types.insert(name, Rc::new(binding));
        TypeDef { name, tparams, ty, id: None, span: tb.span }
    }

    /// New parameters for a type that has no body, or none that could be read.
    pub(super) fn tparams_only(&mut self, params: &[TypeParam]) -> Vec<TParam> {
        params
            .iter()
            .map(|p| match p.kind {
                TypeParamKind::Size => TParam::Size(self.cx.new_var(p.name.name, p.name.span)),
                TypeParamKind::Type(lifted) => {
                    let info = TyInfo { name: p.name.name, span: p.name.span, lifted, kind: TyIdKind::Param };
                    TParam::Type(self.cx.names.new_type(info), lifted)
                }
            })
            .collect()
    }

    fn unused_size_params(&mut self, tparams: &[TParam], t: &Ty) {
        // After a mistake nobody knows.
        if t.is_open() {
            return;
        }
        let used = subst::free_vars(t);
        for p in tparams {
            if let TParam::Size(v) = p
                && !used.contains(v)
            {
                let info = self.cx.names.var(*v).clone();
                self.cx.error(
                    codes::UNUSED_SIZE_PARAMETER,
                    info.span,
                    format!("The size parameter `{}` is not used in the type.", info.name),
                );
            }
        }
    }

    fn liftedness_declared(&mut self, tb: &TypeBind, found: Liftedness, open_sizes: bool) {
        let needed = match found {
            Liftedness::Lifted => Liftedness::Lifted,
            Liftedness::SizeLifted => Liftedness::SizeLifted,
            Liftedness::Unlifted if open_sizes => Liftedness::SizeLifted,
            Liftedness::Unlifted => return,
        };
        if tb.lifted >= needed {
            return;
        }
        let what = if needed == Liftedness::Lifted { "contains functions" } else { "hides sizes" };
        let mark = lifted_mark(needed);
        let mut d = Diagnostic::error(
            codes::NEEDS_LIFTED_DECLARATION,
            tb.name.span,
            format!("The type `{}` {what}, which its declaration must say.", tb.name.name),
        )
        .help(format!("declare it with `type{mark}`"));
        let keyword = Span { hi: tb.span.lo + "type".len() as u32, ..tb.span };
        if tb.lifted == Liftedness::Unlifted && self.cx.text(keyword) == Some("type") {
            d = d.fix(keyword, format!("type{mark}"));
        }
        if needed == Liftedness::SizeLifted {
            d = d.help("or give it size parameters");
        }
        self.cx.report(d);
    }

    fn recursive_types(&mut self, group: &[TypeBind], env: &mut Env) -> Vec<TypeDef> {
        // All names of the group are in scope in all bodies.
        let mark = self.cx.scope.mark();
        let mut ids = Vec::new();
        for tb in group {
            let id = self.cx.names.new_type(TyInfo {
                name: tb.name.name,
                span: tb.name.span,
                lifted: Liftedness::Unlifted,
                kind: TyIdKind::Rec(None),
            });
            let params = self.tparams_only(&tb.params);
            let args = params.iter().map(param_arg).collect();
            let binding = Rc::new(TypeBinding {
                lifted: Liftedness::Unlifted,
                params,
                ty: types::ret(types::con(id, args)),
                span: tb.name.span,
            });
            self.cx.note(tb.name.span, tb.name.span, Meant::Type);
            self.cx.scope.bind_type(tb.name.name, binding.clone());
            env.types.insert(tb.name.name, binding);
            ids.push(id);
            self.created.push(id);
        }
        let mut defs = Vec::new();
        for (tb, id) in group.iter().zip(&ids) {
            let def = self.recursive_body(tb);
            let ty = match &def {
                Some(def) => Ty::new(TyKind::Sum(def.constrs.clone())),
                None => types::error(),
            };
            let tparams = def.as_ref().map_or_else(Vec::new, |d| d.params.clone());
            self.cx.names.ty_mut(*id).kind = TyIdKind::Rec(Some(
                def.unwrap_or_else(|| Rc::new(RecDef { params: Vec::new(), constrs: Vec::new() })),
            ));
            defs.push(TypeDef {
                name: tb.name.name,
                tparams,
                ty: types::ret(ty),
                id: Some(*id),
                span: tb.span,
            });
        }
        self.cx.scope.reset(mark);
        self.all_inhabited(group, &ids);
        defs
    }

    fn recursive_body(&mut self, tb: &TypeBind) -> Option<Rc<RecDef>> {
        if !is_sum(&tb.body) {
            self.cx.report(
                Diagnostic::error(
                    codes::BAD_RECURSIVE_TYPE,
                    tb.body.span,
                    format!("The recursive type `{}` must be a sum type.", tb.name.name),
                )
                .help("write its constructors: `#leaf | #node t t`"),
            );
            return None;
        }
        let (params, ev) = self.declared_type(&tb.params, &tb.body, TypePlace::Payload)?;
        // Each value has its own sizes.
        let mut open = ev.params.clone();
        open.extend(ev.dims());
        let ty = subst::make_irregular(&types::plain(&ev.ty), &open);
        self.unused_size_params(&params, &ty);
        match &*ty {
            TyKind::Sum(constrs) => Some(Rc::new(RecDef { params, constrs: constrs.clone() })),
            _ => None,
        }
    }

    /// A type whose every constructor needs a value of the type itself has no values.
    fn all_inhabited(&mut self, group: &[TypeBind], ids: &[TyId]) {
        let mut inhabited: Vec<TyId> = Vec::new();
        loop {
            let before = inhabited.len();
            for id in ids {
                let TyIdKind::Rec(Some(def)) = &self.cx.names.ty(*id).kind else { continue };
                let ok = def.constrs.is_empty()
                    || def.constrs.iter().any(|(_, ts)| ts.iter().all(|t| has_values(t, ids, &inhabited)));
                if ok && !inhabited.contains(id) {
                    inhabited.push(*id);
                }
            }
            if inhabited.len() == before {
                break;
            }
        }
        for (tb, id) in group.iter().zip(ids) {
            if !inhabited.contains(id) {
                self.cx.report(
                    Diagnostic::error(
                        codes::BAD_RECURSIVE_TYPE,
                        tb.name.span,
                        format!("The recursive type `{}` has no values.", tb.name.name),
                    )
                    .note("every constructor needs a value of the type before one can be made")
                    .help("add a constructor that does not mention the type"),
                );
            }
        }
    }
}

fn is_sum(te: &TypeExp) -> bool {
    match &te.kind {
        TypeExpKind::Sum(_) | TypeExpKind::Error => true,
        TypeExpKind::Parens(t) => is_sum(t),
        _ => false,
    }
}

fn has_values(t: &Ty, group: &[TyId], inhabited: &[TyId]) -> bool {
    if !t.has_names() {
        return true;
    }
    match &**t {
        TyKind::Array(Size::Const(n), t) if *n > 0 => has_values(t, group, inhabited),
        // Any other array may be empty.
        TyKind::Prim(_) | TyKind::Array(..) | TyKind::Arrow(_) | TyKind::Meta(_) | TyKind::Error => true,
        TyKind::Con(id, _) => !group.contains(id) || inhabited.contains(id),
        TyKind::Unique(t) => has_values(t, group, inhabited),
        TyKind::Record(fields) => fields.iter().all(|(_, t)| has_values(t, group, inhabited)),
        TyKind::Sum(cs) => cs.iter().any(|(_, ts)| ts.iter().all(|t| has_values(t, group, inhabited))),
    }
}

/// A type parameter as an argument of its own type.
pub(super) fn param_arg(p: &TParam) -> TyArg {
    match p {
        TParam::Size(v) => TyArg::Size(Size::Var(*v)),
        TParam::Type(id, _) => TyArg::Type(types::con(*id, Vec::new())),
    }
}
