//! Large copies between the host and a GPU.
//!
//! A GPU copies from and to memory that is pinned several times as fast as one thread of the host copies, and what programs have is not pinned. So several threads move pieces
//! through pinned memory, each through two slots of its own: while the GPU is busy with one, the thread is with the other.

use super::driver::{Context, Driver, Event, Stream};
use crate::gpu::device_error::DeviceError;
use std::ptr::null_mut;
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::thread;

/// What is smaller is not worth threads. Those that read also share the page faults.
pub const LARGE_TO_WRITE: usize = 6 << 20;
pub const LARGE_TO_READ: usize = 4 << 20;
/// How many bytes a slot has.
const SLOT: usize = 2 << 20;
/// A thread has at least so many bytes.
const LEAST: usize = 512 << 10;
/// More threads would not make it faster.
const MOST_LANES: usize = 8;

pub struct Lanes {
    base: *mut u8,
    lanes: Vec<Lane>,
}

struct Lane {
    slots: [Slot; 2],
}

struct Slot {
    place: *mut u8,
    /// When the GPU has done with it.
    done: Event,
    is_busy: bool,
}

// SAFETY: a slot is used by one thread at a time.
unsafe impl Send for Slot {}

/// What all threads need.
#[derive(Clone, Copy)]
pub struct LaneContext<'a> {
    pub driver: &'a Driver,
    pub context: Context,
    pub stream: Stream,
}

// SAFETY: a context can be used from any thread, and several may ask for copies on one stream.
unsafe impl Send for LaneContext<'_> {}

impl Slot {
    /// Until the GPU has done with it.
    fn wait(&mut self, driver: &Driver) -> Result<(), DeviceError> {
        if !std::mem::take(&mut self.is_busy) {
            return Ok(());
        }
        // SAFETY: the event was made by `new`.
        driver.check("copy", unsafe { (driver.event_synchronise)(self.done) })
    }

    /// The GPU was asked for something.
    fn mark(&mut self, context: LaneContext) -> Result<(), DeviceError> {
        self.is_busy = true;
        // SAFETY: the event was made by `new`, and the stream is one of the same context.
        context
            .driver
            .check("record an event", unsafe { (context.driver.event_record)(self.done, context.stream) })
    }
}

impl Lanes {
    pub fn new(driver: &Driver) -> Result<Lanes, DeviceError> {
        let count = thread::available_parallelism().map_or(1, |count| count.get()).min(MOST_LANES);
        let mut base = null_mut();
        // SAFETY: the answer is written to a variable that lives long enough.
        let code = unsafe { (driver.alloc_host)(&mut base, 2 * count * SLOT) };
        driver.check("reserve memory of the host", code)?;
        let mut lanes = Lanes { base: base.cast(), lanes: Vec::with_capacity(count) };
        for number in 0..count {
            let slot = |which: usize| {
                let mut done = null_mut();
                // SAFETY: the answer is written to a variable that lives long enough.
                driver.check("make an event", unsafe { (driver.event_create)(&mut done, 0) })?;
                // SAFETY: there are two slots for each lane.
                let place = unsafe { lanes.base.add((2 * number + which) * SLOT) };
                Ok(Slot { place, done, is_busy: false })
            };
            let slots = [slot(0)?, slot(1)?];
            lanes.lanes.push(Lane { slots });
        }
        Ok(lanes)
    }

    /// Has bytes copied to the device; they are not needed any more when this returns.
    pub fn write(&mut self, context: LaneContext, to: u64, from: &[u8]) -> Result<(), DeviceError> {
        let bytes = self.bytes_of_piece(from.len());
        let pieces = from.chunks(bytes).enumerate().map(|(i, piece)| (to + (i * bytes) as u64, piece));
        self.each(context, pieces.collect(), |context, lane, pieces| {
            for (i, (to, piece)) in pieces.into_iter().enumerate() {
                let slot = &mut lane.slots[i % 2];
                slot.wait(context.driver)?;
                // SAFETY: the slot has room for a piece, and nobody else uses it now.
                let room = unsafe { from_raw_parts_mut(slot.place, piece.len()) };
                room.copy_from_slice(piece);
                // SAFETY: what is in the slot stays as it is until the event says that it was copied.
                let code = unsafe {
                    (context.driver.copy_to_device)(to, slot.place.cast(), piece.len(), context.stream)
                };
                context.driver.check("copy to the device", code)?;
                slot.mark(context)?;
            }
            Ok(())
        })
    }

    /// Waits for all work that was issued before, and copies from the device.
    pub fn read(&mut self, context: LaneContext, to: &mut [u8], from: u64) -> Result<(), DeviceError> {
        let bytes = self.bytes_of_piece(to.len());
        let pieces = to.chunks_mut(bytes).enumerate().map(|(i, piece)| (from + (i * bytes) as u64, piece));
        self.each(context, pieces.collect(), |context, lane, pieces| {
            let fetch = |slot: &mut Slot, to: Option<&mut [u8]>| {
                slot.wait(context.driver)?;
                if let Some(to) = to {
                    // SAFETY: the slot has so many bytes, which have arrived.
                    to.copy_from_slice(unsafe { from_raw_parts(slot.place, to.len()) });
                }
                Ok(())
            };
            let mut expected: [Option<&mut [u8]>; 2] = [None, None];
            let count = pieces.len();
            for (i, (from, piece)) in pieces.into_iter().enumerate() {
                let slot = &mut lane.slots[i % 2];
                fetch(slot, expected[i % 2].take())?;
                // SAFETY: the slot has room for a piece, and nobody else uses it until the event says that it has arrived.
                let code = unsafe {
                    (context.driver.copy_to_host)(slot.place.cast(), from, piece.len(), context.stream)
                };
                context.driver.check("copy from the device", code)?;
                slot.mark(context)?;
                expected[i % 2] = Some(piece);
            }
            // In the order in which they were issued.
            for i in [count % 2, (count + 1) % 2] {
                fetch(&mut lane.slots[i], expected[i].take())?;
            }
            Ok(())
        })
    }

