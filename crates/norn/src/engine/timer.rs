//! Time limits of calls: a thread that waits, and cancels what has not ended in time.
//!
//! The thread is that of a context. It begins with the first call that has a limit, and ends with the context.

use norn_runtime::{Cancelled, Canceller};
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

#[derive(Default)]
pub(super) struct Timer(Mutex<Option<Arc<Clock>>>);

#[derive(Default)]
struct Clock {
    alarms: Mutex<Alarms>,
    changed: Condvar,
}

#[derive(Default)]
struct Alarms {
    pending: BTreeMap<(Instant, u64), Canceller>,
    /// How many there were.
    count: u64,
    /// The context is gone.
    has_ended: bool,
}

/// A limit that is watched as long as this is there.
pub(super) struct Alarm {
    clock: Arc<Clock>,
    key: (Instant, u64),
}

impl Timer {
    /// Cancels at this time, unless the alarm is gone by then. The error is that there cannot be another thread.
    pub fn set(&self, at: Instant, canceller: &Canceller) -> io::Result<Alarm> {
        let clock = self.clock()?;
        let mut alarms = clock.lock();
        alarms.count += 1;
        let key = (at, alarms.count);
        alarms.pending.insert(key, canceller.clone());
        drop(alarms);
        clock.changed.notify_one();
        Ok(Alarm { clock, key })
    }

    fn clock(&self) -> io::Result<Arc<Clock>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(clock) = &*known {
            return Ok(clock.clone());
        }
        let clock = Arc::new(Clock::default());
        let watched = clock.clone();
        std::thread::Builder::new().name("norn-timer".into()).spawn(move || watched.watch())?;
        Ok(known.insert(clock).clone())
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        if let Some(clock) = self.0.get_mut().unwrap_or_else(PoisonError::into_inner) {
            clock.lock().has_ended = true;
            clock.changed.notify_one();
        }
    }
}

impl Clock {
    fn watch(&self) {
        let mut alarms = self.lock();
        while !alarms.has_ended {
            let now = Instant::now();
            while let Some(due) = alarms.pending.first_entry().filter(|entry| entry.key().0 <= now) {
                due.remove().cancel_since(Cancelled::TimeLimit);
            }
            let next = alarms.pending.first_key_value().map(|((at, _), _)| *at);
            alarms = match next {
                None => self.changed.wait(alarms).unwrap_or_else(PoisonError::into_inner),
                Some(at) => {
                    let left = at.saturating_duration_since(now);
                    self.changed.wait_timeout(alarms, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    fn lock(&self) -> MutexGuard<'_, Alarms> {
        self.alarms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.clock.lock().pending.remove(&self.key);
    }
}
