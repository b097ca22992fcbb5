//! Ctrl-C: the first stops the program that runs, so that the command ends in an orderly way; the second, or one while nothing runs that
//! can be stopped, ends the process, with all that it has started: C compilers, and processes of tests and measurements. A session goes
//! on: there the first Ctrl-C while nothing can be stopped is kept for what runs next.
//!
//! A kernel of a GPU cannot be stopped. A command does not wait for one that goes on for long: the process ends without it.

use crate::console::Exit;
use norn::engine::{CallOptions, Canceller};
use norn_runtime::{on_interrupt, process};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a program that was asked to stop may go on before the command ends without it.
const GRACE: Duration = Duration::from_secs(1);

/// What runs now.
static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

/// Nothing runs any more.
static ENDED: Condvar = Condvar::new();

struct Running {
    canceller: Canceller,
    /// It was asked to stop.
    is_stopping: bool,
}

/// Whether a session answers inputs, and goes on with the next.
static IN_SESSION: AtomicBool = AtomicBool::new(false);

/// Whether the input that is being answered should end.
static PENDING: AtomicBool = AtomicBool::new(false);

/// From now on an interrupt is handled here.
pub fn handle() {
    // Where that cannot be the system ends the process, which is good enough.
    let _ = on_interrupt(|| {
        if stop_running() {
            let running = running();
            let waited = ENDED.wait_timeout_while(running, GRACE, |running| running.is_some());
            let goes_on = waited.unwrap_or_else(PoisonError::into_inner).1.timed_out();
            if goes_on && !IN_SESSION.load(Ordering::SeqCst) {
                process::exit(Exit::Interrupted as i32);
            }
        } else if !IN_SESSION.load(Ordering::SeqCst) || PENDING.swap(true, Ordering::SeqCst) {
            process::exit(Exit::Interrupted as i32);
        }
    });
}

/// Makes a call in such a way that Ctrl-C stops it.
pub fn stoppable<T>(call: impl FnOnce(&CallOptions) -> T) -> T {
    let canceller = Canceller::default();
    *running() = Some(Running { canceller: canceller.clone(), is_stopping: false });
    if PENDING.load(Ordering::SeqCst) {
        canceller.cancel();
    }
    let result = call(&CallOptions { canceller: Some(canceller), time_limit: None });
    *running() = None;
    ENDED.notify_all();
    result
}

/// Answers an input of a session: Ctrl-C ends the answer, not the session.
pub fn answering<T>(answer: impl FnOnce() -> T) -> T {
    IN_SESSION.store(true, Ordering::SeqCst);
    PENDING.store(false, Ordering::SeqCst);
    let result = answer();
    IN_SESSION.store(false, Ordering::SeqCst);
    result
}

/// Whether something runs that had not been asked to stop before.
fn stop_running() -> bool {
    match &mut *running() {
        Some(Running { canceller, is_stopping }) if !*is_stopping => {
            *is_stopping = true;
            canceller.cancel();
            true
        }
        _ => false,
    }
}

fn running() -> MutexGuard<'static, Option<Running>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}
