//! The function by which compiled code shows values to whoever looks on.

use super::abi;
use super::worker::Worker;
use std::sync::{Arc, Mutex, PoisonError};

/// Is notified of words while the program runs, on the thread that shows them.
pub type Observer = Box<dyn FnMut(&[i64]) + Send>;

/// Who looks on, for all that run the same program at the same time.
pub type SharedObserver = Arc<Mutex<Option<Observer>>>;

/// # Safety
/// The worker exists, and there are so many words.
pub unsafe extern "C" fn show(worker: *mut abi::Worker, words: *const i64, count: i64) {
    // SAFETY: the worker exists, as the caller promises.
    let shared = unsafe { Worker::shared(Worker::of(worker)) };
    // Threads show one after the other. An observer that panicked before has nothing to do with these words.
    let show = || {
        let mut observer = shared.observer.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(observer), Ok(count @ 1..)) = (&mut *observer, usize::try_from(count)) {
            // SAFETY: there are so many words, as the caller promises, and nobody writes to them meanwhile.
            observer(unsafe { std::slice::from_raw_parts(words, count) });
        }
    };
    shared.guarded((), show);
}
