//! What an entry point may be: its caller knows neither types nor functions.

use super::Checker;
use crate::print::show_ty;
use crate::subst;
use crate::typed::{EntryNames, Fun};
use crate::types::{self, TParam, Ty, TyArg, TyIdKind, TyKind};
use norn_base::{Diagnostic, Symbol, codes};
use norn_syntax::ast::{Doc, Pat, PatKind, TypeExp, TypeExpKind, ValBind};

impl Checker<'_> {
    /// Why a definition cannot be an entry point.
    pub(super) fn entry_errors(&self, vb: &ValBind, fun: &Fun) -> Vec<Diagnostic> {
        let name = vb.name.name;
        let span = vb.name.span;
        let bad = |message: String| Diagnostic::error(codes::BAD_ENTRY_POINT, span, message);
        if fun.tparams.iter().any(|p| matches!(p, TParam::Type(..))) {
            let polymorphic =
                format!("The entry point `{name}` is polymorphic, so its caller would have to pass a type.");
            return vec![bad(polymorphic).help("annotate the parameters with their types")];
        }
        let mut params: Vec<Ty> = fun.params.iter().map(|p| types::plain(&p.ty)).collect();
        let mut result = types::plain(&fun.ret.ty);
        while let TyKind::Arrow(a) = &*result.clone() {
            params.push(a.arg.clone());
            result = types::plain(&a.ret.ty);
        }
        for t in params.iter().chain([&result]) {
            if self.has_function(t) {
                let shown = show_ty(&self.cx.names, t);
                let functional = bad(format!("The entry point `{name}` takes or returns a function."));
                return vec![functional.note(format!("its type contains `{shown}`"))];
            }
        }
        let in_params: Vec<_> = params.iter().flat_map(subst::free_vars).collect();
        let in_result = subst::free_vars(&result);
        let mut witnessed = Vec::new();
        for t in &params {
            witnessed.extend(subst::size_witnesses(t).0);
        }
        let mut errors = Vec::new();
        for p in &fun.tparams {
            let TParam::Size(v) = p else { continue };
            let size = self.cx.names.var(*v).name;
            if in_result.contains(v) && !in_params.contains(v) {
                errors.push(bad(format!(
                    "The size `{size}` of the result of the entry point `{name}` cannot be determined by its caller."
                )));
            } else if !witnessed.contains(v) {
                errors.push(bad(format!(
                    "The size parameter `{size}` of the entry point `{name}` is not the size of an array that is passed."
                )));
            }
        }
        errors
    }

    fn has_function(&self, t: &Ty) -> bool {
        if t.is_scalar() {
            return false;
        }
        match &**t {
            TyKind::Arrow(_) => true,
            TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => false,
            TyKind::Array(_, t) | TyKind::Unique(t) => self.has_function(t),
            TyKind::Record(fields) => fields.iter().any(|(_, t)| self.has_function(t)),
            TyKind::Sum(cs) => cs.iter().any(|(_, ts)| ts.iter().any(|t| self.has_function(t))),
            TyKind::Con(id, args) => {
                let info = self.cx.names.ty(*id);
                matches!(info.kind, TyIdKind::Abstract) && info.lifted == types::Liftedness::Lifted
                    || args.iter().any(|a| matches!(a, TyArg::Type(t) if self.has_function(t)))
            }
        }
    }
}

pub(super) fn entry_names(vb: &ValBind, doc: Option<&Doc>) -> EntryNames {
    EntryNames {
        doc: doc.map(|doc| doc.text.trim().to_string()).unwrap_or_default(),
        params: vb.params.iter().map(pattern_type_name).collect(),
        result: vb.ret.as_ref().and_then(type_name),
    }
}

fn pattern_type_name(p: &Pat) -> Option<Symbol> {
    match &p.kind {
        PatKind::Parens(p) | PatKind::Attr(_, p) => pattern_type_name(p),
        PatKind::Ascript(_, t) => type_name(t),
        PatKind::Name(_)
        | PatKind::Wildcard
        | PatKind::Tuple(_)
        | PatKind::Record(_)
        | PatKind::Lit(_)
        | PatKind::Constr(..)
        | PatKind::Error => None,
    }
}

fn type_name(t: &TypeExp) -> Option<Symbol> {
    match &t.kind {
        TypeExpKind::Var(name) => {
            let path = name.quals.iter().chain([&name.name]).map(|i| i.name.as_str());
            Some(Symbol::new(&path.collect::<Vec<_>>().join(".")))
        }
        TypeExpKind::Parens(t) | TypeExpKind::Unique(t) => type_name(t),
        _ => None,
    }
}
