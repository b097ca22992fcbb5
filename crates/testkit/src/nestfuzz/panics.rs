//! Panics as values: what was violated, and where, without output.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// What the last panic of this thread said.
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

/// From now on panics say nothing; `caught` gives back what they would have said.
pub fn be_quiet() {
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        SAID.with(|said| *said.borrow_mut() = text);
    }));
}

/// What `work` returns, or what it panicked with.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| SAID.with(|said| said.borrow().clone()))
}
