//! Regions: stores of cells that are freed as a whole.
//!
//! A region and its chunks are themselves blocks, so that what a failed run leaves behind is found like everything else, and
//! an array in a cell can be used for longer than its region is there.

use super::abi::{self, Block, CHUNKS, FIRST_CHUNK, Region};
use super::blocks::{alloc, data, release};
use super::worker::Worker;
use std::ffi::c_int;
use std::ptr::null_mut;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// No cell has a greater address, so that the last `u32` numbers stay free.
const MOST_WORDS: i64 = (1 << 32) - 1024;

/// A new region, or null if there is no memory.
///
/// # Safety
/// The worker is that of this thread.
pub unsafe extern "C" fn region_new(worker: *mut abi::Worker) -> *mut Region {
    // SAFETY: the worker is that of this thread, as the caller promises, so it exists; a block for a region has room for one.
    unsafe {
        let block = alloc(worker, size_of::<Region>() as i64);
        if block.is_null() {
            return null_mut();
        }
        let region = data(block).cast::<Region>();
        region.write(Region::default());
        region
    }
}

/// Frees the region: releases its chunks, of which others may keep some.
///
/// # Safety
/// The worker is that of this thread, and nobody uses the region any more.
pub unsafe extern "C" fn region_end(worker: *mut abi::Worker, region: *mut Region) {
    // SAFETY: the worker is that of this thread, and nobody uses the region any more, so what it holds is only held here.
    unsafe {
        let Some(ended) = region.as_mut() else { return };
        for (number, base) in ended.base.iter().enumerate() {
            let base = base.load(Relaxed);
            if !base.is_null() {
                release(worker, block_of(base.wrapping_add(chunk_words(number))));
            }
        }
        release(worker, ended.device);
        release(worker, block_of(region));
    }
}

/// Makes sure that a chunk exists; 1 if there is no memory.
///
/// # Safety
/// The worker is that of this thread, and the region exists.
pub unsafe extern "C" fn region_grow(worker: *mut abi::Worker, region: *mut Region, chunk: i64) -> c_int {
    let Ok(number) = usize::try_from(chunk) else { return 1 };
    if number >= CHUNKS {
        return 1;
    }
    // SAFETY: the worker is that of this thread, and the region exists, as the caller promises. The lock is held while it changes.
    unsafe {
        let _guard = Guard::lock(region);
        if !(&(*region).base)[number].load(Relaxed).is_null() {
            return 0;
        }
        let words = chunk_words(number);
        let block = alloc(worker, words as i64 * 8);
        if block.is_null() {
            return 1;
        }
        let base = data(block).cast::<u64>().wrapping_sub(words);
        (&(*region).base)[number].store(base, Release);
    }
    0
}

/// The address of a new cell, as compiled code makes them; none if there is no memory.
///
/// # Safety
/// The worker is that of this thread, and the region exists.
pub unsafe fn cell_new(worker: *mut Worker, region: *mut Region, words: u64) -> Option<u32> {
    let words = i64::try_from(words.max(1)).ok().filter(|words| *words <= 1 << 31)?;
    loop {
        // SAFETY: the region exists, as the caller promises.
        let cell = unsafe { (*region).next.fetch_add(words, Relaxed) };
        if cell + words > MOST_WORDS {
            return None;
        }
        let (chunk, last) = (chunk_of(cell as u64), chunk_of((cell + words - 1) as u64));
        if chunk != last {
            // What the chunk has left over is too little; the next is larger.
            continue;
        }
        // SAFETY: the region exists, as the caller promises.
        let exists = unsafe { !(&(*region).base)[chunk].load(Acquire).is_null() };
        // SAFETY: the worker is that of this thread, and the region exists, as the caller promises.
        if !exists && unsafe { region_grow(worker.cast(), region, chunk as i64) } != 0 {
            return None;
        }
        return Some(cell as u32);
    }
}

/// The first word of a cell.
///
/// # Safety
/// The cell is one of the region.
pub unsafe fn cell(region: *mut Region, cell: u32) -> *mut u64 {
    // SAFETY: the region exists, as the caller promises.
    let base = unsafe { (&(*region).base)[chunk_of(cell.into())].load(Acquire) };
    base.wrapping_add(cell as usize + FIRST_CHUNK as usize)
}

pub fn chunk_of(cell: u64) -> usize {
    54 - (cell + FIRST_CHUNK).leading_zeros() as usize
}

pub fn chunk_words(number: usize) -> usize {
    (FIRST_CHUNK as usize) << number
}

/// The block whose memory begins here.
fn block_of<T>(memory: *mut T) -> *mut Block {
    memory.cast::<u8>().wrapping_sub(abi::HEADER).cast()
}

/// The lock of a region, held for a few instructions or one allocation.
struct Guard(*mut Region);

impl Guard {
    /// # Safety
    /// The region exists as long as the guard.
    unsafe fn lock(region: *mut Region) -> Guard {
        // SAFETY: the region exists, as the caller promises.
        let lock = unsafe { &(*region).lock };
        let mut rounds = 0;
        while lock.compare_exchange_weak(0, 1, Acquire, Relaxed).is_err() {
            rounds += 1;
            if rounds % 64 == 0 {
                std::thread::yield_now();
            } else {
                std::hint::spin_loop();
            }
        }
        Guard(region)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // SAFETY: the region exists as long as its guard, as the caller of `lock` promises.
        unsafe { (*self.0).lock.store(0, Release) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_in_their_chunks() {
        assert_eq!(chunk_of(0), 0);
        assert_eq!(chunk_of(511), 0);
        assert_eq!(chunk_of(512), 1);
        assert_eq!(chunk_of(512 + 1023), 1);
        assert_eq!(chunk_of(512 + 1024), 2);
        assert!(chunk_of(MOST_WORDS as u64) < CHUNKS);
    }
}
