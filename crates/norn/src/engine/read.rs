//! Items from text (and, by `binary`, from bytes), by the type that is expected: what [`write_text`](super::write_text) writes, and what people write.
//!
//! ```text
//! value  ::= plain                                     as Futhark's text format has it: 1, 2.5f32, [1, 2], "ab"
//!          | "(" value ")"
//!          | "(" value "," .. ")"                      a tuple
//!          | "{" field "=" value "," .. "}"            a record, its fields in any order
//!          | "#" constructor value ..                  payloads that are constructors with payloads in parentheses
//!          | "[" value "," .. "]"
//!          | "empty" "(" dim .. type ")"               dim ::= "[" number "]" | "[?]"
//! ```
//!
//! Numbers have the type that stands in their place, so that they need no suffix, and neither does `[]`. What is still
//! to be read is kept in a list of tasks: a list of a million elements is nested as deep as it is long.

use super::assemble::{Assembly, WrongLength};
use super::columns::Column;
use super::error::counted;
use super::{Engine, Item, ItemType, Opaque};
use norn_interp::{CellParts, Region};
use norn_ir::nest::iface::payload_columns;
use norn_ir::nest::{DataId, Elem, IfaceId, IfaceShape, Prim, Scalar, tag_prim};
use norn_values::{Data, ErrorKind, Expected, ReadError, Reader, element_count, end_of_balanced};
use std::ops::Range;

impl Engine {
    /// The next item, which must be of this type; none at the end of the input.
    pub fn read_item(&self, ty: ItemType, reader: &mut Reader) -> Result<Option<Item>, ReadError> {
        match ty {
            ItemType::Plain(plain) => Ok(reader.next_value(Some(&plain))?.map(Item::Value)),
            ItemType::Opaque(_) if reader.rest().is_empty() => Ok(None),
            ItemType::Opaque(id) if reader.sees_binary() => self.read_binary_item(id, reader).map(Some),
            ItemType::Opaque(id) => {
                let iface = self.iface(id);
                let columns = iface.columns.iter();
                let assemblies =
                    columns.map(|column| Assembly::new(column.elem, column.irregular.iter().copied()));
                let mut parser = Parser {
                    engine: self,
                    reader,
                    cells: Vec::new(),
                    targets: vec![assemblies.collect()],
                    tasks: vec![Task::Value {
                        slot: Slot { ty: id, column: 0, level: 0 },
                        is_argument: false,
                    }],
                };
                while let Some(task) = parser.tasks.pop() {
                    parser.step(task)?;
                }
                let region = Region::from_cells(std::mem::take(&mut parser.cells));
                let assemblies = parser.targets.pop().unwrap_or_default();
                let columns: Vec<Column> =
                    assemblies.into_iter().map(|assembly| assembly.into_column(&region)).collect();
                Ok(Some(Item::Opaque(Opaque { ty: id, columns })))
            }
        }
    }

    /// Whether values of a type can be written and read: whether there are no functions in them.
    pub fn has_text(&self, ty: ItemType) -> bool {
        let ItemType::Opaque(id) = ty else { return true };
        let mut seen = vec![id];
        let mut at = 0;
        while let Some(&id) = seen.get(at) {
            at += 1;
            let parts: Vec<IfaceId> = match &self.iface(id).shape {
                IfaceShape::Scalar(_) | IfaceShape::Array(..) => Vec::new(),
                IfaceShape::OpaqueArray(elem, _) => vec![*elem],
                IfaceShape::Record(fields) => fields.iter().map(|(_, id)| *id).collect(),
                IfaceShape::Sum(constrs) | IfaceShape::Recursive(constrs) => {
                    constrs.iter().flat_map(|(_, ids)| ids).copied().collect()
                }
                IfaceShape::Opaque => return false,
            };
            for part in parts {
                if !seen.contains(&part) {
                    seen.push(part);
                }
            }
        }
        true
    }
}

/// Where a value goes: the first of its columns among those of the target, and how many dimensions are around it.
#[derive(Clone, Copy)]
struct Slot {
    ty: IfaceId,
    column: usize,
    level: usize,
}

/// An array, or a part of one.
#[derive(Clone)]
struct Rows {
    elem: RowElem,
    /// How many dimensions are left.
    rank: usize,
    columns: Range<usize>,
    level: usize,
}

