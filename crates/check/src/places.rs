//! What tools ask by place: which name stands there and what it means, and which type a piece of text has.
//!
//! The checker knows all of this while it works and forgets it again. If a tool asks (`Cx::places`), it is kept
//! here, once, as it comes up: a name when it is bound or resolved, types when a definition is done. So there is no second
//! checker for editors that could be of another opinion.
//!
//! A definition is known by the place of its name. Two places can be of one definition: a value of a module type, and the
//! value that implements it (`links`), or a name that is bound where another variable of that name is used (`shared`).

use crate::cx::Cx;
use crate::infer::meta::Metas;
use crate::scope::Place;
use crate::typed::{self, Fun};
use crate::types::{self, Ty, VarId};
use crate::walk::each_child;
use norn_base::Span;
use norn_syntax::ast::{self, LoopForm, ValBind};

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meant {
    Value(VarId),
    Type,
    Module(VarId),
    ModuleType,
}

/// A name in the text; where it is bound, both places are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    pub at: Span,
    /// Where it is defined.
    pub of: Span,
    pub meant: Meant,
}

#[derive(Clone, Default)]
pub struct Places {
    uses: Vec<Use>,
    types: Vec<(Span, Ty)>,
    scopes: Vec<(Span, Place)>,
    /// What is defined at the first place stands for what is defined at the second.
    links: Vec<(Span, Span)>,
    /// Places that one text is the name of.
    shared: Vec<(Span, Span)>,
}

impl Places {
    /// Put everything in order; nothing can be asked before.
    pub(crate) fn finish(&mut self) {
        // What was looked at twice was resolved better the second time.
        self.uses.reverse();
        self.uses.sort_by_key(|u| u.at);
        self.uses.dedup_by_key(|u| u.at);
        self.types.reverse();
        self.types.sort_by_key(|(span, _)| *span);
        self.types.dedup_by_key(|(span, _)| *span);
        self.scopes.sort_by_key(|(span, _)| *span);
        for pairs in [&mut self.links, &mut self.shared] {
            pairs.sort_unstable();
            pairs.dedup();
        }
    }

    /// Forget what is known of places, but not which definitions are one.
    pub(crate) fn clear(&mut self) {
        let (links, shared) = (std::mem::take(&mut self.links), std::mem::take(&mut self.shared));
        *self = Places { links, shared, ..Places::default() };
    }

    /// All names of the text, in its order.
    pub fn uses(&self) -> &[Use] {
        &self.uses
    }

    /// The name at an empty span, or right before it.
    pub fn use_at(&self, at: Span) -> Option<Use> {
        let after = self.uses.partition_point(|u| (u.at.file, u.at.lo) <= (at.file, at.lo));
        let found = self.uses[..after].iter().rev().take(2);
        found.copied().find(|u| u.at.file == at.file && at.lo <= u.at.hi)
    }

    /// The type of exactly this piece of text.
    pub fn type_of(&self, span: Span) -> Option<&Ty> {
        let i = self.types.binary_search_by_key(&span, |(span, _)| *span).ok()?;
        Some(&self.types[i].1)
    }

    /// The smallest piece of text around an empty span whose type is known.
    pub fn type_around(&self, at: Span) -> Option<(Span, &Ty)> {
        let after = self.types.partition_point(|(s, _)| (s.file, s.lo) <= (at.file, at.lo));
        let around = self.types[..after].iter().rev().filter(|(s, _)| s.file == at.file && at.lo <= s.hi);
        around.min_by_key(|(s, _)| s.hi - s.lo).map(|(s, t)| (*s, t))
    }

    /// The type of the largest piece of text that ends at an empty span.
    pub fn type_ending_at(&self, at: Span) -> Option<&Ty> {
        let ending = self.types.iter().filter(|(s, _)| s.file == at.file && s.hi == at.lo);
        ending.max_by_key(|(s, _)| s.hi - s.lo).map(|(_, t)| t)
    }

    /// All types that are known of the text.
    pub fn types(&self) -> impl Iterator<Item = &Ty> {
        self.types.iter().map(|(_, t)| t)
    }

