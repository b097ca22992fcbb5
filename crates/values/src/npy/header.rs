//! The header of a `.npy` file: a magic string, a version, and a dictionary in Python's syntax.
//!
//! ```text
//! "\x93NUMPY"  major: u8  minor: u8  length: u16 (version 1) or u32 (2 and 3)
//! {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }  spaces  line break
//! ```
//!
//! Version 3 differs from 2 in the encoding of names of fields, which only structured types have.
//! Only the part of Python's syntax that a plain array needs is read.

use crate::bytes::{ByteOrder, Fields};
use crate::error::{ErrorKind, ReadError};
use crate::text::found_at;
use crate::value::{MAX_RANK, Value};
use norn_base::Prim;

const MAGIC: &[u8] = b"\x93NUMPY";

pub(super) struct Header {
    pub prim: Prim,
    pub byte_order: ByteOrder,
    pub column_major: bool,
    pub shape: Vec<usize>,
}

/// The header, and where the elements begin.
pub(super) fn parse_header(bytes: &[u8]) -> Result<(Header, usize), ReadError> {
    let truncated = || ReadError::truncated(bytes.len(), "the header of a .npy file");
    let mut fields = Fields { rest: bytes };
    if fields.bytes(MAGIC.len()).ok_or_else(truncated)? != MAGIC {
        let found = format!("`{}`", bytes[..MAGIC.len()].escape_ascii());
        return Err(ReadError::new(0, ErrorKind::Syntax, "the magic string of a .npy file", found));
    }
    let (major, minor) = fields.u8().zip(fields.u8()).ok_or_else(truncated)?;
    let length = match (major, minor) {
        (1, 0) => fields.u16().map(u32::from),
        (2 | 3, 0) => fields.u32(),
        _ => {
            let found = format!("version {major}.{minor}");
            return Err(ReadError::new(6, ErrorKind::Unsupported, "version 1.0, 2.0 or 3.0", found));
        }
    };
    let length = length.and_then(|length| usize::try_from(length).ok()).ok_or_else(truncated)?;
    let start = bytes.len() - fields.rest.len();
    fields.bytes(length).ok_or_else(truncated)?;
    let end = start + length;
    let header = Dictionary { bytes: &bytes[..end], at: start }.header()?;
    Ok((header, end))
}

/// Appends the header of a value, padded so that the elements begin at a multiple of 64 bytes.
pub(super) fn print_header(value: &Value, out: &mut Vec<u8>) {
    let order = if value.prim().size() == 1 { '|' } else { '<' };
    let kind = match value.prim() {
        Prim::Bool => 'b',
        prim if prim.is_float() => 'f',
        Prim::U8 | Prim::U16 | Prim::U32 | Prim::U64 => 'u',
        _ => 'i',
    };
    let dims: Vec<String> = value.shape().iter().map(usize::to_string).collect();
    // A tuple of one element has a comma.
    let comma = if dims.len() == 1 { "," } else { "" };
    let dictionary = format!(
        "{{'descr': '{order}{kind}{}', 'fortran_order': False, 'shape': ({}{comma}), }}",
        value.prim().size(),
        dims.join(", "),
    );
    let before = MAGIC.len() + 4;
    let end = (before + dictionary.len() + 1).next_multiple_of(64);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&[1, 0]);
    // At most MAX_RANK dimensions of 21 characters, so two bytes suffice.
    out.extend_from_slice(&((end - before) as u16).to_le_bytes());
    out.extend_from_slice(dictionary.as_bytes());
    out.extend(std::iter::repeat_n(b' ', end - before - dictionary.len() - 1));
    out.push(b'\n');
}

