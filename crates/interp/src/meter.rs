//! How much memory the arrays and cells of programs take, and how much they may.
//!
//! Values may be dropped on another thread than the one that made them, so the count is that of the process. Arrays are made and dropped
//! in many places, and very often: each thread counts for itself, and adds what it has counted to the sum when that is worth it. The limit
//! is that of the call that a thread is busy with. What is counted is what programs can make large: elements and cells, with something
//! for the memory around them.

use crate::failure::{Outcome, fail};
use std::cell::Cell;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// What a vector takes beside its elements, for itself, its count of holders and the system's allocator.
pub(crate) const AROUND: u64 = 96;

/// So much a thread counts before others see it.
const UNSEEN: u64 = 256 << 10;

/// What threads have added. One that frees what others made may see less than nothing for a while.
static SUM: AtomicI64 = AtomicI64::new(0);

thread_local! {
    static OWN: Cell<i64> = const { Cell::new(0) };
    static LIMIT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// The bytes in use, but for what other threads have not added yet.
fn live() -> u64 {
    u64::try_from(SUM.load(Relaxed).saturating_add(OWN.get())).unwrap_or(0)
}

fn change(bytes: i64) {
    let own = OWN.get().wrapping_add(bytes);
    if own.unsigned_abs() < UNSEEN {
        OWN.set(own);
    } else {
        SUM.fetch_add(own, Relaxed);
        OWN.set(0);
    }
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// Counts bytes that are about to be taken, unless that is too much.
pub(crate) fn take(bytes: u64) -> Option<()> {
    (live().saturating_add(bytes) <= LIMIT.get()).then(|| change(signed(bytes)))
}

/// Counts bytes that are there already.
pub(crate) fn add(bytes: u64) {
    change(signed(bytes));
}

/// Counts bytes that are free again.
pub(crate) fn give_back(bytes: u64) {
    change(-signed(bytes));
}

/// No more than so many bytes from now on.
pub(crate) fn set_limit(bytes: u64) {
    LIMIT.set(bytes);
}

/// The limit, in words, for those who meet it.
pub(crate) fn describe() -> String {
    format!("{} of at most {} bytes of memory are in use", live(), LIMIT.get())
}

/// Bytes that are taken as long as this is there.
pub(crate) struct Held(u64);

/// Takes bytes for a while.
pub(crate) fn hold(bytes: u64) -> Outcome<Held> {
    match take(bytes) {
        Some(()) => Ok(Held(bytes)),
        None => fail(format!("Cannot allocate {bytes} bytes: {}.", describe())),
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        give_back(self.0);
    }
}
