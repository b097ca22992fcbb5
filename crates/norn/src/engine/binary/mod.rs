//! Items as bytes.
//!
//! Scalars and regular arrays of them are in Futhark's binary format. Records and tuples of these, and arrays of such records, are their
//! columns one after the other, as Futhark stores what it calls opaque. All other values, those with sums, trees or rows of different lengths in
//! them, are *structured*:
//!
//! ```text
//! 'b'  'n'  version: u8  length: u32  type: UTF-8 text, so many bytes
//! if there are recursive types in the type:
//!   count: u64           of all cells
//!   count values         of the sum of all constructors of these types, in their order in the text
//! 1 value                of the type
//! ```
//!
//! where the values of a type, of which it is known how many there are, are stored together:
//!
//! ```text
//! n scalars         n elements; a boolean is a byte
//! n arrays          for each dimension:
//!                     0: u8  length: u64                 all rows are of this length
//!                     1: u8  length: u64, n times        a length for each row; the rows of the next dimension are all these
//!                   all their elements, as values of the type of the elements
//! n records         n values of each field, in the order of the type
//! n empty tuples    n bytes, 0
//! n sums            n numbers of constructors: u8, or u16 if there are more than 256, or u32
//!                   of each constructor, for each of its payloads, as many values as have it
//! n trees           n numbers of cells: u32
//! ```
//!
//! Everything is little-endian. A cell is a constructor of a recursive type with its payloads, and refers only to cells with smaller numbers, so no
//! value contains itself; a part that is shared is stored once. The text of the type ([`description`]) does not mention sizes,
//! so what was a regular array can be read as an irregular one. It is the type's own text and what its recursive types are:
//! `[]tree where tree = #leaf | #node tree i32 tree`.
//!
//! Equal values have equal bytes, whichever backend made them, but for the sharing of parts.
//!
//! Writing goes from columns to [`Strip`]s, from these to a [`Batch`], and from that to bytes; reading goes back.

mod batch;
mod cells;
mod decode;
mod description;
mod encode;
mod strip;
#[cfg(test)]
mod tests;

use super::columns::Column;
use super::{Engine, Item, ItemType, Opaque};
use batch::{Batch, from_strips, to_strips};
use cells::{CellKinds, Collected, region_of};
use decode::Decoder;
use description::description;
use norn_interp::Region;
use norn_ir::nest::{Elem, IfaceId, IfaceShape};
use norn_values::binary::{STRUCTURED, read_binary, write_binary};
use norn_values::{ErrorKind, Expected, ReadError, Reader};
use strip::Strip;

/// The version of structured values that is read and written.
const VERSION: u8 = 1;

impl Engine {
    /// Appends an item in binary. The error is a sentence.
    pub fn store(&self, item: &Item, out: &mut Vec<u8>) -> Result<(), String> {
        let Opaque { ty, columns } = match item {
            Item::Value(value) => {
                write_binary(value, out);
                return Ok(());
            }
            Item::Opaque(opaque) => opaque,
        };
        let start = out.len();
        let stored = if !self.has_text(item.ty()) {
            None
        } else if self.is_plain_record(*ty) {
            columns.iter().try_for_each(|column| {
                write_binary(&column.to_host()?, out);
                Some(())
            })
        } else {
            self.store_structured(*ty, columns, out)
        };
        stored.ok_or_else(|| {
            out.truncate(start);
            format!("Values of {} cannot be stored.", self.iface(*ty).name)
        })
    }

    fn store_structured(&self, ty: IfaceId, columns: &[Column], out: &mut Vec<u8>) -> Option<()> {
        let text = description(self, ty);
        out.extend(STRUCTURED);
        out.push(VERSION);
        out.extend(u32::try_from(text.len()).ok()?.to_le_bytes());
        out.extend(text.bytes());
        let kinds = CellKinds::new(self, ty);
        let types = &self.iface(ty).columns;
        let collected = Collected::new(self, &kinds, columns)?;
        if !kinds.is_empty() {
            out.extend((collected.count() as u64).to_le_bytes());
            encode::sums(kinds.constructors(), &collected.tags, &collected.payloads(self, &kinds)?, out);
        }
        let strips: Option<Vec<Strip>> = columns
            .iter()
            .zip(types)
            .map(|(column, ty)| Strip::of_column(column, ty, |region, cell| collected.number(region, cell)))
            .collect();
        encode::batch(&from_strips(self, ty, strips?, 1)?, out);
        Some(())
    }

