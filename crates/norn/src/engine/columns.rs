//! Columns: the run-time values that items are made of.

use norn_ir::nest::iface::Column as ColumnType;
use norn_ir::nest::{Elem, Scalar};
use norn_values::{Data, Value};

/// A column of an item, as the backend holds it.
pub type Column = norn_interp::Value;

/// The number of a constructor, in its column.
pub fn tag(column: &Column) -> Option<usize> {
    let Column::Scalar(tag) = column else { return None };
    usize::try_from(tag.bits()).ok()
}

/// The first `rank` dimensions, unless one of them is irregular.
pub fn dims(column: &Column, rank: usize) -> Option<&[usize]> {
    column.shape().get(..rank)
}

/// The part at these indices of the first dimensions.
pub fn at(column: &Column, indices: &[usize]) -> Option<Column> {
    indices.iter().try_fold(column.clone(), |rows, &i| rows.index_outer(i))
}

/// Some value of the column's type.
pub fn filler(ty: &ColumnType) -> Option<Column> {
    match ty.elem {
        Elem::Prim(prim) if ty.irregular.is_empty() => Some(Column::Scalar(Scalar::zero(prim))),
        Elem::Prim(_) | Elem::Ref(..) => Column::empty(ty),
    }
}

/// An array of the column's type without elements, whose first dimensions are these.
pub fn empty(ty: &ColumnType, dims: &[usize]) -> Option<Column> {
    match ty.elem {
        Elem::Prim(prim) if !ty.irregular.contains(&true) => {
            let mut shape = dims.to_vec();
            shape.resize(ty.irregular.len(), 0);
            let value = Value::new(shape, Data::empty(prim)).ok()?;
            Some(Column::from_host(&value))
        }
        Elem::Prim(_) | Elem::Ref(..) => Column::empty(ty),
    }
}

/// Rows as an array: the column without its first `level` dimensions.
pub fn stack(ty: &ColumnType, level: usize, rows: &[Column]) -> Option<Column> {
    let rest = ty.irregular.get(level..)?;
    if rows.is_empty() {
        return empty(&ColumnType { elem: ty.elem, irregular: rest.to_vec() }, &[0]);
    }
    if rest.get(1) == Some(&true) { Column::stack_irregular(rows) } else { Column::stack(rows) }
}

/// The column, without its first `level` dimensions, with the part at these indices replaced.
pub fn replaced(ty: &ColumnType, level: usize, rows: &Column, at: &[usize], new: &Column) -> Option<Column> {
    let Some((&first, rest)) = at.split_first() else { return Some(new.clone()) };
    let row = |i| {
        let row = rows.index_outer(i)?;
        if i == first { replaced(ty, level + 1, &row, rest, new) } else { Some(row) }
    };
    let rows = (0..*rows.shape().first()?).map(row).collect::<Option<Vec<Column>>>()?;
    stack(ty, level, &rows)
}
