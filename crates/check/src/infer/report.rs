//! Reports type errors at the end of a definition, when most types are known.
//!
//! During inference a mismatch is only recorded (`Pending`) with a reason why two types have to be the same (`Why`). The reason decides the code, the headline and the labels:
//! "The right operand of `/` has the wrong type." with the operator as second place. Then `advice` may replace the message by a corrected program. Types that contain
//! an error that was reported before are not reported again.

use super::Infer;
use super::advice::{Advice, without_consequences};
use super::apply::count;
use super::meta::Mismatch;
use crate::types::{Ty, TyArg, TyKind};
use norn_base::{Code, Diagnostic, Span, Symbol, codes};
use norn_syntax::ast::Exp;

/// Why two types have to be the same.
#[derive(Clone, Debug)]
pub enum Why {
    Argument {
        fun: Option<Symbol>,
        index: usize,
        fun_span: Span,
    },
    OperandOf {
        op: Symbol,
        op_span: Span,
        right: bool,
    },
    /// Of a prefix operator.
    Operand(Symbol),
    Applied,
    Ascribed(Span),
    PatternAscribed(Span),
    Returned(Option<Span>),
    /// The span of the first branch.
    Branches(Span),
    /// The span of the first element.
    Element(Span),
    /// The span of what is matched.
    Pattern(Span),
    Condition,
    Field(Symbol),
    Indexed(usize),
    Slice,
    Range,
    Needed(&'static str),
    Iterated,
    LoopBody(Span),
    Update,
    Size,
    Recursion,
}

impl Why {
    /// Labels for the places that make the two types the same.
    pub fn point_out(&self, d: Diagnostic) -> Diagnostic {
        let span = d.primary.span;
        match self {
            Why::Argument { fun_span, .. } => d.secondary(*fun_span, "the function applied"),
            Why::OperandOf { op_span, .. } => d.secondary(*op_span, "the operator applied"),
            Why::Ascribed(s) | Why::PatternAscribed(s) => d.secondary(*s, "expected because of this"),
            Why::Returned(Some(s)) if *s != span => d.secondary(*s, "the declared result"),
            Why::Branches(s) => d.secondary(*s, "the first branch"),
            Why::Element(s) if *s != span => d.secondary(*s, "the first element"),
            Why::Pattern(s) if *s != span => d.secondary(*s, "this is what is matched"),
            Why::LoopBody(s) => d.secondary(*s, "the loop parameter"),
            Why::Element(_)
            | Why::Pattern(_)
            | Why::Returned(_)
            | Why::Operand(_)
            | Why::Applied
            | Why::Condition
            | Why::Field(_)
            | Why::Indexed(_)
            | Why::Slice
            | Why::Range
            | Why::Needed(_)
            | Why::Iterated
            | Why::Update
            | Why::Size
            | Why::Recursion => d,
        }
    }
}

/// A mismatch to be reported at the end of the definition.
pub(super) struct Pending {
    pub span: Span,
    pub why: Why,
    pub expected: Ty,
    pub found: Ty,
    pub mismatch: Mismatch,
}

/// A mistake other than a mismatch.
pub(super) enum Noticed {
    /// Something that takes no arguments is applied.
    NotAFunction(Diagnostic),
    /// In a value of this type.
    NoSuchField(Diagnostic, Ty),
    ModuleAsValue(Diagnostic),
    UnknownType(Diagnostic),
    /// A name that is not in scope, and one that is and is spelt nearly the same.
    UnknownName(Diagnostic, Symbol, Option<Symbol>),
}

impl Infer<'_> {
    /// Report the mistakes in the definitions that have these bodies.
    pub(super) fn report_mistakes(&mut self, bodies: &[&Exp]) {
        let noticed = std::mem::take(&mut self.noticed);
        let pending = std::mem::take(&mut self.pending);
        if noticed.is_empty() && pending.is_empty() {
            return;
        }
        let mut advice = self.words_as_operators(bodies);
        for n in noticed {
            advice.push(match n {
                Noticed::NotAFunction(d) => self.advise_surplus(d, bodies),
                Noticed::UnknownType(d) => Advice::new(d),
                Noticed::NoSuchField(d, of) => Advice::new(self.advise_field(d, &of, bodies)),
                Noticed::ModuleAsValue(d) => self.advise_module(d, bodies),
                Noticed::UnknownName(d, name, better) => self.advise_name(d, name, better, bodies),
            });
        }
        self.mismatches(pending, bodies, &mut advice);
        for d in without_consequences(advice) {
            self.cx.report(d);
        }
    }

