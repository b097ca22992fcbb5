//! Blocks: the pieces of memory that programs count.
//!
//! Compiled code takes small blocks from the free lists of its worker and puts them back there, and comes here
//! only when a list is empty or full, or the block is large. Every block is in a list of the worker that made it, so that
//! what a failed run leaves behind can be found: compiled code releases nothing on its way out of a
//! failure. A block whose count is 0 is in a free list, all others are in use. Of a block on a GPU only the header is here.

use super::abi::{self, Block, HEADER, KEPT, SMALL};
use super::memory::{Memory, Piece};
use super::worker::{Shared, Worker};
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Acquire, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Large blocks have sizes that are multiples of this, so that a spare one is more likely to fit.
const GRAIN: u64 = 4096;

/// The blocks that a worker made, newest first.
pub struct Made(Mutex<*mut Block>);

// SAFETY: the list is only touched under its lock, and its blocks belong to no thread in particular.
unsafe impl Send for Made {}
// SAFETY: as above: all access goes through the lock.
unsafe impl Sync for Made {}

/// The number of the free list for blocks of so many bytes.
pub fn class(bytes: i64) -> Option<usize> {
    if bytes > SMALL {
        return None;
    }
    Some((bytes.max(64) as u64).next_power_of_two().trailing_zeros() as usize - 6)
}

/// A block with count 1.
///
/// # Safety
/// The worker is that of this thread.
pub unsafe extern "C" fn alloc(worker: *mut abi::Worker, bytes: i64) -> *mut Block {
    if bytes < 0 {
        return null_mut();
    }
    let (capacity, total) = match class(bytes) {
        Some(class) => {
            // SAFETY: the worker is that of this thread, which alone uses its free lists.
            let list = unsafe { &mut (*worker).free[class] };
            // SAFETY: what is in a free list is null or a block that exists, and nobody else holds it.
            if let Some(block) = unsafe { list.as_mut() } {
                *list = block.next;
                block.count.store(1, Relaxed);
                return block;
            }
            (64u64 << class, (64u64 << class) + HEADER as u64)
        }
        None => {
            let total = (bytes as u64 + HEADER as u64).next_multiple_of(GRAIN);
            (total - HEADER as u64, total)
        }
    };
    // SAFETY: the worker is that of this thread, as the caller promises, so it exists.
    let shared = unsafe { Worker::shared(Worker::of(worker)) };
    let Some(piece) = shared.memory.obtain(total) else { return null_mut() };
    // A spare piece may be larger than what was asked for.
    let capacity = capacity.max(piece.bytes - HEADER as u64);
    // SAFETY: the piece was just obtained, is large enough for the header and the capacity, and nobody else knows it.
    unsafe { make(Worker::of(worker), piece, capacity as i64, 0) }
}

/// A block with count 1 whose memory is at an address of a GPU; null if there is no memory for its header.
///
/// # Safety
/// The worker is that of this thread. The memory has so many bytes, and nobody else gives it back.
pub unsafe fn alloc_remote(worker: *mut abi::Worker, address: u64, bytes: u64) -> *mut Block {
    let worker = Worker::of(worker);
    // SAFETY: the worker is that of this thread, as the caller promises, so it exists.
    let shared = unsafe { Worker::shared(worker) };
    let Some(piece) = shared.memory.obtain(HEADER as u64) else { return null_mut() };
    let bytes = i64::try_from(bytes).unwrap_or(i64::MAX).max(SMALL + 1);
    // SAFETY: the piece was just obtained and has room for a header; the address is as the caller says.
    unsafe { make(worker, piece, bytes, address) }
}

/// Writes the header of a block, and notes who made it.
///
/// # Safety
/// The worker is that of this thread. The piece was obtained for the block, has room for the header and, if there is no address, for so many
/// bytes behind it.
unsafe fn make(worker: *mut Worker, piece: Piece, bytes: i64, address: u64) -> *mut Block {
    let block = piece.address.as_ptr().cast::<Block>();
    // SAFETY: the piece has room for a header, its address is a multiple of 64, and nobody else knows it; the worker exists.
    unsafe {
        block.write(Block {
            count: AtomicI64::new(1),
            bytes,
            next: null_mut(),
            length: 0,
            before: null_mut(),
            after: null_mut(),
            owner: (*worker).number as i64,
            address,
        });
        (*worker).made.link(block);
    }
    block
}

