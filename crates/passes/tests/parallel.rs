//! Work that is spread over all processors.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Deep recursion needs the stack that the interpreter counts on.
const STACK: usize = 256 << 20;

/// What `work` makes of each item, in their order. A panic in it is passed on.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    let take = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(number) else { break };
            let result = work(item);
            done.lock().expect("no panic while it is held").push((number, result));
        }
    };
    thread::scope(|scope| {
        let count = thread::available_parallelism().map_or(1, |count| count.get());
        let start = |_| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, take).expect("a thread");
        let threads: Vec<_> = (0..count).map(start).collect();
        for thread in threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    let mut done = done.into_inner().expect("no panic while it was held");
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}
