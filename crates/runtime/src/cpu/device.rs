//! The functions by which compiled code reaches a GPU (`device_..` in rts/cpu/abi.h).
//!
//! What goes wrong there becomes a failure of the run, as if it had happened here.

use super::abi::{
    self, Block, DEVICE_FAILED, DONE, FAILED, OPERANDS, OUT_OF_MEMORY, Region, Run, STOP_FAILED, STOPPED,
};
use super::blocks;
use super::remote_regions::{Launch, cell_on_device, fetch, launch_with_regions, look, place_on_device};
use super::worker::{Shared, Worker};
use crate::gpu::{Halt, Part, Program, Request, Trouble};
use crate::schedule::TaskKind;
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::sync::PoisonError;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

/// A block with count 1 on the GPU.
///
/// # Safety
/// The worker is that of this thread.
pub unsafe extern "C" fn device_alloc(worker: *mut abi::Worker, bytes: i64) -> *mut Block {
    // SAFETY: the worker is that of this thread, as the caller promises, so it exists.
    let shared = unsafe { Worker::shared(Worker::of(worker)) };
    let refused = || {
        shared.refused_by_gpu.store(true, Relaxed);
        null_mut()
    };
    let Some((program, bytes)) = shared.gpu.as_ref().zip(u64::try_from(bytes).ok()) else { return refused() };
    match shared.guarded(Ok(None), || program.obtain(bytes)) {
        Ok(Some(piece)) => {
            // SAFETY: the worker is that of this thread, as the caller promises, so it exists, and the piece was just obtained for it.
            let block = unsafe { blocks::alloc_remote(worker, piece.address, piece.bytes) };
            if block.is_null() {
                program.give_back(piece.address);
            }
            block
        }
        Ok(None) => refused(),
        Err(trouble) => {
            fail(shared, Halt::Trouble(trouble));
            null_mut()
        }
    }
}

/// Launches a kernel.
///
/// # Safety
/// The worker is that of this thread; there is a word for each parameter of the kernel.
pub unsafe extern "C" fn device_launch(
    worker: *mut abi::Worker,
    kernel: i32,
    args: *const u64,
    groups: i64,
    site: i32,
) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { device_launch_within(worker, kernel, args, null(), groups, site) }
}

/// Launches a kernel of which is known what it reads and writes.
///
/// # Safety
/// The worker is that of this thread; there is a word for each parameter of the kernel, and two numbers, unless there are none at all.
pub unsafe extern "C" fn device_launch_within(
    worker: *mut abi::Worker,
    kernel: i32,
    args: *const u64,
    within: *const i64,
    groups: i64,
    site: i32,
) -> c_int {
    // SAFETY: the worker is that of this thread, and there are as many words as the kernel has parameters, as the caller promises.
    unsafe {
        ask(worker, |program| {
            let number = usize::try_from(kernel).ok();
            let Some((number, arity)) = number.and_then(|number| Some((number, program.arity(number)?)))
            else {
                panic!("there is no kernel {kernel}")
            };
            let args = if arity == 0 { &[] } else { from_raw_parts(args, arity) };
            let groups = u64::try_from(groups).unwrap_or(0);
            let (regions, threads) = program.regions_of(number);
            match regions.is_empty() || groups == 0 {
                true => {
                    let within = if within.is_null() { &[] } else { from_raw_parts(within, 2 * arity) };
                    let request = Request { kernel: number, args: args.to_vec(), groups, site };
                    program.launch_within(request, within)
                }
                false => {
                    let launch =
                        Launch { kernel: number, groups, threads: groups.saturating_mul(threads), site };
                    launch_with_regions(worker, program, &launch, args.to_vec(), &regions)
                }
            }
        })
    }
}

