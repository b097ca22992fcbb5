//! Rows of different lengths, made and taken apart on the device.

use super::GROUP;
use super::kernels::{array_inside, scalar_inside};
use super::lookback::Combine;
use super::tile_loop::TileLoop;
use crate::imp_gen::repr::{Array, Part, Repr};
use crate::imp_gen::state::Gen;
use crate::imp_gen::totals::MOST_ELEMENTS;
use norn_ir::failure::CheckKind;
use norn_ir::imp::{DeviceStmt, Elem, Exp, GroupArray, GroupExp, LoopForm, Prim, Stmt, Var as ImpVar};
use norn_ir::nest::Var;

const I64: Elem = Elem::Prim(Prim::I64);
/// How many lengths a thread has.
const EACH: i64 = 9;
// What a tile adds up does not wrap around.
const _: () = assert!(MOST_ELEMENTS < i64::MAX / (EACH * GROUP + 1));

impl Gen<'_> {
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
        let array = lengths.clone();
        let count = array.length();
        let site = self.operator_site("segment");
        let entries = self.code.atom("entries", count.clone().add(1));
        let part = self.new_part("offsets", Prim::I64, std::slice::from_ref(&entries), site);
        if let Exp::Var(first) = part.ptr {
            self.from_zero.insert(first);
        }
        let offsets = self.row_major(Prim::I64, &[entries], part.clone());
        let tiles = count.clone().add(EACH * GROUP - 1).quot(EACH * GROUP).max(1);
        let tiles: Exp = self.code.bind("tiles", tiles).into();
        let told = self.new_counts(&tiles, "segment");
        let mut extra: Vec<Repr> = [array, offsets, told].map(Repr::Array).into();
        extra.extend([Repr::Scalar(count), Repr::Scalar(tiles.clone())]);
        self.launch_groups("segment", &[], &extra, tiles, &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let mut next = || given.next().expect("imp_gen: a kernel was handed too little");
            let mut array = || array_inside(next());
            let (lengths, offsets, told) = (array(), array(), array());
            let (count, tiles) = (scalar_inside(Some(next())), scalar_inside(Some(next())));
            let tile = this.take_counted_tile(arrays, &told, &tiles);
            let shared = this.load_lengths(arrays, &lengths, &tile, &count);
            let thread = Exp::Group(GroupExp::Thread);
            let own: Exp = this.code.bind("own", thread.clone().mul(EACH)).into();
            let sum = this.code.bind("sum", Exp::i64(0));
            let add = |this: &mut Self, k: Exp| {
                let at: Exp = this.code.bind("at", own.clone().add(k)).into();
                this.code.set(sum, Exp::Var(sum).add(Exp::load(I64, shared, at.clone())));
                at
            };
            this.each(0, EACH, LoopForm::Plain, &mut |this, k| {
                add(this, k);
            });
            let sums = this.scan_group(arrays, Combine::Count, &[Prim::I64], &[sum.into()])[0];
            let total: Exp = this.code.bind("total", Exp::load(I64, sums, GROUP - 1)).into();
            let told_total = total.min(MOST_ELEMENTS);
            let carry = this.count_before(arrays, &told, &tile, &told_total);
            let before = Exp::load(I64, sums, thread.clone()).sub(sum);
            this.code.set(sum, carry.add(before));
            this.each(0, EACH, LoopForm::Plain, &mut |this, k| {
                let at = add(this, k);
                this.code.store(I64, shared, at, sum);
            });
            this.barrier();
            this.store_offsets(&offsets, shared, &tile, &count);
        });
        part
    }

    /// The lengths of a tile in shared memory; 0 behind the last. There is a barrier in this.
    fn load_lengths(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        lengths: &Array,
        tile: &Exp,
        count: &Exp,
    ) -> ImpVar {
        let shared = self.shared_array(arrays, "lengths", Prim::I64, EACH * GROUP);
        let first: Exp = self.code.bind("first", tile.clone().mul(EACH * GROUP)).into();
        let left = self.code.atom("left", count.clone().sub(first.clone()));
        self.each_of_tile(
            &TileLoop { each: EACH, left, is_cheap: true, written_out: true },
            &mut |this, place| {
                let i = this.code.atom("i", first.clone().add(place.in_tile.clone()));
                let at = this.element_index(lengths, std::slice::from_ref(&i));
                let length = this.element(lengths, at);
                // What a check will refuse is not added.
                let length = length.max(0).min(MOST_ELEMENTS);
                this.code.store(I64, shared, place.in_tile.clone(), length);
            },
            &mut |this, place| this.code.store(I64, shared, place.in_tile.clone(), 0),
        );
        self.barrier();
        shared
    }

    fn store_offsets(&mut self, offsets: &Array, shared: ImpVar, tile: &Exp, count: &Exp) {
        let thread = Exp::Group(GroupExp::Thread);
        let first: Exp = self.code.bind("first", tile.clone().mul(EACH * GROUP)).into();
        let left = self.code.atom("left", count.clone().sub(first.clone()));
        self.each_of_tile(
            &TileLoop { each: EACH, left, is_cheap: true, written_out: true },
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

    /// A number of an array of `i64` in the device's memory.
    pub fn read_i64(&mut self, ptr: Exp, index: Exp) -> Exp {
        let var = self.code.new_i64("read");
        self.code.push(Stmt::Device(DeviceStmt::Read { var, elem: I64, ptr, index }));
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
}
