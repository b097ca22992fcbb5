//! Launches: the chunks of a kernel on the threads of the pool.
//!
//! Chunks are halved by recursive joins, so that nested launches balance: an idle thread steals the largest piece that is
//! left, whichever launch it belongs to. In an ordered launch, chunks wait for each other. There each thread
//! takes the next chunk from a counter: a chunk that has a number was started, by a thread that does nothing
//! else until it ends, so those that wait for it wait for something that goes on, however few threads there are.

use super::abi::{self, DONE, FAILED, Kernel, STOPPED};
use super::device::fail;
use super::worker::{Shared, Worker};
use crate::gpu::Program;
use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// How the width is cut into chunks.
#[derive(Clone, Copy)]
enum Split {
    Even,
    ByOffsets(*const i64),
    Ordered,
}

struct Launch<'a> {
    shared: &'a Shared,
    kernel: Kernel,
    args: *const c_void,
    width: i64,
    chunks: i64,
    split: Split,
    /// The next chunk of an ordered launch.
    next: AtomicI64,
}

// SAFETY: arguments and offsets are only read, as long as the launch lasts; the counter is atomic.
unsafe impl Sync for Launch<'_> {}

/// Runs all chunks of a kernel; how they ended.
///
/// # Safety
/// The worker is that of this thread; the kernel can be called with the arguments.
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn launch(
    worker: *mut abi::Worker,
    kernel: Kernel,
    args: *const c_void,
    width: i64,
    chunks: i64,
    split: i32,
    offsets: *const i64,
    _site: i32,
) -> c_int {
    // SAFETY: the worker is that of this thread, as the caller promises, so it exists.
    let shared = unsafe { Worker::shared(Worker::of(worker)) };
    if let (3 | 4, Some(program)) = (split, &shared.gpu) {
        let launch =
            Launch { shared, kernel, args, width, chunks, split: Split::Even, next: AtomicI64::new(0) };
        return shared.guarded(STOPPED, || launch.run_parts(program, split == 4));
    }
    shared.gpu.iter().for_each(|program| program.hurry());
    let (split, tasks) = match split {
        1 => (Split::ByOffsets(offsets), chunks),
        2 => (Split::Ordered, chunks.min(shared.pools.threads() as i64)),
        _ => (Split::Even, chunks),
    };
    let launch = Launch { shared, kernel, args, width, chunks, split, next: AtomicI64::new(0) };
    match tasks {
        ..=0 => DONE,
        1 => shared.guarded(STOPPED, || launch.run(0, 1)),
        2.. => {
            shared.has_launched.store(true, Relaxed);
            shared.guarded(STOPPED, || shared.in_pool(|| launch.run(0, tasks)))
        }
    }
}

