//! A loaded program with its state: its constants, and the memory it holds.

use super::Cpu;
use super::abi::{self, CANCELLED, DONE, OUT_OF_MEMORY, OUT_OF_STACK, TRACE};
use super::blocks::{self, count_live};
use super::library::Library;
use super::profile::Cost;
use super::regions;
use super::worker::{RunState, Shared, Worker};
use crate::RuntimeError;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

pub use super::abi::{Block, Region};

pub struct Instance {
    library: Library,
    shared: Box<Shared>,
}

/// Why a run did not come to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    pub why: Why,
    /// The sites of the calls that were active, innermost first. Of very many, those in the middle are left out.
    pub trace: Vec<usize>,
    /// How many were left out, after the first half.
    pub omitted: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// A check failed, with these operands.
    Check {
        site: usize,
        operands: Vec<u64>,
    },
    /// So many bytes were asked for at a site, when so many were in use.
    OutOfMemory {
        site: usize,
        bytes: u64,
        live: u64,
    },
    OutOfStack,
    Cancelled,
}

/// Ends the runs of a program, from another thread.
#[derive(Clone)]
pub struct Canceller(Arc<RunState>);

impl Canceller {
    /// Asks the run to end soon, and those that begin later, too.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Allows runs again.
    pub fn reset(&self) {
        self.0.cancelled.store(false, Relaxed);
    }
}

impl Instance {
    pub fn new(cpu: &Cpu, library: Library) -> Result<Instance, RuntimeError> {
        let shared = Shared::new(cpu.memory.clone(), cpu.pool()?, library.globals());
        Ok(Instance { library, shared })
    }

    pub fn canceller(&self) -> Canceller {
        Canceller(self.shared.state.clone())
    }

    /// Does something with the program, on a thread that can run it.
    pub fn enter<R: Send>(&mut self, work: impl FnOnce(&mut Session) -> R + Send) -> R {
        let (library, shared) = (&self.library, &*self.shared);
        shared.pool.install(|| work(&mut Session { library, shared, worker: shared.current() }))
    }

    /// Whether launches are measured.
    pub fn set_profiling(&mut self, on: bool) {
        self.shared.workers_mut().for_each(|worker| worker.abi.profile = i32::from(on));
    }

    /// What launches have cost, by their sites, since this was last asked.
    pub fn take_profile(&mut self) -> Vec<Cost> {
        let mut all: Vec<Cost> = Vec::new();
        for worker in self.shared.workers_mut() {
            let costs = worker.profile.take();
            if all.len() < costs.len() {
                all.resize(costs.len(), Cost::default());
            }
            all.iter_mut().zip(costs).for_each(|(sum, cost)| sum.add(cost));
        }
        all
    }

    /// Frees everything that the program holds: between two runs these are its constants, which are computed again when they are
    /// next asked for. Says how many blocks were in use.
    pub fn forget(&mut self) -> usize {
        let live = count_live(self.shared.all_made());
        self.shared.clean_up();
        live
    }

    /// How many blocks are in use. Between two runs, these are those of constants.
    pub fn live_blocks(&self) -> usize {
        count_live(self.shared.all_made())
    }
}

/// A visit to a program: memory can be had, and entry points called.
pub struct Session<'a> {
    library: &'a Library,
    shared: &'a Shared,
    worker: *mut Worker,
}

