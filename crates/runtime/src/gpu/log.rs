//! What a program has asked for since somebody looked at its state, as far as it may have to be asked for again.
//!
//! A kernel may exhaust the heap or a region. The host does not wait to learn that: it goes on, and looks when it reads something anyway. Kernels behind one that has failed
//! do nothing, so what they read and write is as it was. Then what was too small is made larger, and everything from the failed launch on is done again (`replay`).
//! This is a log of requests as databases keep one, and it is empty unless a kernel is under way that may run out.
//!
//! Copies, fills and writes do not look at the state: they are done even where a kernel before them has failed. So
//!
//! - nothing is written to a piece of memory that a request in the log has read: whoever wants that waits first;
//! - what is written to a piece that no request in the log has touched stays, and is not in the log;
//! - a piece that is given back is not used for anything else until somebody has looked.
//!
//! A launch that may run out and changes memory in place keeps a copy of what that was before (rule K9 of flat): a failed one has changed some of it.

use super::pool::Piece;
use super::program::{Halt, Request};
use std::collections::{BTreeMap, HashSet};

/// So many requests are in the log at most.
pub const MOST_LOGGED: usize = 4096;

#[derive(Default)]
pub(super) struct Log {
    pub entries: Vec<Entry>,
    /// The pieces that requests in the log read, and those that they write, by their addresses.
    read: HashSet<u64>,
    written: HashSet<u64>,
    /// What was given back, but may still be needed.
    given_back: Vec<Kept>,
    /// How many requests were added since the log is open, and how many of them are done and gone.
    added: u64,
    done: u64,
    /// How many bytes are kept for the log alone: copies, and what was given back.
    pub kept_bytes: u64,
    /// The regions to which kernels have added cells that the host does not know of, by the address at which the host has them.
    pub regions: BTreeMap<u64, GrownRegion>,
    /// How many ends of regions were saved.
    pub ends: usize,
    /// Why the run cannot go on, which has not been reported yet.
    pub halt: Option<Halt>,
}

/// A piece that was given back when so many requests had been added: those behind do not need it.
struct Kept {
    piece: Piece,
    before: u64,
}

pub(super) enum Entry {
    Launch(Logged),
    Copy { to: u64, from: u64, bytes: u64 },
    Fill { to: u64, byte: u8, bytes: u64 },
}

pub(super) struct Logged {
    /// By this number the state knows it.
    pub number: u64,
    pub request: Request,
    /// What it changes in place. None if there was no memory for copies, so that it cannot run again.
    pub saved: Option<Vec<Saved>>,
    pub regions: Vec<RegionUse>,
}

/// A piece of memory that a kernel changes, and what it was before.
pub(super) struct Saved {
    pub piece: Piece,
    pub copy: Piece,
}

/// A region of a launch to which kernels in the log add cells.
pub(super) struct RegionUse {
    /// The address at which the host has it.
    pub region: u64,
    pub params: Vec<usize>,
    /// By this number the kernel's threads know it, if it adds cells, and under this its end is saved.
    pub adds: Option<(usize, usize)>,
}

/// A region that the device knows better than the host.
#[derive(Clone, Copy)]
pub(super) struct GrownRegion {
    /// Where it is now.
    pub piece: Piece,
    /// The first free word; none while somebody may move it.
    pub next: Option<u64>,
    /// The first free word when the log was opened.
    pub begun: u64,
}

/// What a request does with pieces of memory.
#[derive(Default)]
pub(super) struct Touched {
    pub read: Vec<u64>,
    pub written: Vec<u64>,
}

impl Log {
    pub fn is_open(&self) -> bool {
        !self.entries.is_empty()
    }

    pub fn is_full(&self) -> bool {
        self.entries.len() >= MOST_LOGGED
    }

    pub fn add(&mut self, entry: Entry, touched: Touched) {
        self.added += 1;
        self.entries.push(entry);
        self.read.extend(touched.read);
        self.written.extend(touched.written);
    }

    pub fn has_read(&self, piece: Piece) -> bool {
        self.read.contains(&piece.address)
    }

    pub fn has_written(&self, piece: Piece) -> bool {
        self.written.contains(&piece.address)
    }

    /// Keeps a piece that was given back.
    pub fn keep(&mut self, piece: Piece) {
        self.given_back.push(Kept { piece, before: self.added });
        self.kept_bytes += piece.bytes;
    }

    /// The first requests are done. Returns the addresses that nobody needs any more: of their copies, and of what was given back before those that are left.
    pub fn drop_first(&mut self, count: usize) -> (Vec<u64>, Vec<u64>) {
        self.done += count as u64;
        let copies = self.entries.drain(..count).flat_map(Entry::copies).collect();
        let done = self.done;
        let free = self.given_back.extract_if(.., |kept| kept.before <= done);
        let free: Vec<Piece> = free.map(|kept| kept.piece).collect();
        self.kept_bytes = self.kept_bytes.saturating_sub(free.iter().map(|piece| piece.bytes).sum());
        (copies, free.into_iter().map(|piece| piece.address).collect())
    }

    /// Forgets all requests. Returns the addresses that nobody needs any more, of copies and of what was given back.
    pub fn close(&mut self) -> (Vec<u64>, Vec<u64>) {
        self.read.clear();
        self.written.clear();
        let copies = self.entries.drain(..).flat_map(Entry::copies).collect();
        let given_back = std::mem::take(&mut self.given_back);
        (self.kept_bytes, self.ends, self.added, self.done) = (0, 0, 0, 0);
        (copies, given_back.into_iter().map(|kept| kept.piece.address).collect())
    }
}

impl Entry {
    /// The regions to which it adds cells, by the addresses at which the host has them.
    pub fn added_regions(&self) -> Vec<u64> {
        match self {
            Entry::Launch(Logged { regions, .. }) => {
                regions.iter().filter(|used| used.adds.is_some()).map(|used| used.region).collect()
            }
            Entry::Copy { .. } | Entry::Fill { .. } => Vec::new(),
        }
    }

    /// The addresses of the copies that it keeps.
    pub fn copies(self) -> Vec<u64> {
        match self {
            Entry::Launch(Logged { saved: Some(saved), .. }) => {
                saved.into_iter().map(|Saved { copy, .. }| copy.address).collect()
            }
            Entry::Launch(_) | Entry::Copy { .. } | Entry::Fill { .. } => Vec::new(),
        }
    }
}
