//! The memory of a device: how much may be used, how much is, and pieces that can be used again.
//!
//! Asking a driver for memory takes longer than most kernels, and giving it back waits for all of them. So what a program gives
//! back is kept, and goes to the driver only where it would stand in the way of something else: when the
//! limit is reached, or the driver has nothing left. There are eight sizes for each power of two, so that
//! pieces fit requests that differ a little. A thread that asks the driver is not busy: it waits for the device.

use super::at_work;
use super::device::Source;
use super::device_error::DeviceError;
use std::collections::BTreeMap;

const LEAST: u64 = 256;

#[derive(Default)]
pub struct Pool {
    /// The most bytes in use.
    limit: u64,
    /// The most bytes that are kept for later.
    most_spare: u64,
    /// Sizes by address.
    used: BTreeMap<u64, u64>,
    live: u64,
    peak: u64,
    /// Addresses by size, the last given back at the end.
    spare: BTreeMap<u64, Vec<u64>>,
    spare_bytes: u64,
}

/// A piece of a device's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    pub address: u64,
    /// Perhaps more than was asked for.
    pub bytes: u64,
}

impl Pool {
    pub fn new(limit: u64, most_spare: u64) -> Pool {
        Pool { limit, most_spare, ..Pool::default() }
    }

    pub fn limit(&self) -> u64 {
        self.limit
    }

    pub fn live(&self) -> u64 {
        self.live
    }

    /// The most bytes that were in use at a time since `reset_peak`.
    pub fn peak(&self) -> u64 {
        self.peak
    }

    pub fn reset_peak(&mut self) {
        self.peak = self.live;
    }

    /// At least so many bytes, or none where that is too much.
    pub fn obtain(&mut self, source: &mut dyn Source, bytes: u64) -> Result<Option<Piece>, DeviceError> {
        let Some(size) = size_class(bytes).filter(|size| *size <= self.limit.saturating_sub(self.live))
        else {
            return Ok(None);
        };
        if let Some(piece) = self.take_spare(size) {
            return Ok(Some(self.use_piece(piece)));
        }
        self.shrink(source, self.limit - self.live - size)?;
        let mut address = at_work::waiting(|| source.alloc(size))?;
        if address.is_none() && self.spare_bytes > 0 {
            self.shrink(source, 0)?;
            address = at_work::waiting(|| source.alloc(size))?;
        }
        Ok(address.map(|address| self.use_piece(Piece { address, bytes: size })))
    }

    /// Takes back what was obtained. An address that was not is ignored.
    pub fn give_back(&mut self, source: &mut dyn Source, address: u64) -> Result<(), DeviceError> {
        let Some(bytes) = self.used.remove(&address) else { return Ok(()) };
        self.live -= bytes;
        self.spare.entry(bytes).or_default().push(address);
        self.spare_bytes += bytes;
        self.shrink(source, self.most_spare)
    }

    /// Gives what is kept back to the driver, until no more than this is left. Large pieces go first: they are fewest.
    pub fn shrink(&mut self, source: &mut dyn Source, most: u64) -> Result<(), DeviceError> {
        while self.spare_bytes > most {
            let Some(mut largest) = self.spare.last_entry() else { break };
            let (bytes, address) = (*largest.key(), largest.get_mut().pop());
            if largest.get().is_empty() {
                largest.remove();
            }
            if let Some(address) = address {
                self.spare_bytes -= bytes;
                at_work::waiting(|| source.free(address))?;
            }
        }
        Ok(())
    }

    /// The piece in which an address lies.
    pub fn piece_at(&self, address: u64) -> Option<Piece> {
        let (&begin, &bytes) = self.used.range(..=address).next_back()?;
        (address - begin < bytes).then_some(Piece { address: begin, bytes })
    }

    /// Forgets all pieces: the device has lost them.
    pub fn clear(&mut self) {
        *self = Pool::new(self.limit, self.most_spare);
    }

    /// One that is not larger by more than a quarter; of equal ones the last, which is most likely still in a cache.
    fn take_spare(&mut self, size: u64) -> Option<Piece> {
        let most = size.saturating_add(size / 4).min(self.limit - self.live);
        let (&bytes, addresses) = self.spare.range_mut(size..=most).next()?;
        let address = addresses.pop()?;
        if addresses.is_empty() {
            self.spare.remove(&bytes);
        }
        self.spare_bytes -= bytes;
        Some(Piece { address, bytes })
    }

