//! What can go wrong between us and the system.

use crate::gpu::DeviceError;
use std::fmt;
use std::io;
use std::path::PathBuf;

#[derive(Debug)]
pub enum RuntimeError {
    /// No C compiler was found that can build what we need; why each that was tried cannot.
    NoCompiler(Vec<String>),
    /// The C compiler did not accept our text; its output.
    Rejected { compiler: PathBuf, message: String },
    /// A file cannot be written or read, or a process not be started.
    Io { what: &'static str, path: PathBuf, error: io::Error },
    /// What was compiled cannot be loaded.
    Load(String),
    /// Threads cannot be started.
    Threads(String),
    /// There is no GPU that can be reached in this way, and why.
    NoDevice { api: &'static str, why: String },
    /// There are GPUs that are reached in this way, but not the one that is meant; a sentence without its full stop.
    NoSuchDevice(String),
    /// NVRTC is not there; what was tried and cannot be used.
    NoKernelCompiler(Vec<String>),
    /// The compiler of a GPU's driver did not accept our text; its output.
    KernelsRejected { compiler: String, message: String },
    /// A GPU cannot do something that it must be able to do; a sentence without its full stop.
    Device(String),
}

impl From<DeviceError> for RuntimeError {
    fn from(device_error: DeviceError) -> RuntimeError {
        RuntimeError::Device(format!("the GPU {device_error}"))
    }
}

impl fmt::Display for RuntimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuntimeError::NoCompiler(tried) if tried.is_empty() => {
                f.write_str("there is no C compiler (cc, gcc or clang)")
            }
            RuntimeError::NoCompiler(tried) => write!(f, "no C compiler works: {}", tried.join("; ")),
            RuntimeError::Rejected { compiler, message } => {
                write!(
                    f,
                    "the C compiler `{}` does not accept the compiled program\n{message}",
                    compiler.display()
                )
            }
            RuntimeError::Io { what, path, error } => {
                write!(f, "cannot {what} `{}`: {error}", path.display())
            }
            RuntimeError::Load(why) => write!(f, "the compiled program cannot be loaded: {why}"),
            RuntimeError::Threads(why) => write!(f, "threads cannot be started: {why}"),
            RuntimeError::NoDevice { api, why } => write!(f, "there is no {api} device: {why}"),
            RuntimeError::NoSuchDevice(why) => f.write_str(why),
            RuntimeError::NoKernelCompiler(tried) => {
                f.write_str("NVRTC, the compiler of CUDA's kernels, is not there (libnvrtc; install the CUDA toolkit, or the ")?;
                f.write_str("Python package nvidia-cuda-nvrtc, or say where it is in NORN_NVRTC)")?;
                if tried.is_empty() { Ok(()) } else { write!(f, ": {}", tried.join("; ")) }
            }
            RuntimeError::KernelsRejected { compiler, message } => {
                write!(f, "{compiler} does not accept the compiled kernels: {message}")
            }
            RuntimeError::Device(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for RuntimeError {}

/// Why something cannot be loaded: the loader's own words, which are in the cause of the error.
pub(crate) fn load_error(error: libloading::Error) -> String {
    std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string)
}
