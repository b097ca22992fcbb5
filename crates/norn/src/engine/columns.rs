//! Columns: the run-time values that items are made of.

use norn_base::Prim;
use norn_ir::nest::iface::Column as ColumnType;
use norn_ir::nest::{Elem, Scalar};
use norn_values::{Data, Prim as HostPrim, Value};

/// A column of an item, as the backend holds it.
pub type Column = norn_interp::Value;

/// The primitive type as `norn_values` knows it.
pub fn host_prim(prim: Prim) -> HostPrim {
    match prim {
        Prim::I8 => HostPrim::I8,
        Prim::I16 => HostPrim::I16,
        Prim::I32 => HostPrim::I32,
        Prim::I64 => HostPrim::I64,
        Prim::U8 => HostPrim::U8,
        Prim::U16 => HostPrim::U16,
        Prim::U32 => HostPrim::U32,
        Prim::U64 => HostPrim::U64,
        Prim::F16 => HostPrim::F16,
        Prim::F32 => HostPrim::F32,
        Prim::F64 => HostPrim::F64,
        Prim::Bool => HostPrim::Bool,
    }
}

/// The reverse of `host_prim`, as what an array is made of.
pub fn elem(prim: HostPrim) -> Elem {
    let found = Prim::ALL.into_iter().find(|&own| host_prim(own) == prim);
    Elem::Prim(found.expect("every primitive type has its counterpart"))
}

/// The scalar in a column of type `i8`: the number of a constructor.
pub fn tag(column: &Column) -> Option<usize> {
    let tag: i8 = column.to_host()?.as_scalar()?;
    usize::try_from(tag).ok()
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
            let value = Value::new(shape, Data::empty(host_prim(prim))).ok()?;
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
