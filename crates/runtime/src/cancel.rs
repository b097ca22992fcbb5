//! Ending calls, from other threads.
//!
//! Whoever makes a call hands a [`Canceller`] along and keeps a clone of it. A canceller that was used stays used: calls that are made with
//! it afterwards end at once. What has to be done so that a call ends is known by who runs it ([`Canceller::during`]), and is never done
//! once the call has ended: what ran it may be busy with another by then.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Ends the calls that were made with it. Cloned, it is the same one.
#[derive(Clone, Default)]
pub struct Canceller(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    why: Option<Cancelled>,
    /// How the calls that go on are ended.
    running: Vec<(u64, Box<dyn Fn() + Send>)>,
    /// How many calls there were.
    calls: u64,
}

/// Why a call was ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cancelled {
    /// Somebody asked for it.
    Asked,
    /// It took too long.
    TimeLimit,
}

impl Canceller {
    /// Asks the calls that were made with it to end soon, and those that are made later.
    pub fn cancel(&self) {
        self.cancel_since(Cancelled::Asked);
    }

    /// The same for a reason. The first one counts.
    pub fn cancel_since(&self, why: Cancelled) {
        let mut state = self.lock();
        if state.why.is_none() {
            state.why = Some(why);
            state.running.iter().for_each(|(_, stop)| stop());
        }
    }

    /// Why it was used, if it was.
    pub fn cancelled(&self) -> Option<Cancelled> {
        self.lock().why
    }

    /// Does `work`, which `stop` makes end early. None if it need not even begin.
    pub fn during<R>(&self, stop: impl Fn() + Send + 'static, work: impl FnOnce() -> R) -> Option<R> {
        let number = {
            let mut state = self.lock();
            if state.why.is_some() {
                return None;
            }
            state.calls += 1;
            let number = state.calls;
            state.running.push((number, Box::new(stop)));
            number
        };
        let _running = Running { canceller: self, number };
        Some(work())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that goes on, even if it panics.
struct Running<'a> {
    canceller: &'a Canceller,
    number: u64,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.canceller.lock().running.retain(|(number, _)| *number != self.number);
    }
}

impl fmt::Debug for Canceller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Canceller").field(&self.cancelled()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[test]
    fn only_what_runs_is_stopped() {
        let stopped = Arc::new(AtomicUsize::new(0));
        let stop = || {
            let stopped = stopped.clone();
            move || {
                stopped.fetch_add(1, Relaxed);
            }
        };
        let canceller = Canceller::default();
        assert_eq!(canceller.during(stop(), || 1), Some(1));
        let ended = canceller.during(stop(), || {
            canceller.cancel();
            canceller.cancel_since(Cancelled::TimeLimit);
            2
        });
        assert_eq!((ended, stopped.load(Relaxed)), (Some(2), 1));
        assert_eq!(canceller.during(stop(), || 3), None);
        assert_eq!(canceller.cancelled(), Some(Cancelled::Asked));
    }
}
