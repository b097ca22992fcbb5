//! Type expressions with their sizes.
//!
//! What is written as a type leaves sizes open: `[]` has none, `?[n].` hides one, and a type name may hide some that its definition computes. Which of them
//! it is decides what becomes of it, so `Evaluated` keeps them apart: those in parameters of functions are chosen by callers, anonymous ones of the
//! value itself are found by unification (`flexible_type`) or become size parameters, and hidden ones are existential.
//!
//! Two rules hold only inside the elements of an array. A size that is hidden there may differ from element to element, so it becomes `[?]`
//! (`Size::Irregular`). A `[]` that is written there is one size for all elements, which is not known yet but can never become irregular (`regular`);
//! so `[][]i32` is a matrix, and who wants rows of different lengths writes `[?]`.
//!
//! A size can be any expression that names nothing and consumes nothing (`size_of`); as a size it is a term, compared by its text.

use super::term::exp_size;
use super::{Constraint, Sizer};
use crate::subst::{self, Subst};
use crate::types::{self, Arrow, Liftedness, Prim, RetTy, Size, Ty, TyArg, TyKind, VarId};
use norn_base::{Diagnostic, Span, codes};
use norn_syntax::ast::{self, SizeExp, SizeExpKind, TypeExp, TypeExpKind};
use rustc_hash::FxHashMap;

/// The meaning of a type expression.
pub struct Evaluated {
    /// May contain `Unique`.
    pub ty: Ty,
    /// Anonymous sizes of parameters of function types.
    pub params: Vec<VarId>,
    /// Anonymous sizes (`[]`) of the value itself.
    pub anonymous: Vec<VarId>,
    /// Sizes hidden by `?[n].` or by a type name.
    pub hidden: Vec<VarId>,
    pub lifted: Liftedness,
}

impl Evaluated {
    fn of(ty: Ty) -> Evaluated {
        Evaluated {
            ty,
            params: Vec::new(),
            anonymous: Vec::new(),
            hidden: Vec::new(),
            lifted: Liftedness::Unlifted,
        }
    }

    /// Sizes of the value that are not determined by the type.
    pub fn dims(&self) -> Vec<VarId> {
        self.anonymous.iter().chain(&self.hidden).copied().collect()
    }

    fn take_sizes(&mut self, other: &mut Evaluated) {
        self.params.append(&mut other.params);
        self.anonymous.append(&mut other.anonymous);
        self.hidden.append(&mut other.hidden);
        self.lifted = self.lifted.max(other.lifted);
    }
}

