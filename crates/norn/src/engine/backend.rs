//! What runs a program, and how it is named.

use crate::Paint;
use norn_runtime::cpu::CpuOptions;
use std::fmt;
use std::str::FromStr;

/// What runs a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Backend {
    /// The reference interpreter.
    #[default]
    Interp,
    /// Compiled code on all processors, by way of the C compiler of the system.
    Cpu,
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

/// Why a name is no backend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BackendError {
    Unknown(String),
    /// One that is planned.
    NotAvailable(String),
}

/// How to compile and run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub backend: Backend,
    /// Whether rendered messages are coloured.
    pub paint: Paint,
    /// Whether a program that is interpreted is improved first, and prepared for a device. What it means must not change.
    pub improve: bool,
    /// How the processor is used, if it is.
    pub cpu: CpuOptions,
    /// Whether a program that was compiled before is not compiled again. Then only what it is outside is known of it: its
    /// entry points and types.
    pub reuse: bool,
}

impl Backend {
    /// As the user names it.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Interp => "interp",
            Backend::Cpu => "cpu",
        }
    }
}

impl From<Backend> for Options {
    fn from(backend: Backend) -> Options {
        Options { backend, paint: Paint::Plain, improve: false, cpu: CpuOptions::default(), reuse: false }
    }
}

impl FromStr for Choice {
    type Err = BackendError;

    fn from_str(name: &str) -> Result<Choice, BackendError> {
        match name {
            "auto" => Ok(Choice::Auto),
            "interp" => Ok(Choice::This(Backend::Interp)),
            "cpu" => Ok(Choice::This(Backend::Cpu)),
            known if BACKENDS.contains(&known) => Err(BackendError::NotAvailable(name.into())),
            _ => Err(BackendError::Unknown(name.into())),
        }
    }
}

impl fmt::Display for BackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BackendError::Unknown(name) => {
                write!(f, "there is no backend `{name}`; the backends are {}", BACKENDS.join(", "))
            }
            BackendError::NotAvailable(name) => {
                write!(f, "the backend `{name}` is not available yet; use `cpu` or `interp`")
            }
        }
    }
}

impl std::error::Error for BackendError {}