    /// What is in scope of declarations that stand here.
    pub(crate) fn scope_at(&self, at: Span) -> Option<Place> {
        let after = self.scopes.partition_point(|(s, _)| (s.file, s.lo) <= (at.file, at.lo));
        let (span, place) = self.scopes[..after].last()?;
        (span.file == at.file).then_some(*place)
    }

    /// All places of a definition, given one of them.
    pub fn same_definition(&self, of: Span) -> Vec<Span> {
        let mut all = vec![of];
        let mut next = 0;
        while let Some(span) = all.get(next).copied() {
            next += 1;
            for (a, b) in self.links.iter().chain(&self.shared) {
                let other = match span {
                    s if s == *a => *b,
                    s if s == *b => *a,
                    _ => continue,
                };
                if !all.contains(&other) {
                    all.push(other);
                }
            }
        }
        all
    }

    /// Where what a name stands for is implemented, if that is one place.
    pub fn implementation(&self, of: Span) -> Span {
        let mut at = of;
        for _ in 0..self.links.len() {
            let mut targets =
                self.links.iter().filter(|(from, to)| *from == at && *to != at).map(|(_, to)| *to);
            match (targets.next(), targets.next()) {
                (Some(to), None) if to != of => at = to,
                _ => break,
            }
        }
        at
    }
}

impl Cx {
    pub(crate) fn note(&mut self, at: Span, of: Span, meant: Meant) {
        if let Some(places) = &mut self.places {
            places.uses.push(Use { at, of, meant });
        }
    }

    /// What is defined at one place is also what is defined at the other.
    pub(crate) fn note_link(&mut self, name: Span, stands_for: Span) {
        if let Some(places) = &mut self.places
            && name != stands_for
        {
            places.links.push((name, stands_for));
        }
    }

    /// One text is the name of what is defined at both places.
    pub(crate) fn note_shared(&mut self, one: Span, other: Span) {
        if let Some(places) = &mut self.places {
            places.shared.push((one, other));
        }
    }

    /// Here is what is in scope now.
    pub(crate) fn note_scope(&mut self, at: Span) {
        let place = self.scope.here();
        if let Some(places) = &mut self.places {
            places.scopes.push((at, place));
        }
    }

    /// The types of everything in a definition: with sizes if it was found to be right, else as far as inference came.
    pub(crate) fn note_types(&mut self, source: &ValBind, fun: Option<&Fun>, metas: &Metas) {
        let mut noted = std::mem::take(&mut self.places);
        if let Some(places) = &mut noted {
            let out = &mut places.types;
            match fun {
                Some(fun) => Typed { cx: self, out }.fun(fun),
                None => {
                    let mut inferred = Inferred { cx: self, metas, out };
                    source.params.iter().for_each(|p| inferred.pat(p));
                    inferred.exp(&source.body);
                }
            }
        }
        self.places = noted;
    }
}

/// Types as inference leaves them, of the surface tree.
struct Inferred<'a> {
    cx: &'a Cx,
    metas: &'a Metas,
    out: &'a mut Vec<(Span, Ty)>,
}

