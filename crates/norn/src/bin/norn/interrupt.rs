//! Ctrl-C: the first stops the program that runs, so that the command ends in an orderly way; the second, or one while nothing runs that
//! can be stopped, ends the process, with all that it has started: C compilers, and processes of tests and measurements. A session goes
//! on: there the first Ctrl-C while nothing can be stopped is kept for what runs next.

use crate::console::Exit;
use norn::engine::{Canceller, Engine};
use norn_runtime::{on_interrupt, process};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// What runs now and was not asked to end yet.
static RUNNING: Mutex<Option<Canceller>> = Mutex::new(None);

/// Whether a session answers inputs, and goes on with the next.
static IN_SESSION: AtomicBool = AtomicBool::new(false);

/// Whether the input that is being answered should end.
static PENDING: AtomicBool = AtomicBool::new(false);

/// From now on an interrupt is handled here.
pub fn handle() {
    // Where that cannot be the system ends the process, which is good enough.
    let _ = on_interrupt(|| match take_running() {
        Some(canceller) => canceller.cancel(),
        None if IN_SESSION.load(Ordering::SeqCst) && !PENDING.swap(true, Ordering::SeqCst) => {}
        None => process::exit(Exit::Interrupted as i32),
    });
}

/// Does `work` with the program in such a way that Ctrl-C stops it.
pub fn stoppable<T>(engine: &mut Engine, work: impl FnOnce(&mut Engine) -> T) -> T {
    let canceller = engine.canceller();
    set_running(Some(canceller.clone()));
    if PENDING.load(Ordering::SeqCst) {
        canceller.cancel();
    }
    let result = work(engine);
    take_running();
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

fn set_running(canceller: Option<Canceller>) {
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = canceller;
}

fn take_running() -> Option<Canceller> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).take()
}
