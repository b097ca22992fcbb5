//! Values of the text format: arrays, `empty`, strings, scalars.
//!
//! Arrays are read with an explicit stack ([`Nesting`]), so no depth of brackets exhausts the
//! program's own. Elements go straight into the one vector of the result: the type is settled by the
//! first element, and from then on a row of scalars is one loop at that type.

use super::nesting::{Nesting, too_deep};
use super::number::{Scalar, scan_scalar};
use super::scan::{ends_word, found_at, skip_space};
use super::string::parse_string;
use crate::data::{Data, on_data};
use crate::error::{ELEMENT_TYPE, ErrorKind, ReadError};
use crate::expected::Expected;
use crate::value::{MAX_RANK, Value, element_count, sized_type};
use norn_base::Prim;

/// There are more elements than there is room for.
pub(crate) fn too_much(at: usize, room: usize) -> ReadError {
    ReadError::new(at, ErrorKind::TooLarge, format!("elements of at most {room} bytes"), "more than that")
}

/// The value at `start`, where no white space is, and where the text goes on.
pub(crate) fn parse_value(
    bytes: &[u8],
    start: usize,
    expected: Option<&Expected>,
    room: usize,
) -> Result<(Value, usize), ReadError> {
    let mut parser = Parser { bytes, at: start, expected: expected.map(|expected| expected.prim), room };
    let value = if parser.peek() == Some(b'[') {
        parser.array()?
    } else if let Some((shape, data)) = parser.leaf_array()? {
        parser.value(start, shape, data)?
    } else {
        parser.scalar()?
    };
    if let Some(expected) = expected {
        expected.check(&value, start)?;
    }
    Ok((value, parser.at))
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    expected: Option<Prim>,
    /// How many bytes the elements may take.
    room: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Goes past `length` bytes and the space after them.
    fn advance(&mut self, length: usize) {
        self.at = skip_space(self.bytes, self.at + length);
    }

    fn accept(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.advance(1);
        }
        found
    }

    /// What was expected is not here.
    fn error(&self, expected: &str) -> ReadError {
        let kind = if self.peek().is_some() { ErrorKind::Syntax } else { ErrorKind::Truncated };
        ReadError::new(self.at, kind, expected, found_at(self.bytes, self.at))
    }

    fn value(&self, start: usize, shape: Vec<usize>, data: Data) -> Result<Value, ReadError> {
        Value::new(shape, data).map_err(|error| {
            ReadError::new(start, ErrorKind::TooLarge, "dimensions of a possible array", error.to_string())
        })
    }

    fn scalar(&mut self) -> Result<Value, ReadError> {
        let start = self.at;
        let mut data = Data::empty(self.element_type()?);
        on_data!(&mut data, elements => self.element(elements)?);
        self.value(start, Vec::new(), data)
    }

    /// The type of the scalar that is next: what is expected, else its own.
    fn element_type(&self) -> Result<Prim, ReadError> {
        match self.expected {
            Some(prim) => Ok(prim),
            None => match scan_scalar(self.bytes, self.at) {
                Some(literal) => Ok(literal.own_type()),
                None => Err(self.error("a value")),
            },
        }
    }

    fn element<T: Scalar>(&mut self, elements: &mut Vec<T>) -> Result<(), ReadError> {
        let (element, end) = T::parse(self.bytes, self.at)?;
        if elements.len() == elements.capacity() {
            let (count, most) = (elements.len(), self.room / size_of::<T>());
            if count >= most {
                return Err(too_much(self.at, self.room));
            }
            elements.reserve_exact(count.max(16).min(most - count));
        }
        elements.push(element);
        self.at = end;
        Ok(())
    }

    /// Scalars with commas between them; stops before anything else, and before its comma.
    /// Returns how many.
    fn elements<T: Scalar>(&mut self, elements: &mut Vec<T>) -> Result<usize, ReadError> {
        let before = elements.len();
        loop {
            self.element(elements)?;
            self.advance(0);
            let comma = self.at;
            if !self.accept(b',') {
                break;
            }
            if let None | Some(b'[' | b']' | b'"' | b'e') = self.peek() {
                self.at = comma;
                break;
            }
        }
        Ok(elements.len() - before)
    }

    /// An array that is not written with brackets: a string, or `empty(...)`.
    fn leaf_array(&mut self) -> Result<Option<(Vec<usize>, Data)>, ReadError> {
        match self.peek() {
            Some(b'"') => {
                let (string, end) = parse_string(self.bytes, self.at)?;
                self.at = end;
                Ok(Some((vec![string.len()], Data::U8(string))))
            }
            Some(b'e') => {
                let (shape, prim) = self.empty()?;
                Ok(Some((shape, Data::empty(prim))))
            }
            _ => Ok(None),
        }
    }

    /// `empty([d]...t)`.
    fn empty(&mut self) -> Result<(Vec<usize>, Prim), ReadError> {
        let start = self.at;
        if !self.bytes[start..].starts_with(b"empty") {
            return Err(self.error("a value"));
        }
        self.advance("empty".len());
        if !self.accept(b'(') {
            return Err(self.error("`(` after `empty`"));
        }
        let mut shape = Vec::new();
        while self.accept(b'[') {
            shape.push(self.dimension()?);
            if shape.len() > MAX_RANK {
                return Err(too_deep(start));
            }
        }
        let prim = self.type_name()?;
        if self.peek() != Some(b')') {
            return Err(self.error("`)`"));
        }
        self.at += 1;
        match element_count(&shape) {
            Some(0) => Ok((shape, prim)),
            Some(_) => {
                let found = sized_type(&shape, prim);
                let expected = "a type with at least one dimension of zero";
                Err(ReadError::new(start, ErrorKind::Syntax, expected, found))
            }
            None => {
                let found = sized_type(&shape, prim);
                Err(ReadError::new(start, ErrorKind::TooLarge, "dimensions of a possible array", found))
            }
        }
    }

    /// A dimension of `empty`, and its closing bracket.
    fn dimension(&mut self) -> Result<usize, ReadError> {
        let start = self.at;
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(self.error("a dimension"));
        }
        let mut dim = 0usize;
        while let Some(byte @ (b'0'..=b'9' | b'_')) = self.peek() {
            if byte != b'_' {
                let next = dim.checked_mul(10).and_then(|dim| dim.checked_add(usize::from(byte - b'0')));
                dim = next.ok_or_else(|| {
                    let found = found_at(self.bytes, start);
                    ReadError::new(start, ErrorKind::TooLarge, "a dimension that fits an i64", found)
                })?;
            }
            self.at += 1;
        }
        self.advance(0);
        if self.accept(b']') { Ok(dim) } else { Err(self.error("`]`")) }
    }

    fn type_name(&mut self) -> Result<Prim, ReadError> {
        let rest = &self.bytes[self.at..];
        let found = Prim::ALL
            .into_iter()
            .find(|prim| rest.starts_with(prim.name().as_bytes()) && ends_word(rest, prim.name().len()));
        let prim = found.ok_or_else(|| self.error(ELEMENT_TYPE))?;
        self.advance(prim.name().len());
        Ok(prim)
    }

    fn array(&mut self) -> Result<Value, ReadError> {
        let start = self.at;
        let mut nesting = Nesting::default();
        let mut data = None;
        loop {
            // Here a row or an element begins, or the row that is open ends.
            match self.peek() {
                Some(b'[') => {
                    nesting.open(self.at)?;
                    self.advance(1);
                    continue;
                }
                Some(b']') => {}
                _ => self.items(&mut nesting, &mut data)?,
            }
            while self.peek() == Some(b']') {
                self.at += 1;
                if nesting.close()? {
                    let data = data.expect("only arrays with elements or typed rows are closed");
                    return self.value(start, nesting.into_shape(), data);
                }
                self.advance(0);
            }
            if !self.accept(b',') {
                return Err(self.error("`,` or `]`"));
            }
        }
    }

    /// Scalars, or a row that is a string or `empty(...)`.
    fn items(&mut self, nesting: &mut Nesting, data: &mut Option<Data>) -> Result<(), ReadError> {
        let start = self.at;
        if let Some((shape, row)) = self.leaf_array()? {
            nesting.add_row(start, &shape)?;
            append(data, row, self.expected).map_err(|(expected, found)| {
                let expected = format!("elements of type {expected}");
                ReadError::new(start, ErrorKind::Type, expected, format!("elements of type {found}"))
            })?;
            self.advance(0);
            return Ok(());
        }
        if data.is_none() {
            *data = Some(Data::empty(self.element_type()?));
        }
        nesting.check_element(start)?;
        let data = data.as_mut().expect("set above");
        let count = on_data!(data, elements => self.elements(elements)?);
        nesting.add_elements(count);
        Ok(())
    }
}

