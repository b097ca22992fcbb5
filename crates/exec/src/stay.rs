//! Values that stay on a GPU: how they get there and back outside of calls.

use crate::arguments::Side;
use crate::call::stopped;
use crate::column::{Array, Elements};
use crate::failure::{LOST, sentence};
use crate::held::Held;
use crate::memory::{Memory, data_bytes};
use crate::{Exec, interface};
use std::borrow::Cow;
use std::slice::from_raw_parts;

impl Exec {
    /// Whether an entry point takes arrays that are on the GPU.
    pub fn takes_held(&self, entry: usize) -> bool {
        interface::side(&self.prog, &self.prog.entries[entry]) == Side::Device
    }

    /// Moves an array to the GPU, to stay there as long as somebody knows it. None if there is no GPU, or no room on
    /// it, or it is an array of refs.
    pub fn hold(&mut self, array: &Array) -> Option<Held> {
        let program = self.instance.gpu()?;
        self.keeper.settle(program);
        let data = match array.elements() {
            Elements::Prim(data) => data,
            Elements::Ref(_) => return None,
        };
        let prim = data.prim();
        let mut sizes: Vec<(usize, u64)> = array.offsets().iter().map(|level| (level.len(), 8)).collect();
        sizes.push((data.len(), prim.size() as u64));
        let held = self.keeper.hold(program, prim, array.dims().to_vec(), &sizes).ok()??;
        let offsets = array.offsets().iter().map(|level| (level.as_ptr().cast(), size_of_val(&level[..])));
        for (part, (from, bytes)) in held.parts()?.iter().zip(offsets.chain([data_bytes(data)])) {
            // SAFETY: they are the bytes of numbers, which the array keeps.
            program.write(part.address, unsafe { from_raw_parts(from, bytes) }).ok()?;
        }
        Some(held)
    }

    /// A held array in the host's memory. The error is a sentence.
    pub fn fetch(&self, held: &Held) -> Result<Array<'static>, String> {
        let lost = || LOST.to_string();
        let program = self.instance.gpu().ok_or_else(lost)?;
        let parts = held.parts().ok_or_else(lost)?;
        let (elements, offsets) = parts.split_last().ok_or_else(lost)?;
        let mut download = |to: &mut [u8], from| program.read(to, from).map_err(stopped);
        let mut memory = Memory::Device(&mut download);
        let mut levels = Vec::with_capacity(offsets.len());
        // The parts are what the array was made with.
        for part in offsets {
            // SAFETY: the parts are what the array was made with.
            let level = unsafe { memory.read::<i64>(part.address, 0, part.count) };
            levels.push(Cow::Owned(level.map_err(|stop| sentence(&stop))?));
        }
        // SAFETY: the parts are what the array was made with.
        let data = unsafe { memory.read_data(held.prim(), elements.address, 0, elements.count) };
        let elements = Elements::Prim(Cow::Owned(data.map_err(|stop| sentence(&stop))?));
        let array = Array::new(held.dims().to_vec(), levels, elements);
        Ok(array.unwrap_or_else(|| panic!("exec: a held array whose parts do not fit together")))
    }
}