/// Copies from the GPU, when everything before is done.
///
/// # Safety
/// The worker is that of this thread, and both places have so many bytes.
pub unsafe extern "C" fn device_read(
    worker: *mut abi::Worker,
    to: *mut c_void,
    from: u64,
    bytes: i64,
) -> c_int {
    // SAFETY: the worker is that of this thread, and there is room for so many bytes, as the caller promises.
    unsafe {
        ask(worker, |program| {
            // Nothing may have no address.
            let to = if bytes <= 0 { &mut [] } else { from_raw_parts_mut(to.cast(), bytes as usize) };
            program.read(to, from)
        })
    }
}

/// Copies from several places of the GPU, when everything before is done.
///
/// # Safety
/// The worker is that of this thread, there are so many reads, and the places of each have so many bytes and do not overlap.
pub unsafe extern "C" fn device_read_all(
    worker: *mut abi::Worker,
    reads: *const abi::Read,
    count: i64,
) -> c_int {
    // SAFETY: the worker is that of this thread, and there is room for all that is read, as the caller promises.
    unsafe {
        ask(worker, |program| {
            let reads = if count <= 0 { &[] } else { from_raw_parts(reads, count as usize) };
            let parts = reads.iter().filter(|read| read.bytes > 0).map(|read| Part {
                from: read.from,
                to: from_raw_parts_mut(read.to.cast(), read.bytes as usize),
            });
            program.read_all(parts.collect())
        })
    }
}

/// Copies to the GPU.
///
/// # Safety
/// The worker is that of this thread, and both places have so many bytes.
pub unsafe extern "C" fn device_write(
    worker: *mut abi::Worker,
    to: u64,
    from: *const c_void,
    bytes: i64,
) -> c_int {
    // SAFETY: the worker is that of this thread, and so many bytes are there, as the caller promises.
    unsafe {
        ask(worker, |program| {
            let from = if bytes <= 0 { &[] } else { from_raw_parts(from.cast(), bytes as usize) };
            program.write(to, from)
        })
    }
}

/// Copies within the GPU.
///
/// # Safety
/// The worker is that of this thread, and both places have so many bytes.
pub unsafe extern "C" fn device_copy(worker: *mut abi::Worker, to: u64, from: u64, bytes: i64) -> c_int {
    let bytes = u64::try_from(bytes).unwrap_or(0);
    // SAFETY: the worker is that of this thread, as the caller promises.
    unsafe { ask(worker, |program| program.copy(to, from, bytes)) }
}

/// Sets bytes on the GPU.
///
/// # Safety
/// The worker is that of this thread, and the place has so many bytes.
pub unsafe extern "C" fn device_fill(worker: *mut abi::Worker, to: u64, byte: i32, bytes: i64) -> c_int {
    let bytes = u64::try_from(bytes).unwrap_or(0);
    // SAFETY: the worker is that of this thread, as the caller promises.
    unsafe { ask(worker, |program| program.fill(to, byte as u8, bytes)) }
}

/// Has another device do what is asked for.
///
/// # Safety
/// The worker is that of this thread.
pub unsafe extern "C" fn device_select(worker: *mut abi::Worker, device: i64) -> c_int {
    let device = usize::try_from(device).unwrap_or(0);
    // SAFETY: the worker is that of this thread, as the caller promises.
    unsafe {
        ask(worker, |program| {
            program.select(device);
            Ok(())
        })
    }
}

/// Plans how a task is cut.
///
/// # Safety
/// The worker is that of this thread.
pub unsafe extern "C" fn device_plan(
    worker: *mut abi::Worker,
    width: i64,
    elements: i64,
    grain: i64,
    site: i32,
    kind: i32,
) -> c_int {
    let kind = match kind {
        1 => TaskKind::Helped,
        2 => TaskKind::Uneven,
        _ => TaskKind::Usual,
    };
    // SAFETY: the worker is that of this thread, as the caller promises.
    unsafe {
        ask(worker, |program| {
            program.plan([width, elements, grain], site, kind);
            Ok(())
        })
    }
}

