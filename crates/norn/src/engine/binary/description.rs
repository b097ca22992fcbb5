//! The text of a type, by which a structured value says what it is.

use super::super::Engine;
use super::super::read::is_tuple;
use norn_ir::nest::{IfaceId, IfaceShape};

/// `[]tree where tree = #leaf | #node tree i32 tree`: sizes and names of types that are not recursive are left out.
pub(super) fn description(engine: &Engine, ty: IfaceId) -> String {
    let mut text = type_text(engine, ty, false);
    for (i, id) in recursive_types(engine, ty).into_iter().enumerate() {
        let IfaceShape::Recursive(constrs) = &engine.iface(id).shape else { continue };
        text += if i == 0 { " where " } else { ", " };
        text += &format!("{} = {}", engine.iface(id).name, constructors_text(engine, constrs));
    }
    text
}

/// The recursive types in a type, in the order in which its text mentions them first.
pub(super) fn recursive_types(engine: &Engine, ty: IfaceId) -> Vec<IfaceId> {
    let mut found = Vec::new();
    mentioned(engine, ty, &mut found);
    let mut at = 0;
    while let Some(&id) = found.get(at) {
        at += 1;
        if let IfaceShape::Recursive(constrs) = &engine.iface(id).shape {
            constrs.iter().flat_map(|(_, payload)| payload).for_each(|id| mentioned(engine, *id, &mut found));
        }
    }
    found
}

/// Whether there are sums in a type, other than as payloads of recursive types.
pub(super) fn has_sums(engine: &Engine, ty: IfaceId) -> bool {
    match &engine.iface(ty).shape {
        IfaceShape::Scalar(_) | IfaceShape::Array(..) | IfaceShape::Recursive(_) | IfaceShape::Opaque => {
            false
        }
        IfaceShape::OpaqueArray(elem, _) => has_sums(engine, *elem),
        IfaceShape::Record(fields) => fields.iter().any(|(_, id)| has_sums(engine, *id)),
        IfaceShape::Sum(_) => true,
    }
}

fn mentioned(engine: &Engine, ty: IfaceId, found: &mut Vec<IfaceId>) {
    match &engine.iface(ty).shape {
        IfaceShape::Scalar(_) | IfaceShape::Array(..) | IfaceShape::Opaque => {}
        IfaceShape::OpaqueArray(elem, _) => mentioned(engine, *elem, found),
        IfaceShape::Record(fields) => fields.iter().for_each(|(_, id)| mentioned(engine, *id, found)),
        IfaceShape::Sum(constrs) => {
            constrs.iter().flat_map(|(_, payload)| payload).for_each(|id| mentioned(engine, *id, found));
        }
        IfaceShape::Recursive(_) if found.contains(&ty) => {}
        IfaceShape::Recursive(_) => found.push(ty),
    }
}

/// A sum that is a payload, or an element, is in parentheses.
fn type_text(engine: &Engine, ty: IfaceId, is_part: bool) -> String {
    match &engine.iface(ty).shape {
        IfaceShape::Scalar(prim) => prim.name().to_string(),
        IfaceShape::Array(prim, rank) => "[]".repeat(*rank) + prim.name(),
        IfaceShape::OpaqueArray(elem, rank) => "[]".repeat(*rank) + &type_text(engine, *elem, true),
        IfaceShape::Record(fields) => {
            let tuple = is_tuple(fields);
            let field = |(name, id): &(String, IfaceId)| match tuple {
                true => type_text(engine, *id, false),
                false => format!("{name}: {}", type_text(engine, *id, false)),
            };
            let fields: Vec<String> = fields.iter().map(field).collect();
            let fields = fields.join(", ");
            if tuple { format!("({fields})") } else { format!("{{{fields}}}") }
        }
        IfaceShape::Sum(constrs) if is_part => format!("({})", constructors_text(engine, constrs)),
        IfaceShape::Sum(constrs) => constructors_text(engine, constrs),
        IfaceShape::Recursive(_) | IfaceShape::Opaque => engine.iface(ty).name.clone(),
    }
}

fn constructors_text(engine: &Engine, constrs: &[(String, Vec<IfaceId>)]) -> String {
    let constr = |(name, payload): &(String, Vec<IfaceId>)| {
        payload.iter().fold(format!("#{name}"), |text, id| text + " " + &type_text(engine, *id, true))
    };
    constrs.iter().map(constr).collect::<Vec<String>>().join(" | ")
}
