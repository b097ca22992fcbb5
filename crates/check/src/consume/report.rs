//! The diagnostics about uniqueness.
//!
//! What is wrong is decided elsewhere; here it is put into words. Each message answers three questions: what is consumed, why that is
//! not allowed, and through which bindings the two are the same memory, since the names in the message are often different ones:
//!
//! ```text
//! let ys = xs[1:]
//! let zs = xs with [0] = 1      consumed here
//! in ys[0]                      `ys` is used after `xs`, which it may alias, was consumed.
//! ```
//!
//! Help is given where it is certainly right: to consume a copy, or to declare a parameter unique. Sizes that the checker made up
//! are never shown.

use super::alias::{Alias, Root, Via};
use super::scope::{Barrier, Binding, Checker, Consumption, EventId, Place, ResultOf};
use crate::print::show_ty;
use crate::subst;
use crate::typed::Exp;
use crate::types::{self, Arrow, RetTy, Size, Ty, TyKind, VarId};
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
                ResultOf::Stored | ResultOf::Once(_) => "what a function refers to".into(),
            },
        }
    }

    /// The same in a sentence about `var`, from which it may be distinguished by its place only.
    fn describe_beside(&self, root: Root, var: VarId) -> String {
        let what = self.describe(root);
        if self.is_namesake(root, var) { format!("another {what}") } else { what }
    }

    fn is_namesake(&self, root: Root, var: VarId) -> bool {
        matches!(root, Root::Var(v) if v != var && self.name(v) == self.name(var))
    }

    /// Whether the root is something that a function keeps to itself.
    fn is_hidden(&self, root: Root) -> bool {
        match root {
            Root::Var(_) => false,
            Root::Result(i) => match self.results[i as usize] {
                ResultOf::Stored | ResultOf::Once(_) => true,
                ResultOf::Apply(_) | ResultOf::Loop => false,
            },
        }
    }

    /// Point at the binding by which `var` came to alias `root`.
    fn label_alias(&self, diagnostic: Diagnostic, var: Option<VarId>, root: Root) -> Diagnostic {
        match var {
            Some(v) if root != Root::Var(v) && self.local(v).is_some() && !self.is_hidden(root) => {
                let what = self.describe_beside(root, v);
                let text = format!("`{}` aliases {what} through this binding", self.name(v));
                diagnostic.secondary(self.names.var(v).span, text)
            }
            _ => diagnostic,
        }
    }

    fn help_copy(&self, diagnostic: Diagnostic, by: &Consumption) -> Diagnostic {
        let diagnostic = match by.source.map(|v| self.written(v)) {
            Some(name) if by.pun => {
                diagnostic.help(format!("consume a copy instead: `{name} = copy {name}`"))
            }
            Some(name) => diagnostic.help(format!("consume a copy instead: `copy {name}`")),
            None => diagnostic.help("consume a copy instead, made with `copy`"),
        };
        match &by.copy {
            Some((span, copy)) => diagnostic.fix(*span, copy.clone()),
            None => diagnostic,
        }
    }

    /// Help to write a copy of the value of an expression.
    fn help_copy_of(&self, diagnostic: Diagnostic, what: &str, e: &Exp) -> Diagnostic {
        match self.copy_at(e, Place::Operand) {
            Some((span, copy)) => diagnostic.help(format!("{what} a copy instead: `{copy}`")).fix(span, copy),
            None => diagnostic.help(format!("{what} a copy instead, made with `copy`")),
        }
    }

    pub fn report_use_after_consume(&mut self, used: Option<VarId>, root: Root, event: EventId, span: Span) {
        let by = &self.consumptions[event];
        let message = match used {
            Some(v) if root == Root::Var(v) => format!("`{}` is used after it was consumed.", self.name(v)),
            Some(v) => format!(
                "`{}` is used after {}, which it may alias, was consumed.",
                self.name(v),
                self.describe_beside(root, v)
            ),
            None => format!("This uses {} after it was consumed.", self.describe(root)),
        };
        let mut diagnostic = Diagnostic::error(codes::USE_AFTER_CONSUME, span, message)
            .label("used here")
            .secondary(by.span, "consumed here");
        if let (Root::Var(v), Some(u)) = (root, used)
            && self.is_namesake(root, u)
        {
            diagnostic =
                diagnostic.secondary(self.names.var(v).span, format!("the other `{}`", self.name(v)));
        }
        diagnostic = self.label_alias(diagnostic, used, root);
        let consumed_through = by.source.filter(|v| used != Some(*v));
        diagnostic = self.label_alias(diagnostic, consumed_through, root);
        diagnostic = self.help_copy(diagnostic, by);
        self.diagnostics.push(diagnostic);
    }

    pub fn report_cannot_consume(&mut self, alias: &Alias, event: EventId) {
        let by = &self.consumptions[event];
        let (message, place, declare) = self.why_not_consumable(alias, by.source);
        let mut diagnostic =
            Diagnostic::error(codes::CANNOT_CONSUME, by.span, message).label("consumed here");
        if let Some((span, text)) = place {
            diagnostic = diagnostic.secondary(span, text);
        }
        diagnostic = self.label_alias(diagnostic, by.source, alias.root);
        if let Some(declare) = declare {
            diagnostic = diagnostic.help(declare);
        }
        diagnostic = self.help_copy(diagnostic, by);
        self.diagnostics.push(diagnostic);
    }

    /// The message, a place to point at, and perhaps how to make it consumable.
    fn why_not_consumable(
        &self,
        alias: &Alias,
        source: Option<VarId>,
    ) -> (String, Option<(Span, String)>, Option<String>) {
        let what = self.describe(alias.root);
        let v = match alias.root {
            Root::Var(v) => v,
            Root::Result(i) => {
                let message = match self.results[i as usize] {
                    ResultOf::Stored => "This would consume the result of a stored function, which the \
                                         function may still refer to."
                        .into(),
                    ResultOf::Apply(_) | ResultOf::Loop | ResultOf::Once(_) => {
                        format!("This would consume {what}, {SHARED}.")
                    }
                };
                return (message, None, None);
            }
        };
        let span = self.names.var(v).span;
        let Some(local) = self.local(v) else {
            let message = format!("This would consume {what}, which is defined at the top level.");
            return (message, Some((span, "defined here".into())), None);
        };
        if alias.via == Via::Shared {
            let why =
                if source == Some(v) { "a part of a recursive value, which may be shared" } else { SHARED };
            return (format!("This would consume {what}, {why}."), Some((span, "bound here".into())), None);
        }
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
            Binding::Param(ty) if matches!(&**ty, TyKind::Arrow(_)) => {
                let message =
                    format!("This would consume a result of {what}, which {what} may still refer to.");
                let ty = self.as_written(&unique_result(ty));
                let declare = format!("declare that its results are unique: `{}: {ty}`", self.written(v));
                (message, Some((span, "parameter bound here".into())), Some(declare))
            }
            Binding::Param(ty) => {
                let message = format!("This would consume {what}, a parameter that is not declared unique.");
                let ty = self.as_written(&types::unique(ty));
                let declare = format!("declare it unique: `{}: {ty}`", self.written(v));
                (message, Some((span, "parameter bound here".into())), Some(declare))
            }
            Binding::LoopParam(ty) => {
                let message = format!("This would consume {what}, a loop parameter declared without `*`.");
                let ty = self.as_written(&types::unique(ty));
                let declare = format!("declare it unique: `{}: {ty}`", self.written(v));
                (message, Some((span, "loop parameter bound here".into())), Some(declare))
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

    /// A type without the sizes that have no names in the program.
    fn as_written(&self, ty: &Ty) -> String {
        // A size that was made up is found where its array is, not where its name is.
        let made_up = |v: VarId| {
            let info = self.names.var(v);
            (info.span.hi - info.span.lo) as usize != info.name.as_str().len()
        };
        let written = |s: &Size| if subst::mentions_in_size(s, &made_up) { Size::Any } else { s.clone() };
        show_ty(self.names, &without_exts(&subst::map_sizes(ty, &mut |s| written(s))))
    }

    pub fn report_result_not_unique(&mut self, alias: &Alias, e: &Exp) {
        let what = self.describe(alias.root);
        let message = format!("The result is declared unique but may alias {what}.");
        let mut diagnostic = Diagnostic::error(codes::NOT_UNIQUE, e.span, message).label("returned here");
        if alias.via == Via::Shared {
            diagnostic = diagnostic.note("Memory in recursive values and stored functions may be shared.");
        } else if let Root::Var(v) = alias.root {
            diagnostic = diagnostic.secondary(self.names.var(v).span, "not consumed by the function");
        }
        self.diagnostics.push(self.help_copy_of(diagnostic, "return", e));
    }

    pub fn report_result_overlaps(&mut self, span: Span) {
        let message = "A part of the result is declared unique but may alias another part of it.";
        let diagnostic = Diagnostic::error(codes::NOT_UNIQUE, span, message)
            .label("returned here")
            .help("return a copy of one of the parts, made with `copy`");
        self.diagnostics.push(diagnostic);
    }

    pub fn report_result_aliases_global(&mut self, var: VarId, via: Via, e: &Exp) {
        let message =
            format!("The result of the function may alias `{}`, a top-level definition.", self.name(var));
        let diagnostic = Diagnostic::error(codes::NOT_UNIQUE, e.span, message)
            .label("returned here")
            .secondary(self.names.var(var).span, "defined here");
        let diagnostic = if via == Via::Own && Self::as_var(e).is_none() {
            diagnostic.help(format!("return a copy instead: `copy {}`", self.written(var)))
        } else {
            self.help_copy_of(diagnostic, "return", e)
        };
        self.diagnostics.push(diagnostic);
    }

    pub fn report_unique_constant(&mut self, var: VarId, span: Span) {
        let message = format!("`{}` is a constant, which cannot have a unique type.", self.name(var));
        let diagnostic = Diagnostic::error(codes::NOT_UNIQUE, span, message)
            .label("declared unique here")
            .help("leave out the `*`");
        self.diagnostics.push(diagnostic);
    }

    /// `place` names the kind of place that the value has got to.
    pub fn report_callable_once(&mut self, e: &Exp, event: EventId, place: &str) {
        let by = &self.consumptions[event];
        let has = if matches!(&*e.ty, TyKind::Arrow(_)) { "is" } else { "contains" };
        let what = match by.source {
            Some(v) => format!("`{}`", self.name(v)),
            None => "its argument".into(),
        };
        let message = format!("This {place} {has} a function that was made by consuming {what}.");
        let diagnostic = Diagnostic::error(codes::CONSUMPTION_IN_CLOSURE, e.span, message)
            .secondary(by.span, "consumed here")
            .note("A function can be called many times, but nothing can be consumed twice.");
        let diagnostic = match by.source {
            Some(v) => diagnostic.help(format!(
                "write a lambda that consumes a copy in each call: `copy {}`",
                self.written(v)
            )),
            None => diagnostic,
        };
        self.diagnostics.push(diagnostic);
    }

    pub fn report_self_alias(&mut self, root: Root, span: Span) {
        let message = if self.is_bound(root) {
            format!("Two parts of this argument, which is consumed, may both alias {}.", self.describe(root))
        } else {
            "Two parts of this argument, which is consumed, may alias each other.".into()
        };
        let diagnostic = Diagnostic::error(codes::SELF_ALIAS, span, message)
            .label("consumed here")
            .help("pass a copy of one of the parts, made with `copy`");
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

    pub fn report_update_overlaps(&mut self, by: &Consumption, value: &Exp) {
        let refers = self.has_references(&value.ty);
        let verb = if refers { "refer to" } else { "alias" };
        let message = match by.source {
            Some(v) => format!("The value written into `{}` may {verb} it.", self.name(v)),
            None => format!("The value written into an array may {verb} it."),
        };
        let diagnostic = Diagnostic::error(codes::SELF_ALIAS, value.span, message)
            .label("the value")
            .secondary(by.span, "the array");
        let diagnostic = match by.source {
            Some(v) if refers => {
                diagnostic.help(format!("let it refer to a copy instead: `copy {}`", self.written(v)))
            }
            _ => self.help_copy_of(diagnostic, "write", value),
        };
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
        let name = self.name(var);
        let message = if root == Root::Var(var) {
            format!("The loop uses `{name}`, which it consumes as its initial value.")
        } else {
            let what = self.describe_beside(root, var);
            format!("The loop uses `{name}`, which may alias {what}, which it consumes as its initial value.")
        };
        let mut diagnostic = Diagnostic::error(codes::LOOP_CONSUMPTION, span, message).label("used here");
        diagnostic = self.label_alias(diagnostic, Some(var), root);
        if let Some(by) = self.consumption_of(root) {
            diagnostic = self.help_copy(diagnostic.secondary(by.span, "consumed here"), by);
        }
        self.diagnostics.push(diagnostic);
    }
}

const SHARED: &str = "which recursive values or stored functions may share";

/// The type of a function, with its last result marked unique.
fn unique_result(ty: &Ty) -> Ty {
    match &**ty {
        TyKind::Arrow(a) => {
            let ret = RetTy { exts: a.ret.exts.clone(), ty: unique_result(&a.ret.ty) };
            Ty::new(TyKind::Arrow(Arrow { ret, ..a.clone() }))
        }
        _ => types::unique(ty),
    }
}

/// A type whose results' own sizes are not named any more.
fn without_exts(ty: &Ty) -> Ty {
    match &**ty {
        TyKind::Arrow(a) => Ty::new(TyKind::Arrow(Arrow {
            arg: without_exts(&a.arg),
            ret: types::ret(without_exts(&a.ret.ty)),
            ..a.clone()
        })),
        _ => ty.clone(),
    }
}
