//! Sorting on the device: by digits from the least significant on, each in one kernel that reads and writes keys once (Adinets and
//! Merrill, Onesweep, 2022).
//!
//! 1. One kernel counts all digits of all keys; another makes of the counts where the values of each digit begin.
//! 2. For each digit there is a kernel. A group takes a tile of keys, tells the others how many of each value it has, sorts the tile
//!    in its own memory (`tile`), finds out what earlier tiles have (`search`), and writes the keys, of which
//!    those with the same value go to neighbouring places.
//!
//! Counts of what tiles have are words of 30 bits; a *segment* of the keys is as long as that allows, and one follows the other.

mod count;
mod search;
mod tile;

use super::GROUP;
use crate::imp_gen::operators::sort::rank::{DIGIT_BITS, DIGIT_VALUES};
use crate::imp_gen::operators::sort::{Kind, Sort, SortedArrays};
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{DeviceStmt, Elem, Exp, LoopForm, Prim, Stmt};

const I64: Elem = Elem::Prim(Prim::I64);

/// A segment has so many tiles at most.
const SEGMENT_TILES: i64 = 1 << 17;

// A thread has one value of a digit.
const _: () = assert!(GROUP == DIGIT_VALUES);

/// How many keys a thread has. The number is odd, so that threads whose keys are neighbours read from different banks.
fn keys_each(kind: Kind) -> i64 {
    if kind.bits().size() == 8 { 9 } else { 15 }
}

fn tile_length(kind: Kind) -> i64 {
    keys_each(kind) * GROUP
}

fn segment_length(kind: Kind) -> i64 {
    tile_length(kind) * SEGMENT_TILES
}

/// Keys on the device, as bits, and the places they had.
#[derive(Clone)]
struct Side {
    keys: Exp,
    /// Not there: keys are where they were, or nobody asks.
    places: Option<Exp>,
}

/// One move of all keys by one digit.
struct Move {
    kind: Kind,
    from: Side,
    to: Side,
    /// Nobody wants to have the keys.
    drops_keys: bool,
    /// The number of the digit.
    digit: i64,
}

/// What all moves share.
struct Common {
    width: Exp,
    segments: Exp,
    /// For each digit where its values begin, for segments with an even number, and the same for the others.
    starts: Array,
    /// For each tile of a segment what it tells of each value; then how many tiles were taken.
    told: Array,
}

impl Gen<'_> {
    pub fn device_sort(&mut self, sort: &Sort) {
        let width = self.scalar(sort.width);
        let kind = self.sorted_kind(sort);
        let source = self.keys_in_memory(sort.keys);
        let sorted = self.sorted_arrays(sort, kind, &width);
        let segment = segment_length(kind);
        let segments = self.code.atom("segments", width.clone().add(segment - 1).quot(segment));
        let source = self.key_pointer(kind, &source);
        let starts = self.digit_starts(kind, &source, &width, &segments);
        let tiles = width.clone().min(segment).add(tile_length(kind) - 1).quot(tile_length(kind));
        let words = self.code.atom("words", tiles.mul(DIGIT_VALUES).add(1));
        let told = self.new_array_named("told", Prim::I32, &[words], "sort");
        let common = Common { width: width.clone(), segments, starts, told };
        for step in self.moves(sort, kind, source, &sorted, &width) {
            self.move_on_device(&common, &step);
        }
        self.bind_sorted(sorted);
    }

    /// The moves lead to and fro between two places; the last one leads to the results.
    fn moves(
        &mut self,
        sort: &Sort,
        kind: Kind,
        source: Exp,
        sorted: &SortedArrays,
        width: &Exp,
    ) -> Vec<Move> {
        let digits = kind.digits();
        let size = std::slice::from_ref(width);
        let out_keys = self.key_pointer(kind, &sorted.keys);
        let spare_keys = match digits > 1 {
            true => self.new_array_named("spare", kind.bits(), size, "sort").data.ptr,
            false => out_keys.clone(),
        };
        let spare_places = (kind.places && digits > 1)
            .then(|| self.new_array_named("spare", Prim::I64, size, "sort").data.ptr);
        let mut from = Side { keys: source, places: None };
        let mut moves = Vec::new();
        for digit in 0..digits {
            let last = digit + 1 == digits;
            let to = match (digits - 1 - digit) % 2 {
                0 => {
                    let places = sorted.places.as_ref().map(|places| places.data.ptr.clone());
                    Side { keys: out_keys.clone(), places }
                }
                _ => Side { keys: spare_keys.clone(), places: spare_places.clone() },
            };
            let drops_keys = last && !sort.wanted.has_keys();
            moves.push(Move { kind, from, to: to.clone(), drops_keys, digit });
            from = to;
        }
        moves
    }

    fn move_on_device(&mut self, common: &Common, step: &Move) {
        let kind = step.kind;
        self.each(0, common.segments.clone(), LoopForm::Plain, &mut |this, segment| {
            let first = this.code.bind("first", segment.clone().mul(segment_length(kind)));
            let end = Exp::Var(first).add(segment_length(kind)).min(common.width.clone());
            let end: Exp = this.code.bind("end", end).into();
            let tiles = end.clone().sub(first).add(tile_length(kind) - 1).quot(tile_length(kind));
            let tiles: Exp = this.code.bind("tiles", tiles).into();
            let words = this.code.atom("words", tiles.clone().mul(DIGIT_VALUES).add(1));
            let clear = DeviceStmt::Clear {
                elem: Elem::Prim(Prim::I32),
                ptr: common.told.data.ptr.clone(),
                count: words,
            };
            this.code.push(Stmt::Device(clear));
            // Where the values begin for this segment, and for the next one.
            let row = |number: Exp| number.rem(2).mul(kind.digits()).add(step.digit).mul(DIGIT_VALUES);
            let starts = this.code.atom("row", row(segment.clone()));
            let next_starts = this.code.atom("next_row", row(segment.add(1)));
            let mut extra = vec![
                Repr::Scalar(first.into()),
                Repr::Scalar(end),
                Repr::Scalar(tiles.clone()),
                Repr::Scalar(starts),
                Repr::Scalar(next_starts),
                Repr::Array(common.starts.clone()),
                Repr::Array(common.told.clone()),
                Repr::Scalar(step.from.keys.clone()),
                Repr::Scalar(step.to.keys.clone()),
            ];
            let places = [&step.from.places, &step.to.places];
            extra.extend(places.into_iter().flatten().cloned().map(Repr::Scalar));
            this.launch_groups("sort", &[], &extra, tiles, &mut |this, arrays, given| {
                let mut given = given.into_iter();
                let mut next = || super::sweep::scalar_inside(given.next());
                let [first, end, tiles, row, next_row] = std::array::from_fn(|_| next());
                let starts = super::nest::array_inside(given.next().expect("imp_gen: a kernel lacks starts"));
                let told = super::nest::array_inside(given.next().expect("imp_gen: a kernel lacks tiles"));
                let mut next = || super::sweep::scalar_inside(given.next());
                let (from, to) = (next(), next());
                let from = Side { keys: from, places: step.from.places.as_ref().map(|_| next()) };
                let to = Side { keys: to, places: step.to.places.as_ref().map(|_| next()) };
                let (kind, drops_keys, digit) = (step.kind, step.drops_keys, step.digit);
                let step = Move { kind, from, to, drops_keys, digit };
                let part = tile::Part { first, end, tiles, row, next_row, starts, told };
                this.move_tile(arrays, &step, &part);
            });
        });
    }

    /// Where a digit begins.
    fn first_bit(digit: i64) -> Exp {
        Exp::i64(digit * DIGIT_BITS)
    }
}
