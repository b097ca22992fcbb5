//! Columns of numbers for plots.

use super::img::kind_of;
use crate::testing::script::{Evaluator, Val};
use norn_values::{Data, Value};

/// Arrays of numbers of one length that belong together.
pub struct Columns {
    /// Empty where there is none.
    pub name: String,
    pub arrays: Vec<Vec<f64>>,
}

/// The columns that a value is: a tuple is one without a name, a record has several. The error is a sentence.
pub fn columns(evaluator: &Evaluator, value: &Val) -> Result<Vec<Columns>, String> {
    if let Some(parts) = evaluator.parts(value) {
        return Ok(vec![Columns { name: String::new(), arrays: tuple(evaluator, "The value", &parts)? }]);
    }
    let fields = evaluator.fields(value).ok_or_else(|| {
        let found = kind_of(evaluator, value);
        format!("Expected a tuple of arrays of numbers, or a record of such tuples, found {found}.")
    })?;
    let mut columns = Vec::new();
    for (name, field) in fields {
        let what = format!("The field `{name}`");
        let parts = evaluator.parts(&field);
        let parts = parts
            .ok_or_else(|| format!("{what} is no tuple of arrays, but {}.", kind_of(evaluator, &field)))?;
        columns.push(Columns { name, arrays: tuple(evaluator, &what, &parts)? });
    }
    Ok(columns)
}

fn tuple(evaluator: &Evaluator, what: &str, parts: &[Val]) -> Result<Vec<Vec<f64>>, String> {
    let mut columns = Vec::new();
    for part in parts {
        let numbers = part.plain().filter(|value| value.rank() == 1).and_then(numbers);
        columns.push(numbers.ok_or_else(|| {
            format!("{what} must be a tuple of arrays of numbers, but in it is {}.", kind_of(evaluator, part))
        })?);
    }
    let lengths: Vec<usize> = columns.iter().map(Vec::len).collect();
    if lengths.windows(2).any(|pair| pair[0] != pair[1]) {
        return Err(format!("{what} has arrays of different lengths: {lengths:?}."));
    }
    Ok(columns)
}

fn numbers(value: &Value) -> Option<Vec<f64>> {
    Some(match value.data() {
        Data::I8(xs) => xs.iter().map(|x| f64::from(*x)).collect(),
        Data::I16(xs) => xs.iter().map(|x| f64::from(*x)).collect(),
        Data::I32(xs) => xs.iter().map(|x| f64::from(*x)).collect(),
        Data::I64(xs) => xs.iter().map(|x| *x as f64).collect(),
        Data::U8(xs) => xs.iter().map(|x| f64::from(*x)).collect(),
        Data::U16(xs) => xs.iter().map(|x| f64::from(*x)).collect(),
        Data::U32(xs) => xs.iter().map(|x| f64::from(*x)).collect(),
        Data::U64(xs) => xs.iter().map(|x| *x as f64).collect(),
        Data::F16(xs) => xs.iter().map(|x| x.to_f64()).collect(),
        Data::F32(xs) => xs.iter().map(|x| f64::from(*x)).collect(),
        Data::F64(xs) => xs.clone(),
        Data::Bool(_) => return None,
    })
}
