//! Advice on names that are not in scope: functions of the number modules, definitions further down, names of other
//! languages.

use super::{Advice, Infer};
use crate::env::Mod;
use crate::scope::Term;
use crate::types::{Prim, Ty, TyKind};
use norn_base::{Diagnostic, Fix, Span, Symbol};
use norn_syntax::ast::{Exp, ExpKind, Pat, PatKind};

impl Infer<'_> {
    /// A name that is not in scope. `suggestion` is one that is spelt nearly the same.
    pub(in crate::infer) fn advise_name(
        &self,
        d: Diagnostic,
        name: Symbol,
        suggestion: Option<Symbol>,
        bodies: &[&Exp],
    ) -> Advice {
        let place = d.primary.span;
        let way = self.around(bodies, place);
        if let Some(advice) = self.foreign_function(&d, place, &way) {
            return advice;
        }
        // A value of the same group is not a matter of order.
        let together = self.defining.iter().any(|(defined, _)| *defined == name);
        if let Some(definition) = self.cx.later_value(name, place).filter(|_| !together) {
            return Advice::new(self.defined_later(d, name, definition, bodies));
        }
        if let Some(d) = self.of_number_module(&d, name, place, &way) {
            return Advice::new(d);
        }
        if let Some(advice) = self.word_of_another_language(&d, name, &way) {
            return advice;
        }
        if let Some(fun) = way.iter().rev().find_map(|e| function_around(e, name, place)) {
            return Advice::new(
                d.secondary(fun, "a local function does not see itself")
                    .help("define it with `def` outside of this definition: such a function may call itself"),
            );
        }
        if let Some(fun) = way.iter().rev().find_map(|e| bound_by_function(e, name)) {
            let word = self.cx.text(fun).unwrap_or_default();
            if ["mut", "var", "const", "rec"].contains(&word) {
                let help = format!("leave out `{word}`, which makes this a function: `let {name} = ..`");
                return Advice::new(d.secondary(fun, "not a keyword").help(help));
            }
            return Advice::new(
                d.secondary(fun, "it is a parameter of this local function, and only known inside it"),
            );
        }
        Advice::new(match suggestion {
            Some(better) => d.help(format!("did you mean `{better}`?")).fix(place, better.as_str()),
            None => d,
        })
    }

    /// `f64.sum` for `sum`, by the type of the argument.
    fn of_number_module(
        &self,
        d: &Diagnostic,
        name: Symbol,
        place: Span,
        way: &[&Exp],
    ) -> Option<Diagnostic> {
        let having: Vec<Prim> = Prim::ALL.into_iter().filter(|p| self.in_module(*p, name)).collect();
        let first = *having.first()?;
        let subjects = subjects(way, place);
        let mut prims: Vec<Prim> = subjects.iter().filter_map(|e| self.element(&self.type_of(e)?)).collect();
        prims.dedup();
        let with = |p: Prim| format!("{}.{name}", p.name());
        match &prims[..] {
            [p] if having.contains(p) => {
                let fix = Fix { span: place.at_start(), replacement: format!("{}.", p.name()) };
                let shown = way.iter().rev().find(|e| !matches!(e.kind, ExpKind::Var(_)));
                let span = shown.map_or(place, |e| if is_call(e) { e.span } else { place });
                let words = "each number type has its own, in the module of its name";
                Some(self.with_fixes(d.clone(), words, span, vec![fix]))
            }
            _ => {
                let all: Vec<String> = match having.contains(&Prim::F64) {
                    true if having.contains(&Prim::I64) => vec![with(Prim::I64), with(Prim::F64)],
                    true => vec![with(Prim::F32), with(Prim::F64)],
                    false => vec![with(first)],
                };
                let all: Vec<String> = all.iter().map(|n| format!("`{n}`")).collect();
                Some(d.clone().help(format!(
                    "each number type has its own, in the module of its name: {}",
                    all.join(" or ")
                )))
            }
        }
    }

    /// The number in an array of any rank, as far as it is known.
    pub(super) fn element(&self, t: &Ty) -> Option<Prim> {
        match &**t {
            TyKind::Array(_, elem) => self.element(elem),
            TyKind::Prim(p) => Some(*p),
            _ => {
                let set = self.numbers(t)?;
                set.iter().all(Prim::is_float).then_some(Prim::F64)
            }
        }
    }

    /// Whether the module of a primitive type has such a value.
    pub(super) fn in_module(&self, p: Prim, name: Symbol) -> bool {
        match self.cx.term(Symbol::new(p.name())) {
            Some(Term::Mod(_, Mod::Env(env))) => env.vals.contains_key(&name),
            Some(Term::Mod(_, Mod::Fun(_) | Mod::Unread | Mod::Error) | Term::Val(_)) | None => false,
        }
    }

    /// `definition` is further down: its name, and all of it.
    fn defined_later(
        &self,
        d: Diagnostic,
        name: Symbol,
        definition: (Span, Span),
        bodies: &[&Exp],
    ) -> Diagnostic {
        let (name_span, whole) = definition;
        let mut d = d.secondary(name_span, "defined further down");
        d.message = format!("The name `{name}` is not yet in scope.");
        let user = self.defining.iter().find(|(_, body)| bodies.iter().any(|b| b.span == *body));
        let text = self.cx.text(whole).unwrap_or_default();
        match user {
            Some((user, _)) if mentions(text, user.as_str()) => d.help(format!(
                "`{user}` and `{name}` call each other: put `{name}` right after `{user}`, with `with def {name}` in place of `def {name}`"
            )),
            Some((user, _)) => d.help(format!("move the definition of `{name}` above that of `{user}`")),
            None => d.help(format!("move the definition of `{name}` up")),
        }
    }
}

