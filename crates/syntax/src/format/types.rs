//! The layout of type expressions and type parameters.

use super::formatter::Formatter;
use crate::ast::{
    Ident, Liftedness, SizeExp, SizeExpKind, TypeArg, TypeExp, TypeExpKind, TypeParam, TypeParamKind,
};

impl<'a> Formatter<'a> {
    pub fn type_exp(&mut self, ty: &TypeExp) {
        match &ty.kind {
            TypeExpKind::Var(name) => self.qual_name(name),
            TypeExpKind::Parens(inner) => self.in_parens(|f| f.type_exp(inner)),
            TypeExpKind::Tuple(parts) => self.list("(", ")", parts, Self::type_exp),
            TypeExpKind::Record(fields) => self.list("{", "}", fields, Self::type_field),
            TypeExpKind::Sum(constructors) => self.sum_type(constructors),
            TypeExpKind::Array(size, element) => {
                self.size(size);
                self.type_exp(element);
            }
            TypeExpKind::Unique(inner) => {
                self.token("*");
                // Two stars without a space would be an operator.
                if matches!(inner.kind, TypeExpKind::Unique(_)) {
                    self.space();
                }
                self.type_exp(inner);
            }
            TypeExpKind::Apply(..) => self.type_application(ty),
            TypeExpKind::Arrow(..) => self.arrows(ty),
            TypeExpKind::Exists(sizes, inner) => {
                self.token("?");
                for size in sizes {
                    self.size_binder(&size.name);
                }
                self.token(".");
                self.type_exp(inner);
            }
            TypeExpKind::Error => self.verbatim(ty.span),
        }
    }

    fn type_field(&mut self, (name, ty): &(Ident, TypeExp)) {
        self.ident(name);
        self.token(":");
        self.space();
        self.type_exp(ty);
    }

    /// ```text
    ///     #leaf
    ///   | #node tree tree
    /// ```
    fn sum_type(&mut self, constructors: &[(Ident, Vec<TypeExp>)]) {
        self.group(|f| {
            f.aligned(|f| {
                if constructors.len() > 1 {
                    f.pad("| ".len());
                }
                for (i, (_, payload)) in constructors.iter().enumerate() {
                    if i > 0 {
                        f.sign(|f| f.token("|"));
                    }
                    f.constructor();
                    for part in payload {
                        f.space();
                        f.type_exp(part);
                    }
                }
            });
        });
    }

    fn type_application(&mut self, mut ty: &TypeExp) {
        let mut args = Vec::new();
        while let TypeExpKind::Apply(head, arg) = &ty.kind {
            args.push(arg);
            ty = head;
        }
        args.reverse();
        self.type_exp(ty);
        self.space();
        self.filled(&args, |f, arg| match arg {
            TypeArg::Size(size) => f.size(size),
            TypeArg::Type(ty) => f.type_exp(ty),
        });
    }

    /// `a -> b -> c`, broken before the arrows.
    fn arrows(&mut self, ty: &TypeExp) {
        let mut ty = ty;
        self.group(|f| {
            f.aligned(|f| {
                while let TypeExpKind::Arrow(name, param, result) = &ty.kind {
                    match name {
                        Some(name) => f.in_parens(|f| {
                            f.ident(name);
                            f.token(":");
                            f.space();
                            f.type_exp(param);
                        }),
                        None => f.type_exp(param),
                    }
                    f.sign(|f| f.token("->"));
                    ty = result;
                }
                f.type_exp(ty);
            });
        });
    }

    fn size(&mut self, size: &SizeExp) {
        self.token("[");
        match &size.kind {
            SizeExpKind::Exp(exp) => self.exp(exp),
            SizeExpKind::Anonymous => {}
            SizeExpKind::Irregular => self.token("?"),
        }
        self.token("]");
    }

    /// `[n]`
    pub fn size_binder(&mut self, name: &Ident) {
        self.token("[");
        self.ident(name);
        self.token("]");
    }

    pub fn type_param(&mut self, param: &TypeParam) {
        match param.kind {
            TypeParamKind::Size => self.size_binder(&param.name),
            TypeParamKind::Type(lifted) => {
                self.token("'");
                self.lifted_mark(lifted);
                self.ident(&param.name);
            }
        }
    }

    /// The sign after `type` or `'`.
    pub fn lifted_mark(&mut self, lifted: Liftedness) {
        match lifted {
            Liftedness::Unlifted => {}
            Liftedness::SizeLifted => self.token("~"),
            Liftedness::Lifted => self.token("^"),
        }
    }

    /// ` 'a [n]`, after a name.
    pub fn type_params(&mut self, params: &[TypeParam]) {
        if !params.is_empty() {
            self.space();
            self.filled(params, Self::type_param);
        }
    }
}
