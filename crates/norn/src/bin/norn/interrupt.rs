//! Ctrl-C: the first stops the program that runs, so that the command ends in an orderly way; the second, or one while nothing runs that
//! can be stopped, ends the process.

use crate::console::Exit;
use norn::engine::{Canceller, Engine};
use std::sync::{Mutex, PoisonError};

/// What runs now and was not asked to end yet.
static RUNNING: Mutex<Option<Canceller>> = Mutex::new(None);

/// Does `work` with the program in such a way that Ctrl-C stops it.
pub fn stoppable<T>(engine: &mut Engine, work: impl FnOnce(&mut Engine) -> T) -> T {
    set_running(engine.canceller());
    // Where there is no such handler the system ends the process, which is good enough.
    let _ = ctrlc::try_set_handler(|| match take_running() {
        Some(canceller) => canceller.cancel(),
        None => std::process::exit(Exit::Interrupted as i32),
    });
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