/// Appends a row to the elements so far, or returns the two types that differ.
fn append(data: &mut Option<Data>, row: Data, expected: Option<Prim>) -> Result<(), (Prim, Prim)> {
    let prim = data.as_ref().map(Data::prim).or(expected).unwrap_or(row.prim());
    if prim != row.prim() {
        return Err((prim, row.prim()));
    }
    match (data, row) {
        (Some(Data::U8(elements)), Data::U8(row)) => elements.extend(row),
        // Of the other types only empty rows are written whole.
        (Some(_), _) => {}
        (data, row) => *data = Some(row),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_value;

    fn value(text: &str) -> Value {
        read_value(text.as_bytes(), None).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn error(text: &str) -> String {
        read_value(text.as_bytes(), None).unwrap_err().to_string()
    }

    fn expecting(text: &str, prim: Prim, rank: usize) -> Result<Value, String> {
        read_value(text.as_bytes(), Some(&Expected::new(prim, rank))).map_err(|error| error.to_string())
    }

    #[test]
    fn arrays_have_the_type_of_their_first_element() {
        assert_eq!(value("[1u8, 2, 0x3]"), Value::vector(vec![1u8, 2, 3]));
        assert_eq!(value("[1f32, 2.5, f32.inf]"), Value::vector(vec![1.0, 2.5, f32::INFINITY]));
        assert_eq!(value("[true,false]"), Value::vector(vec![true, false]));
        assert_eq!(
            error("[1, 2.5]"),
            "line 1, column 5: wrong type: expected a value of type i32, found `2.5`"
        );
        assert_eq!(
            error("[1i8, 2i16]"),
            "line 1, column 7: wrong type: expected a value of type i8, found `2i16`"
        );
    }

    #[test]
    fn space_comments_and_a_last_comma_are_allowed() {
        let spaced = "[ -- rows\n [1 , 2,] ,\n\t[ 3,4 -- last\n], ] -- end";
        assert_eq!(value(spaced), Value::array(vec![2, 2], vec![1, 2, 3, 4]).unwrap());
    }

    #[test]
    fn what_is_expected_decides_the_type() {
        assert_eq!(expecting("1", Prim::F16, 0), Ok(Value::scalar(half::f16::ONE)));
        assert_eq!(expecting("[1,2]", Prim::U64, 1), Ok(Value::vector(vec![1u64, 2])));
        assert_eq!(expecting("\"hi\"", Prim::U8, 1), Ok(Value::vector(b"hi".to_vec())));
        assert_eq!(
            expecting("[1,2]", Prim::I32, 2),
            Err("line 1, column 1: wrong type: expected a value of type [][]i32, found a value of type \
                 [2]i32"
                .into())
        );
        assert_eq!(
            expecting(" 1.5", Prim::I64, 0),
            Err("line 1, column 2: wrong type: expected a value of type i64, found `1.5`".into())
        );
        assert!(expecting("\"hi\"", Prim::I8, 1).is_err());
        assert!(expecting("[\"hi\"]", Prim::I8, 2).is_err());
        assert!(expecting("empty([0]i32)", Prim::I64, 1).is_err());
    }

    #[test]
    fn rows_may_be_strings_or_empty() {
        assert_eq!(value("[\"ab\", \"cd\", [1, 2]]").type_text(), "[3][2]u8");
        assert_eq!(value("[\"\"]").type_text(), "[1][0]u8");
        assert_eq!(value("[empty([0][3]i32), empty([0][3]i32)]").type_text(), "[2][0][3]i32");
        assert_eq!(value("empty( [0] [3]\nbool )").type_text(), "[0][3]bool");
    }

    #[test]
    fn irregular_arrays_are_reported_by_row() {
        assert_eq!(
            error("[[1,2,3],\n [4,5]]"),
            "line 2, column 2: irregular array: expected a row of 3 elements, found 2 elements"
        );
        assert_eq!(
            error("[[[1],[2]],[[1]]]"),
            "line 1, column 12: irregular array: expected a row of 2 elements, found 1 element"
        );
        assert_eq!(
            error("[[1,2],3]"),
            "line 1, column 8: irregular array: expected an array of 2 elements, found an element"
        );
        assert_eq!(
            error("[1,[2]]"),
            "line 1, column 4: irregular array: expected an element, found an array"
        );
        assert_eq!(
            error("[[1u8],\"ab\"]"),
            "line 1, column 8: irregular array: expected a row of 1 element, found 2 elements"
        );
        assert_eq!(
            error("[1u8,\"ab\"]"),
            "line 1, column 6: irregular array: expected an element, found an array of rank 1"
        );
        assert!(error("[empty([0]i32), [1]]").contains("expected a row of 0 elements, found 1 element"));
        assert!(error("[empty([0]i32), empty([0]i8)]").contains("expected elements of type i32"));
        assert!(error("[empty([0]i32), 1]").contains("expected an array of 0 elements, found an element"));
    }

    #[test]
    fn syntax_errors_know_their_place() {
        assert_eq!(error("[1"), "line 1, column 3: truncated input: expected `,` or `]`, found end of input");
        assert_eq!(error("[1 2]"), "line 1, column 4: syntax error: expected `,` or `]`, found `2`");
        assert_eq!(
            error("[1,"),
            "line 1, column 4: truncated input: expected a value of type i32, found end of input"
        );
        assert_eq!(
            error("[]"),
            "line 1, column 1: syntax error: expected an element (an array without any is written like \
             `empty([0]i32)`), found `[]`"
        );
        assert_eq!(error("[[],[1]]").split(": ").next(), Some("line 1, column 2"));
        assert_eq!(error("12x"), "line 1, column 1: syntax error: expected a value, found `12x`");
        assert_eq!(error("[,]"), "line 1, column 2: syntax error: expected a value, found `,`");
        assert_eq!(
            error("[1,,2]"),
            "line 1, column 4: syntax error: expected a value of type i32, found `,`"
        );
    }

    #[test]
    fn empty_needs_a_dimension_of_zero() {
        assert!(
            error("empty([2]i32)")
                .ends_with("expected a type with at least one dimension of zero, found [2]i32")
        );
        assert!(error("empty(i32)").contains("at least one dimension of zero"));
        for text in [
            "empty",
            "empty(",
            "empty([0]",
            "empty([0]i32",
            "empty([]i32)",
            "empty([0]i33)",
            "empty([0i32)",
            "empty([99999999999999999999][0]i8)",
            "empty([9223372036854775808][0]i8)",
            "emptyish",
            "e",
        ] {
            error(text);
        }
    }

    #[test]
    fn depth_is_limited_by_rank_alone() {
        let deep = |depth| "[".repeat(depth) + "1" + &"]".repeat(depth);
        assert_eq!(value(&deep(MAX_RANK)).rank(), MAX_RANK);
        let error = read_value(deep(100_000).as_bytes(), None).unwrap_err();
        assert_eq!((error.kind, error.place.offset), (ErrorKind::TooLarge, MAX_RANK));
        let dims = "[0]".repeat(100_000);
        let error = read_value(format!("empty({dims}i32)").as_bytes(), None).unwrap_err();
        assert_eq!(error.kind, ErrorKind::TooLarge);
        let rows = "[".repeat(200) + "empty(" + &"[0]".repeat(200) + "i32)" + &"]".repeat(200);
        assert_eq!(read_value(rows.as_bytes(), None).unwrap_err().kind, ErrorKind::TooLarge);
    }
}