    fn mismatches(&mut self, pending: Vec<Pending>, bodies: &[&Exp], advice: &mut Vec<Advice>) {
        // Both operands of one operator are often wrong in the same way.
        let mut operators = Vec::new();
        for p in pending {
            if let (Why::OperandOf { op_span, .. }, Mismatch::NotOneOf(..)) = (&p.why, &p.mismatch) {
                if operators.contains(op_span) {
                    continue;
                }
                operators.push(*op_span);
            }
            let d = self.describe(&p, bodies);
            advice.push(self.advise(d, &p, bodies));
        }
    }

    pub(super) fn has_error(&self, t: &Ty) -> bool {
        if !t.is_open() {
            return false;
        }
        let t = self.metas.head(t);
        match &*t {
            TyKind::Error => true,
            TyKind::Prim(_) | TyKind::Meta(_) => false,
            TyKind::Con(_, args) => args.iter().any(|a| matches!(a, TyArg::Type(t) if self.has_error(t))),
            TyKind::Array(_, t) | TyKind::Unique(t) => self.has_error(t),
            TyKind::Record(fields) => fields.iter().any(|(_, t)| self.has_error(t)),
            TyKind::Sum(cs) => cs.iter().any(|(_, ts)| ts.iter().any(|t| self.has_error(t))),
            TyKind::Arrow(a) => self.has_error(&a.arg) || self.has_error(&a.ret.ty),
        }
    }

    fn describe(&mut self, p: &Pending, bodies: &[&Exp]) -> Diagnostic {
        let expected = self.metas.resolve(&p.expected);
        let found = self.metas.resolve(&p.found);
        if let Mismatch::NeedsConstrs(missing, t) = &p.mismatch
            && let [name] = missing[..]
            && let Some(place) = self.constructor_place(name, bodies, p.span)
        {
            let shown = self.show(t);
            let message = format!("There is no constructor `#{name}` in the type of this.");
            let d = Diagnostic::error(codes::NO_SUCH_CONSTRUCTOR, place, message)
                .note(format!("the type is `{shown}`"));
            return self.advise_constructor(p.why.point_out(d), &[name], t, place);
        }
        let (code, message) = self.headline(p, &expected, &found);
        let mut d = Diagnostic::error(code, p.span, message);
        d = p.why.point_out(d);
        let shown = |t: &Ty| match (&p.mismatch, &**t) {
            (Mismatch::NotOneOf(set, _), TyKind::Meta(_)) => set.words(),
            _ => self.show(t),
        };
        let (shown_expected, shown_found) = (shown(&expected), shown(&found));
        if shown_expected != shown_found {
            d = d.expected_found(shown_expected, shown_found);
        } else if matches!((&*expected, &*found), (TyKind::Con(..), TyKind::Con(..))) {
            d = d.note(format!("there are two types called `{shown_found}`, and they are not the same"));
        }
        let said = matches!(*expected, TyKind::Meta(_)) || matches!(*found, TyKind::Meta(_));
        if said && matches!(p.mismatch, Mismatch::NotOneOf(..)) {
            d
        } else {
            self.details(d, p, &expected, &found)
        }
    }

