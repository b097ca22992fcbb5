//! The threads that run compiled code.
//!
//! Programs recurse on the stacks of these threads, so the stacks are large; what is not touched is only reserved. How far
//! down each may be used is noted when its thread starts, and compiled code compares before it recurses.

use crate::RuntimeError;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::cell::Cell;
use std::num::NonZero;

/// What compiled code leaves of a stack: for the host's functions, and for frames between two comparisons.
pub const RESERVE: usize = 1 << 20;

/// So many threads are always allowed: more than there are processors, for tests of what threads do to each other.
const ALLOWED_THREADS: usize = 256;

#[cfg(target_pointer_width = "64")]
const STACKS: [usize; 4] = [512 << 20, 128 << 20, 32 << 20, 8 << 20];
#[cfg(not(target_pointer_width = "64"))]
const STACKS: [usize; 2] = [16 << 20, 4 << 20];

pub struct Pool {
    threads: ThreadPool,
}

thread_local! {
    /// The lowest address that a thread of a pool may use.
    static STACK_LIMIT: Cell<usize> = const { Cell::new(0) };
}

impl Pool {
    pub fn new(count: usize) -> Result<Pool, RuntimeError> {
        let mut why = String::new();
        // Where the system refuses so much, smaller stacks are tried.
        for stack in STACKS {
            let built = ThreadPoolBuilder::new()
                .num_threads(count)
                .thread_name(|number| format!("norn-{number}"))
                .stack_size(stack)
                .start_handler(move |_| STACK_LIMIT.set(lowest_address(stack)))
                .build();
            match built {
                Ok(threads) => return Ok(Pool { threads }),
                Err(error) => why = error.to_string(),
            }
        }
        Err(RuntimeError::Threads(why))
    }

    /// Runs `work` on one of the threads and waits for it.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.threads.install(work)
    }
}

/// How far the stack of this thread, which is one of a pool, may be used.
pub fn stack_limit() -> usize {
    STACK_LIMIT.get()
}

/// As many as are requested, or as the machine can run at the same time; but no more than `most_threads`.
pub fn thread_count(requested: Option<NonZero<usize>>) -> usize {
    let count = requested.or_else(|| std::thread::available_parallelism().ok());
    count.map_or(1, NonZero::get).min(most_threads())
}

/// The most threads of a pool. Threads that steal from each other are of no use where they do not run at the same time: thousands on a
/// few processors spend seconds with looking for work.
pub fn most_threads() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    ALLOWED_THREADS.max(processors.saturating_mul(4))
}

/// Where the stack of this thread ends, which has just begun, less the reserve.
fn lowest_address(stack: usize) -> usize {
    let here = 0u8;
    let here = std::hint::black_box(&raw const here) as usize;
    here.saturating_sub(stack - RESERVE)
}
