//! Which variables an expression mentions: as values, and in the sizes of types.

use norn_base::Symbol;
use norn_check::typed::{Exp, ExpKind, Fun, LoopForm, Pat, PatKind};
use norn_check::types::{Size, Ty, TyArg, TyKind, VarId};
use norn_check::walk::each_child;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Whether any of these names occurs as a value.
pub fn mentions(e: &Exp, names: &FxHashSet<VarId>) -> bool {
    if let ExpKind::Var(v) = &e.kind
        && names.contains(v)
    {
        return true;
    }
    let mut found = false;
    each_child(e, &mut |x| found = found || mentions(x, names));
    found
}

/// What an expression mentions.
#[derive(Default)]
pub struct Mentioned {
    /// Variables, those that the expression binds itself included.
    pub whole: FxHashSet<VarId>,
    /// Variables of which a field is mentioned.
    pub fields: FxHashMap<VarId, BTreeSet<Symbol>>,
}

pub fn all_in_exp(e: &Exp, out: &mut Mentioned) {
    match &e.kind {
        ExpKind::Var(v) => {
            out.whole.insert(*v);
        }
        ExpKind::Project(x, field) => {
            if let ExpKind::Var(v) = &x.bare().kind {
                out.fields.entry(*v).or_default().insert(*field);
                return all_in_type(&e.ty, &mut out.whole);
            }
        }
        ExpKind::LetWith { source, source_ty, .. } => {
            out.whole.insert(*source);
            all_in_type(source_ty, &mut out.whole);
        }
        ExpKind::Lambda { params, ret, .. } => {
            params.iter().for_each(|p| all_in_pat(p, out));
            all_in_type(&ret.ty, &mut out.whole);
        }
        ExpKind::LetFun { fun, .. } => all_in_signature(fun, out),
        ExpKind::LetPat { pat, .. } => all_in_pat(pat, out),
        ExpKind::Loop(l) => {
            all_in_pat(&l.pat, out);
            if let LoopForm::ForIn(p, _) = &l.form {
                all_in_pat(p, out);
            }
        }
        ExpKind::Match(_, cases) => cases.iter().for_each(|c| all_in_pat(&c.pat, out)),
        ExpKind::Lit(_)
        | ExpKind::Str(_)
        | ExpKind::Hole
        | ExpKind::Parens(_)
        | ExpKind::Record(_)
        | ExpKind::Array(_)
        | ExpKind::Index(..)
        | ExpKind::Apply(..)
        | ExpKind::BinOp(..)
        | ExpKind::LeftSection(..)
        | ExpKind::RightSection(..)
        | ExpKind::ProjSection(_)
        | ExpKind::Constr(..)
        | ExpKind::Negate(_)
        | ExpKind::Not(_)
        | ExpKind::Ascript(_)
        | ExpKind::Coerce(_)
        | ExpKind::Range { .. }
        | ExpKind::If(..)
        | ExpKind::Assert(..)
        | ExpKind::Update(..)
        | ExpKind::Attr(..)
        | ExpKind::Error => {}
    }
    all_in_type(&e.ty, &mut out.whole);
    each_child(e, &mut |x| all_in_exp(x, out));
}

pub fn all_in_signature(fun: &Fun, out: &mut Mentioned) {
    fun.params.iter().for_each(|p| all_in_pat(p, out));
    all_in_type(&fun.ret.ty, &mut out.whole);
}

pub fn all_in_pat(p: &Pat, out: &mut Mentioned) {
    all_in_type(&p.ty, &mut out.whole);
    match &p.kind {
        PatKind::Var(_) | PatKind::Wildcard | PatKind::Lit(_) => {}
        PatKind::Record(parts) => parts.iter().for_each(|(_, p)| all_in_pat(p, out)),
        PatKind::Constr(_, ps) => ps.iter().for_each(|p| all_in_pat(p, out)),
        PatKind::Opened(_, p) => all_in_pat(p, out),
    }
}

fn all_in_type(t: &Ty, out: &mut FxHashSet<VarId>) {
    match &**t {
        TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => {}
        TyKind::Con(_, args) => args.iter().for_each(|a| match a {
            TyArg::Size(s) => all_in_size(s, out),
            TyArg::Type(t) => all_in_type(t, out),
        }),
        TyKind::Array(s, t) => {
            all_in_size(s, out);
            all_in_type(t, out);
        }
        TyKind::Record(fields) => fields.iter().for_each(|(_, t)| all_in_type(t, out)),
        TyKind::Sum(cs) => cs.iter().flat_map(|(_, ts)| ts).for_each(|t| all_in_type(t, out)),
        TyKind::Arrow(a) => {
            all_in_type(&a.arg, out);
            all_in_type(&a.ret.ty, out);
        }
        TyKind::Unique(t) => all_in_type(t, out),
    }
}

fn all_in_size(s: &Size, out: &mut FxHashSet<VarId>) {
    match s {
        Size::Var(v) => {
            out.insert(*v);
        }
        Size::Term(t) => t.args.iter().for_each(|a| all_in_size(a, out)),
        Size::Const(_) | Size::Irregular | Size::Any => {}
    }
}
