//! The rows of a value: values are taken apart and assembled along their outermost dimension.

use crate::data::{Data, Element, on_data};
use crate::value::{Value, element_count};

impl Value {
    /// The value with these values as its rows. `None` if there are none, or they differ in type or
    /// shape.
    pub fn from_rows(rows: &[Value]) -> Option<Value> {
        fn join<T: Element>(first: &[T], rows: &[Value]) -> Option<Data> {
            let mut joined = Vec::with_capacity(first.len() * rows.len());
            for row in rows {
                joined.extend_from_slice(row.elements()?);
            }
            Some(T::into_data(joined))
        }
        let first = rows.first()?;
        if rows.iter().any(|row| row.shape() != first.shape()) {
            return None;
        }
        let shape = [&[rows.len()], first.shape()].concat();
        Value::new(shape, on_data!(first.data(), elements => join(elements, rows))?).ok()
    }

    /// The element or row at `index`, which has a number for each of the first dimensions.
    pub fn row(&self, index: &[usize]) -> Option<Value> {
        let (outer, inner) = self.shape().split_at_checked(index.len())?;
        let mut flat = 0;
        for (&i, &dim) in index.iter().zip(outer) {
            if i >= dim {
                return None;
            }
            flat = flat * dim + i;
        }
        let count = element_count(inner)?;
        let data = on_data!(self.data(), elements => {
            Element::into_data(elements.get(flat * count..(flat + 1) * count)?.to_vec())
        });
        Value::new(inner.to_vec(), data).ok()
    }

    /// The value without the rows from `start` up to `end`.
    pub fn without_rows(&self, start: usize, end: usize) -> Option<Value> {
        let (&outer, inner) = self.shape().split_first()?;
        if start > end || end > outer {
            return None;
        }
        let count = element_count(inner)?;
        let data = on_data!(self.data(), elements => {
            Element::into_data([&elements[..start * count], &elements[end * count..]].concat())
        });
        let shape = [&[outer - (end - start)], inner].concat();
        Value::new(shape, data).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix() -> Value {
        Value::array(vec![3, 2], vec![1i32, 2, 3, 4, 5, 6]).unwrap()
    }

    #[test]
    fn rows_are_joined_and_taken_out() {
        let rows: Vec<Value> = (0..3).map(|i| matrix().row(&[i]).unwrap()).collect();
        assert_eq!(rows[1], Value::vector(vec![3, 4]));
        assert_eq!(Value::from_rows(&rows), Some(matrix()));
        assert_eq!(matrix().row(&[2, 1]), Some(Value::scalar(6)));
        assert_eq!(matrix().row(&[]), Some(matrix()));
        for outside in [&[3][..], &[0, 2], &[0, 0, 0]] {
            assert_eq!(matrix().row(outside), None);
        }
    }

    #[test]
    fn rows_must_be_alike() {
        assert_eq!(Value::from_rows(&[]), None);
        assert_eq!(Value::from_rows(&[Value::scalar(1), Value::scalar(1i64)]), None);
        assert_eq!(Value::from_rows(&[Value::scalar(1), Value::vector(vec![1])]), None);
        let empty = Value::array(vec![2, 0], Vec::<bool>::new()).unwrap();
        assert_eq!(empty.row(&[1]), Some(Value::vector(Vec::<bool>::new())));
    }

    #[test]
    fn rows_are_left_out() {
        let without = |start, end| matrix().without_rows(start, end).map(|value| value.to_string());
        assert_eq!(without(1, 2).as_deref(), Some("[[1i32, 2i32], [5i32, 6i32]]"));
        assert_eq!(without(0, 3).as_deref(), Some("empty([0][2]i32)"));
        assert_eq!(without(2, 4), None);
        assert_eq!(without(2, 1), None);
        assert_eq!(Value::scalar(1).without_rows(0, 0), None);
    }
}
