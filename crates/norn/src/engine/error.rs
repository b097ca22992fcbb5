//! Why a program could not be compiled, or did not run to its end.

use super::call::{STOPPED, timed_out};
use crate::tune::TuneError;
use crate::{FileError, Paint, render_all};
use norn_base::{Diagnostics, SourceMap};
use norn_interp::Failure;
use norn_runtime::RuntimeError;
use norn_runtime::gpu::Api;
use std::fmt;
use std::time::Duration;

#[derive(Debug)]
pub enum CompileError {
    /// The main file cannot be read.
    Io(FileError),
    /// The program has errors.
    Rejected(Box<Rejection>),
    /// The device is not there, or does not take the program.
    Device(RuntimeError),
    /// The file with tunables does not fit the program.
    Tune(TuneError),
    /// There is a mistake in norn: the message of a panic.
    Bug(String),
}

/// The errors and warnings of a program. At least one is an error.
pub struct Rejection {
    pub sources: SourceMap,
    pub diagnostics: Diagnostics,
}

/// Why a call has no result.
#[derive(Debug)]
pub enum CallError {
    /// The arguments do not fit; a sentence.
    Arguments(String),
    /// The program failed.
    Failed(Failure),
    /// It was asked to end.
    Cancelled,
    /// It took longer than this.
    TimedOut(Duration),
    /// There is a mistake in norn: the message of a panic.
    Bug(String),
}

/// Why a call has no result, for people.
#[derive(Clone, Debug)]
pub struct RunError {
    pub message: String,
    /// With an excerpt of the source and the calls that led there. Ends in a line break.
    pub rendered: String,
    /// Whether the program was asked to end, and did nothing wrong.
    pub cancelled: bool,
}

/// `1 field`, `2 fields`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

impl CompileError {
    /// What the user should see. Ends in a line break.
    pub fn render(&self, paint: Paint) -> String {
        match self {
            CompileError::Rejected(rejection) => rejection.render(paint),
            CompileError::Io(error) => format!("error: {error}\n"),
            CompileError::Device(error) => render_device_error(error),
            CompileError::Tune(error) => error.render(),
            CompileError::Bug(message) => format!("error: {message}\n"),
        }
    }
}

/// Why a device cannot be used, and what could be done about it. Ends in a line break.
pub fn render_device_error(error: &RuntimeError) -> String {
    let help = match error {
        RuntimeError::NoDevice { api, .. } if *api == Api::Cuda.name() => {
            "CUDA needs a GPU of NVIDIA and its driver, which has the library libcuda.so.1 (nvcuda.dll on Windows)"
        }
        RuntimeError::NoDevice { .. } => {
            "OpenCL needs a driver: install that of the GPU's vendor, or PoCL, which makes a device of the processor \
             (pocl-opencl-icd on Debian and Ubuntu), and the library libOpenCL.so.1 (ocl-icd-libopencl1)"
        }
        RuntimeError::NoSuchDevice(_) => "`norn devices` lists those that there are",
        RuntimeError::NoCompiler(_)
        | RuntimeError::Rejected { .. }
        | RuntimeError::Io { .. }
        | RuntimeError::Load(_)
        | RuntimeError::Threads(_)
        | RuntimeError::NoKernelCompiler(_)
        | RuntimeError::KernelsRejected { .. }
        | RuntimeError::Device(_) => return format!("error: {error}\n"),
    };
    format!("error: {error}\nhelp: {help}\n")
}

impl Rejection {
    pub fn render(&self, paint: Paint) -> String {
        render_all(&self.sources, &self.diagnostics, paint)
    }
}

impl fmt::Debug for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rejection").field("diagnostics", &self.diagnostics).finish_non_exhaustive()
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Io(error) => error.fmt(f),
            CompileError::Rejected(rejection) => f.write_str(&rejection.render(Paint::Plain)),
            CompileError::Device(error) => error.fmt(f),
            CompileError::Tune(error) => error.fmt(f),
            CompileError::Bug(message) => f.write_str(message),
        }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::Arguments(message) | CallError::Bug(message) => f.write_str(message),
            CallError::Failed(failure) => f.write_str(&failure.message),
            CallError::Cancelled => f.write_str(STOPPED),
            CallError::TimedOut(limit) => f.write_str(&timed_out(*limit)),
        }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CallError {}
impl std::error::Error for CompileError {}
impl std::error::Error for RunError {}