impl Sizer<'_> {
    /// A type expression whose open sizes are to be found by unification.
    pub(super) fn flexible_type(&mut self, te: &TypeExp) -> (Ty, Vec<VarId>) {
        let ev = self.eval_type(te);
        let mut open = ev.params.clone();
        open.extend(ev.dims());
        for v in &open {
            let regular = self.entries.get(v).is_some_and(|e| e.regular);
            self.constrain(*v, Constraint::Flex(None), te.span, "an anonymous size in this type");
            if let Some(e) = self.entries.get_mut(v) {
                e.regular = regular;
            }
        }
        (ev.ty, open)
    }

    pub fn eval_type(&mut self, te: &TypeExp) -> Evaluated {
        self.eval_at(te, false)
    }

    fn eval_at(&mut self, te: &TypeExp, element: bool) -> Evaluated {
        match &te.kind {
            TypeExpKind::Var(_) | TypeExpKind::Apply(..) => self.eval_named(te, element),
            TypeExpKind::Parens(inner) => self.eval_at(inner, element),
            TypeExpKind::Tuple(ts) => {
                let mut all = Evaluated::of(types::error());
                let parts = ts.iter().map(|t| self.eval_part(t, element, &mut all)).collect();
                all.ty = types::tuple(parts);
                all
            }
            TypeExpKind::Record(fields) => {
                let mut all = Evaluated::of(types::error());
                let parts =
                    fields.iter().map(|(f, t)| (f.name, self.eval_part(t, element, &mut all))).collect();
                all.ty = types::record(parts);
                all
            }
            TypeExpKind::Sum(cs) => {
                let mut all = Evaluated::of(types::error());
                let parts = cs
                    .iter()
                    .map(|(c, ts)| {
                        (c.name, ts.iter().map(|t| self.eval_part(t, element, &mut all)).collect())
                    })
                    .collect();
                all.ty = types::sum(parts);
                all
            }
            TypeExpKind::Array(size, elem) => {
                let mut ev = self.eval_at(elem, true);
                // A size hidden in the elements varies from element to element.
                if !ev.hidden.is_empty() {
                    ev.ty = subst::make_irregular(&ev.ty, &ev.hidden);
                    ev.hidden.clear();
                }
                let (size, anonymous) = self.eval_size(size, element);
                if let Some(v) = anonymous {
                    ev.anonymous.insert(0, v);
                }
                ev.ty = types::array(size, types::plain(&ev.ty));
                ev.lifted = Liftedness::Unlifted;
                ev
            }
            TypeExpKind::Unique(inner) => {
                let mut ev = self.eval_at(inner, element);
                if !can_be_unique(&ev.ty) {
                    self.cx.warning(Diagnostic::warning(
                        codes::DEPRECATED,
                        te.span,
                        "The `*` has no effect: a value of this type holds no array.",
                    ));
                }
                ev.ty = types::unique(&ev.ty);
                ev
            }
            TypeExpKind::Arrow(name, arg, ret) => {
                let mut a = self.eval_at(arg, false);
                let param = name.as_ref().and_then(|_| self.cx.tables.binders.get(te.id).copied());
                if let Some(v) = param {
                    self.bind_var(v, types::plain(&a.ty));
                }
                let mut r = self.eval_at(ret, false);
                let exts = r.dims();
                let arrow = Arrow {
                    param,
                    diet: types::diet(&a.ty),
                    arg: types::plain(&a.ty),
                    ret: RetTy { exts, ty: r.ty.clone() },
                };
                let mut ev = Evaluated::of(Ty::new(TyKind::Arrow(arrow)));
                ev.params.append(&mut a.params);
                ev.params.append(&mut a.anonymous);
                ev.params.append(&mut a.hidden);
                ev.params.append(&mut r.params);
                ev.lifted = Liftedness::Lifted;
                ev
            }
            TypeExpKind::Exists(sizes, inner) => {
                let vars: Vec<VarId> =
                    sizes.iter().filter_map(|s| self.cx.tables.binders.get(s.id).copied()).collect();
                for v in &vars {
                    self.bind_var(*v, types::prim(Prim::I64));
                }
                let mut ev = self.eval_at(inner, element);
                let (witnessed, _) = subst::size_witnesses(&ev.ty);
                for (v, s) in vars.iter().zip(sizes) {
                    if !witnessed.contains(v) {
                        self.fail(Diagnostic::error(
                            codes::UNUSED_SIZE_PARAMETER,
                            s.span,
                            format!("The existential size `{}` is not the size of any array.", s.name.name),
                        ));
                    }
                }
                // The same expression may be read more than once.
                let fresh: FxHashMap<VarId, Size> =
                    vars.iter().map(|v| (*v, Size::Var(self.same_name(*v)))).collect();
                ev.ty = subst::apply_sizes(&fresh, &ev.ty);
                ev.hidden.extend(vars.iter().filter_map(|v| match fresh.get(v) {
                    Some(Size::Var(w)) => Some(*w),
                    _ => None,
                }));
                ev.lifted = ev.lifted.max(Liftedness::SizeLifted);
                ev
            }
            TypeExpKind::Error => Evaluated::of(types::error()),
        }
    }

    fn same_name(&mut self, v: VarId) -> VarId {
        let info = self.cx.names.var(v).clone();
        self.cx.new_var(info.name, info.span)
    }

    fn eval_part(&mut self, te: &TypeExp, element: bool, all: &mut Evaluated) -> Ty {
        let mut ev = self.eval_at(te, element);
        all.take_sizes(&mut ev);
        ev.ty
    }

    fn eval_size(&mut self, size: &SizeExp, element: bool) -> (Size, Option<VarId>) {
        match &size.kind {
            SizeExpKind::Irregular => (Size::Irregular, None),
            SizeExpKind::Anonymous => {
                let v = self.cx.new_var(norn_base::Symbol::new("d"), size.span);
                if element {
                    self.constrain(v, Constraint::Param, size.span, "");
                    if let Some(e) = self.entries.get_mut(&v) {
                        e.regular = true;
                    }
                }
                (Size::Var(v), Some(v))
            }
            SizeExpKind::Exp(e) => (self.size_of(e), None),
        }
    }

    /// The size that a written expression denotes.
    pub(super) fn size_of(&mut self, e: &ast::Exp) -> Size {
        let typed = self.exp(e);
        if consumes(&typed) {
            self.fail(
                Diagnostic::error(codes::BAD_SIZE_EXPRESSION, e.span, "A size cannot consume anything.")
                    .help("compute it beforehand and write the name here"),
            );
        }
        match exp_size(&typed) {
            Some(s) => s,
            None => {
                self.fail(
                    Diagnostic::error(codes::BAD_SIZE_EXPRESSION, e.span, "A size cannot bind names.")
                        .help("bind the size with `let` and write the name here"),
                );
                Size::Any
            }
        }
    }

    fn eval_named(&mut self, te: &TypeExp, element: bool) -> Evaluated {
        let (root, args) = te.root_and_args();
        let Some(binding) = self.cx.tables.type_refs.get(root.id).cloned() else {
            return Evaluated::of(types::error());
        };
        let fresh: Vec<VarId> = binding.ty.exts.iter().map(|v| self.same_name(*v)).collect();
        let renamed = binding.ty.exts.iter().copied().zip(fresh.iter().map(|v| Size::Var(*v)));
        let body = subst::apply_sizes(&renamed.collect(), &binding.ty.ty);
        let mut ev = Evaluated::of(body);
        ev.hidden = fresh;
        ev.lifted = binding.lifted;
        let mut given = Vec::new();
        for a in args {
            match a {
                ast::TypeArg::Size(s) => {
                    let (size, anonymous) = self.eval_size(s, element);
                    ev.anonymous.extend(anonymous);
                    given.push(TyArg::Size(size));
                }
                ast::TypeArg::Type(t) => {
                    let t = self.eval_part(t, element, &mut ev);
                    given.push(TyArg::Type(types::plain(&t)));
                }
            }
        }
        let s = Subst::params(&binding.params, &given);
        ev.ty = subst::apply(&s, &mut self.cx.names, &ev.ty).ty;
        ev
    }

    pub(super) fn i64(&self) -> Ty {
        types::prim(Prim::I64)
    }

    /// The size an expression denotes; if it binds names, a warning and none.
    pub(super) fn size_or_warn(&mut self, e: &crate::typed::Exp) -> Option<Size> {
        let size = exp_size(e);
        if size.is_none() {
            self.warn_binding(e.span);
        }
        size
    }

    pub(super) fn warn_binding(&mut self, span: Span) {
        self.cx.warning(
            Diagnostic::warning(
                codes::SIZE_WITH_BINDING,
                span,
                "This size binds names, so an unknown size is used in its place.",
            )
            .help("bind it with `let` first"),
        );
    }
}