    fn use_piece(&mut self, piece: Piece) -> Piece {
        self.used.insert(piece.address, piece.bytes);
        self.live += piece.bytes;
        self.peak = self.peak.max(self.live);
        piece
    }
}

/// What is allocated when so many bytes are needed; none if no number is large enough.
fn size_class(bytes: u64) -> Option<u64> {
    let bytes = bytes.max(LEAST);
    let step = (1 << bytes.ilog2()) / 8;
    bytes.checked_next_multiple_of(step.max(LEAST))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Has so many bytes, and never gives an address twice.
    struct Few {
        left: u64,
        next: u64,
        sizes: BTreeMap<u64, u64>,
    }

    impl Few {
        fn new(left: u64) -> Few {
            Few { left, next: 4096, sizes: BTreeMap::new() }
        }
    }

    impl Source for Few {
        fn alloc(&mut self, bytes: u64) -> Result<Option<u64>, DeviceError> {
            let Some(left) = self.left.checked_sub(bytes) else { return Ok(None) };
            self.left = left;
            self.next += bytes + LEAST;
            self.sizes.insert(self.next, bytes);
            Ok(Some(self.next))
        }

        fn free(&mut self, address: u64) -> Result<(), DeviceError> {
            self.left += self.sizes.remove(&address).expect("an address that was given");
            Ok(())
        }
    }

    fn obtain(pool: &mut Pool, few: &mut Few, bytes: u64) -> Option<Piece> {
        pool.obtain(few, bytes).expect("no fault")
    }

    #[test]
    fn sizes_waste_little() {
        for bytes in [0, 1, 255, 256, 257, 1000, 5000, 123_456, 1 << 30, (1 << 40) + 1] {
            let size = size_class(bytes).expect("a size");
            assert!(size >= bytes && size.is_multiple_of(LEAST));
            assert!(size <= bytes + (bytes / 8).max(LEAST), "{bytes}: {size}");
            assert_eq!(size_class(size), Some(size));
        }
        assert_eq!(size_class(u64::MAX), None);
    }

    #[test]
    fn what_is_given_back_is_used_again() {
        let (mut pool, mut few) = (Pool::new(1 << 20, 1 << 20), Few::new(1 << 20));
        let first = obtain(&mut pool, &mut few, 10_000).expect("memory");
        assert_eq!((pool.live(), pool.piece_at(first.address + 9_999)), (first.bytes, Some(first)));
        pool.give_back(&mut few, first.address).expect("no fault");
        assert_eq!((pool.live(), pool.peak(), pool.piece_at(first.address)), (0, first.bytes, None));
        assert_eq!(obtain(&mut pool, &mut few, 9_500), Some(first));
        assert_ne!(obtain(&mut pool, &mut few, 9_500), Some(first));
        pool.give_back(&mut few, 1).expect("no fault");
    }

    #[test]
    fn what_is_kept_goes_before_anything_is_refused() {
        // The driver refuses first, then the limit.
        for (limit, there) in [(1 << 30, 1 << 20), (1 << 20, 1 << 30)] {
            let (mut pool, mut few) = (Pool::new(limit, limit), Few::new(there));
            for _ in 0..3 {
                let pieces: Vec<Piece> =
                    (0..4).map(|_| obtain(&mut pool, &mut few, 1 << 18).expect("memory")).collect();
                assert_eq!(obtain(&mut pool, &mut few, 1), None);
                pieces.iter().for_each(|piece| pool.give_back(&mut few, piece.address).expect("no fault"));
                let all = obtain(&mut pool, &mut few, 1 << 20).expect("memory");
                pool.give_back(&mut few, all.address).expect("no fault");
            }
            assert_eq!(obtain(&mut pool, &mut few, (1 << 20) + 1), None);
            assert_eq!((pool.live(), pool.peak()), (0, 1 << 20));
        }
    }

    #[test]
    fn no_more_is_kept_than_allowed() {
        let (mut pool, mut few) = (Pool::new(1 << 20, 5000), Few::new(1 << 20));
        let pieces: Vec<Piece> = (0..8).map(|_| obtain(&mut pool, &mut few, 1024).expect("memory")).collect();
        pieces.iter().for_each(|piece| pool.give_back(&mut few, piece.address).expect("no fault"));
        assert_eq!(few.sizes.len(), 4);
    }
}
