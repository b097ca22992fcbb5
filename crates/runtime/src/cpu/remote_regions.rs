//! Regions between a host and its GPU.
//!
//! Cells never change, and a region only grows: so each side has the words before some number, and only those that it lacks are moved, when it needs them. A launch that has a region as an argument
//! moves to the GPU what the host has added; what kernels have added is fetched before code of the host asks for a cell.

use super::abi::{self, Block, Region};
use super::blocks;
use super::regions::{chunk_of, chunk_words, region_grow};
use crate::gpu::{
    Access, DeviceRegion, Halt, MOST_REGION_WORDS, Piece, Program, REGION_HEADER, Request, limit_of,
    region_header,
};
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::sync::atomic::Ordering::{Acquire, Relaxed};

/// A launch of a kernel.
pub struct Launch {
    pub kernel: usize,
    pub groups: u64,
    /// Of all groups.
    pub threads: u64,
    pub site: i32,
}

/// Words for new cells: so many are requested, and there must be so many.
struct Room {
    requested: u64,
    least: u64,
}

/// For cells of a kernel, if it adds some: nobody knows how many, but it may need as many as it did before.
fn room_for(program: &Program, launch: &Launch, adds: bool) -> Room {
    const FOR_A_THREAD: u64 = 8;
    const LEAST: u64 = 4096;
    match adds {
        true => {
            let requested = launch.threads.saturating_mul(FOR_A_THREAD).max(LEAST);
            Room { requested: requested.max(program.requested_words(launch.kernel)), least: LEAST }
        }
        false => Room { requested: 0, least: 0 },
    }
}

/// Launches a kernel of whose words these are regions of the host.
///
/// # Safety
/// The worker is that of this thread, and the words at these places are regions that exist.
pub unsafe fn launch_with_regions(
    worker: *mut abi::Worker,
    program: &Program,
    launch: &Launch,
    mut args: Vec<u64>,
    params: &[(usize, Access)],
) -> Result<(), Halt> {
    // The same region may be passed for several parameters.
    let mut passed: Vec<(*mut Region, Vec<usize>, bool)> = Vec::new();
    for (param, access) in params {
        let region = args[*param] as usize as *mut Region;
        match passed.iter_mut().find(|(other, ..)| *other == region) {
            Some((_, params, adds)) => {
                params.push(*param);
                *adds |= access.writes;
            }
            None => passed.push((region, vec![*param], access.writes)),
        }
    }
    let mut regions: Vec<DeviceRegion> = Vec::new();
    let mut slots = 0;
    for (region, params, adds) in &passed {
        // SAFETY: the worker is that of this thread, and the region exists, as the caller promises.
        let piece =
            unsafe { to_device(worker, program, *region, &room_for(program, launch, *adds), launch.site) }?;
        params.iter().for_each(|param| args[*param] = piece.address);
        // SAFETY: the region exists, as the caller promises.
        let next = unsafe { (**region).next.load(Relaxed) } as u64;
        regions.push(DeviceRegion { params: params.clone(), adds: *adds, slot: slots, piece, next });
        slots += usize::from(*adds);
    }
    let request = Request { kernel: launch.kernel, args, groups: launch.groups, site: launch.site };
    program.launch(request, &regions)?;
    for (region, _, adds) in passed {
        if adds {
            // SAFETY: the region exists, as the caller promises, and no other code of the program runs now.
            unsafe { (*region).unknown = (*region).unknown.min((*region).next.load(Relaxed)) };
        }
    }
    Ok(())
}

