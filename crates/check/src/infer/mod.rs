//! Inference of types without sizes (Hindley-Milner), and resolution of names.
//!
//! This is the first of the passes over a definition. It resolves every name, finds the type of
//! every expression while ignoring sizes altogether, and leaves both in `Tables`; the size checker
//! then only has to find sizes. Types are not generalised at `let`; a local function is
//! polymorphic in the parameters it declares, a definition also in whatever is left undetermined.
//!
//! After a mismatch inference goes on: the type `Error` fits everywhere and is never complained
//! about. Messages are made at the end of a definition, when most types are known.

mod advice;
mod apply;
mod exp;
mod loops;
pub mod meta;
mod names;
mod pattern;
mod report;
mod type_exp;

pub use report::Why;

use crate::cx::Cx;
use crate::env::Value;
use crate::places::Meant;
use crate::print::show_ty;
use crate::subst::{self, Subst};
use crate::types::{
    self, Liftedness, Prim, RetTy, Scheme, Size, TParam, Ty, TyIdKind, TyInfo, TyKind, VarId,
};
use meta::{Known, Meta, Metas, PrimSet};
use norn_base::{Diagnostic, Span, Symbol, codes};
use norn_syntax::ast::{self, NodeId, TypeParam, TypeParamKind, ValBind};
use report::{Noticed, Pending};
use rustc_hash::FxHashMap;
use std::rc::Rc;

pub struct Infer<'c> {
    pub cx: &'c mut Cx,
    pub metas: Metas,
    level: u32,
    pending: Vec<Pending>,
    /// Mistakes of other kinds, likewise reported at the end of the definition.
    noticed: Vec<Noticed>,
    /// The definitions being inferred: their names and the places of their bodies.
    defining: Vec<(Symbol, Span)>,
    /// Local names, to be warned about when they are never used.
    locals: Vec<(VarId, LocalKind)>,
    /// Those of them that are fields of a record pattern without a pattern of their own.
    puns: Vec<VarId>,
    /// Names that are passed together with the function that is being read: its parameters may well
    /// have the same names.
    passed: Vec<Symbol>,
    /// Names bound so far by the patterns that are being read together.
    together: Vec<(Symbol, Span)>,
    /// Names of parameters of the function types around what is being read.
    arrow_names: Vec<(Symbol, Span)>,
    /// The definitions of the group that is being inferred, if there are several.
    group: Vec<VarId>,
    /// The types that each use of one of them has for its type parameters.
    instances: Vec<(Span, Ty)>,
    failed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LocalKind {
    Let,
    Function,
    Param,
    /// Of a function whose parameters are fixed by those who call it: it may well not need all.
    FixedParam,
    Counter,
}

/// What the inference of a definition leaves to the size checker, besides the tables.
pub struct InferredDef {
    /// Type parameters that were not declared.
    pub generalised: Vec<TParam>,
}

