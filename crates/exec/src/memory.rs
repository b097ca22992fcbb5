//! Arrays between the host's memory and that of programs.

use crate::column::Elements;
use norn_ir::imp::Prim;
use norn_values::Data;
use std::borrow::Cow;

/// The first element, and how many bytes there are.
pub fn data_bytes(data: &Data) -> (*const u8, usize) {
    fn bytes<T>(elements: &[T]) -> (*const u8, usize) {
        (elements.as_ptr().cast(), size_of_val(elements))
    }
    match data {
        Data::I8(v) => bytes(v),
        Data::I16(v) => bytes(v),
        Data::I32(v) => bytes(v),
        Data::I64(v) => bytes(v),
        Data::U8(v) => bytes(v),
        Data::U16(v) => bytes(v),
        Data::U32(v) => bytes(v),
        Data::U64(v) => bytes(v),
        Data::F16(v) => bytes(v),
        Data::F32(v) => bytes(v),
        Data::F64(v) => bytes(v),
        Data::Bool(v) => bytes(v),
    }
}

/// Copies `count` elements, the first of which is at `start`.
///
/// # Safety
/// They are there.
pub unsafe fn read_data(prim: Prim, from: *const u8, start: usize, count: usize) -> Data {
    unsafe {
        match prim {
            Prim::I8 => Data::I8(read(from, start, count)),
            Prim::I16 => Data::I16(read(from, start, count)),
            Prim::I32 => Data::I32(read(from, start, count)),
            Prim::I64 => Data::I64(read(from, start, count)),
            Prim::U8 => Data::U8(read(from, start, count)),
            Prim::U16 => Data::U16(read(from, start, count)),
            Prim::U32 => Data::U32(read(from, start, count)),
            Prim::U64 => Data::U64(read(from, start, count)),
            Prim::F16 => Data::F16(read(from, start, count)),
            Prim::F32 => Data::F32(read(from, start, count)),
            Prim::F64 => Data::F64(read(from, start, count)),
            Prim::Bool => {
                Data::Bool(read::<u8>(from, start, count).into_iter().map(|byte| byte != 0).collect())
            }
        }
    }
}

/// Copies `count` elements, the first of which is at `start`.
///
/// # Safety
/// They are there.
pub unsafe fn read<T: Copy>(from: *const u8, start: usize, count: usize) -> Vec<T> {
    // Nothing may have no address.
    if count == 0 {
        return Vec::new();
    }
    unsafe { std::slice::from_raw_parts(from.cast::<T>().add(start), count) }.to_vec()
}

/// An array in a program's memory: where its parts are, and its dimensions, `None` where it is `?`.
pub struct Parts<'a> {
    pub dims: Vec<Option<usize>>,
    /// Pointer and block of each part.
    pub words: &'a [u64],
}

impl Parts<'_> {
    /// The dimensions and offsets as the host has them, beginning with 0, and what `elements` makes of the elements that
    /// lie at a pointer, from some element on, so many.
    ///
    /// # Safety
    /// The parts are there.
    pub unsafe fn read<'a>(
        &self,
        elements: impl FnOnce(*const u8, usize, usize) -> Elements<'a>,
    ) -> Option<crate::Array<'a>> {
        let mut parts = self.words.chunks_exact(2).map(|part| part[0] as usize as *const u8);
        let (mut start, mut count) = (0, 1usize);
        let mut offsets: Vec<Cow<[i64]>> = Vec::new();
        for dim in &self.dims {
            match dim {
                Some(size) => {
                    start *= size;
                    count = count.checked_mul(*size)?;
                }
                None => {
                    let from = parts.next()?;
                    let mut level: Vec<i64> = match count {
                        0 => vec![0],
                        rows => unsafe { read(from, start, rows + 1) },
                    };
                    let first = level[0];
                    level.iter_mut().for_each(|offset| *offset -= first);
                    start = usize::try_from(first).ok()?;
                    count = usize::try_from(*level.last()?).ok()?;
                    offsets.push(Cow::Owned(level));
                }
            }
        }
        crate::Array::new(self.dims.clone(), offsets, elements(parts.next()?, start, count))
    }
}