    fn headline(&self, p: &Pending, expected: &Ty, found: &Ty) -> (Code, String) {
        let message = match &p.why {
            Why::Argument { fun, index, .. } => match fun {
                Some(f) => format!("Argument {} of `{f}` has the wrong type.", index + 1),
                None => format!("Argument {} of this function has the wrong type.", index + 1),
            },
            Why::OperandOf { op, right, .. } => {
                let side = if *right { "right" } else { "left" };
                format!("The {side} operand of `{op}` has the wrong type.")
            }
            Why::Operand(op) => format!("The operand of `{op}` has the wrong type."),
            Why::Applied => "This is used as a function.".into(),
            Why::Ascribed(_) => "The expression does not have the type it is given.".into(),
            Why::PatternAscribed(_) => "The pattern does not have the type it is given.".into(),
            Why::Returned(_) => "The body does not have the type of the declared result.".into(),
            Why::Branches(_) => "The branches have different types.".into(),
            Why::Element(_) => "The elements of the array have different types.".into(),
            Why::Pattern(_) => "The pattern does not fit the value it is matched with.".into(),
            Why::Condition => "A condition must be a `bool`.".into(),
            Why::Field(f) => format!("A record with the field `{f}` is needed."),
            Why::Indexed(1) => "Only an array can be indexed.".into(),
            Why::Indexed(n) => format!("This is indexed as an array of {}.", count(*n, "dimension")),
            Why::Slice => "The bounds of a slice must be of type `i64`.".into(),
            Why::Range => "The parts of a range must have one type.".into(),
            Why::Needed(what) => format!("This cannot be {what}."),
            Why::Iterated => "Only an array can be iterated over.".into(),
            Why::LoopBody(_) => "The body of the loop does not have the type of the loop parameter.".into(),
            Why::Update => "The new value does not have the type of what it replaces.".into(),
            Why::Size => "A size must be of type `i64`.".into(),
            Why::Recursion => "The function is used in its own definition at another type.".into(),
        };
        let code = match &p.mismatch {
            Mismatch::Infinite => codes::INFINITE_TYPE,
            Mismatch::Escapes(_) => codes::RIGID_TYPE,
            Mismatch::NeedsFields(..) => codes::NO_SUCH_FIELD,
            Mismatch::NeedsConstrs(..) => codes::NO_SUCH_CONSTRUCTOR,
            Mismatch::NotOneOf(..) | Mismatch::NoCommonPrim(..) => codes::OVERLOAD_MISMATCH,
            Mismatch::Different if self.is_param(expected) != self.is_param(found) => codes::RIGID_TYPE,
            Mismatch::Different
            | Mismatch::TupleLengths(..)
            | Mismatch::Fields(_)
            | Mismatch::Constrs(_)
            | Mismatch::Payload(..) => codes::TYPE_MISMATCH,
        };
        (code, message)
    }

    fn is_param(&self, t: &Ty) -> bool {
        matches!(&**t, TyKind::Con(id, _) if self.metas.param_levels.contains_key(id))
    }

    /// What makes the two types different, where that cannot be seen at once.
    fn details(&self, d: Diagnostic, p: &Pending, expected: &Ty, found: &Ty) -> Diagnostic {
        let list = |names: &[Symbol], mark: &str| {
            names.iter().map(|n| format!("`{mark}{n}`")).collect::<Vec<_>>().join(", ")
        };
        match &p.mismatch {
            Mismatch::Different => match (self.is_param(expected), self.is_param(found)) {
                (true, true) => {
                    let (a, b) = (self.show(expected), self.show(found));
                    d.note(format!("the type parameters `{a}` and `{b}` can stand for different types"))
                }
                (true, false) | (false, true) => {
                    let t = self.show(if self.is_param(expected) { expected } else { found });
                    d.note(format!("`{t}` is a type parameter, so it can stand for any type"))
                }
                (false, false) => d,
            },
            Mismatch::TupleLengths(a, b) => d.note(format!("one tuple has {a} parts, the other {b}")),
            Mismatch::Fields(fs) => d.note(format!("only one of the records has {}", list(fs, ""))),
            Mismatch::Constrs(cs) => d.note(format!("only one of the sum types has {}", list(cs, "#"))),
            Mismatch::Payload(c, a, b) => {
                d.note(format!("`#{c}` has {} here and {} there", count(*a, "part"), count(*b, "part")))
            }
            Mismatch::NotOneOf(set, t) => {
                let shown = self.show(t);
                d.note(format!("`{shown}` is not {}", set.words()))
            }
            Mismatch::NoCommonPrim(a, b) => {
                d.note(format!("the type must be {} and also {}", a.words(), b.words()))
            }
            Mismatch::NeedsFields(fs, t) => {
                let shown = self.show(t);
                d.note(format!("there is no {} in `{shown}`", list(fs, "")))
            }
            Mismatch::NeedsConstrs(cs, t) => {
                let shown = self.show(t);
                d.note(format!("there is no {} in `{shown}`", list(cs, "#")))
            }
            Mismatch::Infinite => d.note("the type would have to contain itself"),
            Mismatch::Escapes(id) => {
                let name = self.cx.names.ty(*id).name;
                d.note(format!("the type parameter `{name}` is not in scope where the other type was made"))
            }
        }
    }
}
