//! Elements to bytes and back, in either byte order: what the binary and the numpy format share.
//!
//! The loops are over fixed-size chunks, which compile to plain copies where the machine's order is
//! the file's.

use crate::data::{Data, Element, on_data, on_prim};
use half::f16;
use norn_base::Prim;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ByteOrder {
    Little,
    Big,
}

/// As many elements as whole ones are in `bytes`.
pub(crate) fn decode(prim: Prim, bytes: &[u8], order: ByteOrder) -> Data {
    on_prim!(prim, T => T::into_data(T::decode(bytes, order)))
}

/// Appends the elements in little-endian order.
pub(crate) fn encode(data: &Data, out: &mut Vec<u8>) {
    on_data!(data, elements => Bytes::encode(elements, out))
}

trait Bytes: Element {
    fn decode(bytes: &[u8], order: ByteOrder) -> Vec<Self>;
    fn encode(elements: &[Self], out: &mut Vec<u8>);
}

macro_rules! bytes {
    ($($ty:ty)*) => {$(
        impl Bytes for $ty {
            fn decode(bytes: &[u8], order: ByteOrder) -> Vec<$ty> {
                let (chunks, _) = bytes.as_chunks();
                match order {
                    ByteOrder::Little => chunks.iter().map(|&chunk| <$ty>::from_le_bytes(chunk)).collect(),
                    ByteOrder::Big => chunks.iter().map(|&chunk| <$ty>::from_be_bytes(chunk)).collect(),
                }
            }

            fn encode(elements: &[$ty], out: &mut Vec<u8>) {
                let start = out.len();
                out.resize(start + size_of_val(elements), 0);
                let (chunks, _) = out[start..].as_chunks_mut();
                for (chunk, x) in chunks.iter_mut().zip(elements) {
                    *chunk = x.to_le_bytes();
                }
            }
        }
    )*};
}

bytes! { i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 }

impl Bytes for bool {
    /// The formats leave open what bytes beyond 0 and 1 mean; here they are true.
    fn decode(bytes: &[u8], _: ByteOrder) -> Vec<bool> {
        bytes.iter().map(|&byte| byte != 0).collect()
    }

    fn encode(elements: &[bool], out: &mut Vec<u8>) {
        out.extend(elements.iter().map(|&x| u8::from(x)));
    }
}

/// Reads the fields of a header one after the other; each is `None` past the end.
pub(crate) struct Fields<'a> {
    pub rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(bytes)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*bytes)
    }

    pub fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_byte_orders_are_read() {
        let bytes = [1, 2, 3, 4, 9];
        assert_eq!(decode(Prim::U16, &bytes, ByteOrder::Little), Data::U16(vec![0x0201, 0x0403]));
        assert_eq!(decode(Prim::U16, &bytes, ByteOrder::Big), Data::U16(vec![0x0102, 0x0304]));
        assert_eq!(decode(Prim::Bool, &[0, 1, 7], ByteOrder::Big), Data::Bool(vec![false, true, true]));
    }

    #[test]
    fn fields_end_with_the_bytes() {
        let mut fields = Fields { rest: &[1, 2, 0, 5] };
        assert_eq!((fields.u8(), fields.u16(), fields.u32(), fields.u8()), (Some(1), Some(2), None, Some(5)));
        assert_eq!(fields.bytes(1), None);
    }
}
