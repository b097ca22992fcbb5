//! Regions of the host in the memory of a device.
//!
//! A region is one buffer there: a header (rts/gpu/run.h), and its words behind it, under the same numbers as on the host. Kernels add cells by moving its end. One that
//! finds no room says so in the state and ends; then the region moves to a buffer that is at least twice as large, its end is again what it was before, and the kernel runs
//! again (`heap`). What the first run wrote behind the end is overwritten.

use super::device::Part;
use super::pool::Piece;
use super::queue::Queue;
use super::recent::Trouble;
use super::running::Running;

/// The bytes in front of word 0.
pub const REGION_HEADER: u64 = 64;

/// Of NORN_MOST_WORDS in rts/gpu/regions.h.
pub const MOST_REGION_WORDS: u64 = 15 << 28;

/// Where the header has the end of the words.
const NEXT: u64 = 8;

/// A region to which a kernel may add cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceRegion {
    /// The parameters of the kernel that it is passed for.
    pub params: Vec<usize>,
    /// By this number the kernel's threads know it.
    pub slot: usize,
    pub piece: Piece,
    /// The first free word.
    pub next: u64,
    /// The address that it has if somebody else needs that piece, too.
    pub kept: Option<u64>,
}

/// The header of a region with this end.
pub fn region_header(piece: Piece, slot: usize, next: u64) -> [u8; REGION_HEADER as usize] {
    let words = [REGION_HEADER, next, limit_of(piece), slot as u64, 0, 0, 0, 0];
    let mut bytes = [0; REGION_HEADER as usize];
    bytes.chunks_exact_mut(8).zip(words).for_each(|(to, word)| to.copy_from_slice(&word.to_ne_bytes()));
    bytes
}

/// How many words there is room for.
pub fn limit_of(piece: Piece) -> u64 {
    (piece.bytes.saturating_sub(REGION_HEADER) / 8).min(MOST_REGION_WORDS)
}

impl DeviceRegion {
    pub(super) fn limit(&self) -> u64 {
        limit_of(self.piece)
    }

    pub(super) fn bytes_for(&self, words: u64) -> u64 {
        REGION_HEADER + 8 * words
    }

    /// How many words it should have if a kernel has come to this end, and a thread has asked for so many bytes more: it has not said what it needs besides.
    pub(super) fn larger(&self, end: u64, asked: u64) -> u64 {
        /// Beyond so many words there is less to be gained by fewer runs.
        const LARGE: u64 = 32 << 20;
        let needed = end.saturating_add(asked / 8);
        let times = if self.limit() < LARGE { 4 } else { 2 };
        self.limit().saturating_mul(times).max(needed.saturating_add(needed / 4)).min(MOST_REGION_WORDS)
    }

    /// Where its end is read from.
    pub(super) fn end_of_words<'a>(&self, to: &'a mut [u8; 8]) -> Part<'a> {
        Part { from: self.piece.address + NEXT, to }
    }
}

impl Running {
    /// Its end is where the host knows it.
    pub(super) fn write_header(&self, queue: &mut Queue, region: &DeviceRegion) -> Result<(), Trouble> {
        let header = region_header(region.piece, region.slot, region.next);
        queue.write(self.owner, region.piece.address, &header)
    }

    /// Moves a region to a buffer for so many words, or fewer. False if there is no memory.
    pub(super) fn grow_region(
        &mut self,
        queue: &mut Queue,
        region: &mut DeviceRegion,
        words: u64,
    ) -> Result<bool, Trouble> {
        let mut larger = queue.obtain(self.owner, region.bytes_for(words))?;
        if larger.is_none() && self.drop_heap(queue)? {
            larger = queue.obtain(self.owner, region.bytes_for(words))?;
        }
        // A quarter more may do.
        let least = region.limit() + region.limit() / 4;
        if larger.is_none() && least < words {
            larger = queue.obtain(self.owner, region.bytes_for(least))?;
        }
        let Some(larger) = larger else { return Ok(false) };
        let (to, from) = (larger.address + REGION_HEADER, region.piece.address + REGION_HEADER);
        queue.copy(self.owner, to, from, 8 * region.next)?;
        if region.kept != Some(region.piece.address) {
            queue.give_back(self.owner, region.piece.address)?;
        }
        region.piece = larger;
        Ok(true)
    }
}
