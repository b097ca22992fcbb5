//! Visiting the parts of the typed tree, so that a pass says only what it does with the few parts
//! it cares about.

use crate::typed::{Arg, Case, DimIndex, Exp, ExpKind, Fun, LoopForm, Pat, PatKind, Step};
use crate::types::{RetTy, Ty};

/// The direct subexpressions, in order of evaluation as it is written.
pub fn each_child<'a>(e: &'a Exp, f: &mut dyn FnMut(&'a Exp)) {
    match &e.kind {
        ExpKind::Lit(_) | ExpKind::Str(_) | ExpKind::Var(_) | ExpKind::Hole | ExpKind::Error => {}
        ExpKind::Parens(x)
        | ExpKind::Project(x, _)
        | ExpKind::Negate(x)
        | ExpKind::Not(x)
        | ExpKind::Ascript(x)
        | ExpKind::Coerce(x)
        | ExpKind::Attr(_, x)
        | ExpKind::Lambda { body: x, .. } => f(x),
        ExpKind::Record(fields) => fields.iter().for_each(|(_, x)| f(x)),
        ExpKind::Array(xs) | ExpKind::Constr(_, xs) => xs.iter().for_each(f),
        ExpKind::Index(x, dims) => {
            f(x);
            dims.iter().for_each(|d| each_in_dim(d, f));
        }
        ExpKind::Apply(x, args) => {
            f(x);
            args.iter().for_each(|a| f(&a.exp));
        }
        ExpKind::BinOp(op, l, r) => {
            f(op);
            f(&l.exp);
            f(&r.exp);
        }
        ExpKind::LeftSection(op, x) | ExpKind::RightSection(op, x) => {
            f(op);
            f(&x.exp);
        }
        ExpKind::ProjSection(steps) => steps.iter().for_each(|s| each_in_step(s, f)),
        ExpKind::Range { start, second, end, .. } => {
            f(start);
            if let Some(s) = second {
                f(s);
            }
            f(end);
        }
        ExpKind::If(c, a, b) => {
            f(c);
            f(a);
            f(b);
        }
        ExpKind::LetPat { bound, body, .. } => {
            f(bound);
            f(body);
        }
        ExpKind::LetFun { fun, body, .. } => {
            f(&fun.body);
            f(body);
        }
        ExpKind::LetWith { steps, value, body, .. } => {
            steps.iter().for_each(|s| each_in_step(s, f));
            f(value);
            f(body);
        }
        ExpKind::Loop(l) => {
            f(&l.init);
            match &l.form {
                LoopForm::For(_, x) | LoopForm::ForIn(_, x) | LoopForm::While(x) => f(x),
            }
            f(&l.body);
        }
        ExpKind::Match(x, cases) => {
            f(x);
            cases.iter().for_each(|c| f(&c.body));
        }
        ExpKind::Assert(c, x) => {
            f(c);
            f(x);
        }
        ExpKind::Update(x, steps, v) => {
            f(x);
            steps.iter().for_each(|s| each_in_step(s, f));
            f(v);
        }
    }
}

fn each_in_dim<'a>(d: &'a DimIndex, f: &mut dyn FnMut(&'a Exp)) {
    match d {
        DimIndex::Fix(x) => f(x),
        DimIndex::Slice { start, end, stride } => [start, end, stride].into_iter().flatten().for_each(f),
    }
}

fn each_in_step<'a>(s: &'a Step, f: &mut dyn FnMut(&'a Exp)) {
    match s {
        Step::Field(_) => {}
        Step::Index(dims) => dims.iter().for_each(|d| each_in_dim(d, f)),
    }
}

/// Rewrites the types of a tree in place.
pub trait MapTypes {
    /// The type of an expression or pattern.
    fn ty(&mut self, t: &mut Ty);
    /// The result of a function.
    fn ret(&mut self, r: &mut RetTy);
}

pub fn map_fun(m: &mut dyn MapTypes, fun: &mut Fun) {
    fun.params.iter_mut().for_each(|p| map_pat(m, p));
    m.ret(&mut fun.ret);
    map_exp(m, &mut fun.body);
}

pub fn map_pat(m: &mut dyn MapTypes, p: &mut Pat) {
    m.ty(&mut p.ty);
    match &mut p.kind {
        PatKind::Var(_) | PatKind::Wildcard | PatKind::Lit(_) => {}
        PatKind::Record(parts) => parts.iter_mut().for_each(|(_, p)| map_pat(m, p)),
        PatKind::Constr(_, ps) => ps.iter_mut().for_each(|p| map_pat(m, p)),
        PatKind::Opened(_, p) => map_pat(m, p),
    }
}

