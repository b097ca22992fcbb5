//! Walking over declarations, also those in modules, and over expressions: the direct parts of one, and the way down to a place in it.
//!
//! Advice in a diagnostic needs to know what stands around a mistake. The tree has no links upwards,
//! so the way is searched from the top, and only once something is wrong.

use crate::ast::{
    Dec, DecKind, DimIndex, Exp, ExpKind, LoopForm, ModExp, ModExpKind, ModTypeExp, ModTypeExpKind, Prog,
    Spec, SpecKind, Step, StrLit, ValBind,
};
use norn_base::Span;

impl Prog {
    /// All declarations in source order, each before those inside of it.
    pub fn each_dec<'a>(&'a self, f: &mut dyn FnMut(&'a Dec)) {
        self.visit(&mut |part| {
            if let Part::Dec(d) = part {
                f(d);
            }
        });
    }

    /// All definitions of values outside of expressions.
    pub fn each_binding<'a>(&'a self, f: &mut dyn FnMut(&'a ValBind)) {
        self.each_dec(&mut |d| {
            if let DecKind::Vals(group) = &d.kind {
                group.iter().for_each(&mut *f);
            }
        });
    }

    /// All specifications of module types.
    pub fn each_spec<'a>(&'a self, f: &mut dyn FnMut(&'a Spec)) {
        self.visit(&mut |part| {
            if let Part::Spec(s) = part {
                f(s);
            }
        });
    }

    /// The paths of all imports, in source order.
    pub fn each_import<'a>(&'a self, f: &mut dyn FnMut(&'a StrLit)) {
        self.visit(&mut |part| {
            if let Part::Import(path) = part {
                f(path);
            }
        });
    }

    fn visit<'a>(&'a self, f: &mut dyn FnMut(Part<'a>)) {
        in_decs(&self.decs, f);
    }
}

