//! Checks: what a program asks to hold, and what a type promises.

use crate::code::{Check, Fit, TypeCheck};
use crate::data::Kind;
use crate::failure::{Outcome, fail, fail_check};
use crate::irregular::{check_segments, regular_prefix};
use crate::locals::Locals;
use crate::slice::check_slice;
use crate::view::View;
use norn_ir::failure::{CheckKind, message};
use norn_ir::nest::Prim;
use norn_ir::scalar::eval::{Word, conversion};

pub(super) fn check(locals: &Locals, check: &Check) -> Outcome {
    match check {
        Check::Slice { start, count, stride, length } => {
            check_slice(locals.int(*start), locals.int(*count), locals.int(*stride), locals.int(*length))
        }
        Check::Size { expected, found } => {
            let (expected, found) = (locals.int(*expected), locals.int(*found));
            match expected == found {
                true => Ok(()),
                false => fail_check(CheckKind::Size, &[expected, found]),
            }
        }
        Check::Shape { array, dims } => check_shape(locals.array_at(*array), &sizes(locals, dims)),
        Check::NonNegative(size) => check_size(locals.int(*size)).map(drop),
        Check::NonZero(divisor) => match locals.word(*divisor) {
            0 => fail_check(CheckKind::NonZero, &[]),
            1.. => Ok(()),
        },
        Check::Exponent(prim, exponent) => match signed(*prim, locals.word(*exponent)) {
            0.. => Ok(()),
            _ => fail(message(&CheckKind::Exponent(*prim), &[locals.word(*exponent)])),
        },
        Check::Range { prim, start, second, end, ok } => match locals.word(*ok) {
            0 => {
                let operands = [*start, *second, *end].map(|place| locals.word(place));
                fail(message(&CheckKind::Range(*prim), &operands))
            }
            1.. => Ok(()),
        },
        Check::Segments { lengths, total } => check_segments(locals.array_at(*lengths), locals.int(*total)),
        Check::Flat { offset, dims, length } => {
            let dims: Vec<(i64, i64)> =
                dims.iter().map(|(count, stride)| (locals.int(*count), locals.int(*stride))).collect();
            check_flat(locals.int(*offset), &dims, locals.int(*length))
        }
        Check::Assert { cond, text } => match locals.word(*cond) {
            0 => fail_check(CheckKind::Assert(text.clone()), &[]),
            1.. => Ok(()),
        },
        Check::Fail { text } => fail_check(CheckKind::Fail(text.clone()), &[]),
    }
}

/// A size that is not negative.
pub(super) fn check_size(size: i64) -> Outcome<usize> {
    match size {
        0.. => Ok(size as usize),
        _ => fail_check(CheckKind::NonNegative, &[size]),
    }
}

/// An integer of a signed type, as far as its sign matters.
fn signed(prim: Prim, word: Word) -> i64 {
    if prim.is_signed() { conversion(prim, Prim::I64)(word) as i64 } else { 0 }
}

fn sizes(locals: &Locals, dims: &[Option<u32>]) -> Vec<Option<i64>> {
    dims.iter().map(|dim| dim.map(|place| locals.int(place))).collect()
}

/// All rows of an irregular array have these sizes.
fn check_shape(array: &View, dims: &[Option<i64>]) -> Outcome {
    for (expected, found) in dims.iter().zip(array.shape.iter()) {
        if let Some(expected) = expected
            && *expected != *found as i64
        {
            return fail_check(CheckKind::RowSize, &[*expected, *found as i64]);
        }
    }
    match array.kind() {
        Kind::Rows => {
            let inner = &dims[array.shape.len().min(dims.len())..];
            array.entries().iter().try_for_each(|row| check_shape(row, inner))
        }
        Kind::Prim(_) | Kind::Ref => Ok(()),
    }
}

/// All elements of a view of flat memory are elements of the array.
pub(super) fn check_flat(offset: i64, dims: &[(i64, i64)], length: i64) -> Outcome {
    dims.iter().try_for_each(|(count, _)| check_size(*count).map(drop))?;
    if dims.iter().any(|(count, _)| *count == 0) {
        return Ok(());
    }
    let (mut least, mut greatest) = (offset as i128, offset as i128);
    for (count, stride) in dims {
        let reach = (*count as i128 - 1) * *stride as i128;
        least += reach.min(0);
        greatest += reach.max(0);
    }
    if 0 <= least && greatest < length as i128 {
        return Ok(());
    }
    fail_check(CheckKind::Flat, &[nearest(least), nearest(greatest), length])
}

/// An operand of a message, which is an `i64`.
fn nearest(value: i128) -> i64 {
    value.clamp(i64::MIN as i128, i64::MAX as i128) as i64
}

/// The value of a variable agrees with its type.
pub(super) fn check_type(locals: &Locals, check: &TypeCheck) -> Outcome {
    let view = locals.array_at(check.place);
    let dims = sizes(locals, &check.fit.dims);
    if agrees(view, &dims, check.fit.elem) {
        return Ok(());
    }
    let expected = expected(&dims, &check.fit);
    fail(format!("nest type violated: {} is {}, but its type is {expected}.", check.name, describe(view)))
}

fn agrees(view: &View, dims: &[Option<i64>], elem: Kind) -> bool {
    let prefix = regular_prefix(dims);
    let (regular, inner) = dims.split_at(prefix.min(dims.len()));
    let sizes = regular.iter().zip(view.shape.iter());
    let same = sizes.clone().all(|(dim, found)| dim.is_none_or(|dim| dim == *found as i64));
    let in_memory = view.offset.checked_add(view.count()).is_some_and(|end| end <= view.data.len());
    view.shape.len() == prefix
        && same
        && in_memory
        && match view.kind() {
            Kind::Rows => !inner.is_empty() && view.entries().iter().all(|row| agrees(row, inner, elem)),
            kind @ (Kind::Prim(_) | Kind::Ref) => inner.is_empty() && kind == elem,
        }
}

fn expected(dims: &[Option<i64>], fit: &Fit) -> String {
    let dims = dims.iter().map(|dim| dim.map_or("[?]".to_string(), |dim| format!("[{dim}]")));
    dims.collect::<String>() + &elem_name(fit.elem)
}

fn describe(view: &View) -> String {
    match view.kind() {
        Kind::Rows => {
            let row = view.entries().first().map_or("rows".to_string(), describe);
            format!("{}[?] with {row}", view.shape)
        }
        kind @ (Kind::Prim(_) | Kind::Ref) => format!("{}{}", view.shape, elem_name(kind)),
    }
}

fn elem_name(kind: Kind) -> String {
    match kind {
        Kind::Prim(prim) => prim.name().to_string(),
        Kind::Ref => "ref".to_string(),
        Kind::Rows => "rows".to_string(),
    }
}
