//! Parts of arrays: what an index or a slice selects, read or overwritten.
//!
//! Every access is tested here, also those that a program declares safe: what lies outside is a failure.

use crate::data::{Data, Kind};
use crate::dims::{Dims, product};
use crate::failure::{Outcome, fail, fail_check};
use crate::view::View;
use norn_ir::failure::CheckKind;
use norn_ir::scalar::eval::Word;

/// What is selected in one dimension.
pub(crate) enum Select {
    Fix(i64),
    Slice { start: i64, count: i64, stride: i64 },
}

/// A value that can be an element or a part of an array.
#[derive(Clone)]
pub(crate) enum Part {
    Word(Word),
    View(View),
}

/// What is selected; rows of an irregular array remain an irregular array.
pub(crate) fn index(array: &View, selects: &[Select]) -> Outcome<Part> {
    let Regular { here, deeper, kept, inner } = split(array, selects)?;
    if !deeper.is_empty() {
        if kept.is_empty() {
            return index(array.entry(position(&array.shape, here)), deeper);
        }
        return index_rows(array, here, deeper, kept);
    }
    let block = product(&inner);
    let view = match here {
        [fixed @ .., Select::Slice { start, count: _, stride: 1 }] if all_fixed(fixed) => {
            let start = position(&array.shape, fixed) * array.shape[fixed.len()] + *start as usize;
            let shape = Dims::join(&kept, &inner);
            let start = if shape.count() == 0 { 0 } else { start * block };
            View { shape, offset: array.offset + start, data: array.data.clone() }
        }
        _ if all_fixed(here) => {
            let base = position(&array.shape, here);
            if !inner.is_empty() {
                array.part_at(here.len(), base)
            } else if array.kind() == Kind::Rows {
                array.entry(base).clone()
            } else {
                return Ok(Part::Word(array.word(base)));
            }
        }
        _ => {
            let shape = Dims::join(&kept, &inner);
            let mut data = Data::with_capacity(array.kind(), shape.count())?;
            for_each_position(&array.shape, here, 0, &mut |base| {
                let start = array.offset + base * block;
                data.extend(&array.data, start..start + block);
                Ok(())
            })?;
            View::new(shape, data)
        }
    };
    Ok(Part::View(view))
}

/// Rows of an irregular array, each indexed further.
fn index_rows(array: &View, here: &[Select], deeper: &[Select], kept: Dims) -> Outcome<Part> {
    let mut parts = Vec::new();
    for_each_position(&array.shape, here, 0, &mut |base| {
        parts.push(index(array.entry(base), deeper)?);
        Ok(())
    })?;
    let mut data = match parts.first() {
        Some(Part::Word(_)) => Data::with_capacity(scalar_kind(array), parts.len())?,
        Some(Part::View(_)) | None => Data::with_capacity(Kind::Rows, parts.len())?,
    };
    for part in parts {
        match part {
            Part::Word(word) => data.push_word(word),
            Part::View(view) => data.push_row(view),
        }
    }
    Ok(Part::View(View::new(kept, data)))
}

/// The kind of an irregular array's innermost elements, if it has rows.
fn scalar_kind(array: &View) -> Kind {
    match array.kind() {
        Kind::Rows => array.entries().first().map_or(Kind::Rows, scalar_kind),
        kind @ (Kind::Prim(_) | Kind::Ref) => kind,
    }
}

/// Overwrites what is selected.
pub(crate) fn update(array: &mut View, selects: &[Select], value: &Part) -> Outcome {
    let shape = array.shape.clone();
    let Regular { here, deeper, kept, inner } = split(array, selects)?;
    if !deeper.is_empty() {
        let mut next = 0;
        let (data, offset) = array.make_mut()?;
        return for_each_position(&shape, here, 0, &mut |base| {
            let part = part_of(value, kept.len(), next)?;
            next += 1;
            update(&mut data.rows_mut()[offset + base], deeper, &part)
        });
    }
    let block = product(&inner);
    let is_entry = kept.is_empty() && inner.is_empty();
    let needed = kept.count().saturating_mul(block);
    let kind = array.kind();
    let (data, offset) = array.make_mut()?;
    match value {
        Part::Word(word) if is_entry && kind != Kind::Rows => {
            data.set_word(offset + position(&shape, here), *word);
            Ok(())
        }
        Part::View(view) if is_entry && kind == Kind::Rows => {
            data.rows_mut()[offset + position(&shape, here)] = view.clone();
            Ok(())
        }
        Part::View(view) if view.kind() == kind && view.count() == needed => {
            let mut from = view.offset;
            for_each_position(&shape, here, 0, &mut |base| {
                data.copy(offset + base * block, &view.data, from..from + block);
                from += block;
                Ok(())
            })
        }
        Part::View(view) => fail(format!(
            "nest type violated: a part of shape {} is overwritten by an array of shape {}.",
            Dims::join(&kept, &inner),
            view.shape
        )),
        Part::Word(_) => fail("nest type violated: a part of an array is overwritten by a scalar."),
    }
}

