//! Views of flat memory, and dimensions in another order.

use super::checks::check_flat;
use crate::data::{Data, Kind};
use crate::dims::{Dims, product};
use crate::failure::{Outcome, fail};
use crate::view::View;

/// The rows at `offset + i1*s1 + i2*s2 ..`, for all `i1 < n1`, `i2 < n2`, ..
pub(super) fn flat_index(array: &View, offset: i64, dims: &[(i64, i64)]) -> Outcome<View> {
    check_flat(offset, dims, array.len() as i64)?;
    let inner = &array.shape[1..];
    let block = product(inner);
    let outer: Dims = dims.iter().map(|(count, _)| *count as usize).collect();
    let shape = Dims::join(&outer, inner);
    let mut data = Data::with_capacity(array.kind(), shape.count())?;
    for_each(offset, dims, &mut |row| {
        let start = array.offset + row * block;
        data.extend(&array.data, start..start + block);
    });
    Ok(View::new(shape, data))
}

pub(super) fn flat_update(array: &mut View, offset: i64, strides: &[i64], value: &View) -> Outcome {
    if value.shape.len() < strides.len() || value.kind() != array.kind() {
        return fail("nest type violated: a view of flat memory is overwritten by an array of another type.");
    }
    let (outer, inner) = value.shape.split_at(strides.len());
    if *inner != array.shape[1..] {
        return fail("nest type violated: a view of flat memory is overwritten by rows of another shape.");
    }
    let dims: Vec<(i64, i64)> =
        outer.iter().zip(strides).map(|(count, stride)| (*count as i64, *stride)).collect();
    check_flat(offset, &dims, array.len() as i64)?;
    let block = product(inner);
    let (data, start) = array.make_mut()?;
    let mut from = value.offset;
    for_each(offset, &dims, &mut |row| {
        data.copy(start + row * block, &value.data, from..from + block);
        from += block;
    });
    Ok(())
}

fn for_each(offset: i64, dims: &[(i64, i64)], f: &mut dyn FnMut(usize)) {
    match dims.split_first() {
        None => f(offset as usize),
        // Where one of the sizes is 0 the offsets were not checked, and there is nothing to visit.
        Some(_) if dims.iter().any(|(count, _)| *count == 0) => {}
        Some(((count, stride), rest)) => {
            (0..*count).for_each(|i| for_each(offset + i * stride, rest, f));
        }
    }
}

/// Dimension `i` of the result is dimension `perm[i]` of the array.
pub(super) fn rearrange(array: &View, perm: &[usize]) -> Outcome<View> {
    let Some(last) = perm.iter().enumerate().rposition(|(i, dim)| i != *dim) else {
        return Ok(array.clone());
    };
    let perm = &perm[..=last];
    let regular = array.shape.len();
    if perm.len() > regular {
        // No `?` is moved, so all that moves lies in the rows of an irregular array.
        let inner: Vec<usize> = perm[regular..].iter().map(|dim| dim - regular).collect();
        let mut rows = Data::with_capacity(Kind::Rows, array.count())?;
        for row in array.entries() {
            rows.push_row(rearrange(row, &inner)?);
        }
        return Ok(View::new(array.shape.clone(), rows));
    }
    let (moved, inner) = array.shape.split_at(perm.len());
    let block = product(inner);
    let shape: Dims = perm.iter().map(|dim| moved[*dim]).chain(inner.iter().copied()).collect();
    let dims: Vec<(i64, i64)> =
        perm.iter().map(|dim| (moved[*dim] as i64, product(&moved[dim + 1..]) as i64)).collect();
    let mut data = Data::with_capacity(array.kind(), shape.count())?;
    if shape.count() > 0 {
        for_each(0, &dims, &mut |position| {
            let start = array.offset + position * block;
            data.extend(&array.data, start..start + block);
        });
    }
    Ok(View::new(shape, data))
}
