//! What programs run on: devices, and how much of them may be used.
//!
//! A device has threads and memory of its own, and is made when it is first needed. All programs of a context share its devices; those of another context
//! have others, so that several contexts in a process know nothing of each other.

use super::backend::Backend;
use super::timer::Timer;
use norn_runtime::RuntimeError;
use norn_runtime::cpu::{Cpu, CpuOptions};
use norn_runtime::gpu::{Api, Gpu, GpuOptions, Which};
use std::fmt;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Which devices are used, and how much of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ContextOptions {
    /// How many threads of the processor: as many as it runs at the same time, if not given.
    pub threads: Option<NonZero<usize>>,
    /// In bytes, on each device. What it can do without, if not given.
    pub memory_limit: Option<u64>,
    /// The GPU that is used if one is reached in this way: the usual one, if not given.
    pub gpu: Option<Which>,
    /// Other GPUs, reached in the same way, that share the work of that one, and the processor, if it is among them.
    pub others: Vec<Which>,
    /// Whether these divide the work in the same way at each run, so that floats are rounded in the same way even if devices round differently.
    pub reproducible: bool,
    /// The folder for compiled programs: `NORN_CACHE`, or one in the user's folder for caches, if not given.
    pub cache: Option<PathBuf>,
}

/// Cloned, it is the same one.
#[derive(Clone, Default)]
pub struct Context(Arc<Inner>);

#[derive(Default)]
struct Inner {
    options: ContextOptions,
    /// By whether its compiler is in a hurry.
    cpus: Mutex<Vec<(bool, Arc<Cpu>)>>,
    gpus: Mutex<Vec<(Which, Arc<Gpu>)>>,
    /// Of calls with a time limit.
    timer: Timer,
}

impl Context {
    pub fn new(options: ContextOptions) -> Context {
        Context(Arc::new(Inner { options, ..Inner::default() }))
    }

    pub fn options(&self) -> &ContextOptions {
        &self.0.options
    }

    /// The processor. If the compiler hurries, it takes less time and the program more: for what runs once, such as a test.
    pub fn cpu(&self, quick: bool) -> Result<Arc<Cpu>, RuntimeError> {
        let ContextOptions { threads, memory_limit, ref cache, .. } = self.0.options;
        let options = CpuOptions { threads, memory_limit, quick };
        shared(&self.0.cpus, quick, || Cpu::with_cache(options, cache.as_deref()))
    }

    /// The GPU that is reached in this way.
    pub fn gpu(&self, api: Api) -> Result<Arc<Gpu>, RuntimeError> {
        let ContextOptions { gpu, memory_limit, cache, reproducible, .. } = &self.0.options;
        let which = gpu.clone().filter(|which| which.api == api).unwrap_or_else(|| Which::usual(api));
        let options = GpuOptions { which: which.clone(), memory_limit: *memory_limit };
        shared(&self.0.gpus, which, || {
            Ok(Gpu::with_cache(options, cache.as_deref())?.reproducible(*reproducible))
        })
    }

    /// Who shares the work of that one; the processor is the last.
    pub fn others(&self, api: Api) -> Result<Vec<Arc<Gpu>>, RuntimeError> {
        let ContextOptions { others, memory_limit, cache, .. } = &self.0.options;
        let gpu = |which: &Which| {
            let options = GpuOptions { which: which.clone(), memory_limit: *memory_limit };
            shared(&self.0.gpus, which.clone(), || Gpu::with_cache(options, cache.as_deref()))
        };
        let mut all: Vec<&Which> =
            others.iter().filter(|which| [api, Api::Processor].contains(&which.api)).collect();
        all.sort_by_key(|which| which.api == Api::Processor);
        all.into_iter().map(gpu).collect()
    }

    pub(super) fn timer(&self) -> &Timer {
        &self.0.timer
    }

    /// The GPU of a backend, if it uses one.
    pub(super) fn gpu_of(&self, backend: Backend) -> Result<Option<Arc<Gpu>>, RuntimeError> {
        backend.api().map(|api| self.gpu(api)).transpose()
    }
}

fn shared<K: PartialEq, D>(
    known: &Mutex<Vec<(K, Arc<D>)>>,
    key: K,
    make: impl FnOnce() -> Result<D, RuntimeError>,
) -> Result<Arc<D>, RuntimeError> {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, device)) = known.iter().find(|(used, _)| *used == key) {
        return Ok(device.clone());
    }
    let device = Arc::new(make()?);
    known.push((key, device.clone()));
    Ok(device)
}

impl PartialEq for Context {
    fn eq(&self, other: &Context) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.options().fmt(f)
    }
}
