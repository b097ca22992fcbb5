//! GPUs as devices: group kernels as text, compiled by the driver's own compiler, and memory that is theirs.
//!
//! The host program runs on the processor ([`crate::cpu`]) and reaches a GPU through the functions `device_..` of rts/cpu/abi.h.
//! Drivers are loaded when a device is asked for: nothing of CUDA or OpenCL is needed to build this, or to run without.
//!
//! - `device` defines what a GPU can do, all of it on one queue; `cuda` and `opencl` do it.
//! - `pool` keeps memory that was given back; `queue` has device, pool and what is under way, for one program at a time.
//! - [`Module`] is the text of kernels with what has to be known to launch them, [`Program`] the module on a device: `running` is what
//!   it has there, `state` records checks that failed, `heap` is memory for threads, `ledger` has counts and times;
//!   `log` and `replay` are for kernels that run out of memory, and run again.
//! - `team` is several devices that work for one program; `intervals` are bytes that one of them has, `plan` decides which of them does what. One of them may be the `processor`.
//! - `recent` and `device_error` say what went wrong: which kernel, and whether the device can go on.
//! - `which` is how a device is named, and which there are; `rates` measures how fast it copies.
//!
//! What can be set from outside: `NORN_OPENCL_OPTIONS` (more options for its compiler), `NORN_NVRTC` (the path of NVRTC), `NORN_GPU_WAIT=1` (wait after every launch, to learn which kernel goes wrong),
//! `NORN_GPU_WIDE=1` (indices of 64 bits for all arrays), `NORN_POLICY` (how work is divided among several devices: `finish`, `recorded`, `affinity`, `static`, or `static:3+1` with weights; if it is not set, as with `finish`, but calls may be made by the first device alone).

mod at_work;
pub mod cuda;
mod device;
mod device_error;
mod functions;
mod handover;
mod heap;
mod intervals;
mod ledger;
mod log;
#[cfg(test)]
mod mock_memory;
mod module;
mod opencl;
mod plan;
mod pool;
mod processor;
mod program;
mod queue;
mod rates;
mod recent;
mod regions;
mod replay;
#[cfg(test)]
mod replay_tests;
mod running;
pub mod state;
mod team;
#[cfg(test)]
mod tests;
mod thread_clock;
mod units;
mod which;

pub use device::{Api, Facts, Part, SharedQueue};
pub use device_error::DeviceError;
pub use ledger::{MemoryTraffic, Moved, Traffic};
pub use module::{Access, Kernel, Module, Param};
pub use pool::Piece;
pub use program::{Halt, Program, Request};
pub use rates::Rates;
pub use recent::Trouble;
pub use regions::{DeviceRegion, MOST_REGION_WORDS, REGION_HEADER, limit_of, region_header};
pub use which::{Choice, Cut, Found, Which, devices};

use crate::available::available;
use crate::cache::{Cache, hash};
pub use crate::profile::{Event, Timeline, What};
use crate::{RuntimeError, show_bytes};
use device::Device;
use pool::Pool;
use processor::Processor;
use queue::Queue;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use units::ModuleText;

/// Which GPU, and how it is used.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GpuOptions {
    pub which: Which,
    /// In bytes. What the device can do without, if not given.
    pub memory_limit: Option<u64>,
}

/// A GPU, which several programs may use at the same time: what they ask for happens in the order of the asking.
pub struct Gpu {
    facts: Facts,
    cache: Cache,
    /// Whether kernels have indices of 64 bits whatever the sizes of arrays are.
    always_wide: bool,
    /// Whether what several devices share is cut in the same way each time.
    is_reproducible: bool,
    queue: Mutex<Queue>,
}

/// What came of a module.
pub struct Loaded {
    pub program: Program,
    /// How long the compiler took for the first kernels, unless it had compiled the same text before.
    pub compile_time: Option<Duration>,
    /// The name by which the module is found again.
    pub name: String,
}

impl Gpu {
    pub fn new(options: GpuOptions) -> Result<Gpu, RuntimeError> {
        Gpu::with_cache(options, None)
    }

