//! Patterns, literals, attributes.

use super::Printer;
use crate::typed::{Lit, Pat, PatKind};
use crate::types::{Prim, VarId};
use norn_base::Symbol;
use norn_syntax::ast::{Attr, AttrKind};

impl Printer<'_> {
    /// A parameter: one word or in parentheses.
    pub(super) fn param(&mut self, p: &Pat) {
        let closed = match &p.kind {
            PatKind::Record(parts) => !parts.is_empty(),
            PatKind::Lit(_) => true,
            PatKind::Constr(_, parts) => parts.is_empty(),
            PatKind::Var(_) | PatKind::Wildcard | PatKind::Opened(..) => false,
        };
        let (open, close) = if closed { ("", "") } else { ("(", ")") };
        self.out.text(open);
        self.pat(p);
        self.out.text(close);
    }

    pub(super) fn pat(&mut self, p: &Pat) {
        match &p.kind {
            PatKind::Var(v) => {
                let name = self.bind(*v);
                let ty = self.shower.ty(&p.ty);
                self.out.text(format!("{}: {ty}", written(&name)));
            }
            PatKind::Wildcard => {
                let ty = self.shower.ty(&p.ty);
                self.out.text(format!("_: {ty}"));
            }
            PatKind::Record(parts) => {
                let tuple = is_tuple(parts.iter().map(|(f, _)| *f));
                let (open, close) = if tuple { ("(", ")") } else { ("{", "}") };
                self.enclosed(open, close, |this| {
                    this.separated(parts, |this, (field, part)| {
                        if !tuple {
                            this.out.text(format!("{field} = "));
                        }
                        this.pat(part);
                    });
                });
            }
            PatKind::Lit(lit) => self.out.text(literal(lit)),
            PatKind::Constr(c, parts) => {
                self.out.text(format!("#{c}"));
                for part in parts {
                    self.out.text(" ");
                    self.param(part);
                }
            }
            PatKind::Opened(sizes, part) => {
                let sizes = self.shower.exts(sizes);
                self.out.text(sizes + " ");
                self.param(part);
            }
        }
    }

    pub(super) fn attrs(&mut self, attrs: &[Attr]) {
        for attr in attrs {
            self.out.text(format!("#[{}]", attribute(&attr.kind)));
            self.out.hard();
        }
    }

    /// `[n][m] `, or nothing.
    pub(super) fn size_binders(&mut self, sizes: &[VarId]) {
        for v in sizes {
            let name = self.shower.var(*v);
            self.out.text(format!("[{name}] "));
        }
    }
}

/// Whether these are the fields of a tuple: none, or more than one, numbered in order.
pub(super) fn is_tuple(fields: impl ExactSizeIterator<Item = Symbol>) -> bool {
    fields.len() != 1 && fields.enumerate().all(|(i, f)| f == Symbol::tuple_field(i))
}

/// A variable as it is written where it is no operator.
pub(super) fn written(name: &str) -> String {
    if is_operator(name) { format!("({name})") } else { name.into() }
}

pub(super) fn is_operator(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// With the type as a suffix.
pub(super) fn literal(lit: &Lit) -> String {
    match lit {
        Lit::Bool(b) => b.to_string(),
        Lit::Int(prim, value) => format!("{value}{}", prim.name()),
        Lit::Float(prim, value) => float(*prim, *value),
    }
}

fn float(prim: Prim, value: f64) -> String {
    let name = prim.name();
    if value.is_nan() {
        format!("{name}.nan")
    } else if value.is_infinite() {
        format!("{}{name}.inf", if value < 0.0 { "-" } else { "" })
    } else {
        // The shortest text that reads as the same value of the type.
        match prim {
            Prim::F32 => format!("{:?}{name}", value as f32),
            _ => format!("{value:?}{name}"),
        }
    }
}

pub(super) fn string(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                c if c.is_control() => out.push_str(&format!("\\x{:02x}", c as u32)),
                c => out.push(c),
            }
        }
        chunk.invalid().iter().for_each(|b| out.push_str(&format!("\\x{b:02x}")));
    }
    out.push('"');
    out
}

pub(super) fn attribute(kind: &AttrKind) -> String {
    match kind {
        AttrKind::Name(name) => name.to_string(),
        AttrKind::Int(value) => value.to_string(),
        AttrKind::Call(name, parts) => {
            let parts: Vec<String> = parts.iter().map(|part| attribute(&part.kind)).collect();
            format!("{name}({})", parts.join(", "))
        }
    }
}
