//! Binding the variables of patterns.

use super::alias::{Aliases, Via};
use super::scope::{Binding, Checker};
use crate::typed::{Pat, PatKind};
use crate::types::{self, Ty, VarId};

impl Checker<'_> {
    /// Bind the variables of a pattern to the parts of a value (ALIAS-LETPAT). Each may be
    /// consumed, which consumes what it is a part of.
    pub fn bind_pat(&mut self, pat: &mut Pat, aliases: &Aliases) {
        refine_pat(pat, aliases);
        self.bind_part(pat, aliases, Via::Own, &|_, _| (true, Binding::Let));
    }

    /// Bind the variables of a pattern to the parts of an element of the array that a loop reads.
    pub fn bind_element(&mut self, pat: &Pat, aliases: &Aliases) {
        self.bind_part(pat, aliases, Via::Own, &|_, _| (false, Binding::Element));
    }

    /// Bind the parameters of a loop; `owned` says which may be consumed.
    pub fn bind_loop_params(&mut self, pat: &Pat, owned: impl Fn(VarId, &Ty) -> bool) {
        let aliases = Aliases::fresh(&pat.ty);
        self.bind_part(pat, &aliases, Via::Own, &|v, ty| (owned(v, ty), Binding::LoopParam(ty.clone())));
    }

    /// `bound_as` says whether a variable may be consumed, and why or why not. `via` is how the
    /// variables are related to the memory they name: parts of a recursive value are shared.
    fn bind_part(
        &mut self,
        pat: &Pat,
        aliases: &Aliases,
        via: Via,
        bound_as: &dyn Fn(VarId, &Ty) -> (bool, Binding),
    ) {
        match &pat.kind {
            PatKind::Var(v) => {
                let (owned, binding) = bound_as(*v, &pat.ty);
                self.declare(*v, &pat.ty, aliases, via, owned, binding);
            }
            PatKind::Record(fields) => {
                for (f, p) in fields {
                    self.bind_part(p, &aliases.field(*f, &p.ty), via, bound_as);
                }
            }
            PatKind::Constr(c, pats) => match aliases {
                Aliases::Sum(constrs) => {
                    let payload = constrs.iter().find(|(d, _)| d == c);
                    for (i, p) in pats.iter().enumerate() {
                        let part = payload.and_then(|(_, parts)| parts.get(i));
                        let part = part.cloned().unwrap_or_else(|| Aliases::fresh(&p.ty));
                        self.bind_part(p, &part, via, bound_as);
                    }
                }
                whole => {
                    let set = whole.all().shared();
                    for p in pats {
                        self.bind_part(p, &Aliases::of(&p.ty, &set), Via::Shared, bound_as);
                    }
                }
            },
            PatKind::Opened(_, p) => self.bind_part(p, aliases, via, bound_as),
            PatKind::Wildcard | PatKind::Lit(_) => {}
        }
    }

    /// Bind the variables of a parameter. Those whose types are marked unique may be consumed.
    pub fn bind_param(&mut self, pat: &Pat) {
        self.bind_param_of(pat, &pat.ty);
    }

    fn bind_param_of(&mut self, pat: &Pat, ty: &Ty) {
        match &pat.kind {
            PatKind::Var(v) => {
                let owned = types::has_unique(ty);
                self.declare(*v, ty, &Aliases::fresh(ty), Via::Own, owned, Binding::Param(ty.clone()));
            }
            PatKind::Record(fields) => {
                for (f, p) in fields {
                    // The marks may stand on the pattern around it.
                    let ty = ty.field(*f).filter(|t| types::has_unique(t)).unwrap_or(&p.ty);
                    self.bind_param_of(p, ty);
                }
            }
            PatKind::Constr(_, pats) => pats.iter().for_each(|p| self.bind_param_of(p, &p.ty)),
            PatKind::Opened(_, p) => self.bind_param_of(p, ty),
            PatKind::Wildcard | PatKind::Lit(_) => {}
        }
    }

    pub fn leave_pat(&mut self, pat: &Pat) {
        each_var(pat, &mut |v, _| self.leave(v));
    }
}

/// Mark the results of functions unique where the functions that are bound are known to return
/// what is fresh.
fn refine_pat(pat: &mut Pat, aliases: &Aliases) {
    aliases.refine(&mut pat.ty);
    match (&mut pat.kind, aliases) {
        (PatKind::Record(fields), _) => {
            fields.iter_mut().for_each(|(f, p)| refine_pat(p, &aliases.field(*f, &p.ty)));
        }
        (PatKind::Constr(c, pats), Aliases::Sum(constrs)) => {
            if let Some((_, parts)) = constrs.iter().find(|(d, _)| d == c) {
                pats.iter_mut().zip(parts).for_each(|(p, a)| refine_pat(p, a));
            }
        }
        (PatKind::Opened(_, p), _) => refine_pat(p, aliases),
        (PatKind::Var(_) | PatKind::Wildcard | PatKind::Lit(_) | PatKind::Constr(..), _) => {}
    }
}

/// Call `visit` with each variable of a pattern and its type.
pub(super) fn each_var(pat: &Pat, visit: &mut impl FnMut(VarId, &Ty)) {
    match &pat.kind {
        PatKind::Var(v) => visit(*v, &pat.ty),
        PatKind::Record(fields) => fields.iter().for_each(|(_, p)| each_var(p, visit)),
        PatKind::Constr(_, pats) => pats.iter().for_each(|p| each_var(p, visit)),
        PatKind::Opened(_, p) => each_var(p, visit),
        PatKind::Wildcard | PatKind::Lit(_) => {}
    }
}
