//! Values of scripts as values of the types that entry points want.

use super::Val;
use crate::engine::{Engine, Item, ItemType};
use norn_values::{Expected, Value};

/// The value as an item of this type. The error is a sentence.
pub(super) fn fit(engine: &Engine, value: Val, ty: ItemType) -> Result<Item, String> {
    let wrong = |found: &str| format!("expected a value of type {}, found {found}.", engine.type_name(ty));
    match value {
        Val::Item(item) if item.ty() == ty => Ok(item),
        Val::Item(item) => rename(engine, &item, ty).ok_or_else(|| wrong(&engine.type_name(item.ty()))),
        Val::Const(value) => match ty {
            ItemType::Plain(plain) => adapt(value, plain).map(Item::Value),
            ItemType::Opaque(_) => Err(wrong(&value.type_text())),
        },
        Val::Tuple(parts) => {
            let Some(types) = engine.tuple(ty).filter(|types| types.len() == parts.len()) else {
                return Err(wrong(&format!("a tuple of {}", parts.len())));
            };
            let fitted = parts.into_iter().zip(types).map(|(part, ty)| fit(engine, part, ty));
            engine.new_record(ty, &fitted.collect::<Result<Vec<_>, _>>()?)
        }
        Val::Record(mut values) => {
            let Ok(fields) = engine.fields(ty) else { return Err(wrong("a record")) };
            let mut items = Vec::new();
            for (name, ty) in fields {
                let Some(at) = values.iter().position(|(field, _)| field == name) else {
                    return Err(wrong(&format!("a record without the field `{name}`")));
                };
                items.push(fit(engine, values.swap_remove(at).1, ty)?);
            }
            match values.first() {
                Some((surplus, _)) => Err(wrong(&format!("a record with a field `{surplus}`"))),
                None => engine.new_record(ty, &items),
            }
        }
        Val::Array(rows) => {
            let elem = engine.elem_type(ty).map_err(|_| wrong("an array"))?;
            if engine.rank(ty) != Ok(1) {
                return Err(wrong("an array of one dimension whose elements differ or are no plain values"));
            }
            let items = rows.into_iter().map(|row| fit(engine, row, elem)).collect::<Result<Vec<_>, _>>()?;
            engine.new_array(ty, &[items.len()], &items)
        }
        Val::Function(entry, _) => Err(wrong(&format!("the entry point `{entry}` without its arguments"))),
    }
}

/// A constant as a value of a plain type: itself, or integers as other numbers that hold them.
fn adapt(value: Value, plain: Expected) -> Result<Value, String> {
    if value.unsized_type() == plain {
        return Ok(value);
    }
    let wrong = || format!("expected a value of type {plain}, found {}.", value.type_text());
    if value.rank() != plain.rank {
        return Err(wrong());
    }
    let converted = value.convert_integers(plain.prim).ok_or_else(wrong)?;
    if plain.prim.is_int() && !is_unchanged(&value, &converted) {
        return Err(format!("{value} is not within the range of {}.", plain.prim));
    }
    Ok(converted)
}

/// Whether integers kept their numbers when they were converted.
fn is_unchanged(before: &Value, after: &Value) -> bool {
    // There and back gives the same bits even if the sign was lost, hence the second question.
    let back = after.convert_integers(before.prim());
    let negative = |value: &Value| {
        value
            .convert_integers(norn_values::Prim::F64)
            .map(|value| value.elements::<f64>().is_some_and(|numbers| numbers.iter().any(|x| *x < 0.0)))
    };
    back.is_some_and(|back| back.is_identical(before)) && negative(before) == negative(after)
}

/// A record of the program as one of a type with the same fields that has another name.
fn rename(engine: &Engine, item: &Item, ty: ItemType) -> Option<Item> {
    let (from, to) = (engine.fields(item.ty()).ok()?, engine.fields(ty).ok()?);
    if from.len() != to.len() || from.iter().zip(&to).any(|((a, _), (b, _))| a != b) {
        return None;
    }
    let mut items = Vec::new();
    for (name, ty) in to {
        let part = engine.project(item, name).ok()?;
        items.push(if part.ty() == ty { part } else { rename(engine, &part, ty)? });
    }
    engine.new_record(ty, &items).ok()
}
