//! Values that stay where a program has them, from call to call.
//!
//! An [`Item`] is in the host's memory, in a form that can be looked into. Whoever passes results on, or calls entry points many times with
//! the same values, keeps them instead: arrays stay on the GPU, or where the program made them, and are passed on without a copy. Values
//! that have no large or irregular arrays of numbers, and those with cells, are not kept.

use super::columns::Column;
use super::crossing::{Incoming, plain_column};
use super::runner::{Runner, kept_columns};
use super::{Engine, Item, ItemType};
use norn_exec::{Array, Column as ExecColumn, Elements, Exec, Held};
use norn_ir::nest::iface::Column as ColumnType;
use norn_ir::nest::{Elem, IfaceId};
use norn_values::{Expected, Value};
use std::sync::{Arc, Mutex, PoisonError};

/// A value some of whose arrays stay where they are. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Kept {
    ty: ItemType,
    pub(super) columns: Vec<ExecColumn<'static>>,
}

/// What entry points are called with.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'a> {
    Item(&'a Item),
    Kept(&'a Kept),
    Given(&'a Given),
}

/// A value that the next call takes for itself: if nobody else has a handle of it, an entry point that consumes it (`*[]f32`) overwrites it where it is.
#[derive(Debug)]
pub struct Given {
    ty: ItemType,
    kept: Mutex<Option<Kept>>,
}

impl Given {
    pub fn new(kept: Kept) -> Given {
        Given { ty: kept.ty, kept: Mutex::new(Some(kept)) }
    }

    /// None if a call has taken it already.
    pub(super) fn take(&self) -> Option<Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A value of a program, wherever it is.
#[derive(Clone, Debug)]
pub enum Handle {
    Item(Item),
    Kept(Kept),
}

impl Kept {
    pub fn ty(&self) -> ItemType {
        self.ty
    }

    /// A regular array. None if it has rows of different lengths.
    pub fn array(held: Held) -> Option<Kept> {
        let rank = held.dims().iter().copied().collect::<Option<Vec<usize>>>()?.len();
        let ty = ItemType::Plain(Expected::new(held.prim(), rank));
        Some(Kept { ty, columns: vec![ExecColumn::Held(held)] })
    }

    /// Its columns, by the rules of `nest::iface`. None of them leads to cells.
    pub fn columns(&self) -> &[ExecColumn<'static>] {
        &self.columns
    }

    /// What it is, if it is nothing but a regular array.
    pub fn as_array(&self) -> Option<&Held> {
        match (&self.ty, &self.columns[..]) {
            (ItemType::Plain(_), [ExecColumn::Held(held)]) => Some(held),
            (ItemType::Plain(_) | ItemType::Opaque(_), _) => None,
        }
    }
}

impl Argument<'_> {
    pub fn ty(&self) -> ItemType {
        match self {
            Argument::Item(item) => item.ty(),
            Argument::Kept(kept) => kept.ty,
            Argument::Given(given) => given.ty,
        }
    }
}

impl Handle {
    pub(super) fn kept(ty: ItemType, columns: Vec<ExecColumn<'static>>) -> Handle {
        Handle::Kept(Kept { ty, columns })
    }

    pub fn ty(&self) -> ItemType {
        Argument::from(self).ty()
    }

    /// The scalar or regular array that it is, in the host's memory. The error is a sentence.
    pub fn to_value(&self) -> Result<Value, String> {
        let value = match self {
            Handle::Item(Item::Value(value)) => Some(value.clone()),
            Handle::Item(Item::Opaque(_)) => None,
            Handle::Kept(kept) => {
                kept.as_array().map(|array| array.fetch()).transpose()?.and_then(array_value)
            }
        };
        value.ok_or_else(|| "The value is no scalar and no regular array of scalars.".to_string())
    }
}

impl<'a> From<&'a Item> for Argument<'a> {
    fn from(item: &'a Item) -> Argument<'a> {
        Argument::Item(item)
    }
}

impl<'a> From<&'a Kept> for Argument<'a> {
    fn from(kept: &'a Kept) -> Argument<'a> {
        Argument::Kept(kept)
    }
}

impl<'a> From<&'a Handle> for Argument<'a> {
    fn from(handle: &'a Handle) -> Argument<'a> {
        match handle {
            Handle::Item(item) => Argument::Item(item),
            Handle::Kept(kept) => Argument::Kept(kept),
        }
    }
}

impl From<Item> for Handle {
    fn from(item: Item) -> Handle {
        Handle::Item(item)
    }
}

impl From<Value> for Handle {
    fn from(value: Value) -> Handle {
        Handle::Item(Item::Value(value))
    }
}

impl Engine {
    /// Whether an entry point works on arrays that are on a GPU.
    pub fn is_on_gpu(&self, entry: &str) -> bool {
        let number = self.entries().iter().position(|found| found.name == entry);
        self.exec().zip(number).is_some_and(|(exec, number)| exec.takes_held(number))
    }

    /// The item with its arrays on the GPU. None if there is no GPU, or not enough memory on it, or nothing that it
    /// could hold.
    pub fn keep(&self, item: &Item) -> Option<Kept> {
        let Runner::Compiled { prog, exec, .. } = &self.runner else { return None };
        exec.gpu()?;
        let mut incoming = Incoming::new(&prog.datas);
        match item {
            Item::Value(value) if value.is_scalar() => return None,
            Item::Value(value) => incoming.add_array(value)?,
            Item::Opaque(opaque) => incoming.add(item, &prog.ifaces[opaque.ty.0 as usize])?,
        }
        if !incoming.values.cells.is_empty() {
            return None;
        }
        let mut columns = Vec::new();
        let mut holds = false;
        for column in incoming.values.columns {
            columns.push(match column {
                ExecColumn::Array(array) => {
                    holds = true;
                    ExecColumn::Held(exec.hold(&array)?)
                }
                ExecColumn::Scalar(scalar) => ExecColumn::Scalar(scalar),
                ExecColumn::Held(held) => ExecColumn::Held(held),
                ExecColumn::Ref(_) => return None,
            });
        }
        holds.then_some(Kept { ty: item.ty(), columns })
    }

    /// What was kept, as an item. The error is a sentence.
    pub fn fetch(&self, kept: &Kept) -> Result<Item, String> {
        match kept.ty {
            ItemType::Opaque(id) => Ok(self.item(id, kept_columns(self.prog(), self.exec(), id, kept)?)),
            ItemType::Plain(_) => {
                let column = kept.columns.first().map(|column| fetched(self.exec(), column)).transpose()?;
                let value = column.and_then(plain_value);
                Ok(Item::Value(value.unwrap_or_else(|| panic!("a plain value that is no regular array"))))
            }
        }
    }

    /// The value of this type with these columns. None if they are not those of the type, or lead to cells.
    pub fn of_columns(&self, id: IfaceId, columns: Vec<ExecColumn<'static>>) -> Option<Kept> {
        let types = &self.iface(id).columns;
        let fit =
            types.len() == columns.len() && types.iter().zip(&columns).all(|(ty, column)| fits(ty, column));
        fit.then(|| Kept { ty: self.item_type(id), columns })
    }

    /// The columns of a value of this type, unless they lead to cells.
    pub fn to_columns(&self, id: IfaceId, handle: Handle) -> Option<Vec<ExecColumn<'static>>> {
        match handle {
            Handle::Kept(kept) => Some(kept.columns),
            Handle::Item(Item::Value(value)) if value.is_scalar() => {
                Some(vec![plain_column(&Column::from_host(&value), self.iface(id).columns.first()?)?])
            }
            Handle::Item(Item::Value(value)) => {
                let (shape, data) = value.into_parts();
                Some(vec![ExecColumn::Held(Held::of_host(&shape, Arc::new(data))?)])
            }
            Handle::Item(Item::Opaque(opaque)) => {
                let columns = opaque.columns.iter().zip(&self.iface(id).columns);
                columns.map(|(column, ty)| plain_column(column, ty)).collect()
            }
        }
    }

    /// The value as an item. The error is a sentence.
    pub fn to_item(&self, handle: Handle) -> Result<Item, String> {
        match handle {
            Handle::Item(item) => Ok(item),
            Handle::Kept(kept) => self.fetch(&kept),
        }
    }
}

/// A column that can be looked into, in the host's memory. The copy counts as memory of the program.
pub(super) fn fetched<'a>(exec: Option<&Exec>, column: &ExecColumn<'a>) -> Result<ExecColumn<'a>, String> {
    match column {
        ExecColumn::Held(held) => {
            exec.map_or(Ok(()), |exec| exec.has_room(held.bytes()))?;
            held.fetch().map(ExecColumn::Array)
        }
        ExecColumn::Scalar(_) | ExecColumn::Ref(_) | ExecColumn::Array(_) => Ok(column.clone()),
    }
}

