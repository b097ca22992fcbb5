//! Error messages about sizes that do not match.

use super::instantiate::INFERRED;
use super::unify::Clash;
use super::{Constraint, Sizer, Source};
use crate::infer::Why;
use crate::print::Shower;
use crate::subst;
use crate::types::{Size, Ty, TyKind, VarId};
use norn_base::{Diagnostic, Span, codes};

impl Sizer<'_> {
    pub(super) fn report_clash(&mut self, span: Span, why: &Why, expected: &Ty, found: &Ty, clash: Clash) {
        if let Clash::Sizes(a, b) = &clash
            && [a, b].into_iter().any(|s| subst::mentions_in_size(s, &|v| self.blamed.contains(&v)))
        {
            // What is wrong with it has been reported.
            self.failed = true;
            return;
        }
        if let Clash::OutOfScope { var, .. } = &clash {
            self.blamed.push(*var);
        }
        let (expected, found) = (self.without_open_sizes(expected), self.without_open_sizes(found));
        let code = match &clash {
            Clash::Sizes(..) => codes::SIZE_MISMATCH,
            Clash::OutOfScope { .. } => codes::SIZE_OUT_OF_SCOPE,
            Clash::Infinite(..) => codes::SIZE_MISMATCH,
            Clash::Irregular => codes::IRREGULAR_ARRAY,
            Clash::Diet(..) | Clash::Uniqueness(..) => codes::CONSUMING_FUNCTION,
            Clash::Types(..) => codes::TYPE_MISMATCH,
        };
        let mut d = Diagnostic::error(code, span, headline(why, &clash));
        d = why.point_out(d);
        let mut shower = Shower::new(&self.cx.names);
        d = d.expected_found(shower.ty(&expected), shower.ty(&found));
        d = match &clash {
            Clash::Sizes(a, b) => {
                let (sa, sb) = (shower.size(a), shower.size(b));
                let are = match (a, b) {
                    (Size::Const(_), Size::Const(_)) => "different",
                    _ => "not known to be equal",
                };
                let d = d.note(format!("the sizes `{sa}` and `{sb}` are {are}"));
                let d = self.explain_sizes(d, &mut shower, &[a, b]);
                let both_names = matches!((a, b), (Size::Var(_), Size::Var(_)));
                if both_names || self.computed_at_run_time(a) || self.computed_at_run_time(b) {
                    d.help(
                        "if they are equal, say so with a size coercion `:>`, which is checked at run time",
                    )
                } else {
                    d
                }
            }
            Clash::OutOfScope { to, var } => {
                let shown = shower.size(to);
                let name = shower.var(*var);
                d.note(format!("the size would have to be `{shown}`, but `{name}` is not in scope there"))
                    .secondary(self.cx.names.var(*var).span, "bound here")
            }
            Clash::Infinite(v, to) => {
                let (v, to) = (shower.var(*v), shower.size(to));
                d.note(format!("the size `{v}` would have to equal `{to}`, which contains it"))
            }
            Clash::Irregular => {
                let d = d.note(
                    "the rows of one array may differ in length, and the other needs rows of one length",
                );
                match (&*expected, has_irregular(&expected), has_irregular(&found)) {
                    (TyKind::Array(..), false, true) => self.help_irregular(d, why, &found).help(
                        "if all rows have one length, coerce the array with `:> [n][m]t`, which is checked at run time",
                    ),
                    (TyKind::Array(..), true, false) => {
                        d.help("`irregular.from_regular` makes it an array whose rows may differ in length")
                    }
                    (TyKind::Record(_) | TyKind::Sum(_), false, true) => self.help_irregular(d, why, &found),
                    _ => d,
                }
            }
            Clash::Diet(expected) => {
                let shown = shower.ty(&expected.arg);
                d.note(format!("the function given consumes an argument of type `{shown}`, but here it may only observe it"))
            }
            Clash::Uniqueness(expected, given) => {
                let (w, g) = (shower.ty(expected), shower.ty(given));
                d.note(format!("the result must be `{w}`, but `{g}` may alias other values"))
            }
            Clash::Types(a, b) => {
                let (a, b) = (shower.ty(a), shower.ty(b));
                d.note(format!("`{a}` is not `{b}`"))
            }
        };
        self.fail(d);
    }

    /// The type to declare for rows of different lengths.
    fn help_irregular(&self, d: Diagnostic, why: &Why, found: &Ty) -> Diagnostic {
        let Why::Returned(Some(_)) = why else { return d };
        let declared = subst::map_sizes(found, &mut |s| match s {
            Size::Irregular | Size::Const(_) => s.clone(),
            Size::Any | Size::Var(_) | Size::Term(_) => Size::Any,
        });
        let shown = Shower::new(&self.cx.names).ty(&declared);
        d.help(format!("if the rows may differ in length, declare them so: `{shown}`"))
    }

    /// A type as it is shown: sizes that are still to be found have no name.
    fn without_open_sizes(&self, t: &Ty) -> Ty {
        subst::map_sizes(&self.norm(t), &mut |s| match s {
            Size::Var(v)
                if self.entries.get(v).is_some_and(|e| e.origin == INFERRED && is_open(&e.constraint)) =>
            {
                Size::Any
            }
            s => s.clone(),
        })
    }

    fn computed_at_run_time(&self, s: &Size) -> bool {
        subst::mentions_in_size(s, &|v| matches!(self.constraint(v), Some(Constraint::Unknown(_))))
    }

    /// Say where the unknown sizes in a size come from.
    pub(super) fn explain_size(&self, d: Diagnostic, s: &Size) -> Diagnostic {
        self.explain_sizes(d, &mut Shower::new(&self.cx.names), &[s])
    }

    fn explain_sizes(&self, mut d: Diagnostic, shower: &mut Shower<'_>, sizes: &[&Size]) -> Diagnostic {
        let mut vars: Vec<VarId> = Vec::new();
        for s in sizes {
            subst::each_var_in_size(s, &mut |v| {
                if !vars.contains(&v) {
                    vars.push(v);
                }
            });
        }
        for v in vars {
            let Some(entry) = self.entries.get(&v) else { continue };
            let name = shower.var(v);
            let Constraint::Unknown(source) = &entry.constraint else { continue };
            if entry.span.file != d.primary.span.file {
                d = d.note(format!("`{name}` is a size that is known only when the function has returned"));
                continue;
            }
            let text = match source {
                Source::Argument(Some(f)) => format!("`{name}` is the value of this argument of `{f}`"),
                Source::Argument(None) => format!("`{name}` is the value of this argument"),
                Source::Result(Some(f)) => format!("`{name}` is a size that `{f}` returns here"),
                Source::Result(None) => format!("`{name}` is a size that this function returns"),
                Source::Loop => format!("`{name}` is a size that changes in this loop"),
                Source::Slice => format!("`{name}` is the size of this slice"),
                Source::Range => format!("`{name}` is the length of this range"),
                Source::Branches => format!("`{name}` depends on which branch is taken"),
                Source::OutOfScope(w) => {
                    let w = self.cx.names.var(*w).name;
                    format!("`{name}` is unknown because `{w}` goes out of scope here")
                }
                Source::Row => format!("`{name}` is the size of this row of an irregular array"),
                Source::Unify => continue,
            };
            d = d.secondary(entry.span, text);
        }
        d
    }
}

