//! Application of functions and operators.

use super::meta::{Known, Meta};
use super::report::Noticed;
use super::{Infer, Why};
use crate::types::{self, Ty, TyKind};
use norn_base::{Diagnostic, Span, Symbol, codes};
use norn_syntax::ast::{Exp, ExpKind, Op};

impl Infer<'_> {
    pub(super) fn application(&mut self, fun: &Exp, args: &[Exp]) -> Ty {
        let mut t = self.exp(fun);
        let name = match &fun.kind {
            ExpKind::Var(name) => Some(name.name.name),
            _ => None,
        };
        let passed = self.passed.len();
        args.iter().for_each(|a| add_names(a, &mut self.passed));
        let arg_types: Vec<Ty> = args.iter().map(|a| self.exp(a)).collect();
        self.passed.truncate(passed);
        let mut sound = true;
        for (i, (arg, arg_t)) in args.iter().zip(&arg_types).enumerate() {
            let Some((param, ret)) = self.split(&t, (fun.span, Some(arg.span)), name, i, args.len()) else {
                self.give_up(&arg_types[i..]);
                return types::error();
            };
            let why = Why::Argument { fun: name, index: i, fun_span: fun.span };
            sound &= self.equate(arg.span, why, &param, arg_t);
            t = ret;
        }
        // What is still open in the result of a wrong application would only be determined by chance, and
        // whether all arguments are given is not known.
        let known = !matches!(*self.metas.head(&t), TyKind::Arrow(_)) && self.metas_in(&t).is_empty();
        if sound || known { t } else { types::error() }
    }

    /// What takes these arguments is wrong, so that a record or a sum among them is not determined by it: that is not to be reported, too.
    fn give_up(&mut self, args: &[Ty]) {
        for id in args.iter().flat_map(|arg| self.metas_in(arg)).collect::<Vec<_>>() {
            let Meta::Unbound { known, .. } = self.metas.get(id) else { continue };
            match known {
                Known::Fields(_) | Known::Constrs(_) => self.metas.link(id, types::error()),
                // Advice may be about the numbers.
                Known::OneOf(_) | Known::Nothing(_) => {}
            }
        }
    }

    /// Parameter and result of a function type; the places are of the function and the argument.
    fn split(
        &mut self,
        t: &Ty,
        (span, extra): (Span, Option<Span>),
        name: Option<Symbol>,
        index: usize,
        given: usize,
    ) -> Option<(Ty, Ty)> {
        let t = self.metas.head(t);
        match &*t {
            TyKind::Arrow(a) => Some((a.arg.clone(), types::plain(&a.ret.ty))),
            TyKind::Error => None,
            TyKind::Meta(_) => {
                let arg = self.fresh(span);
                let ret = self.fresh(span);
                let fun = types::fun(arg.clone(), ret.clone());
                self.equate(span, Why::Applied, &fun, &t);
                Some((arg, ret))
            }
            _ => {
                let what = name.map_or("This".into(), |n| format!("`{n}`"));
                let shown = self.show(&t);
                let message = if index == 0 {
                    format!("{what} is not a function, but is applied to {}.", count(given, "argument"))
                } else {
                    format!("{what} takes {}, but {given} are given.", count(index, "argument"))
                };
                let note = if index == 0 {
                    format!("its type is `{shown}`")
                } else {
                    format!("after {} its type is `{shown}`", count(index, "argument"))
                };
                let mut d = Diagnostic::error(codes::NOT_A_FUNCTION, span, message).note(note);
                if let Some(extra) = extra {
                    let what = if index == 0 { "the argument" } else { "one argument too many" };
                    d = d.secondary(extra, what);
                    if index == 0 && span.hi == extra.lo && matches!(&*t, TyKind::Array(..)) {
                        d = d.help("to take an element, put the array into parentheses: `(..)[i]`");
                    }
                }
                self.notice(Noticed::NotAFunction(d));
                None
            }
        }
    }

    /// Apply an operator to both operands; one without a span is yet to come.
    pub(super) fn operands(&mut self, op: &Op, f: Ty, operands: [(Option<Span>, Ty); 2]) -> Ty {
        let mut t = f;
        let mut sound = true;
        let name = op.name.name.name;
        for (i, (span, operand)) in operands.clone().into_iter().enumerate() {
            let Some((param, ret)) = self.split(&t, (op.span, None), Some(name), i, 2) else {
                self.give_up(&operands.map(|(_, operand)| operand)[i..]);
                return types::error();
            };
            let why = if op.backtick {
                Why::Argument { fun: Some(name), index: i, fun_span: op.span }
            } else {
                Why::OperandOf { op: name, op_span: op.span, right: i == 1 }
            };
            sound &= self.equate(span.unwrap_or(op.span), why, &param, &operand);
            t = ret;
        }
        if sound { t } else { types::error() }
    }
}

/// The names that an argument consists of.
fn add_names(e: &Exp, out: &mut Vec<Symbol>) {
    match &e.kind {
        ExpKind::Var(name) if name.quals.is_empty() => out.push(name.name.name),
        ExpKind::Parens(inner) => add_names(inner, out),
        ExpKind::Tuple(parts) => parts.iter().for_each(|p| add_names(p, out)),
        _ => {}
    }
}

pub(super) fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
