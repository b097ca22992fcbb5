//! Advice: what was probably meant, shown as the user's own code, corrected.
//!
//! Mistakes are reported at the end of a definition, when most types are known. For each the expressions
//! around its place are found (`Exp::way_to`) and compared with a few patterns: an operator applied to an array, a
//! call in the syntax of another language, two number types in one expression. A pattern gives advice only where the corrected code
//! has the types that are needed. `operands` is about operators, `calls` about applications, `names` about names that
//! are not in scope, `words` about words of other languages.
//!
//! Some mistakes make nonsense of what stands around them: in `a > 1 and a < 5` three types clash
//! because of one word. Such advice has a `scope`, in which nothing else is reported.

mod calls;
mod names;
mod operands;
mod words;

use super::meta::{Known, Meta, Mismatch, PrimSet};
use super::report::{Pending, Why};
use super::{Infer, meta};
use crate::cx::suggest;
use crate::types::{Prim, Ty, TyKind};
use norn_base::{Diagnostic, Fix, Span, Symbol, one_line};
use norn_syntax::ast::{DimIndex, Exp, ExpKind, Lit, Pat, PatKind};

/// No advice is given on types with more nodes than this.
const LARGEST_COMPARED: u32 = 4096;

/// A diagnostic, and the place in which it is the only one.
pub(super) struct Advice {
    pub diagnostic: Diagnostic,
    pub scope: Option<Span>,
}

impl Advice {
    pub(super) fn new(diagnostic: Diagnostic) -> Advice {
        Advice { diagnostic, scope: None }
    }
}

/// All but those in the scope of another.
pub(super) fn without_consequences(advice: Vec<Advice>) -> Vec<Diagnostic> {
    let inside = |d: &Diagnostic, scope: Span| {
        let span = d.primary.span;
        span.file == scope.file && scope.lo <= span.lo && span.hi <= scope.hi
    };
    let kept = |i: usize, t: &Advice| {
        !advice.iter().enumerate().any(|(j, other)| match other.scope {
            // Of two with one scope the first is reported.
            Some(scope) => i != j && inside(&t.diagnostic, scope) && (t.scope != other.scope || j < i),
            None => false,
        })
    };
    let keep: Vec<bool> = advice.iter().enumerate().map(|(i, t)| kept(i, t)).collect();
    advice.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(t, _)| t.diagnostic).collect()
}

