//! Devices, which all programs of this process share.
//!
//! A device has threads and memory of its own, so there is one for each way it is used, made when it is first needed.

use norn_runtime::RuntimeError;
use norn_runtime::cpu::{Cpu, CpuOptions};
use std::sync::{Arc, Mutex, PoisonError};

static CPUS: Mutex<Vec<(CpuOptions, Arc<Cpu>)>> = Mutex::new(Vec::new());

/// The processor, used in this way.
pub fn cpu(options: CpuOptions) -> Result<Arc<Cpu>, RuntimeError> {
    let mut cpus = CPUS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, cpu)) = cpus.iter().find(|(known, _)| *known == options) {
        return Ok(cpu.clone());
    }
    let cpu = Arc::new(Cpu::new(options)?);
    cpus.push((options, cpu.clone()));
    Ok(cpu)
}
