//! The end of a definition: every size is replaced by what it stands for, and those that stand for
//! nothing are complained about.

use super::instantiate::INFERRED;
use super::unscope::first_var;
use super::{Constraint, Sizer, Source};
use crate::subst;
use crate::typed::{Fun, Pat};
use crate::types::{RetTy, Size, Ty, VarId};
use crate::walk::{MapTypes, map_fun, map_pat};
use norn_base::{Diagnostic, codes};
use rustc_hash::FxHashMap;

impl Sizer<'_> {
    pub(super) fn norm_pat(&self, p: &mut Pat) {
        struct Norm<'s, 'c>(&'s Sizer<'c>);
        impl MapTypes for Norm<'_, '_> {
            fn ty(&mut self, t: &mut Ty) {
                *t = self.0.norm(t);
            }
            fn ret(&mut self, r: &mut RetTy) {
                *r = self.0.norm_ret(r);
            }
        }
        map_pat(&mut Norm(self), p);
    }

    /// Every size that is still to be found is ambiguous.
    pub(super) fn report_ambiguous(&mut self) {
        self.settle_instances(0);
        let mut open: Vec<VarId> = self
            .entries
            .iter()
            .filter(|(_, e)| matches!(e.constraint, Constraint::Flex(None)))
            .map(|(v, _)| *v)
            .collect();
        open.sort();
        if self.failed {
            return;
        }
        // Of sizes that are the same one is enough, and the one made first says most.
        let mut seen = Vec::new();
        for v in open {
            let Some(e) = self.entries.get(&v).cloned() else { continue };
            if seen.contains(&e.span) {
                continue;
            }
            seen.push(e.span);
            let message = if e.origin == INFERRED {
                "A size in the type of this cannot be determined.".into()
            } else {
                format!("The size `{}` cannot be determined.", self.cx.names.var(v).name)
            };
            let mut d = Diagnostic::error(codes::AMBIGUOUS_SIZE, e.span, message);
            if !e.origin.is_empty() && e.origin != INFERRED {
                d = d.note(format!("it is {}", e.origin));
            }
            self.fail(d.help("annotate the type with its sizes"));
        }
    }

    /// Put the final types into a definition.
    pub(super) fn complete(&mut self, fun: &mut Fun) {
        let mut last = Complete { sizer: self };
        map_fun(&mut last, fun);
    }

    /// Bind the existential sizes that are left in a type as far inside as can be; those that have
    /// no place there are returned.
    fn bind_left_over(&mut self, t: &Ty) -> (Ty, Vec<VarId>) {
        let t = self.norm(t);
        if !self.existentials {
            return (t, Vec::new());
        }
        let merged = self.merge_copies(&t);
        if !subst::free_vars(&merged).iter().any(|v| self.is_existential(*v)) {
            return (merged, Vec::new());
        }
        let span = self.cx.names.var(subst::free_vars(&merged)[0]).span;
        self.replace_sizes(span, &|this, s| first_var(s, &|v| this.is_existential(v)), &merged)
    }

    /// Existential sizes at the top of a type that stand for a size computed somewhere are that
    /// size: whoever needs them before it is computed gets an error.
    fn computed_sizes(&mut self, t: &Ty) -> Ty {
        let t = self.norm(t);
        let mut sizes: FxHashMap<VarId, Size> = FxHashMap::default();
        for v in subst::free_vars(&t) {
            let of = match self.constraint(v) {
                Some(Constraint::Copy { of, .. }) => *of,
                _ => v,
            };
            if let Some(Constraint::Existential { computed: Some(span), .. }) = self.constraint(of) {
                let span = *span;
                let w = self.rigid("d", span, Source::Result(None));
                sizes.insert(v, Size::Var(w));
            }
        }
        subst::apply_sizes(&sizes, &t)
    }
}

struct Complete<'s, 'c> {
    sizer: &'s mut Sizer<'c>,
}

impl MapTypes for Complete<'_, '_> {
    fn ty(&mut self, t: &mut Ty) {
        let (new, left) = self.sizer.bind_left_over(t);
        *t = if left.is_empty() { new } else { self.sizer.computed_sizes(t) };
    }

    fn ret(&mut self, r: &mut RetTy) {
        let (ty, left) = self.sizer.bind_left_over(&r.ty);
        r.ty = ty;
        r.exts.extend(left);
    }
}
