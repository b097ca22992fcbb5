//! The memory of devices in tests, and the device that has it.

use super::device::{Api, Device, Facts, Source};
use super::device_error::DeviceError;
use super::pool::Pool;
use super::queue::Queue;
use super::{Cache, Gpu};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

const START: u64 = 4096;

/// Pieces of memory, by their addresses, which are never the same again.
pub struct MockMemory {
    pieces: BTreeMap<u64, Vec<u8>>,
    next: u64,
}

impl Default for MockMemory {
    fn default() -> MockMemory {
        MockMemory { pieces: BTreeMap::new(), next: START }
    }
}

impl MockMemory {
    /// What is from an address on to the end of its piece.
    pub fn place(&mut self, address: u64) -> &mut [u8] {
        let (begin, bytes) = self.pieces.range_mut(..=address).next_back().expect("an address");
        &mut bytes[(address - begin) as usize..]
    }
}

impl Source for MockMemory {
    fn alloc(&mut self, bytes: u64) -> Result<Option<u64>, DeviceError> {
        let address = self.next;
        self.next += bytes + 256;
        self.pieces.insert(address, vec![0; bytes as usize]);
        Ok(Some(address))
    }

    fn free(&mut self, address: u64) -> Result<(), DeviceError> {
        assert!(self.pieces.remove(&address).is_some(), "freed twice");
        Ok(())
    }
}

/// What such a device is.
pub fn mock_facts(name: &str, memory: u64) -> Facts {
    Facts {
        api: Api::Cuda,
        name: name.into(),
        memory,
        largest: memory,
        shares_memory: false,
        cores: 1,
        groups: 1,
        pool: 0,
        identity: String::new(),
    }
}

/// A GPU that is this device, of which programs may use so much memory.
pub fn mock_gpu(device: impl Device + 'static, memory_limit: u64) -> Arc<Gpu> {
    let facts = device.facts().clone();
    let queue = Queue::new(Box::new(device), Pool::new(memory_limit, 1 << 20), false);
    let cache = Cache::at(&std::env::temp_dir().join("norn-none"));
    Arc::new(Gpu { facts, cache, always_wide: false, is_reproducible: false, queue: Mutex::new(queue) })
}