impl Launch<'_> {
    /// Runs the tasks from `from` to below `to`, of which there is at least one.
    fn run(&self, from: i64, to: i64) -> c_int {
        if to - from > 1 {
            let middle = from + (to - from) / 2;
            let (left, right) = rayon::join(|| self.run(from, middle), || self.run(middle, to));
            return worse(left, right);
        }
        match self.split {
            Split::Even => self.chunk(
                from,
                even_cut(from, self.width, self.chunks),
                even_cut(from + 1, self.width, self.chunks),
            ),
            Split::ByOffsets(offsets) => {
                // SAFETY: an offset follows the last row, too, and compiled code keeps them until the launch ends.
                let offsets = unsafe { std::slice::from_raw_parts(offsets, self.width as usize + 1) };
                self.chunk(from, cut(from, offsets, self.chunks), cut(from + 1, offsets, self.chunks))
            }
            Split::Ordered => self.chunks_in_order(),
        }
    }

    fn chunks_in_order(&self) -> c_int {
        loop {
            let chunk = self.next.fetch_add(1, Relaxed);
            if chunk >= self.chunks {
                return DONE;
            }
            let (from, to) =
                (even_cut(chunk, self.width, self.chunks), even_cut(chunk + 1, self.width, self.chunks));
            let ended = self.chunk(chunk, from, to);
            if ended != DONE {
                return ended;
            }
        }
    }

    /// The chunks are the parts of a plan, which whoever made it runs.
    fn run_parts(&self, program: &Program, wait: bool) -> c_int {
        let run = |part: usize, rows: Range<u64>| self.chunk(part as i64, rows.start as i64, rows.end as i64);
        let parts = usize::try_from(self.chunks).unwrap_or(0);
        let ends = program.begin_parts(wait).and_then(|has_threads| match has_threads {
            true => {
                self.shared.has_launched.store(true, Relaxed);
                self.shared.in_pool(|| program.run_parts(parts, true, &run))
            }
            false => program.run_parts(parts, false, &run),
        });
        match ends {
            Ok(ends) => ends.into_iter().fold(DONE, worse),
            Err(halt) => fail(self.shared, halt),
        }
    }

    fn chunk(&self, chunk: i64, from: i64, to: i64) -> c_int {
        if self.shared.has_stopped() {
            return STOPPED;
        }
        let worker = self.shared.current();
        // SAFETY: the kernel can be called with the arguments, as the caller of `launch` promises; the worker is that of this thread.
        unsafe { (self.kernel)(worker.cast(), self.args, chunk, from, to) }
    }
}

/// How two parts ended together: the trace goes on where the failure came from.
fn worse(left: c_int, right: c_int) -> c_int {
    match (left, right) {
        (DONE, DONE) => DONE,
        (FAILED, _) | (_, FAILED) => FAILED,
        _ => STOPPED,
    }
}

/// `chunk * width / chunks`, which itself might overflow.
fn even_cut(chunk: i64, width: i64, chunks: i64) -> i64 {
    width / chunks * chunk + width % chunks * chunk / chunks
}

/// The first row of a chunk: rows before it have about `chunk / chunks` of all elements. A row counts as one
/// element more than it has, so that rows without elements are shared out, too.
fn cut(chunk: i64, offsets: &[i64], chunks: i64) -> i64 {
    let width = offsets.len() as i64 - 1;
    let weight_before = |row: i64| offsets[row as usize] - offsets[0] + row;
    let requested = even_cut(chunk, weight_before(width), chunks);
    let (mut low, mut high) = (0, width);
    while low < high {
        let middle = low + (high - low) / 2;
        if weight_before(middle) < requested { low = middle + 1 } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_cuts_cover_the_width() {
        for (width, chunks) in [(0, 3), (10, 3), (3, 10), (1 << 62, 1000)] {
            let cuts: Vec<i64> = (0..=chunks).map(|chunk| even_cut(chunk, width, chunks)).collect();
            assert_eq!((cuts[0], cuts[chunks as usize]), (0, width));
            let sizes: Vec<i64> = cuts.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
            assert!(*least >= 0 && most - least <= 1, "{width} in {chunks}: {sizes:?}");
        }
    }

    #[test]
    fn cuts_by_offsets_balance_elements() {
        // One row has nearly everything.
        let lengths = [1, 1, 1000, 1, 1, 0, 0, 0, 1000, 3];
        let mut offsets = vec![7];
        for length in lengths {
            offsets.push(offsets.last().unwrap() + length);
        }
        let cuts: Vec<i64> = (0..=4).map(|chunk| cut(chunk, &offsets, 4)).collect();
        assert_eq!((cuts[0], cuts[4]), (0, 10));
        assert!(cuts.is_sorted(), "{cuts:?}");
        let with = |pair: &[i64]| offsets[pair[1] as usize] - offsets[pair[0] as usize];
        assert!(cuts.windows(2).all(|pair| with(pair) <= 1010), "{cuts:?}");
        assert_eq!(cut(1, &[0], 2), 0);
    }

    #[test]
    fn empty_rows_are_shared_out() {
        let offsets = vec![0; 101];
        assert_eq!(cut(1, &offsets, 2), 50);
    }
}