impl Inferred<'_> {
    fn add(&mut self, id: ast::NodeId, span: Span) {
        if let Some(t) = self.cx.tables.types.get(id) {
            let t = self.metas.resolve(t);
            self.out.push((span, types::plain(&t)));
        }
    }

    fn exp(&mut self, e: &ast::Exp) {
        // Chains are long, not deep: no recursion along them.
        let mut left = vec![e];
        while let Some(e) = left.pop() {
            match &e.kind {
                ast::ExpKind::Var(name) => self.name(name, e.id),
                ast::ExpKind::BinOp(_, op, _)
                | ast::ExpKind::OpSection(op)
                | ast::ExpKind::LeftSection(_, op)
                | ast::ExpKind::RightSection(op, _) => {
                    self.name(&op.name, op.id);
                    self.add(e.id, e.span);
                }
                ast::ExpKind::LetPat { pat, .. } => self.pat(pat),
                ast::ExpKind::Lambda { params, .. } => params.iter().for_each(|p| self.pat(p)),
                ast::ExpKind::LetFun(f) => f.params.iter().for_each(|p| self.pat(p)),
                ast::ExpKind::Loop(l) => {
                    self.pat(&l.pat);
                    if let LoopForm::ForIn(p, _) = &l.form {
                        self.pat(p);
                    }
                }
                ast::ExpKind::Match(_, cases) => cases.iter().for_each(|c| self.pat(&c.pat)),
                _ => self.add(e.id, e.span),
            }
            left.extend(e.parts());
        }
    }

    /// The types along a dotted name: of the variable, then of fields.
    fn name(&mut self, name: &ast::QualName, id: ast::NodeId) {
        let (Some(r), Some(t)) = (self.cx.tables.refs.get(id), self.cx.tables.types.get(id)) else { return };
        let mut t = self.metas.resolve(t);
        let path: Vec<ast::Ident> = name.quals.iter().copied().chain([name.name]).collect();
        let Some(var) = path.len().checked_sub(r.fields.len() + 1) else { return };
        self.out.push((path[var].span, t.clone()));
        for f in &r.fields {
            let Some(part) = t.field(f.name).cloned() else { return };
            t = part;
            self.out.push((f.span, t.clone()));
        }
    }

    fn pat(&mut self, p: &ast::Pat) {
        self.add(p.id, p.span);
        match &p.kind {
            ast::PatKind::Parens(p) | ast::PatKind::Ascript(p, _) | ast::PatKind::Attr(_, p) => self.pat(p),
            ast::PatKind::Tuple(ps) | ast::PatKind::Constr(_, ps) => ps.iter().for_each(|p| self.pat(p)),
            ast::PatKind::Record(fields) => {
                for f in fields {
                    match &f.pat {
                        Some(p) => self.pat(p),
                        None => self.add(f.id, f.name.span),
                    }
                }
            }
            ast::PatKind::Name(_) | ast::PatKind::Wildcard | ast::PatKind::Lit(_) | ast::PatKind::Error => {}
        }
    }
}

/// Types with sizes, of the typed tree.
struct Typed<'a> {
    cx: &'a Cx,
    out: &'a mut Vec<(Span, Ty)>,
}

impl Typed<'_> {
    fn fun(&mut self, fun: &Fun) {
        fun.params.iter().for_each(|p| self.pat(p));
        self.exp(&fun.body);
    }

    fn var(&mut self, var: VarId, t: &Ty) {
        self.out.push((self.cx.names.var(var).span, t.clone()));
    }

    fn exp(&mut self, e: &typed::Exp) {
        let mut left = vec![e];
        while let Some(e) = left.pop() {
            self.out.push((e.span, e.ty.clone()));
            match &e.kind {
                typed::ExpKind::LetPat { pat, .. } => self.pat(pat),
                typed::ExpKind::Lambda { params, .. } => params.iter().for_each(|p| self.pat(p)),
                typed::ExpKind::LetFun { var, fun, .. } => {
                    fun.params.iter().for_each(|p| self.pat(p));
                    let scheme = crate::sizes::scheme_of(fun);
                    self.var(*var, &scheme.ty);
                }
                typed::ExpKind::LetWith { dest, source_ty, .. } => self.var(*dest, source_ty),
                typed::ExpKind::Loop(l) => {
                    self.pat(&l.pat);
                    match &l.form {
                        typed::LoopForm::For(i, bound) => self.var(*i, &bound.ty),
                        typed::LoopForm::ForIn(p, _) => self.pat(p),
                        typed::LoopForm::While(_) => {}
                    }
                }
                typed::ExpKind::Match(_, cases) => cases.iter().for_each(|c| self.pat(&c.pat)),
                _ => {}
            }
            each_child(e, &mut |child| left.push(child));
        }
    }

    fn pat(&mut self, p: &typed::Pat) {
        self.out.push((p.span, types::plain(&p.ty)));
        match &p.kind {
            typed::PatKind::Var(var) => self.var(*var, &types::plain(&p.ty)),
            typed::PatKind::Record(parts) => parts.iter().for_each(|(_, p)| self.pat(p)),
            typed::PatKind::Constr(_, ps) => ps.iter().for_each(|p| self.pat(p)),
            typed::PatKind::Opened(_, p) => self.pat(p),
            typed::PatKind::Wildcard | typed::PatKind::Lit(_) => {}
        }
    }
}
