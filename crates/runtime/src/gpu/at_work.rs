//! What a thread of the host works for: a part of a task, on the device of that part, or the program as a whole.
//!
//! A thread that waits until others have done their parts may begin with another part meanwhile, so parts at work are nested.

use super::thread_clock;
use std::cell::Cell;
use std::time::Duration;

thread_local! {
    static DEVICE: Cell<Option<usize>> = const { Cell::new(None) };
    static WAITED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// The device of the part at work, if there is one.
pub fn device() -> Option<usize> {
    DEVICE.get()
}

/// Does a part, on this device; and how long this has kept the thread busy, which waiting for devices does not.
pub fn during<R>(device: usize, work: impl FnOnce() -> R) -> (R, Duration) {
    let before = (DEVICE.replace(Some(device)), WAITED.replace(Duration::ZERO));
    let begin = thread_clock::now();
    let done = work();
    let busy = thread_clock::now().saturating_sub(begin + WAITED.get());
    DEVICE.set(before.0);
    WAITED.set(before.1);
    (done, busy)
}

/// Waits for devices. It may look at them again and again meanwhile.
pub fn waiting<R>(wait: impl FnOnce() -> R) -> R {
    let begin = thread_clock::now();
    let done = wait();
    WAITED.set(WAITED.get() + thread_clock::now().saturating_sub(begin));
    done
}

/// How long this thread has been busy with waiting since the last call.
pub fn take_waited() -> Duration {
    WAITED.replace(Duration::ZERO)
}
