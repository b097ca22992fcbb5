//! Sizes of slices.

use super::term::exp_size;
use super::{Sizer, Source};
use crate::typed::{DimIndex, Exp};
use crate::types::{self, Size, Ty, TyKind, VarId};
use norn_base::Span;

/// What becomes of a size that a slice does not determine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SliceSize {
    /// It is unknown, and new with this expression.
    Unknown,
    /// It is found by unification: the size of what replaces the slice.
    Flexible,
    /// It is unknown in the result of a function.
    Existential,
}

impl Sizer<'_> {
    /// The type of an array indexed and sliced, and the sizes that come into existence.
    pub(super) fn slice_type(
        &mut self,
        t: &Ty,
        slice: &[DimIndex],
        how: SliceSize,
        span: Span,
    ) -> (Ty, Vec<VarId>) {
        let mut exts = Vec::new();
        let t = self.slice_dims(t, slice, how, span, &mut exts);
        let t = self.norm(&t);
        if matches!(slice.first(), None | Some(DimIndex::Slice { .. })) {
            return (t, exts);
        }
        // An element was taken out: its irregular dimensions are its own now.
        if how == SliceSize::Flexible {
            let t = self.open_with(&t, &mut |this| this.flexible("k", span, "the row replaced"));
            return (t, exts);
        }
        let (t, mut opened) = self.open(&t, span);
        exts.append(&mut opened);
        (t, exts)
    }

    fn slice_dims(
        &mut self,
        t: &Ty,
        slice: &[DimIndex],
        how: SliceSize,
        span: Span,
        exts: &mut Vec<VarId>,
    ) -> Ty {
        let Some((first, rest)) = slice.split_first() else { return t.clone() };
        let TyKind::Array(size, elem) = &**t else { return t.clone() };
        let inner = self.slice_dims(elem, rest, how, span, exts);
        match first {
            DimIndex::Fix(_) => inner,
            DimIndex::Slice { start, end, stride } => {
                let known = if how == SliceSize::Unknown {
                    self.slice_size(size, start.as_ref(), end.as_ref(), stride.as_ref())
                } else {
                    None
                };
                let size = match (known, how) {
                    (Some(size), _) => size,
                    // Part of each row of an irregular array, and so as long as the row allows.
                    (None, SliceSize::Unknown | SliceSize::Existential)
                        if self.norm_size(size) == Size::Irregular =>
                    {
                        Size::Irregular
                    }
                    (None, SliceSize::Flexible) => self.flexible("slice", span, "the size of this slice"),
                    (None, SliceSize::Unknown | SliceSize::Existential) => {
                        let v = self.rigid("slice", span, Source::Slice);
                        exts.push(v);
                        Size::Var(v)
                    }
                };
                types::array(size, inner)
            }
        }
    }

    /// The size of `start:end:stride`, where it can be written down.
    fn slice_size(
        &mut self,
        whole: &Size,
        start: Option<&Exp>,
        end: Option<&Exp>,
        stride: Option<&Exp>,
    ) -> Option<Size> {
        let constant = |e: Option<&Exp>| {
            e.map(|e| match exp_size(e) {
                Some(Size::Const(c)) => Some(c),
                _ => None,
            })
        };
        let step = constant(stride).unwrap_or(Some(1));
        match step {
            Some(1) => {
                let to = match end {
                    Some(e) => self.size_or_warn(e)?,
                    None => whole.clone(),
                };
                match start {
                    None => Some(to),
                    Some(_) if constant(start) == Some(Some(0)) => Some(to),
                    Some(s) => {
                        let from = self.size_or_warn(s)?;
                        Some(self.minus(to, from))
                    }
                }
            }
            Some(-1) => match (start, end) {
                (None, None) => Some(whole.clone()),
                (Some(s), Some(e)) => {
                    let from = self.size_or_warn(s)?;
                    let to = self.size_or_warn(e)?;
                    Some(self.minus(from, to))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
