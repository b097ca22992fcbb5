//! Prefix sums over a whole array in one kernel: single pass, with decoupled look-back (Merrill and Garland, 2016).
//!
//! The array is cut into tiles, which groups take in order from a ticket counter. A group adds up its tile and publishes this
//! aggregate (`AGGREGATE`). Then it looks back, each thread at one tile, for the nearest that has published the sum of everything up to
//! its end (`PREFIX`), adds the aggregates of the tiles after that one, and publishes its own prefix. A group waits only for tiles that were taken before its own, so there is
//! always one that can go on. If there is one tile only, nobody waits for anything, so nothing has to be cleared before. Where the aggregate is one whole number, value and status are packed into one word, and the look-back is one statement (`LookBack`).

use super::GROUP;
use super::groups::FEW_THREADS;
use super::room::{ROW, bytes_of, places};
use crate::imp_gen::operators::elementwise::primitive_columns;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{
    BinOp, DeviceStmt, Elem, Exp, GroupArray, GroupExp, GroupStmt, LoopForm, Prim, Scalar, Stmt, Type,
    Var as ImpVar, WARP, WORDS_PER_TILE,
};
use norn_ir::nest::Lambda;

const I32: Elem = Elem::Prim(Prim::I32);
const AGGREGATE: i32 = 1;
const PREFIX: i32 = 2;

/// How two values are combined, column by column or not.
#[derive(Clone, Copy)]
pub enum Combine<'a> {
    Lambda(&'a Lambda),
    /// A segmented scan. The first column is a flag: where it is set, the sum restarts and what comes before does not count.
    Segmented(&'a Lambda),
}

impl Combine<'_> {
    /// The operators on numbers that threads combine by one statement for each column, if that is all there is to do.
    fn operators(self, prims: &[Prim]) -> Option<Vec<BinOp>> {
        let operators = match self {
            Combine::Lambda(lambda) => primitive_columns(lambda)?.into_iter().map(|(op, _)| op).collect(),
            Combine::Segmented(_) => return None,
        };
        prims.iter().all(|prim| matches!(prim.size(), 4 | 8)).then_some(operators)
    }

    /// The operator of the aggregates, if they are one whole number, so that status and value fit into one word.
    fn packed_operator(self, prims: &[Prim]) -> Option<(BinOp, Prim)> {
        match (&self.operators(prims)?[..], prims) {
            ([op], [prim]) if prim.is_int() => Some((*op, *prim)),
            _ => None,
        }
    }
}

/// The published state of each tile: its status, its aggregate, and its inclusive prefix.
pub enum Tiles {
    /// Numbers that this operator combines in one statement, and at the end how many tiles were taken.
    Packed { tile_states: Array, op: BinOp, prim: Prim },
    Columns {
        /// For each tile how far it is, and at the end how many tiles were taken.
        status: Array,
        /// For each column the sums of tiles, and those of everything up to their ends.
        aggregates: Vec<Array>,
        prefixes: Vec<Array>,
    },
}

/// Where it stands how many tiles were taken.
fn ticket_of_counts(tiles: &Exp) -> Exp {
    tiles.clone().mul(WORDS_PER_TILE)
}

impl Tiles {
    pub fn reprs(&self) -> Vec<Repr> {
        let arrays: Vec<&Array> = match self {
            Tiles::Packed { tile_states, .. } => vec![tile_states],
            Tiles::Columns { status, aggregates, prefixes } => {
                [status].into_iter().chain(aggregates).chain(prefixes).collect()
            }
        };
        arrays.into_iter().cloned().map(Repr::Array).collect()
    }

    pub fn inside(&self, given: &mut dyn Iterator<Item = Repr>) -> Tiles {
        let mut array = || match given.next() {
            Some(Repr::Array(array)) => array,
            Some(Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert) | None => {
                panic!("imp_gen: tiles were handed to a kernel as something else")
            }
        };
        match self {
            Tiles::Packed { tile_states: _, op, prim } => {
                Tiles::Packed { tile_states: array(), op: *op, prim: *prim }
            }
            Tiles::Columns { status: _, aggregates, prefixes } => {
                let status = array();
                let aggregates = aggregates.iter().map(|_| array()).collect();
                let prefixes = prefixes.iter().map(|_| array()).collect();
                Tiles::Columns { status, aggregates, prefixes }
            }
        }
    }
}

