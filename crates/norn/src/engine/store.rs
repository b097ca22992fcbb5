//! Items as bytes: plain values in Futhark's binary format, others column by column.
//!
//! A column with rows of different lengths is the number of its rows and then row by row.

use super::columns::{self, Column};
use super::{Engine, Item, ItemType, Opaque};
use norn_ir::nest::Elem;
use norn_ir::nest::iface::Column as ColumnType;
use norn_values::binary::write_binary;
use norn_values::{Expected, Prim, Reader, Value};

impl Engine {
    /// Appends an item in binary. The error is a sentence.
    pub fn store(&self, item: &Item, out: &mut Vec<u8>) -> Result<(), String> {
        match item {
            Item::Value(value) => write_binary(value, out),
            Item::Opaque(Opaque { ty, columns }) => {
                let iface = self.iface(*ty);
                for (column, ty) in columns.iter().zip(&iface.columns) {
                    store_column(column, &ty.irregular, out)
                        .ok_or_else(|| format!("Values of {} cannot be stored.", iface.name))?;
                }
            }
        }
        Ok(())
    }

    /// Reads an item of this type, in text or binary. The error is a phrase.
    pub fn restore(&self, ty: ItemType, reader: &mut Reader) -> Result<Item, String> {
        match ty {
            ItemType::Plain(plain) => {
                reader.require_value(Some(&plain)).map(Item::Value).map_err(|error| error.to_string())
            }
            ItemType::Opaque(id) => {
                let iface = self.iface(id);
                let restored: Result<Vec<Column>, String> = iface
                    .columns
                    .iter()
                    .map(|ty| restore_column(ty, 0, reader).map_err(|error| error.sentence(&iface.name)))
                    .collect();
                Ok(Item::Opaque(Opaque { ty: id, columns: restored? }))
            }
        }
    }
}

enum RestoreError {
    Unreadable(norn_values::ReadError),
    /// Rows that do not fit together, or refs, which mean nothing outside their program.
    Impossible,
}

impl RestoreError {
    fn sentence(self, ty: &str) -> String {
        match self {
            RestoreError::Unreadable(error) => error.to_string(),
            RestoreError::Impossible => format!("which holds no value of {ty}"),
        }
    }
}

fn store_column(column: &Column, irregular: &[bool], out: &mut Vec<u8>) -> Option<()> {
    if !irregular.contains(&true) {
        write_binary(&column.to_host()?, out);
        return Some(());
    }
    let count = *column.shape().first()?;
    write_binary(&Value::scalar(i64::try_from(count).ok()?), out);
    (0..count).try_for_each(|i| store_column(&column.index_outer(i)?, &irregular[1..], out))
}

/// A column without its first `level` dimensions.
fn restore_column(ty: &ColumnType, level: usize, reader: &mut Reader) -> Result<Column, RestoreError> {
    let Elem::Prim(prim) = ty.elem else { return Err(RestoreError::Impossible) };
    let dims = &ty.irregular[level..];
    if !dims.contains(&true) {
        let expected = Expected::new(prim, dims.len());
        let value = reader.require_value(Some(&expected)).map_err(RestoreError::Unreadable)?;
        return Ok(Column::from_host(&value));
    }
    let count = reader.require_value(Some(&Expected::new(Prim::I64, 0))).map_err(RestoreError::Unreadable)?;
    let count = count.as_scalar::<i64>().filter(|count| *count >= 0).ok_or(RestoreError::Impossible)?;
    let mut rows = Vec::new();
    for _ in 0..count {
        rows.push(restore_column(ty, level + 1, reader)?);
    }
    columns::stack(ty, level, &rows).ok_or(RestoreError::Impossible)
}
