//! The names that are bound inside a definition, as seen from a place in it.

use norn_base::Span;
use norn_syntax::ast::{
    DecKind, Exp, ExpKind, Ident, LoopForm, Pat, PatKind, Prog, QualName, SpecKind, TypeArg, TypeExp,
    TypeExpKind, TypeParam,
};

/// Names that are in scope at a byte of the text and that no block declares before it, the innermost last: parameters, what expressions and types bind, and
/// those that are being defined, if they may mention themselves. With them, the modules whose names an expression opens.
#[derive(Default)]
pub struct Locals<'a> {
    pub names: Vec<Ident>,
    pub opened: Vec<&'a QualName>,
}

pub fn at(tree: &Prog, offset: u32) -> Locals<'_> {
    let mut locals = Locals::default();
    let covers = |span: Span| span.lo <= offset && offset <= span.hi;
    tree.each_dec(&mut |d| match &d.kind {
        DecKind::Vals(group) if covers(d.span) => {
            locals.names.extend(group.iter().map(|vb| vb.name));
            for vb in group.iter().filter(|vb| covers(vb.span)) {
                tparams(&vb.tparams, &mut locals.names);
                vb.params.iter().for_each(|p| pat(p, &mut locals.names));
                vb.params.iter().for_each(|p| types_in_pat(p, offset, &mut locals.names));
                vb.ret.iter().for_each(|t| type_exp(t, offset, &mut locals.names));
                exp(&vb.body, offset, &mut locals);
            }
        }
        DecKind::Types(group) if covers(d.span) => {
            locals.names.extend(group.iter().filter(|tb| tb.recursive || group.len() > 1).map(|tb| tb.name));
            for tb in group.iter().filter(|tb| covers(tb.span)) {
                tparams(&tb.params, &mut locals.names);
                type_exp(&tb.body, offset, &mut locals.names);
            }
        }
        _ => {}
    });
    tree.each_spec(&mut |s| match &s.kind {
        SpecKind::Val { tparams: params, ty, .. } if covers(s.span) => {
            tparams(params, &mut locals.names);
            type_exp(ty, offset, &mut locals.names);
        }
        SpecKind::TypeAbbr(tb) if covers(s.span) => tparams(&tb.params, &mut locals.names),
        _ => {}
    });
    locals
}

/// The names that a type binds: sizes that exist, and parameters of functions.
fn type_exp(t: &TypeExp, offset: u32, names: &mut Vec<Ident>) {
    if !(t.span.lo <= offset && offset <= t.span.hi) {
        return;
    }
    let mut inside = |t: &TypeExp| type_exp(t, offset, names);
    match &t.kind {
        TypeExpKind::Var(_) | TypeExpKind::Error => {}
        TypeExpKind::Parens(t) | TypeExpKind::Array(_, t) | TypeExpKind::Unique(t) => inside(t),
        TypeExpKind::Tuple(ts) => ts.iter().for_each(inside),
        TypeExpKind::Record(fields) => fields.iter().for_each(|(_, t)| inside(t)),
        TypeExpKind::Sum(constrs) => constrs.iter().flat_map(|(_, ts)| ts).for_each(inside),
        TypeExpKind::Apply(t, arg) => {
            inside(t);
            if let TypeArg::Type(t) = arg {
                inside(t);
            }
        }
        TypeExpKind::Arrow(name, arg, ret) => {
            inside(arg);
            names.extend(name.filter(|_| offset >= ret.span.lo));
            type_exp(ret, offset, names);
        }
        TypeExpKind::Exists(sizes, t) => {
            names.extend(sizes.iter().map(|s| s.name));
            type_exp(t, offset, names);
        }
    }
}

fn types_in_pat(p: &Pat, offset: u32, names: &mut Vec<Ident>) {
    match &p.kind {
        PatKind::Ascript(p, t) => {
            type_exp(t, offset, names);
            types_in_pat(p, offset, names);
        }
        PatKind::Parens(p) | PatKind::Attr(_, p) => types_in_pat(p, offset, names),
        PatKind::Tuple(ps) | PatKind::Constr(_, ps) => ps.iter().for_each(|p| types_in_pat(p, offset, names)),
        PatKind::Record(fields) => {
            fields.iter().filter_map(|f| f.pat.as_ref()).for_each(|p| types_in_pat(p, offset, names));
        }
        PatKind::Name(_) | PatKind::Wildcard | PatKind::Lit(_) | PatKind::Error => {}
    }
}

fn exp<'a>(e: &'a Exp, offset: u32, locals: &mut Locals<'a>) {
    let Locals { names, opened } = locals;
    let covers = |e: &Exp| e.span.lo <= offset && offset <= e.span.hi;
    let mut next = Some(e);
    while let Some(e) = next {
        let mut inner = e.parts().into_iter().rev().find(|part| covers(part));
        match &e.kind {
            // What is bound is in scope of the last part, even if nothing is written there yet.
            ExpKind::LetPat { sizes, pat: p, bound, body } if offset > bound.span.hi || covers(body) => {
                names.extend(sizes.iter().map(|s| s.name));
                pat(p, names);
            }
            ExpKind::LetPat { sizes, pat: p, .. } if p.span.lo <= offset && offset <= p.span.hi => {
                names.extend(sizes.iter().map(|s| s.name));
            }
            ExpKind::LetFun(f) => {
                if covers(&f.body) || offset > f.def.span.hi {
                    names.push(f.name);
                    inner = Some(&f.body);
                } else {
                    tparams(&f.tparams, names);
                    f.params.iter().for_each(|p| pat(p, names));
                }
            }
            ExpKind::LetWith { name, body, .. } if covers(body) => names.push(*name),
            ExpKind::LocalOpen(module, _) => opened.push(module),
            ExpKind::Lambda { params, .. } => params.iter().for_each(|p| pat(p, names)),
            ExpKind::Loop(l) => {
                if l.init.as_ref().is_none_or(|init| !covers(init)) {
                    pat(&l.pat, names);
                }
                match &l.form {
                    LoopForm::For(name, _, bound) if !covers(bound) => names.push(*name),
                    LoopForm::ForIn(p, array) if !covers(array) => pat(p, names),
                    LoopForm::For(..) | LoopForm::ForIn(..) | LoopForm::While(_) => {}
                }
            }
            ExpKind::Match(scrutinee, cases) => {
                if !covers(scrutinee)
                    && let Some(case) = cases.iter().rev().find(|c| c.span.lo <= offset)
                {
                    pat(&case.pat, names);
                }
            }
            _ => {}
        }
        next = inner;
    }
}

fn tparams(params: &[TypeParam], names: &mut Vec<Ident>) {
    names.extend(params.iter().map(|p| p.name));
}

fn pat(p: &Pat, names: &mut Vec<Ident>) {
    match &p.kind {
        PatKind::Name(name) => names.push(*name),
        PatKind::Parens(p) | PatKind::Ascript(p, _) | PatKind::Attr(_, p) => pat(p, names),
        PatKind::Tuple(ps) | PatKind::Constr(_, ps) => ps.iter().for_each(|p| pat(p, names)),
        PatKind::Record(fields) => {
            for f in fields {
                match &f.pat {
                    Some(p) => pat(p, names),
                    None => names.push(f.name),
                }
            }
        }
        PatKind::Wildcard | PatKind::Lit(_) | PatKind::Error => {}
    }
}
