//! Patterns with sizes: types of their parts, the sizes that they bind, and the values of literals.
//!
//! ```text
//! let [n] (xs: [n]f32) = e      n is flexible while the pattern is compared with the type of e, and then stands for that size
//! match s case #some xs         xs has the type of the payload; a size that only the payload has comes into existence here
//! ```
//!
//! Literals are evaluated at their inferred types, and refused if they do not fit: `300u8`, or a float that overflows.

use super::{Constraint, InstKind, Sizer};
use crate::infer::Why;
use crate::infer::meta::constrs_of;
use crate::subst;
use crate::typed::{Lit, Pat, PatKind};
use crate::types::{self, Size, Ty, TyIdKind, TyKind, VarId};
use norn_base::{Diagnostic, Symbol, codes};
use norn_syntax::ast;
use rustc_hash::FxHashMap;

/// A size bound by `let [n]`, and the size that stands for it while the pattern is compared.
pub(super) type BoundSizes = FxHashMap<VarId, Size>;

impl Sizer<'_> {
    /// A pattern for a value of type `t`, or of the type that was inferred for it. Its variables
    /// come into scope.
    pub(super) fn pattern(&mut self, p: &ast::Pat, t: Option<&Ty>, sizes: &BoundSizes) -> Pat {
        let kind = match &p.kind {
            ast::PatKind::Name(_) => {
                let t = t.cloned().unwrap_or_else(|| self.inferred(p.id, InstKind::Local, p.span));
                return self.name_pattern(p.id, t, p.span);
            }
            ast::PatKind::Wildcard | ast::PatKind::Error => {
                let t = t.cloned().unwrap_or_else(|| self.inferred(p.id, InstKind::Local, p.span));
                return Pat { kind: PatKind::Wildcard, ty: t, span: p.span };
            }
            ast::PatKind::Parens(inner) | ast::PatKind::Attr(_, inner) => {
                let mut inner = self.pattern(inner, t, sizes);
                inner.span = p.span;
                return inner;
            }
            ast::PatKind::Tuple(ps) => {
                let parts = ps
                    .iter()
                    .enumerate()
                    .map(|(i, p)| {
                        let f = Symbol::tuple_field(i);
                        (f, self.pattern(p, part_type(t, f).as_ref(), sizes))
                    })
                    .collect();
                PatKind::Record(parts)
            }
            ast::PatKind::Record(fields) => {
                let mut parts: Vec<(Symbol, Pat)> = Vec::new();
                for f in fields {
                    let part = part_type(t, f.name.name);
                    let pat = match &f.pat {
                        Some(p) => self.pattern(p, part.as_ref(), sizes),
                        None => {
                            let t = part.unwrap_or_else(|| self.inferred(f.id, InstKind::Local, f.name.span));
                            self.name_pattern(f.id, t, f.name.span)
                        }
                    };
                    parts.push((f.name.name, pat));
                }
                parts.sort_by_key(|(f, _)| *f);
                PatKind::Record(parts)
            }
            ast::PatKind::Lit(lit) => {
                let ty = self.inferred(p.id, InstKind::Local, p.span);
                let kind = match self.literal(&lit.lit, lit.negated, &ty, p.span) {
                    Some(lit) => PatKind::Lit(lit),
                    None => PatKind::Wildcard,
                };
                return Pat { kind, ty, span: p.span };
            }
            ast::PatKind::Constr(c, ps) => return self.constr_pattern(p, c.name, ps, t, sizes),
            ast::PatKind::Ascript(inner, te) => {
                let (declared, _) = self.flexible_type(te);
                if let Some(outer) = t {
                    let comparable = subst::apply_sizes(sizes, &types::plain(&declared));
                    self.unify(p.span, Why::PatternAscribed(te.span), &comparable, &types::plain(outer));
                }
                let mut inner = self.pattern(inner, Some(&declared), sizes);
                inner.span = p.span;
                return inner;
            }
        };
        let ty = match &kind {
            PatKind::Record(parts) => {
                Ty::new(TyKind::Record(parts.iter().map(|(f, p)| (*f, p.ty.clone())).collect()))
            }
            _ => types::error(),
        };
        Pat { kind, ty, span: p.span }
    }

    fn name_pattern(&mut self, id: ast::NodeId, t: Ty, span: norn_base::Span) -> Pat {
        match self.cx.tables.binders.get(id).copied() {
            Some(var) => {
                self.bind_var(var, types::plain(&t));
                Pat { kind: PatKind::Var(var), ty: t, span }
            }
            None => Pat { kind: PatKind::Wildcard, ty: t, span },
        }
    }

    fn constr_pattern(
        &mut self,
        p: &ast::Pat,
        c: Symbol,
        ps: &[ast::Pat],
        t: Option<&Ty>,
        sizes: &BoundSizes,
    ) -> Pat {
        let t = t.cloned().unwrap_or_else(|| self.inferred(p.id, InstKind::Local, p.span));
        let plain = types::plain(&t);
        let payload = constrs_of(&mut self.cx.names, &plain)
            .and_then(|cs| cs.into_iter().find(|(d, _)| *d == c))
            .map(|(_, ts)| ts);
        let recursive =
            matches!(&*plain, TyKind::Con(id, _) if matches!(self.cx.names.ty(*id).kind, TyIdKind::Rec(_)));
        let mut opened = Vec::new();
        let parts = ps
            .iter()
            .enumerate()
            .map(|(i, p)| {
                let mut part = payload.as_ref().and_then(|ts| ts.get(i)).cloned();
                if recursive && let Some(t) = part {
                    let (t, exts) = self.open(&t, p.span);
                    opened.extend(exts);
                    part = Some(t);
                }
                self.pattern(p, part.as_ref(), sizes)
            })
            .collect();
        let pat = Pat { kind: PatKind::Constr(c, parts), ty: t.clone(), span: p.span };
        if opened.is_empty() {
            pat
        } else {
            Pat { kind: PatKind::Opened(opened, Box::new(pat)), ty: t, span: p.span }
        }
    }

    /// The value of a literal at its type; complains if it does not fit.
    pub(super) fn literal(
        &mut self,
        lit: &ast::Lit,
        negated: bool,
        t: &Ty,
        span: norn_base::Span,
    ) -> Option<Lit> {
        let TyKind::Prim(prim) = &**t else { return None };
        let prim = *prim;
        let sign = if negated { -1.0 } else { 1.0 };
        match lit {
            ast::Lit::Bool(b) => Some(Lit::Bool(*b)),
            ast::Lit::Char(c) => self.int_literal(Some(*c as u128), negated, false, prim, span),
            ast::Lit::Int { value, suffix } => {
                self.int_literal(*value, negated, suffix.is_some(), prim, span)
            }
            ast::Lit::Float { value, .. } => {
                if value.is_finite() && float_overflows(*value, prim) || value.is_infinite() {
                    self.out_of_range(prim, span);
                }
                Some(Lit::Float(prim, sign * value))
            }
            ast::Lit::Str(_) => None,
        }
    }

    fn int_literal(
        &mut self,
        value: Option<u128>,
        negated: bool,
        suffixed: bool,
        prim: types::Prim,
        span: norn_base::Span,
    ) -> Option<Lit> {
        let sign = if negated { -1.0 } else { 1.0 };
        let Some(value) = value else {
            self.out_of_range(prim, span);
            return Some(Lit::Int(prim, 0));
        };
        if prim.is_float() {
            if float_overflows(value as f64, prim) {
                self.out_of_range(prim, span);
            }
            return Some(Lit::Float(prim, sign * value as f64));
        }
        let bits = prim.bits();
        let limit: u128 = match (prim.is_signed(), negated) {
            // With a suffix the low bits count: `0xffi8` is -1.
            (_, _) if suffixed => 1 << bits,
            (true, true) => (1 << (bits - 1)) + 1,
            (true, false) => 1 << (bits - 1),
            (false, false) => 1 << bits,
            (false, true) => 1,
        };
        if value >= limit && suffixed {
            self.cx.warning(Diagnostic::warning(
                codes::LITERAL_CUT_OFF,
                span,
                format!("The literal has more bits than {}, so only the low ones count.", prim.name()),
            ));
        } else if value >= limit {
            self.out_of_range(prim, span);
            return Some(Lit::Int(prim, 0));
        }
        let v = if negated { (value as i128).wrapping_neg() } else { value as i128 };
        let modulus = 1i128 << bits;
        let mut v = v.rem_euclid(modulus);
        if prim.is_signed() && v >= modulus / 2 {
            v -= modulus;
        }
        Some(Lit::Int(prim, v))
    }

    fn out_of_range(&mut self, prim: types::Prim, span: norn_base::Span) {
        let range = match prim {
            p if p.is_float() => format!("the largest {} is smaller", p.name()),
            p if p.is_signed() => {
                let half = 1i128 << (p.bits() - 1);
                format!("{} goes from {} to {}", p.name(), -half, half - 1)
            }
            p => format!("{} goes from 0 to {}", p.name(), (1i128 << p.bits()) - 1),
        };
        self.fail(
            Diagnostic::error(
                codes::LITERAL_OUT_OF_RANGE,
                span,
                format!("The literal does not fit its type, which is {}.", prim.name()),
            )
            .note(range),
        );
    }

    /// The sizes that a `let` binds, as flexible stand-ins.
    pub(super) fn stand_ins(&mut self, binders: &[ast::SizeBinder]) -> (Vec<VarId>, BoundSizes) {
        let mut vars = Vec::new();
        let mut sizes = BoundSizes::default();
        for b in binders {
            let Some(var) = self.cx.tables.binders.get(b.id).copied() else { continue };
            self.bind_var(var, self.i64());
            let stand_in =
                self.new_size(b.name.name.as_str(), b.span, Constraint::Flex(None), "this size binder");
            sizes.insert(var, Size::Var(stand_in));
            vars.push(var);
        }
        (vars, sizes)
    }
}

/// The type of a field of a pattern's value, marks of uniqueness included.
fn part_type(t: Option<&Ty>, field: Symbol) -> Option<Ty> {
    t.and_then(|t| t.field(field).cloned())
}

fn float_overflows(v: f64, prim: types::Prim) -> bool {
    match prim {
        // The largest f16 is 65504, and what is nearer to it than to the next number would be rounded to it.
        types::Prim::F16 => v.abs() >= 65520.0,
        types::Prim::F32 => v.is_finite() && (v as f32).is_infinite(),
        _ => v.is_infinite(),
    }
}

/// The variables that a pattern binds.
pub(super) fn pattern_vars(p: &Pat) -> Vec<VarId> {
    fn go(p: &Pat, out: &mut Vec<VarId>) {
        match &p.kind {
            PatKind::Var(v) => out.push(*v),
            PatKind::Wildcard | PatKind::Lit(_) => {}
            PatKind::Record(parts) => parts.iter().for_each(|(_, p)| go(p, out)),
            PatKind::Constr(_, ps) => ps.iter().for_each(|p| go(p, out)),
            PatKind::Opened(vars, p) => {
                out.extend(vars);
                go(p, out);
            }
        }
    }
    let mut out = Vec::new();
    go(p, &mut out);
    out
}
