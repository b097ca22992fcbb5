//! Executes array expressions: literals, ranges, replication, indexing, slices, updates, concatenation, reshaping and rearranging, and sorts.
//!
//! Arrays are shared until written: an operand that is used for the last time is moved, so that an update in place costs nothing more. Indices and sizes have been checked by the program, but sizes are
//! checked again here (`size`), since memory depends on them. The fast cases of one scalar element are separate functions (`index_word`, `update_word`).

use super::checks::check_size;
use super::flat::{flat_index, flat_update, rearrange};
use crate::builder::{Builder, Row};
use crate::code::{ArrayOp, Fit, Operand, Out, OutRow, SelectAt, UpdateWords, Use};
use crate::data::{Data, Kind, MAX_BYTES};
use crate::dims::Dims;
use crate::failure::{Outcome, fail};
use crate::irregular;
use crate::locals::{Locals, Object};
use crate::meter;
use crate::slice::{self, Part, Select, check_index};
use crate::view::View;
use norn_ir::scalar::eval::Word;
use norn_ir::scalar::order::rank;
use norn_ir::scalar::{Prim, Scalar};

// # Single elements, which programs access most

#[inline(never)]
pub(super) fn index_word(locals: &mut Locals, dst: u32, array: u32, index: u32) -> Outcome {
    let index = locals.int(index);
    let view = locals.array_at(array);
    check_index(index, view.len() as i64)?;
    let word = view.word(index as usize);
    locals.set_word(dst, word);
    Ok(())
}

pub(super) fn index_words(locals: &mut Locals, dst: u32, array: u32, indices: &[u32]) -> Outcome {
    let view = locals.array_at(array);
    let position = position(locals, &view.shape, indices)?;
    let word = view.word(position);
    locals.set_word(dst, word);
    Ok(())
}

#[inline(never)]
pub(super) fn update_word(locals: &mut Locals, dst: u32, array: Use, index: u32, value: u32) -> Outcome {
    let (index, value) = (locals.int(index), locals.word(value));
    let mut view = locals.array(array);
    check_index(index, view.len() as i64)?;
    let (data, offset) = view.make_mut()?;
    data.set_word(offset + index as usize, value);
    locals.set_array(dst, view);
    Ok(())
}

pub(super) fn update_words(locals: &mut Locals, update: &UpdateWords) -> Outcome {
    let value = locals.word(update.value);
    let mut view = locals.array(update.array);
    let position = position(locals, &view.shape, &update.indices)?;
    let (data, offset) = view.make_mut()?;
    data.set_word(offset + position, value);
    locals.set_array(update.dst, view);
    Ok(())
}

/// The number of an element in row-major order.
fn position(locals: &Locals, shape: &[usize], indices: &[u32]) -> Outcome<usize> {
    let mut position = 0;
    for (index, dim) in indices.iter().zip(shape) {
        let index = locals.int(*index);
        check_index(index, *dim as i64)?;
        position = position * dim + index as usize;
    }
    Ok(position)
}

// # All others

