//! What launches cost, by the places in the program they come from, and when a device did what. Measured only when asked for.

use std::sync::OnceLock;
use std::time::Instant;

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

/// Something that a device did, from when to when: nanoseconds of this process, since something was first measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    pub what: What,
    pub begin: u64,
    pub end: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A kernel that was launched at this site.
    Kernel(usize),
    /// So many bytes came from the host, or went there.
    Sent(u64),
    Received(u64),
}

/// What a device has done, by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timeline {
    pub device: String,
    pub events: Vec<Event>,
}

/// The time on the clock of events.
pub fn clock(at: Instant) -> u64 {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    at.saturating_duration_since(*BEGIN.get_or_init(|| at)).as_nanos() as u64
}

/// What has been charged.
#[derive(Default)]
pub struct Profile {
    /// By site.
    costs: Vec<Cost>,
}

impl Cost {
    pub fn add(&mut self, more: Cost) {
        self.launches += more.launches;
        self.time += more.time;
        self.width = self.width.saturating_add(more.width);
        self.bytes = self.bytes.saturating_add(more.bytes);
    }
}

impl Profile {
    pub fn charge(&mut self, site: usize, cost: Cost) {
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