pub fn map_exp(m: &mut dyn MapTypes, e: &mut Exp) {
    m.ty(&mut e.ty);
    match &mut e.kind {
        ExpKind::Lit(_) | ExpKind::Str(_) | ExpKind::Var(_) | ExpKind::Hole | ExpKind::Error => {}
        ExpKind::Parens(x)
        | ExpKind::Project(x, _)
        | ExpKind::Negate(x)
        | ExpKind::Not(x)
        | ExpKind::Ascript(x)
        | ExpKind::Coerce(x)
        | ExpKind::Attr(_, x) => map_exp(m, x),
        ExpKind::Lambda { params, body, ret, .. } => {
            params.iter_mut().for_each(|p| map_pat(m, p));
            map_exp(m, body);
            m.ret(ret);
        }
        ExpKind::Record(fields) => fields.iter_mut().for_each(|(_, x)| map_exp(m, x)),
        ExpKind::Array(xs) | ExpKind::Constr(_, xs) => xs.iter_mut().for_each(|x| map_exp(m, x)),
        ExpKind::Index(x, dims) => {
            map_exp(m, x);
            dims.iter_mut().for_each(|d| map_dim(m, d));
        }
        ExpKind::Apply(x, args) => {
            map_exp(m, x);
            args.iter_mut().for_each(|a| map_arg(m, a));
        }
        ExpKind::BinOp(op, l, r) => {
            map_exp(m, op);
            map_arg(m, l);
            map_arg(m, r);
        }
        ExpKind::LeftSection(op, x) | ExpKind::RightSection(op, x) => {
            map_exp(m, op);
            map_arg(m, x);
        }
        ExpKind::ProjSection(steps) => steps.iter_mut().for_each(|s| map_step(m, s)),
        ExpKind::Range { start, second, end, .. } => {
            map_exp(m, start);
            if let Some(s) = second {
                map_exp(m, s);
            }
            map_exp(m, end);
        }
        ExpKind::If(c, a, b) => [c, a, b].into_iter().for_each(|x| map_exp(m, x)),
        ExpKind::LetPat { pat, bound, body, .. } => {
            map_pat(m, pat);
            map_exp(m, bound);
            map_exp(m, body);
        }
        ExpKind::LetFun { fun, body, .. } => {
            map_fun(m, fun);
            map_exp(m, body);
        }
        ExpKind::LetWith { source_ty, steps, value, body, .. } => {
            m.ty(source_ty);
            steps.iter_mut().for_each(|s| map_step(m, s));
            map_exp(m, value);
            map_exp(m, body);
        }
        ExpKind::Loop(l) => {
            map_pat(m, &mut l.pat);
            map_exp(m, &mut l.init);
            match &mut l.form {
                LoopForm::For(_, x) | LoopForm::While(x) => map_exp(m, x),
                LoopForm::ForIn(p, x) => {
                    map_pat(m, p);
                    map_exp(m, x);
                }
            }
            map_exp(m, &mut l.body);
        }
        ExpKind::Match(x, cases) => {
            map_exp(m, x);
            for Case { pat, body, .. } in cases {
                map_pat(m, pat);
                map_exp(m, body);
            }
        }
        ExpKind::Assert(c, x) => {
            map_exp(m, c);
            map_exp(m, x);
        }
        ExpKind::Update(x, steps, v) => {
            map_exp(m, x);
            steps.iter_mut().for_each(|s| map_step(m, s));
            map_exp(m, v);
        }
    }
}

fn map_arg(m: &mut dyn MapTypes, a: &mut Arg) {
    map_exp(m, &mut a.exp);
}

fn map_dim(m: &mut dyn MapTypes, d: &mut DimIndex) {
    match d {
        DimIndex::Fix(x) => map_exp(m, x),
        DimIndex::Slice { start, end, stride } => {
            [start, end, stride].into_iter().flatten().for_each(|x| map_exp(m, x));
        }
    }
}

fn map_step(m: &mut dyn MapTypes, s: &mut Step) {
    match s {
        Step::Field(_) => {}
        Step::Index(dims) => dims.iter_mut().for_each(|d| map_dim(m, d)),
    }
}
