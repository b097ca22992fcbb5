//! Updates in place: `a with [i] = v`, `let a[i] = v`, and the same inside records.
//!
//! ALIAS-UPDATE and SAFE-UPDATE: the source is consumed, the value only observed, and the result
//! is a fresh name for the source's memory. A step that goes through fields alone changes no
//! memory: it makes a new record from old parts.

use super::alias::{AliasSet, Aliases, Via};
use super::scope::Checker;
use crate::typed::{Exp, Step};
use crate::types::{Ty, TyKind, VarId};
use norn_base::Span;

impl Checker<'_> {
    pub fn update(&mut self, source: &mut Exp, steps: &mut [Step], value: &mut Exp, span: Span) -> Aliases {
        self.steps(steps);
        let value_aliases = self.exp(value);
        let source_aliases = self.exp(source);
        let at = if Self::as_var(source).is_some() { source.span } else { span };
        let source_var = Self::as_var(source);
        self.replaced(&source.ty, &source_aliases, source_var, at, steps, value, &value_aliases)
    }

    /// The aliases of the value that the new variable is bound to.
    pub fn exp_let_with(
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
        self.replaced(source_ty, &source_aliases, Some(source), source_span, steps, value, &value_aliases)
    }

    #[expect(clippy::too_many_arguments, reason = "the two forms of update meet here")]
    fn replaced(
        &mut self,
        source_ty: &Ty,
        source: &Aliases,
        source_var: Option<VarId>,
        source_span: Span,
        steps: &[Step],
        value: &Exp,
        value_aliases: &Aliases,
    ) -> Aliases {
        if !steps.iter().any(|step| matches!(step, Step::Index(_))) {
            return with_fields(source, source_ty, steps, value_aliases);
        }
        let all = source.all();
        if all.touches(&value_aliases.all()) {
            self.report_update_overlaps(source_var, source_span, value);
        }
        self.consume(&all, source_var, source_span);
        // What was consumed is gone; references stay, and those in the new value join them.
        let kept = source.map(&mut |set| set.filter(|a| a.via != Via::Own));
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
    ty.field(field).cloned().unwrap_or_else(|| TyKind::Error.into())
}
