//! Filter and partition on the device: stream compaction in one kernel, tile by tile, with decoupled look-back (`lookback`).
//!
//! Each thread computes elements that are a group apart (so that accesses coalesce), and keeps them in registers; the flags go to shared
//! memory, where each thread counts some neighbours. The prefix sum of these counts gives each chosen element its place. Of small rows of a known size
//! a thread keeps all scalars; other rows are fetched afterwards, by the numbers of the elements (`flatten/chosen_rows`).
//!
//! The host reads how many elements are chosen, with one wait for several filters that follow each other (`Filters`): results have room for all elements,
//! so no kernel needs the count before.

use super::GROUP;
use super::kernel::{Kernel, tunable};
use super::kernels::scalar_inside;
use super::tile_loop::{TileElement, TileLoop};
use crate::imp_gen::operators::cost::Cost;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::owners::uses_of_stm;
use crate::imp_gen::repr::{Array, Repr, prim_of};
use crate::imp_gen::state::Gen;
use norn_ir::flat::{Out, Tunable};
use norn_ir::imp::{
    BinOp, DeviceStmt, Elem, Exp, GroupArray, GroupExp, LoopForm, Prim, Stmt, UnOp, Var as ImpVar,
};
use norn_ir::nest::{Atom, Dim, Exp as NestExp, Operator, Scalar, Stm, Var};

const I32: Elem = Elem::Prim(Prim::I32);

/// A value that is kept: a scalar, or a small row of these sizes.
struct Column {
    prim: Prim,
    sizes: Vec<i64>,
}

/// Filters that follow each other, and do not need each other: the host reads at once how many all of them have chosen.
pub struct Filters {
    count: usize,
    /// Where that stands.
    counts: Option<Array>,
    /// The variables for what has been launched.
    read: Vec<ImpVar>,
}

impl Filters {
    /// Those at the beginning of these statements, if they are several.
    pub fn of(stms: &[Stm]) -> Option<Filters> {
        let mut bound: Vec<Var> = Vec::new();
        let mut count = 0;
        for stm in stms {
            let is_filter = matches!(&stm.exp, NestExp::Op(Operator::Filter { .. })) && stm.grid.is_some();
            let mut used = Vec::new();
            uses_of_stm(stm, &mut |var| used.push(var));
            if !is_filter || used.iter().any(|var| bound.contains(var)) {
                break;
            }
            bound.extend(&stm.vars);
            count += 1;
        }
        (count > 1).then_some(Filters { count, counts: None, read: Vec::new() })
    }
}

/// The arrays of a choice: those chosen, those not chosen if they are kept, how many there are.
struct Chosen {
    outs: Vec<Array>,
    rest: Vec<Array>,
    count: Array,
    tile_states: Array,
}

