//! Items as text: `{a = 1, b = [2.5]}`, `(1, true)`, `#some 3`, `[[1], [2, 3]]`.
//!
//! There are two styles. For people, types are not repeated at each number, since whoever shows an item shows its type
//! beside it, and long arrays are cut. To be read back ([`write_text`], see `read`), numbers have their suffix and arrays
//! without elements their type: `empty([0][?]i64)`.
//!
//! What is still to be written is kept in a list of tasks: a list of a million elements is nested as deep as it is long.

use super::columns::Column;
use super::read::is_tuple;
use super::{Engine, Item, ItemType, Kind, Opaque};
use norn_ir::nest::{IfaceId, IfaceShape};
use norn_values::Value;
use std::borrow::Cow;
use std::fmt::{self, Write};

/// How many elements of arrays are shown, by default.
pub const SHOWN_ELEMENTS: usize = 100;

/// The item as text, with at most `limit` elements of all its arrays together.
pub fn show(engine: &Engine, item: &Item, limit: usize) -> String {
    let mut out = String::new();
    let written = write_item(engine, item, Style::Short { left: limit }, &mut out);
    written.unwrap_or_else(|fmt::Error| panic!("a string can be written to"));
    out
}

/// Writes the item as text that reads back. The text is never there as a whole.
pub fn write_text(engine: &Engine, item: &Item, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    let mut adapter = Adapter { out, error: None };
    match write_item(engine, item, Style::Exact, &mut adapter) {
        Ok(()) => Ok(()),
        Err(fmt::Error) => Err(adapter.error.unwrap_or_else(|| std::io::ErrorKind::Other.into())),
    }
}

/// A stream of bytes as one of text.
struct Adapter<'a> {
    out: &'a mut dyn std::io::Write,
    error: Option<std::io::Error>,
}

impl fmt::Write for Adapter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}

#[derive(Clone, Copy)]
enum Style {
    /// For people; how many elements may still be shown.
    Short { left: usize },
    /// To be read back.
    Exact,
}

fn write_item(engine: &Engine, item: &Item, style: Style, out: &mut dyn Write) -> fmt::Result {
    let mut writer = Writer { engine, out, style, tasks: vec![Task::Item(item.clone(), Place::Free)] };
    while let Some(task) = writer.tasks.pop() {
        match task {
            Task::Text(text) => writer.out.write_str(&text)?,
            Task::Item(item, place) => writer.item(item, place)?,
            Task::Rows(rows) => writer.rows(rows)?,
            Task::NextRow(rows, next) => writer.next_row(rows, next)?,
        }
    }
    Ok(())
}

struct Writer<'a> {
    engine: &'a Engine,
    out: &'a mut dyn Write,
    style: Style,
    /// The next is the last.
    tasks: Vec<Task>,
}

enum Task {
    Text(Cow<'static, str>),
    Item(Item, Place),
    Rows(Rows),
    /// The row with this number and those behind it.
    NextRow(Rows, usize),
}

/// An array that is no plain value, or a part of one.
struct Rows {
    elem: IfaceId,
    rank: usize,
    columns: Vec<Column>,
}

/// What stands around a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Free,
    /// Behind a constructor, where signs and constructors need parentheses.
    Payload,
}

