//! Arrays between the host's memory and that of programs.

use crate::column::Elements;
use norn_ir::imp::Prim;
use norn_runtime::cpu::Stop;
use norn_values::Data;
use std::borrow::Cow;
use std::slice::{from_raw_parts, from_raw_parts_mut};

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

/// What copies from an address of a GPU.
pub type Download<'a> = dyn FnMut(&mut [u8], u64) -> Result<(), Stop> + 'a;

/// Where the arrays of a program lie.
pub enum Memory<'a> {
    Host,
    /// On its GPU.
    Device(&'a mut Download<'a>),
}

impl Memory<'_> {
    /// Copies `count` elements, the first of which is at `start`.
    ///
    /// # Safety
    /// They are there, and `T` is a number.
    pub unsafe fn read<T: Copy + Default>(
        &mut self,
        from: u64,
        start: usize,
        count: usize,
    ) -> Result<Vec<T>, Stop> {
        // Nothing may have no address.
        if count == 0 {
            return Ok(Vec::new());
        }
        match self {
            Memory::Host => {
                let from = from as usize as *const T;
                // SAFETY: the elements are there, as the caller promises.
                Ok(unsafe { from_raw_parts(from.add(start), count) }.to_vec())
            }
            Memory::Device(download) => {
                let mut data = vec![T::default(); count];
                let bytes = size_of_val(&data[..]);
                // SAFETY: the data has so many bytes, and all bytes make numbers.
                let to = unsafe { from_raw_parts_mut(data.as_mut_ptr().cast::<u8>(), bytes) };
                download(to, from + (start * size_of::<T>()) as u64)?;
                Ok(data)
            }
        }
    }

    /// The same for elements of a type that is known here.
    ///
    /// # Safety
    /// They are there.
    pub unsafe fn read_data(
        &mut self,
        prim: Prim,
        from: u64,
        start: usize,
        count: usize,
    ) -> Result<Data, Stop> {
        // SAFETY: the elements are there, as the caller promises.
        unsafe {
            Ok(match prim {
                Prim::I8 => Data::I8(self.read(from, start, count)?),
                Prim::I16 => Data::I16(self.read(from, start, count)?),
                Prim::I32 => Data::I32(self.read(from, start, count)?),
                Prim::I64 => Data::I64(self.read(from, start, count)?),
                Prim::U8 => Data::U8(self.read(from, start, count)?),
                Prim::U16 => Data::U16(self.read(from, start, count)?),
                Prim::U32 => Data::U32(self.read(from, start, count)?),
                Prim::U64 => Data::U64(self.read(from, start, count)?),
                Prim::F16 => Data::F16(self.read(from, start, count)?),
                Prim::F32 => Data::F32(self.read(from, start, count)?),
                Prim::F64 => Data::F64(self.read(from, start, count)?),
                Prim::Bool => {
                    let bytes: Vec<u8> = self.read(from, start, count)?;
                    Data::Bool(bytes.into_iter().map(|byte| byte != 0).collect())
                }
            })
        }
    }
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
        memory: &mut Memory,
        elements: impl FnOnce(&mut Memory, u64, usize, usize) -> Result<Elements<'a>, Stop>,
    ) -> Result<crate::Array<'a>, Stop> {
        let mut parts = self.words.chunks_exact(2).map(|part| part[0]);
        let mut next = || parts.next().unwrap_or_else(|| panic!("an array with too few parts"));
        let (mut start, mut count) = (0, 1usize);
        let mut offsets: Vec<Cow<[i64]>> = Vec::new();
        for dim in &self.dims {
            match dim {
                Some(size) => {
                    start *= size;
                    count = count.checked_mul(*size).unwrap_or_else(|| misfit());
                }
                None => {
                    let from = next();
                    let mut level: Vec<i64> = match count {
                        0 => vec![0],
                        // SAFETY: the parts are there, as the caller promises.
                        rows => unsafe { memory.read(from, start, rows + 1) }?,
                    };
                    let first = level[0];
                    level.iter_mut().for_each(|offset| *offset -= first);
                    start = usize::try_from(first).unwrap_or_else(|_| misfit());
                    count = usize::try_from(level[level.len() - 1]).unwrap_or_else(|_| misfit());
                    offsets.push(Cow::Owned(level));
                }
            }
        }
        let elements = elements(memory, next(), start, count)?;
        Ok(crate::Array::new(self.dims.clone(), offsets, elements).unwrap_or_else(|| misfit()))
    }
}

fn misfit() -> ! {
    panic!("an array whose parts do not fit together")
}