impl Gen<'_> {
    /// States for so many tiles, none of which has published anything.
    pub fn new_tiles(&mut self, op: Combine, prims: &[Prim], tiles: &Exp, operator: &str) -> Tiles {
        if let Some((op, prim)) = op.packed_operator(prims) {
            return Tiles::Packed { tile_states: self.new_counts(tiles, operator), op, prim };
        }
        let entries = self.code.atom("entries", tiles.clone().add(1));
        let status = self.new_array_named("status", Prim::I32, std::slice::from_ref(&entries), operator);
        self.clear_for(&status, tiles, &entries);
        let mut columns = |name: &str| -> Vec<Array> {
            prims
                .iter()
                .map(|prim| self.new_array_named(name, *prim, std::slice::from_ref(tiles), operator))
                .collect()
        };
        let aggregates = columns("aggregates");
        let prefixes = columns("prefixes");
        Tiles::Columns { status, aggregates, prefixes }
    }

    /// States of tiles that count elements, and at the end how many tiles were taken.
    pub fn new_counts(&mut self, tiles: &Exp, operator: &str) -> Array {
        let entries = self.code.atom("entries", ticket_of_counts(tiles).add(1));
        let tile_states = self.new_array_named("states", Prim::I32, std::slice::from_ref(&entries), operator);
        self.clear_for(&tile_states, tiles, &entries);
        tile_states
    }

    /// Nothing has been published by so many tiles.
    fn clear_for(&mut self, states: &Array, tiles: &Exp, entries: &Exp) {
        let count = Exp::select(Exp::i64(1).lt(tiles.clone()), entries.clone(), Exp::i64(0));
        let clear = DeviceStmt::Clear { elem: I32, ptr: states.data.ptr.clone(), count };
        self.code.push(Stmt::Device(clear));
    }

    /// The part of that for other tiles, behind so many.
    pub fn counts_from(&self, tile_states: &Array, tiles: &Exp) -> Array {
        let mut part = tile_states.clone();
        part.data.ptr = Exp::offset(I32, tile_states.data.ptr.clone(), ticket_of_counts(tiles));
        part
    }

    // # In a kernel

    /// The number of the tile that the group takes, where tiles count. There is a barrier in this.
    pub fn take_counted_tile(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        tile_states: &Array,
        tiles: &Exp,
    ) -> Exp {
        self.take_one_of(arrays, tile_states, tiles, &ticket_of_counts(tiles))
    }

    /// The number of one of so many tiles, of which it stands there how many were taken.
    fn take_one_of(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        states: &Array,
        tiles: &Exp,
        ticket: &Exp,
    ) -> Exp {
        let tile = self.code.bind("tile", 0);
        self.code.open();
        let taken = self.take_ticket(arrays, states.data.ptr.clone(), ticket);
        self.code.set(tile, taken);
        let block = self.code.close();
        self.code.when(Exp::i64(1).lt(tiles.clone()), block);
        tile.into()
    }

    /// How many all tiles before have. There is a barrier in this.
    pub fn count_before(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        tile_states: &Array,
        tile: &Exp,
        own: &Exp,
    ) -> Exp {
        let shared = self.shared_array(arrays, "shared", Prim::I64, 1);
        let var = self.code.new_i64("before");
        self.code.push(Stmt::Group(GroupStmt::CountBefore {
            var,
            tile_states: tile_states.data.ptr.clone(),
            tile: tile.clone(),
            own: own.clone(),
            shared: shared.into(),
        }));
        var.into()
    }

    /// The number of the tile that the group takes. There is a barrier in this.
    pub fn take_tile(&mut self, arrays: &mut Vec<GroupArray>, tiles: &Tiles, count: &Exp) -> Exp {
        match tiles {
            Tiles::Packed { tile_states, .. } => self.take_counted_tile(arrays, tile_states, count),
            Tiles::Columns { status, .. } => self.take_one_of(arrays, status, count, count),
        }
    }

    /// How many groups came before this one, of which there is a count in memory. There is a barrier in this.
    pub fn take_ticket(&mut self, arrays: &mut Vec<GroupArray>, ptr: Exp, index: &Exp) -> Exp {
        let taken = self.shared_array(arrays, "taken", Prim::I32, 1);
        self.code.open();
        let old = self.code.new_var("old", Type::Scalar(Prim::I32));
        self.code.push(Stmt::Group(GroupStmt::Atomic {
            op: BinOp::Add,
            prim: Prim::I32,
            ptr,
            index: index.clone(),
            value: Exp::Const(Scalar::I32(1)),
            old: Some(old),
        }));
        self.code.store(I32, taken, 0, old);
        let block = self.code.close();
        self.code.when(Exp::Group(GroupExp::Thread).eq(0), block);
        self.barrier();
        let tile = Exp::load(I32, taken, 0).convert(Prim::I32, Prim::I64);
        self.code.bind("tile", tile).into()
    }

    /// Two values combined.
    pub fn combined(&mut self, op: Combine, left: &[Exp], right: &[Exp]) -> Vec<Exp> {
        let lambda = match op {
            Combine::Segmented(lambda) => {
                let begins =
                    Exp::bin(BinOp::Eq, Prim::I32, right[0].clone(), Exp::Const(Scalar::I32(0))).not();
                let begins = self.code.bind("begins", begins);
                let any = Exp::bin(BinOp::Or, Prim::I32, left[0].clone(), right[0].clone());
                let mut results = vec![self.code.bind("any", any).into()];
                let values: Vec<ImpVar> =
                    right[1..].iter().map(|value| self.code.bind("value", value.clone())).collect();
                self.code.open();
                let sums = self.combined(Combine::Lambda(lambda), &left[1..], &right[1..]);
                for (value, sum) in values.iter().zip(sums) {
                    self.code.set(*value, sum);
                }
                let block = self.code.close();
                self.code.when(Exp::Var(begins).not(), block);
                results.extend(values.into_iter().map(Exp::Var));
                return results;
            }
            Combine::Lambda(lambda) => lambda,
        };
        if let Some(operators) = primitive_columns(lambda) {
            let columns = left.iter().zip(right).zip(operators);
            return columns
                .map(|((x, y), (op, prim))| {
                    self.code.bind("sum", Exp::bin(op, prim, x.clone(), y.clone())).into()
                })
                .collect();
        }
        let args = left.iter().chain(right).cloned().map(Repr::Scalar).collect();
        let mut results = Vec::new();
        self.apply(lambda, args, &[], &mut |this| {
            for atom in &lambda.body.result {
                let value = this.scalar(*atom);
                results.push(this.code.bind("sum", value).into());
            }
        });
        results
    }

    /// Sums over the threads of a group, each with what it has itself: afterwards the shared arrays have them. There
    /// are barriers in this.
    pub fn scan_group(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        op: Combine,
        prims: &[Prim],
        own: &[Exp],
    ) -> Vec<ImpVar> {
        if let Some(operators) = op.operators(prims) {
            return self.scan_numbers(arrays, &operators, prims, own);
        }
        // Steps that are an even number end where they began.
        const _: () = assert!(GROUP.ilog2().is_multiple_of(2) && FEW_THREADS.ilog2().is_multiple_of(2));
        let group = self.group_size;
        let thread = Exp::Group(GroupExp::Thread);
        // Small values have two places, so that nobody writes where others read, and need not wait for them.
        let places = places(bytes_of(prims));
        let room = places * group;
        let sums: Vec<ImpVar> =
            prims.iter().map(|prim| self.shared_array(arrays, "sums", *prim, room)).collect();
        let accs: Vec<ImpVar> = own.iter().map(|value| self.code.bind("acc", value.clone())).collect();
        for ((sums, prim), acc) in sums.iter().zip(prims).zip(&accs) {
            self.code.store(Elem::Prim(*prim), *sums, thread.clone(), *acc);
        }
        self.barrier();
        let apart = self.code.bind("apart", 1);
        // Where a thread reads, and where it writes.
        let from = self.code.bind("from", thread.clone());
        let to = self.code.bind("to", thread.clone().add(room - group));
        self.code.open();
        let others: Vec<ImpVar> =
            prims.iter().map(|prim| self.code.new_var("other", Type::Scalar(*prim))).collect();
        for (other, prim) in others.iter().zip(prims) {
            self.code.set(*other, Exp::Const(Scalar::zero(*prim)));
        }
        let has_other = Exp::Var(apart).le(thread.clone());
        self.code.open();
        for ((other, sums), prim) in others.iter().zip(&sums).zip(prims) {
            self.code.set(*other, Exp::load(Elem::Prim(*prim), *sums, Exp::Var(from).sub(apart)));
        }
        let block = self.code.close();
        self.code.when(has_other.clone(), block);
        if places == 1 {
            self.barrier();
        }
        self.code.open();
        self.guarded(&mut |this| {
            let left: Vec<Exp> = others.iter().map(|var| Exp::Var(*var)).collect();
            let right: Vec<Exp> = accs.iter().map(|var| Exp::Var(*var)).collect();
            let results = this.combined(op, &left, &right);
            for (acc, result) in accs.iter().zip(results) {
                this.code.set(*acc, result);
            }
        });
        let block = self.code.close();
        self.code.when(has_other, block);
        for (acc, (sums, prim)) in accs.iter().zip(sums.iter().zip(prims)) {
            self.code.store(Elem::Prim(*prim), *sums, to, *acc);
        }
        self.barrier();
        self.code.set(apart, Exp::Var(apart).mul(2));
        let next = self.code.bind("next", to);
        self.code.set(to, from);
        self.code.set(from, next);
        let body = self.code.close();
        self.code.while_(Vec::new(), Exp::Var(apart).lt(group), body);
        sums
    }

    /// The same for numbers that are added up.
    pub fn sum_group(&mut self, arrays: &mut Vec<GroupArray>, prim: Prim, own: impl Into<Exp>) -> ImpVar {
        self.scan_numbers(arrays, &[BinOp::Add], &[prim], &[own.into()])[0]
    }

    /// The same where each column is numbers that are combined by an operator of their own.
    fn scan_numbers(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        operators: &[BinOp],
        prims: &[Prim],
        own: &[Exp],
    ) -> Vec<ImpVar> {
        let mut sums = Vec::with_capacity(prims.len());
        let group = self.group_size;
        for ((op, prim), own) in operators.iter().zip(prims).zip(own) {
            let shared = self.shared_array(arrays, "sums", *prim, group + group / WARP);
            let var = self.code.new_var("sum", Type::Scalar(*prim));
            self.code.push(Stmt::Group(GroupStmt::Scan {
                var,
                op: *op,
                prim: *prim,
                own: own.clone(),
                shared: shared.into(),
            }));
            sums.push(shared);
        }
        sums
    }

    /// What all threads of a group have, combined in their order, as each of them knows it then. There are barriers in this, but
    /// few: tiles wait for one another here. So some threads combine a row each, and then everybody what became of the rows.
    fn reduce_group(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        op: Combine,
        prims: &[Prim],
        own: &[ImpVar],
    ) -> Vec<Exp> {
        let thread = Exp::Group(GroupExp::Thread);
        let mut array = |this: &mut Self, name: &str, count: i64| -> Vec<ImpVar> {
            prims.iter().map(|prim| this.shared_array(arrays, name, *prim, count)).collect()
        };
        // Rows are a place longer than they need, so that neighbours are in different banks.
        let (values, rows) = (array(self, "values", GROUP + GROUP / ROW), array(self, "rows", GROUP / ROW));
        let place: Exp = self.code.bind("place", thread.clone().add(thread.clone().quot(ROW))).into();
        for ((values, prim), own) in values.iter().zip(prims).zip(own) {
            self.code.store(Elem::Prim(*prim), *values, place.clone(), *own);
        }
        self.barrier();
        self.code.open();
        let first: Exp = self.code.bind("first", thread.clone().mul(ROW + 1)).into();
        let sums = self.fold_shared(op, prims, &values, &first, ROW);
        for ((rows, prim), sum) in rows.iter().zip(prims).zip(sums) {
            self.code.store(Elem::Prim(*prim), *rows, thread.clone(), sum);
        }
        let block = self.code.close();
        self.code.when(thread.lt(GROUP / ROW), block);
        self.barrier();
        self.fold_shared(op, prims, &rows, &Exp::i64(0), GROUP / ROW)
    }

    /// So many values of shared arrays from a place on, combined in their order.
    fn fold_shared(
        &mut self,
        op: Combine,
        prims: &[Prim],
        from: &[ImpVar],
        first: &Exp,
        count: i64,
    ) -> Vec<Exp> {
        let load = |from: &ImpVar, prim: &Prim, at: Exp| Exp::load(Elem::Prim(*prim), *from, at);
        let mut accs = Vec::with_capacity(prims.len());
        for (from, prim) in from.iter().zip(prims) {
            accs.push(self.code.bind("acc", load(from, prim, first.clone())));
        }
        let values: Vec<Exp> = accs.iter().map(|acc| Exp::Var(*acc)).collect();
        self.guarded(&mut |this| {
            this.each(1, count, LoopForm::Plain, &mut |this, k| {
                let at: Exp = this.code.bind("at", first.clone().add(k)).into();
                let mut next = Vec::with_capacity(prims.len());
                for (from, prim) in from.iter().zip(prims) {
                    next.push(this.code.bind("next", load(from, prim, at.clone())).into());
                }
                let results = this.combined(op, &values, &next);
                accs.iter().zip(results).for_each(|(acc, result)| this.code.set(*acc, result));
            });
        });
        values
    }

    /// What comes before the tile, given what is in it. There are barriers in this.
    #[allow(clippy::too_many_arguments)]
    pub fn look_back(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        op: Combine,
        prims: &[Prim],
        neutral: &[Exp],
        tiles: &Tiles,
        tile: &Exp,
        aggregate: &[Exp],
    ) -> Vec<Exp> {
        let thread = Exp::Group(GroupExp::Thread);
        let first = || Exp::Group(GroupExp::Thread).eq(0);
        let (status, aggregates, prefixes) = match tiles {
            Tiles::Columns { status, aggregates, prefixes } => (status, aggregates, prefixes),
            Tiles::Packed { tile_states, op, prim } => {
                let (op, prim) = (*op, *prim);
                let shared = self.shared_array(arrays, "shared", prim, 1).into();
                let var = self.code.new_var("before", Type::Scalar(prim));
                let (tile_states, tile, own) =
                    (tile_states.data.ptr.clone(), tile.clone(), aggregate[0].clone());
                self.code.push(Stmt::Group(GroupStmt::LookBack {
                    var,
                    op,
                    prim,
                    tile_states,
                    tile,
                    own,
                    shared,
                }));
                return vec![var.into()];
            }
        };
        self.code.open();
        self.code.open();
        self.publish_state(prefixes, status, tile, aggregate, PREFIX);
        let at_once = self.code.close();
        self.code.open();
        self.publish_state(aggregates, status, tile, aggregate, AGGREGATE);
        let so_far = self.code.close();
        self.code.if_(tile.clone().eq(0), at_once, so_far);
        let block = self.code.close();
        self.code.when(first(), block);

        // Each thread looks at one tile, the last thread at the last.
        let before: Exp = self.code.bind("before", tile.clone().add(thread.clone()).sub(GROUP)).into();
        let seen = self.code.new_var("state", Type::Scalar(Prim::I32));
        let nearest = self.find_prefix(arrays, status, &before, seen);
        let mut own: Vec<ImpVar> = Vec::with_capacity(prims.len());
        for value in neutral {
            own.push(self.code.bind("own", value.clone()));
        }
        let own_is = |condition: Exp| condition.and(Exp::i64(0).le(before.clone()));
        let load = |this: &mut Self, from: &[Array]| {
            this.code.open();
            for (own, array) in own.iter().zip(from) {
                let at = this.element_index(array, std::slice::from_ref(&before));
                let value = this.element(array, at);
                this.code.set(*own, value);
            }
            this.code.close()
        };
        let (prefix, sum) = (load(self, prefixes), load(self, aggregates));
        self.code.when(own_is(thread.clone().eq(nearest)), prefix);
        self.code.when(own_is(Exp::Var(nearest).lt(thread)), sum);
        let carry = self.reduce_group(arrays, op, prims, &own);
        self.code.open();
        self.guarded(&mut |this| {
            let total = this.combined(op, &carry, aggregate);
            for (prefix, value) in prefixes.iter().zip(total) {
                this.store(prefix, std::slice::from_ref(tile), value);
            }
        });
        self.publish(status, tile, PREFIX);
        let block = self.code.close();
        self.code.when(first().and(Exp::i64(0).lt(tile.clone())), block);
        carry
    }

    /// The last thread whose tile has published its prefix, once all tiles after it have published their aggregates. Before the first
    /// tile there is nothing: that is known.
    fn find_prefix(
        &mut self,
        arrays: &mut Vec<GroupArray>,
        status: &Array,
        before: &Exp,
        seen: ImpVar,
    ) -> ImpVar {
        let thread = Exp::Group(GroupExp::Thread).convert(Prim::I64, Prim::I32);
        let known = self.shared_array(arrays, "known", Prim::I32, 1);
        let unknown = self.shared_array(arrays, "unknown", Prim::I32, 1);
        let nearest = self.code.bind("nearest", Exp::i64(-1));
        let looks = self.code.bind("looks", Exp::bool(true));
        self.code.open();
        let none = || Exp::Const(Scalar::I32(-1));
        let clear = vec![
            Stmt::Store { elem: I32, ptr: known.into(), index: Exp::i64(0), value: none() },
            Stmt::Store { elem: I32, ptr: unknown.into(), index: Exp::i64(0), value: none() },
        ];
        self.code.when(Exp::Group(GroupExp::Thread).eq(0), clear);
        self.barrier();
        self.code.set(seen, Exp::Const(Scalar::I32(PREFIX)));
        let ptr = status.data.ptr.clone();
        let acquire = GroupStmt::Acquire { var: seen, prim: Prim::I32, ptr, index: before.clone() };
        self.code.when(Exp::i64(0).le(before.clone()), vec![Stmt::Group(acquire)]);
        let note = |into: ImpVar| {
            let (op, prim, ptr, index) = (BinOp::Max, Prim::I32, into.into(), Exp::i64(0));
            vec![Stmt::Group(GroupStmt::Atomic { op, prim, ptr, index, value: thread.clone(), old: None })]
        };
        let is =
            |status: i32| Exp::bin(BinOp::Eq, Prim::I32, Exp::Var(seen), Exp::Const(Scalar::I32(status)));
        self.code.when(is(PREFIX), note(known));
        self.code.when(is(0), note(unknown));
        self.barrier();
        self.code.set(nearest, Exp::load(I32, known, 0).convert(Prim::I32, Prim::I64));
        let hidden = self.code.bind("hidden", Exp::load(I32, unknown, 0).convert(Prim::I32, Prim::I64));
        self.code.set(looks, Exp::Var(nearest).le(hidden));
        self.barrier();
        let body = self.code.close();
        self.code.while_(Vec::new(), looks, body);
        nearest
    }

    fn publish_state(&mut self, into: &[Array], status: &Array, tile: &Exp, values: &[Exp], known: i32) {
        for (array, value) in into.iter().zip(values) {
            self.store(array, std::slice::from_ref(tile), value.clone());
        }
        self.publish(status, tile, known);
    }

    fn publish(&mut self, status: &Array, tile: &Exp, known: i32) {
        self.code.push(Stmt::Group(GroupStmt::Publish {
            prim: Prim::I32,
            ptr: status.data.ptr.clone(),
            index: tile.clone(),
            value: Exp::Const(Scalar::I32(known)),
        }));
    }
}
