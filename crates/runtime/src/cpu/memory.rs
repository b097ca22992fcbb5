//! The memory of the device: how much may be used, how much is, and large pieces that can be used again.
//!
//! Fresh memory from the system is expensive: every page of it is a trap and has to be cleared. Programs ask for the same
//! sizes over and over, so large pieces that are given back are kept for a while, up to a part of the limit. A
//! request is served by the smallest spare piece that is not much too large.

use crate::available::{available, usual_limit};
use std::alloc::{Layout, alloc, dealloc};
use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Smaller pieces are not kept: the system's allocator is good at them.
const LARGE: u64 = 64 << 10;
/// Pieces of this size are aligned so that the system can map them in huge pages.
const HUGE_PAGE: usize = 2 << 20;
/// Before so much is asked of the system, the machine is asked whether it is there.
const MUCH: u64 = 64 << 20;
/// Spare pieces are found by looking at all, so there are not many.
const MOST_SPARE: usize = 256;

/// Memory that belongs to all programs of a device.
pub struct Memory {
    limit: u64,
    /// Bytes in use.
    live: AtomicU64,
    peak: AtomicU64,
    spare: Mutex<Spare>,
}

/// Pieces that were given back, by their size, each with the time it was given back.
#[derive(Default)]
struct Spare {
    pieces: BTreeMap<u64, Vec<(u64, NonNull<u8>)>>,
    bytes: u64,
    count: usize,
    clock: u64,
}

// SAFETY: the pieces belong to nobody else.
unsafe impl Send for Spare {}

/// A piece of memory.
#[derive(Clone, Copy)]
pub struct Piece {
    pub address: NonNull<u8>,
    pub bytes: u64,
}

impl Memory {
    /// With this limit, or what the machine can do without.
    pub fn new(limit: Option<u64>) -> Memory {
        let limit = limit.unwrap_or_else(usual_limit);
        // So that sums of what is asked for do not overflow.
        let limit = limit.min(1 << 60);
        Memory { limit, live: AtomicU64::new(0), peak: AtomicU64::new(0), spare: Mutex::default() }
    }

    pub fn limit(&self) -> u64 {
        self.limit
    }

    pub fn live(&self) -> u64 {
        self.live.load(Relaxed)
    }

    /// The most bytes that were in use at a time since `reset_peak`.
    pub fn peak(&self) -> u64 {
        self.peak.load(Relaxed)
    }

    pub fn reset_peak(&self) {
        self.peak.store(self.live(), Relaxed);
    }

    /// At least so many bytes, whose address is a multiple of 64, not initialised; none where that is too much.
    pub fn obtain(&self, bytes: u64) -> Option<Piece> {
        if bytes >= LARGE
            && let Some(piece) = self.take_spare(bytes)
        {
            let live = self.live.fetch_add(piece.bytes, Relaxed) + piece.bytes;
            self.peak.fetch_max(live, Relaxed);
            return Some(piece);
        }
        let layout = layout(bytes)?;
        self.make_room(bytes)?;
        // SAFETY: the layout is not of size 0: blocks have headers.
        let address = NonNull::new(unsafe { alloc(layout) });
        match address {
            Some(address) => {
                ask_for_huge_pages(address, layout);
                Some(Piece { address, bytes })
            }
            None => {
                self.live.fetch_sub(bytes, Relaxed);
                None
            }
        }
    }

    /// Takes back a piece.
    ///
    /// # Safety
    /// It came from `obtain` and is not used any more.
    pub unsafe fn give_back(&self, piece: Piece) {
        self.live.fetch_sub(piece.bytes, Relaxed);
        if piece.bytes < LARGE {
            // SAFETY: it was obtained with this layout, and the caller promises that it is not used any more.
            unsafe { release(piece) };
            return;
        }
        let most = self.limit / 4;
        let mut spare = self.spare();
        spare.add(piece);
        spare.shrink(most, MOST_SPARE);
    }

    /// Gives all spare pieces back to the system.
    pub fn drop_spare(&self) {
        self.spare().shrink(0, 0);
    }

    /// Counts bytes as used, unless that is too much. What is spare is dropped first.
    fn make_room(&self, bytes: u64) -> Option<()> {
        if bytes > self.limit {
            return None;
        }
        if bytes >= MUCH && available().is_some_and(|left| bytes > left) {
            self.drop_spare();
            if available().is_some_and(|left| bytes > left) {
                return None;
            }
        }
        let live = self.live.fetch_add(bytes, Relaxed) + bytes;
        if live > self.limit {
            self.live.fetch_sub(bytes, Relaxed);
            return None;
        }
        self.peak.fetch_max(live, Relaxed);
        // A look at what is spare costs a lock, which only large pieces pay.
        if bytes >= LARGE {
            let left = self.limit - live;
            self.spare().shrink(left, MOST_SPARE);
        }
        Some(())
    }

    fn take_spare(&self, bytes: u64) -> Option<Piece> {
        if self.live.load(Relaxed).saturating_add(bytes) > self.limit {
            return None;
        }
        self.spare().take(bytes)
    }

