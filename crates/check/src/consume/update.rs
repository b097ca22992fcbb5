//! Updates in place: `a with [i] = v`, `let a[i] = v`, and the same inside records.
//!
//! ALIAS-UPDATE and SAFE-UPDATE: the source is consumed, the value only observed, and the result
//! is a fresh name for the source's memory. A step that goes through fields alone changes no
//! memory: it makes a new record from old parts.

use super::alias::{AliasSet, Aliases, Via};
use super::scope::{Checker, Consumption, Place};
use crate::typed::{Exp, ExpKind, Step};
use crate::types::{Ty, VarId};
use norn_base::Span;

impl Checker<'_> {
    pub fn update(&mut self, source: &mut Exp, steps: &mut [Step], value: &mut Exp) -> Aliases {
        self.steps(steps);
        let value_aliases = self.exp(value);
        let source_aliases = self.exp(source);
        let by = self.consumption(source, Place::Operand);
        self.replaced(&source.ty, &source_aliases, by, steps, value, &value_aliases)
    }

    /// The aliases of the value that the new variable is bound to.
    pub fn let_with(
        &mut self,
        source: VarId,
        source_span: Span,
        source_ty: &mut Ty,
        steps: &mut [Step],
        value: &mut Exp,
    ) -> Aliases {
        self.steps(steps);
        let value_aliases = self.exp(value);
        let source_aliases = self.observe(source, source_ty, source_span);
        let copy = self.copy_at_let_with(source, source_span, steps, value);
        let by = Consumption { span: source_span, source: Some(source), pun: false, copy };
        self.replaced(source_ty, &source_aliases, by, steps, value, &value_aliases)
    }

    /// `let xs = copy xs with [i] = v` for `let xs[i] = v`.
    fn copy_at_let_with(
        &self,
        source: VarId,
        span: Span,
        steps: &[Step],
        value: &Exp,
    ) -> Option<(Span, String)> {
        let operand = match &value.kind {
            ExpKind::Lit(_)
            | ExpKind::Var(_)
            | ExpKind::Parens(_)
            | ExpKind::Record(_)
            | ExpKind::Array(_)
            | ExpKind::Project(..)
            | ExpKind::Index(..)
            | ExpKind::Apply(..) => true,
            // Not a function between backticks, which binds looser than `with`.
            ExpKind::BinOp(op, ..) => {
                Self::as_var(op).is_some_and(|v| !self.name(v).as_str().starts_with(char::is_alphabetic))
            }
            _ => false,
        };
        let name = self.name(source);
        let sure = operand && matches!(steps, [Step::Index(_), ..]);
        sure.then(|| (span, format!("{name} = copy {name} with ")))
    }

    fn replaced(
        &mut self,
        source_ty: &Ty,
        source: &Aliases,
        by: Consumption,
        steps: &[Step],
        value: &Exp,
        value_aliases: &Aliases,
    ) -> Aliases {
        if !steps.iter().any(|step| matches!(step, Step::Index(_))) {
            return with_fields(source, source_ty, steps, value_aliases);
        }
        self.check_many_calls(value, value_aliases, "value written into an array");
        let all = source.all();
        // What was consumed is gone; references stay, and those in the new value join them.
        let kept = source.map(&mut |set| set.filter(|a| a.via != Via::Own));
        if all.touches(&value_aliases.all()) {
            self.report_update_overlaps(&by, value);
            return kept;
        }
        self.consume(&all, by);
        let refs = self.references(&value.ty, value_aliases);
        if refs.is_empty() { kept } else { with_references(&kept, source_ty, steps, &refs) }
    }
}

/// The record with its field at the end of `steps` replaced.
fn with_fields(source: &Aliases, ty: &Ty, steps: &[Step], value: &Aliases) -> Aliases {
    match steps {
        [Step::Field(f), rest @ ..] => {
            let part_ty = field_type(ty, *f);
            let part = with_fields(&source.field(*f, &part_ty), &part_ty, rest, value);
            source.with_field(*f, part)
        }
        _ => value.clone(),
    }
}

/// The record with `refs` added to the array that the first index of `steps` updates.
fn with_references(source: &Aliases, ty: &Ty, steps: &[Step], refs: &AliasSet) -> Aliases {
    match steps {
        [Step::Field(f), rest @ ..] => {
            let part_ty = field_type(ty, *f);
            let part = with_references(&source.field(*f, &part_ty), &part_ty, rest, refs);
            source.with_field(*f, part)
        }
        _ => Aliases::Whole(source.all().union(refs)),
    }
}

fn field_type(ty: &Ty, field: norn_base::Symbol) -> Ty {
    ty.field(field).cloned().unwrap_or_else(crate::types::error)
}
