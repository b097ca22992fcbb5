//! What launches cost, by the places in the program they come from. Measured only when asked for.

use super::abi;
use super::worker::Worker;
use std::sync::OnceLock;
use std::time::Instant;

/// What one thread has been charged.
#[derive(Default)]
pub struct Profile {
    /// By site.
    costs: Vec<Cost>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Cost {
    pub launches: u64,
    /// Nanoseconds from beginning to end of the launches.
    pub time: u64,
    /// The sum of the widths of the launches.
    pub width: u64,
    /// The sum of the sizes of the blocks that each could reach.
    pub bytes: u64,
}

impl Profile {
    fn charge(&mut self, site: usize, cost: Cost) {
        if self.costs.len() <= site {
            self.costs.resize(site + 1, Cost::default());
        }
        self.costs[site].add(cost);
    }

    /// What was charged, which is then forgotten.
    pub fn take(&mut self) -> Vec<Cost> {
        std::mem::take(&mut self.costs)
    }
}

impl Cost {
    pub fn add(&mut self, more: Cost) {
        self.launches += more.launches;
        self.time += more.time;
        self.width = self.width.saturating_add(more.width);
        self.bytes = self.bytes.saturating_add(more.bytes);
    }
}

/// A time in nanoseconds.
pub unsafe extern "C" fn now() -> i64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as i64
}

/// Charges a launch that began at a time to a site.
///
/// # Safety
/// The worker is that of this thread.
pub unsafe extern "C" fn charge(worker: *mut abi::Worker, site: i32, begin: i64, width: i64, bytes: i64) {
    let time = unsafe { now() } - begin;
    let worker = unsafe { &mut *Worker::of(worker) };
    if let Ok(site) = usize::try_from(site) {
        let [time, width, bytes] = [time, width, bytes].map(|number| number.max(0) as u64);
        worker.profile.charge(site, Cost { launches: 1, time, width, bytes });
    }
}
