//! What the host reads of a GPU's memory, and waits for.
//!
//! A few numbers, as a loop's condition, sizes and sums, take a shorter way: kernels of ours write them into memory of the host, and then a flag,
//! which the host looks at all the time. That takes half as long as to ask the driver for a copy and wait for the stream.
//! All else is copied by the driver: small parts to an inbox, which is pinned, large ones by lanes.

use super::Cuda;
use super::device::FEW;
use super::driver::NOT_READY;
use super::lanes::{LARGE_TO_READ, LaneContext, Lanes};
use super::staging::INBOX;
use super::words::Words;
use crate::gpu::device::Part;
use crate::gpu::device_error::DeviceError;
use std::sync::atomic::Ordering;

/// At most so many parts take the shorter way. The last two are written by the kernel that raises the flag, each other by one before that.
const MOST_SMALL: usize = 8;

/// After so many looks at the flag, somebody asks the driver whether all is well.
const LOOKS: u32 = 1 << 14;

/// Brings parts to where they belong that have arrived elsewhere.
fn fetch(parts: &mut [Part], arrived: impl Iterator<Item = (usize, *const u8)>) {
    for (i, place) in arrived {
        let to = &mut parts[i].to;
        // SAFETY: it has arrived, and it is as much as there is room for.
        unsafe { to.as_mut_ptr().copy_from_nonoverlapping(place, to.len()) };
    }
}

impl Cuda {
    /// Copies parts of memory to the host, and waits for all work that was issued before.
    pub(super) fn read_parts(&mut self, parts: &mut [Part]) -> Result<(), DeviceError> {
        if let Some(places) = self.ask(parts)? {
            self.listen("copy from the device")?;
            fetch(parts, places.into_iter().enumerate());
            return Ok(());
        }
        let mut arrived = Vec::with_capacity(parts.len());
        let sent = self.send(parts, &mut arrived);
        let sent = sent.and_then(|()| self.follow());
        // In any case: nothing may be written to parts that are gone.
        self.wait("copy from the device")?;
        sent?;
        fetch(parts, arrived.into_iter());
        Ok(())
    }

    /// Has the GPU copy parts to the inbox and raise the flag, if they are few and small. Returns where each of them arrives.
    fn ask(&mut self, parts: &[Part]) -> Result<Option<Vec<*const u8>>, DeviceError> {
        let is_small = |part: &Part| Words::are_copied(part.to.len() as u64, part.from);
        if parts.len() > MOST_SMALL || !parts.iter().all(is_small) {
            return Ok(None);
        }
        let inbox = self.staging.inbox();
        // SAFETY: the inbox has room for so many small parts.
        let places = (0..parts.len()).map(|i| unsafe { inbox.add(i * INBOX / MOST_SMALL) });
        let places: Vec<*const u8> = places.map(<*mut u8>::cast_const).collect();
        let (others, last) = parts.split_at(parts.len().saturating_sub(2));
        for (Part { from, to }, place) in others.iter().zip(&places) {
            let (kernel, words) = self.words.copy(*place as u64, *from, to.len() as u64);
            self.add(kernel, words.into_iter())?;
        }
        let mut copies = [[0; 3]; 2];
        for (copy, (Part { from, to }, place)) in
            copies.iter_mut().zip(last.iter().zip(&places[others.len()..]))
        {
            *copy = [*place as u64, to.len() as u64 / 4, *from];
        }
        let flag = self.staging.flag();
        flag.store(0, Ordering::Relaxed);
        let (kernel, words) = self.words.send(copies, flag.as_ptr() as u64);
        self.add(kernel, words.into_iter())?;
        self.follow()?;
        Ok(Some(places))
    }

    /// Waits until the flag is raised. A stream that came to its end without that has failed, and the driver reports how.
    fn listen(&mut self, doing: &'static str) -> Result<(), DeviceError> {
        let flag = self.staging.flag();
        let mut looks = 0u32;
        while flag.load(Ordering::Acquire) == 0 {
            looks = looks.wrapping_add(1);
            // SAFETY: the stream is one of the context, which is current.
            if looks.is_multiple_of(LOOKS) && unsafe { (self.driver.stream_query)(self.stream) } != NOT_READY
            {
                return self.wait(doing);
            }
            std::hint::spin_loop();
        }
        self.settle();
        Ok(())
    }

    /// Has parts copied to the host: those that are small to the inbox, from where they have to be fetched.
    fn send(&mut self, parts: &mut [Part], arrived: &mut Vec<(usize, *const u8)>) -> Result<(), DeviceError> {
        let inbox = self.staging.inbox();
        let mut used = 0;
        for (i, Part { from, to }) in parts.iter_mut().enumerate() {
            let staged = to.len() <= INBOX - used;
            // SAFETY: what is used of the inbox is not more than it has.
            let place = if staged { unsafe { inbox.add(used) } } else { to.as_mut_ptr() };
            if staged {
                arrived.push((i, place.cast_const()));
                used = (used + to.len()).next_multiple_of(64).min(INBOX);
            }
            let bytes = to.len() as u64;
            if staged && to.len() <= FEW && Words::are_whole(bytes, *from) {
                let (kernel, words) = self.words.copy(place as u64, *from, bytes);
                self.add(kernel, words.into_iter())?;
                continue;
            }
            self.follow()?;
            if to.len() >= LARGE_TO_READ {
                let (lanes, way) = self.lanes()?;
                lanes.read(way, to, *from)?;
                continue;
            }
            // SAFETY: there is room for so many bytes at the place until the stream was waited for.
            let code = unsafe { (self.driver.copy_to_host)(place.cast(), *from, to.len(), self.stream) };
            self.driver.check("copy from the device", code)?;
        }
        Ok(())
    }

    /// For large copies on the stream.
    pub(super) fn lanes(&mut self) -> Result<(&mut Lanes, LaneContext<'_>), DeviceError> {
        let Cuda { driver, context, stream, lanes, .. } = self;
        let lanes = match lanes {
            Some(lanes) => lanes,
            none => none.insert(Lanes::new(driver)?),
        };
        Ok((lanes, LaneContext { driver, context: *context, stream: *stream }))
    }
}