impl Infer<'_> {
    /// The expressions around a place in one of the definitions, outermost first.
    fn around<'b>(&self, bodies: &[&'b Exp], place: Span) -> Vec<&'b Exp> {
        bodies.iter().map(|body| body.way_to(place)).find(|way| !way.is_empty()).unwrap_or_default()
    }

    /// The code at a place on one line, if it is short.
    fn code(&self, span: Span) -> Option<String> {
        one_line(self.cx.text(span)?)
    }

    /// The same as an argument or operand.
    fn atom_code(&self, e: &Exp) -> Option<String> {
        let text = self.code(e.span)?;
        Some(if e.is_atom() { text } else { format!("({text})") })
    }

    /// The code at a place after some changes inside of it.
    fn mended(&self, span: Span, fixes: &[Fix]) -> Option<String> {
        let mut text = self.cx.text(span)?.to_string();
        let mut fixes: Vec<&Fix> = fixes.iter().collect();
        fixes.sort_by_key(|f| f.span);
        for fix in fixes.into_iter().rev() {
            let (lo, hi) = (fix.span.lo.checked_sub(span.lo)?, fix.span.hi.checked_sub(span.lo)?);
            text.replace_range(lo as usize..hi as usize, &fix.replacement);
        }
        one_line(&text)
    }

    /// Adds help that shows the code at `span` with the changes made.
    fn with_fixes(&self, mut d: Diagnostic, words: &str, span: Span, fixes: Vec<Fix>) -> Diagnostic {
        if let Some(mended) = self.mended(span, &fixes) {
            d = d.help(format!("{words}: `{mended}`"));
        }
        d.fixes.extend(fixes);
        d
    }

    fn type_of(&self, e: &Exp) -> Option<Ty> {
        let mut t = self.metas.resolve(self.cx.tables.types.get(e.id)?);
        if let ExpKind::Var(_) = &e.kind {
            for field in &self.cx.tables.refs.get(e.id)?.fields {
                t = t.field(field.name)?.clone();
            }
        }
        Some(self.metas.resolve(&t))
    }

    /// The number types that a type can still be; none if it is something else.
    fn numbers(&self, t: &Ty) -> Option<PrimSet> {
        match &**t {
            TyKind::Prim(p) if p.is_number() => Some(PrimSet::new([*p])),
            TyKind::Meta(id) => match self.metas.get(*id) {
                Meta::Unbound { known: Known::OneOf(set), .. } => Some(*set),
                Meta::Unbound { .. } | Meta::Link(_) => None,
            },
            _ => None,
        }
    }

    /// The parameters of a function type, and its result.
    fn arity(&self, t: &Ty) -> (Vec<Ty>, Ty) {
        let mut params = Vec::new();
        let mut t = self.metas.resolve(t);
        while let TyKind::Arrow(a) = &*t.clone() {
            params.push(a.arg.clone());
            t = self.metas.resolve(&a.ret.ty);
        }
        (params, t)
    }

    /// Whether a value of one type could be where another is expected, as far as both are known.
    fn fits(&self, expected: &Ty, found: &Ty) -> bool {
        if Ty::ptr_eq(expected, found) {
            return true;
        }
        // A shared type can be very large as a tree.
        if expected.nodes().max(found.nodes()) > LARGEST_COMPARED {
            return false;
        }
        match (&**expected, &**found) {
            (TyKind::Error, _) | (_, TyKind::Error) => true,
            (TyKind::Meta(_), TyKind::Meta(_)) => true,
            (TyKind::Meta(id), other) | (other, TyKind::Meta(id)) => match self.metas.get(*id) {
                Meta::Unbound { known: Known::OneOf(set), .. } => {
                    matches!(other, TyKind::Prim(p) if set.contains(*p))
                }
                Meta::Unbound { known: Known::Fields(_), .. } => matches!(other, TyKind::Record(_)),
                Meta::Unbound { .. } | Meta::Link(_) => true,
            },
            (TyKind::Prim(p), TyKind::Prim(q)) => p == q,
            (TyKind::Array(_, a), TyKind::Array(_, b)) => self.fits(a, b),
            (TyKind::Arrow(a), TyKind::Arrow(b)) => {
                self.fits(&a.arg, &b.arg) && self.fits(&a.ret.ty, &b.ret.ty)
            }
            (TyKind::Record(a), TyKind::Record(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|((f, t), (g, u))| f == g && self.fits(t, u))
            }
            (TyKind::Unique(a), _) => self.fits(a, found),
            (_, TyKind::Unique(b)) => self.fits(expected, b),
            (TyKind::Con(a, _), TyKind::Con(b, _)) => a == b,
            (TyKind::Sum(_), TyKind::Sum(_)) => true,
            _ => false,
        }
    }

    /// Advice on two types that clash.
    pub(super) fn advise(&self, d: Diagnostic, p: &Pending, bodies: &[&Exp]) -> Advice {
        let expected = self.metas.resolve(&p.expected);
        let found = self.metas.resolve(&p.found);
        if let Mismatch::Infinite | Mismatch::Escapes(_) = p.mismatch {
            return Advice::new(d);
        }
        match &p.why {
            Why::OperandOf { op_span, .. } => {
                let way = self.around(bodies, *op_span);
                match way.last().map(|e| (&e.kind, e.span)) {
                    Some((ExpKind::BinOp(l, op, r), span)) => self.advise_operator(d, l, op, r, span),
                    _ => Advice::new(d),
                }
            }
            Why::Argument { fun_span, index, .. } => {
                let way = self.around(bodies, *fun_span);
                let call = way.iter().rev().find_map(|e| match &e.kind {
                    ExpKind::Apply(f, args) if f.span == *fun_span => Some((&**f, &args[..], e.span)),
                    _ => None,
                });
                match call {
                    Some((f, args, span)) => self.advise_call(d, f, args, *index, &expected, span),
                    None => Advice::new(d),
                }
            }
            Why::Applied => self.advise_applied(d, bodies, p.span),
            Why::Indexed(1) => Advice::new(self.advise_index(d, bodies, p.span, &found)),
            Why::Pattern(_) | Why::Returned(_) | Why::Branches(_) | Why::Ascribed(_)
                if matches!(p.mismatch, Mismatch::NeedsConstrs(..) | Mismatch::Constrs(_)) =>
            {
                Advice::new(d)
            }
            Why::Ascribed(_)
            | Why::Returned(_)
            | Why::Branches(_)
            | Why::Element(_)
            | Why::Condition
            | Why::Slice
            | Why::Range
            | Why::Needed(_)
            | Why::LoopBody(_)
            | Why::Update
            | Why::Size => {
                // Of an integer and a float side by side the integer is converted.
                let (place, expected) = match (&p.why, &*found) {
                    (Why::Branches(first) | Why::Element(first), TyKind::Prim(f)) if f.is_float() => {
                        (*first, &found)
                    }
                    _ => (p.span, &expected),
                };
                let way = self.around(bodies, place);
                match way.iter().find(|e| e.span == place) {
                    Some(e) => Advice::new(self.advise_value(d, tail(e), &p.why, expected)),
                    None => Advice::new(d),
                }
            }
            // `let x : t = e`
            Why::Pattern(bound) => {
                let way = self.around(bodies, *bound);
                match way.iter().find(|e| e.span == *bound) {
                    Some(e) => Advice::new(self.advise_value(d, tail(e), &p.why, &expected)),
                    None => Advice::new(d),
                }
            }
            Why::Operand(_)
            | Why::PatternAscribed(_)
            | Why::Field(_)
            | Why::Indexed(_)
            | Why::Iterated
            | Why::Recursion => Advice::new(d),
        }
    }

    /// A value of the wrong type, somewhere.
    fn advise_value(&self, d: Diagnostic, e: &Exp, why: &Why, expected: &Ty) -> Diagnostic {
        let Some(found) = self.type_of(e) else { return d };
        if let (Why::Condition, Some(_), Some(code)) = (why, self.numbers(&found), self.atom_code(e)) {
            let mended = format!("{code} != 0");
            return d.help(format!("compare it: `{mended}`")).fix(e.span, mended);
        }
        if let Some(target) = self.numbers(expected).and_then(default_of)
            && (keeps_enough(&found, target) || matches!(e.kind, ExpKind::Lit(_)))
            && let Some(fix) = self.conversion(e, &found, target, false)
        {
            return self.with_fixes(d, conversion_words(&found, target), e.span, vec![fix]);
        }
        self.note_missing_arguments(d, e, &found, expected)
    }

    /// A function where its result is expected.
    fn note_missing_arguments(&self, d: Diagnostic, e: &Exp, found: &Ty, expected: &Ty) -> Diagnostic {
        let (params, result) = self.arity(found);
        if params.is_empty() || matches!(**expected, TyKind::Arrow(_)) || !self.fits(expected, &result) {
            return d;
        }
        let e = e.bare();
        let (fun, given) = match &e.kind {
            ExpKind::Apply(f, args) => (&**f, args.len()),
            _ => (e, 0),
        };
        let (ExpKind::Var(_), Some(name)) = (&fun.kind, self.code(fun.span)) else { return d };
        let all = params.len() + given;
        let shown: Vec<String> = params.iter().map(|t| format!("`{}`", self.show(t))).collect();
        let given = match given {
            0 => "none is given".into(),
            1 => "only 1 is given".into(),
            n => format!("only {n} are given"),
        };
        let missing = match &shown[..] {
            [one] => format!("the missing one has type {one}"),
            _ => format!("the missing ones have types {}", shown.join(", ")),
        };
        d.note(format!("`{name}` takes {}, but {given}: {missing}", super::apply::count(all, "argument")))
    }

    /// The change that converts a number to another type. `operand`: it stands beside an operator or among arguments.
    fn conversion(&self, e: &Exp, from: &Ty, to: Prim, operand: bool) -> Option<Fix> {
        let TyKind::Prim(from) = **from else {
            // A literal such as `1.0` where an integer is expected.
            let whole = self.cx.text(e.span)?.strip_suffix(".0")?;
            return matches!(e.kind, ExpKind::Lit(Lit::Float { suffix: None, .. }))
                .then(|| Fix { span: e.span, replacement: whole.into() });
        };
        if from == to || !from.is_number() || !self.in_module(to, Symbol::new(from.name())) {
            return None;
        }
        if let ExpKind::Lit(Lit::Int { suffix: Some(_), .. } | Lit::Float { suffix: Some(_), .. }) = e.kind {
            let digits = self.cx.text(e.span)?.strip_suffix(from.name())?;
            let fits = to.is_float() || !digits.contains(['.', 'e', 'p']);
            return fits.then(|| Fix { span: e.span, replacement: format!("{digits}{}", to.name()) });
        }
        let call = format!("{}.{} {}", to.name(), from.name(), self.atom_code(e)?);
        Some(Fix { span: e.span, replacement: if operand { format!("({call})") } else { call } })
    }

    /// `t[0]` of a tuple.
    fn advise_index(&self, d: Diagnostic, bodies: &[&Exp], place: Span, found: &Ty) -> Diagnostic {
        let way = self.around(bodies, place);
        let indexed = way.iter().rev().find_map(|e| match &e.kind {
            ExpKind::Index(t, slice) if t.span == place => Some((t, slice, e.span)),
            _ => None,
        });
        let (Some((t, slice, span)), TyKind::Record(fields)) = (indexed, &**found) else { return d };
        let [DimIndex::Fix(index)] = &slice[..] else { return d };
        let (true, Some(text)) = (crate::types::is_tuple(fields), self.cx.text(index.span)) else { return d };
        if !fields.iter().any(|(f, _)| f.as_str() == text) {
            return d;
        }
        let brackets = Span { lo: t.span.hi, ..span };
        let fix = Fix { span: brackets, replacement: format!(".{text}") };
        self.with_fixes(d, "a part of a tuple is taken with a dot", span, vec![fix])
    }

    /// A constructor that its type does not have: the place of the constructor itself, and the nearest one.
    pub(super) fn constructor_place(&self, name: Symbol, bodies: &[&Exp], place: Span) -> Option<Span> {
        fn in_pattern(p: &Pat, name: Symbol) -> Option<Span> {
            match &p.kind {
                PatKind::Constr(c, _) if c.name == name => Some(c.span),
                PatKind::Constr(_, ps) | PatKind::Tuple(ps) => ps.iter().find_map(|p| in_pattern(p, name)),
                PatKind::Parens(p) | PatKind::Ascript(p, _) | PatKind::Attr(_, p) => in_pattern(p, name),
                PatKind::Record(fs) => {
                    fs.iter().filter_map(|f| f.pat.as_ref()).find_map(|p| in_pattern(p, name))
                }
                PatKind::Name(_) | PatKind::Wildcard | PatKind::Lit(_) | PatKind::Error => None,
            }
        }
        fn in_exp(e: &Exp, name: Symbol, place: Span) -> Option<Span> {
            let covered = |s: Span| place.lo <= s.lo && s.hi <= place.hi;
            let own = match &e.kind {
                ExpKind::Constr(c, _) if c.name == name && covered(c.span) => Some(c.span),
                ExpKind::Match(_, cases) => {
                    cases.iter().filter(|c| covered(c.pat.span)).find_map(|c| in_pattern(&c.pat, name))
                }
                _ => None,
            };
            own.or_else(|| e.parts().into_iter().find_map(|part| in_exp(part, name, place)))
        }
        let way = self.around(bodies, place);
        in_exp(way.last()?, name, place)
    }

    pub(super) fn advise_constructor(
        &mut self,
        d: Diagnostic,
        missing: &[Symbol],
        t: &Ty,
        place: Span,
    ) -> Diagnostic {
        let have = meta::constrs_of(&mut self.cx.names, t).unwrap_or_default();
        match (missing, suggest_among(missing, have.iter().map(|(c, _)| *c))) {
            ([_], Some(better)) => {
                d.help(format!("did you mean `#{better}`?")).fix(place, format!("#{better}"))
            }
            _ => d,
        }
    }
}

