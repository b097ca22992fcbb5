//! Values that stand in a block, or in a file that it names.

use super::{BlockError, Cursor};
use norn_values::{ReadError, Reader, Value};

/// Values as they were written. Some make sense by themselves; others, such as records or rows of different lengths, only by
/// the types of the entry point that takes or yields them.
#[derive(Clone, Debug)]
pub struct Literals {
    /// Text, or in a file text and binary values in any mix.
    pub bytes: Vec<u8>,
    /// The values, if all are plain.
    pub plain: Option<Vec<Value>>,
}

impl Literals {
    /// What a file holds, plain values in at most so many bytes. The error is one that has nothing to do with the types of an entry point.
    pub fn read(bytes: Vec<u8>, limit: usize) -> Result<Literals, ReadError> {
        let values: Result<Vec<Value>, ReadError> = Reader::with_limit(&bytes, limit).collect();
        match values {
            Ok(values) => Ok(Literals { bytes, plain: Some(values) }),
            Err(error) if error.needs_type() => Ok(Literals { bytes, plain: None }),
            Err(error) => Err(error),
        }
    }

    pub fn plain(values: Vec<Value>) -> Literals {
        Literals { bytes: Vec::new(), plain: Some(values) }
    }
}

pub(super) enum Values {
    Here(Literals),
    File(String),
}

/// `{ value value .. }` or `@ file`
pub(super) fn parse_values(cursor: &mut Cursor) -> Result<Values, BlockError> {
    if cursor.sees("@") {
        return parse_file_name(cursor).map(Values::File);
    }
    let start = cursor.at;
    if !cursor.accept("{") {
        return Err(cursor.expected("`{` or `@`"));
    }
    let mut values = Vec::new();
    let inside = cursor.at;
    while !cursor.sees("}") {
        let at = cursor.at;
        match cursor.read_value() {
            Ok(value) => values.push(value),
            Err(error) if error.needs_type() => {
                cursor.at = start;
                let text = cursor.take_braces()?;
                return Ok(Values::Here(Literals { bytes: text.into(), plain: None }));
            }
            // Where no value begins, something is missing before it.
            Err(error) if error.place.offset == 0 => return Err(cursor.expected("a value or `}`")),
            Err(error) => {
                cursor.at = at;
                return Err(cursor.no_value(error));
            }
        }
    }
    let text = cursor.text[inside..cursor.at].into();
    cursor.expect("}")?;
    Ok(Values::Here(Literals { bytes: text, plain: Some(values) }))
}

/// `@ file`
pub(super) fn parse_file_name(cursor: &mut Cursor) -> Result<String, BlockError> {
    cursor.expect("@")?;
    let (name, _) = cursor.take_while(|c| !c.is_whitespace());
    if name.is_empty() {
        return Err(cursor.expected("the name of a file"));
    }
    cursor.skip_space();
    Ok(name.into())
}
