//! Which backend is the best that is there.
//!
//! A GPU of NVIDIA comes first, then one that OpenCL reaches and that has memory of its own: OpenCL can make a device
//! of the processor, too, which is slower than the code that is compiled for it. Then comes the processor, and at
//! last the interpreter, which needs nothing.

use super::backend::Backend;
use super::context::Context;
use norn_runtime::gpu::Api;
use std::path::Path;

/// A backend that is there.
pub struct Best {
    pub backend: Backend,
    /// Why those that come before it are not used: each with a reason, without a full stop.
    pub passed_over: Vec<(Backend, String)>,
    /// Why it can only run what was compiled before, if that is so.
    pub cannot_compile: Option<String>,
}

pub fn best_backend(context: &Context) -> Best {
    let mut passed_over = Vec::new();
    let cannot_compile = match context.cpu(false) {
        Ok(cpu) => cpu.missing_compiler().map(|error| error.to_string()),
        Err(error) => {
            passed_over.push((Backend::Cpu, error.to_string()));
            return Best { backend: Backend::Interp, passed_over, cannot_compile: None };
        }
    };
    for (backend, api) in [(Backend::Cuda, Api::Cuda), (Backend::OpenCl, Api::OpenCl)] {
        match usable(api, context) {
            Ok(()) => return Best { backend, passed_over, cannot_compile },
            Err(why) => passed_over.push((backend, why)),
        }
    }
    Best { backend: Backend::Cpu, passed_over, cannot_compile }
}

/// Whether there is a GPU that is worth it; or why not.
fn usable(api: Api, context: &Context) -> Result<(), String> {
    if !may_have_gpu() {
        return Err("the system has no GPU".to_string());
    }
    let gpu = context.gpu(api).map_err(|error| error.to_string())?;
    match api {
        Api::OpenCl if gpu.facts().shares_memory => {
            Err(format!("{} has no memory of its own", gpu.facts().name))
        }
        Api::OpenCl | Api::Cuda | Api::Processor => Ok(()),
    }
}

/// Drivers take a while to say that they have nothing; on Linux the system knows at once.
fn may_have_gpu() -> bool {
    let nodes = ["/dev/nvidiactl", "/dev/nvidia0", "/dev/dri", "/dev/kfd", "/dev/dxg", "/dev/nvhost-ctrl"];
    !cfg!(target_os = "linux") || nodes.iter().any(|node| Path::new(node).exists())
}
