//! Prefix sums over a whole array in one kernel: single pass, with decoupled look-back (Merrill and Garland, 2016).
//!
//! The array is cut into tiles, which groups take in order: whoever starts next takes the next. A group adds up its tile and tells the
//! sum to all (`AGGREGATE`). Then it looks back, tile by tile, adding up what the tiles before have told, until one tells the sum of
//! everything up to its end (`PREFIX`); then it tells its own. Nobody waits for a tile that was not taken before, so there is
//! always somebody who can go on.

use super::GROUP;
use crate::imp_gen::operators::elementwise::primitive_columns;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{
    BinOp, DeviceStmt, Elem, Exp, GroupArray, GroupExp, GroupStmt, Prim, Scalar, Stmt, Type, Var as ImpVar,
};
use norn_ir::nest::Lambda;

const I32: Elem = Elem::Prim(Prim::I32);
const AGGREGATE: i32 = 1;
const PREFIX: i32 = 2;

/// How two values are combined, column by column or not.
#[derive(Clone, Copy)]
pub enum Combine<'a> {
    Lambda(&'a Lambda),
    /// One column of type `i64`.
    Count,
    /// The first column says whether the sum begins anew in a value: then what comes before does not count.
    Anew(&'a Lambda),
}

/// What tiles tell each other.
pub struct Tiles {
    /// For each tile how far it is, and at the end how many tiles were taken.
    status: Array,
    /// For each column the sums of tiles, and those of everything up to their ends.
    aggregates: Vec<Array>,
    prefixes: Vec<Array>,
}

impl Tiles {
    pub fn reprs(&self) -> Vec<Repr> {
        let arrays = [&self.status].into_iter().chain(&self.aggregates).chain(&self.prefixes);
        arrays.cloned().map(Repr::Array).collect()
    }

    pub fn inside(&self, given: &mut dyn Iterator<Item = Repr>) -> Tiles {
        let mut array = || match given.next() {
            Some(Repr::Array(array)) => array,
            Some(Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert) | None => {
                panic!("imp_gen: tiles were handed to a kernel as something else")
            }
        };
        let status = array();
        let aggregates = self.aggregates.iter().map(|_| array()).collect();
        let prefixes = self.prefixes.iter().map(|_| array()).collect();
        Tiles { status, aggregates, prefixes }
    }
}

impl Gen<'_> {
    /// For so many tiles, none of which has told anything.
    pub fn new_tiles(&mut self, prims: &[Prim], tiles: &Exp, operator: &str) -> Tiles {
        let entries = self.code.atom("entries", tiles.clone().add(1));
        let status = self.new_array_named("status", Prim::I32, std::slice::from_ref(&entries), operator);
        let clear = DeviceStmt::Clear { elem: I32, ptr: status.data.ptr.clone(), count: entries };
        self.code.push(Stmt::Device(clear));
        let mut columns = |name: &str| -> Vec<Array> {
            prims
                .iter()
                .map(|prim| self.new_array_named(name, *prim, std::slice::from_ref(tiles), operator))
                .collect()
        };
        let aggregates = columns("aggregates");
        let prefixes = columns("prefixes");
        Tiles { status, aggregates, prefixes }
    }

    // # In a kernel

    /// The number of the tile that the group takes. There is a barrier in this.
    pub fn take_tile(&mut self, arrays: &mut Vec<GroupArray>, tiles: &Tiles, count: &Exp) -> Exp {
        let taken = self.shared_array(arrays, "taken", Prim::I32, 1);
        self.code.open();
        let old = self.code.new_var("old", Type::Scalar(Prim::I32));
        self.code.push(Stmt::Group(GroupStmt::Atomic {
            op: BinOp::Add,
            prim: Prim::I32,
            ptr: tiles.status.data.ptr.clone(),
            index: count.clone(),
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
            Combine::Count => {
                let sum = Exp::bin(BinOp::Add, Prim::I64, left[0].clone(), right[0].clone());
                return vec![self.code.bind("sum", sum).into()];
            }
            Combine::Anew(lambda) => {
                let begins = Exp::bin(BinOp::Eq, Prim::I32, right[0].clone(), Exp::Const(Scalar::I32(0))).not();
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
        let thread = Exp::Group(GroupExp::Thread);
        let sums: Vec<ImpVar> =
            prims.iter().map(|prim| self.shared_array(arrays, "sums", *prim, GROUP)).collect();
        let accs: Vec<ImpVar> = own.iter().map(|value| self.code.bind("acc", value.clone())).collect();
        for ((sums, prim), acc) in sums.iter().zip(prims).zip(&accs) {
            self.code.store(Elem::Prim(*prim), *sums, thread.clone(), *acc);
        }
        self.barrier();
        let apart = self.code.bind("apart", 1);
        self.code.open();
        let others: Vec<ImpVar> =
            prims.iter().map(|prim| self.code.new_var("other", Type::Scalar(*prim))).collect();
        let has_other = Exp::Var(apart).le(thread.clone());
        self.code.open();
        for ((other, sums), prim) in others.iter().zip(&sums).zip(prims) {
            let value = Exp::load(Elem::Prim(*prim), *sums, thread.clone().sub(apart));
            self.code.set(*other, value);
        }
        let block = self.code.close();
        let mut absent = Vec::new();
        for (other, prim) in others.iter().zip(prims) {
            absent.push(Stmt::Set(*other, Exp::Const(Scalar::zero(*prim))));
        }
        self.code.if_(has_other.clone(), block, absent);
        self.barrier();
        self.code.open();
        self.guarded(&mut |this| {
            let left: Vec<Exp> = others.iter().map(|var| Exp::Var(*var)).collect();
            let right: Vec<Exp> = accs.iter().map(|var| Exp::Var(*var)).collect();
            let results = this.combined(op, &left, &right);
            for ((acc, result), (sums, prim)) in accs.iter().zip(results).zip(sums.iter().zip(prims)) {
                this.code.set(*acc, result);
                this.code.store(Elem::Prim(*prim), *sums, thread.clone(), *acc);
            }
        });
        let block = self.code.close();
        self.code.when(has_other, block);
        self.barrier();
        self.code.set(apart, Exp::Var(apart).mul(2));
        let body = self.code.close();
        self.code.while_(Vec::new(), Exp::Var(apart).lt(GROUP), body);
        sums
    }

    /// What comes before the tile, given what is in it. There is a barrier in this.
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
        let carries: Vec<ImpVar> =
            prims.iter().map(|prim| self.shared_array(arrays, "carry", *prim, 1)).collect();
        self.code.open();
        let carry: Vec<ImpVar> = neutral.iter().map(|value| self.code.bind("carry", value.clone())).collect();
        // The first tile has nothing before it.
        self.code.open();
        self.tell(&tiles.prefixes, prims, tiles, tile, aggregate, PREFIX);
        let first = self.code.close();
        self.code.open();
        self.tell(&tiles.aggregates, prims, tiles, tile, aggregate, AGGREGATE);
        let before = self.code.bind("before", tile.clone().sub(1));
        let looks = self.code.bind("looks", Exp::bool(true));
        self.code.open();
        let told = self.code.new_var("told", Type::Scalar(Prim::I32));
        self.code.push(Stmt::Group(GroupStmt::Acquire {
            var: told,
            prim: Prim::I32,
            ptr: tiles.status.data.ptr.clone(),
            index: before.into(),
        }));
        let is = |status: i32| {
            Exp::bin(BinOp::Eq, Prim::I32, Exp::Var(told), Exp::Const(Scalar::I32(status)))
        };
        self.code.open();
        self.add_before(op, prims, &tiles.prefixes, before, &carry);
        self.code.set(looks, Exp::bool(false));
        let prefix = self.code.close();
        self.code.open();
        self.code.open();
        self.add_before(op, prims, &tiles.aggregates, before, &carry);
        self.code.set(before, Exp::Var(before).sub(1));
        let block = self.code.close();
        self.code.when(is(AGGREGATE), block);
        let other = self.code.close();
        self.code.if_(is(PREFIX), prefix, other);
        let body = self.code.close();
        self.code.while_(Vec::new(), looks, body);
        let left: Vec<Exp> = carry.iter().map(|var| Exp::Var(*var)).collect();
        self.guarded(&mut |this| {
            let total = this.combined(op, &left, aggregate);
            for (prefix, value) in tiles.prefixes.iter().zip(total) {
                this.store(prefix, std::slice::from_ref(tile), value);
            }
        });
        self.publish(tiles, tile, PREFIX);
        let later = self.code.close();
        self.code.if_(tile.clone().eq(0), first, later);
        for ((carries, prim), carry) in carries.iter().zip(prims).zip(&carry) {
            self.code.store(Elem::Prim(*prim), *carries, 0, *carry);
        }
        let block = self.code.close();
        self.code.when(Exp::Group(GroupExp::Thread).eq(0), block);
        self.barrier();
        let loaded = carries.iter().zip(prims);
        loaded
            .map(|(carries, prim)| {
                self.code.bind("carry", Exp::load(Elem::Prim(*prim), *carries, 0)).into()
            })
            .collect()
    }

    fn tell(&mut self, into: &[Array], prims: &[Prim], tiles: &Tiles, tile: &Exp, values: &[Exp], status: i32) {
        debug_assert_eq!(into.len(), prims.len());
        for (array, value) in into.iter().zip(values) {
            self.store(array, std::slice::from_ref(tile), value.clone());
        }
        self.publish(tiles, tile, status);
    }

    fn publish(&mut self, tiles: &Tiles, tile: &Exp, status: i32) {
        self.code.push(Stmt::Group(GroupStmt::Publish {
            prim: Prim::I32,
            ptr: tiles.status.data.ptr.clone(),
            index: tile.clone(),
            value: Exp::Const(Scalar::I32(status)),
        }));
    }

    /// What a tile has told, in front of what is carried.
    fn add_before(&mut self, op: Combine, prims: &[Prim], told: &[Array], tile: ImpVar, carry: &[ImpVar]) {
        let mut left = Vec::with_capacity(prims.len());
        for array in told {
            let at = self.element_index(array, &[tile.into()]);
            let value = self.element(array, at);
            left.push(self.code.bind("told", value).into());
        }
        let right: Vec<Exp> = carry.iter().map(|var| Exp::Var(*var)).collect();
        self.guarded(&mut |this| {
            let results = this.combined(op, &left, &right);
            for (carry, result) in carry.iter().zip(results) {
                this.code.set(*carry, result);
            }
        });
    }
}
