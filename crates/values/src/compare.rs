//! Whether a result is the expected one, and if not, where it differs.
//!
//! Types, shapes, integers and booleans must be equal. Floats may differ by max(t, t * m), where m is
//! the largest finite element expected and t is 0.002 by default; both are rounded to the
//! type of the elements. A NaN equals any NaN, an infinity itself. This is the rule of Futhark's own
//! tests, so that one expectation serves both compilers.

use crate::data::{Data, Element};
use crate::value::Value;
use half::f16;
use std::fmt;

/// The tolerance for floats where nothing else is said.
pub const TOLERANCE: f64 = 0.002;

/// How two values differ.
#[derive(Clone, PartialEq, Debug)]
pub enum Difference {
    /// Types with sizes, such as `[3]i32`: the element types or the shapes differ.
    Type {
        expected: String,
        found: String,
    },
    Elements(Box<Elements>),
}

/// How the elements of two values of one type differ.
#[derive(Clone, PartialEq, Debug)]
pub struct Elements {
    /// The number of elements that differ, of `total`.
    pub count: usize,
    pub total: usize,
    /// The index of the first that differs, with one number per dimension.
    pub index: Vec<usize>,
    /// The first that differs, as a scalar.
    pub expected: Value,
    /// What was found in its place.
    pub found: Value,
    /// The largest distance among numbers that differ, where any distance is finite.
    pub largest: Option<f64>,
    /// How far floats may be apart here.
    pub allowed: Option<f64>,
}

/// How two lists of values differ.
#[derive(Clone, PartialEq, Debug)]
pub enum Mismatch {
    Count { expected: usize, found: usize },
    Value { index: usize, difference: Difference },
}

/// Compares lists of values; the first that differs is reported.
pub fn compare_all(expected: &[Value], found: &[Value], tolerance: f64) -> Result<(), Mismatch> {
    if expected.len() != found.len() {
        return Err(Mismatch::Count { expected: expected.len(), found: found.len() });
    }
    for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
        compare(expected, found, tolerance).map_err(|difference| Mismatch::Value { index, difference })?;
    }
    Ok(())
}

/// Compares two values.
pub fn compare(expected: &Value, found: &Value, tolerance: f64) -> Result<(), Difference> {
    let different_type = || Difference::Type { expected: expected.type_text(), found: found.type_text() };
    if expected.shape() != found.shape() {
        return Err(different_type());
    }
    let differing = match (expected.data(), found.data()) {
        (Data::I8(e), Data::I8(f)) => integers(e, f),
        (Data::I16(e), Data::I16(f)) => integers(e, f),
        (Data::I32(e), Data::I32(f)) => integers(e, f),
        (Data::I64(e), Data::I64(f)) => integers(e, f),
        (Data::U8(e), Data::U8(f)) => integers(e, f),
        (Data::U16(e), Data::U16(f)) => integers(e, f),
        (Data::U32(e), Data::U32(f)) => integers(e, f),
        (Data::U64(e), Data::U64(f)) => integers(e, f),
        (Data::F16(e), Data::F16(f)) => floats(e, f, tolerance),
        (Data::F32(e), Data::F32(f)) => floats(e, f, tolerance),
        (Data::F64(e), Data::F64(f)) => floats(e, f, tolerance),
        (Data::Bool(e), Data::Bool(f)) => booleans(e, f),
        _ => return Err(different_type()),
    };
    match differing.first {
        None => Ok(()),
        Some(first) => Err(Difference::Elements(Box::new(Elements {
            count: differing.count,
            total: expected.len(),
            index: unflatten(expected.shape(), first),
            expected: expected.element(first).expect("an element differs"),
            found: found.element(first).expect("the shapes are equal"),
            largest: differing.largest,
            allowed: differing.allowed,
        }))),
    }
}

/// What differs between two slices.
#[derive(Default)]
struct Differing {
    count: usize,
    first: Option<usize>,
    largest: Option<f64>,
    allowed: Option<f64>,
}