#[inline(never)]
pub(super) fn array(locals: &mut Locals, op: &ArrayOp) -> Outcome {
    match op {
        ArrayOp::Literal { rows, out } => {
            let mut builder = out_builder(locals, out, rows.len())?;
            for row in rows {
                push(locals, &mut builder, *row)?;
            }
            locals.set_array(out.dst, builder.finish());
        }
        ArrayOp::Range { dst, prim, count, start, step } => {
            let count = size(locals, *count)?;
            let (start, step) = (locals.word(*start), locals.word(*step));
            let mut data = Data::with_capacity(Kind::Prim(*prim), count)?;
            // The low bits of a sum depend only on the low bits of its operands.
            let mut word = start;
            for _ in 0..count {
                data.push_word(word);
                word = word.wrapping_add(step);
            }
            locals.set_array(*dst, View::new(Dims::one(count), data));
        }
        ArrayOp::Replicate { count, value, out } => {
            replicate(locals, *count, *value, out)?;
        }
        ArrayOp::Index { dst, length, array, selects, fit } => {
            let view = locals.array(*array);
            let part = slice::index(&view, &select(locals, selects))?;
            let part = match (part, fit) {
                (Part::View(view), Some(fit)) => Part::View(fit_array(locals, &view, fit)?),
                (part, _) => part,
            };
            if let (Some(length), Part::View(row)) = (length, &part) {
                locals.set_word(*length, row.len() as Word);
            }
            match part {
                Part::Word(word) => super::write(locals, *dst, super::Value::Word(word)),
                Part::View(view) => super::write(locals, *dst, super::Value::Object(Object::Array(view))),
            }
        }
        ArrayOp::Update { dst, array, selects, value } => {
            let mut view = locals.array(*array);
            let value = part(locals, *value);
            slice::update(&mut view, &select(locals, selects), &value)?;
            locals.set_array(*dst, view);
        }
        ArrayOp::Concat { arrays, out } => {
            let arrays: Vec<View> = arrays.iter().map(|array| locals.array(*array)).collect();
            let joined = irregular::join(&arrays, inner(locals, out)?, out.kind)?;
            locals.set_array(out.dst, joined);
        }
        ArrayOp::Reshape { dst, array, old, new } => {
            let view = locals.array(*array);
            let new: Outcome<Vec<usize>> = new.iter().map(|dim| row_size(locals, *dim)).collect();
            let shape = Dims::join(&new?, &view.shape[*old..]);
            if shape.count() != view.count() {
                return fail(format!("An array of shape {} cannot have the shape {shape}.", view.shape));
            }
            locals.set_array(*dst, view.reshape(shape));
        }
        ArrayOp::Rearrange { dst, array, perm } => {
            let view = locals.array(*array);
            locals.set_array(*dst, rearrange(&view, perm)?);
        }
        ArrayOp::Fit { dst, array, fit } => {
            let view = locals.array(*array);
            let fitted = fit_array(locals, &view, fit)?;
            locals.set_array(*dst, fitted);
        }
        ArrayOp::FlatIndex { dst, array, offset, dims } => {
            let view = locals.array(*array);
            let dims: Vec<(i64, i64)> =
                dims.iter().map(|(count, stride)| (locals.int(*count), locals.int(*stride))).collect();
            let flat = flat_index(&view, locals.int(*offset), &dims)?;
            locals.set_array(*dst, flat);
        }
        ArrayOp::FlatUpdate { dst, array, offset, strides, value } => {
            let mut view = locals.array(*array);
            let value = locals.array(*value);
            let strides: Vec<i64> = strides.iter().map(|stride| locals.int(*stride)).collect();
            flat_update(&mut view, locals.int(*offset), &strides, &value)?;
            locals.set_array(*dst, view);
        }
        ArrayOp::Lengths { dst, array } => {
            let view = locals.array(*array);
            locals.set_array(*dst, irregular::lengths(&view));
        }
        ArrayOp::Ends { dst, lengths } => {
            let lengths = locals.array(*lengths);
            locals.set_array(*dst, irregular::ends(&lengths));
        }
        ArrayOp::JoinRows { total, array, out } => {
            let view = locals.array(*array);
            let joined = irregular::join(view.entries(), inner(locals, out)?, out.kind)?;
            locals.set_word(*total, joined.len() as Word);
            locals.set_array(out.dst, joined);
        }
        ArrayOp::Segment { dst, lengths, array } => {
            let lengths = locals.array(*lengths);
            let view = locals.array(*array);
            locals.set_array(*dst, irregular::segment(&lengths, &view)?);
        }
        ArrayOp::Sort { array, keys, places } => {
            let view = locals.array(*array);
            let _places = meter::hold((size_of::<usize>() * view.len()) as u64)?;
            let sorted = sorted_places(&view);
            if let Some(dst) = keys {
                locals.set_array(*dst, view.select(&sorted)?);
            }
            if let Some(dst) = places {
                let mut data = Data::with_capacity(Kind::Prim(Prim::I64), view.len())?;
                sorted.into_iter().for_each(|place| data.push_word(place as Word));
                locals.set_array(*dst, View::new(Dims::one(view.len()), data));
            }
        }
    }
    Ok(())
}

