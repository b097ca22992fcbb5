//! Checking whole definitions, one or a mutually recursive group.

use super::generalise::{FunSource, fun_type};
use super::instantiate::element_sizes;
use super::pattern::BoundSizes;
use super::{Constraint, Sizer};
use crate::consume;
use crate::cx::Cx;
use crate::env::Value;
use crate::infer::InferredDef;
use crate::infer::meta::Metas;
use crate::print::show_scheme;
use crate::subst;
use crate::typed::Fun;
use crate::types::{self, RetTy, Scheme, TParam, VarId};
use norn_base::{Diagnostic, codes};
use norn_syntax::ast::{Pat, PatKind, ValBind};
use std::rc::Rc;

/// Find the sizes of a group of definitions whose types have been inferred, and check what depends
/// on them. `None` for a definition with errors; they have been reported.
pub fn check_group(
    cx: &mut Cx,
    metas: Metas,
    group: &[&ValBind],
    vars: &[VarId],
    inferred: Vec<InferredDef>,
) -> Vec<Option<Fun>> {
    let mut metas = metas;
    // What the members of a group take one another's types to be.
    let mut assumed: Vec<Option<Rc<Scheme>>> = vec![None; group.len()];
    if group.len() > 1 {
        for (((vb, var), inf), assumed) in group.iter().zip(vars).zip(&inferred).zip(&mut assumed) {
            if fully_annotated(vb) {
                let mut sizer = Sizer::new(cx, metas);
                *assumed = Some(Rc::new(sizer.signature(vb, &inf.generalised)));
                metas = sizer.metas;
            }
            let value = assumed.clone().map_or(Value::Recursive, Value::Scheme);
            cx.set_value(*var, value);
        }
    }
    let mut funs = Vec::new();
    for (((vb, var), inf), assumed) in group.iter().zip(vars).zip(inferred).zip(assumed) {
        let source = FunSource {
            name: vb.name.name,
            var: *var,
            tparams: &vb.tparams,
            params: &vb.params,
            ret: vb.ret.as_ref(),
            body: &vb.body,
            span: vb.name.span,
            recursive: group.len() == 1 && !vb.params.is_empty(),
        };
        let before = cx.diagnostics.len();
        let mut sizer = Sizer::new(cx, metas);
        let mut fun = sizer.fun(&source, inf.generalised.clone());
        if sizer.too_open {
            // The body relates the sizes that it was assumed to be polymorphic in: read it again with
            // one size for all uses.
            metas = sizer.metas;
            cx.diagnostics.truncate(before);
            sizer = Sizer::new(cx, metas);
            sizer.open_recursion = false;
            fun = sizer.fun(&source, inf.generalised);
        }
        sizer.report_ambiguous();
        sizer.complete(&mut fun);
        if !sizer.failed {
            sizer.check_causality(&fun);
        }
        let typed = !sizer.failed;
        sizer.check_locally(&fun);
        if let Some(assumed) = assumed.filter(|_| !sizer.failed) {
            sizer.check_assumption(vb, &assumed, &scheme_of(&fun));
        }
        let failed = sizer.failed;
        metas = sizer.metas;
        if !failed {
            let before = cx.diagnostics.error_count();
            consume::check_consumption(&cx.names, *var, &mut fun, &mut cx.diagnostics);
            if cx.diagnostics.error_count() == before {
                funs.push(Some(fun));
                continue;
            }
        }
        // The declared or inferred type is still good for the users of the definition.
        let scheme = if typed {
            scheme_of(&fun)
        } else {
            let declared;
            (metas, declared) = declared_scheme(cx, metas, vb);
            declared
        };
        cx.set_value(*var, Value::Scheme(Rc::new(scheme)));
        funs.push(None);
    }
    funs
}

/// The type that a definition with errors has for its users: the declared one if it is declared in
/// full, else one that fits everywhere.
pub fn declared_scheme(cx: &mut Cx, metas: Metas, vb: &ValBind) -> (Metas, Scheme) {
    if !fully_annotated(vb) {
        return (metas, Scheme::mono(types::error()));
    }
    let before = cx.diagnostics.len();
    let mut sizer = Sizer::new(cx, metas);
    let scheme = sizer.signature(vb, &[]);
    let metas = sizer.metas;
    cx.diagnostics.truncate(before);
    (metas, scheme)
}