/// What the function at a place is applied to, directly, by a pipe or by `map`.
fn subjects<'b>(way: &[&'b Exp], place: Span) -> Vec<&'b Exp> {
    let mut inner = place;
    for e in way.iter().rev() {
        match &e.kind {
            ExpKind::Var(_) | ExpKind::Parens(_) => {}
            ExpKind::Apply(f, args) if f.span == inner => return args.iter().collect(),
            ExpKind::Apply(_, args) => return args.iter().filter(|a| a.span != inner).collect(),
            ExpKind::BinOp(l, op, r) if op.name.name.name.as_str() == "|>" && r.span == inner => {
                return vec![l];
            }
            ExpKind::BinOp(l, op, r) if op.name.name.name.as_str() == "<|" && l.span == inner => {
                return vec![r];
            }
            _ => return Vec::new(),
        }
        inner = e.span;
    }
    Vec::new()
}

fn is_call(e: &Exp) -> bool {
    matches!(e.kind, ExpKind::Apply(..) | ExpKind::BinOp(..))
}

/// Whether a word occurs in a text.
fn mentions(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    text.split(|c| !part(c)).any(|w| w == word)
}

/// Where a local function has this name, if the place is in its body.
fn function_around(e: &Exp, name: Symbol, place: Span) -> Option<Span> {
    match &e.kind {
        ExpKind::LetFun(f)
            if f.name.name == name && f.def.span.lo <= place.lo && place.hi <= f.def.span.hi =>
        {
            Some(f.name.span)
        }
        _ => None,
    }
}

/// The name of a local function that has such a parameter.
fn bound_by_function(e: &Exp, name: Symbol) -> Option<Span> {
    fn binds(p: &Pat, name: Symbol) -> bool {
        match &p.kind {
            PatKind::Name(ident) => ident.name == name,
            PatKind::Parens(p) | PatKind::Ascript(p, _) | PatKind::Attr(_, p) => binds(p, name),
            PatKind::Tuple(ps) | PatKind::Constr(_, ps) => ps.iter().any(|p| binds(p, name)),
            PatKind::Record(fs) => fs.iter().any(|f| match &f.pat {
                Some(p) => binds(p, name),
                None => f.name.name == name,
            }),
            PatKind::Wildcard | PatKind::Lit(_) | PatKind::Error => false,
        }
    }
    match &e.kind {
        ExpKind::LetFun(f) if f.params.iter().any(|p| binds(p, name)) => Some(f.name.span),
        _ => None,
    }
}
