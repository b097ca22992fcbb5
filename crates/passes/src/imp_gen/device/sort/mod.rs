//! Radix sort on the device: from the least significant digit on, with one kernel for each digit that reads and writes keys once (Adinets and
//! Merrill, Onesweep, 2022).
//!
//! 1. One kernel counts all digits of all keys; another makes of the counts where the values of each digit begin.
//! 2. For each digit there is a kernel. A group takes a tile of keys, publishes how many of each digit it has, sorts the tile
//!    in its own memory (`tile`), finds out what earlier tiles have (`search`), and writes the keys, of which
//!    those with the same value go to neighbouring places.
//!
//! Counts of what tiles have are words of 30 bits; a *segment* of the keys is as long as that allows, and one follows the other.

mod count;
mod search;
mod tile;

use super::GROUP;
use super::kernels::{array_inside, scalar_inside};
use crate::imp_gen::operators::sort::rank::{DIGIT_BITS, DIGIT_VALUES};
use crate::imp_gen::operators::sort::{KeyKind, Sort};
use crate::imp_gen::repr::{Array, Lead, Part, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{DeviceStmt, Elem, Exp, LoopForm, Prim, Stmt};

const I64: Elem = Elem::Prim(Prim::I64);

/// A segment has so many tiles at most.
const SEGMENT_TILES: i64 = 1 << 17;

// A thread has one value of a digit.
const _: () = assert!(GROUP == DIGIT_VALUES);

/// How many keys a thread has. The number is odd, so that threads whose keys are neighbours read from different banks.
fn keys_each(kind: KeyKind) -> i64 {
    if kind.bits().size() == 8 { 9 } else { 15 }
}

fn tile_length(kind: KeyKind) -> i64 {
    keys_each(kind) * GROUP
}

fn segment_length(kind: KeyKind) -> i64 {
    tile_length(kind) * SEGMENT_TILES
}

/// Pointers to keys, as bits, and to the places they had.
#[derive(Clone)]
struct KeyPointers {
    keys: Exp,
    /// If they are needed.
    places: Option<Exp>,
}

impl KeyPointers {
    /// As arrays of so many elements, so that a launch says what it reaches by them.
    fn reprs(&self, kind: KeyKind, width: &Exp) -> Vec<Repr> {
        let places = self.places.as_ref().map(|places| lent_array(Prim::I64, places, width));
        [Some(lent_array(kind.bits(), &self.keys, width)), places].into_iter().flatten().collect()
    }

    fn inside(&self, given: &mut dyn Iterator<Item = Repr>) -> KeyPointers {
        let mut pointer = || pointer_inside(given.next());
        KeyPointers { keys: pointer(), places: self.places.as_ref().map(|_| pointer()) }
    }
}

/// An array that others keep.
fn lent_array(prim: Prim, ptr: &Exp, width: &Exp) -> Repr {
    Repr::Array(Array {
        prim,
        lead: vec![Lead { size: width.clone(), stride: Exp::i64(1) }],
        row_major_from: 0,
        tail: Vec::new(),
        offsets: Vec::new(),
        data: Part::lent(ptr.clone()),
        counted: None,
    })
}

fn pointer_inside(given: Option<Repr>) -> Exp {
    array_inside(given.expect("imp_gen: a kernel lacks arrays")).data.ptr
}

/// One move of all keys by one digit. There is one kernel for all of them.
struct Move {
    kind: KeyKind,
    from: KeyPointers,
    to: KeyPointers,
    /// The number of the digit.
    digit: Exp,
    /// Nothing was moved yet: keys are where they were.
    is_first: Exp,
    /// The sorted keys are needed, not only their places.
    keeps_keys: Exp,
}

/// What all moves share.
struct Common {
    width: Exp,
    segments: Exp,
    /// For each digit where its values begin, for segments with an even number, and the same for the others.
    starts: Array,
    /// The published counts of each tile of a segment, one for each digit; then how many tiles were taken.
    tile_states: Array,
}

/// Keys that are sorted: where they are, where they go, and by how many digits, from the lowest on.
struct Sorting {
    kind: KeyKind,
    width: Exp,
    source: Exp,
    out: KeyPointers,
    /// The sorted keys are needed, not only their places.
    keeps_keys: bool,
    digits: Exp,
}

impl Gen<'_> {
    pub fn device_sort(&mut self, sort: &Sort) {
        let width = self.scalar(sort.width);
        let kind = self.sorted_kind(sort);
        let source = self.keys_in_memory(sort.keys);
        let sorted = self.sorted_arrays(sort, kind, &width);
        let source = self.key_pointer(kind, &source);
        let places = sorted.places.as_ref().map(|places| places.data.ptr.clone());
        let out = KeyPointers { keys: self.key_pointer(kind, &sorted.keys), places };
        let (keeps_keys, digits) = (sort.yields.has_keys(), Exp::i64(kind.digits()));
        self.radix_sort(&Sorting { kind, width, source, out, keeps_keys, digits });
        self.bind_sorted(sorted);
    }

    /// Keys of type `u32`, of which only so many of the lowest digits differ, in ascending order, and the places that they had. Equal keys
    /// keep their order.
    pub fn sort_low_digits(&mut self, keys: &Array, width: &Exp, digits: Exp) -> (Array, Array) {
        let kind = KeyKind { prim: Prim::U32, places: true };
        let size = std::slice::from_ref(width);
        let sorted = self.new_array_named("sorted", kind.prim, size, "sort");
        let places = self.new_array_named("places", Prim::I64, size, "sort");
        let out = KeyPointers { keys: sorted.data.ptr.clone(), places: Some(places.data.ptr.clone()) };
        let (width, source) = (width.clone(), keys.data.ptr.clone());
        self.radix_sort(&Sorting { kind, width, source, out, keeps_keys: true, digits });
        (sorted, places)
    }

    fn radix_sort(&mut self, sorting: &Sorting) {
        let (kind, width) = (sorting.kind, sorting.width.clone());
        let segment = segment_length(kind);
        let segments = self.code.atom("segments", width.clone().add(segment - 1).quot(segment));
        let starts = self.digit_starts(kind, &sorting.source, &width, &segments);
        let tiles = width.clone().min(segment).add(tile_length(kind) - 1).quot(tile_length(kind));
        let words = self.code.atom("words", tiles.mul(DIGIT_VALUES).add(1));
        let tile_states = self.new_array_named("states", Prim::I32, &[words], "sort");
        self.move_by_digits(sorting, &Common { width, segments, starts, tile_states });
    }

    /// The moves lead to and fro between two places; the last one leads to the results.
    fn move_by_digits(&mut self, sorting: &Sorting, common: &Common) {
        let Sorting { kind, source, out, keeps_keys, digits, .. } = sorting;
        let kind = *kind;
        let spare = match digits.as_i64() {
            Some(1) => out.clone(),
            Some(_) | None => self.spare_side(kind, &common.width),
        };
        let from = self.side_variables(out, "from");
        let to = self.side_variables(out, "to");
        self.set_side(&from, &KeyPointers { keys: source.clone(), places: out.places.clone() });
        self.each(0, digits.clone(), LoopForm::Plain, &mut |this, digit| {
            let left = digits.clone().sub(1).sub(digit.clone());
            this.code.open();
            this.set_side(&to, out);
            let then = this.code.close();
            this.code.open();
            this.set_side(&to, &spare);
            let els = this.code.close();
            this.code.if_(left.clone().rem(2).eq(0), then, els);
            let is_first = this.code.bind("is_first", digit.clone().eq(0)).into();
            let keeps_keys = match keeps_keys {
                true => Exp::bool(true),
                false => this.code.bind("keeps_keys", Exp::i64(0).lt(left)).into(),
            };
            let (from, to) = (from.clone(), to.clone());
            let step = Move { kind, from, to, digit, is_first, keeps_keys };
            this.move_segments(common, &step);
            this.set_side(&step.from, &step.to);
        });
    }

    fn spare_side(&mut self, kind: KeyKind, width: &Exp) -> KeyPointers {
        let mut spare =
            |prim: Prim| self.new_array_named("spare", prim, std::slice::from_ref(width), "sort").data.ptr;
        KeyPointers { keys: spare(kind.bits()), places: kind.places.then(|| spare(Prim::I64)) }
    }

    /// Variables for pointers like these.
    fn side_variables(&mut self, like: &KeyPointers, name: &str) -> KeyPointers {
        let mut variable = |ptr: &Exp| {
            let ty = self.code.ty(ptr);
            self.code.new_var(name, ty).into()
        };
        KeyPointers { keys: variable(&like.keys), places: like.places.as_ref().map(variable) }
    }

    fn set_side(&mut self, variables: &KeyPointers, side: &KeyPointers) {
        let pairs =
            [(Some(&variables.keys), Some(&side.keys)), (variables.places.as_ref(), side.places.as_ref())];
        for (variable, value) in pairs {
            if let (Some(Exp::Var(var)), Some(value)) = (variable, value) {
                self.code.set(*var, value.clone());
            }
        }
    }

    fn move_segments(&mut self, common: &Common, step: &Move) {
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
                ptr: common.tile_states.data.ptr.clone(),
                count: words,
            };
            this.code.push(Stmt::Device(clear));
            // Where the values begin for this segment, and for the next one.
            let row =
                |number: Exp| number.rem(2).mul(kind.digits()).add(step.digit.clone()).mul(DIGIT_VALUES);
            let row_of_this = this.code.atom("row", row(segment.clone()));
            let next_row = this.code.atom("next_row", row(segment.add(1)));
            let scalars = [
                first.into(),
                end,
                tiles.clone(),
                row_of_this,
                next_row,
                step.digit.clone(),
                step.is_first.clone(),
                step.keeps_keys.clone(),
            ];
            let mut extra: Vec<Repr> = scalars.into_iter().map(Repr::Scalar).collect();
            extra.extend([&common.starts, &common.tile_states].map(|array| Repr::Array(array.clone())));
            extra.extend(step.from.reprs(kind, &common.width));
            extra.extend(step.to.reprs(kind, &common.width));
            this.launch_groups("sort", &[], &extra, tiles, &mut |this, arrays, given| {
                let mut given = given.into_iter();
                let [first, end, tiles, row, next_row, digit, is_first, keeps_keys] =
                    std::array::from_fn(|_| scalar_inside(given.next()));
                let [starts, tile_states] = std::array::from_fn(|_| {
                    array_inside(given.next().expect("imp_gen: a kernel lacks arrays"))
                });
                let (from, to) = (step.from.inside(&mut given), step.to.inside(&mut given));
                let step = Move { kind, from, to, digit, is_first, keeps_keys };
                let part = tile::Part { first, end, tiles, row, next_row, starts, tile_states };
                this.move_tile(arrays, &step, &part);
            });
        });
    }

    /// Where a digit begins.
    fn first_bit(digit: &Exp) -> Exp {
        digit.clone().mul(DIGIT_BITS)
    }
}
