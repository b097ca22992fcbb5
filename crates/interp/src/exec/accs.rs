//! Streams that write to accumulators.

use super::Machine;
use super::arrays::{part, size};
use super::fused::{bind_inputs, take_inputs};
use super::scatter::{locate, set, store};
use crate::acc::{Acc, AccState};
use crate::code::{AccStream, AccWrite};
use crate::failure::Outcome;
use crate::locals::{Locals, Object};
use crate::slice::Part;

use std::sync::{Arc, Mutex};

impl Machine<'_> {
    pub(super) fn acc_stream(&mut self, locals: &mut Locals, stream: &AccStream) -> Outcome {
        let width = size(locals, stream.width)?;
        let dests = stream.dests.iter().map(|dest| locals.array(*dest)).collect();
        let inputs = take_inputs(locals, &stream.inputs, width)?;
        let op = stream.op.as_ref().map(|op| {
            let mut own =
                Locals { words: locals.words.clone(), objects: vec![Object::Empty; locals.objects.len()] };
            for place in &op.captured {
                own.set_object(*place, locals.objects[*place as usize].clone());
            }
            (op.clone(), own)
        });
        let acc = Acc(Arc::new(Mutex::new(AccState { dests, op })));
        for i in self.order_of_writes(width) {
            locals.set_object(stream.acc, Object::Acc(acc.clone()));
            bind_inputs(locals, &stream.inputs, &inputs, i);
            self.run(locals, &stream.lambda)?;
        }
        // Places that still have the accumulator must not keep what it holds.
        let AccState { dests, op: _ } =
            std::mem::replace(&mut *acc.lock(), AccState { dests: Vec::new(), op: None });
        for (dest, dst) in dests.into_iter().zip(&stream.dsts) {
            locals.set_array(*dst, dest);
        }
        Ok(())
    }

    pub(super) fn acc_write(&mut self, locals: &mut Locals, write: &AccWrite) -> Outcome {
        let object = locals.object(write.acc);
        let Object::Acc(acc) = &object else { panic!("an accumulator was expected") };
        let index = locals.int(write.index);
        let values: Vec<Part> = write.values.iter().map(|value| part(locals, *value)).collect();
        let (mut dests, op) = {
            let state = &mut *acc.lock();
            (std::mem::take(&mut state.dests), state.op.take())
        };
        if let Some((op, mut own)) = op {
            if let Some(position) = dests.first().and_then(|dest| locate(dest, [index].into_iter())) {
                for (target, value) in op.combine.value.iter().zip(values) {
                    set(&mut own, *target, value);
                }
                self.combine(&mut own, &op.combine, &mut dests, 1, position)?;
            }
            acc.lock().op = Some((op, own));
        } else {
            for (dest, value) in dests.iter_mut().zip(&values) {
                if let Some(position) = locate(dest, [index].into_iter()) {
                    store(dest, 1, position, value)?;
                }
            }
        }
        acc.lock().dests = dests;
        locals.set_object(write.dst, object);
        Ok(())
    }
}
