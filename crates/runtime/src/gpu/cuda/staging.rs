//! Memory of the host that the GPU can reach: where small things wait for their copy.
//!
//! A copy from any other memory may make the host wait until the GPU has come so far. What is written goes
//! through two halves in turns: while the GPU copies from one, the other is filled. What is read goes through a place of its own.

use super::driver::{Driver, Event, Stream};
use crate::gpu::device_error::DeviceError;
use std::ptr::null_mut;
use std::sync::atomic::AtomicU32;

const HALF: usize = 2 << 20;
/// What is larger is read to where it is needed, without a stop in between.
pub const INBOX: usize = 64 << 10;
/// The flag, in a line of its own.
const FLAG: usize = 64;

pub struct Staging {
    /// Two halves, then the inbox, then the flag.
    base: *mut u8,
    /// When the GPU is done with a half.
    done: [Event; 2],
    /// Whether the GPU may still copy from a half that is not the current one.
    waiting: [bool; 2],
    current: usize,
    /// How much of the current half is used.
    used: usize,
}

impl Staging {
    pub fn new(driver: &Driver) -> Result<Staging, DeviceError> {
        let (mut base, mut done) = (null_mut(), [null_mut(); 2]);
        // SAFETY: answers are written to variables that live long enough.
        driver.check("reserve memory of the host", unsafe {
            (driver.alloc_host)(&mut base, 2 * HALF + INBOX + FLAG)
        })?;
        for event in &mut done {
            // SAFETY: answers are written to variables that live long enough.
            driver.check("make an event", unsafe { (driver.event_create)(event, 0) })?;
        }
        Ok(Staging { base: base.cast(), done, waiting: [false; 2], current: 0, used: 0 })
    }

    /// Has bytes copied to the device; they are not needed any more when this returns.
    pub fn write(
        &mut self,
        driver: &Driver,
        stream: Stream,
        to: u64,
        from: &[u8],
    ) -> Result<(), DeviceError> {
        let mut to = to;
        let mut left = from;
        while !left.is_empty() {
            if self.used >= HALF {
                self.turn(driver, stream)?;
            }
            let (piece, rest) = left.split_at(left.len().min(HALF - self.used));
            let place = self.put(piece);
            // SAFETY: what is there stays as it is until the GPU has copied it.
            let code = unsafe { (driver.copy_to_device)(to, place.cast(), piece.len(), stream) };
            driver.check("copy to the device", code)?;
            to += piece.len() as u64;
            left = rest;
        }
        Ok(())
    }

    /// Whether the current half has room for so many bytes.
    pub fn has_room(&self, bytes: usize) -> bool {
        self.used + bytes <= HALF
    }

    /// Bytes for which there is room wait here for their copy.
    pub fn put(&mut self, bytes: &[u8]) -> *const u8 {
        assert!(self.has_room(bytes.len()), "there is no room for what is to be copied");
        // SAFETY: there is room, and nothing is being copied from there.
        let place = unsafe { self.base.add(self.current * HALF + self.used) };
        // SAFETY: the same.
        unsafe { place.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        self.used += bytes.len().next_multiple_of(64);
        place
    }

    /// Goes on with the other half, when the GPU is done with it. All that copies from this one is on its way.
    pub fn turn(&mut self, driver: &Driver, stream: Stream) -> Result<(), DeviceError> {
        // SAFETY: the event was made by `new`, and the stream is one of the same context.
        driver.check("record an event", unsafe { (driver.event_record)(self.done[self.current], stream) })?;
        self.waiting[self.current] = true;
        self.current ^= 1;
        self.used = 0;
        if std::mem::take(&mut self.waiting[self.current]) {
            // SAFETY: the event was made by `new`.
            let code = unsafe { (driver.event_synchronise)(self.done[self.current]) };
            driver.check("copy to the device", code)?;
        }
        Ok(())
    }

    /// The GPU has done everything: all of it is free again.
    pub fn settle(&mut self) {
        self.waiting = [false; 2];
        self.used = 0;
    }

    /// Where what is read arrives.
    pub fn inbox(&mut self) -> *mut u8 {
        // SAFETY: the inbox begins behind the halves, within the same memory.
        unsafe { self.base.add(2 * HALF) }
    }

    /// A word by which the GPU signals the host that something has arrived.
    pub fn flag(&self) -> &AtomicU32 {
        // SAFETY: the flag is behind the inbox, within the same memory, which is as long there as this is. Only whole words are written there.
        unsafe { AtomicU32::from_ptr(self.base.add(2 * HALF + INBOX).cast()) }
    }

    /// Gives it back, as long as the context is there.
    pub fn free(&mut self, driver: &Driver) {
        // SAFETY: events and memory were made by `new`, and are not used any more. If that is refused, nothing needs to be done: the
        // context ends.
        unsafe {
            self.done.iter().for_each(|event| {
                (driver.event_destroy)(*event);
            });
            (driver.free_host)(self.base.cast());
        }
    }
}