impl<'c> Infer<'c> {
    pub fn new(cx: &'c mut Cx) -> Infer<'c> {
        Infer {
            cx,
            metas: Metas::default(),
            level: 0,
            pending: Vec::new(),
            noticed: Vec::new(),
            defining: Vec::new(),
            locals: Vec::new(),
            puns: Vec::new(),
            passed: Vec::new(),
            together: Vec::new(),
            arrow_names: Vec::new(),
            group: Vec::new(),
            instances: Vec::new(),
            failed: false,
        }
    }

    /// Infer one definition or a group of mutually recursive ones, whose variables are `vars`.
    /// `None` if there were errors; they have been reported.
    pub fn infer_group(&mut self, group: &[&ValBind], vars: &[VarId]) -> Option<Vec<InferredDef>> {
        let types: Vec<Ty> = group.iter().map(|vb| self.fresh(vb.name.span)).collect();
        self.defining = group.iter().map(|vb| (vb.name.name, vb.body.span)).collect();
        let bodies: Vec<&ast::Exp> = group.iter().map(|vb| &vb.body).collect();
        let mutual = group.len() > 1;
        if mutual {
            for (vb, (var, t)) in group.iter().zip(vars.iter().zip(&types)) {
                // What takes no parameters is a value, and a value cannot depend on itself.
                if vb.params.is_empty() {
                    continue;
                }
                let scheme = match crate::sizes::fully_annotated(vb) {
                    true => self.declared_scheme(vb),
                    false => Scheme::mono(t.clone()),
                };
                self.cx.set_value(*var, Value::Scheme(Rc::new(scheme)));
                self.cx.scope.bind_term(vb.name.name, crate::scope::Term::Val(*var));
            }
            if self.failed {
                self.report_mistakes(&bodies);
                return None;
            }
            self.group = vars.to_vec();
        }
        for (vb, (var, t)) in group.iter().zip(vars.iter().zip(&types)) {
            self.infer_def(vb, *var, t, mutual);
        }
        let generalised = self.finish(&types, &bodies);
        self.check_instances();
        (!self.failed).then_some(generalised)
    }

    /// Infer what a fully annotated definition declares, without its body. Whether there were no errors.
    pub fn infer_signature(&mut self, vb: &ValBind) -> bool {
        self.declared_scheme(vb);
        self.finish(&[], &[]);
        !self.failed
    }

    /// The type of a fully annotated definition, whose body has not been looked at.
    fn declared_scheme(&mut self, vb: &ValBind) -> Scheme {
        let mark = self.cx.scope.mark();
        let locals = self.locals.len();
        self.together.clear();
        self.bind_tparams(&vb.tparams);
        let tparams = vb.tparams.iter().filter_map(|p| {
            let TyKind::Con(id, _) = &*self.cx.tables.type_refs.get(p.id)?.ty.ty else { return None };
            Some(TParam::Type(*id, self.cx.names.ty(*id).lifted))
        });
        let tparams = tparams.collect();
        let params: Vec<Ty> = vb.params.iter().map(|p| self.param(p)).collect();
        let result = match &vb.ret {
            Some(te) => self.type_exp(te),
            None => self.fresh(vb.name.span),
        };
        self.cx.scope.reset(mark);
        // The parameters are read again with the body, and complained about then.
        self.locals.truncate(locals);
        Scheme { tparams, ty: params.into_iter().rev().fold(result, |r, p| types::fun(p, r)) }
    }

    /// Functions of a group that call each other must get by with finitely many instances. They do if
    /// each type argument is a parameter of the caller or made without any.
    fn check_instances(&mut self) {
        for (span, t) in std::mem::take(&mut self.instances) {
            let t = self.metas.resolve(&t);
            if matches!(&*t, TyKind::Con(_, args) if args.is_empty()) || !self.mentions_param(&t) {
                continue;
            }
            let shown = self.show(&t);
            self.fail(
                Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    span,
                    "This function is used in its own group at a type made from a type parameter.",
                )
                .note(format!("the type is `{shown}`"))
                .note("a call might then need it at yet another type, and so on without end"),
            );
        }
    }

    fn mentions_param(&self, t: &Ty) -> bool {
        if t.is_scalar() {
            return false;
        }
        match &**t {
            TyKind::Prim(_) | TyKind::Error | TyKind::Meta(_) => false,
            TyKind::Con(id, args) => {
                matches!(self.cx.names.ty(*id).kind, TyIdKind::Param)
                    || args.iter().any(|a| matches!(a, types::TyArg::Type(t) if self.mentions_param(t)))
            }
            TyKind::Array(_, t) | TyKind::Unique(t) => self.mentions_param(t),
            TyKind::Record(fields) => fields.iter().any(|(_, t)| self.mentions_param(t)),
            TyKind::Sum(cs) => cs.iter().any(|(_, ts)| ts.iter().any(|t| self.mentions_param(t))),
            TyKind::Arrow(a) => self.mentions_param(&a.arg) || self.mentions_param(&a.ret.ty),
        }
    }

