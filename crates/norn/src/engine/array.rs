//! Arrays: their shape, their elements, new ones. Errors are sentences.

use super::columns::{self, Column};
use super::error::counted;
use super::item::WrongType;
use super::{Engine, Item, ItemType, Opaque};
use norn_ir::nest::IfaceShape;
use norn_ir::nest::iface::Column as ColumnType;
use norn_values::{Expected, element_count};

impl Engine {
    /// The dimensions of an array, which must be regular.
    pub fn shape(&self, array: &Item) -> Result<Vec<usize>, String> {
        let rank = self.rank(array.ty())?;
        self.dims(array, rank)
    }

    /// How many rows the part of an array at these indices has.
    pub fn row_count(&self, array: &Item, indices: &[usize]) -> Result<usize, String> {
        let count = match array {
            Item::Value(value) => value.shape().get(indices.len()).copied(),
            Item::Opaque(opaque) => {
                let rows = opaque.columns.first().and_then(|column| columns::at(column, indices));
                rows.and_then(|rows| rows.shape().first().copied())
            }
        };
        count.ok_or_else(|| "The array has no such part.".into())
    }

    /// An element of an array.
    pub fn index(&self, array: &Item, indices: &[i64]) -> Result<Item, String> {
        let rank = self.rank(array.ty())?;
        if rank != indices.len() {
            let rank = counted(rank, "dimension");
            return Err(format!("The array has {rank}, but the number of indices is {}.", indices.len()));
        }
        let element = match unsigned(indices) {
            Some(at) => self.element(array, &at),
            None => None,
        };
        element.ok_or_else(|| match self.shape(array) {
            Ok(shape) => format!("The index {indices:?} is out of bounds for the shape {shape:?}."),
            Err(_) => format!("The index {indices:?} is out of bounds."),
        })
    }

    /// The array with one element replaced.
    pub fn set(&self, array: &Item, indices: &[i64], element: &Item) -> Result<Item, String> {
        let expected = self.elem_type(array.ty())?;
        if element.ty() != expected {
            let wrong = WrongType { expected, found: element.ty() };
            return Err(self.mismatch("The new element", wrong));
        }
        // The old element shows that the index is within bounds.
        self.index(array, indices)?;
        let at = unsigned(indices).unwrap_or_default();
        let (old, new) = (raw_columns(array), raw_columns(element));
        let types = self.column_types(array.ty());
        let columns: Option<Vec<Column>> = types
            .iter()
            .zip(old.iter().zip(&new))
            .map(|(ty, (rows, new))| {
                // Trees may come from different calls.
                let (both, _) = Column::in_one_region(&self.prog().datas, &[rows.clone(), new.clone()]);
                columns::replaced(ty, 0, &both[0], &at, &both[1])
            })
            .collect();
        self.array(array.ty(), columns.ok_or("The new element has another shape than the others.")?)
    }

    /// An array with these dimensions of elements in row-major order.
    pub fn new_array(&self, ty: ItemType, dims: &[usize], items: &[Item]) -> Result<Item, String> {
        let (elem, rank) = self.array_parts(ty)?;
        if dims.len() != rank {
            let (name, rank) = (self.type_name(ty), counted(rank, "dimension"));
            return Err(format!("Values of {name} have {rank}, not {}.", dims.len()));
        }
        let count = element_count(dims).ok_or("The array would be too large.")?;
        if count != items.len() {
            let count = counted(count, "element");
            return Err(format!(
                "The shape {dims:?} has {count}, but the number of values is {}.",
                items.len()
            ));
        }
        if let Some((i, item)) = items.iter().enumerate().find(|(_, item)| item.ty() != elem) {
            let wrong = WrongType { expected: elem, found: item.ty() };
            return Err(self.mismatch(&format!("The element {i}"), wrong));
        }
        let elements: Vec<Vec<Column>> = items.iter().map(raw_columns).collect();
        let mut columns = Vec::new();
        for (i, ty) in self.column_types(ty).iter().enumerate() {
            let rows: Option<Vec<Column>> = elements.iter().map(|element| element.get(i).cloned()).collect();
            let rows = rows.map(|rows| Column::in_one_region(&self.prog().datas, &rows).0);
            let column = rows.and_then(|rows| new_column(ty, dims, rows));
            columns.push(column.ok_or("The elements differ in shape.")?);
        }
        self.array(ty, columns)
    }

    /// The first `rank` dimensions of an array.
    pub(super) fn dims(&self, array: &Item, rank: usize) -> Result<Vec<usize>, String> {
        let dims = match array {
            Item::Value(value) => value.shape().get(..rank),
            Item::Opaque(opaque) => opaque.columns.first().and_then(|column| columns::dims(column, rank)),
        };
        dims.map(<[usize]>::to_vec).ok_or_else(|| "The rows of the array differ in length.".into())
    }

    fn element(&self, array: &Item, at: &[usize]) -> Option<Item> {
        match array {
            Item::Value(value) => value.row(at).map(Item::Value),
            Item::Opaque(Opaque { ty, columns }) => {
                let IfaceShape::OpaqueArray(elem, _) = self.iface(*ty).shape else { return None };
                let columns: Option<Vec<Column>> =
                    columns.iter().map(|column| columns::at(column, at)).collect();
                Some(self.item(elem, columns?))
            }
        }
    }

    fn column_types(&self, ty: ItemType) -> Vec<ColumnType> {
        match ty {
            ItemType::Plain(Expected { prim, rank }) => {
                vec![ColumnType { elem: norn_ir::nest::Elem::Prim(prim), irregular: vec![false; rank] }]
            }
            ItemType::Opaque(id) => self.iface(id).columns.clone(),
        }
    }

    /// The array with these columns.
    fn array(&self, ty: ItemType, columns: Vec<Column>) -> Result<Item, String> {
        match ty {
            ItemType::Opaque(ty) => Ok(Item::Opaque(Opaque { ty, columns })),
            ItemType::Plain(_) => {
                let value = columns.first().and_then(Column::to_host);
                value.map(Item::Value).ok_or_else(|| "The rows of the array differ in length.".into())
            }
        }
    }
}

fn unsigned(indices: &[i64]) -> Option<Vec<usize>> {
    indices.iter().map(|&index| usize::try_from(index).ok()).collect()
}

fn raw_columns(item: &Item) -> Vec<Column> {
    match item {
        Item::Value(value) => vec![Column::from_host(value)],
        Item::Opaque(opaque) => opaque.columns.clone(),
    }
}

/// The elements as rows of rows, as many at each level as the dimensions say.
fn new_column(ty: &ColumnType, dims: &[usize], mut rows: Vec<Column>) -> Option<Column> {
    if rows.is_empty() {
        return columns::empty(ty, dims);
    }
    for (level, &dim) in dims.iter().enumerate().rev() {
        rows = rows.chunks(dim).map(|rows| columns::stack(ty, level, rows)).collect::<Option<_>>()?;
    }
    rows.pop()
}
