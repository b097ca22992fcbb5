//! Regions of the host in the memory of a device.
//!
//! A region is one buffer there: a header (rts/gpu/run.h), and its words behind it, under the same numbers as on the host. Kernels add cells by moving its end. One that
//! finds no room records that in the state and ends; then the region moves to a buffer that is at least twice as large, its end is again what it was before, and the kernel runs
//! again (`replay`). The host learns of it when it asks for the region next. What the first run wrote behind the end is overwritten.

use super::pool::Piece;
use super::queue::Queue;
use super::recent::Trouble;
use super::running::Running;

/// The bytes in front of word 0.
pub const REGION_HEADER: u64 = 64;

/// Of NORN_MOST_WORDS in rts/gpu/regions.h.
pub const MOST_REGION_WORDS: u64 = 15 << 28;

/// Where the header has the end of the words.
pub(super) const NEXT: u64 = 8;

/// Where it has the number by which threads know the region.
pub(super) const SLOT: u64 = 24;

/// A region that is passed to a kernel, as the host knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceRegion {
    /// The parameters of the kernel that it is passed for.
    pub params: Vec<usize>,
    /// Whether the kernel adds cells to it.
    pub adds: bool,
    /// By this number the kernel's threads know it, if they add cells.
    pub slot: usize,
    pub piece: Piece,
    /// The first free word, unless kernels have moved it since.
    pub next: u64,
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
    pub(super) fn larger(&self, end: u64, bytes: u64) -> u64 {
        /// Up to so many words memory matters little, and runs in vain much; beyond so many, the other way round.
        const SMALL: u64 = 1 << 19;
        const LARGE: u64 = 32 << 20;
        let needed = end.saturating_add(bytes / 8);
        let times = match self.limit() {
            limit if limit < SMALL => 8,
            limit if limit < LARGE => 4,
            _ => 2,
        };
        self.limit().saturating_mul(times).max(needed.saturating_add(needed / 4)).min(MOST_REGION_WORDS)
    }
}

impl Running {
    pub(super) fn write_header(
        &self,
        queue: &mut Queue,
        piece: Piece,
        slot: usize,
        next: u64,
    ) -> Result<(), Trouble> {
        queue.write(self.owner, piece.address, &region_header(piece, slot, next))
    }

    /// A larger buffer for a region, with the words that it has: for as many words as the first wish that can be fulfilled, if that is more than the second. None if there is no
    /// memory.
    pub(super) fn grow_region(
        &mut self,
        queue: &mut Queue,
        region: &DeviceRegion,
        [foreseen, requested]: [u64; 2],
    ) -> Result<Option<Piece>, Trouble> {
        let mut larger = None;
        // Nobody knows whether so much is needed, so it is no more than a part of what there is.
        if foreseen > requested && region.bytes_for(foreseen) < (queue.pool.limit() - queue.pool.live()) / 2 {
            larger = queue.obtain(self.owner, region.bytes_for(foreseen))?;
        }
        if larger.is_none() {
            larger = queue.obtain(self.owner, region.bytes_for(requested))?;
        }
        if larger.is_none() && self.drop_heap(queue)? {
            larger = queue.obtain(self.owner, region.bytes_for(requested))?;
        }
        // A quarter more may do.
        let least = region.limit() + region.limit() / 4;
        if larger.is_none() && least < requested {
            larger = queue.obtain(self.owner, region.bytes_for(least))?;
        }
        let Some(piece) = larger else { return Ok(None) };
        let (to, from) = (piece.address + REGION_HEADER, region.piece.address + REGION_HEADER);
        queue.copy(self.owner, to, from, 8 * region.next)?;
        Ok(Some(piece))
    }
}