/// The type scheme of a checked definition.
pub fn scheme_of(fun: &Fun) -> Scheme {
    Scheme { tparams: fun.tparams.clone(), ty: fun_type(&fun.params, fun.ret.clone()) }
}

/// Whether the types of all parameters and of the result are written down.
pub fn fully_annotated(vb: &ValBind) -> bool {
    fn annotated(p: &Pat) -> bool {
        match &p.kind {
            PatKind::Ascript(..) => true,
            PatKind::Parens(p) | PatKind::Attr(_, p) => annotated(p),
            PatKind::Tuple(ps) => ps.iter().all(annotated),
            PatKind::Record(fs) => fs.iter().all(|f| f.pat.as_ref().is_some_and(annotated)),
            PatKind::Name(_) | PatKind::Wildcard | PatKind::Lit(_) | PatKind::Constr(..) | PatKind::Error => {
                false
            }
        }
    }
    vb.ret.is_some() && vb.params.iter().all(annotated)
}

impl Sizer<'_> {
    /// A member of a group must be as polymorphic in its sizes as the others took it to be.
    fn check_assumption(&mut self, vb: &ValBind, assumed: &Scheme, found: &Scheme) {
        let types: Vec<_> = found
            .tparams
            .iter()
            .filter_map(|p| match p {
                TParam::Type(id, _) => Some((*id, types::con(*id, Vec::new()))),
                TParam::Size(_) => None,
            })
            .collect();
        let metas = std::mem::take(&mut self.metas);
        let mut other = Sizer::new(self.cx, metas);
        let fits = other.fits_instance(&assumed.ty, found, &types);
        self.metas = other.metas;
        if !fits {
            let (expected, got) = (show_scheme(&self.cx.names, assumed), show_scheme(&self.cx.names, found));
            self.fail(
                Diagnostic::error(
                    codes::SIZE_MISMATCH,
                    vb.name.span,
                    format!(
                        "The body of `{}` relates sizes that its declared type leaves open.",
                        vb.name.name
                    ),
                )
                .expected_found(expected, got)
                .help("give these sizes names with size parameters"),
            );
        }
    }

    /// The declared type of a fully annotated definition.
    fn signature(&mut self, vb: &ValBind, generalised: &[TParam]) -> Scheme {
        let mut tparams = generalised.to_vec();
        tparams.extend(self.declared_tparams(&vb.tparams));
        let params: Vec<_> =
            vb.params.iter().map(|p| self.pattern(p, None, &BoundSizes::default())).collect();
        let (ty, exts) = match &vb.ret {
            Some(te) => self.flexible_type(te),
            None => (types::error(), Vec::new()),
        };
        let ty = fun_type(&params, RetTy { exts: exts.clone(), ty });
        tparams.extend(self.open_sizes(&ty, &exts).into_iter().map(TParam::Size));
        Scheme { tparams, ty: self.rename_binders(&ty) }
    }
}

impl Sizer<'_> {
    /// Whether a type is an instance of a scheme in its sizes, when it is one in its types: `params`
    /// are the types found for the scheme's type parameters.
    pub fn fits_instance(
        &mut self,
        expected: &types::Ty,
        scheme: &Scheme,
        params: &[(types::TyId, types::Ty)],
    ) -> bool {
        let mut s = subst::Subst::default();
        self.level = 1;
        let span = norn_base::Span::new(norn_base::FileId(0), 0, 0);
        let in_elements = element_sizes(&scheme.ty);
        for p in &scheme.tparams {
            match p {
                TParam::Size(v) => {
                    let name = self.cx.names.var(*v).name;
                    let size = self.new_size(name.as_str(), span, Constraint::Flex(None), "");
                    self.mark_regular(size, in_elements.contains(v));
                    s.sizes.insert(*v, types::Size::Var(size));
                }
                TParam::Type(id, _) => {
                    if let Some((_, t)) = params.iter().find(|(p, _)| p == id) {
                        let t = self.give_sizes(t, super::InstKind::Local, span);
                        s.types.insert(*id, (Vec::new(), types::ret(t)));
                    }
                }
            }
        }
        let own = subst::apply(&s, &mut self.cx.names, &scheme.ty).ty;
        self.try_unify(expected, &own).is_ok()
    }
}