    /// With compiled kernels in this folder, if one is given, and not where those of the user are.
    pub fn with_cache(options: GpuOptions, cache: Option<&Path>) -> Result<Gpu, RuntimeError> {
        let Which { api, device } = &options.which;
        let device: Box<dyn Device> = match api {
            Api::Cuda => Box::new(cuda::Cuda::new(device)?),
            Api::OpenCl => Box::new(opencl::OpenCl::new(device)?),
            Api::Processor => Box::new(Processor::new()),
        };
        let mut facts = device.facts().clone();
        let given = std::env::var("NORN_GPU_GROUPS").ok().and_then(|text| text.trim().parse().ok());
        if let Some(groups) = given.filter(|groups| *groups > 0) {
            facts.groups = groups;
        }
        let pool = Pool::new(memory_limit(&facts, options.memory_limit), most_spare(&facts));
        let is_set =
            |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
        let queue = Mutex::new(Queue::new(device, pool, is_set("NORN_GPU_WAIT")));
        Ok(Gpu {
            facts,
            cache: Cache::open(cache),
            always_wide: is_set("NORN_GPU_WIDE"),
            is_reproducible: false,
            queue,
        })
    }

    /// Whether programs that it shares with other devices are divided in the same way each time.
    pub fn reproducible(self, is_reproducible: bool) -> Gpu {
        Gpu { is_reproducible, ..self }
    }

    /// Whether calls of programs that it shares with other devices may be made by it alone. Not if the user has set how work is divided.
    pub fn may_work_alone(&self) -> bool {
        !self.is_reproducible && program::policy_of_user().is_none()
    }

    /// What it is, in a line.
    pub fn describe(&self) -> String {
        let limit = show_bytes(self.memory_limit());
        format!("{} ({}), at most {limit} of memory", self.facts.name, self.facts.api.name())
    }

    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Compiles the first kernels, unless that was done before; the others follow when they are launched.
    pub fn load(self: &Arc<Gpu>, module: &Module) -> Result<Loaded, RuntimeError> {
        let name = self.name_of(&module.text);
        if let Some(program) = self.find(&name, &module.kernels) {
            return Ok(Loaded { program, compile_time: None, name });
        }
        let text = ModuleText { text: module.text.clone(), starts: module.starts.clone() };
        let kept = text.to_bytes();
        let begin = Instant::now();
        let program = Program::new(self.clone(), text, module.kernels.clone())?;
        program.prepare()?;
        let compile_time = Some(begin.elapsed());
        self.cache.keep_bytes(&kept, &name);
        Ok(Loaded { program, compile_time, name })
    }

    /// Under which the cache has a text of which something was compiled.
    fn name_of(&self, text: &str) -> String {
        let key = hash(&[text.as_bytes(), self.facts.identity.as_bytes()]);
        format!("{}.text", &key[..40])
    }

    /// What was compiled before under this name, if it is still there.
    pub fn find(self: &Arc<Gpu>, name: &str, kernels: &[Kernel]) -> Option<Program> {
        let (_, kept) = self.cache.read(name)?;
        let program = Program::new(self.clone(), ModuleText::from_bytes(&kept)?, kernels.to_vec()).ok()?;
        program.prepare().ok().map(|()| program)
    }

    pub fn memory_limit(&self) -> u64 {
        self.queue().pool.limit()
    }

    /// The bytes in use.
    pub fn memory_live(&self) -> u64 {
        self.queue().pool.live()
    }

    /// The most bytes that were in use at a time since `reset_memory_peak`.
    pub fn memory_peak(&self) -> u64 {
        self.queue().pool.peak()
    }

    pub fn reset_memory_peak(&self) {
        self.queue().pool.reset_peak();
    }

    /// Where other libraries in this process find its queue, if they can use it.
    pub fn shared_queue(&self) -> Option<SharedQueue> {
        self.queue().device.shared()
    }

    /// All commands from now on come after all commands of others on their own queues. What cannot be followed is reported to whoever
    /// asks next.
    pub fn follow_queue(&self, queue: u64) {
        let _ = self.queue().ask(0, |all| all.device.follow_queue(queue));
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        guard(&self.queue)
    }
}

/// What a lock protects is as good as its last change.
fn guard<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The driver needs some memory itself, and so do others on the machine.
fn memory_limit(facts: &Facts, requested: Option<u64>) -> u64 {
    let there = facts.memory - (facts.memory / 16).max(256 << 20).min(facts.memory / 4);
    let host = if facts.shares_memory { available().map(|bytes| bytes / 10 * 9) } else { None };
    let usual = there.min(host.unwrap_or(u64::MAX));
    // So that sums of what is asked for do not overflow.
    requested.unwrap_or(usual).min(there).min(1 << 60)
}

/// A GPU's own memory is of no use to anybody else; that of the host is.
fn most_spare(facts: &Facts) -> u64 {
    if facts.shares_memory { facts.memory / 8 } else { u64::MAX }
}