    /// All lanes have a piece, if there is enough for them.
    fn bytes_of_piece(&self, all: usize) -> usize {
        const PAGE: usize = 4096;
        all.div_ceil(self.lanes.len()).next_multiple_of(PAGE).clamp(LEAST, SLOT)
    }

    /// A thread for each lane does its share of the pieces.
    fn each<P: Send>(
        &mut self,
        context: LaneContext,
        pieces: Vec<P>,
        work: impl Fn(LaneContext, &mut Lane, Vec<P>) -> Result<(), DeviceError> + Sync,
    ) -> Result<(), DeviceError> {
        let count = self.lanes.len().min(pieces.len());
        let mut shares: Vec<Vec<P>> = (0..count).map(|_| Vec::new()).collect();
        pieces.into_iter().enumerate().for_each(|(i, piece)| shares[i % count].push(piece));
        let outcomes = thread::scope(|scope| {
            let begin = |(lane, share)| {
                let work = &work;
                scope.spawn(move || {
                    let context = context;
                    // SAFETY: the context was retained, and is released only when it is not used any more.
                    let code = unsafe { (context.driver.context_make_current)(context.context) };
                    context.driver.check("use the GPU", code)?;
                    work(context, lane, share)
                })
            };
            let threads: Vec<_> = self.lanes.iter_mut().zip(shares).map(begin).collect();
            let joined = threads.into_iter().map(|thread| thread.join());
            joined.collect::<Vec<thread::Result<Result<(), DeviceError>>>>()
        });
        // A thread that panicked has a message of its own.
        outcomes
            .into_iter()
            .try_for_each(|outcome| outcome.unwrap_or_else(|cause| std::panic::resume_unwind(cause)))
    }

    /// Gives it back, as long as the context is there.
    pub fn free(&mut self, driver: &Driver) {
        // SAFETY: events and memory were made by `new`, and are not used any more. If that is refused, nothing needs to be done: the
        // context ends.
        unsafe {
            for slot in self.lanes.iter().flat_map(|lane| &lane.slots) {
                (driver.event_destroy)(slot.done);
            }
            (driver.free_host)(self.base.cast());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::alloc::{Layout, alloc, dealloc};
    use std::ffi::{c_int, c_uint, c_void};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    static EVENTS: AtomicUsize = AtomicUsize::new(0);
    static PINNED: AtomicUsize = AtomicUsize::new(0);

    fn layout(bytes: usize) -> Layout {
        Layout::from_size_align(bytes, 256).unwrap()
    }

    /// A GPU whose memory is that of the host.
    fn driver() -> Driver {
        extern "system" fn reserve(to: *mut *mut c_void, bytes: usize) -> c_int {
            PINNED.store(bytes, Relaxed);
            // SAFETY: it is not empty, and the answer has room.
            unsafe { *to = alloc(layout(bytes)).cast() };
            0
        }
        extern "system" fn free(place: *mut c_void) -> c_int {
            // SAFETY: it was reserved above, once.
            unsafe { dealloc(place.cast(), layout(PINNED.load(Relaxed))) };
            0
        }
        extern "system" fn create(_: *mut Event, _: c_uint) -> c_int {
            EVENTS.fetch_add(1, Relaxed);
            0
        }
        extern "system" fn destroy(_: Event) -> c_int {
            EVENTS.fetch_sub(1, Relaxed);
            0
        }
        extern "system" fn record(_: Event, _: Stream) -> c_int {
            0
        }
        extern "system" fn one(_: *mut c_void) -> c_int {
            0
        }
        extern "system" fn to_device(to: u64, from: *const c_void, bytes: usize, _: Stream) -> c_int {
            // SAFETY: both are places in memory that the test has.
            unsafe { (to as *mut u8).copy_from_nonoverlapping(from.cast(), bytes) };
            0
        }
        extern "system" fn to_host(to: *mut c_void, from: u64, bytes: usize, _: Stream) -> c_int {
            // SAFETY: both are places in memory that the test has.
            unsafe { to.cast::<u8>().copy_from_nonoverlapping(from as *const u8, bytes) };
            0
        }
        Driver {
            alloc_host: reserve,
            free_host: free,
            event_create: create,
            event_destroy: destroy,
            event_record: record,
            event_synchronise: one,
            context_make_current: one,
            copy_to_device: to_device,
            copy_to_host: to_host,
            ..Driver::empty()
        }
    }

    #[test]
    fn all_bytes_arrive() {
        let driver = driver();
        let context = LaneContext { driver: &driver, context: null_mut(), stream: null_mut() };
        let mut lanes = Lanes::new(&driver).unwrap();
        for bytes in
            [0, 1, LEAST + 1, SLOT - 1, SLOT, SLOT + 1, LARGE_TO_READ, LARGE_TO_WRITE + 5, 11 * SLOT + 3]
        {
            let sent: Vec<u8> = (0..bytes).map(|i| (i ^ (i >> 9)) as u8).collect();
            let mut there = vec![0; bytes];
            let mut back = vec![0; bytes];
            let address = there.as_mut_ptr() as u64;
            lanes.write(context, address, &sent).unwrap();
            lanes.read(context, &mut back, address).unwrap();
            assert!(back == sent, "of {bytes}");
        }
        lanes.free(&driver);
        assert_eq!(EVENTS.load(Relaxed), 0);
    }
}
