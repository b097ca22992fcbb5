//! Irregular arrays: between the representations with and without `?`, and between rows and the
//! elements of all rows.

use crate::data::{Data, Kind};
use crate::dims::Dims;
use crate::failure::{Outcome, fail, fail_check};
use crate::view::View;
use norn_ir::failure::CheckKind;
use std::sync::Arc;

/// The same elements in the representation of these dimensions, where `None` is `?`. The sizes
/// matter only where an array is empty. The first dimension is never taken as `?`, since a row has its own.
pub(crate) fn fit(array: &View, dims: &[Option<usize>], elem: Kind) -> Outcome<View> {
    let expected = regular_prefix(dims);
    let found = array.shape.len();
    if expected < found {
        let outer: Dims = array.shape[..expected].into();
        let mut rows = Data::with_capacity(Kind::Rows, outer.count())?;
        for i in 0..outer.count() {
            rows.push_row(fit(&array.part_at(expected, i), &dims[expected..], elem)?);
        }
        return Ok(View::new(outer, rows));
    }
    if array.kind() != Kind::Rows {
        return Ok(array.clone());
    }
    if found == dims.len() {
        // Nothing was selected of an irregular array, so that it is not known what.
        return Ok(View::new(array.shape.clone(), Data::empty(elem)));
    }
    let mut rows = Data::with_capacity(Kind::Rows, array.count())?;
    for row in array.entries() {
        rows.push_row(fit(row, &dims[found..], elem)?);
    }
    if expected == found {
        return Ok(View::new(array.shape.clone(), rows));
    }
    let inner_kind = if expected == dims.len() { elem } else { Kind::Rows };
    let inner = match rows.rows().first() {
        Some(row) => row.shape.clone(),
        None => dims[found..expected].iter().map(|dim| dim.unwrap_or(0)).collect(),
    };
    if let Some(odd) = rows.rows().iter().find(|row| row.shape != inner) {
        return fail(format!("The rows of an array differ: one is {inner}, one is {}.", odd.shape));
    }
    let data = concat(rows.rows(), inner_kind)?;
    Ok(View::new(Dims::join(&array.shape, &inner), data))
}

/// How many dimensions come before the first `?`.
pub(crate) fn regular_prefix<T>(dims: &[Option<T>]) -> usize {
    dims.iter().skip(1).position(Option::is_none).map_or(dims.len(), |i| i + 1)
}

/// The elements of all, one after the other.
fn concat(arrays: &[View], kind: Kind) -> Outcome<Data> {
    let count = arrays.iter().fold(0, |count: usize, array| count.saturating_add(array.count()));
    let mut data = Data::with_capacity(kind, count)?;
    for array in arrays {
        data.extend(&array.data, array.offset..array.offset + array.count());
    }
    Ok(data)
}

/// The length of each row.
pub(crate) fn lengths(array: &View) -> View {
    let lengths: Vec<i64> = array.entries().iter().map(|row| row.len() as i64).collect();
    View::new(Dims::one(lengths.len()), Data::I64(lengths))
}

/// Where rows of these lengths end.
pub(crate) fn ends(lengths: &View) -> View {
    let sums = (0..lengths.len()).scan(0i64, |sum, i| {
        *sum = sum.saturating_add(lengths.word(i) as i64);
        Some(*sum)
    });
    View::new(lengths.shape.clone(), Data::I64(sums.collect()))
}

/// The arrays one after the other. Below their first dimension they have these regular dimensions and
/// elements, which determines what there is if there are no arrays.
pub(crate) fn join(arrays: &[View], inner: Dims, kind: Kind) -> Outcome<View> {
    if let Some(odd) = arrays.iter().find(|array| array.shape[1..] != *inner) {
        return fail(format!(
            "nest type violated: rows of shape {inner} are joined with an array of shape {}.",
            odd.shape
        ));
    }
    let total = arrays.iter().fold(0, |total: usize, array| total.saturating_add(array.len()));
    Ok(View { shape: Dims::join(&[total], &inner), offset: 0, data: Arc::new(concat(arrays, kind)?) })
}

/// Cut into rows of these lengths.
pub(crate) fn segment(lengths: &View, array: &View) -> Outcome<View> {
    check_segments(lengths, array.len() as i64)?;
    let mut rows = Data::with_capacity(Kind::Rows, lengths.len())?;
    let mut start = 0;
    for i in 0..lengths.len() {
        let length = lengths.word(i) as usize;
        rows.push_row(array.run(start, length));
        start += length;
    }
    Ok(View::new(lengths.shape.clone(), rows))
}

/// Row lengths are not negative and add up to the total.
pub(crate) fn check_segments(lengths: &View, total: i64) -> Outcome {
    let mut sum: i64 = 0;
    for i in 0..lengths.len() {
        let length = lengths.word(i) as i64;
        if length < 0 {
            return fail_check(CheckKind::NegativeLength, &[i as i64, length]);
        }
        sum = sum.saturating_add(length);
    }
    if sum != total {
        return fail_check(CheckKind::Segments, &[sum, total]);
    }
    Ok(())
}
