//! The value: elements with a shape.

use crate::data::{Data, Element};
use crate::expected::Expected;
use norn_base::Prim;
use std::fmt;

/// The most dimensions a value has: what the binary format can write down.
pub const MAX_RANK: usize = 255;

/// A regular array of a primitive type, or a scalar: the array without dimensions.
///
/// Invariants: the product of the shape is the number of elements; there are at most [`MAX_RANK`]
/// dimensions; each fits an `i64`, the type of sizes in the language.
///
/// `==` compares elements as Rust does, so a NaN differs from itself; see [`Value::is_identical`]
/// for bits and [`compare`](crate::compare()) for results of programs. `Display` prints the text
/// format.
#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    shape: Vec<usize>,
    data: Data,
}

/// Why a shape and data do not make a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ShapeError {
    /// More than [`MAX_RANK`] dimensions, a dimension beyond `i64`, or a product beyond `usize`.
    TooLarge { shape: Vec<usize> },
    /// The shape asks for another number of elements.
    Count { shape: Vec<usize>, expected: usize, found: usize },
}

/// The product of a shape, unless it is too large for any value. One zero makes it zero.
pub fn element_count(shape: &[usize]) -> Option<usize> {
    if shape.len() > MAX_RANK || shape.iter().any(|&dim| i64::try_from(dim).is_err()) {
        return None;
    }
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1, |count: usize, &dim| count.checked_mul(dim))
}

impl Value {
    pub fn new(shape: Vec<usize>, data: Data) -> Result<Value, ShapeError> {
        match element_count(&shape) {
            None => Err(ShapeError::TooLarge { shape }),
            Some(expected) if expected != data.len() => {
                Err(ShapeError::Count { shape, expected, found: data.len() })
            }
            Some(_) => Ok(Value { shape, data }),
        }
    }

    pub fn array<T: Element>(shape: Vec<usize>, elements: Vec<T>) -> Result<Value, ShapeError> {
        Value::new(shape, T::into_data(elements))
    }

    pub fn vector<T: Element>(elements: Vec<T>) -> Value {
        Value { shape: vec![elements.len()], data: T::into_data(elements) }
    }

    pub fn scalar<T: Element>(element: T) -> Value {
        Value { shape: Vec::new(), data: T::into_data(vec![element]) }
    }

    /// The element at `index` in row-major order, as a scalar.
    pub fn element(&self, index: usize) -> Option<Value> {
        Some(Value { shape: Vec::new(), data: self.data.get(index)? })
    }

    pub fn prim(&self) -> Prim {
        self.data.prim()
    }

    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    pub fn is_scalar(&self) -> bool {
        self.shape.is_empty()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// How many bytes its elements take.
    pub fn byte_size(&self) -> usize {
        self.data().len() * self.prim().size()
    }

    pub fn data(&self) -> &Data {
        &self.data
    }

    /// The elements, to be changed in place.
    pub fn elements_mut<T: Element>(&mut self) -> Option<&mut [T]> {
        T::slice_mut(&mut self.data)
    }

    pub fn into_parts(self) -> (Vec<usize>, Data) {
        (self.shape, self.data)
    }

    /// The elements in row-major order, where they are of type `T`.
    pub fn elements<T: Element>(&self) -> Option<&[T]> {
        T::slice(&self.data)
    }

    /// The scalar, where this is one of type `T`.
    pub fn as_scalar<T: Element>(&self) -> Option<T> {
        if self.is_scalar() { self.elements()?.first().copied() } else { None }
    }

    /// Whether both have the same type, shape and bits.
    pub fn is_identical(&self, other: &Value) -> bool {
        self.shape == other.shape && self.data.is_identical(&other.data)
    }

    /// The type with sizes, such as `[3][4]i32`.
    pub fn type_text(&self) -> String {
        sized_type(&self.shape, self.prim())
    }

    /// The type without sizes, such as `[][]i32`.
    pub fn unsized_type(&self) -> Expected {
        Expected { prim: self.prim(), rank: self.rank() }
    }
}

/// A type with sizes, such as `[3][4]i32`.
pub(crate) fn sized_type(shape: &[usize], prim: Prim) -> String {
    let dims: String = shape.iter().map(|dim| format!("[{dim}]")).collect();
    dims + prim.name()
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapeError::TooLarge { shape } if shape.len() > MAX_RANK => {
                write!(f, "the shape has {} dimensions; at most {MAX_RANK} are possible", shape.len())
            }
            ShapeError::TooLarge { shape } => write!(f, "the shape {shape:?} is too large"),
            ShapeError::Count { shape, expected, found } => {
                write!(f, "the shape {shape:?} has {expected} elements, but there are {found}")
            }
        }
    }
}

impl std::error::Error for ShapeError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_must_fit_the_data() {
        assert!(Value::array(vec![2, 3], vec![0i32; 6]).is_ok());
        let error = Value::array(vec![2, 3], vec![0i32; 5]).unwrap_err();
        assert_eq!(error.to_string(), "the shape [2, 3] has 6 elements, but there are 5");
    }

    #[test]
    fn products_do_not_overflow() {
        let half = 1 << (usize::BITS / 2);
        assert_eq!(element_count(&[half, half]), None);
        assert_eq!(element_count(&[half, half, 0]), Some(0));
        assert_eq!(element_count(&[usize::MAX, 0]), None, "sizes fit an i64");
        assert_eq!(element_count(&[1; MAX_RANK]), Some(1));
        assert_eq!(element_count(&[1; MAX_RANK + 1]), None);
        assert!(matches!(Value::array::<u8>(vec![half, half], vec![]), Err(ShapeError::TooLarge { .. })));
    }

    #[test]
    fn a_scalar_has_no_dimensions() {
        let value = Value::scalar(5i64);
        assert!(value.is_scalar());
        assert_eq!((value.len(), value.as_scalar::<i64>(), value.as_scalar::<i32>()), (1, Some(5), None));
        assert_eq!(Value::vector(vec![5i64]).as_scalar::<i64>(), None);
    }

    #[test]
    fn types_are_written_with_and_without_sizes() {
        let value = Value::array(vec![2, 0], Vec::<bool>::new()).unwrap();
        assert_eq!(value.type_text(), "[2][0]bool");
        assert_eq!(value.unsized_type().to_string(), "[][]bool");
    }
}
