//! The functions by which compiled code measures its launches.

use super::abi;
use super::worker::Worker;
use crate::profile::Cost;
use std::sync::OnceLock;
use std::time::Instant;

/// A time in nanoseconds.
pub extern "C" fn now() -> i64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as i64
}

/// Charges a launch that began at a time to a site.
///
/// # Safety
/// The worker is that of this thread.
pub unsafe extern "C" fn charge(worker: *mut abi::Worker, site: i32, begin: i64, width: i64, bytes: i64) {
    let time = now() - begin;
    // SAFETY: the worker is that of this thread, as the caller promises, which alone uses its profile. Other threads may look at the list
    // of its blocks meanwhile, so there is no reference to all of it.
    let profile = unsafe { &mut (*Worker::of(worker)).profile };
    if let Ok(site) = usize::try_from(site) {
        let [time, width, bytes] = [time, width, bytes].map(|number| number.max(0) as u64);
        profile.charge(site, Cost { launches: 1, time, width, bytes });
    }
}
