//! Futhark's binary format, version 2.
//!
//! ```text
//! 'b'  version: u8  rank: u8  type: 4 ASCII characters, padded on the left
//! dimensions: rank times u64  elements in row-major order
//! ```
//!
//! Everything is little-endian; a boolean is a byte. The header is not trusted: nothing is allocated
//! until the bytes that the dimensions ask for are known to be there.
//!
//! Only scalars and regular arrays of them have this form. Values of other types begin with [`STRUCTURED`], and what follows makes sense only
//! by a type of a program: `norn::engine` reads and writes it, with the functions here for runs of elements.

use crate::bytes::{self, ByteOrder, Fields};
use crate::data::Data;
use crate::error::{ErrorKind, ReadError, STRUCTURED_VALUE};
use crate::value::{Value, element_count, sized_type};
use norn_base::Prim;

/// The byte that every value in this format begins with, and no value in the text format.
pub const MARK: u8 = b'b';

/// The version that is read and written.
pub const VERSION: u8 = 2;

/// What a value begins with that is no scalar and no regular array of scalars. No version of Futhark's format has this number.
pub const STRUCTURED: [u8; 2] = [MARK, b'n'];

/// Appends elements without a header.
pub fn write_elements(data: &Data, out: &mut Vec<u8>) {
    bytes::encode(data, out);
}

/// As many elements as whole ones are in `bytes`.
pub fn read_elements(prim: Prim, bytes: &[u8]) -> Data {
    bytes::decode(prim, bytes, ByteOrder::Little)
}

/// Appends a value to `out`.
pub fn write_binary(value: &Value, out: &mut Vec<u8>) {
    out.reserve(7 + 8 * value.rank() + value.len() * value.prim().size());
    // A value has at most MAX_RANK dimensions, so its rank fits.
    out.extend([MARK, VERSION, value.rank() as u8]);
    out.extend(format!("{:>4}", value.prim()).bytes());
    for &dim in value.shape() {
        out.extend((dim as u64).to_le_bytes());
    }
    bytes::encode(value.data(), out);
}

/// Reads one value at the beginning of `bytes`; returns it with the number of bytes it takes.
pub fn read_binary(bytes: &[u8]) -> Result<(Value, usize), ReadError> {
    let mut fields = Fields { rest: bytes };
    let truncated = |what: &str| ReadError::truncated(bytes.len(), what);

    let mark = fields.u8().ok_or_else(|| truncated("a binary value"))?;
    if mark != MARK {
        let found = format!("the byte {mark:#04x}");
        return Err(ReadError::new(0, ErrorKind::Syntax, "`b`, which begins a binary value", found));
    }
    let version = fields.u8().ok_or_else(|| truncated("the version of the binary format"))?;
    if version == STRUCTURED[1] {
        return Err(ReadError::new(0, ErrorKind::Type, "a scalar or a regular array", STRUCTURED_VALUE));
    }
    if version != VERSION {
        let expected = format!("version {VERSION} of the binary format");
        return Err(ReadError::new(1, ErrorKind::Unsupported, expected, format!("version {version}")));
    }
    let rank = fields.u8().ok_or_else(|| truncated("the number of dimensions"))?;
    let name = fields.bytes(4).ok_or_else(|| truncated("a type name of four characters"))?;
    let prim =
        Prim::ALL.into_iter().find(|prim| format!("{prim:>4}").as_bytes() == name).ok_or_else(|| {
            let found = format!("`{}`", name.escape_ascii());
            ReadError::new(3, ErrorKind::Syntax, "the name of a primitive type in four characters", found)
        })?;

    let mut shape = Vec::with_capacity(usize::from(rank));
    for _ in 0..rank {
        let dim = fields.u64().ok_or_else(|| truncated("a dimension of eight bytes"))?;
        shape.push(usize::try_from(dim).unwrap_or(usize::MAX));
    }
    let size = element_count(&shape).and_then(|count| count.checked_mul(prim.size())).ok_or_else(|| {
        ReadError::new(7, ErrorKind::TooLarge, "dimensions of a possible array", sized_type(&shape, prim))
    })?;
    let there = fields.rest.len();
    let elements = fields.bytes(size).ok_or_else(|| {
        let expected = format!("{size} bytes of elements for {}", sized_type(&shape, prim));
        let end = bytes.len() - there;
        ReadError::new(end, ErrorKind::Truncated, expected, format!("{there} bytes"))
    })?;
    let used = bytes.len() - fields.rest.len();
    let data = bytes::decode(prim, elements, ByteOrder::Little);
    let value = Value::new(shape, data).expect("the elements were counted by the shape");
    Ok((value, used))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: &Value) -> Vec<u8> {
        let mut out = Vec::new();
        write_binary(value, &mut out);
        out
    }

    fn error(bytes: &[u8]) -> String {
        read_binary(bytes).unwrap_err().to_string()
    }

    #[test]
    fn the_bytes_are_those_of_the_specification() {
        assert_eq!(written(&Value::scalar(-2i8)), b"b\x02\x00  i8\xfe");
        assert_eq!(
            written(&Value::array(vec![1, 2], vec![1u16, 0x203]).unwrap()),
            b"b\x02\x02 u16\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x01\0\x03\x02"
        );
        assert_eq!(written(&Value::vector(vec![true, false])), b"b\x02\x01bool\x02\0\0\0\0\0\0\0\x01\0");
    }

    #[test]
    fn a_value_is_followed_by_anything() {
        let mut bytes = written(&Value::scalar(7i32));
        bytes.extend(b" 5");
        assert_eq!(read_binary(&bytes), Ok((Value::scalar(7i32), 11)));
    }

    #[test]
    fn every_field_is_validated() {
        assert_eq!(
            error(b"c"),
            "byte 0: syntax error: expected `b`, which begins a binary value, found the byte 0x63"
        );
        assert_eq!(
            error(b"b\x03"),
            "byte 1: not supported: expected version 2 of the binary format, found version 3"
        );
        assert_eq!(
            error(b"b\x02\x00i32 "),
            "byte 3: syntax error: expected the name of a primitive type in four characters, found `i32 `"
        );
    }

    #[test]
    fn headers_that_promise_too_much_are_refused() {
        let with_dims = |dims: &[u64]| {
            let mut bytes = vec![MARK, VERSION, dims.len() as u8];
            bytes.extend(b" f64");
            bytes.extend(dims.iter().flat_map(|dim| dim.to_le_bytes()));
            bytes
        };
        let kind = |dims: &[u64]| read_binary(&with_dims(dims)).unwrap_err().kind;
        assert_eq!(kind(&[u64::MAX]), ErrorKind::TooLarge);
        assert_eq!(kind(&[1 << 40, 1 << 40]), ErrorKind::TooLarge);
        assert_eq!(kind(&[1 << 61]), ErrorKind::TooLarge);
        assert_eq!(kind(&[1 << 50]), ErrorKind::Truncated);
        let (value, _) = read_binary(&with_dims(&[0, 1 << 62])).unwrap();
        assert_eq!(value.type_text(), format!("[0][{}]f64", 1u64 << 62));
    }

    #[test]
    fn a_value_cut_anywhere_is_an_error() {
        let bytes = written(&Value::array(vec![2, 2], vec![1.5f32; 4]).unwrap());
        for end in 0..bytes.len() {
            assert_eq!(read_binary(&bytes[..end]).unwrap_err().kind, ErrorKind::Truncated, "{end}");
        }
        assert!(error(&bytes[..30]).ends_with("expected 16 bytes of elements for [2][2]f32, found 7 bytes"));
    }
}
