//! Random nest programs that the verifier accepts and that end soon.
//!
//! Functions are made statement by statement out of what is in scope. Beside each variable stands what the
//! generator knows of it (`Facts`): how large it can be if it is a size, and whose memory it shares. The
//! first bounds the time a program takes, the second lets statements consume what is theirs to consume.
//!
//! Results must not depend on anything that a pass may change: operators of reductions are
//! associative on what they are given, writes at the same place write the same, floats that are added are
//! small integers, and a stream yields the same whatever its chunks are.

mod access;
mod accumulate;
mod arrays;
mod build;
mod calls;
mod cells;
mod checks;
mod control;
mod digest;
mod irregular;
mod loops;
mod memory;
mod operators;
mod parallel;
mod program;
mod scalars;
mod scope;
mod streams;
mod writes;

pub use program::nest_program;

use crate::rng::Rng;
use norn_base::Span;
use norn_ir::nest::build::FunBuilder;
use norn_ir::nest::print::NOWHERE;
use norn_ir::nest::{Prog, Type, Var};
use std::collections::BTreeSet;

/// The place of all that is generated.
const SPAN: Span = NOWHERE;

/// How many elements one run of a function may touch, about.
const COST: u64 = 30_000;

/// What is known of a variable.
#[derive(Clone, Default)]
struct Facts {
    /// An `i64` that is at least 0 and at most this.
    size: Option<u64>,
    /// No row is longer.
    longest: u64,
    /// A float, or an array of floats, that are small integers and not -0.
    whole: bool,
    /// The memory it shares.
    roots: BTreeSet<Var>,
    /// Memory that must not be overwritten, or has been.
    frozen: bool,
    consumed: bool,
    /// Something depends on it.
    used: bool,
}

/// A function that can be called.
#[derive(Clone)]
struct Callee {
    /// How large sizes among its results are, and how long rows.
    sizes: Vec<Facts>,
    cost: u64,
    /// If its first parameter that is no region says how deep it recurses.
    recursive: bool,
}

struct Gen {
    rng: Rng,
    prog: Prog,
    callees: Vec<Callee>,
    b: FunBuilder,
    facts: Vec<Facts>,
    scope: Vec<Var>,
    /// What was bound before may not be consumed.
    barrier: u32,
    /// How often the innermost body runs, at most.
    times: u64,
    cost: u64,
    /// How many more statements there may be.
    fuel: u32,
    depth: u32,
}

impl Gen {
    fn one_in(&mut self, n: usize) -> bool {
        self.rng.below(n) == 0
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        self.rng.pick(from).cloned()
    }

    fn ty(&self, var: Var) -> Type {
        self.b.ty(var).clone()
    }

    /// Some statements. What does not fit where it is tried is left out.
    fn stms(&mut self, count: usize) {
        for _ in 0..count {
            if self.fuel == 0 {
                return;
            }
            self.fuel -= 1;
            // Shallow bodies do the large things.
            let made = match self.rng.below(if self.depth > 3 { 10 } else { 24 }) {
                0..=2 => self.scalar_stm(),
                3 => self.array_stm(),
                4 => self.access_stm(),
                5 => self.irregular_stm(),
                6 => self.write_stm(),
                7 => self.check_stm(),
                8 | 9 => self.scalar_stm(),
                10..=14 => self.parallel_stm(),
                15 => self.array_stm(),
                16 => self.write_stm(),
                17 => self.accumulate_stm(),
                18 => self.stream_stm(),
                19 => self.branch_stm(),
                20 => self.loop_stm(),
                21 => self.call_stm(),
                22 => self.cell_stm(),
                _ => self.irregular_stm(),
            };
            if made.is_none() {
                self.scalar_stm();
            }
        }
    }
}
