//! Arrays in numpy's `.npy` format, versions 1 to 3.
//!
//! Both byte orders and both element orders are read; what is written is version 1, little-endian,
//! row-major. A file holds one array; a scalar is an array of shape `()`.
//!
//! The format is small enough to be written here. The crate `npyz` reads it too, but brings a parser
//! generator and a library of big integers, and needs the crate `zip` for archives.

mod header;

use crate::bytes;
use crate::data::{Data, Element, on_data};
use crate::error::{ErrorKind, ReadError};
use crate::value::{Value, element_count};
use header::{Header, parse_header, print_header};

/// Reads a whole `.npy` file.
pub fn read_npy(bytes: &[u8]) -> Result<Value, ReadError> {
    let (Header { prim, byte_order, column_major, shape }, start) = parse_header(bytes)?;
    let size = element_count(&shape).and_then(|count| count.checked_mul(prim.size())).ok_or_else(|| {
        let found = format!("the shape {shape:?}");
        ReadError::new(0, ErrorKind::TooLarge, "the shape of a possible array", found)
    })?;
    let elements = &bytes[start..];
    if elements.len() != size {
        let kind = if elements.len() < size { ErrorKind::Truncated } else { ErrorKind::Syntax };
        let expected = format!("{size} bytes of elements for the shape {shape:?} of {prim}");
        return Err(ReadError::new(start, kind, expected, format!("{} bytes", elements.len())));
    }
    let mut data = bytes::decode(prim, elements, byte_order);
    if column_major {
        data = on_data!(data, columns => row_major(columns, &shape));
    }
    Ok(Value::new(shape, data).expect("the elements were counted by the shape"))
}

/// Appends a value as a `.npy` file.
pub fn write_npy(value: &Value, out: &mut Vec<u8>) {
    print_header(value, out);
    bytes::encode(value.data(), out);
}

/// Reorders elements of which the first index varies fastest, so that the last does.
fn row_major<T: Element>(columns: Vec<T>, shape: &[usize]) -> Data {
    if shape.len() < 2 || columns.is_empty() {
        return T::into_data(columns);
    }
    let strides: Vec<usize> = shape
        .iter()
        .scan(1, |product, dim| {
            let stride = *product;
            *product *= dim;
            Some(stride)
        })
        .collect();
    let mut rows = Vec::with_capacity(columns.len());
    let mut index = vec![0; shape.len()];
    let mut offset = 0;
    for _ in 0..columns.len() {
        rows.push(columns[offset]);
        for level in (0..shape.len()).rev() {
            index[level] += 1;
            offset += strides[level];
            if index[level] < shape[level] {
                break;
            }
            offset -= strides[level] * shape[level];
            index[level] = 0;
        }
    }
    T::into_data(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_become_rows() {
        let data = row_major((0..6).collect(), &[2, 3]);
        assert_eq!(data, Data::I32(vec![0, 2, 4, 1, 3, 5]));
        let data = row_major((0..8).collect(), &[2, 2, 2]);
        assert_eq!(data, Data::I32(vec![0, 4, 2, 6, 1, 5, 3, 7]));
    }

    #[test]
    fn a_file_cut_anywhere_is_an_error() {
        let mut bytes = Vec::new();
        write_npy(&Value::vector(vec![1.5f64, 2.5]), &mut bytes);
        assert_eq!(bytes.len(), 128 + 16);
        for end in 0..bytes.len() {
            assert!(read_npy(&bytes[..end]).is_err(), "{end}");
        }
        bytes.push(0);
        assert_eq!(
            read_npy(&bytes).unwrap_err().to_string(),
            "byte 128: syntax error: expected 16 bytes of elements for the shape [2] of f64, found 17 bytes"
        );
    }
}
