//! Irregular arrays on the device: their offsets, checks of their lengths, and updates of their rows.
//!
//! Offsets are the exclusive prefix sum of the lengths, in one kernel with decoupled look-back (`lookback`). A map that computes lengths
//! adds them up in the same kernel, if rows of these lengths follow (`map_with_offsets`). Offsets are computed once for an array of lengths and kept
//! with it (`known_offsets`), and a number that the host has read once is not read again.
//!
//! Checks make sure that lengths are not negative and add up to a total; sums of lengths saturate instead of wrapping around (`totals`).

use super::GROUP;
use super::kernel::Kernel;
use super::kernels::{array_inside, scalar_inside};
use super::tile_loop::TileLoop;
use crate::imp_gen::operators::cost::Cost;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::{Array, Part, Repr};
use crate::imp_gen::state::Gen;
use crate::imp_gen::totals::MOST_ELEMENTS;
use crate::imp_gen::views::At;
use norn_ir::failure::CheckKind;
use norn_ir::imp::{DeviceStmt, Elem, Exp, GroupArray, GroupExp, LoopForm, Prim, Stmt, Var as ImpVar};
use norn_ir::nest::Var;

const I64: Elem = Elem::Prim(Prim::I64);
/// How many lengths a thread has, by the number of arrays of lengths.
const EACH: [i64; MOST_COLUMNS] = [9, 5, 3];
/// More arrays of lengths than these are not added up at once.
pub const MOST_COLUMNS: usize = 3;
// What a tile adds up does not wrap around.
const _: () = assert!(MOST_ELEMENTS < i64::MAX / (EACH[0] * GROUP + 1));

/// A tile of lengths: how many each thread has, which one it is, and how many lengths there are in all.
struct Tile {
    each: i64,
    tile: Exp,
    count: Exp,
}

/// A kernel that adds up so many columns of lengths: what it is called and handed, how many lengths there are, and whether it costs little
/// to compute them.
struct Adding<'a> {
    name: &'static str,
    captured: &'a [Var],
    handed: &'a [Repr],
    count: Exp,
    columns: usize,
    is_cheap: bool,
}