    fn infer_def(&mut self, vb: &ValBind, var: VarId, t: &Ty, mutual: bool) {
        let mark = self.cx.scope.mark();
        self.together.clear();
        if !mutual && !vb.params.is_empty() {
            self.cx.set_value(var, Value::Scheme(Rc::new(Scheme::mono(t.clone()))));
            self.cx.scope.bind_term(vb.name.name, crate::scope::Term::Val(var));
        }
        self.bind_tparams(&vb.tparams);
        let kind =
            if vb.keyword == ast::ValKeyword::Entry { LocalKind::FixedParam } else { LocalKind::Param };
        let params: Vec<Ty> = vb.params.iter().map(|p| self.pattern_of(p, kind)).collect();
        let declared = vb.ret.as_ref().map(|te| self.type_exp(te));
        let whole = |result: Ty| params.iter().rev().fold(result, |r, p| types::fun(p.clone(), r));
        match declared {
            // Known before the body is read, it shows which constructors a recursive call returns.
            Some(result) => {
                self.equate(vb.name.span, Why::Recursion, &whole(result.clone()), t);
                let body = self.exp(&vb.body);
                self.equate(vb.body.span, Why::Returned(vb.ret.as_ref().map(|t| t.span)), &result, &body);
            }
            None => {
                let body = self.exp(&vb.body);
                self.equate(vb.name.span, Why::Recursion, &whole(body), t);
            }
        }
        self.cx.scope.reset(mark);
    }

    /// Infer an expression on its own that must be an `i64`, as a size at the level of
    /// declarations.
    pub fn infer_type_exp(&mut self, te: &ast::TypeExp, place: TypePlace) -> bool {
        self.type_exp_at(te, place);
        self.finish(&[], &[]);
        !self.failed
    }

    pub fn fresh(&mut self, span: Span) -> Ty {
        self.metas.fresh(Known::Nothing(Liftedness::Lifted), self.level, span)
    }

    fn fresh_elem(&mut self, span: Span) -> Ty {
        self.metas.fresh(Known::Nothing(Liftedness::Unlifted), self.level, span)
    }

    fn fresh_prim(&mut self, set: PrimSet, span: Span) -> Ty {
        self.metas.fresh(Known::OneOf(set), self.level, span)
    }

    fn fresh_record(&mut self, fields: Vec<(Symbol, Ty)>, span: Span) -> Ty {
        self.metas.fresh(Known::Fields(fields), self.level, span)
    }

    fn fresh_sum(&mut self, constrs: Vec<(Symbol, Vec<Ty>)>, span: Span) -> Ty {
        self.metas.fresh(Known::Constrs(constrs), self.level, span)
    }

    /// Two types must be the same; if not, say so. Whether they are.
    fn equate(&mut self, span: Span, why: Why, expected: &Ty, found: &Ty) -> bool {
        let Err(mismatch) = self.metas.unify(&mut self.cx.names, expected, found) else { return true };
        self.failed = true;
        // What has a mistake in its type has been reported.
        if !self.has_error(expected) && !self.has_error(found) {
            let (expected, found) = (expected.clone(), found.clone());
            self.pending.push(Pending { span, why, expected, found, mismatch });
        }
        false
    }

    /// Report something wrong that stops the later passes for this definition.
    fn fail(&mut self, d: Diagnostic) {
        self.failed = true;
        self.cx.report(d);
    }

    /// As `fail`, but reported at the end of the definition, with advice.
    fn notice(&mut self, d: Noticed) {
        self.failed = true;
        self.noticed.push(d);
    }

    fn set_type(&mut self, id: NodeId, t: &Ty) {
        self.cx.tables.types.set(id, t.clone());
    }

