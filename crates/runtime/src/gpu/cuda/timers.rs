//! Pairs of events that say how long a kernel took.

use super::driver::{Driver, Event, Stream};
use crate::gpu::device::Timer;
use crate::gpu::fault::Fault;
use std::ptr::null_mut;

#[derive(Default)]
pub struct Timers {
    pairs: Vec<(Event, Event)>,
    free: Vec<Timer>,
}

impl Timers {
    /// Starts a timer.
    pub fn begin(&mut self, driver: &Driver, stream: Stream) -> Result<Timer, Fault> {
        let timer = match self.free.pop() {
            Some(timer) => timer,
            None => {
                let mut pair = (null_mut(), null_mut());
                // SAFETY: answers are written to variables that live long enough.
                driver.check("make an event", unsafe { (driver.event_create)(&mut pair.0, 0) })?;
                // SAFETY: answers are written to variables that live long enough.
                driver.check("make an event", unsafe { (driver.event_create)(&mut pair.1, 0) })?;
                self.pairs.push(pair);
                Timer(self.pairs.len() - 1)
            }
        };
        // SAFETY: the event was made above or before, and the stream is one of the same context.
        driver.check("record an event", unsafe { (driver.event_record)(self.pairs[timer.0].0, stream) })?;
        Ok(timer)
    }

    pub fn end(&mut self, driver: &Driver, stream: Stream, timer: Timer) -> Result<(), Fault> {
        // SAFETY: the event was made by `begin`, and the stream is one of the same context.
        driver.check("record an event", unsafe { (driver.event_record)(self.pairs[timer.0].1, stream) })
    }

    /// In nanoseconds. The GPU has come past the end.
    pub fn time(&mut self, driver: &Driver, timer: Timer) -> Result<u64, Fault> {
        let (begin, end) = self.pairs[timer.0];
        self.free.push(timer);
        let mut milliseconds = 0f32;
        // SAFETY: answers are written to variables that live long enough.
        let code = unsafe { (driver.event_elapsed)(&mut milliseconds, begin, end) };
        driver.check("measure a time", code)?;
        Ok((f64::from(milliseconds) * 1e6) as u64)
    }

    /// Gives them back, as long as the context is there.
    pub fn free(&mut self, driver: &Driver) {
        for (begin, end) in self.pairs.drain(..) {
            // SAFETY: the events were made by `begin`, and are not used any more.
            unsafe {
                (driver.event_destroy)(begin);
                (driver.event_destroy)(end);
            }
        }
        self.free.clear();
    }
}
