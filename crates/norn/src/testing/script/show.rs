//! Values of scripts as text for people.

use super::Val;
use crate::engine::{Engine, Item, show};

/// The value as text, each result of the program with at most `limit` elements.
pub fn show_val(engine: &Engine, value: &Val, limit: usize) -> String {
    let all = |values: &[Val]| {
        values.iter().map(|value| show_val(engine, value, limit)).collect::<Vec<_>>().join(", ")
    };
    match value {
        Val::Const(value) => show(engine, &Item::Value(value.clone()), limit),
        Val::Item(item) => show(engine, item, limit),
        Val::Tuple(parts) => format!("({})", all(parts)),
        Val::Record(fields) => {
            let field =
                |(name, value): &(String, Val)| format!("{name} = {}", show_val(engine, value, limit));
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Val::Array(rows) => format!("[{}]", all(rows)),
        Val::Function(entry, args) => format!("{entry} {}", all(args)).trim_end().into(),
    }
}