    /// Bring type and size parameters into scope.
    pub fn bind_tparams(&mut self, tparams: &[TypeParam]) {
        let mut type_names: Vec<(Symbol, Span)> = Vec::new();
        for p in tparams {
            let name = p.name.name;
            // Types have a name space of their own.
            let list = match p.kind {
                TypeParamKind::Size => &mut self.together,
                TypeParamKind::Type(_) => &mut type_names,
            };
            let first = list.iter().find(|(n, _)| *n == name).copied();
            list.push((name, p.name.span));
            if let Some((_, first)) = first {
                self.duplicate(name, p.name.span, first);
            }
            match p.kind {
                TypeParamKind::Size => {
                    let var = self.binder(p.id, name, p.name.span);
                    self.bind_mono(var, name, types::prim(Prim::I64));
                }
                TypeParamKind::Type(lifted) => {
                    let id = self.cx.names.new_type(TyInfo {
                        name,
                        span: p.name.span,
                        lifted,
                        kind: TyIdKind::Param,
                    });
                    self.metas.param_levels.insert(id, self.level);
                    let binding = Rc::new(crate::env::TypeBinding {
                        lifted,
                        params: Vec::new(),
                        ty: types::ret(types::con(id, Vec::new())),
                        span: p.name.span,
                    });
                    self.cx.note(p.name.span, p.name.span, Meant::Type);
                    self.cx.tables.type_refs.set(p.id, binding.clone());
                    self.cx.scope.bind_type(name, binding);
                }
            }
        }
    }

    /// The variable that a node binds.
    fn binder(&mut self, id: NodeId, name: Symbol, span: Span) -> VarId {
        let var = self.cx.new_var(name, span);
        self.cx.note(span, span, Meant::Value(var));
        self.cx.tables.binders.set(id, var);
        var
    }

    fn bind_mono(&mut self, var: VarId, name: Symbol, t: Ty) {
        self.cx.set_value(var, Value::Scheme(Rc::new(Scheme::mono(t))));
        self.cx.scope.bind_term(name, crate::scope::Term::Val(var));
    }

    fn duplicate(&mut self, name: Symbol, span: Span, first: Span) {
        self.fail(
            Diagnostic::error(codes::DUPLICATE_NAME, span, format!("The name `{name}` is bound twice here."))
                .label("bound again")
                .secondary(first, "first bound here"),
        );
    }

    /// Instantiate the type parameters of a scheme.
    /// The type of a value at one use. `restricted` are the type parameters that stand for primitive types.
    fn instantiate(
        &mut self,
        scheme: &Scheme,
        span: Span,
        in_group: bool,
        restricted: &dyn Fn(crate::types::TyId) -> Option<PrimSet>,
    ) -> Ty {
        let mut s = Subst::default();
        for p in &scheme.tparams {
            if let TParam::Type(id, lifted) = p {
                let known = restricted(*id).map_or(Known::Nothing(*lifted), Known::OneOf);
                let t = self.metas.fresh(known, self.level, span);
                if in_group {
                    self.instances.push((span, t.clone()));
                }
                s.types.insert(*id, (Vec::new(), RetTy { exts: Vec::new(), ty: t }));
            }
        }
        if s.is_empty() { scheme.ty.clone() } else { subst::apply(&s, &mut self.cx.names, &scheme.ty).ty }
    }

    /// Determine what is left undetermined, and generalise the types of definitions.
    fn finish(&mut self, fun_types: &[Ty], bodies: &[&ast::Exp]) -> Vec<InferredDef> {
        self.report_mistakes(bodies);
        let visible: Vec<Vec<crate::types::MetaId>> = fun_types.iter().map(|t| self.metas_in(t)).collect();
        let mut params: FxHashMap<crate::types::MetaId, (crate::types::TyId, Liftedness)> =
            FxHashMap::default();
        for id in self.metas.ids() {
            let Meta::Unbound { known, span, .. } = self.metas.get(id).clone() else { continue };
            let exported = visible.iter().any(|v| v.contains(&id));
            match known {
                Known::Nothing(lifted) if exported => {
                    let name = Symbol::new(&format!("t{}", params.len()));
                    let ty = self.cx.names.new_type(TyInfo { name, span, lifted, kind: TyIdKind::Param });
                    params.insert(id, (ty, lifted));
                    self.metas.link(id, types::con(ty, Vec::new()));
                }
                Known::Nothing(_) => self.metas.link(id, types::tuple(Vec::new())),
                Known::OneOf(set) => self.default_prim(id, set, span, exported),
                Known::Fields(fields) => {
                    let list: Vec<String> = fields.iter().map(|(f, _)| format!("`{f}`")).collect();
                    let message =
                        format!("This is a record with {}, but which record is not known.", list.join(", "));
                    self.ambiguous(id, span, message, "annotate the type where the value is bound");
                }
                Known::Constrs(cs) => {
                    let list: Vec<String> = cs.iter().map(|(c, _)| format!("`#{c}`")).collect();
                    let message =
                        format!("This is a sum type with {}, but which one is not known.", list.join(", "));
                    let help = "annotate the type, since a constructor can belong to many sum types";
                    self.ambiguous(id, span, message, help);
                }
            }
        }
        self.warn_unused();
        visible
            .iter()
            .map(|metas| InferredDef {
                generalised: metas
                    .iter()
                    .filter_map(|m| params.get(m))
                    .map(|(id, lifted)| TParam::Type(*id, *lifted))
                    .collect(),
            })
            .collect()
    }

