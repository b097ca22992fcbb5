//! Arrays that stay on a GPU between calls.
//!
//! A [`Held`] array is memory that belongs to nobody's run, so a run that fails does not take it along. It is given
//! back some time after the last who knows it is gone. Where the device has lost everything, what was held is lost,
//! too.

use norn_ir::imp::Prim;
use norn_runtime::gpu::{Program, Trouble};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An array on a GPU. Cheap to clone.
#[derive(Clone)]
pub struct Held(Arc<Pieces>);

struct Pieces {
    prim: Prim,
    dims: Vec<Option<usize>>,
    parts: Vec<HeldPart>,
    keeper: Arc<Keeper>,
    generation: u64,
}

/// Offsets or elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeldPart {
    pub address: u64,
    /// How many offsets or elements.
    pub count: usize,
    pub bytes: u64,
}

/// All that is held of a program.
#[derive(Default)]
pub struct Keeper(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// How often everything was lost.
    generation: u64,
    pieces: BTreeSet<u64>,
    /// Those that nobody knows any more.
    dropped: Vec<u64>,
}

impl Held {
    /// As many as the array has dimensions, `None` where it is `?`.
    pub fn dims(&self) -> &[Option<usize>] {
        &self.0.dims
    }

    pub fn prim(&self) -> Prim {
        self.0.prim
    }

    /// The offsets for each `?`, then the elements. None if they are lost.
    pub(crate) fn parts(&self) -> Option<&[HeldPart]> {
        let is_here = self.0.keeper.lock().generation == self.0.generation;
        is_here.then_some(&self.0.parts[..])
    }

    /// How many entries the offsets of each `?` have.
    pub(crate) fn offset_counts(&self) -> impl Iterator<Item = usize> {
        let (_, offsets) = self.0.parts.split_last().unwrap_or((&NO_PART, &[]));
        offsets.iter().map(|part| part.count)
    }
}

const NO_PART: HeldPart = HeldPart { address: 0, count: 0, bytes: 0 };

impl PartialEq for Held {
    fn eq(&self, other: &Held) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Held").field("prim", &self.0.prim).field("dims", &self.0.dims).finish_non_exhaustive()
    }
}

impl Keeper {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An array with room for these parts, each so many entries of so many bytes; none if there is not so much memory.
    pub fn hold(
        self: &Arc<Keeper>,
        program: &Program,
        prim: Prim,
        dims: Vec<Option<usize>>,
        sizes: &[(usize, u64)],
    ) -> Result<Option<Held>, Trouble> {
        let mut held = Pieces {
            prim,
            dims,
            parts: Vec::with_capacity(sizes.len()),
            keeper: self.clone(),
            generation: self.lock().generation,
        };
        for &(count, each) in sizes {
            let Some(bytes) = (count as u64).checked_mul(each) else { return Ok(None) };
            // What was obtained before goes with `held`.
            let Some(piece) = program.obtain(bytes)? else { return Ok(None) };
            self.lock().pieces.insert(piece.address);
            held.parts.push(HeldPart { address: piece.address, count, bytes });
        }
        Ok(Some(Held(Arc::new(held))))
    }

    /// Gives back what nobody knows any more, and forgets what is lost.
    pub fn settle(&self, program: &Program) {
        let dropped = {
            let mut kept = self.lock();
            if program.has_lost() {
                kept.generation += 1;
                kept.pieces.clear();
                kept.dropped.clear();
            }
            std::mem::take(&mut kept.dropped)
        };
        dropped.into_iter().for_each(|address| program.give_back(address));
    }

    /// Gives back everything: the program ends.
    pub fn release_all(&self, program: &Program) {
        self.settle(program);
        let mut kept = self.lock();
        kept.generation += 1;
        std::mem::take(&mut kept.pieces).into_iter().for_each(|address| program.give_back(address));
    }
}

impl Drop for Pieces {
    fn drop(&mut self) {
        let mut kept = self.keeper.lock();
        if kept.generation == self.generation {
            for part in &self.parts {
                kept.pieces.remove(&part.address);
                kept.dropped.push(part.address);
            }
        }
    }
}
