//! The heap of a program: memory from which the threads of a kernel allocate, and which is free again when the kernel ends.
//!
//! Nobody knows beforehand how much they need. A kernel that finds the heap exhausted says so in the state, and ends; then it is run
//! again with one that is twice as large. So the host waits for kernels that use the heap. Before the second run, the memory that the kernel both reads
//! and writes is restored from a copy made before the first: otherwise counters that a group has increased would count twice. If there is no memory for
//! the copy, a kernel that exhausts the heap fails.
//!
//! Kernels that add cells to regions of the host are launched in the same way: a region that is exhausted is made larger (`regions`).

use super::module::{Access, Param};
use super::pool::Piece;
use super::program::Halt;
use super::queue::Queue;
use super::recent::Trouble;
use super::regions::DeviceRegion;
use super::running::Running;
use super::state::{HEAP, OUT_OF_HEAP, OUT_OF_REGION, State};

/// The size of the first heap, in bytes.
pub const FIRST_HEAP: u64 = 64 << 20;

/// A piece of memory that a kernel changes, and what it was before.
struct Saved {
    piece: Piece,
    copy: Piece,
}

impl Running {
    pub fn launch_with_heap(
        &mut self,
        queue: &mut Queue,
        kernel: usize,
        args: &[u64],
        regions: &mut [DeviceRegion],
        groups: u64,
        site: i32,
    ) -> Result<(), Halt> {
        let mut saved = Vec::new();
        let can_repeat = self.save(queue, kernel, args, &mut saved).map_err(Halt::Trouble)?;
        let outcome = self.launch_until_enough(
            queue,
            kernel,
            args,
            regions,
            groups,
            site,
            can_repeat.then_some(&saved),
        );
        for Saved { copy, .. } in saved {
            queue.give_back(self.owner, copy.address).map_err(Halt::Trouble)?;
        }
        outcome
    }

    /// Without what was saved the kernel cannot be run again.
    #[expect(
        clippy::too_many_arguments,
        reason = "a launch, and what may have to be changed before the next"
    )]
    fn launch_until_enough(
        &mut self,
        queue: &mut Queue,
        kernel: usize,
        args: &[u64],
        regions: &mut [DeviceRegion],
        groups: u64,
        site: i32,
        saved: Option<&Vec<Saved>>,
    ) -> Result<(), Halt> {
        let mut args = args.to_vec();
        loop {
            if self.here.heap.is_none() && self.uses_heap(kernel) {
                self.grow_heap(queue, FIRST_HEAP, site, None)?;
            }
            let heap = self.here.heap;
            let state = State::new(queue.device.facts().api, heap);
            // Nothing else of the state: a kernel that was started before may have failed.
            queue
                .write(self.owner, self.here.state + HEAP as u64, &state.bytes()[HEAP..])
                .map_err(Halt::Trouble)?;
            for region in &*regions {
                region.params.iter().for_each(|param| args[*param] = region.piece.address);
                self.write_header(queue, region).map_err(Halt::Trouble)?;
            }
            self.start(queue, kernel, &args, groups, site).map_err(Halt::Trouble)?;
            let mut ends = vec![[0; 8]; regions.len()];
            let parts = regions.iter().zip(&mut ends).map(|(region, end)| region.end_of_words(end)).collect();
            let state = self.wait_for_state(queue, parts).map_err(Halt::Trouble)?;
            let ends: Vec<u64> = ends.into_iter().map(u64::from_ne_bytes).collect();
            if state.failed == 0 {
                regions.iter_mut().zip(ends).for_each(|(region, end)| region.next = end);
                return Ok(());
            }
            self.here.reset_state(queue, self.owner).map_err(Halt::Trouble)?;
            let operands = state.operands();
            let in_thread = operands.get(1).map(|asked| *asked as i32).filter(|site| *site >= 0);
            let asked = operands.first().copied().unwrap_or(0);
            match state.site {
                OUT_OF_HEAP => {
                    let bytes = heap.map_or(FIRST_HEAP, |heap| heap.bytes.saturating_mul(2));
                    if saved.is_none() {
                        return Err(Halt::NoMemory { site, bytes, in_thread });
                    }
                    self.grow_heap(queue, bytes, site, in_thread)?;
                }
                OUT_OF_REGION => {
                    let slot = operands.get(2).map_or(0, |slot| *slot as usize);
                    let (region, end) = (&mut regions[slot], ends[slot]);
                    let wanted = region.larger(end, asked);
                    let bytes = region.bytes_for(wanted);
                    let no_memory = || Halt::NoMemory { site, bytes, in_thread };
                    if saved.is_none() || wanted <= region.limit() {
                        return Err(no_memory());
                    }
                    if !self.grow_region(queue, region, wanted).map_err(Halt::Trouble)? {
                        return Err(no_memory());
                    }
                }
                _ => return Err(Halt::Check { site: state.site, operands }),
            }
            let Some(saved) = saved else { continue };
            for Saved { piece, copy } in saved {
                queue.copy(self.owner, piece.address, copy.address, piece.bytes).map_err(Halt::Trouble)?;
            }
        }
    }

    /// Copies the memory that a kernel both reads and writes, by whatever pointers. False if there is not enough for that.
    fn save(
        &self,
        queue: &mut Queue,
        kernel: usize,
        args: &[u64],
        saved: &mut Vec<Saved>,
    ) -> Result<bool, Trouble> {
        let mut pieces: Vec<(Piece, Access)> = Vec::new();
        for (param, arg) in self.params(kernel).iter().zip(args) {
            let Param::Pointer(Access { reads, writes }) = *param else { continue };
            let Some(piece) = queue.pool.piece_at(*arg) else { continue };
            match pieces.iter_mut().find(|(other, _)| *other == piece) {
                Some((_, access)) => {
                    access.reads |= reads;
                    access.writes |= writes;
                }
                None => pieces.push((piece, Access { reads, writes })),
            }
        }
        for (piece, access) in pieces {
            if access.reads && access.writes {
                let Some(copy) = queue.obtain(self.owner, piece.bytes)? else { return Ok(false) };
                saved.push(Saved { piece, copy });
                queue.copy(self.owner, copy.address, piece.address, piece.bytes)?;
            }
        }
        Ok(true)
    }

    /// Gives the heap back, if there is one; the next kernel that needs it makes another.
    pub fn drop_heap(&mut self, queue: &mut Queue) -> Result<bool, Trouble> {
        let Some(heap) = self.here.heap.take() else { return Ok(false) };
        queue.give_back(self.owner, heap.address)?;
        Ok(true)
    }

    /// Nothing in the heap is needed any more, so the old one is given back first.
    fn grow_heap(
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
