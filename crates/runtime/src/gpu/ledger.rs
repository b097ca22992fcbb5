//! What a program has done on a device: always how much, and on demand how long its kernels took.

use super::device::{Device, Timer};
use super::device_error::DeviceError;
use crate::profile::{Cost, Event, Profile, What, clock};
use crate::schedule::SizedTask;
use std::time::Instant;

/// So many timers may run; then somebody has to wait and read them.
const MOST_TIMERS: usize = 4096;

/// So many events are kept for a timeline.
const MOST_EVENTS: usize = 20_000;

/// How much a program asked of a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traffic {
    pub launches: u64,
    /// How often the host waited for the device.
    pub waits: u64,
    pub bytes_to_device: u64,
    pub bytes_from_device: u64,
    pub memory: MemoryTraffic,
}

/// What became of memory that kernels allocate from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MemoryTraffic {
    /// How many regions of the host were on the device, and the bytes of cells in the largest.
    pub regions: u64,
    pub largest_region: u64,
    /// Cells, which count in the bytes of all that was moved, too.
    pub cells_to_device: u64,
    pub cells_from_device: u64,
    /// Those of them that were moved in large pieces, while launches were timed.
    pub timed_to_device: Moved,
    pub timed_from_device: Moved,
    /// The bytes of the heap, if kernels used it.
    pub heap: u64,
    /// How often a region or the heap was too small, and how many launches were done again.
    pub enlarged: u64,
    pub repeated: u64,
}

/// Bytes, and the nanoseconds that it took to move them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moved {
    pub bytes: u64,
    pub time: u64,
}

impl Moved {
    /// Notes that so many bytes were moved since then.
    pub fn add(&mut self, bytes: usize, since: Instant) {
        self.bytes += bytes as u64;
        self.time += since.elapsed().as_nanos() as u64;
    }
}

#[derive(Default)]
pub struct Ledger {
    pub traffic: Traffic,
    /// Whether launches are timed.
    pub timing: bool,
    running: Vec<Timed>,
    profile: Profile,
    events: Vec<Event>,
    /// What the clock of the device shows when that of events begins, once something is timed.
    ahead: Option<i64>,
    /// The part of a task to which launches belong from now on, if its time is measured.
    pub part: Option<PartOfTask>,
    measured: Vec<(PartOfTask, u64)>,
}

/// A part of a task that works on about so many elements, in one of its runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartOfTask {
    pub task: SizedTask,
    pub run: u64,
    pub part: usize,
    pub elements: u64,
}

/// A launch whose time is not known yet.
struct Timed {
    site: usize,
    timer: Timer,
    width: u64,
    bytes: u64,
    /// Whether it is charged to its site.
    is_charged: bool,
    part: Option<PartOfTask>,
}

impl Ledger {
    /// Whether a launch is to be timed.
    pub fn wants_times(&self) -> bool {
        self.timing || self.part.is_some()
    }

    /// How many nanoseconds each part has taken that is done, since the last call.
    pub fn take_measured(&mut self) -> Vec<(PartOfTask, u64)> {
        std::mem::take(&mut self.measured)
    }

    /// Notes that a launch from a site is under way. Returns whether it is time to wait.
    pub fn begin(&mut self, site: i32, timer: Option<Timer>, width: u64, bytes: u64) -> bool {
        self.traffic.launches += 1;
        if let Some(timer) = timer {
            let (site, is_charged, part) = (usize::try_from(site).unwrap_or(0), self.timing, self.part);
            self.running.push(Timed { site, timer, width, bytes, is_charged, part });
        }
        self.running.len() >= MOST_TIMERS
    }

    /// Charges the launches that are under way. The device has done them all.
    pub fn charge(&mut self, device: &mut dyn Device) -> Result<(), DeviceError> {
        for Timed { site, timer, width, bytes, is_charged, part } in std::mem::take(&mut self.running) {
            let times = device.time(timer)?;
            let time = times.duration();
            if is_charged {
                let begin = times.begin.saturating_add_signed(self.ahead.unwrap_or(0).saturating_neg());
                self.note_event(What::Kernel(site), begin, begin + time);
                self.profile.charge(site, Cost { launches: 1, time, width, bytes });
            }
            part.into_iter().for_each(|part| self.measure(part, time));
        }
        Ok(())
    }

    fn measure(&mut self, part: PartOfTask, time: u64) {
        match self.measured.iter_mut().find(|(other, _)| *other == part) {
            Some((_, all)) => *all += time,
            None => self.measured.push((part, time)),
        }
    }

    /// A part was done by the processor until now, without a launch here.
    pub fn note_part(&mut self, part: PartOfTask, is_measured: bool, begun: Instant) {
        if self.timing {
            self.note_move(What::Kernel(usize::try_from(part.task.task).unwrap_or(0)), begun);
        }
        if is_measured {
            self.measure(part, begun.elapsed().as_nanos() as u64);
        }
    }

    /// Before a launch that is timed: how the clock of the device goes.
    pub fn compare_clocks(&mut self, device: &mut dyn Device) -> Result<(), DeviceError> {
        if self.timing && self.ahead.is_none() {
            let there = device.clock()?;
            self.ahead = Some((there as i64).wrapping_sub(clock(Instant::now()) as i64));
        }
        Ok(())
    }

    fn note_event(&mut self, what: What, begin: u64, end: u64) {
        if self.events.len() < MOST_EVENTS {
            self.events.push(Event { what, begin, end });
        }
    }

    /// Bytes were moved until now.
    pub fn note_move(&mut self, what: What, begun: Instant) {
        self.note_event(what, clock(begun), clock(Instant::now()));
    }

    /// Since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Notes that a region has so many words now; whether the device did not have it before.
    pub fn note_region(&mut self, words: u64, is_new: bool) {
        let memory = &mut self.traffic.memory;
        memory.regions += u64::from(is_new);
        memory.largest_region = memory.largest_region.max(8 * words);
    }

    /// Forgets the launches that are under way: the device has lost them.
    pub fn forget_running(&mut self) {
        self.running.clear();
    }

    /// By site, since the last call.
    pub fn take_profile(&mut self) -> Vec<Cost> {
        self.profile.take()
    }

    /// Since the last call.
    pub fn take_traffic(&mut self) -> Traffic {
        std::mem::take(&mut self.traffic)
    }
}
