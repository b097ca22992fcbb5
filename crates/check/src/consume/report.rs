//! The diagnostics of this pass.

use super::alias::{Alias, Root, Via};
use super::scope::{Barrier, Binding, Checker, Consumption, ResultOf};
use crate::print::show_ty;
use crate::typed::Exp;
use crate::types::{self, VarId};
use norn_base::{Diagnostic, Span, codes};

impl Checker<'_> {
    /// A variable as it can be written in an expression.
    fn written(&self, var: VarId) -> String {
        let name = self.name(var).as_str();
        if name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            name.into()
        } else {
            format!("({name})")
        }
    }

    /// A root as the subject or object of a sentence.
    fn describe(&self, root: Root) -> String {
        match root {
            Root::Var(v) => format!("`{}`", self.name(v)),
            Root::Result(i) => match self.results[i as usize] {
                ResultOf::Apply(Some(f)) => format!("the result of `{}`", self.name(f)),
                ResultOf::Apply(None) => "the result of an application".into(),
                ResultOf::Loop => "the result of a loop".into(),
            },
        }
    }

    /// Point at the binding by which `var` came to alias `root`.
    fn label_alias(&self, diagnostic: Diagnostic, var: Option<VarId>, root: Root) -> Diagnostic {
        match var {
            Some(v) if root != Root::Var(v) && self.local(v).is_some() => {
                let text = format!("`{}` aliases {} through this binding", self.name(v), self.describe(root));
                diagnostic.secondary(self.names.var(v).span, text)
            }
            _ => diagnostic,
        }
    }

    fn help_copy(&self, diagnostic: Diagnostic, source: Option<VarId>) -> Diagnostic {
        match source {
            Some(v) => diagnostic.help(format!("consume a copy instead: `copy {}`", self.written(v))),
            None => diagnostic.help("consume a copy instead, made with `copy`"),
        }
    }

    pub fn report_use_after_consume(&mut self, used: Option<VarId>, root: Root, by: Consumption, span: Span) {
        let message = match used {
            Some(v) if root == Root::Var(v) => format!("`{}` is used after it was consumed.", self.name(v)),
            Some(v) => format!(
                "`{}` is used after {}, which it may alias, was consumed.",
                self.name(v),
                self.describe(root)
            ),
            None => format!("This uses {} after it was consumed.", self.describe(root)),
        };
        let diagnostic = Diagnostic::error(codes::USE_AFTER_CONSUME, span, message)
            .label("used here")
            .secondary(by.span, "consumed here");
        let diagnostic = self.label_alias(diagnostic, used, root);
        let consumed_through = by.source.filter(|v| used != Some(*v));
        let diagnostic = self.label_alias(diagnostic, consumed_through, root);
        self.diagnostics.push(self.help_copy(diagnostic, by.source));
    }

    pub fn report_cannot_consume(&mut self, alias: &Alias, source: Option<VarId>, span: Span) {
        let what = self.describe(alias.root);
        let (message, place, declare) = self.why_not_consumable(alias, &what);
        let mut diagnostic = Diagnostic::error(codes::CANNOT_CONSUME, span, message).label("consumed here");
        if let Some((span, text)) = place {
            diagnostic = diagnostic.secondary(span, text);
        }
        diagnostic = self.label_alias(diagnostic, source, alias.root);
        if let Some(declare) = declare {
            diagnostic = diagnostic.help(declare);
        }
        self.diagnostics.push(self.help_copy(diagnostic, source));
    }

    /// The message, a place to point at, and perhaps how to make it consumable.
    fn why_not_consumable(
        &self,
        alias: &Alias,
        what: &str,
    ) -> (String, Option<(Span, String)>, Option<String>) {
        if alias.via == Via::Shared {
            let message =
                format!("This would consume {what}, which recursive values or stored functions may share.");
            return (message, None, None);
        }
        let Root::Var(v) = alias.root else {
            return (format!("This would consume {what}."), None, None);
        };
        let span = self.names.var(v).span;
        let Some(local) = self.local(v) else {
            let message = format!("This would consume {what}, which is defined at the top level.");
            return (message, Some((span, "defined here".into())), None);
        };
        if local.owned {
            // It is a barrier that stands between.
            let message = match self.barriers.get(local.level) {
                Some(Barrier::Loop) => {
                    format!("This would consume {what}, which the next iteration of the loop needs.")
                }
                Some(Barrier::Function) | None => {
                    format!("This would consume {what} each time the function around it is called.")
                }
            };
            return (message, Some((span, "bound outside".into())), None);
        }
        match &local.binding {
            Binding::Param(ty) => {
                let message = format!("This would consume {what}, a parameter that is not declared unique.");
                let ty = show_ty(self.names, &types::unique(ty));
                let declare = format!("declare the parameter as `{}: {ty}`", self.written(v));
                (message, Some((span, "parameter bound here".into())), Some(declare))
            }
            Binding::LoopParam => {
                let message = format!("This would consume {what}, a loop parameter declared without `*`.");
                (message, Some((span, "loop parameter bound here".into())), None)
            }
            Binding::Element => {
                let message =
                    format!("This would consume {what}, an element of the array that the loop reads.");
                (message, Some((span, "bound here".into())), None)
            }
            Binding::Function(_) | Binding::Let => {
                let message = format!("This would consume {what}, which the function may still refer to.");
                (message, Some((span, "bound here".into())), None)
            }
        }
    }

    pub fn report_result_not_unique(&mut self, alias: &Alias, span: Span) {
        let what = self.describe(alias.root);
        let message = format!("The result is declared unique but may alias {what}.");
        let mut diagnostic = Diagnostic::error(codes::NOT_UNIQUE, span, message).label("returned here");
        if alias.via == Via::Shared {
            diagnostic = diagnostic.note("Memory in recursive values and stored functions may be shared.");
        } else if let Root::Var(v) = alias.root {
            diagnostic = diagnostic.secondary(self.names.var(v).span, "not consumed by the function");
        }
        self.diagnostics.push(diagnostic.help("return a copy instead, made with `copy`"));
    }

    pub fn report_result_overlaps(&mut self, span: Span) {
        let message = "A part of the result is declared unique but may alias another part of it.";
        let diagnostic = Diagnostic::error(codes::NOT_UNIQUE, span, message)
            .label("returned here")
            .help("return a copy of one of the parts, made with `copy`");
        self.diagnostics.push(diagnostic);
    }

    pub fn report_result_aliases_global(&mut self, var: VarId, span: Span) {
        let message =
            format!("The result of the function may alias `{}`, a top-level definition.", self.name(var));
        let diagnostic = Diagnostic::error(codes::NOT_UNIQUE, span, message)
            .label("returned here")
            .secondary(self.names.var(var).span, "defined here")
            .help(format!("return a copy instead: `copy {}`", self.written(var)));
        self.diagnostics.push(diagnostic);
    }

    pub fn report_unique_constant(&mut self, var: VarId, span: Span) {
        let message = format!("`{}` is a constant, which cannot have a unique type.", self.name(var));
        let diagnostic = Diagnostic::error(codes::NOT_UNIQUE, span, message)
            .label("declared unique here")
            .help("leave out the `*`");
        self.diagnostics.push(diagnostic);
    }

    /// `what` names the kind of place that the value is made for.
    pub fn report_function_from_consumption(&mut self, e: &Exp, root: Root, what: &str) {
        let message = format!("This {what} contains a function and consumes {}.", self.describe(root));
        let mut diagnostic = Diagnostic::error(codes::CONSUMPTION_IN_CLOSURE, e.span, message);
        if let Some(by) = self.consumption_of(root) {
            diagnostic = diagnostic.secondary(by.span, "consumed here");
            diagnostic = self.help_copy(diagnostic, by.source);
        }
        self.diagnostics
            .push(diagnostic.note("A function can be called many times, but nothing can be consumed twice."));
    }

    pub fn report_self_alias(&mut self, span: Span) {
        let message = "The parts of this consumed argument may alias each other.";
        let diagnostic = Diagnostic::error(codes::SELF_ALIAS, span, message)
            .help("make one of the parts a copy, made with `copy`");
        self.diagnostics.push(diagnostic);
    }

    pub fn report_arguments_overlap(&mut self, root: Root, span: Span, other: Span) {
        let message =
            format!("This argument is consumed, but another argument aliases {} too.", self.describe(root));
        let diagnostic = Diagnostic::error(codes::SELF_ALIAS, span, message)
            .label("consumed here")
            .secondary(other, "the other argument")
            .help("pass a copy for one of them, made with `copy`");
        self.diagnostics.push(diagnostic);
    }

    pub fn report_update_overlaps(&mut self, source: Option<VarId>, source_span: Span, value: &Exp) {
        let message = match source {
            Some(v) => format!("The value written into `{}` may alias it.", self.name(v)),
            None => "The value written into an array may alias it.".into(),
        };
        let diagnostic = Diagnostic::error(codes::SELF_ALIAS, value.span, message)
            .label("the value")
            .secondary(source_span, "the array")
            .help("write a copy instead, made with `copy`");
        self.diagnostics.push(diagnostic);
    }

    pub fn report_next_value_aliases(&mut self, param: VarId, root: Root, span: Span) {
        let message = format!(
            "The loop consumes `{}`, but its value for the next iteration may alias {}.",
            self.name(param),
            self.describe(root)
        );
        let diagnostic = Diagnostic::error(codes::LOOP_CONSUMPTION, span, message)
            .label("the next values")
            .secondary(self.names.var(param).span, "the consumed parameter")
            .help("give the next iteration a copy, made with `copy`");
        self.diagnostics.push(diagnostic);
    }

    pub fn report_next_values_overlap(&mut self, param: VarId, span: Span) {
        let message = format!(
            "The value of `{}` for the next iteration may alias that of another loop parameter, and the loop consumes one of them.",
            self.name(param)
        );
        let diagnostic = Diagnostic::error(codes::LOOP_CONSUMPTION, span, message)
            .label("the next values")
            .help("give one of them a copy, made with `copy`");
        self.diagnostics.push(diagnostic);
    }

    pub fn report_used_by_loop(&mut self, var: VarId, root: Root, span: Span) {
        let message = if root == Root::Var(var) {
            format!("The loop uses `{}`, which its initial value consumes.", self.name(var))
        } else {
            format!(
                "The loop uses `{}`, which may alias {}, which its initial value consumes.",
                self.name(var),
                self.describe(root)
            )
        };
        let mut diagnostic = Diagnostic::error(codes::LOOP_CONSUMPTION, span, message).label("used here");
        let by = self.consumption_of(root);
        if let Some(by) = by {
            diagnostic = diagnostic.secondary(by.span, "consumed here");
        }
        diagnostic = self.label_alias(diagnostic, Some(var), root);
        self.diagnostics.push(self.help_copy(diagnostic, by.and_then(|by| by.source)));
    }
}