fn is_open(c: &Constraint) -> bool {
    matches!(c, Constraint::Flex(None) | Constraint::Inst(_) | Constraint::Copy { .. })
}

fn has_irregular(t: &Ty) -> bool {
    let mut found = false;
    subst::each_size(t, &mut |s| found |= *s == Size::Irregular);
    found
}

fn headline(why: &Why, clash: &Clash) -> String {
    let what = match clash {
        Clash::Sizes(..) | Clash::OutOfScope { .. } | Clash::Infinite(..) => "size",
        Clash::Irregular => "shape",
        Clash::Diet(..) | Clash::Uniqueness(..) | Clash::Types(..) => "type",
    };
    match why {
        Why::Argument { fun: Some(f), index, .. } => {
            format!("Argument {} of `{f}` has the wrong {what}.", index + 1)
        }
        Why::Argument { fun: None, index, .. } => {
            format!("Argument {} of this function has the wrong {what}.", index + 1)
        }
        Why::OperandOf { op, right, .. } => {
            let side = if *right { "right" } else { "left" };
            format!("The {side} operand of `{op}` has the wrong {what}.")
        }
        Why::Ascribed(_) => format!("The expression does not have the {what} it is given."),
        Why::PatternAscribed(_) => format!("The pattern does not have the {what} it is given."),
        Why::Returned(_) => format!("The body does not have the {what} of the declared result."),
        Why::Branches(_) => format!("The branches do not fit each other in {what}."),
        Why::Element(_) => format!("This part does not have the {what} that is needed."),
        Why::Pattern(_) => format!("The value does not have the {what} of the pattern."),
        Why::LoopBody(_) => format!("The body of the loop does not return the {what} of the loop parameter."),
        Why::Update => format!("The new value does not have the {what} of what it replaces."),
        Why::Operand(_)
        | Why::Applied
        | Why::Condition
        | Why::Field(_)
        | Why::Indexed(_)
        | Why::Slice
        | Why::Range
        | Why::Needed(_)
        | Why::Iterated
        | Why::Size
        | Why::Recursion => format!("This does not have the {what} that is needed."),
    }
}
