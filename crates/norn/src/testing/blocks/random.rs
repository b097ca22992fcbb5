//! What values should be made up: types with sizes, and constants among them.

use super::{BlockError, Cursor, Random};
use norn_values::{Prim, element_count};

/// `{ [10]i32 7i64 .. }`
pub(super) fn parse_random(cursor: &mut Cursor) -> Result<Vec<Random>, BlockError> {
    if cursor.sees("@") {
        return Err(cursor.expected("`{`").with_help("Random inputs are not read from files."));
    }
    cursor.expect("{")?;
    let mut values = Vec::new();
    while !cursor.accept("}") {
        let value = match parse_type(cursor)? {
            Some(value) => value,
            None if cursor.is_at_end() => return Err(cursor.expected("a type, a value or `}`")),
            None => Random::Exactly(cursor.take_value()?),
        };
        values.push(value);
    }
    Ok(values)
}

/// A type, if there is one here and not a value.
fn parse_type(cursor: &mut Cursor) -> Result<Option<Random>, BlockError> {
    let start = cursor.at;
    let mut shape = Vec::new();
    while cursor.sees("[") {
        cursor.at += 1;
        let (digits, at) = cursor.take_while(|c| c.is_ascii_digit() || c == '_');
        let Ok(dim) = digits.replace('_', "").parse() else {
            cursor.at = at.start;
            let help = "Sizes of random inputs are written out, as in `[10]i32`.";
            return Err(cursor.expected("a size").with_help(help));
        };
        shape.push(dim);
        if !cursor.sees("]") {
            return Err(cursor.expected("`]`"));
        }
        cursor.at += 1;
    }
    let before = cursor.at;
    let (name, at) = cursor.take_while(|c| c.is_ascii_alphanumeric());
    let prim = Prim::from_name(name).filter(|_| !cursor.sees("."));
    match prim {
        Some(prim) if element_count(&shape).is_some() => {
            cursor.skip_space();
            Ok(Some(Random::Any { prim, shape }))
        }
        Some(_) => Err(BlockError::new(start..at.end, "This value is too large.")),
        None if !shape.is_empty() => {
            cursor.at = before;
            Err(cursor.expected("a primitive type"))
        }
        None => {
            cursor.at = start;
            Ok(None)
        }
    }
}