/// A place in the dictionary, whose end is the end of the bytes.
struct Dictionary<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Dictionary<'a> {
    fn header(&mut self) -> Result<Header, ReadError> {
        let (mut element, mut column_major, mut shape) = (None, None, None);
        self.expect(b'{')?;
        while self.peek() != Some(b'}') {
            let start = self.at;
            let key = self.string()?;
            self.expect(b':')?;
            match key {
                b"descr" => element = Some(self.element()?),
                b"fortran_order" => column_major = Some(self.truth()?),
                b"shape" => shape = Some(self.shape()?),
                _ => {
                    let found = format!("`{}`", key.escape_ascii());
                    let expected = "`descr`, `fortran_order` or `shape`";
                    return Err(ReadError::new(start, ErrorKind::Syntax, expected, found));
                }
            }
            if self.peek() != Some(b'}') {
                self.expect(b',')?;
            }
        }
        let missing =
            |key: &str| ReadError::new(self.at, ErrorKind::Syntax, format!("the key `{key}`"), "`}`");
        let (prim, byte_order) = element.ok_or_else(|| missing("descr"))?;
        let column_major = column_major.ok_or_else(|| missing("fortran_order"))?;
        let shape = shape.ok_or_else(|| missing("shape"))?;
        Ok(Header { prim, byte_order, column_major, shape })
    }

    fn peek(&mut self) -> Option<u8> {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    fn error(&self, expected: impl Into<String>) -> ReadError {
        ReadError::new(self.at, ErrorKind::Syntax, expected, found_at(self.bytes, self.at))
    }

    fn expect(&mut self, byte: u8) -> Result<(), ReadError> {
        if self.peek() != Some(byte) {
            return Err(self.error(format!("`{}`", char::from(byte))));
        }
        self.at += 1;
        Ok(())
    }

    /// A string without escapes.
    fn string(&mut self) -> Result<&'a [u8], ReadError> {
        let Some(quote @ (b'\'' | b'"')) = self.peek() else { return Err(self.error("a string")) };
        let start = self.at + 1;
        let Some(length) = self.bytes[start..].iter().position(|&byte| byte == quote) else {
            return Err(self.error("a string that ends"));
        };
        self.at = start + length + 1;
        Ok(&self.bytes[start..start + length])
    }

    fn truth(&mut self) -> Result<bool, ReadError> {
        self.peek();
        let rest = &self.bytes[self.at..];
        let (word, truth) = match rest.first() {
            Some(b'T') => ("True", true),
            _ => ("False", false),
        };
        if !rest.starts_with(word.as_bytes()) {
            return Err(self.error("`True` or `False`"));
        }
        self.at += word.len();
        Ok(truth)
    }

    /// A tuple of dimensions. Python 2 wrote long integers with an `L`.
    fn shape(&mut self) -> Result<Vec<usize>, ReadError> {
        let mut shape = Vec::new();
        self.expect(b'(')?;
        while self.peek() != Some(b')') {
            if shape.len() == MAX_RANK {
                return Err(self.error(format!("at most {MAX_RANK} dimensions")));
            }
            let length = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let digits = std::str::from_utf8(&self.bytes[self.at..self.at + length]).unwrap_or("");
            shape.push(digits.parse().map_err(|_| self.error("a dimension"))?);
            self.at += length;
            if self.peek() == Some(b'L') {
                self.at += 1;
            }
            if self.peek() != Some(b')') {
                self.expect(b',')?;
            }
        }
        self.at += 1;
        Ok(shape)
    }

    /// The element type: a byte order, a kind and a size.
    fn element(&mut self) -> Result<(Prim, ByteOrder), ReadError> {
        let unsupported = |at, found| {
            ReadError::new(
                at,
                ErrorKind::Unsupported,
                "elements that are integers, floats or booleans",
                found,
            )
        };
        let start = self.at;
        if self.peek() == Some(b'[') {
            return Err(unsupported(start, "a structured type".to_string()));
        }
        let description = self.string()?;
        let (order, kind) = match description {
            [order @ (b'<' | b'>' | b'=' | b'|'), kind @ ..] => (*order, kind),
            kind => (b'=', kind),
        };
        let byte_order = match order {
            b'<' => ByteOrder::Little,
            b'>' => ByteOrder::Big,
            _ if cfg!(target_endian = "big") => ByteOrder::Big,
            _ => ByteOrder::Little,
        };
        let prim = match kind {
            b"b1" => Prim::Bool,
            b"i1" => Prim::I8,
            b"i2" => Prim::I16,
            b"i4" => Prim::I32,
            b"i8" => Prim::I64,
            b"u1" => Prim::U8,
            b"u2" => Prim::U16,
            b"u4" => Prim::U32,
            b"u8" => Prim::U64,
            b"f2" => Prim::F16,
            b"f4" => Prim::F32,
            b"f8" => Prim::F64,
            _ => return Err(unsupported(start, format!("`{}`", description.escape_ascii()))),
        };
        Ok((prim, byte_order))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(version: u8, dictionary: &str) -> Result<Header, ReadError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([version, 0]);
        let length = (dictionary.len() as u32).to_le_bytes();
        bytes.extend_from_slice(&length[..if version == 1 { 2 } else { 4 }]);
        bytes.extend(dictionary.bytes());
        parse_header(&bytes).map(|(header, _)| header)
    }

    #[test]
    fn keys_may_have_any_order_and_spacing() {
        for version in 1..=3 {
            let header = parse(version, "{ \"shape\":( 3L ,4,),'descr':'>u2' , 'fortran_order':True}  \n");
            let header = header.unwrap_or_else(|error| panic!("{error}"));
            assert_eq!((header.prim, header.byte_order), (Prim::U16, ByteOrder::Big));
            assert!(header.column_major);
            assert_eq!(header.shape, [3, 4]);
        }
    }

    #[test]
    fn what_a_value_cannot_be_is_refused() {
        let kind = |dictionary: &str| parse(1, dictionary).err().unwrap().kind;
        let with_type = |descr: &str| format!("{{'descr': {descr}, 'fortran_order': False, 'shape': ()}}");
        assert_eq!(kind(&with_type("[('x', '<f8')]")), ErrorKind::Unsupported);
        assert_eq!(kind(&with_type("'<c8'")), ErrorKind::Unsupported);
        assert_eq!(kind(&with_type("'|O'")), ErrorKind::Unsupported);
        assert_eq!(kind(&with_type("'<f16'")), ErrorKind::Unsupported);
        assert_eq!(parse(4, "").err().unwrap().kind, ErrorKind::Unsupported);
    }

    #[test]
    fn bad_dictionaries_are_errors() {
        for dictionary in [
            "",
            "{",
            "{}",
            "{'descr'",
            "{'descr': '<f8",
            "{'descr': '<f8'}",
            "{'descr': '<f8', 'fortran_order': False}",
            "{'descr': '<f8', 'fortran_order': Maybe, 'shape': ()}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': 3}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (1 2)}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (), 'more': 1}",
        ] {
            assert!(parse(1, dictionary).is_err(), "{dictionary}");
        }
    }
}