impl Writer<'_> {
    fn item(&mut self, item: Item, place: Place) -> fmt::Result {
        let ty = item.ty();
        let tasks = match item {
            Item::Value(value) => return self.value(&value, place),
            Item::Opaque(Opaque { ty: id, columns }) => {
                match (&self.engine.iface(id).shape, self.engine.kind(ty)) {
                    (IfaceShape::OpaqueArray(elem, rank), _) => {
                        Some(vec![Task::Rows(Rows { elem: *elem, rank: *rank, columns })])
                    }
                    (_, Kind::Record) => self.record(&Item::Opaque(Opaque { ty: id, columns })),
                    (_, Kind::Sum | Kind::Recursive) => {
                        self.sum(&Item::Opaque(Opaque { ty: id, columns }), place)
                    }
                    (_, Kind::Primitive | Kind::Array | Kind::Opaque) => None,
                }
            }
        };
        match tasks {
            Some(tasks) => self.tasks.extend(tasks.into_iter().rev()),
            None => self.nameless(ty)?,
        }
        Ok(())
    }

    /// Something that has no text.
    fn nameless(&mut self, ty: ItemType) -> fmt::Result {
        let name = self.engine.type_name(ty);
        match self.style {
            Style::Short { .. } => write!(self.out, "<{name}>"),
            Style::Exact => write!(self.out, "#<opaque {name}>"),
        }
    }

    fn record(&self, record: &Item) -> Option<Vec<Task>> {
        let fields = self.engine.record_fields(record.ty()).ok()?;
        let (open, close) = if is_tuple(fields) { ("(", ")") } else { ("{", "}") };
        let mut tasks = vec![Task::Text(open.into())];
        for (i, (name, _)) in fields.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            tasks.push(Task::Text(match is_tuple(fields) {
                true => comma.into(),
                false => format!("{comma}{name} = ").into(),
            }));
            tasks.push(Task::Item(self.engine.project(record, name).ok()?, Place::Free));
        }
        tasks.push(Task::Text(close.into()));
        Some(tasks)
    }

    fn sum(&self, sum: &Item, place: Place) -> Option<Vec<Task>> {
        let name = self.engine.variant(sum).ok()?;
        let payload = self.engine.destruct(sum).ok()?;
        let (open, close) =
            if place == Place::Payload && !payload.is_empty() { ("(", ")") } else { ("", "") };
        let mut tasks = vec![Task::Text(format!("{open}#{name}").into())];
        for item in payload {
            tasks.push(Task::Text(" ".into()));
            tasks.push(Task::Item(item, Place::Payload));
        }
        tasks.push(Task::Text(close.into()));
        Some(tasks)
    }

    fn rows(&mut self, rows: Rows) -> fmt::Result {
        let Rows { elem, rank, columns } = &rows;
        let shape: &[usize] = columns.first().map_or(&[], Column::shape);
        let is_empty = shape.first() == Some(&0);
        if let (true, Style::Exact) = (is_empty, self.style) {
            let dim = |i: usize| shape.get(i).map_or("[?]".to_string(), |dim| format!("[{dim}]"));
            let dims: String = (0..*rank).map(dim).collect();
            return write!(self.out, "empty({dims}{})", self.engine.iface(*elem).name);
        }
        if let (1, IfaceShape::Scalar(_), Some(value)) =
            (*rank, &self.engine.iface(*elem).shape, columns.first().and_then(Column::to_host))
        {
            return self.value(&value, Place::Free);
        }
        self.out.write_char('[')?;
        self.tasks.push(Task::NextRow(rows, 0));
        Ok(())
    }

    fn next_row(&mut self, rows: Rows, next: usize) -> fmt::Result {
        let count = rows.columns.first().and_then(|column| column.shape().first().copied()).unwrap_or(0);
        if next == count {
            return self.out.write_char(']');
        }
        if next > 0 {
            self.out.write_str(", ")?;
        }
        if self.is_exhausted(rows.rank == 1)? {
            return self.out.write_char(']');
        }
        let row: Option<Vec<Column>> = rows.columns.iter().map(|column| column.index_outer(next)).collect();
        let columns = row.unwrap_or_else(|| panic!("engine: the columns of an array differ in length"));
        let (elem, rank) = (rows.elem, rows.rank);
        self.tasks.push(Task::NextRow(rows, next + 1));
        self.tasks.push(match rank {
            1 => Task::Item(self.engine.item(elem, columns), Place::Free),
            _ => Task::Rows(Rows { elem, rank: rank - 1, columns }),
        });
        Ok(())
    }

    fn value(&mut self, value: &Value, place: Place) -> fmt::Result {
        match self.style {
            Style::Exact if value.is_scalar() && place == Place::Payload => {
                let text = value.to_string();
                if text.starts_with('-') { write!(self.out, "({text})") } else { self.out.write_str(&text) }
            }
            Style::Exact => write!(self.out, "{value}"),
            Style::Short { .. } => self.value_rows(value, value.shape(), 0, place),
        }
    }

    /// The part of a value with this shape that begins at the element `start`. The recursion is as deep as the value has
    /// dimensions, which are few.
    fn value_rows(&mut self, value: &Value, shape: &[usize], start: usize, place: Place) -> fmt::Result {
        let Some((&count, inner)) = shape.split_first() else {
            return value.element(start).map_or(Ok(()), |element| self.scalar(&element, place));
        };
        let step: usize = inner.iter().product();
        self.out.write_char('[')?;
        for i in 0..count {
            if i > 0 {
                self.out.write_str(", ")?;
            }
            if self.is_exhausted(inner.is_empty())? {
                break;
            }
            self.value_rows(value, inner, start + i * step, Place::Free)?;
        }
        self.out.write_char(']')
    }

    /// Whether the rest of an array is left out; an element of it is counted.
    fn is_exhausted(&mut self, is_element: bool) -> Result<bool, fmt::Error> {
        match &mut self.style {
            Style::Exact => Ok(false),
            Style::Short { left: 0 } => self.out.write_str("...").map(|()| true),
            Style::Short { left } => {
                *left -= usize::from(is_element);
                Ok(false)
            }
        }
    }

    fn scalar(&mut self, scalar: &Value, place: Place) -> fmt::Result {
        let text = scalar.to_string();
        let name = scalar.prim().name();
        // `f32.nan` begins with the type, other numbers end with it.
        let short = text.strip_suffix(name).unwrap_or(&text);
        if place == Place::Payload && short.starts_with('-') {
            write!(self.out, "({short})")
        } else {
            self.out.write_str(short)
        }
    }
}
