//! The layout of expressions: which construct is laid out where, and those that need no file of
//! their own.

use super::formatter::Formatter;
use crate::ast::{Exp, ExpKind, Field, RangeKind, TypeExp};

impl<'a> Formatter<'a> {
    pub fn exp(&mut self, exp: &Exp) {
        match &exp.kind {
            ExpKind::Lit(_) | ExpKind::Hole => self.source(exp.span),
            ExpKind::Var(name) => self.qual_name(name),
            ExpKind::Parens(inner) => self.in_parens(|f| f.exp(inner)),
            ExpKind::LocalOpen(module, inner) => {
                self.qual_name(module);
                self.token(".");
                self.in_parens(|f| f.exp(inner));
            }
            ExpKind::Tuple(parts) => self.list("(", ")", parts, Self::exp),
            ExpKind::Record(fields) => self.list("{", "}", fields, Self::field),
            ExpKind::Array(elements) => self.array(elements),
            ExpKind::Project(inner, field) => {
                self.exp(inner);
                self.token(".");
                // `0. 0` without the space would be another number.
                if matches!(inner.kind, ExpKind::Lit(_)) {
                    self.space();
                }
                self.ident(field);
            }
            ExpKind::Index(inner, indices) => {
                self.exp(inner);
                self.indices(indices);
            }
            ExpKind::Apply(function, args) => self.application(function, args),
            ExpKind::Constr(_, payload) => self.constructor_application(payload),
            ExpKind::Negate(inner) => self.prefix("-", inner),
            ExpKind::Not(inner) => self.prefix("!", inner),
            ExpKind::BinOp(..) => self.infix(exp),
            ExpKind::OpSection(op) => self.in_parens(|f| f.operator(op)),
            ExpKind::LeftSection(left, op) => self.in_parens(|f| {
                f.exp(left);
                f.space();
                f.operator(op);
            }),
            ExpKind::RightSection(op, right) => self.in_parens(|f| {
                f.operator(op);
                f.space();
                f.exp(right);
            }),
            ExpKind::ProjSection(steps) => self.projection_section(steps),
            ExpKind::Ascript(inner, ty) => self.typed(inner, ":", ty),
            ExpKind::Coerce(inner, ty) => self.typed(inner, ":>", ty),
            ExpKind::Range { start, second, kind, end } => {
                self.range(start, second.as_deref(), *kind, end);
            }
            ExpKind::If(..) => self.if_chain(exp),
            ExpKind::LetPat { .. } | ExpKind::LetFun(_) | ExpKind::LetWith { .. } | ExpKind::Assert(..) => {
                self.bindings(exp)
            }
            ExpKind::Lambda { params, ret, body } => self.lambda(params, ret.as_deref(), body),
            ExpKind::Loop(it) => self.loop_exp(it),
            ExpKind::Match(scrutinee, cases) => self.match_cases(scrutinee, cases),
            ExpKind::Update(..) => self.updates(exp),
            ExpKind::Attr(attr, inner) => {
                self.group(|f| {
                    f.attr(attr);
                    f.line();
                });
                self.exp(inner);
            }
            ExpKind::Error => self.verbatim(exp.span),
        }
    }

    fn field(&mut self, field: &Field) {
        self.ident(&field.name);
        if let Some(value) = &field.value {
            self.space();
            self.token("=");
            self.hang(|f| f.exp(value));
        }
    }

    /// Two signs in a row would be one operator, or a comment.
    fn prefix(&mut self, sign: &'static str, operand: &Exp) {
        self.token(sign);
        if self.cursor.next_char().is_some_and(|c| "+-*/%=!><|&^".contains(c)) {
            self.space();
        }
        self.exp(operand);
    }

    /// `e : t`, `e :> t`
    fn typed(&mut self, exp: &Exp, sign: &'static str, ty: &TypeExp) {
        self.group(|f| {
            f.aligned(|f| {
                f.exp(exp);
                f.line();
                f.token(sign);
                f.space();
                f.type_exp(ty);
            });
        });
    }

    fn range(&mut self, start: &Exp, second: Option<&Exp>, kind: RangeKind, end: &Exp) {
        self.exp(start);
        if let Some(second) = second {
            self.token("..");
            self.exp(second);
        }
        self.token(match kind {
            RangeKind::To => "...",
            RangeKind::UpTo => "..<",
            RangeKind::DownTo => "..>",
        });
        self.exp(end);
    }
}
