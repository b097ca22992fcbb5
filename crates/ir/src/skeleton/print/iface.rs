//! Entry points and the types that go in and out of them.

use super::{Printer, star};
use crate::skeleton::names::quoted_unless_word;
use crate::skeleton::{Column, Entry, Iface, IfaceId, IfaceShape};
use crate::text::names::quoted;

impl Printer<'_> {
    pub(super) fn entry(&mut self, entry: &Entry) {
        let mut text = String::new();
        for attr in &entry.attrs {
            text.push_str(&format!("#[{}]\n", quoted_unless_word(attr)));
        }
        let params: Vec<String> = entry
            .params
            .iter()
            .map(|p| {
                let ty = star(p.unique) + &self.ifaces.get(p.ty.0);
                format!("{}: {ty}", quoted_unless_word(&p.name))
            })
            .collect();
        text.push_str(&format!(
            "entry {} = {} ({}) -> {}{}",
            quoted_unless_word(&entry.name),
            self.funs.get(entry.fun.0),
            params.join(", "),
            star(entry.result_unique),
            self.ifaces.get(entry.result.0),
        ));
        if !entry.doc.is_empty() {
            text.push_str(&format!("\n  doc {}", quoted(&entry.doc)));
        }
        text.push('\n');
        self.item(&text);
    }

    pub(super) fn iface(&mut self, id: IfaceId, iface: &Iface) {
        let columns: Vec<String> = iface.columns.iter().map(|c| self.column(c)).collect();
        let name = self.ifaces.get(id.0);
        let shape = self.shape(&iface.shape);
        self.item(&format!("type {name} = {shape} columns ({})\n", columns.join(", ")));
    }

    fn shape(&self, shape: &IfaceShape) -> String {
        match shape {
            IfaceShape::Scalar(prim) => format!("scalar {}", prim.name()),
            IfaceShape::Array(prim, rank) => format!("array {rank} {}", prim.name()),
            IfaceShape::OpaqueArray(elem, rank) => format!("opaque_array {rank} {}", self.ifaces.get(elem.0)),
            IfaceShape::Record(fields) => {
                let field = |(name, ty): &(String, IfaceId)| {
                    format!("{}: {}", quoted_unless_word(name), self.ifaces.get(ty.0))
                };
                let fields: Vec<String> = fields.iter().map(field).collect();
                format!("record ({})", fields.join(", "))
            }
            IfaceShape::Sum(constrs) => format!("sum ({})", self.constructors(constrs)),
            IfaceShape::Recursive(constrs) => format!("recursive ({})", self.constructors(constrs)),
            IfaceShape::Opaque => "opaque".to_string(),
        }
    }

    fn constructors(&self, constrs: &[(String, Vec<IfaceId>)]) -> String {
        let constr = |(name, types): &(String, Vec<IfaceId>)| {
            let types: Vec<String> = types.iter().map(|ty| self.ifaces.get(ty.0)).collect();
            format!("{} ({})", quoted_unless_word(name), types.join(", "))
        };
        let constrs: Vec<String> = constrs.iter().map(constr).collect();
        constrs.join(", ")
    }

    fn column(&self, column: &Column) -> String {
        let dims: String = column.irregular.iter().map(|i| if *i { "[?]" } else { "[]" }).collect();
        dims + &self.elem(column.elem)
    }
}