    fn spare(&self) -> MutexGuard<'_, Spare> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.drop_spare();
    }
}

impl Spare {
    fn add(&mut self, piece: Piece) {
        self.clock += 1;
        self.bytes += piece.bytes;
        self.count += 1;
        self.pieces.entry(piece.bytes).or_default().push((self.clock, piece.address));
    }

    /// The smallest piece that is large enough, but not by more than a quarter. Of equal ones the last, whose pages are most
    /// likely still in some cache.
    fn take(&mut self, bytes: u64) -> Option<Piece> {
        let most = bytes.saturating_add(bytes / 4);
        let (&size, pieces) = self.pieces.range_mut(bytes..=most).next()?;
        let (_, address) = pieces.pop()?;
        if pieces.is_empty() {
            self.pieces.remove(&size);
        }
        self.bytes -= size;
        self.count -= 1;
        Some(Piece { address, bytes: size })
    }

    /// Drops the oldest pieces until there are no more bytes and pieces than this.
    fn shrink(&mut self, bytes: u64, count: usize) {
        while self.bytes > bytes || self.count > count {
            let oldest = self.pieces.iter().min_by_key(|(_, pieces)| pieces.first().map(|(time, _)| *time));
            let Some((&size, _)) = oldest else { return };
            let Some(pieces) = self.pieces.get_mut(&size) else { return };
            let (_, address) = pieces.remove(0);
            if pieces.is_empty() {
                self.pieces.remove(&size);
            }
            self.bytes -= size;
            self.count -= 1;
            // SAFETY: nobody uses what is spare, and it was obtained with this layout.
            unsafe { release(Piece { address, bytes: size }) };
        }
    }
}

fn layout(bytes: u64) -> Option<Layout> {
    let bytes = usize::try_from(bytes).ok()?;
    let align = if bytes >= 2 * HUGE_PAGE { HUGE_PAGE } else { 64 };
    Layout::from_size_align(bytes, align).ok()
}

/// Linux maps memory in huge pages mostly where it is asked to: a trap for two mebibytes instead of four kibibytes, and fewer
/// addresses for the processor to remember. Elsewhere the alignment has to do.
#[cfg(target_os = "linux")]
fn ask_for_huge_pages(address: NonNull<u8>, layout: Layout) {
    use std::ffi::{c_int, c_void};
    const MADV_HUGEPAGE: c_int = 14;
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    if layout.align() == HUGE_PAGE {
        // It changes nothing but the speed, so a refusal does not matter. The last page is left alone: it may not be all ours.
        let whole = layout.size() / HUGE_PAGE * HUGE_PAGE;
        // SAFETY: the pages are part of a piece that is ours, and the advice changes nothing but the speed.
        unsafe { madvise(address.as_ptr().cast(), whole, MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages(_address: NonNull<u8>, _layout: Layout) {}

/// Gives a piece back to the system.
///
/// # Safety
/// It came from `alloc` with the layout of its size, and is not used any more.
unsafe fn release(piece: Piece) {
    if let Some(layout) = layout(piece.bytes) {
        // SAFETY: it came from `alloc` with this layout, and is not used any more, as the caller promises.
        unsafe { dealloc(piece.address.as_ptr(), layout) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_pieces_are_used_again() {
        let memory = Memory::new(Some(64 << 20));
        let first = memory.obtain(1 << 20).unwrap();
        // SAFETY: the piece is not used any more.
        unsafe { memory.give_back(first) };
        let again = memory.obtain((1 << 20) - 1000).unwrap();
        assert_eq!((again.address, again.bytes), (first.address, 1 << 20));
        assert_eq!(memory.live(), 1 << 20);
        // SAFETY: the piece is not used any more.
        unsafe { memory.give_back(again) };
        assert_eq!((memory.live(), memory.peak()), (0, 1 << 20));
    }

    #[test]
    fn what_exceeds_the_limit_is_refused() {
        let memory = Memory::new(Some(4 << 20));
        let first = memory.obtain(3 << 20).unwrap();
        assert!(memory.obtain(2 << 20).is_none());
        assert!(memory.obtain(u64::MAX).is_none());
        assert_eq!(memory.live(), 3 << 20);
        // SAFETY: the piece is not used any more.
        unsafe { memory.give_back(first) };
        // The spare piece makes room.
        let other = memory.obtain(2 << 20).unwrap();
        assert!(memory.spare().bytes + memory.live() <= 4 << 20);
        // SAFETY: the piece is not used any more.
        unsafe { memory.give_back(other) };
    }

    #[test]
    fn spare_pieces_have_a_bound() {
        let memory = Memory::new(Some(16 << 20));
        let pieces: Vec<Piece> = (0..8).map(|i| memory.obtain((1 << 20) + i * 4096).unwrap()).collect();
        for piece in pieces {
            // SAFETY: the piece is not used any more.
            unsafe { memory.give_back(piece) };
        }
        assert!(memory.spare().bytes <= 4 << 20);
        memory.drop_spare();
        let spare = memory.spare();
        assert_eq!((spare.bytes, spare.count), (0, 0));
    }
}