#[derive(Clone, Copy)]
enum RowElem {
    Plain(Prim),
    Item(IfaceId),
}

/// What is still to be read.
enum Task<'a> {
    Value {
        slot: Slot,
        is_argument: bool,
    },
    Array(Rows),
    /// `,` and another row, or `]`. The array began at `start` and has `count` rows so far.
    NextRow {
        rows: Rows,
        start: usize,
        count: usize,
    },
    /// A field of a tuple, or `)`.
    NextPart {
        fields: &'a [(String, IfaceId)],
        next: usize,
        slot: Slot,
    },
    /// A field of a record, or `}`.
    NextField {
        fields: &'a [(String, IfaceId)],
        seen: Vec<bool>,
        slot: Slot,
    },
    /// The payload of a constructor is there: its cell.
    Cell {
        data: DataId,
        constr: usize,
        column: usize,
    },
    /// `)`
    Close,
}

struct Parser<'a, 'r, 'b> {
    engine: &'a Engine,
    reader: &'r mut Reader<'b>,
    cells: Vec<CellParts>,
    /// The columns of the item, and those of the cells that are not complete.
    targets: Vec<Vec<Assembly>>,
    tasks: Vec<Task<'a>>,
}

impl<'a> Parser<'a, '_, '_> {
    fn step(&mut self, task: Task<'a>) -> Result<(), ReadError> {
        match task {
            Task::Value { slot, is_argument } => self.value(slot, is_argument),
            Task::Array(rows) => self.array(rows),
            Task::NextRow { rows, start, count } => self.next_row(rows, start, count),
            Task::NextPart { fields, next, slot } => self.next_part(fields, next, slot),
            Task::NextField { fields, seen, slot } => self.next_field(fields, seen, slot),
            Task::Cell { data, constr, column } => self.cell(data, constr, column),
            Task::Close => self.expect(")"),
        }
    }

    fn value(&mut self, slot: Slot, is_argument: bool) -> Result<(), ReadError> {
        let iface = self.engine.iface(slot.ty);
        let is_tuple = matches!(&iface.shape, IfaceShape::Record(fields) if is_tuple(fields));
        if (!is_tuple || in_parentheses(self.reader.rest())) && self.reader.accept("(") {
            self.tasks.push(Task::Close);
            self.tasks.push(Task::Value { slot, is_argument: false });
            return Ok(());
        }
        match &iface.shape {
            IfaceShape::Scalar(prim) => {
                let value = self.reader.require_value(Some(&Expected::new(*prim, 0)))?;
                self.column(slot.column).push(value.into_parts().1);
                Ok(())
            }
            IfaceShape::Array(prim, rank) => self.array(Rows {
                elem: RowElem::Plain(*prim),
                rank: *rank,
                columns: slot.column..slot.column + 1,
                level: slot.level,
            }),
            IfaceShape::OpaqueArray(elem, rank) => {
                let row_elem = match self.engine.iface(*elem).shape {
                    IfaceShape::Scalar(prim) => RowElem::Plain(prim),
                    IfaceShape::Array(..)
                    | IfaceShape::OpaqueArray(..)
                    | IfaceShape::Record(_)
                    | IfaceShape::Sum(_)
                    | IfaceShape::Recursive(_)
                    | IfaceShape::Opaque => RowElem::Item(*elem),
                };
                let columns = slot.column..slot.column + iface.columns.len();
                self.array(Rows { elem: row_elem, rank: *rank, columns, level: slot.level })
            }
            IfaceShape::Record(fields) if is_tuple => {
                self.expect("(")?;
                if fields.is_empty() {
                    self.column(slot.column).fill(slot.level);
                }
                self.tasks.push(Task::NextPart { fields, next: 0, slot });
                Ok(())
            }
            IfaceShape::Record(fields) => {
                self.expect("{")?;
                self.tasks.push(Task::NextField { fields, seen: vec![false; fields.len()], slot });
                Ok(())
            }
            IfaceShape::Sum(constrs) => {
                let number = self.constructor(constrs, is_argument, &iface.name)?;
                self.choose(constrs, number, slot);
                Ok(())
            }
            IfaceShape::Recursive(constrs) => {
                let number = self.constructor(constrs, is_argument, &iface.name)?;
                let Some(Elem::Ref(data, _)) = iface.columns.first().map(|column| column.elem) else {
                    panic!("engine: the recursive type {} has no column of refs", iface.name)
                };
                self.begin_cell(data, number, &constrs[number].1, slot.column);
                Ok(())
            }
            IfaceShape::Opaque => {
                let at = self.reader.offset();
                let expected = "a value that can be written down";
                Err(self.reader.error_at(
                    at,
                    ErrorKind::Unsupported,
                    expected,
                    format!("the type {}", iface.name),
                ))
            }
        }
    }