/// Reports to the host where a region is, and where it ends, if kernels have added cells: this waits for them if nobody has looked.
///
/// # Safety
/// The worker is that of this thread, and the region exists.
unsafe fn settle(
    worker: *mut abi::Worker,
    program: &Program,
    region: *mut Region,
    site: i32,
) -> Result<(), Halt> {
    // SAFETY: the region exists, as the caller promises, no other code of the program runs now, and a block of a region is there as long as the region holds it.
    unsafe {
        let block = (*region).device;
        let Some(address) = block.as_ref().map(|block| block.address) else { return Ok(()) };
        let Some((piece, next)) = program.settled_region(address)? else { return Ok(()) };
        if piece.address != address {
            // Arrays in cells may keep the old block.
            let own = blocks::alloc_remote(worker, piece.address, piece.bytes);
            if own.is_null() {
                program.give_back(piece.address);
                return Err(Halt::NoMemory { site, bytes: abi::HEADER as u64, in_thread: None });
            }
            (*region).device = own;
            blocks::release(worker, block);
        }
        (*region).device_bytes = piece.bytes as i64;
        let before = (*region).next.load(Relaxed);
        if next as i64 > before {
            (*region).unknown = (*region).unknown.min(before);
            (*region).next.store(next as i64, Relaxed);
            (*region).on_device = next as i64;
        } else if (*region).unknown >= before {
            // The host knows all after all.
            (*region).unknown = i64::MAX;
        }
    }
    Ok(())
}

/// Where a region is on the GPU, with all its cells, and room for more if kernels add some.
///
/// # Safety
/// The worker is that of this thread, and the region exists.
unsafe fn to_device(
    worker: *mut abi::Worker,
    program: &Program,
    region: *mut Region,
    room: &Room,
    site: i32,
) -> Result<Piece, Halt> {
    // SAFETY: the region exists and has its block, as the caller promises, and no other code of the program runs now.
    let fits = unsafe {
        let limit = limit_of(Piece { address: 0, bytes: (*region).device_bytes as u64 });
        let next = (*region).next.load(Relaxed) as u64;
        !(*region).device.is_null() && limit >= next.saturating_add(room.requested).min(MOST_REGION_WORDS)
    };
    if !fits {
        // To move it, all of its cells must be known.
        // SAFETY: the worker is that of this thread, and the region exists, as the caller promises.
        unsafe { settle(worker, program, region, site) }?;
    }
    // SAFETY: the region exists, as the caller promises, and no other code of the program runs now.
    let region = unsafe { &mut *region };
    let next = region.next.load(Relaxed) as u64;
    let known = region.on_device as u64;
    // SAFETY: a block of a region is there as long as the region holds it.
    let old = unsafe { region.device.as_ref() }
        .map(|block| Piece { address: block.address, bytes: region.device_bytes as u64 });
    let piece = match old {
        Some(piece) if limit_of(piece) >= next.saturating_add(room.requested).min(MOST_REGION_WORDS) => piece,
        _ => {
            let twice = old.map_or(0, |piece| 2 * limit_of(piece));
            let wishes = [twice.max(next.saturating_add(room.requested)), next.saturating_add(room.least)];
            let bytes = wishes.map(|words| REGION_HEADER + 8 * words.min(MOST_REGION_WORDS));
            let no_memory = Halt::NoMemory { site, bytes: bytes[1], in_thread: None };
            let mut found = program.obtain_at_home(bytes[0]).map_err(Halt::Trouble)?;
            if found.is_none() && bytes[1] < bytes[0] {
                found = program.obtain_at_home(bytes[1]).map_err(Halt::Trouble)?;
            }
            let Some(piece) = found.filter(|piece| next <= limit_of(*piece)) else {
                found.into_iter().for_each(|piece| program.give_back(piece.address));
                return Err(no_memory);
            };
            if let Some(old) = old {
                let (to, from) = (piece.address + REGION_HEADER, old.address + REGION_HEADER);
                program.copy(to, from, 8 * known)?;
            }
            // SAFETY: the worker is that of this thread, as the caller promises, and the piece was just obtained for it.
            let block = unsafe { blocks::alloc_remote(worker, piece.address, piece.bytes) };
            if block.is_null() {
                program.give_back(piece.address);
                return Err(no_memory);
            }
            // SAFETY: the worker is that of this thread, and the region held its block, or had none.
            unsafe { blocks::release(worker, std::mem::replace(&mut region.device, block)) };
            region.device_bytes = piece.bytes as i64;
            program.write(piece.address, &region_header(piece, 0, next))?;
            piece
        }
    };
    // Where kernels have added cells, they know all.
    for (from, words) in pieces(known, next) {
        let base = region.base[chunk_of(from)].load(Acquire);
        if base.is_null() {
            continue;
        }
        let first = base.wrapping_add(from as usize + abi::FIRST_CHUNK as usize);
        // SAFETY: so many words of the chunk, which exists, are the host's.
        let bytes = unsafe { from_raw_parts(first.cast::<u8>(), 8 * words as usize) };
        program.append(piece.address + REGION_HEADER + 8 * from, bytes)?;
    }
    region.on_device = region.on_device.max(next as i64);
    program.note_region(next, old.is_none());
    Ok(piece)
}

