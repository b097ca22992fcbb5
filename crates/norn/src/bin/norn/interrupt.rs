//! Ctrl-C: the first stops the program that runs, so that the command ends in an orderly way; the second, or one while nothing runs that
//! can be stopped, ends the process, with all that it has started: C compilers, and processes of tests and measurements.

use crate::console::Exit;
use norn::engine::{Canceller, Engine};
use norn_runtime::{on_interrupt, process};
use std::sync::{Mutex, PoisonError};

/// What runs now and was not asked to end yet.
static RUNNING: Mutex<Option<Canceller>> = Mutex::new(None);

/// From now on an interrupt is handled here.
pub fn handle() {
    // Where that cannot be the system ends the process, which is good enough.
    let _ = on_interrupt(|| match take_running() {
        Some(canceller) => canceller.cancel(),
        None => process::exit(Exit::Interrupted as i32),
    });
}

/// Does `work` with the program in such a way that Ctrl-C stops it.
pub fn stoppable<T>(engine: &mut Engine, work: impl FnOnce(&mut Engine) -> T) -> T {
    set_running(engine.canceller());
    let result = work(engine);
    take_running();
    result
}

fn set_running(canceller: Option<Canceller>) {
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = canceller;
}

fn take_running() -> Option<Canceller> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).take()
}