impl Gen<'_> {
    pub fn filter_lookback(&mut self, vars: &[Var], kernel: &Kernel, grid: &Grid) {
        let keeps_rest = matches!(kernel.outs[..], [Out::Partition { .. }]);
        let name = if keeps_rest { "partition" } else { "filter" };
        let width = self.extent(kernel.through[0].extent);
        let columns = &vars[1..];
        let kept: Vec<Column> = columns.iter().map(|var| self.kept_column(*var)).collect();
        let tile = tunable(kernel, Tunable::Each) * GROUP;
        let tiles = width.clone().add(tile - 1).quot(tile).max(1);
        let tiles: Exp = self.code.bind("tiles", tiles).into();
        let mut arrays = |name: &str, needed: bool| -> Vec<Array> {
            if !needed {
                return Vec::new();
            }
            let sizes = |column: &Column| -> Vec<Exp> {
                [width.clone()].into_iter().chain(column.sizes.iter().map(|size| Exp::i64(*size))).collect()
            };
            kept.iter().map(|column| self.new_array_named(name, column.prim, &sizes(column), name)).collect()
        };
        let (outs, rest) = (arrays("chosen", true), arrays("rest", keeps_rest));
        let count = self.place_for_count(vars, name);
        let chosen = Chosen { outs, rest, count, tile_states: self.new_counts(&tiles, name) };
        let mut extra = chosen.reprs();
        extra.push(Repr::Scalar(width.clone()));
        extra.push(Repr::Scalar(tiles.clone()));
        self.launch_groups(name, &grid.captured, &extra, tiles, &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let chosen = chosen.inside(&mut given);
            let (width, tiles) = (scalar_inside(given.next()), scalar_inside(given.next()));
            this.filter_tile(arrays, kernel, &kept, &chosen, &width, &tiles);
        });
        let count = self.read_count(&chosen.count);
        self.bind(vars[0], Repr::Scalar(count.clone()));
        let rows = if keeps_rest { width.clone() } else { count.clone() };
        let Chosen { outs, rest, .. } = chosen;
        // Behind the chosen comes the rest, whose place is known now.
        for ((out, rest), column) in outs.iter().zip(rest).zip(&kept) {
            let elem = Elem::Prim(out.prim);
            let to = Exp::offset(elem, out.data.ptr.clone(), count.clone().mul(column.count()));
            let left = width.clone().sub(count.clone()).mul(column.count());
            let left = self.code.atom("left", left);
            let copy = DeviceStmt::Copy { elem, to, from: rest.data.ptr.clone(), count: left };
            self.code.push(Stmt::Device(copy));
        }
        for (var, mut out) in columns.iter().zip(outs) {
            out.lead[0].size = rows.clone();
            self.bind(*var, Repr::Array(out));
        }
    }

    /// Where it stands how many are chosen. Filters that follow each other have one array for that.
    fn place_for_count(&mut self, vars: &[Var], name: &str) -> Array {
        let Some(Filters { count, counts, read }) = self.filters.take() else {
            return self.new_array_named("count", Prim::I64, &[Exp::i64(1)], name);
        };
        let counts = counts
            .unwrap_or_else(|| self.new_array_named("counts", Prim::I64, &[Exp::i64(count as i64)], name));
        // It is there until they are read.
        if let Some(owner) = counts.data.owner {
            vars.iter().for_each(|var| self.owners.join(owner, *var));
        }
        let mut own = counts.clone();
        let at = Exp::i64(read.len() as i64);
        let ptr = Exp::offset(Elem::Prim(Prim::I64), counts.data.ptr.clone(), at);
        own.data.ptr = self.code.atom("count", ptr);
        own.lead[0].size = Exp::i64(1);
        self.filters = Some(Filters { count, counts: Some(counts), read });
        own
    }

    /// How many are chosen. The last of several filters reads the counts of all.
    fn read_count(&mut self, own: &Array) -> Exp {
        let Some(Filters { count, counts: Some(counts), mut read }) = self.filters.take() else {
            return self.element(own, Exp::i64(0));
        };
        let var = self.code.new_i64("count");
        read.push(var);
        if read.len() == count {
            let (elem, ptr) = (Elem::Prim(Prim::I64), counts.data.ptr.clone());
            let index = Exp::i64(0);
            self.code.push(Stmt::Device(DeviceStmt::Read { vars: read, elem, ptr, index }));
        } else {
            self.filters = Some(Filters { count, counts: Some(counts), read });
        }
        var.into()
    }

    fn kept_column(&self, var: Var) -> Column {
        let ty = self.ty(var);
        let size = |dim: &Dim| match dim.atom() {
            Some(Atom::Const(Scalar::I64(size))) => size,
            _ => panic!("imp_gen: a filter of rows that a thread cannot keep"),
        };
        let prim = prim_of(ty.elem().expect("imp_gen: an array of no values"));
        Column { prim, sizes: ty.dims()[1..].iter().map(size).collect() }
    }

    fn filter_tile(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        kernel: &Kernel,
        columns: &[Column],
        chosen: &Chosen,
        width: &Exp,
        tiles: &Exp,
    ) {
        let each = tunable(kernel, Tunable::Each);
        let thread = Exp::Group(GroupExp::Thread);
        let tile = self.take_counted_tile(arrays, &chosen.tile_states, tiles);
        let first: Exp = self.code.bind("first", tile.clone().mul(each * GROUP)).into();
        let places = self.shared_array(arrays, "places", Prim::I32, each * GROUP);
        let own: Vec<Vec<ImpVar>> = columns
            .iter()
            .map(|column| {
                let own = |_| self.thread_array(arrays, "own", column.prim, each);
                (0..column.count()).map(own).collect()
            })
            .collect();
        // Whether each is chosen.
        let left = self.code.atom("left", width.clone().sub(first.clone()));
        let elements =
            TileLoop { each, left, is_cheap: Cost::of(&kernel.body).is_cheap(), written_out: true };
        let set = |this: &mut Self, place: &TileElement, holds: Exp| {
            this.code.store(I32, places, place.in_tile.clone(), holds.convert(Prim::Bool, Prim::I32));
        };
        self.each_of_tile(
            &elements,
            &mut |this, place| {
                let i: Exp = this.code.bind("i", first.clone().add(place.in_tile.clone())).into();
                let holds = this.code.bind("holds", Exp::bool(false));
                this.guarded(&mut |this| {
                    this.at_element(kernel, std::slice::from_ref(&i), &[], &mut |this| {
                        let results = &kernel.body.result;
                        for ((own, column), atom) in own.iter().zip(columns).zip(&results[1..]) {
                            for (number, own) in own.iter().enumerate() {
                                let value = match this.value(*atom) {
                                    Repr::Array(row) => {
                                        let at = this.element_index(&row, &column.indices(number));
                                        this.element(&row, at)
                                    }
                                    _ => this.scalar(*atom),
                                };
                                this.code.store(Elem::Prim(column.prim), *own, place.round.clone(), value);
                            }
                        }
                        let value = this.scalar(results[0]);
                        this.code.set(holds, value);
                    });
                });
                set(this, place, holds.into());
            },
            &mut |this, place| set(this, place, Exp::bool(false)),
        );
        self.barrier();
        // How many before each of a thread's own, then before the thread's, then before the tile.
        let begin: Exp = self.code.bind("begin", thread.clone().mul(each)).into();
        let plus = |x: ImpVar, y: Exp| Exp::bin(BinOp::Add, Prim::I32, x, y);
        let sum = self.code.bind("sum", Scalar::I32(0));
        self.each(0, each, LoopForm::Plain, &mut |this, k| {
            let at: Exp = this.code.bind("at", begin.clone().add(k)).into();
            let one = this.code.bind("one", Exp::load(I32, places, at));
            this.code.set(sum, plus(sum, one.into()));
        });
        let sums = self.sum_group(arrays, Prim::I32, sum);
        let total = Exp::load(I32, sums, GROUP - 1).convert(Prim::I32, Prim::I64);
        let total: Exp = self.code.bind("total", total).into();
        let carry = self.count_before(arrays, &chosen.tile_states, &tile, &total);
        let up_to = Exp::load(I32, sums, thread.clone());
        let before = self.code.bind("before", Exp::bin(BinOp::Sub, Prim::I32, up_to, sum));
        self.each(0, each, LoopForm::Plain, &mut |this, k| {
            let at: Exp = this.code.bind("at", begin.clone().add(k)).into();
            let one = this.code.bind("one", Exp::load(I32, places, at.clone()));
            // Where it goes; of those that are not chosen, the number below 0 that says how many are before it.
            let is_chosen = Exp::bin(BinOp::Eq, Prim::I32, one, Scalar::I32(1));
            let other = Exp::un(UnOp::Not, Prim::I32, before);
            this.code.store(I32, places, at, Exp::select(is_chosen, before, other));
            this.code.set(before, plus(before, one.into()));
        });
        self.barrier();
        self.each_of_tile(
            &TileLoop { is_cheap: true, ..elements },
            &mut |this, place| {
                let number = Exp::load(I32, places, place.in_tile.clone()).convert(Prim::I32, Prim::I64);
                let number: Exp = this.code.bind("number", number).into();
                let mut values: Vec<Vec<Exp>> = Vec::with_capacity(own.len());
                for (own, column) in own.iter().zip(columns) {
                    let load = |own: &ImpVar| {
                        let value = Exp::load(Elem::Prim(column.prim), *own, place.round.clone());
                        this.code.bind("value", value).into()
                    };
                    values.push(own.iter().map(load).collect());
                }
                this.code.open();
                let at: Exp = this.code.bind("at", carry.clone().add(number.clone())).into();
                for ((out, values), column) in chosen.outs.iter().zip(&values).zip(columns) {
                    this.store_kept(out, &at, column, values);
                }
                let taken = this.code.close();
                this.code.open();
                if !chosen.rest.is_empty() {
                    // As many are not chosen before it as there are elements before it, less those that are.
                    let i = first.clone().add(place.in_tile.clone());
                    let before = carry.clone().add(Exp::i64(-1).sub(number.clone()));
                    let at: Exp = this.code.bind("at", i.sub(before)).into();
                    for ((rest, values), column) in chosen.rest.iter().zip(&values).zip(columns) {
                        this.store_kept(rest, &at, column, values);
                    }
                }
                let left = this.code.close();
                this.code.if_(Exp::i64(0).le(number), taken, left);
            },
            &mut |_, _| {},
        );
        // The last tile knows how many there are in all.
        self.code.open();
        self.store(&chosen.count, &[Exp::i64(0)], carry.add(total));
        let block = self.code.close();
        let is_last = tile.add(1).eq(tiles.clone());
        self.code.when(thread.eq(0).and(is_last), block);
    }
}

