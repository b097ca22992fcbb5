//! Whether groups of threads pay for a map, by sizes: how many groups there are, over how many elements their operators go, and how much
//! memory they take.

use super::{GroupVersion, ROOM};
use crate::flatten::Distributor;
use crate::imp_gen::{FEW_THREADS, GROUP};
use crate::schedule::emit::Emit;
use norn_ir::nest::{Atom, BinOp, Stm, Var};
use std::collections::HashSet;

/// Without loops: operators over fewer elements leave most threads of a group without work, and such over more are done faster by all
/// groups together, unless there are enough groups anyway.
const SHORT: i64 = 64;
const LONG: i64 = 1 << 10;
/// There are, if they are half of those that the device can run at once.
const PARTS: i64 = 2;
/// Operators over fewer elements than these leave many threads idle between barriers. If there are so many times as many groups as the device can run at once, one nest
/// after the other is faster.
const NOT_SHORT: i64 = 512;
const ROUNDS: i64 = 8;
/// The threads of groups that have few have at most so many elements each.
const FEW_EACH: i64 = 16;
/// A matrix that each group multiplies with has at most so many elements.
const MATRIX: i64 = 1 << 18;
/// With loops, each iteration saves launches.
const FEW: i64 = 16;
const MANY: i64 = 8 << 10;
/// The same for the only group, since no other works meanwhile.
const MANY_ALONE: i64 = 2 << 10;

/// Threads that go through so many bytes of their own again and again have no room for them near, and a group has, if it is busy: if some operator is over so many elements.
const CROWDED: i64 = 1 << 10;
const BUSY: i64 = 128;

pub struct Fits {
    pub cond: Atom,
    pub few: Option<Atom>,
    pub crowded: Option<Atom>,
}

impl Distributor<'_, '_> {
    /// Whether groups pay, and have enough memory; whether they should have few threads; and if they fit, whether threads, however many there are, are no match for
    /// them. A user may have said that they pay from so many elements inside on.
    pub fn groups_fit(&mut self, version: &GroupVersion, set: Option<Atom>, tests: &mut Vec<Stm>) -> Fits {
        let mut emit = Emit::new(&mut self.names.vars, tests, self.span);
        let width = product(&mut emit, Atom::i64(1), &version.widths);
        let dims = version.counts.iter().chain(version.arrays.iter().map(|(_, dims)| dims)).flatten();
        let dims: HashSet<Var> = dims.filter_map(|dim| dim.var()).collect();
        let mut dims: Vec<Var> = dims.into_iter().collect();
        dims.sort();
        let mut all: Option<Atom> = None;
        let mut and = |emit: &mut Emit, holds: Atom| {
            all = Some(all.map_or(holds, |all| emit.and("fits", all, holds)));
        };
        for dim in dims {
            let holds = emit.at_most("fits", dim.into(), Atom::i64(ROOM));
            and(&mut emit, holds);
        }
        let (least, most) = match set {
            Some(least) => (least, ROOM),
            None if version.is_alone() => (Atom::i64(0), MANY_ALONE),
            None if version.has_loops || version.has_sequences => (Atom::i64(FEW), MANY),
            None => (Atom::i64(SHORT), LONG),
        };
        // One group alone is never many.
        let many = (set.is_none() && !version.is_alone()).then(|| {
            let workers = emit.workers();
            let threads = emit.bin(BinOp::Mul, "threads", width, Atom::i64(GROUP * PARTS));
            emit.at_most("many", workers, threads)
        });
        let rounds = if version.has_sequences { 1 } else { ROUNDS };
        let few_rounds = (set.is_none() && !version.has_loops).then(|| {
            let workers = emit.workers();
            let most = emit.bin(BinOp::Mul, "most", workers, Atom::i64(rounds));
            let threads = emit.bin(BinOp::Mul, "threads", width, Atom::i64(GROUP));
            emit.at_most("few", threads, most)
        });
        // Where there are enough groups anyway, each thread can have more elements.
        let enough = version.has_loops.then(|| {
            let workers = emit.workers();
            let threads = emit.bin(BinOp::Mul, "threads", width, Atom::i64(FEW_THREADS * PARTS));
            emit.at_most("enough", workers, threads)
        });
        let mut some_long: Option<Atom> = None;
        let mut all_few: Option<Atom> = None;
        let mut some_busy: Option<Atom> = None;
        for count in &version.counts {
            let count = product(&mut emit, Atom::i64(1), count);
            if let Some(enough) = enough {
                let few = emit.at_most("few", count, Atom::i64(FEW_THREADS));
                let some = emit.at_most("few", count, Atom::i64(FEW_THREADS * FEW_EACH));
                let some = emit.and("few", enough, some);
                let few = emit.or("few", few, some);
                all_few = Some(all_few.map_or(few, |all| emit.and("few", all, few)));
            }
            if version.has_loops {
                let busy = emit.at_most("busy", Atom::i64(BUSY), count);
                some_busy = Some(some_busy.map_or(busy, |some| emit.or("busy", some, busy)));
            }
            let few = emit.at_most("few", count, Atom::i64(most));
            let holds = many.map_or(few, |many| emit.or("fits", many, few));
            and(&mut emit, holds);
            let long = emit.at_most("long", least, count);
            match version.has_loops {
                true => some_long = Some(some_long.map_or(long, |some| emit.or("long", some, long))),
                false => and(&mut emit, long),
            }
            if let Some(few_rounds) = few_rounds.filter(|_| !version.has_sequences) {
                let not_short = emit.at_most("long", Atom::i64(NOT_SHORT), count);
                let holds = emit.or("fits", few_rounds, not_short);
                and(&mut emit, holds);
            }
        }
        if let Some(few_rounds) = few_rounds.filter(|_| version.has_sequences) {
            and(&mut emit, few_rounds);
        }
        for matrix in &version.matrices {
            let count = product(&mut emit, Atom::i64(1), matrix);
            let small = emit.at_most("small", count, Atom::i64(MATRIX));
            and(&mut emit, small);
        }
        if let Some(long) = some_long {
            and(&mut emit, long);
        }
        let mut sum: Option<Atom> = None;
        for (bytes, dims) in &version.arrays {
            let bytes = product(&mut emit, Atom::i64(*bytes), dims);
            sum = Some(sum.map_or(bytes, |sum| emit.bin(BinOp::Add, "room", sum, bytes)));
        }
        let mut crowded = None;
        if let Some(sum) = sum {
            crowded = some_busy.filter(|_| set.is_none()).map(|busy| {
                let crowded = emit.at_most("crowded", Atom::i64(CROWDED), sum);
                emit.and("crowded", crowded, busy)
            });
            // Each array begins at a multiple of 16 bytes.
            let most = ROOM - 16 * version.arrays.len() as i64;
            let holds = emit.at_most("fits", sum, Atom::i64(most));
            and(&mut emit, holds);
        }
        // Of a group alone, operators over a few elements and no arrays need no test.
        let cond = all.unwrap_or(Atom::bool(version.is_alone()));
        let few = all_few.or_else(|| version.counts.is_empty().then_some(Atom::bool(true)));
        let crowded = crowded.map(|crowded| emit.and("crowded", cond, crowded));
        self.names.memory.grow(self.names.vars.len());
        Fits { cond, few, crowded }
    }
}

fn product(emit: &mut Emit, first: Atom, factors: &[Atom]) -> Atom {
    factors.iter().fold(first, |product, factor| match product {
        Atom::Const(one) if Atom::Const(one) == Atom::i64(1) => *factor,
        product => emit.bin(BinOp::Mul, "room", product, *factor),
    })
}
