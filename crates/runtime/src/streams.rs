//! Whether standard output was there when the process began.
//!
//! What is written to a stream that is closed must be an error. But Rust opens /dev/null in the place of standard streams that are closed,
//! before `main`, so that no file gets their numbers; writing to them then succeeds. So we look before Rust does, among the
//! initialisers that the loader calls.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether the process was started without a standard output.
pub fn stdout_was_closed() -> bool {
    WAS_CLOSED.load(Relaxed)
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod initialiser {
    use super::WAS_CLOSED;
    use std::ffi::c_int;
    use std::sync::atomic::Ordering::Relaxed;

    const STDOUT: c_int = 1;
    const F_GETFD: c_int = 1;

    unsafe extern "C" {
        fn fcntl(file: c_int, command: c_int, ...) -> c_int;
    }

    // SAFETY: what stands in this section is called by the loader as functions of this type. Nothing of Rust is set up at that time, and
    // the function needs nothing of it.
    #[used]
    #[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
    static LOOK: extern "C" fn() = {
        extern "C" fn look() {
            // SAFETY: the flags of a file can be asked for even if there is no such file.
            let flags = unsafe { fcntl(STDOUT, F_GETFD) };
            WAS_CLOSED.store(flags == -1, Relaxed);
        }
        look
    };
}
