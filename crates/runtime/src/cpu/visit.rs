//! Visits: the thread that calls a program runs it itself, as a worker beside those of the pool.
//!
//! To hand a call over to a thread of the pool, and to wait for it, takes longer than many calls. So a call that is known to use one thread alone stays on the thread that makes it.
//! What it launches in several chunks after all goes to the pool (`launch`). The stack of such a thread is not ours and may be small: a call that
//! needs more gets an error (`Why::OutOfStack`), and can be made again in the pool.

use super::pool::RESERVE;
use super::worker::Shared;
use std::cell::Cell;

thread_local! {
    /// The program that this thread visits, by its address, and how far it may use its stack meanwhile.
    static VISITED: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
    /// How far this thread may use its stack, if that was asked before; 0 if it is not known.
    static OWN_LIMIT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// A visit of this thread, as long as it is there.
pub struct Visit {
    before: (usize, usize),
}

impl Visit {
    /// None if the thread has too little stack, or it is not known how much.
    pub fn begin(shared: &Shared) -> Option<Visit> {
        let limit = own_limit();
        let here = 0u8;
        let here = std::hint::black_box(&raw const here) as usize;
        let is_enough = limit > 0 && here.checked_sub(limit).is_some_and(|left| left > RESERVE);
        is_enough.then(|| Visit { before: VISITED.replace((address(shared), limit)) })
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        VISITED.set(self.before);
    }
}

/// How far this thread may use its stack, if it visits the program.
pub fn limit_of_visit(shared: &Shared) -> Option<usize> {
    let (visited, limit) = VISITED.get();
    (visited == address(shared)).then_some(limit)
}

fn address(shared: &Shared) -> usize {
    &raw const *shared as usize
}

fn own_limit() -> usize {
    OWN_LIMIT.get().unwrap_or_else(|| {
        let limit = lowest_address().map_or(0, |lowest| lowest.saturating_add(RESERVE));
        OWN_LIMIT.set(Some(limit));
        limit
    })
}

/// Where the stack of this thread ends, if the system says so.
#[cfg(target_os = "linux")]
fn lowest_address() -> Option<usize> {
    use std::ffi::{c_int, c_void};
    use std::ptr::null_mut;

    /// More than any system has.
    #[repr(C, align(16))]
    struct Attributes([u8; 256]);

    unsafe extern "C" {
        fn pthread_self() -> usize;
        fn pthread_getattr_np(thread: usize, attributes: *mut Attributes) -> c_int;
        fn pthread_attr_getstack(
            attributes: *const Attributes,
            lowest: *mut *mut c_void,
            bytes: *mut usize,
        ) -> c_int;
        fn pthread_attr_destroy(attributes: *mut Attributes) -> c_int;
    }

    let mut attributes = Attributes([0; 256]);
    let (mut lowest, mut bytes) = (null_mut(), 0);
    // SAFETY: the attributes are those of this thread, in memory that has room for them, until they are destroyed.
    let found = unsafe {
        if pthread_getattr_np(pthread_self(), &mut attributes) != 0 {
            return None;
        }
        let code = pthread_attr_getstack(&attributes, &mut lowest, &mut bytes);
        pthread_attr_destroy(&mut attributes);
        code == 0 && !lowest.is_null()
    };
    found.then_some(lowest as usize)
}

#[cfg(not(target_os = "linux"))]
fn lowest_address() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn threads_know_their_stacks() {
        for bytes in [256 << 10, 4 << 20, 64 << 20] {
            let thread = std::thread::Builder::new().stack_size(bytes).spawn(move || {
                let here = 0u8;
                let here = std::hint::black_box(&raw const here) as usize;
                let left = here - lowest_address().expect("a stack");
                assert!(left <= bytes + (64 << 10) && left > bytes - (64 << 10), "{left} of {bytes}");
            });
            thread.expect("a thread").join().expect("no panic");
        }
    }
}