    fn column(&mut self, number: usize) -> &mut Assembly {
        let target = self.targets.last_mut();
        &mut target.unwrap_or_else(|| panic!("engine: the item's own columns are always there"))[number]
    }

    fn expect(&mut self, what: &str) -> Result<(), ReadError> {
        if self.reader.accept(what) { Ok(()) } else { Err(self.reader.expected(format!("`{what}`"))) }
    }

    /// The number of the constructor that is next.
    fn constructor(
        &mut self,
        constrs: &[(String, Vec<IfaceId>)],
        is_argument: bool,
        ty: &str,
    ) -> Result<usize, ReadError> {
        self.reader.rest();
        let start = self.reader.offset();
        if !self.reader.accept("#") {
            return Err(self.reader.expected(format!("a value of type {ty}")));
        }
        let name = self.reader.take_word();
        let Some(number) = constrs.iter().position(|(known, _)| *known == name) else {
            let names: Vec<String> = constrs.iter().map(|(name, _)| format!("`#{name}`")).collect();
            let expected = format!("a constructor of {ty}: {}", names.join(", "));
            return Err(self.reader.error_at(start, ErrorKind::Type, expected, format!("`#{name}`")));
        };
        if is_argument && !constrs[number].1.is_empty() {
            let expected = format!("`(#{name} ..)`, in parentheses");
            return Err(self.reader.error_at(start, ErrorKind::Syntax, expected, format!("`#{name}`")));
        }
        Ok(number)
    }

    /// A value of a sum: its tag, and the payloads of all constructors, of which only one's are there.
    fn choose(&mut self, constrs: &'a [(String, Vec<IfaceId>)], number: usize, slot: Slot) {
        let tag = Scalar::from_int(tag_prim(constrs.len()), number as i128);
        self.column(slot.column).push(scalar_data(tag));
        let first = payload_columns(&self.engine.prog().ifaces, constrs).swap_remove(number);
        let payload: Vec<Slot> = constrs[number]
            .1
            .iter()
            .zip(first)
            .map(|(&ty, first)| Slot { ty, column: slot.column + first, level: slot.level })
            .collect();
        let width = |ty: IfaceId| self.engine.iface(ty).columns.len();
        let own: Vec<usize> =
            payload.iter().flat_map(|part| part.column..part.column + width(part.ty)).collect();
        for column in slot.column + 1..slot.column + width(slot.ty) {
            if !own.contains(&column) {
                self.column(column).fill(slot.level);
            }
        }
        self.arguments(payload);
    }

    fn arguments(&mut self, slots: Vec<Slot>) {
        let tasks = slots.into_iter().rev().map(|slot| Task::Value { slot, is_argument: true });
        self.tasks.extend(tasks);
    }

    fn begin_cell(&mut self, data: DataId, constr: usize, payload: &[IfaceId], column: usize) {
        let columns = &self.engine.prog().datas[data.0 as usize].constrs[constr].columns;
        let assembly = |ty: &norn_ir::nest::Type| {
            let elem = ty.elem().unwrap_or_else(|| panic!("engine: a cell holds values"));
            // A row in a cell has a length of its own.
            let irregular = ty.dims().iter().enumerate().map(|(i, dim)| i > 0 && dim.atom().is_none());
            Assembly::new(elem, irregular)
        };
        self.targets.push(columns.iter().map(assembly).collect());
        self.tasks.push(Task::Cell { data, constr, column });
        let ranges = self.engine.ranges(payload.iter().copied());
        let slots =
            payload.iter().zip(ranges).map(|(id, range)| Slot { ty: *id, column: range.start, level: 0 });
        self.arguments(slots.collect());
    }

