//! Whether an item is the expected one.
//!
//! Plain parts are compared as [`norn_values::compare`](fn@norn_values::compare) does, with its tolerance for floats; payloads of constructors that
//! were not chosen do not matter.

use super::columns::Column;
use super::{Engine, Item, Opaque, SHOWN_ELEMENTS, show};
use norn_ir::nest::{IfaceId, IfaceShape};

/// Compares two items of one type. The error is how they differ first.
pub fn compare_items(engine: &Engine, expected: &Item, found: &Item, tolerance: f64) -> Result<(), String> {
    let mut pending = vec![Pair::Items(expected.clone(), found.clone())];
    while let Some(pair) = pending.pop() {
        // What comes first is looked at first.
        let parts = match pair {
            Pair::Items(expected, found) => items(engine, expected, found, tolerance)?,
            Pair::Rows(expected, found) => rows(engine, expected, found, tolerance)?,
        };
        pending.extend(parts.into_iter().rev());
    }
    Ok(())
}

enum Pair {
    Items(Item, Item),
    Rows(Rows, Rows),
}

/// An array that is no plain value, or a part of one.
struct Rows {
    elem: IfaceId,
    rank: usize,
    columns: Vec<Column>,
}

impl Rows {
    fn count(&self) -> usize {
        self.columns.first().and_then(|column| column.shape().first().copied()).unwrap_or(0)
    }

    fn row(&self, number: usize) -> Vec<Column> {
        self.columns.iter().filter_map(|column| column.index_outer(number)).collect()
    }
}

fn items(engine: &Engine, expected: Item, found: Item, tolerance: f64) -> Result<Vec<Pair>, String> {
    let differ = |expected: &Item, found: &Item| {
        let [expected, found] = [expected, found].map(|item| show(engine, item, SHOWN_ELEMENTS));
        Err(format!("expected {expected}, found {found}"))
    };
    let (Item::Opaque(e), Item::Opaque(f)) = (&expected, &found) else {
        return match (&expected, &found) {
            (Item::Value(e), Item::Value(f)) => match norn_values::compare(e, f, tolerance) {
                Ok(()) => Ok(Vec::new()),
                Err(difference) => Err(difference.to_string()),
            },
            (Item::Value(_) | Item::Opaque(_), _) => differ(&expected, &found),
        };
    };
    if e.ty != f.ty {
        return differ(&expected, &found);
    }
    match &engine.iface(e.ty).shape {
        IfaceShape::Record(fields) => {
            let mut parts = Vec::new();
            for (name, _) in fields {
                parts.push(Pair::Items(engine.project(&expected, name)?, engine.project(&found, name)?));
            }
            Ok(parts)
        }
        IfaceShape::Sum(_) | IfaceShape::Recursive(_) => {
            if engine.variant(&expected)? != engine.variant(&found)? {
                return differ(&expected, &found);
            }
            let parts = engine.destruct(&expected)?.into_iter().zip(engine.destruct(&found)?);
            Ok(parts.map(|(e, f)| Pair::Items(e, f)).collect())
        }
        IfaceShape::OpaqueArray(elem, rank) => {
            let rows = |opaque: &Opaque| Rows { elem: *elem, rank: *rank, columns: opaque.columns.clone() };
            Ok(vec![Pair::Rows(rows(e), rows(f))])
        }
        IfaceShape::Scalar(_) | IfaceShape::Array(..) | IfaceShape::Opaque => {
            Err(format!("Values of type {} cannot be compared.", engine.iface(e.ty).name))
        }
    }
}

fn rows(engine: &Engine, expected: Rows, found: Rows, tolerance: f64) -> Result<Vec<Pair>, String> {
    if expected.count() != found.count() {
        let [expected, found] =
            [expected.count(), found.count()].map(|n| super::error::counted(n, "element"));
        return Err(format!("expected an array of {expected}, found one of {found}"));
    }
    let Rows { elem, rank, .. } = expected;
    if let (1, IfaceShape::Scalar(_)) = (rank, &engine.iface(elem).shape)
        && let [Some(e), Some(f)] = [&expected, &found].map(|rows| rows.columns.first()?.to_host())
    {
        return norn_values::compare(&e, &f, tolerance).map(|()| Vec::new()).map_err(|d| d.to_string());
    }
    let mut parts = Vec::new();
    for i in 0..expected.count() {
        let (e, f) = (expected.row(i), found.row(i));
        parts.push(match rank {
            1 => Pair::Items(engine.item(elem, e), engine.item(elem, f)),
            _ => {
                let rows = |columns| Rows { elem, rank: rank - 1, columns };
                Pair::Rows(rows(e), rows(f))
            }
        });
    }
    Ok(parts)
}