/// The lengths at an index, one for each column, of what a kernel was handed.
type LengthsAt<'a, 'g> = dyn FnMut(&mut Gen<'g>, &[Repr], &Exp) -> Vec<Exp> + 'a;

impl<'g> Gen<'g> {
    /// Where rows of these lengths begin and end: computed once, and kept as long as the lengths are.
    pub fn known_offsets(&mut self, lengths: Var) -> Part {
        if let Some((part, _)) = self.offsets.get(&lengths) {
            return part.clone();
        }
        let array = self.array(lengths);
        let part = self.offsets_on_device(&array);
        if let Some(owner) = part.owner {
            self.owners.join(owner, lengths);
        }
        self.offsets.insert(lengths, (part.clone(), self.owners.depth()));
        part
    }

    /// Where rows of these lengths begin and end, in one array.
    pub fn offsets_on_device(&mut self, lengths: &Array) -> Part {
        let handed = [Repr::Array(lengths.clone())];
        let count = lengths.length();
        let adding =
            Adding { name: "segment", captured: &[], handed: &handed, count, columns: 1, is_cheap: true };
        let mut parts = self.launch_offsets(adding, &mut |this, handed, i| {
            let [Repr::Array(lengths)] = handed else { panic!("imp_gen: lengths of no array") };
            let at = this.element_index(lengths, std::slice::from_ref(i));
            vec![this.element(lengths, at)]
        });
        parts.remove(0)
    }

    /// A map, of whose results those with these numbers are lengths: where rows of these begin and end is found in the same kernel.
    pub fn map_with_offsets(&mut self, vars: &[Var], map: &Kernel, lengths: &[usize], grid: &Grid) {
        let count = self.extent(map.points[0].extent);
        let outs = self.nest_outs(vars, std::slice::from_ref(&count));
        let handed: Vec<Repr> = outs.iter().cloned().map(Repr::Array).collect();
        let (captured, columns) = (&grid.captured[..], lengths.len());
        let is_cheap = Cost::of(&map.body).is_cheap();
        let adding = Adding { name: "map", captured, handed: &handed, count, columns, is_cheap };
        let parts = self.launch_offsets(adding, &mut |this, handed, i| {
            let outs: Vec<Array> = handed.iter().cloned().map(array_inside).collect();
            let found: Vec<ImpVar> = lengths.iter().map(|_| this.code.bind("length", Exp::i64(0))).collect();
            this.guarded(&mut |this| {
                let kept = (&map.body.result[..], &outs[..]);
                this.at_kept_element(map, std::slice::from_ref(i), kept, &mut |this| {
                    for (number, found) in lengths.iter().zip(&found) {
                        let length = this.scalar(map.body.result[*number]);
                        this.code.set(*found, length);
                    }
                });
            });
            found.into_iter().map(Exp::Var).collect()
        });
        self.bind_kept(vars, outs);
        for (number, part) in lengths.iter().zip(parts) {
            if let Some(owner) = part.owner {
                self.owners.join(owner, vars[*number]);
            }
            self.offsets.insert(vars[*number], (part, self.owners.depth()));
        }
    }

    /// A kernel that adds up lengths. `lengths` says what they are at an index, of what the kernel is handed.
    fn launch_offsets(&mut self, adding: Adding, lengths: &mut LengthsAt<'_, 'g>) -> Vec<Part> {
        let Adding { name, captured, handed, count, columns, is_cheap } = adding;
        let each = EACH[columns - 1];
        let site = self.operator_site("segment");
        let entries = self.code.atom("entries", count.clone().add(1));
        let (mut parts, mut offsets) = (Vec::new(), Vec::new());
        for _ in 0..columns {
            let part = self.new_part("offsets", Prim::I64, std::slice::from_ref(&entries), site);
            if let Exp::Var(first) = part.ptr {
                self.from_zero.insert(first);
            }
            offsets.push(self.row_major(Prim::I64, std::slice::from_ref(&entries), part.clone()));
            parts.push(part);
        }
        let tiles = count.clone().add(each * GROUP - 1).quot(each * GROUP).max(1);
        let tiles: Exp = self.code.bind("tiles", tiles).into();
        // The states of tiles of one column follow those of the previous column.
        let tile_states = self.new_counts(&tiles.clone().mul(columns as i64), "segment");
        let mut extra: Vec<Repr> = handed.to_vec();
        extra.extend(offsets.into_iter().chain([tile_states]).map(Repr::Array));
        extra.extend([Repr::Scalar(count), Repr::Scalar(tiles.clone())]);
        self.launch_groups(name, captured, &extra, tiles, &mut |this, arrays, mut given| {
            let mut last = || scalar_inside(given.pop());
            let (tiles, count) = (last(), last());
            let tile_states = array_inside(given.pop().expect("imp_gen: a kernel was handed too little"));
            let offsets: Vec<Array> =
                given.split_off(given.len() - columns).into_iter().map(array_inside).collect();
            let tile = this.take_counted_tile(arrays, &tile_states, &tiles.clone().mul(columns as i64));
            let tile = Tile { each, tile, count };
            let shared =
                this.tile_lengths(arrays, &tile, columns, is_cheap, &mut |this, i| lengths(this, &given, i));
            for (number, (shared, offsets)) in shared.into_iter().zip(&offsets).enumerate() {
                let before = tiles.clone().mul(number as i64);
                this.add_up_tile(arrays, &tile, shared, &this.counts_from(&tile_states, &before));
                this.store_offsets(offsets, shared, &tile);
            }
        });
        parts
    }

    /// The lengths of a tile in shared memory; 0 behind the last. There is a barrier in this.
    fn tile_lengths(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        tile: &Tile,
        columns: usize,
        is_cheap: bool,
        lengths: &mut dyn FnMut(&mut Self, &Exp) -> Vec<Exp>,
    ) -> Vec<ImpVar> {
        let Tile { each, tile, count } = tile;
        let shared: Vec<ImpVar> =
            (0..columns).map(|_| self.shared_array(arrays, "lengths", Prim::I64, each * GROUP)).collect();
        let first: Exp = self.code.bind("first", tile.clone().mul(each * GROUP)).into();
        let left = self.code.atom("left", count.clone().sub(first.clone()));
        self.each_of_tile(
            &TileLoop { each: *each, left, is_cheap, written_out: is_cheap },
            &mut |this, place| {
                let i = this.code.atom("i", first.clone().add(place.in_tile.clone()));
                for (length, shared) in lengths(this, &i).into_iter().zip(&shared) {
                    // What a check will refuse is not added.
                    let length = length.max(0).min(MOST_ELEMENTS);
                    this.code.store(I64, *shared, place.in_tile.clone(), length);
                }
            },
            &mut |this, place| {
                shared.iter().for_each(|shared| this.code.store(I64, *shared, place.in_tile.clone(), 0));
            },
        );
        self.barrier();
        shared
    }

    /// Lengths of a tile become sums, of all before them, too. There are barriers in this.
    fn add_up_tile(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        tile: &Tile,
        shared: ImpVar,
        tile_states: &Array,
    ) {
        let Tile { each, tile, count: _ } = tile;
        let thread = Exp::Group(GroupExp::Thread);
        let own: Exp = self.code.bind("own", thread.clone().mul(*each)).into();
        let sum = self.code.bind("sum", Exp::i64(0));
        let add = |this: &mut Self, k: Exp| {
            let at: Exp = this.code.bind("at", own.clone().add(k)).into();
            this.code.set(sum, Exp::Var(sum).add(Exp::load(I64, shared, at.clone())));
            at
        };
        self.each(0, *each, LoopForm::Plain, &mut |this, k| {
            add(this, k);
        });
        let sums = self.sum_group(arrays, Prim::I64, sum);
        let total: Exp = self.code.bind("total", Exp::load(I64, sums, GROUP - 1)).into();
        let total_within = total.min(MOST_ELEMENTS);
        let carry = self.count_before(arrays, tile_states, tile, &total_within);
        let before = Exp::load(I64, sums, thread.clone()).sub(sum);
        self.code.set(sum, carry.add(before));
        self.each(0, *each, LoopForm::Plain, &mut |this, k| {
            let at = add(this, k);
            this.code.store(I64, shared, at, sum);
        });
        self.barrier();
    }

    fn store_offsets(&mut self, offsets: &Array, shared: ImpVar, tile: &Tile) {
        let Tile { each, tile, count } = tile;
        let thread = Exp::Group(GroupExp::Thread);
        let first: Exp = self.code.bind("first", tile.clone().mul(each * GROUP)).into();
        let left = self.code.atom("left", count.clone().sub(first.clone()));
        self.each_of_tile(
            &TileLoop { each: *each, left, is_cheap: true, written_out: true },
            &mut |this, place| {
                let next = first.clone().add(place.in_tile.clone()).add(1);
                this.store(offsets, &[next], Exp::load(I64, shared, place.in_tile.clone()));
            },
            &mut |_, _| {},
        );
        self.code.open();
        self.store(offsets, &[Exp::i64(0)], Exp::i64(0));
        let block = self.code.close();
        self.code.when(thread.add(first).eq(0), block);
    }

    pub fn lengths_on_device(&mut self, var: Var, array: &Array) {
        let result = self.new_array(var, Prim::I64, &[array.length()], "lengths");
        let given = [
            Repr::Array(result.clone()),
            Repr::Scalar(array.offsets[0].ptr.clone()),
            Repr::Scalar(array.lead[0].stride.clone()),
        ];
        self.for_each_on_device("lengths", array.length(), &given, &mut |this, i, given| {
            let [Repr::Array(result), Repr::Scalar(offsets), Repr::Scalar(stride)] = given else {
                panic!("imp_gen: lengths of no array")
            };
            let row = this.code.atom("row", Exp::Var(i).mul(stride.clone()));
            let end = Exp::load(I64, offsets.clone(), row.clone().add(1));
            let length = end.sub(Exp::load(I64, offsets.clone(), row));
            this.store(result, &[i.into()], length);
        });
        self.bind(var, Repr::Array(result));
    }

    /// A number of an array of `i64` in the device's memory. Offsets that were made here do not change: one that was read is known.
    pub fn read_i64(&mut self, ptr: Exp, index: Exp) -> Exp {
        if matches!(&ptr, Exp::Var(var) if self.from_zero.contains(var)) {
            let known = self.code.before().find_map(|stmt| match stmt {
                Stmt::Device(DeviceStmt::Read { vars, elem: _, ptr: from, index: at }) => {
                    (*from == ptr && *at == index).then_some(vars[0])
                }
                _ => None,
            });
            if let Some(known) = known {
                return known.into();
            }
        }
        let var = self.code.new_i64("read");
        self.code.push(Stmt::Device(DeviceStmt::Read { vars: vec![var], elem: I64, ptr, index }));
        var.into()
    }

    /// That lengths are not negative, and add up to a total.
    pub fn check_segments_on_device(&mut self, lengths: Var, total: Exp) {
        let array = self.array(lengths);
        let site = self.check_site(CheckKind::NegativeLength);
        let given = [Repr::Array(array.clone())];
        self.for_each_on_device("segment", array.length(), &given, &mut |this, i, given| {
            let [Repr::Array(lengths)] = given else { panic!("imp_gen: lengths of no array") };
            let at = this.element_index(lengths, &[i.into()]);
            let length = this.element(lengths, at);
            let length: Exp = this.code.bind("length", length).into();
            this.guarded(&mut |this| {
                this.code.check(Exp::i64(0).le(length.clone()), site, vec![i.into(), length.clone()]);
            });
        });
        let part = self.known_offsets(lengths);
        let sum = self.total_on_device(&part, &array.length());
        self.require(sum.clone().eq(total.clone()), CheckKind::Segments, vec![sum, total]);
    }

    /// That rows with these numbers have a length, by their offsets.
    pub fn check_lengths_on_device(&mut self, offsets: &Exp, from: &Exp, to: &Exp, length: &Exp) {
        let site = self.check_site(CheckKind::RowSize);
        let count = self.code.atom("count", to.clone().sub(from.clone()));
        let given = [offsets, from, length].map(|exp| Repr::Scalar(exp.clone()));
        self.for_each_on_device("shape", count, &given, &mut |this, i, given| {
            let [Repr::Scalar(offsets), Repr::Scalar(from), Repr::Scalar(want)] = given else {
                panic!("imp_gen: the shape of no array")
            };
            let row: Exp = this.code.bind("row", from.clone().add(i)).into();
            let end = Exp::load(I64, offsets.clone(), row.clone().add(1));
            let length = end.sub(Exp::load(I64, offsets.clone(), row));
            let length: Exp = this.code.bind("length", length).into();
            this.guarded(&mut |this| {
                this.code.check(length.clone().eq(want.clone()), site, vec![want.clone(), length.clone()]);
            });
        });
    }

    /// Rows are replaced by such as have the same lengths (`elements` has made sure), in place.
    pub fn update_rows_on_device(&mut self, array: &Array, slice: &[At], value: &Repr) -> Array {
        let Repr::Array(value) = value else { panic!("imp_gen: an irregular row that is no array") };
        let Some(Repr::Array(rows)) = self.part_of(array, slice).pop() else {
            panic!("imp_gen: an update of no row")
        };
        if rows.is_regular() {
            self.copy_into(&rows, value);
        } else {
            let (_, to) = self.joined_rows(rows);
            let (_, from) = self.joined_rows(value.clone());
            self.copy_into(&to, &from);
        }
        array.clone()
    }
}
