//! Type expressions while types are inferred: their names are resolved, the sizes in them are
//! inferred as expressions of type `i64`, and the type comes out without sizes.

use super::{Infer, TypePlace, Why};
use crate::env::TypeBinding;
use crate::sizes::has_open_irregular;
use crate::subst::{self, Subst};
use crate::types::{self, Prim, Size, TParam, Ty, TyArg};
use norn_base::{Diagnostic, Span, Symbol, codes};
use norn_syntax::ast::{self, Ident, QualName, SizeExp, SizeExpKind, TypeExp, TypeExpKind};
use std::rc::Rc;

impl Infer<'_> {
    pub(super) fn type_exp(&mut self, te: &TypeExp) -> Ty {
        self.type_exp_at(te, TypePlace::Plain)
    }

    pub(super) fn type_exp_at(&mut self, te: &TypeExp, place: TypePlace) -> Ty {
        match &te.kind {
            TypeExpKind::Var(_) | TypeExpKind::Apply(..) => self.named_type(te, place),
            TypeExpKind::Parens(inner) => self.type_exp_at(inner, place),
            TypeExpKind::Tuple(ts) => types::tuple(ts.iter().map(|t| self.type_exp_at(t, place)).collect()),
            TypeExpKind::Record(fields) => {
                self.no_duplicates(fields.iter().map(|(f, _)| *f), "field");
                let mut parts: Vec<(Symbol, Ty)> = Vec::new();
                for (f, t) in fields {
                    let t = self.type_exp_at(t, place);
                    if !parts.iter().any(|(g, _)| *g == f.name) {
                        parts.push((f.name, t));
                    }
                }
                types::record(parts)
            }
            TypeExpKind::Sum(constrs) => {
                self.no_duplicates(constrs.iter().map(|(c, _)| *c), "constructor");
                if constrs.len() > 255 {
                    self.fail(Diagnostic::error(
                        codes::TYPE_ARGUMENTS,
                        te.span,
                        format!(
                            "A sum type can have at most 255 constructors; this one has {}.",
                            constrs.len()
                        ),
                    ));
                }
                let mut parts: Vec<(Symbol, Vec<Ty>)> = Vec::new();
                for (c, ts) in constrs {
                    let ts = ts.iter().map(|t| self.type_exp_at(t, place)).collect();
                    if !parts.iter().any(|(d, _)| *d == c.name) {
                        parts.push((c.name, ts));
                    }
                }
                types::sum(parts)
            }
            TypeExpKind::Array(size, elem) => {
                let size = self.size_exp(size, place);
                types::array(size, self.type_exp_at(elem, TypePlace::Element))
            }
            TypeExpKind::Unique(inner) => self.type_exp_at(inner, place),
            TypeExpKind::Arrow(name, arg, ret) => {
                let mark = self.cx.scope.mark();
                let arg_t = self.type_exp(arg);
                let depth = self.arrow_names.len();
                if let Some(name) = name {
                    if let Some((_, first)) = self.arrow_names.iter().find(|(n, _)| *n == name.name).copied()
                    {
                        self.duplicate(name.name, name.span, first);
                    }
                    self.arrow_names.push((name.name, name.span));
                    let var = self.binder(te.id, name.name, name.span);
                    self.bind_mono(var, name.name, arg_t.clone());
                }
                let ret_t = self.type_exp(ret);
                self.arrow_names.truncate(depth);
                self.cx.scope.reset(mark);
                types::fun(arg_t, ret_t)
            }
            TypeExpKind::Exists(sizes, inner) => {
                let mark = self.cx.scope.mark();
                for s in sizes {
                    let var = self.binder(s.id, s.name.name, s.name.span);
                    self.bind_mono(var, s.name.name, types::prim(Prim::I64));
                }
                let t = self.type_exp_at(inner, place);
                self.cx.scope.reset(mark);
                t
            }
            TypeExpKind::Error => {
                self.failed = true;
                types::error()
            }
        }
    }

    fn no_duplicates(&mut self, names: impl Iterator<Item = Ident>, what: &str) {
        let mut seen: Vec<Ident> = Vec::new();
        for n in names {
            if let Some(first) = seen.iter().find(|s| s.name == n.name).copied() {
                self.fail(
                    Diagnostic::error(
                        codes::DUPLICATE_NAME,
                        n.span,
                        format!("The {what} `{}` occurs twice in this type.", n.name),
                    )
                    .secondary(first.span, "first here"),
                );
            }
            seen.push(n);
        }
    }

    /// Of sizes, the type that comes out says only which are irregular.
    fn size_exp(&mut self, size: &SizeExp, place: TypePlace) -> Size {
        match &size.kind {
            SizeExpKind::Anonymous => Size::Any,
            SizeExpKind::Irregular => {
                if place == TypePlace::Plain {
                    self.irregular_outside(size.span);
                }
                Size::Irregular
            }
            SizeExpKind::Exp(e) => {
                let t = self.exp(e);
                self.equate(e.span, Why::Size, &types::prim(Prim::I64), &t);
                Size::Any
            }
        }
    }

    fn irregular_outside(&mut self, span: Span) {
        self.fail(
            Diagnostic::error(
                codes::IRREGULAR_DIMENSION,
                span,
                "An irregular dimension can stand only inside the elements of an array.",
            )
            .label("not an element of an array")
            .help("for an array of some size, write `[]`; rows of varying length are `[n][?]t`"),
        );
    }

    /// A type name with its arguments.
    fn named_type(&mut self, te: &TypeExp, place: TypePlace) -> Ty {
        let (root, args) = te.root_and_args();
        let name = match &root.kind {
            TypeExpKind::Var(name) => Some(name),
            TypeExpKind::Error => None,
            _ => {
                self.fail(Diagnostic::error(
                    codes::TYPE_ARGUMENTS,
                    root.span,
                    "This type takes no arguments.",
                ));
                None
            }
        };
        let binding = name.and_then(|n| self.resolve_type(n).map(|b| (n, b)));
        if let Some((name, binding)) = &binding {
            self.cx.tables.type_refs.set(root.id, binding.clone());
            self.kinds_agree(name, binding, &args, te);
        } else {
            self.failed = true;
        }
        let mut given = Vec::new();
        for a in args {
            match a {
                ast::TypeArg::Size(s) => {
                    given.push(TyArg::Size(self.size_exp(s, TypePlace::Element)));
                }
                ast::TypeArg::Type(t) => given.push(TyArg::Type(self.type_exp_at(t, TypePlace::Element))),
            }
        }
        match binding {
            Some((_, binding)) => {
                let s = Subst::params(&binding.params, &given);
                let t = subst::apply(&s, &mut self.cx.names, &binding.ty.ty).ty;
                // An irregular argument may become the outermost size of what the name stands for.
                if place == TypePlace::Plain && has_open_irregular(&t) {
                    self.irregular_outside(te.span);
                }
                t
            }
            None => types::error(),
        }
    }

    fn kinds_agree(
        &mut self,
        name: &QualName,
        binding: &Rc<TypeBinding>,
        args: &[&ast::TypeArg],
        te: &TypeExp,
    ) {
        if args.len() != binding.params.len() {
            let n = binding.params.len();
            let plural = if n == 1 { "" } else { "s" };
            self.fail(Diagnostic::error(
                codes::TYPE_ARGUMENTS,
                te.span,
                format!(
                    "The type `{}` takes {n} argument{plural}, but {} given.",
                    name.name.name,
                    match args.len() {
                        0 => "none is".into(),
                        1 => "1 is".into(),
                        k => format!("{k} are"),
                    }
                ),
            ));
            return;
        }
        for (p, a) in binding.params.iter().zip(args) {
            match (p, a) {
                (TParam::Size(_), ast::TypeArg::Size(_)) | (TParam::Type(..), ast::TypeArg::Type(_)) => {}
                (TParam::Size(v), ast::TypeArg::Type(t)) => {
                    let p = self.cx.names.var(*v).name;
                    self.fail(
                        Diagnostic::error(
                            codes::TYPE_ARGUMENTS,
                            t.span,
                            format!("The parameter `[{p}]` of this type is a size, but a type is given."),
                        )
                        .help("write a size in brackets"),
                    );
                }
                (TParam::Type(id, _), ast::TypeArg::Size(s)) => {
                    let p = self.cx.names.ty(*id).name;
                    self.fail(Diagnostic::error(
                        codes::TYPE_ARGUMENTS,
                        s.span,
                        format!("The parameter `'{p}` of this type is a type, but a size is given."),
                    ));
                }
            }
        }
    }
}
