//! The manifest of a library: its interface in JSON, by the schema that Futhark documents.

use super::Target;
use super::functions::record_array;
use super::names::{Types, mangled};
use super::tunables::used_by;
use norn_ir::imp::{Entry, Prog};
use norn_ir::nest::{IfaceId, IfaceShape};
use serde_json::{Map, Value, json};

pub fn manifest(prog: &Prog, types: &Types, tunables: &[String], target: Target) -> String {
    let entries: Map<String, Value> = prog
        .entries
        .iter()
        .map(|entry| (entry.name.clone(), entry_point(prog, types, tunables, entry)))
        .collect();
    let described: Map<String, Value> =
        types.values().map(|id| (types.get(id).name.clone(), ty(types, id))).collect();
    let manifest = json!({
        "backend": target.name(),
        "version": concat!("norn ", env!("CARGO_PKG_VERSION")),
        "entry_points": entries,
        "types": described,
    });
    format!("{manifest:#}\n")
}

fn entry_point(prog: &Prog, types: &Types, tunables: &[String], entry: &Entry) -> Value {
    let name = |id: IfaceId| types.get(id).name.clone();
    let inputs: Vec<Value> = (entry.params.iter())
        .map(|param| json!({"name": param.name, "type": name(param.ty), "unique": param.unique}))
        .collect();
    let mut described = json!({
        "cfun": format!("futhark_entry_{}", mangled(&entry.name)),
        "tuning_params": used_by(prog, entry).into_iter().map(|number| &tunables[number as usize]).collect::<Vec<_>>(),
        "attributes": entry.attrs,
        "inputs": inputs,
        "output": {"type": name(entry.result), "unique": entry.result_unique},
    });
    if !entry.doc.is_empty() {
        described["doc"] = entry.doc.clone().into();
    }
    described
}

fn ty(types: &Types, id: IfaceId) -> Value {
    let name = types.name(id);
    let function = |what: &str| format!("futhark_{what}_{name}");
    let ctype = format!("struct futhark_{name} *");
    let shape = &types.get(id).shape;
    if let IfaceShape::Array(prim, rank) = shape {
        let names = ["free", "shape", "values", "values_raw", "new", "new_raw", "index"];
        let ops: Map<String, Value> =
            names.into_iter().map(|what| (what.to_string(), function(what).into())).collect();
        return json!({"kind": "array", "ctype": ctype, "rank": rank, "elemtype": prim.name(), "ops": ops});
    }
    let mut described = json!({
        "kind": "opaque",
        "ctype": ctype,
        "ops": {"free": function("free"), "store": function("store"), "restore": function("restore")},
    });
    match shape {
        IfaceShape::Record(fields) => {
            described["record"] = json!({"new": function("new"), "fields": projections(types, name, fields)});
        }
        IfaceShape::Sum(constrs) | IfaceShape::Recursive(constrs) => {
            let variant = |(constr, payload): &(String, Vec<IfaceId>)| {
                let payload: Vec<&str> = payload.iter().map(|ty| types.get(*ty).name.as_str()).collect();
                json!({
                    "name": constr,
                    "construct": format!("{}_{}", function("new"), mangled(constr)),
                    "destruct": format!("{}_{}", function("destruct"), mangled(constr)),
                    "payload": payload,
                })
            };
            let variants: Vec<Value> = constrs.iter().map(variant).collect();
            described["sum"] = json!({"variant": function("variant"), "variants": variants});
            if matches!(shape, IfaceShape::Recursive(_)) {
                described["sum"]["recursive"] = true.into();
            }
        }
        IfaceShape::OpaqueArray(elem, rank) => {
            let elemtype = &types.get(*elem).name;
            let mut array = json!({
                "rank": rank,
                "elemtype": elemtype,
                "index": function("index"),
                "shape": function("shape"),
            });
            if types.scalar(*elem).is_none() {
                array["new"] = function("new").into();
                array["set"] = function("set").into();
            }
            let kind = match record_array(types, *elem, *rank) {
                Some(fields) => {
                    array["zip"] = function("zip").into();
                    array["fields"] = projections(types, name, &fields).into();
                    "record_array"
                }
                None => "opaque_array",
            };
            described[kind] = array;
        }
        IfaceShape::Scalar(_) | IfaceShape::Array(..) | IfaceShape::Opaque => {}
    }
    described
}

fn projections(types: &Types, name: &str, fields: &[(String, IfaceId)]) -> Vec<Value> {
    let field = |(field, ty): &(String, IfaceId)| {
        let project = format!("futhark_project_{name}_{}", mangled(field));
        json!({"name": field, "type": types.get(*ty).name, "project": project})
    };
    fields.iter().map(field).collect()
}