impl Differing {
    fn add(&mut self, index: usize, distance: f64) {
        self.count += 1;
        self.first.get_or_insert(index);
        if distance.is_finite() {
            self.largest = Some(self.largest.map_or(distance, |largest| largest.max(distance)));
        }
    }
}

fn integers<T: Integer>(expected: &[T], found: &[T]) -> Differing {
    let mut differing = Differing::default();
    for (i, (e, f)) in expected.iter().zip(found).enumerate() {
        if e != f {
            differing.add(i, e.distance(*f) as f64);
        }
    }
    differing
}

fn booleans(expected: &[bool], found: &[bool]) -> Differing {
    let mut differing = Differing::default();
    for (i, (e, f)) in expected.iter().zip(found).enumerate() {
        if e != f {
            differing.add(i, f64::NAN);
        }
    }
    differing
}

fn floats<T: Float>(expected: &[T], found: &[T], tolerance: f64) -> Differing {
    let rounded = |x: f64| T::from_f64(x).to_f64();
    let finite = expected.iter().map(|x| x.to_f64()).filter(|x| x.is_finite());
    let largest = finite.fold(f64::NEG_INFINITY, f64::max);
    let least = rounded(tolerance);
    let allowed = if largest.is_finite() { least.max(rounded(least * largest)) } else { least };
    let mut differing = Differing { allowed: Some(allowed), ..Differing::default() };
    for (i, (e, f)) in expected.iter().zip(found).enumerate() {
        let (e, f) = (e.to_f64(), f.to_f64());
        if e == f || e.is_nan() && f.is_nan() {
            continue;
        }
        let distance = (e - f).abs();
        // The distance of two floats of a narrow type, computed in that type, is rounded as well.
        let is_within = distance <= allowed || rounded(distance) <= allowed;
        if !is_within {
            differing.add(i, distance);
        }
    }
    differing
}

trait Integer: Element {
    fn distance(self, other: Self) -> u64;
}

macro_rules! integer {
    ($($ty:ty)*) => {$(
        impl Integer for $ty {
            fn distance(self, other: $ty) -> u64 {
                u64::from(self.abs_diff(other))
            }
        }
    )*};
}

integer! { i8 i16 i32 i64 u8 u16 u32 u64 }

trait Float: Element {
    fn to_f64(self) -> f64;
    fn from_f64(x: f64) -> Self;
}

impl Float for f16 {
    fn to_f64(self) -> f64 {
        f16::to_f64(self)
    }

    fn from_f64(x: f64) -> f16 {
        norn_base::prim::f16_from_f64(x)
    }
}

impl Float for f32 {
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    fn from_f64(x: f64) -> f32 {
        x as f32
    }
}

impl Float for f64 {
    fn to_f64(self) -> f64 {
        self
    }

    fn from_f64(x: f64) -> f64 {
        x
    }
}

/// The index per dimension of the element at `flat` in row-major order.
fn unflatten(shape: &[usize], mut flat: usize) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (i, dim) in index.iter_mut().zip(shape).rev() {
        *i = flat % dim;
        flat /= dim;
    }
    index
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Type { expected, found } => {
                write!(f, "expected a value of type {expected}, found {found}")
            }
            Difference::Elements(elements) => elements.fmt(f),
        }
    }
}

impl fmt::Display for Elements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Elements { count, total, index, expected, found, largest, allowed } = self;
        if index.is_empty() {
            write!(f, "expected {expected}, found {found}")?;
        } else {
            write!(f, "at {index:?} expected {expected}, found {found}; {count} of {total} elements differ")?;
        }
        if let Some(largest) = largest {
            write!(f, ", by {}{largest}", if *count > 1 { "up to " } else { "" })?;
        }
        if let Some(allowed) = allowed {
            write!(f, " where {allowed} is allowed")?;
        }
        Ok(())
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Count { expected, found } => write!(f, "expected {expected} values, found {found}"),
            Mismatch::Value { index, difference } => write!(f, "value {index}: {difference}"),
        }
    }
}

