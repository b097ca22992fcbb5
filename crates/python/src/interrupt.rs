//! Calls that Ctrl-C ends, and the button of a notebook that interrupts.
//!
//! Python notes a signal, but handles it only when its main thread comes back to it. So a call of the main thread that may take long is made on
//! another thread, while the main thread asks from time to time whether something was noted. Calls that took little time the last time stay where they
//! are: to begin a thread takes longer than many of them.

use norn::engine::Canceller;
use norn::{CallError, CallOptions};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A call that took less is not expected to take long.
const SHORT: Duration = Duration::from_millis(20);
/// How often it is asked whether a signal was noted.
const LOOK: Duration = Duration::from_millis(25);

/// Whether the last call of an entry point was short.
#[derive(Default)]
pub struct Length(AtomicBool);

/// Makes a call, without the lock of the interpreter. If the user interrupts it, the exception comes first.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    length: &Length,
    options: &CallOptions,
    call: impl FnOnce(&CallOptions) -> Result<T, CallError> + Send,
) -> PyResult<Result<T, CallError>> {
    let begin = Instant::now();
    let outcome = if length.0.load(Relaxed) || !is_main_thread(py)? {
        Ok(py.detach(|| call(options)))
    } else {
        let canceller = Canceller::default();
        let options = CallOptions { canceller: Some(canceller.clone()), ..options.clone() };
        py.detach(|| elsewhere(&canceller, || call(&options)))
    };
    length.0.store(begin.elapsed() < SHORT, Relaxed);
    outcome
}

fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    threading.call_method0("main_thread")?.getattr("ident")?.eq(threading.call_method0("get_ident")?)
}

/// What `work` returns, on another thread, unless this one is interrupted.
fn elsewhere<R: Send>(canceller: &Canceller, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        scope.spawn(move || sender.send(work()));
        let mut interrupted = None;
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(outcome) => return interrupted.map_or(Ok(outcome), Err),
                Err(RecvTimeoutError::Timeout) => {
                    if interrupted.is_none()
                        && let Err(error) = Python::attach(|py| py.check_signals())
                    {
                        canceller.cancel();
                        interrupted = Some(error);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => panic!("a call has ended without an outcome"),
            }
        }
    })
}
