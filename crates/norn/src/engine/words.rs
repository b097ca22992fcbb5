//! Values that compiled code shows, out of the words that it writes them in (see `norn_ir::nest::observe`).

use super::columns::Column;
use norn_base::Prim;
use norn_interp::{Elements, Parts};
use norn_ir::nest::iface::Column as ColumnType;
use norn_ir::nest::{Elem, Iface};
use norn_values::{Data, Value, f16};

/// Words that are still to be read.
pub(super) struct Words<'a>(pub &'a [i64]);

impl<'a> Words<'a> {
    pub fn next(&mut self) -> Option<usize> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        usize::try_from(*first).ok()
    }

    fn take(&mut self, count: usize) -> Option<&'a [i64]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// The columns of a value of this type. None if it is none of which there are words.
    pub fn columns(&mut self, iface: &Iface) -> Option<Vec<Column>> {
        iface.columns.iter().map(|column| self.column(column)).collect()
    }

    fn column(&mut self, ty: &ColumnType) -> Option<Column> {
        let Elem::Prim(prim) = ty.elem else { return None };
        let (mut dims, mut offsets, mut count) = (Vec::new(), Vec::new(), 1usize);
        for irregular in &ty.irregular {
            if *irregular {
                let lengths = self.take(count)?;
                let mut ends = vec![0i64];
                let mut end = 0i64;
                ends.extend(lengths.iter().map(|length| {
                    end += length;
                    end
                }));
                count = usize::try_from(end).ok()?;
                dims.push(None);
                offsets.push(ends);
            } else {
                let size = self.next()?;
                count = count.checked_mul(size)?;
                dims.push(Some(size));
            }
        }
        let elements = data(prim, self.take(count)?);
        if dims.is_empty() {
            return Some(Column::from_host(&Value::new(Vec::new(), elements).ok()?));
        }
        Some(Column::from_parts(Parts { dims, offsets, elements: Elements::Prim(elements) }, None))
    }
}

/// Scalars that have these words: their bits are in the low end.
fn data(prim: Prim, words: &[i64]) -> Data {
    fn all<T>(words: &[i64], scalar: impl Fn(i64) -> T) -> Vec<T> {
        words.iter().map(|word| scalar(*word)).collect()
    }
    match prim {
        Prim::I8 => Data::I8(all(words, |word| word as i8)),
        Prim::I16 => Data::I16(all(words, |word| word as i16)),
        Prim::I32 => Data::I32(all(words, |word| word as i32)),
        Prim::I64 => Data::I64(words.to_vec()),
        Prim::U8 => Data::U8(all(words, |word| word as u8)),
        Prim::U16 => Data::U16(all(words, |word| word as u16)),
        Prim::U32 => Data::U32(all(words, |word| word as u32)),
        Prim::U64 => Data::U64(all(words, |word| word as u64)),
        Prim::F16 => Data::F16(all(words, |word| f16::from_bits(word as u16))),
        Prim::F32 => Data::F32(all(words, |word| f32::from_bits(word as u32))),
        Prim::F64 => Data::F64(all(words, |word| f64::from_bits(word as u64))),
        Prim::Bool => Data::Bool(all(words, |word| word != 0)),
    }
}
