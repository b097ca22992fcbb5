//! How much memory the arrays and cells of programs take, and how much they may.
//!
//! An interpreter works on one thread, and so do its values, which nobody else can have. So the count is the thread's: arrays are made and
//! dropped in many places, and none of them would have a use for a counter that is passed around. What is counted is what
//! programs can make large: elements and cells, with something for the memory around them.

use crate::failure::{Outcome, fail};
use std::cell::Cell;

/// What a vector takes beside its elements, for itself, its count of holders and the system's allocator.
pub(crate) const AROUND: u64 = 96;

thread_local! {
    static LIVE: Cell<u64> = const { Cell::new(0) };
    static LIMIT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Counts bytes that are about to be taken, unless that is too much.
pub(crate) fn take(bytes: u64) -> Option<()> {
    let live = LIVE.get().saturating_add(bytes);
    (live <= LIMIT.get()).then(|| LIVE.set(live))
}

/// Counts bytes that are there already.
pub(crate) fn add(bytes: u64) {
    LIVE.set(LIVE.get().saturating_add(bytes));
}

/// Counts bytes that are free again.
pub(crate) fn give_back(bytes: u64) {
    LIVE.set(LIVE.get().saturating_sub(bytes));
}

/// No more than so many bytes from now on.
pub(crate) fn set_limit(bytes: u64) {
    LIMIT.set(bytes);
}

/// The limit, in words, for those who meet it.
pub(crate) fn describe() -> String {
    format!("{} of at most {} bytes of memory are in use", LIVE.get(), LIMIT.get())
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
