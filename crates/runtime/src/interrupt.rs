//! The request to end this process: Ctrl-C, and what else the system has for it.
//!
//! A handler of a signal may do next to nothing. Ours wakes a thread up, which may do everything. A signal that the process was started
//! to ignore (`nohup`, jobs in the background of a script) is still ignored.

use std::io;

/// Calls `handler`, on a thread of its own, whenever the user asks this process to end. To be called once.
#[cfg(unix)]
pub fn on_interrupt(handler: impl Fn() + Send + 'static) -> io::Result<()> {
    unix::on_interrupt(handler)
}

#[cfg(not(unix))]
pub fn on_interrupt(handler: impl Fn() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(handler).map_err(io::Error::other)
}

#[cfg(unix)]
mod unix {
    use std::ffi::{c_int, c_void};
    use std::io::{self, PipeWriter, Read};
    use std::os::fd::AsRawFd;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

    const SIGHUP: c_int = 1;
    const SIGINT: c_int = 2;
    const SIGTERM: c_int = 15;
    const SIG_IGN: usize = 1;

    unsafe extern "C" {
        fn signal(number: c_int, handler: usize) -> usize;
        fn write(file: c_int, bytes: *const c_void, count: usize) -> isize;
    }

    /// Where the handler writes a byte for the thread to read. It is never closed.
    static PIPE: OnceLock<PipeWriter> = OnceLock::new();
    /// A byte was written that was not read yet.
    static IS_NOTED: AtomicBool = AtomicBool::new(false);

    pub fn on_interrupt(handler: impl Fn() + Send + 'static) -> io::Result<()> {
        let (mut reader, writer) = io::pipe()?;
        if PIPE.set(writer).is_err() {
            return Err(io::Error::other("interrupts are handled already"));
        }
        std::thread::Builder::new().name("norn-interrupt".to_string()).spawn(move || {
            while reader.read_exact(&mut [0]).is_ok() {
                IS_NOTED.store(false, SeqCst);
                handler();
            }
        })?;
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // SAFETY: to ignore a signal is always allowed, and `note` does only what a handler may do. There is no other handler:
            // these signals are nobody else's in this process.
            unsafe {
                if signal(number, SIG_IGN) != SIG_IGN {
                    signal(number, note as *const () as usize);
                }
            }
        }
        Ok(())
    }

    /// The handler. At most one byte is in the pipe, so that it neither waits nor fails, and leaves `errno` alone.
    extern "C" fn note(_number: c_int) {
        if let Some(pipe) = PIPE.get()
            && !IS_NOTED.swap(true, SeqCst)
        {
            // SAFETY: the file is open for ever, there is one byte, and `write` may be called in a handler.
            unsafe { write(pipe.as_raw_fd(), [0u8].as_ptr().cast(), 1) };
        }
    }
}
