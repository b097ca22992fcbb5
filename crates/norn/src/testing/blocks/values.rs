//! Values that stand in a block, or in a file that it names.

use super::{BlockError, Cursor};
use norn_values::Value;

pub(super) enum Values {
    Here(Vec<Value>),
    File(String),
}

/// `{ value value .. }` or `@ file`
pub(super) fn parse_values(cursor: &mut Cursor) -> Result<Values, BlockError> {
    if cursor.sees("@") {
        return parse_file_name(cursor).map(Values::File);
    }
    if !cursor.accept("{") {
        return Err(cursor.expected("`{` or `@`"));
    }
    let mut values = Vec::new();
    while !cursor.accept("}") {
        let start = cursor.at;
        let value = cursor.take_value();
        // Where no value begins, something is missing before it.
        let expected = |error: BlockError| {
            if error.at.start == start { cursor.expected("a value or `}`") } else { error }
        };
        values.push(value.map_err(expected)?);
    }
    Ok(Values::Here(values))
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