    /// Reads an item of this type, in text or binary. The error is a phrase.
    pub fn restore(&self, ty: ItemType, reader: &mut Reader) -> Result<Item, String> {
        match self.read_item(ty, reader) {
            Ok(Some(item)) => Ok(item),
            Ok(None) => {
                let expected = format!("a value of type {}", self.type_name(ty));
                Err(reader.expected(expected).to_string())
            }
            Err(error) => Err(error.to_string()),
        }
    }

    /// Reads an item that is no plain value, in binary.
    pub(super) fn read_binary_item(&self, id: IfaceId, reader: &mut Reader) -> Result<Item, ReadError> {
        if reader.sees_structured() {
            let columns = reader.take_binary(|bytes, room| {
                let mut decoder = Decoder::new(bytes, room.min(self.memory_limit()));
                let columns = self.decode(id, &mut decoder)?;
                Ok((columns, decoder.at()))
            })?;
            return Ok(Item::Opaque(Opaque { ty: id, columns }));
        }
        if !self.is_plain_record(id) {
            return self.read_regular_item(id, reader);
        }
        let mut columns = Vec::new();
        for ty in &self.iface(id).columns {
            let Elem::Prim(prim) = ty.elem else { panic!("engine: a plain record holds no refs") };
            let value = reader.require_value(Some(&Expected::new(prim, ty.irregular.len())))?;
            columns.push(Column::from_host(&value));
        }
        Ok(Item::Opaque(Opaque { ty: id, columns }))
    }

    /// A regular array where an irregular one is expected.
    fn read_regular_item(&self, id: IfaceId, reader: &mut Reader) -> Result<Item, ReadError> {
        let iface = self.iface(id);
        reader.take_binary(|bytes, _| {
            let (value, length) = read_binary(bytes)?;
            let found = value.unsized_type();
            if let (IfaceShape::OpaqueArray(elem, rank), [ty]) = (&iface.shape, &iface.columns[..])
                && self.iface(*elem).shape == IfaceShape::Scalar(found.prim)
                && found.rank == *rank
                && let Some(column) = Column::from_host(&value).fit(ty)
            {
                return Ok((Item::Opaque(Opaque { ty: id, columns: vec![column] }), length));
            }
            let expected = format!("a value of type {}", iface.name);
            Err(ReadError::new(0, ErrorKind::Type, expected, format!("a value of type {found}")))
        })
    }

    fn decode(&self, id: IfaceId, decoder: &mut Decoder) -> Result<Vec<Column>, ReadError> {
        decoder.header(VERSION, &description(self, id), &self.iface(id).name)?;
        let kinds = CellKinds::new(self, id);
        let region = if kinds.is_empty() { Region::default() } else { region_of(self, &kinds, decoder)? };
        let start = decoder.at();
        let batch: Batch = decoder.batch(self, id, 1)?;
        let strips = to_strips(self, id, batch, 1);
        let types = &self.iface(id).columns;
        let columns = strips.into_iter().zip(types).map(|(strip, ty)| strip.into_column(ty, &region));
        columns.collect::<Option<Vec<Column>>>().ok_or_else(|| {
            let expected = format!("rows of one length, as {} has them", self.iface(id).name);
            ReadError::new(start, ErrorKind::Irregular, expected, "rows of different lengths")
        })
    }

    /// Whether values of this type are plain columns, as those of Futhark are: neither sums, nor trees, nor rows of different lengths.
    fn is_plain_record(&self, id: IfaceId) -> bool {
        let is_plain = |column: &norn_ir::nest::iface::Column| {
            matches!(column.elem, Elem::Prim(_)) && !column.irregular.contains(&true)
        };
        self.iface(id).columns.iter().all(is_plain) && !description::has_sums(self, id)
    }
}