    /// A type that nothing determines; reported only where there is no other error that may be the cause.
    fn ambiguous(&mut self, id: crate::types::MetaId, span: Span, message: String, help: &str) {
        if !self.failed {
            self.fail(Diagnostic::error(codes::AMBIGUOUS_TYPE, span, message).help(help));
        }
        self.metas.link(id, types::error());
    }

    fn default_prim(&mut self, id: crate::types::MetaId, set: PrimSet, span: Span, exported: bool) {
        let choices: Vec<Prim> = set.iter().collect();
        let chosen = match &choices[..] {
            [one] => Some(*one),
            _ if set.contains(Prim::I32) => Some(Prim::I32),
            _ if set.contains(Prim::F64) => Some(Prim::F64),
            _ => None,
        };
        let t = match chosen {
            Some(p) => {
                if exported && choices.len() > 1 && !self.failed {
                    self.cx.warning(
                        Diagnostic::warning(
                            codes::DEFAULTED_TYPE,
                            span,
                            format!("The type of this is ambiguous and taken to be {}.", p.name()),
                        )
                        .help("annotate the type"),
                    );
                }
                types::prim(p)
            }
            None => {
                self.fail(
                    Diagnostic::error(
                        codes::AMBIGUOUS_TYPE,
                        span,
                        format!("The type of this is ambiguous: it could be {}.", set.words()),
                    )
                    .help("annotate the type"),
                );
                types::error()
            }
        };
        self.metas.link(id, t);
    }

    /// The undetermined types that occur in a type, in order.
    fn metas_in(&self, t: &Ty) -> Vec<crate::types::MetaId> {
        self.metas.metas_in(t)
    }

    fn warn_unused(&mut self) {
        if !self.cx.warn || self.failed {
            return;
        }
        for (var, kind) in std::mem::take(&mut self.locals) {
            let info = self.cx.names.var(var).clone();
            let name = info.name.as_str();
            let is_word = name.starts_with(|c: char| c.is_alphabetic());
            if self.cx.is_used(var) || !is_word {
                continue;
            }
            let what = match kind {
                LocalKind::Let => "name",
                LocalKind::Function => "function",
                LocalKind::Param => "parameter",
                LocalKind::FixedParam | LocalKind::Counter => continue,
            };
            let meant = if self.puns.contains(&var) { format!("{name} = _") } else { format!("_{name}") };
            self.cx.warning(
                Diagnostic::warning(
                    codes::UNUSED_NAME,
                    info.span,
                    format!("The {what} `{name}` is never used."),
                )
                .help(format!("write `{meant}` if this is meant"))
                .fix(info.span, meant),
            );
        }
    }

    /// A type as the user would write it, without sizes.
    fn show(&self, t: &Ty) -> String {
        let unsized_ty = subst::map_sizes(&self.metas.resolve(t), &mut |s| match s {
            Size::Const(_) | Size::Irregular => s.clone(),
            Size::Any | Size::Var(_) | Size::Term(_) => Size::Any,
        });
        show_ty(&self.cx.names, &unsized_ty)
    }
}

/// Where a type expression stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypePlace {
    /// Not inside an array: no irregular dimension.
    Plain,
    /// The element of an array.
    Element,
    /// The payload of a recursive type: every size there is that of one value.
    Payload,
}