impl Gen<'_> {
    fn store_kept(&mut self, to: &Array, at: &Exp, column: &Column, values: &[Exp]) {
        for (number, value) in values.iter().enumerate() {
            let indices: Vec<Exp> = [at.clone()].into_iter().chain(column.indices(number)).collect();
            self.store(to, &indices, value.clone());
        }
    }
}

impl Column {
    /// How many scalars it has.
    fn count(&self) -> i64 {
        self.sizes.iter().product()
    }

    /// Where the scalar with this number is in a row.
    fn indices(&self, number: usize) -> Vec<Exp> {
        let mut left = number as i64;
        let mut indices: Vec<Exp> = Vec::with_capacity(self.sizes.len());
        for size in self.sizes.iter().rev() {
            indices.push(Exp::i64(left % size));
            left /= size;
        }
        indices.reverse();
        indices
    }
}

impl Chosen {
    fn reprs(&self) -> Vec<Repr> {
        let arrays = self.outs.iter().chain(&self.rest).chain([&self.count, &self.tile_states]);
        arrays.cloned().map(Repr::Array).collect()
    }

    fn inside(&self, given: &mut dyn Iterator<Item = Repr>) -> Chosen {
        let mut arrays = |count: usize| -> Vec<Array> {
            (0..count)
                .map(|_| match given.next() {
                    Some(Repr::Array(array)) => array,
                    Some(Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert) | None => {
                        panic!("imp_gen: an array was handed to a kernel as something else")
                    }
                })
                .collect()
        };
        let (outs, rest) = (arrays(self.outs.len()), arrays(self.rest.len()));
        let (count, tile_states) = (arrays(1).remove(0), arrays(1).remove(0));
        Chosen { outs, rest, count, tile_states }
    }
}
