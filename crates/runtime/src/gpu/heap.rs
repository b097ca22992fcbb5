//! The heap of a program: memory from which the threads of a kernel allocate, and which is free again when the kernel ends.
//!
//! Nobody knows beforehand how much they need. A kernel that finds the heap exhausted records that in the state, and ends; then it is run again with one that is twice as
//! large (`replay`).

use super::program::Halt;
use super::queue::Queue;
use super::recent::Trouble;
use super::running::Running;

/// The size of the first heap, in bytes.
pub const FIRST_HEAP: u64 = 64 << 20;

impl Running {
    /// Gives the heap back, if there is one; the next kernel that needs it makes another.
    pub fn drop_heap(&mut self, queue: &mut Queue) -> Result<bool, Trouble> {
        let Some(heap) = self.here.heap.take() else { return Ok(false) };
        queue.give_back(self.owner, heap.address)?;
        Ok(true)
    }

    /// Nothing in the heap is needed any more, so the old one is given back first.
    pub(super) fn grow_heap(
        &mut self,
        queue: &mut Queue,
        bytes: u64,
        site: i32,
        in_thread: Option<i32>,
    ) -> Result<(), Halt> {
        self.drop_heap(queue).map_err(Halt::Trouble)?;
        self.here.heap = queue.obtain(self.owner, bytes).map_err(Halt::Trouble)?;
        if self.here.heap.is_none() { Err(Halt::NoMemory { site, bytes, in_thread }) } else { Ok(()) }
    }
}