/// Gives the memory of a block back.
///
/// # Safety
/// Nobody holds the block.
pub unsafe extern "C" fn free(worker: *mut abi::Worker, block: *mut Block) {
    // SAFETY: nobody holds the block, as the caller promises, and its owner is the number of a worker of this program.
    unsafe {
        let shared = Worker::shared(Worker::of(worker));
        shared.made((*block).owner as usize).unlink(block);
        dispose(shared, block);
    }
}

/// One holder less; the last puts a small block into the worker's free list.
///
/// # Safety
/// The worker is that of this thread, and the block is held, or null.
pub unsafe fn release(worker: *mut abi::Worker, block: *mut Block) {
    use std::sync::atomic::Ordering::AcqRel;
    // SAFETY: the worker is that of this thread and the block is held or null, as the caller promises. Who takes the last count is alone
    // with it.
    unsafe {
        if block.is_null() || (*block).count.fetch_sub(1, AcqRel) != 1 {
            return;
        }
        if let Some(class) = class((*block).bytes) {
            let head = (*worker).free[class];
            let length = head.as_ref().map_or(0, |head| head.length);
            if length < (KEPT >> class) / 64 {
                (*block).next = head;
                (*block).length = length + 1;
                (*worker).free[class] = block;
                return;
            }
        }
        free(worker, block);
    }
}

/// A large block that was taken from its program: it is freed with this, and may outlive the program; unless a program was given it (`adopt`).
pub struct OwnedBlock {
    memory: Arc<Memory>,
    piece: Piece,
    is_given: AtomicBool,
}

// SAFETY: nobody else knows the memory.
unsafe impl Send for OwnedBlock {}
// SAFETY: as above, and nothing can be done with it but to free it.
unsafe impl Sync for OwnedBlock {}

impl Drop for OwnedBlock {
    fn drop(&mut self) {
        if self.is_given() {
            return;
        }
        // SAFETY: the block came from `obtain` as this piece, and its only holder is gone.
        unsafe { self.memory.give_back(self.piece) };
    }
}

impl OwnedBlock {
    /// Whether a program has it again.
    pub fn is_given(&self) -> bool {
        self.is_given.load(Relaxed)
    }
}

/// Gives a block to a program, which holds it once then; None if its memory is not that of the program, or a program has it already.
///
/// # Safety
/// The worker is that of this thread, and nobody else uses what is in the block.
pub unsafe fn adopt(worker: *mut abi::Worker, block: &OwnedBlock) -> Option<*mut Block> {
    let worker = Worker::of(worker);
    // SAFETY: the worker is that of this thread, as the caller promises, so it exists.
    let shared = unsafe { Worker::shared(worker) };
    if !Arc::ptr_eq(&shared.memory, &block.memory) || block.is_given.swap(true, Relaxed) {
        return None;
    }
    let bytes = (block.piece.bytes - HEADER as u64) as i64;
    // SAFETY: the piece was that of a block with so many bytes, and belongs to nobody else now.
    Some(unsafe { make(worker, block.piece, bytes, 0) })
}

/// What was taken from a program, with the memory of a block.
pub enum Detached {
    Host(OwnedBlock),
    /// The address of what the GPU has to be given back.
    Device(u64),
}

/// Takes a block from its program, so that it stays when others are freed; None if others hold it, or if it is so small that it is better
/// copied.
///
/// # Safety
/// The worker is that of this thread, and the caller holds the block once, or it is null.
pub unsafe fn detach(worker: *mut abi::Worker, block: *mut Block) -> Option<Detached> {
    // SAFETY: the worker exists and the caller holds the block, if it is not null. If its count is 1, nobody else does.
    unsafe {
        let shared = Worker::shared(Worker::of(worker));
        let header = block.as_ref()?;
        if header.count.load(Acquire) != 1 || header.bytes <= SMALL {
            return None;
        }
        let (address, bytes) = (header.address, header.bytes as u64);
        shared.made(header.owner as usize).unlink(block);
        let address_here = NonNull::new_unchecked(block.cast());
        if address != 0 {
            shared.memory.give_back(Piece { address: address_here, bytes: HEADER as u64 });
            return Some(Detached::Device(address));
        }
        let piece = Piece { address: address_here, bytes: bytes + HEADER as u64 };
        let is_given = AtomicBool::new(false);
        Some(Detached::Host(OwnedBlock { memory: shared.memory.clone(), piece, is_given }))
    }
}