/// What is found in declarations.
enum Part<'a> {
    Dec(&'a Dec),
    Spec(&'a Spec),
    Import(&'a StrLit),
}

fn in_decs<'a>(decs: &'a [Dec], f: &mut dyn FnMut(Part<'a>)) {
    for d in decs {
        f(Part::Dec(d));
        match &d.kind {
            DecKind::Mod(m) => {
                m.params.iter().map(|p| &p.sig).chain(&m.sig).for_each(|sig| in_mod_type(sig, f));
                in_mod(&m.body, f);
            }
            DecKind::ModType(m) => in_mod_type(&m.body, f),
            DecKind::Open(m) => in_mod(m, f),
            DecKind::Local(d) => in_decs(std::slice::from_ref(d), f),
            DecKind::Import(path) => f(Part::Import(path)),
            DecKind::Vals(_) | DecKind::Types(_) | DecKind::Error => {}
        }
    }
}

fn in_mod<'a>(m: &'a ModExp, f: &mut dyn FnMut(Part<'a>)) {
    match &m.kind {
        ModExpKind::Decs(decs) => in_decs(decs, f),
        ModExpKind::Parens(m) => in_mod(m, f),
        ModExpKind::Ascript(m, sig) => {
            in_mod(m, f);
            in_mod_type(sig, f);
        }
        ModExpKind::Lambda(param, sig, m) => {
            in_mod_type(&param.sig, f);
            sig.iter().for_each(|sig| in_mod_type(sig, f));
            in_mod(m, f);
        }
        ModExpKind::Apply(function, argument) => {
            in_mod(function, f);
            in_mod(argument, f);
        }
        ModExpKind::Import(path) => f(Part::Import(path)),
        ModExpKind::Var(_) | ModExpKind::Error => {}
    }
}

fn in_mod_type<'a>(m: &'a ModTypeExp, f: &mut dyn FnMut(Part<'a>)) {
    match &m.kind {
        ModTypeExpKind::Specs(specs) => {
            for s in specs {
                f(Part::Spec(s));
                if let SpecKind::Mod { sig, .. } | SpecKind::Include(sig) = &s.kind {
                    in_mod_type(sig, f);
                }
            }
        }
        ModTypeExpKind::Parens(m) | ModTypeExpKind::With(m, _) => in_mod_type(m, f),
        ModTypeExpKind::Arrow(_, a, b) => {
            in_mod_type(a, f);
            in_mod_type(b, f);
        }
        ModTypeExpKind::Var(_) | ModTypeExpKind::Error => {}
    }
}

impl Exp {
    /// The expressions that this one consists of, in source order. Those in types are not among them.
    pub fn parts(&self) -> Vec<&Exp> {
        match &self.kind {
            ExpKind::Lit(_) | ExpKind::Var(_) | ExpKind::Hole | ExpKind::OpSection(_) | ExpKind::Error => {
                Vec::new()
            }
            ExpKind::Parens(e)
            | ExpKind::LocalOpen(_, e)
            | ExpKind::Project(e, _)
            | ExpKind::Negate(e)
            | ExpKind::Not(e)
            | ExpKind::LeftSection(e, _)
            | ExpKind::RightSection(_, e)
            | ExpKind::Ascript(e, _)
            | ExpKind::Coerce(e, _)
            | ExpKind::Attr(_, e)
            | ExpKind::Lambda { body: e, .. } => vec![e],
            ExpKind::Tuple(es) | ExpKind::Array(es) | ExpKind::Constr(_, es) => es.iter().collect(),
            ExpKind::Record(fields) => fields.iter().filter_map(|f| f.value.as_ref()).collect(),
            ExpKind::Index(e, slice) => {
                let mut parts = vec![&**e];
                slice.iter().for_each(|d| index_parts(d, &mut parts));
                parts
            }
            ExpKind::Apply(f, args) => std::iter::once(&**f).chain(args).collect(),
            ExpKind::BinOp(l, _, r) | ExpKind::Assert(l, r) => vec![l, r],
            ExpKind::ProjSection(steps) => {
                let mut parts = Vec::new();
                step_parts(steps, &mut parts);
                parts
            }
            ExpKind::Range { start, second, end, .. } => {
                std::iter::once(&**start).chain(second.as_deref()).chain([&**end]).collect()
            }
            ExpKind::If(c, a, b) => vec![c, a, b],
            ExpKind::LetPat { bound, body, .. } => vec![bound, body],
            ExpKind::LetFun(f) => vec![&f.def, &f.body],
            ExpKind::LetWith { steps, value, body, .. } => {
                let mut parts = Vec::new();
                step_parts(steps, &mut parts);
                parts.extend([&**value, &**body]);
                parts
            }
            ExpKind::Loop(l) => {
                let (LoopForm::For(_, _, bound) | LoopForm::ForIn(_, bound) | LoopForm::While(bound)) =
                    &l.form;
                l.init.iter().chain([bound, &l.body]).collect()
            }
            ExpKind::Match(e, cases) => std::iter::once(&**e).chain(cases.iter().map(|c| &c.body)).collect(),
            ExpKind::Update(e, steps, value) => {
                let mut parts = vec![&**e];
                step_parts(steps, &mut parts);
                parts.push(value);
                parts
            }
        }
    }

    /// The expressions around `place`, from this one inwards; the last is the smallest that covers it.
    pub fn way_to(&self, place: Span) -> Vec<&Exp> {
        let covers = |e: &Exp| e.span.file == place.file && e.span.lo <= place.lo && place.hi <= e.span.hi;
        let mut way = Vec::new();
        let mut next = Some(self).filter(|e| covers(e));
        while let Some(e) = next {
            way.push(e);
            next = e.parts().into_iter().find(|part| covers(part));
        }
        way
    }

    /// The expression without parentheses around it.
    pub fn bare(&self) -> &Exp {
        let mut e = self;
        while let ExpKind::Parens(inner) = &e.kind {
            e = inner;
        }
        e
    }

    /// Can be an argument or an operand as it is.
    pub fn is_atom(&self) -> bool {
        matches!(
            self.kind,
            ExpKind::Lit(_)
                | ExpKind::Var(_)
                | ExpKind::Hole
                | ExpKind::Parens(_)
                | ExpKind::LocalOpen(..)
                | ExpKind::Tuple(_)
                | ExpKind::Record(_)
                | ExpKind::Array(_)
                | ExpKind::Project(..)
                | ExpKind::Index(..)
                | ExpKind::OpSection(_)
                | ExpKind::LeftSection(..)
                | ExpKind::RightSection(..)
                | ExpKind::ProjSection(_)
        )
    }
}

fn index_parts<'a>(index: &'a DimIndex, parts: &mut Vec<&'a Exp>) {
    match index {
        DimIndex::Fix(e) => parts.push(e),
        DimIndex::Slice { start, end, stride, .. } => {
            parts.extend([start, end, stride].into_iter().flatten());
        }
    }
}

fn step_parts<'a>(steps: &'a [Step], parts: &mut Vec<&'a Exp>) {
    for step in steps {
        match step {
            Step::Field(_) => {}
            Step::Index(indices, _) => indices.iter().for_each(|d| index_parts(d, parts)),
        }
    }
}
