//! Values between the engine and the executor.
//!
//! Plain arrays are lent to the executor as they are. What only programs understand is held by the engine as the
//! interpreter holds it, since that can be taken apart and assembled; here it is taken apart for the executor, and
//! what the executor yields is assembled.

use super::columns::Column;
use super::item::Item;
use norn_exec::{Array, Cell, Column as ExecColumn, Elements, NOWHERE, Values};
use norn_interp::{CellParts, Elements as InterpElements, Field, NO_CELL, Parts, Region};
use norn_ir::nest::iface::Column as ColumnType;
use norn_ir::nest::{Data, DataId, Elem, Iface, Scalar, Type};
use norn_values::Value;
use std::borrow::Cow;

/// Arguments on their way to the executor.
pub(super) struct Incoming<'a> {
    datas: &'a [Data],
    pub values: Values<'a>,
    /// The regions whose cells are among the values, each with the number of its first cell.
    regions: Vec<(Region, u32)>,
}

impl<'a> Incoming<'a> {
    pub fn new(datas: &'a [Data]) -> Incoming<'a> {
        Incoming { datas, values: Values::default(), regions: Vec::new() }
    }

    /// Adds the columns of an item of this type. None if it has not the shape of the type.
    pub fn add(&mut self, item: &'a Item, iface: &Iface) -> Option<()> {
        match item {
            Item::Value(value) if value.is_scalar() => self.column(&Column::from_host(value), iface, 0),
            Item::Value(value) => self.add_array(value),
            Item::Opaque(opaque) => {
                let mut columns = opaque.columns.iter().enumerate();
                columns.try_for_each(|(i, column)| self.column(column, iface, i))
            }
        }
    }

    /// Adds a plain array. None if it is too large.
    pub fn add_array(&mut self, value: &'a Value) -> Option<()> {
        let array = Array::regular(value.shape(), Cow::Borrowed(value.data()))?;
        self.values.columns.push(ExecColumn::Array(array));
        Some(())
    }

    fn column(&mut self, column: &Column, iface: &Iface, number: usize) -> Option<()> {
        let first = match column.region() {
            Some(region) => self.first_cell(region)?,
            None => 0,
        };
        self.values.columns.push(exec_column(column, iface.columns.get(number)?, first)?);
        Some(())
    }

    /// The number that the first cell of a region has among the values, to which all its cells are added.
    fn first_cell(&mut self, region: &Region) -> Option<u32> {
        if let Some((_, first)) = self.regions.iter().find(|(known, _)| known.is(region)) {
            return Some(*first);
        }
        let first = u32::try_from(self.values.cells.len()).ok()?;
        self.regions.push((region.clone(), first));
        for cell in region.cells(self.datas)? {
            let columns = &self.datas[cell.data].constrs[cell.constr].columns;
            let fields = cell.fields.into_iter().zip(columns).map(|(each, ty)| field(each, ty, first));
            let fields: Option<Vec<ExecColumn>> = fields.collect();
            let data = DataId(cell.data as u32);
            self.values.cells.push(Cell { data, constr: cell.constr, fields: fields? });
        }
        Some(first)
    }
}

/// A column of this type that leads to no cells.
pub(super) fn plain_column(column: &Column, ty: &ColumnType) -> Option<ExecColumn<'static>> {
    if column.region().is_some() { None } else { exec_column(column, ty, 0) }
}

/// A column whose region begins with the cell `first`.
fn exec_column(column: &Column, ty: &ColumnType, first: u32) -> Option<ExecColumn<'static>> {
    match column {
        Column::Scalar(scalar) => Some(ExecColumn::Scalar(*scalar)),
        Column::Ref(place) => Some(ExecColumn::Ref(moved(place.cell(), first))),
        Column::Array(_) => Some(ExecColumn::Array(array(column.to_parts(ty)?, first)?)),
        Column::Region(_) | Column::Acc(_) | Column::Cert => None,
    }
}

fn field(field: Field, ty: &Type, first: u32) -> Option<ExecColumn<'static>> {
    Some(match (field, ty.elem()?) {
        (Field::Word(word), Elem::Prim(prim)) => ExecColumn::Scalar(Scalar::from_bits(prim, word)?),
        (Field::Word(word), Elem::Ref(..)) => ExecColumn::Ref(moved(word as u32, first)),
        (Field::Array(parts), _) => ExecColumn::Array(array(parts, first)?),
    })
}

fn array(parts: Parts, first: u32) -> Option<Array<'static>> {
    let elements = match parts.elements {
        InterpElements::Prim(data) => Elements::Prim(Cow::Owned(data)),
        InterpElements::Ref(cells) => {
            Elements::Ref(cells.into_iter().map(|cell| moved(cell, first)).collect())
        }
    };
    Array::new(parts.dims, parts.offsets.into_iter().map(Cow::Owned).collect(), elements)
}

/// The number of a cell whose region begins at another number.
fn moved(cell: u32, first: u32) -> u32 {
    if cell == NO_CELL { NOWHERE } else { cell + first }
}

/// The columns of a result of this type, all of which are here.
pub(super) fn columns_of(datas: &[Data], iface: &Iface, values: Values<'static>) -> Vec<Column> {
    let holds_refs = iface.columns.iter().any(|column| matches!(column.elem, Elem::Ref(..)));
    let region = holds_refs.then(|| Region::from_cells(values.cells.into_iter().map(cell_parts).collect()));
    debug_assert!(!holds_refs || !datas.is_empty());
    let column = |column: ExecColumn<'static>| match column {
        ExecColumn::Scalar(scalar) => Column::Scalar(scalar),
        ExecColumn::Ref(cell) => Column::from_cell(region.clone().unwrap_or_default(), cell),
        ExecColumn::Array(array) => {
            let region = matches!(array.elements(), Elements::Ref(_)).then(|| region.clone()).flatten();
            Column::from_parts(parts(array), region)
        }
        ExecColumn::Held(_) => panic!("a column that was not fetched from the GPU"),
    };
    values.columns.into_iter().map(column).collect()
}

fn cell_parts(cell: Cell<'static>) -> CellParts {
    let field = |field: ExecColumn<'static>| match field {
        ExecColumn::Scalar(scalar) => Field::Word(scalar.bits()),
        ExecColumn::Ref(cell) => Field::Word(cell.into()),
        ExecColumn::Array(array) => Field::Array(parts(array)),
        ExecColumn::Held(_) => panic!("a cell with an array on the GPU"),
    };
    CellParts {
        data: cell.data.0 as usize,
        constr: cell.constr,
        fields: cell.fields.into_iter().map(field).collect(),
    }
}

fn parts(array: Array<'static>) -> Parts {
    let (dims, offsets, elements) = array.into_parts();
    let elements = match elements {
        Elements::Prim(data) => InterpElements::Prim(data.into_owned()),
        // Both call the cell that is nowhere by the same number.
        Elements::Ref(cells) => InterpElements::Ref(cells.into_owned()),
    };
    Parts { dims, offsets: offsets.into_iter().map(Cow::into_owned).collect(), elements }
}

const _: () = assert!(NOWHERE == NO_CELL);