/// Number `index` of the parts that remain below the first `outer` dimensions.
fn part_of(value: &Part, outer: usize, index: usize) -> Outcome<Part> {
    match value {
        value if outer == 0 => Ok(value.clone()),
        Part::View(view) if index >= product(&view.shape[..outer.min(view.shape.len())]) => {
            fail("nest type violated: a part of an array is overwritten by a smaller array.")
        }
        Part::View(view) if outer < view.shape.len() => Ok(Part::View(view.part_at(outer, index))),
        Part::View(view) if view.kind() == Kind::Rows => Ok(Part::View(view.entry(index).clone())),
        Part::View(view) => Ok(Part::Word(view.word(index))),
        Part::Word(_) => fail("nest type violated: a part of an array is overwritten by a scalar."),
    }
}

/// What is selected in the regular dimensions that come first.
struct Regular<'a> {
    here: &'a [Select],
    /// Selected in the rows of an irregular array.
    deeper: &'a [Select],
    /// The dimensions that `here` keeps.
    kept: Dims,
    /// The regular dimensions that are not mentioned.
    inner: Dims,
}

fn split<'a>(array: &View, selects: &'a [Select]) -> Outcome<Regular<'a>> {
    let (here, deeper) = selects.split_at(selects.len().min(array.shape.len()));
    for (select, dim) in here.iter().zip(array.shape.iter()) {
        match *select {
            Select::Fix(index) => check_index(index, *dim as i64)?,
            Select::Slice { start, count, stride } => check_slice(start, count, stride, *dim as i64)?,
        }
    }
    let count = |select: &Select| match select {
        Select::Fix(_) => None,
        Select::Slice { start: _, count, stride: _ } => Some(*count as usize),
    };
    let kept = here.iter().filter_map(count).collect();
    Ok(Regular { here, deeper, kept, inner: array.shape[here.len()..].into() })
}

fn all_fixed(selects: &[Select]) -> bool {
    selects.iter().all(|select| matches!(select, Select::Fix(_)))
}

/// The number, in row-major order, of the part that fixed indices select. A slice counts by its start.
fn position(shape: &[usize], selects: &[Select]) -> usize {
    selects.iter().zip(shape).fold(0, |base, (select, dim)| match select {
        Select::Fix(index) => base * dim + *index as usize,
        Select::Slice { start, count: _, stride: _ } => base * dim + *start as usize,
    })
}

fn for_each_position(
    shape: &[usize],
    selects: &[Select],
    base: usize,
    f: &mut dyn FnMut(usize) -> Outcome,
) -> Outcome {
    let Some((select, rest)) = selects.split_first() else {
        return f(base);
    };
    let (dim, inner) = (shape[0], &shape[1..]);
    match *select {
        Select::Fix(index) => for_each_position(inner, rest, base * dim + index as usize, f),
        Select::Slice { start, count, stride } => (0..count)
            .try_for_each(|i| for_each_position(inner, rest, base * dim + (start + i * stride) as usize, f)),
    }
}

pub(crate) fn check_index(index: i64, length: i64) -> Outcome {
    if 0 <= index && index < length {
        return Ok(());
    }
    fail_check(CheckKind::Index, &[index, length])
}

pub(crate) fn check_slice(start: i64, count: i64, stride: i64, length: i64) -> Outcome {
    let last = start as i128 + (count as i128 - 1) * stride as i128;
    let length_wide = length as i128;
    let ok = match count {
        0 => true,
        _ => count > 0 && 0 <= start && start < length && 0 <= last && last < length_wide,
    };
    if ok {
        return Ok(());
    }
    fail_check(CheckKind::Slice, &[start, count, stride, length])
}
