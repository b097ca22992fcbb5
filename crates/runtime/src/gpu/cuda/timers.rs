//! Pairs of events that say how long a kernel took.

use super::driver::{Driver, Event, Stream};
use crate::gpu::device::{Timer, Times};
use crate::gpu::device_error::DeviceError;
use std::ptr::null_mut;

#[derive(Default)]
pub struct Timers {
    pairs: Vec<(Event, Event)>,
    free: Vec<Timer>,
    /// From which on times are counted.
    base: Option<Event>,
}

impl Timers {
    /// Starts a timer.
    pub fn begin(&mut self, driver: &Driver, stream: Stream) -> Result<Timer, DeviceError> {
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
        self.base(driver, stream)?;
        // SAFETY: the event was made above or before, and the stream is one of the same context.
        driver.check("record an event", unsafe { (driver.event_record)(self.pairs[timer.0].0, stream) })?;
        Ok(timer)
    }

    /// The event from which on times are counted.
    fn base(&mut self, driver: &Driver, stream: Stream) -> Result<Event, DeviceError> {
        if let Some(base) = self.base {
            return Ok(base);
        }
        let base = recorded(driver, stream)?;
        self.base = Some(base);
        Ok(base)
    }

    /// How many nanoseconds have passed. It waits.
    pub fn clock(&mut self, driver: &Driver, stream: Stream) -> Result<u64, DeviceError> {
        let base = self.base(driver, stream)?;
        let now = recorded(driver, stream)?;
        // SAFETY: the event was just recorded.
        let waited = driver.check("wait", unsafe { (driver.event_synchronise)(now) });
        let passed = waited.and_then(|()| nanoseconds(driver, base, now));
        // SAFETY: the event is not used any more.
        unsafe { (driver.event_destroy)(now) };
        passed
    }

    pub fn end(&mut self, driver: &Driver, stream: Stream, timer: Timer) -> Result<(), DeviceError> {
        // SAFETY: the event was made by `begin`, and the stream is one of the same context.
        driver.check("record an event", unsafe { (driver.event_record)(self.pairs[timer.0].1, stream) })
    }

    /// The GPU has come past the end.
    pub fn time(&mut self, driver: &Driver, timer: Timer) -> Result<Times, DeviceError> {
        let (begin, end) = self.pairs[timer.0];
        self.free.push(timer);
        // What is measured from the base on is less exact, the longer ago that is.
        let duration = nanoseconds(driver, begin, end)?;
        let begin = self.base.map_or(Ok(0), |base| nanoseconds(driver, base, begin))?;
        Ok(Times { begin, end: begin + duration })
    }

    /// Gives them back, as long as the context is there.
    pub fn free(&mut self, driver: &Driver) {
        if let Some(base) = self.base.take() {
            // SAFETY: the event was made by `base`, and is not used any more.
            unsafe { (driver.event_destroy)(base) };
        }
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

/// A new event that the stream comes past.
fn recorded(driver: &Driver, stream: Stream) -> Result<Event, DeviceError> {
    let mut event = null_mut();
    // SAFETY: the answer is written to a variable that lives long enough.
    driver.check("make an event", unsafe { (driver.event_create)(&mut event, 0) })?;
    // SAFETY: the event was just made, and the stream is one of the same context.
    driver.check("record an event", unsafe { (driver.event_record)(event, stream) })?;
    Ok(event)
}

/// Between two events that the stream has come past.
fn nanoseconds(driver: &Driver, begin: Event, end: Event) -> Result<u64, DeviceError> {
    let mut milliseconds = 0f32;
    // SAFETY: the answer is written to a variable that lives long enough.
    let code = unsafe { (driver.event_elapsed)(&mut milliseconds, begin, end) };
    driver.check("measure a time", code)?;
    Ok((f64::from(milliseconds) * 1e6) as u64)
}
