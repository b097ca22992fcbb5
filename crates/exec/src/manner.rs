//! How calls of an entry point are made, by what is known of those before.
//!
//! A call that uses one thread stays on the thread that makes it: to hand it over to a pool takes longer than many calls. Whether it does is not known
//! before, but the next call of an entry point is mostly like the last.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

pub struct Manner(AtomicU8);

/// The last call launched something on several threads, or there was none.
const PARALLEL: u8 = 0;
/// The last call used one thread.
const ALONE: u8 = 1;
/// A call needed more stack than the thread had that made it.
const DEEP: u8 = 2;

impl Manner {
    pub fn new() -> Manner {
        Manner(AtomicU8::new(PARALLEL))
    }

    /// Whether a call is to stay on its thread.
    pub fn stays(&self) -> bool {
        self.0.load(Relaxed) == ALONE
    }

    /// A call has ended, and has launched something on several threads, or not.
    pub fn learn(&self, launched: bool) {
        if self.0.load(Relaxed) != DEEP {
            self.0.store(if launched { PARALLEL } else { ALONE }, Relaxed);
        }
    }

    /// No call is to stay on its thread any more.
    pub fn be_deep(&self) {
        self.0.store(DEEP, Relaxed);
    }
}