/// A new cell of so many words, which the host does not know.
///
/// # Safety
/// The worker is that of this thread, and the region exists.
pub unsafe fn cell_on_device(
    worker: *mut abi::Worker,
    program: &Program,
    region: *mut Region,
    words: u64,
    site: i32,
) -> Result<u32, Halt> {
    // SAFETY: the worker is that of this thread, and the region exists, as the caller promises.
    unsafe { settle(worker, program, region, site) }?;
    // SAFETY: the region exists, as the caller promises, and no other code of the program runs now.
    let mut cell = unsafe { (*region).next.load(Relaxed) } as u64;
    let before = cell;
    let end = |cell: u64| cell.saturating_add(words.max(1));
    while end(cell) < MOST_REGION_WORDS && chunk_of(cell) != chunk_of(end(cell) - 1) {
        cell = end(cell);
    }
    let next = end(cell);
    if next > MOST_REGION_WORDS {
        let bytes = words.saturating_mul(8);
        return Err(Halt::NoMemory { site, bytes, in_thread: None });
    }
    let room = Room { requested: next - before, least: next - before };
    // SAFETY: the worker is that of this thread, and the region exists, as the caller promises.
    unsafe {
        to_device(worker, program, region, &room, site)?;
        (*region).unknown = (*region).unknown.min(before as i64);
        (*region).next.store(next as i64, Relaxed);
        (*region).on_device = next as i64;
    }
    Ok(cell as u32)
}

/// Where a cell is on the device, and the block that it is in, which is retained.
///
/// # Safety
/// The worker is that of this thread, and the cell is one of the region, which exists.
pub unsafe fn place_on_device(
    worker: *mut abi::Worker,
    program: &Program,
    region: *mut Region,
    cell: u32,
    site: i32,
) -> Result<(u64, *mut Block), Halt> {
    let room = Room { requested: 0, least: 0 };
    // SAFETY: the worker is that of this thread, and the region exists, as the caller promises.
    unsafe { settle(worker, program, region, site) }?;
    // SAFETY: as above.
    let piece = unsafe { to_device(worker, program, region, &room, site) }?;
    // SAFETY: the region exists, as the caller promises, and has a block on the device now.
    let block = unsafe { (*region).device };
    // SAFETY: as above.
    unsafe { (*block).count.fetch_add(1, Relaxed) };
    Ok((piece.address + REGION_HEADER + 8 * u64::from(cell), block))
}

/// Moves to the host what kernels have added to a region.
///
/// # Safety
/// The worker is that of this thread, and the region exists.
pub unsafe fn fetch(worker: *mut abi::Worker, program: &Program, region: *mut Region) -> Result<(), Halt> {
    // SAFETY: the worker is that of this thread, and the region exists, as the caller promises.
    unsafe { settle(worker, program, region, -1) }?;
    // SAFETY: the region exists, as the caller promises, and no other code of the program runs now.
    let (unknown, next, address) = unsafe {
        let address = (*region).device.as_ref().map_or(0, |block| block.address);
        // What the device does not have, the host has added itself.
        ((*region).unknown as u64, (*region).on_device as u64, address)
    };
    // SAFETY: the worker is that of this thread, and the region exists and has these words, as the caller promises.
    unsafe {
        read_words(worker, program, region, (unknown, next), address)?;
        (*region).unknown = i64::MAX;
        (*region).looks = 0;
    }
    Ok(())
}