    fn cell(&mut self, data: DataId, constr: usize, column: usize) -> Result<(), ReadError> {
        let fields = self.targets.pop().unwrap_or_default();
        let fields = fields.into_iter().map(Assembly::into_field).collect();
        let Some(number) = u32::try_from(self.cells.len()).ok().filter(|n| *n < norn_interp::NO_CELL) else {
            let at = self.reader.offset();
            let found = "more than 4,294,967,294";
            return Err(self.reader.error_at(at, ErrorKind::TooLarge, "fewer constructors", found));
        };
        self.cells.push(CellParts { data: data.0 as usize, constr, fields });
        self.column(column).push_cell(number);
        Ok(())
    }

    fn next_part(
        &mut self,
        fields: &'a [(String, IfaceId)],
        next: usize,
        slot: Slot,
    ) -> Result<(), ReadError> {
        if next == fields.len() {
            return self.expect(")");
        }
        if next > 0 {
            self.expect(",")?;
        }
        let column = self.field_column(fields, next, slot);
        self.tasks.push(Task::NextPart { fields, next: next + 1, slot });
        let slot = Slot { ty: fields[next].1, column, level: slot.level };
        self.tasks.push(Task::Value { slot, is_argument: false });
        Ok(())
    }

    fn next_field(
        &mut self,
        fields: &'a [(String, IfaceId)],
        mut seen: Vec<bool>,
        slot: Slot,
    ) -> Result<(), ReadError> {
        if self.reader.accept("}") {
            let Some(missing) = seen.iter().position(|seen| !seen) else { return Ok(()) };
            let at = self.reader.offset() - 1;
            let expected = format!("the field `{}`", fields[missing].0);
            return Err(self.reader.error_at(at, ErrorKind::Type, expected, "`}`"));
        }
        if seen.contains(&true) {
            self.expect(",")?;
        }
        self.reader.rest();
        let start = self.reader.offset();
        let name = self.reader.take_word();
        let Some(number) = fields.iter().position(|(known, _)| *known == name).filter(|i| !seen[*i]) else {
            let left: Vec<String> = fields
                .iter()
                .zip(&seen)
                .filter(|(_, seen)| !**seen)
                .map(|((f, _), _)| format!("`{f}`"))
                .collect();
            self.reader.rewind(start);
            let what = if left.is_empty() { "`}`".into() } else { format!("a field: {}", left.join(", ")) };
            return Err(self.reader.expected(what));
        };
        self.expect("=")?;
        seen[number] = true;
        let column = self.field_column(fields, number, slot);
        self.tasks.push(Task::NextField { fields, seen, slot });
        let slot = Slot { ty: fields[number].1, column, level: slot.level };
        self.tasks.push(Task::Value { slot, is_argument: false });
        Ok(())
    }

    /// The first column of a field.
    fn field_column(&self, fields: &[(String, IfaceId)], number: usize, slot: Slot) -> usize {
        let before = fields[..number].iter().map(|(_, id)| self.engine.iface(*id).columns.len());
        slot.column + before.sum::<usize>()
    }

    fn array(&mut self, rows: Rows) -> Result<(), ReadError> {
        self.reader.rest();
        let start = self.reader.offset();
        if let (RowElem::Plain(prim), 1) = (rows.elem, rows.rank)
            && !self.sees_empty_brackets()
        {
            let value = self.reader.require_value(Some(&Expected::new(prim, 1)))?;
            let count = value.len();
            self.column(rows.columns.start).push(value.into_parts().1);
            return self.close(&rows, 0, start, count);
        }
        if self.reader.accept("empty") {
            return self.empty(&rows, start);
        }
        if !self.reader.accept("[") {
            return Err(self.reader.expected(format!("an array of type {}", self.rows_type(&rows))));
        }
        if self.reader.accept("]") {
            return self.close(&rows, 0, start, 0);
        }
        self.begin_row(rows, start, 0);
        Ok(())
    }

    fn sees_empty_brackets(&mut self) -> bool {
        let start = self.reader.offset();
        let found = self.reader.accept("[") && self.reader.accept("]");
        self.reader.rewind(start);
        found
    }

