//! What a file declares for others: values, types, modules and module types, and what is in the latter.

use norn_base::Span;
use norn_check::Analysis;
use norn_check::places::Meant;
use norn_syntax::ast::{
    Dec, DecKind, ModExp, ModExpKind, ModTypeExp, ModTypeExpKind, Spec, SpecKind, ValBind,
};

/// The kind of an item that is no declaration: the members of a module type that are those of another one.
pub const INCLUDE: &str = "include";

pub struct Item {
    /// `m.f` for a member of a module.
    pub path: String,
    pub kind: &'static str,
    /// Where the name is.
    pub name: Span,
    /// The part of the text that says what it is.
    pub head: Span,
    /// What is not written there: the type of the result.
    pub inferred: Option<String>,
    /// Markdown.
    pub doc: String,
    pub members: Vec<Item>,
}

impl Item {
    /// What it is called without the modules around it.
    pub fn own_name(&self) -> &str {
        // An operator may have dots.
        let word = self.path.rfind(|c: char| c.is_alphanumeric() || c == '_' || c == '\'').is_some();
        if word { self.path.rsplit('.').next().unwrap_or(&self.path) } else { &self.path }
    }

    /// Values and modules, types, and module types may have the same names; the words are those by which documentation distinguishes them.
    pub fn name_space(&self) -> &'static str {
        match self.kind {
            "type" => "type",
            "module type" => "mtype",
            _ => "term",
        }
    }

    /// Where it is on its page, as a part of an address.
    pub fn anchor(&self) -> String {
        let mut out = match self.name_space() {
            "term" => String::new(),
            space => format!("{space}."),
        };
        for c in self.path.chars() {
            match c {
                c if c.is_ascii_alphanumeric() || c == '_' || c == '.' => out.push(c),
                c => out.push_str(&format!("-{:x}-", u32::from(c))),
            }
        }
        out
    }

    /// This one and all inside it.
    pub fn each<'a>(&'a self, f: &mut dyn FnMut(&'a Item)) {
        f(self);
        self.members.iter().for_each(|m| m.each(f));
    }
}

pub fn items_of(analysis: &Analysis) -> Vec<Item> {
    let Some(tree) = analysis.tree(analysis.file) else { return Vec::new() };
    Items { analysis }.decs(&tree.decs, "")
}

struct Items<'a> {
    analysis: &'a Analysis,
}

impl Items<'_> {
    fn decs(&self, decs: &[Dec], module: &str) -> Vec<Item> {
        decs.iter().flat_map(|d| self.dec(d, module)).collect()
    }

    fn dec(&self, d: &Dec, module: &str) -> Vec<Item> {
        let doc = d.doc.as_ref().map_or(String::new(), |doc| doc.text.trim().to_string());
        let item = |kind, name: norn_syntax::ast::Ident, head, members| Item {
            path: format!("{module}{}", name.name),
            kind,
            name: name.span,
            head,
            inferred: None,
            doc: doc.clone(),
            members,
        };
        match &d.kind {
            DecKind::Vals(group) => group
                .iter()
                .map(|vb| {
                    let kind = if vb.params.is_empty() { "value" } else { "function" };
                    let head = Span { hi: vb.body.span.lo, ..vb.span };
                    Item {
                        inferred: self.inferred(vb),
                        ..item(kind, vb.name, self.without_equals(head), vec![])
                    }
                })
                .collect(),
            DecKind::Types(group) => group.iter().map(|tb| item("type", tb.name, tb.span, vec![])).collect(),
            DecKind::Mod(m) => {
                let inner = format!("{module}{}.", m.name.name);
                let head = self.without_equals(Span { hi: m.body.span.lo, ..m.span });
                let members = match &m.sig {
                    Some(sig) => self.specs(sig, &inner),
                    None => self.members(&m.body, &inner),
                };
                // A module that stands for another one is said in a line.
                let head = if members.is_empty() && m.sig.is_none() && m.span.hi - m.span.lo < 120 {
                    m.span
                } else {
                    head
                };
                vec![item("module", m.name, head, members)]
            }
            DecKind::ModType(m) => {
                let members = self.specs(&m.body, &format!("{module}{}.", m.name.name));
                let head = self.without_equals(Span { hi: m.body.span.lo, ..m.span });
                vec![item("module type", m.name, head, members)]
            }
            DecKind::Open(_) | DecKind::Import(_) | DecKind::Local(_) | DecKind::Error => Vec::new(),
        }
    }

    fn members(&self, m: &ModExp, module: &str) -> Vec<Item> {
        match &m.kind {
            ModExpKind::Decs(decs) => self.decs(decs, module),
            ModExpKind::Parens(m) | ModExpKind::Lambda(_, None, m) => self.members(m, module),
            ModExpKind::Ascript(_, sig) => self.specs(sig, module),
            ModExpKind::Lambda(_, Some(sig), _) => self.specs(sig, module),
            ModExpKind::Var(_) | ModExpKind::Import(_) | ModExpKind::Apply(..) | ModExpKind::Error => {
                Vec::new()
            }
        }
    }

    fn specs(&self, m: &ModTypeExp, module: &str) -> Vec<Item> {
        match &m.kind {
            ModTypeExpKind::Specs(specs) => specs.iter().filter_map(|s| self.spec(s, module)).collect(),
            ModTypeExpKind::Parens(m) | ModTypeExpKind::With(m, _) => self.specs(m, module),
            ModTypeExpKind::Var(_) | ModTypeExpKind::Arrow(..) | ModTypeExpKind::Error => Vec::new(),
        }
    }

    fn spec(&self, s: &Spec, module: &str) -> Option<Item> {
        let (name, kind, members) = match &s.kind {
            SpecKind::Val { name, .. } => (name, "value", Vec::new()),
            SpecKind::AbstractType { name, .. } => (name, "type", Vec::new()),
            SpecKind::TypeAbbr(tb) => (&tb.name, "type", Vec::new()),
            SpecKind::Mod { name, sig } => {
                (name, "module", self.specs(sig, &format!("{module}{}.", name.name)))
            }
            SpecKind::Include(sig) => {
                let (path, doc) = (format!("{module}include-{}", s.span.lo), String::new());
                let item = Item {
                    path,
                    kind: INCLUDE,
                    name: sig.span,
                    head: s.span,
                    inferred: None,
                    doc,
                    members: vec![],
                };
                return Some(item);
            }
            SpecKind::Error => return None,
        };
        let doc = s.doc.as_ref().map_or(String::new(), |doc| doc.text.trim().to_string());
        let path = format!("{module}{}", name.name);
        Some(Item { path, kind, name: name.span, head: s.span, inferred: None, doc, members })
    }

    /// A head up to the `=` before the body.
    fn without_equals(&self, head: Span) -> Span {
        let text = self.analysis.sources().text(head);
        let text = text.trim_end().strip_suffix('=').unwrap_or(text).trim_end();
        Span { hi: head.lo + text.len() as u32, ..head }
    }

    /// The type of a result that is not written.
    fn inferred(&self, vb: &ValBind) -> Option<String> {
        if vb.ret.is_some() {
            return None;
        }
        let found = self.analysis.places().use_at(vb.name.span).filter(|u| u.at == vb.name.span)?;
        let Meant::Value(var) = found.meant else { return None };
        let t = self.analysis.result_type(var, vb.params.len())?;
        (!t.is_open()).then(|| self.analysis.show_type(&t))
    }
}
