//! Why a run did not come to its end.

use super::abi::{CANCELLED, DEVICE_FAILED, OUT_OF_MEMORY, OUT_OF_STACK, Run, TRACE};
use super::device::no_gpu;
use super::worker::Shared;
use crate::gpu::Trouble;
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

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
    /// So many bytes were asked for at a site, when so many of at most so many were in use, on the GPU or the host. Where threads of a GPU needed them,
    /// one of them did at a site of its own.
    OutOfMemory {
        site: usize,
        in_thread: Option<usize>,
        bytes: u64,
        live: u64,
        limit: u64,
        on_gpu: bool,
    },
    OutOfStack,
    Cancelled,
    /// The GPU cannot go on.
    Device(Trouble),
}

impl Stop {
    /// What a run says that has stopped: no code of the program runs any more.
    pub fn of(shared: &Shared) -> Stop {
        // SAFETY: the run exists as long as what is shared, and no code of the program writes to it any more. Others change `stop` alone,
        // which is atomic.
        let run = unsafe { &*shared.run() };
        let (trace, omitted) = trace(run);
        Stop { why: why(shared, run), trace, omitted }
    }

    /// The GPU cannot do what a session asks for.
    pub fn of_trouble(trouble: Trouble) -> Stop {
        Stop { why: Why::Device(trouble), trace: Vec::new(), omitted: 0 }
    }
}

fn why(shared: &Shared, run: &Run) -> Why {
    let site = |number: i32| usize::try_from(number).unwrap_or(0);
    match (run.failed.load(Relaxed), run.site) {
        (0, _) | (_, CANCELLED) => Why::Cancelled,
        (_, OUT_OF_MEMORY) => {
            let gpu = shared.gpu.as_ref().filter(|_| shared.refused_by_gpu.load(Relaxed));
            let (live, limit) = match gpu.map(|program| program.gpu()) {
                Some(gpu) => (gpu.memory_live(), gpu.memory_limit()),
                None => (shared.memory.live(), shared.memory.limit()),
            };
            let bytes = run.operand[0];
            let in_thread = (gpu.is_some() && run.operands > 1).then(|| site(run.operand[1] as i32));
            Why::OutOfMemory { site: site(run.at), in_thread, bytes, live, limit, on_gpu: gpu.is_some() }
        }
        (_, OUT_OF_STACK) => Why::OutOfStack,
        (_, DEVICE_FAILED) => {
            let trouble = shared.trouble.lock().unwrap_or_else(PoisonError::into_inner).take();
            Why::Device(trouble.unwrap_or_else(no_gpu))
        }
        (_, check) => {
            let operands = run.operand.get(..run.operands.max(0) as usize).unwrap_or(&run.operand);
            Why::Check { site: site(check), operands: operands.to_vec() }
        }
    }
}

/// The sites of calls that are known, and how many are not.
fn trace(run: &Run) -> (Vec<usize>, usize) {
    let calls = run.calls.max(0) as usize;
    let site = |i: usize| {
        let at = if i < TRACE { i } else { TRACE / 2 + (i - TRACE / 2) % (TRACE / 2) };
        usize::try_from(run.trace[at]).unwrap_or(0)
    };
    let omitted = calls.saturating_sub(TRACE);
    let trace = (0..calls).filter(|i| *i < TRACE / 2 || *i >= TRACE / 2 + omitted).map(site).collect();
    (trace, omitted)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds a call as compiled code does.
    fn add_call(run: &mut Run, site: i32) {
        let calls = run.calls as usize;
        let at = if calls < TRACE { calls } else { TRACE / 2 + (calls - TRACE / 2) % (TRACE / 2) };
        run.trace[at] = site;
        run.calls += 1;
    }

    #[test]
    fn traces_keep_both_ends() {
        for calls in [0, 1, 32, 64, 65, 95, 96, 97, 1000] {
            let mut run = Run::default();
            (0..calls).for_each(|site| add_call(&mut run, site));
            let (trace, omitted) = trace(&run);
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
