//! Stops the interpreter where a call takes too long, so that the other calls of a program are still made.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How often it looks.
const STEP: Duration = Duration::from_millis(20);

pub struct Watch {
    /// While it is set, calls fail as soon as they can.
    cancel: Arc<AtomicBool>,
    deadline: Arc<Mutex<Option<Instant>>>,
}

impl Watch {
    /// Over whoever ends when this is set.
    pub fn new(cancel: Arc<AtomicBool>) -> Watch {
        let deadline: Arc<Mutex<Option<Instant>>> = Arc::default();
        let watched = Arc::downgrade(&deadline);
        let flag = cancel.clone();
        thread::spawn(move || {
            while let Some(deadline) = watched.upgrade() {
                // The lock is kept, so that no other call begins meanwhile.
                if let Ok(deadline) = deadline.lock()
                    && deadline.is_some_and(|deadline| Instant::now() > deadline)
                {
                    flag.store(true, Relaxed);
                }
                thread::sleep(STEP);
            }
        });
        Watch { cancel, deadline }
    }

    /// A call begins, and may take this long.
    pub fn begin(&self, limit: Duration) {
        self.set(Some(Instant::now() + limit));
        self.cancel.store(false, Relaxed);
    }

    /// Whether the call, which has ended, was stopped.
    pub fn has_stopped(&self) -> bool {
        self.set(None);
        self.cancel.swap(false, Relaxed)
    }

    fn set(&self, deadline: Option<Instant>) {
        *self.deadline.lock().unwrap_or_else(|e| e.into_inner()) = deadline;
    }
}
