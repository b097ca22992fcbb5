//! The processor as one of the devices that work for a program: its memory is the host's, so that moving something to it is copying, and what the host's own threads read there is at
//! its address.
//!
//! It has no kernels. What it does of a task, the host's program does for it (`device_here` in rts/cpu/abi.h), as soon as it is asked to: nothing is ever under way here.

use super::device::{Api, Device, Facts, Launch, ModuleId, Part, Source, Timer, Times};
use super::device_error::DeviceError;
use super::module::Kernel;
use crate::RuntimeError;
use crate::available::available;
use crate::profile::clock;
use std::alloc::{Layout, alloc, dealloc};
use std::collections::HashMap;
use std::ptr::{copy_nonoverlapping, write_bytes};
use std::time::Instant;

const ALIGN: usize = 256;

pub struct Processor {
    facts: Facts,
    /// What was allocated, by addresses.
    pieces: HashMap<u64, Layout>,
}

impl Processor {
    pub fn new() -> Processor {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        let memory = available().unwrap_or(1 << 40);
        let facts = Facts {
            api: Api::Processor,
            name: "processor".into(),
            memory,
            largest: memory,
            shares_memory: true,
            cores,
            groups: 0,
            pool: 0,
            identity: format!("processor {cores}"),
        };
        Processor { facts, pieces: HashMap::new() }
    }
}

impl Source for Processor {
    fn alloc(&mut self, bytes: u64) -> Result<Option<u64>, DeviceError> {
        let layout =
            usize::try_from(bytes.max(1)).ok().and_then(|bytes| Layout::from_size_align(bytes, ALIGN).ok());
        let Some(layout) = layout else { return Ok(None) };
        // SAFETY: the layout has at least one byte.
        let address = unsafe { alloc(layout) } as u64;
        if address == 0 {
            return Ok(None);
        }
        self.pieces.insert(address, layout);
        Ok(Some(address))
    }

    fn free(&mut self, address: u64) -> Result<(), DeviceError> {
        if let Some(layout) = self.pieces.remove(&address) {
            // SAFETY: it was allocated with this layout, and is not any more among those that were.
            unsafe { dealloc(address as *mut u8, layout) };
        }
        Ok(())
    }
}

impl Drop for Processor {
    fn drop(&mut self) {
        for (address, layout) in self.pieces.drain() {
            // SAFETY: it was allocated with this layout, and nobody has freed it.
            unsafe { dealloc(address as *mut u8, layout) };
        }
    }
}

// Whoever asks for a place in its memory has it from `alloc`, with offsets within the piece: so all places that are written and read here exist, as with any device.
impl Device for Processor {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn write(&mut self, to: u64, from: &[u8]) -> Result<(), DeviceError> {
        // SAFETY: the place has so many bytes (see above), and is not what is copied from, which is borrowed.
        unsafe { copy_nonoverlapping(from.as_ptr(), to as *mut u8, from.len()) };
        Ok(())
    }

    fn interrupt(&mut self, to: u64, from: &[u8]) -> Result<(), DeviceError> {
        self.write(to, from)
    }

    fn read(&mut self, parts: &mut [Part]) -> Result<(), DeviceError> {
        for Part { from, to } in parts {
            // SAFETY: the place has so many bytes (see above), and is not what is copied to, which is borrowed.
            unsafe { copy_nonoverlapping(*from as *const u8, to.as_mut_ptr(), to.len()) };
        }
        Ok(())
    }

    fn copy(&mut self, to: u64, from: u64, bytes: u64) -> Result<(), DeviceError> {
        // SAFETY: both places have so many bytes (see above), and do not overlap, unless they are the same, which nobody copies.
        unsafe { copy_nonoverlapping(from as *const u8, to as *mut u8, bytes as usize) };
        Ok(())
    }

    fn fill(&mut self, to: u64, byte: u8, bytes: u64) -> Result<(), DeviceError> {
        // SAFETY: the place has so many bytes (see above).
        unsafe { write_bytes(to as *mut u8, byte, bytes as usize) };
        Ok(())
    }

    fn synchronise(&mut self) -> Result<(), DeviceError> {
        Ok(())
    }

    fn compile(&mut self, texts: &[String]) -> Vec<Result<Vec<u8>, RuntimeError>> {
        texts.iter().map(|_| Ok(Vec::new())).collect()
    }

    fn load(&mut self, _binary: &[u8], _kernels: &[Kernel]) -> Result<ModuleId, RuntimeError> {
        Ok(ModuleId(0))
    }

    fn unload(&mut self, _module: ModuleId) {}

    fn launch(&mut self, _launch: &Launch) -> Result<Option<Timer>, DeviceError> {
        panic!("the processor has no kernels")
    }

    fn time(&mut self, _timer: Timer) -> Result<Times, DeviceError> {
        Ok(Times::default())
    }

    fn clock(&mut self) -> Result<u64, DeviceError> {
        Ok(clock(Instant::now()))
    }

    fn reset(&mut self) -> Result<(), RuntimeError> {
        Ok(())
    }
}