impl std::error::Error for Difference {}
impl std::error::Error for Mismatch {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_value;

    fn difference(expected: &str, found: &str) -> Option<String> {
        let read = |text: &str| read_value(text.as_bytes(), None).unwrap();
        compare(&read(expected), &read(found), TOLERANCE).err().map(|difference| difference.to_string())
    }

    fn agree(expected: &str, found: &str) -> bool {
        difference(expected, found).is_none()
    }

    #[test]
    fn types_and_shapes_must_be_equal() {
        assert_eq!(difference("1i32", "1i64").unwrap(), "expected a value of type i32, found i64");
        assert_eq!(
            difference("[[1,2]]", "[[1],[2]]").unwrap(),
            "expected a value of type [1][2]i32, found [2][1]i32"
        );
        assert!(!agree("1", "[1]"));
        assert!(!agree("empty([0][1]i32)", "empty([0][2]i32)"));
        assert!(agree("empty([0]f32)", "empty([0]f32)"));
    }

    #[test]
    fn integers_and_booleans_must_be_equal() {
        assert!(agree("[1,2]", "[1,2]"));
        assert_eq!(
            difference("[[1,2],[3,4]]", "[[1,2],[5,9]]").unwrap(),
            "at [1, 0] expected 3i32, found 5i32; 2 of 4 elements differ, by up to 5"
        );
        assert_eq!(
            difference("-9223372036854775808i64", "9223372036854775807i64").unwrap().split(',').count(),
            3
        );
        assert_eq!(difference("true", "false").unwrap(), "expected true, found false");
    }

    #[test]
    fn floats_may_differ_by_the_tolerance() {
        assert!(agree("1.0", "1.0019"));
        assert!(!agree("1.0", "1.0021"));
        assert!(agree("0.0", "0.0019"));
        assert_eq!(
            difference("1.0", "1.5").unwrap(),
            "expected 1.0f64, found 1.5f64, by 0.5 where 0.002 is allowed"
        );
        assert!(agree("1f16", "1.002f16"));
    }

    #[test]
    fn the_largest_element_widens_the_tolerance() {
        assert!(agree("[0.0, 1000.0]", "[2.0, 1000.0]"));
        assert!(!agree("[0.0, 1000.0]", "[2.1, 1000.0]"));
        assert!(!agree("[0.0, -1000.0]", "[2.0, -1000.0]"), "the largest, not that of the largest magnitude");
        assert!(!agree("[0.0, f64.inf]", "[2.0, f64.inf]"), "infinities do not widen it");
    }

    #[test]
    fn special_floats_equal_themselves() {
        assert!(agree("[f32.nan, f32.inf, -f32.inf]", "[f32.nan, f32.inf, -f32.inf]"));
        assert!(agree("0.0", "-0.0"));
        assert!(!agree("f32.inf", "-f32.inf"));
        assert!(!agree("f32.nan", "0f32"));
        assert_eq!(
            difference("f32.inf", "1f32").unwrap(),
            "expected f32.inf, found 1.0f32 where 0.0020000000949949026 is allowed"
        );
    }

    #[test]
    fn lists_report_the_first_value_that_differs() {
        let (one, two) = (Value::scalar(1), Value::scalar(2));
        assert_eq!(compare_all(&[], &[], TOLERANCE), Ok(()));
        let mismatch = compare_all(&[one.clone(), one.clone()], &[one.clone(), two], TOLERANCE).unwrap_err();
        assert_eq!(mismatch.to_string(), "value 1: expected 1i32, found 2i32, by 1");
        let mismatch = compare_all(&[one], &[], TOLERANCE).unwrap_err();
        assert_eq!(mismatch.to_string(), "expected 1 values, found 0");
    }
}
