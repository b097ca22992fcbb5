//! The type that the reader of a value asks for.
//!
//! It decides what a number without suffix is, and turns a value of another type into an error that
//! knows its place.

use crate::error::{ErrorKind, ReadError};
use crate::value::Value;
use norn_base::Prim;
use std::fmt;

/// A type without sizes: `Expected::new(Prim::I32, 2)` is `[][]i32`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Expected {
    pub prim: Prim,
    pub rank: usize,
}

impl Expected {
    pub fn new(prim: Prim, rank: usize) -> Expected {
        Expected { prim, rank }
    }

    /// Complains about a value, read at `offset`, of another type.
    pub(crate) fn check(&self, value: &Value, offset: usize) -> Result<(), ReadError> {
        if value.unsized_type() == *self {
            return Ok(());
        }
        let found = format!("a value of type {}", value.type_text());
        Err(ReadError::new(offset, ErrorKind::Type, format!("a value of type {self}"), found))
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for _ in 0..self.rank {
            f.write_str("[]")?;
        }
        write!(f, "{}", self.prim)
    }
}
