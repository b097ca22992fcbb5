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
                driver.check("make an event", unsafe { (driver.event_create)(&mut pair.0, 0) })?;
                driver.check("make an event", unsafe { (driver.event_create)(&mut pair.1, 0) })?;
                self.pairs.push(pair);
                Timer(self.pairs.len() - 1)
            }
        };
        driver.check("record an event", unsafe { (driver.event_record)(self.pairs[timer.0].0, stream) })?;
        Ok(timer)
    }

    pub fn end(&mut self, driver: &Driver, stream: Stream, timer: Timer) -> Result<(), Fault> {
        driver.check("record an event", unsafe { (driver.event_record)(self.pairs[timer.0].1, stream) })
    }

    /// In nanoseconds. The GPU has come past the end.
    pub fn time(&mut self, driver: &Driver, timer: Timer) -> Result<u64, Fault> {
        let (begin, end) = self.pairs[timer.0];
        self.free.push(timer);
        let mut milliseconds = 0f32;
        let code = unsafe { (driver.event_elapsed)(&mut milliseconds, begin, end) };
        driver.check("measure a time", code)?;
        Ok((f64::from(milliseconds) * 1e6) as u64)
    }

    /// Gives them back, as long as the context is there.
    pub fn free(&mut self, driver: &Driver) {
        for (begin, end) in self.pairs.drain(..) {
            unsafe {
                (driver.event_destroy)(begin);
                (driver.event_destroy)(end);
            }
        }
        self.free.clear();
    }
}