    fn begin_row(&mut self, rows: Rows, start: usize, count: usize) {
        let row = match rows.elem {
            RowElem::Item(ty) if rows.rank == 1 => {
                let slot = Slot { ty, column: rows.columns.start, level: rows.level + 1 };
                Task::Value { slot, is_argument: false }
            }
            RowElem::Item(_) | RowElem::Plain(_) => {
                Task::Array(Rows { rank: rows.rank - 1, level: rows.level + 1, ..rows.clone() })
            }
        };
        self.tasks.push(Task::NextRow { rows, start, count });
        self.tasks.push(row);
    }

    fn next_row(&mut self, rows: Rows, start: usize, count: usize) -> Result<(), ReadError> {
        let count = count + 1;
        let goes_on = self.reader.accept(",");
        if self.reader.accept("]") {
            return self.close(&rows, 0, start, count);
        }
        if !goes_on {
            return Err(self.reader.expected("`,` or `]`"));
        }
        self.begin_row(rows, start, count);
        Ok(())
    }

    /// Ends a row of an array, `inner` dimensions below its first.
    fn close(&mut self, rows: &Rows, inner: usize, start: usize, count: usize) -> Result<(), ReadError> {
        for column in rows.columns.clone() {
            if let Err(WrongLength(expected)) = self.column(column).close(rows.level + inner, count) {
                let [expected, found] = [expected, count].map(|count| counted(count, "element"));
                let expected = format!("a row of {expected}");
                return Err(self.reader.error_at(start, ErrorKind::Irregular, expected, found));
            }
        }
        Ok(())
    }

    /// What follows `empty`.
    fn empty(&mut self, rows: &Rows, start: usize) -> Result<(), ReadError> {
        self.expect("(")?;
        let mut dims = Vec::new();
        while self.reader.accept("[") {
            let digits = if self.reader.accept("?") { "0".into() } else { self.reader.take_word() };
            let Ok(dim) = digits.replace('_', "").parse::<usize>() else {
                return Err(self.reader.expected("a dimension"));
            };
            dims.push(dim);
            self.expect("]")?;
        }
        let found = self.reader.take_balanced().trim().to_string();
        self.expect(")")?;
        let elem = self.elem_name(rows.elem);
        if dims.len() != rows.rank || found != elem || element_count(&dims) != Some(0) {
            let dims: String = dims.iter().map(|dim| format!("[{dim}]")).collect();
            let expected = format!("an array of type {} without elements", self.rows_type(rows));
            return Err(self.reader.error_at(
                start,
                ErrorKind::Type,
                expected,
                format!("`empty({dims}{found})`"),
            ));
        }
        for (inner, dim) in dims.iter().enumerate() {
            let around = element_count(&dims[..inner]).unwrap_or(0);
            for _ in 0..around {
                self.close(rows, inner, start, *dim)?;
            }
            if around == 0 {
                // The lengths of rows that are not there are known all the same.
                self.settle(rows, inner, *dim);
            }
        }
        Ok(())
    }

    /// Settles the length of the rows of a regular dimension, of which there are none.
    fn settle(&mut self, rows: &Rows, inner: usize, dim: usize) {
        for column in rows.columns.clone() {
            self.column(column).settle(rows.level + inner, dim);
        }
    }

    fn elem_name(&self, elem: RowElem) -> String {
        match elem {
            RowElem::Plain(prim) => prim.name().to_string(),
            RowElem::Item(id) => self.engine.iface(id).name.clone(),
        }
    }

    fn rows_type(&self, rows: &Rows) -> String {
        "[]".repeat(rows.rank) + &self.elem_name(rows.elem)
    }
}

fn scalar_data(scalar: Scalar) -> Data {
    let value = Column::Scalar(scalar).to_host();
    value.map_or_else(|| Data::empty(scalar.prim()), |value| value.into_parts().1)
}

/// Whether a tuple that begins here has parentheses around it beside its own, which have a comma in them, or nothing.
fn in_parentheses(text: &[u8]) -> bool {
    let Some(inside) = text.strip_prefix(b"(") else { return false };
    if !inside.trim_ascii_start().starts_with(b"(") {
        return false;
    }
    end_of_balanced(inside, Some(b',')).is_some_and(|end| inside[end] != b',')
}

/// Whether a record is written as a tuple.
pub(super) fn is_tuple(fields: &[(String, IfaceId)]) -> bool {
    fields.len() != 1 && fields.iter().enumerate().all(|(i, (name, _))| *name == i.to_string())
}