impl Session<'_> {
    /// Calls an entry point, and says how long it took. After a failure, all memory of the program is free, what this session
    /// obtained included.
    ///
    /// # Safety
    /// Arguments and room for results are what the entry point wants.
    pub unsafe fn call(&mut self, entry: usize, args: &[u64], results: &mut [u64]) -> Result<Duration, Stop> {
        let entry = self.library.entry(entry);
        self.shared.reset_run();
        let begin = Instant::now();
        let ended = unsafe { entry(self.worker.cast(), args.as_ptr(), results.as_mut_ptr()) };
        let time = begin.elapsed();
        if ended == DONE {
            return Ok(time);
        }
        // All code of the program has ended.
        let stop = stop(unsafe { &*self.shared.run() }, self.shared.memory.live());
        self.shared.clean_up();
        Err(stop)
    }

    /// A block of at least so many bytes, held once; none if there is no memory.
    pub fn alloc(&mut self, bytes: usize) -> Option<*mut Block> {
        let block = unsafe { blocks::alloc(self.worker.cast(), i64::try_from(bytes).ok()?) };
        (!block.is_null()).then_some(block)
    }

    /// One holder less.
    ///
    /// # Safety
    /// The block is held, or null.
    pub unsafe fn release(&mut self, block: *mut Block) {
        unsafe { blocks::release(self.worker.cast(), block) };
    }

    pub fn region_new(&mut self) -> Option<*mut Region> {
        let region = unsafe { regions::region_new(self.worker.cast()) };
        (!region.is_null()).then_some(region)
    }

    /// # Safety
    /// The region exists, and is not used any more.
    pub unsafe fn region_end(&mut self, region: *mut Region) {
        unsafe { regions::region_end(self.worker.cast(), region) };
    }

    /// A new cell of so many words, not initialised.
    ///
    /// # Safety
    /// The region exists.
    pub unsafe fn cell_new(&mut self, region: *mut Region, words: u32) -> Option<u32> {
        unsafe { regions::cell_new(self.worker, region, words) }
    }

    /// The first word of a cell.
    ///
    /// # Safety
    /// The cell is one of the region, which exists.
    pub unsafe fn cell(&self, region: *mut Region, cell: u32) -> *mut u64 {
        unsafe { regions::cell(region, cell) }
    }

    /// Frees what a session obtained that cannot go on.
    pub fn abandon(&mut self) {
        self.shared.clean_up();
    }
}

/// Where the memory of a block begins.
///
/// # Safety
/// The block exists.
pub unsafe fn block_data(block: *mut Block) -> *mut u8 {
    unsafe { blocks::data(block) }
}

/// What a run says that has stopped.
fn stop(run: &abi::Run, live: u64) -> Stop {
    let operands = run.operand.get(..run.operands.max(0) as usize).unwrap_or(&run.operand);
    let at = usize::try_from(run.at).unwrap_or(0);
    let why = match (run.failed.load(Relaxed), run.site) {
        (0, _) | (_, CANCELLED) => Why::Cancelled,
        (_, OUT_OF_MEMORY) => Why::OutOfMemory { site: at, bytes: run.operand[0], live },
        (_, OUT_OF_STACK) => Why::OutOfStack,
        (_, site) => Why::Check { site: usize::try_from(site).unwrap_or(0), operands: operands.to_vec() },
    };
    let calls = run.calls.max(0) as usize;
    let site = |i: usize| {
        let at = if i < TRACE { i } else { TRACE / 2 + (i - TRACE / 2) % (TRACE / 2) };
        usize::try_from(run.trace[at]).unwrap_or(0)
    };
    let omitted = calls.saturating_sub(TRACE);
    let trace = (0..calls).filter(|i| *i < TRACE / 2 || *i >= TRACE / 2 + omitted).map(site).collect();
    Stop { why, trace, omitted }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds a call as compiled code does.
    fn add_call(run: &mut abi::Run, site: i32) {
        let calls = run.calls as usize;
        let at = if calls < TRACE { calls } else { TRACE / 2 + (calls - TRACE / 2) % (TRACE / 2) };
        run.trace[at] = site;
        run.calls += 1;
    }

    #[test]
    fn traces_keep_both_ends() {
        for calls in [0, 1, 32, 64, 65, 95, 96, 97, 1000] {
            let mut run = abi::Run::default();
            (0..calls).for_each(|site| add_call(&mut run, site));
            let Stop { trace, omitted, .. } = stop(&run, 0);
            let calls = calls as usize;
            assert_eq!(trace.len() + omitted, calls);
            let expected: Vec<usize> = if calls <= TRACE {
                (0..calls).collect()
            } else {
                (0..TRACE / 2).chain(calls - TRACE / 2..calls).collect()
            };
            assert_eq!(trace, expected);
        }
    }
}
