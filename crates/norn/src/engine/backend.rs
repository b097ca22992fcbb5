//! What runs a program, and how it is named.

use super::context::Context;
use crate::Paint;
use crate::tune::TuneFile;
use norn_runtime::gpu::Api;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// What runs a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Backend {
    /// The reference interpreter.
    #[default]
    Interp,
    /// Compiled code on all processors, by way of the C compiler of the system.
    Cpu,
    /// The same, with what it can do in parallel on a device that OpenCL reaches.
    OpenCl,
    /// On a GPU of NVIDIA.
    Cuda,
}

/// What a user may ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The best that is there.
    Auto,
    This(Backend),
}

/// The names a user may give.
pub const BACKENDS: &[&str] = &["auto", "interp", "cpu", "opencl", "cuda"];

/// There is no backend with this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownBackend(String);

/// How to compile and run.
#[derive(Clone, Debug)]
pub struct Options {
    pub backend: Backend,
    /// Whether rendered messages are coloured.
    pub paint: Paint,
    /// Whether a program that is interpreted is improved first, and prepared for a device. What it means must not change.
    pub improve: bool,
    /// On what it runs.
    pub context: Context,
    /// Whether the C compiler takes less time and the program more: for what runs once, such as a test.
    pub quick: bool,
    /// Whether a program that was compiled before is not compiled again. Then only what it is outside is known of it: its
    /// entry points and types.
    pub reuse: bool,
    /// Whether a program is refused of which a GPU leaves more than single numbers to the processor.
    pub strict_device: bool,
    /// Numbers by which programs for GPUs are made.
    pub tune: Option<Arc<TuneFile>>,
    /// Whether somebody looks on, to whom the program shows values. Otherwise traces are left out of compiled code.
    pub observe: bool,
}

impl Backend {
    /// As the user names it.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Interp => "interp",
            Backend::Cpu => "cpu",
            Backend::OpenCl => "opencl",
            Backend::Cuda => "cuda",
        }
    }

    /// By which a GPU is reached, if the backend uses one.
    pub fn api(self) -> Option<Api> {
        match self {
            Backend::Interp | Backend::Cpu => None,
            Backend::OpenCl => Some(Api::OpenCl),
            Backend::Cuda => Some(Api::Cuda),
        }
    }
}

impl From<Backend> for Options {
    fn from(backend: Backend) -> Options {
        Options {
            backend,
            paint: Paint::Plain,
            improve: false,
            context: Context::default(),
            quick: false,
            reuse: false,
            strict_device: false,
            tune: None,
            observe: false,
        }
    }
}

impl FromStr for Choice {
    type Err = UnknownBackend;

    fn from_str(name: &str) -> Result<Choice, UnknownBackend> {
        match name {
            "auto" => Ok(Choice::Auto),
            "interp" => Ok(Choice::This(Backend::Interp)),
            "cpu" => Ok(Choice::This(Backend::Cpu)),
            "opencl" => Ok(Choice::This(Backend::OpenCl)),
            "cuda" => Ok(Choice::This(Backend::Cuda)),
            _ => Err(UnknownBackend(name.into())),
        }
    }
}

impl fmt::Display for UnknownBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no backend `{}`; the backends are {}", self.0, BACKENDS.join(", "))
    }
}

impl std::error::Error for UnknownBackend {}
