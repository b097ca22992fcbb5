//! A visit to a program: memory can be had, and entry points called.

use super::abi::{Block, DONE, Region};
use super::blocks::{self, Detached, OwnedBlock};
use super::device::{self, no_gpu};
use super::library::Library;
use super::regions;
use super::stop::Stop;
use super::worker::{Shared, Worker};
use crate::gpu::{Halt, Program};
use std::time::{Duration, Instant};

/// What can be done with a program, on a thread that can run it.
pub struct Session<'a> {
    pub(super) library: &'a Library,
    pub(super) shared: &'a Shared,
    pub(super) worker: *mut Worker,
}

impl Session<'_> {
    /// Calls an entry point, and returns how long it took. After a failure, all memory of the program is free, what this session
    /// obtained included.
    ///
    /// # Safety
    /// Arguments and room for results are what the entry point wants.
    pub unsafe fn call(&mut self, entry: usize, args: &[u64], results: &mut [u64]) -> Result<Duration, Stop> {
        let entry = self.library.entry(entry);
        self.shared.reset_run();
        self.shared.gpu.iter().for_each(|program| program.select(0));
        let begin = Instant::now();
        // SAFETY: the caller promises that arguments and results are what the entry point wants; the worker is that of this thread.
        let ended = unsafe { entry(self.worker.cast(), args.as_ptr(), results.as_mut_ptr()) };
        let ended = device::finish(self.shared, ended);
        self.shared.resume_panic();
        let time = begin.elapsed();
        if ended == DONE {
            return Ok(time);
        }
        // All code of the program has ended.
        let stop = Stop::of(self.shared);
        self.shared.clean_up();
        Err(stop)
    }

    /// A block of at least so many bytes, held once; none if there is no memory.
    pub fn alloc(&mut self, bytes: usize) -> Option<*mut Block> {
        // SAFETY: the worker of a session is that of its thread.
        let block = unsafe { blocks::alloc(self.worker.cast(), i64::try_from(bytes).ok()?) };
        (!block.is_null()).then_some(block)
    }

    /// One holder less.
    ///
    /// # Safety
    /// The block is held, or null.
    pub unsafe fn release(&mut self, block: *mut Block) {
        // SAFETY: the worker of a session is that of its thread, and the caller promises that the block is held or null.
        unsafe { blocks::release(self.worker.cast(), block) };
    }

    /// Takes a block from the program, if this session is its only holder and it is not small.
    ///
    /// # Safety
    /// The block is held, or null.
    pub unsafe fn detach(&mut self, block: *mut Block) -> Option<Detached> {
        // SAFETY: the worker of a session is that of its thread, and the caller promises that the block is held or null.
        unsafe { blocks::detach(self.worker.cast(), block) }
    }

    /// Gives a block to the program, held once; None if that cannot be.
    ///
    /// # Safety
    /// Nobody else uses what is in it.
    pub unsafe fn adopt(&mut self, block: &OwnedBlock) -> Option<*mut Block> {
        // SAFETY: the worker of a session is that of its thread; the rest is what the caller promises.
        unsafe { blocks::adopt(self.worker.cast(), block) }
    }

    /// Gives memory on the GPU to the program, held once; None if there is no memory for what describes it.
    ///
    /// # Safety
    /// The program has obtained so many bytes there, and nobody else uses them or gives them back.
    pub unsafe fn adopt_remote(&mut self, address: u64, bytes: u64) -> Option<*mut Block> {
        // SAFETY: the worker of a session is that of its thread; the rest is what the caller promises.
        let block = unsafe { blocks::alloc_remote(self.worker.cast(), address, bytes) };
        (!block.is_null()).then_some(block)
    }

    /// A block of at least so many bytes on the GPU, held once; none if there is no memory. Released as all blocks.
    pub fn device_alloc(&mut self, bytes: usize) -> Result<Option<*mut Block>, Stop> {
        let Some(piece) = self.gpu()?.obtain(bytes as u64).map_err(Stop::of_trouble)? else {
            return Ok(None);
        };
        // SAFETY: the worker of a session is that of its thread, and the piece was just obtained.
        let block = unsafe { blocks::alloc_remote(self.worker.cast(), piece.address, piece.bytes) };
        if block.is_null() {
            self.gpu()?.give_back(piece.address);
        }
        Ok((!block.is_null()).then_some(block))
    }

    /// Copies to an address of the GPU. The bytes may be changed when it returns.
    ///
    /// # Safety
    /// There is room for them.
    pub unsafe fn upload(&mut self, to: u64, from: &[u8]) -> Result<(), Stop> {
        self.gpu()?.write(to, from).map_err(between_calls)
    }

    /// The same, but what is lent is copied when it is read, if it has to be.
    ///
    /// # Safety
    /// There is room for them, and they are there and stay as they are until `Program::end_lending`.
    pub unsafe fn lend(&mut self, to: u64, from: &[u8]) -> Result<(), Stop> {
        // SAFETY: as the caller promises.
        unsafe { self.gpu()?.lend(to, from) }.map_err(between_calls)
    }

    /// Copies from an address of the GPU, when everything before is done.
    ///
    /// # Safety
    /// So many bytes are there.
    pub unsafe fn download(&mut self, to: &mut [u8], from: u64) -> Result<(), Stop> {
        self.gpu()?.read(to, from).map_err(between_calls)
    }

    fn gpu(&self) -> Result<&Program, Stop> {
        self.shared.gpu.as_deref().ok_or_else(|| Stop::of_trouble(no_gpu()))
    }

    pub fn region_new(&mut self) -> Option<*mut Region> {
        // SAFETY: the worker of a session is that of its thread.
        let region = unsafe { regions::region_new(self.worker.cast()) };
        (!region.is_null()).then_some(region)
    }

    /// # Safety
    /// The region exists, and is not used any more.
    pub unsafe fn region_end(&mut self, region: *mut Region) {
        // SAFETY: the worker of a session is that of its thread, and the caller promises that nobody uses the region any more.
        unsafe { regions::region_end(self.worker.cast(), region) };
    }

    /// A new cell of so many words, not initialised.
    ///
    /// # Safety
    /// The region exists.
    pub unsafe fn cell_new(&mut self, region: *mut Region, words: u64) -> Option<u32> {
        // SAFETY: the worker of a session is that of its thread, and the region exists, as the caller promises.
        unsafe { regions::cell_new(self.worker, region, words) }
    }

    /// The first word of a cell.
    ///
    /// # Safety
    /// The cell is one of the region, which exists.
    pub unsafe fn cell(&self, region: *mut Region, cell: u32) -> *mut u64 {
        // SAFETY: the cell is one of the region, which exists, as the caller promises.
        unsafe { regions::cell(region, cell) }
    }

    /// Frees what a session obtained that cannot go on.
    pub fn abandon(&mut self) {
        self.shared.clean_up();
    }
}

/// `call` waits for all kernels, and reports their failures.
fn between_calls(halt: Halt) -> Stop {
    match halt {
        Halt::Trouble(trouble) => Stop::of_trouble(trouble),
        Halt::Check { .. } | Halt::NoMemory { .. } => panic!("a kernel fails outside of calls: {halt:?}"),
    }
}
