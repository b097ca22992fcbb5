//! What is being made, and what is wrong with it, in the words of the program.

use super::{Incoming, Object};
use crate::errors;
use pyo3::exceptions::PyRecursionError;
use pyo3::prelude::*;

/// How deep records, lists and cases may be inside each other, but for cases in cases, which may be as deep as they like.
const DEEPEST: usize = 200;

/// What is being made, for messages.
pub enum Place<'a> {
    /// An array on its own.
    Array,
    Argument {
        entry: &'a str,
        name: &'a str,
    },
    Field {
        of: &'a Place<'a>,
        name: &'a str,
    },
    Element {
        of: &'a Place<'a>,
        number: usize,
    },
    /// A value that a constructor holds.
    Payload {
        of: &'a Place<'a>,
        constructor: &'a str,
        number: usize,
    },
}

impl Place<'_> {
    fn words(&self) -> String {
        match self {
            Place::Array => "the array".to_string(),
            Place::Argument { entry, name } => format!("the argument `{name}` of `{entry}`"),
            Place::Field { of, name } => format!("the field `{name}` of {}", of.words()),
            Place::Element { of, number } => format!("the element {number} of {}", of.words()),
            Place::Payload { of, constructor, number } => {
                format!("the value {number} of `{constructor}` in {}", of.words())
            }
        }
    }

    fn depth(&self) -> usize {
        match self {
            Place::Array | Place::Argument { .. } => 0,
            Place::Field { of, .. } | Place::Element { of, .. } | Place::Payload { of, .. } => 1 + of.depth(),
        }
    }
}

impl<'py> Incoming<'_, 'py> {
    pub(super) fn wrong(&self, place: &Place, ty: &str, why: &str) -> PyErr {
        let mut words = place.words();
        words.replace_range(..1, "T");
        errors::arguments(self.py, format!("{words} must be of type {ty}, but {why}."))
    }

    pub(super) fn wrong_kind(&self, place: &Place, ty: &str, object: &Object<'py>) -> PyErr {
        let class = object.get_type().name().map_or_else(|_| "?".to_string(), |name| name.to_string());
        self.wrong(place, ty, &format!("is of the class `{class}`"))
    }

    pub(super) fn check_depth(&self, place: &Place) -> PyResult<()> {
        if place.depth() > DEEPEST {
            return Err(PyRecursionError::new_err("values inside of values are too deep"));
        }
        Ok(())
    }
}
