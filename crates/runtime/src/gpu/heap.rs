//! The heap of a program: memory from which the threads of a kernel allocate, and which is free again when the kernel ends.
//!
//! Nobody knows beforehand how much they need. A kernel that finds the heap exhausted says so in the state, and ends; then it is run
//! again with one that is twice as large. So the host waits for kernels that use the heap, and they must be able to run
//! twice.

use super::program::Halt;
use super::queue::Queue;
use super::recent::Trouble;
use super::running::Running;
use super::state::{HEAP_NEXT, OUT_OF_HEAP, State};

/// The size of the first heap, in bytes.
pub const FIRST_HEAP: u64 = 64 << 20;

impl Running {
    pub fn launch_with_heap(
        &mut self,
        queue: &mut Queue,
        kernel: usize,
        args: &[u64],
        groups: u64,
        site: i32,
    ) -> Result<(), Halt> {
        if self.here.heap.is_none() {
            self.grow_heap(queue, FIRST_HEAP, site)?;
        }
        loop {
            let heap = self.here.heap;
            let begin = State::new(queue.device.facts().api, heap).heap_begin;
            let next = self.here.state + HEAP_NEXT;
            queue.write(self.owner, next, &begin.to_ne_bytes()).map_err(Halt::Trouble)?;
            self.start(queue, kernel, args, groups, site).map_err(Halt::Trouble)?;
            let state = self.wait_for_state(queue, None).map_err(Halt::Trouble)?;
            if state.failed == 0 {
                return Ok(());
            }
            self.here.reset_state(queue, self.owner).map_err(Halt::Trouble)?;
            if state.site != OUT_OF_HEAP {
                return Err(Halt::Check { site: state.site, operands: state.operands() });
            }
            let bytes = heap.map_or(FIRST_HEAP, |heap| heap.bytes.saturating_mul(2));
            self.grow_heap(queue, bytes, site)?;
        }
    }

    /// Gives the heap back, if there is one; the next kernel that needs it makes another.
    pub fn drop_heap(&mut self, queue: &mut Queue) -> Result<bool, Trouble> {
        let Some(heap) = self.here.heap.take() else { return Ok(false) };
        queue.give_back(self.owner, heap.address)?;
        Ok(true)
    }

    /// Nothing in the heap is needed any more, so the old one is given back first.
    fn grow_heap(&mut self, queue: &mut Queue, bytes: u64, site: i32) -> Result<(), Halt> {
        self.drop_heap(queue).map_err(Halt::Trouble)?;
        self.here.heap = queue.obtain(self.owner, bytes).map_err(Halt::Trouble)?;
        self.here.reset_state(queue, self.owner).map_err(Halt::Trouble)?;
        if self.here.heap.is_none() { Err(Halt::NoMemory { site, bytes }) } else { Ok(()) }
    }
}
