//! Declarations of a file: the one whose name stands at a place, and its documentation comment.

use norn_base::Span;
use norn_syntax::ast::{
    Dec, DecKind, Doc, ModExp, ModExpKind, ModTypeExp, ModTypeExpKind, Prog, Spec, SpecKind,
};

/// A declaration or a specification.
#[derive(Clone, Copy)]
pub struct Declared<'a> {
    pub doc: Option<&'a Doc>,
    /// From the keyword to the end.
    pub span: Span,
}

/// The declaration of the name that stands exactly here.
pub fn find(tree: &Prog, name: Span) -> Option<Declared<'_>> {
    in_decs(&tree.decs, name)
}

fn in_decs(decs: &[Dec], name: Span) -> Option<Declared<'_>> {
    decs.iter()
        .filter(|d| d.span.lo <= name.lo && name.hi <= d.span.hi)
        .find_map(|d| in_dec(d, d.doc.as_ref(), name))
}

fn in_dec<'a>(d: &'a Dec, doc: Option<&'a Doc>, name: Span) -> Option<Declared<'a>> {
    let found = |span| Some(Declared { doc, span });
    match &d.kind {
        DecKind::Vals(group) => found(group.iter().find(|vb| vb.name.span == name)?.span),
        DecKind::Types(group) => found(group.iter().find(|tb| tb.name.span == name)?.span),
        DecKind::Mod(m) if m.name.span == name => found(m.span),
        DecKind::Mod(m) => {
            let specs = m.params.iter().map(|p| &p.sig).chain(&m.sig);
            specs.into_iter().find_map(|sig| in_mod_type(sig, name)).or_else(|| in_mod(&m.body, name))
        }
        DecKind::ModType(m) if m.name.span == name => found(m.span),
        DecKind::ModType(m) => in_mod_type(&m.body, name),
        DecKind::Open(m) => in_mod(m, name),
        DecKind::Local(inner) => in_dec(inner, doc.or(inner.doc.as_ref()), name),
        DecKind::Import(_) | DecKind::Error => None,
    }
}

fn in_mod(m: &ModExp, name: Span) -> Option<Declared<'_>> {
    match &m.kind {
        ModExpKind::Decs(decs) => in_decs(decs, name),
        ModExpKind::Parens(m) => in_mod(m, name),
        ModExpKind::Lambda(p, sig, m) => {
            let sigs = [Some(&p.sig), sig.as_deref()];
            sigs.into_iter().flatten().find_map(|s| in_mod_type(s, name)).or_else(|| in_mod(m, name))
        }
        ModExpKind::Ascript(m, sig) => in_mod_type(sig, name).or_else(|| in_mod(m, name)),
        ModExpKind::Apply(f, arg) => in_mod(f, name).or_else(|| in_mod(arg, name)),
        ModExpKind::Var(_) | ModExpKind::Import(_) | ModExpKind::Error => None,
    }
}

fn in_mod_type(m: &ModTypeExp, name: Span) -> Option<Declared<'_>> {
    match &m.kind {
        ModTypeExpKind::Specs(specs) => specs.iter().find_map(|s| in_spec(s, name)),
        ModTypeExpKind::Parens(m) | ModTypeExpKind::With(m, _) => in_mod_type(m, name),
        ModTypeExpKind::Arrow(_, a, b) => in_mod_type(a, name).or_else(|| in_mod_type(b, name)),
        ModTypeExpKind::Var(_) | ModTypeExpKind::Error => None,
    }
}

fn in_spec(s: &Spec, name: Span) -> Option<Declared<'_>> {
    let own = match &s.kind {
        SpecKind::Val { name, .. } | SpecKind::AbstractType { name, .. } => name.span,
        SpecKind::TypeAbbr(tb) => tb.name.span,
        SpecKind::Mod { name: own, sig } => {
            if own.span != name {
                return in_mod_type(sig, name);
            }
            own.span
        }
        SpecKind::Include(sig) => return in_mod_type(sig, name),
        SpecKind::Error => return None,
    };
    (own == name).then_some(Declared { doc: s.doc.as_ref(), span: s.span })
}