/// Frees what is still in use after a run that has failed. Nothing of the program runs any more.
pub fn sweep(shared: &Shared) {
    shared.all_made().for_each(|made| made.drain(shared, is_live));
}

/// Frees all blocks. The program is never run again.
pub fn free_all(shared: &Shared) {
    shared.all_made().for_each(|made| made.drain(shared, |_| true));
}

/// How many blocks are in use. Nothing of the program runs.
pub fn count_live(shared: &Shared) -> usize {
    shared.all_made().map(|made| made.count(is_live)).sum()
}

/// A block in a free list has the count 0.
fn is_live(block: &Block) -> bool {
    block.count.load(Relaxed) != 0
}

impl Made {
    pub fn new() -> Made {
        Made(Mutex::new(null_mut()))
    }

    fn lock(&self) -> MutexGuard<'_, *mut Block> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// # Safety
    /// The block exists, and is in no list.
    unsafe fn link(&self, block: *mut Block) {
        let mut first = self.lock();
        // SAFETY: the list is locked, and all its blocks exist; the new one is known to nobody else.
        unsafe {
            (*block).after = *first;
            if let Some(after) = first.as_mut() {
                after.before = block;
            }
        }
        *first = block;
    }

    /// # Safety
    /// The block is in this list.
    unsafe fn unlink(&self, block: *mut Block) {
        let mut first = self.lock();
        // SAFETY: the list is locked, and the caller promises that the block is in it.
        unsafe { remove(&mut first, block) };
    }

    /// Frees the blocks for which that is asked, while no code of the program runs.
    fn drain(&self, shared: &Shared, which: impl Fn(&Block) -> bool) {
        let mut first = self.lock();
        let mut next = *first;
        // SAFETY: blocks in the list exist, and the list is locked. Nobody else looks at them: no code of the program runs.
        while let Some(block) = unsafe { next.as_mut() } {
            next = block.after;
            if which(block) {
                // SAFETY: the block is in the list, which is locked, and nobody holds it: no code of the program runs.
                unsafe {
                    remove(&mut first, block);
                    dispose(shared, block);
                }
            }
        }
    }

    /// How many there are for which that holds, while no code of the program runs.
    fn count(&self, which: impl Fn(&Block) -> bool) -> usize {
        let first = self.lock();
        let (mut next, mut count) = (*first, 0);
        // SAFETY: blocks in the list exist, and the list is locked. Nobody changes them: no code of the program runs.
        while let Some(block) = unsafe { next.as_ref() } {
            count += usize::from(which(block));
            next = block.after;
        }
        count
    }
}

/// # Safety
/// The block is in the list that begins with `first`, and the caller has its lock.
unsafe fn remove(first: &mut *mut Block, block: *mut Block) {
    // SAFETY: the block is in the list, whose lock the caller holds, so its neighbours exist, too.
    unsafe {
        let (before, after) = ((*block).before, (*block).after);
        match before.as_mut() {
            Some(before) => before.after = after,
            None => *first = after,
        }
        if let Some(after) = after.as_mut() {
            after.before = before;
        }
    }
}

/// Gives back the memory of a block that is in no list, with its header.
///
/// # Safety
/// The block was made here, and nobody uses it any more.
unsafe fn dispose(shared: &Shared, block: *mut Block) {
    // SAFETY: the block exists, as the caller promises.
    let (address, bytes) = unsafe { ((*block).address, (*block).bytes as u64) };
    if let Some(program) = shared.gpu.as_ref().filter(|_| address != 0) {
        program.give_back(address);
    }
    let bytes = if address == 0 { bytes + HEADER as u64 } else { HEADER as u64 };
    // SAFETY: the block came from `obtain` with so many bytes, is not null, and nobody uses it any more.
    unsafe { shared.memory.give_back(Piece { address: NonNull::new_unchecked(block.cast()), bytes }) };
}

/// Where the memory of a block begins.
///
/// # Safety
/// The block exists.
pub unsafe fn data(block: *mut Block) -> *mut u8 {
    // SAFETY: the block exists, and its memory begins behind its header.
    unsafe { block.cast::<u8>().add(HEADER) }
}