/// Whether a column is of a type.
fn fits(ty: &ColumnType, column: &ExecColumn) -> bool {
    let Elem::Prim(prim) = ty.elem else { return false };
    let has_dims = |dims: &[Option<usize>]| {
        !dims.is_empty() && dims.iter().map(Option::is_none).eq(ty.irregular.iter().copied())
    };
    match column {
        ExecColumn::Scalar(scalar) => ty.irregular.is_empty() && scalar.prim() == prim,
        ExecColumn::Held(held) => held.prim() == prim && has_dims(held.dims()),
        ExecColumn::Array(array) => match array.elements() {
            Elements::Prim(data) => data.prim() == prim && has_dims(array.dims()),
            Elements::Ref(_) => false,
        },
        ExecColumn::Ref(_) => false,
    }
}

fn plain_value(column: ExecColumn<'static>) -> Option<Value> {
    let ExecColumn::Array(array) = column else { return None };
    array_value(array)
}

fn array_value(array: Array<'static>) -> Option<Value> {
    let (dims, _, elements) = array.into_parts();
    let shape: Option<Vec<usize>> = dims.into_iter().collect();
    match elements {
        Elements::Prim(data) => Value::new(shape?, data.into_owned()).ok(),
        Elements::Ref(_) => None,
    }
}
