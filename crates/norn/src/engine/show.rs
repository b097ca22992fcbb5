//! Items as text for people: `{a = 1, b = [2.5]}`, `(1, true)`, `#some 3`, `[[1], [2, 3]]`.
//!
//! Types are not repeated at each number; whoever shows an item shows its type beside it.

use super::{Engine, Item, Kind};
use norn_values::Value;

/// How many elements of arrays are shown, unless told otherwise.
pub const SHOWN_ELEMENTS: usize = 100;

/// The item as text, with at most `limit` elements of all its arrays together.
pub fn show(engine: &Engine, item: &Item, limit: usize) -> String {
    let mut shower = Shower { engine, out: String::new(), left: limit };
    shower.item(item, Place::Free);
    shower.out
}

struct Shower<'a> {
    engine: &'a Engine,
    out: String,
    /// How many elements may still be shown.
    left: usize,
}

/// What stands around a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Free,
    /// Behind a constructor, where signs and constructors need parentheses.
    Payload,
}

impl Shower<'_> {
    fn item(&mut self, item: &Item, place: Place) {
        match item {
            Item::Value(value) => self.value(value, place),
            Item::Opaque(_) => {
                let done = match self.engine.kind(item.ty()) {
                    Kind::Record => self.record(item),
                    Kind::Sum => self.sum(item, place),
                    Kind::Array => self.array(item),
                    Kind::Primitive | Kind::Opaque => None,
                };
                if done.is_none() {
                    self.out += &format!("<{}>", self.engine.type_name(item.ty()));
                }
            }
        }
    }

    fn record(&mut self, record: &Item) -> Option<()> {
        let fields = self.engine.fields(record.ty()).ok()?;
        let is_tuple = self.engine.tuple(record.ty()).is_some();
        self.out.push(if is_tuple { '(' } else { '{' });
        for (i, (name, _)) in fields.iter().enumerate() {
            if i > 0 {
                self.out += ", ";
            }
            if !is_tuple {
                self.out += &format!("{name} = ");
            }
            self.item(&self.engine.project(record, name).ok()?, Place::Free);
        }
        self.out.push(if is_tuple { ')' } else { '}' });
        Some(())
    }

    fn sum(&mut self, sum: &Item, place: Place) -> Option<()> {
        let name = self.engine.variant(sum).ok()?;
        let payload = self.engine.destruct(sum).ok()?;
        let parenthesised = place == Place::Payload && !payload.is_empty();
        if parenthesised {
            self.out.push('(');
        }
        self.out += &format!("#{name}");
        for item in &payload {
            self.out.push(' ');
            self.item(item, Place::Payload);
        }
        if parenthesised {
            self.out.push(')');
        }
        Some(())
    }

    fn array(&mut self, array: &Item) -> Option<()> {
        let rank = self.engine.rank(array.ty()).ok()?;
        self.rows(array, rank, &mut Vec::new())
    }

    /// The part of an array at these indices of its first dimensions.
    fn rows(&mut self, array: &Item, rank: usize, at: &mut Vec<usize>) -> Option<()> {
        if at.len() == rank {
            let index: Vec<i64> = at.iter().map(|&i| i as i64).collect();
            self.item(&self.engine.index(array, &index).ok()?, Place::Free);
            return Some(());
        }
        self.out.push('[');
        for i in 0..self.engine.row_count(array, at).ok()? {
            if i > 0 {
                self.out += ", ";
            }
            if self.is_exhausted(at.len() + 1 == rank) {
                break;
            }
            at.push(i);
            self.rows(array, rank, at)?;
            at.pop();
        }
        self.out.push(']');
        Some(())
    }

    fn value(&mut self, value: &Value, place: Place) {
        self.value_rows(value, value.shape(), 0, place);
    }

    /// The part of a value with this shape that begins at the element `start`.
    fn value_rows(&mut self, value: &Value, shape: &[usize], start: usize, place: Place) {
        let Some((&count, inner)) = shape.split_first() else {
            if let Some(element) = value.element(start) {
                self.scalar(&element, place);
            }
            return;
        };
        let step: usize = inner.iter().product();
        self.out.push('[');
        for i in 0..count {
            if i > 0 {
                self.out += ", ";
            }
            if self.is_exhausted(inner.is_empty()) {
                break;
            }
            self.value_rows(value, inner, start + i * step, Place::Free);
        }
        self.out.push(']');
    }

    /// Whether the rest of an array is left out; an element of it is counted.
    fn is_exhausted(&mut self, is_element: bool) -> bool {
        if self.left == 0 {
            self.out += "...";
            return true;
        }
        self.left -= usize::from(is_element);
        false
    }

    fn scalar(&mut self, scalar: &Value, place: Place) {
        let text = scalar.to_string();
        let name = scalar.prim().name();
        // `f32.nan` begins with the type, other numbers end with it.
        let short = text.strip_suffix(name).unwrap_or(&text);
        if place == Place::Payload && short.starts_with('-') {
            self.out += &format!("({short})");
        } else {
            self.out += short;
        }
    }
}
