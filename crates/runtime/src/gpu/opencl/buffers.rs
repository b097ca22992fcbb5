//! Addresses for OpenCL's buffers, which have none.
//!
//! Programs calculate with addresses. So each buffer gets some, which are never used again, and an address is translated back
//! to its buffer and an offset when it reaches OpenCL. Between buffers many addresses are left out: a program may calculate with where
//! the first element of something would be, so one that is in front of a buffer, or behind it, still leads to that.

use super::api::Mem;
use crate::gpu::device_error::DeviceError;
use std::collections::BTreeMap;

const ALIGNMENT: u64 = 256;
/// How far from a buffer its addresses go.
const GAP: u64 = 1 << 40;

pub struct Buffers {
    next: u64,
    /// With their sizes, by their first address.
    buffers: BTreeMap<u64, (Mem, u64)>,
}

impl Buffers {
    pub fn new() -> Buffers {
        Buffers { next: GAP, buffers: BTreeMap::new() }
    }

    pub fn add(&mut self, buffer: Mem, bytes: u64) -> u64 {
        let address = self.next;
        self.next += bytes.next_multiple_of(ALIGNMENT) + 2 * GAP;
        self.buffers.insert(address, (buffer, bytes));
        address
    }

    pub fn remove(&mut self, address: u64) -> Option<Mem> {
        self.buffers.remove(&address).map(|(buffer, _)| buffer)
    }

    /// The buffer in which an address lies, and how far behind its beginning.
    pub fn find(&self, doing: &'static str, address: u64) -> Result<(Mem, u64), DeviceError> {
        let found = self.buffers.range(..=address).next_back();
        match found {
            Some((begin, (buffer, bytes))) if address - begin <= *bytes => Ok((*buffer, address - begin)),
            Some(_) | None => Err(DeviceError::refused(doing, format!("nothing is at address {address:#x}"))),
        }
    }

    /// The buffer to which an address leads, and how far that is from its beginning.
    pub fn near(&self, doing: &'static str, address: u64) -> Result<(Mem, i64), DeviceError> {
        let found = self.buffers.range(..address.saturating_add(GAP)).next_back();
        match found {
            Some((begin, (buffer, bytes))) if address < begin + bytes + GAP => {
                Ok((*buffer, address.wrapping_sub(*begin) as i64))
            }
            Some(_) | None => {
                Err(DeviceError::refused(doing, format!("nothing is near address {address:#x}")))
            }
        }
    }

    pub fn take_all(&mut self) -> impl Iterator<Item = Mem> {
        std::mem::take(&mut self.buffers).into_values().map(|(buffer, _)| buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_back_to_their_buffers() {
        let mut buffers = Buffers::new();
        let sizes = [256, 1024, 5, 4096];
        let all: Vec<(u64, Mem)> = sizes
            .iter()
            .enumerate()
            .map(|(i, bytes)| {
                let handle = (i + 1) as Mem;
                (buffers.add(handle, *bytes), handle)
            })
            .collect();
        for ((address, handle), bytes) in all.iter().zip(sizes) {
            assert_eq!(address % ALIGNMENT, 0);
            for offset in [0, 1, bytes] {
                assert_eq!(buffers.find("", address + offset), Ok((*handle, offset)));
            }
            assert!(buffers.find("", address + bytes + 1).is_err());
            assert!(buffers.find("", address - 1).is_err());
            assert_eq!(buffers.near("", address - 1000), Ok((*handle, -1000)));
            assert_eq!(buffers.near("", address + bytes + 1000), Ok((*handle, (bytes + 1000) as i64)));
        }
        assert!(buffers.find("", 0).is_err());
        assert_eq!(buffers.remove(all[1].0), Some(all[1].1));
        assert!(buffers.find("", all[1].0).is_err());
        assert!(buffers.add(all[1].1, 1) > all[3].0, "no address is used again");
        assert_eq!(buffers.take_all().count(), 4);
    }
}
