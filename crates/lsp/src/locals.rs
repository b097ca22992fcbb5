//! The names that are bound inside a definition, as seen from a place in it.

use norn_syntax::ast::{Exp, ExpKind, Ident, LoopForm, Pat, PatKind, Prog, TypeParam};

/// Local names in scope at a byte of the text, the innermost last.
pub fn at(tree: &Prog, offset: u32) -> Vec<Ident> {
    let mut names = Vec::new();
    tree.each_binding(&mut |vb| {
        if vb.span.lo <= offset && offset <= vb.span.hi {
            tparams(&vb.tparams, &mut names);
            vb.params.iter().for_each(|p| pat(p, &mut names));
            exp(&vb.body, offset, &mut names);
        }
    });
    names
}

fn exp(e: &Exp, offset: u32, names: &mut Vec<Ident>) {
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
            ExpKind::LetFun(f) => {
                if covers(&f.body) || offset > f.def.span.hi {
                    names.push(f.name);
                    inner = Some(&f.body);
                } else {
                    tparams(&f.tparams, names);
                    f.params.iter().for_each(|p| pat(p, names));
                }
            }
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
