//! Maps, reductions, scans, filters and partitions.
//!
//! Elements are visited in order. A reduction starts from the neutral element, which the program
//! promises to be neutral. With `Freedom`, reductions and scans combine chunks (`free`).

use super::Machine;
use super::arrays::{out_builder, part, push, size};
use crate::builder::Builder;
use crate::code::{Bind, Choose, Fused, Input, Operand, Out};
use crate::failure::{Outcome, fail};
use crate::locals::Locals;
use crate::view::View;
use norn_ir::scalar::eval::Word;

impl Machine<'_> {
    pub(super) fn fused(&mut self, locals: &mut Locals, fused: &Fused) -> Outcome {
        let width = size(locals, fused.width)?;
        let inputs = take_inputs(locals, &fused.inputs, width)?;
        let mut outs = builders(locals, &fused.outs, width)?;
        let scans: Outcome<Vec<_>> =
            fused.scans.iter().map(|scan| builders(locals, &scan.outs, width)).collect();
        let mut scans = scans?;
        let ops = fused.scans.iter().map(|scan| &scan.op).chain(&fused.reductions);
        let mut chunks = self.first_chunks(locals, ops)?;
        for i in 0..width {
            bind_inputs(locals, &fused.inputs, &inputs, i);
            if !fused.lambda.ops.is_empty() {
                self.run(locals, &fused.lambda)?;
            }
            let is_last = self.ends_chunk();
            for (at, (scan, rows)) in fused.scans.iter().zip(&mut scans).enumerate() {
                self.accumulate(locals, &scan.op, chunks.get_mut(at))?;
                let own = self.combine_chunk(locals, &scan.op, chunks.get(at))?;
                push_all(locals, &scan.outs, rows)?;
                if let Some(chunk) = chunks.get_mut(at) {
                    chunk.go_on(locals, &scan.op, own, is_last);
                }
            }
            for (at, op) in fused.reductions.iter().enumerate() {
                self.accumulate(locals, op, chunks.get_mut(fused.scans.len() + at))?;
                if let Some(chunk) = chunks.get_mut(fused.scans.len() + at).filter(|_| is_last) {
                    let own = self.combine_chunk(locals, op, Some(chunk))?;
                    chunk.go_on(locals, op, own, is_last);
                }
            }
            push_all(locals, &fused.outs, &mut outs)?;
        }
        for (at, op) in fused.reductions.iter().enumerate() {
            self.combine_chunk(locals, op, chunks.get(fused.scans.len() + at))?;
        }
        for (scan, rows) in fused.scans.iter().zip(scans) {
            finish(locals, &scan.outs, rows);
        }
        finish(locals, &fused.outs, outs);
        Ok(())
    }

    pub(super) fn choose(&mut self, locals: &mut Locals, choose: &Choose) -> Outcome {
        let width = size(locals, choose.width)?;
        let inputs = take_inputs(locals, &choose.inputs, width)?;
        let mut outs = builders(locals, &choose.outs, width)?;
        let (mut chosen, mut rest) = (Vec::new(), Vec::new());
        for i in 0..width {
            bind_inputs(locals, &choose.inputs, &inputs, i);
            if !choose.lambda.ops.is_empty() {
                self.run(locals, &choose.lambda)?;
            }
            let holds = locals.word(choose.holds) != 0;
            if holds {
                chosen.push(i)
            } else {
                rest.push(i)
            }
            if holds || choose.keep_rest {
                push_all(locals, &choose.outs, &mut outs)?;
            } else {
                choose.outs.iter().for_each(|(row, _)| drop(part(locals, *row)));
            }
        }
        locals.set_word(choose.count, chosen.len() as Word);
        finish(locals, &choose.outs, outs);
        if choose.keep_rest {
            chosen.append(&mut rest);
            for (_, out) in &choose.outs {
                let sorted = locals.array_at(out.dst).select(&chosen)?;
                locals.set_array(out.dst, sorted);
            }
        }
        Ok(())
    }
}

/// The arrays, which are as long as the width.
pub(super) fn take_inputs(locals: &mut Locals, inputs: &[Input], width: usize) -> Outcome<Vec<View>> {
    let arrays: Vec<View> = inputs.iter().map(|input| locals.array(input.array)).collect();
    if let Some(odd) = arrays.iter().find(|array| array.len() != width) {
        return fail(format!(
            "nest type violated: an input has the length {}, the operator the width {width}.",
            odd.len()
        ));
    }
    Ok(arrays)
}

pub(super) fn bind_inputs(locals: &mut Locals, inputs: &[Input], arrays: &[View], index: usize) {
    for (input, array) in inputs.iter().zip(arrays) {
        bind(locals, input.bind, array, index);
    }
}

pub(super) fn bind(locals: &mut Locals, bind: Bind, array: &View, index: usize) {
    match bind {
        Bind::Word(place) => locals.set_word(place, array.word(index)),
        Bind::Row(place) => locals.set_array(place, array.row(index)),
        Bind::Entry { length, row } => {
            let entry = array.entry(index).clone();
            locals.set_word(length, entry.len() as Word);
            locals.set_array(row, entry);
        }
    }
}

fn builders(locals: &Locals, outs: &[(Operand, Out)], width: usize) -> Outcome<Vec<Builder>> {
    outs.iter().map(|(_, out)| out_builder(locals, out, width)).collect()
}

fn push_all(locals: &mut Locals, outs: &[(Operand, Out)], rows: &mut [Builder]) -> Outcome {
    for ((operand, _), builder) in outs.iter().zip(rows) {
        push(locals, builder, *operand)?;
    }
    Ok(())
}

fn finish(locals: &mut Locals, outs: &[(Operand, Out)], rows: Vec<Builder>) {
    for ((_, out), builder) in outs.iter().zip(rows) {
        locals.set_array(out.dst, builder.finish());
    }
}
