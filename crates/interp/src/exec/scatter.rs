//! Scatter and histograms: rows written where indices say, one after the other.

use super::Machine;
use super::arrays::{part, size};
use super::fused::{bind_inputs, take_inputs};
use crate::code::{Bind, Combine, Scatter};
use crate::data::Kind;
use crate::dims::product;
use crate::failure::{Outcome, fail};
use crate::locals::Locals;
use crate::slice::Part;
use crate::view::View;
use norn_ir::scalar::eval::Word;

impl Machine<'_> {
    pub(super) fn scatter(&mut self, locals: &mut Locals, scatter: &Scatter) -> Outcome {
        let width = size(locals, scatter.width)?;
        let inputs = take_inputs(locals, &scatter.inputs, width)?;
        let mut dests: Vec<View> = scatter.dests.iter().map(|dest| locals.array(*dest)).collect();
        let rank = scatter.indices.len();
        if let Some(op) = &scatter.op {
            self.combine_bins_with_neutral(locals, op, &mut dests, rank)?;
        }
        for i in self.order_of_writes(width) {
            bind_inputs(locals, &scatter.inputs, &inputs, i);
            if !scatter.lambda.ops.is_empty() {
                self.run(locals, &scatter.lambda)?;
            }
            let indices: Vec<i64> = scatter.indices.iter().map(|index| locals.int(*index)).collect();
            let values: Vec<Part> = scatter.values.iter().map(|value| part(locals, *value)).collect();
            let position = |dest: &View| locate(dest, indices.iter().copied());
            if let Some(op) = &scatter.op {
                let Some(position) = dests.first().and_then(position) else { continue };
                op.value.iter().zip(values).for_each(|(target, value)| set(locals, *target, value));
                self.combine(locals, op, &mut dests, rank, position)?;
            } else {
                for (dest, value) in dests.iter_mut().zip(&values) {
                    if let Some(position) = position(dest) {
                        store(dest, rank, position, value)?;
                    }
                }
            }
        }
        for (dest, dst) in dests.into_iter().zip(&scatter.dsts) {
            locals.set_array(*dst, dest);
        }
        Ok(())
    }

    /// Combines what is bound already with what is there.
    pub(super) fn combine(
        &mut self,
        locals: &mut Locals,
        op: &Combine,
        dests: &mut [View],
        indexed: usize,
        position: usize,
    ) -> Outcome {
        self.combine_with_neutral(locals, op)?;
        for (target, dest) in op.acc.iter().zip(&*dests) {
            set(locals, *target, load(dest, indexed, position)?);
        }
        self.run(locals, &op.block)?;
        for (target, dest) in op.acc.iter().zip(dests) {
            let value = get(locals, *target);
            store(dest, indexed, position, &value)?;
        }
        Ok(())
    }
}

/// The number of the part at these indices, if it is within bounds.
pub(super) fn locate(dest: &View, indices: impl Iterator<Item = i64>) -> Option<usize> {
    indices.zip(dest.shape.iter()).try_fold(0, |position, (index, dim)| {
        ((index as u64) < *dim as u64).then(|| position * dim + index as usize)
    })
}

/// The part below the first `indexed` dimensions, in memory of its own: the array is written soon.
fn load(dest: &View, indexed: usize, position: usize) -> Outcome<Part> {
    if indexed < dest.shape.len() {
        return Ok(Part::View(dest.part_at(indexed, position).copy()?));
    }
    Ok(match dest.kind() {
        Kind::Rows => Part::View(dest.entry(position).clone()),
        Kind::Prim(_) | Kind::Ref => Part::Word(dest.word(position)),
    })
}

/// Overwrites the part below the first `indexed` dimensions.
pub(super) fn store(dest: &mut View, indexed: usize, position: usize, value: &Part) -> Outcome {
    let kind = dest.kind();
    let inner = &dest.shape[indexed..];
    let (block, is_element) = (product(inner), inner.is_empty());
    if let Part::View(view) = value
        && !is_element
        && (view.kind() != kind || *view.shape != *inner)
    {
        return fail(format!(
            "nest type violated: a row of shape {} is written into an array of shape {}.",
            view.shape, dest.shape
        ));
    }
    let (data, offset) = dest.make_mut()?;
    match value {
        Part::Word(word) => data.set_word(offset + position, *word),
        Part::View(view) if is_element => data.rows_mut()[offset + position] = view.clone(),
        Part::View(view) => {
            data.copy(offset + position * block, &view.data, view.offset..view.offset + block);
        }
    }
    Ok(())
}

/// Gives an element to what takes it.
pub(super) fn set(locals: &mut Locals, target: Bind, value: Part) {
    match (target, value) {
        (Bind::Word(place), Part::Word(word)) => locals.set_word(place, word),
        (Bind::Row(place), Part::View(view)) => locals.set_array(place, view),
        (Bind::Entry { length, row }, Part::View(view)) => {
            locals.set_word(length, view.len() as Word);
            locals.set_array(row, view);
        }
        (Bind::Word(_), Part::View(_)) => panic!("a scalar was expected, but an array was found"),
        (Bind::Row(_) | Bind::Entry { .. }, Part::Word(_)) => {
            panic!("an array was expected, but a scalar was found")
        }
    }
}

/// Takes it back.
fn get(locals: &mut Locals, target: Bind) -> Part {
    match target {
        Bind::Word(place) => Part::Word(locals.word(place)),
        Bind::Row(row) | Bind::Entry { length: _, row } => {
            Part::View(locals.array(crate::code::Use { place: row, last: true }))
        }
    }
}
