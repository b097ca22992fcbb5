//! Devices, which all programs of this process share.
//!
//! A device has threads and memory of its own, so there is one for each way it is used, made when it is first needed.

use super::backend::Backend;
use norn_runtime::RuntimeError;
use norn_runtime::cpu::{Cpu, CpuOptions};
use norn_runtime::gpu::{Api, Gpu, GpuOptions};
use std::sync::{Arc, Mutex, PoisonError};

static CPUS: Mutex<Vec<(CpuOptions, Arc<Cpu>)>> = Mutex::new(Vec::new());
static GPUS: Mutex<Vec<(GpuOptions, Arc<Gpu>)>> = Mutex::new(Vec::new());

/// The processor, used in this way.
pub fn cpu(options: CpuOptions) -> Result<Arc<Cpu>, RuntimeError> {
    shared(&CPUS, options, Cpu::new)
}

/// The GPU that is reached in this way, with no more memory than a program may use.
pub fn gpu(api: Api, options: CpuOptions) -> Result<Arc<Gpu>, RuntimeError> {
    shared(&GPUS, GpuOptions { api, memory_limit: options.memory_limit }, Gpu::new)
}

/// The GPU of a backend, if it uses one.
pub(super) fn gpu_of(backend: Backend, options: CpuOptions) -> Result<Option<Arc<Gpu>>, RuntimeError> {
    backend.api().map(|api| gpu(api, options)).transpose()
}

fn shared<O: Copy + PartialEq, D>(
    known: &Mutex<Vec<(O, Arc<D>)>>,
    options: O,
    make: impl FnOnce(O) -> Result<D, RuntimeError>,
) -> Result<Arc<D>, RuntimeError> {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, device)) = known.iter().find(|(used, _)| *used == options) {
        return Ok(device.clone());
    }
    let device = Arc::new(make(options)?);
    known.push((options, device.clone()));
    Ok(device)
}
