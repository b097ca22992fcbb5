//! How long the processor has worked for a thread: that somebody else had the processor meanwhile is no time that the thread was busy.

use std::time::Duration;

/// Since some moment. Where the system does not say it, the time that has passed.
pub fn now() -> Duration {
    system::now().unwrap_or_else(|| {
        static BEGIN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
        BEGIN.get_or_init(std::time::Instant::now).elapsed()
    })
}

#[cfg(all(any(target_os = "linux", target_os = "macos"), target_pointer_width = "64"))]
mod system {
    use std::ffi::{c_int, c_long};
    use std::time::Duration;

    /// `CLOCK_THREAD_CPUTIME_ID` of <time.h>.
    const CLOCK: c_int = if cfg!(target_os = "linux") { 3 } else { 16 };

    #[repr(C)]
    struct Timespec {
        seconds: c_long,
        nanoseconds: c_long,
    }

    unsafe extern "C" {
        fn clock_gettime(clock: c_int, time: *mut Timespec) -> c_int;
    }

    pub fn now() -> Option<Duration> {
        let mut time = Timespec { seconds: 0, nanoseconds: 0 };
        // SAFETY: the time is written to a variable that lives long enough, which is laid out as C does on these systems.
        let code = unsafe { clock_gettime(CLOCK, &mut time) };
        let is_known = code == 0 && time.seconds >= 0 && time.nanoseconds >= 0;
        is_known.then(|| Duration::new(time.seconds as u64, time.nanoseconds as u32))
    }
}

#[cfg(not(all(any(target_os = "linux", target_os = "macos"), target_pointer_width = "64")))]
mod system {
    pub fn now() -> Option<std::time::Duration> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::now;
    use std::time::{Duration, Instant};

    /// It goes on while the thread works, and not much while it sleeps.
    #[test]
    #[cfg(target_os = "linux")]
    fn who_sleeps_is_not_busy() {
        let before = now();
        std::thread::sleep(Duration::from_millis(50));
        let slept = now();
        assert!(slept - before < Duration::from_millis(40), "{:?}", slept - before);
        let begin = Instant::now();
        while now() - slept < Duration::from_millis(2) {
            assert!(begin.elapsed() < Duration::from_secs(20), "the clock stands still");
        }
    }
}
