//! How much memory the threads of a group share, and what of it combining takes.

use super::GROUP;
use crate::imp_gen::operators::elementwise::any_order;
use norn_ir::imp::{Prim, WARP};
use norn_ir::nest::{Atom, Reduction, Scalar, Type};

/// What every GPU has for a group.
const SHARED: i64 = 48 << 10;
/// What kernels share beside their columns: numbers of tiles, and what is aligned.
const REST: i64 = 1 << 10;
/// Elements of a tile should leave room for other groups.
const TILE: i64 = 36 << 10;
/// So many bytes of a thread have two places in shared memory.
const SMALL: i64 = 8;
/// So many bytes of an array are kept in registers.
const KEPT: i64 = 16;
/// How many values one thread combines when a group looks back.
pub const ROW: i64 = 16;

/// What an element of these columns takes.
pub fn bytes_of(prims: &[Prim]) -> i64 {
    prims.iter().map(|prim| prim.size() as i64).sum()
}

/// How many scalars a thread keeps of a value of this type until it knows where it goes; none if it is no scalar, nor a small array.
pub fn kept_by_thread(ty: &Type) -> Option<i64> {
    let Type::Value(_, dims) = ty else { return None };
    let mut count = 1i64;
    for dim in dims {
        let Some(Atom::Const(Scalar::I64(size))) = dim.atom() else { return None };
        count = count.checked_mul(size)?;
    }
    (count * ty.elem_bytes() <= KEPT || dims.is_empty()).then_some(count)
}

/// How many places a value of so many bytes has when a group scans: if two, nobody writes where others read.
pub fn places(bytes: i64) -> i64 {
    if bytes <= SMALL { 2 } else { 1 }
}

/// What a group takes to scan one value of each thread.
pub fn scan_room(bytes: i64) -> i64 {
    (places(bytes) * GROUP + GROUP / WARP) * bytes
}

/// What the operators of one kernel combine, each by the bytes of its columns.
pub struct Combined {
    scans: Vec<i64>,
    reductions: Vec<i64>,
    /// Those of the reductions whose order matters: beside scans, elements are kept for them, too.
    ordered: Vec<i64>,
}

impl Combined {
    pub fn of(scans: &[Reduction], reductions: &[Reduction], bytes: impl Fn(&Reduction) -> i64) -> Combined {
        Combined {
            scans: scans.iter().map(&bytes).collect(),
            reductions: reductions.iter().map(&bytes).collect(),
            ordered: reductions.iter().filter(|op| !any_order(op)).map(&bytes).collect(),
        }
    }

    /// Whether a group can do it at all.
    pub fn fits(&self) -> bool {
        match self.scans.is_empty() {
            true => self.reduction_bytes() + REST <= SHARED,
            false => self.elements_per_thread(false).is_some(),
        }
    }

    /// How many elements a thread has of a tile that is scanned. Odd, so that threads find theirs in different banks.
    pub fn elements_per_thread(&self, look_back: bool) -> Option<i64> {
        let room = SHARED - self.beside_tile(look_back);
        let fits = |each: &i64| each * self.tile_bytes() <= room;
        // One that is larger than a tile should be is better than none.
        [15, 9, 5, 3, 1].into_iter().filter(fits).find(|each| *each == 1 || each * self.tile_bytes() <= TILE)
    }

    /// How many it can have at most.
    pub fn most_per_thread(&self, look_back: bool) -> i64 {
        (SHARED - self.beside_tile(look_back)) / self.tile_bytes().max(1)
    }

    /// What elements take of which each thread has one.
    fn tile_bytes(&self) -> i64 {
        GROUP * self.scans.iter().chain(&self.ordered).sum::<i64>()
    }

    /// What is shared besides elements.
    fn beside_tile(&self, look_back: bool) -> i64 {
        let behind = if look_back { GROUP + 2 * (GROUP / ROW) } else { 0 };
        let of_scan = |bytes: &i64| bytes * behind + scan_room(*bytes);
        self.scans.iter().map(of_scan).sum::<i64>() + self.reduction_bytes() + REST
    }

    /// Rows that are reduced by elements have one more column, which says where they end.
    fn reduction_bytes(&self) -> i64 {
        self.reductions.iter().map(|bytes| (bytes + 4) * GROUP).sum()
    }
}