/// Whether evaluating an expression consumes a variable: by a call of a consuming function, or by
/// an update.
fn consumes(e: &crate::typed::Exp) -> bool {
    use crate::typed::{Exp, ExpKind};
    fn is_variable(e: &Exp) -> bool {
        match &e.bare().kind {
            ExpKind::Var(_) => true,
            ExpKind::Project(e, _) | ExpKind::Index(e, _) => is_variable(e),
            _ => false,
        }
    }
    let here = match &e.kind {
        ExpKind::Apply(f, args) => {
            let mut t = f.ty.clone();
            args.iter().any(|arg| {
                let TyKind::Arrow(a) = &*t.clone() else { return false };
                t = a.ret.ty.clone();
                a.diet == types::Diet::Consume && is_variable(&arg.exp)
            })
        }
        ExpKind::Update(target, ..) => is_variable(target),
        ExpKind::LetWith { .. } => true,
        _ => false,
    };
    let mut inside = false;
    crate::walk::each_child(e, &mut |c| inside |= consumes(c));
    here || inside
}

fn can_be_unique(t: &Ty) -> bool {
    if t.is_scalar() {
        return false;
    }
    match &**t {
        TyKind::Prim(_) | TyKind::Arrow(_) => false,
        TyKind::Record(fields) => fields.iter().any(|(_, t)| can_be_unique(t)),
        TyKind::Sum(cs) => cs.iter().any(|(_, ts)| ts.iter().any(can_be_unique)),
        TyKind::Con(..) | TyKind::Array(..) | TyKind::Unique(_) | TyKind::Meta(_) | TyKind::Error => true,
    }
}
