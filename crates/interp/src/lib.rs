//! The reference interpreter of nest, which defines what a program means.
//!
//! It runs tests and programs where there is no C compiler, and it is what passes and back ends are compared with.
//! So it is simple: operators run one element after the other, and
//! every access is checked. It is fast only where that stays simple: a program is resolved once
//! into an executable form (`code`, made by `resolve`) and run (`exec`) on vectors of scalars and of arrays
//! (`locals`), and an array that nobody else needs is changed in place.
//!
//! It does no I/O. Where programs recurse it needs a large stack: see [`Interp::stack_budget`].

#![forbid(unsafe_code)]

mod acc;
mod builder;
mod code;
mod cuts;
mod data;
pub mod dims;
mod entry;
mod exec;
mod failure;
mod freedom;
mod irregular;
mod locals;
mod meter;
mod observe;
mod parts;
mod region;
mod resolve;
mod slice;
mod value;
mod view;

pub use acc::Acc;
pub use cuts::Cuts;
pub use failure::{Failure, Frame};
pub use observe::{Observation, Observer};
pub use parts::{CellParts, Elements, Field, NO_CELL, Parts};
pub use region::Region;
pub use value::{Array, Ref, Value};

use norn_ir::nest::Prog;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A program that can be run. Constants are computed once, on first use.
pub struct Interp {
    prog: Arc<Prog>,
    code: Arc<code::Code>,
    /// Of each function, locals to be used again.
    pools: Vec<Vec<locals::Locals>>,
    consts: Vec<Option<Box<[exec::Value]>>>,
    /// Where cells are whose region is not known.
    everywhere: Region,
    stack_budget: usize,
    memory_limit: u64,
    cancel: Arc<AtomicBool>,
    observer: Option<Observer>,
    cuts: Cuts,
    /// Who decides what the language leaves open.
    freedom: Option<freedom::Freedom>,
    checks_types: bool,
}

/// Leaves 32 MiB of a stack of 256 MiB for what happens between two calls.
const STACK_BUDGET: usize = 224 << 20;

impl Interp {
    /// The program must be one that the verifier accepts. In debug builds, values are compared with
    /// their types.
    pub fn new(prog: impl Into<Arc<Prog>>) -> Interp {
        let mut interp = Interp {
            code: Arc::new(code::Code { funs: Vec::new(), library: Vec::new() }),
            pools: Vec::new(),
            consts: Vec::new(),
            everywhere: Region::default(),
            stack_budget: STACK_BUDGET,
            memory_limit: u64::MAX,
            cancel: Arc::default(),
            observer: None,
            cuts: Cuts::default(),
            freedom: None,
            checks_types: false,
            prog: prog.into(),
        };
        interp.check_types(cfg!(debug_assertions));
        interp
    }

    pub fn prog(&self) -> &Prog {
        &self.prog
    }

    /// Whether each array, when it is bound, is compared with the type of its variable. A failure that
    /// reports `nest type violated` is a mistake of whoever made the program.
    pub fn check_types(&mut self, check: bool) {
        self.checks_types = check;
        self.resolve();
    }

    /// Decides at random what the language leaves open, from now on: how floats are rounded, in which order operators combine, which of
    /// several writes to one place wins. What depends on the seed is not fixed by the language.
    pub fn use_freedom(&mut self, seed: u64) {
        self.freedom = Some(freedom::Freedom::new(seed));
        self.resolve();
    }

    /// Where tasks are cut from now on. What a program yields does not depend on it, but for the rounding of floats.
    pub fn cut(&mut self, cuts: Cuts) {
        self.cuts = cuts;
    }

    fn resolve(&mut self) {
        let is_free = self.freedom.is_some();
        self.code = Arc::new(resolve::resolve(&self.prog, self.checks_types, is_free));
        self.pools = self.prog.funs.iter().map(|_| Vec::new()).collect();
        self.consts = vec![None; self.prog.consts.len()];
    }

    /// How many bytes of its thread's stack a call may use before the recursion is called too deep. By
    /// default, what a thread with 256 MiB has.
    pub fn stack_budget(&mut self, bytes: usize) {
        self.stack_budget = bytes;
    }

    /// How many bytes the arrays and cells of interpreted programs may take while a call goes on. By default there is no limit.
    pub fn memory_limit(&mut self, bytes: u64) {
        self.memory_limit = bytes;
    }

    /// While this is set, calls fail as soon as they can.
    pub fn cancel_flag(&self) -> &Arc<AtomicBool> {
        &self.cancel
    }

    /// Who is notified of the values that the program shows.
    pub fn observe(&mut self, observer: Observer) {
        self.observer = Some(observer);
    }

    /// Calls an entry point (an index into `prog.entries`) with the columns of its arguments, in the
    /// order of its parameters, and yields the columns of its result. Sizes and regions that the
    /// function wants are found from the columns; a size about which two columns disagree is a failure.
    pub fn call(&mut self, entry: usize, columns: Vec<Value>) -> Result<Vec<Value>, Failure> {
        let prog = self.prog.clone();
        let entry = &prog.entries[entry];
        let span = prog.funs[entry.fun.0 as usize].span;
        meter::set_limit(self.memory_limit);
        let ended = entry::call(self, entry, columns);
        // Results may be copied on their way out.
        meter::set_limit(u64::MAX);
        ended.map_err(|unwinding| unwinding.finish(span))
    }
}