/// The places of keys in the order of these.
fn sorted_places(keys: &View) -> Vec<usize> {
    let Kind::Prim(prim) = keys.kind() else { panic!("what is sorted has no primitive elements") };
    let mut places: Vec<usize> = (0..keys.len()).collect();
    places.sort_by_key(|place| rank(prim, keys.word(*place)));
    places
}

fn replicate(locals: &mut Locals, count: u32, value: Operand, out: &Out) -> Outcome {
    let view = match part(locals, value) {
        Part::Word(word) => {
            let count = size(locals, count)?;
            let mut data = Data::with_capacity(out.kind, count)?;
            data.fill(word, count);
            View::new(Dims::one(count), data)
        }
        // However many rows without elements there are, they need no memory.
        Part::View(row) if row.count() == 0 && matches!(out.row, OutRow::Regular(_)) => {
            let count = check_size(locals.int(count))?;
            View::new(Dims::join(&[count], &row.shape), Data::empty(out.kind))
        }
        Part::View(row) => {
            let count = size(locals, count)?;
            let mut builder = out_builder(locals, out, count)?;
            for _ in 0..count {
                builder.push(&row)?;
            }
            builder.finish()
        }
    };
    locals.set_array(out.dst, view);
    Ok(())
}

/// A size, which must be one that an array can have.
pub(super) fn size(locals: &Locals, place: u32) -> Outcome<usize> {
    match check_size(locals.int(place))? {
        size if size <= MAX_BYTES => Ok(size),
        size => fail(format!("Cannot allocate an array of {size} rows.")),
    }
}

/// The regular dimensions below the first.
pub(super) fn inner(locals: &Locals, out: &Out) -> Outcome<Dims> {
    match &out.row {
        OutRow::Word | OutRow::Entry => Ok(Dims::from(&[][..])),
        OutRow::Regular(dims) => dims.iter().map(|dim| row_size(locals, *dim)).collect(),
    }
}

/// A dimension below the first, which may be larger than memory if there are no rows.
fn row_size(locals: &Locals, place: u32) -> Outcome<usize> {
    check_size(locals.int(place))
}

pub(super) fn out_builder(locals: &Locals, out: &Out, rows: usize) -> Outcome<Builder> {
    let row = match &out.row {
        OutRow::Word => Row::Word,
        OutRow::Entry => Row::Entry,
        OutRow::Regular(_) => Row::Regular(inner(locals, out)?),
    };
    Builder::new(out.kind, row, rows)
}

/// The operand becomes the next row.
pub(super) fn push(locals: &mut Locals, builder: &mut Builder, row: Operand) -> Outcome {
    match row {
        Operand::Word(place) => builder.push_word(locals.word(place)),
        Operand::Object(Use { place, last: false }) => builder.push(locals.array_at(place))?,
        Operand::Object(row) => builder.push(&locals.array(row))?,
        Operand::Nothing => {}
    }
    Ok(())
}

pub(super) fn part(locals: &mut Locals, operand: Operand) -> Part {
    match operand {
        Operand::Word(place) => Part::Word(locals.word(place)),
        Operand::Object(operand) => Part::View(locals.array(operand)),
        Operand::Nothing => Part::Word(Scalar::Bool(true).bits()),
    }
}

fn select(locals: &Locals, selects: &[SelectAt]) -> Vec<Select> {
    let select = |at: &SelectAt| match *at {
        SelectAt::Fix(index) => Select::Fix(locals.int(index)),
        SelectAt::Slice { start, count, stride } => {
            Select::Slice { start: locals.int(start), count: locals.int(count), stride: locals.int(stride) }
        }
    };
    selects.iter().map(select).collect()
}

fn fit_array(locals: &Locals, view: &View, fit: &Fit) -> Outcome<View> {
    let dim = |dim: &Option<u32>| dim.map(|place| row_size(locals, place)).transpose();
    let dims: Outcome<Vec<Option<usize>>> = fit.dims.iter().map(dim).collect();
    irregular::fit(view, &dims?, fit.elem)
}
