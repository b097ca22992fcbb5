//! What of the host's memory a call takes beside the memory of its program.
//!
//! Arguments lie in the host's memory, and results are copied into it. The limit is for all of it, so that a large value
//! is a failure of the call, and nobody is killed.

use norn_runtime::cpu::{Memory, Stop, Why};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

pub struct Room<'a> {
    memory: &'a Memory,
    /// Bytes. It changes while results are read, by a thread of the program.
    taken: AtomicU64,
}

impl<'a> Room<'a> {
    pub fn new(memory: &'a Memory) -> Room<'a> {
        Room { memory, taken: AtomicU64::new(0) }
    }

    /// Counts bytes that are about to be used, or refuses them.
    pub fn take(&self, bytes: u64) -> Result<(), Stop> {
        let limit = self.memory.limit();
        let used = self.memory.live().saturating_add(self.taken.fetch_add(bytes, Relaxed));
        let Some(left) = limit.checked_sub(used.saturating_add(bytes)) else {
            let why = Why::OutOfMemory {
                site: usize::MAX,
                in_thread: None,
                bytes,
                live: used,
                limit,
                on_gpu: false,
            };
            return Err(Stop { why, trace: Vec::new(), omitted: 0 });
        };
        // What programs have given back and may use again is no more than this.
        if left < limit / 4 {
            self.memory.drop_spare();
        }
        Ok(())
    }
}
