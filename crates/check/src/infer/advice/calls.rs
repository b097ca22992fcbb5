//! Advice on applications: calls in the syntax of other languages, arguments that are missing, swapped or not
//! in parentheses.

use super::{Advice, Infer, conversion_words, default_of, keeps_enough};
use crate::types::{self, Ty, TyKind};
use norn_base::{Diagnostic, Fix, Span};
use norn_syntax::ast::{Exp, ExpKind};

impl Infer<'_> {
    /// The argument with this index is not of the expected type.
    pub(super) fn advise_call(
        &self,
        d: Diagnostic,
        fun: &Exp,
        args: &[Exp],
        index: usize,
        expected: &Ty,
        span: Span,
    ) -> Advice {
        let (Some(fun_type), Some(found)) = (self.type_of(fun), self.type_of(&args[index])) else {
            return Advice::new(d);
        };
        let (params, _) = self.arity(&fun_type);
        let arg = &args[index];
        if let Some(fix) = self.tuple_as_arguments(fun, args, params.len()) {
            let words = "arguments stand after the function, without commas";
            return Advice { diagnostic: self.with_fixes(d, words, span, vec![fix]), scope: Some(arg.span) };
        }
        if let Some(fix) = self.argument_without_parens(args, index, expected, &found) {
            let words = "an argument that is itself an application stands in parentheses";
            return Advice { diagnostic: self.with_fixes(d, words, span, vec![fix]), scope: Some(span) };
        }
        if let Some(fixes) = self.swapped(args, index, &params) {
            let words = "these two arguments are in the wrong order";
            return Advice { diagnostic: self.with_fixes(d, words, span, fixes), scope: Some(span) };
        }
        if let Some(d) = self.deeper_map(&d, fun, args, index, expected, &found) {
            return Advice::new(d);
        }
        if let Some(to) = self.numbers(expected).and_then(default_of)
            && (keeps_enough(&found, to) || to.is_int() == self.is_int(&found))
            && let Some(fix) = self.conversion(arg, &found, to, true)
        {
            return Advice::new(self.with_fixes(d, conversion_words(&found, to), span, vec![fix]));
        }
        if let Some(next) = params.get(index + 1)
            && args.len() < params.len()
            && self.fits(next, &found)
            && !matches!(**next, TyKind::Meta(_))
        {
            let type_of_missing = self.show(expected);
            let shown = if matches!(**expected, TyKind::Meta(_)) {
                String::new()
            } else {
                format!(", a `{type_of_missing}`,")
            };
            let name = self.code(fun.span).unwrap_or_else(|| "the function".into());
            return Advice::new(d.help(format!(
                "`{name}` takes {} arguments: argument {}{shown} is missing before this one",
                params.len(),
                index + 1
            )));
        }
        Advice::new(self.note_missing_arguments(d, arg, &found, expected))
    }

    /// `map f xss` with a function on numbers: the rows are arrays.
    fn deeper_map(
        &self,
        d: &Diagnostic,
        fun: &Exp,
        args: &[Exp],
        index: usize,
        expected: &Ty,
        found: &Ty,
    ) -> Option<Diagnostic> {
        let [f, _] = args else { return None };
        if index != 1 || self.code(fun.span)? != "map" || self.rank(expected)? != 1 {
            return None;
        }
        let elements = (self.element(expected), self.element(found));
        if matches!(elements, (Some(a), Some(b)) if a != b) {
            return None;
        }
        let more = self.rank(found)?.checked_sub(1).filter(|more| *more > 0)?;
        let deeper = (0..more).fold(self.atom_code(f)?, |f, _| format!("(map {f})"));
        let words = "apply it to every element of every row";
        Some(self.with_fixes(
            d.clone(),
            words,
            fun.span.to(args[1].span),
            vec![Fix { span: f.span, replacement: deeper }],
        ))
    }

    /// More arguments than a function takes: `map` goes through one array, and `sort` knows the order itself.
    pub(in crate::infer) fn advise_surplus(&self, d: Diagnostic, bodies: &[&Exp]) -> Advice {
        let place = d.primary.span;
        let way = self.around(bodies, place);
        let call = way.iter().rev().find_map(|e| match &e.kind {
            ExpKind::Apply(f, args) if f.span == place => Some((f, &args[..], e.span)),
            _ => None,
        });
        let Some((f, args, span)) = call else { return Advice::new(d) };
        let mended = |words: &str, rest: String| {
            let fix = Fix { span: place.at_end(), replacement: rest };
            Advice { diagnostic: self.with_fixes(d.clone(), words, span, vec![fix]), scope: Some(span) }
        };
        match (self.cx.text(place), args) {
            (Some("map"), [_, arrays @ ..]) if (2..=5).contains(&arrays.len()) => {
                let is_array = |e: &Exp| self.type_of(e).is_some_and(|t| matches!(&*t, TyKind::Array(..)));
                if arrays.iter().all(is_array) {
                    return mended("to go through several arrays at once", arrays.len().to_string());
                }
            }
            (Some("sort"), [order, _]) => match self.type_of(order).map(|t| self.arity(&t).0.len()) {
                Some(1) => return mended("to sort by what a function computes", "_by_key".into()),
                Some(2) => return mended("to sort by a comparison", "_by".into()),
                _ => {}
            },
            _ => {}
        }
        Advice::new(self.with_definition(d, f))
    }

    /// Shows where a function is defined, if that is in the same file: it may hide one that was meant.
    fn with_definition(&self, d: Diagnostic, function: &Exp) -> Diagnostic {
        let Some(found) = self.cx.tables.refs.get(function.id) else { return d };
        let place = self.cx.names.var(found.var).span;
        if place.file != function.span.file { d } else { d.secondary(place, "defined here") }
    }

    fn is_int(&self, t: &Ty) -> bool {
        matches!(&**t, TyKind::Prim(p) if p.is_int())
    }

    /// `f(x, y)`
    fn tuple_as_arguments(&self, fun: &Exp, args: &[Exp], arity: usize) -> Option<Fix> {
        let [arg] = args else { return None };
        let ExpKind::Tuple(parts) = &arg.kind else { return None };
        if parts.len() < 2 || parts.len() > arity {
            return None;
        }
        let parts: Option<Vec<String>> = parts.iter().map(|p| self.atom_code(p)).collect();
        let gap = if fun.span.hi == arg.span.lo { " " } else { "" };
        Some(Fix { span: arg.span, replacement: format!("{gap}{}", parts?.join(" ")) })
    }

    /// `f64.sqrt f64.i64 n`: a function where a value is expected, followed by what it needs.
    fn argument_without_parens(&self, args: &[Exp], index: usize, expected: &Ty, found: &Ty) -> Option<Fix> {
        let (params, result) = self.arity(found);
        let rest = args.get(index + 1..)?;
        if params.is_empty() || rest.len() < params.len() || !self.fits(expected, &result) {
            return None;
        }
        let fit = |(param, arg): (&Ty, &Exp)| self.type_of(arg).is_some_and(|t| self.fits(param, &t));
        if !params.iter().zip(rest).all(fit) {
            return None;
        }
        let span = args[index].span.to(rest[params.len() - 1].span);
        Some(Fix { span, replacement: format!("({})", self.code(span)?) })
    }

    /// `map xs f`
    fn swapped(&self, args: &[Exp], index: usize, params: &[Ty]) -> Option<Vec<Fix>> {
        let (a, b) = (args.get(index)?, args.get(index + 1)?);
        let (at, bt) = (self.type_of(a)?, self.type_of(b)?);
        let (p, q) = (params.get(index)?, params.get(index + 1)?);
        // A function is not mistaken for anything else; nor are both arguments wrong where each is right by chance.
        let certain =
            matches!(**p, TyKind::Arrow(_)) != matches!(**q, TyKind::Arrow(_)) || !self.fits(q, &bt);
        let swapped = certain && self.fits(p, &bt) && self.fits(q, &at) && !self.fits(p, &at);
        swapped.then_some(())?;
        Some(vec![
            Fix { span: a.span, replacement: self.atom_code(b)? },
            Fix { span: b.span, replacement: self.atom_code(a)? },
        ])
    }

    /// What is not a function is applied: `2 (x + 1)`.
    pub(super) fn advise_applied(&self, d: Diagnostic, bodies: &[&Exp], place: Span) -> Advice {
        let way = self.around(bodies, place);
        let call = way.iter().rev().find_map(|e| match &e.kind {
            ExpKind::Apply(f, args) if f.span == place => Some((&**f, &args[..], e.span)),
            _ => None,
        });
        let Some((fun, [arg], span)) = call else { return Advice::new(d) };
        let number = |e: &Exp| self.type_of(e).is_some_and(|t| self.numbers(&t).is_some());
        if !matches!(fun.kind, ExpKind::Lit(_)) || !number(arg) {
            return Advice::new(d);
        }
        let (Some(a), Some(b)) = (self.code(fun.span), self.atom_code(arg)) else { return Advice::new(d) };
        let fix = Fix { span, replacement: format!("{a} * {b}") };
        Advice {
            diagnostic: self.with_fixes(d, "write the product with `*`", span, vec![fix]),
            scope: Some(span),
        }
    }

    /// A module in the place of a function: `f64 x` converts a number.
    pub(in crate::infer) fn advise_module(&self, d: Diagnostic, bodies: &[&Exp]) -> Advice {
        let place = d.primary.span;
        let way = self.around(bodies, place);
        let call = way.iter().rev().find_map(|e| match &e.kind {
            ExpKind::Apply(f, args) => Some((&**f, args, e.span)),
            _ => None,
        });
        let Some((fun, args, span)) = call else { return Advice::new(d) };
        let to = self.code(place).and_then(|name| types::Prim::from_name(&name));
        let subject = match &args[..] {
            [arg] if fun.bare().span == place => self.type_of(arg),
            // `map f64 xs`
            [f, array] if f.span == place => self.type_of(array).and_then(|t| match &*t {
                TyKind::Array(_, elem) => Some(elem.clone()),
                _ => None,
            }),
            _ => None,
        };
        let (Some(to), Some(TyKind::Prim(from))) = (to, subject.as_deref()) else { return Advice::new(d) };
        if !self.in_module(to, norn_base::Symbol::new(from.name())) {
            return Advice::new(d);
        }
        let fix = Fix { span: place.at_end(), replacement: format!(".{}", from.name()) };
        Advice::new(self.with_fixes(d, &format!("to convert from {}", from.name()), span, vec![fix]))
    }
}