/// Has the device of a part do what is asked for.
///
/// # Safety
/// The worker is that of this thread.
pub unsafe extern "C" fn device_part(worker: *mut abi::Worker, part: i64) -> c_int {
    let part = usize::try_from(part).unwrap_or(0);
    // SAFETY: the worker is that of this thread, as the caller promises.
    unsafe { ask(worker, |program| program.begin_part(part)) }
}

/// A number of the plan.
///
/// # Safety
/// The worker is that of this thread.
pub unsafe extern "C" fn device_planned(worker: *mut abi::Worker, what: i32) -> i64 {
    // SAFETY: the worker is that of this thread, as the caller promises, so it exists.
    let shared = unsafe { Worker::shared(Worker::of(worker)) };
    let plan = shared.gpu.as_ref().map(|gpu| gpu.planned()).unwrap_or_default();
    match what {
        0 => plan.parts,
        1 => plan.from,
        2 => plan.count,
        3 => plan.processor.into(),
        _ => plan.alone.into(),
    }
}

/// Has the device that was selected get what it will read.
///
/// # Safety
/// The worker is that of this thread.
pub unsafe extern "C" fn device_bring(
    worker: *mut abi::Worker,
    address: u64,
    from: i64,
    bytes: i64,
) -> c_int {
    // SAFETY: the worker is that of this thread, as the caller promises.
    unsafe { ask(worker, |program| program.bring(address, (from, bytes))) }
}

/// Where the processor has what is at an address.
///
/// # Safety
/// The worker is that of this thread, and there is a place for the answer.
pub unsafe extern "C" fn device_here(
    worker: *mut abi::Worker,
    address: u64,
    here: *mut *mut c_void,
) -> c_int {
    // SAFETY: the worker is that of this thread, and there is a place for the answer, as the caller promises.
    unsafe {
        ask(worker, |program| {
            *here = program.here(address)? as *mut c_void;
            Ok(())
        })
    }
}

/// The processor has written something.
///
/// # Safety
/// The worker is that of this thread.
pub unsafe extern "C" fn device_written(
    worker: *mut abi::Worker,
    address: u64,
    from: i64,
    bytes: i64,
) -> c_int {
    // SAFETY: the worker is that of this thread, as the caller promises.
    unsafe {
        ask(worker, |program| {
            program.written(address, (from, bytes));
            Ok(())
        })
    }
}

/// Has the host know all cells of a region.
///
/// # Safety
/// The worker is that of this thread, and the region exists.
pub unsafe extern "C" fn device_fetch(worker: *mut abi::Worker, region: *mut Region) -> c_int {
    // SAFETY: the region exists, as the caller promises, and nobody changes it now: what asks for this is the only code that runs.
    if unsafe { (*region).unknown == i64::MAX } {
        return DONE;
    }
    // SAFETY: the worker is that of this thread, and the region exists, as the caller promises.
    unsafe { ask(worker, |program| fetch(worker, program, region)) }
}

/// Has the host know the first words of a cell, which it did not.
///
/// # Safety
/// The worker is that of this thread, and the cell is one of the region, which exists, and has so many words.
pub unsafe extern "C" fn device_look(
    worker: *mut abi::Worker,
    region: *mut Region,
    cell: u32,
    words: i64,
) -> c_int {
    // SAFETY: the worker is that of this thread, and the cell is one of the region, as the caller promises.
    unsafe { ask(worker, |program| look(worker, program, region, cell, words as u64)) }
}

/// A new cell of a region on the GPU.
///
/// # Safety
/// The worker is that of this thread, the region exists, and there is a place for the cell.
pub unsafe extern "C" fn device_cell(
    worker: *mut abi::Worker,
    region: *mut Region,
    words: i64,
    site: i32,
    cell: *mut u32,
) -> c_int {
    // SAFETY: the worker is that of this thread, the region exists, and there is a place for the cell, as the caller promises.
    unsafe {
        ask(worker, |program| {
            *cell = cell_on_device(worker, program, region, u64::try_from(words).unwrap_or(u64::MAX), site)?;
            Ok(())
        })
    }
}

