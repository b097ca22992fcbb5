//! What can be checked once all types are known and that no inference depends on: patterns that
//! cover every value, and comparisons of what can be compared.

use super::Sizer;
use crate::coverage;
use crate::env::Value;
use crate::print::show_ty;
use crate::typed::{Case, Exp, ExpKind, Fun, LoopForm, Pat};
use crate::types::{TParam, Ty, TyArg, TyId, TyIdKind, TyKind};
use crate::walk::each_child;
use norn_base::{Diagnostic, Span, codes};

impl Sizer<'_> {
    pub(super) fn check_locally(&mut self, fun: &Fun) {
        fun.params.iter().for_each(|p| self.irrefutable(p));
        self.check_exp(&fun.body);
    }

    fn check_exp(&mut self, e: &Exp) {
        match &e.kind {
            ExpKind::Match(scrutinee, cases) => self.check_match(scrutinee.span, cases),
            ExpKind::LetPat { pat, .. } => self.irrefutable(pat),
            ExpKind::Lambda { params, .. } => params.iter().for_each(|p| self.irrefutable(p)),
            ExpKind::LetFun { fun, .. } => fun.params.iter().for_each(|p| self.irrefutable(p)),
            ExpKind::Loop(l) => {
                self.irrefutable(&l.pat);
                if let LoopForm::ForIn(p, _) = &l.form {
                    self.irrefutable(p);
                }
            }
            ExpKind::Var(v) if matches!(self.cx.value(*v), Some(Value::Equality)) => {
                if let TyKind::Arrow(a) = &*e.ty
                    && !self.comparable(&a.arg, &mut Vec::new())
                {
                    let shown = show_ty(&self.cx.names, &a.arg);
                    let name = self.cx.names.var(*v).name;
                    self.fail(
                        Diagnostic::error(
                            codes::NO_EQUALITY,
                            e.span,
                            format!("Values of this type cannot be compared with `{name}`."),
                        )
                        .note(format!("the type is `{shown}`")),
                    );
                }
            }
            _ => {}
        }
        let mut children = Vec::new();
        each_child(e, &mut |c| children.push(c));
        children.into_iter().for_each(|c| self.check_exp(c));
    }

    fn irrefutable(&mut self, p: &Pat) {
        let missing = coverage::unmatched(&self.cx.names, &[p]);
        if !missing.is_empty() {
            self.fail(
                Diagnostic::error(codes::REFUTABLE_PATTERN, p.span, "This pattern can fail to match.")
                    .note(format!("it does not match {}", list(&missing)))
                    .help("use `match` to handle all cases"),
            );
        }
    }

    fn check_match(&mut self, scrutinee: Span, cases: &[Case]) {
        let pats: Vec<&Pat> = cases.iter().map(|c| &c.pat).collect();
        let missing = coverage::unmatched(&self.cx.names, &pats);
        if !missing.is_empty() {
            self.fail(
                Diagnostic::error(
                    codes::NON_EXHAUSTIVE_MATCH,
                    scrutinee,
                    "The cases do not cover every value.",
                )
                .label(format!("{} not matched", list(&missing))),
            );
        }
        for i in coverage::redundant(&self.cx.names, &pats) {
            self.cx.warning(Diagnostic::warning(
                codes::REDUNDANT_CASE,
                cases[i].pat.span,
                "This case is never reached: the ones before it cover all it matches.",
            ));
        }
    }

    /// Whether values of a type can be compared for equality.
    fn comparable(&self, t: &Ty, assumed: &mut Vec<TyId>) -> bool {
        match &**t {
            TyKind::Prim(_) | TyKind::Error | TyKind::Meta(_) => true,
            TyKind::Array(_, t) | TyKind::Unique(t) => self.comparable(t, assumed),
            TyKind::Record(fields) => fields.iter().all(|(_, t)| self.comparable(t, assumed)),
            TyKind::Sum(cs) => cs.iter().all(|(_, ts)| ts.iter().all(|t| self.comparable(t, assumed))),
            TyKind::Arrow(_) => false,
            TyKind::Con(id, args) => match &self.cx.names.ty(*id).kind {
                // Parameters of the recursive types around it: their arguments are looked at instead.
                TyIdKind::Param => assumed.contains(id),
                TyIdKind::Abstract | TyIdKind::Rec(None) => false,
                TyIdKind::Rec(Some(def)) => {
                    let args_are = args.iter().all(|a| match a {
                        TyArg::Type(t) => self.comparable(t, assumed),
                        TyArg::Size(_) => true,
                    });
                    if !args_are || assumed.contains(id) {
                        return args_are;
                    }
                    assumed.push(*id);
                    assumed.extend(def.params.iter().filter_map(|p| match p {
                        TParam::Type(id, _) => Some(*id),
                        TParam::Size(_) => None,
                    }));
                    def.constrs.iter().all(|(_, ts)| ts.iter().all(|t| self.comparable(t, assumed)))
                }
            },
        }
    }
}

fn list(missing: &[String]) -> String {
    // Nothing to distinguish from what is matched, such as a number that is not written.
    if let [m] = missing
        && m == "_"
    {
        return "other values".into();
    }
    let shown: Vec<String> = missing.iter().take(4).map(|m| format!("`{m}`")).collect();
    let more = if missing.len() > 4 { " and others" } else { "" };
    format!("{}{more}", shown.join(", "))
}