fn suggest_among(missing: &[Symbol], have: impl Iterator<Item = Symbol>) -> Option<Symbol> {
    suggest(*missing.first()?, have)
}

/// The result of a row of bindings.
fn tail(e: &Exp) -> &Exp {
    let mut e = e;
    loop {
        e = match &e.kind {
            ExpKind::LetPat { body, .. } | ExpKind::LetWith { body, .. } => body,
            ExpKind::LetFun(f) => &f.body,
            _ => return e,
        };
    }
}

/// The number type that is taken where several are possible.
fn default_of(set: PrimSet) -> Option<Prim> {
    let all: Vec<Prim> = set.iter().collect();
    match &all[..] {
        [one] => Some(*one),
        _ if set == PrimSet::signed() => Some(Prim::I64),
        _ if set == PrimSet::floats() => Some(Prim::F64),
        _ => None,
    }
}

/// A conversion that loses nothing, or makes an index or a size.
fn keeps_enough(from: &Ty, to: Prim) -> bool {
    match &**from {
        TyKind::Prim(from) => {
            to == Prim::I64
                || to.is_float() && from.is_int()
                || to.bits() >= from.bits() && to.is_float() == from.is_float()
        }
        _ => true,
    }
}

fn conversion_words(from: &Ty, to: Prim) -> &'static str {
    match &**from {
        TyKind::Prim(from) if from.is_float() && to.is_int() => "convert it, which rounds towards zero",
        TyKind::Prim(_) => "convert it",
        _ => "write it without a point",
    }
}
