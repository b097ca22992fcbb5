//! The types of a program: as signatures, pages, and in words of Python.

use crate::numpy::dtype_name;
use norn::engine::Engine;
use norn::library::identifier;
use norn_ir::nest::{IfaceId, IfaceShape};
use norn_values::Prim;
use std::fmt::Write;

/// `dot(xs: []f32, ys: []f32) -> f32`
pub fn signature(entry: &norn::Entry) -> String {
    let engine = entry.program().engine();
    let head = entry.head();
    let star = |unique: bool| if unique { "*" } else { "" };
    let params: Vec<String> = head
        .params
        .iter()
        .map(|param| format!("{}: {}{}", param.name, star(param.unique), engine.iface(param.ty).name))
        .collect();
    let result = format!("{}{}", star(head.result_unique), engine.iface(head.result).name);
    format!("{}({}) -> {result}", head.name, params.join(", "))
}

/// The documentation comment, and what values of Python its parameters take.
pub fn doc(entry: &norn::Entry) -> String {
    let engine = entry.program().engine();
    let head = entry.head();
    let mut text = head.doc.trim().to_string();
    if !text.is_empty() {
        text += "\n\n";
    }
    for param in &head.params {
        let _ = writeln!(text, "{}: {}", param.name, words(engine, param.ty));
    }
    let _ = write!(text, "returns: {}", words(engine, head.result));
    text
}

/// What a value is in Python, for people.
fn words(engine: &Engine, id: IfaceId) -> String {
    let list = |parts: Vec<String>| parts.join(", ");
    match &engine.iface(id).shape {
        IfaceShape::Scalar(prim) => format!("{} ({})", scalar(*prim), prim.name()),
        IfaceShape::Array(prim, rank) => {
            let dimensions = if *rank == 1 { "dimension" } else { "dimensions" };
            format!("array of {} with {rank} {dimensions}", dtype_name(*prim))
        }
        IfaceShape::OpaqueArray(elem, _) => match engine.iface(*elem).shape {
            IfaceShape::Array(prim, _) => format!("irregular array of {}", dtype_name(prim)),
            IfaceShape::Record(_) => format!("the fields of {} as arrays", engine.iface(*elem).name),
            IfaceShape::Scalar(_)
            | IfaceShape::OpaqueArray(..)
            | IfaceShape::Sum(_)
            | IfaceShape::Recursive(_)
            | IfaceShape::Opaque => format!("list of {}", engine.iface(*elem).name),
        },
        IfaceShape::Record(fields) if is_tuple(fields) => {
            format!("tuple of ({})", list(fields.iter().map(|(_, id)| words(engine, *id)).collect()))
        }
        IfaceShape::Record(fields) => {
            let field = |(name, id): &(String, IfaceId)| format!("{name}: {}", words(engine, *id));
            format!("record with {}", list(fields.iter().map(field).collect()))
        }
        IfaceShape::Sum(constrs) | IfaceShape::Recursive(constrs) => {
            format!(
                "norn.Case with one of the names {}",
                list(constrs.iter().map(|(name, _)| name.clone()).collect())
            )
        }
        IfaceShape::Opaque => "value that only the program knows".to_string(),
    }
}

fn scalar(prim: Prim) -> &'static str {
    match prim {
        Prim::Bool => "bool",
        Prim::F16 | Prim::F32 | Prim::F64 => "float",
        Prim::I8 | Prim::I16 | Prim::I32 | Prim::I64 | Prim::U8 | Prim::U16 | Prim::U32 | Prim::U64 => "int",
    }
}

/// Whether a record is a tuple: its fields are `0`, `1`, ..
pub fn is_tuple(fields: &[(String, IfaceId)]) -> bool {
    fields.iter().enumerate().all(|(i, (name, _))| *name == i.to_string())
}

/// A module of stubs: a class with the entry points as methods.
pub fn stubs(program: &norn::Program) -> String {
    let engine = program.engine();
    let mut text = String::from(
        "from typing import Any\n\nimport numpy\nimport numpy.typing\nimport norn\n\n\nclass Program(norn.Program):\n",
    );
    for entry in program.entries() {
        let head = entry.head();
        let params: Vec<String> = head
            .params
            .iter()
            .map(|param| format!(", {}: {}", identifier(&param.name), annotation(engine, param.ty, true)))
            .collect();
        let result = annotation(engine, head.result, false);
        let _ =
            writeln!(text, "    def {}(self{}) -> {result}: ...", identifier(&head.name), params.concat());
    }
    text
}

/// A type as Python's checkers know it.
fn annotation(engine: &Engine, id: IfaceId, is_given: bool) -> String {
    match &engine.iface(id).shape {
        IfaceShape::Scalar(prim) => scalar(*prim).to_string(),
        IfaceShape::Array(..) if is_given => "norn.ArrayLike".to_string(),
        IfaceShape::Array(prim, _) => format!("numpy.typing.NDArray[numpy.{}]", dtype_class(*prim)),
        IfaceShape::Record(fields) if is_tuple(fields) => {
            let parts: Vec<String> = fields.iter().map(|(_, id)| annotation(engine, *id, is_given)).collect();
            if parts.is_empty() { "tuple[()]".to_string() } else { format!("tuple[{}]", parts.join(", ")) }
        }
        IfaceShape::Sum(_) | IfaceShape::Recursive(_) => "norn.Case".to_string(),
        IfaceShape::OpaqueArray(..) | IfaceShape::Record(_) | IfaceShape::Opaque => "Any".to_string(),
    }
}

fn dtype_class(prim: Prim) -> &'static str {
    if prim == Prim::Bool { "bool_" } else { dtype_name(prim) }
}

/// A table of the entry points.
pub fn html(program: &norn::Program) -> String {
    let mut text = format!(
        "<table><caption>Norn program ({})</caption><tbody>",
        escaped(program.engine().backend().name())
    );
    for entry in program.entries() {
        let (signature, doc) = (escaped(&signature(&entry)), escaped(entry.head().doc.trim()));
        let _ = write!(
            text,
            "<tr><td style=\"text-align:left\"><code>{signature}</code></td><td style=\"text-align:left\">{doc}</td></tr>"
        );
    }
    text + "</tbody></table>"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