/// Moves the first words of a cell to the host, which does not know it; or all that it does not know, if that is little, or it has looked at many cells. With no
/// words at all, only the end of the region is made known to the host.
///
/// # Safety
/// The worker is that of this thread, and the cell is one of the region, which exists, and has so many words.
pub unsafe fn look(
    worker: *mut abi::Worker,
    program: &Program,
    region: *mut Region,
    cell: u32,
    words: u64,
) -> Result<(), Halt> {
    /// To read so many words takes about as long as to read one.
    const LITTLE: i64 = 1 << 14;
    const MANY: i64 = 16;
    // SAFETY: the worker is that of this thread, and the region exists, as the caller promises.
    unsafe { settle(worker, program, region, -1) }?;
    // SAFETY: the region exists, as the caller promises, and no other code of the program runs now.
    let address = unsafe {
        if words == 0 {
            return Ok(());
        }
        (*region).looks += 1;
        if (*region).looks > MANY {
            return fetch(worker, program, region);
        }
        // A cell that the host has added, and the device does not have yet.
        if i64::from(cell) >= (*region).on_device {
            return Ok(());
        }
        if (*region).on_device - (*region).unknown <= LITTLE {
            return fetch(worker, program, region);
        }
        (*region).device.as_ref().map_or(0, |block| block.address)
    };
    let begin = u64::from(cell);
    // SAFETY: the worker is that of this thread, and the region exists and has these words, as the caller promises.
    unsafe { read_words(worker, program, region, (begin, begin + words), address) }
}

/// Moves words of a region to the host.
///
/// # Safety
/// The worker is that of this thread, and the region exists, is at this address of the GPU, and has these words there.
unsafe fn read_words(
    worker: *mut abi::Worker,
    program: &Program,
    region: *mut Region,
    (begin, end): (u64, u64),
    address: u64,
) -> Result<(), Halt> {
    for (from, words) in pieces(begin, end) {
        let chunk = chunk_of(from);
        // SAFETY: the worker is that of this thread, and the region exists, as the caller promises.
        if unsafe { region_grow(worker, region, chunk as i64) } != 0 {
            let bytes = 8 * chunk_words(chunk) as u64;
            return Err(Halt::NoMemory { site: -1, bytes, in_thread: None });
        }
        // SAFETY: the region exists, as the caller promises.
        let base = unsafe { (&(*region).base)[chunk].load(Acquire) };
        let first = base.wrapping_add(from as usize + abi::FIRST_CHUNK as usize);
        // SAFETY: the chunk was made above, if it was not there, and has so many words; nobody uses those that the host does not know.
        let bytes = unsafe { from_raw_parts_mut(first.cast::<u8>(), 8 * words as usize) };
        program.read_words(bytes, address + REGION_HEADER + 8 * from)?;
    }
    Ok(())
}

/// The words from one number up to another by the chunks that they are in: where each piece begins, and how many words it has.
fn pieces(from: u64, to: u64) -> impl Iterator<Item = (u64, u64)> {
    let mut at = from;
    std::iter::from_fn(move || {
        let begin = at;
        if begin >= to {
            return None;
        }
        let chunk = chunk_of(begin);
        let end = 2 * chunk_words(chunk) as u64 - abi::FIRST_CHUNK;
        at = end.min(to);
        Some((begin, at - begin))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_end_with_their_chunks() {
        assert_eq!(pieces(1, 10).collect::<Vec<_>>(), [(1, 9)]);
        assert_eq!(pieces(500, 2000).collect::<Vec<_>>(), [(500, 12), (512, 1024), (1536, 464)]);
        assert_eq!(pieces(7, 7).count(), 0);
    }
}