/// Where a cell is on the GPU, and the block that it is in, which is retained.
///
/// # Safety
/// The worker is that of this thread, the cell is one of the region, which exists, and there are places for the results.
pub unsafe extern "C" fn device_place(
    worker: *mut abi::Worker,
    region: *mut Region,
    cell: u32,
    site: i32,
    address: *mut u64,
    block: *mut *mut Block,
) -> c_int {
    // SAFETY: the worker is that of this thread, the region exists, and there are places for the results, as the caller promises.
    unsafe {
        ask(worker, |program| {
            (*address, *block) = place_on_device(worker, program, region, cell, site)?;
            Ok(())
        })
    }
}

/// Has the GPU do something, unless the run has ended; how that went.
///
/// # Safety
/// The worker is that of this thread.
unsafe fn ask(worker: *mut abi::Worker, request: impl FnOnce(&Program) -> Result<(), Halt>) -> c_int {
    // SAFETY: the worker is that of this thread, as the caller promises, so it exists.
    let shared = unsafe { Worker::shared(Worker::of(worker)) };
    if shared.has_stopped() {
        return STOPPED;
    }
    match &shared.gpu {
        Some(program) => {
            shared.guarded(STOPPED, || request(program).map_or_else(|halt| fail(shared, halt), |()| DONE))
        }
        None => fail(shared, Halt::Trouble(no_gpu())),
    }
}

/// The answer to a program that has no part on a GPU.
pub fn no_gpu() -> Trouble {
    Trouble { message: "The program runs without a GPU.".to_string(), kernel: None, site: None }
}

/// Waits for the GPU at the end of a run that has ended in a way, and returns how it has really ended.
///
/// A check that failed on the GPU came before one that failed on the host, which had not heard of it.
pub fn finish(shared: &Shared, ended: c_int) -> c_int {
    let Some(program) = &shared.gpu else { return ended };
    let run = shared.run();
    // SAFETY: the run exists as long as what is shared.
    let failed = unsafe { (*run).failed.load(Acquire) != 0 };
    if ended != DONE && !failed {
        program.abandon();
        return ended;
    }
    let Err(halt) = program.finish() else { return ended };
    // SAFETY: no code of the program runs any more, so nobody else reads or writes how it failed. Another thread may set `stop`, which
    // `clear` leaves to it.
    unsafe {
        if failed && (*run).site == DEVICE_FAILED {
            return ended;
        }
        Run::clear(run);
    }
    fail(shared, halt)
}

/// Makes it the failure of the run, unless there is one already.
pub fn fail(shared: &Shared, halt: Halt) -> c_int {
    let run = shared.run();
    // SAFETY: the run exists as long as what is shared. Who changes `failed` from 0 to 1 alone writes to the description.
    unsafe {
        if (*run).failed.compare_exchange(0, 1, AcqRel, Acquire).is_err() {
            return STOPPED;
        }
        // Who gets here is alone.
        match halt {
            Halt::Check { site, operands } => {
                (*run).site = site;
                (*run).operands = operands.len().min(OPERANDS) as i32;
                let operand = &mut (*run).operand;
                operand.iter_mut().zip(operands).for_each(|(place, operand)| *place = operand);
            }
            Halt::NoMemory { site, bytes, in_thread } => {
                shared.refused_by_gpu.store(true, Relaxed);
                (*run).site = OUT_OF_MEMORY;
                (*run).at = site;
                (*run).operands = 1 + i32::from(in_thread.is_some());
                (*run).operand[0] = bytes;
                (*run).operand[1] = in_thread.unwrap_or(0) as u64;
            }
            Halt::Trouble(trouble) => {
                (*run).site = DEVICE_FAILED;
                *shared.trouble.lock().unwrap_or_else(PoisonError::into_inner) = Some(trouble);
            }
        }
        (*run).failed.store(2, Release);
        (*run).stop.fetch_or(STOP_FAILED, Release);
    }
    FAILED
}
